/*
 * Which nodes may touch which colliders that others carry, in what is left of a step, and which
 * points of what they carry themselves may touch which colliders. A node of
 * which nothing moves, as one that is pinned, is in the way of what is carried all the same.
 */
#include "base/error.h"
#include "base/memory.h"
#include "collision/broad_phase/collider_bvh.h"
#include "collision/collider_pose.h"
#include "collision/shapes/shape_distance.h"
#include "collision/shapes/shape_points.h"
#include "contact/contacts.h"
#include "contact/recovery.h"
#include "contact/rigid/rigid_crests.h"
#include "contact/rigid/rigid_rounds.h"

#include <math.h>
#include <string.h>

enum {
    KIND = SN_CONTACT_RIGID,
    NODES_ALONE = 1024,
    BODIES_ALONE = 256,
    BLOCKS_ALONE = 64,
    WORK = 8
};
/* Of what reaches how far: slabs are to be as thick as bodies are wide (contact_partition.c). */
static const double THIN = 0.4;

void sn_rigid_contacts_free(sn_rigid_contacts *contacts, sn_memory *memory) {
    sn_free(memory, contacts->point, contacts->point_capacity, sizeof *contacts->point);
    sn_free(memory, contacts->half, contacts->half_capacity, sizeof *contacts->half);
    sn_free(memory, contacts->own, contacts->own_capacity, sizeof *contacts->own);
    sn_free(memory, contacts->point_begin, contacts->point_begin_capacity,
            sizeof *contacts->point_begin);
    sn_free(memory, contacts->form, contacts->form_capacity, sizeof *contacts->form);
    sn_free(memory, contacts->axis, contacts->axis_capacity, sizeof *contacts->axis);
    sn_free(memory, contacts->begin, contacts->begin_capacity, sizeof *contacts->begin);
    sn_free(memory, contacts->unit, contacts->unit_capacity, sizeof *contacts->unit);
    sn_free(memory, contacts->search, contacts->search_capacity, sizeof *contacts->search);
    sn_free(memory, contacts->old, contacts->old_capacity, sizeof *contacts->old);
    sn_free(memory, contacts->aside, contacts->aside_capacity, sizeof *contacts->aside);
    sn_free(memory, contacts->old_aside, contacts->old_aside_capacity, sizeof *contacts->old_aside);
    sn_free(memory, contacts->old_begin, contacts->old_begin_capacity, sizeof *contacts->old_begin);
    sn_free(memory, contacts->found, contacts->found_capacity, sizeof *contacts->found);
    sn_free(memory, contacts->node, contacts->node_capacity, sizeof *contacts->node);
    sn_free(memory, contacts->body, contacts->body_capacity, sizeof *contacts->body);
    sn_free(memory, contacts->block, contacts->block_capacity, sizeof *contacts->block);
    sn_free(memory, contacts->few, contacts->few_capacity, sizeof *contacts->few);
    sn_free(memory, contacts->old_unit, contacts->old_unit_capacity, sizeof *contacts->old_unit);
    sn_free(memory, contacts->key, contacts->key_capacity, sizeof *contacts->key);
    sn_free(memory, contacts->old_key, contacts->old_key_capacity, sizeof *contacts->old_key);
    sn_free(memory, contacts->from, contacts->from_capacity, sizeof *contacts->from);
    sn_free(memory, contacts->of_slot, contacts->of_slot_capacity, sizeof *contacts->of_slot);
    sn_free(memory, contacts->left, contacts->left_capacity, sizeof *contacts->left);
    sn_free(memory, contacts->told, contacts->told_capacity, sizeof *contacts->told);
    sn_free(memory, contacts->moved, contacts->moved_capacity, sizeof *contacts->moved);
    sn_rigid_restitution_free(contacts, memory);
    sn_contact_partition_free(&contacts->partition, memory);
}

bool sn_rigid_contact_is_needed(const sn_world *world) {
    return sn_colliders_of(world)->carried > 0;
}

bool sn_rigid_may_fly(const sn_world *world) {
    return sn_colliders_of(world)->carried > 1;
}

typedef struct search {
    sn_world *world;
    double time;         /* s, what is left of the step */
    bool fill;           /* the second pass */
    atomic_bool balls;   /* whether any is of the ball of a node */
    atomic_bool crests;  /* whether any is of a crest */
    atomic_bool crowded; /* whether a body is near more crests than it has contacts with */
} search;

/* What looking for the colliders of a node has found. */
typedef struct catch {
    search *s;
    uint32_t node;
    size_t found, points; /* a manifold is one that is found, and has several */
    bool ball;            /* whether any is of the ball of the node */
    double reach;         /* m */
    uint32_t own;     /* collider + 1 that it carries, whose points are looked at; 0 for its ball */
    uint32_t point;   /* number + 1 of one of them */
    uint32_t part;    /* number + 1 of a part of the other; 0: all of it */
    uint32_t form[2]; /* that of a part of its own, or of all of it, and that of the other */
    bool between;     /* whether the point goes along the axis of a capsule */
    bool round;       /* whether it is one of the other, which stands */
    uint32_t crest;   /* of which it is this (rigid_contact.h) */
    uint8_t spot;
    sn_v4 x, d;         /* m, where that is: x + d */
    double radius;      /* m */
    sn_rigid_fews *few; /* what the first pass has found; null for its ball */
}
catch;

