/*
 * Two passes: the first finds the nearest triangle at every sample, the second sends a ray through
 * each sample, meets that triangle (or the background) and shades the point. So each sample is
 * shaded once, in world coordinates.
 */
#include "raster.h"

#include "base/error.h"
#include "fill.h"
#include "shade.h"
#include "shadow.h"

#include <stdio.h>
#include <stdlib.h>

/* Samples along each side of a pixel. */
enum { SAMPLES = 3, MOST_PIXELS = 8192 };
static const float near = 1e-3f;

typedef struct camera {
    vec eye;
    basis axes;
    float focus; /* samples per unit of slope */
    float x, y;  /* samples, the middle of the picture */
} camera;

typedef struct picture {
    const sn_io_mesh *mesh;
    camera camera;
    fill_buffer buffer;
    vec *normals; /* of the nodes */
    shadow shadow;
    shading shading;
} picture;

sn_io_view sn_io_view_around(sn_vec3 least, sn_vec3 most) {
    vec a = vec_of(least), b = vec_of(most), centre = mix(a, b, 0.5f), size = sub(b, a);
    float reach = sqrtf(dot(size, size));
    vec eye = add(centre, scale(unit((vec){0.5f, 0.16f, 1}), 1.55f * reach));
    return (sn_io_view){
        .eye = {(sn_real)eye.x, (sn_real)eye.y, (sn_real)eye.z},
        .target = {(sn_real)centre.x, (sn_real)(centre.y - 0.03f * reach), (sn_real)centre.z},
        .field_of_view = (sn_real)0.6,
        .to_light = {(sn_real)-0.7, (sn_real)1.3, (sn_real)0.45},
        .ground = (sn_real)(a.y - 0.15f * reach),
        .front = {0.62f, 0.06f, 0.05f},
        .back = {0.72f, 0.36f, 0.11f},
    };
}

static camera make_camera(const sn_io_view *view, const fill_buffer *buffer) {
    camera c = {
        .eye = vec_of(view->eye), .x = (float)buffer->width / 2, .y = (float)buffer->height / 2};
    c.axes = basis_towards(sub(vec_of(view->target), c.eye));
    c.focus = c.y / tanf((float)view->field_of_view / 2);
    return c;
}

/* To samples; z is minus the inverse distance, which is linear on the picture. False behind. */
static bool project(const camera *c, vec point, vec *sample) {
    vec p = to_basis(&c->axes, sub(point, c->eye));
    if (!(p.z > near)) return false;
    *sample = (vec){c->x + c->focus * p.x / p.z, c->y - c->focus * p.y / p.z, -1 / p.z};
    return true;
}

static vec ray_through(const camera *c, int x, int y) {
    vec slope = {((float)x + 0.5f - c->x) / c->focus, (c->y - (float)y - 0.5f) / c->focus, 1};
    return unit(from_basis(&c->axes, slope));
}

static void find_normals(const sn_io_mesh *mesh, vec *normals) {
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles[i];
        vec a = vec_of(mesh->positions[t[0]]);
        /* The length of the product is twice the area, so large triangles count more. */
        vec n = cross(sub(vec_of(mesh->positions[t[1]]), a), sub(vec_of(mesh->positions[t[2]]), a));
        for (int k = 0; k < 3; k++) normals[t[k]] = add(normals[t[k]], n);
    }
}

static void fill_mesh(picture *p) {
    for (size_t i = 0; i < p->mesh->triangle_count; i++) {
        vec corner[3];
        bool visible = true;
        for (int k = 0; k < 3; k++) {
            vec x = vec_of(p->mesh->positions[p->mesh->triangles[i][k]]);
            visible = visible && project(&p->camera, x, &corner[k]);
        }
        if (visible) fill_triangle(&p->buffer, corner, (uint32_t)i);
    }
}

