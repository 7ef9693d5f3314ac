/*
 * Public calls as values: what a recording holds.
 *
 * A call is a section with its name and its arguments as columns. Ids are slots and generations,
 * which mean the same in every world that began with the same snapshot; definitions of constraints
 * are written by the names of their type and their fields.
 */
#ifndef SN_API_CALL_H
#define SN_API_CALL_H

#include "base/archive.h"
#include "state/serialize.h"
#include "state/world.h"

#include <sinew/sinew.h>

/* What a call consists of. */
enum {
    SN_PART_ID = 1,      /* the object that it is about */
    SN_PART_NUMBERS = 2, /* reals */
    SN_PART_WORD = 4,    /* a whole number */
    SN_PART_HASH = 8,    /* the state after it */
    SN_PART_SETTINGS = 16,
    SN_PART_BODY = 32,       /* a definition of a body */
    SN_PART_NODES = 64,      /* definitions of nodes */
    SN_PART_LIST = 128,      /* ids of nodes */
    SN_PART_DEFS = 256,      /* definitions of constraints of one type */
    SN_PART_FIELD = 512,     /* the name of a field */
    SN_PART_BYTES = 1024,    /* a snapshot */
    SN_PART_COLLIDER = 2048, /* a definition of a collider */
    SN_PART_SKIN = 4096,     /* a definition of a collision surface, with its elements */
    SN_PART_OTHER = 8192,    /* another object */
    SN_PART_PAIR = 16384,    /* a definition of a pair of materials */
    SN_PART_POINTS = 32768,  /* positions */
    SN_PART_SHEET = 65536,   /* a definition of a sheet, with its nodes and triangles */
    SN_PART_ANIMATION_TARGET =
        131072, /* vertices of an animation target, and its nodes where it is made */
    SN_PART_HIERARCHY = 262144,       /* a definition of a hierarchy, with its mesh */
    SN_PART_REALS = 524288,           /* any number of reals */
    SN_PART_SHAPE_MATCHING = 1048576, /* a definition of a matching, with its lists */
    SN_PART_TET_MESH = 2097152,       /* a definition of a tet mesh, with its nodes and tets */
    SN_PART_BLADE = 4194304,          /* the surface of a cut */
};

/* CALL(kind, name, parts, numbers): the calls that change a world; `numbers` is 0 where a field
   says how many there are. New ones come at the end. */
