# World objects, a folder for each.
sinew_test(systems/damping_group/damping_group DOUBLE SCENES)
sinew_test(systems/animation_target/limits DOUBLE)
sinew_test(systems/emitter/pour DOUBLE)
sinew_test(systems/fluid/dam DOUBLE)
sinew_test(systems/fluid/velocities DOUBLE)
sinew_test(systems/fluid/volume DOUBLE)
sinew_test(systems/hair/hair DOUBLE)
sinew_test(systems/wrinkle_mesh/wrinkles DOUBLE)
sinew_test(systems/crowd/walking DOUBLE)
foreach(concept IN ITEMS lifecycle tethers tether_lifecycle)
    sinew_test(systems/sheet/${concept} DOUBLE)
endforeach()
sinew_test(systems/tet_mesh/lifecycle DOUBLE)
foreach(concept IN ITEMS convergence lifecycle)
    sinew_test(systems/hierarchy/${concept} DOUBLE SCENES)
endforeach()
sinew_test(systems/hierarchy/graph DOUBLE)

# Shape matching of regions, and sums over them.
foreach(concept IN ITEMS regions oriented_particles sheets)
    sinew_test(systems/shape_matching/${concept} DOUBLE)
endforeach()
sinew_test(systems/shape_matching/region_sums INTERNAL)

# Air.
foreach(concept IN ITEMS sheet_forces drag)
    sinew_test(systems/aerodynamics/${concept} DOUBLE)
endforeach()
sinew_test(systems/aerodynamics/wind DOUBLE INTERNAL)
if(TARGET sinew_io)
    sinew_test(systems/aerodynamics/scenes SLOW LABELS long SOURCES io/scene_make.c
               LIBRARIES sinew_io DEFINITIONS SCENES="${PROJECT_SOURCE_DIR}/scenes")
endif()
