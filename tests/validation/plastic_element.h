/* One element at rest, 1 kg per node, that is pulled: for tests of what yields. */
#ifndef SINEW_TESTS_VALIDATION_PLASTIC_ELEMENT_H
#define SINEW_TESTS_VALIDATION_PLASTIC_ELEMENT_H

#include <sinew/sinew.h>

#include <math.h>
#include <string.h>

#include "check.h"

enum { ELEMENT_NODES = 4 };

typedef struct element {
    sn_world *world;
    sn_node node[ELEMENT_NODES];
    sn_constraint constraint;
} element;

/* The corner of a cube of 1 m, or with three nodes half of a square. */
static inline element element_make(sn_type type, int nodes) {
    element e = {0};
    sn_world_def def = sn_world_def_default();
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 20;
    def.settings.iterations = 2;
    def.settings.damping = 30;
    REQUIRE_OK(sn_world_create(&def, &e.world));
    for (int k = 0; k < nodes; k++) {
        sn_node_def node = sn_node_def_default();
        node.position = (sn_vec3){k == 1, k == 2, k == 3};
        node.inverse_mass = 1;
        REQUIRE_OK(sn_node_create(e.world, &node, &e.node[k]));
    }
    unsigned char bytes[1024];
    CHECK(sn_type_get_info(type)->def_size <= sizeof bytes);
    REQUIRE_OK(sn_type_default(type, bytes));
    memcpy(bytes + sizeof(size_t), e.node, (size_t)nodes * sizeof *e.node);
    REQUIRE_OK(sn_constraint_create(e.world, type, bytes, &e.constraint));
    return e;
}

static inline void set(element *e, const char *name, double x, double y, double z) {
    sn_real value[3] = {(sn_real)x, (sn_real)y, (sn_real)z};
    REQUIRE_OK(sn_constraint_set_field(e->world, e->constraint, name, value));
}

static inline void set_plastic(element *e, double yield, double creep, double limit) {
    set(e, "plastic_yield", yield, 0, 0);
    set(e, "plastic_creep", creep, 0, 0);
    set(e, "plastic_limit", limit, 0, 0);
}

static inline void run(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
}

static inline sn_vec3 position(const element *e, int k) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(e->world, e->node[k], &def));
    return def.position;
}

/* m, from the first node to another. */
static inline double edge(const element *e, int k) {
    sn_vec3 a = position(e, 0), b = position(e, k);
    return hypot(hypot((double)b.x - (double)a.x, (double)b.y - (double)a.y),
                 (double)b.z - (double)a.z);
}

#endif
