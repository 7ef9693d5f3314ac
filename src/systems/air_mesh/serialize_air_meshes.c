/* Air meshes to and from an archive: the lists, and the elements with their links. */
#include "state/serialize.h"
#include "systems/air_mesh/air_meshes.h"

static void check_lists(sn_archive *a, const sn_gap *air, size_t i) {
    for (size_t t = 0; t < 3 * air->triangles && a->result == SN_OK; t++)
        if (air->triangle[t / 3][t % 3] >= air->nodes)
            sn_archive_fail(a, "triangle %zu of air mesh %zu has the corner %u", t / 3, i,
                            air->triangle[t / 3][t % 3]);
    for (size_t t = 0; t < 2 * air->edges && a->result == SN_OK; t++)
        if (air->edge[t / 2][t % 2] >= air->nodes)
            sn_archive_fail(a, "edge %zu of air mesh %zu has the end %u", t / 2, i,
                            air->edge[t / 2][t % 2]);
}

/* Whether corners are different ones that are there, and so are links. */
static bool is_sound(const sn_gap *air, size_t e) {
    const uint32_t *corner = air->element[e].corner, *link = air->link[e].corner;
    size_t most = air->nodes + (air->axis == SN_GAP_NONE ? SN_GAP_FRAME : 4);
    for (int k = 0; k < 4; k++) {
        if (k == air->corners) return corner[k] == SN_GAP_NO_ELEMENT && link[k] == corner[k];
        if (corner[k] >= most) return false;
        for (int j = 0; j < k; j++)
            if (corner[k] == corner[j]) return false;
        if (link[k] != SN_GAP_NO_ELEMENT && (link[k] >= air->elements || link[k] == e))
            return false;
    }
    return true;
}

static void serialize_elements(sn_archive *a, sn_world *world, sn_gap *air, size_t i) {
    sn_archive_column(a, "room", SN_ARCHIVE_U32, &air->room, 1);
    if (a->reading && a->result == SN_OK) {
        uint32_t room = air->room;
        air->room = 0;
        air->elements = sn_archive_count(a, "corner") / 4;
        size_t most = 2 * air->elements + (size_t)64 * 64 + 16 * air->nodes;
        if (air->elements < 1 || room < air->elements || room > most)
            sn_archive_fail(a, "air mesh %zu has %zu elements and room for %u", i, air->elements,
                            room);
        else
            sn_serialize_had(a, sn_gap_reserve_elements(air, &world->memory, room));
    }
    if (a->result != SN_OK) return;
    sn_archive_column(a, "corner", SN_ARCHIVE_U32, air->element, 4 * air->elements);
    sn_archive_column(a, "link", SN_ARCHIVE_U32, air->link, 4 * air->elements);
    for (size_t e = 0; a->reading && e < air->elements && a->result == SN_OK; e++)
        if (!is_sound(air, e) || !sn_gap_is_linked(air, (uint32_t)e))
            sn_archive_fail(a, "element %zu of air mesh %zu does not fit those beside it", e, i);
}

static void serialize_air(sn_archive *a, sn_world *world, size_t i) {
    sn_gap *air = &sn_gaps_of(world)->state[i];
    sn_archive_section(a, "air");
    sn_object_serialize(&sn_air_mesh_object, a, &air->def, sizeof air->def, 1, i);
    sn_archive_column(a, "plane", SN_ARCHIVE_U32, &air->plane, 1);
    if (a->reading && a->result == SN_OK) {
        size_t nodes = sn_archive_count(a, "node");
        if (nodes < 1 || air->plane > SN_PLANE_XY)
            sn_archive_fail(a, "air mesh %zu has no nodes or plane", i);
        sn_gap_set_plane(air, air->plane);
        if (a->result == SN_OK)
            sn_serialize_had(a, sn_gap_reserve(air, &world->memory, nodes,
                                               sn_archive_count(a, "triangle") / 3,
                                               sn_archive_count(a, "edge") / 2));
    }
    if (a->result == SN_OK) sn_serialize_nodes(world, a, air->node, air->nodes, "air mesh", i);
    if (a->result == SN_OK) {
        sn_archive_column(a, "triangle", SN_ARCHIVE_U32, air->triangle, 3 * air->triangles);
        sn_archive_column(a, "edge", SN_ARCHIVE_U32, air->edge, 2 * air->edges);
    }
    if (a->reading && a->result == SN_OK) check_lists(a, air, i);
    if (a->result == SN_OK) serialize_elements(a, world, air, i);
    if (a->reading && a->result == SN_OK) sn_gap_place_frame(world, air);
    sn_archive_section_end(a);
}

void sn_world_serialize_air_meshes(sn_world *world, sn_archive *a) {
    sn_gaps *all = sn_gaps_of(world);
    if (!sn_serialize_kept(world, a, "airs", &all->slots, (void **)&all->state, &all->capacity,
                           sizeof *all->state))
        return;
    for (size_t i = 0; i < all->slots.count && a->result == SN_OK; i++)
        if (all->slots.alive[i]) serialize_air(a, world, i);
}
