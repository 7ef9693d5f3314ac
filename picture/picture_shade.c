#include "picture/picture_shade.h"

static const vec horizon = {0.70f, 0.75f, 0.80f}, zenith = {0.26f, 0.38f, 0.54f};
static const vec floor_colour = {0.47f, 0.47f, 0.46f};
static const vec sun = {1.25f, 1.17f, 1.04f};
static const vec sky_light = {0.30f, 0.34f, 0.40f}, floor_light = {0.19f, 0.18f, 0.165f};

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

vec sn_shade_surface(const shading *s, vec point, vec normal, vec colour, bool closed, vec ray) {
    float facing = dot(normal, s->to_light);
    float light = 0, diffuse = 0;
    if (facing > 0 || !closed) {
        /* Step off the surface, or it would shadow itself where the map is coarse. */
        float offset = 2.5f * s->light.texel;
        vec off = add(point, scale(normal, facing > 0 ? offset : -offset));
        light = sn_light_at(&s->light, off, 0.5f * s->light.texel, 0);
        /* What is thin lets a little light through. */
        diffuse = light * (facing > 0 ? facing : -0.22f * facing);
    }
    vec around = ambient(s, point, normal);
    if (s->flat) return mul(colour, add(scale(around, 2.0f), scale(sun, 0.5f * diffuse)));
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

static vec backdrop(const shading *s, float up) {
    if (s->plain) return s->backdrop;
    return mix(horizon, zenith, smooth(-0.05f, 0.9f, up));
}

/* How much of a pixel that is `wide` around a coordinate is covered by the lines of the grid. Both
   are in spacings. */
static inline float grid_line(float at, float wide) {
    const float line = 0.006f;
    float half = most_of(0.5f * wide, 0.004f), away = at - floorf(at + 0.5f);
    float from = most_of(away - half, -line), to = least_of(away + half, line);
    return most_of(to - from, 0) / (2 * half);
}

/* What is known of the ground in a few pixels side by side, one loop at a time, so that they become
   vectors. */
typedef struct ground_span {
    float x[SHADE_SPAN], z[SHADE_SPAN];         /* the point, m */
    float clear[SHADE_SPAN], lines[SHADE_SPAN]; /* how little it fades, how much grid there is */
    float up[SHADE_SPAN];                       /* of the unit direction of the ray */
} ground_span;

static void find_ground(const shading *s, const projector *camera, float x, float y, float step,
                        ground_span *g) {
    vec first = project_ray(camera, x, y), right = scale(camera->axes.right, step / camera->focus);
    float height = s->ground - camera->eye.y, per_grid = 1 / s->grid;
    for (int i = 0; i < SHADE_SPAN; i++) {
        float dx = first.x + (float)i * right.x, dy = first.y + (float)i * right.y,
              dz = first.z + (float)i * right.z;
        float length = sqrtf(dx * dx + dy * dy + dz * dz), t = height / least_of(dy, -1e-9f);
        g->up[i] = dy / length;
        float px = camera->eye.x + t * dx, pz = camera->eye.z + t * dz;
        /* Close to exp(-far), and much faster. */
        float far = (px * px + pz * pz) * s->fade;
        float clear = 1 / (1 + far * (1 + far * (0.5f + far * 0.2f)));
        bool below = (dy < -1e-4f * length) & (height < 0);
        g->clear[i] = below ? clear : 0;
        g->x[i] = px;
        g->z[i] = pz;
        /* A pixel covers more of the ground the flatter it is looked at. */
        float wide = s->pixel * t * per_grid, deep = wide / most_of(-g->up[i], 1e-4f);
        float ax = fabsf(dx), az = fabsf(dz);
        float a = grid_line((px - s->grid_at.x) * per_grid, ax * deep + az * wide);
        float b = grid_line((pz - s->grid_at.z) * per_grid, az * deep + ax * wide);
        g->lines[i] = most_of(a, b);
    }
}

void sn_shade_background(const shading *s, const projector *camera, float x, float y, float step,
                         int count, vec colours[SHADE_SPAN]) {
    ground_span g;
    find_ground(s, camera, x, y, step, &g);
    for (int i = 0; i < count; i++) {
        colours[i] = backdrop(s, g.up[i]);
        if (!s->has_ground || !(g.clear[i] > 2e-3f)) continue;
        vec colour = scale(floor_colour, 1 - 0.16f * g.lines[i]);
        float light = (1 - ground_at(&s->shadow, g.x[i], g.z[i])) * s->to_light.y;
        float open = 1 - 0.85f * ground_at(&s->sky, g.x[i], g.z[i]);
        colour = mul(colour, add(scale(sky_light, open), scale(sun, light)));
        colours[i] = mix(colours[i], colour, g.clear[i]);
    }
}
