/*
 * The state of a world as arrays that anybody can move: they are what a snapshot holds, they can
 * be put back, and what is not among them can be made again.
 *
 *     state_arrays [name]     prints nothing but what fails
 */
#include <sinew_io/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/systems.h"
#include "api/types.h"
#include "attractor.h"
#include "check.h"
#include "sample_worlds.h"
#include "state/serialize.h"

#define DT ((sn_real)1 / 60)

/* ---- What is shown ---- */

typedef struct shown {
    char section[9], name[32];
    sn_array array; /* its own names are gone */
} shown;

typedef struct catalogue {
    shown *list;
    size_t count, capacity, bytes;
} catalogue;

static size_t number_bytes(sn_archive_kind kind) {
    sn_archive_view view = {.kind = (int)kind};
    return sn_archive_view_bytes(&view);
}

static void note(void *context, const sn_array *array) {
    catalogue *c = context;
    if (c->count == c->capacity) {
        c->capacity = 2 * c->capacity + 64;
        c->list = realloc(c->list, c->capacity * sizeof *c->list);
        REQUIRE_OK(c->list ? SN_OK : SN_ERROR_MEMORY);
    }
    shown *s = &c->list[c->count++];
    *s = (shown){.array = *array};
    snprintf(s->section, sizeof s->section, "%s", array->section);
    snprintf(s->name, sizeof s->name, "%s", array->name);
    /* What a function has on its stack is nobody's state. */
    char here = 0;
    uintptr_t at = (uintptr_t)array->data, low = (uintptr_t)&here;
    CHECK(at < low || at - low > 16384);
    if (array->data) c->bytes += array->count * array->width * number_bytes(array->kind);
}

static catalogue list_arrays(sn_world *world) {
    catalogue c = {0};
    sn_world_visit_arrays(world, note, &c);
    return c;
}

/* Between all arrays and bytes in a row. */
static void move_arrays(const catalogue *c, uint8_t *bytes, bool back) {
    for (size_t i = 0; i < c->count; i++) {
        const sn_array *a = &c->list[i].array;
        size_t size = a->width * number_bytes(a->kind);
        for (size_t k = 0; a->data && k < a->count; k++, bytes += size) {
            uint8_t *at = (uint8_t *)a->data + k * a->stride;
            memcpy(back ? at : bytes, back ? bytes : at, size);
        }
    }
}

static uint8_t *take(size_t size) {
    uint8_t *bytes = malloc(size + 1);
    REQUIRE_OK(bytes ? SN_OK : SN_ERROR_MEMORY);
    return bytes;
}

static bool is_same_shape(const catalogue *a, const catalogue *b) {
    bool same = a->count == b->count && a->bytes == b->bytes;
    for (size_t i = 0; same && i < a->count; i++) {
        const shown *s = &a->list[i], *t = &b->list[i];
        same = strcmp(s->section, t->section) == 0 && strcmp(s->name, t->name) == 0 &&
               s->array.count == t->array.count && s->array.width == t->array.width &&
               s->array.kind == t->array.kind;
    }
    return same;
}

/* ---- Worlds ---- */

typedef struct snapshot {
    uint8_t *bytes;
    size_t size;
} snapshot;

static bool try_save(const sn_world *world, snapshot *s) {
    if (sn_snapshot_save(world, NULL, 0, &s->size) != SN_OK) return false;
    s->bytes = take(s->size);
    return sn_snapshot_save(world, s->bytes, s->size, &s->size) == SN_OK;
}

static snapshot save(const sn_world *world) {
    snapshot s = {0};
    CHECK(try_save(world, &s));
    return s;
}

static bool is_same_snapshot(const sn_world *a, const sn_world *b) {
    snapshot s = save(a), t = save(b);
    bool same = s.size == t.size && memcmp(s.bytes, t.bytes, s.size) == 0;
    free(s.bytes);
    free(t.bytes);
    return same;
}

/* One that knows the attractor as well. */
static sn_world *make_world(void) {
    static const sn_system *list[SN_SYSTEM_COUNT + 1];
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    memcpy(list, sn_systems().system, SN_SYSTEM_COUNT * sizeof *list);
    list[SN_SYSTEM_COUNT] = &attractor_system;
    REQUIRE_OK(
        sn_world_init(&world, &def, sn_types(), (sn_system_list){list, SN_SYSTEM_COUNT + 1}));
    return world;
}

