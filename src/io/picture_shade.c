#include "picture_shade.h"

static const vec horizon = {0.78f, 0.82f, 0.86f}, zenith = {0.30f, 0.42f, 0.58f};
static const vec floor_colour = {0.50f, 0.50f, 0.49f};
static const vec sun = {1.22f, 1.15f, 1.04f};
static const vec sky_light = {0.40f, 0.45f, 0.52f}, floor_light = {0.26f, 0.25f, 0.23f};

vec shade_expose(vec light) {
    const float knee = 0.75f;
    float *part[3] = {&light.x, &light.y, &light.z};
    for (int i = 0; i < 3; i++) {
        float over = *part[i] - knee;
        if (over > 0) *part[i] = knee + over / (1 + over / (1 - knee));
    }
    return light;
}

/* Light from everywhere: bluish from the sky, and what the ground sends back, which is less where
   it is dark itself. */
static vec ambient(const shading *s, vec point, vec normal) {
    float up = 0.5f + 0.5f * normal.y;
    vec below = floor_light;
    if (s->has_ground && up < 0.999f) {
        float dark = ground_at(&s->sky, point.x, point.z);
        below = scale(below, 1 - 0.75f * dark);
    }
    return mix(below, sky_light, up);
}

vec shade_surface(const shading *s, vec point, vec normal, vec colour, vec ray) {
    float facing = dot(normal, s->to_light);
    /* Step off the surface, or it would shadow itself where the map is coarse. */
    float offset = 3 * s->light.texel;
    vec lit_side = facing > 0 ? normal : scale(normal, -1);
    float light = light_at(&s->light, add(point, scale(lit_side, offset)));
    /* What is thin lets a little light through; what is not is in its own shadow there. */
    float diffuse = light * (facing > 0 ? facing : -0.22f * facing);
    vec around = ambient(s, point, normal);
    if (s->flat) return mul(colour, add(scale(around, 1.45f), scale(sun, 0.45f * diffuse)));
    /* A broad highlight, as of something smooth but not polished. */
    vec half = unit(sub(s->to_light, ray));
    float shine = most_of(dot(normal, half), 0);
    shine *= shine;
    shine *= shine;
    shine *= shine;
    shine *= shine;
    float edge = 1 - most_of(-dot(normal, ray), 0);
    edge *= edge * edge * edge;
    vec gloss = add(scale(sun, facing > 0 ? 0.10f * light * shine * shine : 0),
                    scale(around, 0.18f * edge));
    return add(mul(colour, add(around, scale(sun, diffuse))), gloss);
}

static vec backdrop(const shading *s, vec ray) {
    if (s->plain) return s->backdrop;
    return mix(horizon, zenith, smooth(-0.05f, 0.9f, ray.y));
}

/* How much of a pixel that is `wide` around a coordinate is covered by the lines of the grid. */
static float grid_line(float at, float spacing, float wide) {
    float half = most_of(0.5f * wide, 0.004f * spacing), away = at - spacing * roundf(at / spacing);
    float line = 0.006f * spacing;
    float from = most_of(away - half, -line), to = least_of(away + half, line);
    return most_of(to - from, 0) / (2 * half);
}

vec shade_background(const shading *s, vec eye, vec ray) {
    vec behind = backdrop(s, ray);
    if (!s->has_ground || ray.y >= -1e-4f || eye.y <= s->ground) return behind;
    float distance = (s->ground - eye.y) / ray.y;
    vec point = add(eye, scale(ray, distance));
    float away = point.x * point.x + point.z * point.z;
    float clear = expf(-away / (s->fade * s->fade));
    if (clear < 2e-3f) return behind;
    /* A pixel covers more of the ground the flatter it is looked at. */
    float wide = s->pixel * distance, deep = wide / -ray.y;
    float run = norm((vec){ray.x, 0, ray.z}), across_x = 1, across_z = 1;
    if (run > 1e-6f) {
        across_x = (fabsf(ray.x) * deep + fabsf(ray.z) * wide) / run;
        across_z = (fabsf(ray.z) * deep + fabsf(ray.x) * wide) / run;
    }
    float lines = most_of(grid_line(point.x - s->grid_at.x, s->grid, across_x),
                          grid_line(point.z - s->grid_at.z, s->grid, across_z));
    vec colour = scale(floor_colour, 1 - 0.16f * lines);
    float light = (1 - ground_at(&s->shadow, point.x, point.z)) * s->to_light.y;
    float open = 1 - 0.85f * ground_at(&s->sky, point.x, point.z);
    colour = mul(colour, add(scale(sky_light, open), scale(sun, light)));
    return mix(behind, colour, clear);
}
