/*
 * What cannot be built is refused with a sentence that names the element, and leaves the world as
 * it was: the same hash, nodes, constraints and memory. So does a lack of memory, wherever it
 * strikes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/meter.h"
#include "meshed_body.h"

/* ---- The world before and after ---- */

typedef struct state {
    uint64_t hash;
    sn_stats stats;
} state;

static state state_of(const sn_world *world) {
    state s = {.hash = sn_world_hash(world)};
    REQUIRE_OK(sn_world_stats(world, &s.stats));
    return s;
}

static bool is_same(const state *a, const state *b) {
    return a->hash == b->hash && a->stats.nodes == b->stats.nodes &&
           a->stats.constraints == b->stats.constraints;
}

/* A world in which something is already. */
static sn_world *lived_in(void) {
    sn_world *world = still_world(2, 0);
    sn_rope_material m = sn_rope_material_default();
    sn_mesh mesh = line_mesh(1, 3);
    sn_build_def def = sn_build_def_default();
    sn_build build;
    def.mesh = &mesh;
    REQUIRE_OK(sn_build_body(world, SN_KIND_ROPE, &m, &def, NULL, &build));
    sn_mesh_free(&mesh);
    REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
    return world;
}

static void check_refused(sn_kind kind, const void *material, const sn_build_def *def,
                          sn_result result, const char *sentence) {
    sn_world *world = lived_in();
    state before = state_of(world);
    sn_build build = {.constraints = 77};
    CHECK_FAILS(sn_build_body(world, kind, material, def, NULL, &build), result);
    if (!CHECK(strcmp(sn_last_error(), sentence) == 0))
        printf("      said \"%s\"\n", sn_last_error());
    state after = state_of(world);
    CHECK(is_same(&before, &after) && build.constraints == 77);
    CHECK_OK(sn_world_step(world, (sn_real)0.01));
    sn_world_destroy(world);
}

/* ---- Meshes ---- */

static const sn_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 2, 0}, {2, 0, 0}};

typedef struct row {
    const char *name;
    sn_kind kind;
    uint32_t vertices;
    uint32_t elements; /* of the kind's sort */
    uint32_t index[12];
    sn_result result;
    const char *sentence;
} row;

