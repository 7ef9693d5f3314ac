/*
 * The tension in a sheet and the stress in a tet mesh.
 *
 * In an element (a triangle or a tet) it is that of the constraints on it, its faces and its edges,
 * whatever their type: with forces f_i on nodes at x_i it is - sum_i x_i f_i / A, where an edge
 * shares itself between its elements by their areas or volumes at rest, and then the mean around
 * each vertex. That is the Kirchhoff stress; over the stretch along its largest principal direction
 * it is the nominal one, the force over the width or the area at rest. In a body under even load
 * that is the load, on any regular mesh.
 */
#include "fracture/tear.h"
#include "fracture/tearing.h"

#include <string.h>

static sn_point point_of(sn_vec4 a) {
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

static bool prepare(const sn_tension *s) {
    sn_tearing *t = sn_tearing_of(s->world);
    sn_memory *memory = &s->world->memory;
    size_t elements = s->mesh.elements, vertices = s->mesh.vertices;
    size_t corners = s->mesh.corners * elements;
    if (!sn_reserve(memory, (void **)&t->tension, &t->tension_capacity, 6 * elements,
                    sizeof *t->tension) ||
        !sn_reserve(memory, (void **)&t->first, &t->first_capacity, vertices, sizeof *t->first) ||
        !sn_reserve(memory, (void **)&t->next, &t->next_capacity, corners, sizeof *t->next))
        return false;
    memset(t->tension, 0, 6 * elements * sizeof *t->tension);
    memset(t->first, 0, vertices * sizeof *t->first);
    for (size_t i = corners; i-- > 0;) {
        t->next[i] = t->first[s->mesh.element[i]];
        t->first[s->mesh.element[i]] = (uint32_t)i + 1;
    }
    return true;
}

/* The vertices of a constraint; false where it is not within. */
static bool vertices_of(const sn_tension *s, sn_members members, uint32_t vertex[4]) {
    for (int n = 0; n < members.nodes; n++) {
        vertex[n] = sn_cut_vertex_of(&s->mesh, sn_member(members, n));
        if (vertex[n] == UINT32_MAX) return false;
    }
    return true;
}

/* Whether an element has all vertices of a constraint. */
static bool has_all(const sn_tension *s, size_t element, const uint32_t *vertex, int count) {
    const uint32_t *corner = &s->mesh.element[s->mesh.corners * element];
    for (int n = 0; n < count; n++) {
        bool found = false;
        for (uint32_t k = 0; k < s->mesh.corners; k++) found = found || corner[k] == vertex[n];
        if (!found) return false;
    }
    return true;
}

/* Adds what a constraint of these vertices pulls with to all elements that have them. */
static void spread(const sn_tension *s, const uint32_t *vertex, int count, const double pull[6]) {
    const sn_tearing *t = sn_tearing_of(s->world);
    double size = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t c = t->first[vertex[0]]; c; c = t->next[c - 1]) {
            size_t element = (c - 1) / s->mesh.corners;
            if (!has_all(s, element, vertex, count)) continue;
            if (pass == 0) size += sn_cut_size(&s->mesh, element);
            for (int k = 0; pass == 1 && k < 6; k++)
                t->tension[6 * element + (size_t)k] += pull[k] / size;
        }
}

static void add_constraint(const sn_tension *s, const sn_store *store, const sn_batch *batch,
                           sn_place place) {
    sn_members members = sn_store_members(store, place);
    uint32_t vertex[4];
    double lambda[SN_MAX_ROWS], pull[6] = {0};
    sn_real value[SN_MAX_ROWS];
    sn_vec3 gradient[SN_MAX_ROWS * 4];
    double h2 = s->world->scale.h * s->world->scale.h;
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
                                                    -lambda[row] / h2));
        pull[0] += arm.x * force.x;
        pull[1] += arm.y * force.y;
        pull[2] += arm.z * force.z;
        pull[3] += (arm.y * force.z + arm.z * force.y) / 2;
        pull[4] += (arm.z * force.x + arm.x * force.z) / 2;
        pull[5] += (arm.x * force.y + arm.y * force.x) / 2;
    }
    spread(s, vertex, members.nodes, pull);
}

