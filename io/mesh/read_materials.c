/* Materials of the triangles of a mesh that is read, and their looks. */
#include "io/mesh/read.h"

#include <sinew_io/mesh.h>

#include <stdlib.h>
#include <string.h>

/* A look with the key by which its reader knows it. */
typedef struct build_look {
    sn_io_look look;
    uint64_t key;
    const void *source; /* of the bytes of its image, in the file */
} build_look;

/* ---- Reading ---- */

bool sn_io_build_find_look(const sn_io_build *build, uint64_t key, uint32_t *look) {
    const build_look *items = build->looks.items;
    for (size_t i = 0; i < build->looks.count; i++) {
        if (items[i].key != key) continue;
        *look = (uint32_t)i;
        return true;
    }
    return false;
}

static bool copy_name(sn_io_look *to, const char *name, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) return false;
    memcpy(copy, name, length);
    copy[length] = 0;
    to->material = copy;
    return true;
}

/* Looks with the same image share its bytes. */
static bool copy_texture(build_look *items, size_t count, build_look *to) {
    const void *bytes = to->look.texture_bytes;
    size_t size = to->look.texture_byte_count;
    to->source = bytes;
    to->look.texture_bytes = NULL;
    if (!bytes || size == 0) return true;
    for (size_t i = 0; i < count; i++)
        if (items[i].source == bytes) to->look.texture_bytes = items[i].look.texture_bytes;
    if (to->look.texture_bytes) return true;
    uint8_t *copy = malloc(size);
    if (copy) memcpy(copy, bytes, size);
    to->look.texture_bytes = copy;
    return copy != NULL;
}

sn_result sn_io_build_add_look(sn_io_build *build, uint64_t key, const sn_io_look *look,
                               const char *name, size_t length, uint32_t *index) {
    sn_io_build_list *list = &build->looks;
    if (list->count >= SN_IO_MATERIALS)
        return sn_fail(SN_ERROR_LIMIT, "the mesh has more than %d materials", SN_IO_MATERIALS);
    SN_TRY(sn_io_build_list_reserve(build, list, 1, sizeof(build_look)));
    build_look *items = list->items, *to = &items[list->count];
    *to = (build_look){.look = *look, .key = key};
    to->look.material = NULL;
    bool made = copy_texture(items, list->count, to);
    if (!made) to->look.texture_byte_count = 0;
    *index = (uint32_t)list->count++;
    if (made && (length == 0 || copy_name(&to->look, name, length))) return SN_OK;
    return sn_fail(SN_ERROR_MEMORY, "no memory for a material");
}

sn_result sn_io_build_give_look(sn_io_build *build, uint32_t look) {
    sn_io_build_list *list = &build->triangle_looks;
    if (list->count >= build->mesh.triangle_count) return SN_OK;
    SN_TRY(sn_io_build_list_reserve(build, list, build->mesh.triangle_count - list->count,
                                    sizeof(uint32_t)));
    uint32_t *of = list->items;
    while (list->count < build->mesh.triangle_count) of[list->count++] = look;
    return SN_OK;
}

/* ---- Taking ---- */

/* From the last to the first, since the first of those who share an image has it. */
static void free_look(const sn_io_look *look, bool shared) {
    free((void *)(uintptr_t)look->material);
    if (!shared) free((void *)(uintptr_t)look->texture_bytes);
}

void sn_io_build_free_looks(sn_io_build *build) {
    const build_look *items = build->looks.items;
    for (size_t i = build->looks.count; i-- > 0;) {
        bool shared = false;
        for (size_t k = 0; k < i; k++) shared = shared || items[k].source == items[i].source;
        free_look(&items[i].look, shared);
    }
    build->looks.count = 0;
}

/* Colours of vertices have those of materials in them. Beside materials that say a colour, one that
   says none is white. */
static void settle_colours(const sn_io_build *build, sn_io_materials *m) {
    bool any = false;
    for (size_t i = 0; i < m->count; i++) {
        if (build->has_vertex_colours) m->looks[i].colour.x = SN_AUTO;
        any = any || m->looks[i].colour.x != SN_AUTO || m->looks[i].texture_bytes;
    }
    for (size_t i = 0; any && m->count > 1 && !build->has_vertex_colours && i < m->count; i++)
        if (m->looks[i].colour.x == SN_AUTO) m->looks[i].colour = (sn_vec3){1, 1, 1};
}

sn_result sn_io_build_take_materials(sn_io_build *build, sn_io_materials *materials) {
    const build_look *looks = build->looks.items;
    const uint32_t *of = build->triangle_looks.items;
    size_t count = build->looks.count, triangles = build->mesh.triangle_count, plain = 0;
    *materials = (sn_io_materials){0};
    if (count == 0 || triangles == 0) return SN_OK;
    sn_io_materials m = {.looks = malloc((count + 1) * sizeof *m.looks),
                         .triangles = malloc(triangles * sizeof *m.triangles),
                         .count = count,
                         .triangle_count = triangles};
    if (!m.looks || !m.triangles) {
        free(m.looks);
        free(m.triangles);
        return sn_fail(SN_ERROR_MEMORY, "no memory for %zu materials", count);
    }
    for (size_t i = 0; i < triangles; i++) {
        bool given = i < build->triangle_looks.count && of[i] < count;
        m.triangles[i] = given ? of[i] : (uint32_t)count;
        plain += !given;
    }
    for (size_t i = 0; i < count; i++) m.looks[i] = looks[i].look;
    if (plain > 0) m.looks[m.count++] = sn_io_look_default();
    settle_colours(build, &m);
    /* What they point to is theirs now. */
    build->looks.count = 0;
    *materials = m;
    return SN_OK;
}

void sn_io_materials_free(sn_io_materials *materials) {
    if (!materials) return;
    for (size_t i = materials->count; i-- > 0;) {
        const sn_io_look *look = &materials->looks[i];
        bool shared = false;
        for (size_t k = 0; k < i; k++)
            shared = shared || materials->looks[k].texture_bytes == look->texture_bytes;
        free_look(look, shared);
    }
    free(materials->looks);
    free(materials->triangles);
    *materials = (sn_io_materials){0};
}
