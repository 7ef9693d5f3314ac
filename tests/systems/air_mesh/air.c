/*
 * Air meshes: they are Delaunay and fill what is around bodies; an element that is turned over is
 * put right by the formula of the paper, with momentum kept and no velocity made; what is in each
 * other comes free, what was flattened comes up in order, and who passes along others is not held.
 */
#include "snapshot.h"
#include "validation/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 512, ELEMENTS = 8192 };

static sn_node node[MOST];
static uint32_t triangle[MOST][3], element[ELEMENTS][4];
static size_t nodes, triangles;

static sn_world *make_air(sn_plane plane, int threads, sn_real damping) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.threads = threads;
    def.settings.substeps = 8;
    def.settings.gravity = vector(0, 0, 0);
    def.settings.plane = plane;
    def.settings.damping = damping;
    REQUIRE_OK(sn_world_create(&def, &world));
    nodes = triangles = 0;
    return world;
}

static void step(sn_world *world, int count) {
    for (int i = 0; i < count; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
}

static sn_air_mesh_def air_def(void) {
    sn_air_mesh_def def = sn_air_mesh_def_default();
    def.nodes = node;
    def.node_count = nodes;
    def.triangles = triangles > 0 ? *triangle : NULL;
    def.triangle_count = triangles;
    return def;
}

static sn_air_mesh add_air(sn_world *world, const sn_air_mesh_def *def) {
    sn_air_mesh made;
    REQUIRE_OK(sn_air_mesh_create(world, def, &made));
    return made;
}

static sn_air_mesh_state state_of(const sn_world *world, sn_air_mesh air) {
    sn_air_mesh_state state;
    REQUIRE_OK(sn_air_mesh_get_state(world, air, &state));
    return state;
}

/* Elements with four places each; *frame is the half side of what they fill. */
static size_t read_elements(const sn_world *world, sn_air_mesh air, int corners) {
    static uint32_t flat[4 * ELEMENTS];
    size_t count;
    REQUIRE_OK(sn_air_mesh_get_elements(world, air, flat, ELEMENTS, &count));
    for (size_t e = 0; e < count; e++)
        for (int k = 0; k < corners; k++) element[e][k] = flat[(int)e * corners + k];
    return count;
}

/* ---- Tessellation ---- */

static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Of nodes that tets are around; another along every axis. */
static const vec middle = {8, -16, 32};

/* Where a corner is, of nodes within 1 of the middle that reach as far. */
static vec corner_at(const sn_world *world, uint32_t corner) {
    if (corner < nodes) return position_of(world, node[corner]);
    uint32_t k = corner - (uint32_t)nodes;
    return (vec){middle.x + (k & 1 ? 4 : -4), middle.y + (k & 2 ? 4 : -4),
                 middle.z + (k & 4 ? 4 : -4)};
}

static sn_node add_beside_middle(sn_world *world, double x, double y, double z) {
    return add_node(world, (vec){middle.x + x, middle.y + y, middle.z + z}, 1);
}

/* The middle of the sphere around a tet. */
static vec centre_of(const vec v[4]) {
    vec a = sub(v[1], v[0]), b = sub(v[2], v[0]), c = sub(v[3], v[0]);
    vec bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
    double d = 2 * dot(a, bc), aa = dot(a, a), bb = dot(b, b), cc = dot(c, c);
    return (vec){v[0].x + (aa * bc.x + bb * ca.x + cc * ab.x) / d,
                 v[0].y + (aa * bc.y + bb * ca.y + cc * ab.y) / d,
                 v[0].z + (aa * bc.z + bb * ca.z + cc * ab.z) / d};
}

/* Tets fill the cube once, and no node is in the sphere of one, but for the 1e-4 by which nodes
   are moved so that no five of them are on one sphere. */
TEST(tets_are_those_of_delaunay) {
    sn_world *world = make_air(SN_PLANE_NONE, 1, 0);
    uint32_t seed = 7;
    for (int k = 0; k < 8; k++)
        node[nodes++] = add_beside_middle(world, k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    while (nodes < 120) {
        double x = noise(&seed), y = noise(&seed), z = noise(&seed);
        node[nodes++] = add_beside_middle(world, x, y, z);
    }
    sn_air_mesh_def def = air_def();
    sn_air_mesh air = add_air(world, &def);
    size_t count = read_elements(world, air, 4);
    double volume = 0;
    for (size_t e = 0; e < count; e++) {
        vec v[4];
        for (int k = 0; k < 4; k++) v[k] = corner_at(world, element[e][k]);
        double six = dot(sub(v[1], v[0]), cross(sub(v[2], v[0]), sub(v[3], v[0])));
        CHECK(six > -1e-3);
        volume += six / 6;
        vec centre = centre_of(v);
        double radius = length(sub(v[0], centre));
        for (size_t i = 0; i < nodes && radius < 10; i++)
            CHECK(length(sub(position_of(world, node[i]), centre)) > radius - 0.005 * (1 + radius));
    }
    CHECK_NEAR(volume, 512, 1e-3);
    sn_world_destroy(world);
}

/* A square of n by n quads whose lower corner is at (x, y), its nodes joined by links. */
static void add_square(sn_world *world, double x, double y, double size, uint32_t n) {
    uint32_t first = (uint32_t)nodes;
    for (uint32_t i = 0; i < (n + 1) * (n + 1); i++)
        node[nodes++] = add_node(
            world, (vec){x + size * (i % (n + 1)) / n, y + size * (i / (n + 1)) / n, 0}, 0.1);
    for (uint32_t i = 0; i < n * n; i++) {
        uint32_t a = first + i / n * (n + 1) + i % n, b = a + 1, c = a + n + 1, d = c + 1;
        memcpy(triangle[triangles++], (uint32_t[3]){a, b, d}, sizeof *triangle);
        memcpy(triangle[triangles++], (uint32_t[3]){a, d, c}, sizeof *triangle);
    }
}

static void link_triangles(sn_world *world, double compliance) {
    for (size_t t = 0; t < triangles; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = triangle[t][k], b = triangle[t][(k + 1) % 3];
            double rest = length(sub(position_of(world, node[a]), position_of(world, node[b])));
            /* An edge between two is named by both, in either direction. */
            bool outer = true;
            for (size_t o = 0; o < t && outer; o++)
                for (int j = 0; j < 3; j++)
                    outer &= !(triangle[o][j] == b && triangle[o][(j + 1) % 3] == a);
            if (outer) add_link(world, node[a], node[b], rest, compliance);
        }
}

/* Triangles have the area of all around the bodies, with `inside` that of all. */
TEST(triangles_fill_what_is_around) {
    sn_world *world = make_air(SN_PLANE_XY, 1, 0);
    add_square(world, -1, -1, 0.5, 3);
    add_square(world, 0.25, 0.25, 0.75, 4);
    for (int inside = 0; inside < 2; inside++) {
        sn_air_mesh_def def = air_def();
        def.inside = inside;
        sn_air_mesh air = add_air(world, &def);
        size_t count = read_elements(world, air, 3);
        double area = 0;
        for (size_t e = 0; e < count; e++) {
            vec v[3];
            for (int k = 0; k < 3; k++) {
                uint32_t c = element[e][k] - (uint32_t)nodes;
                v[k] = element[e][k] < nodes ? position_of(world, node[element[e][k]])
                                             : (vec){c == 1 || c == 2 ? 4 : -4, c >= 2 ? 4 : -4, 0};
            }
            double twice = cross(sub(v[1], v[0]), sub(v[2], v[0])).z;
            CHECK(twice > 0);
            area += twice / 2;
        }
        CHECK_NEAR(area, 64 - (inside ? 0 : 0.25 + 0.5625), 1e-4);
        CHECK(state_of(world, air).inverted == 0 && state_of(world, air).corners == 3);
        CHECK_OK(sn_air_mesh_destroy(world, air));
        CHECK(!sn_air_mesh_is_valid(world, air));
    }
    sn_world_destroy(world);
}

static bool has_corner(size_t e, int corners, uint32_t corner) {
    for (int k = 0; k < corners; k++)
        if (element[e][k] == corner) return true;
    return false;
}

/* How many elements have all corners of a list. */
static size_t count_with(size_t count, int corners, const uint32_t *list, int length) {
    size_t found = 0;
    for (size_t e = 0; e < count; e++) {
        bool all = true;
        for (int k = 0; k < length; k++) all = all && has_corner(e, corners, list[k]);
        found += all;
    }
    return found;
}

static double volume_of(const vec v[4]) {
    return dot(cross(sub(v[1], v[0]), sub(v[2], v[0])), sub(v[3], v[0]));
}

/* How many tets have a point of the triangle of the first three nodes within, by looking at many of
   them. */
static size_t count_crossing(const sn_world *world, size_t count) {
    enum { PARTS = 40 };
    vec t[3], low = position_of(world, node[0]), high = low;
    size_t crossing = 0;
    for (size_t i = 0; i < nodes; i++) {
        vec x = position_of(world, node[i]);
        if (i < 3) t[i] = x;
        low = (vec){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
        high = (vec){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
    }
    double far = 2 * fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    for (size_t e = 0; e < count; e++) {
        vec v[4];
        bool within = false;
        for (int i = 0; i < 4; i++) {
            uint32_t k = element[e][i] - (uint32_t)nodes;
            v[i] = element[e][i] < nodes ? position_of(world, node[element[e][i]])
                                         : (vec){(low.x + high.x) / 2 + (k & 1 ? far : -far),
                                                 (low.y + high.y) / 2 + (k & 2 ? far : -far),
                                                 (low.z + high.z) / 2 + (k & 4 ? far : -far)};
        }
        for (int i = 1; i < PARTS * PARTS && !within; i++) {
            double a = (double)(i % PARTS) / PARTS, b = (double)(i / PARTS) / PARTS;
            if (a + b >= 1 || a <= 0 || b <= 0) continue;
            vec x = {t[0].x + a * (t[1].x - t[0].x) + b * (t[2].x - t[0].x),
                     t[0].y + a * (t[1].y - t[0].y) + b * (t[2].y - t[0].y),
                     t[0].z + a * (t[1].z - t[0].z) + b * (t[2].z - t[0].z)};
            within = true;
            for (int k = 0; k < 4; k++) {
                vec w[4] = {v[0], v[1], v[2], v[3]};
                w[k] = x;
                within = within && volume_of(w) / volume_of(v) > 1e-5;
            }
        }
        crossing += within;
    }
    return crossing;
}

/* Two nodes above and below the middle of a triangle are nearer to each other than to its corners:
   tets join them, and none does where the triangle is of a body. All others stay. */
TEST(no_tet_goes_through_a_triangle) {
    size_t left = 0;
    for (int body = 0; body < 2; body++)
        for (int turned = 0; turned < 2; turned++) {
            sn_world *world = make_air(SN_PLANE_NONE, 1, 0);
            for (int i = 0; i < 3; i++)
                node[nodes++] = add_node(world, (vec){cos(2.1 * i), 0, sin(2.1 * i)}, 1);
            node[nodes++] = add_node(world, (vec){0.1, 0.2, 0.05}, 1);
            node[nodes++] = add_node(world, (vec){-0.05, -0.25, 0.1}, 1);
            uint32_t corner[3] = {0, turned ? 2 : 1, turned ? 1 : 2};
            if (body) memcpy(triangle[triangles++], corner, sizeof corner);
            sn_air_mesh_def def = air_def();
            sn_air_mesh air = add_air(world, &def);
            size_t count = read_elements(world, air, 4);
            check_case("body %d, turned %d, %zu elements", body, turned, count);
            CHECK((count_with(count, 4, (uint32_t[2]){3, 4}, 2) == 0) == (body == 1));
            CHECK(count_with(count, 4, (uint32_t[1]){3}, 1) > 0);
            size_t crossing = count_crossing(world, count);
            CHECK((crossing == 0) == (body == 1));
            if (!body) left = count - crossing;
            CHECK(count - crossing == left);
            sn_world_destroy(world);
        }
}

/* A long edge with a node close to it on either side: that between the nodes would be better, but
   not where the edge is said to be a line. */
TEST(lines_are_not_flipped) {
    for (int line = 0; line < 2; line++) {
        sn_world *world = make_air(SN_PLANE_XY, 1, 0);
        uint32_t edge[2] = {1, 0}, other[2] = {2, 3};
        sn_vec3 rest[4] = {vector(-0.2, 0, 0), vector(0.2, 0, 0), vector(0, 1, 0),
                           vector(0, -1, 0)};
        vec at[4] = {{-1, 0, 0}, {1, 0, 0}, {0, 0.12, 0}, {0, -0.12, 0}};
        for (int i = 0; i < 4; i++) node[nodes++] = add_node(world, at[i], 1);
        sn_air_mesh_def def = air_def();
        def.rest = rest;
        def.flips = 4;
        def.edges = line ? edge : NULL;
        def.edge_count = (size_t)line;
        sn_air_mesh air = add_air(world, &def);
        size_t count = read_elements(world, air, 3);
        CHECK(count_with(count, 3, edge, 2) == 2 && count_with(count, 3, other, 2) == 0);
        step(world, 1);
        count = read_elements(world, air, 3);
        check_case("line %d", line);
        CHECK(count_with(count, 3, edge, 2) == (line ? 2u : 0u));
        CHECK(count_with(count, 3, other, 2) == (line ? 0u : 2u));
        sn_world_destroy(world);
    }
}

/* Two tets on either side of a triangle become three around the edge between their tips, where
   these have come near, and the other way round, where they have gone. A triangle of a body
   stays. */
TEST(faces_and_edges_of_tets_are_flipped) {
    for (int k = 0; k < 3; k++) {
        sn_world *world = make_air(SN_PLANE_NONE, 1, 0);
        const uint32_t face[3] = {0, 1, 2}, tips[2] = {3, 4};
        const bool apart = k == 1, body = k == 2;
        const double rest_height = apart ? 0.1 : 1.5, height = apart ? 3 : 0.1;
        sn_vec3 rest[5];
        for (int i = 0; i < 5; i++) {
            double x = i < 3 ? cos(2.1 * i) : 0.02 * i, z = i < 3 ? sin(2.1 * i) : 0.03;
            double up = i == 3 ? 1 : i == 4 ? -1 : 0;
            rest[i] = vector(x, up * rest_height, z);
            node[nodes++] = add_node(world, (vec){x, up * height, z}, 1);
        }
        if (body) memcpy(triangle[triangles++], face, sizeof face);
        sn_air_mesh_def def = air_def();
        def.rest = rest;
        def.flips = 4;
        sn_air_mesh air = add_air(world, &def);
        size_t count = read_elements(world, air, 4);
        check_case("%s", apart ? "apart" : body ? "near, a body" : "near");
        CHECK(count_with(count, 4, face, 3) == (apart ? 0u : 2u));
        CHECK(count_with(count, 4, tips, 2) == (apart ? 3u : 0u));
        step(world, 1);
        size_t after = read_elements(world, air, 4);
        CHECK(count_with(after, 4, face, 3) == (apart || body ? 2u : 0u));
        CHECK(count_with(after, 4, tips, 2) == (apart || body ? 0u : 3u));
        sn_world_destroy(world);
    }
}

/* ---- Projection ---- */

/* dx_i = -w_i C grad_i C / sum_j w_j |grad_j C|^2 of a tet that is turned over when the step
   begins, by no more in a substep than the recovery speed allows; that is a change of place
   alone. */
static void check_recovery(double speed) {
    static const double mass[4] = {1, 2, 3, 0.5};
    sn_vec3 rest[4] = {vector(0, 0, 0), vector(1, 0.2, 0), vector(0.1, 1, 0), vector(0.3, 0.4, 1)};
    vec at[4] = {{0, 0, 0}, {1, 0.2, 0}, {0.1, 1, 0}, {0.35, 0.4, -0.01}}, grad[4];
    vec sum = {0, 0, 0};
    sn_world *world = make_air(SN_PLANE_NONE, 1, 0);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 1;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    for (int i = 0; i < 4; i++) node[nodes++] = add_node(world, at[i], mass[i]);
    sn_air_mesh_def def = air_def();
    def.rest = rest;
    def.flips = 0;
    def.sweeps = 1;
    def.recovery_speed = (sn_real)speed;
    sn_air_mesh air = add_air(world, &def);
    CHECK(state_of(world, air).inverted == 1);
    step(world, 1);
    double c = 0, all = 0;
    for (int k = 0; k < 3; k++) {
        grad[k + 1] = cross(at[(k + 1) % 3 + 1], at[(k + 2) % 3 + 1]);
        sum = (vec){sum.x + grad[k + 1].x, sum.y + grad[k + 1].y, sum.z + grad[k + 1].z};
    }
    grad[0] = (vec){-sum.x, -sum.y, -sum.z};
    c = dot(at[1], grad[1]);
    double longest = 0, part = 1;
    for (int k = 0; k < 4; k++) all += dot(grad[k], grad[k]) / mass[k];
    for (int k = 0; k < 4; k++)
        longest = fmax(longest, fabs(c) * length(grad[k]) / (mass[k] * all));
    if (longest > speed / 60) part = speed / 60 / longest;
    check_case("%g m/s, %g of the way", speed, part);
    for (int k = 0; k < 4; k++) {
        vec moved = sub(position_of(world, node[k]), at[k]);
        double s = -part * c / (mass[k] * all);
        CHECK_NEAR(moved.x, s * grad[k].x, TOL(1e-12, 1e-7));
        CHECK_NEAR(moved.y, s * grad[k].y, TOL(1e-12, 1e-7));
        CHECK_NEAR(moved.z, s * grad[k].z, TOL(1e-12, 1e-7));
        CHECK(length(velocity_of(world, node[k])) < TOL(1e-10, 1e-4));
    }
    sn_world_destroy(world);
}

TEST(an_element_is_put_right_by_the_formula) {
    check_recovery(100);
    check_recovery(0.1);
}

/* A node that flies at a triangle takes it along: nothing passes, and momentum stays. */
TEST(who_flies_at_a_triangle_does_not_pass) {
    sn_world *world = make_air(SN_PLANE_NONE, 1, 0);
    for (int i = 0; i < 3; i++)
        node[nodes++] = add_node(world, (vec){cos(2.1 * i), 0, -sin(2.1 * i)}, 1);
    node[nodes++] = add_node(world, (vec){0.1, 0.5, 0.05}, 2);
    for (int i = 0; i < 3; i++) add_link(world, node[i], node[(i + 1) % 3], 2 * sin(1.05), 0);
    memcpy(triangle[triangles++], (uint32_t[3]){0, 1, 2}, sizeof *triangle);
    sn_air_mesh_def def = air_def();
    sn_air_mesh air = add_air(world, &def);
    REQUIRE_OK(sn_node_set_velocity(world, node[3], vector(0, -3, 0)));
    step(world, 30);
    vec a = position_of(world, node[0]), ab = sub(position_of(world, node[1]), a);
    vec up = cross(ab, sub(position_of(world, node[2]), a));
    CHECK(dot(up, sub(position_of(world, node[3]), a)) > -1e-4);
    vec momentum = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        vec v = velocity_of(world, node[i]);
        double mass = i < 3 ? 1 : 2;
        momentum = (vec){momentum.x + mass * v.x, momentum.y + mass * v.y, momentum.z + mass * v.z};
    }
    CHECK(fabs(momentum.x) < TOL(1e-9, 1e-3) && fabs(momentum.z) < TOL(1e-9, 1e-3));
    CHECK_NEAR(momentum.y, -6, TOL(1e-9, 1e-3));
    CHECK(velocity_of(world, node[0]).y < -0.1);
    CHECK(state_of(world, air).inverted == 0);
    sn_world_destroy(world);
}

/* ---- Memory ---- */

static double mean_height(const sn_world *world, size_t first, size_t count) {
    double sum = 0;
    for (size_t i = first; i < first + count; i++) sum += position_of(world, node[i]).y;
    return sum / (double)count;
}

/* Three squares over each other are flattened until all of them lie on one line, and come up again
   in their order. */
TEST(what_was_flattened_comes_up_in_order) {
    sn_world *world = make_air(SN_PLANE_XY, 1, 0);
    for (int i = 0; i < 3; i++) add_square(world, 0, 0.4 * i, 0.3, 2);
    link_triangles(world, 1e-5);
    sn_air_mesh_def def = air_def();
    def.inside = true;
    sn_air_mesh air = add_air(world, &def);
    for (size_t i = 0; i < nodes; i++)
        REQUIRE_OK(
            sn_node_set_position(world, node[i], vector(position_of(world, node[i]).x, 0, 0)));
    step(world, 120);
    CHECK(state_of(world, air).inverted == 0);
    for (size_t i = 0; i < 2; i++)
        CHECK(mean_height(world, 9 * i + 9, 9) > mean_height(world, 9 * i, 9) + 0.15);
    /* They are what they were, and not folded. */
    for (size_t t = 0; t < triangles; t++) {
        vec a = position_of(world, node[triangle[t][0]]);
        vec b = position_of(world, node[triangle[t][1]]);
        vec c = position_of(world, node[triangle[t][2]]);
        CHECK_NEAR(cross(sub(b, a), sub(c, a)).z, 0.0225, 0.005);
    }
    sn_world_destroy(world);
}

/* Two layers of cloth, of which the upper one sags through the lower one in the middle. */
static sn_air_mesh add_layers(sn_world *world) {
    enum { N = 7 };
    sn_vec3 rest[2 * N * N];
    for (int layer = 0; layer < 2; layer++)
        for (int i = 0; i < N * N; i++) {
            vec x = {0.1 * (i % N), 0.08 * layer, 0.1 * (i / N)};
            rest[nodes] = vector(x.x, x.y, x.z);
            node[nodes++] = add_node(world, x, 0.01);
        }
    for (uint32_t layer = 0; layer < 2; layer++)
        for (uint32_t i = 0; i < (N - 1) * (N - 1); i++) {
            uint32_t a = layer * N * N + i / (N - 1) * N + i % (N - 1), b = a + 1, c = a + N;
            memcpy(triangle[triangles++], (uint32_t[3]){a, c, b}, sizeof *triangle);
            memcpy(triangle[triangles++], (uint32_t[3]){b, c, c + 1}, sizeof *triangle);
        }
    sn_air_mesh_def def = air_def();
    def.rest = rest;
    link_triangles(world, 1e-4);
    for (int i = 0; i < N * N; i++) {
        sn_vec3 x = rest[N * N + i];
        double r = hypot((double)x.x - 0.3, (double)x.z - 0.3);
        if (r < 0.25) x.y -= (sn_real)(0.2 * (1 - r / 0.25));
        REQUIRE_OK(sn_node_set_position(world, node[N * N + i], x));
    }
    return add_air(world, &def);
}

TEST(layers_in_each_other_come_free) {
    sn_world *world = make_air(SN_PLANE_NONE, 1, 2);
    sn_air_mesh air = add_layers(world);
    size_t before = state_of(world, air).inverted;
    CHECK(before > 10);
    step(world, 60);
    CHECK(state_of(world, air).inverted == 0);
    for (int i = 0; i < 49; i++)
        CHECK(position_of(world, node[i + 49]).y > position_of(world, node[i]).y - 1e-3);
    sn_world_destroy(world);
}

/* ---- Flips ---- */

/* A square that passes over another one: with flips it is not held, without them it is. */
TEST(who_passes_along_others_is_not_held) {
    double kept[2];
    for (int flips = 0; flips < 2; flips++) {
        sn_world *world = make_air(SN_PLANE_XY, 1, 0);
        add_square(world, 0, 0, 0.3, 2);
        add_square(world, -1, 0.35, 0.3, 2);
        link_triangles(world, 0);
        sn_air_mesh_def def = air_def();
        def.flips = flips ? sn_air_mesh_def_default().flips : 0;
        sn_air_mesh air = add_air(world, &def);
        for (int i = 9; i < 18; i++)
            REQUIRE_OK(sn_node_set_velocity(world, node[i], vector(2, 0, 0)));
        step(world, 60);
        kept[flips] = velocity_of(world, node[13]).x;
        if (flips) CHECK(state_of(world, air).inverted == 0);
        sn_world_destroy(world);
    }
    CHECK_NEAR(kept[1], 2, 1e-4);
    CHECK(kept[0] < 1.5);
}

/* ---- The rest ---- */

TEST(threads_and_snapshots_do_not_matter) {
    uint64_t expected = 0;
    for (int k = 0; k < 3; k++) {
        sn_world *world = make_air(SN_PLANE_NONE, k == 1 ? 3 : 1, 2);
        (void)add_layers(world);
        step(world, 10);
        if (k == 2) {
            size_t size = 0;
            void *data = snapshot_of(world, &size);
            step(world, 3);
            REQUIRE_OK(sn_snapshot_load(world, data, size));
            free(data);
        }
        step(world, 20);
        uint64_t hash = sn_world_hash(world);
        if (k == 0) expected = hash;
        CHECK(hash == expected);
        sn_world_destroy(world);
    }
}

TEST(wrong_ones_are_refused_and_others_go_with_their_nodes) {
    sn_world *world = make_air(SN_PLANE_XY, 1, 0);
    static const uint32_t crossing[4] = {0, 3, 1, 2};
    for (int i = 0; i < 4; i++) node[nodes++] = add_node(world, (vec){i % 2, i / 2, 0}, 1);
    sn_air_mesh_def def = air_def();
    sn_air_mesh air;
    def.edges = crossing;
    def.edge_count = 2;
    CHECK_FAILS(sn_air_mesh_create(world, &def, &air), SN_ERROR_DEGENERATE);
    def.edge_count = 1;
    CHECK_OK(sn_air_mesh_create(world, &def, &air));
    CHECK_OK(sn_air_mesh_get(world, air, &def));
    CHECK(def.node_count == 4 && def.edge_count == 1 && def.edges[1] == 3);
    def.recovery_speed = 3;
    CHECK_OK(sn_air_mesh_set(world, air, &def));
    CHECK_OK(sn_air_mesh_get(world, air, &def));
    CHECK(def.recovery_speed == 3);
    step(world, 1);
    CHECK_OK(sn_node_destroy(world, node[2]));
    CHECK(!sn_air_mesh_is_valid(world, air));
    step(world, 1);
    sn_world_destroy(world);
}

TESTS(RUN(tets_are_those_of_delaunay), RUN(triangles_fill_what_is_around),
      RUN(no_tet_goes_through_a_triangle), RUN(lines_are_not_flipped),
      RUN(faces_and_edges_of_tets_are_flipped), RUN(an_element_is_put_right_by_the_formula),
      RUN(who_flies_at_a_triangle_does_not_pass), RUN(what_was_flattened_comes_up_in_order),
      RUN(layers_in_each_other_come_free), RUN(who_passes_along_others_is_not_held),
      RUN(threads_and_snapshots_do_not_matter),
      RUN(wrong_ones_are_refused_and_others_go_with_their_nodes))
