/*
 * Where bodies touch that are round: capsules by the place of their axis that is closest, cylinders
 * by that of their rims, and balls and capsules that stand by their middles and axes, in whatever
 * comes to lie on them.
 */
#include "collision/collider_pose.h"
#include "collision/shapes/shape_distance.h"
#include "collision/shapes/shape_points.h"
#include "collision/shapes/shape_segment.h"
#include "contact/contacts.h"
#include "contact/friction.h"
#include "contact/rigid/rigid_rounds.h"

/* rad: how far the place where a rim is closest may go along it in a substep. */
static const sn_real ALONG = SN_R(0.25);
/* Of its radius: by how much parts of a capsule may be further away than what is closest, and how
   long they are at least together, to be where it lies. */
static const sn_real FLAT = SN_R(2e-4), LONG = SN_R(0.1);

/* A point of a body, in the frame of its node, in that of a collider where both are now. */
static sn_v4 in_collider(const sn_world *world, const sn_rigid_search *c, sn_v4 at) {
    const sn_nodes *n = &world->nodes;
    const sn_collider_pose *on = &sn_collider_poses(world)[c->collider];
    const uint32_t i = c->node[0];
    sn_v4 arm = sn_quat_rotate(sn_v4_load(&world->frames.q[n->frame[i] - 1]), at);
    sn_v4 relative = (sn_v4_load(&n->x[i]) - sn_v4_load(&on->x)) +
                     ((sn_v4_load(&n->d[i]) + arm) - sn_v4_load(&on->d));
    return sn_collider_pose_into(on, &on->q, relative);
}

/* m: how far a point of the first is from the collider, or a part of it. */
static sn_real away_of(const sn_world *world, const sn_rigid_search *c, sn_v4 at, sn_v4 *normal) {
    return sn_shape_distance_to(&sn_colliders_of(world)->state[c->collider].def, c->part,
                                in_collider(world, c, at), normal);
}

/* The axis of a capsule, in the frame of the node, and in that of the collider. */
typedef struct core {
    sn_v4 end, along, from, way; /* m */
} core;

/* m: how far a place of it is from the collider. */
static sn_real away_along(const sn_world *world, const sn_rigid_search *c, const core *a,
                          sn_real at) {
    sn_v4 normal;
    return sn_shape_distance_to(&sn_colliders_of(world)->state[c->collider].def, c->part,
                                a->from + at * a->way, &normal);
}

/* From the closest place to an end: the furthest that is hardly further away. */
static sn_real reach_along(const sn_world *world, const sn_rigid_search *c, const core *a,
                           sn_real closest, sn_real end, sn_real most) {
    sn_real far = end, near = closest;
    if (!(away_along(world, c, a, end) > most)) return end;
    for (int round = 0; round < 12; round++) {
        sn_real half = SN_R(0.5) * (near + far);
        *(away_along(world, c, a, half) > most ? &far : &near) = half;
    }
    return near;
}

/* An end of a capsule that lies along a face and beyond it goes to where that ends. */
static void place_end(const sn_world *world, sn_rigid_search *c, const core *a, sn_real closest,
                      size_t which) {
    const sn_real radius = c->at.w, length = sn_v4_length(a->along);
    const sn_real least = away_along(world, c, a, closest), most = least + FLAT * radius;
    sn_real at = which ? 1 : 0;
    if (least < 2 * radius) {
        const sn_real low = reach_along(world, c, a, closest, 0, most);
        const sn_real high = reach_along(world, c, a, closest, 1, most);
        if ((high - low) * length > LONG * radius) at = which ? high : low;
    }
    const bool own = !(at > 0 && at < 1);
    if (!own) {
        sn_v4 place = a->end + at * a->along;
        c->at = (sn_vec4){place[0], place[1], place[2], radius};
    } else {
        c->at = sn_rigid_contacts_of(world)->point[c->point - 1];
    }
    /* What is of several parts is touched by the end itself as a whole. */
    c->manifold = own && c->part ? SN_RIGID_APART : SN_RIGID_NONE;
}

