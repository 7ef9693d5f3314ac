/*
 * Golden hashes: the same bits for every number of threads, every SIMD width, every compiler, level
 * of optimisation and machine. Each scene is played with up to 16 threads and in all widths, and
 * all of these must end in the constant of golden_hashes.h.
 *
 * After a change that is meant to change the arithmetic, `golden --print` and `golden_f64 --print`
 * print the two halves of that header anew.
 *
 * The scenes are large enough for threads to share the work: more than 4096 nodes, 1024 frames,
 * colours of more than 512 constraints and, where links can break, of more than 4096. They use
 * sums, products, quotients and numbers that float holds exactly, but no library function, so that
 * they start from the same bits everywhere.
 */
#include "golden_hashes.h"

#include <inttypes.h>
#include <scenes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "machines.h"
#include "media.h"
#include "probes.h"
#include "rods.h"
#include "sums.h"
#include "surfaces.h"
#include "widths.h"

static const sn_real dt = (sn_real)(1.0 / 60);

static void play_steps(sn_world *world, int count) {
    for (int i = 0; i < count; i++) REQUIRE_OK(sn_world_step(world, dt));
}

/* ---- Cloth ---- */

/* Hangs by two corners, is kicked sideways and swings; compliant damped edges, bending. */
static void swing_cloth(sn_world *world, int columns, int rows) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 4;
    settings.damping = (sn_real)0.25;
    REQUIRE_OK(sn_world_set_settings(world, &settings));

    scene_cloth_def def = scene_cloth_def_default();
    def.columns = columns;
    def.rows = rows;
    def.spacing = (sn_real)0.0625;
    def.node_mass = (sn_real)0.03125;
    def.compliance = (sn_real)1e-5;
    def.damping = (sn_real)0.5;
    def.bending = true;
    def.bending_compliance = 64;
    scene_mesh mesh = {0};
    REQUIRE_OK(scene_cloth(world, &def, &mesh));
    play_steps(world, 2);
    for (size_t i = mesh.node_count / 2; i < mesh.node_count; i++)
        CHECK_OK(sn_node_apply_impulse(world, mesh.nodes[i], (sn_vec3){(sn_real)0.0625, 0, 0}));
    play_steps(world, 2);
    scene_mesh_free(&mesh);
}

static void play_cloth(sn_world *world) {
    swing_cloth(world, 68, 62);
}

/* A smaller one in the order in which its constraints were made, which is for one thread anyway. */
static void play_reference(sn_world *world) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.solver = SN_SOLVER_REFERENCE;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    swing_cloth(world, 32, 24);
}

static void use_bdf2(sn_world *world) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.integrator = SN_INTEGRATOR_BDF2;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
}

static void play_bdf2_cloth(sn_world *world) {
    use_bdf2(world);
    swing_cloth(world, 68, 62);
}

/* ---- Solid ---- */

/* A block of edges and volumes that bends under its weight, with damped springs along every third
   edge, two iterations. */
static void play_solid(sn_world *world) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 3;
    settings.iterations = 2;
    REQUIRE_OK(sn_world_set_settings(world, &settings));

    scene_beam_def def = scene_beam_def_default();
    def.cubes[0] = 20;
    def.cubes[1] = def.cubes[2] = 13;
    def.spacing = (sn_real)0.125;
    def.node_mass = (sn_real)0.25;
    def.compliance = (sn_real)1e-4;
    def.volume_compliance = (sn_real)1e-8;
    scene_mesh mesh = {0};
    REQUIRE_OK(scene_beam(world, &def, &mesh));
    static sn_distance_def springs[8192];
    size_t count = 0;
    for (size_t i = 0; i < mesh.edge_count && count < 8192; i += 3) {
        sn_distance_def *spring = &springs[count++];
        *spring = sn_distance_def_default();
        spring->node[0] = mesh.nodes[mesh.edges[i][0]];
        spring->node[1] = mesh.nodes[mesh.edges[i][1]];
        spring->compliance = (sn_real)1e-3;
        spring->damping = 2;
    }
    REQUIRE_OK(sn_constraints_create(world, SN_TYPE_DISTANCE, springs, count, NULL));
    play_steps(world, 1);
    scene_mesh_free(&mesh);
}

/* ---- Rope ---- */

enum { ROPES = 72, ROPE = 120 };

