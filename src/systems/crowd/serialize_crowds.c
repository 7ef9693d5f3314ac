/* Crowds to and from an archive: their agents, and where these go. */
#include "state/serialize.h"
#include "systems/crowd/crowds.h"

static void check_goals(sn_archive *a, const sn_crowd_state *c, size_t i) {
    for (size_t k = 0; k < c->nodes && a->result == SN_OK; k++) {
        sn_vec3 g = c->goal[k];
        if (!(g.x * 0 + g.y * 0 + g.z * 0 == 0))
            sn_archive_fail(a, "agent %zu of crowd %zu goes nowhere", k, i);
    }
}

static void serialize_crowd(sn_archive *a, sn_world *world, size_t i) {
    sn_crowd_state *c = &sn_crowds_of(world)->state[i];
    sn_archive_section(a, "crowd");
    sn_object_serialize(&sn_crowd_object, a, &c->def, sizeof c->def, 1, i);
    if (a->reading && a->result == SN_OK) {
        size_t nodes = sn_archive_count(a, "node");
        if (nodes == 0) sn_archive_fail(a, "crowd %zu has no agents", i);
        if (a->result == SN_OK)
            sn_serialize_had(a, sn_crowd_state_reserve(c, &world->memory, nodes));
    }
    if (a->result == SN_OK) sn_serialize_nodes(world, a, c->node, c->nodes, "crowd", i);
    if (a->result == SN_OK) sn_archive_column(a, "goal", SN_ARCHIVE_REAL, c->goal, 3 * c->nodes);
    if (a->reading && a->result == SN_OK) check_goals(a, c, i);
    sn_archive_section_end(a);
}

static bool nth(const sn_world *world, size_t i, size_t k, sn_node *node) {
    const sn_crowd_state *c = &sn_crowds_of(world)->state[i];
    if (k < c->nodes) *node = c->node[k];
    return k < c->nodes;
}

void sn_world_serialize_crowds(sn_world *world, sn_archive *a) {
    sn_crowds *all = sn_crowds_of(world);
    if (!sn_serialize_kept(world, a, "crowds", &all->slots, (void **)&all->state, &all->capacity,
                           sizeof *all->state))
        return;
    for (size_t i = 0; i < all->slots.count && a->result == SN_OK; i++)
        if (all->slots.alive[i]) serialize_crowd(a, world, i);
    sn_serialize_check_once(world, a, &all->slots, nth, "crowd");
}
