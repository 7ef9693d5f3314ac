/*
 * Seams: two panels become a tube, with the speed that was asked for, and stay one.
 */
#include "attachment_worlds.h"

#include <math.h>
#include <stdio.h>

#include "check.h"

enum { CELLS = 8, SIDE = CELLS + 1, NODES = SIDE * SIDE };
static const sn_real frame = (sn_real)(1.0 / 60);

static sn_constraint seam(sn_world *world, sn_node a, sn_node b, double speed) {
    sn_seam_def def = sn_seam_def_default();
    sn_constraint made;
    def.node[0] = a;
    def.node[1] = b;
    def.closing_speed = (sn_real)speed;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SEAM, &def, &made));
    return made;
}

/* The gap shrinks by the same length every second, whatever the substeps, with any integrator. */
TEST(a_gap_closes_with_its_speed) {
    for (int variant = 0; variant < 4; variant++) {
        sn_world *world = attachment_world(1, variant % 2 ? 5 : 20, 0);
        sn_settings settings = sn_settings_default();
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.integrator = variant < 2 ? SN_INTEGRATOR_BDF1 : SN_INTEGRATOR_BDF2;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        sn_node a = attachment_node(world, 0, 0, 0, 1), b = attachment_node(world, 1, 0, 0, 0.5);
        check_case("variant %d", variant);
        seam(world, a, b, 0.5);
        for (int i = 0; i < 60; i++) REQUIRE_OK(sn_world_step(world, frame));
        CHECK_NEAR(attachment_distance(attachment_at(world, a), attachment_at(world, b)), 0.5,
                   variant < 2 ? 1e-4 : 1e-2);
        for (int i = 0; i < 90; i++) REQUIRE_OK(sn_world_step(world, frame));
        CHECK(attachment_distance(attachment_at(world, a), attachment_at(world, b)) < 1e-6);
        /* The heavier one has moved less. */
        CHECK_NEAR(attachment_at(world, a).x, 2.0 / 3, 1e-3);
        sn_world_destroy(world);
    }
}

/* Other lengths of steps, one after the other: the speed stays. */
TEST(the_speed_does_not_depend_on_the_step) {
    sn_world *world = attachment_world(1, 10, 0);
    sn_node a = attachment_node(world, 0, 0, 0, 1), b = attachment_node(world, 1, 0, 0, 1);
    double time = 0;
    seam(world, a, b, 0.5);
    for (int i = 0; i < 40; i++) {
        double dt = 0.005 * (1 + i % 4);
        REQUIRE_OK(sn_world_step(world, (sn_real)dt));
        time += dt;
        CHECK_NEAR(attachment_distance(attachment_at(world, a), attachment_at(world, b)),
                   1 - 0.5 * time, 1e-4);
    }
    sn_world_destroy(world);
}

/* Two panels that lie over each other, sewn along both sides. */
typedef struct tube {
    sn_world *world;
    sn_node front[NODES], back[NODES];
    sn_constraint seams[2 * SIDE];
    size_t count;
    sn_build panel[2];
} tube;

static void make_tube(tube *t, int threads, double speed, double break_force) {
    sn_node a[SIDE], b[SIDE];
    t->world = attachment_world(threads, 20, 0);
    t->panel[0] = attachment_cloth(t->world, CELLS, (sn_vec3){0, (sn_real)0.1, 0}, false, t->front);
    t->panel[1] = attachment_cloth(t->world, CELLS, (sn_vec3){0, (sn_real)-0.1, 0}, false, t->back);
    t->count = 0;
    for (int side = 0; side < 2; side++) {
        sn_sew_def def = sn_sew_def_default();
        size_t made = 0;
        for (int i = 0; i < SIDE; i++) {
            a[i] = t->front[i * SIDE + side * CELLS];
            b[i] = t->back[i * SIDE + side * CELLS];
        }
        def.a = a;
        def.b = b;
        def.a_count = def.b_count = SIDE;
        def.match = side ? SN_SEW_NEAREST : SN_SEW_IN_ORDER;
        def.closing_speed = (sn_real)speed;
        def.break_force = (sn_real)break_force;
        REQUIRE_OK(sn_sew(t->world, &def, t->seams + t->count, SIDE, &made));
        CHECK(made == SIDE);
        t->count += made;
    }
}

