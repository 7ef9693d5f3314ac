/*
 * Limits of joints that are hit, and motors that hold.
 *
 * Two constraints stop what runs into a limit: the limit turns it back, and the joint takes along
 * what it had at the end of its lever. One sweep leaves much of that to the next substep, which has
 * a gap to close that grew meanwhile, and closes it too fast: a bar of no restitution rose to a
 * sixth of its fall, one that is heavy in its middle to two fifths, and with BDF2 higher than it
 * had come from. So the limits that have taken an impact, and all joints at what they have stopped,
 * are gone over until those limits give no more.
 *
 * An impact is what would move a body by twice what counts as one in impacts.c: a limit that
 * bears a load is left to the sweeps, as what has gathered in them is no motion to be given back.
 * One by one, from one thread: there are few of them.
 *
 * What is missing of the way of a motor is the same in every substep, while what joints are apart
 * does not grow: so motors have the last word. Sweeps that go one way leave it to them, unless
 * joints of other types come behind or are solved as trees, as sweeps both ways do: a brake that
 * held an arm crept, and a motor that lifted a load by a gear was slower by a fifth.
 */
#include "step/settle.h"

#include "contact/rigid/rigid_links.h"
#include "step/integrators/integrator.h"
#include "step/solvers/solver.h"

#include <string.h>

/* How often, and what part of its push is no more to a limit: what a round leaves falls by
   I / (I + m l^2) for a body with its middle at l. */
enum { MOST_ROUNDS = 64 };
#define NO_MORE 1e-3
#define HALF 0.5

bool sn_settle_is_joint(const sn_store *store) {
    return store->type->joins && store->type->info.frames > 0 && store->count > 0;
}

bool sn_settle_is_limit(const sn_store *store, sn_place place) {
    return sn_store_parameters(store, place)[SN_PARAMETER_SIDE] != (sn_real)SN_SIDE_BOTH;
}

/* What has a speed in the place of a target. */
bool sn_settle_is_motor(const sn_store *store, sn_place place) {
    double period;
    return store->type->aims && !store->type->aims(sn_store_parameters(store, place), &period);
}

static bool has_any(const sn_store *store, bool (*is)(const sn_store *store, sn_place place)) {
    if (!sn_settle_is_joint(store) || store->trait[SN_TRAIT_SIDED] == 0 ||
        store->type->info.rows != 1)
        return false;
    for (uint8_t c = 0; c < SN_COLOURS; c++)
        for (uint32_t i = 0; i < store->colour[c].count; i++)
            if (is(store, (sn_place){c, i})) return true;
    return false;
}

/* Where all constraints are solved at once they see other masses, and one alone would give both of
   its sides different impulses. */
static bool sees_masses(const sn_world *world) {
    return world->settings.model == SN_MODEL_XPBD && !sn_solver_of(&world->settings)->masses;
}

bool sn_settle_is_possible(const sn_world *world) {
    if (!sees_masses(world)) return false;
    for (size_t s = 0; s < world->store_count; s++)
        if (has_any(&world->store[s], sn_settle_is_limit) ||
            has_any(&world->store[s], sn_settle_is_motor))
            return true;
    return false;
}

static size_t count_joints(const sn_world *world) {
    size_t joints = 0;
    for (size_t s = 0; s < world->store_count; s++)
        if (sn_settle_is_joint(&world->store[s])) joints += world->store[s].count;
    return joints;
}

bool sn_settle_may_be_struck(const sn_world *world) {
    return sees_masses(world) && sn_rigid_contact_is_needed(world) && count_joints(world) > 0;
}

bool sn_settle_reserve(sn_step *step) {
    sn_world *world = step->world;
    sn_settling *settling = &world->scratch.settling;
    const size_t nodes = world->nodes.slots.count;
    const bool struck = sn_settle_may_be_struck(world);
    settling->possible = struck || sn_settle_is_possible(world);
    if (!settling->possible) return true;
    return sn_reserve(&world->memory, (void **)&settling->joint, &settling->capacity,
                      count_joints(world), sizeof *settling->joint) &&
           sn_reserve(&world->memory, (void **)&settling->stopped, &settling->stopped_capacity,
                      nodes, sizeof *settling->stopped) &&
           (!struck || sn_rigid_links_reserve(world));
}

/* ---- What is gone over ---- */

static bool takes_part(const sn_world *world, const sn_store *store, sn_place place, bool trees) {
    const uint16_t *tree =
        sn_trees_mask(&world->scratch.trees, (size_t)(store - world->store), place.colour);
    if (sn_store_is_off(store, place)) return false;
    if (!trees && tree && tree[place.position / 16] >> place.position % 16 & 1) return false;
    return world->sleep.count == 0 ||
           sn_colour_is_awake(&store->colour[place.colour], place.position);
}

