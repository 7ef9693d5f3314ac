/*
 * URDF, the format in which robots are described: links with inertials, visuals and collisions, and
 * joints between them. Units are SI, angles are in rad, a frame is turned about its fixed axes x, y
 * and z (roll, pitch, yaw) and then moved.
 */
#include "io/robot/robot.h"
#include "io/text/xml.h"

#include <sinew/support.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So that what is looked for by name is found soon, whatever a file has. */
enum { MOST_LINKS = 4096, MOST_SHAPES = 4096, MOST_TOLD = 16 };
/* Lengths, masses and forces beyond are mistakes, and their squares would overflow a float. */
#define MOST_VALUE 1e12

typedef struct urdf {
    const urdf_reading *how;
    sn_io_robot *robot;
    xml_document xml;
    const xml_element *root;
} urdf;

/* ---- Saying ---- */

static sn_result no_memory(void) {
    return sn_fail(SN_ERROR_MEMORY, "robot: no memory");
}

static void tell(const urdf *u, const char *at, const char *format, ...) SN_PRINTF(3, 4);

/* Tells the log that something is left out. */
static void tell(const urdf *u, const char *at, const char *format, ...) {
    char sentence[320];
    va_list arguments;
    if (!u->how->def->log) return;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    (void)sn_text_fail(&u->xml.text, at, "%s", sentence);
    u->how->def->log(u->how->def->log_user, SN_LOG_WARNING, sn_last_error());
}

static char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

/* Room for one more, which is all zero. */
static bool grow(void **items, size_t count, size_t *capacity, size_t size) {
    if (count == *capacity) {
        size_t larger = *capacity ? 2 * *capacity : 16;
        void *grown = realloc(*items, larger * size);
        if (!grown) return false;
        *items = grown;
        *capacity = larger;
    }
    memset((char *)*items + count * size, 0, size);
    return true;
}

/* ---- Attributes ---- */

static sn_result need(const urdf *u, const xml_element *e, const char *name,
                      const xml_attribute **found) {
    *found = sn_xml_find(&u->xml, e, name);
    if (*found && (*found)->value[0]) return SN_OK;
    return sn_text_fail(&u->xml.text, e->at, "<%.32s> has no attribute \"%s\"", e->name, name);
}

/* So many numbers between blanks. One that is missing leaves the values as they are. */
static sn_result read_numbers(const urdf *u, const xml_element *e, const char *name, double *values,
                              size_t count) {
    const xml_attribute *a = e ? sn_xml_find(&u->xml, e, name) : NULL;
    if (!a) return SN_OK;
    sn_text part = {.name = u->xml.text.name, .begin = a->value, .at = a->value};
    part.end = a->value + strlen(a->value);
    for (size_t i = 0; i < count; i++) {
        double value;
        sn_text_skip_blanks(&part);
        bool good = sn_text_scan_real(&part, &value) && sn_text_is_delimited(&part);
        if (!good || !(fabs(value) <= MOST_VALUE))
            return sn_text_fail(&u->xml.text, a->at,
                                "%s is \"%.64s\", expected %zu number%s up to %g", name, a->value,
                                count, count == 1 ? "" : "s", MOST_VALUE);
        values[i] = value;
    }
    sn_text_skip_blanks(&part);
    if (part.at == part.end) return SN_OK;
    return sn_text_fail(&u->xml.text, a->at, "%s is \"%.64s\", expected %zu number%s", name,
                        a->value, count, count == 1 ? "" : "s");
}

/* One that must be there and be at least 0, or above it. */
static sn_result need_size(const urdf *u, const xml_element *e, const char *name, bool above,
                           double *values, size_t count) {
    const xml_attribute *a;
    SN_TRY(need(u, e, name, &a));
    SN_TRY(read_numbers(u, e, name, values, count));
    for (size_t i = 0; i < count; i++)
        if (!(above ? values[i] > 0 : values[i] >= 0))
            return sn_text_fail(&u->xml.text, a->at, "%s is %g, expected %s 0", name, values[i],
                                above ? "above" : "at least");
    return SN_OK;
}

