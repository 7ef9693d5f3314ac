/* Cutting by hand: what becomes of triangles, masses, constraints and collision surfaces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"
#include "torn.h"

static body make(sn_mesh mesh, sn_cloth_material cloth, sn_collide collide) {
    sn_build_def def = sn_build_def_default();
    def.collide = collide;
    return body_make(still_world(4, 0), SN_KIND_CLOTH, &cloth, mesh, &def);
}

static body make_grid(uint32_t columns, uint32_t rows, int bending) {
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.stretch_stiffness = 100;
    cloth.bending_stiffness = (sn_real)1e-4;
    cloth.bending = bending;
    return make(grid_mesh(1, 1, columns, rows, SN_GRID_ALTERNATING), cloth, SN_COLLIDE_ALL);
}

static sn_node split(const body *b, sn_node node, sn_vec3 normal) {
    sn_node copy = {0, 0, 0};
    CHECK_OK(sn_sheet_split(b->world, b->build.sheet, node, normal, &copy));
    return copy;
}

static sn_measure measure(const body *b) {
    sn_measure m;
    REQUIRE_OK(sn_world_measure(b->world, &m));
    return m;
}

TEST(an_inner_vertex_becomes_a_slit) {
    body b = make_grid(6, 6, 0);
    double mass = measure(&b).mass;
    sn_node middle = b.nodes[3 * 7 + 3];
    size_t border = count_border(&b);
    sn_node copy = split(&b, middle, (sn_vec3){1, 0, 0});
    CHECK(sn_node_is_valid(b.world, copy));
    check_torn(&b, true);
    CHECK(count_border(&b) == border + 4);
    CHECK(count_pieces(&b) == 1);
    CHECK_REL(measure(&b).mass, mass, 1e-6);
    sn_node_def old, new;
    REQUIRE_OK(sn_node_get(b.world, middle, &old));
    REQUIRE_OK(sn_node_get(b.world, copy, &new));
    CHECK(memcmp(&old.position, &new.position, sizeof old.position) == 0);
    CHECK(old.radius == new.radius &&old.body.slot == new.body.slot);
    CHECK_REL(old.inverse_mass, new.inverse_mass, 1e-5);
    body_free(&b);
}

/* The stiffness of the edges that lie on both sides is that of the edge before. */
TEST(stiffness_is_shared) {
    body b = make_grid(6, 6, 0);
    double stiff[2] = {0, 0};
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sn_world_constraint_count(b.world, SN_TYPE_COUNT) + 8; i++) {
            sn_constraint c;
            sn_type type;
            sn_distance_def def = sn_distance_def_default();
            if (sn_world_constraint_at(b.world, i, &c) != SN_OK) continue;
            REQUIRE_OK(sn_constraint_get_type(b.world, c, &type));
            if (type != SN_TYPE_DISTANCE) continue;
            REQUIRE_OK(sn_constraint_get(b.world, c, &def));
            stiff[round] += 1 / (double)def.compliance;
        }
        if (round == 0) (void)split(&b, b.nodes[3 * 7 + 3], (sn_vec3){1, 0, 0});
    }
    CHECK_REL(stiff[1], stiff[0], 1e-5);
    body_free(&b);
}

/* The areas of the rings that are left are those of all before. */
TEST(bending_is_handed_on) {
    body b = make_grid(6, 6, 1);
    double area[2] = {0, 0};
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < 400; i++) {
            sn_constraint c;
            sn_type type;
            sn_real own[3];
            if (sn_world_constraint_at(b.world, i, &c) != SN_OK) continue;
            REQUIRE_OK(sn_constraint_get_type(b.world, c, &type));
            if (type != SN_TYPE_VERTEX_BENDING) continue;
            REQUIRE_OK(sn_constraint_get_field(b.world, c, "area", own));
            area[round] += (double)own[0];
        }
        if (round == 0) (void)split(&b, b.nodes[3 * 7 + 3], (sn_vec3){1, 0, 0});
    }
    CHECK_NEAR(area[0], 1, 1e-4);
    CHECK_REL(area[1], area[0], 1e-5);
    body_free(&b);
}

