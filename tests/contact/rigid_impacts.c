/*
 * One impact of two free bodies of random shape, pose, mass and inertia, whose colliders sit beside
 * their centres: where they touch, against the separation along all directions; and what that does,
 * against the closed form of an impulse at a point.
 */
#include "rigid_worlds.h"

#include <math.h>
#include <stdio.h>

/* m, s: how far they are apart when they begin, and a substep. */
static const double GAP = 3e-4, STEP = 1e-4;

/* Twice what was measured: of velocities (m/s) and spins (rad/s), and of places (m), by which
   the two move in a substep and turn while they come closer. */
static const double EXACT = 4e-3, EXACT_SPIN = 1.5e-2, PLACE = 6e-4;
/* m: faces go before edges that are better by less (rigid_manifold.c). */
static const double BIAS = 3e-3;

enum { MOST_CORNERS = 8, LOOKS = 250 };

/* ---- Vectors ---- */

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length(const double a[3]) {
    return sqrt(dot(a, a));
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* out = a + s b; `out` may be one of them. */
static void add_to(const double a[3], double s, const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] + s * b[k];
}

static void copy(sn_vec3 a, double out[3]) {
    out[0] = (double)a.x, out[1] = (double)a.y, out[2] = (double)a.z;
}

static sn_vec3 vec3(const double a[3]) {
    return vector(a[0], a[1], a[2]);
}

static void turn(sn_quat q, bool back, const double a[3], double out[3]) {
    double sign = back ? -1 : 1, t[3], u[3];
    double axis[3] = {sign * (double)q.x, sign * (double)q.y, sign * (double)q.z};
    cross(axis, a, t);
    for (int k = 0; k < 3; k++) t[k] *= 2;
    cross(axis, t, u);
    for (int k = 0; k < 3; k++) out[k] = a[k] + (double)q.w * t[k] + u[k];
}

