# Bodies from meshes and materials.
sinew_test(bodies_response DOUBLE SLOW LABELS bodies SOURCES bodies/response.c bodies/make.c)
sinew_test(bodies_kinds DOUBLE LABELS bodies SOURCES bodies/kinds.c bodies/make.c)
sinew_test(bodies_errors DOUBLE LABELS bodies
           SOURCES bodies/errors.c bodies/make.c failure/meter.c)
sinew_test(bodies_crease DOUBLE LABELS bodies SOURCES bodies/crease.c bodies/make.c)
sinew_test(bodies_bending SLOW LABELS bodies SOURCES bodies/bending.c bodies/make.c)
sinew_test(bodies_plane DOUBLE SLOW LABELS bodies SOURCES bodies/plane.c bodies/make.c)
sinew_test(bodies_maps DOUBLE LABELS bodies SOURCES bodies/maps.c bodies/make.c)
sinew_test(bodies_gas SLOW LABELS bodies SOURCES bodies/gas.c bodies/make.c)
