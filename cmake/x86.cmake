# x86-64 from another machine: gcc-x86-64-linux-gnu, g++-x86-64-linux-gnu, qemu-user.
#
#     cmake --preset x86 && cmake --build build/x86 && ctest --preset x86
#
# QEMU_CPU chooses the processor: "max" has AVX2, "qemu64" SSE2 alone. Debian names the compiler, and
# its folder, x86_64-linux-gnu.
set(PROCESSOR x86_64)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
