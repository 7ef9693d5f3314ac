/*
 * The geometry of colliders to and from an archive: the arrays as they were given, those of the
 * parts of a compound one after the other. What is made of them is made anew.
 */
#include "collision/serialize_collision.h"

void sn_geometry_room_free(sn_memory *memory, sn_geometry_room *room) {
    sn_free(memory, room->vertices, room->vertex_count + 1, sizeof *room->vertices);
    sn_free(memory, room->triangles, room->triangle_count + 1, sizeof *room->triangles);
    sn_free(memory, room->heights, room->height_count + 1, sizeof *room->heights);
    sn_free(memory, room->parts, room->part_count + 1, sizeof *room->parts);
    *room = (sn_geometry_room){0};
}

/* ---- One geometry, or that of all parts ---- */

static size_t count_of(const sn_collider_def *def) {
    return def->shape == SN_SHAPE_COMPOUND ? def->part_count : 1;
}

static sn_geometry *geometry_of(sn_collider_def *def, size_t i) {
    sn_collider_part *parts = (sn_collider_part *)(uintptr_t)def->parts;
    return def->shape == SN_SHAPE_COMPOUND ? &parts[i].geometry : &def->geometry;
}

/* How many numbers of a kind each geometry has; when reading, their sum is what there is. */
static size_t serialize_counts(sn_archive *a, const char *name, const char *items,
                               sn_collider_def *def, size_t offset, size_t numbers) {
    sn_archive_cursor cursor = sn_archive_open(a, name, SN_ARCHIVE_U64, count_of(def));
    size_t there = a->reading ? sn_archive_count(a, items) / numbers : SIZE_MAX, sum = 0;
    for (size_t i = 0; i < count_of(def) && a->result == SN_OK; i++) {
        size_t *count = (size_t *)((char *)geometry_of(def, i) + offset);
        uint64_t number = *count;
        sn_archive_next(a, &cursor, &number);
        if (number > there - sum) {
            sn_archive_fail(a, "geometry %zu has %llu %s, which there are not", i,
                            (unsigned long long)number, items);
            return 0;
        }
        *count = (size_t)number;
        sum += *count;
    }
    return a->result == SN_OK ? sum : 0;
}

static void serialize_vertices(sn_archive *a, sn_collider_def *def, size_t count) {
    sn_archive_cursor cursor = sn_archive_open(a, "vertices", SN_ARCHIVE_REAL, 3 * count);
    for (size_t i = 0; i < count_of(def); i++) {
        sn_geometry *g = geometry_of(def, i);
        sn_archive_run(a, &cursor, (void *)(uintptr_t)g->vertices, sizeof *g->vertices, 3,
                       g->vertex_count);
    }
}

static void serialize_triangles(sn_archive *a, sn_collider_def *def, size_t count) {
    sn_archive_cursor cursor = sn_archive_open(a, "triangles", SN_ARCHIVE_U32, 3 * count);
    for (size_t i = 0; i < count_of(def); i++) {
        sn_geometry *g = geometry_of(def, i);
        sn_archive_run(a, &cursor, (void *)(uintptr_t)g->triangles, sizeof *g->triangles, 3,
                       g->triangle_count);
    }
}

static void serialize_numbers(sn_archive *a, sn_collider_def *def) {
    sn_archive_cursor spacing = sn_archive_open(a, "spacing", SN_ARCHIVE_REAL, count_of(def));
    for (size_t i = 0; i < count_of(def) && a->result == SN_OK; i++)
        sn_archive_run(a, &spacing, &geometry_of(def, i)->spacing, sizeof(sn_real), 1, 1);
    sn_archive_cursor sides = sn_archive_open(a, "two_sided", SN_ARCHIVE_U8, count_of(def));
    for (size_t i = 0; i < count_of(def) && a->result == SN_OK; i++) {
        uint8_t both = geometry_of(def, i)->two_sided;
        sn_archive_show(a, "two_sided", SN_ARCHIVE_U8, &geometry_of(def, i)->two_sided, 1, 1, 1);
        sn_archive_next(a, &sides, &both);
        if (both > 1) sn_archive_fail(a, "geometry %zu has %u for two_sided", i, both);
        geometry_of(def, i)->two_sided = both == 1;
    }
}

/* ---- Parts ---- */

