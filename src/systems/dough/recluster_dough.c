/*
 * Clusters of a dough follow their particles, when a step is over. In this order, which is that of
 * the paper:
 *
 *   members that wait or are beyond tear reach of the middle leave
 *   particles within join reach of the middle join, wherever they come from
 *   clusters go that have fewer than five members, have flown too far, or have only members that
 *   are in many others
 *   where a particle is in fewer than two, a new one is made of what is within reach of it
 */
#include "contact/surface/surface_contact.h"
#include "math/matrix3.h"
#include "systems/dough/doughs.h"

#include <string.h>

enum { FEWEST = 5, ENOUGH = 8, WANTED = 2 };

static bool has_room(const sn_dough_state *d, uint32_t members) {
    return members < SN_DOUGH_SHARE * d->nodes;
}

/* The middle of a cluster, where it is and at rest. */
static void find_middle(const sn_world *world, const sn_dough_state *d, size_t r, double x[3],
                        double rest[3]) {
    const sn_dough_clusters *c = &d->clusters;
    double count = 0, at[3];
    for (int i = 0; i < 3; i++) x[i] = rest[i] = 0;
    for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++) {
        if (d->waits[c->member[k]]) continue;
        sn_dough_place(world, d, c->member[k], at);
        count++;
        for (int i = 0; i < 3; i++) {
            x[i] += at[i];
            rest[i] += c->rest[k][i];
        }
    }
    for (int i = 0; i < 3 && count > 0; i++) {
        x[i] /= count;
        rest[i] /= count;
    }
}

static void add_member(sn_dough_state *d, uint32_t *members, uint32_t particle,
                       const double rest[3]) {
    d->next.member[*members] = particle;
    for (int i = 0; i < 3; i++) d->next.rest[*members][i] = rest[i];
    (*members)++;
}

/* Copies the members that stay, and adds those that join; says how many there are. */
static uint32_t follow(const sn_world *world, sn_dough_state *d, size_t r, uint32_t begin) {
    const sn_dough_clusters *c = &d->clusters;
    double reach = (double)d->def.reach * (double)d->def.spacing;
    double x[3], middle[3], at[3], back[9], tear = reach * (double)d->def.tear;
    uint32_t members = begin;
    find_middle(world, d, r, x, middle);
    for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++) {
        uint32_t i = c->member[k];
        if (d->waits[i] || !has_room(d, members)) continue;
        sn_dough_place(world, d, i, at);
        double e[3] = {at[0] - x[0], at[1] - x[1], at[2] - x[2]};
        if ((e[0] * e[0] + e[1] * e[1]) + e[2] * e[2] > tear * tear) continue;
        d->stamp[i] = (uint32_t)r + 1;
        add_member(d, &members, i, c->rest[k]);
    }
    if (members == begin) return members;
    sn_dough_back(world, d, r, back);
    size_t near = sn_dough_near(world, d, x, reach * (double)d->def.join);
    for (size_t k = 0; k < near && members - begin < SN_DOUGH_MEMBERS; k++) {
        uint32_t i = d->near[k];
        if (d->stamp[i] == r + 1 || !has_room(d, members)) continue;
        sn_dough_place(world, d, i, at);
        double arm[3] = {at[0] - x[0], at[1] - x[1], at[2] - x[2]}, rest[3];
        sn_matrix3_apply(back, arm, rest);
        for (int a = 0; a < 3; a++) rest[a] += middle[a];
        add_member(d, &members, i, rest);
    }
    return members;
}

/* Whether all members are in enough others as well. */
static bool is_spare(const sn_dough_state *d, uint32_t begin, uint32_t end) {
    for (uint32_t k = begin; k < end; k++)
        if (d->count[d->next.member[k]] <= ENOUGH) return false;
    return true;
}

static void keep_clusters(const sn_world *world, sn_dough_state *d) {
    const sn_dough_clusters *c = &d->clusters;
    sn_dough_clusters *next = &d->next;
    uint32_t members = 0;
    memset(d->stamp, 0, d->nodes * sizeof *d->stamp);
    memset(d->count, 0, d->nodes * sizeof *d->count);
    for (uint32_t k = 0; c->count > 0 && k < c->first[c->count]; k++) d->count[c->member[k]]++;
    next->count = 0;
    next->first[0] = 0;
    for (size_t r = 0; r < c->count; r++) {
        uint32_t end = follow(world, d, r, members);
        bool gone = end - members < FEWEST || c->flow[r] > (double)d->def.plastic_limit ||
                    is_spare(d, members, end);
        /* From here on counts are of what is kept and what is yet to be asked. */
        for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++) d->count[c->member[k]]--;
        if (gone) continue;
        for (uint32_t k = members; k < end; k++) d->count[next->member[k]]++;
        memcpy(next->rotation[next->count], c->rotation[r], sizeof *c->rotation);
        next->flow[next->count] = c->flow[r];
        members = end;
        next->first[++next->count] = members;
    }
}

static void make_cluster(const sn_world *world, sn_dough_state *d, uint32_t centre) {
    sn_dough_clusters *next = &d->next;
    double x[3], at[3], reach = (double)d->def.reach * (double)d->def.spacing;
    uint32_t members = next->first[next->count], begin = members;
    sn_dough_place(world, d, centre, x);
    size_t near = sn_dough_near(world, d, x, reach);
    for (size_t k = 0; k < near && members - begin < SN_DOUGH_MEMBERS; k++) {
        if (!has_room(d, members)) break;
        sn_dough_place(world, d, d->near[k], at);
        const double rest[3] = {at[0] - x[0], at[1] - x[1], at[2] - x[2]};
        add_member(d, &members, d->near[k], rest);
    }
    if (members - begin < FEWEST) return;
    for (uint32_t k = begin; k < members; k++) d->count[next->member[k]]++;
    memcpy(next->rotation[next->count], (const double[4]){0, 0, 0, 1}, sizeof *next->rotation);
    next->flow[next->count] = 0;
    next->first[++next->count] = members;
}

void sn_dough_recluster(const sn_world *world, sn_dough_state *d) {
    sn_dough_sort(world, d);
    keep_clusters(world, d);
    for (uint32_t i = 0; i < d->nodes; i++)
        if (!d->waits[i] && d->count[i] < WANTED && d->next.count < d->nodes)
            make_cluster(world, d, i);
    sn_dough_clusters now = d->clusters;
    d->clusters = d->next;
    d->next = now;
    sn_dough_list_entries(d);
}

void sn_doughs_adapt(sn_step *step) {
    sn_world *world = step->world;
    sn_doughs *all = sn_doughs_of(world);
    /* Without memory for what contacts recall of those that are placed, nobody is placed now. */
    if (!sn_surface_contact_place(world)) return;
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_dough_state *d = &all->state[i];
        if (!all->slots.alive[i]) continue;
        sn_dough_weigh(world, d);
        sn_dough_flow(world, d, step->dt);
        sn_dough_resample(world, d);
        sn_dough_recluster(world, d);
    }
}
