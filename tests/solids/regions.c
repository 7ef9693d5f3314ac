/* Shape matching of regions: rest, rigid motion, momentum, stiffness, plasticity. */
#include "blocks.h"

#ifdef SN_DOUBLE
#define LOW(single, other) (other)
#else
#define LOW(single, other) (single)
#endif

static const block_shape cube = {{3, 3, 3}, 0.1, 0, 0, 10, 0, false, {0, 0, 0}};

TEST(what_is_at_rest_stays) {
    block b = block_make(&cube, NULL);
    sn_node_view n;
    block_match(&b, 0.1, 1);
    block_step(b.world, 60, 1.0 / 60);
    REQUIRE_OK(sn_world_nodes(b.world, &n));
    double moved = 0, fastest = 0;
    for (size_t i = 0; i < b.count; i++) {
        double way[3] = {(double)n.position[i].x - (double)b.rest[i].x,
                         (double)n.position[i].y - (double)b.rest[i].y,
                         (double)n.position[i].z - (double)b.rest[i].z};
        double v[3] = {(double)n.velocity[i].x, (double)n.velocity[i].y, (double)n.velocity[i].z};
        moved = fmax(moved, block_length(way));
        fastest = fmax(fastest, block_length(v));
    }
    check_case("moved %g m, %g m/s", moved, fastest);
    CHECK_NEAR(moved, 0, LOW(1e-8, 1e-12));
    CHECK_NEAR(fastest, 0, 1e-10);
    block_free(&b, true);
}

TEST(momentum_is_kept) {
    for (int kind = 0; kind < 4; kind++) {
        block b = block_make(&cube, NULL);
        if (kind == 1) b.def.mode = SN_MATCHING_LINEAR;
        if (kind == 2) b.def.compliance = (sn_real)1e-4;
        if (kind == 3) b.def.plastic_yield = (sn_real)0.05;
        block_shake(&b, 1, 7);
        block_match(&b, 0.1, 1);
        block_motion before = block_measure(b.world);
        block_step(b.world, 100, 1.0 / 60);
        block_motion after = block_measure(b.world);
        check_case("kind %d: p off by %g, l by %g of %g", kind,
                   block_off(before.p, after.p) / before.size, block_off(before.l, after.l),
                   block_length(before.l));
        CHECK(block_off(before.p, after.p) < LOW(1e-5, 1e-12) * before.size);
        block_free(&b, true);
    }
}

TESTS(RUN(what_is_at_rest_stays), RUN(momentum_is_kept))
