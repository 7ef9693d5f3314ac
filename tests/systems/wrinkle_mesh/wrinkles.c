/*
 * Wrinkle meshes: vertices that stay attached, lengths that hold where the coarse mesh is shorter
 * than at rest, one side; the same bits for threads and snapshots; nothing that is simulated
 * depends on them.
 */
#include "validation/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 5, NODES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1), FINE = 4096 };

static sn_node node[NODES];
static uint32_t triangle[TRIANGLES][3];
static sn_vec3 at[FINE];

/* A square of 1 m in the xz plane, whose nodes are kinematic or not. */
static sn_wrinkle_mesh_def add_square(sn_world *world, bool pinned) {
    size_t count = 0;
    for (int i = 0; i < NODES; i++) {
        vec x = {i % SIDE * 0.25, 0, -(i / SIDE) * 0.25};
        node[i] = pinned ? add_pin(world, x) : add_node(world, x, 0.01);
    }
    for (uint32_t z = 0; z + 1 < SIDE; z++)
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            uint32_t a = z * SIDE + x, b = a + 1, c = a + SIDE, d = c + 1;
            memcpy(triangle[count++], (uint32_t[3]){a, b, d}, sizeof *triangle);
            memcpy(triangle[count++], (uint32_t[3]){a, d, c}, sizeof *triangle);
        }
    sn_wrinkle_mesh_def def = sn_wrinkle_mesh_def_default();
    def.nodes = node;
    def.node_count = NODES;
    def.triangles = *triangle;
    def.triangle_count = TRIANGLES;
    return def;
}

static sn_wrinkle_mesh add_wrinkles(sn_world *world, const sn_wrinkle_mesh_def *def) {
    sn_wrinkle_mesh made;
    REQUIRE_OK(sn_wrinkle_mesh_create(world, def, &made));
    return made;
}

