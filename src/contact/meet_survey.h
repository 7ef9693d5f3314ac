/*
 * Which pairs may be left alone, shown before a sweep.
 *
 * Most pairs that were found are apart. That is shown by the plane across their normal, which is
 * cheaper than their nearest points and can be asked of all pairs at once: no point of the one is
 * nearer to any point of the other than the plane says, so that a sweep would do nothing to them.
 * What is shown holds until nodes have moved by what there was to spare. So a sweep lists those
 * pairs that may do something, by lanes, and goes over the list; when pushes have moved a node so
 * far that the list is not certain any more it is made again. Results do not depend on any of that.
 *
 *   meet_survey.c   planes, compiled once per SIMD width
 *   meet_sweep.c    lists, and the sweep
 */
#ifndef SN_CONTACT_MEET_SURVEY_H
#define SN_CONTACT_MEET_SURVEY_H

#include "base/memory.h"
#include "math/vector.h"
#include "world/world.h"

/* Kept by the meetings of the world; all zero before the first use. */
typedef struct sn_meet_survey {
    /* Of every node, and of the one that is none: where it is, and where it was when the substep
       began (m, relative to `origin`), each with a bound for the rounding of that and of all that
       is made of it (m); and how far it went in this sweep (m, along its way). */
    sn_vec4 *now, *before;
    sn_real *moved;
    size_t node_capacity;
    sn_vec4 origin; /* m */
    /* Of groups of lanes: by how much they are further apart than they must be (m); and the list of
       those that are looked at, colour by colour. */
    sn_real *slack;
    uint32_t *list;
    size_t group_capacity;
    size_t *begin; /* of each colour in the list; one more than colours */
    size_t colour_capacity;
    uint8_t *doubt; /* of lanes: whether they may pass each other on their ways */
    size_t doubt_capacity;
    sn_real spare; /* m, what the list is made for */
} sn_meet_survey;

/* What the loops see of a set. */
typedef struct sn_meet_sight {
    const sn_vec4 *now, *before;
    const int32_t *node;
    const sn_real *row;
    sn_real *slack;
    uint8_t *doubt;
    sn_real rounding; /* m, of places far from the origin */
} sn_meet_sight;

/* For the blocks begin to end of a set of one kind. */
typedef void sn_meet_look(const sn_meet_sight *sight, size_t begin, size_t end);
typedef struct sn_meet_looks {
    size_t lanes;                      /* of a group */
    sn_meet_look *slack[4], *doubt[4]; /* by kinds */
} sn_meet_looks;
const sn_meet_looks *sn_meet_looks_of(sn_width width);

/* Room for the sets there are now; false when there is no memory. */
bool sn_meet_survey_reserve(sn_world *world);
void sn_meet_survey_free(sn_meet_survey *survey, sn_memory *memory);
/* Where the nodes of skins are now; and where they were. */
void sn_meet_survey_nodes(sn_world *world, bool before);
/* Of every lane of a set, whether its pair may pass on the way of this substep. */
void sn_meet_survey_doubts(sn_world *world, int kind);

#endif
