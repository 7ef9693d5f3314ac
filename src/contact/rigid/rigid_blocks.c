/*
 * How points of bodies are laid out for lanes (rigid_rounds.h): group by group, in the order of
 * slots. Each goes into the first of the blocks that are being filled of which no lane moves one of
 * its bodies, whatever colours are there: lanes that nobody takes cost as much as others. And how
 * what happened to points gets back into the rows of their set.
 */
#include "collision/broad_phase/collider_bvh.h"
#include "collision/collider_pose.h"
#include "contact/contacts.h"
#include "contact/rigid/rigid_rounds.h"

#include <string.h>

enum { KIND = SN_CONTACT_RIGID };

static bool stands(const sn_rigid_search *c) {
    return c->node[0] == c->node[1];
}

/* ---- Laying out ---- */

static void put3(sn_rigid_row rows[3], uint32_t lane, const sn_vec4 *a) {
    rows[0][lane] = a->x;
    rows[1][lane] = a->y;
    rows[2][lane] = a->z;
}

static void put_zero(sn_rigid_row rows[3], uint32_t lane) {
    for (int k = 0; k < 3; k++) rows[k][lane] = 0;
}

/* Blocks that are filled at the same time; more hardly leave fewer lanes empty. */
enum { OPEN = 8 };

/* Blocks that take more, in the order in which they were begun. */
typedef struct openings {
    sn_rigid_block *block[OPEN];
    size_t count;
} openings;

/* Blocks of a group, one after the other; those that take more, by how long their chains are, one,
   two or four, and by how their points are looked at. A block of the set begins no more than one of
   each: its own lanes have no body in common. */
typedef struct filling {
    const sn_world *world;
    const sn_real *w; /* 1/kg, that contacts see */
    sn_real h;
    uint32_t lanes; /* the most that are gone over together */
    bool begins;    /* whether a substep does */
    sn_rigid_block *block;
    openings open[6];
    size_t count;
} filling;

/* What all points of a manifold have in common is in the first block. */
static void put_sides(const filling *f, sn_rigid_block *b, uint32_t lane, const sn_rigid_search *c,
                      sn_real *row) {
    put3(b->owned, lane, &c->normal);
    for (int k = 0; k < 2; k++) {
        b->w[k][lane] = k && stands(c) ? 0 : f->w[c->node[k]];
        b->node[k][lane] = c->node[k];
        b->body[k][lane] = f->world->nodes.frame[c->node[k]] - 1;
    }
    b->most[lane] = *sn_row(row, SN_ROW_RECOVERY) * f->h;
    b->still[lane] = *sn_row(row, SN_ROW_STATIC);
    b->moving[lane] = *sn_row(row, SN_ROW_DYNAMIC);
    b->second[lane] = c->manifold == SN_RIGID_SECOND;
}

static void put_point(sn_rigid_block *b, uint32_t lane, const sn_rigid_search *c, sn_real *row,
                      uint32_t slot) {
    put3(b->at[0], lane, &c->at);
    put3(b->at[1], lane, &c->on);
    b->radius[lane] = c->at.w;
    b->push[lane] = *sn_row(row, SN_ROW_PUSH);
    b->normal_impulse[lane] = *sn_row(row, SN_ROW_NORMAL_IMPULSE);
    for (int k = 0; k < 3; k++) {
        b->slide[k][lane] = *sn_row(row, SN_ROW_SLIDE + k);
        b->impulse[k][lane] = *sn_row(row, SN_ROW_IMPULSE + k);
    }
    b->met[lane] = c->touched;
    b->stuck[lane] = c->stuck;
    b->slot[lane] = slot;
}

/* A point that is not there, of a manifold that has fewer, never touches. */
static void put_none(sn_rigid_block *b, uint32_t lane) {
    for (int k = 0; k < 2; k++) {
        put_zero(b->arm[k], lane);
        put_zero(b->at[k], lane);
    }
    put_zero(b->motion, lane);
    put_zero(b->slide, lane);
    put_zero(b->along, lane);
    put_zero(b->across, lane);
    put_zero(b->impulse, lane);
    b->deep[lane] = b->start[lane] = b->radius[lane] = -SN_INFINITY;
    b->push[lane] = b->k_n[lane] = b->touched[lane] = b->predicted[lane] = b->share[lane] = 0;
    b->leans[lane] = 0;
    b->normal_impulse[lane] = b->met[lane] = b->stuck[lane] = b->struck[lane] = 0;
    b->slot[lane] = SN_RIGID_NOBODY;
}

