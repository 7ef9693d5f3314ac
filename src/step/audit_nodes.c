/* The audit of nodes and frames: their motion in a substep, and who made it. audit.c has the
   theory. */
#include "step/audit.h"

#include "math/quaternion.h"
#include "step/integrators/integrator.h"

#include <string.h>

/* A step of the world, and the sums of a body in it. */
typedef struct account {
    const sn_step *step;
    sn_audit_body *body;
    sn_integration terms;
} account;

static account account_of(const sn_step *step, uint32_t body) {
    return (account){step, &step->audit->body[body], sn_integration_of(step, body)};
}

static void load(double to[3], sn_vec4 from) {
    to[0] = (double)from.x, to[1] = (double)from.y, to[2] = (double)from.z;
}

/* Of nodes that can move and are awake. */
static bool moves(const sn_world *world, size_t node) {
    return world->nodes.slots.alive[node] && world->nodes.w[node] > 0 &&
           !sn_sleep_has(&world->sleep, world->nodes.body[node]);
}

static bool turns(const sn_world *world, size_t frame) {
    return world->frames.slots.alive[frame] && !sn_frame_is_asleep(world, frame);
}

/* The difference of two squares, which loses nothing to large sums. */
static double gain(const double from[3], const double to[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (to[k] - from[k]) * (to[k] + from[k]);
    return 0.5 * sum;
}

/* J: the same of turning, about axes that have an inertia. */
static double turning_gain(sn_vec4 inertia, const double from[3], const double to[3]) {
    double i[3], sum = 0;
    load(i, inertia);
    for (int k = 0; k < 3; k++) sum += i[k] * (to[k] - from[k]) * (to[k] + from[k]);
    return 0.5 * sum;
}

/* ---- Velocities ---- */

static void find_place(const sn_world *world, size_t i, double at[3]) {
    double d[3];
    load(at, world->nodes.x[i]);
    load(d, world->nodes.d[i]);
    for (int k = 0; k < 3; k++) at[k] += d[k];
}

void sn_audit_read_motion(sn_step *step) {
    const sn_world *world = step->world;
    for (size_t i = 0; i < world->nodes.slots.count; i++) {
        load(step->audit->node[i].v, world->nodes.v[i]);
        find_place(world, i, step->audit->node[i].at);
    }
    for (size_t i = 0; i < world->frames.slots.count; i++)
        load(step->audit->frame[i].v, world->frames.omega[i]);
}

/* J: what has become of the kinetic energy of a node, or of a frame, since it was last looked at;
   `mean` is the velocity in between. */
static double node_gain(const sn_world *world, size_t i, sn_audit_motion *m) {
    double v[3];
    load(v, world->nodes.v[i]);
    double more = moves(world, i) ? gain(m->v, v) / (double)world->nodes.w[i] : 0;
    for (int k = 0; k < 3; k++) {
        m->mean[k] = 0.5 * (m->v[k] + v[k]);
        m->v[k] = v[k];
    }
    return more;
}

static double frame_gain(const sn_world *world, size_t i, sn_audit_motion *m) {
    double omega[3];
    load(omega, world->frames.omega[i]);
    double more = turns(world, i) ? turning_gain(world->frames.inertia[i], m->v, omega) : 0;
    for (int k = 0; k < 3; k++) m->mean[k] = 0.5 * (m->v[k] + omega[k]);
    memcpy(m->v, omega, sizeof omega);
    return more;
}

static uint32_t body_of_frame(const sn_world *world, size_t frame) {
    return world->nodes.body[world->frames.node[frame]];
}

void sn_audit_charge_velocities(sn_step *step, size_t member) {
    const sn_world *world = step->world;
    sn_audit_books *books = step->audit;
    for (size_t i = 0; i < world->nodes.slots.count; i++)
        *sn_audit_member(&books->body[world->nodes.body[i]].sum, member) -=
            node_gain(world, i, &books->node[i]);
    for (size_t i = 0; i < world->frames.slots.count; i++)
        if (world->frames.slots.alive[i])
            *sn_audit_member(&books->body[body_of_frame(world, i)].sum, member) -=
                frame_gain(world, i, &books->frame[i]);
}

/* J: of height, since a node was last looked at: what bounces has been put to where it met. */
static double height_gain(const sn_world *world, size_t i, sn_audit_motion *m) {
    const sn_vec3 gravity = sn_world_gravity(world, world->nodes.body[i]);
    const double g[3] = {(double)gravity.x, (double)gravity.y, (double)gravity.z};
    double at[3], way[3];
    find_place(world, i, at);
    for (int k = 0; k < 3; k++) {
        way[k] = at[k] - m->at[k];
        m->at[k] = at[k];
    }
    return moves(world, i) ? -sn_audit_dot(g, way) / (double)world->nodes.w[i] : 0;
}

void sn_audit_bounce(sn_step *step) {
    const sn_world *world = step->world;
    sn_audit_books *books = step->audit;
    for (size_t i = 0; i < world->nodes.slots.count; i++)
        books->body[world->nodes.body[i]].contact +=
            node_gain(world, i, &books->node[i]) + height_gain(world, i, &books->node[i]);
    for (size_t i = 0; i < world->frames.slots.count; i++)
        if (world->frames.slots.alive[i])
            books->body[body_of_frame(world, i)].sum.lost_friction -=
                frame_gain(world, i, &books->frame[i]);
}

/* ---- The beginning of a substep ---- */

void sn_audit_begin_motion(sn_step *step) {
    const sn_world *world = step->world;
    for (size_t i = 0; i < world->nodes.slots.count; i++) {
        sn_audit_motion *m = &step->audit->node[i];
        load(m->start, world->nodes.p[i]);
        sn_integrator_motion(&world->nodes, i, m->moved);
        memset(m->by, 0, sizeof m->by);
    }
    for (size_t i = 0; i < world->frames.slots.count; i++) {
        memset(step->audit->frame[i].moved, 0, sizeof step->audit->frame[i].moved);
        memset(step->audit->frame[i].by, 0, sizeof step->audit->frame[i].by);
    }
}

void sn_audit_note_motion(sn_step *step, sn_audit_cause cause) {
    const sn_world *world = step->world;
    for (size_t i = 0; i < world->nodes.slots.count; i++) {
        sn_audit_motion *m = &step->audit->node[i];
        double now[3];
        sn_integrator_motion(&world->nodes, i, now);
        for (int k = 0; k < 3; k++) m->by[cause][k] += now[k] - m->moved[k];
        memcpy(m->moved, now, sizeof now);
    }
    for (size_t i = 0; i < world->frames.slots.count; i++) {
        sn_audit_motion *m = &step->audit->frame[i];
        double now[3];
        load(now, world->frames.turn[i]);
        for (int k = 0; k < 3; k++) m->by[cause][k] += now[k] - m->moved[k];
        memcpy(m->moved, now, sizeof now);
    }
}

/* ---- The end of a substep ---- */

/* Whether the speed limit has shortened the prediction. */
static bool is_limited(const account *a, const sn_audit_motion *m) {
    double motion[3], most = (double)a->terms.limit;
    for (int k = 0; k < 3; k++) {
        motion[k] = m->moved[k];
        for (int c = 0; c < SN_CAUSES; c++) motion[k] -= m->by[c][k];
    }
    return a->terms.limit != SN_AUTO && sn_audit_dot(motion, motion) > 0.99999 * most * most;
}

/* J: of forces and air per kg, which is taken from what is left for the integrator. */
static double pushed(const account *a, size_t i, const sn_audit_motion *m, double mass) {
    double all[3], air[3];
    if (!a->terms.acceleration) return 0;
    load(all, a->terms.acceleration[i]);
    for (int k = 0; k < 3; k++) air[k] = a->step->audit->aired ? m->air[k] : 0;
    double work = mass * sn_audit_dot(all, m->displacement),
           of_air = mass * sn_audit_dot(air, m->displacement);
    a->body->sum.work_air += of_air;
    a->body->sum.work_forces += work - of_air;
    return work;
}

/* J: of point damping. */
static double damped(const account *a, const sn_integrator_look *look, const sn_audit_motion *m,
                     double mass) {
    const double *v = look->late ? look->v : m->v;
    double work = -mass * look->lose / a->step->h * sn_audit_dot(v, m->displacement);
    a->body->sum.lost_damping -= work;
    return work;
}

static void sum_node(const account *a, size_t i, sn_audit_motion *m) {
    const sn_world *world = a->step->world;
    sn_audit *sum = &a->body->sum;
    sn_integrator_look look;
    double h = a->step->h, mass = 1 / (double)world->nodes.w[i], to[3];
    a->step->integrator->look(world, i, &a->terms, &look);
    if (!(sn_audit_dot(look.v, look.v) < (double)SN_REAL_MAX)) return;
    load(to, world->nodes.d[i]);
    for (int k = 0; k < 3; k++) {
        m->displacement[k] = to[k] - m->start[k];
        m->mean[k] = 0.5 * (m->v[k] + look.v[k]);
    }
    sn_vec3 gravity = sn_world_gravity(world, world->nodes.body[i]);
    const double g[3] = {(double)gravity.x, (double)gravity.y, (double)gravity.z};
    double force = mass / (h * h * look.share);
    double by_constraints = force * sn_audit_dot(m->by[SN_CAUSE_CONSTRAINTS], m->displacement);
    double by_targets = force * sn_audit_dot(m->by[SN_CAUSE_TARGETS], m->displacement);
    double by_contacts = force * h * sn_audit_dot(m->by[SN_CAUSE_CONTACTS], m->mean);
    sum->work_targets += by_targets;
    a->body->contact += by_contacts;
    double left = mass * gain(m->v, look.v) - by_constraints - by_targets - by_contacts -
                  mass * sn_audit_dot(g, m->displacement) - pushed(a, i, m, mass) -
                  damped(a, &look, m, mass);
    if (is_limited(a, m))
        sum->lost_damping -= left;
    else
        sum->lost_integrator -= left;
    memcpy(m->v, look.v, sizeof m->v);
}

/* rad: the turn of a frame in the substep, which BDF2 makes with another velocity than it ends
   with. */
static void turn_of(const sn_world *world, size_t i, double h, const double omega[3],
                    double displacement[3]) {
    sn_v4 lag = {0}, q = *(sn_v4 *)&world->frames.q[i];
    if (world->history.used)
        lag = *(sn_v4 *)&world->frames.w[i] *
              sn_quat_rotate_back(q, *(sn_v4 *)&world->history.turn_s[i]);
    for (int k = 0; k < 3; k++) displacement[k] = h * omega[k] - (double)lag[k];
}

/* N m, in the frame: the torque of the user, and what point damping is in its place. */
static void torques_of(const account *a, size_t i, const double from[3], const double to[3],
                       double torque[3], double damping[3]) {
    const sn_frames *frames = &a->step->world->frames;
    uint32_t body = body_of_frame(a->step->world, i);
    bool second = sn_history_share(&a->step->world->history, body) < 1;
    sn_v4 user = sn_quat_rotate_back(*(sn_v4 *)&frames->q[i], *(sn_v4 *)&frames->torque[i]);
    double inertia[3], lose = (double)a->terms.lose;
    if (second && lose > 0.5) lose = 0.5;
    load(inertia, frames->inertia[i]);
    for (int k = 0; k < 3; k++) {
        torque[k] = inertia[k] > 0 ? (double)user[k] : 0;
        damping[k] = -lose / a->step->h * inertia[k] * (second ? to : from)[k];
    }
}

static void sum_frame(const account *a, size_t i, sn_audit_motion *m) {
    const sn_world *world = a->step->world;
    double h = a->step->h, omega[3], inertia[3], torque[3], damping[3], work[SN_CAUSES] = {0};
    double share = sn_history_end_share(&world->history, body_of_frame(world, i));
    load(inertia, world->frames.inertia[i]);
    load(omega, world->frames.omega[i]);
    turn_of(world, i, h, omega, m->displacement);
    torques_of(a, i, m->v, omega, torque, damping);
    for (int k = 0; k < 3; k++) {
        m->mean[k] = 0.5 * (m->v[k] + omega[k]);
        for (int c = 0; c < SN_CAUSES; c++)
            work[c] += inertia[k] * m->by[c][k] / (h * share) *
                       (c == SN_CAUSE_CONTACTS ? m->mean[k] : m->displacement[k] / h);
    }
    double by_user = sn_audit_dot(torque, m->displacement),
           damped_by = sn_audit_dot(damping, m->displacement);
    double left = turning_gain(world->frames.inertia[i], m->v, omega) - by_user - damped_by;
    for (int c = 0; c < SN_CAUSES; c++) left -= work[c];
    a->body->sum.work_forces += by_user;
    a->body->sum.work_targets += work[SN_CAUSE_TARGETS];
    a->body->sum.lost_damping -= damped_by;
    /* What turns a ball is friction; of contacts that turn boxes audit_contacts.c knows more. */
    a->body->sum.lost_friction -= work[SN_CAUSE_CONTACTS];
    a->body->sum.lost_integrator -= left;
    memcpy(m->v, omega, sizeof omega);
}

void sn_audit_sum_motion(sn_step *step) {
    const sn_world *world = step->world;
    const sn_nodes *nodes = &world->nodes;
    account a = {0};
    for (size_t i = 0; i < nodes->slots.count; i++) {
        sn_audit_motion *m = &step->audit->node[i];
        if (i == 0 || nodes->body[i] != nodes->body[i - 1]) a = account_of(step, nodes->body[i]);
        if (moves(world, i)) {
            sum_node(&a, i, m);
            continue;
        }
        /* What is kinematic goes its path with one velocity. */
        sn_integrator_motion(nodes, i, m->displacement);
        for (int k = 0; k < 3; k++) m->mean[k] = m->displacement[k] / step->h;
    }
    for (size_t i = 0; i < world->frames.slots.count; i++) {
        if (!turns(world, i)) continue;
        a = account_of(step, body_of_frame(world, i));
        sum_frame(&a, i, &step->audit->frame[i]);
    }
}
