/*
 * Hair: strands of nodes that keep their lengths exactly, hold a hairstyle, and rub against each
 * other.
 *
 * Every node follows the one before it at its distance, from the root to the tip, in one pass and
 * with no iterations (dynamic follow the leader: Mueller, Kim and Chentanez 2012, "Fast Simulation
 * of Inextensible Hair and Fur"; survey of position based methods, section 5.7). What moves a node
 * does not move the one before it, so its velocity gets the reaction instead. That is nearly what
 * forces would do: with all of the reaction a strand of 30 segments that hangs swings 3 % too fast,
 * with nine tenths of it 27 %, and calmer. Where that matters, strands are rods (sinew/kinds/rod.h)
 * or ropes, and a hair of them still has friction and repulsion. With BDF2, nodes that follow move
 * as with BDF1.
 *
 * Neighbours are not looked for. Velocities and the length of strand per volume are put on a grid,
 * and strands take over some of the velocity of what is around them, and spread to where there is
 * less (Petrovic, Henne and Anderson 2005).
 */
#ifndef SINEW_HAIR_H
#define SINEW_HAIR_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a hair, made like that of a node. */
typedef struct sn_hair {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_hair;

/*
 * A hair of many strands, of nodes of any bodies.
 *
 * Kinematic nodes are not moved; a strand whose first node is one hangs on it. The hairstyle is
 * where the nodes are at rest. It turns with the first nodes of all strands, as far as they move
 * like a rigid body, and each strand with what holds its first segment; every other segment is
 * pulled to where it was relative to the one before it, as a mass on a spring with this angular
 * frequency: with `hold` it sags by about g / hold^2 per segment under gravity.
 *
 * Friction brings a velocity nearer to the mean of those around it like exp(-friction t). Repulsion
 * is c^2 of a gas: strands are pushed apart by c^2 grad(density) / density, which is up to about
 * c^2 / cell at the border. Momentum is kept by friction between nodes that weigh the same for
 * their length.
 *
 * Levels of detail: with a `level` below 1 only so many of the strands move by themselves, which a
 * hash of their numbers chooses, always the same ones first. Every other one goes with that of the
 * strands before it in this order whose root is nearest at rest: as that has moved from its rest,
 * with its own shape at rest. It costs a tenth, and neither rubs nor is held. sn_hair_set may
 * change the level between any two steps, as for hair that is far from a camera. Nothing jumps: a
 * strand that begins to go with another keeps what it is apart from its place there, which dies
 * away like exp(-4 t), and one that moves by itself again begins with its place and velocity.
 */
#define SN_HAIR_FIELDS(FIELD, ARRAY)                                                               \
    ARRAY(NODES, nodes, node_count, "", false, "strand by strand, each from its root to its tip")  \
    FIELD(COUNT, node_count, "1", 2, SN_COUNT_MAX, 0, false, "how many nodes")                     \
    ARRAY(REALS, lengths, node_count, "m", false,                                                  \
          "at rest, from the node before it in the list, above 0; 0: a strand begins here")        \
    ARRAY(VEC3S, rest, node_count, "m", true,                                                      \
          "where each node is at rest, which is the hairstyle; null: where they are now")          \
    FIELD(BOOL, follow, "", 0, 1, 1, false,                                                        \
          "whether nodes are kept at their lengths; otherwise constraints have to")                \
    FIELD(REAL, reaction, "1", 0, 1, 0.9, false,                                                   \
          "the part of the velocity that follows from what moved the next node; 1 swings most "    \
          "like a chain, less is calmer and faster")                                               \
    FIELD(REAL, hold, "1/s", 0, SN_REAL_MAX, 0, false,                                             \
          "angular frequency with which strands go back to the hairstyle; 0: they do not")         \
    FIELD(REAL, friction, "1/s", 0, SN_REAL_MAX, 0, false,                                         \
          "rate at which strands take over the velocity of those around them")                     \
    FIELD(REAL, repulsion, "m^2/s^2", 0, SN_REAL_MAX, 0, false,                                    \
          "acceleration away from where strands are dense, over grad(density) / density")          \
    FIELD(REAL, cell, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 0.02, false,                                \
          "size of the grid for friction and repulsion, above 0; twice as large, and so on, "      \
          "where the hair fills more than 8 cells per node")                                       \
    FIELD(REAL, level, "1", 0, 1, 1, false,                                                        \
          "level of detail: the part of the strands that move by themselves, at least one; the "   \
          "others go with one beside them")

/* sn_hair_def and its default. */
SN_DECLARE_OBJECT(hair, SN_HAIR_FIELDS)

/* Makes a hair. */
SN_API sn_result sn_hair_create(sn_world *world, const sn_hair_def *def, sn_hair *hair);

/* Removes a hair; its nodes stay. A hair also goes with the last of its nodes. */
SN_API sn_result sn_hair_destroy(sn_world *world, sn_hair hair);

/* Whether the id names a living hair of this world. */
SN_API bool sn_hair_is_valid(const sn_world *world, sn_hair hair);

/* Takes over everything but the lists, which are not looked at. */
SN_API sn_result sn_hair_set(sn_world *world, sn_hair hair, const sn_hair_def *def);

/* The hair as a definition. Nodes that were destroyed are not in it, and the rest of their strand
   is a strand of its own. Its lists are valid until the next call that is not const. */
SN_API sn_result sn_hair_get(const sn_world *world, sn_hair hair, sn_hair_def *def);

/* The first hair, by slots, that a node belongs to; the null id where there is none. */
SN_API sn_result sn_node_hair(const sn_world *world, sn_node node, sn_hair *hair);

#ifdef __cplusplus
}
#endif

#endif
