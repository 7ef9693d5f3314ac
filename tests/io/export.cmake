# Animated export and caches.

# Where a program in WebAssembly also finds them.
file(GLOB caches CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/corpus
     ${CMAKE_CURRENT_SOURCE_DIR}/corpus/caches/*.snc)
foreach(cache IN LISTS caches)
    configure_file(corpus/${cache} ${cache} COPYONLY)
endforeach()
sinew_test(io/cache LABELS export SOURCES io/animation.c LIBRARIES sinew_io)
sinew_test(io/smooth LABELS export LIBRARIES sinew_io)
sinew_test(io/liquid LABELS export LIBRARIES sinew_io)
sinew_test(io/export LABELS export LIBRARIES sinew_io
           SOURCES io/export_expected.c io/files.c io/animation.c)
if(NOT WASI)
    sinew_test(io/export_failure LABELS export LIBRARIES sinew_io
               SOURCES io/files.c io/animation.c)
endif()
# Of what was torn.
sinew_test(io/export_torn LABELS export LIBRARIES sinew_io SOURCES io/files.c io/scene_make.c)

# Texture coordinates, colours and names.
sinew_test(io/export_looks LABELS export LIBRARIES sinew_io
           SOURCES io/files.c io/scene_make.c io/gltf_make.c)

# Colours of vertices and materials, from files into files.
sinew_test(io/colours LABELS export LIBRARIES sinew_io
           SOURCES io/files.c io/scene_make.c io/gltf_make.c)

# Groups of vertices.
sinew_test(io/groups LABELS export LIBRARIES sinew_io SOURCES io/files.c io/scene_make.c)

# Several materials of one mesh.
sinew_test(io/materials LABELS export LIBRARIES sinew_io
           SOURCES io/files.c io/scene_make.c io/gltf_make.c)

# Rigid bodies as transforms.
sinew_test(io/export_rigid LABELS export LIBRARIES sinew_io
           SOURCES io/export_expected.c io/files.c io/animation.c io/scene_make.c)

# Programs of others read what was written. Without them a test is skipped;
# tests/io/oracles/fetch.sh installs them.
if(NOT CMAKE_CROSSCOMPILING)
    set(SINEW_NODE_MODULES ${PROJECT_SOURCE_DIR}/build/node_modules CACHE PATH
        "Where npm has installed the programs that the tests of the export use")
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/export_files)
    add_test(NAME io_export_files COMMAND io_export --write ${folder})
    set_tests_properties(io_export_files PROPERTIES LABELS export FIXTURES_SETUP export_files
                         ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
    add_test(NAME io_rigid_files COMMAND io_export_rigid --write ${folder})
    set_tests_properties(io_rigid_files PROPERTIES LABELS export FIXTURES_SETUP export_files
                         ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
    set(looks ${CMAKE_CURRENT_BINARY_DIR}/looks_files)
    add_test(NAME io_looks_files COMMAND io_export_looks --write ${looks})
    set_tests_properties(io_looks_files PROPERTIES LABELS export FIXTURES_SETUP looks_files
                         ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
    add_test(NAME io_oracle_looks
             COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/io/oracles/run.sh looks.py ${looks} none)
    set_tests_properties(io_oracle_looks PROPERTIES LABELS "export;oracle;slow" TIMEOUT 300
                         FIXTURES_REQUIRED looks_files SKIP_RETURN_CODE 77)
    set(materials ${CMAKE_CURRENT_BINARY_DIR}/materials_files)
    add_test(NAME io_materials_files COMMAND io_materials --write ${materials})
    set_tests_properties(io_materials_files PROPERTIES LABELS export FIXTURES_SETUP materials_files
                         ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
    set_tests_properties(io_materials io_materials_files PROPERTIES RESOURCE_LOCK materials)
    add_test(NAME io_oracle_materials
             COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/io/oracles/run.sh materials.py ${materials} none)
    set_tests_properties(io_oracle_materials PROPERTIES LABELS "export;oracle;slow" TIMEOUT 300
                         FIXTURES_REQUIRED materials_files SKIP_RETURN_CODE 77)
    set(groups ${CMAKE_CURRENT_BINARY_DIR}/groups_files)
    add_test(NAME io_groups_files COMMAND io_groups --write ${groups})
    set_tests_properties(io_groups_files PROPERTIES LABELS export FIXTURES_SETUP groups_files
                         ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
    # Both make the file that the scene reads.
    set_tests_properties(io_groups io_groups_files PROPERTIES RESOURCE_LOCK groups)
    add_test(NAME io_oracle_groups
             COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/io/oracles/run.sh groups.py ${groups} none)
    set_tests_properties(io_oracle_groups PROPERTIES LABELS "export;oracle;slow;long" TIMEOUT 300
                         FIXTURES_REQUIRED groups_files SKIP_RETURN_CODE 77)
    set(colours ${CMAKE_CURRENT_BINARY_DIR}/colours_files)
    add_test(NAME io_colours_files COMMAND io_colours --write ${colours})
    set_tests_properties(io_colours_files PROPERTIES LABELS export FIXTURES_SETUP colours_files
                         ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
    # Both make the file that the scene reads.
    set_tests_properties(io_colours io_colours_files PROPERTIES RESOURCE_LOCK colours)
    add_test(NAME io_oracle_colours
             COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/io/oracles/run.sh colours.py ${colours} none)
    set_tests_properties(io_oracle_colours PROPERTIES LABELS "export;oracle;slow" TIMEOUT 300
                         FIXTURES_REQUIRED colours_files SKIP_RETURN_CODE 77)
    foreach(oracle IN ITEMS glb.mjs usd.mjs usda.mjs vtu.py assimp.py blender.py)
        get_filename_component(name ${oracle} NAME_WE)
        add_test(NAME io_oracle_${name}
                 COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/io/oracles/run.sh ${oracle} ${folder}
                         ${SINEW_NODE_MODULES})
        set_tests_properties(io_oracle_${name} PROPERTIES LABELS "export;oracle;slow" TIMEOUT 300
                             FIXTURES_REQUIRED export_files SKIP_RETURN_CODE 77)
    endforeach()
    set_tests_properties(io_oracle_usd io_oracle_usda PROPERTIES FIXTURES_REQUIRED
                         "export_files;looks_files;materials_files;groups_files")
    # A browser and Blender take longer than all the others.
    set_property(TEST io_oracle_usd io_oracle_blender APPEND PROPERTY LABELS long)
endif()
