#include "cuda_scenes.h"

#include <scenes.h>

#include "check.h"
#include "golden/rods.h"

/* ---- Cloth ---- */

enum { COLUMNS = 33, ROWS = 27 };

static void add_cloth(sn_world *world, cuda_softness softness, scene_mesh *mesh) {
    scene_cloth_def def = scene_cloth_def_default();
    def.columns = COLUMNS;
    def.rows = ROWS;
    def.spacing = (sn_real)0.0625;
    def.node_mass = (sn_real)0.03125;
    def.compliance = softness >= CUDA_COMPLIANT ? (sn_real)1e-5 : 0;
    def.damping = softness == CUDA_DAMPED ? (sn_real)0.5 : 0;
    REQUIRE_OK(scene_cloth(world, &def, mesh));
}

static void build_cloth(sn_world *world, cuda_softness softness) {
    add_cloth(world, softness, NULL);
}

/* Bending across all edges along the rows. */
static void build_bending(sn_world *world, cuda_softness softness) {
    static sn_isometric_bending_def defs[COLUMNS * ROWS];
    scene_mesh mesh = {0};
    size_t count = 0;
    add_cloth(world, CUDA_HARD, &mesh);
    for (int r = 1; r + 1 < ROWS; r++) {
        for (int c = 0; c + 1 < COLUMNS; c++) {
            const sn_node *node = &mesh.nodes[r * COLUMNS + c];
            sn_isometric_bending_def *def = &defs[count++];
            *def = sn_isometric_bending_def_default();
            def->node[0] = node[0];
            def->node[1] = node[1];
            def->node[2] = node[-COLUMNS];
            def->node[3] = node[COLUMNS];
            def->compliance = softness >= CUDA_COMPLIANT ? 64 : 0;
            def->damping = softness == CUDA_DAMPED ? (sn_real)0.0078125 : 0;
        }
    }
    REQUIRE_OK(sn_constraints_create(world, SN_TYPE_ISOMETRIC_BENDING, defs, count, NULL));
    scene_mesh_free(&mesh);
}

/* ---- Solid ---- */

/* Every third tetrahedron once more, with damping. */
static void damp_tets(sn_world *world, const scene_mesh *mesh) {
    for (size_t i = 0; i < mesh->tet_count; i += 3) {
        sn_constraint ignored;
        sn_neo_hookean_tet_def def = sn_neo_hookean_tet_def_default();
        for (int n = 0; n < 4; n++) def.node[n] = mesh->nodes[mesh->tets[i][n]];
        def.young = 4096;
        def.poisson = (sn_real)0.25;
        def.damping_time = (sn_real)0.03125;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_NEO_HOOKEAN_TET, &def, &ignored));
    }
}

/* Soft, and its free half is thrown at the other, so that some tetrahedra are crushed. */
static void build_beam(sn_world *world, cuda_softness softness) {
    scene_beam_def def = scene_beam_def_default();
    scene_mesh mesh = {0};
    def.cubes[0] = 12;
    def.cubes[1] = def.cubes[2] = 4;
    def.spacing = (sn_real)0.125;
    def.node_mass = (sn_real)0.25;
    def.young = 16384;
    def.poisson = (sn_real)0.25;
    REQUIRE_OK(scene_beam(world, &def, &mesh));
    if (softness == CUDA_DAMPED) damp_tets(world, &mesh);
    for (size_t i = 0; i < mesh.node_count; i++) {
        sn_node_def node;
        REQUIRE_OK(sn_node_get(world, mesh.nodes[i], &node));
        if (node.position.x > (sn_real)0.75)
            REQUIRE_OK(sn_node_apply_impulse(world, mesh.nodes[i], (sn_vec3){-4, 0, 0}));
    }
    scene_mesh_free(&mesh);
}

/* ---- Rods ---- */

/* Curved and twisted at rest; the second one is damped. */
static void build_rods(sn_world *world, cuda_softness softness) {
    static golden_rods rods;
    golden_rods_add(world, softness == CUDA_DAMPED ? 2 : 1, 32, &rods);
}

/* ---- What device and threads do together ---- */

/* A cloth that falls on a floor, with soft strings from every fifth node to where it was. */
static void build_shared(sn_world *world, cuda_softness softness) {
    scene_mesh mesh = {0};
    add_cloth(world, softness, &mesh);
    for (size_t i = COLUMNS; i < mesh.node_count; i += 5) {
        sn_constraint ignored;
        sn_attachment_def def = sn_attachment_def_default();
        def.node[0] = mesh.nodes[i];
        def.compliance = 2;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ATTACHMENT, &def, &ignored));
    }
    sn_collider_def floor = sn_collider_def_default();
    sn_collider collider;
    floor.position.y = (sn_real)-0.0625;
    REQUIRE_OK(sn_collider_create(world, &floor, &collider));
    scene_mesh_free(&mesh);
}

/* A cloth, and a node that leaves the range of float: it is contained on the host, and the device
   goes on with the rest. */
static void build_overflow(sn_world *world, cuda_softness softness) {
    sn_node node;
    sn_node_def def = sn_node_def_default();
    add_cloth(world, softness, NULL);
    def.position.x = (sn_real)3.4e38;
    def.velocity.x = (sn_real)3e38;
    REQUIRE_OK(sn_node_create(world, &def, &node));
}

const cuda_scene cuda_scenes[CUDA_SCENES] = {
    {.name = "distance", .build = build_cloth, .resident = true},
    {.name = "isometric_bending", .build = build_bending, .resident = true},
    {.name = "neo_hookean_tet", .build = build_beam, .resident = true},
    {.name = "bend_twist", .build = build_rods},
    {.name = "distance, shared", .build = build_shared, .shared = true},
    {.name = "distance, overflow", .build = build_overflow, .resident = true, .spoiled = true},
};