/* m: how far a node may go before it must be looked at again. Of those that move this is what
   contacts with other colliders watch too (collider_contact_pairs.c). */
static double reach_of(const search *s, uint32_t i) {
    const sn_nodes *n = &s->world->nodes;
    if (sn_world_contact_w(s->world)[i] > 0)
        return (double)sn_collider_contacts_of(s->world)->reach[i];
    sn_v4 motion = sn_v4_load(&n->d[i]) - sn_v4_load(&n->p[i]), v = sn_v4_load(&n->v[i]);
    double far = sqrt((double)sn_v4_dot(v, v)) * s->time + sqrt((double)sn_v4_dot(motion, motion));
    if (n->driven[i] && n->drive[n->driven[i] - 1].has_target) {
        sn_v4 way = sn_v4_of(n->drive[n->driven[i] - 1].target) - sn_v4_load(&n->x[i]);
        far += sqrt((double)sn_v4_dot(way, way));
    }
    return 1.5 * far + 1e-3;
}

/* Of what stands and has neither faces nor is round, as planes and meshes. */
static const uint32_t NO_FORM = UINT32_MAX;

static bool has_faces(const catch *k, uint32_t form) {
    return form != NO_FORM && sn_rigid_contacts_of(k->s->world)->form[form].faces > 0;
}

/* Whether points are for a collider to touch. Two balls, or a ball and a capsule, touch once; what
   is round touches others, and not they it; what is hollow touches with the points of both, and
   what has faces touches nothing else by its corners. */
static bool is_for_points(const catch *k, uint32_t c) {
    const sn_collider_state *state = &sn_colliders_of(k->s->world)->state[c];
    sn_shape own = sn_colliders_of(k->s->world)->state[k->own - 1].def.shape;
    if (!state->carrier) return true;
    if (own == SN_SHAPE_SPHERE && state->def.shape == SN_SHAPE_SPHERE)
        return k->node < state->carrier - 1;
    if (sn_shape_is_round(own)) return state->def.shape != SN_SHAPE_SPHERE;
    return !sn_shape_is_round(state->def.shape) &&
           (!has_faces(k, k->form[0]) || sn_rigid_contacts_of(k->s->world)->form[c].hollow);
}

/* Whether they may touch wherever they are. */
static bool is_allowed(const catch *k, uint32_t c) {
    const sn_world *world = k->s->world;
    const sn_nodes *n = &world->nodes;
    const sn_collider_state *state = &sn_colliders_of(world)->state[c];
    const sn_real *w = sn_world_contact_w(world);
    uint32_t i = k->node, carrier = state->carrier;
    if (!sn_colliders_of(world)->slots.alive[c] || carrier == i + 1) return false;
    if (!(w[i] > 0) && !(carrier && w[carrier - 1] > 0)) return false;
    if (k->own && carrier && n->body[i] && n->body[carrier - 1] &&
        !sn_world_may_collide(world, (sn_party){.body = n->body[i]},
                              (sn_party){.body = n->body[carrier - 1]}))
        return false;
    return sn_collider_accepts(&state->def, n->group[i]) &&
           sn_world_may_collide(world, (sn_party){.body = n->body[i]},
                                (sn_party){.collider = c + 1});
}

static bool is_near(const catch *k, uint32_t c) {
    const sn_world *world = k->s->world;
    const sn_collider_pose *at = &sn_collider_poses(world)[c];
    const sn_collider_def *def = &sn_colliders_of(world)->state[c].def;
    sn_v4 normal,
        local = sn_collider_pose_into(at, &at->q, sn_collider_pose_relative(at, k->x, k->d));
    double far = (double)sn_shape_distance_to(def, k->part, local, &normal);
    return !(far * (double)sn_shape_trust(def) > k->reach + k->radius + at->most);
}

/* Pairs of a node are in the order of the colliders, in whatever order they are found; a manifold
   is one until there are blocks. */
static void put(catch *k, const sn_rigid_few *f) {
    const sn_world *world = k->s->world;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    sn_rigid_search *first = t->found + t->unit[k->node];
    const uint32_t carrier = sn_colliders_of(world)->state[f->collider].carrier;
    size_t at = k->found;
    for (; at > 0 && first[at - 1].collider > f->collider; at--) first[at] = first[at - 1];
    first[at] = (sn_rigid_search){.node = {k->node, carrier ? carrier - 1 : k->node},
                                  .collider = f->collider,
                                  .point = f->point,
                                  .part = f->part,
                                  .form = {f->form[0], f->form[1]},
                                  .between = f->between,
                                  .round = f->round,
                                  .crest = f->crest,
                                  .spot = f->spot,
                                  .manifold = f->whole || f->round ? SN_RIGID_APART : SN_RIGID_NONE,
                                  .leads = f->whole};
    if (!f->point || f->round) return;
    first[at].at = t->point[f->point - 1];
    first[at].rim = !f->whole && t->form[f->form[0]].rims;
    first[at].spins = f->whole && (t->form[f->form[0]].rims || t->form[f->form[1]].rims);
    first[at].beside = f->whole && !carrier && t->form[f->form[0]].rims;
}

