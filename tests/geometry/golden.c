/*
 * The same meshes everywhere: fingerprints of everything that is generated, mended and filled, in
 * float and in double. After a change that is meant to change them, `--print` prints them anew.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "mesh_oracle.h"

#ifdef SN_DOUBLE
#define GOLDEN(in_float, in_double) in_double
#else
#define GOLDEN(in_float, in_double) in_float
#endif

static uint64_t hash_of(sn_result result, sn_mesh *mesh) {
    REQUIRE_OK(result);
    uint64_t hash = look_hash(mesh);
    sn_mesh_free(mesh);
    return hash;
}

static uint64_t grid(sn_mesh *mesh) {
    sn_grid_def def = sn_grid_def_default();
    def.width = (sn_real)1.7;
    def.depth = (sn_real)0.9;
    def.columns = 13;
    def.pattern = SN_GRID_EQUILATERAL;
    return hash_of(sn_generate_grid(mesh, &def), mesh);
}
static uint64_t disc(sn_mesh *mesh) {
    sn_disc_def def = sn_disc_def_default();
    def.segments = 47;
    return hash_of(sn_generate_disc(mesh, &def), mesh);
}
static uint64_t isotropic_disc(sn_mesh *mesh) {
    sn_disc_def def = sn_disc_def_default();
    def.edge_length = (sn_real)0.031;
    return hash_of(sn_generate_disc(mesh, &def), mesh);
}
static uint64_t sheet(sn_mesh *mesh) {
    sn_sheet_mesh_def def = sn_sheet_mesh_def_default();
    def.width = (sn_real)1.7;
    def.edge_length = (sn_real)0.023;
    return hash_of(sn_generate_sheet(mesh, &def), mesh);
}
static uint64_t panel(sn_mesh *mesh) {
    static const sn_real frame[5][2] = {{0, 0}, {3, 0}, {3, 2}, {2, 3}, {0, 3}};
    static const sn_real window[4][2] = {{1, 1}, {2, 1}, {2, 2}, {1, 2}};
    const sn_outline outlines[2] = {{frame, 5, false}, {window, 4, true}};
    sn_panel_def def = sn_panel_def_default();
    def.outlines = outlines;
    def.outline_count = 2;
    def.grain = (sn_real)0.7;
    return hash_of(sn_generate_panel(mesh, &def), mesh);
}
static uint64_t box(sn_mesh *mesh) {
    sn_box_def def = sn_box_def_default();
    def.extent.x = (sn_real)0.3;
    return hash_of(sn_generate_box(mesh, &def), mesh);
}
static uint64_t sphere(sn_mesh *mesh) {
    sn_sphere_def def = sn_sphere_def_default();
    def.edge_length = (sn_real)0.07;
    return hash_of(sn_generate_sphere(mesh, &def), mesh);
}
static uint64_t cylinder(sn_mesh *mesh) {
    sn_cylinder_def def = sn_cylinder_def_default();
    def.segments = 31;
    return hash_of(sn_generate_cylinder(mesh, &def), mesh);
}
static uint64_t torus(sn_mesh *mesh) {
    sn_torus_def def = sn_torus_def_default();
    def.segments = 29;
    def.sides = 11;
    return hash_of(sn_generate_torus(mesh, &def), mesh);
}
static uint64_t rope(sn_mesh *mesh) {
    sn_vec3 end = {(sn_real)0.1, (sn_real)0.7, (sn_real)-0.3};
    return hash_of(sn_generate_rope(mesh, (sn_vec3){1, 2, 3}, end, 77), mesh);
}
static uint64_t block(sn_mesh *mesh) {
    sn_block_def def = sn_block_def_default();
    def.extent.z = (sn_real)0.7;
    return hash_of(sn_generate_block(mesh, &def), mesh);
}

/* A torus without symmetry, welded where it is thin, and cleaned. */
static void make_bumpy(sn_mesh *mesh) {
    sn_torus_def def = sn_torus_def_default();
    REQUIRE_OK(sn_generate_torus(mesh, &def));
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        mesh->positions[i].x += (sn_real)((int)(i * 7919 % 101) - 50) / 4096;
        mesh->positions[i].y += (sn_real)((int)(i * 104729 % 103) - 51) / 4096;
    }
}
static uint64_t mended(sn_mesh *mesh) {
    make_bumpy(mesh);
    for (size_t t = 0; t < mesh->triangle_count; t += 7) {
        uint32_t moved = mesh->triangles[t][0];
        mesh->triangles[t][0] = mesh->triangles[t][2];
        mesh->triangles[t][2] = moved;
    }
    REQUIRE_OK(sn_mesh_weld(mesh, (sn_real)0.04, NULL));
    return hash_of(sn_mesh_clean(mesh, NULL), mesh);
}
static uint64_t filled(sn_mesh *mesh, sn_fill_kind kind) {
    sn_fill_def def = sn_fill_def_default();
    def.kind = kind;
    sn_mesh tets = sn_mesh_default();
    make_bumpy(mesh);
    REQUIRE_OK(sn_mesh_fill(mesh, &def, &tets));
    sn_mesh_free(mesh);
    return hash_of(SN_OK, &tets);
}
static uint64_t lattice(sn_mesh *mesh) {
    return filled(mesh, SN_FILL_LATTICE);
}
static uint64_t conforming(sn_mesh *mesh) {
    return filled(mesh, SN_FILL_CONFORMING);
}
static uint64_t fitted(sn_mesh *mesh) {
    return filled(mesh, SN_FILL_FITTED);
}

