/*
 * The loop of a model of a tetrahedron (tet.h): gather, deform, evaluate, solve the small system of
 * the rows, scatter.
 *
 * The including file defines
 *   SN_TYPE       its name
 *   SN_ROWS       numbers in C, 1 to 6
 *   SN_OWN        coefficient rows of its own, 1 and more
 * includes tet.h, and defines
 *   void formula(const sn_lane3 f[3], const sn_real *own, sn_lane value[SN_ROWS],
 *                sn_lane3 p[SN_ROWS][3])
 * which gives C and the columns of dC/dF from the columns of F; row i of its own coefficients is
 * own_row(own, i). Where J W J^T has a shorter form, or needs an addition to be safe from large
 * steps, the file defines SN_STRUCTURED and
 *   void add_masses(const sn_real *shape, const sn_lane3 f[3], sn_lane3 p[SN_ROWS][3],
 *                   sn_lane a[SN_ROWS][SN_ROWS])
 * for the upper half, which begins with zeros. Where rows depend on each other, the first ones have
 * the word. A type for which all of it has a shorter form defines SN_SOLVED and, instead,
 *   void solve_tet(const group *t, const int keep, sn_lane lambda[SN_ROWS], sn_lane3 s[3])
 * which adds dlambda to lambda, if it is kept, and gives s = sum_r dlambda_r dC_r/dF. It must give
 * lambda of C as in `formula`, which is used to evaluate.
 *
 *   (J W J^T + alpha) dlambda = -(C + alpha lambda)
 *
 * and for the dashpots (step/dashpots.c) the same of velocities. Where C has a row that is a
 * length, whose direction turns round when it passes zero, the file defines SN_VISCOUS, and the
 * dashpots are those of a viscous fluid instead: six rows, the rates of
 *   E = (F^T F - 1) / 2,   xx, yy, zz, and 2 yz, 2 zx, 2 xy,
 * with the compliance of Hooke's law for viscosities in the place of its moduli.
 */

#include "constraints/dashpot.h"
#include "constraints/rows.h"

/* Positions of SN_LANES tetrahedra relative to their node 0, as (x_k - x_0) + (d_k - d_0). */
SN_INLINE void gather(const sn_batch *b, const block *k, size_t lane, sn_lane3 x[SN_NODES]) {
    sn_lane_nodes near[SN_NODES][SN_NODE_REGISTERS];
    int32_t node[SN_NODES][SN_LANES];
    for (int n = 0; n < SN_NODES; n++) sn_lane_offsets(k->node[n] + lane, node[n]);
    SN_UNROLLED
    for (int i = 0; i < SN_NODE_REGISTERS; i++) {
        sn_lane_nodes x0 = sn_lane_nodes_at(b->x, node[0], i),
                      d0 = sn_lane_nodes_at(b->d, node[0], i);
        for (int n = 1; n < SN_NODES; n++)
            near[n][i] = (sn_lane_nodes_at(b->x, node[n], i) - x0) +
                         (sn_lane_nodes_at(b->d, node[n], i) - d0);
    }
    SN_UNROLLED
    for (int n = 1; n < SN_NODES; n++) x[n] = sn_lane3_from_registers(near[n]);
}

#ifndef SN_SOLVED

#ifndef SN_STRUCTURED

/* The matrix J W J^T of the rows, upper half. */
SN_INLINE void add_masses(const sn_real *shape, const sn_lane3 f[3], sn_lane3 p[SN_ROWS][3],
                          sn_lane a[SN_ROWS][SN_ROWS]) {
    (void)f;
    for (int i = 0; i < SN_ROWS; i++) {
        sn_lane3 pw[3];
        weigh(shape, p[i], pw);
        for (int j = i; j < SN_ROWS; j++) a[i][j] += all_dot(pw, p[j]);
    }
}

#endif

