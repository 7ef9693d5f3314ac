# Sheets and solids that are cut, sheets that tear, and solids that fracture.
sinew_test(fracture/blades INTERNAL)
sinew_test(fracture/cut_state DOUBLE)
sinew_test(fracture/cut_response DOUBLE INTERNAL)
sinew_test(fracture/tear_places DOUBLE INTERNAL)
foreach(concept IN ITEMS cut_sheets cut_solids tearing tearing_invariants solids element_division)
    sinew_test(fracture/${concept} DOUBLE SLOW INTERNAL)
endforeach()
sinew_test(fracture/out_of_memory SLOW)
if(TARGET sinew_io)
    sinew_test(fracture/cut_smoothness LIBRARIES sinew_io
               DEFINITIONS SCENES="${PROJECT_SOURCE_DIR}/scenes")
endif()
