/*
 * The static solver of wrinkle meshes (Mueller and Chentanez 2010), once a step, from where the
 * vertices were in the frames of their places when the step before ended:
 *
 *   bending      |x_a - x_b| = l    across a side, by its part
 *   stretching   |x_a - x_b| = l    along a side, by its part
 *   attachment   |x - a| <= r, and (x - a) n >= 0 where that is asked for
 *
 *          x          All vertices weigh the same: who gives way is a matter of lengths. The
 *     .----|----.     attachment is last, so that it holds when the iterations are over: first out
 *     |  r | n  |     of the back, then into the ball, which does not lead back.
 *   --+----a----+--
 */
#include "math/vector.h"
#include "systems/wrinkle_mesh/wrinkle_meshes.h"

enum { LINKS_ALONE = 1024, VERTICES_ALONE = 1024 };

typedef struct pass {
    const sn_world *world;
    sn_wrinkle_state *w;
    const sn_wrinkle_link *link; /* of a colour */
    sn_real part;
} pass;

/* Of the nodes when the step is over. */
SN_INLINE sn_v4 node_of(const pass *p, size_t i) {
    const sn_nodes *nodes = &p->world->nodes;
    size_t slot = p->w->node[i].slot - 1, origin = p->w->node[0].slot - 1;
    sn_v4 x = *(const sn_v4 *)&nodes->x[slot] - *(const sn_v4 *)&nodes->x[origin];
    x[3] = 0;
    return x;
}

/* ---- Places ---- */

static void find_normals(const pass *p) {
    sn_wrinkle_state *w = p->w;
    for (size_t i = 0; i < w->nodes; i++) w->normal[i] = (sn_vec4){0, 0, 0, 0};
    for (size_t t = 0; t < w->triangles; t++) {
        const uint32_t *corner = w->triangle[t];
        sn_v4 a = node_of(p, corner[0]);
        sn_v4 n = sn_v4_cross(node_of(p, corner[1]) - a, node_of(p, corner[2]) - a);
        for (int k = 0; k < 3; k++) *(sn_v4 *)&w->normal[corner[k]] += n;
    }
}

/* A vector of length 1, or another where it has none. */
SN_INLINE sn_v4 unit_or(sn_v4 a, sn_v4 other) {
    sn_real length = sn_v4_length(a);
    if (length > 0 && length <= SN_REAL_MAX) return a / length;
    return other;
}

static void find_places(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_wrinkle_state *w = p->w;
    for (size_t v = begin; v < end; v++) {
        const uint32_t *corner = w->triangle[w->fine.carrier[v]];
        const sn_real *share = w->fine.share[v];
        sn_v4 a = node_of(p, corner[0]), ab = node_of(p, corner[1]) - a;
        sn_v4 ac = node_of(p, corner[2]) - a, normal = {0, 0, 0, 0};
        for (int k = 0; k < 3; k++) normal += share[k] * *(const sn_v4 *)&w->normal[corner[k]];
        normal = unit_or(normal, unit_or(sn_v4_cross(ab, ac), (sn_v4){0, 1, 0, 0}));
        /* The normals of a triangle are mixed, so that its side is not across them. */
        sn_v4 tangent = unit_or(ab - sn_v4_dot(ab, normal) * normal, (sn_v4){0, 0, 0, 0});
        *(sn_v4 *)&w->place[v].at = a + share[1] * ab + share[2] * ac;
        *(sn_v4 *)&w->place[v].normal = normal;
        *(sn_v4 *)&w->place[v].tangent = tangent;
    }
}

/* Where vertices are by their offsets. */
static void place_vertices(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_wrinkle_state *w = p->w;
    sn_v4 origin = *(const sn_v4 *)&p->world->nodes.x[w->node[0].slot - 1];
    for (size_t v = begin; v < end; v++) {
        const sn_wrinkle_place *place = &w->place[v];
        sn_v4 n = *(const sn_v4 *)&place->normal, t = *(const sn_v4 *)&place->tangent;
        sn_vec3 u = w->offset[v];
        sn_v4 x = *(const sn_v4 *)&place->at + (u.x * t + u.y * sn_v4_cross(n, t) + u.z * n);
        *(sn_v4 *)&w->x[v] = x;
        x += origin;
        w->position[v] = (sn_vec3){x[0], x[1], x[2]};
    }
}

void sn_wrinkle_state_place(const sn_world *world, sn_wrinkle_state *w) {
    pass p = {.world = world, .w = w};
    find_normals(&p);
    find_places(&p, 0, w->fine.vertices);
    place_vertices(&p, 0, w->fine.vertices);
}

/* ---- Constraints ---- */

