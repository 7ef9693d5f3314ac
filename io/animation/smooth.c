/* Smooth frames: a plan for each shape, kept while its topology stays, and the values of a frame
   taken through it. */
#include "io/animation/creases.h"
#include "io/animation/export_look.h"
#include "io/animation/smooth_groups.h"

#include <sinew/support.h>
#include <sinew_io/smooth.h>

#include <stdlib.h>
#include <string.h>

/* What belongs to a shape of a name. */
typedef struct smooth_shape {
    char *name;
    uint64_t key; /* of its elements and the level */
    int level_count;
    smooth_level levels[SN_IO_SMOOTH_MOST];
    sn_vec3 *positions, *velocities, *normals, *colours;
    sn_real *strain, *radii;
    uint32_t *materials; /* of triangles; null where all look alike */
    sn_mesh_group *groups;
    size_t group_count;
} smooth_shape;

struct sn_io_smoother {
    smooth_shape *shapes;
    size_t count;
    sn_io_shape *views;
    sn_real *halfway; /* values between two levels */
    size_t room;
};

static sn_result no_memory(void) {
    return sn_fail(SN_ERROR_MEMORY, "there is no memory for a smooth frame");
}

sn_result sn_io_smoother_create(sn_io_smoother **out) {
    if (!out) return sn_fail(SN_ERROR_NULL, "sn_io_smoother_create: out is null");
    *out = calloc(1, sizeof **out);
    return *out ? SN_OK : no_memory();
}

static void free_shape(smooth_shape *s) {
    for (int i = 0; i < s->level_count; i++) sn_smooth_level_free(&s->levels[i]);
    free(s->name);
    free(s->positions);
    free(s->velocities);
    free(s->normals);
    free(s->colours);
    free(s->materials);
    if (s->groups) sn_smooth_groups_free(s->groups, s->group_count);
    free(s->strain);
    free(s->radii);
    *s = (smooth_shape){0};
}

void sn_io_smoother_destroy(sn_io_smoother *smoother) {
    if (!smoother) return;
    for (size_t i = 0; i < smoother->count; i++) free_shape(&smoother->shapes[i]);
    free(smoother->shapes);
    free(smoother->views);
    free(smoother->halfway);
    free(smoother);
}

/* ---- Plans ---- */

static uint64_t key_of(const sn_io_shape *shape, int level) {
    uint64_t key = sn_hash_word(1 + (uint64_t)level, shape->topology);
    key = sn_hash_word(sn_hash_word(key, shape->vertex_count), shape->triangle_count);
    key = sn_hash_word(sn_hash_word(key, shape->line_count), shape->crease_count);
    key = sn_hash_word(key, (uint64_t)(shape->uvs != NULL) << 1 | shape->creased);
    if (shape->group_count > 0) key = sn_hash_word(key, shape->group_count);
    return shape->triangle_materials ? sn_hash_word(key, shape->material_count) : key;
}

static sn_result check_corners(const sn_io_shape *shape, const char *what, const uint32_t *corners,
                               size_t count) {
    if (count > 0 && !corners)
        return sn_fail(SN_ERROR_NULL, "shape \"%s\": the array of its %ss is null", shape->name,
                       what);
    for (size_t i = 0; i < count; i++)
        if (corners[i] >= shape->vertex_count)
            return sn_fail(SN_ERROR_VALUE,
                           "shape \"%s\": a %s uses vertex %lu, but the shape has %zu", shape->name,
                           what, (unsigned long)corners[i], shape->vertex_count);
    return SN_OK;
}

static sn_result check_shape(const sn_io_shape *shape) {
    if (shape->vertex_count > 0 && !shape->positions)
        return sn_fail(SN_ERROR_NULL, "shape \"%s\": its positions are null", shape->name);
    SN_TRY(check_corners(shape, "triangle", (const uint32_t *)shape->triangles,
                         3 * shape->triangle_count));
    SN_TRY(check_corners(shape, "line", (const uint32_t *)shape->lines, 2 * shape->line_count));
    for (size_t i = 0; i < shape->group_count; i++)
        SN_TRY(check_corners(shape, "group", shape->groups[i].vertices, shape->groups[i].count));
    return check_corners(shape, "crease", (const uint32_t *)shape->creases,
                         shape->creased ? 2 * shape->crease_count : 0);
}

