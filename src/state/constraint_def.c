#include "state/constraint_def.h"

#include "base/error.h"

/* ---- Fields ---- */

void sn_field_read(const sn_field_info *field, const void *def, sn_real *number) {
    const unsigned char *from = (const unsigned char *)def + field->offset;
    if (field->kind == SN_FIELD_SIDE) {
        sn_side side;
        memcpy(&side, from, sizeof side);
        number[0] = (sn_real)(int)side;
    } else if (field->kind == SN_FIELD_CHOICE) {
        int choice;
        memcpy(&choice, from, sizeof choice);
        number[0] = (sn_real)choice;
    } else if (field->kind == SN_FIELD_VEC3) {
        memcpy(number, from, 3 * sizeof *number);
    } else {
        memcpy(number, from, sizeof *number);
    }
}

void sn_field_write(const sn_field_info *field, const sn_real *number, void *def) {
    unsigned char *to = (unsigned char *)def + field->offset;
    if (field->kind == SN_FIELD_SIDE) {
        sn_side side = (sn_side)(int)number[0];
        memcpy(to, &side, sizeof side);
    } else if (field->kind == SN_FIELD_CHOICE) {
        int choice = (int)number[0];
        memcpy(to, &choice, sizeof choice);
    } else {
        memcpy(to, number, sizeof(sn_real) * (size_t)sn_field_numbers(field));
    }
}

void sn_draft_read_fields(const sn_type_info *info, const void *def, sn_real *parameter) {
    for (size_t i = 0; i < info->field_count; i++) {
        sn_field_read(&info->fields[i], def, parameter);
        parameter += sn_field_numbers(&info->fields[i]);
    }
}

/* ---- Nodes, of types with a fixed number of them ---- */

void sn_draft_read_members(const sn_world *world, const sn_constraint_type *type, const void *def,
                           sn_draft *draft) {
    const sn_node *id = sn_def_nodes(def);
    draft->list = NULL;
    draft->off = false;
    for (int n = 0; n < type->info.nodes; n++) {
        int32_t node = sn_node_index(id[n]);
        draft->offset[n] = node * SN_NODE_BYTES;
        if (n < type->info.frames)
            draft->offset[type->info.nodes + n] = sn_frame_index(world, node) * SN_NODE_BYTES;
    }
}

/* ---- Back into a definition ---- */

sn_node sn_world_node_id(const sn_world *world, int32_t index) {
    if (index < 0) return (sn_node){0, 0, 0};
    return (sn_node){(uint32_t)index + 1, world->nodes.slots.generation[index], world->tag};
}

void sn_draft_write_members(const sn_world *world, const sn_store *store, sn_place place,
                            void *def) {
    const sn_list *list = sn_store_list(store, place);
    sn_members members = sn_store_members(store, place);
    unsigned char *to = def;
    if (list) {
        memcpy(to + offsetof(sn_list_head, node_count), &list->count, sizeof list->count);
        memcpy(to + offsetof(sn_list_head, triangle_count), &list->triangles,
               sizeof list->triangles);
        return;
    }
    for (int n = 0; n < members.nodes; n++) {
        sn_node id = sn_world_node_id(world, sn_member(members, n));
        memcpy(to + offsetof(sn_def_head, node) + (size_t)n * sizeof id, &id, sizeof id);
    }
}

/* ---- What is measured ---- */

/* What was measured of nodes that are too far apart for the number type is nothing to work with. */
static sn_result check_measured(const sn_constraint_type *type, const sn_real *parameter) {
    const sn_type_info *info = &type->info;
    for (size_t i = 0; i < info->field_count; i++) {
        const sn_field_info *field = &info->fields[i];
        for (int k = 0; k < sn_field_numbers(field); k++, parameter++)
            if (!(*parameter - *parameter == 0))
                return sn_fail(SN_ERROR_VALUE, "%s: %s came to %g, expected a finite number",
                               info->name, field->name, (double)*parameter);
    }
    for (int k = 0; k < type->measured; k++)
        if (!(parameter[k] - parameter[k] == 0))
            return sn_fail(SN_ERROR_VALUE, "%s: its nodes are too far apart to be measured",
                           info->name);
    return SN_OK;
}

