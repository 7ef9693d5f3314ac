/*
 * A robot in a world: nodes, shapes and joints, by public calls.
 *
 * Joints measure their angles from where they are made, so everything is made as the file has it at
 * 0 and brought to where it begins afterwards.
 */
#include "io/robot/robot.h"

#include <sinew/support.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* rad/(N m) or m/N: softer than anything, where only the damping of a drive is wanted. */
#define SOFT ((sn_real)1e9)

typedef struct making {
    sn_world *world;
    const sn_io_robot *robot;
    const sn_io_robot_place *place;
    sn_io_robot_parts *parts;
    double *start;        /* of joints, rad or m */
    robot_frame *links;   /* at 0, then where they begin */
    robot_frame *centres; /* frames of nodes in those of the first links of their bodies */
    sn_node *nodes;       /* of bodies */
} making;

sn_io_robot_place sn_io_robot_place_default(void) {
    sn_collider_def shape = sn_collider_def_default();
    return (sn_io_robot_place){.size = sizeof(sn_io_robot_place),
                               .orientation = {0, 0, 0, 1},
                               .up = SN_IO_UP_Z,
                               .body = sn_body_def_default(),
                               .mask = UINT32_MAX,
                               .static_friction = shape.static_friction,
                               .dynamic_friction = shape.dynamic_friction,
                               .restitution = shape.restitution};
}

sn_result sn_robot_check_place(const sn_io_robot_place *place) {
    sn_vec3 x = place->position;
    sn_quat q = place->orientation;
    double size = (double)q.x * (double)q.x + (double)q.y * (double)q.y +
                  (double)q.z * (double)q.z + (double)q.w * (double)q.w;
    if (place->size != sizeof *place)
        return sn_fail(SN_ERROR_DEFINITION,
                       "robot: its size is %zu, expected %zu: begin with sn_io_robot_place_default",
                       place->size, sizeof *place);
    if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
        return sn_fail(SN_ERROR_VALUE, "robot: its position is not finite");
    if (!(size > 1e-12 && size < 1e12))
        return sn_fail(SN_ERROR_VALUE, "robot: its orientation has the length %g, expected 1",
                       sqrt(size));
    if ((unsigned)place->up > SN_IO_UP_X)
        return sn_fail(SN_ERROR_VALUE, "robot: up is %d, expected 0 to 2", (int)place->up);
    if ((unsigned)place->base > SN_IO_BASE_FREE)
        return sn_fail(SN_ERROR_VALUE, "robot: base is %d, expected 0 to 2", (int)place->base);
    return SN_OK;
}

static sn_vec3 vec3_of(sn_io_point a) {
    return sn_io_point_vec3(a);
}

static sn_quat quat_of(const double q[4]) {
    return (sn_quat){(sn_real)q[0], (sn_real)q[1], (sn_real)q[2], (sn_real)q[3]};
}

/* ---- Nodes ---- */

static bool is_fixed(const making *m, size_t body) {
    if (body != 0) return false;
    if (m->place->base != SN_IO_BASE_AUTO) return m->place->base == SN_IO_BASE_FIXED;
    return !(m->robot->bodies[0].mass > 0);
}

static robot_frame node_frame(const making *m, size_t body) {
    return sn_robot_compose(&m->links[m->robot->bodies[body].link], &m->centres[body]);
}

static sn_result make_bodies(making *m) {
    size_t count = m->place->self ? m->robot->body_count : 1;
    for (size_t i = 0; i < count; i++) {
        SN_TRY(sn_body_create(m->world, &m->place->body, &m->parts->bodies[i]));
        m->parts->body_count++;
    }
    return SN_OK;
}

static sn_body body_of(const making *m, size_t body) {
    return m->parts->bodies[m->place->self ? body : 0];
}

static sn_result make_node(making *m, size_t b) {
    const robot_body *body = &m->robot->bodies[b];
    sn_node_def def = sn_node_def_default();
    robot_frame frame = node_frame(m, b);
    def.oriented = true;
    def.body = body_of(m, b);
    def.group = m->place->group;
    def.position = vec3_of(frame.at);
    def.orientation = quat_of(frame.turn);
    def.inverse_mass = 0;
    def.inverse_inertia = (sn_vec3){0, 0, 0};
    if (!is_fixed(m, b)) {
        if (!(body->mass > 0))
            return sn_fail(SN_ERROR_VALUE, "robot: its base is free and has no mass");
        def.inverse_mass = (sn_real)(1 / body->mass);
        def.inverse_inertia =
            (sn_vec3){(sn_real)(1 / body->moments[0]), (sn_real)(1 / body->moments[1]),
                      (sn_real)(1 / body->moments[2])};
    }
    return sn_node_create(m->world, &def, &m->nodes[b]);
}

