/* Blocks of particles in a basin, for tests of fluids. */
#ifndef TESTS_SYSTEMS_FLUID_POOL_H
#define TESTS_SYSTEMS_FLUID_POOL_H

#include <sinew/sinew.h>

#include "check.h"
#include "snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOL(f64, f32) (sizeof(sn_real) == sizeof(double) ? (f64) : (f32))
#define GRAVITY 9.81

typedef struct pool {
    sn_world *world;
    sn_node *node;
    size_t count;
    sn_fluid fluid;
} pool;

static inline sn_world *make_world(double gravity, int threads) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.settings.gravity = (sn_vec3){0, (sn_real)-gravity, 0};
    def.settings.substeps = 10;
    def.threads = threads;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* A block of nx by ny by nz particles at a spacing in m, with its lowest corner at `from`. */
static inline pool add_block_to(sn_world *world, sn_body body, const int size[3], double spacing,
                                sn_vec3 from, double density, double viscosity) {
    pool p = {.world = world, .count = (size_t)(size[0] * size[1] * size[2])};
    p.node = calloc(p.count, sizeof *p.node);
    size_t at = 0;
    for (int x = 0; x < size[0]; x++)
        for (int y = 0; y < size[1]; y++)
            for (int z = 0; z < size[2]; z++) {
                sn_node_def def = sn_node_def_default();
                def.position = (sn_vec3){from.x + (sn_real)(spacing * (x + 0.5)),
                                         from.y + (sn_real)(spacing * (y + 0.5)),
                                         from.z + (sn_real)(spacing * (z + 0.5))};
                def.inverse_mass = (sn_real)(1 / (density * spacing * spacing * spacing));
                def.radius = (sn_real)(spacing / 2);
                def.body = body;
                REQUIRE_OK(sn_node_create(world, &def, &p.node[at++]));
            }
    sn_fluid_def def = sn_fluid_def_default();
    def.nodes = p.node;
    def.node_count = p.count;
    def.rest_density = (sn_real)density;
    def.viscosity = (sn_real)viscosity;
    REQUIRE_OK(sn_fluid_create(world, &def, &p.fluid));
    return p;
}

static inline pool add_block(sn_world *world, const int size[3], double spacing, sn_vec3 from,
                             double density, double viscosity) {
    return add_block_to(world, (sn_body){0}, size, spacing, from, density, viscosity);
}

static inline void add_wall(sn_world *world, sn_vec3 position, sn_vec3 axis, double angle) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider;
    sn_real s = (sn_real)sin(angle / 2);
    def.shape = SN_SHAPE_PLANE;
    def.position = position;
    def.orientation = (sn_quat){s * axis.x, s * axis.y, s * axis.z, (sn_real)cos(angle / 2)};
    def.static_friction = def.dynamic_friction = 0;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
}

/* A floor at y = 0 and four walls around a floor of this size, from the origin on. */
static inline void add_basin(sn_world *world, double width, double depth) {
    const double quarter = 1.57079632679489662;
    add_wall(world, (sn_vec3){0, 0, 0}, (sn_vec3){0, 0, 1}, 0);
    add_wall(world, (sn_vec3){0, 0, 0}, (sn_vec3){0, 0, 1}, -quarter);
    add_wall(world, (sn_vec3){(sn_real)width, 0, 0}, (sn_vec3){0, 0, 1}, quarter);
    add_wall(world, (sn_vec3){0, 0, 0}, (sn_vec3){1, 0, 0}, quarter);
    add_wall(world, (sn_vec3){0, 0, (sn_real)depth}, (sn_vec3){1, 0, 0}, -quarter);
}

static inline void run(sn_world *world, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
}

/* Saves a world, runs it on for some frames, and goes back. */
static inline void go_back(sn_world *world, int frames) {
    size_t size = 0;
    void *data = snapshot_of(world, &size);
    run(world, frames);
    CHECK_OK(sn_snapshot_load(world, data, size));
    free(data);
}

/* Ways of running that must not change a bit: as it is, with threads, with one lane, and with going
   back to snapshots, which is for the last to do. */
enum { WAYS = 4, GOES_BACK = WAYS - 1 };

static inline sn_world *make_in_way(int way) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.settings.substeps = 4;
    def.threads = way == 1 ? 3 : 1;
    def.simd_width = way == 2 ? 1 : 4;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static inline sn_node_def state_of(const pool *p, size_t i) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(p->world, p->node[i], &def));
    return def;
}

static inline double mean_height(const pool *p) {
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) sum += (double)state_of(p, i).position.y;
    return sum / (double)p->count;
}

static inline void drop(pool *p) {
    sn_world_destroy(p->world);
    free(p->node);
}

static inline double speed_of(const pool *p, size_t i) {
    sn_vec3 v = state_of(p, i).velocity;
    return sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
}

/* Sums of m v and m x cross v over all particles, of equal mass; returns that of |x| |v|. */
static inline double momenta_of(const pool *p, double sum[6]) {
    double size = 0;
    for (int k = 0; k < 6; k++) sum[k] = 0;
    for (size_t i = 0; i < p->count; i++) {
        sn_node_def s = state_of(p, i);
        double x[3] = {(double)s.position.x, (double)s.position.y, (double)s.position.z};
        double v[3] = {(double)s.velocity.x, (double)s.velocity.y, (double)s.velocity.z};
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            sum[k] += v[k];
            sum[3 + k] += x[a] * v[b] - x[b] * v[a];
        }
        size += sqrt((x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) *
                     (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return size;
}

#endif
