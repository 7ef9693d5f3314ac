/*
 * Constraints: functions C of the positions of a few nodes that the solver brings to zero.
 *
 * Every type has a header in sinew/constraints/ that lists its fields once. From that list come its
 * definition struct, its checks, its names in scene files and its place in this documentation. The
 * calls here work for every type; sn_distance_def and its like are what `def` points to.
 */
#ifndef SINEW_CONSTRAINT_H
#define SINEW_CONSTRAINT_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An id, as sn_node. */
typedef struct sn_constraint {
    uint32_t slot;
    uint16_t generation;
    uint16_t world;
} sn_constraint;

/* Which values of C are allowed. Types with several rows have equalities only. */
typedef enum sn_side {
    SN_SIDE_BOTH = 0,     /* C = 0 */
    SN_SIDE_AT_LEAST = 1, /* C >= 0: a strut, which pushes only */
    SN_SIDE_AT_MOST = 2   /* C <= 0: a tether, which pulls only */
} sn_side;

/* ---- Fields ---- */

/*
 * The fields that every type has. FIELD(kind, name, unit, least, most, default, automatic, meaning)
 * where the constraint energy is C^2 / (2 compliance), so that compliance has the unit of C^2 / J.
 */
#define SN_COMMON_FIELDS(FIELD) SN_SIDE_FIELD(FIELD, 0) SN_STRENGTH_FIELDS(FIELD)

/* The first of them, whose default is another one for types that are limits; and the others. */
#define SN_SIDE_FIELD(FIELD, standard)                                                             \
    FIELD(SIDE, side, "", 0, 2, standard, false, "which values of C are allowed")
#define SN_STRENGTH_FIELDS(FIELD)                                                                  \
    FIELD(REAL, compliance, "C^2/J", 0, SN_REAL_MAX, 0, false,                                     \
          "inverse stiffness; 0 is as hard as the substeps allow")                                 \
    FIELD(REAL, damping, "J s/C^2", 0, SN_REAL_MAX, 0, false,                                      \
          "the force against dC/dt per unit of it; no effect where compliance is 0")               \
    FIELD(REAL, stiffness, "1", 0, 1, 1, false, "k of the 2007 model; no effect in XPBD")          \
    FIELD(REAL, break_force, "J/C", 0, SN_REAL_MAX, SN_AUTO, true,                                 \
          "|force| above which the constraint breaks; automatic: never")

/*
 * The first fields of every type that is a tetrahedron as a finite element. Edges at rest are given
 * in the frame of the material, in which it is also said where fibres and the like run; any frame
 * will do. Nodes may be in either order.
 */
#define SN_TET_FIELDS(FIELD)                                                                       \
    FIELD(VEC3, rest_edge_1, "m", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                        \
          "from node 0 to node 1 at rest; automatic: as at creation")                              \
    FIELD(VEC3, rest_edge_2, "m", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                        \
          "from node 0 to node 2 at rest; automatic: as at creation")                              \
    FIELD(VEC3, rest_edge_3, "m", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                        \
          "from node 0 to node 3 at rest; automatic: as at creation")                              \
    FIELD(REAL, damping_time, "s", 0, SN_REAL_MAX, 0, false,                                       \
          "time over which every row is braked: damping over stiffness")

/*
 * The last fields of every model of a tetrahedron, for plasticity: what is pulled too far stays so.
 * When a step is over, F is what has become of the shape at rest, S its stretch without rotation,
 * and s = S / (det F)^(1/3) that without change of volume. Where |s - I|, the root of the sum of
 * squares, is above the yield, what is above it goes over into the shape at rest, all of it or a
 * part per time; volume is kept. A bar that is pulled by a small strain e has
 * |s - I| = 0.82 (1 + nu) e. The shape is kept as a symmetric matrix U, by which the rest edges are
 * multiplied: the last two fields are the only ones that a step changes, and snapshots have them.
 */
#define SN_TET_PLASTIC_FIELDS(FIELD)                                                               \
    FIELD(REAL, plastic_yield, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                 \
          "|s - I| above which the shape at rest changes; automatic: it never does")               \
    FIELD(REAL, plastic_creep, "1/s", 0, SN_REAL_MAX, SN_AUTO, true,                               \
          "part of what is above the yield that stays, per time; automatic: all at once")          \
    FIELD(REAL, plastic_limit, "1", 0, SN_REAL_MAX, 1, false, "the most that |U - I| can be")      \
    FIELD(VEC3, plastic_stretch, "1", -1, SN_REAL_MAX, 0, false,                                   \
          "what has stayed so far: U - I for xx, yy and zz")                                       \
    FIELD(VEC3, plastic_shear, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                           \
          "what has stayed so far: U for yz, zx and xy")

