/*
 * A Cosserat rod: the node at the beginning of a line carries its frame, whose z axis points along
 * the line. Frames are carried from line to line by the smallest turn, so that a rod at rest has no
 * twist beyond that of its own curve.
 */
#include "bodies/lines.h"
#include "math/matrix3.h"

#include <math.h>

#define NONE UINT32_MAX

/* The line that begins at each vertex; more than one in or out is a branch. */
static sn_result find_lines(const sn_builder *b, uint32_t *begins, uint32_t *ends) {
    for (size_t i = 0; i < b->mesh->vertex_count; i++) begins[i] = ends[i] = NONE;
    for (size_t i = 0; i < b->mesh->line_count; i++) {
        const uint32_t *line = b->mesh->lines[i];
        if (begins[line[0]] != NONE || ends[line[1]] != NONE)
            return sn_fail(SN_ERROR_DEGENERATE,
                           "rod: lines %u and %zu %s at vertex %u, expected chains in which each "
                           "line goes on from the one before",
                           begins[line[0]] != NONE ? begins[line[0]] : ends[line[1]], i,
                           begins[line[0]] != NONE ? "both begin" : "both end",
                           begins[line[0]] != NONE ? line[0] : line[1]);
        begins[line[0]] = ends[line[1]] = (uint32_t)i;
    }
    return SN_OK;
}

static sn_lines_section cut(const void *material) {
    const sn_rod_material *m = material;
    return (sn_lines_section){m->radius, m->density};
}

static sn_result weigh(sn_builder *b) {
    return sn_lines_weigh(b, cut);
}

/* The smallest rotation from one unit vector to another, as a quaternion. */
static void turn_between(sn_point from, sn_point to, double q[4]) {
    double w = 1 + sn_point_dot(from, to);
    sn_point axis = sn_point_cross(from, to);
    if (w < 1e-9) {
        /* Half a turn, about any axis across. */
        sn_point other = fabs(from.x) < 0.7 ? (sn_point){1, 0, 0} : (sn_point){0, 1, 0};
        axis = sn_point_cross(from, other);
        w = 0;
    }
    double norm = sqrt(sn_point_dot(axis, axis) + w * w);
    q[0] = axis.x / norm;
    q[1] = axis.y / norm;
    q[2] = axis.z / norm;
    q[3] = w / norm;
}

static void multiply(const double a[4], const double b[4], double q[4]) {
    double p[4];
    sn_double4_quat_mul(a, b, p);
    double norm = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int k = 0; k < 4; k++) q[k] = p[k] / norm;
}

/* The least moment of inertia of a frame about its axis, of that across. */
#define LEAST_ALONG 0.01

static sn_point direction_of(const sn_builder *b, uint32_t line) {
    sn_point along = sn_point_sub(b->x[b->mesh->lines[line][1]], b->x[b->mesh->lines[line][0]]);
    return sn_point_scaled(along, 1 / sn_point_length(along));
}

static void orient(sn_builder *b, uint32_t vertex, const double q[4], double length) {
    const sn_rod_material *m = sn_builder_at(b, &vertex, 1);
    sn_node_def *def = &b->defs[vertex];
    double r = (double)m->radius, mass = b->mass[vertex];
    double across = mass * (3 * r * r + length * length) / 12, along = mass * r * r / 2;
    /* Sideways pulls turn a frame about its axis by as much as they miss it, over this. A frame of
       a hair has 1e-6 of the other moments about it, would whirl, and throw the hair about. */
    if (along < across * LEAST_ALONG) along = across * LEAST_ALONG;
    def->oriented = true;
    def->orientation = (sn_quat){(sn_real)q[0], (sn_real)q[1], (sn_real)q[2], (sn_real)q[3]};
    def->angular_velocity = b->def->angular_velocity;
    def->inverse_inertia =
        (sn_vec3){(sn_real)(1 / across), (sn_real)(1 / across), (sn_real)(1 / along)};
}

/* Goes along a chain from its first line, or once around a ring. */
static void walk(sn_builder *b, uint32_t first, const uint32_t *begins, uint8_t *done) {
    double q[4], turn[4];
    sn_point z = {0, 0, 1};
    uint32_t line = first;
    q[0] = q[1] = q[2] = 0;
    q[3] = 1;
    while (line != NONE && !done[line]) {
        sn_point along = direction_of(b, line);
        turn_between(z, along, turn);
        multiply(turn, q, q);
        z = along;
        done[line] = 1;
        uint32_t vertex = b->mesh->lines[line][1];
        double length = sn_builder_distance(b, b->mesh->lines[line][0], vertex);
        orient(b, b->mesh->lines[line][0], q, length);
        /* The last node of a chain begins no line; it has the frame of the one that ends there. */
        if (begins[vertex] == NONE) orient(b, vertex, q, length);
        line = begins[vertex];
    }
}

static sn_result shape(sn_builder *b) {
    size_t vertices = b->mesh->vertex_count, lines = b->mesh->line_count;
    uint32_t *begins = sn_allocate(b->memory, vertices, sizeof *begins);
    uint32_t *ends = sn_allocate(b->memory, vertices, sizeof *ends);
    uint8_t *done = sn_allocate(b->memory, lines, sizeof *done);
    sn_result result = begins && ends && done ? find_lines(b, begins, ends) : SN_ERROR_MEMORY;
    for (uint32_t i = 0; result == SN_OK && i < lines; i++)
        if (ends[b->mesh->lines[i][0]] == NONE) walk(b, i, begins, done);
    for (uint32_t i = 0; result == SN_OK && i < lines; i++)
        if (!done[i]) walk(b, i, begins, done);
    sn_free(b->memory, begins, vertices, sizeof *begins);
    sn_free(b->memory, ends, vertices, sizeof *ends);
    sn_free(b->memory, done, lines, sizeof *done);
    return result;
}

