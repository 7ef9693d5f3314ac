/*
 * As collider_contact.c has it for simple shapes, with what meshes and their like need in
 * addition:
 *
 * - They are seldom asked. A pair remembers how far the node could go from where it was last asked
 *   for; until it has gone that far there is nothing to find.
 * - They have hollows. A node that has touched one place and leaves it may touch another one on the
 *   rest of its path, so the walk goes on.
 * - Their vertices may move. A node walks while they do, by no more than the distance that is left
 *   after the fastest of them has taken its share.
 * - Two-sided ones have no inside that says where out is: a node goes back to the side from which
 *   it came in this substep.
 */
#include "contact/collider/node_penetration.h"

#include "collision/collider_pose.h"
#include "contact/ellipsoid.h"
#include "contact/recovery.h"
#include "math/quaternion.h"

enum { MOST_WALK = 256 };

/* A node in a substep, in the frame of the collider. */
typedef struct path {
    const sn_world *world;
    size_t node;
    const sn_collider_def *def;
    const sn_collider_pose *at;
    const sn_node_contact *contact;
    sn_node_search *search;
    sn_real radius;               /* m, of the node */
    sn_v4 from, to, displacement; /* m */
    sn_real stretch; /* m, by how much a distance may shrink: its path and that of vertices */
} path;

static path path_of(const sn_world *world, const sn_node_contact *c) {
    const sn_nodes *n = &world->nodes;
    const sn_collider_pose *at = &sn_collider_poses(world)[c->collider];
    size_t i = c->node;
    path p = {.world = world,
              .node = i,
              .def = &sn_colliders_of(world)->state[c->collider].def,
              .at = at,
              .contact = c,
              .search = c->search,
              .radius = n->radius[i]};
    sn_v4 base = sn_v4_load(&n->x[i]) - sn_v4_load(&at->x);
    p.from = sn_quat_rotate_back(sn_v4_load(&at->before),
                                 base + (sn_v4_load(&n->p[i]) - sn_v4_load(&at->p)));
    p.to =
        sn_quat_rotate_back(sn_v4_load(&at->q), base + (sn_v4_load(&n->d[i]) - sn_v4_load(&at->d)));
    p.displacement = p.to - p.from;
    p.stretch = SN_ROOT(sn_v4_dot(p.displacement, p.displacement));
    if (at->flows) p.stretch += (sn_real)(p.def->form->boundary.fastest * (at->will - at->done));
    return p;
}

/* What is left between node and shape at a part of the path; only what is below `within` counts. */
static sn_real left_at(const path *p, sn_v4 point, double part, sn_real within, sn_near *near,
                       sn_v4 *normal) {
    near->time = p->at->done + part * (p->at->will - p->at->done);
    near->within = (double)(p->radius + within);
    near->item = p->search->item;
    sn_real left = sn_shape_near_of(p->def->shape)(p->def, point, near, normal) - p->radius;
    if (near->item != SN_BVH_NONE) p->search->item = near->item;
    if (!sn_is_ellipsoid(p->world, p->node)) return left;
    sn_v4 there = sn_quat_rotate(sn_v4_load(&p->at->q), *normal);
    return left + sn_ellipsoid_lack(p->world, p->node, there);
}

/* How the surface moves by its vertices in the substep, in the frame of the world. */
static sn_v4 flow_of(const path *p, const sn_near *near) {
    return sn_quat_rotate(sn_v4_load(&p->at->q),
                          (sn_real)(p->at->will - p->at->done) * near->displacement);
}

/* m: how deep a node was when the substep began that ends as deep as this, by the plane that is
   nearest then; where that is curved it was not so deep. */
static sn_real began_with(const path *p, const sn_near *near, sn_v4 face, sn_real deep) {
    sn_v4 flow = (sn_real)(p->at->will - p->at->done) * near->displacement;
    return deep + sn_v4_dot(p->displacement - flow, face);
}