static double widest(const tube *t) {
    double gap = 0;
    for (size_t i = 0; i < t->count; i++) {
        sn_node ends[2];
        size_t count;
        REQUIRE_OK(sn_constraint_get_nodes(t->world, t->seams[i], ends, 2, &count));
        gap = fmax(gap, attachment_distance(attachment_at(t->world, ends[0]),
                                            attachment_at(t->world, ends[1])));
    }
    return gap;
}

TEST(two_panels_become_a_tube_and_stay_one) {
    tube t;
    make_tube(&t, 1, 0.2, (double)SN_AUTO);
    for (int i = 0; i < 30; i++) REQUIRE_OK(sn_world_step(t.world, frame));
    double halfway = widest(&t);
    for (int i = 0; i < 60; i++) REQUIRE_OK(sn_world_step(t.world, frame));
    double closed = widest(&t);
    /* Pulled apart, as hard as 100 times the weight of a panel. */
    for (int i = 0; i < 120; i++) {
        for (int k = 0; k < NODES; k++) {
            REQUIRE_OK(sn_node_add_force(t.world, t.front[k], (sn_vec3){0, (sn_real)0.2, 0}));
            REQUIRE_OK(sn_node_add_force(t.world, t.back[k], (sn_vec3){0, (sn_real)-0.2, 0}));
        }
        REQUIRE_OK(sn_world_step(t.world, frame));
    }
    printf("      gap %.3g m, then %.3g m, pulled %.3g m\n", halfway, closed, widest(&t));
    CHECK_NEAR(halfway, 0.1, 0.01);
    CHECK(closed < 1e-3);
    CHECK(widest(&t) < 1e-3);
    attachment_check_snapshot(t.world, 10);
    sn_world_destroy(t.world);
}

/* Panels that meet each other, five centimetres thick: contacts keep them apart, and the seams
   closed. */
TEST(contacts_leave_seams_alone) {
    tube t;
    sn_measure measure;
    make_tube(&t, 1, 0.2, (double)SN_AUTO);
    for (int i = 0; i < 2; i++) {
        sn_collision_surface_def def = sn_collision_surface_def_default();
        REQUIRE_OK(sn_collision_surface_get(t.world, t.panel[i].surface, &def));
        def.mask = UINT32_MAX;
        REQUIRE_OK(sn_collision_surface_set(t.world, t.panel[i].surface, &def));
    }
    for (int k = 0; k < NODES; k++) {
        REQUIRE_OK(sn_node_set_radius(t.world, t.front[k], (sn_real)0.025));
        REQUIRE_OK(sn_node_set_radius(t.world, t.back[k], (sn_real)0.025));
    }
    for (int i = 0; i < 120; i++) {
        for (int k = 0; k < NODES; k++) {
            REQUIRE_OK(sn_node_add_force(t.world, t.front[k], (sn_vec3){0, (sn_real)-0.01, 0}));
            REQUIRE_OK(sn_node_add_force(t.world, t.back[k], (sn_vec3){0, (sn_real)0.01, 0}));
        }
        REQUIRE_OK(sn_world_step(t.world, frame));
    }
    REQUIRE_OK(sn_world_measure(t.world, &measure));
    sn_vec3 a = attachment_at(t.world, t.front[NODES / 2]),
            b = attachment_at(t.world, t.back[NODES / 2]);
    printf("      seams %.2g m, panels %.3g m apart\n", widest(&t), (double)(a.y - b.y));
    CHECK(widest(&t) < 1e-3);
    CHECK((double)(a.y - b.y) > 0.045);
    CHECK(measure.kinetic_energy < 1e-3);
    sn_world_destroy(t.world);
}

