/* Sheets that tear by strain, by tension and by constraints that break. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "torn.h"

static const double dt = 1.0 / 60;

/* ---- A strip that is pulled at both ends ---- */

typedef struct strip {
    body b;
    double width;
} strip;

/* Nothing is to be warned of while a strip tears; that some are too soft is said when they are
   built. */
static bool is_building;

static void complain(void *user, sn_log_level level, const char *sentence) {
    (void)user;
    check_case("the log says: %s", sentence);
    CHECK(is_building || level == SN_LOG_INFO);
}

static sn_world *watched_world(int substeps, double damping) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = substeps;
    def.settings.damping = (sn_real)damping;
    def.log = complain;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static strip make_strip(sn_grid_pattern pattern, sn_cloth_material cloth, int substeps) {
    strip s = {.width = 0.2};
    sn_build_def def = sn_build_def_default();
    sn_mesh mesh = grid_mesh(s.width, 0.6, 6, pattern == SN_GRID_EQUILATERAL ? 20 : 18, pattern);
    is_building = true;
    s.b = body_make(watched_world(substeps, 20), SN_KIND_CLOTH, &cloth, mesh, &def);
    is_building = false;
    return s;
}

/* Spreads a force over the ends, by the part of the width that belongs to each vertex. */
static void pull(const strip *s, double force) {
    const sn_mesh *mesh = &s->b.mesh;
    for (int side = 0; side < 2; side++) {
        double sign = side ? 1 : -1, end = sign * 0.3, before = 0, last = 0;
        size_t count = 0;
        uint32_t row[32];
        for (uint32_t i = 0; i < mesh->vertex_count; i++)
            if (fabs((double)mesh->positions[i].z - end) < 1e-5) row[count++] = i;
        for (size_t k = 0; k < count; k++) {
            double x = (double)mesh->positions[row[k]].x;
            double next = k + 1 < count ? (double)mesh->positions[row[k + 1]].x : x;
            last = next - x;
            double share = (before + last) / 2 / s->width;
            before = last;
            REQUIRE_OK(sn_node_add_force(s->b.world, s->b.nodes[row[k]],
                                         (sn_vec3){0, 0, (sn_real)(sign * force * share)}));
        }
    }
}

static size_t tears(const sn_world *world, const sn_tear_event **events) {
    size_t count;
    REQUIRE_OK(sn_world_tears(world, events, &count));
    return count;
}

/* V40: the load at which a strip tears when it grows slowly. */
static void check_ramp(sn_grid_pattern pattern, double limit) {
    sn_cloth_material cloth = sn_cloth_material_default();
    const sn_tear_event *event = NULL;
    cloth.stretch_stiffness = 100;
    cloth.tear_force = (sn_real)limit;
    strip s = make_strip(pattern, cloth, 80);
    double load = 0.9 * limit * s.width, most = 1.1 * limit * s.width, torn = 0;
    for (int i = 0; i < 240; i++) {
        pull(&s, load * i / 240);
        REQUIRE_OK(sn_world_step(s.b.world, (sn_real)dt));
        if (!CHECK(tears(s.b.world, &event) == 0)) break;
    }
    for (; load < most && torn == 0; load += 0.001 * limit * s.width) {
        pull(&s, load);
        REQUIRE_OK(sn_world_step(s.b.world, (sn_real)dt));
        if (tears(s.b.world, &event) > 0) torn = load;
    }
    if (CHECK(torn > 0)) {
        CHECK_REL(torn, limit * s.width, 0.01);
        CHECK(event[0].cause == SN_TEAR_FORCE && (double)event[0].amount > limit);
        CHECK_NEAR(fabs((double)event[0].normal.z), 1, 0.05);
        check_torn(&s.b, true);
    }
    body_free(&s.b);
}

