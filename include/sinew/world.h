/*
 * A world: nodes, bodies and constraints, and the step that moves them.
 *
 * A world belongs to one thread at a time; any number of worlds may live on any number of threads.
 * Worlds share nothing. The same calls give the same bits on every machine, for every number of
 * threads and every SIMD width.
 */
#ifndef SINEW_WORLD_H
#define SINEW_WORLD_H

#include <sinew/field.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Settings: what may change between any two steps ---- */

/* In which order constraints are projected. */
typedef enum sn_solver {
    /* Gauss-Seidel colour by colour: constraints of one colour share no node, so they are solved
       together by SIMD lanes and threads. Joints of light bodies under heavy loads, which sweeps
       cannot hold, are solved as trees (docs/joints.md). */
    SN_SOLVER_COLOURED = 0,
    /* Gauss-Seidel in the order in which constraints were created, one by one, on one thread. */
    SN_SOLVER_REFERENCE = 1,
    /* Jacobi with split masses: all constraints at once, each on its share of the mass of its
       nodes. Keeps momentum, is always stable, and is about four times softer than Gauss-Seidel. */
    SN_SOLVER_JACOBI = 2,
    /* Jacobi with averaged corrections times `relaxation` (survey section 6.1.2). Meets hard
       constraints, but keeps no momentum, and compliances and forces mean nothing with it. */
    SN_SOLVER_AVERAGED = 3,
    /* The first `hybrid_colours` colours of each type as in COLOURED, the rest as in JACOBI. */
    SN_SOLVER_HYBRID = 4,
    /* Trees of constraints (chains, rods, bodies on joints) at once, in a time that grows with
       their length, the rest as in COLOURED. SN_BODY_SOLVER_DIRECT has it for some bodies only. */
    SN_SOLVER_DIRECT = 5,
    /* Gauss-Seidel in at most `split_colours` colours of each type: nodes with more constraints are
       split into parts, which are put together again after each sweep (survey section 6.1.3).
       Keeps momentum, and is the softer the more is split. */
    SN_SOLVER_SPLIT = 6
} sn_solver;

/* What stiffness means. */
typedef enum sn_model {
    /* Compliance in SI units and multipliers kept over the iterations (XPBD, 2016). */
    SN_MODEL_XPBD = 0,
    /* The 2007 algorithm: the field `stiffness` k in [0, 1] and k' = 1 - (1 - k)^(1 / iterations).
       Compliance and damping of constraints have no effect. */
    SN_MODEL_PBD = 1
} sn_model;

/* How the motion of nodes goes on in time, and orientations with them: a free one keeps its angular
   momentum to rounding with either. docs/integrators.md has the numbers. */
typedef enum sn_integrator {
    /* Backward Euler: gains no energy where a substep solves its constraints, nor has it where one
       was far from that (elastic_energy of sn_measure says what counts), and loses it at the rate
       omega^2 h from everything that swings. A pendulum of 1 m has 88 % of its energy left after
       10 s with h = 1/1200 s. */
    SN_INTEGRATOR_BDF1 = 0,
    /* The second order formula of the same family: the same pendulum keeps 99.99 %, and errors fall
       with h^2. A substep costs about twice as much, because every sweep goes forth and back, and a
       node 68 bytes more. A body goes on with BDF1 for one substep when it is new, when the length
       of substeps or gravity changes, and after every call that changes position, velocity, mass or
       orientation of one of its nodes; nodes without a body count as one. So keep substeps equally
       long. */
    SN_INTEGRATOR_BDF2 = 1
} sn_integrator;

/* All of both, for tables: LINE(lower, UPPER) for each, in the order of their numbers. The lower
   name is the one that scene files have. */
#define SN_SOLVERS(LINE)                                                                           \
    LINE(coloured, COLOURED)                                                                       \
    LINE(reference, REFERENCE)                                                                     \
    LINE(jacobi, JACOBI)                                                                           \
    LINE(averaged, AVERAGED)                                                                       \
    LINE(hybrid, HYBRID)                                                                           \
    LINE(direct, DIRECT)                                                                           \
    LINE(split, SPLIT)
