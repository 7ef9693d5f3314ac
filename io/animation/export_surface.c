#include "io/animation/export_surface.h"

#include "io/animation/export_look.h"

#include <stdlib.h>
#include <string.h>

/* Materials often share an image, and then its bytes too. */
static bool take_texture(sn_io_surfaces *s, sn_io_surface *to, const sn_io_look *look,
                         const uint8_t *const *sources) {
    for (const sn_io_surface *before = s->items; before < to; before++)
        if (before->texture && sources[before - s->items] == look->texture_bytes)
            to->texture = before->texture;
    if (!to->texture) {
        to->own = malloc(look->texture_byte_count);
        if (!to->own) return false;
        memcpy(to->own, look->texture_bytes, look->texture_byte_count);
        to->texture = to->own;
    }
    to->texture_bytes = look->texture_byte_count;
    to->texture_size = look->texture_size;
    return true;
}

static bool take_name(sn_io_surface *to, const char *name) {
    size_t size = strlen(name) + 1;
    to->name = malloc(size);
    if (!to->name) return false;
    memcpy(to->name, name, size);
    return true;
}

static bool take_look(sn_io_surfaces *s, size_t index, const sn_io_shape *shape,
                      const sn_io_look *look, const uint8_t **sources) {
    sn_io_surface *to = &s->items[index];
    to->is_coloured = (index > 0 || !shape->colours) && sn_io_look_colour(look, &to->colour);
    if (!look) return true;
    to->opacity = look->opacity;
    to->roughness = look->roughness;
    sources[index] = look->texture_bytes;
    bool image = look->texture_bytes && look->texture_byte_count > 0 && shape->uvs;
    return (!image || take_texture(s, to, look, sources)) &&
           (!look->material || take_name(to, look->material));
}

bool sn_io_surfaces_make(sn_io_surfaces *surfaces, const sn_io_shape *shape) {
    size_t count = 1 + (shape->triangle_materials ? shape->material_count : 0);
    const uint8_t **sources = calloc(count, sizeof *sources);
    *surfaces = (sn_io_surfaces){.items = calloc(count, sizeof *surfaces->items)};
    bool made = surfaces->items && sources;
    if (made) surfaces->count = count;
    for (size_t i = 0; made && i < count; i++)
        made =
            take_look(surfaces, i, shape, i > 0 ? &shape->materials[i - 1] : shape->look, sources);
    free(sources);
    return made && sn_io_surfaces_follow(surfaces, shape);
}

void sn_io_surfaces_free(sn_io_surfaces *surfaces) {
    for (size_t i = 0; i < surfaces->count; i++) {
        free(surfaces->items[i].name);
        free(surfaces->items[i].own);
    }
    free(surfaces->items);
    free(surfaces->triangles);
    free(surfaces->start);
    *surfaces = (sn_io_surfaces){0};
}

bool sn_io_surfaces_follow(sn_io_surfaces *surfaces, const sn_io_shape *shape) {
    uint32_t *of = NULL;
    if (shape->triangle_materials && surfaces->count > 1) {
        of = malloc((shape->triangle_count + 1) * sizeof *of);
        if (!of) return false;
        for (size_t i = 0; i < shape->triangle_count; i++) {
            uint32_t material = shape->triangle_materials[i];
            of[i] = material + 1 < surfaces->count ? material + 1 : 0;
        }
    }
    free(surfaces->triangles);
    surfaces->triangles = of;
    return true;
}

bool sn_io_surfaces_sort(sn_io_surfaces *s, uint32_t (*triangles)[3], size_t count) {
    uint32_t(*sorted)[3] = malloc((count + 1) * sizeof *sorted);
    size_t *start = calloc(s->count + 2, sizeof *start);
    free(s->start);
    s->start = start;
    if (sorted && start) {
        for (size_t i = 0; i < count; i++) start[(s->triangles ? s->triangles[i] : 0) + 2]++;
        for (size_t k = 2; k < s->count + 2; k++) start[k] += start[k - 1];
        /* Filling moves the start of each to that of the next. */
        for (size_t i = 0; i < count; i++)
            memcpy(sorted[start[(s->triangles ? s->triangles[i] : 0) + 1]++], triangles[i],
                   sizeof *sorted);
        if (count > 0) memcpy(triangles, sorted, count * sizeof *sorted);
    }
    bool done = sorted && start;
    free(sorted);
    return done;
}
