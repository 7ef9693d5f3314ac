/* Triangles that keep their area: a weight on a corner, and triangles without a plane. */
#include "build.h"

#include <math.h>

static sn_triangle_area_def area_def(const sn_node node[3], double rest, double compliance) {
    sn_triangle_area_def def = sn_triangle_area_def_default();
    for (int k = 0; k < 3; k++) def.node[k] = node[k];
    def.rest_area = (sn_real)rest;
    def.compliance = (sn_real)compliance;
    return def;
}

/*
 * A weight m g on the lower corner of a triangle that hangs from its upper edge b. The gradient
 * there is b / 2, so the tension is 2 m g / b, and the corner sinks by 2 / b times compliance times
 * tension.
 */
TEST(hanging_triangle_stretches_by_its_compliance) {
    double h = 1.0 / 1200, edge = 0.5, height = 0.8, mass = 0.3, compliance = 2e-3;
    double tension = 2 * mass * GRAVITY / edge, sag = 2 / edge * compliance * tension;
    FOR_BOTH_SOLVERS(solver) {
        for (int iterations = 1; iterations <= 4; iterations += 3) {
            check_case("%s, %d iterations", solver_name(solver), iterations);
            sn_settings settings = plain_settings(solver);
            settings.iterations = iterations;
            settings.damping = 10;
            sn_world *world = make_world(settings);
            sn_node node[3] = {add_pin(world, (vec){0, 0, 0}), add_pin(world, (vec){edge, 0, 0}),
                               add_node(world, (vec){edge / 2, -height, 0}, mass)};
            sn_triangle_area_def def = area_def(node, SN_AUTO, compliance);
            sn_constraint made;
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TRIANGLE_AREA, &def, &made));
            advance(world, h, 6000);
            CHECK_REL(-height - position_of(world, node[2]).y, sag, TOL(1e-8, 1e-4));
            CHECK_NEAR(position_of(world, node[2]).x, edge / 2, 1e-5);
            CHECK_REL(force_of(world, made), -tension, TOL(1e-8, 1e-4));
            CHECK_REL(measure_of(world).elastic_energy, tension * tension * compliance / 2,
                      TOL(1e-8, 3e-4));
            sn_world_destroy(world);
        }
    }
}

/* A triangle may be given an area it has not, and turned over it has the same. */
TEST(area_is_met_on_either_side) {
    double wanted = 0.7;
    for (int over = 0; over < 2; over++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.gravity = vector(0, 0, 0);
        settings.iterations = 20;
        sn_world *world = make_world(settings);
        sn_node node[3] = {add_node(world, (vec){0, 0, 0}, 1), add_node(world, (vec){1, 0, 0.1}, 2),
                           add_node(world, (vec){0.2, over ? -1 : 1, 0.3}, 0.5)};
        sn_triangle_area_def def = area_def(node, wanted, 0);
        sn_constraint made;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TRIANGLE_AREA, &def, &made));
        advance(world, 1.0 / 60, 1);
        vec origin = position_of(world, node[0]);
        vec a = sub(position_of(world, node[1]), origin),
            b = sub(position_of(world, node[2]), origin);
        vec normal = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
        CHECK_REL(length(normal) / 2, wanted, TOL(1e-14, 1e-6));
        CHECK(over ? normal.z < 0 : normal.z > 0);
        sn_world_destroy(world);
    }
}

/* On a line there is no direction to grow in, so such a triangle is refused where that line is all
   that is known of it, and left alone where it has an area to come back to. */
TEST(triangles_on_a_line) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    sn_node node[3] = {add_node(world, (vec){0, 0, 0}, 1), add_node(world, (vec){1, 0, 0}, 1),
                       add_node(world, (vec){0.25, 0, 0}, 1)};
    sn_triangle_area_def def = area_def(node, SN_AUTO, 0);
    sn_constraint made;
    CHECK_FAILS(sn_constraint_create(world, SN_TYPE_TRIANGLE_AREA, &def, &made),
                SN_ERROR_DEGENERATE);
    def.rest_area = 1;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TRIANGLE_AREA, &def, &made));
    advance(world, 1.0 / 60, 10);
    static const double places[] = {0, 1, 0.25};
    for (int k = 0; k < 3; k++)
        CHECK(length(sub(position_of(world, node[k]), (vec){places[k], 0, 0})) < 1e-12);

    /* A little off the line it grows, and by no more than it takes. */
    REQUIRE_OK(sn_node_set_position(world, node[2], vector(0.25, 1e-6, 0)));
    advance(world, 1.0 / 60, 1);
    for (int k = 0; k < 3; k++) CHECK(length(position_of(world, node[k])) < 4);
    CHECK(position_of(world, node[2]).y > 0.5);
    sn_world_destroy(world);
}

TESTS(RUN(hanging_triangle_stretches_by_its_compliance), RUN(area_is_met_on_either_side),
      RUN(triangles_on_a_line))
