/*
 * Corners and edges of meshes, heights and distance fields that stand, under faces and sides of
 * bodies: what points of bodies do not find, as the tip of a spike under the middle of a box. Those
 * of a field are where they are on the surface of which it is made.
 *
 * Which of them may touch is found with the pairs: those that stand out (geometry/crests.h), are
 * near, and among many the nearest. When a substep begins each is where it is in the body, as a
 * ball or a capsule that stands (rigid_places.c), and the normal is that of the body. It counts if
 * that direction is one by which the surface there can be left, with all of it behind: otherwise
 * another corner, an edge, or a point of the body on a triangle has the contact, and what slides
 * over a flat floor of many triangles finds none of their edges before it.
 */
#include "contact/rigid/rigid_crests.h"
#include "collision/collider_pose.h"
#include "contact/contacts.h"
#include "geometry/crests.h"

#include <math.h>

/* Of the body: how far away they may be for their places to be known, by how much more what lies
   along an edge may be away from it, and how long that is at least. */
static const sn_real MARGIN = SN_R(0.01), FLAT = SN_R(1e-4), LONG = SN_R(0.02);
/* Of an edge: by how much the distance changes along what lies on it, and where it ends. */
static const sn_real LEVEL = SN_R(1e-4), END = SN_R(1e-4);
/* What two sides of a body that meet at an edge have in common, in the mean, at least. */
static const sn_real SHARE = SN_R(0.5);
/* Of the body, or rad: by how much it may move for them to stay where they are. */
static const sn_real ALIKE = SN_R(1e-4);

enum { NODES_ALONE = 64, PLANES = 32, MOST_WALK = 100, MOST_DESCENT = 24, MOST_REACH = 8 };

/* A body, or a part of it, and what stands, or a part of that. */
typedef struct view {
    const sn_collider_def *own, *other;
    sn_rigid_pose own_at, other_at; /* in the node, and in the collider */
    sn_rigid_pose now, then;        /* of the second in the first */
    sn_real size;                   /* m, of the first */
    sn_vec4 plane[PLANES]; /* of its sides, where it is a hull of few; w: m, from the origin */
    size_t planes;
    sn_real gone; /* m, by which they have moved at most in the substep, as seen from each other */
    double at, began; /* of the step, 0 to 1, where vertices of the second are on their way */
} view;

/* ---- Where they are ---- */

static sn_v4 out_of(const sn_rigid_pose *p, sn_v4 x) {
    return sn_quat_rotate(p->turn, x) + p->at;
}

static sn_v4 into(const sn_rigid_pose *p, sn_v4 x) {
    return sn_quat_rotate_back(p->turn, x - p->at);
}

static sn_rigid_pose joined(sn_rigid_pose a, sn_rigid_pose b) {
    return (sn_rigid_pose){sn_quat_mul(a.turn, b.turn), out_of(&a, b.at)};
}

static sn_rigid_pose inverse_of(sn_rigid_pose a) {
    return (sn_rigid_pose){sn_quat_conjugate(a.turn), -sn_quat_rotate_back(a.turn, a.at)};
}

/* A definition, or a part of it, and where that is in the frame of all of it. */
static const sn_collider_def *part_of(const sn_collider_def *def, uint32_t part,
                                      sn_rigid_pose *at) {
    *at = (sn_rigid_pose){{0, 0, 0, 1}, {0}};
    if (!part) return def;
    const sn_collider_def *piece = &def->form->pieces[part - 1];
    const sn_quat q = piece->orientation;
    *at = (sn_rigid_pose){{q.x, q.y, q.z, q.w}, sn_v4_of(piece->position)};
    return piece;
}

static const sn_collider_def *own_part(const sn_world *world, const sn_rigid_crests *c,
                                       sn_rigid_pose *at) {
    const sn_rigid_form *form = &sn_rigid_contacts_of(world)->form[c->own];
    return part_of(&sn_colliders_of(world)->state[c->own].def,
                   c->form == c->own ? 0 : c->form - (uint32_t)form->part + 1, at);
}

