/*
 * Where nodes were when the substep before the present one began.
 *
 * A pair looks where it is when it has its turn. What comes after it in a sweep, other pairs and
 * colliders, may still push the two through each other; in the next substep they begin on the wrong
 * side, and only the path before that tells how they came there. It is known within a step: what a
 * step begins with is what a snapshot has.
 */
#include "collision/collider_pose.h"
#include "contact/surface/surface_contact.h"

enum { NODES_ALONE = 1024, COLUMNS = 5 };

static void list_columns(sn_previous_positions *was, sn_column column[COLUMNS]) {
    void **array[COLUMNS] = {(void **)&was->x[0], (void **)&was->x[1], (void **)&was->p[0],
                             (void **)&was->p[1], (void **)&was->moved};
    for (int i = 0; i < COLUMNS; i++) column[i] = (sn_column){array[i], sizeof *was->moved};
}

bool sn_previous_positions_reserve(sn_world *world, sn_previous_positions *was) {
    sn_column column[COLUMNS];
    size_t nodes = world->nodes.slots.count;
    if (nodes <= was->capacity) return true;
    list_columns(was, column);
    size_t grown =
        sn_columns_grow(&world->memory, column, COLUMNS, SN_NODE_FRONT, was->capacity, nodes);
    if (grown > 0) was->capacity = grown;
    return grown > 0;
}

void sn_previous_positions_free(sn_previous_positions *was, sn_memory *memory) {
    sn_column column[COLUMNS];
    list_columns(was, column);
    sn_columns_free(memory, column, COLUMNS, SN_NODE_FRONT, was->capacity);
    *was = (sn_previous_positions){0};
}

static void note_range(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_nodes *n = &world->nodes;
    const sn_previous_positions *was = &sn_surface_contacts_of(world)->was;
    const uint32_t *node = sn_surface_contacts_of(world)->list[SN_SURFACE_CONTACT_POINT].node;
    const sn_vec4 *x = n->x, *p = n->p, *x0 = was->x[1 - was->now], *p0 = was->p[1 - was->now];
    sn_vec4 *to_x = was->x[was->now], *to_p = was->p[was->now], *to = was->moved;
    const bool known = was->known;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = node[k];
        sn_v4 now = sn_v4_load(&x[i]), from = sn_v4_load(&p[i]);
        sn_v4 moved = (now - sn_v4_load(&x0[i])) + (from - sn_v4_load(&p0[i]));
        sn_v4_store(&to_x[i], now);
        sn_v4_store(&to_p[i], from);
        sn_v4_store(&to[i], known ? moved : (sn_v4){0, 0, 0, 0});
    }
}

void sn_previous_positions_note(sn_world *world, const sn_substep *substep) {
    sn_previous_positions *was = &sn_surface_contacts_of(world)->was;
    was->known = substep->done > 0;
    was->now = 1 - was->now;
    sn_team_run(world->bindings.team,
                sn_surface_contacts_of(world)->list[SN_SURFACE_CONTACT_POINT].count, NODES_ALONE,
                note_range, world);
}
