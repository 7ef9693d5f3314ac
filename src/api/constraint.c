/* The public calls on constraints: one text for every type, by the lists of fields. */
#include "api/check.h"
#include "api/types.h"
#include "math/vector.h"

#include <string.h>

/* ---- Between definitions and parameters ---- */

/* The head of every definition: its size, then its nodes. */
typedef struct head {
    size_t size;
    sn_node node[SN_MAX_NODES];
} head;

static int field_numbers(const sn_field_info *field) {
    return field->kind == SN_FIELD_VEC3 ? 3 : 1;
}

static void read_field(const sn_field_info *field, const void *def, sn_real *number) {
    const unsigned char *from = (const unsigned char *)def + field->offset;
    if (field->kind == SN_FIELD_SIDE) {
        sn_side side;
        memcpy(&side, from, sizeof side);
        number[0] = (sn_real)(int)side;
    } else {
        memcpy(number, from, sizeof(sn_real) * (size_t)field_numbers(field));
    }
}

static void write_field(const sn_field_info *field, const sn_real *number, void *def) {
    unsigned char *to = (unsigned char *)def + field->offset;
    if (field->kind == SN_FIELD_SIDE) {
        sn_side side = (sn_side)(int)number[0];
        memcpy(to, &side, sizeof side);
    } else {
        memcpy(to, number, sizeof(sn_real) * (size_t)field_numbers(field));
    }
}

static sn_result check_field(const sn_type_info *info, const sn_field_info *field,
                             const sn_real *number) {
    for (int i = 0; i < field_numbers(field); i++)
        SN_TRY(sn_check_real(info->name, field->name, number[i], field->least, field->most,
                             field->automatic, field->unit));
    if (field->kind != SN_FIELD_SIDE) return SN_OK;
    if (number[0] != (sn_real)(int)number[0])
        return sn_fail(SN_ERROR_VALUE, "%s: side is %g, expected 0, 1 or 2", info->name,
                       (double)number[0]);
    if (info->rows > 1 && number[0] != (sn_real)SN_SIDE_BOTH)
        return sn_fail(SN_ERROR_VALUE, "%s: side is %d, expected 0 for a type with %d rows",
                       info->name, (int)number[0], info->rows);
    return SN_OK;
}

/* Fields of a definition, checked, as the first parameters. */
static sn_result read_fields(const sn_type_info *info, const void *def, sn_real *parameter) {
    for (size_t i = 0; i < info->field_count; i++) {
        read_field(&info->fields[i], def, parameter);
        SN_TRY(check_field(info, &info->fields[i], parameter));
        parameter += field_numbers(&info->fields[i]);
    }
    return SN_OK;
}

/* The nodes of a definition, checked, and the frames of those that must be oriented. */
static sn_result read_nodes(const sn_world *world, const sn_constraint_type *type, const void *def,
                            int32_t *node) {
    const sn_type_info *info = &type->info;
    sn_node id[SN_MAX_NODES];
    memcpy(id, (const unsigned char *)def + offsetof(head, node),
           sizeof(sn_node) * (size_t)info->nodes);
    int moved = info->nodes - info->fixed_nodes;
    for (int n = 0; n < info->nodes; n++) {
        if (n < type->info.frames) node[info->nodes + n] = SN_NODE_ORIGIN;
        if (n >= moved && id[n].slot == 0) {
            node[n] = SN_NODE_ORIGIN;
            continue;
        }
        SN_TRY(sn_check_node(world, id[n]));
        node[n] = (int32_t)(id[n].slot - 1);
        for (int k = 0; k < n; k++)
            if (node[k] == node[n])
                return sn_fail(SN_ERROR_DEGENERATE,
                               "%s: nodes %d and %d are the same node %d, expected different ones",
                               info->name, k, n, node[n]);
        if (n >= moved && world->nodes.w[node[n]] > 0)
            return sn_fail(SN_ERROR_VALUE,
                           "%s: node %d has the inverse mass %g, expected a kinematic node there",
                           info->name, n, (double)world->nodes.w[node[n]]);
        if (n >= type->info.frames) continue;
        node[info->nodes + n] = (int32_t)world->nodes.frame[node[n]] - 1;
        if (node[info->nodes + n] < 0)
            return sn_fail(SN_ERROR_VALUE, "%s: node %d is a particle, expected an oriented node",
                           info->name, n);
        sn_vec4 turn_w = world->frames.w[node[info->nodes + n]];
        if (n >= moved && (turn_w.x > 0 || turn_w.y > 0 || turn_w.z > 0))
            return sn_fail(SN_ERROR_VALUE,
                           "%s: node %d has the inverse inertia (%g, %g, %g), expected 0 there",
                           info->name, n, (double)turn_w.x, (double)turn_w.y, (double)turn_w.z);
    }
    return SN_OK;
}

