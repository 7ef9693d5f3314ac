# WebAssembly with the interface of WASI, by clang and the packages of Debian: clang, lld, wasi-libc,
# libclang-rt-14-dev-wasm32 to build, nodejs to run. One thread, SIMD of 128 bits.
#
#     cmake --preset wasm && cmake --build build/wasm && ctest --preset wasm
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(WASI TRUE)

find_program(WASI_CLANG NAMES clang clang-14 REQUIRED)
set(CMAKE_C_COMPILER ${WASI_CLANG})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_EXECUTABLE_SUFFIX_C .wasm)
# What has SIMD has these two as well, and code is shorter with them.
# Functions that WASI itself has not: clock() of the tests, and the names of signals.
set(CMAKE_C_FLAGS_INIT
    "-msimd128 -msign-ext -mnontrapping-fptoint -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL")
# The stack is small by default, and lies where an overflow would change data unseen.
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-lwasi-emulated-process-clocks -lwasi-emulated-signal -Wl,-z,stack-size=1048576,--stack-first")

# For pages with threads: the same memory for several instances. The C library of Debian knows nothing
# of that, so only the first instance may call what allocates or keeps state there, and variables of a
# thread, of which there is errno, are those of all.
option(SINEW_WEB_THREADS "Make a module with shared memory" OFF)
if(SINEW_WEB_THREADS)
    string(APPEND CMAKE_C_FLAGS_INIT " -matomics -mbulk-memory -mmutable-globals -D_Thread_local=")
endif()

# What it has not: threads, libpng.
set(SINEW_THREADS OFF CACHE BOOL "Run worlds on several threads")
set(SINEW_PNG OFF CACHE BOOL "Compress pictures with libpng")

# Headers and libraries of this machine are of no use.
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH /usr/lib/wasm32-wasi)

# Programs run in node. Its fast calls keep using memory that has moved when it grew, and crash.
find_program(WASI_NODE NAMES node nodejs)
if(WASI_NODE)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${WASI_NODE};--no-warnings;--no-turbo-fast-api-calls)
    list(APPEND CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/../tests/wasm/run.mjs)
endif()
