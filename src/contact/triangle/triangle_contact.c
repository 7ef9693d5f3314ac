/*
 * A contact keeps the deepest point of a triangle outside of a shape: C = distance - radius >= 0.
 * The point is b1 x1 + b2 x2 + b3 x3, so that the gradients of C are the weights times the normal
 * n, and with the inverse masses w an impulse J moves it by
 *
 *   k J,   k = w1 b1^2 + w2 b2^2 + w3 b3^2
 *
 * and its nodes by w_k b_k J (Mueller et al. 2007, the point and the triangle of cloth, with a
 * point that stands still). What a node carries gets the opposite impulse where it is touched, and
 * k is more by how easily it moves there (rigid_contact.h). Everything else is as in
 * contact_solve.h.
 */
#include "contact/triangle/triangle_contact.h"

#include "collision/collider_pose.h"
#include "contact/contact_solve.h"
#include "contact/contacts.h"
#include "contact/recovery.h"

#include <stdatomic.h>

enum { KIND = SN_CONTACT_TRIANGLE_COLLIDER, MOST_ROUNDS = 4, MOST_SWEEPS = 16, MOST_HOLDS = 32 };

typedef struct pass {
    sn_world *world;
    const sn_substep *substep;
    const sn_real *w;       /* 1/kg, that contacts see */
    sn_contact_sweep sweep; /* how contacts are solved */
    size_t first;           /* of the groups at hand */
    bool again;             /* whether pairs had their turn since constraints had theirs */
    atomic_bool *far;       /* becomes true where a triangle was pushed far */
    atomic_size_t *asked;   /* distances to shapes */
    void (*act)(const struct pass *pass, const sn_triangle_contact *contact);
} pass;

sn_triangle_contact sn_triangle_contact_at(const sn_world *world, uint32_t slot) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    sn_triangle_contact contact = {.row = sn_contact_rows(set, slot),
                                   .search = &sn_triangle_contacts_of(world)->search[slot]};
    for (int k = 0; k < 3; k++)
        contact.node[k] = (uint32_t)*sn_contact_node_at(set, KIND, slot, k) / SN_NODE_BYTES;
    contact.carrier = sn_triangle_contacts_of(world)->carrier[contact.search->collider];
    return contact;
}

static void act_block(const pass *p, const sn_contact_set *set, size_t block) {
    uint32_t slot = (uint32_t)(block * SN_CONTACT_BLOCK);
    size_t asked = 0;
    /* Pairs fill the lanes of a block from the first on. */
    for (uint32_t i = 0; i < SN_CONTACT_BLOCK; i++) {
        if (*sn_contact_node_at(set, KIND, slot + i, 0) < 0) break;
        sn_triangle_contact contact = sn_triangle_contact_at(p->world, slot + i);
        /* Where it is now: nobody else of this layer moves its node. */
        if (contact.carrier) sn_collider_pose_follow(p->world, contact.search->collider);
        p->act(p, &contact);
        asked += contact.search->distances;
        contact.search->distances = 0;
    }
    if (asked > 0) atomic_fetch_add_explicit(p->asked, asked, memory_order_relaxed);
}

static void act_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_contact_set *set = &sn_contacts_of(p->world)->set[KIND];
    for (size_t g = p->first + begin; g < p->first + end && set->rounds > 0; g++)
        for (size_t block = set->first[g]; block < set->first[g + 1]; block++)
            act_block(p, set, block);
}

/* Returns whether a triangle was pushed far. */
static bool for_all(sn_world *world, const sn_substep *substep, bool again,
                    void (*act)(const struct pass *pass, const sn_triangle_contact *contact)) {
    atomic_bool far = false;
    atomic_size_t asked = 0;
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    if (set->count > 0) sn_rigid_contact_follow(world);
    pass p = {.world = world,
              .substep = substep,
              .w = sn_world_contact_w(world),
              .sweep = {.h = (sn_real)substep->h,
                        .slides = world->settings.friction != SN_FRICTION_VELOCITY},
              .again = again,
              .far = &far,
              .asked = &asked,
              .act = act};
    for (int i = 0; set->count > 0 && i < SN_CONTACT_LAYERS; i++) {
        p.first = sn_contact_layer(set, i);
        sn_team_run(world->bindings.team, sn_contact_layer(set, i + 1) - p.first, 2, act_range, &p);
    }
    sn_triangle_contacts_of(world)->asked +=
        (double)atomic_load_explicit(&asked, memory_order_relaxed);
    return atomic_load_explicit(&far, memory_order_relaxed);
}

/* ---- Positions ---- */

