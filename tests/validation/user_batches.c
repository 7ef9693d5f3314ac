/* Types written by a user: what a formula is shown, in any number of constraints and of rows, and
   what becomes of it. */
#include "user_types.h"

#include <math.h>
#include <string.h>

#include "build.h"

typedef struct witness {
    sn_world *world;
    size_t seen[SN_USER_LANES + 1]; /* calls by count */
    size_t mistakes;
} witness;

/* A distance that looks around. */
static void witness_formula(void *user, const sn_user_batch *b) {
    witness *w = user;
    bool right = b->count >= 1 && b->count <= SN_USER_LANES && b->gradient && b->turn;
    if (b->count <= SN_USER_LANES) w->seen[b->count]++;
    for (size_t i = 0; i < b->count; i++) {
        right = right && b->x[0][0][i] == 0 && b->x[0][1][i] == 0 && b->x[0][2][i] == 0;
        right = right && b->scale[i] == 1 && b->parameter[1][i] == (sn_real)0.125;
        /* The first of a pair is at a whole number. */
        right = right && fabs((double)b->origin[0][i] - rint((double)b->origin[0][i])) < 0.2;
    }
    w->mistakes += !right;
    if (!b->gradient) return;
    for (size_t i = 0; i < b->count; i++) {
        sn_real square = 0;
        for (int a = 0; a < 3; a++) square += b->x[1][a][i] * b->x[1][a][i];
        sn_real length = (sn_real)sqrt((double)square);
        b->value[0][i] = length - b->parameter[0][i];
        for (int a = 0; a < 3; a++) {
            b->gradient[1][a][i] = b->x[1][a][i] / length;
            b->gradient[0][a][i] = -b->gradient[1][a][i];
        }
    }
}

static sn_world *make_pairs(int pairs, sn_solver solver, witness *w, sn_node *node) {
    static const sn_user_parameter parameters[] = {{"rest", "m", 0, 10, 1},
                                                   {"mark", NULL, 0, 1, 0.125}};
    sn_world *world = make_world(weightless_settings(solver));
    sn_user_type_def def = sn_user_type_def_default();
    sn_type type;
    *w = (witness){.world = world};
    def.name = "witness";
    def.formula = witness_formula;
    def.user = w;
    def.parameters = parameters;
    def.parameter_count = 2;
    REQUIRE_OK(sn_world_add_type(world, &def, &type));
    for (int i = 0; i < pairs; i++) {
        double rest = 0.25 + 0.001 * i;
        node[2 * i] = add_node(world, (vec){i, 0, 0}, 1 + 0.1 * (i % 7));
        node[2 * i + 1] = add_node(world, (vec){i, 0.3, 0.01 * (i % 5)}, 2);
        constrain_user(world, type, &node[2 * i], 2, &rest, 1, i % 2 ? 1e-3 : 0);
    }
    return world;
}

/* The result for a constraint does not depend on how many others are looked at with it. */
TEST(any_number_of_constraints_at_a_time) {
    enum { MOST = 40 };
    sn_node node[2 * MOST];
    vec expected[2 * MOST];
    size_t seen[SN_USER_LANES + 1] = {0};
    for (int pairs = MOST; pairs > 0; pairs--) {
        check_case("%d pairs", pairs);
        witness w;
        sn_world *world = make_pairs(pairs, SN_SOLVER_COLOURED, &w, node);
        advance(world, 1.0 / 600, 4);
        for (int i = 0; i < 2 * pairs; i++) {
            vec x = position_of(world, node[i]);
            if (pairs == MOST) expected[i] = x;
            CHECK(memcmp(&x, &expected[i], sizeof x) == 0);
        }
        CHECK(w.mistakes == 0);
        for (int k = 0; k <= SN_USER_LANES; k++) seen[k] += w.seen[k];
        sn_world_destroy(world);
    }
    CHECK(seen[0] == 0);
    for (int k = 1; k <= SN_USER_LANES; k++) CHECK(seen[k] > 0);

    check_case("one by one");
    witness w;
    sn_world *world = make_pairs(MOST, SN_SOLVER_REFERENCE, &w, node);
    advance(world, 1.0 / 600, 4);
    for (int i = 0; i < 2 * MOST; i++) {
        vec x = position_of(world, node[i]);
        CHECK(memcmp(&x, &expected[i], sizeof x) == 0);
    }
    CHECK(w.mistakes == 0 && w.seen[1] == 4 * MOST && w.seen[SN_USER_LANES] == 0);
    sn_world_destroy(world);
}

