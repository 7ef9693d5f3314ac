#include "io/cache/cache_parts.h"

#include "io/animation/place.h"

#include <sinew/support.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ---- */

/* Room for at least one item, so that null means that there is no memory. */
static void *make(size_t count, size_t size) {
    return count < SIZE_MAX / size ? malloc((count + 1) * size) : NULL;
}

static sn_result no_memory(void) {
    return sn_fail(SN_ERROR_MEMORY, "cache: no memory");
}

void sn_io_cache_topology_free(sn_io_cache_topology *t) {
    free(t->names);
    free(t->ids);
    free(t->vertices);
    free(t->triangles);
    free(t->lines);
    free(t->tets);
    free(t->triangle_corners);
    free(t->line_corners);
    free(t->tet_corners);
    free(t->marks);
    free(t->creases);
    free(t->crease_corners);
    free(t->uvs);
    free(t->own);
    free(t->colours);
    free(t->materials);
    sn_io_cache_groups_free(&t->groups);
    *t = (sn_io_cache_topology){0};
}

void sn_io_cache_values_free(sn_io_cache_values *v) {
    free(v->has);
    free(v->positions);
    free(v->velocities);
    free(v->strain);
    free(v->radii);
    free(v->poses);
    free(v->motions);
    *v = (sn_io_cache_values){0};
}

/* The arrays for the totals that are known. */
static bool make_topology(sn_io_cache_topology *t) {
    t->names = make(t->name_bytes, 1);
    t->ids = make(t->shapes, sizeof *t->ids);
    t->vertices = make(t->shapes, sizeof *t->vertices);
    t->triangles = make(t->shapes, sizeof *t->triangles);
    t->lines = make(t->shapes, sizeof *t->lines);
    t->tets = make(t->shapes, sizeof *t->tets);
    t->triangle_corners = make(t->triangle_total, sizeof *t->triangle_corners);
    t->line_corners = make(t->line_total, sizeof *t->line_corners);
    t->tet_corners = make(t->tet_total, sizeof *t->tet_corners);
    return t->names && t->ids && t->vertices && t->triangles && t->lines && t->tets &&
           t->triangle_corners && t->line_corners && t->tet_corners;
}

static bool make_marks(sn_io_cache_topology *t) {
    t->marks = make(t->shapes, 1);
    t->creases = make(t->shapes, sizeof *t->creases);
    t->crease_corners = make(t->crease_total, sizeof *t->crease_corners);
    t->uvs = make(t->uv_total, sizeof *t->uvs);
    t->own = make(t->own_total, sizeof *t->own);
    t->colours = make(t->colour_total, sizeof *t->colours);
    t->materials = make(t->material_total, sizeof *t->materials);
    return t->marks && t->creases && t->crease_corners && t->uvs && t->own && t->colours &&
           t->materials;
}

static bool make_values(sn_io_cache_values *v) {
    v->positions = make(v->vertices, sizeof *v->positions);
    v->velocities = make(v->moving, sizeof *v->velocities);
    v->strain = make(v->strained, sizeof *v->strain);
    v->radii = make(v->round, sizeof *v->radii);
    v->poses = make(v->posed, sizeof *v->poses);
    v->motions = make(v->rigid, sizeof *v->motions);
    return v->positions && v->velocities && v->strain && v->radii && v->poses && v->motions;
}

/* ---- Gathering ---- */

/* memcpy of nothing from null is not allowed. */
static void append(void *to, size_t at, const void *from, size_t count, size_t size) {
    if (count > 0) memcpy((char *)to + at * size, from, count * size);
}

bool sn_io_cache_has_own(const sn_io_shape *s) {
    return s->pose && s->rigid && s->rigid->vertices && s->vertex_count > 0 &&
           s->rigid->vertex_count == s->vertex_count;
}

/* Hard edges, places on the material, colours and vertices of rigid bodies, where shapes say
   them. */
