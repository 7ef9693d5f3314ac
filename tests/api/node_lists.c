/*
 * Definitions with lists of nodes and triangles that are wrong, surfaces that cannot be bent, and
 * what becomes of constraints with lists when nodes go or when they break.
 */
#include <math.h>
#include <string.h>

#include "base/meter.h"
#include "check.h"
#include "constraints/rig.h"
#include "stage.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A tetrahedron on nodes 1 to 4 of a stage, and an octahedron on all of them. */
static const uint32_t tetrahedron[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const uint32_t octahedron[24] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1,
                                        5, 2, 1, 5, 3, 2, 5, 4, 3, 5, 1, 4};

static sn_surface_volume_def volume_def(const stage_world *w) {
    sn_surface_volume_def def = sn_surface_volume_def_default();
    def.nodes = w->node + 1;
    def.node_count = 4;
    def.triangles = tetrahedron;
    def.triangle_count = 4;
    return def;
}

/* Node 1 with 2, 3 and 4 around it. */
static sn_vertex_bending_def bending_def(const stage_world *w) {
    sn_vertex_bending_def def = sn_vertex_bending_def_default();
    def.nodes = w->node + 1;
    def.node_count = 4;
    def.compliance = 1;
    return def;
}

/* Alone, and as the second of two, where the sentence says which it was. */
#define REFUSED_LIST(s, type, def, expected, words)                                                \
    do {                                                                                           \
        sn_constraint refused_;                                                                    \
        REFUSED(s, sn_constraint_create((s)->it.world, type, &(def), &refused_), expected, words); \
        refuse_second(s, type, &(def), sizeof(def), expected, words);                              \
    } while (0)

static void refuse_second(stage *s, sn_type type, const void *def, size_t size, sn_result expected,
                          const char *words) {
    unsigned char two[2 * RIG_MAX_DEF];
    sn_surface_volume_def volume = volume_def(&s->it);
    sn_vertex_bending_def bending = bending_def(&s->it);
    memcpy(two, type == SN_TYPE_SURFACE_VOLUME ? (const void *)&volume : (const void *)&bending,
           size);
    memcpy(two + size, def, size);
    REFUSED(s, sn_constraints_create(s->it.world, type, two, 2, NULL), expected, words);
    CHECK(strstr(sn_last_error(), "definition 1 of 2") != NULL);
}

/* ---- Definitions ---- */

TEST(null_lists) {
    stage s;
    stage_make(&s);
    sn_surface_volume_def volume = volume_def(&s.it);
    volume.nodes = NULL;
    REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, volume, SN_ERROR_NULL, "surface_volume nodes null");
    volume = volume_def(&s.it);
    volume.triangles = NULL;
    REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, volume, SN_ERROR_NULL,
                 "surface_volume triangles null");
    sn_vertex_bending_def bending = bending_def(&s.it);
    bending.nodes = NULL;
    REFUSED_LIST(&s, SN_TYPE_VERTEX_BENDING, bending, SN_ERROR_NULL, "vertex_bending nodes null");
    stage_finish(&s);
}

