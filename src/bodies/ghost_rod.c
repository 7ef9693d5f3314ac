/*
 * A rod with ghost points: nodes are particles, and beside the middle of each line is one more, the
 * ghost point, whose direction from there is the x axis of the line's frame.
 *
 *        g           g           distance      0 - 1, 1 - 2
 *        :           :           ghost_point   0 - 1 - g, 1 - 2 - g
 *   0 ---+---- 1 ----+---- 2     darboux       0 - 1 - 2 - g - g
 *
 * It has a part of the mass of its line, which is its moment of inertia about its axis: more of it
 * makes twist converge in fewer substeps, and weighs on one side. Far out little of it is enough:
 * as far as the line is long. With the volume kept it lies on the surface, so that its distance is
 * the radius.
 */
#include "bodies/ghost_rod.h"
#include "bodies/lines.h"
#include "bodies/rod_section.h"

#include <math.h>

/* The part of the mass of a line that its ghost point has, far out and on the surface. */
#define FAR_MASS 0.01
#define NEAR_MASS 0.1

static const sn_rod_material *material_of(const sn_builder *b) {
    return b->material;
}

sn_result sn_ghost_rod_check(const sn_builder *b) {
    const sn_rod_material *m = material_of(b);
    if (m->model == SN_ROD_COSSERAT && m->keeps == SN_ROD_KEEPS_VOLUME)
        return sn_fail(SN_ERROR_VALUE,
                       "rod: keeps is volume and model cosserat, whose radius is fixed; expected "
                       "the model ghost_points");
    if (m->model == SN_ROD_COSSERAT) return SN_OK;
    if (m->break_force != SN_AUTO)
        return sn_fail(SN_ERROR_VALUE,
                       "rod: break_force is %g N and model ghost_points, which does not break; "
                       "expected auto, or the model cosserat",
                       (double)m->break_force);
    if (m->plastic_yield != SN_AUTO)
        return sn_fail(SN_ERROR_VALUE,
                       "rod: plastic_yield is %g and model ghost_points, which does not yield; "
                       "expected auto, or the model cosserat",
                       (double)m->plastic_yield);
    if (b->def->body.solver == SN_BODY_SOLVER_WORLD) return SN_OK;
    return sn_fail(SN_ERROR_VALUE,
                   "rod: solver is %s and model ghost_points, which is swept; expected the solver "
                   "world, or the model cosserat",
                   b->def->body.solver == SN_BODY_SOLVER_DIRECT ? "direct" : "closed_form");
}

/* What a ghost point weighs, and its distance from the middle. */
typedef struct ghost {
    double mass, far, length;
} ghost;

static ghost ghost_of(const sn_builder *b, const uint32_t line[2]) {
    const sn_rod_material *m = sn_builder_at(b, line, 2);
    sn_rod_section s = sn_rod_section_of(m);
    double length = sn_builder_distance(b, line[0], line[1]);
    double mass = (double)m->density * s.area * length;
    if (m->keeps != SN_ROD_KEEPS_VOLUME) return (ghost){FAR_MASS * mass, length, length};
    double radius = m->section == 0 ? (double)m->radius : sqrt(s.outer / SN_CIRCLE);
    return (ghost){NEAR_MASS * mass, radius, length};
}

void sn_ghost_rod_weigh(sn_builder *b) {
    for (size_t i = 0; i < b->mesh->line_count; i++) {
        const uint32_t *line = b->mesh->lines[i];
        double half = ghost_of(b, line).mass / 2;
        for (int k = 0; k < 2; k++) {
            b->mass[line[k]] -= half;
            b->defs[line[k]].inverse_mass = (sn_real)(1 / b->mass[line[k]]);
        }
    }
}

static bool is_pinned(const sn_builder *b, const uint32_t line[2]) {
    return b->defs[line[0]].inverse_mass == 0 && b->defs[line[1]].inverse_mass == 0;
}

static sn_node_def place_ghost(const sn_builder *b, const uint32_t line[2]) {
    ghost g = ghost_of(b, line);
    const sn_node_def *from = &b->defs[line[0]], *to = &b->defs[line[1]];
    sn_quat r = from->orientation;
    const double q[4] = {(double)r.x, (double)r.y, (double)r.z, (double)r.w};
    sn_point arm = sn_point_rotated(q, (sn_point){g.far, 0, 0});
    sn_point middle = sn_point_scaled(sn_point_add(b->x[line[0]], b->x[line[1]]), 0.5);
    sn_point v =
        sn_point_scaled(sn_point_add(sn_point_of(from->velocity), sn_point_of(to->velocity)), 0.5);
    sn_point spin = sn_point_cross(sn_point_of(b->def->angular_velocity), arm);
    bool pinned = is_pinned(b, line);
    sn_node_def def = sn_node_def_default();
    def.body = from->body;
    def.group = SN_GROUP_NONE;
    def.position = sn_point_vec3(sn_point_add(middle, arm));
    def.inverse_mass = pinned ? 0 : (sn_real)(1 / g.mass);
    if (!pinned) def.velocity = sn_point_vec3(sn_point_add(v, spin));
    return def;
}

