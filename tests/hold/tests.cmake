# Stiffness that holds: distances along surfaces, tethers, limits of strain.
foreach(concept IN ITEMS geodesic tethers tether_life limits)
    sinew_test(hold_${concept} DOUBLE LABELS hold SOURCES hold/${concept}.c)
    target_include_directories(hold_${concept} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/bodies)
    target_include_directories(hold_${concept}_f64 PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/bodies)
endforeach()