#define SN_INTEGRATORS(LINE)                                                                       \
    LINE(bdf1, BDF1)                                                                               \
    LINE(bdf2, BDF2)

/* How many there are. */
#define SN_COUNT_LINE(lower, upper) +1
enum {
    SN_SOLVER_COUNT = 0 SN_SOLVERS(SN_COUNT_LINE),
    SN_INTEGRATOR_COUNT = 0 SN_INTEGRATORS(SN_COUNT_LINE)
};

/* Their names; null where there is none of that number. */
SN_API const char *sn_solver_name(sn_solver solver);
SN_API const char *sn_integrator_name(sn_integrator integrator);

/* Where friction acts. */
typedef enum sn_friction {
    /* On positions, in every sweep: what sticks does not creep (survey section 5.4.4). */
    SN_FRICTION_POSITION = 0,
    /* On the velocities of what touched, once at the end of a substep, as in the 2007 paper: what
       should stick slides on with what gravity gives in a substep, some millimetres a second. */
    SN_FRICTION_VELOCITY = 1
} sn_friction;

/* How overlapping boxes of the nodes and segments of collision surfaces are found. What is found,
   and so the motion, does not depend on it; triangles have trees of their own. */
typedef enum sn_broad_phase {
    SN_BROAD_AUTO = 0, /* the grid for boxes of much the same size, the tree for others */
    SN_BROAD_GRID = 1, /* rows of cells, sorted anew each time; what is uneven goes to the tree */
    SN_BROAD_TREE = 2  /* a tree, fitted anew while boxes move little */
} sn_broad_phase;

/* The plane of a world with two dimensions. */
typedef enum sn_plane {
    SN_PLANE_NONE = 0, /* it has three */
    SN_PLANE_YZ = 1,   /* nothing moves along x */
    SN_PLANE_XZ = 2,   /* nothing moves along y */
    SN_PLANE_XY = 3    /* nothing moves along z */
} sn_plane;

/*
 * How a world is stepped.
 *
 * Sleep: bodies sleep, and cost next to nothing, once none of their nodes has moved faster than
 * `sleep_speed` for `sleep_time`; those that are joined by constraints or damping groups, or that
 * touch each other, fall asleep and wake together. Asleep, a body keeps the bits of its positions
 * and has no velocity. It wakes by every call that changes it, what it is joined with or these
 * settings, and by kinematic nodes and colliders that move; force fields keep all bodies awake.
 * Nodes without a body never sleep. The speed is that of a whole step; of oriented nodes also the
 * one at 0.1 m from them.
 *
 * `keep_forces` lets sn_constraint_force be read after a step. Off, only the multipliers that the
 * solve or a break force needs are kept, which is a little faster. It never changes the motion.
 *
 * With a `plane`, every node that is not kinematic keeps its coordinate across it, to the bit, and
 * turns about its normal alone, whatever forces, constraints and contacts do. Surfaces that bodies
 * get of triangles are their outlines then.
 *
 * `alternate` has no effect with BDF2, where every iteration sweeps forth and back. Air is that
 * around sheets (sinew/sheet.h), with a density of 1.2 kg/m^3 at 20 degrees and sea level. Gusts
 * are eddies that the wind carries along; the same place and time has the same gust in every run.
 */
