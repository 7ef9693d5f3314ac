/*
 * What a single constraint does, for every type: hard it is met, soft it gives way by compliance
 * times force, one-sided it acts on one side only, and it breaks where it is told to.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "recursion.h"
#include "rig.h"

/* Adds the rows of the gradient, times `load`, to the nodes as forces for the next step. */
static void push(rig *r, const rig_value *at, const double load[SN_MAX_ROWS]) {
    for (int k = 0; k < RIG_MAX_COLUMNS; k++) {
        double f[3] = {0, 0, 0};
        for (int row = 0; row < r->info->rows; row++) {
            for (int axis = 0; axis < 3; axis++) {
                f[axis] += load[row] * at->gradient[row][k][axis];
            }
        }
        if (rig_moves_column(r, k)) {
            rig_push(r, k, f);
        }
    }
}

/* sum w grad C_i grad C_j: what a multiplier on row j does to row i. */
static double coupling(const rig *r, const rig_value *value, int i, int j) {
    double sum = 0;
    for (int k = 0; k < RIG_MAX_COLUMNS; k++) {
        double w[3] = {0, 0, 0};
        if (rig_moves_column(r, k)) {
            rig_inverse_mass(r, k, w);
        }
        for (int axis = 0; axis < 3; axis++) {
            sum += w[axis] * value->gradient[i][k][axis] * value->gradient[j][k][axis];
        }
    }
    return sum;
}

/* That of the softest row. */
static double softest(const rig *r, const rig_value *value) {
    double least = INFINITY;
    for (int row = 0; row < r->info->rows; row++) {
        least = fmin(least, coupling(r, value, row, row));
    }
    return least;
}

/* A rig with C at `c` times its size. */
static void make_at(rig *r, sn_type type, const rig_options *options, double c) {
    REQUIRE_OK(rig_make(r, type, options));
    CHECK(rig_drive(r, NULL));
    double target[SN_MAX_ROWS] = {c * rig_evaluate(r).size};
    CHECK(rig_drive(r, target));
}

/* ---- Hard ---- */

TEST(hard_constraints_converge) {
    rig_options options = rig_options_default();
    options.settings.iterations = 200;
    FOR_EACH_TYPE(type) {
        for (int solver = 0; solver < RIG_SOLVERS; solver++) {
            for (options.seed = 1; options.seed <= 5; options.seed++) {
                /* The short form has one seed for every solver but the first. */
                if (solver > 0 && (int)options.seed != 1 + solver % 5 && !check_long()) continue;
                check_case("%s, %s, seed %d", sn_type_get_info((sn_type)type)->name,
                           rig_solvers[solver].name, (int)options.seed);
                rig r;
                rig_use_solver(&options.settings, solver);
                REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
                rig_deform(&r, 0.3, options.seed);
                rig_value before = rig_evaluate(&r);
                CHECK(before.norm > 1e-3 * before.size);
                REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
                rig_value after = rig_evaluate(&r);
                double rounding = 32 * RIG_EPSILON * after.size;
                /* A length goes down along itself alone, which is steepest descent; several of one
                   constraint take more sweeps (a quadratic_tet has 0.034 left). */
                double left = rig_length_rows(&r) > 1 ? 0.05 : r.lengths ? 0.02 : 1e-9;
                CHECK_NEAR(after.norm, 0, left * before.norm + rounding);
                rig_free(&r);
            }
        }
    }
}

/* 1, the part of C that one sweep leaves of a small deformation. */
static double left_of(sn_type type, uint64_t seed, double amount) {
    rig_options options = rig_options_default();
    options.settings.iterations = 1;
    options.seed = seed;
    rig r;
    REQUIRE_OK(rig_make(&r, type, &options));
    CHECK(rig_drive(&r, NULL));
    rig_deform(&r, amount, seed);
    rig_value before = rig_evaluate(&r);
    REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
    double left = r.lengths ? 0 : rig_evaluate(&r).norm / before.norm;
    rig_free(&r);
    return left;
}

