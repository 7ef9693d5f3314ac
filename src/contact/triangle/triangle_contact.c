/*
 * A contact keeps the deepest point of a triangle outside of a shape: C = distance - radius >= 0.
 * The point is b1 x1 + b2 x2 + b3 x3, so that the gradients of C are the shares times the normal
 * n, and with the inverse masses w
 *
 *   x_k += w_k b_k / (w1 b1^2 + w2 b2^2 + w3 b3^2)  depth n
 *
 * moves it by just the depth (Mueller et al. 2007, the point and the triangle of cloth, with a
 * point that stands still). Friction is a length of the point as well, shared out in the same way
 * (friction.h), and everything else is as in collider_contact.c.
 */
#include "contact/triangle/triangle_contact.h"

#include "collision/collider_pose.h"
#include "contact/friction.h"

#include <stdatomic.h>

enum { FACES_ALONE = 32, MOST_ROUNDS = 4, MOST_SWEEPS = 16 };

typedef struct pass {
    sn_world *world;
    const sn_moment *moment;
    const sn_real *w; /* 1/kg, that contacts see */
    bool slides;      /* whether friction acts on positions */
    size_t first;     /* of the colour, in the order */
    atomic_bool *far; /* becomes true where a triangle was pushed far */
    void (*act)(const struct pass *pass, sn_triangle_pair *face);
} pass;

static void act_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_triangle_contacts *f = &p->world->scratch.faces;
    for (size_t i = p->first + begin; i < p->first + end; i++) p->act(p, &f->face[f->order[i]]);
}

/* Returns whether a triangle was pushed far. */
static bool for_all(sn_world *world, const sn_moment *moment,
                    void (*act)(const struct pass *pass, sn_triangle_pair *face)) {
    atomic_bool far = false;
    const sn_triangle_contacts *f = &world->scratch.faces;
    pass p = {.world = world,
              .moment = moment,
              .w = sn_world_contact_w(world),
              .slides = world->settings.friction != SN_FRICTION_VELOCITY,
              .far = &far,
              .act = act};
    for (size_t c = 0; c < f->colours; c++) {
        p.first = f->colour[c];
        sn_team_run(world->bindings.team, f->colour[c + 1] - p.first, FACES_ALONE, act_range, &p);
    }
    return atomic_load_explicit(&far, memory_order_relaxed);
}

static sn_contact_material material_of(const sn_world *world, const sn_triangle_pair *face) {
    if (world->contact_materials.pairs == 0)
        return world->scratch.collider_contacts.pose[face->collider].law;
    return sn_world_contact_material(world, (sn_party){.body = world->nodes.body[face->node[0]]},
                                     (sn_party){.collider = face->collider + 1});
}

/* 1/kg: how easily the point moves. */
static sn_real ease_of(const pass *now, const sn_triangle_pair *face) {
    sn_real sum = 0;
    for (int k = 0; k < 3; k++) sum += now->w[face->node[k]] * (face->weight[k] * face->weight[k]);
    return sum;
}

/* ---- Positions ---- */

/* Moves the point by a length. */
static void shift(const pass *now, const sn_triangle_pair *face, sn_real ease, sn_v4 by) {
    const sn_nodes *n = &now->world->nodes;
    by[3] = 0;
    for (int k = 0; k < 3; k++) {
        uint32_t i = face->node[k];
        sn_real part = now->w[i] * face->weight[k] / ease;
        if (now->w[i] > 0) sn_v4_store(&n->d[i], sn_v4_load(&n->d[i]) + part * by);
    }
}

/* m: how the point moves in this substep as seen from the surface. */
static sn_v4 motion_of(const sn_world *world, const sn_triangle_pair *face, sn_v4 local) {
    const sn_collider_pose *at = &world->scratch.collider_contacts.pose[face->collider];
    sn_v4 motion = -sn_collider_pose_motion(at, local);
    for (int k = 0; k < 3; k++) {
        uint32_t i = face->node[k];
        motion +=
            face->weight[k] * (sn_v4_load(&world->nodes.d[i]) - sn_v4_load(&world->nodes.p[i]));
    }
    if (at->flows) motion -= sn_v4_load(&face->flow);
    return motion;
}

/* m: the length of an edge, against which a push is large or small. */
static sn_real size_of(const sn_nodes *n, const sn_triangle_pair *face) {
    sn_v4 edge = sn_v4_load(&n->x[face->node[1]]) - sn_v4_load(&n->x[face->node[0]]);
    return SN_ROOT(sn_v4_dot(edge, edge));
}

/* Pushes the triangle out, and returns by how much. A large push turns it, so that another point is
   deepest then: that is looked at again. */
