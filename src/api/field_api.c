/* Fields of constraints that exist, by their names: of one, and of all those of a body. */
#include "api/call.h"
#include "api/check.h"
#include "api/draft.h"
#include "step/servo.h"

#include <string.h>

#define CALLS(CALL, OWN)                                                                           \
    CALL(SET, "constraint_set_field",                                                              \
         SN_PART_ID | SN_PART_FIELD | SN_PART_NUMBERS | SN_KEEPS_PAIRS, 0, NULL,                   \
         sn_constraint_set_field(world, SN_ID_AS(sn_constraint, call->id), call->field,            \
                                 call->number))                                                    \
    CALL(SET_ALL, "body_set_field",                                                                \
         SN_PART_ID | SN_PART_WORD | SN_PART_FIELD | SN_PART_NUMBERS | SN_KEEPS_PAIRS, 0, NULL,    \
         sn_body_set_field(world, SN_ID_AS(sn_body, call->id), (sn_type)call->word, call->field,   \
                           call->number, NULL))                                                    \
    CALL(SCALE_ALL, "body_scale_field",                                                            \
         SN_PART_ID | SN_PART_WORD | SN_PART_FIELD | SN_PART_NUMBERS | SN_KEEPS_PAIRS, 0, NULL,    \
         sn_body_scale_field(world, SN_ID_AS(sn_body, call->id), (sn_type)call->word, call->field, \
                             call->number[0], NULL))
SN_DEFINE_CALLS(field, CALLS, .next = NULL)
/* What drives are told comes by these calls as well. */
const sn_call_table sn_servo_calls = {.count = 0};

/* ---- One constraint ---- */

void sn_constraint_take_fields(sn_world *world, uint32_t index, sn_real *parameter,
                               const sn_list *list) {
    sn_store *store = sn_world_store_of(world, index);
    sn_place place = sn_world_place(world, index);
    const sn_constraint_type *type = store->type;
    int fields = store->parameters - type->measured;
    if (!type->follows)
        memcpy(parameter + fields, sn_store_parameters(store, place) + fields,
               sizeof(sn_real) * (size_t)type->measured);
    sn_servo_aim(world, index, parameter);
    if (type->adopt && list) type->adopt(sn_store_list(store, place), list);
    sn_store_set_parameters(store, place, parameter);
    sn_world_wake_members(world, sn_store_members(store, place));
    /* Where constraints see other masses than these, they are derived again before the next
       step. */
    world->scratch.constraints_changed = true;
    sn_store_derive(store, place, (sn_masses){world->nodes.w, world->frames.w}, &world->scale);
}

/* The field of this name and where its numbers begin; null, with the sentence, if there is none. */
static const sn_field_info *find_field(const sn_type_info *info, const char *name, size_t *first) {
    *first = 0;
    for (size_t i = 0; i < info->field_count; i++) {
        if (strcmp(info->fields[i].name, name) == 0) return &info->fields[i];
        *first += (size_t)sn_field_numbers(&info->fields[i]);
    }
    sn_fail(SN_ERROR_NAME, "%s: no field is called \"%s\"", info->name, name);
    return NULL;
}

sn_result sn_constraint_get_field(const sn_world *world, sn_constraint constraint, const char *name,
                                  sn_real value[3]) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(name);
    SN_CHECK_POINTER(value);
    SN_TRY(sn_check_constraint(world, constraint));
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    size_t first;
    const sn_field_info *field = find_field(&store->type->info, name, &first);
    if (!field) return SN_ERROR_NAME;
    const sn_real *parameter =
        sn_store_parameters(store, sn_world_place(world, constraint.slot - 1)) + first;
    memcpy(value, parameter, sizeof(sn_real) * (size_t)sn_field_numbers(field));
    return SN_OK;
}

