/*
 * The material of a solid: what becomes of its fields, what is refused, how many substeps it needs,
 * and a torus whose stretch, shear and volume have stiffnesses of their own, as in figure 20 of the
 * survey.
 */
#include "meshed_body.h"

#include <math.h>
#include <sinew/volume.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEO_HOOKEAN, EDGES, ELASTIC, COROTATED, STRAIN, MODELS };

static const char *const names[] = {"neo_hookean", "edges", "elastic", "corotated", "strain"};

/* ---- Constraints ---- */

TEST(every_model_has_its_constraints) {
    static const sn_type types[] = {SN_TYPE_NEO_HOOKEAN_TET, SN_TYPE_TET_VOLUME,
                                    SN_TYPE_ELASTIC_TET, SN_TYPE_COROTATED_TET, SN_TYPE_STRAIN_TET};
    for (int model = 0; model < MODELS; model++) {
        sn_solid_material m = sn_solid_material_default();
        m.model = model;
        check_case("%s", names[model]);
        body b = body_make(still_world(1, 0), SN_KIND_SOLID, &m,
                           block_mesh(1, 1, 1, 2, SN_BLOCK_FIVE), NULL);
        CHECK(count_type(b.world, types[model]) == 40);
        CHECK(b.build.constraints == (model == EDGES ? 130 : 40));
        body_free(&b);
        m.volume_stiffness = 1000;
        m.fibre_stiffness = 1000;
        b = body_make(still_world(1, 0), SN_KIND_SOLID, &m, block_mesh(1, 1, 1, 2, SN_BLOCK_FIVE),
                      NULL);
        CHECK(count_type(b.world, SN_TYPE_TET_VOLUME) == (model == EDGES ? 80 : 40));
        CHECK(count_type(b.world, SN_TYPE_FIBRE_TET) == 40);
        body_free(&b);
    }
}

/* The default is a material that keeps its shape; all at rest stay where they are. */
TEST(every_model_rests) {
    for (int model = 0; model < MODELS; model++) {
        sn_solid_material m = sn_solid_material_default();
        sn_build_def def = sn_build_def_default();
        double most = 0;
        m.model = model;
        m.fibre_stiffness = (sn_real)1e5;
        m.fibre = (sn_vec3){1, 2, 3};
        m.volume_stiffness = (sn_real)1e5;
        m.plastic_yield = (sn_real)0.01;
        def.rotation = (sn_quat){1, 2, 3, 4};
        body b = body_make(still_world(20, 0), SN_KIND_SOLID, &m,
                           block_mesh(0.4, 0.2, 0.2, 2, SN_BLOCK_SIX), &def);
        double(*start)[3] = malloc(b.mesh.vertex_count * sizeof *start), x[3];
        REQUIRE_OK(start ? SN_OK : SN_ERROR_MEMORY);
        for (size_t i = 0; i < b.mesh.vertex_count; i++) body_position(&b, i, start[i]);
        body_run(&b, 30, 1.0 / 60);
        for (size_t i = 0; i < b.mesh.vertex_count; i++) {
            body_position(&b, i, x);
            for (int c = 0; c < 3; c++) most = fmax(most, fabs(x[c] - start[i][c]));
        }
        check_case("%s moved by %g m", names[model], most);
        CHECK(most < 1e-6);
        free(start);
        body_free(&b);
    }
}

/* Fibres along an axis of the mesh shorten the body along it, wherever it is turned. */
TEST(fibres_run_along_their_direction) {
    sn_solid_material m = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    double half = sqrt(0.5), a[3], b[3];
    m.young = 1000;
    m.poisson = 0;
    m.fibre_stiffness = (sn_real)1e5;
    m.fibre = (sn_vec3){0, 1, 0};
    m.activation = 1;
    m.contraction = (sn_real)0.8;
    m.fibre_slack = 0;
    m.damping = (sn_real)0.01;
    /* A quarter turn about z: the y axis of the mesh is against the x axis of the world. */
    def.rotation = (sn_quat){0, 0, (sn_real)half, (sn_real)half};
    body bar = body_make(still_world(20, 5), SN_KIND_SOLID, &m,
                         block_mesh(0.1, 0.1, 0.1, 2, SN_BLOCK_FIVE), &def);
    body_run(&bar, 120, 1.0 / 60);
    body_position(&bar, 0, a);
    body_position(&bar, bar.mesh.vertex_count - 1, b);
    CHECK_REL(fabs(b[0] - a[0]), 0.1 * (0.8 + 0.2 / 101), 2e-3);
    /* sqrt((2 - 1 / s) / s) across, for a Neo-Hookean bar without Poisson's ratio. */
    CHECK_REL(fabs(b[1] - a[1]), 0.1 * 0.9683, 2e-3);
    body_free(&bar);
}

