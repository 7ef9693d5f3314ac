/* k_stretch and k_bend of the 2007 model act on every kind of body, or are refused. */
#include <string.h>

#include "bodies/meshed_body.h"

static sn_world *old_world(void) {
    sn_world_def def = sn_world_def_default();
    def.settings.model = SN_MODEL_PBD;
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* Hangs a body of a kind on its first vertex. */
static sn_result hang(sn_world *world, sn_kind kind, const void *material, double k_stretch,
                      double k_bend) {
    static const uint32_t first = 0;
    sn_mesh mesh = mesh_for(kind);
    sn_build_def def = sn_build_def_default();
    sn_build build;
    def.mesh = &mesh;
    def.pins = &first;
    def.pin_count = 1;
    def.k_stretch = (sn_real)k_stretch;
    def.k_bend = (sn_real)k_bend;
    sn_result result = sn_build_body(world, kind, material, &def, NULL, &build);
    sn_mesh_free(&mesh);
    return result;
}

static bool bends(sn_type type) {
    return strstr(sn_type_get_info(type)->name, "bend") != NULL;
}

/* Whether all constraints have the k that is asked for. */
static bool have_k(const sn_world *world, double k_stretch, double k_bend) {
    size_t count = 0;
    sn_constraint constraint;
    for (size_t i = 0; count < sn_world_constraint_count(world, SN_TYPE_COUNT); i++) {
        sn_real k[3];
        sn_type type;
        if (sn_world_constraint_at(world, i, &constraint) != SN_OK) continue;
        count++;
        REQUIRE_OK(sn_constraint_get_type(world, constraint, &type));
        REQUIRE_OK(sn_constraint_get_field(world, constraint, "stiffness", k));
        if ((double)k[0] != (bends(type) ? k_bend : k_stretch)) return false;
    }
    return count > 0;
}

/* m: how far all nodes have sunk together, after a while. */
static double sunk(sn_kind kind, const void *material, double k_stretch, double k_bend) {
    sn_world *world = old_world();
    CHECK_OK(hang(world, kind, material, k_stretch, k_bend));
    CHECK(have_k(world, k_stretch, k_bend));
    for (int i = 0; i < 20; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    double sum = 0;
    for (size_t i = 0; i < view.count; i++) sum -= (double)view.position[i].y;
    sn_world_destroy(world);
    return sum;
}

/* Both act on the motion, and each of them for itself. */
static void expect_both(sn_kind kind, const void *material, bool bending) {
    double hard = sunk(kind, material, 1, 1);
    CHECK(sunk(kind, material, 0.03125, 1) != hard);
    if (bending) CHECK(sunk(kind, material, 1, 0.03125) != hard);
}

TEST(every_kind_has_k) {
    sn_rope_material rope = sn_rope_material_default();
    sn_rod_material rod = sn_rod_material_default();
    expect_both(SN_KIND_ROPE, &rope, false);
    expect_both(SN_KIND_ROD, &rod, true);
    for (int model = 0; model < 4; model++)
        for (int bending = 0; bending < 5; bending++) {
            check_case("cloth, model %d, bending %d", model, bending);
            sn_cloth_material cloth = sn_cloth_material_default();
            cloth.model = model;
            cloth.bending = bending;
            cloth.bending_stiffness = (sn_real)1e-3;
            expect_both(SN_KIND_CLOTH, &cloth, true);
        }
    for (int model = 0; model < 5; model++) {
        check_case("solid, model %d", model);
        sn_solid_material solid = sn_solid_material_default();
        solid.model = model;
        expect_both(SN_KIND_SOLID, &solid, false);
    }
}

TEST(k_that_would_do_nothing_is_refused) {
    sn_rope_material rope = sn_rope_material_default();
    sn_cloth_material cloth = sn_cloth_material_default(); /* without bending */
    sn_shape_material shape = sn_shape_material_default();
    sn_world *world = old_world(), *xpbd = still_world(4, 0);
    CHECK_FAILS(hang(world, SN_KIND_ROPE, &rope, 1, 0.5), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "nothing that it could act on") != NULL);
    CHECK_FAILS(hang(world, SN_KIND_CLOTH, &cloth, 1, 0.5), SN_ERROR_VALUE);
    CHECK_FAILS(hang(world, SN_KIND_SHAPE, &shape, 0.5, 1), SN_ERROR_VALUE);
    CHECK_FAILS(hang(world, SN_KIND_CLOTH, &cloth, 1.5, 1), SN_ERROR_VALUE);
    CHECK_FAILS(hang(world, SN_KIND_CLOTH, &cloth, -1, 1), SN_ERROR_VALUE);
    CHECK_FAILS(hang(xpbd, SN_KIND_CLOTH, &cloth, 0.5, 1), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "xpbd") != NULL);
    CHECK(sn_world_constraint_count(world, SN_TYPE_COUNT) == 0);
    CHECK_OK(hang(xpbd, SN_KIND_CLOTH, &cloth, 1, 1));
    sn_world_destroy(world);
    sn_world_destroy(xpbd);
}

/* Limits stay hard. */
TEST(limits_stay_hard) {
    for (int limits = 0; limits < 2; limits++) {
        sn_cloth_material cloth = sn_cloth_material_default();
        cloth.strain_limit = (sn_real)0.1;
        cloth.limits = limits;
        sn_world *world = old_world();
        REQUIRE_OK(hang(world, SN_KIND_CLOTH, &cloth, 0.5, 1));
        CHECK(!have_k(world, 0.5, 1));
        sn_world_destroy(world);
    }
}

TESTS(RUN(every_kind_has_k), RUN(k_that_would_do_nothing_is_refused), RUN(limits_stay_hard))