/* A contact with as many points as it has, or a manifold, in a lane of a chain. */
typedef struct unit {
    uint32_t slot[SN_RIGID_MANIFOLD], count;
} unit;

static void put_unit(const filling *f, sn_rigid_block *b, uint32_t lane, const unit *u) {
    const sn_contact_set *set = &sn_contacts_of(f->world)->set[KIND];
    const sn_rigid_search *all = sn_rigid_contacts_of(f->world)->search;
    put_sides(f, b, lane, &all[u->slot[0]], sn_contact_rows(set, u->slot[0]));
    for (uint32_t k = 0; k < b->chain; k++) {
        if (k < u->count)
            put_point(&b[k], lane, &all[u->slot[k]], sn_contact_rows(set, u->slot[k]), u->slot[k]);
        else
            put_none(&b[k], lane);
    }
}

static unit unit_in(const sn_rigid_block *b, uint32_t lane) {
    unit u = {.count = 0};
    for (uint32_t k = 0; k < b->chain && b[k].slot[lane] != SN_RIGID_NOBODY; k++)
        u.slot[u.count++] = b[k].slot[lane];
    return u;
}

/* Lanes that nobody takes look at bodies that are there, and neither touch nor move anything. */
static void fill_up(sn_rigid_block *b, uint32_t lanes) {
    for (uint32_t lane = b->points; lane % lanes > 0; lane++) {
        put_zero(b->normal, lane);
        put_zero(b->owned, lane);
        for (int k = 0; k < 2; k++) {
            b->w[k][lane] = 0;
            b->node[k][lane] = b->node[k][0];
            b->body[k][lane] = b->body[k][0];
        }
        b->most[lane] = b->still[lane] = b->moving[lane] = b->second[lane] = 0;
        for (uint32_t k = 0; k < b->chain; k++) put_none(&b[k], lane);
    }
}

static void leave(openings *open, size_t which) {
    open->count--;
    for (size_t k = which; k < open->count; k++) open->block[k] = open->block[k + 1];
}

static sn_rigid_block *begin_block(filling *f, openings *open, uint32_t chain, bool looks) {
    sn_rigid_block *b = &f->block[f->count];
    if (open->count == OPEN) {
        fill_up(open->block[0], f->lanes);
        leave(open, 0);
    }
    open->block[open->count++] = b;
    b->points = b->balls = 0;
    b->chain = chain;
    b->looks = looks;
    for (int k = 0; k < 2; k++) memset(b->node[k], 0xff, sizeof b->node[k]);
    f->count += chain;
    return b;
}

/* Whether a lane has a node. */
static bool has(const sn_rigid_block *b, uint32_t node) {
    uint32_t is = 0;
    for (uint32_t i = 0; i < SN_CONTACT_BLOCK; i++)
        is |= (uint32_t)(b->node[0][i] == node) | (uint32_t)(b->node[1][i] == node);
    return is != 0;
}

/* The first of some blocks that has a lane for a contact, or null. */
static sn_rigid_block *room_in(const filling *f, openings *open, const unit *u) {
    const sn_rigid_search *c = &sn_rigid_contacts_of(f->world)->search[u->slot[0]];
    for (size_t k = 0; k < open->count; k++) {
        sn_rigid_block *b = open->block[k];
        bool shared = false;
        for (int n = 0; n < 2; n++) shared = shared || (f->w[c->node[n]] > 0 && has(b, c->node[n]));
        if (shared) continue;
        if (b->points + 1 == SN_CONTACT_BLOCK) leave(open, k);
        return b;
    }
    return NULL;
}

static void take_unit(filling *f, const unit *u, bool looks) {
    const int length = u->count > 2 ? 2 : u->count > 1 ? 1 : 0;
    openings *open = &f->open[looks ? length : 3 + length];
    sn_rigid_block *b = room_in(f, open, u);
    if (!b) b = begin_block(f, open, 1u << length, looks);
    put_unit(f, b, b->points++, u);
}

