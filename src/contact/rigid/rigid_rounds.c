/*
 * A round of the sweeps over points of bodies, in lanes. What is known of a point is linear in what
 * both sides are moved and turned by (rigid_sweep.c has the formulas); sides that nothing moves are
 * read as zero and never written. And how points of manifolds are looked at before the first round.
 */
#include "contact/rigid/rigid_rounds.h"

#include "collision/collider_pose.h"
#include "contact/friction.h"

#include <stddef.h>

#define SN_JOIN2_(a, b) a##b
#define SN_JOIN2(a, b) SN_JOIN2_(a, b)
#define SN_RIGID_KERNELS(lanes) SN_JOIN2(sn_rigid_kernels_, lanes)

/*
 * The spring: w h = pi / 2 for a quarter of the rate of substeps, damping ratio 10. Of an overlap,
 * how much ends in a substep, w h / (20 + w h); of an impulse, how much gives way for a spring that
 * is not rigid, 1 / (1 + w h (20 + w h)).
 */
static const sn_real ENDS = SN_R(0.0728206), GIVES = SN_R(0.0286668);

/* m^2: what moves by less does not slide. The ease along a motion that is far smaller, as of a ball
   that rolls, would be zero in a float. */
static const sn_real STILL = SN_R(1e-30);

SN_INLINE sn_lane3 load3(sn_rigid_row rows[3], size_t i) {
    return (sn_lane3){sn_lane_load(rows[0] + i), sn_lane_load(rows[1] + i),
                      sn_lane_load(rows[2] + i)};
}

SN_INLINE void store3(sn_rigid_row rows[3], size_t i, sn_lane3 a) {
    sn_lane_store(rows[0] + i, a.x);
    sn_lane_store(rows[1] + i, a.y);
    sn_lane_store(rows[2] + i, a.z);
}

/* Of lanes where `w` is not above zero, zero. */
SN_INLINE sn_lane3 where_moved(sn_lane w, sn_lane3 a) {
    sn_lane zero = sn_lane_all(0);
    return sn_lane3_if_less(zero, w, a, (sn_lane3){zero, zero, zero});
}

/* Both sides of the chains of some lanes, fetched once for all of their points. */
typedef struct sides {
    sn_lane w[2];                 /* 1/kg */
    sn_lane3 moved[2], turned[2]; /* m, rad: in this round and before */
    sn_lane3 inverse[2][3];       /* 1/(kg m^2), by columns */
    bool known;                   /* whether that has been fetched: most that are apart never ask */
    sn_lane pushed;               /* above zero in lanes where something was pushed */
} sides;

/* Where a body keeps what a round changes: of places, or of velocities alone. */
SN_INLINE sn_vec4 *moved_of(const sn_rigid_round *r, const sn_rigid_block *b, size_t i, int k,
                            const bool relaxes) {
    return relaxes ? &r->body[b->body[k][i]].shift : &r->d[b->node[k][i]];
}

SN_INLINE sn_vec4 *turned_of(const sn_rigid_round *r, const sn_rigid_block *b, size_t i, int k,
                             const bool relaxes) {
    sn_rigid_body *body = &r->body[b->body[k][i]];
    return relaxes ? &body->twist : &body->turned;
}

SN_INLINE void fetch(const sn_rigid_round *r, sn_rigid_block *b, size_t i, const bool relaxes,
                     sides *s) {
    for (int k = 0; k < 2; k++) {
        sn_v4 moved[SN_LANES], turned[SN_LANES];
        for (size_t n = 0; n < SN_LANES; n++) {
            moved[n] = sn_v4_load(moved_of(r, b, i + n, k, relaxes));
            turned[n] = sn_v4_load(turned_of(r, b, i + n, k, relaxes));
        }
        s->w[k] = sn_lane_load(b->w[k] + i);
        s->moved[k] = where_moved(s->w[k], sn_lane3_from_nodes(moved));
        s->turned[k] = where_moved(s->w[k], sn_lane3_from_nodes(turned));
    }
    s->pushed = sn_lane_all(0);
    s->known = false;
}

