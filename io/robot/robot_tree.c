/*
 * The tree of a robot: joints in the order from the first link outward, links that are fixed to
 * each other as one rigid body with the sum of their masses, and where everything is.
 */
#include "io/robot/robot.h"

#include <sinew/principal.h>
#include <sinew/support.h>

#include <math.h>
#include <stdlib.h>

static sn_result no_memory(void) {
    return sn_fail(SN_ERROR_MEMORY, "robot: no memory");
}

/* ---- Order ---- */

/* The link that is nobody's child, of which there must be one. */
static sn_result find_root(sn_io_robot *r, const sn_text *text) {
    r->root = SN_ROBOT_NONE;
    for (size_t i = 0; i < r->link_count; i++) {
        if (r->links[i].joint != SN_ROBOT_NONE) continue;
        if (r->root != SN_ROBOT_NONE)
            return sn_text_fail(text, r->links[i].at,
                                "the link \"%.64s\" has no parent, nor has \"%.64s\", expected one "
                                "without",
                                r->links[i].name, r->links[r->root].name);
        r->root = i;
    }
    if (r->root != SN_ROBOT_NONE) return SN_OK;
    return sn_text_fail(text, r->links[0].at,
                        "every link is the child of a joint, expected one that is not");
}

/* From the first link outward; in the order of the file where that is free. Links that nobody
   reaches are in a circle. */
static sn_result order_joints(sn_io_robot *r, const sn_text *text) {
    bool *reached = calloc(r->link_count + 1, sizeof *reached);
    size_t *waiting = malloc((r->link_count + 1) * sizeof *waiting);
    size_t *first = calloc(r->link_count + 2, sizeof *first);
    size_t *sorted = malloc((r->joint_count + 1) * sizeof *sorted);
    sn_result result = reached && waiting && first && sorted ? SN_OK : no_memory();
    if (result == SN_OK) {
        /* Joints by their parents. */
        for (size_t i = 0; i < r->joint_count; i++) first[r->joints[i].public.parent + 1]++;
        for (size_t i = 0; i < r->link_count; i++) first[i + 1] += first[i];
        for (size_t i = r->joint_count; i-- > 0;)
            sorted[--first[r->joints[i].public.parent + 1]] = i;
        size_t begin = 0, end = 0, count = 0;
        waiting[end++] = r->root;
        reached[r->root] = true;
        while (begin < end) {
            size_t link = waiting[begin++];
            size_t after = link + 2 <= r->link_count ? first[link + 2] : r->joint_count;
            for (size_t i = first[link + 1]; i < after; i++) {
                r->order[count++] = sorted[i];
                waiting[end++] = r->joints[sorted[i]].public.child;
                reached[waiting[end - 1]] = true;
            }
        }
        for (size_t i = 0; i < r->link_count && result == SN_OK; i++)
            if (!reached[i])
                result = sn_text_fail(text, r->links[i].at,
                                      "the link \"%.64s\" is its own parent, by way of others",
                                      r->links[i].name);
    }
    free(reached);
    free(waiting);
    free(first);
    free(sorted);
    return result;
}

/* ---- Bodies ---- */

static void gather_bodies(sn_io_robot *r) {
    r->body_count = 1;
    r->bodies[0].link = r->root;
    r->links[r->root].body = 0;
    r->links[r->root].in_body = sn_robot_here;
    for (size_t i = 0; i < r->joint_count; i++) {
        const robot_joint *j = &r->joints[r->order[i]];
        robot_link *child = &r->links[j->public.child], *parent = &r->links[j->public.parent];
        if (j->public.kind == SN_IO_JOINT_FIXED) {
            child->body = parent->body;
            child->in_body = sn_robot_compose(&parent->in_body, &j->origin);
            continue;
        }
        child->body = r->body_count;
        child->in_body = sn_robot_here;
        r->bodies[r->body_count++].link = j->public.child;
    }
}

/* The tensor of a link about a point, in the frame of its body: R I R^T + m (d^2 1 - d d^T), as xx,
   yy, zz, yz, zx, xy. */
static void add_tensor(const robot_link *link, sn_io_point about, double sum[6]) {
    static const int row[6] = {0, 1, 2, 1, 2, 0}, column[6] = {0, 1, 2, 2, 0, 1};
    const double *t = link->inertial.tensor;
    const double own[3][3] = {{t[0], t[3], t[4]}, {t[3], t[1], t[5]}, {t[4], t[5], t[2]}};
    robot_frame frame = sn_robot_compose(&link->in_body, &link->inertial.frame);
    double axes[3][3], turned[3][3], d[3];
    for (int k = 0; k < 3; k++) {
        sn_io_point axis = sn_io_point_rotated(frame.turn, (sn_io_point){k == 0, k == 1, k == 2});
        axes[k][0] = axis.x, axes[k][1] = axis.y, axes[k][2] = axis.z;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            turned[i][j] = 0;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) turned[i][j] += axes[a][i] * own[a][b] * axes[b][j];
        }
    sn_io_point off = sn_io_point_sub(frame.at, about);
    d[0] = off.x, d[1] = off.y, d[2] = off.z;
    double square = sn_io_point_dot(off, off);
    for (int k = 0; k < 6; k++) {
        int i = row[k], j = column[k];
        sum[k] += turned[i][j] + link->inertial.mass * ((i == j ? square : 0) - d[i] * d[j]);
    }
}

