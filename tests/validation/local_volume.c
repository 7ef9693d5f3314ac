/*
 * The volume of a surface, kept where it is deformed (Diziol et al. 2011): the volume, momentum,
 * what is left alone, shapes at rest, velocities, opposites, struts, snapshots, threads.
 */
#include "check.h"
#include "snapshot.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- A ball ---- */

typedef struct ball {
    sn_world *world;
    sn_mesh mesh;
    sn_node *node;
    sn_body body;
    sn_constraint volume;
} ball;

typedef struct setting {
    const char *name;
    double local, opposing, steady;
    int touching, change;
} setting;

static const setting settings[] = {
    {"global", 0, 0, 0, 0, 0},
    {"moved", 0.9, 0, 0, 0, 0},
    {"across", 0.9, 0.8, 0, 0, 0},
    {"all of it", 1, 1, 1, 0, 0},
    {"still", 0, 0, 0, 1, 0},
    {"moved and still", 0.9, 0, 1, 1, 0},
    {"across and still", 0.9, 0.8, 1, 1, 0},
    {"by the step", 0.9, 0.8, 0, 0, 1},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static sn_mesh sphere(double radius, uint32_t level) {
    sn_mesh mesh = sn_mesh_default();
    sn_sphere_def def = sn_sphere_def_default();
    def.radius = (sn_real)radius;
    def.level = level;
    REQUIRE_OK(sn_generate_sphere(&mesh, &def));
    return mesh;
}

static ball make_ball(int threads, double gravity) {
    ball b = {.mesh = sphere(0.2, 2)};
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.settings.gravity = (sn_vec3){0, (sn_real)gravity, 0};
    def.settings.substeps = 10;
    REQUIRE_OK(sn_world_create(&def, &b.world));
    b.node = calloc(b.mesh.vertex_count, sizeof *b.node);
    if (!b.node) abort();
    sn_cloth_material surface = sn_cloth_material_default();
    surface.area_density = 2;
    surface.stretch_stiffness = 300;
    surface.bending_stiffness = (sn_real)0.02;
    surface.thickness = (sn_real)0.01;
    sn_build_def build = sn_build_def_default();
    build.mesh = &b.mesh;
    sn_build built;
    REQUIRE_OK(sn_build_body(b.world, SN_KIND_CLOTH, &surface, &build, b.node, &built));
    b.body = built.body;
    return b;
}

static void add_volume(ball *b, const setting *s) {
    sn_surface_volume_def def = sn_surface_volume_def_default();
    def.nodes = b->node;
    def.node_count = b->mesh.vertex_count;
    def.triangles = b->mesh.triangles[0];
    def.triangle_count = b->mesh.triangle_count;
    def.local = (sn_real)s->local;
    def.opposing = (sn_real)s->opposing;
    def.steady = (sn_real)s->steady;
    def.touching = s->touching;
    def.change = s->change;
    REQUIRE_OK(sn_constraint_create(b->world, SN_TYPE_SURFACE_VOLUME, &def, &b->volume));
}

static void free_ball(ball *b) {
    sn_world_destroy(b->world);
    sn_mesh_free(&b->mesh);
    free(b->node);
}

static void add_plane(ball *b, double y, sn_collider *plane) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_PLANE;
    def.position = (sn_vec3){0, (sn_real)y, 0};
    REQUIRE_OK(sn_collider_create(b->world, &def, plane));
}

/* Over the volume at rest. */
static double lost(const ball *b) {
    sn_real value[SN_MAX_ROWS], rest[3];
    REQUIRE_OK(sn_constraint_evaluate(b->world, b->volume, value, NULL));
    REQUIRE_OK(sn_constraint_get_field(b->world, b->volume, "rest_volume", rest));
    return fabs((double)value[0] / (double)rest[0]);
}

static sn_measure measure(const ball *b) {
    sn_measure m;
    REQUIRE_OK(sn_world_measure(b->world, &m));
    return m;
}

static void step(ball *b, int count) {
    for (int i = 0; i < count; i++) REQUIRE_OK(sn_world_step(b->world, (sn_real)(1.0 / 60)));
}

/* A push at the top and a spin: everything moves in another way. */
static void push(ball *b) {
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        sn_vec3 x = b->mesh.positions[i];
        sn_vec3 v = {-x.y * 3 + (sn_real)0.5, x.x * 3, x.z > (sn_real)0.1 ? -2 : 0};
        REQUIRE_OK(sn_node_set_velocity(b->world, b->node[i], v));
    }
}

