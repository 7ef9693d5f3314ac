/* The public calls on constraints: one text for every type, by the lists of fields. */
#include "api/call.h"
#include "api/check.h"
#include "api/draft.h"
#include "math/vector.h"
#include "step/servo.h"

#include <sinew/graph.h>

#include <string.h>

/* ---- Recordings ---- */

static sn_result create_again(sn_world *world, const sn_call *call) {
    sn_type type = sn_world_type_at((size_t)(call->store - world->store));
    return sn_constraints_create(world, type, call->items, call->count, NULL);
}

/* A definition that was read for a constraint of another type would be taken for one of this. */
static sn_result set_again(sn_world *world, const sn_call *call) {
    sn_constraint constraint = SN_ID_AS(sn_constraint, call->id);
    SN_TRY(sn_check_constraint(world, constraint));
    if (call->count == 1 && sn_world_store_of(world, constraint.slot - 1) == call->store)
        return sn_constraint_set(world, constraint, call->items);
    return sn_fail(SN_ERROR_VALUE, "%zu definitions of type %s for a constraint of another type",
                   call->count, call->store->type->info.name);
}

#define ID SN_ID_AS(sn_constraint, call->id)
#define CALLS(CALL, OWN)                                                                           \
    OWN(CREATE, "constraints_create", 0, 0, sn_call_serialize_constraints,                         \
        create_again(world, call))                                                                 \
    CALL(DESTROY, "constraint_destroy", SN_PART_ID, 0, NULL, sn_constraint_destroy(world, ID))     \
    OWN(SET, "constraint_set", SN_PART_ID, 0, sn_call_serialize_constraints,                       \
        set_again(world, call))                                                                    \
    CALL(SET_ENABLED, "constraint_set_enabled", SN_PART_ID | SN_PART_WORD, 0, NULL,                \
         sn_constraint_set_enabled(world, ID, call->word != 0))                                    \
    CALL(SET_WEIGHTS, "constraint_set_weights", SN_PART_ID | SN_PART_REALS | SN_KEEPS_PAIRS, 0,    \
         NULL, sn_constraint_set_weights(world, ID, call->items, call->count))
SN_DEFINE_CALLS(constraint, CALLS, .next = NULL)

/* The store of a type of this world, or null, with the sentence. */
static sn_store *find_store(const sn_world *world, const char *call, sn_type type) {
    size_t index = sn_world_store_index(world, type);
    if (index < world->store_count) return &world->store[index];
    sn_fail(SN_ERROR_VALUE, "%s: type is %d, expected 0 to %d, or a type added to this world", call,
            (int)type, SN_TYPE_COUNT - 1);
    return NULL;
}

/* ---- Making ---- */

/* Definitions on their way into a store. Those with lists become drafts at once; others are read
   again when they are needed, which costs no memory and cannot fail. */
typedef struct definitions {
    sn_world *world;
    sn_store *store;
    const unsigned char *defs;
    size_t count;
    sn_draft *draft; /* null where the type has no lists */
    size_t idle;     /* that ask for damping where there is nothing that it could damp */
    size_t still;    /* joints of nodes that nothing moves */
} definitions;

static const void *def_at(const definitions *d, size_t i) {
    return d->defs + i * d->store->type->info.def_size;
}

/* Checks all definitions and makes their lists. */
static sn_result check_all(definitions *d) {
    for (size_t i = 0; i < d->count; i++) {
        sn_draft once, *draft = d->draft ? &d->draft[i] : &once;
        sn_result result = sn_draft_read(d->world, d->store->type, def_at(d, i), draft);
        if (result != SN_OK)
            return sn_fail_within(result, "%s definition %zu of %zu", d->store->type->info.name, i,
                                  d->count);
    }
    return SN_OK;
}

static void read_members(void *context, size_t i, sn_draft *draft) {
    const definitions *d = context;
    if (d->draft)
        draft->list = d->draft[i].list;
    else
        sn_draft_read_members(d->world, d->store->type, def_at(d, i), draft);
}

/* Whether damping was asked for where there is nothing that it could damp. */
static bool has_idle_damping(const sn_constraint_type *type, const sn_real *parameter) {
    return !type->compliant && parameter[SN_PARAMETER_DAMPING] > 0 &&
           parameter[SN_PARAMETER_COMPLIANCE] == 0;
}

/* Whether it is a joint, which joins oriented nodes alone, and no constraint could move one of
   them. */
