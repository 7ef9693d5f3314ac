/* Where a sheet is held: anchors that lie together are one place, a long row of them several. */
#include "systems/sheet/sheet_anchors.h"

#include <math.h>

#include "check.h"

enum { CELLS = 16, ROW = CELLS + 1, NODES = ROW * ROW };

/* A square sheet that is held all around its rim has places there; every anchor belongs to the
   place that is nearest of all. */
TEST(anchors_belong_to_the_nearest_place) {
    static sn_point x[NODES];
    static uint32_t triangles[6 * CELLS * CELLS], anchor[NODES], group[NODES];
    size_t count = 0, anchors = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        uint32_t column = i % ROW, row = i / ROW;
        x[i] = (sn_point){column, row, 0};
        if (column % CELLS == 0 || row % CELLS == 0) anchor[anchors++] = i;
        if (column == CELLS || row == CELLS) continue;
        const uint32_t own[6] = {i, i + 1, i + ROW, i + 1, i + ROW + 1, i + ROW};
        for (int k = 0; k < 6; k++) triangles[count++] = own[k];
    }
    const sn_anchors sheet = {x, NODES, triangles, count / 3, anchor, anchors};
    size_t places = sn_anchors_group(&sheet, group);
    CHECK(places > 3);
    for (size_t i = 0; i < anchors; i++) {
        uint32_t own = group[anchor[i]] - NODES;
        check_case("anchor %u belongs to %u", anchor[i], own);
        if (!CHECK(own < NODES)) continue;
        double least = INFINITY, mine = hypot(x[own].x - x[anchor[i]].x, x[own].y - x[anchor[i]].y);
        for (size_t k = 0; k < anchors; k++) {
            uint32_t other = group[anchor[k]] - NODES;
            least = fmin(least, hypot(x[other].x - x[anchor[i]].x, x[other].y - x[anchor[i]].y));
        }
        CHECK_NEAR(mine, least, 1e-9);
    }
}

TESTS(RUN(anchors_belong_to_the_nearest_place))
