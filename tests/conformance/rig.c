#include "rig.h"

#include <math.h>
#include <string.h>

#include "check.h"

double rig_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

uint64_t rig_hash(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 1099511628211u;
    }
    return hash;
}

/* ---- Solvers ---- */

const rig_solver rig_solvers[RIG_SOLVERS] = {
    {"coloured", SN_SOLVER_COLOURED, false, true},
    {"coloured to and fro", SN_SOLVER_COLOURED, true, true},
    {"reference", SN_SOLVER_REFERENCE, false, true},
    {"Jacobi", SN_SOLVER_JACOBI, false, true},
    {"averaged", SN_SOLVER_AVERAGED, false, false},
    {"hybrid", SN_SOLVER_HYBRID, false, true},
};

void rig_use_solver(sn_settings *settings, int solver) {
    settings->solver = rig_solvers[solver].solver;
    settings->alternate = rig_solvers[solver].alternate;
    settings->hybrid_colours = 2;
}

/* ---- Definitions without their struct ---- */

void rig_field_set(const sn_field_info *field, void *def, double value) {
    unsigned char *at = (unsigned char *)def + field->offset;
    if (field->kind == SN_FIELD_SIDE) {
        sn_side side = (sn_side)(int)value;
        memcpy(at, &side, sizeof side);
        return;
    }
    sn_real real = (sn_real)value;
    int components = field->kind == SN_FIELD_VEC3 ? 3 : 1;
    for (int i = 0; i < components; i++) {
        memcpy(at + (size_t)i * sizeof real, &real, sizeof real);
    }
}

bool rig_def_set(const sn_type_info *info, void *def, const char *name, double value) {
    for (size_t i = 0; i < info->field_count; i++) {
        if (strcmp(info->fields[i].name, name) == 0) {
            rig_field_set(&info->fields[i], def, value);
            return true;
        }
    }
    return false;
}

void rig_def_fill(const sn_type_info *info, const sn_node *nodes, void *def) {
    memset(def, 0, info->def_size);
    memcpy(def, &info->def_size, sizeof info->def_size);
    /* The nodes follow the size in every definition. */
    memcpy((unsigned char *)def + sizeof(size_t), nodes, (size_t)info->nodes * sizeof *nodes);
    for (size_t i = 0; i < info->field_count; i++) {
        rig_field_set(&info->fields[i], def, info->fields[i].standard);
    }
}

/* ---- One constraint ---- */

rig_options rig_options_default(void) {
    rig_options options = {0};
    options.seed = 1;
    options.scale = 1;
    options.mass = 1;
    options.stiffness = 1;
    options.side = SN_SIDE_BOTH;
    options.settings = sn_settings_default();
    options.settings.gravity = (sn_vec3){0, 0, 0};
    options.settings.substeps = 1;
    return options;
}

/* A point at least half a scale away from those before it, so that no arrangement is nearly
   degenerate by chance. */
static void place(double x[RIG_MAX_NODES][3], int k, uint64_t *state, bool grid) {
    for (int attempt = 0; attempt < 1000; attempt++) {
        double nearest = 10;
        for (int i = 0; i < 3; i++) {
            x[k][i] = rig_random(state);
            if (grid) {
                x[k][i] = floor(x[k][i] * 64) / 64;
            }
        }
        for (int j = 0; j < k; j++) {
            double d = hypot(hypot(x[k][0] - x[j][0], x[k][1] - x[j][1]), x[k][2] - x[j][2]);
            nearest = d < nearest ? d : nearest;
        }
        if (nearest > 0.5) {
            return;
        }
    }
}

