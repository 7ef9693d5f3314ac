/*
 * The ball of a node that carries nothing is kept outside of a shape: C = distance - radius. How
 * deep it is, and how it moves as seen from the shape, is asked as of any collider; the answer is
 * shared by both. And recovery and restitution of all.
 */
#include "contact/rigid/rigid_impacts.h"
#include "contact/rigid/rigid_links.h"

#include "collision/collider_pose.h"
#include "contact/contact_solve.h"
#include "contact/contacts.h"
#include "contact/recovery.h"
#include "contact/rolling.h"

enum { KIND = SN_CONTACT_RIGID, BODIES_ALONE = 256, PAIRS_ALONE = 256 };

typedef struct pass {
    sn_world *world;
    const sn_substep *substep;
    const sn_real *w;       /* 1/kg, that contacts see */
    sn_contact_sweep sweep; /* how contacts are solved */
    size_t first;           /* of the groups at hand */
    void (*act)(const struct pass *pass, const sn_rigid_contact *contact);
} pass;

sn_rigid_contact sn_rigid_contact_at(const sn_world *world, uint32_t slot) {
    return (sn_rigid_contact){sn_contact_rows(&sn_contacts_of(world)->set[KIND], slot),
                              &sn_rigid_contacts_of(world)->search[slot],
                              &sn_rigid_contacts_of(world)->aside[slot]};
}

void sn_rigid_contact_follow_one(const sn_world *world, const sn_rigid_contact *c) {
    if (sn_colliders_of(world)->state[c->search->collider].carrier)
        sn_collider_pose_follow(world, c->search->collider);
}

static void act_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_contact_set *set = &sn_contacts_of(p->world)->set[KIND];
    for (size_t g = p->first + begin; g < p->first + end && set->rounds > 0; g++)
        for (size_t slot = set->first[g] * SN_CONTACT_BLOCK;
             slot < set->first[g + 1] * SN_CONTACT_BLOCK; slot++) {
            if (*sn_contact_node_at(set, KIND, (uint32_t)slot, 0) < 0) continue;
            sn_rigid_contact contact = sn_rigid_contact_at(p->world, (uint32_t)slot);
            p->act(p, &contact);
        }
}

static pass pass_of(sn_world *world, const sn_substep *substep) {
    return (pass){.world = world,
                  .substep = substep,
                  .w = sn_world_contact_w(world),
                  .sweep = {.h = (sn_real)substep->h,
                            .slides = world->settings.friction != SN_FRICTION_VELOCITY}};
}

static void for_all(sn_world *world, const sn_substep *substep,
                    void (*act)(const struct pass *pass, const sn_rigid_contact *contact)) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    pass p = pass_of(world, substep);
    p.act = act;
    for (int i = 0; set->count > 0 && i < SN_CONTACT_LAYERS; i++) {
        p.first = sn_contact_layer(set, i);
        sn_team_run(world->bindings.team, sn_contact_layer(set, i + 1) - p.first, 2, act_range, &p);
    }
}

static void follow_range(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_colliders *colliders = sn_colliders_of(world);
    for (size_t i = begin; i < end; i++)
        if (colliders->slots.alive[i] && colliders->state[i].carrier)
            sn_collider_pose_follow(world, i);
}

void sn_rigid_contact_follow(sn_world *world) {
    if (sn_colliders_of(world)->carried > 0)
        sn_team_run(world->bindings.team, sn_colliders_of(world)->slots.count, BODIES_ALONE,
                    follow_range, world);
}

/* How fast the two of a pair come together, for recovery. */
static void note_inertia(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    for (size_t k = begin; k < end; k++) {
        sn_rigid_contact c = sn_rigid_contact_at(world, set->pair[k].slot);
        sn_v4 motion = sn_contact_motion(world, c.search->node[0],
                                         &sn_collider_poses(world)[c.search->collider]);
        c.aside->ball.inertia = SN_ROOT(sn_v4_dot(motion, motion));
    }
}

