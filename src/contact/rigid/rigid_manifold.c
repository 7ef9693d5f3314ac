/*
 * Where two carried shapes with flat faces touch: up to four points between them, found from
 * where they are predicted to be in a substep, and again when they have moved.
 *
 * Convex shapes that are apart are so along the normal of a face, or along one that is normal to an
 * edge of each; of shapes that overlap, the axis along which they do least is the normal of the
 * contact (Gottschalk et al. 1996). Where it is that of a face, the face of the other that looks at
 * it most is cut to what lies before it, and the four corners that span most of what is left carry
 * the shape. Depths are those of the corners, not of the axis.
 *
 * Faces go before edges, and those of the first before those of the second, unless the others are
 * better by BIAS: shapes that lie flat on each other have several axes that are alike but for
 * rounding, and are to have the same one in every substep.
 *
 * Points that are found again begin with the impulses of those that they are closest to.
 *
 * All of the search is in the frame of the first node.
 */
#include "collision/collider_pose.h"
#include "collision/shapes/shape_distance.h"
#include "collision/shapes/shape_points.h"
#include "contact/contacts.h"
#include "contact/recovery.h"
#include "contact/rigid/rigid_rounds.h"
#include "contact/rigid/rigid_solid.h"

enum {
    KIND = SN_CONTACT_RIGID,
    MOST = SN_RIGID_CORNERS,
    POINTS = SN_RIGID_MANIFOLD,
    FAST_STEPS = 32,
    FEW_FACES = 6
};

/* Of the size of the smaller: by how much a face is to be better, and how far apart shapes may be
   for their points to be known. */
static const sn_real BIAS = SN_RIGID_BIAS, MARGIN = SN_R(0.05);
static const sn_real ALIKE = SN_RIGID_ALIKE;
/* The same of a point, for it to be the same one. */
static const sn_real SAME = SN_R(0.1);
/* 1: by how much the cosine between faces that lie on each other may be less. */
static const sn_real FLAT = SN_R(1e-6);

typedef sn_rigid_solid solid;
typedef sn_rigid_axis axis;
typedef sn_rigid_polygon polygon;

static bool is_box(const sn_rigid_form *f) {
    return f->half.x > 0 || f->half.y > 0 || f->half.z > 0;
}

static solid solid_of(const sn_rigid_contacts *t, uint32_t form) {
    const sn_rigid_form *f = &t->form[form];
    const sn_vec4 *point = t->point + f->point;
    solid s = {.point = point,
               .face = t->axis + f->axis,
               .edge = t->axis + f->axis + f->faces,
               .points = f->points,
               .faces = f->faces,
               .edges = f->edges,
               .radius = point->w,
               .box = is_box(f),
               .rims = f->rims,
               .half = sn_v4_load(&f->half),
               .mid = SN_R(0.5) * (sn_v4_load(point) + sn_v4_load(&point[f->points - 1])),
               .q = {0, 0, 0, 1}};
    if (!f->rims) return s;
    sn_v4 from = sn_shape_rim_middle(point, 0), to = sn_shape_rim_middle(point, 1);
    s.mid = SN_R(0.5) * (from + to);
    s.along = to - s.mid;
    s.wide = sn_v4_length(sn_v4_load(point) - from);
    return s;
}

sn_rigid_pose sn_rigid_pose_of(const sn_world *world, const uint32_t node[2], uint32_t collider,
                               bool then) {
    const sn_nodes *n = &world->nodes;
    const sn_vec4 *d = then ? n->p : n->d, *turn = then ? world->frames.start : world->frames.q;
    const sn_collider_pose *on = &sn_collider_poses(world)[collider];
    const uint32_t a = node[0], b = node[1];
    const bool stands = a == b;
    sn_v4 q = sn_v4_load(&turn[n->frame[a] - 1]);
    sn_v4 other = sn_v4_load(stands ? then ? &on->before : &on->q : &turn[n->frame[b] - 1]);
    sn_v4 x = sn_v4_load(stands ? &on->x : &n->x[b]);
    sn_v4 way = sn_v4_load(stands ? then ? &on->p : &on->d : &d[b]);
    sn_v4 between = (x - sn_v4_load(&n->x[a])) + (way - sn_v4_load(&d[a]));
    return (sn_rigid_pose){sn_quat_mul(sn_quat_conjugate(q), other),
                           sn_quat_rotate_back(q, between)};
}

static sn_rigid_pose pose_of(const sn_world *world, const sn_rigid_search *c, bool then) {
    return sn_rigid_pose_of(world, c->node, c->collider, then);
}

