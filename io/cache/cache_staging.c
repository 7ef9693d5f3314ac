#include "io/cache/cache_staging.h"

#include <stdlib.h>
#include <string.h>

/* Numbers in the file: of the staging, of a camera, of a key of one, of a light, of a look; in
   caches of the first layout, which have two counts alone; and of the second, without textures. */
enum { OF_STAGING = 11, OF_CAMERA = 11, OF_KEY = 8, OF_LIGHT = 7, OF_LOOK = 20 };
enum { OF_FIRST_STAGING = 1, OF_FIRST_CAMERA = 10, OF_FIRST_LOOK = 6, FIRST_COUNTS = 2 };
enum { OF_SECOND_LOOK = 16 };

/* How many there are, in this order; the last is what the numbers of one of each add up to, so that
   another layout is told from this one. */
enum { CAMERAS, LOOKS, KEYS, LIGHTS, LAYOUT, COUNTS };
enum { SUM_OF_ALL = OF_STAGING + OF_CAMERA + OF_KEY + OF_LIGHT + OF_LOOK };
enum { SECOND_SUM = SUM_OF_ALL - OF_LOOK + OF_SECOND_LOOK };

/* What is automatic, in either precision. */
static const double automatic = -1e300;

void sn_io_cache_staging_free(sn_io_cache_staging *s) {
    free(s->cameras);
    free(s->keys);
    free(s->lights);
    free(s->looks);
    free((void *)s->look_names);
    free(s->names);
    free(s->numbers);
    free(s->textures);
    free(s->places);
    free(s->materials);
    *s = (sn_io_cache_staging){0};
}

static sn_result no_memory(void) {
    return sn_fail(SN_ERROR_MEMORY, "cache: no memory");
}

/* ---- Numbers, one after the other, either way ---- */

typedef struct cursor {
    double *at;
    bool reading;
} cursor;

static void number(cursor *c, sn_real *value) {
    if (c->reading)
        *value = *c->at <= automatic ? SN_AUTO : (sn_real)*c->at;
    else
        *c->at = *value == SN_AUTO ? automatic : (double)*value;
    c->at++;
}

static void vector(cursor *c, sn_vec3 *v) {
    number(c, &v->x);
    number(c, &v->y);
    number(c, &v->z);
}

/* Of a number from 0 to `last`; what is another is none of them. */
static int choice(cursor *c, int value, int last) {
    sn_real number_of = (sn_real)value;
    number(c, &number_of);
    return number_of >= 0 && number_of <= (sn_real)last ? (int)number_of : 0;
}

static void within(cursor *c, sn_real *value, double least, double most) {
    number(c, value);
    bool good = (double)*value >= least && (double)*value <= most;
    if (!good) *value = (sn_real)least;
}

/* Keys lie one camera's after the other's; a number of them that is not there is none. */
static void camera_numbers(cursor *c, sn_io_camera *camera, const sn_io_camera_key *keys,
                           size_t *left, bool first) {
    vector(c, &camera->eye);
    vector(c, &camera->target);
    vector(c, &camera->up);
    number(c, &camera->field_of_view);
    if (first) return;
    sn_real count = (sn_real)camera->key_count;
    number(c, &count);
    if (!c->reading) return;
    camera->key_count = count > 0 && (double)count <= (double)*left ? (size_t)count : 0;
    camera->keys = camera->key_count > 0 ? keys : NULL;
    *left -= camera->key_count;
}

static void key_numbers(cursor *c, sn_io_camera_key *key) {
    number(c, &key->time);
    vector(c, &key->eye);
    vector(c, &key->target);
    number(c, &key->field_of_view);
}

static void light_numbers(cursor *c, sn_io_light *light) {
    vector(c, &light->direction);
    vector(c, &light->colour);
    within(c, &light->strength, 0, 100);
}

static void look_numbers(cursor *c, sn_io_look *look, bool first, bool second) {
    if (c->reading) *look = sn_io_look_default();
    vector(c, &look->colour);
    vector(c, &look->back);
    if (first) return;
    look->weave = (sn_io_weave)choice(c, (int)look->weave, SN_IO_WEAVE_KNIT);
    within(c, &look->thread, 1e-6, 1);
    look->pattern = (sn_io_pattern)choice(c, (int)look->pattern, SN_IO_PATTERN_SQUARES);
    vector(c, &look->pattern_colour);
    within(c, &look->pattern_width, 1e-6, (double)SN_REAL_MAX);
    within(c, &look->opacity, 0, 1);
    within(c, &look->sheen, 0, 1);
    within(c, &look->roughness, 0, 1);
    if (second) return;
    int particles = choice(c, look->smoke ? 2 : look->liquid, 2);
    look->liquid = particles == 1;
    look->smoke = particles == 2;
    within(c, &look->thickness, 0, (double)SN_REAL_MAX);
    within(c, &look->texture_size, 1e-6, (double)SN_REAL_MAX);
    look->texture_byte_count =
        (size_t)choice(c, (int)look->texture_byte_count, SN_IO_TEXTURE_BYTES);
}

