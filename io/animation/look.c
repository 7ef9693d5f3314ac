#include <sinew_io/look.h>

#include <stddef.h>

sn_io_look sn_io_look_default(void) {
    return (sn_io_look){.colour = {SN_AUTO, SN_AUTO, SN_AUTO},
                        .back = {SN_AUTO, SN_AUTO, SN_AUTO},
                        .thread = (sn_real)0.001,
                        .pattern_colour = {1, 1, 1},
                        .pattern_width = (sn_real)0.05,
                        .opacity = 1,
                        .sheen = (sn_real)0.2,
                        .roughness = (sn_real)0.6,
                        .texture_size = 1};
}

sn_io_staging sn_io_staging_default(void) {
    const sn_real grey = (sn_real)0.93;
    return (sn_io_staging){.picture_at = SN_AUTO,
                           .sky_light = 1,
                           .ground_colour = {SN_AUTO, SN_AUTO, SN_AUTO},
                           .ground_height = SN_AUTO,
                           .background_colour = {grey, grey, grey}};
}

/* ---- Cameras that move ---- */

/* A cubic through b and c whose slopes are those between their neighbours; `span` are the times
   from a to b, to c and to d. Zero for a neighbour that is not there. */
static double between(const double at[4], const double span[3], double share) {
    double ends = at[2] - at[1], first = ends, last = ends;
    if (span[0] > 0) first = span[1] * (at[2] - at[0]) / (span[0] + span[1]);
    if (span[2] > 0) last = span[1] * (at[3] - at[1]) / (span[1] + span[2]);
    /* Hermite's cubic. */
    double s = share, rest = 1 - s;
    return at[1] * rest * rest * (1 + 2 * s) + at[2] * s * s * (3 - 2 * s) +
           s * rest * (first * rest - last * s);
}

static sn_vec3 between_points(const sn_vec3 at[4], const double span[3], double share) {
    const double x[4] = {(double)at[0].x, (double)at[1].x, (double)at[2].x, (double)at[3].x};
    const double y[4] = {(double)at[0].y, (double)at[1].y, (double)at[2].y, (double)at[3].y};
    const double z[4] = {(double)at[0].z, (double)at[1].z, (double)at[2].z, (double)at[3].z};
    return (sn_vec3){(sn_real)between(x, span, share), (sn_real)between(y, span, share),
                     (sn_real)between(z, span, share)};
}

sn_io_camera sn_io_camera_at(const sn_io_camera *camera, double time) {
    sn_io_camera now = *camera;
    now.key_count = 0;
    now.keys = NULL;
    if (camera->key_count == 0 || !camera->keys) return now;
    size_t last = camera->key_count - 1, i = 0;
    const sn_io_camera_key *keys = camera->keys;
    while (i < last && (double)keys[i + 1].time <= time) i++;
    /* The keys around the time; those at the ends stand for what is beyond. */
    const sn_io_camera_key *k[4] = {&keys[i > 0 ? i - 1 : 0], &keys[i], &keys[i < last ? i + 1 : i],
                                    &keys[i + 2 <= last ? i + 2 : last]};
    double span[3];
    for (int j = 0; j < 3; j++) span[j] = (double)k[j + 1]->time - (double)k[j]->time;
    double share = span[1] > 0 ? (time - (double)k[1]->time) / span[1] : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    const sn_vec3 eyes[4] = {k[0]->eye, k[1]->eye, k[2]->eye, k[3]->eye};
    const sn_vec3 targets[4] = {k[0]->target, k[1]->target, k[2]->target, k[3]->target};
    now.eye = between_points(eyes, span, share);
    now.target = between_points(targets, span, share);
    now.field_of_view =
        k[1]->field_of_view + (sn_real)share * (k[2]->field_of_view - k[1]->field_of_view);
    return now;
}
