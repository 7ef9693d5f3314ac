/*
 * The loop of a constraint with several rows, on positions and orientations: gather, evaluate,
 * solve the small system of the rows, scatter.
 *
 * The including file defines
 *   SN_TYPE       its name
 *   SN_NODES      nodes of the definition
 *   SN_POINTS     how many of them, the first ones, it reads the position of; it moves SN_MOVED
 *   SN_FRAMES     how many of them, the first ones, it reads the orientation of; it turns SN_TURNED
 *   SN_ROWS       numbers in C
 *   SN_OWN        coefficient rows of its own
 * and
 *   void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own, sn_lane *value,
 *                sn_lane3 (*g)[SN_POINTS], sn_lane3 (*t)[SN_FRAMES])      (one column at least)
 * which gives C, its gradients g by positions relative to node 0, and its gradients t by rotation
 * vectors in the frames of the nodes. Rows must not change under rigid motion: they are damped one
 * by one.
 *
 * With SN_MOST_TURN, no frame is turned by more than that, in rad, in one projection.
 *
 * With SN_JOINS, what frames are given is kept as angular momentum, however far they turn: as it is
 * in the frame after the turn. A node that ends a substep at x = p + h v has got p x J of a pull as
 * angular momentum about the origin, and not x x J; with SN_LEVERS, which is
 *   sn_lane3 SN_LEVERS(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own, int n,
 *                      sn_lane3 *arm)
 * lever arms of angular momentum are those at the beginning, and all of it is kept to rounding.
 * It says by how much, in the world, that of node n was another one then, and which it is now;
 * SN_STARTED is 1. Frames that turn by more than a rad have lever arms of the end, and so have, in
 * part, those that are light for the pull on their arm.
 *
 * With SN_MOST_MOVE, which is a coefficient of its own, no node is moved by more than that, in m.
 *
 * With SN_COLD, dashpots begin every substep with nothing: for rows that are lengths, whose
 * gradient turns round when they pass zero, so that what was there would push the other way.
 *
 * With SN_STARTED, x and q have as many again: where they were when the substep began.
 *
 * With SN_BOUNDED, multipliers have bounds row by row, for limits and motors, and there is also
 *   void bounds(const sn_real *own, sn_lane least[SN_ROWS], sn_lane most[SN_ROWS])
 * which has them from coefficients: forces times the h2 of the derivation. The type is `bounded`
 * then, and `timed`.
 *
 * Where gradients have a structure that makes the products with them much cheaper, the file defines
 * SN_STRUCTURED and, after including block.h, add_masses, pull_on and twist_on of its own. Nothing
 * is asked to pull where SN_MOVED is 0, nor to twist where SN_TURNED is 0.
 *
 *   (J W J^T + alpha) dlambda = -(C + alpha lambda)
 *
 * and for the dashpots of the rows (step/dashpots.c) the same of velocities.
 */

#include "constraints/block.h"
#include "constraints/dashpot.h"
#include "constraints/rows.h"

#ifndef SN_BOUNDED
#define SN_BOUNDED 0
#endif

SN_INLINE sn_lane3 per_axis(sn_lane3 w, sn_lane3 t) {
    return (sn_lane3){w.x * t.x, w.y * t.y, w.z * t.z};
}

