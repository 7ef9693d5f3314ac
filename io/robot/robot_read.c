/* The public calls about robots that need no world. */
#include "io/robot/robot.h"

#include <sinew/support.h>
#include <sinew_io/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Files ---- */

/* The folder of a path, with its slash; empty where it has none. */
static int folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

static bool exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* Beside the description; what is of a package also above it, where packages begin. */
static sn_result find_beside(void *user, const char *name, char *path, size_t room) {
    static const char package[] = "package://", file[] = "file://";
    const char *description = user, *rest = name;
    bool packed = strncmp(name, package, sizeof package - 1) == 0;
    if (strncmp(name, file, sizeof file - 1) == 0) rest = name + sizeof file - 1;
    if (packed) {
        rest = strchr(name + sizeof package - 1, '/');
        rest = rest ? rest + 1 : "";
    }
    int folder = rest[0] == '/' ? 0 : folder_length(description);
    for (int up = 0; up < (packed ? 3 : 1); up++) {
        int length = snprintf(path, room, "%.*s%s%s", folder, description,
                              up == 0   ? ""
                              : up == 1 ? "../"
                                        : "../../",
                              rest);
        if (length < 0 || (size_t)length >= room) break;
        /* Before it is opened: a pipe would wait for its other end. */
        SN_TRY(sn_io_file_expect("the mesh", path));
        if (exists(path)) return SN_OK;
    }
    return sn_fail(SN_ERROR_FILE, "there is no file \"%.200s\"", name);
}

/* ---- Reading ---- */

sn_io_robot_def sn_io_robot_def_default(void) {
    return (sn_io_robot_def){.size = sizeof(sn_io_robot_def)};
}

void sn_io_robot_free(sn_io_robot *r) {
    if (!r) return;
    for (size_t i = 0; i < r->link_count; i++) free(r->links[i].name);
    for (size_t i = 0; i < r->joint_count; i++) free(r->joints[i].name);
    for (size_t i = 0; i < r->geometry_count; i++)
        if (r->geometries[i].shape == ROBOT_MESH) sn_mesh_free(&r->geometries[i].mesh);
    free(r->name);
    free(r->links);
    free(r->joints);
    free(r->geometries);
    free(r->bodies);
    free(r->order);
    free(r);
}

static sn_result read_text(const char *path, const sn_io_robot_def *def, sn_robot_find *find,
                           void *user, sn_io_robot **robot) {
    sn_io_robot *r = calloc(1, sizeof *r);
    if (!r) return sn_fail(SN_ERROR_MEMORY, "robot: no memory");
    urdf_reading how = {r, def, find, user};
    sn_result result = sn_urdf_read(path, def->text, def->length, &how);
    if (result != SN_OK)
        sn_io_robot_free(r);
    else
        *robot = r;
    return result;
}

sn_result sn_robot_read_with(const char *path, const sn_io_robot_def *def, sn_robot_find *find,
                             void *user, sn_io_robot **robot) {
    char *data = NULL;
    sn_io_robot_def given = *def;
    if (!given.text) {
        SN_TRY(sn_io_file_read("the robot", path, &data, &given.length));
        given.text = data;
    }
    sn_result result = read_text(path, &given, find, user, robot);
    free(data);
    return result;
}

sn_result sn_io_robot_read(const char *path, const sn_io_robot_def *def, sn_io_robot **robot) {
    const sn_io_robot_def standard = sn_io_robot_def_default();
    if (!path || !robot)
        return sn_fail(SN_ERROR_NULL, "sn_io_robot_read: %s is null", path ? "robot" : "path");
    *robot = NULL;
    if (!def) def = &standard;
    if (def->size != sizeof *def)
        return sn_fail(SN_ERROR_DEFINITION,
                       "robot: its size is %zu, expected %zu: begin with sn_io_robot_def_default",
                       def->size, sizeof *def);
    return sn_robot_read_with(path, def, find_beside, (void *)(uintptr_t)path, robot);
}

/* ---- Looking ---- */

const char *sn_io_robot_name(const sn_io_robot *robot) {
    return robot ? robot->name : "";
}

size_t sn_io_robot_link_count(const sn_io_robot *robot) {
    return robot ? robot->link_count : 0;
}

size_t sn_io_robot_joint_count(const sn_io_robot *robot) {
    return robot ? robot->joint_count : 0;
}

bool sn_io_robot_link_at(const sn_io_robot *r, size_t index, sn_io_robot_link *link) {
    if (!r || !link || index >= r->link_count) return false;
    const robot_link *l = &r->links[index];
    const robot_body *b = &r->bodies[l->body];
    robot_frame back = sn_robot_inverse(&l->in_body);
    sn_io_point centre = sn_io_point_add(back.at, sn_io_point_rotated(back.turn, b->centre));
    *link = (sn_io_robot_link){
        .name = l->name,
        .body = l->body,
        .mass = b->mass,
        .centre = sn_io_point_vec3(centre),
        .moments = {(sn_real)b->moments[0], (sn_real)b->moments[1], (sn_real)b->moments[2]}};
    return true;
}

bool sn_io_robot_joint_at(const sn_io_robot *r, size_t index, sn_io_robot_joint *joint) {
    if (!r || !joint || index >= r->joint_count) return false;
    *joint = r->joints[index].public;
    return true;
}

static sn_result unknown(const char *what, const char *name) {
    return sn_fail(SN_ERROR_NAME, "the robot has no %s \"%.64s\"", what, name);
}

sn_result sn_io_robot_find_link(const sn_io_robot *r, const char *name, size_t *index) {
    if (!r || !name || !index) return sn_fail(SN_ERROR_NULL, "sn_io_robot_find_link: null");
    for (size_t i = 0; i < r->link_count; i++)
        if (strcmp(r->links[i].name, name) == 0) {
            *index = i;
            return SN_OK;
        }
    return unknown("link", name);
}

sn_result sn_io_robot_find_joint(const sn_io_robot *r, const char *name, size_t *index) {
    if (!r || !name || !index) return sn_fail(SN_ERROR_NULL, "sn_io_robot_find_joint: null");
    for (size_t i = 0; i < r->joint_count; i++)
        if (strcmp(r->joints[i].name, name) == 0) {
            *index = i;
            return SN_OK;
        }
    return unknown("joint", name);
}

sn_result sn_io_robot_pose(const sn_io_robot *r, const sn_io_robot_place *place, sn_vec3 *positions,
                           sn_quat *orientations) {
    if (!r || !place)
        return sn_fail(SN_ERROR_NULL, "sn_io_robot_pose: %s is null", r ? "place" : "robot");
    SN_TRY(sn_robot_check_place(place));
    double *values = malloc((r->joint_count + 1) * sizeof *values);
    robot_frame *links = malloc((r->link_count + 1) * sizeof *links);
    sn_result result = values && links ? SN_OK : sn_fail(SN_ERROR_MEMORY, "robot: no memory");
    if (result == SN_OK) result = sn_robot_start(r, place->joints, values);
    if (result == SN_OK) {
        robot_frame base = sn_robot_base(place);
        sn_robot_place_links(r, &base, values, links);
        for (size_t i = 0; i < r->link_count; i++) {
            const double *q = links[i].turn;
            if (positions) positions[i] = sn_io_point_vec3(links[i].at);
            if (orientations)
                orientations[i] =
                    (sn_quat){(sn_real)q[0], (sn_real)q[1], (sn_real)q[2], (sn_real)q[3]};
        }
    }
    free(values);
    free(links);
    return result;
}
