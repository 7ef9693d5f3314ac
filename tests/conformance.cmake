# Every type in the list of constraint types, by what the library says about it.
foreach(concept IN ITEMS formulas response robust fields spin)
    sinew_test(conformance_${concept} DOUBLE LABELS conformance SOURCES conformance/${concept}.c)
endforeach()
sinew_test(conformance_bits DOUBLE SLOW LABELS conformance SOURCES conformance/bits.c)

# Wrong input, missing memory, threads of the host.
foreach(concept IN ITEMS null ids values locked lists user_types)
    sinew_test(failure_${concept} LABELS failure SOURCES failure/${concept}.c)
endforeach()
sinew_test(failure_memory LABELS failure SOURCES failure/memory.c failure/scene.c)
sinew_test(failure_shortage DOUBLE LABELS failure
           SOURCES failure/shortage.c failure/acts.c failure/acts_contact.c)
sinew_test(failure_cuts SLOW LABELS failure SOURCES failure/cuts.c)
target_include_directories(failure_cuts PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/bodies)
sinew_test(failure_tasks LABELS failure LIBRARIES $<TARGET_NAME_IF_EXISTS:Threads::Threads>
           SOURCES failure/tasks.c failure/scene.c)
sinew_test(failure_environment LABELS failure SOURCES failure/environment.c)
sinew_test(failure_frames DOUBLE LABELS failure SOURCES failure/frames.c)
sinew_test(failure_freeze DOUBLE LABELS failure SOURCES failure/freeze.c)
sinew_test(failure_colours DOUBLE SLOW LABELS failure SOURCES failure/colours.c)

# Every public function with every kind of bad argument, from the headers.
find_package(Python3 3.8 COMPONENTS Interpreter)
if(Python3_FOUND)
    file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/sinew/*.h)
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
    file(MAKE_DIRECTORY ${generated})
    add_custom_command(OUTPUT ${generated}/bad_arguments.h
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/failure/bad_arguments.py
                ${PROJECT_SOURCE_DIR}/include/sinew ${generated}/bad_arguments.h
        DEPENDS failure/bad_arguments.py ${headers})
    sinew_test(failure_bad_arguments LABELS failure
               SOURCES failure/bad_arguments.c ${generated}/bad_arguments.h)
    target_include_directories(failure_bad_arguments PRIVATE ${generated})
endif()

# The shape of the tree. Compilers only parse here, so sanitizers and the like do not matter.
find_package(Python3 3.8 COMPONENTS Interpreter)
sinew_is_left_out(structure left_out)
if(Python3_FOUND AND NOT left_out)
    set(structure ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/structure/structure.py
        --root ${PROJECT_SOURCE_DIR} --cc ${CMAKE_C_COMPILER} --cxx ${CMAKE_CXX_COMPILER})
    set(beside)
    foreach(library IN ITEMS sinew_io sinew_picture)
        if(TARGET ${library}_shared)
            list(APPEND beside --beside ${library} $<TARGET_FILE:${library}_shared>
                 $<TARGET_FILE:${library}>)
        endif()
    endforeach()
    add_test(NAME structure
             COMMAND ${structure} --library $<TARGET_FILE:sinew_shared> ${beside}
                     --objects ${PROJECT_BINARY_DIR}/CMakeFiles)
    add_test(NAME structure_self_test COMMAND ${structure} --self-test)
    add_test(NAME structure_format COMMAND ${Python3_EXECUTABLE}
             ${CMAKE_CURRENT_SOURCE_DIR}/structure/format.py --check)
    add_test(NAME structure_quick COMMAND ${Python3_EXECUTABLE}
             ${CMAKE_CURRENT_SOURCE_DIR}/quick/choose.py --self-test)
    set_tests_properties(structure structure_self_test structure_format structure_quick PROPERTIES
                         LABELS structure)
    set_tests_properties(structure_format PROPERTIES SKIP_RETURN_CODE 77)
endif()

# The command, as a person uses it.
if(Python3_FOUND AND SINEW_APP)
    set(command ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/app/command.py)
    set(program ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:sinew_app>)
    add_test(NAME app_command
             COMMAND ${command} ${CMAKE_CURRENT_BINARY_DIR}/command ${program})
    add_test(NAME app_hashes
             COMMAND ${command} --hashes ${CMAKE_CURRENT_BINARY_DIR}/hashes ${program})
    # Looking for leaks takes seconds per program; the examples do it.
    set(environment ASAN_OPTIONS=detect_leaks=0 SINEW_SCENES=${PROJECT_SOURCE_DIR}/scenes)
    if(SINEW_BRIEF)
        list(APPEND environment SINEW_TEST_BRIEF=1)
    endif()
    set_tests_properties(app_command app_hashes PROPERTIES TIMEOUT 900 ENVIRONMENT
        "${environment}")
    set_tests_properties(app_command PROPERTIES LABELS app)
    set_tests_properties(app_hashes PROPERTIES LABELS "app;slow")
    if(NOT CMAKE_CROSSCOMPILING)
        add_test(NAME example_pages
                 COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/examples/page.py
                         ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/pages
                         $<TARGET_FILE:sinew_app> README.md docs/recording.md docs/scene-format.md
                         docs/contact.md docs/cloth.md docs/solids.md)
        # The pictures of the methods, at their first frame.
        file(GLOB methods RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/docs/methods/[a-z]*.md)
        add_test(NAME example_pictures
                 COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/examples/page.py
                         ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/pictures
                         $<TARGET_FILE:sinew_app> ${methods})
        set_tests_properties(example_pages example_pictures PROPERTIES LABELS "examples;slow"
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

# The binary interface.
sinew_is_left_out(abi left_out)
if(Python3_FOUND AND NOT left_out)
    set(abi ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/abi/abi.py --cc ${CMAKE_C_COMPILER})
    add_test(NAME abi COMMAND ${abi} --library $<TARGET_FILE:sinew_shared>)
    add_test(NAME abi_self_test COMMAND ${abi} --self-test)
    set_tests_properties(abi abi_self_test PROPERTIES LABELS structure)
endif()
