/*
 * Muscles of a scene: bodies whose fibres are activated over time, by keys.
 *
 * As with motions, everything is decided at the beginning of a frame by its number, so that a run
 * that goes on from a snapshot does the same.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

static sn_result read_pulses(sn_scene *s, scene_muscle *muscle) {
    const json_node *list = muscle->part.keys;
    if (list->count == 0) return sn_scene_complain(&s->reader, list, "has no keys, expected one");
    muscle->key_count = list->count;
    muscle->keys = sn_scene_take(s, list->count, sizeof *muscle->keys);
    if (!muscle->keys) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < list->count; i++) {
        scene_pulse *key = &muscle->keys[i];
        SN_TRY(sn_scene_read(&s->reader, &list->items[i], &sn_scene_pulse_object, key));
        if (i > 0 && !(key->time > key[-1].time))
            return sn_scene_complain(&s->reader, &list->items[i],
                                     "its time is %g s, expected more than the %g s before",
                                     (double)key->time, (double)key[-1].time);
    }
    return SN_OK;
}

/* Sets the activation of all fibres; how many there are. */
static sn_result activate(sn_scene *s, sn_body body, double activation, size_t *count) {
    sn_real value[3] = {(sn_real)activation, 0, 0};
    return sn_body_set_field(s->world, body, SN_TYPE_FIBRE_TET, "activation", value, count);
}

static double activation_at(const scene_muscle *m, double time) {
    const scene_pulse *keys = m->keys;
    size_t last = m->key_count - 1, i = 0;
    double begin = (double)keys[0].time, span = (double)keys[last].time - begin;
    time = sn_scene_key_time(time, begin, span, m->part.repeat);
    if (time <= begin) return (double)keys[0].activation;
    if (time >= (double)keys[last].time) return (double)keys[last].activation;
    while ((double)keys[i + 1].time <= time) i++;
    double from = (double)keys[i].time, t = (time - from) / ((double)keys[i + 1].time - from);
    t = sn_scene_key_part(m->part.interpolation, t);
    double a = (double)keys[i].activation, b = (double)keys[i + 1].activation;
    return a + t * (b - a);
}

sn_result sn_scene_build_muscle(sn_scene *s, const json_node *node) {
    scene_muscle_part part = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_muscle_object, &part));
    scene_muscle *muscle = SCENE_ADD(s->muscles);
    if (!muscle) return SN_ERROR_MEMORY;
    muscle->part = part;
    SN_TRY(read_pulses(s, muscle));
    const scene_body *body = sn_scene_find_body(s, part.body);
    if (!body && sn_scene_is_broken(s, part.body)) return SN_ERROR_DATA;
    const json_node *named = sn_json_member(node, "body");
    if (!body) return sn_scene_complain(&s->reader, named, "there is no body \"%.64s\"", part.body);
    muscle->body = body->build.body;
    size_t count = 0;
    SN_TRY(activate(s, muscle->body, activation_at(muscle, 0), &count));
    if (count == 0)
        return sn_scene_complain(&s->reader, named, "the body \"%.64s\" has no fibres", part.body);
    return SN_OK;
}

/* Bodies that are gone by then are passed over. */
sn_result sn_scene_act_muscles(sn_scene *s, int frame) {
    for (size_t i = 0; i < s->muscles.count; i++) {
        const scene_muscle *m = &s->muscles.items[i];
        sn_body_def def = sn_body_def_default();
        if (sn_body_get(s->world, m->body, &def) != SN_OK) continue;
        SN_TRY(activate(s, m->body, activation_at(m, (double)frame / s->run.fps), NULL));
    }
    return SN_OK;
}
