/*
 * A contact keeps the ball of a node outside of a shape: C = distance - radius >= 0, hard, with
 * friction at the level of positions (survey of position based methods, section 5.4.4).
 *
 *   push     the node goes out along the normal n by what it is too deep
 *   slide    u, its motion across n relative to the surface in this substep, is taken back, by at
 *            most mu times all the push of the substep: a static contact is one where that is
 *            enough
 *
 * friction.h has the formulas, rolling.c those of balls. As an option, friction waits for the end
 * of the substep and acts on velocities; what bounces does so in any case, friction included.
 *
 * Both are lengths, so that masses do not matter. Friction is kept over the sweeps of a substep and
 * found anew in each, so that many sweeps do not brake more than one. What is inside when a substep
 * begins comes out no faster than the recovery speed.
 *
 * A node that passes a shape within one substep is found by walking along its path by the distance
 * to the shape, which is never too far (sphere tracing), and is stopped where it enters.
 */
#include "collision/collider_pose.h"
#include "collision/shapes/shape_distance.h"
#include "contact/collider/collider_contact_solve.h"
#include "contact/collider/node_penetration.h"
#include "contact/contacts.h"
#include "contact/ellipsoid.h"
#include "contact/recovery.h"
#include "contact/rolling.h"
#include "math/any.h"
#include "math/quaternion.h"

#include <math.h>

/* Nodes whose pairs are looked at together are at most BLOCK. */
enum { NODES_ALONE = 1024, MOST_WALK = 24, BLOCK = 128 };

typedef struct pass {
    sn_world *world;
    const sn_substep *substep;
    const sn_collider_pose *pose;
    const sn_real *w; /* 1/kg, that contacts see */
    const sn_contact_set *set;
    const sn_collider_contact_kernels *loops;
    sn_real slight; /* m, as of sn_contact_slight */
    bool slides;    /* whether friction acts on positions */
    bool first;     /* whether it is the first sweep of the substep */
    bool bounces;   /* whether velocities before the substep are needed */
} pass;

static pass pass_of(sn_world *world, const sn_substep *substep) {
    return (pass){.world = world,
                  .substep = substep,
                  .pose = sn_collider_poses(world),
                  .w = sn_world_masses(world).w,
                  .set = &sn_contacts_of(world)->set[SN_CONTACT_NODE_COLLIDER],
                  .slight = sn_contact_slight(world, (sn_real)substep->h),
                  .slides = world->settings.friction != SN_FRICTION_VELOCITY};
}

/*
 * Whether a node is as far from a simple shape as it was when that was last measured, less what
 * both have moved since, and goes by less than that in this substep: then it neither touches nor
 * has passed. For lengths, a + b is at most the root of 2 (a^2 + b^2).
 */
static bool is_clear(const sn_collider_pose *at, const sn_node_search *search, sn_v4 relative,
                     sn_v4 moves) {
    sn_v4 moved = relative - sn_v4_load(&search->asked);
    sn_v4 motion = moves - (sn_v4_load(&at->d) - sn_v4_load(&at->p));
    sn_real far = sn_v4_dot(moved, moved) + sn_v4_dot(motion, motion);
    return search->asked.w > 0 && search->asked.w * search->asked.w > SN_R(2.1) * far;
}

/* Remembers how far the node is, by what is left when all is rounded as badly as it can be. */
static void note_clear(const sn_collider_pose *at, sn_node_search *search, sn_v4 relative,
                       sn_real gap) {
    sn_real size = 0;
    for (int k = 0; k < 3; k++) size += relative[k] < 0 ? -relative[k] : relative[k];
    relative[3] = at->turns ? 0 : SN_R(0.999) * gap - SN_R(2e-5) * size;
    sn_v4_store(&search->asked, relative);
}

/*
 * Where a node that ends outside has passed the shape: walks from where it began, in the frame of
 * the collider, by the distance that is left. Returns how deep the end is below the plane at which
 * it entered, or 0.
 */
