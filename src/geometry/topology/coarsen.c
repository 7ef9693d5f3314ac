#include "geometry/topology/coarsen.h"

#include "geometry/topology/adjacency.h"
#include "geometry/topology/sort_indices.h"

/* So many fixed nodes at most are joined with one that is free: where a whole border is held, the
   nearest of its nodes say enough. */
enum { MOST_FIXED = 8 };

/* ---- Graphs ---- */

bool sn_graph_reserve(sn_graph *graph, sn_memory *memory, size_t edges, size_t triangles) {
    sn_column columns[] = {{(void **)&graph->edge, sizeof *graph->edge},
                           {(void **)&graph->length, sizeof *graph->length}};
    if (edges > graph->edge_room) {
        size_t grown = sn_columns_grow(memory, columns, 2, 0, graph->edge_room, edges);
        if (grown == 0) return false;
        graph->edge_room = grown;
    }
    return sn_reserve(memory, (void **)&graph->triangle, &graph->triangle_room, triangles,
                      sizeof *graph->triangle);
}

void sn_graph_free(sn_graph *graph, sn_memory *memory) {
    sn_column columns[] = {{(void **)&graph->edge, sizeof *graph->edge},
                           {(void **)&graph->length, sizeof *graph->length}};
    sn_columns_free(memory, columns, 2, 0, graph->edge_room);
    sn_free(memory, graph->triangle, graph->triangle_room, sizeof *graph->triangle);
    *graph = (sn_graph){0};
}

bool sn_graph_sort(sn_graph *graph, sn_memory *memory) {
    size_t count = graph->edges, kept = 0;
    sn_record *record = sn_allocate(memory, 2 * count + 1, sizeof *record);
    sn_real *length = sn_allocate(memory, count + 1, sizeof *length);
    for (size_t i = 0; record && length && i < count; i++) {
        uint32_t a = graph->edge[i][0], b = graph->edge[i][1];
        record[i] = (sn_record){{a < b ? a : b, a < b ? b : a, 0}, (uint32_t)i};
        length[i] = graph->length[i];
    }
    bool room = record && length;
    if (room) sn_records_sort(record, record + count, count, 2);
    for (size_t i = 0; room && i < count; i = sn_records_run(record, i, count, 2)) {
        graph->edge[kept][0] = record[i].key[0];
        graph->edge[kept][1] = record[i].key[1];
        graph->length[kept++] = length[record[i].value];
    }
    if (room) graph->edges = kept;
    sn_free(memory, record, 2 * count + 1, sizeof *record);
    sn_free(memory, length, count + 1, sizeof *length);
    return room;
}

/* Likewise triangles, whatever corner comes first. */
static bool sort_triangles(sn_graph *graph, sn_memory *memory) {
    size_t count = graph->triangles, kept = 0;
    sn_record *record = sn_allocate(memory, 2 * count + 1, sizeof *record);
    if (!record) return false;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *t = graph->triangle[i];
        record[i] = (sn_record){{t[0], t[1], t[2]}, 0};
        sn_sort_three(record[i].key);
    }
    sn_records_sort(record, record + count, count, 3);
    for (size_t i = 0; i < count; i = sn_records_run(record, i, count, 3), kept++)
        for (int k = 0; k < 3; k++) graph->triangle[kept][k] = record[i].key[k];
    graph->triangles = kept;
    sn_free(memory, record, 2 * count + 1, sizeof *record);
    return true;
}

/* ---- Who stays ---- */

typedef struct coarsening {
    const sn_graph *fine;
    const uint8_t *fixed;
    sn_memory *memory;
    sn_coarse *coarse;
    sn_adjacency around;  /* of the fine graph */
    uint32_t *number;     /* of fine nodes: in the coarse graph + 1, or 0 */
    uint32_t *owner;      /* of fine nodes: the coarse one that they belong to */
    uint32_t *patch;      /* of fine nodes, for unfolding */
    sn_adjacency outside; /* of the coarse graph, while its lengths are not known */
    sn_unfold unfold;
} coarsening;

/* Fixed nodes, and then in turn whoever has no neighbour that stays. */
static void choose(coarsening *c) {
    const sn_adjacency *around = &c->around;
    uint32_t count = 0;
    for (size_t i = 0; i < c->fine->nodes; i++) c->number[i] = c->fixed[i];
    for (size_t i = 0; i < c->fine->nodes; i++) {
        bool covered = c->number[i] != 0;
        for (size_t k = around->begin[i]; k < around->begin[i + 1] && !covered; k++)
            covered = c->number[around->neighbour[k].node] != 0;
        if (!covered) c->number[i] = 1;
    }
    for (size_t i = 0; i < c->fine->nodes; i++)
        if (c->number[i]) c->number[i] = ++count;
    c->coarse->graph.nodes = count;
}

/* ---- Who belongs to whom ---- */

/* Whether a distance is less than another by more than rounding, so that meshes which are regular
   become graphs which are so. */
