/* Emitters and drains to and from an archive. */
#include "state/serialize.h"
#include "systems/emitter/emitters.h"

/* What was read of a reserve. */
static void check_reserve(sn_archive *a, const sn_emitter_state *e, size_t i) {
    for (size_t k = 0; k < e->count && a->result == SN_OK; k++) {
        const sn_reserve_node *r = &e->reserve[k];
        if (!(r->w > 0 && r->w <= SN_REAL_MAX) || !(r->radius > 0 && r->radius <= SN_REAL_MAX) ||
            r->waits > 1)
            sn_archive_fail(a, "emitter %zu has node %u without mass, radius or turn", i,
                            r->node.slot);
    }
    if (a->result == SN_OK && e->count > 0 && e->def.shape != SN_EMITTER_MESH &&
        sn_emitter_lattice(&e->def, sn_emitter_spacing(e)) > SN_EMITTER_MOST_PLACES)
        sn_archive_fail(a, "emitter %zu has more places than there may be", i);
    if (!(e->clock[0] >= 0 && e->clock[0] < 1e300) || !(e->clock[1] >= 0 && e->clock[1] < 1e300) ||
        !(e->layer >= 0 && e->layer < 1e15))
        sn_archive_fail(a, "emitter %zu has a clock that is none", i);
}

/* Those that have none leave no trace of it. */
static void serialize_points(sn_archive *a, sn_world *world, sn_emitter_state *e, size_t i) {
    if (a->reading && sn_archive_has(a, "point")) {
        e->point_count = sn_archive_count(a, "point") / 3;
        if (!sn_serialize_had(a, sn_emitter_points_reserve(e, &world->memory, e->point_count)))
            return;
    }
    if (e->point_count > 0)
        sn_archive_member(a, "point", SN_ARCHIVE_REAL, e->points, sizeof *e->points, 3,
                          e->point_count);
    for (size_t k = 0; a->reading && a->result == SN_OK && k < e->point_count; k++) {
        sn_vec3 p = e->points[k];
        if ((p.x - p.x) + (p.y - p.y) + (p.z - p.z) != 0)
            sn_archive_fail(a, "emitter %zu has point %zu that is not finite", i, k);
    }
    if (a->reading && a->result == SN_OK && e->def.shape == SN_EMITTER_MESH && e->point_count == 0)
        sn_archive_fail(a, "emitter %zu is a mesh without points", i);
}

static void serialize_emitter(sn_archive *a, sn_world *world, size_t i) {
    sn_emitter_state *e = &sn_emitters_of(world)->state[i];
    sn_archive_section(a, "emitter");
    sn_object_serialize(&sn_emitter_object, a, &e->def, sizeof e->def, 1, i);
    if (a->reading && a->result == SN_OK) {
        e->count = sn_archive_count(a, "node");
        sn_serialize_had(a, sn_emitter_state_reserve(e, &world->memory, e->count + 1));
    }
    if (a->result == SN_OK) sn_serialize_nodes(world, a, e->list, e->count, "emitter", i);
    if (a->result == SN_OK) {
        for (size_t k = 0; a->reading && k < e->count; k++)
            e->reserve[k] = (sn_reserve_node){.node = e->list[k]};
        const size_t stride = sizeof *e->reserve;
        sn_archive_member(a, "reserve_inverse_mass", SN_ARCHIVE_REAL, &e->reserve->w, stride, 1,
                          e->count);
        sn_archive_member(a, "reserve_radius", SN_ARCHIVE_REAL, &e->reserve->radius, stride, 1,
                          e->count);
        sn_archive_member(a, "reserve_group", SN_ARCHIVE_U32, &e->reserve->group, stride, 1,
                          e->count);
        sn_archive_member(a, "waits", SN_ARCHIVE_U32, &e->reserve->waits, stride, 1, e->count);
        sn_archive_column(a, "fluid", SN_ARCHIVE_U32, e->fluid, 2);
        sn_archive_column(a, "clock", SN_ARCHIVE_F64, e->clock, 2);
        sn_archive_column(a, "layer", SN_ARCHIVE_F64, &e->layer, 1);
        sn_archive_column(a, "emitted", SN_ARCHIVE_F64, &e->emitted, 1);
        sn_archive_column(a, "blocked", SN_ARCHIVE_F64, &e->blocked, 1);
    }
    if (a->result == SN_OK) serialize_points(a, world, e, i);
    if (a->reading && a->result == SN_OK) check_reserve(a, e, i);
    sn_archive_section_end(a);
}

static void serialize_drain(sn_archive *a, sn_drain_state *d, size_t i) {
    sn_archive_section(a, "drain");
    sn_object_serialize(&sn_drain_object, a, &d->def, sizeof d->def, 1, i);
    sn_archive_column(a, "clock", SN_ARCHIVE_F64, &d->clock, 1);
    sn_archive_column(a, "drained", SN_ARCHIVE_F64, &d->drained, 1);
    if (a->reading && a->result == SN_OK && !(d->clock >= 0 && d->clock < 1e300))
        sn_archive_fail(a, "drain %zu has a clock that is none", i);
    sn_archive_section_end(a);
}

static bool nth(const sn_world *world, size_t i, size_t k, sn_node *node) {
    const sn_emitter_state *e = &sn_emitters_of(world)->state[i];
    if (k < e->count) *node = e->reserve[k].node;
    return k < e->count;
}

void sn_world_serialize_emitters(sn_world *world, sn_archive *a) {
    sn_emitters *all = sn_emitters_of(world);
    if (sn_serialize_kept(world, a, "emitters", &all->slots, (void **)&all->state, &all->capacity,
                          sizeof *all->state))
        for (size_t i = 0; i < all->slots.count && a->result == SN_OK; i++)
            if (all->slots.alive[i]) serialize_emitter(a, world, i);
    if (a->result == SN_OK &&
        sn_serialize_kept(world, a, "drains", &all->drain_slots, (void **)&all->drain,
                          &all->drain_capacity, sizeof *all->drain))
        for (size_t i = 0; i < all->drain_slots.count && a->result == SN_OK; i++)
            if (all->drain_slots.alive[i]) serialize_drain(a, &all->drain[i], i);
    sn_serialize_check_once(world, a, &all->slots, nth, "emitter");
}
