/*
 * The numbers of a direct solve (tree_solver.h), in double.
 *
 * Unknowns are moves y = M^(1/2) dx, so that masses of any ratio do no harm and what is fixed has a
 * column of zeros in J' = J M^(-1/2). With the links below a node and then the node itself gone,
 *
 *   D_u = 1 + sum of J_e^T S_e^-1 J_e         g_u = sum of J_e^T S_e^-1 s_e, over children e
 *   S_e = alpha + J_eu D_u^-1 J_eu^T          s_e = -(C + alpha lambda) - J_eu D_u^-1 g_u
 *
 * for a link e between u and its parent v, and on the way back
 *
 *   lambda_e = S_e^-1 (s_e - J_ev y_v)        y_u = D_u^-1 (g_u + J_eu^T lambda_e)
 *
 * A link that is pulled turns back what moves its ends sideways, the more the harder it is pulled:
 * K = -lambda hess C, of which a substep that knows J alone makes waves that grow where a chain
 * carries much more than it weighs. Of rows between two points it is k (1 - n n^T) for both ends
 * and its negative between them, k = -lambda |grad C| / L with the force of the substep before. It
 * is added to the mass of the nodes where it is positive: with K_uv = D_u^(1/2) Z,
 *
 *   D_u += K_uu      D_v += K_vv - Z^T Z      J_ev -= J_eu D_u^-1 K_uv      g_v -= K_vu D_u^-1 g_u
 *
 * D and S are positive definite, except that a hard link to something fixed has S = 0, where both
 * ends of a chain are held. So a hard row has the part EPSILON of its J J^T: a compliance that lets
 * a link stretch by a millionth of what its force would move its nodes in a substep. What
 * contradicts itself, such as a hard chain that is too short for its ends, then has the solution of
 * least squares. A row that has a compliance has that alone, however small it is beside a light
 * node: short segments of a wire, which are light and stiff, add up to the whole of it. Only what
 * rounding would swallow is kept away from.
 */
#include "math/quaternion.h"
#include "math/root.h"
#include "step/step.h"
#include "step/tree_solver.h"

#include <string.h>

#define EPSILON 1e-6
#define LEAST_COMPLIANCE 1e-12
/* Below this part of its diagonal a pivot is rounding. */
#define LEAST_PIVOT 1e-14
/* rad, the most that a frame is turned by at once: all steps of its tree are then shorter. */
#define MOST_TURN 0.5

enum { NONE = SN_LINK_NONE, ROWS = SN_LINK_ROWS, PASSES = 8, ROUNDS = 8 };

typedef struct solve {
    sn_step *step;
    sn_trees *trees;
    sn_masses masses;
    bool first;
} solve;

/* ---- Small systems ---- */

/* The Cholesky factor of the lower half, with one over the pivots on its diagonal. A row that
   depends on those before it has the pivot zero, and no part in the solution. */
SN_INLINE void factorize(sn_tree_block m, const int n) {
    for (int j = 0; j < n; j++) {
        double sum = m[j][j];
        for (int k = 0; k < j; k++) sum -= m[j][k] * m[j][k];
        double pivot = sum > LEAST_PIVOT * m[j][j] ? 1 / __builtin_sqrt(sum) : 0;
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++) m[i][j] -= m[i][k] * m[j][k];
            m[i][j] *= pivot;
        }
        m[j][j] = pivot;
    }
}

SN_INLINE void solve_lower(sn_tree_block m, const int n, double *x) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= m[i][k] * x[k];
        x[i] *= m[i][i];
    }
}

static void solve_upper(sn_tree_block m, int n, double *x) {
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= m[k][i] * x[k];
        x[i] *= m[i][i];
    }
}

