/* Hierarchies to and from an archive: their meshes, as levels follow from these. */
#include "state/serialize.h"
#include "systems/hierarchy/hierarchies.h"

static void serialize_nodes(sn_archive *a, sn_world *world, sn_hierarchy_state *h, size_t i) {
    size_t count = a->reading ? sn_archive_count(a, "node") : h->nodes;
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&h->node, &h->node_room, count + 1,
                                       sizeof *h->node));
    if (a->result == SN_OK) sn_serialize_nodes(world, a, h->node, count, "hierarchy", i);
    for (size_t k = 1; a->reading && k < count && a->result == SN_OK; k++)
        if (h->node[k].slot <= h->node[k - 1].slot)
            sn_archive_fail(a, "hierarchy %zu has node %u, which comes before", i, h->node[k].slot);
    if (a->result == SN_OK) h->nodes = count;
    h->graph.nodes = h->nodes;
}

/* What is read must be numbers of nodes, in elements whose corners differ. */
static void check_elements(sn_archive *a, const uint32_t *corner, size_t count, size_t corners,
                           size_t nodes, size_t i) {
    for (size_t k = 0; k < count * corners && a->result == SN_OK; k++) {
        size_t next = k % corners + 1 == corners ? k + 1 - corners : k + 1;
        if (corner[k] >= nodes || corner[k] == corner[next])
            sn_archive_fail(a, "hierarchy %zu has node %u in an element", i, corner[k]);
    }
}

/* Edges are in order, each once, with lengths. */
static void check_edges(sn_archive *a, const sn_graph *g, size_t i) {
    for (size_t k = 0; k < g->edges && a->result == SN_OK; k++) {
        const uint32_t *e = g->edge[k], *before = k > 0 ? g->edge[k - 1] : NULL;
        bool after = !before || before[0] < e[0] || (before[0] == e[0] && before[1] < e[1]);
        if (!(e[0] < e[1] && after && g->length[k] > 0))
            sn_archive_fail(a, "hierarchy %zu has the edge %zu out of order or without length", i,
                            k);
    }
}

static void serialize_graph(sn_archive *a, sn_world *world, sn_graph *g, size_t i) {
    if (a->reading) {
        g->edges = sn_archive_count(a, "length");
        g->triangles = sn_archive_count(a, "triangle") / 3;
        if (a->result == SN_OK)
            sn_serialize_had(a,
                             sn_graph_reserve(g, &world->memory, g->edges + 1, g->triangles + 1));
    }
    if (a->result != SN_OK) return;
    sn_archive_column(a, "edge", SN_ARCHIVE_U32, g->edge, 2 * g->edges);
    sn_archive_column(a, "length", SN_ARCHIVE_REAL, g->length, g->edges);
    sn_archive_column(a, "triangle", SN_ARCHIVE_U32, g->triangle, 3 * g->triangles);
    if (!a->reading || a->result != SN_OK) return;
    check_elements(a, (const uint32_t *)g->edge, g->edges, 2, g->nodes, i);
    check_elements(a, (const uint32_t *)g->triangle, g->triangles, 3, g->nodes, i);
    check_edges(a, g, i);
}

static void serialize_rest(sn_archive *a, sn_world *world, sn_hierarchy_state *h, size_t i) {
    size_t count = a->reading ? sn_archive_count(a, "rest") : h->rest ? 3 * h->nodes : 0;
    if (count == 0) return;
    if (count != 3 * h->nodes) {
        sn_archive_fail(a, "hierarchy %zu has %zu numbers of rest for %zu nodes", i, count,
                        h->nodes);
        return;
    }
    if (a->reading)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&h->rest, &h->rest_room, h->nodes,
                                       sizeof *h->rest));
    if (a->result == SN_OK) sn_archive_column(a, "rest", SN_ARCHIVE_REAL, h->rest, count);
}

static void serialize_hierarchy(sn_archive *a, sn_world *world, size_t i) {
    sn_hierarchy_state *h = &sn_hierarchies_of(world)->state[i];
    sn_archive_section(a, "levels");
    sn_object_serialize(&sn_hierarchy_object, a, &h->def, sizeof h->def, 1, i);
    sn_object_check_read(&sn_hierarchy_object, a, &h->def, i);
    if (a->result == SN_OK) serialize_nodes(a, world, h, i);
    if (a->result == SN_OK) serialize_graph(a, world, &h->graph, i);
    if (a->result == SN_OK) serialize_rest(a, world, h, i);
    if (a->reading) h->changed = true;
    sn_archive_section_end(a);
}

void sn_world_serialize_hierarchies(sn_world *world, sn_archive *a) {
    sn_hierarchies *all = sn_hierarchies_of(world);
    if (!sn_serialize_kept(world, a, "hierarch", &all->slots, (void **)&all->state, &all->capacity,
                           sizeof *all->state))
        return;
    for (size_t i = 0; i < all->slots.count && a->result == SN_OK; i++)
        if (all->slots.alive[i]) serialize_hierarchy(a, world, i);
    if (a->reading) all->changed = true;
}
