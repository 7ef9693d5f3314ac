/*
 * The list of systems: one line each. Nothing else names a system outside its own folder.
 *
 * SYSTEM(NAME, name) stands for the descriptor sn_<name>_system. The order is that of snapshots,
 * which refer backwards only; within a stage of the step it is the order of those of one rank.
 */
#ifndef SN_STATE_SYSTEM_LIST_H
#define SN_STATE_SYSTEM_LIST_H

#define SN_SYSTEMS(SYSTEM)                                                                         \
    SYSTEM(DAMPING_GROUP, damping_group)                                                           \
    SYSTEM(COLLISION, collision)                                                                   \
    SYSTEM(CONTACT, contact)                                                                       \
    SYSTEM(SHEET, sheet)                                                                           \
    SYSTEM(SLEEP, sleep)                                                                           \
    SYSTEM(ANIMATION_TARGET, animation_target)                                                     \
    SYSTEM(HIERARCHY, hierarchy)                                                                   \
    SYSTEM(SHAPE_MATCHING, shape_matching)                                                         \
    SYSTEM(TET_MESH, tet_mesh)                                                                     \
    SYSTEM(AERODYNAMICS, aerodynamics)                                                             \
    SYSTEM(FRACTURE, fracture)                                                                     \
    SYSTEM(FLUID, fluid)                                                                           \
    SYSTEM(HAIR, hair)                                                                             \
    SYSTEM(WRINKLE_MESH, wrinkle_mesh)                                                             \
    SYSTEM(WINCH, winch)                                                                           \
    SYSTEM(CROWD, crowd)                                                                           \
    SYSTEM(EMITTER, emitter)                                                                       \
    SYSTEM(AIR_MESH, air_mesh)                                                                     \
    SYSTEM(DIFFUSION, diffusion)                                                                   \
    SYSTEM(EFFECTOR, effector)                                                                     \
    SYSTEM(DOUGH, dough)                                                                           \
    SYSTEM(FINITE_ELEMENTS, finite_elements)                                                       \
    SYSTEM(SERVO, servo)

typedef enum sn_system_index {
#define SN_SYSTEM_INDEX(NAME, name) SN_SYSTEM_##NAME,
    SN_SYSTEMS(SN_SYSTEM_INDEX)
#undef SN_SYSTEM_INDEX
        SN_SYSTEM_COUNT
} sn_system_index;

#endif
