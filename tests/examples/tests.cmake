# The examples of the documentation, as they are; the README quotes one.
file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/examples/*.c)
foreach(example IN LISTS examples)
    get_filename_component(name ${example} NAME_WE)
    add_executable(example_${name} ${example})
    target_link_libraries(example_${name} PRIVATE sinew)
    target_compile_options(example_${name} PRIVATE -Wall -Wextra -Wpedantic
                           $<$<BOOL:${SINEW_STRICT}>:-Werror>)
    add_test(NAME example_${name} COMMAND example_${name})
    set_tests_properties(example_${name} PROPERTIES LABELS examples)
    # Looking for leaks takes 3 s per program: of all where sanitizers look for all they can, else
    # of this one, of example_run_scene and of external_static_c.
    if(SINEW_SANITIZE_NOT AND NOT name STREQUAL record_and_replay)
        set_tests_properties(example_${name} PROPERTIES ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
    endif()
endforeach()
# Those that read scenes.
if(TARGET sinew_io)
    add_executable(example_run_scene ${PROJECT_SOURCE_DIR}/docs/examples/io/run_scene.c)
    target_link_libraries(example_run_scene PRIVATE sinew_picture)
    add_test(NAME example_run_scene
             COMMAND example_run_scene ${PROJECT_SOURCE_DIR}/scenes/cloth.json)
    set_tests_properties(example_run_scene PROPERTIES LABELS examples)
endif()
# Example, page and language of what is quoted.
function(sinew_quoted name page language code)
    add_test(NAME ${name}
             COMMAND ${CMAKE_COMMAND} -DPAGE=${PROJECT_SOURCE_DIR}/${page} -DLANGUAGE=${language}
                     -DCODE=${PROJECT_SOURCE_DIR}/docs/examples/${code}
                     -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/quoted.cmake)
    set_tests_properties(${name} PROPERTIES LABELS examples)
endfunction()
sinew_quoted(example_quoted README.md c hanging_rope.c)
sinew_quoted(example_installed_quoted docs/building.md cmake installed/CMakeLists.txt)
sinew_quoted(example_io_quoted docs/building.md cmake io/CMakeLists.txt)
sinew_quoted(example_embedded_quoted docs/building.md cmake embedded/CMakeLists.txt)

# What the pages tell a reader to do is there.
foreach(page IN ITEMS README.md CONTRIBUTING.md docs/building.md docs/determinism.md
                      docs/performance.md docs/backends.md docs/blender.md)
    string(REGEX REPLACE ".*/|[.]md" "" name ${page})
    string(TOLOWER example_commands_of_${name} name)
    add_test(NAME ${name}
             COMMAND ${CMAKE_COMMAND} -DPAGE=${PROJECT_SOURCE_DIR}/${page}
                     -DROOT=${PROJECT_SOURCE_DIR}
                     -P ${CMAKE_CURRENT_SOURCE_DIR}/examples/dev.cmake)
    set_tests_properties(${name} PROPERTIES LABELS examples)
endforeach()

# The C that a page shows piece by piece is in the tree.
if(Python3_FOUND)
    add_test(NAME example_excerpts
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/examples/excerpts.py
                     ${PROJECT_SOURCE_DIR} CONTRIBUTING.md docs/tutorials/own-constraint.md
                     docs/tutorials/web.md)
    set_tests_properties(example_excerpts PROPERTIES LABELS examples)
endif()