/* Mass, centre and principal moments of every body. */
static void weigh(sn_io_robot *r) {
    for (size_t i = 0; i < r->link_count; i++) {
        const robot_link *link = &r->links[i];
        robot_body *body = &r->bodies[link->body];
        robot_frame frame = sn_robot_compose(&link->in_body, &link->inertial.frame);
        body->mass += link->inertial.mass;
        body->centre =
            sn_io_point_add(body->centre, sn_io_point_scaled(frame.at, link->inertial.mass));
    }
    for (size_t b = 0; b < r->body_count; b++)
        if (r->bodies[b].mass > 0)
            r->bodies[b].centre = sn_io_point_scaled(r->bodies[b].centre, 1 / r->bodies[b].mass);
}

static sn_result find_moments(sn_io_robot *r) {
    double(*sums)[6] = calloc(r->body_count, sizeof *sums);
    if (!sums) return no_memory();
    for (size_t i = 0; i < r->link_count; i++)
        add_tensor(&r->links[i], r->bodies[r->links[i].body].centre, sums[r->links[i].body]);
    for (size_t b = 0; b < r->body_count; b++)
        sn_principal_axes(sums[b], r->bodies[b].moments, r->bodies[b].axes);
    free(sums);
    return SN_OK;
}

/* What moves needs a mass, and what has a mass needs moments. The first body may do without. */
static sn_result check_masses(const sn_io_robot *r, const sn_text *text) {
    for (size_t b = 0; b < r->body_count; b++) {
        const robot_body *body = &r->bodies[b];
        const robot_link *link = &r->links[body->link];
        if (!(body->mass > 0)) {
            if (b == 0) continue;
            return sn_text_fail(text, link->at,
                                "the link \"%.64s\" moves and has no mass, expected an <inertial>",
                                link->name);
        }
        for (int i = 0; i < 3; i++)
            if (!(body->moments[i] > 0 && 1 / body->moments[i] < 1e30))
                return sn_text_fail(text, link->at,
                                    "the link \"%.64s\" has a principal moment of inertia of %g "
                                    "kg m^2, expected above 0",
                                    link->name, body->moments[i]);
    }
    return SN_OK;
}

sn_result sn_robot_link_up(sn_io_robot *r, const sn_text *text) {
    r->order = malloc((r->joint_count + 1) * sizeof *r->order);
    r->bodies = calloc(r->link_count + 1, sizeof *r->bodies);
    if (!r->order || !r->bodies) return no_memory();
    SN_TRY(find_root(r, text));
    SN_TRY(order_joints(r, text));
    gather_bodies(r);
    weigh(r);
    SN_TRY(find_moments(r));
    return check_masses(r, text);
}

/* ---- Places ---- */

static bool has_number(sn_io_joint_kind kind) {
    return kind == SN_IO_JOINT_REVOLUTE || kind == SN_IO_JOINT_CONTINUOUS ||
           kind == SN_IO_JOINT_PRISMATIC;
}

static sn_result check_start(const sn_io_robot_joint *j, double value) {
    const double most = 1e5;
    double lower = j->lower == SN_AUTO ? -most : (double)j->lower;
    double upper = j->upper == SN_AUTO ? most : (double)j->upper;
    if (value >= lower && value <= upper) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "joint \"%.64s\": it begins at %g, expected %g to %g", j->name,
                   value, lower, upper);
}

sn_result sn_robot_start(const sn_io_robot *r, const sn_real *asked, double *values) {
    for (size_t i = 0; i < r->joint_count; i++) {
        const sn_io_robot_joint *j = &r->joints[i].public;
        double value = 0;
        if (j->lower != SN_AUTO && value < (double)j->lower) value = (double)j->lower;
        if (j->upper != SN_AUTO && value > (double)j->upper) value = (double)j->upper;
        if (asked && j->mimic == SN_ROBOT_NONE) value = (double)asked[i];
        values[i] = has_number(j->kind) ? value : 0;
        if (has_number(j->kind)) SN_TRY(check_start(j, value));
    }
    for (size_t i = 0; i < r->joint_count; i++) {
        const sn_io_robot_joint *j = &r->joints[i].public;
        if (j->mimic != SN_ROBOT_NONE && has_number(j->kind))
            values[i] = (double)j->factor * values[j->mimic] + (double)j->offset;
    }
    return SN_OK;
}

static robot_frame motion_of(const sn_io_robot_joint *j, double value) {
    sn_io_point axis = sn_io_point_of(j->axis);
    if (j->kind == SN_IO_JOINT_PRISMATIC)
        return (robot_frame){sn_io_point_scaled(axis, value), {0, 0, 0, 1}};
    return sn_robot_turned(axis, has_number(j->kind) ? value : 0);
}

void sn_robot_place_links(const sn_io_robot *r, const robot_frame *base, const double *values,
                          robot_frame *links) {
    links[r->root] = *base;
    for (size_t i = 0; i < r->joint_count; i++) {
        const robot_joint *j = &r->joints[r->order[i]];
        robot_frame motion = motion_of(&j->public, values[r->order[i]]);
        robot_frame at = sn_robot_compose(&links[j->public.parent], &j->origin);
        links[j->public.child] = sn_robot_compose(&at, &motion);
    }
}

/* z becomes y, or x does, by a turn of a quarter. */
robot_frame sn_robot_base(const sn_io_robot_place *place) {
    const double h = 0.70710678118654752440;
    const double ups[3][4] = {{0, 0, 0, 1}, {-h, 0, 0, h}, {0, 0, h, h}};
    sn_quat q = place->orientation;
    const double turn[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    robot_frame base = {.at = sn_io_point_of(place->position)};
    sn_robot_turn_multiply(turn, ups[place->up], base.turn);
    return base;
}
