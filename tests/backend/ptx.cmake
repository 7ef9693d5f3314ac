# The kernels compile, and nothing in them rounds in another way than the loops of the threads: no
# fused operation, none that guesses or that flushes denormal numbers, and none without a rounding,
# which the driver would be free to fuse. Everything that they call is in them.
#
#     cmake -DCLANG=clang -DROOT=. -DNAMES=distance,integrate -DFOLDER=out
#           -P tests/backend/ptx.cmake
set(loops hard hard_kept compliant compliant_kept)
set(integrations update predict predict_special both both_special)
set(forbidden "fma\\." "mad\\.(rn\\.)?f" "\\.approx" "rsqrt" "\\.ftz" "\\.full\\." "\\.extern"
    "(add|sub|mul|div|sqrt|rcp)\\.f(32|64)")

# Says what is wrong with the text of a module.
function(check_ptx name text result)
    set(wrong)
    set(expected ${loops})
    if(name STREQUAL integrate)
        set(expected ${integrations})
    endif()
    foreach(kernel IN LISTS expected)
        if(NOT text MATCHES "\\.visible \\.entry ${name}_${kernel}\\(")
            list(APPEND wrong "has no kernel ${name}_${kernel}")
        endif()
    endforeach()
    foreach(word IN LISTS forbidden)
        if(text MATCHES "[^\n;]*${word}[^\n;]*")
            list(APPEND wrong "has ${CMAKE_MATCH_0}")
        endif()
    endforeach()
    set(${result} "${wrong}" PARENT_SCOPE)
endfunction()

set(failures 0)

# Every word that is forbidden is found, and a kernel that is missing.
set(kernels "")
foreach(loop IN LISTS loops)
    string(APPEND kernels ".visible .entry distance_${loop}(\n")
endforeach()
foreach(line IN ITEMS "fma.rn.f32 %f1, %f2, %f3" "mad.rn.f32 %f1, %f2" "sqrt.approx.f32 %f1, %f2"
                      "rsqrt.approx.f32 %f1" "add.rn.ftz.f32 %f1" "div.full.f32 %f1" "mul.f32 %f1"
                      ".extern .func sn_fail")
    check_ptx(distance "${kernels}${line}\n" wrong)
    if(NOT wrong)
        message("\"${line}\" is not found")
        math(EXPR failures "${failures} + 1")
    endif()
endforeach()
check_ptx(distance "${kernels}add.rn.f32 %f1\nmad.lo.s32 %r1\n" right)
check_ptx(bend_twist "${kernels}" wrong)
if(right OR NOT wrong)
    message("kernels that are there and kernels that are missing are not told apart")
    math(EXPR failures "${failures} + 1")
endif()

file(MAKE_DIRECTORY ${FOLDER})
string(REPLACE "," ";" names ${NAMES})
set(all "")
foreach(NAME IN LISTS names)
    set(OUT ${FOLDER}/${NAME}.ptx)
    include(${ROOT}/cmake/ptx.cmake)
    check_ptx(${NAME} "${text}" wrong)
    foreach(sentence IN LISTS wrong)
        message("${NAME}.ptx ${sentence}")
        math(EXPR failures "${failures} + 1")
    endforeach()
    string(APPEND all "${text}")
endforeach()
foreach(word IN ITEMS sqrt.rn.f32 div.rn.f32 rcp.rn.f32)
    string(FIND "${all}" ${word} found)
    if(found EQUAL -1)
        message("no kernel has ${word}, which is how roots and quotients are rounded right")
        math(EXPR failures "${failures} + 1")
    endif()
endforeach()
if(failures GREATER 0)
    message(FATAL_ERROR "${failures} failures")
endif()
