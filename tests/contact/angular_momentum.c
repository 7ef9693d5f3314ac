/*
 * V58: the impulses of a contact between collision surfaces have no moment, friction included:
 * exactly for a point on a triangle and for edges that cross, and for bodies as far as the
 * integrator keeps it, which is an error of the first order in h.
 */
#include "check.h"
#include "contact/couple.h"
#include "contact/surface/surface_contact.h"

#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>

#ifdef SN_DOUBLE
#define ROUNDING 1e-12
#else
#define ROUNDING 1e-4
#endif

enum { PAIRS = SN_CONTACT_BLOCK, NODES = PAIRS * SN_CONTACT_MOST_NODES };

static double noise(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

static sn_vec4 vector(double x, double y, double z) {
    return (sn_vec4){(sn_real)x, (sn_real)y, (sn_real)z, 0};
}

/* ---- One contact ---- */

/* A block of pairs with nothing around them. */
typedef struct block {
    _Alignas(64) sn_vec4 x[NODES], p[NODES], d[NODES], moved[NODES], before[NODES];
    sn_real w[NODES];
    int32_t node[NODES];
    _Alignas(64) sn_real row[SN_ROW_COUNT * SN_CONTACT_BLOCK];
} block;

/* Where the nodes of a pair are, 0.2 m apart, when segments cross at an angle. */
static void place(int kind, double angle, sn_vec4 *x) {
    double c = cos(angle), s = sin(angle);
    x[0] = kind == SN_CONTACT_EDGE_EDGE ? vector(-0.5, 0.2, 0.1) : vector(0.1, 0.2, 0.05);
    if (kind == SN_CONTACT_EDGE_EDGE) {
        x[1] = vector(0.6, 0.2, 0.1);
        x[2] = vector(-0.7 * c, 0, -0.7 * s);
        x[3] = vector(0.5 * c, 0, 0.5 * s);
    } else {
        x[1] = vector(-0.5, 0, -0.4);
        x[2] = vector(0.6, 0, -0.3);
        x[3] = vector(0, 0, 0.7);
    }
}

/* Pairs of a kind that overlap by 0.01 m and slide, with masses, places and motions at random. */
static void fill(block *o, int kind, double angle) {
    uint32_t seed = 11;
    int nodes = sn_contact_nodes(kind);
    for (int i = 0; i < PAIRS; i++) {
        sn_vec4 x[SN_CONTACT_MOST_NODES];
        place(kind, angle, x);
        double slide[3] = {0.03 * noise(&seed), 0, 0.03 * noise(&seed)};
        for (int n = 0; n < nodes; n++) {
            int at = nodes * i + n;
            double here = n < sn_contact_first[kind] ? 1 : 0;
            o->node[n * SN_CONTACT_BLOCK + i] = at * (int32_t)SN_NODE_BYTES;
            o->w[at] = (sn_real)(1 + 0.7 * noise(&seed));
            o->x[at] = vector((double)x[n].x + 0.05 * noise(&seed), (double)x[n].y,
                              (double)x[n].z + 0.05 * noise(&seed));
            o->p[at] = vector(0, 0, 0);
            o->d[at] = vector(here * slide[0] + 0.01 * noise(&seed), 0,
                              here * slide[2] + 0.01 * noise(&seed));
            o->before[at] = o->d[at];
        }
        o->row[SN_ROW_STATIC * SN_CONTACT_BLOCK + i] = 1;
        o->row[SN_ROW_CARRIES * SN_CONTACT_BLOCK + i] = 1;
        o->row[SN_ROW_DYNAMIC * SN_CONTACT_BLOCK + i] = (sn_real)0.8;
        o->row[SN_ROW_RECOVERY * SN_CONTACT_BLOCK + i] = 1000;
        o->row[SN_ROW_LIMIT * SN_CONTACT_BLOCK + i] = (sn_real)0.21;
        o->row[(SN_ROW_NORMAL + 1) * SN_CONTACT_BLOCK + i] = 1;
    }
}

/* One sweep. */
static void project(block *o, int kind, sn_width width) {
    atomic_bool recovers = false;
    sn_surface_contact_batch batch = {.x = o->x,
                                      .p = o->p,
                                      .d = o->d,
                                      .moved = o->moved,
                                      .w = o->w,
                                      .node = o->node,
                                      .row = o->row,
                                      .h = 1,
                                      .first = true,
                                      .last = true,
                                      .recovers = &recovers};
    sn_surface_kind_of(kind)->loops[width]->project(&batch, 0, 1);
}

/* The moment of all impulses of pairs over the size of that of their friction; what of the sum of
   impulses is not zero goes to `force`. */
static double moment_of(int kind, sn_width width, double angle, double *force) {
    static block o;
    o = (block){0};
    fill(&o, kind, angle);
    project(&o, kind, width);
    double worst = 0;
    int nodes = sn_contact_nodes(kind);
    for (int i = 0; i < PAIRS; i++) {
        double sum[3] = {0}, moment[3] = {0}, size = 0;
        for (int n = nodes * i; n < nodes * (i + 1); n++) {
            const sn_vec4 *x = &o.x[n], *b = &o.before[n], *d = &o.d[n];
            double at[3] = {(double)x->x + (double)b->x, (double)x->y + (double)b->y,
                            (double)x->z + (double)b->z};
            double m = 1 / (double)o.w[n],
                   f[3] = {m * ((double)d->x - (double)b->x), m * ((double)d->y - (double)b->y),
                           m * ((double)d->z - (double)b->z)};
            for (int k = 0; k < 3; k++) {
                sum[k] += f[k];
                moment[k] += at[(k + 1) % 3] * f[(k + 2) % 3] - at[(k + 2) % 3] * f[(k + 1) % 3];
            }
        }
        for (int k = 0; k < 3; k += 2) {
            double j = (double)o.row[(SN_ROW_IMPULSE + k) * SN_CONTACT_BLOCK + i];
            size += 0.2 * 0.2 * j * j;
        }
        for (int k = 0; k < 3; k++) {
            *force = fmax(*force, fabs(sum[k]) * 0.2 / sqrt(size));
            worst = fmax(worst, fabs(moment[k]) / sqrt(size));
        }
    }
    return worst;
}

TEST(no_contact_has_a_moment) {
    const struct {
        const char *name;
        int kind;
        double angle;
    } cases[] = {
        {"a point on a triangle", SN_CONTACT_POINT_TRIANGLE, 0},
        {"edges at 90 degrees", SN_CONTACT_EDGE_EDGE, 1.5708},
        {"edges at 40 degrees", SN_CONTACT_EDGE_EDGE, 0.7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int width = 0; width < SN_WIDTHS; width++) {
            double force = 0;
            double moment = moment_of(cases[i].kind, (sn_width)width, cases[i].angle, &force);
            check_case("%s, width %d", cases[i].name, width);
            CHECK(force < ROUNDING);
            CHECK(moment < ROUNDING);
        }
}

/* A heavy point that slides by a on a light triangle, which is a third as wide as the point is far
   from it: returns how far the farthest corner goes, over a, and what of the sum of impulses is not
   zero. */
static double thrown(double heavier, sn_width width, double *force) {
    static block o;
    const double slide = 0.01;
    double most = 0;
    o = (block){0};
    fill(&o, SN_CONTACT_POINT_TRIANGLE, 0);
    for (int at = 0; at < NODES; at++) {
        bool point = at % 4 == 0;
        o.w[at] = (sn_real)(point ? 1 / heavier : 1);
        o.x[at] = vector(point ? 0 : 0.12 * (double)o.x[at].x, point ? 0.2 : 0,
                         point ? 0 : 0.12 * (double)o.x[at].z);
        o.d[at] = o.before[at] = vector(point ? slide : 0, 0, 0);
    }
    project(&o, SN_CONTACT_POINT_TRIANGLE, width);
    for (int i = 0; i < PAIRS; i++) {
        double sum[3] = {0}, size = 0;
        for (int at = 4 * i; at < 4 * (i + 1); at++) {
            double m = 1 / (double)o.w[at], by[3] = {(double)(o.d[at].x - o.before[at].x),
                                                     (double)(o.d[at].y - o.before[at].y),
                                                     (double)(o.d[at].z - o.before[at].z)};
            double far = sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]);
            for (int k = 0; k < 3; k++) sum[k] += m * by[k];
            size += m * far;
            most = fmax(most, far / slide);
        }
        for (int k = 0; k < 3; k++) *force = fmax(*force, fabs(sum[k]) / size);
    }
    return most;
}

