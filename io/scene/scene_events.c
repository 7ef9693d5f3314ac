/*
 * What happens in a scene, by the names of its bodies: what broke, tore, burst, froze, woke, fell
 * asleep, and who began or ceased to touch whom. The library tells breaks, tears and what froze;
 * the rest is what differs from the frame before. Nothing here changes the world.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>
#include <sinew/tear.h>

#include <string.h>

/* The second of a pair is a collider. */
#define COLLIDER (UINT64_C(1) << 31)

const char *sn_scene_event_name(sn_scene_event_kind kind) {
    static const char *const names[] = {"broke", "tore",  "burst", "froze",
                                        "woke",  "slept", "began", "ended"};
    return (unsigned)kind < SN_SCENE_EVENT_KINDS ? names[kind] : NULL;
}

bool sn_scene_event_at(const sn_scene *scene, size_t index, sn_scene_event *event) {
    if (!scene || !event || index >= scene->events.count) return false;
    *event = scene->events.items[index];
    return true;
}

/* ---- Who and where ---- */

/* Place in the list + 1; 0 where it is of none. */
static size_t place_of_body(const sn_scene *s, sn_body body) {
    return body.slot < s->body_places.count ? s->body_places.items[body.slot] : 0;
}

static size_t place_of_node(const sn_scene *s, sn_node node, sn_node_def *def) {
    *def = sn_node_def_default();
    return sn_node_get(s->world, node, def) == SN_OK ? place_of_body(s, def->body) : 0;
}

static const char *name_at(const sn_scene *s, size_t place) {
    return place ? s->bodies.items[place - 1].name : NULL;
}

/* The middle of the nodes that a body was made of. */
static bool middle_of(const sn_scene *s, size_t place, sn_vec3 *middle) {
    double sum[3] = {0, 0, 0};
    size_t count = 0;
    const scene_body *body = &s->bodies.items[place - 1];
    for (size_t i = 0; i < body->mesh->mesh.vertex_count; i++) {
        sn_node_def def = sn_node_def_default();
        if (sn_node_get(s->world, body->nodes[i], &def) != SN_OK) continue;
        sum[0] += (double)def.position.x;
        sum[1] += (double)def.position.y;
        sum[2] += (double)def.position.z;
        count++;
    }
    double n = count > 0 ? (double)count : 1;
    *middle = (sn_vec3){(sn_real)(sum[0] / n), (sn_real)(sum[1] / n), (sn_real)(sum[2] / n)};
    return count > 0;
}

static sn_result add(sn_scene *s, sn_scene_event event) {
    sn_scene_event *place = SCENE_ADD(s->events);
    if (!place) return SN_ERROR_MEMORY;
    event.frame = sn_scene_frame_number(s);
    event.time = (double)event.frame / s->run.fps;
    *place = event;
    return SN_OK;
}

/* At a node. */
static sn_result add_at(sn_scene *s, sn_node node, sn_scene_event event) {
    sn_node_def def;
    event.body = name_at(s, place_of_node(s, node, &def));
    event.placed = sn_node_is_valid(s->world, node);
    event.place = def.position;
    return add(s, event);
}

/* ---- What the library tells ---- */

static const char *link_name(const sn_scene *s, sn_constraint constraint) {
    for (size_t i = 0; i < s->links.count; i++) {
        const scene_link *link = &s->links.items[i];
        if (link->constraint.slot == constraint.slot &&
            link->constraint.generation == constraint.generation)
            return *link->name ? link->name : NULL;
    }
    return NULL;
}

