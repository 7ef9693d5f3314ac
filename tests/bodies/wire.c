/*
 * Wires: what is bent or twisted beyond its plastic moment stays, but for what springs back, and
 * what is pulled beyond its strength breaks.
 */
#include <math.h>
#include <stdlib.h>

#include "meshed_body.h"
#include "snapshot.h"

#define PI 3.14159265358979323846

enum { SEGMENTS = 8 };

static const double young = 1e9, poisson = 0.25, density = 1000, radius = 0.01, length = 0.2;
static const double strain = 0.02; /* at which it yields */

static sn_rod_material wire_material(void) {
    sn_rod_material m = sn_rod_material_default();
    m.young = (sn_real)young;
    m.poisson = (sn_real)poisson;
    m.density = (sn_real)density;
    m.radius = (sn_real)radius;
    m.plastic_yield = (sn_real)strain;
    return m;
}

static body make(const sn_rod_material *m, uint32_t segments, double long_by, double damping,
                 sn_solver solver) {
    sn_settings settings = sn_settings_default();
    sn_world *world = still_world(10, damping);
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.solver = solver;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    return body_make(world, SN_KIND_ROD, m, line_mesh(long_by, segments), NULL);
}

static void clamp(const body *b) {
    sn_node wall;
    sn_constraint joint;
    REQUIRE_OK(sn_rod_clamp(b->world, b->nodes[0], &wall, &joint));
}

/* What stayed in all joints together; the largest of one in *most. */
static double stayed(const sn_world *world, double *most) {
    double sum = 0;
    size_t left = count_type(world, SN_TYPE_BEND_TWIST);
    if (most) *most = 0;
    for (size_t slot = 0; left > 0; slot++) {
        sn_constraint c;
        sn_type type;
        sn_real p[3];
        if (sn_world_constraint_at(world, slot, &c) != SN_OK) continue;
        REQUIRE_OK(sn_constraint_get_type(world, c, &type));
        if (type != SN_TYPE_BEND_TWIST) continue;
        REQUIRE_OK(sn_constraint_get_field(world, c, "plastic_darboux", p));
        double size = sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
        sum += size;
        if (most && size > *most) *most = size;
        left--;
    }
    return sum;
}

/* ---- The plastic moment ---- */

/* Of a round section where all of it flows, 4 r^3 / 3 times the stress in bending and 2 pi r^3 / 3
   times that over the root of 3 in twist. A moment at the end that grows slowly leaves nothing
   below it, and something above. */
TEST(it_yields_at_its_plastic_moment) {
    double r3 = radius * radius * radius, stress = young * strain;
    const double known[] = {4 * r3 / 3 * stress, 2 * PI * r3 / 3 * stress / sqrt(3)};
    for (int twist = 0; twist < 2; twist++) {
        sn_rod_material m = wire_material();
        /* Short enough for a torque to turn the last frame by little in a substep. */
        double dt = twist ? 1e-4 : 2e-4, torque = 0;
        body b = make(&m, SEGMENTS, length, twist ? 4000 : 800, SN_SOLVER_DIRECT);
        clamp(&b);
        check_case("%s", twist ? "twist" : "bending");
        for (int k = 0; k < 600 && stayed(b.world, NULL) == 0; k++) {
            torque = known[twist] * k / 500;
            sn_vec3 t = {twist ? (sn_real)torque : 0, 0, twist ? 0 : (sn_real)torque};
            REQUIRE_OK(sn_node_add_torque(b.world, b.nodes[SEGMENTS - 1], t));
            body_run(&b, 1, dt);
        }
        CHECK_REL(torque, known[twist], 0.03);
        body_free(&b);
    }
}

/* ---- What springs back ---- */

/* Puts a wire on an arc of a circle, holds it there for some steps and lets go. */
static void bend(const body *b, double curvature, int steps, double dt) {
    size_t count = b->mesh.vertex_count;
    double l = length / (double)(count - 1);
    sn_node_def *before = calloc(count, sizeof *before);
    if (!CHECK(before != NULL)) return;
    double x = 0, y = 0;
    for (size_t i = 0; i < count; i++) {
        double angle = curvature * l * ((double)i + 0.5);
        sn_node_def def = sn_node_def_default();
        REQUIRE_OK(sn_node_get(b->world, b->nodes[i], &before[i]));
        /* The frame of the straight wire, turned about z. */
        double c = cos(angle / 2), s = sin(angle / 2), h = sqrt(0.5);
        def.orientation =
            (sn_quat){(sn_real)(-h * s), (sn_real)(h * c), (sn_real)(h * s), (sn_real)(h * c)};
        REQUIRE_OK(
            sn_node_set_position(b->world, b->nodes[i], (sn_vec3){(sn_real)x, (sn_real)y, 0}));
        REQUIRE_OK(sn_node_set_orientation(b->world, b->nodes[i], def.orientation));
        REQUIRE_OK(sn_node_set_inverse_mass(b->world, b->nodes[i], 0));
        REQUIRE_OK(sn_node_set_inverse_inertia(b->world, b->nodes[i], (sn_vec3){0, 0, 0}));
        x += l * cos(angle);
        y += l * sin(angle);
    }
    body_run(b, steps, dt);
    for (size_t i = 0; i < count; i++) {
        REQUIRE_OK(sn_node_set_inverse_mass(b->world, b->nodes[i], before[i].inverse_mass));
        REQUIRE_OK(sn_node_set_inverse_inertia(b->world, b->nodes[i], before[i].inverse_inertia));
    }
    free(before);
}