static sn_distance_def define_length(const sn_builder *b, const uint32_t line[2]) {
    const sn_rod_material *m = sn_builder_at(b, line, 2);
    double length = (double)m->length * sn_builder_distance(b, line[0], line[1]);
    double stiffness = (double)m->young * sn_rod_section_of(m).area / length;
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = b->nodes[line[0]];
    def.node[1] = b->nodes[line[1]];
    if (m->length != 1) def.rest_length = (sn_real)length;
    def.compliance = sn_builder_compliance(m->young, stiffness);
    def.damping = sn_builder_damping(m->young, stiffness, m->damping);
    return def;
}

static sn_ghost_point_def define_ghost(const sn_builder *b, const uint32_t line[2], sn_node point) {
    ghost g = ghost_of(b, line);
    sn_ghost_point_def def = sn_ghost_point_def_default();
    def.node[0] = b->nodes[line[0]];
    def.node[1] = b->nodes[line[1]];
    def.node[2] = point;
    def.rest_length = (sn_real)g.length;
    def.ahead = 0;
    def.radius = (sn_real)g.far;
    def.keeps = material_of(b)->keeps;
    return def;
}

/* Half of both lines, but for one that is held: the rod is clamped at its end. */
static double joint_length(const sn_builder *b, const uint32_t a[2], const uint32_t c[2]) {
    double half[2] = {sn_builder_distance(b, a[0], a[1]) / 2,
                      sn_builder_distance(b, c[0], c[1]) / 2};
    bool held[2] = {is_pinned(b, a), is_pinned(b, c)};
    if (held[0] != held[1]) half[held[0] ? 0 : 1] = 0;
    return (double)material_of(b)->length * (half[0] + half[1]);
}

static sn_darboux_def define_joint(const sn_builder *b, const uint32_t a[2], const uint32_t c[2]) {
    const uint32_t around[3] = {a[0], a[1], c[1]};
    const sn_rod_material *m = sn_builder_at(b, around, 3);
    sn_rod_section s = sn_rod_section_of(m);
    double young = (double)m->young, length = joint_length(b, a, c);
    sn_darboux_def def = sn_darboux_def_default();
    for (int k = 0; k < 3; k++) def.node[k] = b->nodes[around[k]];
    def.rest_length = (sn_real)length;
    if (m->young == SN_AUTO) return def;
    double least = s.second[0] < s.second[1] ? s.second[0] : s.second[1];
    def.bend_stiffness_x = (sn_real)(young * s.second[0]);
    def.bend_stiffness_y = (sn_real)(young * s.second[1]);
    def.twist_stiffness = (sn_real)(young / (2 * (1 + (double)m->poisson)) * s.torsion);
    def.damping = (sn_real)(4 * young * least / length * (double)m->damping);
    return def;
}

typedef struct parts {
    sn_node_def *defs;
    sn_node *points;
    sn_distance_def *lengths;
    sn_ghost_point_def *ghosts;
    sn_darboux_def *joints;
} parts;

static sn_result fill(sn_builder *b, const uint32_t *begins, const parts *p) {
    size_t lines = b->mesh->line_count, joints = 0;
    for (size_t i = 0; i < lines; i++) p->defs[i] = place_ghost(b, b->mesh->lines[i]);
    SN_TRY(sn_nodes_create(b->world, p->defs, lines, p->points));
    for (size_t i = 0; i < lines; i++) {
        const uint32_t *line = b->mesh->lines[i];
        uint32_t next = begins[line[1]];
        p->lengths[i] = define_length(b, line);
        p->ghosts[i] = define_ghost(b, line, p->points[i]);
        if (next == SN_NO_LINE) continue;
        p->joints[joints] = define_joint(b, line, b->mesh->lines[next]);
        p->joints[joints].node[3] = p->points[i];
        p->joints[joints++].node[4] = p->points[next];
    }
    SN_TRY(sn_builder_add(b, SN_TYPE_DISTANCE, p->lengths, lines));
    SN_TRY(sn_builder_add(b, SN_TYPE_DARBOUX, p->joints, joints));
    return sn_builder_add_hard(b, SN_TYPE_GHOST_POINT, p->ghosts, lines);
}

sn_result sn_ghost_rod_connect(sn_builder *b, const uint32_t *begins) {
    size_t lines = b->mesh->line_count;
    parts p = {.defs = sn_allocate(b->memory, lines, sizeof *p.defs),
               .points = sn_allocate(b->memory, lines, sizeof *p.points),
               .lengths = sn_allocate(b->memory, lines, sizeof *p.lengths),
               .ghosts = sn_allocate(b->memory, lines, sizeof *p.ghosts),
               .joints = sn_allocate(b->memory, lines, sizeof *p.joints)};
    b->apart = material_of(b)->keeps == SN_ROD_KEEPS_VOLUME;
    bool there = p.defs && p.points && p.lengths && p.ghosts && p.joints;
    sn_result result = there ? fill(b, begins, &p) : SN_ERROR_MEMORY;
    sn_free(b->memory, p.defs, lines, sizeof *p.defs);
    sn_free(b->memory, p.points, lines, sizeof *p.points);
    sn_free(b->memory, p.lengths, lines, sizeof *p.lengths);
    sn_free(b->memory, p.ghosts, lines, sizeof *p.ghosts);
    sn_free(b->memory, p.joints, lines, sizeof *p.joints);
    return result;
}
