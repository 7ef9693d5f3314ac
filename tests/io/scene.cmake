# Scene files, and what they are read with.

# sinew_scene_test(file [source...]): a test that finds the scenes, and the headers of sinew_io.
function(sinew_scene_test file)
    sinew_test(io/${file} SOURCES ${ARGN} LIBRARIES sinew_io
               DEFINITIONS SCENE_FOLDER="${CMAKE_CURRENT_FUNCTION_LIST_DIR}"
                           SCENES="${PROJECT_SOURCE_DIR}/scenes"
                           CORPUS="${CMAKE_CURRENT_SOURCE_DIR}/corpus/scenes")
endfunction()

foreach(file IN ITEMS json expression formula scene_broken scene_keys scene_meaning scene_words
                      audit)
    sinew_scene_test(${file})
endforeach()
# A system that the library does not know is in the schema.
sinew_test(io/own_systems INTERNAL SOURCES state/attractor_system.c LIBRARIES sinew_io)
foreach(file IN ITEMS scene scene_run scene_contact_materials scene_changes scene_formulas
                      scene_events scene_rigid scene_machines scene_foam robot)
    sinew_scene_test(${file} io/scene_make.c)
endforeach()
sinew_scene_test(scene_moving io/scene_make.c io/gltf_make.c)
sinew_scene_test(scene_children io/scene_make.c io/files.c)
# Attachments, seams and animation targets.
sinew_test(io/scene_attachments SLOW LIBRARIES sinew_io
           DEFINITIONS SCENES="${PROJECT_SOURCE_DIR}/scenes")
# Scenes of cloth, simulated to their ends.
sinew_test(io/scene_cloth SLOW LABELS long LIBRARIES sinew_io
           DEFINITIONS SCENES="${PROJECT_SOURCE_DIR}/scenes")

# The schema against an independent program, where there is one.
if(Python3_FOUND)
    add_test(NAME io_scene_schema
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/scene_schema.py
                     ${PROJECT_SOURCE_DIR})
    set_tests_properties(io_scene_schema PROPERTIES LABELS "io;structure"
                         SKIP_RETURN_CODE 77)
endif()
