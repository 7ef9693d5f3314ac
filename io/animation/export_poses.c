#include "io/animation/export_poses.h"

#include "io/animation/export.h"
#include "io/scene/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A shape that has been seen, by its name. */
typedef struct body {
    char *name;
    bool is_rigid;      /* whether it had a pose when it first came */
    sn_vec3 *positions; /* in its own frame */
    sn_vec3 *normals;   /* null where it has none */
    size_t count;       /* of vertices */
    uint64_t topology;  /* that they are for */
    sn_io_pose pose;
} body;

struct sn_io_poses {
    body *bodies;
    size_t count, capacity;
    size_t next; /* where the next shape of a frame is probably found */
    sn_io_shape *views;
};

sn_result sn_io_poses_create(sn_io_poses **poses) {
    *poses = calloc(1, sizeof **poses);
    return *poses ? SN_OK : sn_io_export_no_memory();
}

void sn_io_poses_destroy(sn_io_poses *p) {
    if (!p) return;
    for (size_t i = 0; i < p->count; i++) {
        free(p->bodies[i].name);
        free(p->bodies[i].positions);
        free(p->bodies[i].normals);
    }
    free(p->bodies);
    free(p->views);
    free(p);
}

static body *find_body(sn_io_poses *p, const sn_io_shape *shape) {
    for (size_t i = 0; i < p->count; i++) {
        size_t at = (p->next + i) % p->count;
        if (strcmp(p->bodies[at].name, shape->name) != 0) continue;
        p->next = at + 1;
        return &p->bodies[at];
    }
    body *bodies = sn_io_export_grow(p->bodies, &p->capacity, p->count, sizeof *bodies);
    if (!bodies) return NULL;
    p->bodies = bodies;
    size_t size = strlen(shape->name) + 1;
    body b = {.name = malloc(size), .is_rigid = shape->pose};
    if (!b.name) return NULL;
    memcpy(b.name, shape->name, size);
    p->bodies[p->count] = b;
    return &p->bodies[p->count++];
}

/* A pose whose quaternion has length 1, on the side of the one before. */
static sn_io_pose next_pose(const sn_io_pose *pose, const sn_io_pose *before) {
    const double q[4] = {(double)pose->orientation.x, (double)pose->orientation.y,
                         (double)pose->orientation.z, (double)pose->orientation.w};
    const double old[4] = {(double)before->orientation.x, (double)before->orientation.y,
                           (double)before->orientation.z, (double)before->orientation.w};
    double size = 0, along = 0;
    for (int i = 0; i < 4; i++) {
        size += q[i] * q[i];
        along += q[i] * old[i];
    }
    double scale = (along < 0 ? -1 : 1) / sqrt(size);
    return (sn_io_pose){pose->position,
                        {(sn_real)(scale * q[0]), (sn_real)(scale * q[1]), (sn_real)(scale * q[2]),
                         (sn_real)(scale * q[3])}};
}

/* What a pose turns and moves to these vectors; directions are only turned. */
static void take_back(const sn_io_pose *pose, bool directions, const sn_vec3 *from, size_t count,
                      sn_vec3 *to) {
    const double back[4] = {-(double)pose->orientation.x, -(double)pose->orientation.y,
                            -(double)pose->orientation.z, (double)pose->orientation.w};
    sn_io_point at = sn_io_point_of(pose->position);
    for (size_t i = 0; i < count; i++) {
        sn_io_point x = sn_io_point_of(from[i]);
        if (!directions) x = (sn_io_point){x.x - at.x, x.y - at.y, x.z - at.z};
        to[i] = sn_io_point_vec3(sn_io_point_rotated(back, x));
    }
}

/* Takes over the vertices of a shape, or leaves everything as it is without memory. */
static bool take_vertices(body *b, const sn_io_shape *shape) {
    size_t count = shape->vertex_count;
    sn_vec3 *positions = malloc((count + 1) * sizeof *positions);
    sn_vec3 *normals = shape->normals ? malloc((count + 1) * sizeof *normals) : NULL;
    bool made = positions && (normals || !shape->normals);
    free(made ? b->positions : positions);
    free(made ? b->normals : normals);
    if (!made) return false;
    take_back(&b->pose, false, shape->positions, count, positions);
    if (normals) take_back(&b->pose, true, shape->normals, count, normals);
    b->positions = positions;
    b->normals = normals;
    b->count = count;
    b->topology = shape->topology;
    return true;
}

static sn_result pose_shape(sn_io_poses *p, sn_io_shape *view) {
    static const sn_io_pose nowhere = {{0, 0, 0}, {0, 0, 0, 1}};
    body *b = find_body(p, view);
    if (!b) return sn_io_export_no_memory();
    const sn_io_pose *pose = view->pose;
    view->pose = NULL;
    view->rigid = NULL;
    if (!b->is_rigid) return SN_OK;
    bool known = b->positions && b->count == view->vertex_count && b->topology == view->topology;
    b->pose = pose ? next_pose(pose, &b->pose) : nowhere;
    view->pose = &b->pose;
    if (!pose) return SN_OK;
    if (!known && !take_vertices(b, view)) return sn_io_export_no_memory();
    view->positions = b->positions;
    view->normals = b->normals;
    view->velocities = NULL;
    return SN_OK;
}

sn_result sn_io_poses_frame(sn_io_poses *p, const sn_io_frame *frame, sn_io_frame *own) {
    *own = *frame;
    if (frame->shape_count == 0) return SN_OK;
    sn_io_shape *views = realloc(p->views, frame->shape_count * sizeof *views);
    if (!views) return sn_io_export_no_memory();
    p->views = views;
    memcpy(views, frame->shapes, frame->shape_count * sizeof *views);
    for (size_t i = 0; i < frame->shape_count; i++) SN_TRY(pose_shape(p, &views[i]));
    /* Where a body came, others may have moved in memory. */
    for (size_t i = 0; i < frame->shape_count; i++)
        if (views[i].pose) views[i].pose = &find_body(p, &views[i])->pose;
    own->shapes = views;
    return SN_OK;
}