/* The angle between the first segment and the last, in the plane. */
static double turn_of(const body *b) {
    double p[4][3];
    size_t last = b->mesh.vertex_count - 1;
    body_position(b, 0, p[0]);
    body_position(b, 1, p[1]);
    body_position(b, last - 1, p[2]);
    body_position(b, last, p[3]);
    double first = atan2(p[1][1] - p[0][1], p[1][0] - p[0][0]);
    double end = atan2(p[3][1] - p[2][1], p[3][0] - p[2][0]);
    double turn = end - first;
    return turn < -1 ? turn + 2 * PI : turn;
}

/* The curvature that is left is less by M_p / E I, 16 / 3 pi of strain over radius; below that
   nothing is. */
TEST(it_springs_back_by_its_moment) {
    double yield = 16 / (3 * PI) * strain / radius, l = length / SEGMENTS;
    static const double parts[] = {0.9, 1.5, 3, 6};
    for (int i = 0; i < 4; i++) {
        sn_rod_material m = wire_material();
        body b = make(&m, SEGMENTS, length, 200, SN_SOLVER_DIRECT);
        double curvature = parts[i] * yield;
        bend(&b, curvature, 2, 0.001);
        body_run(&b, 300, 0.002);
        /* As the joints have it: 2 sin(angle / 2) / l. */
        double bent = 2 * sin(curvature * l / 2) / l, left = fmax(bent - yield, 0);
        check_case("bent to %g of the yield", parts[i]);
        CHECK_NEAR(stayed(b.world, NULL), (SEGMENTS - 1) * left, 1e-3 * SEGMENTS * yield);
        CHECK_NEAR(turn_of(&b), (SEGMENTS - 1) * 2 * asin(left * l / 2),
                   2e-3 * SEGMENTS * yield * l);
        body_free(&b);
    }
}

/* Of what is above the yield, creep dt stays per step; and no more than the limit ever does. */
TEST(it_creeps_to_its_limit) {
    double yield = 16 / (3 * PI) * strain / radius, l = length / SEGMENTS, dt = 0.01, most;
    sn_rod_material m = wire_material();
    m.plastic_creep = 5;
    body b = make(&m, SEGMENTS, length, 200, SN_SOLVER_DIRECT);
    double bent = 2 * sin(4 * yield * l / 2) / l;
    bend(&b, 4 * yield, 10, dt);
    stayed(b.world, &most);
    CHECK_REL(most, (bent - yield) * (1 - pow(1 - 5 * dt, 10)), 1e-3);
    body_free(&b);
    m = wire_material();
    m.plastic_limit = (sn_real)0.03;
    b = make(&m, SEGMENTS, length, 200, SN_SOLVER_DIRECT);
    bend(&b, 4 * yield, 3, dt);
    stayed(b.world, &most);
    CHECK_REL(most, 0.03 / radius, 1e-4);
    bend(&b, -4 * yield, 3, dt);
    stayed(b.world, &most);
    CHECK_REL(most, 0.03 / radius, 1e-4);
    body_free(&b);
}

/* A joint that is bent at rest and held straight gives way by all but its yield. */
TEST(what_is_straightened_stays_straighter) {
    sn_world *world = still_world(1, 0);
    sn_bend_twist_def def = sn_bend_twist_def_default();
    sn_constraint made;
    sn_real p[3];
    for (int k = 0; k < 2; k++) {
        sn_node_def n = sn_node_def_default();
        n.oriented = true;
        n.inverse_mass = 0;
        n.inverse_inertia = (sn_vec3){0, 0, 0};
        if (k == 1) n.inverse_inertia = (sn_vec3){(sn_real)1e-12, (sn_real)1e-12, (sn_real)1e-12};
        REQUIRE_OK(sn_node_create(world, &n, &def.node[k]));
    }
    def.bend_stiffness_x = def.bend_stiffness_y = def.twist_stiffness = 1;
    def.rest_darboux = (sn_vec3){(sn_real)1.5, 0, 0};
    def.yield = (sn_vec3){(sn_real)0.25, (sn_real)0.25, (sn_real)0.25};
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &def, &made));
    REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
    REQUIRE_OK(sn_constraint_get_field(world, made, "plastic_darboux", p));
    CHECK_NEAR(p[0], -1.25, 1e-5);
    CHECK_NEAR(p[1], 0, 1e-6);
    CHECK_NEAR(p[2], 0, 1e-6);
    sn_world_destroy(world);
}