TEST(counts_of_lists) {
    static const size_t few[] = {0, 1, 3}, many[] = {8, 1000, SIZE_MAX, SIZE_MAX / 2 + 1};
    stage s;
    stage_make(&s);
    for (size_t i = 0; i < COUNT(few); i++) {
        check_case("%zu nodes", few[i]);
        sn_surface_volume_def volume = volume_def(&s.it);
        volume.node_count = few[i];
        REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, volume, SN_ERROR_VALUE,
                     "surface_volume node_count at least 4");
        volume = volume_def(&s.it);
        volume.triangle_count = few[i];
        REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, volume, SN_ERROR_VALUE,
                     "surface_volume triangle_count at least 4");
        sn_vertex_bending_def bending = bending_def(&s.it);
        bending.node_count = few[i];
        REFUSED_LIST(&s, SN_TYPE_VERTEX_BENDING, bending, SN_ERROR_VALUE,
                     "vertex_bending node_count at least 4");
    }
    /* More than the world has, which are 7, is refused before anything is read. */
    for (size_t i = 0; i < COUNT(many); i++) {
        check_case("%zu nodes", many[i]);
        sn_surface_volume_def volume = volume_def(&s.it);
        volume.node_count = many[i];
        REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, volume, SN_ERROR_VALUE,
                     "surface_volume node_count 7");
        sn_vertex_bending_def bending = bending_def(&s.it);
        bending.node_count = many[i];
        REFUSED_LIST(&s, SN_TYPE_VERTEX_BENDING, bending, SN_ERROR_VALUE,
                     "vertex_bending node_count 7");
        if (many[i] < (size_t)INT32_MAX) continue;
        volume = volume_def(&s.it);
        volume.triangle_count = many[i];
        REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, volume, SN_ERROR_LIMIT,
                     "surface_volume triangle_count expected");
    }
    check_case("triangles of a ring");
    sn_vertex_bending_def bending = bending_def(&s.it);
    bending.triangles = tetrahedron;
    bending.triangle_count = 4;
    REFUSED_LIST(&s, SN_TYPE_VERTEX_BENDING, bending, SN_ERROR_VALUE,
                 "vertex_bending triangle_count 4 expected 0");
    stage_finish(&s);
}

TEST(nodes_of_lists) {
    stage s;
    stage_make(&s);
    sn_node far = s.it.node[1], last = s.it.node[1];
    far.slot = 100;
    last.slot = UINT32_MAX;
    const struct {
        const char *what;
        sn_node node;
        sn_result expected;
        const char *words;
    } bad[] = {
        {"null", {0, 0, 0}, SN_ERROR_ID, "node 2"},
        {"stale", s.it.dead_node, SN_ERROR_STALE, "node 2"},
        {"foreign", s.twin.node[1], SN_ERROR_FOREIGN, "node 2"},
        {"beyond the slots", far, SN_ERROR_ID, "node 2"},
        {"of the last slot", last, SN_ERROR_ID, "node 2"},
        {"the same", s.it.node[1], SN_ERROR_DEGENERATE, "nodes 0 and 2 same"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        check_case("%s", bad[i].what);
        sn_node node[4];
        memcpy(node, s.it.node + 1, sizeof node);
        node[2] = bad[i].node;
        sn_surface_volume_def volume = volume_def(&s.it);
        volume.nodes = node;
        REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, volume, bad[i].expected, bad[i].words);
        CHECK(strstr(sn_last_error(), "surface_volume") != NULL);
        sn_vertex_bending_def bending = bending_def(&s.it);
        bending.nodes = node;
        REFUSED_LIST(&s, SN_TYPE_VERTEX_BENDING, bending, bad[i].expected, bad[i].words);
        CHECK(strstr(sn_last_error(), "vertex_bending") != NULL);
    }
    stage_finish(&s);
}

/* What can be wrong with the triangles of a closed surface. */
TEST(triangles_of_lists) {
    const struct {
        const char *what;
        size_t at;        /* of a corner of the octahedron */
        uint32_t put;     /* what is put there */
        size_t triangles; /* how many there are of it */
        sn_result expected;
        const char *words;
    } bad[] = {
        {"out of range", 7, 6, 8, SN_ERROR_VALUE, "triangle 2 node 6 6 nodes"},
        {"far out of range", 23, UINT32_MAX, 8, SN_ERROR_VALUE, "triangle 7 node 4294967295"},
        {"a corner twice", 4, 0, 8, SN_ERROR_DEGENERATE, "triangle 1 node 0 twice"},
        {"the last corner again", 5, 0, 8, SN_ERROR_DEGENERATE, "triangle 1 node 0 twice"},
        {"one missing", 0, 0, 7, SN_ERROR_DEGENERATE, "edge one triangle closed"},
        {"an edge to nowhere", 23, 3, 8, SN_ERROR_DEGENERATE, "node 1 node 3 one triangle closed"},
    };
    stage s;
    stage_make(&s);
    sn_surface_volume_def def = volume_def(&s.it);
    uint32_t triangle[27];
    def.nodes = s.it.node;
    def.node_count = 6;
    def.triangles = triangle;
    for (size_t i = 0; i < COUNT(bad); i++) {
        check_case("%s", bad[i].what);
        memcpy(triangle, octahedron, sizeof octahedron);
        triangle[bad[i].at] = bad[i].put;
        def.triangle_count = bad[i].triangles;
        REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, def, bad[i].expected, bad[i].words);
    }
    check_case("turned over");
    memcpy(triangle, octahedron, sizeof octahedron);
    triangle[3] = octahedron[4];
    triangle[4] = octahedron[3];
    def.triangle_count = 8;
    REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, def, SN_ERROR_DEGENERATE,
                 "edge node 0 node 3 same direction");
    check_case("one twice");
    memcpy(triangle, octahedron, sizeof octahedron);
    memcpy(triangle + 24, octahedron, 3 * sizeof *octahedron);
    def.triangle_count = 9;
    REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, def, SN_ERROR_DEGENERATE, "edge same direction");
    stage_finish(&s);
}