SN_INLINE void solve_tet(const group *t, const int keep, sn_lane lambda[SN_ROWS], sn_lane3 s[3]) {
    sn_lane3 p[SN_ROWS][3];
    sn_lane value[SN_ROWS], a[SN_ROWS][SN_ROWS], step[SN_ROWS];
    formula(t->f, t->own, value, p);
    for (int i = 0; i < SN_ROWS; i++)
        for (int j = i; j < SN_ROWS; j++) a[i][j] = sn_lane_all(0);
    add_masses(t->shape, t->f, p, a);
    for (int i = 0; i < SN_ROWS; i++) {
        sn_lane error = value[i], alpha = own_row(t->alpha, i);
        if (keep) error += alpha * lambda[i];
        a[i][i] += alpha;
        step[i] = -error * sn_lane_load(t->relax);
    }
    solve(a, step);
    for (int i = 0; keep && i < SN_ROWS; i++) lambda[i] += step[i];
    for (int j = 0; j < 3; j++) {
        s[j] = sn_lane3_scale(step[0], p[0][j]);
        for (int r = 1; r < SN_ROWS; r++)
            s[j] = sn_lane3_add(s[j], sn_lane3_scale(step[r], p[r][j]));
    }
}

#endif

/* Adds the corrections of all nodes. They are made before the first is written: the compiler cannot
   know that writing a node changes neither coefficients nor indices. */
SN_INLINE void scatter(const sn_batch *b, const block *k, size_t lane, const sn_lane3 g[SN_NODES]) {
    sn_v4 add[SN_NODES][SN_LANES];
    int32_t node[SN_NODES][SN_LANES];
    SN_UNROLLED
    for (int n = 0; n < SN_NODES; n++) {
        sn_lane3_to_nodes(sn_lane3_scale(sn_lane_load(k->w[n] + lane), g[n]), add[n]);
        sn_lane_offsets(k->node[n] + lane, node[n]);
    }
    SN_UNROLLED
    for (int n = 0; n < SN_NODES; n++) {
        for (size_t i = 0; i < SN_LANES; i++) add[n][i] = sn_at(b->out, node[n][i]) + add[n][i];
        for (size_t i = 0; i < SN_LANES; i++) *sn_in(b->out, node[n][i]) = add[n][i];
    }
}

SN_INLINE const block *block_at(const sn_batch *b, size_t slot) {
    return (const block *)b->block + slot / SN_BLOCK;
}

/* s = sum_r dlambda_r dC_r/dF of a group from its positions. */
SN_INLINE void respond(const sn_batch *b, size_t slot, const sn_lane3 x[SN_NODES], const int keep,
                       sn_lane3 s[3]) {
    const block *k = block_at(b, slot);
    size_t lane = slot % SN_BLOCK;
    group t = {.shape = k->shape[0] + lane,
               .alpha = k->alpha[0] + lane,
               .own = k->own[0] + lane,
               .relax = k->relax + lane};
    sn_lane lambda[SN_ROWS];
    for (int i = 0; i < SN_ROWS; i++) lambda[i] = sn_lane_all(0);
    if (keep && !b->first) sn_load_rows(SN_ROWS, b->lambda, slot, lambda);
    deform(t.shape, x, t.f);
    solve_tet(&t, keep, lambda, s);
    if (keep) sn_store_rows(SN_ROWS, b->lambda, slot, lambda);
}

/* The nodes are pulled by s. */
SN_INLINE void apply(const sn_batch *b, size_t slot, const sn_lane3 s[3]) {
    const block *k = block_at(b, slot);
    sn_lane3 g[SN_NODES];
    pull(k->shape[0] + slot % SN_BLOCK, s, g);
    scatter(b, k, slot % SN_BLOCK, g);
}

/* Within a colour, whose lanes are several, the next group may be gathered before this one is
   scattered: its loads then hide how long divisions take. One by one, constraints may share nodes,
   and each must see the one before. */