sn_result rig_make(rig *r, sn_type type, const rig_options *options) {
    memset(r, 0, sizeof *r);
    r->type = type;
    r->info = sn_type_get_info(type);
    r->nodes = r->info->nodes;
    r->moved = r->info->nodes - r->info->fixed_nodes;
    r->scale = options->scale;
    if (!CHECK(r->nodes <= RIG_MAX_NODES) || !CHECK(r->info->def_size <= RIG_MAX_DEF)) {
        return SN_ERROR_LIMIT;
    }

    sn_world_def world_def = sn_world_def_default();
    world_def.settings = options->settings;
    REQUIRE_OK(sn_world_create(&world_def, &r->world));

    uint64_t state = options->seed;
    double x[RIG_MAX_NODES][3];
    for (int k = 0; k < r->nodes; k++) {
        if (k == 0 || !options->coincident) {
            place(x, k, &state, options->grid);
        }
        const double *at = x[options->coincident ? 0 : k];
        sn_node_def def = sn_node_def_default();
        def.position =
            (sn_vec3){(sn_real)(at[0] * options->scale), (sn_real)(at[1] * options->scale),
                      (sn_real)(at[2] * options->scale)};
        double mass = options->mass * exp2(rig_random(&state));
        bool kinematic = options->massless || k >= r->moved;
        def.inverse_mass = kinematic ? 0 : (sn_real)(1 / mass);
        if (k < r->moved || !options->null_fixed) {
            REQUIRE_OK(sn_node_create(r->world, &def, &r->node[k]));
        }
    }

    rig_def def;
    rig_def_fill(r->info, r->node, &def);
    rig_def_set(r->info, &def, "compliance", options->compliance);
    rig_def_set(r->info, &def, "damping", options->damping);
    rig_def_set(r->info, &def, "stiffness", options->stiffness);
    rig_def_set(r->info, &def, "side", (double)options->side);
    if (options->break_force > 0) {
        rig_def_set(r->info, &def, "break_force", options->break_force);
    }
    return sn_constraint_create(r->world, type, &def, &r->constraint);
}

void rig_free(rig *r) {
    sn_world_destroy(r->world);
    r->world = NULL;
}

/* Whether node k of the definition is a node rather than the null id. */
static bool is_node(const rig *r, int k) {
    return r->node[k].slot != 0;
}

rig_value rig_evaluate(const rig *r) {
    rig_value value = {0};
    sn_real c[SN_MAX_ROWS];
    sn_vec3 gradient[SN_MAX_ROWS * RIG_MAX_NODES];
    CHECK_OK(sn_constraint_evaluate(r->world, r->constraint, c, gradient));
    for (int row = 0; row < r->info->rows; row++) {
        value.c[row] = (double)c[row];
        value.norm += value.c[row] * value.c[row];
        for (int k = 0; k < r->nodes; k++) {
            sn_vec3 g = gradient[row * r->nodes + k];
            double *to = value.gradient[row][k];
            to[0] = (double)g.x;
            to[1] = (double)g.y;
            to[2] = (double)g.z;
            double length = hypot(hypot(to[0], to[1]), to[2]);
            value.size = fmax(value.size, length * r->scale);
        }
    }
    value.norm = sqrt(value.norm);
    return value;
}

void rig_get_positions(const rig *r, double x[RIG_MAX_NODES][3]) {
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(r->world, &view));
    for (int k = 0; k < r->nodes; k++) {
        sn_vec4 at = {0, 0, 0, 0};
        if (is_node(r, k)) {
            at = view.position[r->node[k].slot - 1];
        }
        x[k][0] = (double)at.x;
        x[k][1] = (double)at.y;
        x[k][2] = (double)at.z;
    }
}

void rig_set_positions(rig *r, double x[RIG_MAX_NODES][3]) {
    for (int k = 0; k < r->nodes; k++) {
        if (is_node(r, k)) {
            sn_vec3 to = {(sn_real)x[k][0], (sn_real)x[k][1], (sn_real)x[k][2]};
            REQUIRE_OK(sn_node_set_position(r->world, r->node[k], to));
        }
    }
}

void rig_deform(rig *r, double amount, uint64_t seed) {
    uint64_t state = seed;
    double x[RIG_MAX_NODES][3];
    rig_get_positions(r, x);
    for (int k = 0; k < r->moved; k++) {
        for (int i = 0; i < 3; i++) {
            x[k][i] += amount * r->scale * rig_random(&state);
        }
    }
    rig_set_positions(r, x);
}

void rig_throw(rig *r, double speed, uint64_t seed) {
    uint64_t state = seed;
    for (int k = 0; k < r->moved; k++) {
        sn_vec3 v = {(sn_real)(speed * rig_random(&state)), (sn_real)(speed * rig_random(&state)),
                     (sn_real)(speed * rig_random(&state))};
        REQUIRE_OK(sn_node_set_velocity(r->world, r->node[k], v));
    }
}