TEST(fields_of_lists) {
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    stage s;
    stage_make(&s);
    for (size_t i = 0; i < COUNT(bad); i++) {
        sn_real value = (sn_real)bad[i];
        check_case("%g", bad[i]);
        sn_surface_volume_def volume = volume_def(&s.it);
        volume.rest_volume = value;
        REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, volume, SN_ERROR_VALUE,
                     "surface_volume rest_volume finite");
        volume = volume_def(&s.it);
        volume.pressure = value;
        REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, volume, SN_ERROR_VALUE,
                     "surface_volume pressure finite");
        volume = volume_def(&s.it);
        volume.compliance = value;
        REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, volume, SN_ERROR_VALUE,
                     "surface_volume compliance finite");
        sn_vertex_bending_def bending = bending_def(&s.it);
        bending.area = value;
        REFUSED_LIST(&s, SN_TYPE_VERTEX_BENDING, bending, SN_ERROR_VALUE,
                     "vertex_bending area finite");
        bending = bending_def(&s.it);
        bending.damping = value;
        REFUSED_LIST(&s, SN_TYPE_VERTEX_BENDING, bending, SN_ERROR_VALUE,
                     "vertex_bending damping finite");
    }
    check_case("finite");
    sn_surface_volume_def volume = volume_def(&s.it);
    volume.side = (sn_side)3;
    REFUSED_LIST(&s, SN_TYPE_SURFACE_VOLUME, volume, SN_ERROR_VALUE, "surface_volume side 3");
    sn_vertex_bending_def bending = bending_def(&s.it);
    bending.area = -2;
    REFUSED_LIST(&s, SN_TYPE_VERTEX_BENDING, bending, SN_ERROR_VALUE, "vertex_bending area -2 m^2");
    bending = bending_def(&s.it);
    bending.side = SN_SIDE_AT_MOST;
    REFUSED_LIST(&s, SN_TYPE_VERTEX_BENDING, bending, SN_ERROR_VALUE, "vertex_bending side 2 3");
    stage_finish(&s);
}

/* Nodes on a line have neither a volume nor triangles. */
TEST(lists_without_extent) {
    stage s;
    stage_make(&s);
    for (int k = 0; k < 2; k++) {
        stage_world *w = k == 0 ? &s.it : &s.twin;
        for (int i = 1; i < 5; i++) {
            sn_vec3 x = {(sn_real)i, (sn_real)i, 0};
            REQUIRE_OK(sn_node_set_position(w->world, w->node[i], x));
        }
    }
    s.print = stage_print(&s.it);
    sn_surface_volume_def volume = volume_def(&s.it);
    sn_constraint made;
    REFUSED(&s, sn_constraint_create(s.it.world, SN_TYPE_SURFACE_VOLUME, &volume, &made),
            SN_ERROR_DEGENERATE, "surface_volume 4 triangles area");
    sn_vertex_bending_def bending = bending_def(&s.it);
    REFUSED(&s, sn_constraint_create(s.it.world, SN_TYPE_VERTEX_BENDING, &bending, &made),
            SN_ERROR_DEGENERATE, "vertex_bending triangle node 0 node 1 node 2 area");
    stage_finish(&s);
}

/* ---- Changing and reading ---- */

