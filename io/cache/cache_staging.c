#include "io/cache/cache_staging.h"

#include <stdlib.h>
#include <string.h>

/* Numbers in the file: of the staging, of a camera, of a look; and of a look in caches of the first
   layout, which have two counts alone. */
enum { OF_STAGING = 1, OF_CAMERA = 10, OF_LOOK = 16, OF_FIRST_LOOK = 6, COUNTS = 3 };

/* What is automatic, in either precision. */
static const double automatic = -1e300;

void sn_io_cache_staging_free(sn_io_cache_staging *s) {
    free(s->cameras);
    free(s->looks);
    free((void *)s->look_names);
    free(s->names);
    free(s->numbers);
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

static void camera_numbers(cursor *c, sn_io_camera *camera) {
    vector(c, &camera->eye);
    vector(c, &camera->target);
    vector(c, &camera->up);
    number(c, &camera->field_of_view);
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

static void look_numbers(cursor *c, sn_io_look *look, size_t count) {
    if (c->reading) *look = sn_io_look_default();
    vector(c, &look->colour);
    vector(c, &look->back);
    if (count == OF_FIRST_LOOK) return;
    look->weave = (sn_io_weave)choice(c, (int)look->weave, SN_IO_WEAVE_KNIT);
    within(c, &look->thread, 1e-6, 1);
    look->pattern = (sn_io_pattern)choice(c, (int)look->pattern, SN_IO_PATTERN_SQUARES);
    vector(c, &look->pattern_colour);
    within(c, &look->pattern_width, 1e-6, (double)SN_REAL_MAX);
    within(c, &look->opacity, 0, 1);
    within(c, &look->sheen, 0, 1);
    within(c, &look->roughness, 0, 1);
}

/* Goes through all of them. */
static void all_numbers(sn_io_cache_staging *s, bool reading) {
    cursor c = {s->numbers, reading};
    number(&c, &s->staging.picture_at);
    for (size_t i = 0; i < s->staging.camera_count; i++) camera_numbers(&c, &s->cameras[i]);
    for (size_t i = 0; i < s->look_count; i++) look_numbers(&c, &s->looks[i], s->of_look);
}

/* ---- Gathering ---- */

static bool make(sn_io_cache_staging *s, size_t cameras, size_t looks) {
    s->staging.camera_count = cameras;
    s->look_count = looks;
    s->number_count = OF_STAGING + OF_CAMERA * cameras + s->of_look * looks;
    s->cameras = calloc(cameras + 1, sizeof *s->cameras);
    s->looks = calloc(looks + 1, sizeof *s->looks);
    s->look_names = calloc(looks + 1, sizeof *s->look_names);
    s->numbers = calloc(s->number_count, sizeof *s->numbers);
    s->names = malloc(s->name_bytes + 1);
    s->staging.cameras = s->cameras;
    return s->cameras && s->looks && s->look_names && s->numbers && s->names;
}

static void add_name(sn_io_cache_staging *s, size_t *at, const char *name) {
    memcpy(s->names + *at, name, strlen(name) + 1);
    *at += strlen(name) + 1;
}

sn_result sn_io_cache_staging_of(const sn_io_frame *frame, sn_io_cache_staging *s, bool *any) {
    const sn_io_staging *staging = frame->staging;
    size_t cameras = staging ? staging->camera_count : 0, looks = 0, name = 0;
    *s = (sn_io_cache_staging){.staging = staging ? *staging : sn_io_staging_default(),
                               .of_look = OF_LOOK};
    for (size_t i = 0; i < cameras; i++) s->name_bytes += strlen(staging->cameras[i].name) + 1;
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *shape = &frame->shapes[i];
        if (!shape->look) continue;
        looks++;
        s->name_bytes += strlen(shape->name) + 1;
    }
    *any = staging || looks > 0;
    if (!make(s, cameras, looks)) {
        sn_io_cache_staging_free(s);
        return no_memory();
    }
    for (size_t i = 0; i < cameras; i++) {
        s->cameras[i] = staging->cameras[i];
        add_name(s, &name, staging->cameras[i].name);
    }
    looks = 0;
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *shape = &frame->shapes[i];
        if (!shape->look) continue;
        s->looks[looks++] = *shape->look;
        add_name(s, &name, shape->name);
    }
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

void sn_io_cache_serialize_staging(sn_archive *a, sn_io_cache_staging *s) {
    /* The third says how many numbers a look has. */
    uint64_t counts[COUNTS] = {s->staging.camera_count, s->look_count, OF_LOOK};
    sn_archive_section(a, "staging");
    size_t given = COUNTS;
    if (a->reading) {
        given = sn_archive_count(a, "counts") == 2 ? 2 : COUNTS;
        *s = (sn_io_cache_staging){.staging = sn_io_staging_default(),
                                   .of_look = given == 2 ? OF_FIRST_LOOK : OF_LOOK};
    }
    sn_archive_column(a, "counts", SN_ARCHIVE_U64, counts, given);
    if (a->reading && a->result == SN_OK) {
        size_t numbers = sn_archive_count(a, "numbers");
        s->name_bytes = sn_archive_count(a, "names");
        /* A short file must not ask for much. */
        if (given == COUNTS && counts[2] != OF_LOOK)
            sn_archive_fail(a, "a look has %llu numbers, expected %d",
                            (unsigned long long)counts[2], OF_LOOK);
        else if (counts[0] > numbers || counts[1] > numbers)
            sn_archive_fail(a, "there are %zu numbers for %llu cameras and %llu looks", numbers,
                            (unsigned long long)counts[0], (unsigned long long)counts[1]);
        else if (!make(s, (size_t)counts[0], (size_t)counts[1]))
            a->result = no_memory();
    }
    if (a->result != SN_OK) return;
    if (!a->reading) all_numbers(s, false);
    sn_archive_column(a, "numbers", SN_ARCHIVE_F64, s->numbers, s->number_count);
    sn_archive_column(a, "names", SN_ARCHIVE_U8, s->names, s->name_bytes);
    sn_archive_section_end(a);
    if (!a->reading || a->result != SN_OK) return;
    all_numbers(s, true);
    if (!slice(s)) sn_archive_fail(a, "there are not as many names as cameras and looks");
}

const sn_io_look *sn_io_cache_find_look(const sn_io_cache_staging *s, const char *name) {
    for (size_t i = 0; i < s->look_count; i++)
        if (strcmp(s->look_names[i], name) == 0) return &s->looks[i];
    return NULL;
}
