/*
 * Air meshes: the nodes, the surfaces that no element crosses, and the elements, which flips
 * change.
 *
 *      2          A triangle is anticlockwise seen against its axis, a tet right-handed. Side k is
 *     / \         opposite to corner k. Elements that have a side in common are linked, but not
 *    /   \        across a surface: what is not linked is not flipped.
 *   0-----1
 *
 * All of it is state but for the frame, which follows the nodes.
 */
#ifndef SN_SYSTEMS_AIR_MESH_AIR_MESHES_H
#define SN_SYSTEMS_AIR_MESH_AIR_MESHES_H

#include "base/archive.h"
#include "geometry/topology/sort_indices.h"
#include "math/vector.h"
#include "state/object.h"
#include "state/step_context.h"

#include <sinew/air_mesh.h>

/* Corners of the frame, which come after the nodes; in a plane the first four of them. */
enum { SN_GAP_FRAME = 8, SN_GAP_NONE = -1 };
/* The most elements around an edge that is flipped. */
enum { SN_GAP_RING = 7 };
#define SN_GAP_NO_ELEMENT UINT32_MAX
/* Quality that is rounding. */
#define SN_GAP_ROUNDING SN_R(0.001)

typedef struct sn_gap_element {
    uint32_t corner[4]; /* the last one of a triangle is SN_GAP_NO_ELEMENT */
} sn_gap_element;

typedef struct sn_gap {
    sn_air_mesh_def def; /* its lists are null, its counts not used */
    sn_node *node;
    size_t nodes;
    uint32_t (*triangle)[3]; /* of the bodies */
    size_t triangles;
    uint32_t (*edge)[2]; /* of lines */
    size_t edges;
    uint32_t plane; /* an sn_plane */
    int axis;       /* across the plane; SN_GAP_NONE in space */
    int corners;    /* of an element */
    sn_gap_element *element;
    sn_gap_element *link; /* elements beyond the sides, or SN_GAP_NO_ELEMENT */
    size_t elements;
    uint32_t room; /* flips may make more of them, as far as there is room */

    /* What follows from it. */
    uint8_t *inverted;           /* scratch of a sweep */
    sn_vec4 frame[SN_GAP_FRAME]; /* m */
} sn_gap;

typedef struct sn_gaps {
    sn_slots slots;
    sn_gap *state;
    size_t capacity;
} sn_gaps;

static inline sn_gaps *sn_gaps_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_AIR_MESH];
}

extern const sn_object sn_air_mesh_object;

/* Room for one more, and for the lists and elements of one; false when there is no memory. */
bool sn_gaps_reserve(sn_gaps *all, sn_memory *memory);
bool sn_gap_reserve(sn_gap *air, sn_memory *memory, size_t nodes, size_t triangles, size_t edges);
bool sn_gap_reserve_elements(sn_gap *air, sn_memory *memory, size_t room);
/* The axis across a plane and the corners of its elements. */
void sn_gap_set_plane(sn_gap *air, uint32_t plane);
void sn_gap_free(sn_gap *air, sn_memory *memory);
void sn_gaps_remove(sn_gaps *all, sn_memory *memory, uint32_t index);

/* air_mesh_tessellate.c: elements and links, from the lists and places of the nodes. */
sn_result sn_gap_tessellate(sn_gap *air, sn_memory *memory, const sn_vec3 *rest);

/* air_mesh_links.c: sides of surfaces, as records with the value SN_GAP_NO_ELEMENT, behind the
   *count that are there; at most three per triangle and one per edge. */
sn_result sn_gap_list_walls(const sn_gap *air, sn_memory *memory, sn_record *wall, size_t *count);
/* Links of elements that have a side in common which is none of a surface. */
sn_result sn_gap_link(sn_gap *air, sn_memory *memory);
/* Whether what is beyond the sides of an element has these sides, with links back. */
bool sn_gap_is_linked(const sn_gap *air, uint32_t e);
/* Elements go and others come in their place; false, and nothing happens, where those have not the
   same border. */
bool sn_gap_replace(sn_gap *air, const uint32_t *old, size_t old_count, const sn_gap_element *made,
                    size_t made_count);

/* Where the corners of elements are: `by` is what nodes have moved by, in the middle of a substep
   d, when it began p; null when no step is on its way. */
typedef struct sn_gap_view {
    const sn_world *world;
    const sn_gap *air;
    const sn_vec4 *by;
} sn_gap_view;

/* air_mesh_measure.c: from corner 0 of an element to the others, along the plane. */
void sn_gap_ways(const sn_gap_view *view, const sn_gap_element *e, sn_v4 way[3]);
/* The signed area or volume of an element, and its slopes by these ways. */
sn_real sn_gap_measure(const sn_gap *air, const sn_v4 way[3], sn_v4 slope[3]);

/* flip_air_mesh.c: edges of bad elements are flipped where that makes them better. */
/* The signed measure over that of a regular element with the same mean square of edges. */
sn_real sn_gap_quality(const sn_gap_view *view, const sn_gap_element *e);
void sn_gap_flip(const sn_gap_view *view, sn_gap *air);

/* project_air_mesh.c: lines of the step. */
void sn_gap_place_frame(const sn_world *world, sn_gap *air);
void sn_gaps_begin(sn_step *step);
void sn_gaps_project(sn_step *step);

/* serialize_air_meshes.c: the part of a snapshot. */
void sn_world_serialize_air_meshes(sn_world *world, sn_archive *a);

#endif