/* ---- Volume and momentum ---- */

TEST(volume_is_kept_and_so_is_momentum) {
    for (int i = 0; i < SETTINGS; i++) {
        ball b = make_ball(1, 0);
        add_volume(&b, &settings[i]);
        push(&b);
        sn_measure before = measure(&b);
        step(&b, 60);
        sn_measure after = measure(&b);
        double p = 0;
        for (int k = 0; k < 3; k++) p = fmax(p, fabs(before.momentum[k] - after.momentum[k]));
        check_case("%s: %.4f %% lost, p off by %g, %g of %g J", settings[i].name, 100 * lost(&b), p,
                   after.kinetic_energy, before.kinetic_energy);
        CHECK(lost(&b) < 1e-3);
        CHECK_NEAR(p, 0, 1e-5);
        CHECK(after.kinetic_energy < before.kinetic_energy);
        free_ball(&b);
    }
}

/* ---- One correction alone ---- */

/* Nodes of different masses with a volume that is too small, and a cap that is pressed in by a
   hundredth of a metre, which weights go by. */
static ball make_bare(const setting *s) {
    ball b = {.mesh = sphere(0.2, 2)};
    sn_world_def def = sn_world_def_default();
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 1;
    REQUIRE_OK(sn_world_create(&def, &b.world));
    b.node = calloc(b.mesh.vertex_count, sizeof *b.node);
    if (!b.node) abort();
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        sn_node_def node = sn_node_def_default();
        node.position = b.mesh.positions[i];
        node.inverse_mass = (sn_real)(1 / (0.01 + 0.001 * (double)(i % 5)));
        REQUIRE_OK(sn_node_create(b.world, &node, &b.node[i]));
    }
    add_volume(&b, s);
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        sn_vec3 x = b.mesh.positions[i];
        if (!(x.x > (sn_real)0.12)) continue;
        x.x -= (sn_real)0.01;
        REQUIRE_OK(sn_node_set_position(b.world, b.node[i], x));
    }
    sn_real pressure[3] = {(sn_real)1.05};
    REQUIRE_OK(sn_constraint_set_field(b.world, b.volume, "pressure", pressure));
    step(&b, 1);
    return b;
}

TEST(corrections_do_not_turn_the_body) {
    for (int i = 0; i < SETTINGS; i++) {
        ball b = make_bare(&settings[i]);
        sn_measure m = measure(&b);
        /* As much as both could be. */
        double p = 0, l = 0, most = sqrt(2 * m.kinetic_energy * 2);
        for (int k = 0; k < 3; k++) {
            p = fmax(p, fabs(m.momentum[k]));
            l = fmax(l, fabs(m.angular_momentum[k]));
        }
        check_case("%s: p is %g of %g kg m/s, l %g of %g kg m^2/s", settings[i].name, p, most, l,
                   0.2 * most);
        /* 1e-5 of what it is without weights; where velocities are steadied, less is left of it. */
        CHECK(i > 0 || most > 0.38);
        CHECK(p < 3.8e-6);
        CHECK(l < 0.2 * 3.8e-6);
        CHECK(lost(&b) < 0.01);
        free_ball(&b);
    }
}

/* How far the cap has come out of where it was pressed to, over the other side. */
static double bulge(const setting *s) {
    ball b = make_bare(s);
    sn_node_view n;
    double cap = 0, other = 0;
    REQUIRE_OK(sn_world_nodes(b.world, &n));
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double far = sqrt((double)n.position[i].x * (double)n.position[i].x +
                          (double)n.position[i].y * (double)n.position[i].y +
                          (double)n.position[i].z * (double)n.position[i].z);
        if (b.mesh.positions[i].x > (sn_real)0.17) cap = fmax(cap, far - 0.19);
        if (b.mesh.positions[i].x < (sn_real)-0.1) other = fmax(other, far - 0.2);
    }
    free_ball(&b);
    return cap / fmax(other, 1e-9);
}

TEST(local_means_near) {
    double global = bulge(&settings[0]), moved = bulge(&settings[1]);
    double across = bulge(&settings[2]);
    check_case("the cap comes out %g times as far as the other side, with local %g times, across "
               "%g times",
               global, moved, across);
    CHECK_NEAR(global, 1, 0.3);
    CHECK(moved > 1.5 * global);
    /* The other side is across from the cap. */
    CHECK(across < 0.8 * moved);
}

/* ---- What is not deformed ---- */

