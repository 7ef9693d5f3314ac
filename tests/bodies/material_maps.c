/*
 * Materials that differ from vertex to vertex: the same everywhere they change nothing, elements
 * have the mean over their vertices, and what cannot be meant is refused by a sentence.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meshed_body.h"
#include "snapshot.h"

/* ---- Help ---- */

static sn_real *filled(size_t count, double value) {
    sn_real *values = malloc((count + 1) * sizeof *values);
    REQUIRE_OK(values ? SN_OK : SN_ERROR_MEMORY);
    for (size_t i = 0; i < count; i++) values[i] = (sn_real)value;
    return values;
}

static sn_world *fallen(sn_kind kind, const void *material, const sn_build_def *def) {
    sn_world_def world_def = sn_world_def_default();
    sn_world *world = NULL;
    sn_build build;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    REQUIRE_OK(sn_build_body(world, kind, material, def, NULL, &build));
    for (int i = 0; i < 3; i++) REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
    return world;
}

/* A material of a kind in which nothing is automatic that can be a number. */
static void soft_material(sn_kind kind, void *material) {
    const sn_preset_info *preset;
    const char *name = kind == SN_KIND_SOLID ? "muscle" : NULL;
    for (size_t i = 0; !name && (preset = sn_preset_at(i)); i++)
        if (preset->kind == kind) name = preset->name;
    REQUIRE_OK(sn_preset_get(kind, name, material));
}

static const struct {
    sn_kind kind;
    const char *field;
} varying[] = {
    {SN_KIND_PARTICLES, "radius"},
    {SN_KIND_PARTICLES, "density"},
    {SN_KIND_ROPE, "radius"},
    {SN_KIND_ROPE, "density"},
    {SN_KIND_ROPE, "young"},
    {SN_KIND_ROPE, "damping"},
    {SN_KIND_ROPE, "break_force"},
    {SN_KIND_ROD, "radius"},
    {SN_KIND_ROD, "density"},
    {SN_KIND_ROD, "young"},
    {SN_KIND_ROD, "poisson"},
    {SN_KIND_ROD, "damping"},
    {SN_KIND_ROD, "break_force"},
    {SN_KIND_SOLID, "density"},
    {SN_KIND_SOLID, "young"},
    {SN_KIND_SOLID, "poisson"},
    {SN_KIND_SOLID, "damping"},
    {SN_KIND_SOLID, "radius"},
    {SN_KIND_SOLID, "stretch_x"},
    {SN_KIND_SOLID, "stretch_y"},
    {SN_KIND_SOLID, "stretch_z"},
    {SN_KIND_SOLID, "shear_yz"},
    {SN_KIND_SOLID, "shear_zx"},
    {SN_KIND_SOLID, "shear_xy"},
    {SN_KIND_SOLID, "volume_stiffness"},
    {SN_KIND_SOLID, "fibre_stiffness"},
    {SN_KIND_SOLID, "activation"},
    {SN_KIND_SOLID, "contraction"},
    {SN_KIND_SOLID, "plastic_yield"},
    {SN_KIND_SOLID, "plastic_creep"},
    {SN_KIND_SOLID, "plastic_limit"},
    {SN_KIND_CLOTH, "area_density"},
    {SN_KIND_CLOTH, "stretch_stiffness"},
    {SN_KIND_CLOTH, "stretch_damping"},
    {SN_KIND_CLOTH, "warp_stiffness"},
    {SN_KIND_CLOTH, "weft_stiffness"},
    {SN_KIND_CLOTH, "shear_stiffness"},
    {SN_KIND_CLOTH, "poisson"},
    {SN_KIND_CLOTH, "area_stiffness"},
    {SN_KIND_CLOTH, "thickness"},
    {SN_KIND_CLOTH, "break_force"},
    {SN_KIND_CLOTH, "bending_damping"},
    {SN_KIND_CLOTH, "bending_stiffness"},
    {SN_KIND_CLOTH, "strain_limit"},
    {SN_KIND_CLOTH, "compression_limit"},
    {SN_KIND_CLOTH, "bending_yield"},
};

static const sn_field_info *field_of(sn_kind kind, const char *name) {
    const sn_kind_info *info = sn_kind_get_info(kind);
    for (size_t i = 0; i < info->field_count; i++)
        if (strcmp(info->fields[i].name, name) == 0) return &info->fields[i];
    return NULL;
}

/* ---- What they do ---- */

/* Models in which all fields of cloth are used, and of solids. */
enum { MODELS = 3, SOLID_MODELS = 4 };

static int models_of(sn_kind kind) {
    return kind == SN_KIND_CLOTH ? MODELS : kind == SN_KIND_SOLID ? SOLID_MODELS : 1;
}