/* How deep the end is below the plane at which the node entered on its way, or 0. */
static sn_real passed(const path *p, sn_v4 *normal, sn_v4 *local) {
    sn_real trust = sn_shape_trust(p->def), gone = 0;
    /* The shortest step: half of what there is between the surface and the collision surface about
       it. */
    sn_real least = SN_R(0.5) * (p->radius + p->def->radius);
    if (least < SN_R(1e-4) * p->stretch) least = SN_R(1e-4) * p->stretch;
    for (int step = 0; gone < p->stretch; step++) {
        sn_near near;
        sn_v4 toward;
        sn_real part = gone / p->stretch, rest = p->stretch - gone;
        sn_v4 here = p->from + p->displacement * part;
        sn_real left = left_at(p, here, (double)part, rest / trust, &near, &toward);
        if (left <= SN_R(1e-4) * p->stretch || left <= 0 || step == MOST_WALK) {
            sn_v4 surface = near.displacement * ((sn_real)(p->at->will - p->at->done) * (1 - part));
            sn_real deep = -sn_v4_dot(p->to - (here + surface), toward);
            if (left < 0 && gone > 0) deep -= left;
            if (deep > 0) {
                *normal = sn_quat_rotate(sn_v4_load(&p->at->q), toward);
                *local = here;
                sn_v4_store(&p->search->flow, flow_of(p, &near));
                return deep;
            }
            if (step == MOST_WALK) return 0;
        }
        sn_real next = trust * left;
        gone += next > least ? next : least;
    }
    return 0;
}

/* m: what the node could go at least, by what is remembered. */
static sn_real known_clear(const path *p) {
    sn_v4 gone = p->to - (sn_v4){p->search->asked.x, p->search->asked.y, p->search->asked.z, 0};
    sn_real clear = p->search->asked.w - SN_R(1.0001) * SN_ROOT(sn_v4_dot(gone, gone));
    if (p->at->flows)
        clear -= (sn_real)p->def->form->boundary.fastest * ((sn_real)p->at->will - p->search->time);
    return clear;
}

/* Whether the pair touched in the substep before, or in a sweep of this one, on the same side: then
   how it was when this one began need not be asked. */
static bool is_as_before(const path *p, sn_v4 normal) {
    bool lately = p->search->touched && p->search->pressed >= (sn_real)p->at->done - SN_R(1e-6);
    p->search->pressed = (sn_real)p->at->will;
    return lately && sn_v4_dot(sn_row_vector(p->contact->row, SN_ROW_NORMAL), normal) >= SN_R(0.7);
}

sn_real sn_node_contact_depth(const sn_world *world, const sn_node_contact *c, double h,
                              sn_v4 *normal, sn_v4 *local) {
    path p = path_of(world, c);
    *local = p.to;
    if (known_clear(&p) > p.stretch) return 0;
    sn_near near, then;
    sn_v4 side;
    sn_real far = 8 * p.stretch + SN_R(1e-3), trust = sn_shape_trust(p.def);
    sn_real left = left_at(&p, p.to, 1, far, &near, normal);
    /* However an ellipsoid turns. */
    sn_real clear = trust * (left < far ? left : far) - sn_ellipsoid_most_lack(world, c->node);
    c->search->asked = (sn_vec4){p.to[0], p.to[1], p.to[2], clear};
    c->search->time = (sn_real)p.at->will;
    if (left >= 0) return trust * left > p.stretch ? 0 : passed(&p, normal, local);
    sn_v4_store(&c->search->flow, flow_of(&p, &near));
    sn_v4 face = *normal;
    *normal = sn_quat_rotate(sn_v4_load(&p.at->q), face);
    sn_real most = *sn_row(c->row, SN_ROW_RECOVERY) * (sn_real)h;
    sn_real slight = sn_contact_slight(world, (sn_real)h), deep = -left;
    if (deep <= most && is_as_before(&p, *normal) && began_with(&p, &near, face, deep) <= slight)
        return deep;
    /* The nearest way out is the wrong one where it has come in by another side. It was outside,
       but for rounding, if it was less deep than it has moved. */
    sn_real old = -left_at(&p, p.from, 0, deep + 2 * p.stretch, &then, &side);
    sn_real facing = sn_v4_dot(sn_quat_rotate(sn_v4_load(&p.at->q), side), *normal);
    bool was_out = old <= 0 || 16 * old * old < p.stretch * p.stretch;
    bool through = p.def->geometry.two_sided && facing < 0;
    if (through || (facing < SN_R(0.7) && was_out)) return passed(&p, normal, local);
    if (!(old > slight)) return deep;
    sn_contact_note_start(world, c->row, old);
    return sn_contact_push(world, deep, old, most, slight, sn_node_contact_inertia(world, c));
}