void sn_rigid_contact_begin(sn_world *world, const sn_substep *substep) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    sn_rigid_points_find(world);
    sn_rigid_contacts_of(world)->strike = false;
    if (set->count > 0 && sn_rigid_contact_plays(world)) sn_rigid_restitution_begin(world, substep);
    if (sn_contacts_of(world)->recovered && sn_rigid_contacts_of(world)->balls)
        sn_team_run(world->bindings.team, set->count, PAIRS_ALONE, note_inertia, world);
}

/* ---- Sides ---- */

/* 1/(kg m^2), principal; nothing where it does not turn. */
static sn_v4 inverse_of(const sn_world *world, const sn_rigid_side *s) {
    return s->turns ? sn_v4_load(&world->frames.w[world->nodes.frame[s->node] - 1]) : (sn_v4){0};
}

static sn_v4 frame_of(const sn_world *world, const sn_rigid_side *s) {
    return sn_v4_load(&world->frames.q[world->nodes.frame[s->node] - 1]);
}

static bool stands(const sn_rigid_contact *c) {
    return c->search->node[0] == c->search->node[1];
}

/* m: from the centre of the first to what touches, when the substep began or now. */
static sn_v4 reach_of(const sn_world *world, const sn_rigid_contact *c, const sn_vec4 *q) {
    const bool then = q == world->frames.start;
    if (!c->search->point) return (sn_v4){0};
    if (c->search->spins && then) return sn_rigid_arm_then(world, c->search);
    return sn_quat_rotate(sn_v4_load(&q[world->nodes.frame[c->search->node[0]] - 1]),
                          sn_v4_load(c->search->rim && then ? &c->search->on : &c->search->at));
}

/* Whether the first is turned by what it touches. */
static bool is_turned(const sn_world *world, const sn_rigid_contact *c) {
    return c->search->point || sn_roll_is_ball(world, c->search->node[0]);
}

void sn_rigid_contact_arms(const sn_world *world, const sn_rigid_contact *c, sn_v4 normal,
                           bool then, sn_v4 arm[2]) {
    const sn_nodes *n = &world->nodes;
    const uint32_t a = c->search->node[0], b = c->search->node[1];
    const sn_vec4 *d = then ? n->p : n->d, *q = then ? world->frames.start : world->frames.q;
    sn_v4 down = (is_turned(world, c) ? -*sn_row(c->row, SN_ROW_LIMIT) : 0) * normal;
    sn_v4 between = sn_v4_load(&n->x[a]) - sn_v4_load(&n->x[b]);
    arm[0] = reach_of(world, c, q) + down;
    arm[1] = arm[0] + (between + (sn_v4_load(&d[a]) - sn_v4_load(&d[b])));
}

void sn_rigid_contact_swept_arms(const sn_world *world, const sn_rigid_contact *c, sn_v4 normal,
                                 sn_v4 arm[2]) {
    const sn_nodes *n = &world->nodes;
    const uint32_t a = c->search->node[0], b = c->search->node[1];
    const sn_real *mass = sn_world_contact_w(world);
    const sn_real w[2] = {mass[a], stands(c) ? 0 : mass[b]};
    sn_v4 down = (is_turned(world, c) ? -*sn_row(c->row, SN_ROW_LIMIT) : 0) * normal;
    sn_v4 nearer = (sn_v4_load(&n->d[a]) - sn_v4_load(&n->d[b])) -
                   (sn_v4_load(&n->p[a]) - sn_v4_load(&n->p[b]));
    sn_v4 before = (sn_v4_load(&n->x[a]) - sn_v4_load(&n->x[b])) +
                   (sn_v4_load(&n->p[a]) - sn_v4_load(&n->p[b]));
    arm[0] = reach_of(world, c, world->frames.predicted) + down;
    if (!c->search->leans)
        before += nearer;
    else if (!stands(c))
        arm[0] += sn_rigid_share(world, c->search, w) * nearer;
    arm[1] = arm[0] + before;
}