SN_INLINE double dot(const double *a, const double *b, const int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

/* sum += factor a */
SN_INLINE void add(double *sum, double factor, const double *a, const int n) {
    for (int k = 0; k < n; k++) sum[k] += factor * a[k];
}

/* ---- What constraints say ---- */

static double alpha_of(const sn_world *world, const sn_store *store, const sn_real *parameter,
                       int row) {
    if (world->scale.model == SN_MODEL_PBD) return 0;
    double (*own)(const sn_real *, int) = store->type->compliance;
    double c = own ? own(parameter, row) : (double)parameter[SN_PARAMETER_COMPLIANCE];
    double alpha = c / (world->scale.h * world->scale.h);
    return alpha < SN_MOST_ALPHA ? alpha : SN_MOST_ALPHA;
}

/* k' of the 2007 model, section 3.3. */
static double relax_of(const sn_world *world, const sn_real *parameter) {
    double k = (double)parameter[SN_PARAMETER_STIFFNESS];
    if (world->scale.model != SN_MODEL_PBD || !(k < 1)) return 1;
    return 1 - sn_root(1 - k, world->scale.iterations);
}

static void old_lambda(const solve *s, const sn_store *store, sn_place place,
                       double lambda[SN_MAX_ROWS]) {
    for (int i = 0; i < SN_MAX_ROWS; i++) lambda[i] = 0;
    if (store->kept && !s->first) sn_store_lambda(store, place, lambda);
}

/* Gradients of a row by one of its nodes, in units of moves. */
static void weigh(const sn_vec3 *gradient, const sn_constraint_type *type, int member,
                  const sn_tree_link *link, double *to) {
    sn_vec3 g = gradient[member];
    to[0] = (double)g.x * link->w[0];
    to[1] = (double)g.y * link->w[1];
    to[2] = (double)g.z * link->w[2];
    if (link->columns == 3) return;
    sn_vec3 t = {0, 0, 0};
    if (member < type->info.frames) t = gradient[type->info.nodes + member];
    to[3] = (double)t.x * link->w[3];
    to[4] = (double)t.y * link->w[4];
    to[5] = (double)t.z * link->w[5];
}

/* Which way the multiplier of a one-sided constraint must not go; 0 where it may go both. */
static double wrong_way(const sn_real *parameter) {
    sn_side side = (sn_side)parameter[SN_PARAMETER_SIDE];
    return side == SN_SIDE_AT_MOST ? 1 : side == SN_SIDE_AT_LEAST ? -1 : 0;
}

/* The most that a multiplier may be, either way: that of a drive has its largest force. */
static double most_of(const sn_world *world, const sn_store *store, const sn_real *parameter) {
    if (!sn_trees_is_drive(store->type)) return SN_REAL_MAX;
    double most = (double)parameter[store->parameters - store->type->measured - 1];
    return most == (double)SN_AUTO ? SN_REAL_MAX : most * world->scale.h * world->scale.h;
}

/* Where a row rests: at no force, and a drive at its largest one, which way it wanted to go. */
static double resting(double most, double sum) {
    return most < (double)SN_REAL_MAX ? (sum < 0 ? -most : most) : 0;
}

/* Rows of a link as they are now. */
typedef struct rows {
    sn_tree_block near, far;                     /* gradients by its node and by the parent */
    double error[ROWS], alpha[ROWS], back[ROWS]; /* back: what takes lambda to where it rests */
    double k, n[3]; /* of a row between two points: how stiff it is across, and its direction */
    double turned[2][3][3]; /* of joints: the stiffness that turns both frames back */
} rows;

/* How stiff a row between two points is across them, by the force that it has or had. */
static void see_stiffness(const sn_batch *batch, sn_members members, const sn_vec3 *gradient,
                          sn_tree_link *link, rows *r) {
    double g = 0, square = 0;
    int32_t a = sn_member(members, 0), b = sn_member(members, 1);
    const sn_vec4 *x = batch->x, *d = batch->d;
    double along[3] = {(double)(x[b].x - x[a].x) + (double)(d[b].x - d[a].x),
                       (double)(x[b].y - x[a].y) + (double)(d[b].y - d[a].y),
                       (double)(x[b].z - x[a].z) + (double)(d[b].z - d[a].z)};
    r->n[0] = (double)gradient[1].x;
    r->n[1] = (double)gradient[1].y;
    r->n[2] = (double)gradient[1].z;
    for (int k = 0; k < 3; k++) {
        g += r->n[k] * r->n[k];
        square += along[k] * along[k];
    }
    if (!(g > 0 && square > 0)) return;
    g = __builtin_sqrt(g);
    for (int k = 0; k < 3; k++) r->n[k] /= g;
    link->across = g / __builtin_sqrt(square);
    r->k = link->tension * link->across;
}

/*
 * A joint that pulls with J at an arm r turns a frame back which turns by u, with K u,
 *
 *   K = (r . J) 1 - (r J^T + J r^T) / 2
 *
 * of which this is no less and has no negative part; both in the frame.
 */
static void see_turned(const sn_world *world, int32_t frame, const sn_real *anchor,
                       const double pull[3], double k[3][3]) {
    sn_v4 q = *(const sn_v4 *)&world->frames.q[frame];
    sn_v4 in_world = {(sn_real)pull[0], (sn_real)pull[1], (sn_real)pull[2], 0};
    sn_v4 own = sn_quat_rotate_back(q, in_world);
    double r[3], j[3], along = 0, arm = 0, size = 0;
    for (int a = 0; a < 3; a++) {
        r[a] = (double)anchor[a];
        j[a] = (double)own[a];
        along += r[a] * j[a];
        arm += r[a] * r[a];
        size += j[a] * j[a];
    }
    if (!(arm > 0 && size > 0)) return;
    arm = __builtin_sqrt(arm);
    size = __builtin_sqrt(size);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double middle = (r[a] / arm + j[a] / size) * (r[b] / arm + j[b] / size);
            k[a][b] += arm * size * ((a == b) * 0.5 - 0.25 * middle) + (a == b) * 0.5 * along;
        }
}