/* From border to border: the last cut leaves nothing that hangs by a vertex. */
TEST(a_line_of_cuts_parts_the_sheet) {
    for (int bending = 0; bending <= 4; bending++) {
        check_case("bending %d", bending);
        body b = make_grid(6, 6, bending);
        double mass = measure(&b).mass;
        for (size_t i = 0; i < 7; i++) {
            (void)split(&b, b.nodes[3 * 7 + i], (sn_vec3){0, 0, 1});
            check_torn(&b, true);
        }
        CHECK(count_pieces(&b) == 2);
        CHECK_REL(measure(&b).mass, mass, 1e-6);
        body_run(&b, 5, 1.0 / 60);
        check_torn(&b, true);
        body_free(&b);
    }
}

/* What lies on triangles goes with them, whatever it is. */
TEST(models_of_triangles_follow) {
    static const sn_type types[] = {SN_TYPE_STRAIN_TRIANGLE, SN_TYPE_ELASTIC_TRIANGLE,
                                    SN_TYPE_NEO_HOOKEAN_TRIANGLE};
    static const int models[] = {2, 3, 6};
    for (int i = 0; i < 3; i++) {
        int model = models[i];
        check_case("model %d", model);
        sn_cloth_material cloth = sn_cloth_material_default();
        cloth.stretch_stiffness = 100;
        cloth.model = model;
        body b = make(grid_mesh(1, 1, 6, 6, SN_GRID_SAME), cloth, SN_COLLIDE_ALL);
        size_t before = count_type(b.world, types[i]);
        CHECK(before == 72);
        for (size_t k = 0; k < 7; k++) (void)split(&b, b.nodes[3 * 7 + k], (sn_vec3){0, 0, 1});
        CHECK(count_type(b.world, types[i]) == before);
        CHECK(count_pieces(&b) == 2);
        check_torn(&b, false);
        body_run(&b, 5, 1.0 / 60);
        check_torn(&b, false);
        /* Nothing pulls at anything: the rest shape is that of before. */
        sn_measure m = measure(&b);
        CHECK(m.kinetic_energy < 1e-9);
        body_free(&b);
    }
}