static sn_quat product(sn_quat a, sn_quat b) {
    return (sn_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                     a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static void random_vector(uint32_t *seed, double most, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = most * drawn(seed);
}

/* ---- Bodies ---- */

typedef struct surface {
    double friction, restitution;
} surface;

typedef struct body {
    sn_shape shape;
    double half[3], radius;
    sn_vec3 corner[MOST_CORNERS]; /* of a hull */
    bool stands;                  /* whether nobody carries its collider */
    double w, inverse[3];         /* 1/kg, 1/(kg m^2) about its axes */
    double offset[3];             /* m, of its collider in its frame */
    sn_quat aside;                /* of the same */
    double at[3], v[3], spin[3];  /* m, m/s, rad/s */
    sn_quat q;
    sn_node node;
    sn_collider collider;
} body;

static const sn_shape shapes[] = {SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE, SN_SHAPE_BOX, SN_SHAPE_HULL};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static body random_body(sn_shape shape, bool rounded, uint32_t *seed) {
    body b = {.shape = shape};
    b.w = 1 / (1.5 + drawn(seed));
    b.aside = drawn_turn(seed);
    b.q = drawn_turn(seed);
    for (int k = 0; k < 3; k++) {
        b.half[k] = 0.3 + 0.1 * drawn(seed);
        b.inverse[k] = b.w / (0.06 + 0.02 * drawn(seed));
    }
    if (shape == SN_SHAPE_SPHERE || shape == SN_SHAPE_CAPSULE) b.radius = 0.2 + 0.1 * drawn(seed);
    if (shape == SN_SHAPE_BOX && rounded) b.radius = 0.05;
    for (int k = 0; k < MOST_CORNERS; k++) {
        double at[3];
        random_vector(seed, 0.1, at);
        for (int i = 0; i < 3; i++) at[i] = (k >> i & 1 ? 1 : -1) * (b.half[i] + at[i]);
        b.corner[k] = vec3(at);
    }
    random_vector(seed, shape == SN_SHAPE_BOX ? 0.6 : 0.1, b.offset);
    random_vector(seed, 1, b.v);
    random_vector(seed, 3, b.spin);
    return b;
}

/* m: the place of a body that is outermost along a direction, from its centre. */
static void support(const body *b, const double along[3], double out[3]) {
    double d[3], at[3] = {0, 0, 0}, best = -INFINITY;
    turn(b->q, true, along, d);
    turn(b->aside, true, d, d);
    if (b->shape == SN_SHAPE_CAPSULE) at[1] = d[1] > 0 ? b->half[1] : -b->half[1];
    for (int k = 0; k < 3 && b->shape == SN_SHAPE_BOX; k++)
        at[k] = d[k] > 0 ? b->half[k] : -b->half[k];
    for (int k = 0; k < MOST_CORNERS && b->shape == SN_SHAPE_HULL; k++) {
        double corner[3];
        copy(b->corner[k], corner);
        if (!(dot(corner, d) > best)) continue;
        best = dot(corner, d);
        copy(b->corner[k], at);
    }
    add_to(at, b->radius / length(d), d, at);
    turn(b->aside, false, at, at);
    add_to(at, 1, b->offset, at);
    turn(b->q, false, at, out);
}

/* m: how far the second is from the first along a direction, and where both end there. */
static double gap_along(const body b[2], const double n[3], double ends[2][3]) {
    double back[3] = {-n[0], -n[1], -n[2]}, between[3];
    support(&b[0], n, ends[0]);
    support(&b[1], back, ends[1]);
    for (int i = 0; i < 2; i++) add_to(ends[i], 1, b[i].at, ends[i]);
    add_to(ends[1], -1, ends[0], between);
    return dot(between, n);
}

/* The largest gap of all directions: what is random comes closer and closer. */
static double largest_gap(const body b[2], uint32_t *seed, double best_n[3]) {
    double best = -INFINITY, ends[2][3];
    for (int i = 0; i < 3 * LOOKS; i++) {
        double wide = i < LOOKS ? 1e3 : 0.5 * pow(0.975, i - LOOKS), n[3], d[3];
        random_vector(seed, wide, d);
        add_to(d, i > 0 ? 1 : 0, best_n, n);
        double size = 1 / length(n);
        for (int k = 0; k < 3; k++) n[k] *= size;
        double gap = gap_along(b, n, ends);
        if (!(gap > best)) continue;
        best = gap;
        for (int k = 0; k < 3; k++) best_n[k] = n[k];
    }
    return best;
}

static void add(sn_world *world, body *b, const surface *of) {
    sn_node_def def = sn_node_def_default();
    sn_collider_def shape = sn_collider_def_default();
    sn_body_def bare = sn_body_def_default();
    double at[3];
    shape.shape = b->shape;
    shape.orientation = product(b->q, b->aside);
    turn(b->q, false, b->offset, at);
    add_to(at, 1, b->at, at);
    shape.position = vec3(at);
    shape.extent = vec3(b->half);
    shape.radius = (sn_real)b->radius;
    if (b->shape == SN_SHAPE_HULL) {
        shape.geometry.vertices = b->corner;
        shape.geometry.vertex_count = MOST_CORNERS;
    }
    shape.static_friction = shape.dynamic_friction = (sn_real)of->friction;
    shape.restitution = (sn_real)of->restitution;
    if (b->stands) {
        shape.velocity = vec3(b->v);
        shape.angular_velocity = vec3(b->spin);
    }
    REQUIRE_OK(sn_collider_create(world, &shape, &b->collider));
    if (b->stands) return;
    def.position = vec3(b->at);
    def.orientation = b->q;
    def.oriented = true;
    def.velocity = vec3(b->v);
    def.angular_velocity = vec3(b->spin);
    def.inverse_mass = (sn_real)b->w;
    def.inverse_inertia = vec3(b->inverse);
    REQUIRE_OK(sn_body_create(world, &bare, &def.body));
    REQUIRE_OK(sn_node_create(world, &def, &b->node));
    REQUIRE_OK(sn_collider_set_carrier(world, b->collider, b->node));
}

static void look(const sn_world *world, body *b) {
    sn_node_def def;
    if (b->stands) {
        sn_collider_def shape;
        REQUIRE_OK(sn_collider_get(world, b->collider, &shape));
        copy(shape.position, b->at);
        b->q = shape.orientation;
        return;
    }
    REQUIRE_OK(sn_node_get(world, b->node, &def));
    copy(def.position, b->at);
    copy(def.velocity, b->v);
    copy(def.angular_velocity, b->spin);
    b->q = def.orientation;
}

/* m/s: how a place of a body moves. */
static void motion_at(const body *b, const double at[3], double out[3]) {
    double arm[3], by[3];
    add_to(at, -1, b->at, arm);
    cross(b->spin, arm, by);
    add_to(b->v, 1, by, out);
}

/* An impulse (N s) at a place. */
static void strike(body *b, const double at[3], double sign, const double impulse[3]) {
    double arm[3], twist[3];
    add_to(at, -1, b->at, arm);
    cross(arm, impulse, twist);
    turn(b->q, true, twist, twist);
    for (int k = 0; k < 3; k++) twist[k] *= b->inverse[k];
    turn(b->q, false, twist, twist);
    add_to(b->v, sign * b->w, impulse, b->v);
    add_to(b->spin, sign, twist, b->spin);
}

static void strike_both(body b[2], const double at[3], double size, const double along[3]) {
    const double impulse[3] = {size * along[0], size * along[1], size * along[2]};
    for (int i = 0; i < 2; i++) strike(&b[i], at, i ? -1 : 1, impulse);
}

/* m/s: how the first moves as seen from the second. */
static void relative_at(const body b[2], const double at[3], double out[3]) {
    double other[3];
    motion_at(&b[0], at, out);
    motion_at(&b[1], at, other);
    add_to(out, -1, other, out);
}

/* 1/kg: how easily both move along a direction where they touch. */
static double ease(const body b[2], const double at[3], const double along[3]) {
    body still[2];
    double moved[3];
    for (int i = 0; i < 2; i++) {
        still[i] = b[i];
        for (int k = 0; k < 3; k++) still[i].v[k] = still[i].spin[k] = 0;
    }
    strike_both(still, at, 1, along);
    relative_at(still, at, moved);
    return dot(moved, along);
}

/* The closed form: along the normal they part with e times the speed of before; then friction
   stops what slides, or takes mu times the impulse along the normal. Returns that (N s). */
static double expect(body b[2], const double at[3], const double n[3], const surface *of) {
    double u[3], across[3];
    relative_at(b, at, u);
    double push = -(1 + of->restitution) * dot(u, n) / ease(b, at, n);
    strike_both(b, at, push, n);
    relative_at(b, at, u);
    add_to(u, -dot(u, n), n, across);
    double speed = length(across);
    for (int k = 0; k < 3; k++) across[k] /= speed;
    double stops = speed / ease(b, at, across), most = of->friction * push;
    strike_both(b, at, -fmin(stops, most), across);
    return push;
}

/* ---- The two ---- */

/* Puts the second before the first, wherever that is, and lets it come at 1.5 m/s. */
static void approach(body b[2], uint32_t *seed) {
    double way[3], n[3] = {0, 1, 0}, ends[2][3], u[3];
    random_vector(seed, 1, way);
    double far = length(way);
    for (int k = 0; k < 3; k++) b[1].at[k] = 1.6 * way[k] / far;
    for (int round = 0; round < 6; round++)
        add_to(b[1].at, GAP - largest_gap(b, seed, n), n, b[1].at);
    (void)largest_gap(b, seed, n);
    (void)gap_along(b, n, ends);
    relative_at(b, ends[0], u);
    add_to(b[1].v, dot(u, n) - 1.5, n, b[1].v);
}

/* Whether neither is further away than that from a place, along any direction. */
static bool is_between(const body b[2], const double at[3], uint32_t *seed, double most) {
    for (int i = 0; i < 2 * LOOKS; i++) {
        double d[3], end[3];
        random_vector(seed, 1, d);
        double size = 1 / length(d);
        for (int k = 0; k < 3; k++) d[k] *= size;
        support(&b[i % 2], d, end);
        add_to(end, 1, b[i % 2].at, end);
        if (dot(at, d) > dot(end, d) + most) return false;
    }
    return true;
}

static double apart(const double a[3], const double b[3]) {
    double by[3];
    add_to(a, -1, b, by);
    return length(by);
}

/* What impacts are like, and how many there were. */
typedef struct impacts {
    surface of;
    sn_friction friction;
    double sideways; /* how much of random velocities and spins they have */
    bool stands;     /* whether the second is a collider that moves by itself */
    uint32_t seed;
    int hits, odd;             /* how many of them did not end as expected */
    double place, speed, spin; /* m, m/s, rad/s: how far off the others were */
} impacts;

static void compare(impacts *all, const sn_world *world, const sn_contact *contact, body b[2],
                    const body before[2], bool flat) {
    double n[3], at[3], back[3], best[3] = {0, 1, 0}, ends[2][3], off[2] = {0, 0};
    const bool swapped = contact->nodes[0].slot != b[0].node.slot;
    body expected[2];
    for (int i = 0; i < 2; i++) expected[i] = before[swapped ? 1 - i : i];
    copy(contact->normal, n);
    copy(contact->point, at);
    for (int k = 0; k < 3; k++) back[k] = -n[k];
    /* Of boxes that are round, corners that are balls are not looked at. */
    if (flat) {
        double worse = largest_gap(expected, &all->seed, best);
        worse -= gap_along(expected, back, ends);
        CHECK(worse < BIAS);
        all->place = fmax(all->place, worse);
        CHECK(is_between(expected, at, &all->seed, 4 * PLACE));
    }
    double push = expect(expected, at, n, &all->of);
    for (int i = 0; i < 2; i++) {
        const body *with = &expected[swapped ? 1 - i : i];
        look(world, &b[i]);
        off[0] = fmax(off[0], apart(b[i].v, with->v));
        off[1] = fmax(off[1], apart(b[i].spin, with->spin));
    }
    if (off[0] > EXACT || off[1] > EXACT_SPIN) {
        all->odd++;
        printf("odd: shapes %d and %d, by %g m/s and %g rad/s\n", (int)b[0].shape, (int)b[1].shape,
               off[0], off[1]);
        return;
    }
    all->speed = fmax(all->speed, off[0]);
    all->spin = fmax(all->spin, off[1]);
    if (all->of.restitution > 0) CHECK_REL(contact->normal_impulse, push, 6e-3);
}

static void collide(impacts *all, sn_shape one, sn_shape other, bool rounded) {
    sn_world *world = make_world(1, 0, 1);
    body b[2], before[2];
    const sn_contact *contact;
    size_t count = 0;
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.friction = all->friction;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    b[0] = random_body(one, rounded, &all->seed);
    b[1] = random_body(other, rounded, &all->seed);
    if (all->stands) {
        b[1].stands = true;
        b[1].w = b[1].inverse[0] = b[1].inverse[1] = b[1].inverse[2] = 0;
        b[1].offset[0] = b[1].offset[1] = b[1].offset[2] = 0;
        b[1].aside = (sn_quat){0, 0, 0, 1};
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            b[i].v[k] *= all->sideways;
            b[i].spin[k] *= all->sideways;
        }
    approach(b, &all->seed);
    for (int i = 0; i < 2; i++) add(world, &b[i], &all->of);
    for (int k = 0; k < 500 && count == 0; k++) {
        for (int i = 0; i < 2; i++) {
            look(world, &b[i]);
            before[i] = b[i];
        }
        REQUIRE_OK(sn_world_step(world, (sn_real)STEP));
        REQUIRE_OK(sn_world_contacts(world, &contact, &count));
    }
    all->hits += count == 1;
    /* What does not bounce ends a substep where it touches, and stops in the next one. */
    sn_contact touched = {0};
    if (count == 1) touched = *contact;
    for (int k = 0; k < 2 && !(all->of.restitution > 0); k++)
        REQUIRE_OK(sn_world_step(world, (sn_real)STEP));
    if (count == 1) compare(all, world, &touched, b, before, !rounded);
    sn_world_destroy(world);
}

/* Most of them meet. Few are odd: their friction jams, which gives more than the impact, or they
   touch in two places. */
static void collide_all(impacts all) {
    const int count = 2 * SHAPES * SHAPES;
    all.seed = 7;
    for (int i = 0; i < count; i++) {
        sn_shape one = shapes[i % SHAPES], other = shapes[i / SHAPES % SHAPES];
        check_case("pair %d: shapes %d and %d%s", i, (int)one, (int)other,
                   all.stands ? ", which stands" : "");
        collide(&all, one, other, i >= SHAPES * SHAPES);
    }
    printf("%d hits, %d odd; off by %g m, %g m/s, %g rad/s\n", all.hits, all.odd, all.place,
           all.speed, all.spin);
    CHECK(all.hits >= count - 6);
    CHECK(all.odd <= 5);
}

static const surface slides = {0.1, 0.4};

TEST(impacts_without_friction) {
    collide_all((impacts){.of = {0, 0.7}, .sideways = 1});
    collide_all((impacts){.of = {0, 0.7}, .sideways = 1, .stands = true});
}

TEST(impacts_that_slide) {
    collide_all((impacts){.of = slides, .sideways = 1});
    collide_all((impacts){.of = slides, .sideways = 1, .stands = true});
    collide_all((impacts){.of = slides, .sideways = 1, .friction = SN_FRICTION_VELOCITY});
}

TEST(impacts_that_stick) {
    collide_all((impacts){.of = {0.5, 0.9}, .sideways = 0.3});
    collide_all((impacts){.of = {0.5, 0.9}, .sideways = 0.3, .stands = true});
}

TEST(what_does_not_bounce) {
    collide_all((impacts){.sideways = 0.3});
    collide_all((impacts){.sideways = 0.3, .stands = true});
}

TESTS(RUN(impacts_without_friction), RUN(impacts_that_slide), RUN(impacts_that_stick),
      RUN(what_does_not_bounce))
