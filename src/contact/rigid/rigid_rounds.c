/*
 * A round of the sweeps over points of bodies, in lanes. What is known of a point is linear in what
 * both sides are moved and turned by (rigid_sweep.c has the formulas); sides that nothing moves are
 * read as zero and never written.
 */
#include "contact/rigid/rigid_rounds.h"

#include "collision/collider_pose.h"
#include "contact/friction.h"

#define SN_JOIN2_(a, b) a##b
#define SN_JOIN2(a, b) SN_JOIN2_(a, b)
#define SN_RIGID_KERNELS(lanes) SN_JOIN2(sn_rigid_kernels_, lanes)

/*
 * The spring: w h = pi / 2 for a quarter of the rate of substeps, damping ratio 10. Of an overlap,
 * how much ends in a substep, w h / (20 + w h); of an impulse, how much gives way for a spring that
 * is not rigid, 1 / (1 + w h (20 + w h)).
 */
static const sn_real ENDS = SN_R(0.0728206), GIVES = SN_R(0.0286668);

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

/* m: how one is moved where they touch, and what its velocity has beyond that. */
SN_INLINE sn_lane3 way_of_side(const sn_rigid_round *r, sn_rigid_block *b, size_t i, int k,
                               const bool relaxes) {
    sn_v4 moved[SN_LANES], turned[SN_LANES];
    for (size_t n = 0; n < SN_LANES; n++) {
        const sn_rigid_body *body = &r->body[b->body[k][i + n]];
        moved[n] = sn_v4_load(&r->d[b->node[k][i + n]]);
        turned[n] = sn_v4_load(&body->turned);
        if (relaxes) {
            moved[n] += sn_v4_load(&body->shift);
            turned[n] += sn_v4_load(&body->twist);
        }
    }
    sn_lane3 way = sn_lane3_add(sn_lane3_from_nodes(moved),
                                sn_lane3_cross(sn_lane3_from_nodes(turned), load3(b->arm[k], i)));
    return where_moved(sn_lane_load(b->w[k] + i), way);
}

/* The inverse inertia of one side, by columns. */
SN_INLINE void inverse_of(const sn_rigid_round *r, sn_rigid_block *b, size_t i, int k,
                          sn_lane3 inverse[3]) {
    for (int c = 0; c < 3; c++) {
        sn_v4 column[SN_LANES];
        for (size_t n = 0; n < SN_LANES; n++)
            column[n] = sn_v4_load(&r->body[b->body[k][i + n]].inverse[c]);
        inverse[c] = sn_lane3_from_nodes(column);
    }
}

SN_INLINE sn_lane3 times(const sn_lane3 column[3], sn_lane3 a) {
    return sn_lane3_add(
        sn_lane3_add(sn_lane3_scale(a.x, column[0]), sn_lane3_scale(a.y, column[1])),
        sn_lane3_scale(a.z, column[2]));
}

/* Both sides get an impulse, in kg m, where `on` is above zero. */
SN_INLINE void push(const sn_rigid_round *r, sn_rigid_block *b, size_t i, sn_lane on,
                    sn_lane3 impulse, const bool relaxes) {
    for (int k = 0; k < 2; k++) {
        sn_lane w = sn_lane_load(b->w[k] + i), zero = sn_lane_all(0);
        sn_lane3 inverse[3], own = k ? sn_lane3_minus(impulse) : impulse;
        sn_real moves[SN_LANES] __attribute__((aligned(16)));
        sn_v4 by[SN_LANES], turn[SN_LANES];
        inverse_of(r, b, i, k, inverse);
        sn_lane3_to_nodes(sn_lane3_scale(w, own), by);
        sn_lane3_to_nodes(times(inverse, sn_lane3_cross(load3(b->from[k], i), own)), turn);
        sn_lane_store(moves, sn_lane_if_less(zero, on, w, zero));
        for (size_t n = 0; n < SN_LANES; n++) {
            if (!(moves[n] > 0)) continue;
            sn_rigid_body *body = &r->body[b->body[k][i + n]];
            sn_vec4 *d = relaxes ? &body->shift : &r->d[b->node[k][i + n]];
            sn_vec4 *turned = relaxes ? &body->twist : &body->turned;
            sn_v4_store(d, sn_v4_load(d) + by[n]);
            sn_v4_store(turned, sn_v4_load(turned) + turn[n]);
        }
    }
}

SN_INLINE sn_lane ease_along(sn_lane3 along, sn_lane3 across, sn_lane3 a) {
    sn_lane3 square = {a.x * a.x, a.y * a.y, a.z * a.z};
    sn_lane3 mixed = {a.x * a.y, a.y * a.z, a.z * a.x};
    return sn_lane3_dot(square, along) + sn_lane3_dot(mixed, across);
}

/* 1/kg: how both move where they touch, for an impulse along each axis, of points in lanes where
   `now` is above zero; it is even but for how they turn in the substep. */
