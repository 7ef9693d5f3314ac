/* Animation targets to and from an archive. Worlds that never had one have no such section. */
#include "state/serialize.h"
#include "systems/animation_target/animation_targets.h"

/* ---- The vertex of a node ---- */

typedef sn_animation_target_vertex definition;
static const definition standard = {SN_ANIMATION_TARGET_VERTEX_FIELDS(SN_STANDARD, SN_NO_ARRAY)};
static const sn_field_info fields[] = {
    SN_ANIMATION_TARGET_VERTEX_FIELDS(SN_FIELD_ROW, SN_NO_ARRAY)};

const sn_object sn_animation_target_vertex_object = {
    .info = {"animation_target_vertex", "animation target, vertex",
             "the target of one node, and how far it may go", sizeof(definition),
             sizeof fields / sizeof *fields, fields, 0, NULL},
    .standard = &standard};

/* ---- Snapshots ---- */

static void serialize_counts(sn_archive *a, sn_animation_targets *f) {
    sn_archive_cursor cursor = sn_archive_open(a, "count", SN_ARCHIVE_U32, f->slots.count);
    for (size_t i = 0; i < f->slots.count && a->result == SN_OK; i++) {
        uint32_t count = (uint32_t)f->state[i].count;
        sn_archive_next(a, &cursor, &count);
        if (a->reading && (count > 0) != (f->slots.alive[i] != 0))
            sn_archive_fail(a, "animation target %zu has %u nodes", i, count);
        if (a->reading) f->state[i].count = count;
    }
}

static bool is_good(sn_real a, bool automatic) {
    return (a >= 0 && a - a == 0) || (automatic && a == SN_AUTO);
}

static void check_aims(sn_archive *a, const sn_world *world, size_t i, uint8_t *seen) {
    const sn_animation_target_state *s = &sn_animation_targets_of(world)->state[i];
    for (size_t k = 0; k < s->count && a->result == SN_OK; k++) {
        const sn_animation_target_aim *aim = &s->aim[k];
        uint32_t node = s->node[k];
        if (node >= world->nodes.slots.count || !world->nodes.slots.alive[node])
            sn_archive_fail(a, "animation target %zu has node %u, which there is none of", i, node);
        else if (!is_good(aim->max_distance, true) || !is_good(aim->back_stop_distance, true) ||
                 !is_good(aim->back_stop_radius, false))
            sn_archive_fail(a, "vertex %zu of animation target %zu has a limit below 0", k, i);
    }
    if (a->result != SN_OK) return;
    size_t twice = sn_animation_target_twice(s->node, s->count, seen);
    if (twice < s->count)
        sn_archive_fail(a, "animation target %zu has node %u twice", i, s->node[twice]);
    for (size_t k = 0; k < s->count; k++) seen[s->node[k]] = 0;
}

static void serialize_one(sn_archive *a, sn_world *world, size_t i, uint8_t *seen) {
    sn_animation_target_state *s = &sn_animation_targets_of(world)->state[i];
    sn_archive_section(a, "follower");
    /* What is read must be there in full before memory is had for it. */
    if (a->reading && a->result == SN_OK && sn_archive_count(a, "node") != s->count)
        sn_archive_fail(a, "animation target %zu has %zu nodes, expected %zu", i,
                        sn_archive_count(a, "node"), s->count);
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_animation_target_state_reserve(s, &world->memory, s->count));
    if (a->result == SN_OK) {
        size_t stride = sizeof *s->aim, count = s->count;
        sn_archive_column(a, "node", SN_ARCHIVE_U32, s->node, count);
        sn_archive_member(a, "from", SN_ARCHIVE_REAL, &s->aim->from, stride, 3, count);
        sn_archive_member(a, "to", SN_ARCHIVE_REAL, &s->aim->to, stride, 3, count);
        sn_archive_member(a, "normal_from", SN_ARCHIVE_REAL, &s->aim->normal_from, stride, 3,
                          count);
        sn_archive_member(a, "normal_to", SN_ARCHIVE_REAL, &s->aim->normal_to, stride, 3, count);
        sn_archive_member(a, "max_distance", SN_ARCHIVE_REAL, &s->aim->max_distance, stride, 1,
                          count);
        sn_archive_member(a, "back_stop_distance", SN_ARCHIVE_REAL, &s->aim->back_stop_distance,
                          stride, 1, count);
        sn_archive_member(a, "back_stop_radius", SN_ARCHIVE_REAL, &s->aim->back_stop_radius, stride,
                          1, count);
        sn_object_serialize(&sn_animation_target_object, a, &s->def, sizeof s->def, 1, i);
        sn_archive_flag(a, "moving", &s->moving);
    }
    if (a->reading && a->result == SN_OK) check_aims(a, world, i, seen);
    sn_archive_section_end(a);
}

void sn_world_serialize_animation_targets(sn_world *world, sn_archive *a) {
    sn_animation_targets *f = sn_animation_targets_of(world);
    size_t slots = world->nodes.slots.count + 1;
    if (a->reading && !sn_archive_is_next(a, "follows")) return;
    if (!a->reading && f->slots.count == 0) return;
    sn_archive_section(a, "follows");
    sn_serialize_slots(a, &f->slots, &world->memory, UINT32_MAX - 1);
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&f->state, &f->capacity,
                                       f->slots.count + 1, sizeof *f->state));
    if (a->result == SN_OK) serialize_counts(a, f);
    sn_archive_section_end(a);
    uint8_t *seen = NULL;
    if (a->reading && a->result == SN_OK) {
        seen = sn_allocate(&world->memory, slots, 1);
        sn_serialize_had(a, seen != NULL);
    }
    for (size_t i = 0; i < f->slots.count && a->result == SN_OK; i++)
        if (f->slots.alive[i]) serialize_one(a, world, i, seen);
    sn_free(&world->memory, seen, slots, 1);
}
