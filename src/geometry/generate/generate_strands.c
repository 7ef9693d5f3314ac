/*
 * Strands on a surface: roots by area, one in each of so many equal parts of it, so that they lie
 * more evenly than by chance alone; paths that begin along the normal and are turned by the comb at
 * every vertex; curls about them.
 */
#include "base/hash.h"
#include "geometry/closest_point.h"
#include "geometry/generate/mesh_maker.h"
#include "geometry/mesh_bvh.h"

#include <sinew/support.h>

#include <math.h>

enum { ROOTS = 1, STEMS = 2, TIPS = 4 };

static const double turn = 6.28318530717958647693;

sn_strands_def sn_strands_def_default(void) {
    return (sn_strands_def){.size = sizeof(sn_strands_def),
                            .count = 1000,
                            .density = SN_AUTO,
                            .length = (sn_real)0.2,
                            .variation = (sn_real)0.1,
                            .segments = 15,
                            .curl_pitch = (sn_real)0.02,
                            .clearance = (sn_real)0.002,
                            .direction = {0, 1, 0},
                            .within = 4};
}

typedef struct grower {
    const sn_mesh *surface;
    const sn_strands_def *def;
    sn_maker maker;
    sn_memory memory;
    sn_bvh bvh;
    sn_vec3 *normals; /* of the vertices */
    double *area;     /* m^2, of the triangles up to each, times their mean density map; those that
                         grow none add nothing */
    uint32_t strands;
} grower;

static sn_point corner(const grower *g, size_t t, int k) {
    return sn_mesh_point(g->surface, g->surface->triangles[t][k]);
}

/* A number from 0 to 1 that follows from the seed, the strand and what it is for alone. */
static double random_of(const grower *g, uint32_t strand, uint64_t which) {
    uint64_t hash = sn_hash_word(sn_hash_word(which, g->def->seed), strand);
    return (double)(hash >> 11) / 9007199254740992.0;
}

static sn_point unit(sn_point a) {
    double length = sn_point_length(a);
    return length > 0 ? sn_point_scaled(a, 1 / length) : a;
}

/* ---- Maps ---- */

