/* Rigid bodies for the validation cases. */
#ifndef SINEW_TESTS_BODIES_H
#define SINEW_TESTS_BODIES_H

#include "frame.h"

/* A shape that rubs with mu and bounces with e; what is round has its radius along x. */
static inline sn_collider_def shape_of(sn_shape shape, vec extent, vec position, double mu,
                                       double e) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = shape;
    def.extent = vector(extent.x, extent.y, extent.z);
    if (shape == SN_SHAPE_SPHERE || shape == SN_SHAPE_CAPSULE) def.radius = (sn_real)extent.x;
    def.position = vector(position.x, position.y, position.z);
    def.static_friction = def.dynamic_friction = (sn_real)mu;
    def.restitution = (sn_real)e;
    return def;
}

static inline sn_collider add_still(sn_world *world, sn_collider_def def) {
    sn_collider made;
    REQUIRE_OK(sn_collider_create(world, &def, &made));
    return made;
}

static inline sn_node add_body(sn_world *world, sn_collider_def def, double mass) {
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider made;
    sn_node node;
    rigid.mass = (sn_real)mass;
    REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &node, &made));
    return node;
}

#endif