static sn_result make_nodes(making *m) {
    for (size_t b = 0; b < m->robot->body_count; b++) {
        const robot_body *body = &m->robot->bodies[b];
        m->centres[b] = sn_robot_here;
        if (body->mass > 0) {
            m->centres[b].at = body->centre;
            memcpy(m->centres[b].turn, body->axes, sizeof body->axes);
        }
        SN_TRY(make_node(m, b));
    }
    for (size_t i = 0; i < m->robot->link_count; i++)
        m->parts->nodes[i] = m->nodes[m->robot->links[i].body];
    return SN_OK;
}

/* ---- Shapes ---- */

static sn_result make_collider(making *m, const robot_geometry *g) {
    sn_io_robot_parts *parts = m->parts;
    sn_collider_def def = sn_collider_def_default();
    sn_robot_collider(g, &def);
    robot_frame own = {sn_io_point_of(def.position),
                       {(double)def.orientation.x, (double)def.orientation.y,
                        (double)def.orientation.z, (double)def.orientation.w}};
    robot_frame frame = sn_robot_compose(&m->links[g->link], &own);
    def.position = vec3_of(frame.at);
    def.orientation = quat_of(frame.turn);
    def.mask = m->place->mask;
    def.static_friction = m->place->static_friction;
    def.dynamic_friction = m->place->dynamic_friction;
    def.restitution = m->place->restitution;
    size_t at = parts->collider_count;
    SN_TRY(sn_collider_create(m->world, &def, &parts->colliders[at]));
    parts->collider_links[at] = g->link;
    parts->collider_count++;
    SN_TRY(sn_collider_set_carrier(m->world, parts->colliders[at], parts->nodes[g->link]));
    /* Where links do not touch each other, no node of the robot touches its shapes. */
    if (m->place->self) return SN_OK;
    return sn_body_set_collider_collision(m->world, parts->bodies[0], parts->colliders[at], false);
}

static sn_result make_colliders(making *m) {
    for (size_t i = 0; i < m->robot->geometry_count; i++)
        if (!m->robot->geometries[i].visual) SN_TRY(make_collider(m, &m->robot->geometries[i]));
    return SN_OK;
}

/* ---- Joints ---- */

/* Where a joint is on the node of its parent. */
typedef struct fitting {
    sn_node node[2];
    sn_vec3 anchor, axis; /* in the frame of the first node */
    bool slides;
} fitting;

static fitting fit(const making *m, size_t joint) {
    const sn_io_robot_joint *j = &m->robot->joints[joint].public;
    size_t parent = m->robot->links[j->parent].body, child = m->robot->links[j->child].body;
    robot_frame node = node_frame(m, parent), back = sn_robot_inverse(&node);
    robot_frame at = sn_robot_compose(&back, &m->links[j->child]);
    return (fitting){.node = {m->nodes[parent], m->nodes[child]},
                     .anchor = vec3_of(at.at),
                     .axis = vec3_of(sn_io_point_rotated(at.turn, sn_io_point_of(j->axis))),
                     .slides = j->kind == SN_IO_JOINT_PRISMATIC};
}

/* Hinges, sliders and planes have the same fields, but not the same struct. */
#define MAKE_JOINT(m, type, number, f, made)                                                       \
    do {                                                                                           \
        sn_##type##_def def = sn_##type##_def_default();                                           \
        def.node[0] = (f)->node[0];                                                                \
        def.node[1] = (f)->node[1];                                                                \
        def.anchor_0 = (f)->anchor;                                                                \
        def.axis = (f)->axis;                                                                      \
        return sn_constraint_create((m)->world, number, &def, made);                               \
    } while (0)

static sn_result make_joint(making *m, sn_io_joint_kind kind, const fitting *f,
                            sn_constraint *made) {
    if (kind == SN_IO_JOINT_PRISMATIC) MAKE_JOINT(m, slider_joint, SN_TYPE_SLIDER_JOINT, f, made);
    if (kind == SN_IO_JOINT_PLANAR) MAKE_JOINT(m, planar_joint, SN_TYPE_PLANAR_JOINT, f, made);
    MAKE_JOINT(m, hinge_joint, SN_TYPE_HINGE_JOINT, f, made);
}

/* What a drive is. */
typedef struct drive {
    sn_side side;
    sn_real target, speed, most_force, compliance, damping;
} drive;

