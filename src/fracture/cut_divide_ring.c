/*
 * Bending at vertices, where an edge is divided: the rings of its ends have the node in the place
 * of the other end, those of the vertices beside it have it between both ends, and the node has a
 * ring of its own where the edge is within the sheet. It takes over its part of the areas that bend
 * at the ends, as it does of their masses.
 */
#include "fracture/cut_divide.h"

#include <string.h>

/* Where the area of a ring is among its parameters; -1 where it has none. */
static int area_parameter(const sn_type_info *info) {
    int at = 0;
    for (size_t i = 0; i < info->field_count; i++) {
        if (strcmp(info->fields[i].name, "area") == 0) return at;
        at += info->fields[i].kind == SN_FIELD_VEC3 ? 3 : 1;
    }
    return -1;
}

/* Measures a ring at rest; false when there is no memory. *sound is whether it could be. */
static bool measure(sn_divide *d, const sn_store *store, sn_draft *draft, bool *sound) {
    sn_memory *memory = &d->world->memory;
    sn_list *list = draft->list;
    sn_vec3 *x = sn_allocate(memory, list->count, sizeof *x);
    sn_point origin = {0, 0, 0};
    *sound = x != NULL;
    for (size_t n = 0; *sound && n < list->count; n++) {
        uint32_t vertex = sn_cut_vertex_of(&d->mesh, list->offset[n] / SN_NODE_BYTES);
        if (vertex == UINT32_MAX) {
            *sound = false;
            break;
        }
        sn_point at = sn_divide_rest(d, vertex);
        if (n == 0) origin = at;
        x[n] = sn_point_vec3(sn_point_sub(at, origin));
        list->w[n] = d->world->nodes.w[list->offset[n] / SN_NODE_BYTES];
    }
    sn_preparation from = {.x = x, .list = list, .memory = memory};
    sn_result result = *sound ? store->type->prepare(&from, draft->parameter) : SN_ERROR_DEGENERATE;
    *sound = result == SN_OK;
    bool room = x != NULL && result != SN_ERROR_MEMORY;
    sn_free(memory, x, list->count, sizeof *x);
    return room;
}

/* The members of a ring after the edge is divided; how many there are, or 0 where it stays. `to`
   has room for one more than before. */
static size_t follow(const sn_divide *d, const sn_list *list, int32_t *to) {
    int32_t a = (int32_t)d->mesh.node[d->a] * SN_NODE_BYTES;
    int32_t b = (int32_t)d->mesh.node[d->b] * SN_NODE_BYTES;
    int32_t m = (int32_t)d->mesh.node[d->m] * SN_NODE_BYTES, centre = list->offset[0];
    size_t count = 0, changes = 0;
    for (size_t n = 0; n < list->count; n++) {
        int32_t own = list->offset[n], next = list->offset[n + 1 < list->count ? n + 1 : 1];
        bool replaced = n > 0 && ((centre == a && own == b) || (centre == b && own == a));
        to[count++] = replaced ? m : own;
        changes += replaced;
        if (n == 0 || centre == a || centre == b) continue;
        if (!((own == a && next == b) || (own == b && next == a))) continue;
        to[count++] = m;
        changes++;
    }
    return changes == 1 ? count : 0;
}

static sn_result change_ring(sn_divide *d, uint32_t constraint) {
    sn_memory *memory = &d->world->memory;
    sn_store *store = sn_world_store_of(d->world, constraint);
    sn_place place = sn_world_place(d->world, constraint);
    const sn_list *own = sn_store_list(store, place);
    sn_draft draft = {.off = sn_store_is_off(store, place)};
    bool sound = false, room = true;
    int32_t *to = sn_allocate(memory, own->count + 2, sizeof *to);
    size_t capacity = own->count + 2;
    if (!to) return SN_ERROR_MEMORY;
    size_t count = follow(d, own, to);
    if (count > 0) {
        draft.list = sn_list_create(memory, own->kind, count, 0);
        room = draft.list != NULL;
    }
    if (draft.list) {
        memcpy(draft.list->offset, to, count * sizeof *to);
        memcpy(draft.parameter, sn_store_parameters(store, place),
               sizeof(sn_real) * (size_t)store->parameters);
        room = measure(d, store, &draft, &sound);
        if (room && sound) {
            room = sn_divide_replace(d, constraint, &draft);
        } else {
            sn_list_free(memory, draft.list);
        }
    }
    sn_free(memory, to, capacity, sizeof *to);
    return room ? SN_OK : SN_ERROR_MEMORY;
}

