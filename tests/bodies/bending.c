/*
 * How a sheet bends, measured on strips that the builder made.
 *
 * V25: a strip that is clamped at one end and bends under its own weight, at every weight of the
 * table. The same on three resolutions and two tessellations: a fabric is not a mesh. And that
 * bending and stretching do not know of each other (Mueller et al. 2007, figure 3): how far a strip
 * hangs down does not depend on how it stretches, and the other way round.
 *
 * A strip has unit length, mass per area and bending stiffness, so that gravity is its weight
 * rho_A g L^3 / B. It lies along z. Two rows of vertices are held, and it is clamped at the
 * second, z = 0.
 */
#include <math.h>
#include <stdlib.h>

#include "meshed_body.h"

enum { HELD = 2 };

typedef struct strip {
    sn_grid_pattern pattern;
    uint32_t rows, columns; /* cells along and across */
    double weight;          /* rho_A g L^3 / B, and gravity */
    double bending;         /* N m */
    double stretch;         /* N/m, or automatic */
    int model;              /* which constraints resist bending */
    bool hanging;           /* along gravity instead of across it */
    double h, time;         /* s */
    int iterations;
} strip;

static const strip usual = {SN_GRID_SAME, 10, 8, 2, 1, SN_AUTO, 0, false, 5e-5, 2.5, 1};

typedef struct tip {
    double drop, along; /* m, of the free end from the clamp */
} tip;

static double pitch_of(const strip *s) {
    return 1.0 / (s->rows - (HELD - 1));
}

static body make_strip(const strip *s) {
    enum { SUBSTEPS = 100 };
    double pitch = pitch_of(s), length = pitch * s->rows;
    double side = s->pattern == SN_GRID_EQUILATERAL ? pitch / sqrt(0.75) : pitch;
    sn_cloth_material m = sn_cloth_material_default();
    m.area_density = 1;
    m.bending = s->model;
    m.bending_stiffness = (sn_real)s->bending;
    m.stretch_stiffness = (sn_real)s->stretch;
    sn_mesh mesh = grid_mesh(side * s->columns, length, s->columns, s->rows, s->pattern);
    uint32_t *pins = calloc(mesh.vertex_count, sizeof *pins);
    REQUIRE_OK(pins ? SN_OK : SN_ERROR_MEMORY);
    sn_build_def def = sn_build_def_default();
    def.pins = pins;
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        mesh.positions[i].z += (sn_real)(length / 2 - (HELD - 1) * pitch);
        if ((double)mesh.positions[i].z < pitch / 2) pins[def.pin_count++] = i;
    }
    sn_world *world = still_world(SUBSTEPS, 7);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity =
        s->hanging ? (sn_vec3){0, 0, (sn_real)s->weight} : (sn_vec3){0, (sn_real)-s->weight, 0};
    settings.keep_forces = false;
    settings.iterations = s->iterations;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    body b = body_make(world, SN_KIND_CLOTH, &m, mesh, &def);
    free(pins);
    return b;
}

static tip measure_tip(const body *b) {
    tip t = {0, 0};
    int count = 0;
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        double x[3];
        if (fabs((double)b->mesh.positions[i].z - 1) > 1e-3) continue;
        body_position(b, i, x);
        t.drop -= x[1];
        t.along += x[2];
        count++;
    }
    return (tip){t.drop / count, t.along / count};
}

static tip settle(strip s) {
    body b = make_strip(&s);
    body_run(&b, (int)lround(s.time / (100 * s.h)), 100 * s.h);
    tip t = measure_tip(&b);
    body_free(&b);
    return t;
}

/* ---- V25 ---- */

TEST(a_strip_bends_under_its_own_weight) {
    static const struct {
        double weight, drop, along;
    } rows[] = {{0.5, 0.062306, 0.997779}, {1, 0.123471, 0.991246},  {2, 0.238507, 0.966893},
                {5, 0.495905, 0.846657},   {10, 0.700200, 0.656354}, {50, 0.907917, 0.245015},
                {100, 0.937524, 0.159223}};
    for (int i = check_long() ? 0 : 1; i < (check_long() ? 7 : 5); i += check_long() ? 1 : 2) {
        check_case("weight %g", rows[i].weight);
        strip s = usual;
        s.weight = rows[i].weight;
        /* The heavier it is, the nearer to the clamp it bends. */
        if (s.weight > 20) s.rows = 2 * usual.rows;
        tip t = settle(s);
        CHECK_REL(t.drop, rows[i].drop, 0.05);
        CHECK_REL(t.along, rows[i].along, 0.05);
    }
}

