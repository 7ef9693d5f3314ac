/*
 * Every pair takes the lowest colour that is free at all nodes it can move, in the order of pairs;
 * should the 64 colours of a mask not be enough, those that are left begin again with empty masks.
 */
#include "contact/triangle/triangle_contact.h"

#include <string.h>

enum { MASK = 64 };
#define UNCOLOURED UINT32_MAX

/* The pairs that find a colour in this round, from the given one on; returns how many do not. */
static size_t colour_round(const sn_world *world, uint32_t begin, uint32_t *colours) {
    const sn_triangle_contacts *f = &world->scratch.faces;
    const sn_real *w = sn_world_contact_w(world);
    size_t left = 0;
    memset(f->taken, 0, world->nodes.slots.count * sizeof *f->taken);
    for (size_t i = 0; i < f->count; i++) {
        sn_triangle_pair *face = &f->face[i];
        uint64_t taken = 0;
        if (face->colour != UNCOLOURED) continue;
        for (int k = 0; k < 3; k++)
            if (w[face->node[k]] > 0) taken |= f->taken[face->node[k]];
        if (taken == UINT64_MAX) {
            left++;
            continue;
        }
        uint32_t bit = (uint32_t)__builtin_ctzll(~taken);
        for (int k = 0; k < 3; k++) f->taken[face->node[k]] |= (uint64_t)1 << bit;
        face->colour = begin + bit;
        if (face->colour >= *colours) *colours = face->colour + 1;
    }
    return left;
}

bool sn_triangle_contact_colour(sn_world *world) {
    sn_triangle_contacts *f = &world->scratch.faces;
    uint32_t begin = 0, colours = 0;
    f->colours = 0;
    if (!sn_reserve(&world->memory, (void **)&f->taken, &f->taken_capacity,
                    world->nodes.slots.count + 1, sizeof *f->taken) ||
        !sn_reserve(&world->memory, (void **)&f->order, &f->order_capacity, f->count + 1,
                    sizeof *f->order))
        return false;
    for (size_t i = 0; i < f->count; i++) f->face[i].colour = UNCOLOURED;
    while (colour_round(world, begin, &colours) > 0) begin += MASK;
    if (!sn_reserve(&world->memory, (void **)&f->colour, &f->colour_capacity, (size_t)colours + 2,
                    sizeof *f->colour))
        return false;
    memset(f->colour, 0, ((size_t)colours + 2) * sizeof *f->colour);
    for (size_t i = 0; i < f->count; i++) f->colour[f->face[i].colour + 2]++;
    for (size_t c = 2; c < (size_t)colours + 2; c++) f->colour[c] += f->colour[c - 1];
    for (size_t i = 0; i < f->count; i++)
        f->order[f->colour[f->face[i].colour + 1]++] = (uint32_t)i;
    f->colours = colours;
    f->listed = f->count;
    return true;
}
