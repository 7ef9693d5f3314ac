/*
 * What a step works with: masses shared between regions, what regions are at rest, moments of
 * oriented nodes.
 */
#include "systems/shape_matching/shape_matchings.h"

#include "math/matrix3.h"

/* How much heavier than the mean of the others kinematic nodes count. */
static const double anchor = 1000;
/* Below this part of its largest extent, squared, a region has none in a direction. */
static const double flat = 1e-8;

#define ROOM(array, room, count)                                                                   \
    sn_reserve(memory, (void **)&(array), &(room), count, sizeof *(array))

static bool reserve(sn_shape_matching_state *m, sn_memory *memory) {
    bool soft = m->def.compliance > 0;
    return ROOM(m->at, m->at_room, m->nodes) && ROOM(m->region, m->region_room, m->regions) &&
           (!soft || ROOM(m->pulled, m->pulled_room, m->nodes)) &&
           (!soft || !m->orientation || ROOM(m->turned, m->turned_room, m->nodes));
}

/* ---- Nodes ---- */

/* kg, of those that are kinematic. */
static double anchor_mass(const sn_shape_matching_state *m, const sn_real *w) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < m->nodes; i++) {
        double inverse = (double)w[m->node[i].slot - 1];
        if (!(inverse > 0)) continue;
        sum += 1 / inverse;
        count++;
    }
    return anchor * (count > 0 ? sum / count : 1);
}