/* ---- What is refused ---- */

static void check_ratio(int model, double ratio, bool map, const char *sentence) {
    sn_solid_material m = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    sn_mesh mesh = block_mesh(1, 1, 1, 1, SN_BLOCK_FIVE);
    sn_world *world = still_world(1, 0);
    sn_real values[8] = {(sn_real)0.4, (sn_real)0.4, (sn_real)0.4, (sn_real)ratio,
                         (sn_real)0.4, (sn_real)0.4, (sn_real)0.4, (sn_real)0.4};
    sn_material_map poisson = {"poisson", values, 8};
    sn_build build;
    m.model = model;
    if (!map) m.poisson = (sn_real)ratio;
    def.mesh = &mesh;
    def.maps = &poisson;
    def.map_count = map ? 1 : 0;
    check_case("%s, %g", names[model], ratio);
    sn_result result = sn_build_body(world, SN_KIND_SOLID, &m, &def, NULL, &build);
    CHECK(result == (sentence ? SN_ERROR_VALUE : SN_OK));
    if (sentence) CHECK(strcmp(sn_last_error(), sentence) == 0);
    sn_world_destroy(world);
    sn_mesh_free(&mesh);
}

TEST(models_say_which_ratios_they_take) {
    check_ratio(EDGES, 0.25, false, NULL);
    check_ratio(EDGES, 0.2, false,
                "solid: poisson is 0.2, but the model edges takes 0.25 to 0.5; corotated and "
                "elastic take all");
    check_ratio(EDGES, 0.1, true,
                "solid: poisson at vertex 3 is 0.1, but the model edges takes 0.25 to 0.5; "
                "corotated and elastic take all");
    check_ratio(NEO_HOOKEAN, 0, false, NULL);
    check_ratio(NEO_HOOKEAN, 0.5, false, NULL);
    check_ratio(NEO_HOOKEAN, -0.5, false,
                "solid: poisson is -0.5, but the model neo_hookean takes 0 to 0.5; corotated and "
                "elastic take all");
    check_ratio(ELASTIC, -0.9, false, NULL);
    check_ratio(ELASTIC, -0.9, true, NULL);
    check_ratio(COROTATED, -0.9, false, NULL);
    check_ratio(STRAIN, -0.9, false, NULL);
}

/* ---- Substeps ---- */

static double rate_of(const sn_solid_material *m, int substeps, heard *h) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    *h = (heard){0};
    def.settings.substeps = substeps;
    def.log = hear_warnings;
    def.log_user = h;
    REQUIRE_OK(sn_world_create(&def, &world));
    body b = body_make(world, SN_KIND_SOLID, m, block_mesh(0.4, 0.2, 0.2, 2, SN_BLOCK_FIVE), NULL);
    double rate = b.build.substep_rate;
    body_free(&b);
    return rate;
}

/* Cubes of a = 0.1 m: the corners of a cell have the altitude a / sqrt(3). */
TEST(the_substeps_that_a_material_needs_are_said) {
    sn_solid_material m = sn_solid_material_default();
    heard h;
    double c = 10, rate = c * sqrt(3) / 0.1;
    m.young = (sn_real)1e5;
    m.density = 1000;
    CHECK_REL(rate_of(&m, 9, &h), rate, 1e-5);
    CHECK(h.warnings == 0);
    CHECK_REL(rate_of(&m, 8, &h), rate, 1e-5);
    CHECK(h.warnings == 1);
    CHECK(strcmp(h.sentence, "solid: with 8 substeps of 0.00208 s it is softer than its material, "
                             "which needs 9 of them on this mesh to be within 5 %") == 0);
    m.fibre_stiffness = (sn_real)3e5;
    CHECK_REL(rate_of(&m, 100, &h), 2 * rate, 1e-5);
    m.young = SN_AUTO;
    m.fibre_stiffness = 0;
    CHECK(rate_of(&m, 1, &h) == 0 && h.warnings == 0);
    m.young = (sn_real)1e5;
    m.model = STRAIN;
    m.shear_xy = (sn_real)9e5;
    CHECK_REL(rate_of(&m, 100, &h), 3 * rate, 1e-5);
}

