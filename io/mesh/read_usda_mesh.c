/*
 * Faces of OpenUSD meshes and what belongs to them. A GeomSubset of the family materialBind has the
 * material of its faces; every other one is a group, of its points or of those of its faces.
 */
#include "io/mesh/read_usda.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct usda_faces {
    const double *counts, *indices;
    size_t count, index_count;
    uint32_t *start; /* of each face in the indices; one more than faces */
    uint32_t *looks; /* of each face */
    uint8_t *groups; /* how many have it */
} usda_faces;

static sn_result find_value(const usda_geometry *g, const char *name, const double **numbers,
                            size_t *count) {
    const usda_document *d = g->document;
    const usda_property *p = sn_usda_find(d, g->node, name, strlen(name));
    if (!p || p->count == 0)
        return sn_text_fail(&d->text, d->nodes.items[g->node].name.at, "the mesh has no %s", name);
    const usda_value *value = &d->values.items[p->first];
    const double *all = d->numbers.items;
    for (size_t i = 1; !g->is_still && i < p->count; i++) {
        const usda_value *other = value + i;
        bool same = other->count == value->count &&
                    (other->count == 0 || memcmp(all + other->first, all + value->first,
                                                 other->count * sizeof *all) == 0);
        if (!same)
            return sn_text_fail(&d->text, p->name.at,
                                "%s are others at %g, expected the same at all times", name,
                                other->time);
    }
    *numbers = all + value->first;
    *count = value->count;
    return SN_OK;
}

static bool is_index(double value, size_t count) {
    return value >= 0 && value < (double)count && value == floor(value);
}

/* Where faces begin; their corners must be there. */
static sn_result check_faces(const usda_geometry *g, usda_faces *f) {
    const usda_document *d = g->document;
    const char *at = d->nodes.items[g->node].name.at;
    size_t used = 0;
    if (f->index_count > UINT32_MAX)
        return sn_text_fail(&d->text, at, "the mesh has more than %u indices", UINT32_MAX);
    for (size_t i = 0; i < f->count; i++) {
        double count = f->counts[i];
        if (!(count >= 3 && count <= (double)(f->index_count - used) && count == floor(count)))
            return sn_text_fail(&d->text, at,
                                "face %zu of the mesh has %g corners, and %zu indices are left", i,
                                count, f->index_count - used);
        for (size_t k = used; k < used + (size_t)count; k++)
            if (!is_index(f->indices[k], g->points))
                return sn_text_fail(&d->text, at, "face %zu of the mesh uses point %g of %zu", i,
                                    f->indices[k], g->points);
        f->start[i] = (uint32_t)used;
        used += (size_t)count;
    }
    f->start[f->count] = (uint32_t)used;
    if (used == f->index_count) return SN_OK;
    return sn_text_fail(&d->text, at, "the faces use %zu of %zu indices", used, f->index_count);
}

/* ---- Subsets ---- */

/* The subset after a node that belongs to the mesh; SIZE_MAX behind the last. What is below a prim
   follows it. */
static size_t next_subset(const usda_geometry *g, size_t node) {
    const usda_document *d = g->document;
    for (node++; node < d->nodes.count; node++) {
        const usda_node *n = &d->nodes.items[node];
        if (n->parent == SIZE_MAX || n->parent < g->node) return SIZE_MAX;
        if (n->parent == g->node && sn_usda_is(n->type, "GeomSubset")) return node;
    }
    return SIZE_MAX;
}

static bool binds_material(const usda_document *d, size_t subset) {
    return sn_usda_is(sn_usda_quote(d, subset, "familyName"), "materialBind");
}

/* What a subset is made of. One that says no type is of faces. */
static bool is_of(const usda_document *d, size_t subset, const char *type) {
    usda_word word = sn_usda_quote(d, subset, "elementType");
    return word.length == 0 ? strcmp(type, "face") == 0 : sn_usda_is(word, type);
}

