# Bodies that sleep and wake.
foreach(concept IN ITEMS sleep sleep_contacts sleep_bits)
    sinew_test(step/${concept} DOUBLE SLOW SOURCES step/sleepers.c)
endforeach()
sinew_test(step/wake DOUBLE SLOW INTERNAL SOURCES step/sleepers.c)
sinew_test(step/sleep_systems SOURCES step/sleepers.c)

# What is not finite.
sinew_test(step/freeze DOUBLE)

# Settings that change between steps.
sinew_test(step/settings SCENES)

# Trees of constraints that are solved at once.
sinew_test(step/trees DOUBLE)

# Constraints on tracks, which threads follow without meeting after every colour.
sinew_test(step/tracks DOUBLE INTERNAL SOURCES api/mixed_world.c)

# Worlds with two dimensions.
sinew_test(step/planes DOUBLE)