TEST(a_ramp_tears_at_its_limit) {
    /* Even up to the border: not so where cells are halved or the ends of rows differ. */
    static const sn_grid_pattern patterns[] = {SN_GRID_SAME, SN_GRID_CROSSED};
    for (int i = 0; i < 2; i++) {
        check_case("pattern %d", (int)patterns[i]);
        check_ramp(patterns[i], 1);
    }
}

/* Once it tears it does so across, and the ends come apart. */
static void check_parted(sn_cloth_material cloth, sn_tear_cause cause, bool all) {
    strip s = make_strip(SN_GRID_EQUILATERAL, cloth, 20);
    const sn_tear_event *event;
    bool seen = false;
    size_t breaks = 0;
    sn_measure before, after;
    REQUIRE_OK(sn_world_measure(s.b.world, &before));
    for (int i = 0; i < 200 && count_pieces(&s.b) < 2; i++) {
        const sn_break_event *broken;
        size_t count;
        pull(&s, 0.003 * i);
        REQUIRE_OK(sn_world_step(s.b.world, (sn_real)dt));
        REQUIRE_OK(sn_world_breaks(s.b.world, &broken, &count));
        breaks += count;
        if (tears(s.b.world, &event) > 0 && event[0].cause == cause) seen = true;
        check_torn(&s.b, all);
    }
    REQUIRE_OK(sn_world_measure(s.b.world, &after));
    CHECK(seen);
    CHECK(count_pieces(&s.b) >= 2);
    /* Where nothing can be cut, as at the last edge of a corner, a constraint breaks as ever. */
    CHECK(breaks <= (all ? 0 : 4));
    CHECK_REL(after.mass, before.mass, 1e-5);
    for (int k = 0; k < 3; k++) CHECK_NEAR(after.momentum[k], 0, 1e-5);
    body_free(&s.b);
}

TEST(strips_are_torn_through) {
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.stretch_stiffness = 20;
    cloth.stretch_damping = (sn_real)0.01;
    cloth.bending_stiffness = (sn_real)1e-5;
    sn_cloth_material strain = cloth, force = cloth, breaking = cloth;
    strain.tear_strain = (sn_real)0.05;
    check_case("strain");
    check_parted(strain, SN_TEAR_STRAIN, true);
    force.tear_force = 1;
    check_case("force");
    check_parted(force, SN_TEAR_FORCE, true);
    breaking.break_force = 1;
    check_case("break");
    check_parted(breaking, SN_TEAR_BREAK, false);
}

/* A link that breaks tears the sheet across itself, however the sheet lies. */
TEST(broken_links_tear_across) {
    sn_cloth_material cloth = sn_cloth_material_default();
    const sn_tear_event *event;
    cloth.stretch_stiffness = 20;
    cloth.break_force = 1;
    strip s = make_strip(SN_GRID_SAME, cloth, 1);
    for (size_t i = 0; i < s.b.mesh.vertex_count; i++) {
        sn_vec3 at = s.b.mesh.positions[i];
        sn_real far = (sn_real)1.5 * at.z;
        at.y = (sn_real)0.6 * far;
        at.z = (sn_real)0.8 * far;
        REQUIRE_OK(sn_node_set_position(s.b.world, s.b.nodes[i], at));
    }
    REQUIRE_OK(sn_world_step(s.b.world, (sn_real)1e-4));
    size_t count = tears(s.b.world, &event);
    CHECK(count > 0);
    for (size_t i = 0; i < count; i++) {
        sn_vec3 n = event[i].normal;
        if (event[i].cause == SN_TEAR_LOOSE) continue;
        CHECK(event[i].cause == SN_TEAR_BREAK);
        CHECK_NEAR(hypot(hypot((double)n.x, (double)n.y), (double)n.z), 1, 1e-4);
        CHECK_NEAR((double)n.y / (double)n.z, 0.75, 1e-2);
    }
    body_free(&s.b);
}