/* Makes both kinds in both worlds of a stage. */
static void add_lists(stage *s, sn_constraint *volume, sn_constraint *bending) {
    for (int k = 1; k >= 0; k--) {
        stage_world *w = k == 0 ? &s->it : &s->twin;
        sn_surface_volume_def volume_of = volume_def(w);
        sn_vertex_bending_def bending_of = bending_def(w);
        REQUIRE_OK(sn_constraint_create(w->world, SN_TYPE_SURFACE_VOLUME, &volume_of, volume));
        REQUIRE_OK(sn_constraint_create(w->world, SN_TYPE_VERTEX_BENDING, &bending_of, bending));
    }
    s->print = stage_print(&s->it);
}

TEST(set_keeps_the_list) {
    stage s;
    stage_make(&s);
    sn_constraint volume, bending;
    add_lists(&s, &volume, &bending);
    sn_world *w = s.it.world;
    sn_node turned[4] = {s.it.node[1], s.it.node[2], s.it.node[4], s.it.node[3]};
    sn_surface_volume_def def = sn_surface_volume_def_default();
    CHECK_OK(sn_constraint_get(w, volume, &def));
    CHECK(def.node_count == 4 && def.triangle_count == 4 && !def.nodes && !def.triangles);
    def.pressure = 3;
    REFUSED(&s, sn_constraint_set(w, volume, &def), SN_ERROR_NULL, "surface_volume nodes null");
    def = volume_def(&s.it);
    def.nodes = turned;
    REFUSED(&s, sn_constraint_set(w, volume, &def), SN_ERROR_VALUE, "surface_volume node 2");
    def = volume_def(&s.it);
    def.nodes = s.it.node;
    def.node_count = 6;
    def.triangles = octahedron;
    def.triangle_count = 8;
    REFUSED(&s, sn_constraint_set(w, volume, &def), SN_ERROR_VALUE, "surface_volume number");
    /* The same four triangles, in another order. */
    uint32_t triangle[12];
    memcpy(triangle, tetrahedron + 3, 9 * sizeof *triangle);
    memcpy(triangle + 9, tetrahedron, 3 * sizeof *triangle);
    def = volume_def(&s.it);
    def.triangles = triangle;
    REFUSED(&s, sn_constraint_set(w, volume, &def), SN_ERROR_VALUE, "surface_volume triangle 0");
    def = volume_def(&s.it);
    def.pressure = (sn_real)NAN;
    REFUSED(&s, sn_constraint_set(w, volume, &def), SN_ERROR_VALUE, "surface_volume pressure");
    sn_vertex_bending_def ring = bending_def(&s.it);
    ring.nodes = turned;
    REFUSED(&s, sn_constraint_set(w, bending, &ring), SN_ERROR_VALUE, "vertex_bending node 2");
    sn_real value[3] = {-1, 0, 0};
    REFUSED(&s, sn_constraint_set_field(w, bending, "area", value), SN_ERROR_VALUE,
            "vertex_bending area -1");
    stage_finish(&s);
}

TEST(changes_of_lists_are_taken_over) {
    stage s;
    stage_make(&s);
    sn_constraint volume, bending;
    add_lists(&s, &volume, &bending);
    sn_world *w = s.it.world;
    sn_surface_volume_def def = volume_def(&s.it);
    def.pressure = 2;
    def.rest_volume = 5;
    CHECK_OK(sn_constraint_set(w, volume, &def));
    sn_real value[3], area[3];
    CHECK_OK(sn_constraint_get_field(w, volume, "rest_volume", value));
    CHECK(value[0] == 5);
    CHECK_OK(sn_constraint_get_field(w, volume, "pressure", value));
    CHECK(value[0] == 2);
    CHECK_OK(sn_constraint_get_field(w, bending, "area", area));
    CHECK(area[0] > 0);
    value[0] = 7;
    CHECK_OK(sn_constraint_set_field(w, bending, "area", value));
    value[0] = SN_AUTO;
    CHECK_OK(sn_constraint_set_field(w, bending, "area", value));
    CHECK_OK(sn_constraint_get_field(w, bending, "area", value));
    CHECK(value[0] == area[0]);
    CHECK_OK(sn_world_step(w, (sn_real)0.01));
    sn_world_destroy(s.it.world);
    sn_world_destroy(s.twin.world);
}

