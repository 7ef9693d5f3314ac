/*
 * Which nodes are meant:
 *
 *     "hook"                               a single node, or all nodes of a body
 *     "flag[12]"                           a vertex of a body
 *     "flag.corners"                       a group of its mesh
 *     {"body": "flag", "box": {...}}       some vertices, see sn_scene_pick_object
 *     [ ... ]                              several of these
 *
 * Pins are the same within one body, where numbers are vertices and strings are groups.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Says that there is no such body, or node where one could be meant. */
static sn_result unknown(sn_scene *s, const json_node *node, const char *name, bool nodes) {
    sn_suggestion guess = {0};
    if (sn_scene_is_broken(s, name)) return SN_ERROR_DATA;
    for (size_t i = 0; i < s->bodies.count; i++) sn_suggest(&guess, name, s->bodies.items[i].name);
    for (size_t i = 0; nodes && i < s->nodes.count; i++)
        sn_suggest(&guess, name, s->nodes.items[i].name);
    return sn_scene_complain(&s->reader, node, "there is no body%s \"%.64s\"%s%s%s",
                             nodes ? " or node" : "", name, guess.word ? "; did you mean \"" : "",
                             guess.word ? guess.word : "", guess.word ? "\"?" : "");
}

static sn_result add(scene_nodes *list, sn_node node) {
    sn_node *place = SCENE_ADD(*list);
    if (!place) return SN_ERROR_MEMORY;
    *place = node;
    return SN_OK;
}

static sn_result add_vertex(sn_scene *s, const scene_body *body, const json_node *node,
                            size_t vertex, scene_nodes *list) {
    size_t count = body->mesh->mesh.vertex_count;
    if (vertex >= count)
        return sn_scene_complain(&s->reader, node,
                                 "vertex %zu of body \"%s\", which has %zu vertices", vertex,
                                 body->name, count);
    return add(list, body->nodes[vertex]);
}

static sn_result add_all(const scene_body *body, scene_nodes *list) {
    for (size_t i = 0; i < body->mesh->mesh.vertex_count; i++) SN_TRY(add(list, body->nodes[i]));
    return SN_OK;
}

static sn_result add_group(sn_scene *s, const scene_body *body, const json_node *node,
                           const char *name, scene_nodes *list) {
    const sn_mesh *mesh = &body->mesh->mesh;
    const sn_mesh_group *group = sn_mesh_find_group(mesh, name);
    if (group) {
        for (size_t i = 0; i < group->count; i++)
            SN_TRY(add(list, body->nodes[group->vertices[i]]));
        return SN_OK;
    }
    sn_suggestion guess = {0};
    for (size_t i = 0; i < mesh->group_count; i++) sn_suggest(&guess, name, mesh->groups[i].name);
    if (guess.word)
        return sn_scene_complain(&s->reader, node,
                                 "body \"%s\" has no group \"%.64s\"; did you mean \"%s\"?",
                                 body->name, name, guess.word);
    return sn_scene_complain(&s->reader, node, "body \"%s\" has no group \"%.64s\"%s%s", body->name,
                             name,
                             mesh->group_count ? "; one of its groups is " : ", nor any other",
                             mesh->group_count ? mesh->groups[0].name : "");
}

/* ---- Regions ---- */

static bool in_box(const scene_box *b, sn_vec4 x) {
    return x.x >= b->least.x && x.y >= b->least.y && x.z >= b->least.z && x.x <= b->most.x &&
           x.y <= b->most.y && x.z <= b->most.z;
}

static bool in_ball(const scene_ball *b, sn_vec4 x) {
    double p = (double)x.x - (double)b->centre.x, q = (double)x.y - (double)b->centre.y;
    double r = (double)x.z - (double)b->centre.z;
    return p * p + q * q + r * r <= (double)b->radius * (double)b->radius;
}

static sn_result add_region(sn_scene *s, const scene_body *body, const scene_pick *pick,
                            scene_nodes *list) {
    scene_box box = {{0, 0, 0}, {0, 0, 0}};
    scene_ball ball = {{0, 0, 0}, 0};
    sn_node_view view;
    size_t before = list->count;
    const json_node *where = pick->box ? pick->box : pick->sphere;
    if (pick->box) SN_TRY(sn_scene_read(&s->reader, pick->box, &sn_scene_box_object, &box));
    if (pick->sphere) SN_TRY(sn_scene_read(&s->reader, pick->sphere, &sn_scene_ball_object, &ball));
    SN_TRY(sn_world_nodes(s->world, &view));
    for (size_t i = 0; i < body->mesh->mesh.vertex_count; i++) {
        sn_vec4 x = view.position[body->nodes[i].slot - 1];
        bool inside = (!pick->box || in_box(&box, x)) && (!pick->sphere || in_ball(&ball, x));
        if (inside != pick->outside) SN_TRY(add(list, body->nodes[i]));
    }
    if (list->count > before) return SN_OK;
    return sn_scene_complain(&s->reader, where, "no vertex of body \"%s\" is in there", body->name);
}