/* Up to six rows: what is between two nodes, and between two others. */
static void rows_formula(void *user, const sn_user_batch *b) {
    const int rows = *(const int *)user;
    for (size_t i = 0; i < b->count; i++)
        for (int r = 0; r < rows; r++) {
            int first = r < 3 ? 0 : 2, axis = r % 3;
            b->value[r][i] = b->x[first + 1][axis][i] - b->x[first][axis][i];
            for (int n = 0; b->gradient && n < 4; n++)
                for (int a = 0; a < 3; a++)
                    b->gradient[4 * r + n][a][i] = (sn_real)(a != axis        ? 0
                                                             : n == first     ? -1
                                                             : n == first + 1 ? 1
                                                                              : 0);
        }
}

/* Places of the nodes of constraint `begin` and those after it, of which others know nothing. */
static void move_rows(int rows, int begin, int end, vec *x) {
    sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
    sn_user_type_def def = sn_user_type_def_default();
    sn_node node[4];
    sn_type type;
    settings.iterations = 3;
    sn_world *world = make_world(settings);
    def.name = "rows";
    def.nodes = 4;
    def.rows = rows;
    def.formula = rows_formula;
    def.user = &rows;
    REQUIRE_OK(sn_world_add_type(world, &def, &type));
    for (int i = begin; i < end; i++) {
        for (int n = 0; n < 4; n++)
            node[n] = add_node(world, (vec){i + 0.1 * n, 0.2 * n - 0.1 * i, 0.3 - 0.05 * n * i},
                               1 + 0.5 * n + i);
        constrain_user(world, type, node, 4, NULL, 0, 1e-4);
    }
    advance(world, 1.0 / 60, 3);
    for (int i = 0; i < 4 * (end - begin); i++) {
        sn_node at;
        REQUIRE_OK(sn_world_node_at(world, (size_t)i, &at));
        x[i] = position_of(world, at);
    }
    sn_world_destroy(world);
}

TEST(any_number_of_rows) {
    enum { MANY = 11 };
    vec all[4 * MANY], one[4];
    for (int rows = 1; rows <= 6; rows++) {
        check_case("%d rows", rows);
        move_rows(rows, 0, MANY, all);
        for (int i = 0; i < MANY; i++) {
            move_rows(rows, i, i + 1, one);
            CHECK(memcmp(one, all + (size_t)4 * (size_t)i, sizeof one) == 0);
            CHECK(fabs(one[1].x - one[0].x) < 0.05);
            if (rows > 3) CHECK(fabs(one[3].x - one[2].x) < 0.05);
        }
    }
}

/* Where a node is as another sees it, and how its frame is turned: six rows. */
static void fixed_formula(void *user, const sn_user_batch *b) {
    (void)user;
    for (int k = 0; b->gradient && k < 6 * 2 * 3; k++)
        for (size_t i = 0; i < b->count; i++)
            b->gradient[k / 3][k % 3][i] = b->turn[k / 3][k % 3][i] = 0;
    for (size_t i = 0; i < b->count; i++) {
        sn_real p[4], q[4];
        for (int a = 0; a < 4; a++) p[a] = b->q[0][a][i], q[a] = b->q[1][a][i];
        const sn_real w = ((p[3] * q[3] + p[0] * q[0]) + p[1] * q[1]) + p[2] * q[2];
        for (int r = 0; r < 3; r++) {
            const int s = (r + 1) % 3, t = (r + 2) % 3;
            b->value[r][i] = b->x[1][r][i];
            b->value[3 + r][i] = 2 * ((p[3] * q[r] - p[r] * q[3]) - (p[s] * q[t] - p[t] * q[s]));
        }
        for (int k = 0; b->gradient && k < 6; k++) {
            const int r = k / 2, n = k % 2, s = (r + 1) % 3, t = (r + 2) % 3;
            sn_real(*turn)[SN_USER_LANES] = b->turn[2 * (3 + r) + n];
            b->gradient[2 * r + n][r][i] = n ? 1 : -1;
            turn[r][i] = n ? w : -w;
            turn[s][i] = -b->value[3 + t][i] / 2;
            turn[t][i] = b->value[3 + s][i] / 2;
        }
    }
}

/* Two balls of a pair, with the same numbers for masses and inertias, and for velocities and
   spins. */