TEST(reading_lists) {
    stage s;
    stage_make(&s);
    sn_constraint volume, bending;
    add_lists(&s, &volume, &bending);
    sn_world *w = s.it.world;
    sn_node node[8];
    uint32_t triangle[24];
    size_t count = 99;
    REFUSED(&s, sn_constraint_get_nodes(w, volume, node, 8, NULL), SN_ERROR_NULL, "count null");
    REFUSED(&s, sn_constraint_get_nodes(w, volume, NULL, 8, &count), SN_ERROR_NULL, "nodes null");
    REFUSED(&s, sn_constraint_get_triangles(w, volume, triangle, 8, NULL), SN_ERROR_NULL,
            "count null");
    REFUSED(&s, sn_constraint_get_triangles(w, volume, NULL, 8, &count), SN_ERROR_NULL,
            "triangles null");
    REFUSED(&s, sn_constraint_get_nodes(w, s.it.dead_constraint, node, 8, &count), SN_ERROR_STALE,
            "constraint");
    REFUSED(&s, sn_constraint_get_triangles(w, s.twin.distance, triangle, 8, &count),
            SN_ERROR_FOREIGN, "constraint");
    CHECK(count == 99);

    /* How many there are is told without room for them, and no more is written than there is. */
    CHECK_OK(sn_constraint_get_nodes(w, volume, NULL, 0, &count));
    CHECK(count == 4);
    CHECK_OK(sn_constraint_get_triangles(w, volume, NULL, 0, &count));
    CHECK(count == 4);
    memset(node, 0x77, sizeof node);
    memset(triangle, 0x77, sizeof triangle);
    CHECK_OK(sn_constraint_get_nodes(w, volume, node, 3, &count));
    CHECK(count == 4 && memcmp(node, s.it.node + 1, 3 * sizeof *node) == 0);
    CHECK(node[3].slot == 0x77777777);
    CHECK_OK(sn_constraint_get_triangles(w, volume, triangle, 2, &count));
    CHECK(count == 4 && memcmp(triangle, tetrahedron, 6 * sizeof *triangle) == 0);
    CHECK(triangle[6] == 0x77777777);
    CHECK_OK(sn_constraint_get_nodes(w, bending, node, 8, &count));
    CHECK(count == 4 && memcmp(node, s.it.node + 1, 4 * sizeof *node) == 0);
    CHECK_OK(sn_constraint_get_triangles(w, bending, triangle, 8, &count));
    CHECK(count == 0);
    /* Types with a fixed number of nodes have them too, null ids included. */
    CHECK_OK(sn_constraint_get_nodes(w, s.it.attachment, node, 8, &count));
    CHECK(count == 2 && memcmp(&node[0], &s.it.node[2], sizeof *node) == 0);
    CHECK(memcmp(&node[1], &s.it.node[0], sizeof *node) == 0);
    CHECK_OK(sn_constraint_get_triangles(w, s.it.attachment, triangle, 8, &count));
    CHECK(count == 0);
    stage_finish(&s);
}

/* ---- Surfaces ---- */

/* A fan of three triangles around node 1 of the stage. */
static const uint32_t fan[9] = {0, 1, 2, 0, 2, 3, 0, 3, 1};

static sn_surface fan_surface(const stage_world *w) {
    return (sn_surface){w->node + 1, 4, fan, 3};
}

