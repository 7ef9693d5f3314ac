/*
 * Words that scene files used before: each is read as the one that took its place, with the same
 * bits, and the log says so.
 */
#include <sinew_io/file.h>
#include <sinew_io/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "io/scene/scene_words.h"

enum { NOTES = 64, FRAMES = 12 };

typedef struct notes {
    size_t count;
    char text[NOTES][512];
} notes;

static void take_note(void *user, sn_log_level level, const char *sentence) {
    notes *n = user;
    if (level != SN_LOG_INFO || n->count == NOTES) return;
    snprintf(n->text[n->count++], sizeof n->text[0], "%s", sentence);
}

/* The hash of the world after some frames. */
static uint64_t run(const char *text, notes *n) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    def.path = "scene.json";
    def.text = text;
    def.length = strlen(text);
    def.log = take_note;
    def.log_user = n;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    for (int i = 0; i < FRAMES; i++) REQUIRE_OK(sn_scene_step(scene));
    uint64_t hash = sn_world_hash(sn_scene_world(scene));
    sn_scene_close(scene);
    return hash;
}

/* The text with a word, which is there once, as another; the old text is freed. */
static char *with_word(char *text, const char *from, const char *to) {
    char old[64], fresh[64];
    size_t room = strlen(text) + sizeof fresh;
    char *made = calloc(room, 1);
    snprintf(old, sizeof old, "\"%s\"", from);
    snprintf(fresh, sizeof fresh, "\"%s\"", to);
    const char *found = strstr(text, old);
    CHECK(made && found && !strstr(found + 1, old));
    if (made && found)
        snprintf(made, room, "%.*s%s%s", (int)(found - text), text, fresh, found + strlen(old));
    free(text);
    return made;
}

static bool is_noted(const notes *n, const scene_word *word) {
    char said[160];
    snprintf(said, sizeof said, "\"%s\" is the old word for \"%s\"", word->old, word->name);
    for (size_t i = 0; i < n->count; i++)
        if (strstr(n->text[i], said)) return true;
    return false;
}

TEST(old_words_mean_the_same) {
    static notes of_old, of_new;
    char *text;
    size_t size, words = 0;
    REQUIRE_OK(sn_io_file_read("the scene", CORPUS "/old_words.json", &text, &size));
    uint64_t old = run(text, &of_old);
    for (const scene_word *word = sn_scene_words; word->object; word++, words++) {
        check_case("%s", word->old);
        CHECK(is_noted(&of_old, word));
        text = with_word(text, word->old, word->name);
    }
    CHECK(of_old.count == words);
    CHECK(run(text, &of_new) == old);
    CHECK(of_new.count == 0);
    free(text);
}

TESTS(RUN(old_words_mean_the_same))