SN_INLINE void gather(const sn_batch *b, const block *k, size_t lane, state *s) {
    sn_lane_nodes near[SN_NODE_REGISTERS];
    int32_t zero[SN_LANES], other[SN_LANES];
    if (SN_POINTS > 0) sn_lane_offsets(k->node[0] + lane, zero);
    SN_UNROLLED
    for (int n = 0; n < SN_POINTS; n++) {
        sn_lane_offsets(k->node[n] + lane, other);
        for (int i = 0; i < SN_NODE_REGISTERS; i++)
            near[i] = (sn_lane_nodes_at(b->x, other, i) - sn_lane_nodes_at(b->x, zero, i)) +
                      (sn_lane_nodes_at(b->d, other, i) - sn_lane_nodes_at(b->d, zero, i));
        s->x[n] = sn_lane3_from_registers(near);
    }
#if SN_FRAMES > 0
    SN_UNROLLED
    for (int n = 0; n < SN_FRAMES; n++) {
        sn_lane_offsets(k->frame[n] + lane, other);
        for (int i = 0; i < SN_NODE_REGISTERS; i++) near[i] = sn_lane_nodes_at(b->q, other, i);
        s->q[n] = sn_lane4_from_registers(near);
    }
#endif
#if SN_STARTED
    SN_UNROLLED
    for (int n = 0; n < SN_POINTS; n++) {
        const int32_t *at = k->node[n] + lane, *first = k->node[0] + lane;
        for (int i = 0; i < SN_NODE_REGISTERS; i++)
            near[i] = (sn_lane_nodes_at(b->x, at, i) - sn_lane_nodes_at(b->x, first, i)) +
                      (sn_lane_nodes_at(b->p, at, i) - sn_lane_nodes_at(b->p, first, i));
        s->x[SN_POINTS + n] = sn_lane3_from_registers(near);
    }
    SN_UNROLLED
    for (int n = 0; n < SN_FRAMES; n++) {
        for (int i = 0; i < SN_NODE_REGISTERS; i++)
            near[i] = sn_lane_nodes_at(b->start, k->frame[n] + lane, i);
        s->q[SN_FRAMES + n] = sn_lane4_from_registers(near);
    }
#endif
}

#ifndef SN_STRUCTURED

/* The matrix J W J^T of the rows, upper half. */
SN_INLINE void add_masses(const block *k, size_t lane, const state *s,
                          sn_lane a[SN_ROWS][SN_ROWS]) {
    SN_UNROLLED
    for (int n = 0; n < SN_MOVED; n++) {
        sn_lane w = sn_lane_load(k->w[n] + lane);
        for (int i = 0; i < SN_ROWS; i++)
            for (int j = i; j < SN_ROWS; j++) a[i][j] += w * sn_lane3_dot(s->g[i][n], s->g[j][n]);
    }
#if SN_TURNED > 0
    SN_UNROLLED
    for (int n = 0; n < SN_TURNED; n++) {
        const sn_real(*w)[SN_BLOCK] = k->turn_w[n];
        for (int i = 0; i < SN_ROWS; i++) {
            sn_lane3 wt = {sn_lane_load(w[0] + lane) * s->t[i][n].x,
                           sn_lane_load(w[1] + lane) * s->t[i][n].y,
                           sn_lane_load(w[2] + lane) * s->t[i][n].z};
            for (int j = i; j < SN_ROWS; j++) a[i][j] += sn_lane3_dot(wt, s->t[j][n]);
        }
    }
#endif
}

/* J^T step for one node and for one frame. */
SN_INLINE sn_lane3 pull_on(const block *k, size_t lane, const state *s, int n,
                           const sn_lane step[SN_ROWS]) {
    (void)k, (void)lane;
    sn_lane3 sum = sn_lane3_scale(step[0], s->g[0][n]);
    for (int r = 1; r < SN_ROWS; r++) sum = sn_lane3_add(sum, sn_lane3_scale(step[r], s->g[r][n]));
    return sum;
}

#if SN_TURNED > 0
SN_INLINE sn_lane3 twist_on(const state *s, int n, const sn_lane step[SN_ROWS]) {
    sn_lane3 sum = sn_lane3_scale(step[0], s->t[0][n]);
    for (int r = 1; r < SN_ROWS; r++) sum = sn_lane3_add(sum, sn_lane3_scale(step[r], s->t[r][n]));
    return sum;
}
#endif

#endif

SN_INLINE void move_nodes(const sn_batch *b, const block *k, size_t lane, const state *s,
                          const sn_lane step[SN_ROWS]) {
    sn_lane3 move[SN_MOVED + 1];
    sn_v4 add[SN_LANES];
    /* All of them first: what is written could be what is read next, for all the compiler knows. */
    SN_UNROLLED
    for (int n = 0; n < SN_MOVED; n++)
        move[n] = sn_lane3_scale(sn_lane_load(k->w[n] + lane), pull_on(k, lane, s, n, step));
    SN_UNROLLED
    for (int n = 0; n < SN_MOVED; n++) {
        int32_t node[SN_LANES];
        sn_lane_offsets(k->node[n] + lane, node);
        sn_lane3_to_nodes(move[n], add);
        for (size_t i = 0; i < SN_LANES; i++) add[i] = sn_at(b->out, node[i]) + add[i];
        for (size_t i = 0; i < SN_LANES; i++) *sn_in(b->out, node[i]) = add[i];
    }
}

