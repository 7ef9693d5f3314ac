/*
 * Where a sheet is too long, and where its tension is too large.
 *
 * The tension in a triangle is that of the constraints on it and on its edges, whatever their type:
 * with forces f_i on nodes at x_i it is - sum_i x_i f_i / A, where an edge shares itself between
 * its triangles by their areas, and then the mean around each vertex. In a sheet under even load
 * that is the load, on any regular mesh.
 */
#include "step/tear.h"

#include "math/principal.h"
#include "mesh/point.h"

#include <string.h>

static sn_point point_of(sn_vec4 a) {
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

bool sn_tear_add(sn_world *world, const sn_tear_place *place) {
    sn_tearing *t = &world->tearing;
    if (!sn_reserve(&world->memory, (void **)&t->place, &t->place_capacity, t->places + 1,
                    sizeof *t->place))
        return false;
    t->place[t->places++] = *place;
    return true;
}

/* ---- Too long ---- */

/* An inner edge comes twice, once for each of its triangles; the second time it is torn already. */
static bool add_edge(sn_world *world, const sn_sheet_state *s, uint32_t a, uint32_t b) {
    const sn_vec4 *x = world->nodes.x;
    sn_point rest = sn_point_sub(point_of(s->rest[b]), point_of(s->rest[a]));
    sn_point now = sn_point_sub(point_of(x[s->node[b]]), point_of(x[s->node[a]]));
    double strong = sn_tear_strength(s, a), other = sn_tear_strength(s, b);
    double most = 1 + (double)s->def.tear_strain * (other < strong ? other : strong);
    double rest2 = sn_point_dot(rest, rest), now2 = sn_point_dot(now, now);
    if (!(now2 > most * most * rest2) || !(rest2 > 0)) return true;
    double stretch = __builtin_sqrt(now2 / rest2), length = __builtin_sqrt(now2);
    sn_tear_place place = {
        .excess = stretch / most,
        .vertex = {a < b ? a : b, a < b ? b : a},
        .corners = 2,
        .cause = SN_TEAR_STRAIN,
        .amount = (sn_real)(stretch - 1),
        .normal = {(sn_real)(now.x / length), (sn_real)(now.y / length), (sn_real)(now.z / length)},
    };
    return sn_tear_add(world, &place);
}

bool sn_tear_find_strain(sn_world *world, uint32_t sheet) {
    const sn_sheet_state *s = &world->sheets.state[sheet];
    for (size_t t = 0; t < s->def.triangle_count; t++) {
        const uint32_t *v = &s->triangle[3 * t];
        for (int k = 0; k < 3; k++)
            if (!add_edge(world, s, v[k], v[(k + 1) % 3])) return false;
    }
    return true;
}

/* ---- Tension ---- */

typedef struct search {
    sn_world *world;
    const sn_sheet_state *sheet;
    uint32_t index;
    double h2;
} search;

static bool prepare(sn_world *world, const sn_sheet_state *s) {
    sn_tearing *t = &world->tearing;
    sn_memory *memory = &world->memory;
    size_t triangles = s->def.triangle_count, vertices = s->def.node_count;
    if (!sn_reserve(memory, (void **)&t->tension, &t->tension_capacity, 6 * triangles,
                    sizeof *t->tension) ||
        !sn_reserve(memory, (void **)&t->first, &t->first_capacity, vertices, sizeof *t->first) ||
        !sn_reserve(memory, (void **)&t->next, &t->next_capacity, 3 * triangles, sizeof *t->next))
        return false;
    memset(t->tension, 0, 6 * triangles * sizeof *t->tension);
    memset(t->first, 0, vertices * sizeof *t->first);
    for (size_t i = 3 * triangles; i-- > 0;) {
        t->next[i] = t->first[s->triangle[i]];
        t->first[s->triangle[i]] = (uint32_t)i + 1;
    }
    return true;
}

/* The vertices of a constraint, of two or three; false where it is not within the sheet. */
static bool vertices_of(const search *s, sn_members members, uint32_t vertex[3]) {
    const sn_sheets *sheets = &s->world->sheets;
    for (int n = 0; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        if (node < 0 || sn_sheets_of(sheets, (uint32_t)node) != s->index + 1) return false;
        vertex[n] = sheets->place[node];
    }
    return true;
}

static double rest_area(const sn_sheet_state *s, size_t triangle) {
    const uint32_t *t = &s->triangle[3 * triangle];
    return sn_point_length(sn_point_normal(point_of(s->rest[t[0]]), point_of(s->rest[t[1]]),
                                           point_of(s->rest[t[2]]))) /
           2;
}

static bool has_vertex(const uint32_t *triangle, uint32_t vertex) {
    return triangle[0] == vertex || triangle[1] == vertex || triangle[2] == vertex;
}

/* Adds what a constraint of these vertices pulls with to all triangles that have them. */
static void spread(const search *s, const uint32_t *vertex, int count, const double pull[6]) {
    const sn_tearing *t = &s->world->tearing;
    double area = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t c = t->first[vertex[0]]; c; c = t->next[c - 1]) {
            size_t triangle = (c - 1) / 3;
            const uint32_t *corner = &s->sheet->triangle[3 * triangle];
            if (!has_vertex(corner, vertex[1]) || (count > 2 && !has_vertex(corner, vertex[2])))
                continue;
            if (pass == 0) area += rest_area(s->sheet, triangle);
            for (int k = 0; pass == 1 && k < 6; k++)
                t->tension[6 * triangle + (size_t)k] += pull[k] / area;
        }
}

