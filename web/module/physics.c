/* What is behind the surfaces: constraints as lines between their nodes, by type, and the frames of
   oriented nodes. */
#include "exports.h"

#include <sinew/graph.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 64, FRAME = 7 };

static view_text answer;

/* Calls a function for all constraints of a type, with their nodes as indices of the arrays. */
typedef void visit(void *user, sn_constraint id, const uint32_t *nodes, size_t count);

static void visit_constraints(const sn_world *world, sn_type wanted, visit *function, void *user) {
    size_t left = sn_world_constraint_count(world, wanted);
    for (size_t slot = 0; left > 0 && slot < SN_COUNT_MAX; slot++) {
        sn_node ids[MOST_NODES];
        uint32_t nodes[MOST_NODES];
        size_t count = 0, kept = 0;
        sn_constraint id;
        sn_type type;
        if (sn_world_constraint_at(world, slot, &id) != SN_OK ||
            sn_constraint_get_type(world, id, &type) != SN_OK || type != wanted)
            continue;
        left--;
        if (sn_constraint_get_nodes(world, id, ids, MOST_NODES, &count) != SN_OK) continue;
        if (count > MOST_NODES) count = MOST_NODES;
        for (size_t i = 0; i < count; i++)
            if (ids[i].slot > 0) nodes[kept++] = ids[i].slot - 1;
        function(user, id, nodes, kept);
    }
}

/* ---- Constraints ---- */

const char *view_types(view *v) {
    const sn_world *world = view_world(v);
    bool first = true;
    view_text_begin(&answer);
    view_text_add(&answer, "[");
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        size_t count = sn_world_constraint_count(world, (sn_type)type);
        if (count == 0) continue;
        view_text_add(&answer,
                      "%s{\"type\":%d,\"name\":\"%s\",\"count\":%zu,\"meaning\":", first ? "" : ",",
                      type, sn_type_get_info((sn_type)type)->name, count);
        view_text_add_string(&answer, sn_type_get_info((sn_type)type)->meaning);
        view_text_add(&answer, "}");
        first = false;
    }
    view_text_add(&answer, "]");
    return answer.data ? answer.data : "[]";
}

/* A joint with anchors, at which what acts on the same nodes is drawn. */
typedef struct anchor {
    uint32_t node[2];
    sn_constraint id;
} anchor;

enum { MOST_ANCHORS = 1024 };

/* The constraints of a type that are being drawn. */
typedef struct drawing {
    const sn_world *world;
    const sn_vec4 *position;
    view_joint joint;
    view_segments segments;
    float *colour; /* of each segment; null while they are counted */
    anchor anchors[MOST_ANCHORS];
    size_t anchor_count;
} drawing;

static void add_anchor(void *user, sn_constraint id, const uint32_t *nodes, size_t count) {
    drawing *d = user;
    if (count >= 2 && d->anchor_count < MOST_ANCHORS)
        d->anchors[d->anchor_count++] = (anchor){{nodes[0], nodes[1]}, id};
}

/* Drives have an axis and no place of their own. */
static void find_anchors(drawing *d) {
    if (d->joint.anchored || !d->joint.has_axis) return;
    for (int type = 0; type < SN_TYPE_COUNT; type++)
        if (sn_world_constraint_count(d->world, (sn_type)type) > 0 &&
            view_joint_of(sn_type_get_info((sn_type)type)).anchored)
            visit_constraints(d->world, (sn_type)type, add_anchor, d);
}

static const sn_constraint *anchor_of(const drawing *d, const uint32_t *nodes, size_t count) {
    for (size_t i = 0; count >= 2 && i < d->anchor_count; i++)
        if (memcmp(d->anchors[i].node, nodes, sizeof d->anchors[i].node) == 0)
            return &d->anchors[i].id;
    return NULL;
}

void view_segments_add(view_segments *s, sn_vec3 from, sn_vec3 to) {
    enum { SEGMENT = 6 };
    if (s->list) {
        memcpy(s->list + SEGMENT * s->count, &from, sizeof from);
        memcpy(s->list + SEGMENT * s->count + 3, &to, sizeof to);
    }
    s->count++;
}

static sn_vec3 place_of(const drawing *d, uint32_t node) {
    sn_vec4 x = d->position[node];
    return (sn_vec3){x.x, x.y, x.z};
}

/* Joints by their anchors and axes. Of others up to four nodes are all joined, as they are in
   triangles and tetrahedra; of more, all with the first, which is the one in the middle. */
static void add_lines(drawing *d, sn_constraint id, const uint32_t *nodes, size_t count) {
    size_t middles = count <= 4 ? count : 1;
    if (view_joint_draw(d->world, id, &d->joint, anchor_of(d, nodes, count), &d->segments)) return;
    for (size_t i = 0; i < middles; i++)
        for (size_t j = i + 1; j < count; j++)
            view_segments_add(&d->segments, place_of(d, nodes[i]), place_of(d, nodes[j]));
}

static void add_constraint(void *user, sn_constraint id, const uint32_t *nodes, size_t count) {
    drawing *d = user;
    size_t first = d->segments.count;
    int colour = -1;
    add_lines(d, id, nodes, count);
    if (!d->colour || sn_constraint_get_colour(d->world, id, &colour) != SN_OK) return;
    for (size_t i = first; i < d->segments.count; i++) d->colour[i] = (float)colour;
}

int view_links(view *v, int type, uint32_t *out) {
    const sn_world *world = view_world(v);
    sn_node_view nodes;
    if (type < 0 || type >= SN_TYPE_COUNT || sn_world_nodes(world, &nodes) != SN_OK) return 0;
    drawing d = {.world = world,
                 .position = nodes.position,
                 .joint = view_joint_of(sn_type_get_info((sn_type)type))};
    find_anchors(&d);
    visit_constraints(world, (sn_type)type, add_constraint, &d);
    float *list = realloc(v->links, (7 * d.segments.count + 1) * sizeof *list);
    if (!list) return 0;
    v->links = d.segments.list = list;
    d.colour = list + 6 * d.segments.count;
    d.segments.count = 0;
    visit_constraints(world, (sn_type)type, add_constraint, &d);
    *out = (uint32_t)(uintptr_t)list;
    return (int)d.segments.count;
}

/* ---- Frames ---- */

int view_axes(view *v, uint32_t *out) {
    const sn_world *world = view_world(v);
    sn_node_view nodes;
    sn_frame_view frames;
    size_t kept = 0;
    if (sn_world_nodes(world, &nodes) != SN_OK || sn_world_frames(world, &frames) != SN_OK)
        return 0;
    float *list = realloc(v->axes, (FRAME * frames.count + 1) * sizeof *list);
    if (!list) return 0;
    v->axes = list;
    for (size_t i = 0; i < frames.count; i++) {
        if (!frames.alive[i]) continue;
        memcpy(list + FRAME * kept, &nodes.position[frames.node[i]], 3 * sizeof *list);
        memcpy(list + FRAME * kept++ + 3, &frames.orientation[i], 4 * sizeof *list);
    }
    *out = (uint32_t)(uintptr_t)list;
    return (int)kept;
}