/* Puts back what was moved. */
SN_INLINE void put_back(const sn_rigid_round *r, sn_rigid_block *b, size_t i, const bool relaxes,
                        const sides *s) {
    const sn_lane zero = sn_lane_all(0);
    if (!sn_lane_any_less(zero, s->pushed)) return;
    for (int k = 0; k < 2; k++) {
        sn_real moves[SN_LANES] __attribute__((aligned(16)));
        sn_v4 moved[SN_LANES], turned[SN_LANES];
        sn_lane3_to_nodes(s->moved[k], moved);
        sn_lane3_to_nodes(s->turned[k], turned);
        sn_lane_store(moves, sn_lane_if_less(zero, s->pushed, s->w[k], zero));
        for (size_t n = 0; n < SN_LANES; n++) {
            if (!(moves[n] > 0)) continue;
            sn_v4_store(moved_of(r, b, i + n, k, relaxes), moved[n]);
            sn_v4_store(turned_of(r, b, i + n, k, relaxes), turned[n]);
        }
    }
}

/* m: how the first is moved where they touch, as seen from the second. */
SN_INLINE sn_lane3 way_of(const sides *s, sn_rigid_block *b, size_t i) {
    sn_lane3 way[2];
    for (int k = 0; k < 2; k++)
        way[k] = sn_lane3_add(s->moved[k], sn_lane3_cross(s->turned[k], load3(b->arm[k], i)));
    return sn_lane3_sub(way[0], way[1]);
}

/* The inverse inertia of both sides. */
SN_INLINE void find_inverse(const sn_rigid_round *r, sn_rigid_block *b, size_t i, sides *s) {
    if (s->known) return;
    s->known = true;
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < 3; c++) {
            sn_v4 column[SN_LANES];
            for (size_t n = 0; n < SN_LANES; n++)
                column[n] = sn_v4_load(&r->body[b->body[k][i + n]].inverse[c]);
            s->inverse[k][c] = where_moved(s->w[k], sn_lane3_from_nodes(column));
        }
}

SN_INLINE sn_lane3 times(const sn_lane3 column[3], sn_lane3 a) {
    return sn_lane3_add(
        sn_lane3_add(sn_lane3_scale(a.x, column[0]), sn_lane3_scale(a.y, column[1])),
        sn_lane3_scale(a.z, column[2]));
}

/* Both sides get an impulse, in kg m, where `on` is above zero. */
SN_INLINE void push(sides *s, sn_rigid_block *b, size_t i, sn_lane on, sn_lane3 impulse) {
    const sn_lane3 all = where_moved(on, impulse);
    for (int k = 0; k < 2; k++) {
        sn_lane3 own = k ? sn_lane3_minus(all) : all;
        sn_lane3 turn = times(s->inverse[k], sn_lane3_cross(load3(b->arm[k], i), own));
        s->moved[k] = sn_lane3_add(s->moved[k], sn_lane3_scale(s->w[k], own));
        s->turned[k] = sn_lane3_add(s->turned[k], turn);
    }
    s->pushed = sn_lane_max(s->pushed, on);
}

SN_INLINE sn_lane ease_along(sn_lane3 along, sn_lane3 across, sn_lane3 a) {
    sn_lane3 square = {a.x * a.x, a.y * a.y, a.z * a.z};
    sn_lane3 mixed = {a.x * a.y, a.y * a.z, a.z * a.x};
    return sn_lane3_dot(square, along) + sn_lane3_dot(mixed, across);
}

/* 1/kg: how both move where they touch, for an impulse along each axis, of points in lanes where
   `now` is above zero. */