static sn_result marks_of(const sn_io_frame *frame, sn_io_cache_topology *t) {
    bool any = false;
    for (size_t i = 0; i < t->shapes; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        bool own = sn_io_cache_has_own(s);
        any = any || s->creased || s->uvs || own || s->colours || s->triangle_materials;
        t->material_total += s->triangle_materials ? s->triangle_count : 0;
        t->colour_total += s->colours ? s->vertex_count : 0;
        t->own_total += own ? s->vertex_count : 0;
        t->crease_total += s->creased ? s->crease_count : 0;
        t->uv_total += s->uvs ? s->vertex_count : 0;
    }
    if (!any) return SN_OK;
    if (!make_marks(t)) return no_memory();
    size_t crease = 0, uv = 0, own = 0, colour = 0, material = 0;
    for (size_t i = 0; i < t->shapes; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        size_t count = s->creased ? s->crease_count : 0, placed = s->uvs ? s->vertex_count : 0;
        size_t kept = sn_io_cache_has_own(s) ? s->vertex_count : 0;
        size_t coloured = s->colours ? s->vertex_count : 0;
        t->marks[i] =
            (uint8_t)((s->creased ? SN_IO_MARK_CREASED : 0) | (s->uvs ? SN_IO_MARK_UVS : 0) |
                      (kept ? SN_IO_MARK_OWN : 0) | (s->colours ? SN_IO_MARK_COLOURS : 0) |
                      (s->triangle_materials ? SN_IO_MARK_MATERIALS : 0));
        t->creases[i] = count;
        append(t->crease_corners, crease, s->creases, count, sizeof(uint32_t[2]));
        append(t->uvs, uv, s->uvs, placed, sizeof(sn_real[2]));
        append(t->colours, colour, s->colours, coloured, sizeof *t->colours);
        if (kept) append(t->own, own, s->rigid->vertices, kept, sizeof *t->own);
        own += kept;
        crease += count;
        uv += placed;
        colour += coloured;
        size_t faces = s->triangle_materials ? s->triangle_count : 0;
        append(t->materials, material, s->triangle_materials, faces, sizeof *t->materials);
        material += faces;
    }
    return SN_OK;
}

sn_result sn_io_cache_topology_of(const sn_io_frame *frame, sn_io_cache_topology *t) {
    *t = (sn_io_cache_topology){.shapes = frame->shape_count};
    for (size_t i = 0; i < t->shapes; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        t->name_bytes += strlen(s->name) + 1;
        t->triangle_total += s->triangle_count;
        t->line_total += s->line_count;
        t->tet_total += s->tet_count;
    }
    if (!make_topology(t)) {
        sn_io_cache_topology_free(t);
        return no_memory();
    }
    size_t name = 0, triangle = 0, line = 0, tet = 0;
    for (size_t i = 0; i < t->shapes; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        size_t length = strlen(s->name) + 1;
        append(t->names, name, s->name, length, 1);
        append(t->triangle_corners, triangle, s->triangles, s->triangle_count, sizeof(uint32_t[3]));
        append(t->line_corners, line, s->lines, s->line_count, sizeof(uint32_t[2]));
        append(t->tet_corners, tet, s->tets, s->tet_count, sizeof(uint32_t[4]));
        t->ids[i] = s->topology;
        t->vertices[i] = s->vertex_count;
        t->triangles[i] = s->triangle_count;
        t->lines[i] = s->line_count;
        t->tets[i] = s->tet_count;
        t->vertex_total += s->vertex_count;
        name += length;
        triangle += s->triangle_count;
        line += s->line_count;
        tet += s->tet_count;
    }
    sn_result result = marks_of(frame, t);
    if (result == SN_OK && !sn_io_cache_groups_of(frame, &t->groups)) result = no_memory();
    if (result != SN_OK) sn_io_cache_topology_free(t);
    return result;
}

/* Counts the values of a shape with this many vertices. */
static void count_values(sn_io_cache_values *v, size_t i, size_t count) {
    size_t loose = v->has[i] & SN_IO_HAS_OWN ? 0 : count;
    v->vertices += loose;
    v->moving += v->has[i] & SN_IO_HAS_VELOCITIES ? loose : 0;
    v->rigid += v->has[i] & SN_IO_HAS_OWN ? 1 : 0;
    v->strained += v->has[i] & SN_IO_HAS_STRAIN ? count : 0;
    v->round += v->has[i] & SN_IO_HAS_RADII ? count : 0;
    v->posed += v->has[i] & SN_IO_HAS_POSE ? 1 : 0;
}

/* Whether a shape is where its own vertices are in its pose, to the bit; with room for them. */
static bool follows(const sn_io_shape *s, sn_vec3 *positions, sn_vec3 *velocities) {
    size_t bytes = s->vertex_count * sizeof *positions;
    if (!sn_io_cache_has_own(s)) return false;
    sn_io_place(s->pose, s->rigid, positions, s->velocities ? velocities : NULL);
    return memcmp(positions, s->positions, bytes) == 0 &&
           (!s->velocities || memcmp(velocities, s->velocities, bytes) == 0);
}

