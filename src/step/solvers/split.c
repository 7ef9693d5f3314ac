/*
 * Gauss-Seidel in at most k colours, for which nodes of a high valence are split (Fratarcangeli and
 * Pellacini 2015, survey section 6.1.3).
 *
 * Colour c becomes phase c mod k, and its constraints move the parts of their nodes in layer c / k.
 * Two constraints of one phase have either no node in common or other parts of it, so a phase is
 * shared by threads and lanes as a colour is, and there are k of them whatever the valence. After
 * the sweep the parts of a node are put together at their mean.
 *
 * A part has its share of the mass: a node in n parts has the inverse mass n w in each. Then the
 * mean keeps momentum, and multipliers and compliances mean what they say.
 */
#include "step/solvers/solver.h"

#include "math/quaternion.h"

enum { NODES_ALONE = 4096, BLOCKS_ALONE = 8 };

static int phases(const sn_settings *settings) {
    return settings->split_colours;
}

static int none_whole(const sn_settings *settings) {
    (void)settings;
    return 0;
}

static bool is_split(const sn_store *store) {
    return store->count > 0 && sn_store_rank(store) == SN_RANK_CONSTRAINTS;
}

/* ---- Parts ---- */

static bool plan(sn_world *world) {
    size_t layers = 0, k = (size_t)phases(&world->settings);
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        if (!is_split(store)) continue;
        size_t last = store->colour[SN_SEQUENTIAL].count > 0 ? SN_SEQUENTIAL : store->colours - 1;
        if (last / k > layers) layers = last / k;
    }
    return sn_world_reserve_jacobi(world) &&
           sn_phantoms_reserve(&world->scratch.phantoms, &world->memory, layers,
                               world->nodes.slots.count, world->frames.slots.count);
}

/* Those that a constraint moves are in parts; others have to be there where it looks. */
static void mark(sn_phantoms *phantoms, sn_members members, uint64_t layer, bool off) {
    for (int n = 0; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        if (node < 0) continue;
        phantoms->seen[node] |= layer;
        if (n < members.moved && !off) phantoms->moved[node] |= layer;
    }
    for (int n = 0; n < members.frames; n++) {
        int32_t frame = sn_member(members, members.nodes + n);
        if (frame < 0) continue;
        phantoms->turn_seen[frame] |= layer;
        if (n < members.moved && !off) phantoms->turned[frame] |= layer;
    }
}

static sn_real parts_in(uint64_t layers) {
    int count = __builtin_popcountll(layers);
    return (sn_real)(count > 1 ? count : 1);
}

static void prepare(sn_step *step) {
    sn_world *world = step->world;
    sn_phantoms *phantoms = &world->scratch.phantoms;
    size_t nodes = world->nodes.slots.count, frames = world->frames.slots.count;
    for (size_t i = 0; i < nodes; i++) phantoms->moved[i] = phantoms->seen[i] = 0;
    for (size_t i = 0; i < frames; i++) phantoms->turned[i] = phantoms->turn_seen[i] = 0;
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        if (!is_split(store)) continue;
        for (uint8_t c = 0; c < SN_COLOURS; c++)
            for (uint32_t i = 0; i < store->colour[c].count; i++)
                mark(phantoms, sn_store_members(store, (sn_place){c, i}),
                     (uint64_t)1 << c / phases(&world->settings),
                     sn_store_is_off(store, (sn_place){c, i}));
    }
    sn_masses masses = sn_world_masses(world);
    sn_jacobi *jacobi = &world->scratch.jacobi;
    for (size_t i = 0; i < nodes; i++) jacobi->w[i] = masses.w[i] * parts_in(phantoms->moved[i]);
    for (size_t i = 0; i < frames; i++)
        *(sn_v4 *)&jacobi->turn_w[i] =
            *(const sn_v4 *)&masses.turn_w[i] * parts_in(phantoms->turned[i]);
}

/* The layers of a mask but for the first, one after the other. */
#define FOR_LAYERS(layer, mask)                                                                    \
    for (uint64_t rest = (mask) & ~(uint64_t)1, layer;                                             \
         rest && (layer = (uint64_t)__builtin_ctzll(rest), true); rest &= rest - 1)

static sn_v4 *part_of(sn_vec4 *parts, size_t stride, uint64_t layer, size_t i) {
    return (sn_v4 *)&sn_phantoms_layer(parts, stride, (size_t)layer)[i];
}

static void split_nodes(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_phantoms *phantoms = &world->scratch.phantoms;
    for (size_t i = begin; i < end; i++) FOR_LAYERS(layer, phantoms->seen[i]) {
            *part_of(phantoms->d, phantoms->stride, layer, i) = *(const sn_v4 *)&world->nodes.d[i];
        }
}

static void split_frames(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_phantoms *phantoms = &world->scratch.phantoms;
    size_t stride = phantoms->turn_stride;
    for (size_t i = begin; i < end; i++) FOR_LAYERS(layer, phantoms->turn_seen[i]) {
            *part_of(phantoms->q, stride, layer, i) = *(const sn_v4 *)&world->frames.q[i];
            *part_of(phantoms->turn, stride, layer, i) = *(const sn_v4 *)&world->frames.turn[i];
        }
}

