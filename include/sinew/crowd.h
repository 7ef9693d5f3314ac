/*
 * Crowds: agents that walk to goals in a plane and keep out of each other's way (Weiss, Litteneker,
 * Jiang and Terzopoulos 2017; Sharma, Weiss and Kallmann 2020; later survey, section 3.4.3).
 *
 * An agent is a node with a radius. It turns towards its goal within the time of its patience. From
 * afar it looks where it would pass those that come towards it, and goes aside by a constraint on
 * the distance at which they will pass. Near others it stays on its side of a plane between both:
 * agents that did not overlap do not, however dense the crowd is.
 *
 * All crowds of a world see each other. Colliders are met as by any node.
 */
#ifndef SINEW_CROWD_H
#define SINEW_CROWD_H

#include <sinew/field.h>
#include <sinew/node.h>
#include <sinew/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a crowd, made like that of a node. */
typedef struct sn_crowd {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_crowd;

/*
 * A crowd. Agents slow down before their goals. Two that meet head on pass each other on the right,
 * seen from where the axis across the plane points. What is along that axis is left to gravity and
 * colliders. Who gives way is a matter of inverse masses: a kinematic agent does not.
 */
#define SN_CROWD_FIELDS(FIELD, ARRAY)                                                              \
    ARRAY(NODES, nodes, node_count, "", false, "the agents, each of them in one crowd")            \
    FIELD(COUNT, node_count, "1", 1, SN_COUNT_MAX, 0, false, "how many agents")                    \
    ARRAY(VEC3S, goals, node_count, "m", false, "where each agent goes")                           \
    FIELD(ENUM(sn_plane), plane, "none|yz|xz|xy", SN_PLANE_YZ, SN_PLANE_XY, SN_PLANE_XZ, false,    \
          "in which they walk")                                                                    \
    FIELD(REAL, speed, "m/s", 0, SN_REAL_MAX, 1.3, false, "at which they like to walk")            \
    FIELD(REAL, fastest, "m/s", SN_ABOVE_ZERO, SN_REAL_MAX, 2, false,                              \
          "no agent moves faster in the plane; above 0")                                           \
    FIELD(REAL, patience, "s", SN_ABOVE_ZERO, SN_REAL_MAX, 0.5, false,                             \
          "in which their velocity becomes what they like, above 0")                               \
    FIELD(REAL, foresight, "s", 0, SN_REAL_MAX, 4, false,                                          \
          "for how long they see others coming; 0: they do not")                                   \
    FIELD(REAL, reach, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 3, false,                                  \
          "how far they see others, above 0")                                                      \
    FIELD(REAL, clearance, "m", 0, SN_REAL_MAX, 0.2, false,                                        \
          "that they like to leave when they pass others")                                         \
    FIELD(REAL, avoidance, "1", 0, 1, 0.5, false,                                                  \
          "the part of what they would pass too near by that they correct")

/* sn_crowd_def and its default. */
SN_DECLARE_OBJECT(crowd, SN_CROWD_FIELDS)

/* Makes a crowd. */
SN_API sn_result sn_crowd_create(sn_world *world, const sn_crowd_def *def, sn_crowd *crowd);

/* Removes a crowd; its nodes stay. A crowd also goes with the last of its nodes. */
SN_API sn_result sn_crowd_destroy(sn_world *world, sn_crowd crowd);

/* Whether the id names a living crowd of this world. */
SN_API bool sn_crowd_is_valid(const sn_world *world, sn_crowd crowd);

/* Takes over everything but the nodes: with `goals` as many new ones as the crowd has agents, with
   null those that it has. */
SN_API sn_result sn_crowd_set(sn_world *world, sn_crowd crowd, const sn_crowd_def *def);

/* The crowd as a definition, with the agents that are left. Its lists are valid until the next call
   that is not const. */
SN_API sn_result sn_crowd_get(const sn_world *world, sn_crowd crowd, sn_crowd_def *def);

#ifdef __cplusplus
}
#endif

#endif