static sn_real passed(const sn_world *world, const sn_node_contact *c, sn_v4 *normal,
                      sn_v4 *local) {
    const sn_nodes *n = &world->nodes;
    const sn_collider_pose *at = &sn_collider_poses(world)[c->collider];
    const sn_collider_def *def = &sn_colliders_of(world)->state[c->collider].def;
    const size_t i = c->node;
    sn_v4 base = sn_v4_load(&n->x[i]) - sn_v4_load(&at->x);
    sn_v4 from = sn_quat_rotate_back(sn_v4_load(&at->before),
                                     base + (sn_v4_load(&n->p[i]) - sn_v4_load(&at->p)));
    sn_v4 to =
        sn_quat_rotate_back(sn_v4_load(&at->q), base + (sn_v4_load(&n->d[i]) - sn_v4_load(&at->d)));
    sn_v4 displacement = to - from, toward;
    sn_real length = SN_ROOT(sn_v4_dot(displacement, displacement)), gone = 0;
    for (int step = 0; step < MOST_WALK; step++) {
        sn_v4 here = from + displacement * (gone / length);
        sn_real left = sn_shape_distance_at(def, here, &toward) - n->radius[i];
        if (sn_is_ellipsoid(world, i))
            left += sn_ellipsoid_lack(world, i, sn_quat_rotate(sn_v4_load(&at->q), toward));
        if (left <= SN_R(1e-4) * length || left <= 0) {
            sn_real deep = -sn_v4_dot(to - here, toward);
            if (!(deep > 0)) return 0;
            *normal = sn_quat_rotate(sn_v4_load(&at->q), toward);
            *local = here;
            return deep;
        }
        gone += left;
        if (!(gone < length)) return 0;
    }
    return 0;
}

/*
 * Whether a node in a sphere was, when the substep began, clearly on the side where it is now (0.7
 * is asked for, this has at least the root of 1/2) and not deeper than `most`: what follows in
 * depth_of would change nothing, and has a root and a division.
 */
static bool was_alike(const sn_collider_def *def, sn_real radius, sn_v4 then, sn_v4 face,
                      sn_real most) {
    if (def->shape != SN_SHAPE_SPHERE) return false;
    sn_real square = sn_v4_dot(then, then), along = sn_v4_dot(then, face);
    sn_real least = radius + def->radius - most;
    return along > 0 && along * along > SN_R(0.5) * square && square > SN_R(1e-20) &&
           (!(least > 0) || square > least * least);
}

sn_real sn_node_contact_inertia(const sn_world *world, const sn_node_contact *c) {
    if (!sn_contacts_of(world)->recovered) return 0;
    if (sn_colliders_of(world)->state[c->collider].carrier) return c->search->inertia;
    sn_v4 predicted = sn_v4_load(&sn_collider_contacts_of(world)->predicted[c->node]);
    return sn_v4_length(
        sn_contact_motion_to(world, c->node, predicted, &sn_collider_poses(world)[c->collider]));
}

