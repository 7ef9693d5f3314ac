# Solids.
sinew_test(solids_tets DOUBLE SLOW LABELS solids SOURCES solids/tets.c)
