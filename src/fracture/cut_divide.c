#include "fracture/cut_divide.h"

#include "base/error.h"
#include "geometry/topology/edge_elements.h"
#include "systems/sheet/sheets.h"
#include "systems/tet_mesh/tet_meshes.h"

#include <stdlib.h>

/* How good an element must be, the mean ratio of a tet, cubed, or that of a triangle; and how
   large, over the mean of all. */
static const double good_enough = 0.1 * 0.1 * 0.1, fair = 0.2, smallest = 0.02;

/* ---- Measures ---- */

sn_point sn_divide_rest(const sn_divide *d, uint32_t vertex) {
    if (vertex == d->m) return d->rest;
    sn_vec4 a = d->mesh.rest[vertex];
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

bool sn_divide_has(const sn_divide *d, uint32_t element, uint32_t vertex) {
    const uint32_t *e = &d->mesh.element[d->mesh.corners * element];
    for (uint32_t k = 0; k < d->mesh.corners; k++)
        if (e[k] == vertex) return true;
    return false;
}

double sn_divide_around(const sn_divide *d, uint32_t vertex, const uint32_t *others, int count) {
    double sum = 0;
    for (uint32_t c = d->first[vertex]; c; c = d->next[c - 1]) {
        uint32_t element = (c - 1) / d->mesh.corners;
        bool all = true;
        for (int n = 0; all && n < count; n++) all = sn_divide_has(d, element, others[n]);
        if (all) sum += sn_cut_size(&d->mesh, element);
    }
    return sum;
}

static double quality_of(const sn_point *p, uint32_t corners) {
    double sum = 0;
    for (uint32_t i = 0; i < corners; i++)
        for (uint32_t k = 0; k < i; k++) {
            sn_point e = sn_point_sub(p[i], p[k]);
            sum += sn_point_dot(e, e);
        }
    if (corners == 3)
        return sum > 0 ? 2 * 1.7320508 * sn_point_length(sn_point_normal(p[0], p[1], p[2])) / sum
                       : 0;
    double volume = sn_point_det(p[0], p[1], p[2], p[3]) / 6;
    return volume > 0 ? 1728 * 9 * volume * volume / (sum * sum * sum) : 0;
}

/* Whether the elements around the edge can be divided without making slivers. */
static bool stay_good(const sn_divide *d) {
    uint32_t n = d->mesh.corners;
    double bound = n == 3 ? fair : good_enough;
    for (size_t i = 0; i < d->arounds; i++) {
        const uint32_t *e = &d->mesh.element[n * d->around[i]];
        sn_point p[4], one[4], two[4];
        for (uint32_t k = 0; k < n; k++) {
            p[k] = sn_divide_rest(d, e[k]);
            one[k] = e[k] == d->b ? d->rest : p[k];
            two[k] = e[k] == d->a ? d->rest : p[k];
        }
        /* What is bad already may stay as it is, but becomes no worse. */
        double before = quality_of(p, n), least = before < bound ? before : bound;
        double size = sn_cut_size(&d->mesh, d->around[i]), part = d->t < 0.5 ? d->t : 1 - d->t;
        if (!(part * size > d->least)) return false;
        if (!(quality_of(one, n) >= least) || !(quality_of(two, n) >= least)) return false;
    }
    return true;
}

/* ---- The surface ---- */

static sn_point now_of(const sn_divide *d, uint32_t vertex) {
    sn_vec4 a = d->world->nodes.x[d->mesh.node[vertex]];
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

/* Whether one of the elements around an edge is to be divided: the blade is in it now, and has gone
   through. */
static bool is_due(const sn_divide *d, const sn_blade *blade, const sn_pairs *pairs,
                   const sn_pair *edge) {
    uint32_t n = d->mesh.corners;
    for (uint32_t i = 0; i < edge->count; i++) {
        const uint32_t *e = &d->mesh.element[n * pairs->element[edge->first + i]];
        bool touched = false;
        sn_point x[4];
        double t;
        for (uint32_t k = 0; k < n; k++) {
            x[k] = now_of(d, e[k]);
            for (uint32_t o = 0; o < k && !touched; o++)
                touched = sn_blade_intersects(blade, x[o], x[k]) &&
                          sn_blade_crossing(blade, x[o], x[k], &t);
        }
        if (touched && sn_blade_has_passed(blade, x, n)) return true;
    }
    return false;
}

/* ---- Edges ---- */

static bool is_free(const sn_divide *d, uint32_t a, uint32_t b) {
    const sn_world *world = d->world;
    const uint32_t node[2] = {d->mesh.node[a], d->mesh.node[b]};
    for (int k = 0; k < 2; k++)
        if (world->nodes.frame[node[k]] || (sn_sheets_at(sn_sheets_of(world), node[k]) &&
                                            sn_tet_meshes_at(sn_tet_meshes_of(world), node[k])))
            return false;
    return world->nodes.w[node[0]] > 0 || world->nodes.w[node[1]] > 0;
}

static bool add_beside(sn_divide *d, uint32_t vertex) {
    if (vertex == d->a || vertex == d->b) return true;
    for (size_t i = 0; i < d->besides; i++)
        if (d->beside[i] == vertex) return true;
    if (!sn_reserve(&d->world->memory, (void **)&d->beside, &d->beside_capacity, d->besides + 1,
                    sizeof *d->beside))
        return false;
    d->beside[d->besides++] = vertex;
    return true;
}

/* In the order of elements, in which collision surfaces have their triangles as well. */
static bool add_around(sn_divide *d, uint32_t element) {
    if (!sn_reserve(&d->world->memory, (void **)&d->around, &d->around_capacity, d->arounds + 1,
                    sizeof *d->around))
        return false;
    size_t at = d->arounds++;
    for (; at > 0 && d->around[at - 1] > element; at--) d->around[at] = d->around[at - 1];
    d->around[at] = element;
    return true;
}

static bool find_around(sn_divide *d) {
    uint32_t n = d->mesh.corners;
    d->arounds = d->besides = 0;
    for (uint32_t c = d->first[d->a]; c; c = d->next[c - 1])
        if (sn_divide_has(d, (c - 1) / n, d->b) && !add_around(d, (c - 1) / n)) return false;
    for (size_t i = 0; i < d->arounds; i++)
        for (uint32_t k = 0; k < n; k++)
            if (!add_beside(d, d->mesh.element[n * d->around[i] + k])) return false;
    return true;
}

static bool divide_edge(sn_divide *d, uint32_t a, uint32_t b, double t) {
    d->a = a;
    d->b = b;
    d->t = t;
    d->m = UINT32_MAX;
    sn_point x = sn_divide_rest(d, a), y = sn_divide_rest(d, b);
    d->m = (uint32_t)d->mesh.vertices;
    d->rest = sn_point_kept(sn_point_add(sn_point_scaled(x, 1 - t), sn_point_scaled(y, t)));
    if (!find_around(d)) return false;
    if (d->arounds == 0 || !is_free(d, a, b) || !stay_good(d)) return true;
    bool room = true;
    if (!sn_divide_plan_held(d, &room)) return room;
    return sn_divide_add_node(d) && sn_divide_hold(d) && sn_divide_surface(d) &&
           sn_divide_systems(d);
}

/* ---- All of them ---- */

typedef struct crossing {
    uint32_t a, b;
    double t, length;
} crossing;

/* The longest first, which keeps elements in shape. */
static int compare(const void *left, const void *right) {
    const crossing *p = left, *q = right;
    if (p->length != q->length) return p->length > q->length ? -1 : 1;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static size_t find_all(sn_divide *d, const sn_blade *blade, const sn_pairs *pairs, crossing *list) {
    size_t count = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        crossing c = {.a = pairs->pair[i].a, .b = pairs->pair[i].b};
        sn_point x = now_of(d, c.a), y = now_of(d, c.b);
        if (!sn_blade_crossing(blade, x, y, &c.t) || !sn_blade_parts(blade, x, y) ||
            !is_due(d, blade, pairs, &pairs->pair[i]))
            continue;
        c.length = sn_point_length(sn_point_sub(sn_divide_rest(d, c.a), sn_divide_rest(d, c.b)));
        list[count++] = c;
    }
    qsort(list, count, sizeof *list, compare);
    return count;
}

/* Lists the elements of each vertex, and the constraints of those at edges that are crossed. */
static bool list_all(sn_divide *d, const crossing *list, size_t count) {
    sn_world *world = d->world;
    for (size_t i = d->mesh.corners * d->mesh.elements; i-- > 0;) {
        d->next[i] = d->first[d->mesh.element[i]];
        d->first[d->mesh.element[i]] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < count; i++) d->wanted[list[i].a] = d->wanted[list[i].b] = 1;
    for (size_t s = 0; s < world->store_count; s++)
        for (uint8_t colour = 0; colour < SN_COLOURS; colour++) {
            const sn_colour *c = &world->store[s].colour[colour];
            for (uint32_t i = 0; i < c->count; i++) {
                sn_place place = {colour, i};
                if (!sn_divide_note(d, c->owner[i], sn_store_members(&world->store[s], place)))
                    return false;
            }
        }
    return true;
}

/* m^2 or m^3, how small an element may become. */
static double least_size(const sn_divide *d) {
    double sum = 0;
    for (size_t e = 0; e < d->mesh.elements; e++) sum += sn_cut_size(&d->mesh, e);
    return smallest * sum / (double)d->mesh.elements;
}

static bool divide_all(sn_divide *d, const sn_blade *blade, const sn_pairs *pairs) {
    sn_memory *memory = &d->world->memory;
    crossing *list = sn_allocate(memory, pairs->count + 1, sizeof *list);
    if (!list) return false;
    d->m = UINT32_MAX;
    d->least = least_size(d);
    size_t count = find_all(d, blade, pairs, list);
    bool room = count == 0 || (sn_divide_reserve(d) && list_all(d, list, count));
    for (size_t i = 0; room && i < count; i++)
        room = divide_edge(d, list[i].a, list[i].b, list[i].t);
    sn_free(memory, list, pairs->count + 1, sizeof *list);
    return room;
}

static void free_lists(sn_divide *d) {
    sn_memory *memory = &d->world->memory;
    sn_column vertex[] = {{(void **)&d->first, sizeof *d->first},
                          {(void **)&d->listed, sizeof *d->listed},
                          {(void **)&d->wanted, sizeof *d->wanted}};
    sn_columns_free(memory, vertex, 3, 0, d->vertex_capacity);
    sn_free(memory, d->next, d->corner_capacity, sizeof *d->next);
    sn_free(memory, d->link, d->link_capacity, sizeof *d->link);
    sn_free(memory, d->around, d->around_capacity, sizeof *d->around);
    sn_free(memory, d->beside, d->beside_capacity, sizeof *d->beside);
    sn_free(memory, d->plan, d->plan_capacity, sizeof *d->plan);
}

sn_result sn_cut_divide(sn_world *world, uint32_t sheet, uint32_t tet_mesh, const sn_blade *blade) {
    sn_divide d = {.world = world, .sheet = sheet, .tet_mesh = tet_mesh};
    sn_pairs pairs;
    d.mesh = sn_cut_mesh_at(world, sheet, tet_mesh);
    SN_TRY(sn_pairs_create(&pairs, &world->memory, d.mesh.element, d.mesh.elements, d.mesh.corners,
                           d.mesh.vertices));
    bool room = divide_all(&d, blade, &pairs);
    sn_pairs_free(&pairs, &world->memory);
    free_lists(&d);
    return room ? SN_OK : SN_ERROR_MEMORY;
}

double sn_cut_mean_edge(const sn_world *world, uint32_t sheet, uint32_t tet_mesh) {
    sn_cut_mesh m = sn_cut_mesh_at(world, sheet, tet_mesh);
    double sum = 0;
    size_t count = 0;
    for (size_t e = 0; e < m.elements; e++)
        for (uint32_t k = 1; k < m.corners; k++) {
            sn_vec4 a = m.rest[m.element[m.corners * e]], b = m.rest[m.element[m.corners * e + k]];
            sn_point edge = {(double)b.x - (double)a.x, (double)b.y - (double)a.y,
                             (double)b.z - (double)a.z};
            sum += sn_point_length(edge);
            count++;
        }
    return count > 0 ? sum / (double)count : 0;
}

bool sn_cut_crosses(const sn_world *world, uint32_t sheet, uint32_t tet_mesh,
                    const sn_blade *blade) {
    sn_cut_mesh m = sn_cut_mesh_at(world, sheet, tet_mesh);
    for (size_t e = 0; e < m.elements; e++) {
        sn_point x[4];
        for (uint32_t k = 0; k < m.corners; k++) {
            sn_vec4 at = world->nodes.x[m.node[m.element[m.corners * e + k]]];
            x[k] = (sn_point){(double)at.x, (double)at.y, (double)at.z};
            for (uint32_t i = 0; i < k; i++)
                if (sn_blade_parts(blade, x[i], x[k])) return true;
        }
    }
    return false;
}