/* How deep the node is, and out of it no faster than it may come. */
static sn_real depth_of(const sn_world *world, const sn_node_contact *c, double h, sn_v4 *normal,
                        sn_v4 *local) {
    const sn_nodes *n = &world->nodes;
    const sn_collider_pose *at = &sn_collider_poses(world)[c->collider];
    const sn_collider_def *def = &sn_colliders_of(world)->state[c->collider].def;
    const size_t i = c->node;
    sn_v4 x = sn_v4_load(&n->x[i]), d = sn_v4_load(&n->d[i]);
    sn_v4 p = sn_v4_load(&n->p[i]), between = sn_collider_pose_relative(at, x, d);
    *local = *normal = (sn_v4){0};
    if (!(*sn_row(c->row, SN_ROW_PUSH) > 0) && is_clear(at, c->search, between, d - p)) return 0;
    *local = sn_collider_pose_into(at, &at->q, between);
    sn_real deep = n->radius[i] - sn_shape_distance_at(def, *local, normal);
    sn_v4 face = *normal;
    *normal = sn_collider_pose_out(at, &at->q, face);
    if (!(deep > 0)) {
        note_clear(at, c->search, between, -deep);
        sn_v4 motion = (d - p) - sn_collider_pose_motion(at, *local);
        bool fast = sn_v4_dot(motion, motion) > deep * deep;
        return fast ? passed(world, c, normal, local) : 0;
    }
    /* The ball about an ellipsoid may be in where the ellipsoid is not. */
    sn_real lack = sn_ellipsoid_lack(world, i, *normal);
    deep -= lack;
    if (!(deep > 0)) {
        sn_v4 motion = (d - p) - sn_collider_pose_motion(at, *local);
        bool fast = sn_v4_dot(motion, motion) > deep * deep;
        return fast ? passed(world, c, normal, local) : 0;
    }
    /* How it was when the substep began, in the frame that the collider had then. */
    sn_v4 relative = (x - sn_v4_load(&at->x)) + (p - sn_v4_load(&at->p)), side;
    sn_v4 then = sn_collider_pose_into(at, &at->before, relative);
    sn_real most = *sn_row(c->row, SN_ROW_RECOVERY) * (sn_real)h;
    sn_real slight = sn_contact_slight(world, (sn_real)h);
    if (was_alike(def, n->radius[i], then, face, slight < most ? slight : most)) return deep;
    sn_real old = n->radius[i] - sn_shape_distance_at(def, then, &side) - lack;
    /* The nearest way out is the wrong one where it has come in by another side. It was outside,
       but for rounding, if it was less deep than it has moved. */
    bool crossed = sn_v4_dot(sn_collider_pose_out(at, &at->q, side), *normal) < SN_R(0.7);
    sn_v4 moved = *local - then;
    if (crossed && (old <= 0 || 16 * old * old < sn_v4_dot(moved, moved)))
        return passed(world, c, normal, local);
    if (!(old > slight)) return deep;
    sn_contact_note_start(world, c->row, old);
    return sn_contact_push(world, deep, old, most, slight, sn_node_contact_inertia(world, c));
}

sn_real sn_collider_contact_depth(const sn_world *world, const sn_node_contact *c, double h,
                                  sn_v4 *normal, sn_v4 *local) {
    bool formed = sn_colliders_of(world)->state[c->collider].def.form;
    return (formed ? sn_node_contact_depth : depth_of)(world, c, h, normal, local);
}

sn_contact_material sn_collider_contact_material(const sn_world *world, size_t node,
                                                 size_t collider) {
    if (sn_contact_materials_of(world)->pairs == 0)
        return sn_collider_poses(world)[collider].material;
    return sn_world_contact_material(world, (sn_party){.body = world->nodes.body[node]},
                                     (sn_party){.collider = (uint32_t)collider + 1});
}

/* What the text of all contacts makes of one, or of a ball that rolls; returns how far the node
   goes across the normal. */
static sn_v4 answer_of(const pass *now, const sn_node_contact *c, sn_real deep, sn_v4 normal,
                       sn_v4 motion, sn_contact_answer *a) {
    const sn_world *world = now->world;
    const sn_contact_sweep sweep = {.h = (sn_real)now->substep->h, .slides = now->slides};
    sn_contact_material material = sn_contact_row_material(c->row);
    sn_v4 before = {a->slide.x, a->slide.y, a->slide.z, 0};
    sn_real lever = 1;
    sn_ball ball = {0};
    bool rolls = now->slides && world->nodes.frame[c->node] && sn_roll_is_ball(world, c->node);
    if (rolls) ball = sn_roll_begin(world, c->node, now->substep->h, normal, &motion, &lever);
    const sn_contact_geometry geometry = {.normal = sn_lane3_of(normal),
                                          .deep = deep,
                                          .motion = sn_lane3_of(motion),
                                          .k_n = now->w[c->node],
                                          .lever = lever};
    (void)sn_contact_solve(&geometry, &sweep, material.static_friction, material.dynamic_friction,
                           a);
    if (!rolls) return (sn_v4){a->slide.x, a->slide.y, a->slide.z, 0} - before;
    material = sn_collider_contact_material(world, c->node, c->collider);
    return sn_roll_end(world, c, now->substep->h, &ball, &material, normal, a, before);
}

