/* How many substeps a scene has that does not say so: as many as its bodies take to be as stiff as
   their materials. */
#include "io/scene/scene_state.h"

#include <math.h>

enum { LEAST = 20, MOST = 200 };

/* m/s: what a cloth may have fallen by its own size when it is stopped. */
static double speed_of(const sn_scene *s, const scene_body *body) {
    sn_settings settings;
    sn_vec3 low, high;
    if (s->colliders.count == 0 && s->bodies.count < 2) return 0;
    if (sn_world_get_settings(s->world, &settings) != SN_OK) return 0;
    if (sn_mesh_bounds(&body->mesh->mesh, &low, &high) != SN_OK) return 0;
    double x = (double)(high.x - low.x), y = (double)(high.y - low.y), z = (double)(high.z - low.z);
    sn_vec3 g = settings.gravity;
    double gravity =
        sqrt((double)g.x * (double)g.x + (double)g.y * (double)g.y + (double)g.z * (double)g.z);
    return sqrt(2 * gravity * body->scale * fmax(x, fmax(y, z)));
}

sn_result sn_scene_choose_substeps(sn_scene *s) {
    sn_settings settings;
    int most = LEAST;
    if (!s->choose_substeps) return SN_OK;
    for (size_t i = 0; i < s->bodies.count; i++) {
        const scene_body *body = &s->bodies.items[i];
        int needed = 0;
        SN_TRY(sn_build_substeps(&body->build, 1.0 / s->run.fps, speed_of(s, body), &needed));
        most = needed > most ? needed : most;
    }
    SN_TRY(sn_world_get_settings(s->world, &settings));
    settings.substeps = most < MOST ? most : MOST;
    return sn_world_set_settings(s->world, &settings);
}