static const row rows[] = {
    {"no triangles",
     SN_KIND_CLOTH,
     3,
     0,
     {0},
     SN_ERROR_DEGENERATE,
     "cloth: the mesh has no triangles"},
    {"no tets", SN_KIND_SOLID, 4, 0, {0}, SN_ERROR_DEGENERATE, "solid: the mesh has no tetrahedra"},
    {"no lines", SN_KIND_ROPE, 2, 0, {0}, SN_ERROR_DEGENERATE, "rope: the mesh has no lines"},
    {"no lines of a rod",
     SN_KIND_ROD,
     2,
     0,
     {0},
     SN_ERROR_DEGENERATE,
     "rod: the mesh has no lines"},
    {"one particle of a fluid",
     SN_KIND_FLUID,
     1,
     0,
     {0},
     SN_ERROR_DEGENERATE,
     "fluid: no vertex is apart from the first one, expected a spacing"},
    {"nothing",
     SN_KIND_PARTICLES,
     0,
     0,
     {0},
     SN_ERROR_DEGENERATE,
     "build: the mesh has no vertices"},
    {"a crowded edge",
     SN_KIND_CLOTH,
     5,
     3,
     {0, 1, 2, 1, 0, 3, 0, 1, 4},
     SN_ERROR_DEGENERATE,
     "cloth: the edge between vertices 0 and 1 belongs to 3 triangles, such as 0, 1 and 2, "
     "expected "
     "at most two"},
    {"a triangle twice",
     SN_KIND_CLOTH,
     4,
     3,
     {1, 3, 2, 0, 1, 2, 2, 0, 1},
     SN_ERROR_DEGENERATE,
     "cloth: triangle 2 has the vertices of triangle 1, expected each once"},
    {"a triangle twice, turned over",
     SN_KIND_CLOTH,
     4,
     3,
     {0, 1, 2, 1, 3, 2, 1, 0, 2},
     SN_ERROR_DEGENERATE,
     "cloth: triangle 2 has the vertices of triangle 0, expected each once"},
    {"a triangle and its back",
     SN_KIND_CLOTH,
     3,
     2,
     {0, 1, 2, 1, 0, 2},
     SN_ERROR_DEGENERATE,
     "cloth: triangle 1 has the vertices of triangle 0, expected each once"},
    {"winding",
     SN_KIND_CLOTH,
     4,
     2,
     {0, 1, 2, 0, 1, 3},
     SN_ERROR_DEGENERATE,
     "cloth: triangles 0 and 1 face different sides at the edge between vertices 0 and 1, expected "
     "one side up"},
    {"two fans",
     SN_KIND_CLOTH,
     5,
     2,
     {0, 1, 2, 0, 3, 4},
     SN_ERROR_DEGENERATE,
     "cloth: two fans of triangles meet at vertex 0, expected one"},
    {"no area",
     SN_KIND_CLOTH,
     5,
     2,
     {0, 1, 3, 0, 2, 4},
     SN_ERROR_DEGENERATE,
     "cloth: two fans of triangles meet at vertex 0, expected one"},
    {"no area either",
     SN_KIND_CLOTH,
     5,
     1,
     {0, 2, 4},
     SN_ERROR_DEGENERATE,
     "cloth: triangle 0 with vertices 0, 2 and 4 has no area"},
    {"a vertex twice",
     SN_KIND_CLOTH,
     3,
     1,
     {0, 1, 1},
     SN_ERROR_DEGENERATE,
     "cloth: triangle 0 uses vertex 1 twice"},
    {"a lonely vertex",
     SN_KIND_CLOTH,
     4,
     1,
     {0, 1, 2},
     SN_ERROR_DEGENERATE,
     "cloth: vertex 3 belongs to no triangle, so it has no mass"},
    {"inside out",
     SN_KIND_SOLID,
     4,
     1,
     {0, 2, 1, 3},
     SN_ERROR_DEGENERATE,
     "solid: tet 0 with vertices 0, 2, 1 and 3 has the volume -0.166667, expected above 0"},
    {"flat",
     SN_KIND_SOLID,
     6,
     1,
     {0, 1, 2, 5},
     SN_ERROR_DEGENERATE,
     "solid: tet 0 with vertices 0, 1, 2 and 5 has the volume 0, expected above 0"},
    {"a vertex twice in a tet",
     SN_KIND_SOLID,
     4,
     1,
     {0, 1, 2, 1},
     SN_ERROR_DEGENERATE,
     "solid: tet 0 uses vertex 1 twice"},
    {"a vertex without a tet",
     SN_KIND_SOLID,
     5,
     1,
     {0, 1, 2, 3},
     SN_ERROR_DEGENERATE,
     "solid: vertex 4 belongs to no tet, so it has no mass"},
    {"no length",
     SN_KIND_ROPE,
     2,
     2,
     {0, 1, 1, 1},
     SN_ERROR_DEGENERATE,
     "rope: line 1 from vertex 1 to 1 has no length"},
    {"a vertex without a line",
     SN_KIND_ROPE,
     3,
     1,
     {0, 1},
     SN_ERROR_DEGENERATE,
     "rope: vertex 2 belongs to no line, so it has no mass"},
    {"a branch",
     SN_KIND_ROD,
     4,
     3,
     {0, 1, 1, 2, 1, 3},
     SN_ERROR_DEGENERATE,
     "rod: lines 1 and 2 both begin at vertex 1, expected chains in which each line goes on from "
     "the one before, or trees whose lines go from their tips to the root"},
};

