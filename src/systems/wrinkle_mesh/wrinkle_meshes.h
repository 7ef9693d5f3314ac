/*
 * Wrinkle meshes: the coarse mesh, how far each fine vertex is from where it lies on that, and what
 * is made of the lists.
 *
 * State is the offset of each vertex, in the frame of its place on the coarse mesh, so that it goes
 * along with rigid motion. All else follows from the lists and is made with them.
 */
#ifndef SN_SYSTEMS_WRINKLE_MESH_WRINKLE_MESHES_H
#define SN_SYSTEMS_WRINKLE_MESH_WRINKLE_MESHES_H

#include "base/archive.h"
#include "geometry/topology/divide_triangles.h"
#include "state/object.h"
#include "state/step_context.h"

#include <sinew/wrinkle_mesh.h>

/* A distance that is kept between two fine vertices. */
typedef struct sn_wrinkle_link {
    uint32_t a, b;
    sn_real length; /* m, at rest */
} sn_wrinkle_link;

/* Links of a colour have no vertex in common; those of the last one are solved one after the
   other. */
enum { SN_WRINKLE_COLOURS = 64 };

typedef struct sn_wrinkle_links {
    sn_wrinkle_link *link;
    size_t count;
    size_t end[SN_WRINKLE_COLOURS];
} sn_wrinkle_links;

/* Where a fine vertex lies on the coarse mesh, and the frame there. */
typedef struct sn_wrinkle_place {
    sn_vec4 at;      /* m, from the first node */
    sn_vec4 normal;  /* 1 */
    sn_vec4 tangent; /* 1 */
} sn_wrinkle_place;

typedef struct sn_wrinkle_state {
    sn_wrinkle_mesh_def def; /* its lists are null, its counts not used */
    sn_node *node;
    sn_vec3 *rest; /* m */
    size_t nodes;
    uint32_t (*triangle)[3];
    size_t triangles;
    sn_vec3 *offset; /* m, along tangent, normal x tangent and normal; as many as fine vertices */

    /* What follows from it. */
    sn_divided fine;
    sn_wrinkle_links sides, bends;
    sn_real radius;  /* m, automatic or not */
    sn_vec4 *normal; /* of the nodes; times an area */
    sn_wrinkle_place *place;
    sn_vec4 *x;        /* m, of the fine vertices, from the first node */
    sn_vec3 *position; /* m, of the fine vertices when the last step ended */
} sn_wrinkle_state;

typedef struct sn_wrinkles {
    sn_slots slots;
    sn_wrinkle_state *state;
    size_t capacity;
} sn_wrinkles;

static inline sn_wrinkles *sn_wrinkles_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_WRINKLE_MESH];
}

extern const sn_object sn_wrinkle_mesh_object;

/* Room for one more, and for the lists of one; false when there is no memory. */
bool sn_wrinkles_reserve(sn_wrinkles *all, sn_memory *memory);
bool sn_wrinkle_state_reserve(sn_wrinkle_state *w, sn_memory *memory, size_t nodes,
                              size_t triangles);
void sn_wrinkle_state_free(sn_wrinkle_state *w, sn_memory *memory);
void sn_wrinkles_remove(sn_wrinkles *all, sn_memory *memory, uint32_t index);

/* wrinkle_links.c: the fine mesh and its links, from the lists; offsets are 0. */
sn_result sn_wrinkle_state_build(sn_wrinkle_state *w, sn_memory *memory);
void sn_wrinkle_links_free(sn_wrinkle_links *links, sn_memory *memory);
/* The radius, where it is automatic from the coarse mesh. */
void sn_wrinkle_state_measure(sn_wrinkle_state *w);

/* fold_wrinkles.c: where vertices are, from their offsets; and the iterations of a step. */
void sn_wrinkle_state_place(const sn_world *world, sn_wrinkle_state *w);
void sn_wrinkles_fold(sn_step *step);

/* serialize_wrinkles.c: the part of a snapshot. */
void sn_world_serialize_wrinkles(sn_world *world, sn_archive *a);

#endif