# Pieces of scenes and programs that pages show follow the schema and compile.
file(GLOB joints RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/docs/joints/*.md)
if(Python3_FOUND AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME example_snippets
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/examples/snippets.py
                     ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER} docs/audit.md docs/characters.md
                     docs/cloth.md docs/contact.md docs/fluids.md docs/joints.md docs/materials.md
                     docs/pictures.md docs/rigid.md docs/robots.md docs/rods.md docs/solids.md
                     ${joints})
    set_tests_properties(example_snippets PROPERTIES LABELS examples SKIP_RETURN_CODE 77)
endif()

# The files, folders and words of the sources that these pages name are there.
if(Python3_FOUND)
    add_test(NAME example_named
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/examples/named.py
                     ${PROJECT_SOURCE_DIR} docs/architecture.md CONTRIBUTING.md docs/backends.md)
    set_tests_properties(example_named PROPERTIES LABELS "examples;structure")
endif()

# Commands that a page quotes can be run.
sinew_is_left_out(example_commands left_out)
if(TARGET sinew_app AND NOT left_out)
    add_test(NAME example_commands
             COMMAND ${CMAKE_COMMAND} -DPAGE=${PROJECT_SOURCE_DIR}/docs/integrators.md
                     -DTESTS=${CMAKE_CURRENT_BINARY_DIR} -DCOMMAND=$<TARGET_FILE:sinew_app>
                     -DOUT=${CMAKE_CURRENT_BINARY_DIR}/example_out
                     -P ${CMAKE_CURRENT_SOURCE_DIR}/examples/commands.cmake)
    set_tests_properties(example_commands PROPERTIES LABELS "examples;slow"
                         ENVIRONMENT "SINEW_SCENES=${PROJECT_SOURCE_DIR}/scenes")
endif()

# What pages show of the command.
if(Python3_FOUND AND SINEW_APP)
    if(NOT CMAKE_CROSSCOMPILING)
        add_test(NAME example_pages
                 COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/examples/page.py
                         ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/pages
                         $<TARGET_FILE:sinew_app> README.md docs/recording.md docs/scene-format.md
                         docs/contact.md docs/cloth.md docs/solids.md docs/fluids.md
                         docs/joints.md docs/pictures.md docs/robots.md docs/rods.md
                         docs/other-programs.md docs/paraview.md docs/houdini.md docs/unity.md
                         docs/unreal.md docs/godot.md)
        # Those whose commands take long.
        add_test(NAME example_long_pages
                 COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/examples/page.py
                         ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/long_pages
                         $<TARGET_FILE:sinew_app> docs/audit.md docs/strain.md)
        set_tests_properties(example_long_pages PROPERTIES LABELS "examples;slow;long")
        # What a reader types in the tutorials; those without commands of ours quote programs.
        add_test(NAME example_tutorials
                 COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/examples/page.py
                         ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/tutorials
                         $<TARGET_FILE:sinew_app> docs/tutorials/first-cloth.md
                         docs/tutorials/garment.md docs/tutorials/soft-robot.md
                         docs/tutorials/machine.md docs/tutorials/water.md
                         docs/tutorials/own-constraint.md)
        # The scene of every joint.
        add_test(NAME example_joints
                 COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/examples/page.py
                         ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/joint_pages
                         $<TARGET_FILE:sinew_app> ${joints})
        # The pictures of the methods, at their first frame.
        file(GLOB methods RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/docs/methods/[a-z]*.md)
        add_test(NAME example_pictures
                 COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/examples/page.py
                         ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/pictures
                         $<TARGET_FILE:sinew_app> ${methods})
        set_tests_properties(example_pages example_joints example_pictures example_tutorials
                             PROPERTIES LABELS "examples;slow"
                                        ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
        # What these pages name is there.
        add_test(NAME example_methods
                 COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/examples/methods.py
                         ${PROJECT_SOURCE_DIR} ${CMAKE_CTEST_COMMAND} ${PROJECT_BINARY_DIR})
        set_tests_properties(example_methods PROPERTIES LABELS "examples;slow")
    endif()
    add_test(NAME documents
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/io/documents.py
                     ${PROJECT_SOURCE_DIR} ${CMAKE_CROSSCOMPILING_EMULATOR}
                     $<TARGET_FILE:sinew_app>)
    # The pages are the same however it was built.
    set_tests_properties(documents PROPERTIES LABELS "examples;slow")
endif()
