/* Wrinkle meshes to and from an archive: the coarse mesh, and how far vertices are from it. */
#include "state/serialize.h"
#include "systems/wrinkle_mesh/wrinkle_meshes.h"

static bool is_sound(const uint32_t *t, size_t count) {
    return t[0] < count && t[1] < count && t[2] < count && t[0] != t[1] && t[1] != t[2] &&
           t[2] != t[0];
}

static void check_lists(sn_archive *a, const sn_wrinkle_state *w, size_t i) {
    for (size_t t = 0; t < w->triangles && a->result == SN_OK; t++)
        if (!is_sound(w->triangle[t], w->nodes))
            sn_archive_fail(a, "triangle %zu of wrinkle mesh %zu has the corners %u, %u and %u", t,
                            i, w->triangle[t][0], w->triangle[t][1], w->triangle[t][2]);
    for (size_t k = 0; k < w->nodes && a->result == SN_OK; k++) {
        sn_vec3 r = w->rest[k];
        if (!(r.x * 0 + r.y * 0 + r.z * 0 == 0))
            sn_archive_fail(a, "wrinkle mesh %zu is at rest at numbers that are not finite", i);
    }
}

/* The fine mesh, which is made of the lists. */
static void build(sn_archive *a, sn_world *world, sn_wrinkle_state *w, size_t i) {
    sn_result result = sn_wrinkle_state_build(w, &world->memory);
    if (result == SN_ERROR_MEMORY)
        sn_serialize_had(a, false);
    else if (result != SN_OK)
        sn_archive_fail(a, "wrinkle mesh %zu cannot be made of its triangles", i);
}

static void check_offsets(sn_archive *a, const sn_wrinkle_state *w, size_t i) {
    for (size_t v = 0; v < w->fine.vertices && a->result == SN_OK; v++) {
        sn_vec3 u = w->offset[v];
        if (!(u.x * 0 + u.y * 0 + u.z * 0 == 0))
            sn_archive_fail(a, "vertex %zu of wrinkle mesh %zu is at no finite offset", v, i);
    }
}

static void serialize_wrinkle(sn_archive *a, sn_world *world, size_t i) {
    sn_wrinkle_state *w = &sn_wrinkles_of(world)->state[i];
    sn_archive_section(a, "wrinkle");
    sn_object_serialize(&sn_wrinkle_mesh_object, a, &w->def, sizeof w->def, 1, i);
    if (a->reading && a->result == SN_OK) {
        size_t nodes = sn_archive_count(a, "node"), triangles = sn_archive_count(a, "triangle") / 3;
        if (nodes < 3 || triangles < 1) sn_archive_fail(a, "wrinkle mesh %zu has no triangles", i);
        if (a->result == SN_OK)
            sn_serialize_had(a, sn_wrinkle_state_reserve(w, &world->memory, nodes, triangles));
    }
    if (a->result == SN_OK) sn_serialize_nodes(world, a, w->node, w->nodes, "wrinkle mesh", i);
    if (a->result == SN_OK) {
        sn_archive_column(a, "triangle", SN_ARCHIVE_U32, w->triangle, 3 * w->triangles);
        sn_archive_column(a, "rest", SN_ARCHIVE_REAL, w->rest, 3 * w->nodes);
    }
    if (a->reading && a->result == SN_OK) check_lists(a, w, i);
    if (a->reading && a->result == SN_OK) build(a, world, w, i);
    if (a->result == SN_OK)
        sn_archive_column(a, "offset", SN_ARCHIVE_REAL, w->offset, 3 * w->fine.vertices);
    if (a->reading && a->result == SN_OK) check_offsets(a, w, i);
    if (a->reading && a->result == SN_OK) sn_wrinkle_state_place(world, w);
    sn_archive_section_end(a);
}

void sn_world_serialize_wrinkles(sn_world *world, sn_archive *a) {
    sn_wrinkles *all = sn_wrinkles_of(world);
    if (!sn_serialize_kept(world, a, "wrinkles", &all->slots, (void **)&all->state, &all->capacity,
                           sizeof *all->state))
        return;
    for (size_t i = 0; i < all->slots.count && a->result == SN_OK; i++)
        if (all->slots.alive[i]) serialize_wrinkle(a, world, i);
}