/* Which values shapes have; false without memory. */
static bool choose_values(const sn_io_frame *frame, sn_io_cache_values *v) {
    size_t most = 0;
    for (size_t i = 0; i < v->shapes; i++)
        if (sn_io_cache_has_own(&frame->shapes[i]) && frame->shapes[i].vertex_count > most)
            most = frame->shapes[i].vertex_count;
    sn_vec3 *positions = make(most, sizeof *positions), *velocities = make(most, sizeof *positions);
    v->has = make(v->shapes, 1);
    bool made = positions && velocities && v->has;
    for (size_t i = 0; made && i < v->shapes; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        bool own = follows(s, positions, velocities);
        v->has[i] =
            (uint8_t)((s->velocities ? SN_IO_HAS_VELOCITIES : 0) |
                      (s->strain ? SN_IO_HAS_STRAIN : 0) | (s->radii ? SN_IO_HAS_RADII : 0) |
                      (s->pose ? SN_IO_HAS_POSE : 0) | (own ? SN_IO_HAS_OWN : 0));
        count_values(v, i, s->vertex_count);
    }
    free(positions);
    free(velocities);
    return made;
}

sn_result sn_io_cache_values_of(const sn_io_frame *frame, sn_io_cache_values *v) {
    *v = (sn_io_cache_values){
        .number = frame->number, .time = frame->time, .shapes = frame->shape_count};
    if (!choose_values(frame, v) || !make_values(v)) {
        sn_io_cache_values_free(v);
        return no_memory();
    }
    size_t vertex = 0, moving = 0, strained = 0, round = 0, posed = 0, rigid = 0;
    for (size_t i = 0; i < v->shapes; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        size_t count = s->vertex_count;
        bool own = v->has[i] & SN_IO_HAS_OWN;
        if (own) {
            v->motions[rigid++] =
                (sn_io_cache_motion){s->rigid->velocity, s->rigid->angular_velocity};
        } else {
            append(v->positions, vertex, s->positions, count, sizeof *v->positions);
            vertex += count;
        }
        if (s->velocities && !own) {
            append(v->velocities, moving, s->velocities, count, sizeof *v->velocities);
            moving += count;
        }
        if (s->strain) {
            append(v->strain, strained, s->strain, count, sizeof *v->strain);
            strained += count;
        }
        if (s->radii) {
            append(v->radii, round, s->radii, count, sizeof *v->radii);
            round += count;
        }
        if (s->pose) v->poses[posed++] = *s->pose;
    }
    return SN_OK;
}

/* ---- Writing and reading ---- */

void sn_io_cache_serialize_rate(sn_archive *a, double *fps) {
    sn_archive_section(a, "cache");
    sn_archive_double(a, "fps", fps);
    if (a->result == SN_OK && !(*fps > 0)) sn_archive_fail(a, "\"fps\" is %g", *fps);
    sn_archive_section_end(a);
}

/* The sum of the counts of all shapes must be what there is. */
static size_t check_total(sn_archive *a, const char *what, const uint64_t *counts, size_t shapes,
                          size_t total) {
    uint64_t sum = 0;
    for (size_t i = 0; i < shapes && a->result == SN_OK; i++) {
        if (counts[i] > SIZE_MAX / 64 - sum)
            sn_archive_fail(a, "shape %zu has %llu %s", i, (unsigned long long)counts[i], what);
        else
            sum += counts[i];
    }
    if (a->result == SN_OK && total != SIZE_MAX && sum != total)
        sn_archive_fail(a, "the shapes have %llu %s, but %zu follow", (unsigned long long)sum, what,
                        total);
    return (size_t)sum;
}

static void check_topology(sn_archive *a, sn_io_cache_topology *t) {
    size_t names = 0;
    for (size_t i = 0; i < t->name_bytes; i++) names += t->names[i] == 0;
    if (names != t->shapes || (t->name_bytes > 0 && t->names[t->name_bytes - 1] != 0))
        sn_archive_fail(a, "there are %zu names for %zu shapes", names, t->shapes);
    check_total(a, "triangles", t->triangles, t->shapes, t->triangle_total);
    check_total(a, "lines", t->lines, t->shapes, t->line_total);
    check_total(a, "tets", t->tets, t->shapes, t->tet_total);
    t->vertex_total = check_total(a, "vertices", t->vertices, t->shapes, SIZE_MAX);
}