static double heaviness(int pair, int n) {
    return 1 / (n == 0 ? 1 + 0.3 * pair : 4 - 0.1 * pair);
}

static double speed_of(int pair, int n, int axis) {
    const double speed[3] = {0.1 + 0.05 * n, -0.2 * n, 0.1 - 0.02 * pair * n};
    return speed[axis];
}

/* What is left after a step of what moves or turns two against each other, by backward Euler. The
   rows of a turn by theta are 2 sin(theta / 2), whose rate is that of the turn times
   cos(theta / 2), and the impulse along them is as much less: 1e-8 of a spin of 0.4 rad/s here. */
static double left_of(double rate, double h, const double spin[3]) {
    const double cosine = cos(h * hypot(hypot(spin[0], spin[1]), spin[2]) / 2);
    return 1 / (1 + rate * h * cosine * cosine);
}

/* A dashpot between them: what moves and turns them against each other dies away as their masses
   and inertias say, and together they keep their momentum. In one step of a strong one it dies by
   the implicit formula. */
static void damp_pairs(double damping, int steps) {
    enum { PAIRS = 19 };
    const double h = 1.0 / 600;
    sn_user_type_def type_def = sn_user_type_def_default();
    sn_user_def def[PAIRS];
    sn_node_def ball = sn_node_def_default();
    sn_type type;
    sn_constraint made;
    sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
    type_def.name = "fixed";
    type_def.frames = 2;
    type_def.rows = 6;
    type_def.formula = fixed_formula;
    REQUIRE_OK(sn_world_add_type(world, &type_def, &type));
    ball.oriented = true;
    for (int i = 0; i < PAIRS; i++) {
        REQUIRE_OK(sn_user_def_default(world, type, &def[i]));
        for (int n = 0; n < 2; n++) {
            const double w = 1 / heaviness(i, n);
            ball.position = vector(i, 0, 0);
            ball.inverse_mass = (sn_real)w;
            ball.inverse_inertia = vector(w, w, w);
            ball.velocity = ball.angular_velocity =
                vector(speed_of(i, n, 0), speed_of(i, n, 1), speed_of(i, n, 2));
            REQUIRE_OK(sn_node_create(world, &ball, &def[i].node[n]));
        }
        def[i].compliance = (sn_real)1e12; /* no spring to speak of */
        def[i].damping = (sn_real)damping;
        REQUIRE_OK(sn_constraint_create(world, type, &def[i], &made));
    }
    advance(world, h, steps);
    for (int i = 0; i < PAIRS; i++) {
        const double mass[2] = {heaviness(i, 0), heaviness(i, 1)};
        const double rate = damping * (1 / mass[0] + 1 / mass[1]);
        double now[2][6], apart[3], still[3] = {0, 0, 0};
        check_case("%g, pair %d", damping, i);
        for (int n = 0; n < 2; n++) {
            CHECK_OK(sn_node_get(world, def[i].node[n], &ball));
            const sn_vec3 v = ball.velocity, omega = ball.angular_velocity;
            const double both[6] = {(double)v.x,     (double)v.y,     (double)v.z,
                                    (double)omega.x, (double)omega.y, (double)omega.z};
            memcpy(now[n], both, sizeof both);
        }
        for (int a = 0; a < 3; a++) apart[a] = speed_of(i, 1, a) - speed_of(i, 0, a);
        for (int a = 0; a < 6; a++) {
            const double once = left_of(rate, h, a < 3 ? still : apart);
            const double left = steps > 1 ? exp(-rate * h * steps) : once;
            const double began[2] = {speed_of(i, 0, a % 3), speed_of(i, 1, a % 3)};
            CHECK_NEAR(now[0][a] * mass[0] + now[1][a] * mass[1],
                       began[0] * mass[0] + began[1] * mass[1], TOL(1e-12, 1e-6));
            CHECK_NEAR(now[1][a] - now[0][a], left * (began[1] - began[0]),
                       steps > 1 ? 1e-3 : TOL(1e-12, 1e-6));
        }
    }
    sn_world_destroy(world);
}

TEST(six_rows_of_two_frames_are_damped) {
    damp_pairs(0.5, 300);
    damp_pairs(100, 1);
}

TESTS(RUN(any_number_of_constraints_at_a_time), RUN(any_number_of_rows),
      RUN(six_rows_of_two_frames_are_damped))
