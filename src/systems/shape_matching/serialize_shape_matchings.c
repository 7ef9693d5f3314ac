/* Shape matchings to and from an archive: their lists, and what their regions have come to. */
#include "state/serialize.h"
#include "systems/shape_matching/shape_matchings.h"

static bool room(sn_archive *a, sn_world *world, void **array, size_t *capacity, size_t count,
                 size_t element) {
    if (a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, array, capacity, count, element));
    return a->result == SN_OK;
}

/* ---- Nodes ---- */

static void serialize_nodes(sn_archive *a, sn_world *world, sn_shape_matching_state *m, size_t i) {
    sn_serialize_nodes(world, a, m->node, m->nodes, "matching", i);
    for (size_t k = 0; a->reading && m->def.oriented && k < m->nodes && a->result == SN_OK; k++)
        if (world->nodes.frame[m->node[k].slot - 1] == 0)
            sn_archive_fail(a, "matching %zu has node %u, which has no orientation", i,
                            m->node[k].slot);
    sn_archive_column(a, "rest", SN_ARCHIVE_REAL, m->rest, 3 * m->nodes);
}

static void serialize_particles(sn_archive *a, sn_world *world, sn_shape_matching_state *m,
                                size_t i) {
    bool moments = a->reading ? sn_archive_count(a, "moment") > 0 : m->moment != NULL;
    if (!m->def.oriented) return;
    if (a->reading && !room(a, world, (void **)&m->orientation, &m->orientation_room, m->nodes,
                            sizeof *m->orientation))
        return;
    sn_archive_column(a, "rest_q", SN_ARCHIVE_REAL, m->orientation, 4 * m->nodes);
    for (size_t k = 0; k < m->nodes && a->reading && a->result == SN_OK; k++) {
        sn_quat q = m->orientation[k];
        if (!sn_serialize_is_unit((sn_vec4){q.x, q.y, q.z, q.w}))
            sn_archive_fail(a, "matching %zu has an orientation that is none", i);
    }
    if (!moments) return;
    if (a->reading &&
        !room(a, world, (void **)&m->moment, &m->moment_room, m->nodes, sizeof *m->moment))
        return;
    sn_archive_column(a, "moment", SN_ARCHIVE_REAL, m->moment, 6 * m->nodes);
}

/* Every node once. */
static void check_nodes(sn_archive *a, sn_world *world, const sn_shape_matching_state *m,
                        size_t i) {
    size_t slots = world->nodes.slots.count;
    uint8_t *seen = sn_allocate(&world->memory, slots + 1, sizeof *seen);
    sn_serialize_had(a, seen != NULL);
    for (size_t k = 0; k < m->nodes && a->result == SN_OK; k++) {
        if (seen[m->node[k].slot]) sn_archive_fail(a, "matching %zu has a node twice", i);
        seen[m->node[k].slot] = 1;
    }
    sn_free(&world->memory, seen, slots + 1, sizeof *seen);
}

/* ---- Regions ---- */

/* Lists that begin where the one before ends, none of them empty, with every node once. */
static void check_regions(sn_archive *a, sn_world *world, const sn_shape_matching_state *m,
                          size_t members, size_t i) {
    bool good =
        m->first[0] == 0 && m->first[m->regions] == members && m->def.fibre_count <= m->regions;
    for (size_t r = 0; r < m->regions && good; r++)
        good = m->first[r] < m->first[r + 1] &&
               (m->centre[r] < m->nodes || m->centre[r] == UINT32_MAX);
    for (size_t k = 0; k < members && good; k++) good = m->member[k] < m->nodes;
    uint32_t *stamp = sn_allocate(&world->memory, m->nodes + 1, sizeof *stamp);
    if (!sn_serialize_had(a, stamp != NULL)) return;
    for (size_t r = 0; r < m->regions && good; r++)
        for (uint32_t k = m->first[r]; k < m->first[r + 1] && good; k++) {
            good = stamp[m->member[k]] != r + 1;
            stamp[m->member[k]] = (uint32_t)r + 1;
        }
    sn_free(&world->memory, stamp, m->nodes + 1, sizeof *stamp);
    if (!good) sn_archive_fail(a, "matching %zu has regions that are none", i);
}

static void check_rotations(sn_archive *a, const sn_shape_matching_state *m, size_t i) {
    for (size_t r = 0; r < m->regions && a->result == SN_OK; r++) {
        const double *q = m->rotation[r];
        double square = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
        if (!(square > 0.99 && square < 1.01))
            sn_archive_fail(a, "matching %zu has a rotation that is none", i);
    }
}

static void serialize_regions(sn_archive *a, sn_world *world, sn_shape_matching_state *m,
                              size_t members, size_t i) {
    bool plastic = a->reading ? sn_archive_count(a, "plastic") > 0 : m->plastic != NULL;
    sn_archive_column(a, "first", SN_ARCHIVE_U32, m->first, m->regions + 1);
    sn_archive_column(a, "member", SN_ARCHIVE_U32, m->member, members);
    sn_archive_column(a, "centre", SN_ARCHIVE_U32, m->centre, m->regions);
    sn_archive_column(a, "rotation", SN_ARCHIVE_F64, m->rotation, 4 * m->regions);
    if (a->reading && a->result == SN_OK) {
        check_regions(a, world, m, members, i);
        check_rotations(a, m, i);
    }
    if (!plastic || a->result != SN_OK) return;
    if (a->reading && !sn_serialize_had(a, sn_shape_matching_reserve_plastic(m, &world->memory)))
        return;
    sn_archive_column(a, "plastic", SN_ARCHIVE_F64, m->plastic, 9 * m->regions);
}

/* ---- All of it ---- */

static void serialize_matching(sn_archive *a, sn_world *world, size_t i) {
    sn_shape_matching_state *m = &sn_shape_matchings_of(world)->state[i];
    sn_archive_section(a, "matching");
    sn_object_serialize(&sn_shape_matching_object, a, &m->def, sizeof m->def, 1, i);
    size_t members = a->reading ? sn_archive_count(a, "member") : m->first[m->regions];
    if (a->reading && a->result == SN_OK) {
        m->nodes = sn_archive_count(a, "node");
        m->regions = sn_archive_count(a, "centre");
        if (m->nodes == 0) sn_archive_fail(a, "matching %zu has no nodes", i);
        if (a->result == SN_OK)
            sn_serialize_had(
                a, sn_shape_matching_reserve(m, &world->memory, m->nodes, members, m->regions));
    }
    if (a->result == SN_OK) serialize_nodes(a, world, m, i);
    if (a->result == SN_OK && a->reading) check_nodes(a, world, m, i);
    if (a->result == SN_OK) serialize_particles(a, world, m, i);
    if (a->result == SN_OK) serialize_regions(a, world, m, members, i);
    if (a->reading) m->changed = true;
    sn_archive_section_end(a);
}

void sn_world_serialize_shape_matchings(sn_world *world, sn_archive *a) {
    sn_shape_matchings *all = sn_shape_matchings_of(world);
    if (!sn_serialize_kept(world, a, "matchs", &all->slots, (void **)&all->state, &all->capacity,
                           sizeof *all->state))
        return;
    for (size_t i = 0; i < all->slots.count && a->result == SN_OK; i++)
        if (all->slots.alive[i]) serialize_matching(a, world, i);
    if (a->reading) all->changed = true;
}