/* The members of a subset, of so many elements. */
static sn_result find_members(const usda_geometry *g, size_t subset, const char *what, size_t all,
                              const double **members, size_t *count) {
    const usda_document *d = g->document;
    const usda_property *p = sn_usda_find(d, subset, "indices", 7);
    *count = 0;
    *members = NULL;
    if (!p || p->count == 0) return SN_OK;
    const usda_value *value = &d->values.items[p->first];
    *members = d->numbers.items + value->first;
    *count = value->count;
    for (size_t i = 0; i < *count; i++)
        if (!is_index((*members)[i], all))
            return sn_text_fail(&d->text, p->name.at, "the subset has %s %g, and the mesh has %zu",
                                what, (*members)[i], all);
    return SN_OK;
}

static sn_result bind_faces(const usda_geometry *g, usda_faces *f) {
    const usda_document *d = g->document;
    uint32_t look = BUILD_PLAIN;
    if (!g->build->wants_materials) return SN_OK;
    SN_TRY(sn_usda_find_look(g, g->node, &look));
    for (size_t i = 0; i < f->count; i++) f->looks[i] = look;
    for (size_t s = next_subset(g, g->node); s != SIZE_MAX; s = next_subset(g, s)) {
        const double *members;
        size_t count;
        if (!binds_material(d, s) || !is_of(d, s, "face")) continue;
        SN_TRY(find_members(g, s, "face", f->count, &members, &count));
        if (count > 0) SN_TRY(sn_usda_find_look(g, s, &look));
        for (size_t i = 0; i < count; i++) f->looks[(size_t)members[i]] = look;
    }
    return SN_OK;
}

/* The points of the faces of a subset. A face is of a few groups at most, since the lists of all of
   them grow with it. */
static sn_result add_corners(const usda_geometry *g, usda_faces *f, size_t subset,
                             const double *members, size_t count) {
    const usda_document *d = g->document;
    for (size_t i = 0; i < count; i++) {
        size_t face = (size_t)members[i];
        if (f->groups[face]++ >= BUILD_GROUPS_MOST)
            return sn_text_fail(&d->text, d->nodes.items[subset].name.at,
                                "face %zu is in more than %d groups", face, BUILD_GROUPS_MOST);
        for (uint32_t k = f->start[face]; k < f->start[face + 1]; k++)
            SN_TRY(sn_io_build_corner(g->build, g->first + (uint32_t)f->indices[k]));
    }
    return SN_OK;
}

static sn_result add_groups(const usda_geometry *g, usda_faces *f) {
    const usda_document *d = g->document;
    for (size_t s = next_subset(g, g->node); s != SIZE_MAX; s = next_subset(g, s)) {
        const double *members;
        size_t count;
        uint32_t group;
        usda_word name = d->nodes.items[s].name;
        bool points = is_of(d, s, "point");
        if (binds_material(d, s) || !(points || is_of(d, s, "face"))) continue;
        SN_TRY(find_members(g, s, points ? "point" : "face", points ? g->points : f->count,
                            &members, &count));
        g->build->corners.count = 0;
        for (size_t i = 0; points && i < count; i++)
            SN_TRY(sn_io_build_corner(g->build, g->first + (uint32_t)members[i]));
        if (!points) SN_TRY(add_corners(g, f, s, members, count));
        if (count == 0) continue;
        SN_TRY(sn_io_build_group(g->build, name.at, name.length, &group));
        SN_TRY(
            sn_io_build_members(g->build, group, g->build->corners.items, g->build->corners.count));
    }
    return SN_OK;
}

sn_result sn_usda_add_name(const usda_geometry *g) {
    usda_word name = g->document->nodes.items[g->node].name;
    uint32_t group;
    SN_TRY(sn_io_build_group(g->build, name.at, name.length, &group));
    g->build->corners.count = 0;
    for (uint32_t i = 0; i < g->points; i++) SN_TRY(sn_io_build_corner(g->build, g->first + i));
    return sn_io_build_members(g->build, group, g->build->corners.items, g->points);
}

