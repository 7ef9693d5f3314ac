/*
 * The projection of contacts: C = |r| - limit >= 0 with r = sum b_k x_k from the nearest points of
 * two elements, hard, with friction at the level of positions (survey of position based methods,
 * section 5.4.4). With S = sum w_k b_k^2, a relative displacement u is had by moving every node by
 * w_k b_k u / S, which keeps momentum; and
 *
 *   push     u = (limit - |r|) n, and of an overlap that they began with no more than the recovery
 *            speed; see `most_of`
 *   slide    the relative motion across n in this substep is taken back, by at most mu times all
 *            the push of the substep
 *
 * Both are lengths, so that masses do not matter to the cone. Friction is kept over the sweeps of a
 * substep and found anew in each, so that many sweeps do not brake more than one.
 *
 * What sticks must also make good what others have moved it since it had its turn: in a pile every
 * layer is moved on by the one above it, and with nothing but the motion of the substep to go by
 * all of them would creep. So the pair keeps an offset, the motion across n that friction has not
 * taken back since it holds; what slides forgets what it could not hold.
 *
 * Where a pair has passed through each other, n is that of the side on which they belong, and the
 * distance that along it (Mueller et al. 2007, eq. 12 and 13).
 *
 * For the files of the kinds, which are compiled once per SIMD width (surface_kind.inl). Most pairs
 * are apart: they cost a plane between them.
 */
#ifndef SN_CONTACT_SURFACE_SURFACE_CONTACT_SOLVE_H
#define SN_CONTACT_SURFACE_SURFACE_CONTACT_SOLVE_H

#include "collision/narrow_phase/closest_weights.h"
#include "contact/contact_solve.h"
#include "contact/couple.h"
#include "contact/surface/surface_contact.h"
#if SN_LANES == 1
#include "contact/surface/rolling_pair.h"
#endif

enum { MOST_ROUNDS = 4 };

/* The nodes of a lane's pair, relative to its first. */
SN_INLINE void gather(const sn_surface_contact_batch *m, const int32_t *node, const int nodes,
                      sn_lane3 *x) {
    sn_v4 near[SN_CONTACT_MOST_NODES][SN_LANES];
    for (size_t i = 0; i < SN_LANES; i++) {
        int32_t zero = node[i];
        sn_v4 x0 = sn_at(m->x, zero), d0 = sn_at(m->d, zero);
        for (int n = 1; n < nodes; n++) {
            int32_t other = node[(size_t)n * SN_CONTACT_BLOCK + i];
            sn_v4 base = sn_at(m->x, other) - x0;
            if (nodes == 2 && m->period) base = sn_period_nearest(m->period, base);
            near[n][i] = base + (sn_at(m->d, other) - d0);
        }
    }
    x[0] = (sn_lane3){sn_lane_all(0), sn_lane_all(0), sn_lane_all(0)};
    for (int n = 1; n < nodes; n++) x[n] = sn_lane3_from_nodes(near[n]);
}

/* Motion of the first relative to the second in this substep, or in all of the one before. */
SN_INLINE sn_lane3 gather_motion(const sn_surface_contact_batch *m, const int32_t *node,
                                 const int nodes, const sn_lane *b, const bool before) {
    sn_v4 moved[SN_LANES];
    sn_lane3 motion = {sn_lane_all(0), sn_lane_all(0), sn_lane_all(0)};
    for (int n = 0; n < nodes; n++) {
        const int32_t *at = node + (size_t)n * SN_CONTACT_BLOCK;
        for (size_t i = 0; i < SN_LANES; i++)
            if (before)
                moved[i] = sn_at(m->moved, at[i]);
            else
                moved[i] = sn_at(m->d, at[i]) - sn_at(m->p, at[i]);
        motion = sn_lane3_add(motion, sn_lane3_scale(b[n], sn_lane3_from_nodes(moved)));
    }
    return motion;
}

/* From the second to the first, between the points with these weights. */
SN_INLINE sn_lane3 vector_of(const int nodes, const sn_lane3 *x, const sn_lane *b) {
    sn_lane3 r = sn_lane3_scale(b[1], x[1]);
    for (int n = 2; n < nodes; n++) r = sn_lane3_add(r, sn_lane3_scale(b[n], x[n]));
    return r;
}

