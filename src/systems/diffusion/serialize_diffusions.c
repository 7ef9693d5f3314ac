/* Diffusions and sources to and from an archive. */
#include "state/serialize.h"
#include "systems/diffusion/diffusions.h"

static void check_nodes(sn_archive *a, const sn_diffusion_state *d, size_t i) {
    for (size_t k = 0; k < d->nodes && a->result == SN_OK; k++)
        if (!(d->liquid[k] >= 0 && d->liquid[k] <= 1) || !(d->mass[k] >= 0 && d->mass[k] < 1e300))
            sn_archive_fail(a, "diffusion %zu has node %u with a part or a mass that is none", i,
                            d->node[k].slot);
}

/* Bonds that have gone are left out, but not taken from the list: whoever saves changes nothing. */
static void write_bonds(sn_archive *a, const sn_world *world, const sn_diffusion_state *d) {
    size_t count = 0;
    for (size_t k = 0; k < d->bonds; k++) count += sn_diffusion_has_bond(world, d, k);
    if (count == 0) return;
    sn_archive_cursor cursor = sn_archive_open(a, "bond", SN_ARCHIVE_U32, count);
    for (size_t k = 0; k < d->bonds; k++)
        if (sn_diffusion_has_bond(world, d, k)) sn_archive_next(a, &cursor, &d->bond[k].slot);
}

static void read_bonds(sn_archive *a, sn_world *world, sn_diffusion_state *d, size_t i) {
    const sn_constraints *all = &world->constraints;
    size_t count = sn_archive_count(a, "bond"), stride = sizeof *d->bond;
    if (count > all->slots.count)
        sn_archive_fail(a, "diffusion %zu has %zu bonds, of %zu constraints", i, count,
                        all->slots.count);
    if (a->result != SN_OK || !sn_serialize_had(a, sn_reserve(&world->memory, (void **)&d->bond,
                                                              &d->bond_room, count + 1, stride)))
        return;
    d->bonds = count;
    if (count > 0) sn_archive_member(a, "bond", SN_ARCHIVE_U32, &d->bond->slot, stride, 1, count);
    for (size_t k = 0; k < count && a->result == SN_OK; k++) {
        uint32_t slot = d->bond[k].slot;
        if (slot == 0 || !sn_diffusion_may_bind(world, slot - 1))
            sn_archive_fail(a, "diffusion %zu has bond %zu, which is no distance", i, k);
        else
            d->bond[k] = (sn_constraint){slot, all->slots.generation[slot - 1], world->tag};
    }
}

/* The bonds that are there: distances, by their numbers. */
static void serialize_bonds(sn_archive *a, sn_world *world, sn_diffusion_state *d, size_t i) {
    if (a->reading)
        read_bonds(a, world, d, i);
    else if (!a->visit)
        write_bonds(a, world, d);
    else if (d->bonds > 0)
        sn_archive_member(a, "bond", SN_ARCHIVE_U32, &d->bond->slot, sizeof *d->bond, 1, d->bonds);
}

static void serialize_diffusion(sn_archive *a, sn_world *world, size_t i) {
    sn_diffusion_state *d = &sn_diffusions_of(world)->state[i];
    sn_archive_section(a, "diffuse");
    sn_object_serialize(&sn_diffusion_object, a, &d->def, sizeof d->def, 1, i);
    if (a->reading && a->result == SN_OK) {
        size_t nodes = sn_archive_count(a, "node");
        sn_serialize_had(a, sn_diffusion_state_reserve(d, &world->memory, nodes + 1));
        d->nodes = nodes;
    }
    if (a->result == SN_OK) sn_serialize_nodes(world, a, d->node, d->nodes, "diffusion", i);
    if (a->result == SN_OK) {
        sn_archive_column(a, "held", SN_ARCHIVE_F64, d->value, d->nodes);
        sn_archive_column(a, "liquid", SN_ARCHIVE_F64, d->liquid, d->nodes);
        sn_archive_column(a, "unloaded", SN_ARCHIVE_F64, d->mass, d->nodes);
        sn_archive_column(a, "solid", SN_ARCHIVE_U8, d->solid, d->nodes);
        sn_archive_column(a, "received", SN_ARCHIVE_F64, &d->received, 1);
    }
    if (a->result == SN_OK) serialize_bonds(a, world, d, i);
    if (a->reading && a->result == SN_OK) {
        check_nodes(a, d, i);
        sn_serialize_check_flags(a, "solid", d->solid, d->nodes);
    }
    sn_archive_section_end(a);
}

static void serialize_source(sn_archive *a, sn_source_state *s, size_t i) {
    sn_archive_section(a, "source");
    sn_object_serialize(&sn_source_object, a, &s->def, sizeof s->def, 1, i);
    sn_archive_column(a, "clock", SN_ARCHIVE_F64, &s->clock, 1);
    if (a->reading && a->result == SN_OK && !(s->clock >= 0 && s->clock < 1e300))
        sn_archive_fail(a, "source %zu has a clock that is none", i);
    sn_archive_section_end(a);
}

/* A node carries a quantity once: two threads would change it otherwise. */
static void check_once(sn_archive *a, sn_world *world) {
    const sn_diffusions *all = sn_diffusions_of(world);
    size_t nodes = world->nodes.slots.count;
    uint32_t *taken = sn_allocate(&world->memory, nodes + 1, sizeof *taken);
    if (!sn_serialize_had(a, taken != NULL)) return;
    for (uint32_t i = 0; i < all->slots.count; i++)
        for (size_t k = 0; k < all->state[i].nodes && a->result == SN_OK; k++) {
            uint32_t *by = &taken[all->state[i].node[k].slot];
            if (*by == i + 1) sn_archive_fail(a, "diffusion %u has a node twice", i);
            *by = i + 1;
        }
    sn_free(&world->memory, taken, nodes + 1, sizeof *taken);
}

void sn_world_serialize_diffusions(sn_world *world, sn_archive *a) {
    sn_diffusions *all = sn_diffusions_of(world);
    if (sn_serialize_kept(world, a, "diffuses", &all->slots, (void **)&all->state, &all->capacity,
                          sizeof *all->state))
        for (size_t i = 0; i < all->slots.count && a->result == SN_OK; i++)
            if (all->slots.alive[i]) serialize_diffusion(a, world, i);
    if (a->result == SN_OK &&
        sn_serialize_kept(world, a, "sources", &all->source_slots, (void **)&all->source,
                          &all->source_capacity, sizeof *all->source))
        for (size_t i = 0; i < all->source_slots.count && a->result == SN_OK; i++)
            if (all->source_slots.alive[i]) serialize_source(a, &all->source[i], i);
    if (a->reading && a->result == SN_OK && all->slots.count > 0) check_once(a, world);
}