/* ---- Points ---- */

/* The first value of an attribute that has so many numbers for each point, or for all of them
   together where that is allowed; null where it is given in another way. */
static const double *find_primvar(const usda_geometry *g, const char *name, size_t width,
                                  bool *is_one) {
    const usda_document *d = g->document;
    char indices[64];
    int length = snprintf(indices, sizeof indices, "%s:indices", name);
    const usda_property *p = sn_usda_find(d, g->node, name, strlen(name));
    if (g->points == 0 || sn_usda_find(d, g->node, indices, (size_t)length)) return NULL;
    const usda_value *value = p && p->count > 0 ? &d->values.items[p->first] : NULL;
    *is_one = value && value->count == width && g->points != 1;
    if (!value || !(*is_one || value->count == width * g->points)) return NULL;
    return d->numbers.items + value->first;
}

/* Texture coordinates and colours of points. Those of faces, of corners and with indices are passed
   over. */
static sn_result add_primvars(const usda_geometry *g) {
    bool is_one;
    const double *uv = find_primvar(g, "primvars:st", 2, &is_one);
    for (uint32_t i = 0; uv && !is_one && g->build->wants_uvs && i < g->points; i++)
        SN_TRY(sn_io_build_set_uv(g->build, g->first + i, uv[2 * i], uv[2 * i + 1]));
    const double *light = find_primvar(g, "primvars:displayColor", 3, &is_one);
    for (uint32_t i = 0; light && g->build->wants_colours && i < g->points; i++)
        SN_TRY(sn_io_build_set_light(g->build, g->first + i, light + (is_one ? 0 : 3 * i)));
    return SN_OK;
}

/* ---- Meshes ---- */

static sn_result add_polygons(const usda_geometry *g, const usda_faces *f) {
    const usda_node *prim = &g->document->nodes.items[g->node];
    sn_io_build *build = g->build;
    for (size_t i = 0; i < f->count; i++) {
        const double *index = f->indices + f->start[i];
        size_t corners = f->start[i + 1] - f->start[i];
        build->corners.count = 0;
        for (size_t k = 0; k < corners; k++) {
            double v = index[prim->is_left_handed ? corners - 1 - k : k];
            SN_TRY(sn_io_build_corner(build, g->first + (uint32_t)v));
        }
        sn_result result = sn_io_build_polygon(build, build->corners.items, corners);
        if (result == SN_ERROR_MEMORY) return result;
        if (result != SN_OK) return sn_text_within(&g->document->text, prim->name.at, result);
        if (build->wants_materials) SN_TRY(sn_io_build_give_look(build, f->looks[i]));
    }
    return SN_OK;
}

sn_result sn_usda_add_mesh(const usda_geometry *g) {
    usda_faces f = {0};
    const sn_allocator *memory = &g->build->allocator;
    SN_TRY(find_value(g, "faceVertexCounts", &f.counts, &f.count));
    SN_TRY(find_value(g, "faceVertexIndices", &f.indices, &f.index_count));
    f.start = sn_io_allocate(memory, f.count + 1, sizeof *f.start);
    f.looks = sn_io_allocate(memory, f.count, sizeof *f.looks);
    f.groups = sn_io_allocate(memory, f.count, sizeof *f.groups);
    sn_result result = f.start && f.looks && f.groups ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) result = check_faces(g, &f);
    if (result == SN_OK) result = bind_faces(g, &f);
    if (result == SN_OK) result = add_polygons(g, &f);
    if (result == SN_OK) result = add_primvars(g);
    if (result == SN_OK) result = sn_usda_add_name(g);
    if (result == SN_OK) result = add_groups(g, &f);
    sn_io_free(memory, f.start, f.count + 1, sizeof *f.start);
    sn_io_free(memory, f.looks, f.count, sizeof *f.looks);
    sn_io_free(memory, f.groups, f.count, sizeof *f.groups);
    return result;
}
