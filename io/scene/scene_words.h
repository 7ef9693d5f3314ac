/*
 * Words that scene files used before and still may: each is read as the one that took its place,
 * with a note in the log. The schema and docs/scene-format.md list them as well.
 */
#ifndef SN_IO_SCENE_SCENE_WORDS_H
#define SN_IO_SCENE_SCENE_WORDS_H

#include "io/scene/scene_fields.h"

typedef struct scene_word {
    const char *object; /* the name of the scene_object that has it */
    const char *key;    /* whose value it is; null where it is a key itself */
    const char *old, *name;
} scene_word;

/* The list; it ends with a null object. */
extern const scene_word sn_scene_words[];

/* Told of an old word at the place of its key or value. */
typedef void scene_word_note(void *user, const json_node *node, const scene_word *word);

/* Gives everything below a node, which is an object of this kind, the present words. Complains of
   keys that are there in both. */
sn_result sn_scene_renew_words(scene_reader *r, json_node *node, const scene_object *object,
                               scene_word_note *note, void *user);

#endif
