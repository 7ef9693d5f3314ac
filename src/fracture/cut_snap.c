/*
 * Moving nodes of a tet mesh or a sheet onto the surface of a cut before it is made, so that it is
 * smooth.
 *
 * A node goes straight to the surface, and its place at rest goes by the same way as the tets
 * around it see it: F^-1 of it. On the border of the body it slides along that. Lengths, volumes
 * and whatever else constraints measured at rest are measured anew there, by the same `prepare`
 * that made them; where a constraint does not have the values of its place at rest (it was given
 * others, or they have changed since), the node stays. Compliances go with the volumes: alpha is
 * proportional to c^2 / V with the scale c of C. Mass goes with the volume from node to node; what
 * volume the border lost or won stays with the node, so that none is lost. Momentum is kept.
 *
 * In a sheet all of this happens in its plane. No element may become worse than a bound.
 */
#include "fracture/cut_snap.h"
#include "collision/collision_state.h"
#include "state/system.h"
#include "systems/sheet/sheets.h"
#include "systems/tet_mesh/tet_meshes.h"

#include <math.h>

/* Cubes of the mean ratio 12 (3V)^(2/3) / sum l^2 of a tet, 1 for a regular one: as good as this is
   good enough; what was worse already may become worse by this factor. */
static const double good_enough = 0.3 * 0.3 * 0.3, no_worse = 0.8 * 0.8 * 0.8;

static sn_point now_of(const sn_cut_move *s, uint32_t vertex) {
    return sn_cut_point(s->world->nodes.x[s->mesh.node[vertex]]);
}

/* ---- The way to the surface ---- */

/* m, of the edges at a vertex. */
static double shortest_edge(const sn_cut_move *s, uint32_t vertex) {
    double least = (double)SN_INFINITY;
    uint32_t n = s->mesh.corners;
    for (uint32_t c = s->cut->first[vertex]; c; c = s->cut->next[c - 1])
        for (uint32_t k = 0; k < n; k++) {
            uint32_t other = s->mesh.element[(c - 1) / n * n + k];
            if (other == vertex) continue;
            double d = sn_point_length(sn_point_sub(now_of(s, other), now_of(s, vertex)));
            least = d < least ? d : least;
        }
    return least;
}

/* Whether a vertex is near enough, opposite the surface, and free to move. */
static bool is_near(const sn_cut_move *s, uint32_t vertex) {
    uint32_t node = s->mesh.node[vertex];
    sn_point x = now_of(s, vertex);
    double height = sn_point_dot(sn_point_sub(x, s->point), s->normal);
    if (!(s->world->nodes.w[node] > 0) || s->world->nodes.frame[node] ||
        (sn_sheets_at(sn_sheets_of(s->world), node) &&
         sn_tet_meshes_at(sn_tet_meshes_of(s->world), node)) ||
        !s->cut->first[vertex])
        return false;
    double edge = shortest_edge(s, vertex), off = fabs(height);
    if (!(off <= s->reach * edge) || off < 1e-6 * edge) return false;
    sn_point foot = sn_point_sub(x, sn_point_scaled(s->normal, height));
    sn_point out = sn_point_scaled(s->normal, 0.1 * edge);
    return sn_blade_intersects(s->blade, sn_point_add(foot, out), sn_point_sub(foot, out));
}

/* The edges of an element from its first corner; a triangle has its normal as the third. */
static void edges_of(const sn_cut_move *s, uint32_t element, bool rest, sn_point edge[3]) {
    const uint32_t *t = &s->mesh.element[s->mesh.corners * element];
    for (uint32_t k = 0; k + 1 < s->mesh.corners; k++)
        edge[k] =
            rest ? sn_point_sub(sn_cut_rest_of(s, t[k + 1], false), sn_cut_rest_of(s, t[0], false))
                 : sn_point_sub(now_of(s, t[k + 1]), now_of(s, t[0]));
    if (s->mesh.corners == 4) return;
    edge[2] = sn_point_cross(edge[0], edge[1]);
    double length = sn_point_length(edge[2]);
    edge[2] = sn_point_scaled(edge[2], length > 0 ? 1 / length : 0);
}