static sn_result read_origin(const urdf *u, const xml_element *in, robot_frame *frame) {
    const xml_element *e = sn_xml_child(&u->xml, in, "origin");
    double xyz[3] = {0}, rpy[3] = {0};
    SN_TRY(read_numbers(u, e, "xyz", xyz, 3));
    SN_TRY(read_numbers(u, e, "rpy", rpy, 3));
    for (int i = 0; i < 3; i++)
        if (!(fabs(rpy[i]) <= 1000))
            return sn_text_fail(&u->xml.text, e->at, "rpy has %g rad, expected at most 1000",
                                rpy[i]);
    frame->at = (sn_io_point){xyz[0], xyz[1], xyz[2]};
    sn_robot_turn_rpy(rpy, frame->turn);
    return SN_OK;
}

/* ---- Links ---- */

static sn_result read_inertial(const urdf *u, const xml_element *link, robot_inertial *inertial) {
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const xml_element *e = sn_xml_child(&u->xml, link, "inertial");
    inertial->frame = sn_robot_here;
    if (!e) return SN_OK;
    const xml_element *mass = sn_xml_child(&u->xml, e, "mass");
    const xml_element *tensor = sn_xml_child(&u->xml, e, "inertia");
    if (!mass || !tensor)
        return sn_text_fail(&u->xml.text, e->at, "<inertial> has no <%s>",
                            mass ? "inertia" : "mass");
    SN_TRY(need_size(u, mass, "value", false, &inertial->mass, 1));
    for (int i = 0; i < 6; i++) {
        const xml_attribute *a;
        if (i < 3) SN_TRY(need(u, tensor, names[i], &a));
        SN_TRY(read_numbers(u, tensor, names[i], &inertial->tensor[i], 1));
    }
    SN_TRY(read_origin(u, e, &inertial->frame));
    inertial->given = true;
    return SN_OK;
}

/* ---- Shapes ---- */

/* Made smaller or larger; turned inside out where that mirrors it. */
static void scale_mesh(sn_mesh *mesh, const double scale[3]) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        sn_vec3 *x = &mesh->positions[i];
        *x = (sn_vec3){(sn_real)(scale[0] * (double)x->x), (sn_real)(scale[1] * (double)x->y),
                       (sn_real)(scale[2] * (double)x->z)};
    }
    if (scale[0] * scale[1] * scale[2] > 0) return;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        uint32_t corner = mesh->triangles[i][1];
        mesh->triangles[i][1] = mesh->triangles[i][2];
        mesh->triangles[i][2] = corner;
    }
}

/* A mesh whose file cannot be read as one is left out; what is broken in a file is an error. */
static sn_result read_mesh(const urdf *u, const xml_element *e, robot_geometry *g, bool *made) {
    const xml_attribute *name;
    double scale[3] = {1, 1, 1};
    char path[SN_PATH_LENGTH];
    *made = false;
    SN_TRY(need(u, e, "filename", &name));
    SN_TRY(read_numbers(u, e, "scale", scale, 3));
    if (scale[0] * scale[1] * scale[2] == 0)
        return sn_text_fail(&u->xml.text, e->at, "the scale of the mesh is 0");
    sn_result result = u->how->find(u->how->user, name->value, path, sizeof path);
    if (result != SN_OK) return sn_text_within(&u->xml.text, name->at, result);
    g->shape = ROBOT_MESH;
    g->mesh = sn_mesh_default();
    result = sn_io_mesh_read(path, NULL, &g->mesh);
    if (result == SN_ERROR_NAME) {
        tell(u, name->at, "the format of \"%.120s\" is not read, so the mesh is left out",
             name->value);
        return SN_OK;
    }
    if (result != SN_OK) return sn_text_within(&u->xml.text, name->at, result);
    *made = g->mesh.triangle_count > 0;
    scale_mesh(&g->mesh, scale);
    if (!*made) {
        tell(u, name->at, "\"%.120s\" has no triangles, so it is left out", name->value);
        sn_mesh_free(&g->mesh);
    }
    return SN_OK;
}

