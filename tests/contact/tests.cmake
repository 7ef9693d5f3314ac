# The broad phase; `contact_broad_time` is run by hand and prints what it costs.
sinew_test(contact_broad DOUBLE SLOW LABELS contact SOURCES contact/broad.c contact/boxes.c)
foreach(target IN ITEMS contact_broad contact_broad_f64)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
                               ${CMAKE_CURRENT_SOURCE_DIR}/contact)
endforeach()
add_executable(contact_broad_time contact/broad_time.c contact/boxes.c)
target_include_directories(contact_broad_time PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(contact_broad_time PRIVATE sinew sinew_options)
if(NOT WIN32)
    target_link_libraries(contact_broad_time PRIVATE m)
endif()

# Contacts between skins; `contact_balls_time` is run by hand and prints what many balls cost.
add_executable(contact_balls_time contact/balls_time.c)
target_link_libraries(contact_balls_time PRIVATE sinew_scenes sinew_options)
sinew_test(contact_meet DOUBLE SLOW LABELS contact SOURCES contact/meet.c)
# Crossings of surfaces, and what keeps them from it.
sinew_test(contact_cross DOUBLE SLOW LABELS contact SOURCES contact/cross.c)
target_include_directories(contact_cross PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(contact_cross_f64 PRIVATE ${PROJECT_SOURCE_DIR}/src)
# What is fast, from substep to substep.
sinew_test(contact_fast SLOW LABELS contact SOURCES contact/fast.c)
target_include_directories(contact_fast PRIVATE ${PROJECT_SOURCE_DIR}/src)
foreach(concept IN ITEMS guard untangle)
    sinew_test(contact_${concept} SLOW LABELS contact
               SOURCES contact/${concept}.c contact/sheets.c)
    target_include_directories(contact_${concept} PRIVATE ${PROJECT_SOURCE_DIR}/src
                               ${CMAKE_CURRENT_SOURCE_DIR}/contact)
endforeach()

# What is said of skins that will not do what was asked of them.
sinew_test(contact_warnings DOUBLE LABELS contact SOURCES contact/warnings.c)

# What makes contacts with colliders quick, without changing a bit.
sinew_test(contact_straight DOUBLE LABELS contact SOURCES contact/straight.c)
foreach(target IN ITEMS contact_straight contact_straight_f64)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endforeach()

# The measured scene in which a cloth falls on itself.
sinew_test(contact_s6 SCENES SLOW LABELS contact SOURCES contact/s6.c)
target_include_directories(contact_s6 PRIVATE ${PROJECT_SOURCE_DIR}/src)

# Whether what is near in it was found.
sinew_test(contact_missed SCENES SLOW LABELS contact SOURCES contact/missed.c)
target_include_directories(contact_missed PRIVATE ${PROJECT_SOURCE_DIR}/src)

# Whether pairs that are solved at the same time share no nodes.
sinew_test(contact_slabs SCENES SLOW LABELS contact SOURCES contact/slabs.c)
target_include_directories(contact_slabs PRIVATE ${PROJECT_SOURCE_DIR}/src)

# Triangles that meet colliders between their nodes.
sinew_test(contact_faces DOUBLE LABELS contact
           SOURCES contact/faces.c contact/nets.c)
foreach(target IN ITEMS contact_faces contact_faces_f64)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endforeach()

# Bodies that sleep and wake.
foreach(concept IN ITEMS sleep wake sleep_skins)
    sinew_test(contact_${concept} DOUBLE SLOW LABELS contact
               SOURCES contact/${concept}.c contact/sleepers.c)
endforeach()
sinew_test(contact_sleep_bits DOUBLE SLOW LABELS contact
           SOURCES contact/sleep_bits.c contact/sleepers.c)
foreach(target IN ITEMS contact_wake contact_wake_f64)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endforeach()

# Scenes in which skins meet.
if(TARGET sinew_io)
    sinew_test(contact_scenes SLOW LABELS contact long SOURCES contact/scenes.c LIBRARIES sinew_io)
    target_include_directories(contact_scenes PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(contact_scenes PRIVATE SCENES="${PROJECT_SOURCE_DIR}/scenes")
endif()
