#include "io/animation/export_normals.h"

#include "io/picture/vec.h"

static sn_vec3 unit_or_up(sn_vec3 v) {
    /* Scaled first, so that small triangles do not vanish in the square. */
    float most = fmaxf(fabsf((float)v.x), fmaxf(fabsf((float)v.y), fabsf((float)v.z)));
    if (!(most > 0) || !isfinite(most)) return (sn_vec3){0, 1, 0};
    vec n = unit((vec){(float)v.x / most, (float)v.y / most, (float)v.z / most});
    return (sn_vec3){n.x, n.y, n.z};
}

void sn_io_normals(const sn_io_shape *shape, sn_vec3 *normals) {
    for (size_t i = 0; i < shape->vertex_count; i++) normals[i] = (sn_vec3){0, 0, 0};
    for (size_t i = 0; i < shape->triangle_count; i++) {
        const uint32_t *t = shape->triangles[i];
        vec a = vec_of(shape->positions[t[0]]);
        vec n =
            cross(sub(vec_of(shape->positions[t[1]]), a), sub(vec_of(shape->positions[t[2]]), a));
        for (int k = 0; k < 3; k++) {
            sn_vec3 *sum = &normals[t[k]];
            *sum = (sn_vec3){sum->x + n.x, sum->y + n.y, sum->z + n.z};
        }
    }
    for (size_t i = 0; i < shape->vertex_count; i++) normals[i] = unit_or_up(normals[i]);
}