static sn_node_contact contact_at(const pass *now, sn_collider_pair_lane pair) {
    return (sn_node_contact){pair.node, pair.collider,
                             sn_contact_rows(now->set, (uint32_t)pair.slot),
                             &sn_collider_contacts_of(now->world)->search[pair.slot]};
}

static void solve(const pass *now, const sn_node_contact *c) {
    const sn_world *world = now->world;
    double h = now->substep->h;
    const size_t i = c->node;
    const sn_nodes *n = &world->nodes;
    const sn_collider_pose *at = &now->pose[c->collider];
    sn_contact_answer a = {.push = *sn_row(c->row, SN_ROW_PUSH)};
    sn_v4 normal, local, d = sn_v4_load(&n->d[i]);
    if (!(a.push > 0)) *sn_row(c->row, SN_ROW_START) = 0;
    sn_real deep = sn_collider_contact_depth(world, c, h, &normal, &local);
    if (!(deep > 0) && !(a.push > 0)) return;
    if (deep > 0 && sn_is_ellipsoid(world, i))
        deep = sn_ellipsoid_push(world, i, now->w[i], normal, deep);
    /* Without a push there was no friction yet. */
    if (a.push > 0)
        a.slide = sn_row_load3(c->row, SN_ROW_SLIDE);
    else
        c->search->roll = (sn_vec4){0, 0, 0, 0};
    if (deep > 0) {
        d += deep * normal;
        sn_row_store3(c->row, SN_ROW_NORMAL, sn_lane3_of(normal));
        c->search->touched = true;
    } else {
        normal = sn_row_vector(c->row, SN_ROW_NORMAL);
    }
    sn_v4 motion = (d - sn_v4_load(&n->p[i])) - sn_collider_pose_motion(at, local);
    if (at->flows) motion -= sn_v4_load(&c->search->flow);
    sn_v4 more = answer_of(now, c, deep, normal, motion, &a);
    d += more;
    d[3] = 0;
    sn_v4_store(&n->d[i], d);
    sn_real mass = 1 / (now->w[i] * (sn_real)h);
    *sn_row(c->row, SN_ROW_PUSH) = a.push;
    sn_row_store3(c->row, SN_ROW_SLIDE, a.slide);
    sn_contact_add_impulse(c->row, mass * (deep * normal + more), mass * deep);
}

/* Pairs, with room for a group that is not full. */
typedef struct list {
    sn_collider_pair_lane pair[BLOCK + SN_BLOCK];
    size_t count;
} list;

/* Adds a pair where it is to be added, without a branch: nobody can foresee which. */
SN_INLINE void add_if(list *to, sn_collider_pair_lane pair, bool wanted) {
    to->pair[to->count] = pair;
    to->count += wanted;
}

static void solve_pair(const pass *now, sn_collider_pair_lane pair) {
    sn_node_contact contact = contact_at(now, pair);
    solve(now, &contact);
}

