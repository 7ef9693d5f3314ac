/* Colliders to and from an archive, and which contacts there were in the last step. */
#include "collision/serialize_collision.h"

/* ---- Checks of what was read ---- */

static bool is_unit(sn_quat q) {
    return sn_serialize_is_unit((sn_vec4){q.x, q.y, q.z, q.w});
}

static void check_collider(sn_archive *a, sn_collider_state *c, size_t i) {
    if (c->has_target > 1 || !is_unit(c->def.orientation) ||
        (c->has_target && !is_unit(c->target_orientation)))
        sn_archive_fail(a, "collider %zu has an orientation that is no unit quaternion", i);
}

/* ---- Contacts ---- */

static void check_contact(sn_archive *a, const sn_world *world, const sn_contact *c, size_t i) {
    if (c->nodes[0].slot == 0 || c->nodes[0].slot > world->nodes.slots.count ||
        c->collider.slot == 0 || c->collider.slot > sn_colliders_of(world)->slots.count)
        sn_archive_fail(a, "contact %zu is of node %u and collider %u, which there are none of", i,
                        c->nodes[0].slot, c->collider.slot);
}

/* Where they touched; older archives do not have it. */
static void serialize_points(sn_archive *a, sn_contact *first, size_t count) {
    if (!a->reading || sn_archive_has(a, "contact_point"))
        sn_archive_member(a, "contact_point", SN_ARCHIVE_REAL, &first->point, sizeof *first, 3,
                          count);
}

/* Which nodes touched, which tells the next step what is new. */
static void serialize_contacts(sn_archive *a, sn_world *world) {
    sn_contact_list *list = &world->contacts;
    size_t begin = sn_contact_list_begin(list, SN_CONTACT_NODE_COLLIDER);
    size_t end = sn_contact_list_begin(list, SN_CONTACT_NODE_COLLIDER + 1);
    size_t count = a->reading ? sn_archive_count(a, "contact_node") : end - begin;
    size_t stride = sizeof *list->contact;
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_contact_list_insert(list, &world->memory, begin, count));
    if (a->result != SN_OK || count == 0) return;
    sn_contact *first = list->contact + begin;
    sn_archive_member(a, "contact_node", SN_ARCHIVE_U32, &first->nodes[0].slot, stride, 1, count);
    sn_archive_member(a, "contact_node_generation", SN_ARCHIVE_U16, &first->nodes[0].generation,
                      stride, 1, count);
    sn_archive_member(a, "contact_collider", SN_ARCHIVE_U32, &first->collider.slot, stride, 1,
                      count);
    sn_archive_member(a, "contact_collider_generation", SN_ARCHIVE_U16, &first->collider.generation,
                      stride, 1, count);
    sn_archive_member(a, "contact_normal", SN_ARCHIVE_REAL, &first->normal, stride, 3, count);
    sn_archive_member(a, "contact_impulse", SN_ARCHIVE_REAL, &first->impulse, stride, 3, count);
    sn_archive_member(a, "contact_pressure", SN_ARCHIVE_REAL, &first->normal_impulse, stride, 1,
                      count);
    serialize_points(a, first, count);
    sn_archive_choices(a, "contact_phase", SN_ARCHIVE_U8, &first->phase, sizeof first->phase,
                       stride, count, SN_CONTACT_END + 1);
    for (size_t i = 0; a->reading && i < count && a->result == SN_OK; i++) {
        first[i].kind = SN_CONTACT_NODE_COLLIDER;
        first[i].weights[0] = 1;
        first[i].nodes[0].world = first[i].collider.world = world->tag;
        check_contact(a, world, &first[i], i);
    }
}

/* ---- Geometry ---- */

/* Where the vertices of a mesh are to go in the next step. */
static void serialize_targets(sn_archive *a, sn_world *world, sn_collider_def *def) {
    const sn_boundary *b = &def->form->boundary;
    size_t count = a->reading ? sn_archive_count(a, "targets") / 3 : b->moves ? b->vertex_count : 0;
    if (a->result != SN_OK || count == 0) return;
    if (!a->reading) {
        sn_archive_column(a, "targets", SN_ARCHIVE_REAL, b->targets, 3 * count);
        return;
    }
    sn_vec3 *targets = sn_allocate(&world->memory, count, sizeof *targets);
    if (!sn_serialize_had(a, targets != NULL)) return;
    sn_archive_column(a, "targets", SN_ARCHIVE_REAL, targets, 3 * count);
    if (a->result == SN_OK && (def->shape != SN_SHAPE_MESH || count != b->vertex_count))
        sn_archive_fail(a, "there are targets for %zu vertices, expected %zu", count,
                        b->vertex_count);
    if (a->result == SN_OK)
        sn_serialize_had(a, sn_collider_geometry_send(&world->memory, def, targets));
    sn_free(&world->memory, targets, count, sizeof *targets);
}

