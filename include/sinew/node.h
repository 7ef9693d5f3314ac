/*
 * Nodes and bodies, which group them.
 *
 * A node is a particle; an oriented node has a rotation and an inertia as well, and is what rods
 * and rigid bodies are made of. A node with inverse mass 0 is kinematic: constraints and gravity do
 * not move it, it keeps its own velocity or follows a target. Nodes may be added and removed
 * between any two steps.
 */
#ifndef SINEW_NODE_H
#define SINEW_NODE_H

#include <sinew/field.h>
#include <sinew/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An id: a small value to be kept and copied. All zero is the null id. `slot` is the place in the
   arrays of sn_node_view plus one; the rest tells stale and foreign ids from valid ones. */
typedef struct sn_node {
    uint32_t slot;
    uint16_t generation;
    uint16_t world;
} sn_node;

/* The id of a body, made like that of a node. */
typedef struct sn_body {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_body;

/* ---- Bodies ---- */

/* What a surface is made of, as far as contacts are concerned: 0 to 255, as the user numbers them.
   contact.h says what pairs of them do. */
typedef uint32_t sn_material;

/* How the constraints of a body are solved. */
typedef enum sn_body_solver {
    SN_BODY_SOLVER_WORLD = 0, /* that of the settings */
    /* Constraints between its nodes, and with nodes of other bodies that have this too, are solved
       all at once as far as they form trees: chains, rods, bodies on joints. For what is stiff or
       long or carries far more than it weighs. The rest is the solver's, docs/solvers.md. */
    SN_BODY_SOLVER_DIRECT = 1,
    /* As direct for the positions; orientations of rods have no inertia, and turn to where they are
       in equilibrium, in closed form (Hsu et al. 2025, Stable Cosserat Rods), with one stiffness
       for bending and twist. Torques and velocities of frames have no effect. */
    SN_BODY_SOLVER_CLOSED_FORM = 2
} sn_body_solver;

/* A group of nodes that share gravity, damping and material. Nodes without a body use the world's
   gravity and damping, and have the material 0. Rigid damping is that of section 3.5 of the 2007
   paper, which keeps momentum and angular momentum. Nodes of rods are better left without rolling:
   it would twist the rod. */
#define SN_BODY_FIELDS(FIELD, ARRAY)                                                               \
    FIELD(VEC3, gravity, "m/s^2", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                        \
          "automatic: that of the world")                                                          \
    FIELD(REAL, damping, "1/s", 0, SN_REAL_MAX, 0, false, "added to that of the world")            \
    FIELD(REAL, rigid_damping, "1/s", 0, SN_REAL_MAX, 0, false, "of all motion that is not rigid") \
    FIELD(WORD, material, "", 0, 255, 0, false, "of its surface")                                  \
    FIELD(BOOL, rolls, "", 0, 1, 0, false,                                                         \
          "oriented nodes with a radius are balls that friction turns")                            \
    FIELD(BOOL, may_sleep, "", 0, 1, 1, false, "where `sleep_time` lets bodies sleep")             \
    FIELD(ENUM(sn_body_solver), solver, "world|direct|closed_form", 0, SN_BODY_SOLVER_CLOSED_FORM, \
          SN_BODY_SOLVER_WORLD, false,                                                             \
          "direct: trees of its constraints all at once; closed_form: so, with frames of rods "    \
          "that have no inertia; see docs/solvers.md")

/* sn_body_def and its default. */
SN_DECLARE_OBJECT(body, SN_BODY_FIELDS)

/* Makes a body without nodes; nodes name it in their definition. */
SN_API sn_result sn_body_create(sn_world *world, const sn_body_def *def, sn_body *body);
/* Destroys the body with all its nodes and every constraint on them. */
SN_API sn_result sn_body_destroy(sn_world *world, sn_body body);
SN_API sn_result sn_body_get(const sn_world *world, sn_body body, sn_body_def *def);
SN_API sn_result sn_body_set(sn_world *world, sn_body body, const sn_body_def *def);

/* Whether the body sleeps (sn_settings.sleep_time); false for an id that is not valid. */
SN_API bool sn_body_is_asleep(const sn_world *world, sn_body body);
/* Wakes the body and all that sleep with it. One that is awake has to be slow for the whole sleep
   time again. Calls that change a body wake it by themselves; this is for what the library cannot
   see, such as a type of constraint of your own whose data have changed. */
SN_API sn_result sn_body_wake(sn_world *world, sn_body body);

/* ---- Making and removing nodes ---- */

/* The group of nodes that no collider touches and no query finds, whatever its mask. */
#define SN_GROUP_NONE UINT32_MAX

/* A particle, or with `oriented` a small rigid body; without it what is about its frame does not
   count. Masks of colliders, collision surfaces and queries go by the group. */
#define SN_NODE_FIELDS(FIELD, ARRAY)                                                               \
    FIELD(VEC3, position, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "at the start")                \
    FIELD(VEC3, velocity, "m/s", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "at the start")              \
    FIELD(REAL, inverse_mass, "1/kg", 0, SN_REAL_MAX, 1, false, "0 makes the node kinematic")      \
    FIELD(REAL, radius, "m", 0, SN_REAL_MAX, 0, false, "for contact and pictures")                 \
    FIELD(WORD, group, "", 0, 4294967295.0, 0, false, "any number, by which masks tell nodes")     \
    FIELD(BODY, body, "", 0, 0, 0, false, "whose gravity and damping it shares; null: none")       \
    FIELD(BOOL, oriented, "", 0, 1, 0, false, "whether it has an orientation")                     \
    FIELD(QUAT, orientation, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                             \
          "from its frame to the world's, made unit")                                              \
    FIELD(VEC3, angular_velocity, "rad/s", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                    \
          "in the frame of the world")                                                             \
    FIELD(VEC3, inverse_inertia, "1/(kg m^2)", 0, SN_REAL_MAX, 1, false,                           \
          "about its axes; 0: nothing turns it")

/* sn_node_def and its default. */
SN_DECLARE_OBJECT(node, SN_NODE_FIELDS)

/* Makes one node. */
SN_API sn_result sn_node_create(sn_world *world, const sn_node_def *def, sn_node *node);

/* Makes `count` nodes from an array, all of them or none. `nodes` receives the ids; it may be
   null. Nodes made together in an empty world have consecutive slots. */
SN_API sn_result sn_nodes_create(sn_world *world, const sn_node_def *defs, size_t count,
                                 sn_node *nodes);

/* Removes a node and every constraint on it. Its slot may be given to a later node. */
SN_API sn_result sn_node_destroy(sn_world *world, sn_node node);

/* The same for many, in one pass over the constraints, all of them or none. */
SN_API sn_result sn_nodes_destroy(sn_world *world, const sn_node *nodes, size_t count);

/* The id of the node or body in a slot, from 0; SN_ERROR_ID for a slot that is empty. */
SN_API sn_result sn_world_node_at(const sn_world *world, size_t slot, sn_node *node);
SN_API sn_result sn_world_body_at(const sn_world *world, size_t slot, sn_body *body);

/* Whether the id names a living node of this world. */
SN_API bool sn_node_is_valid(const sn_world *world, sn_node node);

/* ---- Reading ---- */

/*
 * The nodes without copying: arrays over all slots, valid until the next call that is not const.
 * A slot is in use where alive[i] is 1. The slot of an id is node.slot - 1.
 */
typedef struct sn_node_view {
    size_t count;                /* slots */
    const sn_vec4 *position;     /* m */
    const sn_vec4 *velocity;     /* m/s */
    const sn_real *inverse_mass; /* 1/kg */
    const sn_real *radius;       /* m */
    const uint32_t *group;
    const uint8_t *alive;
} sn_node_view;

/* Points the view at the nodes of the world. */
SN_API sn_result sn_world_nodes(const sn_world *world, sn_node_view *view);

/*
 * The oriented nodes without copying: arrays over all frames, as above. A slot is in use where
 * alive[i] is 1, and node[i] is then the slot of its node.
 */
typedef struct sn_frame_view {
    size_t count;                    /* slots */
    const sn_quat *orientation;      /* from the frame of the node to the world's */
    const sn_vec4 *angular_velocity; /* rad/s, in the frame of the node */
    const sn_vec4 *inverse_inertia;  /* 1/(kg m^2), about the axes of the node */
    const uint32_t *node;            /* slot in sn_node_view */
    const uint8_t *alive;            /* 1 where the slot is in use */
} sn_frame_view;

/* Points the view at the frames of the oriented nodes. */
SN_API sn_result sn_world_frames(const sn_world *world, sn_frame_view *view);

/* One node as a definition, with its present position and velocity. */
SN_API sn_result sn_node_get(const sn_world *world, sn_node node, sn_node_def *def);

/* ---- Changing ---- */

/* Teleports the node: it is at `position` at once and keeps its velocity; the jump itself gives it
   none. Constraints see it at its new place in the next substep. */
SN_API sn_result sn_node_set_position(sn_world *world, sn_node node, sn_vec3 position);

/* m/s. A kinematic node moves with this velocity until it is changed. */
SN_API sn_result sn_node_set_velocity(sn_world *world, sn_node node, sn_vec3 velocity);

/* 1/kg. Made kinematic, a node keeps its velocity: set that to zero to pin it. Made dynamic, it
   loses its target. */
SN_API sn_result sn_node_set_inverse_mass(sn_world *world, sn_node node, sn_real inverse_mass);

/* m, at least 0. An ellipsoid becomes a ball. */
SN_API sn_result sn_node_set_radius(sn_world *world, sn_node node, sn_real radius);
/* Any number: masks of colliders, collision surfaces and queries have a bit for each of 0 to 31. */
SN_API sn_result sn_node_set_group(sn_world *world, sn_node node, uint32_t group);

/*
 * Sends a kinematic node to `target`, in m: during the next step it moves there on a straight line,
 * at constant speed over all substeps, and is exactly there at the end. It then stands still until
 * it is given another target or a velocity. Refused (SN_ERROR_VALUE) for a node with a finite mass.
 */
SN_API sn_result sn_node_set_target(sn_world *world, sn_node node, sn_vec3 target);

/* N, constant over the next step, then forgotten. Forces of several calls add up. No effect on
   kinematic nodes. */
SN_API sn_result sn_node_add_force(sn_world *world, sn_node node, sn_vec3 force);

/* N s: changes the velocity at once by impulse * inverse mass. No effect on kinematic nodes. */
SN_API sn_result sn_node_apply_impulse(sn_world *world, sn_node node, sn_vec3 impulse);

/* ---- Oriented nodes; SN_ERROR_VALUE for a node that is none ---- */

/* Turns the node at once, like a teleport: its angular velocity in the world stays. The quaternion
   is made unit; one of length zero is refused. */
SN_API sn_result sn_node_set_orientation(sn_world *world, sn_node node, sn_quat orientation);

/* rad/s, in the frame of the world. A node that nothing turns (inverse inertia 0) goes on with
   it. */
SN_API sn_result sn_node_set_angular_velocity(sn_world *world, sn_node node, sn_vec3 velocity);

/* 1/(kg m^2), at least 0, about the axes of the node. */
SN_API sn_result sn_node_set_inverse_inertia(sn_world *world, sn_node node,
                                             sn_vec3 inverse_inertia);

/*
 * Makes the node an ellipsoid with these half axes (m, 1e-12 to 1e15) along the axes of its frame.
 * Its radius becomes the largest of them, and setting the radius makes it a ball again. Its inertia
 * stays what it is.
 *
 * Colliders keep the whole of it outside: it reaches as far towards a surface as the ellipsoid does
 * along the normal, which is exact for planes and a little early on what is round. Where its body
 * rolls (sn_body_def.rolls), pushes that are off its centre turn it, as friction does. In collision
 * surfaces it reaches as far as the ellipsoid does along the line between what touches; pushes
 * between collision surfaces do not turn it. Queries, and searches for what may touch, see a ball
 * of the largest half axis.
 */
SN_API sn_result sn_node_set_radii(sn_world *world, sn_node node, sn_vec3 radii);

/* m: half axes of an ellipsoid; three times the radius of a node that is none, oriented or not. */
SN_API sn_result sn_node_get_radii(const sn_world *world, sn_node node, sn_vec3 *radii);

/*
 * Sends an oriented node with inverse inertia 0 to an orientation: during the next step it turns
 * there evenly, by the shorter way, and is exactly there at the end. Then it stands still.
 */
SN_API sn_result sn_node_set_target_orientation(sn_world *world, sn_node node, sn_quat target);

/* N m in the frame of the world, constant over the next step, then forgotten. */
SN_API sn_result sn_node_add_torque(sn_world *world, sn_node node, sn_vec3 torque);

#ifdef __cplusplus
}
#endif

#endif