/* A body of a kind in which a field has a value, everywhere, by the material or by a map. */
static sn_world *with_value(sn_kind kind, int model, const sn_field_info *field, sn_real value,
                            bool by_map) {
    max_align_t material[32];
    sn_mesh mesh = mesh_for(kind);
    sn_build_def def = sn_build_def_default();
    sn_real *values = filled(mesh.vertex_count, 0);
    for (size_t k = 0; k < mesh.vertex_count; k++) values[k] = value;
    sn_material_map map = {field->name, values, mesh.vertex_count};
    soft_material(kind, material);
    if (kind == SN_KIND_CLOTH || kind == SN_KIND_SOLID)
        memcpy((char *)material + field_of(kind, "model")->offset, &model, sizeof model);
    if (!by_map) memcpy((char *)material + field->offset, &value, sizeof value);
    def.mesh = &mesh;
    def.maps = &map;
    def.map_count = by_map ? 1 : 0;
    sn_world *world = fallen(kind, material, &def);
    free(values);
    sn_mesh_free(&mesh);
    return world;
}

/* Compares everything in two worlds, and destroys them. */
static bool differ(sn_world *a, sn_world *b) {
    sn_world *both[2] = {a, b};
    void *bytes[2];
    size_t size[2];
    sn_difference difference;
    for (int i = 0; i < 2; i++) bytes[i] = snapshot_of(both[i], &size[i]);
    REQUIRE_OK(sn_snapshot_compare(bytes[0], size[0], bytes[1], size[1], &difference));
    for (int i = 0; i < 2; i++) {
        free(bytes[i]);
        sn_world_destroy(both[i]);
    }
    return difference.differs;
}

/* The same everywhere is the same as in the material, to the bit; and another value makes another
   body, in one of the models at least. */
TEST(a_map_of_one_value_is_that_value) {
    for (size_t i = 0; i < sizeof varying / sizeof *varying; i++) {
        sn_kind kind = varying[i].kind;
        const sn_field_info *field = field_of(kind, varying[i].field);
        bool changes = false;
        for (int model = 1; model <= models_of(kind); model++) {
            max_align_t material[32];
            sn_real old, value;
            check_case("%s, %s, model %d", sn_kind_get_info(kind)->name, field->name, model);
            soft_material(kind, material);
            memcpy(&old, (char *)material + field->offset, sizeof old);
            value = old == SN_AUTO || old == 0 ? (sn_real)0.3 : old / 3;
            if (strcmp(field->name, "poisson") == 0) value = (sn_real)0.37;
            CHECK(!differ(with_value(kind, model, field, old, false),
                          with_value(kind, model, field, old, true)));
            CHECK(!differ(with_value(kind, model, field, value, false),
                          with_value(kind, model, field, value, true)));
            changes = changes || differ(with_value(kind, model, field, old, true),
                                        with_value(kind, model, field, value, true));
        }
        CHECK(changes);
    }
}

/* A sheet whose stiffness and weight grow from the left to the right. */
TEST(elements_have_the_mean_of_their_vertices) {
    sn_mesh mesh = grid_mesh(1, 1, 4, 2, SN_GRID_SAME);
    sn_cloth_material m = sn_cloth_material_default();
    sn_real *stiff = filled(mesh.vertex_count, 0), *bend = filled(mesh.vertex_count, 0);
    sn_build_def def = sn_build_def_default();
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        double x = (double)mesh.positions[i].x + 0.5;
        stiff[i] = (sn_real)(1000 + 1000 * x);
        bend[i] = (sn_real)(x < 0.3 ? 0 : x);
    }
    sn_material_map maps[] = {{"warp_stiffness", stiff, mesh.vertex_count},
                              {"bending_stiffness", bend, mesh.vertex_count}};
    m.model = 2;
    m.weft_stiffness = 500;
    m.shear_stiffness = 100;
    m.bending = 3;
    m.bending_stiffness = 77; /* the map says otherwise */
    def.maps = maps;
    def.map_count = 2;
    body b = body_make(still_world(1, 0), SN_KIND_CLOTH, &m, mesh, &def);
    size_t hinges = 0, triangles = 0;
    for (size_t slot = 0; slot < b.build.constraints + 20; slot++) {
        sn_constraint c;
        sn_type type;
        sn_node nodes[4];
        size_t count;
        double x = 0, want = 0;
        sn_real value[3];
        if (sn_world_constraint_at(b.world, slot, &c) != SN_OK) continue;
        REQUIRE_OK(sn_constraint_get_type(b.world, c, &type));
        REQUIRE_OK(sn_constraint_get_nodes(b.world, c, nodes, 4, &count));
        for (size_t k = 0; k < count; k++) {
            size_t vertex = nodes[k].slot - b.nodes[0].slot;
            x += ((double)b.mesh.positions[vertex].x + 0.5) / (double)count;
            want += (double)bend[vertex] / (double)count;
        }
        if (type == SN_TYPE_STRAIN_TRIANGLE) {
            triangles++;
            REQUIRE_OK(sn_constraint_get_field(b.world, c, "warp_stiffness", value));
            CHECK_REL(value[0], 1000 + 1000 * x, 1e-6);
        } else {
            /* Energy: B l^2 / (A0 + A1) of an angle; all triangles have the area 1/16. */
            hinges++;
            REQUIRE_OK(sn_constraint_get_field(b.world, c, "compliance", value));
            sn_node_def p = sn_node_def_default(), q = sn_node_def_default();
            REQUIRE_OK(sn_node_get(b.world, nodes[0], &p));
            REQUIRE_OK(sn_node_get(b.world, nodes[1], &q));
            double dx = (double)(q.position.x - p.position.x);
            double dz = (double)(q.position.z - p.position.z);
            CHECK_REL(1 / (double)value[0], want * (dx * dx + dz * dz) * 8, 1e-5);
        }
    }
    /* The hinges whose nodes all have no stiffness are not there. */
    CHECK(triangles == 16 && b.build.constraints == triangles + hinges);
    CHECK(hinges < 18 && hinges > 12);
    body_free(&b);
    free(stiff);
    free(bend);
}

