/*
 * The sweeps of a substep over points of bodies. A point is looked at once, where prediction and
 * constraints have left it: normal n, lever arms r, depth, and how it moves as seen from the other
 * side. From there on all of it is linear in what both sides are moved and turned by,
 *
 *   u     = (d_a + turned_a x r_a) - (d_b + turned_b x r_b)
 *   deep  = deep_0 - n . u,    motion = motion_0 + u
 *
 * so that a round costs little more than that. Frames are turned when the sweeps are over.
 *
 * A node that ends a substep at x = p + h v has got p x J as angular momentum about the origin, and
 * not x x J. What both get is opposite, and angular momentum is kept, where lever arms begin at
 * both p and end in one place. Which place that is makes no difference, so it is next to where they
 * touch in the end, and not where they did when the substep began: with these arms, and the same
 * ones for what an impulse does and for what it sees of that, no round can gain energy.
 *
 * What goes on from two substeps is second order by forces that act where it ends (BDF2), as those
 * of joints do: what touched before, and goes on touching, has the lever arms of the end. With
 * those of the beginning two bars that a hinge pressed together lost their spin.
 *
 * A contact is a spring that is as stiff as substeps resolve, and damped (Catto 2011, soft
 * constraints; compliance and damping of XPBD are the same). What ends of an overlap is a change of
 * place and no velocity: when places are known, rounds that relax change velocities alone, until
 * what touches neither parts nor comes closer for it. Their impulses, which are those of rigid
 * contacts, are what the next substep begins with, and the next step (rigid_memory.c): stacks need
 * few rounds.
 *
 * Rounds are in lanes (rigid_rounds.c). Balls of nodes that carry nothing are solved in the same
 * order (rigid_contact.c).
 */
#include "collision/collider_pose.h"
#include "contact/contact_solve.h"
#include "contact/contacts.h"
#include "contact/recovery.h"
#include "contact/rigid/rigid_rounds.h"
#include "contact/rigid/rigid_turn.h"

enum {
    KIND = SN_CONTACT_RIGID,
    ROUNDS = 2,
    NEW_ROUNDS = 8,   /* where something strikes */
    MOST_ROUNDS = 32, /* where the last of these still changed much */
    RELAXING = 2,     /* and as many as rounds may be, where bodies are deep in each other */
    BODIES_ALONE = 256
};

/* What turns by more than half a rad in a substep is in another direction when that ends, and
   nothing that is linear in turns says where its points go. */
static const sn_real TRACE_FAR = SN_R(2.7551651); /* 1 + 2 cos of that */

/* Steps of a walk; and the cosine between two ways out of a shape that are not of the same side. */
enum { MOST_WALK = 100 };
static const sn_real TURNED = SN_R(0.7);

/* rad: what contacts turn by more in a substep is struck, where nothing else turns it. */
static const sn_real STRUCK = SN_R(1e-3);

/* Of what is slight: how much the last round of an impact may change. */
static const sn_real LITTLE = SN_R(0.1);
/* Of the same: what a round may push a point by without others having to be looked at again. Rounds
   that go on until they change little, of an impact or to relax what is stuck, go there alone where
   they still change more. */
static const sn_real QUIET = SN_R(0.01);

/* A point as it is looked at. */
typedef struct point {
    sn_v4 normal;
    sn_v4 arm[2];  /* m */
    sn_real share; /* (rigid_rounds.h) */
    bool leans;
    sn_v4 motion;                                   /* m, where neither is moved */
    sn_v4 slide, had;                               /* m */
    sn_real w[2];                                   /* 1/kg */
    sn_real deep, predicted, start, push, had_push; /* m */
} point;

typedef struct sweep {
    sn_world *world;
    const sn_substep *substep;
    const sn_real *w; /* 1/kg, that contacts see */
    sn_real h;
    sn_real slight; /* m, what gravity does in a substep (recovery.h) */
    bool begins;
    size_t first; /* of the groups at hand */
    int round;    /* -1: what the last substep ended with */
    bool relaxes; /* whether velocities alone are changed */
    bool rolls;   /* whether rolling of any is resisted */
    sn_rigid_round rounds;
    const sn_rigid_kernels *look, *kernels;
} sweep;

int sn_rigid_contact_rounds(const sn_world *world) {
    return sn_rigid_contacts_of(world)->points > 0 ? NEW_ROUNDS : 1;
}

/* ---- Bodies ---- */

