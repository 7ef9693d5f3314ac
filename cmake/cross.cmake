# Another processor than this machine's, by the packages of Debian: gcc and g++ of the target to build,
# qemu-user to run. A toolchain file sets PROCESSOR and includes this.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${PROCESSOR})
set(CMAKE_C_COMPILER ${PROCESSOR}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${PROCESSOR}-linux-gnu-g++)

# Headers and libraries of this machine are of no use.
set(CMAKE_FIND_ROOT_PATH /usr/${PROCESSOR}-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

find_program(QEMU_${PROCESSOR} NAMES qemu-${PROCESSOR})
if(QEMU_${PROCESSOR} AND NOT CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL PROCESSOR)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${QEMU_${PROCESSOR}};-L;/usr/${PROCESSOR}-linux-gnu)
endif()