static sn_vec3 direction(uint32_t *seed) {
    double x[3];
    for (int k = 0; k < 3; k++) {
        *seed = *seed * 1664525 + 1013904223;
        x[k] = (double)(*seed >> 8) / 16777216 - 0.5;
    }
    return (sn_vec3){(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
}

/* Cut again and again, until only single triangles are left. */
static void shred(body *b) {
    uint32_t seed = 1;
    size_t nothing = 0, triangles, nodes;
    double mass = measure(b).mass;
    REQUIRE_OK(sn_sheet_get_triangles(b->world, b->build.sheet, NULL, 0, &triangles));
    for (int round = 0; round < 100000 && nothing < 2000; round++) {
        sn_node list[4096];
        REQUIRE_OK(sn_sheet_get_nodes(b->world, b->build.sheet, list, 4096, &nodes));
        seed = seed * 1664525 + 1013904223;
        sn_vec3 normal = direction(&seed);
        sn_node copy = split(b, list[(seed >> 8) % nodes], normal);
        nothing = copy.slot ? 0 : nothing + 1;
        if (round % 50 == 0) check_torn(b, true);
    }
    check_torn(b, true);
    CHECK(count_pieces(b) == triangles);
    REQUIRE_OK(sn_sheet_get_nodes(b->world, b->build.sheet, NULL, 0, &nodes));
    CHECK(nodes == 3 * triangles);
    CHECK(count_type(b->world, SN_TYPE_DISTANCE) == 3 * triangles);
    CHECK(count_type(b->world, SN_TYPE_VERTEX_BENDING) == 0);
    CHECK(count_type(b->world, SN_TYPE_PLATE_BENDING) == 0);
    CHECK(count_type(b->world, SN_TYPE_DIHEDRAL_BENDING) == 0);
    CHECK_REL(measure(b).mass, mass, 1e-5);
}

TEST(everything_comes_down_to_triangles) {
    for (int bending = 0; bending <= 3; bending += 3) {
        body b = make_grid(5, 4, bending);
        shred(&b);
        body_free(&b);
    }
}

TEST(a_strip_is_cut_across) {
    sn_cloth_material cloth = sn_cloth_material_default();
    body b = make(grid_mesh(1, 0.1, 10, 1, SN_GRID_SAME), cloth, SN_COLLIDE_OTHERS);
    sn_node copy = split(&b, b.nodes[5], (sn_vec3){1, 0, 0});
    CHECK(copy.slot != 0);
    check_torn(&b, true);
    CHECK(count_pieces(&b) == 2);
    shred(&b);
    body_free(&b);
}

TEST(a_balloon_bursts) {
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.pressure = 1;
    body b = make(sphere_mesh(0.5, 2), cloth, SN_COLLIDE_ALL);
    CHECK(count_type(b.world, SN_TYPE_SURFACE_VOLUME) == 1);
    CHECK(split(&b, b.nodes[20], (sn_vec3){1, 0, 0}).slot != 0);
    CHECK(count_type(b.world, SN_TYPE_SURFACE_VOLUME) == 0);
    check_torn(&b, true);
    CHECK(count_border(&b) == 4);
    shred(&b);
    body_free(&b);
}

TEST(motion_is_kept) {
    body b = make_grid(8, 8, 0);
    for (size_t i = 0; i < b.mesh.vertex_count; i++)
        REQUIRE_OK(sn_node_set_velocity(
            b.world, b.nodes[i],
            (sn_vec3){(sn_real)(i % 7), (sn_real)(i % 5) / 2, (sn_real)(i % 3)}));
    sn_measure before = measure(&b);
    for (size_t i = 0; i < 9; i++) (void)split(&b, b.nodes[4 * 9 + i], (sn_vec3){0, 0, 1});
    sn_measure after = measure(&b);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(after.momentum[k], before.momentum[k], 1e-6);
        CHECK_NEAR(after.angular_momentum[k], before.angular_momentum[k], 1e-6);
    }
    CHECK_REL(after.kinetic_energy, before.kinetic_energy, 1e-6);
    body_free(&b);
}

/* What holds a node stays with it; tethers hold both parts. */
TEST(attachments_stay_and_tethers_are_doubled) {
    body b = make_grid(6, 6, 0);
    sn_node middle = b.nodes[24];
    sn_attachment_def hook = sn_attachment_def_default();
    sn_distance_def tether = sn_distance_def_default();
    sn_node_def anchor = sn_node_def_default();
    sn_node fixed;
    sn_constraint c;
    anchor.inverse_mass = 0;
    anchor.position = (sn_vec3){0, 2, 0};
    REQUIRE_OK(sn_node_create(b.world, &anchor, &fixed));
    hook.node[0] = tether.node[0] = middle;
    tether.node[1] = fixed;
    tether.side = SN_SIDE_AT_MOST;
    REQUIRE_OK(sn_constraint_create(b.world, SN_TYPE_ATTACHMENT, &hook, &c));
    sn_constraint rope;
    REQUIRE_OK(sn_constraint_create(b.world, SN_TYPE_DISTANCE, &tether, &rope));
    size_t distances = count_type(b.world, SN_TYPE_DISTANCE);
    (void)split(&b, middle, (sn_vec3){1, 0, 0});
    CHECK(count_type(b.world, SN_TYPE_ATTACHMENT) == 1);
    CHECK(count_type(b.world, SN_TYPE_DISTANCE) == distances + 3);
    sn_attachment_def now = sn_attachment_def_default();
    REQUIRE_OK(sn_constraint_get(b.world, c, &now));
    CHECK(now.node[0].slot == middle.slot);
    body_free(&b);
}

static sn_vec3 permuted(int turns, sn_vec3 a) {
    for (; turns > 0; turns--) a = (sn_vec3){a.z, a.x, a.y};
    return a;
}

/* A spring to a vertex of the sheet farther away is on that side of the tear. */
TEST(springs_go_with_their_side) {
    for (int i = 0; i < 24; i++) {
        body b = make_grid(6, 6, 0);
        size_t far = i / 2 % 2 ? 22 : 26, first = i / 4 % 2 ? 1 : 0;
        sn_node middle = b.nodes[24], ends[2] = {middle, b.nodes[far]};
        double sign = i % 2 ? -1 : 1;
        sn_distance_def spring = sn_distance_def_default();
        sn_constraint c;
        check_case("%d", i);
        for (size_t k = 0; k < b.mesh.vertex_count; k++)
            REQUIRE_OK(
                sn_node_set_position(b.world, b.nodes[k], permuted(i / 8, b.mesh.positions[k])));
        spring.node[0] = ends[first];
        spring.node[1] = ends[1 - first];
        REQUIRE_OK(sn_constraint_create(b.world, SN_TYPE_DISTANCE, &spring, &c));
        sn_node copy = split(&b, middle, permuted(i / 8, (sn_vec3){(sn_real)sign, 0, 0}));
        REQUIRE_OK(sn_constraint_get(b.world, c, &spring));
        bool below = sign * (double)b.mesh.positions[far].x < 0;
        CHECK(spring.node[1 - first].slot == ends[1].slot);
        CHECK(spring.node[first].slot == (below ? copy.slot : middle.slot));
        body_free(&b);
    }
}

/* What is torn off falls, though it was tethered. */
TEST(tethers_to_what_is_torn_off_go) {
    body b = make_grid(6, 6, 0);
    sn_constraint near, far, wide, corner;
    sn_tether_def tether = sn_tether_def_default();
    sn_triangle_area_def area = sn_triangle_area_def_default();
    for (size_t i = 0; i < 7; i++) REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[i], 0));
    tether.node[0] = b.nodes[7 + 3];
    tether.node[1] = b.nodes[3];
    REQUIRE_OK(sn_constraint_create(b.world, SN_TYPE_TETHER, &tether, &near));
    tether.node[0] = b.nodes[5 * 7 + 3];
    REQUIRE_OK(sn_constraint_create(b.world, SN_TYPE_TETHER, &tether, &far));
    /* To the first node of all. */
    tether.node[1] = b.nodes[0];
    CHECK(b.nodes[0].slot == 1);
    REQUIRE_OK(sn_constraint_create(b.world, SN_TYPE_TETHER, &tether, &corner));
    /* No tether, though it has one side and both parts. */
    area.node[0] = tether.node[0];
    area.node[1] = b.nodes[3];
    area.node[2] = b.nodes[4];
    area.side = SN_SIDE_AT_MOST;
    REQUIRE_OK(sn_constraint_create(b.world, SN_TYPE_TRIANGLE_AREA, &area, &wide));
    for (size_t i = 0; i < 7; i++) {
        CHECK(i > 5 || sn_constraint_is_valid(b.world, far));
        (void)split(&b, b.nodes[3 * 7 + i], (sn_vec3){0, 0, 1});
    }
    CHECK(count_pieces(&b) == 2);
    CHECK(sn_constraint_is_valid(b.world, near) && !sn_constraint_is_valid(b.world, far));
    CHECK(sn_constraint_is_valid(b.world, wide) && !sn_constraint_is_valid(b.world, corner));
    body_free(&b);
}