static sn_v4 times(const sn_vec4 column[3], sn_v4 a) {
    return (a[0] * sn_v4_load(&column[0]) + a[1] * sn_v4_load(&column[1])) +
           a[2] * sn_v4_load(&column[2]);
}

static void columns_of(sn_v4 q, sn_vec4 column[3]) {
    const sn_v4 unit[3] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    for (int k = 0; k < 3; k++) sn_v4_store(&column[k], sn_quat_rotate(q, unit[k]));
}

static bool turns_far(const sn_rigid_body *body) {
    sn_real trace = 0;
    for (int k = 0; k < 3; k++)
        trace += sn_v4_dot(sn_v4_load(&body->start[k]), sn_v4_load(&body->now[k]));
    return trace < TRACE_FAR;
}

/* Whether a frame is that of a node with points. */
static bool has_points(const sn_world *world, size_t frame) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const uint32_t node = world->frames.node[frame];
    return world->frames.slots.alive[frame] && t->point_begin[node] < t->point_begin[node + 1];
}

/* Whether a node goes on from two substeps. */
static bool goes_on(const sn_world *world, uint32_t node) {
    return world->history.used && world->history.second[world->nodes.body[node]];
}

/* Whether constraints have moved a node since it flew. */
static bool is_pulled(const sn_world *world, uint32_t node) {
    sn_v4 pull = sn_v4_load(&world->nodes.d[node]) -
                 sn_v4_load(&sn_rigid_contacts_of(world)->flight[node].d);
    pull[3] = 0;
    return sn_v4_dot(pull, pull) > 0;
}

static void prepare_bodies(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    const sn_frames *f = &s->world->frames;
    const bool flies = sn_rigid_may_fly(s->world);
    for (size_t i = begin; i < end; i++) {
        sn_rigid_body *b = &sn_rigid_contacts_of(s->world)->body[i];
        b->turned = b->done = b->shift = b->twist = (sn_vec4){0, 0, 0, 0};
        b->stirred = 0;
        sn_v4 turn = sn_v4_load(&f->turn[i]);
        if (s->begins) b->held = sn_v4_dot(turn, turn) > 0;
        if (!has_points(s->world, i)) continue;
        if (s->begins && flies) b->pulled = is_pulled(s->world, f->node[i]);
        sn_v4 inverse = sn_v4_load(&f->w[i]);
        columns_of(sn_v4_load(&f->q[i]), b->now);
        columns_of(sn_v4_load(&f->start[i]), b->start);
        b->far = turns_far(b);
        b->second = goes_on(s->world, f->node[i]);
        sn_v4 spin = s->h * sn_v4_load(&f->omega[i]) + turn;
        sn_v4_store(&b->spin, times(b->now, spin));
        for (int k = 0; k < 3; k++) {
            sn_v4 row = {(&b->now[0].x)[k], (&b->now[1].x)[k], (&b->now[2].x)[k], 0};
            sn_v4_store(&b->inverse[k], times(b->now, inverse * row));
        }
    }
}

/* Where a frame is turned to that is struck: by phi, in rad of its own, and `given` is what that
   gives it of momentum, over inertia. */
static sn_v4 turn_struck(const sweep *s, size_t i, sn_v4 phi, sn_v4 given) {
    const sn_frames *f = &s->world->frames;
    sn_v4 q = sn_v4_load(&f->q[i]), inertia = sn_v4_load(&f->inertia[i]);
    sn_v4 flown = inertia * sn_v4_load(&f->omega[i]), turn = inertia * sn_v4_load(&f->turn[i]);
    sn_rigid_struck struck = {.q = sn_quat_turn(q, phi), .w = sn_v4_load(&f->w[i])};
    struck.given = sn_quat_rotate(q, inertia * given);
    struck.momentum =
        (s->h * sn_quat_rotate(sn_v4_load(&f->predicted[i]), flown) + sn_quat_rotate(q, turn)) +
        struck.given;
    struck.energy = sn_rigid_spin_energy(q, struck.w, struck.momentum);
    return sn_rigid_turn(&struck);
}

/* The turn of a frame at q that has as much angular momentum as one by theta has where the body was
   looked at. Rounds go on with the inertia of the world that was there: where a round has turned it
   by radians, what the next one takes back is to be what was given. */
static sn_v4 given_of(const sn_rigid_body *b, sn_v4 w, sn_v4 inertia, sn_v4 q, sn_v4 theta) {
    sn_v4 momentum = {0};
    for (int k = 0; k < 3; k++) {
        const sn_v4 axis = sn_v4_load(&b->now[k]);
        momentum += (inertia[k] * sn_v4_dot(axis, theta)) * axis;
    }
    return w * sn_quat_rotate_back(q, momentum);
}