/* What is beyond the sides of a hull is further away than they are, which makes no difference to
   what is near, and the nearest of its triangles is not looked for. */
static void find_planes(const sn_rigid_contacts *t, const sn_rigid_form *form, view *v) {
    v->planes = v->own->shape == SN_SHAPE_HULL && form->faces <= PLANES ? form->faces : 0;
    for (size_t k = 0; k < v->planes; k++) {
        sn_v4 normal = sn_v4_load(&t->axis[form->axis + k]), own;
        sn_real high = -SN_INFINITY;
        for (size_t p = form->point; p < form->point + form->points; p++) {
            sn_real at = sn_v4_dot(normal, sn_v4_load(&t->point[p]));
            if (at > high) high = at;
        }
        own = sn_quat_rotate_back(v->own_at.turn, normal);
        v->plane[k] = (sn_vec4){own[0], own[1], own[2], high - sn_v4_dot(normal, v->own_at.at)};
    }
}

/* As both are now; the second in the node of the first. */
static view view_of(const sn_world *world, const sn_rigid_crests *c, sn_rigid_pose now) {
    const sn_colliders *colliders = sn_colliders_of(world);
    const sn_collider_state *state = &colliders->state[c->own];
    const sn_quat q = state->turn;
    sn_rigid_pose at;
    view v;
    v.own = own_part(world, c, &at);
    v.own_at = joined((sn_rigid_pose){{q.x, q.y, q.z, q.w}, sn_v4_of(state->at)}, at);
    v.other = part_of(&colliders->state[c->collider].def, c->part, &v.other_at);
    v.now = joined(joined(inverse_of(v.own_at), now), v.other_at);
    v.size = (sn_real)sn_shape_reach(v.own);
    v.at = v.began = 0;
    find_planes(sn_rigid_contacts_of(world), &sn_rigid_contacts_of(world)->form[c->form], &v);
    return v;
}

static sn_rigid_pose pose_of(const sn_world *world, uint32_t node, uint32_t collider, bool then) {
    const uint32_t both[2] = {node, node};
    return sn_rigid_pose_of(world, both, collider, then);
}

static sn_crest_kind kind_of(const sn_collider_def *def) {
    return def->shape == SN_SHAPE_HEIGHTS ? SN_CRESTS_FIELD
           : def->geometry.two_sided      ? SN_CRESTS_SHEET
                                          : SN_CRESTS_SOLID;
}

bool sn_rigid_crests_stand(const sn_collider_def *def) {
    return def->shape == SN_SHAPE_MESH || def->shape == SN_SHAPE_HEIGHTS ||
           def->shape == SN_SHAPE_SDF;
}

static bool know_all(const sn_collider_def *def, sn_memory *memory) {
    if (sn_rigid_crests_stand(def))
        return sn_crests_find(&((sn_collider_geometry *)(uintptr_t)def->form)->boundary, memory,
                              kind_of(def));
    for (size_t k = 0; def->shape == SN_SHAPE_COMPOUND && k < def->form->part_count; k++)
        if (!know_all(&def->form->pieces[k], memory)) return false;
    return true;
}

bool sn_rigid_crests_know(sn_world *world) {
    const sn_colliders *colliders = sn_colliders_of(world);
    for (size_t i = 0; i < colliders->slots.count; i++)
        if (colliders->slots.alive[i] && !colliders->state[i].carrier &&
            !know_all(&colliders->state[i].def, &world->memory))
            return false;
    return true;
}

