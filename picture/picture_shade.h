/* The colour of what a ray meets: a surface, the ground or the sky. Colours are linear. */
#ifndef SN_PICTURE_PICTURE_SHADE_H
#define SN_PICTURE_PICTURE_SHADE_H

#include "picture/picture_light.h"

/* A light that is far away. */
typedef struct shade_light {
    vec to_light; /* a unit vector */
    vec colour;   /* linear, times its strength */
    light_map map;
    ground_box box; /* where the ground may lie in the shadow of something */
} shade_light;

enum { SHADE_LIGHTS = SN_IO_LIGHT_MOST };

typedef struct shading {
    int light_count;
    shade_light lights[SHADE_LIGHTS];
    bool flat; /* colours are numbers to be read: less light and shade */
    bool plain;
    vec backdrop; /* of a plain background */
    bool has_ground;
    sn_io_ground ground_kind;
    vec ground_colour;
    vec sky_light, floor_light; /* that come from everywhere, from above and from below */
    float ground;               /* height, m */
    float fade;  /* 1/m^2, how fast the ground fades with the square of the distance */
    float grid;  /* m between the lines on the ground */
    vec grid_at; /* a point on a line each way */
    float pixel; /* slope of a pixel */
    ground_map sky;
} shading;

/* A point of a surface, its unit normal towards the viewer, its colour, and the unit direction in
   which it is looked at. */
typedef struct surface_point {
    vec point, normal, colour, ray;
    float sheen, power, shine, opacity; /* as those of its part */
    bool closed;                        /* no light comes through */
    bool smoke;                         /* a puff, not its surface */
} surface_point;

/* How much of a light reaches a point of a surface, 0 to 1. */
float sn_shade_seen(const shading *s, int light, const surface_point *at);

/* What a surface sends in the direction of the viewer; `seen` is how much of each light reaches
   it. */
vec sn_shade_surface(const shading *s, const surface_point *at, const float *seen);

/* What is known of the background in a few pixels side by side, one loop at a time, so that they
   become vectors. */
enum { SHADE_SPAN = 16 };
/* One end of them. */
typedef struct ground_end {
    vec ray;
    float up;    /* of its unit direction */
    float t;     /* where it meets the ground, in rays; 0 where it does not */
    float x, z;  /* m, there */
    float clear; /* how little the ground fades there; 0 where there is none */
} ground_end;

typedef struct ground_span {
    float clear[SHADE_SPAN];            /* how little it fades; 0 where there is none */
    float x[SHADE_SPAN], z[SHADE_SPAN]; /* where there is: its points, m */
    bool bare;                          /* there is nothing on it */
    float lines[SHADE_SPAN];            /* else, how much darker that makes it */
    float up[SHADE_SPAN];               /* of the unit direction of the ray */
    ground_end end;                     /* where the next span begins */
} ground_span;

/* The colour of the sky changes from here up. */
static const float shade_level = -0.05f;

/* From (x, y) on, with `step` pixels between them; `before` is what was found of the span that ends
   there, or null. */
void sn_shade_find_ground(const shading *s, const projector *camera, float x, float y, float step,
                          const ground_span *before, ground_span *g);

/* How much of a light reaches a point of the ground. */
float sn_shade_ground_seen(const shading *s, int light, float x, float z);

/* Whether nothing can cast a shadow on any of a span of the background. */
bool sn_shade_is_open(const shading *s, const ground_span *g);

/* Colours of a span by their parts, so that loops over them become vectors. */
typedef struct span_colours {
    float part[3][SHADE_SPAN];
} span_colours;

/* What lies behind everything at the places of a span, ground below the horizon and sky above;
   `seen` is how much of a light reaches them, and `step` further on, of the next one. */
void sn_shade_background(const shading *s, const ground_span *g, const float *seen, size_t step,
                         span_colours *colours);

/* What fades more than this is not drawn. */
static const float shade_clear = 2e-3f;

/* Whether there is any ground to be seen at a place of a span. */
static inline bool shade_has_ground(const shading *s, const ground_span *g, int i) {
    return s->has_ground && g->clear[i] > shade_clear;
}

/* Bends what is too bright back into what a picture can show. */
static const float shade_knee = 0.75f;
static inline float shade_expose(float light) {
    float over = most_of(light - shade_knee, 0);
    return least_of(light, shade_knee) + over / (1 + over * (1 / (1 - shade_knee)));
}

#endif