/* Both, in the frame of the node of the first. */
static void solids_of(const sn_world *world, const uint32_t form[2], sn_rigid_pose other,
                      solid s[2]) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    s[0] = solid_of(t, form[0]);
    s[1] = solid_of(t, form[1]);
    s[1].second = true;
    s[1].q = other.turn;
    s[1].at = other.at;
}

/* ---- Whether two are near ---- */

sn_real sn_rigid_size_of(const sn_world *world, const uint32_t form[2]) {
    const sn_rigid_form *all = sn_rigid_contacts_of(world)->form;
    sn_real first = all[form[0]].size, second = all[form[1]].size;
    return second < first ? second : first;
}

/* The same along the normals of two boxes, as they were when pairs were looked for. */
static bool boxes_are_near(const sn_world *world, const uint32_t form[2], const uint32_t node[2],
                           sn_real margin) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_nodes *n = &world->nodes;
    const sn_rigid_form *f[2] = {&t->form[form[0]], &t->form[form[1]]};
    sn_v4 between = (sn_v4_load(&n->x[node[1]]) - sn_v4_load(&n->x[node[0]])) +
                    (sn_v4_load(&f[1]->middle) - sn_v4_load(&f[0]->middle));
    sn_real room = margin + (t->point[f[0]->point].w + t->point[f[1]->point].w);
    sn_v4 other[3] = {sn_v4_load(&f[1]->side[0]), sn_v4_load(&f[1]->side[1]),
                      sn_v4_load(&f[1]->side[2])};
    sn_v4 half = sn_v4_load(&f[1]->half), wide = {0};
    for (int i = 0; i < 3; i++) {
        sn_v4 own = sn_v4_load(&f[0]->side[i]);
        sn_real width = (&f[0]->half.x)[i], gap = sn_v4_dot(own, between);
        sn_v4 along = {0};
        for (int k = 0; k < 3; k++) {
            sn_real cosine = sn_v4_dot(own, other[k]);
            along[k] = cosine < 0 ? -cosine : cosine;
        }
        if ((gap < 0 ? -gap : gap) > room + (width + sn_v4_dot(along, half))) return false;
        wide += width * along;
    }
    for (int k = 0; k < 3; k++) {
        sn_real gap = sn_v4_dot(other[k], between);
        if ((gap < 0 ? -gap : gap) > room + (half[k] + wide[k])) return false;
    }
    return true;
}

bool sn_rigid_manifold_is_near(const sn_world *world, const uint32_t form[2],
                               const uint32_t node[2], uint32_t collider, sn_real reach) {
    const sn_rigid_form *all = sn_rigid_contacts_of(world)->form;
    sn_real margin = reach + MARGIN * sn_rigid_size_of(world, form);
    solid s[2];
    if (node[0] != node[1] && is_box(&all[form[0]]) && is_box(&all[form[1]]))
        return boxes_are_near(world, form, node, margin);
    solids_of(world, form, sn_rigid_pose_of(world, node, collider, false), s);
    return sn_rigid_faces_are_near(s, margin);
}

/* ---- The points ---- */

/* Grows with the angle of a direction, from 0 to 4. */
static sn_real angle_of(sn_real x, sn_real y) {
    sn_real sum = (x < 0 ? -x : x) + (y < 0 ? -y : y);
    if (!(sum > 0)) return 0;
    sn_real part = y / sum;
    return x < 0 ? 2 - part : y < 0 ? 4 + part : part;
}

/* Leaves out what is not a corner: points within a face, and those that are there twice. */
static void make_convex(polygon *p, sn_v4 normal) {
    for (size_t k = 0; k < p->count && p->count > 3;) {
        sn_v4 at = p->corner[k], before = p->corner[(k + p->count - 1) % p->count];
        sn_v4 after = p->corner[(k + 1) % p->count];
        if (sn_v4_dot(sn_v4_cross(at - before, after - at), normal) > 0) {
            k++;
            continue;
        }
        for (size_t i = k + 1; i < p->count; i++) p->corner[i - 1] = p->corner[i];
        p->count--;
        k = 0;
    }
}