/* Frames get what their bodies were turned by since they last did; what a frame was turned by in
   the substep is kept as the angular momentum of all that, whatever the order of small turns. What
   relaxing gave is in velocities alone. */
static void turn_bodies(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    const sn_frames *f = &s->world->frames;
    for (size_t i = begin; i < end; i++) {
        sn_rigid_body *b = &sn_rigid_contacts_of(s->world)->body[i];
        sn_v4 theta = sn_v4_load(&b->turned) - sn_v4_load(&b->done), twist = sn_v4_load(&b->twist);
        if (!(sn_v4_dot(theta, theta) + sn_v4_dot(twist, twist) > 0)) continue;
        const sn_v4 done = sn_v4_load(&b->done);
        const bool elsewhere = sn_v4_dot(done, done) > STRUCK * STRUCK;
        b->done = b->turned;
        sn_v4 q = sn_v4_load(&f->q[i]), phi = sn_quat_rotate_back(q, theta);
        sn_v4 w = sn_v4_load(&f->w[i]), inertia = sn_v4_load(&f->inertia[i]);
        sn_v4 own = sn_quat_rotate_back(q, twist), turn = sn_v4_load(&f->turn[i]);
        sn_v4 given = phi;
        if (elsewhere) {
            given = given_of(b, w, inertia, q, theta);
            own = given_of(b, w, inertia, q, twist);
        }
        const bool struck = !b->held && sn_v4_dot(phi, phi) > STRUCK * STRUCK;
        sn_v4 next = struck ? turn_struck(s, i, phi, given + own) : sn_quat_turn(q, phi);
        turn = (turn + given) + own;
        turn = w * sn_quat_rotate_back(next, sn_quat_rotate(q, inertia * turn));
        turn[3] = 0;
        sn_v4_store(&f->q[i], next);
        sn_v4_store(&f->turn[i], turn);
    }
}

static void shift_bodies(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    for (size_t i = begin; i < end; i++) {
        sn_v4 shift = sn_v4_load(&sn_rigid_contacts_of(s->world)->body[i].shift);
        if (sn_v4_dot(shift, shift) > 0)
            sn_contact_move_start(s->world, s->world->frames.node[i], -shift);
    }
}

static sn_rigid_body *body_of(const sn_world *world, uint32_t node) {
    return &sn_rigid_contacts_of(world)->body[world->nodes.frame[node] - 1];
}

/* ---- A point where it is ---- */

static bool stands(const sn_rigid_search *c) {
    return c->node[0] == c->node[1];
}

/* m: how the collider moves in the substep, at a place relative to its node, or to itself. */
static sn_v4 motion_of_other(const sweep *s, const sn_rigid_contact *own, sn_v4 reach) {
    const sn_rigid_search *c = own->search;
    const sn_world *world = s->world;
    const sn_nodes *n = &world->nodes;
    const uint32_t b = c->node[1];
    const sn_collider_pose *at = &sn_collider_poses(world)[c->collider];
    if (!stands(c) && s->w[b] > 0)
        return (sn_v4_load(&n->d[b]) - sn_v4_load(&n->p[b])) +
               sn_v4_cross(sn_v4_load(&body_of(world, b)->spin), reach);
    sn_v4 place = sn_v4_load(&n->x[c->node[0]]) - sn_v4_load(&at->x);
    if (!stands(c)) place = sn_v4_load(&n->x[b]) - sn_v4_load(&at->x) + sn_v4_load(&n->d[b]);
    sn_v4 local = sn_collider_pose_into(at, &at->q, (place + reach) - sn_v4_load(&at->d));
    return sn_collider_pose_motion(at, local) +
           (at->flows ? sn_v4_load(&own->aside->ball.flow) : (sn_v4){0});
}

