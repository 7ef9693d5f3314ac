# Installs the build in BUILD into a scratch prefix, moves that, and builds and runs the programs
# here against it: with find_package and with pkg-config, static and shared, in C and C++, in float
# and, where DOUBLE is true, in double; where APP is true, with the libraries beside the core too.
# VERSION is the version that is expected; CC, CXX, PKG_CONFIG and GENERATOR are the tools.
cmake_minimum_required(VERSION 3.25)
# For every project that is configured here: what Sinew was built with is there.
set(ENV{CMAKE_GENERATOR} ${GENERATOR})

function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output
                    ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        list(JOIN ARGV " " command)
        message(FATAL_ERROR "${command}\n${output}\nended with ${result}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# ---- Install, and move ----

set(first ${SCRATCH}/first)
set(prefix ${SCRATCH}/moved/to/here)
file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${first})
file(MAKE_DIRECTORY ${SCRATCH}/moved/to)
file(RENAME ${first} ${prefix})

foreach(file IN ITEMS include/sinew/sinew.h include/sinew/constraints/list.h
                      share/doc/sinew/LICENSE)
    if(NOT EXISTS ${prefix}/${file})
        message(FATAL_ERROR "${file} was not installed")
    endif()
endforeach()

# No text that is installed knows where it was built or first lay. A place begins where no longer
# path has it within: in a checkout at /sinew, <sinew/sinew.h> is not that.
file(GLOB_RECURSE texts ${prefix}/*.cmake ${prefix}/*.pc ${prefix}/*.h)
foreach(text IN LISTS texts)
    file(READ ${text} content)
    foreach(place IN ITEMS ${first} ${BUILD} ${SOURCE})
        string(REGEX REPLACE "([][+.*()^$?|])" "\\\\\\1" pattern "${place}")
        if(content MATCHES "(^|[^A-Za-z0-9_.}-])${pattern}([^A-Za-z0-9_.-]|$)")
            message(FATAL_ERROR "${text} names ${place}")
        endif()
    endforeach()
endforeach()

if(EXISTS ${prefix}/bin/sinew)
    run(${prefix}/bin/sinew --version)
    if(NOT output MATCHES "sinew ${VERSION}\n")
        message(FATAL_ERROR "the installed command says ${output}, expected ${VERSION}")
    endif()
endif()

# ---- find_package ----

set(components)
if(DOUBLE)
    set(components f64)
endif()
if(APP)
    list(APPEND components io picture)
endif()
set(project ${SCRATCH}/project)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${project} -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX} -DSINEW_VERSION=${VERSION}
    "-DSINEW_COMPONENTS=${components}")
run(${CMAKE_COMMAND} --build ${project})
run(${CMAKE_CTEST_COMMAND} --test-dir ${project} --output-on-failure --no-tests=error)
message("${output}")

# The examples of the documentation.
set(example ${SCRATCH}/example)
file(COPY ${SOURCE}/docs/examples/installed/CMakeLists.txt ${SOURCE}/docs/examples/hanging_rope.c
     DESTINATION ${example})
run(${CMAKE_COMMAND} -S ${example} -B ${example}/build -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_C_COMPILER=${CC})
run(${CMAKE_COMMAND} --build ${example}/build)
run(${example}/build/rope)
if(APP)
    run(${CMAKE_COMMAND} -S ${SOURCE}/docs/examples/io -B ${SCRATCH}/scenes
        -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${CC})
    run(${CMAKE_COMMAND} --build ${SCRATCH}/scenes)
    run(${CMAKE_COMMAND} -E chdir ${SCRATCH}/scenes ./run_scene ${SOURCE}/scenes/cloth.json)
    if(NOT EXISTS ${SCRATCH}/scenes/run_scene.png)
        message(FATAL_ERROR "run_scene wrote no picture")
    endif()
endif()

# A version that does not fit is refused.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${SCRATCH}/newer
                        -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${CC}
                        -DCMAKE_CXX_COMPILER=${CXX} -DSINEW_VERSION=999
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "not\n? *compatible|requested version \"999\"")
    message(FATAL_ERROR "find_package(sinew 999) should be refused, but:\n${output}")
endif()

# ---- pkg-config ----

if(NOT PKG_CONFIG)
    message("pkg-config is not there, so it is not tested")
    return()
endif()
file(GLOB_RECURSE files ${prefix}/*/sinew.pc)
get_filename_component(folder ${files} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${folder})
set(packages sinew)
if(DOUBLE)
    list(APPEND packages sinew_f64)
endif()
foreach(package IN LISTS packages)
    run(${PKG_CONFIG} --exact-version=${VERSION} ${package})
    run(${PKG_CONFIG} --variable=libdir ${package})
    string(STRIP "${output}" libdir)
    set(ENV{LD_LIBRARY_PATH} ${libdir})
    foreach(kind IN ITEMS shared static)
        set(static)
        if(kind STREQUAL static)
            set(static -static)
        endif()
        foreach(compiler IN ITEMS ${CC}:c ${CXX}:cpp)
            string(REGEX REPLACE "(.*):(.*)" "\\1;\\2" compiler ${compiler})
            list(POP_BACK compiler language)
            set(program ${SCRATCH}/${package}_${kind}_${language})
            string(REPLACE -static --static ask "${static}")
            run(${PKG_CONFIG} ${ask} --cflags --libs ${package})
            separate_arguments(flags UNIX_COMMAND "${output}")
            run(${compiler} ${static} ${CMAKE_CURRENT_LIST_DIR}/program.${language} -o ${program}
                ${flags})
            run(${program})
            message("pkg-config, ${package}, ${kind}, ${language}: ${output}")
        endforeach()
    endforeach()
endforeach()

# ---- The libraries beside the core, by pkg-config ----

if(APP)
    foreach(package IN ITEMS sinew_io sinew_picture)
        run(${PKG_CONFIG} --exact-version=${VERSION} ${package})
    endforeach()
    run(${PKG_CONFIG} --cflags --libs sinew_picture)
    separate_arguments(flags UNIX_COMMAND "${output}")
    run(${CC} ${CMAKE_CURRENT_LIST_DIR}/draw.c -o ${SCRATCH}/draw ${flags})
    run(${SCRATCH}/draw)
    message("pkg-config, sinew_picture: ${output}")
endif()
