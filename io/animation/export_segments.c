#include "io/animation/export_segments.h"

#include "io/animation/export_look.h"
#include "io/animation/export_torn.h"

#include <sinew/support.h>

#include <stdlib.h>

/* ---- Segments ---- */

static void free_segment(sn_io_segment *s) {
    free(s->shape);
    free(s->origins);
    free(s->kept);
    free(s->triangles);
    free(s->lines);
    free(s->tets);
    free(s->uvs);
    free(s->colours);
    sn_io_surfaces_free(&s->surfaces);
    sn_io_group_marks_free(&s->groups);
    free(s->samples);
}

sn_result sn_io_segments_open(sn_io_segments *segments, const sn_io_export *e, const char *ending,
                              double growth) {
    *segments = (sn_io_segments){.count = 0};
    return sn_io_spool_open(&segments->spool, e, ending, growth);
}

void sn_io_segments_free(sn_io_segments *segments) {
    for (size_t i = 0; i < segments->count; i++) free_segment(&segments->items[i]);
    free(segments->items);
    sn_io_spool_close(&segments->spool);
    *segments = (sn_io_segments){.count = 0};
}

static uint64_t topology_of(const sn_io_shape *s) {
    uint64_t hash = sn_hash_word(sn_hash_word(1, s->topology), s->vertex_count);
    return sn_hash_word(sn_hash_word(hash, s->triangle_count), s->line_count);
}

/* Copies elements; null only without memory. */
static void *copy_corners(const void *corners, size_t count, size_t size) {
    void *copy = malloc(count * size + 1);
    if (copy && count > 0) memcpy(copy, corners, count * size);
    return copy;
}

static void mark(uint32_t *numbers, const uint32_t *corners, size_t count) {
    for (size_t i = 0; i < count; i++) numbers[corners[i]] = 1;
}

static void renumber(const uint32_t *numbers, uint32_t *corners, size_t count) {
    for (size_t i = 0; i < count; i++) corners[i] = numbers[corners[i]];
}

/* Keeps the vertices that elements use, in their order. */
static bool keep_used(sn_io_segment *s) {
    uint32_t *corners = (uint32_t *)s->triangles, *ends = (uint32_t *)s->lines;
    s->vertices = s->all;
    if (s->triangle_count == 0 && s->line_count == 0) return true;
    uint32_t *numbers = calloc(s->all + 1, sizeof *numbers);
    s->kept = malloc((s->all + 1) * sizeof *s->kept);
    if (numbers && s->kept) {
        mark(numbers, corners, 3 * s->triangle_count);
        mark(numbers, ends, 2 * s->line_count);
        s->vertices = 0;
        for (size_t i = 0; i < s->all; i++) {
            if (!numbers[i]) continue;
            numbers[i] = (uint32_t)s->vertices;
            s->kept[s->vertices++] = (uint32_t)i;
        }
        renumber(numbers, corners, 3 * s->triangle_count);
        renumber(numbers, ends, 2 * s->line_count);
    }
    free(numbers);
    return numbers && s->kept;
}

sn_result sn_io_segments_finish(sn_io_segments *segments) {
    for (size_t i = 0; i < segments->count; i++) {
        sn_io_segment *s = &segments->items[i];
        if (!sn_io_surfaces_sort(&s->surfaces, s->triangles, s->triangle_count) || !keep_used(s))
            return sn_io_export_no_memory();
    }
    return SN_OK;
}

