# The broad phase; `broad_phase_time` is run by hand and prints what it costs.
sinew_test(collision/broad_phase/broad_phase DOUBLE SLOW INTERNAL
           SOURCES collision/broad_phase/boxes.c)
add_executable(broad_phase_time collision/broad_phase/time.c collision/broad_phase/boxes.c)
target_include_directories(broad_phase_time PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(broad_phase_time PRIVATE sinew sinew_options)
if(NOT WIN32)
    target_link_libraries(broad_phase_time PRIVATE m)
endif()
# Whether what is near in the measured scene S6 was found.
sinew_test(collision/broad_phase/candidate_pairs SCENES SLOW INTERNAL)
# Many colliders.
sinew_test(collision/broad_phase/collider_bvh DOUBLE INTERNAL)

# Crossings of edges and triangles, and times of impact.
sinew_test(collision/ccd/crossings DOUBLE SLOW INTERNAL)

# Shapes with a geometry: distances against all triangles one by one, and what nodes do with them.
foreach(concept IN ITEMS distance contact moving_meshes segment)
    sinew_test(collision/shapes/${concept} DOUBLE INTERNAL)
endforeach()

# Where triangles are deepest in shapes.
sinew_test(collision/narrow_phase/deepest_point DOUBLE INTERNAL)
# Nearest points of elements.
sinew_test(collision/narrow_phase/closest_weights DOUBLE INTERNAL)

# Queries: answers that are known, random worlds, memory, threads.
foreach(concept IN ITEMS query surfaces memory)
    sinew_test(collision/query/${concept} DOUBLE)
endforeach()
sinew_test(collision/query/random DOUBLE SLOW)
sinew_test(collision/query/ray INTERNAL)
sinew_test(collision/query/threads LIBRARIES $<TARGET_NAME_IF_EXISTS:Threads::Threads>)

# Mass and inertia of shapes, and rigid bodies made of them.
sinew_test(collision/mass DOUBLE)