/* A triangle that breaks tears across that edge of it which is stretched most. */
TEST(broken_triangles_tear_across) {
    for (int along = 0; along < 2; along++) {
        sn_cloth_material cloth = sn_cloth_material_default();
        const sn_tear_event *event;
        check_case("along %s", along ? "z" : "x");
        cloth.model = 3;
        cloth.stretch_stiffness = 20;
        cloth.break_force = (sn_real)0.01;
        strip s = make_strip(SN_GRID_SAME, cloth, 1);
        for (size_t i = 0; i < s.b.mesh.vertex_count; i++) {
            sn_vec3 at = s.b.mesh.positions[i];
            *(along ? &at.z : &at.x) *= (sn_real)1.5;
            REQUIRE_OK(sn_node_set_position(s.b.world, s.b.nodes[i], at));
        }
        REQUIRE_OK(sn_world_step(s.b.world, (sn_real)1e-4));
        size_t count = tears(s.b.world, &event), broken = 0;
        for (size_t i = 0; i < count; i++) {
            sn_vec3 n = event[i].normal;
            if (event[i].cause != SN_TEAR_BREAK) continue;
            CHECK_NEAR(fabs((double)(along ? n.z : n.x)), 1, 1e-3);
            broken++;
        }
        CHECK(broken > 0);
        body_free(&s.b);
    }
}

/* A wrinkle mesh and air on every triangle: those go that have a node which was split. */
TEST(what_lies_on_a_sheet_goes_where_it_tears) {
    sn_cloth_material cloth = sn_cloth_material_default();
    const sn_tear_event *event;
    cloth.model = 3;
    cloth.stretch_stiffness = 20;
    cloth.break_force = (sn_real)0.01;
    strip s = make_strip(SN_GRID_SAME, cloth, 1);
    size_t triangles = s.b.mesh.triangle_count, gone = 0;
    sn_wrinkle_mesh *mesh = malloc(triangles * sizeof *mesh);
    sn_air_mesh *air = malloc(triangles * sizeof *air);
    for (size_t t = 0; t < triangles; t++) {
        const uint32_t *corner = s.b.mesh.triangles[t], own[3] = {0, 1, 2};
        sn_node nodes[3] = {s.b.nodes[corner[0]], s.b.nodes[corner[1]], s.b.nodes[corner[2]]};
        sn_wrinkle_mesh_def def = sn_wrinkle_mesh_def_default();
        def.nodes = nodes;
        def.node_count = 3;
        def.triangles = own;
        def.triangle_count = 1;
        REQUIRE_OK(sn_wrinkle_mesh_create(s.b.world, &def, &mesh[t]));
        sn_air_mesh_def around = sn_air_mesh_def_default();
        around.nodes = nodes;
        around.node_count = 3;
        around.triangles = own;
        around.triangle_count = 1;
        REQUIRE_OK(sn_air_mesh_create(s.b.world, &around, &air[t]));
    }
    for (size_t i = 0; i < s.b.mesh.vertex_count; i++) {
        sn_vec3 at = s.b.mesh.positions[i];
        if (at.z < 0) at.x *= (sn_real)1.5;
        REQUIRE_OK(sn_node_set_position(s.b.world, s.b.nodes[i], at));
    }
    REQUIRE_OK(sn_world_step(s.b.world, (sn_real)1e-4));
    size_t count = tears(s.b.world, &event);
    CHECK(count > 0);
    for (size_t t = 0; t < triangles; t++) {
        bool split = false;
        for (size_t i = 0; i < 3 * count; i++)
            split |= s.b.nodes[s.b.mesh.triangles[t][i % 3]].slot == event[i / 3].node.slot;
        CHECK(sn_wrinkle_mesh_is_valid(s.b.world, mesh[t]) == !split);
        CHECK(sn_air_mesh_is_valid(s.b.world, air[t]) == !split);
        gone += split;
    }
    CHECK(gone > 0 && gone < triangles);
    free(mesh);
    free(air);
    body_free(&s.b);
}

/* Two narrow sheets tear through in the same step. What is torn off one of them loses a tether
   that broke as well: that is gone when the links of the other are looked at. */
