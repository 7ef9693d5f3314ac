/*
 * Robots of a scene: a file is read and made (sinew_io/robot.h), and what it consists of gets
 * names, by which the rest of the scene knows it: nodes those of links, constraints those of
 * joints, and their drives with a word behind.
 */
#include "io/scene/scene_state.h"

#include "io/robot/robot.h"

#include <sinew/support.h>
#include <sinew_io/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* While a robot is built. */
typedef struct building {
    sn_scene *s;
    const json_node *node;
    scene_robot_part part;
    const char *folder; /* of the file */
    sn_io_robot *robot;
    sn_io_robot_parts parts;
    scene_robot_joint_part *joints; /* by their numbers */
    const json_node **said;         /* where; null where nothing is */
    sn_real *starts;
    bool *servos;
} building;

/* ---- Alone ---- */

bool sn_scene_is_robot(const char *path) {
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".urdf") == 0;
}

char *sn_scene_robot_text(sn_scene *s, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *quoted = sn_scene_take(s, 2 * strlen(name) + 1, 1), *to = quoted;
    if (!quoted) return NULL;
    for (; *name; name++) {
        if (*name == '"' || *name == '\\') *to++ = '\\';
        *to++ = (unsigned char)*name < ' ' ? '?' : *name;
    }
    return sn_scene_text(s,
                         "{\"version\": 1, \"title\": \"%s\", \"run\": {\"frames\": 180},\n"
                         " \"settings\": {\"substeps\": 30},\n"
                         " \"colliders\": [{\"name\": \"floor\", \"shape\": \"plane\"}],\n"
                         " \"robots\": [{\"path\": \"%s\"}]}\n",
                         quoted, quoted);
}

/* ---- Files ---- */

static bool exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* As sn_io_robot_read looks for meshes, but only where the scene may read. */
static sn_result find_mesh(void *user, const char *name, char *path, size_t room) {
    static const char package[] = "package://";
    building *b = user;
    bool packed = strncmp(name, package, sizeof package - 1) == 0;
    const char *rest = name;
    if (packed) {
        rest = strchr(name + sizeof package - 1, '/');
        rest = rest ? rest + 1 : "";
    }
    for (int up = 0; up < (packed ? 3 : 1); up++) {
        static const char *const above[] = {"", "../", "../../"};
        char *found;
        const char *asked = sn_scene_text(b->s, "%s%s", above[up], rest);
        if (!asked) return SN_ERROR_MEMORY;
        const char *whole =
            asked[0] == '/' ? asked : sn_scene_text(b->s, "%s/%s", b->folder, asked);
        if (!whole) return SN_ERROR_MEMORY;
        bool last = up + 1 == (packed ? 3 : 1);
        /* A pipe, which would wait for its other end, is not opened. */
        if (!last && (sn_io_file_expect("the mesh", whole) != SN_OK || !exists(whole))) continue;
        SN_TRY(sn_scene_find_file(b->s, sn_json_member(b->node, "path"), b->folder, asked, &found));
        if (strlen(found) >= room) break;
        memcpy(path, found, strlen(found) + 1);
        return SN_OK;
    }
    return sn_fail(SN_ERROR_FILE, "the path \"%.200s\" is too long", name);
}

/* Complains of the file, unless that was done. Of a robot alone nobody wrote the scene. */
static sn_result within(building *b, sn_result result, size_t before) {
    scene_reader *r = &b->s->reader;
    if (result == SN_OK || result == SN_ERROR_MEMORY) return result;
    if (r->repeated > before) return SN_ERROR_DATA;
    if (sn_scene_is_robot(r->files[r->file_count - 1].path))
        return sn_scene_say(r, sn_last_error());
    return sn_scene_complain_within(r, sn_json_member(b->node, "path"));
}

static sn_result read_robot(building *b) {
    sn_scene *s = b->s;
    char *path;
    SN_TRY(sn_scene_find_file(s, sn_json_member(b->node, "path"),
                              sn_scene_folder_of(&s->reader, b->node), b->part.path, &path));
    const char *slash = strrchr(path, '/');
    b->folder = slash ? sn_scene_text(s, "%.*s", slash == path ? 1 : (int)(slash - path), path)
                      : sn_scene_text(s, ".");
    if (!b->folder) return SN_ERROR_MEMORY;
    sn_io_robot_def def = sn_io_robot_def_default();
    def.log = s->log;
    def.log_user = s->log_user;
    size_t before = s->reader.repeated;
    return within(b, sn_robot_read_with(path, &def, find_mesh, b, &b->robot), before);
}