/* A vector carried from one set of edges to another, which is F or its inverse; false where the
   tet is flat. */
static bool carry(const sn_point from[3], const sn_point to[3], sn_point a, sn_point *out) {
    sn_point n[3] = {sn_point_cross(from[1], from[2]), sn_point_cross(from[2], from[0]),
                     sn_point_cross(from[0], from[1])};
    double det = sn_point_dot(from[0], n[0]);
    *out = (sn_point){0, 0, 0};
    if (!(det > 0)) return false;
    for (int k = 0; k < 3; k++)
        *out = sn_point_add(*out, sn_point_scaled(to[k], sn_point_dot(n[k], a) / det));
    return true;
}

/* The mean over the tets around. */
static bool carry_all(const sn_cut_move *s, sn_point a, bool to_rest, sn_point *out) {
    sn_point sum = {0, 0, 0};
    for (size_t i = 0; i < s->cut->corners; i++) {
        sn_point rest[3], now[3], one;
        edges_of(s, s->cut->corner[i].element, true, rest);
        edges_of(s, s->cut->corner[i].element, false, now);
        if (!carry(to_rest ? now : rest, to_rest ? rest : now, a, &one)) return false;
        sum = sn_point_add(sum, one);
    }
    *out = sn_point_scaled(sum, 1 / (double)s->cut->corners);
    return true;
}

bool sn_cut_to_rest(const sn_cut_move *s, sn_point displacement, sn_point *rest_displacement) {
    return carry_all(s, displacement, true, rest_displacement);
}

/* ---- The border ---- */

/* The plane of a sheet around the vertex at rest; false where it is not flat. */
static bool find_sheet(const sn_cut_move *s, sn_point *normal) {
    sn_point sum = {0, 0, 0}, edge[3];
    for (size_t i = 0; i < s->cut->corners; i++) {
        edges_of(s, s->cut->corner[i].element, true, edge);
        sum = sn_point_add(sum, sn_point_cross(edge[0], edge[1]));
    }
    double length = sn_point_length(sum);
    if (!(length > 0)) return false;
    *normal = sn_point_scaled(sum, 1 / length);
    for (size_t i = 0; i < s->cut->corners; i++) {
        edges_of(s, s->cut->corner[i].element, true, edge);
        if (!(sn_point_dot(edge[2], *normal) > 0.999)) return false;
    }
    return true;
}

/* Whether only one of the elements around has these two nodes, which are one in a sheet. */
static bool is_outer(const sn_cut_move *s, uint32_t a, uint32_t b) {
    int found = 0;
    for (size_t i = 0; i < s->cut->corners; i++)
        found += sn_cut_has(&s->cut->corner[i], a) && sn_cut_has(&s->cut->corner[i], b);
    return found == 1;
}

static sn_point slide(sn_point displacement, sn_point n) {
    return sn_point_sub(displacement, sn_point_scaled(n, sn_point_dot(displacement, n)));
}

/* The normal of the face of a corner that is without one of its others, outward and as long as its
   area; zero where the face is not outer. */
static sn_point outer_normal(const sn_cut_move *s, const sn_corner *c, int without) {
    const uint32_t other[3] = {c->a, c->b, c->c};
    uint32_t a = other[(without + 1) % 3], b = other[(without + 2) % 3];
    sn_point at = sn_cut_rest_of(s, s->vertex, false);
    if (s->mesh.corners == 3) {
        uint32_t end = without == 0 ? c->b : c->a;
        if (without == 2 || !is_outer(s, end, end)) return (sn_point){0, 0, 0};
        sn_point edge[3], along = sn_point_sub(sn_cut_rest_of(s, s->mesh.place[end], false), at);
        edges_of(s, c->element, true, edge);
        return sn_point_scaled(sn_point_cross(along, edge[2]), without == 0 ? -1 : 1);
    }
    if (!is_outer(s, a, b)) return (sn_point){0, 0, 0};
    sn_point n = sn_point_normal(at, sn_cut_rest_of(s, s->mesh.place[a], false),
                                 sn_cut_rest_of(s, s->mesh.place[b], false));
    sn_point in = sn_point_sub(sn_cut_rest_of(s, s->mesh.place[other[without]], false), at);
    return sn_point_scaled(n, sn_point_dot(n, in) > 0 ? -0.5 : 0.5);
}

