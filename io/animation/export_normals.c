#include "io/animation/export_normals.h"

#include <math.h>

/* In float, whatever the library has, so that files are the same. */
typedef struct direction {
    float x, y, z;
} direction;

static direction from_to(sn_vec3 a, sn_vec3 b) {
    return (direction){(float)b.x - (float)a.x, (float)b.y - (float)a.y, (float)b.z - (float)a.z};
}

static direction cross(direction a, direction b) {
    return (direction){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static sn_vec3 unit_or_up(sn_vec3 v) {
    /* Scaled first, so that small triangles do not vanish in the square. */
    float most = fmaxf(fabsf((float)v.x), fmaxf(fabsf((float)v.y), fabsf((float)v.z)));
    if (!(most > 0) || !isfinite(most)) return (sn_vec3){0, 1, 0};
    direction n = {(float)v.x / most, (float)v.y / most, (float)v.z / most};
    float scale = 1 / sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
    return (sn_vec3){n.x * scale, n.y * scale, n.z * scale};
}

void sn_io_normals(const sn_io_shape *shape, sn_vec3 *normals) {
    for (size_t i = 0; i < shape->vertex_count; i++) normals[i] = (sn_vec3){0, 0, 0};
    for (size_t i = 0; i < shape->triangle_count; i++) {
        const uint32_t *t = shape->triangles[i];
        sn_vec3 a = shape->positions[t[0]];
        direction n = cross(from_to(a, shape->positions[t[1]]), from_to(a, shape->positions[t[2]]));
        for (int k = 0; k < 3; k++) {
            sn_vec3 *sum = &normals[t[k]];
            *sum = (sn_vec3){sum->x + n.x, sum->y + n.y, sum->z + n.z};
        }
    }
    for (size_t i = 0; i < shape->vertex_count; i++) normals[i] = unit_or_up(normals[i]);
}