sn_rigid_side sn_triangle_contact_carrier(const sn_world *world, const sn_triangle_contact *c,
                                          sn_v4 normal) {
    const sn_nodes *n = &world->nodes;
    if (!c->carrier) return (sn_rigid_side){0};
    sn_rigid_side side = {.node = c->carrier - 1, .w = sn_world_contact_w(world)[c->carrier - 1]};
    const uint32_t i = side.node;
    side.turns = side.w > 0;
    side.arm = side.from = -*sn_row(c->row, SN_ROW_LIMIT) * normal;
    for (int k = 0; k < 3; k++) {
        sn_v4 between = sn_v4_load(&n->x[c->node[k]]) - sn_v4_load(&n->x[i]);
        sn_v4 d = sn_v4_load(&n->d[c->node[k]]) - sn_v4_load(&n->d[i]);
        sn_v4 p = sn_v4_load(&n->p[c->node[k]]) - sn_v4_load(&n->p[i]);
        side.arm += c->search->weight[k] * (between + d);
        side.from += c->search->weight[k] * (between + p);
    }
    return side;
}

/* 1/kg: how easily the point moves as seen from what it touches. */
static sn_real ease_of(const pass *now, const sn_triangle_contact *c, const sn_rigid_side *side,
                       sn_v4 along) {
    sn_real sum = c->carrier ? sn_rigid_side_ease(now->world, side, along) : 0;
    for (int k = 0; k < 3; k++)
        sum += now->w[c->node[k]] * (c->search->weight[k] * c->search->weight[k]);
    return sum;
}

/* m: how the point moves in this substep as seen from the surface. */
static sn_v4 motion_of(const sn_world *world, const sn_triangle_contact *c, sn_v4 local) {
    const sn_collider_pose *at = &sn_collider_poses(world)[c->search->collider];
    sn_v4 motion = -sn_collider_pose_motion(at, local);
    for (int k = 0; k < 3; k++) {
        uint32_t i = c->node[k];
        motion += c->search->weight[k] *
                  (sn_v4_load(&world->nodes.d[i]) - sn_v4_load(&world->nodes.p[i]));
    }
    if (at->flows) motion -= sn_v4_load(&c->search->flow);
    return motion;
}

/* m: the length of an edge, against which a push is large or small. */
static sn_real size_of(const sn_nodes *n, const sn_triangle_contact *c) {
    sn_v4 edge = sn_v4_load(&n->x[c->node[1]]) - sn_v4_load(&n->x[c->node[0]]);
    return SN_ROOT(sn_v4_dot(edge, edge));
}

static void solve(const pass *now, const sn_triangle_contact *c, const sn_rigid_side *side,
                  sn_real ease, sn_real deep, sn_v4 normal, sn_v4 local) {
    const sn_nodes *n = &now->world->nodes;
    sn_v4 motion = motion_of(now->world, c, local), across = sn_across(motion, normal);
    sn_real square = sn_v4_dot(across, across), lever = 1;
    if (c->carrier && square > 0)
        lever = ease / ease_of(now, c, side, across * (1 / SN_ROOT(square)));
    const sn_contact_geometry geometry = {.normal = sn_lane3_of(normal),
                                          .deep = deep,
                                          .motion = sn_lane3_of(motion),
                                          .k_n = ease,
                                          .lever = lever};
    sn_lane3 moves = sn_contact_solve_rows(&geometry, &now->sweep, (sn_lane3){0, 0, 0}, c->row);
    sn_v4 impulse = {moves.x, moves.y, moves.z, 0};
    for (int k = 0; k < 3; k++) {
        sn_vec4 *d = &n->d[c->node[k]];
        sn_real w = now->w[c->node[k]];
        if (w > 0) sn_v4_store(d, sn_v4_load(d) + (w * c->search->weight[k]) * impulse);
    }
    if (!c->carrier) return;
    sn_rigid_side_push(now->world, side, -impulse);
    sn_collider_pose_follow(now->world, c->search->collider);
}

/* Whether it began deeper in the collider than it may come out in this substep. */
static bool is_stuck(const pass *now, const sn_triangle_contact *c) {
    return *sn_row(c->row, SN_ROW_START) > *sn_row(c->row, SN_ROW_RECOVERY) * now->sweep.h;
}

/* A large push turns the triangle, so that another point is deepest then: that is looked at again.
   But what is stuck has one turn: several that push each other in would go on with it. */
