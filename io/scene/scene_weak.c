/* Edges of a cloth along which it tears before the rest: a line of vertices, or all edges between
   some of them. */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <stdlib.h>

/* Two nodes per edge. */
static sn_result add_edge(scene_nodes *ends, sn_node a, sn_node b) {
    for (int k = 0; k < 2; k++) {
        sn_node *place = SCENE_ADD(*ends);
        if (!place) return SN_ERROR_MEMORY;
        *place = k ? b : a;
    }
    return SN_OK;
}

static sn_result add_line(sn_scene *s, const scene_body *body, const json_node *line,
                          scene_nodes *ends) {
    size_t vertices = body->mesh->mesh.vertex_count, vertex, before = 0;
    if (line->count < 2)
        return sn_scene_complain(&s->reader, line, "has %zu vertices, expected at least 2",
                                 line->count);
    for (size_t i = 0; i < line->count; i++, before = vertex) {
        SN_TRY(sn_scene_read_index(&s->reader, &line->items[i], 0, UINT32_MAX, &vertex));
        if (vertex >= vertices)
            return sn_scene_complain(&s->reader, &line->items[i],
                                     "is vertex %zu, but the mesh has %zu vertices", vertex,
                                     vertices);
        if (i > 0) SN_TRY(add_edge(ends, body->nodes[before], body->nodes[vertex]));
    }
    return SN_OK;
}

/* ---- Edges between vertices ---- */

static int compare(const void *a, const void *b) {
    const uint32_t *p = a, *q = b;
    if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
    return p[1] < q[1] ? -1 : p[1] > q[1];
}

static bool is_same(const uint32_t *a, const uint32_t *b) {
    return a[0] == b[0] && a[1] == b[1];
}

/* Edges of the border belong to one triangle, and there is nothing to tear. */
static sn_result add_inner(const scene_body *body, uint32_t (*edge)[2], size_t count,
                           scene_nodes *ends) {
    qsort(edge, count, sizeof *edge, compare);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && is_same(edge[next], edge[i]);) next++;
        if (next == i + 2) SN_TRY(add_edge(ends, body->nodes[edge[i][0]], body->nodes[edge[i][1]]));
    }
    return SN_OK;
}

/* Which vertices are meant is known by the slots of their nodes. */
static sn_result find_between(const scene_body *body, const uint8_t *meant, uint32_t (*edge)[2],
                              scene_nodes *ends) {
    const sn_mesh *mesh = &body->mesh->mesh;
    size_t count = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = mesh->triangles[t][k], b = mesh->triangles[t][(k + 1) % 3];
            if (!meant[body->nodes[a].slot] || !meant[body->nodes[b].slot]) continue;
            edge[count][0] = a < b ? a : b;
            edge[count++][1] = a < b ? b : a;
        }
    return add_inner(body, edge, count, ends);
}

static sn_result add_between(sn_scene *s, const scene_body *body, const json_node *which,
                             scene_nodes *ends) {
    const sn_mesh *mesh = &body->mesh->mesh;
    scene_nodes list = {0};
    sn_node_view view;
    SN_TRY(sn_world_nodes(s->world, &view));
    uint8_t *meant = calloc(view.count + 1, 1);
    uint32_t(*edge)[2] = calloc(3 * mesh->triangle_count + 1, sizeof *edge);
    sn_result result = meant && edge ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) result = sn_scene_select_pins(s, body, which, &list);
    for (size_t i = 0; result == SN_OK && i < list.count; i++) meant[list.items[i].slot] = 1;
    if (result == SN_OK) result = find_between(body, meant, edge, ends);
    if (result == SN_OK && ends->count == 0)
        result = sn_scene_complain(
            &s->reader, which, "no two of these %zu vertices have an edge between two triangles",
            list.count);
    free(list.items);
    free(meant);
    free(edge);
    return result;
}

/* ---- The list of a body ---- */

static sn_result weaken(sn_scene *s, const scene_body *body, const json_node *node,
                        scene_nodes *ends) {
    scene_weak_part part = {.strength = 0};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_weak_object, NULL));
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_weak_object, &part));
    if (!part.line == !part.between)
        return sn_scene_complain(&s->reader, node,
                                 "has %s of \"line\" and \"between\", expected one",
                                 part.line ? "both" : "none");
    SN_TRY(part.line ? add_line(s, body, part.line, ends)
                     : add_between(s, body, part.between, ends));
    sn_result result = sn_sheet_set_edge_strength(s->world, body->build.sheet, ends->items,
                                                  ends->count / 2, part.strength);
    if (result == SN_OK || result == SN_ERROR_MEMORY) return result;
    return sn_scene_complain_within(&s->reader, node);
}

sn_result sn_scene_weaken_edges(sn_scene *s, const scene_body *body, const json_node *list) {
    sn_result result = SN_OK;
    if (list && list->count > 0 && !sn_sheet_is_valid(s->world, body->build.sheet))
        return sn_scene_complain(&s->reader, list, "are of a cloth, which body \"%.64s\" is not",
                                 body->name);
    for (size_t i = 0; list && i < list->count && result == SN_OK; i++) {
        scene_nodes ends = {0};
        result = weaken(s, body, &list->items[i], &ends);
        free(ends.items);
    }
    return result;
}
