/*
 * Cleaning works on a list of triangles of its own and on marks, all of which can fail, and then
 * changes the mesh, which cannot.
 */
#include "base/error.h"
#include "geometry/repair/element_flaws.h"
#include "geometry/repair/sliver_triangles.h"
#include "geometry/topology/orient_triangles.h"
#include "geometry/topology/renumber_vertices.h"

#include <string.h>

/* How often slivers and sides are looked at; more than once is rare, and rubbish must end. */
enum { ROUNDS = 8 };

typedef struct work {
    sn_mesh *mesh;
    sn_memory memory;
    uint8_t *flaw[3]; /* of lines, triangles and tetrahedra */
    uint32_t (*triangles)[3];
    size_t triangle_count;
    uint32_t *to, *spare; /* per vertex */
    sn_mesh_changes changes;
} work;

static sn_result find_flaws(work *w, int corners) {
    sn_elements elements = sn_elements_of(w->mesh, corners);
    uint32_t *twin = sn_allocate(&w->memory, elements.count, sizeof *twin);
    uint8_t *flaw = sn_allocate(&w->memory, elements.count, sizeof *flaw);
    w->flaw[corners - 2] = flaw;
    sn_result result = twin && flaw ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) result = sn_flaws_find(w->mesh, &w->memory, elements, flaw, twin);
    sn_free(&w->memory, twin, elements.count, sizeof *twin);
    return result;
}

static size_t count_changes(const work *w) {
    return w->changes.triangles_removed + w->changes.edges_flipped;
}

/* The triangles as they will be. */
static sn_result mend_triangles(work *w) {
    const sn_mesh *mesh = w->mesh;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        uint8_t flaw = w->flaw[1][t];
        if (flaw == SN_FLAW_REPEATED || flaw == SN_FLAW_DUPLICATE) continue;
        memcpy(w->triangles[w->triangle_count++], mesh->triangles[t], sizeof *mesh->triangles);
    }
    w->changes.triangles_removed = mesh->triangle_count - w->triangle_count;
    /* Slivers are flipped between triangles of the same side, and may leave neighbours that were
       none before. */
    size_t before = SIZE_MAX;
    for (int round = 0; round < ROUNDS && before != count_changes(w); round++) {
        size_t turned = 0;
        SN_TRY(sn_orient(mesh, &w->memory, w->triangles, w->triangle_count, &turned));
        w->changes.triangles_turned += turned;
        before = count_changes(w);
        SN_TRY(sn_slivers_remove(mesh, &w->memory, w->triangles, &w->triangle_count,
                                 &w->changes.triangles_removed, &w->changes.edges_flipped));
    }
    return SN_OK;
}

static sn_result plan(work *w) {
    const sn_mesh *mesh = w->mesh;
    for (int corners = 2; corners <= 4; corners++) SN_TRY(find_flaws(w, corners));
    w->triangles = sn_allocate(&w->memory, mesh->triangle_count, sizeof *w->triangles);
    w->to = sn_allocate(&w->memory, mesh->vertex_count, sizeof *w->to);
    w->spare = sn_allocate(&w->memory, mesh->vertex_count, sizeof *w->spare);
    if (!w->triangles || !w->to || !w->spare) return SN_ERROR_MEMORY;
    return mend_triangles(w);
}

/* ---- Changing the mesh ---- */

static void change_tets(work *w) {
    sn_mesh *mesh = w->mesh;
    size_t kept = 0;
    for (size_t t = 0; t < mesh->tet_count; t++) {
        uint8_t flaw = w->flaw[2][t];
        if (flaw != SN_FLAW_NONE && flaw != SN_FLAW_INVERTED) continue;
        uint32_t *v = mesh->tets[kept++];
        memmove(v, mesh->tets[t], sizeof *mesh->tets);
        if (flaw == SN_FLAW_NONE) continue;
        uint32_t moved = v[2];
        v[2] = v[3];
        v[3] = moved;
        w->changes.tets_turned++;
    }
    w->changes.tets_removed = mesh->tet_count - kept;
    mesh->tet_count = kept;
}

static void change_lines(work *w) {
    sn_mesh *mesh = w->mesh;
    size_t kept = 0;
    for (size_t i = 0; i < mesh->line_count; i++)
        if (w->flaw[0][i] == SN_FLAW_NONE)
            memmove(mesh->lines[kept++], mesh->lines[i], sizeof *mesh->lines);
    w->changes.lines_removed = mesh->line_count - kept;
    mesh->line_count = kept;
}

static void mark(uint32_t *used, const uint32_t *v, size_t count) {
    for (size_t i = 0; i < count; i++) used[v[i]] = 1;
}

static void remove_unused(work *w) {
    sn_mesh *mesh = w->mesh;
    uint32_t kept = 0;
    mark(w->spare, (const uint32_t *)mesh->triangles, 3 * mesh->triangle_count);
    mark(w->spare, (const uint32_t *)mesh->tets, 4 * mesh->tet_count);
    mark(w->spare, (const uint32_t *)mesh->lines, 2 * mesh->line_count);
    for (size_t i = 0; i < mesh->vertex_count; i++)
        w->to[i] = w->spare[i] ? kept++ : SN_VERTEX_GONE;
    w->changes.vertices_removed = mesh->vertex_count - kept;
    sn_mesh_renumber(mesh, w->to, w->spare);
}

static void change(work *w) {
    sn_mesh *mesh = w->mesh;
    bool has_elements = mesh->triangle_count + mesh->tet_count + mesh->line_count > 0;
    if (w->triangle_count > 0)
        memcpy(mesh->triangles, w->triangles, w->triangle_count * sizeof *mesh->triangles);
    mesh->triangle_count = w->triangle_count;
    change_tets(w);
    change_lines(w);
    if (has_elements) remove_unused(w);
}

sn_result sn_mesh_clean(sn_mesh *mesh, sn_mesh_changes *changes) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    work w = {.mesh = mesh, .memory = sn_mesh_memory(mesh)};
    size_t count[3] = {mesh->line_count, mesh->triangle_count, mesh->tet_count};
    size_t vertices = mesh->vertex_count;
    sn_result result = plan(&w);
    if (result == SN_OK) {
        change(&w);
        if (changes) *changes = w.changes;
    }
    for (int i = 0; i < 3; i++) sn_free(&w.memory, w.flaw[i], count[i], sizeof *w.flaw[i]);
    sn_free(&w.memory, w.triangles, count[1], sizeof *w.triangles);
    sn_free(&w.memory, w.to, vertices, sizeof *w.to);
    sn_free(&w.memory, w.spare, vertices, sizeof *w.spare);
    return result;
}
