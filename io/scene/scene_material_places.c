/* What a mesh at rest says of how it is drawn: which of its elements are seen, which edges are
   hard, and where vertices are on a flat sheet of material. */
#include "io/scene/scene_state.h"

#include "io/animation/creases.h"

#include <stdlib.h>
#include <string.h>

sn_mesh sn_scene_shown_mesh(sn_kind kind, const sn_mesh *mesh) {
    sn_mesh shown = *mesh;
    if (kind == SN_KIND_PARTICLES || kind == SN_KIND_FLUID || kind == SN_KIND_GAS)
        shown.tet_count = shown.triangle_count = shown.line_count = 0;
    return shown;
}

sn_result sn_scene_mark_creases(sn_scene *s, const sn_mesh *mesh, bool cloth, sn_io_shape *view) {
    sn_io_creases found = {0};
    view->creased = true;
    /* Cloth is smooth however it is folded, and whatever it was made of. */
    if (cloth || mesh->triangle_count == 0) return SN_OK;
    sn_result result = sn_io_creases_find(mesh->positions, (const uint32_t(*)[3])mesh->triangles,
                                          mesh->triangle_count, &found);
    uint32_t(*kept)[2] = result == SN_OK ? sn_scene_take(s, found.count + 1, sizeof *kept) : NULL;
    if (kept && found.count > 0) memcpy(kept, found.items, found.count * sizeof *kept);
    free(found.items);
    view->crease_count = kept ? found.count : 0;
    view->creases = (const uint32_t(*)[2])kept;
    return kept ? SN_OK : SN_ERROR_MEMORY;
}

static double component(sn_vec3 a, int axis) {
    return (double)(axis == 0 ? a.x : axis == 1 ? a.y : a.z);
}

/* The two axes along which something lies; false where it is not flat along the third. */
static bool flat_axes(const sn_vec3 *rest, size_t count, int axes[2]) {
    double side[3];
    for (int k = 0; k < 3; k++) {
        double least = component(rest[0], k), most = least;
        for (size_t i = 1; i < count; i++) {
            double x = component(rest[i], k);
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        side[k] = most - least;
    }
    int thin = side[0] < side[1] ? 0 : 1;
    if (side[2] <= side[thin]) thin = 2;
    axes[0] = thin == 0 ? 2 : 0;
    axes[1] = thin == 1 ? 2 : 1;
    double shorter = side[axes[0]] < side[axes[1]] ? side[axes[0]] : side[axes[1]];
    return side[thin] <= 1e-3 * shorter;
}

bool sn_scene_lay_out(const sn_vec3 *rest, size_t count, double scale, sn_real (*uvs)[2]) {
    int axes[2];
    if (count == 0 || !flat_axes(rest, count, axes)) return false;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) uvs[i][k] = (sn_real)(scale * component(rest[i], axes[k]));
    return true;
}