/* All rows are solved together, as Newton would: what is left goes with the square of C. */
TEST(a_sweep_solves_what_is_linear) {
    FOR_EACH_TYPE(type)
    for (uint64_t seed = 1; seed <= 5; seed++) {
        check_case("%s, seed %d", sn_type_get_info((sn_type)type)->name, (int)seed);
        CHECK_NEAR(left_of((sn_type)type, seed, 0.001), 0, 0.03);
    }
}

/* Solves a x = b, symmetric and positive; x takes the place of b. Returns the least that is left of
   a row when those before it are known: near 0 the rows say nearly the same. */
static double solve(int rows, double a[SN_MAX_ROWS][SN_MAX_ROWS], double b[SN_MAX_ROWS]) {
    double least = 1, whole[SN_MAX_ROWS];
    for (int i = 0; i < rows; i++) whole[i] = a[i][i];
    for (int i = 0; i < rows; i++) {
        least = fmin(least, a[i][i] / whole[i]);
        for (int j = i + 1; j < rows; j++) {
            double part = a[j][i] / a[i][i];
            for (int k = i; k < rows; k++) a[j][k] -= part * a[i][k];
            b[j] -= part * b[i];
        }
    }
    for (int i = rows - 1; i >= 0; i--) {
        for (int k = i + 1; k < rows; k++) b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    return least;
}

/* Where a step of Newton leads: x + W grad C^T lambda with (grad C W grad C^T) lambda = -C. Returns
   how well that is told. */
static double newton(const rig *r, rig_state *state) {
    rig_value value = rig_evaluate(r);
    double a[SN_MAX_ROWS][SN_MAX_ROWS], lambda[SN_MAX_ROWS];
    *state = rig_get_state(r);
    for (int i = 0; i < r->info->rows; i++) {
        for (int j = 0; j < r->info->rows; j++) a[i][j] = coupling(r, &value, i, j);
        lambda[i] = -value.c[i];
    }
    double least = solve(r->info->rows, a, lambda);
    for (int k = 0; k < RIG_MAX_COLUMNS; k++) {
        double w[3], by[3] = {0, 0, 0};
        if (!rig_moves_column(r, k)) continue;
        rig_inverse_mass(r, k, w);
        for (int row = 0; row < r->info->rows; row++)
            for (int axis = 0; axis < 3; axis++)
                by[axis] += w[axis] * lambda[row] * value.gradient[row][k][axis];
        rig_move(state, r, k, by);
    }
    return least;
}

/* Every node goes where Newton would have it: what gradients and masses say, and nothing else. */
static void check_newton(sn_type type, bool other_forms) {
    rig_options options = rig_options_default();
    options.settings.iterations = 1;
    options.other_forms = other_forms;
    int looked = 0;
    for (options.seed = 1; options.seed <= 8; options.seed++) {
        check_case("%s, seed %d%s", sn_type_get_info(type)->name, (int)options.seed,
                   other_forms ? ", its other form" : "");
        rig r;
        rig_state to;
        REQUIRE_OK(rig_make(&r, type, &options));
        /* A form that matches whatever there is has nowhere to be driven to. */
        bool driven = rig_drive(&r, NULL);
        CHECK(driven || other_forms);
        rig_deform(&r, 0.01, options.seed);
        rig_state from = rig_get_state(&r);
        double told = newton(&r, &to);
        REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
        double moved = rig_moved_by(&r, &from);
        if (driven && !r.lengths && told > 0.3) CHECK_NEAR(rig_moved_by(&r, &to), 0, 0.005 * moved);
        looked += r.lengths || told > 0.3;
        rig_free(&r);
    }
    CHECK(rig_is_narrow() || looked > 1);
}

TEST(a_sweep_is_a_step_of_newton) {
    FOR_EACH_TYPE(type) {
        rig_def def = {0};
        check_newton((sn_type)type, false);
        if (rig_def_choose(sn_type_get_info((sn_type)type), &def))
            check_newton((sn_type)type, true);
    }
}

/* ---- Dashpots ---- */

/* Velocities as the columns of a gradient have them. */
static void velocities_of(const rig *r, double v[RIG_MAX_COLUMNS][3]) {
    rig_state state = rig_get_state(r);
    for (int k = 0; k < RIG_MAX_COLUMNS; k++) {
        v[k][0] = v[k][1] = v[k][2] = 0;
        if (!rig_moves_column(r, k)) continue;
        sn_node_def def = sn_node_def_default();
        int n = k < r->nodes ? k : k - r->nodes;
        REQUIRE_OK(sn_node_get(r->world, r->node[n], &def));
        sn_vec3 a = k < r->nodes ? def.velocity : def.angular_velocity;
        double world[3] = {(double)a.x, (double)a.y, (double)a.z};
        double inverse[4] = {-state.q[n][0], -state.q[n][1], -state.q[n][2], state.q[n][3]};
        if (k < r->nodes)
            memcpy(v[k], world, sizeof world);
        else
            rig_rotate(inverse, world, v[k]);
    }
}

/* Whether rows are the components of vectors in the frame of the world. These are braked along
   themselves alone, so that a rotation of all is not. */
static bool has_vectors(const rig *r, const rig_value *value) {
    double beside = 0;
    for (int row = 0; row < r->info->rows; row++)
        for (int k = 0; k < RIG_MAX_COLUMNS; k++)
            for (int axis = 0; axis < 3; axis++)
                if (axis != row % 3) beside += fabs(value->gradient[row][k][axis]);
    return r->info->rows % 3 == 0 && beside == 0;
}

/* Makes a row of every vector; returns how many rows there are. */
static int braked_rows(const rig *r, rig_value *value) {
    if (!has_vectors(r, value)) return r->info->rows;
    for (int n = 0; n < r->info->rows / 3; n++) {
        double *c = &value->c[3 * n], length = hypot(hypot(c[0], c[1]), c[2]);
        double along[3] = {c[0] / length, c[1] / length, c[2] / length};
        for (int k = 0; k < RIG_MAX_COLUMNS; k++) {
            double whole[3];
            for (int axis = 0; axis < 3; axis++)
                whole[axis] = along[axis] * value->gradient[3 * n + axis][k][axis];
            memcpy(value->gradient[n][k], whole, sizeof whole);
        }
    }
    return r->info->rows / 3;
}

/* Backward Euler of a force -beta dC/dt: v + W grad C^T mu, where mu = -h beta dC/dt in the end. */
static void brake(const rig *r, double beta, double h, double v[RIG_MAX_COLUMNS][3]) {
    rig_value value = rig_evaluate(r);
    double a[SN_MAX_ROWS][SN_MAX_ROWS], mu[SN_MAX_ROWS];
    int rows = braked_rows(r, &value);
    for (int i = 0; i < rows; i++) {
        mu[i] = 0;
        for (int j = 0; j < rows; j++)
            a[i][j] = coupling(r, &value, i, j) + (i == j ? 1 / (h * beta) : 0);
        for (int k = 0; k < RIG_MAX_COLUMNS; k++)
            for (int axis = 0; axis < 3; axis++) mu[i] -= value.gradient[i][k][axis] * v[k][axis];
    }
    (void)solve(rows, a, mu);
    for (int k = 0; k < RIG_MAX_COLUMNS; k++) {
        double w[3];
        if (!rig_moves_column(r, k)) continue;
        rig_inverse_mass(r, k, w);
        for (int row = 0; row < rows; row++)
            for (int axis = 0; axis < 3; axis++)
                v[k][axis] += w[axis] * mu[row] * value.gradient[row][k][axis];
    }
}

static double most_apart(const rig *r, double a[RIG_MAX_COLUMNS][3], double b[RIG_MAX_COLUMNS][3]) {
    double most = 0;
    for (int k = 0; k < RIG_MAX_COLUMNS; k++)
        for (int axis = 0; axis < 3; axis++)
            if (rig_moves_column(r, k)) most = fmax(most, fabs(a[k][axis] - b[k][axis]));
    return most;
}

/* A rig that is a little off its rest, and as soft as nothing. */
static void make_braked(rig *r, sn_type type, uint64_t seed, double beta) {
    rig_options options = rig_options_default();
    options.seed = seed;
    options.compliance = 1e9;
    options.damping = beta;
    REQUIRE_OK(rig_make(r, type, &options));
    CHECK(rig_drive(r, NULL));
    rig_deform(r, 0.1, seed);
}

/* Half of the rate of the softest row is left after a step in which hardly anything moves, and so
   once more, when the impulses of the step before are known. What rests by lengths is braked by
   laws of its own. */
TEST(dashpots_brake_the_rate_of_c) {
    const double h = 3e-5;
    FOR_EACH_TYPE(type)
    for (uint64_t seed = 1; seed <= 6; seed++) {
        double before[RIG_MAX_COLUMNS][3], after[RIG_MAX_COLUMNS][3], now[RIG_MAX_COLUMNS][3];
        rig r;
        check_case("%s, seed %d", sn_type_get_info((sn_type)type)->name, (int)seed);
        make_braked(&r, (sn_type)type, seed, 0);
        rig_value value = rig_evaluate(&r);
        double beta = 1 / (h * softest(&r, &value));
        rig_free(&r);
        make_braked(&r, (sn_type)type, seed, beta);
        for (uint64_t step = 0; step < 2 && !r.lengths && !r.norm; step++) {
            rig_throw(&r, 1, seed + 3 + step);
            velocities_of(&r, before);
            memcpy(after, before, sizeof after);
            brake(&r, beta, h, after);
            REQUIRE_OK(sn_world_step(r.world, (sn_real)h));
            velocities_of(&r, now);
            double bound = 0.005 * most_apart(&r, before, after) + 1e-3;
            CHECK_NEAR(most_apart(&r, now, after), 0, bound);
        }
        rig_free(&r);
    }
}

/* ---- Soft ---- */

#define OMEGA 20.0 /* 1/s, of the softest row */

typedef struct rest_result {
    double c[SN_MAX_ROWS];
    double load[SN_MAX_ROWS];
    double compliance;
} rest_result;

typedef struct rest_case {
    int substeps, iterations, solver;
    bool own_damping; /* critical damping by the constraint's own field instead of the world's */
} rest_case;

/* Whether C has a derivative where the constraint rests, so that small loads are answered in
   proportion. What lengths do there, as the strain of an element, has tests of its own. */
static bool is_smooth(sn_type type) {
    rig_options options = rig_options_default();
    rig r;
    REQUIRE_OK(rig_make(&r, type, &options));
    bool smooth = !r.lengths;
    rig_free(&r);
    return smooth;
}

/* Whether points can move, otherwise than together, in ways that none of several rows sees. */
static bool leaves_free(const sn_type_info *info) {
    return info->list == SN_LIST_NONE && info->frames == 0 && info->rows > 1 &&
           info->rows < 3 * info->nodes - 6;
}

/* Loads the constraint until it would give way by `strain` of its size, damps it critically until
   it rests, and compares with compliance times force. */
static rest_result settle(sn_type type, const rest_case *variant, double strain) {
    rest_result result = {0};
    rig_options options = rig_options_default();
    const sn_type_info *info = sn_type_get_info(type);
    rig r;
    REQUIRE_OK(rig_make(&r, type, &options));
    CHECK(rig_drive(&r, NULL));
    rig_value rest = rig_evaluate(&r);
    double compliance = softest(&r, &rest) / (OMEGA * OMEGA);
    rig_free(&r);

    options.compliance = compliance;
    options.settings.substeps = variant->substeps;
    options.settings.iterations = variant->iterations;
    rig_use_solver(&options.settings, variant->solver);
    if (variant->own_damping) {
        options.damping = 2 / (compliance * OMEGA);
        /* Several vectors are damped, each along itself, so that a rigid rotation is not: what a
           load sets swinging across them is left to the world. So are motions of points that
           several rows leave free, into which a load turns that stays as it is. */
        if (info->rows > 6 || leaves_free(info)) options.settings.damping = (sn_real)(OMEGA / 4);
    } else {
        options.settings.damping = (sn_real)(2 * OMEGA);
    }
    REQUIRE_OK(rig_make(&r, type, &options));
    CHECK(rig_drive(&r, NULL));
    /* At zero a length has the gradient of what rounding left. */
    if (r.norm) rig_deform(&r, 1e-6, 3);
    rest = rig_evaluate(&r);
    result.compliance = compliance;
    for (int row = 0; row < r.info->rows; row++) {
        double sign = row % 2 == 0 ? 1 : -0.7;
        /* All rows together strain as much as three, however many there are. */
        double part = sqrt(3 / fmax(3, r.info->rows));
        result.load[row] = part * sign * strain * rest.size / compliance;
    }
    /* Rows that pull at the same nodes have modes that are slower than any row alone. */
    int steps = (int)(90 / OMEGA * 60);
    for (int step = 0; step < steps; step++) {
        push(&r, &rest, result.load);
        REQUIRE_OK(sn_world_step(r.world, (sn_real)(1.0 / 60)));
    }

    rig_value value = rig_evaluate(&r);
    sn_real force[SN_MAX_ROWS];
    CHECK_OK(sn_constraint_force(r.world, r.constraint, force));
    double energy = 0;
    for (int row = 0; row < r.info->rows; row++) {
        /* The directions of the load are those at rest, which costs an order of the strain. */
        double tolerance = RIG_PICK(100 * strain, 20 * strain);
        CHECK_REL(value.c[row], compliance * result.load[row], tolerance);
        CHECK_REL(force[row], -result.load[row], tolerance);
        energy += (double)force[row] * (double)force[row] * compliance / 2;
    }
    sn_measure measure;
    REQUIRE_OK(sn_world_measure(r.world, &measure));
    CHECK_REL(measure.elastic_energy, energy, RIG_PICK(1e-9, 1e-4));
    memcpy(result.c, value.c, sizeof value.c);
    rig_free(&r);
    return result;
}

TEST(compliance_is_displacement_per_force) {
    static const rest_case cases[] = {
        {2, 1, 0, false}, {2, 4, 0, false}, {4, 1, 0, false}, {4, 4, 0, false}, {4, 1, 0, true},
        {2, 4, 0, true},  {2, 2, 1, false}, {2, 2, 2, false}, {2, 2, 3, false}, {2, 2, 4, false},
        {2, 2, 5, false}, {2, 1, 6, false}, {4, 1, 6, true},  {2, 2, 7, true},  {2, 2, 8, false},
    };
    FOR_EACH_TYPE(type) {
        const sn_type_info *info = sn_type_get_info((sn_type)type);
        rest_result first = {0};
        /* Small enough for the first order, large enough to be seen among rounded positions. Where
           six rows strain at once, or leave motions free, there is more of the second order. */
        bool more = info->rows > 3 || leaves_free(info);
        double strain = more ? RIG_PICK(2e-6, 1e-3) : RIG_PICK(1e-5, 1e-3);
        if (!is_smooth((sn_type)type)) {
            continue;
        }
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            /* Of the others the short form has a fourth, by turns. */
            if (i > 0 && (i + (size_t)type) % 4 != 0 && !check_long()) continue;
            check_case("%s, substeps %d, iterations %d, %s damping", info->name, cases[i].substeps,
                       cases[i].iterations, cases[i].own_damping ? "own" : "world");
            rest_result result = settle((sn_type)type, &cases[i], strain);
            if (i == 0) {
                first = result;
            }
            for (int row = 0; row < info->rows && !cases[i].own_damping; row++) {
                /* Directions without stiffness drift at the second order of the strain. Places and
                   unit quaternions of the order of 1 are known to a few units in the last place. */
                double known = 4 * RIG_EPSILON;
                CHECK_NEAR(result.c[row], first.c[row],
                           RIG_PICK(1e-6, 1e-3) * fabs(first.c[row]) + known);
            }
        }
    }
}