/* What is in a block goes to lanes of longer chains that nobody took. */
static void move_on(const filling *f, sn_rigid_block *b, openings *longer) {
    for (uint32_t lane = b->points; lane-- > 0;) {
        const unit u = unit_in(b, lane);
        sn_rigid_block *to = room_in(f, longer, &u);
        if (!to) continue;
        put_unit(f, to, to->points++, &u);
        const unit last = unit_in(b, --b->points);
        if (lane < b->points) put_unit(f, b, lane, &last);
        for (int k = 0; k < 2; k++) b->node[k][b->points] = SN_RIGID_NOBODY;
    }
}

static void finish(filling *f) {
    for (int k = 0; k < 6; k++)
        for (size_t i = 0; i < f->open[k].count; i++) {
            for (int to = k + 1; to % 3 > 0; to++) move_on(f, f->open[k].block[i], &f->open[to]);
            fill_up(f->open[k].block[i], f->lanes);
        }
}

/* That of the ball of a node: these are solved one after the other. */
static sn_rigid_block *next_of_balls(filling *f) {
    openings *open = &f->open[3];
    sn_rigid_block *last = open->count > 0 ? open->block[open->count - 1] : NULL;
    return last && last->balls < SN_CONTACT_BLOCK ? last : begin_block(f, open, 1, false);
}

/* Whether there is a point in a slot. */
static bool begin_slot(const filling *f, const sn_rigid_search *c, sn_real *row) {
    const bool apart = c->manifold == SN_RIGID_APART;
    if (f->begins) *sn_row(row, SN_ROW_START) = 0;
    if (f->begins && (apart || (!c->manifold && !c->point))) *sn_row(row, SN_ROW_PUSH) = 0;
    *sn_row(row, SN_ROW_PREDICTED) = -SN_INFINITY;
    return !apart;
}

static void take_slot(filling *f, uint32_t slot) {
    const sn_rigid_search *c = &sn_rigid_contacts_of(f->world)->search[slot];
    sn_real *row = sn_contact_rows(&sn_contacts_of(f->world)->set[KIND], slot);
    sn_rigid_contacts_of(f->world)->told[slot] = (sn_rigid_told){0};
    if (!begin_slot(f, c, row)) return;
    if (!c->point) {
        sn_rigid_block *b = next_of_balls(f);
        b->ball[b->balls++] = slot;
        return;
    }
    take_unit(f, &(unit){{slot}, 1}, false);
}

/* All points of a manifold, of which this slot is the first. Those on what stands are looked at one
   by one: it has no body. So are those of cylinders, which have other places when it begins. */
static void take_manifold(filling *f, uint32_t slot) {
    const sn_contact_set *set = &sn_contacts_of(f->world)->set[KIND];
    const sn_rigid_search *all = sn_rigid_contacts_of(f->world)->search;
    unit u = {.count = 0};
    sn_rigid_contacts_of(f->world)->told[slot] = (sn_rigid_told){0};
    for (uint32_t k = 0; k < SN_RIGID_MANIFOLD; k++) {
        const uint32_t own = slot + k * SN_CONTACT_BLOCK;
        if (begin_slot(f, &all[own], sn_contact_rows(set, own))) u.slot[u.count++] = own;
    }
    if (u.count > 0) take_unit(f, &u, !stands(&all[slot]) && !all[slot].spins);
}

void sn_rigid_blocks_lay(sn_world *world, size_t g, bool begins, sn_real h) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    filling f = {.world = world,
                 .w = sn_world_contact_w(world),
                 .h = h,
                 .lanes = sn_rigid_kernels_of(world->bindings.width)->lanes,
                 .begins = begins,
                 .block = t->block + SN_RIGID_ROOM * set->first[g]};
    for (size_t block = set->first[g], chain; block < set->first[g + 1]; block += chain) {
        const uint32_t first = (uint32_t)block * SN_CONTACT_BLOCK;
        chain = sn_rigid_contact_chain(t, block);
        for (uint32_t slot = first; slot < first + SN_CONTACT_BLOCK; slot++) {
            if (*sn_contact_node_at(set, KIND, slot, 0) < 0) continue;
            if (chain > 1)
                take_manifold(&f, slot);
            else
                take_slot(&f, slot);
        }
    }
    finish(&f);
    t->active[g] = f.count;
    t->laid[g] = true;
}

