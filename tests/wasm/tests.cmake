# What there is in WebAssembly alone: the module, used from JavaScript.
add_test(NAME wasm_module
         COMMAND ${WASI_NODE} --no-warnings --no-turbo-fast-api-calls
                 ${CMAKE_CURRENT_LIST_DIR}/module.mjs $<TARGET_FILE:sinew_module>
                 ${CMAKE_CURRENT_SOURCE_DIR}/abi/symbols.txt)
set_tests_properties(wasm_module PROPERTIES LABELS wasm)
