# Solids.
sinew_test(solids_tets DOUBLE SLOW LABELS solids SOURCES solids/tets.c)
sinew_test(solids_strains DOUBLE SLOW LABELS solids SOURCES solids/strains.c)
sinew_test(solids_plastic DOUBLE LABELS solids SOURCES solids/plastic.c)
