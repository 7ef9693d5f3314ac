/* Blocks of nodes in a lattice, held together by a matching: what tests of regions are made of. */
#ifndef SINEW_TESTS_SYSTEMS_SHAPE_MATCHING_LATTICE_BLOCKS_H
#define SINEW_TESTS_SYSTEMS_SHAPE_MATCHING_LATTICE_BLOCKS_H

#include "check.h"
#include "snapshot.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    sn_world *world;
    size_t count;
    sn_node *node;
    sn_vec3 *rest;
    sn_shape_matching matching;
    sn_shape_matching_def def; /* to be changed before block_match */
    sn_regions regions;
} block;

typedef struct block_shape {
    int cells[3];
    double spacing;
    int fixed;   /* how many layers of nodes at the lowest x are kinematic */
    int threads; /* 0: 1 */
    int substeps;
    double gravity;
    bool oriented;
    sn_body body; /* where its nodes are not free */
} block_shape;

static inline sn_world *block_world(const block_shape *s) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.settings.substeps = s->substeps;
    def.settings.gravity = (sn_vec3){0, (sn_real)-s->gravity, 0};
    def.threads = s->threads > 0 ? s->threads : 1;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* The nodes of a block, 1 kg in all; a world of its own where there is none yet. */
static inline block block_make(const block_shape *s, sn_world *world) {
    block b = {.world = world ? world : block_world(s),
               .def = sn_shape_matching_def_default(),
               .regions = sn_regions_default()};
    const int *n = s->cells;
    b.count = (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
    b.node = calloc(b.count, sizeof *b.node);
    b.rest = calloc(b.count, sizeof *b.rest);
    size_t at = 0;
    for (int z = 0; z <= n[2]; z++)
        for (int y = 0; y <= n[1]; y++)
            for (int x = 0; x <= n[0]; x++, at++) {
                sn_node_def def = sn_node_def_default();
                def.position = (sn_vec3){(sn_real)(x * s->spacing), (sn_real)(y * s->spacing),
                                         (sn_real)(z * s->spacing)};
                def.inverse_mass = x < s->fixed ? 0 : (sn_real)b.count;
                def.body = s->body;
                def.oriented = s->oriented;
                double inertia = 0.4 / (double)b.count * s->spacing * s->spacing / 4;
                sn_real w = x < s->fixed ? 0 : (sn_real)(1 / inertia);
                def.inverse_inertia = (sn_vec3){w, w, w};
                REQUIRE_OK(sn_node_create(b.world, &def, &b.node[at]));
                b.rest[at] = def.position;
            }
    b.def.nodes = b.node;
    b.def.node_count = b.count;
    b.def.oriented = s->oriented;
    return b;
}

/* Cubes of this many cells each way; none: one region of all. */
static inline void block_match(block *b, double spacing, int omega) {
    if (omega > 0) {
        REQUIRE_OK(
            sn_regions_cubes(b->rest, b->count, (sn_real)spacing, (uint32_t)omega, &b->regions));
        b->def.first = b->regions.first;
        b->def.members = b->regions.members;
        b->def.centres = b->regions.centres;
        b->def.region_count = b->regions.count;
    }
    REQUIRE_OK(sn_shape_matching_create(b->world, &b->def, &b->matching));
}

static inline void block_free(block *b, bool with_world) {
    if (with_world) sn_world_destroy(b->world);
    sn_regions_free(&b->regions);
    free(b->node);
    free(b->rest);
}

static inline void block_step(sn_world *world, int steps, double dt) {
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(world, (sn_real)dt));
}

/* Momentum, angular momentum about the origin with that of frames, and the sum of m |v|. */
typedef struct block_motion {
    double p[3], l[3], size;
} block_motion;

static inline void block_turn(const sn_quat *q, const double in[3], double out[3]) {
    double x = (double)q->x, y = (double)q->y, z = (double)q->z, w = (double)q->w;
    double t[3] = {2 * (y * in[2] - z * in[1]), 2 * (z * in[0] - x * in[2]),
                   2 * (x * in[1] - y * in[0])};
    out[0] = in[0] + w * t[0] + (y * t[2] - z * t[1]);
    out[1] = in[1] + w * t[1] + (z * t[0] - x * t[2]);
    out[2] = in[2] + w * t[2] + (x * t[1] - y * t[0]);
}

static inline block_motion block_measure(const sn_world *world) {
    block_motion sum = {0};
    sn_node_view n;
    sn_frame_view f;
    REQUIRE_OK(sn_world_nodes(world, &n));
    REQUIRE_OK(sn_world_frames(world, &f));
    for (size_t i = 0; i < n.count; i++) {
        if (!n.alive[i] || !(n.inverse_mass[i] > 0)) continue;
        double m = 1 / (double)n.inverse_mass[i];
        double x[3] = {(double)n.position[i].x, (double)n.position[i].y, (double)n.position[i].z};
        double v[3] = {(double)n.velocity[i].x, (double)n.velocity[i].y, (double)n.velocity[i].z};
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            sum.p[a] += m * v[a];
            sum.l[a] += m * (x[b] * v[c] - x[c] * v[b]);
        }
        sum.size += m * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    for (size_t i = 0; i < f.count; i++) {
        if (!f.alive[i] || !(f.inverse_inertia[i].x > 0)) continue;
        double l[3] = {(double)f.angular_velocity[i].x / (double)f.inverse_inertia[i].x,
                       (double)f.angular_velocity[i].y / (double)f.inverse_inertia[i].y,
                       (double)f.angular_velocity[i].z / (double)f.inverse_inertia[i].z};
        double out[3];
        block_turn(&f.orientation[i], l, out);
        for (int a = 0; a < 3; a++) sum.l[a] += out[a];
    }
    return sum;
}

static inline double block_length(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static inline double block_off(const double a[3], const double b[3]) {
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return block_length(d);
}

static inline sn_vec3 block_at(const sn_world *world, sn_node node) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def.position;
}

/* The same numbers everywhere, from -1 to 1. */
static inline double block_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

static inline void block_shake(const block *b, double speed, uint32_t seed) {
    for (size_t i = 0; i < b->count; i++) {
        sn_vec3 v = {(sn_real)(speed * block_random(&seed)), (sn_real)(speed * block_random(&seed)),
                     (sn_real)(speed * block_random(&seed))};
        REQUIRE_OK(sn_node_set_velocity(b->world, b->node[i], v));
    }
}

#endif