static double most_apart(const sn_vec4 *a, const sn_vec4 *b, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        double x = (double)a[i].x - (double)b[i].x, y = (double)a[i].y - (double)b[i].y;
        double z = (double)a[i].z - (double)b[i].z;
        most = fmax(most, sqrt(x * x + y * y + z * z));
    }
    return most;
}

/* Where the nodes of an ellipsoid at rest are, a substep after it was to have another volume. */
static sn_vec4 *grown(const setting *s) {
    ball b = {.mesh = sphere(0.2, 2)};
    sn_world_def def = sn_world_def_default();
    sn_real pressure[3] = {(sn_real)1.05};
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 1;
    REQUIRE_OK(sn_world_create(&def, &b.world));
    b.node = calloc(b.mesh.vertex_count, sizeof *b.node);
    if (!b.node) abort();
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        sn_node_def node = sn_node_def_default();
        sn_vec3 x = b.mesh.positions[i];
        node.position = (sn_vec3){x.x, (sn_real)1.6 * x.y, (sn_real)0.7 * x.z};
        REQUIRE_OK(sn_node_create(b.world, &node, &b.node[i]));
    }
    add_volume(&b, s);
    REQUIRE_OK(sn_constraint_set_field(b.world, b.volume, "pressure", pressure));
    step(&b, 1);
    sn_node_view n;
    REQUIRE_OK(sn_world_nodes(b.world, &n));
    sn_vec4 *x = calloc(n.count, sizeof *x);
    if (!x) abort();
    memcpy(x, n.position, n.count * sizeof *x);
    check_case("%s: %g lost", s->name, lost(&b));
    CHECK(lost(&b) < 2e-3);
    free_ball(&b);
    return x;
}

/* What is deformed nowhere is corrected everywhere alike, whatever the shares. */
TEST(what_is_at_rest_grows_alike) {
    sn_mesh mesh = sphere(0.2, 2);
    sn_vec4 *global = grown(&settings[0]);
    for (int i = 1; i < SETTINGS; i++) {
        sn_vec4 *x = grown(&settings[i]);
        CHECK_NEAR(most_apart(x, global, mesh.vertex_count), 0, 1e-5);
        free(x);
    }
    free(global);
    sn_mesh_free(&mesh);
}

/* ---- Contact ---- */

/* A ball that lies on the floor: its weight is carried, it does not tremble, and the volume is kept
   better where what touches is left alone. */
TEST(a_ball_that_lies_is_still) {
    double loss[SETTINGS];
    for (int i = 0; i < SETTINGS; i++) {
        ball b = make_ball(1, -9.81);
        sn_collider floor;
        add_volume(&b, &settings[i]);
        add_plane(&b, -0.21, &floor);
        sn_body_def def = sn_body_def_default();
        REQUIRE_OK(sn_body_get(b.world, b.body, &def));
        def.damping = 3;
        REQUIRE_OK(sn_body_set(b.world, b.body, &def));
        step(&b, 150);
        sn_measure m = measure(&b);
        loss[i] = lost(&b);
        check_case("%s: %.5f %% lost, %g J", settings[i].name, 100 * loss[i], m.kinetic_energy);
        CHECK(loss[i] < 2e-3);
        /* By motions of the step, weights are those of its trembling, and keep it up. */
        if (settings[i].change == 0) CHECK(m.kinetic_energy < 1e-3);
        free_ball(&b);
    }
}

/* Where the nodes of a ball are that is pressed onto the floor by a smaller one until it is at
   rest. */
static sn_vec4 *press(const setting *s, bool later) {
    ball b = make_ball(1, 0);
    sn_collider plate;
    sn_collider_def def = sn_collider_def_default();
    sn_body_def body = sn_body_def_default();
    REQUIRE_OK(sn_body_get(b.world, b.body, &body));
    body.damping = 3;
    REQUIRE_OK(sn_body_set(b.world, b.body, &body));
    add_volume(&b, later ? &(setting){"later", 0, 0, s->steady, s->touching, 0} : s);
    if (later) {
        sn_real local[3] = {(sn_real)s->local}, opposing[3] = {(sn_real)s->opposing};
        CHECK_OK(sn_constraint_set_field(b.world, b.volume, "opposing", opposing));
        CHECK_OK(sn_body_set_field(b.world, b.body, SN_TYPE_SURFACE_VOLUME, "local", local, NULL));
    }
    add_plane(&b, -0.21, &plate);
    def.shape = SN_SHAPE_SPHERE;
    def.radius = (sn_real)0.1;
    def.position = (sn_vec3){0, (sn_real)0.31, 0};
    REQUIRE_OK(sn_collider_create(b.world, &def, &plate));
    for (int i = 0; i < 150; i++) {
        double way = i < 60 ? 0.16 * i / 60 : 0.16;
        sn_vec3 to = {0, (sn_real)(0.31 - way), 0};
        REQUIRE_OK(sn_collider_set_target(b.world, plate, to, (sn_quat){0, 0, 0, 1}));
        step(&b, 1);
    }
    sn_measure m = measure(&b);
    check_case("%s: %.3f %% lost, %g J", s->name, 100 * lost(&b), m.kinetic_energy);
    CHECK(lost(&b) < 2e-3);
    CHECK(m.kinetic_energy < 1e-4);
    sn_node_view n;
    REQUIRE_OK(sn_world_nodes(b.world, &n));
    sn_vec4 *x = calloc(n.count, sizeof *x);
    if (!x) abort();
    memcpy(x, n.position, n.count * sizeof *x);
    free_ball(&b);
    return x;
}