/* ---- Joints ---- */

static bool is_driven(const json_node *item) {
    return sn_json_member(item, "target") || sn_json_member(item, "speed");
}

static sn_result read_joint(building *b, const json_node *item) {
    sn_scene *s = b->s;
    scene_robot_joint_part part = {
        .start = SN_AUTO, .target = SN_AUTO, .speed = SN_AUTO, .most_force = SN_AUTO};
    size_t at;
    SN_TRY(sn_scene_read(&s->reader, item, &sn_scene_robot_joint_object, &part));
    const json_node *name = sn_json_member(item, "name");
    if (sn_io_robot_find_joint(b->robot, part.name, &at) != SN_OK)
        return sn_scene_complain_within(&s->reader, name);
    if (b->said[at])
        return sn_scene_complain(&s->reader, name, "the joint \"%.64s\" is there twice", part.name);
    if (sn_json_member(item, "target") && sn_json_member(item, "speed"))
        return sn_scene_complain(&s->reader, item, "has a target and a speed, expected one");
    static const char *const driven[] = {"most_force", "compliance", "damping"};
    for (size_t i = 0; i < 3 && !b->part.hold && !is_driven(item); i++)
        if (sn_json_member(item, driven[i]))
            return sn_scene_complain(&s->reader, sn_json_member(item, driven[i]),
                                     "means nothing without a \"target\" or a \"speed\", or a "
                                     "robot with \"hold\"");
    b->said[at] = item;
    b->joints[at] = part;
    return SN_OK;
}

/* Where joints begin, and which have a drive. */
static sn_result read_joints(building *b) {
    size_t count = b->robot->joint_count;
    double *values = sn_scene_take(b->s, count + 1, sizeof *values);
    b->joints = sn_scene_take(b->s, count + 1, sizeof *b->joints);
    b->said = sn_scene_take(b->s, count + 1, sizeof *b->said);
    b->starts = sn_scene_take(b->s, count + 1, sizeof *b->starts);
    b->servos = sn_scene_take(b->s, count + 1, sizeof *b->servos);
    if (!values || !b->joints || !b->said || !b->starts || !b->servos) return SN_ERROR_MEMORY;
    for (size_t i = 0; b->part.joints && i < b->part.joints->count; i++)
        SN_TRY(read_joint(b, &b->part.joints->items[i]));
    SN_TRY(sn_robot_start(b->robot, NULL, values));
    for (size_t i = 0; i < count; i++) {
        const sn_io_robot_joint *j = &b->robot->joints[i].public;
        bool given = b->said[i] && b->joints[i].start != SN_AUTO;
        b->starts[i] = given ? b->joints[i].start : (sn_real)values[i];
        b->servos[i] =
            (b->part.hold && j->mimic == SN_ROBOT_NONE) || (b->said[i] && is_driven(b->said[i]));
        if (b->said[i] && is_driven(b->said[i]) && j->kind > SN_IO_JOINT_PRISMATIC)
            return sn_scene_complain(&b->s->reader, b->said[i],
                                     "the joint \"%.64s\" has no angle or length to be driven",
                                     j->name);
    }
    return SN_OK;
}

/* ---- Names ---- */

