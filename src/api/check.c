#include "api/check.h"
#include "collision/collision_state.h"

sn_result sn_check_size(const char *what, size_t size, size_t expected) {
    if (size == expected) return SN_OK;
    return sn_fail(
        SN_ERROR_DEFINITION,
        "%s: size is %zu, expected %zu; was the definition made by its default function?", what,
        size, expected);
}

sn_result sn_check_vec3(const char *what, const char *name, sn_vec3 value, const char *unit) {
    double most = (double)SN_REAL_MAX;
    SN_TRY(sn_check_real(what, name, value.x, -most, most, false, unit));
    SN_TRY(sn_check_real(what, name, value.y, -most, most, false, unit));
    return sn_check_real(what, name, value.z, -most, most, false, unit);
}

static sn_result check_int(const char *name, int value, int least, int most) {
    if (value >= least && value <= most) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "settings: %s is %d, expected %d to %d", name, value, least,
                   most);
}

static sn_result check_air(const sn_settings *s) {
    double most = (double)SN_REAL_MAX;
    SN_TRY(sn_check_real("settings", "air_density", s->air_density, 0, most, false, "kg/m^3"));
    SN_TRY(sn_check_vec3("settings", "wind", s->wind, "m/s"));
    SN_TRY(sn_check_real("settings", "gust_strength", s->gust_strength, 0, most, false, "m/s"));
    SN_TRY(sn_check_real("settings", "gust_length", s->gust_length, 0, most, false, "m"));
    SN_TRY(sn_check_real("settings", "gust_period", s->gust_period, 0, most, false, "s"));
    if (s->gust_length == 0 || s->gust_period == 0)
        return sn_fail(SN_ERROR_VALUE, "settings: %s is 0, expected above 0 %s",
                       s->gust_length == 0 ? "gust_length" : "gust_period",
                       s->gust_length == 0 ? "m" : "s");
    return SN_OK;
}

sn_result sn_check_settings(const sn_settings *s) {
    double most = (double)SN_REAL_MAX;
    SN_TRY(sn_check_size("settings", s->size, sizeof *s));
    SN_TRY(sn_check_vec3("settings", "gravity", s->gravity, "m/s^2"));
    SN_TRY(check_int("substeps", s->substeps, 1, 10000));
    SN_TRY(check_int("iterations", s->iterations, 1, 10000));
    SN_TRY(check_int("solver", (int)s->solver, 0, SN_SOLVER_COUNT - 1));
    SN_TRY(check_int("model", (int)s->model, SN_MODEL_XPBD, SN_MODEL_PBD));
    SN_TRY(check_int("integrator", (int)s->integrator, 0, SN_INTEGRATOR_COUNT - 1));
    SN_TRY(check_int("broad_phase", (int)s->broad_phase, SN_BROAD_AUTO, SN_BROAD_TREE));
    SN_TRY(check_int("friction", (int)s->friction, SN_FRICTION_POSITION, SN_FRICTION_VELOCITY));
    SN_TRY(sn_check_real("settings", "damping", s->damping, 0, most, false, "1/s"));
    SN_TRY(check_int("hybrid_colours", s->hybrid_colours, 0, SN_SEQUENTIAL));
    SN_TRY(sn_check_real("settings", "relaxation", s->relaxation, 0, 2, false, "1"));
    if (s->relaxation == 0 || s->relaxation == 2)
        return sn_fail(SN_ERROR_VALUE, "settings: relaxation is %g, expected above 0 and below 2",
                       (double)s->relaxation);
    if (s->speed_limit == 0)
        return sn_fail(SN_ERROR_VALUE, "settings: speed_limit is 0, expected above 0 m/s");
    SN_TRY(sn_check_real("settings", "speed_limit", s->speed_limit, 0, most, true, "m/s"));
    SN_TRY(sn_check_real("settings", "sleep_time", s->sleep_time, 0, most, true, "s"));
    SN_TRY(sn_check_real("settings", "sleep_speed", s->sleep_speed, 0, most, false, "m/s"));
    return check_air(s);
}

