/* The public calls on animation targets. */
#include "api/call.h"
#include "api/check.h"
#include "systems/animation_target/animation_targets.h"

#include <sinew/animation_target.h>

#include <stdio.h>

sn_animation_target_def sn_animation_target_def_default(void) {
    return (sn_animation_target_def){.size = sizeof(sn_animation_target_def),
                                     .compliance = SN_AUTO};
}

static sn_result check_follow(const sn_world *world, sn_animation_target animation_target) {
    return sn_slots_check(&sn_animation_targets_of(world)->slots, SN_ID(animation_target),
                          world->tag, "animation target");
}

/* ---- Checks ---- */

static bool is_finite(sn_vec3 a) {
    return a.x - a.x == 0 && a.y - a.y == 0 && a.z - a.z == 0;
}

static sn_result check_target(size_t i, const char *what, sn_vec3 a) {
    if (is_finite(a)) return SN_OK;
    return sn_fail(
        SN_ERROR_VALUE,
        "animation target: the %s of vertex %zu is (%g, %g, %g), expected finite numbers", what, i,
        (double)a.x, (double)a.y, (double)a.z);
}

static sn_result check_limits(size_t i, const sn_animation_target_vertex *v) {
    char what[64];
    double most = (double)SN_REAL_MAX;
    snprintf(what, sizeof what, "animation target, vertex %zu", i);
    SN_TRY(sn_check_real(what, "max_distance", v->max_distance, 0, most, true, "m"));
    SN_TRY(sn_check_real(what, "back_stop_distance", v->back_stop_distance, 0, most, true, "m"));
    if (v->back_stop_distance == SN_AUTO) return SN_OK;
    SN_TRY(sn_check_real(what, "back_stop_radius", v->back_stop_radius, 0, most, false, "m"));
    if (v->back_stop_radius == 0)
        return sn_fail(SN_ERROR_VALUE, "%s: back_stop_radius is 0, expected above 0 m", what);
    return SN_OK;
}

/* The nodes as slots, each once. */
static sn_result read_nodes(sn_world *world, const sn_animation_target_def *def, uint32_t *node) {
    for (size_t i = 0; i < def->node_count; i++) {
        sn_result result = sn_check_node(world, def->nodes[i]);
        if (result != SN_OK) return sn_fail_within(result, "animation target: node %zu", i);
        node[i] = def->nodes[i].slot - 1;
    }
    size_t slots = world->nodes.slots.count;
    uint8_t *seen = sn_allocate(&world->memory, slots, 1);
    if (!seen) return SN_ERROR_MEMORY;
    size_t twice = sn_animation_target_twice(node, def->node_count, seen);
    sn_free(&world->memory, seen, slots, 1);
    if (twice == def->node_count) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "animation target: node %zu, in slot %u, is there twice", twice,
                   def->nodes[twice].slot);
}

static sn_result check_def(const sn_animation_target_def *def) {
    SN_TRY(sn_check_size("animation target", def->size, sizeof *def));
    if (def->node_count == 0)
        return sn_fail(SN_ERROR_VALUE, "animation target: node_count is 0, expected at least 1");
    if (def->node_count > UINT32_MAX / 4)
        return sn_fail(SN_ERROR_LIMIT, "animation target: node_count is %zu, expected at most %u",
                       def->node_count, UINT32_MAX / 4);
    if (!def->nodes) return sn_fail(SN_ERROR_NULL, "animation target: nodes is null");
    if (!def->vertices) return sn_fail(SN_ERROR_NULL, "animation target: vertices is null");
    SN_TRY(sn_check_real("animation target", "compliance", def->compliance, 0, (double)SN_REAL_MAX,
                         true, "m/N"));
    for (size_t i = 0; i < def->node_count; i++) {
        SN_TRY(check_target(i, "position", def->vertices[i].position));
        SN_TRY(check_target(i, "normal", def->vertices[i].normal));
        SN_TRY(check_limits(i, &def->vertices[i]));
    }
    return SN_OK;
}