/*
 * The last fields of every model of a triangle that has plasticity. As for tetrahedra, with the
 * stretch across the sheet in the third place, that of plane stress: S is (s_1, s_2, t), and U is
 * symmetric in the plane and 1 / det U across, as volume is kept and what is drawn out gets
 * thinner. A strip that is pulled by a small strain e has |s - I| = 0.82 (1 + nu) e, a sheet that
 * is pulled in all directions 0.82 e (1 + nu) / (1 - nu). The last field is the only one that a
 * step changes.
 */
#define SN_TRIANGLE_PLASTIC_FIELDS(FIELD)                                                          \
    FIELD(REAL, plastic_yield, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                 \
          "|s - I| above which the shape at rest changes; automatic: it never does")               \
    FIELD(REAL, plastic_creep, "1/s", 0, SN_REAL_MAX, SN_AUTO, true,                               \
          "part of what is above the yield that stays, per time; automatic: all at once")          \
    FIELD(REAL, plastic_limit, "1", 0, SN_REAL_MAX, 1, false, "the most that |U - I| can be")      \
    FIELD(VEC3, plastic_stretch, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                         \
          "what has stayed so far: U - I for uu, vv and uv, with u along the warp")

/* All fields of a model of an isotropic tetrahedron, whose Poisson's ratio is `least` or more. */
#define SN_ISOTROPIC_TET_FIELDS(FIELD, least)                                                      \
    SN_TET_FIELDS(FIELD)                                                                           \
    FIELD(REAL, young, "Pa", 0, SN_REAL_MAX, SN_AUTO, true,                                        \
          "Young's modulus at small strain, above 0; automatic: infinite")                         \
    FIELD(REAL, poisson, "1", least, 0.5, 0.3, false,                                              \
          "Poisson's ratio at small strain; at 0.5 the volume is kept")                            \
    SN_TET_PLASTIC_FIELDS(FIELD)

/* The most nodes of a type with a fixed number of them, and the most rows of any type. */
#define SN_MAX_NODES 16
#define SN_MAX_ROWS 9

/* Declares sn_<type>_def and sn_<type>_def_default from the field list of a type. */
#define SN_DECLARE_CONSTRAINT(type, node_count, FIELDS)                                            \
    typedef struct sn_##type##_def {                                                               \
        size_t size; /* set by the default function */                                             \
        sn_node node[node_count];                                                                  \
        SN_COMMON_FIELDS(SN_MEMBER)                                                                \
        FIELDS(SN_MEMBER)                                                                          \
    } sn_##type##_def;                                                                             \
    SN_API sn_##type##_def sn_##type##_def_default(void);

/* The same for a type whose constraints have any number of nodes. What the pointers point to is
   read when the constraint is made, and not kept. */
#define SN_DECLARE_LIST_CONSTRAINT(type, FIELDS)                                                   \
    typedef struct sn_##type##_def {                                                               \
        size_t size; /* set by the default function */                                             \
        const sn_node *nodes;                                                                      \
        size_t node_count;                                                                         \
        const uint32_t *triangles; /* three indices into nodes each, where the type has them */    \
        size_t triangle_count;                                                                     \
        SN_COMMON_FIELDS(SN_MEMBER)                                                                \
        FIELDS(SN_MEMBER)                                                                          \
    } sn_##type##_def;                                                                             \
    SN_API sn_##type##_def sn_##type##_def_default(void);

/* What the nodes of a constraint are, where their number is not fixed. */
typedef enum sn_list_kind {
    SN_LIST_NONE = 0,    /* their number is fixed */
    SN_LIST_RING = 1,    /* a vertex, then its neighbours in order around it */
    SN_LIST_SURFACE = 2, /* the vertices of a closed triangle mesh */
    SN_LIST_REGION = 3,  /* any nodes, in any order; where they are at creation is kept */
    SN_LIST_FAN = 4,     /* a vertex, then its neighbours in order around it or beside the border */
    SN_LIST_PATH = 5     /* those that a thread goes through, in their order */
} sn_list_kind;

/* ---- Types ---- */

/* The types, in the order of sinew/constraints/list.h, which never changes but at its end. */
typedef enum sn_type {
#define SN_LIST_TYPE(lower, upper) SN_TYPE_##upper,
#include <sinew/constraints/list.h>
#undef SN_LIST_TYPE
    SN_TYPE_COUNT,
    /* The first type that was added to a world at run time (sinew/user.h), and the last there can
       be. */
    SN_TYPE_USER = 1000,
    SN_TYPE_USER_LAST = 1063
} sn_type;

/* The definitions of the types. */
#include <sinew/constraints/list.h>