/* Automatic at one vertex is automatic for what is there: infinitely stiff, never to break. */
TEST(strength_goes_to_the_sheet) {
    sn_cloth_material m = sn_cloth_material_default();
    sn_mesh mesh = grid_mesh(1, 1, 4, 2, SN_GRID_SAME);
    sn_real *weak = filled(mesh.vertex_count, 1), got[15] = {0};
    for (size_t i = 0; i < mesh.vertex_count; i++) weak[i] = (sn_real)(i + 1) / 16;
    m.tear_strain = (sn_real)0.5;
    m.strength = (sn_real)0.25;
    sn_build_def def = sn_build_def_default();
    sn_material_map map = {"strength", weak, mesh.vertex_count};
    sn_sheet_def sheet = sn_sheet_def_default();
    size_t count = 0;
    def.maps = &map;
    def.map_count = 1;
    body b = body_make(still_world(1, 0), SN_KIND_CLOTH, &m, mesh, &def);
    REQUIRE_OK(sn_sheet_get(b.world, b.build.sheet, &sheet));
    CHECK(sheet.tear_strain == (sn_real)0.5 && sheet.tear_force == SN_AUTO);
    REQUIRE_OK(sn_sheet_get_strength(b.world, b.build.sheet, got, 15, &count));
    CHECK(count == 15 && memcmp(got, weak, sizeof got) == 0);
    body_free(&b);
    free(weak);
    /* Without a map it is in the limits. */
    def.map_count = 0;
    b = body_make(still_world(1, 0), SN_KIND_CLOTH, &m, grid_mesh(1, 1, 4, 2, SN_GRID_SAME), &def);
    REQUIRE_OK(sn_sheet_get(b.world, b.build.sheet, &sheet));
    CHECK(sheet.tear_strain == (sn_real)0.125 && sheet.tear_force == SN_AUTO);
    REQUIRE_OK(sn_sheet_get_strength(b.world, b.build.sheet, got, 15, &count));
    for (size_t i = 0; i < count; i++) CHECK(got[i] == 1);
    body_free(&b);
}

TEST(automatic_at_one_vertex_is_automatic) {
    sn_mesh mesh = line_mesh(1, 4);
    sn_rope_material m = sn_rope_material_default();
    sn_real *young = filled(mesh.vertex_count, 1e6);
    sn_build_def def = sn_build_def_default();
    sn_material_map map = {"young", young, mesh.vertex_count};
    young[2] = SN_AUTO;
    def.maps = &map;
    def.map_count = 1;
    body b = body_make(still_world(1, 0), SN_KIND_ROPE, &m, mesh, &def);
    for (size_t slot = 0; slot < 4; slot++) {
        sn_constraint c;
        sn_real value[3];
        REQUIRE_OK(sn_world_constraint_at(b.world, slot, &c));
        REQUIRE_OK(sn_constraint_get_field(b.world, c, "compliance", value));
        CHECK((value[0] == 0) == (slot == 1 || slot == 2));
    }
    body_free(&b);
    free(young);
}

/* ---- What is refused ---- */

