/*
 * Attachments: which element of a collision surface is nearest, and which constraint holds a node
 * there. All of it goes through the public calls, so that recordings and snapshots know nothing of
 * it.
 */
#include "api/check.h"
#include "api/draft.h"
#include "api/take_over.h"
#include "collision/collision_state.h"
#include "geometry/closest_point.h"

#include <sinew/attach.h>

#include <string.h>

sn_attach_def sn_attach_def_default(void) {
    return (sn_attach_def){.size = sizeof(sn_attach_def), .break_force = SN_AUTO};
}

/* ---- The nearest place ---- */

/* A triangle, a segment or a node; `distance2` in m^2. */
typedef struct place {
    uint32_t node[3];
    int corners; /* 0: nothing was found */
    double distance2;
} place;

static sn_point point_of(const sn_world *world, uint32_t node) {
    sn_vec4 x = world->nodes.x[node];
    return (sn_point){(double)x.x, (double)x.y, (double)x.z};
}

static void look_at(const sn_world *world, uint32_t node, const uint32_t *element, int corners,
                    place *found) {
    sn_point x = point_of(world, node), c[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < corners; k++) {
        if (element[k] == node) return;
        c[k] = point_of(world, element[k]);
    }
    /* A segment is a triangle without area, and so is a point. */
    for (int k = corners; k < 3; k++) c[k] = c[corners - 1];
    sn_point offset = sn_point_sub(sn_closest_on_triangle(x, c[0], c[1], c[2], NULL), x);
    double square = sn_point_dot(offset, offset);
    if (found->corners > 0 && !(square < found->distance2)) return;
    found->corners = corners;
    found->distance2 = square;
    memcpy(found->node, element, (size_t)corners * sizeof *element);
}

static void look_at_surface(const sn_world *world, const sn_attach_def *def, uint32_t surface,
                            place *found) {
    const sn_collision_surface_state *s = &sn_collision_surfaces_of(world)->state[surface];
    uint32_t node = def->node.slot - 1, body = def->body.slot;
    for (size_t i = 0; i < s->def.triangle_count; i++)
        if (!body || world->nodes.body[s->triangle[3 * i]] == body)
            look_at(world, node, s->triangle + 3 * i, 3, found);
    for (size_t i = s->inner; i < s->edges; i++)
        if (!body || world->nodes.body[s->edge[2 * i]] == body)
            look_at(world, node, s->edge + 2 * i, 2, found);
}

static place find_place(const sn_world *world, const sn_attach_def *def) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    place found = {.corners = 0};
    uint32_t node = def->node.slot - 1;
    if (def->target.slot) {
        uint32_t target = def->target.slot - 1;
        look_at(world, node, &target, 1, &found);
        return found;
    }
    for (uint32_t k = 0; k < surfaces->slots.count; k++)
        if (surfaces->slots.alive[k] && (!def->surface.slot || def->surface.slot == k + 1))
            look_at_surface(world, def, k, &found);
    if (found.corners > 0) return found;
    for (uint32_t k = 0; k < world->nodes.slots.count; k++) {
        bool in_surface = k < surfaces->node_capacity;
        bool mine = def->surface.slot ? in_surface && surfaces->of_node[k] == def->surface.slot
                                      : world->nodes.body[k] == def->body.slot;
        if (world->nodes.slots.alive[k] && mine) look_at(world, node, &k, 1, &found);
    }
    return found;
}

/* ---- The constraint ---- */

/* To a kinematic node, which any number of nodes may hang on. */
static sn_result attach_to_anchor(sn_world *world, const sn_attach_def *def, sn_node anchor,
                                  sn_constraint *constraint) {
    sn_attachment_def made = sn_attachment_def_default();
    SN_TAKE_OVER(made, def);
    made.node[0] = def->node;
    made.node[1] = anchor;
    made.offset = (sn_vec3){0, 0, 0};
    return sn_constraint_create(world, SN_TYPE_ATTACHMENT, &made, constraint);
}