static void add(catch *k, uint32_t c, bool whole) {
    const sn_rigid_few found = {.collider = c,
                                .point = k->point,
                                .part = k->part,
                                .form = {k->form[0], k->form[1]},
                                .between = k->between,
                                .round = k->round,
                                .crest = k->crest,
                                .spot = k->spot,
                                .whole = whole};
    if (k->s->fill)
        put(k, &found);
    else if (k->few && k->few->count < SN_RIGID_FEW)
        k->few->found[k->few->count] = found;
    if (k->few) k->few->count++;
    k->found++;
    k->points += whole ? SN_RIGID_MANIFOLD : 1;
    k->ball = k->ball || !k->point;
}

static bool look_at_ball(void *user, uint32_t c) {
    catch *k = user;
    if (sn_colliders_of(k->s->world)->state[c].carrier && is_allowed(k, c) && is_near(k, c))
        add(k, c, false);
    return true;
}

/* Whether the other asks for the place where a capsule touches it, or a part of it: of two capsules
   one does, and balls do. Where one is a capsule and the other a compound, the capsule does. */
static bool is_asked_back(const catch *k, const sn_collider_state *other, sn_shape part) {
    sn_shape own = sn_colliders_of(k->s->world)->state[k->own - 1].def.shape;
    if (!other->carrier || other->def.shape != own) return false;
    return part == SN_SHAPE_SPHERE || (part == SN_SHAPE_CAPSULE && other->carrier - 1 < k->node);
}

/* Whether it may lie along the other, which it touches by the ends of where it does then, wherever
   its own are: a capsule, and what is not round. */
static bool lies_along(const catch *k) {
    const sn_rigid_form *form = sn_rigid_contacts_of(k->s->world)->form, *own = &form[k->form[0]];
    return own->round && own->points == 3 && k->form[1] != NO_FORM && !form[k->form[1]].round &&
           form[k->form[1]].parts == 0;
}

/* Of a part of what a node carries its points, and a collider: all of a compound for what stays
   where it is on its body, and every part for what goes along the axis of a capsule, which has a
   place for each that is closest. */
static void look_at_points(catch *k, uint32_t c) {
    const sn_world *world = k->s->world;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_rigid_form *form = &t->form[k->form[0]];
    const sn_collider_state *other = &sn_colliders_of(world)->state[c];
    const bool parts = other->def.shape == SN_SHAPE_COMPOUND;
    const sn_shape shape = k->part ? other->def.form->pieces[k->part - 1].shape : other->def.shape;
    const sn_v4 q = sn_v4_load(&world->frames.q[world->nodes.frame[k->node] - 1]), d = k->d;
    /* A ball around all of them first. */
    if (form->faces > 0) {
        k->radius = 1.0001 * (double)(form->reach + t->point[form->point].w);
        if (!is_near(k, c)) return;
    }
    const bool along = lies_along(k);
    for (size_t p = form->point; p < form->point + form->points; p++) {
        const size_t from = along ? form->point + 1 : p;
        sn_v4 at = sn_v4_load(&t->point[from]);
        k->between = !(t->half[from] < 0);
        if (parts && k->between != (k->part > 0)) continue;
        if (k->between && is_asked_back(k, other, shape)) continue;
        k->point = (uint32_t)p + 1;
        k->radius = (double)at[3];
        if (k->between) k->radius += (double)t->half[from];
        if (form->rims) {
            sn_v4 middle = sn_shape_rim_middle(t->point + form->point, p - form->point);
            k->radius = 1.0001 * (double)sn_v4_length(at - middle);
            at = middle;
        }
        k->d = d + sn_quat_rotate(q, at);
        if (is_near(k, c)) add(k, c, false);
    }
    k->between = false;
    k->d = d;
}

/* A ball or a capsule that stands touches what is not round by its middle, or by both ends of where
   it is closest. They go by the numbers of points of the first, which has more. */
static void look_at_round(catch *k, uint32_t c) {
    const sn_world *world = k->s->world;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_rigid_form *form = &t->form[k->form[0]], *other = &t->form[k->form[1]];
    k->round = true;
    k->radius = 1.0001 * (double)form->bound;
    if (is_near(k, c))
        for (size_t p = 0; p < other->points; p++) {
            k->point = (uint32_t)(form->point + p) + 1;
            if (t->half[other->point + p] < 0) add(k, c, false);
        }
    k->round = false;
}

/* Corners and edges of a mesh, heights or a field that stand touch what is no ball. They go by the
   last point of it. */