/* Takes over the elements of a shape, or leaves everything as it is without memory. */
static bool take_elements(sn_io_segment *s, const sn_io_shape *shape) {
    uint32_t(*triangles)[3] =
        copy_corners(shape->triangles, shape->triangle_count, sizeof *triangles);
    uint32_t(*lines)[2] = copy_corners(shape->lines, shape->line_count, sizeof *lines);
    uint32_t(*tets)[4] = copy_corners(shape->tets, shape->tet_count, sizeof *tets);
    sn_real(*uvs)[2] =
        shape->uvs ? copy_corners(shape->uvs, shape->vertex_count, sizeof *uvs) : NULL;
    sn_vec3 *colours =
        shape->colours ? copy_corners(shape->colours, shape->vertex_count, sizeof *colours) : NULL;
    sn_io_group_marks groups = {0};
    bool made = triangles && lines && tets && sn_io_group_marks_make(&groups, shape, 1) &&
                (uvs || !shape->uvs) && (colours || !shape->colours);
    free(made ? (void *)s->triangles : (void *)triangles);
    free(made ? (void *)s->lines : (void *)lines);
    free(made ? (void *)s->tets : (void *)tets);
    free(made ? (void *)s->uvs : (void *)uvs);
    free(made ? s->colours : colours);
    sn_io_group_marks_free(made ? &s->groups : &groups);
    if (!made) return false;
    s->topology = topology_of(shape);
    s->all = shape->vertex_count;
    s->triangles = triangles;
    s->lines = lines;
    s->tets = tets;
    s->uvs = uvs;
    s->colours = colours;
    s->groups = groups;
    s->triangle_count = shape->triangle_count;
    s->line_count = shape->line_count;
    s->tet_count = shape->tet_count;
    return true;
}

static sn_io_segment *add_segment(sn_io_segments *segments, const sn_io_shape *shape,
                                  bool is_first) {
    sn_io_segment *items =
        sn_io_export_grow(segments->items, &segments->capacity, segments->count, sizeof *items);
    if (!items) return NULL;
    segments->items = items;
    size_t size = strlen(shape->name) + 1;
    sn_io_segment s = {.shape = malloc(size), .is_first = is_first, .is_rigid = shape->pose};
    if (!s.shape || !take_elements(&s, shape) || !sn_io_surfaces_make(&s.surfaces, shape)) {
        free_segment(&s);
        return NULL;
    }
    memcpy(s.shape, shape->name, size);
    s.shows_colours = sn_io_shape_shows_colours(shape);
    segments->items[segments->count] = s;
    return &segments->items[segments->count++];
}

/* Lets a segment go on with a shape that has torn. Where the frame is refused in the end, copies of
   vertices are there without a frame in which they are apart, which does no harm. */
static bool tear_segment(sn_io_segment *s, const sn_io_shape *shape) {
    sn_io_elements before = {s->all,
                             (const uint32_t(*)[3])s->triangles,
                             (const uint32_t(*)[2])s->lines,
                             (const uint32_t(*)[4])s->tets,
                             s->triangle_count,
                             s->line_count,
                             s->tet_count};
    sn_io_elements after = {shape->vertex_count,   shape->triangles,  shape->lines,    shape->tets,
                            shape->triangle_count, shape->line_count, shape->tet_count};
    if (after.vertices < before.vertices) return false;
    uint32_t *origins = realloc(s->origins, (after.vertices + 1) * sizeof *origins);
    if (!origins) return false;
    s->origins = origins;
    return sn_io_is_torn(&before, &after, origins) && sn_io_surfaces_follow(&s->surfaces, shape) &&
           take_elements(s, shape);
}

/* ---- Frames ---- */

/* The segment of a shape that is not over; *known says whether there was any at all. */
static sn_io_segment *find_segment(sn_io_segments *segments, const char *shape, bool *known) {
    *known = false;
    for (size_t i = 0; i < segments->count; i++) {
        size_t at = (segments->cursor + i) % segments->count;
        sn_io_segment *s = &segments->items[at];
        if (strcmp(s->shape, shape) != 0) continue;
        *known = true;
        if (s->is_over) continue;
        segments->cursor = at + 1;
        return s;
    }
    return NULL;
}

/* Whether a frame can be the next of a segment. */
static bool goes_on(const sn_io_segments *segments, sn_io_segment *s, const sn_io_shape *shape,
                    const sn_io_frame *frame) {
    if (segments->is_even && s->count >= 2) {
        const sn_io_sample *last = &s->samples[s->count - 1];
        if ((int64_t)frame->number - last->number != (int64_t)last->number - last[-1].number)
            return false;
    }
    return s->topology == topology_of(shape) || tear_segment(s, shape);
}

