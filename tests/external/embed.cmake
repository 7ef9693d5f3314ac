# Sinew as a folder of another project, as docs/building.md has it. Nothing that a user of the
# library does not need may come along: no tests, no command, no C++. SOURCE is Sinew, SCRATCH a
# folder, CC the compiler. That it configures is enough; the rest is built by others.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${SCRATCH})
file(COPY ${SOURCE}/docs/examples/embedded/CMakeLists.txt ${SOURCE}/docs/examples/hanging_rope.c
     DESTINATION ${SCRATCH})
file(CREATE_LINK ${SOURCE} ${SCRATCH}/sinew SYMBOLIC)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SCRATCH} -B ${SCRATCH}/build
                        -DCMAKE_C_COMPILER=${CC}
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${SCRATCH}/build --target help
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE targets)
if(NOT targets MATCHES "rope" OR NOT targets MATCHES "sinew_shared")
    message(FATAL_ERROR "there is no program or no library:\n${targets}")
endif()
foreach(name IN ITEMS sinew_app sinew_io sinew_picture sinew_scenes sinew_f64 golden)
    if(targets MATCHES "[ \n]${name}[ :\n]")
        message(FATAL_ERROR "${name} comes along:\n${targets}")
    endif()
endforeach()
file(READ ${SCRATCH}/build/CMakeCache.txt cache)
foreach(entry IN ITEMS "CMAKE_CXX_COMPILER:" "PNG_LIBRARY" "CMAKE_BUILD_TYPE:STRING=Release")
    if(cache MATCHES "${entry}")
        message(FATAL_ERROR "${entry} is set in the project of the user")
    endif()
endforeach()