static sn_world *load(snapshot s) {
    sn_world *world = make_world();
    REQUIRE_OK(sn_snapshot_load(world, s.bytes, s.size));
    return world;
}

static sn_world *copy_world(const sn_world *world) {
    snapshot s = save(world);
    sn_world *copy = load(s);
    free(s.bytes);
    return copy;
}

/* An attractor, and what no scene has: a hierarchy and a drag. */
static void add_systems(sn_world *world) {
    sn_hierarchy_def levels = sn_hierarchy_def_default();
    sn_drag_def drag = sn_drag_def_default();
    sn_hierarchy hierarchy;
    sn_drag made;
    sn_node node[40];
    sn_attractor_def def = sn_attractor_def_default();
    def.point = (sn_vec3){1, 2, 3};
    def.compliance = (sn_real)1e-2;
    REQUIRE_OK(attractor_set(world, &def));
    for (size_t i = 0; i < 40; i++) REQUIRE_OK(sn_world_node_at(world, i, &node[i]));
    for (size_t i = 0; i < 9; i++) REQUIRE_OK(attractor_add(world, node[i]));
    levels.nodes = drag.nodes = node;
    levels.node_count = drag.element_count = 40;
    REQUIRE_OK(sn_hierarchy_create(world, &levels, &hierarchy));
    REQUIRE_OK(sn_drag_create(world, &drag, &made));
}

/* Sheets that are torn and blown, solids that break, regions, colliders of all kinds, sleep. */
static const struct {
    const char *name;
    int frames;
} scenes[] = {{"tests/torn", 30}, {"fracture", 12}, {"regions", 4},  {"cape", 6},
              {"flag", 6},        {"bounce", 40},   {"crease", 4},   {"funnel", 20},
              {"plants", 4},      {"ducks", 4},     {"corners", 60}, {"dam", 8}};

enum { SCENE_COUNT = sizeof scenes / sizeof *scenes, WORLDS = SAMPLE_WORLDS + SCENE_COUNT };

/* Scenes are played once; every test has its own copy of where they end. */
static sn_world *play_scene(int number) {
    static snapshot ends[SCENE_COUNT];
    snapshot *end = &ends[number];
    if (!end->bytes) {
        char path[512];
        sn_scene *scene;
        sn_scene_def def = sn_scene_def_default();
        snprintf(path, sizeof path, "%s/%s.json", SCENES, scenes[number].name);
        def.path = path;
        REQUIRE_OK(sn_scene_open(&def, &scene));
        for (int i = 0; i < scenes[number].frames; i++) REQUIRE_OK(sn_scene_step(scene));
        *end = save(sn_scene_world(scene));
        sn_scene_close(scene);
    }
    return load(*end);
}

/* By number: the sample worlds after some steps, with more in the first, then scenes. */
static sn_world *make(int number) {
    check_case("%s", number < SAMPLE_WORLDS ? sample_world_name(number)
                                            : scenes[number - SAMPLE_WORLDS].name);
    if (number >= SAMPLE_WORLDS) return play_scene(number - SAMPLE_WORLDS);
    sn_world *world = make_world();
    sample_world_build(world, number, false);
    if (number == 0) add_systems(world);
    for (int i = 0; i < 5; i++) {
        sample_world_lead(world, number, i);
        REQUIRE_OK(sn_world_step(world, DT));
    }
    return world;
}

/* Whether a test looks at a world: every world has its turn in some of them, and in all of them
   where there is time. */
static bool has_turn(int number, int test) {
    return check_long() || (number + test) % 3 == 0;
}

static void step(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(world, DT));
}

/* ---- Arrays and snapshots ---- */

