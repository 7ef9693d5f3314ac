/* Cutting solids: what becomes of tets, masses, constraints and collision surfaces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parted.h"

static const double dt = 1.0 / 60;

/* Of the solids that are made: edges, unless a test says another. */
static int model = 1;

static body make_in(sn_world *world, sn_mesh mesh, sn_collide collide) {
    sn_build_def def = sn_build_def_default();
    sn_solid_material solid = sn_solid_material_default();
    solid.model = model;
    def.collide = collide;
    return body_make(world, SN_KIND_SOLID, &solid, mesh, &def);
}

static body make(sn_mesh mesh) {
    return make_in(still_world(4, 0), mesh, SN_COLLIDE_ALL);
}

static sn_blade_def plane(double x, double y, double z, double nx, double ny, double nz) {
    sn_blade_def blade = sn_blade_def_default();
    blade.point = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    blade.normal = (sn_vec3){(sn_real)nx, (sn_real)ny, (sn_real)nz};
    return blade;
}

static size_t cut(const body *b, sn_blade_def blade) {
    size_t copies = 0;
    CHECK_OK(sn_tet_mesh_cut(b->world, b->build.tet_mesh, &blade, &copies));
    return copies;
}

static size_t node_count(const body *b) {
    size_t count = 0;
    REQUIRE_OK(sn_tet_mesh_get_nodes(b->world, b->build.tet_mesh, NULL, 0, &count));
    return count;
}

/* In the middle between two layers of nodes, so that the cut is jagged, and at any angle. */
TEST(a_plane_parts_a_block) {
    static const double normal[][3] = {{1, 0, 0}, {1, 0.3, 0.2}, {0.2, 1, -0.4}, {1, 1, 1}};
    for (size_t i = 0; i < sizeof normal / sizeof normal[0]; i++)
        for (int six = 0; six < 2; six++) {
            check_case("normal %zu, pattern %d", i, six);
            /* Walls that meet are set back from each other, which changes lengths at rest. */
            body b = make_in(still_world(4, 0),
                             block_mesh(1, 0.5, 0.5, 4, six ? SN_BLOCK_SIX : SN_BLOCK_FIVE),
                             i % 2 ? SN_COLLIDE_ALL : SN_COLLIDE_OTHERS);
            double mass = total_mass(&b), stiffness = total_stiffness(&b);
            size_t before = node_count(&b);
            check_parted(&b);
            size_t copies =
                cut(&b, plane(0.03, 0.01, 0.02, normal[i][0], normal[i][1], normal[i][2]));
            CHECK(copies > 8);
            CHECK(node_count(&b) == before + copies);
            check_parted(&b);
            CHECK(count_parts(&b) == 2);
            CHECK(count_crowded(&b) == 0);
            CHECK_REL(total_mass(&b), mass, 1e-6);
            CHECK_REL(total_stiffness(&b), stiffness, i % 2 ? 0.02 : 1e-5);
            CHECK(cut(&b, plane(0.03, 0.01, 0.02, normal[i][0], normal[i][1], normal[i][2])) == 0);
            body_free(&b);
        }
}

/* A third and a fourth part, and none of them crumbs. */
TEST(parts_are_cut_again) {
    body b = make(block_mesh(1, 0.5, 0.5, 6, SN_BLOCK_FIVE));
    double mass = total_mass(&b);
    (void)cut(&b, plane(0.03, 0, 0, 1, 0, 0));
    (void)cut(&b, plane(0, 0.02, 0, 0, 1, 0));
    CHECK(count_parts(&b) == 4);
    (void)cut(&b, plane(0, 0, 0.02, 0.2, 0.1, 1));
    CHECK(count_parts(&b) == 8);
    check_parted(&b);
    CHECK_REL(total_mass(&b), mass, 1e-6);
    body_free(&b);
}