/* m: how far a place is from the body, which has the radius of the other about it. */
static sn_real away_of(const view *v, sn_v4 x, sn_v4 *normal) {
    sn_real most = -SN_INFINITY;
    *normal = (sn_v4){0, 1, 0, 0};
    for (size_t k = 0; k < v->planes; k++) {
        sn_v4 side = sn_v4_load(&v->plane[k]);
        sn_real away = sn_v4_dot(side, x) - side[3];
        if (!(away > most)) continue;
        most = away;
        *normal = side;
    }
    (*normal)[3] = 0;
    if (v->planes > 0) return most - v->own->radius - v->other->radius;
    return sn_shape_distance_at(v->own, x, normal) - v->other->radius;
}

static sn_v4 vertex_of(const view *v, const sn_rigid_pose *pose, uint32_t t, int k) {
    const sn_boundary *b = &v->other->form->boundary;
    const uint32_t vertex = b->triangles[t][k % 3];
    sn_v4 x = sn_v4_of(b->vertices[vertex]);
    if (b->moves)
        x += (sn_real)(pose == &v->then ? v->began : v->at) * (sn_v4_of(b->targets[vertex]) - x);
    return out_of(pose, x);
}

/* ---- Along an edge ---- */

typedef struct line {
    sn_v4 from, along; /* m, in the body */
    sn_real length;    /* m */
} line;

static line line_of(const view *v, const sn_rigid_pose *pose, uint32_t t, int side) {
    line l = {.from = vertex_of(v, pose, t, side)};
    l.along = vertex_of(v, pose, t, side + 1) - l.from;
    l.along[3] = 0;
    l.length = sn_v4_length(l.along);
    return l;
}

/* A place of it, from 0 to 1, and how the distance grows there. */
typedef struct spot {
    sn_real at, away, slope; /* away, slope: m */
    sn_v4 normal;
} spot;

static sn_v4 place_at(const line *l, sn_real at) {
    return l->from + at * l->along;
}

static spot look(const view *v, const line *l, sn_real at) {
    spot s = {.at = at};
    s.away = away_of(v, place_at(l, at), &s.normal);
    s.slope = sn_v4_dot(s.normal, l->along);
    return s;
}

/* Whether all of it is further away than that: from the ball about the body, or from it; and how
   far (m) it is at least. */
static bool is_far(const view *v, const line *l, sn_real room, sn_real *clear) {
    sn_v4 middle = place_at(l, SN_R(0.5)), normal;
    const sn_real half = SN_R(0.5) * l->length;
    *clear = sn_v4_length(middle) - (half + v->size + v->other->radius);
    if (*clear > room) return true;
    *clear = away_of(v, middle, &normal) - half;
    return *clear > room;
}

/* Whether an end of it is what is closest, as is so of most that go down from a corner; and how far
   (m) that is. */
static bool is_steep(const view *v, const line *l, sn_real *clear) {
    const sn_real steep = FLAT / LONG * l->length;
    for (int end = 0; end < 2; end++) {
        const spot s = look(v, l, (sn_real)end);
        *clear = s.away;
        if ((end ? -s.slope : s.slope) > steep && !(fabs((double)s.away) < (double)v->gone))
            return true;
    }
    return false;
}

/* Where two sides of the body meet the normal is between theirs, across the edge, and what is in
   it is deeper along that than along either. */
static bool turn_across(const spot *low, const spot *high, spot *s) {
    if (!(s->away < 0)) return true;
    sn_v4 sum = high->slope * low->normal - low->slope * high->normal;
    sn_real all = high->slope - low->slope, share = sn_v4_length(sum) / all;
    if (!(share > SHARE)) return false;
    s->normal = sum * (1 / (share * all));
    s->away /= share;
    s->slope = 0;
    return true;
}

/* The place that is closest to the body, which is convex: distances are never below their tangents,
   and where those of two places meet is the next one. Within what has flat sides that ends after a
   few. False where its sides do not say by which it would come out. */
