/*
 * Keys of scenes that mean something only beside others: who writes one where it does nothing has
 * mostly forgotten something, or misspelt a value, and is told.
 *
 * What is read is in the tables; here is, for keys that are not always used, what they go with.
 * Values that depend on other parts of a scene are looked at where these are read.
 */
#include "io/scene/scene_fields.h"

#include <stdio.h>
#include <string.h>

typedef enum demand {
    NOTHING,
    BESIDE_NONE, /* the other key is not there, or automatic */
    BESIDE,      /* it is */
    BESIDE_SOME, /* its number is not 0 */
    BESIDE_VALUE /* its value is one of these */
} demand;

typedef struct condition {
    demand demand;
    const char *key, *values;
} condition;

/* A key needs one of its conditions. */
typedef struct meaning {
    const char *object, *variant; /* null: of any */
    const char *key;
    condition needs[2];
} meaning;

#define ALONE(other)                                                                               \
    {                                                                                              \
        { BESIDE_NONE, other, NULL }                                                               \
    }
#define WITH(other)                                                                                \
    {                                                                                              \
        { BESIDE, other, NULL }                                                                    \
    }
#define SOME(other)                                                                                \
    {                                                                                              \
        { BESIDE_SOME, other, NULL }                                                               \
    }
#define WHERE(other, values)                                                                       \
    {                                                                                              \
        { BESIDE_VALUE, other, values }                                                            \
    }

static const meaning meanings[] = {
    {"mesh", "disc", "rings", ALONE("edge_length")},
    {"mesh", "disc", "segments", ALONE("edge_length")},
    {"mesh", "sphere", "level", ALONE("edge_length")},
    {"mesh", "strands", "count", ALONE("density")},
    {"mesh", "strands", "curl_pitch", SOME("curl_radius")},
    {"mesh", "strands", "direction", WITH("within")},
    {"mesh", "lattice", "extent", ALONE("inside")},
    {"mesh", "lattice", "balls", ALONE("inside")},
    {"mesh", "fill", "levels", WHERE("cubes", "true")},
    {"mesh", "fill", "grading", SOME("levels")},
    {"mesh", "fill", "fine", SOME("levels")},
    {"body", NULL, "thread", WHERE("weave", "plain|twill|knit")},
    {"body", NULL, "pattern_colour", WHERE("pattern", "stripes|checks|squares")},
    {"body", NULL, "pattern_width", WHERE("pattern", "stripes|checks|squares")},
    {"vertices", NULL, "outside", {{BESIDE, "box", NULL}, {BESIDE, "sphere", NULL}}},
    {"node", NULL, "radius", ALONE("radii")},
    {"node", NULL, "radii", WHERE("oriented", "true")},
    {"node", NULL, "orientation", WHERE("oriented", "true")},
    {"node", NULL, "angular_velocity", WHERE("oriented", "true")},
    {"node", NULL, "inverse_inertia", WHERE("oriented", "true")},
    {"constraint", NULL, "colour", SOME("shown_thickness")},
    {"constraint", "turn_drive", "target", ALONE("speed")},
    {"constraint", "slide_drive", "target", ALONE("speed")},
    {"constraint", "distance_joint", "rest_length", ALONE("speed")},
    {"constraint", "shape_match", "beta", WHERE("deformation", "linear|quadratic")},
    {"constraint", NULL, "plastic_creep", WITH("plastic_yield")},
    {"constraint", NULL, "plastic_limit", WITH("plastic_yield")},
    {"effector", NULL, "strength", WHERE("kind", "radial|directional|vortex|turbulence|harmonic")},
    {"effector",
     NULL,
     "axis",
     {{BESIDE_VALUE, "kind", "directional|vortex"}, {BESIDE_VALUE, "shape", "line|plane"}}},
    {"effector", NULL, "falloff_length", SOME("falloff")},
    {"effector", NULL, "min_distance", SOME("falloff")},
    {"effector", NULL, "rest_length", WHERE("kind", "harmonic")},
    {"effector", NULL, "eddy_size", WHERE("kind", "turbulence")},
    {"effector", NULL, "eddy_period", WHERE("kind", "turbulence")},
    {"emitter", NULL, "radius", WHERE("shape", "disc|sphere")},
    {"emitter", NULL, "extent", WHERE("shape", "rectangle|box")},
    {"drain", NULL, "radius", WHERE("shape", "sphere")},
    {"drain", NULL, "extent", WHERE("shape", "box")},
    {"drain", NULL, "rotation", WHERE("shape", "box|half_space")},
    {"source", NULL, "radius", WHERE("shape", "sphere")},
    {"source", NULL, "extent", WHERE("shape", "box")},
    {"source", NULL, "rotation", WHERE("shape", "box|half_space")},
    {"source", NULL, "position", WHERE("shape", "box|sphere|half_space")},
    {"diffusion", NULL, "latent", WITH("melting_point")},
    {"diffusion", NULL, "modulus", WITH("melting_point")},
    {"diffusion", NULL, "low", {{BESIDE, "low_colour", NULL}, {BESIDE, "high_colour", NULL}}},
    {"diffusion", NULL, "high", {{BESIDE, "low_colour", NULL}, {BESIDE, "high_colour", NULL}}},
    {"shape_matching", NULL, "radius", WHERE("regions", "balls")},
    {"shape_matching", NULL, "spacing", WHERE("regions", "cubes")},
    {"shape_matching", NULL, "omega", WHERE("regions", "cubes")},
    {"animation_target", NULL, "growth", WITH("max_distance")},
    {"animation_target", NULL, "origin", WITH("growth")},
    {"animation_target", NULL, "back_stop_radius", WITH("back_stop_distance")},
    {"crowd", NULL, "walk", ALONE("goal")},
    {"cut", NULL, "time", ALONE("keys")},
    {"cut", NULL, "point", ALONE("keys")},
    {"cut", NULL, "normal", ALONE("keys")},
    {"cut", NULL, "radius", ALONE("keys")},
    {"cut", NULL, "start", WITH("keys")},
    {"cut", NULL, "end", WITH("keys")},
    {"cut", NULL, "pivot", WITH("keys")},
    {"cut", NULL, "interpolation", WITH("keys")},
    {"measurement", NULL, "nodes", WHERE("quantity", "position|velocity|speed")},
    {"measurement", NULL, "constraint", WHERE("quantity", "force|value")},
    {"measurement", NULL, "collider", WHERE("quantity", "contact_force")},
    {"probe", NULL, "direction", WHERE("ask", "cast")},
    {"probe", NULL, "skip_inside", WHERE("ask", "cast")},
    {"probe", NULL, "length", WHERE("ask", "cast|closest")},
    {"probe", NULL, "radius", WHERE("ask", "cast|overlap")},
    {"probe", NULL, "extent", WHERE("ask", "overlap")},
    {"ground", NULL, "colour", WHERE("kind", "grid|checker|plain")},
    {"ground", NULL, "height", WHERE("kind", "grid|checker|plain")},
    {"background", NULL, "colour", WHERE("kind", "plain")},
};