/* What stayed is in snapshots, and in the frames that have no inertia as well. */
TEST(what_stayed_is_kept) {
    for (int closed = 0; closed < 2; closed++) {
        sn_rod_material m = wire_material();
        sn_build_def def = sn_build_def_default();
        if (closed) def.body.solver = SN_BODY_SOLVER_CLOSED_FORM;
        double yield = 16 / (3 * PI) * strain / radius;
        body b =
            body_make(still_world(10, 200), SN_KIND_ROD, &m, line_mesh(length, SEGMENTS), &def);
        check_case("%s", closed ? "closed form" : "sweeps");
        bend(&b, 4 * yield, 1, 0.002);
        sn_world *copy = NULL;
        void *data = NULL;
        size_t size = 0;
        data = snapshot_of(b.world, &size);
        sn_world_def world = sn_world_def_default();
        REQUIRE_OK(sn_world_create(&world, &copy));
        REQUIRE_OK(sn_snapshot_load(copy, data, size));
        free(data);
        for (int k = 0; k < 300; k++) {
            REQUIRE_OK(sn_world_step(b.world, (sn_real)0.002));
            REQUIRE_OK(sn_world_step(copy, (sn_real)0.002));
        }
        CHECK(sn_world_hash(copy) == sn_world_hash(b.world));
        CHECK(turn_of(&b) > 2.8 * yield * length * (SEGMENTS - 1) / SEGMENTS);
        sn_world_destroy(copy);
        body_free(&b);
    }
}

/* ---- Breaking ---- */

/* A bar that is pulled along itself with a force that grows slowly, whatever its segments are. */
static double load_at_break(uint32_t segments, sn_solver solver) {
    sn_rod_material m = wire_material();
    m.break_force = 100;
    body b = make(&m, segments, 1, 2000, solver);
    REQUIRE_OK(sn_rod_pin(b.world, b.nodes, 1));
    double load = 0;
    for (int k = 0; k < 240; k++) {
        const sn_break_event *events;
        size_t count = 0, joints = count_type(b.world, SN_TYPE_BEND_TWIST), ends = 0;
        load = 0.5 * k;
        REQUIRE_OK(sn_node_add_force(b.world, b.nodes[segments], (sn_vec3){(sn_real)load, 0, 0}));
        REQUIRE_OK(sn_world_step(b.world, (sn_real)0.002));
        REQUIRE_OK(sn_world_breaks(b.world, &events, &count));
        if (count == 0) continue;
        /* The parts have nothing to do with each other; behind the last segment is no joint. */
        for (size_t i = 0; i < count; i++)
            ends += events[i].node.slot == b.nodes[segments - 1].slot;
        CHECK(count_type(b.world, SN_TYPE_STRETCH_SHEAR) == segments - count);
        CHECK(count_type(b.world, SN_TYPE_BEND_TWIST) == joints - (count - ends));
        break;
    }
    body_free(&b);
    return load;
}

TEST(it_breaks_at_its_force) {
    static const uint32_t segments[] = {2, 10, 40};
    for (int i = 0; i < 3; i++) {
        check_case("%u segments, direct", segments[i]);
        CHECK_REL(load_at_break(segments[i], SN_SOLVER_DIRECT), 100, 0.03);
    }
    check_case("4 segments, sweeps");
    CHECK_REL(load_at_break(4, SN_SOLVER_COLOURED), 100, 0.03);
}

/* What is wound up breaks at the same force. */
TEST(a_winch_leaves_the_force) {
    sn_rod_material m = wire_material();
    m.break_force = (sn_real)1e9;
    body b = make(&m, 4, 1, 0, SN_SOLVER_DIRECT);
    REQUIRE_OK(sn_body_scale_length(b.world, b.build.body, (sn_real)0.5));
    REQUIRE_OK(sn_world_step(b.world, (sn_real)0.002));
    for (size_t slot = 0, seen = 0; seen < 4; slot++) {
        sn_constraint c;
        sn_type type;
        sn_real limit[3], rest[3];
        REQUIRE_OK(sn_world_constraint_at(b.world, slot, &c));
        REQUIRE_OK(sn_constraint_get_type(b.world, c, &type));
        if (type != SN_TYPE_STRETCH_SHEAR) continue;
        REQUIRE_OK(sn_constraint_get_field(b.world, c, "break_force", limit));
        REQUIRE_OK(sn_constraint_get_field(b.world, c, "rest_length", rest));
        CHECK_REL((double)rest[0], 0.125, 1e-5);
        CHECK_REL((double)limit[0], 1e9 * 0.125, 1e-5);
        seen++;
    }
    body_free(&b);
}

TESTS(RUN(it_yields_at_its_plastic_moment), RUN(it_springs_back_by_its_moment),
      RUN(it_creeps_to_its_limit), RUN(what_is_straightened_stays_straighter),
      RUN(what_stayed_is_kept), RUN(it_breaks_at_its_force), RUN(a_winch_leaves_the_force))
