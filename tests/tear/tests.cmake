# Sheets and solids that are cut, sheets that tear, and solids that fracture.
sinew_test(tear_split LABELS tear SOURCES tear/split.c)
target_include_directories(tear_split PRIVATE ${PROJECT_SOURCE_DIR}/src)
foreach(concept IN ITEMS cut tear keep)
    sinew_test(tear_${concept} DOUBLE SLOW LABELS tear SOURCES tear/${concept}.c)
    foreach(target IN ITEMS tear_${concept} tear_${concept}_f64)
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
                                   ${CMAKE_CURRENT_SOURCE_DIR}/bodies
                                   ${CMAKE_CURRENT_SOURCE_DIR}/tear)
    endforeach()
endforeach()
foreach(concept IN ITEMS bulk fracture)
    sinew_test(tear_${concept} DOUBLE SLOW LABELS tear SOURCES tear/${concept}.c)
    foreach(target IN ITEMS tear_${concept} tear_${concept}_f64)
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
                                   ${CMAKE_CURRENT_SOURCE_DIR}/bodies
                                   ${CMAKE_CURRENT_SOURCE_DIR}/tear)
    endforeach()
endforeach()
sinew_test(tear_smooth DOUBLE SLOW LABELS tear SOURCES tear/smooth.c)
foreach(target IN ITEMS tear_smooth tear_smooth_f64)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
                               ${CMAKE_CURRENT_SOURCE_DIR}/bodies
                               ${CMAKE_CURRENT_SOURCE_DIR}/tear)
endforeach()
if(TARGET sinew_io)
    sinew_test(tear_export LABELS "tear;export" LIBRARIES sinew_io
               SOURCES tear/export.c io/files.c io/scene_make.c)
    sinew_test(tear_organ LABELS "tear" LIBRARIES sinew_io SOURCES tear/organ.c)
    target_compile_definitions(tear_organ PRIVATE
                               SCENE_FOLDER="${PROJECT_SOURCE_DIR}/scenes")
endif()