static bool joins_what_stands(const sn_world *world, const sn_constraint_type *type,
                              const sn_draft *draft) {
    if (!type->joins || type->info.frames < type->info.nodes) return false;
    sn_members members = sn_draft_members(type, draft);
    for (int n = 0; n < members.nodes; n++) {
        sn_vec4 w = world->frames.w[sn_member(members, members.nodes + n)];
        if (world->nodes.w[sn_member(members, n)] > 0 || w.x > 0 || w.y > 0 || w.z > 0)
            return false;
    }
    return true;
}

/* The list of a draft goes over into the store. */
static void read_checked(void *context, size_t i, sn_draft *draft) {
    definitions *d = context;
    if (d->draft) {
        *draft = d->draft[i];
        d->draft[i].list = NULL;
    } else {
        sn_draft_read(d->world, d->store->type, def_at(d, i), draft);
    }
    d->idle += has_idle_damping(d->store->type, draft->parameter);
    d->still += joins_what_stands(d->world, d->store->type, draft);
}

/* What will not do what was asked of it. */
static void tell(const definitions *d) {
    const char *name = d->store->type->info.name;
    if (d->idle > 0)
        sn_world_say(d->world, SN_LOG_WARNING,
                     "%s: damping has no effect on %zu constraints whose compliance is 0", name,
                     d->idle);
    if (d->still > 0)
        sn_world_say(d->world, SN_LOG_WARNING,
                     "%s: %zu of %zu join nodes whose inverse masses and inertias are 0, and have "
                     "no effect while they are",
                     name, d->still, d->count);
}

static sn_result create_all(definitions *d, sn_constraint *constraints) {
    SN_TRY(check_all(d));
    SN_TRY(sn_world_create_constraints(
        &(sn_arrivals){d->world, d->store, d->count, read_members, read_checked, d}, constraints));
    tell(d);
    return SN_OK;
}

sn_result sn_constraints_create(sn_world *world, sn_type type, const void *defs, size_t count,
                                sn_constraint *constraints) {
    SN_CHECK_WORLD(world);
    definitions d = {.world = world, .store = find_store(world, __func__, type), .defs = defs};
    if (!d.store) return SN_ERROR_VALUE;
    if (count == 0) return SN_OK;
    SN_CHECK_POINTER(defs);
    if (count > UINT32_MAX - 1 - world->constraints.slots.count)
        return sn_fail(SN_ERROR_LIMIT, "constraints: %zu more would exceed what a world can have",
                       count);
    bool listed = d.store->type->info.list != SN_LIST_NONE;
    d.count = count;
    if (listed) d.draft = sn_allocate(&world->memory, count, sizeof *d.draft);
    if (listed && !d.draft) return SN_ERROR_MEMORY;
    sn_result result = create_all(&d, constraints);
    for (size_t i = 0; listed && i < count; i++) sn_list_free(&world->memory, d.draft[i].list);
    if (listed) sn_free(&world->memory, d.draft, count, sizeof *d.draft);
    if (result == SN_OK) SN_RECORD(world, CREATE, .store = d.store, .items = defs, .count = count);
    return result;
}

sn_result sn_constraint_create(sn_world *world, sn_type type, const void *def,
                               sn_constraint *constraint) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(constraint);
    return sn_constraints_create(world, type, def, 1, constraint);
}

sn_result sn_constraint_destroy(sn_world *world, sn_constraint constraint) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_constraint(world, constraint));
    sn_world_remove_constraint(world, constraint.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(constraint));
    return SN_OK;
}

sn_result sn_world_constraint_at(const sn_world *world, size_t slot, sn_constraint *constraint) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(constraint);
    SN_TRY(sn_check_slot(&world->constraints.slots, slot, "constraint"));
    *constraint =
        (sn_constraint){(uint32_t)slot + 1, world->constraints.slots.generation[slot], world->tag};
    return SN_OK;
}

bool sn_constraint_is_valid(const sn_world *world, sn_constraint constraint) {
    return world && sn_slots_has(&world->constraints.slots, SN_ID(constraint), world->tag);
}

/* ---- Changing ---- */

sn_result sn_constraint_get_type(const sn_world *world, sn_constraint constraint, sn_type *type) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(type);
    SN_TRY(sn_check_constraint(world, constraint));
    *type = sn_world_type_at(world->constraints.record[constraint.slot - 1].type);
    return SN_OK;
}