static void staging_numbers(cursor *c, sn_io_staging *s, bool first) {
    number(c, &s->picture_at);
    if (first) return;
    within(c, &s->sky_light, 0, 100);
    s->ground = (sn_io_ground)choice(c, (int)s->ground, SN_IO_GROUND_NONE);
    vector(c, &s->ground_colour);
    number(c, &s->ground_height);
    s->background = (sn_io_background)choice(c, (int)s->background, SN_IO_BACKGROUND_PLAIN);
    vector(c, &s->background_colour);
}

/* Goes through all of them. */
static void all_numbers(sn_io_cache_staging *s, bool reading) {
    cursor c = {s->numbers, reading};
    size_t left = s->key_count;
    staging_numbers(&c, &s->staging, s->first);
    for (size_t i = 0; i < s->staging.camera_count; i++)
        camera_numbers(&c, &s->cameras[i], s->keys + (s->key_count - left), &left, s->first);
    for (size_t i = 0; i < s->key_count; i++) key_numbers(&c, &s->keys[i]);
    for (size_t i = 0; i < s->staging.light_count; i++) light_numbers(&c, &s->lights[i]);
    for (size_t i = 0; i < s->look_count; i++) look_numbers(&c, &s->looks[i], s->first, s->second);
}

/* ---- Gathering ---- */

static bool make(sn_io_cache_staging *s, const uint64_t counts[COUNTS]) {
    size_t cameras = (size_t)counts[CAMERAS], looks = (size_t)counts[LOOKS];
    s->staging.camera_count = cameras;
    s->staging.light_count = (size_t)counts[LIGHTS];
    s->look_count = looks;
    s->key_count = (size_t)counts[KEYS];
    s->number_count = (s->first ? OF_FIRST_STAGING : OF_STAGING) +
                      (s->first ? OF_FIRST_CAMERA : OF_CAMERA) * cameras + OF_KEY * s->key_count +
                      OF_LIGHT * s->staging.light_count +
                      (s->first    ? OF_FIRST_LOOK
                       : s->second ? OF_SECOND_LOOK
                                   : OF_LOOK) *
                          looks;
    s->cameras = calloc(cameras + 1, sizeof *s->cameras);
    s->keys = calloc(s->key_count + 1, sizeof *s->keys);
    s->lights = calloc(s->staging.light_count + 1, sizeof *s->lights);
    s->looks = calloc(looks + 1, sizeof *s->looks);
    s->look_names = calloc(looks + 1, sizeof *s->look_names);
    s->numbers = calloc(s->number_count, sizeof *s->numbers);
    s->names = malloc(s->name_bytes + 1);
    s->textures = malloc(s->texture_bytes + 1);
    s->places = calloc(looks + 1, sizeof *s->places);
    s->materials = malloc(s->material_bytes + 1);
    s->staging.cameras = s->cameras;
    s->staging.lights = s->lights;
    return s->cameras && s->keys && s->lights && s->looks && s->look_names && s->numbers &&
           s->names && s->textures && s->places && s->materials;
}

static void add_name(sn_io_cache_staging *s, size_t *at, const char *name) {
    memcpy(s->names + *at, name, strlen(name) + 1);
    *at += strlen(name) + 1;
}

/* One that is too large for a cache is left out. */
static bool has_texture(const sn_io_look *look) {
    return look->texture_bytes && look->texture_byte_count <= SN_IO_TEXTURE_BYTES;
}

/* Whether the second layout says all of it. */
static bool is_plain(const sn_io_look *look) {
    return !has_texture(look) && look->thickness == 0 && !look->liquid && !look->smoke;
}

static void add_texture(sn_io_cache_staging *s, size_t *at, sn_io_look *look) {
    bool has = has_texture(look);
    if (has) memcpy(s->textures + *at, look->texture_bytes, look->texture_byte_count);
    look->texture_byte_count = has ? look->texture_byte_count : 0;
    look->texture_bytes = has ? s->textures + *at : NULL;
    *at += look->texture_byte_count;
}