/* A disc within leaves a slit that holds together around it; inside alone it is a hollow. */
TEST(a_disc_leaves_a_slit) {
    body b = make(block_mesh(1, 1, 1, 8, SN_BLOCK_FIVE));
    sn_blade_def blade = plane(0.52, 0.02, 0.01, 0, 1, 0);
    blade.radius = (sn_real)0.4;
    size_t copies = cut(&b, blade);
    CHECK(copies > 4);
    CHECK(count_parts(&b) == 1);
    check_parted(&b);
    blade = plane(-0.2, -0.3, 0, 0, 1, 0.1);
    blade.radius = (sn_real)0.25;
    CHECK(cut(&b, blade) > 0);
    CHECK(count_parts(&b) == 1);
    check_parted(&b);
    body_run(&b, 5, dt);
    check_parted(&b);
    body_free(&b);
}

/* A blade that goes through in many small steps parts as one that goes at once, whether it comes
   from outside or begins within. */
TEST(a_blade_goes_on_from_call_to_call) {
    for (int inside = 0; inside < 2; inside++) {
        check_case("begins %s", inside ? "within" : "outside");
        body b = make(block_mesh(1, 0.5, 0.5, 4, SN_BLOCK_FIVE));
        double mass = total_mass(&b);
        size_t copies = 0, steps = 80;
        for (size_t i = 0; i < steps; i++) {
            sn_blade_def blade = sn_blade_def_default();
            blade.kind = SN_BLADE_SWEEP;
            for (size_t k = 0; k < 2; k++) {
                double from = -0.3 + 0.6 * (double)(i + (inside ? steps / 2 : 0)) / (double)steps;
                double to = from + 0.6 / (double)steps;
                if (inside && i >= steps / 2) {
                    from = 0.6 * -(double)(i - steps / 2) / (double)steps;
                    to = from - 0.6 / (double)steps;
                }
                blade.from[k] = (sn_vec3){(sn_real)0.04, (sn_real)from, (sn_real)(k ? 1 : -1)};
                blade.to[k] = (sn_vec3){(sn_real)0.04, (sn_real)to, (sn_real)(k ? 1 : -1)};
            }
            copies += cut(&b, blade);
            if (i % 20 == 3) check_parted(&b);
        }
        CHECK(copies > 8);
        CHECK(count_parts(&b) == 2);
        check_parted(&b);
        CHECK(count_crowded(&b) == 0);
        CHECK_REL(total_mass(&b), mass, 1e-6);
        body_free(&b);
    }
}

/* Both halves keep the motion that they had and go apart. */
TEST(motion_is_kept) {
    body b = make_in(still_world(4, 0), block_mesh(1, 0.5, 0.5, 4, SN_BLOCK_FIVE), SN_COLLIDE_NONE);
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3];
        body_position(&b, i, x);
        REQUIRE_OK(sn_node_set_velocity(
            b.world, b.nodes[i], (sn_vec3){(sn_real)(4 * x[0]), (sn_real)x[2], (sn_real)x[1]}));
    }
    sn_measure before, after;
    REQUIRE_OK(sn_world_measure(b.world, &before));
    (void)cut(&b, plane(0.03, 0, 0, 1, 0.1, 0));
    REQUIRE_OK(sn_world_measure(b.world, &after));
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(after.momentum[k], before.momentum[k], 2e-5 * before.mass);
        CHECK_NEAR(after.angular_momentum[k], before.angular_momentum[k], 2e-5 * before.mass);
    }
    CHECK_REL(after.kinetic_energy, before.kinetic_energy, 1e-6);
    body_run(&b, 30, dt);
    /* Each half goes its way, at about 4/s times where its middle was. */
    double apart = 0, mass = 0;
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3], w = (double)b.mesh.positions[i].x;
        body_position(&b, i, x);
        if (fabs(w) < 0.1) continue;
        apart += w > 0 ? x[0] - w : w - x[0];
        mass++;
    }
    CHECK_NEAR(apart / mass, 0.5, 0.05);
    check_parted(&b);
    body_free(&b);
}

/* ---- Smooth cuts ---- */

