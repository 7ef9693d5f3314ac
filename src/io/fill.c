#include "fill.h"

#include <stdlib.h>

bool fill_buffer_make(fill_buffer *buffer, int width, int height) {
    size_t count = (size_t)width * (size_t)height;
    *buffer = (fill_buffer){width, height, malloc(count * sizeof(float)),
                            malloc(count * sizeof(uint32_t))};
    if (!buffer->depth || !buffer->triangle) {
        fill_buffer_free(buffer);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        buffer->depth[i] = INFINITY;
        buffer->triangle[i] = FILL_NOTHING;
    }
    return true;
}

void fill_buffer_free(fill_buffer *buffer) {
    free(buffer->depth);
    free(buffer->triangle);
    *buffer = (fill_buffer){0};
}

/* The samples that a range of coordinates may cover, cut to those there are. */
static void clip(float a, float b, float c, int size, int *first, int *last) {
    float least = fminf(a, fminf(b, c)), most = fmaxf(a, fmaxf(b, c));
    *first = (int)fmaxf(0, ceilf(least - 0.5f));
    *last = (int)fminf((float)(size - 1), floorf(most - 0.5f));
}

/* Twice the signed area of a, b and the point (x, y). */
static float side(vec a, vec b, float x, float y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

void fill_triangle(fill_buffer *buffer, const vec corner[3], uint32_t triangle) {
    vec a = corner[0], b = corner[1], c = corner[2];
    float area = side(a, b, c.x, c.y);
    if (!(fabsf(area) > 1e-12f)) return;
    int left, right, top, bottom;
    clip(a.x, b.x, c.x, buffer->width, &left, &right);
    clip(a.y, b.y, c.y, buffer->height, &top, &bottom);
    for (int y = top; y <= bottom; y++) {
        for (int x = left; x <= right; x++) {
            float px = (float)x + 0.5f, py = (float)y + 0.5f;
            float u = side(b, c, px, py) / area, v = side(c, a, px, py) / area, w = 1 - u - v;
            if (u < 0 || v < 0 || w < 0) continue;
            size_t i = (size_t)y * (size_t)buffer->width + (size_t)x;
            float depth = u * a.z + v * b.z + w * c.z;
            if (depth < buffer->depth[i]) {
                buffer->depth[i] = depth;
                buffer->triangle[i] = triangle;
            }
        }
    }
}
