/*
 * The audit of contacts: what their impulses did in a substep, pair by pair. audit.c has the
 * theory.
 *
 * A pair adds up its impulse in a step, and the part of it along the normals. What is more of it
 * than when it was last looked at is of this substep. With v the mean velocity of a node in it, b
 * its weight and u the velocity of the collider,
 *
 *   J . u                     is the work of the collider
 *   -b J . v                  of a kinematic node
 *   J across . (sum b v - u)  of friction
 *
 * Where a contact turns nodes, v is the velocity of where they touch. What turns frames is friction
 * for audit_nodes.c; of these contacts it is taken back, and told apart as the rest is.
 *
 * Where nodes are of two bodies, each has half of what the pair loses, and the rest of what it did
 * to one of them is the work of the other.
 */
#include "step/audit.h"

#include "contact/contact_kind.h"
#include "contact/contacts.h"
#include "math/quaternion.h"
#include "step/step.h"

#include <string.h>

/* ---- Looking ---- */

static sn_audit_impulse impulse_at(const sn_contact_set *set, uint32_t slot) {
    sn_real *row = sn_contact_rows(set, slot);
    sn_v4 all = sn_row_vector(row, SN_ROW_IMPULSE);
    return (sn_audit_impulse){{(double)all[0], (double)all[1], (double)all[2]},
                              (double)*sn_row(row, SN_ROW_NORMAL_IMPULSE)};
}

void sn_audit_note_contacts(sn_step *step) {
    sn_audit_books *books = step->audit;
    const sn_contact_set *sets = sn_contacts_of(step->world)->set;
    sn_rigid_blocks_write(sn_contacts_of(step->world));
    size_t slots = 0;
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++) slots += sets[kind].blocks;
    /* Without memory friction counts as impact. */
    bool room = sn_reserve(&step->world->memory, (void **)&books->impulse, &books->impulse_capacity,
                           slots * SN_CONTACT_BLOCK, sizeof *books->impulse);
    sn_audit_impulse *impulse = books->impulse;
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++) {
        const sn_contact_set *set = &sets[kind];
        books->slots[kind] = room ? set->blocks * SN_CONTACT_BLOCK : 0;
        for (size_t k = 0; room && k < set->count; k++)
            impulse[set->pair[k].slot] = impulse_at(set, set->pair[k].slot);
        impulse += books->slots[kind];
    }
}

/* ---- Pairs ---- */

/* A pair that has an impulse. */
typedef struct pair {
    double all[3], across[3]; /* N s, on the first */
    double surface[3];        /* m/s, of the collider */
    int nodes, first;
    uint32_t node[SN_CONTACT_MOST_NODES];
    double weight[SN_CONTACT_MOST_NODES];
    double turning[SN_CONTACT_MOST_NODES][3]; /* m/s, of a node by its spin, where they touch */
} pair;

/* m/s: how a node moves by its spin at the end of an arm. */
static void look_at_spin(const sn_step *step, uint32_t node, sn_v4 arm, double turning[3]) {
    const sn_world *world = step->world;
    uint32_t frame = world->nodes.frame[node];
    if (!frame) return;
    const double *mean = step->audit->frame[frame - 1].mean;
    sn_v4 omega = {(sn_real)mean[0], (sn_real)mean[1], (sn_real)mean[2], 0};
    omega = sn_quat_rotate(*(sn_v4 *)&world->frames.q[frame - 1], omega);
    sn_v4 v = sn_v4_cross(omega, arm);
    for (int i = 0; i < 3; i++) turning[i] = (double)v[i];
}

/* Velocities by spin where a contact turns its two nodes, when it began or now. */
static void look_at_spins(const sn_step *step, int kind, size_t k, bool then, pair *p) {
    const sn_contact_report *report = sn_contact_kinds[kind]->report;
    sn_v4 arm[2];
    memset(p->turning, 0, sizeof p->turning);
    if (!report->arms) return;
    report->arms(step->world, kind, k, then, arm);
    for (int n = 0; n < 2; n++) look_at_spin(step, p->node[n], arm[n], p->turning[n]);
}

/* What carries the collider, where that is none of the nodes of a pair, is one more: the second. */
static void add_carrier(const sn_step *step, int kind, size_t k, bool then, pair *p) {
    const sn_contact_report *report = sn_contact_kinds[kind]->report;
    sn_v4 arm;
    uint32_t carrier = report->carrier ? report->carrier(step->world, kind, k, then, &arm) : 0;
    if (!carrier) return;
    p->node[p->nodes] = carrier - 1;
    p->weight[p->nodes] = -1;
    look_at_spin(step, carrier - 1, arm, p->turning[p->nodes]);
    p->nodes++;
}