sn_real sn_rigid_contact_depth(const sn_world *world, const sn_rigid_contact *contact, bool then,
                               sn_v4 arm, sn_v4 *normal) {
    const sn_rigid_search *c = contact->search;
    const sn_nodes *n = &world->nodes;
    const sn_vec4 *d = then ? n->p : n->d;
    const uint32_t a = c->node[0];
    const sn_collider_pose *at = &sn_collider_poses(world)[c->collider];
    if (c->manifold) return sn_rigid_manifold_depth(world, c, then, normal);
    const sn_vec4 *q = then ? &at->before : &at->q;
    sn_v4 relative = (sn_v4_load(&n->x[a]) - sn_v4_load(&at->x)) +
                     ((sn_v4_load(&d[a]) + arm) - sn_v4_load(then ? &at->p : &at->d));
    sn_real away = sn_shape_distance_to(&sn_colliders_of(world)->state[c->collider].def, c->part,
                                        sn_collider_pose_into(at, q, relative), normal);
    *normal = sn_collider_pose_out(at, q, *normal);
    return (c->point ? c->at.w : *sn_row(contact->row, SN_ROW_LIMIT)) - away;
}

/* m: how deep a point that was outside, or hardly in, is below the plane at which it entered the
   collider on its way in the substep, and the normal of that; 0 where it did not. Walks by the
   distance that is left, in the frame of the collider. Lever arms to the point: when the substep
   began, and now. */
static sn_real entered(const sweep *s, const sn_rigid_search *c, const sn_v4 arm[2],
                       sn_v4 *normal) {
    const sn_nodes *n = &s->world->nodes;
    const sn_collider_pose *on = &sn_collider_poses(s->world)[c->collider];
    const sn_collider_def *def = &sn_colliders_of(s->world)->state[c->collider].def;
    const uint32_t a = c->node[0];
    sn_v4 base = sn_v4_load(&n->x[a]) - sn_v4_load(&on->x), toward;
    sn_v4 from = sn_collider_pose_into(
        on, &on->before, base + ((sn_v4_load(&n->p[a]) + arm[0]) - sn_v4_load(&on->p)));
    sn_v4 to = sn_collider_pose_into(on, &on->q,
                                     base + ((sn_v4_load(&n->d[a]) + arm[1]) - sn_v4_load(&on->d)));
    sn_v4 way = to - from;
    sn_real length = SN_ROOT(sn_v4_dot(way, way)), gone = 0, trust = sn_shape_trust(def);
    for (int step = 0; step < MOST_WALK && gone < length; step++) {
        sn_v4 here = from + (gone / length) * way;
        sn_real left = sn_shape_distance_to(def, c->part, here, &toward) - c->at.w;
        if (left <= SN_R(1e-3) * length) {
            *normal = sn_collider_pose_out(on, &on->q, toward);
            return -sn_v4_dot(to - here, toward) - (left < 0 ? left : 0);
        }
        gone += trust * left;
    }
    return 0;
}

/*
 * The cosine between two ways out of a shape, where it was entered and where the substep ends, from
 * which on they are not of the same side. Balls that bounce off each other do so along the line
 * between them where they meet, be they in flight (rigid_meeting.c) or rolling on a table, where
 * others see the end of the substep: a ball that is struck goes along that line.
 */
static sn_real same_side(const sweep *s, const sn_rigid_contact *own) {
    const sn_rigid_search *c = own->search;
    const sn_collider_def *def = &sn_colliders_of(s->world)->state[c->collider].def;
    const bool round = c->at.w > 0 && !stands(c) &&
                       (def->shape == SN_SHAPE_SPHERE || def->shape == SN_SHAPE_CAPSULE);
    return round && *sn_row(own->row, SN_ROW_RESTITUTION) > 0 ? SN_R(0.999998) : TURNED;
}

/* Where a body turns far, a depth is more than how the point goes there: pushes that end it would
   do work. What counts is the motion of the end, and the depth beyond it is left to recovery. */
static void look_only_now(point *p, sn_v4 motion) {
    p->start = p->predicted + sn_v4_dot(motion, p->normal);
}

/* What a substep begins with is what the last one ended with: it is given to both sides before the
   first round. */
static void take_last(const sweep *s, point *p) {
    p->had = (sn_v4){0};
    p->slide = p->push > 0 ? sn_across(p->slide, p->normal) : (sn_v4){0};
    p->had_push = s->begins ? 0 : p->push;
    if (!s->begins) p->had = p->push * p->normal + p->slide;
}

/* A point that is so deep, along a normal, but for how deep it was when the substep began. Returns
   how it moves as seen from the other, in m. */