/* What a type is, for programs that work with any type. */
typedef struct sn_type_info {
    const char *name;    /* as in scene files, such as "distance" */
    const char *meaning; /* one sentence */
    int nodes;           /* in the definition; of types with a list, the least number */
    sn_list_kind list;   /* whether definitions have `nodes` and `triangles` of any number */
    int fixed_nodes;     /* how many of them, the last ones, the constraint reads and never moves;
                            these may be null ids */
    int frames;          /* how many of them, the first ones, must be oriented */
    int rows;            /* numbers in C */
    bool external;       /* acts against the world rather than between nodes, so that momentum is
                            not kept */
    size_t def_size;     /* bytes of the definition struct */
    size_t field_count;  /* length of `fields` */
    const sn_field_info *fields; /* the common ones first */
} sn_type_info;

/* What there is to know about a type of the list; null for a number that is none. */
SN_API const sn_type_info *sn_type_get_info(sn_type type);

/* The type with this name; SN_ERROR_NAME when there is none. */
SN_API sn_result sn_type_by_name(const char *name, sn_type *type);

/* Fills a definition of any type, of its def_size bytes, with the defaults. */
SN_API sn_result sn_type_default(sn_type type, void *def);

/* ---- Making, changing, removing ---- */

/* Makes a constraint of a type from a definition of that type, such as sn_distance_def. */
SN_API sn_result sn_constraint_create(sn_world *world, sn_type type, const void *def,
                                      sn_constraint *constraint);

/* Makes `count` constraints from an array of definitions, all of them or none. `constraints`
   receives the ids; it may be null. */
SN_API sn_result sn_constraints_create(sn_world *world, sn_type type, const void *defs,
                                       size_t count, sn_constraint *constraints);

/* Removes a constraint; its nodes stay. */
SN_API sn_result sn_constraint_destroy(sn_world *world, sn_constraint constraint);

/* The id of the constraint in a slot, from 0; SN_ERROR_ID for a slot that is empty. */
SN_API sn_result sn_world_constraint_at(const sn_world *world, size_t slot,
                                        sn_constraint *constraint);

/* Whether the id names a living constraint of this world. */
SN_API bool sn_constraint_is_valid(const sn_world *world, sn_constraint constraint);

/* The type that a constraint was made with. */
SN_API sn_result sn_constraint_get_type(const sn_world *world, sn_constraint constraint,
                                        sn_type *type);

/* Reads the constraint into a definition of its type, which must come from the default function.
   Automatic fields have the values that were chosen. Of a list the counts are given and the
   pointers left alone. */
SN_API sn_result sn_constraint_get(const sn_world *world, sn_constraint constraint, void *def);

/* The nodes of a constraint of any type: up to `capacity` ids, and in *count how many there are. */
SN_API sn_result sn_constraint_get_nodes(const sn_world *world, sn_constraint constraint,
                                         sn_node *nodes, size_t capacity, size_t *count);

/* The triangles of its list, three indices each: up to `capacity` triangles, and in *count how
   many there are. */
SN_API sn_result sn_constraint_get_triangles(const sn_world *world, sn_constraint constraint,
                                             uint32_t *triangles, size_t capacity, size_t *count);

/* Weights from 0 to 1 of the nodes of its list, one for each, in their order, from the next substep
   on; 1 at creation. surface_volume has them (`opposing`), other types are refused. */
SN_API sn_result sn_constraint_set_weights(sn_world *world, sn_constraint constraint,
                                           const sn_real *weights, size_t count);

/* Reads them: up to `capacity`, and in *count how many there are, 0 of other types. */
SN_API sn_result sn_constraint_get_weights(const sn_world *world, sn_constraint constraint,
                                           sn_real *weights, size_t capacity, size_t *count);

/*
 * Takes the fields of a definition over, from the next substep on. Its nodes must be those of the
 * constraint. Fields that are automatic in it are measured anew, where the nodes are now; what
 * follows from fields follows them, such as the inverse of a rest shape. What was measured at
 * creation beyond the fields stays: the size of gradients at rest, the turn that a frame was
 * attached with, the nodes and masses of a matched shape and what has become of it.
 */
SN_API sn_result sn_constraint_set(sn_world *world, sn_constraint constraint, const void *def);

/* One field by its name: a real, a side as its number, or the three components of a vector. */
SN_API sn_result sn_constraint_get_field(const sn_world *world, sn_constraint constraint,
                                         const char *name, sn_real value[3]);
SN_API sn_result sn_constraint_set_field(sn_world *world, sn_constraint constraint,
                                         const char *name, const sn_real value[3]);

/* Sets one field of all constraints of a type whose first node belongs to the body, such as the
   `activation` of the fibres of a muscle, from the next substep on: all of them or none. *count
   receives how many there are; it may be null. Constraints that have the value already cost a
   comparison. */