SN_INLINE sn_lane gather_w(const sn_surface_contact_batch *m, const int32_t *at) {
    sn_real w[SN_LANES] __attribute__((aligned(16)));
    for (size_t i = 0; i < SN_LANES; i++) w[i] = m->w[at[i] / SN_NODE_BYTES];
    return sn_lane_load(w);
}

/* 1/kg, of the whole pair; and of its nodes. A light node far from the contact would have to go a
   long way to move it a little. None goes further than four times as far as is asked for, though
   the pair is then not quite apart. */
SN_INLINE sn_lane ease_of(const sn_surface_contact_batch *m, const int32_t *node,
                          const sn_real *row, const int kind, const int nodes, const sn_lane *b,
                          sn_lane *w) {
    sn_lane sum = sn_lane_all(0), most = sum, one = sn_lane_all(1);
    sn_lane shock = m->layered ? sn_row_load(row, SN_ROW_SHOCK) : sum;
    for (int k = 0; k < nodes; k++) {
        w[k] = gather_w(m, node + (size_t)k * SN_CONTACT_BLOCK);
        sn_lane share = k < sn_contact_first[kind] ? shock : -shock;
        if (m->layered) w[k] = w[k] * sn_lane_if_less(sn_lane_all(0), share, share, one);
        sum += w[k] * (b[k] * b[k]);
        most = sn_lane_max(most, w[k] * sn_lane_max(b[k], -b[k]));
    }
    return sn_lane_max(sum, SN_R(0.25) * most);
}

/* Kinematic nodes may be those of several pairs of a block, and are not written. Nor are lanes
   that have nothing to add: adding zero would turn minus zero into zero. */
SN_INLINE void scatter(const sn_surface_contact_batch *m, sn_vec4 *to, const int32_t *at,
                       sn_lane3 correction, const sn_real *size) {
    sn_v4 add[SN_LANES];
    sn_lane3_to_nodes(correction, add);
    for (size_t i = 0; i < SN_LANES; i++)
        if (size[i] > 0 && m->w[at[i] / SN_NODE_BYTES] > 0) *sn_in(to, at[i]) += add[i];
}

/*
 * m: by how much they may be pushed apart, when they overlap by `deep` and move apart by `along` in
 * this substep.
 *
 * The recovery speed is for what was placed in an overlap. So it holds for what the pair itself has
 * left of one, in the substep before or, where that is not known, when this one began. What others
 * have pushed it in since, after it had its turn, is no such overlap, and goes twice as fast: a
 * sheet that is pressed on a collider is pushed back by it in every substep, and would be pushed
 * through another that may come out with the recovery speed only. Balls and capsules have room
 * inside.
 */
SN_INLINE sn_lane most_of(const sn_surface_contact_batch *m, const sn_real *row, const int nodes,
                          sn_lane deep, sn_lane along, sn_lane crossed) {
    sn_lane zero = sn_lane_all(0);
    sn_lane recovers = sn_row_load(row, SN_ROW_RECOVERY) * sn_lane_all(m->h);
    if (nodes < SN_CONTACT_MOST_NODES) return recovers - along;
    sn_lane before = sn_row_load(row, SN_ROW_CROSSED);
    sn_lane left = sn_lane_max(-before, zero);
    /* Of what was left in this very substep, the recovery had its share. */
    if (m->first) left = sn_lane_max(left - recovers, zero);
    sn_lane fresh = sn_lane_if_less(zero, sn_lane_max(before, crossed), zero, deep - left);
    /* But what is squeezed does not shoot out either. */
    return sn_lane_max(recovers - along, sn_lane_min(fresh, 2 * recovers - along));
}

/* m: how far friction has let the first go from the second since it holds, up to when this substep
   began; nothing where they did not touch before or are on the wrong side. At most a quarter of
   what recovers in a substep, so that nothing is thrown. */