static sn_result check_count(const sn_world *world, sn_animation_target animation_target,
                             size_t count) {
    size_t expected = sn_animation_targets_of(world)->state[animation_target.slot - 1].count;
    if (count == expected) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "animation target: count is %zu, but it has %zu nodes", count,
                   expected);
}

/* ---- Making one ---- */

/* In double, so that no normal is too long or too short for its square. */
static sn_vec3 unit_of(sn_vec3 a) {
    double x = (double)a.x, y = (double)a.y, z = (double)a.z;
    double length = __builtin_sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return (sn_vec3){0, 0, 0};
    return (sn_vec3){(sn_real)(x / length), (sn_real)(y / length), (sn_real)(z / length)};
}

static void set_limits(sn_animation_target_aim *aim, const sn_animation_target_vertex *v) {
    aim->max_distance = v->max_distance;
    aim->back_stop_distance = v->back_stop_distance;
    aim->back_stop_radius = v->back_stop_distance == SN_AUTO ? 0 : v->back_stop_radius;
}

static void wake_nodes(sn_world *world, const sn_animation_target_state *s) {
    for (size_t i = 0; i < s->count; i++) sn_world_wake_node(world, s->node[i]);
}

sn_result sn_animation_target_create(sn_world *world, const sn_animation_target_def *def,
                                     sn_animation_target *animation_target) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(animation_target);
    SN_TRY(check_def(def));
    sn_animation_target_state state = {.count = def->node_count, .compliance = def->compliance};
    sn_result result = SN_ERROR_MEMORY;
    if (sn_animation_targets_reserve(sn_animation_targets_of(world), &world->memory) &&
        sn_animation_target_state_reserve(&state, &world->memory, def->node_count))
        result = read_nodes(world, def, state.node);
    if (result != SN_OK) {
        sn_animation_target_state_free(&state, &world->memory);
        return result;
    }
    for (size_t i = 0; i < def->node_count; i++) {
        sn_animation_target_aim *aim = &state.aim[i];
        aim->from = aim->to = def->vertices[i].position;
        aim->normal_from = aim->normal_to = unit_of(def->vertices[i].normal);
        set_limits(aim, &def->vertices[i]);
    }
    uint32_t index = sn_slots_take(&sn_animation_targets_of(world)->slots);
    sn_animation_targets_of(world)->state[index] = state;
    wake_nodes(world, &state);
    *animation_target = (sn_animation_target){
        index + 1, sn_animation_targets_of(world)->slots.generation[index], world->tag};
    SN_RECORD(world, ANIMATION_TARGET_CREATE, .animation_target = *def);
    return SN_OK;
}

sn_result sn_animation_target_destroy(sn_world *world, sn_animation_target animation_target) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_follow(world, animation_target));
    wake_nodes(world, &sn_animation_targets_of(world)->state[animation_target.slot - 1]);
    sn_animation_targets_remove(sn_animation_targets_of(world), &world->memory,
                                animation_target.slot - 1);
    SN_RECORD(world, ANIMATION_TARGET_DESTROY, .id = SN_ID(animation_target));
    return SN_OK;
}

/* ---- Changing it ---- */

/* Notes what is sent on, as vertices, which is what recordings hold. */
static sn_result record_targets(sn_world *world, sn_animation_target animation_target,
                                const sn_vec3 *positions, const sn_vec3 *normals, size_t count) {
    sn_animation_target_vertex *vertices = sn_allocate(&world->memory, count, sizeof *vertices);
    if (!vertices) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        vertices[i].position = positions[i];
        if (normals) vertices[i].normal = normals[i];
    }
    SN_RECORD(world, ANIMATION_TARGET_TARGETS, .id = SN_ID(animation_target),
              .animation_target = {.vertices = vertices, .node_count = count},
              .word = normals != NULL);
    sn_free(&world->memory, vertices, count, sizeof *vertices);
    return SN_OK;
}

