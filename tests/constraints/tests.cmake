# Every type in the list of constraint types, by what the library says about it.
foreach(concept IN ITEMS gradients response viscosity degenerate fields
        angular_momentum)
    sinew_test(constraints/${concept} DOUBLE LABELS conformance)
endforeach()
sinew_test(constraints/bits DOUBLE SLOW LABELS conformance)

# Bounds of rows, once per SIMD width.
foreach(lanes IN ITEMS 1 4 8 16)
    foreach(concept IN ITEMS row_bounds linear_bounds)
        sinew_test(constraints/${concept} NAME constraints_${concept}_${lanes} DOUBLE INTERNAL
                   DEFINITIONS SN_LANES=${lanes})
    endforeach()
endforeach()
