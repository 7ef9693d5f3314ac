/*
 * A rig: one constraint of any type on nodes of its own, made from what sn_type_get_info says.
 *
 * No test in this folder names a type, so that a new line in the list of types is tested by being
 * there. Positions are pseudo-random and generic: no two coordinates alike, nothing symmetric.
 */
#ifndef SINEW_TESTS_CONSTRAINTS_RIG_H
#define SINEW_TESTS_CONSTRAINTS_RIG_H

#include <sinew/sinew.h>

#define RIG_MAX_NODES 16
#define RIG_MAX_COLUMNS (2 * RIG_MAX_NODES)
#define RIG_MAX_DEF 1024

/* The tolerance for a double build and the one for a float build. */
#ifdef SN_DOUBLE
#define RIG_PICK(of_double, of_float) (of_double)
#define RIG_EPSILON DBL_EPSILON
#else
#define RIG_PICK(of_double, of_float) (of_float)
#define RIG_EPSILON ((double)FLT_EPSILON)
#endif

/* The sequence of a linear congruential generator, from -1 to 1. */
double rig_random(uint64_t *state);
double rig_between(uint64_t *state, double low, double high);

/* Goes through all types, or through those alone that SINEW_TEST_TYPE names where it names some. */
#define FOR_EACH_TYPE(type)                                                                        \
    for (int type = rig_next_type(-1); type < SN_TYPE_COUNT; type = rig_next_type(type))

int rig_next_type(int type);
bool rig_is_narrow(void);

/* A fingerprint of bytes, begun from any number or from another fingerprint. */
uint64_t rig_hash(uint64_t hash, const void *data, size_t size);

/* ---- Solvers ---- */

/* A way to solve, and what it promises. */
typedef struct rig_solver {
    const char *name;
    sn_solver solver;
    bool alternate;
    bool keeps_momentum;
    sn_integrator integrator;
    int sweeps; /* per iteration: with BDF2 a sweep in turn goes forth and back */
} rig_solver;

#define RIG_SOLVERS 10
extern const rig_solver rig_solvers[RIG_SOLVERS];

/* Selects the solver, with so few colours for a hybrid that both of its halves have work. */
void rig_use_solver(sn_settings *settings, int solver);

/* ---- Definitions without their struct ---- */

/* Room for a definition of any type. */
typedef union rig_def {
    size_t size;
    double align;
    unsigned char bytes[RIG_MAX_DEF];
} rig_def;

/* What follows the size in the definition of a type with a list. */
typedef struct rig_list {
    const sn_node *nodes;
    size_t node_count;
    const uint32_t *triangles;
    size_t triangle_count;
} rig_list;

/* Zero bytes, then the size, the nodes and the default of every field, from the table. A list
   points to `nodes`, and a surface is a tetrahedron. */
/* How many nodes a constraint is made with here: the least there can be, but of a fan as many as
   make its rows independent of each other. */
int rig_nodes(const sn_type_info *info);

void rig_def_fill(const sn_type_info *info, const sn_node *nodes, void *def);

/* Sets every component of a field; false where the type has none of that name. */
bool rig_def_set(const sn_type_info *info, void *def, const char *name, double value);

/* Sets a vector; false where the type has none of that name. */
bool rig_def_set_vector(const sn_type_info *info, void *def, const char *name, sn_vec3 value);

/* Sets every choice to the second; false where there is none. */
bool rig_def_choose(const sn_type_info *info, void *def);

/* Sets one field, of which the info is at hand. */
void rig_field_set(const sn_field_info *field, void *def, double value);

/* ---- One constraint ---- */

typedef struct rig_options {
    uint64_t seed;
    double scale;    /* m, the size of the arrangement */
    double mass;     /* kg, masses are this times 0.5 to 2 */
    bool coincident; /* all nodes at one point */
    bool massless;   /* all nodes with inverse mass 0 */
    bool grid;       /* coordinates that are multiples of 1/64 of the scale */
    bool null_fixed; /* null ids for the nodes that are only read */
    double compliance, damping, stiffness;
    double break_force; /* 0: never breaks */
    sn_side side;
    const sn_vec3 *axis;               /* of a type that has one; null: its default */
    const sn_vec3 *anchors;            /* two, of a type that has them; null: its defaults */
    bool other_forms;                  /* what a type has a choice for is the second of it */
    sn_settings settings;              /* no gravity */
    const sn_user_type_def *user_type; /* a type to add to the world and to use; null for none */
} rig_options;

