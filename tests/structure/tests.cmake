# The shape of the tree. Compilers only parse here, so sanitizers and the like do not matter.
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
    add_test(NAME structure_mutants COMMAND ${Python3_EXECUTABLE}
             ${CMAKE_CURRENT_SOURCE_DIR}/mutants/mutants.py --self-test)
    set_tests_properties(structure structure_self_test structure_format structure_quick
                         structure_mutants PROPERTIES LABELS structure)
    set_tests_properties(structure_format PROPERTIES SKIP_RETURN_CODE 77)
endif()

# The binary interface.
sinew_is_left_out(abi left_out)
if(Python3_FOUND AND NOT left_out)
    set(abi ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/abi/abi.py --cc ${CMAKE_C_COMPILER})
    add_test(NAME abi COMMAND ${abi} --library $<TARGET_FILE:sinew_shared>)
    add_test(NAME abi_self_test COMMAND ${abi} --self-test)
    set_tests_properties(abi abi_self_test PROPERTIES LABELS structure)
endif()
