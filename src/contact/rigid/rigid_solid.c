#include "contact/rigid/rigid_solid.h"

enum { STEPS = 6, HALVES = 3 };
/* Of the square of the product of their lengths: lines that are as good as parallel, for which
   there is no place where they are closest; and sides that touch along each other, by the sine of 6
   degrees. */
static const sn_real PARALLEL = SN_R(1e-6), BESIDE = SN_R(0.01);
/* Of the radius: what is that close to an axis is in no direction from it. */
static const sn_real LITTLE = SN_R(1e-3);

static sn_real within(sn_real a) {
    return a < -1 ? -1 : a > 1 ? 1 : a;
}

bool sn_rigid_lines_meet(const sn_v4 along[2], sn_v4 between, sn_real where[2]) {
    sn_real aa = sn_v4_dot(along[0], along[0]), bb = sn_v4_dot(along[1], along[1]);
    sn_real ab = sn_v4_dot(along[0], along[1]), det = aa * bb - ab * ab;
    sn_real da = sn_v4_dot(along[0], between), db = sn_v4_dot(along[1], between);
    if (!(det > PARALLEL * aa * bb)) return false;
    where[0] = within((da * bb - db * ab) / det);
    where[1] = within((da * ab - db * aa) / det);
    return true;
}

/* ---- The axis across a side ---- */

/* Takes a direction, which need not have unit length, or what is between it and that so far, where
   both are further apart along it. */
static bool improve(const sn_rigid_solid *first, const sn_rigid_solid *second, sn_v4 normal,
                    sn_rigid_axis *best) {
    sn_real square = sn_v4_dot(normal, normal);
    for (int half = 0; half < HALVES && square > 0; half++) {
        normal *= 1 / SN_ROOT(square);
        sn_real gap = sn_rigid_gap(first, second, normal);
        if (gap > best->gap) {
            best->gap = gap;
            best->normal = normal;
            return true;
        }
        normal += best->normal;
        square = sn_v4_dot(normal, normal);
    }
    return false;
}

/* From the axis of a cylinder to where that of another is closest; or to where the other is
   outermost. */
static sn_v4 way_to_axis(const sn_rigid_solid *own, const sn_rigid_solid *other, sn_v4 from) {
    sn_v4 between = sn_quat_rotate(other->q, other->mid) + other->at - from;
    const sn_v4 along[2] = {sn_quat_rotate(own->q, own->along),
                            sn_quat_rotate(other->q, other->along)};
    sn_real where[2] = {0, 0};
    (void)sn_rigid_lines_meet(along, between, where);
    return between + where[1] * along[1];
}

static sn_v4 way_to_feature(const sn_rigid_solid *other, sn_v4 from, sn_v4 normal) {
    sn_rigid_polygon p;
    sn_v4 sum = {0};
    sn_rigid_take_face(other, -normal, -normal, &p);
    for (size_t k = 0; k < p.count; k++) sum += p.corner[k] - from;
    return sum;
}

sn_rigid_axis sn_rigid_round_axis(const sn_rigid_solid s[2], int own, sn_rigid_axis near) {
    const sn_rigid_solid *other = &s[1 - own];
    const sn_v4 along = sn_quat_rotate(s[own].q, s[own].along);
    const sn_v4 from = sn_quat_rotate(s[own].q, s[own].mid) + s[own].at;
    bool better = true;
    near.round = true;
    for (int step = 0; step < STEPS && better; step++) {
        better = false;
        for (int axes = other->rims ? 1 : 0; axes >= 0; axes--) {
            sn_v4 way =
                axes ? way_to_axis(&s[own], other, from) : way_to_feature(other, from, near.normal);
            way -= sn_v4_dot(way, along) / sn_v4_dot(along, along) * along;
            way[3] = 0;
            if (sn_v4_dot(way, way) > LITTLE * LITTLE * s[own].wide * s[own].wide)
                better = improve(&s[own], other, way, &near) || better;
        }
    }
    return near;
}

/* ---- The points ---- */

/* Where the second line is closest to a place on the first. */
static sn_real beside(sn_v4 along, sn_v4 middle, sn_v4 at) {
    sn_real square = sn_v4_dot(along, along);
    return square > 0 ? within(sn_v4_dot(along, at - middle) / square) : 0;
}

size_t sn_rigid_round_places(const sn_rigid_polygon feature[2], sn_v4 at[2][2]) {
    sn_v4 along[2], middle[2];
    sn_real where[2];
    for (int i = 0; i < 2; i++) {
        const sn_rigid_polygon *p = &feature[i];
        middle[i] = (sn_v4){0};
        for (size_t k = 0; k < p->count; k++) middle[i] += p->corner[k] * (1 / (sn_real)p->count);
        at[0][i] = middle[i];
        along[i] = (sn_v4){0};
        if (p->count == 2) along[i] = SN_R(0.5) * (p->corner[1] - p->corner[0]);
    }
    sn_real aa = sn_v4_dot(along[0], along[0]), bb = sn_v4_dot(along[1], along[1]);
    sn_v4 across = sn_v4_cross(along[0], along[1]);
    if (sn_v4_dot(across, across) > BESIDE * aa * bb) {
        (void)sn_rigid_lines_meet(along, middle[1] - middle[0], where);
        for (int i = 0; i < 2; i++) at[0][i] = middle[i] + where[i] * along[i];
        return 1;
    }
    /* The ends of what the shorter one is beside of on the longer one. */
    const int few = bb < aa, many = 1 - few;
    const size_t count = (few ? bb : aa) > 0 ? 2 : 1;
    for (size_t k = 0; k < count; k++) {
        sn_v4 end = middle[few] + (sn_real)(k ? 1 : -1) * along[few];
        at[k][many] = middle[many] + beside(along[many], middle[many], end) * along[many];
        at[k][few] = middle[few] + beside(along[few], middle[few], at[k][many]) * along[few];
    }
    return count;
}

/* ---- The axis across a rim ---- */

/* Along what is outermost there: an edge, or a rim where it is closest to the other. False for a
   corner, which goes nowhere. */
static bool find_tangent(const sn_rigid_solid *s, const sn_rigid_polygon *p, sn_v4 other,
                         sn_v4 *along) {
    *along = p->corner[1] - p->corner[0];
    if (p->count == 2) return true;
    sn_v4 axis = sn_quat_rotate(s->q, s->along);
    *along = sn_v4_cross(axis, other - (sn_quat_rotate(s->q, s->mid) + s->at));
    return s->rims;
}

sn_rigid_axis sn_rigid_rim_axis(const sn_rigid_solid s[2], sn_rigid_axis near) {
    for (int step = 0; step < STEPS && near.gap > -SN_INFINITY; step++) {
        sn_rigid_polygon p[2];
        sn_v4 at[2][2], along[2];
        for (int i = 0; i < 2; i++) {
            sn_v4 out = (sn_real)(i ? -1 : 1) * near.normal;
            sn_rigid_take_face(&s[i], out, out, &p[i]);
        }
        (void)sn_rigid_round_places(p, at);
        for (int i = 0; i < 2; i++)
            if (!find_tangent(&s[i], &p[i], at[0][1 - i], &along[i])) return near;
        sn_v4 normal = sn_v4_cross(along[0], along[1]);
        sn_real length = sn_v4_length(normal);
        if (!(length > LITTLE * sn_v4_length(along[0]) * sn_v4_length(along[1]))) break;
        normal *= (sn_v4_dot(normal, near.normal) < 0 ? -1 : 1) / length;
        if (!improve(&s[0], &s[1], normal, &near)) break;
    }
    return near;
}