/* Solves pairs of different nodes that may touch: what lanes know in lanes, the rest one by one. */
static void solve_list(const pass *now, const sn_collider_contact_batch *batch, const list *pairs) {
    const sn_world *world = now->world;
    list of[SN_COLLIDER_CONTACT_CLASSES];
    for (int c = 0; c < SN_COLLIDER_CONTACT_CLASSES; c++) of[c].count = 0;
    for (size_t k = 0; k < pairs->count; k++) {
        const sn_collider_pose *at = &now->pose[pairs->pair[k].collider];
        if (at->shape < SN_COLLIDER_CONTACT_SHAPES && !world->nodes.frame[pairs->pair[k].node])
            add_if(&of[sn_collider_contact_class(at)], pairs->pair[k], true);
        else
            solve_pair(now, pairs->pair[k]);
    }
    for (int c = 0; c < SN_COLLIDER_CONTACT_CLASSES; c++) {
        if (of[c].count == 0) continue;
        size_t left = now->loops->solve[c](batch, of[c].pair, of[c].count);
        for (size_t k = 0; k < left; k++) solve_pair(now, of[c].pair[k]);
    }
}

/* A node is solved with its colliders one after the other. What was pushed before is most likely
   pushed again; of the rest most is far away. */
static void project_first(const pass *now, const list *pairs) {
    const sn_world *world = now->world;
    const sn_collider_contacts *t = sn_collider_contacts_of(world);
    const sn_collider_contact_batch batch = {.world = world,
                                             .pose = now->pose,
                                             .row = now->set->row,
                                             .search = t->search,
                                             .w = now->w,
                                             .h = (sn_real)now->substep->h,
                                             .slight = now->slight,
                                             .slides = now->slides};
    list near, rest;
    near.count = rest.count = 0;
    for (size_t k = 0; k < pairs->count; k++) {
        sn_collider_pair_lane pair = pairs->pair[k];
        sn_real *push = sn_contact_at(now->set, (uint32_t)pair.slot, SN_ROW_PUSH);
        pair.collider = now->set->pair[pair.slot].b;
        bool wanted = *push > 0 || now->pose[pair.collider].shape >= SN_SHAPE_MESH;
        if (now->first) *push = 0;
        if (now->bounces) t->search[pair.slot].before = world->nodes.v[pair.node];
        add_if(&near, pair, wanted);
        add_if(&rest, pair, !wanted);
    }
    rest.count = now->loops->clear(&batch, rest.pair, rest.count);
    for (size_t k = 0; k < rest.count; k++) add_if(&near, rest.pair[k], true);
    solve_list(now, &batch, &near);
}

/* The first pairs of all nodes come first, then the second ones, and so on. */
static void project_block(const pass *now, size_t begin, size_t end) {
    const sn_world *world = now->world;
    const sn_collider_contacts *t = sn_collider_contacts_of(world);
    list pairs;
    pairs.count = 0;
    for (size_t i = sn_sleep_pass(&world->sleep, begin); i < end;
         i = sn_sleep_pass(&world->sleep, i + 1))
        add_if(&pairs, (sn_collider_pair_lane){(uint32_t)i, 0, t->begin[i]},
               t->begin[i] < t->begin[i + 1] && world->nodes.w[i] > 0);
    while (pairs.count > 0) {
        project_first(now, &pairs);
        size_t count = pairs.count;
        pairs.count = 0;
        for (size_t k = 0; k < count; k++) {
            sn_collider_pair_lane next = pairs.pair[k];
            next.slot++;
            add_if(&pairs, next, next.slot < t->begin[next.node + 1]);
        }
    }
}

static void project_range(void *context, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i += BLOCK)
        project_block(context, i, end - i < BLOCK ? end : i + BLOCK);
}

void sn_collider_contact_project(sn_world *world, const sn_substep *substep, bool first,
                                 bool last) {
    if (sn_contacts_of(world)->set[SN_CONTACT_NODE_COLLIDER].count > 0) {
        sn_lane_trial *trial = &world->bindings.lanes[SN_TRIED_COLLIDER_CONTACT];
        const size_t pairs = sn_contacts_of(world)->set[SN_CONTACT_NODE_COLLIDER].count;
        pass p = pass_of(world, substep);
        p.loops = sn_collider_contact_kernels_of(sn_lane_trial_begin(world, trial, pairs));
        p.first = first;
        p.bounces = first && sn_collider_contact_bounces(world);
        sn_tracks_run(&world->scratch.tracks, world->bindings.team, world->nodes.slots.count,
                      NODES_ALONE, project_range, &p);
        sn_lane_trial_end(world, trial);
    }
    sn_rigid_contact_project(world, substep, first);
    if (!last) sn_rigid_contact_end_sweep(world, substep, false);
}

