/*
 * A target that changes: drives come to it evenly through the next step, from substep to substep by
 * the same amount, as kinematic nodes do. All at once, a stiff drive would be there within a
 * substep, and what it turns would have a speed that grows as substeps become shorter.
 *
 * Types say which parameter is a target (`aims`). It is the new one at once to whoever asks;
 * coefficients follow it.
 */
#include "step/servo.h"

#include "state/serialize.h"
#include "state/system.h"
#include "step/step.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static bool is_there(const sn_world *world, const sn_servo *servo) {
    const sn_slots *slots = &world->constraints.slots;
    return servo->constraint < slots->count && slots->alive[servo->constraint] &&
           slots->generation[servo->constraint] == servo->generation &&
           sn_world_store_of(world, servo->constraint)->type->aims;
}

bool sn_servos_reserve(sn_world *world, const sn_constraint_type *type, size_t more) {
    sn_servos *all = sn_servos_of(world);
    return !type->aims || sn_reserve(&world->memory, (void **)&all->servo, &all->capacity,
                                     all->count + more, sizeof *all->servo);
}

/* Where a constraint is in the list, or would be: they are in the order of their numbers. */
static size_t place_of(const sn_servos *all, uint32_t constraint) {
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->servo[middle].constraint < constraint)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void sn_servo_aim(sn_world *world, uint32_t constraint, const sn_real *parameter) {
    const sn_store *store = sn_world_store_of(world, constraint);
    sn_servos *all = sn_servos_of(world);
    double period;
    if (!store->type->aims) return;
    const sn_real *before = sn_store_parameters(store, sn_world_place(world, constraint));
    const sn_real *from = store->type->aims(before, &period);
    const sn_real *to = store->type->aims(parameter, &period);
    if (!from || !to || *from == *to) return;
    uint16_t generation = world->constraints.slots.generation[constraint];
    size_t i = place_of(all, constraint);
    bool known = i < all->count && all->servo[i].constraint == constraint;
    if (known && all->servo[i].generation == generation) return;
    if (!known)
        memmove(&all->servo[i + 1], &all->servo[i], (all->count++ - i) * sizeof *all->servo);
    all->servo[i] = (sn_servo){constraint, generation, (double)*from};
}

/* ---- The step ---- */

static bool is_needed(const sn_world *world) {
    return sn_servos_of(world)->count > 0;
}

/* The target after a part of the step, along the nearest way where it is periodic. */
static sn_real target_at(double from, double to, double period, double part) {
    double way = to - from;
    if (period > 0) way -= period * floor(way / period + 0.5);
    return (sn_real)(part < 1 ? from + part * way : to);
}

static void go_on(const sn_step *step, const sn_servo *servo) {
    const sn_world *world = step->world;
    sn_store *store = sn_world_store_of(world, servo->constraint);
    sn_place place = sn_world_place(world, servo->constraint);
    sn_real *parameter = sn_store_parameters(store, place);
    double period;
    const sn_real *target = store->type->aims(parameter, &period);
    if (!target) return;
    sn_real *at = parameter + (target - parameter), to = *at;
    *at = target_at(servo->from, (double)to, period, sn_step_substep(step).will);
    sn_store_derive(store, place, sn_step_masses(step, store, place.colour), &world->scale);
    *at = to;
}

static void aim(sn_step *step) {
    const sn_servos *all = sn_servos_of(step->world);
    for (size_t i = 0; i < all->count; i++)
        if (is_there(step->world, &all->servo[i])) go_on(step, &all->servo[i]);
}

static void finish(sn_step *step) {
    sn_servos_of(step->world)->count = 0;
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_MOVE, SN_RANK_LENGTHS, "move targets", SN_TIMER(predict), is_needed, aim,
     .reads = SN_STATE_PARAMETERS, .writes = SN_STATE_PARAMETERS},
    {SN_STAGE_END, SN_RANK_MOTION, "targets are there", SN_TIMER(update), is_needed, finish,
     .writes = SN_STATE_PARAMETERS},
};

/* ---- Snapshots ---- */

/* Targets that are numbers; whose they were may have gone. */
static void check_read(const sn_world *world, sn_archive *a) {
    sn_servos *all = sn_servos_of(world);
    for (size_t i = 0; i < all->count && a->result == SN_OK; i++)
        if (!(fabs(all->servo[i].from) <= (double)SN_REAL_MAX))
            sn_archive_fail(a, "the target of constraint %u was none", all->servo[i].constraint);
        else if (i > 0 && all->servo[i].constraint <= all->servo[i - 1].constraint)
            sn_archive_fail(a, "targets of constraints are not in their order");
}

static void serialize(sn_world *world, sn_archive *a) {
    static const sn_waiting_member member[] = {
        {"constraint", SN_ARCHIVE_U32, offsetof(sn_servo, constraint)},
        {"generation", SN_ARCHIVE_U32, offsetof(sn_servo, generation)},
        {"from", SN_ARCHIVE_F64, offsetof(sn_servo, from)},
    };
    sn_servos *all = sn_servos_of(world);
    const sn_waiting_list list = {
        .section = "servo",
        .array = (void **)&all->servo,
        .count = &all->count,
        .capacity = &all->capacity,
        .element = sizeof *all->servo,
        .most = world->constraints.slots.count,
        .member = member,
        .members = sizeof member / sizeof *member,
        .check = check_read,
    };
    sn_serialize_waiting(world, a, &list);
}

static void release(void *state, sn_memory *memory) {
    sn_servos *all = state;
    sn_free(memory, all->servo, all->capacity, sizeof *all->servo);
}

const sn_system sn_servo_system = {
    .name = "servo",
    .size = sizeof(sn_servos),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .free = release,
    .serialize = serialize,
};
