/* Maps of a material: a field by a number or an expression, for all vertices or some of them. */
#include "io/scene/point.h"
#include "io/scene/scene_chains.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

/* One map while it is filled. */
typedef struct filling {
    sn_scene *s;
    const json_node *node;
    const scene_map_part *part;
    const sn_mesh *mesh;
    sn_real *values; /* one per vertex */
} filling;

static const sn_field_info *find_field(sn_scene *s, const json_node *node, const char *name,
                                       sn_kind kind) {
    const sn_kind_info *info = sn_kind_get_info(kind);
    sn_suggestion guess = {0};
    for (size_t i = 0; i < info->field_count; i++) {
        if (strcmp(info->fields[i].name, name) == 0) return &info->fields[i];
        sn_suggest(&guess, name, info->fields[i].name);
    }
    (void)sn_scene_complain(&s->reader, sn_json_member(node, "field"),
                            "%s has no field \"%.64s\"%s%s%s", info->name, name,
                            guess.word ? "; did you mean \"" : "", guess.word ? guess.word : "",
                            guess.word ? "\"?" : "");
    return NULL;
}

/* The values of a field that are there so far, or else those of the material. */
static sn_real *values_of(scene_maps *maps, const sn_field_info *field, const void *material,
                          size_t vertices) {
    for (size_t i = 0; i < maps->count; i++)
        if (maps->items[i].field == field->name) return (sn_real *)maps->items[i].values;
    sn_real *values = calloc(vertices + 1, sizeof *values), base = 0;
    if (!values) return NULL;
    if (field->kind == SN_FIELD_REAL)
        memcpy(&base, (const char *)material + field->offset, sizeof base);
    for (size_t i = 0; i < vertices; i++) values[i] = base;
    maps->items[maps->count++] = (sn_material_map){field->name, values, vertices};
    return values;
}

/* ---- Filling ---- */

static sn_result fill_one(const filling *f, size_t vertex) {
    double value;
    SN_TRY(sn_scene_read_number_at(&f->s->reader, f->part->value, &f->mesh->positions[vertex],
                                   &value));
    f->values[vertex] = (sn_real)value;
    return SN_OK;
}

static sn_result fill_group(const filling *f) {
    const sn_mesh_group *group = sn_mesh_find_group(f->mesh, f->part->group);
    if (!group)
        return sn_scene_complain(
            &f->s->reader, sn_json_member(f->node, "group"), "the mesh has no group \"%.64s\"%s%s",
            f->part->group, f->mesh->group_count ? "; one of its groups is " : ", nor any other",
            f->mesh->group_count ? f->mesh->groups[0].name : "");
    for (size_t i = 0; i < group->count; i++) SN_TRY(fill_one(f, group->vertices[i]));
    return SN_OK;
}

static sn_result fill_picked(const filling *f) {
    const json_node *list = f->part->vertices;
    for (size_t i = 0; i < list->count; i++) {
        size_t vertex;
        SN_TRY(sn_scene_read_index(&f->s->reader, &list->items[i], 0, UINT32_MAX, &vertex));
        if (vertex >= f->mesh->vertex_count)
            return sn_scene_complain(&f->s->reader, &list->items[i],
                                     "is vertex %zu, but the mesh has %zu vertices", vertex,
                                     f->mesh->vertex_count);
        SN_TRY(fill_one(f, vertex));
    }
    return SN_OK;
}

static sn_result sn_fill_rows(const filling *f) {
    const json_node *rows = f->part->values;
    size_t count = 0;
    for (size_t r = 0; r < rows->count; r++)
        for (size_t i = 0; i < rows->items[r].count; i++, count++) {
            double value;
            SN_TRY(sn_scene_read_number(&f->s->reader, &rows->items[r].items[i], &value));
            if (count < f->mesh->vertex_count) f->values[count] = (sn_real)value;
        }
    if (count == f->mesh->vertex_count) return SN_OK;
    return sn_scene_complain(&f->s->reader, rows, "has %zu numbers, but the mesh has %zu vertices",
                             count, f->mesh->vertex_count);
}

/* ---- Taper ---- */

static double distance(const filling *f, uint32_t a, uint32_t b) {
    return sn_io_point_length(sn_io_point_sub(sn_io_point_of(f->mesh->positions[b]),
                                              sn_io_point_of(f->mesh->positions[a])));
}

