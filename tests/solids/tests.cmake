# Solids.
sinew_test(solids_bars DOUBLE SLOW LABELS solids SOURCES solids/bars.c bodies/make.c)
