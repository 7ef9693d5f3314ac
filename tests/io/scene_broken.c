/*
 * Scenes that are wrong, from tests/io/broken/scenes.txt: what is said about them, word by word,
 * with file, line, column and path. Nothing is left out, and nothing is said twice.
 */
#include <sinew_io/file.h>
#include <sinew_io/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { MOST_SAID = 64, SENTENCE = 640 };

static const char folder[] = SCENE_FOLDER "/broken/";

/* What was said, without the folder, which is another on every machine. */
static struct {
    char sentence[MOST_SAID][SENTENCE];
    size_t count;
} said;

static void hear(void *user, const char *sentence) {
    (void)user;
    if (!CHECK(said.count < MOST_SAID)) return;
    char *to = said.sentence[said.count++];
    const char *found;
    size_t used = 0;
    while ((found = strstr(sentence, folder)) && used + (size_t)(found - sentence) < SENTENCE) {
        memcpy(to + used, sentence, (size_t)(found - sentence));
        used += (size_t)(found - sentence);
        sentence = found + strlen(folder);
    }
    snprintf(to + used, SENTENCE - used, "%s", sentence);
}

/* One scene of the file: its name, its text, and the lines that begin with "> ". */
typedef struct entry {
    char name[120];
    const char *text;
    size_t length;
    const char *expected; /* the first of the lines */
} entry;

static const char *next_line(const char *at) {
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

/* The entry that begins here, with "# "; null after the last. */
static const char *read_entry(const char *at, entry *e) {
    while (*at && strncmp(at, "# ", 2) != 0) at = next_line(at);
    if (!*at) return NULL;
    const char *end = next_line(at);
    snprintf(e->name, sizeof e->name, "%.*s", (int)(end - at - 3), at + 2);
    e->text = at = end;
    while (*at && strncmp(at, "> ", 2) != 0) at = next_line(at);
    e->length = (size_t)(at - e->text);
    e->expected = at;
    while (strncmp(at, "> ", 2) == 0) at = next_line(at);
    return at;
}

static void compare(const entry *e) {
    const char *line = e->expected;
    size_t i = 0;
    for (; strncmp(line, "> ", 2) == 0; i++, line = next_line(line)) {
        char sentence[SENTENCE];
        snprintf(sentence, sizeof sentence, "%.*s", (int)(next_line(line) - line - 3), line + 2);
        bool same = i < said.count && strcmp(said.sentence[i], sentence) == 0;
        if (!CHECK(same))
            printf("      expected \"%s\"\n      said     \"%s\"\n", sentence,
                   i < said.count ? said.sentence[i] : "");
    }
    CHECK(i > 0);
    if (!CHECK(said.count == i))
        printf("      said \"%s\" as well\n", said.count > i ? said.sentence[i] : "");
}

static sn_result open_entry(const entry *e, sn_scene_complaint *complaint) {
    char path[512];
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = (sn_scene *)&def;
    snprintf(path, sizeof path, "%sscene.json", folder);
    def.path = path;
    def.text = e->text;
    def.length = e->length;
    def.complaint = complaint;
    sn_result result = sn_scene_open(&def, &scene);
    CHECK(scene == NULL);
    sn_scene_close(scene);
    return result;
}

static char *read_table(void) {
    char path[512], *text = NULL;
    size_t size;
    snprintf(path, sizeof path, "%sscenes.txt", folder);
    REQUIRE_OK(sn_io_file_read("the table", path, &text, &size));
    return text;
}

TEST(every_mistake_is_named_with_its_place) {
    char *table = read_table();
    entry e;
    size_t count = 0;
    for (const char *at = table; (at = read_entry(at, &e)); count++) {
        check_case("%s", e.name);
        said.count = 0;
        CHECK_FAILS(open_entry(&e, hear), SN_ERROR_DATA);
        compare(&e);
    }
    CHECK(count >= 60);
    free(table);
}

TEST(the_first_mistake_is_the_last_error) {
    char *table = read_table();
    entry e;
    for (const char *at = table; (at = read_entry(at, &e));) {
        check_case("%s", e.name);
        said.count = 0;
        CHECK_FAILS(open_entry(&e, NULL), SN_ERROR_DATA);
        hear(NULL, sn_last_error());
        char first[SENTENCE];
        snprintf(first, sizeof first, "%.*s", (int)(next_line(e.expected) - e.expected - 3),
                 e.expected + 2);
        if (!CHECK(strcmp(said.sentence[0], first) == 0))
            printf("      the last error is \"%s\"\n", said.sentence[0]);
    }
    free(table);
}

/* A file of nothing but mistakes ends somewhere. */
TEST(a_hundred_mistakes_are_enough) {
    static char text[65536];
    size_t used = (size_t)snprintf(text, sizeof text, "{\"version\": 1");
    for (int i = 0; i < 500; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, ",\n \"mistake %d\": 1", i);
    used += (size_t)snprintf(text + used, sizeof text - used, "}");
    entry e = {.text = text, .length = used};
    said.count = 0;
    CHECK_FAILS(open_entry(&e, NULL), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "mistake 0: unknown key"));
}

static char told[512];

static void keep(void *user, sn_log_level level, const char *sentence) {
    (void)user;
    if (level == SN_LOG_INFO && strstr(sentence, "its time"))
        snprintf(told, sizeof told, "%s", sentence);
}

/* What takes seconds is told before it is done: a mesh whose vertices are moved about, and as many
   nodes as take minutes to step. */
TEST(what_takes_its_time_is_told) {
    static const struct {
        const char *mesh, *material, *told;
    } cases[] = {{"{\"shape\": \"sheet\", \"width\": 1, \"depth\": 1, \"edge_length\": 0.005}",
                  "cotton", "making a mesh of about 4.6e+04 vertices, which takes its time"},
                 {"{\"shape\": \"lattice\", \"extent\": [1, 1, 1], \"spacing\": 0.02}", "sand",
                  "making a scene of about 1.2e+05 nodes, which takes its time"},
                 {"{\"shape\": \"lattice\", \"extent\": [1, 1, 1], \"spacing\": 0.1}", "sand", ""}};
    for (int i = 0; i < 3; i++) {
        char text[256];
        sn_scene_def def = sn_scene_def_default();
        sn_scene *s = NULL;
        check_case("%s", cases[i].mesh);
        snprintf(text, sizeof text,
                 "{\"version\": 1, \"bodies\": [{\"name\": \"a\", \"material\": \"%s\", "
                 "\"mesh\": %s}]}",
                 cases[i].material, cases[i].mesh);
        told[0] = 0;
        def.path = "a.json";
        def.text = text;
        def.length = strlen(text);
        def.log = keep;
        CHECK_OK(sn_scene_open(&def, &s));
        CHECK(strcmp(told, cases[i].told) == 0);
        sn_scene_close(s);
    }
}

TESTS(RUN(what_takes_its_time_is_told), RUN(every_mistake_is_named_with_its_place),
      RUN(the_first_mistake_is_the_last_error), RUN(a_hundred_mistakes_are_enough))