static sn_mesh mesh_of(const row *r) {
    sn_mesh mesh = sn_mesh_default();
    const uint32_t *i = r->index;
    if (r->vertices > 0) REQUIRE_OK(sn_mesh_add_vertices(&mesh, corners, r->vertices));
    if (r->elements == 0) return mesh;
    if (r->kind == SN_KIND_CLOTH)
        REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])i, r->elements));
    else if (r->kind == SN_KIND_SOLID)
        REQUIRE_OK(sn_mesh_add_tets(&mesh, (const uint32_t(*)[4])i, r->elements));
    else
        REQUIRE_OK(sn_mesh_add_lines(&mesh, (const uint32_t(*)[2])i, r->elements));
    return mesh;
}

TEST(meshes_that_cannot_be_built_are_refused) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        max_align_t material[32];
        sn_build_def def = sn_build_def_default();
        sn_mesh mesh = mesh_of(&rows[i]);
        check_case("%s", rows[i].name);
        REQUIRE_OK(sn_kind_default(rows[i].kind, material));
        def.mesh = &mesh;
        check_refused(rows[i].kind, material, &def, rows[i].result, rows[i].sentence);
        sn_mesh_free(&mesh);
    }
}

/* The contents of the arrays are the user's to change. */
TEST(what_was_written_into_a_mesh_is_checked) {
    for (int k = 0; k < SN_KIND_COUNT; k++) {
        max_align_t material[32];
        sn_build_def def = sn_build_def_default();
        /* Of points alone nothing but their places can be wrong. */
        if (k == SN_KIND_PARTICLES || k == SN_KIND_FLUID || k == SN_KIND_GAS) continue;
        sn_mesh mesh = mesh_for((sn_kind)k);
        char sentence[200];
        static const char *const elements[] = {"",    "line", "line", "triangle", "tet",
                                               "tet", "line", "",     "line"};
        uint32_t *index = mesh.tet_count > 0        ? &mesh.tets[1][1]
                          : mesh.triangle_count > 0 ? &mesh.triangles[1][1]
                                                    : &mesh.lines[1][1];
        uint32_t kept = *index;
        REQUIRE_OK(sn_kind_default((sn_kind)k, material));
        check_case("%s", sn_kind_get_info((sn_kind)k)->name);
        def.mesh = &mesh;
        *index = 4000000000u;
        snprintf(sentence, sizeof sentence,
                 "mesh: %s 1 uses vertex 4000000000, but the mesh has %zu vertices", elements[k],
                 mesh.vertex_count);
        check_refused((sn_kind)k, material, &def, SN_ERROR_VALUE, sentence);
        *index = kept;
        mesh.positions[2].y = (sn_real)NAN;
        sn_world *world = lived_in();
        sn_build build;
        CHECK_FAILS(sn_build_body(world, (sn_kind)k, material, &def, NULL, &build), SN_ERROR_VALUE);
        CHECK(strstr(sn_last_error(), "mesh: vertex 2 is at"));
        sn_world_destroy(world);
        sn_mesh_free(&mesh);
    }
}

/* Whatever ids say: nobody was told of a fluid whose body was refused. */
static bool has_fluids(const sn_world *world) {
    sn_node any;
    REQUIRE_OK(sn_world_node_at(world, 0, &any));
    for (uint16_t generation = 0; generation < 8; generation++)
        if (sn_fluid_is_valid(world, (sn_fluid){1, generation, any.world})) return true;
    return false;
}

/* What is refused when nodes are there already leaves empty slots behind, which the hash counts; so
   what is alive is compared, with a world in which nothing was tried. */
