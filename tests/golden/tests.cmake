# The same bits for every number of threads, SIMD width, compiler and level of optimisation. Every
# build has them: where others are brief, each scene is played once.
set(long_with_sanitizers SLOW)
if(SINEW_BRIEF)
    set(long_with_sanitizers)
endif()
sinew_test(golden/golden DOUBLE SCENES ${long_with_sanitizers}
           SOURCES golden/machines.c golden/media.c golden/probes.c golden/rods.c golden/sums.c
                   golden/surfaces.c)
# They have up to 16 threads of their own and would only wait for each other.
set_tests_properties(golden golden_f64 PROPERTIES PROCESSORS 2)
set_tests_properties(golden_f64 PROPERTIES LABELS "golden;slow;double")
