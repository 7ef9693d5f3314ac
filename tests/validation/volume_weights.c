/*
 * Weights of a volume correction as the survey of 2017 has them (section 5.5.3, eq. 32): one
 * projection against the formula, node by node, with the weights of nodes and motions of the step.
 */
#include "check.h"
#include "snapshot.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A ball ---- */

static sn_mesh sphere(uint32_t level) {
    sn_mesh mesh = sn_mesh_default();
    sn_sphere_def def = sn_sphere_def_default();
    def.radius = (sn_real)0.2;
    def.level = level;
    REQUIRE_OK(sn_generate_sphere(&mesh, &def));
    return mesh;
}

enum { WEIGHED = 162 }; /* nodes of the ball */

/* The ball of the defining equation: one node is held, which takes the momentum, so that no rigid
   motion is taken off, and weights are not smoothed. It is flatter than at rest and moves in
   another way at every node, with masses that differ. */
typedef struct weighed {
    sn_world *world;
    sn_mesh mesh;
    sn_node node[WEIGHED];
    sn_constraint volume;
    double x[WEIGHED][3], v[WEIGHED][3], rest[WEIGHED][3]; /* of the nodes; x is after the motion */
    double w[WEIGHED], s[WEIGHED], gradient[WEIGHED][3], error;
} weighed;

