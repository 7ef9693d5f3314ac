# Programs as users write them, in C and C++, with the static and the shared library.
foreach(kind IN ITEMS static shared)
    foreach(language IN ITEMS c cpp)
        set(target external_${kind}_${language})
        add_executable(${target} external/program.${language})
        target_link_libraries(${target} PRIVATE $<IF:$<STREQUAL:${kind},static>,sinew,sinew_shared>)
        target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic)
        if(SINEW_SANITIZE)
            target_link_options(${target} PRIVATE -fsanitize=${SINEW_SANITIZE})
        endif()
        set_target_properties(${target} PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
        add_test(NAME ${target} COMMAND ${target})
        set_tests_properties(${target} PROPERTIES LABELS external)
        # One of them looks for leaks, which takes seconds; the others do the same.
        if(NOT target STREQUAL external_static_c)
            set_tests_properties(${target} PROPERTIES ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
        endif()
    endforeach()
endforeach()

# The same from an installed Sinew that was moved. Sanitizers would have to be the users' too.
if(SINEW_INSTALL AND NOT SINEW_SANITIZE)
    find_program(PKG_CONFIG_EXECUTABLE pkg-config)
    add_test(NAME external_install
             COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}
                     -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR}/install -DVERSION=${PROJECT_VERSION}
                     -DCC=${CMAKE_C_COMPILER} -DCXX=${CMAKE_CXX_COMPILER} -DDOUBLE=${SINEW_DOUBLE}
                     -DAPP=${SINEW_APP}
                     -DGENERATOR=${CMAKE_GENERATOR}
                     -DPKG_CONFIG=$<$<BOOL:${PKG_CONFIG_EXECUTABLE}>:${PKG_CONFIG_EXECUTABLE}>
                     -P ${CMAKE_CURRENT_LIST_DIR}/install.cmake)
    add_test(NAME external_precision
             COMMAND ${CMAKE_COMMAND} -DCC=${CMAKE_C_COMPILER}
                     -DINCLUDE=${PROJECT_SOURCE_DIR}/include -DFLOAT=$<TARGET_FILE:sinew>
                     -DDOUBLE=$<TARGET_FILE:sinew_f64>
                     -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR}/precision
                     -P ${CMAKE_CURRENT_LIST_DIR}/precision.cmake)
    add_test(NAME external_embed
             COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DCC=${CMAKE_C_COMPILER}
                     -DGENERATOR=${CMAKE_GENERATOR}
                     -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR}/embed
                     -P ${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
    set_tests_properties(external_install external_precision external_embed PROPERTIES
                         LABELS external)
endif()
