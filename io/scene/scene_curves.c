/* Values of a scene that are given by keys, and what all keys have in common. */
#include "io/scene/scene_rows.h"
#include "io/scene/scene_state.h"

#include <math.h>

static const scene_field curve_key_fields[] = {
    REAL("time", scene_curve_key, time, "s", 0, MAX, NULL, "when; keys are in order"),
    REAL("value", scene_curve_key, value.x, "", -MAX, MAX, NULL, "then, in the unit of the field")};
const scene_object sn_scene_curve_key_object =
    PLAIN("curve_key", "a number at a time", curve_key_fields);

static const scene_field vector_key_fields[] = {
    REAL("time", scene_curve_key, time, "s", 0, MAX, NULL, "when; keys are in order"),
    VEC3("value", scene_curve_key, value, "", -MAX, MAX, NULL, "then, in the unit of the field")};
const scene_object sn_scene_vector_key_object =
    PLAIN("vector_key", "three numbers at a time", vector_key_fields);

#define CURVE_FIELDS(key)                                                                          \
    PART(LIST, "keys", scene_curve_part, keys, key, NULL,                                          \
         "of which the first holds before it and the last after it"),                              \
        CHOICE("interpolation", scene_curve_part, interpolation, SCENE_INTERPOLATIONS,             \
               "\"linear\"", SCENE_INTERPOLATIONS_MEANING),                                        \
        FIELD(BOOL, "repeat", scene_curve_part, repeat, "false",                                   \
              "after the last key, begin again")
static const scene_field curve_fields[] = {CURVE_FIELDS(&sn_scene_curve_key_object)};
const scene_object sn_scene_curve_object =
    PLAIN("curve", "a number that changes while the scene runs", curve_fields);
static const scene_field vector_curve_fields[] = {CURVE_FIELDS(&sn_scene_vector_key_object)};
const scene_object sn_scene_vector_curve_object =
    PLAIN("vector_curve", "three numbers that change while the scene runs", vector_curve_fields);

double sn_scene_key_time(double time, double begin, double span, bool repeat) {
    if (!(repeat && span > 0 && time > begin)) return time;
    return time - span * floor((time - begin) / span + 1e-9);
}

double sn_scene_key_part(int interpolation, double part) {
    if (interpolation == 2) return 0;
    return interpolation == 1 ? part * part * (3 - 2 * part) : part;
}

/* Reads a key: its numbers are in the range of the field, and it comes after the one before. */
static sn_result read_key(scene_reader *r, const json_node *node, const scene_field *f,
                          const scene_object *object, const scene_curve_key *before,
                          scene_curve_key *key) {
    SN_TRY(sn_scene_read(r, node, object, key));
    const json_node *value = sn_json_member(node, "value");
    r->timed = false;
    const double numbers[] = {(double)key->value.x, (double)key->value.y, (double)key->value.z};
    bool vector = object == &sn_scene_vector_key_object;
    for (size_t i = 0; i < (vector ? 3 : 1); i++)
        SN_TRY(sn_scene_check_range(r, vector ? &value->items[i] : value, f, numbers[i]));
    if (!before || key->time > before->time) return SN_OK;
    return sn_scene_complain(r, node, "its time is %g s, expected more than the %g s before",
                             (double)key->time, (double)before->time);
}

static double mix(sn_real a, sn_real b, double part) {
    return (double)a + part * ((double)b - (double)a);
}

/* All keys are read every time, so that what is wrong with any is found at once. */
sn_result sn_scene_read_curve(scene_reader *r, const json_node *node, const scene_field *f,
                              size_t numbers, double *value) {
    bool vector = numbers == 3;
    const scene_object *object = vector ? &sn_scene_vector_key_object : &sn_scene_curve_key_object;
    scene_curve_part part = {0};
    scene_curve_key first = {0}, last = {0}, from = {0}, to = {0};
    SN_TRY(sn_scene_read(r, node, vector ? &sn_scene_vector_curve_object : &sn_scene_curve_object,
                         NULL));
    SN_TRY(sn_scene_read(r, node, vector ? &sn_scene_vector_curve_object : &sn_scene_curve_object,
                         &part));
    const json_node *list = part.keys;
    if (list->count == 0) return sn_scene_complain(r, list, "has no keys, expected one");
    SN_TRY(read_key(r, &list->items[0], f, object, NULL, &first));
    SN_TRY(read_key(r, &list->items[list->count - 1], f, object, NULL, &last));
    double begin = (double)first.time;
    double time = sn_scene_key_time(r->time, begin, (double)last.time - begin, part.repeat);
    from = to = first;
    for (size_t i = 1; i < list->count; i++) {
        scene_curve_key key = {0}, before = first;
        SN_TRY(read_key(r, &list->items[i], f, object, &before, &key));
        if ((double)first.time <= time) {
            from = first;
            to = key;
        }
        first = key;
    }
    if (time >= (double)last.time) from = to = last;
    double span = (double)to.time - (double)from.time, t = 0;
    if (span > 0) t = (time - (double)from.time) / span;
    t = sn_scene_key_part(part.interpolation, t > 0 ? t : 0);
    value[0] = mix(from.value.x, to.value.x, t);
    if (vector) {
        value[1] = mix(from.value.y, to.value.y, t);
        value[2] = mix(from.value.z, to.value.z, t);
    }
    r->timed = true;
    return SN_OK;
}
