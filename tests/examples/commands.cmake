# Whether the commands that PAGE quotes can be run: programs of the tests, and the command itself
# with few frames. TESTS is the folder of the programs, COMMAND the command, OUT one for its files.
file(READ "${PAGE}" page)
string(REPLACE "\n" " " page "${page}")

string(REGEX MATCHALL "`build/release/tests/[^`]+`" programs "${page}")
foreach(quoted IN LISTS programs)
    string(REGEX MATCH "tests/([a-z0-9_]+) --show ([a-z_]+)`" unused "${quoted}")
    execute_process(COMMAND ${TESTS}/${CMAKE_MATCH_1} ${CMAKE_MATCH_2}
                    RESULT_VARIABLE failed OUTPUT_VARIABLE said)
    if(failed OR NOT said MATCHES "[1-9][0-9]* passed")
        message(FATAL_ERROR "${PAGE} quotes ${quoted}, which fails:\n${said}")
    endif()
endforeach()

string(REGEX MATCHALL "`./dev sinew [^`]+`" commands "${page}")
foreach(quoted IN LISTS commands)
    string(REGEX REPLACE "`./dev sinew ([^`]+)`" "\\1" arguments "${quoted}")
    separate_arguments(arguments)
    if(quoted MATCHES "sinew bench")
        list(APPEND arguments --quick)
    elseif(quoted MATCHES "sinew run")
        list(APPEND arguments --frames 1 --out ${OUT})
    endif()
    execute_process(COMMAND ${COMMAND} ${arguments} RESULT_VARIABLE failed ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(failed)
        message(FATAL_ERROR "${PAGE} quotes ${quoted}, which fails:\n${said}")
    endif()
endforeach()

list(LENGTH programs program_count)
list(LENGTH commands command_count)
if(program_count EQUAL 0 AND command_count EQUAL 0)
    message(FATAL_ERROR "${PAGE} quotes no commands")
endif()