/* Those of a sheet are made anew: none for what was torn off, and for copies as for others. */
TEST(tethers_of_a_sheet_are_made_anew) {
    body b = make_grid(6, 6, 0);
    sn_sheet_def def;
    for (size_t i = 0; i < 7; i++) REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[i], 0));
    REQUIRE_OK(sn_sheet_get(b.world, b.build.sheet, &def));
    def.tethers = 1;
    REQUIRE_OK(sn_sheet_set(b.world, b.build.sheet, &def));
    body_run(&b, 1, 1.0 / 60);
    CHECK(count_type(b.world, SN_TYPE_TETHER) == 42);
    (void)split(&b, b.nodes[24], (sn_vec3){0, 0, 1});
    body_run(&b, 1, 1.0 / 60);
    CHECK(count_type(b.world, SN_TYPE_TETHER) == 43);
    for (size_t i = 0; i < 7; i++) (void)split(&b, b.nodes[3 * 7 + i], (sn_vec3){0, 0, 1});
    CHECK(count_pieces(&b) == 2);
    body_run(&b, 1, 1.0 / 60);
    CHECK(count_type(b.world, SN_TYPE_TETHER) == 21);
    body_free(&b);
}

/* ---- Levels ---- */

enum { SIDE = 16, ROW = SIDE + 1 };

