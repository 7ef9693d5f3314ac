/*
 * Diffusion: a quantity that nodes carry and that goes over to those near them, such as a
 * temperature, salt or moisture; what melts and freezes by it; and sources that give or take it.
 *
 * Nodes of a fluid that are colder than its melting point are held together by bonds, distance
 * constraints to their neighbours, and are a solid. Bonds fade as nodes melt, until nothing but the
 * fluid keeps them apart, and are made anew where they freeze (survey of position based methods,
 * section 6.2).
 */
#ifndef SINEW_DIFFUSION_H
#define SINEW_DIFFUSION_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a diffusion, made like that of a node. */
typedef struct sn_diffusion {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_diffusion;

/* The id of a source, likewise. */
typedef struct sn_source {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_source;

/*
 * dT/dt = D laplace T over nodes within two spacings, whose exchange is symmetric: the sum of mass
 * times value is kept. Nodes without a mass hold their value and give as much as is asked for.
 *
 * On a cubic lattice of the spacing D is what it says; on a square one, a cloth, it is 0.63 and on
 * a line 0.38 of that. Where a step is longer than 32 spacing^2 / (4 D) it is less.
 *
 * What melts takes `latent` before its value goes beyond the melting point. A node whose liquid
 * part is 1 has no bonds; one whose liquid part falls to 1/2 is bound to all solid nodes of the
 * same diffusion within 1.55 spacings, as far apart as they are, or a step later where there is no
 * memory. A bond is as stiff as the modulus
 * says, times what is solid of both.
 */
#define SN_DIFFUSION_FIELDS(FIELD, ARRAY)                                                          \
    ARRAY(NODES, nodes, node_count, "", false, "the nodes, each of them once")                     \
    FIELD(COUNT, node_count, "1", 1, SN_COUNT_MAX, 0, false, "how many nodes")                     \
    ARRAY(REALS, values, node_count, "", true, "of each at first; missing: `value`")               \
    FIELD(WORD, quantity, "1", 0, UINT32_MAX, 0, false,                                            \
          "which it is: nodes and sources of one number exchange it")                              \
    FIELD(REAL, value, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                                   \
          "of all nodes at first, in units of your own; of temperatures: K")                       \
    FIELD(REAL, spacing, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                           \
          "how far apart nodes are; automatic: twice their mean radius")                           \
    FIELD(REAL, diffusivity, "m^2/s", 0, SN_REAL_MAX, 1e-7, false,                                 \
          "D; 1.4e-7: heat in water, 1.2e-6: in ice, 1.5e-9: salt in water")                       \
    FIELD(REAL, load, "1", 0, SN_REAL_MAX, 0, false,                                               \
          "what a value of 1 adds to the mass of a node, over what it has without; volumes of "    \
          "fluids stay as they are")                                                               \
    FIELD(REAL, melting_point, "1", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                      \
          "value at which nodes melt and freeze; automatic: never, and there are no bonds")        \
    FIELD(REAL, latent, "1", 0, SN_REAL_MAX, 0, false,                                             \
          "what melting takes, in values: the latent heat over the heat capacity; 80: water")      \
    FIELD(REAL, modulus, "Pa", SN_ABOVE_ZERO, SN_REAL_MAX, 100000, false,                          \
          "Young's modulus of the solid, above 0; Poisson's ratio is 1/4")

/* sn_diffusion_def and its default. */
SN_DECLARE_OBJECT(diffusion, SN_DIFFUSION_FIELDS)

/* Makes a diffusion; the lists are copied. A node may carry several quantities, each once: one that
   carries the quantity in another diffusion is refused. Nodes that are solid are bound at once. */
SN_API sn_result sn_diffusion_create(sn_world *world, const sn_diffusion_def *def,
                                     sn_diffusion *diffusion);

/* Removes a diffusion and its bonds; its nodes stay. */
SN_API sn_result sn_diffusion_destroy(sn_world *world, sn_diffusion diffusion);

/* Whether the id names a living diffusion of this world. */
SN_API bool sn_diffusion_is_valid(const sn_world *world, sn_diffusion diffusion);

/* Takes the fields of a definition over, from the next step on; lists and values stay. */
SN_API sn_result sn_diffusion_set(sn_world *world, sn_diffusion diffusion,
                                  const sn_diffusion_def *def);

/* The diffusion as a definition with the nodes that are left, a list that is valid until the next
   call that is not const, and without values. */
SN_API sn_result sn_diffusion_get(const sn_world *world, sn_diffusion diffusion,
                                  sn_diffusion_def *def);

/* Gives the node at a place of the list of sn_diffusion_get another value. */
SN_API sn_result sn_diffusion_set_value(sn_world *world, sn_diffusion diffusion, size_t index,
                                        sn_real value);

/* Its value, and which part of it is liquid, 0 to 1. */
SN_API sn_result sn_diffusion_get_value(const sn_world *world, sn_diffusion diffusion, size_t index,
                                        sn_real *value, sn_real *liquid);

/* What the nodes of a diffusion have. */
typedef struct sn_diffusion_measures {
    double mean;     /* 1, value over masses */
    double least;    /* 1, value */
    double most;     /* 1, value */
    double content;  /* kg: masses times values, and times latent parts */
    double received; /* kg: what sources have given so far */
    double liquid;   /* 1, the mean part */
    double bonds;    /* 1, how many there are */
} sn_diffusion_measures;

/* Measures a diffusion as it is now. */
SN_API sn_result sn_diffusion_measure(const sn_world *world, sn_diffusion diffusion,
                                      sn_diffusion_measures *measures);

/* The shape of a source: a half space is everything below y = 0 of its frame. */
typedef enum sn_source_shape {
    SN_SOURCE_BOX = 0,
    SN_SOURCE_SPHERE = 1,
    SN_SOURCE_HALF_SPACE = 2,
    SN_SOURCE_EVERYWHERE = 3
} sn_source_shape;

/*
 * A place with a value of its own: dT/dt = rate (value - T) for every node within. A hot plate is a
 * box that is a spacing thicker than it; air is everywhere, and reaches what is exposed.
 */
#define SN_SOURCE_FIELDS(FIELD, ARRAY)                                                             \
    FIELD(ENUM(sn_source_shape), shape, "box|sphere|half_space|everywhere", 0,                     \
          SN_SOURCE_EVERYWHERE, SN_SOURCE_BOX, false,                                              \
          "where it acts; a half space is all below y = 0 of its frame")                           \
    FIELD(VEC3, position, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "of its middle")               \
    FIELD(QUAT, orientation, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                             \
          "from its frame to the world's, made unit")                                              \
    FIELD(REAL, radius, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 0.0625, false, "of a sphere")             \
    FIELD(VEC3, extent, "m", 0, SN_REAL_MAX, 0.0625, false,                                        \
          "from the middle to the sides of a box")                                                 \
    FIELD(WORD, quantity, "1", 0, UINT32_MAX, 0, false, "that of the diffusions it acts on")       \
    FIELD(REAL, value, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "that nodes come to")             \
    FIELD(REAL, rate, "1/s", 0, SN_REAL_MAX, 1, false, "how fast")                                 \
    FIELD(BOOL, exposed, "", 0, 1, 0, false,                                                       \
          "whether it reaches the surface alone: nodes by the part of their neighbours that is "   \
          "missing")                                                                               \
    FIELD(REAL, start, "s", 0, SN_REAL_MAX, 0, false, "after it was made")                         \
    FIELD(REAL, end, "s", 0, SN_REAL_MAX, SN_AUTO, true, "after it was made; automatic: never")

/* sn_source_def and its default. */
SN_DECLARE_OBJECT(source, SN_SOURCE_FIELDS)

/* Makes a source. */
SN_API sn_result sn_source_create(sn_world *world, const sn_source_def *def, sn_source *source);

/* Removes a source. */
SN_API sn_result sn_source_destroy(sn_world *world, sn_source source);

/* Whether the id names a living source of this world. */
SN_API bool sn_source_is_valid(const sn_world *world, sn_source source);

/* Takes the fields of a definition over, from the next step on. */
SN_API sn_result sn_source_set(sn_world *world, sn_source source, const sn_source_def *def);

/* The source as a definition. */
SN_API sn_result sn_source_get(const sn_world *world, sn_source source, sn_source_def *def);

#ifdef __cplusplus
}
#endif

#endif
