/* How many substeps a scene has that does not say so: as many as its bodies take to be as stiff as
   their materials. */
#include "io/scene/scene_state.h"

#include <math.h>

enum { LEAST = 20, MOST = 200 };

/* m/s^2, on Earth: where a scene has no gravity yet. */
static const double usual_gravity = 9.81;

static double length_of(sn_vec3 v) {
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

static double distance_of(sn_vec3 a, sn_vec3 b) {
    return length_of((sn_vec3){b.x - a.x, b.y - a.y, b.z - a.z});
}

/* m/s, of the fastest frame of a motion: of the first and the last of its nodes, so that turns
   count, or of its colliders as far as they do not turn. */
static double motion_speed(const sn_scene *s, const scene_motion *m) {
    double frame = 1.0 / s->run.fps, end = m->keys[m->key_count - 1].time, most = 0;
    sn_vec3 place[2] = {m->part.pivot, m->part.pivot};
    if (m->nodes.count > 0) place[0] = m->start[0], place[1] = m->start[m->nodes.count - 1];
    for (int i = 0; i < 2; i++) {
        sn_vec3 last = sn_scene_point_at(m, 0, place[i]);
        for (long k = 1; (double)(k - 1) * frame < end && k <= s->run.frames; k++) {
            sn_vec3 now = sn_scene_point_at(m, (double)k * frame, place[i]);
            most = fmax(most, distance_of(last, now) / frame);
            last = now;
        }
    }
    return most;
}

/* m/s: what is driven goes as fast as what drives it. */
static double driven_speed(const sn_scene *s) {
    double most = 0;
    for (size_t i = 0; i < s->motions.count; i++)
        most = fmax(most, motion_speed(s, &s->motions.items[i]));
    return most;
}

/* m/s: that of the wind, or of motions, and where there is something to stop a cloth, what it has
   when it has fallen by its own size. */
static double speed_of(const sn_scene *s, const sn_settings *settings, const scene_body *body) {
    double wind = settings->air_density > 0 ? length_of(settings->wind) : 0;
    sn_vec3 low, high;
    wind = fmax(wind, driven_speed(s));
    if (s->colliders.count == 0 && s->bodies.count < 2) return wind;
    if (sn_mesh_bounds(&body->mesh->mesh, &low, &high) != SN_OK) return wind;
    double x = (double)(high.x - low.x), y = (double)(high.y - low.y), z = (double)(high.z - low.z);
    double size = body->scale * fmax(x, fmax(y, z));
    double gravity = length_of(settings->gravity);
    return fmax(wind, sqrt(2 * (gravity > 0 ? gravity : usual_gravity) * size));
}

const char *sn_quality_name(sn_quality quality) {
    static const char *const name[] = {"scene", "draft", "normal", "fine"};
    return (unsigned)quality <= SN_QUALITY_FINE ? name[quality] : NULL;
}

int sn_quality_substeps(sn_quality quality, int substeps) {
    if (substeps < 1) substeps = 1;
    if (substeps > SN_MOST_SUBSTEPS) substeps = SN_MOST_SUBSTEPS;
    if (quality == SN_QUALITY_DRAFT) return (substeps + 1) / 2;
    if (quality != SN_QUALITY_FINE) return substeps;
    return substeps < SN_MOST_SUBSTEPS / 2 ? 2 * substeps : SN_MOST_SUBSTEPS;
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
    settings.substeps =
        sn_quality_substeps((sn_quality)(s->run.quality + 1), most < MOST ? most : MOST);
    return sn_world_set_settings(s->world, &settings);
}