SN_NOINLINE static void find_ease(const sn_rigid_round *r, sn_rigid_block *b, size_t i,
                                  sn_lane now) {
    const sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    const sn_lane3 none = {zero, zero, zero};
    const sn_lane3 unit[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    sn_lane3 column[3] = {none, none, none};
    for (int k = 0; k < 2; k++) {
        sn_lane w = sn_lane_load(b->w[k] + i);
        sn_lane3 inverse[3];
        inverse_of(r, b, i, k, inverse);
        for (int c = 0; c < 3; c++) {
            sn_lane3 turn = times(inverse, sn_lane3_cross(load3(b->from[k], i), unit[c]));
            sn_lane3 moved =
                sn_lane3_add(sn_lane3_scale(w, unit[c]), sn_lane3_cross(turn, load3(b->arm[k], i)));
            column[c] = sn_lane3_add(column[c], where_moved(w, moved));
        }
    }
    sn_lane3 along = {column[0].x, column[1].y, column[2].z};
    sn_lane3 across = {column[1].x + column[0].y, column[2].y + column[1].z,
                       column[0].z + column[2].x};
    sn_lane k_n = ease_along(along, across, load3(b->normal, i));
    store3(b->along, i, sn_lane3_if_less(zero, now, along, load3(b->along, i)));
    store3(b->across, i, sn_lane3_if_less(zero, now, across, load3(b->across, i)));
    sn_lane_store(b->k_n + i, sn_lane_if_less(zero, now, k_n, sn_lane_load(b->k_n + i)));
}

/* 1/kg: who is pushed at one side of its centre, and was at the other when the substep began, turns
   back into the push. With equal levers no point has less than twice this. */
SN_INLINE sn_lane least_ease(sn_rigid_block *b, size_t i) {
    return SN_R(0.5) * (sn_lane_load(b->w[0] + i) + sn_lane_load(b->w[1] + i));
}

/* Points that have too little of it are pushed where they are now. */
SN_NOINLINE static void find_enough_ease(const sn_rigid_round *r, sn_rigid_block *b, size_t i,
                                         sn_lane now) {
    sn_lane zero = sn_lane_all(0);
    find_ease(r, b, i, now);
    sn_lane few = sn_lane_if_less(sn_lane_load(b->k_n + i), least_ease(b, i), now, zero);
    if (!sn_lane_any_less(zero, few)) return;
    for (int k = 0; k < 2; k++)
        store3(b->from[k], i,
               sn_lane3_if_less(zero, few, load3(b->arm[k], i), load3(b->from[k], i)));
    find_ease(r, b, i, few);
}

/* Above zero in lanes where `live` is, and both can be moved. */
SN_INLINE sn_lane movable(const sn_rigid_round *r, sn_rigid_block *b, size_t i, sn_lane live) {
    sn_lane zero = sn_lane_all(0);
    sn_lane now = sn_lane_if_less(zero, sn_lane_load(b->k_n + i), zero, live);
    if (sn_lane_any_less(zero, now)) find_enough_ease(r, b, i, now);
    return sn_lane_if_less(zero, sn_lane_load(b->k_n + i), live, zero);
}

static void begin(const sn_rigid_round *r, sn_rigid_block *b) {
    sn_lane zero = sn_lane_all(0);
    for (size_t i = 0; i < b->points; i += SN_LANES) {
        sn_lane pushed = sn_lane_load(b->push + i);
        if (!sn_lane_any_less(zero, pushed)) continue;
        sn_lane on = movable(r, b, i, pushed);
        sn_lane3 all =
            sn_lane3_add(sn_lane3_scale(pushed, load3(b->normal, i)), load3(b->slide, i));
        push(r, b, i, on, sn_lane3_scale(1 / sn_lane_load(b->k_n + i), all), false);
    }
}

/* m: by how much a point is pushed, below zero where it was pushed too far. What was apart when the
   substep began is to go no further than to where it touches. */
SN_INLINE sn_lane out_of(const sn_rigid_round *r, sn_rigid_block *b, size_t i, sn_lane deep,
                         sn_lane pushed, const bool relaxes) {
    sn_lane zero = sn_lane_all(0), start = sn_lane_load(b->start + i);
    deep = deep - sn_lane_if_less(zero, start, start, zero);
    if (!relaxes) {
        sn_lane ends = sn_lane_min(sn_lane_load(b->most + i), ENDS * start);
        sn_lane soft = deep + sn_lane_if_less(zero, start, ends, zero);
        soft = (1 - GIVES) * soft - GIVES * pushed;
        deep = sn_lane_if_less(sn_lane_all(-r->slight), start, soft, deep);
    }
    return sn_lane_if_less(-pushed, deep, deep, -pushed);
}

/* A velocity that is changed where places stay has its lever arms there. */
SN_NOINLINE static void lean(const sn_rigid_round *r, sn_rigid_block *b, size_t i) {
    sn_lane3 moved[2];
    for (int k = 0; k < 2; k++) {
        sn_v4 by[SN_LANES];
        for (size_t n = 0; n < SN_LANES; n++)
            by[n] = sn_v4_load(&r->d[b->node[k][i + n]]) -
                    sn_v4_load(&r->body[b->body[k][i + n]].begun);
        moved[k] = where_moved(sn_lane_load(b->w[k] + i), sn_lane3_from_nodes(by));
    }
    store3(b->from[0], i, load3(b->arm[0], i));
    store3(b->from[1], i, sn_lane3_add(load3(b->arm[1], i), sn_lane3_sub(moved[0], moved[1])));
}

/* m: what friction has done when it has stopped the motion across the normal, within the cone of
   what a point is pushed. */
SN_INLINE sn_lane3 slide_of(sn_rigid_block *b, size_t i, sn_lane3 motion, sn_lane pushed) {
    sn_lane zero = sn_lane_all(0);
    sn_lane3 across = sn_lane3_across(motion, load3(b->normal, i));
    sn_lane square = sn_lane3_dot(across, across);
    sn_lane ease = ease_along(load3(b->along, i), load3(b->across, i), across);
    ease = sn_lane_max(ease, least_ease(b, i) * square);
    sn_lane lever = sn_lane_load(b->k_n + i) * square / ease;
    lever = sn_lane_if_less(zero, square, lever, zero);
    sn_lane3 next = sn_lane3_sub(load3(b->slide, i), sn_lane3_scale(lever, across));
    sn_lane part = sn_cone_part(sn_lane_load(b->still + i) * pushed,
                                sn_lane_load(b->moving + i) * pushed, sn_lane3_dot(next, next));
    return where_moved(pushed, sn_lane3_scale(part, next));
}

/* m: by how much points are pushed now, in the lanes from i on. */
SN_LOOP sn_lane solve_lanes(const sn_rigid_round *r, sn_rigid_block *b, size_t i,
                            const bool relaxes) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), pushed = sn_lane_load(b->push + i);
    if (relaxes && r->first) lean(r, b, i);
    sn_lane3 normal = load3(b->normal, i);
    sn_lane3 way = sn_lane3_sub(way_of_side(r, b, i, 0, relaxes), way_of_side(r, b, i, 1, relaxes));
    sn_lane deep =
        out_of(r, b, i, sn_lane_load(b->deep + i) - sn_lane3_dot(way, normal), pushed, relaxes);
    sn_lane live = sn_lane_max(deep, pushed);
    if (!sn_lane_any_less(zero, live)) return zero;
    sn_lane on = movable(r, b, i, live);
    if (!sn_lane_any_less(zero, on)) return zero;
    sn_lane touched = sn_lane_load(b->touched + i);
    sn_lane_store(b->touched + i,
                  sn_lane_if_less(zero, sn_lane_if_less(zero, on, deep, zero), one, touched));
    sn_lane now = pushed + deep;
    sn_lane3 slide = load3(b->slide, i), next = {zero, zero, zero};
    if (r->slides) next = slide_of(b, i, sn_lane3_add(load3(b->motion, i), way), now);
    sn_lane3 change = sn_lane3_add(sn_lane3_scale(deep, normal), sn_lane3_sub(next, slide));
    sn_lane_store(b->push + i, sn_lane_if_less(zero, on, now, pushed));
    store3(b->slide, i, sn_lane3_if_less(zero, on, next, slide));
    push(r, b, i, on, sn_lane3_scale(1 / sn_lane_load(b->k_n + i), change), relaxes);
    return sn_lane_if_less(zero, on, sn_lane_max(deep, -deep), zero);
}

