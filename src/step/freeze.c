/*
 * Containment of what is not finite: a number that overflowed, or what a force field or a formula
 * of the user's returned.
 *
 * The integrators add up all positions on their way, so that a NaN or an infinity anywhere shows in
 * the sum, at one addition per node. Only then nodes are looked at one by one. The body of a node
 * that is not finite, or the node alone if it has no body, goes back to where it was when the step
 * began, and becomes kinematic there. What is not touched by it goes on with the bits it would have
 * had.
 */
#include "step/step.h"

#include "state/system.h"

#include "math/vector.h"
#include "step/offload.h"

#include <string.h>

void sn_freeze_begin(sn_step *step) {
    sn_world *world = step->world;
    size_t nodes = world->nodes.slots.count, frames = world->frames.slots.count;
    atomic_store_explicit(&step->spoiled, false, memory_order_relaxed);
    if (nodes > 0)
        memcpy(world->scratch.safe.x, world->nodes.x, nodes * sizeof *world->scratch.safe.x);
    if (frames > 0)
        memcpy(world->scratch.safe.q, world->frames.q, frames * sizeof *world->scratch.safe.q);
}

static bool is_finite(sn_vec4 a) {
    sn_real sum = ((a.x - a.x) + (a.y - a.y)) + ((a.z - a.z) + (a.w - a.w));
    return sum == 0;
}

static bool is_spoiled(const sn_world *world, size_t i) {
    const sn_nodes *n = &world->nodes;
    const sn_frames *f = &world->frames;
    if (!is_finite(n->x[i]) || !is_finite(n->d[i]) || !is_finite(n->p[i]) || !is_finite(n->v[i]))
        return true;
    size_t frame = n->frame[i];
    return frame > 0 && (!is_finite(f->q[frame - 1]) || !is_finite(f->omega[frame - 1]));
}

static void stop_frame(sn_world *world, uint32_t i) {
    sn_frames *f = &world->frames;
    const sn_vec4 none = {0, 0, 0, 0};
    f->q[i] = f->start[i] = world->scratch.safe.q[i];
    f->omega[i] = f->turn[i] = f->torque[i] = none;
    f->aimed[i] = SN_UNAIMED;
    sn_history_forget_frame(&world->history, i);
    sn_frames_set_w(f, i, (sn_vec3){0, 0, 0});
}

static void stop_node(sn_world *world, uint32_t i) {
    sn_nodes *n = &world->nodes;
    sn_vec4 x = world->scratch.safe.x[i];
    sn_nodes_place(n, i, (sn_vec3){x.x, x.y, x.z});
    n->v[i] = n->force[i] = (sn_vec4){0, 0, 0, 0};
    n->w[i] = 0;
    if (world->sleep.count > 0) world->sleep.w[i] = 0;
    sn_nodes_undrive(n, i);
    if (n->frame[i]) stop_frame(world, n->frame[i] - 1);
    sn_history_forget(&world->history, i);
}

/* ---- Who is to blame ---- */

/* Clears multipliers that are not finite; whether there were any. */
static bool clear_kept(const sn_store *store, sn_place place) {
    sn_real *kept = sn_store_kept(store, place);
    bool spoiled = false;
    for (int row = 0; row < store->type->info.rows; row++) {
        if (kept[row] - kept[row] == 0) continue;
        kept[row] = 0;
        spoiled = true;
    }
    return spoiled;
}

static bool acts_on(const sn_world *world, const sn_store *store, sn_place place, uint32_t body,
                    uint32_t node) {
    sn_members members = sn_store_members(store, place);
    for (int n = 0; n < members.nodes; n++) {
        int32_t other = sn_member(members, n);
        if (other >= 0 && (body ? world->nodes.body[other] == body : other == (int32_t)node))
            return true;
    }
    return false;
}

/* Whether C is not finite although all nodes are where they were when all was well. */
static bool fails_by_itself(const sn_world *world, const sn_store *store, sn_place place) {
    sn_real value[SN_MAX_ROWS] = {0};
    sn_batch batch = sn_store_batch(store, &world->nodes, &world->frames, place.colour);
    store->type->evaluate(&batch, place.position, value, NULL);
    for (int row = 0; row < store->type->info.rows; row++)
        if (!(value[row] - value[row] == 0)) return true;
    return false;
}

typedef bool suspicion(const sn_world *world, const sn_store *store, sn_place place);

