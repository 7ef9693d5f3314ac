#include "picture/picture_shade.h"

#include "picture/quad.h"

static const vec horizon = {0.70f, 0.75f, 0.80f}, zenith = {0.26f, 0.38f, 0.54f};

/* Light from everywhere: bluish from the sky, and what the ground sends back, which is less where
   it is dark itself. */
static vec ambient(const shading *s, vec point, vec normal) {
    float up = 0.5f + 0.5f * normal.y;
    vec below = s->floor_light;
    if (s->has_ground && up < 0.999f) {
        float dark = ground_at(&s->sky, point.x, point.z);
        below = scale(below, 1 - 0.75f * dark);
    }
    return mix(below, s->sky_light, up);
}

float sn_shade_seen(const shading *s, int light, const surface_point *at) {
    const shade_light *l = &s->lights[light];
    float facing = dot(at->normal, l->to_light);
    if (!(facing > 0) && at->closed) return 0;
    /* Step off the surface, or it would shadow itself where the map is coarse. */
    float offset = 2.5f * l->map.texel;
    vec off = add(at->point, scale(at->normal, facing > 0 ? offset : -offset));
    return sn_light_at(&l->map, off, 0.5f * l->map.texel, 0);
}

vec sn_shade_surface(const shading *s, const surface_point *at, const float *seen) {
    vec around = ambient(s, at->point, at->normal), normal = at->normal, ray = at->ray;
    float edge = 1 - most_of(-dot(normal, ray), 0);
    edge *= edge * edge * edge;
    /* Fibres that are looked along are bright, in the colour of the cloth the more of them. */
    float fuzz = 0.9f * at->sheen * edge;
    vec direct = {0, 0, 0},
        gloss = mul(mix((vec){1, 1, 1}, at->colour, 0.35f), scale(around, fuzz));
    for (int i = 0; i < s->light_count; i++) {
        const shade_light *l = &s->lights[i];
        float facing = dot(normal, l->to_light);
        if (!(facing > 0) && at->closed) continue;
        /* What is thin lets a little light through. */
        direct = add(direct, scale(l->colour, seen[i] * (facing > 0 ? facing : -0.22f * facing)));
        if (!(facing > 0)) continue;
        float shine = most_of(dot(normal, unit(sub(l->to_light, ray))), 0);
        /* As a power of it, nearly: (1 - x)^n is close to a square of (1 - n x / 2) near 1. */
        float near = most_of(1 - 0.125f * at->power * (1 - shine), 0);
        near *= near;
        near *= near;
        gloss = add(gloss, scale(l->colour, at->shine * seen[i] * near * near));
        gloss = add(gloss, scale(l->colour, 0.25f * fuzz * seen[i] * facing));
    }
    if (s->flat) return mul(at->colour, add(scale(around, 2.0f), scale(direct, 0.5f)));
    return add(mul(at->colour, add(around, direct)), gloss);
}

/* How much of a pixel that is `wide` around a coordinate is covered by a line of the grid, as a
   length, and of what. Both are in spacings. */
static inline quad grid_line(quad at, quad wide, quad *of) {
    const float line = 0.006f;
    quad half = quad_most(0.5f * wide, quad_of(0.004f)), away = at - quad_round(at);
    quad from = quad_most(away - half, quad_of(-line)), to = quad_least(away + half, quad_of(line));
    *of = 2 * half;
    return quad_most(to - from, quad_of(0));
}

/* The same of the lines both ways; few pixels have any. */
static inline quad grid_lines(quad x, quad z, quad across, quad along) {
    quad wide, deep, one = grid_line(x, across, &wide), two = grid_line(z, along, &deep);
    if (!quad_any((one > 0) | (two > 0))) return quad_of(0);
    return quad_most(one / wide, two / deep);
}

/* Which of two squares side by side a pixel is in, -0.5 or 0.5, and between them where it is in
   both or in many. */
static inline quad squares(quad at, quad wide) {
    quad half = 0.5f * at, away = quad_size(half - quad_round(half)) - 0.25f;
    quad sharp = quad_clamp(2 * away / quad_most(wide, quad_of(1e-4f)), -0.5f, 0.5f);
    return sharp * quad_clamp(1.5f - wide, 0, 1);
}

/* What is on the ground at four points, where a pixel is `wide` and `deep`, in spacings. */
static inline quad find_lines(const shading *s, quad px, quad pz, quad dx, quad dz, quad wide,
                              quad deep) {
    float per_grid = 1 / s->grid;
    quad ax = quad_size(dx), az = quad_size(dz);
    quad across = ax * deep + az * wide, along = az * deep + ax * wide;
    quad gx = (px - s->grid_at.x) * per_grid, gz = (pz - s->grid_at.z) * per_grid;
    if (s->ground_kind == SN_IO_GROUND_GRID) return 0.16f * grid_lines(gx, gz, across, along);
    if (s->ground_kind == SN_IO_GROUND_CHECKER)
        return 0.35f * (0.5f + 2 * squares(gx, across) * squares(gz, along));
    return quad_of(0);
}