/* Hangs from its first row and is slit from below up to it, in the middle. */
static body make_slit(sn_hierarchy *levels) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_settings settings = sn_settings_default();
    cloth.levels = SN_AUTO;
    sn_world *world = still_world(4, 0);
    sn_node_def spare = sn_node_def_default();
    sn_build_def def = sn_build_def_default();
    sn_node first;
    REQUIRE_OK(sn_node_create(world, &spare, &first));
    body b = body_make(world, SN_KIND_CLOTH, &cloth,
                       grid_mesh(1, 1, SIDE, SIDE, SN_GRID_ALTERNATING), &def);
    REQUIRE_OK(sn_world_get_settings(b.world, &settings));
    settings.gravity = (sn_vec3){0, 0, (sn_real)9.81};
    REQUIRE_OK(sn_world_set_settings(b.world, &settings));
    for (size_t i = 0; i < ROW; i++) REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[i], 0));
    REQUIRE_OK(sn_node_hierarchy(b.world, b.nodes[0], levels));
    /* A slot below all others is free for the first copy. */
    REQUIRE_OK(sn_node_destroy(b.world, first));
    for (size_t row = SIDE; row > 0; row--) {
        sn_hierarchy own;
        sn_node copy = split(&b, b.nodes[row * ROW + SIDE / 2], (sn_vec3){1, 0, 0});
        if (copy.slot == 0) continue;
        CHECK_OK(sn_node_hierarchy(b.world, copy, &own));
        CHECK(own.slot == levels->slot);
    }
    return b;
}

/* What is made of the sheet as it is now. */
static void make_levels_anew(const body *b, sn_hierarchy levels) {
    static sn_node nodes[2 * ROW * ROW];
    static uint32_t triangles[3 * 4 * SIDE * SIDE];
    sn_hierarchy_def def = sn_hierarchy_def_default(), before, after;
    REQUIRE_OK(sn_hierarchy_get(b->world, levels, &before));
    size_t counts[3] = {before.node_count, before.edge_count, before.triangle_count};
    uint32_t *edges = malloc(2 * counts[1] * sizeof *edges);
    sn_real *lengths = malloc(counts[1] * sizeof *lengths);
    if (!CHECK(edges && lengths)) return;
    memcpy(edges, before.edges, 2 * counts[1] * sizeof *edges);
    memcpy(lengths, before.lengths, counts[1] * sizeof *lengths);
    def.nodes = nodes;
    def.triangles = triangles;
    REQUIRE_OK(sn_sheet_get_nodes(b->world, b->build.sheet, nodes, 2 * ROW * ROW, &def.node_count));
    REQUIRE_OK(sn_sheet_get_triangles(b->world, b->build.sheet, triangles, 4 * SIDE * SIDE,
                                      &def.triangle_count));
    REQUIRE_OK(sn_hierarchy_set(b->world, levels, &def));
    REQUIRE_OK(sn_hierarchy_get(b->world, levels, &after));
    CHECK(after.node_count == counts[0] && counts[0] == def.node_count);
    CHECK(after.edge_count == counts[1] && after.triangle_count == counts[2]);
    if (after.edge_count == counts[1]) {
        CHECK(memcmp(edges, after.edges, 2 * counts[1] * sizeof *edges) == 0);
        CHECK(memcmp(lengths, after.lengths, counts[1] * sizeof *lengths) == 0);
    }
    free(edges);
    free(lengths);
}

