# Makes a module of kernels, as PTX from C; nothing of CUDA is needed.
#
#     cmake -DCLANG=clang -DROOT=. -DNAME=distance -DOUT=distance.ptx -P cmake/ptx.cmake
#
# NAME is a constraint type, or "integrate". Freestanding, and like everything else without fused
# operations; denormal numbers stay what they are. The threshold makes what a loop calls a part of
# its kernel.
set(source kernel_project.c)
if(NAME STREQUAL integrate)
    set(source kernel_integrate.c)
endif()
execute_process(
    COMMAND ${CLANG} --target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -std=c17 -ffreestanding -O3
            -ffp-contract=off -fno-math-errno -mllvm -inline-threshold=100000
            -Wall -Wextra -Wpedantic -Wconversion -Wno-unused-function -Wno-unused-const-variable
            -Werror -I${ROOT}/include -I${ROOT}/src -isystem ${ROOT}/src/backend/cuda/libc
            "-DSN_KERNEL_TEXT=\"constraints/${NAME}.c\""
            -MD -MF ${OUT}.d -MT ${OUT} -S ${ROOT}/src/backend/cuda/${source} -o ${OUT}
    COMMAND_ERROR_IS_FATAL ANY)

# C has no word for a kernel: functions named <name>_... become one here.
file(READ ${OUT} text)
string(REGEX REPLACE "\\.visible \\.func (${NAME}_[a-z_]+\\()" ".visible .entry \\1" text "${text}")
file(WRITE ${OUT} "${text}")