/* Cameras with their keys, and lights. */
static void gather(sn_io_cache_staging *s, const sn_io_staging *staging, size_t *name) {
    size_t key = 0;
    for (size_t i = 0; i < s->staging.camera_count; i++) {
        const sn_io_camera *camera = &staging->cameras[i];
        s->cameras[i] = *camera;
        s->cameras[i].keys = camera->key_count > 0 ? s->keys + key : NULL;
        for (size_t k = 0; k < camera->key_count; k++) s->keys[key++] = camera->keys[k];
        add_name(s, name, camera->name);
    }
    for (size_t i = 0; i < s->staging.light_count; i++) s->lights[i] = staging->lights[i];
}

/* The look of a shape, and those of its materials after it; null where there is none. */
static const sn_io_look *look_at(const sn_io_shape *shape, size_t place) {
    return place == 0 ? shape->look : &shape->materials[place - 1];
}

/* Counts the looks of a frame, and what they need. */
static size_t count_looks(sn_io_cache_staging *s, const sn_io_frame *frame) {
    size_t looks = 0;
    bool named = false;
    for (const sn_io_shape *shape = frame->shapes; shape < frame->shapes + frame->shape_count;
         shape++)
        for (size_t k = 0; k <= shape->material_count; k++) {
            const sn_io_look *look = look_at(shape, k);
            if (!look) continue;
            looks++;
            s->name_bytes += strlen(shape->name) + 1;
            s->second = s->second && is_plain(look);
            if (has_texture(look)) s->texture_bytes += look->texture_byte_count;
            s->material_bytes += look->material ? strlen(look->material) + 1 : 1;
            named = named || k > 0 || look->material;
        }
    if (!named) s->material_bytes = 0;
    return looks;
}

static void gather_looks(sn_io_cache_staging *s, const sn_io_frame *frame, size_t name) {
    size_t looks = 0, texture = 0, material = 0;
    for (const sn_io_shape *shape = frame->shapes; shape < frame->shapes + frame->shape_count;
         shape++)
        for (size_t k = 0; k <= shape->material_count; k++) {
            if (!look_at(shape, k)) continue;
            sn_io_look *look = &s->looks[looks];
            *look = *look_at(shape, k);
            s->places[looks++] = (uint32_t)k;
            add_texture(s, &texture, look);
            add_name(s, &name, shape->name);
            if (s->material_bytes == 0) continue;
            const char *own = look->material ? look->material : "";
            memcpy(s->materials + material, own, strlen(own) + 1);
            material += strlen(own) + 1;
        }
}

sn_result sn_io_cache_staging_of(const sn_io_frame *frame, sn_io_cache_staging *s, bool *any) {
    const sn_io_staging *staging = frame->staging;
    uint64_t counts[COUNTS] = {0};
    size_t name = 0;
    *s = (sn_io_cache_staging){.staging = staging ? *staging : sn_io_staging_default(),
                               .second = true};
    if (staging) {
        counts[CAMERAS] = staging->camera_count;
        counts[LIGHTS] = staging->light_count;
    }
    for (size_t i = 0; i < counts[CAMERAS]; i++) {
        s->name_bytes += strlen(staging->cameras[i].name) + 1;
        counts[KEYS] += staging->cameras[i].key_count;
    }
    counts[LOOKS] = count_looks(s, frame);
    *any = staging || counts[LOOKS] > 0;
    if (!make(s, counts)) {
        sn_io_cache_staging_free(s);
        return no_memory();
    }
    if (staging) gather(s, staging, &name);
    gather_looks(s, frame, name);
    return SN_OK;
}

/* ---- Writing and reading ---- */

/* Names of what was read; whether there are as many as there must be. */
static bool slice(sn_io_cache_staging *s) {
    size_t at = 0, total = s->staging.camera_count + s->look_count, ends = 0;
    for (size_t i = 0; i < s->name_bytes; i++) ends += s->names[i] == 0;
    if (ends != total || (total > 0 && s->names[s->name_bytes - 1] != 0)) return false;
    for (size_t i = 0; i < total; i++) {
        bool camera = i < s->staging.camera_count;
        const char **name =
            camera ? &s->cameras[i].name : &s->look_names[i - s->staging.camera_count];
        *name = s->names + at;
        at += strlen(s->names + at) + 1;
    }
    return true;
}

/* The same for those of materials, whose looks follow each other. */
static bool slice_materials(sn_io_cache_staging *s) {
    size_t at = 0, ends = 0;
    for (size_t i = 0; i < s->material_bytes; i++) ends += s->materials[i] == 0;
    if (s->material_bytes == 0) return true;
    if (ends != s->look_count || s->materials[s->material_bytes - 1] != 0) return false;
    for (size_t i = 0; i < s->look_count; i++) {
        bool follows = i > 0 && s->places[i] == s->places[i - 1] + 1 &&
                       strcmp(s->look_names[i], s->look_names[i - 1]) == 0;
        if (s->places[i] > 1 && !follows) return false;
        s->looks[i].material = s->materials[at] ? s->materials + at : NULL;
        at += strlen(s->materials + at) + 1;
    }
    return true;
}

