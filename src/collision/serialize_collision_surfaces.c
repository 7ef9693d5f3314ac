/* Collision surfaces to and from an archive, and who touched in the last step. */
#include "base/range.h"
#include "collision/serialize_collision.h"

#include <string.h>

/* ---- Elements ---- */

/* How many nodes, triangles, inner edges and edges a collision surface has. */
static void serialize_counts(sn_archive *a, sn_world *world) {
    sn_collision_surfaces *s = sn_collision_surfaces_of(world);
    sn_archive_cursor cursor = sn_archive_open(a, "counts", SN_ARCHIVE_U32, 4 * s->slots.count);
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++) {
        sn_collision_surface_state *surface = &s->state[i];
        uint32_t count[4] = {(uint32_t)surface->def.node_count,
                             (uint32_t)surface->def.triangle_count, (uint32_t)surface->inner,
                             (uint32_t)surface->edges};
        for (int k = 0; k < 4; k++) sn_archive_next(a, &cursor, &count[k]);
        if (!a->reading || a->result != SN_OK) continue;
        bool none = count[0] + count[1] + count[3] == 0;
        if ((s->slots.alive[i] ? count[0] == 0 : !none) || count[2] > count[3])
            sn_archive_fail(a, "collision surface %zu has %u nodes and %u of %u edges in triangles",
                            i, count[0], count[2], count[3]);
        surface->def.node_count = count[0];
        surface->def.triangle_count = count[1];
        surface->inner = count[2];
        surface->edges = count[3];
        surface->def.segment_count = count[3] - count[2];
    }
}

/* The total of one list; what is read must be there in full before memory is had for it. */
static size_t total_of(sn_archive *a, const sn_collision_surfaces *s, const char *name, int list) {
    uint64_t total = 0;
    for (size_t i = 0; i < s->slots.count; i++) {
        const sn_collision_surface_state *surface = &s->state[i];
        total += list == 0   ? surface->def.node_count
                 : list == 1 ? 3 * (uint64_t)surface->def.triangle_count
                             : 2 * (uint64_t)surface->edges;
    }
    if (a->reading && a->result == SN_OK && sn_archive_count(a, name) != total)
        sn_archive_fail(a, "there are %zu numbers of %s, expected %llu", sn_archive_count(a, name),
                        name, (unsigned long long)total);
    return (size_t)total;
}

static void serialize_list(sn_archive *a, sn_world *world, const char *name, int list) {
    sn_collision_surfaces *s = sn_collision_surfaces_of(world);
    sn_archive_cursor cursor = sn_archive_open(a, name, SN_ARCHIVE_U32, total_of(a, s, name, list));
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++) {
        sn_collision_surface_state *surface = &s->state[i];
        uint32_t *element = list == 0   ? surface->node
                            : list == 1 ? surface->triangle
                                        : surface->edge;
        size_t corners = list == 0 ? 1 : list == 1 ? 3 : 2;
        size_t count = list == 0   ? surface->def.node_count
                       : list == 1 ? surface->def.triangle_count
                                   : surface->edges;
        sn_archive_run(a, &cursor, element, corners * sizeof *element, corners, count);
        for (size_t k = 0; a->reading && k < corners * count && a->result == SN_OK; k++) {
            uint32_t node = element[k];
            bool there = node < world->nodes.slots.count && world->nodes.slots.alive[node];
            /* Nodes come first, so that elements find them marked. */
            bool mine =
                there && (list == 0 ? s->of_node[node] == 0 : s->of_node[node] == (uint32_t)i + 1);
            if (k % corners > 0 && node == element[k - 1]) mine = false;
            if (corners == 3 && k % 3 == 2 && node == element[k - 2]) mine = false;
            if (!mine)
                sn_archive_fail(a, "collision surface %zu has node %u among its %s", i, node, name);
            else if (list == 0)
                s->of_node[node] = (uint32_t)i + 1;
        }
    }
}

/* Of arrays by node: those that there is room for. */
static size_t nodes_within(const sn_world *world, size_t capacity) {
    size_t nodes = world->nodes.slots.count;
    return nodes < capacity ? nodes : capacity;
}