/* A bar of gel of 1 mm that hangs is stretched by rho g L / (2 E): where its tets are too small for
   their numbers it is stiffer, and that is said. */
TEST(what_is_too_small_and_soft_for_its_numbers_is_said) {
    static const double sizes[] = {1e-3, 1e-2};
    for (int i = 0; i < 2; i++) {
        const double size = sizes[i], young = 1e6 * size, expected = 1000 * 9.81 * size / 2 / young;
        sn_solid_material m = sn_solid_material_default();
        sn_world_def def = sn_world_def_default();
        sn_build_def build = sn_build_def_default();
        sn_block_def block = sn_block_def_default();
        sn_mesh mesh = sn_mesh_default();
        sn_world *world = NULL;
        uint32_t pins[4];
        heard h = {0};
        def.settings.substeps = 400;
        def.settings.damping = (sn_real)(4 / sqrt(size));
        def.log = hear_warnings;
        def.log_user = &h;
        REQUIRE_OK(sn_world_create(&def, &world));
        m.young = (sn_real)young;
        m.poisson = (sn_real)0.3;
        block.extent = (sn_vec3){(sn_real)(0.1 * size), (sn_real)size, (sn_real)(0.1 * size)};
        block.cells[0] = block.cells[2] = 1;
        block.cells[1] = 10;
        REQUIRE_OK(sn_generate_block(&mesh, &block));
        for (uint32_t v = 0; v < mesh.vertex_count; v++)
            if ((double)mesh.positions[v].y > 0.499 * size) pins[build.pin_count++] = v;
        build.pins = pins;
        build.step = (sn_real)(sqrt(size) / 60);
        body b = body_make(world, SN_KIND_SOLID, &m, mesh, &build);
        body_run(&b, 120, sqrt(size) / 60);
        double lowest = 0;
        for (uint32_t v = 0; v < b.mesh.vertex_count; v++) {
            double x[3];
            body_position(&b, v, x);
            lowest = fmin(lowest, x[1]);
        }
        double stretch = (-lowest / size - 0.5) / expected;
        check_case("%g m: %g of what it should be; %s", size, stretch, h.sentence);
        CHECK((strstr(h.sentence, "smallest tet is stiffer") != NULL) == (i == 0));
        CHECK(i == 0 ? stretch < 0.5 : stretch > 0.95 && stretch < 1.05);
        body_free(&b);
    }
}

/* m, by which a bar of a preset that hangs, or is clamped at its side, droops at rest. */
static double droop(const sn_solid_material *m, int substeps, bool sideways, heard *h) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    double sum = 0, count = 0;
    *h = (heard){0};
    def.settings.substeps = substeps;
    def.settings.damping = 3;
    def.settings.gravity =
        (sn_vec3){sideways ? 0 : (sn_real)9.81, sideways ? (sn_real)-9.81 : 0, 0};
    def.log = hear_warnings;
    def.log_user = h;
    REQUIRE_OK(sn_world_create(&def, &world));
    body b = body_make(world, SN_KIND_SOLID, m, block_mesh(0.4, 0.1, 0.1, 1, SN_BLOCK_FIVE), NULL);
    for (size_t i = 0; i < b.mesh.vertex_count; i++)
        if (b.mesh.positions[i].x < (sn_real)-0.199)
            REQUIRE_OK(sn_node_set_inverse_mass(world, b.nodes[i], 0));
    body_run(&b, 240, 1.0 / 60);
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3];
        body_position(&b, i, x);
        if (b.mesh.positions[i].x < (sn_real)0.199) continue;
        sum += sideways ? (double)b.mesh.positions[i].y - x[1] : x[0] - 0.2;
        count++;
    }
    body_free(&b);
    return sum / count;
}

/* V53: at rest within 5 % of where more substeps lead, or a warning that names how many it takes;
   and with these it is. */