/* What is pressed for good has another shape for good, and the same one whenever the weights were
   asked for. */
TEST(shapes_at_rest_depend_on_the_weights) {
    sn_mesh mesh = sphere(0.2, 2);
    size_t count = mesh.vertex_count;
    sn_vec4 *global = press(&settings[4], false), *moved = press(&settings[5], false);
    sn_vec4 *across = press(&settings[6], false), *later = press(&settings[6], true);
    double one = most_apart(global, moved, count), two = most_apart(moved, across, count);
    check_case("%g m between global and moved, %g m between moved and across", one, two);
    CHECK(one > 0.005);
    CHECK(two > 0.002);
    CHECK(most_apart(across, later, count) == 0);
    free(global);
    free(moved);
    free(across);
    free(later);
    sn_mesh_free(&mesh);
}

/* ---- Velocities ---- */

/* dV/dt from the velocities. */
static double rate(const ball *b) {
    sn_node_view n;
    sn_vec3 *gradient = calloc(b->mesh.vertex_count, sizeof *gradient);
    sn_real value[SN_MAX_ROWS];
    double sum = 0;
    if (!gradient) abort();
    REQUIRE_OK(sn_constraint_evaluate(b->world, b->volume, value, gradient));
    REQUIRE_OK(sn_world_nodes(b->world, &n));
    for (size_t i = 0; i < b->mesh.vertex_count; i++)
        sum += (double)gradient[i].x * (double)n.velocity[i].x +
               (double)gradient[i].y * (double)n.velocity[i].y +
               (double)gradient[i].z * (double)n.velocity[i].z;
    free(gradient);
    return fabs(sum);
}

TEST(steady_velocities_do_not_change_the_volume) {
    double found[2];
    for (int i = 0; i < 2; i++) {
        ball b = make_ball(1, 0);
        add_volume(&b, i == 0 ? &settings[0] : &(setting){"steady", 0, 0, 1, 0, 0});
        push(&b);
        step(&b, 2);
        found[i] = rate(&b);
        free_ball(&b);
    }
    check_case("%g m^3/s, steady %g m^3/s", found[0], found[1]);
    CHECK(found[1] < 1e-8 && found[0] > 100 * found[1]);
}

/* ---- Opposites and struts ---- */

TEST(opposites_of_a_sphere) {
    sn_mesh mesh = sphere(0.5, 3);
    uint32_t *opposite = calloc(mesh.vertex_count, sizeof *opposite);
    double worst = 0;
    if (!opposite) abort();
    REQUIRE_OK(sn_mesh_opposites(&mesh, opposite));
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        if (!CHECK(opposite[i] < mesh.vertex_count)) continue;
        sn_vec3 a = mesh.positions[i], b = mesh.positions[opposite[i]];
        double sum[3] = {(double)a.x + (double)b.x, (double)a.y + (double)b.y,
                         (double)a.z + (double)b.z};
        worst = fmax(worst, sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]));
    }
    check_case("the worst is %g m from straight across", worst);
    CHECK_NEAR(worst, 0, 0.05);
    CHECK_FAILS(sn_mesh_opposites(&mesh, NULL), SN_ERROR_NULL);
    free(opposite);
    sn_mesh_free(&mesh);
}

/* A sheet has no other side. */
TEST(opposites_of_a_sheet) {
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def def = sn_grid_def_default();
    REQUIRE_OK(sn_generate_grid(&mesh, &def));
    uint32_t *opposite = calloc(mesh.vertex_count, sizeof *opposite);
    if (!opposite) abort();
    REQUIRE_OK(sn_mesh_opposites(&mesh, opposite));
    for (size_t i = 0; i < mesh.vertex_count; i++) CHECK(opposite[i] == UINT32_MAX);
    free(opposite);
    sn_mesh_free(&mesh);
}