static void add_constraint(const search *s, const sn_store *store, const sn_batch *batch,
                           sn_place place) {
    sn_members members = sn_store_members(store, place);
    uint32_t vertex[3];
    double lambda[SN_MAX_ROWS], pull[6] = {0};
    sn_real value[SN_MAX_ROWS];
    sn_vec3 gradient[SN_MAX_ROWS * 3];
    if (!vertices_of(s, members, vertex)) return;
    store->type->evaluate(batch, place.position, value, gradient);
    sn_store_lambda(store, place, lambda);
    sn_point from = point_of(s->world->nodes.x[sn_member(members, 0)]);
    for (int n = 1; n < members.nodes; n++) {
        sn_point arm = sn_point_sub(point_of(s->world->nodes.x[sn_member(members, n)]), from);
        sn_point force = {0, 0, 0};
        for (int row = 0; row < store->type->info.rows; row++)
            force =
                sn_point_add(force, sn_point_scaled(sn_point_of(gradient[row * members.nodes + n]),
                                                    -lambda[row] / s->h2));
        pull[0] += arm.x * force.x;
        pull[1] += arm.y * force.y;
        pull[2] += arm.z * force.z;
        pull[3] += (arm.y * force.z + arm.z * force.y) / 2;
        pull[4] += (arm.z * force.x + arm.x * force.z) / 2;
        pull[5] += (arm.x * force.y + arm.y * force.x) / 2;
    }
    spread(s, vertex, members.nodes, pull);
}

static void add_store(const search *s, const sn_store *store) {
    const sn_type_info *info = &store->type->info;
    bool flat = info->list == SN_LIST_NONE && info->frames == 0 && info->fixed_nodes == 0 &&
                (info->nodes == 2 || info->nodes == 3);
    if (!flat || !store->kept) return;
    for (uint8_t c = 0; c < SN_COLOURS; c++) {
        sn_batch batch = sn_store_batch(store, &s->world->nodes, &s->world->frames, c);
        for (uint32_t i = 0; i < store->colour[c].count; i++)
            add_constraint(s, store, &batch, (sn_place){c, i});
    }
}

/* The square of the stretch of a triangle along a direction: with its edges e and those at rest r,
   u^T (r_i . r_j)^-1 u for u_i = e_i . n. */
