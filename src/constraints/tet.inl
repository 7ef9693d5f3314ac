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
 *   void solve_tet(const group *t, const int softness, const int keep, sn_lane lambda[SN_ROWS],
 *                  sn_lane3 s[3])
 * which adds dlambda to lambda, if it is kept, and gives s = sum_r dlambda_r dC_r/dF. It must give
 * lambda of C as in `formula`, which is used to evaluate.
 *
 * With G = diag(gamma) and both sides divided by 1 + gamma, so that the matrix stays symmetric:
 *   (J W J^T + alpha / (1 + G)) dlambda = -(C + alpha lambda + G J (x - p)) / (1 + G)
 */

#include "constraints/rows.h"

/* Positions of SN_LANES tetrahedra relative to their node 0, as (x_k - x_0) + (d_k - d_0). */
SN_INLINE void gather(const sn_batch *b, const block *k, size_t lane, sn_lane3 x[SN_NODES]) {
    sn_v4 near[SN_NODES][SN_LANES];
    int32_t node[SN_NODES][SN_LANES];
    for (int n = 0; n < SN_NODES; n++) sn_lane_offsets(k->node[n] + lane, node[n]);
    for (size_t i = 0; i < SN_LANES; i++) {
        sn_v4 x0 = sn_at(b->x, node[0][i]), d0 = sn_at(b->d, node[0][i]);
        for (int n = 1; n < SN_NODES; n++)
            near[n][i] = (sn_at(b->x, node[n][i]) - x0) + (sn_at(b->d, node[n][i]) - d0);
    }
    for (int n = 1; n < SN_NODES; n++) x[n] = sn_lane3_from_nodes(near[n]);
}

/* How F has changed in this substep, to first order. */
SN_INLINE void gather_change(const sn_batch *b, const block *k, size_t lane, group *t) {
    sn_v4 from[SN_NODES][SN_LANES];
    sn_lane3 motion[SN_NODES];
    for (size_t i = 0; i < SN_LANES; i++) {
        int32_t zero = k->node[0][lane + i];
        sn_v4 m0 = sn_at(b->d, zero) - sn_at(b->p, zero);
        for (int n = 1; n < SN_NODES; n++) {
            int32_t other = k->node[n][lane + i];
            from[n][i] = (sn_at(b->d, other) - sn_at(b->p, other)) - m0;
        }
    }
    for (int n = 1; n < SN_NODES; n++) motion[n] = sn_lane3_from_nodes(from[n]);
    deform(t->shape, motion, t->change);
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

SN_INLINE void solve_tet(const group *t, const int softness, const int keep,
                         sn_lane lambda[SN_ROWS], sn_lane3 s[3]) {
    sn_lane3 p[SN_ROWS][3];
    sn_lane value[SN_ROWS], a[SN_ROWS][SN_ROWS], step[SN_ROWS];
    formula(t->f, t->own, value, p);
    for (int i = 0; i < SN_ROWS; i++)
        for (int j = i; j < SN_ROWS; j++) a[i][j] = sn_lane_all(0);
    add_masses(t->shape, t->f, p, a);
    for (int i = 0; i < SN_ROWS; i++) {
        sn_lane error = value[i], alpha = own_row(t->alpha, i);
        if (keep) error += alpha * lambda[i];
        if (softness == SN_DAMPED) {
            sn_lane gamma = own_row(t->gamma, i), part = 1 / (1 + gamma);
            error = (error + gamma * all_dot(p[i], t->change)) * part;
            alpha *= part;
        }
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
    for (int n = 0; n < SN_NODES; n++) {
        sn_lane3_to_nodes(sn_lane3_scale(sn_lane_load(k->w[n] + lane), g[n]), add[n]);
        sn_lane_offsets(k->node[n] + lane, node[n]);
    }
    for (int n = 0; n < SN_NODES; n++) {
        for (size_t i = 0; i < SN_LANES; i++) add[n][i] = sn_at(b->out, node[n][i]) + add[n][i];
        for (size_t i = 0; i < SN_LANES; i++) *sn_in(b->out, node[n][i]) = add[n][i];
    }
}

SN_INLINE const block *block_at(const sn_batch *b, size_t slot) {
    return (const block *)b->block + slot / SN_BLOCK;
}

/* s = sum_r dlambda_r dC_r/dF of a group from its positions. */
SN_INLINE void respond(const sn_batch *b, size_t slot, const sn_lane3 x[SN_NODES],
                       const int softness, const int keep, sn_lane3 s[3]) {
    const block *k = block_at(b, slot);
    size_t lane = slot % SN_BLOCK;
    group t = {.shape = k->shape[0] + lane,
               .alpha = k->alpha[0] + lane,
               .own = k->own[0] + lane,
               .relax = k->relax + lane,
               .gamma = k->gamma[0] + lane};
    sn_lane lambda[SN_ROWS];
    for (int i = 0; i < SN_ROWS; i++) lambda[i] = sn_lane_all(0);
    if (keep && !b->first) load_lambda(b, slot, lambda);
    deform(t.shape, x, t.f);
    if (softness == SN_DAMPED) gather_change(b, k, lane, &t);
    solve_tet(&t, softness, keep, lambda, s);
    if (keep) store_lambda(b, slot, lambda);
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
SN_LOOP void project_range(const sn_batch *b, size_t begin, size_t end, const int softness,
                           const int keep) {
    /* A copy, of which the compiler knows that writing nodes does not change it. */
    const sn_batch mine = *b;
    sn_lane3 x[SN_NODES], s[3];
    if (begin < end) gather(&mine, block_at(&mine, begin), begin % SN_BLOCK, x);
    for (size_t slot = begin; slot < end; slot += SN_LANES) {
        /* Without asking whether there is a next one, its loads can be laid anywhere. */
        size_t next = slot + SN_LANES < end ? slot + SN_LANES : slot;
        respond(&mine, slot, x, softness, keep, s);
        if (SN_LANES == 1) apply(&mine, slot, s);
        gather(&mine, block_at(&mine, next), next % SN_BLOCK, x);
        if (SN_LANES > 1) apply(&mine, slot, s);
    }
}

/* Rows have compliances of their own, so there is no harder loop. */
SN_DEFINE_LOOPS(compliant, project_range, SN_COMPLIANT)
SN_DEFINE_LOOPS(damped, project_range, SN_DAMPED)

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {
    {SN_LOOP_PAIR(compliant), SN_LOOP_PAIR(compliant), SN_LOOP_PAIR(damped)},
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
    double damping = (double)from->parameter[SN_PARAMETER_DAMPING];
    double own_time = (double)from->parameter[TET_DAMPING_TIME];
    for (int n = 0; n < SN_NODES; n++) *out++ = from->w[n];
    derive_shape(from, out);
    out += TET_COEFFICIENTS;
    for (int r = 0; r < SN_ROWS; r++) {
        double alpha = compliance_of(from->parameter, r) / (from->h * from->h);
        *out++ = (sn_real)(alpha < SN_MOST_ALPHA ? alpha : SN_MOST_ALPHA);
    }
    for (int i = 0; i < SN_OWN; i++) *out++ = own[i];
    *out++ = from->relax;
    for (int r = 0; r < SN_ROWS; r++) {
        /* Rows that give way not at all are not damped either. */
        double soft = compliance_of(from->parameter, r);
        double gamma = (soft * damping + (soft > 0 ? own_time : 0)) / from->rate_h;
        *out++ = (sn_real)(gamma < SN_MOST_GAMMA ? gamma : SN_MOST_GAMMA);
    }
}

#endif
