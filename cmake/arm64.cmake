# arm64 from another machine: gcc-aarch64-linux-gnu, g++-aarch64-linux-gnu, qemu-user.
#
#     cmake --preset arm64 && cmake --build build/arm64 && ctest --preset arm64
set(PROCESSOR aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