static vec shade_triangle(const picture *p, uint32_t triangle, vec ray) {
    const uint32_t *t = p->mesh->triangles[triangle];
    vec a = vec_of(p->mesh->positions[t[0]]);
    vec ab = sub(vec_of(p->mesh->positions[t[1]]), a),
        ac = sub(vec_of(p->mesh->positions[t[2]]), a);
    /* Moeller and Trumbore 1997: where the ray meets the plane, in barycentric coordinates. */
    vec s = sub(p->camera.eye, a), h = cross(ray, ac), q = cross(s, ab);
    float determinant = dot(ab, h), inverse = determinant != 0 ? 1 / determinant : 0;
    float u = dot(s, h) * inverse, v = dot(ray, q) * inverse;
    vec point = add(a, add(scale(ab, u), scale(ac, v)));
    vec normal = add(scale(p->normals[t[0]], 1 - u - v),
                     add(scale(p->normals[t[1]], u), scale(p->normals[t[2]], v)));
    return shade_surface(&p->shading, point, unit(normal), ray);
}

static vec shade_sample(const picture *p, int x, int y) {
    uint32_t triangle = p->buffer.triangle[(size_t)y * (size_t)p->buffer.width + (size_t)x];
    vec ray = ray_through(&p->camera, x, y);
    return triangle == FILL_NOTHING ? shade_background(&p->shading, p->camera.eye, ray)
                                    : shade_triangle(p, triangle, ray);
}

static uint8_t encode(float linear) {
    float c = fmaxf(0, fminf(1, linear));
    float s = c <= 0.0031308f ? 12.92f * c : 1.055f * powf(c, 1 / 2.4f) - 0.055f;
    return (uint8_t)(255 * s + 0.5f);
}

static void shade_picture(const picture *p, sn_io_image *image) {
    uint8_t *out = image->rgb;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            vec sum = {0, 0, 0};
            for (int i = 0; i < SAMPLES * SAMPLES; i++) {
                sum =
                    add(sum, shade_sample(p, SAMPLES * x + i % SAMPLES, SAMPLES * y + i / SAMPLES));
            }
            sum = scale(sum, 1.0f / (SAMPLES * SAMPLES));
            *out++ = encode(sum.x);
            *out++ = encode(sum.y);
            *out++ = encode(sum.z);
        }
    }
}

/* Allocates and prepares everything that shading reads; false when there is no memory. */
static bool prepare(picture *p, const sn_io_view *view, int width, int height) {
    vec to_light = unit(vec_of(view->to_light));
    p->normals = calloc(p->mesh->node_count + 1, sizeof *p->normals);
    if (!p->normals || !shadow_make(&p->shadow, p->mesh, to_light) ||
        !fill_buffer_make(&p->buffer, SAMPLES * width, SAMPLES * height))
        return false;
    vec target = vec_of(view->target), away = sub(target, vec_of(view->eye));
    p->camera = make_camera(view, &p->buffer);
    p->shading = (shading){
        .to_light = to_light,
        .front = {view->front.r, view->front.g, view->front.b},
        .back = {view->back.r, view->back.g, view->back.b},
        .ground = (float)view->ground,
        .centre = {target.x, (float)view->ground, target.z},
        .fade = 1.6f * sqrtf(dot(away, away)),
        .shadow = &p->shadow,
    };
    find_normals(p->mesh, p->normals);
    return true;
}

sn_result sn_io_render(const sn_io_mesh *mesh, const sn_io_view *view, int width, int height,
                       sn_io_image *image) {
    *image = (sn_io_image){0};
    if (width < 1 || width > MOST_PIXELS || height < 1 || height > MOST_PIXELS)
        return sn_fail(SN_ERROR_VALUE,
                       "a picture of %d x %d pixels was asked for, expected 1 to %d each way",
                       width, height, MOST_PIXELS);
    picture p = {.mesh = mesh};
    uint8_t *rgb = malloc((size_t)width * (size_t)height * 3);
    bool drawn = rgb && prepare(&p, view, width, height);
    if (drawn) {
        *image = (sn_io_image){width, height, rgb};
        fill_mesh(&p);
        shade_picture(&p, image);
    } else {
        free(rgb);
    }
    free(p.normals);
    shadow_free(&p.shadow);
    fill_buffer_free(&p.buffer);
    return drawn ? SN_OK
                 : sn_fail(SN_ERROR_MEMORY, "there is no memory for a picture of %d x %d pixels",
                           width, height);
}

void sn_io_image_free(sn_io_image *image) {
    free(image->rgb);
    *image = (sn_io_image){0};
}
