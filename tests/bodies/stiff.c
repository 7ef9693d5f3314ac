/* Cloth that is as stiff as its material without being told how: the order of its constraints,
   tethers and substeps that are chosen. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/meshed_body.h"

enum { CELLS = 24 };

static sn_world *falling_world(int substeps) {
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = substeps;
    def.settings.damping = 1;
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* Length over that at rest, less 1, without sign, over all edges of triangles. */
static void measure(const body *b, double *mean, double *largest) {
    double sum = 0, most = 0;
    size_t count = 3 * b->mesh.triangle_count;
    for (size_t c = 0; c < count; c++) {
        const uint32_t *t = b->mesh.triangles[c / 3];
        uint32_t i = t[c % 3], j = t[(c + 1) % 3];
        sn_vec3 p = b->mesh.positions[i], q = b->mesh.positions[j];
        double x[3], y[3];
        body_position(b, i, x);
        body_position(b, j, y);
        double rest = hypot(hypot((double)(p.x - q.x), (double)(p.y - q.y)), (double)(p.z - q.z));
        double now = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
        double strain = fabs(now / rest - 1);
        sum += strain / (double)count;
        most = fmax(most, strain);
    }
    *mean = sum;
    *largest = fmax(*largest, most);
}

/* The mean over two seconds, and the largest there was. */
static void run_and_measure(const body *b, double *mean, double *largest) {
    enum { FRAMES = 120 };
    *mean = *largest = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        double now;
        body_run(b, 1, 1.0 / 60);
        measure(b, &now, largest);
        *mean += now / FRAMES;
    }
}

/* The vertices of the corners in the back, in squares of so many cells. */
static size_t corner_pins(uint32_t side, uint32_t *pins) {
    size_t count = 0;
    for (uint32_t row = 0; row < side; row++)
        for (uint32_t i = 0; i < side; i++) {
            pins[count++] = row * (CELLS + 1) + i;
            pins[count++] = row * (CELLS + 1) + CELLS - i;
        }
    return count;
}

static body hang(sn_world *world, const sn_cloth_material *cloth, sn_mesh mesh,
                 const uint32_t *pins, size_t count) {
    sn_build_def def = sn_build_def_default();
    def.pins = pins;
    def.pin_count = count;
    return body_make(world, SN_KIND_CLOTH, cloth, mesh, &def);
}

/* ---- Order ---- */

static uint32_t next_random(uint32_t *state) {
    return *state = *state * 1664525u + 1013904223u;
}

/* The same mesh with vertices and triangles in another order; `at` is where each vertex went. */
static sn_mesh shuffled(const sn_mesh *mesh, uint32_t seed, uint32_t *at) {
    size_t vertices = mesh->vertex_count, triangles = mesh->triangle_count;
    sn_vec3 *positions = malloc(vertices * sizeof *positions);
    uint32_t(*corners)[3] = malloc(triangles * sizeof *corners);
    sn_mesh copy = sn_mesh_default();
    REQUIRE_OK(positions && corners ? SN_OK : SN_ERROR_MEMORY);
    for (uint32_t i = 0; i < vertices; i++) at[i] = i;
    for (size_t i = vertices - 1; i > 0; i--) {
        size_t j = next_random(&seed) % (i + 1);
        uint32_t swapped = at[i];
        at[i] = at[j];
        at[j] = swapped;
    }
    for (size_t i = 0; i < vertices; i++) positions[at[i]] = mesh->positions[i];
    for (size_t i = 0; i < triangles; i++)
        for (int k = 0; k < 3; k++) corners[i][k] = at[mesh->triangles[i][(k + (int)(i % 3)) % 3]];
    for (size_t i = triangles - 1; i > 0; i--) {
        size_t j = next_random(&seed) % (i + 1);
        uint32_t swapped[3];
        memcpy(swapped, corners[i], sizeof swapped);
        memcpy(corners[i], corners[j], sizeof swapped);
        memcpy(corners[j], swapped, sizeof swapped);
    }
    REQUIRE_OK(sn_mesh_add_vertices(&copy, positions, vertices));
    REQUIRE_OK(sn_mesh_add_triangles(&copy, (const uint32_t(*)[3])corners, triangles));
    free(positions);
    free(corners);
    return copy;
}