static bool descend(const view *v, const line *l, spot *best) {
    spot low = look(v, l, 0);
    *best = low;
    if (!(low.slope < 0)) return true;
    spot high = look(v, l, 1);
    *best = high;
    if (!(high.slope > 0)) return true;
    for (int k = 0; k < MOST_DESCENT; k++) {
        sn_real at = (high.away - low.away + low.slope * low.at - high.slope * high.at) /
                     (low.slope - high.slope);
        if (!(at > low.at && at < high.at)) at = SN_R(0.5) * (low.at + high.at);
        *best = look(v, l, at);
        sn_real least = low.away + low.slope * (at - low.at);
        if (fabs((double)best->slope) <= (double)(LEVEL * l->length)) return true;
        if (best->away - least <= SN_R(0.1) * FLAT * v->size) return turn_across(&low, &high, best);
        *(best->slope < 0 ? &low : &high) = *best;
    }
    return true;
}

/* The place furthest towards an end that is hardly further away than the closest. */
static sn_real furthest(const view *v, const line *l, sn_real closest, int end) {
    const sn_real level = closest + FLAT * v->size;
    spot s = look(v, l, (sn_real)end);
    for (int k = 0; k < MOST_REACH && s.away > level; k++) {
        sn_real slope = end ? -s.slope : s.slope;
        if (!(slope < 0)) break;
        s = look(v, l, s.at + (level - s.away) / s.slope);
    }
    return s.at < 0 ? 0 : s.at > 1 ? 1 : s.at;
}

/* ---- Contacts ---- */

/* Whether the surface can be left along the normal of the body. */
static bool looks(const view *v, const sn_rigid_search *c, sn_v4 normal) {
    sn_v4 out = -sn_quat_rotate_back(v->now.turn, normal);
    const int crest = c->spot < SN_CRESTS ? c->spot : c->spot - SN_CREST_SIDES;
    return sn_crest_looks(&v->other->form->boundary, c->crest - 1, crest, kind_of(v->other),
                          (sn_point){(double)out[0], (double)out[1], (double)out[2]});
}

/* A place that is so far from the body along the normal there. */
static void put(const view *v, sn_rigid_search *c, sn_v4 x, sn_real away, sn_v4 normal) {
    const sn_real radius = v->other->radius;
    sn_v4 at = out_of(&v->own_at, x - (away + radius) * normal);
    sn_v4 on = out_of(&v->other_at, into(&v->now, x - radius * normal));
    c->at = (sn_vec4){at[0], at[1], at[2], 0};
    c->on = (sn_vec4){on[0], on[1], on[2], 0};
    sn_v4 out = -sn_quat_rotate(v->own_at.turn, normal);
    out[3] = 0;
    sn_v4_store(&c->normal, out);
    c->manifold = SN_RIGID_FIRST;
}

/* What was outside, or hardly in, and came in within the substep is on the side by which it did:
   walks by the distance that is left. `away` is how far it is from that side in the end. */
static bool came_in(const view *v, sn_v4 from, sn_v4 to, sn_real *away, sn_v4 *normal) {
    sn_v4 way = to - from;
    sn_real length = sn_v4_length(way), gone = 0, trust = sn_shape_trust(v->own);
    for (int step = 0; step < MOST_WALK && gone < length; step++) {
        sn_v4 here = from + (gone / length) * way;
        sn_real left = away_of(v, here, normal);
        if (step == 0 && left < SN_R(-0.25) * length) return false;
        if (left <= SN_R(1e-3) * length) {
            *away = left + sn_v4_dot(to - here, *normal);
            return *away < 0;
        }
        gone += trust * left;
    }
    return false;
}

/* The side by which it is to come out: of those of the body the nearest, or the one by which it was
   to do so before, where it is nearer to the other side of something thin, or to one by which it
   cannot have come in. False where there is none. */
