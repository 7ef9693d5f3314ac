/*
 * What is tangled and cannot come free: it gains no energy and comes to rest, and it is counted.
 */
/* Before the tests' own names, which are shorter than those of the library. */
#include "contact/contacts.h"
#include "contact/surface/surface_contact.h"

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

/* ---- Sides ---- */

static sn_vec3 leaning(double x, double z, void *user) {
    (void)user;
    return (sn_vec3){(sn_real)(x + 0.8), (sn_real)(0.3 * x + 0.1 + 0.02 * z), (sn_real)(z + 0.3)};
}

static sn_vec3 dipped(double x, double z, void *user) {
    (void)user;
    double far = x + z > 0 ? x + z : 0;
    return (sn_vec3){(sn_real)(x - 0.1), (sn_real)(0.04 - 0.09 * far), (sn_real)(z - 0.1)};
}

static bool has(const uint32_t *list, int count, uint32_t node) {
    bool found = false;
    for (int i = 0; i < count; i++) found = found || list[i] == node;
    return found;
}

/* The triangles beside every edge, by looking at all. */
static void check_neighbours(const sn_surface_elements *edges, const sn_surface_elements *triangles,
                             const uint32_t *opposite) {
    size_t wrong = 0;
    for (size_t e = 0; e < edges->count; e++) {
        const uint32_t *v = &edges->node[2 * e];
        int beside = 0;
        for (size_t t = 0; t < triangles->count; t++) {
            const uint32_t *c = &triangles->node[3 * t];
            if (!has(c, 3, v[0]) || !has(c, 3, v[1])) continue;
            for (int k = 0; k < 3; k++)
                if (!has(v, 2, c[k])) wrong += !has(&opposite[2 * e], 2, c[k]);
            beside++;
        }
        int found = 0;
        for (int k = 0; k < 2; k++) found += opposite[2 * e + (size_t)k] != SN_UNTANGLE_NONE;
        wrong += found != beside;
    }
    CHECK(wrong == 0);
}

/* Every edge with every triangle; whom it passes through is marked. */
static void check_crossings(const sheets *s, const sn_surface_elements *edges,
                            const sn_surface_elements *triangles, const sn_broad *found) {
    size_t wrong = 0;
    for (size_t e = 0; e < edges->count; e++) {
        const uint32_t *v = &edges->node[2 * e];
        size_t number = 0;
        for (uint32_t t = 0; t < triangles->count; t++) {
            const uint32_t *c = &triangles->node[3 * t];
            const sn_vec3 corner[3] = {s->at[c[0]], s->at[c[1]], s->at[c[2]]};
            if (has(c, 3, v[0]) || has(c, 3, v[1]) || !pass(s->at[v[0]], s->at[v[1]], corner))
                continue;
            wrong += !has(&found->partner[found->first[e]], (int)found->number[e], t);
            number++;
        }
        wrong += number != found->number[e];
    }
    CHECK(wrong == 0);
}

/* Numbers the parts that are left of surfaces without some edges: each node has the lowest of its
   part, and its size. */
static void find_parts(const sn_surface_elements *edges, const uint32_t *without, size_t nodes,
                       uint32_t *part, size_t *size) {
    bool changed = true;
    for (uint32_t i = 0; i < nodes; i++) part[i] = i, size[i] = 0;
    while (changed) {
        changed = false;
        for (size_t e = 0; e < edges->count; e++) {
            uint32_t a = edges->node[2 * e], b = edges->node[2 * e + 1];
            if ((without && without[e] > 0) || part[a] == part[b]) continue;
            part[a] = part[b] = part[a] < part[b] ? part[a] : part[b];
            changed = true;
        }
    }
    for (size_t i = 0; i < nodes; i++) size[part[i]]++;
}

static void check_sides(const sheets *s, const sn_surface_elements *edges,
                        const sn_surface_elements *triangles, const sn_untangle *u) {
    static uint32_t part[MOST_NODES], whole[MOST_NODES], largest[MOST_NODES];
    static size_t size[MOST_NODES], all[MOST_NODES];
    static uint8_t near[MOST_NODES];
    size_t wrong = 0, cut = 0;
    find_parts(edges, u->broad.number, s->nodes, part, size);
    find_parts(edges, NULL, s->nodes, whole, all);
    for (size_t i = 0; i < s->nodes; i++) largest[i] = part[i], near[i] = 0;
    for (size_t i = 0; i < s->nodes; i++)
        if (size[part[i]] > size[largest[whole[i]]]) largest[whole[i]] = part[i];
    for (size_t e = 0; e < edges->count; e++) {
        const uint32_t *v = &edges->node[2 * e];
        bool off[2];
        for (int k = 0; k < 2; k++) off[k] = part[v[k]] != largest[whole[v[k]]];
        if (off[0] != off[1] || u->broad.number[e] == 0) continue;
        near[v[0]] = near[v[1]] = SN_LOOSE_NEAR;
        for (size_t k = 0; k < u->broad.number[e]; k++)
            for (size_t c = 0; c < 3; c++)
                near[triangles->node[3 * u->broad.partner[u->broad.first[e] + k] + c]] =
                    SN_LOOSE_NEAR;
    }
    for (size_t i = 0; i < s->nodes; i++) {
        bool off = part[i] != largest[whole[i]];
        cut += off;
        wrong += u->loose[i] != (off ? SN_LOOSE_WRONG : 0) + near[i];
    }
    if (check_shows()) printf("  %zu of %zu nodes on the wrong side\n", cut, s->nodes);
    CHECK(wrong == 0);
}

/* Two fifths of it are below, with its first corner. */
static sn_vec3 divided(double x, double z, void *user) {
    (void)user;
    return (sn_vec3){(sn_real)x, (sn_real)(0.3 * (x + z) + 0.02), (sn_real)z};
}

/* Who passes through whom, who is beside it, and which side is the wrong one: by looking at all. */
TEST(sides_are_found) {
    static sn_vec3 (*const shapes[])(double, double, void *) = {tilted, dipped, leaning, divided};
    for (int i = 0; i < 4; i++) {
        double angle = 0.3;
        sheets *s = sheets_make(10, 1, nowhere);
        sheet def = sheet_default(), other = def;
        def.untangle = other.untangle = true;
        other.shape = shapes[i];
        other.user = &angle;
        /* The first node of all is of the one that is cut, or is not. */
        sheets_add(s, shapes[i] == divided ? &other : &def);
        sheets_add(s, shapes[i] == divided ? &def : &other);
        check_case("shape %d", i);
        for (int step = 0; step < (shapes[i] == divided ? 2 : 4); step++) {
            CHECK_OK(sn_world_step(s->world, (sn_real)(1.0 / 60)));
            sheets_look(s);
            REQUIRE_OK(sn_untangle_plan(s->world) ? SN_OK : SN_ERROR_MEMORY);
            const sn_surface_elements *list = sn_surface_contacts_of(s->world)->list;
            const sn_surface_elements *edges = &list[SN_SURFACE_CONTACT_EDGE];
            const sn_surface_elements *triangles = &list[SN_SURFACE_CONTACT_TRIANGLE];
            const sn_untangle *u = sn_untangle_of(s->world);
            if (step == 0) CHECK(u->crossings > 10);
            check_neighbours(edges, triangles, u->opposite);
            check_crossings(s, edges, triangles, &u->broad);
            if (u->crossings > 0) check_sides(s, edges, triangles, u);
        }
        sheets_free(s);
    }
}

TESTS(RUN(sides_are_found), RUN(crossings_are_counted_as_they_are),
      RUN(what_stays_tangled_gains_nothing))