/* Both sides of a contact. */
void sn_rigid_contact_sides(const sn_world *world, const sn_rigid_contact *c, sn_v4 normal,
                            sn_rigid_side s[2]) {
    const sn_real *mass = sn_world_contact_w(world);
    sn_v4 arm[2], from[2];
    sn_rigid_contact_arms(world, c, normal, false, arm);
    sn_rigid_contact_arms(world, c, normal, true, from);
    for (int k = 0; k < 2; k++) {
        uint32_t node = c->search->node[k];
        sn_real w = k && stands(c) ? 0 : mass[node];
        s[k] = (sn_rigid_side){.node = node,
                               .turns = w > 0 && (k || is_turned(world, c)),
                               .w = w,
                               .arm = arm[k],
                               .from = from[k]};
    }
}

sn_real sn_rigid_share(const sn_world *world, const sn_rigid_search *search, const sn_real w[2]) {
    const sn_rigid_form *form = sn_rigid_contacts_of(world)->form;
    const sn_real sum = w[0] + w[1];
    if (search->rim || !search->point || (!search->manifold && search->at.w > 0) || !(sum > 0))
        return 0;
    if (search->spins) return form[search->form[0]].rims ? 0 : 1;
    return w[1] / sum;
}

sn_real sn_rigid_side_ease(const sn_world *world, const sn_rigid_side *s, sn_v4 along) {
    if (!s->turns) return s->w;
    sn_v4 axis = sn_quat_rotate_back(frame_of(world, s), sn_v4_cross(s->arm, along));
    return s->w + sn_v4_dot(axis, inverse_of(world, s) * axis);
}

sn_real sn_rigid_contact_ease(const sn_world *world, const sn_rigid_side s[2], sn_v4 along) {
    return sn_rigid_side_ease(world, &s[0], along) + sn_rigid_side_ease(world, &s[1], along);
}

/*
 * A node that ends a substep at x = p + h v has got
 * p x J of it as angular momentum about the origin, and not x x J: so the lever arms of angular
 * momentum are those at the beginning, and what both get is opposite. What a frame was turned by in
 * the substep is kept as the angular momentum of all that, whatever the order of small turns.
 */
sn_v4 sn_rigid_side_push(const sn_world *world, const sn_rigid_side *s, sn_v4 impulse) {
    const sn_frames *frames = &world->frames;
    if (!(s->w > 0)) return (sn_v4){0};
    sn_vec4 *d = &world->nodes.d[s->node];
    sn_v4 moved = sn_v4_load(d) + s->w * impulse;
    moved[3] = 0;
    sn_v4_store(d, moved);
    if (!s->turns) return (sn_v4){0};
    uint32_t frame = world->nodes.frame[s->node] - 1;
    sn_v4 inverse = inverse_of(world, s), q = sn_v4_load(&frames->q[frame]);
    sn_v4 inertia = sn_v4_load(&frames->inertia[frame]), turn = sn_v4_load(&frames->turn[frame]);
    sn_v4 phi = inverse * sn_quat_rotate_back(q, sn_v4_cross(s->arm, impulse));
    sn_v4 twist = sn_v4_cross(s->from, impulse), next = sn_quat_turn(q, phi);
    turn = sn_quat_rotate_back(next, sn_quat_rotate(q, inertia * turn) + twist);
    turn *= inverse;
    turn[3] = 0;
    sn_v4_store(&frames->q[frame], next);
    sn_v4_store(&frames->turn[frame], turn);
    return sn_quat_rotate(q, phi);
}

/* The same within sweeps, which know of it. */
static void push_side(const sn_world *world, const sn_rigid_side *s, sn_v4 impulse) {
    sn_v4 phi = sn_rigid_side_push(world, s, impulse);
    if (!(s->w > 0) || !s->turns) return;
    sn_rigid_body *body = &sn_rigid_contacts_of(world)->body[world->nodes.frame[s->node] - 1];
    sn_v4_store(&body->turned, sn_v4_load(&body->turned) + phi);
    sn_v4_store(&body->done, sn_v4_load(&body->done) + phi);
}