#define SN_CALLS(CALL)                                                                             \
    CALL(SETTINGS, "world_set_settings", SN_PART_SETTINGS, 0)                                      \
    CALL(STEP, "world_step", SN_PART_NUMBERS | SN_PART_HASH, 1)                                    \
    CALL(BODY_CREATE, "body_create", SN_PART_BODY, 0)                                              \
    CALL(BODY_DESTROY, "body_destroy", SN_PART_ID, 0)                                              \
    CALL(BODY_SET, "body_set", SN_PART_ID | SN_PART_BODY, 0)                                       \
    CALL(NODES_CREATE, "nodes_create", SN_PART_NODES, 0)                                           \
    CALL(NODES_DESTROY, "nodes_destroy", SN_PART_LIST, 0)                                          \
    CALL(POSITION, "node_set_position", SN_PART_ID | SN_PART_NUMBERS, 3)                           \
    CALL(VELOCITY, "node_set_velocity", SN_PART_ID | SN_PART_NUMBERS, 3)                           \
    CALL(INVERSE_MASS, "node_set_inverse_mass", SN_PART_ID | SN_PART_NUMBERS, 1)                   \
    CALL(RADIUS, "node_set_radius", SN_PART_ID | SN_PART_NUMBERS, 1)                               \
    CALL(GROUP, "node_set_group", SN_PART_ID | SN_PART_WORD, 0)                                    \
    CALL(TARGET, "node_set_target", SN_PART_ID | SN_PART_NUMBERS, 3)                               \
    CALL(FORCE, "node_add_force", SN_PART_ID | SN_PART_NUMBERS, 3)                                 \
    CALL(IMPULSE, "node_apply_impulse", SN_PART_ID | SN_PART_NUMBERS, 3)                           \
    CALL(ORIENTATION, "node_set_orientation", SN_PART_ID | SN_PART_NUMBERS, 4)                     \
    CALL(ANGULAR_VELOCITY, "node_set_angular_velocity", SN_PART_ID | SN_PART_NUMBERS, 3)           \
    CALL(INVERSE_INERTIA, "node_set_inverse_inertia", SN_PART_ID | SN_PART_NUMBERS, 3)             \
    CALL(TARGET_ORIENTATION, "node_set_target_orientation", SN_PART_ID | SN_PART_NUMBERS, 4)       \
    CALL(TORQUE, "node_add_torque", SN_PART_ID | SN_PART_NUMBERS, 3)                               \
    CALL(CONSTRAINTS_CREATE, "constraints_create", SN_PART_DEFS, 0)                                \
    CALL(CONSTRAINT_DESTROY, "constraint_destroy", SN_PART_ID, 0)                                  \
    CALL(CONSTRAINT_SET, "constraint_set", SN_PART_ID | SN_PART_DEFS, 0)                           \
    CALL(SET_FIELD, "constraint_set_field", SN_PART_ID | SN_PART_FIELD | SN_PART_NUMBERS, 0)       \
    CALL(DAMPING_GROUP_CREATE, "cluster_create", SN_PART_LIST | SN_PART_NUMBERS, 1)                \
    CALL(DAMPING_GROUP_DESTROY, "cluster_destroy", SN_PART_ID, 0)                                  \
    CALL(DAMPING_GROUP_DAMPING, "cluster_set_damping", SN_PART_ID | SN_PART_NUMBERS, 1)            \
    CALL(LOAD, "snapshot_load", SN_PART_BYTES, 0)                                                  \
    CALL(COLLIDER_CREATE, "collider_create", SN_PART_COLLIDER, 0)                                  \
    CALL(COLLIDER_DESTROY, "collider_destroy", SN_PART_ID, 0)                                      \
    CALL(COLLIDER_SET, "collider_set", SN_PART_ID | SN_PART_COLLIDER, 0)                           \
    CALL(COLLIDER_TARGET, "collider_set_target", SN_PART_ID | SN_PART_NUMBERS, 7)                  \
    CALL(COLLISION_SURFACE_CREATE, "skin_create", SN_PART_SKIN, 0)                                 \
    CALL(COLLISION_SURFACE_DESTROY, "skin_destroy", SN_PART_ID, 0)                                 \
    CALL(COLLISION_SURFACE_SET, "skin_set", SN_PART_ID | SN_PART_SKIN, 0)                          \
    CALL(SET_PAIR, "world_set_contact_pair", SN_PART_WORD | SN_PART_PAIR, 0)                       \
    CALL(RESET_PAIR, "world_reset_contact_pair", SN_PART_WORD, 0)                                  \
    CALL(COLLISION, "body_set_collision", SN_PART_ID | SN_PART_OTHER | SN_PART_WORD, 0)            \
    CALL(COLLIDER_COLLISION, "body_set_collider_collision",                                        \
         SN_PART_ID | SN_PART_OTHER | SN_PART_WORD, 0)                                             \
    CALL(COLLIDER_VERTICES, "collider_set_vertices", SN_PART_ID | SN_PART_POINTS, 0)               \
    CALL(BODY_WAKE, "body_wake", SN_PART_ID, 0)                                                    \
    CALL(SHEET_CREATE, "sheet_create", SN_PART_SHEET, 0)                                           \
    CALL(SHEET_DESTROY, "sheet_destroy", SN_PART_ID, 0)                                            \
    CALL(SHEET_SET, "sheet_set", SN_PART_ID | SN_PART_SHEET, 0)                                    \
    CALL(SHEET_TETHER, "sheet_tether", SN_PART_ID, 0)                                              \
    CALL(RIDE, "node_ride", SN_PART_ID | SN_PART_OTHER, 0)                                         \
    CALL(ANIMATION_TARGET_CREATE, "follow_create", SN_PART_ANIMATION_TARGET, 0)                    \
    CALL(ANIMATION_TARGET_DESTROY, "follow_destroy", SN_PART_ID, 0)                                \
    CALL(ANIMATION_TARGET_TARGETS, "follow_set_targets", SN_PART_ID | SN_PART_ANIMATION_TARGET, 0) \
    CALL(ANIMATION_TARGET_LIMITS, "follow_set_limits", SN_PART_ID | SN_PART_ANIMATION_TARGET, 0)   \
    CALL(HIERARCHY_CREATE, "hierarchy_create", SN_PART_HIERARCHY, 0)                               \
    CALL(HIERARCHY_DESTROY, "hierarchy_destroy", SN_PART_ID, 0)                                    \
    CALL(HIERARCHY_SET, "hierarchy_set", SN_PART_ID | SN_PART_HIERARCHY, 0)                        \
    CALL(SHEET_SPLIT, "sheet_split", SN_PART_ID | SN_PART_OTHER | SN_PART_NUMBERS, 3)              \
    CALL(SHEET_STRENGTH, "sheet_set_strength", SN_PART_ID | SN_PART_REALS, 0)                      \
    CALL(BODY_FIELD, "body_set_field",                                                             \
         SN_PART_ID | SN_PART_WORD | SN_PART_FIELD | SN_PART_NUMBERS, 0)                           \
    CALL(SHAPE_MATCHING_CREATE, "matching_create", SN_PART_SHAPE_MATCHING, 0)                      \
    CALL(SHAPE_MATCHING_DESTROY, "matching_destroy", SN_PART_ID, 0)                                \
    CALL(SHAPE_MATCHING_SET, "matching_set", SN_PART_ID | SN_PART_SHAPE_MATCHING, 0)               \
    CALL(TET_MESH_CREATE, "bulk_create", SN_PART_TET_MESH, 0)                                      \
    CALL(TET_MESH_DESTROY, "bulk_destroy", SN_PART_ID, 0)                                          \
    CALL(TET_MESH_SET, "bulk_set", SN_PART_ID | SN_PART_TET_MESH, 0)                               \
    CALL(TET_MESH_CUT, "bulk_cut", SN_PART_ID | SN_PART_BLADE, 0)                                  \
    CALL(SHEET_CUT, "sheet_cut", SN_PART_ID | SN_PART_BLADE, 0)                                    \
    CALL(ENABLED, "constraint_set_enabled", SN_PART_ID | SN_PART_WORD, 0)                          \
    CALL(RADII, "node_set_radii", SN_PART_ID | SN_PART_NUMBERS, 3)                                 \
    CALL(SHEET_AIR, "sheet_set_air", SN_PART_ID | SN_PART_REALS, 0)                                \
    CALL(DRAG_CREATE, "drag_create", SN_PART_LIST | SN_PART_NUMBERS, 2)                            \
    CALL(DRAG_DESTROY, "drag_destroy", SN_PART_ID, 0)                                              \
    CALL(DRAG_SET, "drag_set", SN_PART_ID | SN_PART_NUMBERS, 1)                                    \
    CALL(SHEET_EDGES, "sheet_set_edge_strength", SN_PART_ID | SN_PART_LIST | SN_PART_NUMBERS, 1)