static void add_store(const sn_tension *s, const sn_store *store) {
    const sn_type_info *info = &store->type->info;
    bool within = info->list == SN_LIST_NONE && info->frames == 0 && info->fixed_nodes == 0 &&
                  info->nodes >= 2 && info->nodes <= (int)s->mesh.corners;
    if (!within || !store->kept) return;
    for (uint8_t c = 0; c < SN_COLOURS; c++) {
        sn_batch batch = sn_store_batch(store, &s->world->nodes, &s->world->frames, c);
        for (uint32_t i = 0; i < store->colour[c].count; i++)
            add_constraint(s, store, &batch, (sn_place){c, i});
    }
}

double sn_tension_at(const sn_tension *s, uint32_t vertex, double mean[6]) {
    const sn_tearing *t = sn_tearing_of(s->world);
    double area = 0;
    memset(mean, 0, 6 * sizeof *mean);
    for (uint32_t c = t->first[vertex]; c; c = t->next[c - 1]) {
        size_t element = (c - 1) / s->mesh.corners;
        double own = sn_cut_size(&s->mesh, element);
        area += own;
        for (int k = 0; k < 6; k++) mean[k] += own * t->tension[6 * element + (size_t)k];
    }
    for (int k = 0; k < 6; k++) mean[k] /= area > 0 ? area : 1;
    return area;
}

/* The square of the stretch of a triangle along a direction: with its edges e and those at rest r,
   u^T (r_i . r_j)^-1 u for u_i = e_i . n. */
static double stretch2(const sn_tension *s, const uint32_t *t, sn_point n) {
    const sn_vec4 *x = s->world->nodes.x;
    const uint32_t *node = s->mesh.node;
    const sn_vec4 *rest = s->mesh.rest;
    sn_point r0 = sn_point_sub(point_of(rest[t[1]]), point_of(rest[t[0]]));
    sn_point r1 = sn_point_sub(point_of(rest[t[2]]), point_of(rest[t[0]]));
    sn_point at = point_of(x[node[t[0]]]);
    double u = sn_point_dot(sn_point_sub(point_of(x[node[t[1]]]), at), n);
    double v = sn_point_dot(sn_point_sub(point_of(x[node[t[2]]]), at), n);
    double a = sn_point_dot(r0, r0), b = sn_point_dot(r0, r1), d = sn_point_dot(r1, r1);
    double det = a * d - b * b;
    return det > 0 ? (u * u * d - 2 * u * v * b + v * v * a) / det : 1;
}

/* The same of a tet: |F^T n|^2, from the edges that are reciprocal to those at rest. */
static double solid_stretch2(const sn_tension *s, const uint32_t *t, sn_point n) {
    const sn_vec4 *x = s->world->nodes.x;
    sn_point r[3], sum = {0, 0, 0}, at = point_of(x[s->mesh.node[t[0]]]);
    for (int k = 0; k < 3; k++)
        r[k] = sn_point_sub(point_of(s->mesh.rest[t[k + 1]]), point_of(s->mesh.rest[t[0]]));
    double det = sn_point_dot(sn_point_cross(r[0], r[1]), r[2]);
    for (int k = 0; k < 3; k++) {
        double u = sn_point_dot(sn_point_sub(point_of(x[s->mesh.node[t[k + 1]]]), at), n);
        sum = sn_point_add(
            sum, sn_point_scaled(sn_point_cross(r[(k + 1) % 3], r[(k + 2) % 3]), u / det));
    }
    return det > 0 ? sn_point_dot(sum, sum) : 1;
}

double sn_tension_stretch(const sn_tension *s, uint32_t vertex, double area, sn_point n) {
    const sn_tearing *t = sn_tearing_of(s->world);
    double sum = 0;
    for (uint32_t c = t->first[vertex]; c; c = t->next[c - 1]) {
        size_t element = (c - 1) / s->mesh.corners;
        const uint32_t *corner = &s->mesh.element[s->mesh.corners * element];
        sum += sn_cut_size(&s->mesh, element) *
               (s->mesh.corners == 4 ? solid_stretch2(s, corner, n) : stretch2(s, corner, n));
    }
    return sum > 0 ? __builtin_sqrt(sum / area) : 1;
}

bool sn_tension_find(const sn_tension *s) {
    if (!prepare(s)) return false;
    for (size_t i = 0; i < s->world->store_count; i++) add_store(s, &s->world->store[i]);
    return true;
}