static bool has_spoiled_force(const sn_world *world, const sn_store *store, sn_place place) {
    (void)world;
    return store->kept && clear_kept(store, place);
}

/* Blames the first constraint in the order of the stores that is suspicious on every event that has
   none yet. */
static void blame(sn_world *world, size_t first, suspicion *is_suspicious) {
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        for (uint8_t c = 0; c < SN_COLOURS; c++)
            for (size_t i = 0; i < store->colour[c].count; i++) {
                sn_place place = {c, (uint32_t)i};
                if (!is_suspicious(world, store, place)) continue;
                uint32_t owner = store->colour[c].owner[i];
                for (size_t e = first; e < world->output.freezes; e++) {
                    sn_freeze_event *event = &world->output.frozen[e];
                    if (event->constraint.slot == 0 &&
                        acts_on(world, store, place, event->body.slot, event->node.slot - 1))
                        event->constraint = (sn_constraint){
                            owner + 1, world->constraints.slots.generation[owner], world->tag};
                }
            }
    }
}

/* ---- Freezing ---- */

/* The event of a body in this step, or the one of all nodes without a body in this substep; a new
   one if there is none. There is room: a body has one, whatever happens to it later in the step,
   and the others have one per substep. */
static sn_freeze_event *event_of(sn_step *step, size_t first, uint32_t i) {
    sn_world *world = step->world;
    uint32_t body = world->nodes.body[i];
    for (size_t e = body ? 0 : first; e < world->output.freezes; e++)
        if (world->output.frozen[e].body.slot == body) return &world->output.frozen[e];
    sn_freeze_event *event = &world->output.frozen[world->output.freezes++];
    *event = (sn_freeze_event){.step = world->steps, .substep = step->substep};
    event->node = (sn_node){i + 1, world->nodes.slots.generation[i], world->tag};
    if (body) event->body = (sn_body){body, world->bodies.slots.generation[body - 1], world->tag};
    return event;
}

/* Whether the body of a node has an event. */
static bool is_in_event(const sn_world *world, uint32_t i) {
    uint32_t body = world->nodes.body[i];
    for (size_t e = 0; body && e < world->output.freezes; e++)
        if (world->output.frozen[e].body.slot == body) return true;
    return false;
}

/* Whether anything was not finite; all of it has an event then. */
static bool find_spoiled(sn_step *step, size_t first) {
    sn_world *world = step->world;
    bool any = false;
    for (uint32_t i = 0; i < world->nodes.slots.count; i++)
        if (world->nodes.slots.alive[i] && is_spoiled(world, i)) {
            (void)event_of(step, first, i);
            any = true;
        }
    return any;
}

void sn_freeze_apply(sn_step *step) {
    sn_world *world = step->world;
    size_t first = world->output.freezes;
    atomic_store_explicit(&step->spoiled, false, memory_order_relaxed);
    sn_offload_fetch(step, SN_STATE_POSITIONS | SN_STATE_VELOCITIES | SN_STATE_FRAMES);
    /* Nothing: many large numbers overflow in a sum. */
    if (!find_spoiled(step, first)) return;
    /* Bodies are counted anew: one that was frozen before may be spoiled again. */
    for (size_t e = 0; e < world->output.freezes; e++)
        if (world->output.frozen[e].body.slot) world->output.frozen[e].nodes = 0;
    for (uint32_t i = 0; i < world->nodes.slots.count; i++) {
        if (!world->nodes.slots.alive[i]) continue;
        if (!is_in_event(world, i) && !is_spoiled(world, i)) continue;
        event_of(step, first, i)->nodes++;
        stop_node(world, i);
    }
    blame(world, first, fails_by_itself);
    blame(world, first, has_spoiled_force);
    for (size_t e = first; e < world->output.freezes; e++)
        sn_world_say(world, SN_LOG_ERROR,
                     "step %llu, substep %zu: node %u is not finite; %zu nodes of its body are "
                     "frozen",
                     (unsigned long long)world->output.frozen[e].step, step->substep,
                     world->output.frozen[e].node.slot - 1, world->output.frozen[e].nodes);
    for (size_t i = 0; i < world->bindings.systems.count; i++)
        if (world->bindings.systems.system[i]->masses_changed)
            world->bindings.systems.system[i]->masses_changed(world);
    sn_step_derive_all(step);
}
