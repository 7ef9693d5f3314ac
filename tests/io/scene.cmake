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

sinew_scene_test(io_scene io/scene.c io/scene_make.c)
sinew_scene_test(io_scene_broken io/scene_broken.c)