/* A capsule touches by its ends, and by the ball on its axis that is closest to the other. Where an
   end is closest, that is enough. */
void sn_rigid_place_between(const sn_world *world, sn_rigid_search *search) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_vec4 *end = t->point + t->form[search->form[0]].point;
    const size_t which = (size_t)(t->point + search->point - 1 - end);
    core a = {.end = sn_v4_load(&end[0])};
    a.along = sn_v4_load(&end[2]) - a.end;
    a.along[3] = 0;
    const sn_collider_pose *on = &sn_collider_poses(world)[search->collider];
    const uint32_t frame = world->nodes.frame[search->node[0]] - 1;
    a.from = in_collider(world, search, a.end);
    a.way = sn_collider_pose_into(on, &on->q,
                                  sn_quat_rotate(sn_v4_load(&world->frames.q[frame]), a.along));
    sn_real at = sn_shape_closest_along(&sn_colliders_of(world)->state[search->collider].def,
                                        search->part, a.from, a.way);
    if (which != 1) {
        place_end(world, search, &a, at, which);
        return;
    }
    bool ends = at < SN_R(0.01) || at > SN_R(0.99);
    sn_v4 place = a.end + at * a.along;
    search->at = (sn_vec4){place[0], place[1], place[2], search->at.w};
    search->manifold = ends ? SN_RIGID_APART : SN_RIGID_NONE;
}

/* What a node carries, or a part of it, and how a collider that stands is seen from there. */
typedef struct own_shape {
    const sn_collider_def *def;
    uint32_t part;
    sn_rigid_pose other; /* that of the collider, in the frame of the node */
    sn_v4 turn, at;      /* of the shape in that frame; at: m */
} own_shape;

static own_shape own_of(const sn_world *world, const sn_rigid_search *c) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const uint32_t own = t->own[c->point - 1];
    const sn_collider_state *state = &sn_colliders_of(world)->state[own];
    return (own_shape){.def = &state->def,
                       .part = c->form[0] == own ? 0 : c->form[0] - (uint32_t)t->form[own].part + 1,
                       .other = sn_rigid_pose_of(world, c->node, c->collider, false),
                       .turn = {state->turn.x, state->turn.y, state->turn.z, state->turn.w},
                       .at = sn_v4_of(state->at)};
}

/* A point of the collider in the frame of the node; and from there in that of the shape. */
static sn_v4 in_node(const own_shape *s, sn_v4 point) {
    return sn_quat_rotate(s->other.turn, point) + s->other.at;
}

static sn_v4 in_shape(const own_shape *s, sn_v4 place) {
    return sn_quat_rotate_back(s->turn, place - s->at);
}

/* What lies along a capsule is as close to a part of its axis as anywhere: the place furthest
   towards one end where that is so, as the distance grows both ways from the least. From 0 at that
   end to 1 at the other. */
static sn_real furthest_along(const own_shape *s, sn_v4 end, sn_v4 along, sn_real radius) {
    sn_v4 normal, from = in_shape(s, in_node(s, end));
    sn_v4 way = sn_quat_rotate_back(s->turn, sn_quat_rotate(s->other.turn, along));
    sn_real low = 0, high = sn_shape_closest_along(s->def, s->part, from, way);
    sn_real most =
        sn_shape_distance_to(s->def, s->part, from + high * way, &normal) + FLAT * radius;
    for (int round = 0; round < 12; round++) {
        sn_real half = SN_R(0.5) * (low + high);
        bool near = !(sn_shape_distance_to(s->def, s->part, from + half * way, &normal) > most);
        if (near) high = half;
        if (!near) low = half;
    }
    return high < SN_R(0.001) ? 0 : high;
}

/* The place on the first is where it is closest to that: the normal is that of the first, which may
   be flat. */
