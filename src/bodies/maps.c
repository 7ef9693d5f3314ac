/*
 * Materials that differ from vertex to vertex. A kind asks for its material at an element instead
 * of for that of the body, and gets a copy in which the mapped fields have the mean over its
 * vertices.
 */
#include "bodies/kind.h"

#include "base/range.h"

#include <sinew/support.h>

#include <stdio.h>
#include <string.h>

/* Whether a list of names with a space between them has one. */
static bool names(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; at && *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && strncmp(at, name, length) == 0) return true;
    return false;
}

static const sn_field_info *find(const sn_kind_info *info, const char *name) {
    for (size_t i = 0; i < info->field_count; i++)
        if (strcmp(info->fields[i].name, name) == 0) return &info->fields[i];
    return NULL;
}

static sn_result refuse_name(const sn_kind_info *info, const char *name) {
    sn_suggestion guess = {0};
    for (size_t i = 0; i < info->field_count; i++) sn_suggest(&guess, name, info->fields[i].name);
    return sn_fail(SN_ERROR_NAME, "%s: no field is called \"%.64s\", as a map is%s%s%s", info->name,
                   name, guess.word ? "; did you mean \"" : "", guess.word ? guess.word : "",
                   guess.word ? "\"?" : "");
}

static sn_result check_values(const sn_kind_info *info, const sn_field_info *field,
                              const sn_material_map *map) {
    for (size_t i = 0; i < map->count; i++) {
        double value = (double)map->values[i];
        char name[100];
        if (value >= field->least && value <= field->most) continue;
        snprintf(name, sizeof name, "%.48s at vertex %zu", field->name, i);
        SN_TRY(sn_check_real(info->name, name, map->values[i], field->least, field->most,
                             field->automatic, field->unit));
    }
    return SN_OK;
}

static sn_result check_map(const sn_body_kind *kind, const sn_build_def *def, size_t index) {
    const sn_material_map *map = &def->maps[index];
    const char *body = kind->info.name;
    if (!map->field) return sn_fail(SN_ERROR_NULL, "build: the field of map %zu is null", index);
    const sn_field_info *field = find(&kind->info, map->field);
    if (!field) return refuse_name(&kind->info, map->field);
    if (!names(kind->varies, field->name))
        return sn_fail(SN_ERROR_VALUE,
                       "%s: %s belongs to the body as a whole, expected no map of it", body,
                       field->name);
    for (size_t i = 0; i < index; i++)
        if (strcmp(def->maps[i].field, field->name) == 0)
            return sn_fail(SN_ERROR_VALUE, "%s: %s has two maps, expected one", body, field->name);
    if (map->count != def->mesh->vertex_count)
        return sn_fail(SN_ERROR_VALUE,
                       "%s: the map of %s has %zu values, but the mesh has %zu vertices", body,
                       field->name, map->count, def->mesh->vertex_count);
    if (!map->values)
        return sn_fail(SN_ERROR_NULL, "%s: the values of the map of %s are null", body,
                       field->name);
    return check_values(&kind->info, field, map);
}

sn_result sn_maps_check(const sn_body_kind *kind, const sn_build_def *def) {
    if (def->map_count > 0 && !def->maps) return sn_fail(SN_ERROR_NULL, "build: maps is null");
    for (size_t i = 0; i < def->map_count; i++) SN_TRY(check_map(kind, def, i));
    return SN_OK;
}

const sn_material_map *sn_builder_map(const sn_builder *b, const char *field) {
    for (size_t i = 0; i < b->def->map_count; i++)
        if (strcmp(b->def->maps[i].field, field) == 0) return &b->def->maps[i];
    return NULL;
}

/* Beside the first, so that the same everywhere is the same to the bit. */
static sn_real mean(const sn_real *values, const uint32_t *vertices, size_t count) {
    double first = (double)values[vertices[0]], sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (values[vertices[i]] == SN_AUTO) return SN_AUTO;
        sum += (double)values[vertices[i]] - first;
    }
    return (sn_real)(first + sum / (double)count);
}

const void *sn_builder_at(const sn_builder *b, const uint32_t *vertices, size_t count) {
    if (b->def->map_count == 0) return b->material;
    memcpy(b->local, b->material, b->info->material_size);
    for (size_t i = 0; i < b->def->map_count; i++) {
        const sn_material_map *map = &b->def->maps[i];
        sn_real value = mean(map->values, vertices, count);
        memcpy((char *)b->local + find(b->info, map->field)->offset, &value, sizeof value);
    }
    return b->local;
}
