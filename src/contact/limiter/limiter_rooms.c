/*
 * Blocks of pairs that are surely free. When the motion limiter first looks at pairs it keeps the
 * room of each block: by how much the nearest of its pairs are further apart than they must be.
 * Two that have each gone by less than half of that since, but for what all have gone, are still
 * apart, wherever they are, and on straight paths at all times between. Nodes are asked by cells
 * of the partition, so that what moves fast somewhere does not wake all others.
 *
 * Where many blocks had to be looked at, rooms are measured anew in the next substep.
 */
#include "contact/limiter/limiter_parts.h"

#include <math.h>

enum { NODES_ALONE = 1024, FEW = 8 };

bool sn_limiter_rooms_reserve(sn_world *world, sn_limiter_rooms *rooms) {
    sn_column columns[] = {{(void **)&rooms->x, sizeof *rooms->x},
                           {(void **)&rooms->p, sizeof *rooms->p}};
    size_t nodes = world->nodes.slots.count;
    if (nodes > rooms->node_capacity) {
        size_t grown = sn_columns_grow(&world->memory, columns, 2, 0, rooms->node_capacity, nodes);
        if (grown == 0) return false;
        rooms->node_capacity = grown;
    }
    for (int k = 0; k < SN_LIMITER_KINDS; k++) {
        size_t blocks = sn_surface_contacts_of(world)->set[sn_limiter_contact_kind[k]].blocks + 1;
        if (!sn_reserve(&world->memory, (void **)&rooms->room[k], &rooms->room_capacity[k], blocks,
                        sizeof *rooms->room[k]) ||
            !sn_reserve(&world->memory, (void **)&rooms->cells[k], &rooms->cells_capacity[k],
                        blocks, sizeof *rooms->cells[k]))
            return false;
    }
    return true;
}

void sn_limiter_rooms_free(sn_limiter_rooms *rooms, sn_memory *memory) {
    sn_column columns[] = {{(void **)&rooms->x, sizeof *rooms->x},
                           {(void **)&rooms->p, sizeof *rooms->p}};
    sn_columns_free(memory, columns, 2, 0, rooms->node_capacity);
    for (int k = 0; k < SN_LIMITER_KINDS; k++) {
        sn_free(memory, rooms->room[k], rooms->room_capacity[k], sizeof *rooms->room[k]);
        sn_free(memory, rooms->cells[k], rooms->cells_capacity[k], sizeof *rooms->cells[k]);
    }
}

void sn_limiter_forget(sn_world *world) {
    sn_limiter_rooms *rooms = &sn_limiter_of(world)->rooms;
    rooms->known = false;
    for (int k = 0; k < SN_LIMITER_KINDS; k++) rooms->placed[k] = 0;
}

/* ---- Cells ---- */

static uint32_t cell_of(const sn_world *world, uint32_t node) {
    const sn_contact_partition *partition = &sn_surface_contacts_of(world)->partition;
    return partition->slabs > 1 ? partition->of_node[node] : 0;
}

void sn_limiter_rooms_place(sn_limiter_pass *p, size_t block) {
    const int32_t *node = p->set->node + block * 4 * SN_CONTACT_BLOCK;
    uint64_t cells = 0;
    if (block < p->limiter->rooms.placed[p->kind]) return;
    for (size_t i = 0; i < (size_t)4 * SN_CONTACT_BLOCK; i++)
        if (node[i] >= 0)
            cells |= (uint64_t)1 << cell_of(p->world, (uint32_t)node[i] / SN_NODE_BYTES);
    p->limiter->rooms.cells[p->kind][block] = cells;
}

bool sn_limiter_rooms_tell(const sn_limiter_pass *p, size_t block) {
    const sn_limiter_rooms *rooms = &p->limiter->rooms;
    if (p->measures || block >= rooms->measured[p->kind]) return false;
    sn_real away = 0;
    for (uint64_t cells = rooms->cells[p->kind][block]; cells; cells &= cells - 1) {
        sn_real most =
            atomic_load_explicit(&rooms->away[__builtin_ctzll(cells)], memory_order_relaxed);
        if (most > away) away = most;
    }
    return 2 * away < rooms->room[p->kind][block];
}

/* ---- Nodes ---- */

