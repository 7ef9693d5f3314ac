# Scene files, and what they are read with.
if(NOT TARGET sinew_io)
    return()
endif()

# sinew_scene_test(name file...): a test that finds the scenes, and the headers of sinew_io.
function(sinew_scene_test name)
    sinew_test(${name} LABELS io SOURCES ${ARGN} LIBRARIES sinew_io)
    if(TARGET ${name})
        target_compile_definitions(${name} PRIVATE
                                   SCENE_FOLDER="${CMAKE_CURRENT_FUNCTION_LIST_DIR}"
                                   SCENES="${PROJECT_SOURCE_DIR}/scenes")
    endif()
endfunction()

sinew_scene_test(io_json io/json.c)
sinew_scene_test(io_expression io/expression.c)
sinew_scene_test(io_scene io/scene.c io/scene_make.c)
sinew_scene_test(io_scene_broken io/scene_broken.c)
sinew_scene_test(io_scene_run io/scene_run.c io/scene_make.c)
sinew_scene_test(io_scene_keys io/scene_keys.c)
sinew_scene_test(io_scene_laws io/scene_laws.c io/scene_make.c)
sinew_scene_test(io_scene_words io/scene_words.c)
if(TARGET io_scene_words)
    target_compile_definitions(io_scene_words PRIVATE
                               CORPUS="${CMAKE_CURRENT_SOURCE_DIR}/corpus/scenes")
endif()
# Scenes of cloth, simulated to their ends.
sinew_test(io_scene_cloth SLOW LABELS io long SOURCES io/scene_cloth.c LIBRARIES sinew_io)
if(TARGET io_scene_cloth)
    target_compile_definitions(io_scene_cloth PRIVATE SCENES="${PROJECT_SOURCE_DIR}/scenes")
endif()

# The schema against an independent program, where there is one.
if(Python3_FOUND)
    add_test(NAME io_scene_schema
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/scene_schema.py
                     ${PROJECT_SOURCE_DIR})
    set_tests_properties(io_scene_schema PROPERTIES LABELS io SKIP_RETURN_CODE 77)
endif()