void sn_rigid_place_round(const sn_world *world, sn_rigid_search *search) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_rigid_form *form = &t->form[search->form[1]];
    const size_t which = search->point - 1 - t->form[search->form[0]].point;
    const sn_vec4 *points = t->point + form->point;
    const own_shape own = own_of(world, search);
    const sn_real radius = points->w;
    sn_v4 place = sn_v4_load(&points[which]), normal;
    place[3] = 0;
    if (form->points > 1) {
        sn_v4 along = sn_v4_load(&points[form->points - 1 - which]) - place;
        along[3] = 0;
        place += furthest_along(&own, place, along, radius) * along;
    }
    sn_v4 middle = in_node(&own, place);
    sn_real away = sn_shape_distance_to(own.def, own.part, in_shape(&own, middle), &normal);
    normal = sn_quat_rotate(own.turn, normal);
    sn_v4 at = middle - away * normal;
    search->at = (sn_vec4){at[0], at[1], at[2], 0};
    sn_v4_store(&search->on,
                sn_quat_rotate_back(own.other.turn, (middle - radius * normal) - own.other.at));
    sn_v4_store(&search->normal, -normal);
    search->manifold = SN_RIGID_FIRST;
}

/*
 * How a side of a manifold is turned about its axis in the substep, where it is a cylinder, and a
 * place on that axis. Nobody sees that turn but friction: what touches below the middle did so when
 * the substep began, by however much of the rim it has gone on.
 */
static bool find_twist(const sn_world *world, const sn_rigid_search *c, int k, sn_v4 *twist,
                       sn_v4 *middle) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_rigid_form *form = &t->form[c->form[k]];
    const sn_collider_pose *on = &sn_collider_poses(world)[c->collider];
    const uint32_t frame = world->nodes.frame[c->node[k]] - 1;
    const bool stands = k == 1 && c->node[0] == c->node[1];
    if (!c->spins || !form->rims) return false;
    sn_v4 then = sn_v4_load(stands ? &on->before : &world->frames.start[frame]);
    sn_v4 now = sn_v4_load(stands ? &on->q : &world->frames.q[frame]);
    sn_v4 turn = sn_quat_mul(sn_quat_conjugate(then), now);
    *middle = sn_shape_rim_middle(t->point + form->point, 0);
    sn_v4 axis = sn_shape_rim_middle(t->point + form->point, 1) - *middle;
    *twist = sn_v4_dot(turn, axis) / sn_v4_dot(axis, axis) * axis;
    (*twist)[3] = turn[3];
    sn_real square = sn_v4_dot(*twist, *twist) + turn[3] * turn[3];
    if (!(square > 0)) return false;
    *twist *= 1 / SN_ROOT(square);
    return true;
}

sn_v4 sn_rigid_place_then(const sn_world *world, const sn_rigid_search *search, int k, sn_v4 at) {
    sn_v4 twist, middle;
    at[3] = 0;
    if (!find_twist(world, search, k, &twist, &middle)) return at;
    return middle + sn_quat_rotate(twist, at - middle);
}

/* Where both touched then is where the cylinder did: what rolls is carried right below its middle,
   by whatever place of the other that was. */
sn_v4 sn_rigid_arm_then(const sn_world *world, const sn_rigid_search *search) {
    const sn_nodes *n = &world->nodes;
    const uint32_t a = search->node[0], b = search->node[1];
    const sn_v4 q = sn_v4_load(&world->frames.start[n->frame[a] - 1]);
    if (a == b || sn_rigid_contacts_of(world)->form[search->form[0]].rims)
        return sn_quat_rotate(q, sn_rigid_place_then(world, search, 0, sn_v4_load(&search->at)));
    sn_v4 on = sn_rigid_place_then(world, search, 1, sn_v4_load(&search->on)), normal;
    sn_v4 other = sn_v4_load(&world->frames.start[n->frame[b] - 1]);
    sn_v4 between = (sn_v4_load(&n->x[b]) - sn_v4_load(&n->x[a])) +
                    (sn_v4_load(&n->p[b]) - sn_v4_load(&n->p[a]));
    /* The first is there as deep as it is. */
    sn_real deep = sn_rigid_manifold_depth(world, search, true, &normal);
    return between + sn_quat_rotate(other, on) + (search->at.w - deep) * normal;
}

