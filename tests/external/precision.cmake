# A program and a library of different precision must not link: the linker names the function.
# CC is the compiler, FLOAT and DOUBLE are the static libraries, SCRATCH is a folder.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})

# Links the program against a library; `expected` is what the linker must say, or empty.
function(link library define expected)
    execute_process(COMMAND ${CC} -I${INCLUDE} -DSN_STATIC ${define}
                            ${CMAKE_CURRENT_LIST_DIR}/program.c ${library} -lm -pthread
                            -o ${SCRATCH}/program
                    RESULT_VARIABLE result ERROR_VARIABLE output)
    if(expected STREQUAL "")
        if(NOT result EQUAL 0)
            message(FATAL_ERROR "${library} with \"${define}\" does not link:\n${output}")
        endif()
    elseif(result EQUAL 0)
        message(FATAL_ERROR "${library} with \"${define}\" links, and must not")
    elseif(NOT output MATCHES "undefined[^\n]*${expected}[^a-z_0-9]")
        message(FATAL_ERROR "the linker should name ${expected}, but says:\n${output}")
    endif()
endfunction()

link(${FLOAT} "" "")
link(${DOUBLE} -DSN_DOUBLE "")
link(${FLOAT} -DSN_DOUBLE sn_world_create_f64)
link(${DOUBLE} "" sn_world_create)