static void serialize_form(sn_archive *a, sn_world *world, size_t i) {
    sn_collider_def *def = &sn_colliders_of(world)->state[i].def;
    sn_geometry_room room = {0};
    sn_archive_section(a, "geometry");
    sn_serialize_geometry(a, &world->memory, def, &room);
    if (a->reading && a->result == SN_OK) {
        sn_result result = sn_collider_geometry_create(&world->memory, def);
        if (result == SN_ERROR_MEMORY)
            a->result = result;
        else if (result != SN_OK)
            sn_archive_fail(a, "collider %zu has a geometry that is none: %s", i, sn_last_error());
    }
    sn_geometry_room_free(&world->memory, &room);
    if (a->result == SN_OK) serialize_targets(a, world, def);
    sn_archive_section_end(a);
}

/* ---- All of it ---- */

/* Worlds in which nothing is carried have the bytes that they always had. */
static void serialize_carriers(sn_archive *a, sn_colliders *c) {
    size_t count = c->slots.count, stride = sizeof *c->state;
    if (a->reading) {
        c->carried = 0;
        for (size_t i = 0; i < count; i++) {
            c->state[i].carrier = 0;
            c->state[i].at = (sn_vec3){0, 0, 0};
            c->state[i].turn = (sn_quat){0, 0, 0, 1};
        }
    }
    if (a->reading ? !sn_archive_has(a, "carrier") : c->carried == 0) return;
    sn_archive_member(a, "carrier", SN_ARCHIVE_U32, &c->state->carrier, stride, 1, count);
    sn_archive_member(a, "carrier_at", SN_ARCHIVE_REAL, &c->state->at, stride, 3, count);
    sn_archive_member(a, "carrier_turn", SN_ARCHIVE_REAL, &c->state->turn, stride, 4, count);
    for (size_t i = 0; a->reading && i < count && a->result == SN_OK; i++) {
        if (!c->slots.alive[i]) c->state[i].carrier = 0;
        c->carried += c->state[i].carrier != 0;
        if (c->state[i].carrier && !is_unit(c->state[i].turn))
            sn_archive_fail(a, "collider %zu is carried with a turn that is no unit quaternion", i);
    }
}

static void serialize_states(sn_archive *a, sn_world *world) {
    sn_colliders *c = sn_colliders_of(world);
    size_t count = c->slots.count, stride = sizeof *c->state;
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(
            a, sn_reserve(&world->memory, (void **)&c->state, &c->capacity, count + 1, stride));
    if (a->result != SN_OK || count == 0) return;
    sn_object_serialize(&sn_collider_object, a, &c->state->def, stride, count, 0);
    sn_archive_member(a, "has_target", SN_ARCHIVE_U8, &c->state->has_target, stride, 1, count);
    sn_archive_member(a, "target", SN_ARCHIVE_REAL, &c->state->target, stride, 3, count);
    sn_archive_member(a, "target_orientation", SN_ARCHIVE_REAL, &c->state->target_orientation,
                      stride, 4, count);
    serialize_carriers(a, c);
    for (size_t i = 0; a->reading && i < count && a->result == SN_OK; i++)
        if (c->slots.alive[i]) check_collider(a, &c->state[i], i);
}

void sn_world_serialize_colliders(sn_world *world, sn_archive *a) {
    sn_colliders *c = sn_colliders_of(world);
    if (a->reading && !sn_archive_is_next(a, "collider")) return;
    /* Worlds without any have the bytes that they always had. */
    if (!a->reading && c->slots.count == 0) return;
    sn_archive_section(a, "collider");
    sn_serialize_slots(a, &c->slots, &world->memory, UINT32_MAX - 1);
    serialize_states(a, world);
    serialize_contacts(a, world);
    sn_archive_section_end(a);
    for (size_t i = 0; i < c->slots.count && a->result == SN_OK; i++)
        if (c->slots.alive[i] && sn_collider_geometry_is_needed(c->state[i].def.shape))
            serialize_form(a, world, i);
}
