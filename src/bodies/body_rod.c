/*
 * A Cosserat rod: the node at the beginning of a line carries its frame, whose z axis points along
 * the line. Frames are carried from line to line by the smallest turn, so that a rod at rest has no
 * twist beyond that of its own curve.
 */
#include "bodies/ghost_rod.h"
#include "bodies/lines.h"
#include "bodies/rod_section.h"
#include "math/matrix3.h"

#include <math.h>

#define NONE SN_NO_LINE

/* The line that begins at each vertex, and whether one ends there. Where several end, branches come
   together; where several begin there would have to be as many frames. */
static sn_result find_lines(const sn_builder *b, uint32_t *begins, uint8_t *ends) {
    for (size_t i = 0; i < b->mesh->vertex_count; i++) {
        begins[i] = NONE;
        ends[i] = 0;
    }
    for (size_t i = 0; i < b->mesh->line_count; i++) {
        const uint32_t *line = b->mesh->lines[i];
        if (begins[line[0]] != NONE)
            return sn_fail(
                SN_ERROR_DEGENERATE,
                "rod: lines %u and %zu both begin at vertex %u, expected chains in which "
                "each line goes on from the one before, or trees whose lines go from "
                "their tips to the root",
                begins[line[0]], i, line[0]);
        begins[line[0]] = (uint32_t)i;
        ends[line[1]] = 1;
    }
    return SN_OK;
}

/* What touches others is round: of the same area, where the rod is not. */
static sn_lines_section cut(const void *material) {
    const sn_rod_material *m = material;
    sn_rod_section s = sn_rod_section_of(m);
    sn_real radius = m->section == 0 ? m->radius : (sn_real)sqrt(s.outer / SN_CIRCLE);
    return (sn_lines_section){radius, m->density, m->section == 0 && m->hollow == 0 ? 0 : s.area};
}

