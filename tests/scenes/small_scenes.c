#include "small_scenes.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "random_scene.h"

sn_scene *small_scene_open(const char *text, int threads, int simd_width) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    def.threads = threads;
    def.simd_width = simd_width;
    def.path = "small.json";
    def.text = text;
    def.length = strlen(text);
    REQUIRE_OK(sn_scene_open(&def, &scene));
    return scene;
}

static const char *small_scene(const char *name, size_t length) {
    static char text[16384];
    char path[600];
    snprintf(path, sizeof path, "%s/%.*s.json", SMALL, (int)length, name);
    FILE *file = fopen(path, "r");
    REQUIRE_OK(file ? SN_OK : SN_ERROR_FILE);
    size_t read = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[read] = 0;
    return text;
}

/* A random scene with bodies that do not meet themselves: what one does that is squeezed into
   itself hangs on rounding. */
static const char *random_text(unsigned seed) {
    static random_scene random;
    static char text[RANDOM_SCENE_ROOM + 256];
    static const char all[] = "\"collide\": \"all\"", others[] = "\"collide\": \"others\"";
    random_scene_make(&random, seed);
    const char *from = random.text, *at;
    char *to = text;
    while ((at = strstr(from, all))) {
        to += sprintf(to, "%.*s%s", (int)(at - from), from, others);
        from = at + sizeof all - 1;
    }
    strcpy(to, from);
    return text;
}

const char *small_scene_text(size_t i, size_t random) {
    const char *name = NAMES;
    for (size_t length = strcspn(name, " "); length > 0; length = strcspn(name, " "), i--) {
        if (i == 0) return small_scene(name, length);
        name += length + (name[length] == ' ');
    }
    return i < random ? random_text((unsigned)i) : NULL;
}
