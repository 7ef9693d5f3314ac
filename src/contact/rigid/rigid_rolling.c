/*
 * Resistance to rolling and to spinning, of what is round: balls, capsules and the rims of
 * cylinders. A torque against the turning of the two as seen from each other, of at most a
 * coefficient times the radius times the normal force, about the contact and, likewise, about its
 * normal. It is found behind the rounds over points, for positions and for velocities.
 *
 * What rolls on something that stands, and sticks, turns about the contact, with the inertia
 * I + m r^2, and its centre goes along: turning it alone would leave friction to end that, and the
 * body would creep (rolling.c has the same of balls of nodes).
 */
#include "collision/collider_pose.h"
#include "contact/contact_solve.h"
#include "contact/contacts.h"
#include "contact/rigid/rigid_rounds.h"

static sn_v4 times(const sn_vec4 column[3], sn_v4 a) {
    return (a[0] * sn_v4_load(&column[0]) + a[1] * sn_v4_load(&column[1])) +
           a[2] * sn_v4_load(&column[2]);
}

/* rad: how a side turns in the substep. */
static sn_v4 spin_of(const sn_rigid_body *body, bool relaxes) {
    sn_v4 spin = sn_v4_load(&body->spin) + sn_v4_load(&body->turned);
    if (relaxes) spin += sn_v4_load(&body->twist);
    return spin;
}

static sn_v4 spin_of_collider(const sn_collider_pose *at) {
    sn_v4 turn = sn_quat_mul(sn_v4_load(&at->q), sn_quat_conjugate(sn_v4_load(&at->before)));
    sn_real two = turn[3] < 0 ? -2 : 2;
    return (sn_v4){two * turn[0], two * turn[1], two * turn[2], 0};
}

/* A point at hand: its bodies, null where nothing turns one. */
typedef struct roller {
    sn_rigid_body *body[2];
    sn_vec4 *moved; /* m, of the first, where it takes its centre along; else null */
    sn_v4 arm;      /* m, of the first, along the normal */
    sn_real w;      /* 1/kg, of the first */
    bool relaxes;
} roller;

/* 1/(kg m^2): how easily both turn about an axis. */
static sn_real ease_of(const roller *r, sn_v4 axis) {
    sn_real sum = 0;
    for (int k = 0; k < 2; k++)
        if (r->body[k]) sum += sn_v4_dot(axis, times(r->body[k]->inverse, axis));
    return sum;
}

static void turn(const roller *r, int k, sn_v4 by) {
    if (!r->body[k]) return;
    sn_vec4 *to = r->relaxes ? &r->body[k]->twist : &r->body[k]->turned;
    sn_v4_store(to, sn_v4_load(to) + by);
}

/* Takes a turn (rad) away by a torque that is with what it had before (`held`, kg m^2) at most so
   large. */
static void resist(const roller *r, sn_v4 spin, sn_real most, bool goes, sn_vec4 *held) {
    sn_real square = sn_v4_dot(spin, spin);
    if (!(square > 0)) return;
    sn_v4 axis = spin * (1 / SN_ROOT(square)), had = sn_v4_load(held);
    sn_real ease = ease_of(r, axis), about = ease;
    if (!(ease > 0)) return;
    if (goes) about = 1 / (1 / ease + sn_v4_dot(r->arm, r->arm) / r->w);
    sn_v4 whole = sn_friction_limited(had - spin * (1 / about), most), more = whole - had;
    more[3] = whole[3] = 0;
    sn_v4_store(held, whole);
    if (goes) {
        sn_v4 phi = about * more, way = sn_v4_load(r->moved) + sn_v4_cross(r->arm, phi);
        way[3] = 0;
        turn(r, 0, phi);
        sn_v4_store(r->moved, way);
        return;
    }
    for (int k = 0; k < 2; k++)
        if (r->body[k]) turn(r, k, times(r->body[k]->inverse, k ? -more : more));
}

/* A centre that goes along does so by a push of the contact: what is told of that has it. */
static void tell(const sn_world *world, const roller *r, sn_v4 went, uint32_t slot) {
    sn_real *row = sn_contact_rows(&sn_contacts_of(world)->set[SN_CONTACT_RIGID], slot);
    sn_v4 way = sn_v4_load(r->moved) - went;
    way[3] = 0;
    sn_contact_add_impulse(row, way / (r->w * (sn_real)world->scale.h), 0);
}

static void resist_point(const sn_world *world, const sn_rigid_round *round, sn_rigid_block *b,
                         uint32_t i) {
    const sn_rigid_search *c = &sn_rigid_contacts_of(world)->search[b->slot[i]];
    sn_rigid_aside *aside = &sn_rigid_contacts_of(world)->aside[b->slot[i]];
    if (!(c->rolling > 0) || !(b->push[i] > 0) || !(b->k_n[i] > 0)) return;
    const bool stands = c->node[0] == c->node[1];
    const sn_v4 normal = {b->normal[0][i], b->normal[1][i], b->normal[2][i], 0};
    const sn_v4 slide = {b->slide[0][i], b->slide[1][i], b->slide[2][i], 0};
    const sn_real still = b->still[i] * b->push[i], most = c->rolling * b->push[i] / b->k_n[i];
    const sn_v4 arm = {b->arm[0][0][i], b->arm[0][1][i], b->arm[0][2][i], 0};
    roller r = {.arm = sn_v4_dot(arm, normal) * normal, .w = b->w[0][i], .relaxes = round->relaxes};
    sn_v4 spin = {0};
    for (int k = 0; k < 2; k++) {
        sn_rigid_body *body = &round->body[b->body[k][i]];
        if (b->w[k][i] > 0) r.body[k] = body;
        if (k && stands) spin -= spin_of_collider(&sn_collider_poses(world)[c->collider]);
        if (!(k && stands)) spin += (sn_real)(k ? -1 : 1) * spin_of(body, round->relaxes);
    }
    if (!r.body[0] && !r.body[1]) return;
    r.moved = round->relaxes ? &round->body[b->body[0][i]].shift : &round->d[b->node[0][i]];
    bool sticks = r.body[0] && !r.body[1] && sn_v4_dot(slide, slide) < still * still;
    sn_v4 across = sn_across(spin, normal);
    const sn_v4 went = sn_v4_load(r.moved);
    resist(&r, across, most, sticks, &aside->rolled[0]);
    if (sticks) tell(world, &r, went, b->slot[i]);
    resist(&r, spin - across, most, false, &aside->rolled[1]);
}

void sn_rigid_resist_rolling(const sn_world *world, const sn_rigid_round *round,
                             sn_rigid_block *chain) {
    for (uint32_t i = 0; chain->chain == 1 && i < chain->points; i++)
        resist_point(world, round, chain, i);
}