static sn_result make_drive(making *m, const fitting *f, const drive *d, sn_constraint *made) {
    sn_turn_drive_def turn = sn_turn_drive_def_default();
    sn_slide_drive_def slide = sn_slide_drive_def_default();
    turn.node[0] = slide.node[0] = f->node[0];
    turn.node[1] = slide.node[1] = f->node[1];
    turn.axis = slide.axis = f->axis;
    slide.anchor_0 = f->anchor;
    turn.side = slide.side = d->side;
    turn.target = slide.target = d->target;
    turn.speed = slide.speed = d->speed;
    turn.most_force = slide.most_force = d->most_force;
    turn.compliance = slide.compliance = d->compliance;
    turn.damping = slide.damping = d->damping;
    return f->slides ? sn_constraint_create(m->world, SN_TYPE_SLIDE_DRIVE, &slide, made)
                     : sn_constraint_create(m->world, SN_TYPE_TURN_DRIVE, &turn, made);
}

static sn_result make_drives(making *m, size_t joint, const fitting *f) {
    const sn_io_robot_joint *j = &m->robot->joints[joint].public;
    sn_io_robot_parts *p = m->parts;
    const drive none = {.side = SN_SIDE_BOTH, .speed = SN_AUTO, .most_force = SN_AUTO};
    drive d = none;
    if (j->damping > 0) {
        d.compliance = SOFT;
        d.damping = j->damping;
        SN_TRY(make_drive(m, f, &d, &p->dampers[joint]));
    }
    d = none;
    if (j->friction > 0) {
        d.speed = 0;
        d.most_force = j->friction;
        SN_TRY(make_drive(m, f, &d, &p->frictions[joint]));
    }
    d = none;
    if (m->place->servos && m->place->servos[joint]) {
        d.target = (sn_real)m->start[joint];
        d.most_force = j->most_force;
        SN_TRY(make_drive(m, f, &d, &p->servos[joint]));
    }
    /* Limits come last: what is solved later is satisfied best. */
    d = none;
    d.side = SN_SIDE_AT_LEAST;
    d.target = j->lower;
    if (j->lower != SN_AUTO) SN_TRY(make_drive(m, f, &d, &p->lower[joint]));
    d.side = SN_SIDE_AT_MOST;
    d.target = j->upper;
    if (j->upper != SN_AUTO) SN_TRY(make_drive(m, f, &d, &p->upper[joint]));
    return SN_OK;
}

static sn_result make_gear(making *m, size_t joint) {
    const sn_io_robot_joint *j = &m->robot->joints[joint].public;
    robot_gear gear;
    if (!sn_robot_find_gear(m->robot, joint, &gear)) return SN_OK;
    const double *turn = m->centres[gear.frame].turn;
    const double back[4] = {-turn[0], -turn[1], -turn[2], turn[3]};
    sn_gear_joint_def def = sn_gear_joint_def_default();
    def.node[0] = m->nodes[gear.frame];
    def.node[1] = m->parts->nodes[m->robot->joints[j->mimic].public.child];
    def.node[2] = m->parts->nodes[j->child];
    def.axis_1 = vec3_of(sn_io_point_rotated(back, gear.axis));
    def.axis_2 = vec3_of(sn_io_point_rotated(back, gear.axis_2));
    def.ratio = (sn_real)gear.ratio;
    return sn_constraint_create(m->world, SN_TYPE_GEAR_JOINT, &def, &m->parts->gears[joint]);
}

/* Links that a joint joins overlap there. */
static sn_result part_bodies(making *m, const sn_io_robot_joint *j) {
    if (!m->place->self) return SN_OK;
    return sn_body_set_collision(m->world, body_of(m, m->robot->links[j->parent].body),
                                 body_of(m, m->robot->links[j->child].body), false);
}

static sn_result make_joints(making *m) {
    for (size_t i = 0; i < m->robot->joint_count; i++) {
        const sn_io_robot_joint *j = &m->robot->joints[i].public;
        if (j->kind == SN_IO_JOINT_FIXED || j->kind == SN_IO_JOINT_FLOATING) continue;
        fitting f = fit(m, i);
        SN_TRY(make_joint(m, j->kind, &f, &m->parts->joints[i]));
        SN_TRY(part_bodies(m, j));
        if (j->kind != SN_IO_JOINT_PLANAR) SN_TRY(make_drives(m, i, &f));
        SN_TRY(make_gear(m, i));
    }
    return SN_OK;
}

