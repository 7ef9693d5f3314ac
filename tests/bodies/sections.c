/*
 * Cross-sections of rods: area, second moments and torsion constant against sums over the section
 * and Prandtl's membrane, and what comes of them: tips that bend about either axis, and twist, as
 * beams of the book.
 */
#include <math.h>
#include <string.h>

#include "meshed_body.h"

#define PI 3.14159265358979323846

enum { CIRCLE = 0, ELLIPSE = 1, RECTANGLE = 2 };

typedef struct shape {
    const char *name;
    int section;
    double width, height, hollow;
} shape;

static const shape shapes[] = {
    {"circle", CIRCLE, 0.02, 0.02, 0},    {"tube", CIRCLE, 0.02, 0.02, 0.8},
    {"ellipse", ELLIPSE, 0.02, 0.01, 0},  {"flat ellipse that is hollow", ELLIPSE, 0.01, 0.03, 0.5},
    {"square", RECTANGLE, 0.02, 0.02, 0}, {"rectangle", RECTANGLE, 0.01, 0.02, 0},
    {"strip", RECTANGLE, 0.04, 0.004, 0}, {"box", RECTANGLE, 0.02, 0.01, 0.75},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, SEGMENTS = 20 };

static const double young = 1e9, poisson = 0.25, density = 1000;

static sn_rod_material material_of(const shape *s) {
    sn_rod_material m = sn_rod_material_default();
    m.young = (sn_real)young;
    m.poisson = (sn_real)poisson;
    m.density = (sn_real)density;
    m.section = s->section;
    m.hollow = (sn_real)s->hollow;
    m.radius = (sn_real)(s->width / 2);
    if (s->section == CIRCLE) return m;
    m.width = (sn_real)s->width;
    m.height = (sn_real)s->height;
    return m;
}

/* ---- The section by sums ---- */

typedef struct measured {
    double area, second_x, second_y;
} measured;

static bool is_inside(const shape *s, double x, double y, double part) {
    double u = 2 * x / s->width / part, v = 2 * y / s->height / part;
    return s->section == RECTANGLE ? fabs(u) < 1 && fabs(v) < 1 : u * u + v * v < 1;
}

static measured measure(const shape *s) {
    enum { N = 1000 };
    measured sum = {0};
    double cell = s->width * s->height / N / N;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double x = s->width * ((i + 0.5) / N - 0.5), y = s->height * ((j + 0.5) / N - 0.5);
            if (!is_inside(s, x, y, 1) || (s->hollow > 0 && is_inside(s, x, y, s->hollow)))
                continue;
            sum.area += cell;
            sum.second_x += cell * y * y;
            sum.second_y += cell * x * x;
        }
    return sum;
}

/* Prandtl's membrane over a quarter of a rectangle, by relaxation: it is 0 at the outside and of
   one height over the hole, which its pull carries. J is twice its volume, of all quarters. */
enum { CELLS = 80 };
static double membrane[CELLS + 1][CELLS + 1];

static void raise_hole(double hx, double hy, int hole) {
    double pull = 0, sum = 0, half = hole + 0.5;
    for (int i = 0; i <= hole; i++) {
        double w = i ? 1 : 0.5;
        pull += w * (hy / hx + hx / hy);
        sum += w * (hy / hx * membrane[hole + 1][i] + hx / hy * membrane[i][hole + 1]);
    }
    double height = (sum + 2 * half * half * hx * hy) / pull;
    for (int i = 0; i <= hole; i++)
        for (int j = 0; j <= hole; j++) membrane[i][j] = height;
}

static double membrane_torsion(const shape *s) {
    double hx = s->width / 2 / CELLS, hy = s->height / 2 / CELLS, volume = 0;
    double cx = 1 / (hx * hx), cy = 1 / (hy * hy);
    int hole = s->hollow > 0 ? (int)lround(s->hollow * CELLS) : -1;
    memset(membrane, 0, sizeof membrane);
    for (int sweep = 0; sweep < 1500; sweep++) {
        for (int i = 0; i < CELLS; i++)
            for (int j = 0; j < CELLS; j++) {
                if (i <= hole && j <= hole) continue;
                double left = membrane[i ? i - 1 : 1][j], below = membrane[i][j ? j - 1 : 1];
                double rest =
                    (cx * (left + membrane[i + 1][j]) + cy * (below + membrane[i][j + 1]) + 2) /
                    (2 * cx + 2 * cy);
                membrane[i][j] += 1.95 * (rest - membrane[i][j]);
            }
        if (hole >= 0) raise_hole(hx, hy, hole);
    }
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++)
            volume += (i ? 1 : 0.5) * (j ? 1 : 0.5) * membrane[i][j] * hx * hy;
    return 8 * volume;
}