/* Overlap and slide are 0.01 m each: nobody goes much farther than both and the turn for their
   moment together, however heavy the other is. */
TEST(light_nodes_are_not_thrown_by_heavy_ones) {
    const double heavier[] = {1, 10, 1000};
    for (int i = 0; i < 3; i++)
        for (int width = 0; width < SN_WIDTHS; width++) {
            double force = 0, most = thrown(heavier[i], (sn_width)width, &force);
            if (check_shows()) printf("%g times as heavy: %.2f\n", heavier[i], most);
            check_case("%g times as heavy, width %d", heavier[i], width);
            CHECK(force < ROUNDING);
            CHECK(most < 3.5);
        }
}

/* ---- Bodies ---- */

/* What an impact with friction between two free blocks changes of the angular momentum, over all of
   it. */
static double lost(int substeps) {
    const double radius = 0.01;
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = substeps;
    REQUIRE_OK(sn_world_create(&def, &world));
    for (int i = 0; i < 2; i++) {
        sn_mesh mesh = sn_mesh_default();
        sn_block_def shape = sn_block_def_default();
        sn_solid_material solid = sn_solid_material_default();
        sn_build_def build = sn_build_def_default();
        sn_build built;
        double size = i ? 0.2 : 0.4;
        shape.extent = (sn_vec3){(sn_real)size, (sn_real)0.2, (sn_real)size};
        shape.cells[0] = shape.cells[2] = i ? 2 : 4;
        shape.cells[1] = 2;
        REQUIRE_OK(sn_generate_block(&mesh, &shape));
        solid.young = (sn_real)1e6;
        solid.radius = (sn_real)radius;
        solid.model = 1; /* edges */
        build.mesh = &mesh;
        build.collide = SN_COLLIDE_OTHERS;
        build.surface.static_friction = build.surface.dynamic_friction = (sn_real)0.5;
        if (i) {
            build.position =
                (sn_vec3){(sn_real)0.013, (sn_real)(0.22 + 2 * radius), (sn_real)0.021};
            build.rotation = (sn_quat){0, (sn_real)0.2, 0, (sn_real)0.98};
            build.velocity = (sn_vec3){2, -1, (sn_real)0.5};
        }
        REQUIRE_OK(sn_build_body(world, SN_KIND_SOLID, &solid, &build, NULL, &built));
        sn_mesh_free(&mesh);
    }
    sn_measure start, end;
    REQUIRE_OK(sn_world_measure(world, &start));
    for (int i = 0; i < 12; i++) CHECK_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    REQUIRE_OK(sn_world_measure(world, &end));
    double all = 0, change = 0;
    for (int k = 0; k < 3; k++) {
        all += pow(start.angular_momentum[k], 2);
        change += pow(end.angular_momentum[k] - start.angular_momentum[k], 2);
    }
    sn_world_destroy(world);
    return sqrt(change / all);
}