sn_result sn_constraint_get(const sn_world *world, sn_constraint constraint, void *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_check_constraint(world, constraint));
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    const sn_type_info *info = &store->type->info;
    sn_place place = sn_world_place(world, constraint.slot - 1);
    size_t size;
    memcpy(&size, def, sizeof size);
    SN_TRY(sn_check_size(info->name, size, info->def_size));
    sn_draft_write_members(world, store, place, def);
    const sn_real *parameter = sn_store_parameters(store, place);
    for (size_t i = 0; i < info->field_count; i++) {
        sn_field_write(&info->fields[i], parameter, def);
        parameter += sn_field_numbers(&info->fields[i]);
    }
    return SN_OK;
}

sn_result sn_constraint_get_nodes(const sn_world *world, sn_constraint constraint, sn_node *nodes,
                                  size_t capacity, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(nodes);
    SN_TRY(sn_check_constraint(world, constraint));
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    sn_members members = sn_store_members(store, sn_world_place(world, constraint.slot - 1));
    *count = (size_t)members.nodes;
    for (size_t n = 0; n < *count && n < capacity; n++)
        nodes[n] = sn_world_node_id(world, sn_member(members, (int)n));
    return SN_OK;
}

sn_result sn_constraint_get_triangles(const sn_world *world, sn_constraint constraint,
                                      uint32_t *triangles, size_t capacity, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(triangles);
    SN_TRY(sn_check_constraint(world, constraint));
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    const sn_list *list = sn_store_list(store, sn_world_place(world, constraint.slot - 1));
    *count = list ? list->triangles : 0;
    for (size_t i = 0; i < 3 * *count && i < 3 * capacity; i++) triangles[i] = list->triangle[i];
    return SN_OK;
}

/* ---- Weights of nodes ---- */

/* The list of a constraint whose nodes have weights, or null. */
static sn_list *weighted(const sn_world *world, sn_constraint constraint) {
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    bool has = store->type->info.list == SN_LIST_SURFACE;
    return has ? sn_store_list(store, sn_world_place(world, constraint.slot - 1)) : NULL;
}

sn_result sn_constraint_set_weights(sn_world *world, sn_constraint constraint,
                                    const sn_real *weights, size_t count) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(weights);
    SN_TRY(sn_check_constraint(world, constraint));
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    const char *name = store->type->info.name;
    sn_list *list = weighted(world, constraint);
    if (!list)
        return sn_fail(SN_ERROR_VALUE,
                       "%s %u: its nodes have no weights, expected a surface_volume", name,
                       constraint.slot - 1);
    if (count != list->count)
        return sn_fail(SN_ERROR_VALUE, "%s %u: %zu weights, expected one for each of %zu nodes",
                       name, constraint.slot - 1, count, list->count);
    for (size_t n = 0; n < count; n++)
        if (!(weights[n] >= 0 && weights[n] <= 1))
            return sn_fail(SN_ERROR_VALUE, "%s %u: weight %zu is %g, expected 0 to 1", name,
                           constraint.slot - 1, n, (double)weights[n]);
    for (size_t n = 0; n < count; n++) list->rest[n].w = 1 - weights[n];
    sn_world_wake_members(world,
                          sn_store_members(store, sn_world_place(world, constraint.slot - 1)));
    SN_RECORD(world, SET_WEIGHTS, .id = SN_ID(constraint), .items = weights, .count = count);
    return SN_OK;
}

sn_result sn_constraint_get_weights(const sn_world *world, sn_constraint constraint,
                                    sn_real *weights, size_t capacity, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(weights);
    SN_TRY(sn_check_constraint(world, constraint));
    const sn_list *list = weighted(world, constraint);
    *count = list ? list->count : 0;
    for (size_t n = 0; n < *count && n < capacity; n++) weights[n] = 1 - list->rest[n].w;
    return SN_OK;
}

/* ---- Setting ---- */

/* Whether a draft has the nodes and triangles that the constraint was made with. */
static sn_result check_same(const sn_world *world, sn_constraint constraint,
                            const sn_draft *draft) {
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    sn_place place = sn_world_place(world, constraint.slot - 1);
    const char *name = store->type->info.name;
    sn_members own = sn_store_members(store, place), new = sn_draft_members(store->type, draft);
    const sn_list *list = sn_store_list(store, place);
    if (new.nodes != own.nodes || (list && draft->list->triangles != list->triangles))
        return sn_fail(SN_ERROR_VALUE,
                       "%s %u: the definition has another number of nodes or triangles, expected "
                       "those it was made with",
                       name, constraint.slot - 1);
    for (int n = 0; n < own.nodes; n++)
        if (sn_member(new, n) != sn_member(own, n))
            return sn_fail(SN_ERROR_VALUE,
                           "%s %u: node %d is node %d, expected node %d, which it was made with",
                           name, constraint.slot - 1, n, sn_member(new, n), sn_member(own, n));
    for (size_t i = 0; list && i < 3 * list->triangles; i++)
        if (draft->list->triangle[i] != list->triangle[i])
            return sn_fail(SN_ERROR_VALUE,
                           "%s %u: triangle %zu is another one, expected that it was made with",
                           name, constraint.slot - 1, i / 3);
    return SN_OK;
}

