# The command: `run --record --snapshot`, `replay` and `compare`, as docs/recording.md has them.
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

set(cloth cloth --set cells=12)
sinew(0 "hash [0-9a-f]+" run ${cloth} --frames 3 --out a --record a.reco --snapshot 3 --hash)
sinew(0 "hash" run ${cloth} --frames 3 --out b --record b.reco --snapshot 3 --hash --threads 2)
sinew(0 "motion" run ${cloth} --frames 2 --out c --record c.reco --snapshot 2)
sinew(0 "motion" run ${cloth} --frames 2 --set integrator=bdf2 --out out --record d.reco)

sinew(0 "3 of them steps.*the same" replay a.reco)
sinew(0 "the same" replay --threads 2 --simd 1 a.reco)
sinew(0 "{\"file\": \"a.reco\", \"calls\": [0-9]+, \"steps\": 3, \"truncated\": false, "
      replay a.reco --json)
sinew(0 "usage: sinew replay FILE.*--json.*exit codes: 0" replay --help)
sinew(2 "a file is missing, expected FILE" replay)
sinew(2 "\"b.reco\" is one too many" replay a.reco b.reco)
sinew(2 "no_such_file.*cannot be opened" replay no_such_file)
sinew(2 "expected RECO, a recording" replay a/cloth_0003.snap)
sinew(2 "--simd is 3" replay a.reco --simd 3)

sinew(0 "" compare a.reco b.reco)
sinew(0 "" compare a/cloth_0003.snap b/cloth_0003.snap)
sinew(0 "" compare a/cloth.snc b/cloth.snc)
sinew(1 "there are 4 against 3 frames" compare a/cloth.snc c/cloth.snc)
sinew(1 "^world, time: .* against " compare a/cloth_0003.snap c/cloth_0002.snap)
sinew(1 "^the second ends after [0-9]+ calls, 2 of them steps; the first " compare a.reco c.reco)
sinew(1 "^at the beginning: world, integrator: " compare a.reco d.reco)
sinew(0 "usage: sinew compare A B.*exit codes: 0 equal, 1 different" compare --help)
sinew(2 "files are missing, expected A B" compare)
sinew(2 "is a snapshot and .* is a recording" compare a/cloth_0003.snap a.reco)
sinew(2 "cannot be opened" compare a/cloth_0003.snap no_such_file)
sinew(2 "is no snapshot, recording or cache" compare a/cloth_0003.snap out/cloth.png)
sinew(2 "did you mean \"--json\"" replay a.reco --jason)

# Where there is no room: the run says so.
if(EXISTS /dev/full)
    sinew(1 "/dev/full" run ${cloth} --frames 1 --out out --record /dev/full)
endif()