/* Solves the symmetric a s = b in place, by elimination with pivots on the diagonal. */
static bool solve(int n, double a[SN_MAX_ROWS][SN_MAX_ROWS], double b[SN_MAX_ROWS]) {
    for (int i = 0; i < n; i++) {
        if (!(a[i][i] > 0)) {
            return false;
        }
        for (int j = i + 1; j < n; j++) {
            double factor = a[j][i] / a[i][i];
            for (int k = i; k < n; k++) {
                a[j][k] -= factor * a[i][k];
            }
            b[j] -= factor * b[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            b[i] -= a[i][k] * b[k];
        }
        b[i] /= a[i][i];
    }
    return true;
}

bool rig_drive(rig *r, const double *target) {
    static const double zero[SN_MAX_ROWS];
    const double *goal = target ? target : zero;
    int rows = r->info->rows;
    for (int iteration = 0; iteration < 60; iteration++) {
        rig_value value = rig_evaluate(r);
        double a[SN_MAX_ROWS][SN_MAX_ROWS] = {{0}};
        double s[SN_MAX_ROWS] = {0};
        double error = 0;
        for (int i = 0; i < rows; i++) {
            s[i] = goal[i] - value.c[i];
            error = fmax(error, fabs(s[i]));
            for (int j = 0; j < rows; j++) {
                for (int k = 0; k < r->moved; k++) {
                    const double *gi = value.gradient[i][k];
                    const double *gj = value.gradient[j][k];
                    a[i][j] += gi[0] * gj[0] + gi[1] * gj[1] + gi[2] * gj[2];
                }
            }
        }
        if (error <= 8 * RIG_EPSILON * value.size) {
            return true;
        }
        if (!solve(rows, a, s)) {
            return false;
        }
        double x[RIG_MAX_NODES][3];
        rig_get_positions(r, x);
        for (int k = 0; k < r->moved; k++) {
            for (int i = 0; i < rows; i++) {
                for (int axis = 0; axis < 3; axis++) {
                    x[k][axis] += value.gradient[i][k][axis] * s[i];
                }
            }
        }
        rig_set_positions(r, x);
    }
    return false;
}

bool rig_is_finite(const rig *r) {
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(r->world, &view));
    for (size_t i = 0; i < view.count; i++) {
        sn_vec4 x = view.position[i];
        sn_vec4 v = view.velocity[i];
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z) || !isfinite(v.x) ||
            !isfinite(v.y) || !isfinite(v.z)) {
            return false;
        }
    }
    return true;
}

double rig_moved_by(const rig *r, double from[RIG_MAX_NODES][3]) {
    double x[RIG_MAX_NODES][3];
    double most = 0;
    rig_get_positions(r, x);
    for (int k = 0; k < r->nodes; k++) {
        double d = hypot(hypot(x[k][0] - from[k][0], x[k][1] - from[k][1]), x[k][2] - from[k][2]);
        most = d > most || isnan(d) ? d : most;
    }
    return most;
}

/* ---- Rigid motions ---- */

rig_motion rig_motion_random(double shift, uint64_t seed) {
    rig_motion motion;
    uint64_t state = seed;
    double q[4];
    double length = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = rig_random(&state);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) {
        q[i] /= sqrt(length);
    }
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double rotation[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
    };
    memcpy(motion.rotation, rotation, sizeof rotation);
    for (int i = 0; i < 3; i++) {
        motion.shift[i] = shift * rig_random(&state);
    }
    return motion;
}

void rig_apply_motion(rig *r, const rig_motion *motion) {
    double x[RIG_MAX_NODES][3];
    double y[RIG_MAX_NODES][3];
    rig_get_positions(r, x);
    for (int k = 0; k < r->nodes; k++) {
        for (int i = 0; i < 3; i++) {
            y[k][i] = motion->shift[i];
            for (int j = 0; j < 3; j++) {
                y[k][i] += motion->rotation[i][j] * x[k][j];
            }
        }
    }
    rig_set_positions(r, y);
}