/* Where rays are as steep as at the other end, as they are in a row of a camera that is level, they
   meet the ground as soon. */
static inline ground_end find_end(const shading *s, const projector *camera, vec ray,
                                  const ground_end *other) {
    float height = s->ground - camera->eye.y;
    ground_end e = {.ray = ray, .up = ray.y / norm(ray)};
    if (!(height < 0 && e.up < -1e-4f)) return e;
    e.t = other && other->ray.y == ray.y && other->t > 0 ? other->t : height / ray.y;
    e.x = camera->eye.x + e.t * ray.x;
    e.z = camera->eye.z + e.t * ray.z;
    /* Close to exp(-far), and much faster. */
    float far = (e.x * e.x + e.z * e.z) * s->fade;
    e.clear = 1 / (1 + far * (1 + far * (0.5f + far * 0.2f)));
    return e;
}

/* Whether an interval has a whole number in it, and so a line of the grid. */
static inline bool has_line(float a, float b, float margin) {
    float low = least_of(a, b) - margin, high = most_of(a, b) + margin;
    return !(fabsf(low) < 1e6f && fabsf(high) < 1e6f) || floorf(low) != floorf(high);
}

/* Whether a span shows nothing that is on the ground, where a pixel is `wide` and `deep`. */
static bool is_bare(const shading *s, const ground_end e[2], float wide, float deep) {
    if (s->ground_kind == SN_IO_GROUND_PLAIN) return true;
    if (s->ground_kind != SN_IO_GROUND_GRID) return false;
    float per_grid = 1 / s->grid, ax = fabsf(e[0].ray.x), az = fabsf(e[0].ray.z);
    float across = 0.01f + 0.55f * (ax * deep + az * wide);
    float along = 0.01f + 0.55f * (az * deep + ax * wide);
    return !has_line((e[0].x - s->grid_at.x) * per_grid, (e[1].x - s->grid_at.x) * per_grid,
                     across) &&
           !has_line((e[0].z - s->grid_at.z) * per_grid, (e[1].z - s->grid_at.z) * per_grid, along);
}

/* From one end up to the other. */
static inline void store_between(float *to, float first, float last) {
    const float step = 1.0f / SHADE_SPAN;
    float way = last - first;
    for (int i = 0; i < SHADE_SPAN; i += QUAD)
        quad_store(to + i, first + way * (step * ((float)i + (quad){0, 1, 2, 3})));
}

void sn_shade_find_ground(const shading *s, const projector *camera, float x, float y, float step,
                          const ground_span *before, ground_span *g) {
    ground_end e[2];
    e[0] = before ? before->end : find_end(s, camera, project_ray(camera, x, y), NULL);
    vec first = e[0].ray, right = scale(camera->axes.right, step * camera->pixel);
    e[1] = step == 0 ? e[0] : find_end(s, camera, add(first, scale(right, SHADE_SPAN)), &e[0]);
    g->end = e[1];
    store_between(g->up, e[0].up, e[1].up);
    store_between(g->clear, e[0].clear, e[1].clear);
    g->bare = true;
    if (!(e[0].t > 0 && e[1].t > 0)) {
        /* The horizon is where it fades; a span that it crosses shows none of the ground. */
        if (e[0].t > 0 || e[1].t > 0) store_between(g->clear, 0, 0);
        return;
    }
    store_between(g->x, e[0].x, e[1].x);
    store_between(g->z, e[0].z, e[1].z);
    /* A pixel covers more of the ground the flatter it is looked at. */
    float wide = s->pixel / s->grid * most_of(e[0].t, e[1].t);
    float deep = wide / most_of(-e[0].up, 1e-6f);
    g->bare = is_bare(s, e, wide, deep);
    for (int i = 0; !g->bare && i < SHADE_SPAN; i += QUAD) {
        quad at = (float)i + (quad){0, 1, 2, 3};
        quad_store(g->lines + i,
                   find_lines(s, quad_load(g->x + i), quad_load(g->z + i), first.x + at * right.x,
                              first.z + at * right.z, quad_of(wide), quad_of(deep)));
    }
}

float sn_shade_ground_seen(const shading *s, int light, float x, float z) {
    const shade_light *l = &s->lights[light];
    const ground_box *box = &l->box;
    if (!(x > box->x[0] && x < box->x[1] && z > box->z[0] && z < box->z[1])) return 1;
    return sn_light_at(&l->map, (vec){x, s->ground, z}, 0.25f * l->map.texel, 0);
}

bool sn_shade_is_open(const shading *s, const ground_span *g) {
    const int last = SHADE_SPAN - 1;
    if (!shade_has_ground(s, g, 0) && !shade_has_ground(s, g, last)) return true;
    for (int k = 0; k < s->light_count; k++) {
        const ground_box *box = &s->lights[k].box;
        if (most_of(g->x[0], g->x[last]) > box->x[0] && least_of(g->x[0], g->x[last]) < box->x[1] &&
            most_of(g->z[0], g->z[last]) > box->z[0] && least_of(g->z[0], g->z[last]) < box->z[1])
            return false;
    }
    return true;
}