static double square_of(const double a[3]) {
    return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

/* The places at rest, from the middle of all of them, and the shares of masses. */
static void weigh_nodes(sn_shape_matching_state *m, const sn_real *w) {
    double heavy = anchor_mass(m, w), middle[3] = {0, 0, 0}, per = 1 / (double)m->nodes;
    double nearest = 0;
    for (size_t i = 0; i < m->nodes; i++) {
        middle[0] += (double)m->rest[i].x * per;
        middle[1] += (double)m->rest[i].y * per;
        middle[2] += (double)m->rest[i].z * per;
    }
    for (size_t i = 0; i < m->nodes; i++) {
        sn_match_node *n = &m->at[i];
        double inverse = (double)w[m->node[i].slot - 1];
        *n = (sn_match_node){.regions = (double)sn_region_sums_regions_of(&m->sums, i)};
        if (n->regions > 0) n->mass = (inverse > 0 ? 1 / inverse : heavy) / n->regions;
        n->rest[0] = (double)m->rest[i].x - middle[0];
        n->rest[1] = (double)m->rest[i].y - middle[1];
        n->rest[2] = (double)m->rest[i].z - middle[2];
        double square = square_of(n->rest);
        if (i > 0 && !(square < nearest)) continue;
        nearest = square;
        m->middle = i;
    }
}

/* ---- Moments ---- */

/* Whether something can turn a frame about all of its axes. */
static bool turns(const sn_frames *frames, size_t frame) {
    sn_vec4 w = frames->w[frame];
    return w.x > 0 && w.y > 0 && w.z > 0;
}

/* The moment of a particle of this inertia: tr(I) / 2 - I, which no body makes negative. */
static void moment_of_inertia(const sn_frames *frames, size_t frame, double out[6]) {
    sn_vec4 inertia = frames->inertia[frame];
    double i[3] = {(double)inertia.x, (double)inertia.y, (double)inertia.z};
    for (int a = 0; a < 3; a++) {
        double rest = 0.5 * (i[0] + i[1] + i[2]) - i[a];
        out[a] = rest > 0 ? rest : 0;
        out[3 + a] = 0;
    }
}

/* m^2, the moment over the mass in the mean, for those that have neither inertia nor radius. */
static double mean_moment(const sn_shape_matching_state *m, const sn_nodes *nodes,
                          const sn_frames *frames) {
    double sum = 0, mass = 0;
    for (size_t i = 0; i < m->nodes; i++) {
        size_t slot = m->node[i].slot - 1, frame = nodes->frame[slot] - 1;
        double moment[6];
        if (!(nodes->w[slot] > 0) || !turns(frames, frame)) continue;
        moment_of_inertia(frames, frame, moment);
        sum += (moment[0] + moment[1] + moment[2]) / 3;
        mass += 1 / (double)nodes->w[slot];
    }
    return mass > 0 ? sum / mass : 0;
}

/* kg m^2, of the whole node. */
static void find_moment(const sn_shape_matching_state *m, size_t i, const sn_nodes *nodes,
                        const sn_frames *frames, double heavy, double mean, double out[6]) {
    size_t slot = m->node[i].slot - 1, frame = nodes->frame[slot] - 1;
    double w = (double)nodes->w[slot], radius = (double)nodes->radius[slot];
    bool free = w > 0 && turns(frames, frame);
    double mass = free ? 1 / w : heavy;
    if (m->moment) {
        for (int k = 0; k < 6; k++) out[k] = mass * (double)m->moment[i][k];
        return;
    }
    if (turns(frames, frame)) {
        moment_of_inertia(frames, frame, out);
        return;
    }
    sn_vec4 axes = frames->radii[frame];
    const double half[3] = {axes.x > 0 ? (double)axes.x : radius,
                            axes.x > 0 ? (double)axes.y : radius,
                            axes.x > 0 ? (double)axes.z : radius};
    for (int k = 0; k < 6; k++)
        out[k] = k < 3 ? mass * (radius > 0 ? 0.2 * half[k] * half[k] : mean) : 0;
}

static void find_moments(sn_shape_matching_state *m, const sn_nodes *nodes,
                         const sn_frames *frames) {
    double heavy = anchor_mass(m, nodes->w), mean = mean_moment(m, nodes, frames);
    for (size_t i = 0; i < m->nodes; i++) {
        sn_match_node *n = &m->at[i];
        double moment[6], full[9], rotation[9], resists[6];
        double q[4] = {(double)m->orientation[i].x, (double)m->orientation[i].y,
                       (double)m->orientation[i].z, (double)m->orientation[i].w};
        find_moment(m, i, nodes, frames, heavy, mean, moment);
        sn_matrix3_full(moment, full);
        sn_matrix3_of_quat(q, rotation);
        sn_matrix3_mul_transposed(full, rotation, n->arm);
        for (int k = 0; k < 9; k++) n->arm[k] = n->regions > 0 ? n->arm[k] / n->regions : 0;
        double trace = moment[0] + moment[1] + moment[2];
        for (int k = 0; k < 6; k++) resists[k] = (k < 3 ? trace : 0) - moment[k];
        (void)sn_matrix3_pseudo_inverse(resists, 1e-9, n->yield);
    }
}

/* ---- Regions ---- */

/* Sum of m r r^T, and the moments of oriented nodes at rest. */
static void add_square(const sn_shape_matching_state *m, size_t r, double out[6]) {
    const sn_match_region *region = &m->region[r];
    for (uint32_t k = m->first[r]; k < m->first[r + 1]; k++) {
        const sn_match_node *n = &m->at[m->member[k]];
        double x = n->rest[0] - region->centre[0], y = n->rest[1] - region->centre[1];
        double z = n->rest[2] - region->centre[2], q[4], rotation[9], a[9];
        const double add[6] = {x * x, y * y, z * z, y * z, z * x, x * y};
        for (int i = 0; i < 6; i++) out[i] += n->mass * add[i];
        if (!m->orientation) continue;
        const sn_quat *rest = &m->orientation[m->member[k]];
        q[0] = (double)rest->x, q[1] = (double)rest->y;
        q[2] = (double)rest->z, q[3] = (double)rest->w;
        sn_matrix3_of_quat(q, rotation);
        sn_matrix3_mul(rotation, n->arm, a);
        const double moment[6] = {
            a[0], a[4], a[8], 0.5 * (a[5] + a[7]), 0.5 * (a[2] + a[6]), 0.5 * (a[1] + a[3])};
        for (int i = 0; i < 6; i++) out[i] += moment[i];
    }
}

static void measure_region(sn_shape_matching_state *m, size_t r) {
    sn_match_region *region = &m->region[r];
    *region = (sn_match_region){0};
    for (uint32_t k = m->first[r]; k < m->first[r + 1]; k++) {
        const sn_match_node *n = &m->at[m->member[k]];
        region->mass += n->mass;
        for (int a = 0; a < 3; a++) region->centre[a] += n->mass * n->rest[a];
    }
    for (int a = 0; a < 3; a++) region->centre[a] /= region->mass;
}

/* What only regions need that are stretched or become plastic. */
static void invert_region(sn_shape_matching_state *m, size_t r) {
    sn_match_region *region = &m->region[r];
    double square[6] = {0}, full[9], inverse[9], there[9];
    add_square(m, r, square);
    if (sn_matrix3_pseudo_inverse(square, flat, region->inverse) == 3) return;
    sn_matrix3_full(square, full);
    sn_matrix3_full(region->inverse, inverse);
    sn_matrix3_mul(inverse, full, there);
    const double missing[6] = {1 - there[0], 1 - there[4], 1 - there[8],
                               -there[5],    -there[2],    -there[1]};
    for (int i = 0; i < 6; i++) region->missing[i] = missing[i];
}

/* ---- All of it ---- */

static bool build(sn_shape_matching_state *m, sn_memory *memory, const sn_nodes *nodes,
                  const sn_frames *frames) {
    size_t shapes = sn_shape_matching_shapes(m);
    sn_region_sums_input in = {m->nodes, shapes, m->first, m->member, m->rest, m->def.sums};
    if (!reserve(m, memory) || !sn_match_fibres_plan(m, memory)) return false;
    if (m->changed && !sn_region_sums_plan(&m->sums, memory, &in)) return false;
    weigh_nodes(m, nodes->w);
    if (m->orientation) find_moments(m, nodes, frames);
    for (size_t r = 0; r < shapes; r++) measure_region(m, r);
    if (m->plastic || m->def.mode == SN_SHAPE_MATCHING_LINEAR)
        for (size_t r = 0; r < shapes; r++) invert_region(m, r);
    for (size_t i = 0; i < m->nodes; i++) m->own[i] = 0;
    for (size_t r = shapes; r-- > 0;)
        if (m->centre[r] != UINT32_MAX) m->own[m->centre[r]] = (uint32_t)r + 1;
    m->changed = false;
    return true;
}

static bool reserve_rows(sn_shape_matchings *all, sn_memory *memory) {
    size_t row = 0, sum = 0;
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_shape_matching_state *m = &all->state[i];
        if (!all->slots.alive[i]) continue;
        size_t width = sn_shape_matching_width(m);
        if (width < SN_MATCH_DAMP && m->def.damping > 0) width = SN_MATCH_DAMP;
        if (m->nodes * width > row) row = m->nodes * width;
        if (m->regions * width > sum) sum = m->regions * width;
    }
    return ROOM(all->row, all->row_room, row) && ROOM(all->sum, all->sum_room, sum) &&
           ROOM(all->motion, all->motion_room, sum);
}

bool sn_shape_matchings_plan(sn_shape_matchings *all, sn_memory *memory, const sn_nodes *nodes,
                             const sn_frames *frames, bool masses_changed) {
    if (!all->changed && !masses_changed) return true;
    all->changed = true;
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_shape_matching_state *m = &all->state[i];
        if (all->slots.alive[i] && !build(m, memory, nodes, frames)) return false;
    }
    if (!reserve_rows(all, memory)) return false;
    all->changed = false;
    return true;
}