/* A constraint as it is, but for one field; what is automatic is measured anew. */
static sn_result draft_with(sn_world *world, uint32_t index, const sn_field_info *field,
                            size_t first, const sn_real *value, sn_draft *draft) {
    const sn_store *store = sn_world_store_of(world, index);
    sn_place place = sn_world_place(world, index);
    memcpy(draft->parameter, sn_store_parameters(store, place),
           sizeof(sn_real) * (size_t)store->parameters);
    memcpy(draft->parameter + first, value, sizeof(sn_real) * (size_t)sn_field_numbers(field));
    return sn_draft_prepare_again(world, store, place, draft);
}

sn_result sn_constraint_set_field(sn_world *world, sn_constraint constraint, const char *name,
                                  const sn_real value[3]) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(name);
    SN_CHECK_POINTER(value);
    SN_TRY(sn_check_constraint(world, constraint));
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    size_t first;
    const sn_field_info *field = find_field(&store->type->info, name, &first);
    if (!field) return SN_ERROR_NAME;
    sn_draft draft;
    SN_TRY(sn_field_check(&store->type->info, field, value));
    if (!sn_servos_reserve(world, store->type, 1)) return SN_ERROR_MEMORY;
    SN_TRY(draft_with(world, constraint.slot - 1, field, first, value, &draft));
    sn_constraint_take_fields(world, constraint.slot - 1, draft.parameter, draft.list);
    sn_list_free(&world->memory, draft.list);
    bool vector = field->kind == SN_FIELD_VEC3;
    SN_RECORD(world, SET, .id = SN_ID(constraint), .field = field->name,
              .numbers = sn_field_numbers(field),
              .number = {value[0], vector ? value[1] : 0, vector ? value[2] : 0});
    return SN_OK;
}

/* ---- All constraints of a body ---- */

/* A field on its way to the constraints of a type whose first node belongs to a body. */
typedef struct spreading {
    sn_world *world;
    sn_store *store;
    uint32_t body;
    const sn_field_info *field;
    size_t first;
    const sn_real *value; /* that all get; null where each is multiplied by the factor */
    sn_real factor;
    size_t found, others; /* constraints of the body, and those of them with another value */
    sn_real *ready;       /* what the latter will have, one after the other */
    sn_list **list;       /* and their lists, where the type has any */
} spreading;

/* Counts, then makes ready what will be, then takes it over; only the second can fail. */
typedef enum pass { COUNT, PREPARE, CHANGE } pass;

/* What a constraint will have. */
static void find_value(const spreading *s, const sn_real *before, sn_real value[3]) {
    int numbers = sn_field_numbers(s->field);
    for (int i = 0; i < numbers; i++) {
        value[i] = s->value ? s->value[i] : before[i];
        if (!s->value && value[i] != SN_AUTO) value[i] *= s->factor;
    }
}

static sn_result spread_to(spreading *s, sn_place place, pass now) {
    sn_real value[3] = {0, 0, 0};
    size_t bytes = sizeof(sn_real) * (size_t)sn_field_numbers(s->field);
    size_t numbers = (size_t)s->store->parameters;
    int32_t node = sn_member(sn_store_members(s->store, place), 0);
    uint32_t index = s->store->colour[place.colour].owner[place.position];
    sn_draft draft;
    if (node < 0 || s->world->nodes.body[node] != s->body) return SN_OK;
    s->found++;
    const sn_real *before = sn_store_parameters(s->store, place) + s->first;
    find_value(s, before, value);
    if (memcmp(before, value, bytes) == 0) return SN_OK;
    size_t other = s->others++;
    sn_real *ready = s->ready ? s->ready + numbers * other : NULL;
    if (now == PREPARE) {
        if (!sn_servos_reserve(s->world, s->store->type, s->others)) return SN_ERROR_MEMORY;
        SN_TRY(sn_field_check(&s->store->type->info, s->field, value));
        SN_TRY(draft_with(s->world, index, s->field, s->first, value, &draft));
        memcpy(ready, draft.parameter, numbers * sizeof *ready);
        if (s->list) s->list[other] = draft.list;
    }
    if (now == CHANGE)
        sn_constraint_take_fields(s->world, index, ready, s->list ? s->list[other] : NULL);
    return SN_OK;
}