static bool is_nearer(double a, double b) {
    return a < b * (1 - 1e-4);
}

static uint32_t nearest_beside(const coarsening *c, size_t i) {
    const sn_adjacency *around = &c->around;
    uint32_t owner = 0;
    double best = 0;
    for (size_t k = around->begin[i]; k < around->begin[i + 1]; k++) {
        const sn_neighbour *n = &around->neighbour[k];
        if (!c->number[n->node] || (owner && !is_nearer(n->length, best))) continue;
        owner = c->number[n->node];
        best = n->length;
    }
    return owner - 1;
}

static void find_owners(coarsening *c) {
    for (size_t i = 0; i < c->fine->nodes; i++) {
        c->owner[i] = c->number[i] ? c->number[i] - 1 : nearest_beside(c, i);
        if (c->number[i]) c->coarse->origin[c->owner[i]] = (uint32_t)i;
    }
}

/* ---- Parents ---- */

/* One more that a node may follow: the nearest are kept, in order. Until all are known, weights are
   distances, and 0 is none. */
static void offer_parent(sn_parents *p, uint32_t node, sn_real distance) {
    int at = SN_PARENTS;
    while (at > 0 &&
           (p->weight[at - 1] == 0 || is_nearer((double)distance, (double)p->weight[at - 1])))
        at--;
    if (at == SN_PARENTS) return;
    for (int k = SN_PARENTS - 1; k > at; k--) {
        p->node[k] = p->node[k - 1];
        p->weight[k] = p->weight[k - 1];
    }
    p->node[at] = node;
    p->weight[at] = distance;
}

/* Those that stay follow themselves, others all that they were offered. */
static void weigh_parents(coarsening *c) {
    for (size_t i = 0; i < c->fine->nodes; i++) {
        sn_parents *p = &c->coarse->parents[i];
        double sum = 0;
        int count = 0;
        if (c->number[i]) *p = (sn_parents){.node = {c->owner[i]}, .weight = {1}};
        for (; count < SN_PARENTS && p->weight[count] > 0; count++)
            sum += 1 / (double)p->weight[count];
        for (int k = 0; k < SN_PARENTS; k++) {
            if (k >= count) p->node[k] = p->node[0];
            if (k < count) p->weight[k] = (sn_real)(1 / (double)p->weight[k] / sum);
        }
    }
}

/* ---- The coarse graph ---- */

static bool contract(coarsening *c) {
    const sn_graph *fine = c->fine;
    sn_graph *graph = &c->coarse->graph;
    if (!sn_graph_reserve(graph, c->memory, fine->edges + 1, fine->triangles + 1)) return false;
    for (size_t i = 0; i < fine->edges; i++) {
        uint32_t a = c->owner[fine->edge[i][0]], b = c->owner[fine->edge[i][1]];
        if (a == b) continue;
        graph->edge[graph->edges][0] = a;
        graph->edge[graph->edges][1] = b;
        graph->length[graph->edges++] = 0;
    }
    for (size_t i = 0; i < fine->triangles; i++) {
        uint32_t *t = graph->triangle[graph->triangles];
        for (int k = 0; k < 3; k++) t[k] = c->owner[fine->triangle[i][k]];
        graph->triangles += t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
    }
    return sn_graph_sort(graph, c->memory) && sort_triangles(graph, c->memory);
}

/* Marks what belongs to a coarse node and its neighbours, or takes the marks away. */
static void mark(coarsening *c, const size_t *begin, const uint32_t *member, uint32_t a,
                 uint32_t value) {
    for (size_t i = begin[a]; i < begin[a + 1]; i++) c->patch[member[i]] = value;
    for (size_t k = c->outside.begin[a]; k < c->outside.begin[a + 1]; k++) {
        uint32_t b = c->outside.neighbour[k].node;
        for (size_t i = begin[b]; i < begin[b + 1]; i++) c->patch[member[i]] = value;
    }
}

/* From one coarse node to those that it is joined with, and to all that may follow it. */
static void measure_from(coarsening *c, uint32_t a, size_t *edge) {
    sn_graph *graph = &c->coarse->graph;
    const double *distance = c->unfold.distance;
    sn_unfold_from(&c->unfold, &c->around, c->coarse->origin[a], c->patch, a + 1);
    for (; *edge < graph->edges && graph->edge[*edge][0] == a; (*edge)++)
        graph->length[*edge] = (sn_real)distance[c->coarse->origin[graph->edge[*edge][1]]];
    for (size_t i = 0; i < c->unfold.count; i++) {
        uint32_t node = c->unfold.reached[i];
        sn_real far = (sn_real)distance[node];
        if (!c->number[node] && far > 0) offer_parent(&c->coarse->parents[node], a, far);
    }
}