/* Above a triangle. */
static sn_result attach_with_offset(sn_world *world, const sn_attach_def *def, const place *at,
                                    const sn_node id[3], sn_constraint *constraint) {
    sn_offset_attachment_def made = sn_offset_attachment_def_default();
    /* Single nodes are looked at where there is neither a triangle nor a segment. */
    if (at->corners == 1 && !def->target.slot)
        return sn_fail(
            SN_ERROR_VALUE,
            "attach: offset is %g m, but %s %u has no surface, expected a collision surface with "
            "triangles, or an offset of 0",
            (double)def->offset, def->surface.slot ? "collision surface" : "body",
            (def->surface.slot ? def->surface.slot : def->body.slot) - 1);
    if (at->corners < 3)
        return sn_fail(
            SN_ERROR_VALUE,
            "attach: offset is %g m, but the nearest place for node %u is %s, expected a "
            "triangle, which has a normal, or an offset of 0",
            (double)def->offset, def->node.slot - 1, at->corners == 2 ? "on a segment" : "a node");
    SN_TAKE_OVER(made, def);
    made.node[0] = def->node;
    memcpy(made.node + 1, id, 3 * sizeof *id);
    made.offset = def->offset;
    return sn_constraint_create(world, SN_TYPE_OFFSET_ATTACHMENT, &made, constraint);
}

static sn_result attach_to_place(sn_world *world, const sn_attach_def *def, const place *at,
                                 sn_constraint *constraint) {
    sn_node id[3];
    for (int k = 0; k < at->corners; k++) id[k] = sn_world_node_id(world, (int32_t)at->node[k]);
    if (def->offset != 0) return attach_with_offset(world, def, at, id, constraint);
    if (at->corners == 1) {
        if (world->nodes.w[at->node[0]] == 0)
            return attach_to_anchor(world, def, id[0], constraint);
        sn_seam_def made = sn_seam_def_default();
        SN_TAKE_OVER(made, def);
        made.node[0] = def->node;
        made.node[1] = id[0];
        return sn_constraint_create(world, SN_TYPE_SEAM, &made, constraint);
    }
    if (at->corners == 2) {
        sn_edge_attachment_def made = sn_edge_attachment_def_default();
        SN_TAKE_OVER(made, def);
        made.node[0] = def->node;
        memcpy(made.node + 1, id, 2 * sizeof *id);
        return sn_constraint_create(world, SN_TYPE_EDGE_ATTACHMENT, &made, constraint);
    }
    sn_point_attachment_def made = sn_point_attachment_def_default();
    SN_TAKE_OVER(made, def);
    made.node[0] = def->node;
    memcpy(made.node + 1, id, 3 * sizeof *id);
    return sn_constraint_create(world, SN_TYPE_POINT_ATTACHMENT, &made, constraint);
}

/* With an anchor of its own, which is taken back where the constraint is refused. */
static sn_result attach_to_collider(sn_world *world, const sn_attach_def *def,
                                    sn_constraint *constraint) {
    sn_node anchor;
    sn_node_def node = sn_node_def_default();
    sn_vec4 x = world->nodes.x[def->node.slot - 1];
    node.position = (sn_vec3){x.x, x.y, x.z};
    node.inverse_mass = 0;
    SN_TRY(sn_node_create(world, &node, &anchor));
    sn_result result = sn_node_ride(world, anchor, def->collider);
    if (result == SN_OK) result = attach_to_anchor(world, def, anchor, constraint);
    if (result != SN_OK) (void)sn_node_destroy(world, anchor);
    return result;
}

/* ---- The call ---- */

static sn_result check_softness(const char *what, sn_real compliance, sn_real damping,
                                sn_real break_force) {
    double most = (double)SN_REAL_MAX;
    SN_TRY(sn_check_real(what, "compliance", compliance, 0, most, false, "m/N"));
    SN_TRY(sn_check_real(what, "damping", damping, 0, most, false, "N s/m"));
    return sn_check_real(what, "break_force", break_force, 0, most, true, "N");
}

