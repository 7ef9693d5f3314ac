# The broad phase; `contact_broad_time` is run by hand and prints what it costs.
sinew_test(contact_broad DOUBLE LABELS contact
           SOURCES contact/broad.c contact/boxes.c failure/meter.c)
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

# Contacts between skins.
sinew_test(contact_meet DOUBLE LABELS contact SOURCES contact/meet.c)
# Crossings of surfaces.
sinew_test(contact_cross DOUBLE LABELS contact SOURCES contact/cross.c)
foreach(target IN ITEMS contact_cross contact_cross_f64)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endforeach()

# Scenes in which skins meet.
if(TARGET sinew_io)
    sinew_test(contact_scenes SLOW LABELS contact SOURCES contact/scenes.c LIBRARIES sinew_io)
    target_include_directories(contact_scenes PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(contact_scenes PRIVATE SCENES="${PROJECT_SOURCE_DIR}/scenes")
endif()
