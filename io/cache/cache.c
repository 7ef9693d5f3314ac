/*
 * Reads caches. Opening walks from section to section and notes where the frames are; a frame is
 * read and checked when it is asked for, with its topology if that is another one.
 *
 * Where the walk finds something wrong, it is the end of a file that was being written, or damage.
 * The difference is whether anything complete follows.
 */
#define _POSIX_C_SOURCE 200809L

#include "io/animation/export.h"
#include "io/animation/place.h"
#include "io/cache/cache_parts.h"
#include "io/cache/cache_staging.h"

#include <sinew/support.h>
#include <sinew_io/cache.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A section in the file, with its head. */
typedef struct place {
    uint64_t at, size;
    size_t topology; /* of a frame: index of its topology */
} place;

typedef struct places {
    place *items;
    size_t count, capacity;
} places;

struct sn_io_cache {
    FILE *stream;
    char *path;
    uint64_t size;
    places frames, topologies;
    sn_io_cache_info info;
    /* What is at hand. */
    size_t current; /* index of the topology; SIZE_MAX for none */
    sn_io_cache_topology topology;
    sn_io_cache_values values;
    sn_io_shape *shapes;
    sn_io_rigid *rigid;              /* per shape, of those with own vertices */
    sn_vec3 *positions, *velocities; /* of these, where they are */
    bool staged;
    sn_io_cache_staging staging; /* where it is staged */
};

/* ---- Sections ---- */

static uint64_t number_at(const uint8_t *data) {
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) number |= (uint64_t)data[i] << (8 * i);
    return number;
}

static bool read_bytes(const sn_io_cache *c, uint64_t at, void *to, size_t size) {
    return fseeko(c->stream, (off_t)at, SEEK_SET) == 0 && fread(to, 1, size, c->stream) == size;
}

/* Reads a whole section, to be freed, for an archive that begins with it. */
static sn_result read_section(const sn_io_cache *c, const place *p, sn_archive *a, uint8_t **data) {
    *data = NULL;
    if (p->size < SIZE_MAX) *data = malloc((size_t)p->size);
    if (!*data) return sn_fail(SN_ERROR_MEMORY, "cache \"%s\": no memory", c->path);
    if (!read_bytes(c, p->at, *data, (size_t)p->size)) {
        free(*data);
        *data = NULL;
        return sn_fail(SN_ERROR_FILE, "cannot read \"%s\" at byte %llu", c->path,
                       (unsigned long long)p->at);
    }
    *a = (sn_archive){.what = "section", .reading = true, .from = *data, .size = (size_t)p->size};
    return SN_OK;
}

/* Fails within what failed, with the place. */
static sn_result fail_at(const sn_io_cache *c, sn_result result, uint64_t at) {
    return sn_fail_within(result, "cache \"%s\", from byte %llu on", c->path,
                          (unsigned long long)at);
}

/* Whether the bytes of a section are what they were. */
static sn_result check_section(const sn_io_cache *c, const place *p) {
    sn_archive a;
    uint8_t *data;
    SN_TRY(read_section(c, p, &a, &data));
    sn_archive_section_any(&a);
    free(data);
    return a.result;
}

/* ---- Opening ---- */

typedef enum kind { NOTHING, RATE, STAGING, TOPOLOGY, FRAME, END } kind;

static kind kind_of(const uint8_t name[SN_IO_SECTION_NAME]) {
    static const char names[][SN_IO_SECTION_NAME + 1] = {"",         "cache\0\0", "staging",
                                                         "topology", "frame\0\0", "end\0\0\0\0"};
    for (int i = RATE; i <= END; i++)
        if (memcmp(name, names[i], SN_IO_SECTION_NAME) == 0) return (kind)i;
    return NOTHING;
}

/* The section that begins here, if one can. */
static kind section_at(const sn_io_cache *c, uint64_t at, place *p) {
    uint8_t head[SN_IO_SECTION_HEAD];
    if (c->size - at < sizeof head || !read_bytes(c, at, head, sizeof head)) return NOTHING;
    uint64_t length = number_at(head + SN_IO_SECTION_NAME);
    if (length > c->size - at - sizeof head) return NOTHING;
    *p = (place){.at = at, .size = sizeof head + length};
    return kind_of(head);
}

static sn_result add_place(places *list, place p) {
    place *grown = sn_io_export_grow(list->items, &list->capacity, list->count, sizeof p);
    if (!grown) return sn_fail(SN_ERROR_MEMORY, "cache: no memory");
    list->items = grown;
    list->items[list->count++] = p;
    return SN_OK;
}

/* Looks for a complete section after a place. False positives would need the right hash; what only
   looks like one is tried a few times, or a hostile file could take for ever. */
