# x86-64 from another machine, by the packages of Debian: gcc-x86-64-linux-gnu and
# g++-x86-64-linux-gnu to build, qemu-user to run.
#
#     cmake --preset x86 && cmake --build build/x86 && ctest --preset x86
#
# QEMU_CPU chooses the processor: "max" has AVX2, "qemu64" SSE2 alone.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER x86_64-linux-gnu-g++)

# Headers and libraries of this machine are of no use.
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

find_program(QEMU_X86 NAMES qemu-x86_64)
if(QEMU_X86 AND NOT CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL x86_64)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${QEMU_X86};-L;/usr/x86_64-linux-gnu)
endif()
