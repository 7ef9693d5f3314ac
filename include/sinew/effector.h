/*
 * Effectors: force fields that a world has as objects, in snapshots, recordings and scenes: forces
 * from a point, along a direction and around an axis, turbulence, springs to a place, and drag.
 * (What only a program can say is a function of its own, sn_world_add_force_field.)
 *
 * With s the way from the nearest point of the shape to a node, r its length and u the unit vector
 * along `axis`, a node of velocity v has the acceleration
 *
 *     F(r) (strength e - linear_drag v - quadratic_drag |v| v),
 *
 *     e = s / r                      radial: away from the shape, where strength is above 0
 *         u                          directional
 *         u x s                      vortex: counter-clockwise, seen from where the axis points
 *         a flow of mean square 1    turbulence
 *         0                          drag
 *         -(r - rest_length) s / r   harmonic
 *
 *     F(r) = 1                                                up to min_distance,
 *            (1 + (r - min_distance) / falloff_length)^-falloff   beyond,
 *            0                                                from max_distance on.
 *
 * The law of gravity of a ball of radius R is a radial field with min_distance = falloff_length = R
 * and falloff = 2. Effectors add up. Drag is implicit in time: it never turns a motion round, and
 * terminal speeds do not depend on the step. A spring is stable where strength h^2 < 4 in a substep
 * of h.
 */
#ifndef SINEW_EFFECTOR_H
#define SINEW_EFFECTOR_H

#include <sinew/field.h>
#include <sinew/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of an effector, made like that of a node. */
typedef struct sn_effector {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_effector;

/* What an effector does. */
typedef enum sn_effector_kind {
    SN_EFFECTOR_RADIAL = 0,
    SN_EFFECTOR_DIRECTIONAL = 1,
    SN_EFFECTOR_VORTEX = 2,
    SN_EFFECTOR_TURBULENCE = 3,
    SN_EFFECTOR_DRAG = 4,
    SN_EFFECTOR_HARMONIC = 5
} sn_effector_kind;

/* What distances are measured from: the position, the line along the axis through it, or the plane
   across the axis there. */
typedef enum sn_effector_shape {
    SN_EFFECTOR_POINT = 0,
    SN_EFFECTOR_LINE = 1,
    SN_EFFECTOR_PLANE = 2
} sn_effector_shape;

/* An effector. Groups above 31 count as 31; SN_GROUP_NONE too. */
#define SN_EFFECTOR_FIELDS(FIELD, ARRAY)                                                           \
    FIELD(ENUM(sn_effector_kind), kind, "radial|directional|vortex|turbulence|drag|harmonic", 0,   \
          SN_EFFECTOR_HARMONIC, SN_EFFECTOR_RADIAL, false, "what it does")                         \
    FIELD(ENUM(sn_effector_shape), shape, "point|line|plane", 0, SN_EFFECTOR_PLANE,                \
          SN_EFFECTOR_POINT, false,                                                                \
          "what distances are measured from: its position, the line along its axis, or the plane " \
          "across it")                                                                             \
    FIELD(VEC3, position, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "where it is")                 \
    FIELD(VEC3_OF(0, 1, 0), axis, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                        \
          "of any length but 0: where a directional one pushes, what a vortex goes round")         \
    FIELD(REAL, strength, "N/kg", -SN_REAL_MAX, SN_REAL_MAX, 1, false,                             \
          "up to min_distance; of vortices and harmonic ones per metre: N/(kg m)")                 \
    FIELD(BOOL, per_mass, "", 0, 1, 1, false,                                                      \
          "strength and drag are per kg of a node; off: each node has the same force, in N, N/m, " \
          "N s/m and N s^2/m^2, whatever its mass")                                                \
    FIELD(REAL, falloff, "1", 0, 100, 0, false,                                                    \
          "power with which it falls with distance; 0: not at all")                                \
    FIELD(REAL, falloff_length, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 1, false,                         \
          "so far beyond min_distance it is 2^-falloff of its strength, above 0")                  \
    FIELD(REAL, min_distance, "m", 0, SN_REAL_MAX, 0, false, "up to there it has its strength")    \
    FIELD(REAL, max_distance, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                  \
          "from there on it does nothing; automatic: it reaches everywhere")                       \
    FIELD(REAL, linear_drag, "1/s", 0, SN_REAL_MAX, 0, false, "of any kind: resists velocity")     \
    FIELD(REAL, quadratic_drag, "1/m", 0, SN_REAL_MAX, 0, false,                                   \
          "of any kind: resists the square of velocity")                                           \
    FIELD(REAL, rest_length, "m", 0, SN_REAL_MAX, 0, false,                                        \
          "of a harmonic one: the distance at which it does nothing")                              \
    FIELD(REAL, eddy_size, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 1, false,                              \
          "of the largest eddies of turbulence, above 0")                                          \
    FIELD(REAL, eddy_period, "s", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                       \
          "in which the largest eddies change, above 0; automatic: never")                         \
    FIELD(WORD, mask, "", 0, 4294967295.0, UINT32_MAX, false,                                      \
          "bit g: whether it acts on nodes of group g")

/* sn_effector_def and its default. */
SN_DECLARE_OBJECT(effector, SN_EFFECTOR_FIELDS)

/* Makes an effector, which acts from the next step on. */
SN_API sn_result sn_effector_create(sn_world *world, const sn_effector_def *def,
                                    sn_effector *effector);
/* Removes it. */
SN_API sn_result sn_effector_destroy(sn_world *world, sn_effector effector);
/* Whether the id names a living effector of this world. */
SN_API bool sn_effector_is_valid(const sn_world *world, sn_effector effector);

/* Changes all of it, such as its place, from the next step on. */
SN_API sn_result sn_effector_set(sn_world *world, sn_effector effector, const sn_effector_def *def);
/* The effector as a definition. */
SN_API sn_result sn_effector_get(const sn_world *world, sn_effector effector, sn_effector_def *def);

#ifdef __cplusplus
}
#endif

#endif
