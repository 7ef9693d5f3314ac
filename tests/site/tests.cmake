# The site: all links of all pages lead somewhere, no markup is in doubt, and what looks for that
# finds it. Without pictures, which take minutes.
if(Python3_FOUND AND SINEW_APP AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME site
             COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/site.py
                     ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER} ${CMAKE_CURRENT_BINARY_DIR}/site)
    # The pages are the same however it was built.
    set_tests_properties(site PROPERTIES LABELS "examples;slow")
endif()