void sn_rigid_side_recover(const sn_world *world, const sn_rigid_side *s, sn_v4 impulse) {
    const sn_frames *frames = &world->frames;
    if (!(s->w > 0)) return;
    sn_contact_move_start(world, s->node, s->w * impulse);
    if (!s->turns) return;
    uint32_t frame = world->nodes.frame[s->node] - 1;
    sn_v4 phi = inverse_of(world, s) *
                sn_quat_rotate_back(sn_v4_load(&frames->q[frame]), sn_v4_cross(s->arm, impulse));
    phi[3] = 0;
    sn_v4_store(&frames->turn[frame], sn_v4_load(&frames->turn[frame]) - phi);
}

void sn_rigid_side_strike(const sn_world *world, const sn_rigid_side *s, sn_v4 impulse) {
    const sn_frames *frames = &world->frames;
    sn_vec4 *v = &world->nodes.v[s->node];
    if (!(s->w > 0)) return;
    sn_v4 next = sn_v4_load(v) + s->w * impulse;
    next[3] = 0;
    if (!sn_v4_is_finite(next)) return;
    sn_v4_store(v, next);
    if (!s->turns) return;
    uint32_t frame = world->nodes.frame[s->node] - 1;
    sn_v4 omega = sn_v4_load(&frames->omega[frame]) +
                  inverse_of(world, s) * sn_quat_rotate_back(sn_v4_load(&frames->q[frame]),
                                                             sn_v4_cross(s->arm, impulse));
    omega[3] = 0;
    if (sn_v4_is_finite(omega)) sn_v4_store(&frames->omega[frame], omega);
}

sn_v4 sn_rigid_side_velocity(const sn_world *world, const sn_rigid_side *s, sn_v4 v, sn_v4 omega) {
    if (!s->turns && !(world->nodes.frame[s->node] && sn_v4_dot(s->arm, s->arm) > 0)) return v;
    return v + sn_v4_cross(sn_quat_rotate(frame_of(world, s), omega), s->arm);
}

/* ---- Positions ---- */

/* The place where they touch, in the frame of the collider. */
static sn_v4 local_of(const sn_world *world, const sn_rigid_contact *c,
                      const sn_rigid_side *first) {
    const sn_collider_pose *at = &sn_collider_poses(world)[c->search->collider];
    const sn_nodes *n = &world->nodes;
    return sn_collider_pose_into(
        at, &at->q,
        sn_collider_pose_relative(at, sn_v4_load(&n->x[first->node]),
                                  sn_v4_load(&n->d[first->node]) + first->arm));
}

/* m: how the first moves in this substep where they touch, as seen from the collider. */
static sn_v4 motion_of(const pass *now, const sn_rigid_contact *c, const sn_rigid_side s[2]) {
    const sn_world *world = now->world;
    const sn_collider_pose *at = &sn_collider_poses(world)[c->search->collider];
    const sn_nodes *n = &world->nodes;
    const uint32_t i = s[0].node;
    sn_v4 motion = sn_v4_load(&n->d[i]) - sn_v4_load(&n->p[i]);
    if (s[0].turns) {
        const sn_frames *frames = &world->frames;
        uint32_t frame = n->frame[i] - 1;
        sn_v4 spin = now->sweep.h * sn_v4_load(&frames->omega[frame]);
        spin += sn_v4_load(&frames->turn[frame]);
        motion += sn_v4_cross(sn_quat_rotate(frame_of(world, &s[0]), spin), s[0].arm);
    }
    motion -= sn_collider_pose_motion(at, local_of(world, c, s));
    if (at->flows) motion -= sn_v4_load(&c->aside->ball.flow);
    return motion;
}

