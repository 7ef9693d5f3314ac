#!/bin/sh
# Compares GPU and threads, and measures, on a machine with a driver of NVIDIA and little else:
#
#     sh tests/backend/cuda_device.sh [FOLDER]
#
# FOLDER, build/device unless named, is what ./dev cuda makes: a program for x86-64 with the kernels
# in it, and the C library that it was built with, which is used where that of the machine is too
# old. The exit code is that of the program: 0 where all bits are equal, 77 without a device.
folder=${1:-build/device}

# Runs the program with the driver in $1, whose own libraries lie beside it.
run() {
    case $1 in
    */*) path=$(dirname "$1")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ;;
    *) path=$LD_LIBRARY_PATH ;;
    esac
    if "$folder/backend_cuda" --help >/dev/null 2>&1; then
        LD_LIBRARY_PATH=$path "$folder/backend_cuda" --driver "$@"
    else
        "$folder/lib/ld-linux-x86-64.so.2" --library-path "$folder/lib:$path" \
            "$folder/backend_cuda" --driver "$@"
    fi
}

# Where the system looks, then wherever one lies.
drivers() {
    echo libcuda.so.1
    find / \( -path /proc -o -path /sys \) -prune -o -name libcuda.so.1 -print 2>/dev/null
}

for driver in $(drivers); do
    run "$driver" --probe >/dev/null 2>&1
    [ $? -eq 77 ] || break
done
run "$driver" --bench