static sn_result add_pick(sn_scene *s, const scene_body *body, const json_node *node,
                          scene_nodes *list) {
    scene_pick pick = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_pick_object, NULL));
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_pick_object, &pick));
    if (!body) {
        if (!pick.body)
            return sn_scene_complain(&s->reader, node, "has no \"body\": whose vertices are meant");
        body = sn_scene_find_body(s, pick.body);
        if (!body) return unknown(s, sn_json_member(node, "body"), pick.body, false);
    } else if (pick.body) {
        return sn_scene_complain(&s->reader, sn_json_member(node, "body"),
                                 "pins are those of the body itself, expected no \"body\" here");
    }
    for (size_t i = 0; pick.vertices && i < pick.vertices->count; i++) {
        size_t vertex;
        SN_TRY(sn_scene_read_index(&s->reader, &pick.vertices->items[i], 0, UINT32_MAX, &vertex));
        SN_TRY(add_vertex(s, body, &pick.vertices->items[i], vertex, list));
    }
    if (pick.group) SN_TRY(add_group(s, body, sn_json_member(node, "group"), pick.group, list));
    if (pick.box || pick.sphere) return add_region(s, body, &pick, list);
    return pick.vertices || pick.group ? SN_OK : add_all(body, list);
}

/* ---- Names ---- */

static sn_result add_name(sn_scene *s, const json_node *node, scene_nodes *list) {
    char name[256];
    const char *text;
    SN_TRY(sn_scene_read_text(&s->reader, node, &text));
    size_t length = strcspn(text, "[.");
    if (length >= sizeof name)
        return sn_scene_complain(&s->reader, node, "is a name of %zu characters, expected fewer",
                                 length);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const char *rest = text + length;
    for (size_t i = 0; !*rest && i < s->nodes.count; i++)
        if (*name && strcmp(s->nodes.items[i].name, name) == 0)
            return add(list, s->nodes.items[i].node);
    for (size_t i = 0; *rest && i < s->nodes.count; i++)
        if (strcmp(s->nodes.items[i].name, name) == 0)
            return sn_scene_complain(
                &s->reader, node, "\"%.64s\" is a single node, without vertices and groups", name);
    const scene_body *body = sn_scene_find_body(s, name);
    if (!body) return unknown(s, node, name, true);
    if (!*rest) return add_all(body, list);
    if (*rest == '.') return add_group(s, body, node, rest + 1, list);
    char *end;
    unsigned long vertex = strtoul(rest + 1, &end, 10);
    if (rest[1] < '0' || rest[1] > '9' || strcmp(end, "]") != 0)
        return sn_scene_complain(&s->reader, node,
                                 "is \"%.64s\", expected NAME, NAME[3] or NAME.group", text);
    return add_vertex(s, body, node, vertex, list);
}

static sn_result select_one(sn_scene *s, const json_node *node, bool single, scene_nodes *list) {
    size_t before = list->count;
    sn_result result;
    if (single && node->kind == JSON_NULL)
        result = add(list, (sn_node){0, 0, 0});
    else if (node->kind == JSON_STRING)
        result = add_name(s, node, list);
    else if (node->kind == JSON_OBJECT)
        result = add_pick(s, NULL, node, list);
    else
        result = sn_scene_complain(&s->reader, node, "is %s, expected a name such as \"flag[12]\"",
                                   sn_json_kind_name(node->kind));
    if (result == SN_OK && single && list->count != before + 1)
        return sn_scene_complain(&s->reader, node, "means %zu nodes, expected one",
                                 list->count - before);
    return result;
}

sn_result sn_scene_select(sn_scene *s, const json_node *node, bool single, scene_nodes *list) {
    if (node->kind != JSON_ARRAY) return select_one(s, node, single, list);
    for (size_t i = 0; i < node->count; i++) SN_TRY(select_one(s, &node->items[i], single, list));
    return SN_OK;
}

/* ---- Pins ---- */