/* Vertices of creases must be there, and uvs and colours as many as the marks say. */
static void check_marks(sn_archive *a, const sn_io_cache_topology *t) {
    check_total(a, "creases", t->creases, t->shapes, t->crease_total);
    size_t crease = 0, uv = 0, own = 0, colour = 0, material = 0;
    for (size_t i = 0; i < t->shapes && a->result == SN_OK; i++) {
        colour += t->marks[i] & SN_IO_MARK_COLOURS ? (size_t)t->vertices[i] : 0;
        own += t->marks[i] & SN_IO_MARK_OWN ? (size_t)t->vertices[i] : 0;
        material += t->marks[i] & SN_IO_MARK_MATERIALS ? (size_t)t->triangles[i] : 0;
        uv += t->marks[i] & SN_IO_MARK_UVS ? (size_t)t->vertices[i] : 0;
        for (size_t k = 0; k < (size_t)t->creases[i] && a->result == SN_OK; k++, crease++)
            if (t->crease_corners[crease][0] >= t->vertices[i] ||
                t->crease_corners[crease][1] >= t->vertices[i])
                sn_archive_fail(a, "a crease of shape %zu uses a vertex that it does not have", i);
    }
    if (a->result == SN_OK && uv != t->uv_total)
        sn_archive_fail(a, "there are %zu places on materials for %zu vertices", t->uv_total, uv);
    if (a->result == SN_OK && colour != t->colour_total)
        sn_archive_fail(a, "there are %zu colours for %zu vertices", t->colour_total, colour);
    if (a->result == SN_OK && material != t->material_total)
        sn_archive_fail(a, "there are %zu materials for %zu triangles", t->material_total,
                        material);
    if (a->result == SN_OK && own != t->own_total)
        sn_archive_fail(a, "rigid bodies have %zu vertices, but %zu follow", own, t->own_total);
}

static void serialize_marks(sn_archive *a, sn_io_cache_topology *t) {
    if (a->reading) {
        t->crease_total = sn_archive_count(a, "crease_corners") / 2;
        t->uv_total = sn_archive_count(a, "uvs") / 2;
        t->own_total = sn_archive_count(a, "own") / 3;
        t->colour_total = sn_archive_count(a, "colours") / 3;
        t->material_total = sn_archive_count(a, "materials");
        if (sn_archive_count(a, "marks") == 0 || a->result != SN_OK) return;
        if (!make_marks(t)) a->result = no_memory();
    }
    if (!t->marks || a->result != SN_OK) return;
    sn_archive_column(a, "marks", SN_ARCHIVE_U8, t->marks, t->shapes);
    sn_archive_column(a, "creases", SN_ARCHIVE_U64, t->creases, t->shapes);
    sn_archive_column(a, "crease_corners", SN_ARCHIVE_U32, t->crease_corners, 2 * t->crease_total);
    sn_archive_column(a, "uvs", SN_ARCHIVE_REAL, t->uvs, 2 * t->uv_total);
    /* A cache without any of these, as older ones are, has no such column. */
    if (t->own_total > 0) sn_archive_column(a, "own", SN_ARCHIVE_REAL, t->own, 3 * t->own_total);
    if (t->colour_total > 0)
        sn_archive_column(a, "colours", SN_ARCHIVE_REAL, t->colours, 3 * t->colour_total);
    if (t->material_total > 0)
        sn_archive_column(a, "materials", SN_ARCHIVE_U32, t->materials, t->material_total);
}

void sn_io_cache_serialize_topology(sn_archive *a, sn_io_cache_topology *t) {
    sn_archive_section(a, "topology");
    if (a->reading) {
        *t = (sn_io_cache_topology){.shapes = sn_archive_count(a, "ids"),
                                    .name_bytes = sn_archive_count(a, "names"),
                                    .triangle_total = sn_archive_count(a, "triangle_corners") / 3,
                                    .line_total = sn_archive_count(a, "line_corners") / 2,
                                    .tet_total = sn_archive_count(a, "tet_corners") / 4};
        if (a->result == SN_OK && !make_topology(t)) a->result = no_memory();
    }
    sn_archive_column(a, "names", SN_ARCHIVE_U8, t->names, t->name_bytes);
    sn_archive_column(a, "ids", SN_ARCHIVE_U64, t->ids, t->shapes);
    sn_archive_column(a, "vertices", SN_ARCHIVE_U64, t->vertices, t->shapes);
    sn_archive_column(a, "triangles", SN_ARCHIVE_U64, t->triangles, t->shapes);
    sn_archive_column(a, "lines", SN_ARCHIVE_U64, t->lines, t->shapes);
    sn_archive_column(a, "tets", SN_ARCHIVE_U64, t->tets, t->shapes);
    sn_archive_column(a, "triangle_corners", SN_ARCHIVE_U32, t->triangle_corners,
                      3 * t->triangle_total);
    sn_archive_column(a, "line_corners", SN_ARCHIVE_U32, t->line_corners, 2 * t->line_total);
    sn_archive_column(a, "tet_corners", SN_ARCHIVE_U32, t->tet_corners, 4 * t->tet_total);
    serialize_marks(a, t);
    sn_io_cache_serialize_groups(a, &t->groups, t->shapes);
    sn_archive_section_end(a);
    if (a->reading && a->result == SN_OK) check_topology(a, t);
    if (a->reading && a->result == SN_OK && t->marks) check_marks(a, t);
}