typedef enum sn_call_kind {
#define SN_CALL_ENUM(kind, name, parts, numbers) SN_CALL_##kind,
    SN_CALLS(SN_CALL_ENUM)
#undef SN_CALL_ENUM
        SN_CALL_COUNT
} sn_call_kind;

/* A block of memory that was had for a call. */
typedef struct sn_call_block {
    void *at;
    size_t count, element;
} sn_call_block;

typedef struct sn_call {
    sn_call_kind kind;
    sn_id id, other;
    sn_real number[7];
    int numbers; /* where the call has a field */
    uint32_t word;
    uint64_t hash;
    sn_settings settings;
    sn_body_def body;
    sn_collider_def collider;
    sn_contact_pair_def pair;
    sn_collision_surface_def surface;
    sn_sheet_def sheet;
    sn_tet_mesh_def tet_mesh;
    sn_blade_def blade;
    sn_animation_target_def animation_target;
    sn_hierarchy_def hierarchy;
    sn_shape_matching_def matching;
    const sn_store *store; /* of definitions of constraints */
    const void *items;     /* definitions, ids, positions or bytes, `count` of them */
    size_t count;
    const char *field;
    /* Of calls that were read. */
    char text[64];
    sn_call_block block[8];
    size_t blocks;
    sn_geometry_room room; /* of the collider */
} sn_call;

/* Writes the section of a call, or reads the next one; what was read is to be freed. */
void sn_call_serialize(sn_archive *a, sn_world *world, sn_call *call);
void sn_call_free(sn_world *world, sn_call *call);
const char *sn_call_name(sn_call_kind kind);

/* Makes the call. */
sn_result sn_call_repeat(sn_world *world, const sn_call *call);

/* ---- Recording ---- */

/* Whether pairs of collision surfaces that were found may be others after such a call. Where
   everything is does
   not matter, since that is compared in every substep, nor do fields of constraints. */
static inline bool sn_call_invalidates_pairs(sn_call_kind kind) {
    switch (kind) {
    case SN_CALL_STEP:
    case SN_CALL_LOAD:
    case SN_CALL_POSITION:
    case SN_CALL_VELOCITY:
    case SN_CALL_TARGET:
    case SN_CALL_FORCE:
    case SN_CALL_IMPULSE:
    case SN_CALL_TORQUE:
    case SN_CALL_SET_FIELD:
    case SN_CALL_BODY_FIELD:
    case SN_CALL_COLLIDER_TARGET:
    case SN_CALL_COLLIDER_VERTICES:
    case SN_CALL_ANIMATION_TARGET_TARGETS:
        return false;
    default:
        return true;
    }
}

/* In every call that changes a world, once it has succeeded: notes it where somebody records. */
#define SN_RECORD(world, name, ...)                                                                \
    do {                                                                                           \
        if (sn_call_invalidates_pairs(SN_CALL_##name)) (world)->surfaces.reach.kept = false;       \
        if ((world)->bindings.recorder)                                                            \
            sn_call_note((world), &(sn_call){.kind = SN_CALL_##name, __VA_ARGS__});                \
    } while (0)
#define SN_RECORD_NODE(world, name, node, ...)                                                     \
    SN_RECORD(world, name, .id = SN_ID(node), .number = {__VA_ARGS__})

void sn_call_note(sn_world *world, sn_call *call);

#endif
