# Files: meshes, scenes, and what is written of motion.
if(NOT TARGET sinew_io)
    return()
endif()

foreach(part IN ITEMS export scene read)
    include(${CMAKE_CURRENT_LIST_DIR}/${part}.cmake)
endforeach()
