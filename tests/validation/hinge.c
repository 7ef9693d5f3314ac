/*
 * Bending across an edge: the angle of dihedral_bending, its response to a moment, what it does
 * where it is degenerate, and the energy of sheets on a cylinder (V39), also for isometric_bending.
 */
#include "build.h"

#include <math.h>
#include <stdlib.h>

static sn_world *weightless(sn_settings settings) {
    settings.gravity = vector(0, 0, 0);
    return make_world(settings);
}

/* ---- One hinge ---- */

#define EDGE 0.8
#define HEIGHT 0.5 /* of the free triangle above the edge */

/* Two triangles at the edge from the origin along x. Nodes 0 to 2 are pinned, node 3 is not. */
typedef struct hinge {
    sn_world *world;
    sn_node node[4];
    sn_constraint constraint;
} hinge;

/* Where node 3 is at this angle: up is the side of the normals, z. */
static vec corner(double height, double angle) {
    return (vec){0.3, -height * cos(angle), height * sin(angle)};
}

static hinge make_hinge(sn_world *world, double angle, double rest, double compliance) {
    hinge h = {.world = world};
    h.node[0] = add_pin(world, (vec){0, 0, 0});
    h.node[1] = add_pin(world, (vec){EDGE, 0, 0});
    h.node[2] = add_pin(world, (vec){0.5, 0.7, 0});
    h.node[3] = add_node(world, corner(HEIGHT, angle), 0.2);
    sn_dihedral_bending_def def = sn_dihedral_bending_def_default();
    for (int k = 0; k < 4; k++) def.node[k] = h.node[k];
    def.rest_angle = (sn_real)rest;
    def.compliance = (sn_real)compliance;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DIHEDRAL_BENDING, &def, &h.constraint));
    return h;
}

static double value_of(const hinge *h) {
    sn_real value[SN_MAX_ROWS];
    REQUIRE_OK(sn_constraint_evaluate(h->world, h->constraint, value, NULL));
    return (double)value[0];
}

static double angle_of(const hinge *h) {
    vec x = position_of(h->world, h->node[3]);
    return atan2(x.z, -x.y);
}

/* Through the flat state and once round, with the jump half a turn away from the rest angle. */
TEST(angle_is_signed_and_taken_the_shorter_way) {
    static const double rests[] = {0, 1, -2.5, 3.1, -PI, PI};
    for (int i = 0; i < 6; i++) {
        hinge h = make_hinge(weightless(plain_settings(SN_SOLVER_COLOURED)), 0.4, rests[i], 0);
        for (int degrees = -180; degrees <= 180; degrees++) {
            check_case("rest angle %g, %d degrees", rests[i], degrees);
            double angle = degrees * PI / 180;
            vec x = corner(HEIGHT, angle);
            REQUIRE_OK(sn_node_set_position(h.world, h.node[3], vector(x.x, x.y, x.z)));
            double value = value_of(&h), expected = remainder(angle - rests[i], 2 * PI);
            /* At the jump either end will do. */
            CHECK_NEAR(remainder(value - expected, 2 * PI), 0, TOL(1e-14, 2e-6));
            CHECK(fabs(value) <= PI + TOL(1e-14, 1e-6));
        }
        sn_world_destroy(h.world);
    }
}

TEST(rest_angle_is_that_at_creation) {
    for (int degrees = -180; degrees <= 180; degrees += 15) {
        check_case("%d degrees", degrees);
        double angle = degrees * PI / 180;
        hinge h = make_hinge(weightless(plain_settings(SN_SOLVER_COLOURED)), angle, SN_AUTO, 0);
        sn_real rest[3];
        CHECK_OK(sn_constraint_get_field(h.world, h.constraint, "rest_angle", rest));
        CHECK_NEAR(remainder((double)rest[0] - angle, 2 * PI), 0, TOL(1e-14, 1e-6));
        CHECK(value_of(&h) == 0);
        /* What was read is in range. */
        CHECK_OK(sn_constraint_set_field(h.world, h.constraint, "rest_angle", rest));
        sn_world_destroy(h.world);
    }
}

/* A force on the free corner, across its triangle, is a moment about the edge; the angle gives way
   by compliance times moment, however large. */