/* The direction in which C answers most to a multiplier, by the power method; returns how much. */
static double stiffest(const rig *r, const rig_value *value, double direction[SN_MAX_ROWS]) {
    int rows = r->info->rows;
    double size = 0;
    for (int i = 0; i < rows; i++) {
        direction[i] = 1 + 0.1 * i;
    }
    for (int iteration = 0; iteration < 1000; iteration++) {
        double next[SN_MAX_ROWS] = {0};
        double square = 0;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < rows; j++) {
                next[i] += coupling(r, value, i, j) * direction[j];
            }
            square += next[i] * next[i];
        }
        size = sqrt(square);
        for (int i = 0; i < rows; i++) {
            direction[i] = next[i] / size;
        }
    }
    return size;
}

/*
 * Near rest C is linear, and a substep of XPBD is one of backward Euler (V05):
 *   C'' (1 + h b w) (1 + h^2 w / a) = (2 + h b w) C' - C
 * for the compliance a, the damping b and w = sum_k w_k |grad_k C|^2, or with several rows an
 * eigenvalue of sum_k grad_k C w_k grad_k C^T, along its eigenvector. Or one of BDF2, where no
 * orientations take part, which have an integrator of their own.
 */
static double expected_swing(double first, double damping, double stiffness, int steps,
                             sn_integrator integrator) {
    bdf2_path second = {.x = first};
    double now = first;
    double before = first;
    for (int step = 0; step < steps; step++) {
        bdf2_next(&second, (bdf2_force){.damping = damping, .stiffness = stiffness});
        double next = ((2 + damping) * now - before) / ((1 + damping) * (1 + stiffness));
        before = now;
        now = next;
    }
    return fabs(integrator == SN_INTEGRATOR_BDF2 ? second.x : now);
}

