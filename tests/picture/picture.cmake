# Pictures, plots and videos.
if(NOT TARGET sinew_picture)
    return()
endif()

sinew_test(io_picture SLOW LABELS io LIBRARIES sinew_picture
           SOURCES picture/picture.c picture/picture_parts.c)
sinew_test(io_picture_limits SLOW LABELS io LIBRARIES sinew_picture
           SOURCES picture/picture_limits.c picture/picture_parts.c)
sinew_test(io_plot LABELS io SOURCES picture/plot.c LIBRARIES sinew_picture)
# No other program can be started in WebAssembly.
if(WASI)
    return()
endif()
sinew_test(io_video LABELS io SOURCES picture/video.c LIBRARIES sinew_picture)

# The command, in a folder of its own. Looking for leaks takes seconds per program.
find_package(Python3 3.8 COMPONENTS Interpreter)
if(Python3_FOUND AND TARGET sinew_app)
    foreach(what IN ITEMS plot video)
        add_test(NAME command_${what}
                 COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/${what}.py
                         ${CMAKE_CURRENT_BINARY_DIR}/command_${what} $<TARGET_FILE:sinew_app>)
        set_tests_properties(command_${what} PROPERTIES LABELS io SKIP_RETURN_CODE 77
            ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0;SINEW_SCENES=${PROJECT_SOURCE_DIR}/scenes")
    endforeach()
    set_tests_properties(command_video PROPERTIES LABELS "io;slow")
endif()