TEST(angle_is_compliance_times_moment) {
    static const double rests[] = {0, 0.7, -2, 3};
    double dt = 1.0 / 600, compliance = 0.5, force = -2.4, moment = force * HEIGHT;
    FOR_BOTH_SOLVERS(solver) {
        for (int i = 0; i < 4; i++) {
            check_case("%s, rest angle %g", solver_name(solver), rests[i]);
            sn_settings settings = plain_settings(solver);
            settings.damping = 12;
            sn_world *world = weightless(settings);
            hinge h = make_hinge(world, rests[i], rests[i], compliance);
            for (int k = 0; k < 2; k++)
                add_link(world, h.node[k], h.node[3], hypot(k ? 0.5 : 0.3, HEIGHT), 0);
            for (int step = 0; step < 3000; step++) {
                double at = angle_of(&h);
                sn_vec3 f = vector(0, force * sin(at), force * cos(at));
                REQUIRE_OK(sn_node_add_force(world, h.node[3], f));
                advance(world, dt, 1);
            }
            CHECK_REL(value_of(&h), compliance * moment, TOL(1e-6, 1e-4));
            CHECK_REL(remainder(angle_of(&h) - rests[i], 2 * PI), compliance * moment,
                      TOL(1e-6, 1e-4));
            CHECK_REL(force_of(world, h.constraint), -moment, TOL(1e-6, 1e-4));
            sn_world_destroy(world);
        }
    }
}

/* Folded to one side of half a turn, with the rest angle at the other, the way leads through the
   folded state. */
TEST(hinges_go_through_the_folded_state) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.iterations = 20;
    hinge h = make_hinge(weightless(settings), -2.9, 2.9, 0);
    for (int k = 0; k < 2; k++) add_link(h.world, h.node[k], h.node[3], SN_AUTO, 0);
    CHECK_NEAR(value_of(&h), 2 * PI - 5.8, 1e-6);
    advance(h.world, 1.0 / 60, 1);
    CHECK_NEAR(angle_of(&h), 2.9, 1e-5);
    CHECK_NEAR(length(sub(position_of(h.world, h.node[3]), (vec){0.3, 0, 0})), HEIGHT, 1e-5);
    sn_world_destroy(h.world);
}

/* ---- Where there is no angle ---- */

TEST(triangles_without_area_are_refused) {
    static const vec corners[] = {{0.3, 0, 0}, {-0.2, 0, 0}, {0.3, 1e-8, 0}};
    for (int i = 0; i < 6; i++) {
        sn_world *world = weightless(plain_settings(SN_SOLVER_COLOURED));
        sn_dihedral_bending_def def = sn_dihedral_bending_def_default();
        vec good = {0.3, 0.5, 0}, bad = corners[i % 3];
        def.node[0] = add_node(world, (vec){0, 0, 0}, 1);
        def.node[1] = add_node(world, (vec){EDGE, 0, 0}, 1);
        def.node[2] = add_node(world, i < 3 ? good : bad, 1);
        def.node[3] = add_node(world, i < 3 ? bad : good, 1);
        sn_constraint made;
        CHECK_FAILS(sn_constraint_create(world, SN_TYPE_DIHEDRAL_BENDING, &def, &made),
                    SN_ERROR_DEGENERATE);
        sn_world_destroy(world);
    }
}

/* The free corner comes down on the edge: gradients grow, steps do not. */
TEST(flattened_triangles_take_small_steps) {
    static const double heights[] = {0.1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 0};
    for (int i = 0; i < 7; i++) {
        for (int degrees = -180; degrees < 180; degrees += 20) {
            check_case("height %g, %d degrees", heights[i], degrees);
            hinge h = make_hinge(weightless(plain_settings(SN_SOLVER_COLOURED)), 0, 1, 0);
            vec from = corner(heights[i], degrees * PI / 180);
            REQUIRE_OK(sn_node_set_position(h.world, h.node[3], vector(from.x, from.y, from.z)));
            advance(h.world, 1.0 / 60, 1);
            double moved = length(sub(position_of(h.world, h.node[3]), from));
            /* An arc is at most pi times the height. Below a thousandth of the area at creation
               gradients are held back, and steps are no shorter than there. */
            CHECK(moved <= PI * fmax(heights[i], 1.001e-3 * HEIGHT) * 1.001);
            sn_world_destroy(h.world);
        }
    }
}

/* ---- Sheets ---- */

/* A sheet of equilateral triangles in rows, every other row shifted by half a triangle. */
enum { ROWS = 64, COLUMNS = 64 };
#define SIDE (1.0 / COLUMNS)
#define STIFFNESS 0.01 /* B in N m */

typedef struct sheet {
    sn_world *world;
    sn_node node[ROWS][COLUMNS];
    double area;
} sheet;

static vec flat_place(int row, int column) {
    return (vec){SIDE * (column + 0.5 * (row % 2)), 0.5 * sqrt(3) * SIDE * row, 0};
}