static void look_at_crests(catch *k, uint32_t c) {
    const sn_world *world = k->s->world;
    const sn_rigid_form *form = &sn_rigid_contacts_of(world)->form[k->form[0]];
    const sn_collider_state *other = &sn_colliders_of(world)->state[c];
    if (other->carrier || form->points < 2 ||
        !sn_rigid_crests_stand(k->part ? &other->def.form->pieces[k->part - 1] : &other->def))
        return;
    sn_rigid_crests near = {.node = k->node,
                            .own = k->own - 1,
                            .form = k->form[0],
                            .collider = c,
                            .part = k->part,
                            .reach = (sn_real)(k->reach + sn_collider_poses(world)[c].most)};
    sn_rigid_crests_near(world, &near);
    if (near.count > 0) atomic_store_explicit(&k->s->crests, true, memory_order_relaxed);
    if (near.more) atomic_store_explicit(&k->s->crowded, true, memory_order_relaxed);
    k->point = (uint32_t)(form->point + form->points);
    k->round = true;
    for (size_t i = 0; i < near.count; i++) {
        k->crest = near.found[i].triangle + 1;
        k->spot = near.found[i].spot;
        add(k, c, false);
    }
    k->round = false;
    k->crest = k->spot = 0;
}

/* A part of what a node carries, and a collider or a part of it: two that have faces touch by
   these, the first is that of the lower node. Of a cylinder on what stands, the rims are round, and
   faces beside them for what is between. */
static void look_at_part(catch *k, uint32_t c) {
    const sn_world *world = k->s->world;
    const sn_rigid_form *form = sn_rigid_contacts_of(world)->form, *own = &form[k->form[0]];
    const uint32_t carrier = sn_colliders_of(world)->state[c].carrier;
    const uint32_t node[2] = {k->node, carrier ? carrier - 1 : k->node};
    const bool stands = !carrier && k->form[1] != NO_FORM;
    if (own->faces > 0 && has_faces(k, k->form[1])) {
        sn_real reach = (sn_real)(k->reach + sn_collider_poses(world)[c].most);
        k->point = (uint32_t)own->point + 1;
        if ((stands || node[0] < node[1]) &&
            sn_rigid_manifold_is_near(world, k->form, node, c, reach))
            add(k, c, true);
        if (!stands || !own->rims) return;
    } else if (stands && form[k->form[1]].parts > 0 && own->faces > 0 && !own->rims) {
        return;
    } else if (stands && form[k->form[1]].round && !own->round) {
        look_at_round(k, c);
        return;
    }
    if (is_for_points(k, c)) look_at_points(k, c);
}

/* What a node carries, part by part, and a collider, all of it first. */
static bool look_at_shape(void *user, uint32_t c) {
    catch *k = user;
    const sn_world *world = k->s->world;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_rigid_form *own = &t->form[k->own - 1];
    const sn_collider_state *other = &sn_colliders_of(world)->state[c];
    const size_t parts = other->def.shape == SN_SHAPE_COMPOUND ? other->def.form->part_count : 0;
    const bool formed = sn_rigid_has_form(world, c);
    /* Two that have faces are seen from both, and the lower node has them. */
    if (other->carrier && other->carrier <= k->node && own->faces > 0 && t->form[c].faces > 0)
        return true;
    if (!is_allowed(k, c)) return true;
    for (uint32_t part = 0; part <= parts; part++) {
        k->part = part;
        k->form[1] = NO_FORM;
        if (formed) k->form[1] = part ? (uint32_t)t->form[c].part + part - 1 : c;
        k->form[0] = own->parts ? (uint32_t)own->part : k->own - 1;
        for (size_t end = k->form[0] + (own->parts ? own->parts : 1); k->form[0] < end;
             k->form[0]++) {
            look_at_part(k, c);
            look_at_crests(k, c);
        }
    }
    k->part = 0;
    return true;
}

/* What the first pass has found of a shape, in the order of colliders. */
static void take_few(catch *k) {
    sn_rigid_few *all = k->few->found;
    for (size_t i = 1; i < k->few->count; i++) {
        const sn_rigid_few own = all[i];
        size_t at = i;
        for (; at > 0 && all[at - 1].collider > own.collider; at--) all[at] = all[at - 1];
        all[at] = own;
    }
    for (size_t i = 0; i < k->few->count; i++, k->found++) put(k, &all[i]);
}

/* From the ball of a node, or from what it carries. */
static void look_around(search *s, catch *k) {
    const sn_world *world = s->world;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_nodes *n = &world->nodes;
    const uint32_t i = k->node;
    k->x = sn_v4_load(&n->x[i]);
    k->d = sn_v4_load(&n->d[i]);
    if (t->point_begin[i] == t->point_begin[i + 1]) {
        k->reach = reach_of(s, i);
        k->radius = (double)n->radius[i];
        sn_collider_bvh_visit_at(world, k->x + k->d, k->reach + k->radius, look_at_ball, k);
        return;
    }
    for (size_t p = t->point_begin[i]; p < t->point_begin[i + 1];) {
        const sn_collider_pose *at = &sn_collider_poses(world)[t->own[p]];
        double size = sn_shape_reach(&sn_colliders_of(world)->state[t->own[p]].def);
        k->own = t->own[p] + 1;
        k->reach = at->most;
        k->few = &t->few[t->own[p]];
        p += t->form[t->own[p]].points;
        if (s->fill && k->few->count <= SN_RIGID_FEW) {
            take_few(k);
            continue;
        }
        k->few->count = 0;
        sn_collider_bvh_visit_at(world, sn_v4_load(&at->x) + sn_v4_load(&at->d), k->reach + size,
                                 look_at_shape, k);
    }
}