static double length3(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double apart(double a[][3], size_t i, size_t k) {
    double to[3] = {a[i][0] - a[k][0], a[i][1] - a[k][1], a[i][2] - a[k][2]};
    return length3(to);
}

static const double substep = 1.0 / 60;

static void make_nodes(weighed *t) {
    for (size_t i = 0; i < WEIGHED; i++) {
        sn_node_def node = sn_node_def_default();
        node.position = t->mesh.positions[i];
        t->w[i] = i == 7 ? 0 : 1 / (0.01 + 0.001 * (double)(i % 5));
        node.inverse_mass = (sn_real)t->w[i];
        REQUIRE_OK(sn_node_create(t->world, &node, &t->node[i]));
        const double rest[3] = {(double)node.position.x, (double)node.position.y,
                                (double)node.position.z};
        memcpy(t->rest[i], rest, sizeof rest);
    }
}

/* C and its gradients where the motion of the substep takes the nodes; then they are at its
   beginning. */
static void place(weighed *t, double motion) {
    static sn_vec3 gradient[WEIGHED];
    sn_real value[SN_MAX_ROWS];
    for (size_t i = 0; i < WEIGHED; i++) {
        double flat[3] = {t->rest[i][0], 0.97 * t->rest[i][1], t->rest[i][2]};
        for (int k = 0; k < 3; k++) {
            t->v[i][k] = t->w[i] > 0 ? motion * (0.2 + (double)((i * 7 + (size_t)k * 3) % 11)) : 0;
            t->x[i][k] = flat[k] + substep * t->v[i][k];
        }
        sn_vec3 x = {(sn_real)t->x[i][0], (sn_real)t->x[i][1], (sn_real)t->x[i][2]};
        REQUIRE_OK(sn_node_set_position(t->world, t->node[i], x));
    }
    REQUIRE_OK(sn_constraint_evaluate(t->world, t->volume, value, gradient));
    t->error = (double)value[0];
    for (size_t i = 0; i < WEIGHED; i++) {
        const double g[3] = {(double)gradient[i].x, (double)gradient[i].y, (double)gradient[i].z};
        memcpy(t->gradient[i], g, sizeof g);
        sn_vec3 x, v = {(sn_real)t->v[i][0], (sn_real)t->v[i][1], (sn_real)t->v[i][2]};
        x = (sn_vec3){(sn_real)t->rest[i][0], (sn_real)(0.97 * t->rest[i][1]),
                      (sn_real)t->rest[i][2]};
        REQUIRE_OK(sn_node_set_position(t->world, t->node[i], x));
        REQUIRE_OK(sn_node_set_velocity(t->world, t->node[i], v));
    }
}

/* With weights of the nodes from 0 to 1: none on one side, a quarter to all on the other. */
static weighed *make_weighed(double opposing, bool by_step, double motion) {
    weighed *t = calloc(1, sizeof *t);
    if (!t) abort();
    sn_real s[WEIGHED], read[WEIGHED];
    sn_world_def def = sn_world_def_default();
    size_t count;
    t->mesh = sphere(2);
    if (t->mesh.vertex_count != WEIGHED) abort();
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 1;
    REQUIRE_OK(sn_world_create(&def, &t->world));
    make_nodes(t);
    sn_surface_volume_def volume = sn_surface_volume_def_default();
    volume.nodes = t->node;
    volume.node_count = WEIGHED;
    volume.triangles = t->mesh.triangles[0];
    volume.triangle_count = t->mesh.triangle_count;
    volume.local = 1;
    volume.opposing = (sn_real)opposing;
    volume.change = by_step;
    volume.smoothing = 0;
    REQUIRE_OK(sn_constraint_create(t->world, SN_TYPE_SURFACE_VOLUME, &volume, &t->volume));
    for (size_t i = 0; i < WEIGHED; i++) {
        t->s[i] = t->rest[i][0] < -0.02 ? 0 : 0.25 * (double)(i % 4 + 1);
        s[i] = (sn_real)t->s[i];
    }
    REQUIRE_OK(sn_constraint_set_weights(t->world, t->volume, s, WEIGHED));
    REQUIRE_OK(sn_constraint_get_weights(t->world, t->volume, read, WEIGHED, &count));
    CHECK(count == WEIGHED);
    for (size_t i = 0; i < WEIGHED; i++) CHECK(read[i] == s[i]);
    place(t, motion);
    return t;
}

static void free_weighed(weighed *t) {
    sn_world_destroy(t->world);
    sn_mesh_free(&t->mesh);
    free(t);
}

/* Over the volume at rest. */
static double lost(const weighed *t) {
    sn_real value[SN_MAX_ROWS], rest[3];
    REQUIRE_OK(sn_constraint_evaluate(t->world, t->volume, value, NULL));
    REQUIRE_OK(sn_constraint_get_field(t->world, t->volume, "rest_volume", rest));
    return fabs((double)value[0] / (double)rest[0]);
}

/* dx_i = -omega_i w_i C grad_i / sum of omega_j w_j |grad_j|^2 in one substep, for weights omega of
   any scale: the largest difference, over the largest correction. What is still is to stay. */
static double off_by(weighed *t, const double omega[WEIGHED], double *still) {
    double sum = 0, worst = 0, most = 0;
    sn_node_view n;
    for (size_t i = 0; i < WEIGHED; i++)
        sum += omega[i] * t->w[i] * length3(t->gradient[i]) * length3(t->gradient[i]);
    REQUIRE_OK(sn_world_step(t->world, (sn_real)substep));
    REQUIRE_OK(sn_world_nodes(t->world, &n));
    *still = 0;
    for (size_t i = 0; i < WEIGHED; i++) {
        double now[3] = {(double)n.position[i].x, (double)n.position[i].y, (double)n.position[i].z};
        double off[3], by[3];
        for (int k = 0; k < 3; k++) {
            by[k] = now[k] - t->x[i][k];
            off[k] = by[k] + omega[i] * t->w[i] * t->error / sum * t->gradient[i][k];
        }
        worst = fmax(worst, length3(off));
        most = fmax(most, length3(by));
        if (omega[i] == 0) *still = fmax(*still, length3(by));
    }
    return worst / most;
}

/* What a position is rounded to, over the corrections, which are above a millimetre: 0.2 m and
   2^-24 in float; ten times that. */
static const double rounding = sizeof(sn_real) == 4 ? 1e-4 : 1e-12;

/* With distances across alone, omega_i = s_i (dd_i + a hundredth of the size of the body): half of
   the ball has no weight and stays where it is, and the other makes up for the whole volume. */
TEST(weights_of_nodes_are_those_of_distances_across) {
    weighed *t = make_weighed(1, false, 0);
    double omega[WEIGHED], still, before = lost(t);
    size_t halves = 0;
    for (size_t i = 0; i < WEIGHED; i++) {
        double far = 1;
        size_t other = i;
        for (size_t k = 0; k < WEIGHED; k++) { /* through the centre */
            double to[3];
            for (int c = 0; c < 3; c++) to[c] = t->rest[k][c] + t->rest[i][c];
            if (length3(to) < far) {
                far = length3(to);
                other = k;
            }
        }
        omega[i] = t->s[i] * (fabs(apart(t->x, i, other) - apart(t->rest, i, other)) + 0.002);
        halves += omega[i] == 0;
    }
    double off = off_by(t, omega, &still), after = lost(t);
    check_case("off by %g; %zu nodes without weight move by %g m; %g lost, then %g", off, halves,
               still, before, after);
    CHECK(halves > 40);
    CHECK_NEAR(off, 0, rounding);
    CHECK_NEAR(still, 0, sizeof(sn_real) == 4 ? 2e-8 : 1e-15);
    /* C is cubic: the second order of a twentieth of the radius, on half of the ball. */
    CHECK(after < 0.1 * before);
    free_weighed(t);
}

/* By motions of the substep, as the paper has it: omega_i = |dx_i|, with nothing added. */
TEST(changes_of_the_step_are_those_of_the_paper) {
    weighed *t = make_weighed(0, true, 0.02);
    double omega[WEIGHED], still, before = lost(t);
    for (size_t i = 0; i < WEIGHED; i++) omega[i] = substep * length3(t->v[i]);
    double off = off_by(t, omega, &still), after = lost(t);
    check_case("off by %g; %g lost, then %g", off, before, after);
    CHECK_NEAR(off, 0, rounding);
    CHECK(after < 0.1 * before);
    free_weighed(t);
}

/* Half of its own, and half of the mean of those that an edge leads to. */
static void smooth(const weighed *t, double omega[WEIGHED]) {
    static bool joined[WEIGHED][WEIGHED];
    double smoothed[WEIGHED];
    memset(joined, 0, sizeof joined);
    for (size_t i = 0; i < t->mesh.triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = t->mesh.triangles[i][k], b = t->mesh.triangles[i][(k + 1) % 3];
            joined[a][b] = joined[b][a] = true;
        }
    for (size_t i = 0; i < WEIGHED; i++) {
        double sum = 0, count = 0;
        for (size_t k = 0; k < WEIGHED; k++) {
            sum += joined[i][k] ? omega[k] : 0;
            count += joined[i][k];
        }
        smoothed[i] = 0.5 * (omega[i] + sum / count);
    }
    memcpy(omega, smoothed, sizeof smoothed);
}

TEST(weights_are_smoothed_over_edges) {
    for (int passes = 0; passes <= 3; passes++) {
        weighed *t = make_weighed(0, true, 0.02);
        double omega[WEIGHED], still;
        sn_real field[3] = {(sn_real)passes, 0, 0};
        REQUIRE_OK(sn_constraint_set_field(t->world, t->volume, "smoothing", field));
        for (size_t i = 0; i < WEIGHED; i++) omega[i] = substep * length3(t->v[i]);
        for (int pass = 0; pass < passes; pass++) smooth(t, omega);
        double off = off_by(t, omega, &still);
        check_case("%d passes, off by %g", passes, off);
        CHECK_NEAR(off, 0, rounding);
        free_weighed(t);
    }
}

/* Both at once, with changes of the step: (1 - b) |dx_i| + b s_i |dd_i|. */
TEST(shares_of_motion_and_distances_add_up) {
    weighed *t = make_weighed(0.6, true, 0.02);
    double omega[WEIGHED], still, flat[WEIGHED][3];
    for (size_t i = 0; i < WEIGHED; i++)
        for (int k = 0; k < 3; k++) flat[i][k] = t->x[i][k] - substep * t->v[i][k];
    for (size_t i = 0; i < WEIGHED; i++) {
        size_t other = i;
        for (size_t k = 0; k < WEIGHED; k++)
            if (apart(t->rest, i, k) > apart(t->rest, i, other)) other = k;
        double across = fabs(apart(t->x, i, other) - apart(flat, i, other));
        omega[i] = 0.4 * substep * length3(t->v[i]) + 0.6 * t->s[i] * across;
    }
    double off = off_by(t, omega, &still);
    check_case("off by %g", off);
    CHECK_NEAR(off, 0, rounding);
    free_weighed(t);
}

/* ---- Bodies that are free ---- */

/* A skewed ball with masses that differ, whose axes are those of nobody; nothing moves. */
static sn_world *make_skewed(sn_node node[WEIGHED], sn_constraint *constraint) {
    sn_mesh mesh = sphere(2);
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 1;
    REQUIRE_OK(sn_world_create(&def, &world));
    for (size_t i = 0; i < WEIGHED; i++) {
        sn_node_def n = sn_node_def_default();
        sn_vec3 x = mesh.positions[i];
        n.position = (sn_vec3){x.x, x.y + x.x / 2, x.z + (x.x + x.y) / 4};
        n.inverse_mass = (sn_real)(1 / (0.01 + 0.001 * (double)(i % 5)));
        REQUIRE_OK(sn_node_create(world, &n, &node[i]));
    }
    sn_surface_volume_def volume = sn_surface_volume_def_default();
    volume.nodes = node;
    volume.node_count = WEIGHED;
    volume.triangles = mesh.triangles[0];
    volume.triangle_count = mesh.triangle_count;
    volume.local = 1;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SURFACE_VOLUME, &volume, constraint));
    sn_mesh_free(&mesh);
    return world;
}