static void check_as_untouched(sn_world *world, sn_world *untouched) {
    sn_stats a, b;
    sn_node_view x, y;
    REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
    REQUIRE_OK(sn_world_step(untouched, (sn_real)0.01));
    REQUIRE_OK(sn_world_stats(world, &a));
    REQUIRE_OK(sn_world_stats(untouched, &b));
    REQUIRE_OK(sn_world_nodes(world, &x));
    REQUIRE_OK(sn_world_nodes(untouched, &y));
    CHECK(a.nodes == b.nodes && a.constraints == b.constraints);
    CHECK(!has_fluids(world));
    for (size_t i = 0; i < x.count; i++) {
        bool there = i < y.count && y.alive[i];
        CHECK(x.alive[i] == there);
        if (there)
            CHECK(memcmp(&x.position[i], &y.position[i], sizeof x.position[i]) == 0 &&
                  memcmp(&x.velocity[i], &y.velocity[i], sizeof x.velocity[i]) == 0);
    }
}

/* A sheet one triangle wide has no inner vertex; it is refused where vertices are asked for. By
   then the nodes are there, and must go again. */
TEST(a_refusal_in_the_middle_leaves_nothing) {
    sn_cloth_material m = sn_cloth_material_default();
    sn_mesh mesh = grid_mesh(1, 1, 4, 1, SN_GRID_SAME);
    sn_build_def def = sn_build_def_default();
    m.bending_stiffness = 1;
    m.bending = 1;
    def.mesh = &mesh;
    sn_world *world = lived_in(), *untouched = lived_in();
    sn_build build;
    sn_node_view once, often;
    CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &m, &def, NULL, &build), SN_ERROR_DEGENERATE);
    check_as_untouched(world, untouched);
    /* Slots that are left empty are the next to be used. */
    REQUIRE_OK(sn_world_nodes(world, &once));
    size_t count = once.count;
    for (int i = 0; i < 5; i++)
        CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &m, &def, NULL, &build),
                    SN_ERROR_DEGENERATE);
    REQUIRE_OK(sn_world_nodes(world, &often));
    CHECK(often.count == count);
    sn_world_destroy(world);
    sn_world_destroy(untouched);
    sn_mesh_free(&mesh);
}

/* The collision surface is made last of all. */
TEST(a_surface_that_is_refused_leaves_nothing) {
    for (int k = 0; k < SN_KIND_COUNT; k++) {
        max_align_t material[32];
        sn_mesh mesh = mesh_for((sn_kind)k);
        sn_build_def def = sn_build_def_default();
        REQUIRE_OK(sn_kind_default((sn_kind)k, material));
        check_case("%s", sn_kind_get_info((sn_kind)k)->name);
        def.mesh = &mesh;
        def.collide = SN_COLLIDE_ALL;
        def.surface.dynamic_friction = 2;
        sn_world *world = lived_in(), *untouched = lived_in();
        sn_build build;
        sn_collision_surface surface;
        CHECK_FAILS(sn_build_body(world, (sn_kind)k, material, &def, NULL, &build), SN_ERROR_VALUE);
        CHECK(strcmp(sn_last_error(), "collision surface: dynamic_friction is 2 and "
                                      "static_friction 0.5, expected the first "
                                      "to be at most the second: set both") == 0);
        CHECK_FAILS(sn_world_collision_surface_at(world, 0, &surface), SN_ERROR_ID);
        check_as_untouched(world, untouched);
        /* It is not looked at where there is none. */
        def.collide = SN_COLLIDE_NONE;
        CHECK_OK(sn_build_body(world, (sn_kind)k, material, &def, NULL, &build));
        CHECK(!sn_collision_surface_is_valid(world, build.surface) && build.surface.slot == 0);
        sn_world_destroy(world);
        sn_world_destroy(untouched);
        sn_mesh_free(&mesh);
    }
}