TEST(presets_rest_where_they_should_or_say_so) {
    static const char *const presets[] = {"auxetic", "clay", "foam", "gelatin", "rubber"};
    for (int i = 0; i < 5; i++)
        for (int sideways = 0; sideways < 2; sideways++) {
            sn_solid_material m;
            heard h, later;
            int needed = 20;
            REQUIRE_OK(sn_preset_get(SN_KIND_SOLID, presets[i], &m));
            m.damping = 0;
            double at_first = droop(&m, needed, sideways, &h);
            if (h.warnings > 0)
                REQUIRE_OK(sscanf(strstr(h.sentence, "needs "), "needs %d", &needed) == 1
                               ? SN_OK
                               : SN_ERROR_VALUE);
            double there = h.warnings > 0 ? droop(&m, needed, sideways, &later) : at_first;
            double far = droop(&m, 4 * needed, sideways, &later);
            check_case("%s, %s: %g m, with %d substeps %g m, with four times as many %g m",
                       presets[i], sideways ? "sideways" : "hung", at_first, needed, there, far);
            CHECK(later.warnings == 0);
            CHECK_REL(there, far, 0.05);
        }
}

/* ---- Figure 20 ---- */

typedef struct strains {
    double stretch, along, shear,
        volume; /* means of |stretch|, |that along y|, |cosine|, |J - 1| */
} strains;

static strains measure(const body *b) {
    strains s = {0};
    double n = (double)b->mesh.tet_count;
    for (size_t i = 0; i < b->mesh.tet_count; i++) {
        double rest[4][3], now[4][3], d[3][3], e[3][3], f[3][3] = {{0}}, length[3];
        for (int k = 0; k < 4; k++) {
            sn_vec3 p = b->mesh.positions[b->mesh.tets[i][k]];
            rest[k][0] = (double)p.x, rest[k][1] = (double)p.y, rest[k][2] = (double)p.z;
            body_position(b, b->mesh.tets[i][k], now[k]);
        }
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) {
                d[k][c] = rest[k + 1][c] - rest[0][c];
                e[k][c] = now[k + 1][c] - now[0][c];
            }
        double v[3][3], det = 0;
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) {
                int p = (k + 1) % 3, q = (k + 2) % 3, u = (c + 1) % 3, w = (c + 2) % 3;
                v[k][c] = d[p][u] * d[q][w] - d[p][w] * d[q][u];
            }
        for (int c = 0; c < 3; c++) det += d[0][c] * v[0][c];
        /* f[j]: what became of the unit vector j, the sum over the edges of their duals. */
        for (int j = 0; j < 3; j++)
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < 3; k++) f[j][c] += e[k][c] * v[k][j] / det;
        for (int j = 0; j < 3; j++)
            length[j] = sqrt(f[j][0] * f[j][0] + f[j][1] * f[j][1] + f[j][2] * f[j][2]);
        for (int j = 0; j < 3; j++) {
            int k = (j + 1) % 3;
            double dot = f[j][0] * f[k][0] + f[j][1] * f[k][1] + f[j][2] * f[k][2];
            s.stretch += fabs(length[j] - 1) / 3 / n;
            s.shear += fabs(dot / (length[j] * length[k])) / 3 / n;
        }
        s.along += fabs(length[1] - 1) / n;
        double volume = f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) -
                        f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
                        f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
        s.volume += fabs(volume - 1) / n;
    }
    return s;
}

/* A torus about y, half of which stands on something that holds it, while the other half hangs
   out. */
static strains deform(double stretch, double along, double shear, double volume) {
    sn_mesh surface = sn_mesh_default(), tets = sn_mesh_default();
    sn_torus_def torus = sn_torus_def_default();
    sn_fill_def fill = sn_fill_def_default();
    sn_solid_material m = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    torus.radius = (sn_real)0.25;
    torus.tube = (sn_real)0.1;
    REQUIRE_OK(sn_generate_torus(&surface, &torus));
    fill.spacing = (sn_real)0.07;
    REQUIRE_OK(sn_mesh_fill(&surface, &fill, &tets));
    sn_mesh_free(&surface);
    uint32_t *pins = malloc(tets.vertex_count * sizeof *pins);
    REQUIRE_OK(pins ? SN_OK : SN_ERROR_MEMORY);
    def.pins = pins;
    for (uint32_t i = 0; i < tets.vertex_count; i++)
        if ((double)tets.positions[i].x < 0.05 && (double)tets.positions[i].y < -0.05)
            pins[def.pin_count++] = i;
    m.model = STRAIN;
    m.stretch_x = m.stretch_z = (sn_real)stretch;
    m.stretch_y = (sn_real)along;
    m.shear_yz = m.shear_zx = m.shear_xy = (sn_real)shear;
    m.volume_stiffness = (sn_real)volume;
    sn_world *world = still_world(20, 4);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = (sn_vec3){0, -10, 3};
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    body b = body_make(world, SN_KIND_SOLID, &m, tets, &def);
    free(pins);
    body_run(&b, 120, 1.0 / 60);
    strains s = measure(&b);
    body_free(&b);
    return s;
}