SN_NOINLINE static void find_ease(const sides *s, sn_lane3 normal, sn_rigid_block *b, size_t i,
                                  sn_lane now) {
    const sn_lane zero = sn_lane_all(0);
    sn_lane3 column[3] = {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
    for (int k = 0; k < 2; k++) {
        const sn_lane3 *inverse = s->inverse[k], arm = load3(b->arm[k], i);
        /* How each axis turns it: I^-1 (arm x axis). */
        const sn_lane3 turn[3] = {
            sn_lane3_sub(sn_lane3_scale(arm.z, inverse[1]), sn_lane3_scale(arm.y, inverse[2])),
            sn_lane3_sub(sn_lane3_scale(arm.x, inverse[2]), sn_lane3_scale(arm.z, inverse[0])),
            sn_lane3_sub(sn_lane3_scale(arm.y, inverse[0]), sn_lane3_scale(arm.x, inverse[1]))};
        sn_lane3 moved[3];
        for (int c = 0; c < 3; c++) moved[c] = sn_lane3_cross(turn[c], arm);
        moved[0].x += s->w[k];
        moved[1].y += s->w[k];
        moved[2].z += s->w[k];
        for (int c = 0; c < 3; c++) column[c] = sn_lane3_add(column[c], moved[c]);
    }
    sn_lane3 along = {column[0].x, column[1].y, column[2].z};
    sn_lane3 across = {column[1].x + column[0].y, column[2].y + column[1].z,
                       column[0].z + column[2].x};
    sn_lane k_n = ease_along(along, across, normal);
    store3(b->along, i, sn_lane3_if_less(zero, now, along, load3(b->along, i)));
    store3(b->across, i, sn_lane3_if_less(zero, now, across, load3(b->across, i)));
    sn_lane_store(b->k_n + i, sn_lane_if_less(zero, now, k_n, sn_lane_load(b->k_n + i)));
}

/* Above zero in lanes where `live` is, and both can be moved. */
SN_INLINE sn_lane movable(const sides *s, sn_lane3 normal, sn_rigid_block *b, size_t i,
                          sn_lane live) {
    sn_lane zero = sn_lane_all(0);
    sn_lane now = sn_lane_if_less(zero, sn_lane_load(b->k_n + i), zero, live);
    if (sn_lane_any_less(zero, now)) find_ease(s, normal, b, i, now);
    return sn_lane_if_less(zero, sn_lane_load(b->k_n + i), live, zero);
}

/* ---- Points of manifolds where they are ---- */

/* A body of the chains of some lanes, when the substep began and now. */
typedef struct poses {
    sn_lane3 x, p, d;          /* m */
    sn_lane3 start[3], now[3]; /* the axes of its frame */
    sn_lane3 spin;             /* rad */
    sn_lane far;               /* 1 where it turns far */
    sn_lane second;            /* 1 where it goes on from two substeps */
} poses;

SN_INLINE sn_lane3 fetch_axis(const sn_rigid_body *const body[SN_LANES], size_t at) {
    sn_v4 all[SN_LANES];
    for (size_t n = 0; n < SN_LANES; n++)
        all[n] = sn_v4_load((const sn_vec4 *)(const void *)((const char *)body[n] + at));
    return sn_lane3_from_nodes(all);
}

SN_INLINE sn_lane3 fetch_node(const sn_vec4 *of, const uint32_t *node) {
    sn_v4 all[SN_LANES];
    for (size_t n = 0; n < SN_LANES; n++) all[n] = sn_v4_load(&of[node[n]]);
    return sn_lane3_from_nodes(all);
}

SN_INLINE void fetch_poses(const sn_rigid_round *r, const sn_rigid_block *b, size_t i, int k,
                           poses *at) {
    const sn_rigid_body *body[SN_LANES];
    sn_real far[SN_LANES] __attribute__((aligned(16)));
    sn_real second[SN_LANES] __attribute__((aligned(16)));
    for (size_t n = 0; n < SN_LANES; n++) {
        body[n] = &r->body[b->body[k][i + n]];
        far[n] = body[n]->far;
        second[n] = body[n]->second;
    }
    at->far = sn_lane_load(far);
    at->second = sn_lane_load(second);
    at->x = fetch_node(r->x, b->node[k] + i);
    at->p = fetch_node(r->p, b->node[k] + i);
    at->d = fetch_node(r->d, b->node[k] + i);
    at->spin = fetch_axis(body, offsetof(sn_rigid_body, spin));
    for (size_t c = 0; c < 3; c++) {
        at->start[c] = fetch_axis(body, offsetof(sn_rigid_body, start) + c * sizeof(sn_vec4));
        at->now[c] = fetch_axis(body, offsetof(sn_rigid_body, now) + c * sizeof(sn_vec4));
    }
}

/* What a point was pushed by last: it is given to both sides before the first round, but where
   sweeps go on. */
SN_INLINE void take_last(const sn_rigid_round *r, sn_rigid_block *b, size_t i, sn_lane3 normal) {
    const sn_lane zero = sn_lane_all(0);
    sn_lane push = sn_lane_load(b->push + i);
    sn_lane3 slide = where_moved(push, sn_lane3_across(load3(b->slide, i), normal));
    store3(b->slide, i, slide);
    sn_lane_store(b->k_n + i, zero);
    sn_lane_store(b->touched + i, zero);
    if (r->begins) return;
    sn_lane_store(b->had_push + i, push);
    store3(b->had, i, sn_lane3_add(sn_lane3_scale(push, normal), slide));
}

/* Of points that are looked at: above zero in lanes where it is so. */
typedef struct looks {
    sn_lane strikes, stuck;
} looks;

/* 0 where both go on from two substeps, and touched before: what they end with follows from where
   they end. 1 elsewhere. */
SN_INLINE sn_lane leans_of(const poses at[2], const sn_lane w[2], sn_lane push) {
    const sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    sn_lane both = at[0].second * sn_lane_if_less(zero, w[1], at[1].second, one);
    return sn_lane_if_less(zero, push, one - both, one);
}

/* A point that is known by where it is on both. */
SN_INLINE looks look_at(const sn_rigid_round *r, sn_rigid_block *b, size_t i, const poses at[2],
                        const sn_lane w[2], sn_lane3 normal, sn_lane3 then, sn_lane most) {
    const sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    const sn_lane nowhere = sn_lane_all(-SN_INFINITY), there = sn_lane_load(b->radius + i);
    const sn_lane radius = sn_lane_if_less(nowhere, there, there, zero);
    const sn_lane push = sn_lane_load(b->push + i);
    sn_lane3 own = load3(b->at[0], i), on = load3(b->at[1], i);
    sn_lane3 between = sn_lane3_sub(at[0].x, at[1].x);
    sn_lane3 gap = sn_lane3_add(between, sn_lane3_sub(at[0].d, at[1].d));
    sn_lane3 before = sn_lane3_add(between, sn_lane3_sub(at[0].p, at[1].p));
    sn_lane3 reach = times(at[0].now, own), from = times(at[0].start, own);
    sn_lane3 other = times(at[1].now, on), was = times(at[1].start, on);
    sn_lane deep = radius - sn_lane3_dot(sn_lane3_add(gap, sn_lane3_sub(reach, other)), normal);
    deep = sn_lane_if_less(nowhere, there, deep, nowhere);
    sn_lane start = radius - sn_lane3_dot(sn_lane3_add(before, sn_lane3_sub(from, was)), then);
    sn_lane3 down = sn_lane3_scale(-radius, normal);
    sn_lane3 arm[2] = {sn_lane3_add(reach, down)};
    const sn_lane all = w[0] + w[1], part = sn_lane_if_less(zero, all, w[1] / all, zero);
    const sn_lane leans = leans_of(at, w, push);
    arm[0] = sn_lane3_add(arm[0], sn_lane3_scale(leans * part, sn_lane3_sub(gap, before)));
    arm[1] = sn_lane3_add(arm[0], sn_lane3_if_less(zero, leans, before, gap));
    /* What nothing moves goes where it is told to. */
    sn_lane3 moved[2];
    for (int k = 0; k < 2; k++) moved[k] = sn_lane3_sub(at[k].d, at[k].p);
    moved[0] = sn_lane3_add(moved[0], where_moved(w[0], sn_lane3_cross(at[0].spin, arm[0])));
    moved[1] =
        sn_lane3_add(moved[1], sn_lane3_if_less(zero, w[1], sn_lane3_cross(at[1].spin, arm[1]),
                                                sn_lane3_sub(other, was)));
    sn_lane3 motion = sn_lane3_sub(moved[0], moved[1]);
    start = sn_lane_if_less(zero, deep + sn_lane_sqrt(sn_lane3_dot(motion, motion)), start, zero);
    sn_lane far = sn_lane_max(at[0].far, sn_lane_if_less(zero, w[1], at[1].far, zero));
    if (sn_lane_any_less(zero, far)) {
        /* A depth is more than how the point goes there: what is beyond the motion of the end is
           left to recovery. */
        start = sn_lane_if_less(zero, far, deep + sn_lane3_dot(motion, normal), start);
    }
    for (int k = 0; k < 2; k++) store3(b->arm[k], i, arm[k]);
    sn_lane_store(b->share + i, part);
    sn_lane_store(b->leans + i, leans);
    sn_lane3 way = sn_lane3_sub(where_moved(w[0], at[0].d), where_moved(w[1], at[1].d));
    sn_lane_store(b->deep + i, deep + sn_lane3_dot(way, normal));
    store3(b->motion, i, sn_lane3_sub(motion, way));
    sn_lane_store(b->start + i, start);
    sn_lane_store(b->predicted + i, deep);
    /* Whether two come together faster than gravity brings them, or touch for the first time. What
       ends a substep where it touches still goes there, and stops in the next one: an impact has
       two. */
    sn_lane slight = sn_lane_all(r->slight);
    sn_lane fresh = sn_lane_if_less(zero, push, zero, sn_lane_if_less(slight, deep, one, zero));
    sn_lane comes = deep - start, strikes = sn_lane_if_less(slight, comes, one, fresh);
    if (r->begins) {
        sn_lane jumps = sn_lane_if_less(SN_RIGID_JUMP * push, comes, strikes, zero);
        sn_lane_store(b->struck + i, sn_lane_if_less(zero, deep, jumps, zero));
    }
    return (looks){sn_lane_if_less(zero, deep, strikes, zero),
                   sn_lane_if_less(zero, deep, sn_lane_if_less(most, start, one, zero), zero)};
}

static unsigned look(const sn_rigid_round *r, sn_rigid_block *first) {
    const sn_lane zero = sn_lane_all(0);
    looks any = {zero, zero};
    for (size_t i = 0; i < first->points; i += SN_LANES) {
        const sn_lane w[2] = {sn_lane_load(first->w[0] + i), sn_lane_load(first->w[1] + i)};
        const sn_lane second = sn_lane_load(first->second + i);
        const sn_lane most = sn_lane_load(first->most + i);
        const sn_lane3 owned = load3(first->owned, i);
        sn_lane3 axis[3], was[3];
        poses at[2];
        for (int k = 0; k < 2; k++) fetch_poses(r, first, i, k, &at[k]);
        for (int c = 0; c < 3; c++) {
            axis[c] = sn_lane3_if_less(zero, second, at[1].now[c], at[0].now[c]);
            was[c] = sn_lane3_if_less(zero, second, at[1].start[c], at[0].start[c]);
        }
        sn_lane3 normal = times(axis, owned), then = times(was, owned);
        store3(first->normal, i, normal);
        for (sn_rigid_block *b = first; b < first + first->chain; b++) {
            looks own = look_at(r, b, i, at, w, normal, then, most);
            any.strikes = sn_lane_max(any.strikes, own.strikes);
            any.stuck = sn_lane_max(any.stuck, own.stuck);
            take_last(r, b, i, normal);
        }
    }
    return (sn_lane_any_less(zero, any.strikes) ? SN_RIGID_STRIKES : 0u) |
           (sn_lane_any_less(zero, any.stuck) ? SN_RIGID_STUCK : 0u);
}

/* ---- Rounds ---- */

static void begin(const sn_rigid_round *r, sn_rigid_block *first) {
    sn_lane zero = sn_lane_all(0);
    for (size_t i = 0; i < first->points; i += SN_LANES) {
        sn_lane3 normal = load3(first->normal, i);
        sides s;
        fetch(r, first, i, false, &s);
        for (sn_rigid_block *b = first; b < first + first->chain; b++) {
            sn_lane pushed = sn_lane_load(b->push + i);
            if (!sn_lane_any_less(zero, pushed)) continue;
            find_inverse(r, first, i, &s);
            sn_lane on = movable(&s, normal, b, i, pushed);
            sn_lane3 all = sn_lane3_add(sn_lane3_scale(pushed, normal), load3(b->slide, i));
            push(&s, b, i, on, sn_lane3_scale(1 / sn_lane_load(b->k_n + i), all));
        }
        put_back(r, first, i, false, &s);
    }
}

/* m: by how much a point is pushed, below zero where it was pushed too far. What was apart when the
   substep began is to go no further than to where it touches. */
SN_INLINE sn_lane out_of(const sn_rigid_round *r, sn_rigid_block *b, size_t i, sn_lane most,
                         sn_lane deep, sn_lane pushed, const bool relaxes) {
    sn_lane zero = sn_lane_all(0), start = sn_lane_load(b->start + i);
    deep = deep - sn_lane_if_less(zero, start, start, zero);
    if (!relaxes) {
        sn_lane ends = sn_lane_min(most, ENDS * start);
        sn_lane soft = deep + sn_lane_if_less(zero, start, ends, zero);
        soft = (1 - GIVES) * soft - GIVES * pushed;
        deep = sn_lane_if_less(sn_lane_all(-r->slight), start, soft, deep);
    }
    return sn_lane_if_less(-pushed, deep, deep, -pushed);
}

/* A point goes on with other lever arms: it was pushed as before. */
SN_INLINE void go_on(const sn_rigid_round *r, const sides *s, sn_lane3 normal, sn_rigid_block *b,
                     size_t i) {
    const sn_lane zero = sn_lane_all(0), had = sn_lane_load(b->k_n + i);
    if (!sn_lane_any_less(zero, had)) return;
    find_ease(s, normal, b, i, had);
    const sn_lane more = sn_lane_if_less(zero, had, sn_lane_load(b->k_n + i) / had, zero);
    sn_lane_store(b->push + i, more * sn_lane_load(b->push + i));
    store3(b->slide, i, sn_lane3_scale(more, load3(b->slide, i)));
    if (r->begins) return;
    sn_lane_store(b->had_push + i, more * sn_lane_load(b->had_push + i));
    store3(b->had, i, sn_lane3_scale(more, load3(b->had, i)));
}

/* A velocity that is changed where places stay has its lever arms there. What places were moved by
   does not change any more. */
SN_NOINLINE static void lean(const sn_rigid_round *r, sn_rigid_block *first, size_t i) {
    const sn_lane3 normal = load3(first->normal, i);
    sn_lane3 gone[2];
    sides s;
    fetch(r, first, i, false, &s);
    for (int k = 0; k < 2; k++)
        gone[k] =
            sn_lane3_sub(s.moved[k], where_moved(s.w[k], fetch_node(r->p, first->node[k] + i)));
    const sn_lane3 nearer = sn_lane3_sub(gone[0], gone[1]);
    find_inverse(r, first, i, &s);
    for (sn_rigid_block *b = first; b < first + first->chain; b++) {
        const sn_lane share = sn_lane_load(b->share + i), leans = sn_lane_load(b->leans + i);
        const sn_lane3 moved = sn_lane3_scale(leans, nearer);
        sn_lane3 way = way_of(&s, b, i);
        sn_lane_store(b->deep + i, sn_lane_load(b->deep + i) - sn_lane3_dot(way, normal));
        store3(b->motion, i, sn_lane3_add(load3(b->motion, i), way));
        store3(b->arm[0], i, sn_lane3_sub(load3(b->arm[0], i), sn_lane3_scale(share, moved)));
        store3(b->arm[1], i, sn_lane3_add(load3(b->arm[1], i), sn_lane3_scale(1 - share, moved)));
        go_on(r, &s, normal, b, i);
    }
}

/* m: what friction has done when it has stopped the motion across the normal, within the cone of
   what a point is pushed. */
SN_INLINE sn_lane3 slide_of(sn_rigid_block *first, sn_rigid_block *b, size_t i, sn_lane3 across,
                            sn_lane pushed) {
    sn_lane zero = sn_lane_all(0), square = sn_lane3_dot(across, across);
    sn_lane ease = ease_along(load3(b->along, i), load3(b->across, i), across);
    sn_lane lever = sn_lane_load(b->k_n + i) * square / ease;
    lever = sn_lane_if_less(sn_lane_all(STILL), square, lever, zero);
    sn_lane3 next = sn_lane3_sub(load3(b->slide, i), sn_lane3_scale(lever, across));
    sn_lane part = sn_cone_part(sn_lane_load(first->still + i) * pushed,
                                sn_lane_load(first->moving + i) * pushed, sn_lane3_dot(next, next));
    return where_moved(pushed, sn_lane3_scale(part, next));
}

/* m: by how much the points of a block are pushed now, in the lanes from i on. */
SN_LOOP sn_lane solve_point(const sn_rigid_round *r, sn_rigid_block *first, sn_rigid_block *b,
                            size_t i, sn_lane asked, sides *s, const bool relaxes) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), pushed = sn_lane_load(b->push + i);
    sn_lane3 normal = load3(first->normal, i), way = way_of(s, b, i);
    sn_lane deep = sn_lane_load(b->deep + i) - sn_lane3_dot(way, normal);
    deep = out_of(r, b, i, sn_lane_load(first->most + i), deep, pushed, relaxes);
    sn_lane live = sn_lane_if_less(zero, asked, sn_lane_max(deep, pushed), zero);
    if (!sn_lane_any_less(zero, live)) return zero;
    find_inverse(r, first, i, s);
    sn_lane on = movable(s, normal, b, i, live);
    if (!sn_lane_any_less(zero, on)) return zero;
    sn_lane touched = sn_lane_load(b->touched + i);
    sn_lane_store(b->touched + i,
                  sn_lane_if_less(zero, sn_lane_if_less(zero, on, deep, zero), one, touched));
    sn_lane now = pushed + deep;
    sn_lane3 slide = load3(b->slide, i), next = {zero, zero, zero};
    if (r->slides) {
        sn_lane3 motion = sn_lane3_add(load3(b->motion, i), way);
        next = slide_of(first, b, i, sn_lane3_across(motion, normal), now);
    }
    sn_lane3 change = sn_lane3_add(sn_lane3_scale(deep, normal), sn_lane3_sub(next, slide));
    sn_lane_store(b->push + i, sn_lane_if_less(zero, on, now, pushed));
    store3(b->slide, i, sn_lane3_if_less(zero, on, next, slide));
    push(s, b, i, on, sn_lane3_scale(1 / sn_lane_load(b->k_n + i), change));
    return sn_lane_if_less(zero, on, sn_lane_max(deep, -deep), zero);
}