/* Whether they have the same arrays; says which is the first that differs, where they must. */
static bool has_same_arrays(sn_world *a, sn_world *b, bool expected) {
    catalogue c = list_arrays(a), d = list_arrays(b);
    uint8_t *x = take(c.bytes), *y = take(d.bytes);
    bool same = is_same_shape(&c, &d);
    if (expected && !same) printf("      shapes differ\n");
    move_arrays(&c, x, false);
    move_arrays(&d, y, false);
    size_t at = 0;
    for (size_t i = 0; same && i < c.count; i++) {
        const sn_array *array = &c.list[i].array;
        size_t size = array->data ? array->count * array->width * number_bytes(array->kind) : 0;
        same = memcmp(x + at, y + at, size) == 0;
        if (expected && !same) printf("      %s %s\n", c.list[i].section, c.list[i].name);
        at += size;
    }
    free(x);
    free(y);
    free(c.list);
    free(d.list);
    return same;
}

TEST(arrays_are_equal_exactly_when_snapshots_are) {
    for (int number = 0; number < WORLDS; number++) {
        if (!has_turn(number, 0)) continue;
        sn_world *world = make(number), *copy = copy_world(world);
        CHECK(is_same_snapshot(world, copy));
        CHECK(has_same_arrays(world, copy, true));
        step(copy, 1);
        CHECK(!is_same_snapshot(world, copy));
        CHECK(!has_same_arrays(world, copy, false));
        step(world, 1);
        CHECK(is_same_snapshot(world, copy));
        CHECK(has_same_arrays(world, copy, true));
        sn_world_destroy(world);
        sn_world_destroy(copy);
    }
}

static bool is_one_of(const char *name, const char *const *list) {
    for (; *list; list++)
        if (strcmp(name, *list) == 0) return true;
    return false;
}

/* Columns that are the shape of arrays: how many there are of what, and which are there. */
static const char *const shapes[] = {"counts",       "count",  "list",           "pairs",
                                     "vertex_count", "strong", "triangle_count", "airy",
                                     "type",         "colour", "targets",        NULL};

static bool has_array(const catalogue *c, const char *section, const char *name) {
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->list[i].section, section) == 0 && strcmp(c->list[i].name, name) == 0 &&
            (c->list[i].array.data || c->list[i].array.count == 0))
            return true;
    return false;
}

/* Fields are columns by their names, and lie together in memory. */
static const char *array_of(const char *column) {
    bool parameter = strncmp(column, "field ", 6) == 0 || strcmp(column, "measured") == 0;
    return parameter ? "parameter" : column;
}

/* Of owners and systems, so that none is left out here. */
static const char *const owners[] = {
    "world",    "bodies", "nodes",    "frames", "history", "constr",   "colour",  "collider",
    "geometry", "skin",   "face",     "laws",   "sleep",   "clusters", "cluster", "sheet",
    "follower", "levels", "matching", "bulk",   "drag",    "attract"};
enum { OWNERS = sizeof owners / sizeof *owners };

TEST(everything_in_a_snapshot_is_an_array) {
    bool seen[OWNERS] = {false};
    for (int number = 0; number < WORLDS; number++) {
        sn_world *world = make(number);
        snapshot s = save(world);
        catalogue c = list_arrays(world);
        sn_archive a;
        size_t columns = 0;
        sn_archive_read(&a, "snapshot", SN_SNAPSHOT, s.bytes, s.size);
        for (sn_archive_section_any(&a); strcmp(a.section, "end") != 0;
             sn_archive_section_any(&a)) {
            sn_archive_view view;
            for (size_t i = 0; i < OWNERS; i++) seen[i] |= strcmp(a.section, owners[i]) == 0;
            for (size_t at = 0; sn_archive_view_next(&a, &at, &view); columns++)
                if (view.count > 0 && !is_one_of(view.name, shapes) &&
                    !CHECK(has_array(&c, a.section, array_of(view.name))))
                    printf("      %s %s\n", a.section, view.name);
            REQUIRE_OK(a.result);
        }
        CHECK(columns > 40);
        free(s.bytes);
        free(c.list);
        sn_world_destroy(world);
    }
    for (size_t i = 0; i < OWNERS; i++)
        if (!CHECK(seen[i])) printf("      no world has %s\n", owners[i]);
}

/* What the writer itself follows, and would lose its way in. */
static const char *const paths[] = {"alive",    "order", "tie",    "shape", "part_shape",
                                    "oriented", "first", "points", NULL};