SN_LOOP void project_range(const sn_batch *b, size_t begin, size_t end, const int keep) {
    /* A copy, of which the compiler knows that writing nodes does not change it. */
    const sn_batch mine = *b;
    sn_lane3 x[SN_NODES], s[3];
    if (begin < end) gather(&mine, block_at(&mine, begin), begin % SN_BLOCK, x);
    for (size_t slot = begin; slot < end; slot += SN_LANES) {
        /* Without asking whether there is a next one, its loads can be laid anywhere. */
        size_t next = slot + SN_LANES < end ? slot + SN_LANES : slot;
        respond(&mine, slot, x, keep, s);
        if (SN_LANES == 1) apply(&mine, slot, s);
        gather(&mine, block_at(&mine, next), next % SN_BLOCK, x);
        if (SN_LANES > 1) apply(&mine, slot, s);
    }
}

/* Rows have compliances of their own, so there is no harder loop. */
static void compliant(const sn_batch *b, size_t begin, size_t end) {
    project_range(b, begin, end, 0);
}
static void compliant_kept(const sn_batch *b, size_t begin, size_t end) {
    project_range(b, begin, end, 1);
}

/* ---- The dashpots ---- */

#ifdef SN_VISCOUS

enum { DASHPOTS = 6 };

/* dE/dF by columns. */
SN_INLINE void rate_rows(const group *t, sn_lane3 p[DASHPOTS][3]) {
    sn_lane3 none = {sn_lane_all(0), sn_lane_all(0), sn_lane_all(0)};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            p[i][j] = i == j ? t->f[i] : none;
            /* Row 3 + i is that of the other two axes. */
            p[3 + i][j] = i == j ? none : t->f[3 - i - j];
        }
}

/* Hooke's law: alpha has 1/E, -nu/E and 1/G of the viscosities. */
SN_INLINE void add_compliance(const sn_real *alpha, const sn_lane kept[DASHPOTS],
                              sn_lane a[DASHPOTS][DASHPOTS], sn_lane error[DASHPOTS]) {
    sn_lane along = own_row(alpha, 0), across = own_row(alpha, 1), shear = own_row(alpha, 2);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) error[i] += (i == j ? along : across) * kept[j];
        for (int j = i; j < 3; j++) a[i][j] += i == j ? along : across;
        error[3 + i] += shear * kept[3 + i];
        a[3 + i][3 + i] += shear;
    }
}

#else

enum { DASHPOTS = SN_ROWS };

SN_INLINE void rate_rows(const group *t, sn_lane3 p[DASHPOTS][3]) {
    sn_lane value[SN_ROWS];
    formula(t->f, t->own, value, p);
}

SN_INLINE void add_compliance(const sn_real *alpha, const sn_lane kept[DASHPOTS],
                              sn_lane a[DASHPOTS][DASHPOTS], sn_lane error[DASHPOTS]) {
    for (int i = 0; i < DASHPOTS; i++) {
        error[i] += own_row(alpha, i) * kept[i];
        a[i][i] += own_row(alpha, i);
    }
}

#endif

/* v += W J^T step */
SN_INLINE void push(const sn_dashpots *d, const block *k, size_t lane, sn_lane3 p[DASHPOTS][3],
                    const sn_lane step[DASHPOTS]) {
    sn_lane3 s[3], g[SN_NODES];
    for (int j = 0; j < 3; j++) {
        s[j] = sn_lane3_scale(step[0], p[0][j]);
        for (int r = 1; r < DASHPOTS; r++)
            s[j] = sn_lane3_add(s[j], sn_lane3_scale(step[r], p[r][j]));
    }
    sn_lane any = step[0] * step[0];
    for (int r = 1; r < DASHPOTS; r++) any = sn_lane_max(any, step[r] * step[r]);
    pull(k->shape[0] + lane, s, g);
    for (int n = 0; n < SN_NODES; n++) {
        sn_lane w = sn_gather_w(d, k->node[n] + lane);
        sn_add_velocity(d->v, k->node[n] + lane, w * any, sn_lane3_scale(w, g[n]));
    }
}

