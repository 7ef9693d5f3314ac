/* What hands do: take hold, move, let go, pin, cut, drop balls. */
#include "exports.h"

#include <stdlib.h>
#include <string.h>

/* ---- Taking hold ---- */

static sn_result take_nodes(view *v, view_hand *hand, const sn_hit *hit) {
    sn_grab_def def = sn_grab_def_default();
    sn_node_def node = sn_node_def_default();
    sn_world *world = sn_scene_world(v->scene);
    SN_TRY(sn_grab_def_from_hit(&def, hit));
    SN_TRY(sn_node_get(world, hit->node[0], &node));
    if (hit->node_count == 1 && node.inverse_mass == 0) {
        hand->hold = VIEW_HOLD_PIN;
        hand->pin = hit->node[0];
        return SN_OK;
    }
    SN_TRY(sn_grab_begin(world, &def, &hand->grab));
    hand->hold = VIEW_HOLD_GRAB;
    return SN_OK;
}

/* From where the hand took hold to what it moves: that is not what the eye met. */
static sn_result find_offset(view *v, view_hand *hand, sn_vec3 point) {
    sn_world *world = sn_scene_world(v->scene);
    sn_collider_def collider = sn_collider_def_default();
    sn_node_def node = sn_node_def_default();
    sn_vec3 at = point;
    if (hand->hold == VIEW_HOLD_GRAB) {
        SN_TRY(sn_grab_get_point(world, hand->grab, &at));
    } else if (hand->hold == VIEW_HOLD_PIN) {
        SN_TRY(sn_node_get(world, hand->pin, &node));
        at = node.position;
    } else {
        SN_TRY(sn_collider_get(world, hand->collider, &collider));
        at = collider.position;
    }
    hand->offset = (sn_vec3){at.x - point.x, at.y - point.y, at.z - point.z};
    return SN_OK;
}

int view_take(view *v, const float *ray, float tolerance) {
    view_target target = {.found = false};
    int free = 0;
    while (free < VIEW_HANDS && v->hands[free].hold) free++;
    if (free == VIEW_HANDS || view_find(v, ray, tolerance, &target) != SN_OK || !target.found)
        return -1;
    view_hand *hand = &v->hands[free];
    *hand = (view_hand){0};
    if (target.hit.kind == SN_HIT_COLLIDER) {
        sn_collider_def def = sn_collider_def_default();
        if (sn_collider_get(sn_scene_world(v->scene), target.hit.collider, &def) != SN_OK ||
            def.shape == SN_SHAPE_PLANE)
            return -1;
        hand->hold = VIEW_HOLD_COLLIDER;
        hand->collider = target.hit.collider;
    } else if (take_nodes(v, hand, &target.hit) != SN_OK) {
        return -1;
    }
    if (find_offset(v, hand, target.hit.point) != SN_OK) return -1;
    memcpy(v->out, &target.hit.point, 3 * sizeof *v->out);
    v->out[3] = (float)hand->hold;
    return free;
}

const float *view_out(const view *v) {
    return v->out;
}

static view_hand *hand_of(view *v, int number) {
    return number >= 0 && number < VIEW_HANDS ? &v->hands[number] : NULL;
}

int view_move(view *v, int number, float x, float y, float z) {
    view_hand *hand = hand_of(v, number);
    sn_world *world = sn_scene_world(v->scene);
    if (!hand || !hand->hold) return 0;
    sn_vec3 to = {x + hand->offset.x, y + hand->offset.y, z + hand->offset.z};
    if (hand->hold == VIEW_HOLD_GRAB) return sn_grab_move(world, hand->grab, to) == SN_OK;
    if (hand->hold == VIEW_HOLD_PIN) return sn_node_set_target(world, hand->pin, to) == SN_OK;
    sn_collider_def def = sn_collider_def_default();
    return sn_collider_get(world, hand->collider, &def) == SN_OK &&
           sn_collider_set_target(world, hand->collider, to, def.orientation) == SN_OK;
}

int view_held(view *v, int number) {
    view_hand *hand = hand_of(v, number);
    sn_vec3 point;
    if (!hand || hand->hold != VIEW_HOLD_GRAB ||
        sn_grab_get_point(sn_scene_world(v->scene), hand->grab, &point) != SN_OK)
        return 0;
    memcpy(v->out, &point, 3 * sizeof *v->out);
    return 1;
}

void view_release(view *v, int number, int thrown, float x, float y, float z) {
    view_hand *hand = hand_of(v, number);
    sn_vec3 velocity = {x, y, z};
    if (!hand || !hand->hold) return;
    if (hand->hold == VIEW_HOLD_GRAB)
        (void)sn_grab_end(sn_scene_world(v->scene), hand->grab, thrown ? &velocity : NULL);
    *hand = (view_hand){0};
}

void view_forget_hands(view *v) {
    memset(v->hands, 0, sizeof v->hands);
}

/* ---- Pins ---- */