TEST(a_tether_that_breaks_goes_with_its_sheet) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    sn_world *world = watched_world(1, 20);
    sn_distance_def tether = sn_distance_def_default();
    sn_constraint made;
    body b[2];
    cloth.stretch_stiffness = 20;
    cloth.break_force = (sn_real)0.05;
    tether.side = SN_SIDE_AT_MOST;
    tether.break_force = (sn_real)1e-3;
    is_building = true;
    for (int k = 0; k < 2; k++) {
        def.position.x = (sn_real)k;
        b[k] =
            body_make(world, SN_KIND_CLOTH, &cloth, grid_mesh(0.2, 0.4, 1, 2, SN_GRID_SAME), &def);
    }
    is_building = false;
    for (int i = 0; i < 6; i++)
        if (b[0].mesh.positions[i].x > 0 && fabs((double)b[0].mesh.positions[i].z) > 0.1)
            tether.node[b[0].mesh.positions[i].z > 0] = b[0].nodes[i];
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &tether, &made));
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < 6; i++) {
            sn_vec3 at = b[k].mesh.positions[i];
            at.x += (sn_real)k;
            at.z *= (sn_real)1.5;
            REQUIRE_OK(sn_node_set_position(world, b[k].nodes[i], at));
        }
    REQUIRE_OK(sn_world_step(world, (sn_real)1e-4));
    CHECK(!sn_constraint_is_valid(world, made));
    for (int k = 0; k < 2; k++) {
        size_t count = 0;
        REQUIRE_OK(sn_sheet_get_nodes(world, b[k].build.sheet, NULL, 0, &count));
        check_case("sheet %d has %zu nodes", k, count);
        CHECK(count == 8);
    }
    sn_mesh_free(&b[1].mesh);
    free(b[1].nodes);
    body_free(&b[0]);
}

/* Without limits nothing tears, however far it is pulled. */
TEST(without_limits_nothing_tears) {
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.stretch_stiffness = 20;
    strip s = make_strip(SN_GRID_EQUILATERAL, cloth, 20);
    const sn_tear_event *event;
    for (int i = 0; i < 60; i++) {
        pull(&s, 1);
        REQUIRE_OK(sn_world_step(s.b.world, (sn_real)dt));
        CHECK(tears(s.b.world, &event) == 0);
    }
    CHECK(count_pieces(&s.b) == 1);
    body_free(&s.b);
}

/* It tears along the line where it is weak. */
TEST(a_weak_line_tears_first) {
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.stretch_stiffness = 20;
    cloth.stretch_damping = (sn_real)0.01;
    cloth.tear_strain = (sn_real)0.08;
    strip s = make_strip(SN_GRID_SAME, cloth, 20);
    size_t count = s.b.mesh.vertex_count, room = 2 * count, had = 0;
    sn_real *strength = calloc(count, sizeof *strength), *read = calloc(room, sizeof *read);
    if (!strength || !read) abort();
    for (size_t i = 0; i < count; i++)
        strength[i] = fabs((double)s.b.mesh.positions[i].z - 0.1) < 1e-5 ? (sn_real)0.5 : 1;
    CHECK_FAILS(sn_sheet_set_strength(s.b.world, s.b.build.sheet, strength, count - 1),
                SN_ERROR_VALUE);
    CHECK_OK(sn_sheet_set_strength(s.b.world, s.b.build.sheet, strength, count));
    CHECK_OK(sn_sheet_get_strength(s.b.world, s.b.build.sheet, read, room, &had));
    CHECK(had == count && memcmp(read, strength, count * sizeof *read) == 0);
    for (int i = 0; i < 200 && count_pieces(&s.b) < 2; i++) {
        const sn_tear_event *event;
        pull(&s, 0.003 * i);
        REQUIRE_OK(sn_world_step(s.b.world, (sn_real)dt));
        size_t number = tears(s.b.world, &event);
        /* There is nothing but the sheet, whose nodes have its order. */
        REQUIRE_OK(sn_sheet_get_strength(s.b.world, s.b.build.sheet, read, room, &had));
        for (size_t k = 0; k < number; k++)
            CHECK((double)read[event[k].node.slot - 1] < 1 || event[k].cause == SN_TEAR_LOOSE);
    }
    CHECK(count_pieces(&s.b) == 2);
    REQUIRE_OK(sn_sheet_get_strength(s.b.world, s.b.build.sheet, NULL, 0, &had));
    CHECK(had > count);
    free(strength);
    free(read);
    body_free(&s.b);
}