/* J W J^T, upper half, with the inverse masses that nodes have rather than those of the block. */
SN_INLINE void weigh_dashpots(const sn_dashpots *d, const block *k, size_t lane,
                              sn_lane3 p[DASHPOTS][3], sn_lane a[DASHPOTS][DASHPOTS]) {
    sn_lane w[SN_NODES];
    sn_lane3 g[DASHPOTS][SN_NODES];
    for (int n = 0; n < SN_NODES; n++) w[n] = sn_gather_w(d, k->node[n] + lane);
    for (int i = 0; i < DASHPOTS; i++) pull(k->shape[0] + lane, p[i], g[i]);
    for (int i = 0; i < DASHPOTS; i++)
        for (int j = i; j < DASHPOTS; j++) {
            a[i][j] = w[0] * sn_lane3_dot(g[i][0], g[j][0]);
            for (int n = 1; n < SN_NODES; n++) a[i][j] += w[n] * sn_lane3_dot(g[i][n], g[j][n]);
        }
}

static void damp(const sn_dashpots *d, size_t begin, size_t end) {
    for (size_t slot = begin; slot < end; slot += SN_LANES) {
        const block *k = block_at(&d->at, slot);
        const sn_real *alpha = d->alpha + slot / SN_BLOCK * DASHPOTS * SN_BLOCK + slot % SN_BLOCK;
        size_t lane = slot % SN_BLOCK;
        group t = {.shape = k->shape[0] + lane, .own = k->own[0] + lane};
        sn_lane3 x[SN_NODES], v[SN_NODES], p[DASHPOTS][3], change[3];
        sn_lane kept[DASHPOTS], step[DASHPOTS], a[DASHPOTS][DASHPOTS];
        gather(&d->at, k, lane, x);
        deform(t.shape, x, t.f);
        rate_rows(&t, p);
        sn_load_rows(DASHPOTS, d->impulse, slot, kept);
        if (d->warm) {
            push(d, k, lane, p, kept);
            continue;
        }
        for (int n = 0; n < SN_NODES; n++) v[n] = sn_gather_velocity(d->v, k->node[n] + lane);
        for (int n = 1; n < SN_NODES; n++) v[n] = sn_lane3_sub(v[n], v[0]);
        deform(t.shape, v, change);
        weigh_dashpots(d, k, lane, p, a);
        for (int i = 0; i < DASHPOTS; i++) step[i] = all_dot(p[i], change);
        add_compliance(alpha, kept, a, step);
        for (int i = 0; i < DASHPOTS; i++) step[i] = -step[i];
        sn_solve_rows(DASHPOTS, DASHPOTS, a[0], step);
        sn_lane without = own_row(alpha, 0);
        for (int i = 0; i < DASHPOTS; i++) {
            if (DASHPOTS == SN_ROWS) without = own_row(alpha, i);
            step[i] = sn_damped_step(without, kept[i], step[i]);
            kept[i] += step[i];
        }
        sn_store_rows(DASHPOTS, d->impulse, slot, kept);
        push(d, k, lane, p, step);
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
    sn_lane3 x[SN_NODES], f[3], p[SN_ROWS][3], g[SN_NODES];
    gather(b, k, lane, x);
    deform(k->shape[0] + lane, x, f);
    formula(f, k->own[0] + lane, value, p);
    for (int r = 0; gradient && r < SN_ROWS; r++) {
        pull(k->shape[0] + lane, p[r], g);
        for (int n = 0; n < SN_NODES; n++)
            gradient[r * SN_NODES + n] = (sn_vec3){g[n].x, g[n].y, g[n].z};
    }
}

/* Coefficients from the shape, the compliances of the rows, in C^2/J, and the type's own ones. */
static void derive_tet(const sn_derivation *from,
                       double (*compliance_of)(const sn_real *parameter, int row),
                       const sn_real own[SN_OWN], sn_real *coefficient) {
    sn_real *out = coefficient;
    for (int n = 0; n < SN_NODES; n++) *out++ = from->w[n];
    derive_shape(from, out);
    out += TET_COEFFICIENTS;
    for (int r = 0; r < SN_ROWS; r++) {
        double alpha = compliance_of(from->parameter, r) / (from->h * from->h);
        *out++ = (sn_real)(alpha < SN_MOST_ALPHA ? alpha : SN_MOST_ALPHA);
    }
    for (int i = 0; i < SN_OWN; i++) *out++ = own[i];
    *out = from->relax;
}

#endif
