/*
 * Which triangles touched colliders in the last step, and which nodes touched carried ones, to and
 * from an archive: it tells the next step what is new. Worlds in which none did have the bytes that
 * they always had.
 */
#include "collision/serialize_collision.h"

static void check_contact(sn_archive *a, sn_world *world, sn_contact *c, size_t i) {
    for (int k = 0; k < sn_contact_listed((int)c->kind); k++) {
        c->nodes[k].world = world->tag;
        if (c->nodes[k].slot == 0 || c->nodes[k].slot > world->nodes.slots.count)
            sn_archive_fail(a, "contact %zu is of node %u, which there is none of", i,
                            c->nodes[k].slot);
        if (!(c->weights[k] >= 0 && c->weights[k] <= 1))
            sn_archive_fail(a, "contact %zu has a weight outside of 0 to 1", i);
    }
    c->collider.world = world->tag;
    if (c->collider.slot == 0 || c->collider.slot > sn_colliders_of(world)->slots.count)
        sn_archive_fail(a, "contact %zu is of collider %u, which there is none of", i,
                        c->collider.slot);
}

static void serialize_contacts(sn_archive *a, sn_world *world, sn_contact_kind kind,
                               sn_contact *first, size_t count) {
    static const char *const slot[] = {"slot0", "slot1", "slot2"};
    static const char *const generation[] = {"generation0", "generation1", "generation2"};
    const int nodes = sn_contact_listed((int)kind);
    size_t stride = sizeof *first;
    for (int k = 0; k < nodes; k++) {
        sn_archive_member(a, slot[k], SN_ARCHIVE_U32, &first->nodes[k].slot, stride, 1, count);
        sn_archive_member(a, generation[k], SN_ARCHIVE_U16, &first->nodes[k].generation, stride, 1,
                          count);
    }
    sn_archive_member(a, "collider", SN_ARCHIVE_U32, &first->collider.slot, stride, 1, count);
    sn_archive_member(a, "collider_generation", SN_ARCHIVE_U16, &first->collider.generation, stride,
                      1, count);
    sn_archive_member(a, "weights", SN_ARCHIVE_REAL, &first->weights, stride, nodes, count);
    sn_archive_member(a, "point", SN_ARCHIVE_REAL, &first->point, stride, 3, count);
    sn_archive_member(a, "normal", SN_ARCHIVE_REAL, &first->normal, stride, 3, count);
    sn_archive_member(a, "impulse", SN_ARCHIVE_REAL, &first->impulse, stride, 3, count);
    sn_archive_member(a, "pressure", SN_ARCHIVE_REAL, &first->normal_impulse, stride, 1, count);
    sn_archive_choices(a, "phase", SN_ARCHIVE_U8, &first->phase, sizeof first->phase, stride, count,
                       SN_CONTACT_END + 1);
    for (size_t i = 0; a->reading && i < count && a->result == SN_OK; i++) {
        first[i].kind = kind;
        check_contact(a, world, &first[i], i);
    }
}

static void serialize_kind(sn_world *world, sn_archive *a, sn_contact_kind kind,
                           const char *section) {
    sn_contact_list *list = &world->contacts;
    size_t begin = sn_contact_list_begin(list, (int)kind);
    size_t count = sn_contact_list_begin(list, (int)kind + 1) - begin;
    if (a->reading ? !sn_archive_is_next(a, section) : count == 0) return;
    sn_archive_section(a, section);
    if (a->reading) count = sn_archive_count(a, "phase");
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_contact_list_insert(list, &world->memory, begin, count));
    if (a->result == SN_OK && count > 0)
        serialize_contacts(a, world, kind, list->contact + begin, count);
    sn_archive_section_end(a);
}

void sn_world_serialize_triangle_contacts(sn_world *world, sn_archive *a) {
    serialize_kind(world, a, SN_CONTACT_TRIANGLE_COLLIDER, "face");
    serialize_kind(world, a, SN_CONTACT_RIGID, "rigid");
}