/* The same for textures. */
static bool slice_textures(sn_io_cache_staging *s) {
    size_t at = 0;
    for (size_t i = 0; i < s->look_count; i++) {
        size_t count = s->looks[i].texture_byte_count;
        if (count > s->texture_bytes - at) return false;
        s->looks[i].texture_bytes = count > 0 ? s->textures + at : NULL;
        at += count;
    }
    return at == s->texture_bytes;
}

/* Makes room for what the counts say, which nobody has checked yet. */
static void make_read(sn_archive *a, sn_io_cache_staging *s, const uint64_t counts[COUNTS]) {
    size_t numbers = sn_archive_count(a, "numbers");
    s->name_bytes = sn_archive_count(a, "names");
    s->material_bytes = sn_archive_count(a, "materials");
    s->second = counts[LAYOUT] == SECOND_SUM;
    if (!s->first && !s->second) s->texture_bytes = sn_archive_count(a, "textures");
    bool few = true;
    /* A short file must not ask for much. */
    for (int i = 0; i < LAYOUT; i++) few = few && counts[i] <= numbers;
    if (!s->first && !s->second && counts[LAYOUT] != SUM_OF_ALL)
        sn_archive_fail(a, "the layout is %llu, expected %d", (unsigned long long)counts[LAYOUT],
                        SUM_OF_ALL);
    else if (!few || counts[LIGHTS] > SN_IO_LIGHT_MOST)
        sn_archive_fail(a, "there are %zu numbers for %llu cameras and %llu looks", numbers,
                        (unsigned long long)counts[CAMERAS], (unsigned long long)counts[LOOKS]);
    else if (!make(s, counts))
        a->result = no_memory();
}

void sn_io_cache_serialize_staging(sn_archive *a, sn_io_cache_staging *s) {
    uint64_t counts[COUNTS] = {s->staging.camera_count, s->look_count, s->key_count,
                               s->staging.light_count, s->second ? SECOND_SUM : SUM_OF_ALL};
    sn_archive_section(a, "staging");
    if (a->reading) {
        *s = (sn_io_cache_staging){.staging = sn_io_staging_default()};
        memset(counts, 0, sizeof counts);
        s->first = sn_archive_count(a, "counts") == FIRST_COUNTS;
    }
    sn_archive_column(a, "counts", SN_ARCHIVE_U64, counts, s->first ? FIRST_COUNTS : COUNTS);
    if (a->reading && a->result == SN_OK) make_read(a, s, counts);
    if (a->result != SN_OK) return;
    if (!a->reading) all_numbers(s, false);
    sn_archive_column(a, "numbers", SN_ARCHIVE_F64, s->numbers, s->number_count);
    sn_archive_column(a, "names", SN_ARCHIVE_U8, s->names, s->name_bytes);
    if (!s->first && !s->second)
        sn_archive_column(a, "textures", SN_ARCHIVE_U8, s->textures, s->texture_bytes);
    if (s->material_bytes > 0) {
        sn_archive_column(a, "places", SN_ARCHIVE_U32, s->places, s->look_count);
        sn_archive_column(a, "materials", SN_ARCHIVE_U8, s->materials, s->material_bytes);
    }
    sn_archive_section_end(a);
    if (!a->reading || a->result != SN_OK) return;
    all_numbers(s, true);
    bool named = slice(s);
    if (!named) sn_archive_fail(a, "there are not as many names as cameras and looks");
    if (named && !slice_materials(s))
        sn_archive_fail(a, "materials do not follow each other, or not as many as looks");
    if (!slice_textures(s)) sn_archive_fail(a, "textures are longer or shorter than looks say");
}

/* Where the look of a shape or of its first material is; SIZE_MAX where there is none. */
static size_t find(const sn_io_cache_staging *s, const char *name, uint32_t place) {
    for (size_t i = 0; i < s->look_count; i++)
        if (s->places[i] == place && strcmp(s->look_names[i], name) == 0) return i;
    return SIZE_MAX;
}

const sn_io_look *sn_io_cache_find_look(const sn_io_cache_staging *s, const char *name) {
    size_t at = find(s, name, 0);
    return at < SIZE_MAX ? &s->looks[at] : NULL;
}

const sn_io_look *sn_io_cache_find_materials(const sn_io_cache_staging *s, const char *name,
                                             size_t *count) {
    size_t at = find(s, name, 1);
    *count = 0;
    if (at == SIZE_MAX) return NULL;
    while (at + *count < s->look_count && s->places[at + *count] == *count + 1) ++*count;
    return &s->looks[at];
}