TEST(surfaces) {
    static const size_t sizes[] = {0, 1, sizeof(sn_surface_volume_def)};
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    sn_surface good = fan_surface(&s.it), bad = good;
    sn_vertex_bending_def def = sn_vertex_bending_def_default();
    sn_constraint made[8];
    size_t count = 99;
    memset(made, 0x77, sizeof made);
    REFUSED(&s, sn_surface_bend(NULL, &good, &def, made, &count), SN_ERROR_NULL, "world null");
    REFUSED(&s, sn_surface_bend(w, NULL, &def, made, &count), SN_ERROR_NULL, "surface null");
    REFUSED(&s, sn_surface_bend(w, &good, NULL, made, &count), SN_ERROR_NULL, "def null");
    REFUSED(&s, sn_surface_bend(w, &good, &def, made, NULL), SN_ERROR_NULL, "count null");
    bad.nodes = NULL;
    REFUSED(&s, sn_surface_bend(w, &bad, &def, made, &count), SN_ERROR_NULL, "nodes null");
    bad = good;
    bad.triangles = NULL;
    REFUSED(&s, sn_surface_bend(w, &bad, &def, made, &count), SN_ERROR_NULL, "triangles null");
    bad = good;
    bad.node_count = UINT32_MAX;
    REFUSED(&s, sn_surface_bend(w, &bad, &def, made, &count), SN_ERROR_LIMIT,
            "surface 4294967295 vertices");
    bad = good;
    bad.triangle_count = SIZE_MAX;
    REFUSED(&s, sn_surface_bend(w, &bad, &def, made, &count), SN_ERROR_LIMIT, "surface triangles");
    for (size_t i = 0; i < COUNT(sizes); i++) {
        check_case("size %zu", sizes[i]);
        sn_vertex_bending_def sized = def;
        sized.size = sizes[i];
        REFUSED(&s, sn_surface_bend(w, &good, &sized, made, &count), SN_ERROR_DEFINITION,
                "vertex_bending size");
    }
    check_case("fields");
    sn_vertex_bending_def odd = def;
    odd.compliance = (sn_real)NAN;
    REFUSED(&s, sn_surface_bend(w, &good, &odd, made, &count), SN_ERROR_VALUE,
            "vertex_bending compliance finite");
    odd = def;
    odd.side = SN_SIDE_AT_LEAST;
    REFUSED(&s, sn_surface_bend(w, &good, &odd, made, &count), SN_ERROR_VALUE,
            "vertex_bending side");
    CHECK(count == 99 && made[0].slot == 0x77777777);
    stage_finish(&s);
}

TEST(nodes_and_triangles_of_surfaces) {
    const struct {
        const char *what;
        uint32_t triangle[15];
        size_t nodes, triangles;
        sn_result expected;
        const char *words;
    } bad[] = {
        {"out of range",
         {0, 1, 2, 0, 2, 4},
         4,
         2,
         SN_ERROR_VALUE,
         "surface triangle 1 vertex 4 4 vertices"},
        {"a corner twice",
         {0, 1, 2, 3, 2, 3},
         4,
         2,
         SN_ERROR_DEGENERATE,
         "surface triangle 1 vertex 3 twice"},
        {"one twice",
         {0, 1, 2, 0, 1, 2},
         4,
         2,
         SN_ERROR_DEGENERATE,
         "surface edge vertices two triangles same side"},
        {"turned over",
         {0, 1, 2, 0, 3, 2},
         4,
         2,
         SN_ERROR_DEGENERATE,
         "surface edge vertices two triangles same side"},
        {"two fans", {0, 1, 2, 0, 3, 4}, 5, 2, SN_ERROR_DEGENERATE, "surface two fans vertex 0"},
        {"two closed fans",
         {0, 1, 2, 0, 2, 1, 0, 3, 4, 0, 4, 3},
         5,
         4,
         SN_ERROR_DEGENERATE,
         "surface two fans vertex 0"},
        {"no inner vertex",
         {0, 1, 2, 0, 2, 3},
         4,
         2,
         SN_ERROR_DEGENERATE,
         "surface vertex 0 inner dihedral_bending"},
        {"a part without inner vertices",
         {0, 1, 2, 0, 2, 3, 0, 3, 1, 4, 5, 6},
         7,
         4,
         SN_ERROR_DEGENERATE,
         "surface vertex 4 inner dihedral_bending"},
        {"two triangles back to back",
         {0, 1, 2, 0, 2, 1},
         3,
         2,
         SN_ERROR_VALUE,
         "vertex_bending node_count 3 at least 4"},
    };
    stage s;
    stage_make(&s);
    sn_node node[7];
    memcpy(node, s.it.node, sizeof s.it.node);
    node[6] = s.it.frame;
    sn_vertex_bending_def def = sn_vertex_bending_def_default();
    size_t count = 99;
    for (size_t i = 0; i < COUNT(bad); i++) {
        check_case("%s", bad[i].what);
        sn_surface surface = {node, bad[i].nodes, bad[i].triangle, bad[i].triangles};
        REFUSED(&s, sn_surface_bend(s.it.world, &surface, &def, NULL, &count), bad[i].expected,
                bad[i].words);
    }
    check_case("nodes");
    sn_surface surface = {node, 4, fan, 3};
    node[2] = s.it.dead_node;
    REFUSED(&s, sn_surface_bend(s.it.world, &surface, &def, NULL, &count), SN_ERROR_STALE,
            "surface vertex 2");
    node[2] = s.twin.node[2];
    REFUSED(&s, sn_surface_bend(s.it.world, &surface, &def, NULL, &count), SN_ERROR_FOREIGN,
            "surface vertex 2");
    node[2] = (sn_node){0, 0, 0};
    REFUSED(&s, sn_surface_bend(s.it.world, &surface, &def, NULL, &count), SN_ERROR_ID,
            "surface vertex 2");
    node[2] = node[1];
    REFUSED(&s, sn_surface_bend(s.it.world, &surface, &def, NULL, &count), SN_ERROR_DEGENERATE,
            "vertex_bending nodes same");
    CHECK(count == 99);
    stage_finish(&s);
}

