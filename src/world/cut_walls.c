/*
 * The walls of a cut, where a solid collides with itself.
 *
 * Both walls lie in one place when they are made, where it cannot be told who is on which side. So
 * their nodes are set back by a hair, each into its own part: contact then knows the sides, and
 * keeps them as those of any two surfaces. The skin takes them to be as far apart at rest, so that
 * nothing is pushed; the material does not, so that the cut closes again.
 *
 * Where a node has walls that face away from each other, such as on the ragged edge of a fracture,
 * there is no such way. It stays where it is, and contact takes it and its copies for one node
 * (contact/meet_sewn.c).
 */
#include "world/cut.h"

/* Between walls, over the shortest of their edges; and the least cosine between the way of a node
   and the normals of its walls. */
static const double hair = 1e-3, steepest = 0.1;

static sn_point now_of(const sn_cut *cut, const sn_cut_mesh *m, uint32_t vertex) {
    sn_vec4 a = cut->world->nodes.x[m->node[vertex]];
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

/* Adds the normal of a wall to those of its corners; then compares it with what they came to. */
static void add_wall(sn_cut *cut, const sn_cut_mesh *m, uint32_t element, uint8_t side, bool sum) {
    uint32_t v[3];
    sn_point x[3];
    for (int k = 0; k < 3; k++) {
        v[k] = m->element[4 * element + sn_tet_face[side][k]];
        x[k] = now_of(cut, m, v[k]);
    }
    sn_point n = sn_point_normal(x[0], x[1], x[2]);
    double length = sn_point_length(n);
    for (int k = 0; k < 3; k++) {
        sn_cut_wall *w = &cut->wall[v[k]];
        double edge = sn_point_length(sn_point_sub(x[(k + 1) % 3], x[k]));
        double other = sn_point_length(sn_point_sub(x[(k + 2) % 3], x[k]));
        edge = other < edge ? other : edge;
        if (sum) {
            w->normal = sn_point_add(w->normal, n);
            if (!(w->edge > 0) || edge < w->edge) w->edge = edge;
            w->least = 1;
        } else {
            double size = sn_point_length(w->normal) * length;
            double cosine = size > 0 ? sn_point_dot(w->normal, n) / size : -1;
            w->least = cosine < w->least ? cosine : w->least;
        }
    }
}

bool sn_cut_is_apart(const sn_cut_mesh *m, const sn_cut_side *side) {
    const uint32_t *e = &m->element[4 * side->element], *f = &m->element[4 * side->beyond];
    int shared = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) shared += e[i] == f[k];
    return shared < 3;
}

static void set_back(sn_cut *cut, const sn_cut_mesh *m, uint32_t node) {
    sn_world *world = cut->world;
    sn_nodes *nodes = &world->nodes;
    sn_cut_wall *w = &cut->wall[m->place[node]];
    double length = sn_point_length(w->normal);
    if (!(w->edge > 0) || !(length > 0) || !(w->least > steepest)) return;
    sn_point way = sn_point_scaled(w->normal, -hair * w->edge / length);
    /* Once, though it may be the node of several copies. */
    w->edge = 0;
    sn_vec4 *x = &nodes->x[node], *d = &nodes->d[node], *p = &nodes->p[node];
    sn_vec4 *rest = &world->skins.rest[node];
    const sn_vec4 old = *x;
    *x = (sn_vec4){(sn_real)((double)x->x + way.x / 2), (sn_real)((double)x->y + way.y / 2),
                   (sn_real)((double)x->z + way.z / 2), x->w};
    /* What rounding lost of so short a way. */
    sn_real off[3] = {(sn_real)((double)old.x + way.x / 2 - (double)x->x),
                      (sn_real)((double)old.y + way.y / 2 - (double)x->y),
                      (sn_real)((double)old.z + way.z / 2 - (double)x->z)};
    *d = (sn_vec4){d->x + off[0], d->y + off[1], d->z + off[2], d->w};
    *p = (sn_vec4){p->x + off[0], p->y + off[1], p->z + off[2], p->w};
    *rest = (sn_vec4){(sn_real)((double)rest->x + way.x), (sn_real)((double)rest->y + way.y),
                      (sn_real)((double)rest->z + way.z), rest->w};
}

bool sn_cut_reserve_backs(sn_cut *cut, size_t copies) {
    return sn_reserve(&cut->world->memory, (void **)&cut->wall, &cut->wall_capacity,
                      cut->vertices + copies + 1, sizeof *cut->wall);
}

void sn_cut_set_back(sn_cut *cut) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < cut->sides; i++) {
            const sn_cut_side *side = &cut->side[i];
            if (!sn_cut_is_apart(&m, side)) continue;
            add_wall(cut, &m, side->element, side->side, pass == 0);
            add_wall(cut, &m, side->beyond, side->back, pass == 0);
        }
    for (size_t i = 0; i < cut->copy_count; i++) {
        set_back(cut, &m, cut->copies[i].node);
        set_back(cut, &m, cut->copies[i].copy);
    }
}