sn_result sn_draft_prepare(sn_world *world, const sn_constraint_type *type, sn_draft *draft) {
    sn_members members = sn_draft_members(type, draft);
    sn_vec3 few[SN_MAX_NODES], *x = few;
    sn_quat q[SN_MAX_NODES];
    size_t count = (size_t)members.nodes;
    if (draft->list) x = sn_allocate(&world->memory, count, sizeof *x);
    if (!x) return SN_ERROR_MEMORY;
    for (int n = 0; n < members.nodes; n++) {
        sn_vec4 a = world->nodes.x[sn_member(members, n)];
        sn_vec4 b = world->nodes.x[sn_member(members, 0)];
        x[n] = (sn_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
        if (draft->list) draft->list->w[n] = world->nodes.w[sn_member(members, n)];
    }
    for (int n = 0; n < members.frames; n++) {
        sn_vec4 a = world->frames.q[sn_member(members, members.nodes + n)];
        q[n] = (sn_quat){a.x, a.y, a.z, a.w};
    }
    sn_preparation from = {x, q, draft->list, &world->memory};
    sn_result result = type->prepare(&from, draft->parameter);
    if (draft->list) sn_free(&world->memory, x, count, sizeof *x);
    return result == SN_OK ? check_measured(type, draft->parameter) : result;
}

sn_result sn_draft_prepare_again(sn_world *world, const sn_store *store, sn_place place,
                                 sn_draft *draft) {
    const sn_list *own = sn_store_list(store, place);
    sn_members members = sn_store_members(store, place);
    draft->list = NULL;
    for (int n = 0; !own && n < members.nodes + members.frames; n++)
        draft->offset[n] = sn_member(members, n) * SN_NODE_BYTES;
    if (own) {
        draft->list = sn_list_create(&world->memory, own->kind, own->count, own->triangles);
        if (!draft->list) return SN_ERROR_MEMORY;
        memcpy(draft->list->offset, own->offset, own->count * sizeof *own->offset);
        memcpy(draft->list->triangle, own->triangle, 3 * own->triangles * sizeof *own->triangle);
    }
    sn_result result = sn_draft_prepare(world, store->type, draft);
    if (result == SN_OK) return SN_OK;
    sn_list_free(&world->memory, draft->list);
    draft->list = NULL;
    return result;
}

/* ---- Into a store ---- */

static sn_members members_at(const sn_arrivals *a, size_t i, sn_draft *draft) {
    a->read_members(a->context, i, draft);
    return sn_draft_members(a->store->type, draft);
}

/*
 * Room for all: colours are claimed one by one, as they will be used, and given back if any memory
 * is missing.
 */
static bool claim(const sn_arrivals *a, uint8_t *colour) {
    sn_world *world = a->world;
    sn_store *store = a->store;
    size_t extra[SN_COLOURS] = {0}, claimed = 0;
    size_t needed = sn_slots_needed(&world->constraints.slots, a->count);
    sn_draft draft;
    bool room = sn_store_reserve_nodes(store, &world->memory, world->nodes.slots.count) &&
                sn_slots_reserve(&world->constraints.slots, &world->memory, needed) &&
                sn_reserve(&world->memory, (void **)&world->constraints.record,
                           &world->constraints.capacity, needed, sizeof(sn_constraint_record));
    for (; room && claimed < a->count; claimed++) {
        sn_members members = members_at(a, claimed, &draft);
        int most = world->settings.balanced_colours;
        colour[claimed] = most > 0 ? sn_store_claim_smallest(store, members, most, extra)
                                   : sn_store_claim_colour(store, members);
        extra[colour[claimed]]++;
    }
    for (uint8_t c = 0; room && c < SN_COLOURS; c++)
        room = extra[c] == 0 || sn_store_reserve(store, &world->memory, c, extra[c]);
    while (!room && claimed-- > 0)
        sn_store_release_colour(store, members_at(a, claimed, &draft), colour[claimed]);
    return room;
}

sn_result sn_world_create_constraints(const sn_arrivals *a, sn_constraint *ids) {
    sn_world *world = a->world;
    uint8_t *colour = sn_allocate(&world->memory, a->count, sizeof *colour);
    bool room = colour && claim(a, colour);
    for (size_t i = 0; room && i < a->count; i++) {
        sn_draft draft;
        a->read(a->context, i, &draft);
        uint32_t index =
            sn_world_add_constraint(world, (size_t)(a->store - world->store), colour[i], &draft);
        if (ids)
            ids[i] =
                (sn_constraint){index + 1, world->constraints.slots.generation[index], world->tag};
    }
    sn_free(&world->memory, colour, a->count, sizeof *colour);
    return room ? SN_OK : SN_ERROR_MEMORY;
}