/* The mean of the parts, from that in the first layer, or where there was nothing in it from the
   whole: parts that are at one place stay there to the bit. */
static sn_v4 mean_of(sn_v4 first, sn_vec4 *parts, size_t stride, uint64_t layers, size_t i) {
    sn_v4 sum = {0};
    FOR_LAYERS(layer, layers) {
        sum += *part_of(parts, stride, layer, i) - first;
    }
    return sum / parts_in(layers);
}

static void merge_nodes(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_phantoms *phantoms = &world->scratch.phantoms;
    sn_v4 *d = (sn_v4 *)world->nodes.d;
    for (size_t i = sn_sleep_pass(&world->sleep, begin); i < end;
         i = sn_sleep_pass(&world->sleep, i + 1))
        if (phantoms->moved[i] > 1)
            d[i] += mean_of(d[i], phantoms->d, phantoms->stride, phantoms->moved[i], i);
}

static void merge_frames(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_phantoms *phantoms = &world->scratch.phantoms;
    sn_v4 *q = (sn_v4 *)world->frames.q, *turn = (sn_v4 *)world->frames.turn;
    for (size_t i = begin; i < end; i++) {
        if (phantoms->turned[i] <= 1 || sn_frame_is_asleep(world, i)) continue;
        sn_v4 phi = mean_of(turn[i], phantoms->turn, phantoms->turn_stride, phantoms->turned[i], i);
        q[i] = sn_quat_turn(q[i], phi);
        turn[i] += phi;
    }
}

/* ---- Phases ---- */

/* The colours that make a phase: pieces of work that have nothing to do with each other. */
typedef struct phase {
    size_t count;
    sn_flow_stage stage[SN_COLOURS];
    sn_colour_task task[SN_COLOURS];
} phase;

static void run_phase(void *context, size_t begin, size_t end) {
    const phase *p = context;
    size_t at = 0;
    for (size_t i = 0; i < p->count; at += p->stage[i++].count) {
        size_t first = begin > at ? begin - at : 0, last = end > at ? end - at : 0;
        if (last > p->stage[i].count) last = p->stage[i].count;
        if (first < last) p->stage[i].function(p->stage[i].context, first, last);
    }
}

static void add_colour(const sn_world *world, const sn_store *store, uint8_t colour, bool first,
                       bool backwards, phase *p) {
    if (!sn_colour_has_work(world, &store->colour[colour])) return;
    const sn_phantoms *phantoms = &world->scratch.phantoms;
    sn_colour_task *task = &p->task[p->count];
    p->stage[p->count++] = sn_project_stage(world, store, colour, first, backwards, task);
    size_t layer = colour / (size_t)phases(&world->settings);
    if (layer == 0) return;
    sn_batch *batch = &task->projection.batch;
    batch->starts = false;
    batch->out = sn_phantoms_layer(phantoms->d, phantoms->stride, layer);
    batch->d = batch->out;
    batch->q = sn_phantoms_layer(phantoms->q, phantoms->turn_stride, layer);
    batch->turn = sn_phantoms_layer(phantoms->turn, phantoms->turn_stride, layer);
}

static void sweep(sn_step *step, bool first, bool backwards) {
    sn_world *world = step->world;
    sn_team *team = world->bindings.team;
    size_t nodes = world->nodes.slots.count, frames = world->frames.slots.count;
    size_t stores = world->store_count;
    int k = phases(&world->settings);
    bool split = world->scratch.phantoms.layers > 0;
    if (split) sn_team_run(team, nodes, NODES_ALONE, split_nodes, world);
    if (split) sn_team_run(team, frames, NODES_ALONE, split_frames, world);
    for (size_t i = 0; i < stores; i++) {
        sn_store *store = &world->store[backwards ? stores - 1 - i : i];
        if (!is_split(store)) continue;
        (void)sn_lane_trial_begin(world, &store->trial, store->count);
        for (int j = 0; j < k; j++) {
            phase p;
            p.count = 0;
            for (int c = backwards ? k - 1 - j : j; c < SN_COLOURS; c += k)
                add_colour(world, store, (uint8_t)c, first, backwards, &p);
            size_t items = 0;
            for (size_t n = 0; n < p.count; n++) items += p.stage[n].count;
            sn_team_run(team, items, BLOCKS_ALONE, run_phase, &p);
        }
        sn_lane_trial_end(world, &store->trial);
    }
    if (split) sn_team_run(team, nodes, NODES_ALONE, merge_nodes, world);
    if (split) sn_team_run(team, frames, NODES_ALONE, merge_frames, world);
}

const sn_solver_type sn_solver_split = {
    .in_turn = none_whole,
    .phases = phases,
    .plan = plan,
    .prepare = prepare,
    .masses = sn_jacobi_masses,
    .sweep = sweep,
};