/* Saint-Venant's of ellipses; their holes are of the same shape. */
static double torsion_of(const shape *s) {
    if (s->section == RECTANGLE) return membrane_torsion(s);
    double a = s->width / 2, b = s->height / 2;
    return PI * pow(a * b, 3) / (a * a + b * b) * (1 - pow(s->hollow, 4));
}

/* ---- Rods of it ---- */

static body make(const shape *s, double length, double damping, bool clamped) {
    sn_rod_material m = material_of(s);
    sn_settings settings = sn_settings_default();
    sn_world *world = still_world(10, damping);
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.solver = SN_SOLVER_DIRECT;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    body b = body_make(world, SN_KIND_ROD, &m, line_mesh(length, SEGMENTS), NULL);
    sn_node wall;
    sn_constraint joint;
    if (clamped) REQUIRE_OK(sn_rod_clamp(world, b.nodes[0], &wall, &joint));
    return b;
}

static void first_of(const sn_world *world, sn_type type, void *def) {
    for (size_t i = 0;; i++) {
        sn_constraint c;
        sn_type found;
        if (sn_world_constraint_at(world, i, &c) != SN_OK) continue;
        REQUIRE_OK(sn_constraint_get_type(world, c, &found));
        if (found != type) continue;
        REQUIRE_OK(sn_constraint_get(world, c, def));
        return;
    }
}

TEST(stiffness_is_that_of_the_section) {
    double shear = young / (2 * (1 + poisson));
    for (int i = 0; i < SHAPES; i++) {
        const shape *s = &shapes[i];
        measured known = measure(s);
        body b = make(s, 1, 0, false);
        sn_bend_twist_def joint = sn_bend_twist_def_default();
        sn_stretch_shear_def segment = sn_stretch_shear_def_default();
        first_of(b.world, SN_TYPE_BEND_TWIST, &joint);
        first_of(b.world, SN_TYPE_STRETCH_SHEAR, &segment);
        check_case("%s", s->name);
        CHECK_REL((double)segment.stretch_stiffness, young * known.area, 1e-3);
        CHECK_REL((double)joint.bend_stiffness_x, young * known.second_x, 1e-3);
        CHECK_REL((double)joint.bend_stiffness_y, young * known.second_y, 1e-3);
        CHECK_REL((double)joint.twist_stiffness, shear * torsion_of(s), 0.015);
        CHECK_REL(b.build.mass, density * known.area, 1e-3);
        /* About the axis a hundredth of that across at least. */
        sn_node_def node = sn_node_def_default();
        REQUIRE_OK(sn_node_get(b.world, b.nodes[3], &node));
        double m = density * known.area / SEGMENTS, l = 1.0 / SEGMENTS;
        CHECK_REL(1 / (double)node.inverse_inertia.x,
                  m * (known.second_x / known.area + l * l / 12), 1e-3);
        CHECK_REL(1 / (double)node.inverse_inertia.y,
                  m * (known.second_y / known.area + l * l / 12), 1e-3);
        double along = m * (known.second_x + known.second_y) / known.area;
        double across =
            fmin(1 / (double)node.inverse_inertia.x, 1 / (double)node.inverse_inertia.y);
        CHECK_REL(1 / (double)node.inverse_inertia.z, fmax(along, across / 100), 1e-3);
        /* A cylinder of its area touches others. */
        double outer = known.area / (1 - s->hollow * s->hollow);
        CHECK_REL((double)node.radius, sqrt(outer / PI), 1e-3);
        body_free(&b);
    }
}

/* ---- What flows ---- */

/* The distance from a point within to the outside. */
static double depth_of(const shape *s, double x, double y) {
    double a = s->width / 2, b = s->height / 2, least = a + b;
    if (s->section == RECTANGLE) return fmin(a - fabs(x), b - fabs(y));
    for (int i = 0; i <= 400; i++) {
        double t = PI / 2 * i / 400;
        least = fmin(least, hypot(a * cos(t) - fabs(x), b * sin(t) - fabs(y)));
    }
    return least;
}

/* Moments over stress: the sum of |y| and |x| over the area, and of full sections twice a heap of
   sand; a tube of a circle is one less the other. */