/* A hinge of stiffness B for the edge (a, b) with the far corners c and d. */
static void add_hinge(sn_world *world, sn_type type, sn_node a, sn_node b, sn_node c, sn_node d) {
    double triangle = 0.25 * sqrt(3) * SIDE * SIDE;
    sn_constraint made;
    if (type == SN_TYPE_DIHEDRAL_BENDING) {
        sn_dihedral_bending_def def = sn_dihedral_bending_def_default();
        def.compliance = (sn_real)(2 * triangle / (STIFFNESS * SIDE * SIDE));
        def.node[0] = a, def.node[1] = b, def.node[2] = c, def.node[3] = d;
        REQUIRE_OK(sn_constraint_create(world, type, &def, &made));
    } else {
        sn_isometric_bending_def def = sn_isometric_bending_def_default();
        def.compliance = (sn_real)(1 / STIFFNESS);
        def.node[0] = a, def.node[1] = b, def.node[2] = c, def.node[3] = d;
        REQUIRE_OK(sn_constraint_create(world, type, &def, &made));
    }
}

static void make_sheet(sheet *s, sn_type type) {
    s->world = weightless(plain_settings(SN_SOLVER_COLOURED));
    s->area = 2 * (ROWS - 1) * (COLUMNS - 1) * 0.25 * sqrt(3) * SIDE * SIDE;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            s->node[i][j] = add_node(s->world, flat_place(i, j), 1e-3);
    for (int i = 0; i < ROWS; i++) {
        /* Of two rows the upper one is shifted by `shift` triangles against the lower. */
        int shift = i % 2;
        for (int j = 0; j < COLUMNS; j++) {
            sn_node(*n)[COLUMNS] = s->node;
            bool above = i + 1 < ROWS, right = j + 1 < COLUMNS;
            if (i > 0 && above && right)
                add_hinge(s->world, type, n[i][j], n[i][j + 1], n[i + 1][j + shift],
                          n[i - 1][j + shift]);
            /* The two edges upwards, each with a neighbour in this row and one in the next. */
            int left_top = j + shift - 1, right_top = j + shift;
            if (above && left_top >= 0 && right_top < COLUMNS && j > 0)
                add_hinge(s->world, type, n[i][j], n[i + 1][left_top], n[i][j - 1],
                          n[i + 1][right_top]);
            if (above && right && left_top >= 0 && right_top < COLUMNS)
                add_hinge(s->world, type, n[i][j], n[i + 1][right_top], n[i + 1][left_top],
                          n[i][j + 1]);
        }
    }
}

/* Rolls the sheet on a cylinder of this curvature, whose axis is at an angle to the rows. */
static void roll(sheet *s, double curvature, double angle) {
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            vec flat = flat_place(i, j);
            double along = cos(angle) * flat.x + sin(angle) * flat.y;
            double across = cos(angle) * flat.y - sin(angle) * flat.x, turn = curvature * along;
            sn_vec3 to = vector(sin(turn) / curvature, across, (1 - cos(turn)) / curvature);
            REQUIRE_OK(sn_node_set_position(s->world, s->node[i][j], to));
        }
    }
}

/* Moves the flat sheet as a rigid body. */
static void place_flat(sheet *s, double turn) {
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            vec flat = flat_place(i, j);
            sn_vec3 to =
                vector(cos(turn) * flat.x + 0.5, flat.y - 0.25, sin(turn) * flat.x + 0.125);
            REQUIRE_OK(sn_node_set_position(s->world, s->node[i][j], to));
        }
    }
}

/*
 * V39. The exact energy of a plate is B curvature^2 area / 2. Hinges have 0.984 to 0.993 of it,
 * the rest being the boundary, which has none; the two models agree where angles are small.
 */
TEST(energy_on_a_cylinder) {
    static const sn_type types[] = {SN_TYPE_DIHEDRAL_BENDING, SN_TYPE_ISOMETRIC_BENDING};
    sheet *s = malloc(sizeof *s);
    if (!CHECK(s != NULL)) return;
    for (int i = 0; i < 2; i++) {
        make_sheet(s, types[i]);
        double exact = 0.5 * STIFFNESS * s->area;
        for (int degrees = 0; degrees <= 90; degrees += 15) {
            check_case("%s, %d degrees", sn_type_get_info(types[i])->name, degrees);
            roll(s, 1, degrees * PI / 180);
            CHECK_NEAR(measure_of(s->world).elastic_energy / exact, 0.99, 0.01);
        }
        check_case("%s, flat", sn_type_get_info(types[i])->name);
        for (int k = 0; k < 4; k++) {
            place_flat(s, 0.4 * k);
            CHECK_NEAR(measure_of(s->world).elastic_energy / exact, 0, TOL(1e-22, 1e-5));
        }
        sn_world_destroy(s->world);
    }
    free(s);
}

TESTS(RUN(angle_is_signed_and_taken_the_shorter_way), RUN(rest_angle_is_that_at_creation),
      RUN(angle_is_compliance_times_moment), RUN(hinges_go_through_the_folded_state),
      RUN(triangles_without_area_are_refused), RUN(flattened_triangles_take_small_steps),
      RUN(energy_on_a_cylinder))