static sn_result read_shape(const urdf *u, const xml_element *geometry, robot_geometry *g,
                            bool *made) {
    const xml_element *e = sn_xml_child(&u->xml, geometry, NULL);
    *made = true;
    if (!e) return sn_text_fail(&u->xml.text, geometry->at, "<geometry> has no shape");
    if (strcmp(e->name, "mesh") == 0) return read_mesh(u, e, g, made);
    if (strcmp(e->name, "box") == 0) {
        g->shape = ROBOT_BOX;
        return need_size(u, e, "size", true, g->size, 3);
    }
    if (strcmp(e->name, "sphere") == 0) {
        g->shape = ROBOT_SPHERE;
        return need_size(u, e, "radius", true, g->size, 1);
    }
    bool capsule = strcmp(e->name, "capsule") == 0;
    if (!capsule && strcmp(e->name, "cylinder") != 0)
        return sn_text_fail(&u->xml.text, e->at,
                            "the shape is \"%.32s\", expected box, cylinder, sphere, capsule or "
                            "mesh",
                            e->name);
    g->shape = capsule ? ROBOT_CAPSULE : ROBOT_CYLINDER;
    SN_TRY(need_size(u, e, "radius", true, &g->size[0], 1));
    return need_size(u, e, "length", true, &g->size[1], 1);
}

/* The colour of a material: its own, or that of the material of its name that the robot has. */
static sn_result read_colour(const urdf *u, const xml_element *visual, robot_geometry *g) {
    const xml_element *e = sn_xml_child(&u->xml, visual, "material");
    const xml_attribute *name = e ? sn_xml_find(&u->xml, e, "name") : NULL;
    const xml_element *colour = e ? sn_xml_child(&u->xml, e, "color") : NULL;
    for (const xml_element *m = sn_xml_child(&u->xml, u->root, "material"); m && name && !colour;
         m = sn_xml_next_child(&u->xml, m, "material")) {
        const xml_attribute *other = sn_xml_find(&u->xml, m, "name");
        if (other && strcmp(other->value, name->value) == 0)
            colour = sn_xml_child(&u->xml, m, "color");
    }
    double rgba[4] = {0, 0, 0, 1};
    if (!colour) return SN_OK;
    SN_TRY(read_numbers(u, colour, "rgba", rgba, 4));
    for (int i = 0; i < 4; i++)
        if (!(rgba[i] >= 0 && rgba[i] <= 1))
            return sn_text_fail(&u->xml.text, colour->at, "rgba has %g, expected 0 to 1", rgba[i]);
    g->coloured = true;
    g->colour = (sn_vec3){(sn_real)rgba[0], (sn_real)rgba[1], (sn_real)rgba[2]};
    return SN_OK;
}

static sn_result read_geometries(const urdf *u, const xml_element *link, const char *kind,
                                 size_t index) {
    sn_io_robot *r = u->robot;
    for (const xml_element *e = sn_xml_child(&u->xml, link, kind); e;
         e = sn_xml_next_child(&u->xml, e, kind)) {
        const xml_element *geometry = sn_xml_child(&u->xml, e, "geometry");
        bool made;
        if (!geometry) return sn_text_fail(&u->xml.text, e->at, "<%s> has no <geometry>", kind);
        if (r->geometry_count == MOST_SHAPES)
            return sn_text_fail(&u->xml.text, e->at, "there are more than %d shapes", MOST_SHAPES);
        if (!grow((void **)&r->geometries, r->geometry_count, &r->geometry_capacity,
                  sizeof *r->geometries))
            return no_memory();
        robot_geometry *g = &r->geometries[r->geometry_count];
        g->link = index;
        g->visual = strcmp(kind, "visual") == 0;
        SN_TRY(read_origin(u, e, &g->origin));
        if (g->visual) SN_TRY(read_colour(u, e, g));
        SN_TRY(read_shape(u, geometry, g, &made));
        if (made) r->geometry_count++;
    }
    return SN_OK;
}

