/* Doughs to and from an archive: who takes part, and what their clusters have come to. */
#include "state/serialize.h"
#include "systems/dough/doughs.h"

/* Clusters are lists that begin where the one before ends, none of them empty, of particles that
   take part, each at most once. */
static void check_clusters(sn_archive *a, const sn_dough_state *d, size_t members, size_t i) {
    const sn_dough_clusters *c = &d->clusters;
    bool good = c->first[0] == 0 && c->first[c->count] == members;
    for (size_t r = 0; r < c->count && good; r++) good = c->first[r] < c->first[r + 1];
    for (size_t k = 0; k < members && good; k++)
        good = c->member[k] < d->nodes && !d->waits[c->member[k]];
    for (size_t k = 0; k < d->nodes; k++) d->number[k] = 0;
    for (size_t r = 0; r < c->count && good; r++)
        for (uint32_t k = c->first[r]; k < c->first[r + 1] && good; k++) {
            good = d->number[c->member[k]] != r + 1;
            d->number[c->member[k]] = (uint32_t)r + 1;
        }
    for (size_t k = 0; k < members && good; k++)
        good = c->rest[k][0] * 0 + c->rest[k][1] * 0 + c->rest[k][2] * 0 == 0;
    for (size_t r = 0; r < c->count && good; r++) {
        const double *q = c->rotation[r];
        double square = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
        good = square > 0.99 && square < 1.01 && c->flow[r] >= 0;
    }
    if (!good) sn_archive_fail(a, "dough %zu has clusters that are none", i);
}

static void check_particles(sn_archive *a, const sn_dough_state *d, size_t i) {
    for (size_t k = 0; k < d->nodes && a->result == SN_OK; k++)
        if (d->waits[k] > 1) sn_archive_fail(a, "dough %zu has a particle that waits twice", i);
    if (a->result == SN_OK && !(d->mass > 0 && d->mass < 1e30))
        sn_archive_fail(a, "dough %zu has particles of the mass %g kg", i, d->mass);
}

static void serialize_dough(sn_archive *a, sn_world *world, size_t i) {
    sn_dough_state *d = &sn_doughs_of(world)->state[i];
    sn_dough_clusters *c = &d->clusters;
    sn_archive_section(a, "dough");
    sn_object_serialize(&sn_dough_object, a, &d->def, sizeof d->def, 1, i);
    size_t members = a->reading ? sn_archive_count(a, "member") : c->first[c->count];
    if (a->reading && a->result == SN_OK) {
        size_t nodes = sn_archive_count(a, "node"), clusters = sn_archive_count(a, "flow");
        if (nodes == 0 || clusters > nodes || members > SN_DOUGH_SHARE * nodes)
            sn_archive_fail(a, "dough %zu has %zu particles in %zu clusters", i, nodes, clusters);
        if (a->result == SN_OK) sn_serialize_had(a, sn_dough_reserve(d, &world->memory, nodes));
        if (a->result == SN_OK) c->count = clusters;
    }
    if (a->result == SN_OK) sn_serialize_nodes(world, a, d->node, d->nodes, "dough", i);
    if (a->result == SN_OK) {
        sn_archive_column(a, "waits", SN_ARCHIVE_U32, d->waits, d->nodes);
        sn_archive_column(a, "first", SN_ARCHIVE_U32, c->first, c->count + 1);
        sn_archive_column(a, "member", SN_ARCHIVE_U32, c->member, members);
        sn_archive_column(a, "rest", SN_ARCHIVE_F64, c->rest, 3 * members);
        sn_archive_column(a, "rotation", SN_ARCHIVE_F64, c->rotation, 4 * c->count);
        sn_archive_column(a, "flow", SN_ARCHIVE_F64, c->flow, c->count);
        sn_archive_column(a, "seeded", SN_ARCHIVE_F64, &d->seeded, 1);
        sn_archive_column(a, "merged", SN_ARCHIVE_F64, &d->merged, 1);
        sn_archive_column(a, "mass", SN_ARCHIVE_F64, &d->mass, 1);
    }
    if (a->reading && a->result == SN_OK) check_particles(a, d, i);
    if (a->reading && a->result == SN_OK) check_clusters(a, d, members, i);
    sn_archive_section_end(a);
}

static bool nth(const sn_world *world, size_t i, size_t k, sn_node *node) {
    const sn_dough_state *d = &sn_doughs_of(world)->state[i];
    if (k < d->nodes) *node = d->node[k];
    return k < d->nodes;
}

void sn_world_serialize_doughs(sn_world *world, sn_archive *a) {
    sn_doughs *all = sn_doughs_of(world);
    if (!sn_serialize_kept(world, a, "doughs", &all->slots, (void **)&all->state, &all->capacity,
                           sizeof *all->state))
        return;
    for (size_t i = 0; i < all->slots.count && a->result == SN_OK; i++)
        if (all->slots.alive[i]) serialize_dough(a, world, i);
    sn_serialize_check_once(world, a, &all->slots, nth, "dough");
}
