# Cases with known answers, one program per concept.
set(concepts integrator damping dashpots forces kinematic oscillator chain pendulum string momentum
             unilateral one_sided_impacts breaking time far pbd spin kinematic_frame rod_momentum
             top bdf2 contact impacts audit audit_bodies audit_sums joints joint_trees machines
             linkages drives textbook contact_bdf2 mechanics rolling capstan)
foreach(concept IN LISTS concepts)
    sinew_test(validation/${concept} DOUBLE SCENES)
endforeach()
foreach(concept IN ITEMS elastica torsion jacobi cloth bdf2_bound direct instabilities closed_form)
    sinew_test(validation/${concept} DOUBLE SCENES SLOW)
endforeach()

# Bending, areas and volumes; types of the user's.
foreach(concept IN ITEMS hinge area volume volume_weights user user_batches user_bounds clamp
                         exponential rod_modes ghost_points lace repose)
    sinew_test(validation/${concept} DOUBLE)
endforeach()
foreach(concept IN ITEMS bending user_bits grains)
    sinew_test(validation/${concept} DOUBLE SLOW)
endforeach()
sinew_test(validation/tones)
sinew_test(validation/silo DOUBLE SLOW LABELS long)
foreach(concept IN ITEMS grains repose)
    if(TEST validation_${concept}_f64)
        set_property(TEST validation_${concept}_f64 APPEND PROPERTY LABELS long)
    endif()
endforeach()

# Solids: finite elements, beams, volume from the surface alone, shape matching of one region.
foreach(concept IN ITEMS tet_models tet_strains tet_plasticity solid_beams
                         orthotropic quadratic)
    sinew_test(validation/${concept} DOUBLE SLOW)
endforeach()
sinew_test(validation/local_volume SLOW)
sinew_test(validation/shape_matching DOUBLE)
sinew_test(validation/finite_elements DOUBLE)
sinew_test(validation/triangle_plasticity DOUBLE)

# Rows of docs/validation.md, those that take no time.
if(Python3_FOUND AND NOT CMAKE_CROSSCOMPILING AND SINEW_DOUBLE)
    add_test(NAME validation_figures
             COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/figures.py
                     ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR} V01 V03 V06 V17)
    set_tests_properties(validation_figures PROPERTIES LABELS "validation;slow")
endif()
