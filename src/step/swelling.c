/*
 * Nodes that become wider or thinner: types may say how wide a segment is (`width`), and contacts
 * and pictures of the next step see it. A node between two segments has the mean of both.
 *
 * One by one and in the order of the constraints: there are few, and nodes have several.
 */
#include "step/step.h"

static void visit_nodes(sn_nodes *nodes, sn_members members, double width) {
    for (int n = 0; n < 2; n++) {
        sn_real *radius = &nodes->radius[sn_member(members, n)];
        *radius = width == 0 ? 0 : *radius > 0 ? (*radius + (sn_real)width) / 2 : (sn_real)width;
    }
}

/* All of a store: at first what is there is forgotten. */
static void visit_store(sn_nodes *nodes, sn_store *store, bool forget) {
    for (uint8_t c = 0; c < SN_COLOURS; c++)
        for (uint32_t i = 0; i < store->colour[c].count; i++) {
            sn_place place = {c, i};
            sn_vec3 x[SN_MAX_NODES];
            sn_members members = sn_store_members(store, place);
            if (sn_store_is_off(store, place)) continue;
            sn_step_look_at(nodes, members, x);
            double width = store->type->width(sn_store_parameters(store, place), x);
            if (width > 0) visit_nodes(nodes, members, forget ? 0 : width);
        }
}

static bool swells(const sn_store *store) {
    return store->type->width && store->count > 0;
}

bool sn_swelling_is_possible(const sn_world *world) {
    for (size_t k = 0; k < world->store_count; k++)
        if (swells(&world->store[k])) return true;
    return false;
}

void sn_swelling_apply(sn_step *step) {
    sn_world *world = step->world;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < world->store_count; k++)
            if (swells(&world->store[k])) visit_store(&world->nodes, &world->store[k], pass == 0);
}
