#include "collision/shapes/shape_axes.h"

#include "collision/collider_pose.h"
#include "math/angle.h"

enum {
    RIM = 16, /* points of a rim, as in shape_points.c */
    /* Edges of a hull; of one that has more, faces alone are as close as its edges are. */
    MOST_EDGES = 48
};

size_t sn_shape_axes_most(const sn_collider_def *s) {
    if (s->shape == SN_SHAPE_BOX) return 6 + 3;
    if (s->shape == SN_SHAPE_CYLINDER) return RIM + 2 + RIM / 2 + 1;
    if (s->shape == SN_SHAPE_HULL) return s->form->boundary.triangle_count + MOST_EDGES + 1;
    return 0;
}

static size_t box(sn_vec4 *axes, size_t *faces) {
    *faces = 6;
    for (int k = 0; k < 9; k++) {
        sn_v4 axis = {0};
        axis[k % 3] = k / 3 == 1 ? -1 : 1;
        sn_v4_store(&axes[k], axis);
    }
    return 3;
}

static size_t cylinder(sn_vec4 *axes, size_t *faces) {
    *faces = RIM + 2;
    for (int k = 0; k < RIM; k++) {
        double sine, cosine;
        sn_sine_cosine(2 * 3.14159265358979323846 * (k + 0.5) / RIM, &sine, &cosine);
        axes[k] = (sn_vec4){(sn_real)cosine, 0, (sn_real)sine, 0};
        if (k < RIM / 2) axes[RIM + 2 + k] = (sn_vec4){-(sn_real)sine, 0, (sn_real)cosine, 0};
    }
    axes[RIM] = axes[RIM + 2 + RIM / 2] = (sn_vec4){0, 1, 0, 0};
    axes[RIM + 1] = (sn_vec4){0, -1, 0, 0};
    return RIM / 2 + 1;
}

/* Adds a direction that is not there yet; triangles of a flat face have one normal. */
static void add(sn_vec4 *axes, size_t *count, sn_v4 axis, bool signs) {
    sn_real square = sn_v4_dot(axis, axis);
    if (!(square > 0)) return;
    axis *= 1 / SN_ROOT(square);
    axis[3] = 0;
    for (size_t k = 0; k < *count; k++) {
        sn_real along = sn_v4_dot(axis, sn_v4_load(&axes[k]));
        if ((signs || along > 0 ? along : -along) > SN_R(0.999999)) return;
    }
    sn_v4_store(&axes[(*count)++], axis);
}

static sn_v4 corner(const sn_boundary *b, size_t t, int k) {
    return sn_v4_of(b->vertices[b->triangles[t][k % 3]]);
}

static sn_v4 normal_of(const sn_boundary *b, size_t t) {
    sn_v4 a = corner(b, t, 0), n = sn_v4_cross(corner(b, t, 1) - a, corner(b, t, 2) - a);
    sn_real length = sn_v4_length(n);
    if (length > 0) n *= 1 / length;
    return n;
}

static size_t hull(const sn_boundary *b, sn_vec4 *axes, size_t *faces) {
    size_t edges = 0;
    *faces = 0;
    for (size_t t = 0; t < b->triangle_count; t++) add(axes, faces, normal_of(b, t), true);
    for (size_t t = 0; t < b->triangle_count; t++)
        for (int k = 0; k < 3 && edges <= MOST_EDGES; k++) {
            uint32_t beyond = b->beyond[t][k];
            bool flat = beyond != SN_BVH_NONE &&
                        sn_v4_dot(normal_of(b, t), normal_of(b, beyond)) > SN_R(0.999999);
            if (!flat) add(axes + *faces, &edges, corner(b, t, k + 1) - corner(b, t, k), false);
        }
    return edges <= MOST_EDGES ? edges : 0;
}

size_t sn_shape_axes(const sn_collider_def *s, sn_vec4 *axes, size_t *faces) {
    if (s->shape == SN_SHAPE_BOX) return box(axes, faces);
    if (s->shape == SN_SHAPE_CYLINDER) return cylinder(axes, faces);
    return hull(&s->form->boundary, axes, faces);
}