static void check_swing(sn_type type, bool damped, sn_integrator integrator) {
    const double h = 1.0 / 200;
    /* Float sees positions in steps of 1e-7, double sees the curvature of C. */
    double strain = RIG_PICK(1e-6, 1e-3);
    rig_options options = rig_options_default();
    double direction[SN_MAX_ROWS];
    rig r;
    REQUIRE_OK(rig_make(&r, type, &options));
    CHECK(rig_drive(&r, NULL));
    rig_value rest = rig_evaluate(&r);
    double w = stiffest(&r, &rest, direction);
    rig_free(&r);
    options.settings.integrator = integrator;
    options.compliance = w / (OMEGA * OMEGA);
    options.damping = damped ? 0.4 / (options.compliance * OMEGA) : 0;
    REQUIRE_OK(rig_make(&r, type, &options));
    CHECK(rig_drive(&r, NULL));
    for (int row = 0; row < r.info->rows; row++) {
        direction[row] *= strain * rest.size;
    }
    CHECK(rig_drive(&r, direction));
    double first = rig_evaluate(&r).norm;
    for (int step = 0; step < 40; step++) {
        REQUIRE_OK(sn_world_step(r.world, (sn_real)h));
    }
    /* Four radians later. */
    double expected = expected_swing(first, h * options.damping * w, h * h * w / options.compliance,
                                     40, integrator);
    CHECK_NEAR(rig_evaluate(&r).norm, expected, RIG_PICK(1e-5, 2e-3) * first);
    rig_free(&r);
}