SN_API sn_result sn_body_set_field(sn_world *world, sn_body body, sn_type type, const char *name,
                                   const sn_real value[3], size_t *count);

/* Multiplies a field of numbers of these constraints by a factor above 0, as their compliance when
   a body becomes softer, from the next substep on: all of them or none. What is automatic stays so.
   *count receives how many constraints there are; it may be null. */
SN_API sn_result sn_body_scale_field(sn_world *world, sn_body body, sn_type type, const char *name,
                                     sn_real factor, size_t *count);

/*
 * Disables a constraint, or enables it again, from the next substep on. A disabled one keeps its
 * id, nodes and fields, and all calls work on it as before, but it does nothing: it moves no node,
 * its force is 0, it does not break, has no energy, does not change by itself, does not keep bodies
 * awake together, and contacts between what a seam or an attachment holds are made again. Both wake
 * its bodies. New constraints are enabled.
 *
 * It costs in a step what it costs enabled, so that what is gone for good is better destroyed. It
 * still reads its nodes: anchors must stay kinematic, and a formula of the user's is still asked.
 * Levels of a hierarchy (sinew/hierarchy.h) keep their edges.
 *
 * Enabled again it pulls from where its nodes are then, all at once where it is hard; the fields of
 * an attachment stay those it was made with.
 */
SN_API sn_result sn_constraint_set_enabled(sn_world *world, sn_constraint constraint, bool enabled);
SN_API sn_result sn_constraint_get_enabled(const sn_world *world, sn_constraint constraint,
                                           bool *enabled);

/* How many constraints of a type there are; all types together with SN_TYPE_COUNT. */
SN_API size_t sn_world_constraint_count(const sn_world *world, sn_type type);

/* ---- Reading ---- */

/*
 * C at the present positions, one number per row, and its gradient: gradient[row * n + k], with n =
 * nodes + frames of the type (or the nodes of the list), is the derivative of that row with respect
 * to the position of node k, and for k = nodes + j with respect to a rotation vector of node j in
 * its own frame. A null `gradient` is not filled.
 */
SN_API sn_result sn_constraint_evaluate(const sn_world *world, sn_constraint constraint,
                                        sn_real value[SN_MAX_ROWS], sn_vec3 *gradient);

/*
 * The force of the constraint in the last substep, lambda / h^2, one number per row; in single
 * precision, where substeps are shorter than 0.5 ms (1.5 of joints), what a weighted sum over those
 * of the step (of its last 1/60 s) gives for its end: one alone has the rounding of a length in it,
 * m ulp / h^2, and so has that of a step of one substep. Of 1 kg that swings on 1 m, with substeps
 * of 0.1 ms, it is right to 0.05 % in steps of 1/60 s, and to 9 % in steps of 1 ms. For a distance
 * in N, positive when it pushes its ends apart. That of its damping is not in it. Zero before the
 * first step, and where multipliers were not kept (sn_settings.keep_forces).
 */
SN_API sn_result sn_constraint_force(const sn_world *world, sn_constraint constraint,
                                     sn_real force[SN_MAX_ROWS]);

/* ---- Events ---- */

/* A constraint that broke in the last step: it is gone, and its id is stale. */
typedef struct sn_break_event {
    sn_constraint constraint;
    sn_type type;
    size_t substep; /* of the step, from 0 */
    sn_real force;  /* |lambda| / h^2 in J/C (N for a distance), above the break force */
    sn_node node;   /* the first of its nodes; its id may be stale after the step */
} sn_break_event;

/* The breaks of the last step, ordered by substep and then by id; valid until the next step. */
SN_API sn_result sn_world_breaks(const sn_world *world, const sn_break_event **events,
                                 size_t *count);

/*
 * Something that was not finite in the last step: a number that overflowed, or what a force field
 * or a formula of the user's returned. All nodes of the body (of nodes without a body, those that
 * were not finite) are back where they were when the step began, and kinematic: their inverse
 * masses are 0 until they are set again. Everything that they do not touch goes on as if nothing
 * had happened.
 */
typedef struct sn_freeze_event {
    sn_body body;             /* the null id for nodes without a body */
    sn_node node;             /* the first one that was not finite */
    size_t nodes;             /* how many were frozen */
    sn_constraint constraint; /* the first that is not finite, or whose force was not in the last
                       substep and is kept (sn_settings.keep_forces); null: it is from elsewhere */
    uint64_t step;            /* of this world, from 0 */
    size_t substep;           /* of the step, from 0 */
} sn_freeze_event;

/* What froze in the last step, in the order of substeps and nodes; valid until the next step. */
SN_API sn_result sn_world_freezes(const sn_world *world, const sn_freeze_event **events,
                                  size_t *count);

#ifdef __cplusplus
}
#endif

#endif