/* Pulls all nodes to the plane z = 0. */
static void to_the_plane(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)user;
    for (size_t i = 0; i < input->count; i++) acceleration[i].z -= 4 * input->position[i].z;
}

/* A rope along x at z = `place`, a body of its own, that hangs on a hook by its first node. Every
   40th link is weak, every second one compliant, every fourth one damped. */
static void add_rope(sn_world *world, sn_real place, sn_node nodes[ROPE], sn_node *hook) {
    sn_body_def body = sn_body_def_default();
    body.damping = (sn_real)0.5;
    body.rigid_damping = 2;
    sn_node_def defs[ROPE];
    for (int i = 0; i < ROPE; i++) {
        defs[i] = sn_node_def_default();
        defs[i].position = (sn_vec3){(sn_real)i / 32, 0, place + (sn_real)(i % 5) / 64};
        defs[i].inverse_mass = (sn_real)(4 + i % 3);
        if (i == 0) REQUIRE_OK(sn_body_create(world, &body, &defs[i].body));
        defs[i].body = defs[0].body;
    }
    REQUIRE_OK(sn_nodes_create(world, defs, ROPE, nodes));
    sn_node_def def = sn_node_def_default();
    def.inverse_mass = 0;
    def.position = (sn_vec3){0, (sn_real)0.25, place};
    REQUIRE_OK(sn_node_create(world, &def, hook));

    sn_constraint constraint;
    for (int i = 0; i + 1 < ROPE; i++) {
        sn_distance_def link = sn_distance_def_default();
        link.node[0] = nodes[i];
        link.node[1] = nodes[i + 1];
        link.compliance = i % 2 ? (sn_real)1e-5 : 0;
        link.damping = i % 4 == 1 ? 1 : 0;
        link.break_force = i % 40 == 3 ? 4 : SN_AUTO;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &constraint));
    }
    sn_attachment_def attachment = sn_attachment_def_default();
    attachment.node[0] = nodes[0];
    attachment.node[1] = *hook;
    attachment.compliance = (sn_real)1e-4;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ATTACHMENT, &attachment, &constraint));
}

/*
 * Ropes on hooks that move from target to target. The first one has a tether from its upper end to
 * every node, more than there are colours. Weak links break, nodes are removed and others added
 * while they swing.
 */
static void play_rope(sn_world *world) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 3;
    settings.iterations = 2;
    settings.speed_limit = 32;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    REQUIRE_OK(sn_world_add_force_field(world, to_the_plane, NULL));

    sn_node nodes[ROPES][ROPE], hooks[ROPES];
    for (int i = 0; i < ROPES; i++) add_rope(world, (sn_real)i / 16, nodes[i], &hooks[i]);
    sn_constraint constraint;
    for (int i = 2; i < ROPE; i++) {
        sn_distance_def tether = sn_distance_def_default();
        tether.node[0] = nodes[0][0];
        tether.node[1] = nodes[0][i];
        tether.side = SN_SIDE_AT_MOST;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &tether, &constraint));
    }

    size_t broken = 0;
    for (int step = 0; step < 8; step++) {
        for (int i = 0; i < ROPES; i++) {
            sn_real way = (sn_real)((step + i) % 8) / 32;
            sn_vec3 target = {way, (sn_real)0.25, (sn_real)i / 16 - way};
            CHECK_OK(sn_node_set_target(world, hooks[i], target));
            CHECK_OK(sn_node_add_force(world, nodes[i][20], (sn_vec3){0, 0, 2}));
        }
        if (step == 2) {
            CHECK_OK(sn_nodes_destroy(world, &nodes[5][100], 3));
            CHECK_OK(sn_node_destroy(world, nodes[0][50]));
        }
        if (step == 5) {
            for (int i = 0; i < 8; i++) {
                sn_node added;
                sn_node_def def = sn_node_def_default();
                def.position = (sn_vec3){1, (sn_real)-i / 16, 1};
                REQUIRE_OK(sn_node_create(world, &def, &added));
                sn_distance_def link = sn_distance_def_default();
                link.node[0] = nodes[7][10 + i];
                link.node[1] = added;
                REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &constraint));
            }
        }
        REQUIRE_OK(sn_world_step(world, dt));
        sn_stats stats;
        CHECK_OK(sn_world_stats(world, &stats));
        broken += stats.broken;
        CHECK(stats.sequential > 0);
    }
    CHECK(broken > 0);
}