/* Weights push a body where it is dented, and neither shift nor turn it. */
TEST(local_weights_keep_both_momenta) {
    sn_node node[WEIGHED];
    sn_constraint volume;
    sn_world *world = make_skewed(node, &volume);
    sn_node_view n;
    sn_measure m;
    REQUIRE_OK(sn_world_nodes(world, &n));
    for (size_t i = 0; i < WEIGHED; i++) {
        sn_vec4 x = n.position[i];
        double part = x.x > (sn_real)0.05 && x.z > 0 ? 0.8 : 1;
        sn_vec3 in = {(sn_real)part * x.x, (sn_real)part * x.y, (sn_real)part * x.z};
        REQUIRE_OK(sn_node_set_position(world, node[i], in));
    }
    REQUIRE_OK(sn_world_step(world, (sn_real)substep));
    REQUIRE_OK(sn_world_measure(world, &m));
    double size = sqrt(2 * m.mass * m.kinetic_energy);
    CHECK(size > 0.1);
    CHECK_NEAR(length3(m.momentum), 0, rounding * size);
    CHECK_NEAR(length3(m.angular_momentum), 0, 0.2 * rounding * size);
    sn_world_destroy(world);
}

/* What has touched something is not moved by what a larger volume asks for; all others are. */
TEST(what_touches_is_still) {
    static const sn_vec3 corner[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                      {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    static const uint32_t triangles[24] = {2, 4, 0, 2, 1, 4, 2, 5, 1, 2, 0, 5,
                                           3, 0, 4, 3, 4, 1, 3, 1, 5, 3, 5, 0};
    sn_world_def def = sn_world_def_default();
    sn_surface_volume_def volume = sn_surface_volume_def_default();
    sn_collider_def floor = sn_collider_def_default();
    sn_collider collider;
    sn_constraint constraint;
    sn_node node[6];
    sn_world *world;
    sn_real rest[3];
    sn_node_view n;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 1;
    REQUIRE_OK(sn_world_create(&def, &world));
    for (int i = 0; i < 6; i++) {
        sn_node_def one = sn_node_def_default();
        one.position = (sn_vec3){corner[i].x, corner[i].y + 1, corner[i].z};
        one.velocity.y = i == 3 ? (sn_real)-0.01 : 0;
        REQUIRE_OK(sn_node_create(world, &one, &node[i]));
    }
    volume.nodes = node;
    volume.node_count = 6;
    volume.triangles = triangles;
    volume.triangle_count = 8;
    volume.touching = 1;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SURFACE_VOLUME, &volume, &constraint));
    REQUIRE_OK(sn_collider_create(world, &floor, &collider));
    REQUIRE_OK(sn_world_step(world, (sn_real)substep));
    REQUIRE_OK(sn_constraint_get_field(world, constraint, "rest_volume", rest));
    rest[0] *= (sn_real)1.1;
    REQUIRE_OK(sn_constraint_set_field(world, constraint, "rest_volume", rest));
    REQUIRE_OK(sn_world_step(world, (sn_real)substep));
    REQUIRE_OK(sn_world_nodes(world, &n));
    for (int i = 0; i < 6; i++) {
        double by[3] = {(double)(n.position[i].x - corner[i].x),
                        (double)(n.position[i].y - corner[i].y) - 1,
                        (double)(n.position[i].z - corner[i].z)};
        check_case("node %d moves by %g m", i, length3(by));
        /* The floor has stopped it 30 um beside where it was. */
        CHECK(i == 3 ? length3(by) < 1e-4 : length3(by) > 0.01);
    }
    sn_world_destroy(world);
}

