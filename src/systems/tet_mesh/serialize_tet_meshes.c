/* Tet meshes to and from an archive. */
#include "state/serialize.h"
#include "systems/tet_mesh/tet_meshes.h"

/* How many nodes and tets a tet mesh has; what is read must be there in full before memory is had
   for it. */
static void serialize_counts(sn_archive *a, sn_tet_meshes *b) {
    uint64_t total[2] = {0, 0};
    sn_archive_cursor cursor = sn_archive_open(a, "counts", SN_ARCHIVE_U32, 2 * b->slots.count);
    for (size_t i = 0; i < b->slots.count && a->result == SN_OK; i++) {
        sn_tet_mesh_def *def = &b->state[i].def;
        uint32_t count[2] = {(uint32_t)def->node_count, (uint32_t)def->tet_count};
        for (int k = 0; k < 2; k++) sn_archive_next(a, &cursor, &count[k]);
        if (!a->reading || a->result != SN_OK) continue;
        if (b->slots.alive[i] ? count[0] == 0 : count[0] > 0 || count[1] > 0)
            sn_archive_fail(a, "tet mesh %zu has %u nodes and %u tets", i, count[0], count[1]);
        def->node_count = count[0];
        def->tet_count = count[1];
        total[0] += count[0];
        total[1] += 4 * (uint64_t)count[1];
    }
    static const char *const lists[] = {"node", "tet"};
    for (int k = 0; k < 2 && a->reading && a->result == SN_OK; k++)
        if (sn_archive_count(a, lists[k]) != total[k])
            sn_archive_fail(a, "there are %zu numbers of %s, expected %llu",
                            sn_archive_count(a, lists[k]), lists[k], (unsigned long long)total[k]);
}

static size_t total_of(const sn_tet_meshes *b, bool tets) {
    size_t total = 0;
    for (size_t i = 0; i < b->slots.count; i++)
        total += tets ? b->state[i].def.tet_count : b->state[i].def.node_count;
    return total;
}

static void serialize_node_lists(sn_archive *a, sn_world *world) {
    sn_tet_meshes *b = sn_tet_meshes_of(world);
    sn_archive_cursor cursor = sn_archive_open(a, "node", SN_ARCHIVE_U32, total_of(b, false));
    for (size_t i = 0; i < b->slots.count && a->result == SN_OK; i++) {
        size_t count = b->state[i].def.node_count;
        sn_archive_run(a, &cursor, b->state[i].node, sizeof(uint32_t), 1, count);
        for (size_t k = 0; a->reading && k < count && a->result == SN_OK; k++) {
            uint32_t *node = &b->state[i].node[k];
            if (*node >= world->nodes.slots.count || !world->nodes.slots.alive[*node] ||
                b->of_node[*node]) {
                sn_archive_fail(a, "tet mesh %zu has node %u among its nodes", i, *node);
                return;
            }
            b->of_node[*node] = (uint32_t)i + 1;
            b->place[*node] = (uint32_t)k;
        }
    }
}

/* Which nodes are copies of which. */
static void serialize_origins(sn_archive *a, sn_tet_meshes *b) {
    sn_archive_cursor cursor = sn_archive_open(a, "origin", SN_ARCHIVE_U32, total_of(b, false));
    for (size_t i = 0; i < b->slots.count && a->result == SN_OK; i++) {
        sn_tet_mesh_state *tet_mesh = &b->state[i];
        size_t copies = 0;
        sn_archive_run(a, &cursor, tet_mesh->origin, sizeof(uint32_t), 1, tet_mesh->def.node_count);
        for (size_t k = 0; k < tet_mesh->def.node_count && a->result == SN_OK; k++) {
            uint32_t *origin = &tet_mesh->origin[k];
            if (a->result == SN_OK && (*origin > k || tet_mesh->origin[*origin] != *origin))
                sn_archive_fail(a, "node %zu of tet mesh %zu is a copy of node %u", k, i, *origin);
            copies += *origin != k;
        }
        tet_mesh->copies = copies;
    }
}

static bool is_sound(const uint32_t *t, size_t count) {
    for (int c = 0; c < 4; c++) {
        if (t[c] >= count) return false;
        for (int k = 0; k < c; k++)
            if (t[k] == t[c]) return false;
    }
    return true;
}

static void serialize_tets(sn_archive *a, sn_tet_meshes *b) {
    sn_archive_cursor cursor = sn_archive_open(a, "tet", SN_ARCHIVE_U32, 4 * total_of(b, true));
    for (size_t i = 0; i < b->slots.count && a->result == SN_OK; i++) {
        const sn_tet_mesh_state *tet_mesh = &b->state[i];
        sn_archive_run(a, &cursor, tet_mesh->tet, 4 * sizeof(uint32_t), 4, tet_mesh->def.tet_count);
        for (size_t k = 0; k < tet_mesh->def.tet_count && a->result == SN_OK; k++) {
            const uint32_t *t = &tet_mesh->tet[4 * k];
            if (a->reading && a->result == SN_OK && !is_sound(t, tet_mesh->def.node_count))
                sn_archive_fail(a, "tet %zu of tet mesh %zu has the corners %u, %u, %u and %u", k,
                                i, t[0], t[1], t[2], t[3]);
        }
    }
}

