/* Strands node by node, in lists that all of a test have in common. */
#ifndef TESTS_SYSTEMS_HAIR_STRANDS_H
#define TESTS_SYSTEMS_HAIR_STRANDS_H

#include "snapshot.h"
#include "validation/build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

static sn_node node[MOST];
static sn_real between[MOST];

/* A strand that goes on from where the last one in the list ends. */
static inline size_t add_strand(sn_world *world, size_t at, vec root, vec step, int count,
                                bool pinned) {
    for (int k = 0; k < count; k++) {
        vec x = {root.x + k * step.x, root.y + k * step.y, root.z + k * step.z};
        node[at] = k == 0 && pinned ? add_pin(world, x) : add_node(world, x, 1e-3);
        between[at++] = k == 0 ? 0 : (sn_real)length(step);
    }
    return at;
}

static inline sn_world *make_threaded(sn_settings settings, int threads) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.settings = settings;
    def.threads = threads;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static inline sn_hair_def hair_of(size_t count) {
    sn_hair_def def = sn_hair_def_default();
    def.nodes = node;
    def.lengths = between;
    def.node_count = count;
    return def;
}

static inline sn_hair add_hair(sn_world *world, const sn_hair_def *def) {
    sn_hair hair;
    REQUIRE_OK(sn_hair_create(world, def, &hair));
    return hair;
}

#endif