/* All distances, along what belongs to a coarse node and to those around. */
static bool measure(coarsening *c) {
    size_t nodes = c->coarse->graph.nodes, fine = c->fine->nodes, edge = 0;
    size_t *begin = sn_allocate(c->memory, nodes + 2, sizeof *begin);
    uint32_t *member = sn_allocate(c->memory, fine + 1, sizeof *member);
    bool room = begin && member && sn_adjacency_create(&c->outside, &c->coarse->graph, c->memory) &&
                sn_unfold_create(&c->unfold, fine, c->memory);
    if (room) {
        /* Lists begin one place further until they are filled. */
        for (size_t i = 0; i < fine; i++) begin[c->owner[i] + 2]++;
        for (size_t a = 2; a <= nodes + 1; a++) begin[a] += begin[a - 1];
        for (size_t i = 0; i < fine; i++) member[begin[c->owner[i] + 1]++] = (uint32_t)i;
    }
    for (uint32_t a = 0; room && a < nodes; a++) {
        mark(c, begin, member, a, a + 1);
        measure_from(c, a, &edge);
        mark(c, begin, member, a, 0);
    }
    sn_free(c->memory, begin, nodes + 2, sizeof *begin);
    sn_free(c->memory, member, fine + 1, sizeof *member);
    return room;
}

/* ---- Fixed nodes ---- */

static bool is_fixed(const coarsening *c, uint32_t coarse) {
    return c->fixed[c->coarse->origin[coarse]];
}

/* Whether so many fixed neighbours of a free node are nearer than one of them. */
static bool is_far(const coarsening *c, uint32_t node, uint32_t pin, double length) {
    size_t nearer = 0;
    const sn_adjacency *outside = &c->outside;
    for (size_t k = outside->begin[node]; k < outside->begin[node + 1]; k++) {
        const sn_neighbour *n = &outside->neighbour[k];
        if (!is_fixed(c, n->node)) continue;
        nearer += n->length < length || (n->length == length && n->node < pin);
    }
    return nearer >= MOST_FIXED;
}

/* Edges act unless they cannot move anything, or are to one of many fixed nodes and not the
   nearest. */
static bool thin_out(coarsening *c) {
    const sn_graph *graph = &c->coarse->graph;
    sn_adjacency_free(&c->outside, c->memory);
    c->coarse->acts = sn_allocate(c->memory, graph->edges + 1, sizeof *c->coarse->acts);
    if (!c->coarse->acts || !sn_adjacency_create(&c->outside, graph, c->memory)) return false;
    for (size_t i = 0; i < graph->edges; i++) {
        uint32_t a = graph->edge[i][0], b = graph->edge[i][1];
        bool pin_a = is_fixed(c, a), pin_b = is_fixed(c, b);
        c->coarse->acts[i] =
            !(pin_a && pin_b) &&
            (pin_a == pin_b || !is_far(c, pin_a ? b : a, pin_a ? a : b, (double)graph->length[i]));
    }
    return true;
}

/* ---- Everything ---- */

static bool run(coarsening *c) {
    size_t nodes = c->fine->nodes;
    if (!sn_adjacency_create(&c->around, c->fine, c->memory)) return false;
    c->number = sn_allocate(c->memory, nodes + 1, sizeof *c->number);
    c->owner = sn_allocate(c->memory, nodes + 1, sizeof *c->owner);
    c->patch = sn_allocate(c->memory, nodes + 1, sizeof *c->patch);
    c->coarse->parents = sn_allocate(c->memory, nodes + 1, sizeof *c->coarse->parents);
    if (!c->number || !c->owner || !c->patch || !c->coarse->parents) return false;
    choose(c);
    c->coarse->origin =
        sn_allocate(c->memory, c->coarse->graph.nodes + 1, sizeof *c->coarse->origin);
    if (!c->coarse->origin) return false;
    find_owners(c);
    if (!contract(c) || !measure(c)) return false;
    weigh_parents(c);
    return thin_out(c);
}

bool sn_coarsen(const sn_graph *fine, const uint8_t *fixed, sn_memory *memory, sn_coarse *coarse) {
    size_t nodes = fine->nodes;
    *coarse = (sn_coarse){.finer = nodes};
    coarsening c = {.fine = fine, .fixed = fixed, .memory = memory, .coarse = coarse};
    bool room = run(&c);
    sn_adjacency_free(&c.around, memory);
    sn_adjacency_free(&c.outside, memory);
    sn_unfold_free(&c.unfold, memory);
    sn_free(memory, c.number, nodes + 1, sizeof *c.number);
    sn_free(memory, c.owner, nodes + 1, sizeof *c.owner);
    sn_free(memory, c.patch, nodes + 1, sizeof *c.patch);
    if (!room) sn_coarse_free(coarse, memory);
    return room;
}

void sn_coarse_free(sn_coarse *coarse, sn_memory *memory) {
    sn_free(memory, coarse->origin, coarse->graph.nodes + 1, sizeof *coarse->origin);
    sn_free(memory, coarse->parents, coarse->finer + 1, sizeof *coarse->parents);
    sn_free(memory, coarse->acts, coarse->graph.edges + 1, sizeof *coarse->acts);
    sn_graph_free(&coarse->graph, memory);
    *coarse = (sn_coarse){0};
}