static sn_result read_link(const urdf *u, const xml_element *e) {
    sn_io_robot *r = u->robot;
    const xml_attribute *name;
    SN_TRY(need(u, e, "name", &name));
    for (size_t i = 0; i < r->link_count; i++)
        if (strcmp(r->links[i].name, name->value) == 0)
            return sn_text_fail(&u->xml.text, name->at, "a link \"%.64s\" is there already",
                                name->value);
    if (r->link_count == MOST_LINKS)
        return sn_text_fail(&u->xml.text, e->at, "there are more than %d links", MOST_LINKS);
    if (!grow((void **)&r->links, r->link_count, &r->link_capacity, sizeof *r->links))
        return no_memory();
    robot_link *link = &r->links[r->link_count];
    link->name = copy_text(name->value);
    if (!link->name) return no_memory();
    r->link_count++;
    link->joint = link->body = SN_ROBOT_NONE;
    link->at = e->at;
    SN_TRY(read_inertial(u, e, &link->inertial));
    SN_TRY(read_geometries(u, e, "visual", r->link_count - 1));
    return read_geometries(u, e, "collision", r->link_count - 1);
}

/* ---- Joints ---- */

static sn_result find_link(const urdf *u, const xml_element *joint, const char *which,
                           size_t *link) {
    const xml_element *e = sn_xml_child(&u->xml, joint, which);
    const xml_attribute *name;
    if (!e) return sn_text_fail(&u->xml.text, joint->at, "<joint> has no <%s>", which);
    SN_TRY(need(u, e, "link", &name));
    if (sn_io_robot_find_link(u->robot, name->value, link) == SN_OK) return SN_OK;
    return sn_text_fail(&u->xml.text, name->at, "there is no link \"%.64s\"", name->value);
}

static sn_result read_kind(const urdf *u, const xml_element *e, sn_io_joint_kind *kind) {
    static const char *const names[] = {"revolute", "continuous", "prismatic",
                                        "fixed",    "floating",   "planar"};
    const xml_attribute *type;
    SN_TRY(need(u, e, "type", &type));
    for (int i = 0; i < 6; i++)
        if (strcmp(type->value, names[i]) == 0) {
            *kind = (sn_io_joint_kind)i;
            return SN_OK;
        }
    return sn_text_fail(&u->xml.text, type->at,
                        "the type is \"%.32s\", expected revolute, continuous, prismatic, fixed, "
                        "floating or planar",
                        type->value);
}

static sn_result read_axis(const urdf *u, const xml_element *joint, sn_vec3 *axis) {
    const xml_element *e = sn_xml_child(&u->xml, joint, "axis");
    double xyz[3] = {1, 0, 0};
    SN_TRY(read_numbers(u, e, "xyz", xyz, 3));
    double size = sqrt(xyz[0] * xyz[0] + xyz[1] * xyz[1] + xyz[2] * xyz[2]);
    if (!(size > 1e-9)) return sn_text_fail(&u->xml.text, e->at, "the axis has no direction");
    *axis = (sn_vec3){(sn_real)(xyz[0] / size), (sn_real)(xyz[1] / size), (sn_real)(xyz[2] / size)};
    return SN_OK;
}

static bool has_limits(sn_io_joint_kind kind) {
    return kind == SN_IO_JOINT_REVOLUTE || kind == SN_IO_JOINT_PRISMATIC;
}