TEST(oscillation_follows_the_integrator) {
    FOR_EACH_TYPE(type) {
        const sn_type_info *info = sn_type_get_info((sn_type)type);
        for (int variant = 0; is_smooth((sn_type)type) && variant < 4; variant++) {
            bool damped = (variant & 1) != 0;
            bool second = (variant & 2) != 0;
            check_case("%s, %s, %s", info->name, damped ? "damped" : "undamped",
                       second ? "BDF2" : "BDF1");
            if (!second || info->frames == 0) {
                check_swing((sn_type)type, damped,
                            second ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1);
            }
        }
    }
}

/* ---- One side ---- */

/* Of one row that may be above and below zero. */
static bool has_sides(sn_type type) {
    rig_options options = rig_options_default();
    rig r;
    REQUIRE_OK(rig_make(&r, type, &options));
    bool both = r.info->rows == 1 && !r.norm;
    rig_free(&r);
    return both;
}

TEST(sides_act_on_one_side_only) {
    rig_options options = rig_options_default();
    options.settings.iterations = 100;
    FOR_EACH_TYPE(type) {
        if (!has_sides((sn_type)type)) {
            continue;
        }
        for (int variant = 0; variant < 4 * RIG_SOLVERS; variant++) {
            int solver = variant / 4;
            bool at_least = (variant & 1) != 0;
            bool allowed = (variant & 2) != 0;
            check_case("%s, %s, C %s 0, at %s", sn_type_get_info((sn_type)type)->name,
                       rig_solvers[solver].name,
                       at_least ? ">=" : "<=", allowed ? "an allowed value" : "a forbidden one");
            rig_use_solver(&options.settings, solver);
            options.side = at_least ? SN_SIDE_AT_LEAST : SN_SIDE_AT_MOST;
            rig r;
            rig_state x;
            sn_real force[SN_MAX_ROWS];
            make_at(&r, (sn_type)type, &options, at_least == allowed ? 0.05 : -0.05);
            x = rig_get_state(&r);
            rig_value before = rig_evaluate(&r);
            REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
            rig_value after = rig_evaluate(&r);
            CHECK_OK(sn_constraint_force(r.world, r.constraint, force));
            if (allowed) {
                CHECK(rig_moved_by(&r, &x) == 0);
                CHECK(force[0] == 0);
            } else {
                double rounding = 32 * RIG_EPSILON * after.size;
                CHECK_NEAR(after.c[0], 0, 1e-9 * before.norm + rounding);
                CHECK(at_least ? force[0] > 0 : force[0] < 0);
            }
            rig_free(&r);
        }
    }
}

