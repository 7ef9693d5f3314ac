/*
 * Constraints that break: |lambda| / h^2 above their break force.
 *
 * After the projection all blocks are looked at in parallel, and only those marked are gone through
 * again. A broken constraint has no effect from the next substep on and is removed after the step.
 */
#include "step/step.h"

#include "state/constraint_def.h"
#include "state/system.h"

#include "math/vector.h"

enum { BLOCK = 16, BLOCKS_ALONE = 256 };

typedef struct search {
    sn_store *store;
    uint8_t colour;
    double h2;
    bool sleepy; /* whether bodies sleep, whose constraints keep the forces they had */
} search;

/* |lambda| / h^2, or 0 where nothing can break. */
static double excess_force(const search *s, sn_place place) {
    double limit = (double)sn_store_parameters(s->store, place)[SN_PARAMETER_BREAK_FORCE];
    if (limit == (double)SN_AUTO) return 0;
    double lambda[SN_MAX_ROWS], square = 0;
    sn_store_lambda(s->store, place, lambda);
    for (int row = 0; row < s->store->type->info.rows; row++) square += lambda[row] * lambda[row];
    double force = __builtin_sqrt(square) / s->h2;
    return force > limit ? force : 0;
}

static sn_place place_in(const search *s, size_t block, size_t lane) {
    return (sn_place){s->colour, (uint32_t)(block * BLOCK + lane)};
}

static size_t lanes_of(const search *s, size_t block) {
    size_t left = s->store->colour[s->colour].count - block * BLOCK;
    return left < BLOCK ? left : BLOCK;
}

static bool is_awake(const search *s, size_t block, size_t lane) {
    return !s->sleepy || sn_colour_is_awake(&s->store->colour[s->colour], block * BLOCK + lane);
}

static void mark_range(void *context, size_t begin, size_t end) {
    const search *s = context;
    for (size_t block = begin; block < end; block++) {
        bool strained = false;
        for (size_t lane = 0; lane < lanes_of(s, block); lane++)
            strained |= is_awake(s, block, lane) && excess_force(s, place_in(s, block, lane)) > 0;
        s->store->colour[s->colour].marked[block] = strained;
    }
}

static sn_node first_node(const sn_world *world, const sn_store *store, sn_place place) {
    sn_members members = sn_store_members(store, place);
    for (int i = 0; i < members.nodes; i++)
        if (sn_member(members, i) >= 0) return sn_world_node_id(world, sn_member(members, i));
    return (sn_node){0, 0, 0};
}

static void break_marked(sn_step *step, const search *s, size_t block) {
    sn_world *world = step->world;
    for (size_t lane = 0; lane < lanes_of(s, block); lane++) {
        sn_place place = place_in(s, block, lane);
        double force = is_awake(s, block, lane) ? excess_force(s, place) : 0;
        if (!(force > 0)) continue;
        uint32_t owner = s->store->colour[s->colour].owner[place.position];
        world->output.broken[world->output.breaks++] = (sn_break_event){
            .constraint = {owner + 1, world->constraints.slots.generation[owner], world->tag},
            .type = sn_world_type_at(world->constraints.record[owner].type),
            .substep = step->substep,
            .force = (sn_real)force,
            .node = first_node(world, s->store, place),
        };
        sn_store_disable(s->store, place);
    }
}

/* By id. Shell sort: in place, and quick enough when a whole cloth bursts. */
static void sort_events(sn_break_event *event, size_t count) {
    size_t gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < count; i++) {
            sn_break_event moving = event[i];
            size_t k = i;
            for (; k >= gap && moving.constraint.slot < event[k - gap].constraint.slot; k -= gap)
                event[k] = event[k - gap];
            event[k] = moving;
        }
}

bool sn_breaking_is_possible(const sn_world *world) {
    for (size_t i = 0; i < world->store_count; i++)
        if (world->store[i].trait[SN_TRAIT_BREAKABLE] > 0) return true;
    return false;
}

void sn_breaking_find(sn_step *step) {
    sn_world *world = step->world;
    size_t before = world->output.breaks;
    for (size_t i = 0; i < world->store_count; i++) {
        sn_store *store = &world->store[i];
        if (store->trait[SN_TRAIT_BREAKABLE] == 0) continue;
        for (uint8_t c = 0; c < SN_COLOURS; c++) {
            search s = {store, c, step->h * step->h, world->sleep.count > 0};
            size_t blocks = sn_colour_blocks(&store->colour[c]);
            sn_team_run(world->bindings.team, blocks, BLOCKS_ALONE, mark_range, &s);
            for (size_t block = 0; block < blocks; block++)
                if (store->colour[c].marked[block]) break_marked(step, &s, block);
        }
    }
    if (world->output.breaks > before)
        sort_events(world->output.broken + before, world->output.breaks - before);
}

/* Tells systems of the lines of a constraint that broke and is about to be removed. */
static void part_lines(sn_world *world, uint32_t constraint) {
    const sn_store *store = sn_world_store_of(world, constraint);
    sn_members members = sn_store_members(store, sn_world_place(world, constraint));
    bool thread = store->type->info.list == SN_LIST_PATH;
    if (store->type->breaks_along || (members.nodes != 2 && !thread)) return;
    for (int n = 0; n + 1 < members.nodes; n++)
        sn_world_part_line(world, sn_member(members, n), sn_member(members, n + 1));
}

/* Whether a constraint is between the same two nodes as another, or, of three nodes, holds one of
   them between the other and a third. */
static bool is_between(const sn_store *store, sn_place place, sn_members other) {
    sn_members own = sn_store_members(store, place);
    if (other.nodes != 2) return false;
    int32_t a = sn_member(other, 0), b = sn_member(other, 1), first = sn_member(own, 0);
    if (own.nodes == 2) return first == a && sn_member(own, 1) == b;
    if (own.nodes != 3 || (first != a && first != b)) return false;
    int32_t beside = first == a ? b : a;
    return sn_member(own, 1) == beside || sn_member(own, 2) == beside;
}

/* Removes what goes with a constraint that broke; backwards, as the last one of a colour takes the
   place of what is removed. */
static void break_along(sn_world *world, uint32_t constraint) {
    const sn_store *broken = sn_world_store_of(world, constraint);
    sn_members members = sn_store_members(broken, sn_world_place(world, constraint));
    if (broken->type->breaks_along) return;
    for (size_t k = 0; k < world->store_count; k++) {
        sn_store *store = &world->store[k];
        for (uint8_t c = 0; store->type->breaks_along && c < SN_COLOURS; c++)
            for (size_t i = store->colour[c].count; i-- > 0;)
                if (is_between(store, (sn_place){c, (uint32_t)i}, members))
                    sn_world_remove_constraint(world, store->colour[c].owner[i]);
    }
}

void sn_breaking_end(sn_step *step) {
    sn_world *world = step->world;
    for (size_t i = 0; i < world->output.breaks; i++) {
        sn_constraint broken = world->output.broken[i].constraint;
        /* A tear may have removed it. */
        if (!sn_slots_has(&world->constraints.slots, SN_ID(broken), world->tag)) continue;
        part_lines(world, broken.slot - 1);
        break_along(world, broken.slot - 1);
        sn_world_remove_constraint(world, broken.slot - 1);
    }
    world->output.stats.broken = world->output.breaks;
}