/* A compliance is one however often it is solved: what a sweep has done counts in the next. */
TEST(iterations_do_not_stiffen) {
    for (int model = 1; model <= 4; model++) { /* vertex, isometric, dihedral, plate */
        double drop[2];
        for (int k = 0; k < 2; k++) {
            strip s = usual;
            s.rows = 6;
            s.columns = 2;
            s.model = model;
            s.h = 4e-4;
            s.time = 1.6;
            s.iterations = k ? 4 : 1;
            drop[k] = settle(s).drop;
        }
        check_case("model %d: %.4f m, with 4 iterations %.4f m", model, drop[0], drop[1]);
        CHECK_REL(drop[1], drop[0], 0.05);
    }
}

/* ---- Meshes ---- */

/* The substep goes with the cells, so that what the solver leaves of stretching is alike. Triangles
   of no stretch at all may lock: the sheet becomes a gutter, which does not bend. */
TEST(a_fabric_bends_alike_on_all_meshes) {
    static const sn_grid_pattern patterns[] = {SN_GRID_SAME, SN_GRID_EQUILATERAL};
    double least = 1, most = 0;
    for (int p = 0; p < 2; p++)
        for (uint32_t rows = 8; rows <= (check_long() ? 16 : 12); rows += 4) {
            strip s = usual;
            s.pattern = patterns[p];
            s.rows = rows;
            s.columns = rows * 3 / 4;
            s.weight = 10;
            s.h = usual.h * usual.rows / rows;
            s.stretch = 3e5;
            tip t = settle(s);
            check_case("pattern %d, %u rows: %.4f m", s.pattern, rows, t.drop);
            CHECK_REL(t.drop, 0.700200, 0.05);
            least = fmin(least, t.drop);
            most = fmax(most, t.drop);
        }
    CHECK_REL(most, least, 0.05);
}

/* ---- Bending and stretching ---- */

enum { STRETCHES = 3, BENDINGS = 2 };
static const double stretches[STRETCHES] = {1e3, 1e4, 1e5}, bendings[BENDINGS] = {1, 0.01};

static strip pair_of(int stretch, int bending) {
    strip s = usual;
    s.model = 3; /* hinges, as in the paper */
    s.pattern = SN_GRID_EQUILATERAL;
    s.weight = 5;
    s.stretch = stretches[stretch];
    s.bending = bendings[bending];
    s.h = 1e-4;
    return s;
}

/* Over six pairs, four in the short form: how far the strip sags, and how long it becomes when it
   hangs. */
TEST(bending_and_stretching_are_independent) {
    double sag[STRETCHES][BENDINGS], longer[STRETCHES][BENDINGS];
    const int next = check_long() ? 1 : STRETCHES - 1;
    for (int k = 0; k < STRETCHES; k += next)
        for (int b = 0; b < BENDINGS; b++) {
            strip s = pair_of(k, b);
            sag[k][b] = settle(s).drop;
            s.hanging = true;
            longer[k][b] = settle(s).along - 1;
        }
    for (int b = 0; b < BENDINGS; b++)
        for (int k = next; k < STRETCHES; k += next) {
            check_case("bending %g N m, stretching %g N/m: sag %g m", bendings[b], stretches[k],
                       sag[k][b]);
            CHECK_REL(sag[k][b], sag[0][b], 0.05);
        }
    for (int k = 0; k < STRETCHES; k += next) {
        check_case("stretching %g N/m: longer by %g m", stretches[k], longer[k][0]);
        CHECK_REL(longer[k][1], longer[k][0], 0.05);
        /* And each does what it says: half the weight over the stiffness, below the held rows. */
        CHECK_REL(longer[k][0], 5 / (2 * stretches[k]), 0.1);
    }
    /* What bends less sags less: otherwise nothing was measured. */
    CHECK(sag[0][1] > 1.5 * sag[0][0]);
}

TESTS(RUN(a_strip_bends_under_its_own_weight), RUN(iterations_do_not_stiffen),
      RUN(a_fabric_bends_alike_on_all_meshes), RUN(bending_and_stretching_are_independent))