static sn_v4 place(const sweep *s, point *p, const sn_rigid_contact *own, sn_v4 reach) {
    const sn_rigid_search *c = own->search;
    const sn_nodes *n = &s->world->nodes;
    const uint32_t a = c->node[0], b = c->node[1];
    const sn_rigid_body *first = body_of(s->world, a);
    sn_v4 arm = reach - c->at.w * p->normal;
    sn_v4 motion = sn_v4_load(&n->d[a]) - sn_v4_load(&n->p[a]);
    p->arm[0] = arm;
    p->arm[1] = arm + sn_v4_load(&n->d[a]);
    if (!stands(c)) {
        sn_v4 before = (sn_v4_load(&n->x[a]) - sn_v4_load(&n->x[b])) +
                       (sn_v4_load(&n->p[a]) - sn_v4_load(&n->p[b]));
        sn_v4 nearer = motion - (sn_v4_load(&n->d[b]) - sn_v4_load(&n->p[b]));
        p->share = sn_rigid_share(s->world, c, p->w);
        p->leans =
            !(p->push > 0 && first->second && (!(p->w[1] > 0) || body_of(s->world, b)->second));
        if (p->leans)
            p->arm[0] += p->share * nearer;
        else
            before += nearer;
        p->arm[1] = p->arm[0] + before;
    }
    if (p->w[0] > 0) motion += sn_v4_cross(sn_v4_load(&first->spin), p->arm[0]);
    return motion - motion_of_other(s, own, p->arm[1]);
}

/* Everything but what only those need that touch. What was outside and has another side before it
   now may have passed: then it is as deep as it is below that by which it came in. */
static void look_at(const sweep *s, point *p, const sn_rigid_contact *own) {
    const sn_rigid_search *c = own->search;
    const sn_nodes *n = &s->world->nodes;
    const uint32_t a = c->node[0], b = c->node[1];
    const sn_rigid_body *first = body_of(s->world, a);
    sn_v4 then, way = {0};
    const sn_v4 arm[2] = {times(first->start, sn_v4_load(c->rim ? &c->on : &c->at)),
                          times(first->now, sn_v4_load(&c->at))};
    for (int k = 0; k < 2; k++) p->w[k] = k && stands(c) ? 0 : s->w[c->node[k]];
    p->predicted = sn_rigid_contact_depth(s->world, own, false, arm[1], &p->normal);
    sn_v4 motion = place(s, p, own, arm[1]);
    p->start = 0;
    sn_real gone = SN_ROOT(sn_v4_dot(motion, motion));
    if (p->predicted + gone > 0) {
        p->start = sn_rigid_contact_depth(s->world, own, true, arm[0], &then);
        const bool out = p->start <= 0 || 16 * p->start * p->start < gone * gone;
        if (!c->manifold && out && sn_v4_dot(then, p->normal) < same_side(s, own)) {
            sn_real deep = entered(s, c, arm, &then);
            if (deep > 0) {
                p->predicted = deep;
                p->normal = then;
                motion = place(s, p, own, arm[1]);
            }
        }
    }
    if (first->far || (p->w[1] > 0 && body_of(s->world, b)->far)) look_only_now(p, motion);
    take_last(s, p);
    /* Bodies have not been turned yet. */
    if (p->w[0] > 0) way += sn_v4_load(&n->d[a]);
    if (p->w[1] > 0) way -= sn_v4_load(&n->d[b]);
    p->deep = p->predicted + sn_v4_dot(way, p->normal);
    p->motion = motion - way;
}

/* Whether two come together faster than gravity brings them, or touch for the first time. What ends
   a substep where it touches still goes there, and stops in the next one: an impact has two. */
static bool strikes(const sweep *s, const point *p) {
    if (!(p->predicted > 0)) return false;
    return p->predicted - p->start > s->slight || (p->predicted > s->slight && !(p->push > 0));
}

/* ---- Points of blocks ---- */

static void put3(sn_rigid_row rows[3], uint32_t lane, sn_v4 a) {
    for (int k = 0; k < 3; k++) rows[k][lane] = a[k];
}

static void put(sn_rigid_block *b, uint32_t lane, const point *p, bool begins, bool strikes) {
    for (int k = 0; k < 2; k++) put3(b->arm[k], lane, p->arm[k]);
    b->share[lane] = p->share;
    b->leans[lane] = p->leans ? 1 : 0;
    b->deep[lane] = p->deep;
    put3(b->motion, lane, p->motion);
    b->start[lane] = p->start;
    put3(b->slide, lane, p->slide);
    b->k_n[lane] = b->touched[lane] = 0;
    b->predicted[lane] = p->predicted;
    if (begins) {
        const sn_real comes = p->predicted - p->start;
        b->struck[lane] = strikes && comes > SN_RIGID_JUMP * p->push ? 1 : 0;
    }
    b->had_push[lane] = p->had_push;
    put3(b->had, lane, p->had);
}

