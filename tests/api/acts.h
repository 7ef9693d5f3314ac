/*
 * Small worlds and what is done to them, act by act: adding, removing, colours that run out,
 * solvers, snapshots, damping groups, types of the user's, lists, BDF2, contact. An act is one call
 * that may need memory, or a step, and does the same whenever it is made on the same state.
 */
#ifndef SINEW_TESTS_API_ACTS_H
#define SINEW_TESTS_API_ACTS_H

#include <sinew/sinew.h>

enum { ACT_NODES = 160, ACT_LINKS = 160, ACT_BYTES = 1 << 18 };

/* What the acts so far have made. A call that fails is to leave all of it alone. */
typedef struct troupe {
    sn_world *world;
    sn_body body[2];
    size_t nodes, links;
    sn_node node[ACT_NODES];
    sn_constraint link[ACT_LINKS];
    sn_damping_group damping_group[2];
    sn_fluid fluid;
    sn_emitter emitter;
    sn_drain drain;
    sn_diffusion diffusion;
    sn_source source;
    sn_effector effector;
    sn_hair hair;
    sn_wrinkle_mesh wrinkle_mesh;
    sn_air_mesh air_mesh;
    sn_crowd crowd;
    sn_finite_elements elements;
    sn_dough dough;
    sn_shape_matching shape_matching;
    sn_collision_surface surface[2];
    sn_collider collider;
    size_t size; /* of the last snapshot */
    unsigned char bytes[ACT_BYTES];
    int joint_types; /* types of joints so far */
} troupe;

typedef sn_result act(troupe *t);

typedef struct act_list {
    const char *name;
    int threads;
    size_t count;
    act *const *acts; /* the first one makes the world, from the definition */
    bool frugal; /* whether a step may do without some of the memory, and be another one then */
} act_list;

/* Every list: its name, how many threads the world has, and whether it is frugal. */
#define ACT_LISTS(LIST)                                                                            \
    LIST(adding, 1, false)                                                                         \
    LIST(removing, 1, false)                                                                       \
    LIST(colours, 1, false)                                                                        \
    LIST(solvers, 2, false)                                                                        \
    LIST(saving, 1, false)                                                                         \
    LIST(restoring, 1, false)                                                                      \
    LIST(damping_groups, 1, false)                                                                 \
    LIST(types, 1, false)                                                                          \
    LIST(listing, 1, false)                                                                        \
    LIST(second_order, 1, false)                                                                   \
    LIST(frames, 1, false)                                                                         \
    LIST(audited, 1, false)                                                                        \
    LIST(contact, 1, true)                                                                         \
    LIST(fluids, 2, false)                                                                         \
    LIST(hairs, 1, false)                                                                          \
    LIST(wrinkles, 1, false)                                                                       \
    LIST(machines, 1, false)                                                                       \
    LIST(crowds, 1, false)                                                                         \
    LIST(effectors, 1, false)                                                                      \
    LIST(doughs, 1, false)                                                                         \
    LIST(shape_matchings, 1, false)                                                                \
    LIST(emitters, 1, false)                                                                       \
    LIST(airs, 1, false)                                                                           \
    LIST(diffusions, 1, false)                                                                     \
    LIST(finite_elements, 2, false)

#define ACT_NUMBER(name, threads, frugal) ACTS_##name,
enum { ACT_LISTS(ACT_NUMBER) ACT_LIST_COUNT };
extern const act_list act_lists[ACT_LIST_COUNT];

/* What the first act of a list makes the world from. */
extern sn_world_def act_def;

#endif
