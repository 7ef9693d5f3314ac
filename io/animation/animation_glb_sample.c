/*
 * Where the vertices of a glTF animation are at a time: channels give nodes their places and morph
 * weights, nodes are put together from the root down, and vertices are morphed and then carried by
 * their node or, with the weights of a skin, by its joints.
 */
#include "io/animation/animation_glb.h"

#include "io/animation/animation.h"

#include <math.h>

/* ---- Channels ---- */

static void normalise(double q[4]) {
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(square > 0)) return;
    double factor = 1 / sqrt(square);
    for (int k = 0; k < 4; k++) q[k] *= factor;
}

/*
 * Along the great circle from p to q, the shorter way. Halves of the arc are taken until the chord
 * is as good, so that roots are all it needs and the bits are the same everywhere: after 12 of them
 * the rest of the arc is below 0.001 rad, and the chord off by less than 1e-11 of it.
 */
void sn_gltf_turn_between(const double p[4], const double q[4], double share, double out[4]) {
    double low[4], high[4], middle[4], dot = 0;
    for (int k = 0; k < 4; k++) dot += p[k] * q[k];
    for (int k = 0; k < 4; k++) {
        low[k] = p[k];
        high[k] = dot < 0 ? -q[k] : q[k];
    }
    normalise(low);
    normalise(high);
    for (int n = 0; n < 12; n++) {
        bool upper = share >= 0.5;
        for (int k = 0; k < 4; k++) middle[k] = low[k] + high[k];
        normalise(middle);
        for (int k = 0; k < 4; k++) (upper ? low : high)[k] = middle[k];
        share = upper ? 2 * share - 1 : 2 * share;
    }
    for (int k = 0; k < 4; k++) out[k] = low[k] + share * (high[k] - low[k]);
    normalise(out);
}

/* Hermite's spline of two keys that are `span` apart. */
static void spline_between(const double *from, const double *to, size_t width, double t,
                           double span, double *out) {
    double t2 = t * t, t3 = t2 * t;
    for (size_t k = 0; k < width; k++) {
        double value = from[width + k], leaves = span * from[2 * width + k];
        double next = to[width + k], arrives = span * to[k];
        out[k] = (2 * t3 - 3 * t2 + 1) * value + (t3 - 2 * t2 + t) * leaves +
                 (3 * t2 - 2 * t3) * next + (t3 - t2) * arrives;
    }
}

void sn_gltf_channel_at(const gltf_channel *c, double time, double *value) {
    double share;
    size_t i = sn_animation_find(c->times, c->count, time, &share);
    size_t stride = c->interpolation == GLTF_CUBIC ? 3 * c->width : c->width;
    const double *from = c->values + i * stride, *to = share > 0 ? from + stride : from;
    if (c->interpolation == GLTF_CUBIC) {
        double span = share > 0 ? c->times[i + 1] - c->times[i] : 0;
        spline_between(from, to, c->width, share, span, value);
    } else if (c->interpolation == GLTF_LINEAR && c->path == GLTF_ROTATION) {
        sn_gltf_turn_between(from, to, share, value);
    } else {
        if (c->interpolation == GLTF_STEP) share = 0;
        for (size_t k = 0; k < c->width; k++) value[k] = from[k] + share * (to[k] - from[k]);
    }
    if (c->path == GLTF_ROTATION) normalise(value);
}

/* ---- Nodes ---- */

static void place_nodes(gltf_motion *m, double time) {
    for (size_t i = 0; i < m->node_count; i++) {
        m->places[i] = m->nodes[i].place;
        for (size_t k = 0; k < m->nodes[i].weight_count; k++)
            m->weights[i][k] = m->nodes[i].weights[k];
    }
    for (size_t i = 0; i < m->channel_count; i++) {
        const gltf_channel *c = &m->channels[i];
        glb_place *place = &m->places[c->node];
        double *const values[GLTF_PATHS] = {place->t, place->q, place->s, m->weights[c->node]};
        sn_gltf_channel_at(c, time, values[c->path]);
    }
    for (size_t n = 0; n < m->node_count; n++) {
        size_t i = m->order[n];
        const gltf_node *node = &m->nodes[i];
        double own[16];
        if (node->is_matrix)
            memcpy(own, node->matrix, sizeof own);
        else
            sn_glb_place_matrix(&m->places[i], own);
        if (node->parent == SIZE_MAX)
            memcpy(m->worlds[i], own, sizeof own);
        else
            sn_glb_multiply(m->worlds[node->parent], own, m->worlds[i]);
    }
    for (size_t i = 0; i < m->skin_count; i++)
        for (size_t k = 0; k < m->skins[i].count; k++)
            sn_glb_multiply(m->worlds[m->skins[i].joints[k]], m->skins[i].inverses[k],
                            m->skins[i].matrices[k]);
}

/* ---- Vertices ---- */

static void morph(const gltf_run *run, const double *weights, size_t i, double x[3]) {
    for (size_t k = 0; k < 3; k++) x[k] = run->x[3 * i + k];
    for (size_t t = 0; t < run->target_count; t++)
        for (size_t k = 0; weights[t] != 0 && k < 3; k++)
            x[k] += weights[t] * run->targets[t][3 * i + k];
}

static void add_carried(const double m[16], const double x[3], double weight, double out[3]) {
    for (size_t k = 0; k < 3; k++)
        out[k] += weight * (m[k] * x[0] + m[4 + k] * x[1] + m[8 + k] * x[2] + m[12 + k]);
}

static void carry(const gltf_motion *m, const gltf_run *run, size_t i, const double x[3],
                  double out[3]) {
    out[0] = out[1] = out[2] = 0;
    if (run->skin == SIZE_MAX) {
        add_carried(m->worlds[run->node], x, 1, out);
        return;
    }
    const gltf_skin *skin = &m->skins[run->skin];
    double sum = 0;
    for (size_t k = 0; k < run->influences; k++) {
        double weight = run->weights[run->influences * i + k];
        sum += weight;
        if (weight != 0)
            add_carried(skin->matrices[run->joints[run->influences * i + k]], x, weight, out);
    }
    /* What no joint carries stays as it is modelled. */
    for (int k = 0; sum == 0 && k < 3; k++) out[k] = x[k];
}

void sn_gltf_sample(void *state, double time, double *x) {
    gltf_motion *m = state;
    place_nodes(m, time);
    for (size_t r = 0; r < m->run_count; r++) {
        const gltf_run *run = &m->runs[r];
        for (size_t i = 0; i < run->count; i++) {
            double modelled[3];
            morph(run, m->weights[run->node], i, modelled);
            carry(m, run, i, modelled, x + 3 * (run->first + i));
        }
    }
}