/* m, root mean square of the distance of nodes that were split, or are copies, from a plane. */
static double roughness(const body *b, size_t before, sn_blade_def blade) {
    sn_mesh mesh = rest_mesh(b);
    double n[3] = {(double)blade.normal.x, (double)blade.normal.y, (double)blade.normal.z};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), sum = 0;
    for (size_t i = before; i < mesh.vertex_count; i++) {
        double d = ((double)mesh.positions[i].x - (double)blade.point.x) * n[0] +
                   ((double)mesh.positions[i].y - (double)blade.point.y) * n[1] +
                   ((double)mesh.positions[i].z - (double)blade.point.z) * n[2];
        sum += d * d / (length * length);
    }
    sum /= (double)(mesh.vertex_count - before);
    sn_mesh_free(&mesh);
    return sqrt(sum);
}

/* Near a layer of nodes the cut is flat; at any angle it is much smoother. Masses, the volume and
   the shape of tets are kept, and what was at rest still is. */
TEST(snapping_makes_cuts_smooth) {
    static const double normal[][3] = {{1, 0, 0}, {1, 0.3, 0.2}, {0.3, 1, -0.2}};
    for (size_t i = 0; i < sizeof normal / sizeof normal[0]; i++) {
        double rough[2];
        for (int smooth = 0; smooth < 2; smooth++) {
            check_case("normal %zu, %s", i, smooth ? "smooth" : "as it is");
            body b = make_in(still_world(4, 0), block_mesh(1, 0.5, 0.5, 6, SN_BLOCK_FIVE),
                             SN_COLLIDE_OTHERS);
            sn_mesh at_first = rest_mesh(&b);
            double mass = total_mass(&b), volume = volume_of(&at_first);
            size_t before = node_count(&b);
            sn_blade_def blade = plane(0.02, 0.01, 0.02, normal[i][0], normal[i][1], normal[i][2]);
            blade.snap = smooth ? (sn_real)0.5 : 0;
            CHECK(cut(&b, blade) > 8);
            check_parted(&b);
            CHECK(count_parts(&b) == 2);
            rough[smooth] = roughness(&b, before, blade);
            sn_mesh mesh = rest_mesh(&b);
            sn_tet_quality quality;
            CHECK_REL(total_mass(&b), mass, 1e-6);
            CHECK_REL(volume_of(&mesh), volume, 1e-6);
            REQUIRE_OK(sn_mesh_quality(&mesh, &quality));
            CHECK(quality.lowest_ratio > 0.29);
            sn_mesh_free(&mesh);
            sn_mesh_free(&at_first);
            body_run(&b, 20, dt);
            sn_measure m;
            REQUIRE_OK(sn_world_measure(b.world, &m));
            CHECK_NEAR(m.kinetic_energy, 0, 1e-8 * mass);
            body_free(&b);
        }
        CHECK_NEAR(rough[1] / rough[0], 0, 0.6);
        if (i == 0) CHECK(rough[1] < 1e-6);
    }
}

/* Nodes that are moved in a strained block are moved at rest by as much less: all of it is strained
   as before. */