/* Soft and one-sided, it lets go at C = 0 and does not pull the other way. */
TEST(soft_sides_let_go) {
    FOR_EACH_TYPE(type) {
        if (!has_sides((sn_type)type)) {
            continue;
        }
        for (int side = SN_SIDE_AT_LEAST; side <= SN_SIDE_AT_MOST; side++) {
            check_case("%s, side %d", sn_type_get_info((sn_type)type)->name, side);
            double sign = side == SN_SIDE_AT_LEAST ? 1 : -1;
            rig_options options = rig_options_default();
            rig r;
            make_at(&r, (sn_type)type, &options, 0);
            rig_value rest = rig_evaluate(&r);
            options.compliance = softest(&r, &rest) / (OMEGA * OMEGA);
            options.damping = 0.1 / (options.compliance * OMEGA);
            rig_free(&r);
            options.settings.iterations = 3;
            options.settings.substeps = 4;
            options.side = (sn_side)side;
            make_at(&r, (sn_type)type, &options, -0.03 * sign);
            bool acted = false;
            bool pulled = false;
            for (int step = 0; step < 15; step++) {
                sn_real force[SN_MAX_ROWS];
                REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
                CHECK_OK(sn_constraint_force(r.world, r.constraint, force));
                acted = acted || sign * (double)force[0] > 0;
                pulled = pulled || sign * (double)force[0] < 0;
            }
            /* Half a period later it has passed C = 0 and goes on. */
            CHECK(acted);
            CHECK(!pulled);
            CHECK(sign * rig_evaluate(&r).c[0] > 0);
            rig_free(&r);
        }
    }
}