sn_result sn_check_node(const sn_world *world, sn_node node) {
    return sn_slots_check(&world->nodes.slots, SN_ID(node), world->tag, "node");
}

sn_result sn_check_body(const sn_world *world, sn_body body) {
    return sn_slots_check(&world->bodies.slots, SN_ID(body), world->tag, "body");
}

sn_result sn_check_collider(const sn_world *world, sn_collider collider) {
    return sn_slots_check(&sn_colliders_of(world)->slots, SN_ID(collider), world->tag, "collider");
}

sn_result sn_check_material(const char *what, sn_material material) {
    if (material < SN_MATERIALS) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "%s: material is %u, expected 0 to %d", what, material,
                   SN_MATERIALS - 1);
}

sn_result sn_check_friction(const char *what, sn_real still, sn_real slides, sn_real restitution) {
    double most = (double)SN_REAL_MAX;
    SN_TRY(sn_check_real(what, "static_friction", still, 0, most, false, ""));
    SN_TRY(sn_check_real(what, "dynamic_friction", slides, 0, most, false, ""));
    SN_TRY(sn_check_dynamic_friction(what, still, slides));
    return sn_check_real(what, "restitution", restitution, 0, 1, false, "");
}

sn_result sn_check_slot(const sn_slots *slots, size_t slot, const char *what) {
    if (slot < slots->count && slots->alive[slot]) return SN_OK;
    return sn_fail(SN_ERROR_ID, "%s: slot %zu is empty, this world has %zu slots", what, slot,
                   slots->count);
}

sn_result sn_check_constraint(const sn_world *world, sn_constraint constraint) {
    return sn_slots_check(&world->constraints.slots, SN_ID(constraint), world->tag, "constraint");
}

sn_result sn_check_owned(const sn_world *world, const char *kind, const sn_node *nodes,
                         size_t count, uint32_t *owner) {
    const uint32_t mark = UINT32_MAX;
    sn_result result = SN_OK;
    size_t seen = 0;
    for (; seen < count; seen++) {
        result = sn_check_node(world, nodes[seen]);
        if (result != SN_OK) break;
        uint32_t slot = nodes[seen].slot, *mine = &owner[slot - 1];
        if (*mine == mark)
            result = sn_fail(SN_ERROR_VALUE, "%s: node %zu, in slot %u, is there twice", kind, seen,
                             slot);
        else if (*mine)
            result = sn_fail(SN_ERROR_VALUE, "%s: node %zu, in slot %u, is in %s %u already", kind,
                             seen, slot, kind, *mine);
        if (result != SN_OK) break;
        *mine = mark;
    }
    for (size_t i = 0; i < seen; i++) owner[nodes[i].slot - 1] = 0;
    return result;
}

sn_result sn_check_members(sn_world *world, const char *title, const sn_node *nodes, size_t count) {
    /* Each node once, so more than there are cannot be right, and is not read. */
    if (count > world->nodes.slots.live)
        return sn_fail(SN_ERROR_LIMIT, "%s: node_count is %zu, but the world has %zu nodes", title,
                       count, world->nodes.slots.live);
    size_t slots = world->nodes.slots.count, i = 0;
    uint8_t *seen = sn_allocate(&world->memory, slots, sizeof *seen);
    if (!seen) return SN_ERROR_MEMORY;
    sn_result result = SN_OK;
    for (; i < count && result == SN_OK; i++) {
        result = sn_check_node(world, nodes[i]);
        if (result != SN_OK)
            result = sn_fail_within(result, "%s node %zu of %zu", title, i, count);
        else if (seen[nodes[i].slot - 1]++)
            result = sn_fail(SN_ERROR_DEGENERATE,
                             "%s: node %zu of %zu is node %u again, expected each once", title, i,
                             count, nodes[i].slot - 1);
    }
    sn_free(&world->memory, seen, slots, sizeof *seen);
    return result;
}
