/* How many substeps a scene has that does not say so: as many as its bodies take to be as stiff as
   their materials. */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <math.h>
#include <stdlib.h>

enum { LEAST = 20, MOST = 200, MOST_MOMENTS = 500 };

/* m/s^2, on Earth: where a scene has no gravity yet. */
static const double usual_gravity = 9.81;

static double length_of(sn_vec3 v) {
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

static double distance_of(sn_vec3 a, sn_vec3 b) {
    return length_of((sn_vec3){b.x - a.x, b.y - a.y, b.z - a.z});
}

static bool has_node(const scene_body *body, sn_node node) {
    for (size_t i = 0; i < body->mesh->mesh.vertex_count; i++)
        if (body->nodes[i].slot == node.slot) return true;
    return false;
}

/* The vertex of the body that a motion moves which is farthest from its pivot: where the body
   turns with it, nothing is faster. */
static sn_vec3 farthest(const sn_scene *s, const sn_node_view *view, const scene_motion *m) {
    sn_vec3 far = m->start[0], at = m->part.pivot;
    for (size_t i = 0; i < s->bodies.count; i++) {
        const scene_body *body = &s->bodies.items[i];
        if (!has_node(body, m->nodes.items[0])) continue;
        for (size_t k = 0; k < body->mesh->mesh.vertex_count; k++) {
            if (!sn_node_is_valid(s->world, body->nodes[k])) continue;
            sn_vec4 p = view->position[body->nodes[k].slot - 1];
            sn_vec3 x = {p.x, p.y, p.z};
            if (distance_of(x, at) > distance_of(far, at)) far = x;
        }
    }
    return far;
}

/* m/s, of the fastest frame of a motion: of the first and the last of its nodes and the farthest of
   their body, so that turns count, or of its colliders as far as they do not turn. */
static double motion_speed(const sn_scene *s, const sn_node_view *view, const scene_motion *m) {
    double frame = 1.0 / s->run.fps, end = m->keys[m->key_count - 1].time, most = 0;
    sn_vec3 place[3] = {m->part.pivot, m->part.pivot, m->part.pivot};
    if (m->nodes.count > 0) {
        place[0] = m->start[0];
        place[1] = m->start[m->nodes.count - 1];
        place[2] = farthest(s, view, m);
    }
    for (int i = 0; i < 3; i++) {
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
static double driven_speed(const sn_scene *s, const sn_node_view *view) {
    double most = 0;
    for (size_t i = 0; i < s->motions.count; i++)
        most = fmax(most, motion_speed(s, view, &s->motions.items[i]));
    return most;
}

static double speed_in(const sn_settings *settings) {
    return settings->air_density > 0 ? length_of(settings->wind) : 0;
}

/* m/s: of the wind that there will be, by keys, expressions and actions. */
static sn_result wind_speed(sn_scene *s, sn_settings settings, double *most) {
    int every = s->run.frames / MOST_MOMENTS + 1;
    for (int frame = 0; frame <= s->run.frames; frame += every) {
        SN_TRY(sn_scene_settings_at(s, frame, &settings));
        *most = fmax(*most, speed_in(&settings));
    }
    for (size_t i = 0; i < s->actions.count; i++) {
        const json_node *changed = s->actions.items[i].part.settings;
        if (!changed) continue;
        SN_TRY(sn_scene_read(&s->reader, changed, &s->tables.settings, &settings));
        *most = fmax(*most, speed_in(&settings));
    }
    return SN_OK;
}

/* m/s: of what is thrown, when the scene begins or by an action. */
static double thrown_speed(const sn_scene *s, const sn_node_view *view, const scene_body *body) {
    double most = 0;
    for (size_t i = 0; i < body->mesh->mesh.vertex_count; i++) {
        if (!sn_node_is_valid(s->world, body->nodes[i])) continue;
        sn_vec4 v = view->velocity[body->nodes[i].slot - 1];
        most = fmax(most, length_of((sn_vec3){v.x, v.y, v.z}));
    }
    for (size_t i = 0; i < s->actions.count; i++)
        if (s->actions.items[i].velocity.count > 0)
            most = fmax(most, length_of(s->actions.items[i].new_velocity));
    return most;
}

/* m/s: as what drives it goes at the fastest, and what it has when it has fallen by its own size,
   until pins or others stop it. */
static double speed_of(const sn_settings *settings, const scene_body *body, double wind) {
    sn_vec3 low, high;
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

/* kg, on a cloth. */
typedef struct load {
    double carried, heaviest; /* what hangs on it; what may fall on it */
} load;

/* With a weight M on a cloth of the mass m, strain where it hangs is 1 + M / m times as large, and
   so is what is left of a motion that is stopped, as a sweep moves what is light. The one grows
   with the square of the substep and the other with the substep. What may fall on it is spread
   over many edges, and counts by the root, twice as it may bounce. */
static sn_result needed_by(const sn_scene *s, const sn_settings *settings, const scene_body *body,
                           const load *on, double speed, int *needed) {
    double mass = body->build.mass > 0 ? body->build.mass : INFINITY;
    double more = sqrt(1 + on->carried / mass), hit = sqrt(1 + 2 * on->heaviest / mass);
    double fast = speed_of(settings, body, speed);
    return sn_build_substeps(&body->build, more / s->run.fps, fmax(more, hit / more) * fast,
                             needed);
}

static sn_result most_needed(sn_scene *s, const sn_settings *settings, double *carried, int *most) {
    sn_node_view view;
    SN_TRY(sn_world_nodes(s->world, &view));
    double driven = driven_speed(s, &view);
    SN_TRY(wind_speed(s, *settings, &driven));
    SN_TRY(sn_scene_weigh(s, &view, carried));
    double heaviest = sn_scene_heaviest(s, &view);
    for (size_t i = 0; i < s->bodies.count; i++) {
        const scene_body *body = &s->bodies.items[i];
        double speed = fmax(driven, thrown_speed(s, &view, body));
        int needed = 0;
        SN_TRY(needed_by(s, settings, body, &(load){carried[i], heaviest}, speed, &needed));
        *most = needed > *most ? needed : *most;
    }
    return SN_OK;
}

sn_result sn_scene_choose_substeps(sn_scene *s) {
    sn_settings settings;
    int most = LEAST;
    if (!s->choose_substeps) return SN_OK;
    SN_TRY(sn_world_get_settings(s->world, &settings));
    double *carried = calloc(s->bodies.count + 1, sizeof *carried);
    if (!carried) return sn_fail(SN_ERROR_MEMORY, "there is no memory for the scene");
    sn_result result = most_needed(s, &settings, carried, &most);
    free(carried);
    SN_TRY(result);
    settings.substeps =
        sn_quality_substeps((sn_quality)(s->run.quality + 1), most < MOST ? most : MOST);
    return sn_world_set_settings(s->world, &settings);
}