/* Of a volume that is kept, a break is a burst. */
static sn_result gather_breaks(sn_scene *s, bool bursts) {
    const sn_break_event *events;
    size_t count;
    SN_TRY(sn_world_breaks(s->world, &events, &count));
    for (size_t i = 0; i < count; i++) {
        bool burst = events[i].type == SN_TYPE_SURFACE_VOLUME;
        if (burst != bursts) continue;
        SN_TRY(add_at(s, events[i].node,
                      (sn_scene_event){.kind = burst ? SN_SCENE_BURST : SN_SCENE_BROKE,
                                       .other = link_name(s, events[i].constraint),
                                       .cause = sn_world_type_info(s->world, events[i].type)->name,
                                       .amount = (double)events[i].force}));
    }
    return SN_OK;
}

static sn_result gather_tears(sn_scene *s, bool bursts) {
    static const char *const causes[] = {"strain", "force", "break", "loose", "stress"};
    const sn_tear_event *events;
    size_t count;
    SN_TRY(sn_world_tears(s->world, &events, &count));
    for (size_t i = 0; i < count; i++)
        if (events[i].burst == bursts)
            SN_TRY(add_at(s, events[i].node,
                          (sn_scene_event){.kind = bursts ? SN_SCENE_BURST : SN_SCENE_TORE,
                                           .cause = causes[events[i].cause],
                                           .amount = (double)events[i].amount}));
    return SN_OK;
}

static sn_result gather_freezes(sn_scene *s) {
    const sn_freeze_event *events;
    size_t count;
    SN_TRY(sn_world_freezes(s->world, &events, &count));
    for (size_t i = 0; i < count; i++)
        SN_TRY(add_at(s, events[i].node,
                      (sn_scene_event){.kind = SN_SCENE_FROZE,
                                       .other = link_name(s, events[i].constraint),
                                       .amount = (double)events[i].nodes}));
    return SN_OK;
}

/* ---- Sleep ---- */

/* Of all bodies of the list, and behind them of what is rigid: its name is that of its node. */
static sn_body body_at(const sn_scene *s, size_t i) {
    const size_t bodies = s->bodies.count;
    return i < bodies ? s->bodies.items[i].build.body : s->nodes.items[i - bodies].alone;
}

static sn_result tell_sleep(sn_scene *s, size_t i, bool asleep) {
    const size_t bodies = s->bodies.count;
    sn_scene_event event = {.kind = asleep ? SN_SCENE_SLEPT : SN_SCENE_WOKE};
    if (i >= bodies) {
        sn_node_def def = sn_node_def_default();
        event.body = s->nodes.items[i - bodies].name;
        event.placed = sn_node_get(s->world, s->nodes.items[i - bodies].node, &def) == SN_OK;
        event.place = def.position;
    } else {
        event.body = s->bodies.items[i].name;
        event.placed = middle_of(s, i + 1, &event.place);
    }
    return add(s, event);
}

static sn_result gather_sleep(sn_scene *s, bool asleep) {
    for (size_t i = 0; i < s->bodies.count + s->nodes.count; i++) {
        bool now = sn_body_is_asleep(s->world, body_at(s, i));
        if (now == s->asleep[i] || now != asleep) continue;
        s->asleep[i] = now;
        SN_TRY(tell_sleep(s, i, asleep));
    }
    return SN_OK;
}

/* ---- Contact ---- */

/* Of pairs that touch, whose is it: the lower place first. */
static uint64_t key_of(const sn_scene *s, const sn_contact *contact) {
    sn_node_def def;
    uint64_t a = place_of_node(s, contact->nodes[0], &def), b;
    if (contact->collider.slot) {
        size_t i = 0;
        while (i < s->colliders.count &&
               s->colliders.items[i].collider.slot != contact->collider.slot)
            i++;
        return a << 32 | COLLIDER | i;
    }
    b = place_of_node(s, contact->nodes[contact->kind == SN_CONTACT_EDGE_EDGE ? 2 : 1], &def);
    return a < b ? a << 32 | b : b << 32 | a;
}