/* ---- Recovery ---- */

static void take_recovery_out(const pass *now, const sn_node_contact *c) {
    const sn_collider_pose *at = &now->pose[c->collider];
    const size_t i = c->node;
    sn_v4 normal = sn_row_vector(c->row, SN_ROW_NORMAL);
    sn_v4 motion = sn_contact_motion(now->world, i, at);
    if (at->flows) motion -= sn_v4_load(&c->search->flow);
    sn_real recovers = sn_contact_recovery(c->row, sn_v4_dot(motion, normal));
    if (!(recovers > 0)) return;
    sn_contact_move_start(now->world, i, recovers * normal);
    sn_real normal_impulse = -recovers / (now->w[i] * (sn_real)now->substep->h);
    sn_contact_add_impulse(c->row, normal_impulse * normal, normal_impulse);
}

/* The next pair of some that comes out of where it was: four that do not are passed at once. */
static size_t next_recovering(const pass *p, size_t k, size_t end) {
    for (; k < end; k++) {
        const sn_real *row = sn_contact_rows(p->set, (uint32_t)k);
        const sn_real *push = row + SN_ROW_PUSH * SN_CONTACT_BLOCK,
                      *start = row + SN_ROW_START * SN_CONTACT_BLOCK;
        if (*push > 0 && *start > 0) return k;
        if (k % 4 == 0 && !sn_v4_any((*(const sn_v4 *)push > 0) & (*(const sn_v4 *)start > 0)))
            k += 3;
    }
    return end;
}

static void recover_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_collider_contacts *t = sn_collider_contacts_of(p->world);
    const size_t last = t->begin[end];
    for (size_t k = next_recovering(p, t->begin[begin], last); k < last;
         k = next_recovering(p, k + 1, last)) {
        const sn_contact_pair *pair = &p->set->pair[k];
        if (!(p->world->nodes.w[pair->a] > 0)) continue;
        sn_node_contact contact = contact_at(p, (sn_collider_pair_lane){pair->a, pair->b, k});
        take_recovery_out(p, &contact);
    }
}

void sn_collider_contact_recover(sn_world *world, const sn_substep *substep) {
    if (sn_contacts_of(world)->set[SN_CONTACT_NODE_COLLIDER].count > 0) {
        pass p = pass_of(world, substep);
        sn_tracks_run(&world->scratch.tracks, world->bindings.team, world->nodes.slots.count,
                      NODES_ALONE, recover_range, &p);
    }
    sn_rigid_contact_recover(world, substep);
}

/* ---- Velocities ---- */

static bool has_restitution(const sn_world *world) {
    const sn_colliders *colliders = sn_colliders_of(world);
    for (size_t i = 0; i < colliders->slots.count; i++)
        if (colliders->slots.alive[i] && colliders->state[i].def.restitution > 0) return true;
    return sn_contact_materials_bounce(sn_contact_materials_of(world));
}

bool sn_collider_contact_bounces(const sn_world *world) {
    bool brakes = world->settings.friction == SN_FRICTION_VELOCITY;
    return sn_collider_contact_is_needed(world) && (brakes || has_restitution(world));
}