SN_INLINE sn_lane3 offset_of(const sn_surface_contact_batch *m, const int32_t *node,
                             const sn_real *row, const int nodes, const sn_lane *b,
                             sn_lane crossed) {
    sn_lane zero = sn_lane_all(0), pushed = sn_row_load(row, SN_ROW_PUSH);
    sn_lane3 offset = sn_row_load3(row, SN_ROW_OFFSET), none = {zero, zero, zero};
    if (!m->first) return sn_lane3_if_less(zero, pushed, offset, none);
    if (!sn_lane_any_less(zero, pushed)) return none;
    sn_lane recovers = sn_row_load(row, SN_ROW_RECOVERY) * sn_lane_all(m->h);
    sn_lane most = SN_R(0.25) * recovers;
    offset = sn_lane3_add(offset, gather_motion(m, node, nodes, b, true));
    offset = sn_lane3_if_less(zero, crossed, none, sn_friction_offset(offset, most));
    return sn_lane3_if_less(zero, pushed, offset, none);
}

/* m: the arm of friction, as if what has crossed touched; none where nothing carries its moment, or
   something kinematic carries any. */
SN_INLINE sn_lane3 arm_of(const sn_real *row, const int kind, const sn_lane *w, const sn_lane *b,
                          sn_lane3 r, sn_lane3 n, sn_lane crossed) {
    sn_lane zero = sn_lane_all(0), first = zero, second = zero;
    sn_lane3 limit = sn_lane3_scale(sn_row_load(row, SN_ROW_LIMIT), n);
    sn_lane3 arm = sn_lane3_if_less(zero, crossed, limit, r);
    for (int k = 0; k < SN_CONTACT_MOST_NODES; k++) {
        sn_lane part = w[k] * (b[k] * b[k]);
        if (k < sn_contact_first[kind])
            first += part;
        else
            second += part;
    }
    sn_lane carries = sn_row_load(row, SN_ROW_CARRIES);
    carries = sn_lane_if_less(zero, sn_lane_min(first, second), carries, zero);
    return sn_lane3_scale(carries, arm);
}

/* Keeps by how much pairs overlapped when the substep began, given that along the normal. What
   passes by was not so near. */
SN_INLINE void note_start(const sn_surface_contact_batch *m, sn_real *row, sn_lane limit,
                          sn_lane3 r, sn_lane3 motion, sn_lane along) {
    sn_lane zero = sn_lane_all(0), slight = sn_lane_all(m->slight), start = zero;
    if (!m->first)
        start = sn_lane_if_less(zero, sn_row_load(row, SN_ROW_PUSH), sn_row_load(row, SN_ROW_START),
                                zero);
    if (sn_lane_any_less(slight, along)) {
        sn_lane3 was = sn_lane3_sub(r, motion);
        sn_lane now = limit - sn_lane_sqrt(sn_lane3_dot(was, was));
        /* On the wrong side the distance counts along the normal. */
        now = sn_lane_if_less(limit, along, along, now);
        start = sn_lane_if_less(slight, sn_lane_min(now, along), now, start);
        if (sn_lane_any_less(zero, start))
            atomic_store_explicit(m->recovers, true, memory_order_relaxed);
    }
    sn_row_store(row, SN_ROW_START, start);
}

#if SN_LANES == 1
/* What friction of balls that roll adds to the geometry of a contact, and to its offset. */
static bool begin_rolling(const sn_surface_contact_batch *m, const int32_t *node, sn_real *row,
                          sn_lane apart, sn_contact_geometry *g, sn_lane3 *offset,
                          sn_rolling_pair *pair) {
    const sn_v4 n = {g->normal.x, g->normal.y, g->normal.z, 0};
    if (!sn_rolling_pair_begin(pair, m->rolling, (size_t)(node[0] / SN_NODE_BYTES),
                               (size_t)(node[SN_CONTACT_BLOCK] / SN_NODE_BYTES), n, apart, g->k_n))
        return false;
    g->motion = sn_lane3_add(g->motion, sn_lane3_of(sn_rolling_pair_slip(pair, m->h, false)));
    g->lever = pair->k_n / pair->k_t;
    if (m->first && *sn_row(row, SN_ROW_PUSH) > 0) {
        sn_real most = SN_R(0.25) * *sn_row(row, SN_ROW_RECOVERY) * m->h;
        sn_lane3 slip = sn_lane3_of(sn_rolling_pair_slip(pair, m->h, true));
        *offset = sn_friction_offset(sn_lane3_add(*offset, slip), most);
    }
    return true;
}

