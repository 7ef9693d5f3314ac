#include "shade.h"

static const vec horizon = {0.72f, 0.80f, 0.88f}, zenith = {0.10f, 0.22f, 0.45f};
static const vec floor_colour = {0.46f, 0.45f, 0.43f};
static const vec sun = {1.25f, 1.16f, 1.02f};
static const vec ambient_above = {0.22f, 0.26f, 0.33f}, ambient_below = {0.13f, 0.11f, 0.10f};

/* Light from everywhere: bluish from above, brownish from below. */
static vec ambient(vec normal) {
    return mix(ambient_below, ambient_above, 0.5f + 0.5f * normal.y);
}

vec shade_surface(const shading *s, vec point, vec normal, vec ray) {
    bool is_front = dot(normal, ray) < 0;
    vec n = is_front ? normal : scale(normal, -1);
    float facing = dot(n, s->to_light);
    /* Step off the surface, or it would shadow itself where the map is coarse. */
    float offset = 3 * s->shadow->texel;
    vec lit_side = facing > 0 ? n : scale(n, -1);
    float light = shadow_light(s->shadow, add(point, scale(lit_side, offset)));
    /* Thin cloth lets a little light through. */
    float diffuse = light * (facing > 0 ? facing : -0.25f * facing);
    return mul(is_front ? s->front : s->back, add(ambient(n), scale(sun, diffuse)));
}

static vec sky(vec ray) {
    return mix(horizon, zenith, fminf(1, 1.4f * fmaxf(0, ray.y)));
}

vec shade_background(const shading *s, vec eye, vec ray) {
    if (ray.y >= 0 || eye.y <= s->ground) return sky(ray);
    vec point = add(eye, scale(ray, (s->ground - eye.y) / ray.y));
    vec up = {0, 1, 0}, away = sub(point, s->centre);
    float light = shadow_light(s->shadow, point) * fmaxf(0, s->to_light.y);
    vec colour = mul(floor_colour, add(ambient(up), scale(sun, light)));
    float clear = expf(-dot(away, away) / (s->fade * s->fade));
    return mix(horizon, colour, clear);
}
