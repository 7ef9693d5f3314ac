/*
 * Bodies that fly: those that nothing but contacts moves, and that touch only others that do.
 *
 * What strikes so and does not bounce is struck where both first touch as well (rigid_meeting.c):
 * with the normal of the end of the substep, along which it never came, balls left up to 0.015 rad
 * aside, and spun.
 *
 * What goes on from two substeps keeps angular momentum where forces are steady. Those of corners
 * that strike one after the other, or that a spin presses together, are not: boxes that met changed
 * it by up to 2 % (BDF2). One of the first order keeps it to rounding whatever contacts do, and a
 * free flight has nothing to gain from the second: so what flies begins anew as long as it touches.
 *
 * What lies on what stands, what constraints move, and what touches one of these, goes on as ever.
 */
#include "base/union_find.h"
#include "contact/contacts.h"
#include "contact/recovery.h"
#include "contact/rigid/rigid_rounds.h"

#include <stdatomic.h>

enum { KIND = SN_CONTACT_RIGID };

/* Sets of what touches. The first element is all that does not fly; then come nodes, and behind
   them what integrators take for one body. */
enum { HELD = 0, FIRST = 1 };

/* Of a set, behind all elements: whether any of it strikes now, and any goes on touching. */
enum { STRIKES = 1, STAYS = 2 };

/* Of what is slight: how far what rests comes on as it rocks. */
static const sn_real ROCKS = 16;
/* Of a lever arm: how far what touches comes on where it strikes again. */
static const sn_real FIRM = SN_R(5e-3);

static size_t elements_of(const sn_world *world) {
    return FIRST + world->nodes.slots.count + world->bodies.slots.count + 1;
}

bool sn_rigid_flying_reserve(sn_world *world) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    return sn_reserve(&world->memory, (void **)&t->flying, &t->flying_capacity,
                      2 * elements_of(world), sizeof *t->flying);
}

static uint32_t root_of(const sn_world *world, uint32_t node) {
    return sn_sets_root(sn_rigid_contacts_of(world)->flying, FIRST + node);
}

static void join(const sn_world *world, uint32_t node, uint32_t element) {
    sn_sets_join(sn_rigid_contacts_of(world)->flying, FIRST + node, element);
}

static uint32_t *state_of(const sn_world *world, uint32_t root) {
    return &sn_rigid_contacts_of(world)->flying[elements_of(world) + root];
}

/* ---- Points in their blocks ---- */

/* What is moved out of an overlap and has no velocity for it ends without a push. */
static bool touches(const sn_rigid_block *chain, uint32_t lane) {
    bool any = false;
    for (const sn_rigid_block *b = chain; b < chain + chain->chain; b++)
        any = any || b->push[lane] > 0 || b->predicted[lane] > 0;
    return any;
}

/* m^2: of the shorter of both lever arms of a point. */
static sn_real arm_square(const sn_rigid_block *b, uint32_t lane) {
    sn_real least = SN_INFINITY;
    for (int k = 0; k < 2; k++) {
        const sn_v4 arm = {b->arm[k][0][lane], b->arm[k][1][lane], b->arm[k][2][lane], 0};
        const sn_real square = sn_v4_dot(arm, arm);
        if (square < least) least = square;
    }
    return least;
}

/* Whether a point strikes that was apart, by more than what is let go rocks with; or, as a corner
   that goes down where it touches, by more than little. Each time costs the rounding of all that
   there is. */
static bool strikes_at(const sn_rigid_block *b, uint32_t lane, sn_real slight) {
    const sn_real comes = b->predicted[lane] - b->start[lane];
    if (b->slot[lane] == SN_RIGID_NOBODY || !(b->struck[lane] > 0)) return false;
    if (b->start[lane] < -slight && comes > ROCKS * slight) return true;
    return comes * comes > FIRM * FIRM * arm_square(b, lane);
}

static bool strikes(const sn_world *world, const sn_rigid_block *chain, uint32_t lane) {
    const sn_real slight = sn_contact_slight(world, sn_rigid_contacts_of(world)->laid_h);
    bool any = false;
    for (const sn_rigid_block *b = chain; b < chain + chain->chain; b++)
        any = any || strikes_at(b, lane, slight);
    return any;
}

static bool both_move(const sn_rigid_block *chain, uint32_t lane) {
    return chain->w[0][lane] > 0 && chain->w[1][lane] > 0;
}

/* Lanes of what touches, and of what strikes and moves on both sides. */
static void mark_chain(const sn_world *world, sn_rigid_block *chain) {
    chain->touching = chain->striking = 0;
    for (uint32_t lane = 0; lane < chain->points; lane++) {
        if (!touches(chain, lane)) continue;
        chain->touching |= (uint16_t)(1u << lane);
        if (both_move(chain, lane) && strikes(world, chain, lane))
            chain->striking |= (uint16_t)(1u << lane);
    }
}

static bool meets_both(const sn_rigid_block *chain) {
    bool any = false;
    for (uint32_t lane = 0; lane < chain->points; lane++)
        any = any || (chain->touching >> lane & 1 && both_move(chain, lane));
    return any;
}

typedef struct marking {
    const sn_world *world;
    atomic_bool strikes, between; /* whether any does, and any is between two that move */
} marking;

