/*
 * Constraints that are drawn: a rod from node to node, of joints by way of their anchors, so that
 * where they are attached is seen. All of them are one shape of lines, as single nodes are one of
 * particles: each has a colour of its own where any says one.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 64 };

/* Whether a type has an anchor on either node. */
static bool is_anchored(const sn_scene *s, const scene_link *link) {
    const sn_type_info *info = sn_world_type_info(s->world, link->type);
    for (size_t i = 0; info && i < info->field_count; i++)
        if (strcmp(info->fields[i].name, "anchor_1") == 0) return true;
    return false;
}

/* How many points the rod of a constraint has; 0 where it is not drawn. */
static size_t count_points(const sn_scene *s, const scene_link *link) {
    size_t nodes = 0;
    if (!(link->shown > 0)) return 0;
    (void)sn_constraint_get_nodes(s->world, link->constraint, NULL, 0, &nodes);
    if (nodes < 2 || nodes > MOST_POINTS) return 0;
    return is_anchored(s, link) && nodes == 2 ? 4 : nodes;
}

/* Of those that say none, where others do. */
static sn_vec3 own_colour(sn_vec3 said) {
    const sn_vec3 grey = {(sn_real)0.7, (sn_real)0.7, (sn_real)0.7};
    return said.x == SN_AUTO ? grey : said;
}

sn_result sn_scene_colour_nodes(sn_scene *s, sn_io_shape *view) {
    bool any = false;
    for (size_t i = 0; i < s->nodes.count; i++) any = any || s->nodes.items[i].colour.x != SN_AUTO;
    if (!any) return SN_OK;
    sn_vec3 *colours = sn_scene_take(s, s->nodes.count, sizeof *colours);
    if (!colours) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < s->nodes.count; i++) colours[i] = own_colour(s->nodes.items[i].colour);
    view->colours = colours;
    return SN_OK;
}

/* Each piece has ends of its own: what shares a vertex is taken for a curve. */
sn_result sn_scene_make_shown(sn_scene *s, sn_io_shape *view) {
    size_t lines = 0, line = 0;
    bool any = false;
    for (size_t i = 0; i < s->links.count; i++) {
        size_t count = s->links.items[i].points = count_points(s, &s->links.items[i]);
        lines += count > 0 ? count - 1 : 0;
        any = any || (count > 0 && s->links.items[i].colour.x != SN_AUTO);
    }
    *view = (sn_io_shape){.name = "constraints", .vertex_count = 2 * lines, .line_count = lines};
    if (lines == 0) return SN_OK;
    sn_vec3 *x = sn_scene_take(s, 2 * lines, sizeof *x);
    sn_real *radii = sn_scene_take(s, 2 * lines, sizeof *radii);
    uint32_t(*pairs)[2] = sn_scene_take(s, lines, sizeof *pairs);
    sn_vec3 *colours = sn_scene_take(s, 2 * lines, sizeof *colours);
    if (!x || !radii || !pairs || !colours) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < s->links.count; i++)
        for (size_t k = 1; k < s->links.items[i].points; k++, line++)
            for (size_t end = 0; end < 2; end++) {
                radii[2 * line + end] = s->links.items[i].shown / 2;
                colours[2 * line + end] = own_colour(s->links.items[i].colour);
                pairs[line][end] = (uint32_t)(2 * line + end);
            }
    view->positions = x;
    view->radii = radii;
    view->colours = any ? colours : NULL;
    view->lines = (const uint32_t(*)[2])pairs;
    return SN_OK;
}

/* A point on a node, by the field that has it. */
static bool find_anchor(const sn_scene *s, const scene_link *link, const char *field,
                        const sn_node_def *node, sn_vec3 *x) {
    sn_real anchor[3];
    if (sn_constraint_get_field(s->world, link->constraint, field, anchor) != SN_OK) return false;
    const double q[4] = {(double)node->orientation.x, (double)node->orientation.y,
                         (double)node->orientation.z, (double)node->orientation.w};
    sn_io_point arm = {(double)anchor[0], (double)anchor[1], (double)anchor[2]};
    *x = sn_io_point_vec3(
        sn_io_point_add(sn_io_point_of(node->position), sn_io_point_rotated(q, arm)));
    return true;
}

/* Where the points of a constraint are; false where it broke. */
static bool place(const sn_scene *s, const scene_link *link, sn_vec3 *x) {
    sn_node nodes[MOST_POINTS];
    sn_node_def def = sn_node_def_default();
    size_t count = 0;
    if (sn_constraint_get_nodes(s->world, link->constraint, nodes, MOST_POINTS, &count) != SN_OK)
        return false;
    bool anchored = link->points > count;
    for (size_t i = 0; i < count; i++) {
        if (sn_node_get(s->world, nodes[i], &def) != SN_OK) return false;
        x[anchored ? 3 * i : i] = def.position;
        if (anchored && !find_anchor(s, link, i == 0 ? "anchor_0" : "anchor_1", &def, &x[1 + i]))
            return false;
    }
    return true;
}

/* What broke is drawn where it was last. */
void sn_scene_place_shown(const sn_scene *s, sn_vec3 *positions) {
    size_t at = 0;
    for (size_t i = 0; i < s->links.count; i++) {
        const scene_link *link = &s->links.items[i];
        sn_vec3 x[MOST_POINTS];
        if (link->points == 0) continue;
        bool there = place(s, link, x);
        for (size_t k = 1; k < link->points; k++, at += 2) {
            if (!there) continue;
            positions[at] = x[k - 1];
            positions[at + 1] = x[k];
        }
    }
}