/* ---- Edges that are weak of their own ---- */

enum { COLUMNS = 6, ROWS = 18 };

/* The vertex of the strip in this column and row. */
static uint32_t vertex_at(const strip *s, int column, int row) {
    double x = s->width * ((double)column / COLUMNS - 0.5), z = 0.6 * ((double)row / ROWS - 0.5);
    for (uint32_t i = 0; i < s->b.mesh.vertex_count; i++) {
        sn_vec3 p = s->b.mesh.positions[i];
        if (fabs((double)p.x - x) < 1e-5 && fabs((double)p.z - z) < 1e-5) return i;
    }
    abort();
}

/* A thread between two vertices that are not neighbours is no part of the cloth: where it breaks,
   nothing tears. */
TEST(a_thread_that_breaks_tears_nothing) {
    sn_cloth_material cloth = sn_cloth_material_default();
    strip s = make_strip(SN_GRID_ALTERNATING, cloth, 4);
    sn_distance_def def = sn_distance_def_default();
    sn_constraint thread;
    const sn_tear_event *event;
    def.node[0] = s.b.nodes[vertex_at(&s, 1, 5)];
    def.node[1] = s.b.nodes[vertex_at(&s, 4, 9)];
    def.rest_length = (sn_real)0.05;
    def.break_force = (sn_real)1e-3;
    REQUIRE_OK(sn_constraint_create(s.b.world, SN_TYPE_DISTANCE, &def, &thread));
    REQUIRE_OK(sn_world_step(s.b.world, (sn_real)dt));
    CHECK(!sn_constraint_is_valid(s.b.world, thread));
    CHECK(tears(s.b.world, &event) == 0);
    CHECK(count_pieces(&s.b) == 1);
    check_torn(&s.b, false);
    body_free(&s.b);
}

/* A line of edges from one side of the strip to the other, by the row in each column. */
static sn_result weaken(const strip *s, const int row[COLUMNS + 1], double strength) {
    sn_node ends[2 * COLUMNS];
    for (int i = 0; i < 2 * COLUMNS; i++) {
        int column = (i + 1) / 2;
        ends[i] = s->b.nodes[vertex_at(s, column, row[column])];
    }
    return sn_sheet_set_edge_strength(s->b.world, s->b.build.sheet, ends, COLUMNS,
                                      (sn_real)strength);
}

/* Whether all tears of a step are on the line; the strip has nothing but the nodes of its sheet. */
static size_t check_on_line(const strip *s, const int row[COLUMNS + 1]) {
    const sn_tear_event *event;
    sn_vec3 rest[1024];
    size_t count = tears(s->b.world, &event), nodes;
    REQUIRE_OK(sn_sheet_get_rest(s->b.world, s->b.build.sheet, rest, 1024, &nodes));
    for (size_t i = 0; i < count; i++) {
        sn_vec3 at = rest[event[i].node.slot - 1];
        int column = (int)round((double)at.x / s->width * COLUMNS + COLUMNS / 2.0);
        CHECK_NEAR((double)at.z, 0.6 * ((double)row[column] / ROWS - 0.5), 1e-5);
        CHECK_NEAR(hypot((double)event[i].normal.x, (double)event[i].normal.z), 1, 1e-3);
    }
    return count;
}

static const int straight[COLUMNS + 1] = {12, 12, 12, 12, 12, 12, 12};

