/* Types written by a user: what a formula is shown, in any number of constraints and of rows. */
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

TESTS(RUN(any_number_of_constraints_at_a_time), RUN(any_number_of_rows))
