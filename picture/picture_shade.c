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

vec sn_shade_surface(const shading *s, const surface_point *at, vec ray, const float *seen) {
    vec around = ambient(s, at->point, at->normal), normal = at->normal;
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

/* How much of a pixel that is `wide` around a coordinate is covered by the lines of the grid. Both
   are in spacings. */
static inline quad grid_line(quad at, quad wide) {
    const float line = 0.006f;
    quad half = quad_most(0.5f * wide, quad_of(0.004f)), away = at - quad_round(at);
    quad from = quad_most(away - half, quad_of(-line)), to = quad_least(away + half, quad_of(line));
    return quad_most(to - from, quad_of(0)) / (2 * half);
}

/* Which of two squares side by side a pixel is in, -0.5 or 0.5, and between them where it is in
   both or in many. */
static inline quad squares(quad at, quad wide) {
    quad half = 0.5f * at, away = quad_size(half - quad_round(half)) - 0.25f;
    quad sharp = quad_clamp(2 * away / quad_most(wide, quad_of(1e-4f)), -0.5f, 0.5f);
    return sharp * quad_clamp(1.5f - wide, 0, 1);
}

void sn_shade_find_ground(const shading *s, const projector *camera, float x, float y, float step,
                          ground_span *g) {
    vec first = project_ray(camera, x, y), right = scale(camera->axes.right, step / camera->focus);
    float height = s->ground - camera->eye.y, per_grid = 1 / s->grid;
    for (int i = 0; i < SHADE_SPAN; i += QUAD) {
        quad at = (float)i + (quad){0, 1, 2, 3};
        quad dx = first.x + at * right.x, dy = first.y + at * right.y, dz = first.z + at * right.z;
        quad length = quad_root(dx * dx + dy * dy + dz * dz), up = dy / length;
        quad t = height / quad_least(dy, quad_of(-1e-9f));
        quad px = camera->eye.x + t * dx, pz = camera->eye.z + t * dz;
        /* Close to exp(-far), and much faster. */
        quad far = (px * px + pz * pz) * s->fade;
        quad clear = 1 / (1 + far * (1 + far * (0.5f + far * 0.2f)));
        clear = quad_choose(dy < -1e-4f * length, clear, quad_of(0));
        if (!(height < 0)) clear = quad_of(0);
        /* A pixel covers more of the ground the flatter it is looked at. */
        quad wide = s->pixel * per_grid * t, deep = wide / quad_most(-up, quad_of(1e-4f));
        quad ax = quad_size(dx), az = quad_size(dz);
        quad across = ax * deep + az * wide, along = az * deep + ax * wide;
        quad gx = (px - s->grid_at.x) * per_grid, gz = (pz - s->grid_at.z) * per_grid;
        quad dark = quad_of(0);
        if (s->ground_kind == SN_IO_GROUND_GRID)
            dark = 0.16f * quad_most(grid_line(gx, across), grid_line(gz, along));
        else if (s->ground_kind == SN_IO_GROUND_CHECKER)
            dark = 0.35f * (0.5f + 2 * squares(gx, across) * squares(gz, along));
        quad_store(g->up + i, up);
        quad_store(g->clear + i, clear);
        quad_store(g->x + i, px);
        quad_store(g->z + i, pz);
        quad_store(g->lines + i, dark);
    }
}

float sn_shade_ground_seen(const shading *s, int light, float x, float z) {
    const shade_light *l = &s->lights[light];
    const ground_box *box = &l->box;
    if (!(x > box->x[0] && x < box->x[1] && z > box->z[0] && z < box->z[1])) return 1;
    return sn_light_at(&l->map, (vec){x, s->ground, z}, 0.25f * l->map.texel, 0);
}

static inline void find_behind(const shading *s, quad up, quad colour[3]) {
    const vec low = s->plain ? s->backdrop : horizon, high = s->plain ? s->backdrop : zenith;
    quad t = quad_clamp((up + 0.05f) * (1 / 0.95f), 0, 1), share = t * t * (3 - 2 * t);
    colour[0] = low.x + share * (high.x - low.x);
    colour[1] = low.y + share * (high.y - low.y);
    colour[2] = low.z + share * (high.z - low.z);
}

/* How much of the sky the ground sees. */
static inline quad find_open(const shading *s, quad x, quad z) {
    const ground_map *map = &s->sky;
    float end = (float)map->size / map->per_metre;
    quad open = quad_of(1);
    if (!map->shade || quad_largest(x) < map->x || quad_smallest(x) > map->x + end ||
        quad_largest(z) < map->z || quad_smallest(z) > map->z + end)
        return open;
    /* It changes slowly. */
    float from = ground_at(map, x[0], z[0]), to = ground_at(map, x[3], z[3]);
    return open - 0.85f * (from + (to - from) * (quad){0, 1.0f / 3, 2.0f / 3, 1});
}

void sn_shade_background(const shading *s, const ground_span *g, const float *seen, size_t step,
                         span_colours *colours) {
    const float sky[3] = {s->sky_light.x, s->sky_light.y, s->sky_light.z};
    const float floor[3] = {s->ground_colour.x, s->ground_colour.y, s->ground_colour.z};
    for (int i = 0; i < SHADE_SPAN; i += QUAD) {
        quad colour[3], clear = quad_load(g->clear + i);
        find_behind(s, quad_load(g->up + i), colour);
        clear = quad_choose(clear > shade_clear, clear, quad_of(0));
        if (s->has_ground && quad_largest(clear) > 0) {
            quad open = find_open(s, quad_load(g->x + i), quad_load(g->z + i));
            quad light[3] = {sky[0] * open, sky[1] * open, sky[2] * open};
            for (int l = 0; l < s->light_count; l++) {
                quad part = quad_load(seen + (size_t)l * step + i) * s->lights[l].to_light.y;
                light[0] += s->lights[l].colour.x * part;
                light[1] += s->lights[l].colour.y * part;
                light[2] += s->lights[l].colour.z * part;
            }
            quad paint = 1 - quad_load(g->lines + i);
            for (int k = 0; k < 3; k++)
                colour[k] += clear * (floor[k] * paint * light[k] - colour[k]);
        }
        for (int k = 0; k < 3; k++) quad_store(colours->part[k] + i, colour[k]);
    }
}