static bool anything_follows(const sn_io_cache *c, uint64_t at) {
    uint8_t block[1 << 12];
    int tries = 0;
    for (at++; c->size - at >= SN_IO_SECTION_HEAD && tries < 64;) {
        size_t size = c->size - at < sizeof block ? (size_t)(c->size - at) : sizeof block;
        if (!read_bytes(c, at, block, size)) return false;
        size_t last = size - SN_IO_SECTION_NAME;
        for (size_t i = 0; i <= last && tries < 64; i++) {
            place p;
            if (kind_of(block + i) == NOTHING || section_at(c, at + i, &p) == NOTHING) continue;
            tries++;
            if (check_section(c, &p) == SN_OK) return true;
        }
        at += last + 1;
    }
    return false;
}

static bool read_staging(sn_io_cache *c, const place *p) {
    sn_archive a;
    uint8_t *data;
    if (c->staged || c->topologies.count > 0 || read_section(c, p, &a, &data) != SN_OK)
        return false;
    sn_io_cache_serialize_staging(&a, &c->staging);
    free(data);
    c->staged = a.result == SN_OK;
    if (!c->staged) sn_io_cache_staging_free(&c->staging);
    return c->staged;
}

/* Notes the section at a place; whether it makes sense there. */
static bool note_section(sn_io_cache *c, kind k, place p, sn_result *result) {
    switch (k) {
    case STAGING:
        return read_staging(c, &p);
    case TOPOLOGY:
        if (check_section(c, &p) != SN_OK) return false;
        *result = add_place(&c->topologies, p);
        return true;
    case FRAME:
        if (c->topologies.count == 0) return false;
        p.topology = c->topologies.count - 1;
        *result = add_place(&c->frames, p);
        return true;
    case END:
        c->info.complete = p.at + p.size == c->size && check_section(c, &p) == SN_OK;
        return c->info.complete;
    default:
        return false;
    }
}

/* The last frame may be all there in length but not in content, where a machine lost its power. */
static void check_last_frame(sn_io_cache *c) {
    if (c->info.complete || c->frames.count == 0) return;
    const place *last = &c->frames.items[c->frames.count - 1];
    if (last->at + last->size + c->info.lost != c->size || check_section(c, last) == SN_OK) return;
    c->info.lost += last->size;
    c->frames.count--;
}

static sn_result walk(sn_io_cache *c, uint64_t at) {
    sn_result result = SN_OK;
    while (at < c->size && result == SN_OK && !c->info.complete) {
        place p = {.at = at};
        kind k = section_at(c, at, &p);
        if (note_section(c, k, p, &result)) {
            at += p.size;
        } else if (anything_follows(c, at)) {
            return sn_fail(SN_ERROR_DATA,
                           "cache \"%s\": it is damaged at byte %llu, after %zu frames, and more "
                           "follow",
                           c->path, (unsigned long long)at, c->frames.count);
        } else {
            c->info.lost = c->size - at;
            break;
        }
    }
    check_last_frame(c);
    c->info.frame_count = c->frames.count;
    return result;
}

static sn_result read_head(sn_io_cache *c, uint64_t *end) {
    uint8_t head[SN_IO_CACHE_HEAD];
    sn_archive a;
    uint8_t *data;
    place p;
    size_t size = c->size < sizeof head ? (size_t)c->size : sizeof head;
    if (!read_bytes(c, 0, head, size)) return sn_fail(SN_ERROR_FILE, "cannot read \"%s\"", c->path);
    sn_archive_read(&a, "cache", SN_IO_CACHE_KIND, head, size);
    if (a.result != SN_OK) return sn_fail_within(a.result, "\"%s\"", c->path);
    if (section_at(c, size, &p) != RATE)
        return sn_fail(SN_ERROR_DATA, "cache \"%s\": it is cut off or damaged at byte %zu", c->path,
                       size);
    SN_TRY(read_section(c, &p, &a, &data));
    sn_io_cache_serialize_rate(&a, &c->info.fps);
    free(data);
    *end = size + p.size;
    return a.result == SN_OK ? SN_OK : fail_at(c, a.result, size);
}

/* What it is called, and how long it is. */
static sn_result measure(sn_io_cache *c, const char *name) {
    size_t length = strlen(name) + 1;
    c->path = malloc(length);
    if (!c->path) return sn_fail(SN_ERROR_MEMORY, "cache: no memory");
    memcpy(c->path, name, length);
    off_t size = fseeko(c->stream, 0, SEEK_END) == 0 ? ftello(c->stream) : -1;
    if (size < 0)
        return sn_fail(SN_ERROR_FILE, "cannot read the cache \"%s\": %s", name, strerror(errno));
    c->size = (uint64_t)size;
    return SN_OK;
}

