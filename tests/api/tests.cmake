# Wrong input.
foreach(concept IN ITEMS null ids values locked node_lists user_types environment)
    sinew_test(api/${concept})
endforeach()
# Every public function with every kind of bad argument, from the headers.
if(Python3_FOUND)
    file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/sinew/*.h)
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
    file(MAKE_DIRECTORY ${generated})
    add_custom_command(OUTPUT ${generated}/bad_arguments.h
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/api/bad_arguments.py
                ${PROJECT_SOURCE_DIR}/include/sinew ${generated}/bad_arguments.h
        DEPENDS api/bad_arguments.py ${headers})
    sinew_test(api/bad_arguments SOURCES ${generated}/bad_arguments.h)
    target_include_directories(api_bad_arguments PRIVATE ${generated})
endif()
# What is said of collision surfaces that will not do what was asked of them.
sinew_test(api/surface_warnings DOUBLE)
# And of constraints.
sinew_test(api/constraint_warnings DOUBLE)

# Memory: where it comes from, and what happens when there is none.
sinew_test(api/allocation SOURCES api/mixed_world.c)
sinew_test(api/out_of_memory DOUBLE SOURCES api/acts.c api/acts_contact.c)

# Attachments, seams, grabs, and constraints that are switched off and on.
foreach(concept IN ITEMS attachments seams grab constraint_enabling)
    sinew_test(api/${concept} DOUBLE)
endforeach()

# Recordings.
foreach(concept IN ITEMS recording recording_damage recording_compare)
    sinew_test(api/${concept} DOUBLE SCENES INTERNAL)
endforeach()
