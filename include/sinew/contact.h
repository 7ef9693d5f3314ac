/*
 * Contact: what two surfaces do to each other, who ignores whom, what touched, and the forces that
 * came of it.
 *
 * Every body and every collider has a material, a small number. What two materials do to each other
 * may be said once for the pair. Where it is not, a node that touches a collider follows the
 * numbers of the collider, and two collision surfaces follow those of both: the geometric mean of
 * the frictions and the larger restitution. Without a pair, nothing resists rolling.
 */
#ifndef SINEW_CONTACT_H
#define SINEW_CONTACT_H

#include <sinew/collider.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Pairs of materials ---- */

/* What two materials do to each other. A ball that rolls (sn_body_def.rolls) is held back by a
   torque of at most the rolling resistance times its radius times the normal force. */
#define SN_CONTACT_PAIR_FIELDS(FIELD, ARRAY)                                                       \
    FIELD(REAL, static_friction, "1", 0, SN_REAL_MAX, 0.5, false, "what sticks at most")           \
    FIELD(                                                                                         \
        REAL, dynamic_friction, "1", 0, SN_REAL_MAX, 0.4, false,                                   \
        "what slides; at most the static one. In scenes that do not give it: 0.4, or the static "  \
        "one where that is less")                                                                  \
    FIELD(REAL, restitution, "1", 0, 1, 0, false, "the part of the speed that a bounce keeps")     \
    FIELD(REAL, rolling_resistance, "1", 0, SN_REAL_MAX, 0, false,                                 \
          "the torque against rolling is at most this times radius and normal force")              \
    FIELD(BOOL, collide, "", 0, 1, 1, false, "false: they do not collide")

/* sn_contact_pair_def and its default. */
SN_DECLARE_OBJECT(contact_pair, SN_CONTACT_PAIR_FIELDS)

/* Says what two materials do to each other, in either order, from the next step on; a material may
   be paired with itself. */
SN_API sn_result sn_world_set_contact_pair(sn_world *world, sn_material material_a,
                                           sn_material material_b, const sn_contact_pair_def *def);
/* What was said; SN_ERROR_ID for a pair of which nothing was. */
SN_API sn_result sn_world_get_contact_pair(const sn_world *world, sn_material material_a,
                                           sn_material material_b, sn_contact_pair_def *def);
/* Forgets it again; nothing happens where nothing was said. */
SN_API sn_result sn_world_reset_contact_pair(sn_world *world, sn_material material_a,
                                             sn_material material_b);

/* ---- Who ignores whom ---- */

/* Lets two bodies pass through each other, or collide again, from the next step on. A body may
   ignore itself. It is forgotten with either of them. */
SN_API sn_result sn_body_set_collision(sn_world *world, sn_body body, sn_body other, bool collide);
/* The same for a body and a collider. */
SN_API sn_result sn_body_set_collider_collision(sn_world *world, sn_body body, sn_collider collider,
                                                bool collide);
/* Whether they may collide, as far as the two calls above are concerned. */
SN_API sn_result sn_body_get_collision(const sn_world *world, sn_body body, sn_body other,
                                       bool *collide);
SN_API sn_result sn_body_get_collider_collision(const sn_world *world, sn_body body,
                                                sn_collider collider, bool *collide);

/* ---- Contacts ---- */

/* What has touched what, in the order in which a sweep solves them. */
typedef enum sn_contact_kind {
    SN_CONTACT_POINT_POINT = 0,    /* two nodes of collision surfaces, as balls */
    SN_CONTACT_POINT_SEGMENT = 1,  /* a node and a segment of collision surfaces */
    SN_CONTACT_POINT_TRIANGLE = 2, /* a node and a triangle of collision surfaces */
    SN_CONTACT_EDGE_EDGE = 3,      /* two edges or segments of collision surfaces */
    SN_CONTACT_TRIANGLE_COLLIDER =
        4, /* a triangle or a segment of a collision surface with `triangle_contact`, between its
              nodes, and a collider; a segment has its second node twice, with a weight of 0 */
    SN_CONTACT_NODE_COLLIDER = 5, /* a node and a collider */
    SN_CONTACT_RIGID = 6          /* a node and a collider, one of which carries or is carried */
} sn_contact_kind;

/* Whether a contact is new. */
typedef enum sn_contact_phase {
    SN_CONTACT_BEGIN = 0, /* there was none in the step before */
    SN_CONTACT_STAY = 1,  /* there was */
    SN_CONTACT_END = 2 /* there was, and is none any more: no impulse. Where a node, a collider or
                          a collision surface is destroyed, its contacts go with it, and do not
                          end. */
} sn_contact_phase;

/* Two things that touched in the last step. The first is made of nodes; the second is made of the
   nodes that are left, or it is a collider. */
typedef struct sn_contact {
    sn_contact_kind kind;
    sn_contact_phase phase;
    /* Of the first, then of the second; the triangle that touched a collider as its collision
       surface has it.
       Null ids beyond them. */
    sn_node nodes[4];
    sn_real weights[4];   /* 1, of the nodes, where they touched: shares of either side */
    sn_collider collider; /* a null id where the second is made of nodes */
    /* m, after the step: between the two; of a collider where the first is nearest to it */
    sn_vec3 point;
    sn_vec3 normal;  /* from the second to the first, unit length, of the last touch */
    sn_vec3 impulse; /* N s on the first, normal and of friction, over the whole step; a node has
                         its share of it, and the second has the opposite */
    sn_real normal_impulse; /* N s, the part of it along the normals */
} sn_contact;

/* The contacts of the last step, ordered by kind and then by the slots of nodes and collider; valid
   until the next call that is not const. */
SN_API sn_result sn_world_contacts(const sn_world *world, const sn_contact **contacts,
                                   size_t *count);

/* ---- Forces ---- */

/* N, the mean over the last step of what contacts with colliders and other bodies did to the nodes
   of a body. */
SN_API sn_result sn_body_contact_force(const sn_world *world, sn_body body, sn_vec3 *force);
/* N, the mean over the last step of what all nodes did to a collider; with the pressure of the
   fluids that keep it (sn_fluid_def.wall_forces). */
SN_API sn_result sn_collider_contact_force(const sn_world *world, sn_collider collider,
                                           sn_vec3 *force);

#ifdef __cplusplus
}
#endif

#endif
