/*
 * The state of the collision system: colliders, collision surfaces and the materials of both; and
 * what it knows within a step, where colliders are and a tree over them, which is made anew when a
 * step begins.
 */
#ifndef SN_COLLISION_COLLISION_STATE_H
#define SN_COLLISION_COLLISION_STATE_H

#include "collision/colliders.h"
#include "collision/collision_surfaces.h"
#include "collision/contact_material.h"
#include "state/world.h"

#include <sinew/period.h>

/* Where a collider is in a substep: as the nodes, relative to where it was when the step began. */
typedef struct sn_collider_pose {
    sn_vec4 x;            /* m, at the beginning of the step */
    sn_vec4 d, p;         /* m, displacement at the end and at the beginning of the substep */
    sn_vec4 q, before;    /* orientation at the end and at the beginning of the substep */
    sn_vec4 start, aim;   /* orientation at the ends of the step */
    sn_vec4 displacement; /* m, of the whole step */
    double done, will;    /* the part of the step that was and will be there, 0 to 1 */
    double most;          /* m, that anything of it moves in the rest of the step */
    sn_vec4 size;         /* m, its extent and its radius */
    sn_contact_material material; /* where nothing is said of pairs of materials */
    sn_real recovery;             /* m/s, how fast nodes come out of it; infinite for at once */
    uint8_t shape;                /* sn_shape */
    bool flows;                   /* whether its vertices are on their way */
    bool turns;                   /* in this step */
    bool straight; /* whether its frame is that of the world, to the bit, all the substep */
} sn_collider_pose;

/* Where many colliders are on their way through the step (collider_bvh.c). */
typedef struct sn_collider_bvh {
    sn_bounds *boxes;
    uint32_t *bounded, *unbounded; /* colliders with a box, and those without an end */
    size_t bounded_count, unbounded_count;
    size_t standing; /* how many of the first nobody carries */
    size_t box_capacity, bounded_capacity, unbounded_capacity;
    sn_bvh tree;
} sn_collider_bvh;

typedef struct sn_collision {
    sn_colliders colliders;
    sn_contact_materials contact_materials;
    sn_collision_surfaces surfaces;
    sn_period_def period;
    /* Scratch. */
    sn_collider_pose *pose; /* of the colliders */
    size_t pose_capacity;
    sn_collider_bvh bvh;
} sn_collision;

static inline sn_collision *sn_collision_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_COLLISION];
}

static inline sn_colliders *sn_colliders_of(const sn_world *world) {
    return &sn_collision_of(world)->colliders;
}

static inline sn_contact_materials *sn_contact_materials_of(const sn_world *world) {
    return &sn_collision_of(world)->contact_materials;
}

static inline sn_collision_surfaces *sn_collision_surfaces_of(const sn_world *world) {
    return &sn_collision_of(world)->surfaces;
}

static inline sn_collider_pose *sn_collider_poses(const sn_world *world) {
    return sn_collision_of(world)->pose;
}

#endif