/* 1/kg: that of other nodes of its body, for a node that was pinned from the start. */
static sn_real usual_mass(sn_world *world, sn_body body) {
    sn_node_view nodes;
    sn_node id;
    if (sn_world_nodes(world, &nodes) != SN_OK) return 1;
    for (size_t i = 0; i < nodes.count; i++) {
        sn_node_def def = sn_node_def_default();
        if (nodes.alive[i] && nodes.inverse_mass[i] > 0 &&
            sn_world_node_at(world, i, &id) == SN_OK && sn_node_get(world, id, &def) == SN_OK &&
            def.body.slot == body.slot)
            return nodes.inverse_mass[i];
    }
    return 1;
}

static sn_real forget_pin(view *v, sn_node node, sn_real otherwise) {
    for (size_t i = 0; i < v->pin_count; i++) {
        if (v->pins[i].node.slot != node.slot) continue;
        sn_real mass = v->pins[i].inverse_mass;
        v->pins[i] = v->pins[--v->pin_count];
        return mass;
    }
    return otherwise;
}

static bool remember_pin(view *v, sn_node node, sn_real inverse_mass) {
    view_pin *pins = realloc(v->pins, (v->pin_count + 1) * sizeof *pins);
    if (!pins) return false;
    v->pins = pins;
    pins[v->pin_count++] = (view_pin){node, inverse_mass};
    return true;
}

static sn_node largest_part(const sn_hit *hit) {
    int best = 0;
    for (int k = 1; k < hit->node_count; k++)
        if (hit->weight[k] > hit->weight[best]) best = k;
    return hit->node[best];
}

int view_pin_toggle(view *v, const float *ray, float tolerance) {
    view_target target = {.found = false};
    sn_world *world = sn_scene_world(v->scene);
    sn_node_def def = sn_node_def_default();
    if (view_find(v, ray, tolerance, &target) != SN_OK || !target.found ||
        target.hit.node_count == 0)
        return 0;
    sn_node node = largest_part(&target.hit);
    if (sn_node_get(world, node, &def) != SN_OK) return 0;
    memcpy(v->out, &def.position, 3 * sizeof *v->out);
    if (def.inverse_mass == 0) {
        sn_real mass = forget_pin(v, node, usual_mass(world, def.body));
        return sn_node_set_inverse_mass(world, node, mass) == SN_OK ? 2 : 0;
    }
    if (!remember_pin(v, node, def.inverse_mass)) return 0;
    if (sn_node_set_inverse_mass(world, node, 0) != SN_OK) return 0;
    return sn_node_set_velocity(world, node, (sn_vec3){0, 0, 0}) == SN_OK;
}

/* ---- Cuts ---- */

int view_cut(view *v, const float *from, const float *to, float reach) {
    sn_world *world = sn_scene_world(v->scene);
    sn_blade_def blade = sn_blade_def_default();
    sn_sheet sheet;
    sn_tet_mesh mesh;
    sn_body body;
    size_t copies, total = 0;
    bool refused = false;
    blade.kind = SN_BLADE_SWEEP;
    blade.split = true;
    blade.snap = 0.2f;
    blade.from[0] = blade.to[0] = (sn_vec3){from[0], from[1], from[2]};
    blade.from[1] =
        (sn_vec3){from[0] + reach * from[3], from[1] + reach * from[4], from[2] + reach * from[5]};
    blade.to[1] = (sn_vec3){to[0] + reach * to[3], to[1] + reach * to[4], to[2] + reach * to[5]};
    for (size_t i = 0; i < 4096; i++) {
        copies = 0;
        if (sn_world_sheet_at(world, i, &sheet) == SN_OK)
            refused |= sn_sheet_cut(world, sheet, &blade, &copies) != SN_OK;
        total += copies;
        copies = 0;
        if (sn_world_tet_mesh_at(world, i, &mesh) == SN_OK)
            refused |= sn_tet_mesh_cut(world, mesh, &blade, &copies) != SN_OK;
        total += copies;
        copies = 0;
        if (sn_world_body_at(world, i, &body) == SN_OK)
            refused |= sn_body_cut(world, body, &blade, &copies) != SN_OK;
        total += copies;
    }
    return refused && total == 0 ? -1 : (int)total;
}

/* ---- Balls ---- */

int view_drop_ball(view *v, const float *at, const float *velocity, float radius) {
    sn_world *world = sn_scene_world(v->scene);
    if (v->ball_count == VIEW_BALLS) return 0;
    float volume = 4.18879f * radius * radius * radius;
    sn_body_def body_def = sn_body_def_default();
    sn_node_def def = sn_node_def_default();
    sn_collision_surface_def surface = sn_collision_surface_def_default();
    sn_collision_surface made;
    sn_node node;
    if (sn_body_create(world, &body_def, &def.body) != SN_OK) return 0;
    memcpy(&def.position, at, sizeof def.position);
    memcpy(&def.velocity, velocity, sizeof def.velocity);
    def.radius = radius;
    def.inverse_mass = 1 / (300 * volume);
    surface.nodes = &node;
    surface.node_count = 1;
    surface.restitution = 0.3f;
    if (sn_node_create(world, &def, &node) != SN_OK ||
        sn_collision_surface_create(world, &surface, &made) != SN_OK) {
        (void)sn_body_destroy(world, def.body);
        return 0;
    }
    v->balls[v->ball_count++] = node;
    return 1;
}