/* ---- From step to step ---- */

/* Whether a contact would be laid out as it is, had its pair been found again: what a manifold was
   not pushed at any more has no point there, but for its first one. */
static bool stays(const sn_rigid_search *c, sn_real push) {
    if (c->round || c->between || c->rim) return false;
    return push > 0 || !c->follows;
}

static bool group_stays(const sn_world *world, const sn_rigid_block *b, size_t active) {
    const sn_rigid_search *search = sn_rigid_contacts_of(world)->search;
    const sn_real *w = sn_world_contact_w(world);
    for (const sn_rigid_block *last = b + active; b < last; b += b->chain)
        for (uint32_t i = 0; i < b->points; i++) {
            const sn_rigid_search *c = &search[b->slot[i]];
            for (int k = 0; k < 2; k++)
                if (b->w[k][i] != (k && stands(c) ? 0 : w[c->node[k]])) return false;
            for (uint32_t k = 0; k < b->chain; k++)
                if (b[k].slot[i] != SN_RIGID_NOBODY && !stays(&search[b[k].slot[i]], b[k].push[i]))
                    return false;
        }
    return true;
}

static void renew_block(const sn_rigid_contacts *t, sn_rigid_block *b, uint32_t points,
                        bool looks) {
    const size_t row = sizeof(sn_rigid_row);
    memset(b->normal_impulse, 0, row);
    memset(b->impulse, 0, 3 * row);
    memset(b->met, 0, row);
    memset(b->stuck, 0, row);
    for (uint32_t i = 0; i < points && !looks; i++)
        if (b->slot[i] != SN_RIGID_NOBODY)
            t->aside[b->slot[i]] = (sn_rigid_aside){.ball.item = SN_BVH_NONE};
}

bool sn_rigid_blocks_renew(const sn_world *world, size_t g) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    sn_rigid_block *b = t->block + SN_RIGID_ROOM * sn_contacts_of(world)->set[KIND].first[g];
    if (!t->laid[g] || !t->clean[g] || !group_stays(world, b, t->active[g])) return false;
    for (const sn_rigid_block *last = b + t->active[g]; b < last; b += b->chain)
        for (uint32_t k = 0; k < b->chain; k++) renew_block(t, &b[k], b->points, b->looks);
    return true;
}

/* ---- Writing back ---- */

static void write_point(const sn_contacts *contacts, const sn_rigid_block *first,
                        const sn_rigid_block *b, uint32_t i) {
    if (b->slot[i] == SN_RIGID_NOBODY) return;
    sn_real *row = sn_contact_rows(&contacts->set[KIND], b->slot[i]);
    sn_rigid_search *search = &contacts->rigid.search[b->slot[i]];
    *sn_row(row, SN_ROW_PREDICTED) = b->predicted[i];
    *sn_row(row, SN_ROW_START) = b->start[i];
    *sn_row(row, SN_ROW_PUSH) = b->push[i];
    *sn_row(row, SN_ROW_NORMAL_IMPULSE) = b->normal_impulse[i];
    for (int k = 0; k < 3; k++) {
        *sn_row(row, SN_ROW_NORMAL + k) = first->normal[k][i];
        *sn_row(row, SN_ROW_IMPULSE + k) = b->impulse[k][i];
        if (b->k_n[i] > 0) *sn_row(row, SN_ROW_SLIDE + k) = b->slide[k][i];
    }
    search->touched = b->met[i] > 0;
    search->stuck = b->stuck[i] > 0;
    search->struck = b->struck[i] > 0;
    search->leans = b->leans[i] > 0;
}

void sn_rigid_blocks_write_group(sn_contacts *contacts, size_t g) {
    sn_rigid_contacts *t = &contacts->rigid;
    if (!t->laid[g]) return;
    t->laid[g] = t->clean[g] = false;
    const sn_rigid_block *b = t->block + SN_RIGID_ROOM * contacts->set[KIND].first[g];
    for (const sn_rigid_block *last = b + t->active[g]; b < last; b += b->chain)
        for (uint32_t i = 0; i < b->points; i++)
            for (uint32_t k = 0; k < b->chain; k++) write_point(contacts, b, &b[k], i);
}

void sn_rigid_blocks_write(sn_contacts *contacts) {
    for (size_t g = 0; g < SN_CONTACT_MOST_GROUPS; g++) sn_rigid_blocks_write_group(contacts, g);
}

