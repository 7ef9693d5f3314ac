/* Before the tests' own names, which are shorter than those of the library. */
#include "state/world.h"
#include "systems/tet_mesh/tet_meshes.h"

#include "collision/collision_state.h"
#include "parted.h"

#include <stdlib.h>
#include <string.h>

static const sn_tet_mesh_state *state_of(const body *b) {
    return &sn_tet_meshes_of(b->world)->state[b->build.tet_mesh.slot - 1];
}

size_t count_parts(const body *b) {
    size_t count = 0;
    REQUIRE_OK(sn_tet_mesh_count_parts(b->world, b->build.tet_mesh, &count));
    return count;
}

double total_mass(const body *b) {
    double sum = 0;
    for (size_t i = 0; i < b->world->nodes.slots.count; i++)
        if (b->world->nodes.slots.alive[i] && b->world->nodes.w[i] > 0)
            sum += 1 / (double)b->world->nodes.w[i];
    return sum;
}

double total_stiffness(const body *b) {
    const sn_store *store = &b->world->store[SN_TYPE_DISTANCE];
    double sum = 0;
    for (uint8_t c = 0; c < SN_COLOURS; c++)
        for (uint32_t i = 0; i < store->colour[c].count; i++)
            sum +=
                1 / (double)sn_store_parameters(store, (sn_place){c, i})[SN_PARAMETER_COMPLIANCE];
    return sum;
}

/* ---- Keys ---- */

typedef struct key {
    uint32_t part[4];
} key;

static int compare(const void *a, const void *b) {
    return memcmp(a, b, sizeof(key));
}

/* Sorted within, so that the order of nodes does not matter. */
static key key_of(const uint32_t *node, int count) {
    key made = {{0, 0, 0, 0}};
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && made.part[at - 1] > node[i] + 1; at--) made.part[at] = made.part[at - 1];
        made.part[at] = node[i] + 1;
    }
    return made;
}

static size_t unique(key *keys, size_t count) {
    size_t kept = 0;
    qsort(keys, count, sizeof *keys, compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || compare(&keys[i], &keys[kept - 1]) != 0) keys[kept++] = keys[i];
    return kept;
}

static bool has(const key *keys, size_t count, key wanted) {
    return bsearch(&wanted, keys, count, sizeof *keys, compare) != NULL;
}

static key *take(size_t count) {
    key *keys = calloc(count + 1, sizeof *keys);
    if (!keys) abort();
    return keys;
}

/* ---- Constraints ---- */

/* The edges of the tets as slots of nodes, each once. */
static key *edges_of(const sn_tet_mesh_state *s, size_t *count) {
    key *keys = take(6 * s->def.tet_count);
    *count = 0;
    for (size_t t = 0; t < s->def.tet_count; t++)
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < i; k++) {
                const uint32_t ends[2] = {s->node[s->tet[4 * t + (size_t)i]],
                                          s->node[s->tet[4 * t + (size_t)k]]};
                keys[(*count)++] = key_of(ends, 2);
            }
    *count = unique(keys, *count);
    return keys;
}

static key *tets_of(const sn_tet_mesh_state *s) {
    key *keys = take(s->def.tet_count);
    for (size_t t = 0; t < s->def.tet_count; t++) {
        uint32_t nodes[4];
        for (int i = 0; i < 4; i++) nodes[i] = s->node[s->tet[4 * t + (size_t)i]];
        keys[t] = key_of(nodes, 4);
    }
    qsort(keys, s->def.tet_count, sizeof *keys, compare);
    return keys;
}

static void check_store(const sn_store *store, const key *keys, size_t count, size_t *found) {
    bool good = true;
    *found = 0;
    for (uint8_t c = 0; c < SN_COLOURS; c++)
        for (uint32_t i = 0; i < store->colour[c].count; i++) {
            sn_members members = sn_store_members(store, (sn_place){c, i});
            uint32_t nodes[4];
            for (int n = 0; n < members.nodes; n++) nodes[n] = (uint32_t)sn_member(members, n);
            good = good && has(keys, count, key_of(nodes, members.nodes));
            ++*found;
        }
    CHECK(good);
}

static void check_constraints(const body *b) {
    const sn_tet_mesh_state *s = state_of(b);
    size_t edges, found;
    key *edge = edges_of(s, &edges), *tet = tets_of(s);
    check_store(&b->world->store[SN_TYPE_DISTANCE], edge, edges, &found);
    CHECK(found == edges || found == 0);
    for (size_t i = 0; i < b->world->store_count; i++) {
        const sn_store *store = &b->world->store[i];
        if (store->type->info.list != SN_LIST_NONE || store->type->info.nodes != 4) continue;
        check_store(store, tet, s->def.tet_count, &found);
        CHECK(found == 0 || found == s->def.tet_count);
    }
    sn_memory memory = b->world->memory;
    for (size_t i = 0; i < b->world->store_count; i++)
        CHECK(sn_store_is_valid(&b->world->store[i], b->world->nodes.slots.count, &memory));
    free(edge);
    free(tet);
}

/* ---- The surface ---- */

static uint32_t *surface_of(const body *b, size_t *count) {
    REQUIRE_OK(sn_tet_mesh_get_surface(b->world, b->build.tet_mesh, NULL, 0, count));
    uint32_t *triangles = calloc(3 * *count + 1, sizeof *triangles);
    if (!triangles) abort();
    REQUIRE_OK(sn_tet_mesh_get_surface(b->world, b->build.tet_mesh, triangles, *count, count));
    return triangles;
}

