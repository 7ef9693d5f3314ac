/* The public calls on types that are added to a world. */
#include <sinew/user.h>

#include "api/check.h"
#include "api/types.h"
#include "constraints/user.h"

#include <math.h>
#include <string.h>

enum { MAX_NAME = 63 };

sn_user_type_def sn_user_type_def_default(void) {
    return (sn_user_type_def){
        .size = sizeof(sn_user_type_def), .nodes = 2, .rows = 1, .difference = SN_AUTO};
}

const sn_type_info *sn_world_type_info(const sn_world *world, sn_type type) {
    size_t index = world ? sn_world_store_index(world, type) : SIZE_MAX;
    return index == SIZE_MAX ? NULL : &world->store[index].type->info;
}

static bool find_type(const sn_world *world, const char *name, sn_type *type) {
    for (size_t i = 0; i < world->store_count; i++)
        if (strcmp(world->store[i].type->info.name, name) == 0) {
            *type = sn_world_type_at(i);
            return true;
        }
    return false;
}

sn_result sn_world_type_by_name(const sn_world *world, const char *name, sn_type *type) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(name);
    SN_CHECK_POINTER(type);
    if (find_type(world, name, type)) return SN_OK;
    return sn_fail(SN_ERROR_NAME, "no constraint type of this world is called \"%s\"", name);
}

/* ---- Checks of a definition ---- */

static sn_result check_name(const char *what, const char *name) {
    if (!name) return sn_fail(SN_ERROR_NULL, "%s: name is null", what);
    size_t length = strlen(name);
    if (length == 0 || length > MAX_NAME)
        return sn_fail(SN_ERROR_VALUE, "%s: name has %s characters, expected 1 to %d", what,
                       length == 0 ? "no" : "too many", MAX_NAME);
    return SN_OK;
}

static sn_result check_count(const char *name, const char *what, int count, int least, int most) {
    if (count >= least && count <= most) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "type \"%s\": %s is %d, expected %d to %d", name, what, count,
                   least, most);
}

static sn_result check_parameter(const sn_user_type_def *def, int k) {
    const sn_user_parameter *p = &def->parameters[k];
    SN_TRY(check_name("parameter", p->name));
    if (p->unit && strlen(p->unit) > MAX_NAME)
        return sn_fail(SN_ERROR_VALUE, "type \"%s\": the unit of \"%s\" is longer than %d",
                       def->name, p->name, MAX_NAME);
    if (!isfinite(p->least) || !isfinite(p->most) || !(p->least <= p->most) ||
        !(p->standard >= p->least) || !(p->standard <= p->most) ||
        fabs(p->least) > (double)SN_REAL_MAX || fabs(p->most) > (double)SN_REAL_MAX)
        return sn_fail(SN_ERROR_VALUE,
                       "type \"%s\": parameter \"%s\" has the range %g to %g and the default %g, "
                       "expected finite numbers in order",
                       def->name, p->name, p->least, p->most, p->standard);
    const sn_type_info *listed = sn_type_get_info((sn_type)0);
    for (int i = 0; i < SN_COMMON_PARAMETERS; i++)
        if (strcmp(listed->fields[i].name, p->name) == 0)
            return sn_fail(SN_ERROR_NAME,
                           "type \"%s\": parameter %d is called \"%s\", which every type has",
                           def->name, k, p->name);
    for (int i = 0; i < k; i++)
        if (strcmp(def->parameters[i].name, p->name) == 0)
            return sn_fail(SN_ERROR_NAME,
                           "type \"%s\": parameters %d and %d are both called \"%s\"", def->name, i,
                           k, p->name);
    return SN_OK;
}

static sn_result check_def(const sn_world *world, const sn_user_type_def *def) {
    sn_type taken;
    SN_TRY(sn_check_size("type", def->size, sizeof *def));
    SN_TRY(check_name("type", def->name));
    if (find_type(world, def->name, &taken))
        return sn_fail(SN_ERROR_NAME, "type \"%s\": there is a type of that name already",
                       def->name);
    SN_TRY(check_count(def->name, "nodes", def->nodes, 1, SN_MAX_NODES));
    SN_TRY(check_count(def->name, "fixed_nodes", def->fixed_nodes, 0, def->nodes - 1));
    SN_TRY(check_count(def->name, "frames", def->frames, 0, def->nodes));
    SN_TRY(check_count(def->name, "rows", def->rows, 1, SN_USER_ROWS));
    SN_TRY(check_count(def->name, "parameter_count", def->parameter_count, 0, SN_USER_PARAMETERS));
    if (!def->formula) return sn_fail(SN_ERROR_NULL, "type \"%s\": formula is null", def->name);
    if (def->parameter_count > 0 && !def->parameters)
        return sn_fail(SN_ERROR_NULL, "type \"%s\": parameters is null", def->name);
    for (int k = 0; k < def->parameter_count; k++) SN_TRY(check_parameter(def, k));
    if (def->difference != SN_AUTO && !(def->difference > 0 && def->difference <= SN_REAL_MAX))
        return sn_fail(SN_ERROR_VALUE,
                       "type \"%s\": difference is %g m, expected above 0 or SN_AUTO", def->name,
                       (double)def->difference);
    if (def->unit_gradient &&
        (def->rows != 1 || def->frames != 0 || def->numerical || def->bounded))
        return sn_fail(SN_ERROR_VALUE,
                       "type \"%s\": unit_gradient is set, expected one row, no frames, no bounds "
                       "and a formula with gradients",
                       def->name);
    return SN_OK;
}

sn_result sn_world_add_type(sn_world *world, const sn_user_type_def *def, sn_type *type) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(type);
    SN_TRY(check_def(world, def));
    if (world->store_count >= SN_TYPE_COUNT + SN_USER_TYPES)
        return sn_fail(SN_ERROR_LIMIT, "type \"%s\": a world can have %d types of its own",
                       def->name, SN_USER_TYPES);
    sn_constraint_type *made = sn_user_type_create(&world->memory, def);
    if (!made) return SN_ERROR_MEMORY;
    if (!sn_world_add_store(world, made)) {
        sn_free(&world->memory, made, 1, made->bytes);
        return SN_ERROR_MEMORY;
    }
    *type = sn_world_type_at(world->store_count - 1);
    return SN_OK;
}

sn_result sn_user_def_default(const sn_world *world, sn_type type, sn_user_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    size_t index = sn_world_store_index(world, type);
    if (index == SIZE_MAX || index < SN_TYPE_COUNT)
        return sn_fail(SN_ERROR_VALUE, "%s: type is %d, expected one that was added to this world",
                       __func__, (int)type);
    memcpy(def, world->store[index].type->standard, sizeof *def);
    return SN_OK;
}