/* False where nothing has happened to it. */
static bool look_at(const sn_step *step, int kind, size_t k, const sn_audit_impulse *noted,
                    bool positions, pair *p) {
    const sn_world *world = step->world;
    const sn_contact_set *set = &sn_contacts_of(world)->set[kind];
    uint32_t slot = set->pair[k].slot;
    sn_audit_impulse now = impulse_at(set, slot);
    const sn_audit_impulse *before = &noted[slot];
    double normal_impulse = now.normal_impulse - before->normal_impulse;
    sn_v4 normal = sn_row_vector(sn_contact_rows(set, slot), SN_ROW_NORMAL), motion;
    sn_real weight[SN_CONTACT_MOST_NODES];
    for (int i = 0; i < 3; i++) {
        p->all[i] = now.all[i] - before->all[i];
        p->across[i] = p->all[i] - normal_impulse * (double)normal[i];
    }
    if (!(sn_audit_dot(p->all, p->all) > 0)) return false;
    sn_contact_kinds[kind]->report->touch(world, kind, k, weight, &motion);
    for (int i = 0; i < 3; i++) p->surface[i] = (double)motion[i] / step->h;
    p->nodes = sn_contact_nodes(kind);
    p->first = sn_contact_first[kind];
    for (int n = 0; n < p->nodes; n++) {
        p->node[n] = (uint32_t)*sn_contact_node_at(set, kind, slot, n) / SN_NODE_BYTES;
        p->weight[n] = (double)weight[n];
    }
    look_at_spins(step, kind, k, positions, p);
    add_carrier(step, kind, k, positions, p);
    return true;
}

/* J: what the two sides of a pair did. */
typedef struct sides {
    double work[2];   /* to nodes that can move */
    double turned[2]; /* the part of that which turned them */
    double friction;  /* the part of that across the normal, with all nodes and the collider */
    double kinematic; /* to kinematic nodes */
    double collider;
} sides;

static sides sides_of(const sn_step *step, const pair *p) {
    const sn_world *world = step->world;
    double carried = p->nodes > p->first ? 0 : 1;
    sides s = {.collider = carried * sn_audit_dot(p->all, p->surface)};
    double friction = -carried * sn_audit_dot(p->across, p->surface);
    for (int n = 0; n < p->nodes; n++) {
        const double *v = step->audit->node[p->node[n]].mean, *turning = p->turning[n];
        double turned = p->weight[n] * sn_audit_dot(p->all, turning);
        double work = p->weight[n] * sn_audit_dot(p->all, v) + turned;
        friction += p->weight[n] * (sn_audit_dot(p->across, v) + sn_audit_dot(p->across, turning));
        if (world->nodes.w[p->node[n]] > 0) {
            s.work[n >= p->first] += work;
            s.turned[n >= p->first] += turned;
        } else {
            s.kinematic += work;
        }
    }
    s.friction = friction;
    return s;
}

/* The body of a side, by its first node that can move; false where none can. */
static bool body_of(const sn_world *world, const pair *p, int side, uint32_t *body) {
    int begin = side ? p->first : 0, end = side ? p->nodes : p->first;
    for (int n = begin; n < end; n++) {
        *body = world->nodes.body[p->node[n]];
        if (world->nodes.w[p->node[n]] > 0) return true;
    }
    return false;
}

static void sum_pair(const sn_step *step, const pair *p) {
    sides s = sides_of(step, p);
    uint32_t body[2] = {0, 0};
    bool moves[2];
    for (int i = 0; i < 2; i++) moves[i] = body_of(step->world, p, i, &body[i]);
    if (!moves[0] && !moves[1]) return;
    /* What the pair did to both, as seen from each other. */
    double apart = s.work[0] + s.work[1] + s.kinematic - s.collider;
    for (int i = 0; i < 2; i++) {
        if (!moves[i]) continue;
        double part = moves[1 - i] ? 0.5 : 1;
        sn_audit_body *of = &step->audit->body[body[i]];
        double outside = part * (s.collider - s.kinematic);
        bool two = moves[1 - i] && body[0] != body[1];
        double other = two ? s.work[i] - part * apart - outside : 0;
        of->sum.work_colliders += part * s.collider;
        of->sum.work_nodes -= part * s.kinematic;
        of->sum.work_bodies += other;
        of->sum.lost_friction += s.turned[i] - part * s.friction;
        of->contact += s.turned[i];
        of->contact -= outside + other + part * s.friction;
    }
}

void sn_audit_sum_contacts(sn_step *step, bool positions) {
    sn_audit_books *books = step->audit;
    const sn_contact_set *sets = sn_contacts_of(step->world)->set;
    sn_rigid_blocks_write(sn_contacts_of(step->world));
    const sn_audit_impulse *noted = books->impulse;
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++) {
        /* Where pairs were found anew since, impulses cannot be compared. */
        bool same = books->slots[kind] == sets[kind].blocks * SN_CONTACT_BLOCK;
        for (size_t k = 0; same && k < sets[kind].count; k++) {
            pair p;
            if (look_at(step, kind, k, noted, positions, &p)) sum_pair(step, &p);
        }
        noted += books->slots[kind];
        books->slots[kind] = 0;
    }
    for (size_t b = 0; b < books->bodies; b++) {
        books->body[b].sum.lost_impact -= books->body[b].contact;
        books->body[b].contact = 0;
    }
}