static void serialize_parts(sn_archive *a, sn_collider_def *def) {
    sn_collider_part *first = (sn_collider_part *)(uintptr_t)def->parts;
    size_t count = def->part_count, stride = sizeof *first;
    sn_archive_choices(a, "part_shape", SN_ARCHIVE_U32, &first->shape, sizeof first->shape, stride,
                       count, SN_SHAPE_COMPOUND + 1);
    sn_archive_member(a, "part_radius", SN_ARCHIVE_REAL, &first->radius, stride, 1, count);
    sn_archive_member(a, "part_extent", SN_ARCHIVE_REAL, &first->extent, stride, 3, count);
    sn_archive_member(a, "part_position", SN_ARCHIVE_REAL, &first->position, stride, 3, count);
    sn_archive_member(a, "part_orientation", SN_ARCHIVE_REAL, &first->orientation, stride, 4,
                      count);
}

/* ---- Room for what is read ---- */

static void *take(sn_archive *a, sn_memory *memory, size_t count, size_t element) {
    void *at = a->result == SN_OK ? sn_allocate(memory, count + 1, element) : NULL;
    if (a->result == SN_OK && !at) a->result = SN_ERROR_MEMORY;
    return at;
}

static void take_parts(sn_archive *a, sn_memory *memory, sn_collider_def *def,
                       sn_geometry_room *room) {
    room->part_count = sn_archive_count(a, "part_shape");
    room->parts = take(a, memory, room->part_count, sizeof *room->parts);
    if (!room->parts) room->part_count = 0;
    def->parts = room->parts;
    def->part_count = room->part_count;
}

static void take_arrays(sn_archive *a, sn_memory *memory, sn_collider_def *def, size_t vertices,
                        size_t triangles, sn_geometry_room *room) {
    room->vertices = take(a, memory, vertices, sizeof *room->vertices);
    if (room->vertices) room->vertex_count = vertices;
    room->triangles = take(a, memory, triangles, sizeof *room->triangles);
    if (room->triangles) room->triangle_count = triangles;
    size_t x = 0, t = 0;
    for (size_t i = 0; i < count_of(def) && a->result == SN_OK; i++) {
        sn_geometry *g = geometry_of(def, i);
        g->vertices = room->vertices + x;
        g->triangles = (const uint32_t(*)[3])(room->triangles + t);
        x += g->vertex_count;
        t += g->triangle_count;
    }
}

static void serialize_heights(sn_archive *a, sn_memory *memory, sn_collider_def *def,
                              sn_geometry_room *room) {
    sn_geometry *g = &def->geometry;
    size_t count =
        a->reading ? sn_archive_count(a, "heights") : (size_t)g->points[0] * g->points[1];
    sn_archive_column(a, "points", SN_ARCHIVE_U32, g->points, 2);
    if (a->result == SN_OK && (uint64_t)g->points[0] * g->points[1] != count)
        sn_archive_fail(a, "there are %zu heights for %u by %u points", count, g->points[0],
                        g->points[1]);
    if (a->reading) {
        g->heights = room->heights = take(a, memory, count, sizeof *room->heights);
        if (room->heights) room->height_count = count;
    }
    sn_archive_column(a, "heights", SN_ARCHIVE_REAL, (void *)(uintptr_t)g->heights, count);
}

void sn_serialize_geometry(sn_archive *a, sn_memory *memory, sn_collider_def *def,
                           sn_geometry_room *room) {
    if (a->result != SN_OK || !sn_collider_geometry_is_needed(def->shape)) return;
    if (def->shape == SN_SHAPE_HEIGHTS) {
        serialize_heights(a, memory, def, room);
        return;
    }
    if (def->shape == SN_SHAPE_COMPOUND) {
        if (a->reading) take_parts(a, memory, def, room);
        if (a->result == SN_OK) serialize_parts(a, def);
    }
    if (a->result != SN_OK) return;
    serialize_numbers(a, def);
    size_t vertices = serialize_counts(a, "vertex_count", "vertices", def,
                                       offsetof(sn_geometry, vertex_count), 3);
    size_t triangles = serialize_counts(a, "triangle_count", "triangles", def,
                                        offsetof(sn_geometry, triangle_count), 3);
    if (a->reading) take_arrays(a, memory, def, vertices, triangles, room);
    if (a->result != SN_OK) return;
    serialize_vertices(a, def, vertices);
    serialize_triangles(a, def, triangles);
}