TEST(several_rows_have_no_sides) {
    rig_options options = rig_options_default();
    options.side = SN_SIDE_AT_LEAST;
    FOR_EACH_TYPE(type) {
        check_case("%s", sn_type_get_info((sn_type)type)->name);
        rig r;
        if (sn_type_get_info((sn_type)type)->rows == 1) {
            CHECK_OK(rig_make(&r, (sn_type)type, &options));
        } else {
            CHECK_FAILS(rig_make(&r, (sn_type)type, &options), SN_ERROR_VALUE);
            CHECK(strstr(sn_last_error(), "side") != NULL);
        }
        rig_free(&r);
    }
}

/* ---- Breaking ---- */

/* A soft constraint in balance with a load of which it knows the norm, so that its force is that
   from the first substep on. */
static double balance(rig *r, sn_type type, rig_options *options, double load[SN_MAX_ROWS]) {
    double norm = 0;
    REQUIRE_OK(rig_make(r, type, options));
    CHECK(rig_drive(r, NULL));
    double size = rig_evaluate(r).size;
    double target[SN_MAX_ROWS];
    for (int row = 0; row < r->info->rows; row++) {
        target[row] = 0.02 * size * (row % 2 == 0 || r->length[row] ? 1 : -0.7);
        load[row] = target[row] / options->compliance;
        norm += load[row] * load[row];
    }
    CHECK(rig_drive(r, target));
    return sqrt(norm);
}