/* Turns the balls by the impulse of a contact that was solved, and holds back their rolling.
   Returns the impulse of both. */
static sn_lane3 end_rolling(const sn_surface_contact_batch *m, sn_real *row,
                            const sn_contact_geometry *g, sn_lane3 offset, sn_lane3 impulse,
                            sn_rolling_pair *pair) {
    sn_real resistance = *sn_row(row, SN_ROW_ROLLING), push = *sn_row(row, SN_ROW_PUSH);
    sn_v4 slide = sn_row_vector(row, SN_ROW_SLIDE);
    sn_rolling_pair_turn(pair, (sn_v4){impulse.x, impulse.y, impulse.z, 0});
    /* What slides forgets the motion of the contact, which is more than that of the centres. */
    sn_lane3 forgot = sn_lane3_sub(sn_row_load3(row, SN_ROW_OFFSET), offset);
    sn_row_store3(row, SN_ROW_OFFSET, sn_lane3_add(offset, sn_lane3_scale(1 / g->lever, forgot)));
    if (!(resistance > 0)) return impulse;
    /* As much as is left of the cone. */
    sn_real room = *sn_row(row, SN_ROW_DYNAMIC) * push - SN_ROOT(sn_v4_dot(slide, slide));
    sn_v4 more = sn_rolling_pair_resist(pair, m->h, resistance, g->deep / g->k_n,
                                        sn_lane_max(room, 0) / g->k_n);
    sn_row_store3(row, SN_ROW_SLIDE, sn_lane3_of(slide + g->k_n * more));
    sn_contact_add_impulse(row, more / m->h, 0);
    return sn_lane3_add(impulse, sn_lane3_of(more));
}
#endif

/* The correction of pairs of which at least one touches; see above. What has crossed may be pushed
   by `back` (m) more than others. */
SN_INLINE void solve(const sn_surface_contact_batch *m, const int32_t *node, sn_real *row,
                     const int kind, const int nodes, const sn_lane3 *x, const sn_lane *b,
                     sn_lane3 r, sn_lane3 normal, sn_lane crossed, sn_lane back) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    sn_lane limit = sn_row_load(row, SN_ROW_LIMIT);
    sn_lane length2 = sn_lane3_dot(r, r), length = sn_lane_sqrt(length2);
    /* Two that lie in each other have no direction but that of rounding. */
    sn_lane tiny = sn_lane_max(SN_R(1e-4) * limit, sn_lane_all(SN_R(1e-12)));
    sn_lane3 away = sn_lane3_scale(one / sn_lane_max(length, tiny), r);
    sn_lane3 n =
        sn_lane3_if_less(zero, crossed, normal, sn_lane3_if_less(tiny, length, away, normal));
    /* By the test that lets a pair alone: a lane must not depend on those beside it. */
    sn_lane touches = sn_lane_if_less(length2, limit * limit, one, crossed);
    sn_lane deep = limit - sn_lane3_dot(r, n);

    sn_lane w[SN_CONTACT_MOST_NODES], sum = ease_of(m, node, row, kind, nodes, b, w);
    sn_lane3 motion = gather_motion(m, node, nodes, b, false);
    sn_lane along = sn_lane3_dot(motion, n);
    note_start(m, row, limit, r, motion, sn_lane_if_less(zero, touches, deep + along, zero));
    sn_lane overlap = sn_lane_if_less(zero, touches, sn_lane_max(deep, zero), zero);
    deep =
        sn_lane_max(sn_lane_min(deep, most_of(m, row, nodes, deep, along, crossed) + back), zero);
    deep = sn_lane_if_less(zero, sum * touches, deep, zero);

    sn_contact_geometry geometry = {n, deep, motion, sum, one};
    const sn_contact_sweep sweep = {m->h, m->first, m->last, .slides = true, .holds = true};
    sn_lane3 offset = offset_of(m, node, row, nodes, b, crossed);
    sn_row_store(row, SN_ROW_CROSSED, sn_lane_if_less(zero, crossed, crossed, deep - overlap));
