/*
 * Sinew's own cache (cache_parts.h). Every frame is one write to the end of the file itself, so
 * that whatever stops the program leaves complete frames; a write that fails is cut off again.
 */
#define _POSIX_C_SOURCE 200809L

#include "io/animation/export.h"
#include "io/cache/cache_parts.h"
#include "io/cache/cache_staging.h"

#include <sinew/support.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct cache {
    FILE *stream;
    char *path;
    uint64_t size;     /* of what is complete */
    uint64_t topology; /* which one the last frame had, as a hash */
    size_t slot;       /* in the files that were written */
} cache;

/* ---- Bytes ---- */

/* Writes bytes after what is complete, or nothing. */
static sn_result append(cache *c, const uint8_t *data, size_t size) {
    errno = 0;
    bool written = fseeko(c->stream, (off_t)c->size, SEEK_SET) == 0 &&
                   fwrite(data, 1, size, c->stream) == size && fflush(c->stream) == 0;
    if (written) {
        c->size += size;
        return SN_OK;
    }
    int number = errno;
    clearerr(c->stream);
    if (ftruncate(fileno(c->stream), (off_t)c->size) != 0) {
        /* The reader finds that the end is damaged. */
    }
    return sn_fail(SN_ERROR_FILE, "cannot write \"%s\": %s", c->path, strerror(number));
}

/* What is written: the parts that are there, in this order. */
typedef struct parts {
    double *fps; /* with the head of the file */
    sn_io_cache_staging *staging;
    sn_io_cache_topology *topology;
    sn_io_cache_values *values;
    bool end;
} parts;

static sn_result write_parts(const parts *p, uint8_t *to, size_t capacity, size_t *size) {
    sn_archive a;
    if (p->fps) {
        sn_archive_write(&a, "cache", SN_IO_CACHE_KIND, to, capacity);
        sn_io_cache_serialize_rate(&a, p->fps);
    } else {
        sn_archive_append(&a, "cache", to, capacity);
    }
    if (p->staging) sn_io_cache_serialize_staging(&a, p->staging);
    if (p->topology) sn_io_cache_serialize_topology(&a, p->topology);
    if (p->values) sn_io_cache_serialize_values(&a, p->values, p->topology);
    if (p->end) sn_archive_finish(&a);
    *size = a.size;
    return a.result;
}

static sn_result append_parts(cache *c, const parts *p) {
    size_t size;
    SN_TRY(write_parts(p, NULL, 0, &size));
    uint8_t *data = malloc(size);
    if (!data) return sn_io_export_no_memory();
    sn_result result = write_parts(p, data, size, &size);
    if (result == SN_OK) result = append(c, data, size);
    free(data);
    return result;
}

/* ---- The format ---- */

static sn_result open_cache(sn_io_export *e) {
    cache *c = calloc(1, sizeof *c);
    if (!c) return sn_io_export_no_memory();
    e->state = c;
    c->slot = SIZE_MAX;
    c->path = sn_io_export_path(e, ".snc");
    if (!c->path) return SN_ERROR_MEMORY;
    c->stream = fopen(c->path, "wb");
    if (!c->stream)
        return sn_fail(SN_ERROR_FILE, "cannot write \"%s\": %s", c->path, strerror(errno));
    return append_parts(c, &(parts){.fps = &e->fps});
}

/* Bodies that change their size have other vertices in their frames. */
static uint64_t own_hash(uint64_t hash, const sn_io_shape *s) {
    if (!sn_io_cache_has_own(s)) return sn_hash_word(hash, 0);
    const sn_real *x = (const sn_real *)s->rigid->vertices;
    for (size_t i = 0; i < 3 * s->vertex_count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, &x[i], sizeof x[i]);
        hash = sn_hash_word(hash, bits);
    }
    return hash;
}

/* Whether two frames have the same elements. */
static uint64_t topology_hash(const sn_io_frame *frame) {
    uint64_t hash = sn_hash_word(1, frame->shape_count);
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        for (const char *c = s->name; *c; c++) hash = sn_hash_word(hash, (uint8_t)*c);
        hash = sn_hash_word(hash, s->topology);
        hash = sn_hash_word(hash, s->vertex_count);
        hash = sn_hash_word(hash, s->triangle_count);
        hash = sn_hash_word(hash, s->line_count);
        hash = sn_hash_word(hash, s->tet_count);
        hash = own_hash(hash, s);
    }
    return hash;
}

/* The file is one of those that were written from its first frame on. */
static void note(sn_io_export *e, cache *c) {
    if (c->slot == SIZE_MAX) {
        c->slot = e->file_count;
        sn_io_export_note(e, c->path, c->size);
    }
    e->files[c->slot].bytes = c->size;
}

static sn_result add_frame(sn_io_export *e, const sn_io_frame *frame) {
    cache *c = e->state;
    uint64_t hash = topology_hash(frame);
    bool changed = c->slot == SIZE_MAX || hash != c->topology;
    sn_io_cache_topology topology = {0};
    sn_io_cache_values values = {0};
    sn_io_cache_staging staging = {0};
    bool staged = false;
    SN_TRY(sn_io_export_reserve(e));
    sn_result result = changed ? sn_io_cache_topology_of(frame, &topology) : SN_OK;
    if (result == SN_OK && c->slot == SIZE_MAX)
        result = sn_io_cache_staging_of(frame, &staging, &staged);
    if (result == SN_OK) result = sn_io_cache_values_of(frame, &values);
    if (result == SN_OK)
        result = append_parts(c, &(parts){.staging = staged ? &staging : NULL,
                                          .topology = changed ? &topology : NULL,
                                          .values = &values});
    sn_io_cache_staging_free(&staging);
    sn_io_cache_topology_free(&topology);
    sn_io_cache_values_free(&values);
    if (result != SN_OK) return result;
    c->topology = hash;
    note(e, c);
    return SN_OK;
}

static sn_result close_cache(sn_io_export *e) {
    cache *c = e->state;
    if (e->frames == 0) return SN_OK;
    sn_result result = append_parts(c, &(parts){.end = true});
    note(e, c);
    if (fclose(c->stream) != 0 && result == SN_OK)
        result = sn_fail(SN_ERROR_FILE, "cannot write \"%s\": %s", c->path, strerror(errno));
    c->stream = NULL;
    return result;
}

/* The frames stay; a file without any goes. */
static void free_cache(sn_io_export *e) {
    cache *c = e->state;
    if (!c) return;
    if (c->stream) fclose(c->stream);
    if (c->slot == SIZE_MAX) {
        if (c->stream) remove(c->path);
        free(c->path);
    }
    free(c);
}

const sn_io_exporter sn_io_exporter_cache = {.open = open_cache,
                                             .frame = add_frame,
                                             .close = close_cache,
                                             .free = free_cache,
                                             .single = true};