/* A box between two plates that come nearer by a hundredth: struts press with E times that. */
static double pressure_of_box(uint32_t cells) {
    sn_mesh mesh = sn_mesh_default();
    sn_box_def box = sn_box_def_default();
    box.cells[0] = box.cells[1] = box.cells[2] = cells;
    REQUIRE_OK(sn_generate_box(&mesh, &box));
    sn_world *world;
    sn_world_def world_def = sn_world_def_default();
    world_def.settings.gravity = (sn_vec3){0, 0, 0};
    world_def.settings.keep_forces = true;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    sn_cloth_material surface = sn_cloth_material_default();
    surface.stretch_stiffness = (sn_real)1e-6;
    surface.strut_stiffness = 1000;
    sn_build_def build = sn_build_def_default();
    build.mesh = &mesh;
    sn_node *node = calloc(mesh.vertex_count, sizeof *node);
    if (!node) abort();
    sn_build body;
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &surface, &build, node, &body));
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        sn_vec3 x = mesh.positions[i];
        x.y *= (sn_real)0.99;
        REQUIRE_OK(sn_node_set_position(world, node[i], x));
    }
    sn_measure m;
    REQUIRE_OK(sn_world_measure(world, &m));
    sn_world_destroy(world);
    sn_mesh_free(&mesh);
    free(node);
    /* The energy of a cube of 1 m^3: E strain^2 / 2. */
    return 2 * m.elastic_energy / (0.01 * 0.01);
}

/* Edges of the box have no neighbours straight across, so it is a little less on coarse meshes. */
TEST(struts_have_a_modulus) {
    double coarse = pressure_of_box(4), fine = pressure_of_box(12);
    check_case("%g and %g Pa for 1000 Pa", coarse, fine);
    CHECK_NEAR(coarse, 1000, 250);
    CHECK_NEAR(fine, 1000, 120);
}

TEST(struts_hold_a_ball) {
    double height[2];
    for (int i = 0; i < 2; i++) {
        sn_mesh mesh = sphere(0.2, 2);
        sn_world *world;
        sn_build body;
        REQUIRE_OK(sn_world_create(NULL, &world));
        sn_cloth_material surface = sn_cloth_material_default();
        surface.area_density = 2;
        surface.stretch_stiffness = 50;
        surface.stretch_damping = (sn_real)0.02;
        if (i == 1) surface.strut_stiffness = 5000;
        sn_build_def build = sn_build_def_default();
        build.mesh = &mesh;
        REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &surface, &build, NULL, &body));
        sn_collider_def def = sn_collider_def_default();
        sn_collider floor;
        def.shape = SN_SHAPE_PLANE;
        def.position = (sn_vec3){0, (sn_real)-0.2, 0};
        REQUIRE_OK(sn_collider_create(world, &def, &floor));
        for (int k = 0; k < 60; k++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        sn_node_view n;
        REQUIRE_OK(sn_world_nodes(world, &n));
        height[i] = -1;
        for (size_t k = 0; k < n.count; k++)
            height[i] = fmax(height[i], (double)n.position[k].y + 0.2);
        sn_world_destroy(world);
        sn_mesh_free(&mesh);
    }
    check_case("%g m high without struts, %g m with", height[0], height[1]);
    CHECK(height[1] > 0.35 && height[0] < 0.75 * height[1]);
}

/* ---- The same bits ---- */

static uint64_t roll(const setting *s, int threads, bool save) {
    ball b = make_ball(threads, -9.81);
    sn_collider floor;
    add_volume(&b, s);
    add_plane(&b, -0.25, &floor);
    push(&b);
    step(&b, 20);
    if (save) {
        size_t size = 0;
        void *data = snapshot_of(b.world, &size);
        step(&b, 5);
        REQUIRE_OK(sn_snapshot_load(b.world, data, size));
        free(data);
    }
    step(&b, 20);
    uint64_t hash = sn_world_hash(b.world);
    free_ball(&b);
    return hash;
}

TEST(threads_and_snapshots_do_not_matter) {
    for (int i = 6; i < SETTINGS; i++) {
        uint64_t hash = roll(&settings[i], 1, false);
        CHECK(roll(&settings[i], 3, false) == hash);
        CHECK(roll(&settings[i], 1, true) == hash);
    }
}

