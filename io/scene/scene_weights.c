/*
 * What cloth carries beside its own weight: single nodes, rigid bodies and bodies that are no
 * cloth, which hang on it by constraints and attachments. A sweep of the solver moves what is
 * light, so that a weight takes more of them.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <stdlib.h>

enum { MOST_NODES = 64 };

typedef struct weights {
    const sn_scene *s;
    const sn_node_view *view;
    uint32_t *owner; /* of a slot: place of its body in the list + 1, or 0 */
    uint8_t *hangs;  /* of a slot: whether it is counted for a cloth already */
} weights;

static double mass_of(const weights *w, sn_node node) {
    if (!sn_node_is_valid(w->s->world, node)) return 0;
    double inverse = (double)w->view->inverse_mass[node.slot - 1];
    return inverse > 0 ? 1 / inverse : 0;
}

/* The cloth that a node is of; null where it is of something else. */
static const scene_body *cloth_of(const weights *w, sn_node node) {
    uint32_t owner = node.slot > 0 && node.slot <= w->view->count ? w->owner[node.slot - 1] : 0;
    const scene_body *body = owner > 0 ? &w->s->bodies.items[owner - 1] : NULL;
    return body && body->build.edge_length > 0 ? body : NULL;
}

/* All of the body that a node is of, or the node alone, once. */
static double hang(weights *w, sn_node node) {
    double sum = 0;
    if (node.slot == 0 || node.slot > w->view->count || w->hangs[node.slot - 1]) return 0;
    uint32_t owner = w->owner[node.slot - 1];
    const scene_body *body = owner > 0 ? &w->s->bodies.items[owner - 1] : NULL;
    for (size_t i = 0; body && i < body->mesh->mesh.vertex_count; i++) {
        if (body->nodes[i].slot == 0) continue;
        w->hangs[body->nodes[i].slot - 1] = 1;
        sum += mass_of(w, body->nodes[i]);
    }
    w->hangs[node.slot - 1] = 1;
    return body ? sum : mass_of(w, node);
}

/* What hangs on a body by one constraint. */
static double carried_by_link(weights *w, const scene_link *link, const scene_body *body) {
    sn_node nodes[MOST_NODES];
    size_t count = 0;
    double sum = 0;
    bool of_body = false;
    if (sn_constraint_get_nodes(w->s->world, link->constraint, nodes, MOST_NODES, &count) != SN_OK)
        return 0;
    /* There may be more than there is room for: of a long list its first nodes are enough. */
    if (count > MOST_NODES) count = MOST_NODES;
    for (size_t i = 0; i < count; i++) of_body = of_body || cloth_of(w, nodes[i]) == body;
    for (size_t i = 0; of_body && i < count; i++)
        if (!cloth_of(w, nodes[i])) sum += hang(w, nodes[i]);
    return sum;
}

static double carried_by_attachment(weights *w, const scene_attachment *a, const scene_body *body) {
    sn_node target = a->target.target;
    double sum = 0;
    for (size_t i = 0; i < w->s->bodies.count; i++)
        if (a->target.body.slot && w->s->bodies.items[i].build.body.slot == a->target.body.slot)
            target = w->s->bodies.items[i].nodes[0];
    if (cloth_of(w, target) == body)
        for (size_t i = 0; i < a->nodes.count; i++)
            if (!cloth_of(w, a->nodes.items[i])) sum += hang(w, a->nodes.items[i]);
    if (a->nodes.count > 0 && cloth_of(w, a->nodes.items[0]) == body && !cloth_of(w, target))
        sum += hang(w, target);
    return sum;
}

/* Of rigid bodies and of bodies that are neither cloth nor lines of it. */
double sn_scene_heaviest(const sn_scene *s, const sn_node_view *view) {
    double most = 0;
    for (size_t i = 0; i < s->colliders.count; i++) {
        sn_node node = s->colliders.items[i].node;
        if (node.slot == 0 || !sn_node_is_valid(s->world, node)) continue;
        double inverse = (double)view->inverse_mass[node.slot - 1];
        if (inverse > 0 && 1 / inverse > most) most = 1 / inverse;
    }
    for (size_t i = 0; i < s->bodies.count; i++) {
        const sn_build *build = &s->bodies.items[i].build;
        bool falls = build->edge_length == 0 && s->bodies.items[i].mesh->mesh.triangle_count > 0;
        if (falls && build->mass > most) most = build->mass;
    }
    return most;
}

sn_result sn_scene_weigh(const sn_scene *s, const sn_node_view *view, double *carried) {
    weights w = {s, view, calloc(view->count + 1, sizeof(uint32_t)), calloc(view->count + 1, 1)};
    for (size_t i = 0; w.owner && i < s->bodies.count; i++)
        for (size_t k = 0; k < s->bodies.items[i].mesh->mesh.vertex_count; k++)
            if (s->bodies.items[i].nodes[k].slot > 0)
                w.owner[s->bodies.items[i].nodes[k].slot - 1] = (uint32_t)i + 1;
    for (size_t i = 0; w.owner && w.hangs && i < s->bodies.count; i++) {
        const scene_body *body = &s->bodies.items[i];
        carried[i] = 0;
        if (!(body->build.edge_length > 0)) continue;
        for (size_t k = 0; k < s->links.count; k++)
            carried[i] += carried_by_link(&w, &s->links.items[k], body);
        for (size_t k = 0; k < s->attachments.count; k++)
            carried[i] += carried_by_attachment(&w, &s->attachments.items[k], body);
    }
    bool there = w.owner && w.hangs;
    free(w.owner);
    free(w.hangs);
    return there ? SN_OK : sn_fail(SN_ERROR_MEMORY, "there is no memory for the scene");
}