#define SN_SETTINGS_FIELDS(FIELD, ARRAY)                                                           \
    FIELD(VEC3_OF(0, -9.81, 0), gravity, "m/s^2", -SN_REAL_MAX, SN_REAL_MAX, 0, false,             \
          "acceleration of all nodes")                                                             \
    FIELD(INT, substeps, "1", 1, 10000, 20, false, "per step, which is a frame of a scene")        \
    FIELD(INT, iterations, "1", 1, 10000, 1, false, "solver sweeps per substep")                   \
    FIELD(ENUM(sn_solver), solver, SN_NAMES_OF(SN_SOLVERS), 0, SN_SOLVER_COUNT - 1,                \
          SN_SOLVER_COLOURED, false,                                                               \
          "in which order constraints are projected, see docs/solvers.md")                         \
    FIELD(ENUM(sn_model), model, "xpbd|pbd", 0, SN_MODEL_PBD, SN_MODEL_XPBD, false,                \
          "what stiffness means: compliance, or k of the 2007 paper")                              \
    FIELD(ENUM(sn_integrator), integrator, SN_NAMES_OF(SN_INTEGRATORS), 0,                         \
          SN_INTEGRATOR_COUNT - 1, SN_INTEGRATOR_BDF1, false,                                      \
          "how motion goes on in time, see docs/integrators.md")                                   \
    FIELD(REAL, relaxation, "1", 0, 2, 1, false, "of the averaged solver, above 0 and below 2")    \
    FIELD(INT, hybrid_colours, "1", 0, 63, 8, false, "colours of the hybrid solver")               \
    FIELD(BOOL, alternate, "", 0, 1, 0, false, "sweep backwards in every second iteration")        \
    FIELD(REAL, damping, "1/s", 0, SN_REAL_MAX, 0, false, "dv/dt = -damping v for every node")     \
    FIELD(REAL, speed_limit, "m/s", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                     \
          "no node is predicted faster; automatic: no limit")                                      \
    FIELD(BOOL, keep_forces, "", 0, 1, 1, false, "keep the forces of all constraints for reading") \
    FIELD(ENUM(sn_friction), friction, "position|velocity", 0, SN_FRICTION_VELOCITY,               \
          SN_FRICTION_POSITION, false,                                                             \
          "where friction of contacts acts; velocity: as in the 2007 paper, which creeps")         \
    FIELD(REAL, sleep_time, "s", 0, SN_REAL_MAX, SN_AUTO, true,                                    \
          "bodies that have been slow for so long sleep, see docs/contact.md; automatic: nothing " \
          "sleeps")                                                                                \
    FIELD(REAL, sleep_speed, "m/s", 0, SN_REAL_MAX, 0.02, false,                                   \
          "what is slow, over a whole step")                                                       \
    FIELD(REAL, air_density, "kg/m^3", 0, SN_REAL_MAX, 0, false,                                   \
          "of the air around cloth, see docs/cloth.md; 1.2 near the ground, 0: none")              \
    FIELD(VEC3, wind, "m/s", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "velocity of the air")           \
    FIELD(REAL, gust_strength, "m/s", 0, SN_REAL_MAX, 0, false,                                    \
          "root mean square of what gusts add to the wind")                                        \
    FIELD(REAL, gust_length, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 2, false,                            \
          "of the longest eddies; the shortest are 1/4 of it")                                     \
    FIELD(REAL, gust_period, "s", SN_ABOVE_ZERO, SN_REAL_MAX, 2, false,                            \
          "in which the longest eddies change")                                                    \
    FIELD(ENUM(sn_broad_phase), broad_phase, "auto|grid|tree", 0, SN_BROAD_TREE, SN_BROAD_AUTO,    \
          false,                                                                                   \
          "how overlapping boxes of collision surfaces are found, see docs/contact.md; changes "   \
          "no motion")                                                                             \
    FIELD(ENUM(sn_plane), plane, "none|yz|xz|xy", 0, SN_PLANE_XY, SN_PLANE_NONE, false,            \
          "of a world with two dimensions, see docs/methods/planes.md; none: it has three")        \
    FIELD(INT, split_colours, "1", 1, 63, 4, false, "most colours of a type, of the split solver") \
    FIELD(INT, balanced_colours, "1", 0, 63, 0, false,                                             \
          "constraints that are made fill so many colours of their type evenly; 0: each takes "    \
          "the lowest that is free")

/* The settings; `size` is set by sn_settings_default. */
typedef struct sn_settings {
    SN_MEMBERS(SN_SETTINGS_FIELDS)
} sn_settings;

SN_API sn_settings sn_settings_default(void);

/* ---- Making a world ---- */

