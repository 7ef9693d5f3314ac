#include "api/call.h"

#include "api/draft.h"
#include "state/serialize.h"
#include "systems/hierarchy/hierarchies.h"
#include "systems/shape_matching/shape_matchings.h"
#include "systems/sheet/sheets.h"
#include "systems/tet_mesh/tet_meshes.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned parts;
    int numbers;
} calls[] = {
#define ROW(kind, name, parts, numbers) {name, parts, numbers},
    SN_CALLS(ROW)
#undef ROW
};

const char *sn_call_name(sn_call_kind kind) {
    return calls[kind].name;
}

/* ---- Memory of what is read ---- */

/* Zeroed memory for at least one, or null when the archive has failed. */
static void *get(sn_archive *a, sn_world *world, sn_call *call, size_t count, size_t element) {
    if (a->result != SN_OK) return NULL;
    void *at = sn_allocate(&world->memory, count + 1, element);
    if (!at)
        a->result = SN_ERROR_MEMORY;
    else
        call->block[call->blocks++] = (sn_call_block){at, count + 1, element};
    return at;
}

void sn_call_free(sn_world *world, sn_call *call) {
    while (call->blocks > 0) {
        sn_call_block block = call->block[--call->blocks];
        sn_free(&world->memory, block.at, block.count, block.element);
    }
    sn_geometry_room_free(&world->memory, &call->room);
}

/* ---- Ids ---- */

static void serialize_other(sn_archive *a, const sn_world *world, sn_id *id) {
    sn_archive_column(a, "other", SN_ARCHIVE_U32, &id->slot, 1);
    sn_archive_column(a, "other_generation", SN_ARCHIVE_U16, &id->generation, 1);
    if (a->reading) id->world = world->tag;
}

static void serialize_id(sn_archive *a, const sn_world *world, sn_id *id) {
    sn_archive_column(a, "id", SN_ARCHIVE_U32, &id->slot, 1);
    sn_archive_column(a, "id_generation", SN_ARCHIVE_U16, &id->generation, 1);
    if (a->reading) id->world = world->tag;
}

/* Ids of nodes one after the other; the null id stays what it is. */
static void serialize_ids(sn_archive *a, const sn_world *world, sn_node *node, size_t count) {
    sn_archive_member(a, "slot", SN_ARCHIVE_U32, &node->slot, sizeof *node, 1, count);
    sn_archive_member(a, "generation", SN_ARCHIVE_U16, &node->generation, sizeof *node, 1, count);
    for (size_t i = 0; a->reading && a->result == SN_OK && i < count; i++)
        node[i] = node[i].slot ? (sn_node){node[i].slot, node[i].generation, world->tag}
                               : (sn_node){0, 0, 0};
}

static void serialize_list(sn_archive *a, sn_world *world, sn_call *call) {
    if (a->reading) {
        call->count = sn_archive_count(a, "slot");
        call->items = get(a, world, call, call->count, sizeof(sn_node));
    }
    if (a->result == SN_OK) serialize_ids(a, world, (sn_node *)call->items, call->count);
}

/* ---- Bodies and nodes ---- */

static void serialize_body(sn_archive *a, sn_body_def *def) {
    size_t stride = sizeof *def;
    if (a->reading) *def = sn_body_def_default();
    sn_archive_member(a, "gravity", SN_ARCHIVE_REAL, &def->gravity, stride, 3, 1);
    sn_archive_real(a, "damping", &def->damping);
    sn_archive_real(a, "rigid_damping", &def->rigid_damping);
    sn_serialize_surfaces(a, def, 1);
    /* As it was before bodies could sleep, where they may. */
    if (a->reading ? sn_archive_has(a, "may_sleep") : !def->may_sleep)
        sn_archive_flag(a, "may_sleep", &def->may_sleep);
}

/* The reals of a definition of a node; those of frames count only where it is oriented. */
static const struct {
    const char *name;
    size_t offset;
    int numbers;
    bool frame;
} node_columns[] = {
    {"position", offsetof(sn_node_def, position), 3, false},
    {"velocity", offsetof(sn_node_def, velocity), 3, false},
    {"inverse_mass", offsetof(sn_node_def, inverse_mass), 1, false},
    {"radius", offsetof(sn_node_def, radius), 1, false},
    {"orientation", offsetof(sn_node_def, orientation), 4, true},
    {"angular_velocity", offsetof(sn_node_def, angular_velocity), 3, true},
    {"inverse_inertia", offsetof(sn_node_def, inverse_inertia), 3, true},
};
enum { NODE_COLUMNS = sizeof node_columns / sizeof node_columns[0] };