/* What a cloth stretches by does not depend on how its vertices are numbered. */
TEST(strain_does_not_depend_on_the_order_of_vertices) {
    static const sn_solver solvers[] = {SN_SOLVER_COLOURED, SN_SOLVER_REFERENCE};
    for (size_t s = 0; s < 2; s++) {
        double first = 0;
        for (uint32_t seed = 0; seed < 4; seed++) {
            uint32_t at[(CELLS + 1) * (CELLS + 1)] = {0};
            sn_mesh mesh = grid_mesh(1, 1, CELLS, CELLS, SN_GRID_ALTERNATING);
            if (seed > 0) {
                sn_mesh other = shuffled(&mesh, seed, at);
                sn_mesh_free(&mesh);
                mesh = other;
            }
            uint32_t pins[] = {0, CELLS};
            for (int k = 0; k < 2 && seed > 0; k++) pins[k] = at[pins[k]];
            sn_cloth_material cloth = sn_cloth_material_default();
            cloth.tethers = 0;
            sn_world *world = falling_world(10);
            sn_settings settings;
            REQUIRE_OK(sn_world_get_settings(world, &settings));
            settings.solver = solvers[s];
            REQUIRE_OK(sn_world_set_settings(world, &settings));
            body b = hang(world, &cloth, mesh, pins, 2);
            double mean, largest;
            run_and_measure(&b, &mean, &largest);
            check_case("solver %zu, order %u: %.5f, first %.5f", s, seed, mean, first);
            if (seed == 0) first = mean;
            CHECK(fabs(mean / first - 1) < 0.03);
            body_free(&b);
        }
    }
}

/* ---- Tethers ---- */

/* How many tethers a cloth has for its pins. */
static size_t tethers_of(const sn_cloth_material *cloth, const uint32_t *pins, size_t count) {
    sn_mesh mesh = grid_mesh(1, 1, CELLS, CELLS, SN_GRID_ALTERNATING);
    body b = hang(falling_world(20), cloth, mesh, pins, count);
    body_run(&b, 1, 1.0 / 60);
    size_t made = count_type(b.world, SN_TYPE_TETHER);
    body_free(&b);
    return made;
}

TEST(tethers_are_as_many_as_places_hold) {
    enum { SIDE = CELLS + 1, ALL = SIDE * SIDE };
    uint32_t pins[4 * CELLS + 8];
    sn_cloth_material cloth = sn_cloth_material_default();
    CHECK(cloth.tethers == SN_AUTO);
    CHECK(tethers_of(&cloth, pins, 0) == 0);
    size_t count = corner_pins(1, pins);
    CHECK(tethers_of(&cloth, pins, count) == 2 * (ALL - 2));
    count = corner_pins(2, pins); /* four pins in each of two places */
    CHECK(tethers_of(&cloth, pins, count) == 8 * (ALL - 8));
    for (uint32_t i = 0; i < SIDE; i++) pins[i] = i; /* a row is one place */
    CHECK(tethers_of(&cloth, pins, SIDE) == 4 * (ALL - SIDE));
    count = 0; /* a frame holds from four sides */
    for (uint32_t i = 0; i < ALL; i++)
        if (i / SIDE == 0 || i / SIDE == CELLS || i % SIDE == 0 || i % SIDE == CELLS)
            pins[count++] = i;
    CHECK(count == 4 * CELLS);
    CHECK(tethers_of(&cloth, pins, count) == 8 * (ALL - 4 * CELLS));
    for (uint32_t i = 0; i < 6; i++) pins[i] = 4 * i; /* of many rings the two nearest */
    CHECK(tethers_of(&cloth, pins, 6) == 2 * (ALL - 6));
    cloth.tethers = 1;
    CHECK(tethers_of(&cloth, pins, 6) == ALL - 6);
}

/* What stretches by its own weight, tears or shears is left alone. */
TEST(soft_cloth_has_no_tethers) {
    uint32_t pins[8];
    size_t count = corner_pins(1, pins);
    static const char *const hard[] = {"cotton", "denim", "leather", "paper", "silk", "wool"};
    sn_cloth_material cloth;
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        check_case("%s", hard[i]);
        REQUIRE_OK(sn_preset_get(SN_KIND_CLOTH, hard[i], &cloth));
        CHECK(tethers_of(&cloth, pins, count) > 0);
        cloth.model = 2;
        CHECK(tethers_of(&cloth, pins, count) == 0);
        cloth.model = 0;
        cloth.tear_strain = 1;
        CHECK(tethers_of(&cloth, pins, count) == 0);
    }
    REQUIRE_OK(sn_preset_get(SN_KIND_CLOTH, "rubber", &cloth));
    CHECK(tethers_of(&cloth, pins, count) == 0);
    cloth.tethers = 2;
    CHECK(tethers_of(&cloth, pins, count) > 0);
}