void sn_rigid_contact_project_ball(sn_world *world, const sn_substep *substep, uint32_t slot) {
    const pass now = pass_of(world, substep);
    const sn_rigid_contact c = sn_rigid_contact_at(world, slot);
    const sn_node_contact ball = {c.search->node[0], c.search->collider, c.row, &c.aside->ball};
    sn_v4 normal, local;
    sn_rigid_side s[2];
    sn_rigid_contact_follow_one(world, &c);
    sn_real deep = sn_collider_contact_depth(world, &ball, substep->h, &normal, &local);
    if (!(deep > 0) && !(*sn_row(c.row, SN_ROW_PUSH) > 0)) return;
    if (deep > 0)
        c.search->touched = true;
    else
        normal = sn_row_vector(c.row, SN_ROW_NORMAL);
    sn_rigid_contact_sides(world, &c, normal, s);
    sn_real ease = sn_rigid_contact_ease(world, s, normal), lever = 1;
    sn_v4 motion = motion_of(&now, &c, s), across = sn_across(motion, normal);
    sn_real square = sn_v4_dot(across, across);
    if (!(ease > 0)) return;
    if (square > 0) lever = ease / sn_rigid_contact_ease(world, s, across * (1 / SN_ROOT(square)));
    const sn_contact_geometry geometry = {.normal = sn_lane3_of(normal),
                                          .deep = deep,
                                          .motion = sn_lane3_of(motion),
                                          .k_n = ease,
                                          .lever = lever};
    sn_lane3 moves = sn_contact_solve_rows(&geometry, &now.sweep, (sn_lane3){0, 0, 0}, c.row);
    sn_v4 impulse = {moves.x, moves.y, moves.z, 0};
    push_side(world, &s[0], impulse);
    push_side(world, &s[1], -impulse);
}

/* ---- Recovery ---- */

/* Of balls of nodes: points of bodies relax. */
static void take_recovery_out(const pass *now, const sn_rigid_contact *c) {
    if (c->search->point || c->search->manifold) return;
    if (!(*sn_row(c->row, SN_ROW_PUSH) > 0) || !(*sn_row(c->row, SN_ROW_START) > 0)) return;
    const sn_world *world = now->world;
    sn_rigid_contact_follow_one(world, c);
    sn_v4 normal = sn_row_vector(c->row, SN_ROW_NORMAL);
    sn_rigid_side s[2];
    sn_rigid_contact_sides(world, c, normal, s);
    sn_real ease = sn_rigid_contact_ease(world, s, normal);
    sn_real recovers = sn_contact_recovery(c->row, sn_v4_dot(motion_of(now, c, s), normal));
    if (!(recovers > 0) || !(ease > 0)) return;
    sn_v4 impulse = recovers / ease * normal;
    sn_rigid_side_recover(world, &s[0], impulse);
    sn_rigid_side_recover(world, &s[1], -impulse);
    sn_contact_add_impulse(c->row, -impulse / now->sweep.h, -recovers / (ease * now->sweep.h));
}

void sn_rigid_contact_recover(sn_world *world, const sn_substep *substep) {
    const int rounds = sn_rigid_contact_rounds(world);
    for (int round = 0; round < rounds && sn_rigid_contacts_of(world)->balls; round++)
        for_all(world, substep, take_recovery_out);
}

/* ---- Velocities ---- */

sn_v4 sn_rigid_contact_motion(const sn_world *world, const sn_rigid_contact *c) {
    const sn_collider_pose *at = &sn_collider_poses(world)[c->search->collider];
    sn_rigid_side first = {.node = c->search->node[0]};
    sn_v4 arm[2];
    sn_rigid_contact_arms(world, c, sn_row_vector(c->row, SN_ROW_NORMAL), false, arm);
    first.arm = arm[0];
    return sn_collider_pose_motion(at, local_of(world, c, &first));
}

/* An impulse in N s to both, and to what is told of the contact. */
static void strike(const sn_world *world, const sn_rigid_contact *c, const sn_rigid_side s[2],
                   sn_v4 impulse, sn_real along) {
    sn_rigid_side_strike(world, &s[0], impulse);
    sn_rigid_side_strike(world, &s[1], -impulse);
    sn_contact_add_impulse(c->row, impulse, along);
}

/* Where they go on from where they met nothing presses them together as an impact did: what begins
   the next substep with its impulse is pushed apart, and out of others. */
static void part(sn_real *row) {
    *sn_row(row, SN_ROW_PUSH) = 0;
    for (int k = 0; k < 3; k++) *sn_row(row, SN_ROW_SLIDE + k) = 0;
}

/* What restitution does to the velocities of both: an impact takes the place of all that sweeps
   did, friction as well. */
