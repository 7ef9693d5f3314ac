# Whether what PAGE tells a reader to do is there: commands of ./dev, presets, options of the build.
# ROOT is the top of the tree.
file(READ "${PAGE}" page)
execute_process(COMMAND ${ROOT}/dev help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
file(READ ${ROOT}/CMakePresets.json presets)
file(READ ${ROOT}/CMakeLists.txt build)

string(REGEX MATCHALL "\\./dev [a-z0-9]+( --[a-z]+)?" commands "${page}")
foreach(command IN LISTS commands)
    string(REGEX REPLACE "^\\./dev " "" name "${command}")
    # Options of other programs are their own business.
    string(REGEX REPLACE "^(sinew|run|bench|mutants) .*" "\\1" name "${name}")
    if(NOT help MATCHES "\n  ${name} ")
        message(FATAL_ERROR "${PAGE} names \"${command}\", which ./dev help does not list")
    endif()
endforeach()

string(REGEX MATCHALL "--preset [a-z0-9]+" named "${page}")
foreach(preset IN LISTS named)
    string(REPLACE "--preset " "" name "${preset}")
    if(NOT presets MATCHES "\"name\": \"${name}\"")
        message(FATAL_ERROR "${PAGE} names the preset ${name}, which there is not")
    endif()
endforeach()

# SINEW_WIDTH and SINEW_THREADS are also variables of the environment.
string(REGEX MATCHALL "`SINEW_[A-Z]+`" options "${page}")
foreach(option IN LISTS options)
    string(REPLACE "`" "" name "${option}")
    if(NOT build MATCHES "[ (]${name}[ )]" AND NOT name STREQUAL SINEW_WIDTH)
        message(FATAL_ERROR "${PAGE} names ${name}, which CMakeLists.txt does not have")
    endif()
endforeach()