/* A cotton sheet that hangs on its corners, as it is built and with 16 times the substeps. */
TEST(cotton_is_stiff_as_it_is_built) {
    uint32_t pins[8];
    size_t count = corner_pins(2, pins);
    double mean[3], largest[3];
    for (int k = 0; k < 3; k++) {
        sn_cloth_material cloth;
        REQUIRE_OK(sn_preset_get(SN_KIND_CLOTH, "cotton", &cloth));
        if (k == 2) cloth.tethers = 0;
        sn_mesh mesh = grid_mesh(1, 1, CELLS, CELLS, SN_GRID_ALTERNATING);
        body b = hang(falling_world(20), &cloth, mesh, pins, count);
        int substeps;
        REQUIRE_OK(sn_build_substeps(&b.build, 1.0 / 60, 0, &substeps));
        sn_settings settings;
        REQUIRE_OK(sn_world_get_settings(b.world, &settings));
        settings.substeps = k == 1 ? 16 * substeps : substeps;
        REQUIRE_OK(sn_world_set_settings(b.world, &settings));
        run_and_measure(&b, &mean[k], &largest[k]);
        body_free(&b);
    }
    check_case("mean %.4f, %.4f, without tethers %.4f; largest %.3f, %.3f, %.3f", mean[0], mean[1],
               mean[2], largest[0], largest[1], largest[2]);
    CHECK(mean[0] - mean[1] < 0.005);
    CHECK(largest[0] - largest[1] < 0.1);
    CHECK(largest[2] > 2 * largest[0]);
}

/* ---- Substeps ---- */

TEST(substeps_follow_from_the_mesh) {
    int substeps[2] = {0, 0}, fast;
    for (uint32_t k = 0; k < 2; k++) {
        sn_cloth_material cloth = sn_cloth_material_default();
        uint32_t cells = CELLS << k;
        sn_mesh mesh = grid_mesh(1, 1, cells, cells, SN_GRID_ALTERNATING);
        body b = body_make(falling_world(100), SN_KIND_CLOTH, &cloth, mesh, NULL);
        CHECK_OK(sn_build_substeps(&b.build, 1.0 / 30, 0, &substeps[k]));
        /* 10 m/s are 5 % of an edge in a substep. */
        CHECK_OK(sn_build_substeps(&b.build, 1.0 / 30, 10, &fast));
        CHECK(fast >= 10.0 / 30 / (0.05 * b.build.edge_length));
        CHECK(fast < 10.0 / 30 / (0.05 * b.build.edge_length) + 4);
        CHECK_FAILS(sn_build_substeps(&b.build, 0, 0, &fast), SN_ERROR_VALUE);
        CHECK_FAILS(sn_build_substeps(&b.build, 1, -1, &fast), SN_ERROR_VALUE);
        CHECK_FAILS(sn_build_substeps(NULL, 1, 0, &fast), SN_ERROR_NULL);
        CHECK_FAILS(sn_build_substeps(&b.build, 1, 0, NULL), SN_ERROR_NULL);
        body_free(&b);
    }
    /* Half the edges take twice as many. */
    check_case("%d and %d", substeps[0], substeps[1]);
    CHECK(substeps[0] > 4 && substeps[0] % 4 == 0);
    CHECK(abs(substeps[1] - 2 * substeps[0]) <= 4);
}

static void keep(void *user, sn_log_level level, const char *sentence) {
    if (level == SN_LOG_WARNING) snprintf(user, 256, "%s", sentence);
}

TEST(too_few_substeps_are_warned_of) {
    for (int substeps = 2; substeps <= 200; substeps += 198) {
        char said[256] = "";
        sn_world_def def = sn_world_def_default();
        def.settings.substeps = substeps;
        def.log = keep;
        def.log_user = said;
        sn_world *world = NULL;
        REQUIRE_OK(sn_world_create(&def, &world));
        sn_cloth_material cloth = sn_cloth_material_default();
        sn_mesh mesh = grid_mesh(1, 1, CELLS, CELLS, SN_GRID_ALTERNATING);
        body b = body_make(world, SN_KIND_CLOTH, &cloth, mesh, NULL);
        check_case("%s", said);
        CHECK((strstr(said, "bring that to 1 %") != NULL) == (substeps == 2));
        body_free(&b);
    }
}

