/* Hairs to and from an archive: their lists, and how the hairstyle has turned. */
#include "state/serialize.h"
#include "systems/hair/hairs.h"

/* Every node once, and lengths that are some. */
static void check_lists(sn_archive *a, sn_world *world, const sn_hair_state *h, size_t i) {
    size_t slots = world->nodes.slots.count;
    uint8_t *seen = sn_allocate(&world->memory, slots + 1, sizeof *seen);
    if (!sn_serialize_had(a, seen != NULL)) return;
    for (size_t k = 0; k < h->nodes && a->result == SN_OK; k++) {
        sn_real length = h->length[k];
        if (seen[h->node[k].slot]) sn_archive_fail(a, "hair %zu has a node twice", i);
        if (!(length >= 0 && length <= SN_REAL_MAX) || (k == 0 && length > 0))
            sn_archive_fail(a, "hair %zu has a length that is none", i);
        seen[h->node[k].slot] = 1;
    }
    sn_free(&world->memory, seen, slots + 1, sizeof *seen);
    const double *q = h->rotation;
    double square = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    if (!(square > 0.99 && square < 1.01))
        sn_archive_fail(a, "hair %zu has a rotation that is none", i);
}

static void serialize_hair(sn_archive *a, sn_world *world, size_t i) {
    sn_hair_state *h = &sn_hairs_of(world)->state[i];
    sn_archive_section(a, "hair");
    sn_object_serialize(&sn_hair_object, a, &h->def, sizeof h->def, 1, i);
    if (a->reading && a->result == SN_OK) {
        h->nodes = sn_archive_count(a, "node");
        if (h->nodes == 0) sn_archive_fail(a, "hair %zu has no nodes", i);
        if (a->result == SN_OK)
            sn_serialize_had(a, sn_hair_state_reserve(h, &world->memory, h->nodes));
    }
    if (a->result == SN_OK) sn_serialize_nodes(world, a, h->node, h->nodes, "hair", i);
    if (a->result == SN_OK) {
        sn_archive_column(a, "length", SN_ARCHIVE_REAL, h->length, h->nodes);
        sn_archive_column(a, "rest", SN_ARCHIVE_REAL, h->rest, 3 * h->nodes);
        sn_archive_column(a, "rotation", SN_ARCHIVE_F64, h->rotation, 4);
    }
    if (a->reading && a->result == SN_OK) check_lists(a, world, h, i);
    sn_archive_section_end(a);
}

void sn_world_serialize_hairs(sn_world *world, sn_archive *a) {
    sn_hairs *all = sn_hairs_of(world);
    if (!sn_serialize_kept(world, a, "hairs", &all->slots, (void **)&all->state, &all->capacity,
                           sizeof *all->state))
        return;
    for (size_t i = 0; i < all->slots.count && a->result == SN_OK; i++)
        if (all->slots.alive[i]) serialize_hair(a, world, i);
}
