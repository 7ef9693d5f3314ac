/*
 * The angle of repose against friction, of balls that roll and of grains of several balls that keep
 * their shape. A round column stands on a disc of balls that stay where they are; its wall is taken
 * away, what does not find a hold falls over the edge, and the slope of what stays is measured.
 *
 * Grains of several balls interlock: they stand steeper than balls of the same mass, and the
 * steeper the rougher they are, where balls that roll have come to their end.
 */
#include "grain.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

enum { MOST = 1024, WALLS = 16 };

static const double r = 0.004, disc = 0.045, dt = 1.0 / 60; /* m, m, s */

typedef struct heap {
    double mu;
    size_t balls; /* of a grain */
    int layers;
    bool rolls;
    sn_world *world;
    sn_node node[MOST];
    size_t count;
    double left;  /* m^3, of the balls */
    double speed; /* m/s, the mean of those that are left */
    double bent;  /* 1, in radii: how much two balls of a grain are apart or together at most */
} heap;

static double radius_of(const heap *h) {
    return h->balls > 1 ? r : r * cbrt(4);
}

/* Four balls that touch, about their middle. */
static const double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

/* A grain that is turned by chance. */
static void add_grain(sn_mesh *mesh, const heap *h, const double at[3], uint32_t *seed) {
    double q[4], length = 0;
    for (int i = 0; i < 4; i++) q[i] = grain_noise(++*seed) - 0.5, length += q[i] * q[i];
    for (int i = 0; i < 4; i++) q[i] /= sqrt(length);
    for (size_t b = 0; b < h->balls; b++) {
        double a[3] = {0}, t[3], x[3];
        for (int i = 0; i < 3 && h->balls > 1; i++) a[i] = corner[b][i] * r / sqrt(2);
        for (int i = 0; i < 3; i++)
            t[i] = 2 * (q[(i + 1) % 3] * a[(i + 2) % 3] - q[(i + 2) % 3] * a[(i + 1) % 3]);
        for (int i = 0; i < 3; i++)
            x[i] = at[i] + a[i] + q[3] * t[i] + q[(i + 1) % 3] * t[(i + 2) % 3] -
                   q[(i + 2) % 3] * t[(i + 1) % 3];
        sn_vec3 vertex = {(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
        REQUIRE_OK(sn_mesh_add_vertices(mesh, &vertex, 1));
    }
}

static void add_body(heap *h, const sn_mesh *mesh, bool glued) {
    static uint32_t pins[MOST];
    static sn_node bed[MOST];
    sn_particles_material material = sn_particles_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    REQUIRE_OK(mesh->vertex_count <= MOST ? SN_OK : SN_ERROR_MEMORY);
    material.radius = (sn_real)radius_of(h);
    material.density = 2500;
    material.balls = glued ? 1 : (sn_real)h->balls;
    def.mesh = mesh;
    def.body.material = 1;
    def.body.rolls = !glued && h->rolls;
    def.collide = glued ? SN_COLLIDE_OTHERS : SN_COLLIDE_ALL;
    def.surface.detail = SN_DETAIL_POINTS;
    for (uint32_t i = 0; i < MOST; i++) pins[i] = i;
    def.pins = pins;
    def.pin_count = glued ? mesh->vertex_count : 0;
    REQUIRE_OK(
        sn_build_body(h->world, SN_KIND_PARTICLES, &material, &def, glued ? bed : h->node, &build));
    if (!glued) h->count = mesh->vertex_count;
}

static void rub(const heap *h) {
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    pair.static_friction = pair.dynamic_friction = (sn_real)h->mu;
    REQUIRE_OK(sn_world_set_contact_pair(h->world, 1, 1, &pair));
}

static void build(heap *h, bool on_disc) {
    sn_world_def def = sn_world_def_default();
    sn_mesh bed = sn_mesh_default(), column = sn_mesh_default();
    const double d = 2 * radius_of(h), step = h->balls > 1 ? 4.46 * r : 1.1 * d;
    const int n = (int)(disc / step) + 1, m = (int)(disc / (0.866 * d)) + 1;
    uint32_t seed = 0;
    def.settings.substeps = 20;
    REQUIRE_OK(sn_world_create(&def, &h->world));
    rub(h);
    for (int i = -m; i <= m; i++)
        for (int k = -m; k <= m; k++) {
            sn_vec3 at = {(sn_real)((i + 0.5 * (k & 1)) * d), 0, (sn_real)(0.866 * k * d)};
            if (hypot((double)at.x, (double)at.z) < disc)
                REQUIRE_OK(sn_mesh_add_vertices(&bed, &at, 1));
        }
    for (int k = 0; k < h->layers; k++)
        for (int i = -n; i <= n; i++)
            for (int j = -n; j <= n; j++) {
                const double x = i + 0.1 * grain_noise(++seed), z = j + 0.1 * grain_noise(++seed);
                const double at[3] = {x * step, d + (k + 0.5) * step, z * step};
                if (hypot(at[0], at[2]) < disc - 0.5 * step) add_grain(&column, h, at, &seed);
            }
    if (on_disc) add_body(h, &bed, true);
    add_body(h, &column, false);
    sn_mesh_free(&bed);
    sn_mesh_free(&column);
}

static double apart(const heap *h, size_t i, size_t k) {
    sn_node_def a = sn_node_def_default(), b = a;
    REQUIRE_OK(sn_node_get(h->world, h->node[i], &a));
    REQUIRE_OK(sn_node_get(h->world, h->node[k], &b));
    double x = (double)(a.position.x - b.position.x), y = (double)(a.position.y - b.position.y);
    double z = (double)(a.position.z - b.position.z);
    return sqrt(x * x + y * y + z * z);
}

static double volume_of(const heap *h) {
    return 4 * PI / 3 * pow(radius_of(h), 3);
}

static void measure(heap *h) {
    size_t left = 0;
    for (size_t i = 0; i < h->count; i++) {
        sn_node_def now = sn_node_def_default();
        REQUIRE_OK(sn_node_get(h->world, h->node[i], &now));
        double at[3] = {(double)now.position.x, (double)now.position.y, (double)now.position.z};
        double v[3] = {(double)now.velocity.x, (double)now.velocity.y, (double)now.velocity.z};
        for (size_t k = i - i % h->balls; k < i; k++)
            h->bent = fmax(h->bent, fabs(apart(h, i, k) - 2 * r) / r);
        if (at[1] < 0 || hypot(at[0], at[2]) >= disc) continue;
        left++;
        h->speed += sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    h->speed /= (double)left;
    h->left = (double)left * volume_of(h);
}

static void run(sn_world *world, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_world_step(world, (sn_real)dt));
}

static heap pile(double mu, size_t balls, bool rolls) {
    static heap h;
    sn_collider wall[WALLS];
    h = (heap){.mu = mu, .balls = balls, .layers = 9, .rolls = rolls};
    build(&h, true);
    grains_add_walls(h.world, WALLS, disc, 0, wall);
    run(h.world, 24);
    for (int i = 0; i < WALLS; i++) REQUIRE_OK(sn_collider_destroy(h.world, wall[i]));
    run(h.world, 60);
    measure(&h);
    sn_world_destroy(h.world);
    if (check_shows())
        printf("mu %g, %d balls: %.3g of %.3g cm^3 stay, %.2g m/s, bent %.2g\n", mu, (int)balls,
               1e6 * h.left, 1e6 * volume_of(&h) * (double)h.count, h.speed, h.bent);
    return h;
}

/* In float and in double 35 and 34 cm^3 of smooth ones stay, 64 and 52 of rough ones, 36 and 40 of
   balls that are as heavy. Balls of a grain are within 0.04 radii of where they should be. */
TEST(grains_of_several_balls_interlock) {
    heap smooth = pile(0.1, 4, true), rough = pile(0.5, 4, true), round = pile(0.5, 1, true);
    CHECK(rough.left > 1.25 * smooth.left);
    CHECK(rough.left > 1.15 * round.left);
    CHECK(rough.bent < 0.06 && smooth.bent < 0.06);
    CHECK(rough.speed < 0.006 && smooth.speed < 0.006 && round.speed < 0.006);
    if (!check_long()) return;
    heap middle = pile(0.3, 4, true), still = pile(0.5, 4, false);
    CHECK(middle.left > smooth.left && middle.left < 1.05 * rough.left);
    CHECK(still.left > 1.1 * rough.left && still.bent < 0.06);
}

/* m, m/s: where the middle of a heap is along x, and how fast. */
static void find_middle(const heap *h, double *at, double *speed) {
    *at = *speed = 0;
    for (size_t i = 0; i < h->count; i++) {
        sn_node_def now = sn_node_def_default();
        REQUIRE_OK(sn_node_get(h->world, h->node[i], &now));
        *at += (double)now.position.x / (double)h->count;
        *speed += (double)now.velocity.x / (double)h->count;
    }
}

/* How a heap goes in half a second on a plane that is tilted by so much, m, and how much faster it
   becomes, m/s^2. */
static double slide(double mu, double tangent, bool rolls, double *way) {
    static heap h;
    sn_collider_def floor = sn_collider_def_default();
    sn_collider plane;
    sn_settings settings;
    double at[2], speed[2];
    h = (heap){.mu = mu, .balls = 4, .layers = 3, .rolls = rolls};
    build(&h, false);
    floor.static_friction = floor.dynamic_friction = (sn_real)mu;
    REQUIRE_OK(sn_collider_create(h.world, &floor, &plane));
    run(h.world, 45);
    REQUIRE_OK(sn_world_get_settings(h.world, &settings));
    for (int i = 1; i <= 15; i++) {
        double angle = atan(tangent * i / 15);
        settings.gravity =
            (sn_vec3){(sn_real)(9.81 * sin(angle)), (sn_real)(-9.81 * cos(angle)), 0};
        REQUIRE_OK(sn_world_set_settings(h.world, &settings));
        run(h.world, 1);
    }
    run(h.world, 15);
    find_middle(&h, &at[0], &speed[0]);
    run(h.world, 30);
    find_middle(&h, &at[1], &speed[1]);
    sn_world_destroy(h.world);
    if (check_shows())
        printf("mu %g, tilted by %g: %.3g mm, %.3g m/s^2, expected %.3g\n", mu, tangent,
               1e3 * (at[1] - at[0]), (speed[1] - speed[0]) * 2,
               9.81 * cos(atan(tangent)) * fmax(0, tangent - mu));
    *way = at[1] - at[0];
    return (speed[1] - speed[0]) * 2;
}

/* What interlocks goes as a whole. It stays below Coulomb's angle, but for 0.3 radii by which it
   settles, and above it is slowed down by its friction, within 0.002. */
TEST(heaps_slide_where_the_tilt_is_that_of_friction) {
    for (double mu = 0.2; mu < 0.7; mu += 0.2) {
        double way, below = slide(mu, 0.9 * mu, false, &way), tilt = 1.1 * mu;
        CHECK(below < 0.01 && fabs(way) < 0.4 * r);
        double faster = slide(mu, tilt, false, &way);
        CHECK_NEAR(tilt - faster / (9.81 * cos(atan(tilt))), mu, 0.01);
    }
    double way, faster = slide(0.2, 0.22, true, &way);
    CHECK_NEAR(0.22 - faster / (9.81 * cos(atan(0.22))), 0.2, 0.01);
}

/* kg m/s and kg m^2/s, and kg. */
static double add_momentum(const heap *h, double p[3], double l[3]) {
    double mass = 0;
    for (size_t i = 0; i < h->count; i++) {
        sn_node_def now = sn_node_def_default();
        REQUIRE_OK(sn_node_get(h->world, h->node[i], &now));
        double m = 1 / (double)now.inverse_mass;
        double x[3] = {(double)now.position.x, (double)now.position.y, (double)now.position.z};
        double v[3] = {(double)now.velocity.x, (double)now.velocity.y, (double)now.velocity.z};
        double w[3] = {(double)now.angular_velocity.x, (double)now.angular_velocity.y,
                       (double)now.angular_velocity.z};
        for (int k = 0; k < 3; k++) {
            p[k] += m * v[k];
            l[k] += 0.4 * m * r * r * w[k] +
                    m * (x[(k + 1) % 3] * v[(k + 2) % 3] - x[(k + 2) % 3] * v[(k + 1) % 3]);
        }
        mass += m;
    }
    return mass;
}

/* Two grains that meet beside their middles, at 0.05 m/s each, go on turning; what turns
   is slowed down by the step, by 0.5 % here. */
TEST(grains_that_meet_keep_momentum) {
    static heap h;
    sn_world_def def = sn_world_def_default();
    sn_mesh mesh = sn_mesh_default();
    uint32_t seed = 0;
    double p[2][3] = {{0}}, l[2][3] = {{0}}, mass = 0;
    h = (heap){.mu = 0.5, .balls = 4, .rolls = true};
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 20;
    REQUIRE_OK(sn_world_create(&def, &h.world));
    rub(&h);
    for (int i = -1; i <= 1; i += 2)
        add_grain(&mesh, &h, (double[3]){0.012 * i, 0.002 * i, 0}, &seed);
    add_body(&h, &mesh, false);
    sn_mesh_free(&mesh);
    for (size_t i = 0; i < h.count; i++)
        REQUIRE_OK(sn_node_set_velocity(h.world, h.node[i],
                                        (sn_vec3){i < 4 ? (sn_real)0.05 : (sn_real)-0.05, 0, 0}));
    add_momentum(&h, p[0], l[0]);
    run(h.world, 8);
    mass = add_momentum(&h, p[1], l[1]);
    measure(&h);
    if (check_shows())
        for (int k = 0; k < 3; k++)
            printf("momentum %.3g from %.3g, angular %.3g from %.3g, of %.3g and %.3g, bent %.2g\n",
                   p[1][k], p[0][k], l[1][k], l[0][k], mass * 0.05, mass * 0.05 * 0.002, h.bent);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(p[1][k], p[0][k], 1e-4 * mass * 0.05);
        CHECK_NEAR(l[1][k], l[0][k], 0.01 * mass * 0.05 * 0.002);
    }
    CHECK(h.bent < 0.01);
    sn_world_destroy(h.world);
}

TEST(what_is_no_grain_is_refused) {
    sn_world_def world_def = sn_world_def_default();
    sn_world *world;
    sn_mesh mesh = sn_mesh_default();
    sn_build_def def = sn_build_def_default();
    sn_particles_material material = sn_particles_material_default();
    sn_build build;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, NULL, 6));
    def.mesh = &mesh;
    material.balls = 4;
    CHECK_FAILS(sn_build_body(world, SN_KIND_PARTICLES, &material, &def, NULL, &build),
                SN_ERROR_VALUE);
    material.balls = (sn_real)1.5;
    CHECK_FAILS(sn_build_body(world, SN_KIND_PARTICLES, &material, &def, NULL, &build),
                SN_ERROR_VALUE);
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
}

TESTS(RUN(grains_of_several_balls_interlock), RUN(heaps_slide_where_the_tilt_is_that_of_friction),
      RUN(grains_that_meet_keep_momentum), RUN(what_is_no_grain_is_refused))
