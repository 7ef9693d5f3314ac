/* What is behind the surfaces: constraints as lines between their nodes, by type, and the frames of
   oriented nodes. */
#include "exports.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 64, SEGMENT = 6, FRAME = 7 };

static view_text answer;

/* Calls a function for all constraints of a type, with their nodes as indices of the arrays. */
typedef void visit(void *user, const uint32_t *nodes, size_t count);

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
        function(user, nodes, kept);
    }
}

/* ---- Constraints ---- */

const char *view_types(view *v) {
    const sn_world *world = sn_scene_world(v->scene);
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

/* Segments that are being written; first they are counted, without a list. */
typedef struct segments {
    const sn_vec4 *position;
    float *list;
    size_t count;
} segments;

static void add_segment(segments *s, uint32_t a, uint32_t b) {
    if (s->list) {
        memcpy(s->list + SEGMENT * s->count, &s->position[a], 3 * sizeof *s->list);
        memcpy(s->list + SEGMENT * s->count + 3, &s->position[b], 3 * sizeof *s->list);
    }
    s->count++;
}

/* Up to four nodes are all joined, as they are in triangles and tetrahedra; of more, all with the
   first, which is the one in the middle. */
static void add_constraint(void *user, const uint32_t *nodes, size_t count) {
    size_t middles = count <= 4 ? count : 1;
    for (size_t i = 0; i < middles; i++)
        for (size_t j = i + 1; j < count; j++) add_segment(user, nodes[i], nodes[j]);
}

int view_links(view *v, int type, uint32_t *out) {
    const sn_world *world = sn_scene_world(v->scene);
    sn_node_view nodes;
    if (type < 0 || type >= SN_TYPE_COUNT || sn_world_nodes(world, &nodes) != SN_OK) return 0;
    segments s = {.position = nodes.position};
    visit_constraints(world, (sn_type)type, add_constraint, &s);
    float *list = realloc(v->links, (SEGMENT * s.count + 1) * sizeof *list);
    if (!list) return 0;
    v->links = s.list = list;
    s.count = 0;
    visit_constraints(world, (sn_type)type, add_constraint, &s);
    *out = (uint32_t)(uintptr_t)list;
    return (int)s.count;
}

/* ---- Frames ---- */

int view_axes(view *v, uint32_t *out) {
    const sn_world *world = sn_scene_world(v->scene);
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
