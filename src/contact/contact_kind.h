/*
 * The kinds of contact: one line each.
 *
 * A kind is a file with a descriptor. It has a set of pairs (contact_set.h), and belongs to a group
 * of kinds whose pairs are found and solved together; groups are what the contact system works
 * with. Later kinds have the last word in a sweep: what is harder comes behind.
 */
#ifndef SN_CONTACT_CONTACT_KIND_H
#define SN_CONTACT_CONTACT_KIND_H

#include "math/vector.h"
#include "state/contact_list.h"
#include "state/step_context.h"

/* KIND(NAME, name) stands for SN_CONTACT_<NAME> and the descriptor sn_<name>_contact_kind. */
#define SN_CONTACT_KIND_LIST(KIND)                                                                 \
    KIND(POINT_POINT, point_point)                                                                 \
    KIND(POINT_SEGMENT, point_segment)                                                             \
    KIND(POINT_TRIANGLE, point_triangle)                                                           \
    KIND(EDGE_EDGE, edge_edge)                                                                     \
    KIND(TRIANGLE_COLLIDER, triangle)                                                              \
    KIND(NODE_COLLIDER, collider)                                                                  \
    KIND(RIGID, rigid)

/* What is done with the pairs of a group, in the order of the step. */
typedef struct sn_contact_group {
    int find; /* the rank of finding candidate pairs, within the stage */
    /* Whether there can be any. Where not, contacts of the step before do not end, they go. */
    bool (*is_needed)(const sn_world *world);
    /* Whether velocities may be needed between substeps; and are in the present one. */
    bool (*bounces)(const sn_world *world);
    bool (*strikes)(const sn_world *world);

    /* Candidate pairs of a step; false when there is no memory. */
    bool (*plan)(sn_world *world, double dt, double h);
    /* The beginning of a substep: pairs that were not expected. */
    void (*detect)(sn_world *world, const sn_substep *substep);
    /* After every sweep over the constraints; `first` in the first one of a substep, `last` in the
       last. */
    void (*project)(sn_world *world, const sn_substep *substep, bool first, bool last);
    /* After all sweeps, where something that overlapped was pushed: recovery (recovery.h) is
       taken out of the motion that velocities follow from. */
    void (*recover)(sn_world *world, const sn_substep *substep);
    /* After the update of velocities, where one bounces: restitution, and friction that acts on
       velocities. */
    void (*bounce)(sn_world *world, const sn_substep *substep);
    void (*end)(sn_world *world);
} sn_contact_group;

/* What is told of the pairs of a kind. */
typedef struct sn_contact_report {
    /* How many pairs there are; when the step has ended they are in the order of their keys. */
    size_t (*pairs)(const sn_world *world, int kind);
    /* The first from one on that touched, before `end`; `end` where none did. */
    size_t (*next)(const sn_world *world, int kind, size_t from, size_t end);
    /* Nodes and collider. */
    void (*key)(const sn_world *world, int kind, size_t pair, sn_contact *contact);
    /* The rest of a contact but its phase; `stuck` is null but between collision surfaces. */
    void (*fill)(const sn_world *world, int kind, size_t pair, sn_contact *contact, sn_vec4 *stuck);
    /* Whether the two are on the wrong side of each other; null where that cannot be. */
    bool (*crossed)(const sn_world *world, int kind, size_t pair);
    /* In a substep: the weights of its nodes, those of the second below zero, and in m the motion
       of the collider where they touch. */
    void (*touch)(const sn_world *world, int kind, size_t pair,
                  sn_real weight[SN_CONTACT_MOST_NODES], sn_v4 *motion);
    /* In a substep: m, from its two nodes to where they touch, now or as sweeps pushed them; null
       where nodes are pushed at their centres. */
    void (*arms)(const sn_world *world, int kind, size_t pair, bool then, sn_v4 arm[2]);
    /* In a substep: slot + 1 of the node that carries the collider and is none of its nodes, or 0,
       and from there to where they touch, in m, as above; null where nobody can. */
    uint32_t (*carrier)(const sn_world *world, int kind, size_t pair, bool then, sn_v4 *arm);
    /* m, between steps: how deep the two are in each other, of which all nodes are still there. */
    double (*depth)(const sn_world *world, const sn_contact *contact);
} sn_contact_report;

typedef struct sn_contact_kind_def {
    const sn_contact_group *group;
    const sn_contact_report *report;
    const struct sn_surface_kind *surface; /* of two collision surfaces; null otherwise */
} sn_contact_kind_def;

#define SN_CONTACT_KIND_DECLARE(NAME, name)                                                        \
    extern const sn_contact_kind_def sn_##name##_contact_kind;
SN_CONTACT_KIND_LIST(SN_CONTACT_KIND_DECLARE)
#undef SN_CONTACT_KIND_DECLARE

/* By kind. */
extern const sn_contact_kind_def *const sn_contact_kinds[SN_CONTACT_KINDS];

#endif
