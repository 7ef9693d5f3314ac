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
    # It runs two scenes at a time.
    set_tests_properties(app_hashes PROPERTIES LABELS "app;slow" PROCESSORS 2)
endif()

# Numbers and command lines without sense; --count and --seed go on with others.
if(Python3_FOUND AND SINEW_APP AND NOT CMAKE_CROSSCOMPILING AND NOT WASI)
    add_test(NAME app_attack
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/app/attack.py
                     ${CMAKE_CURRENT_BINARY_DIR}/attack $<TARGET_FILE:sinew_app>)
    set_tests_properties(app_attack PROPERTIES LABELS "app;slow" TIMEOUT 1800 PROCESSORS 2
        ENVIRONMENT "${environment}")
endif()

# Recordings and snapshots.
sinew_is_left_out(app_recording left_out)
if(SINEW_APP AND NOT left_out)
    add_test(NAME app_recording
             COMMAND ${CMAKE_COMMAND} -DSINEW=$<TARGET_FILE:sinew_app>
                     -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/app_recording
                     -P ${CMAKE_CURRENT_SOURCE_DIR}/app/recording.cmake)
    # Looking for leaks takes seconds per program, here as above.
    set_tests_properties(app_recording PROPERTIES LABELS app ENVIRONMENT
        "ASAN_OPTIONS=detect_leaks=0;SINEW_SCENES=${PROJECT_SOURCE_DIR}/scenes")
endif()

# What happens in the scenes of solids and of cloth.
if(Python3_FOUND AND SINEW_APP AND NOT CMAKE_CROSSCOMPILING)
    foreach(what IN ITEMS solid_scenes cloth_scenes)
        add_test(NAME app_${what}
                 COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/app/${what}.py
                         ${CMAKE_CURRENT_BINARY_DIR} $<TARGET_FILE:sinew_app>)
        set_tests_properties(app_${what} PROPERTIES LABELS "app;slow;long" TIMEOUT 900 ENVIRONMENT
            "ASAN_OPTIONS=detect_leaks=0;SINEW_SCENES=${PROJECT_SOURCE_DIR}/scenes")
    endforeach()
    # Fabrics drape in their order.
    add_test(NAME app_drape
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/scenes/drape.py
                     $<TARGET_FILE:sinew_app> ${PROJECT_SOURCE_DIR}/scenes --check --edge 0.012
                     silk cotton denim leather)
    set_tests_properties(app_drape PROPERTIES LABELS "app;slow;long" TIMEOUT 900 ENVIRONMENT
        "ASAN_OPTIONS=detect_leaks=0")
endif()

# Plots and videos; no other program can be started in WebAssembly.
if(Python3_FOUND AND TARGET sinew_picture AND TARGET sinew_app AND NOT WASI)
    foreach(what IN ITEMS plot video)
        add_test(NAME app_${what}
                 COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/${what}.py
                         ${CMAKE_CURRENT_BINARY_DIR}/app_${what} $<TARGET_FILE:sinew_app>)
        set_tests_properties(app_${what} PROPERTIES LABELS app SKIP_RETURN_CODE 77
            ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0;SINEW_SCENES=${PROJECT_SOURCE_DIR}/scenes")
    endforeach()
    set_tests_properties(app_video PROPERTIES LABELS "app;slow")
endif()

# The server of the verb view; WebAssembly has no sockets.
if(TARGET sinew_server)
    sinew_test(web/protocol LIBRARIES sinew_server)
endif()
if(Python3_FOUND AND TARGET sinew_server)
    add_test(NAME web_server
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/web/server.py
                     ${CMAKE_CURRENT_BINARY_DIR}/web_server $<TARGET_FILE:sinew_app>)
    set_tests_properties(web_server PROPERTIES LABELS app TIMEOUT 300 ENVIRONMENT
        "ASAN_OPTIONS=detect_leaks=0;SINEW_SCENES=${PROJECT_SOURCE_DIR}/scenes")
endif()

# What steps cost, in instructions: they depend on the compiler, and not on who else is running.
if(Python3_FOUND AND SINEW_APP AND CMAKE_BUILD_TYPE STREQUAL Release AND NOT CMAKE_CROSSCOMPILING
   AND NOT SINEW_SANITIZE AND NOT WASI)
    string(REGEX MATCH "^[0-9]+" version ${CMAKE_C_COMPILER_VERSION})
    add_test(NAME app_instructions
             COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/bench/instructions.py --check
                     ${CMAKE_CURRENT_SOURCE_DIR}/app/instructions.txt
                     ${CMAKE_SYSTEM_PROCESSOR}-${CMAKE_C_COMPILER_ID}-${version}
                     $<TARGET_FILE:sinew_app> ${PROJECT_SOURCE_DIR}/scenes)
    set_tests_properties(app_instructions PROPERTIES LABELS "app;slow" SKIP_RETURN_CODE 77)
endif()
