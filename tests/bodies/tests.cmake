# Bodies from meshes and materials.
sinew_test(bodies_response DOUBLE SLOW LABELS bodies SOURCES bodies/response.c)
sinew_test(bodies_kinds DOUBLE LABELS bodies SOURCES bodies/kinds.c)
sinew_test(bodies_errors DOUBLE LABELS bodies SOURCES bodies/errors.c)
sinew_test(bodies_crease DOUBLE LABELS bodies SOURCES bodies/crease.c)
sinew_test(bodies_bending SLOW LABELS bodies SOURCES bodies/bending.c)
sinew_test(bodies_plane DOUBLE SLOW LABELS bodies SOURCES bodies/plane.c)
sinew_test(bodies_maps DOUBLE LABELS bodies SOURCES bodies/maps.c)
sinew_test(bodies_gas SLOW LABELS bodies SOURCES bodies/gas.c)