/* Orders corners about their middle. */
static void order(polygon *p, sn_v4 normal) {
    sn_real angle[MOST];
    sn_v4 middle = {0};
    for (size_t k = 0; k < p->count; k++) middle += p->corner[k] * (1 / (sn_real)p->count);
    sn_v4 x = p->corner[0] - middle, y = sn_v4_cross(normal, x);
    for (size_t k = 0; k < p->count; k++) {
        sn_v4 at = p->corner[k];
        sn_real own = angle_of(sn_v4_dot(at - middle, x), sn_v4_dot(at - middle, y));
        size_t to = k;
        for (; to > 0 && angle[to - 1] > own; to--) {
            angle[to] = angle[to - 1];
            p->corner[to] = p->corner[to - 1];
        }
        angle[to] = own;
        p->corner[to] = at;
    }
    make_convex(p, normal);
}

void sn_rigid_take_face(const solid *s, sn_v4 normal, sn_v4 look, polygon *p) {
    sn_v4 own = sn_quat_rotate_back(s->q, normal), towards = sn_quat_rotate_back(s->q, look);
    sn_real high = -sn_rigid_least(s, -normal), room = high - sn_rigid_least(s, normal);
    sn_real from = high - sn_v4_dot(normal, s->at) - SN_R(1e-3) * room;
    for (size_t k = 0; s->rims && k < 2; k++) {
        /* Rims that look almost there are not turned, and end a little before. */
        sn_real end = sn_v4_dot(own, sn_shape_rim_place(s->point, k, towards));
        if (k == 0 || end > high) high = end;
        from = high - SN_R(1e-3) * room;
    }
    p->count = 0;
    for (size_t k = 0; k < s->points && p->count < MOST; k++) {
        sn_v4 at = s->rims ? sn_shape_rim_place(s->point, k, towards) : sn_v4_load(&s->point[k]);
        if (sn_v4_dot(own, at) < from) continue;
        p->corner[p->count] = sn_quat_rotate(s->q, at) + s->at;
        p->corner[p->count++][3] = 0;
    }
    if (p->count > 2) order(p, normal);
}

static void take_face(const solid *s, sn_v4 normal, polygon *p) {
    sn_rigid_take_face(s, normal, normal, p);
}

/* The face of a solid that looks most against a direction; of a round side, the line in it. Returns
   by how much it does, from 0 to 1. */
static sn_real take_facing(const solid *s, sn_v4 along, polygon *p) {
    sn_v4 own = sn_quat_rotate_back(s->q, along), best = -along;
    sn_real low = SN_INFINITY;
    for (size_t k = s->rims ? s->faces - 2 : 0; k < s->faces; k++) {
        sn_real at = sn_v4_dot(own, sn_v4_load(&s->face[k]));
        if (!(at < low)) continue;
        low = at;
        best = sn_quat_rotate(s->q, sn_v4_load(&s->face[k]));
    }
    /* A side looks there by the sine of what an end does by the cosine. */
    if (s->rims && 2 * low * low < 1) {
        best = low * best - along;
        best *= 1 / sn_v4_length(best);
    }
    sn_rigid_take_face(s, best, -along, p);
    return -low;
}

/* Keeps what lies behind a plane through a point. */
static void cut(polygon *p, sn_v4 at, sn_v4 outwards) {
    polygon left = {.count = 0};
    for (size_t k = 0; k < p->count; k++) {
        sn_v4 a = p->corner[k], b = p->corner[(k + 1) % p->count];
        sn_real from = sn_v4_dot(a - at, outwards), to = sn_v4_dot(b - at, outwards);
        if (!(from > 0) && left.count < 2 * MOST) left.corner[left.count++] = a;
        if (((from > 0 && to < 0) || (from < 0 && to > 0)) && left.count < 2 * MOST)
            left.corner[left.count++] = a + from / (from - to) * (b - a);
    }
    *p = left;
}

static void choose(const polygon *p, size_t *taken, size_t *count, const sn_real *worth) {
    size_t best = 0;
    for (size_t k = 1; k < p->count; k++)
        if (worth[k] > worth[best]) best = k;
    if (worth[best] > 0) taken[(*count)++] = best;
}

/* The deepest, that which is furthest from it, and the furthest on both sides of the line between
   them. */
static void reduce(polygon *p, sn_v4 normal) {
    size_t taken[POINTS] = {0}, count = 1;
    sn_real worth[2 * MOST];
    if (p->count <= POINTS) return;
    for (size_t k = 1; k < p->count; k++)
        if (sn_v4_dot(p->corner[k] - p->corner[taken[0]], normal) < 0) taken[0] = k;
    sn_v4 first = p->corner[taken[0]];
    for (size_t k = 0; k < p->count; k++)
        worth[k] = sn_v4_dot(p->corner[k] - first, p->corner[k] - first);
    choose(p, taken, &count, worth);
    sn_v4 across = sn_v4_cross(p->corner[taken[count - 1]] - first, normal);
    for (int side = 0; side < 2 && count > 1; side++) {
        for (size_t k = 0; k < p->count; k++)
            worth[k] = (side ? -1 : 1) * sn_v4_dot(p->corner[k] - first, across);
        choose(p, taken, &count, worth);
    }
    polygon left = {.count = count};
    for (size_t k = 0; k < count; k++) left.corner[k] = p->corner[taken[k]];
    *p = left;
}