/* What is fixed when a world is made. */
typedef struct sn_world_def {
    size_t size;          /* set by sn_world_def_default */
    sn_settings settings; /* from sn_settings_default */
    /* 1 to 256; 0 means what the environment variable SINEW_THREADS says, or one per core; default
       1. Where there are no threads, as in WebAssembly, any number means one. */
    int threads;
    /* 1, 4, 8 or 16 lanes; 0 means what the environment variable SINEW_WIDTH says, or the best for
       this machine; default 0. On x86-64, 8 lanes need AVX2 and 16 need AVX-512; fewer are used,
       and the log is told, where the machine has not got them. */
    int simd_width;
    sn_allocator allocator; /* reallocate null means the C library's */
    sn_task_system tasks;   /* start null means the built-in pool */
    sn_log *log;            /* null means silence */
    void *log_user;         /* handed to log */
} sn_world_def;

SN_API sn_world_def sn_world_def_default(void);

/* Makes an empty world. On failure *world is null. A null definition means the default one. Where
   the environment is asked and has a value that makes no sense, that is SN_ERROR_VALUE. */
SN_API sn_result sn_world_create(const sn_world_def *def, sn_world **world);

/* Frees the world and everything in it; its ids become invalid. Null is allowed. Not to be called
   from inside a step. */
SN_API void sn_world_destroy(sn_world *world);

/* The settings, as they are and as they shall be from the next step on. */
SN_API sn_result sn_world_get_settings(const sn_world *world, sn_settings *settings);
/* Refused as a whole when any of them is out of range. */
SN_API sn_result sn_world_set_settings(sn_world *world, const sn_settings *settings);

/* ---- The step ---- */

/*
 * Moves the world on by dt seconds, from 0 to 1e6: dt = 0 changes nothing, and a dt that is
 * negative, longer than these twelve days or no number is refused.
 * The step is divided into settings.substeps equal substeps, fewer where one would be shorter than
 * a microsecond; less than a microsecond in all is carried over to the next step. Steps may have
 * different lengths.
 */
SN_API sn_result sn_world_step(sn_world *world, sn_real dt);

/* How many lanes the solver of this world uses: 1, 4, 8 or 16; and how many threads. */
SN_API int sn_world_simd_width(const sn_world *world);
SN_API int sn_world_threads(const sn_world *world);

/* Simulated time in s: the sum of all dt, in double so that long runs keep their resolution. */
SN_API double sn_world_time(const sn_world *world);

/* ---- Force fields ---- */

/* What a force field is shown: all node slots of the world, as in sn_node_view. */
typedef struct sn_force_field_input {
    size_t count;                /* node slots */
    const sn_vec4 *position;     /* m, at the beginning of the substep; BDF2: expected at its end */
    const sn_vec4 *velocity;     /* m/s, at the beginning; BDF2: expected at the end */
    const sn_real *inverse_mass; /* 1/kg; 0 for kinematic nodes and empty slots */
    double time;                 /* s, at the beginning of the substep */
} sn_force_field_input;

/*
 * Adds to acceleration[i], in m/s^2, for the nodes it acts on. (A force F is the acceleration
 * F * inverse_mass[i].) Called once per substep on the stepping thread; the world is locked
 * meanwhile. What it adds to kinematic nodes and empty slots is ignored.
 */
typedef void sn_force_field(void *user, const sn_force_field_input *input, sn_vec4 *acceleration);

/* Adds a field; fields act in the order in which they were added. At most 64 of them. */
SN_API sn_result sn_world_add_force_field(sn_world *world, sn_force_field *field, void *user);

/* Removes the first field that was added with this pair; SN_ERROR_ID when there is none. */
SN_API sn_result sn_world_remove_force_field(sn_world *world, sn_force_field *field, void *user);

/* ---- Wind ---- */

/*
 * Says what the wind is, in m/s, at every node slot of the world: wind[i] at input->position[i].
 * When it is called wind[i] is what the settings make of it, gusts included. Called once per
 * substep on the stepping thread, where there are sheets and air_density is above 0; the world is
 * locked meanwhile. Only what it says for nodes of sheets has an effect.
 */
typedef void sn_wind(void *user, const sn_force_field_input *input, sn_vec4 *wind);