/* The same of a joint with the multipliers that it has or had, for both ends of its link. */
SN_NOINLINE static void see_joint_turned(const solve *s, const sn_tree_part *part,
                                         const sn_tree_link *link, const sn_vec3 *gradient,
                                         const double lambda[SN_MAX_ROWS], rows *r) {
    const sn_store *store = &s->step->world->store[part->store];
    const sn_type_info *info = &store->type->info;
    const sn_real *anchors = sn_store_parameters(store, part->place) + store->type->anchors;
    for (int end = 0; end < 2; end++) {
        int member = part->member[end];
        bool near = end == link->end;
        if (member < 0 || (!near && link->parent == NONE)) continue;
        const sn_tree_link *at = near ? link : s->trees->link + link->parent;
        double pull[3] = {0, 0, 0};
        if (at->frame == NONE) continue;
        for (int i = 0; i < info->rows; i++) {
            sn_vec3 g = gradient[i * (info->nodes + info->frames) + member];
            pull[0] += lambda[i] * (double)g.x;
            pull[1] += lambda[i] * (double)g.y;
            pull[2] += lambda[i] * (double)g.z;
        }
        see_turned(s->step->world, at->frame, anchors + 3 * member, pull, r->turned[!near]);
    }
}

static void see_part(const solve *s, const sn_tree_part *part, sn_tree_link *link, int row,
                     rows *r) {
    const sn_world *world = s->step->world;
    const sn_store *store = &world->store[part->store];
    const sn_constraint_type *type = store->type;
    const sn_real *parameter = sn_store_parameters(store, part->place);
    const sn_tree_link *parent = link->parent == NONE ? NULL : s->trees->link + link->parent;
    sn_batch batch = sn_step_batch(world, store, part->place.colour);
    sn_real value[SN_MAX_ROWS];
    sn_vec3 gradient[ROWS * SN_MAX_INDICES];
    double lambda[SN_MAX_ROWS], last[SN_MAX_ROWS] = {0}, relax = relax_of(world, parameter);
    double wrong = wrong_way(parameter), most = most_of(world, store, parameter);
    type->evaluate(&batch, part->place.position, value, gradient);
    old_lambda(s, store, part->place, lambda);
    if (store->kept) sn_store_lambda(store, part->place, last);
    if (type->anchors > 0) see_joint_turned(s, part, link, gradient, last, r);
    for (int i = 0; i < type->info.rows; i++, row++) {
        const sn_vec3 *g = gradient + i * (type->info.nodes + type->info.frames);
        if (link->columns) weigh(g, type, part->member[link->end], link, r->near[row]);
        if (parent) weigh(g, type, part->member[!link->end], parent, r->far[row]);
        r->alpha[row] = alpha_of(world, store, parameter, i);
        r->error[row] = relax * ((double)value[i] + r->alpha[row] * lambda[i]);
        double rest = resting(most, lambda[i] + link->lambda[row]);
        r->back[row] = part->off ? 0 : rest - lambda[i];
        /* What is slack, and had no force, rests. */
        if (part->off || (wrong != 0 && last[i] == 0 && !(wrong * r->error[row] > 0)))
            link->idle |= 1u << row;
        if (!sn_trees_are_stiff(type) || link->rows > 1 || link->idle & 1) continue;
        if (-last[i] > link->tension) link->tension = -last[i];
        see_stiffness(&batch, sn_store_members(store, part->place), gradient, link, r);
    }
}

/* Rows from the last part to the first, as they are linked. */
static void see_rows(const solve *s, sn_tree_link *link, rows *r) {
    int row = 0;
    memset(r, 0, sizeof *r);
    for (int32_t p = link->part; p != NONE; p = s->trees->part[p].next) {
        see_part(s, &s->trees->part[p], link, row, r);
        row += s->step->world->store[s->trees->part[p].store].type->info.rows;
    }
}