/* Whether something is said at all: "auto" and null leave it to the reader. */
static bool is_said(const json_node *value) {
    if (!value || value->kind == JSON_NULL) return false;
    return value->kind != JSON_STRING || strcmp(value->text, "auto") != 0;
}

/* What an expression says may be another thing with other parameters, or at another time. */
static bool is_expression(const json_node *value) {
    return value->kind == JSON_OBJECT || (value->kind == JSON_STRING && value->text[0] == '=');
}

/* Whether one of a list of words is this one. */
static bool is_among(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = words; at; at = strchr(at, '|'), at = at ? at + 1 : NULL)
        if (strncmp(at, word, length) == 0 && (at[length] == 0 || at[length] == '|')) return true;
    return false;
}

/* The value of a choice or of true and false, as a word: what is written, or the default. */
static void read_word(const json_node *value, const scene_field *f, char word[32]) {
    const char *text = value && value->kind == JSON_STRING ? value->text : f->standard;
    if (value && value->kind == JSON_BOOL) text = value->boolean ? "true" : "false";
    text += *text == '"';
    snprintf(word, 32, "%.*s", (int)strcspn(text, "\""), text);
}

/* What is said of a key, by the first that says anything. */
static const json_node *said_of(const json_node *const *nodes, size_t count, const char *key) {
    for (size_t i = 0; i < count; i++) {
        const json_node *value = sn_json_member(nodes[i], key);
        if (value && (i + 1 == count || value->kind != JSON_NULL)) return value;
    }
    return NULL;
}