static bool find_side(const view *v, const sn_rigid_search *c, sn_v4 x, sn_real *away,
                      sn_v4 *normal) {
    const bool may = looks(v, c, *normal);
    if (c->manifold != SN_RIGID_FIRST || !(*away < 0)) return may;
    sn_v4 last = -sn_quat_rotate_back(v->own_at.turn, sn_v4_load(&c->normal));
    if (may && !(sn_v4_dot(last, *normal) < -SHARE)) return true;
    sn_v4 at = sn_v4_load(&c->at);
    at[3] = 0;
    *normal = last;
    *away = sn_v4_dot(x - into(&v->own_at, at), last) - v->other->radius;
    return looks(v, c, last);
}

static bool place_corner(const view *v, sn_rigid_search *c) {
    const uint32_t t = c->crest - 1;
    sn_v4 to = vertex_of(v, &v->now, t, c->spot), normal, side;
    sn_real away = away_of(v, to, &normal), in;
    c->clear = away;
    if (fabs((double)away) < (double)v->gone) {
        sn_v4 from = vertex_of(v, &v->then, t, c->spot);
        if (came_in(v, from, to, &in, &side) && looks(v, c, side)) {
            put(v, c, to, in, side);
            return true;
        }
    }
    if (away > MARGIN * v->size || !find_side(v, c, to, &away, &normal)) return false;
    put(v, c, to, away, normal);
    return true;
}

/* Whether a place of an edge is none of its ends, which are corners. */
static bool is_within(sn_real at) {
    return at > END && at < 1 - END;
}

/* The same of a place of an edge. */
static bool edge_came_in(const view *v, sn_rigid_search *c, const line *now, const line *then,
                         sn_real at) {
    sn_v4 side, to = place_at(now, at), along = now->along * (1 / now->length);
    sn_real away;
    if (!came_in(v, place_at(then, at), to, &away, &side)) return false;
    sn_v4 across = side - sn_v4_dot(side, along) * along;
    sn_real share = sn_v4_length(across);
    if (!(share > SHARE)) return false;
    across *= 1 / share;
    if (!looks(v, c, across)) return false;
    put(v, c, to, away / share, across);
    return true;
}

/* What is behind an edge now touched it where it was closest when the substep began. */
static bool edge_passed(const view *v, sn_rigid_search *c, const line *now, const line *then) {
    spot best;
    (void)descend(v, then, &best);
    return is_within(best.at) && edge_came_in(v, c, now, then, best.at);
}

/* The place of an edge that touches: that which is closest, or, where the body lies along it, one
   of both ends of that. Its own ends are corners, which touch by themselves. */
static bool find_place(const view *v, const line *l, spot *best, int end, sn_real *at) {
    sn_real range[2];
    const bool steep = fabs((double)best->slope) > (double)(FLAT / LONG * l->length);
    if (steep && !is_within(best->at)) return false;
    const sn_real closest = look(v, l, best->at).away;
    for (int k = 0; k < 2; k++) range[k] = furthest(v, l, closest, k);
    const bool lies = (range[1] - range[0]) * l->length > LONG * v->size;
    *at = lies ? range[end] : best->at;
    if (lies) best->away += look(v, l, *at).away - closest;
    return (lies || end == 0) && is_within(*at);
}

static bool place_edge(const view *v, sn_rigid_search *c) {
    const uint32_t t = c->crest - 1;
    const int side = c->spot % SN_CREST_SIDES, end = c->spot >= SN_CRESTS;
    const line now = line_of(v, &v->now, t, side);
    const sn_real margin = MARGIN * v->size, room = margin > v->gone ? margin : v->gone;
    sn_real at;
    if (!(now.length > 0) || is_far(v, &now, room, &c->clear) || is_steep(v, &now, &c->clear))
        return false;
    const line then = line_of(v, &v->then, t, side);
    spot best;
    const bool clear = descend(v, &now, &best);
    c->clear = best.away - FLAT * v->size;
    const bool out = best.away > 0, fast = fabs((double)best.away) < (double)v->gone;
    if (fast && out && end == 0 && edge_passed(v, c, &now, &then)) return true;
    if (best.away > margin || !find_place(v, &now, &best, end, &at)) return false;
    if (fast && !out && edge_came_in(v, c, &now, &then, at)) return true;
    sn_v4 x = place_at(&now, at);
    if (!clear || !find_side(v, c, x, &best.away, &best.normal)) return false;
    put(v, c, x, best.away, best.normal);
    return true;
}