static bool is_same(sn_vec3 a, sn_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

sn_result sn_animation_target_set_targets(sn_world *world, sn_animation_target animation_target,
                                          const sn_vec3 *positions, const sn_vec3 *normals,
                                          size_t count) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_follow(world, animation_target));
    SN_CHECK_POINTER(positions);
    SN_TRY(check_count(world, animation_target, count));
    for (size_t i = 0; i < count; i++) {
        SN_TRY(check_target(i, "position", positions[i]));
        if (normals) SN_TRY(check_target(i, "normal", normals[i]));
    }
    if (world->bindings.recorder)
        SN_TRY(record_targets(world, animation_target, positions, normals, count));
    sn_animation_target_state *s =
        &sn_animation_targets_of(world)->state[animation_target.slot - 1];
    bool moves = false;
    for (size_t i = 0; i < count; i++) {
        sn_animation_target_aim *aim = &s->aim[i];
        aim->to = positions[i];
        if (normals) aim->normal_to = unit_of(normals[i]);
        moves = moves || !is_same(aim->from, aim->to) || !is_same(aim->normal_from, aim->normal_to);
    }
    s->moving = moves;
    if (moves) wake_nodes(world, s);
    return SN_OK;
}

sn_result sn_animation_target_set_limits(sn_world *world, sn_animation_target animation_target,
                                         const sn_animation_target_vertex *vertices, size_t count) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_follow(world, animation_target));
    SN_CHECK_POINTER(vertices);
    SN_TRY(check_count(world, animation_target, count));
    for (size_t i = 0; i < count; i++) SN_TRY(check_limits(i, &vertices[i]));
    sn_animation_target_state *s =
        &sn_animation_targets_of(world)->state[animation_target.slot - 1];
    for (size_t i = 0; i < count; i++) set_limits(&s->aim[i], &vertices[i]);
    wake_nodes(world, s);
    SN_RECORD(world, ANIMATION_TARGET_LIMITS, .id = SN_ID(animation_target),
              .animation_target = {.vertices = vertices, .node_count = count});
    return SN_OK;
}

/* ---- Reading ---- */

bool sn_animation_target_is_valid(const sn_world *world, sn_animation_target animation_target) {
    return world && sn_slots_has(&sn_animation_targets_of(world)->slots, SN_ID(animation_target),
                                 world->tag);
}

sn_result sn_world_animation_target_at(const sn_world *world, size_t slot,
                                       sn_animation_target *animation_target) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(animation_target);
    SN_TRY(sn_check_slot(&sn_animation_targets_of(world)->slots, slot, "animation target"));
    *animation_target = (sn_animation_target){
        (uint32_t)slot + 1, sn_animation_targets_of(world)->slots.generation[slot], world->tag};
    return SN_OK;
}

size_t sn_animation_target_count(const sn_world *world, sn_animation_target animation_target) {
    return sn_animation_target_is_valid(world, animation_target)
               ? sn_animation_targets_of(world)->state[animation_target.slot - 1].count
               : 0;
}

sn_result sn_animation_target_get(const sn_world *world, sn_animation_target animation_target,
                                  size_t i, sn_node *node, sn_animation_target_vertex *vertex) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(node);
    SN_CHECK_POINTER(vertex);
    SN_TRY(check_follow(world, animation_target));
    const sn_animation_target_state *s =
        &sn_animation_targets_of(world)->state[animation_target.slot - 1];
    if (i >= s->count)
        return sn_fail(SN_ERROR_VALUE, "animation target: i is %zu, but it has %zu nodes", i,
                       s->count);
    uint32_t slot = s->node[i];
    *node = (sn_node){slot + 1, world->nodes.slots.generation[slot], world->tag};
    *vertex =
        (sn_animation_target_vertex){s->aim[i].from, s->aim[i].normal_from, s->aim[i].max_distance,
                                     s->aim[i].back_stop_distance, s->aim[i].back_stop_radius};
    return SN_OK;
}