#if SN_TURNED > 0

/* Whether to write a frame: one without inverse inertia may be read by others at the same time. */
SN_INLINE bool turns(const block *k, int n, size_t lane) {
    if (SN_TURNED == SN_FRAMES) return true;
    const sn_real(*w)[SN_BLOCK] = k->turn_w[n];
    return w[0][lane] != 0 || w[1][lane] != 0 || w[2][lane] != 0;
}

#ifndef SN_JOINS
#define SN_JOINS 0
#endif

#ifdef SN_LEVERS
/* The square of the cosine of half a rad. Where a frame has turned by more than a rad in the
   substep, lever arms of the beginning and of the end point different ways: a pull that turns it
   one way would give it spin the other way, and more so in every substep. */
#define SN_LEAST_COSINE SN_R(0.7701512)

/* 1 where both frames are near to where they were when the substep began, 0 elsewhere. */
SN_INLINE sn_lane turned_little(const state *s) {
    sn_lane near = sn_lane_all(1);
    for (int n = 0; n < SN_FRAMES; n++) {
        sn_lane4 now = s->q[n], start = s->q[SN_FRAMES + n];
        sn_lane cosine = sn_lane3_dot(now.v, start.v) + now.w * start.w;
        near = sn_lane_min(near, cosine * cosine);
    }
    return sn_lane_if_less(near, sn_lane_all(SN_LEAST_COSINE), sn_lane_all(0), sn_lane_all(1));
}

/* The components of v along the axes of a frame. */
SN_INLINE sn_lane3 seen_from(const sn_lane3 axis[3], sn_lane3 v) {
    return (sn_lane3){sn_lane3_dot(axis[0], v), sn_lane3_dot(axis[1], v), sn_lane3_dot(axis[2], v)};
}

/*
 * The part of a couple that a frame is given. A turn by u before the projection changes the lever
 * arm r, and a pull J makes of that a spin that turns the frame in the next substep by
 *
 *   K u,   K = W ((r . J) 1 - r J^T)
 *
 * more: a turn that grows from substep to substep where a row of K is longer than 1, as that of a
 * ball of 1 cm on an arm of 1 m does from 2 ms on. From a quarter on, the part falls with the
 * square of that, so that several joints of a frame do not add up to 1 either.
 */
#define SN_MOST_GROWTH SN_R(0.25)
SN_INLINE sn_lane steady_part(sn_lane3 w, sn_lane3 arm, sn_lane3 pull) {
    sn_lane along = sn_lane3_dot(arm, pull), across = sn_lane3_dot(pull, pull);
    sn_lane3 row = {along * along + arm.x * (arm.x * across - 2 * along * pull.x),
                    along * along + arm.y * (arm.y * across - 2 * along * pull.y),
                    along * along + arm.z * (arm.z * across - 2 * along * pull.z)};
    sn_lane most = sn_lane_all(SN_MOST_GROWTH * SN_MOST_GROWTH);
    sn_lane size =
        sn_lane_max(sn_lane_max(w.x * w.x * row.x, w.y * w.y * row.y), w.z * w.z * row.z);
    return most / sn_lane_max(most, size);
}

/* What the pull on a node would turn it more with the lever arm of the beginning, as its frame sees
   it. */
SN_INLINE sn_lane3 lever_couple(const block *k, size_t lane, const state *s, int n, sn_lane3 w,
                                const sn_lane step[SN_ROWS]) {
    sn_lane3 axis[3], arm, change = SN_LEVERS(s->x, s->q, k->own[0] + lane, n, &arm);
    sn_lane3 pull = sn_lane3_scale(turned_little(s), pull_on(k, lane, s, n, step));
    sn_lane4_axes(s->q[n], axis);
    sn_lane part = steady_part(w, seen_from(axis, arm), seen_from(axis, pull));
    return sn_lane3_scale(part, seen_from(axis, sn_lane3_cross(change, pull)));
}
#endif

/* What a frame has been given, which was `before`, behind a turn by phi: what it had and `sum` stay
   where they are in the world. As sn_lane4_turned and sn_lane4_unit turn it. */
