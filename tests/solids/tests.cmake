# Solids.
sinew_test(solids_tets DOUBLE SLOW LABELS solids SOURCES solids/tets.c)
# Sums over regions.
sinew_test(solids_sums LABELS solids SOURCES solids/sums.c)
if(TARGET solids_sums)
    target_include_directories(solids_sums PRIVATE ${PROJECT_SOURCE_DIR}/src)
endif()
# Volume from the surface alone.
sinew_test(solids_volume_weights SLOW LABELS solids SOURCES solids/volume_weights.c)
sinew_test(solids_bars DOUBLE SLOW LABELS solids SOURCES solids/bars.c bodies/make.c)
sinew_test(solids_match DOUBLE LABELS solids SOURCES solids/match.c)
