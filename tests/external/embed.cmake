# Sinew as a folder of another project, as docs/building.md has it. Nothing that a user of the
# library does not need may come along: no tests, no command, no C++. SOURCE is Sinew, SCRATCH a
# folder, CC the compiler, GENERATOR what builds. That it configures is enough; the rest is built by
# others.
cmake_minimum_required(VERSION 3.25)
# What Sinew was built with is there.
set(ENV{CMAKE_GENERATOR} ${GENERATOR})
file(REMOVE_RECURSE ${SCRATCH})
file(COPY ${SOURCE}/docs/examples/embedded/CMakeLists.txt ${SOURCE}/docs/examples/hanging_rope.c
     DESTINATION ${SCRATCH})
file(CREATE_LINK ${SOURCE} ${SCRATCH}/sinew SYMBOLIC)
# CMake leaves a description of every target where it is asked to.
set(answers ${SCRATCH}/build/.cmake/api/v1)
file(WRITE ${answers}/query/codemodel-v2 "")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SCRATCH} -B ${SCRATCH}/build
                        -DCMAKE_C_COMPILER=${CC}
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
file(GLOB targets RELATIVE ${answers}/reply ${answers}/reply/target-*.json)
foreach(name IN ITEMS rope sinew sinew_shared)
    if(NOT targets MATCHES "target-${name}-")
        message(FATAL_ERROR "there is no ${name}: ${targets}")
    endif()
endforeach()
foreach(name IN ITEMS sinew_app sinew_io sinew_picture sinew_scenes sinew_f64 golden)
    if(targets MATCHES "target-${name}-")
        message(FATAL_ERROR "${name} comes along: ${targets}")
    endif()
endforeach()
file(READ ${SCRATCH}/build/CMakeCache.txt cache)
foreach(entry IN ITEMS "CMAKE_CXX_COMPILER:" "PNG_LIBRARY" "CMAKE_BUILD_TYPE:STRING=Release")
    if(cache MATCHES "${entry}")
        message(FATAL_ERROR "${entry} is set in the project of the user")
    endif()
endforeach()