TEST(an_impact_between_blocks_keeps_angular_momentum) {
    double coarse = lost(20), fine = lost(80);
    printf("  of the angular momentum %.1e at 20 substeps, %.1e at 80\n", coarse, fine);
    CHECK(coarse < 3e-3);
    CHECK(fine < 0.35 * coarse);
}

/* ---- The inverse of moments ---- */

/* r r^T of three points, in a plane or not. */
static void moments(double flat, uint32_t *seed, double m[3][3]) {
    for (int i = 0; i < 9; i++) m[i / 3][i % 3] = 0;
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = noise(seed);
        v[k] = noise(seed);
        w[k] = flat * noise(seed) + (u[k] - v[k]);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) m[i][k] = u[i] * u[k] + v[i] * v[k] + w[i] * w[k];
}

/* Of what has an extent in all directions it is the inverse; of what is flat it is that of the sum
   with as much in every direction as makes the least moment an eighth of the square of the arm. */
TEST(moments_are_inverted) {
    uint32_t seed = 5;
    for (int run = 0; run < 60; run++) {
        double m[3][3], flat = run % 2;
        moments(flat, &seed, m);
        sn_couple c = {.arm = {sn_lane_all((sn_real)0.2), sn_lane_all((sn_real)0.1),
                               sn_lane_all((sn_real)-0.2)}};
        double least = 0.125 * 0.09, p[3][3], trace = m[0][0] + m[1][1] + m[2][2];
        sn_lane3 a = {sn_lane_all((sn_real)m[0][0]), sn_lane_all((sn_real)m[1][1]),
                      sn_lane_all((sn_real)m[2][2])};
        sn_lane3 b = {sn_lane_all((sn_real)m[1][2]), sn_lane_all((sn_real)m[2][0]),
                      sn_lane_all((sn_real)m[0][1])};
        sn_couple_invert(&c, a, b);
        double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[1][2]) -
                     m[0][1] * (m[0][1] * m[2][2] - m[1][2] * m[0][2]) +
                     m[0][2] * (m[0][1] * m[1][2] - m[1][1] * m[0][2]);
        double minors = m[1][1] * m[2][2] - m[1][2] * m[1][2] + m[2][2] * m[0][0] -
                        m[0][2] * m[0][2] + m[0][0] * m[1][1] - m[0][1] * m[0][1];
        double more = fmax(least - det / minors, 0);
        check_case("%d, flat %g, %g more of %g", run, flat, more, trace);
        for (int i = 0; i < 3; i++) {
            m[i][i] += more;
            const sn_lane3 row = c.row[i];
            p[i][0] = (double)((const sn_real *)&row.x)[0];
            p[i][1] = (double)((const sn_real *)&row.y)[0];
            p[i][2] = (double)((const sn_real *)&row.z)[0];
        }
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                double sum = m[i][0] * p[0][k] + m[i][1] * p[1][k] + m[i][2] * p[2][k];
                CHECK_NEAR(sum, i == k, 20 * ROUNDING);
            }
    }
}

TESTS(RUN(moments_are_inverted), RUN(no_contact_has_a_moment),
      RUN(light_nodes_are_not_thrown_by_heavy_ones),
      RUN(an_impact_between_blocks_keeps_angular_momentum))