#if SN_LANES == 1
    sn_rolling_pair pair;
    bool rolls = kind == SN_CONTACT_POINT_POINT && m->rolling &&
                 begin_rolling(m, node, row, length, &geometry, &offset, &pair);
#endif
    sn_lane3 impulse = sn_contact_solve_rows(&geometry, &sweep, offset, row);
#if SN_LANES == 1
    if (rolls) impulse = end_rolling(m, row, &geometry, offset, impulse, &pair);
#endif
    sn_real size[SN_LANES] __attribute__((aligned(16)));
    sn_lane_store(size, sn_lane3_dot(impulse, impulse));
    sn_lane3 force[SN_CONTACT_MOST_NODES];
    for (int k = 0; k < nodes; k++) force[k] = sn_lane3_scale(b[k], impulse);
    if (kind == SN_CONTACT_POINT_TRIANGLE || kind == SN_CONTACT_EDGE_EDGE)
        sn_couple_remove(kind, x, arm_of(row, kind, w, b, r, n, crossed), impulse, w, b, force);
    for (int k = 0; k < nodes; k++)
        scatter(m, m->d, node + (size_t)k * SN_CONTACT_BLOCK, sn_lane3_scale(w[k], force[k]), size);
}

/*
 * Whether the plane across the normal of each lane tells that its pair does not touch, and is on
 * its side: no point of the first is nearer to one of the second than their nodes are along the
 * normal, which costs less than the nearest points. With more room than rounding could take: a lane
 * must not depend on those beside it. Lanes with neither a limit nor a normal never touch.
 */
SN_INLINE bool are_apart(const int kind, const int nodes, const sn_lane3 *x, sn_lane3 normal,
                         sn_lane limit) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), low = zero, high = zero, size2 = zero;
    for (int k = 1; k < nodes; k++) {
        sn_lane height = sn_lane3_dot(x[k], normal);
        size2 += sn_lane3_dot(x[k], x[k]);
        if (k < sn_contact_first[kind])
            low = sn_lane_min(low, height);
        else
            high = k == sn_contact_first[kind] ? height : sn_lane_max(high, height);
    }
    sn_lane over = (low - high) - SN_R(1.0001) * limit;
    sn_lane used = limit + sn_lane3_dot(normal, normal);
    over = sn_lane_if_less(zero, used, sn_lane_max(over, zero), one);
    return !sn_lane_any_less(zero, sn_lane_if_less(SN_R(1e-10) * size2, over * over, zero, one));
}

/* Which pairs of a block overlap, by bits. */
SN_LOOP uint32_t doubts(const sn_surface_contact_batch *m, size_t block, const int kind) {
    const int nodes = sn_contact_nodes(kind);
    uint32_t which = 0;
    for (size_t lane = 0; lane < SN_CONTACT_BLOCK; lane += SN_LANES) {
        const int32_t *node = m->node + block * (size_t)nodes * SN_CONTACT_BLOCK + lane;
        const sn_real *row = m->row + block * SN_ROW_COUNT * SN_CONTACT_BLOCK + lane;
        sn_lane limit = sn_row_load(row, SN_ROW_LIMIT), b[SN_CONTACT_MOST_NODES];
        sn_lane3 x[SN_CONTACT_MOST_NODES];
        if (node[0] < 0) break;
        gather(m, node, nodes, x);
        if (are_apart(kind, nodes, x, sn_row_load3(row, SN_ROW_NORMAL), limit)) continue;
        sn_lane3 r = sn_nearest(kind, x, b);
        sn_lane less =
            sn_lane_if_less(sn_lane3_dot(r, r), limit * limit, sn_lane_all(1), sn_lane_all(0));
        sn_real overlap[SN_LANES] __attribute__((aligned(16)));
        sn_lane_store(overlap, less);
        for (size_t i = 0; i < SN_LANES; i++) which |= (uint32_t)(overlap[i] > 0) << (lane + i);
    }
    return which;
}