/* A point that is looked at by itself. */
static unsigned look_at_one(const sweep *s, sn_rigid_block *first, sn_rigid_block *b,
                            uint32_t lane) {
    const sn_rigid_contact c = sn_rigid_contact_at(s->world, b->slot[lane]);
    point p = {.push = b->push[lane],
               .slide = {b->slide[0][lane], b->slide[1][lane], b->slide[2][lane], 0}};
    look_at(s, &p, &c);
    if (s->begins) c.aside->rolled[0] = c.aside->rolled[1] = (sn_vec4){0, 0, 0, 0};
    if (b == first) put3(b->normal, lane, p.normal);
    put(b, lane, &p, s->begins, strikes(s, &p));
    return (strikes(s, &p) ? SN_RIGID_STRIKES : 0u) |
           (p.start > first->most[lane] && p.predicted > 0 ? SN_RIGID_STUCK : 0u);
}

static unsigned look_at_chain(const sweep *s, sn_rigid_block *first) {
    if (first->looks) return s->look->look(&s->rounds, first);
    unsigned is = 0;
    for (uint32_t lane = 0; lane < first->points; lane++)
        for (sn_rigid_block *b = first; b < first + first->chain; b++)
            if (b->slot[lane] != SN_RIGID_NOBODY) is |= look_at_one(s, first, b, lane);
    return is;
}

/* What points of a chain have done in the step before the substep. */
static void note_before(const sn_rigid_contacts *t, const sn_rigid_block *chain) {
    for (const sn_rigid_block *b = chain; b < chain + chain->chain; b++)
        for (uint32_t lane = 0; lane < chain->points; lane++)
            if (b->slot[lane] != SN_RIGID_NOBODY)
                t->aside[b->slot[lane]].had =
                    (sn_vec4){b->impulse[0][lane], b->impulse[1][lane], b->impulse[2][lane],
                              b->normal_impulse[lane]};
}

/* Of what a force moves a body by in this substep, what it did in the one before. */
static sn_real ratio_of(const sn_history *history, uint32_t body) {
    if (history->before[body] == history->second[body]) return 1;
    return (sn_real)(history->second[body] ? history->share : 1 / history->share);
}

/* What points of a chain begin with is what ended the substep before. Where that was one of another
   order, the same force moves both by another part of h^2. */
static void weigh_last(const sn_world *world, sn_rigid_block *chain) {
    for (uint32_t lane = 0; lane < chain->points; lane++) {
        const uint32_t node = chain->node[chain->w[0][lane] > 0 ? 0 : 1][lane];
        const sn_real ratio = ratio_of(&world->history, world->nodes.body[node]);
        for (sn_rigid_block *b = chain; b < chain + chain->chain && ratio != 1; b++) {
            b->push[lane] *= ratio;
            for (int k = 0; k < 3; k++) b->slide[k][lane] *= ratio;
        }
    }
}

static void prepare_groups(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    sn_rigid_contacts *t = sn_rigid_contacts_of(s->world);
    const sn_contact_set *set = &sn_contacts_of(s->world)->set[KIND];
    for (size_t g = begin; g < end; g++) {
        unsigned is = 0;
        if (t->laid_h != s->h) sn_rigid_blocks_write_group(sn_contacts_of(s->world), g);
        if (!t->laid[g]) sn_rigid_blocks_lay(s->world, g, s->begins, s->h);
        sn_rigid_block *b = t->block + SN_RIGID_ROOM * set->first[g];
        for (const sn_rigid_block *last = b + t->active[g]; b < last; b += b->chain) {
            if (s->begins && s->world->history.used) weigh_last(s->world, b);
            const unsigned own = look_at_chain(s, b);
            if (s->begins && own & SN_RIGID_STRIKES) note_before(t, b);
            is |= own;
        }
        t->rounds[g] = is & SN_RIGID_STRIKES ? NEW_ROUNDS : ROUNDS;
        t->relaxing[g] = RELAXING;
        t->stuck[g] = (is & SN_RIGID_STUCK) != 0;
    }
}

static void look_at_all(sweep *s, size_t groups) {
    sn_lane_trial *trial = &s->world->bindings.lanes[SN_TRIED_RIGID_LOOK];
    const size_t points = sn_contacts_of(s->world)->set[KIND].count;
    s->look = sn_rigid_kernels_of(sn_lane_trial_begin(s->world, trial, points));
    sn_team_run(s->world->bindings.team, groups, 2, prepare_groups, s);
    sn_lane_trial_end(s->world, trial);
}