static void mark_groups(void *context, size_t begin, size_t end) {
    marking *m = context;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(m->world);
    const sn_contact_set *set = &sn_contacts_of(m->world)->set[KIND];
    bool any = false, between = false;
    for (size_t g = begin; g < end; g++) {
        sn_rigid_block *b = t->block + SN_RIGID_ROOM * set->first[g];
        for (const sn_rigid_block *last = b + t->active[g]; b < last; b += b->chain) {
            mark_chain(m->world, b);
            any = any || b->striking;
            between = between || meets_both(b);
        }
    }
    if (any) atomic_store_explicit(&m->strikes, true, memory_order_relaxed);
    if (between) atomic_store_explicit(&m->between, true, memory_order_relaxed);
}

/* Goes over what touches, as it is marked. */
typedef void visitor(const sn_world *world, const sn_rigid_block *chain, uint32_t lane);

static void visit_all(const sn_world *world, visitor *visit) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    for (size_t g = 0; g < sn_contact_groups(set); g++) {
        const sn_rigid_block *b = t->block + SN_RIGID_ROOM * set->first[g];
        for (const sn_rigid_block *last = b + t->active[g]; b < last; b += b->chain)
            for (uint32_t left = b->touching; left; left &= left - 1)
                visit(world, b, (uint32_t)__builtin_ctz(left));
    }
}

/* ---- Sets ---- */

/* Whether constraints have moved or turned a node that carries something. */
static bool is_led(const sn_world *world, uint32_t node) {
    const sn_rigid_body *b = &sn_rigid_contacts_of(world)->body[world->nodes.frame[node] - 1];
    return b->held || b->pulled;
}

static void join_lane(const sn_world *world, const sn_rigid_block *chain, uint32_t lane) {
    for (int k = 0; k < 2; k++) {
        const uint32_t node = chain->node[k][lane], other = chain->node[1 - k][lane];
        if (!(chain->w[k][lane] > 0)) continue;
        join(world, node, chain->w[1 - k][lane] > 0 ? FIRST + other : HELD);
        if (is_led(world, node)) join(world, node, HELD);
    }
}

static void note_lane(const sn_world *world, const sn_rigid_block *chain, uint32_t lane) {
    if (!both_move(chain, lane)) return;
    *state_of(world, root_of(world, chain->node[0][lane])) |=
        chain->striking >> lane & 1 ? STRIKES : STAYS;
}

/* Nodes of other contacts do not fly: those that are no bodies, and what these touch. */
static void hold_others(const sn_world *world, int kind) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[kind];
    for (size_t i = 0; i < set->count; i++) {
        uint32_t node[SN_CONTACT_MOST_NODES + 1];
        const uint32_t slot = set->pair[i].slot;
        if (kind == KIND && sn_rigid_contacts_of(world)->search[slot].point) continue;
        if (!(*sn_contact_at(set, slot, SN_ROW_PUSH) > 0)) continue;
        const int count = sn_contact_movable(world, kind, &set->pair[i], node);
        for (int n = 0; n < count; n++) join(world, node[n], HELD);
    }
}

/* Nodes of a body begin anew together, and not where one of them carries nothing. */
static void join_bodies(const sn_world *world) {
    const sn_nodes *n = &world->nodes;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const uint32_t first = FIRST + (uint32_t)n->slots.count;
    for (uint32_t i = 0; i < n->slots.count; i++) {
        if (!n->slots.alive[i] || !(n->w[i] > 0)) continue;
        join(world, i, first + n->body[i]);
        if (t->point_begin[i] == t->point_begin[i + 1]) join(world, i, HELD);
    }
}

void sn_rigid_flying_find(sn_world *world) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const bool remembers = world->history.used, plays = !sn_collider_contact_bounces(world);
    t->fly = t->strike = false;
    if (!sn_rigid_may_fly(world) || !(remembers || plays)) return;
    if (!remembers && !sn_rigid_contact_has_struck(world)) return;
    const size_t groups = sn_contact_groups(&sn_contacts_of(world)->set[KIND]);
    marking marks = {.world = world};
    sn_team_run(world->bindings.team, groups, 2, mark_groups, &marks);
    if (!atomic_load_explicit(remembers ? &marks.between : &marks.strikes, memory_order_relaxed))
        return;
    const size_t count = elements_of(world);
    for (uint32_t i = 0; i < count; i++) {
        t->flying[i] = i;
        t->flying[count + i] = 0;
    }
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        if (kind != KIND || t->balls) hold_others(world, kind);
    if (remembers) join_bodies(world);
    visit_all(world, join_lane);
    visit_all(world, note_lane);
    t->fly = remembers;
    for (uint32_t i = FIRST; plays && i < count; i++)
        t->strike = t->strike || t->flying[count + i] == STRIKES;
}

bool sn_rigid_flying_strikes(const sn_world *world, uint32_t node) {
    const uint32_t root = root_of(world, node);
    return root != HELD && *state_of(world, root) == STRIKES;
}

/* ---- Beginning anew ---- */

void sn_rigid_flying_begin_anew(sn_world *world) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (size_t k = 0; t->fly && k < set->count; k++) {
        const sn_rigid_search *c = &t->search[set->pair[k].slot];
        sn_real *row = sn_contact_rows(set, set->pair[k].slot);
        if (!(*sn_row(row, SN_ROW_PUSH) > 0) && !(*sn_row(row, SN_ROW_PREDICTED) > 0)) continue;
        if (c->node[0] == c->node[1] || root_of(world, c->node[0]) == HELD) continue;
        for (int side = 0; side < 2; side++)
            sn_history_strike(&world->history, world->nodes.body[c->node[side]]);
    }
}
