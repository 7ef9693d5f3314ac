#include "scene_watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "collision/ccd/time_of_impact.h"

/* The triangles of all bodies as one surface. */
typedef struct surface {
    sn_vec3 *positions;
    uint32_t (*triangles)[3];
    size_t vertices, count;
} surface;

static size_t count_bodies(const sn_scene *scene) {
    sn_scene_body body;
    size_t count = 0;
    while (sn_scene_body_at(scene, count, &body)) count++;
    return count;
}

static surface collect(sn_scene *scene) {
    sn_io_frame frame;
    surface s = {0};
    size_t bodies = count_bodies(scene);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    for (size_t i = 0; i < bodies; i++) {
        s.vertices += frame.shapes[i].vertex_count;
        s.count += frame.shapes[i].triangle_count;
    }
    s.positions = malloc((s.vertices + 1) * sizeof *s.positions);
    s.triangles = malloc((s.count + 1) * sizeof *s.triangles);
    REQUIRE_OK(s.positions && s.triangles ? SN_OK : SN_ERROR_MEMORY);
    s.vertices = s.count = 0;
    for (size_t i = 0; i < bodies; i++) {
        const sn_io_shape *shape = &frame.shapes[i];
        memcpy(s.positions + s.vertices, shape->positions,
               shape->vertex_count * sizeof *shape->positions);
        for (size_t k = 0; k < shape->triangle_count; k++, s.count++)
            for (int c = 0; c < 3; c++)
                s.triangles[s.count][c] = shape->triangles[k][c] + (uint32_t)s.vertices;
        s.vertices += shape->vertex_count;
    }
    return s;
}

size_t scene_crossings(sn_scene *scene) {
    sn_memory memory = {.allocator = sn_allocator_default()};
    surface s = collect(scene);
    size_t found = 0;
    REQUIRE_OK(sn_ccd_count(&memory, s.positions, s.vertices, (const uint32_t(*)[3])s.triangles,
                            s.count, NULL, 0, &found));
    free(s.positions);
    free(s.triangles);
    return found;
}

double scene_excess(sn_scene *scene, double speed, double energy) {
    sn_node_view view;
    double most = 0;
    REQUIRE_OK(sn_world_nodes(sn_scene_world(scene), &view));
    for (size_t i = 0; i < view.count; i++) {
        sn_vec4 v = view.velocity[i];
        double square =
            (double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z;
        square /= fmax(speed * speed, 2 * energy * (double)view.inverse_mass[i]);
        if (view.alive[i] && !(square <= most)) most = square;
    }
    return sqrt(most);
}

double scene_fastest(sn_scene *scene) {
    return scene_excess(scene, 1, 0);
}