static void keep_lengths(void *context, size_t begin, size_t end) {
    const pass *p = context;
    sn_v4 *x = (sn_v4 *)p->w->x;
    for (size_t i = begin; i < end; i++) {
        const sn_wrinkle_link *l = &p->link[i];
        sn_v4 way = x[l->b] - x[l->a];
        sn_real length = sn_v4_length(way);
        if (!(length > 0)) continue;
        sn_v4 by = (p->part * SN_R(0.5) * (length - l->length) / length) * way;
        x[l->a] += by;
        x[l->b] -= by;
    }
}

static void attach(void *context, size_t begin, size_t end) {
    const pass *p = context;
    sn_wrinkle_state *w = p->w;
    for (size_t v = begin; v < end; v++) {
        sn_v4 at = *(const sn_v4 *)&w->place[v].at, n = *(const sn_v4 *)&w->place[v].normal;
        sn_v4 way = *(const sn_v4 *)&w->x[v] - at;
        sn_real behind = sn_v4_dot(way, n);
        if (w->def.one_sided && behind < 0) way -= behind * n;
        sn_real length = sn_v4_length(way);
        if (length > w->radius) way *= w->radius / length;
        *(sn_v4 *)&w->x[v] = at + way;
    }
}

/* What is not finite begins again where it is attached. */
static void keep_offsets(void *context, size_t begin, size_t end) {
    const pass *p = context;
    sn_wrinkle_state *w = p->w;
    for (size_t v = begin; v < end; v++) {
        sn_v4 n = *(const sn_v4 *)&w->place[v].normal, t = *(const sn_v4 *)&w->place[v].tangent;
        sn_v4 way = *(const sn_v4 *)&w->x[v] - *(const sn_v4 *)&w->place[v].at;
        sn_vec3 u = {sn_v4_dot(way, t), sn_v4_dot(way, sn_v4_cross(n, t)), sn_v4_dot(way, n)};
        bool finite = sn_v4_dot(way, way) <= SN_REAL_MAX;
        w->offset[v] = finite ? u : (sn_vec3){0, 0, 0};
    }
}

/* ---- A step ---- */

static void keep_links(pass *p, const sn_wrinkle_links *links, sn_real part) {
    size_t begin = 0;
    p->part = part;
    for (size_t c = 0; c < SN_WRINKLE_COLOURS && part > 0; c++) {
        size_t count = links->end[c] - begin;
        p->link = links->link + begin;
        if (c + 1 < SN_WRINKLE_COLOURS)
            sn_team_run(p->world->bindings.team, count, LINKS_ALONE, keep_lengths, p);
        else
            keep_lengths(p, 0, count);
        begin = links->end[c];
    }
}

/* What is flat would never choose a side to fold to: vertices on their places begin a little off
   them, by amounts that differ from each to the next. */
static void unsettle(void *context, size_t begin, size_t end) {
    const pass *p = context;
    sn_wrinkle_state *w = p->w;
    for (size_t v = begin; v < end; v++) {
        sn_vec3 *u = &w->offset[v];
        sn_real least = w->radius / 64;
        if (u->x * u->x + u->y * u->y + u->z * u->z >= least * least) continue;
        uint32_t mixed = ((uint32_t)v + 1) * UINT32_C(2654435761);
        u->z = least * ((sn_real)(mixed >> 24) / 255);
    }
}

static void fold(const sn_world *world, sn_wrinkle_state *w) {
    pass p = {.world = world, .w = w};
    sn_team *team = world->bindings.team;
    size_t vertices = w->fine.vertices;
    find_normals(&p);
    sn_team_run(team, vertices, VERTICES_ALONE, unsettle, &p);
    sn_team_run(team, vertices, VERTICES_ALONE, find_places, &p);
    sn_team_run(team, vertices, VERTICES_ALONE, place_vertices, &p);
    for (int i = 0; i < w->def.iterations; i++) {
        keep_links(&p, &w->bends, w->def.bending);
        keep_links(&p, &w->sides, w->def.stretch);
        sn_team_run(team, vertices, VERTICES_ALONE, attach, &p);
    }
    sn_team_run(team, vertices, VERTICES_ALONE, keep_offsets, &p);
    sn_team_run(team, vertices, VERTICES_ALONE, place_vertices, &p);
}

/* Where a body sleeps, its wrinkles stay. */
static bool is_active(const sn_world *world, const sn_wrinkle_state *w) {
    for (size_t i = 0; i < w->nodes; i++)
        if (!sn_sleep_has(&world->sleep, world->nodes.body[w->node[i].slot - 1])) return true;
    return false;
}

void sn_wrinkles_fold(sn_step *step) {
    const sn_wrinkles *all = sn_wrinkles_of(step->world);
    for (size_t i = 0; i < all->slots.count; i++)
        if (all->slots.alive[i] && is_active(step->world, &all->state[i]))
            fold(step->world, &all->state[i]);
}