/* Distances and normals, hashed as if they were vertices. */
static uint64_t distances(sn_mesh *mesh) {
    sn_sdf *field;
    sn_sdf_def def = sn_sdf_def_default();
    make_bumpy(mesh);
    REQUIRE_OK(sn_sdf_create(mesh, &def, &field));
    sn_sdf_view view;
    REQUIRE_OK(sn_sdf_get(field, &view));
    sn_mesh points = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_vertices(&points, NULL, (size_t)view.points[0] * view.points[1]));
    for (size_t i = 0; i < points.vertex_count; i++)
        points.positions[i].x = view.values[i + 7 * points.vertex_count];
    sn_sdf_free(field);
    sn_mesh_free(mesh);
    return hash_of(SN_OK, &points);
}
static uint64_t normals(sn_mesh *mesh) {
    sn_mesh points = sn_mesh_default();
    make_bumpy(mesh);
    REQUIRE_OK(sn_mesh_add_vertices(&points, NULL, mesh->vertex_count));
    REQUIRE_OK(sn_mesh_normals(mesh, points.positions));
    sn_mesh_free(mesh);
    return hash_of(SN_OK, &points);
}

/* Name, and the fingerprints in float and in double. */
#define MESHES(MESH)                                                                               \
    MESH(grid, 0x612a58821bc4a30du, 0x6a25a6f9d9c56085u)                                           \
    MESH(disc, 0x6b0c6779fe5ec63eu, 0xdd6e02d648f4753du)                                           \
    MESH(isotropic_disc, 0x862f56f1daf4b129u, 0xe92d4c7a2c8fadaau)                                 \
    MESH(sheet, 0x8fa4d515c5dbcca5u, 0xd0e571f49cf66ca9u)                                          \
    MESH(panel, 0xa7f19072f0f73ef0u, 0x305f20115750717au)                                          \
    MESH(box, 0x9269bfa443abd474u, 0xb57cce7052996b44u)                                            \
    MESH(sphere, 0xd52cadf332d2a3eau, 0xb64851bf18cb2f4eu)                                         \
    MESH(cylinder, 0xce5cc9ce9c42517au, 0xa93f83d04d8012f2u)                                       \
    MESH(torus, 0xa55d4026b54cb568u, 0x076976c6e3f0b7e9u)                                          \
    MESH(rope, 0x98ffb1b761f7677cu, 0xabe91ec38ee7fe2fu)                                           \
    MESH(block, 0x6facc83b05f64790u, 0x83e9bb99ef10c5c3u)                                          \
    MESH(mended, 0x1e29d87b001c5966u, 0x4364849fbe11b1dfu)                                         \
    MESH(lattice, 0xd434830fa8f9d29fu, 0x15bf438e49048ceau)                                        \
    MESH(conforming, 0x82ed52bc96dcd277u, 0x137e357557fbd090u)                                     \
    MESH(fitted, 0xfda29b7754377cf8u, 0xefd6a687babb9381u)                                         \
    MESH(distances, 0x09ad24662945df79u, 0x0869b06384c61919u)                                      \
    MESH(normals, 0x6c787062ee740778u, 0x18f6f6afe180d42au)

TEST(every_mesh_has_its_fingerprint) {
#define MESH_CHECK(name, in_float, in_double)                                                      \
    {                                                                                              \
        sn_mesh mesh = sn_mesh_default();                                                          \
        check_case("%s", #name);                                                                   \
        CHECK(name(&mesh) == GOLDEN(in_float, in_double));                                         \
    }
    MESHES(MESH_CHECK)
}

static const check_test tests[] = {RUN(every_mesh_has_its_fingerprint)};

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--print")) {
#define MESH_PRINT(name, in_float, in_double)                                                      \
    {                                                                                              \
        sn_mesh mesh = sn_mesh_default();                                                          \
        printf("%s 0x%016" PRIx64 "\n", #name, name(&mesh));                                       \
    }
        MESHES(MESH_PRINT)
        return 0;
    }
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