TEST(what_makes_no_sense_is_refused) {
    sn_mesh mesh = sphere(0.2, 1), sheet = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    sn_world *world;
    sn_build body;
    REQUIRE_OK(sn_generate_grid(&sheet, &grid));
    REQUIRE_OK(sn_world_create(NULL, &world));
    sn_cloth_material surface = sn_cloth_material_default();
    sn_build_def build = sn_build_def_default();
    build.mesh = &mesh;
    surface.volume_local = 1;
    CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &surface, &build, NULL, &body), SN_ERROR_VALUE);
    surface.volume_local = 0;
    surface.strut_stiffness = 100;
    build.mesh = &sheet;
    CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &surface, &build, NULL, &body),
                SN_ERROR_DEGENERATE);
    sn_world_destroy(world);
    sn_mesh_free(&mesh);
    sn_mesh_free(&sheet);
}

/* ---- Across ---- */

/* The vertex that is farthest along a direction. */
static size_t farthest(const sn_mesh *mesh, double x, double y, double z) {
    size_t best = 0;
    double most = -INFINITY;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        sn_vec3 p = mesh->positions[i];
        double at = x * (double)p.x + y * (double)p.y + z * (double)p.z;
        if (at > most) most = at, best = i;
    }
    return best;
}

static double way(sn_vec3 a, sn_vec3 b) {
    return hypot(hypot((double)(a.x - b.x), (double)(a.y - b.y)), (double)(a.z - b.z));
}

/* m: how far the volume alone moves a vertex that was pushed in towards its opposite, over how far
   it moves one that was moved along with it. */
static double preference(double opposing) {
    sn_world_def def = sn_world_def_default();
    ball b = {.mesh = sphere(0.2, 2)};
    const setting s = {"across", 1, opposing, 0, 0, 0};
    const size_t in[2] = {farthest(&b.mesh, 0, 1, 0), farthest(&b.mesh, 0, -1, 0)};
    const size_t along[2] = {farthest(&b.mesh, 1, 0, 0), farthest(&b.mesh, -1, 0, 0)};
    sn_vec3 from[2] = {{0, 0, 0}, {0, 0, 0}}, to[2];
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 1;
    REQUIRE_OK(sn_world_create(&def, &b.world));
    b.node = calloc(b.mesh.vertex_count, sizeof *b.node);
    if (!b.node) abort();
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        sn_node_def node = sn_node_def_default();
        node.position = b.mesh.positions[i];
        REQUIRE_OK(sn_node_create(b.world, &node, &b.node[i]));
    }
    add_volume(&b, &s);
    for (int k = 0; k < 2; k++) {
        sn_vec3 p = b.mesh.positions[in[k]], q = b.mesh.positions[along[k]];
        p.y *= (sn_real)0.8;
        q.z += (sn_real)0.04;
        REQUIRE_OK(sn_node_set_position(b.world, b.node[in[k]], p));
        REQUIRE_OK(sn_node_set_position(b.world, b.node[along[k]], q));
        if (k == 0) {
            from[0] = p;
            from[1] = q;
        }
    }
    step(&b, 1);
    sn_node_def now;
    REQUIRE_OK(sn_node_get(b.world, b.node[in[0]], &now));
    to[0] = now.position;
    REQUIRE_OK(sn_node_get(b.world, b.node[along[0]], &now));
    to[1] = now.position;
    free_ball(&b);
    return way(from[0], to[0]) / way(from[1], to[1]);
}

/* By how far they are moved both are alike; by distances across, one of them has not changed. */
TEST(what_is_squeezed_is_filled_first) {
    double moved = preference(0), half = preference(0.5), across = preference(1);
    CHECK(moved > 0.6 && moved < 1.6);
    CHECK(across > 2 * moved);
    CHECK(half > moved && half < across);
}

TESTS(RUN(volume_is_kept_and_so_is_momentum), RUN(corrections_do_not_turn_the_body),
      RUN(local_means_near), RUN(what_is_at_rest_grows_alike), RUN(a_ball_that_lies_is_still),
      RUN(shapes_at_rest_depend_on_the_weights), RUN(steady_velocities_do_not_change_the_volume),
      RUN(opposites_of_a_sphere), RUN(opposites_of_a_sheet), RUN(struts_have_a_modulus),
      RUN(struts_hold_a_ball), RUN(threads_and_snapshots_do_not_matter),
      RUN(what_makes_no_sense_is_refused), RUN(what_is_squeezed_is_filled_first))