static void serialize_rest(sn_archive *a, sn_world *world) {
    sn_collision_surfaces *s = sn_collision_surfaces_of(world);
    size_t total = 0;
    for (size_t i = 0; i < s->slots.count; i++) total += s->state[i].def.node_count;
    sn_archive_cursor cursor = sn_archive_open(a, "rest", SN_ARCHIVE_REAL, 3 * total);
    sn_archive_show(a, "rest", SN_ARCHIVE_REAL, s->rest, sizeof *s->rest, 3,
                    nodes_within(world, s->node_capacity));
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++)
        for (size_t k = 0; k < s->state[i].def.node_count; k++) {
            sn_vec4 *at = &s->rest[s->state[i].node[k]];
            sn_archive_next(a, &cursor, &at->x);
            sn_archive_next(a, &cursor, &at->y);
            sn_archive_next(a, &cursor, &at->z);
        }
}

/* ---- Definitions ---- */

static sn_result check_surface(const void *def) {
    const sn_collision_surface_def *d = def;
    SN_TRY(sn_check_dynamic_friction("collision surface", d->static_friction, d->dynamic_friction));
    if (d->recovery_speed != 0) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "collision surface: recovery_speed is 0, expected above 0 m/s");
}

/* Where no triangles collide with colliders, nothing has a layer or is porous, the bytes are those
   of before there were any. */
static const sn_object_column columns[] = {
    {"static_friction", {"static_friction"}, 0, 0, NULL},
    {"dynamic_friction", {"dynamic_friction"}, 0, 0, NULL},
    {"restitution", {"restitution"}, 0, 0, NULL},
    {"recovery_speed", {"recovery_speed"}, 0, 0, NULL},
    {"mask", {"mask"}, 0, 0, NULL},
    {"detail", {"detail", "self", "penetration_free", "untangle"}, 0, 0, NULL},
    {"faces", {"triangle_contact"}, 0, 1, NULL},
    {"layer", {"layer"}, 0, 2, NULL},
    {"layer_shock", {"layer_shock"}, 0, 2, NULL},
    {"porosity", {"porosity"}, 0, 3, NULL},
    {"triangle", {"triangles"}, 0, 0, NULL},
    {"segment", {"segments"}, 0, 0, NULL},
};

SN_DEFINE_OBJECT(collision_surface, SN_COLLISION_SURFACE_FIELDS, "collision surface",
                 "how a body collides with others and itself", .columns = columns,
                 .column_count = sizeof columns / sizeof *columns, .check = check_surface)

static void serialize_surfaces(sn_archive *a, sn_world *world) {
    sn_collision_surfaces *s = sn_collision_surfaces_of(world);
    size_t count = s->slots.count;
    if (a->reading && a->result == SN_OK) {
        sn_column of_nodes[] = {{(void **)&s->of_node, sizeof *s->of_node},
                                {(void **)&s->rest, sizeof *s->rest}};
        size_t nodes =
            sn_columns_grow(&world->memory, of_nodes, 2, 0, 0, world->nodes.slots.count + 1);
        s->node_capacity = nodes;
        sn_serialize_had(a, nodes > 0 && sn_reserve(&world->memory, (void **)&s->state,
                                                    &s->capacity, count + 1, sizeof *s->state));
    }
    if (a->result != SN_OK || count == 0) return;
    sn_object_serialize(&sn_collision_surface_object, a, &s->state->def, sizeof *s->state, count,
                        0);
    serialize_counts(a, world);
    static const char *const lists[] = {"node", "triangle", "edge"};
    for (int list = 0; list < 3; list++) (void)total_of(a, s, lists[list], list);
    for (size_t i = 0; a->reading && i < count && a->result == SN_OK; i++) {
        sn_collision_surface_state *surface = &s->state[i];
        if (s->slots.alive[i])
            sn_object_check_read(&sn_collision_surface_object, a, &surface->def, i);
        if (a->result == SN_OK)
            sn_serialize_had(a, sn_collision_surface_state_reserve(
                                    surface, &world->memory, surface->def.node_count,
                                    surface->def.triangle_count, surface->edges));
    }
    if (a->result != SN_OK) return;
    for (int list = 0; list < 3; list++) serialize_list(a, world, lists[list], list);
    serialize_rest(a, world);
    s->changed = true;
}

/* ---- Contacts ---- */