static key directed(uint32_t a, uint32_t b) {
    return (key){{a + 1, b + 1, 0, 0}};
}

/* Every edge as often in one direction as in the other. */
static void check_closed(const uint32_t *triangle, size_t count) {
    key *keys = take(3 * count);
    size_t open = 0;
    for (size_t i = 0; i < 3 * count; i++)
        keys[i] = directed(triangle[i], triangle[i / 3 * 3 + (i + 1) % 3]);
    qsort(keys, 3 * count, sizeof *keys, compare);
    for (size_t i = 0; i < 3 * count; i++)
        open += !has(keys, 3 * count, directed(keys[i].part[1] - 1, keys[i].part[0] - 1));
    CHECK(open == 0);
    free(keys);
}

size_t count_crowded(const body *b) {
    size_t count, crowded = 0;
    uint32_t *triangle = surface_of(b, &count);
    key *keys = take(3 * count);
    for (size_t i = 0; i < 3 * count; i++) {
        const uint32_t ends[2] = {triangle[i], triangle[i / 3 * 3 + (i + 1) % 3]};
        keys[i] = key_of(ends, 2);
    }
    qsort(keys, 3 * count, sizeof *keys, compare);
    for (size_t i = 0; i + 2 < 3 * count; i++)
        crowded +=
            compare(&keys[i], &keys[i + 2]) == 0 && (i == 0 || compare(&keys[i - 1], &keys[i]));
    free(keys);
    free(triangle);
    return crowded;
}

static void check_surface(const body *b, const uint32_t *triangle, size_t count) {
    const sn_tet_mesh_state *s = state_of(b);
    if (b->build.surface.slot == 0) return;
    const sn_collision_surface_state *surface =
        &sn_collision_surfaces_of(b->world)->state[b->build.surface.slot - 1];
    key *keys = take(count), *edge = take(3 * count);
    bool good = true;
    if (!CHECK(surface->def.triangle_count == count)) return;
    for (size_t i = 0; i < count; i++) {
        uint32_t nodes[3];
        for (size_t k = 0; k < 3; k++) nodes[k] = s->node[triangle[3 * i + k]];
        keys[i] = key_of(nodes, 3);
        for (size_t k = 0; k < 3; k++) {
            const uint32_t ends[2] = {nodes[k], nodes[(k + 1) % 3]};
            edge[3 * i + k] = key_of(ends, 2);
        }
    }
    CHECK(unique(keys, count) == count);
    for (size_t i = 0; i < count; i++)
        good = good && has(keys, count, key_of(&surface->triangle[3 * i], 3));
    CHECK(good);
    size_t edges = unique(edge, 3 * count);
    CHECK(surface->inner == edges && surface->edges == edges);
    for (size_t i = 0; i < surface->edges; i++)
        good = good && has(edge, edges, key_of(&surface->edge[2 * i], 2));
    CHECK(good);
    for (size_t i = 0; i < surface->def.node_count; i++)
        good = good && sn_collision_surfaces_of(b->world)->of_node[surface->node[i]] ==
                           b->build.surface.slot;
    CHECK(good);
    free(keys);
    free(edge);
}

sn_mesh rest_mesh(const body *b) {
    sn_mesh mesh = sn_mesh_default();
    size_t nodes, tets;
    REQUIRE_OK(sn_tet_mesh_get_nodes(b->world, b->build.tet_mesh, NULL, 0, &nodes));
    REQUIRE_OK(sn_tet_mesh_get_tets(b->world, b->build.tet_mesh, NULL, 0, &tets));
    uint32_t(*tet)[4] = calloc(tets, sizeof *tet);
    if (!tet) abort();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, NULL, nodes));
    REQUIRE_OK(sn_tet_mesh_get_rest(b->world, b->build.tet_mesh, mesh.positions, nodes, &nodes));
    REQUIRE_OK(sn_tet_mesh_get_tets(b->world, b->build.tet_mesh, *tet, tets, &tets));
    REQUIRE_OK(sn_mesh_add_tets(&mesh, (const uint32_t(*)[4])tet, tets));
    free(tet);
    return mesh;
}

double volume_of(const sn_mesh *mesh) {
    double sum = 0;
    for (size_t i = 0; i < mesh->tet_count; i++) {
        double e[3][3];
        for (int k = 0; k < 3; k++) {
            sn_vec3 a = mesh->positions[mesh->tets[i][0]],
                    c = mesh->positions[mesh->tets[i][k + 1]];
            e[k][0] = (double)c.x - (double)a.x;
            e[k][1] = (double)c.y - (double)a.y;
            e[k][2] = (double)c.z - (double)a.z;
        }
        sum += (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
               6;
    }
    return sum;
}

static void check_nodes(const body *b) {
    const sn_tet_meshes *tet_meshes = sn_tet_meshes_of(b->world);
    const sn_tet_mesh_state *s = state_of(b);
    bool good = true;
    for (uint32_t i = 0; i < s->def.node_count; i++)
        good = good && tet_meshes->of_node[s->node[i]] == b->build.tet_mesh.slot &&
               tet_meshes->place[s->node[i]] == i;
    CHECK(good);
}

void check_parted(const body *b) {
    size_t count;
    uint32_t *triangle = surface_of(b, &count);
    check_nodes(b);
    check_closed(triangle, count);
    check_surface(b, triangle, count);
    check_constraints(b);
    free(triangle);
}