SN_INLINE sn_lane3 turn_given(sn_lane3 w, sn_lane3 before, sn_lane3 sum, sn_lane3 phi) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    sn_lane3 u = sn_lane3_scale(sn_lane_all(SN_R(0.5)), phi);
    sn_lane3 had = {before.x / sn_lane_if_less(zero, w.x, w.x, one),
                    before.y / sn_lane_if_less(zero, w.y, w.y, one),
                    before.z / sn_lane_if_less(zero, w.z, w.z, one)};
    sn_lane3 across = sn_lane3_cross(sn_lane3_add(had, sum), u);
    sn_lane3 change = sn_lane3_scale(2 / (1 + sn_lane3_dot(u, u)),
                                     sn_lane3_sub(across, sn_lane3_cross(u, across)));
    return sn_lane3_add(before, per_axis(w, sn_lane3_add(sum, change)));
}

SN_INLINE void turn_frames(const sn_batch *b, const block *k, size_t lane, const state *s,
                           const sn_lane step[SN_ROWS]) {
    sn_vec4 *turn = b->turned ? b->turned : b->turn;
    SN_UNROLLED
    for (int n = 0; n < SN_TURNED; n++) {
        const sn_real(*w)[SN_BLOCK] = k->turn_w[n];
        sn_lane3 sum = twist_on(s, n, step),
                 turn_w = {sn_lane_load(w[0] + lane), sn_lane_load(w[1] + lane),
                           sn_lane_load(w[2] + lane)};
        sn_lane3 phi = per_axis(turn_w, sum);
        int32_t frame[SN_LANES];
        sn_v4 add[SN_LANES], put[SN_LANES];
        sn_lane_offsets(k->frame[n] + lane, frame);
        sn_lane3_to_nodes(phi, add);
        for (size_t i = 0; i < SN_LANES; i++) put[i] = sn_at(turn, frame[i]) + add[i];
        if (SN_JOINS && !b->turned) {
#ifdef SN_LEVERS
            if (b->starts) sum = sn_lane3_add(sum, lever_couple(k, lane, s, n, turn_w, step));
#endif
            for (size_t i = 0; i < SN_LANES; i++) put[i] = sn_at(turn, frame[i]);
            sn_lane3_to_nodes(turn_given(turn_w, sn_lane3_from_nodes(put), sum, phi), put);
        }
        for (size_t i = 0; i < SN_LANES; i++)
            if (turns(k, n, lane + i)) *sn_in(turn, frame[i]) = put[i];
        if (b->turned) continue;
        sn_lane4 change = sn_lane4_turned(s->q[n], phi);
        sn_lane4 next = {sn_lane3_add(s->q[n].v, change.v), s->q[n].w + change.w};
        sn_lane4_to_nodes(sn_lane4_unit(next, sn_lane3_dot(phi, phi)), put);
        for (size_t i = 0; i < SN_LANES; i++)
            if (turns(k, n, lane + i)) *sn_in(b->q, frame[i]) = put[i];
    }
}

#endif

/* Solves for the change of the multipliers; the sums stay within their bounds. */
SN_INLINE void solve_within(const block *k, size_t lane, sn_lane a[SN_ROWS][SN_ROWS],
                            const sn_lane lambda[SN_ROWS], sn_lane step[SN_ROWS]) {
#if SN_BOUNDED
    sn_row_bounds allowed;
    sn_lane whole[SN_ROWS][SN_ROWS], error[SN_ROWS];
    bounds(k->own[0] + lane, allowed.least, allowed.most);
    for (int i = 0; i < SN_ROWS; i++) {
        allowed.least[i] -= lambda[i];
        allowed.most[i] -= lambda[i];
        error[i] = step[i];
        for (int j = i; j < SN_ROWS; j++) whole[i][j] = a[i][j];
    }
    solve(a, step);
    sn_bound_rows(SN_ROWS, SN_ROWS, whole[0], error, &allowed, step);
#else
    (void)k, (void)lane, (void)lambda;
    solve(a, step);
#endif
}

/* Where what a projection does is far from linear, it goes there by and by: all multipliers take
   the same part of their step, so that momentum is kept. */
