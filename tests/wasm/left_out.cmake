# Tests that WebAssembly cannot run, by name or group, each with its reason. Everything else runs.
set(left_out_of_wasm
    "base_host_threads: it brings threads of its own, and there are none"
    "query_threads: it brings threads of its own, and there are none"
    "soak_marathon: it measures time, and a million steps take long enough elsewhere"
    "example_commands: it looks at a page, and runs programs without what runs them here"
    "external: an installed library, shared libraries and C++ are matters of the machine"
    "structure: it looks at the sources and at the shared library"
    "abi: it looks at the sources and at the shared library"
    "backend: it compiles kernels for GPUs, which has nothing to do with WebAssembly"
    "app_recording: it runs the command in a folder of its own; recordings have other tests")

# Sets `result` to whether the tests of that name are to be left out of this build.
function(sinew_is_left_out name result)
    set(found FALSE)
    if(WASI)
        list(FILTER left_out_of_wasm INCLUDE REGEX "^${name}: ")
        if(left_out_of_wasm)
            set(found TRUE)
        endif()
    endif()
    set(${result} ${found} PARENT_SCOPE)
endfunction()
