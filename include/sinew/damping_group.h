/*
 * Damping groups: nodes of any bodies whose motion among each other is damped.
 *
 * A body damps all of its nodes together (sn_body_def.rigid_damping). A damping group does the
 * same for any nodes that are named: the limb of a figure, a patch of a cloth, two bodies that are
 * glued (survey of position based methods, section 4.1.2). Damping groups may overlap.
 */
#ifndef SINEW_DAMPING_GROUP_H
#define SINEW_DAMPING_GROUP_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a damping group, made like that of a node. */
typedef struct sn_damping_group {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_damping_group;

/* Which motion among its nodes a damping group damps. */
typedef enum sn_damped {
    SN_DAMPED_ALL = 0,   /* all that is not that of a rigid body */
    SN_DAMPED_RADIAL = 1 /* to and from the centre of mass */
} sn_damped;

/*
 * After every substep each velocity of the damping group is brought nearer to that of a rigid
 * motion with the momentum and the angular momentum of the damping group, by the part damping * h
 * of the difference and at most by all of it. So both momenta stay, a damping group that moves
 * rigidly is not braked, and what it does beside that decays like exp(-damping t), in substeps as
 * (1 - damping h)^n. Damping groups act after the damping of bodies, in the order of their slots,
 * which is that of their creation unless slots were given back. With `motion` as `radial`, what is
 * taken is the velocity of each node towards the centre of mass or away from it, by impulses along
 * the lines to it, which have no torque, and their reaction, which all nodes share by their masses
 * (Schmedding, Gissler and Teschner 2009): both momenta stay as well, and so does all turning.
 * Kinematic nodes may be members and do not count; orientations are not damped.
 */
#define SN_DAMPING_GROUP_FIELDS(FIELD, ARRAY)                                                      \
    ARRAY(NODES, nodes, node_count, "", false, "the members, each of them once")                   \
    FIELD(COUNT, node_count, "1", 1, SN_COUNT_MAX, 0, false, "how many members")                   \
    FIELD(REAL, damping, "1/s", 0, SN_REAL_MAX, 0, false, "of motion that is not rigid")           \
    FIELD(ENUM(sn_damped), motion, "all|radial", 0, SN_DAMPED_RADIAL, SN_DAMPED_ALL, false,        \
          "which motion is damped: all that is not rigid, or that to and from the centre of mass")

/* sn_damping_group_def and its default. */
SN_DECLARE_OBJECT(damping_group, SN_DAMPING_GROUP_FIELDS)

/* Makes a damping group; the list of nodes is copied. */
SN_API sn_result sn_damping_group_create(sn_world *world, const sn_damping_group_def *def,
                                         sn_damping_group *damping_group);

/* Removes a damping group; its nodes stay. */
SN_API sn_result sn_damping_group_destroy(sn_world *world, sn_damping_group damping_group);

/* Whether the id names a living damping group of this world. */
SN_API bool sn_damping_group_is_valid(const sn_world *world, sn_damping_group damping_group);

/* 1/s, at least 0, from the next step on. */
SN_API sn_result sn_damping_group_set_damping(sn_world *world, sn_damping_group damping_group,
                                              sn_real damping);

/* The damping group as a definition. Its list has the members that are left, as a node that is
   destroyed leaves its damping groups; it may be empty, and is valid until the next call that is
   not const. */
SN_API sn_result sn_damping_group_get(const sn_world *world, sn_damping_group damping_group,
                                      sn_damping_group_def *def);

#ifdef __cplusplus
}
#endif

#endif
