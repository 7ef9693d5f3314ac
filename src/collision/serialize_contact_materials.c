/* The contact materials to and from an archive. What nobody has said anything about is not there,
   so that such worlds have the bytes that they always had. */
#include "collision/serialize_collision.h"

/* ---- Pairs of materials ---- */

/* One section per pair: there are few. */
static void serialize_pair(sn_archive *a, sn_contact_materials *contact_materials, size_t i) {
    sn_material_pair *pair = &contact_materials->pair[i];
    sn_archive_section(a, "pair");
    sn_archive_column(a, "key", SN_ARCHIVE_U32, &pair->key, 1);
    sn_object_serialize(&sn_contact_pair_object, a, &pair->def, sizeof pair->def, 1, i);
    sn_archive_section_end(a);
    if (!a->reading || a->result != SN_OK) return;
    bool sorted = i == 0 || contact_materials->pair[i - 1].key < pair->key;
    if (!sorted || pair->key / SN_MATERIALS > pair->key % SN_MATERIALS ||
        pair->key >= SN_MATERIALS * SN_MATERIALS)
        sn_archive_fail(a, "pair %zu of materials is %u, which is out of order", i, pair->key);
}

static void serialize_pairs(sn_archive *a, sn_world *world, size_t count) {
    sn_contact_materials *contact_materials = sn_contact_materials_of(world);
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&contact_materials->pair,
                                       &contact_materials->pair_capacity, count + 1,
                                       sizeof *contact_materials->pair));
    for (size_t i = 0; i < count && a->result == SN_OK; i++)
        serialize_pair(a, contact_materials, i);
    if (a->reading && a->result == SN_OK) contact_materials->pairs = count;
}

/* ---- Who ignores whom ---- */

static bool is_alive(const sn_slots *slots, uint64_t slot) {
    return slot > 0 && slot <= slots->count && slots->alive[slot - 1];
}

static void serialize_ignored(sn_archive *a, sn_world *world, const char *name, sn_ignored *ignored,
                              const sn_slots *others) {
    size_t count = a->reading ? sn_archive_count(a, name) : ignored->count;
    if (count == 0) return;
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&ignored->key, &ignored->capacity,
                                       count + 1, sizeof *ignored->key));
    if (a->result != SN_OK) return;
    sn_archive_column(a, name, SN_ARCHIVE_U64, ignored->key, count);
    for (size_t i = 0; a->reading && i < count && a->result == SN_OK; i++) {
        uint64_t key = ignored->key[i], first = key >> 32, second = key & UINT32_MAX;
        if ((i > 0 && ignored->key[i - 1] >= key) || !is_alive(&world->bodies.slots, first) ||
            !is_alive(others, second) || (others == &world->bodies.slots && first > second))
            sn_archive_fail(a, "%s %zu is of %u and %u, which is out of order or not there", name,
                            i, (uint32_t)first, (uint32_t)second);
    }
    if (a->reading && a->result == SN_OK) ignored->count = count;
}

void sn_world_serialize_contact_materials(sn_world *world, sn_archive *a) {
    sn_contact_materials *contact_materials = sn_contact_materials_of(world);
    if (a->reading && !sn_archive_is_next(a, "laws")) return;
    if (!a->reading && contact_materials->pairs + contact_materials->bodies.count +
                               contact_materials->colliders.count ==
                           0)
        return;
    uint32_t pairs = (uint32_t)contact_materials->pairs;
    sn_archive_section(a, "laws");
    sn_archive_cursor cursor = sn_archive_open(a, "pairs", SN_ARCHIVE_U32, 1);
    sn_archive_next(a, &cursor, &pairs);
    if (a->reading && a->result == SN_OK && pairs > SN_MATERIALS * SN_MATERIALS)
        sn_archive_fail(a, "there are %u pairs of materials", pairs);
    serialize_ignored(a, world, "ignored_bodies", &contact_materials->bodies, &world->bodies.slots);
    serialize_ignored(a, world, "ignored_colliders", &contact_materials->colliders,
                      &sn_colliders_of(world)->slots);
    sn_archive_section_end(a);
    serialize_pairs(a, world, pairs);
}
