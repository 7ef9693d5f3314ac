/*
 * The sweeps of a substep over points of bodies. A point is looked at once, where prediction and
 * constraints have left it: normal n, lever arms r, depth, and how it moves as seen from the other
 * side. From there on all of it is linear in what both sides are moved and turned by,
 *
 *   u     = (d_a + turned_a x r_a) - (d_b + turned_b x r_b)
 *   deep  = deep_0 - n . u,    motion = motion_0 + u
 *
 * so that a round costs little more than that. Frames are turned when the sweeps are over. What
 * a side is turned by is I^-1 (r' x J), where r' is its lever arm when the substep began: a node
 * that ends a substep at x = p + h v has got p x J as angular momentum about the origin, and not
 * x x J. What both get is opposite, then, and angular momentum is kept.
 *
 * A contact is a spring that is as stiff as substeps resolve, and damped (Catto 2011, soft
 * constraints; compliance and damping of XPBD are the same). What ends of an overlap is a change of
 * place and no velocity: when places are known, rounds that relax change velocities alone, until
 * what touches neither parts nor comes closer for it. Their impulses, which are those of rigid
 * contacts, are what the next substep begins with, and the next step (rigid_memory.c): stacks need
 * few rounds.
 *
 * Balls of nodes that carry nothing are solved in the same order (rigid_contact.c).
 */
#include "collision/collider_pose.h"
#include "contact/contact_solve.h"
#include "contact/contacts.h"
#include "contact/recovery.h"
#include "contact/rigid/rigid_contact.h"

enum {
    KIND = SN_CONTACT_RIGID,
    ROUNDS = 2,
    NEW_ROUNDS = 8,   /* where something strikes */
    MOST_ROUNDS = 32, /* where the last of these still changed much */
    RELAXING = 2,
    SETTLING = 2, /* of what bodies are turned by; each leaves h omega of an error */
    BODIES_ALONE = 256
};

/*
 * The spring: w h = pi / 2 for a quarter of the rate of substeps, damping ratio 10. Of an overlap,
 * how much ends in a substep, w h / (20 + w h); of an impulse, how much gives way for a spring that
 * is not rigid, 1 / (1 + w h (20 + w h)).
 */
static const sn_real ENDS = SN_R(0.0728206), GIVES = SN_R(0.0286668);

/* Of what is slight: how much the last round of an impact may change. */
static const sn_real LITTLE = SN_R(0.1);

typedef struct sweep {
    sn_world *world;
    const sn_substep *substep;
    const sn_real *w; /* 1/kg, that contacts see */
    sn_real h;
    sn_real slight; /* m, what gravity does in a substep (recovery.h) */
    bool begins, slides;
    size_t first; /* of the groups at hand */
    int round;    /* -1: what the last substep ended with */
    bool relaxes; /* whether velocities alone are changed */
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

/* Whether a frame is that of a node with points. */
static bool has_points(const sn_world *world, size_t frame) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const uint32_t node = world->frames.node[frame];
    return world->frames.slots.alive[frame] && t->point_begin[node] < t->point_begin[node + 1];
}

static void prepare_bodies(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    const sn_frames *f = &s->world->frames;
    for (size_t i = begin; i < end; i++) {
        sn_rigid_body *b = &sn_rigid_contacts_of(s->world)->body[i];
        b->turned = b->done = b->shift = b->twist = (sn_vec4){0, 0, 0, 0};
        if (!has_points(s->world, i)) continue;
        sn_v4 inverse = sn_v4_load(&f->w[i]);
        b->begun = s->world->nodes.d[f->node[i]];
        columns_of(sn_v4_load(&f->q[i]), b->now);
        columns_of(sn_v4_load(&f->start[i]), b->start);
        sn_v4 spin = s->h * sn_v4_load(&f->omega[i]) + sn_v4_load(&f->turn[i]);
        sn_v4_store(&b->spin, times(b->now, spin));
        for (int k = 0; k < 3; k++) {
            sn_v4 row = {(&b->now[0].x)[k], (&b->now[1].x)[k], (&b->now[2].x)[k], 0};
            sn_v4_store(&b->inverse[k], times(b->now, inverse * row));
        }
    }
}