/* What of a face of the other lies before one of the owner, up to a height over it. */
static void cut_before(const polygon *face, sn_v4 normal, sn_real top, polygon *p) {
    for (size_t k = 0; k < face->count && face->count > 2; k++) {
        sn_v4 from = face->corner[k], to = face->corner[(k + 1) % face->count];
        cut(p, from, sn_v4_cross(to - from, normal));
    }
    size_t count = 0;
    for (size_t k = 0; k < p->count; k++)
        if (sn_v4_dot(p->corner[k], normal) < top) p->corner[count++] = p->corner[k];
    p->count = count;
}

/* Adds those that are not there yet. */
static void join(polygon *all, const polygon *p, sn_v4 normal, sn_real apart) {
    if (all->count + p->count > 2 * MOST) reduce(all, normal);
    for (size_t k = 0; k < p->count && all->count < 2 * MOST; k++) {
        bool there = false;
        for (size_t i = 0; i < all->count; i++) {
            sn_v4 away = all->corner[i] - p->corner[k];
            there = there || sn_v4_dot(away, away) < apart * apart;
        }
        if (!there) all->corner[all->count++] = p->corner[k];
    }
}

/* Of a hull that turns an edge or a corner to the face, as a roof does to a board, that of all
   faces that look there: the one that does most may be beside it. */
static void join_faces(const solid *s, const polygon *face, sn_v4 normal, sn_real top,
                       sn_real apart, polygon *all) {
    const sn_v4 own = sn_quat_rotate_back(s->q, normal);
    for (size_t k = 0; k < s->faces; k++) {
        if (!(sn_v4_dot(own, sn_v4_load(&s->face[k])) < 0)) continue;
        const sn_v4 look = sn_quat_rotate(s->q, sn_v4_load(&s->face[k]));
        polygon p;
        sn_rigid_take_face(s, look, -normal, &p);
        cut_before(face, normal, top, &p);
        join(all, &p, normal, apart);
    }
}

/* The points of the core of the other before a face. */
static void points_of_face(const solid s[2], const axis *a, sn_real size, sn_real margin,
                           polygon *p) {
    const solid *owner = &s[a->owner], *other = &s[1 - a->owner];
    const sn_real top = -sn_rigid_least(owner, -a->normal) + owner->radius + other->radius + margin;
    polygon face;
    take_face(owner, a->normal, &face);
    const sn_real faces = take_facing(other, a->normal, p);
    cut_before(&face, a->normal, top, p);
    if (!other->box && !other->rims && faces < 1 - FLAT)
        join_faces(other, &face, a->normal, top, ALIKE * size, p);
    reduce(p, a->normal);
}

/* The middle of what is outermost of both, or where their edges are closest. Returns how many. */
static size_t points_of_edges(const solid s[2], const axis *a, sn_v4 at[2][2]) {
    const sn_v4 normal = (sn_real)(a->owner == 1 ? -1 : 1) * a->normal;
    polygon p[2];
    sn_v4 along[2];
    sn_real where[2];
    for (int i = 0; i < 2; i++) {
        take_face(&s[i], (sn_real)(i ? -1 : 1) * normal, &p[i]);
        at[0][i] = (sn_v4){0};
        for (size_t k = 0; k < p[i].count; k++)
            at[0][i] += p[i].corner[k] * (1 / (sn_real)p[i].count);
    }
    if (s[0].rims || s[1].rims) return sn_rigid_round_places(p, at);
    if (p[0].count != 2 || p[1].count != 2) return 1;
    for (int i = 0; i < 2; i++) along[i] = (p[i].corner[1] - p[i].corner[0]) * SN_R(0.5);
    if (!sn_rigid_lines_meet(along, at[0][1] - at[0][0], where)) return 1;
    for (int i = 0; i < 2; i++) at[0][i] += where[i] * along[i];
    return 1;
}

/* ---- Records ---- */