sn_result sn_io_cache_open_stream(FILE *stream, const char *name, sn_io_cache **out) {
    uint64_t at = 0;
    *out = NULL;
    sn_io_cache *c = calloc(1, sizeof *c);
    if (!c) {
        fclose(stream);
        return sn_fail(SN_ERROR_MEMORY, "cache: no memory");
    }
    c->stream = stream;
    c->current = SIZE_MAX;
    sn_result result = measure(c, name);
    if (result == SN_OK) result = read_head(c, &at);
    if (result == SN_OK) result = walk(c, at);
    if (result != SN_OK) {
        sn_io_cache_close(c);
        return result;
    }
    *out = c;
    return SN_OK;
}

sn_result sn_io_cache_open(const char *path, sn_io_cache **out) {
    if (!path || !out) return sn_fail(SN_ERROR_NULL, "cache: %s is null", path ? "out" : "path");
    *out = NULL;
    SN_TRY(sn_io_file_expect("the cache", path));
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return sn_fail(SN_ERROR_FILE, "cannot read the cache \"%s\": %s", path, strerror(errno));
    return sn_io_cache_open_stream(stream, path, out);
}

void sn_io_cache_close(sn_io_cache *cache) {
    if (!cache) return;
    if (cache->stream) fclose(cache->stream);
    sn_io_cache_topology_free(&cache->topology);
    sn_io_cache_values_free(&cache->values);
    sn_io_cache_staging_free(&cache->staging);
    free(cache->shapes);
    free(cache->rigid);
    free(cache->positions);
    free(cache->velocities);
    free(cache->frames.items);
    free(cache->topologies.items);
    free(cache->path);
    free(cache);
}

sn_io_cache_info sn_io_cache_get_info(const sn_io_cache *cache) {
    return cache ? cache->info : (sn_io_cache_info){0};
}

/* ---- Frames ---- */

/* Where the next of each is in the topology. */
typedef struct marks {
    size_t crease, uv, colour, material, group;
} marks;

/* The materials of its triangles, which the staging must know. */
static void mark_materials(const sn_io_cache *c, size_t *at, sn_io_shape *s) {
    const uint32_t *of = c->topology.materials + *at;
    size_t count = 0;
    const sn_io_look *looks =
        c->staged ? sn_io_cache_find_materials(&c->staging, s->name, &count) : NULL;
    *at += s->triangle_count;
    for (size_t i = 0; i < s->triangle_count; i++)
        if (of[i] >= count) return;
    s->material_count = count;
    s->materials = looks;
    s->triangle_materials = count > 0 ? of : NULL;
}

/* How the surface of a shape is drawn. */
static void mark(const sn_io_cache *c, size_t i, marks *at, sn_io_shape *s) {
    const sn_io_cache_topology *t = &c->topology;
    if (c->staged) s->look = sn_io_cache_find_look(&c->staging, s->name);
    if (t->groups.total > 0) {
        s->group_count = (size_t)t->groups.counts[i];
        s->groups = t->groups.views + at->group;
        at->group += s->group_count;
    }
    if (!t->marks) return;
    s->creased = t->marks[i] & SN_IO_MARK_CREASED;
    s->crease_count = (size_t)t->creases[i];
    s->creases = (const uint32_t(*)[2])(t->crease_corners + at->crease);
    at->crease += s->crease_count;
    if (t->marks[i] & SN_IO_MARK_COLOURS) {
        s->colours = t->colours + at->colour;
        at->colour += s->vertex_count;
    }
    if (t->marks[i] & SN_IO_MARK_MATERIALS) mark_materials(c, &at->material, s);
    if (!(t->marks[i] & SN_IO_MARK_UVS)) return;
    s->uvs = (const sn_real(*)[2])(t->uvs + at->uv);
    at->uv += s->vertex_count;
}

/* A shape whose vertices are its own, where its pose has them. `at` is the first of them, and is
   moved on; `motion` is null where the frame has its vertices itself. */
static void place_own(const sn_io_cache *c, size_t i, size_t *at, const sn_io_cache_motion *motion,
                      sn_io_shape *s) {
    if (motion) {
        c->rigid[i] = (sn_io_rigid){.vertex_count = s->vertex_count,
                                    .vertices = c->topology.own + *at,
                                    .velocity = motion->velocity,
                                    .angular_velocity = motion->angular_velocity};
        bool moving = c->values.has[i] & SN_IO_HAS_VELOCITIES;
        sn_io_place(s->pose, &c->rigid[i], c->positions + *at, moving ? c->velocities + *at : NULL);
        s->rigid = &c->rigid[i];
        s->positions = c->positions + *at;
        s->velocities = moving ? c->velocities + *at : NULL;
    }
    *at += s->vertex_count;
}