/* Automatic fields and measured parameters, from where the nodes are. */
static sn_result prepare(const sn_world *world, const sn_constraint_type *type, const int32_t *node,
                         sn_real *parameter) {
    sn_vec3 x[SN_MAX_NODES];
    for (int n = 0; n < type->info.nodes; n++) {
        sn_vec4 a = world->nodes.x[node[n]], b = world->nodes.x[node[0]];
        x[n] = (sn_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
    }
    sn_quat q[SN_MAX_NODES];
    for (int n = 0; n < type->info.frames; n++) {
        sn_vec4 a = world->frames.q[node[type->info.nodes + n]];
        q[n] = (sn_quat){a.x, a.y, a.z, a.w};
    }
    return type->prepare(x, q, parameter);
}

/* Everything about one definition. */
static sn_result read_def(const sn_world *world, const sn_constraint_type *type, const void *def,
                          int32_t *node, sn_real *parameter) {
    const sn_type_info *info = &type->info;
    size_t size;
    memcpy(&size, def, sizeof size);
    SN_TRY(sn_check_size(info->name, size, info->def_size));
    SN_TRY(read_nodes(world, type, def, node));
    SN_TRY(read_fields(info, def, parameter));
    return prepare(world, type, node, parameter);
}

static sn_result check_type(const char *call, sn_type type) {
    if ((unsigned)type < SN_TYPE_COUNT) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "%s: type is %d, expected 0 to %d", call, (int)type,
                   SN_TYPE_COUNT - 1);
}

/* ---- Making ---- */

/*
 * Room for all: colours are claimed one by one, as they will be used, and given back if any memory
 * is missing.
 */
static bool claim(sn_world *world, sn_store *store, const unsigned char *defs, size_t count,
                  uint8_t *colour) {
    size_t extra[SN_COLOURS] = {0}, claimed = 0;
    size_t needed = sn_slots_needed(&world->constraints.slots, count);
    int32_t node[SN_MAX_INDICES];
    bool room = sn_store_reserve_nodes(store, &world->memory, world->nodes.slots.count) &&
                sn_slots_reserve(&world->constraints.slots, &world->memory, needed) &&
                sn_reserve(&world->memory, (void **)&world->constraints.record,
                           &world->constraints.capacity, needed, sizeof(sn_record));
    for (; room && claimed < count; claimed++) {
        read_nodes(world, store->type, defs + claimed * store->type->info.def_size, node);
        colour[claimed] = sn_store_claim_colour(store, node);
        extra[colour[claimed]]++;
    }
    for (uint8_t c = 0; room && c < SN_COLOURS; c++)
        room = extra[c] == 0 || sn_store_reserve(store, &world->memory, c, extra[c]);
    while (!room && claimed-- > 0) {
        read_nodes(world, store->type, defs + claimed * store->type->info.def_size, node);
        sn_store_release_colour(store, node, colour[claimed]);
    }
    return room;
}

/* Whether damping was asked for where there is nothing that it could damp. */
static bool has_idle_damping(const sn_constraint_type *type, const sn_real *parameter) {
    return !type->compliant && parameter[SN_PARAMETER_DAMPING] > 0 &&
           parameter[SN_PARAMETER_COMPLIANCE] == 0;
}

sn_result sn_constraints_create(sn_world *world, sn_type type, const void *defs, size_t count,
                                sn_constraint *constraints) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_type(__func__, type));
    if (count == 0) return SN_OK;
    SN_CHECK_POINTER(defs);
    sn_store *store = &world->store[type];
    size_t stride = store->type->info.def_size;
    int32_t node[SN_MAX_INDICES];
    sn_real parameter[SN_MAX_PARAMETERS];
    if (count > UINT32_MAX - 1 - world->constraints.slots.count)
        return sn_fail(SN_ERROR_LIMIT, "constraints: %zu more would exceed what a world can have",
                       count);
    for (size_t i = 0; i < count; i++) {
        const void *def = (const unsigned char *)defs + i * stride;
        sn_result result = read_def(world, store->type, def, node, parameter);
        if (result != SN_OK)
            return sn_fail_within(result, "%s definition %zu of %zu", store->type->info.name, i,
                                  count);
    }
    uint8_t *colour = sn_allocate(&world->memory, count, sizeof *colour);
    if (!colour) return SN_ERROR_MEMORY;
    bool room = claim(world, store, defs, count, colour);
    size_t idle = 0;
    for (size_t i = 0; room && i < count; i++) {
        read_def(world, store->type, (const unsigned char *)defs + i * stride, node, parameter);
        idle += has_idle_damping(store->type, parameter);
        uint32_t index = sn_world_add_constraint(world, type, colour[i], node, parameter);
        if (constraints)
            constraints[i] =
                (sn_constraint){index + 1, world->constraints.slots.generation[index], world->tag};
    }
    sn_free(&world->memory, colour, count, sizeof *colour);
    if (idle > 0)
        sn_world_say(world, SN_LOG_WARNING,
                     "%s: damping has no effect on %zu constraints whose compliance is 0",
                     store->type->info.name, idle);
    return room ? SN_OK : SN_ERROR_MEMORY;
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
    *type = (sn_type)world->constraints.record[constraint.slot - 1].type;
    return SN_OK;
}

