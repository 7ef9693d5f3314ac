# Backends beside the threads.
include(${PROJECT_SOURCE_DIR}/src/backend/cuda/modules.cmake)

# That kernels compile, and with which instructions; wherever there is a clang for them.
find_program(SINEW_PTX_CLANG NAMES clang DOC "the clang that compiles kernels")
if(SINEW_PTX_CLANG)
    execute_process(COMMAND ${SINEW_PTX_CLANG} --print-targets OUTPUT_VARIABLE clang_targets)
endif()
sinew_is_left_out(backend left_out)
if(clang_targets MATCHES "nvptx64" AND NOT left_out)
    list(JOIN SINEW_CUDA_MODULES "," names)
    add_test(NAME backend_ptx
             COMMAND ${CMAKE_COMMAND} -DCLANG=${SINEW_PTX_CLANG} -DROOT=${PROJECT_SOURCE_DIR}
                     -DNAMES=${names} -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/backend_ptx
                     -P ${CMAKE_CURRENT_SOURCE_DIR}/backend/ptx.cmake)
    set_tests_properties(backend_ptx PROPERTIES LABELS "backend;structure")
endif()

if(TARGET sinew_cuda)
    add_executable(backend_cuda backend/cuda.c backend/cuda_bench.c backend/cuda_scenes.c
                   golden/rods.c)
    target_include_directories(backend_cuda PRIVATE . backend golden)
    target_link_libraries(backend_cuda PRIVATE sinew_cuda sinew_check sinew_scenes sinew_options m)
    add_test(NAME backend_cuda COMMAND backend_cuda)
    set_tests_properties(backend_cuda PROPERTIES LABELS backend SKIP_RETURN_CODE 77)

    # A driver that runs the kernels on this machine.
    add_library(emulated_cuda MODULE backend/emulated_driver.c)
    target_include_directories(emulated_cuda PRIVATE backend ${PROJECT_SOURCE_DIR}/src
                               ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(emulated_cuda PRIVATE sinew_options)
    set_target_properties(emulated_cuda PROPERTIES C_VISIBILITY_PRESET default)
    foreach(name IN LISTS SINEW_CUDA_MODULES)
        set(kernels ${PROJECT_SOURCE_DIR}/src/backend/cuda/kernel_project.c)
        if(name STREQUAL integrate)
            set(kernels ${PROJECT_SOURCE_DIR}/src/backend/cuda/kernel_integrate.c)
        endif()
        add_library(emulated_${name} OBJECT ${kernels})
        target_include_directories(emulated_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src
                                   ${PROJECT_SOURCE_DIR}/include)
        target_compile_definitions(emulated_${name} PRIVATE
                                   SN_KERNEL_TEXT="constraints/${name}.c")
        target_compile_options(emulated_${name} PRIVATE -Wno-unused-function
            -include ${CMAKE_CURRENT_SOURCE_DIR}/backend/registers.h)
        target_link_libraries(emulated_${name} PRIVATE sinew_options)
        target_link_libraries(emulated_cuda PRIVATE emulated_${name})
    endforeach()
    list(TRANSFORM SINEW_CUDA_TYPES REPLACE "(.+)" "T(\\1)" OUTPUT_VARIABLE types)
    list(JOIN types " " types)
    target_compile_definitions(emulated_cuda PRIVATE "EMULATED_TYPES=${types}")
    add_test(NAME backend_emulated COMMAND backend_cuda --driver $<TARGET_FILE:emulated_cuda>)
    add_test(NAME backend_no_memory
             COMMAND backend_cuda --driver $<TARGET_FILE:emulated_cuda> --none)
    add_dependencies(backend_cuda emulated_cuda)
    set_tests_properties(backend_emulated backend_no_memory PROPERTIES LABELS backend)
    set_tests_properties(backend_no_memory PROPERTIES ENVIRONMENT EMULATED_BYTES=65536)
endif()