/* ---- What is told ---- */

/* One more point of a contact that touched. What was pushed and let go in a step is zero to
   rounding, and no pull. */
static void tell(sn_rigid_told *to, uint32_t k, sn_real pushed, sn_v4 impulse) {
    const sn_real along = pushed > 0 ? pushed : 0;
    if (!to->touched || along > to->normal.w) {
        to->normal.w = along;
        to->bears = (uint8_t)k;
    }
    to->touched |= (uint8_t)(1u << k);
    sn_v4 sum = sn_v4_load(&to->impulse) + impulse;
    sum[3] = to->impulse.w + along;
    sn_v4_store(&to->impulse, sum);
}

/* What lies in a lane of a chain. Points have the numbers that they have in their manifold. */
static void tell_lane(const sn_rigid_contacts *t, const sn_rigid_block *b, uint32_t i) {
    uint32_t first = b->slot[i];
    while (t->search[first].follows) first -= SN_CONTACT_BLOCK;
    sn_rigid_told *to = &t->told[first];
    *to = (sn_rigid_told){.normal = {b->normal[0][i], b->normal[1][i], b->normal[2][i], 0}};
    for (uint32_t k = 0; k < b->chain; k++) {
        if (!(b[k].met[i] > 0)) continue;
        const sn_v4 impulse = {b[k].impulse[0][i], b[k].impulse[1][i], b[k].impulse[2][i], 0};
        const uint32_t number = (b[k].slot[i] - first) / SN_CONTACT_BLOCK;
        tell(to, number, b[k].normal_impulse[i], impulse);
    }
}

/* The same from rows, where some of it is. */
static void tell_slot(const sn_contacts *contacts, uint32_t slot) {
    const sn_rigid_contacts *t = &contacts->rigid;
    const sn_contact_set *set = &contacts->set[KIND];
    const uint32_t points = t->search[slot].leads ? SN_RIGID_MANIFOLD : 1;
    sn_rigid_told *to = &t->told[slot];
    *to = (sn_rigid_told){0};
    for (uint32_t k = 0; k < points; k++) {
        sn_real *row = sn_contact_rows(set, slot + k * SN_CONTACT_BLOCK);
        if (!t->search[slot + k * SN_CONTACT_BLOCK].touched) continue;
        tell(to, k, *sn_row(row, SN_ROW_NORMAL_IMPULSE), sn_row_vector(row, SN_ROW_IMPULSE));
    }
    sn_real *row = sn_contact_rows(set, slot + to->bears * SN_CONTACT_BLOCK);
    to->normal.x = *sn_row(row, SN_ROW_NORMAL);
    to->normal.y = *sn_row(row, SN_ROW_NORMAL + 1);
    to->normal.z = *sn_row(row, SN_ROW_NORMAL + 2);
}

static void tell_group(sn_contacts *contacts, size_t g) {
    sn_rigid_contacts *t = &contacts->rigid;
    const sn_contact_set *set = &contacts->set[KIND];
    if (!t->clean[g]) sn_rigid_blocks_write_group(contacts, g);
    const sn_rigid_block *b = t->block + SN_RIGID_ROOM * set->first[g];
    const sn_rigid_block *last = t->laid[g] ? b + t->active[g] : b;
    for (; b < last; b += b->chain)
        for (uint32_t i = 0; i < b->points; i++) tell_lane(t, b, i);
    for (size_t block = set->first[g]; block < set->first[g + 1] && !t->laid[g];
         block += sn_rigid_contact_chain(t, block))
        for (uint32_t i = 0; i < SN_CONTACT_BLOCK; i++) {
            const uint32_t slot = (uint32_t)block * SN_CONTACT_BLOCK + i;
            if (*sn_contact_node_at(set, KIND, slot, 0) >= 0) tell_slot(contacts, slot);
        }
}

static void tell_range(void *context, size_t begin, size_t end) {
    for (size_t g = begin; g < end; g++) tell_group(sn_contacts_of(context), g);
}

void sn_rigid_blocks_tell(sn_world *world) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    if (set->count > 0 && set->rounds > 0)
        sn_team_run(world->bindings.team, sn_contact_groups(set), 2, tell_range, world);
}