/* All of what is thicker than it is long would be in contact with all of it. A few vertices may. */
TEST(what_is_thicker_than_it_is_long_is_refused) {
    sn_cloth_material m = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    for (int thick = 0; thick < 2; thick++) {
        sn_mesh mesh = grid_mesh(1, 2, 4, 4, SN_GRID_SAME);
        sn_world *world = still_world(2, 0);
        sn_build build;
        def.mesh = &mesh;
        m.thickness = thick ? (sn_real)4.5 : (sn_real)3.5;
        if (thick)
            check_refused(SN_KIND_CLOTH, &m, &def, SN_ERROR_VALUE,
                          "cloth: vertex 0 is 4.5 m thick, expected at most 4 m, twice the longest "
                          "side of the body: a smaller radius or thickness");
        else
            CHECK_OK(sn_build_body(world, SN_KIND_CLOTH, &m, &def, NULL, &build));
        sn_mesh_free(&mesh);
        mesh = grid_mesh(1, 2, 3, 3, SN_GRID_SAME);
        CHECK_OK(sn_build_body(world, SN_KIND_CLOTH, &m, &def, NULL, &build));
        sn_mesh_free(&mesh);
        sn_world_destroy(world);
    }
}

TEST(pressure_needs_a_closed_surface) {
    sn_cloth_material m = sn_cloth_material_default();
    sn_mesh mesh = grid_mesh(1, 1, 2, 2, SN_GRID_SAME);
    sn_build_def def = sn_build_def_default();
    def.mesh = &mesh;
    m.pressure = 1;
    check_refused(SN_KIND_CLOTH, &m, &def, SN_ERROR_DEGENERATE,
                  "cloth: pressure needs a closed surface, but vertex 0 is on its border");
    sn_mesh_free(&mesh);
}

/* ---- Materials ---- */

/* Every field of every kind with every value outside its range. */
TEST(bad_values_of_materials_are_refused) {
    for (int k = 0; k < SN_KIND_COUNT; k++) {
        const sn_kind_info *info = sn_kind_get_info((sn_kind)k);
        sn_mesh mesh = mesh_for((sn_kind)k);
        sn_build_def def = sn_build_def_default();
        sn_world *world = lived_in();
        state before = state_of(world);
        def.mesh = &mesh;
        for (size_t f = 0; f < info->field_count; f++) {
            const sn_field_info *field = &info->fields[f];
            double values[] = {NAN, INFINITY, -INFINITY, field->least - 1, field->most + 1};
            for (int v = 0; v < 5; v++) {
                max_align_t material[32];
                sn_build build;
                char *at = (char *)material + field->offset;
                sn_real real = (sn_real)values[v];
                bool chosen = field->kind == SN_FIELD_CHOICE;
                int choice = chosen && v == 4 ? (int)field->most + 1 : -1;
                REQUIRE_OK(sn_kind_default((sn_kind)k, material));
                if (chosen)
                    memcpy(at, &choice, sizeof choice);
                else
                    memcpy(at, &real, sizeof real);
                /* Where there is no limit there is nothing beyond it. */
                if (!chosen && isfinite(real) && (double)real >= field->least &&
                    (double)real <= field->most)
                    continue;
                check_case("%s %s = %g", info->name, field->name, values[v]);
                CHECK_FAILS(sn_build_body(world, (sn_kind)k, material, &def, NULL, &build),
                            SN_ERROR_VALUE);
                CHECK(strstr(sn_last_error(), field->name) && strstr(sn_last_error(), info->name));
            }
        }
        state after = state_of(world);
        CHECK(is_same(&before, &after));
        sn_world_destroy(world);
        sn_mesh_free(&mesh);
    }
}

/* Nothing and less than nothing are refused with the same words. */
static void check_above_zero(sn_kind kind, const sn_field_info *field, void *material,
                             const sn_build_def *def) {
    static const sn_real values[] = {0, (sn_real)-2.5};
    for (int i = 0; i < 2; i++) {
        char sentence[100];
        memcpy((char *)material + field->offset, &values[i], sizeof values[i]);
        snprintf(sentence, sizeof sentence, "%s: %s is %g, expected above 0 %s",
                 sn_kind_get_info(kind)->name, field->name, (double)values[i], field->unit);
        check_case("%s", sentence);
        check_refused(kind, material, def, SN_ERROR_VALUE, sentence);
    }
}