/* As V40, at the part of the limit that the edges have; then it comes apart along them. */
TEST(weak_edges_tear_at_their_limit) {
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.stretch_stiffness = 100;
    cloth.tear_force = 1;
    strip s = make_strip(SN_GRID_SAME, cloth, 80);
    REQUIRE_OK(weaken(&s, straight, 0.5));
    double load = 0.45 * s.width, torn = 0;
    for (int i = 0; i < 240; i++) {
        pull(&s, load * i / 240);
        REQUIRE_OK(sn_world_step(s.b.world, (sn_real)dt));
        if (!CHECK(check_on_line(&s, straight) == 0)) break;
    }
    for (; load < 0.6 * s.width && torn == 0; load += 0.0005 * s.width) {
        pull(&s, load);
        REQUIRE_OK(sn_world_step(s.b.world, (sn_real)dt));
        if (check_on_line(&s, straight) == 0) continue;
        const sn_tear_event *event;
        torn = load;
        REQUIRE_OK(tears(s.b.world, &event) > 0 ? SN_OK : SN_ERROR_DATA);
        CHECK(event->cause == SN_TEAR_FORCE);
        CHECK_REL(event->amount, 0.5, 0.02);
    }
    CHECK_REL(torn, 0.5 * s.width, 0.01);
    for (int i = 0; i < 30 && count_pieces(&s.b) < 2; i++) {
        pull(&s, load);
        REQUIRE_OK(sn_world_step(s.b.world, (sn_real)dt));
        (void)check_on_line(&s, straight);
        check_torn(&s.b, true);
    }
    CHECK(count_pieces(&s.b) == 2);
    body_free(&s.b);
}

/* Strain is geometry: a strip that is laid out too long by a part tears at once, or not at all. */
static void check_laid_out(const strip *s, double strain, bool torn) {
    const sn_tear_event *event;
    for (size_t i = 0; i < s->b.mesh.vertex_count; i++) {
        sn_vec3 at = s->b.mesh.positions[i];
        at.z *= (sn_real)(1 + strain);
        REQUIRE_OK(sn_node_set_position(s->b.world, s->b.nodes[i], at));
    }
    REQUIRE_OK(sn_world_step(s->b.world, (sn_real)1e-5));
    size_t count = tears(s->b.world, &event);
    CHECK((count > 0) == torn);
    for (size_t i = 0; i < count; i++) {
        if (event[i].cause == SN_TEAR_LOOSE) continue;
        CHECK(event[i].cause == SN_TEAR_STRAIN);
        CHECK_REL((double)event[i].amount, strain, 1e-3);
        CHECK_NEAR(fabs((double)event[i].normal.z), 1, 1e-3);
    }
}

TEST(strain_tears_at_its_limit) {
    static const struct {
        const char *name;
        double nodes, edges;
    } rows[] = {{"as strong everywhere", 1, 1}, {"weak nodes", 0.5, 1}, {"weak edges", 1, 0.5}};
    for (int i = 0; i < 3; i++) {
        sn_cloth_material cloth = sn_cloth_material_default();
        cloth.stretch_stiffness = 1;
        cloth.tear_strain = (sn_real)0.1;
        strip s = make_strip(SN_GRID_SAME, cloth, 1);
        size_t count = s.b.mesh.vertex_count;
        sn_real *strength = malloc(count * sizeof *strength);
        for (size_t k = 0; k < count; k++) strength[k] = (sn_real)rows[i].nodes;
        REQUIRE_OK(sn_sheet_set_strength(s.b.world, s.b.build.sheet, strength, count));
        if (rows[i].edges < 1) REQUIRE_OK(weaken(&s, straight, rows[i].edges));
        double limit = 0.1 * rows[i].nodes * rows[i].edges;
        check_case("%s", rows[i].name);
        check_laid_out(&s, 0.99 * limit, false);
        check_laid_out(&s, 1.01 * limit, true);
        if (rows[i].edges < 1) (void)check_on_line(&s, straight);
        free(strength);
        body_free(&s.b);
    }
}

