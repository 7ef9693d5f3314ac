/*
 * What is under a pointer. Queries know collision surfaces, balls and colliders; what has none of
 * these is looked for as it is drawn, and the node of its body that is nearest to that point is
 * taken. Lines and points without thickness are hit within a tolerance, which grows with distance.
 */
#include "view.h"

#include <math.h>

typedef struct ray {
    double origin[3], direction[3]; /* of length 1 */
    double tolerance;               /* m per m of distance */
} ray;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void from_to(sn_vec3 a, sn_vec3 b, double c[3]) {
    c[0] = (double)b.x - (double)a.x;
    c[1] = (double)b.y - (double)a.y;
    c[2] = (double)b.z - (double)a.z;
}

/* How far along the ray a triangle is; infinite where it is missed (Moeller and Trumbore 1997). */
static double meet_triangle(const ray *r, sn_vec3 a, sn_vec3 b, sn_vec3 c) {
    double e[3], f[3], p[3], q[3];
    from_to(a, b, e);
    from_to(a, c, f);
    double s[3] = {r->origin[0] - (double)a.x, r->origin[1] - (double)a.y,
                   r->origin[2] - (double)a.z};
    cross(r->direction, f, p);
    double det = dot(e, p);
    if (fabs(det) < 1e-18) return INFINITY;
    double u = dot(s, p) / det;
    cross(s, e, q);
    double v = dot(r->direction, q) / det, t = dot(f, q) / det;
    return u >= 0 && v >= 0 && u + v <= 1 && t > 0 ? t : INFINITY;
}

/* The same for a ball about a point. */
static double meet_ball(const ray *r, sn_vec3 x, double radius) {
    double s[3] = {(double)x.x - r->origin[0], (double)x.y - r->origin[1],
                   (double)x.z - r->origin[2]};
    double t = dot(s, r->direction), away = dot(s, s) - t * t;
    double reach = fmax(radius, r->tolerance * t);
    return t > 0 && away < reach * reach ? t : INFINITY;
}

/* A line is tried at some points along it. */
static double meet_line(const ray *r, sn_vec3 a, sn_vec3 b, double radius) {
    double nearest = INFINITY;
    for (int k = 0; k <= 4; k++) {
        float s = (float)k / 4;
        sn_vec3 x = {a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.z + s * (b.z - a.z)};
        nearest = fmin(nearest, meet_ball(r, x, radius));
    }
    return nearest;
}

static double meet_shape(const ray *r, const sn_io_shape *s) {
    double nearest = INFINITY;
    const sn_vec3 *x = s->positions;
    for (size_t i = 0; i < s->triangle_count; i++) {
        const uint32_t *t = s->triangles[i];
        nearest = fmin(nearest, meet_triangle(r, x[t[0]], x[t[1]], x[t[2]]));
    }
    for (size_t i = 0; i < s->line_count; i++) {
        const uint32_t *l = s->lines[i];
        nearest =
            fmin(nearest, meet_line(r, x[l[0]], x[l[1]], s->radii ? (double)s->radii[l[0]] : 0));
    }
    bool loose = s->triangle_count == 0 && s->line_count == 0;
    for (size_t i = 0; loose && i < s->vertex_count; i++)
        nearest = fmin(nearest, meet_ball(r, x[i], s->radii ? (double)s->radii[i] : 0));
    return nearest;
}

/* The node of a body, or with a null id any node without one, that is nearest to a point. */
static bool nearest_node(sn_world *world, sn_body body, const double point[3], sn_node *node) {
    sn_node_view nodes;
    double least = INFINITY;
    if (sn_world_nodes(world, &nodes) != SN_OK) return false;
    for (size_t i = 0; i < nodes.count; i++) {
        if (!nodes.alive[i]) continue;
        sn_vec4 x = nodes.position[i];
        double d[3] = {(double)x.x - point[0], (double)x.y - point[1], (double)x.z - point[2]};
        if (dot(d, d) >= least) continue;
        sn_node_def def = sn_node_def_default();
        sn_node id;
        if (sn_world_node_at(world, i, &id) != SN_OK || sn_node_get(world, id, &def) != SN_OK ||
            def.body.slot != body.slot)
            continue;
        least = dot(d, d);
        *node = id;
    }
    return least < INFINITY;
}

/* Bodies as they are drawn: the nearest, and its node. */
static void find_drawn(view *v, const ray *r, view_target *target) {
    double nearest = target->found ? (double)target->hit.distance * 0.999 : INFINITY;
    size_t shapes = v->plain.shape_count, found = shapes;
    for (size_t i = 0; i < shapes && i <= v->body_count; i++) {
        /* Behind the bodies come single nodes, then colliders. */
        if (i == v->body_count && v->plain.shapes[i].triangle_count > 0) break;
        double t = meet_shape(r, &v->plain.shapes[i]);
        if (t >= nearest) continue;
        nearest = t;
        found = i;
    }
    if (found == shapes) return;
    sn_scene_body body = {.body = {0, 0, 0}};
    (void)sn_scene_body_at(v->scene, found, &body);
    double point[3];
    for (int k = 0; k < 3; k++) point[k] = r->origin[k] + nearest * r->direction[k];
    sn_node node;
    if (!nearest_node(sn_scene_world(v->scene), body.body, point, &node)) return;
    target->found = true;
    target->hit = (sn_hit){.kind = SN_HIT_NODE,
                           .node_count = 1,
                           .node = {node},
                           .weight = {1},
                           .point = {(float)point[0], (float)point[1], (float)point[2]},
                           .distance = (float)nearest};
}

sn_result view_find(view *v, const float from[6], float tolerance, view_target *target) {
    ray r = {.tolerance = (double)tolerance};
    double length = 0;
    for (int k = 0; k < 3; k++) {
        r.origin[k] = (double)from[k];
        length += (double)from[3 + k] * (double)from[3 + k];
    }
    for (int k = 0; k < 3; k++) r.direction[k] = (double)from[3 + k] / sqrt(length);
    sn_cast_def cast = sn_cast_def_default();
    cast.origin = (sn_vec3){from[0], from[1], from[2]};
    cast.direction = (sn_vec3){from[3], from[4], from[5]};
    sn_world *world = sn_scene_world(v->scene);
    SN_TRY(sn_query_refresh(v->query, world));
    SN_TRY(sn_query_cast(v->query, &cast, NULL, &target->hit));
    target->found = target->hit.kind != SN_HIT_NONE;
    SN_TRY(sn_scene_frame(v->scene, &v->plain));
    find_drawn(v, &r, target);
    return SN_OK;
}