static sn_world *make_threaded(int threads) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.threads = threads;
    def.settings.substeps = 1;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static void step(sn_world *world, int count) {
    for (int i = 0; i < count; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
}

/* Brings the nodes closer along x, by a part. */
static void squeeze(sn_world *world, double part) {
    for (int i = 0; i < NODES; i++) {
        sn_vec3 x = {(sn_real)(i % SIDE * 0.25 * (1 - part)), 0, (sn_real)(-(i / SIDE) * 0.25)};
        REQUIRE_OK(sn_node_set_position(world, node[i], x));
    }
}

static size_t read_vertices(const sn_world *world, sn_wrinkle_mesh mesh) {
    size_t count;
    REQUIRE_OK(sn_wrinkle_mesh_get_positions(world, mesh, at, FINE, &count));
    return count;
}

/* The fine mesh of the square as the nodes have it, by sn_mesh_divide. */
static sn_mesh divide_square(const sn_world *world, int divisions) {
    sn_mesh coarse = sn_mesh_default(), fine = sn_mesh_default();
    sn_vec3 x[NODES];
    for (int i = 0; i < NODES; i++) {
        vec p = position_of(world, node[i]);
        x[i] = (sn_vec3){(sn_real)p.x, (sn_real)p.y, (sn_real)p.z};
    }
    REQUIRE_OK(sn_mesh_add_vertices(&coarse, x, NODES));
    REQUIRE_OK(sn_mesh_add_triangles(&coarse, (const uint32_t(*)[3])triangle, TRIANGLES));
    REQUIRE_OK(sn_mesh_divide(&coarse, (uint32_t)divisions, &fine, NULL));
    sn_mesh_free(&coarse);
    return fine;
}

static double distance(sn_vec3 a, sn_vec3 b) {
    return length(
        (vec){(double)a.x - (double)b.x, (double)a.y - (double)b.y, (double)a.z - (double)b.z});
}

/* The mean of how much longer the sides of fine triangles are than those of another mesh. */
static double mean_strain(const sn_mesh *rest, const sn_vec3 *x) {
    double sum = 0;
    for (size_t t = 0; t < rest->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = rest->triangles[t][k], b = rest->triangles[t][(k + 1) % 3];
            sum += distance(x[a], x[b]) / distance(rest->positions[a], rest->positions[b]) - 1;
        }
    return sum / (double)(3 * rest->triangle_count);
}

/* n^2 triangles of each, of the same area, with what neighbours share once. */
TEST(triangles_are_divided_evenly) {
    sn_world *world = make_threaded(1);
    (void)add_square(world, true);
    for (int n = 1; n <= 5; n++) {
        sn_mesh fine = divide_square(world, n);
        size_t across = (size_t)n * (SIDE - 1) + 1;
        double area;
        CHECK(fine.vertex_count == across * across);
        CHECK(fine.triangle_count == (size_t)(n * n) * TRIANGLES);
        CHECK_OK(sn_mesh_area(&fine, &area));
        CHECK_NEAR(area, 1, 1e-5);
        for (size_t t = 0; t < fine.triangle_count; t++) {
            const uint32_t *v = fine.triangles[t];
            sn_vec3 a = fine.positions[v[0]], b = fine.positions[v[1]], c = fine.positions[v[2]];
            double up = ((double)b.z - (double)a.z) * ((double)c.x - (double)a.x) -
                        ((double)b.x - (double)a.x) * ((double)c.z - (double)a.z);
            CHECK_NEAR(up, 0.0625 / (n * n), 1e-6);
        }
        sn_mesh_free(&fine);
    }
    sn_world_destroy(world);
}

/* |x - a| <= r, and nothing behind, where the coarse mesh is a third shorter. */
TEST(vertices_stay_attached) {
    for (int sided = 0; sided < 2; sided++) {
        sn_world *world = make_threaded(1);
        sn_wrinkle_mesh_def def = add_square(world, true);
        def.radius = (sn_real)0.03;
        def.one_sided = sided == 1;
        sn_wrinkle_mesh mesh = add_wrinkles(world, &def);
        squeeze(world, 0.3);
        step(world, 50);
        sn_mesh fine = divide_square(world, def.divisions);
        size_t count = read_vertices(world, mesh);
        double most = 0, lowest = 0, highest = 0;
        CHECK(count == fine.vertex_count);
        for (size_t v = 0; v < count; v++) {
            most = fmax(most, distance(at[v], fine.positions[v]));
            lowest = fmin(lowest, (double)at[v].y);
            highest = fmax(highest, (double)at[v].y);
        }
        CHECK(most <= 0.03 * (1 + 1e-5));
        CHECK(most > 0.029);
        CHECK(highest > 0.02);
        if (sided == 1)
            CHECK(lowest >= -1e-7);
        else
            CHECK(lowest < -0.02);
        sn_mesh_free(&fine);
        sn_world_destroy(world);
    }
}

/* Where all nodes are at one point triangles have no normal, and any will do: vertices stay within
   the radius of it. */
TEST(vertices_of_a_point_stay_attached) {
    sn_world *world = make_threaded(1);
    sn_wrinkle_mesh_def def = add_square(world, true);
    def.radius = (sn_real)0.03;
    sn_wrinkle_mesh mesh = add_wrinkles(world, &def);
    squeeze(world, 0.3);
    step(world, 50);
    for (int i = 0; i < NODES; i++)
        REQUIRE_OK(sn_node_set_position(world, node[i], vector(0.5, 0.25, -0.5)));
    for (int i = 0; i < 5; i++) {
        double most = 0;
        step(world, 1);
        size_t count = read_vertices(world, mesh);
        for (size_t v = 0; v < count; v++)
            most = fmax(most, distance(at[v], vector(0.5, 0.25, -0.5)));
        CHECK(most <= 0.03 * (1 + 1e-5));
        CHECK(most > 0.02);
    }
    sn_world_destroy(world);
}

/* A tenth less room: what lies on the coarse mesh is shorter by a tenth along it, 0.044 in the mean
   of all sides; what folds is not. */
TEST(folds_keep_lengths) {
    sn_world *world = make_threaded(1);
    sn_wrinkle_mesh_def def = add_square(world, true);
    def.radius = (sn_real)0.05;
    def.bending = (sn_real)0.1;
    sn_wrinkle_mesh mesh = add_wrinkles(world, &def);
    sn_mesh rest = divide_square(world, def.divisions);
    squeeze(world, 0.1);
    sn_mesh flat = divide_square(world, def.divisions);
    step(world, 100);
    read_vertices(world, mesh);
    double lying = mean_strain(&rest, flat.positions), folded = mean_strain(&rest, at);
    CHECK(lying < -0.04);
    CHECK(fabs(folded) < 0.1 * fabs(lying));
    /* And back again. */
    squeeze(world, 0);
    step(world, 100);
    read_vertices(world, mesh);
    CHECK(fabs(mean_strain(&rest, at)) < 1e-3);
    for (size_t v = 0; v < rest.vertex_count; v++)
        CHECK(distance(at[v], rest.positions[v]) < 0.3 * 0.05);
    sn_mesh_free(&rest);
    sn_mesh_free(&flat);
    sn_world_destroy(world);
}

/* Turned and moved as a whole, wrinkles go along: another step of the solver hardly finds anything
   else than one without the motion. */
TEST(rigid_motion_is_followed) {
    static sn_vec3 before[FINE];
    sn_world *still = make_threaded(1), *moved = make_threaded(1);
    for (int k = 0; k < 2; k++) {
        sn_world *world = k == 0 ? still : moved;
        sn_wrinkle_mesh_def def = add_square(world, true);
        sn_wrinkle_mesh mesh = add_wrinkles(world, &def);
        squeeze(world, 0.2);
        step(world, 60);
        for (int i = 0; i < NODES && k == 1; i++) {
            /* A quarter about x. */
            vec x = position_of(world, node[i]);
            sn_vec3 to = {(sn_real)x.x + 3, (sn_real)-x.z, (sn_real)x.y};
            REQUIRE_OK(sn_node_set_position(world, node[i], to));
        }
        step(world, 1);
        size_t count = read_vertices(world, mesh);
        for (size_t v = 0; v < count && k == 1; v++) {
            sn_vec3 to = {before[v].x + 3, -before[v].z, before[v].y};
            CHECK(distance(to, at[v]) < 1e-4);
        }
        memcpy(before, at, sizeof at);
        sn_world_destroy(world);
    }
}

static uint64_t hash_vertices(const sn_world *world, sn_wrinkle_mesh mesh) {
    uint64_t hash = 14695981039346656037u;
    size_t count = read_vertices(world, mesh);
    for (size_t k = 0; k < count * sizeof *at; k++)
        hash = (hash ^ ((const unsigned char *)at)[k]) * 1099511628211u;
    return hash;
}

/* So that corners have normals that no triangle has. */
static void bend(sn_world *world) {
    for (int i = 0; i < NODES; i++) {
        vec x = position_of(world, node[i]);
        sn_vec3 to = {(sn_real)x.x, (sn_real)(x.y + 0.1 * (i % 3)), (sn_real)x.z};
        REQUIRE_OK(sn_node_set_position(world, node[i], to));
    }
}

TEST(threads_and_snapshots_do_not_matter) {
    uint64_t expected = 0;
    for (int k = 0; k < 3; k++) {
        sn_world *world = make_threaded(k == 1 ? 4 : 1);
        sn_wrinkle_mesh_def def = add_square(world, true);
        def.divisions = 12;
        sn_wrinkle_mesh mesh = add_wrinkles(world, &def);
        squeeze(world, 0.2);
        bend(world);
        step(world, 10);
        if (k == 2) {
            size_t size;
            uint64_t hash = hash_vertices(world, mesh);
            REQUIRE_OK(sn_snapshot_save(world, NULL, 0, &size));
            void *data = malloc(size);
            REQUIRE_OK(sn_snapshot_save(world, data, size, &size));
            step(world, 3);
            REQUIRE_OK(sn_snapshot_load(world, data, size));
            CHECK(hash_vertices(world, mesh) == hash);
            free(data);
        }
        step(world, 10);
        uint64_t hash = hash_vertices(world, mesh);
        if (k == 0) expected = hash;
        CHECK(hash == expected);
        sn_world_destroy(world);
    }
}

/* The nodes of a cloth that falls have the same bits without a wrinkle mesh, and it follows. */
TEST(nothing_depends_on_wrinkles) {
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        sn_world *world = make_threaded(1);
        sn_wrinkle_mesh_def def = add_square(world, false);
        sn_wrinkle_mesh mesh = {0};
        if (k == 1) mesh = add_wrinkles(world, &def);
        step(world, 30);
        hash[k] = 14695981039346656037u;
        for (int i = 0; i < NODES; i++) {
            vec x = position_of(world, node[i]);
            for (size_t b = 0; b < sizeof x; b++)
                hash[k] = (hash[k] ^ ((const unsigned char *)&x)[b]) * 1099511628211u;
        }
        if (k == 1) {
            read_vertices(world, mesh);
            CHECK_NEAR((double)at[0].y, position_of(world, node[0]).y, 0.07);
        }
        sn_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
}

TEST(it_goes_with_its_nodes) {
    sn_world *world = make_threaded(1);
    sn_wrinkle_mesh_def def = add_square(world, true);
    size_t count;
    sn_wrinkle_mesh mesh = add_wrinkles(world, &def), other;
    CHECK_OK(sn_wrinkle_mesh_get_triangles(world, mesh, NULL, 0, &count));
    CHECK(count == (size_t)(16 * TRIANGLES));
    def.triangle_count = TRIANGLES - 2;
    CHECK_FAILS(sn_wrinkle_mesh_create(world, &def, &other), SN_ERROR_VALUE);
    def.triangle_count = TRIANGLES;
    def.divisions = 33;
    CHECK_FAILS(sn_wrinkle_mesh_create(world, &def, &other), SN_ERROR_VALUE);
    CHECK_OK(sn_wrinkle_mesh_get(world, mesh, &def));
    CHECK(def.node_count == NODES && def.triangle_count == TRIANGLES && def.divisions == 4);
    def.divisions = 7;
    CHECK_OK(sn_wrinkle_mesh_set(world, mesh, &def));
    CHECK_OK(sn_wrinkle_mesh_get(world, mesh, &def));
    CHECK(def.divisions == 4);
    CHECK_OK(sn_node_destroy(world, node[3]));
    CHECK(!sn_wrinkle_mesh_is_valid(world, mesh));
    step(world, 1);
    sn_world_destroy(world);
}

TESTS(RUN(triangles_are_divided_evenly), RUN(vertices_stay_attached),
      RUN(vertices_of_a_point_stay_attached), RUN(folds_keep_lengths),
      RUN(rigid_motion_is_followed), RUN(threads_and_snapshots_do_not_matter),
      RUN(nothing_depends_on_wrinkles), RUN(it_goes_with_its_nodes))
