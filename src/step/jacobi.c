/*
 * Jacobi: all constraints see the same positions, and each node takes a share of what they ask for.
 *
 * Colours from settings on (all of them, or the tail of the hybrid solver) are projected without
 * moving anything; their corrections are summed node by node, colour after colour, so that the
 * order of the sum is fixed. Then every node moves by
 *
 *   split masses   the sum / n, where each constraint saw the inverse mass n w: node i is cut into
 *                  n_i parts, one per constraint, which are put together again by averaging. That
 *                  never overshoots and keeps momentum.
 *   averaging      the sum * relaxation / n, with the inverse mass w (survey section 6.1.2).
 */
#include "step/step.h"

#include "math/vector.h"

enum { NODES_ALONE = 4096 };

int sn_step_solved_in_turn(const sn_settings *settings) {
    switch (settings->solver) {
    case SN_SOLVER_HYBRID:
        return settings->hybrid_colours;
    case SN_SOLVER_JACOBI:
    case SN_SOLVER_AVERAGED:
        return 0;
    default:
        return SN_COLOURS;
    }
}

/* How many constraints of the Jacobi colours move each node. */
void sn_jacobi_count(sn_step *step, int first) {
    sn_world *world = step->world;
    const sn_nodes *nodes = &world->nodes;
    for (size_t i = 0; i < nodes->slots.count; i++) world->share[i] = 0;
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        int moved = store->type->info.nodes - store->type->info.fixed_nodes;
        for (uint8_t c = (uint8_t)first; c < SN_COLOURS; c++)
            for (size_t i = 0; i < store->colour[c].count; i++) {
                int32_t node[SN_MAX_NODES];
                sn_store_nodes(store, (sn_place){c, (uint32_t)i}, node);
                for (int n = 0; n < moved; n++) world->share[node[n]] += 1;
            }
    }
    bool split = world->settings.solver != SN_SOLVER_AVERAGED;
    for (size_t i = 0; i < nodes->slots.count; i++) {
        sn_real n = world->share[i] > 1 ? world->share[i] : 1;
        world->split_w[i] = nodes->w[i] * (split ? n : 1);
        world->share[i] = (split ? 1 : world->settings.relaxation) / n;
    }
}

static void move_nodes(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    sn_v4 *d = (sn_v4 *)world->nodes.d, *pulled = (sn_v4 *)world->pulled;
    for (size_t i = begin; i < end; i++) {
        d[i] += pulled[i] * world->share[i];
        pulled[i] = (sn_v4){0};
    }
}

void sn_project_jacobi(sn_step *step, int first_colour, bool first) {
    sn_world *world = step->world;
    for (size_t i = 0; i < world->store_count; i++)
        for (int c = first_colour; c < SN_COLOURS; c++)
            sn_project_colour(step, &world->store[i], (uint8_t)c, first, world->pulled);
    sn_team_run(world->team, world->nodes.slots.count, NODES_ALONE, move_nodes, world);
}