/* Makes a function the wind from the next step on; null for the settings alone. As force fields
   are, it is no part of snapshots, a recording has what it did, and all bodies stay awake. */
SN_API sn_result sn_world_set_wind(sn_world *world, sn_wind *wind, void *user);

/* ---- Looking at a world ---- */

/* A fingerprint of the state: positions, velocities and masses of all nodes, and the time. Two
   runs are equal to the bit when their hashes are, whatever the machine. */
SN_API uint64_t sn_world_hash(const sn_world *world);

/* What the last step did and how long each stage took. Times are wall clock in s. */
typedef struct sn_stats {
    size_t nodes;       /* alive */
    size_t constraints; /* alive */
    size_t colours;     /* summed over the types: barriers per sweep */
    size_t sequential;  /* constraints beyond the colours, solved one by one */
    size_t substeps;    /* of the last step */
    size_t projections; /* constraint projections in the last step, of those that are awake */
    size_t broken;      /* constraints that broke in the last step */
    size_t torn;        /* nodes of sheets and tet meshes that were split in the last step */
    size_t contacts;    /* of sn_world_contacts, without those that ended */
    size_t candidates;  /* pairs of elements that might have collided in the last step */
    size_t detections;  /* how often these were found in it: more than once where it was wild */
    size_t overlaps;    /* contacts that overlap by more than 0.1 mm now, of colliders and collision
                     surfaces */
    double overlap;     /* m, the deepest of them; 0 without one */
    size_t
        truncations;  /* nodes of penetration-free collision surfaces whose way was shortened, over
                        all substeps */
    size_t breaches;  /* pairs that were passed: kinematic nodes left no room */
    size_t crossings; /* edges in triangles when the step began, where collision surfaces untangle;
                      sn_world_count_crossings has all */
    size_t penetrations; /* pairs of elements that have passed each other in a step and are pulled
                            back: that it happens, and not how much is tangled */
    size_t asleep;       /* bodies that sleep now */
    size_t memory;       /* bytes held from the allocator */
    double time_step;    /* s, the whole call */
    double time_prepare; /* s, planning and coefficients */
    double time_find;    /* s, finding what may collide */
    double time_predict; /* s, forces and prediction (with the update that is fused into it) */
    double time_project; /* s, the constraint solve */
    double time_contact; /* s, the contact solve */
    double time_update;  /* s, velocities, damping, limits and breaking */
} sn_stats;

/* Copies the statistics of the last step. */
SN_API sn_result sn_world_stats(const sn_world *world, sn_stats *stats);

/*
 * How many edges of collision surfaces, segments included, pass through triangles of collision
 * surfaces that they may collide with: exactly, where everything is now. 0 is what should be. An
 * edge through three triangles counts as three; elements with a node in common do not count, nor do
 * those that seams and attachments hold together. It costs about as much as a search for contacts.
 */
SN_API sn_result sn_world_count_crossings(const sn_world *world, size_t *crossings);

/* Sums over the world, taken in double and in a fixed order when they are asked for. */
typedef struct sn_measure {
    double mass;             /* kg, of nodes with a finite mass */
    double kinetic_energy;   /* J */
    double potential_energy; /* J, of gravity, zero at the origin */
    /* J, of constraints with a compliance above zero: half of compliance force^2, with the forces
       of the last substep, which is what they can give back; half of C^2 / compliance before the
       first step, and where forces are not kept (sn_settings.keep_forces). The two are the same as
       far as a substep solves the constraints; where it does not, C is much larger than any force
       that acts, and would tell of energy that is not there. */
    double elastic_energy;
    double momentum[3];         /* kg m/s */
    double angular_momentum[3]; /* kg m^2/s, about the origin */
    double residual_rms; /* root mean square of |C| over the active constraints, mixed units */
    double residual_max; /* the largest |C|, mixed units */
} sn_measure;

/* Takes the sums now; it goes through all nodes and constraints. */
SN_API sn_result sn_world_measure(const sn_world *world, sn_measure *measure);

#ifdef __cplusplus
}
#endif

#endif
