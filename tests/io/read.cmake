# Meshes from files and into files.
if(NOT TARGET sinew_io)
    return()
endif()

# Any bytes, as the fuzz targets of the core.
add_executable(fuzz_mesh fuzz/mesh.c $<$<NOT:$<BOOL:${SINEW_FUZZ}>>:fuzz/driver.c>)
target_link_libraries(fuzz_mesh PRIVATE sinew_io sinew_options m)
target_link_options(fuzz_mesh PRIVATE $<$<BOOL:${SINEW_FUZZ}>:-fsanitize=fuzzer>)
file(GLOB mesh_corpus CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/corpus/meshes/*)
add_test(NAME fuzz_mesh COMMAND fuzz_mesh --runs 20000 ${mesh_corpus})
set_tests_properties(fuzz_mesh PROPERTIES LABELS fuzz ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")

# Every format in its forms, what is wrong with files, and the way out and back.
foreach(concept IN ITEMS text surfaces volumes glb broken write)
    sinew_test(io_read_${concept} LABELS io SOURCES io/read_${concept}.c io/read_help.c
               LIBRARIES sinew_io)
    target_compile_definitions(io_read_${concept} PRIVATE
                               SAMPLES="${CMAKE_CURRENT_SOURCE_DIR}/io/meshes")
endforeach()
