/*
 * Wrinkle meshes: vertices that stay attached, lengths that hold where the coarse mesh is shorter
 * than at rest, one side; the same bits for threads and snapshots; nothing that is simulated
 * depends on them.
 */
#include "snapshot.h"
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
        size_t in_it = 0;
        CHECK(count == fine.vertex_count);
        for (size_t v = 0; v < count; v++) {
            most = fmax(most, distance(at[v], fine.positions[v]));
            lowest = fmin(lowest, (double)at[v].y);
            highest = fmax(highest, (double)at[v].y);
            in_it += fabs((double)at[v].y) < 1e-7;
        }
        CHECK(most <= 0.03 * (1 + 1e-5));
        CHECK(most > 0.029);
        CHECK(highest > 0.02);
        /* What would be behind is in it. */
        if (sided == 1)
            CHECK(lowest >= -1e-7 && in_it > count / 10);
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
            void *data = snapshot_of(world, &size);
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

/* ---- From the formulas ---- */

static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* a + s b */
static vec plus(vec a, double s, vec b) {
    return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static vec unit(vec a) {
    return plus((vec){0, 0, 0}, 1 / length(a), a);
}

static vec to_double(sn_vec3 a) {
    return (vec){(double)a.x, (double)a.y, (double)a.z};
}

/* Where a fine vertex is attached: x, the mean of the normals of the corners by its shares, those
   by the areas around them, and the first side of the triangle across that. */
typedef struct place {
    vec at, normal, tangent;
} place;

static place place_of(const sn_world *world, const uint32_t *vertex, const sn_real *share) {
    vec sum = {0, 0, 0}, x[3];
    place p = {.at = {0, 0, 0}};
    for (int k = 0; k < 3; k++) {
        x[k] = position_of(world, node[vertex[k]]);
        p.at = plus(p.at, (double)share[k], x[k]);
        for (size_t t = 0; t < TRIANGLES; t++) {
            const uint32_t *c = triangle[t];
            if (c[0] != vertex[k] && c[1] != vertex[k] && c[2] != vertex[k]) continue;
            vec a = position_of(world, node[c[0]]);
            vec n = cross(sub(position_of(world, node[c[1]]), a),
                          sub(position_of(world, node[c[2]]), a));
            sum = plus(sum, (double)share[k], n);
        }
    }
    p.normal = unit(sum);
    vec side = sub(x[1], x[0]);
    p.tangent = unit(plus(side, -dot(side, p.normal), p.normal));
    return p;
}

static sn_embedding embed_square(const sn_world *world, int divisions, sn_mesh *fine) {
    sn_mesh coarse = divide_square(world, 1);
    sn_embedding found = sn_embedding_default();
    *fine = sn_mesh_default();
    REQUIRE_OK(sn_mesh_divide(&coarse, (uint32_t)divisions, fine, &found));
    sn_mesh_free(&coarse);
    return found;
}

/* Moves the nodes to anywhere near. */
static void scatter(sn_world *world, double by, uint32_t seed) {
    for (int i = 0; i < NODES; i++) {
        vec x = position_of(world, node[i]);
        double d[3] = {noise(&seed), noise(&seed), noise(&seed)};
        REQUIRE_OK(sn_node_set_position(world, node[i],
                                        vector(x.x + by * d[0], x.y + by * d[1], x.z + by * d[2])));
    }
}

/* Without lengths to keep, vertices stay where they are in the frames of their places, whatever
   becomes of the coarse mesh. */
TEST(offsets_follow_the_frames_of_their_places) {
    sn_world *world = make_threaded(1);
    sn_wrinkle_mesh_def def = add_square(world, true);
    def.divisions = 3;
    sn_wrinkle_mesh mesh = add_wrinkles(world, &def);
    sn_mesh fine;
    sn_embedding in = embed_square(world, def.divisions, &fine);
    squeeze(world, 0.2);
    scatter(world, 0.05, 3);
    step(world, 20);
    def.stretch = def.bending = 0;
    REQUIRE_OK(sn_wrinkle_mesh_set(world, mesh, &def));
    static vec offset[FINE];
    size_t count = read_vertices(world, mesh);
    double most = 0;
    for (size_t v = 0; v < count; v++) {
        place p = place_of(world, in.vertices[v], in.weights[v]);
        vec way = sub(to_double(at[v]), p.at);
        offset[v] =
            (vec){dot(way, p.tangent), dot(way, cross(p.normal, p.tangent)), dot(way, p.normal)};
    }
    scatter(world, 0.07, 11);
    step(world, 1);
    CHECK(read_vertices(world, mesh) == count);
    for (size_t v = 0; v < count; v++) {
        place p = place_of(world, in.vertices[v], in.weights[v]);
        vec u = offset[v], x = plus(p.at, u.x, p.tangent);
        x = plus(plus(x, u.y, cross(p.normal, p.tangent)), u.z, p.normal);
        /* What is nearer to its place begins anew. */
        if (length(u) > 0.285 / 4 / 64 * 1.01) most = fmax(most, length(sub(to_double(at[v]), x)));
    }
    CHECK(most < TOL(1e-14, 3e-6));
    sn_embedding_free(&in);
    sn_mesh_free(&fine);
    sn_world_destroy(world);
}

/* A quarter of the mean side is the radius, and a 64th of that is how far at most, and along its
   normal, a vertex begins that lies on its place: by different amounts, of which the largest and
   the smallest are all of it and nothing. */
TEST(what_is_flat_begins_a_little_in_front) {
    sn_world *world = make_threaded(1);
    sn_wrinkle_mesh_def def = add_square(world, true);
    def.divisions = 12;
    def.stretch = def.bending = 0;
    sn_wrinkle_mesh mesh = add_wrinkles(world, &def);
    sn_mesh fine;
    sn_embedding in = embed_square(world, def.divisions, &fine);
    double least = (0.25 * (2 + sqrt(2)) / 3) / 4 / 64, lowest = 1, highest = 0, sum = 0;
    scatter(world, 0.06, 5);
    step(world, 1);
    size_t count = read_vertices(world, mesh);
    for (size_t v = 0; v < count; v++) {
        place p = place_of(world, in.vertices[v], in.weights[v]);
        vec way = sub(to_double(at[v]), p.at);
        double along = dot(way, p.normal);
        CHECK(length(plus(way, -along, p.normal)) < 1e-6);
        lowest = fmin(lowest, along / least);
        highest = fmax(highest, along / least);
        sum += along / least;
    }
    CHECK_NEAR(lowest, 0, 1e-3);
    CHECK_NEAR(highest, 1, 1e-3);
    CHECK_NEAR(sum / (double)count, 0.5, 0.02);
    sn_embedding_free(&in);
    sn_mesh_free(&fine);
    sn_world_destroy(world);
}

/* The largest part by which a distance of the fine mesh differs from that at rest: sides, or across
   them from corner to corner. */
static double worst_length(const sn_mesh *rest, bool across) {
    double worst = 0;
    for (size_t s = 0; s < rest->triangle_count; s++)
        for (size_t i = 0; i < 3; i++) {
            const uint32_t *t = rest->triangles[s];
            uint32_t a = t[i], b = t[(i + 1) % 3];
            for (size_t o = 0; across && o < rest->triangle_count; o++)
                for (size_t k = 0; k < 3; k++) {
                    const uint32_t *u = rest->triangles[o];
                    if (u[k] != t[(i + 1) % 3] || u[(k + 1) % 3] != t[i]) continue;
                    a = t[(i + 2) % 3];
                    b = u[(k + 2) % 3];
                }
            if (across && a == t[i]) continue;
            double l = distance(rest->positions[a], rest->positions[b]);
            worst = fmax(worst, fabs(distance(at[a], at[b]) / l - 1));
        }
    return worst;
}

/* With room enough and one of both alone, each length becomes that at rest. */
TEST(every_length_is_kept) {
    for (int across = 0; across < 2; across++) {
        check_case("%s", across ? "across sides" : "sides");
        sn_world *world = make_threaded(1);
        sn_wrinkle_mesh_def def = add_square(world, true);
        def.divisions = 2;
        def.radius = 1;
        def.iterations = 200;
        def.stretch = across ? 0 : 1;
        def.bending = across ? 1 : 0;
        sn_wrinkle_mesh mesh = add_wrinkles(world, &def);
        sn_mesh rest = divide_square(world, def.divisions);
        squeeze(world, 0.2);
        step(world, 20);
        read_vertices(world, mesh);
        CHECK(worst_length(&rest, across) < 1e-3);
        CHECK(worst_length(&rest, !across) > 0.01);
        sn_mesh_free(&rest);
        sn_world_destroy(world);
    }
}

/* One iteration for a triangle alone, by hand: sides in their order, corrected by a part, half of
   that at each end; then what is too far comes into the ball. */
static void iterate(const sn_wrinkle_mesh_def *def, const vec *home, vec *x) {
    static const int end[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    static const double rest[3] = {1, 1, 1.4142135623730951};
    for (int i = 0; i < 3; i++) {
        vec *a = &x[end[i][0]], *b = &x[end[i][1]], way = sub(*b, *a);
        double by = (double)def->stretch * 0.5 * (1 - rest[i] / length(way));
        *a = plus(*a, by, way);
        *b = plus(*b, -by, way);
    }
    for (int i = 0; i < 3; i++) {
        vec way = sub(x[i], home[i]);
        double far = length(way), most = (double)def->radius;
        x[i] = plus(home[i], far > most ? most / far : 1, way);
    }
}

TEST(a_triangle_is_folded_as_by_hand) {
    for (int i = 0; i < 6; i++) {
        check_case("case %d", i);
        sn_world *world = make_threaded(1);
        sn_wrinkle_mesh_def def = sn_wrinkle_mesh_def_default();
        const uint32_t one[3] = {0, 1, 2};
        vec home[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, x[3];
        sn_node own[3];
        for (int k = 0; k < 3; k++) own[k] = add_pin(world, home[k]);
        def.nodes = own;
        def.node_count = 3;
        def.triangles = one;
        def.triangle_count = 1;
        def.divisions = def.iterations = 1;
        def.radius = i % 2 ? (sn_real)0.5 : (sn_real)0.07;
        def.stretch = 0;
        sn_wrinkle_mesh mesh = add_wrinkles(world, &def);
        for (int k = 0; k < 3; k++) {
            home[k].x *= 0.8;
            home[k].z *= 0.6;
            REQUIRE_OK(
                sn_node_set_position(world, own[k], vector(home[k].x, home[k].y, home[k].z)));
        }
        step(world, 1);
        CHECK(read_vertices(world, mesh) == 3);
        for (int k = 0; k < 3; k++) x[k] = to_double(at[k]);
        def.stretch = (sn_real)(0.3 * (1 + i / 2));
        REQUIRE_OK(sn_wrinkle_mesh_set(world, mesh, &def));
        for (int s = 0; s < 4; s++) {
            step(world, 1);
            iterate(&def, home, x);
            read_vertices(world, mesh);
            for (int k = 0; k < 3; k++) CHECK(length(sub(to_double(at[k]), x[k])) < 1e-5);
        }
        sn_world_destroy(world);
    }
}

/* What sleeps keeps its wrinkles, though they would go on folding; those of others do. */
TEST(wrinkles_of_sleeping_bodies_stay) {
    sn_world_def made = sn_world_def_default();
    sn_world *world = NULL;
    made.settings.gravity = (sn_vec3){0, 0, 0};
    made.settings.sleep_time = (sn_real)0.05;
    REQUIRE_OK(sn_world_create(&made, &world));
    for (int awake = 0; awake < 2; awake++) {
        check_case("awake %d", awake);
        sn_wrinkle_mesh_def def = add_square(world, false);
        sn_body_def body = sn_body_def_default();
        sn_body of;
        body.may_sleep = awake == 0;
        REQUIRE_OK(sn_body_create(world, &body, &of));
        for (int i = 0; i < NODES; i++) {
            sn_node_def own = sn_node_def_default();
            REQUIRE_OK(sn_node_destroy(world, node[i]));
            own.body = of;
            REQUIRE_OK(sn_node_create(world, &own, &node[i]));
        }
        squeeze(world, 0);
        def.iterations = 1;
        sn_wrinkle_mesh mesh = add_wrinkles(world, &def);
        squeeze(world, 0.2);
        step(world, 6);
        CHECK(sn_body_is_asleep(world, of) == (awake == 0));
        uint64_t before = hash_vertices(world, mesh);
        step(world, 1);
        CHECK((hash_vertices(world, mesh) == before) == (awake == 0));
    }
    sn_world_destroy(world);
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
    other = add_wrinkles(world, &def);
    sn_node stranger = add_pin(world, (vec){0, 0, 0});
    CHECK_OK(sn_node_destroy(world, stranger));
    CHECK(sn_wrinkle_mesh_is_valid(world, mesh) && sn_wrinkle_mesh_is_valid(world, other));
    CHECK_OK(sn_node_destroy(world, node[0]));
    CHECK(!sn_wrinkle_mesh_is_valid(world, mesh) && !sn_wrinkle_mesh_is_valid(world, other));
    step(world, 1);
    sn_world_destroy(world);
}

TESTS(RUN(triangles_are_divided_evenly), RUN(vertices_stay_attached),
      RUN(vertices_of_a_point_stay_attached), RUN(folds_keep_lengths),
      RUN(rigid_motion_is_followed), RUN(threads_and_snapshots_do_not_matter),
      RUN(nothing_depends_on_wrinkles), RUN(offsets_follow_the_frames_of_their_places),
      RUN(what_is_flat_begins_a_little_in_front), RUN(every_length_is_kept),
      RUN(a_triangle_is_folded_as_by_hand), RUN(wrinkles_of_sleeping_bodies_stay),
      RUN(it_goes_with_its_nodes))