/* m: how far anything of the second that is so near to the first has moved, as seen from that. */
static sn_real motion_of(const sn_rigid_pose *now, const sn_rigid_pose *then, sn_real reach) {
    sn_v4 turn = sn_quat_mul(now->turn, sn_quat_conjugate(then->turn));
    sn_v4 gone = now->at - (sn_quat_rotate(turn, then->at));
    turn[3] = 0;
    /* What is at the origin of the first was elsewhere by that, and turned about it by an angle. */
    return sn_v4_length(gone) + SN_R(3.15) * sn_v4_length(turn) * reach;
}

/* Whether a contact is of the same two as those of a view. */
static bool is_of(const sn_rigid_crests *of, const sn_rigid_search *c) {
    return c->collider == of->collider && c->part == of->part && c->form[0] == of->form;
}

/* The two that a contact is of, and what the substep does with them. */
typedef struct couple {
    sn_rigid_crests of;
    sn_rigid_pose now, then; /* of the second in the node */
    sn_real gone;            /* m, as of a view */
    bool moved, viewed;      /* whether `then` and `gone` are known; and the view */
    view view;
} couple;

static void begin_couple(const sn_world *world, const sn_rigid_search *c, couple *p) {
    p->of = (sn_rigid_crests){.node = c->node[0],
                              .own = sn_rigid_contacts_of(world)->own[c->point - 1],
                              .form = c->form[0],
                              .collider = c->collider,
                              .part = c->part};
    p->now = pose_of(world, c->node[0], c->collider, false);
    p->moved = p->viewed = false;
}

static sn_real gone_of(const sn_world *world, couple *p) {
    const sn_rigid_form *form = &sn_rigid_contacts_of(world)->form[p->of.form];
    const sn_collider_pose *on = &sn_collider_poses(world)[p->of.collider];
    if (p->moved) return p->gone;
    p->then = pose_of(world, p->of.node, p->of.collider, true);
    p->gone = motion_of(&p->now, &p->then, 2 * form->bound);
    if (on->flows)
        p->gone +=
            (sn_real)(sn_colliders_of(world)->state[p->of.collider].def.form->boundary.fastest *
                      (on->will - on->done));
    p->moved = true;
    return p->gone;
}

static const view *seen_by(const sn_world *world, couple *p) {
    if (p->viewed) return &p->view;
    p->view = view_of(world, &p->of, p->now);
    p->view.gone = gone_of(world, p);
    p->view.then = joined(joined(inverse_of(p->view.own_at), p->then), p->view.other_at);
    p->view.at = sn_collider_poses(world)[p->of.collider].will;
    p->view.began = sn_collider_poses(world)[p->of.collider].done;
    p->viewed = true;
    return &p->view;
}

/* Whether it was so far away when it was looked for that it cannot be near yet, nor have been so in
   the substep. */
static bool is_clear(const sn_world *world, const sn_rigid_search *c, couple *p) {
    if (!c->seen || !(c->clear > 0)) return false;
    const sn_rigid_pose seen = {sn_v4_load(&c->seen_turn), sn_v4_load(&c->seen_at)};
    const sn_real bound = sn_rigid_contacts_of(world)->form[c->form[0]].bound;
    const sn_real near = MARGIN * bound, gone = gone_of(world, p);
    const sn_real left = c->clear - SN_R(1.001) * motion_of(&p->now, &seen, 2 * bound);
    return left > SN_R(1.001) * (near > gone ? near : gone);
}

