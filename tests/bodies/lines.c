/*
 * V53: ropes and rods rest where more substeps lead, or a warning names how many it takes.
 */
#include "meshed_body.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How many substeps a warning asks for, or as many as there were. */
static int needed_of(const heard *h, const char *before, int substeps) {
    const char *found = strstr(h->sentence, before);
    int needed = substeps;
    if (h->warnings > 0) {
        bool read = found && sscanf(found + strlen(before), "%d", &needed) == 1;
        CHECK(read);
    }
    return needed;
}

/* m: how far the end of a line is from where it is held, by its beginning and, of a rod that is
   clamped, by its second node; along gravity. */
static double hang(sn_kind kind, const void *material, double length, uint32_t segments,
                   int substeps, bool sideways, heard *h) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    double first[3], last[3];
    *h = (heard){0};
    def.settings.substeps = substeps;
    def.settings.damping = 3;
    def.settings.gravity =
        (sn_vec3){sideways ? 0 : (sn_real)9.81, sideways ? (sn_real)-9.81 : 0, 0};
    def.log = hear_warnings;
    def.log_user = h;
    REQUIRE_OK(sn_world_create(&def, &world));
    body b = body_make(world, kind, material, line_mesh(length, segments), NULL);
    REQUIRE_OK(sn_node_set_inverse_mass(world, b.nodes[0], 0));
    if (sideways) {
        REQUIRE_OK(sn_node_set_inverse_mass(world, b.nodes[1], 0));
        REQUIRE_OK(sn_node_set_inverse_inertia(world, b.nodes[0], (sn_vec3){0, 0, 0}));
    }
    body_run(&b, 480, 1.0 / 60);
    body_position(&b, 0, first);
    body_position(&b, segments, last);
    body_free(&b);
    return sideways ? first[1] - last[1] : last[0] - first[0];
}

/* What hangs is longer by up to 1 %, or it is said by how much, and how many substeps it takes. */
TEST(what_hangs_is_as_long_as_it_should_be_or_says_so) {
    static const struct {
        double length;
        uint32_t segments;
        size_t warnings;
    } cases[] = {{1, 20, 0}, {1, 50, 0}, {1, 100, 1}, {0.5, 50, 1}, {2, 100, 1}};
    for (int i = 0; i < 10; i++) {
        double length = cases[i / 2].length;
        uint32_t segments = cases[i / 2].segments;
        sn_rope_material rope = sn_rope_material_default();
        sn_rod_material rod = sn_rod_material_default();
        sn_kind kind = i % 2 ? SN_KIND_ROD : SN_KIND_ROPE;
        const void *material = i % 2 ? (const void *)&rod : (const void *)&rope;
        heard h, later;
        rope.young = rod.young = SN_AUTO;
        double at_first = hang(kind, material, length, segments, 20, false, &h);
        int needed = needed_of(&h, "; ", 20);
        double there = hang(kind, material, length, segments, needed, false, &later);
        check_case("%s of %g m, %d segments: %g m, with %d substeps %g m, \"%s\"",
                   i % 2 ? "rod" : "rope", length, (int)segments, at_first, needed, there,
                   h.sentence);
        CHECK(h.warnings == cases[i / 2].warnings && later.warnings == 0);
        CHECK(there >= length && there < 1.0105 * length);
        if (h.warnings == 0) continue;
        double said = 0;
        CHECK(sscanf(strstr(h.sentence, "about "), "about %lf", &said) == 1);
        CHECK_REL(at_first / length - 1, said / 100, 0.1);
    }
}

/* What is clamped droops within 5 % of what it does with more substeps, or it is said. */
TEST(what_is_clamped_droops_as_it_should_or_says_so) {
    static const struct {
        double young, radius;
        uint32_t segments;
    } cases[] = {{3e5, 0.005, 6}, {1e7, 0.005, 10}, {1e8, 0.005, 6}, {1e9, 0.002, 8}};
    int warned = 0;
    for (int i = 0; i < 4; i++) {
        sn_rod_material m = sn_rod_material_default();
        heard h, later;
        m.young = (sn_real)cases[i].young;
        m.radius = (sn_real)cases[i].radius;
        double at_first = hang(SN_KIND_ROD, &m, 0.3, cases[i].segments, 20, true, &h);
        int needed = needed_of(&h, "needs ", 20);
        double there = hang(SN_KIND_ROD, &m, 0.3, cases[i].segments, needed, true, &later);
        CHECK(later.warnings == 0);
        double far = hang(SN_KIND_ROD, &m, 0.3, cases[i].segments, 4 * needed, true, &later);
        check_case("%g Pa, %d segments: %g m, with %d substeps %g m, with four times as many %g m",
                   cases[i].young, (int)cases[i].segments, at_first, needed, there, far);
        CHECK_REL(there, far, 0.05);
        warned += h.warnings > 0;
    }
    CHECK(warned >= 2 && warned < 4);
}

TESTS(RUN(what_hangs_is_as_long_as_it_should_be_or_says_so),
      RUN(what_is_clamped_droops_as_it_should_or_says_so))