static sn_result read_limits(const urdf *u, const xml_element *joint, sn_io_robot_joint *j) {
    const xml_element *e = sn_xml_child(&u->xml, joint, "limit");
    double lower = 0, upper = 0, effort = -1, speed = -1;
    j->lower = j->upper = j->most_force = j->most_speed = SN_AUTO;
    if (!e && has_limits(j->kind))
        return sn_text_fail(&u->xml.text, joint->at,
                            "<joint> has no <limit>, which its type needs");
    if (!e) return SN_OK;
    SN_TRY(read_numbers(u, e, "lower", &lower, 1));
    SN_TRY(read_numbers(u, e, "upper", &upper, 1));
    SN_TRY(read_numbers(u, e, "effort", &effort, 1));
    SN_TRY(read_numbers(u, e, "velocity", &speed, 1));
    if (effort >= 0) j->most_force = (sn_real)effort;
    if (speed >= 0) j->most_speed = (sn_real)speed;
    if (!has_limits(j->kind)) return SN_OK;
    if (!(lower <= upper))
        return sn_text_fail(&u->xml.text, e->at, "lower is %g and upper %g, expected no less",
                            lower, upper);
    /* An angle of a joint has no count of turns. */
    const double most = j->kind == SN_IO_JOINT_REVOLUTE ? 3.14 : MOST_VALUE;
    if (lower >= -most) j->lower = (sn_real)lower;
    if (upper <= most) j->upper = (sn_real)upper;
    if (lower < -most || upper > most)
        tell(u, e->at, "a limit beyond half a turn (%g to %g rad) is left out", lower, upper);
    return SN_OK;
}

static sn_result read_dynamics(const urdf *u, const xml_element *joint, sn_io_robot_joint *j) {
    const xml_element *e = sn_xml_child(&u->xml, joint, "dynamics");
    double damping = 0, friction = 0;
    SN_TRY(read_numbers(u, e, "damping", &damping, 1));
    SN_TRY(read_numbers(u, e, "friction", &friction, 1));
    if (damping < 0 || friction < 0)
        return sn_text_fail(&u->xml.text, e->at,
                            "damping is %g and friction %g, expected at least 0", damping,
                            friction);
    j->damping = (sn_real)damping;
    j->friction = (sn_real)friction;
    return SN_OK;
}

static sn_result read_joint(const urdf *u, const xml_element *e) {
    sn_io_robot *r = u->robot;
    const xml_attribute *name;
    size_t other;
    SN_TRY(need(u, e, "name", &name));
    if (sn_io_robot_find_joint(r, name->value, &other) == SN_OK)
        return sn_text_fail(&u->xml.text, name->at, "a joint \"%.64s\" is there already",
                            name->value);
    if (!grow((void **)&r->joints, r->joint_count, &r->joint_capacity, sizeof *r->joints))
        return no_memory();
    robot_joint *joint = &r->joints[r->joint_count];
    joint->name = copy_text(name->value);
    if (!joint->name) return no_memory();
    r->joint_count++;
    joint->at = e->at;
    sn_io_robot_joint *j = &joint->public;
    *j = (sn_io_robot_joint){.name = joint->name, .mimic = SN_ROBOT_NONE, .factor = 1};
    SN_TRY(read_kind(u, e, &j->kind));
    SN_TRY(find_link(u, e, "parent", &j->parent));
    SN_TRY(find_link(u, e, "child", &j->child));
    SN_TRY(read_origin(u, e, &joint->origin));
    SN_TRY(read_axis(u, e, &j->axis));
    SN_TRY(read_limits(u, e, j));
    SN_TRY(read_dynamics(u, e, j));
    robot_link *child = &r->links[j->child];
    if (child->joint != SN_ROBOT_NONE)
        return sn_text_fail(&u->xml.text, e->at,
                            "the link \"%.64s\" is the child of \"%.64s\" already", child->name,
                            r->joints[child->joint].name);
    child->joint = r->joint_count - 1;
    return SN_OK;
}