/* Ropes are bodies, so that some start anew and others do not. */
static void play_bdf2_rope(sn_world *world) {
    use_bdf2(world);
    play_rope(world);
}

/* ---- The 2007 model ---- */

/* A cloth with soft long springs between every second node, four iterations. */
static void play_pbd(sn_world *world) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 2;
    settings.iterations = 4;
    settings.model = SN_MODEL_PBD;
    REQUIRE_OK(sn_world_set_settings(world, &settings));

    enum { SIDE = 66 };
    scene_cloth_def def = scene_cloth_def_default();
    def.columns = def.rows = SIDE;
    def.spacing = (sn_real)0.0625;
    scene_mesh mesh = {0};
    REQUIRE_OK(scene_cloth(world, &def, &mesh));
    static sn_distance_def springs[SIDE * SIDE];
    size_t count = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (i % SIDE + 2 >= SIDE) continue;
        sn_distance_def *spring = &springs[count++];
        *spring = sn_distance_def_default();
        spring->node[0] = mesh.nodes[i];
        spring->node[1] = mesh.nodes[i + 2];
        spring->stiffness = (sn_real)0.3;
    }
    REQUIRE_OK(sn_constraints_create(world, SN_TYPE_DISTANCE, springs, count, NULL));
    play_steps(world, 2);
    scene_mesh_free(&mesh);
}

/* ---- Rods ---- */

/* Rods that hang, are twisted, plucked and led. A joint breaks, and a rod loses nodes in
   between. */
static void play_rods(sn_world *world) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 4;
    REQUIRE_OK(sn_world_set_settings(world, &settings));

    golden_rods rods;
    golden_rods_add(world, 60, 70, &rods);
    size_t broken = 0;
    for (int step = 0; step < 3; step++) {
        golden_rods_lead(world, &rods, step);
        if (step == 2) CHECK_OK(sn_nodes_destroy(world, &rods.node[5][60], 3));
        play_steps(world, 1);
        sn_stats stats;
        CHECK_OK(sn_world_stats(world, &stats));
        broken += stats.broken;
    }
    CHECK(broken > 0);
}

/* ---- The solvers that project together ---- */

/* A cloth with rods beside it, two iterations. */
static void play_together(sn_world *world, sn_solver solver) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 2;
    settings.iterations = 2;
    settings.solver = solver;
    settings.relaxation = (sn_real)1.25;
    settings.hybrid_colours = 3;
    settings.alternate = true;
    REQUIRE_OK(sn_world_set_settings(world, &settings));

    scene_cloth_def def = scene_cloth_def_default();
    def.columns = 68;
    def.rows = 62;
    def.spacing = (sn_real)0.0625;
    def.node_mass = (sn_real)0.03125;
    def.compliance = (sn_real)1e-5;
    def.bending = true;
    def.bending_compliance = 64;
    REQUIRE_OK(scene_cloth(world, &def, NULL));
    golden_rods rods;
    golden_rods_add(world, 32, 40, &rods);
    for (int step = 0; step < 2; step++) {
        golden_rods_lead(world, &rods, step);
        play_steps(world, 1);
    }
}

static void play_jacobi(sn_world *world) {
    play_together(world, SN_SOLVER_JACOBI);
}

static void play_averaged(sn_world *world) {
    play_together(world, SN_SOLVER_AVERAGED);
}

static void play_hybrid(sn_world *world) {
    play_together(world, SN_SOLVER_HYBRID);
}

/* ---- Collision surfaces ---- */

/* Two iterations of three substeps, so that multipliers are kept and something breaks in
   mid-step. */
static void set_surface(sn_world *world, sn_solver solver) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 3;
    settings.iterations = 2;
    settings.solver = solver;
    settings.hybrid_colours = 2;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
}

static void play_surface(sn_world *world, int surface) {
    set_surface(world, SN_SOLVER_COLOURED);
    golden_cloth_add(world, 68, 62, surface);
    play_steps(world, 2);
}

static void play_hinges(sn_world *world) {
    play_surface(world, SKIN_HINGES);
}

static void play_areas(sn_world *world) {
    play_surface(world, SKIN_AREAS);
}

static void play_bends(sn_world *world) {
    play_surface(world, SKIN_BENDS);
}

/* Some of them break. */
static void play_balloons(sn_world *world) {
    set_surface(world, SN_SOLVER_COLOURED);
    golden_balloons_add(world, 160, 2);
    golden_balloons_add(world, 1, 12);
    size_t before = sn_world_constraint_count(world, SN_TYPE_SURFACE_VOLUME);
    play_steps(world, 2);
    CHECK(sn_world_constraint_count(world, SN_TYPE_SURFACE_VOLUME) < before);
}

