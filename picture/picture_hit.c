#include "picture/picture_hit.h"

static vec colour_of(const hit_scene *s, const stage_part *part, bool front, float value) {
    if (part->has_value) return sn_colour_of_value(&s->scale, value);
    return front ? part->front : part->back;
}

/* The colour between vertices, where they have some. */
static vec paint_of(const hit_scene *s, const stage_part *part, bool front, const size_t *v,
                    const float *weight, int count) {
    vec sum = {0, 0, 0};
    if (!front && part->has_back) return part->back;
    for (int k = 0; k < count; k++) sum = add(sum, scale(s->stage->colours[v[k]], weight[k]));
    return front ? sum : stage_duller(sum);
}

/* How much of a pixel the nearest edge darkens; `weight` are the barycentric coordinates, and the
   heights of the triangle over its edges follow from its area. */
static float wire_at(const hit_scene *s, const vec corner[3], const float weight[3], float area,
                     float distance, float slant) {
    float nearest = INFINITY, narrow = INFINITY;
    for (int k = 0; k < 3; k++) {
        float edge = norm(sub(corner[(k + 1) % 3], corner[(k + 2) % 3]));
        if (!(edge > 0)) continue;
        nearest = least_of(nearest, weight[k] * area / edge);
        narrow = least_of(narrow, area / edge);
    }
    /* Pixels; a slanted triangle is narrower on the picture than it is. Edges that are too close
       together would only make it dark. */
    float pixels = most_of(slant, 0.15f) / (distance * s->pixel);
    return (1 - smooth(0.35f, 1.1f, nearest * pixels)) * smooth(0, 6, narrow * pixels);
}

/* Directions on a triangle in which u and v of the material grow, per metre of it; false where it
   has no area there. */
static bool material_axes(const float uv[3][2], const vec corner[3], vec *along_u, vec *along_v) {
    vec ab = sub(corner[1], corner[0]), ac = sub(corner[2], corner[0]);
    float bu = uv[1][0] - uv[0][0], bv = uv[1][1] - uv[0][1];
    float cu = uv[2][0] - uv[0][0], cv = uv[2][1] - uv[0][1], area = bu * cv - bv * cu;
    if (!(fabsf(area) > 1e-20f)) return false;
    *along_u = unit(scale(sub(scale(ab, cv), scale(ac, bv)), 1 / area));
    *along_v = unit(scale(sub(scale(ac, bu), scale(ab, cu)), 1 / area));
    return true;
}

/* Prints a pattern, and draws threads, which also catch the light as they bow. */
static void add_fabric(const hit_scene *s, const stage_part *part, const size_t v[3],
                       const vec corner[3], const float weight[3], vec ray, surface_point *at) {
    float uv[3][2], u[2] = {0, 0};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            uv[k][i] = s->stage->uvs[v[k]][i];
            u[i] += weight[k] * uv[k][i];
        }
    /* A pixel shows more of what is looked at aslant, one way. */
    float slant = most_of(-dot(at->normal, ray), 0.12f);
    float wide = norm(sub(at->point, s->camera->eye)) * s->pixel / sqrtf(slant);
    const fabric *f = &part->fabric;
    if (f->texture) {
        float per = 1 / f->texture_size;
        at->colour = mul(at->colour, sn_texture_at(f->texture, per * u[0], per * u[1], per * wide));
    }
    float print = sn_fabric_print(f, u[0], u[1], wide);
    at->colour = mix(at->colour, f->pattern_colour, print);
    fabric_threads t = sn_fabric_threads(f, u[0], u[1], wide);
    at->colour = scale(at->colour, t.light);
    vec along_u, along_v;
    if ((t.lean_u != 0 || t.lean_v != 0) &&
        material_axes((const float(*)[2])uv, corner, &along_u, &along_v))
        at->normal = unit(add(at->normal, add(scale(along_u, t.lean_u), scale(along_v, t.lean_v))));
}