/* Faces that were cut and are held together still. */
static void serialize_open(sn_archive *a, sn_tet_meshes *b) {
    sn_archive_cursor cursor = sn_archive_open(a, "open", SN_ARCHIVE_U8, total_of(b, true));
    for (size_t i = 0; i < b->slots.count && a->result == SN_OK; i++) {
        const uint8_t *open = b->state[i].open;
        sn_archive_run(a, &cursor, b->state[i].open, 1, 1, b->state[i].def.tet_count);
        for (size_t k = 0; k < b->state[i].def.tet_count && a->result == SN_OK; k++)
            if (open[k] > 15)
                sn_archive_fail(a, "tet %zu of tet mesh %zu is open by %u", k, i, open[k]);
    }
}

/* Whether there is a tet that was divided, or comes after others that are gone. */
static bool has_parents(const sn_tet_meshes *b) {
    for (size_t i = 0; i < b->slots.count; i++)
        for (uint32_t k = 0; k < b->state[i].def.tet_count; k++)
            if (b->state[i].parent[k] != k) return true;
    return false;
}

/* Which tets are those at first, or parts of them; where it is not said, all are what they were. */
static void serialize_parents(sn_archive *a, sn_tet_meshes *b) {
    for (size_t i = 0; a->reading && i < b->slots.count; i++)
        for (uint32_t k = 0; k < b->state[i].def.tet_count; k++) b->state[i].parent[k] = k;
    if (a->reading ? sn_archive_count(a, "parent") == 0 : !has_parents(b)) return;
    sn_archive_cursor cursor = sn_archive_open(a, "parent", SN_ARCHIVE_U32, total_of(b, true));
    for (size_t i = 0; i < b->slots.count && a->result == SN_OK; i++) {
        const sn_tet_mesh_state *tet_mesh = &b->state[i];
        sn_archive_run(a, &cursor, tet_mesh->parent, sizeof(uint32_t), 1, tet_mesh->def.tet_count);
    }
}

static void serialize_rest(sn_archive *a, sn_tet_meshes *b) {
    sn_archive_cursor cursor = sn_archive_open(a, "rest", SN_ARCHIVE_REAL, 3 * total_of(b, false));
    for (size_t i = 0; i < b->slots.count && a->result == SN_OK; i++)
        sn_archive_run(a, &cursor, b->state[i].rest, sizeof(sn_vec4), 3,
                       b->state[i].def.node_count);
}

/* Room for what the counts say. */
static void reserve_lists(sn_archive *a, sn_world *world) {
    sn_tet_meshes *b = sn_tet_meshes_of(world);
    for (size_t i = 0; i < b->slots.count && a->result == SN_OK; i++) {
        sn_tet_mesh_state *tet_mesh = &b->state[i];
        if (b->slots.alive[i])
            sn_serialize_had(a, sn_tet_mesh_state_reserve(tet_mesh, &world->memory,
                                                          tet_mesh->def.node_count,
                                                          tet_mesh->def.tet_count));
    }
}

/* Room for the tet meshes, and for what nodes know of them. */
static void reserve_tet_meshes(sn_archive *a, sn_world *world) {
    sn_tet_meshes *b = sn_tet_meshes_of(world);
    sn_column columns[] = {{(void **)&b->of_node, sizeof *b->of_node},
                           {(void **)&b->place, sizeof *b->place}};
    b->node_capacity =
        sn_columns_grow(&world->memory, columns, 2, 0, 0, world->nodes.slots.count + 1);
    sn_serialize_had(a, b->node_capacity > 0 &&
                            sn_reserve(&world->memory, (void **)&b->state, &b->capacity,
                                       b->slots.count + 1, sizeof *b->state));
}

void sn_world_serialize_tet_meshes(sn_world *world, sn_archive *a) {
    sn_tet_meshes *b = sn_tet_meshes_of(world);
    if (a->reading && !sn_archive_is_next(a, "bulk")) return;
    /* Worlds without any have the bytes that they always had. */
    if (!a->reading && b->slots.count == 0) return;
    sn_archive_section(a, "bulk");
    sn_serialize_slots(a, &b->slots, &world->memory, UINT32_MAX - 1);
    if (a->reading && a->result == SN_OK) reserve_tet_meshes(a, world);
    if (a->result == SN_OK && b->slots.count > 0) {
        sn_object_serialize(&sn_tet_mesh_object, a, &b->state->def, sizeof *b->state,
                            b->slots.count, 0);
        serialize_counts(a, b);
        if (a->reading) reserve_lists(a, world);
        if (a->result == SN_OK) serialize_node_lists(a, world);
        if (a->result == SN_OK) serialize_tets(a, b);
        if (a->result == SN_OK) serialize_open(a, b);
        if (a->result == SN_OK) serialize_rest(a, b);
        if (a->result == SN_OK) serialize_origins(a, b);
        if (a->result == SN_OK) serialize_parents(a, b);
    }
    sn_archive_section_end(a);
}