/* 1 in lanes of which a body was moved since the last round: otherwise that has solved them. */
SN_INLINE sn_lane stirred(const sn_rigid_round *r, const sn_rigid_block *first, size_t i) {
    sn_real was[SN_LANES] __attribute__((aligned(16)));
    for (size_t n = 0; n < SN_LANES; n++)
        was[n] = r->first || r->body[first->body[0][i + n]].stirred >= r->number ||
                 r->body[first->body[1][i + n]].stirred >= r->number;
    return sn_lane_load(was);
}

/* Notes who was moved by more than little. */
SN_NOINLINE static void stir(const sn_rigid_round *r, const sn_rigid_block *first, size_t i,
                             const sides *s, sn_lane change) {
    for (int k = 0; k < 2; k++) {
        sn_real moves[SN_LANES] __attribute__((aligned(16)));
        sn_lane_store(moves,
                      sn_lane_if_less(sn_lane_all(r->quiet), change, s->w[k], sn_lane_all(0)));
        for (size_t n = 0; n < SN_LANES; n++)
            if (moves[n] > 0) r->body[first->body[k][i + n]].stirred = r->number + 1;
    }
}

SN_LOOP sn_real solve_chain(const sn_rigid_round *r, sn_rigid_block *first, const bool relaxes) {
    sn_lane most = sn_lane_all(0);
    for (size_t i = 0; i < first->points; i += SN_LANES) {
        sn_lane change = sn_lane_all(0), asked = stirred(r, first, i);
        sides s;
        if (!sn_lane_any_less(change, asked)) continue;
        if (relaxes && r->first) lean(r, first, i);
        fetch(r, first, i, relaxes, &s);
        for (sn_rigid_block *b = first; b < first + first->chain; b++)
            change = sn_lane_max(change, solve_point(r, first, b, i, asked, &s, relaxes));
        put_back(r, first, i, relaxes, &s);
        if (sn_lane_any_less(sn_lane_all(r->quiet), change)) stir(r, first, i, &s, change);
        most = sn_lane_max(most, change);
    }
    sn_real each[SN_LANES] __attribute__((aligned(16))), highest = 0;
    sn_lane_store(each, most);
    for (size_t n = 0; n < SN_LANES; n++)
        if (each[n] > highest) highest = each[n];
    return highest;
}