SN_LOOP sn_real solve_block(const sn_rigid_round *r, sn_rigid_block *b, const bool relaxes) {
    sn_lane most = sn_lane_all(0);
    for (size_t i = 0; i < b->points; i += SN_LANES)
        most = sn_lane_max(most, solve_lanes(r, b, i, relaxes));
    sn_real each[SN_LANES] __attribute__((aligned(16))), highest = 0;
    sn_lane_store(each, most);
    for (size_t n = 0; n < SN_LANES; n++)
        if (each[n] > highest) highest = each[n];
    return highest;
}

static sn_real solve(const sn_rigid_round *r, sn_rigid_block *b) {
    return r->relaxes ? solve_block(r, b, true) : solve_block(r, b, false);
}

extern const sn_rigid_kernels SN_RIGID_KERNELS(SN_LANES);
const sn_rigid_kernels SN_RIGID_KERNELS(SN_LANES) = {begin, solve};

#if SN_LANES == 1
SN_DECLARE_WIDTHS(sn_rigid_kernels, sn_rigid_kernels_)

const sn_rigid_kernels *sn_rigid_kernels_of(sn_width width) {
    static const sn_rigid_kernels *const all[] = SN_ALL_WIDTHS(sn_rigid_kernels_);
    return all[width];
}
#endif