static sn_result spread(spreading *s, pass now) {
    s->found = s->others = 0;
    for (uint8_t c = 0; c < SN_COLOURS; c++)
        for (uint32_t i = 0; i < s->store->colour[c].count; i++)
            SN_TRY(spread_to(s, (sn_place){c, i}, now));
    return SN_OK;
}

static sn_result spread_all(spreading *s) {
    SN_TRY(spread(s, COUNT));
    size_t others = s->others, bytes = sizeof(sn_real) * (size_t)s->store->parameters;
    if (others == 0) return SN_OK;
    bool listed = s->store->type->info.list != SN_LIST_NONE;
    sn_memory *memory = &s->world->memory;
    s->ready = sn_allocate(memory, others, bytes);
    if (listed) s->list = sn_allocate(memory, others, sizeof(sn_list *));
    sn_result result = s->ready && (s->list || !listed) ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) result = spread(s, PREPARE);
    if (result == SN_OK) result = spread(s, CHANGE);
    for (size_t i = 0; s->list && i < others; i++) sn_list_free(memory, s->list[i]);
    if (s->list) sn_free(memory, s->list, others, sizeof(sn_list *));
    if (s->ready) sn_free(memory, s->ready, others, bytes);
    return result;
}

/* Finds the body, the constraints and the field. */
static sn_result begin_spreading(sn_world *world, sn_body body, sn_type type, const char *name,
                                 const char *call, spreading *s) {
    SN_TRY(sn_check_body(world, body));
    size_t store = sn_world_store_index(world, type);
    if (store >= world->store_count)
        return sn_fail(SN_ERROR_VALUE,
                       "%s: type is %d, expected 0 to %d, or a type added to this world", call,
                       (int)type, SN_TYPE_COUNT - 1);
    *s = (spreading){.world = world, .store = &world->store[store], .body = body.slot};
    s->field = find_field(&s->store->type->info, name, &s->first);
    return s->field ? SN_OK : SN_ERROR_NAME;
}

sn_result sn_body_set_field(sn_world *world, sn_body body, sn_type type, const char *name,
                            const sn_real value[3], size_t *count) {
    spreading s = {0};
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(name);
    SN_CHECK_POINTER(value);
    SN_TRY(begin_spreading(world, body, type, name, __func__, &s));
    s.value = value;
    SN_TRY(sn_field_check(&s.store->type->info, s.field, value));
    SN_TRY(spread_all(&s));
    if (count) *count = s.found;
    bool vector = s.field->kind == SN_FIELD_VEC3;
    SN_RECORD(world, SET_ALL, .id = SN_ID(body), .word = (uint32_t)type, .field = s.field->name,
              .numbers = sn_field_numbers(s.field),
              .number = {value[0], vector ? value[1] : 0, vector ? value[2] : 0});
    return SN_OK;
}

sn_result sn_body_scale_field(sn_world *world, sn_body body, sn_type type, const char *name,
                              sn_real factor, size_t *count) {
    spreading s = {0};
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(name);
    if (!(factor > 0 && factor <= SN_REAL_MAX))
        return sn_fail(SN_ERROR_VALUE, "%s: factor is %g, expected above 0", __func__,
                       (double)factor);
    SN_TRY(begin_spreading(world, body, type, name, __func__, &s));
    if (s.field->kind != SN_FIELD_REAL && s.field->kind != SN_FIELD_VEC3)
        return sn_fail(SN_ERROR_VALUE, "%s: \"%s\" of %s is a choice, expected numbers", __func__,
                       s.field->name, s.store->type->info.name);
    s.factor = factor;
    SN_TRY(spread_all(&s));
    if (count) *count = s.found;
    SN_RECORD(world, SCALE_ALL, .id = SN_ID(body), .word = (uint32_t)type, .field = s.field->name,
              .numbers = 1, .number = {factor, 0, 0});
    return SN_OK;
}