TEST(levels_follow_a_cut) {
    sn_hierarchy levels[2];
    body followed = make_slit(&levels[0]), anew = make_slit(&levels[1]);
    size_t nodes = 0, copies = 0;
    sn_hierarchy_def def;
    REQUIRE_OK(sn_hierarchy_get(followed.world, levels[0], &def));
    nodes = def.node_count;
    copies = nodes - (size_t)ROW * ROW;
    CHECK(copies >= SIDE - 1);
    make_levels_anew(&anew, levels[1]);
    body_run(&followed, 30, 1.0 / 60);
    body_run(&anew, 30, 1.0 / 60);
    CHECK(sn_world_hash(followed.world) == sn_world_hash(anew.world));
    for (int level = 1; level < 5; level++) {
        size_t one = 0, other = 0;
        CHECK_OK(sn_hierarchy_level_nodes(followed.world, levels[0], level, &one));
        CHECK_OK(sn_hierarchy_level_nodes(anew.world, levels[1], level, &other));
        CHECK(one == other && (level > 1 || one > 0));
    }
    /* A snapshot goes on with the same bits. */
    size_t size;
    void *bytes = snapshot_of(followed.world, &size);
    body_run(&followed, 5, 1.0 / 60);
    REQUIRE_OK(sn_snapshot_load(anew.world, bytes, size));
    body_run(&anew, 5, 1.0 / 60);
    CHECK(sn_world_hash(followed.world) == sn_world_hash(anew.world));
    free(bytes);
    body_free(&followed);
    body_free(&anew);
}

/* By a plane at once, and by a blade in small steps, from the border or from within. */
TEST(blades_part_sheets) {
    for (int way = 0; way < 3; way++) {
        check_case("way %d", way);
        body b = make_grid(8, 8, 0);
        double mass = measure(&b).mass;
        size_t copies = 0, all = 0;
        sn_blade_def blade = sn_blade_def_default();
        blade.normal = (sn_vec3){1, 0, (sn_real)0.3};
        blade.point = (sn_vec3){(sn_real)0.02, 0, 0};
        if (way == 0) REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &all));
        blade.kind = SN_BLADE_SWEEP;
        for (int i = 0; way > 0 && i < 60; i++) {
            double at = -0.6 + 0.02 * (way == 1 ? i : i < 30 ? 29 - i : i), next = at + 0.02;
            for (int k = 0; k < 2; k++) {
                blade.from[k] =
                    (sn_vec3){(sn_real)(0.02 + 0.2 * at), (sn_real)(1 - 2 * k), (sn_real)at};
                blade.to[k] =
                    (sn_vec3){(sn_real)(0.02 + 0.2 * next), (sn_real)(1 - 2 * k), (sn_real)next};
            }
            REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
            all += copies;
            check_torn(&b, true);
        }
        CHECK(all >= 9);
        check_torn(&b, true);
        CHECK(count_pieces(&b) == 2);
        CHECK_REL(measure(&b).mass, mass, 1e-6);
        body_run(&b, 2, 1.0 / 60);
        body_free(&b);
    }
}

/* Makes something on nodes that cannot follow a cut. */
static sn_result put_on(sn_world *world, int kind, const sn_node *nodes) {
    static const uint32_t corner[4] = {0, 1, 2, 3};
    if (kind == 0) {
        sn_wrinkle_mesh made;
        sn_wrinkle_mesh_def def = sn_wrinkle_mesh_def_default();
        def.nodes = nodes;
        def.node_count = 3;
        def.triangles = corner;
        def.triangle_count = 1;
        return sn_wrinkle_mesh_create(world, &def, &made);
    }
    if (kind == 1) {
        sn_air_mesh made;
        sn_air_mesh_def def = sn_air_mesh_def_default();
        def.nodes = nodes;
        def.node_count = 3;
        def.triangles = corner;
        def.triangle_count = 1;
        return sn_air_mesh_create(world, &def, &made);
    }
    if (kind == 2) {
        sn_shape_matching made;
        sn_shape_matching_def def = sn_shape_matching_def_default();
        def.nodes = nodes;
        def.node_count = 4;
        return sn_shape_matching_create(world, &def, &made);
    }
    sn_finite_elements made;
    sn_finite_elements_def def = sn_finite_elements_def_default();
    def.nodes = nodes;
    def.node_count = 4;
    def.tets = corner;
    def.tet_count = 1;
    return sn_finite_elements_create(world, &def, &made);
}