static sn_result weigh(sn_builder *b) {
    SN_TRY(sn_rod_section_check(b->material));
    SN_TRY(sn_ghost_rod_check(b));
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

static bool has_ghosts(const sn_builder *b) {
    return ((const sn_rod_material *)b->material)->model == SN_ROD_GHOST_POINTS;
}

static void orient(sn_builder *b, uint32_t vertex, const double q[4], double length) {
    sn_rod_section s = sn_rod_section_of(sn_builder_at(b, &vertex, 1));
    sn_node_def *def = &b->defs[vertex];
    double mass = b->mass[vertex], round = s.round;
    double x = mass * (s.wide[0] + length * length) / 12;
    double y = mass * (s.wide[1] + length * length) / 12;
    double along = mass * s.half[0] * s.half[0] * round + mass * s.half[1] * s.half[1] * round;
    double across = x < y ? x : y;
    /* Sideways pulls turn a frame about its axis by as much as they miss it, over this. A frame of
       a hair has 1e-6 of the other moments about it, would whirl, and throw the hair about. */
    if (along < across * LEAST_ALONG) along = across * LEAST_ALONG;
    def->oriented = !has_ghosts(b);
    def->orientation = (sn_quat){(sn_real)q[0], (sn_real)q[1], (sn_real)q[2], (sn_real)q[3]};
    def->angular_velocity = b->def->angular_velocity;
    def->inverse_inertia = (sn_vec3){(sn_real)(1 / x), (sn_real)(1 / y), (sn_real)(1 / along)};
}

/* The first frame of a chain, before it is turned into its direction: the one that will have its x
   axis where the width should be. */
static void begin_frame(const sn_builder *b, sn_point along, double q[4]) {
    sn_vec3 given = ((const sn_rod_material *)b->material)->across;
    sn_point z = {0, 0, 1}, wanted = sn_builder_turned(b, sn_point_of(given));
    double back[4], turn[4];
    q[0] = q[1] = q[2] = 0;
    q[3] = 1;
    wanted = sn_point_sub(wanted, sn_point_scaled(along, sn_point_dot(wanted, along)));
    double size = sn_point_length(wanted);
    if (!(size > 1e-6 * sn_point_length(sn_point_of(given)))) return;
    turn_between(along, z, back);
    wanted = sn_point_rotated(back, sn_point_scaled(wanted, 1 / size));
    wanted.z = 0;
    /* From x, about z: what turn_between does for half a turn may be about another axis. */
    turn_between((sn_point){1, 0, 0}, wanted, turn);
    if (1 + wanted.x < 1e-9) turn[0] = turn[1] = turn[3] = 0, turn[2] = 1;
    multiply(turn, q, q);
}

/* Goes along a chain from its first line to its end or to where it joins another, or once around a
   ring. */
static void walk(sn_builder *b, uint32_t first, const uint32_t *begins, uint8_t *done) {
    double q[4], turn[4];
    sn_point z = {0, 0, 1};
    uint32_t line = first;
    begin_frame(b, direction_of(b, first), q);
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

/* The joint that closes a ring is of no tree, and frames in closed form would not feel it. */
static sn_result check_ring(const sn_builder *b, uint32_t line) {
    if (b->def->body.solver != SN_BODY_SOLVER_CLOSED_FORM) return SN_OK;
    return sn_fail(
        SN_ERROR_DEGENERATE,
        "rod: line %u is of a ring and the solver closed_form, expected chains or trees, "
        "or another solver",
        line);
}

static sn_result shape(sn_builder *b) {
    size_t vertices = b->mesh->vertex_count, lines = b->mesh->line_count;
    uint32_t *begins = sn_allocate(b->memory, vertices, sizeof *begins);
    uint8_t *ends = sn_allocate(b->memory, vertices, sizeof *ends);
    uint8_t *done = sn_allocate(b->memory, lines, sizeof *done);
    sn_result result = begins && ends && done ? find_lines(b, begins, ends) : SN_ERROR_MEMORY;
    for (uint32_t i = 0; result == SN_OK && i < lines; i++)
        if (!ends[b->mesh->lines[i][0]]) walk(b, i, begins, done);
    for (uint32_t i = 0; result == SN_OK && i < lines; i++) {
        if (done[i]) continue;
        result = check_ring(b, i);
        if (result == SN_OK) walk(b, i, begins, done);
    }
    sn_free(b->memory, begins, vertices, sizeof *begins);
    sn_free(b->memory, ends, vertices, sizeof *ends);
    sn_free(b->memory, done, lines, sizeof *done);
    if (result == SN_OK && has_ghosts(b)) sn_ghost_rod_weigh(b);
    return result;
}

static double length_of(const sn_builder *b, const uint32_t line[2]) {
    const sn_rod_material *m = b->material;
    return (double)m->length * sn_builder_distance(b, line[0], line[1]);
}

static sn_stretch_shear_def define_segment(const sn_builder *b, const uint32_t line[2]) {
    const sn_rod_material *m = sn_builder_at(b, line, 2);
    sn_rod_section s = sn_rod_section_of(m);
    double young = (double)m->young, length = length_of(b, line);
    sn_stretch_shear_def def = sn_stretch_shear_def_default();
    def.node[0] = b->nodes[line[0]];
    def.node[1] = b->nodes[line[1]];
    /* The force of C, which has no unit, is that in the segment times its length. */
    if (m->break_force != SN_AUTO) def.break_force = (sn_real)((double)m->break_force * length);
    if (m->length != 1) def.rest_length = (sn_real)length;
    if (m->young == SN_AUTO) return def;
    double shear = young / (2 * (1 + (double)m->poisson));
    def.stretch_stiffness = (sn_real)(young * s.area);
    double across = s.shear * shear * s.area;
    /* Frames in closed form follow a segment the better the softer it is across, and nothing is
       gained by more than makes shear a quarter of the error of n segments, 1 / n^2. */
    double soft = 12 * young * (s.second[0] + s.second[1]) / 2 / (length * length);
    bool closed = b->def->body.solver == SN_BODY_SOLVER_CLOSED_FORM;
    def.shear_stiffness = (sn_real)(closed && soft < across ? soft : across);
    def.damping = (sn_real)(young * s.area * length * (double)m->damping);
    return def;
}

/* Where all of the section flows, its moment is E I times these (rod_section.c): of a stress in
   bending, and of that over the root of three in twist (von Mises). */
static void define_yield(const sn_rod_material *m, const sn_rod_section *s,
                         sn_bend_twist_def *def) {
    double strain = (double)m->plastic_yield;
    double shear = 2 * (1 + (double)m->poisson) / sqrt(3) * strain;
    double most = s->half[0] > s->half[1] ? s->half[0] : s->half[1];
    if (m->plastic_yield == SN_AUTO) return;
    def->yield = (sn_vec3){(sn_real)(strain * s->plastic[0] / s->second[0]),
                           (sn_real)(strain * s->plastic[1] / s->second[1]),
                           (sn_real)(shear * s->plastic[2] / s->torsion)};
    def->creep = m->plastic_creep;
    def->plastic_limit = (sn_real)((double)m->plastic_limit / most);
}

/* The joint between the frames of two nodes, with the material around it. */
static sn_bend_twist_def define_joint(const sn_builder *b, const uint32_t frame[2],
                                      const uint32_t *around, size_t count, double length) {
    const sn_rod_material *m = sn_builder_at(b, around, count);
    sn_rod_section s = sn_rod_section_of(m);
    double young = (double)m->young;
    sn_bend_twist_def def = sn_bend_twist_def_default();
    def.node[0] = b->nodes[frame[0]];
    def.node[1] = b->nodes[frame[1]];
    def.rest_length = (sn_real)length;
    define_yield(m, &s, &def);
    if (m->young == SN_AUTO) return def;
    double shear = young / (2 * (1 + (double)m->poisson));
    double least = s.second[0] < s.second[1] ? s.second[0] : s.second[1];
    def.bend_stiffness_x = (sn_real)(young * s.second[0]);
    def.bend_stiffness_y = (sn_real)(young * s.second[1]);
    def.twist_stiffness = (sn_real)(shear * s.torsion);
    def.damping = (sn_real)(4 * young * least / length * (double)m->damping);
    return def;
}

static bool is_pinned(const sn_builder *b, uint32_t vertex) {
    return b->defs[vertex].inverse_mass == 0;
}

/* Between the middles of two lines, or the beginning of one that is pinned there (sn_rod_pin). The
   frame of a last vertex, which no line has, is held there if that is pinned. */
static sn_result add_joints(sn_builder *b, const uint32_t *begins, sn_bend_twist_def *defs) {
    size_t count = 0;
    for (size_t i = 0; i < b->mesh->line_count; i++) {
        const uint32_t *line = b->mesh->lines[i];
        uint32_t next = begins[line[1]];
        double length = length_of(b, line) / (is_pinned(b, line[0]) ? 1 : 2);
        if (next != NONE) {
            const uint32_t around[3] = {line[0], line[1], b->mesh->lines[next][1]};
            if (!is_pinned(b, line[1])) length += length_of(b, b->mesh->lines[next]) / 2;
            defs[count++] = define_joint(b, line, around, 3, length);
        } else if (is_pinned(b, line[1])) {
            defs[count++] = define_joint(b, line, line, 2, length);
        }
    }
    return sn_builder_add(b, SN_TYPE_BEND_TWIST, defs, count);
}

/* By what substeps are enough for its bending: a rod that is clamped at one end droops by about
   15 h^2 E I / (rho A l^4) too much, or 3 of that with frames in closed form. Of the line that
   wants most. */
static double bend_rate(const sn_builder *b) {
    double most = 0, droop = b->def->body.solver == SN_BODY_SOLVER_CLOSED_FORM ? 3 : 15;
    for (size_t i = 0; i < b->mesh->line_count; i++) {
        const sn_rod_material *m = sn_builder_at(b, b->mesh->lines[i], 2);
        sn_rod_section s = sn_rod_section_of(m);
        double r = sqrt((s.wide[0] > s.wide[1] ? s.wide[0] : s.wide[1]) / 3);
        double length = length_of(b, b->mesh->lines[i]);
        double speed = m->young == SN_AUTO ? 0 : sqrt((double)m->young / (double)m->density);
        double rate = sqrt(droop / 0.4) / 2 * r * speed / (length * length);
        most = rate > most ? rate : most;
    }
    return most;
}

static sn_result connect_frames(sn_builder *b, const uint32_t *begins) {
    size_t lines = b->mesh->line_count;
    sn_stretch_shear_def *segments = sn_allocate(b->memory, lines, sizeof *segments);
    sn_bend_twist_def *joints = sn_allocate(b->memory, lines, sizeof *joints);
    sn_result result = SN_ERROR_MEMORY;
    if (segments && joints) {
        for (size_t i = 0; i < lines; i++) segments[i] = define_segment(b, b->mesh->lines[i]);
        result = sn_builder_add(b, SN_TYPE_STRETCH_SHEAR, segments, lines);
        if (result == SN_OK) result = add_joints(b, begins, joints);
    }
    sn_free(b->memory, segments, lines, sizeof *segments);
    sn_free(b->memory, joints, lines, sizeof *joints);
    return result;
}

static sn_result connect(sn_builder *b) {
    size_t vertices = b->mesh->vertex_count, lines = b->mesh->line_count;
    uint32_t *begins = sn_allocate(b->memory, vertices, sizeof *begins);
    if (!begins) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < vertices; i++) begins[i] = NONE;
    for (size_t i = 0; i < lines; i++) begins[b->mesh->lines[i][0]] = (uint32_t)i;
    sn_result result = has_ghosts(b) ? sn_ghost_rod_connect(b, begins) : connect_frames(b, begins);
    sn_free(b->memory, begins, vertices, sizeof *begins);
    if (result != SN_OK) return result;
    sn_lines_find_hung_rate(b);
    b->bend_rate = sn_lines_are_direct(b) ? 0 : bend_rate(b);
    return sn_builder_add_drag(b, ((const sn_rod_material *)b->material)->drag, true);
}

SN_DEFINE_KIND(rod, SN_ROD_FIELDS, "lines that resist stretch, shear, bending and twist",
               .surface = SN_BODY_SKIN_LINES,
               .varies = "radius density young poisson damping break_force width height hollow "
                         "plastic_yield plastic_creep plastic_limit",
               .weigh = weigh, .shape = shape, .connect = connect)
