/* Before the tests' own names, which are shorter than those of the library. */
#include "state/world.h"
#include "systems/sheet/sheets.h"

#include "collision/collision_state.h"
#include "torn.h"

#include <stdlib.h>
#include <string.h>

static const sn_sheet_state *state_of(const body *b) {
    return &sn_sheets_of(b->world)->state[b->build.sheet.slot - 1];
}

sn_mesh sheet_mesh(const body *b) {
    const sn_sheet_state *s = state_of(b);
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, NULL, s->def.node_count));
    REQUIRE_OK(
        sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])s->triangle, s->def.triangle_count));
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        sn_vec4 x = b->world->nodes.x[s->node[i]];
        mesh.positions[i] = (sn_vec3){x.x, x.y, x.z};
    }
    return mesh;
}

static sn_mesh_report report_of(const body *b) {
    sn_mesh mesh = sheet_mesh(b);
    sn_mesh_report report = sn_mesh_report_default();
    REQUIRE_OK(sn_mesh_check(&mesh, &report));
    sn_mesh_free(&mesh);
    return report;
}

size_t count_pieces(const body *b) {
    return report_of(b).piece_count;
}

size_t count_border(const body *b) {
    return report_of(b).findings[SN_MESH_EDGE_BOUNDARY].count;
}

/* ---- Edges ---- */

static int compare(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static uint64_t key_of(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Sorted, each once; returns how many. */
static size_t unique(uint64_t *key, size_t count) {
    size_t kept = 0;
    qsort(key, count, sizeof *key, compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || key[i] != key[i - 1]) key[kept++] = key[i];
    return kept;
}

static uint64_t *edges_of(const uint32_t *slots, size_t triangles, size_t *count) {
    uint64_t *key = calloc(3 * triangles + 1, sizeof *key);
    if (!key) abort();
    for (size_t i = 0; i < 3 * triangles; i++)
        key[i] = key_of(slots[i], slots[i % 3 == 2 ? i - 2 : i + 1]);
    *count = unique(key, 3 * triangles);
    return key;
}

static bool has(const uint64_t *key, size_t count, uint64_t wanted) {
    return bsearch(&wanted, key, count, sizeof *key, compare) != NULL;
}

/* ---- Constraints ---- */

static void check_distances(const body *b, const uint64_t *edge, size_t edges) {
    const sn_store *store = &b->world->store[SN_TYPE_DISTANCE];
    size_t found = 0;
    for (uint8_t c = 0; c < SN_COLOURS; c++)
        for (uint32_t i = 0; i < store->colour[c].count; i++) {
            sn_members m = sn_store_members(store, (sn_place){c, i});
            found += has(edge, edges, key_of((uint32_t)sn_member(m, 0), (uint32_t)sn_member(m, 1)));
        }
    CHECK(found == edges);
    CHECK(store->count == edges);
}

/* Whether a fan ends at the border; `open` is the last of its fields. */
static bool is_open(const sn_store *store, sn_place place) {
    return store->type->info.list == SN_LIST_FAN &&
           sn_store_parameters(store, place)[store->parameters - 1] > 0;
}

/* Every ring of a type goes around its vertex: neighbours are joined by edges. */
static void check_rings(const body *b, sn_type type, const uint64_t *edge, size_t edges) {
    const sn_store *store = &b->world->store[type];
    bool good = true;
    for (uint8_t c = 0; c < SN_COLOURS; c++)
        for (uint32_t i = 0; i < store->colour[c].count; i++) {
            sn_members m = sn_store_members(store, (sn_place){c, i});
            uint32_t centre = (uint32_t)sn_member(m, 0);
            for (int n = 1; n < m.nodes; n++) {
                uint32_t own = (uint32_t)sn_member(m, n);
                uint32_t next = (uint32_t)sn_member(m, n + 1 < m.nodes ? n + 1 : 1);
                bool last = n + 1 == m.nodes && is_open(store, (sn_place){c, i});
                good = good && has(edge, edges, key_of(centre, own)) &&
                       (last || has(edge, edges, key_of(own, next)));
            }
        }
    CHECK(good);
}

static void check_hinges(const body *b, const uint64_t *edge, size_t edges) {
    static const int pairs[5][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}};
    const sn_store *store = &b->world->store[SN_TYPE_DIHEDRAL_BENDING];
    bool good = true;
    for (uint8_t c = 0; c < SN_COLOURS; c++)
        for (uint32_t i = 0; i < store->colour[c].count; i++) {
            sn_members m = sn_store_members(store, (sn_place){c, i});
            for (int k = 0; k < 5; k++)
                good = good && has(edge, edges,
                                   key_of((uint32_t)sn_member(m, pairs[k][0]),
                                          (uint32_t)sn_member(m, pairs[k][1])));
        }
    CHECK(good);
}

/* ---- Everything ---- */

static void check_surface(const body *b, const uint64_t *edge, size_t edges) {
    if (b->build.surface.slot == 0) return;
    const sn_collision_surface_state *surface =
        &sn_collision_surfaces_of(b->world)->state[b->build.surface.slot - 1];
    const sn_sheet_state *s = state_of(b);
    bool good = true;
    CHECK(surface->def.node_count == s->def.node_count);
    if (!CHECK(surface->def.triangle_count == s->def.triangle_count)) return;
    for (size_t i = 0; i < 3 * s->def.triangle_count; i++)
        good = good && surface->triangle[i] == s->node[s->triangle[i]];
    CHECK(good);
    CHECK(surface->inner == edges && surface->edges == edges);
    for (size_t i = 0; i < surface->edges; i++)
        good = good && has(edge, edges, key_of(surface->edge[2 * i], surface->edge[2 * i + 1]));
    CHECK(good);
}

void check_torn(const body *b, bool distances) {
    const sn_world *world = b->world;
    const sn_sheet_state *s = state_of(b);
    sn_mesh_report report = report_of(b);
    CHECK(report.findings[SN_MESH_EDGE_CROWDED].count == 0);
    CHECK(report.findings[SN_MESH_EDGE_WINDING].count == 0);
    CHECK(report.findings[SN_MESH_VERTEX_FANS].count == 0);
    CHECK(report.findings[SN_MESH_VERTEX_UNUSED].count == 0);
    uint32_t *slots = calloc(3 * s->def.triangle_count + 1, sizeof *slots);
    if (!slots) abort();
    for (size_t i = 0; i < 3 * s->def.triangle_count; i++) slots[i] = s->node[s->triangle[i]];
    size_t edges;
    uint64_t *edge = edges_of(slots, s->def.triangle_count, &edges);
    CHECK(edges == report.edge_count);
    if (distances) check_distances(b, edge, edges);
    check_rings(b, SN_TYPE_VERTEX_BENDING, edge, edges);
    check_rings(b, SN_TYPE_PLATE_BENDING, edge, edges);
    check_hinges(b, edge, edges);
    check_surface(b, edge, edges);
    bool known = true;
    for (uint32_t i = 0; i < s->def.node_count; i++)
        known = known && world->nodes.slots.alive[s->node[i]] == 1 &&
                sn_sheets_of(world)->of_node[s->node[i]] == b->build.sheet.slot &&
                sn_sheets_of(world)->place[s->node[i]] == i;
    CHECK(known);
    sn_memory memory = {sn_allocator_default(), 0};
    for (size_t i = 0; i < world->store_count; i++)
        CHECK(sn_store_is_valid(&world->store[i], world->nodes.slots.count, &memory));
    free(slots);
    free(edge);
}