/* A point between both: places on the core of the first and on the surface of the second. */
static void set_point(const solid s[2], const axis *a, sn_rigid_search *to, const sn_v4 at[2]) {
    sn_v4 normal = (sn_real)(a->owner == 1 ? 1 : -1) * a->normal;
    sn_v4 on = at[1] + s[1].radius * normal;
    to->at = (sn_vec4){at[0][0], at[0][1], at[0][2], to->at.w};
    sn_v4_store(&to->on, sn_quat_rotate_back(s[1].q, on - s[1].at));
    to->manifold = a->owner == 1 ? SN_RIGID_SECOND : SN_RIGID_FIRST;
    sn_v4_store(&to->normal, sn_quat_rotate_back(s[a->owner == 1].q, normal));
}

static void set_points(const solid s[2], const axis *a, const polygon *p,
                       sn_rigid_search *const to[POINTS]) {
    const sn_real top = -sn_rigid_least(&s[a->owner], -a->normal);
    sn_v4 at[2];
    for (size_t k = 0; k < p->count; k++) {
        at[1 - a->owner] = p->corner[k];
        at[a->owner] = p->corner[k] - (sn_v4_dot(p->corner[k], a->normal) - top) * a->normal;
        set_point(s, a, to[k], at);
    }
}

/* Where a face lies across edges but for rounding, what of the other lies before it: the middle of
   a long one may be far from where they touch. False where nothing does. */
static bool find_flat(const solid s[2], const axis *a, sn_rigid_search *const to[POINTS]) {
    for (int owner = 0; owner < 2; owner++) {
        const sn_real sign = owner ? -1 : 1;
        const axis flat = {.gap = a->gap, .normal = sign * a->normal, .owner = owner};
        polygon face, p;
        take_face(&s[owner], flat.normal, &face);
        if (face.count < 3) continue;
        take_face(&s[1 - owner], -flat.normal, &p);
        cut_before(&face, flat.normal, SN_INFINITY, &p);
        if (p.count == 0) continue;
        reduce(&p, flat.normal);
        set_points(s, &flat, &p, to);
        return true;
    }
    return false;
}

static void find_points(const solid s[2], const axis *a, sn_real size, sn_real margin,
                        sn_rigid_search *const to[POINTS]) {
    polygon p = {.count = 1};
    sn_v4 few[2][2];
    if (a->owner == 2 && !a->round && !s[0].rims && !s[1].rims && find_flat(s, a, to)) return;
    if (a->owner == 2 || a->round) {
        const size_t count = points_of_edges(s, a, few);
        for (size_t k = 0; k < count; k++) set_point(s, a, to[k], few[k]);
        return;
    }
    points_of_face(s, a, size, margin, &p);
    /* Far in each other they may have no part of a face before the other. */
    if (p.count == 0 && a->gap < -BIAS * size) {
        take_face(&s[1 - a->owner], -a->normal, &p);
        reduce(&p, a->normal);
    }
    set_points(s, a, &p, to);
}

/* Of the faces of both, that along which they are furthest apart, but by less than `most` (m). */
static bool next_face(const solid s[2], sn_real most, axis *best) {
    *best = (axis){.gap = -SN_INFINITY};
    for (int owner = 0; owner < 2; owner++)
        for (size_t k = s[owner].rims ? s[owner].faces - 2 : 0; k < s[owner].faces; k++) {
            sn_v4 normal = sn_quat_rotate(s[owner].q, sn_v4_load(&s[owner].face[k]));
            sn_real gap = sn_rigid_gap(&s[owner], &s[1 - owner], normal);
            if (gap < most && gap > best->gap)
                *best = (axis){.gap = gap, .normal = normal, .owner = owner};
        }
    return best->gap > -SN_INFINITY;
}

static bool touches(sn_rigid_search *const to[POINTS]) {
    for (size_t i = 0; i < POINTS; i++)
        if (to[i]->manifold != SN_RIGID_APART) return true;
    return false;
}

/* What stands right below where two parts meet, as a tip, is nearest to the sides by which they do,
   and goes in by another, which is looked for among faces that have something of the other before
   them. */
static void find_beside(const sn_world *world, const solid s[2], axis last, sn_real size,
                        sn_real margin, sn_rigid_search *const to[POINTS]) {
    const sn_real least = -2 * MARGIN * size;
    sn_real most = last.owner == 2 ? SN_INFINITY : last.gap;
    axis a;
    for (int k = 0; k < FEW_FACES && next_face(s, most, &a) && a.gap > least; k++) {
        polygon p;
        most = a.gap;
        points_of_face(s, &a, size, margin, &p);
        set_points(s, &a, &p, to);
        sn_rigid_leave_out_within(world, s, size, to);
        if (touches(to)) return;
    }
}

