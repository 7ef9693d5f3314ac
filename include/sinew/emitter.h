/*
 * Emitters and drains: where particles of fluids, or loose ones, appear and where they go.
 *
 * An emitter has a reserve of nodes, which wait: they have no mass, no radius and no group, are in
 * no fluid, and touch nothing. When their time comes they appear at the emitter with a velocity,
 * and are in the fluid that they were taken from. So ids stay valid, a step allocates nothing, and
 * a snapshot has what will come. A drain lets particles wait that are in it when a step is over:
 * they come out of their emitter again, where they have one.
 */
#ifndef SINEW_EMITTER_H
#define SINEW_EMITTER_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of an emitter, made like that of a node. */
typedef struct sn_emitter {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_emitter;

/* The id of a drain, likewise. */
typedef struct sn_drain {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_drain;

/* The shape of an emitter, in its frame. A disc and a rectangle are nozzles: layers of particles
   come through them along y, a spacing apart or more. A box, a sphere and the points of a mesh are
   filled where nobody is. */
typedef enum sn_emitter_shape {
    SN_EMITTER_DISC = 0,
    SN_EMITTER_RECTANGLE = 1,
    SN_EMITTER_BOX = 2,
    SN_EMITTER_SPHERE = 3,
    SN_EMITTER_MESH = 4
} sn_emitter_shape;

/*
 * Particles appear on a cubic lattice with the diameter of the first of them as its spacing, each a
 * little beside its place, so that no two overlap; a place where somebody is stays empty. A layer
 * that came through a nozzle within a step is as far from it as its speed took it. Emitters act
 * when a step is over.
 */
#define SN_EMITTER_FIELDS(FIELD, ARRAY)                                                            \
    ARRAY(NODES, nodes, node_count, "", false,                                                     \
          "the reserve, each of them once; all with mass and radius, and of one fluid or of none") \
    FIELD(COUNT, node_count, "1", 1, SN_COUNT_MAX, 0, false, "how many there are to give")         \
    FIELD(ENUM(sn_emitter_shape), shape, "disc|rectangle|box|sphere|mesh", 0, SN_EMITTER_MESH,     \
          SN_EMITTER_DISC, false, "a nozzle, or what is filled")                                   \
    FIELD(VEC3, position, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "of its middle")               \
    FIELD(QUAT, orientation, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                             \
          "from its frame to the world's, made unit; particles go along y of its frame")           \
    FIELD(REAL, radius, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 0.0625, false, "of a disc or a sphere")   \
    FIELD(VEC3, extent, "m", 0, SN_REAL_MAX, 0.0625, false,                                        \
          "from the middle to the sides of a box, and of a rectangle along x and z")               \
    FIELD(REAL, speed, "m/s", 0, SN_REAL_MAX, 1, false, "with which particles begin")              \
    FIELD(REAL, rate, "m^3/s", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                          \
          "volume per time; automatic: of a nozzle as much as there is room for at its speed, of " \
          "a volume all that is empty")                                                            \
    FIELD(REAL, start, "s", 0, SN_REAL_MAX, 0, false, "after it was made")                         \
    FIELD(REAL, end, "s", 0, SN_REAL_MAX, SN_AUTO, true, "after it was made; automatic: never")    \
    FIELD(REAL, jitter, "1", 0, 0.5, 0.1, false,                                                   \
          "how far beside their places particles appear, in spacings")                             \
    ARRAY(VEC3S, points, point_count, "m", false,                                                  \
          "of a mesh, in its frame: where particles appear; sn_mesh_fill_points has those within " \
          "a closed surface")                                                                      \
    FIELD(COUNT, point_count, "1", 0, SN_COUNT_MAX, 0, false, "how many points, of a mesh alone")

/* sn_emitter_def and its default. */
SN_DECLARE_OBJECT(emitter, SN_EMITTER_FIELDS)

/* Makes an emitter; the lists of nodes and points are copied. Nodes wait from now on, at the
   emitter. A node may be in one emitter only. */
SN_API sn_result sn_emitter_create(sn_world *world, const sn_emitter_def *def, sn_emitter *emitter);

/* Removes an emitter; what waits there has no mass and no radius from then on. */
SN_API sn_result sn_emitter_destroy(sn_world *world, sn_emitter emitter);

/* Whether the id names a living emitter of this world. */
SN_API bool sn_emitter_is_valid(const sn_world *world, sn_emitter emitter);

/* Takes the fields of a definition over, from the next step on; its nodes and points are not looked
   at. */
SN_API sn_result sn_emitter_set(sn_world *world, sn_emitter emitter, const sn_emitter_def *def);

/* The emitter as a definition, whose lists are valid until the next call that is not const. */
SN_API sn_result sn_emitter_get(const sn_world *world, sn_emitter emitter, sn_emitter_def *def);

/* What an emitter has given so far. */
typedef struct sn_emitter_measures {
    double emitted; /* 1, particles */
    double volume;  /* m^3, of these: cubes of the spacing */
    double blocked; /* 1, particles that did not come because somebody was in their place */
    double waiting; /* 1, that it has to give */
} sn_emitter_measures;

/* Copies what an emitter has given so far. */
SN_API sn_result sn_emitter_measure(const sn_world *world, sn_emitter emitter,
                                    sn_emitter_measures *measures);

/* The shape of a drain: a half space is everything below y = 0 of its frame. */
typedef enum sn_drain_shape {
    SN_DRAIN_BOX = 0,
    SN_DRAIN_SPHERE = 1,
    SN_DRAIN_HALF_SPACE = 2
} sn_drain_shape;

/* Particles of all fluids, and those of emitters, whose middle is within go. */
#define SN_DRAIN_FIELDS(FIELD, ARRAY)                                                              \
    FIELD(ENUM(sn_drain_shape), shape, "box|sphere|half_space", 0, SN_DRAIN_HALF_SPACE,            \
          SN_DRAIN_BOX, false, "what is drained; a half space is all below y = 0 of its frame")    \
    FIELD(VEC3, position, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "of its middle")               \
    FIELD(QUAT, orientation, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                             \
          "from its frame to the world's, made unit")                                              \
    FIELD(REAL, radius, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 0.0625, false, "of a sphere")             \
    FIELD(VEC3, extent, "m", 0, SN_REAL_MAX, 0.0625, false,                                        \
          "from the middle to the sides of a box")                                                 \
    FIELD(REAL, start, "s", 0, SN_REAL_MAX, 0, false, "after it was made")                         \
    FIELD(REAL, end, "s", 0, SN_REAL_MAX, SN_AUTO, true, "after it was made; automatic: never")

/* sn_drain_def and its default. */
SN_DECLARE_OBJECT(drain, SN_DRAIN_FIELDS)

/* Makes a drain. */
SN_API sn_result sn_drain_create(sn_world *world, const sn_drain_def *def, sn_drain *drain);

/* Removes a drain. */
SN_API sn_result sn_drain_destroy(sn_world *world, sn_drain drain);

/* Whether the id names a living drain of this world. */
SN_API bool sn_drain_is_valid(const sn_world *world, sn_drain drain);

/* Takes the fields of a definition over, from the next step on. */
SN_API sn_result sn_drain_set(sn_world *world, sn_drain drain, const sn_drain_def *def);

/* The drain as a definition. */
SN_API sn_result sn_drain_get(const sn_world *world, sn_drain drain, sn_drain_def *def);

/* How many particles it has taken so far. */
SN_API sn_result sn_drain_measure(const sn_world *world, sn_drain drain, double *drained);

#ifdef __cplusplus
}
#endif

#endif
