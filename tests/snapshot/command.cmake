# The command: `run --record --snapshot`, `replay` and `diff`, as docs/recording.md has them.
#
#     cmake -DSINEW=PROGRAM -DFOLDER=SCRATCH -P command.cmake
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

# sinew(code text argument...): runs the command, which must end with this exit code and say what
# matches the text; an empty text means nothing at all.
function(sinew code text)
    execute_process(COMMAND ${SINEW} ${ARGN} WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE result
                    OUTPUT_VARIABLE said ERROR_VARIABLE said)
    list(JOIN ARGN " " arguments)
    if(NOT result EQUAL code)
        message(FATAL_ERROR "sinew ${arguments}: exit code ${result}, expected ${code}: ${said}")
    endif()
    if((text STREQUAL "" AND NOT said STREQUAL "") OR NOT said MATCHES "${text}")
        message(FATAL_ERROR "sinew ${arguments}: said \"${said}\", expected \"${text}\"")
    endif()
endfunction()

sinew(0 "hash [0-9a-f]+" run --frames 3 --out out --record a.reco --snapshot a.snap --hash)
sinew(0 "hash" run --frames 3 --out out --record b.reco --snapshot b.snap --hash --threads 2)
sinew(0 "motion" run --frames 2 --out out --record c.reco --snapshot c.snap)
sinew(0 "motion" run --frames 2 --fps 60 --out out --record d.reco)

sinew(0 "3 of them steps.*the same" replay a.reco)
sinew(0 "the same" replay --threads 2 --simd 1 a.reco)
sinew(0 "{\"file\": \"a.reco\", \"calls\": [0-9]+, \"steps\": 3, \"truncated\": false, "
      replay a.reco --json)
sinew(0 "usage: sinew replay FILE.*--json.*exit codes: 0" replay --help)
sinew(2 "a file is missing, expected FILE" replay)
sinew(2 "\"b.reco\" is one too many" replay a.reco b.reco)
sinew(2 "no_such_file.*cannot be opened" replay no_such_file)
sinew(2 "expected .* for a recording" replay a.snap)
sinew(2 "--simd is 3" replay a.reco --simd 3)

sinew(0 "" diff a.reco b.reco)
sinew(0 "" diff a.snap b.snap)
sinew(1 "^world, time: .* against " diff a.snap c.snap)
sinew(1 "^the second ends after [0-9]+ calls, 2 of them steps; the first " diff a.reco c.reco)
sinew(1 "^at the beginning: world, substeps: 40 against 20" diff a.reco d.reco)
sinew(0 "usage: sinew diff A B.*exit codes: 0 equal, 1 different" diff --help)
sinew(2 "files are missing, expected A B" diff)
sinew(2 "one file is a snapshot and one a recording" diff a.snap a.reco)
sinew(2 "cannot be opened" diff a.snap no_such_file)
sinew(2 "neither a snapshot nor a recording" diff a.snap out/cloth.png)
sinew(2 "did you mean \"--json\"" replay a.reco --jason)

# Where there is no room: the run says so.
if(EXISTS /dev/full)
    sinew(1 "/dev/full" run --frames 1 --out out --record /dev/full)
endif()