static double stretch2(const search *s, const uint32_t *t, sn_point n) {
    const sn_vec4 *x = s->world->nodes.x;
    const uint32_t *node = s->sheet->node;
    const sn_vec4 *rest = s->sheet->rest;
    sn_point r0 = sn_point_sub(point_of(rest[t[1]]), point_of(rest[t[0]]));
    sn_point r1 = sn_point_sub(point_of(rest[t[2]]), point_of(rest[t[0]]));
    sn_point at = point_of(x[node[t[0]]]);
    double u = sn_point_dot(sn_point_sub(point_of(x[node[t[1]]]), at), n);
    double v = sn_point_dot(sn_point_sub(point_of(x[node[t[2]]]), at), n);
    double a = sn_point_dot(r0, r0), b = sn_point_dot(r0, r1), d = sn_point_dot(r1, r1);
    double det = a * d - b * b;
    return det > 0 ? (u * u * d - 2 * u * v * b + v * v * a) / det : 1;
}

/* The stretch around a vertex along a direction; 1 where there is none. */
static double stretch_at(const search *s, uint32_t vertex, double area, sn_point n) {
    const sn_tearing *t = &s->world->tearing;
    double sum = 0;
    for (uint32_t c = t->first[vertex]; c; c = t->next[c - 1]) {
        size_t triangle = (c - 1) / 3;
        sum += rest_area(s->sheet, triangle) * stretch2(s, &s->sheet->triangle[3 * triangle], n);
    }
    return sum > 0 ? __builtin_sqrt(sum / area) : 1;
}

/* The mean tension of the triangles around a vertex, and their area. */
static double mean_tension(const search *s, uint32_t vertex, double mean[6]) {
    const sn_tearing *t = &s->world->tearing;
    double area = 0;
    memset(mean, 0, 6 * sizeof *mean);
    for (uint32_t c = t->first[vertex]; c; c = t->next[c - 1]) {
        size_t triangle = (c - 1) / 3;
        double own = rest_area(s->sheet, triangle);
        area += own;
        for (int k = 0; k < 6; k++) mean[k] += own * t->tension[6 * triangle + (size_t)k];
    }
    for (int k = 0; k < 6; k++) mean[k] /= area > 0 ? area : 1;
    return area;
}

/* Around a vertex, because within it the load wanders from edge to edge. What was added up is per
   area, and so grows with the stretch; without that it is per width at rest. */
static bool add_vertex(const search *s, uint32_t vertex) {
    double all[6], direction[3], area = mean_tension(s, vertex, all);
    double limit = (double)s->sheet->def.tear_force * sn_tear_strength(s->sheet, vertex);
    double square = all[0] * all[0] + all[1] * all[1] + all[2] * all[2] +
                    2 * (all[3] * all[3] + all[4] * all[4] + all[5] * all[5]);
    /* No eigenvalue is above the root of this; half of the limit leaves room for the stretch. */
    if (!(square > limit * limit / 4)) return true;
    double tension = sn_principal(all, direction);
    sn_point n = {direction[0], direction[1], direction[2]};
    tension /= stretch_at(s, vertex, area, n);
    if (!(tension > limit)) return true;
    sn_tear_place place = {
        .excess = limit > 0 ? tension / limit : SN_INFINITY,
        .vertex = {vertex},
        .corners = 1,
        .cause = SN_TEAR_FORCE,
        .amount = (sn_real)tension,
        .normal = {(sn_real)n.x, (sn_real)n.y, (sn_real)n.z},
    };
    return sn_tear_add(s->world, &place);
}

bool sn_tear_find_force(sn_world *world, uint32_t sheet) {
    search s = {world, &world->sheets.state[sheet], sheet, world->scale.h * world->scale.h};
    if (!prepare(world, s.sheet)) return false;
    for (size_t i = 0; i < world->store_count; i++) add_store(&s, &world->store[i]);
    for (uint32_t v = 0; v < s.sheet->def.node_count; v++)
        if (!add_vertex(&s, v)) return false;
    return true;
}