/* ---- State ---- */

#define RECORDING (sizeof(sn_real) == 4 ? "volume_weights.rec" : "volume_weights_f64.rec")

/* A cloth with a map: what it gives the volume inside is saved, loaded, recorded and replayed, and
   refused where it is no weight. */
TEST(weights_of_nodes_are_state) {
    sn_mesh mesh = sphere(1);
    sn_world *world, *other;
    sn_build body;
    enum { MOST = 64 };
    sn_real map[MOST], read[MOST];
    size_t count, size = 0;
    sn_constraint volume = {0}, next;
    REQUIRE_OK(sn_world_create(NULL, &world));
    REQUIRE_OK(sn_world_create(NULL, &other));
    for (size_t i = 0; i < mesh.vertex_count; i++)
        map[i] = mesh.positions[i].x < 0 ? 0 : (sn_real)0.75;
    sn_material_map maps[1] = {{"volume_weight", map, mesh.vertex_count}};
    sn_cloth_material surface = sn_cloth_material_default();
    surface.pressure = 1;
    surface.volume_local = surface.volume_opposing = 1;
    sn_build_def build = sn_build_def_default();
    build.mesh = &mesh;
    build.maps = maps;
    build.map_count = 1;
    REQUIRE_OK(sn_recording_start(world, RECORDING));
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &surface, &build, NULL, &body));
    REQUIRE_OK(sn_recording_stop(world));
    for (size_t slot = 0; sn_world_constraint_at(world, slot, &next) == SN_OK; slot++) {
        sn_type type;
        REQUIRE_OK(sn_constraint_get_type(world, next, &type));
        if (type == SN_TYPE_SURFACE_VOLUME) volume = next;
    }
    uint64_t hash = sn_world_hash(world);
    void *data = snapshot_of(world, &size);
    for (size_t i = 0; i < mesh.vertex_count; i++) read[i] = 1;
    REQUIRE_OK(sn_constraint_set_weights(world, volume, read, mesh.vertex_count));
    CHECK_FAILS(sn_constraint_set_weights(world, volume, read, 3), SN_ERROR_VALUE);
    read[5] = (sn_real)1.5;
    CHECK_FAILS(sn_constraint_set_weights(world, volume, read, mesh.vertex_count), SN_ERROR_VALUE);
    REQUIRE_OK(sn_snapshot_load(world, data, size));
    REQUIRE_OK(sn_constraint_get_weights(world, volume, read, MOST, &count));
    CHECK(count == mesh.vertex_count && memcmp(read, map, count * sizeof *read) == 0);
    CHECK(sn_world_hash(world) == hash);
    REQUIRE_OK(sn_replay_file(other, RECORDING, NULL));
    memset(read, 0, sizeof read);
    REQUIRE_OK(sn_world_constraint_at(other, volume.slot - 1, &next));
    REQUIRE_OK(sn_constraint_get_weights(other, next, read, MOST, &count));
    CHECK(count == mesh.vertex_count && memcmp(read, map, count * sizeof *read) == 0);
    remove(RECORDING);
    surface.pressure = SN_AUTO;
    surface.volume_local = surface.volume_opposing = 0;
    CHECK_FAILS(sn_build_body(other, SN_KIND_CLOTH, &surface, &build, NULL, &body), SN_ERROR_VALUE);
    free(data);
    sn_world_destroy(world);
    sn_world_destroy(other);
    sn_mesh_free(&mesh);
}

TESTS(RUN(weights_of_nodes_are_those_of_distances_across),
      RUN(changes_of_the_step_are_those_of_the_paper), RUN(weights_are_smoothed_over_edges),
      RUN(shares_of_motion_and_distances_add_up), RUN(local_weights_keep_both_momenta),
      RUN(what_touches_is_still), RUN(weights_of_nodes_are_state))