/* The shapes, as views of topology and values. */
static void slice(sn_io_cache *c) {
    const sn_io_cache_topology *t = &c->topology;
    const sn_io_cache_values *v = &c->values;
    const char *name = t->names;
    size_t vertex = 0, moving = 0, strained = 0, round = 0, triangle = 0, line = 0, tet = 0;
    size_t posed = 0, own = 0, rigid = 0;
    marks at = {0};
    for (size_t i = 0; i < t->shapes; i++) {
        size_t count = (size_t)t->vertices[i];
        bool placed = v->has[i] & SN_IO_HAS_OWN;
        sn_io_shape s = {.name = name,
                         .vertex_count = count,
                         .positions = v->positions + vertex,
                         .triangle_count = (size_t)t->triangles[i],
                         .triangles = (const uint32_t(*)[3])(t->triangle_corners + triangle),
                         .line_count = (size_t)t->lines[i],
                         .lines = (const uint32_t(*)[2])(t->line_corners + line),
                         .tet_count = (size_t)t->tets[i],
                         .tets = (const uint32_t(*)[4])(t->tet_corners + tet),
                         .topology = t->ids[i]};
        if ((v->has[i] & SN_IO_HAS_VELOCITIES) && !placed) {
            s.velocities = v->velocities + moving;
            moving += count;
        }
        if (v->has[i] & SN_IO_HAS_STRAIN) {
            s.strain = v->strain + strained;
            strained += count;
        }
        if (v->has[i] & SN_IO_HAS_RADII) {
            s.radii = v->radii + round;
            round += count;
        }
        if (v->has[i] & SN_IO_HAS_POSE) s.pose = &v->poses[posed++];
        if (t->marks && (t->marks[i] & SN_IO_MARK_OWN))
            place_own(c, i, &own, placed ? &v->motions[rigid++] : NULL, &s);
        mark(c, i, &at, &s);
        c->shapes[i] = s;
        name += strlen(name) + 1;
        vertex += placed ? 0 : count;
        triangle += s.triangle_count;
        line += s.line_count;
        tet += s.tet_count;
    }
}

static sn_result read_topology(sn_io_cache *c, size_t index) {
    const place *p = &c->topologies.items[index];
    sn_archive a;
    uint8_t *data;
    c->current = SIZE_MAX;
    sn_io_cache_topology_free(&c->topology);
    SN_TRY(read_section(c, p, &a, &data));
    sn_io_cache_serialize_topology(&a, &c->topology);
    free(data);
    if (a.result != SN_OK) return fail_at(c, a.result, p->at);
    free(c->shapes);
    free(c->rigid);
    free(c->positions);
    free(c->velocities);
    size_t shapes = c->topology.shapes + 1, own = c->topology.own_total + 1;
    c->shapes = malloc(shapes * sizeof *c->shapes);
    c->rigid = malloc(shapes * sizeof *c->rigid);
    c->positions = malloc(own * sizeof *c->positions);
    c->velocities = malloc(own * sizeof *c->velocities);
    if (!c->shapes || !c->rigid || !c->positions || !c->velocities)
        return sn_fail(SN_ERROR_MEMORY, "cache: no memory");
    return SN_OK;
}

static sn_result read_values(sn_io_cache *c, const place *p) {
    sn_archive a;
    uint8_t *data;
    sn_io_cache_values_free(&c->values);
    SN_TRY(read_section(c, p, &a, &data));
    sn_io_cache_serialize_values(&a, &c->values, &c->topology);
    free(data);
    return a.result == SN_OK ? SN_OK : fail_at(c, a.result, p->at);
}

sn_result sn_io_cache_frame(sn_io_cache *cache, size_t index, sn_io_frame *frame) {
    if (!cache || !frame)
        return sn_fail(SN_ERROR_NULL, "cache: %s is null", cache ? "frame" : "cache");
    *frame = (sn_io_frame){0};
    if (index >= cache->frames.count)
        return sn_fail(SN_ERROR_VALUE, "cache \"%s\": frame %zu is asked for, but it has %zu",
                       cache->path, index, cache->frames.count);
    const place *p = &cache->frames.items[index];
    bool fresh = p->topology != cache->current;
    if (fresh) SN_TRY(read_topology(cache, p->topology));
    SN_TRY(read_values(cache, p));
    slice(cache);
    *frame = (sn_io_frame){.number = cache->values.number,
                           .time = cache->values.time,
                           .shape_count = cache->topology.shapes,
                           .shapes = cache->shapes,
                           .staging = cache->staged ? &cache->staging.staging : NULL};
    /* Names and elements are those of the topology, and are looked at once; poses change. */
    if ((fresh || cache->values.posed > 0) && sn_io_frame_check(frame) != SN_OK) {
        *frame = (sn_io_frame){0};
        return fail_at(cache, SN_ERROR_DATA,
                       fresh ? cache->topologies.items[p->topology].at : p->at);
    }
    cache->current = p->topology;
    return SN_OK;
}