/* It is the load across that opens an edge. */
TEST(weak_edges_hold_a_load_along_them) {
    sn_cloth_material cloth = sn_cloth_material_default();
    const sn_tear_event *event;
    cloth.stretch_stiffness = 100;
    cloth.tear_force = 1;
    strip s = make_strip(SN_GRID_SAME, cloth, 80);
    for (int row = 0; row < ROWS; row++) {
        const sn_node ends[2] = {s.b.nodes[vertex_at(&s, 3, row)],
                                 s.b.nodes[vertex_at(&s, 3, row + 1)]};
        REQUIRE_OK(sn_sheet_set_edge_strength(s.b.world, s.b.build.sheet, ends, 1, (sn_real)0.1));
    }
    for (int i = 0; i < 240; i++) {
        pull(&s, 0.9 * s.width * i / 240);
        REQUIRE_OK(sn_world_step(s.b.world, (sn_real)dt));
        if (!CHECK(tears(s.b.world, &event) == 0)) break;
    }
    body_free(&s.b);
}

/* A line that turns is followed edge by edge, and so is one that a cut has divided. */
TEST(tears_follow_weak_edges) {
    static const int stairs[COLUMNS + 1] = {9, 10, 10, 11, 11, 12, 12};
    static const int down[COLUMNS + 1] = {12, 11, 11, 10, 10, 9, 9};
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.stretch_stiffness = 20;
    cloth.stretch_damping = (sn_real)0.01;
    cloth.tear_strain = (sn_real)0.2;
    for (int divided = 0; divided < 2; divided++) {
        check_case("divided %d", divided);
        strip s = make_strip(SN_GRID_SAME, cloth, 20);
        /* Which way the diagonals go is up to the grid. */
        const int *line = divided ? straight : stairs;
        if (weaken(&s, line, 0.2) != SN_OK) REQUIRE_OK(weaken(&s, line = down, 0.2));
        size_t border = count_border(&s.b), pieces = divided ? 4 : 2;
        sn_blade_def blade = sn_blade_def_default();
        blade.point = (sn_vec3){(sn_real)0.012, 0, 0};
        blade.normal = (sn_vec3){1, 0, 0};
        blade.split = true;
        if (divided) REQUIRE_OK(sn_sheet_cut(s.b.world, s.b.build.sheet, &blade, NULL));
        for (int i = 0; i < 200 && count_pieces(&s.b) < pieces; i++) {
            pull(&s, 0.003 * i);
            REQUIRE_OK(sn_world_step(s.b.world, (sn_real)dt));
            if (!divided) (void)check_on_line(&s, line);
            check_torn(&s.b, true);
        }
        CHECK(count_pieces(&s.b) == pieces);
        if (!divided) CHECK(count_border(&s.b) == border + 2 * (size_t)COLUMNS);
        body_free(&s.b);
    }
}