static sn_result make_levels(smooth_shape *s, const sn_io_shape *shape, int level) {
    sn_io_creases creases = {0};
    sn_result result = check_shape(shape);
    if (result == SN_OK && !shape->creased)
        result =
            sn_io_creases_find(shape->positions, shape->triangles, shape->triangle_count, &creases);
    const uint32_t(*found)[2] = (const uint32_t(*)[2])creases.items;
    smooth_mesh mesh = {.vertices = shape->vertex_count,
                        .triangle_count = shape->triangle_count,
                        .line_count = shape->line_count,
                        .crease_count = shape->creased ? shape->crease_count : creases.count,
                        .triangles = shape->triangles,
                        .lines = shape->lines,
                        .creases = shape->creased ? shape->creases : found,
                        .uvs = shape->uvs,
                        .places = shape->uvs ? *shape->uvs : NULL,
                        .place_width = 2};
    /* Who knows nothing of the shape at rest sees how it is now. */
    if (!shape->uvs && !shape->creased) {
        mesh.places = (const sn_real *)shape->positions;
        mesh.place_width = 3;
    }
    while (result == SN_OK && s->level_count < level) {
        smooth_level *next = &s->levels[s->level_count];
        result = sn_smooth_level_make(next, &mesh);
        s->level_count++;
        mesh = next->mesh;
    }
    free(creases.items);
    return result == SN_OK ? SN_OK : sn_fail_within(result, "shape \"%s\"", shape->name);
}

/* The four triangles that one becomes have its material, and follow each other. */
static sn_result make_materials(smooth_shape *s, const sn_io_shape *shape) {
    if (!shape->triangle_materials) return SN_OK;
    size_t count = shape->triangle_count << 2 * s->level_count;
    s->materials = malloc((count + 1) * sizeof *s->materials);
    if (!s->materials) return no_memory();
    for (size_t i = 0; i < count; i++)
        s->materials[i] = shape->triangle_materials[i >> 2 * s->level_count];
    return SN_OK;
}

static sn_result make_shape(smooth_shape *s, const sn_io_shape *shape, int level) {
    SN_TRY(make_levels(s, shape, level));
    size_t count = s->levels[level - 1].mesh.vertices, length = strlen(shape->name) + 1;
    s->name = malloc(length);
    s->positions = malloc((count + 1) * sizeof *s->positions);
    s->velocities = malloc((count + 1) * sizeof *s->velocities);
    s->normals = malloc((count + 1) * sizeof *s->normals);
    s->strain = malloc((count + 1) * sizeof *s->strain);
    s->radii = malloc((count + 1) * sizeof *s->radii);
    s->colours = malloc((count + 1) * sizeof *s->colours);
    if (!s->name || !s->positions || !s->velocities || !s->normals || !s->strain || !s->radii ||
        !s->colours)
        return no_memory();
    memcpy(s->name, shape->name, length);
    s->key = key_of(shape, level);
    if (shape->group_count > 0) {
        s->groups = sn_smooth_groups_make(s->levels, s->level_count, shape);
        if (!s->groups) return no_memory();
        s->group_count = shape->group_count;
    }
    return make_materials(s, shape);
}

/* The plan of a shape: one that there was, where it has not changed. */
static sn_result find_shape(smooth_shape *old, size_t old_count, size_t guess,
                            const sn_io_shape *shape, int level, smooth_shape *to) {
    uint64_t key = key_of(shape, level);
    /* Shapes mostly stay in their order. */
    for (size_t i = 0; i < old_count; i++) {
        smooth_shape *s = &old[(guess + i) % old_count];
        if (!s->name || s->key != key || strcmp(s->name, shape->name) != 0) continue;
        *to = *s;
        *s = (smooth_shape){0};
        return SN_OK;
    }
    sn_result result = make_shape(to, shape, level);
    if (result != SN_OK) free_shape(to);
    return result;
}

/* ---- Frames ---- */

static bool make_room(sn_io_smoother *smoother, size_t numbers) {
    if (numbers <= smoother->room) return true;
    free(smoother->halfway);
    smoother->halfway = malloc(numbers * sizeof *smoother->halfway);
    smoother->room = smoother->halfway ? numbers : 0;
    return smoother->halfway != NULL;
}

/* Between levels, values go to and fro so that the last level writes to `to`. */
static void apply(const sn_io_smoother *smoother, const smooth_shape *s, const sn_real *from,
                  int width, sn_real *to) {
    for (int i = 0; i < s->level_count; i++) {
        sn_real *next = (s->level_count - i) % 2 ? to : smoother->halfway;
        sn_smooth_level_apply(&s->levels[i], from, width, next);
        from = next;
    }
}