static void serialize_node_column(sn_archive *a, size_t c, sn_node_def *defs, size_t count) {
    sn_node_def standard = sn_node_def_default();
    size_t numbers = (size_t)node_columns[c].numbers;
    sn_archive_cursor cursor =
        sn_archive_open(a, node_columns[c].name, SN_ARCHIVE_REAL, numbers * count);
    for (size_t i = 0; i < count && a->result == SN_OK; i++) {
        bool unused = !a->reading && node_columns[c].frame && !defs[i].oriented;
        unsigned char *def = (unsigned char *)(unused ? &standard : &defs[i]);
        for (size_t k = 0; k < numbers; k++)
            sn_archive_next(a, &cursor, def + node_columns[c].offset + k * sizeof(sn_real));
    }
}

static void serialize_oriented(sn_archive *a, sn_node_def *defs, size_t count) {
    sn_archive_cursor cursor = sn_archive_open(a, "oriented", SN_ARCHIVE_U8, count);
    for (size_t i = 0; i < count && a->result == SN_OK; i++) {
        uint8_t oriented = defs[i].oriented;
        sn_archive_next(a, &cursor, &oriented);
        if (oriented > 1) sn_archive_fail(a, "oriented of node %zu is %u", i, oriented);
        if (a->reading) defs[i].oriented = oriented == 1;
    }
}

static void serialize_nodes(sn_archive *a, sn_world *world, sn_call *call) {
    size_t stride = sizeof(sn_node_def);
    if (a->reading) {
        call->count = sn_archive_count(a, "oriented");
        call->items = get(a, world, call, call->count, stride);
    }
    if (a->result != SN_OK) return;
    sn_node_def *defs = (sn_node_def *)call->items;
    for (size_t i = 0; a->reading && i < call->count; i++) defs[i] = sn_node_def_default();
    serialize_oriented(a, defs, call->count);
    for (size_t c = 0; c < NODE_COLUMNS; c++) serialize_node_column(a, c, defs, call->count);
    sn_archive_member(a, "group", SN_ARCHIVE_U32, &defs->group, stride, 1, call->count);
    sn_archive_member(a, "body", SN_ARCHIVE_U32, &defs->body.slot, stride, 1, call->count);
    sn_archive_member(a, "body_generation", SN_ARCHIVE_U16, &defs->body.generation, stride, 1,
                      call->count);
    for (size_t i = 0; a->reading && i < call->count; i++)
        if (defs[i].body.slot) defs[i].body.world = world->tag;
}

/* ---- Definitions of constraints ---- */

static unsigned char *def_at(const sn_call *call, size_t i) {
    return (unsigned char *)call->items + i * call->store->type->info.def_size;
}

static void serialize_fields(sn_archive *a, sn_call *call) {
    const sn_type_info *info = &call->store->type->info;
    for (size_t f = 0; f < info->field_count && a->result == SN_OK; f++) {
        const sn_field_info *field = &info->fields[f];
        size_t numbers = (size_t)sn_field_numbers(field);
        char name[80];
        snprintf(name, sizeof name, "field %s", field->name);
        /* What an older recording does not have is the default. */
        if (!sn_archive_has(a, name)) continue;
        sn_archive_cursor cursor = sn_archive_open(a, name, SN_ARCHIVE_REAL, numbers * call->count);
        for (size_t i = 0; i < call->count && a->result == SN_OK; i++) {
            sn_real number[3] = {0};
            if (!a->reading) sn_field_read(field, def_at(call, i), number);
            for (size_t k = 0; k < numbers; k++) sn_archive_next(a, &cursor, &number[k]);
            if (!a->reading || a->result != SN_OK) continue;
            if (sn_field_check(info, field, number) != SN_OK)
                sn_archive_fail(a, "definition %zu: %.160s", i, sn_last_error());
            else
                sn_field_write(field, number, def_at(call, i));
        }
    }
}

