# Sheets, and what air does to them.
foreach(concept IN ITEMS sheets force wind drag)
    sinew_test(air_${concept} DOUBLE LABELS air SOURCES air/${concept}.c)
    target_include_directories(air_${concept} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/bodies)
    target_include_directories(air_${concept}_f64 PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/bodies)
endforeach()
if(TARGET sinew_io)
    sinew_test(air_scenes SLOW LABELS air long SOURCES air/scenes.c io/scene_make.c
               LIBRARIES sinew_io)
    target_compile_definitions(air_scenes PRIVATE SCENES="${PROJECT_SOURCE_DIR}/scenes")
endif()