/* Of its nodes one is of the sheet: the first, the second and so on, in the middle, where the cut
   is, or at a corner. */
TEST(what_cannot_follow_a_cut_refuses_it) {
    static const sn_vec3 offset[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 32; i++) {
        int kind = i / 8, k = i % 8 / 2, vertex = i % 2 ? 12 : 0;
        if (kind < 2 && k == 3) continue;
        check_case("kind %d, node %d, vertex %d", kind, k, vertex);
        body b = make_grid(4, 4, 0);
        sn_blade_def blade = sn_blade_def_default();
        sn_node nodes[4];
        size_t copies;
        sn_vec3 at = b.mesh.positions[vertex], own = offset[k];
        blade.normal = (sn_vec3){1, 0, 0};
        for (int n = 0; n < 4; n++) {
            sn_node_def def = sn_node_def_default();
            sn_vec3 o = offset[n];
            def.position = (sn_vec3){at.x + o.x - own.x, at.y + o.y - own.y, at.z + o.z - own.z};
            REQUIRE_OK(sn_node_create(b.world, &def, &nodes[n]));
        }
        nodes[k] = b.nodes[vertex];
        REQUIRE_OK(put_on(b.world, kind, nodes));
        sn_result found = sn_sheet_cut(b.world, b.build.sheet, &blade, &copies);
        CHECK(found == (vertex == 12 ? SN_ERROR_VALUE : SN_OK));
        body_free(&b);
    }
}

TEST(what_cannot_be_cut_is_refused) {
    body b = make_grid(3, 3, 0);
    sn_node copy = {7, 7, 7};
    sn_vec3 up = {0, 0, 1};
    REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[5], 0));
    CHECK_FAILS(sn_sheet_split(b.world, b.build.sheet, b.nodes[5], up, &copy), SN_ERROR_VALUE);
    CHECK_FAILS(sn_sheet_split(b.world, b.build.sheet, b.nodes[6], (sn_vec3){0, 0, 0}, &copy),
                SN_ERROR_VALUE);
    CHECK_FAILS(sn_sheet_split(b.world, b.build.sheet, b.nodes[6], (sn_vec3){NAN, 0, 0}, &copy),
                SN_ERROR_VALUE);
    CHECK_FAILS(sn_sheet_split(b.world, (sn_sheet){0, 0, 0}, b.nodes[6], up, &copy), SN_ERROR_ID);
    CHECK_FAILS(sn_sheet_split(NULL, b.build.sheet, b.nodes[6], up, &copy), SN_ERROR_NULL);
    CHECK_FAILS(sn_sheet_split(b.world, b.build.sheet, b.nodes[6], up, NULL), SN_ERROR_NULL);
    sn_node_def other = sn_node_def_default();
    sn_node stranger;
    REQUIRE_OK(sn_node_create(b.world, &other, &stranger));
    CHECK_FAILS(sn_sheet_split(b.world, b.build.sheet, stranger, up, &copy), SN_ERROR_VALUE);
    CHECK(copy.slot == 7);
    /* A corner has nothing on the other side. */
    CHECK_OK(sn_sheet_split(b.world, b.build.sheet, b.nodes[0], (sn_vec3){1, 0, 1}, &copy));
    CHECK(copy.slot == 0);
    body_free(&b);
}

TESTS(RUN(blades_part_sheets), RUN(what_cannot_follow_a_cut_refuses_it),
      RUN(an_inner_vertex_becomes_a_slit), RUN(stiffness_is_shared), RUN(bending_is_handed_on),
      RUN(a_line_of_cuts_parts_the_sheet), RUN(models_of_triangles_follow),
      RUN(everything_comes_down_to_triangles), RUN(a_strip_is_cut_across), RUN(a_balloon_bursts),
      RUN(motion_is_kept), RUN(attachments_stay_and_tethers_are_doubled),
      RUN(springs_go_with_their_side), RUN(tethers_to_what_is_torn_off_go),
      RUN(tethers_of_a_sheet_are_made_anew), RUN(levels_follow_a_cut),
      RUN(what_cannot_be_cut_is_refused))