static sn_node node_id(const sn_world *world, int32_t index) {
    if (index < 0) return (sn_node){0, 0, 0};
    return (sn_node){(uint32_t)index + 1, world->nodes.slots.generation[index], world->tag};
}

sn_result sn_constraint_get(const sn_world *world, sn_constraint constraint, void *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_check_constraint(world, constraint));
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    const sn_type_info *info = &store->type->info;
    sn_place place = sn_world_place(world, constraint.slot - 1);
    int32_t node[SN_MAX_INDICES];
    size_t size;
    memcpy(&size, def, sizeof size);
    SN_TRY(sn_check_size(info->name, size, info->def_size));
    sn_store_nodes(store, place, node);
    for (int n = 0; n < info->nodes; n++) {
        sn_node id = node_id(world, node[n]);
        memcpy((unsigned char *)def + offsetof(head, node) + (size_t)n * sizeof id, &id, sizeof id);
    }
    const sn_real *parameter = sn_store_parameters(store, place);
    for (size_t i = 0; i < info->field_count; i++) {
        write_field(&info->fields[i], parameter, def);
        parameter += field_numbers(&info->fields[i]);
    }
    return SN_OK;
}

/* Takes new fields over; what was measured at creation stays. */
static void set_fields(sn_world *world, sn_constraint constraint, sn_real *parameter) {
    sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    sn_place place = sn_world_place(world, constraint.slot - 1);
    int fields = store->parameters - store->type->measured;
    memcpy(parameter + fields, sn_store_parameters(store, place) + fields,
           sizeof(sn_real) * (size_t)store->type->measured);
    sn_store_set_parameters(store, place, parameter);
    sn_store_derive(store, place, (sn_masses){world->nodes.w, world->frames.w}, &world->scale);
    world->constraints_changed = true;
}

sn_result sn_constraint_set(sn_world *world, sn_constraint constraint, const void *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_check_constraint(world, constraint));
    const sn_store *store = sn_world_store_of(world, constraint.slot - 1);
    int32_t node[SN_MAX_INDICES], own[SN_MAX_INDICES];
    sn_real parameter[SN_MAX_PARAMETERS];
    SN_TRY(read_def(world, store->type, def, node, parameter));
    sn_store_nodes(store, sn_world_place(world, constraint.slot - 1), own);
    for (int n = 0; n < store->type->info.nodes; n++)
        if (node[n] != own[n])
            return sn_fail(SN_ERROR_VALUE,
                           "%s %u: node %d is node %d, expected node %d, which it was made with",
                           store->type->info.name, constraint.slot - 1, n, node[n], own[n]);
    set_fields(world, constraint, parameter);
    return SN_OK;
}

/* The field of this name and where its numbers begin; null, with the sentence, if there is none. */
static const sn_field_info *find_field(const sn_type_info *info, const char *name, size_t *first) {
    *first = 0;
    for (size_t i = 0; i < info->field_count; i++) {
        if (strcmp(info->fields[i].name, name) == 0) return &info->fields[i];
        *first += (size_t)field_numbers(&info->fields[i]);
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
    memcpy(value, parameter, sizeof(sn_real) * (size_t)field_numbers(field));
    return SN_OK;
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
    int32_t node[SN_MAX_INDICES];
    sn_real parameter[SN_MAX_PARAMETERS];
    sn_place place = sn_world_place(world, constraint.slot - 1);
    SN_TRY(check_field(&store->type->info, field, value));
    memcpy(parameter, sn_store_parameters(store, place),
           sizeof(sn_real) * (size_t)store->parameters);
    memcpy(parameter + first, value, sizeof(sn_real) * (size_t)field_numbers(field));
    SN_TRY(prepare(world, store->type, sn_store_nodes(store, place, node), parameter));
    set_fields(world, constraint, parameter);
    return SN_OK;
}

size_t sn_world_constraint_count(const sn_world *world, sn_type type) {
    if (!world) return 0;
    if (type == SN_TYPE_COUNT) return world->constraints.slots.live;
    return (unsigned)type < SN_TYPE_COUNT ? world->store[type].count : 0;
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
    sn_vec3 unwanted[SN_MAX_ROWS * SN_MAX_INDICES];
    store->type->evaluate(&batch, place.position, value, gradient ? gradient : unwanted);
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

sn_result sn_world_breaks(const sn_world *world, const sn_break_event **events, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(events);
    SN_CHECK_POINTER(count);
    *events = world->broken;
    *count = world->breaks;
    return SN_OK;
}