/* rad: what a frame keeps of its spin (rad) as seen from itself, when it is turned by phi and its
   angular momentum stays in the world: what the update of frames does (integrators/rotate.c). */
static sn_v4 left_behind(sn_v4 inverse, sn_v4 inertia, sn_v4 spin, sn_v4 phi) {
    sn_v4 u = SN_R(0.5) * phi, across = sn_v4_cross(inertia * spin, u);
    return 2 / (1 + sn_v4_dot(u, u)) * (inverse * (across - sn_v4_cross(u, across)));
}

/* Frames get what their bodies were turned by since they last did; what a frame was turned by in
   the substep is kept as the angular momentum of all that, whatever the order of small turns. What
   relaxing gave is in velocities alone: the update takes it for a turn that leaves the rest of the
   momentum behind, and so that is made good here. */
static void turn_bodies(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    const sn_frames *f = &s->world->frames;
    for (size_t i = begin; i < end; i++) {
        sn_rigid_body *b = &sn_rigid_contacts_of(s->world)->body[i];
        sn_v4 theta = sn_v4_load(&b->turned) - sn_v4_load(&b->done), twist = sn_v4_load(&b->twist);
        if (!(sn_v4_dot(theta, theta) + sn_v4_dot(twist, twist) > 0)) continue;
        b->done = b->turned;
        sn_v4 q = sn_v4_load(&f->q[i]), phi = sn_quat_rotate_back(q, theta);
        sn_v4 w = sn_v4_load(&f->w[i]), inertia = sn_v4_load(&f->inertia[i]);
        sn_v4 next = sn_quat_turn(q, phi), turn = sn_v4_load(&f->turn[i]);
        sn_v4 spin = s->h * sn_v4_load(&f->omega[i]), had = {0};
        const bool free = w[0] > 0 && w[1] > 0 && w[2] > 0;
        if (free) had = spin + left_behind(w, inertia, spin, turn);
        sn_v4 all = ((had + turn) + phi) + sn_quat_rotate_back(q, twist);
        all = w * sn_quat_rotate_back(next, sn_quat_rotate(q, inertia * all));
        turn = all - had;
        for (int k = 0; k < SETTLING && free; k++)
            turn = (all - spin) - left_behind(w, inertia, spin, turn);
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
static sn_v4 motion_of_other(const sweep *s, const sn_rigid_search *c, sn_v4 reach) {
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
           (at->flows ? sn_v4_load(&c->ball.flow) : (sn_v4){0});
}

/* m: how deep a point of a body is in a collider, and its normal; of a manifold it is asked in
   bodies. `arm` is from the centre of the body to the point. */
static sn_real depth_of(const sweep *s, const sn_rigid_search *c, bool then, sn_v4 arm,
                        sn_v4 *normal) {
    const sn_world *world = s->world;
    const sn_nodes *n = &world->nodes;
    const sn_vec4 *d = then ? n->p : n->d;
    const uint32_t a = c->node[0], b = c->node[1];
    if (c->manifold) {
        const sn_rigid_body *first = body_of(world, a), *second = body_of(world, b);
        const sn_vec4 *other = then ? second->start : second->now;
        const sn_vec4 *own = then ? first->start : first->now;
        sn_v4 between = ((sn_v4_load(&n->x[a]) - sn_v4_load(&n->x[b])) +
                         (sn_v4_load(&d[a]) - sn_v4_load(&d[b]))) +
                        (arm - times(other, sn_v4_load(&c->on)));
        *normal = times(c->manifold == SN_RIGID_SECOND ? other : own, sn_v4_load(&c->normal));
        return c->at.w - sn_v4_dot(between, *normal);
    }
    const sn_collider_pose *at = &sn_collider_poses(world)[c->collider];
    const sn_vec4 *q = then ? &at->before : &at->q;
    sn_v4 relative = (sn_v4_load(&n->x[a]) - sn_v4_load(&at->x)) +
                     ((sn_v4_load(&d[a]) + arm) - sn_v4_load(then ? &at->p : &at->d));
    sn_real away = sn_shape_distance_to(&sn_colliders_of(world)->state[c->collider].def, c->part,
                                        sn_collider_pose_into(at, q, relative), normal);
    *normal = sn_collider_pose_out(at, q, *normal);
    return c->at.w - away;
}

static sn_v4 way_of(const sweep *s, const sn_rigid_point *p);

/* What a substep begins with is what the last one ended with: it is given to both sides before the
   first round. */
static void take_last(const sweep *s, sn_rigid_point *p, sn_real *row, sn_v4 normal) {
    sn_v4 slide = {0};
    p->push = *sn_row(row, SN_ROW_PUSH);
    if (p->push > 0) slide = sn_across(sn_row_vector(row, SN_ROW_SLIDE), normal);
    sn_v4_store(&p->slide, slide);
    p->had_push = s->begins ? 0 : p->push;
    p->had = (sn_vec4){0, 0, 0, 0};
    if (!s->begins) sn_v4_store(&p->had, p->push * normal + slide);
}

/* Everything but what only those need that touch. */
static void look_at(const sweep *s, sn_rigid_point *p, const sn_rigid_search *c, sn_real *row) {
    const sn_nodes *n = &s->world->nodes;
    const uint32_t a = c->node[0], b = c->node[1];
    const sn_rigid_body *first = body_of(s->world, a);
    sn_v4 at = sn_v4_load(&c->at), normal, then;
    sn_v4 reach = times(first->now, at), from = times(first->start, at);
    sn_real deep = depth_of(s, c, false, reach, &normal);
    sn_v4 down = -c->at.w * normal, between = sn_v4_load(&n->x[a]) - sn_v4_load(&n->x[b]);
    sn_v4 d = sn_v4_load(&n->d[a]) - sn_v4_load(&n->d[b]);
    sn_v4 before = sn_v4_load(&n->p[a]) - sn_v4_load(&n->p[b]);
    for (int k = 0; k < 2; k++) {
        p->node[k] = c->node[k];
        p->w[k] = k && stands(c) ? 0 : s->w[c->node[k]];
    }
    sn_v4 motion = sn_v4_load(&n->d[a]) - sn_v4_load(&n->p[a]);
    if (p->w[0] > 0) motion += sn_v4_cross(sn_v4_load(&first->spin), reach + down);
    sn_v4 arm = (reach + down) + (between + d);
    if (stands(c)) arm = (reach + down) + sn_v4_load(&n->d[a]);
    motion -= motion_of_other(s, c, arm);
    sn_v4_store(&p->arm[0], reach + down);
    sn_v4_store(&p->arm[1], arm);
    sn_v4_store(&p->from[0], from + down);
    sn_v4_store(&p->from[1], from + down + (between + before));
    p->start = 0;
    p->predicted = deep;
    sn_real gone = SN_ROOT(sn_v4_dot(motion, motion));
    if (deep + gone > 0) p->start = depth_of(s, c, true, from, &then);
    p->most = *sn_row(row, SN_ROW_RECOVERY) * s->h;
    p->still = *sn_row(row, SN_ROW_STATIC);
    p->moving = *sn_row(row, SN_ROW_DYNAMIC);
    take_last(s, p, row, normal);
    sn_v4 way = way_of(s, p);
    p->deep = deep + sn_v4_dot(way, normal);
    sn_v4_store(&p->motion, motion - way);
    sn_v4_store(&p->normal, normal);
    p->k_n = 0;
    p->touched = false;
}

/* Whether two come together faster than gravity brings them, or touch for the first time. What ends
   a substep where it touches still goes there, and stops in the next one: an impact has two. */
static bool strikes(const sweep *s, const sn_rigid_point *p) {
    if (!(p->predicted > 0)) return false;
    return p->predicted - p->start > s->slight || (p->predicted > s->slight && !(p->push > 0));
}

static void prepare_groups(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    sn_rigid_contacts *t = sn_rigid_contacts_of(s->world);
    const sn_contact_set *set = &sn_contacts_of(s->world)->set[KIND];
    for (size_t g = begin; g < end; g++) {
        sn_rigid_point *p = t->solved + set->first[g] * SN_CONTACT_BLOCK;
        const size_t last = set->first[g + 1] * SN_CONTACT_BLOCK;
        t->active[g] = 0;
        t->rounds[g] = ROUNDS;
        for (size_t slot = set->first[g] * SN_CONTACT_BLOCK; slot < last; slot++) {
            if (*sn_contact_node_at(set, KIND, (uint32_t)slot, 0) < 0) continue;
            const sn_rigid_search *c = &t->search[slot];
            sn_real *row = sn_contact_rows(set, (uint32_t)slot);
            bool apart = c->manifold == SN_RIGID_APART;
            if (s->begins) *sn_row(row, SN_ROW_START) = 0;
            if (s->begins && (apart || !c->point)) *sn_row(row, SN_ROW_PUSH) = 0;
            *sn_row(row, SN_ROW_PREDICTED) = -SN_INFINITY;
            if (apart) continue;
            p->slot = (uint32_t)slot;
            p->ball = !c->point;
            if (c->point) look_at(s, p, c, row);
            if (c->point && strikes(s, p)) t->rounds[g] = NEW_ROUNDS;
            p++;
            t->active[g]++;
        }
    }
}

/* ---- A round ---- */

/* m: how one is moved where they touch, and what its velocity has beyond that. */
static sn_v4 way_of_side(const sweep *s, const sn_rigid_point *p, int k) {
    const sn_rigid_body *body = body_of(s->world, p->node[k]);
    sn_v4 moved = sn_v4_load(&s->world->nodes.d[p->node[k]]), turned = sn_v4_load(&body->turned);
    if (s->relaxes) {
        moved += sn_v4_load(&body->shift);
        turned += sn_v4_load(&body->twist);
    }
    return moved + sn_v4_cross(turned, sn_v4_load(&p->arm[k]));
}

/* m: how the first is moved as seen from the second. */
static sn_v4 way_of(const sweep *s, const sn_rigid_point *p) {
    sn_v4 way = {0};
    if (p->w[0] > 0) way += way_of_side(s, p, 0);
    if (p->w[1] > 0) way -= way_of_side(s, p, 1);
    return way;
}

/* 1/kg: how both move where they touch, for an impulse along each axis; it is even but for how
   they turn in the substep. */
static void find_ease(const sweep *s, sn_rigid_point *p) {
    sn_v4 column[3];
    for (int i = 0; i < 3; i++) {
        sn_v4 unit = {0}, sum = {0};
        unit[i] = 1;
        for (int k = 0; k < 2; k++) {
            if (!(p->w[k] > 0)) continue;
            sn_v4 turn = times(body_of(s->world, p->node[k])->inverse,
                               sn_v4_cross(sn_v4_load(&p->from[k]), unit));
            sum += p->w[k] * unit + sn_v4_cross(turn, sn_v4_load(&p->arm[k]));
        }
        column[i] = sum;
    }
    p->along = (sn_vec4){column[0][0], column[1][1], column[2][2], 0};
    p->across = (sn_vec4){column[1][0] + column[0][1], column[2][1] + column[1][2],
                          column[0][2] + column[2][0], 0};
}

static sn_real ease_along(const sn_rigid_point *p, sn_v4 a) {
    sn_v4 next = {a[1], a[2], a[0], 0};
    return sn_v4_dot(a * a, sn_v4_load(&p->along)) + sn_v4_dot(a * next, sn_v4_load(&p->across));
}

static void push(const sweep *s, const sn_rigid_point *p, sn_v4 impulse) {
    for (int k = 0; k < 2; k++) {
        if (!(p->w[k] > 0)) continue;
        sn_rigid_body *body = body_of(s->world, p->node[k]);
        sn_vec4 *d = s->relaxes ? &body->shift : &s->world->nodes.d[p->node[k]];
        sn_vec4 *turned = s->relaxes ? &body->twist : &body->turned;
        sn_v4 own = k ? -impulse : impulse;
        sn_v4 turn = times(body->inverse, sn_v4_cross(sn_v4_load(&p->from[k]), own));
        sn_v4_store(d, sn_v4_load(d) + p->w[k] * own);
        sn_v4_store(turned, sn_v4_load(turned) + turn);
    }
}

/* m: by how much a point is pushed, below zero where it was pushed too far. What was apart when the
   substep began is to go no further than to where it touches. */
static sn_real out_of(const sweep *s, const sn_rigid_point *p, sn_real deep) {
    sn_real ends = ENDS * p->start;
    if (p->start > 0) deep -= p->start;
    if (!s->relaxes && p->start > -s->slight) {
        if (p->start > 0) deep += ends < p->most ? ends : p->most;
        deep = (1 - GIVES) * deep - GIVES * p->push;
    }
    return deep > -p->push ? deep : -p->push;
}

static bool is_movable(const sweep *s, sn_rigid_point *p) {
    if (p->k_n > 0) return true;
    find_ease(s, p);
    p->k_n = ease_along(p, sn_v4_load(&p->normal));
    return p->k_n > 0;
}

static void begin_with(const sweep *s, sn_rigid_point *p) {
    if (!(p->push > 0) || !is_movable(s, p)) return;
    push(s, p, 1 / p->k_n * (p->push * sn_v4_load(&p->normal) + sn_v4_load(&p->slide)));
}

/* A velocity that is changed where places stay has its lever arms there. */
static void lean(const sweep *s, sn_rigid_point *p) {
    sn_v4 moved = {0};
    for (int k = 0; k < 2; k++) {
        p->from[k] = p->arm[k];
        if (p->w[k] > 0)
            moved += (sn_real)(k ? -1 : 1) * (sn_v4_load(&s->world->nodes.d[p->node[k]]) -
                                              sn_v4_load(&body_of(s->world, p->node[k])->begun));
    }
    sn_v4_store(&p->from[1], sn_v4_load(&p->from[1]) + moved);
}

/* m: by how much a point is pushed now. */
static sn_real solve(const sweep *s, sn_rigid_point *p) {
    if (s->relaxes && s->round == 0) lean(s, p);
    sn_v4 normal = sn_v4_load(&p->normal), way = way_of(s, p);
    sn_real deep = out_of(s, p, p->deep - sn_v4_dot(way, normal));
    if (!(deep > 0) && !(p->push > 0)) return 0;
    if (!is_movable(s, p)) return 0;
    p->touched = p->touched || deep > 0;
    p->push += deep;
    sn_v4 slide = sn_v4_load(&p->slide), next = {0};
    if (s->slides && p->push > 0) {
        sn_v4 across = sn_across(sn_v4_load(&p->motion) + way, normal);
        sn_real square = sn_v4_dot(across, across);
        sn_real lever = square > 0 ? p->k_n * square / ease_along(p, across) : 0;
        next = slide - lever * across;
        next *= sn_cone_part(p->still * p->push, p->moving * p->push, sn_v4_dot(next, next));
    }
    sn_v4_store(&p->slide, next);
    sn_v4 impulse = 1 / p->k_n * (deep * normal + (next - slide));
    impulse[3] = 0;
    push(s, p, impulse);
    return deep < 0 ? -deep : deep;
}

static void solve_groups(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    sn_rigid_contacts *t = sn_rigid_contacts_of(s->world);
    const sn_contact_set *set = &sn_contacts_of(s->world)->set[KIND];
    for (size_t g = s->first + begin; g < s->first + end; g++) {
        if (s->round >= (s->relaxes ? RELAXING : t->rounds[g])) continue;
        sn_rigid_point *p = t->solved + set->first[g] * SN_CONTACT_BLOCK;
        sn_real most = 0;
        for (const sn_rigid_point *last = p + t->active[g]; p < last; p++) {
            sn_real change = 0;
            if (p->ball && s->relaxes) continue;
            if (p->ball && s->round >= 0)
                sn_rigid_contact_project_ball(s->world, s->substep, p->slot);
            else if (s->round >= 0)
                change = solve(s, p);
            else if (!p->ball)
                begin_with(s, p);
            if (change > most) most = change;
        }
        const bool ends = !s->relaxes && s->round + 1 == t->rounds[g];
        if (ends && s->round + 1 >= NEW_ROUNDS && most > LITTLE * s->slight) t->rounds[g]++;
    }
}

/* What has happened goes into the rows. */
static void keep_groups(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(s->world);
    const sn_contact_set *set = &sn_contacts_of(s->world)->set[KIND];
    for (size_t g = begin; g < end; g++) {
        const sn_rigid_point *p = t->solved + set->first[g] * SN_CONTACT_BLOCK;
        for (const sn_rigid_point *last = p + t->active[g]; p < last; p++) {
            if (p->ball) continue;
            sn_real *row = sn_contact_rows(set, p->slot);
            sn_v4 normal = sn_v4_load(&p->normal), slide = sn_v4_load(&p->slide);
            *sn_row(row, SN_ROW_PREDICTED) = p->predicted;
            for (int k = 0; k < 3; k++) *sn_row(row, SN_ROW_NORMAL + k) = normal[k];
            if (!(p->k_n > 0)) {
                *sn_row(row, SN_ROW_PUSH) = 0;
                continue;
            }
            sn_real inverse = 1 / (p->k_n * s->h);
            sn_v4 sum = (p->push * normal + slide) - sn_v4_load(&p->had);
            if (p->touched || p->push > 0) t->search[p->slot].ball.touched = true;
            *sn_row(row, SN_ROW_PUSH) = p->push;
            for (int k = 0; k < 3; k++) *sn_row(row, SN_ROW_SLIDE + k) = slide[k];
            sn_contact_add_impulse(row, inverse * sum, inverse * (p->push - p->had_push));
        }
    }
}

void sn_rigid_contact_project(sn_world *world, const sn_substep *substep, bool first) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    sn_team *team = world->bindings.team;
    sweep s = {.world = world,
               .substep = substep,
               .w = sn_world_contact_w(world),
               .h = (sn_real)substep->h,
               .slight = sn_contact_slight(world, (sn_real)substep->h),
               .begins = first,
               .slides = world->settings.friction != SN_FRICTION_VELOCITY};
    if (set->count == 0 || set->rounds == 0) return;
    const size_t groups = sn_contact_groups(set), frames = world->frames.slots.count;
    sn_rigid_contact_follow(world);
    sn_team_run(team, frames, BODIES_ALONE, prepare_bodies, &s);
    sn_team_run(team, groups, 2, prepare_groups, &s);
    const int rounds = sn_rigid_contacts_of(world)->points > 0 ? MOST_ROUNDS : 1;
    for (s.round = first ? -1 : 0; s.round < rounds; s.round++) {
        for (int i = 0; i < SN_CONTACT_LAYERS; i++) {
            s.first = sn_contact_layer(set, i);
            sn_team_run(team, sn_contact_layer(set, i + 1) - s.first, 2, solve_groups, &s);
        }
        if (sn_rigid_contacts_of(world)->balls)
            sn_team_run(team, frames, BODIES_ALONE, turn_bodies, &s);
    }
    s.relaxes = true;
    for (s.round = 0; s.round < RELAXING; s.round++)
        for (int i = 0; i < SN_CONTACT_LAYERS; i++) {
            s.first = sn_contact_layer(set, i);
            sn_team_run(team, sn_contact_layer(set, i + 1) - s.first, 2, solve_groups, &s);
        }
    sn_team_run(team, groups, 2, keep_groups, &s);
    sn_team_run(team, frames, BODIES_ALONE, turn_bodies, &s);
    sn_team_run(team, frames, BODIES_ALONE, shift_bodies, &s);
    sn_rigid_manifolds_hold(world);
}