static sn_io_shape smooth_view(const sn_io_smoother *smoother, const smooth_shape *s,
                               const sn_io_shape *shape) {
    const smooth_mesh *mesh = &s->levels[s->level_count - 1].mesh;
    sn_io_shape view = *shape;
    view.vertex_count = mesh->vertices;
    view.triangle_count = mesh->triangle_count;
    view.triangles = mesh->triangles;
    view.line_count = mesh->line_count;
    view.lines = mesh->lines;
    view.tet_count = 0;
    view.tets = NULL;
    view.topology = s->key;
    view.uvs = mesh->uvs;
    view.creased = true;
    view.crease_count = mesh->crease_count;
    view.creases = mesh->creases;
    apply(smoother, s, (const sn_real *)shape->positions, 3, (sn_real *)s->positions);
    view.positions = s->positions;
    view.rigid = NULL;
    if (shape->velocities)
        apply(smoother, s, (const sn_real *)shape->velocities, 3, (sn_real *)s->velocities);
    view.velocities = shape->velocities ? s->velocities : NULL;
    if (shape->normals)
        apply(smoother, s, (const sn_real *)shape->normals, 3, (sn_real *)s->normals);
    view.normals = shape->normals ? s->normals : NULL;
    if (shape->colours)
        apply(smoother, s, (const sn_real *)shape->colours, 3, (sn_real *)s->colours);
    view.colours = shape->colours ? s->colours : NULL;
    if (shape->strain) apply(smoother, s, shape->strain, 1, s->strain);
    view.strain = shape->strain ? s->strain : NULL;
    if (shape->radii) apply(smoother, s, shape->radii, 1, s->radii);
    view.radii = shape->radii ? s->radii : NULL;
    view.triangle_materials = shape->triangle_materials ? s->materials : NULL;
    for (size_t i = 0; i < s->group_count; i++) s->groups[i].name = shape->groups[i].name;
    view.groups = s->groups;
    return view;
}

/* Plans for all shapes of the frame; those that it does not have any more go. */
static sn_result plan(sn_io_smoother *smoother, const sn_io_frame *frame, int level,
                      const int *levels) {
    smooth_shape *shapes = calloc(frame->shape_count + 1, sizeof *shapes);
    sn_io_shape *views = malloc((frame->shape_count + 1) * sizeof *views);
    sn_result result = shapes && views ? SN_OK : no_memory();
    size_t most = 0;
    for (size_t i = 0; i < frame->shape_count && result == SN_OK; i++) {
        const sn_io_shape *shape = &frame->shapes[i];
        int wanted = levels ? levels[i] : level;
        if (!shape->name) result = sn_fail(SN_ERROR_NULL, "frame: shape %zu has no name", i);
        if (result == SN_OK) result = sn_io_shape_check_materials(shape);
        if (result == SN_OK && (wanted < 0 || wanted > SN_IO_SMOOTH_MOST))
            result = sn_fail(SN_ERROR_VALUE, "smooth: the level is %d, expected 0 to %d", wanted,
                             SN_IO_SMOOTH_MOST);
        if (result != SN_OK || wanted == 0 || shape->triangle_count + shape->line_count == 0)
            continue;
        result = find_shape(smoother->shapes, smoother->count, i, shape, wanted, &shapes[i]);
        size_t count = result == SN_OK ? shapes[i].levels[wanted - 1].mesh.vertices : 0;
        most = count > most ? count : most;
    }
    for (size_t i = 0; i < smoother->count; i++) free_shape(&smoother->shapes[i]);
    free(smoother->shapes);
    free(smoother->views);
    smoother->shapes = shapes;
    smoother->views = views;
    smoother->count = shapes ? frame->shape_count : 0;
    if (result == SN_OK && !make_room(smoother, 3 * most + 1)) result = no_memory();
    return result;
}

sn_result sn_io_smoother_frame(sn_io_smoother *smoother, const sn_io_frame *frame, int level,
                               const int *levels, sn_io_frame *smooth) {
    if (!smoother || !frame || !smooth)
        return sn_fail(SN_ERROR_NULL, "sn_io_smoother_frame: %s is null",
                       !smoother ? "smoother"
                       : !frame  ? "frame"
                                 : "smooth");
    sn_io_frame made = *frame;
    SN_TRY(plan(smoother, frame, level, levels));
    for (size_t i = 0; i < frame->shape_count; i++) {
        const smooth_shape *s = &smoother->shapes[i];
        smoother->views[i] =
            s->level_count > 0 ? smooth_view(smoother, s, &frame->shapes[i]) : frame->shapes[i];
    }
    made.shapes = smoother->views;
    *smooth = made;
    return SN_OK;
}