sn_v4 sn_collider_contact_motion(const sn_world *world, const sn_node_contact *c) {
    const sn_collider_pose *at = &sn_collider_poses(world)[c->collider];
    const sn_nodes *n = &world->nodes;
    const size_t i = c->node;
    sn_v4 moved = sn_v4_load(&at->d) - sn_v4_load(&at->p);
    sn_v4 q = sn_v4_load(&at->q), before = sn_v4_load(&at->before);
    sn_v4 relative =
        (sn_v4_load(&n->x[i]) - sn_v4_load(&at->x)) + (sn_v4_load(&n->d[i]) - sn_v4_load(&at->d));
    sn_v4 local = sn_quat_rotate_back(q, relative);
    moved += sn_quat_rotate(q, local) - sn_quat_rotate(before, local);
    if (at->flows) moved += sn_v4_load(&c->search->flow);
    return moved;
}

/* What restitution and the friction of that, or all friction, do to the velocity of a node that was
   pushed in the substep. */
static void change_velocity(const pass *now, const sn_node_contact *c) {
    const sn_world *world = now->world;
    const size_t i = c->node;
    sn_real h = (sn_real)now->substep->h;
    sn_contact_material material = sn_contact_row_material(c->row);
    bool brakes = !now->slides;
    if (!(material.restitution > 0) && !brakes) return;
    sn_real push = *sn_row(c->row, SN_ROW_PUSH);
    push = brakes ? sn_contact_push_speed(world, c->node, push, h) : 0;
    sn_v4 normal = sn_row_vector(c->row, SN_ROW_NORMAL), v = sn_v4_load(&world->nodes.v[i]);
    sn_v4 surface = sn_collider_contact_motion(world, c) / h;
    sn_real came = sn_v4_dot(sn_v4_load(&c->search->before) - surface, normal);
    sn_real more = sn_friction_bounce(material.restitution, came, sn_v4_dot(v - surface, normal),
                                      sn_contact_resting_speed(world, h));
    if (!(more > 0) && !(push > 0)) return;
    sn_v4 change = more * normal, relative = v - surface;
    if (sn_roll_is_ball(world, i))
        change += sn_roll_brake(world, i, &material, relative, normal, push + more);
    else
        change += sn_friction_brake(&material, sn_across(relative, normal), push + more);
    change[3] = 0;
    if (!sn_v4_is_finite(v + change)) return;
    sn_v4_store(&world->nodes.v[i], v + change);
    sn_contact_add_impulse(c->row, change / world->nodes.w[i], more / world->nodes.w[i]);
}

static void bounce_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_world *world = p->world;
    const sn_collider_contacts *t = sn_collider_contacts_of(world);
    for (size_t i = begin; i < end; i++) {
        if (!(world->nodes.w[i] > 0)) continue;
        for (size_t k = t->begin[i]; k < t->begin[i + 1]; k++) {
            sn_node_contact contact =
                contact_at(p, (sn_collider_pair_lane){(uint32_t)i, p->set->pair[k].b, k});
            if (*sn_row(contact.row, SN_ROW_PUSH) > 0) change_velocity(p, &contact);
        }
    }
}

void sn_collider_contact_bounce(sn_world *world, const sn_substep *substep) {
    if (sn_contacts_of(world)->set[SN_CONTACT_NODE_COLLIDER].count > 0 &&
        sn_collider_contact_bounces(world)) {
        pass p = pass_of(world, substep);
        sn_tracks_run(&world->scratch.tracks, world->bindings.team, world->nodes.slots.count,
                      NODES_ALONE, bounce_range, &p);
    }
    sn_rigid_contact_bounce(world, substep);
}

/* ---- The kind ---- */

const sn_contact_group sn_collider_contact_group = {
    .find = SN_RANK_SHAPES,
    .is_needed = sn_collider_contact_is_needed,
    .bounces = sn_rigid_contact_plays,
    .strikes = sn_rigid_contact_strikes,
    .plan = sn_collider_contact_plan,
    .detect = sn_collider_contact_detect,
    .project = sn_collider_contact_project,
    .recover = sn_collider_contact_recover,
    .bounce = sn_collider_contact_bounce,
};

const sn_contact_kind_def sn_collider_contact_kind = {&sn_collider_contact_group,
                                                      &sn_collider_contact_report, NULL};