/* When all joints are known. */
static sn_result read_mimic(const urdf *u, const xml_element *e, size_t index) {
    const xml_element *mimic = sn_xml_child(&u->xml, e, "mimic");
    const xml_attribute *name;
    sn_io_robot_joint *j = &u->robot->joints[index].public;
    double factor = 1, offset = 0;
    if (!mimic) return SN_OK;
    SN_TRY(need(u, mimic, "joint", &name));
    SN_TRY(read_numbers(u, mimic, "multiplier", &factor, 1));
    SN_TRY(read_numbers(u, mimic, "offset", &offset, 1));
    if (sn_io_robot_find_joint(u->robot, name->value, &j->mimic) != SN_OK || j->mimic == index)
        return sn_text_fail(&u->xml.text, name->at, "there is no other joint \"%.64s\"",
                            name->value);
    j->factor = (sn_real)factor;
    j->offset = (sn_real)offset;
    return SN_OK;
}

/* ---- The description ---- */

static sn_result read_each(const urdf *u, const char *name,
                           sn_result (*read)(const urdf *u, const xml_element *e)) {
    for (const xml_element *e = sn_xml_child(&u->xml, u->root, name); e;
         e = sn_xml_next_child(&u->xml, e, name))
        SN_TRY(read(u, e));
    return SN_OK;
}

/* What is neither a link nor a joint nor a material, each kind once. */
static void tell_of_others(const urdf *u) {
    const char *known[3 + MOST_TOLD] = {"link", "joint", "material"};
    size_t count = 3;
    for (const xml_element *e = sn_xml_child(&u->xml, u->root, NULL); e && count < 3 + MOST_TOLD;
         e = sn_xml_next_child(&u->xml, e, NULL)) {
        size_t i = 0;
        while (i < count && strcmp(known[i], e->name) != 0) i++;
        if (i < count) continue;
        known[count++] = e->name;
        tell(u, e->at, "<%.64s> is left out", e->name);
    }
}

/* A joint that no gear can make follow another moves by itself. */
static void drop_mimics(const urdf *u) {
    for (size_t i = 0; i < u->robot->joint_count; i++) {
        sn_io_robot_joint *j = &u->robot->joints[i].public;
        robot_gear gear;
        if (j->mimic == SN_ROBOT_NONE || sn_robot_find_gear(u->robot, i, &gear)) continue;
        tell(u, u->robot->joints[i].at,
             "joint \"%.64s\" mimics \"%.64s\" as no gear can, so it moves by itself; expected two "
             "that turn on the same link, or about parallel axes one after the other, with the "
             "offset 0",
             j->name, u->robot->joints[j->mimic].name);
        j->mimic = SN_ROBOT_NONE;
    }
}

static sn_result read_robot(urdf *u) {
    const xml_attribute *name;
    u->root = u->xml.elements;
    if (strcmp(u->root->name, "robot") != 0)
        return sn_text_fail(&u->xml.text, u->root->at, "found <%.64s>, expected <robot>",
                            u->root->name);
    SN_TRY(need(u, u->root, "name", &name));
    u->robot->name = copy_text(name->value);
    if (!u->robot->name) return no_memory();
    SN_TRY(read_each(u, "link", read_link));
    SN_TRY(read_each(u, "joint", read_joint));
    size_t index = 0;
    for (const xml_element *e = sn_xml_child(&u->xml, u->root, "joint"); e;
         e = sn_xml_next_child(&u->xml, e, "joint"))
        SN_TRY(read_mimic(u, e, index++));
    if (u->robot->link_count == 0)
        return sn_text_fail(&u->xml.text, u->root->at, "the robot has no <link>");
    tell_of_others(u);
    SN_TRY(sn_robot_link_up(u->robot, &u->xml.text));
    drop_mimics(u);
    return SN_OK;
}

sn_result sn_urdf_read(const char *name, const char *data, size_t size, const urdf_reading *how) {
    urdf u = {.how = how, .robot = how->robot};
    SN_TRY(sn_xml_parse(name, data, size, &u.xml));
    sn_result result = read_robot(&u);
    sn_xml_free(&u.xml);
    return result;
}