static sn_result pick_pin(sn_scene *s, const scene_body *body, const json_node *node,
                          scene_nodes *list) {
    size_t vertex;
    const char *group = node->kind == JSON_STRING ? node->text : NULL;
    if (node->kind == JSON_OBJECT) return add_pick(s, body, node, list);
    if (group && group[0] == '=') group = sn_scene_text_parameter(&s->reader, group + 1);
    if (group && strcmp(group, "all") == 0) return add_all(body, list);
    if (group) return add_group(s, body, node, group, list);
    if (node->kind != JSON_NUMBER && node->kind != JSON_STRING)
        return sn_scene_complain(&s->reader, node,
                                 "is %s, expected the number of a vertex, the name of a group, or "
                                 "\"all\"",
                                 sn_json_kind_name(node->kind));
    SN_TRY(sn_scene_read_index(&s->reader, node, 0, UINT32_MAX, &vertex));
    return add_vertex(s, body, node, vertex, list);
}

sn_result sn_scene_select_pins(sn_scene *s, const scene_body *body, const json_node *node,
                               scene_nodes *list) {
    if (node->kind != JSON_ARRAY) return pick_pin(s, body, node, list);
    for (size_t i = 0; i < node->count; i++) SN_TRY(pick_pin(s, body, &node->items[i], list));
    return SN_OK;
}

/* Pins are ordered by slot: the first that is not before this one. */
static size_t pin_place(const sn_scene *s, uint32_t slot) {
    size_t low = 0, high = s->pins.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->pins.items[middle].node.slot < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const scene_pin *find_pin(const sn_scene *s, sn_node node) {
    size_t place = pin_place(s, node.slot);
    bool found = place < s->pins.count && s->pins.items[place].node.slot == node.slot;
    return found ? &s->pins.items[place] : NULL;
}

static sn_result remember(sn_scene *s, sn_node node, const sn_node_def *def) {
    size_t place = pin_place(s, node.slot);
    scene_pin *at = SCENE_ADD(s->pins);
    if (!at) return SN_ERROR_MEMORY;
    at = s->pins.items + place;
    memmove(at + 1, at, (s->pins.count - 1 - place) * sizeof *at);
    *at = (scene_pin){node, def->inverse_mass, def->inverse_inertia};
    return SN_OK;
}

sn_result sn_scene_remember_nodes(sn_scene *s, const scene_nodes *list) {
    for (size_t i = 0; i < list->count; i++) {
        sn_node_def def = sn_node_def_default();
        SN_TRY(sn_node_get(s->world, list->items[i], &def));
        if (def.inverse_mass > 0 && !find_pin(s, list->items[i]))
            SN_TRY(remember(s, list->items[i], &def));
    }
    return SN_OK;
}

static sn_result pin(sn_scene *s, sn_node node) {
    sn_node_def def = sn_node_def_default();
    SN_TRY(sn_node_get(s->world, node, &def));
    SN_TRY(sn_node_set_inverse_mass(s->world, node, 0));
    SN_TRY(sn_node_set_velocity(s->world, node, (sn_vec3){0, 0, 0}));
    if (!def.oriented) return SN_OK;
    SN_TRY(sn_node_set_inverse_inertia(s->world, node, (sn_vec3){0, 0, 0}));
    return sn_node_set_angular_velocity(s->world, node, (sn_vec3){0, 0, 0});
}

sn_result sn_scene_pin_nodes(sn_scene *s, const scene_nodes *list) {
    for (size_t i = 0; i < list->count; i++)
        if (sn_node_is_valid(s->world, list->items[i])) SN_TRY(pin(s, list->items[i]));
    return SN_OK;
}

/* Nodes that were never pinned here stay as they are, and those that are gone are passed over. */
sn_result sn_scene_release_nodes(sn_scene *s, const scene_nodes *list) {
    for (size_t i = 0; i < list->count; i++) {
        const scene_pin *found = find_pin(s, list->items[i]);
        sn_node_def def = sn_node_def_default();
        if (!found || !sn_node_is_valid(s->world, found->node)) continue;
        SN_TRY(sn_node_get(s->world, found->node, &def));
        SN_TRY(sn_scene_untether(s, found->node));
        SN_TRY(sn_node_set_inverse_mass(s->world, found->node, found->inverse_mass));
        if (def.oriented)
            SN_TRY(sn_node_set_inverse_inertia(s->world, found->node, found->inverse_inertia));
    }
    return SN_OK;
}
