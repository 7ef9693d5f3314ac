/*
 * Finite elements that are integrated explicitly, and stay stable whatever the step (Fierz,
 * Spillmann, Aguinaga Hoyos and Harders 2012; survey, section 7.3).
 *
 * A tetrahedron is linear, in a frame that turns with it: its force follows from where its nodes
 * are when a substep begins, and there is nothing to solve. That is stable while a substep is
 * shorter than 2 / omega, omega the highest frequency of the element. Elements for which it is not,
 * slivers most of all, are matched to their shape at rest instead, which is stable with any step,
 * and stiffens them along their longer sides. Which elements these are follows from the length of
 * the substeps.
 *
 * With BDF2 all of them are matched: forces from where nodes were make it gain energy.
 */
#ifndef SINEW_FINITE_ELEMENTS_H
#define SINEW_FINITE_ELEMENTS_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a set of elements, made like that of a node. */
typedef struct sn_finite_elements {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_finite_elements;

/* A set of elements of one material. */
#define SN_FINITE_ELEMENTS_FIELDS(FIELD, ARRAY)                                                    \
    ARRAY(NODES, nodes, node_count, "", false, "that the tets have, each once")                    \
    FIELD(COUNT, node_count, "1", 4, SN_COUNT_MAX, 0, false, "how many nodes")                     \
    ARRAY(TETS, tets, tet_count, "", false,                                                        \
          "of indices into nodes, with a volume above 0 where they are")                           \
    FIELD(COUNT, tet_count, "1", 1, SN_COUNT_MAX, 0, false, "how many tets")                       \
    FIELD(REAL, young, "Pa", SN_ABOVE_ZERO, SN_REAL_MAX, 1e5, false, "Young's modulus, above 0")   \
    FIELD(REAL, poisson, "1", -0.875, 0.4921875, 0.3, false, "Poisson's ratio")                    \
    FIELD(REAL, density, "kg/m^3", SN_ABOVE_ZERO, SN_REAL_MAX, 1000, false,                        \
          "mass per volume that nodes have of a tet, above 0")                                     \
    FIELD(REAL, courant, "1", 0, SN_REAL_MAX, 0.9, false,                                          \
          "the part of 2 / omega that a substep may have; tets for which it has more are matched")

/* sn_finite_elements_def and its default. */
SN_DECLARE_OBJECT(finite_elements, SN_FINITE_ELEMENTS_FIELDS)

/* Makes a set. The places of the nodes now are those at rest. */
SN_API sn_result sn_finite_elements_create(sn_world *world, const sn_finite_elements_def *def,
                                           sn_finite_elements *elements);
/* Removes the set; its nodes stay. A set also goes with the last of its tets, and a tet with the
   first of its nodes. */
SN_API sn_result sn_finite_elements_destroy(sn_world *world, sn_finite_elements elements);
/* Whether the id names a living set of this world. */
SN_API bool sn_finite_elements_is_valid(const sn_world *world, sn_finite_elements elements);

/* The set as a definition, without its lists, which are null. */
SN_API sn_result sn_finite_elements_get(const sn_world *world, sn_finite_elements elements,
                                        sn_finite_elements_def *def);

/* How many of its tets were integrated in the last step, and how many were matched. Neither before
   the first step, and after tets came or went. */
SN_API sn_result sn_finite_elements_count(const sn_world *world, sn_finite_elements elements,
                                          size_t *integrated, size_t *matched);
/* The id of the set in a slot, from 0; SN_ERROR_ID for a slot that is empty. */
SN_API sn_result sn_world_finite_elements_at(const sn_world *world, size_t slot,
                                             sn_finite_elements *elements);

#ifdef __cplusplus
}
#endif

#endif