static sn_result check_attach(const sn_world *world, const sn_attach_def *def) {
    SN_TRY(sn_check_size("attach", def->size, sizeof *def));
    SN_TRY(sn_check_node(world, def->node));
    int targets = (def->target.slot != 0) + (def->surface.slot != 0) + (def->body.slot != 0) +
                  (def->collider.slot != 0);
    if (targets != 1)
        return sn_fail(
            SN_ERROR_VALUE,
            "attach: %d of target, collision surface, body and collider are given, expected one",
            targets);
    if (def->target.slot) SN_TRY(sn_check_node(world, def->target));
    if (def->body.slot) SN_TRY(sn_check_body(world, def->body));
    if (def->collider.slot) SN_TRY(sn_check_collider(world, def->collider));
    if (def->surface.slot)
        SN_TRY(sn_slots_check(&sn_collision_surfaces_of(world)->slots, SN_ID(def->surface),
                              world->tag, "collision surface"));
    SN_TRY(sn_check_real("attach", "offset", def->offset, -(double)SN_REAL_MAX, (double)SN_REAL_MAX,
                         true, "m"));
    if (def->collider.slot && def->offset != 0)
        return sn_fail(SN_ERROR_VALUE,
                       "attach: offset is %g m, expected 0: on a collider a node is held where it "
                       "is",
                       (double)def->offset);
    return check_softness("attach", def->compliance, def->damping, def->break_force);
}

sn_result sn_attach(sn_world *world, const sn_attach_def *def, sn_constraint *constraint) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(constraint);
    SN_TRY(check_attach(world, def));
    if (def->collider.slot) return attach_to_collider(world, def, constraint);
    place found = find_place(world, def);
    if (found.corners == 0)
        return sn_fail(SN_ERROR_VALUE,
                       "attach: the target has nothing that node %u could be held at, expected a "
                       "triangle, a segment or another node",
                       def->node.slot - 1);
    return attach_to_place(world, def, &found, constraint);
}

/* ---- Sewing ---- */

sn_sew_def sn_sew_def_default(void) {
    return (sn_sew_def){
        .size = sizeof(sn_sew_def), .closing_speed = SN_AUTO, .break_force = SN_AUTO};
}

static sn_result check_list(const sn_world *world, const char *name, const sn_node *list,
                            size_t count) {
    if (count == 0) return sn_fail(SN_ERROR_VALUE, "sew: %s_count is 0, expected at least 1", name);
    if (!list) return sn_fail(SN_ERROR_NULL, "sew: %s is null", name);
    for (size_t i = 0; i < count; i++) {
        sn_result result = sn_check_node(world, list[i]);
        if (result != SN_OK) return sn_fail_within(result, "sew: node %zu of %s", i, name);
    }
    return SN_OK;
}

static sn_result check_sew(const sn_world *world, const sn_sew_def *def) {
    SN_TRY(sn_check_size("sew", def->size, sizeof *def));
    if ((unsigned)def->match > SN_SEW_EDGES)
        return sn_fail(SN_ERROR_VALUE, "sew: match is %d, expected 0 to %d", (int)def->match,
                       SN_SEW_EDGES);
    if (def->match == SN_SEW_EDGES && def->b_count < 2)
        return sn_fail(SN_ERROR_VALUE, "sew: b_count is %zu, expected at least 2 for edges",
                       def->b_count);
    SN_TRY(sn_check_real("sew", "closing_speed", def->closing_speed, 0, (double)SN_REAL_MAX, true,
                         "m/s"));
    SN_TRY(check_softness("sew", def->compliance, def->damping, def->break_force));
    SN_TRY(check_list(world, "a", def->a, def->a_count));
    return check_list(world, "b", def->b, def->b_count);
}

/* Of equally near nodes, the first. */
static sn_node nearest_of(const sn_world *world, sn_node node, const sn_node *list, size_t count) {
    size_t best = 0;
    double least = 0;
    for (size_t i = 0; i < count; i++) {
        sn_point offset =
            sn_point_sub(point_of(world, list[i].slot - 1), point_of(world, node.slot - 1));
        double square = sn_point_dot(offset, offset);
        if (i > 0 && !(square < least)) continue;
        least = square;
        best = i;
    }
    return list[best];
}