TEST(threads_and_snapshots_on_the_way_do_not_matter) {
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        tube t;
        make_tube(&t, k ? 4 : 1, 0.2, (double)SN_AUTO);
        for (int i = 0; i < 20; i++) REQUIRE_OK(sn_world_step(t.world, frame));
        hash[k] = sn_world_hash(t.world);
        if (k == 0) attachment_check_snapshot(t.world, 10);
        sn_world_destroy(t.world);
    }
    CHECK(hash[0] == hash[1]);
}

/* Held at its ends and pulled by forces that grow, a seam tears to a hundredth of its force. */
TEST(a_seam_breaks_at_its_force) {
    sn_world *world = attachment_world(1, 20, 0);
    sn_seam_def def = sn_seam_def_default();
    sn_constraint made;
    def.node[0] = attachment_node(world, 0, 0, 0, 2);
    def.node[1] = attachment_node(world, 0, 0, 0, 2);
    def.break_force = 10;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SEAM, &def, &made));
    double load = 8;
    while (sn_constraint_is_valid(world, made) && load < 20) {
        load *= 1.001;
        REQUIRE_OK(sn_node_add_force(world, def.node[0], (sn_vec3){(sn_real)load, 0, 0}));
        REQUIRE_OK(sn_node_add_force(world, def.node[1], (sn_vec3){(sn_real)-load, 0, 0}));
        REQUIRE_OK(sn_world_step(world, frame));
    }
    CHECK_REL(load, 10, 0.01);
    sn_world_destroy(world);
}

TEST(lists_of_other_lengths_are_matched) {
    sn_world *world = attachment_world(1, 10, 0);
    sn_node a[3], b[5];
    for (int i = 0; i < 3; i++) a[i] = attachment_node(world, i, 0, 0, 1);
    for (int i = 0; i < 5; i++) b[i] = attachment_node(world, 0.5 * i, 1, 0, 1);
    sn_sew_def def = sn_sew_def_default();
    sn_constraint seams[8];
    size_t count = 0;
    def.a = a;
    def.b = b;
    def.a_count = 3;
    def.b_count = 5;
    REQUIRE_OK(sn_sew(world, &def, seams, 8, &count));
    CHECK(count == 5);
    static const int partner[5] = {0, 1, 1, 2, 2};
    for (size_t i = 0; i < count; i++) {
        sn_seam_def got = sn_seam_def_default();
        REQUIRE_OK(sn_constraint_get(world, seams[i], &got));
        CHECK(got.node[1].slot == b[i].slot);
        CHECK(got.node[0].slot == a[partner[i]].slot);
    }
    def.match = SN_SEW_NEAREST;
    REQUIRE_OK(sn_sew(world, &def, NULL, 0, &count));
    CHECK(count == 3);
    def.b = a;
    def.b_count = 3;
    /* Every node is nearest to itself, which is no seam. */
    REQUIRE_OK(sn_sew(world, &def, NULL, 0, &count));
    CHECK(count == 0);
    sn_world_destroy(world);
}

/* Two panels of other meshes: every node of the finer one comes to the line of the coarser, where
   it is, and none slides to a vertex. */