TEST(values_that_must_be_above_zero) {
    static const struct {
        sn_kind kind;
        const char *field;
    } fields[] = {{SN_KIND_PARTICLES, "radius"},   {SN_KIND_PARTICLES, "density"},
                  {SN_KIND_ROPE, "radius"},        {SN_KIND_ROPE, "density"},
                  {SN_KIND_ROPE, "young"},         {SN_KIND_ROD, "radius"},
                  {SN_KIND_ROD, "density"},        {SN_KIND_ROD, "young"},
                  {SN_KIND_CLOTH, "area_density"}, {SN_KIND_CLOTH, "stretch_stiffness"},
                  {SN_KIND_SOLID, "density"},      {SN_KIND_SOLID, "young"}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const sn_kind_info *info = sn_kind_get_info(fields[i].kind);
        max_align_t material[32];
        sn_mesh mesh = mesh_for(fields[i].kind);
        sn_build_def def = sn_build_def_default();
        def.mesh = &mesh;
        REQUIRE_OK(sn_kind_default(fields[i].kind, material));
        for (size_t f = 0; f < info->field_count; f++)
            if (strcmp(info->fields[f].name, fields[i].field) == 0)
                check_above_zero(fields[i].kind, &info->fields[f], material, &def);
        sn_mesh_free(&mesh);
    }
}

/* ---- Definitions ---- */

TEST(bad_definitions_are_refused) {
    sn_rope_material m = sn_rope_material_default();
    sn_mesh mesh = line_mesh(1, 2);
    sn_build_def good = sn_build_def_default(), def;
    static const uint32_t pins[] = {0, 3};
    char sentence[200];
    good.mesh = &mesh;
    def = good;
    def.size--;
    snprintf(sentence, sizeof sentence,
             "build: its size is %zu, expected %zu: begin with sn_build_def_default", def.size,
             good.size);
    check_refused(SN_KIND_ROPE, &m, &def, SN_ERROR_DEFINITION, sentence);
    def = good;
    def.mesh = NULL;
    check_refused(SN_KIND_ROPE, &m, &def, SN_ERROR_NULL, "build: mesh is null");
    def = good;
    def.collide = (sn_collide)3;
    check_refused(SN_KIND_ROPE, &m, &def, SN_ERROR_VALUE, "build: collide is 3, expected 0 to 2");
    const char *keys[] = {"penetration_free", "untangle", "triangle_contact"};
    for (int i = 0; i < 3; i++) {
        def = good;
        *(i == 0   ? &def.surface.penetration_free
          : i == 1 ? &def.surface.untangle
                   : &def.surface.triangle_contact) = true;
        snprintf(sentence, sizeof sentence,
                 "build: %s of collision surface is true, but collide is SN_COLLIDE_NONE, expected "
                 "another "
                 "one: without it there is no collision surface",
                 keys[i]);
        check_refused(SN_KIND_ROPE, &m, &def, SN_ERROR_VALUE, sentence);
    }
    def = good;
    def.pin_count = 2;
    check_refused(SN_KIND_ROPE, &m, &def, SN_ERROR_NULL, "build: pins is null");
    def.pins = pins;
    check_refused(SN_KIND_ROPE, &m, &def, SN_ERROR_VALUE,
                  "build: pin 1 is vertex 3, but the mesh has 3 vertices");
    def = good;
    def.scale = 0;
    check_refused(SN_KIND_ROPE, &m, &def, SN_ERROR_VALUE, "build: scale is 0, expected above 0");
    def.scale = -1;
    check_refused(SN_KIND_ROPE, &m, &def, SN_ERROR_VALUE, "build: scale is -1, expected above 0");
    def = good;
    def.step = 0;
    check_refused(SN_KIND_ROPE, &m, &def, SN_ERROR_VALUE, "build: step is 0, expected above 0 s");
    def = good;
    def.rotation = (sn_quat){0, 0, 0, 0};
    check_refused(SN_KIND_ROPE, &m, &def, SN_ERROR_VALUE,
                  "build: rotation is 0 0 0 0, expected a quaternion");
    def = good;
    def.position.y = (sn_real)INFINITY;
    check_refused(SN_KIND_ROPE, &m, &def, SN_ERROR_VALUE,
                  "body: position is inf, expected a finite number");
    def = good;
    def.velocity.x = (sn_real)INFINITY;
    check_refused(SN_KIND_ROPE, &m, &def, SN_ERROR_VALUE,
                  "body: velocity is inf, expected a finite number");
    m.size = 1;
    snprintf(sentence, sizeof sentence,
             "rope: the size of the material is 1, expected %zu: begin with "
             "sn_rope_material_default",
             sizeof m);
    check_refused(SN_KIND_ROPE, &m, &good, SN_ERROR_DEFINITION, sentence);
    sn_mesh_free(&mesh);
}