static void taper_chain(const filling *f, const uint32_t *chain, size_t count) {
    double length = 0, so_far = 0, end = (double)f->part->taper;
    for (size_t i = 1; i < count; i++) length += distance(f, chain[i - 1], chain[i]);
    for (size_t i = 0; i < count; i++) {
        so_far += i == 0 ? 0 : distance(f, chain[i - 1], chain[i]);
        double part = length > 0 ? so_far / length : 0;
        sn_real *value = &f->values[chain[i]];
        *value = (sn_real)((double)*value * (1 + part * (end - 1)));
    }
}

/* Lines that branch have no one end to be thinner towards. */
static sn_result taper(const filling *f) {
    scene_chains c;
    SN_TRY(sn_scene_find_chains(f->s, f->mesh, &c));
    for (size_t i = 0; i < c.count; i++)
        taper_chain(f, c.vertices + c.start[i], c.start[i + 1] - c.start[i]);
    if (c.count > 0) return SN_OK;
    return sn_scene_complain(
        &f->s->reader, sn_json_member(f->node, "taper"),
        "is for lines that have a beginning and do not branch, which this mesh "
        "has none of");
}

static sn_result fill_values(const filling *f) {
    const scene_map_part *part = f->part;
    if (!part->value && !part->values && part->taper != 1) return SN_OK;
    if (!part->value == !part->values)
        return sn_scene_complain(&f->s->reader, f->node,
                                 "has %s of \"value\" and \"values\", expected one",
                                 part->value ? "both" : "none");
    if (part->values && (part->group || part->vertices))
        return sn_scene_complain(
            &f->s->reader, f->node,
            "has \"values\", which are those of all vertices, expected no \"%s\"",
            part->group ? "group" : "vertices");
    if (part->values) return sn_fill_rows(f);
    if (part->group) SN_TRY(fill_group(f));
    if (part->vertices) SN_TRY(fill_picked(f));
    for (size_t i = 0; !part->group && !part->vertices && i < f->mesh->vertex_count; i++)
        SN_TRY(fill_one(f, i));
    return SN_OK;
}

static sn_result fill(const filling *f) {
    SN_TRY(fill_values(f));
    return f->part->taper == 1 ? SN_OK : taper(f);
}

sn_result sn_scene_read_maps(sn_scene *s, const json_node *list, const sn_mesh *mesh, sn_kind kind,
                             const void *material, scene_maps *maps) {
    if (!list || list->count == 0) return SN_OK;
    maps->items = calloc(list->count, sizeof *maps->items);
    if (!maps->items) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < list->count; i++) {
        const json_node *node = &list->items[i];
        scene_map_part part = {.taper = 1};
        SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_map_object, NULL));
        SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_map_object, &part));
        const sn_field_info *field = find_field(s, node, part.field, kind);
        if (!field) return SN_ERROR_DATA;
        sn_real *values = values_of(maps, field, material, mesh->vertex_count);
        if (!values) return SN_ERROR_MEMORY;
        SN_TRY(fill(&(filling){s, node, &part, mesh, values}));
    }
    return SN_OK;
}

/* Which of two names it is; 2: none. */
static size_t name_of(sn_scene *s, const json_node *node, const char *name,
                      const char *const names[2]) {
    for (size_t k = 0; k < 2; k++)
        if (strcmp(name, names[k]) == 0) return k;
    (void)sn_scene_complain(&s->reader, sn_json_member(node, "field"),
                            "is \"%.64s\", expected \"%s\" or \"%s\"", name, names[0], names[1]);
    return 2;
}

sn_result sn_scene_read_factors(sn_scene *s, const json_node *list, const sn_mesh *mesh,
                                const char *const names[2], sn_real *factors[2]) {
    for (size_t i = 0; list && i < list->count; i++) {
        const json_node *node = &list->items[i];
        scene_map_part part = {.taper = 1};
        SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_map_object, NULL));
        SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_map_object, &part));
        size_t k = name_of(s, node, part.field, names);
        if (k == 2) return SN_ERROR_DATA;
        if (!factors[k]) {
            factors[k] = calloc(mesh->vertex_count + 1, sizeof *factors[k]);
            if (!factors[k]) return SN_ERROR_MEMORY;
            for (size_t v = 0; v < mesh->vertex_count; v++) factors[k][v] = 1;
        }
        SN_TRY(fill(&(filling){s, node, &part, mesh, factors[k]}));
    }
    return SN_OK;
}

void sn_scene_free_maps(scene_maps *maps) {
    for (size_t i = 0; i < maps->count; i++) free((sn_real *)maps->items[i].values);
    free(maps->items);
    *maps = (scene_maps){0};
}
