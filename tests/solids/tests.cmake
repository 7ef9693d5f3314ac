# Solids.
sinew_test(solids_tets DOUBLE SLOW LABELS solids SOURCES solids/tets.c)
sinew_test(solids_strains DOUBLE SLOW LABELS solids SOURCES solids/strains.c)
sinew_test(solids_plastic DOUBLE SLOW LABELS solids SOURCES solids/plastic.c)
# Sums over regions.
sinew_test(solids_sums LABELS solids SOURCES solids/sums.c)
if(TARGET solids_sums)
    target_include_directories(solids_sums PRIVATE ${PROJECT_SOURCE_DIR}/src)
endif()
# Volume from the surface alone.
sinew_test(solids_volume_weights SLOW LABELS solids SOURCES solids/volume_weights.c)
sinew_test(solids_bars DOUBLE SLOW LABELS solids SOURCES solids/bars.c)
sinew_test(solids_match DOUBLE LABELS solids SOURCES solids/match.c)
sinew_test(solids_material DOUBLE SLOW LABELS solids SOURCES solids/material.c)

# What happens in the scenes of solids.
if(Python3_FOUND AND SINEW_APP AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME solids_scenes
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/solids/scenes.py
                     ${CMAKE_CURRENT_BINARY_DIR} $<TARGET_FILE:sinew_app>)
    set_tests_properties(solids_scenes PROPERTIES LABELS "solids;slow;long" TIMEOUT 900 ENVIRONMENT
        "ASAN_OPTIONS=detect_leaks=0;SINEW_SCENES=${PROJECT_SOURCE_DIR}/scenes")
endif()
# Ellipsoids as collision shapes, and visible meshes that follow.
sinew_test(solids_ellipsoids DOUBLE LABELS solids SOURCES solids/ellipsoids.c)
sinew_test(solids_skinning DOUBLE LABELS solids SOURCES solids/skinning.c)