static double factor_of(const grower *g, const sn_real *map, size_t t, const double share[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += share[k] * (double)map[g->surface->triangles[t][k]];
    return sum;
}

static double largest_of(const grower *g, const sn_real *map, size_t t) {
    double most = 0;
    for (int k = 0; k < 3; k++) {
        double value = (double)map[g->surface->triangles[t][k]];
        most = value > most ? value : most;
    }
    return most;
}

/* ---- Roots ---- */

static void add_areas(grower *g) {
    double sum = 0, sine, cosine = -1, within = (double)g->def->within;
    if (within < turn / 2)
        sn_turn((uint64_t)(within / turn * 0x1p40), (uint64_t)1 << 40, &sine, &cosine);
    sn_point toward = unit(sn_point_of(g->def->direction));
    for (size_t t = 0; t < g->surface->triangle_count; t++) {
        sn_point n = sn_point_normal(corner(g, t, 0), corner(g, t, 1), corner(g, t, 2));
        double twice = sn_point_length(n);
        bool grows = within >= turn / 2 || sn_point_dot(n, toward) >= cosine * twice;
        static const double middle[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
        double part = 1;
        if (g->def->density_map) part = factor_of(g, g->def->density_map, t, middle);
        if (grows) sum += twice / 2 * part;
        g->area[t] = sum;
    }
}

/* The triangle in which so much of the area is passed. */
static size_t find_triangle(const grower *g, double area) {
    size_t low = 0, high = g->surface->triangle_count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->area[middle] > area)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Evenly in a triangle: a root for the first share, and what is left is divided. With a map, the
   first of some places that the density there allows. */
static void share_triangle(const grower *g, uint32_t strand, size_t t, double share[3]) {
    enum { PLACES = 32 };
    const sn_real *map = g->def->density_map;
    for (uint64_t i = 0; i < PLACES; i++) {
        double root = sqrt(random_of(g, strand, 2 + 8 * i));
        double part = random_of(g, strand, 3 + 8 * i);
        share[0] = 1 - root;
        share[1] = root * (1 - part);
        share[2] = root * part;
        if (!map ||
            factor_of(g, map, t, share) >= random_of(g, strand, 6 + 8 * i) * largest_of(g, map, t))
            return;
    }
}

static sn_point place_root(const grower *g, uint32_t strand, sn_point *normal, double *longer) {
    double total = g->area[g->surface->triangle_count - 1], share[3];
    size_t t = find_triangle(g, ((double)strand + random_of(g, strand, 1)) / g->strands * total);
    share_triangle(g, strand, t, share);
    *longer = g->def->length_map ? factor_of(g, g->def->length_map, t, share) : 1;
    sn_point x = {0, 0, 0}, n = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        x = sn_point_add(x, sn_point_scaled(corner(g, t, k), share[k]));
        n = sn_point_add(
            n, sn_point_scaled(sn_point_of(g->normals[g->surface->triangles[t][k]]), share[k]));
    }
    *normal = sn_point_length(n) > 0
                  ? unit(n)
                  : unit(sn_point_normal(corner(g, t, 0), corner(g, t, 1), corner(g, t, 2)));
    return x;
}

/* ---- Paths ---- */

static double square_to(void *user, uint32_t item, sn_point x) {
    const grower *g = user;
    sn_point y =
        sn_closest_on_triangle(x, corner(g, item, 0), corner(g, item, 1), corner(g, item, 2), NULL);
    sn_point apart = sn_point_sub(x, y);
    return sn_point_dot(apart, apart);
}

/* Out of the surface, and as far from it as was asked for, after a step from where that was so. */
static sn_point kept_out(grower *g, sn_point x, double step, double clearance) {
    double reach = 2 * (step + clearance), square;
    uint32_t t = sn_bvh_nearest(&g->bvh, x, reach * reach, square_to, g, &square);
    if (t == SN_BVH_NONE) return x;
    sn_point y = sn_closest_on_triangle(x, corner(g, t, 0), corner(g, t, 1), corner(g, t, 2), NULL);
    sn_point n = unit(sn_point_normal(corner(g, t, 0), corner(g, t, 1), corner(g, t, 2)));
    sn_point apart = sn_point_sub(x, y);
    double above = sn_point_dot(apart, n);
    /* Beside an edge the way to the surface is not along the normal. */
    bool near = above < 0 || square < clearance * clearance;
    return near && above < clearance ? sn_point_add(x, sn_point_scaled(n, clearance - above)) : x;
}

/* Any direction across another. */
static sn_point across(sn_point a) {
    sn_point other = fabs(a.x) < 0.7 ? (sn_point){1, 0, 0} : (sn_point){0, 1, 0};
    return unit(sn_point_cross(a, other));
}

static void grow(grower *g, uint32_t strand) {
    const sn_strands_def *def = g->def;
    double longer;
    sn_point along, x = place_root(g, strand, &along, &longer), side = across(along);
    double length = (double)def->length * (1 - (double)def->variation * random_of(g, strand, 4));
    length *= longer;
    double radius = (double)def->curl_radius, pitch = (double)def->curl_pitch;
    double round = turn * radius, step = length / def->segments;
    /* Curls take a part of the length. */
    if (radius > 0) step *= pitch / sqrt(pitch * pitch + round * round);
    double phase = random_of(g, strand, 5);
    uint32_t first = sn_maker_vertex(&g->maker, x, ROOTS | STEMS);
    for (uint32_t k = 1; k <= def->segments; k++) {
        along = unit(sn_point_add(along, sn_point_scaled(sn_point_of(def->comb), step)));
        sn_point to = sn_point_add(x, sn_point_scaled(along, step));
        to = kept_out(g, to, step, (double)def->clearance + radius);
        along = unit(sn_point_sub(to, x));
        x = sn_point_add(x, sn_point_scaled(along, step));
        side = unit(sn_point_sub(side, sn_point_scaled(along, sn_point_dot(side, along))));
        /* Curls open over the first turn, so that roots stay where they are. */
        double turns = k * step / pitch, sine, cosine, open = turns < 1 ? turns : 1;
        sn_turn((uint64_t)((turns + phase) * 0x1p32), (uint64_t)1 << 32, &sine, &cosine);
        sn_point other = sn_point_cross(along, side);
        sn_point curl = sn_point_add(sn_point_scaled(side, radius * open * cosine),
                                     sn_point_scaled(other, radius * open * sine));
        sn_maker_vertex(&g->maker, sn_point_add(x, curl),
                        (k == 1 ? STEMS : 0) | (k == def->segments ? TIPS : 0));
        uint32_t *line = g->maker.mesh->lines[g->maker.mesh->line_count++];
        line[0] = first + k - 1;
        line[1] = first + k;
    }
}

/* ---- All of them ---- */

static sn_result expect_part(const char *field, sn_real value, double least, double most) {
    if ((double)value >= least && (double)value <= most) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "strands: %s is %g, expected from %g to %g", field,
                   (double)value, least, most);
}

