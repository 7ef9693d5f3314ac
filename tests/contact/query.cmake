# Queries: answers that are known, random worlds, memory, threads.
sinew_test(query DOUBLE LABELS contact SOURCES contact/query.c)
sinew_test(query_skins DOUBLE LABELS contact SOURCES contact/query_skins.c)
sinew_test(query_random DOUBLE SLOW LABELS contact SOURCES contact/query_random.c)
sinew_test(query_ray LABELS contact SOURCES contact/query_ray.c)
target_include_directories(query_ray PRIVATE ${PROJECT_SOURCE_DIR}/src)
sinew_test(query_memory DOUBLE LABELS contact SOURCES contact/query_memory.c)
sinew_test(query_threads LABELS contact LIBRARIES $<TARGET_NAME_IF_EXISTS:Threads::Threads>
           SOURCES contact/query_threads.c)
