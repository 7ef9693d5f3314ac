#include "io/scene/scene_words.h"

#include <string.h>

const scene_word sn_scene_words[] = {{"scene", NULL, "clusters", "damping_groups"},
                                     {"scene", NULL, "matchings", "shape_matchings"},
                                     {"scene", NULL, "followers", "animation_targets"},
                                     {"contact", NULL, "guarded", "penetration_free"},
                                     {"contact", NULL, "faces", "triangle_contact"},
                                     {"motion", NULL, "follower", "animation_target"},
                                     {"probe", "objects", "skins", "surfaces"},
                                     {NULL, NULL, NULL, NULL}};

/* The row for a key, or for the text that is the value of a key. */
static const scene_word *find_word(const scene_object *object, const char *key, const char *value) {
    for (const scene_word *word = sn_scene_words; word->object; word++) {
        if (strcmp(word->object, object->name) != 0) continue;
        if (!value && !word->key && strcmp(word->old, key) == 0) return word;
        if (value && word->key && strcmp(word->key, key) == 0 && strcmp(word->old, value) == 0)
            return word;
    }
    return NULL;
}

static sn_result renew(scene_reader *r, const json_node *node, json_node *item,
                       const scene_object *object, scene_word_note *note, void *user) {
    sn_result result = SN_OK;
    const scene_word *word = find_word(object, item->key, NULL);
    if (word) {
        if (sn_json_member(node, word->name))
            result = sn_scene_complain(r, item,
                                       "\"%s\" is the old word for \"%s\", which is here "
                                       "as well",
                                       word->old, word->name);
        else
            note(user, item, word);
        item->key = word->name;
    }
    word = item->kind == JSON_STRING ? find_word(object, item->key, item->text) : NULL;
    if (word) {
        note(user, item, word);
        item->text = word->name;
        item->count = strlen(word->name);
    }
    return result;
}

static const scene_field *find_field(const scene_object *object, const char *name) {
    for (size_t i = 0; i < object->count; i++)
        if (strcmp(object->fields[i].name, name) == 0) return &object->fields[i];
    return NULL;
}

sn_result sn_scene_renew_words(scene_reader *r, json_node *node, const scene_object *object,
                               scene_word_note *note, void *user) {
    sn_result result = SN_OK;
    if (node->kind != JSON_OBJECT) return SN_OK;
    for (size_t i = 0; i < node->count; i++) {
        json_node *item = &node->items[i];
        if (renew(r, node, item, object, note, user) != SN_OK) result = SN_ERROR_DATA;
        const scene_field *f = find_field(object, item->key);
        if (!f || !f->of) continue;
        bool several = f->kind == SCENE_LIST || f->kind == SCENE_MAP;
        if (!several && sn_scene_renew_words(r, item, f->of, note, user) != SN_OK)
            result = SN_ERROR_DATA;
        if (several && (item->kind == JSON_ARRAY || item->kind == JSON_OBJECT))
            for (size_t k = 0; k < item->count; k++)
                if (sn_scene_renew_words(r, &item->items[k], f->of, note, user) != SN_OK)
                    result = SN_ERROR_DATA;
    }
    return result;
}