TEST(snapping_keeps_strain) {
    body b =
        make_in(still_world(4, 0), block_mesh(1, 0.5, 0.5, 6, SN_BLOCK_FIVE), SN_COLLIDE_OTHERS);
    sn_mesh rest = rest_mesh(&b);
    sn_node nodes[1024];
    size_t count = 0, moved = 0;
    for (int after = 0; after < 2; after++) {
        sn_mesh now = rest_mesh(&b);
        REQUIRE_OK(sn_tet_mesh_get_nodes(b.world, b.build.tet_mesh, nodes, 1024, &count));
        for (size_t i = 0; i < count; i++) {
            double x = (double)now.positions[i].x, y = (double)now.positions[i].y,
                   z = (double)now.positions[i].z;
            double to[3] = {x + 0.3 * y + 0.2 * z, 1.2 * y + 0.1 * x, 0.9 * z + 0.15 * x};
            sn_node_def def;
            REQUIRE_OK(sn_node_get(b.world, nodes[i], &def));
            double off = fabs((double)def.position.x - to[0]) +
                         fabs((double)def.position.y - to[1]) +
                         fabs((double)def.position.z - to[2]);
            if (after) CHECK_NEAR(off, 0, 1e-5);
            sn_vec3 at = {(sn_real)to[0], (sn_real)to[1], (sn_real)to[2]};
            if (!after) REQUIRE_OK(sn_node_set_position(b.world, nodes[i], at));
            if (i < rest.vertex_count) moved += fabs(x - (double)rest.positions[i].x) > 1e-3;
        }
        sn_mesh_free(&now);
        sn_blade_def blade = plane(0.02, 0.01, 0.02, 1, 0.3, 0.2);
        blade.snap = (sn_real)0.5;
        if (!after) CHECK(cut(&b, blade) > 8);
    }
    CHECK(moved > 4);
    sn_mesh_free(&rest);
    body_free(&b);
}

/* A second cut far from the first is what it is without the first; and near it, nodes of the first
   stay where they are. */
TEST(a_second_cut_leaves_the_first_alone) {
    double rough[2];
    size_t copies[2];
    for (int second = 0; second < 2; second++) {
        body b = make_in(still_world(4, 0), block_mesh(2, 0.5, 0.5, 12, SN_BLOCK_FIVE),
                         SN_COLLIDE_OTHERS);
        size_t first = node_count(&b);
        sn_blade_def there = plane(-0.61, 0.01, 0.02, 1, 0.1, 0.05);
        sn_blade_def here = plane(0.42, 0.01, 0.02, 1, 0.3, 0.2);
        here.snap = (sn_real)0.5;
        if (second) CHECK(cut(&b, there) > 8);
        size_t before = node_count(&b);
        copies[second] = cut(&b, here);
        rough[second] = roughness(&b, before, here);
        sn_mesh at = rest_mesh(&b);
        there.point.x += (sn_real)0.04;
        there.snap = (sn_real)0.5;
        if (second) CHECK(cut(&b, there) > 0);
        sn_mesh after = rest_mesh(&b);
        double moved = 0;
        for (size_t i = first; i < before; i++)
            moved = fmax(moved, fabs((double)(at.positions[i].x - after.positions[i].x)));
        CHECK(moved == 0);
        check_parted(&b);
        sn_mesh_free(&at);
        sn_mesh_free(&after);
        body_free(&b);
    }
    CHECK(copies[0] > 8 && copies[0] == copies[1]);
    CHECK_REL(rough[1], rough[0], 1e-5);
}

/* Every model follows, smooth or not, and is at rest after as before. */
TEST(all_models_follow) {
    for (model = 0; model < 5; model++)
        for (int smooth = 0; smooth < 2; smooth++) {
            check_case("model %d, %s", model, smooth ? "smooth" : "as it is");
            body b = make_in(still_world(4, 0), block_mesh(0.5, 0.5, 0.5, 4, SN_BLOCK_FIVE),
                             SN_COLLIDE_OTHERS);
            double mass = total_mass(&b);
            size_t before = node_count(&b);
            sn_blade_def blade = plane(0.02, 0.01, 0.02, 1, 0, 0);
            blade.snap = smooth ? (sn_real)0.5 : 0;
            CHECK(cut(&b, blade) > 8);
            check_parted(&b);
            CHECK(count_parts(&b) == 2);
            if (smooth) CHECK(roughness(&b, before, blade) < 1e-6);
            body_run(&b, 20, dt);
            sn_measure m;
            REQUIRE_OK(sn_world_measure(b.world, &m));
            CHECK_NEAR(m.kinetic_energy, 0, 1e-8 * mass);
            body_free(&b);
        }
    model = 1;
}

