/*
 * The walls of a cut, where a solid collides with itself.
 *
 * Both walls lie in one place when they are made, where it cannot be told who is on which side. So
 * their nodes are set back a little, each into its own part, as if the blade had some width:
 * contact then knows the sides, and keeps them as those of any two surfaces. What constraints
 * measure at rest follows, so that nothing is strained by it, and the collision surface lets walls
 * come as near as they are then, so that nothing is pushed. Mass stays with the nodes.
 *
 * Where a node has walls that face away from each other, such as on the ragged edge of a fracture,
 * there is no such way. It stays where it is, and contact takes it and its copies for one node
 * (contact/surface/contact_exclusion.c).
 */
#include "collision/collision_state.h"
#include "fracture/cut_snap.h"
#include "systems/tet_mesh/tet_meshes.h"

/* How far nodes are set back, over the shortest of their edges; the part of that where constraints
   do not follow; and the least cosine between the way of a node and the normals of its walls. */
static const double gap = 0.015, hair = 0.05, steepest = 0.1;

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

static sn_vec4 added(sn_vec4 a, sn_point b) {
    return (sn_vec4){(sn_real)((double)a.x + b.x), (sn_real)((double)a.y + b.y),
                     (sn_real)((double)a.z + b.z), a.w};
}

/* Moves a node, now and at rest where its constraints can follow, and less far where they cannot.
   The collision surface has it twice as far back at rest, because it lets elements come half as
   near. */
static bool set_back(sn_cut_move *s, sn_cut_wall *w) {
    sn_world *world = s->world;
    double length = sn_point_length(w->normal);
    if (!(w->edge > 0) || !(length > 0) || !(w->least > steepest)) return true;
    s->displacement = sn_point_scaled(w->normal, -gap * w->edge / length);
    /* Once, though it may be the node of several copies. */
    w->edge = 0;
    if (!sn_cut_look(s->cut, s->vertex)) return false;
    if (!sn_cut_to_rest(s, s->displacement, &s->rest_displacement)) return true;
    bool follows = sn_cut_change_constraints(s, false);
    if (!follows) {
        s->displacement = sn_point_scaled(s->displacement, hair);
        s->rest_displacement = sn_point_scaled(s->rest_displacement, hair);
    } else {
        (void)sn_cut_change_constraints(s, true);
        s->rest[s->vertex] = added(s->rest[s->vertex], s->rest_displacement);
    }
    world->nodes.x[s->node] = added(world->nodes.x[s->node], s->displacement);
    sn_collision_surfaces_of(world)->rest[s->node] = added(
        sn_collision_surfaces_of(world)->rest[s->node], sn_point_scaled(s->rest_displacement, 2));
    world->scratch.masses_changed = world->scratch.constraints_changed = true;
    sn_world_restart_body(world, world->nodes.body[s->node]);
    return true;
}

/* ---- All of them ---- */

static void add_walls(sn_cut *cut) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < cut->sides; i++) {
            const sn_cut_side *side = &cut->side[i];
            if (!sn_cut_is_apart(&m, side)) continue;
            add_wall(cut, &m, side->element, side->side, pass == 0);
            add_wall(cut, &m, side->beyond, side->back, pass == 0);
        }
}

/* The lists of a cut are those of before it was made. */
static bool set_all_back(sn_cut *cut, sn_cut *now) {
    sn_world *world = cut->world;
    sn_cut_move s = {
        .cut = now, .world = world, .rest = sn_tet_meshes_of(world)->state[cut->tet_mesh].rest};
    s.mesh = sn_cut_mesh_of(now);
    for (size_t i = 0; i < 2 * cut->copy_count; i++) {
        const sn_cut_copy *c = &cut->copies[i / 2];
        now->wanted[s.mesh.place[i % 2 ? c->copy : c->node]] = SN_CUT_WANTED;
    }
    bool room = sn_cut_list(now);
    for (size_t i = 0; room && i < 2 * cut->copy_count; i++) {
        const sn_cut_copy *c = &cut->copies[i / 2];
        s.node = now->node = i % 2 ? c->copy : c->node;
        s.vertex = s.mesh.place[s.node];
        room = set_back(&s, &cut->wall[s.vertex]);
    }
    return room;
}

bool sn_cut_set_back(sn_cut *cut) {
    sn_cut now;
    size_t vertices = sn_cut_mesh_of(cut).vertices;
    if (cut->copy_count == 0) return true;
    if (!sn_reserve(&cut->world->memory, (void **)&cut->wall, &cut->wall_capacity, vertices + 1,
                    sizeof *cut->wall))
        return false;
    add_walls(cut);
    bool room = sn_cut_begin_tet_mesh(&now, cut->world, cut->tet_mesh) && set_all_back(cut, &now);
    sn_cut_free(&now);
    return room;
}