static void search_range(void *context, size_t begin, size_t end) {
    search *s = context;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(s->world);
    const sn_nodes *n = &s->world->nodes;
    for (size_t i = begin; i < end; i++) {
        catch k = {.s = s, .node = (uint32_t)i};
        bool any = !s->fill || t->unit[i + 1] > t->unit[i];
        if (any && n->slots.alive[i] == 1) look_around(s, &k);
        if (s->fill) continue;
        t->unit[i + 1] = k.found;
        t->begin[i + 1] = k.points;
        if (k.ball) atomic_store_explicit(&s->balls, true, memory_order_relaxed);
    }
}

static uint32_t points_of(const sn_rigid_search *found) {
    return found->leads ? SN_RIGID_MANIFOLD : 1;
}

typedef struct listing {
    const sn_rigid_contacts *contacts;
    sn_contact_pair *pair;
    size_t units;
} listing;

/* A manifold gets its blocks as one, a point of it in each: both sides are fetched once for all. */
static void list_units(void *context, size_t begin, size_t end) {
    const listing *l = context;
    const sn_rigid_contacts *t = l->contacts;
    for (size_t k = begin; k < end; k++) {
        const uint32_t unit = (uint32_t)k;
        l->pair[k] = (sn_contact_pair){.a = unit, .b = unit, .slot = t->found[k].leads};
        t->node[k] = t->found[k].node[0];
        t->node[l->units + k] = t->found[k].node[1];
    }
}

/* Their slots, by which they are filled and found again. */
static void take_slots(void *context, size_t begin, size_t end) {
    const listing *l = context;
    const sn_rigid_contacts *t = l->contacts;
    for (size_t k = begin; k < end; k++) {
        const sn_rigid_search *found = &t->found[k];
        const uint32_t slot = l->pair[k].slot;
        t->key[k] = (sn_rigid_key){.collider = found->collider,
                                   .point = found->beside ? 0 : found->point,
                                   .part = found->part,
                                   .crest = found->crest,
                                   .spot = found->spot,
                                   .slot = slot};
        t->of_slot[slot] = (uint32_t)k;
    }
}

/* Points of nodes take the place of these. */
static void list_pairs(void *context, size_t begin, size_t end) {
    const listing *l = context;
    const sn_rigid_contacts *t = l->contacts;
    size_t k = t->begin[begin];
    for (size_t unit = t->unit[begin]; unit < t->unit[end]; unit++)
        for (uint32_t point = 0; point < points_of(&t->found[unit]); point++)
            l->pair[k++] = (sn_contact_pair){.a = (uint32_t)unit,
                                             .b = (uint32_t)unit,
                                             .slot = t->key[unit].slot + point * SN_CONTACT_BLOCK};
}

static void clear_blocks(void *context, size_t begin, size_t end) {
    const sn_rigid_contacts *t = context;
    memset(t->block + begin, 0, (end - begin) * sizeof *t->block);
}

/* Rounds read rows of blocks that nobody wrote, in lanes that do not touch, and keep nothing of it;
   so these are cleared when they grow, and memory that is not set is read nowhere. They are the
   most memory that bodies have, and it is the threads that get its pages from the system. */
static bool renew_blocks(sn_world *world, sn_rigid_contacts *t, size_t blocks) {
    const size_t before = t->block_capacity;
    if (!sn_renew(&world->memory, (void **)&t->block, &t->block_capacity, blocks, sizeof *t->block))
        return false;
    if (t->block_capacity > before)
        sn_team_run(world->bindings.team, t->block_capacity, BLOCKS_ALONE, clear_blocks, t);
    return true;
}

/* Blocks for pairs, and the rows of them; false when there is no memory. */
static bool pack(sn_world *world, sn_rigid_contacts *t, sn_contact_set *set, size_t units,
                 size_t count) {
    sn_contact_part part = {.set = set,
                            .features = {t->node, t->node + units},
                            .kind = KIND,
                            .chain = SN_RIGID_MANIFOLD};
    sn_team *team = world->bindings.team;
    listing l = {t, set->pair, units};
    sn_team_run(team, units, NODES_ALONE, list_units, &l);
    set->count = units;
    sn_contact_space space = {.x = world->nodes.x,
                              .nodes = world->nodes.slots.count,
                              .size = THIN * t->reach,
                              .work = units ? WORK * count / units : WORK,
                              .bodies = true};
    bool placed = sn_contact_partition_place(world, &t->partition, &part, &space) &&
                  sn_renew(&world->memory, (void **)&t->of_slot, &t->of_slot_capacity,
                           (set->blocks + 1) * SN_CONTACT_BLOCK, sizeof *t->of_slot);
    if (placed) {
        memset(t->of_slot, 0xff, (set->blocks + 1) * SN_CONTACT_BLOCK * sizeof *t->of_slot);
        sn_team_run(team, units, NODES_ALONE, take_slots, &l);
        sn_team_run(team, world->nodes.slots.count, NODES_ALONE, list_pairs, &l);
    }
    set->count = count;
    if (placed &&
        sn_renew(&world->memory, (void **)&t->search, &t->search_capacity,
                 (set->blocks + 1) * SN_CONTACT_BLOCK, sizeof *t->search) &&
        sn_renew(&world->memory, (void **)&t->aside, &t->aside_capacity,
                 (set->blocks + 1) * SN_CONTACT_BLOCK, sizeof *t->aside) &&
        renew_blocks(world, t, SN_RIGID_ROOM * set->blocks + 1) &&
        sn_renew(&world->memory, (void **)&t->body, &t->body_capacity,
                 world->frames.slots.count + 1, sizeof *t->body) &&
        sn_renew(&world->memory, (void **)&t->moved, &t->moved_capacity, set->blocks + 1,
                 sizeof *t->moved) &&
        sn_renew(&world->memory, (void **)&t->told, &t->told_capacity,
                 (set->blocks + 1) * SN_CONTACT_BLOCK, sizeof *t->told)) {
        for (size_t g = 0; g < SN_CONTACT_MOST_GROUPS; g++) t->clean[g] = true;
        return true;
    }
    set->rounds = set->blocks = 0;
    return false;
}

