/*
 * Where parts of a compound, or several colliders of a node, meet: sides by which they do are not
 * felt. What slides over two of them would be held there.
 */
#include "collision/shapes/shape_distance.h"
#include "contact/contacts.h"
#include "contact/rigid/rigid_rounds.h"
#include "contact/rigid/rigid_solid.h"

/* Whether a place on a collider that stands is within another of its parts. */
static bool is_within_part(const sn_world *world, uint32_t collider, sn_v4 at, sn_v4 out,
                           sn_real little) {
    const sn_collider_def *def = &sn_colliders_of(world)->state[collider].def;
    sn_v4 normal;
    return def->shape == SN_SHAPE_COMPOUND &&
           sn_shape_distance_at(def, at + little * out, &normal) < SN_R(0.5) * little;
}

/* Whether a place on what a node carries, in its frame, is within that: where parts of a compound
   or several colliders meet, a little further out is no further from them. */
static bool is_within(const sn_world *world, uint32_t node, uint32_t collider, sn_v4 at, sn_v4 out,
                      sn_real little) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (size_t p = t->point_begin[node]; p < t->point_begin[node + 1];
         p += t->form[t->own[p]].points) {
        const sn_collider_state *c = &sn_colliders_of(world)->state[t->own[p]];
        sn_v4 turn = {c->turn.x, c->turn.y, c->turn.z, c->turn.w}, normal;
        if (t->own[p] == collider && c->def.shape != SN_SHAPE_COMPOUND) continue;
        sn_v4 place = sn_quat_rotate_back(turn, (at + little * out) - sn_v4_of(c->at));
        if (sn_shape_distance_at(&c->def, place, &normal) < SN_R(0.5) * little) return true;
    }
    return false;
}

void sn_rigid_leave_out_within(const sn_world *world, const sn_rigid_solid s[2], sn_real size,
                               sn_rigid_search *const to[SN_RIGID_MANIFOLD]) {
    const uint32_t own = sn_rigid_contacts_of(world)->own[to[0]->point - 1];
    for (size_t i = 0; i < SN_RIGID_MANIFOLD; i++) {
        if (to[i]->manifold == SN_RIGID_APART) continue;
        sn_v4 normal = sn_v4_load(&to[i]->normal), other = normal;
        sn_v4 at = sn_v4_load(&to[i]->at);
        if (to[i]->manifold == SN_RIGID_SECOND) normal = sn_quat_rotate(s[1].q, normal);
        if (to[i]->manifold == SN_RIGID_FIRST) other = sn_quat_rotate_back(s[1].q, normal);
        at[3] = 0;
        const sn_real little = SN_RIGID_ALIKE * size;
        sn_v4 on = sn_v4_load(&to[i]->on);
        bool within = to[i]->node[0] == to[i]->node[1]
                          ? is_within_part(world, to[i]->collider, on, other, little)
                          : is_within(world, to[i]->node[1], to[i]->collider, on, other, little);
        if (within ||
            is_within(world, to[i]->node[0], own, at - s[0].radius * normal, -normal, little))
            to[i]->manifold = SN_RIGID_APART;
    }
}
