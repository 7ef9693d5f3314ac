#include "build.h"

#include <math.h>

vec sub(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

double length(vec a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

double noise(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608 - 1;
}

/* ---- Making ---- */

const char *solver_name(sn_solver solver) {
    return sn_solver_name(solver);
}

sn_settings plain_settings(sn_solver solver) {
    sn_settings settings = sn_settings_default();
    settings.solver = solver;
    settings.substeps = 1;
    return settings;
}

sn_world *make_world(sn_settings settings) {
    sn_world_def def = sn_world_def_default();
    def.settings = settings;
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

sn_vec3 vector(double x, double y, double z) {
    return (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
}

static sn_node add_with_inverse_mass(sn_world *world, vec position, double inverse_mass) {
    sn_node_def def = sn_node_def_default();
    def.position = vector(position.x, position.y, position.z);
    def.inverse_mass = (sn_real)inverse_mass;
    sn_node node;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

sn_node add_node(sn_world *world, vec position, double mass) {
    return add_with_inverse_mass(world, position, 1 / mass);
}

sn_node add_pin(sn_world *world, vec position) {
    return add_with_inverse_mass(world, position, 0);
}

sn_constraint add_link(sn_world *world, sn_node a, sn_node b, double rest, double compliance) {
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = a;
    def.node[1] = b;
    def.rest_length = (sn_real)rest;
    def.compliance = (sn_real)compliance;
    sn_constraint constraint;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &constraint));
    return constraint;
}

/* ---- Running ---- */

void advance(sn_world *world, double h, int substeps) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    int steps = substeps / settings.substeps;
    CHECK(steps * settings.substeps == substeps);
    for (int i = 0; i < steps; i++)
        REQUIRE_OK(sn_world_step(world, (sn_real)(h * settings.substeps)));
}

/* ---- Reading ---- */

vec position_of(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return (vec){(double)def.position.x, (double)def.position.y, (double)def.position.z};
}

vec velocity_of(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return (vec){(double)def.velocity.x, (double)def.velocity.y, (double)def.velocity.z};
}

double force_of(const sn_world *world, sn_constraint constraint) {
    sn_real force[SN_MAX_ROWS] = {0};
    REQUIRE_OK(sn_constraint_force(world, constraint, force));
    return (double)force[0];
}

double force_noise(double link, double h, double mass) {
    return TOL(DBL_EPSILON, FLT_EPSILON) * link * mass / (h * h);
}

sn_measure measure_of(const sn_world *world) {
    sn_measure measure;
    REQUIRE_OK(sn_world_measure(world, &measure));
    return measure;
}

mode find_mode(const double *samples, int count, int stride) {
    /* Normal equations of x_{k+s} = a x_k - b x_{k-s} in the unknowns a and b. */
    double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
    for (int k = stride; k + stride < count; k++) {
        double x = samples[k], y = -samples[k - stride], z = samples[k + stride];
        xx += x * x;
        xy += x * y;
        yy += y * y;
        xz += x * z;
        yz += y * z;
    }
    double determinant = xx * yy - xy * xy;
    double a = (xz * yy - yz * xy) / determinant;
    double b = (yz * xx - xz * xy) / determinant;
    double cosine = a / (2 * sqrt(b));
    return (mode){pow(b, 0.5 / stride), acos(cosine) / stride};
}

sn_settings weightless_settings(sn_solver solver) {
    sn_settings settings = plain_settings(solver);
    settings.gravity = vector(0, 0, 0);
    return settings;
}

sn_constraint constrain_user(sn_world *world, sn_type type, const sn_node *node, int nodes,
                             const double *parameter, int parameters, double compliance) {
    sn_user_def def;
    sn_constraint made;
    REQUIRE_OK(sn_user_def_default(world, type, &def));
    for (int k = 0; k < nodes; k++) def.node[k] = node[k];
    for (int k = 0; k < parameters; k++) def.parameter[k] = (sn_real)parameter[k];
    def.compliance = (sn_real)compliance;
    REQUIRE_OK(sn_constraint_create(world, type, &def, &made));
    return made;
}