/* Turns the last bit of every number, which is a small change of a real; of the nodes of
   constraints, which are byte offsets, the bit that makes it another node. */
static void change(const shown *s) {
    const sn_array *a = &s->array;
    bool offset = strcmp(s->section, "colour") == 0 && strcmp(s->name, "node") == 0;
    uint8_t bit = offset ? SN_NODE_BYTES : 1;
    size_t bytes = number_bytes(a->kind);
    const uint16_t one = 1;
    bool little = *(const uint8_t *)&one == 1;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < a->width; k++)
            ((uint8_t *)a->data)[i * a->stride + k * bytes + (little ? 0 : bytes - 1)] ^= bit;
}

TEST(every_array_is_in_the_snapshot) {
    for (int number = 0; number < WORLDS; number++) {
        if (!has_turn(number, 1)) continue;
        sn_world *world = make(number);
        snapshot before = save(world);
        catalogue c = list_arrays(world);
        uint8_t *bytes = take(c.bytes);
        move_arrays(&c, bytes, false);
        /* Of many objects of a kind, some. */
        size_t stride = c.count / (check_long() ? 100 : 25) + 1;
        for (size_t i = (size_t)number % stride; i < c.count; i += stride) {
            const sn_array *a = &c.list[i].array;
            if (!a->data || a->count == 0 || is_one_of(c.list[i].name, paths)) continue;
            change(&c.list[i]);
            snapshot after = {0};
            bool differs = !try_save(world, &after) || after.size != before.size ||
                           memcmp(after.bytes, before.bytes, before.size) != 0;
            if (!CHECK(differs)) printf("      %s %s\n", c.list[i].section, c.list[i].name);
            free(after.bytes);
            move_arrays(&c, bytes, true);
        }
        snapshot after = save(world);
        CHECK(after.size == before.size && memcmp(after.bytes, before.bytes, after.size) == 0);
        free(after.bytes);
        free(before.bytes);
        free(bytes);
        free(c.list);
        sn_world_destroy(world);
    }
}

/* ---- What can be done with them ---- */

/* Where nothing comes or goes in the steps, the arrays are what they were, and so is all that
   follows; from one world into another as well. */
TEST(arrays_can_be_put_back) {
    int moved = 0;
    for (int number = 0; number < WORLDS; number++) {
        if (!has_turn(number, 2)) continue;
        sn_world *world = make(number), *twin = copy_world(world), *other = copy_world(world);
        catalogue before = list_arrays(world);
        uint8_t *bytes = take(before.bytes);
        move_arrays(&before, bytes, false);
        step(world, 4);
        step(other, 2);
        catalogue after = list_arrays(world), there = list_arrays(other);
        bool fits = is_same_shape(&before, &after) && is_same_shape(&before, &there);
        if (fits) {
            move_arrays(&after, bytes, true);
            move_arrays(&there, bytes, true);
            sn_world_drop_scratch(world);
            sn_world_drop_scratch(other);
            CHECK(is_same_snapshot(world, twin) && is_same_snapshot(other, twin));
            step(world, 3);
            step(other, 3);
            step(twin, 3);
            CHECK(is_same_snapshot(world, twin) && is_same_snapshot(other, twin));
            moved++;
        }
        free(bytes);
        free(before.list);
        free(after.list);
        free(there.list);
        sn_world_destroy(world);
        sn_world_destroy(twin);
        sn_world_destroy(other);
    }
    CHECK(moved >= (check_long() ? 8 : 3));
}

TEST(scratch_is_made_again) {
    for (int number = 0; number < WORLDS; number++) {
        if (!has_turn(number, 3)) continue;
        sn_world *world = make(number), *copy = copy_world(world);
        for (int i = 0; i < 2; i++) {
            sn_world_drop_scratch(copy);
            step(world, 1);
            step(copy, 1);
            CHECK(is_same_snapshot(world, copy));
        }
        sn_world_destroy(world);
        sn_world_destroy(copy);
    }
}

TESTS(RUN(arrays_are_equal_exactly_when_snapshots_are), RUN(everything_in_a_snapshot_is_an_array),
      RUN(every_array_is_in_the_snapshot), RUN(arrays_can_be_put_back), RUN(scratch_is_made_again))