/* What is on the rims of a cylinder touches by itself, and round: where points of these are. */
static void leave_out_rims(const sn_world *world, const solid *s, sn_real size,
                           sn_rigid_search *const to[POINTS]) {
    const sn_real long_ = sn_v4_length(s->along), little = ALIKE * size;
    for (size_t i = 0; i < POINTS; i++) {
        sn_v4 away = sn_v4_load(&to[i]->at) - s->mid;
        away[3] = 0;
        sn_real high = sn_v4_dot(away, s->along) / long_, square = sn_v4_dot(away, away);
        sn_real beyond = (high < 0 ? -high : high) - long_;
        sn_real out = SN_ROOT(square > high * high ? square - high * high : 0) - s->wide;
        if (beyond > -little && out > -little &&
            sn_rigid_rim_has(world, to[0], sn_v4_load(&to[i]->at), little))
            to[i]->manifold = SN_RIGID_APART;
    }
}

bool sn_rigid_is_known(sn_rigid_search *c, sn_rigid_pose other, sn_real size, sn_real little) {
    sn_v4 gone = other.at - sn_v4_load(&c->seen_at);
    sn_v4 turn = sn_quat_mul(sn_quat_conjugate(sn_v4_load(&c->seen_turn)), other.turn);
    sn_real most = little * little;
    if (c->seen && sn_v4_dot(gone, gone) < most * size * size && sn_v4_dot(turn, turn) < most)
        return true;
    sn_v4_store(&c->seen_at, other.at);
    sn_v4_store(&c->seen_turn, other.turn);
    c->seen = true;
    return false;
}

/* ---- What is fast ---- */

/* The frame of the first in that of the second. */
static sn_rigid_pose seen_back(sn_rigid_pose other) {
    return (sn_rigid_pose){sn_quat_conjugate(other.turn),
                           -sn_quat_rotate_back(other.turn, other.at)};
}

static void put_at(sn_rigid_pose pose, bool back, solid *second) {
    if (back) pose = seen_back(pose);
    second->q = pose.turn;
    second->at = pose.at;
}

/*
 * What moves by more than a part of its size in a substep may have passed the other, or be on the
 * wrong side of its middle: it is put where the two first touch on their way, as seen from the
 * larger, by steps that are no longer than they are apart. Points and normal found there hold it
 * back wherever it was predicted to be. Returns, in m, how far apart it may be where it is.
 */
static sn_real go_back(const sn_world *world, sn_rigid_search *c, sn_real size, solid s[2]) {
    const sn_rigid_form *form = sn_rigid_contacts_of(world)->form;
    const bool back = form[c->form[0]].reach < form[c->form[1]].reach;
    sn_rigid_pose last = {s[1].q, s[1].at}, then = pose_of(world, c, true);
    if (back) {
        last = seen_back(last);
        then = seen_back(then);
    }
    if (sn_v4_dot(then.turn, last.turn) + then.turn[3] * last.turn[3] < 0) then.turn = -then.turn;
    sn_v4 moved = last.at - then.at, turned = last.turn - then.turn;
    sn_real chord = SN_ROOT(sn_v4_dot(turned, turned) + turned[3] * turned[3]);
    /* An angle is no more than pi times the chord of the unit quaternions. */
    sn_real far = sn_v4_length(moved) + SN_R(3.15) * chord * form[c->form[back ? 0 : 1]].reach;
    c->fast = far > MARGIN * size;
    if (!c->fast) return 0;
    sn_real near = SN_R(0.1) * MARGIN * size, time = 0;
    for (int k = 0; k < FAST_STEPS; k++) {
        sn_v4 q = then.turn + time * turned;
        q *= 1 / SN_ROOT(sn_v4_dot(q, q) + q[3] * q[3]);
        put_at((sn_rigid_pose){q, then.at + time * moved}, back, &s[1]);
        sn_real room = sn_rigid_apart_by(s);
        if (!(room > near)) break;
        time += room / far;
        if (!(time < 1)) break;
    }
    if (time > 0 && time < 1) return 0;
    /* What touches from the beginning is on the side where it is then, however it turns. */
    put_at((sn_rigid_pose){last.turn, time > 0 ? last.at : then.at}, back, &s[1]);
    return time > 0 ? 0 : far;
}

/* What a point was pushed and held by in the last substep. */
typedef struct impulse {
    sn_v4 at; /* m */
    sn_real push, slide[3];
    bool taken;
} impulse;

