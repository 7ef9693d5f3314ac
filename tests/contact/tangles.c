/*
 * What is tangled and cannot come free: it gains no energy and comes to rest, and it is counted.
 */
#include "check.h"
#include "crossing_sheets.h"

#include <math.h>
#include <stdio.h>

static const sn_vec3 nowhere = {0, 0, 0};

/* About the z axis, with a little of the others so that no edge lies in a triangle. */
static sn_vec3 tilted(double x, double z, void *user) {
    double angle = *(const double *)user, y = x * sin(angle) + 0.013 * z;
    return (sn_vec3){(sn_real)(x * cos(angle) + 0.007), (sn_real)(y + 0.0031),
                     (sn_real)(z + 0.011)};
}

static sheets *cross(double *angle) {
    sheets *s = sheets_make(20, 1, nowhere);
    sheet def = sheet_default();
    def.thickness = 0.01;
    def.self = def.penetration_free = false;
    sheets_add(s, &def);
    def.shape = tilted;
    def.user = angle;
    sheets_add(s, &def);
    sheets_look(s);
    return s;
}

static double energy_of(const sheets *s) {
    sn_measure m;
    REQUIRE_OK(sn_world_measure(s->world, &m));
    return m.kinetic_energy + m.elastic_energy;
}

/* At first all is at rest. When contacts there recovered, they gave up to 0.08 J. */
TEST(what_stays_tangled_gains_nothing) {
    const double angles[] = {0.0523598776, 0.1745329252, 0.5235987756, 1.5707963268};
    for (int k = 0; k < 4; k++) {
        double angle = angles[k], most = 0;
        sheets *s = cross(&angle);
        check_case("%.0f degrees", angle * 180 / 3.14159265358979323846);
        CHECK(sheets_crossings(s) > 30);
        int frames = check_long() ? 300 : 120;
        for (int i = 0; i < frames; i++) {
            CHECK_OK(sn_world_step(s->world, (sn_real)(1.0 / 60)));
            most = fmax(most, energy_of(s));
        }
        if (check_shows())
            printf("  %.3f rad: %.6f J at most, %.6f J in the end\n", angle, most, energy_of(s));
        CHECK(most < 0.004);
        CHECK(energy_of(s) < 0.0015);
        sheets_free(s);
    }
}

/* ---- Counting ---- */

static double det(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 x) {
    double u[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
    double v[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z};
    double w[3] = {(double)x.x - (double)a.x, (double)x.y - (double)a.y, (double)x.z - (double)a.z};
    return w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) +
           w[2] * (u[0] * v[1] - u[1] * v[0]);
}

/* Both ends on other sides of the triangle, and all corners on one side around the edge. */
static bool pass(sn_vec3 p, sn_vec3 q, const sn_vec3 t[3]) {
    double a = det(p, q, t[0], t[1]), b = det(p, q, t[1], t[2]), c = det(p, q, t[2], t[0]);
    bool around = (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
    return around && det(t[0], t[1], t[2], p) * det(t[0], t[1], t[2], q) < 0;
}

static bool is_edge_of_earlier(const sn_mesh *mesh, size_t triangle, uint32_t a, uint32_t b) {
    bool found = false;
    for (size_t i = 0; i < triangle; i++) {
        int shared = 0;
        for (int k = 0; k < 3; k++)
            shared += mesh->triangles[i][k] == a || mesh->triangles[i][k] == b;
        found = found || shared == 2;
    }
    return found;
}

/* Every edge with every triangle of the other sheet; a sheet does not meet itself. */
static size_t count_all(const sheets *s) {
    size_t found = 0;
    for (size_t i = 0; i < s->all.triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = s->all.triangles[i][k], b = s->all.triangles[i][(k + 1) % 3];
            if (is_edge_of_earlier(&s->all, i, a, b)) continue;
            for (size_t j = 0; j < s->all.triangle_count; j++) {
                const uint32_t *t = s->all.triangles[j];
                const sn_vec3 corner[3] = {s->at[t[0]], s->at[t[1]], s->at[t[2]]};
                bool same = (a < s->nodes / 2) == (t[0] < s->nodes / 2);
                found += !same && pass(s->at[a], s->at[b], corner);
            }
        }
    return found;
}

TEST(crossings_are_counted_as_they_are) {
    double angle = 0.3;
    size_t counted = 0;
    sheets *s = cross(&angle);
    CHECK_OK(sn_world_count_crossings(s->world, &counted));
    CHECK(counted > 30 && counted == count_all(s));
    for (int i = 0; i < 5; i++) CHECK_OK(sn_world_step(s->world, (sn_real)(1.0 / 60)));
    sheets_look(s);
    CHECK_OK(sn_world_count_crossings(s->world, &counted));
    CHECK(counted > 30 && counted == count_all(s));
    /* Surfaces that do not meet are none. */
    sn_collision_surface surface;
    CHECK_OK(sn_world_collision_surface_at(s->world, 0, &surface));
    CHECK_OK(sn_collision_surface_destroy(s->world, surface));
    CHECK_OK(sn_world_count_crossings(s->world, &counted));
    CHECK(counted == 0);
    CHECK(sn_world_count_crossings(NULL, &counted) == SN_ERROR_NULL);
    CHECK(sn_world_count_crossings(s->world, NULL) == SN_ERROR_NULL);
    sheets_free(s);
}

TESTS(RUN(crossings_are_counted_as_they_are), RUN(what_stays_tangled_gains_nothing))
