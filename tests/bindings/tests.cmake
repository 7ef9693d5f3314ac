# The description of the public interface, and the Python module. Without the headers of Python
# there is no module, and this says so when a build is configured.
if(TARGET sinew_python AND TARGET sinew_app)
    set(api ${PROJECT_BINARY_DIR}/api.json)
    set(package ${PROJECT_BINARY_DIR}/bindings/python)
    add_test(NAME bindings_description
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/description.py
                     ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER} ${api} $<TARGET_FILE:sinew_shared>
                     $<TARGET_FILE:sinew_io_shared> $<TARGET_FILE:sinew_picture_shared>)
    add_test(NAME python_module
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/python/module.py ${package}
                     ${api} ${PROJECT_SOURCE_DIR} $<TARGET_FILE:sinew_app>)
    add_test(NAME python_meshes
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/python/meshes.py ${package})
    add_test(NAME python_properties
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/python/properties.py
                     ${package})
    add_test(NAME python_pages
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/python/pages.py ${package}
                     ${PROJECT_SOURCE_DIR} docs/python.md README.md docs/tutorials/python.md)
    add_test(NAME python_wheel
             COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/python/wheel.py
                     ${PROJECT_SOURCE_DIR} ${package}/sinew
                     ${CMAKE_CURRENT_BINARY_DIR}/python_wheel)
    set_tests_properties(bindings_description python_meshes python_module python_pages
                         python_properties python_wheel PROPERTIES
                         LABELS python TIMEOUT 900 SKIP_RETURN_CODE 77)
elseif(NOT SINEW_SANITIZE AND NOT SINEW_BRIEF AND NOT CMAKE_CROSSCOMPILING)
    message(STATUS "No Python 3.11 with headers (python3-dev): its tests are left out")
endif()

# The add-on in Blender, where that is installed: every role is baked, and compared with what the
# command wrote.
if(Python3_FOUND AND SINEW_APP AND NOT CMAKE_CROSSCOMPILING)
    set(blender ${CMAKE_CURRENT_BINARY_DIR}/blender)
    add_test(NAME blender_pack
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/bindings/blender/pack.py
                     ${blender}/sinew_blender.zip $<TARGET_FILE:sinew_app>)
    set_tests_properties(blender_pack PROPERTIES LABELS "bindings;slow" FIXTURES_SETUP blender_pack)
    add_test(NAME blender_addon
             COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/blender_addon.py
                     ${blender}/sinew_blender.zip $<TARGET_FILE:sinew_app> ${blender}/scratch)
    set_tests_properties(blender_addon PROPERTIES LABELS "bindings;slow;long" TIMEOUT 300
                         FIXTURES_REQUIRED blender_pack SKIP_RETURN_CODE 77)
endif()
