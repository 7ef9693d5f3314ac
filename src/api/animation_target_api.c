/* The public calls on animation targets. */
#include "api/call.h"
#include "api/check.h"
#include "systems/animation_target/animation_targets.h"

#include <sinew/animation_target.h>

#include <stdio.h>

/* Targets are given as two arrays; normals only where the word says so. */
static sn_result set_targets_again(sn_world *world, const sn_call *call) {
    const sn_animation_target_vertex *vertices = call->items;
    size_t count = call->count;
    sn_vec3 *place = sn_allocate(&world->memory, 2 * count + 1, sizeof *place);
    if (!place) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        place[i] = vertices[i].position;
        place[count + i] = vertices[i].normal;
    }
    sn_result result =
        sn_animation_target_set_targets(world, SN_ID_AS(sn_animation_target, call->id), place,
                                        call->word ? place + count : NULL, count);
    sn_free(&world->memory, place, 2 * count + 1, sizeof *place);
    return result;
}

#define ID SN_ID_AS(sn_animation_target, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "follow_create", SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_animation_target_object,    \
         sn_animation_target_create(world, call->def, &(sn_animation_target){0}))                  \
    CALL(DESTROY, "follow_destroy", SN_PART_ID, 0, NULL, sn_animation_target_destroy(world, ID))   \
    CALL(SET_TARGETS, "follow_set_targets",                                                        \
         SN_PART_ID | SN_PART_RECORDS | SN_PART_WORD | SN_KEEPS_PAIRS, 0,                          \
         &sn_animation_target_vertex_object, set_targets_again(world, call))                       \
    CALL(SET_LIMITS, "follow_set_limits", SN_PART_ID | SN_PART_RECORDS | SN_PART_WORD, 0,          \
         &sn_animation_target_vertex_object,                                                       \
         sn_animation_target_set_limits(world, ID, call->items, call->count))
SN_DEFINE_CALLS(animation_target, CALLS, .next = NULL)

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
    const sn_object *vertex = &sn_animation_target_vertex_object;
    char title[64];
    snprintf(title, sizeof title, "animation target, vertex %zu", i);
    SN_TRY(sn_object_check_field(vertex, title, "max_distance", v->max_distance));
    SN_TRY(sn_object_check_field(vertex, title, "back_stop_distance", v->back_stop_distance));
    if (v->back_stop_distance == SN_AUTO) return SN_OK;
    SN_TRY(sn_object_check_field(vertex, title, "back_stop_radius", v->back_stop_radius));
    if (v->back_stop_radius == 0)
        return sn_fail(SN_ERROR_VALUE, "%s: back_stop_radius is 0, expected above 0 m", title);
    return SN_OK;
}

static sn_result check_def(sn_world *world, const sn_animation_target_def *def) {
    SN_TRY(sn_object_check(&sn_animation_target_object, def));
    SN_TRY(sn_object_check_arrays(&sn_animation_target_object, def));
    for (size_t i = 0; i < def->node_count; i++) {
        SN_TRY(check_target(i, "position", def->vertices[i].position));
        SN_TRY(check_target(i, "normal", def->vertices[i].normal));
        SN_TRY(check_limits(i, &def->vertices[i]));
    }
    return sn_check_members(world, "animation target", def->nodes, def->node_count);
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
    SN_TRY(check_def(world, def));
    sn_animation_target_state state = {.count = def->node_count, .def = *def};
    sn_object_forget_arrays(&sn_animation_target_object, &state.def);
    if (!sn_animation_targets_reserve(sn_animation_targets_of(world), &world->memory) ||
        !sn_animation_target_state_reserve(&state, &world->memory, def->node_count)) {
        sn_animation_target_state_free(&state, &world->memory);
        return SN_ERROR_MEMORY;
    }
    for (size_t i = 0; i < def->node_count; i++) {
        state.node[i] = def->nodes[i].slot - 1;
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
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

sn_result sn_animation_target_destroy(sn_world *world, sn_animation_target animation_target) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_follow(world, animation_target));
    wake_nodes(world, &sn_animation_targets_of(world)->state[animation_target.slot - 1]);
    sn_animation_targets_remove(sn_animation_targets_of(world), &world->memory,
                                animation_target.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(animation_target));
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
    SN_RECORD(world, SET_TARGETS, .id = SN_ID(animation_target), .items = vertices, .count = count,
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
    SN_RECORD(world, SET_LIMITS, .id = SN_ID(animation_target), .items = vertices, .count = count);
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