/* The nodes of all definitions, one after the other. */
static void write_members(sn_archive *a, const sn_call *call, size_t total) {
    const sn_type_info *info = &call->store->type->info;
    for (int column = 0; column < 2; column++) {
        sn_archive_cursor cursor = sn_archive_open(a, column ? "generation" : "slot",
                                                   column ? SN_ARCHIVE_U16 : SN_ARCHIVE_U32, total);
        for (size_t i = 0; i < call->count; i++) {
            sn_list_head list = {.node_count = (size_t)info->nodes};
            sn_node few[SN_MAX_NODES];
            if (info->list != SN_LIST_NONE)
                memcpy(&list, def_at(call, i), sizeof list);
            else
                memcpy(few, def_at(call, i) + offsetof(sn_def_head, node),
                       (size_t)info->nodes * sizeof *few);
            const sn_node *node = info->list != SN_LIST_NONE ? list.nodes : few;
            for (size_t n = 0; n < list.node_count; n++) {
                sn_node id = node[n];
                sn_archive_next(a, &cursor, column ? (void *)&id.generation : (void *)&id.slot);
            }
        }
    }
}

/* How many nodes and triangles all lists have together; the sums cannot overflow. */
static void serialize_counts(sn_archive *a, sn_call *call, uint64_t *nodes, uint64_t *triangles) {
    *nodes = *triangles = 0;
    sn_archive_cursor cursor = sn_archive_open(a, "list", SN_ARCHIVE_U32, 2 * call->count);
    for (size_t i = 0; i < call->count && a->result == SN_OK; i++) {
        sn_list_head list;
        memcpy(&list, def_at(call, i), sizeof list);
        uint32_t count[2] = {(uint32_t)list.node_count, (uint32_t)list.triangle_count};
        sn_archive_next(a, &cursor, &count[0]);
        sn_archive_next(a, &cursor, &count[1]);
        list.node_count = count[0];
        list.triangle_count = count[1];
        *nodes += count[0];
        *triangles += count[1];
        if (a->reading) memcpy(def_at(call, i), &list, sizeof list);
    }
}

static void write_triangles(sn_archive *a, const sn_call *call, size_t total) {
    sn_archive_cursor cursor = sn_archive_open(a, "triangle", SN_ARCHIVE_U32, 3 * total);
    for (size_t i = 0; i < call->count; i++) {
        sn_list_head list;
        memcpy(&list, def_at(call, i), sizeof list);
        for (size_t k = 0; k < 3 * list.triangle_count; k++) {
            uint32_t vertex = list.triangles[k];
            sn_archive_next(a, &cursor, &vertex);
        }
    }
}

static void write_definitions(sn_archive *a, sn_call *call) {
    const sn_type_info *info = &call->store->type->info;
    if (info->list == SN_LIST_NONE) {
        write_members(a, call, call->count * (size_t)info->nodes);
        return;
    }
    uint64_t nodes, triangles;
    serialize_counts(a, call, &nodes, &triangles);
    write_members(a, call, (size_t)nodes);
    write_triangles(a, call, (size_t)triangles);
}

/* Puts the nodes that were read where the definitions expect them. */
static void read_definitions(sn_archive *a, sn_world *world, sn_call *call) {
    const sn_type_info *info = &call->store->type->info;
    size_t total = sn_archive_count(a, "slot");
    uint64_t nodes = 0, triangles = 0;
    sn_node *node = get(a, world, call, total, sizeof *node);
    if (!node) return;
    serialize_ids(a, world, node, total);
    if (info->list == SN_LIST_NONE) {
        for (size_t i = 0; i < call->count; i++)
            memcpy(def_at(call, i) + offsetof(sn_def_head, node), node + i * (size_t)info->nodes,
                   (size_t)info->nodes * sizeof *node);
        return;
    }
    size_t corners = sn_archive_count(a, "triangle");
    uint32_t *triangle = get(a, world, call, corners, sizeof *triangle);
    if (!triangle) return;
    sn_archive_column(a, "triangle", SN_ARCHIVE_U32, triangle, corners);
    serialize_counts(a, call, &nodes, &triangles);
    if (nodes != total || 3 * triangles != corners)
        sn_archive_fail(a, "lists have %llu nodes and %llu triangles, but %zu and %zu are there",
                        (unsigned long long)nodes, (unsigned long long)triangles, total,
                        corners / 3);
    for (size_t i = 0; i < call->count && a->result == SN_OK; i++) {
        sn_list_head list;
        memcpy(&list, def_at(call, i), sizeof list);
        list.nodes = node;
        list.triangles = list.triangle_count > 0 ? triangle : NULL;
        memcpy(def_at(call, i), &list, sizeof list);
        node += list.node_count;
        triangle += 3 * list.triangle_count;
    }
}

