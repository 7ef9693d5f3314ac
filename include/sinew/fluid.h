/*
 * Fluids: nodes that keep their volume among each other, position based fluids (Macklin and Mueller
 * 2013; survey of position based methods, section 5.10).
 *
 * The particles of a fluid are nodes as any other: they collide with colliders and surfaces, are
 * pushed by force fields and may be held by constraints. Where more of them are in a place than
 * its volume allows, they are pushed apart; nothing pulls them together, so a splash comes apart,
 * unless `equality` or surface tension do.
 */
#ifndef SINEW_FLUID_H
#define SINEW_FLUID_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a fluid, made like that of a node. */
typedef struct sn_fluid {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_fluid;

/*
 * C_i = sum_j V_j W(|x_i - x_j|) + B_i - 1 <= 0 for every particle i, over all particles of all
 * fluids within reach, with V the volume of a particle, its mass over the rest density, the cubic
 * spline W, and B the density of colliders, which count as fluid at rest. So fluids of different
 * density mix and part as they should: the heavier one sinks. Particles without a mass, which are
 * kinematic, are walls that move: they count with the mean volume of their fluid.
 *
 * All rows are solved at once from the same positions (Jacobi), so that both momenta are kept to
 * rounding, and bits do not depend on the number of threads. One iteration in each of many substeps
 * is the best use of time: the fluid is then as stiff as one in which sound travels about one
 * spacing per substep, and the foot of a column of height H is compressed by
 * 1.1 g H (h / spacing)^2.
 *
 * More viscosity than 0.1 spacing^2 / h is solved for at the end of the substep, so that any amount
 * is stable; where there is very much of it a fluid moves as a rigid body does.
 *
 * Particles may differ in size: where the reach is automatic, each reaches twice the side of the
 * cube that has its volume, and two of them as far as both in the mean. With a `coarse_depth`,
 * particles of equal mass that are deep below the free surface become one, with the mass, the
 * centre and the momentum of both, and the other node waits without mass, radius and group; who
 * comes near the surface is divided again into itself and one that waits. Nodes of such a fluid
 * should be in no emitter, constraint or diffusion.
 *
 * A node should have the mass rest_density spacing^3 and the radius spacing / 2, where spacing is
 * how far apart the particles are when the fluid is made.
 */
#define SN_FLUID_FIELDS(FIELD, ARRAY)                                                              \
    ARRAY(NODES, nodes, node_count, "", false, "the particles, each of them once")                 \
    FIELD(COUNT, node_count, "1", 1, SN_COUNT_MAX, 0, false, "how many particles")                 \
    FIELD(REAL, rest_density, "kg/m^3", SN_ABOVE_ZERO, SN_REAL_MAX, 1000, false,                   \
          "mass per volume at rest, above 0; 1000: water")                                         \
    FIELD(REAL, reach, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                             \
          "how far particles act on each other; automatic: twice the side of the cube that has "   \
          "their mean volume")                                                                     \
    FIELD(REAL, compliance, "1/J", 0, SN_REAL_MAX, 0, false,                                       \
          "of every particle's row; 0 is as hard as the substeps allow")                           \
    FIELD(REAL, viscosity, "m^2/s", 0, SN_REAL_MAX, 0, false,                                      \
          "kinematic viscosity, beside that of the method; 1e-6: water, 1e-4: oil, 7e-3: honey")   \
    FIELD(REAL, artificial_pressure, "1", 0, 1, 0, false,                                          \
          "pushes particles apart that are nearer than the others, which makes sprays and drops "  \
          "rounder; 0.01 is much, 0 none (Macklin and Mueller 2013, equation 13)")                 \
    FIELD(REAL, vorticity, "m/s", 0, SN_REAL_MAX, 0, false,                                        \
          "confinement: what turns is accelerated by this times its vorticity, around where that " \
          "is largest; 0 none (Macklin and Mueller 2013, equation 16)")                            \
    FIELD(BOOL, buoyant, "", 0, 1, 0, false,                                                       \
          "whether the air that it displaces lifts it, with the air density of the settings")      \
    FIELD(REAL, ambient_drag, "1/s", 0, SN_REAL_MAX, 0, false,                                     \
          "how fast particles that are alone take the velocity of the wind; those within take it " \
          "the slower the denser it is around them (Macklin et al. 2014, section 7.2)")            \
    FIELD(REAL, cohesion, "N/m", 0, SN_REAL_MAX, 0, false,                                         \
          "surface tension of bridges of liquid between grains: two balls that touch hold each "   \
          "other with 2 pi r times it, and less up to where they reach; 0.072: water, 0: none")    \
    FIELD(REAL, surface_tension, "N/m", 0, SN_REAL_MAX, 0, false,                                  \
          "what holds its surface together: drops become round; 0.072: water, 0: none")            \
    FIELD(REAL, adhesion, "1", 0, 4, 0.5, false,                                                   \
          "how much colliders pull it, over how much it pulls itself: 0 beads, 3 wets them")       \
    FIELD(BOOL, immiscible, "", 0, 1, 0, false,                                                    \
          "whether surface tension keeps it apart from other fluids, which it does not pull")      \
    FIELD(REAL, vorticity_kept, "1", 0, 1, 0, false,                                               \
          "vorticity constraint: which part of the vorticity that keeping the volume takes is "    \
          "given back")                                                                            \
    FIELD(VEC3, detail_point, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                            \
          "where most detail is, such as a camera")                                                \
    FIELD(                                                                                         \
        REAL, detail_radius, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                       \
        "particles within so far of that point take part in all iterations; those at a distance "  \
        "r in the part radius / r of them, and in one at least; automatic: all in all")            \
    FIELD(BOOL, wall_forces, "", 0, 1, 0, false,                                                   \
          "whether what its pressure does to colliders is in sn_collider_contact_force")           \
    FIELD(REAL, coarse_depth, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                      \
          "particles farther than this from the free surface are joined, up to eight in one, and " \
          "divided again where they come nearer; automatic: sizes stay")                           \
    FIELD(BOOL, equality, "", 0, 1, 0, false,                                                      \
          "whether C = 0, as Macklin and Mueller 2013 have it: who has too few around him, as at " \
          "the free surface, is pulled; otherwise C <= 0, and nobody is")                          \
    FIELD(REAL, xsph, "1", 0, 1, 0, false,                                                         \
          "XSPH: which part of their difference from those near them velocities lose in a "        \
          "substep (Macklin and Mueller 2013, equation 17, which has 0.01); 0: none")

/* sn_fluid_def and its default. */
SN_DECLARE_OBJECT(fluid, SN_FLUID_FIELDS)

/* Makes a fluid; the list of nodes is copied. A node may be in one fluid only. */
SN_API sn_result sn_fluid_create(sn_world *world, const sn_fluid_def *def, sn_fluid *fluid);

/* Removes a fluid; its nodes stay, as loose particles. */
SN_API sn_result sn_fluid_destroy(sn_world *world, sn_fluid fluid);

/* Whether the id names a living fluid of this world. */
SN_API bool sn_fluid_is_valid(const sn_world *world, sn_fluid fluid);

/* Takes the fields of a definition over, from the next step on; its nodes are not looked at. */
SN_API sn_result sn_fluid_set(sn_world *world, sn_fluid fluid, const sn_fluid_def *def);

/* The fluid as a definition. Its list has the particles that are left, as a node that is destroyed
   leaves its fluid; it may be empty, and is valid until the next call that is not const. */
SN_API sn_result sn_fluid_get(const sn_world *world, sn_fluid fluid, sn_fluid_def *def);

/* What a fluid was like in the last substep of the last step; 0 before the first step. Densities
   are over that at rest. */
typedef struct sn_fluid_measures {
    double density;       /* 1, mean: less than 1, as there is nobody beyond the surface */
    double density_error; /* 1, mean of what is above 1 */
    double density_max;   /* 1, the largest */
    double pressure_max;  /* Pa */
    double neighbours;    /* 1, mean number within reach */
} sn_fluid_measures;

/* Copies the measures of the last step. */
SN_API sn_result sn_fluid_measure(const sn_world *world, sn_fluid fluid,
                                  sn_fluid_measures *measures);

/* Density over that at rest and pressure (Pa) of one particle likewise, by its place in the list
   of sn_fluid_get; 0 where nodes have left the fluid since. */
SN_API sn_result sn_fluid_get_particle(const sn_world *world, sn_fluid fluid, size_t index,
                                       sn_real *density, sn_real *pressure);

#ifdef __cplusplus
}
#endif

#endif