/* Goes through all outer faces: what they have in common is their mean normal, of length 1, and
   *least the least cosine to it. With a way, that slides along each of them, and *least is the
   farthest that it leaves one of them. */
static sn_point look_at_border(const sn_cut_move *s, sn_point mean, sn_point *displacement,
                               double *least) {
    sn_point sum = {0, 0, 0};
    *least = displacement ? 0 : 1;
    for (size_t i = 0; i < s->cut->corners; i++)
        for (int k = 0; k < 3; k++) {
            sn_point n = outer_normal(s, &s->cut->corner[i], k);
            double size = sn_point_length(n);
            if (!(size > 0)) continue;
            sum = sn_point_add(sum, n);
            n = sn_point_scaled(n, 1 / size);
            double along = sn_point_dot(displacement ? *displacement : mean, n);
            if (displacement && fabs(along) > *least) *least = fabs(along);
            if (!displacement && along < *least) *least = along;
            if (displacement) *displacement = slide(*displacement, n);
        }
    double length = sn_point_length(sum);
    return sn_point_scaled(sum, length > 0 ? 1 / length : 0);
}

/* Where the border is about flat, the way lies in it; at edges it slides along every face in turn,
   and what is left must leave none of them. */
static bool keep_to_border(const sn_cut_move *s, sn_point *displacement) {
    double length = sn_point_length(*displacement), least;
    sn_point sheet;
    if (s->mesh.corners == 3) {
        if (!find_sheet(s, &sheet)) return false;
        *displacement = slide(*displacement, sheet);
    }
    sn_point mean = look_at_border(s, (sn_point){0, 0, 0}, NULL, &least);
    if (!(sn_point_length(mean) > 0)) return true;
    (void)look_at_border(s, mean, NULL, &least);
    if (least > 0.75) {
        *displacement = slide(*displacement, mean);
    } else {
        for (int pass = 0; pass < 9; pass++) (void)look_at_border(s, mean, displacement, &least);
        if (least > 0.2 * sn_point_length(*displacement)) return false;
    }
    return sn_point_length(*displacement) > 0.3 * length;
}

static bool find_displacement(sn_cut_move *s) {
    double height = sn_point_dot(sn_point_sub(now_of(s, s->vertex), s->point), s->normal);
    sn_point straight = sn_point_scaled(s->normal, -height);
    if (!carry_all(s, straight, true, &s->rest_displacement) ||
        !keep_to_border(s, &s->rest_displacement) ||
        !carry_all(s, s->rest_displacement, false, &s->displacement))
        return false;
    /* As far as it takes to get there. */
    double gain = sn_point_dot(s->displacement, s->normal);
    double factor = gain != 0 ? -height / gain : 0;
    if (!(factor > 0.5 && factor < 2)) return false;
    s->displacement = sn_point_scaled(s->displacement, factor);
    s->rest_displacement = sn_point_scaled(s->rest_displacement, factor);
    return true;
}

/* ---- Elements ---- */

/* The cube of the mean ratio of a tet; that of a triangle. */
static double quality_of(const sn_cut_move *s, uint32_t element, bool moved) {
    uint32_t n = s->mesh.corners;
    const uint32_t *t = &s->mesh.element[n * element];
    double sum = 0, volume = sn_cut_volume_of(s, element, moved);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++) {
            sn_point e =
                sn_point_sub(sn_cut_rest_of(s, t[i], moved), sn_cut_rest_of(s, t[k], moved));
            sum += sn_point_dot(e, e);
        }
    if (!(volume > 0)) return 0;
    return n == 3 ? 4 * 1.7320508 * volume / sum : 1728 * 9 * volume * volume / (sum * sum * sum);
}