SN_INLINE void limit_turns(const block *k, size_t lane, const state *s, sn_lane step[SN_ROWS]) {
#ifdef SN_MOST_TURN
    sn_lane most = sn_lane_all(SN_MOST_TURN * SN_MOST_TURN), square = most;
    SN_UNROLLED
    for (int n = 0; n < SN_TURNED; n++) {
        const sn_real(*w)[SN_BLOCK] = k->turn_w[n];
        sn_lane3 sum = twist_on(s, n, step);
        sn_lane3 phi = {sn_lane_load(w[0] + lane) * sum.x, sn_lane_load(w[1] + lane) * sum.y,
                        sn_lane_load(w[2] + lane) * sum.z};
        square = sn_lane_max(square, sn_lane3_dot(phi, phi));
    }
    if (!sn_lane_any_less(most, square)) return;
    sn_lane part =
        sn_lane_if_less(most, square, SN_MOST_TURN / sn_lane_sqrt(square), sn_lane_all(1));
    for (int i = 0; i < SN_ROWS; i++) step[i] *= part;
#else
    (void)k, (void)lane, (void)s, (void)step;
#endif
}

SN_INLINE void limit_moves(const block *k, size_t lane, const state *s, sn_lane step[SN_ROWS]) {
#ifdef SN_MOST_MOVE
    sn_lane move = sn_lane_load(k->own[SN_MOST_MOVE] + lane), most = move * move, square = most;
    SN_UNROLLED
    for (int n = 0; n < SN_MOVED; n++) {
        sn_lane w = sn_lane_load(k->w[n] + lane);
        sn_lane3 sum = sn_lane3_scale(w, pull_on(k, lane, s, n, step));
        square = sn_lane_max(square, sn_lane3_dot(sum, sum));
    }
    if (!sn_lane_any_less(most, square)) return;
    sn_lane part = sn_lane_if_less(most, square, move / sn_lane_sqrt(square), sn_lane_all(1));
    for (int i = 0; i < SN_ROWS; i++) step[i] *= part;
#else
    (void)k, (void)lane, (void)s, (void)step;
#endif
}

SN_INLINE void project_lanes(const sn_batch *b, size_t slot, const int keep) {
    const block *k = (const block *)b->block + slot / SN_BLOCK;
    size_t lane = slot % SN_BLOCK;
    state s;
    sn_lane a[SN_ROWS][SN_ROWS], step[SN_ROWS], lambda[SN_ROWS];
    gather(b, k, lane, &s);
    formula(s.x, s.q, k->own[0] + lane, s.value, s.g, s.t);
    for (int i = 0; i < SN_ROWS; i++) {
        lambda[i] = sn_lane_all(0);
        for (int j = i; j < SN_ROWS; j++) a[i][j] = sn_lane_all(0);
    }
    if (keep && !b->first) sn_load_rows(SN_ROWS, b->lambda, slot, lambda);
    add_masses(k, lane, &s, a);
    for (int i = 0; i < SN_ROWS; i++) {
        sn_lane error = s.value[i], alpha = sn_lane_load(k->alpha[i] + lane);
        if (keep) error += alpha * lambda[i];
        a[i][i] += alpha;
        step[i] = -error * sn_lane_load(k->relax + lane);
    }
    solve_within(k, lane, a, lambda, step);
    limit_turns(k, lane, &s, step);
    limit_moves(k, lane, &s, step);
    for (int i = 0; keep && i < SN_ROWS; i++) lambda[i] += step[i];
    move_nodes(b, k, lane, &s, step);
#if SN_TURNED > 0
    turn_frames(b, k, lane, &s, step);
#endif
    if (keep) sn_store_rows(SN_ROWS, b->lambda, slot, lambda);
}

SN_LOOP void project_range(const sn_batch *b, size_t begin, size_t end, const int keep) {
    /* A copy, of which the compiler knows that writing nodes does not change it. */
    const sn_batch mine = *b;
    for (size_t slot = begin; slot < end; slot += SN_LANES) project_lanes(&mine, slot, keep);
}

/* Rows have compliances of their own, so there is no harder loop. */
static void compliant(const sn_batch *b, size_t begin, size_t end) {
    project_range(b, begin, end, 0);
}
static void compliant_kept(const sn_batch *b, size_t begin, size_t end) {
    project_range(b, begin, end, 1);
}