/* A number below `end` that is kept as an int, an enum or a bool. */
static uint32_t serialize_word(sn_archive *a, sn_archive_cursor *cursor, uint32_t value,
                               uint32_t end, const char *what, size_t i) {
    sn_archive_next(a, cursor, &value);
    if (a->reading && a->result == SN_OK && value >= end)
        sn_archive_fail(a, "%s of %zu is %u, expected below %u", what, i, value, end);
    return value < end ? value : 0;
}

static void check_contact(sn_archive *a, const sn_world *world, sn_contact *c, size_t i) {
    for (int k = 0; k < SN_CONTACT_MOST_NODES && a->result == SN_OK; k++) {
        bool expected = k < sn_contact_nodes((int)c->kind);
        c->nodes[k].world = expected ? world->tag : 0;
        if (expected ? c->nodes[k].slot == 0 || c->nodes[k].slot > world->nodes.slots.count
                     : c->nodes[k].slot != 0 || c->nodes[k].generation != 0)
            sn_archive_fail(a, "contact %zu is of node %u, which there is none of", i,
                            c->nodes[k].slot);
    }
    if (a->result == SN_OK && i > 0 && c[-1].kind > c->kind)
        sn_archive_fail(a, "contact %zu is of kind %d, after one of kind %d", i, (int)c->kind,
                        (int)c[-1].kind);
}

/* What sticks; where nothing does there is no column. */
static void serialize_stuck(sn_archive *a, sn_vec4 *stuck, size_t count) {
    bool any = false;
    for (size_t i = 0; i < count && !a->reading && !any; i++)
        any = stuck[i].x != 0 || stuck[i].y != 0 || stuck[i].z != 0;
    if (sn_archive_takes(a, "stuck", any))
        sn_archive_member(a, "stuck", SN_ARCHIVE_REAL, stuck, sizeof *stuck, 3, count);
}

/* How pairs lay before a call placed their nodes; mostly none has. */
static void serialize_own(sn_archive *a, sn_world *world, size_t count) {
    sn_contact_list *list = &world->contacts;
    if (a->reading ? !sn_archive_has(a, "own0") : !list->placed) return;
    if (a->reading &&
        !sn_serialize_had(a, sn_reserve(&world->memory, (void **)&list->own, &list->own_capacity,
                                        count, sizeof *list->own)))
        return;
    static const char *const name[] = {"own0", "own1"};
    for (int k = 0; k < 2; k++)
        sn_archive_member(a, name[k], SN_ARCHIVE_REAL, &list->own->direction[k], sizeof *list->own,
                          3, count);
    list->placed = true;
}

/* They are the first of the list. */
static bool reserve_contacts(sn_world *world, size_t count) {
    sn_contact_list *list = &world->contacts;
    return sn_contact_list_insert(list, &world->memory, 0, count) &&
           sn_reserve(&world->memory, (void **)&list->stuck, &list->stuck_capacity, count,
                      sizeof *list->stuck);
}

static void serialize_contacts(sn_archive *a, sn_world *world) {
    sn_contact_list *list = &world->contacts;
    size_t count = a->reading ? sn_archive_count(a, "meeting") / 2
                              : sn_contact_list_begin(list, SN_SURFACE_CONTACT_KINDS);
    size_t stride = sizeof *list->contact;
    if (a->reading) list->placed = false;
    if (a->reading && a->result == SN_OK) sn_serialize_had(a, reserve_contacts(world, count));
    if (a->result != SN_OK || count == 0) return;
    sn_contact *first = list->contact;
    static const char *const slot[] = {"slot0", "slot1", "slot2", "slot3"};
    static const char *const generation[] = {"generation0", "generation1", "generation2",
                                             "generation3"};
    for (int k = 0; k < 4; k++) {
        sn_archive_member(a, slot[k], SN_ARCHIVE_U32, &first->nodes[k].slot, stride, 1, count);
        sn_archive_member(a, generation[k], SN_ARCHIVE_U16, &first->nodes[k].generation, stride, 1,
                          count);
    }
    sn_archive_member(a, "weights", SN_ARCHIVE_REAL, &first->weights, stride, 4, count);
    sn_archive_member(a, "point", SN_ARCHIVE_REAL, &first->point, stride, 3, count);
    sn_archive_member(a, "normal", SN_ARCHIVE_REAL, &first->normal, stride, 3, count);
    sn_archive_member(a, "impulse", SN_ARCHIVE_REAL, &first->impulse, stride, 3, count);
    sn_archive_member(a, "pressure", SN_ARCHIVE_REAL, &first->normal_impulse, stride, 1, count);
    serialize_stuck(a, list->stuck, count);
    serialize_own(a, world, count);
    sn_archive_cursor cursor = sn_archive_open(a, "meeting", SN_ARCHIVE_U32, 2 * count);
    sn_archive_show(a, "meeting", SN_ARCHIVE_U32, &first->kind, stride, 1, count);
    sn_archive_show(a, "meeting", SN_ARCHIVE_U32, &first->phase, stride, 1, count);
    for (size_t i = 0; i < count && a->result == SN_OK; i++) {
        sn_contact *c = &first[i];
        c->kind = (sn_contact_kind)serialize_word(a, &cursor, (uint32_t)c->kind,
                                                  SN_SURFACE_CONTACT_KINDS, "kind", i);
        c->phase = (sn_contact_phase)serialize_word(a, &cursor, (uint32_t)c->phase,
                                                    SN_CONTACT_END + 1, "phase", i);
        if (a->reading && a->result == SN_OK) check_contact(a, world, c, i);
    }
}

