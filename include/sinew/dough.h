/*
 * Doughs: particles in clusters that flow, tear and join (Chentanez, Mueller and Macklin 2016;
 * survey of position based methods, section 5.11.6).
 *
 * Clusters of particles keep their shapes by shape matching. Where a cluster is deformed by more
 * than the yield its shape at rest follows, at constant volume, without a bound. When a step is
 * over particles and clusters are adapted to where the dough has gone: two particles that are too
 * near become one, a new one is seeded between two that have come apart, particles leave clusters
 * that are too far and join those that are near, whatever piece they were of, clusters that have
 * flown too far are given up, and new ones are made where particles are in too few. So what is
 * pressed together joins, and what is pulled apart tears.
 *
 * Mass, centre of mass and momentum are kept when particles become one and when they are seeded.
 * Those that are not needed wait: they have no mass and no radius, and no collider touches them.
 * Ids stay valid, a step allocates nothing, and a snapshot has what waits.
 */
#ifndef SINEW_DOUGH_H
#define SINEW_DOUGH_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a dough, made like that of a node. */
typedef struct sn_dough {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_dough;

/*
 * A dough. Its particles keep their distances by their clusters, so they need no collision surface
 * against each other; colliders are met as by any node, with its radius. Kinematic particles take
 * part as anchors.
 */
#define SN_DOUGH_FIELDS(FIELD, ARRAY)                                                              \
    ARRAY(NODES, nodes, node_count, "", false, "the particles, each of them in one dough")         \
    FIELD(COUNT, node_count, "1", 1, SN_COUNT_MAX, 0, false, "how many particles")                 \
    FIELD(WORD, waiting, "", 0, 4294967295.0, 0, false,                                            \
          "how many of them, from the last one back, wait until they are needed")                  \
    FIELD(REAL, spacing, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 0.05, false,                             \
          "how far apart particles are, above 0; nearer than half of it two become one")           \
    FIELD(REAL, reach, "1", 1, 8, 1.8, false,                                                      \
          "of clusters: how far from the middle their particles are, in spacings")                 \
    FIELD(REAL, join, "1", 0, 1, 0.8, false,                                                       \
          "part of the reach at which a particle joins a cluster that is there")                   \
    FIELD(REAL, tear, "1", 1, 8, 1.4, false, "part of the reach at which it leaves")               \
    FIELD(REAL, compliance, "s^2", 0, SN_REAL_MAX, 0, false,                                       \
          "distance from the goal over acceleration towards it; 0 is as hard as can be")           \
    FIELD(REAL, damping, "1/s", 0, SN_REAL_MAX, 20, false, "of motion within the clusters")        \
    FIELD(REAL, plastic_yield, "1", 0, SN_REAL_MAX, 0.05, false,                                   \
          "stretch above which shapes at rest follow")                                             \
    FIELD(REAL, plastic_creep, "1/s", 0, SN_REAL_MAX, 20, false, "how fast they follow")           \
    FIELD(REAL, plastic_limit, "1", 0, SN_REAL_MAX, 1, false,                                      \
          "stretch in all after which a cluster is given up and made anew")

/* sn_dough_def and its default. */
SN_DECLARE_OBJECT(dough, SN_DOUGH_FIELDS)

/* Makes a dough; the list is copied. */
SN_API sn_result sn_dough_create(sn_world *world, const sn_dough_def *def, sn_dough *dough);

/* Removes a dough; its nodes stay, and what waits has no mass and no radius from then on. */
SN_API sn_result sn_dough_destroy(sn_world *world, sn_dough dough);

/* Whether the id names a living dough of this world. */
SN_API bool sn_dough_is_valid(const sn_world *world, sn_dough dough);

/* Takes the fields of a definition over, whose list is not looked at, nor who waits. */
SN_API sn_result sn_dough_set(sn_world *world, sn_dough dough, const sn_dough_def *def);

/* The dough as a definition, with all that take part or wait now as its nodes. Its list is valid
   until the next call that is not const. */
SN_API sn_result sn_dough_get(const sn_world *world, sn_dough dough, sn_dough_def *def);

/* What has become of a dough. */
typedef struct sn_dough_measures {
    double particles; /* 1, that take part */
    double clusters;  /* 1 */
    double mass;      /* kg, of the particles that can move */
    double seeded;    /* 1, particles that were seeded so far */
    double merged;    /* 1, particles that became one with another so far */
    double pieces;    /* 1, that no cluster holds together */
} sn_dough_measures;

/* Measures a dough. */
SN_API sn_result sn_dough_measure(const sn_world *world, sn_dough dough,
                                  sn_dough_measures *measures);

#ifdef __cplusplus
}
#endif

#endif
