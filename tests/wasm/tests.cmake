# What there is in WebAssembly alone: the module, used from JavaScript, and the command.
set(node ${WASI_NODE} --no-warnings --no-turbo-fast-api-calls)
set(run ${CMAKE_CROSSCOMPILING_EMULATOR})
add_test(NAME wasm_module
         COMMAND ${node} ${CMAKE_CURRENT_LIST_DIR}/module.mjs $<TARGET_FILE:sinew_module>
                 ${CMAKE_CURRENT_SOURCE_DIR}/abi/symbols.txt)
set_tests_properties(wasm_module PROPERTIES LABELS wasm)
if(SINEW_APP)
    add_test(NAME wasm_command
             COMMAND ${node} ${CMAKE_CURRENT_LIST_DIR}/command.mjs
                     ${CMAKE_CURRENT_BINARY_DIR}/command ${run} $<TARGET_FILE:sinew_app>)
    set_tests_properties(wasm_command PROPERTIES LABELS wasm)
endif()