/* ---- Elimination and the way back ---- */

static void begin(const solve *s, sn_tree_link *link) {
    memset(link->mass, 0, sizeof link->mass);
    memset(link->w, 0, sizeof link->w);
    memset(link->pull, 0, sizeof link->pull);
    memset(link->move, 0, sizeof link->move);
    for (int k = 0; k < link->columns; k++) link->mass[k][k] = 1;
    for (int k = 0; k < 3 && link->node != NONE; k++)
        link->w[k] = __builtin_sqrt((double)s->masses.w[link->node]);
    if (link->frame == NONE) return;
    sn_vec4 w = s->masses.turn_w[link->frame];
    link->w[3] = __builtin_sqrt((double)w.x);
    link->w[4] = __builtin_sqrt((double)w.y);
    link->w[5] = __builtin_sqrt((double)w.z);
}

/* Rows that rest have no part in it, but for what takes their forces back. */
static void rest_rows(const rows *r, sn_tree_link *link, sn_tree_link *parent) {
    for (int i = 0; i < link->rows; i++) {
        if (!(link->idle >> i & 1)) continue;
        add(link->pull, r->back[i], r->near[i], link->columns);
        if (parent) add(parent->pull, r->back[i], r->far[i], parent->columns);
    }
}

/* What turns a frame back is added to its inertia. */
static void stiffen_frame(const double k[3][3], sn_tree_link *link) {
    for (int a = 0; link && link->columns == ROWS && a < 3; a++)
        for (int b = 0; b < 3; b++)
            link->mass[3 + a][3 + b] += link->w[3 + a] * link->w[3 + b] * k[a][b];
}

/* The stiffness across a link: into the masses of both nodes, and between them. */
static void stiffen(const rows *r, sn_tree_link *link, sn_tree_link *parent) {
    stiffen_frame(r->turned[0], link);
    stiffen_frame(r->turned[1], parent);
    double u = link->w[0], v = parent ? parent->w[0] : 0;
    memset(link->stiff, 0, sizeof link->stiff);
    for (int a = 0; r->k > 0 && a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double t = r->k * ((a == b) - r->n[a] * r->n[b]);
            link->mass[a][b] += u * u * t;
            link->stiff[a][b] = -u * v * t;
            if (parent) parent->mass[a][b] += v * v * t;
        }
}

/* What of it is left for the parent when the node is gone. */
static void pass_stiffness(sn_tree_link *link, sn_tree_link *parent) {
    int columns = link->columns;
    for (int a = 0; parent && a < 3; a++) {
        solve_lower(link->mass, columns, link->stiff[a]);
        for (int b = 0; b <= a; b++)
            parent->mass[a][b] -= dot(link->stiff[a], link->stiff[b], columns);
        parent->pull[a] -= dot(link->stiff[a], link->pull, columns);
        for (int i = 0; i < link->rows; i++)
            link->far[i][a] -= dot(link->near[i], link->stiff[a], columns);
    }
}

/*
 * What takes the rows of a link and its node out, and adds to the parent what is left of them. The
 * numbers of rows and columns are known to the compiler where they are usual, and it works on
 * copies, of which it knows that they are not the same.
 */
SN_INLINE void reduce(const rows *r, sn_tree_link *link, sn_tree_link *parent, const int n,
                      const int columns, const int above) {
    sn_tree_block mass, near, far, system;
    memcpy(mass, link->mass, sizeof mass);
    memcpy(near, r->near, sizeof near);
    memcpy(far, r->far, sizeof far);
    factorize(mass, columns);
    solve_lower(mass, columns, link->pull);
    for (int i = 0; i < n; i++) {
        if (link->idle >> i & 1) {
            memset(near[i], 0, sizeof near[i]);
            memset(far[i], 0, sizeof far[i]);
            for (int j = 0; j < i; j++) system[i][j] = 0;
            system[i][i] = 1;
            link->error[i] = r->back[i];
            continue;
        }
        double all = dot(near[i], near[i], columns) + dot(far[i], far[i], above);
        solve_lower(mass, columns, near[i]);
        for (int j = 0; j <= i; j++) system[i][j] = dot(near[i], near[j], columns);
        double least = (r->alpha[i] > 0 ? LEAST_COMPLIANCE : EPSILON) * all;
        system[i][i] += r->alpha[i] > least ? r->alpha[i] : least;
        link->error[i] = -r->error[i] - dot(near[i], link->pull, columns);
    }
    memcpy(link->mass, mass, sizeof mass);
    memcpy(link->near, near, sizeof near);
    if (r->k > 0) {
        memcpy(link->far, far, sizeof far);
        pass_stiffness(link, parent);
        memcpy(far, link->far, sizeof far);
    }
    factorize(system, n);
    solve_lower(system, n, link->error);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) add(far[i], -system[i][k], far[k], above);
        for (int c = 0; c < above; c++) far[i][c] *= system[i][i];
        for (int c = 0; c < above; c++) add(parent->mass[c], far[i][c], far[i], c + 1);
        if (parent) add(parent->pull, link->error[i], far[i], above);
    }
    memcpy(link->far, far, sizeof far);
    for (int i = 0; i < n; i++)
        memcpy(link->system[i], system[i], (size_t)(i + 1) * sizeof **system);
}

