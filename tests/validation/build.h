/*
 * What the validation cases share: making worlds of a few nodes and links, running them, and
 * reading numbers off them in double, whatever the library counts in.
 */
#ifndef SINEW_TESTS_BUILD_H
#define SINEW_TESTS_BUILD_H

#include <sinew/sinew.h>

#include "check.h"

#define GRAVITY 9.81
#define PI 3.14159265358979323846

/* The tolerance for the build at hand: a double or a float library. */
#define TOL(f64, f32) (sizeof(sn_real) == sizeof(double) ? (f64) : (f32))

typedef struct vec {
    double x, y, z;
} vec;

vec sub(vec a, vec b);
double length(vec a);

/* A number between -1 and 1 that looks random; the seed moves on. */
double noise(uint32_t *seed);

/* ---- Making ---- */

/* Runs the block once with each solver. */
#define FOR_BOTH_SOLVERS(solver)                                                                   \
    for (sn_solver solver = SN_SOLVER_COLOURED; solver <= SN_SOLVER_REFERENCE; solver++)

const char *solver_name(sn_solver solver);

/* XPBD, one substep per step, one iteration, earth's gravity along -y, no damping. */
sn_settings plain_settings(sn_solver solver);

/* The same without gravity. */
sn_settings weightless_settings(sn_solver solver);

/* A constraint of a type of a user on these nodes, with the parameters of a list, the rest as by
   default. */
sn_constraint constrain_user(sn_world *world, sn_type type, const sn_node *node, int nodes,
                             const double *parameter, int parameters, double compliance);

/* A world with these settings; the caller destroys it. Failing to build one ends the run. */
sn_world *make_world(sn_settings settings);

sn_vec3 vector(double x, double y, double z);

/* A node at rest with a mass in kg. */
sn_node add_node(sn_world *world, vec position, double mass);

/* A kinematic node at rest. */
sn_node add_pin(sn_world *world, vec position);

/* A distance constraint with a rest length in m and a compliance in m/N. */
sn_constraint add_link(sn_world *world, sn_node a, sn_node b, double rest, double compliance);

/* ---- Running ---- */

/* Takes `substeps` substeps of h seconds, in steps of as many as the settings say; `substeps` is a
   multiple of that. */
void advance(sn_world *world, double h, int substeps);

/* ---- Reading ---- */

vec position_of(const sn_world *world, sn_node node);
vec velocity_of(const sn_world *world, sn_node node);

/* The force of a constraint's first row, in N for a distance. */
double force_of(const sn_world *world, sn_constraint constraint);

/*
 * How far off the force of a hard link may be for rounding alone: its length is known to an ulp,
 * and the force that makes up for an error e in the length is m e / h^2. The error of a link that
 * rests may stay, so averaging would not help. In N, for a link in m and the smaller mass in kg.
 */
double force_noise(double link, double h, double mass);

sn_measure measure_of(const sn_world *world);

/*
 * One damped mode in a series of samples: x_k = A factor^k cos(k phase + b), found by least squares
 * from x_{k+s} + factor^2s x_{k-s} = 2 factor^s cos(s phase) x_k, which holds exactly for the
 * discrete scheme. The stride s is chosen so that s * phase is about 1 rad, where the fit is well
 * conditioned.
 */
typedef struct mode {
    double factor; /* per sample */
    double phase;  /* rad per sample */
} mode;

mode find_mode(const double *samples, int count, int stride);

#endif
