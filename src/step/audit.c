/*
 * An energy audit: who gave energy to the nodes in a substep, and who took it.
 *
 * Between prediction and update, lines of the step move nodes. What one of them has moved a node
 * by, dx, is what a force of m dx / h^2 does in a substep (BDF2: 9/4 of it), whatever the line is
 * made of. So positions are looked at between lines, and every line has its force. The work of a
 * smooth force F on a node that goes by X in the substep is F . X, that of an impulse J, which a
 * contact is, J . (v + v')/2 (Thomson and Tait). With all of them, and gravity, the integrator is
 * what is left of the change of the kinetic energy. With backward Euler that is m (v' - v)^2 / 2
 * without contacts, its well known loss.
 *
 * Constraints do work on nodes that can move, by their multipliers f = lambda / h^2 and gradients g
 * where the substep ends. Of a row whose C has changed by dC, with the compliance a,
 *
 *   f g . X            over kinematic nodes is the work that these take out
 *   f (g . X - dC)     is what the integrator loses because it goes straight where C is curved
 *   dC^2 / 2 a         is what it loses because f is the force of the end for the whole way
 *
 *   f d(C + a f)       is what the solver loses: nothing where it has left f = -C / a, and all the
 *                      way, so that a sweep that leaves the same undone again loses nothing either
 *
 * (audit_rows.c), with the minus of each; stored is a f^2 / 2. What then is still unexplained is
 * what nodes were moved otherwise than along the gradients of the end, by earlier sweeps, by levels
 * and by regions, which have no energy.
 *
 * Contacts know their impulses (audit_contacts.c). Friction is what these do across the normal
 * along with how the sides slide, and what is neither friction nor work of something that moves
 * by itself is impact.
 *
 * After the update lines change velocities, and the kinetic energy by the difference. What is
 * plastic, breaks or falls asleep changes what is stored, which is taken before and after.
 *
 * All of it in double and from one thread, in the order of slots, so that sums have the same bits
 * for any number of threads.
 */
#include "step/audit.h"

#include "state/measure.h"
#include "step/step.h"

#include <string.h>

bool sn_audit_is_on(const sn_world *world) {
    return world->bindings.audit != NULL;
}

/* What is stored has changed since it was last looked at, by what has this member of the sums. */
static void charge(sn_world *world, size_t member, double sign) {
    sn_audit_books *books = world->bindings.audit;
    memset(books->fresh, 0, books->bodies * sizeof *books->fresh);
    sn_world_measure_motion(world, books->fresh);
    sn_audit_measure_rows(world);
    sn_audit_charge(world, member, sign);
}

static void charge_loss(const sn_step *step, size_t member) {
    charge(step->world, member, -1);
}

bool sn_audit_start(sn_world *world) {
    sn_audit_books *before = world->bindings.audit;
    if (!sn_audit_open(world) || !sn_audit_reserve_rows(world)) {
        sn_audit_close(world);
        world->bindings.audit = before;
        return false;
    }
    sn_audit_books *books = world->bindings.audit;
    world->bindings.audit = before;
    sn_audit_close(world);
    world->bindings.audit = books;
    sn_audit_follow_rows(world);
    charge(world, SN_AUDIT_MEMBER(began), 1);
    return true;
}

bool sn_audit_reserve(sn_step *step) {
    sn_world *world = step->world;
    sn_audit_books *books = step->audit;
    sn_memory *memory = &world->memory;
    return sn_audit_reserve_bodies(world) && sn_audit_reserve_rows(world) &&
           sn_reserve(memory, (void **)&books->node, &books->node_capacity,
                      world->nodes.slots.count, sizeof *books->node) &&
           sn_reserve(memory, (void **)&books->frame, &books->frame_capacity,
                      world->frames.slots.count, sizeof *books->frame);
}

void sn_audit_begin(sn_step *step) {
    sn_audit_follow_rows(step->world);
    charge(step->world, SN_AUDIT_MEMBER(work_calls), 1);
    sn_audit_read_motion(step);
    step->audit->aired = false;
}

/* Of a line that moves nodes. */
static sn_audit_cause cause_of(const sn_stage_entry *entry) {
    bool contacts = entry->rank == SN_RANK_CONTACT || entry->writes & SN_STATE_CONTACTS;
    if (entry->stage == SN_STAGE_LIMIT || contacts) return SN_CAUSE_CONTACTS;
    return entry->rank == SN_RANK_TARGET ? SN_CAUSE_TARGETS : SN_CAUSE_CONSTRAINTS;
}

/* What there is before air is added is taken from what there is then. */
static void note_air(sn_step *step, bool added) {
    sn_world *world = step->world;
    step->audit->aired = added;
    for (size_t i = 0; i < world->nodes.slots.count; i++) {
        sn_vec4 a = world->scratch.acceleration[i];
        const double now[3] = {(double)a.x, (double)a.y, (double)a.z};
        double *air = step->audit->node[i].air;
        for (int k = 0; k < 3; k++) air[k] = added ? now[k] - air[k] : now[k];
    }
}

void sn_audit_sum_up(sn_step *step) {
    sn_audit_sum_motion(step);
    sn_audit_sum_rows(step->world);
    sn_audit_sum_contacts(step, true);
    step->audit->aired = false;
}

void sn_audit_enter(sn_step *step, const sn_stage_entry *entry) {
    if (entry->stage == SN_STAGE_FORCES && entry->rank == SN_RANK_AIR) note_air(step, false);
    if (entry->stage == SN_STAGE_VELOCITIES && entry->rank == SN_RANK_RESTITUTION)
        sn_audit_note_contacts(step);
}

static void leave_velocities(sn_step *step, int rank) {
    if (rank != SN_RANK_RESTITUTION) {
        sn_audit_charge_velocities(step, SN_AUDIT_MEMBER(lost_damping));
        return;
    }
    sn_audit_bounce(step);
    sn_audit_sum_contacts(step, false);
}

static void leave_end(sn_step *step, int rank) {
    if (rank == SN_RANK_MOTION) charge_loss(step, SN_AUDIT_MEMBER(unexplained));
    if (rank == SN_RANK_PLASTICITY) {
        sn_audit_flow_rows(step->world);
        charge_loss(step, SN_AUDIT_MEMBER(lost_plasticity));
    }
    if (rank == SN_RANK_SLEEP) charge_loss(step, SN_AUDIT_MEMBER(lost_sleep));
}

void sn_audit_leave(sn_step *step, const sn_stage_entry *entry) {
    switch (entry->stage) {
    case SN_STAGE_FORCES:
        if (entry->rank == SN_RANK_AIR) note_air(step, true);
        break;
    case SN_STAGE_DETECT:
        sn_audit_note_contacts(step);
        break;
    case SN_STAGE_PROJECT:
    case SN_STAGE_LIMIT:
        sn_audit_note_motion(step, cause_of(entry));
        break;
    case SN_STAGE_VELOCITIES:
        leave_velocities(step, entry->rank);
        break;
    case SN_STAGE_END:
        leave_end(step, entry->rank);
        break;
    case SN_STAGE_TOPOLOGY:
        charge_loss(step, SN_AUDIT_MEMBER(lost_breaking));
        break;
    default:
        break;
    }
}

void sn_audit_predicted(sn_step *step) {
    sn_audit_begin_motion(step);
}

void sn_audit_updated(sn_step *step) {
    sn_audit_read_motion(step);
}
