/* What finding all pairs and finding those of a few nodes again have in common. */
#ifndef SN_CONTACT_SURFACE_SURFACE_PAIRS_H
#define SN_CONTACT_SURFACE_SURFACE_PAIRS_H

#include "contact/surface/surface_pair.h"

typedef struct sn_surface_contact_motion {
    sn_world *world;
    sn_surface_contacts *surface_contacts;
    double time;  /* s, for which pairs are found */
    double left;  /* s, of the step */
    double h;     /* s, of a substep, or 0 when a step begins */
    double since; /* s, since all pairs were found; 0 when that is what is done */
    sn_v4 mean;   /* m/s, the motion that does not count */
} sn_surface_contact_motion;

/* Expects a node to go on as it does now, off by at most its slack. Where pairs were found before,
   it is as if it had always done so. */
void sn_surface_contact_expect(const sn_surface_contact_motion *m, uint32_t node);
/* Where it is now, by what is expected of it, and where it goes. */
sn_expected_motion sn_expected_motion_of(const sn_surface_contact_motion *m, uint32_t node);
/* That of every node of a surface. */
void sn_expected_motions_find(sn_surface_contact_motion *m);
/* The box around the paths of an element. */
void sn_surface_contact_set_box(const sn_surface_contact_motion *m, sn_surface_elements *list,
                                size_t corners, size_t k);

/* Nodes of the elements of the lists. */
static const size_t sn_surface_contact_corners[SN_SURFACE_CONTACT_LISTS] = {1, 1, 1, 2, 2, 3};

/* Which pairs of elements in the whole lists are kept, by kinds of triangles; and of those that the
   broad phase finds, by kind. The context is a motion. */
extern sn_near_accept *const sn_surface_pair_accepts[SN_SURFACE_CONTACT_KINDS];
extern sn_broad_accept *const sn_surface_pair_accepts_loose[SN_SURFACE_CONTACT_KINDS];

/* image_pairs.c: of pairs of a ball, or its image that far away (m), and a ball, those between
   which that is the shortest way; and the pairs across the sides of a periodic world, into the
   heap. */
size_t sn_image_pairs_sift(const sn_surface_contact_motion *m, const sn_surface_elements *first,
                           const sn_vec4 *shift, sn_broad_pair *pairs, size_t count);
bool sn_image_pairs_find(const sn_surface_contact_motion *m, sn_broad_accept *accept);

#endif
