/*
 * What has faces, in the search for points between two of them (rigid_manifold.c): a box, a hull or
 * a cylinder, in the frame of the first.
 *
 * A cylinder ends where its rims do, in closed form. Where corners are asked for it is a prism of
 * 16 sides that is turned about its axis until one of its edges is where it is furthest along a
 * direction (shape_points.h): it is the same whatever its spin.
 */
#ifndef SN_CONTACT_RIGID_RIGID_SOLID_H
#define SN_CONTACT_RIGID_RIGID_SOLID_H

#include "collision/collider_pose.h"
#include "collision/shapes/shape_points.h"
#include "contact/rigid/rigid_contact.h"

typedef struct sn_rigid_solid {
    const sn_vec4 *point, *face, *edge;
    size_t points, faces, edges;
    sn_real radius;
    bool box;        /* whether three axes say where it ends */
    bool rims;       /* whether it is a cylinder: all faces but the last two are round */
    sn_v4 half, mid; /* m, of that, the middle in its frame */
    sn_v4 along;     /* m, of a cylinder, from there to the middle of a rim */
    sn_real wide;    /* m, the radius of that */
    sn_v4 q, at;     /* its frame, and where that is */
    bool second;     /* whether that is not the frame of the search */
} sn_rigid_solid;

typedef struct sn_rigid_axis {
    sn_real gap;  /* m, below zero where they overlap */
    sn_v4 normal; /* away from the owner */
    int owner;    /* of the face; 2 where it is of two edges */
    bool round;   /* whether it is across the side of a cylinder */
} sn_rigid_axis;

/* A direction in the frame of a solid; all of the search is in that of the first. */
static inline sn_v4 sn_rigid_own(const sn_rigid_solid *s, sn_v4 along) {
    return s->second ? sn_quat_rotate_back(s->q, along) : along;
}

/* m: the half of the width of a box or a cylinder along a direction of its frame. */
static inline sn_real sn_rigid_width(const sn_rigid_solid *s, sn_v4 own) {
    sn_real sum = 0;
    if (s->rims) {
        sn_real high = sn_v4_dot(own, s->along), square = sn_v4_dot(s->along, s->along);
        sn_real across = sn_v4_dot(own, own) - high * high / square;
        return (high < 0 ? -high : high) + (across > 0 ? s->wide * SN_ROOT(across) : 0);
    }
    for (int k = 0; k < 3; k++) {
        sn_real part = s->half[k] * sn_v4_dot(own, sn_v4_load(&s->edge[k]));
        sum += part < 0 ? -part : part;
    }
    return sum;
}

/* m: where the core of a solid ends, against a direction. */
static inline sn_real sn_rigid_least(const sn_rigid_solid *s, sn_v4 along) {
    sn_v4 own = sn_rigid_own(s, along);
    sn_real low = SN_INFINITY;
    if (s->box || s->rims)
        return (sn_v4_dot(own, s->mid) - sn_rigid_width(s, own)) + sn_v4_dot(along, s->at);
    for (size_t k = 0; k < s->points; k++) {
        sn_real at = sn_v4_dot(own, sn_v4_load(&s->point[k]));
        if (at < low) low = at;
    }
    return low + sn_v4_dot(along, s->at);
}

/* m: how far the second is from the first along a direction. */
static inline sn_real sn_rigid_gap(const sn_rigid_solid *first, const sn_rigid_solid *second,
                                   sn_v4 along) {
    return sn_rigid_least(second, along) + sn_rigid_least(first, -along) -
           (first->radius + second->radius);
}

/* Of the size of the smaller: by how much an edge is to be better than a face, and the face of the
   second than that of the first. */
#define SN_RIGID_BIAS SN_R(0.005)
/* The axis along which they are furthest apart; false where that is further than the margin. */
bool sn_rigid_find_axis(const sn_rigid_solid s[2], sn_real size, sn_real margin,
                        sn_rigid_axis *best);
/* Whether no face tells that they are further apart than the margin. */
bool sn_rigid_faces_are_near(const sn_rigid_solid s[2], sn_real margin);
/* m: how far they are apart at least. */
sn_real sn_rigid_apart_by(const sn_rigid_solid s[2]);
/* The direction across an edge of each; false where these are parallel. */
bool sn_rigid_find_across(const sn_rigid_solid s[2], size_t i, size_t k, sn_v4 *normal);

enum { SN_RIGID_CORNERS = 32 };
typedef struct sn_rigid_polygon {
    sn_v4 corner[2 * SN_RIGID_CORNERS]; /* m */
    size_t count;
} sn_rigid_polygon;

/* What of the core is outermost along a direction: the corners of a face, the ends of an edge.
   Those of a cylinder are turned to another one. */
void sn_rigid_take_face(const sn_rigid_solid *s, sn_v4 normal, sn_v4 look, sn_rigid_polygon *p);
/* How far along two lines they are closest, from -1 to 1 each; false where they are parallel.
   `between` is from the middle of the first to that of the second. */
bool sn_rigid_lines_meet(const sn_v4 along[2], sn_v4 between, sn_real where[2]);

/* The direction across the side of a cylinder, one of the two, in which it is furthest from the
   other, away from it. Begins with one that is near. */
sn_rigid_axis sn_rigid_round_axis(const sn_rigid_solid s[2], int own, sn_rigid_axis near);
/* The same of an axis of edges, from the first to the second, where one of these is of a rim. */
sn_rigid_axis sn_rigid_rim_axis(const sn_rigid_solid s[2], sn_rigid_axis near);
/* Where a side or a rim touches an edge, a corner or another side, whose outermost features along
   the normal these are: in a place on each or, along each other, in two. Returns how many. */
size_t sn_rigid_round_places(const sn_rigid_polygon feature[2], sn_v4 at[2][2]);

/* Leaves out points of a manifold that are within another part of what either is of
   (rigid_seams.c); `size` is that of the smaller. */
void sn_rigid_leave_out_within(const sn_world *world, const sn_rigid_solid s[2], sn_real size,
                               sn_rigid_search *const to[SN_RIGID_MANIFOLD]);

#endif