/* Ids are optional, and so are triangles. */
TEST(surfaces_that_are_allowed) {
    stage s;
    stage_make(&s);
    sn_surface surface = fan_surface(&s.it);
    sn_vertex_bending_def def = sn_vertex_bending_def_default();
    size_t count = 99;
    /* Its list and its area are not used. */
    def.area = -5;
    def.node_count = 1000;
    CHECK_OK(sn_surface_bend(s.it.world, &surface, &def, NULL, &count));
    CHECK(count == 1);
    CHECK(sn_world_constraint_count(s.it.world, SN_TYPE_VERTEX_BENDING) == 1);
    surface.triangle_count = 0;
    CHECK_OK(sn_surface_bend(s.it.world, &surface, &def, NULL, &count));
    CHECK(count == 0);
    sn_world_destroy(s.it.world);
    sn_world_destroy(s.twin.world);
}

/* ---- Nodes that go, constraints that break ---- */

static meter m;

static sn_world *metered_world(int substeps, int solver) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    meter_init(&m);
    def.allocator = meter_allocator(&m);
    def.settings.substeps = substeps;
    rig_use_solver(&def.settings, solver);
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* Many octahedra in a row, neighbours sharing a node, with a ring on each. */
enum { BALLS = 40 };

typedef struct balls {
    sn_node node[5 * BALLS + 1];
    sn_constraint volume[BALLS], ring[BALLS];
} balls;

static void add_balls(sn_world *world, balls *b, double break_force) {
    static const sn_real place[5][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {1, -1, 0}, {1, 0, -1}};
    for (int i = 0; i <= 5 * BALLS; i++) {
        sn_node_def def = sn_node_def_default();
        const sn_real *x = place[i % 5];
        def.position = (sn_vec3){(sn_real)(2 * (i / 5)) + x[0], x[1], x[2]};
        def.inverse_mass = i == 0 ? 0 : 1;
        REQUIRE_OK(sn_node_create(world, &def, &b->node[i]));
    }
    for (int i = 0; i < BALLS; i++) {
        sn_surface_volume_def volume = sn_surface_volume_def_default();
        sn_vertex_bending_def ring = sn_vertex_bending_def_default();
        volume.nodes = ring.nodes = &b->node[5 * i];
        volume.node_count = 6;
        ring.node_count = 5;
        volume.triangles = octahedron;
        volume.triangle_count = 8;
        volume.pressure = (sn_real)1.5;
        ring.compliance = 1;
        if (break_force > 0 && i % 3 == 0)
            volume.break_force = ring.break_force = (sn_real)(break_force * (1 + i % 4));
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SURFACE_VOLUME, &volume, &b->volume[i]));
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_VERTEX_BENDING, &ring, &b->ring[i]));
    }
}