/* Where a key is, or would be. */
static size_t find_touch(const sn_scene *s, uint64_t key) {
    size_t low = 0, high = s->touches.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->touches.items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static sn_result add_contact(sn_scene *s, const scene_touch *touch, sn_scene_event_kind kind) {
    size_t a = (size_t)(touch->key >> 32), b = (size_t)(touch->key & (COLLIDER - 1));
    sn_scene_event event = {
        .kind = kind, .body = name_at(s, a), .placed = true, .place = touch->place};
    if (!(touch->key & COLLIDER))
        event.other = name_at(s, b);
    else if (b < s->colliders.count)
        event.other = s->colliders.items[b].name;
    return add(s, event);
}

/* Marks a pair, and adds it where it is new. */
static sn_result touch_pair(sn_scene *s, const sn_contact *contact, bool tell) {
    uint64_t key = key_of(s, contact);
    size_t at = find_touch(s, key);
    if (at == s->touches.count || s->touches.items[at].key != key) {
        scene_touch *last = SCENE_ADD(s->touches);
        if (!last) return SN_ERROR_MEMORY;
        scene_touch *place = &s->touches.items[at];
        memmove(place + 1, place, (size_t)(last - place) * sizeof *place);
        *place = (scene_touch){.key = key, .place = contact->point, .now = true};
        return tell ? add_contact(s, place, SN_SCENE_BEGAN) : SN_OK;
    }
    if (!s->touches.items[at].now) s->touches.items[at].place = contact->point;
    s->touches.items[at].now = true;
    return SN_OK;
}

static sn_result gather_contacts(sn_scene *s, bool tell) {
    const sn_contact *contacts;
    size_t count, kept = 0;
    SN_TRY(sn_world_contacts(s->world, &contacts, &count));
    for (size_t i = 0; i < s->touches.count; i++) s->touches.items[i].now = false;
    for (size_t i = 0; i < count; i++)
        if (contacts[i].phase != SN_CONTACT_END) SN_TRY(touch_pair(s, &contacts[i], tell));
    for (size_t i = 0; i < s->touches.count; i++) {
        const scene_touch touch = s->touches.items[i];
        if (!touch.now && tell) SN_TRY(add_contact(s, &touch, SN_SCENE_ENDED));
        if (touch.now) s->touches.items[kept++] = touch;
    }
    s->touches.count = kept;
    return SN_OK;
}

/* ---- All of it ---- */

sn_result sn_scene_gather_events(sn_scene *s) {
    s->events.count = 0;
    SN_TRY(gather_breaks(s, false));
    SN_TRY(gather_tears(s, false));
    SN_TRY(gather_breaks(s, true));
    SN_TRY(gather_tears(s, true));
    SN_TRY(gather_freezes(s));
    SN_TRY(gather_sleep(s, false));
    SN_TRY(gather_sleep(s, true));
    return gather_contacts(s, true);
}

sn_result sn_scene_renew_events(sn_scene *s) {
    s->events.count = s->touches.count = 0;
    for (size_t i = 0; i < s->bodies.count + s->nodes.count; i++)
        s->asleep[i] = sn_body_is_asleep(s->world, body_at(s, i));
    return gather_contacts(s, false);
}

sn_result sn_scene_watch(sn_scene *scene) {
    if (!scene) return sn_fail(SN_ERROR_NULL, "sn_scene_watch: scene is null");
    if (scene->watched) return SN_OK;
    scene->asleep =
        sn_scene_take(scene, scene->bodies.count + scene->nodes.count + 1, sizeof *scene->asleep);
    if (!scene->asleep) return SN_ERROR_MEMORY;
    scene->body_places.count = 0;
    for (size_t i = 0; i < scene->bodies.count; i++) {
        while (scene->body_places.count <= scene->bodies.items[i].build.body.slot) {
            size_t *place = SCENE_ADD(scene->body_places);
            if (!place) return SN_ERROR_MEMORY;
            *place = 0;
        }
        scene->body_places.items[scene->bodies.items[i].build.body.slot] = i + 1;
    }
    scene->watched = true;
    return sn_scene_renew_events(scene);
}
