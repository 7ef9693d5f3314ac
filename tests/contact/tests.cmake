# Contacts between collision surfaces; `contact_balls_time` is run by hand and prints what many
# balls cost.
add_executable(contact_balls_time contact/balls_time.c)
target_link_libraries(contact_balls_time PRIVATE sinew_scenes sinew_options)
sinew_test(contact/surface_contact DOUBLE SLOW)
sinew_test(contact/impulses DOUBLE)
# In frames of reference that move.
sinew_test(contact/moving_frame DOUBLE)
# What is placed elsewhere as a whole.
sinew_test(contact/turned_piles DOUBLE)
# What is fast, from substep to substep.
sinew_test(contact/fast_motion DOUBLE SLOW INTERNAL)
foreach(concept IN ITEMS motion_limiter untangling layers)
    sinew_test(contact/${concept} SLOW INTERNAL SOURCES contact/crossing_sheets.c)
endforeach()

# What the motion limiter need not look at.
sinew_test(contact/limiter_rooms INTERNAL SOURCES contact/crossing_sheets.c)

# What makes contacts with colliders quick, without changing a bit.
sinew_test(contact/unrotated_colliders DOUBLE INTERNAL)

# The measured scene in which a cloth falls on itself.
sinew_test(contact/self_collision SCENES SLOW INTERNAL)

# What stays tangled comes to rest, and is counted.
sinew_test(contact/tangles SLOW INTERNAL SOURCES contact/crossing_sheets.c)

# Whether pairs that are solved at the same time share no nodes.
sinew_test(contact/partition SCENES SLOW INTERNAL)

# Triangles that meet colliders between their nodes.
sinew_test(contact/triangle_contact DOUBLE INTERNAL SOURCES contact/coarse_sheets.c)
sinew_test(contact/segment_contact DOUBLE INTERNAL SOURCES contact/coarse_sheets.c)

# How what overlaps comes apart.
sinew_test(contact/recovery DOUBLE INTERNAL)

# Ellipsoids as shapes of nodes.
sinew_test(contact/ellipsoids DOUBLE)

# Impulses between collision surfaces have no moment.
sinew_test(contact/angular_momentum DOUBLE INTERNAL)

# Ten cubes on each other.
sinew_test(contact/stacks DOUBLE SLOW)

# Friction, restitution, rolling, and pairs of materials.
foreach(concept IN ITEMS friction rolling rolling_balls degenerate)
    sinew_test(contact/${concept} DOUBLE SLOW)
endforeach()
sinew_test(contact/materials DOUBLE SLOW INTERNAL)

# Scenes in which collision surfaces meet.
if(TARGET sinew_io)
    sinew_test(contact/scenes SLOW INTERNAL LABELS long LIBRARIES sinew_io
               SOURCES scenes/scene_watch.c
               DEFINITIONS SCENES="${PROJECT_SOURCE_DIR}/scenes")
endif()

# Colliders that nodes carry.
sinew_test(contact/rigid DOUBLE)
sinew_test(contact/rigid_impacts DOUBLE)
sinew_test(contact/rigid_motion DOUBLE)
sinew_test(contact/rigid_turn DOUBLE INTERNAL)
# Two boxes, by the cosines between their axes.
sinew_test(contact/rigid_axes DOUBLE INTERNAL)
sinew_test(contact/strikes DOUBLE)
# Two free bodies that meet beside their middles.
sinew_test(contact/free_impacts DOUBLE SLOW)
sinew_test(contact/struck_bars DOUBLE)
sinew_test(contact/jointed_bodies DOUBLE)
sinew_test(contact/kept_pairs DOUBLE INTERNAL)
sinew_test(contact/heaps DOUBLE)
sinew_test(contact/manifolds DOUBLE SLOW)
sinew_test(contact/mechanics DOUBLE SLOW)
sinew_test(contact/carried_shapes DOUBLE SLOW)
sinew_test(contact/piles DOUBLE SLOW)
sinew_test(contact/spikes DOUBLE)
# All shapes at rest on all others.
sinew_test(contact/resting DOUBLE)