/* Reals that lie in the file as they do here are most of a cache, and are copied as a whole. */
static bool copy_reals(const sn_archive *a, const char *name, sn_real *values, size_t count) {
    const uint16_t one = 1;
    uint8_t first;
    sn_archive_view view;
    memcpy(&first, &one, 1);
    if (first != 1 || !a->reading || !sn_archive_view_find(a, name, &view)) return false;
    if (view.kind != (int)SN_ARCHIVE_REAL || view.count != count) return false;
    if (count > 0) memcpy(values, view.data, count * sizeof *values);
    bool finite = true;
    for (size_t i = 0; i < count; i++) finite &= isfinite(values[i]) != 0;
    return finite;
}

/* A column of reals. Where there is something wrong with it, the archive says what. */
static void serialize_reals(sn_archive *a, const char *name, sn_real *values, size_t count) {
    if (!copy_reals(a, name, values, count))
        sn_archive_column(a, name, SN_ARCHIVE_REAL, values, count);
}

/* Which values there are, and room for them. */
static void make_for(sn_archive *a, sn_io_cache_values *v, const sn_io_cache_topology *t) {
    *v = (sn_io_cache_values){.shapes = t->shapes, .has = make(t->shapes, 1)};
    if (!v->has) {
        a->result = no_memory();
        return;
    }
    sn_archive_column(a, "has", SN_ARCHIVE_U8, v->has, v->shapes);
    for (size_t i = 0; i < v->shapes && a->result == SN_OK; i++) {
        bool kept = t->marks && (t->marks[i] & SN_IO_MARK_OWN) && (v->has[i] & SN_IO_HAS_POSE);
        if ((v->has[i] & SN_IO_HAS_OWN) && !kept)
            sn_archive_fail(a, "shape %zu has no vertices of its own, or no pose for them", i);
        count_values(v, i, (size_t)t->vertices[i]);
    }
    /* A short file must not ask for much. */
    if (a->result == SN_OK && sn_archive_count(a, "positions") != 3 * v->vertices)
        sn_archive_fail(a, "there are %zu positions for %zu vertices",
                        sn_archive_count(a, "positions") / 3, v->vertices);
    if (a->result == SN_OK && sn_archive_count(a, "poses") != 7 * v->posed)
        sn_archive_fail(a, "there are %zu poses for %zu shapes that have one",
                        sn_archive_count(a, "poses") / 7, v->posed);
    if (a->result == SN_OK && sn_archive_count(a, "motions") != 6 * v->rigid)
        sn_archive_fail(a, "there are %zu motions for %zu rigid bodies",
                        sn_archive_count(a, "motions") / 6, v->rigid);
    if (a->result == SN_OK && !make_values(v)) a->result = no_memory();
}

void sn_io_cache_serialize_values(sn_archive *a, sn_io_cache_values *v,
                                  const sn_io_cache_topology *t) {
    sn_archive_section(a, "frame");
    if (a->reading && a->result == SN_OK)
        make_for(a, v, t);
    else
        sn_archive_column(a, "has", SN_ARCHIVE_U8, v->has, v->shapes);
    sn_archive_int(a, "number", &v->number, 0, INT32_MAX);
    sn_archive_double(a, "time", &v->time);
    serialize_reals(a, "positions", (sn_real *)v->positions, 3 * v->vertices);
    serialize_reals(a, "velocities", (sn_real *)v->velocities, 3 * v->moving);
    serialize_reals(a, "strain", v->strain, v->strained);
    serialize_reals(a, "radii", v->radii, v->round);
    /* A cache without rigid bodies, as older ones are, has no such column. */
    if (v->posed > 0) serialize_reals(a, "poses", (sn_real *)v->poses, 7 * v->posed);
    if (v->rigid > 0) serialize_reals(a, "motions", (sn_real *)v->motions, 6 * v->rigid);
    sn_archive_section_end(a);
}
