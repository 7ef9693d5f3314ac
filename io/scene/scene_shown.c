/*
 * Constraints that are drawn: a rod from node to node, of joints by way of the anchor on the first
 * node, so that where they are attached is seen. All of them are one shape of lines.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 64 };

/* Whether a type has an anchor on its first node. */
static bool is_anchored(const sn_scene *s, const scene_link *link) {
    const sn_type_info *info = sn_world_type_info(s->world, link->type);
    for (size_t i = 0; info && i < info->field_count; i++)
        if (strcmp(info->fields[i].name, "anchor_0") == 0) return true;
    return false;
}

/* How many points the rod of a constraint has; 0 where it is not drawn. */
static size_t count_points(const sn_scene *s, const scene_link *link) {
    size_t nodes = 0;
    if (!(link->shown > 0)) return 0;
    (void)sn_constraint_get_nodes(s->world, link->constraint, NULL, 0, &nodes);
    if (nodes < 2 || nodes > MOST_POINTS) return 0;
    return is_anchored(s, link) && nodes == 2 ? 3 : nodes;
}

sn_result sn_scene_make_shown(sn_scene *s, sn_io_shape *view) {
    size_t points = 0, lines = 0;
    for (size_t i = 0; i < s->links.count; i++) {
        size_t count = s->links.items[i].points = count_points(s, &s->links.items[i]);
        points += count;
        lines += count > 0 ? count - 1 : 0;
    }
    *view = (sn_io_shape){.name = "constraints", .vertex_count = points, .line_count = lines};
    if (points == 0) return SN_OK;
    sn_vec3 *x = sn_scene_take(s, points, sizeof *x);
    sn_real *radii = sn_scene_take(s, points, sizeof *radii);
    uint32_t(*pairs)[2] = sn_scene_take(s, lines, sizeof *pairs);
    if (!x || !radii || !pairs) return SN_ERROR_MEMORY;
    size_t at = 0, line = 0;
    for (size_t i = 0; i < s->links.count; i++)
        for (size_t k = 0; k < s->links.items[i].points; k++, at++) {
            radii[at] = s->links.items[i].shown / 2;
            if (k == 0) continue;
            pairs[line][0] = (uint32_t)at - 1;
            pairs[line++][1] = (uint32_t)at;
        }
    view->positions = x;
    view->radii = radii;
    view->lines = (const uint32_t(*)[2])pairs;
    return SN_OK;
}

/* A constraint that broke has its rod where it was last. */
static void place(const sn_scene *s, const scene_link *link, sn_vec3 *x) {
    sn_node nodes[MOST_POINTS];
    sn_node_def def = sn_node_def_default();
    sn_real anchor[3];
    size_t count = 0;
    if (sn_constraint_get_nodes(s->world, link->constraint, nodes, MOST_POINTS, &count) != SN_OK)
        return;
    bool anchored = link->points > count;
    for (size_t i = 0; i < count; i++) {
        if (sn_node_get(s->world, nodes[i], &def) != SN_OK) return;
        x[anchored && i > 0 ? i + 1 : i] = def.position;
        if (!anchored || i > 0) continue;
        if (sn_constraint_get_field(s->world, link->constraint, "anchor_0", anchor) != SN_OK)
            return;
        const double q[4] = {(double)def.orientation.x, (double)def.orientation.y,
                             (double)def.orientation.z, (double)def.orientation.w};
        sn_io_point arm = {(double)anchor[0], (double)anchor[1], (double)anchor[2]};
        x[1] = sn_io_point_vec3(
            sn_io_point_add(sn_io_point_of(def.position), sn_io_point_rotated(q, arm)));
    }
}

void sn_scene_place_shown(const sn_scene *s, sn_vec3 *positions) {
    size_t at = 0;
    for (size_t i = 0; i < s->links.count; i++) {
        const scene_link *link = &s->links.items[i];
        if (link->points > 0) place(s, link, positions + at);
        at += link->points;
    }
}
