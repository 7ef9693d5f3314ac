# Sheets, and what air does to them.
foreach(concept IN ITEMS sheets force wind)
    sinew_test(air_${concept} DOUBLE LABELS air SOURCES air/${concept}.c bodies/make.c)
    target_include_directories(air_${concept} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/bodies)
    target_include_directories(air_${concept}_f64 PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/bodies)
endforeach()
