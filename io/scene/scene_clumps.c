/*
 * Grains of several balls that touch, for gravel that interlocks: at each place of a lattice a ring
 * of them, with a ball on one of its sides or on both, turned at random.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <math.h>

enum { MOST_BALLS = 7, MOST_POINTS = 1 << 26 };

/* The balls of a grain, in radii about their middle; how far the farthest reaches is returned. */
static double shape_of(int balls, double at[MOST_BALLS][3]) {
    static const int rings[MOST_BALLS + 1] = {0, 0, 2, 3, 3, 3, 4, 5};
    const int ring = rings[balls], poles = balls - ring;
    double sine, cosine, reach = 0;
    sn_turn(1, 2 * (uint64_t)ring, &sine, &cosine);
    const double radius = 1 / sine, height = radius < 2 ? sqrt(4 - radius * radius) : 0;
    const double middle = poles == 1 ? height / balls : 0;
    for (int i = 0; i < ring; i++) {
        sn_turn((uint64_t)i, (uint64_t)ring, &sine, &cosine);
        at[i][0] = radius * cosine, at[i][1] = -middle, at[i][2] = radius * sine;
    }
    for (int i = 0; i < poles; i++)
        at[ring + i][0] = at[ring + i][2] = 0, at[ring + i][1] = (i ? -height : height) - middle;
    for (int i = 0; i < balls; i++)
        reach =
            fmax(reach, 1 + sqrt(at[i][0] * at[i][0] + at[i][1] * at[i][1] + at[i][2] * at[i][2]));
    return reach;
}

/* Evenly over all turns: a direction in four dimensions, the first within a ball. */
static void turn_of(uint64_t seed, uint64_t grain, double q[4]) {
    uint64_t hash = sn_hash_word(sn_hash_word(1, seed), grain);
    for (double square = 0; !(square > 0.01 && square <= 1);) {
        square = 0;
        for (int i = 0; i < 4; i++) {
            hash = sn_hash_word(hash, (uint64_t)i);
            q[i] = (double)(hash >> 11) * (2.0 / 9007199254740992.0) - 1;
            square += q[i] * q[i];
        }
        const double length = sqrt(square);
        for (int i = 0; i < 4 && square > 0; i++) q[i] /= length;
    }
}

static sn_vec3 turned(const double q[4], const double a[3], const double to[3], double scale) {
    double t[3], out[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        t[i] = 2 * (q[j] * a[k] - q[k] * a[j]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = to[i] + scale * (a[i] + q[3] * t[i] + (q[j] * t[k] - q[k] * t[j]));
    }
    return (sn_vec3){(sn_real)out[0], (sn_real)out[1], (sn_real)out[2]};
}

static sn_result add_grains(const scene_mesh_clumps *part, double spacing, const double count[3],
                            double shape[MOST_BALLS][3], sn_mesh *mesh) {
    uint64_t grain = 0;
    for (double y = 0; y < count[1]; y++)
        for (double z = 0; z < count[2]; z++)
            for (double x = 0; x < count[0]; x++) {
                const double to[3] = {spacing * (x + 0.5 - count[0] / 2),
                                      spacing * (y + 0.5 - count[1] / 2),
                                      spacing * (z + 0.5 - count[2] / 2)};
                double q[4];
                turn_of((uint64_t)part->seed, grain++, q);
                for (int i = 0; i < part->balls; i++) {
                    sn_vec3 at = turned(q, shape[i], to, (double)part->radius);
                    SN_TRY(sn_mesh_add_vertices(mesh, &at, 1));
                }
            }
    return SN_OK;
}

sn_result sn_scene_make_clumps(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    scene_mesh_clumps part = {.extent = {1, 1, 1}, .spacing = SN_AUTO, .balls = 4};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &part));
    const double extent[3] = {(double)part.extent.x, (double)part.extent.y, (double)part.extent.z};
    double shape[MOST_BALLS][3], count[3];
    const double needed = 2 * shape_of(part.balls, shape) * (double)part.radius;
    const double spacing = part.spacing == SN_AUTO ? needed : (double)part.spacing;
    if (spacing < 0.999 * needed)
        return sn_scene_complain(&s->reader, sn_json_member(node, "spacing"),
                                 "spacing is %g m, expected at least %g: grains of %d balls with a "
                                 "radius of %g m would overlap as they are turned",
                                 spacing, needed, part.balls, (double)part.radius);
    /* As many as fit, but for rounding. */
    for (int k = 0; k < 3; k++) count[k] = floor(extent[k] / spacing * (1 + 1e-6));
    if (!(count[0] >= 1 && count[1] >= 1 && count[2] >= 1 &&
          count[0] * count[1] * count[2] * part.balls <= MOST_POINTS))
        return sn_scene_complain(&s->reader, node,
                                 "there are %.3g times %.3g times %.3g grains, expected from 1 to "
                                 "%d in all",
                                 count[0], count[1], count[2], MOST_POINTS / part.balls);
    return add_grains(&part, spacing, count, shape, mesh);
}