TEST(constraints_break_above_their_force) {
    rig_options options = rig_options_default();
    options.settings.substeps = 3;
    FOR_EACH_TYPE(type) {
        /* Lengths give way to one sweep as they should where they are soft beside the step. */
        options.compliance = is_smooth((sn_type)type) ? 1e-3 : 1e-2;
        for (int variant = 0; variant < 4 * RIG_SOLVERS; variant++) {
            rig_use_solver(&options.settings, variant / 4);
            options.settings.keep_forces = (variant & 1) != 0;
            bool breaks = (variant & 2) != 0;
            check_case("%s, %s, %s, forces %s", sn_type_get_info((sn_type)type)->name,
                       rig_solvers[variant / 4].name, breaks ? "overloaded" : "loaded",
                       variant & 1 ? "kept" : "not kept");
            rig r;
            double load[SN_MAX_ROWS] = {0};
            options.break_force = 0;
            double norm = balance(&r, (sn_type)type, &options, load);
            rig_free(&r);
            options.break_force = norm * (breaks ? 0.98 : 1.02);
            balance(&r, (sn_type)type, &options, load);
            rig_value value = rig_evaluate(&r);
            push(&r, &value, load);
            REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));

            const sn_break_event *events = NULL;
            size_t count = 99;
            sn_stats stats;
            CHECK_OK(sn_world_breaks(r.world, &events, &count));
            CHECK_OK(sn_world_stats(r.world, &stats));
            CHECK(count == (breaks ? 1 : 0));
            CHECK(stats.broken == count);
            CHECK(stats.constraints == 1 - count);
            CHECK(sn_world_constraint_count(r.world, (sn_type)type) == 1 - count);
            CHECK(sn_constraint_is_valid(r.world, r.constraint) == !breaks);
            if (breaks && count == 1) {
                CHECK(memcmp(&events[0].constraint, &r.constraint, sizeof r.constraint) == 0);
                CHECK((int)events[0].type == type);
                CHECK(events[0].substep == 0);
                CHECK((double)events[0].force > options.break_force);
                CHECK_REL(events[0].force, norm, 1e-3);
                sn_real c[SN_MAX_ROWS];
                CHECK_FAILS(sn_constraint_evaluate(r.world, r.constraint, c, NULL), SN_ERROR_STALE);
                /* The events are those of the last step only. */
                REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
                CHECK_OK(sn_world_breaks(r.world, &events, &count));
                CHECK(count == 0);
            }
            rig_free(&r);
        }
    }
}

TESTS(RUN(hard_constraints_converge), RUN(a_sweep_solves_what_is_linear),
      RUN(a_sweep_is_a_step_of_newton), RUN(dashpots_brake_the_rate_of_c),
      RUN(compliance_is_displacement_per_force), RUN(oscillation_follows_the_integrator),
      RUN(sides_act_on_one_side_only), RUN(soft_sides_let_go), RUN(several_rows_have_no_sides),
      RUN(constraints_break_above_their_force))