/* The store of the type of this name. */
static void read_store(sn_archive *a, const sn_world *world, sn_call *call) {
    char name[64] = "";
    sn_archive_text(a, "type", name, sizeof name);
    for (size_t i = 0; i < world->store_count && a->result == SN_OK; i++)
        if (strcmp(world->store[i].type->info.name, name) == 0) call->store = &world->store[i];
    if (!call->store)
        sn_archive_fail(
            a, "the world has no constraint type \"%s\"; a type of your own is added before", name);
}

static void serialize_definitions(sn_archive *a, sn_world *world, sn_call *call) {
    if (!a->reading) {
        char *name = (char *)call->store->type->info.name;
        sn_archive_text(a, "type", name, 64);
        write_definitions(a, call);
        serialize_fields(a, call);
        return;
    }
    read_store(a, world, call);
    if (a->result != SN_OK) return;
    const sn_constraint_type *type = call->store->type;
    bool listed = type->info.list != SN_LIST_NONE;
    call->count = listed ? sn_archive_count(a, "list") / 2
                         : sn_archive_count(a, "slot") / (size_t)type->info.nodes;
    call->items = get(a, world, call, call->count, type->info.def_size);
    for (size_t i = 0; call->items && i < call->count; i++)
        memcpy(def_at(call, i), type->standard, type->info.def_size);
    if (a->result == SN_OK) read_definitions(a, world, call);
    if (a->result == SN_OK) serialize_fields(a, call);
}

/* ---- Collision surfaces and sheets ---- */

/* Indices of nodes, as many as there are. */
static void serialize_indices(sn_archive *a, sn_world *world, sn_call *call, const char *name,
                              size_t corners, const uint32_t **index, size_t *count) {
    size_t numbers = corners * *count;
    if (a->reading) {
        numbers = sn_archive_count(a, name);
        *index = get(a, world, call, numbers, sizeof **index);
        *count = numbers / corners;
    }
    if (a->result == SN_OK)
        sn_archive_column(a, name, SN_ARCHIVE_U32, (uint32_t *)(uintptr_t)*index, numbers);
}

/* Ids of nodes, as many as there are. */
static void serialize_owned(sn_archive *a, sn_world *world, sn_call *call, const sn_node **nodes,
                            size_t *count) {
    if (a->reading) {
        *count = sn_archive_count(a, "slot");
        *nodes = get(a, world, call, *count, sizeof **nodes);
    }
    if (a->result == SN_OK) serialize_ids(a, world, (sn_node *)(uintptr_t)*nodes, *count);
}

static void serialize_surface(sn_archive *a, sn_world *world, sn_call *call) {
    sn_collision_surface_def *def = &call->surface;
    if (a->reading) *def = sn_collision_surface_def_default();
    sn_serialize_collision_surface_defs(a, def, sizeof *def, 1);
    if (call->kind == SN_CALL_COLLISION_SURFACE_SET) return;
    serialize_owned(a, world, call, &def->nodes, &def->node_count);
    serialize_indices(a, world, call, "triangle", 3, &def->triangles, &def->triangle_count);
    serialize_indices(a, world, call, "segment", 2, &def->segments, &def->segment_count);
}

static void serialize_sheet(sn_archive *a, sn_world *world, sn_call *call) {
    sn_sheet_def *def = &call->sheet;
    if (a->reading) *def = sn_sheet_def_default();
    sn_serialize_sheet_defs(a, def, sizeof *def, 1);
    if (call->kind == SN_CALL_SHEET_SET) return;
    serialize_owned(a, world, call, &def->nodes, &def->node_count);
    serialize_indices(a, world, call, "triangle", 3, &def->triangles, &def->triangle_count);
}

