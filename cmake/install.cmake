# What cmake --install puts where: the libraries, the headers, the command, the licence, and what
# find_package(sinew) and pkg-config read. Nothing in it knows where it lies, so it can be moved.
include(CMakePackageConfigHelpers)
foreach(folder LIBDIR INCLUDEDIR)
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${folder}}")
        message(FATAL_ERROR "CMAKE_INSTALL_${folder} is \"${CMAKE_INSTALL_${folder}}\", expected a "
                            "path below the prefix, since an installed Sinew can be moved")
    endif()
endforeach()

install(TARGETS ${installed_libraries} EXPORT sinew)
install(DIRECTORY include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(SINEW_APP)
    install(TARGETS sinew_app)
    install(DIRECTORY include/sinew_io include/sinew_picture DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
            FILES_MATCHING PATTERN "*.h")
    install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew
            FILES_MATCHING PATTERN "*.json" PATTERN "*.glb" PATTERN "*.obj" PATTERN "*.urdf"
            PATTERN regressions EXCLUDE PATTERN tests EXCLUDE)
endif()

# ---- find_package(sinew) ----

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
install(EXPORT sinew NAMESPACE sinew:: FILE sinew-targets.cmake DESTINATION ${package})
# As for the name of the shared library: before 1.0 minor versions need not fit each other.
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatibility SameMinorVersion)
else()
    set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/sinew-config-version.cmake
                                 COMPATIBILITY ${compatibility})
configure_package_config_file(cmake/sinew-config.cmake.in
                              ${CMAKE_CURRENT_BINARY_DIR}/sinew-config.cmake
                              INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sinew-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/sinew-config-version.cmake DESTINATION ${package})

# ---- pkg-config ----

# From the folder of the file up to the prefix.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
cmake_path(SET pc_prefix NORMALIZE "${pc_prefix}")
set(pc_threads)
if(SINEW_THREADS)
    set(pc_threads " -pthread")
endif()
# install_pc(name description cflags [package that it is built on] [package of static ones alone])
function(install_pc name description cflags)
    set(requires ${ARGV3})
    set(requires_private ${ARGV4})
    configure_file(cmake/sinew.pc.in ${name}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
install_pc(sinew "${PROJECT_DESCRIPTION}" "")
if(SINEW_DOUBLE)
    install_pc(sinew_f64 "${PROJECT_DESCRIPTION}, in double precision" " -DSN_DOUBLE")
endif()
if(SINEW_APP)
    install_pc(sinew_io "Scenes, meshes, exports and caches of Sinew" "" sinew)
    set(png)
    if(SINEW_PNG)
        set(png libpng)
    endif()
    install_pc(sinew_picture "Pictures, plots and videos of Sinew" "" sinew_io "${png}")
endif()
