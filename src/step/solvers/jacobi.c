/*
 * Jacobi: all constraints see the same positions, and each node takes a share of what they ask for.
 *
 * Colours that are not solved in turn (all of them here, the tail with the hybrid solver) are
 * projected without moving anything; their corrections are summed node by node, colour after
 * colour, so that the order of the sum is fixed. Then every node moves by the mean.
 *
 * Masses are split: each constraint saw the inverse mass n w. Node i is cut into n_i parts, one per
 * constraint, which are put together again by averaging. That never overshoots and keeps momentum.
 */
#include "step/solvers/solver.h"

#include "math/quaternion.h"

enum { NODES_ALONE = 4096 };

/* Adds one to the share of everything that a constraint moves or turns. */
static void count(sn_jacobi *jacobi, sn_members members) {
    for (int n = 0; n < members.moved; n++) {
        jacobi->share[sn_member(members, n)] += 1;
        if (n < members.frames) jacobi->turn_share[sn_member(members, members.nodes + n)] += 1;
    }
}

void sn_jacobi_share(sn_step *step, bool split, sn_real part) {
    sn_world *world = step->world;
    int first = sn_solver_in_turn(step->solver, &world->settings);
    sn_jacobi *jacobi = &world->scratch.jacobi;
    for (size_t i = 0; i < world->nodes.slots.count; i++) jacobi->share[i] = 0;
    for (size_t i = 0; i < world->frames.slots.count; i++) jacobi->turn_share[i] = 0;
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        if (sn_store_rank(store) != SN_RANK_CONSTRAINTS) continue;
        for (uint8_t c = (uint8_t)first; c < SN_COLOURS; c++)
            for (uint32_t i = 0; i < store->colour[c].count; i++)
                if (!sn_store_is_off(store, (sn_place){c, i}))
                    count(jacobi, sn_store_members(store, (sn_place){c, i}));
    }
    sn_masses masses = sn_world_masses(world);
    for (size_t i = 0; i < world->nodes.slots.count; i++) {
        sn_real n = jacobi->share[i] > 1 ? jacobi->share[i] : 1;
        jacobi->w[i] = masses.w[i] * (split ? n : 1);
        jacobi->share[i] = part / n;
    }
    for (size_t i = 0; i < world->frames.slots.count; i++) {
        sn_real n = jacobi->turn_share[i] > 1 ? jacobi->turn_share[i] : 1;
        *(sn_v4 *)&jacobi->turn_w[i] = *(const sn_v4 *)&masses.turn_w[i] * (split ? n : 1);
        jacobi->turn_share[i] = part / n;
    }
}

static void move_nodes(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    sn_v4 *d = (sn_v4 *)world->nodes.d, *pulled = (sn_v4 *)world->scratch.jacobi.pulled;
    for (size_t i = sn_sleep_pass(&world->sleep, begin); i < end;
         i = sn_sleep_pass(&world->sleep, i + 1)) {
        d[i] += pulled[i] * world->scratch.jacobi.share[i];
        pulled[i] = (sn_v4){0};
    }
}

static void turn_frames(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    sn_v4 *q = (sn_v4 *)world->frames.q, *turned = (sn_v4 *)world->scratch.jacobi.turned;
    sn_v4 *turn = (sn_v4 *)world->frames.turn;
    for (size_t i = begin; i < end; i++) {
        if (sn_frame_is_asleep(world, i)) continue;
        sn_v4 phi = turned[i] * world->scratch.jacobi.turn_share[i];
        q[i] = sn_quat_turn(q[i], phi);
        turn[i] += phi;
        turned[i] = (sn_v4){0};
    }
}

sn_masses sn_jacobi_masses(const sn_world *world) {
    return (sn_masses){world->scratch.jacobi.w, world->scratch.jacobi.turn_w};
}

void sn_project_jacobi(sn_step *step, bool first) {
    sn_world *world = step->world;
    int first_colour = sn_solver_in_turn(step->solver, &world->settings);
    for (size_t i = 0; i < world->store_count; i++) {
        if (sn_store_rank(&world->store[i]) != SN_RANK_CONSTRAINTS) continue;
        for (int c = first_colour; c < SN_COLOURS; c++)
            sn_project_colour(step, &world->store[i], (uint8_t)c, first, false, true);
    }
    sn_team_run(world->bindings.team, world->nodes.slots.count, NODES_ALONE, move_nodes, world);
    sn_team_run(world->bindings.team, world->frames.slots.count, NODES_ALONE, turn_frames, world);
}

static int none_in_turn(const sn_settings *settings) {
    (void)settings;
    return 0;
}

static void prepare(sn_step *step) {
    sn_jacobi_share(step, true, 1);
}

const sn_solver_type sn_solver_jacobi = {
    .in_turn = none_in_turn,
    .plan = sn_world_reserve_jacobi,
    .prepare = prepare,
    .masses = sn_jacobi_masses,
    .together = sn_project_jacobi,
};