static void serialize_tet_mesh(sn_archive *a, sn_world *world, sn_call *call) {
    sn_tet_mesh_def *def = &call->tet_mesh;
    if (a->reading) *def = sn_tet_mesh_def_default();
    sn_serialize_tet_mesh_defs(a, def, sizeof *def, 1);
    if (call->kind == SN_CALL_TET_MESH_SET) return;
    serialize_owned(a, world, call, &def->nodes, &def->node_count);
    serialize_indices(a, world, call, "tet", 4, &def->tets, &def->tet_count);
}

static void serialize_blade(sn_archive *a, sn_blade_def *blade) {
    uint32_t kind = (uint32_t)blade->kind;
    if (a->reading) *blade = sn_blade_def_default();
    sn_archive_column(a, "kind", SN_ARCHIVE_U32, &kind, 1);
    blade->kind = (sn_blade_kind)(kind < 256 ? kind : 256);
    sn_archive_column(a, "point", SN_ARCHIVE_REAL, &blade->point, 3);
    sn_archive_column(a, "normal", SN_ARCHIVE_REAL, &blade->normal, 3);
    sn_archive_real(a, "radius", &blade->radius);
    sn_archive_column(a, "from", SN_ARCHIVE_REAL, blade->from, 6);
    sn_archive_column(a, "to", SN_ARCHIVE_REAL, blade->to, 6);
    sn_archive_real(a, "snap", &blade->snap);
    /* Recordings without it have the bytes that they always had. */
    if (a->reading ? sn_archive_count(a, "split") > 0 : blade->split)
        sn_archive_flag(a, "split", &blade->split);
}

/* ---- Animation targets ---- */

/* The reals of a vertex; normals that are not given have no word. */
static void serialize_vertices(sn_archive *a, sn_call *call) {
    sn_animation_target_vertex *v =
        (sn_animation_target_vertex *)(uintptr_t)call->animation_target.vertices;
    size_t count = call->animation_target.node_count, stride = sizeof *v;
    sn_archive_member(a, "position", SN_ARCHIVE_REAL, &v->position, stride, 3, count);
    sn_archive_member(a, "normal", SN_ARCHIVE_REAL, &v->normal, stride, 3, count);
    sn_archive_member(a, "max_distance", SN_ARCHIVE_REAL, &v->max_distance, stride, 1, count);
    sn_archive_member(a, "back_stop_distance", SN_ARCHIVE_REAL, &v->back_stop_distance, stride, 1,
                      count);
    sn_archive_member(a, "back_stop_radius", SN_ARCHIVE_REAL, &v->back_stop_radius, stride, 1,
                      count);
}

static void serialize_follow(sn_archive *a, sn_world *world, sn_call *call) {
    sn_animation_target_def *def = &call->animation_target;
    if (a->reading) {
        *def = sn_animation_target_def_default();
        def->node_count = sn_archive_count(a, "max_distance");
        def->vertices = get(a, world, call, def->node_count, sizeof *def->vertices);
    }
    if (a->result != SN_OK) return;
    serialize_vertices(a, call);
    sn_archive_column(a, "value", SN_ARCHIVE_U32, &call->word, 1);
    if (call->kind != SN_CALL_ANIMATION_TARGET_CREATE) return;
    sn_archive_real(a, "compliance", &def->compliance);
    if (a->reading) def->nodes = get(a, world, call, def->node_count, sizeof *def->nodes);
    if (a->result == SN_OK)
        serialize_ids(a, world, (sn_node *)(uintptr_t)def->nodes, def->node_count);
}

/* ---- Hierarchies ---- */

/* A list that may be absent. */
static void serialize_reals(sn_archive *a, sn_world *world, sn_call *call, const char *name,
                            const sn_real **list, size_t count) {
    size_t there = a->reading ? sn_archive_count(a, name) : *list ? count : 0;
    if (a->result != SN_OK || there == 0) return;
    if (there != count) sn_archive_fail(a, "there are %zu numbers of %s", there, name);
    if (a->reading) *list = get(a, world, call, count, sizeof **list);
    if (a->result == SN_OK)
        sn_archive_column(a, name, SN_ARCHIVE_REAL, (sn_real *)(uintptr_t)*list, count);
}