/* Writes the positions, unless they are those of the sample before. */
static void write_sample(sn_io_segments *segments, sn_io_segment *s, const sn_io_shape *shape,
                         sn_io_out *out, int number) {
    uint64_t key = sn_hash_word(1, shape->vertex_count), from = sn_io_out_count(out);
    for (size_t i = 0; i < shape->vertex_count; i++) {
        sn_vec3 x = shape->positions[i];
        key = sn_hash_double(key, (double)x.x);
        key = sn_hash_double(key, (double)x.y);
        key = sn_hash_double(key, (double)x.z);
    }
    s->next = (sn_io_sample){
        .frame = segments->frames, .number = number, .key = key, .vertices = shape->vertex_count};
    if (shape->pose) s->next.pose = *shape->pose;
    s->is_here = true;
    if (s->count > 0 && s->samples[s->count - 1].key == key) {
        s->next.positions = s->samples[s->count - 1].positions;
        return;
    }
    for (size_t i = 0; i < shape->vertex_count; i++) sn_io_out_f32x3(out, shape->positions[i]);
    s->next.positions = sn_io_spool_range(&segments->spool, out, from);
}

static sn_result add_shape(sn_io_segments *segments, const sn_io_shape *shape,
                           const sn_io_frame *frame, sn_io_out *out) {
    bool known;
    sn_io_segment *s = find_segment(segments, shape->name, &known);
    if (!s || !goes_on(segments, s, shape, frame)) s = add_segment(segments, shape, !known);
    if (!s) return sn_io_export_no_memory();
    sn_io_sample *grown = sn_io_export_grow(s->samples, &s->capacity, s->count, sizeof *grown);
    if (!grown) return sn_io_export_no_memory();
    s->samples = grown;
    write_sample(segments, s, shape, out, frame->number);
    return SN_OK;
}

static sn_result write_frame(sn_io_segments *segments, const sn_io_frame *frame) {
    sn_io_out out;
    SN_TRY(sn_io_spool_begin(&segments->spool, &out));
    for (size_t i = 0; i < frame->shape_count; i++)
        SN_TRY(add_shape(segments, &frame->shapes[i], frame, &out));
    return sn_io_spool_end(&segments->spool, &out);
}

sn_result sn_io_segments_add(sn_io_segments *segments, const sn_io_frame *frame) {
    size_t before = segments->count;
    for (size_t i = 0; i < segments->count; i++) segments->items[i].is_here = false;
    sn_result result = write_frame(segments, frame);
    if (result != SN_OK) {
        while (segments->count > before) free_segment(&segments->items[--segments->count]);
        return result;
    }
    for (size_t i = 0; i < segments->count; i++) {
        sn_io_segment *s = &segments->items[i];
        if (s->is_here)
            s->samples[s->count++] = s->next;
        else
            s->is_over = true;
    }
    segments->frames++;
    return SN_OK;
}

sn_result sn_io_segments_read(sn_io_segments *segments, const sn_io_segment *segment,
                              const sn_io_sample *sample, sn_vec3 *positions) {
    size_t size = 12 * sample->vertices;
    uint8_t *bytes = malloc(size + 1);
    if (!bytes) return sn_io_export_no_memory();
    sn_result result = sn_io_spool_read(&segments->spool, sample->positions, bytes);
    for (size_t i = 0; result == SN_OK && i < segment->vertices; i++) {
        float v[3];
        uint32_t last = segment->kept ? segment->kept[i] : (uint32_t)i;
        size_t at = sn_io_segment_origin(segment, last, sample->vertices);
        for (size_t k = 0; k < 3; k++) {
            const uint8_t *b = bytes + 12 * at + 4 * k;
            uint32_t bits =
                b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
            memcpy(&v[k], &bits, sizeof bits);
        }
        positions[i] = (sn_vec3){v[0], v[1], v[2]};
    }
    free(bytes);
    return result;
}