TEST(what_cannot_be_cut_is_refused) {
    body b = make(block_mesh(1, 0.5, 0.5, 2, SN_BLOCK_FIVE));
    uint64_t hash = sn_world_hash(b.world);
    size_t copies = 7, nodes = node_count(&b);
    sn_blade_def blade = plane(0.03, 0, 0, 0, 0, 0);
    CHECK_FAILS(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies), SN_ERROR_VALUE);
    blade = plane(0.03, NAN, 0, 1, 0, 0);
    CHECK_FAILS(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies), SN_ERROR_VALUE);
    blade = plane(0.03, 0, 0, 1, 0, 0);
    blade.snap = 1;
    CHECK_FAILS(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies), SN_ERROR_VALUE);
    blade.snap = 0;
    blade.size = 1;
    CHECK_FAILS(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies), SN_ERROR_DEFINITION);
    blade = plane(0.03, 0, 0, 1, 0, 0);
    CHECK_FAILS(sn_tet_mesh_cut(b.world, (sn_tet_mesh){0, 0, 0}, &blade, &copies), SN_ERROR_ID);
    CHECK(copies == 7 && node_count(&b) == nodes && sn_world_hash(b.world) == hash);
    /* What holds many nodes at once. */
    sn_surface_volume_def whole = sn_surface_volume_def_default();
    uint32_t triangles[600];
    size_t count;
    sn_constraint made;
    REQUIRE_OK(sn_tet_mesh_get_surface(b.world, b.build.tet_mesh, triangles, 200, &count));
    whole.nodes = b.nodes;
    whole.node_count = b.mesh.vertex_count;
    whole.triangles = triangles;
    whole.triangle_count = count;
    REQUIRE_OK(sn_constraint_create(b.world, SN_TYPE_SURFACE_VOLUME, &whole, &made));
    CHECK_FAILS(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies), SN_ERROR_VALUE);
    CHECK(node_count(&b) == nodes);
    REQUIRE_OK(sn_constraint_destroy(b.world, made));
    /* It was not noted either. */
    blade.point.x = 10;
    CHECK(cut(&b, blade) == 0);
    CHECK(node_count(&b) == nodes);
    body_free(&b);
}

/* Pins hold both sides. */
/* A tetrahedron with ten nodes is one element: nothing can go between them. */
TEST(quadratic_tets_are_not_cut) {
    sn_mesh plain = block_mesh(1, 0.5, 0.5, 2, SN_BLOCK_FIVE), fine = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_midpoints(&plain, &fine));
    sn_mesh_free(&plain);
    sn_solid_material m = sn_solid_material_default();
    m.model = 6;
    body b = body_make(still_world(5, 0), SN_KIND_SOLID, &m, fine, NULL);
    uint64_t hash = sn_world_hash(b.world);
    size_t copies = 7;
    sn_blade_def blade = plane(0.03, 0, 0, 1, 0, 0);
    CHECK_FAILS(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "quadratic_tet holds many nodes") != NULL);
    CHECK(copies == 7 && sn_world_hash(b.world) == hash);
    body_free(&b);
}

TEST(kinematic_nodes_are_not_split) {
    body b = make(block_mesh(1, 0.5, 0.5, 4, SN_BLOCK_FIVE));
    size_t pinned = 0;
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3];
        body_position(&b, i, x);
        if (x[1] > -0.24) continue;
        REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[i], 0));
        pinned++;
    }
    CHECK(pinned > 0);
    CHECK(cut(&b, plane(0.03, 0, 0, 1, 0, 0)) > 8);
    CHECK(count_parts(&b) == 1);
    body_free(&b);
}

TESTS(RUN(a_plane_parts_a_block), RUN(parts_are_cut_again), RUN(a_disc_leaves_a_slit),
      RUN(a_blade_goes_on_from_call_to_call), RUN(motion_is_kept), RUN(snapping_makes_cuts_smooth),
      RUN(snapping_keeps_strain), RUN(a_second_cut_leaves_the_first_alone), RUN(all_models_follow),
      RUN(what_cannot_be_cut_is_refused), RUN(quadratic_tets_are_not_cut),
      RUN(kinematic_nodes_are_not_split))