/* ---- The dashpots ---- */

/* What the dashpots of a group work on: J, the inverse masses that nodes and frames have, and
   J W J^T, upper half. */
typedef struct damped {
    state s;
    sn_lane w[SN_POINT_ROOM];
    sn_lane3 turn_w[SN_FRAME_ROOM];
    sn_lane a[SN_ROWS][SN_ROWS], rate[SN_ROWS];
} damped;

/* The matrix, and dC/dt = J v. */
SN_INLINE void add_rates(const sn_dashpots *p, const block *k, size_t lane, damped *d) {
    for (int i = 0; i < SN_ROWS; i++) {
        d->rate[i] = sn_lane_all(0);
        for (int j = i; j < SN_ROWS; j++) d->a[i][j] = sn_lane_all(0);
    }
    for (int n = 0; n < SN_POINTS; n++) {
        sn_lane3 v = sn_gather_velocity(p->v, k->node[n] + lane);
        for (int i = 0; i < SN_ROWS; i++) {
            d->rate[i] += sn_lane3_dot(d->s.g[i][n], v);
            for (int j = i; j < SN_ROWS; j++)
                d->a[i][j] += d->w[n] * sn_lane3_dot(d->s.g[i][n], d->s.g[j][n]);
        }
    }
#if SN_FRAMES > 0
    for (int n = 0; n < SN_FRAMES; n++) {
        sn_lane3 omega = sn_gather_velocity(p->omega, k->frame[n] + lane);
        for (int i = 0; i < SN_ROWS; i++) {
            sn_lane3 wt = per_axis(d->turn_w[n], d->s.t[i][n]);
            d->rate[i] += sn_lane3_dot(d->s.t[i][n], omega);
            for (int j = i; j < SN_ROWS; j++) d->a[i][j] += sn_lane3_dot(wt, d->s.t[j][n]);
        }
    }
#endif
}

/* v += W J^T step */
SN_INLINE void add_velocities(const sn_dashpots *p, const block *k, size_t lane, const damped *d,
                              const sn_lane step[SN_ROWS]) {
    sn_lane any = step[0] * step[0];
    for (int r = 1; r < SN_ROWS; r++) any = sn_lane_max(any, step[r] * step[r]);
    for (int n = 0; n < SN_POINTS; n++) {
        sn_lane3 sum = sn_lane3_scale(step[0], d->s.g[0][n]);
        for (int r = 1; r < SN_ROWS; r++)
            sum = sn_lane3_add(sum, sn_lane3_scale(step[r], d->s.g[r][n]));
        sn_add_velocity(p->v, k->node[n] + lane, d->w[n] * any, sn_lane3_scale(d->w[n], sum));
    }
#if SN_FRAMES > 0
    for (int n = 0; n < SN_FRAMES; n++) {
        sn_lane3 sum = sn_lane3_scale(step[0], d->s.t[0][n]), w = d->turn_w[n];
        for (int r = 1; r < SN_ROWS; r++)
            sum = sn_lane3_add(sum, sn_lane3_scale(step[r], d->s.t[r][n]));
        sn_add_velocity(p->omega, k->frame[n] + lane, ((w.x + w.y) + w.z) * any, per_axis(w, sum));
    }
#endif
}

/* Rows that only push or only pull have dashpots where they do. */
SN_INLINE sn_lane damped_where_it_acts(const block *k, size_t lane, const damped *d, int i,
                                       sn_lane kept, sn_lane step) {
#if SN_BOUNDED
    sn_lane least[SN_ROWS], most[SN_ROWS], zero = sn_lane_all(0);
    bounds(k->own[0] + lane, least, most);
    sn_lane wanted = -d->s.value[i];
    step = sn_lane_if_less(wanted, sn_lane_if_less(least[i], zero, wanted, zero), -kept, step);
    return sn_lane_if_less(sn_lane_if_less(zero, most[i], wanted, zero), wanted, -kept, step);
#else
    (void)k, (void)lane, (void)d, (void)i, (void)kept;
    return step;
#endif
}