static sn_real solve(const sn_rigid_round *r, sn_rigid_block *first) {
    return r->relaxes ? solve_chain(r, first, true) : solve_chain(r, first, false);
}

/* ---- The end ---- */

/* Of the points of a block, in the lanes from i on. */
SN_INLINE void keep_points(const sn_rigid_round *r, const sn_rigid_block *first, sn_rigid_block *b,
                           size_t i, sn_lane3 normal) {
    const sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    const sn_lane k_n = sn_lane_load(b->k_n + i), push = sn_lane_load(b->push + i);
    const sn_lane start = sn_lane_load(b->start + i), deep = sn_lane_load(b->predicted + i);
    sn_lane3 sum = sn_lane3_add(sn_lane3_scale(push, normal), load3(b->slide, i));
    sn_lane along = push;
    if (!r->begins) {
        sum = sn_lane3_sub(sum, load3(b->had, i));
        along = push - sn_lane_load(b->had_push + i);
    }
    const sn_lane inverse = one / (k_n * r->h);
    sn_lane3 impulse = where_moved(k_n, sn_lane3_scale(inverse, sum));
    along = sn_lane_if_less(zero, k_n, inverse * along, zero);
    store3(b->impulse, i, sn_lane3_add(load3(b->impulse, i), impulse));
    sn_lane_store(b->normal_impulse + i, sn_lane_load(b->normal_impulse + i) + along);
    sn_lane touched = sn_lane_max(sn_lane_load(b->touched + i), push);
    touched = sn_lane_if_less(zero, k_n, touched, zero);
    sn_lane_store(b->met + i, sn_lane_if_less(zero, touched, one, sn_lane_load(b->met + i)));
    sn_lane stuck = sn_lane_if_less(sn_lane_load(first->most + i), start, one, zero);
    stuck = sn_lane_if_less(zero, push, sn_lane_if_less(zero, deep, stuck, zero), zero);
    sn_lane_store(b->stuck + i, sn_lane_if_less(zero, k_n, stuck, sn_lane_load(b->stuck + i)));
    sn_lane_store(b->push + i, sn_lane_if_less(zero, k_n, push, zero));
}

static void keep(const sn_rigid_round *r, sn_rigid_block *first) {
    for (size_t i = 0; i < first->points; i += SN_LANES) {
        const sn_lane3 normal = load3(first->normal, i);
        for (sn_rigid_block *b = first; b < first + first->chain; b++)
            keep_points(r, first, b, i, normal);
    }
}

extern const sn_rigid_kernels SN_RIGID_KERNELS(SN_LANES);
const sn_rigid_kernels SN_RIGID_KERNELS(SN_LANES) = {look, begin, solve, keep, SN_LANES};

#if SN_LANES == 1
SN_DECLARE_WIDTHS(sn_rigid_kernels, sn_rigid_kernels_)

const sn_rigid_kernels *sn_rigid_kernels_of(sn_width width) {
    static const sn_rigid_kernels *const all[] = SN_ALL_WIDTHS(sn_rigid_kernels_);
    return all[width];
}
#endif
