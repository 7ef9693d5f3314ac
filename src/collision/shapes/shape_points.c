#include "collision/shapes/shape_points.h"

#include "math/angle.h"
#include "math/quaternion.h"

/* Of a rim. */
enum { RIM = 16 };
/* rad: what stands on a rim that straight is the same all around. */
static const sn_real FLAT = SN_R(1e-3);

static size_t box(const sn_collider_def *s, sn_vec4 *points) {
    for (int k = 0; points && k < 8; k++)
        points[k] =
            (sn_vec4){k & 1 ? s->extent.x : -s->extent.x, k & 2 ? s->extent.y : -s->extent.y,
                      k & 4 ? s->extent.z : -s->extent.z, s->radius};
    return 8;
}

static size_t capsule(const sn_collider_def *s, sn_vec4 *points) {
    for (int k = 0; points && k < 3; k++)
        points[k] = (sn_vec4){0, (sn_real)(k - 1) * s->extent.y, 0, s->radius};
    return 3;
}

static size_t cylinder(const sn_collider_def *s, sn_vec4 *points) {
    for (int k = 0; points && k < RIM; k++) {
        double sine, cosine;
        sn_sine_cosine(2 * 3.14159265358979323846 * k / RIM, &sine, &cosine);
        sn_real x = (sn_real)(cosine * (double)s->radius), z = (sn_real)(sine * (double)s->radius);
        points[2 * k] = (sn_vec4){x, -s->extent.y, z, 0};
        points[2 * k + 1] = (sn_vec4){x, s->extent.y, z, 0};
    }
    return 2 * RIM;
}

static sn_v4 place_of(const sn_vec4 *at) {
    return (sn_v4){at->x, at->y, at->z, 0};
}

sn_v4 sn_shape_rim_middle(const sn_vec4 *points, size_t point) {
    const size_t rim = point % 2;
    return SN_R(0.5) * (place_of(&points[rim]) + place_of(&points[rim + RIM]));
}

/* The first point of the rim goes to where that is furthest, and takes the others with it. */
sn_v4 sn_shape_rim_place(const sn_vec4 *points, size_t point, sn_v4 along) {
    const size_t rim = point % 2;
    sn_v4 middle = sn_shape_rim_middle(points, point), at = place_of(&points[point]) - middle;
    sn_v4 x = place_of(&points[rim]) - middle, y = place_of(&points[rim + RIM / 2]) - middle;
    sn_real square = sn_v4_dot(x, x), cosine = sn_v4_dot(along, x), sine = sn_v4_dot(along, y);
    sn_real length = cosine * cosine + sine * sine;
    if (!(length > FLAT * FLAT * square * sn_v4_dot(along, along))) return middle + at;
    sn_real scale = 1 / (square * SN_ROOT(length));
    sn_real by_x = sn_v4_dot(at, x), by_y = sn_v4_dot(at, y);
    return middle + scale * ((by_x * cosine - by_y * sine) * x + (by_x * sine + by_y * cosine) * y);
}

static size_t vertices(const sn_collider_def *s, sn_vec4 *points) {
    const sn_geometry *g = &s->geometry;
    for (size_t k = 0; points && k < g->vertex_count; k++)
        points[k] = (sn_vec4){g->vertices[k].x, g->vertices[k].y, g->vertices[k].z, s->radius};
    return g->vertex_count;
}

static size_t parts(const sn_collider_def *s, sn_vec4 *points) {
    size_t count = 0;
    for (size_t i = 0; s->form && i < s->form->part_count; i++) {
        const sn_collider_def *piece = &s->form->pieces[i];
        size_t own = sn_shape_points(piece, points ? points + count : NULL);
        sn_quat q = piece->orientation;
        for (size_t k = count; points && k < count + own; k++) {
            sn_v4 at = sn_quat_rotate((sn_v4){q.x, q.y, q.z, q.w},
                                      (sn_v4){points[k].x, points[k].y, points[k].z, 0});
            points[k] = (sn_vec4){at[0] + piece->position.x, at[1] + piece->position.y,
                                  at[2] + piece->position.z, points[k].w};
        }
        count += own;
    }
    return count;
}

void sn_shape_points_between(const sn_collider_def *s, sn_real *half) {
    const bool compound = s->shape == SN_SHAPE_COMPOUND && s->form;
    size_t count = sn_shape_points(s, NULL);
    for (size_t k = 0; k < count; k++) half[k] = -1;
    if (s->shape == SN_SHAPE_CAPSULE) half[1] = s->extent.y;
    for (size_t i = 0; compound && i < s->form->part_count; i++) {
        sn_shape_points_between(&s->form->pieces[i], half);
        half += sn_shape_points(&s->form->pieces[i], NULL);
    }
}

size_t sn_shape_points(const sn_collider_def *s, sn_vec4 *points) {
    switch (s->shape) {
    case SN_SHAPE_SPHERE:
        if (points) *points = (sn_vec4){0, 0, 0, s->radius};
        return 1;
    case SN_SHAPE_CAPSULE:
        return capsule(s, points);
    case SN_SHAPE_BOX:
        return box(s, points);
    case SN_SHAPE_CYLINDER:
        return cylinder(s, points);
    case SN_SHAPE_MESH:
    case SN_SHAPE_HULL:
    case SN_SHAPE_SDF:
        return vertices(s, points);
    case SN_SHAPE_COMPOUND:
        return parts(s, points);
    default:
        return 0;
    }
}