/* The name of a part in the scene, with a word behind it where it is a drive. */
static const char *name_of(building *b, const char *own, const char *word) {
    char *name = sn_scene_text(b->s, "%s%s%s%s%s", b->part.name, *b->part.name ? " " : "", own,
                               *word ? " " : "", word);
    for (char *c = name; c && *c; c++) {
        bool good = *c == '_' || *c == '-' || *c == ' ' || (unsigned char)*c >= 0x80 ||
                    (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                    (*c >= 'A' && *c <= 'Z');
        if (!good) *c = '_';
    }
    return name;
}

static sn_result taken(building *b, const char *name) {
    return sn_scene_complain(&b->s->reader, b->node,
                             "something called \"%.64s\" is there already, expected another "
                             "\"name\" of the robot",
                             name);
}

static sn_result add_node(building *b, size_t link) {
    sn_scene *s = b->s;
    const char *name = name_of(b, b->robot->links[link].name, "");
    if (!name) return SN_ERROR_MEMORY;
    if (sn_scene_has_node(s, name) || sn_scene_find_body(s, name) ||
        sn_scene_find_collider(s, name))
        return taken(b, name);
    scene_item *item = SCENE_ADD(s->nodes);
    if (!item) return SN_ERROR_MEMORY;
    *item = (scene_item){name, b->parts.nodes[link], sn_io_look_default().colour, {0}};
    return SN_OK;
}

static sn_result add_constraint(building *b, size_t joint, const char *word,
                                sn_constraint constraint) {
    sn_scene *s = b->s;
    if (constraint.slot == 0) return SN_OK;
    const char *name = name_of(b, b->robot->joints[joint].name, word);
    if (!name) return SN_ERROR_MEMORY;
    if (sn_scene_find_link(s, name)) return taken(b, name);
    scene_link *link = SCENE_ADD(s->links);
    if (!link) return SN_ERROR_MEMORY;
    link->name = name;
    link->constraint = constraint;
    return sn_constraint_get_type(s->world, constraint, &link->type);
}

/* ---- Drives ---- */

static sn_result set_field(building *b, size_t joint, const char *field, sn_real value) {
    const sn_real values[3] = {value, 0, 0};
    sn_result result = sn_constraint_set_field(b->s->world, b->parts.servos[joint], field, values);
    if (result == SN_OK || result == SN_ERROR_MEMORY) return result;
    return sn_scene_complain_within(&b->s->reader, b->said[joint]);
}

/* A drive as the scene has it: what is said of its joint, which may change. */
static sn_result drive(building *b, size_t joint) {
    const scene_robot_joint_part *part = &b->joints[joint];
    SN_TRY(add_constraint(b, joint, "servo", b->parts.servos[joint]));
    if (!b->said[joint] || b->parts.servos[joint].slot == 0) return SN_OK;
    b->s->links.items[b->s->links.count - 1].source = b->said[joint];
    if (part->target != SN_AUTO) SN_TRY(set_field(b, joint, "target", part->target));
    if (part->speed != SN_AUTO) SN_TRY(set_field(b, joint, "speed", part->speed));
    if (part->most_force != SN_AUTO) SN_TRY(set_field(b, joint, "most_force", part->most_force));
    SN_TRY(set_field(b, joint, "compliance", part->compliance));
    SN_TRY(set_field(b, joint, "damping", part->damping));
    scene_change whom = {.of = SCENE_OF_SERVO, .index = b->s->links.count - 1};
    return sn_scene_note_changes(b->s, b->said[joint], &sn_scene_robot_joint_object, NULL, &whom);
}

static sn_result add_joint(building *b, size_t joint) {
    const sn_io_robot_parts *p = &b->parts;
    SN_TRY(add_constraint(b, joint, "", p->joints[joint]));
    SN_TRY(add_constraint(b, joint, "damper", p->dampers[joint]));
    SN_TRY(add_constraint(b, joint, "friction", p->frictions[joint]));
    SN_TRY(add_constraint(b, joint, "lower", p->lower[joint]));
    SN_TRY(add_constraint(b, joint, "upper", p->upper[joint]));
    SN_TRY(add_constraint(b, joint, "gear", p->gears[joint]));
    return drive(b, joint);
}

/* ---- Looks ---- */

/* A shape in the frame of the node of its link. */
static sn_collider_part part_of(const robot_geometry *g, const robot_frame *to_node) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider_part part = sn_collider_part_default();
    sn_robot_collider(g, &def);
    robot_frame own = {sn_io_point_of(def.position),
                       {(double)def.orientation.x, (double)def.orientation.y,
                        (double)def.orientation.z, (double)def.orientation.w}};
    robot_frame frame = sn_robot_compose(to_node, &own);
    part.shape = def.shape == SN_SHAPE_HULL ? SN_SHAPE_MESH : def.shape;
    part.radius = def.shape == SN_SHAPE_BOX || def.shape == SN_SHAPE_HULL ? 0 : def.radius;
    part.extent = def.extent;
    part.geometry = def.geometry;
    part.position = sn_io_point_vec3(frame.at);
    part.orientation = (sn_quat){(sn_real)frame.turn[0], (sn_real)frame.turn[1],
                                 (sn_real)frame.turn[2], (sn_real)frame.turn[3]};
    return part;
}

