# Bodies from meshes and materials.
foreach(concept IN ITEMS kinds errors crease material_maps model_2007 moebius strain_limits plate
                         sections winch wire)
    sinew_test(bodies/${concept} DOUBLE)
endforeach()
foreach(concept IN ITEMS response membrane solid_material filled stiff lines)
    sinew_test(bodies/${concept} DOUBLE SLOW)
endforeach()
foreach(concept IN ITEMS bending gas)
    sinew_test(bodies/${concept} SLOW)
endforeach()
# Every sheet of V56.
sinew_test(bodies/plate NAME bodies_all_plates DEFINITIONS ALL_SHEETS LABELS long SLOW)