/* ---- Rounds ---- */

static void begin_round(sweep *s) {
    const bool more = s->round + 1 >= (s->relaxes ? RELAXING : NEW_ROUNDS);
    s->rounds.first = s->round <= 0;
    s->rounds.number = (uint32_t)(s->round + 1 + (s->relaxes ? MOST_ROUNDS : 0));
    s->rounds.quiet = (more ? LITTLE : QUIET) * s->slight;
}

/* m: the most that a point of a block is pushed now. */
static sn_real solve_block(const sweep *s, sn_rigid_block *b) {
    sn_real change = 0;
    if (s->round < 0) {
        s->kernels->begin(&s->rounds, b);
        return 0;
    }
    if (b->points > 0) change = s->kernels->solve(&s->rounds, b);
    if (s->rolls) sn_rigid_resist_rolling(s->world, &s->rounds, b);
    for (uint32_t k = 0; k < b->balls && !s->relaxes; k++)
        sn_rigid_contact_project_ball(s->world, s->substep, b->ball[k]);
    return change;
}

static void solve_groups(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    sn_rigid_contacts *t = sn_rigid_contacts_of(s->world);
    const sn_contact_set *set = &sn_contacts_of(s->world)->set[KIND];
    for (size_t g = s->first + begin; g < s->first + end; g++) {
        int *rounds = s->relaxes ? &t->relaxing[g] : &t->rounds[g];
        if (s->round >= *rounds) continue;
        sn_rigid_block *b = t->block + SN_RIGID_ROOM * set->first[g];
        sn_real most = 0;
        for (const sn_rigid_block *last = b + t->active[g]; b < last; b += b->chain) {
            sn_real change = solve_block(s, b);
            if (change > most) most = change;
        }
        const bool ends = s->round + 1 == *rounds,
                   more = s->relaxes ? t->stuck[g] : *rounds >= NEW_ROUNDS;
        if (ends && more && most > LITTLE * s->slight) ++*rounds;
    }
}

/* The most rounds of a group: what is deep in each other is pushed apart without a velocity, and
   where many are, few rounds leave them much of one. */
static int most_rounds(const sweep *s, size_t groups) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(s->world);
    const int *rounds = s->relaxes ? t->relaxing : t->rounds;
    const int limit = s->relaxes || t->points > 0 ? MOST_ROUNDS : 1;
    int most = 0;
    for (size_t g = 0; g < groups; g++)
        if (rounds[g] > most) most = rounds[g];
    return most < limit ? most : limit;
}

/* The groups of a layer. Late in an impact most have come to their end, and threads are not told of
   a layer in which one goes on, or none. */
static void solve_layer(sweep *s, size_t begin, size_t end) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(s->world);
    const int *rounds = s->relaxes ? t->relaxing : t->rounds;
    size_t count = 0, last = begin;
    for (size_t g = begin; g < end; g++) {
        if (s->round >= rounds[g] || t->active[g] == 0) continue;
        count++;
        last = g;
    }
    s->first = begin;
    if (count > 1)
        sn_team_run(s->world->bindings.team, end - begin, 2, solve_groups, s);
    else if (count == 1)
        solve_groups(s, last - begin, last - begin + 1);
}

static void solve_all(sweep *s) {
    const sn_contact_set *set = &sn_contacts_of(s->world)->set[KIND];
    sn_lane_trial *trial = &s->world->bindings.lanes[SN_TRIED_RIGID_ROUND];
    /* The first round of places leaves nobody out. */
    const bool tried = s->round == 0 && !s->relaxes;
    s->kernels = sn_rigid_kernels_of(tried ? sn_lane_trial_begin(s->world, trial, set->count)
                                           : sn_lanes_of(s->world, trial));
    for (int i = 0; i < SN_CONTACT_LAYERS; i++)
        solve_layer(s, sn_contact_layer(set, i), sn_contact_layer(set, i + 1));
    if (tried) sn_lane_trial_end(s->world, trial);
}

/* All rounds of places, or of velocities alone, from that of a number on. */
static void go_over(sweep *s, size_t groups, int first) {
    sn_team *team = s->world->bindings.team;
    for (s->round = first; s->round < most_rounds(s, groups); s->round++) {
        begin_round(s);
        solve_all(s);
        if (!s->relaxes && sn_rigid_contacts_of(s->world)->balls)
            sn_team_run(team, s->world->frames.slots.count, BODIES_ALONE, turn_bodies, s);
    }
}