/* m: how a vertex goes in all of the step, where it is on its way. */
static sn_v4 displacement_of(const view *v, uint32_t t, int k) {
    const sn_boundary *b = &v->other->form->boundary;
    const uint32_t vertex = b->triangles[t][k % 3];
    return sn_v4_of(b->targets[vertex]) - sn_v4_of(b->vertices[vertex]);
}

/* m, in the world: how the place that touches goes in the substep by the vertices about it. */
static void note_flow(const sn_world *world, const view *v, const sn_rigid_search *c) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_collider_pose *on = &sn_collider_poses(world)[c->collider];
    const sn_rigid_pose still = {{0, 0, 0, 1}, {0}};
    const uint32_t triangle = c->crest - 1;
    const int k = c->spot % 3;
    sn_v4 flow = {0};
    if (v->other->form->boundary.moves) {
        flow = displacement_of(v, triangle, k);
        if (c->spot >= SN_CREST_SIDES) {
            sn_v4 at = into(&v->other_at, sn_v4_load(&c->on)),
                  from = vertex_of(v, &still, triangle, k);
            sn_v4 along = vertex_of(v, &still, triangle, k + 1) - from;
            sn_real part = sn_v4_dot(at - from, along) / sn_v4_dot(along, along);
            flow += part * (displacement_of(v, triangle, k + 1) - flow);
        }
        flow = (sn_real)(v->at - v->began) * sn_quat_rotate(v->other_at.turn, flow);
        flow = sn_collider_pose_out(on, &on->q, flow);
    }
    flow[3] = 0;
    sn_v4_store(&t->aside[c - t->search].ball.flow, flow);
}

/* What touches is near. What is further from the body than that is large may go further than what
   is near to it, and that distances are interpolated makes them less than they are. */
static void note_clear(const sn_world *world, const view *v, sn_rigid_search *c) {
    const sn_real most = sn_rigid_contacts_of(world)->form[c->form[0]].bound - v->other->radius;
    if (c->clear > most) c->clear = most;
    c->clear *= sn_shape_trust(v->own);
    if (c->manifold == SN_RIGID_FIRST) c->clear = 0;
}

/* Those of a body and a mesh follow each other. */
static void place_range(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    couple p = {.of = {.form = SN_RIGID_NOBODY}};
    for (size_t k = t->unit[begin]; k < t->unit[end]; k++) {
        if (!t->key[k].crest) continue;
        sn_rigid_search *c = &t->search[t->key[k].slot];
        if (!is_of(&p.of, c)) begin_couple(world, c, &p);
        c->flips = false;
        const bool known =
            is_clear(world, c, &p) || sn_rigid_is_known(c, p.now, t->form[p.of.form].bound, ALIKE);
        /* Where vertices are on their way, what has not moved is elsewhere. */
        if (known && !sn_collider_poses(world)[c->collider].flows) continue;
        const view *v = seen_by(world, &p);
        const bool was = c->manifold == SN_RIGID_FIRST;
        const bool is = c->spot < SN_CREST_SIDES ? place_corner(v, c) : place_edge(v, c);
        if (!is) c->manifold = SN_RIGID_APART;
        c->flips = is != was;
        note_clear(world, v, c);
        if (is) note_flow(world, v, c);
    }
}

void sn_rigid_crests_place(sn_world *world) {
    if (sn_rigid_contacts_of(world)->crests)
        sn_team_run(world->bindings.team, world->nodes.slots.count, NODES_ALONE, place_range,
                    world);
}

/* ---- Finding ---- */

typedef struct finding {
    const view *v;
    sn_rigid_crests *to;
    bool convex;
} finding;

static bool comes_before(const sn_rigid_crest *a, const sn_rigid_crest *b) {
    if (a->away != b->away) return a->away < b->away;
    return a->triangle != b->triangle ? a->triangle < b->triangle : a->spot < b->spot;
}