static sn_stretch_shear_def define_segment(const sn_builder *b, const uint32_t line[2]) {
    const sn_rod_material *m = sn_builder_at(b, line, 2);
    double r = (double)m->radius, area = SN_CIRCLE * r * r, young = (double)m->young;
    sn_stretch_shear_def def = sn_stretch_shear_def_default();
    def.node[0] = b->nodes[line[0]];
    def.node[1] = b->nodes[line[1]];
    def.break_force = m->break_force;
    if (m->young == SN_AUTO) return def;
    double shear = young / (2 * (1 + (double)m->poisson));
    def.stretch_stiffness = (sn_real)(young * area);
    /* 0.9 is the shear factor of a round cross-section. */
    def.shear_stiffness = (sn_real)(0.9 * shear * area);
    def.damping =
        (sn_real)(young * area * sn_builder_distance(b, line[0], line[1]) * (double)m->damping);
    return def;
}

static sn_bend_twist_def define_joint(const sn_builder *b, const uint32_t line[2],
                                      const uint32_t next[2]) {
    const uint32_t around[3] = {line[0], next[0], next[1]};
    const sn_rod_material *m = sn_builder_at(b, around, 3);
    double r = (double)m->radius, second = SN_CIRCLE * r * r * r * r / 4, young = (double)m->young;
    double length =
        (sn_builder_distance(b, line[0], line[1]) + sn_builder_distance(b, next[0], next[1])) / 2;
    sn_bend_twist_def def = sn_bend_twist_def_default();
    def.node[0] = b->nodes[line[0]];
    def.node[1] = b->nodes[next[0]];
    def.rest_length = (sn_real)length;
    if (m->young == SN_AUTO) return def;
    double shear = young / (2 * (1 + (double)m->poisson));
    def.bend_stiffness_x = def.bend_stiffness_y = (sn_real)(young * second);
    def.twist_stiffness = (sn_real)(shear * 2 * second);
    def.damping = (sn_real)(4 * young * second / length * (double)m->damping);
    return def;
}

static sn_result add_joints(sn_builder *b, const uint32_t *begins, sn_bend_twist_def *defs) {
    size_t count = 0;
    for (size_t i = 0; i < b->mesh->line_count; i++) {
        const uint32_t *line = b->mesh->lines[i];
        uint32_t next = begins[line[1]];
        if (next != NONE) defs[count++] = define_joint(b, line, b->mesh->lines[next]);
    }
    return sn_builder_add(b, SN_TYPE_BEND_TWIST, defs, count);
}

/* By what substeps are enough for its bending: a rod that is clamped at one end droops by about
   15 h^2 E I / (rho A l^4) too much. Of the line that wants most. */
static double bend_rate(const sn_builder *b) {
    double most = 0;
    for (size_t i = 0; i < b->mesh->line_count; i++) {
        const sn_rod_material *m = sn_builder_at(b, b->mesh->lines[i], 2);
        double r = (double)m->radius;
        double length = sn_builder_distance(b, b->mesh->lines[i][0], b->mesh->lines[i][1]);
        double speed = m->young == SN_AUTO ? 0 : sqrt((double)m->young / (double)m->density);
        double rate = sqrt(15 / 0.4) / 2 * r * speed / (length * length);
        most = rate > most ? rate : most;
    }
    return most;
}

static sn_result connect(sn_builder *b) {
    size_t vertices = b->mesh->vertex_count, lines = b->mesh->line_count;
    sn_stretch_shear_def *segments = sn_allocate(b->memory, lines, sizeof *segments);
    sn_bend_twist_def *joints = sn_allocate(b->memory, lines, sizeof *joints);
    uint32_t *begins = sn_allocate(b->memory, vertices, sizeof *begins);
    sn_result result = SN_ERROR_MEMORY;
    if (segments && joints && begins) {
        for (size_t i = 0; i < vertices; i++) begins[i] = NONE;
        for (size_t i = 0; i < lines; i++) begins[b->mesh->lines[i][0]] = (uint32_t)i;
        for (size_t i = 0; i < lines; i++) segments[i] = define_segment(b, b->mesh->lines[i]);
        result = sn_builder_add(b, SN_TYPE_STRETCH_SHEAR, segments, lines);
        if (result == SN_OK) result = add_joints(b, begins, joints);
    }
    sn_free(b->memory, segments, lines, sizeof *segments);
    sn_free(b->memory, joints, lines, sizeof *joints);
    sn_free(b->memory, begins, vertices, sizeof *begins);
    if (result != SN_OK) return result;
    sn_lines_find_hung_rate(b);
    b->bend_rate = bend_rate(b);
    return sn_builder_add_drag(b, ((const sn_rod_material *)b->material)->drag, true);
}

SN_DEFINE_KIND(rod, SN_ROD_FIELDS, "lines that resist stretch, shear, bending and twist",
               .surface = SN_BODY_SKIN_LINES,
               .varies = "radius density young poisson damping break_force", .weigh = weigh,
               .shape = shape, .connect = connect)
