# Every type in the list of constraint types, by what the library says about it.
foreach(concept IN ITEMS gradients response degenerate fields angular_momentum)
    sinew_test(constraints/${concept} DOUBLE LABELS conformance)
endforeach()
sinew_test(constraints/bits DOUBLE SLOW LABELS conformance)

# Bounds of rows, once per SIMD width.
foreach(lanes IN ITEMS 1 4 8 16)
    sinew_test(constraints/row_bounds NAME constraints_row_bounds_${lanes} DOUBLE INTERNAL
               DEFINITIONS SN_LANES=${lanes})
endforeach()
