/*
 * Joints of what contacts strike.
 *
 * Contacts come behind joints and stop what they strike as if nothing held it: that takes the joint
 * along, which comes back in the next substep, and too fast, as from a limit (settle.c). A bar on a
 * hinge that fell onto a post rose again, and with BDF2 higher than it had come from. So where a
 * contact that strikes has moved a joint by what counts as an impact, the joints of all that hang
 * together there and the contacts are gone over in turn until joints are whole: what an impact
 * takes is taken in its substep, from all bodies of a chain.
 *
 * Contacts have the last word, and relax when this is over. One joint by one, from one thread.
 */
#include "step/settle.h"

#include "base/union_find.h"
#include "contact/contacts.h"
#include "contact/rigid/rigid_links.h"
#include "step/audit.h"

#include <string.h>

/* How often; in how many rounds what is lacking is to be halved, or more are of no use; and of what
   joints lack at first, what they may lack in the end, squared. */
enum { MOST_ROUNDS = 64, PATIENCE = 4 };
#define HALF 0.5
#define LITTLE 1e-4
/* Joints that are gone over in a step. Impacts are rare, and few joints are struck; motors that
   press many feet to the ground make what looks like one in every substep. */
enum { MOST_JOINTS = 4096 };

/* ---- What joints lack ---- */

/* Whether a row is to be zero now, by itself. */
static bool is_wrong(const sn_store *store, sn_place place, int row, double value) {
    const sn_real *parameter = sn_store_parameters(store, place);
    double (*own)(const sn_real *, int) = store->type->compliance;
    double soft = own ? own(parameter, row) : (double)parameter[SN_PARAMETER_COMPLIANCE];
    if (soft > 0) return false;
    if (parameter[SN_PARAMETER_SIDE] == (sn_real)SN_SIDE_AT_LEAST) return value < 0;
    if (parameter[SN_PARAMETER_SIDE] == (sn_real)SN_SIDE_AT_MOST) return value > 0;
    return !store->type->bounded;
}

static double dot(sn_vec3 a, sn_vec4 w) {
    return (double)a.x * (double)a.x * (double)w.x + (double)a.y * (double)a.y * (double)w.y +
           (double)a.z * (double)a.z * (double)w.z;
}

/* How much the nodes and frames of a row give way. */
static double ease_of(const sn_world *world, sn_members members, const sn_vec3 *gradient) {
    sn_masses masses = sn_world_masses(world);
    double sum = 0;
    for (int n = 0; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        sn_real w = node >= 0 ? masses.w[node] : 0;
        sum += dot(gradient[n], (sn_vec4){w, w, w, 0});
    }
    for (int n = 0; n < members.frames; n++) {
        int32_t frame = sn_member(members, members.nodes + n);
        if (frame >= 0) sum += dot(gradient[members.nodes + n], masses.turn_w[frame]);
    }
    return sum;
}

/* kg m^2: what a joint lacks, as it moves masses by; and whether that is an impact. */
static double lack_of(const sn_step *step, const sn_store *store, sn_place place, bool *impact) {
    sn_members members = sn_store_members(store, place);
    sn_real value[SN_MAX_ROWS];
    sn_vec3 gradient[SN_MAX_ROWS * SN_MAX_INDICES];
    sn_batch batch = sn_step_batch(step->world, store, place.colour);
    double sum = 0;
    *impact = false;
    store->type->evaluate(&batch, place.position, value, gradient);
    for (int row = 0; row < store->type->info.rows; row++) {
        const sn_vec3 *own = gradient + row * (members.nodes + members.frames);
        if (!is_wrong(store, place, row, (double)value[row])) continue;
        double ease = ease_of(step->world, members, own), error = (double)value[row];
        if (!(ease > 0)) continue;
        sum += error * error / ease;
        *impact = *impact || sn_impacts_is_one(step, members, own, error / ease);
    }
    return sum;
}

/* ---- Who is struck ---- */