TEST(it_flows_where_all_of_it_does) {
    enum { N = 120 };
    double strain = 0.01;
    for (int i = 0; i < SHAPES; i++) {
        const shape *s = &shapes[i];
        double known[3] = {0}, cell = s->width * s->height / N / N;
        for (int j = 0; j < N * N; j++) {
            double x = s->width * ((j / N + 0.5) / N - 0.5);
            double y = s->height * ((j % N + 0.5) / N - 0.5);
            if (!is_inside(s, x, y, 1)) continue;
            bool hole = s->hollow > 0 && is_inside(s, x, y, s->hollow);
            known[0] += hole ? 0 : cell * fabs(y);
            known[1] += hole ? 0 : cell * fabs(x);
            if (x > 0 && y > 0) known[2] += 4 * 2 * cell * depth_of(s, x, y);
        }
        known[2] *= 1 - pow(s->hollow, 3);
        sn_rod_material m = material_of(s);
        m.plastic_yield = (sn_real)strain;
        body b = body_make(still_world(1, 0), SN_KIND_ROD, &m, line_mesh(1, 4), NULL);
        sn_bend_twist_def joint = sn_bend_twist_def_default();
        first_of(b.world, SN_TYPE_BEND_TWIST, &joint);
        check_case("%s", s->name);
        CHECK_REL((double)(joint.yield.x * joint.bend_stiffness_x), young * strain * known[0],
                  0.01);
        CHECK_REL((double)(joint.yield.y * joint.bend_stiffness_y), young * strain * known[1],
                  0.01);
        CHECK_REL((double)(joint.yield.z * joint.twist_stiffness),
                  young * strain / sqrt(3) * known[2], 0.015);
        CHECK_REL((double)joint.plastic_limit, 2 / fmax(s->width, s->height), 1e-5);
        body_free(&b);
    }
}

/* ---- Beams ---- */

/* P L^3 / (3 E I), with 1 + 1 / (2 n^2) of n segments, and Timoshenko's share of shear below a
   percent. A load that bends it by a hundredth of its length, to either side. */
TEST(a_tip_bends_about_both_axes) {
    double L = 0.5;
    for (int i = 0; i < SHAPES; i++)
        for (int side = 0; side < 2; side++) {
            measured known = measure(&shapes[i]);
            double second = side == 0 ? known.second_x : known.second_y, x[3];
            double load = 3 * young * second * 0.01 / (L * L);
            /* Critical for its slowest mode. */
            double slowest = 3.516 * sqrt(young * second / (density * known.area * pow(L, 4)));
            body b = make(&shapes[i], L, 2 * slowest, true);
            check_case("%s, about %s", shapes[i].name, side == 0 ? "x" : "y");
            for (int k = 0; k < 120; k++) {
                sn_vec3 force = {0, side == 0 ? (sn_real)-load : 0, side == 0 ? 0 : (sn_real)-load};
                REQUIRE_OK(sn_node_add_force(b.world, b.nodes[SEGMENTS], force));
                body_run(&b, 1, 1 / slowest / 8);
            }
            body_position(&b, SEGMENTS, x);
            CHECK_REL(side == 0 ? -x[1] : -x[2], 0.01 * L, 0.02);
            CHECK_NEAR(side == 0 ? x[2] : x[1], 0, 1e-3 * L);
            body_free(&b);
        }
}

/* T L / (G J). The torque is on the frame before the last, half a segment from the end of it. */
TEST(a_torque_twists_it) {
    double L = 0.5, shear = young / (2 * (1 + poisson));
    for (int i = 0; i < SHAPES; i++) {
        double turn = 0.4, far = L * (1 - 0.5 / SEGMENTS);
        double torque = turn * shear * torsion_of(&shapes[i]) / far;
        body b = make(&shapes[i], L, 0, true);
        sn_settings settings = sn_settings_default();
        REQUIRE_OK(sn_world_get_settings(b.world, &settings));
        settings.damping = 2000;
        REQUIRE_OK(sn_world_set_settings(b.world, &settings));
        check_case("%s", shapes[i].name);
        sn_node_def before = sn_node_def_default(), after = before;
        REQUIRE_OK(sn_node_get(b.world, b.nodes[SEGMENTS - 1], &before));
        for (int k = 0; k < 400; k++) {
            REQUIRE_OK(sn_node_add_torque(b.world, b.nodes[SEGMENTS - 1],
                                          (sn_vec3){(sn_real)torque, 0, 0}));
            body_run(&b, 1, 0.0002);
        }
        REQUIRE_OK(sn_node_get(b.world, b.nodes[SEGMENTS - 1], &after));
        sn_quat p = before.orientation, q = after.orientation;
        double same = fabs((double)(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w));
        CHECK_REL(2 * acos(fmin(same, 1)), turn, 0.02);
        body_free(&b);
    }
}

/* A trunk along x from the root, and at its end two arms along +-z, whose lines go to the root:
   they weigh on it and do not turn it. With its own weight q and theirs, 2 q a, the end of the
   trunk drops by q L^4 / 8 E I + 2 q a L^3 / 3 E I. */