static sn_real push_out(const pass *now, sn_triangle_pair *face, sn_v4 *normal, sn_v4 *local,
                        sn_v4 *sum) {
    const sn_world *world = now->world;
    sn_real all = 0, large = SN_R(0.005) * size_of(&world->nodes, face);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        sn_real deep = sn_triangle_contact_depth(world, face, now->moment->h, normal, local);
        sn_real ease = ease_of(now, face);
        if (!(deep > 0) || !(ease > 0)) break;
        all += deep;
        sn_v4_store(&face->normal, *normal);
        face->touched = true;
        shift(now, face, ease, deep * *normal);
        sn_real mass = 1 / (ease * (sn_real)now->moment->h);
        *sum += mass * deep * *normal;
        face->pressure += mass * deep;
        if (!(deep > large)) break;
    }
    return all;
}

static void project(const pass *now, sn_triangle_pair *face) {
    const sn_world *world = now->world;
    sn_v4 normal, local, sum = {0};
    sn_real deep = push_out(now, face, &normal, &local, &sum), ease = ease_of(now, face);
    face->push += deep;
    if (deep > SN_R(0.02) * size_of(&world->nodes, face))
        atomic_store_explicit(now->far, true, memory_order_relaxed);
    if (!(face->push > 0) || !(ease > 0)) return;
    normal = sn_v4_load(&face->normal);
    if (now->slides) {
        sn_contact_material law = material_of(world, face);
        sn_v4 before = sn_v4_load(&face->slide), motion = motion_of(world, face, local);
        bool sticks;
        sn_v4 slide =
            sn_friction_slide(&law, before - sn_across(motion, normal), face->push, &sticks);
        sn_v4_store(&face->slide, slide);
        sn_v4 more = slide - before;
        shift(now, face, ease, more);
        sum += more / (ease * (sn_real)now->moment->h);
    }
    sum[3] = 0;
    sn_v4_store(&face->impulse, sn_v4_load(&face->impulse) + sum);
}

void sn_triangle_contact_project(sn_world *world, const sn_moment *moment) {
    for (int sweep = 0; sweep < MOST_SWEEPS && for_all(world, moment, project); sweep++) continue;
}

/* ---- Velocities ---- */

/* What restitution and the friction of that, or all friction, do to the velocities of a triangle
   that was pushed in the substep. */
static void change_velocity(const pass *now, sn_triangle_pair *face) {
    const sn_world *world = now->world;
    const sn_nodes *n = &world->nodes;
    sn_real h = (sn_real)now->moment->h, ease = ease_of(now, face);
    sn_contact_material law = material_of(world, face);
    if (!(face->push > 0) || !(ease > 0) || (!(law.restitution > 0) && now->slides)) return;
    sn_real push = now->slides ? 0 : face->push / h;
    const sn_collider_pose *at = &world->scratch.collider_contacts.pose[face->collider];
    sn_v4 v = {0}, before = {0}, local = {0}, normal = sn_v4_load(&face->normal);
    for (int k = 0; k < 3; k++) {
        uint32_t i = face->node[k];
        v += face->weight[k] * sn_v4_load(&n->v[i]);
        before += face->weight[k] * sn_v4_load(&face->before[k]);
        local += face->weight[k] *
                 sn_collider_pose_relative(at, sn_v4_load(&n->x[i]), sn_v4_load(&n->d[i]));
    }
    sn_v4 surface = sn_collider_pose_motion(at, sn_collider_pose_into(at, &at->q, local));
    if (at->flows) surface += sn_v4_load(&face->flow);
    surface /= h;
    sn_vec3 g = world->settings.gravity;
    sn_real rest = 2 * h * SN_ROOT(sn_vec3_dot(g, g));
    sn_real more = sn_friction_bounce(law.restitution, sn_v4_dot(before - surface, normal),
                                      sn_v4_dot(v - surface, normal), rest);
    if (!(more > 0) && !(push > 0)) return;
    sn_v4 change = more * normal;
    change += sn_friction_brake(&law, sn_across(v - surface, normal), push + more);
    change[3] = 0;
    for (int k = 0; k < 3; k++) {
        uint32_t i = face->node[k];
        sn_real part = now->w[i] * face->weight[k] / ease;
        sn_v4 changed = sn_v4_load(&n->v[i]) + part * change;
        if (now->w[i] > 0 && sn_v4_is_finite(changed)) sn_v4_store(&n->v[i], changed);
    }
    sn_v4_store(&face->impulse, sn_v4_load(&face->impulse) + change / ease);
    face->pressure += more / ease;
}

void sn_triangle_contact_bounce(sn_world *world, const sn_moment *moment) {
    for_all(world, moment, change_velocity);
}

void sn_triangle_contact_mark(sn_world *world) {
    for (size_t i = 0; i < world->scratch.faces.count; i++)
        for (int k = 0; k < 3 && world->scratch.faces.face[i].push > 0; k++)
            world->touched.node[world->scratch.faces.face[i].node[k]] = 1;
}