static void project(const pass *now, const sn_triangle_contact *c) {
    sn_real all = 0, size = size_of(&now->world->nodes, c);
    if (now->again &&
        (is_stuck(now, c) || !sn_triangle_contact_has_moved(now->world, c, SN_R(0.01) * size)))
        return;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        sn_v4 normal, local;
        sn_real deep = sn_triangle_contact_depth(now->world, c, now->substep->h, &normal, &local);
        bool pushed = *sn_row(c->row, SN_ROW_PUSH) > 0;
        if (!(deep > 0) && pushed) normal = sn_row_vector(c->row, SN_ROW_NORMAL);
        const sn_rigid_side side = sn_triangle_contact_carrier(now->world, c, normal);
        sn_real ease = ease_of(now, c, &side, normal);
        if ((!(deep > 0) && !pushed) || !(ease > 0)) break;
        if (deep > 0) c->search->touched = true;
        solve(now, c, &side, ease, deep, normal, local);
        all += deep;
        if (!(deep > SN_R(0.005) * size) || is_stuck(now, c)) break;
    }
    if (all > SN_R(0.02) * size) atomic_store_explicit(now->far, true, memory_order_relaxed);
}

void sn_triangle_contact_project(sn_world *world, const sn_substep *substep, bool first,
                                 bool last) {
    (void)first, (void)last;
    for (int sweep = 0; sweep < MOST_SWEEPS && sn_triangle_contact_may_ask(world, substep) &&
                        for_all(world, substep, sweep > 0, project);
         sweep++)
        continue;
}

/* ---- What would pass ---- */

/* Sweeps may end before all is settled: where many triangles meet a thing as large as themselves
   within a substep, they push each other through it. The corners of what would be on the other side
   of it then stay where they were as seen from the collider, and so on with what passes for that.
   Where all of them do nothing moves, so that it ends with nothing that has passed. */
static void hold(const pass *now, const sn_triangle_contact *c) {
    const sn_nodes *n = &now->world->nodes;
    sn_v4 held[3];
    sn_real far = SN_R(0.02) * size_of(n, c);
    if (!sn_triangle_contact_passes(now->world, c, far, !is_stuck(now, c), held)) return;
    for (int k = 0; k < 3; k++) {
        const uint32_t i = c->node[k];
        if (now->w[i] > 0) sn_v4_store(&n->d[i], held[k]);
    }
    atomic_store_explicit(now->far, true, memory_order_relaxed);
}

void sn_triangle_contact_hold(sn_world *world, const sn_substep *substep) {
    /* What stood, as what was held before, may have been torn away by its neighbours. */
    sn_triangle_contact_keep_up(world, substep);
    for (int sweep = 0; sweep < MOST_HOLDS && sn_triangle_contact_may_ask(world, substep) &&
                        for_all(world, substep, false, hold);
         sweep++)
        continue;
}

/* ---- Recovery ---- */

sn_v4 sn_triangle_contact_motion(const sn_world *world, const sn_triangle_contact *c) {
    const sn_collider_pose *at = &sn_collider_poses(world)[c->search->collider];
    const sn_nodes *n = &world->nodes;
    sn_v4 relative = {0};
    for (int k = 0; k < 3; k++)
        relative +=
            c->search->weight[k] * sn_collider_pose_relative(at, sn_v4_load(&n->x[c->node[k]]),
                                                             sn_v4_load(&n->d[c->node[k]]));
    sn_v4 moved = sn_collider_pose_motion(at, sn_collider_pose_into(at, &at->q, relative));
    if (at->flows) moved += sn_v4_load(&c->search->flow);
    return moved;
}

static void take_recovery_out(const pass *now, const sn_triangle_contact *c) {
    const sn_nodes *n = &now->world->nodes;
    sn_v4 normal = sn_row_vector(c->row, SN_ROW_NORMAL);
    const sn_rigid_side side = sn_triangle_contact_carrier(now->world, c, normal);
    sn_real ease = ease_of(now, c, &side, normal);
    if (!(*sn_row(c->row, SN_ROW_PUSH) > 0) || !(ease > 0)) return;
    sn_v4 motion = -sn_triangle_contact_motion(now->world, c);
    for (int k = 0; k < 3; k++)
        motion +=
            c->search->weight[k] * (sn_v4_load(&n->d[c->node[k]]) - sn_v4_load(&n->p[c->node[k]]));
    sn_real recovers = sn_contact_recovery(c->row, sn_v4_dot(motion, normal));
    if (!(recovers > 0)) return;
    for (int k = 0; k < 3; k++) {
        sn_real w = now->w[c->node[k]];
        if (w > 0)
            sn_contact_move_start(now->world, c->node[k],
                                  (w * c->search->weight[k] / ease * recovers) * normal);
    }
    if (c->carrier) sn_rigid_side_recover(now->world, &side, -recovers / ease * normal);
    sn_real normal_impulse = -recovers / (ease * now->sweep.h);
    sn_contact_add_impulse(c->row, normal_impulse * normal, normal_impulse);
}