static sn_result check_map(const sn_mesh *surface, const char *name, const sn_real *map,
                           double least) {
    for (size_t i = 0; map && i < surface->vertex_count; i++)
        if (!((double)map[i] >= least && (double)map[i] <= 1e6))
            return sn_fail(SN_ERROR_VALUE, "strands: %s is %g at vertex %zu, expected %g to 1e6",
                           name, (double)map[i], i, least);
    return SN_OK;
}

static sn_result check(const sn_mesh *mesh, const sn_mesh *surface, const sn_strands_def *def) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_mesh_expect_sound(surface));
    SN_TRY(sn_maker_expect(def, def ? def->size : 0, sizeof *def, "strands"));
    if (def->density == SN_AUTO)
        SN_TRY(sn_maker_expect_parts("strands", "count", def->count, 1));
    else
        SN_TRY(expect_part("density", def->density, 1e-9, 1e12));
    SN_TRY(sn_maker_expect_length("strands", "length", def->length));
    SN_TRY(sn_maker_expect_parts("strands", "segments", def->segments, 1));
    SN_TRY(sn_maker_expect_length("strands", "curl_pitch", def->curl_pitch));
    SN_TRY(expect_part("variation", def->variation, 0, 0.999));
    SN_TRY(expect_part("curl_radius", def->curl_radius, 0, 1e9));
    SN_TRY(expect_part("clearance", def->clearance, 0, 1e9));
    SN_TRY(expect_part("within", def->within, 0, 4));
    const sn_real vectors[6] = {def->comb.x,      def->comb.y,      def->comb.z,
                                def->direction.x, def->direction.y, def->direction.z};
    for (int k = 0; k < 6; k++)
        SN_TRY(expect_part(k < 3 ? "comb" : "direction", vectors[k], -1e9, 1e9));
    SN_TRY(check_map(surface, "density_map", def->density_map, 0));
    SN_TRY(check_map(surface, "length_map", def->length_map, 0.01));
    if (surface->triangle_count > 0) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE, "strands: the surface has no triangles to grow on");
}

static sn_result grow_all(grower *g, sn_mesh *mesh) {
    SN_TRY(sn_mesh_normals(g->surface, g->normals));
    add_areas(g);
    double total = g->area[g->surface->triangle_count - 1];
    double count =
        g->def->density == SN_AUTO ? g->def->count : floor((double)g->def->density * total + 0.5);
    if (!(total > 0) || !(count >= 1 && count <= 1 << 24))
        return sn_fail(
            SN_ERROR_DEGENERATE,
            "strands: %g strands on the %g m^2 that face the direction and have a density, "
            "expected from 1 to 2^24 on some",
            count, total);
    g->strands = (uint32_t)count;
    SN_TRY(sn_mesh_bvh_create(&g->bvh, &g->memory, g->surface));
    sn_result result = sn_maker_begin(&g->maker, mesh, "strands",
                                      (sn_maker_room){.vertices = count * (g->def->segments + 1.0),
                                                      .lines = count * g->def->segments});
    for (uint32_t i = 0; result == SN_OK && i < g->strands; i++) grow(g, i);
    sn_bvh_free(&g->bvh, &g->memory);
    static const char *const names[] = {"roots", "stems", "tips"};
    return result == SN_OK ? sn_maker_end(&g->maker, names, 3) : result;
}

sn_result sn_generate_strands(sn_mesh *mesh, const sn_mesh *surface, const sn_strands_def *def) {
    SN_TRY(check(mesh, surface, def));
    grower g = {.surface = surface, .def = def, .memory = sn_mesh_memory(mesh)};
    size_t vertices = surface->vertex_count, triangles = surface->triangle_count;
    g.normals = sn_allocate(&g.memory, vertices, sizeof *g.normals);
    g.area = sn_allocate(&g.memory, triangles, sizeof *g.area);
    sn_result result = g.normals && g.area ? grow_all(&g, mesh) : SN_ERROR_MEMORY;
    sn_free(&g.memory, g.normals, vertices, sizeof *g.normals);
    sn_free(&g.memory, g.area, triangles, sizeof *g.area);
    return result;
}