/* What is seen of a link: its visuals, or what it touches with where it has none. */
static sn_result make_look(building *b, size_t link, sn_mesh *mesh, sn_io_look *look) {
    const sn_io_robot *r = b->robot;
    const robot_body *body = &r->bodies[r->links[link].body];
    robot_frame centre = sn_robot_here;
    bool visual = false;
    if (body->mass > 0) {
        centre.at = body->centre;
        memcpy(centre.turn, body->axes, sizeof body->axes);
    }
    robot_frame back = sn_robot_inverse(&centre);
    robot_frame to_node = sn_robot_compose(&back, &r->links[link].in_body);
    for (size_t i = 0; i < r->geometry_count; i++)
        visual |= r->geometries[i].link == link && r->geometries[i].visual;
    for (size_t i = 0; i < r->geometry_count; i++) {
        const robot_geometry *g = &r->geometries[i];
        if (g->link != link || g->visual != visual) continue;
        sn_collider_part part = part_of(g, &to_node);
        sn_collider_def def = sn_collider_def_default();
        def.shape = SN_SHAPE_COMPOUND;
        def.parts = &part;
        def.part_count = 1;
        SN_TRY(sn_io_collider_mesh(&def, mesh));
        if (g->coloured && look->colour.x == SN_AUTO) look->colour = g->colour;
    }
    return SN_OK;
}

static sn_result add_collider(building *b, const char *name, size_t collider, size_t link,
                              bool shown) {
    sn_scene *s = b->s;
    if (!name) return SN_ERROR_MEMORY;
    scene_collider *c = SCENE_ADD(s->colliders);
    scene_mesh *look = sn_scene_take(s, 1, sizeof *look);
    if (!c || !look) return SN_ERROR_MEMORY;
    *look = (scene_mesh){
        .name = "", .mesh = sn_mesh_default(), .visible = sn_mesh_default(), .next = s->meshes};
    s->meshes = look;
    *c = (scene_collider){.name = name,
                          .shown_on = b->parts.nodes[link],
                          .start = sn_collider_def_default(),
                          .look = look,
                          .drawn = sn_io_look_default(),
                          .next_orientation = {0, 0, 0, 1}};
    if (collider < b->parts.collider_count) c->collider = b->parts.colliders[collider];
    c->drawn.thickness = 0;
    return shown ? make_look(b, link, &look->mesh, &c->drawn) : SN_OK;
}

/* The first shape of a link has its name and its look, or nothing but the look is there. */
static sn_result add_shapes(building *b, size_t link) {
    const sn_io_robot_parts *p = &b->parts;
    bool seen = false;
    size_t found = 0;
    for (size_t i = 0; i < b->robot->geometry_count; i++)
        seen |= b->robot->geometries[i].link == link;
    for (size_t i = 0; i < p->collider_count; i++) {
        char number[24] = "";
        if (p->collider_links[i] != link) continue;
        if (found++ > 0) snprintf(number, sizeof number, "%zu", found);
        SN_TRY(
            add_collider(b, name_of(b, b->robot->links[link].name, number), i, link, found == 1));
    }
    if (found > 0 || !seen) return SN_OK;
    return add_collider(b, name_of(b, b->robot->links[link].name, ""), SIZE_MAX, link, true);
}

/* ---- All of it ---- */

static sn_result build(building *b) {
    sn_scene *s = b->s;
    SN_TRY(read_robot(b));
    SN_TRY(sn_scene_count_nodes(s, b->node, (double)b->robot->body_count, 1));
    SN_TRY(read_joints(b));
    sn_io_robot_place *place = &b->part.place;
    place->up = (sn_io_up)b->part.up;
    place->base = (sn_io_robot_base)b->part.base;
    place->group = (uint32_t)b->part.group;
    place->joints = b->starts;
    place->servos = b->servos;
    sn_result result = sn_io_robot_create(s->world, b->robot, place, &b->parts);
    if (result == SN_ERROR_MEMORY) return result;
    if (result != SN_OK) return sn_scene_complain_within(&s->reader, b->node);
    for (size_t i = 0; i < b->robot->link_count; i++) SN_TRY(add_node(b, i));
    for (size_t i = 0; i < b->robot->link_count; i++) SN_TRY(add_shapes(b, i));
    for (size_t i = 0; i < b->robot->joint_count; i++) SN_TRY(add_joint(b, i));
    return SN_OK;
}

sn_result sn_scene_build_robot(sn_scene *s, const json_node *node) {
    building b = {.s = s, .node = node, .part = {.name = ""}};
    b.part.place = sn_io_robot_place_default();
    b.part.up = (int)b.part.place.up;
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.robot, &b.part));
    if (*b.part.name) SN_TRY(sn_scene_check_name(s, node, b.part.name));
    SN_TRY(sn_scene_read_mask(s, b.part.groups, &b.part.place.mask));
    SN_TRY(sn_scene_check_friction(s, node, b.part.place.static_friction,
                                   &b.part.place.dynamic_friction));
    sn_result result = build(&b);
    sn_io_robot_parts_free(&b.parts);
    sn_io_robot_free(b.robot);
    return result;
}