/* Of two colliders, that of both. */
static sn_contact_material material_of(const sn_world *world, const sn_rigid_contacts *t,
                                       const sn_rigid_search *found) {
    if (!found->point) return sn_collider_contact_material(world, found->node[0], found->collider);
    return sn_world_contact_material(world, (sn_party){.collider = t->own[found->point - 1] + 1},
                                     (sn_party){.collider = found->collider + 1});
}

/* m: of what rolls on its point; 0 of corners. Of two cylinders, that of the first. */
static sn_real radius_of(const sn_rigid_contacts *t, const sn_rigid_search *found) {
    if (!found->point || (found->manifold != SN_RIGID_NONE && !found->spins)) return 0;
    if (!found->rim && !found->spins) return t->form[found->form[0]].round ? found->at.w : 0;
    const bool second = !t->form[found->form[0]].rims;
    const sn_vec4 *points = t->point + t->form[found->form[second]].point;
    return sn_v4_length(sn_v4_load(points) - sn_shape_rim_middle(points, 0));
}

/* A point of a pair that is found. */
static void fill_slot(const sn_world *world, const sn_rigid_search *found, uint32_t point,
                      uint32_t slot, const sn_contact_material *material) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    sn_real *row = sn_contact_rows(set, slot);
    for (int i = 0; i < 2; i++)
        *sn_contact_node_at(set, KIND, slot, i) = (int32_t)(found->node[i] * SN_NODE_BYTES);
    *sn_row(row, SN_ROW_LIMIT) = found->point ? found->at.w : world->nodes.radius[found->node[0]];
    sn_contact_row_set_material(row, material, sn_collider_poses(world)[found->collider].recovery);
    t->search[slot] = *found;
    t->search[slot].rolling = material->rolling_resistance * radius_of(t, found);
    if (found->leads) t->search[slot].size = sn_rigid_size_of(world, found->form);
    if (!found->leads || found->spins || found->node[0] == found->node[1])
        t->aside[slot] = (sn_rigid_aside){.ball.item = SN_BVH_NONE};
    if (point == 0) return;
    t->search[slot].leads = false;
    t->search[slot].follows = true;
    t->search[slot].point += point;
    t->search[slot].at = t->point[found->point - 1 + point];
}

/* In the order of slots, which is that of memory; pairs are in another. Those of a chain are
   filled with its first block, and have nobody of their own. */
static void fill_blocks(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (size_t block = begin; block < end; block++) {
        const uint32_t first = (uint32_t)block * SN_CONTACT_BLOCK;
        if (t->of_slot[first] == SN_RIGID_NOBODY) continue;
        const uint32_t chain = points_of(&t->found[t->of_slot[first]]);
        sn_contact_set_clear(&sn_contacts_of(world)->set[KIND], KIND, block, block + chain);
        for (uint32_t slot = first; slot < first + SN_CONTACT_BLOCK; slot++) {
            const uint32_t unit = t->of_slot[slot];
            if (unit == SN_RIGID_NOBODY) continue;
            const sn_rigid_search *found = &t->found[unit];
            const sn_contact_material material = material_of(world, t, found);
            for (uint32_t point = 0; point < chain; point++)
                fill_slot(world, found, point, slot + point * SN_CONTACT_BLOCK, &material);
            if (t->carries && t->from[unit] != SN_RIGID_NOBODY)
                sn_rigid_memory_carry(world, t->from[unit], slot);
        }
    }
}

/* ---- Finding ---- */