/* New points begin with the impulses of the old ones that they are closest to, each once; those
   that are alone with none. */
static void match_impulses(const sn_contact_set *set, uint32_t slot, impulse *old,
                           sn_rigid_search *const to[POINTS], sn_real size) {
    for (uint32_t i = 0; i < POINTS; i++) {
        sn_real *row = sn_contact_rows(set, slot + i * SN_CONTACT_BLOCK);
        sn_real best = SAME * SAME * size * size;
        impulse *from = NULL;
        for (size_t k = 0; k < POINTS && to[i]->manifold > SN_RIGID_APART; k++) {
            sn_v4 away = sn_v4_load(&to[i]->at) - old[k].at;
            sn_real square = sn_v4_dot(away, away);
            if (old[k].taken || !(square < best)) continue;
            best = square;
            from = &old[k];
        }
        if (from) from->taken = true;
        *sn_row(row, SN_ROW_PUSH) = from ? from->push : 0;
        for (int k = 0; k < 3; k++) *sn_row(row, SN_ROW_SLIDE + k) = from ? from->slide[k] : 0;
    }
}

void sn_rigid_manifold_find(const sn_world *world, uint32_t slot) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    sn_rigid_search *first = &sn_rigid_contacts_of(world)->search[slot], *to[POINTS];
    const sn_real size = sn_rigid_size_of(world, first->form);
    solid s[2];
    axis best;
    impulse old[POINTS];
    const sn_rigid_pose other = pose_of(world, first, false);
    first->fast = false;
    if (sn_rigid_is_known(first, other, size, sn_rigid_alike(first))) return;
    solids_of(world, first->form, other, s);
    const bool stands = first->node[0] == first->node[1];
    const sn_real gone = go_back(world, first, size, s), margin = MARGIN * size + gone;
    for (uint32_t i = 0; i < POINTS; i++) {
        sn_real *row = sn_contact_rows(set, slot + i * SN_CONTACT_BLOCK);
        to[i] = first + i * SN_CONTACT_BLOCK;
        old[i] = (impulse){sn_v4_load(&to[i]->at), *sn_row(row, SN_ROW_PUSH),
                           .taken = to[i]->manifold == SN_RIGID_APART};
        if (first->spins) old[i].at = sn_rigid_place_now(world, first, 0, old[i].at);
        for (int k = 0; k < 3; k++) old[i].slide[k] = *sn_row(row, SN_ROW_SLIDE + k);
        to[i]->manifold = SN_RIGID_APART;
    }
    if (sn_rigid_find_axis(s, size, margin, &best)) {
        find_points(s, &best, size, margin, to);
        const bool touched = touches(to);
        sn_rigid_leave_out_within(world, s, size, to);
        if (touched && !touches(to)) find_beside(world, s, best, size, margin, to);
        if (first->beside) leave_out_rims(world, &s[0], size, to);
        for (uint32_t i = 0; i < POINTS && gone > 0 && first->spins && !stands; i++)
            sn_rigid_place_along(world, to[i], other);
    }
    match_impulses(set, slot, old, to, size);
}

/* ---- What was turned far ---- */

/* m: how far the first is from the second at most, along axes by which it goes out of that, but for
   those against a direction. */
static sn_real apart_but_against(const solid s[2], sn_v4 out) {
    const sn_real against = SN_R(-0.5);
    sn_real most = -SN_INFINITY;
    for (int owner = 0; owner < 2; owner++)
        for (size_t k = 0; k < s[owner].faces; k++) {
            sn_v4 normal = sn_quat_rotate(s[owner].q, sn_v4_load(&s[owner].face[k]));
            if ((owner ? 1 : -1) * sn_v4_dot(normal, out) < against) continue;
            sn_real gap = sn_rigid_gap(&s[owner], &s[1 - owner], normal);
            if (gap > most) most = gap;
        }
    for (size_t i = 0; i < s[0].edges; i++)
        for (size_t k = 0; k < s[1].edges; k++) {
            sn_v4 normal;
            if (!sn_rigid_find_across(s, i, k, &normal)) continue;
            sn_real gap = sn_rigid_gap(&s[1], &s[0], sn_v4_dot(normal, out) < 0 ? -normal : normal);
            if (gap > most) most = gap;
        }
    return most;
}

/* m: how deep two are in each other, now or when the substep began, to be put out along the normal
   of a point. What overlaps along that alone, as what lies across an edge, is in the other no
   deeper than along other axes; but which side of something thin is nearest does not count. */