TEST(branches_hang_on_their_trunk) {
    enum { TRUNK = 12, ARM = 6, COUNT = 1 + TRUNK + 2 * ARM };
    double L = 0.3, a = 0.15, r = 0.003, g = 9.81, x[3];
    double second = PI * pow(r, 4) / 4, q = density * PI * r * r * g;
    sn_vec3 at[COUNT];
    uint32_t lines[COUNT - 1][2];
    int count = 0;
    for (int i = 0; i <= TRUNK; i++) {
        at[i] = (sn_vec3){(sn_real)(L * i / TRUNK), 0, 0};
        if (i > 0) lines[count][0] = (uint32_t)i, lines[count++][1] = (uint32_t)(i - 1);
    }
    for (int side = 0; side < 2; side++)
        for (int i = 1; i <= ARM; i++) {
            int own = TRUNK + side * ARM + i, before = i == 1 ? TRUNK : own - 1;
            at[own] = (sn_vec3){(sn_real)L, 0, (sn_real)((side ? -a : a) * i / ARM)};
            lines[count][0] = (uint32_t)own, lines[count++][1] = (uint32_t)before;
        }
    sn_mesh mesh = points_mesh(at, COUNT);
    REQUIRE_OK(sn_mesh_add_lines(&mesh, (const uint32_t(*)[2])lines, COUNT - 1));
    sn_rod_material m = sn_rod_material_default();
    sn_build_def def = sn_build_def_default();
    static const uint32_t root = 0;
    def.pins = &root;
    def.pin_count = 1;
    def.body.solver = SN_BODY_SOLVER_DIRECT;
    m.young = (sn_real)young;
    m.density = (sn_real)density;
    m.radius = (sn_real)r;
    sn_world *world = still_world(20, 20);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = (sn_vec3){0, (sn_real)-g, 0};
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    body b = body_make(world, SN_KIND_ROD, &m, mesh, &def);
    CHECK(count_type(world, SN_TYPE_STRETCH_SHEAR) == COUNT - 1);
    CHECK(count_type(world, SN_TYPE_BEND_TWIST) == COUNT - 1);
    body_run(&b, 200, 1.0 / 60);
    body_position(&b, TRUNK, x);
    double end = -x[1], stiff = young * second;
    CHECK_REL(end, q * pow(L, 4) / (8 * stiff) + 2 * q * a * pow(L, 3) / (3 * stiff), 0.03);
    /* Both arms alike, and lower. */
    double y[3];
    body_position(&b, TRUNK + ARM, x);
    body_position(&b, TRUNK + 2 * ARM, y);
    CHECK_NEAR(x[1], y[1], 1e-5);
    CHECK(-x[1] > end);
    body_free(&b);
}

/* The width is where it should be, whatever the direction of the rod. */
TEST(the_width_is_across) {
    static const sn_vec3 given[] = {{0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {3, -1, 2}, {0, 0, 0}};
    static const double wide[][3] = {
        {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0, -0.447214, 0.894427}, {0, 0, -1}};
    for (int i = 0; i < 5; i++) {
        sn_rod_material m = material_of(&shapes[5]);
        m.across = given[i];
        body b = body_make(still_world(1, 0), SN_KIND_ROD, &m, line_mesh(1, 4), NULL);
        sn_node_def node = sn_node_def_default();
        REQUIRE_OK(sn_node_get(b.world, b.nodes[2], &node));
        double x = (double)node.orientation.x, y = (double)node.orientation.y;
        double z = (double)node.orientation.z, w = (double)node.orientation.w;
        check_case("%g %g %g", (double)given[i].x, (double)given[i].y, (double)given[i].z);
        CHECK_NEAR(1 - 2 * (y * y + z * z), wide[i][0], 1e-5);
        CHECK_NEAR(2 * (x * y + w * z), wide[i][1], 1e-5);
        CHECK_NEAR(2 * (x * z - w * y), wide[i][2], 1e-5);
        CHECK_NEAR(2 * (x * z + w * y), 1, 1e-5);
        body_free(&b);
    }
}

TEST(a_circle_has_no_width) {
    sn_world *world = still_world(1, 0);
    sn_mesh mesh = line_mesh(1, 4);
    sn_build_def def = sn_build_def_default();
    sn_build build;
    sn_rod_material m = sn_rod_material_default();
    def.mesh = &mesh;
    m.height = (sn_real)0.01;
    uint64_t before = sn_world_hash(world);
    CHECK_FAILS(sn_build_body(world, SN_KIND_ROD, &m, &def, NULL, &build), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "height") && strstr(sn_last_error(), "circle"));
    CHECK(sn_world_hash(world) == before);
    m.section = RECTANGLE;
    m.hollow = 1;
    CHECK_FAILS(sn_build_body(world, SN_KIND_ROD, &m, &def, NULL, &build), SN_ERROR_VALUE);
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
}

TESTS(RUN(stiffness_is_that_of_the_section), RUN(it_flows_where_all_of_it_does),
      RUN(a_tip_bends_about_both_axes), RUN(a_torque_twists_it), RUN(branches_hang_on_their_trunk),
      RUN(the_width_is_across), RUN(a_circle_has_no_width))
