/*
 * How many slots the pairs of a kind may take. Where a few nodes are in nearly all pairs, as those
 * of what crosses a whole scene within a substep, no two of these can be in the same block, and
 * pairs take up to 16 times as much memory and time as others; the search (broad_phase.h) admits
 * 512 of them for each element. Sheets that are some edges thick have more than 128.
 */
#ifndef SN_CONTACT_SURFACE_MOST_SLOTS_H
#define SN_CONTACT_SURFACE_MOST_SLOTS_H

#include "base/error.h"
#include "contact/surface/surface_contact.h"

static inline size_t sn_surface_contact_elements(const sn_surface_contacts *m) {
    size_t elements = 0;
    for (int i = 0; i < SN_SURFACE_CONTACT_LISTS; i++)
        if (m->list[i].count > elements) elements = m->list[i].count;
    return elements;
}

static inline size_t sn_surface_contact_most_slots(const sn_surface_contacts *m) {
    const size_t few = (size_t)1 << 20, each = 256, elements = sn_surface_contact_elements(m);
    return elements < few / each ? few : each * elements;
}

/* False, with a sentence, where there are more. */
static inline bool sn_surface_contact_admits(const sn_surface_contacts *m, size_t slots) {
    const size_t most = sn_surface_contact_most_slots(m);
    if (slots <= most) return true;
    sn_fail(SN_ERROR_LIMIT,
            "contact: pairs of %zu points, edges and triangles that may touch within the step take "
            "more than %zu places, expected at most so many; radii, thicknesses or speeds are too "
            "large for things of their size",
            sn_surface_contact_elements(m), most);
    return false;
}

#endif