/* The pictures (e) to (h): what is soft gives way, and what is stiff does not. */
TEST(a_torus_gives_way_where_it_is_soft) {
    static const double hard = 2e5, soft = 1e4;
    strains stiff = deform(hard, hard, hard, hard), e = deform(soft, soft, soft, 10 * hard);
    strains f = deform(hard, soft, hard, soft / 10), g = deform(soft, soft, 10 * hard, soft);
    strains h = deform(hard, hard, soft / 2, soft);
    const strains *all[] = {&stiff, &e, &f, &g, &h};
    static const char *const rows[] = {
        "all stiff", "(e) soft but for volume", "(f) soft volume and along y",
        "(g) soft stretch, stiff shear", "(h) stiff stretch, soft shear"};
    for (int i = 0; i < 5; i++)
        printf("%-32s stretch %5.1f %%, along y %5.1f %%, shear %5.1f %%, volume %5.1f %%\n",
               rows[i], 100 * all[i]->stretch, 100 * all[i]->along, 100 * all[i]->shear,
               100 * all[i]->volume);
    CHECK(e.volume < 0.02 && e.stretch > 3 * stiff.stretch && e.shear > 3 * stiff.shear);
    CHECK(f.along > 2 * f.stretch && f.volume > 3 * e.volume);
    CHECK(g.shear < g.stretch / 2 && g.stretch > 2 * h.stretch);
    CHECK(h.shear > 4 * h.stretch && h.shear > 2 * g.shear);
}

/* ---- Energy ---- */

static double energy_of(const sn_world *world) {
    sn_measure m;
    REQUIRE_OK(sn_world_measure(world, &m));
    return m.kinetic_energy + m.potential_energy + m.elastic_energy;
}

/* One substep on something hard is far from solved, and still gives no energy: what hangs, what
   spins and what falls on the floor. */
TEST(one_substep_gains_no_energy) {
    static const int models[] = {0, 3};
    for (int k = 0; k < 2; k++)
        for (int way = 0; way < 3; way++) {
            sn_solid_material m = sn_solid_material_default();
            m.young = (sn_real)1e8;
            m.model = models[k];
            sn_world *world = still_world(1, 0);
            sn_settings settings = sn_settings_default();
            REQUIRE_OK(sn_world_get_settings(world, &settings));
            settings.gravity = (sn_vec3){0, way == 1 ? 0 : (sn_real)-9.81, 0};
            REQUIRE_OK(sn_world_set_settings(world, &settings));
            sn_collider_def floor = sn_collider_def_default();
            sn_collider collider;
            floor.position = (sn_vec3){0, -1, 0};
            if (way == 2) REQUIRE_OK(sn_collider_create(world, &floor, &collider));
            body b = body_make(world, SN_KIND_SOLID, &m,
                               block_mesh(1, 0.25, 0.25, 2, SN_BLOCK_FIVE), NULL);
            for (size_t i = 0; i < b.mesh.vertex_count; i++) {
                sn_vec3 x = b.mesh.positions[i];
                if (way == 0 && x.x < (sn_real)-0.49)
                    REQUIRE_OK(sn_node_set_inverse_mass(world, b.nodes[i], 0));
                if (way == 1)
                    REQUIRE_OK(sn_node_set_velocity(world, b.nodes[i], (sn_vec3){0, 5 * x.x, 0}));
            }
            double first = energy_of(world), most = first;
            for (int frame = 0; frame < 120; frame++) {
                body_run(&b, 1, 1.0 / 60);
                most = fmax(most, energy_of(world));
            }
            check_case("%s, %d: %g J at first, %g J at most", names[models[k]], way, first, most);
            CHECK(most <= first + 1e-3);
            body_free(&b);
        }
}

TESTS(RUN(every_model_has_its_constraints), RUN(every_model_rests),
      RUN(fibres_run_along_their_direction), RUN(models_say_which_ratios_they_take),
      RUN(one_substep_gains_no_energy), RUN(presets_rest_where_they_should_or_say_so),
      RUN(the_substeps_that_a_material_needs_are_said),
      RUN(what_is_too_small_and_soft_for_its_numbers_is_said),
      RUN(a_torus_gives_way_where_it_is_soft))