static void play_user(sn_world *world) {
    set_surface(world, SN_SOLVER_COLOURED);
    golden_user_add(world, 32, 72);
    size_t before = sn_world_constraint_count(world, SN_TYPE_COUNT);
    play_steps(world, 2);
    CHECK(sn_world_constraint_count(world, SN_TYPE_COUNT) < before);
}

/* Something of everything with the other solvers. */
static void play_all_surfaces(sn_world *world, sn_solver solver) {
    set_surface(world, solver);
    golden_cloth_add(world, 34, 32, SKIN_HINGES | SKIN_AREAS | SKIN_BENDS);
    golden_balloons_add(world, 24, 2);
    golden_user_add(world, 8, 40);
    play_steps(world, 2);
}

static void play_surfaces_reference(sn_world *world) {
    play_all_surfaces(world, SN_SOLVER_REFERENCE);
}

static void play_surfaces_jacobi(sn_world *world) {
    play_all_surfaces(world, SN_SOLVER_JACOBI);
}

static void play_surfaces_averaged(sn_world *world) {
    play_all_surfaces(world, SN_SOLVER_AVERAGED);
}

static void play_surfaces_hybrid(sn_world *world) {
    play_all_surfaces(world, SN_SOLVER_HYBRID);
}

/* ---- Queries ---- */

/* What they answer is where the sheet goes. */
static void play_probes(sn_world *world) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 3;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    CHECK(golden_probes_play(world, 5, dt) > 4000);
}

/* ---- Sums over regions, and volumes of surfaces ---- */

static void play_sums(sn_world *world) {
    set_surface(world, SN_SOLVER_COLOURED);
    golden_sums_add(world);
    play_steps(world, 2);
}

/* ---- Fluids ---- */

/* Two fluids, one upon the other, fall on a floor and a ball. */
static void play_fluid(sn_world *world) {
    enum { SIDE = 10, LAYER = SIDE * SIDE * SIDE / 2 };
    sn_node node[LAYER];
    sn_collider collider;
    sn_collider_def floor = sn_collider_def_default(), ball = floor;
    floor.shape = SN_SHAPE_PLANE;
    ball.shape = SN_SHAPE_SPHERE;
    ball.radius = (sn_real)0.08;
    REQUIRE_OK(sn_collider_create(world, &floor, &collider));
    REQUIRE_OK(sn_collider_create(world, &ball, &collider));
    for (int layer = 0; layer < 2; layer++) {
        sn_fluid_def def = sn_fluid_def_default();
        sn_fluid fluid;
        for (int i = 0; i < LAYER; i++) {
            sn_node_def one = sn_node_def_default();
            one.position = (sn_vec3){(sn_real)(i % SIDE) / 40, (sn_real)(i / SIDE % SIDE) / 40,
                                     (sn_real)(i / (SIDE * SIDE) + 5 * layer) / 40};
            one.velocity = (sn_vec3){0, -2, layer ? -1 : 1};
            one.inverse_mass = layer ? 64 : 128;
            one.radius = (sn_real)0.0125;
            REQUIRE_OK(sn_node_create(world, &one, &node[i]));
        }
        def.nodes = node;
        def.node_count = LAYER;
        def.rest_density = layer ? 1000 : 500;
        def.viscosity = (sn_real)0.001;
        def.artificial_pressure = layer ? 0 : (sn_real)0.01;
        REQUIRE_OK(sn_fluid_create(world, &def, &fluid));
    }
    play_steps(world, 4);
}

/* ---- Machines ---- */

static void use_substeps(sn_world *world, int substeps) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = substeps;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
}

/* Every type of joint and drive; some break. */
static void play_joints(sn_world *world) {
    use_substeps(world, 4);
    golden_joints_add(world, 96);
    size_t broken = 0;
    for (int step = 0; step < 3; step++) {
        sn_stats stats;
        play_steps(world, 1);
        CHECK_OK(sn_world_stats(world, &stats));
        broken += stats.broken;
    }
    CHECK(broken > 0);
}

