/* How many substeps a scene has that does not say so: as many as its bodies take to be as stiff as
   their materials. */
#include "io/scene/scene_state.h"

#include <math.h>

enum { LEAST = 20, MOST = 200 };

static double length_of(sn_vec3 v) {
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

/* m/s: that of the wind, and where there is something to stop a cloth, what it has when it has
   fallen by its own size. */
static double speed_of(const sn_scene *s, const sn_settings *settings, const scene_body *body) {
    double wind = settings->air_density > 0 ? length_of(settings->wind) : 0;
    sn_vec3 low, high;
    if (s->colliders.count == 0 && s->bodies.count < 2) return wind;
    if (sn_mesh_bounds(&body->mesh->mesh, &low, &high) != SN_OK) return wind;
    double x = (double)(high.x - low.x), y = (double)(high.y - low.y), z = (double)(high.z - low.z);
    double size = body->scale * fmax(x, fmax(y, z));
    return fmax(wind, sqrt(2 * length_of(settings->gravity) * size));
}

sn_result sn_scene_choose_substeps(sn_scene *s) {
    sn_settings settings;
    int most = LEAST;
    if (!s->choose_substeps) return SN_OK;
    SN_TRY(sn_world_get_settings(s->world, &settings));
    for (size_t i = 0; i < s->bodies.count; i++) {
        const scene_body *body = &s->bodies.items[i];
        int needed = 0;
        SN_TRY(sn_build_substeps(&body->build, 1.0 / s->run.fps, speed_of(s, &settings, body),
                                 &needed));
        most = needed > most ? needed : most;
    }
    settings.substeps = most < MOST ? most : MOST;
    return sn_world_set_settings(s->world, &settings);
}
