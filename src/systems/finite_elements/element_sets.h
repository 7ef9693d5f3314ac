/* Sets of finite elements: what is kept of them, and what a step works on. */
#ifndef SN_SYSTEMS_FINITE_ELEMENTS_ELEMENT_SETS_H
#define SN_SYSTEMS_FINITE_ELEMENTS_ELEMENT_SETS_H

#include "base/archive.h"
#include "state/object.h"
#include "state/step_context.h"

#include <sinew/finite_elements.h>

typedef struct sn_element_set {
    sn_finite_elements_def def; /* its lists are null, and so is the count of nodes */
    sn_node *node;              /* four of each tet */
    sn_real *rest;              /* m, from its first node to the others at rest: nine numbers */
    size_t tets, room;
} sn_element_set;

/* An element in a step. */
typedef struct sn_element {
    uint32_t node[4];
    uint32_t set;
    double b[12];      /* 1/m, gradients of the shape functions */
    double place[12];  /* m, of its nodes at rest, from their centre */
    double volume;     /* m^3 */
    double mu, lambda; /* Pa */
    double mass;       /* kg, of one corner */
    double longest;    /* s, the step that is stable */
    double compliance; /* s^2, with which it is matched */
} sn_element;

/* The elements of all sets, in the order of sets and lists, and which of them have to do with a
   node. */
typedef struct sn_elements {
    sn_element *element;
    uint8_t *matched; /* 0 or 1, in this step */
    sn_vec4 *force;   /* N, on the four nodes of each */
    double *lambda;   /* of those that are matched, in this substep */
    uint32_t *node;   /* with elements, in order */
    size_t *first;    /* of the corners at such a node; one more says where they end */
    uint32_t *corner; /* 4 times the element and the number of the corner */
    size_t count, nodes;
    size_t element_room, matched_room, force_room, lambda_room, node_room, first_room, corner_room;
    bool made;
    bool any_matched; /* in this step */
} sn_elements;

typedef struct sn_element_sets {
    sn_slots slots;
    sn_element_set *state;
    size_t capacity;
    sn_elements elements; /* scratch */
} sn_element_sets;

static inline sn_element_sets *sn_element_sets_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_FINITE_ELEMENTS];
}

extern const sn_object sn_finite_elements_object;

/* Room for one more set, and for the lists of one; false when there is no memory. */
bool sn_element_sets_reserve(sn_element_sets *all, sn_memory *memory);
bool sn_element_set_reserve(sn_element_set *set, sn_memory *memory, size_t tets);
void sn_element_set_free(sn_element_set *set, sn_memory *memory);
void sn_element_sets_remove(sn_element_sets *all, sn_memory *memory, uint32_t index);

/* elements_plan.c: the elements of all sets, where they are not known; which are matched in the
   step that begins. */
bool sn_elements_plan(sn_step *step);
void sn_elements_mark(sn_step *step);
void sn_elements_free(sn_elements *elements, sn_memory *memory);

/* element_forces.c: forces from where nodes are when a substep begins. */
void sn_elements_push(sn_step *step);

/* match_elements.c: those that are matched, one after the other. */
void sn_elements_match(sn_step *step);

/* The places of the nodes of an element from its first one, m. */
static inline void sn_element_places(const sn_world *world, const sn_element *e, double x[12]) {
    const sn_v4 *at = (const sn_v4 *)world->nodes.x, *d = (const sn_v4 *)world->nodes.d;
    uint32_t zero = e->node[0];
    for (int n = 0; n < 4; n++) {
        sn_v4 far = at[e->node[n]] - at[zero], near = d[e->node[n]] - d[zero];
        for (int k = 0; k < 3; k++) x[3 * n + k] = (double)far[k] + (double)near[k];
    }
}

/* serialize_finite_elements.c: the part of a snapshot. */
void sn_world_serialize_finite_elements(sn_world *world, sn_archive *a);

#endif