/* How far a strip of paper of 10 cm that is clamped at one end hangs down after two seconds with so
   many substeps, and what is said when it is built. */
static double droop_of(sn_grid_pattern pattern, int bending, int substeps, char said[256]) {
    enum { STRIP_CELLS = 10, ACROSS = 5 };
    uint32_t pins[4 * ACROSS];
    double lowest = 0, cell = 0.01;
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = substeps;
    def.settings.damping = 8;
    def.log = keep;
    def.log_user = said;
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&def, &world));
    sn_cloth_material paper = sn_cloth_material_default();
    paper.area_density = (sn_real)0.08;
    paper.stretch_stiffness = (sn_real)1e4;
    paper.bending_stiffness = (sn_real)3.7e-4;
    paper.bending = bending;
    paper.tethers = 0;
    sn_mesh mesh =
        grid_mesh(ACROSS * cell, (STRIP_CELLS + 1) * cell, ACROSS, STRIP_CELLS + 1, pattern);
    sn_build_def build = sn_build_def_default();
    for (uint32_t i = 0; i < mesh.vertex_count; i++)
        if ((double)mesh.positions[i].z < (1.1 - 0.5 * (STRIP_CELLS + 1)) * cell)
            pins[build.pin_count++] = i;
    build.pins = pins;
    body b = body_make(world, SN_KIND_CLOTH, &paper, mesh, &build);
    body_run(&b, 120, 1.0 / 60);
    for (uint32_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3];
        body_position(&b, i, x);
        lowest = fmin(lowest, x[1]);
    }
    body_free(&b);
    return -lowest;
}

/* With too few substeps a sheet bends more than its material says: by so many as the log then
   names, it is within 5 %. */
TEST(bending_that_wants_more_substeps_is_warned_of) {
    static const sn_grid_pattern patterns[] = {SN_GRID_ALTERNATING, SN_GRID_CROSSED,
                                               SN_GRID_ALTERNATING};
    for (int k = 0; k < 3; k++) {
        char said[256] = "", then[256] = "";
        int bending = k == 2 ? 3 : 0;
        double soft = droop_of(patterns[k], bending, 20, said);
        check_case("pattern %d, bending %d: %s", (int)patterns[k], bending, said);
        const char *named = strstr(said, "which needs ");
        if (!CHECK(named && strstr(said, "bends softer than its material"))) continue;
        int needed = atoi(named + strlen("which needs "));
        double as_named = droop_of(patterns[k], bending, needed, then);
        double converged = droop_of(patterns[k], bending, 3 * needed, then);
        CHECK(then[0] == 0);
        CHECK(soft > 1.2 * converged);
        CHECK_NEAR(as_named / converged, 1, 0.05);
    }
}

/* A sphere of hard edges that drifts, with nothing that touches it: swept both ways it keeps the
   energy that it has, and so do hard triangles that are swept one way. Of hard edges, one sweep one
   way makes rounding grow to what is seen (docs/cloth.md). */
TEST(what_is_closed_and_hard_rests_when_swept_both_ways) {
    for (int k = 0; k < 3; k++) {
        sn_world *world = still_world(20, 0);
        sn_settings settings = sn_settings_default();
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.iterations = k == 0 ? 2 : 1;
        settings.alternate = k == 0;
        settings.integrator = k == 1 ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        sn_cloth_material m = sn_cloth_material_default();
        m.model = k == 2 ? 2 : 1; /* strain, edges */
        sn_build_def def = sn_build_def_default();
        def.velocity = (sn_vec3){(sn_real)-0.075, (sn_real)0.037, (sn_real)0.0995};
        body b = body_make(world, SN_KIND_CLOTH, &m, sphere_mesh(0.2, 2), &def);
        sn_measure before, after;
        REQUIRE_OK(sn_world_measure(world, &before));
        for (int i = 0; i < 60; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        REQUIRE_OK(sn_world_measure(world, &after));
        check_case("case %d", k);
        CHECK_REL(after.kinetic_energy, before.kinetic_energy, 1e-3);
        body_free(&b);
    }
}

TESTS(RUN(strain_does_not_depend_on_the_order_of_vertices), RUN(tethers_are_as_many_as_places_hold),
      RUN(soft_cloth_has_no_tethers), RUN(cotton_is_stiff_as_it_is_built),
      RUN(substeps_follow_from_the_mesh), RUN(too_few_substeps_are_warned_of),
      RUN(bending_that_wants_more_substeps_is_warned_of),
      RUN(what_is_closed_and_hard_rests_when_swept_both_ways))