TEST(only_edges_between_triangles_are_weak) {
    strip s = make_strip(SN_GRID_SAME, sn_cloth_material_default(), 1);
    sn_world *world = s.b.world;
    sn_sheet sheet = s.b.build.sheet;
    sn_node a = s.b.nodes[vertex_at(&s, 2, 5)], b = s.b.nodes[vertex_at(&s, 3, 5)];
    sn_node far_off = s.b.nodes[vertex_at(&s, 5, 5)], corner = s.b.nodes[vertex_at(&s, 0, 0)];
    sn_node other, beside = s.b.nodes[vertex_at(&s, 1, 0)];
    sn_node_def def = sn_node_def_default();
    sn_real strength = 7;
    REQUIRE_OK(sn_node_create(world, &def, &other));
    CHECK_OK(sn_sheet_get_edge_strength(world, sheet, a, b, &strength));
    CHECK(strength == SN_AUTO);
    uint64_t before = sn_world_hash(world);
    CHECK_FAILS(sn_sheet_set_edge_strength(world, sheet, (sn_node[]){a, b, a, far_off}, 2, 1),
                SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "edge 1 from node") != NULL);
    CHECK_FAILS(sn_sheet_set_edge_strength(world, sheet, (sn_node[]){corner, beside}, 1, 1),
                SN_ERROR_VALUE);
    CHECK_FAILS(sn_sheet_set_edge_strength(world, sheet, (sn_node[]){a, other}, 1, 1),
                SN_ERROR_VALUE);
    CHECK_FAILS(sn_sheet_set_edge_strength(world, sheet, (sn_node[]){a, b}, 1, -1), SN_ERROR_VALUE);
    CHECK_FAILS(sn_sheet_get_edge_strength(world, sheet, a, far_off, &strength), SN_ERROR_VALUE);
    CHECK(sn_world_hash(world) == before);
    CHECK_OK(sn_sheet_set_edge_strength(world, sheet, (sn_node[]){b, a, a, b}, 2, (sn_real)0.5));
    CHECK_OK(sn_sheet_get_edge_strength(world, sheet, a, b, &strength));
    CHECK(strength == (sn_real)0.5);
    CHECK_OK(sn_sheet_set_edge_strength(world, sheet, (sn_node[]){a, b}, 1, SN_AUTO));
    CHECK_OK(sn_sheet_get_edge_strength(world, sheet, b, a, &strength));
    CHECK(strength == SN_AUTO);
    CHECK_OK(sn_sheet_set_edge_strength(world, sheet, NULL, 0, 1));
    body_free(&s.b);
}

/* ---- Closed sheets ---- */

/* A balloon that is filled beyond what it bears bursts. */
TEST(a_balloon_is_filled_until_it_bursts) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    cloth.stretch_stiffness = 200;
    cloth.stretch_damping = (sn_real)0.01;
    cloth.pressure = 1;
    cloth.tear_strain = (sn_real)0.1;
    body b = body_make(still_world(20, 5), SN_KIND_CLOTH, &cloth, sphere_mesh(0.5, 3), &def);
    sn_constraint volume = {0, 0, 0};
    bool burst = false;
    for (size_t i = 0; sn_world_constraint_at(b.world, i, &volume) == SN_OK; i++) {
        sn_type type;
        REQUIRE_OK(sn_constraint_get_type(b.world, volume, &type));
        if (type == SN_TYPE_SURFACE_VOLUME) break;
    }
    for (int i = 0; i < 120 && !burst; i++) {
        const sn_tear_event *event;
        sn_real pressure[3] = {(sn_real)(1 + 0.01 * i), 0, 0};
        REQUIRE_OK(sn_constraint_set_field(b.world, volume, "pressure", pressure));
        REQUIRE_OK(sn_world_step(b.world, (sn_real)dt));
        size_t count = tears(b.world, &event);
        for (size_t k = 0; k < count; k++) burst = burst || event[k].burst;
    }
    CHECK(burst);
    CHECK(!sn_constraint_is_valid(b.world, volume));
    check_torn(&b, true);
    body_run(&b, 60, dt);
    check_torn(&b, true);
    body_free(&b);
}

TESTS(RUN(a_ramp_tears_at_its_limit), RUN(strips_are_torn_through), RUN(broken_links_tear_across),
      RUN(broken_triangles_tear_across), RUN(what_lies_on_a_sheet_goes_where_it_tears),
      RUN(a_tether_that_breaks_goes_with_its_sheet), RUN(a_thread_that_breaks_tears_nothing),
      RUN(without_limits_nothing_tears), RUN(a_weak_line_tears_first),
      RUN(weak_edges_tear_at_their_limit), RUN(strain_tears_at_its_limit),
      RUN(weak_edges_hold_a_load_along_them), RUN(tears_follow_weak_edges),
      RUN(only_edges_between_triangles_are_weak), RUN(a_balloon_is_filled_until_it_bursts))
