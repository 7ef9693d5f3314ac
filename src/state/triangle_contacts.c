#include "state/triangle_contacts.h"

void sn_triangle_contacts_free(sn_triangle_contacts *f, sn_memory *memory) {
    sn_free(memory, f->face, f->capacity, sizeof *f->face);
    sn_free(memory, f->begin, f->begin_capacity, sizeof *f->begin);
    sn_free(memory, f->reach, f->reach_capacity, sizeof *f->reach);
    sn_free(memory, f->old, f->old_capacity, sizeof *f->old);
    sn_free(memory, f->old_begin, f->old_begin_capacity, sizeof *f->old_begin);
    sn_free(memory, f->order, f->order_capacity, sizeof *f->order);
    sn_free(memory, f->colour, f->colour_capacity, sizeof *f->colour);
    sn_free(memory, f->taken, f->taken_capacity, sizeof *f->taken);
    *f = (sn_triangle_contacts){0};
}