static double push_of(const sn_store *store, sn_place place) {
    double lambda[SN_MAX_ROWS];
    sn_store_lambda(store, place, lambda);
    return lambda[0];
}

/* Whether a limit has taken an impact; then its bodies are marked. */
static bool is_hit(const sn_step *step, const sn_store *store, sn_place place) {
    const sn_world *world = step->world;
    sn_members members = sn_store_members(store, place);
    sn_real value[SN_MAX_ROWS];
    sn_vec3 gradient[SN_MAX_INDICES];
    double push = push_of(store, place);
    if (push == 0) return false;
    sn_batch batch = sn_step_batch(world, store, place.colour);
    store->type->evaluate(&batch, place.position, value, gradient);
    if (!sn_impacts_is_one(step, members, gradient, HALF * push)) return false;
    for (int n = 0; n < members.nodes; n++)
        if (sn_impacts_gives_way(world, members, n))
            world->scratch.settling.stopped[sn_member(members, n)] = 1;
    return true;
}

static bool is_stopped(const sn_world *world, sn_members members) {
    for (int n = 0; n < members.nodes; n++)
        if (sn_member(members, n) >= 0 && world->scratch.settling.stopped[sn_member(members, n)])
            return true;
    return false;
}

void sn_settle_for_joints(sn_step *step, bool trees, sn_settle_act *act) {
    const sn_world *world = step->world;
    for (size_t s = 0; s < world->store_count; s++)
        for (uint8_t c = 0; sn_settle_is_joint(&world->store[s]) && c < SN_COLOURS; c++)
            for (uint32_t i = 0; i < world->store[s].colour[c].count; i++)
                if (takes_part(world, &world->store[s], (sn_place){c, i}, trees))
                    act(step, (uint32_t)s, (sn_place){c, i});
}

static void find_limit(sn_step *step, uint32_t index, sn_place place) {
    const sn_store *store = &step->world->store[index];
    bool limit = store->type->info.rows == 1 && sn_settle_is_limit(store, place);
    if (limit && is_hit(step, store, place)) step->world->scratch.settling.hits++;
}

void sn_settle_add_joint(sn_step *step, uint32_t index, sn_place place) {
    sn_world *world = step->world;
    const sn_store *store = &world->store[index];
    sn_settling *settling = &world->scratch.settling;
    if (is_stopped(world, sn_store_members(store, place)))
        settling->joint[settling->count++] = (sn_settled_joint){index, place};
}

/* ---- Rounds ---- */

bool sn_settle_project(const sn_step *step, sn_settled_joint joint) {
    sn_world *world = step->world;
    sn_store *store = &world->store[joint.store];
    const sn_loops *loops = store->type->loops[SN_WIDTH_1];
    bool limit = store->type->info.rows == 1 && sn_settle_is_limit(store, joint.place);
    double before = limit ? push_of(store, joint.place) : 0;
    sn_batch batch = sn_step_batch(world, store, joint.place.colour);
    size_t position = joint.place.position;
    batch.first = false;
    loops->project[sn_step_softness(world, store)][store->kept](&batch, position, position + 1);
    if (!limit) return false;
    double now = push_of(store, joint.place);
    return __builtin_fabs(now - before) > NO_MORE * __builtin_fabs(now);
}

/* Whether anything that holds is solved behind motors of a type. */
static bool is_overruled(const sn_step *step, uint32_t index) {
    const sn_world *world = step->world;
    bool behind = step->integrator->both_ways || world->scratch.trees.trees > 0;
    for (size_t s = index + 1; s < world->store_count; s++)
        behind |= sn_settle_is_joint(&world->store[s]) && !world->store[s].type->aims;
    return behind;
}

static void end_with_motor(sn_step *step, uint32_t index, sn_place place) {
    const sn_store *store = &step->world->store[index];
    if (sn_settle_is_motor(store, place) && is_overruled(step, index))
        (void)sn_settle_project(step, (sn_settled_joint){index, place});
}

void sn_settle_joints(sn_step *step) {
    sn_world *world = step->world;
    sn_settling *settling = &world->scratch.settling;
    if (step->iteration + 1 < step->iterations) return;
    sn_settle_for_joints(step, false, end_with_motor);
    settling->hits = settling->count = 0;
    memset(settling->stopped, 0, world->nodes.slots.count);
    sn_settle_for_joints(step, false, find_limit);
    if (settling->hits == 0) return;
    sn_settle_for_joints(step, true, sn_settle_add_joint);
    bool more = true;
    for (int round = 0; round < MOST_ROUNDS && more; round++) {
        more = false;
        for (size_t i = 0; i < settling->count; i++)
            more |= sn_settle_project(step, settling->joint[i]);
    }
}
