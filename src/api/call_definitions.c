/* Definitions of nodes and of constraints in calls: any number of them together. */
#include "api/call.h"
#include "api/draft.h"

#include <stdio.h>
#include <string.h>

/* ---- Nodes ---- */

void sn_call_serialize_nodes(sn_archive *a, sn_world *world, sn_call *call) {
    size_t stride = sizeof(sn_node_def);
    if (a->reading) {
        call->count = sn_archive_count(a, "oriented");
        call->items = sn_call_room(a, world, call, call->count, stride);
    }
    if (a->result != SN_OK) return;
    sn_node_def *defs = (sn_node_def *)call->items;
    sn_object_serialize(&sn_node_object, a, defs, stride, call->count, 0);
    sn_archive_member(a, "body", SN_ARCHIVE_U32, &defs->body.slot, stride, 1, call->count);
    sn_archive_member(a, "body_generation", SN_ARCHIVE_U16, &defs->body.generation, stride, 1,
                      call->count);
    for (size_t i = 0; a->reading && i < call->count; i++)
        if (defs[i].body.slot) defs[i].body.world = world->tag;
}

/* ---- Constraints ---- */

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
    sn_node *node = sn_call_room(a, world, call, total, sizeof *node);
    if (!node) return;
    sn_call_serialize_ids(a, world, node, total);
    if (info->list == SN_LIST_NONE) {
        for (size_t i = 0; i < call->count; i++)
            memcpy(def_at(call, i) + offsetof(sn_def_head, node), node + i * (size_t)info->nodes,
                   (size_t)info->nodes * sizeof *node);
        return;
    }
    size_t corners = sn_archive_count(a, "triangle");
    uint32_t *triangle = sn_call_room(a, world, call, corners, sizeof *triangle);
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

void sn_call_serialize_constraints(sn_archive *a, sn_world *world, sn_call *call) {
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
    call->items = sn_call_room(a, world, call, call->count, type->info.def_size);
    for (size_t i = 0; call->items && i < call->count; i++)
        memcpy(def_at(call, i), type->standard, type->info.def_size);
    if (a->result == SN_OK) read_definitions(a, world, call);
    if (a->result == SN_OK) serialize_fields(a, call);
}