/* Shapes of every kind that fall on a floor and on each other. */
static void play_rigid(sn_world *world) {
    sn_collider_def floor = sn_collider_def_default();
    sn_collider made;
    use_substeps(world, 4);
    REQUIRE_OK(sn_collider_create(world, &floor, &made));
    golden_rigid_add(world, 8, 5, (sn_real)0.125);
    play_steps(world, 8);
}

/* Rigid bodies on a cloth, with joints beside them. */
static void play_mixed(sn_world *world) {
    use_substeps(world, 4);
    scene_cloth_def def = scene_cloth_def_default();
    def.columns = 48;
    def.rows = 48;
    def.spacing = (sn_real)0.0625;
    def.node_mass = (sn_real)0.03125;
    def.radius = (sn_real)0.015625;
    def.compliance = (sn_real)1e-5;
    REQUIRE_OK(scene_cloth(world, &def, NULL));
    golden_rigid_add(world, 6, 2, (sn_real)0.125);
    golden_joints_add(world, 12);
    play_steps(world, 6);
}

/* Water comes through a nozzle, falls on a ball and is drained. */
static void play_emitter(sn_world *world) {
    enum { RESERVE = 600 };
    sn_node node[RESERVE];
    sn_collider collider;
    sn_collider_def ball = sn_collider_def_default();
    ball.shape = SN_SHAPE_SPHERE;
    ball.radius = (sn_real)0.08;
    REQUIRE_OK(sn_collider_create(world, &ball, &collider));
    for (int i = 0; i < RESERVE; i++) {
        sn_node_def one = sn_node_def_default();
        one.position = (sn_vec3){(sn_real)(i % 10) / 40, 2 + (sn_real)(i / 10 % 10) / 40,
                                 (sn_real)(i / 100) / 40};
        one.inverse_mass = 64;
        one.radius = (sn_real)0.0125;
        REQUIRE_OK(sn_node_create(world, &one, &node[i]));
    }
    sn_fluid_def fluid = sn_fluid_def_default();
    sn_fluid made;
    fluid.nodes = node;
    fluid.node_count = RESERVE;
    fluid.viscosity = (sn_real)0.001;
    REQUIRE_OK(sn_fluid_create(world, &fluid, &made));
    sn_emitter_def emitter = sn_emitter_def_default();
    sn_emitter nozzle;
    emitter.nodes = node;
    emitter.node_count = RESERVE;
    emitter.position = (sn_vec3){(sn_real)0.01, (sn_real)0.3, 0};
    emitter.orientation = (sn_quat){1, 0, 0, 0};
    emitter.speed = 3;
    REQUIRE_OK(sn_emitter_create(world, &emitter, &nozzle));
    sn_drain_def drain = sn_drain_def_default();
    sn_drain below;
    drain.shape = SN_DRAIN_HALF_SPACE;
    drain.position = (sn_vec3){0, (sn_real)-0.1, 0};
    REQUIRE_OK(sn_drain_create(world, &drain, &below));
    play_steps(world, 20);
}

/* ---- Wax and air ---- */

/* Some of it melts and loses bonds, some freezes and gets others. */
static void play_melting(sn_world *world) {
    use_substeps(world, 2);
    sn_diffusion heat = golden_wax_add(world, 12);
    sn_diffusion_measures before, after;
    CHECK_OK(sn_diffusion_measure(world, heat, &before));
    play_steps(world, 8);
    CHECK_OK(sn_diffusion_measure(world, heat, &after));
    CHECK(before.bonds > 0 && after.bonds > 0 && after.bonds != before.bonds);
    CHECK(after.liquid > 0 && after.liquid < 1);
}

/* Everybody goes through a side, and some join. */
static void play_liquids(sn_world *world) {
    use_substeps(world, 4);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.iterations = 2;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_fluid deep = golden_liquids_add(world, 6);
    play_steps(world, 6);
    sn_fluid_def def = sn_fluid_def_default();
    REQUIRE_OK(sn_fluid_get(world, deep, &def));
    CHECK(def.node_count < 6 * 6 * 6);
}

/* Sheets that are in each other come apart, with flips on the way. */
static void play_air(sn_world *world) {
    use_substeps(world, 4);
    sn_air_mesh air = golden_air_add(world, 16);
    sn_air_mesh_state before, after;
    CHECK_OK(sn_air_mesh_get_state(world, air, &before));
    play_steps(world, 4);
    CHECK_OK(sn_air_mesh_get_state(world, air, &after));
    CHECK(before.elements > 2048 && before.inverted > 0 && after.inverted < before.inverted);
    CHECK(after.elements != before.elements);
}