TEST(nodes_are_sewn_to_points_of_edges) {
    sn_world *world = attachment_world(1, 20, 0);
    enum { FINE = 6, COARSE = 4 };
    sn_node fine[(FINE + 1) * (FINE + 1)], coarse[(COARSE + 1) * (COARSE + 1)];
    sn_node a[FINE + 1], b[COARSE + 1];
    sn_constraint seams[FINE + 1];
    sn_sew_def def = sn_sew_def_default();
    size_t made = 0;
    attachment_cloth(world, FINE, (sn_vec3){0, 0, 0}, false, fine);
    attachment_cloth(world, COARSE, (sn_vec3){(sn_real)1.2, 0, 0}, false, coarse);
    for (int i = 0; i <= FINE; i++) a[i] = fine[i * (FINE + 1) + FINE];
    for (int i = 0; i <= COARSE; i++) b[i] = coarse[i * (COARSE + 1)];
    def.a = a;
    def.b = b;
    def.a_count = FINE + 1;
    def.b_count = COARSE + 1;
    def.match = SN_SEW_EDGES;
    def.closing_speed = (sn_real)0.2;
    REQUIRE_OK(sn_sew(world, &def, seams, FINE + 1, &made));
    CHECK(made == FINE + 1);
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < (half ? 60 : 30); i++) REQUIRE_OK(sn_world_step(world, frame));
        for (size_t i = 0; i < made; i++) {
            sn_edge_seam_def seam = sn_edge_seam_def_default();
            REQUIRE_OK(sn_constraint_get(world, seams[i], &seam));
            double s = (double)seam.along, gap = 0;
            sn_vec3 x = attachment_at(world, seam.node[0]), p = attachment_at(world, seam.node[1]);
            sn_vec3 q = attachment_at(world, seam.node[2]);
            double along = (double)i / FINE * COARSE;
            CHECK_NEAR(along - floor(along - 1e-6), s == 0 ? 1 : s, 1e-4);
            double way[3] = {(double)x.x - (1 - s) * (double)p.x - s * (double)q.x,
                             (double)x.y - (1 - s) * (double)p.y - s * (double)q.y,
                             (double)x.z - (1 - s) * (double)p.z - s * (double)q.z};
            for (int k = 0; k < 3; k++) gap += way[k] * way[k];
            CHECK_NEAR(sqrt(gap), half ? 0 : 0.1, half ? 2e-3 : 1e-2);
        }
    }
    attachment_check_snapshot(world, 5);
    /* An end of all edges is left out, and one node is no edge. */
    def.a = b;
    def.a_count = 2;
    def.b_count = 2;
    REQUIRE_OK(sn_sew(world, &def, seams, FINE + 1, &made));
    CHECK(made == 0);
    def.b_count = 1;
    CHECK_FAILS(sn_sew(world, &def, seams, FINE + 1, &made), SN_ERROR_VALUE);
    sn_world_destroy(world);
}

TEST(bad_seams_are_refused) {
    sn_world *world = attachment_world(1, 10, 0);
    sn_node a = attachment_node(world, 0, 0, 0, 1), b = attachment_node(world, 1, 0, 0, 1);
    sn_sew_def def = sn_sew_def_default();
    size_t count;
    def.a = &a;
    def.a_count = 1;
    CHECK_FAILS(sn_sew(world, &def, NULL, 0, &count), SN_ERROR_VALUE);
    def.b_count = 1;
    CHECK_FAILS(sn_sew(world, &def, NULL, 0, &count), SN_ERROR_NULL);
    def.b = &b;
    def.closing_speed = -1;
    CHECK_FAILS(sn_sew(world, &def, NULL, 0, &count), SN_ERROR_VALUE);
    def.closing_speed = 1;
    def.match = (sn_sew_match)2;
    CHECK_FAILS(sn_sew(world, &def, NULL, 0, &count), SN_ERROR_VALUE);
    def.match = SN_SEW_IN_ORDER;
    REQUIRE_OK(sn_node_destroy(world, b));
    CHECK_FAILS(sn_sew(world, &def, NULL, 0, &count), SN_ERROR_STALE);
    CHECK(sn_world_constraint_count(world, SN_TYPE_COUNT) == 0);
    sn_world_destroy(world);
}

TESTS(RUN(nodes_are_sewn_to_points_of_edges), RUN(a_gap_closes_with_its_speed),
      RUN(the_speed_does_not_depend_on_the_step), RUN(two_panels_become_a_tube_and_stay_one),
      RUN(contacts_leave_seams_alone), RUN(threads_and_snapshots_on_the_way_do_not_matter),
      RUN(a_seam_breaks_at_its_force), RUN(lists_of_other_lengths_are_matched),
      RUN(bad_seams_are_refused))