static void bounce(const pass *now, const sn_rigid_contact *c) {
    const sn_world *world = now->world;
    sn_real impact = *sn_row(c->row, SN_ROW_IMPACT);
    sn_v4 normal = sn_row_vector(c->row, SN_ROW_NORMAL);
    sn_rigid_side s[2];
    if (impact < 0) return;
    sn_v4 swept = sn_row_vector(c->row, SN_ROW_IMPULSE) - sn_v4_load(&c->aside->had);
    sn_real along = *sn_row(c->row, SN_ROW_NORMAL_IMPULSE) - c->aside->had.w;
    swept[3] = 0;
    if (impact > 0) c->search->touched = true;
    sn_rigid_restitution_sides(world, c, normal, s);
    /* Where they met nobody has been swept yet. */
    if (sn_rigid_meeting_has(world, c->search)) {
        sn_contact_add_impulse(c->row, -swept, -along);
        if (sn_rigid_contacts_of(world)->strike) part(c->row);
    } else {
        sn_rigid_restitution_note(world, c, s, swept, now->sweep.h);
        strike(world, c, s, -swept, -along);
    }
    sn_rigid_restitution_strike(world, c, s, normal, impact);
    sn_contact_add_impulse(c->row, impact * normal, impact);
}

/* What the friction of that does, or all friction. */
static void brake(const pass *now, const sn_rigid_contact *c) {
    const sn_world *world = now->world;
    sn_real h = now->sweep.h, pushed = *sn_row(c->row, SN_ROW_PUSH);
    sn_contact_material material = sn_contact_row_material(c->row);
    sn_real impact = *sn_row(c->row, SN_ROW_IMPACT);
    if (!(impact > 0) && (now->sweep.slides || !(pushed > 0))) return;
    sn_rigid_contact_follow_one(world, c);
    sn_v4 normal = sn_row_vector(c->row, SN_ROW_NORMAL), v = {0};
    sn_rigid_side s[2];
    if (impact > 0)
        sn_rigid_restitution_sides(world, c, normal, s);
    else
        sn_rigid_contact_sides(world, c, normal, s);
    for (int k = 0; k < 2; k++) {
        uint32_t frame = world->nodes.frame[s[k].node];
        sn_v4 omega = frame ? sn_v4_load(&world->frames.omega[frame - 1]) : (sn_v4){0};
        if (k == 1 && stands(c))
            v -= sn_rigid_contact_motion(world, c) / h;
        else
            v +=
                (sn_real)(k ? -1 : 1) *
                sn_rigid_side_velocity(world, &s[k], sn_v4_load(&world->nodes.v[s[k].node]), omega);
    }
    sn_v4 across = sn_across(v, normal);
    sn_real square = sn_v4_dot(across, across);
    if (!(square > 0)) return;
    sn_real ease = sn_rigid_contact_ease(world, s, normal);
    sn_real lever = ease / sn_rigid_contact_ease(world, s, across * (1 / SN_ROOT(square)));
    /* An impact takes the place of what sweeps did, here as well. */
    sn_real push = impact * ease;
    if (impact < 0) push = sn_contact_push_speed(world, s[0].node, pushed, h);
    if (!(ease > 0) || !(push > 0)) return;
    strike(world, c, s, sn_friction_brake(&material, lever * across, push) / ease, 0);
}

bool sn_rigid_contact_plays(const sn_world *world) {
    return sn_rigid_may_fly(world) || sn_collider_contact_bounces(world);
}

bool sn_rigid_contact_strikes(const sn_world *world) {
    return sn_rigid_contacts_of(world)->strike || sn_collider_contact_bounces(world);
}

void sn_rigid_contact_bounce(sn_world *world, const sn_substep *substep) {
    if (!sn_rigid_contact_strikes(world)) return;
    sn_rigid_restitution_play(world, substep);
    const bool linked = sn_rigid_contacts_of(world)->links > 0;
    for_all(world, substep, bounce);
    if (linked) sn_rigid_links_apply(world);
    sn_rigid_restitution_end(world);
    for_all(world, substep, brake);
    if (linked) sn_rigid_links_apply(world);
    sn_rigid_meeting_end(world);
}