TEST(nodes_take_their_lists_with_them) {
    for (int solver = 0; solver < RIG_SOLVERS; solver++) {
        check_case("%s", rig_solvers[solver].name);
        balls b;
        sn_world *world = metered_world(4, solver);
        add_balls(world, &b, 0);
        REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
        /* The node between two balls takes both of them, but the ring of one only. */
        CHECK_OK(sn_node_destroy(world, b.node[5 * 10]));
        CHECK(!sn_constraint_is_valid(world, b.volume[9]));
        CHECK(!sn_constraint_is_valid(world, b.volume[10]));
        CHECK(sn_constraint_is_valid(world, b.ring[9]));
        CHECK(!sn_constraint_is_valid(world, b.ring[10]));
        CHECK(sn_constraint_is_valid(world, b.volume[11]));
        CHECK(sn_world_constraint_count(world, SN_TYPE_SURFACE_VOLUME) == BALLS - 2);
        CHECK(sn_world_constraint_count(world, SN_TYPE_VERTEX_BENDING) == BALLS - 1);
        sn_real force[SN_MAX_ROWS];
        CHECK_FAILS(sn_constraint_force(world, b.volume[10], force), SN_ERROR_STALE);
        /* What took their places is what it was. */
        for (int i = 0; i < BALLS; i++) {
            sn_node node[6];
            size_t count = 0;
            if (!sn_constraint_is_valid(world, b.volume[i])) continue;
            CHECK_OK(sn_constraint_get_nodes(world, b.volume[i], node, 6, &count));
            CHECK(count == 6 && memcmp(node, &b.node[5 * i], sizeof node) == 0);
        }
        REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
        CHECK(rig_is_finite(world));
        for (int i = 20; i < BALLS; i++) CHECK_OK(sn_constraint_destroy(world, b.volume[i]));
        CHECK_OK(sn_nodes_destroy(world, b.node + 1, 30));
        REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
        sn_stats stats;
        REQUIRE_OK(sn_world_stats(world, &stats));
        CHECK(stats.memory == m.bytes && m.mistakes == 0);
        sn_world_destroy(world);
        CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
    }
}

/* Overpressure bursts every third ball in some substep; the others stay. */
TEST(lists_break_inside_a_step) {
    for (int solver = 0; solver < RIG_SOLVERS; solver++) {
        check_case("%s", rig_solvers[solver].name);
        balls b;
        sn_world *world = metered_world(8, solver);
        add_balls(world, &b, 100);
        size_t broken = 0;
        for (int step = 0; step < 3; step++) {
            const sn_break_event *events;
            size_t count;
            size_t bytes = m.bytes;
            REQUIRE_OK(sn_world_step(world, (sn_real)0.02));
            REQUIRE_OK(sn_world_breaks(world, &events, &count));
            broken += count;
            for (size_t i = 0; i < count; i++) {
                CHECK(events[i].type == SN_TYPE_SURFACE_VOLUME ||
                      events[i].type == SN_TYPE_VERTEX_BENDING);
                CHECK(events[i].force > 100 && events[i].substep < 8);
                CHECK(!sn_constraint_is_valid(world, events[i].constraint));
            }
            /* Their lists went back. */
            CHECK(count == 0 || step == 0 || m.bytes < bytes);
        }
        CHECK(broken > BALLS / 3 - 2);
        for (int i = 0; i < BALLS; i++)
            CHECK(i % 3 == 0 || sn_constraint_is_valid(world, b.volume[i]));
        CHECK(rig_is_finite(world));
        sn_world_destroy(world);
        CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
    }
}

TESTS(RUN(null_lists), RUN(counts_of_lists), RUN(nodes_of_lists), RUN(triangles_of_lists),
      RUN(fields_of_lists), RUN(lists_without_extent), RUN(set_keeps_the_list),
      RUN(changes_of_lists_are_taken_over), RUN(reading_lists), RUN(surfaces),
      RUN(nodes_and_triangles_of_surfaces), RUN(surfaces_that_are_allowed),
      RUN(nodes_take_their_lists_with_them), RUN(lists_break_inside_a_step))