static inline void find_behind(const shading *s, quad up, quad colour[3]) {
    const vec low = s->plain ? s->backdrop : horizon, high = s->plain ? s->backdrop : zenith;
    colour[0] = quad_of(low.x);
    colour[1] = quad_of(low.y);
    colour[2] = quad_of(low.z);
    if (!quad_any(up > shade_level)) return;
    quad t = quad_clamp((up - shade_level) * (1 / (1 + shade_level)), 0, 1);
    quad share = t * t * (3 - 2 * t);
    colour[0] += share * (high.x - low.x);
    colour[1] += share * (high.y - low.y);
    colour[2] += share * (high.z - low.z);
}

/* How much of the sky the ground sees at the two ends of a span; it changes slowly between them. */
static inline void find_open(const shading *s, const ground_span *g, float open[2]) {
    const ground_map *map = &s->sky;
    float end = (float)map->size / map->per_metre;
    const int last = SHADE_SPAN - 1;
    open[0] = open[1] = 1;
    /* Where it fades, it is far from everything. */
    if (!map->shade || !shade_has_ground(s, g, 0) || !shade_has_ground(s, g, last) ||
        most_of(g->x[0], g->x[last]) < map->x || least_of(g->x[0], g->x[last]) > map->x + end ||
        most_of(g->z[0], g->z[last]) < map->z || least_of(g->z[0], g->z[last]) > map->z + end)
        return;
    open[0] -= 0.85f * ground_at(map, g->x[0], g->z[0]);
    open[1] -= 0.85f * ground_at(map, g->x[last], g->z[last]);
}

/* What is seen of the background in a pixel of a span, in full light and with nothing on it. */
static inline vec bare_pixel(const shading *s, const ground_span *g, int i, float open) {
    const vec low = s->plain ? s->backdrop : horizon, high = s->plain ? s->backdrop : zenith;
    float t = clamp((g->up[i] - shade_level) * (1 / (1 + shade_level)), 0, 1);
    vec colour = mix(low, high, t * t * (3 - 2 * t));
    if (!shade_has_ground(s, g, i)) return colour;
    vec light = scale(s->sky_light, open);
    for (int k = 0; k < s->light_count; k++)
        light = add(light, scale(s->lights[k].colour, s->lights[k].to_light.y));
    return mix(colour, mul(s->ground_colour, light), g->clear[i]);
}

/* Whether all of a span is in the full light of everything. */
static bool is_lit(const shading *s, const float *seen, size_t step) {
    quad_bits dark = {0};
    for (int k = 0; k < s->light_count; k++)
        for (int i = 0; i < SHADE_SPAN; i += QUAD)
            dark |= quad_load(seen + (size_t)k * step + i) != 1;
    return !quad_any(dark);
}

void sn_shade_background(const shading *s, const ground_span *g, const float *seen, size_t step,
                         span_colours *colours) {
    const float sky[3] = {s->sky_light.x, s->sky_light.y, s->sky_light.z};
    const float floor[3] = {s->ground_colour.x, s->ground_colour.y, s->ground_colour.z};
    float ends[2];
    find_open(s, g, ends);
    if (g->bare && is_lit(s, seen, step)) {
        vec a = bare_pixel(s, g, 0, ends[0]), b = bare_pixel(s, g, SHADE_SPAN - 1, ends[1]);
        vec way = scale(sub(b, a), SHADE_SPAN / (SHADE_SPAN - 1.0f));
        store_between(colours->part[0], a.x, a.x + way.x);
        store_between(colours->part[1], a.y, a.y + way.y);
        store_between(colours->part[2], a.z, a.z + way.z);
        return;
    }
    for (int i = 0; i < SHADE_SPAN; i += QUAD) {
        quad colour[3], clear = quad_load(g->clear + i);
        find_behind(s, quad_load(g->up + i), colour);
        quad_bits shown = clear > shade_clear;
        if (s->has_ground && quad_any(shown)) {
            clear = quad_choose(shown, clear, quad_of(0));
            quad share = ((float)i + (quad){0, 1, 2, 3}) * (1.0f / (SHADE_SPAN - 1));
            quad open = ends[0] + (ends[1] - ends[0]) * share;
            quad light[3] = {sky[0] * open, sky[1] * open, sky[2] * open};
            for (int l = 0; l < s->light_count; l++) {
                quad part = quad_load(seen + (size_t)l * step + i) * s->lights[l].to_light.y;
                light[0] += s->lights[l].colour.x * part;
                light[1] += s->lights[l].colour.y * part;
                light[2] += s->lights[l].colour.z * part;
            }
            quad paint = g->bare ? quad_of(1) : 1 - quad_load(g->lines + i);
            for (int k = 0; k < 3; k++)
                colour[k] += clear * (floor[k] * paint * light[k] - colour[k]);
        }
        for (int k = 0; k < 3; k++) quad_store(colours->part[k] + i, colour[k]);
    }
}