static void serialize_hierarchy(sn_archive *a, sn_world *world, sn_call *call) {
    sn_hierarchy_def *def = &call->hierarchy;
    if (a->reading) *def = sn_hierarchy_def_default();
    sn_serialize_hierarchy_def(a, def);
    serialize_owned(a, world, call, &def->nodes, &def->node_count);
    serialize_indices(a, world, call, "edge", 2, &def->edges, &def->edge_count);
    serialize_indices(a, world, call, "triangle", 3, &def->triangles, &def->triangle_count);
    serialize_reals(a, world, call, "length", &def->lengths, def->edge_count);
    const sn_real *rest = (const sn_real *)def->rest;
    serialize_reals(a, world, call, "rest", &rest, 3 * def->node_count);
    def->rest = (const sn_vec3 *)rest;
}

/* ---- Shape matchings ---- */

static void serialize_matching(sn_archive *a, sn_world *world, sn_call *call) {
    sn_shape_matching_def *def = &call->matching;
    if (a->reading) *def = sn_shape_matching_def_default();
    sn_serialize_shape_matching_def(a, def);
    if (call->kind == SN_CALL_SHAPE_MATCHING_SET) return;
    size_t begins = def->region_count > 0 ? def->region_count + 1 : 0, centres = def->region_count;
    size_t members = def->region_count > 0 && !a->reading ? def->first[def->region_count] : 0;
    const sn_real *rest = (const sn_real *)def->rest, *radii = (const sn_real *)def->radii;
    const sn_real *orientation = (const sn_real *)def->rest_orientations;
    const sn_real *moment = (const sn_real *)def->moments;
    serialize_owned(a, world, call, &def->nodes, &def->node_count);
    serialize_indices(a, world, call, "first", 1, &def->first, &begins);
    serialize_indices(a, world, call, "member", 1, &def->members, &members);
    if (a->reading) def->region_count = begins > 0 ? begins - 1 : 0;
    if (a->reading ? sn_archive_count(a, "centre") > 0 : def->centres != NULL)
        serialize_indices(a, world, call, "centre", 1, &def->centres, &centres);
    serialize_reals(a, world, call, "rest", &rest, 3 * def->node_count);
    serialize_reals(a, world, call, "rest_q", &orientation, 4 * def->node_count);
    serialize_reals(a, world, call, "radii", &radii, 3 * def->node_count);
    serialize_reals(a, world, call, "moment", &moment, 6 * def->node_count);
    def->rest = (const sn_vec3 *)rest;
    def->radii = (const sn_vec3 *)radii;
    def->rest_orientations = (const sn_quat *)orientation;
    def->moments = (const sn_real(*)[6])moment;
    /* Lists that are too short would be read beyond their ends. */
    if (!a->reading || a->result != SN_OK) return;
    if (def->centres && centres != def->region_count)
        sn_archive_fail(a, "there are %zu centres of %zu regions", centres, def->region_count);
    for (size_t r = 0; r <= def->region_count && def->region_count > 0 && a->result == SN_OK; r++)
        if (def->first[r] > members)
            sn_archive_fail(a, "region %zu begins at member %u of %zu", r, def->first[r], members);
}

/* ---- The rest ---- */

static void serialize_numbers(sn_archive *a, sn_call *call) {
    int numbers = calls[call->kind].numbers;
    size_t count = (size_t)(numbers ? numbers : call->numbers);
    if (a->reading && !numbers) {
        count = sn_archive_count(a, "value");
        if (count != 1 && count != 3) sn_archive_fail(a, "the field has %zu numbers", count);
    }
    sn_archive_column(a, "value", SN_ARCHIVE_REAL, call->number, count);
}

static void serialize_field(sn_archive *a, sn_call *call) {
    if (a->reading)
        sn_archive_text(a, "field", call->text, sizeof call->text);
    else
        sn_archive_text(a, "field", (char *)call->field, sizeof call->text);
    if (a->reading) call->field = call->text;
}

static void serialize_points(sn_archive *a, sn_world *world, sn_call *call) {
    if (a->reading) {
        call->count = sn_archive_count(a, "points") / 3;
        call->items = get(a, world, call, call->count, sizeof(sn_vec3));
    }
    if (a->result == SN_OK)
        sn_archive_column(a, "points", SN_ARCHIVE_REAL, (void *)(uintptr_t)call->items,
                          3 * call->count);
}