TEST(null_pointers_and_kinds_that_are_none) {
    sn_rope_material m = sn_rope_material_default();
    sn_mesh mesh = line_mesh(1, 2);
    sn_build_def def = sn_build_def_default();
    sn_build build;
    sn_world *world = still_world(1, 0);
    def.mesh = &mesh;
    CHECK_FAILS(sn_build_body(NULL, SN_KIND_ROPE, &m, &def, NULL, &build), SN_ERROR_NULL);
    CHECK_FAILS(sn_build_body(world, SN_KIND_ROPE, NULL, &def, NULL, &build), SN_ERROR_NULL);
    CHECK_FAILS(sn_build_body(world, SN_KIND_ROPE, &m, NULL, NULL, &build), SN_ERROR_NULL);
    CHECK_FAILS(sn_build_body(world, SN_KIND_ROPE, &m, &def, NULL, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_build_body(world, SN_KIND_COUNT, &m, &def, NULL, &build), SN_ERROR_VALUE);
    CHECK_FAILS(sn_build_body(world, (sn_kind)-1, &m, &def, NULL, &build), SN_ERROR_VALUE);
    CHECK_OK(sn_build_body(world, SN_KIND_ROPE, &m, &def, NULL, &build));
    sn_world_destroy(world);
    sn_mesh_free(&mesh);
}

/* Numbers that fit into their fields and not into what is made of them. */
TEST(what_overflows_is_refused) {
    sn_rope_material m = sn_rope_material_default();
    sn_mesh mesh = line_mesh(1, 2);
    sn_build_def def = sn_build_def_default();
    sn_world *world = lived_in();
    state before = state_of(world);
    sn_build build;
    def.mesh = &mesh;
    def.scale = SN_REAL_MAX;
    def.position.x = SN_REAL_MAX;
    CHECK(sn_build_body(world, SN_KIND_ROPE, &m, &def, NULL, &build) != SN_OK);
    def = sn_build_def_default();
    def.mesh = &mesh;
    m.radius = (sn_real)1e-30;
    m.density = sizeof(sn_real) == sizeof(double) ? (sn_real)1e-270 : (sn_real)1e-30;
    CHECK(sn_build_body(world, SN_KIND_ROPE, &m, &def, NULL, &build) != SN_OK);
    state after = state_of(world);
    CHECK(is_same(&before, &after));
    sn_world_destroy(world);
    sn_mesh_free(&mesh);
}

/* ---- Inside a step ---- */

static struct {
    sn_world *world;
    sn_mesh mesh;
    sn_result result;
} inside;

static void build_inside(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    sn_rope_material m = sn_rope_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    (void)user;
    (void)input;
    (void)acceleration;
    def.mesh = &inside.mesh;
    inside.result = sn_build_body(inside.world, SN_KIND_ROPE, &m, &def, NULL, &build);
}

TEST(a_world_inside_a_step_is_not_built_in) {
    inside.world = lived_in();
    inside.mesh = line_mesh(1, 2);
    REQUIRE_OK(sn_world_add_force_field(inside.world, build_inside, NULL));
    sn_stats before, after;
    REQUIRE_OK(sn_world_stats(inside.world, &before));
    REQUIRE_OK(sn_world_step(inside.world, (sn_real)0.01));
    REQUIRE_OK(sn_world_stats(inside.world, &after));
    CHECK(inside.result == SN_ERROR_LOCKED && after.nodes == before.nodes);
    sn_world_destroy(inside.world);
    sn_mesh_free(&inside.mesh);
}

/* ---- Memory ---- */

static sn_world *metered(meter *m) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    sn_node_def node = sn_node_def_default();
    sn_node made;
    meter_init(m);
    def.allocator = meter_allocator(m);
    REQUIRE_OK(sn_world_create(&def, &world));
    REQUIRE_OK(sn_node_create(world, &node, &made));
    return world;
}

