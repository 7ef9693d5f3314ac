/* Of which pairs the motion limiter must ask exactly whether they pass: few, see limiter_plane.c.
   */
#include "contact/limiter/limiter_parts.h"

#include <string.h>

enum { NODES_ALONE = 1024, BLOCKS_ALONE = 32 };

static sn_real sum_of(sn_v4 a) {
    sn_real x = a[0] < 0 ? -a[0] : a[0], y = a[1] < 0 ? -a[1] : a[1], z = a[2] < 0 ? -a[2] : a[2];
    return (x + y) + z;
}

/* Places are relative to a node, so that far from the origin of the world little is lost. The
   rounding of a difference, a sum and a product with a normal is some 3e-7 of the numbers. */
static void place(sn_vec4 *at, sn_v4 x, sn_v4 displaced) {
    sn_v4 y = x + displaced;
    y[3] = SN_R(2e-6) * (sum_of(y) + sum_of(displaced));
    sn_v4_store(at, y);
}

static sn_v4 origin_of(const sn_world *world) {
    return sn_v4_load(
        &world->nodes.x[sn_surface_contacts_of(world)->list[SN_SURFACE_CONTACT_POINT].node[0]]);
}

static void place_range(void *context, size_t begin, size_t end) {
    const sn_limiter_pass *p = context;
    const sn_nodes *n = &p->world->nodes;
    sn_v4 origin = origin_of(p->world);
    for (size_t k = begin; k < end; k++) {
        uint32_t i = sn_surface_contacts_of(p->world)->list[SN_SURFACE_CONTACT_POINT].node[k];
        sn_v4 x = sn_v4_load(&n->x[i]) - origin;
        place(&p->limiter->now[i], x, sn_v4_load(&n->d[i]));
        place(&p->limiter->before[i], x, sn_v4_load(&n->p[i]));
    }
}

void sn_limiter_place(sn_limiter_pass *p) {
    sn_team_run(p->world->bindings.team,
                sn_surface_contacts_of(p->world)->list[SN_SURFACE_CONTACT_POINT].count, NODES_ALONE,
                place_range, p);
    p->measures = sn_limiter_rooms_begin(p);
}

typedef struct looking {
    sn_limiter_pass *pass;
    sn_limiter_sight sight;
    sn_limiter_look *look;
    atomic_bool any;
} looking;

static void look_range(void *context, size_t begin, size_t end) {
    looking *l = context;
    size_t looked = 0;
    bool any = false;
    for (size_t block = begin; block < end; block++) {
        uint8_t *doubt = l->sight.doubt + block * SN_CONTACT_BLOCK;
        if (sn_limiter_rooms_tell(l->pass, block)) {
            memset(doubt, 0, SN_CONTACT_BLOCK);
            continue;
        }
        l->look(&l->sight, block, block + 1);
        if (l->pass->measures)
            sn_limiter_rooms_place(l->pass, block);
        else
            looked++;
        for (size_t i = 0; i < SN_CONTACT_BLOCK; i++) any |= doubt[i];
    }
    atomic_fetch_add_explicit(&l->pass->limiter->rooms.looked, looked, memory_order_relaxed);
    if (any) atomic_store_explicit(&l->any, true, memory_order_relaxed);
}

bool sn_limiter_find_doubts(sn_limiter_pass *p) {
    sn_limiter *g = p->limiter;
    if (p->set->count == 0) return false;
    /* They fetch the same nodes as the sweeps. */
    const sn_width width =
        sn_lanes_of(p->world, &p->world->bindings.lanes[SN_TRIED_SURFACE_CONTACT]);
    looking l = {.pass = p,
                 .look = sn_limiter_planes_of(width)->look[p->kind],
                 .sight = {.now = g->now,
                           .before = g->before,
                           .node = p->set->node,
                           .row = p->set->row,
                           .doubt = g->doubt,
                           .room = p->measures ? g->rooms.room[p->kind] : NULL,
                           .rounding = SN_R(1e-6) * sum_of(origin_of(p->world)) + SN_R(1e-8)}};
    sn_team_run(p->world->bindings.team, p->set->blocks, BLOCKS_ALONE, look_range, &l);
    if (p->measures) g->rooms.measured[p->kind] = g->rooms.placed[p->kind] = p->set->blocks;
    return atomic_load_explicit(&l.any, memory_order_relaxed);
}