static void eliminate(const solve *s, sn_tree_link *link) {
    sn_tree_link *parent = link->parent == NONE ? NULL : s->trees->link + link->parent;
    int n = link->rows, columns = link->columns, above = parent ? parent->columns : 0;
    rows r;
    see_rows(s, link, &r);
    rest_rows(&r, link, parent);
    stiffen(&r, link, parent);
    /* A segment of a rod with its joint, and any other. */
    if (n == ROWS && columns == ROWS && above == ROWS)
        reduce(&r, link, parent, ROWS, ROWS, ROWS);
    else
        reduce(&r, link, parent, n, columns, above);
}

static void substitute(const solve *s, sn_tree_link *link) {
    const sn_tree_link *parent = link->parent == NONE ? NULL : s->trees->link + link->parent;
    for (int i = 0; i < link->rows; i++)
        link->lambda[i] =
            link->error[i] - (parent ? dot(link->far[i], parent->move, parent->columns) : 0);
    solve_upper(link->system, link->rows, link->lambda);
    for (int c = 0; c < link->columns; c++) link->move[c] = link->pull[c];
    for (int a = 0; parent && a < 3; a++)
        add(link->move, -parent->move[a], link->stiff[a], link->columns);
    for (int i = 0; i < link->rows; i++)
        add(link->move, link->lambda[i], link->near[i], link->columns);
    solve_upper(link->mass, link->columns, link->move);
}

/* Whether a link is pulled so much harder than it was that its stiffness across is another. */
static bool is_jerked(const solve *s, sn_tree_link *link, double tension) {
    double u = link->w[0], v = link->parent == NONE ? 0 : s->trees->link[link->parent].w[0];
    double k = link->across * (u > v ? u * u : v * v);
    if (!(tension > 2 * link->tension) || !(k * (tension - link->tension) > 0.25)) return false;
    link->tension = tension;
    return true;
}

/* Whether there must be another pass: one-sided rows that would go the wrong way rest in it. */
static bool is_unfinished(const solve *s, sn_tree_link *link) {
    const sn_world *world = s->step->world;
    int row = 0;
    bool more = false;
    for (int32_t p = link->part; p != NONE; p = s->trees->part[p].next) {
        const sn_tree_part *part = &s->trees->part[p];
        const sn_store *store = &world->store[part->store];
        double wrong = wrong_way(sn_store_parameters(store, part->place)), lambda[SN_MAX_ROWS];
        old_lambda(s, store, part->place, lambda);
        for (int i = 0; i < store->type->info.rows; i++, row++) {
            double sum = lambda[i] + link->lambda[row];
            if (link->idle >> row & 1) continue;
            more |= is_jerked(s, link, -sum);
            double most = most_of(world, store, sn_store_parameters(store, part->place));
            if (!(wrong * sum > 0) && !(sum > most) && !(-sum > most)) continue;
            link->idle |= 1u << row;
            more = true;
        }
    }
    return more;
}

/* ---- What comes of it ---- */

/* Which part of the step is taken: all of it, unless a frame would turn too far. */
static double limit_turns(const sn_tree_link *link, sn_link_tree tree) {
    double most = MOST_TURN * MOST_TURN;
    for (uint32_t i = tree.begin; i < tree.end; i++, link++) {
        double square = 0;
        for (int k = 3; k < link->columns; k++)
            square += link->w[k] * link->move[k] * (link->w[k] * link->move[k]);
        if (square > most) most = square;
    }
    return MOST_TURN / __builtin_sqrt(most);
}

