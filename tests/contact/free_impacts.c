/*
 * Two free bodies that meet beside their middles: both momenta, energy, and for balls the closed
 * form of an impact at the place where they touch first, whatever the substeps are.
 */
#include "rigid_worlds.h"

#include <math.h>
#include <stdio.h>

#ifdef SN_DOUBLE
#define CLOSED_FORM 1e-6
#else
#define CLOSED_FORM 2e-4
#endif

/* m/s: what is no rounding of a velocity is a hit. */
#define HIT 1e-3

enum { RUNS = 8, FRAMES = 20, CORNERS = 8 };

static const double radius[2] = {0.1, 0.13}, mass[2] = {1, 2};

/* ---- Vectors ---- */

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length(const double a[3]) {
    return sqrt(dot(a, a));
}

static void difference(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static double apart(const double a[3], const double b[3]) {
    double d[3];
    difference(a, b, d);
    return length(d);
}

static void copy(sn_vec3 a, double out[3]) {
    out[0] = (double)a.x, out[1] = (double)a.y, out[2] = (double)a.z;
}

/* ---- An impact ---- */

typedef struct impact {
    sn_shape shape[2];
    double restitution, friction, spin; /* 1; 1; rad/s */
    sn_integrator integrator;
    int substeps;
} impact;

typedef struct outcome {
    bool hit;
    sn_measure before, after;
    sn_node_def start[2], end[2];
} outcome;

static sn_collider_def shape_of(sn_shape shape, double size) {
    static sn_vec3 corner[2][CORNERS];
    sn_vec3 *own = corner[size > radius[0]];
    sn_collider_def def = sn_collider_def_default();
    def.shape = shape;
    def.extent = vector(size, 0.7 * size, 1.2 * size);
    def.radius = 0;
    if (shape == SN_SHAPE_SPHERE) def.radius = (sn_real)size;
    if (shape == SN_SHAPE_CAPSULE || shape == SN_SHAPE_CYLINDER) {
        def.radius = (sn_real)(0.6 * size);
        def.extent = vector(0, 0.6 * size, 0);
    }
    if (shape != SN_SHAPE_HULL) return def;
    for (int i = 0; i < CORNERS; i++)
        own[i] = vector((i & 1 ? 1 : -0.8) * size, (i & 2 ? 0.8 : -0.7) * size,
                        (i & 4 ? 1.1 : -1) * size * (i & 2 ? 1 : 0.8));
    def.geometry.vertices = own;
    def.geometry.vertex_count = CORNERS;
    return def;
}

/* One of two, with both so far aside (m). */
static void add(sn_world *world, const impact *of, int i, double aside, uint32_t *seed,
                sn_node *node) {
    sn_collider_def def = shape_of(of->shape[i], radius[i]);
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider collider;
    double at[3], spin[3];
    for (int k = 0; k < 3; k++) {
        at[k] = 0.05 * drawn(seed);
        spin[k] = of->spin * drawn(seed);
    }
    def.restitution = (sn_real)of->restitution;
    def.static_friction = def.dynamic_friction = (sn_real)of->friction;
    def.position = vector(at[0] + aside, i ? at[1] : at[1] + 0.6, at[2]);
    def.orientation = drawn_turn(seed);
    def.velocity = i ? vector(0.2, 0.5, -0.1) : vector(4 * at[2], -2.5, 4 * at[0]);
    def.angular_velocity = vector(spin[0], spin[1], spin[2]);
    rigid.mass = (sn_real)mass[i];
    REQUIRE_OK(sn_rigid_create(world, &rigid, &def, node, &collider));
}

static uint32_t seed_of(int run) {
    return 7 + 101 * (uint32_t)run;
}

static sn_world *make_empty(const impact *of) {
    sn_world *world = make_world(1, 0, of->substeps);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.integrator = of->integrator;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    return world;
}

static outcome collide(const impact *of, int run) {
    uint32_t seed = seed_of(run);
    sn_world *world = make_empty(of);
    outcome out;
    sn_node node[2];
    double before[3], after[3];
    for (int i = 0; i < 2; i++) add(world, of, i, 0, &seed, &node[i]);
    REQUIRE_OK(sn_world_measure(world, &out.before));
    for (int i = 0; i < 2; i++) REQUIRE_OK(sn_node_get(world, node[i], &out.start[i]));
    for (int f = 0; f < FRAMES; f++) REQUIRE_OK(sn_world_step(world, FRAME));
    REQUIRE_OK(sn_world_measure(world, &out.after));
    for (int i = 0; i < 2; i++) REQUIRE_OK(sn_node_get(world, node[i], &out.end[i]));
    copy(out.start[0].velocity, before);
    copy(out.end[0].velocity, after);
    out.hit = apart(before, after) > HIT;
    sn_world_destroy(world);
    return out;
}

/* What the worst of some runs lost, of what there was. */
typedef struct losses {
    double momentum, angular, most, least; /* of energy: the most and least that was left */
    int hits;
} losses;

static void add_losses(losses *all, const outcome *o) {
    const double energy = o->after.kinetic_energy / o->before.kinetic_energy;
    if (!o->hit) return;
    all->hits++;
    all->momentum = fmax(all->momentum,
                         apart(o->after.momentum, o->before.momentum) / length(o->before.momentum));
    all->angular = fmax(all->angular, apart(o->after.angular_momentum, o->before.angular_momentum) /
                                          length(o->before.angular_momentum));
    all->most = fmax(all->most, energy);
    all->least = fmin(all->least, energy);
}

static losses collide_all(const impact *of, void (*compare)(const impact *of, const outcome *o)) {
    losses all = {.least = INFINITY};
    check_case("shapes %d %d, e %g, friction %g, %g rad/s, integrator %d, %d substeps",
               (int)of->shape[0], (int)of->shape[1], of->restitution, of->friction, of->spin,
               (int)of->integrator, of->substeps);
    for (int run = 0; run < RUNS; run++) {
        const outcome o = collide(of, run);
        add_losses(&all, &o);
        if (o.hit && compare) compare(of, &o);
    }
    if (check_shows())
        printf("shapes %d %d e %g mu %g spin %g integrator %d substeps %d: %d hits, P off by %.1e, "
               "L by %.1e, energy %.6f to %.6f\n",
               (int)of->shape[0], (int)of->shape[1], of->restitution, of->friction, of->spin,
               (int)of->integrator, of->substeps, all.hits, all.momentum, all.angular, all.least,
               all.most);
    CHECK(all.hits > RUNS / 2);
    return all;
}

/* ---- Balls ---- */

/* From where the first was as seen from the second, along the normal where they touch: how it came,
   and how it left along that and across it. */
static void compare_balls(const impact *of, const outcome *o) {
    double at[2][3], came[2][3], left[2][3], from[3], u[3], v[3], n[3];
    for (int i = 0; i < 2; i++) {
        copy(o->start[i].position, at[i]);
        copy(o->start[i].velocity, came[i]);
        copy(o->end[i].velocity, left[i]);
    }
    difference(at[0], at[1], from);
    difference(came[0], came[1], u);
    difference(left[0], left[1], v);
    const double both = radius[0] + radius[1], a = dot(u, u), b = dot(u, from);
    const double root = b * b - a * (dot(from, from) - both * both);
    if (!CHECK(root > 0)) return;
    for (int k = 0; k < 3; k++) n[k] = (from[k] - (b + sqrt(root)) / a * u[k]) / both;
    const double comes = dot(u, n), leaves = dot(v, n), all = sqrt(a);
    double across[3];
    for (int k = 0; k < 3; k++) across[k] = (v[k] - leaves * n[k]) - (u[k] - comes * n[k]);
    CHECK_NEAR(leaves, -of->restitution * comes, CLOSED_FORM * all);
    if (of->friction > 0) return;
    CHECK_NEAR(length(across), 0, CLOSED_FORM * all);
    for (int i = 0; i < 2; i++) {
        double before[3], after[3];
        copy(o->start[i].angular_velocity, before);
        copy(o->end[i].angular_velocity, after);
        CHECK_NEAR(apart(before, after), 0, CLOSED_FORM * all / radius[0]);
    }
}

static const int all_substeps[] = {1, 5, 20, 80};

static const double all_restitutions[] = {0, 0.5, 1};

TEST(balls_bounce_where_they_meet) {
    for (int i = 0; i < 96; i++) {
        const impact of = {.shape = {SN_SHAPE_SPHERE, SN_SHAPE_SPHERE},
                           .restitution = all_restitutions[i % 3],
                           .friction = i / 3 & 1 ? 0.3 : 0,
                           .spin = i / 3 & 2 ? 5 : 0,
                           .integrator = i / 3 & 4 ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1,
                           .substeps = all_substeps[i / 24]};
        const losses all = collide_all(&of, compare_balls);
        CHECK(all.momentum < KEPT);
        CHECK(all.angular < KEPT);
        CHECK(all.most < 1 + KEPT);
        if (of.restitution == 1 && of.friction == 0) CHECK(all.least > 1 - KEPT);
    }
}

/* Pairs that meet in the same substeps, far from each other, part as each does alone. */
TEST(pairs_do_not_know_of_each_other) {
    for (int i = 0; i < 8; i++) {
        const impact of = {.shape = {SN_SHAPE_SPHERE, SN_SHAPE_SPHERE},
                           .restitution = i & 1 ? 0.5 : 0,
                           .friction = i & 2 ? 0.3 : 0,
                           .integrator = i & 4 ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1,
                           .substeps = 5};
        sn_world *world = make_empty(&of);
        sn_node node[RUNS][2];
        for (int run = 0; run < RUNS; run++) {
            uint32_t seed = seed_of(run);
            for (int k = 0; k < 2; k++) add(world, &of, k, 2 * run, &seed, &node[run][k]);
        }
        for (int f = 0; f < FRAMES; f++) REQUIRE_OK(sn_world_step(world, FRAME));
        for (int run = 0; run < 2 * RUNS; run++) {
            const outcome alone = collide(&of, run / 2);
            const sn_node_def *own = &alone.end[run % 2];
            sn_node_def def;
            double v[3], w[3], had[3], spun[3];
            REQUIRE_OK(sn_node_get(world, node[run / 2][run % 2], &def));
            copy(def.velocity, v), copy(def.angular_velocity, w);
            copy(own->velocity, had), copy(own->angular_velocity, spun);
            check_case("e %g, friction %g, integrator %d, pair %d", of.restitution, of.friction,
                       (int)of.integrator, run / 2);
            CHECK_NEAR(apart(v, had), 0, 1e-3);
            CHECK_NEAR(apart(w, spun), 0, 1e-3 / radius[0]);
        }
        sn_world_destroy(world);
    }
}

/* ---- Others ---- */

static const sn_shape pairs[][2] = {
    {SN_SHAPE_SPHERE, SN_SHAPE_BOX},   {SN_SHAPE_CAPSULE, SN_SHAPE_CAPSULE},
    {SN_SHAPE_BOX, SN_SHAPE_BOX},      {SN_SHAPE_HULL, SN_SHAPE_HULL},
    {SN_SHAPE_CYLINDER, SN_SHAPE_BOX}, {SN_SHAPE_CAPSULE, SN_SHAPE_BOX}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

TEST(what_has_corners_keeps_both_momenta) {
    for (int i = 0; i < 48 * PAIRS; i++) {
        const int k = i % 48 / 3;
        const impact of = {.shape = {pairs[i / 48][0], pairs[i / 48][1]},
                           .restitution = all_restitutions[i % 3],
                           .friction = k & 1 ? 0.3 : 0,
                           .spin = k & 2 ? 5 : 0,
                           .integrator = k & 4 ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1,
                           .substeps = all_substeps[1 + k / 8]};
        const losses all = collide_all(&of, NULL);
        CHECK(all.momentum < KEPT);
        CHECK(all.angular < KEPT);
        CHECK(all.most < 1 + 2e-3);
        if (of.restitution == 1 && of.friction == 0) CHECK(all.least > 1 - 2e-3);
    }
}

/* ---- All of them ---- */

static const sn_shape bodies[] = {SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE, SN_SHAPE_BOX, SN_SHAPE_HULL};
enum { BODIES = sizeof bodies / sizeof *bodies };

/* What the worst of all pairs lost, and how many changed angular momentum. */
static losses collide_pairs(impact of, int *changed) {
    losses worst = {.least = INFINITY};
    *changed = 0;
    check_case("e %g, friction %g, integrator %d, %d substeps", of.restitution, of.friction,
               (int)of.integrator, of.substeps);
    for (int i = 0; i < BODIES * BODIES * RUNS; i++) {
        losses own = {.least = INFINITY};
        of.shape[0] = bodies[i / RUNS / BODIES];
        of.shape[1] = bodies[i / RUNS % BODIES];
        if (i / RUNS / BODIES > i / RUNS % BODIES) continue;
        const outcome o = collide(&of, i % RUNS);
        add_losses(&own, &o);
        add_losses(&worst, &o);
        *changed += own.angular > KEPT;
    }
    if (check_shows())
        printf("all e %g mu %g integrator %d substeps %d: %d hits, P off by %.1e, L by %.1e, "
               "%d by more than rounding, energy %.6f to %.6f\n",
               of.restitution, of.friction, (int)of.integrator, of.substeps, worst.hits,
               worst.momentum, worst.angular, *changed, worst.least, worst.most);
    CHECK(worst.hits == BODIES * (BODIES + 1) / 2 * RUNS);
    CHECK(worst.momentum < KEPT);
    return worst;
}

static impact spinning(int i, int substeps) {
    static const double restitutions[] = {0, 0.3, 1};
    return (impact){.restitution = restitutions[i % 3],
                    .friction = i / 3 % 2 ? 0.5 : 0,
                    .spin = 5,
                    .integrator = i / 6 ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1,
                    .substeps = substeps};
}

TEST(all_pairs_keep_both_momenta) {
    for (int i = 0; i < 24; i++) {
        int changed;
        const losses all = collide_pairs(spinning(i % 12, all_substeps[1 + i / 12]), &changed);
        CHECK(all.angular < KEPT);
        CHECK(all.most < 1 + 1e-4);
    }
}

/* In one substep a frame a corner that strikes behind another one is found deep in the other body,
   and both are put apart; and what turns by half a radian in free flight keeps its energy rather
   than its angular momentum (step/integrators/rotate.c). What does not bounce has neither. */
TEST(few_change_angular_momentum_in_long_substeps) {
    for (int i = 0; i < 12; i++) {
        int changed;
        const impact of = spinning(i, 1);
        const losses all = collide_pairs(of, &changed);
        CHECK(all.angular < (of.restitution > 0 ? 0.05 : KEPT));
        CHECK(changed <= 8);
        CHECK(all.most < 1 + 1e-4);
    }
}

TESTS(RUN(balls_bounce_where_they_meet), RUN(pairs_do_not_know_of_each_other),
      RUN(what_has_corners_keeps_both_momenta), RUN(all_pairs_keep_both_momenta),
      RUN(few_change_angular_momentum_in_long_substeps))
