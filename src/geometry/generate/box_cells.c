#include "geometry/generate/box_cells.h"

const char *const sn_cells_names[6] = {"left", "right", "bottom", "top", "back", "front"};

uint32_t sn_cells_mark(const uint32_t n[3], const uint32_t at[3]) {
    uint32_t mark = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] == 0) mark |= 1u << 2 * axis;
        if (at[axis] == n[axis]) mark |= 2u << 2 * axis;
    }
    return mark;
}

sn_point sn_cells_place(sn_vec3 extent, const uint32_t n[3], const uint32_t at[3]) {
    return (sn_point){(double)extent.x * ((double)at[0] / n[0] - 0.5),
                      (double)extent.y * ((double)at[1] / n[1] - 0.5),
                      (double)extent.z * ((double)at[2] / n[2] - 0.5)};
}

sn_result sn_cells_expect(const char *what, sn_vec3 extent, const uint32_t n[3]) {
    SN_TRY(sn_maker_expect_length(what, "extent.x", extent.x));
    SN_TRY(sn_maker_expect_length(what, "extent.y", extent.y));
    SN_TRY(sn_maker_expect_length(what, "extent.z", extent.z));
    SN_TRY(sn_maker_expect_parts(what, "cells[0]", n[0], 1));
    SN_TRY(sn_maker_expect_parts(what, "cells[1]", n[1], 1));
    return sn_maker_expect_parts(what, "cells[2]", n[2], 1);
}