/* ---- For what pairs were found ---- */

static void serialize_reach_nodes(sn_archive *a, sn_world *world) {
    sn_collision_surfaces *s = sn_collision_surfaces_of(world);
    static const char *const name[] = {"reach_from", "reach_speed", "reach_slack"};
    size_t total = 0;
    for (size_t i = 0; i < s->slots.count; i++) total += s->state[i].def.node_count;
    for (int column = 0; column < 3; column++) {
        size_t width = column < 2 ? 3 : 1;
        sn_vec4 *vectors = column == 0 ? s->reach.from : s->reach.speed;
        sn_archive_cursor cursor = sn_archive_open(a, name[column], SN_ARCHIVE_REAL, width * total);
        sn_archive_show(a, name[column], SN_ARCHIVE_REAL,
                        column < 2 ? (void *)vectors : (void *)s->reach.slack,
                        column < 2 ? sizeof *vectors : sizeof *s->reach.slack, width,
                        nodes_within(world, s->reach.capacity));
        for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++)
            for (size_t k = 0; k < s->state[i].def.node_count; k++) {
                uint32_t node = s->state[i].node[k];
                sn_real *number = column < 2 ? &vectors[node].x : &s->reach.slack[node];
                for (size_t c = 0; c < width; c++) sn_archive_next(a, &cursor, number + c);
            }
    }
}

static void serialize_reach(sn_archive *a, sn_world *world) {
    sn_reach *reach = &sn_collision_surfaces_of(world)->reach;
    if (a->reading ? sn_archive_count(a, "reach") == 0 : !reach->kept) return;
    if (a->reading)
        sn_serialize_had(a, sn_reach_reserve(reach, &world->memory, world->nodes.slots.count + 1));
    if (a->result != SN_OK) return;
    sn_archive_cursor times = sn_archive_open(a, "reach", SN_ARCHIVE_F64, 2);
    sn_archive_run(a, &times, &reach->found, sizeof reach->found, 1, 1);
    sn_archive_run(a, &times, &reach->horizon, sizeof reach->horizon, 1, 1);
    sn_archive_member(a, "reach_mean", SN_ARCHIVE_REAL, &reach->mean, sizeof reach->mean, 3, 1);
    serialize_reach_nodes(a, world);
    if (!a->reading || a->result != SN_OK) return;
    reach->kept = true;
    if (!(reach->found <= 0 && reach->found >= -1e9 && reach->horizon >= 0 &&
          reach->horizon <= 1e9))
        sn_archive_fail(a, "pairs of collision surfaces were found %g s ago for %g s",
                        -reach->found, reach->horizon);
}

void sn_world_serialize_collision_surfaces(sn_world *world, sn_archive *a) {
    sn_collision_surfaces *s = sn_collision_surfaces_of(world);
    if (a->reading && !sn_archive_is_next(a, "skin")) return;
    /* Worlds without any have the bytes that they always had. */
    if (!a->reading && s->slots.count == 0) return;
    sn_archive_section(a, "skin");
    sn_serialize_slots(a, &s->slots, &world->memory, UINT32_MAX - 1);
    serialize_surfaces(a, world);
    serialize_contacts(a, world);
    serialize_reach(a, world);
    sn_archive_section_end(a);
}
