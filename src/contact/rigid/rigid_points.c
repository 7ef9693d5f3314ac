/*
 * Which points of bodies are looked for again when a substep begins: of manifolds those of which
 * the two have moved as seen from each other (rigid_seen.c), and what goes along an axis or a rim.
 */
#include "contact/contacts.h"
#include "contact/rigid/rigid_crests.h"
#include "contact/rigid/rigid_rounds.h"

enum { KIND = SN_CONTACT_RIGID, BLOCKS_ALONE = 64 };

/* Of a block of the set, lanes whose points are looked for. Points of what stands and is round are
   laid out like those of manifolds, but always there once they are. Crests have
   been looked for. */
static uint32_t lanes_of(const sn_world *world, uint32_t first, bool *stale) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    const sn_rigid_search *search = &sn_rigid_contacts_of(world)->search[first];
    uint32_t bits = 0;
    if (search->follows) return 0;
    if (search->leads) {
        const sn_width width = sn_lanes_of(world, &world->bindings.lanes[SN_TRIED_RIGID_LOOK]);
        bits = sn_rigid_seen_kernels_of(width)->moved(world, first / SN_CONTACT_BLOCK);
        *stale = bits != 0;
        return bits;
    }
    for (uint32_t i = 0; i < SN_CONTACT_BLOCK; i++) {
        if (*sn_contact_node_at(set, KIND, first + i, 0) < 0) continue;
        if (search[i].crest) {
            *stale = *stale || search[i].flips;
            continue;
        }
        if (search[i].round || search[i].between || search[i].rim) bits |= 1u << i;
        *stale = *stale || (search[i].round && search[i].manifold == SN_RIGID_APART);
    }
    return bits;
}

static size_t group_of(const sn_contact_set *set, size_t block) {
    size_t low = 0, high = sn_contact_groups(set);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (set->first[middle] <= block)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void look_range(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (size_t block = begin; block < end; block++) {
        bool stale = false;
        t->moved[block] = (uint16_t)lanes_of(world, (uint32_t)block * SN_CONTACT_BLOCK, &stale);
        if (!stale) continue;
        const size_t group = group_of(&sn_contacts_of(world)->set[KIND], block);
        atomic_store_explicit(&t->stale[group], true, memory_order_relaxed);
    }
}

static void write_range(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (size_t g = begin; g < end; g++)
        if (atomic_load_explicit(&t->stale[g], memory_order_relaxed))
            sn_rigid_blocks_write_group(sn_contacts_of(world), g);
}

/* Slots are gone through in their order, which is that of memory; pairs are in another. */
static void find_slot(const sn_world *world, uint32_t slot) {
    sn_rigid_search *c = &sn_rigid_contacts_of(world)->search[slot];
    if (c->round)
        sn_rigid_place_round(world, c);
    else if (c->between)
        sn_rigid_place_between(world, c);
    if (c->rim) sn_rigid_place_on_rim(world, c);
    if (!c->leads) return;
    sn_rigid_manifold_find(world, slot);
    if (c->fast)
        atomic_store_explicit(&sn_rigid_contacts_of(world)->fast, true, memory_order_relaxed);
}

static void find_range(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    for (size_t block = begin; block < end; block++) {
        const uint32_t bits = sn_rigid_contacts_of(world)->moved[block];
        for (uint32_t i = 0; bits >> i; i++)
            if (bits >> i & 1) find_slot(world, (uint32_t)block * SN_CONTACT_BLOCK + i);
    }
}

/* What is found anew begins with what has happened to it: first that goes into the rows of its
   group, which is laid out again. */
void sn_rigid_points_find(sn_world *world) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    sn_team *team = world->bindings.team;
    atomic_store_explicit(&t->fast, false, memory_order_relaxed);
    if (set->count == 0 || set->rounds == 0) return;
    for (size_t g = 0; g < sn_contact_groups(set); g++)
        atomic_store_explicit(&t->stale[g], false, memory_order_relaxed);
    sn_rigid_crests_place(world);
    sn_team_run(team, set->blocks, BLOCKS_ALONE, look_range, world);
    sn_team_run(team, sn_contact_groups(set), 2, write_range, world);
    sn_team_run(team, set->blocks, BLOCKS_ALONE, find_range, world);
}