sn_v4 sn_rigid_place_now(const sn_world *world, const sn_rigid_search *search, int k, sn_v4 at) {
    sn_v4 twist, middle;
    at[3] = 0;
    if (!find_twist(world, search, k, &twist, &middle)) return at;
    return middle + sn_quat_rotate_back(twist, at - middle);
}

void sn_rigid_place_along(const sn_world *world, sn_rigid_search *c, sn_rigid_pose other) {
    const sn_real *mass = sn_world_contact_w(world);
    const sn_real w[2] = {mass[c->node[0]], mass[c->node[1]]};
    sn_v4 at = sn_v4_load(&c->at), normal = sn_v4_load(&c->normal);
    if (c->manifold == SN_RIGID_SECOND) normal = sn_quat_rotate(other.turn, normal);
    sn_v4 gap = (sn_quat_rotate(other.turn, sn_v4_load(&c->on)) + other.at) - at;
    sn_v4 move = sn_rigid_share(world, c, w) * sn_across(gap, normal);
    move[3] = 0;
    sn_v4_store(&c->at, at + move);
}

/*
 * The rims of a cylinder touch by 16 points, which go around so that one of them is where the rim
 * is closest to the other, now and when the substep began: what rolls has the same one there at all
 * times, is round, and is carried right below its middle.
 */
void sn_rigid_place_on_rim(const sn_world *world, sn_rigid_search *search) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_collider_pose *on = &sn_collider_poses(world)[search->collider];
    const sn_vec4 *points = t->point + t->form[search->form[0]].point;
    const size_t point = search->point - 1 - t->form[search->form[0]].point;
    const uint32_t frame = world->nodes.frame[search->node[0]] - 1;
    sn_v4 now = sn_v4_load(&world->frames.q[frame]), then = sn_v4_load(&world->frames.start[frame]);
    sn_v4 normal;
    const sn_v4 middle = sn_shape_rim_middle(points, point);
    (void)away_of(world, search, middle, &normal);
    normal = -sn_collider_pose_out(on, &on->q, normal);
    sn_v4 at = sn_shape_rim_place(points, point, sn_quat_rotate_back(now, normal));
    sn_v4 was = sn_shape_rim_place(points, point, sn_quat_rotate_back(then, normal));
    /* What lies almost flat may lean to the other side by then: an impulse has one lever. */
    sn_v4 gone = was - at, reach = at - middle;
    if (!(sn_v4_dot(gone, gone) < ALONG * ALONG * sn_v4_dot(reach, reach))) was = at;
    search->at = (sn_vec4){at[0], at[1], at[2], search->at.w};
    sn_v4_store(&search->on, was);
}

/* Where an edge crosses a flat end none of them need be, and what is there is felt by no other. */
bool sn_rigid_rim_has(const sn_world *world, const sn_rigid_search *c, sn_v4 at, sn_real little) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_rigid_form *form = &t->form[c->form[0]];
    const sn_vec4 *points = t->point + form->point;
    const sn_collider_pose *on = &sn_collider_poses(world)[c->collider];
    const sn_v4 q = sn_v4_load(&world->frames.q[world->nodes.frame[c->node[0]] - 1]);
    const sn_v4 ends[2] = {sn_shape_rim_middle(points, 0), sn_shape_rim_middle(points, 1)};
    at[3] = 0;
    const size_t rim = sn_v4_dot(at - SN_R(0.5) * (ends[0] + ends[1]), ends[1] - ends[0]) > 0;
    const sn_real beside = SN_R(0.4) * sn_v4_length(at - ends[rim]);
    sn_v4 normal, other;
    (void)away_of(world, c, ends[rim], &normal);
    const sn_real most = away_of(world, c, at, &other) + little;
    const sn_v4 along = sn_quat_rotate_back(q, -sn_collider_pose_out(on, &on->q, normal));
    for (size_t k = rim; k < form->points; k += 2) {
        sn_v4 place = sn_shape_rim_place(points, k, along);
        sn_v4 away = place - at;
        if (sn_v4_dot(away, away) < beside * beside && away_of(world, c, place, &other) < most)
            return true;
    }
    return false;
}