static void keep_lambda(const solve *s, const sn_tree_link *link, double portion) {
    const sn_world *world = s->step->world;
    int row = 0;
    for (int32_t p = link->part; p != NONE; p = s->trees->part[p].next) {
        const sn_tree_part *part = &s->trees->part[p];
        const sn_store *store = &world->store[part->store];
        double lambda[SN_MAX_ROWS], scale = 1;
        old_lambda(s, store, part->place, lambda);
        if (store->type->scaled) scale = -(double)*sn_store_pivot(store, part->place);
        sn_real *kept = sn_store_kept(store, part->place);
        for (int i = 0; i < store->type->info.rows; i++, row++)
            if (store->kept && scale != 0 && !part->off)
                kept[i] = (sn_real)((lambda[i] + portion * link->lambda[row]) / scale);
    }
}

static void move_node(const sn_world *world, const sn_tree_link *link, double portion) {
    sn_v4 by[2] = {{0}, {0}};
    for (int k = 0; k < link->columns; k++)
        by[k / 3][k % 3] = (sn_real)(portion * link->w[k] * link->move[k]);
    if (link->w[0] > 0) ((sn_v4 *)world->nodes.d)[link->node] += by[0];
    if (link->frame == NONE || link->w[3] + link->w[4] + link->w[5] == 0) return;
    sn_v4 *q = (sn_v4 *)world->frames.q + link->frame;
    *q = sn_quat_turn(*q, by[1]);
    ((sn_v4 *)world->frames.turn)[link->frame] += by[1];
}

static bool is_awake(const sn_world *world, const sn_trees *trees, sn_link_tree tree) {
    if (world->sleep.count == 0) return true;
    const sn_tree_link *link = trees->link + tree.begin;
    if (link->part == NONE) link++;
    const sn_tree_part *part = &trees->part[link->part];
    return sn_colour_is_awake(&world->store[part->store].colour[part->place.colour],
                              part->place.position);
}

/* Solves a tree as it is now, and goes there as far as turns allow. Returns that part. */
static double go_to_solution(const solve *s, sn_link_tree tree) {
    sn_tree_link *link = s->trees->link;
    bool again = true;
    for (uint32_t i = tree.begin; i < tree.end; i++) {
        link[i].idle = 0;
        link[i].tension = link[i].across = 0;
    }
    for (int pass = 0; again && pass < PASSES; pass++) {
        again = false;
        for (uint32_t i = tree.begin; i < tree.end; i++) begin(s, &link[i]);
        for (uint32_t i = tree.end; i-- > tree.begin;) eliminate(s, &link[i]);
        for (uint32_t i = tree.begin; i < tree.end; i++) substitute(s, &link[i]);
        for (uint32_t i = tree.begin; i < tree.end; i++) again |= is_unfinished(s, &link[i]);
    }
    double portion = limit_turns(link + tree.begin, tree);
    for (uint32_t i = tree.begin; i < tree.end; i++) {
        keep_lambda(s, &link[i], portion);
        if (link[i].node != NONE) move_node(s->step->world, &link[i], portion);
    }
    return portion;
}

/* What turns far is not there at once, and what is left of it would be a speed. */
static void solve_tree(const solve *s, sn_link_tree tree) {
    solve now = *s;
    if (!is_awake(s->step->world, s->trees, tree)) return;
    sn_tree_turn_frames(s->step->world, tree);
    for (int round = 0; round < ROUNDS && go_to_solution(&now, tree) < 1; round++)
        now.first = false;
}

static void solve_range(void *context, size_t first, size_t end) {
    const solve *s = context;
    for (size_t i = first; i < end; i++) solve_tree(s, s->trees->tree[i]);
}

/* What broke in this step has no effect any more. */
static void drop_broken(const sn_world *world, sn_trees *trees) {
    for (; trees->breaks_seen < world->output.breaks; trees->breaks_seen++) {
        uint32_t broken = world->output.broken[trees->breaks_seen].constraint.slot - 1;
        for (size_t i = 0; i < trees->parts; i++)
            if (trees->part[i].constraint == broken) trees->part[i].off = true;
    }
}

void sn_trees_solve(sn_step *step, bool first) {
    sn_world *world = step->world;
    sn_trees *trees = &world->scratch.trees;
    if (trees->trees == 0) return;
    drop_broken(world, trees);
    solve s = {step, trees, sn_world_masses(world), first};
    sn_team_run(world->bindings.team, trees->trees, 2, solve_range, &s);
}