/* ---- Playing in every way there is ---- */

typedef void play(sn_world *world);

static uint64_t hash_of(play *scene, int threads, int width, bool keep_forces) {
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.simd_width = width;
    def.settings.keep_forces = keep_forces;
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&def, &world));
    scene(world);
    uint64_t hash = sn_world_hash(world);

    /* Two runs that both end in NaN would be equal too. */
    sn_measure measure;
    CHECK_OK(sn_world_measure(world, &measure));
    CHECK(measure.kinetic_energy > 0 && measure.kinetic_energy < 1e6);
    sn_world_destroy(world);
    return hash;
}

static void check_hash(play *scene, uint64_t golden, int threads, int width) {
    check_case("%d threads, %d lanes", threads, width);
    uint64_t hash = hash_of(scene, threads, width, true);
    if (!CHECK(hash == golden)) printf("      the hash is 0x%016" PRIx64 "\n", hash);
}

/* Where many threads take very long, as with a sanitizer or in an emulator, the environment may ask
   for fewer. They share work in double as they do in float, where all are tried. */
static int most_threads(void) {
    const char *text = getenv("GOLDEN_THREADS");
    int number = text ? atoi(text) : sizeof(sn_real) == sizeof(double) && !check_long() ? 4 : 16;
    return number < 1 ? 1 : number;
}

/* How many widths a number of threads goes with. */
static int widths_with(int threads) {
    return threads <= 4 || threads == 8 ? WIDTHS : 1;
}

/* With sanitizers, and in double, where lanes and threads are those of float. */
static bool is_once_enough(void) {
    return !check_mutant() &&
           (check_sample() || (sizeof(sn_real) == sizeof(double) && !check_long()));
}

/* Once, with as many threads as there may be: forces are kept or not by turns, and one scene of
   five has one lane, which is not optimised with sanitizers. */
static void check_somewhere(play *scene, uint64_t golden) {
    static int turn;
    int width = turn % 5 ? widths[turn % (WIDTHS - 1) + 1] : 1;
    bool keep = turn / WIDTHS % 2;
    turn++;
    check_case("%d threads, %d lanes, forces %s", most_threads(), width,
               keep ? "kept" : "not kept");
    CHECK(hash_of(scene, most_threads(), width, keep) == golden);
}

/* The short form: each width with another number of threads, all but the first without forces, and
   every third scene with many threads. One thread has its turn in nearly all other tests. */
static void check_some(play *scene, uint64_t golden) {
    static int turn;
    int most = most_threads();
    for (int i = 0; i < WIDTHS; i++) {
        int threads = most < 2 + i % 2 ? most : 2 + i % 2;
        check_case("%d threads, %d lanes, forces %s", threads, widths[i],
                   i == 0 ? "kept" : "not kept");
        CHECK(hash_of(scene, threads, widths[i], i == 0) == golden);
    }
    if (turn++ % 3 == 0 && most > 4) check_hash(scene, golden, most, widths[turn % WIDTHS]);
}

static void check_everywhere(play *scene, uint64_t golden) {
    int most = most_threads();
    if (is_once_enough()) {
        check_somewhere(scene, golden);
        return;
    }
    if (!check_long()) {
        check_some(scene, golden);
        return;
    }
    for (int threads = 1; threads <= most; threads++)
        for (int i = 0; i < widths_with(threads); i++)
            check_hash(scene, golden, threads, widths[(threads + i) % WIDTHS]);
    check_case("forces not kept");
    CHECK(hash_of(scene, 1, 0, false) == golden);
}

/* One line per scene, as golden_hashes.h lists them. */
#define SCENE_TEST(name, upper)                                                                    \
    TEST(name) {                                                                                   \
        check_everywhere(play_##name, GOLDEN_##upper);                                             \
    }
GOLDEN_SCENES(SCENE_TEST)

#define SCENE_ENTRY(name, upper) RUN(name),
static const check_test tests[] = {GOLDEN_SCENES(SCENE_ENTRY)};

static void print_hash(const char *name, play *scene) {
    printf("#define GOLDEN_%s UINT64_C(0x%016" PRIx64 ")\n", name, hash_of(scene, 1, 0, true));
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "--print")) {
#define SCENE_PRINT(name, upper) print_hash(#upper, play_##name);
        GOLDEN_SCENES(SCENE_PRINT)
        return 0;
    }
    return check_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