/* m: how far anything of a carried collider may be from where it was when the step began. */
static double gone_by(const sn_world *world, size_t i) {
    const sn_collider_state *c = &sn_colliders_of(world)->state[i];
    const sn_collider_pose *at = &sn_collider_poses(world)[i];
    const sn_nodes *n = &world->nodes;
    const uint32_t node = c->carrier - 1;
    sn_v4 q = sn_v4_load(&at->q), start = sn_v4_load(&at->start), arm = sn_v4_of(c->at);
    sn_v4 gone = (sn_v4_load(&n->x[node]) + sn_v4_load(&n->d[node])) -
                 sn_v4_load(&world->scratch.safe.x[node]);
    /* A chord of the unit quaternions; the angle is at most pi times that. */
    double chord = 2 - 2 * fabs((double)(sn_v4_dot(q, start) + q[3] * start[3]));
    double reach = sn_shape_reach(&c->def) + sqrt((double)sn_v4_dot(arm, arm));
    return sqrt((double)sn_v4_dot(gone, gone)) + 3.15 * sqrt(chord > 0 ? chord : 0) * reach;
}

/* Bodies that touch have a few pairs each, and those of many points some per point; beyond that
   they lie in each other, all in all, and pairs grow with the square of their number. */
static bool admits(const sn_world *world, size_t units) {
    const size_t few = (size_t)1 << 18, nodes = world->nodes.slots.count;
    const size_t points = sn_rigid_contacts_of(world)->point_begin[nodes];
    size_t most = 64 * nodes + 16 * points;
    if (most < few) most = few;
    if (units <= most) return true;
    sn_fail(SN_ERROR_LIMIT,
            "contact: %zu pairs of bodies, or of their points, may touch within the step, expected "
            "at most %zu; radii, extents or speeds are too large for bodies so near each other",
            units, most);
    return false;
}

/* Two passes: how many pairs each node has, and which. */
static bool find(sn_world *world, double time, bool begins) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    sn_memory *memory = &world->memory;
    size_t nodes = world->nodes.slots.count;
    search s = {.world = world, .time = time};
    if (!sn_rigid_forms_list(world) ||
        !sn_reserve(memory, (void **)&t->left, &t->left_capacity,
                    sn_colliders_of(world)->slots.count, sizeof *t->left) ||
        !sn_reserve(memory, (void **)&t->begin, &t->begin_capacity, nodes + 2, sizeof *t->begin) ||
        !sn_reserve(memory, (void **)&t->unit, &t->unit_capacity, nodes + 2, sizeof *t->unit))
        return false;
    t->begin[0] = t->unit[0] = 0;
    sn_team_run(world->bindings.team, nodes, NODES_ALONE, search_range, &s);
    for (size_t i = 0; i < nodes; i++) {
        t->begin[i + 1] += t->begin[i];
        t->unit[i + 1] += t->unit[i];
    }
    const size_t units = t->unit[nodes], count = t->begin[nodes];
    if (begins && !admits(world, units)) return false;
    if (!sn_renew(memory, (void **)&t->found, &t->found_capacity, units + 1, sizeof *t->found) ||
        !sn_reserve(memory, (void **)&t->node, &t->node_capacity, 2 * units + 1, sizeof *t->node) ||
        !sn_renew(memory, (void **)&t->key, &t->key_capacity, units + 1, sizeof *t->key) ||
        !sn_renew(memory, (void **)&t->from, &t->from_capacity, units + 1, sizeof *t->from))
        return false;
    s.fill = true;
    sn_team_run(world->bindings.team, nodes, NODES_ALONE, search_range, &s);
    if (!sn_reserve(memory, (void **)&set->pair, &set->capacity, count + 1, sizeof *set->pair))
        return false;
    t->balls = atomic_load_explicit(&s.balls, memory_order_relaxed);
    t->crests = atomic_load_explicit(&s.crests, memory_order_relaxed);
    t->crowded = atomic_load_explicit(&s.crowded, memory_order_relaxed);
    t->rolls = sn_contact_materials_roll(sn_contact_materials_of(world));
    if (!pack(world, t, set, units, count) || !sn_rigid_memory_reserve(world, count) ||
        (sn_rigid_contact_plays(world) && !sn_rigid_restitution_reserve(world, count)) ||
        (sn_rigid_may_fly(world) && !sn_rigid_flying_reserve(world)))
        return false;
    if (t->carries)
        sn_team_run(world->bindings.team, nodes, NODES_ALONE, sn_rigid_memory_match, world);
    sn_team_run(world->bindings.team, set->blocks, BLOCKS_ALONE, fill_blocks, world);
    return true;
}

bool sn_rigid_contact_find(sn_world *world, double time, double dt) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const bool begins = time == dt;
    sn_contacts_of(world)->set[KIND].count = 0;
    t->searches++;
    sn_colliders_of(world)->found = sn_colliders_of(world)->found && begins;
    if (!sn_rigid_contact_is_needed(world)) return true;
    for (size_t i = 0; !begins && i < sn_colliders_of(world)->slots.count; i++)
        if (sn_rigid_is_carried(world, i)) sn_collider_poses(world)[i].most += gone_by(world, i);
    if (!find(world, time, begins) || (begins && !sn_rigid_found_reserve(world))) return false;
    if (begins) sn_rigid_memory_recall(world);
    return true;
}

bool sn_rigid_contact_find_here(sn_world *world) {
    sn_rigid_contacts_of(world)->searches++;
    return find(world, 0, false);
}

/* ---- What was faster than expected ---- */