sn_result sn_constraint_set(sn_world *world, sn_constraint constraint, const void *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_check_constraint(world, constraint));
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    sn_draft draft;
    if (!sn_servos_reserve(world, store->type, 1)) return SN_ERROR_MEMORY;
    SN_TRY(sn_draft_read(world, store->type, def, &draft));
    sn_result result = check_same(world, constraint, &draft);
    if (result == SN_OK)
        sn_constraint_take_fields(world, constraint.slot - 1, draft.parameter, draft.list);
    sn_list_free(&world->memory, draft.list);
    if (result == SN_OK)
        SN_RECORD(world, SET, .id = SN_ID(constraint), .store = store, .items = def, .count = 1);
    return result;
}

sn_result sn_constraint_set_enabled(sn_world *world, sn_constraint constraint, bool enabled) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_constraint(world, constraint));
    sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    sn_place place = sn_world_place(world, constraint.slot - 1);
    if (sn_store_is_off(store, place) == enabled) {
        sn_store_switch(store, place, !enabled);
        sn_world_wake_members(world, sn_store_members(store, place));
        world->sleep.joints_changed = world->sleep.changed = true;
        world->scratch.constraints_changed = true;
        sn_store_derive(store, place, (sn_masses){world->nodes.w, world->frames.w}, &world->scale);
    }
    SN_RECORD(world, SET_ENABLED, .id = SN_ID(constraint), .word = enabled);
    return SN_OK;
}

sn_result sn_constraint_get_enabled(const sn_world *world, sn_constraint constraint,
                                    bool *enabled) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(enabled);
    SN_TRY(sn_check_constraint(world, constraint));
    *enabled = !sn_store_is_off(sn_world_store_of(world, constraint.slot - 1),
                                sn_world_place(world, constraint.slot - 1));
    return SN_OK;
}

sn_result sn_constraint_get_colour(const sn_world *world, sn_constraint constraint, int *colour) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(colour);
    SN_TRY(sn_check_constraint(world, constraint));
    sn_place place = sn_world_place(world, constraint.slot - 1);
    *colour = place.colour == SN_SEQUENTIAL ? -1 : place.colour;
    return SN_OK;
}

size_t sn_world_constraint_count(const sn_world *world, sn_type type) {
    if (!world) return 0;
    if (type == SN_TYPE_COUNT) return world->constraints.slots.live;
    size_t index = sn_world_store_index(world, type);
    return index < world->store_count ? world->store[index].count : 0;
}

/* ---- Reading ---- */

sn_result sn_constraint_evaluate(const sn_world *world, sn_constraint constraint,
                                 sn_real value[SN_MAX_ROWS], sn_vec3 *gradient) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(value);
    SN_TRY(sn_check_constraint(world, constraint));
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    sn_place place = sn_world_place(world, constraint.slot - 1);
    sn_batch batch = sn_store_batch(store, &world->nodes, &world->frames, place.colour);
    store->type->evaluate(&batch, place.position, value, gradient);
    return SN_OK;
}

sn_result sn_constraint_force(const sn_world *world, sn_constraint constraint,
                              sn_real force[SN_MAX_ROWS]) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(force);
    SN_TRY(sn_check_constraint(world, constraint));
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    double lambda[SN_MAX_ROWS];
    sn_store_lambda(store, sn_world_place(world, constraint.slot - 1), lambda);
    double h2 = world->scale.h * world->scale.h;
    for (int row = 0; row < store->type->info.rows; row++)
        force[row] = store->kept ? (sn_real)(lambda[row] / h2) : 0;
    return SN_OK;
}

/* ---- Events ---- */

sn_result sn_world_freezes(const sn_world *world, const sn_freeze_event **events, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(events);
    SN_CHECK_POINTER(count);
    *events = world->output.frozen;
    *count = world->output.freezes;
    return SN_OK;
}

sn_result sn_world_breaks(const sn_world *world, const sn_break_event **events, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(events);
    SN_CHECK_POINTER(count);
    *events = world->output.broken;
    *count = world->output.breaks;
    return SN_OK;
}