/* Nothing happens to these. */
SN_INLINE void leave(const sn_surface_contact_batch *m, sn_real *row) {
    if (m->first) sn_row_store(row, SN_ROW_PUSH, sn_lane_all(0));
    sn_row_store(row, SN_ROW_CROSSED, sn_lane_all(0));
}

#if SN_LANES == 1
/*
 * A pair that may have passed through each other. What hit is pushed apart where it did, which is
 * elsewhere than the nearest points of where it would end; and since paths are long and one push
 * turns what it moves, it is looked at again.
 */
static SN_NOINLINE void uncross(const sn_surface_contact_batch *m, size_t block, size_t lane,
                                const int kind, const int nodes) {
    const int32_t *node = m->node + block * (size_t)nodes * SN_CONTACT_BLOCK + lane;
    sn_real *row = m->row + block * SN_ROW_COUNT * SN_CONTACT_BLOCK + lane;
    sn_surface_contact_batch now = *m;
    for (int round = 1;; round++) {
        sn_lane b[SN_CONTACT_MOST_NODES], back = 0;
        sn_lane3 x[SN_CONTACT_MOST_NODES], normal = sn_row_load3(row, SN_ROW_NORMAL);
        sn_surface_pair_crossing how = SN_SURFACE_CONTACT_APART;
        gather(m, node, nodes, x);
        sn_lane3 r = sn_nearest(kind, x, b);
        if (sn_lane3_dot(r, normal) < 0) how = sn_surface_pair_has_crossed(m, kind, block, lane, b);
        bool again = how >= SN_SURFACE_CONTACT_PASSES && round < MOST_ROUNDS;
        normal = sn_row_load3(row, SN_ROW_NORMAL);
        /* What others pushed through comes back as fast as it went. */
        if (how == SN_SURFACE_CONTACT_HAD_PASSED)
            back = sn_lane_max(-sn_lane3_dot(gather_motion(m, node, nodes, b, true), normal), 0);
        now.last = m->last && !again;
        solve(&now, node, row, kind, nodes, x, b, vector_of(nodes, x, b), normal,
              how == SN_SURFACE_CONTACT_APART ? 0 : 1, back);
        if (!again) return;
        now.first = false;
    }
}
#endif

SN_INLINE void project_lanes(const sn_surface_contact_batch *m, size_t block, size_t lane,
                             const int kind, const int nodes) {
    const int32_t *node = m->node + block * (size_t)nodes * SN_CONTACT_BLOCK + lane;
    sn_real *row = m->row + block * SN_ROW_COUNT * SN_CONTACT_BLOCK + lane;
    sn_lane zero = sn_lane_all(0), b[SN_CONTACT_MOST_NODES];
    sn_lane3 x[SN_CONTACT_MOST_NODES];
#if SN_LANES > 1
    if (kind == SN_CONTACT_POINT_POINT && m->rolling) {
        for (size_t i = 0; i < SN_LANES && node[i] >= 0; i++)
            sn_surface_kind_of(kind)->project_lane(m, block, lane + i);
        return;
    }
#endif
    gather(m, node, nodes, x);
    sn_lane limit = sn_row_load(row, SN_ROW_LIMIT);
    sn_lane3 normal = sn_row_load3(row, SN_ROW_NORMAL);
    bool pushed = !m->first && sn_lane_any_less(zero, sn_row_load(row, SN_ROW_PUSH));
    if (!pushed && are_apart(kind, nodes, x, normal, limit)) {
        leave(m, row);
        return;
    }
    sn_lane3 r = sn_nearest(kind, x, b);
    sn_lane side = sn_lane3_dot(r, normal), square = sn_lane3_dot(r, r);
    bool passed = sn_lane_any_less(side, zero);
    if (!passed && !pushed && !sn_lane_any_less(square, limit * limit)) {
        leave(m, row);
        return;
    }
    if (!passed)
        solve(m, node, row, kind, nodes, x, b, r, normal, zero, zero);
    else
#if SN_LANES == 1
        uncross(m, block, lane, kind, nodes);
#else
        for (size_t i = 0; i < SN_LANES && node[i] >= 0; i++)
            sn_surface_kind_of(kind)->project_lane(m, block, lane + i);
#endif
}