static void hit_triangle(const hit_scene *s, const stage_part *part, uint32_t item, vec ray,
                         surface_point *at) {
    const uint32_t *t = part->shape->triangles[item - part->triangles];
    size_t v[3];
    vec corner[3];
    for (int k = 0; k < 3; k++) {
        v[k] = part->first_vertex + t[k];
        corner[k] = s->stage->points[v[k]];
    }
    vec ab = sub(corner[1], corner[0]), ac = sub(corner[2], corner[0]);
    /* Moeller and Trumbore 1997: where the ray meets the plane, in barycentric coordinates. */
    vec from = sub(s->camera->eye, corner[0]), h = cross(ray, ac), q = cross(from, ab);
    float determinant = dot(ab, h), inverse = determinant != 0 ? 1 / determinant : 0;
    float u = clamp(dot(from, h) * inverse, 0, 1), w = clamp(dot(ray, q) * inverse, 0, 1 - u);
    const float weight[3] = {1 - u - w, u, w};
    vec product = cross(ab, ac), normal = {0, 0, 0};
    bool front = dot(product, ray) < 0;
    uint32_t own = s->stage->corners_of[item];
    float value = 0;
    for (int k = 0; k < 3; k++) {
        vec n = own == STAGE_NOTHING ? s->stage->normals[v[k]] : s->stage->corners[own][k];
        normal = add(normal, scale(n, weight[k]));
        if (part->has_value) value += weight[k] * s->stage->values[v[k]];
    }
    normal = unit(normal);
    at->point = add(corner[0], add(scale(ab, u), scale(ac, w)));
    at->normal = front ? normal : scale(normal, -1);
    at->colour =
        part->painted ? paint_of(s, part, front, v, weight, 3) : colour_of(s, part, front, value);
    at->closed = part->closed;
    at->smoke = false;
    if (!fabric_is_plain(&part->fabric) && !part->has_value)
        add_fabric(s, part, v, corner, weight, ray, at);
    if (!s->wire) return;
    float distance = norm(sub(at->point, s->camera->eye));
    float line =
        wire_at(s, corner, weight, norm(product), distance, fabsf(dot(unit(product), ray)));
    at->colour = mix(at->colour, scale(at->colour, 0.25f), 0.8f * line);
}

/* A point of a ball or a tube. */
static void round_point(const stage_part *part, vec point, vec normal, vec colour,
                        surface_point *at) {
    at->point = point;
    at->normal = normal;
    at->colour = colour;
    at->closed = true;
    at->smoke = part->smoke;
}

/* As sn_fill_ball, for one ray; the nearest point of the ray where rounding makes it miss. */
static void hit_ball(const hit_scene *s, const stage_part *part, uint32_t item, vec ray,
                     surface_point *at) {
    size_t vertex = part->first_vertex + item - part->balls;
    vec centre = s->stage->points[vertex], to = sub(centre, s->camera->eye);
    vec aside = sub(scale(ray, dot(to, ray)), to);
    float r = s->stage->radii[vertex];
    float rest = most_of(r * r - dot(aside, aside), 0);
    vec normal = unit(sub(aside, scale(ray, sqrtf(rest))));
    float value = part->has_value ? s->stage->values[vertex] : 0;
    round_point(part, add(centre, scale(normal, r)), normal,
                part->painted ? s->stage->colours[vertex] : colour_of(s, part, true, value), at);
}

/* As sn_fill_tube. */
static void hit_tube(const hit_scene *s, const stage_part *part, uint32_t item, vec ray,
                     surface_point *at) {
    const uint32_t *l = part->shape->lines[item - part->lines];
    size_t va = part->first_vertex + l[0], vb = part->first_vertex + l[1];
    vec a = s->stage->points[va], way = sub(s->stage->points[vb], a);
    float length = norm(way), ra = s->stage->radii[va];
    vec u = unit(way);
    float rise = length > 0 ? (s->stage->radii[vb] - ra) / length : 0;
    /* From the point of the ray that is nearest to a. */
    vec to = sub(a, s->camera->eye), e = sub(scale(ray, dot(to, ray)), to);
    float es = dot(e, u), ds = dot(ray, u), here = ra + rise * es;
    vec ep = sub(e, scale(u, es)), dp = sub(ray, scale(u, ds));
    float square = most_of(dot(dp, dp) - rise * rise * ds * ds, 1e-12f);
    float half = dot(ep, dp) - rise * ds * here;
    float rest = most_of(half * half - square * (dot(ep, ep) - here * here), 0);
    float t = (-half - sqrtf(rest)) / square, along = clamp(es + t * ds, 0, length);
    vec out = unit(add(ep, scale(dp, t)));
    float share = length > 0 ? along / length : 0, value = 0;
    if (part->has_value)
        value = s->stage->values[va] + share * (s->stage->values[vb] - s->stage->values[va]);
    vec point = add(add(a, scale(u, along)), scale(out, ra + rise * along));
    const size_t ends[2] = {va, vb};
    const float weight[2] = {1 - share, share};
    round_point(part, point, unit(sub(out, scale(u, rise))),
                part->painted ? paint_of(s, part, true, ends, weight, 2)
                              : colour_of(s, part, true, value),
                at);
}

void sn_hit_item(const hit_scene *s, const stage_part *whole, uint32_t item, vec ray,
                 surface_point *at) {
    const stage_part *part = stage_skin(whole, item);
    at->ray = ray;
    at->sheen = part->sheen;
    at->power = part->power;
    at->shine = part->shine;
    at->opacity = part->opacity;
    if (item < part->lines)
        hit_triangle(s, part, item, ray, at);
    else if (item < part->balls)
        hit_tube(s, part, item, ray, at);
    else
        hit_ball(s, part, item, ray, at);
}