static bool is_met(const json_node *value, const condition *needs, const scene_field *other,
                   char word[32]) {
    if (needs->demand == BESIDE_NONE) return !is_said(value);
    if (needs->demand == BESIDE) return is_said(value);
    if (value && is_expression(value)) return true;
    if (needs->demand == BESIDE_SOME) return is_said(value) && value->number != 0;
    read_word(value, other, word);
    return is_among(needs->values, word);
}

/* "radial, vortex or drag" of radial|vortex|drag. */
static void write_choices(const char *words, char list[128]) {
    list[0] = 0;
    for (const char *at = words; at; at = strchr(at, '|'), at = at ? at + 1 : NULL) {
        const size_t used = strlen(list);
        const bool last = !strchr(at, '|');
        snprintf(list + used, 128 - used, "%s%.*s",
                 at == words ? ""
                 : last      ? " or "
                             : ", ",
                 (int)strcspn(at, "|"), at);
    }
}

static sn_result complain(scene_reader *r, const json_node *value, const condition *needs,
                          const char *is) {
    char list[128];
    switch (needs->demand) {
    case BESIDE_NONE:
        return sn_scene_complain(r, value, "means nothing beside \"%s\", expected one of them",
                                 needs->key);
    case BESIDE:
        return sn_scene_complain(r, value, "means nothing without \"%s\"", needs->key);
    case BESIDE_SOME:
        return sn_scene_complain(r, value, "means nothing where \"%s\" is 0", needs->key);
    default:
        write_choices(needs->values, list);
        return sn_scene_complain(r, value, "means nothing where \"%s\" is %s, expected %s there",
                                 needs->key, is, list);
    }
}

/* The field of a key, of what all have or of the variant. */
static const scene_field *field_of(const scene_object *object, const scene_object *variant,
                                   const char *key) {
    const scene_field *f = sn_scene_field_of(variant, key);
    return f ? f : sn_scene_field_of(object, key);
}

/* What is there beside a change, and stays unless the change ends it. */
static sn_result complain_of_change(scene_reader *r, const json_node *value, const char *key,
                                    const json_node *beside) {
    if (beside->kind == JSON_NUMBER)
        return sn_scene_complain(r, value,
                                 "means nothing while \"%s\" is %g, expected \"%s\": \"auto\" "
                                 "beside it",
                                 key, beside->number, key);
    return sn_scene_complain(
        r, value, "means nothing beside \"%s\", expected \"%s\": \"auto\" beside it", key, key);
}

/* Whether a key of the first of these means something beside its others, and those of the rest. */
static sn_result check(scene_reader *r, const json_node *const *nodes, size_t count,
                       const scene_object *object, const scene_object *variant, const meaning *m) {
    const json_node *value = sn_json_member(nodes[0], m->key);
    char is[2][32] = {"", ""};
    if (!is_said(value)) return SN_OK;
    for (int k = 0; k < 2 && m->needs[k].demand != NOTHING; k++) {
        const scene_field *other = field_of(object, variant, m->needs[k].key);
        if (!other) return SN_OK;
        if (is_met(said_of(nodes, count, m->needs[k].key), &m->needs[k], other, is[k]))
            return SN_OK;
    }
    const condition *needs = &m->needs[0];
    if (needs->demand == BESIDE_NONE && !is_said(sn_json_member(nodes[0], needs->key)))
        return complain_of_change(r, value, needs->key, said_of(nodes, count, needs->key));
    return complain(r, value, needs, is[0]);
}

sn_result sn_scene_check_change(scene_reader *r, const json_node *const *nodes, size_t count,
                                const scene_object *object, const scene_object *variant) {
    sn_result result = SN_OK;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        const meaning *m = &meanings[i];
        if (strcmp(m->object, object->name) != 0) continue;
        if (m->variant && (!variant || strcmp(m->variant, variant->name) != 0)) continue;
        if (check(r, nodes, count, object, variant, m) != SN_OK) result = SN_ERROR_DATA;
    }
    return result;
}

sn_result sn_scene_check_meaning(scene_reader *r, const json_node *node, const scene_object *object,
                                 const scene_object *variant) {
    return sn_scene_check_change(r, &node, 1, object, variant);
}