/* Every block that a build asks for is once the one that is not given, or every third. */
static size_t starve(sn_kind kind, const void *material, const sn_mesh *mesh, sn_collide collide) {
    static meter m, other;
    size_t at = 0;
    for (bool done = false; !done; at += check_long() ? 1 : check_sample() ? 7 : 3) {
        sn_world *world = metered(&m), *untouched = metered(&other);
        sn_build_def def = sn_build_def_default();
        sn_build build;
        def.mesh = mesh;
        def.collide = collide;
        m.fail_after = at;
        m.once = true;
        sn_result result = sn_build_body(world, kind, material, &def, NULL, &build);
        done = m.failures == 0;
        m.fail_after = METER_NEVER;
        check_case("%s, block %zu", sn_kind_get_info(kind)->name, at);
        CHECK(result == (done ? SN_OK : SN_ERROR_MEMORY));
        if (!done) {
            check_as_untouched(world, untouched);
            CHECK_OK(sn_build_body(world, kind, material, &def, NULL, &build));
        }
        CHECK_OK(sn_world_step(world, (sn_real)0.01));
        sn_world_destroy(world);
        sn_world_destroy(untouched);
        CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
    }
    return at;
}

TEST(a_lack_of_memory_leaves_nothing) {
    for (int k = 0; k < SN_KIND_COUNT; k++) {
        max_align_t material[32];
        sn_mesh mesh = mesh_for((sn_kind)k);
        REQUIRE_OK(sn_kind_default((sn_kind)k, material));
        size_t blocks = starve((sn_kind)k, material, &mesh, SN_COLLIDE_NONE);
        CHECK(blocks > 5);
        CHECK(starve((sn_kind)k, material, &mesh, SN_COLLIDE_ALL) > blocks);
        sn_mesh_free(&mesh);
    }
    sn_cloth_material balloon;
    REQUIRE_OK(sn_preset_get(SN_KIND_CLOTH, "rubber", &balloon));
    balloon.pressure = 2;
    sn_mesh mesh = sphere_mesh(1, 1);
    CHECK(starve(SN_KIND_CLOTH, &balloon, &mesh, SN_COLLIDE_NONE) > 10);
    sn_mesh_free(&mesh);
    mesh = mesh_for(SN_KIND_CLOTH);
    balloon.pressure = SN_AUTO;
    CHECK(starve(SN_KIND_CLOTH, &balloon, &mesh, SN_COLLIDE_NONE) > 10);
    sn_mesh_free(&mesh);
}

TESTS(RUN(meshes_that_cannot_be_built_are_refused), RUN(what_was_written_into_a_mesh_is_checked),
      RUN(a_refusal_in_the_middle_leaves_nothing), RUN(a_surface_that_is_refused_leaves_nothing),
      RUN(what_is_thicker_than_it_is_long_is_refused), RUN(pressure_needs_a_closed_surface),
      RUN(bad_values_of_materials_are_refused), RUN(values_that_must_be_above_zero),
      RUN(bad_definitions_are_refused), RUN(null_pointers_and_kinds_that_are_none),
      RUN(what_overflows_is_refused), RUN(a_world_inside_a_step_is_not_built_in),
      RUN(a_lack_of_memory_leaves_nothing))
