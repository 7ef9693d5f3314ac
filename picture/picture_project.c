#include "picture/picture_project.h"

/* Of the distance to the target: what is nearer to the eye is not drawn. */
static const float near_share = 1e-3f;

projector sn_projector_camera(vec eye, vec target, vec up, float fov, int width, int height) {
    projector p = {
        .perspective = true, .eye = eye, .x = 0.5f * (float)width, .y = 0.5f * (float)height};
    vec forward = sub(target, eye);
    float distance = norm(forward);
    p.axes = basis_towards(distance > 0 ? forward : (vec){0, 0, -1}, up);
    p.focus = p.y / tanf(0.5f * fov);
    p.pixel = 1 / p.focus;
    p.near = most_of(near_share * distance, 1e-6f);
    p.reach = 4.0f * (float)(width + height);
    return p;
}

projector sn_projector_parallel(vec across, vec down, vec along, vec corner) {
    projector p = {.across = across, .down = down, .along = along, .near = -INFINITY};
    /* The rows of the inverse matrix, by Cramer's rule. */
    vec a = cross(down, along), b = cross(along, across), c = cross(across, down);
    float inverse = 1 / dot(across, a);
    p.row_x = scale(a, inverse);
    p.row_y = scale(b, inverse);
    p.row_t = scale(c, inverse);
    p.x = -dot(p.row_x, corner);
    p.y = -dot(p.row_y, corner);
    p.t = -dot(p.row_t, corner);
    return p;
}

ray_fan sn_project_fan(const projector *p, vec place) {
    if (!p->perspective) return (ray_fan){.across = p->across, .down = p->down, .along = p->along};
    float slope = 1 / p->focus;
    return (ray_fan){
        .across = {place.z * slope, 0, 0},
        .down = {0, -place.z * slope, 0},
        .along = {(place.x - p->x) * slope, (p->y - place.y) * slope, 1},
        .turn_x = {slope, 0, 0},
        .turn_y = {0, -slope, 0},
    };
}

/* The slopes between which a circle is seen from the origin; `depth` is more than the radius. */
static void tangents(float across, float depth, float radius, float *least, float *most) {
    float square = most_of(across * across + (depth - radius) * (depth + radius), 0);
    float root = radius * sqrtf(square), inverse = 1 / ((depth - radius) * (depth + radius));
    *least = (across * depth - root) * inverse;
    *most = (across * depth + root) * inverse;
}

bool sn_project_ball(const projector *p, vec space, float radius, place_box *box) {
    if (!p->perspective) {
        vec place = project_place(p, space);
        float dx = radius * norm(p->row_x), dy = radius * norm(p->row_y);
        *box = (place_box){place.x - dx, place.y - dy, place.x + dx, place.y + dy};
        return true;
    }
    if (!(space.z + radius > p->near)) return false;
    /* Around the eye, or nearly so: anywhere. */
    if (!(space.z - radius > p->near)) {
        *box = (place_box){-INFINITY, -INFINITY, INFINITY, INFINITY};
        return true;
    }
    float left, right, bottom, top;
    tangents(space.x, space.z, radius, &left, &right);
    tangents(space.y, space.z, radius, &bottom, &top);
    *box = (place_box){p->x + p->focus * left, p->y - p->focus * top, p->x + p->focus * right,
                       p->y - p->focus * bottom};
    return true;
}

/* How far a point is inside the plane of one side of what is seen: near, left, right, top and
   bottom. */
static float inside(const projector *p, vec point, int side) {
    float slope = p->reach / p->focus;
    switch (side) {
    case 0:
        return point.z - p->near;
    case 1:
        return slope * point.z + point.x;
    case 2:
        return slope * point.z - point.x;
    case 3:
        return slope * point.z + point.y;
    default:
        return slope * point.z - point.y;
    }
}

bool sn_project_is_inside(const projector *p, vec space) {
    if (!p->perspective) return true;
    for (int side = 0; side < 5; side++)
        if (!(inside(p, space, side) > 0)) return false;
    return true;
}

/* Cuts a convex polygon along one side (Sutherland and Hodgman 1974); the new number of corners. */
static int cut_side(const projector *p, int side, const vec *from, int count, vec *to) {
    int made = 0;
    for (int i = 0; i < count; i++) {
        vec a = from[i], b = from[(i + 1) % count];
        float da = inside(p, a, side), db = inside(p, b, side);
        if (da > 0) to[made++] = a;
        if ((da > 0) != (db > 0)) to[made++] = mix(a, b, da / (da - db));
    }
    return made;
}

int sn_project_cut(const projector *p, const vec corner[3], vec pieces[CUT_MOST][3]) {
    vec polygon[2][3 + 5 + 1];
    int count = 3;
    for (int i = 0; i < 3; i++) polygon[0][i] = corner[i];
    for (int side = 0; side < 5 && count > 0; side++)
        count = cut_side(p, side, polygon[side % 2], count, polygon[(side + 1) % 2]);
    vec place[3 + 5 + 1];
    for (int i = 0; i < count; i++) {
        vec at = polygon[1][i];
        at.z = most_of(at.z, p->near);
        place[i] = project_place(p, at);
        /* Rounding may be large where coordinates are. */
        place[i].x = clamp(place[i].x, -2 * p->reach, 2 * p->reach);
        place[i].y = clamp(place[i].y, -2 * p->reach, 2 * p->reach);
        place[i].z = project_key(p, place[i].z);
    }
    for (int i = 0; i + 2 < count; i++) {
        pieces[i][0] = place[0];
        pieces[i][1] = place[i + 1];
        pieces[i][2] = place[i + 2];
    }
    return count > 2 ? count - 2 : 0;
}