/* Whether an element is not nearly turned over by the move, and how it is now. */
static bool stays_up(const sn_cut_move *s, uint32_t element) {
    uint32_t n = s->mesh.corners;
    const uint32_t *t = &s->mesh.element[n * element];
    sn_point x[4] = {{0, 0, 0}}, y[4] = {{0, 0, 0}};
    for (uint32_t k = 0; k < n; k++) {
        x[k] = y[k] = now_of(s, t[k]);
        if (t[k] == s->vertex) y[k] = sn_point_add(x[k], s->displacement);
    }
    if (n == 4)
        return sn_point_det(y[0], y[1], y[2], y[3]) > 0.1 * sn_point_det(x[0], x[1], x[2], x[3]);
    sn_point before = sn_point_normal(x[0], x[1], x[2]), after = sn_point_normal(y[0], y[1], y[2]);
    return sn_point_dot(before, after) > 0.1 * sn_point_dot(before, before);
}

static bool stay_good(const sn_cut_move *s) {
    for (size_t i = 0; i < s->cut->corners; i++) {
        uint32_t e = s->cut->corner[i].element;
        double before = quality_of(s, e, false), after = quality_of(s, e, true);
        double bound = no_worse * before < good_enough ? no_worse * before : good_enough;
        if (s->mesh.corners == 3) bound = 0.8 * before < 0.4 ? 0.8 * before : 0.4;
        if (!(after >= bound) || !stays_up(s, e)) return false;
    }
    return true;
}

/* ---- Masses ---- */

/* What goes from the vertex to each of its neighbours; at the end it has the rest. */
static bool share_mass(const sn_cut_move *s, bool apply) {
    sn_nodes *nodes = &s->world->nodes;
    double around = 0, own = 1 / (double)nodes->w[s->node], given = 0, push[3] = {0, 0, 0};
    for (size_t i = 0; i < s->cut->corners; i++)
        around += sn_cut_volume_of(s, s->cut->corner[i].element, false);
    double n = (double)s->mesh.corners, density = n * own / around;
    for (size_t i = 0; i < s->cut->corners; i++) {
        const sn_corner *c = &s->cut->corner[i];
        const uint32_t other[3] = {c->a, c->b, c->c};
        double more =
            density / n *
            (sn_cut_volume_of(s, c->element, true) - sn_cut_volume_of(s, c->element, false));
        for (uint32_t k = 0; k + 1 < s->mesh.corners; k++) {
            uint32_t node = other[k];
            if (!(nodes->w[node] > 0)) continue;
            double mass = 1 / (double)nodes->w[node];
            /* A tenth for each of its tets leaves something whatever happens. */
            if (!(mass + more > 0.1 * mass)) return false;
            given += more;
            push[0] += more * (double)nodes->v[node].x;
            push[1] += more * (double)nodes->v[node].y;
            push[2] += more * (double)nodes->v[node].z;
            if (apply) nodes->w[node] = (sn_real)(1 / (mass + more));
        }
    }
    double left = own - given;
    if (!(left > 0.3 * own && left < 3 * own)) return false;
    if (!apply) return true;
    sn_vec4 v = nodes->v[s->node];
    nodes->v[s->node] = (sn_vec4){(sn_real)((own * (double)v.x - push[0]) / left),
                                  (sn_real)((own * (double)v.y - push[1]) / left),
                                  (sn_real)((own * (double)v.z - push[2]) / left), 0};
    nodes->w[s->node] = (sn_real)(1 / left);
    return true;
}

/* ---- Moving ---- */

/* By how much the edge to another node becomes longer at rest; 1 where that is not known. */
static double stretch(const void *context, uint32_t other) {
    const sn_cut_move *s = context;
    uint32_t vertex = sn_cut_vertex_of(&s->mesh, (int32_t)other);
    if (vertex == UINT32_MAX) return 1;
    sn_point end = sn_cut_rest_of(s, vertex, false);
    double before = sn_point_length(sn_point_sub(sn_cut_rest_of(s, s->vertex, false), end));
    double after = sn_point_length(sn_point_sub(sn_cut_rest_of(s, s->vertex, true), end));
    return before > 0 ? after / before : 1;
}