typedef struct watch {
    const sn_world *world;
    atomic_bool outrun;
} watch;

static void watch_range(void *context, size_t begin, size_t end) {
    watch *w = context;
    const bool kept = sn_colliders_of(w->world)->found;
    const double *reach = sn_contacts_of(w->world)->memory.found.reach;
    bool any = false;
    for (size_t i = begin; i < end && !any; i++) {
        if (!sn_rigid_is_carried(w->world, i)) continue;
        any = kept ? sn_rigid_found_gone(w->world, i) > reach[i]
                   : gone_by(w->world, i) > sn_collider_poses(w->world)[i].most;
    }
    if (any) atomic_store_explicit(&w->outrun, true, memory_order_relaxed);
}

bool sn_rigid_contact_has_outrun(sn_world *world) {
    watch w = {.world = world};
    if (sn_rigid_contact_is_needed(world))
        sn_team_run(world->bindings.team, sn_colliders_of(world)->slots.count, BODIES_ALONE,
                    watch_range, &w);
    return atomic_load_explicit(&w.outrun, memory_order_relaxed);
}

void sn_rigid_contact_set_aside(sn_world *world) {
    sn_contacts *contacts = sn_contacts_of(world);
    sn_rigid_contacts *t = &contacts->rigid;
    sn_rigid_blocks_write(contacts);
    SN_SWAP(sn_contact_set, contacts->set[KIND], contacts->old[KIND]);
    SN_SWAP(sn_rigid_search *, t->search, t->old);
    SN_SWAP(size_t, t->search_capacity, t->old_capacity);
    SN_SWAP(sn_rigid_aside *, t->aside, t->old_aside);
    SN_SWAP(size_t, t->aside_capacity, t->old_aside_capacity);
    SN_SWAP(size_t *, t->begin, t->old_begin);
    SN_SWAP(size_t, t->begin_capacity, t->old_begin_capacity);
    SN_SWAP(size_t *, t->unit, t->old_unit);
    SN_SWAP(size_t, t->unit_capacity, t->old_unit_capacity);
    SN_SWAP(sn_rigid_key *, t->key, t->old_key);
    SN_SWAP(size_t, t->key_capacity, t->old_key_capacity);
}

/* The order of the pairs of a node. */
static int compare(const sn_rigid_contacts *t, const sn_rigid_search *a, const sn_rigid_search *b) {
    if (a->collider != b->collider) return a->collider < b->collider ? -1 : 1;
    uint32_t first = a->point ? t->own[a->point - 1] : 0;
    uint32_t second = b->point ? t->own[b->point - 1] : 0;
    if (first != second) return first < second ? -1 : 1;
    if (a->part != b->part) return a->part < b->part ? -1 : 1;
    if (a->point != b->point) return a->point < b->point ? -1 : 1;
    if (a->crest != b->crest) return a->crest < b->crest ? -1 : 1;
    return a->spot < b->spot ? -1 : a->spot > b->spot;
}

/* What is known of a pair goes with it. */
static void carry(const sn_contacts *contacts, uint32_t from, uint32_t to) {
    const sn_rigid_contacts *t = &contacts->rigid;
    t->search[to] = t->old[from];
    t->aside[to] = t->old_aside[from];
    sn_contact_carry(&contacts->set[KIND], to, &contacts->old[KIND], from);
}

/* Faces beside the rims of a cylinder have the numbers of these, and are few. */
static void carry_beside(const sn_contacts *contacts, size_t node, uint32_t to) {
    const sn_rigid_contacts *t = &contacts->rigid;
    const sn_contact_set *old = &contacts->old[KIND];
    for (size_t was = t->old_begin[node]; was < t->old_begin[node + 1]; was++) {
        const uint32_t from = old->pair[was].slot;
        if (!t->old[from].beside || compare(t, &t->old[from], &t->search[to]) != 0) continue;
        carry(contacts, from, to);
        return;
    }
}

static void carry_range(void *context, size_t begin, size_t end) {
    const sn_contacts *contacts = sn_contacts_of(context);
    const sn_rigid_contacts *t = &contacts->rigid;
    const sn_contact_set *set = &contacts->set[KIND], *old = &contacts->old[KIND];
    for (size_t i = begin; i < end; i++)
        for (size_t k = t->begin[i], was = t->old_begin[i]; k < t->begin[i + 1]; k++) {
            uint32_t to = set->pair[k].slot;
            if (t->search[to].beside) {
                carry_beside(contacts, i, to);
                continue;
            }
            while (was < t->old_begin[i + 1] &&
                   (t->old[old->pair[was].slot].beside ||
                    compare(t, &t->old[old->pair[was].slot], &t->search[to]) < 0))
                was++;
            if (was == t->old_begin[i + 1]) break;
            uint32_t from = old->pair[was].slot;
            if (compare(t, &t->old[from], &t->search[to]) == 0) carry(contacts, from, to);
        }
}

void sn_rigid_contact_carry_over(sn_world *world) {
    if (sn_rigid_contact_is_needed(world))
        sn_team_run(world->bindings.team, world->nodes.slots.count, NODES_ALONE, carry_range,
                    world);
}