/* The part of the area of a vertex that lies in the elements around the edge, before they were
   divided: what the node has now is what the ends gave. */
static double part_given(const sn_divide *d, uint32_t end) {
    const uint32_t node[1] = {d->m};
    double shared = sn_divide_around(d, end, node, 1), all = sn_divide_around(d, end, NULL, 0);
    double share = end == d->a ? d->t : 1 - d->t;
    /* All that is shared is this part of the triangles around the edge. */
    double whole = shared / share;
    return (whole - shared) / (all - shared + whole);
}

/* m^2, that a ring at an end gives away. */
static double take_area(sn_divide *d, uint32_t constraint, int at, uint32_t end) {
    sn_store *store = sn_world_store_of(d->world, constraint);
    sn_place place = sn_world_place(d->world, constraint);
    sn_real parameter[SN_MAX_PARAMETERS];
    memcpy(parameter, sn_store_parameters(store, place),
           sizeof(sn_real) * (size_t)store->parameters);
    double area = (double)parameter[at], given = area * part_given(d, end);
    parameter[at] = (sn_real)(area - given);
    sn_store_set_parameters(store, place, parameter);
    sn_store_derive(store, place, (sn_masses){d->world->nodes.w, d->world->frames.w},
                    &d->world->scale);
    return given;
}

/* What a ring that was not there before has but for the common fields and its area: defaults, as
   it is neither open nor beside the border. */
static void make_plain(const sn_type_info *info, sn_real *parameter) {
    int at = SN_COMMON_PARAMETERS;
    for (size_t i = SN_COMMON_PARAMETERS; i < info->field_count; i++)
        for (int k = info->fields[i].kind == SN_FIELD_VEC3 ? 3 : 1; k > 0; k--)
            parameter[at++] = (sn_real)info->fields[i].standard;
}

/* Those of a store around the ends, and the one around the node. */
static bool add_ring(sn_divide *d, size_t store_index) {
    sn_world *world = d->world;
    sn_store *store = &world->store[store_index];
    int at = area_parameter(&store->type->info);
    double area = 0;
    sn_draft draft = {0};
    if (d->besides != 2 || at < 0) return true;
    for (size_t i = 0; i < d->plans; i++) {
        const sn_divide_plan *p = &d->plan[i];
        if (p->fate != SN_DIVIDE_RINGED || sn_world_store_of(world, p->constraint) != store)
            continue;
        sn_place place = sn_world_place(world, p->constraint);
        uint32_t centre = sn_cut_vertex_of(&d->mesh, sn_member(sn_store_members(store, place), 0));
        if (centre != d->a && centre != d->b) continue;
        area += take_area(d, p->constraint, at, centre);
        memcpy(draft.parameter, sn_store_parameters(store, place),
               sizeof(sn_real) * (size_t)store->parameters);
    }
    if (!(area > 0)) return true;
    bool sound;
    const uint32_t ring[5] = {d->m, d->a, d->beside[0], d->b, d->beside[1]};
    make_plain(&store->type->info, draft.parameter);
    draft.parameter[at] = (sn_real)area;
    draft.list = sn_list_create(&world->memory, store->type->info.list, 5, 0);
    if (!draft.list) return false;
    for (int n = 0; n < 5; n++)
        draft.list->offset[n] = (int32_t)d->mesh.node[ring[n]] * SN_NODE_BYTES;
    bool room = measure(d, store, &draft, &sound);
    if (room && sound) return sn_divide_add(d, store_index, &draft);
    sn_list_free(&world->memory, draft.list);
    return room;
}

bool sn_divide_rings(sn_divide *d) {
    for (size_t i = 0; i < d->plans; i++)
        if (d->plan[i].fate == SN_DIVIDE_RINGED && change_ring(d, d->plan[i].constraint) != SN_OK)
            return false;
    for (size_t s = 0; s < d->world->store_count; s++)
        if (sn_list_is_ring(d->world->store[s].type->info.list) && d->world->store[s].count > 0 &&
            !add_ring(d, s))
            return false;
    return true;
}
