# Meshes from files and into files.

# Every format in its forms, what is wrong with files, and the way out and back.
foreach(concept IN ITEMS text surfaces volumes glb broken write)
    sinew_test(io/read_${concept} SOURCES io/read_help.c io/gltf_make.c LIBRARIES sinew_io
               DEFINITIONS SAMPLES="${CMAKE_CURRENT_SOURCE_DIR}/io/meshes")
endforeach()

# Meshes that move.
sinew_test(io/moving_glb SOURCES io/gltf_make.c LIBRARIES sinew_io)
sinew_test(io/moving_points LIBRARIES sinew_io)

# Seconds for a million triangles, for people to look at.
sinew_test(io/read_time SLOW LABELS long SOURCES io/read_help.c LIBRARIES sinew_io
           DEFINITIONS SAMPLES="${CMAKE_CURRENT_SOURCE_DIR}/io/meshes")

# The command.
if(SINEW_APP AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME io_read_command
             COMMAND python3 -B ${CMAKE_CURRENT_SOURCE_DIR}/io/read_command.py
                     ${CMAKE_CURRENT_BINARY_DIR}/read_command ${CMAKE_CURRENT_SOURCE_DIR}/io/meshes
                     $<TARGET_FILE:sinew_app>)
    set_tests_properties(io_read_command PROPERTIES LABELS io
                         ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
endif()

# Programs of others read what is written and write what is read, where they are installed. Real
# meshes are compared as well, where `tests/io/fetch.py build/meshes` has fetched them.
if(SINEW_APP AND NOT CMAKE_CROSSCOMPILING)
    foreach(oracle IN ITEMS assimp meshio)
        add_test(NAME io_read_${oracle}
                 COMMAND /usr/bin/python3 -B ${CMAKE_CURRENT_SOURCE_DIR}/io/read_oracle.py
                         ${oracle} ${CMAKE_CURRENT_BINARY_DIR}/read_${oracle}
                         ${CMAKE_CURRENT_SOURCE_DIR}/io/meshes ${PROJECT_SOURCE_DIR}/build/meshes
                         $<TARGET_FILE:sinew_app>)
        set_tests_properties(io_read_${oracle} PROPERTIES LABELS "io;oracle" TIMEOUT 300
                             SKIP_RETURN_CODE 77 ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
    endforeach()
    add_test(NAME io_read_real
             COMMAND /usr/bin/python3 -B ${CMAKE_CURRENT_SOURCE_DIR}/io/read_real.py
                     ${CMAKE_CURRENT_BINARY_DIR}/read_real ${PROJECT_SOURCE_DIR}/build/meshes
                     $<TARGET_FILE:sinew_app>)
    set_tests_properties(io_read_real PROPERTIES LABELS "io;slow" TIMEOUT 600 SKIP_RETURN_CODE 77
                         ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
endif()

# The same meshes checked, mended, filled and simulated.
if(SINEW_APP AND Python3_FOUND AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME io_real
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/real.py
                     ${PROJECT_SOURCE_DIR}/build/meshes ${CMAKE_CURRENT_BINARY_DIR}/real
                     $<TARGET_FILE:sinew_app>)
    set_tests_properties(io_real PROPERTIES LABELS "io;slow" TIMEOUT 300 SKIP_RETURN_CODE 77
                         ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
endif()