static void refuse(sn_kind kind, const sn_material_map *maps, size_t count, sn_result result,
                   const char *sentence) {
    max_align_t material[32];
    sn_mesh mesh = mesh_for(kind);
    sn_build_def def = sn_build_def_default();
    sn_world *world = still_world(1, 0);
    sn_build build = {.constraints = 77};
    uint64_t hash = sn_world_hash(world);
    REQUIRE_OK(sn_kind_default(kind, material));
    def.mesh = &mesh;
    def.maps = maps;
    def.map_count = count;
    check_case("%s", sentence);
    CHECK_FAILS(sn_build_body(world, kind, material, &def, NULL, &build), result);
    if (!CHECK(strcmp(sn_last_error(), sentence) == 0))
        printf("      said \"%s\"\n", sn_last_error());
    CHECK(sn_world_hash(world) == hash && build.constraints == 77);
    sn_world_destroy(world);
    sn_mesh_free(&mesh);
}

TEST(maps_that_cannot_be_meant_are_refused) {
    sn_mesh mesh = mesh_for(SN_KIND_CLOTH);
    size_t count = mesh.vertex_count;
    sn_real *good = filled(count, 1), *bad = filled(count, 1), *zero = filled(count, 1);
    bad[5] = (sn_real)NAN;
    zero[7] = 0;
    sn_mesh_free(&mesh);
    const sn_kind cloth = SN_KIND_CLOTH;
    refuse(cloth, NULL, 1, SN_ERROR_NULL, "build: maps is null");
    refuse(cloth, &(sn_material_map){NULL, good, count}, 1, SN_ERROR_NULL,
           "build: the field of map 0 is null");
    refuse(cloth, &(sn_material_map){"strech_stiffness", good, count}, 1, SN_ERROR_NAME,
           "cloth: no field is called \"strech_stiffness\", as a map is; did you mean "
           "\"stretch_stiffness\"?");
    refuse(cloth, &(sn_material_map){"colour", good, count}, 1, SN_ERROR_NAME,
           "cloth: no field is called \"colour\", as a map is");
    refuse(cloth, &(sn_material_map){"pressure", good, count}, 1, SN_ERROR_VALUE,
           "cloth: pressure belongs to the body as a whole, expected no map of it");
    refuse(cloth, &(sn_material_map){"model", good, count}, 1, SN_ERROR_VALUE,
           "cloth: model belongs to the body as a whole, expected no map of it");
    refuse(cloth, &(sn_material_map){"warp", good, count}, 1, SN_ERROR_VALUE,
           "cloth: warp belongs to the body as a whole, expected no map of it");
    refuse(cloth, &(sn_material_map){"tear_force", good, count}, 1, SN_ERROR_VALUE,
           "cloth: tear_force belongs to the body as a whole, expected no map of it");
    refuse(cloth, &(sn_material_map){"tethers", good, count}, 1, SN_ERROR_VALUE,
           "cloth: tethers belongs to the body as a whole, expected no map of it");
    sn_material_map lift[] = {{"drag", zero, count}, {"lift", good, count}};
    refuse(cloth, lift, 2, SN_ERROR_VALUE,
           "cloth: lift at vertex 7 is 1, expected at most the drag there, which is 0");
    zero[7] = (sn_real)0.5;
    refuse(cloth, &(sn_material_map){"compression", zero, count}, 1, SN_ERROR_VALUE,
           "cloth: compression at vertex 7 is 0.5, expected 0 or 1 where stretch_stiffness is "
           "automatic");
    zero[7] = 0;
    refuse(SN_KIND_ROPE, &(sn_material_map){"slack", good, 9}, 1, SN_ERROR_VALUE,
           "rope: slack belongs to the body as a whole, expected no map of it");
    refuse(cloth, &(sn_material_map){"thickness", good, count - 1}, 1, SN_ERROR_VALUE,
           "cloth: the map of thickness has 62 values, but the mesh has 63 vertices");
    refuse(cloth, &(sn_material_map){"thickness", NULL, count}, 1, SN_ERROR_NULL,
           "cloth: the values of the map of thickness are null");
    refuse(cloth, &(sn_material_map){"thickness", bad, count}, 1, SN_ERROR_VALUE,
           "cloth: thickness at vertex 5 is nan, expected a finite number");
    refuse(cloth, &(sn_material_map){"area_density", zero, count}, 1, SN_ERROR_VALUE,
           "cloth: area_density at vertex 7 is 0, expected above 0 kg/m^2");
    sn_material_map twice[] = {{"thickness", good, count}, {"thickness", good, count}};
    refuse(cloth, twice, 2, SN_ERROR_VALUE, "cloth: thickness has two maps, expected one");
    free(good);
    free(bad);
    free(zero);
}

TESTS(RUN(a_map_of_one_value_is_that_value), RUN(elements_have_the_mean_of_their_vertices),
      RUN(strength_goes_to_the_sheet), RUN(automatic_at_one_vertex_is_automatic),
      RUN(maps_that_cannot_be_meant_are_refused))