static sn_real overlap_of(const sn_world *world, const sn_rigid_search *c, bool then,
                          sn_v4 *normal) {
    solid s[2];
    solids_of(world, c->form, pose_of(world, c, then), s);
    *normal = sn_v4_load(&c->normal);
    if (c->manifold == SN_RIGID_SECOND) *normal = sn_quat_rotate(s[1].q, *normal);
    sn_real gap = sn_rigid_gap(&s[1], &s[0], *normal), beside = apart_but_against(s, *normal);
    return -(beside > gap ? beside : gap);
}

/* Sweeps are linear in turns, and a body that is struck at a corner may be turned by radians. What
   overlapped when the substep began is left to recovery, which is slow: bodies that are put out of
   each other at once are put into others, and what holds them together takes that for a motion. */
static void hold_apart(const sn_world *world, const sn_rigid_search *c) {
    const sn_nodes *n = &world->nodes;
    const sn_real *w = sn_world_contact_w(world);
    const uint32_t a = c->node[0], b = c->node[1];
    sn_v4 normal;
    sn_real sum = w[a] + (a == b ? 0 : w[b]), had = overlap_of(world, c, true, &normal);
    sn_real deep = overlap_of(world, c, false, &normal),
            margin = MARGIN * sn_rigid_size_of(world, c->form);
    deep -= had > margin ? had : margin;
    if (!(deep > 0) || !(sum > 0)) return;
    normal = sn_quat_rotate(sn_v4_load(&world->frames.q[n->frame[a] - 1]), normal);
    for (int k = 0; k < (a == b ? 1 : 2); k++) {
        sn_v4 by = (k ? -deep : deep) * w[c->node[k]] / sum * normal;
        by[3] = 0;
        sn_v4_store(&n->d[c->node[k]], sn_v4_load(&n->d[c->node[k]]) + by);
        sn_contact_move_start(world, c->node[k], by);
    }
}

void sn_rigid_manifolds_hold(sn_world *world) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    if (!atomic_load_explicit(&t->fast, memory_order_relaxed)) return;
    for (size_t k = 0; k < set->count; k++) {
        const sn_rigid_search *first = &t->search[set->pair[k].slot];
        /* All points of a manifold have one normal. */
        for (size_t i = 0; first->leads && first->fast && i < POINTS; i++) {
            const uint32_t slot = set->pair[k + i].slot;
            const sn_rigid_search *c = &t->search[slot];
            sn_real *row = sn_contact_rows(set, slot);
            bool touches = *sn_row(row, SN_ROW_PUSH) > 0 || *sn_row(row, SN_ROW_PREDICTED) > 0;
            if (!touches || c->manifold == SN_RIGID_APART) continue;
            hold_apart(world, c);
            break;
        }
    }
}

/* m, in the frame of the first: by how much vertices on their way take a crest in the substep. */
static sn_v4 flow_of(const sn_world *world, const sn_rigid_search *c) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const uint32_t frame = world->nodes.frame[c->node[0]] - 1;
    return sn_quat_rotate_back(sn_v4_load(&world->frames.start[frame]),
                               sn_v4_load(&t->aside[c - t->search].ball.flow));
}

sn_real sn_rigid_manifold_depth(const sn_world *world, const sn_rigid_search *search, bool then,
                                sn_v4 *normal) {
    const sn_rigid_pose other = pose_of(world, search, then);
    const uint32_t frame = world->nodes.frame[search->node[0]] - 1;
    const int owner = search->manifold == SN_RIGID_SECOND;
    sn_v4 at = sn_v4_load(&search->at), on = sn_v4_load(&search->on);
    const sn_real radius = at[3];
    *normal = sn_v4_load(&search->normal);
    if (then && search->spins) {
        sn_v4 end = (owner ? on : at) + *normal;
        at = sn_rigid_place_then(world, search, 0, at);
        on = sn_rigid_place_then(world, search, 1, on);
        *normal = sn_rigid_place_then(world, search, owner, end) - (owner ? on : at);
    }
    sn_v4 between = at - (sn_quat_rotate(other.turn, on) + other.at);
    if (then && search->crest && sn_collider_poses(world)[search->collider].flows)
        between += flow_of(world, search);
    if (owner) *normal = sn_quat_rotate(other.turn, *normal);
    sn_real deep = radius - sn_v4_dot(between, *normal);
    *normal = sn_quat_rotate(
        sn_v4_load(then ? &world->frames.start[frame] : &world->frames.q[frame]), *normal);
    return deep;
}
