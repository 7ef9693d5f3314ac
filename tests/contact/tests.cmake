# The broad phase; `contact_broad_time` is run by hand and prints what it costs.
sinew_test(contact_broad DOUBLE LABELS contact
           SOURCES contact/broad.c contact/boxes.c failure/meter.c)
foreach(target IN ITEMS contact_broad contact_broad_f64)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
                               ${CMAKE_CURRENT_SOURCE_DIR}/contact)
endforeach()

# Crossings of surfaces, and what keeps them from it.
foreach(concept IN ITEMS cross)
    sinew_test(contact_${concept} DOUBLE LABELS contact SOURCES contact/${concept}.c)
    foreach(target IN ITEMS contact_${concept} contact_${concept}_f64)
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    endforeach()
endforeach()
