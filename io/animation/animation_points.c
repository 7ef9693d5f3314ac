/*
 * Point caches: positions of the vertices of a mesh, sample after sample.
 *
 *   PC2   "POINTCACHE2\0"  version 1  points  first frame (float)  frames per sample (float)
 *         samples  x y z of every point, sample after sample; little endian
 *   MDD   samples  points  time of each (float)  x y z of every point, sample after sample;
 *         big endian
 *
 * Between samples points go straight ahead.
 */
#include "io/animation/animation.h"

#include "io/mesh/read_scalar.h"

#include <math.h>
#include <stdlib.h>

typedef struct point_cache {
    double *times; /* s */
    size_t samples, points;
    float *x;
} point_cache;

static void sample_points(void *state, double time, double *x) {
    const point_cache *c = state;
    double share;
    size_t i = sn_animation_find(c->times, c->samples, time, &share);
    const float *from = c->x + 3 * c->points * i, *to = share > 0 ? from + 3 * c->points : from;
    for (size_t k = 0; k < 3 * c->points; k++)
        x[k] = (double)from[k] + share * ((double)to[k] - (double)from[k]);
}

static void free_points(void *state) {
    point_cache *c = state;
    if (!c) return;
    free(c->times);
    free(c->x);
    free(c);
}

/* What both have after their heads: all numbers are there, and finite. */
static sn_result read_points(const sn_source *source, size_t at, bool is_big, point_cache *c) {
    size_t count = 3 * c->points * c->samples;
    c->x = sn_animation_take(count, sizeof *c->x);
    if (!c->x) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        c->x[i] = sn_scalar_f32(source->data + at + 4 * i, is_big);
        if (!isfinite(c->x[i]))
            return sn_source_fail(source, at + 4 * i,
                                  "point %zu of sample %zu is at %g, expected a finite number",
                                  i / 3 % c->points, i / 3 / c->points, (double)c->x[i]);
    }
    return SN_OK;
}

/* Fails unless exactly `samples` with `points` each, of which each sample takes `more` bytes
   besides, follow a head of this size. */
static sn_result check_size(const sn_source *source, size_t head, int64_t samples, int64_t points,
                            uint64_t more, size_t at) {
    if (samples < 1 || points < 1)
        return sn_source_fail(source, at, "%lld samples of %lld points, expected one of each",
                              (long long)samples, (long long)points);
    uint64_t each = 12 * (uint64_t)points + more, room = source->size - head;
    if ((uint64_t)samples > room / each || (uint64_t)samples * each != room)
        return sn_source_fail(source, at,
                              "%lld samples of %lld points are promised, and %zu bytes follow",
                              (long long)samples, (long long)points, (size_t)room);
    return SN_OK;
}

static sn_result begin(sn_io_animation *a, size_t samples, size_t points, point_cache **cache) {
    point_cache *c = sn_animation_take(1, sizeof *c);
    a->state = *cache = c;
    a->free = free_points;
    a->sample = sample_points;
    if (!c) return SN_ERROR_MEMORY;
    a->point_count = c->points = points;
    c->samples = samples;
    c->times = sn_animation_take(samples, sizeof *c->times);
    return c->times ? SN_OK : SN_ERROR_MEMORY;
}

static void end(sn_io_animation *a, const point_cache *c) {
    a->begin = c->times[0];
    a->end = c->times[c->samples - 1];
}

sn_result sn_animation_open_pc2(const sn_source *source, const sn_io_animation_def *def,
                                sn_io_build *build, sn_io_animation *a) {
    enum { HEAD = 32 };
    (void)build;
    if (source->size < HEAD || memcmp(source->data, "POINTCACHE2", 12) != 0)
        return sn_source_fail(source, 0, "the file does not begin with \"POINTCACHE2\"");
    int64_t version = sn_scalar_integer(source->data + 12, SCALAR_I32, false);
    int64_t points = sn_scalar_integer(source->data + 16, SCALAR_I32, false);
    int64_t samples = sn_scalar_integer(source->data + 28, SCALAR_I32, false);
    double first = (double)sn_scalar_f32(source->data + 20, false);
    double rate = (double)sn_scalar_f32(source->data + 24, false);
    if (version != 1)
        return sn_source_fail(source, 12, "found version %lld of the format, expected 1",
                              (long long)version);
    if (!isfinite(first) || !(rate > 0 && isfinite(rate)))
        return sn_source_fail(source, 20,
                              "it begins at frame %g with %g frames per sample, expected above 0",
                              first, rate);
    SN_TRY(check_size(source, HEAD, samples, points, 0, 16));
    point_cache *c;
    SN_TRY(begin(a, (size_t)samples, (size_t)points, &c));
    for (size_t i = 0; i < c->samples; i++) c->times[i] = (first + (double)i * rate) / def->fps;
    end(a, c);
    return read_points(source, HEAD, false, c);
}

sn_result sn_animation_open_mdd(const sn_source *source, const sn_io_animation_def *def,
                                sn_io_build *build, sn_io_animation *a) {
    enum { HEAD = 8 };
    (void)build, (void)def;
    if (source->size < HEAD)
        return sn_source_fail(source, 0, "the file has %zu bytes, expected a head of 8",
                              source->size);
    int64_t samples = sn_scalar_integer(source->data, SCALAR_I32, true);
    int64_t points = sn_scalar_integer(source->data + 4, SCALAR_I32, true);
    SN_TRY(check_size(source, HEAD, samples, points, 4, 0));
    point_cache *c;
    SN_TRY(begin(a, (size_t)samples, (size_t)points, &c));
    for (size_t i = 0; i < c->samples; i++) {
        c->times[i] = (double)sn_scalar_f32(source->data + HEAD + 4 * i, true);
        if (!isfinite(c->times[i]) || (i > 0 && !(c->times[i] > c->times[i - 1])))
            return sn_source_fail(source, HEAD + 4 * i,
                                  "the time of sample %zu is %g s, expected one after the last", i,
                                  c->times[i]);
    }
    end(a, c);
    return read_points(source, HEAD + 4 * c->samples, true, c);
}