/* ---- All of it ---- */

static sn_result begin(making *m) {
    robot_frame base = sn_robot_base(m->place);
    sn_robot_place_links(m->robot, &base, m->start, m->links);
    for (size_t b = 0; b < m->robot->body_count; b++) {
        robot_frame frame = node_frame(m, b);
        SN_TRY(sn_node_set_position(m->world, m->nodes[b], vec3_of(frame.at)));
        SN_TRY(sn_node_set_orientation(m->world, m->nodes[b], quat_of(frame.turn)));
    }
    return SN_OK;
}

static sn_result make(making *m) {
    SN_TRY(sn_robot_start(m->robot, m->place->joints, m->start));
    robot_frame base = sn_robot_base(m->place);
    double *zero = calloc(m->robot->joint_count + 1, sizeof *zero);
    if (!zero) return sn_fail(SN_ERROR_MEMORY, "robot: no memory");
    sn_robot_place_links(m->robot, &base, zero, m->links);
    free(zero);
    SN_TRY(make_bodies(m));
    SN_TRY(make_nodes(m));
    SN_TRY(make_colliders(m));
    SN_TRY(make_joints(m));
    return begin(m);
}

static bool make_parts(const sn_io_robot *r, sn_io_robot_parts *p) {
    size_t joints = r->joint_count + 1;
    *p = (sn_io_robot_parts){.link_count = r->link_count, .joint_count = r->joint_count};
    p->nodes = calloc(r->link_count + 1, sizeof *p->nodes);
    sn_constraint **lists[] = {&p->joints,  &p->servos,    &p->lower, &p->upper,
                               &p->dampers, &p->frictions, &p->gears};
    bool made = p->nodes != NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        made = (*lists[i] = calloc(joints, sizeof **lists[i])) != NULL && made;
    p->colliders = calloc(r->geometry_count + 1, sizeof *p->colliders);
    p->collider_links = calloc(r->geometry_count + 1, sizeof *p->collider_links);
    p->bodies = calloc(r->body_count + 1, sizeof *p->bodies);
    return made && p->colliders && p->collider_links && p->bodies;
}

void sn_io_robot_parts_free(sn_io_robot_parts *p) {
    if (!p) return;
    free(p->nodes);
    free(p->joints);
    free(p->servos);
    free(p->lower);
    free(p->upper);
    free(p->dampers);
    free(p->frictions);
    free(p->gears);
    free(p->colliders);
    free(p->collider_links);
    free(p->bodies);
    *p = (sn_io_robot_parts){0};
}

/* Nodes and joints go with their bodies. The sentence of what failed stays. */
static void take_back(const making *m, sn_result result) {
    char sentence[512];
    size_t length = strlen(sn_last_error());
    if (length >= sizeof sentence) length = sizeof sentence - 1;
    memcpy(sentence, sn_last_error(), length);
    sentence[length] = 0;
    for (size_t i = 0; i < m->parts->collider_count; i++)
        (void)sn_collider_destroy(m->world, m->parts->colliders[i]);
    for (size_t i = 0; i < m->parts->body_count; i++)
        (void)sn_body_destroy(m->world, m->parts->bodies[i]);
    sn_io_robot_parts_free(m->parts);
    (void)sn_fail(result, "%s", sentence);
}

sn_result sn_io_robot_create(sn_world *world, const sn_io_robot *robot,
                             const sn_io_robot_place *place, sn_io_robot_parts *parts) {
    if (!world || !robot || !place || !parts)
        return sn_fail(SN_ERROR_NULL, "sn_io_robot_create: %s is null",
                       !world   ? "world"
                       : !robot ? "robot"
                       : !place ? "place"
                                : "parts");
    *parts = (sn_io_robot_parts){0};
    SN_TRY(sn_robot_check_place(place));
    making m = {.world = world, .robot = robot, .place = place, .parts = parts};
    m.start = calloc(robot->joint_count + 1, sizeof *m.start);
    m.links = calloc(robot->link_count + 1, sizeof *m.links);
    m.centres = calloc(robot->body_count + 1, sizeof *m.centres);
    m.nodes = calloc(robot->body_count + 1, sizeof *m.nodes);
    bool had = make_parts(robot, parts) && m.start && m.links && m.centres && m.nodes;
    sn_result result = had ? make(&m) : sn_fail(SN_ERROR_MEMORY, "robot: no memory");
    if (result != SN_OK) take_back(&m, result);
    free(m.start);
    free(m.links);
    free(m.centres);
    free(m.nodes);
    return result;
}