/* Systems may know how long edges are at rest. */
static void move_systems(const sn_cut_move *s) {
    sn_system_list systems = s->world->bindings.systems;
    sn_rest_move move = {s->node, sn_point_vec3(sn_cut_rest_of(s, s->vertex, true)), stretch, s};
    for (size_t i = 0; i < systems.count; i++)
        if (systems.system[i]->move_rest) systems.system[i]->move_rest(s->world, &move);
}

static void move(sn_cut_move *s) {
    sn_world *world = s->world;
    sn_vec4 *x = &world->nodes.x[s->node], *rest = &s->rest[s->vertex];
    (void)sn_cut_change_constraints(s, true);
    (void)share_mass(s, true);
    move_systems(s);
    if (s->cut->sheet != UINT32_MAX) sn_sheets_mark_changed(sn_sheets_of(world), s->cut->sheet);
    *x = (sn_vec4){(sn_real)((double)x->x + s->displacement.x),
                   (sn_real)((double)x->y + s->displacement.y),
                   (sn_real)((double)x->z + s->displacement.z), x->w};
    *rest = (sn_vec4){(sn_real)((double)rest->x + s->rest_displacement.x),
                      (sn_real)((double)rest->y + s->rest_displacement.y),
                      (sn_real)((double)rest->z + s->rest_displacement.z), rest->w};
    if (s->node < sn_collision_surfaces_of(world)->node_capacity &&
        sn_collision_surfaces_of(world)->of_node[s->node])
        sn_collision_surfaces_of(world)->rest[s->node] = *rest;
    world->scratch.masses_changed = world->scratch.constraints_changed =
        sn_collision_surfaces_of(world)->changed = true;
    sn_world_restart_body(world, world->nodes.body[s->node]);
}

/* Copies and what they are copies of lie on a cut that was made. */
static void want_near(sn_cut_move *s, uint32_t tet_mesh) {
    const sn_tet_mesh_state *b =
        tet_mesh != UINT32_MAX ? &sn_tet_meshes_of(s->world)->state[tet_mesh] : NULL;
    uint8_t *wanted = s->cut->wanted;
    for (uint32_t i = 0; b && b->copies > 0 && i < b->def.node_count; i++)
        if (b->origin[i] != i) wanted[i] = wanted[b->origin[i]] = SN_CUT_LOOKED_AT;
    for (uint32_t i = 0; i < s->mesh.vertices; i++)
        if (!wanted[i] && is_near(s, i)) wanted[i] = SN_CUT_WANTED;
}

static void move_vertex(sn_cut_move *s, uint32_t vertex) {
    s->vertex = vertex;
    s->node = s->mesh.node[vertex];
    s->cut->node = s->node;
    s->room = sn_cut_look(s->cut, vertex);
    if (s->room && find_displacement(s) && stay_good(s) && sn_cut_change_constraints(s, false) &&
        share_mass(s, false))
        move(s);
}

bool sn_cut_snap(sn_world *world, uint32_t sheet, uint32_t tet_mesh, const sn_blade *blade,
                 double reach) {
    sn_cut cut;
    bool solid = tet_mesh != UINT32_MAX;
    sn_cut_move s = {.cut = &cut,
                     .world = world,
                     .rest = solid ? sn_tet_meshes_of(world)->state[tet_mesh].rest
                                   : sn_sheets_of(world)->state[sheet].rest,
                     .blade = blade,
                     .reach = reach};
    s.room =
        solid ? sn_cut_begin_tet_mesh(&cut, world, tet_mesh) : sn_cut_begin(&cut, world, sheet);
    s.mesh = sn_cut_mesh_of(&cut);
    if (s.room && sn_blade_plane(blade, &s.point, &s.normal)) {
        want_near(&s, tet_mesh);
        s.room = sn_cut_list(&cut);
        for (uint32_t v = 0; s.room && v < cut.vertices; v++)
            if (cut.wanted[v] == SN_CUT_WANTED) move_vertex(&s, v);
    }
    sn_cut_free(&cut);
    return s.room;
}
