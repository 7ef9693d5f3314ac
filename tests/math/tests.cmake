# Internal mathematics, what has lanes once per SIMD width.
sinew_test(math/turn INTERNAL)
sinew_test(math/principal)
foreach(lanes IN ITEMS 1 4 8 16)
    foreach(concept IN ITEMS trig rotation)
        sinew_test(math/${concept} NAME math_${concept}_${lanes} DOUBLE INTERNAL
                   DEFINITIONS SN_LANES=${lanes})
    endforeach()
endforeach()