/* The node of a list that is as far along it as place i of another of `of` nodes, rounded. */
static sn_node along(const sn_node *list, size_t count, size_t i, size_t of) {
    return of > 1 ? list[(2 * i * (count - 1) + (of - 1)) / (2 * (of - 1))] : list[0];
}

static sn_seam_def seam_of(const sn_world *world, const sn_sew_def *def, size_t i, size_t longer) {
    sn_seam_def seam = sn_seam_def_default();
    SN_TAKE_OVER(seam, def);
    seam.closing_speed = def->closing_speed;
    if (def->match == SN_SEW_NEAREST) {
        seam.node[0] = def->a[i];
        seam.node[1] = nearest_of(world, def->a[i], def->b, def->b_count);
    } else {
        seam.node[0] = along(def->a, def->a_count, i, longer);
        seam.node[1] = along(def->b, def->b_count, i, longer);
    }
    return seam;
}

/* Nodes with nodes. */
static sn_result sew_nodes(sn_world *world, const sn_sew_def *def, size_t longer, sn_constraint *id,
                           size_t *made) {
    sn_seam_def *list = sn_allocate(&world->memory, longer, sizeof *list);
    if (!list) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < longer; i++) {
        list[*made] = seam_of(world, def, i, longer);
        *made += list[*made].node[0].slot != list[*made].node[1].slot;
    }
    sn_result result = SN_OK;
    if (*made > 0) result = sn_constraints_create(world, SN_TYPE_SEAM, list, *made, id);
    sn_free(&world->memory, list, longer, sizeof *list);
    return result;
}

/* The edge of the second list that is nearest to a node; false where it is an end of all. */
static bool edge_near(const sn_world *world, sn_node node, const sn_sew_def *def,
                      sn_edge_seam_def *seam) {
    place found = {.corners = 0};
    for (size_t i = 0; i + 1 < def->b_count; i++) {
        const uint32_t edge[2] = {def->b[i].slot - 1, def->b[i + 1].slot - 1};
        if (edge[0] != edge[1]) look_at(world, node.slot - 1, edge, 2, &found);
    }
    if (found.corners == 0) return false;
    seam->node[0] = node;
    for (int k = 0; k < 2; k++) seam->node[k + 1] = sn_world_node_id(world, (int32_t)found.node[k]);
    return true;
}

/* Nodes with points of edges. */
static sn_result sew_edges(sn_world *world, const sn_sew_def *def, sn_constraint *id,
                           size_t *made) {
    sn_edge_seam_def *list = sn_allocate(&world->memory, def->a_count, sizeof *list);
    if (!list) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < def->a_count; i++) {
        list[*made] = sn_edge_seam_def_default();
        SN_TAKE_OVER(list[*made], def);
        list[*made].closing_speed = def->closing_speed;
        *made += edge_near(world, def->a[i], def, &list[*made]);
    }
    sn_result result = SN_OK;
    if (*made > 0) result = sn_constraints_create(world, SN_TYPE_EDGE_SEAM, list, *made, id);
    sn_free(&world->memory, list, def->a_count, sizeof *list);
    return result;
}

sn_result sn_sew(sn_world *world, const sn_sew_def *def, sn_constraint *seams, size_t capacity,
                 size_t *count) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(count);
    SN_TRY(check_sew(world, def));
    size_t longer = def->a_count, made = 0;
    if (def->match == SN_SEW_IN_ORDER && def->b_count > longer) longer = def->b_count;
    sn_constraint *id = sn_allocate(&world->memory, longer, sizeof *id);
    if (!id) return SN_ERROR_MEMORY;
    sn_result result = def->match == SN_SEW_EDGES ? sew_edges(world, def, id, &made)
                                                  : sew_nodes(world, def, longer, id, &made);
    if (result == SN_OK) *count = made;
    for (size_t i = 0; result == SN_OK && seams && i < made && i < capacity; i++) seams[i] = id[i];
    sn_free(&world->memory, id, longer, sizeof *id);
    return result;
}
