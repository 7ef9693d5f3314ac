/*
 * How points become places on a picture or a map, and which points lie behind a place.
 *
 * A place is (x, y, t): x to the right and y down in pixels or texels, t how far along the ray of
 * that place. Perspective rays come from the eye, and t is the depth; the others are parallel, need
 * not be perpendicular to the map, and t is in units of their direction.
 *
 * What is filled compares keys, which are linear on the picture for a plane: 1/t in perspective, -t
 * otherwise. The larger one is nearer.
 */
#ifndef SN_PICTURE_PICTURE_PROJECT_H
#define SN_PICTURE_PICTURE_PROJECT_H

#include "picture/vec.h"

typedef struct projector {
    bool perspective;
    /* Perspective: points are first taken into the space of the camera. */
    vec eye;
    basis axes;
    float focus; /* pixels per unit of slope */
    float pixel; /* the slope of one */
    float x, y;  /* pixels, the middle of the picture; texels, see below */
    float near;  /* the least t that is drawn */
    float reach; /* pixels around the middle beyond which triangles are cut */
    /* Parallel: place = (row_x . point + x, row_y . point + y, row_t . point + t), and the other
       way around, point = across * place.x + down * place.y + along * place.t + the corner. */
    vec row_x, row_y, row_t;
    float t;
    vec across, down, along;
} projector;

/* The rays near a place: the ray of the place (x + dx, y + dy) passes the point of the place at
   across * dx + down * dy and goes in the direction along + turn_x * dx + turn_y * dy, per unit of
   t. */
typedef struct ray_fan {
    vec across, down, along, turn_x, turn_y;
} ray_fan;

/* The places that something may cover. */
typedef struct place_box {
    float left, top, right, bottom;
} place_box;

/* A camera for a picture; `width` and `height` in pixels, `fov` in rad from bottom to top. */
projector sn_projector_camera(vec eye, vec target, vec up, float fov, int width, int height);

/* Along `along`, onto a map whose texels are `across` and `down`. The three must be independent;
   `corner` is the place (0, 0, 0). */
projector sn_projector_parallel(vec across, vec down, vec along, vec corner);

/* Where lengths are measured: that of the camera, or the point itself. */
static inline vec project_space(const projector *p, vec point) {
    return p->perspective ? to_basis(&p->axes, sub(point, p->eye)) : point;
}

/* The place of a point in that space. In perspective it must be in front of the eye. */
static inline vec project_place(const projector *p, vec space) {
    if (p->perspective) {
        float inverse = 1 / space.z;
        return (vec){p->x + p->focus * space.x * inverse, p->y - p->focus * space.y * inverse,
                     space.z};
    }
    return (vec){dot(p->row_x, space) + p->x, dot(p->row_y, space) + p->y,
                 dot(p->row_t, space) + p->t};
}

static inline float project_key(const projector *p, float t) {
    return p->perspective ? 1 / t : -t;
}

/* The direction of a ray of the camera in the world, with depth 1. */
static inline vec project_ray(const projector *p, float x, float y) {
    return from_basis(&p->axes, (vec){(x - p->x) * p->pixel, (p->y - y) * p->pixel, 1});
}

ray_fan sn_project_fan(const projector *p, vec place);

/* What a ball may cover, around its centre in space; false when it is behind the eye. */
bool sn_project_ball(const projector *p, vec space, float radius, place_box *box);

/* At most this many triangles are left of one that is cut. */
enum { CUT_MOST = 6 };

/* Whether a corner needs no cutting: it lies in front of the eye and not too far from the
   middle. */
bool sn_project_is_inside(const projector *p, vec space);

/* Cuts a triangle in space to what the camera can see; the corners become places with keys. */
int sn_project_cut(const projector *p, const vec corner[3], vec pieces[CUT_MOST][3]);

#endif