SN_LOOP void project(const sn_surface_contact_batch *m, size_t begin, size_t end, const int kind) {
    const int nodes = sn_contact_nodes(kind);
    for (size_t block = begin; block < end; block++)
        for (size_t lane = 0; lane < SN_CONTACT_BLOCK; lane += SN_LANES) {
            /* Pairs fill the lanes of a block from the first on. */
            if (m->node[block * (size_t)nodes * SN_CONTACT_BLOCK + lane] < 0) break;
            project_lanes(m, block, lane, kind, nodes);
        }
}

/* Takes out what was recovery (recovery.h). */
SN_INLINE void recover_lanes(const sn_surface_contact_batch *m, size_t block, size_t lane,
                             const int kind, const int nodes) {
    const int32_t *node = m->node + block * (size_t)nodes * SN_CONTACT_BLOCK + lane;
    sn_real *row = m->row + block * SN_ROW_COUNT * SN_CONTACT_BLOCK + lane;
    sn_lane zero = sn_lane_all(0), h = sn_lane_all(m->h);
    sn_lane most = sn_lane_min(sn_row_load(row, SN_ROW_PUSH), sn_row_load(row, SN_ROW_START));
    /* How fast what bounces parts is for restitution.c to say. */
    most = sn_lane_if_less(zero, sn_row_load(row, SN_ROW_RESTITUTION), zero, most);
    sn_lane b[SN_CONTACT_MOST_NODES], w[SN_CONTACT_MOST_NODES];
    sn_lane3 x[SN_CONTACT_MOST_NODES], normal = sn_row_load3(row, SN_ROW_NORMAL);
    if (!sn_lane_any_less(zero, most)) return;
    gather(m, node, nodes, x);
    (void)sn_nearest(kind, x, b);
    sn_lane sum = ease_of(m, node, row, kind, nodes, b, w);
    sn_lane along = sn_lane3_dot(gather_motion(m, node, nodes, b, false), normal);
    sn_lane out = sn_lane_max(sn_lane_min(most, along), zero);
    sn_lane impulse = sn_lane_if_less(zero, sum, out / sum, zero);
    sn_real size[SN_LANES] __attribute__((aligned(16)));
    sn_lane_store(size, impulse);
    for (int k = 0; k < nodes; k++) {
        const int32_t *at = node + (size_t)k * SN_CONTACT_BLOCK;
        sn_lane3 by = sn_lane3_scale(w[k] * b[k] * impulse, normal);
        scatter(m, m->p, at, by, size);
        if (m->predicted) scatter(m, m->predicted, at, by, size);
    }
    /* That there is one tells that they touched. */
    sn_lane normal_impulse = sn_row_load(row, SN_ROW_NORMAL_IMPULSE);
    sn_lane least = sn_lane_min(normal_impulse, sn_lane_all(SN_R(1e-30)));
    sn_row_store(row, SN_ROW_NORMAL_IMPULSE, sn_lane_max(normal_impulse - impulse / h, least));
    sn_row_store3(
        row, SN_ROW_IMPULSE,
        sn_lane3_sub(sn_row_load3(row, SN_ROW_IMPULSE), sn_lane3_scale(impulse / h, normal)));
}

SN_LOOP void recover(const sn_surface_contact_batch *m, size_t begin, size_t end, const int kind) {
    const int nodes = sn_contact_nodes(kind);
    for (size_t block = begin; block < end; block++)
        for (size_t lane = 0; lane < SN_CONTACT_BLOCK; lane += SN_LANES) {
            if (m->node[block * (size_t)nodes * SN_CONTACT_BLOCK + lane] < 0) break;
            recover_lanes(m, block, lane, kind, nodes);
        }
}

#endif