/* m: from where a node was measured to where it is at one end of the substep. */
static sn_v4 gone(const sn_limiter_pass *p, uint32_t i, bool ends) {
    const sn_nodes *n = &p->world->nodes;
    const sn_limiter_rooms *rooms = &p->limiter->rooms;
    sn_v4 moved = sn_v4_load(&n->x[i]) - sn_v4_load(&rooms->x[i]);
    return moved + (sn_v4_load(ends ? &n->d[i] : &n->p[i]) - sn_v4_load(&rooms->p[i]));
}

static void raise_to(_Atomic(sn_real) *most, sn_real to) {
    sn_real had = atomic_load_explicit(most, memory_order_relaxed);
    while (!(to <= had) && !atomic_compare_exchange_weak_explicit(
                               most, &had, to, memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void gone_range(void *context, size_t begin, size_t end) {
    sn_limiter_pass *p = context;
    sn_limiter_rooms *rooms = &p->limiter->rooms;
    sn_real away[SN_LIMITER_CELLS] = {0};
    for (size_t k = begin; k < end; k++) {
        uint32_t i = sn_surface_contacts_of(p->world)->list[SN_SURFACE_CONTACT_POINT].node[k];
        uint32_t cell = cell_of(p->world, i);
        sn_real rounding = 2 * (p->limiter->now[i].w + p->limiter->before[i].w);
        for (int e = 0; e < 2; e++) {
            sn_v4 off = gone(p, i, e == 1) - rooms->drift[e];
            sn_real far = SN_ROOT(sn_v4_dot(off, off)) + rounding;
            if (!(far <= away[cell])) away[cell] = far;
        }
    }
    for (size_t c = 0; c < SN_LIMITER_CELLS; c++)
        if (!(away[c] <= 0)) raise_to(&rooms->away[c], away[c]);
}

static void keep_range(void *context, size_t begin, size_t end) {
    const sn_limiter_pass *p = context;
    const sn_nodes *n = &p->world->nodes;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = sn_surface_contacts_of(p->world)->list[SN_SURFACE_CONTACT_POINT].node[k];
        p->limiter->rooms.x[i] = n->x[i];
        p->limiter->rooms.p[i] = n->p[i];
    }
}

/* How far all have gone, by some of them: whatever it is, it is the same for all. */
static void find_drift(sn_limiter_pass *p) {
    const sn_surface_elements *points =
        &sn_surface_contacts_of(p->world)->list[SN_SURFACE_CONTACT_POINT];
    size_t stride = points->count / 64 + 1, count = (points->count + stride - 1) / stride;
    for (int e = 0; e < 2; e++) {
        sn_v4 sum = {0, 0, 0, 0};
        for (size_t k = 0; k < points->count; k += stride) sum += gone(p, points->node[k], e == 1);
        p->limiter->rooms.drift[e] = sum / (sn_real)count;
    }
}

/* Whether so many blocks were looked at that it is better to measure them. */
static bool are_worn(const sn_limiter_pass *p) {
    size_t blocks = 0;
    for (int k = 0; k < SN_LIMITER_KINDS; k++)
        blocks += sn_surface_contacts_of(p->world)->set[sn_limiter_contact_kind[k]].blocks;
    return FEW * atomic_load_explicit(&p->limiter->rooms.looked, memory_order_relaxed) > blocks;
}

bool sn_limiter_rooms_begin(sn_limiter_pass *p) {
    sn_limiter_rooms *rooms = &p->limiter->rooms;
    size_t count = sn_surface_contacts_of(p->world)->list[SN_SURFACE_CONTACT_POINT].count;
    bool measures = p->scope == SN_LIMITER_ALL && (!rooms->known || are_worn(p));
    atomic_store_explicit(&rooms->looked, 0, memory_order_relaxed);
    if (measures) {
        sn_team_run(p->world->bindings.team, count, NODES_ALONE, keep_range, p);
        for (int k = 0; k < SN_LIMITER_KINDS; k++) rooms->measured[k] = 0;
        rooms->known = true;
        return true;
    }
    for (size_t c = 0; c < SN_LIMITER_CELLS; c++)
        atomic_store_explicit(&rooms->away[c], 0, memory_order_relaxed);
    find_drift(p);
    sn_team_run(p->world->bindings.team, count, NODES_ALONE, gone_range, p);
    return false;
}
