#include "boxes.h"

#include <stdlib.h>

double boxes_random(boxes *b) {
    b->state = b->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(b->state >> 11) / 9007199254740992.0;
}

void boxes_init(boxes *b, size_t count, uint64_t seed) {
    *b = (boxes){calloc(count + 1, sizeof *b->low), calloc(count + 1, sizeof *b->high), count,
                 seed * 7919 + 1};
    if (!b->low || !b->high) abort();
}

void boxes_free(boxes *b) {
    free(b->low);
    free(b->high);
}

sn_boxes boxes_view(const boxes *b) {
    return (sn_boxes){b->low, b->high, b->count};
}

void boxes_set(boxes *b, size_t i, sn_vec3 middle, sn_vec3 size) {
    sn_real half = (sn_real)0.5;
    b->low[i] =
        (sn_vec4){middle.x - half * size.x, middle.y - half * size.y, middle.z - half * size.z, 0};
    b->high[i] =
        (sn_vec4){middle.x + half * size.x, middle.y + half * size.y, middle.z + half * size.z, 0};
}

static sn_real within(boxes *b, double least, double most) {
    return (sn_real)(least + (most - least) * boxes_random(b));
}

void boxes_scatter(boxes *b, sn_vec3 around, double side, double least, double most) {
    for (size_t i = 0; i < b->count; i++) {
        sn_vec3 middle = {around.x + within(b, -side / 2, side / 2),
                          around.y + within(b, -side / 2, side / 2),
                          around.z + within(b, -side / 2, side / 2)};
        sn_vec3 size = {within(b, least, most), within(b, least, most), within(b, least, most)};
        boxes_set(b, i, middle, size);
    }
}

void boxes_move(boxes *b, double most) {
    for (size_t i = 0; i < b->count; i++) {
        sn_vec3 by = {within(b, -most, most), within(b, -most, most), within(b, -most, most)};
        b->low[i].x += by.x, b->low[i].y += by.y, b->low[i].z += by.z;
        b->high[i].x += by.x, b->high[i].y += by.y, b->high[i].z += by.z;
    }
}