static void serialize_values(sn_archive *a, sn_world *world, sn_call *call) {
    if (a->reading) {
        call->count = sn_archive_count(a, "reals");
        call->items = get(a, world, call, call->count, sizeof(sn_real));
    }
    if (a->result == SN_OK)
        sn_archive_column(a, "reals", SN_ARCHIVE_REAL, (void *)(uintptr_t)call->items, call->count);
}

static void serialize_bytes(sn_archive *a, sn_call *call) {
    sn_archive_view view;
    if (!a->reading) {
        sn_archive_column(a, "snapshot", SN_ARCHIVE_U8, (void *)call->items, call->count);
    } else if (sn_archive_view_find(a, "snapshot", &view) && view.kind == SN_ARCHIVE_U8) {
        call->items = view.data;
        call->count = view.count;
    } else {
        sn_archive_fail(a, "there is no snapshot");
    }
}

/* The kind of the call, by its name. */
static void serialize_kind(sn_archive *a, sn_call *call) {
    if (!a->reading) {
        sn_archive_text(a, "call", (char *)calls[call->kind].name, sizeof call->text);
        return;
    }
    sn_archive_text(a, "call", call->text, sizeof call->text);
    for (call->kind = 0; call->kind < SN_CALL_COUNT; call->kind++)
        if (strcmp(calls[call->kind].name, call->text) == 0) return;
    sn_archive_fail(a, "there is no call \"%s\"", call->text);
}

void sn_call_serialize(sn_archive *a, sn_world *world, sn_call *call) {
    sn_archive_section(a, "call");
    serialize_kind(a, call);
    if (a->result != SN_OK) return;
    unsigned parts = calls[call->kind].parts;
    if (parts & SN_PART_ID) serialize_id(a, world, &call->id);
    if (parts & SN_PART_OTHER) serialize_other(a, world, &call->other);
    if (parts & SN_PART_PAIR) sn_serialize_pair_def(a, &call->pair);
    if (parts & SN_PART_FIELD) serialize_field(a, call);
    if (parts & SN_PART_NUMBERS) serialize_numbers(a, call);
    /* Numbers are called "value" too. */
    const char *word = parts & SN_PART_NUMBERS ? "word" : "value";
    if (parts & SN_PART_WORD) sn_archive_column(a, word, SN_ARCHIVE_U32, &call->word, 1);
    if (parts & SN_PART_HASH) sn_archive_column(a, "hash", SN_ARCHIVE_U64, &call->hash, 1);
    if (parts & SN_PART_BODY) serialize_body(a, &call->body);
    if (parts & SN_PART_COLLIDER) {
        if (a->reading) call->collider = sn_collider_def_default();
        sn_serialize_collider_defs(a, &call->collider, sizeof call->collider, 1);
        sn_serialize_geometry(a, &world->memory, &call->collider, &call->room);
    }
    if (parts & SN_PART_POINTS) serialize_points(a, world, call);
    if (parts & SN_PART_REALS) serialize_values(a, world, call);
    if (parts & SN_PART_SKIN) serialize_surface(a, world, call);
    if (parts & SN_PART_SHEET) serialize_sheet(a, world, call);
    if (parts & SN_PART_TET_MESH) serialize_tet_mesh(a, world, call);
    if (parts & SN_PART_BLADE) serialize_blade(a, &call->blade);
    if (parts & SN_PART_ANIMATION_TARGET) serialize_follow(a, world, call);
    if (parts & SN_PART_HIERARCHY) serialize_hierarchy(a, world, call);
    if (parts & SN_PART_SHAPE_MATCHING) serialize_matching(a, world, call);
    if (parts & SN_PART_NODES) serialize_nodes(a, world, call);
    if (parts & SN_PART_BYTES) serialize_bytes(a, call);
    if (parts & SN_PART_SETTINGS) {
        if (a->reading) call->settings = sn_settings_default();
        sn_serialize_settings(a, &call->settings);
    }
    if (parts & SN_PART_LIST) serialize_list(a, world, call);
    if (parts & SN_PART_DEFS) serialize_definitions(a, world, call);
    sn_archive_section_end(a);
}