/* The nearest of them, in that order. */
static void take(sn_rigid_crests *to, sn_rigid_crest c) {
    size_t at = to->count;
    if (at == SN_RIGID_CRESTS) {
        to->more = true;
        if (!comes_before(&c, &to->found[--at])) return;
    } else {
        to->count++;
    }
    for (; at > 0 && comes_before(&c, &to->found[at - 1]); at--) to->found[at] = to->found[at - 1];
    to->found[at] = c;
}

static bool visit(void *user, uint32_t t) {
    finding *f = user;
    const view *v = f->v;
    const uint8_t bits = v->other->form->boundary.crests[t];
    for (int k = 0; bits >> k; k++) {
        if (!(bits >> k & 1) || (k >= SN_CREST_SIDES && !f->convex)) continue;
        spot best = {0};
        if (k < SN_CREST_SIDES) {
            best.away = away_of(v, vertex_of(v, &v->now, t, k), &best.normal);
        } else {
            const line l = line_of(v, &v->now, t, k - SN_CREST_SIDES);
            sn_real far;
            if (!(l.length > 0) || is_far(v, &l, f->to->reach, &far)) continue;
            (void)descend(v, &l, &best);
        }
        if (best.away > f->to->reach) continue;
        /* An edge whose end is closest touches there by the corner, unless both turn. */
        if (k >= SN_CREST_SIDES && !is_within(best.at)) best.away += SN_R(0.5) * f->to->reach;
        take(f->to, (sn_rigid_crest){best.away, t, (uint8_t)k});
        if (k >= SN_CREST_SIDES)
            take(f->to, (sn_rigid_crest){best.away, t, (uint8_t)(k + SN_CREST_SIDES)});
    }
    return true;
}

static void put_in_order(sn_rigid_crests *to) {
    for (size_t i = 1; i < to->count; i++) {
        const sn_rigid_crest own = to->found[i];
        size_t at = i;
        for (; at > 0 &&
               (to->found[at - 1].triangle > own.triangle ||
                (to->found[at - 1].triangle == own.triangle && to->found[at - 1].spot > own.spot));
             at--)
            to->found[at] = to->found[at - 1];
        to->found[at] = own;
    }
}

/* The box of the body in the frame of the other. */
static sn_bounds box_of(const view *v, double room) {
    const sn_bounds own = sn_collider_geometry_bounds(v->own);
    const sn_point half = sn_point_scaled(sn_point_sub(own.high, own.low), 0.5);
    const sn_vec3 middle = sn_point_vec3(sn_point_add(own.low, half));
    const double wide[3] = {half.x, half.y, half.z};
    sn_v4 at = into(&v->now, sn_v4_of(middle));
    double reach[3] = {room, room, room};
    for (int k = 0; k < 3; k++) {
        sn_v4 unit = {k == 0, k == 1, k == 2, 0};
        sn_v4 axis = sn_quat_rotate_back(v->now.turn, unit);
        for (int i = 0; i < 3; i++) reach[i] += 1.0001 * wide[k] * fabs((double)axis[i]);
    }
    const sn_point far = {reach[0], reach[1], reach[2]};
    const sn_point mid = {(double)at[0], (double)at[1], (double)at[2]};
    return (sn_bounds){sn_point_sub(mid, far), sn_point_add(mid, far)};
}

void sn_rigid_crests_near(const sn_world *world, sn_rigid_crests *crests) {
    const view v = view_of(world, crests, pose_of(world, crests->node, crests->collider, false));
    const sn_shape own = v.own->shape;
    finding f = {&v, crests, own != SN_SHAPE_MESH && own != SN_SHAPE_SDF};
    const sn_boundary *b = &v.other->form->boundary;
    crests->count = 0;
    crests->more = false;
    sn_bvh_overlap(&b->bvh,
                   box_of(&v, (double)crests->reach + (double)v.other->radius + b->fastest), visit,
                   &f);
    put_in_order(crests);
}