static void keep_groups(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(s->world);
    const sn_contact_set *set = &sn_contacts_of(s->world)->set[KIND];
    for (size_t g = begin; g < end; g++) {
        sn_rigid_block *b = t->block + SN_RIGID_ROOM * set->first[g];
        for (const sn_rigid_block *last = b + t->active[g]; b < last; b += b->chain)
            s->kernels->keep(&s->rounds, b);
    }
}

static void write_groups(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    for (size_t g = begin; g < end; g++) sn_rigid_blocks_write_group(sn_contacts_of(s->world), g);
}

/* Whether somebody asks for what happened in every substep, and not in the end alone; who audits
   does so by himself (step/audit_contacts.c). */
static bool is_asked(const sn_world *world) {
    const sn_contacts *contacts = sn_contacts_of(world);
    return contacts->rigid.balls || contacts->marks.on || world->settings.iterations > 1 ||
           sn_collider_contact_bounces(world) ||
           atomic_load_explicit(&contacts->rigid.fast, memory_order_relaxed);
}

static sweep sweep_of(sn_world *world, const sn_substep *substep) {
    const bool first = sn_rigid_contacts_of(world)->begins;
    sweep s = {.world = world,
               .substep = substep,
               .w = sn_world_contact_w(world),
               .h = (sn_real)substep->h,
               .slight = sn_contact_slight(world, (sn_real)substep->h),
               .begins = first,
               .rolls = sn_rigid_contacts_of(world)->rolls};
    s.rounds = (sn_rigid_round){.d = world->nodes.d,
                                .x = world->nodes.x,
                                .p = world->nodes.p,
                                .body = sn_rigid_contacts_of(world)->body,
                                .h = s.h,
                                .slight = s.slight,
                                .begins = first,
                                .slides = world->settings.friction != SN_FRICTION_VELOCITY};
    return s;
}

static bool is_swept(const sn_world *world) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    return set->count > 0 && set->rounds > 0;
}

void sn_rigid_contact_project(sn_world *world, const sn_substep *substep, bool first) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    sn_rigid_contacts_of(world)->begins = first;
    sweep s = sweep_of(world, substep);
    if (!is_swept(world)) return;
    sn_rigid_contact_follow(world);
    sn_team_run(world->bindings.team, world->frames.slots.count, BODIES_ALONE, prepare_bodies, &s);
    look_at_all(&s, sn_contact_groups(set));
    sn_rigid_contacts_of(world)->laid_h = s.h;
    go_over(&s, sn_contact_groups(set), first ? -1 : 0);
}

void sn_rigid_contact_end_sweep(sn_world *world, const sn_substep *substep, bool last) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    const size_t groups = sn_contact_groups(set), frames = world->frames.slots.count;
    sn_team *team = world->bindings.team;
    sweep s = sweep_of(world, substep);
    if (!is_swept(world)) return;
    s.kernels =
        sn_rigid_kernels_of(sn_lanes_of(world, &world->bindings.lanes[SN_TRIED_RIGID_ROUND]));
    s.relaxes = s.rounds.relaxes = true;
    if (last) go_over(&s, groups, 0);
    sn_team_run(team, groups, 2, keep_groups, &s);
    sn_team_run(team, frames, BODIES_ALONE, turn_bodies, &s);
    sn_team_run(team, frames, BODIES_ALONE, shift_bodies, &s);
    if (last) sn_rigid_flying_find(world);
    if (is_asked(world) || sn_rigid_contacts_of(world)->strike)
        sn_team_run(team, groups, 2, write_groups, &s);
    sn_rigid_manifolds_hold(world);
}

void sn_rigid_contact_turn(sn_world *world, const sn_substep *substep) {
    sweep s = sweep_of(world, substep);
    if (is_swept(world))
        sn_team_run(world->bindings.team, world->frames.slots.count, BODIES_ALONE, turn_bodies, &s);
}

bool sn_rigid_contact_has_struck(const sn_world *world) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    bool any = false;
    for (size_t g = 0; is_swept(world) && g < sn_contact_groups(set); g++)
        any = any || (t->active[g] > 0 && t->rounds[g] >= NEW_ROUNDS);
    return any;
}

bool sn_rigid_contact_pushes(const sn_world *world, uint32_t node) {
    const uint32_t frame = world->nodes.frame[node];
    return frame > 0 && sn_rigid_contacts_of(world)->body[frame - 1].stirred > 0;
}
