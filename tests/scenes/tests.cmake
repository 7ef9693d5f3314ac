# Scenes of what was once wrong.
if(TARGET sinew_io)
    file(GLOB regressions CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/regressions/*.json)
    list(TRANSFORM regressions REPLACE ".*/(.*)[.]json" "\\1")
    list(JOIN regressions " " regressions)
    sinew_test(scenes/regressions SLOW INTERNAL LIBRARIES sinew_io SOURCES scenes/scene_watch.c
               DEFINITIONS REGRESSIONS="${PROJECT_SOURCE_DIR}/scenes/regressions"
                           NAMES="${regressions}")
    # Ropes and rods, simulated to their ends.
    sinew_test(scenes/rods SLOW LABELS long LIBRARIES sinew_io SOURCES io/scene_make.c
               DEFINITIONS SCENES="${PROJECT_SOURCE_DIR}/scenes")
    # Rigid bodies, the same.
    sinew_test(scenes/bodies SLOW LABELS long LIBRARIES sinew_io SOURCES io/scene_make.c
               DEFINITIONS SCENES="${PROJECT_SOURCE_DIR}/scenes")
    # What is built of what there is: layouts, valves, membranes.
    sinew_test(scenes/applications LIBRARIES sinew_io SOURCES io/scene_make.c
               DEFINITIONS SCENES="${PROJECT_SOURCE_DIR}/scenes")
    # Scenes of anything.
    sinew_test(scenes/random SLOW INTERNAL LIBRARIES sinew_io
               SOURCES scenes/random_scene.c scenes/scene_watch.c)
    # In other frames of reference and other units, what they tell of contacts, without memory.
    file(GLOB small CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/small/*.json)
    list(TRANSFORM small REPLACE ".*/(.*)[.]json" "\\1")
    list(JOIN small " " small)
    foreach(concept IN ITEMS symmetries contacts company shortage)
        sinew_test(scenes/${concept} INTERNAL LIBRARIES sinew_io
                   SOURCES scenes/small_scenes.c scenes/random_scene.c
                   DEFINITIONS SMALL="${CMAKE_CURRENT_LIST_DIR}/small" NAMES="${small}")
    endforeach()
endif()