/* A joint that contacts have taken along marks who hangs on it. */
static void find_struck(sn_step *step, uint32_t index, sn_place place) {
    const sn_world *world = step->world;
    const sn_store *store = &world->store[index];
    sn_settling *settling = &step->world->scratch.settling;
    uint32_t *chain = sn_rigid_contacts_of(world)->chain;
    sn_members members = sn_store_members(store, place);
    bool pushed = false, impact;
    for (int n = 0; n < members.nodes; n++)
        pushed = pushed || (sn_impacts_gives_way(world, members, n) &&
                            sn_rigid_contact_pushes(world, (uint32_t)sn_member(members, n)));
    if (!pushed) return;
    (void)lack_of(step, store, place, &impact);
    if (!impact) return;
    settling->hits++;
    for (int n = 0; n < members.nodes; n++)
        if (sn_impacts_gives_way(world, members, n))
            settling->stopped[sn_sets_root(chain, (uint32_t)sn_member(members, n))] = 1;
}

static void find_all(sn_step *step) {
    uint32_t *chain = sn_rigid_contacts_of(step->world)->chain;
    sn_settling *settling = &step->world->scratch.settling;
    const size_t count = step->world->nodes.slots.count;
    settling->hits = settling->count = 0;
    memset(settling->stopped, 0, count);
    sn_rigid_links_join(step->world);
    sn_settle_for_joints(step, true, find_struck);
    if (settling->hits == 0) return;
    for (size_t i = 0; i < count; i++)
        settling->stopped[i] = settling->stopped[sn_sets_root(chain, (uint32_t)i)];
    sn_settle_for_joints(step, true, sn_settle_add_joint);
}

/* ---- Rounds ---- */

/* Whether joints or contacts have moved what a joint holds since it had its turn. */
static bool has_moved(const sn_world *world, sn_members members, int round) {
    for (int n = 0; n < members.nodes; n++) {
        const int32_t node = sn_member(members, n);
        if (node < 0) continue;
        const bool held = round > 0 && world->scratch.settling.stopped[node] >= round;
        if (held || sn_rigid_contact_pushes(world, (uint32_t)node)) return true;
    }
    return false;
}

/* Goes over the joints that lack something, and returns what all lacked, in kg m^2. Where nothing
   has moved nothing is asked: an impact at one end of a long chain is none at the other. */
static double go_over(sn_step *step, int round, double enough) {
    sn_world *world = step->world;
    const sn_settling *settling = &world->scratch.settling;
    double sum = 0;
    bool impact;
    for (size_t i = 0; i < settling->count; i++) {
        const sn_settled_joint joint = settling->joint[i];
        const sn_store *store = &world->store[joint.store];
        sn_members members = sn_store_members(store, joint.place);
        if (!has_moved(world, members, round)) continue;
        step->settled++;
        const double lack = lack_of(step, store, joint.place, &impact);
        if (!(lack > enough)) continue;
        sum += lack;
        (void)sn_settle_project(step, joint);
        for (int n = 0; n < members.nodes; n++)
            if (sn_member(members, n) >= 0)
                settling->stopped[sn_member(members, n)] = (uint8_t)(round + 1);
    }
    return sum;
}

void sn_settle_struck(sn_step *step) {
    sn_world *world = step->world;
    sn_substep substep = sn_step_substep(step);
    double lack[MOST_ROUNDS];
    if (step->iteration + 1 < step->iterations || step->settled >= MOST_JOINTS ||
        !sn_rigid_contact_has_struck(world))
        return;
    sn_rigid_contact_turn(world, &substep);
    find_all(step);
    if (world->scratch.settling.hits == 0) return;
    memset(world->scratch.settling.stopped, 0, world->nodes.slots.count);
    for (int round = 0; round < MOST_ROUNDS && step->settled < MOST_JOINTS; round++) {
        sn_rigid_contact_end_sweep(world, &substep, false);
        if (step->audit) sn_audit_note_motion(step, SN_CAUSE_CONTACTS);
        lack[round] = go_over(step, round, round > 0 ? LITTLE * lack[0] : 0);
        if (step->audit) sn_audit_note_motion(step, SN_CAUSE_CONSTRAINTS);
        sn_rigid_contact_project(world, &substep, false);
        sn_rigid_contact_turn(world, &substep);
        if (!(lack[round] > LITTLE * lack[0])) break;
        if (round >= PATIENCE && !(lack[round] < HALF * lack[round - PATIENCE])) break;
    }
}