static void damp(const sn_dashpots *p, size_t begin, size_t end) {
    for (size_t slot = begin; slot < end; slot += SN_LANES) {
        const block *k = (const block *)p->at.block + slot / SN_BLOCK;
        const sn_real *alpha = p->alpha + slot / SN_BLOCK * SN_ROWS * SN_BLOCK + slot % SN_BLOCK;
        size_t lane = slot % SN_BLOCK;
        sn_lane kept[SN_ROWS], step[SN_ROWS];
        damped d;
        gather(&p->at, k, lane, &d.s);
        formula(d.s.x, d.s.q, k->own[0] + lane, d.s.value, d.s.g, d.s.t);
        for (int n = 0; n < SN_POINTS; n++) d.w[n] = sn_gather_w(p, k->node[n] + lane);
#if SN_FRAMES > 0
        for (int n = 0; n < SN_FRAMES; n++)
            d.turn_w[n] = sn_gather_velocity(p->turn_w, k->frame[n] + lane);
#endif
        sn_load_rows(SN_ROWS, p->impulse, slot, kept);
        if (p->warm) {
#ifdef SN_COLD
            for (int i = 0; i < SN_ROWS; i++) kept[i] = sn_lane_all(0);
            sn_store_rows(SN_ROWS, p->impulse, slot, kept);
#endif
            add_velocities(p, k, lane, &d, kept);
            continue;
        }
        add_rates(p, k, lane, &d);
        for (int i = 0; i < SN_ROWS; i++) {
            sn_lane soft = sn_lane_load(alpha + SN_BLOCK * i);
            d.a[i][i] += soft;
            step[i] = -(d.rate[i] + soft * kept[i]);
        }
        solve(d.a, step);
        for (int i = 0; i < SN_ROWS; i++) {
            step[i] = sn_damped_step(sn_lane_load(alpha + SN_BLOCK * i), kept[i], step[i]);
            step[i] = damped_where_it_acts(k, lane, &d, i, kept[i], step[i]);
            kept[i] += step[i];
        }
        sn_store_rows(SN_ROWS, p->impulse, slot, kept);
        add_velocities(p, k, lane, &d, step);
    }
}

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {
    {SN_LOOP_PAIR(compliant), SN_LOOP_PAIR(compliant)},
    damp,
};

#if SN_LANES == 1

static void evaluate(const sn_batch *b, size_t slot, sn_real *value, sn_vec3 *gradient) {
    const block *k = (const block *)b->block + slot / SN_BLOCK;
    size_t lane = slot % SN_BLOCK;
    const int columns = SN_NODES + SN_FRAMES;
    state s;
    gather(b, k, lane, &s);
    formula(s.x, s.q, k->own[0] + lane, value, s.g, s.t);
    for (int r = 0; gradient && r < SN_ROWS; r++) {
        for (int n = 0; n < SN_NODES; n++) {
            sn_lane3 g = {0, 0, 0};
            if (n < SN_POINTS) g = s.g[r][n];
            gradient[r * columns + n] = (sn_vec3){g.x, g.y, g.z};
        }
        for (int n = 0; n < SN_FRAMES; n++) {
            sn_lane3 t = s.t[r][n];
            gradient[r * columns + SN_NODES + n] = (sn_vec3){t.x, t.y, t.z};
        }
    }
}

/* Coefficients from the compliances of the rows, in C^2/J, and the type's own ones. */
static void derive_block(const sn_derivation *from,
                         double (*compliance_of)(const sn_real *parameter, int row),
                         const sn_real own[SN_OWN], sn_real *coefficient) {
    sn_real *out = coefficient;
    for (int n = 0; n < SN_MOVED; n++) *out++ = from->w[n];
    *out++ = 0;
#if SN_TURNED > 0
    for (int n = 0; n < SN_TURNED; n++) {
        *out++ = from->turn_w[n].x;
        *out++ = from->turn_w[n].y;
        *out++ = from->turn_w[n].z;
    }
#endif
    for (int r = 0; r < SN_ROWS; r++) {
        double alpha = compliance_of(from->parameter, r) / (from->h * from->h);
        *out++ = (sn_real)(alpha < SN_MOST_ALPHA ? alpha : SN_MOST_ALPHA);
    }
    *out++ = from->relax;
    for (int i = 0; i < SN_OWN; i++) *out++ = own[i];
}

#endif