/* Where the nodes are and how they are turned. */
typedef struct rig_state {
    double x[RIG_MAX_NODES][3];
    double q[RIG_MAX_NODES][4]; /* x, y, z, w; of frames */
} rig_state;

typedef struct rig {
    const sn_type_info *info;
    sn_type type;
    sn_world *world;
    int nodes;  /* in the definition */
    int moved;  /* of which the constraint moves the first ones */
    int frames; /* of which the first ones are oriented */
    double scale;
    sn_node node[RIG_MAX_NODES];
    sn_constraint constraint;
    bool norm; /* whether its only row is a length, which is zero where it is made */
    /* Which rows of several are lengths: zero where the constraint was made, above it all around,
       and without a gradient there. */
    bool length[SN_MAX_ROWS];
    bool lengths;   /* whether there are any */
    rig_state made; /* the rest of those that have */
} rig;

/* Columns of the gradient are the positions of the nodes, then the rotations of the frames. */
typedef struct rig_value {
    double c[SN_MAX_ROWS];
    double gradient[SN_MAX_ROWS][RIG_MAX_COLUMNS][3];
    double norm; /* |C| */
    double size; /* what the largest gradient makes of a scale or a radian: |C| is compared to it */
} rig_value;

rig_options rig_options_default(void);

/* Makes world, nodes and constraint. The result is that of sn_constraint_create; the rig is to be
   freed in any case. With a user_type in the options the number of the type is not used. */
sn_result rig_make(rig *r, sn_type type, const rig_options *options);
void rig_free(rig *r);

rig_value rig_evaluate(const rig *r);

/* Checks the gradient against central differences of C (V16), relative to its size. */
void rig_check_gradient(rig *r, double tolerance);

/* What rounding and truncation of these differences come to. */
#define RIG_GRADIENT_TOLERANCE RIG_PICK(1e-6, 3e-4)

/* Whether the column stands for something that varies: a node rather than a null id. */
bool rig_has_column(const rig *r, int column);

/* Whether the constraint moves what the column stands for. */
bool rig_moves_column(const rig *r, int column);

/* What a force on the column accelerates, in its three directions: inverse mass or inertia. */
void rig_inverse_mass(const rig *r, int column, double w[3]);

rig_state rig_get_state(const rig *r);
void rig_set_state(rig *r, const rig_state *state);

/* Moves what the column stands for: by a way in m, or by a rotation vector in its own frame. */
void rig_move(rig_state *state, const rig *r, int column, const double way[3]);

/* Moves every node that the constraint moves by up to `amount` scales and radians. */
void rig_deform(rig *r, double amount, uint64_t seed);

/* Gives the nodes that the constraint moves velocities of up to `speed` in each coordinate. */
void rig_throw(rig *r, double speed, uint64_t seed);

/* Adds a force, or a torque in its own frame, to what the column stands for. */
void rig_push(rig *r, int column, const double force[3]);

/* How many rows are lengths. */
int rig_length_rows(const rig *r);

/* Brings C to a value by Gauss-Newton on the state; null means zero, where lengths go back to what
   they were made as. False if it cannot. */
bool rig_drive(rig *r, const double *target);

/* Whether everything about all nodes of a world is finite. */
bool rig_is_finite(const sn_world *world);

/* The largest distance of a node from where it was, a radian counted as a scale. */
double rig_moved_by(const rig *r, const rig_state *from);

/* ---- Rigid motions ---- */

/* The vector in the frame of the world that has these components in a frame. */
void rig_rotate(const double q[4], const double v[3], double out[3]);

typedef struct rig_motion {
    double rotation[4];
    double shift[3];
} rig_motion;

rig_motion rig_motion_random(double shift, uint64_t seed);
void rig_apply_motion(rig *r, const rig_motion *motion);

#endif
