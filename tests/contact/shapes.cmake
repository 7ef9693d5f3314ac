# Shapes with a geometry: distances against all triangles one by one, and what nodes do with them.
foreach(concept IN ITEMS distance world moving crowd)
    sinew_test(shapes_${concept} DOUBLE LABELS contact SOURCES contact/shapes_${concept}.c)
    foreach(target IN ITEMS shapes_${concept} shapes_${concept}_f64)
        if(TARGET ${target})
            target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
        endif()
    endforeach()
endforeach()