/* Corners of triangles that are stuck, and push each other in or are drawn by what is strained
   between them, are no faster for it than they were, or than the recovery speed. */
static void hold_corners(const pass *now, const sn_triangle_contact *c) {
    const sn_nodes *n = &now->world->nodes;
    sn_real most = *sn_row(c->row, SN_ROW_RECOVERY) * now->sweep.h;
    if (!sn_contacts_of(now->world)->recovered || !(*sn_row(c->row, SN_ROW_START) > 0) ||
        !(is_stuck(now, c) || *sn_row(c->row, SN_ROW_PUSH) > 0))
        return;
    if (most < c->search->inertia) most = c->search->inertia;
    sn_v4 surface = sn_triangle_contact_motion(now->world, c);
    for (int k = 0; k < 3; k++) {
        const uint32_t i = c->node[k];
        sn_v4 motion = (sn_v4_load(&n->d[i]) - sn_v4_load(&n->p[i])) - surface;
        if (now->w[i] > 0)
            sn_contact_move_start(now->world, i, motion - sn_friction_limited(motion, most));
    }
}

void sn_triangle_contact_recover(sn_world *world, const sn_substep *substep) {
    for_all(world, substep, false, take_recovery_out);
    for_all(world, substep, false, hold_corners);
}

/* ---- Velocities ---- */

/* What restitution and the friction of that, or all friction, do to the velocities of a triangle
   that was pushed in the substep. */
static void change_velocity(const pass *now, const sn_triangle_contact *c) {
    const sn_nodes *n = &now->world->nodes;
    const sn_triangle_search *search = c->search;
    sn_v4 normal = sn_row_vector(c->row, SN_ROW_NORMAL);
    const sn_rigid_side side = sn_triangle_contact_carrier(now->world, c, normal);
    sn_real h = now->sweep.h, ease = ease_of(now, c, &side, normal);
    sn_real pushed = *sn_row(c->row, SN_ROW_PUSH);
    sn_contact_material material = sn_contact_row_material(c->row);
    if (!(pushed > 0) || !(ease > 0) || (!(material.restitution > 0) && now->sweep.slides)) return;
    sn_real push = now->sweep.slides ? 0 : sn_contact_push_speed(now->world, c->node[0], pushed, h);
    sn_v4 v = {0}, before = {0}, surface = sn_triangle_contact_motion(now->world, c) / h;
    sn_v4 had = surface;
    if (c->carrier) {
        const uint32_t frame = n->frame[side.node] - 1;
        surface = sn_rigid_side_velocity(now->world, &side, sn_v4_load(&n->v[side.node]),
                                         sn_v4_load(&now->world->frames.omega[frame]));
        had = sn_v4_load(&search->had);
    }
    for (int k = 0; k < 3; k++) {
        v += search->weight[k] * sn_v4_load(&n->v[c->node[k]]);
        before += search->weight[k] * sn_v4_load(&search->before[k]);
    }
    sn_real more =
        sn_friction_bounce(material.restitution, sn_v4_dot(before - had, normal),
                           sn_v4_dot(v - surface, normal), sn_contact_resting_speed(now->world, h));
    if (!(more > 0) && !(push > 0)) return;
    sn_v4 change = more * normal;
    change += sn_friction_brake(&material, sn_across(v - surface, normal), push + more);
    change[3] = 0;
    for (int k = 0; k < 3; k++) {
        sn_real w = now->w[c->node[k]];
        sn_v4 changed = sn_v4_load(&n->v[c->node[k]]) + w * search->weight[k] / ease * change;
        if (w > 0 && sn_v4_is_finite(changed)) sn_v4_store(&n->v[c->node[k]], changed);
    }
    if (c->carrier) sn_rigid_side_strike(now->world, &side, -change / ease);
    sn_contact_add_impulse(c->row, change / ease, more / ease);
}

void sn_triangle_contact_bounce(sn_world *world, const sn_substep *substep) {
    for_all(world, substep, false, change_velocity);
}

/* ---- The kind ---- */

static const sn_contact_group group = {
    .find = SN_RANK_SHAPES,
    .is_needed = sn_triangle_contact_is_needed,
    .bounces = sn_collider_contact_bounces,
    .strikes = sn_collider_contact_bounces,
    .plan = sn_triangle_contact_plan,
    .detect = sn_triangle_contact_detect,
    .project = sn_triangle_contact_project,
    .recover = sn_triangle_contact_recover,
    .bounce = sn_triangle_contact_bounce,
    .end = sn_triangle_contact_end,
};

const sn_contact_kind_def sn_triangle_contact_kind = {&group, &sn_triangle_contact_report, NULL};
