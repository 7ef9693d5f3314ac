#include "rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

double rig_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

double rig_between(uint64_t *state, double low, double high) {
    return low + (high - low) * (rig_random(state) + 1) / 2;
}

/* Whether a list of words has a name. */
static bool has_word(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return true;
    return false;
}

static bool is_named(int type) {
    const char *list = getenv("SINEW_TEST_TYPE");
    return list && has_word(list, sn_type_get_info((sn_type)type)->name);
}

bool rig_is_narrow(void) {
    for (int type = 0; type < SN_TYPE_COUNT; type++)
        if (is_named(type)) return true;
    return false;
}

int rig_next_type(int type) {
    const bool narrow = rig_is_narrow();
    do type++;
    while (narrow && type < SN_TYPE_COUNT && !is_named(type));
    return type;
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
    {"coloured", SN_SOLVER_COLOURED, false, true, SN_INTEGRATOR_BDF1, 1},
    {"coloured to and fro", SN_SOLVER_COLOURED, true, true, SN_INTEGRATOR_BDF1, 1},
    {"reference", SN_SOLVER_REFERENCE, false, true, SN_INTEGRATOR_BDF1, 1},
    {"Jacobi", SN_SOLVER_JACOBI, false, true, SN_INTEGRATOR_BDF1, 1},
    {"averaged", SN_SOLVER_AVERAGED, false, false, SN_INTEGRATOR_BDF1, 1},
    {"hybrid", SN_SOLVER_HYBRID, false, true, SN_INTEGRATOR_BDF1, 1},
    {"split", SN_SOLVER_SPLIT, false, true, SN_INTEGRATOR_BDF1, 1},
    {"coloured with BDF2", SN_SOLVER_COLOURED, false, true, SN_INTEGRATOR_BDF2, 2},
    {"reference with BDF2", SN_SOLVER_REFERENCE, false, true, SN_INTEGRATOR_BDF2, 2},
    {"Jacobi with BDF2", SN_SOLVER_JACOBI, false, true, SN_INTEGRATOR_BDF2, 1},
};

void rig_use_solver(sn_settings *settings, int solver) {
    settings->solver = rig_solvers[solver].solver;
    settings->alternate = rig_solvers[solver].alternate;
    settings->integrator = rig_solvers[solver].integrator;
    settings->hybrid_colours = 2;
    settings->split_colours = 2;
}

/* ---- Definitions without their struct ---- */

void rig_field_set(const sn_field_info *field, void *def, double value) {
    unsigned char *at = (unsigned char *)def + field->offset;
    if (field->kind == SN_FIELD_SIDE) {
        sn_side side = (sn_side)(int)value;
        memcpy(at, &side, sizeof side);
        return;
    }
    if (field->kind == SN_FIELD_CHOICE) {
        int choice = (int)value;
        memcpy(at, &choice, sizeof choice);
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

bool rig_def_set_vector(const sn_type_info *info, void *def, const char *name, sn_vec3 value) {
    for (size_t i = 0; i < info->field_count; i++) {
        const sn_field_info *field = &info->fields[i];
        if (field->kind != SN_FIELD_VEC3 || strcmp(field->name, name) != 0) continue;
        memcpy((unsigned char *)def + field->offset, &value, sizeof value);
        return true;
    }
    return false;
}

bool rig_def_choose(const sn_type_info *info, void *def) {
    bool any = false;
    for (size_t i = 0; i < info->field_count; i++) {
        const sn_field_info *field = &info->fields[i];
        if (field->kind != SN_FIELD_CHOICE) continue;
        rig_field_set(field, def, 1);
        any = true;
    }
    return any;
}

int rig_nodes(const sn_type_info *info) {
    return info->list == SN_LIST_FAN ? 6 : info->nodes;
}

void rig_def_fill(const sn_type_info *info, const sn_node *nodes, void *def) {
    memset(def, 0, info->def_size);
    memcpy(def, &info->def_size, sizeof info->def_size);
    /* The nodes, or the list of them, follow the size in every definition. */
    unsigned char *after = (unsigned char *)def + sizeof(size_t);
    if (info->list == SN_LIST_NONE) {
        memcpy(after, nodes, (size_t)info->nodes * sizeof *nodes);
    } else {
        static const uint32_t tetrahedron[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
        bool surface = info->list == SN_LIST_SURFACE;
        rig_list list = {nodes, (size_t)rig_nodes(info), surface ? tetrahedron : NULL,
                         surface ? 4 : 0};
        memcpy(after, &list, sizeof list);
    }
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

/* Around the first one, not quite in a plane. */
static void place_in_fan(double x[RIG_MAX_NODES][3], int k, uint64_t *state, bool grid) {
    double angle = 6.2832 * (k - 1) / 5 + 0.1 * rig_random(state);
    double radius = 0.8 + 0.1 * rig_random(state);
    x[k][0] = x[0][0] + radius * cos(angle);
    x[k][1] = x[0][1] + radius * sin(angle);
    x[k][2] = x[0][2] + 0.1 * rig_random(state);
    for (int i = 0; i < 3 && grid; i++) {
        x[k][i] = floor(x[k][i] * 64) / 64;
    }
}

/* Ten nodes are a tetrahedron and the middles of its edges. Its corners are four times as far from
   each other: middles are twice as near to them, and what they are moved by counts for 2.3 times
   as much strain. */
static void place_in_tet(double x[RIG_MAX_NODES][3], int k, uint64_t *state, bool grid) {
    static const int edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    double quarter[RIG_MAX_NODES][3];
    for (int c = 0; c < k && k < 4; c++) {
        for (int i = 0; i < 3; i++) {
            quarter[c][i] = x[c][i] / 4;
        }
    }
    if (k < 4) {
        place(quarter, k, state, grid);
    }
    for (int i = 0; i < 3; i++) {
        x[k][i] = k < 4 ? 4 * quarter[k][i] : (x[edge[k - 4][0]][i] + x[edge[k - 4][1]][i]) / 2;
    }
}

/* Five nodes are two segments in a row and a ghost point beside each: any five points could have a
   ghost point on its segment, where no frame is. */
static void place_along_rod(double x[RIG_MAX_NODES][3], int k, uint64_t *state, bool grid) {
    static const double at[5][3] = {
        {-0.8, 0, 0}, {0, 0.1, 0}, {0.8, -0.1, 0.1}, {-0.4, 0.8, 0}, {0.4, 0.7, 0.3}};
    for (int i = 0; i < 3; i++) {
        x[k][i] = at[k][i] + 0.1 * rig_random(state);
        if (grid) {
            x[k][i] = floor(x[k][i] * 64) / 64;
        }
    }
}

static sn_node_def node_def(const rig_options *options, const double at[3], bool oriented,
                            bool kinematic, uint64_t *state) {
    sn_node_def def = sn_node_def_default();
    double scale = options->scale;
    double mass = options->mass * exp2(rig_random(state));
    double inertia = mass * scale * scale;
    def.position =
        (sn_vec3){(sn_real)(at[0] * scale), (sn_real)(at[1] * scale), (sn_real)(at[2] * scale)};
    def.inverse_mass = kinematic ? 0 : (sn_real)(1 / mass);
    def.oriented = oriented;
    if (oriented) {
        def.orientation = (sn_quat){(sn_real)rig_random(state), (sn_real)rig_random(state),
                                    (sn_real)rig_random(state), (sn_real)(1.5 + rig_random(state))};
        def.inverse_inertia = (sn_vec3){0, 0, 0};
        if (!kinematic) {
            def.inverse_inertia =
                (sn_vec3){(sn_real)(2 / inertia), (sn_real)(3 / inertia), (sn_real)(5 / inertia)};
        }
    }
    return def;
}

/*
 * Whether a row of C bends sharply where the constraint was made, as the larger one of two numbers
 * does where they are equal: what it answers on two sides does not cancel. Nothing is asked of its
 * derivatives there.
 */
static bool is_kinked(rig *r, int row) {
    rig_value here = rig_evaluate(r);
    rig_state state = rig_get_state(r);
    double step = 1e-3;
    bool kinked = false;
    for (int k = 0; k < r->moved && !kinked; k++) {
        for (int axis = 0; axis < 3 && !kinked; axis++) {
            double sum = -2 * here.c[row];
            for (int sign = -1; sign <= 1; sign += 2) {
                rig_state moved = state;
                double way[3] = {0, 0, 0};
                way[axis] = sign * step * r->scale;
                rig_move(&moved, r, k, way);
                rig_set_state(r, &moved);
                sum += rig_evaluate(r).c[row];
            }
            kinked = fabs(sum) > 0.1 * step * here.size;
        }
    }
    rig_set_state(r, &state);
    return kinked;
}

/* Whether C is larger when everything is smaller: a length, where it has a kink besides. */
static bool grows_when_small(rig *r) {
    rig_state state = rig_get_state(r), small = state;
    double before = rig_evaluate(r).c[0];
    for (int k = 0; k < r->nodes; k++)
        for (int axis = 0; axis < 3; axis++) small.x[k][axis] *= 0.9;
    rig_set_state(r, &small);
    bool grows = rig_evaluate(r).c[0] > before;
    rig_set_state(r, &state);
    return grows;
}

/* Goes away from where C has no derivatives. */
static void leave_kinks(rig *r, uint64_t seed) {
    bool leave = r->info->rows == 1 && is_kinked(r, 0);
    for (int row = 0; r->info->rows > 1 && row < r->info->rows; row++) {
        r->length[row] = is_kinked(r, row);
        r->lengths = r->lengths || r->length[row];
    }
    r->norm = leave && grows_when_small(r);
    r->made = rig_get_state(r);
    if (leave || r->lengths) {
        rig_deform(r, 0.25, seed + 100);
    }
}

sn_result rig_make(rig *r, sn_type type, const rig_options *options) {
    memset(r, 0, sizeof *r);
    sn_world_def world_def = sn_world_def_default();
    world_def.settings = options->settings;
    REQUIRE_OK(sn_world_create(&world_def, &r->world));
    r->type = type;
    if (options->user_type) {
        REQUIRE_OK(sn_world_add_type(r->world, options->user_type, &r->type));
    }
    r->info = sn_world_type_info(r->world, r->type);
    r->nodes = rig_nodes(r->info);
    r->moved = r->nodes - r->info->fixed_nodes;
    r->frames = r->info->frames;
    r->scale = options->scale;
    if (!CHECK(r->nodes <= RIG_MAX_NODES) || !CHECK(r->info->def_size <= RIG_MAX_DEF)) {
        return SN_ERROR_LIMIT;
    }

    uint64_t state = options->seed;
    double x[RIG_MAX_NODES][3];
    for (int k = 0; k < r->nodes; k++) {
        if (k > 0 && r->info->list == SN_LIST_FAN) {
            place_in_fan(x, k, &state, options->grid);
        } else if (r->nodes == 10) {
            place_in_tet(x, k, &state, options->grid);
        } else if (r->nodes == 5 && r->frames == 0) {
            place_along_rod(x, k, &state, options->grid);
        } else if (k == 0 || !options->coincident) {
            place(x, k, &state, options->grid);
        }
        const double *at = x[options->coincident ? 0 : k];
        bool kinematic = options->massless || k >= r->moved;
        sn_node_def def = node_def(options, at, k < r->frames, kinematic, &state);
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
    if (options->axis) rig_def_set_vector(r->info, &def, "axis", *options->axis);
    if (options->anchors) {
        rig_def_set_vector(r->info, &def, "anchor_0", options->anchors[0]);
        rig_def_set_vector(r->info, &def, "anchor_1", options->anchors[1]);
    }
    if (options->other_forms) rig_def_choose(r->info, &def);
    if (options->break_force > 0) {
        rig_def_set(r->info, &def, "break_force", options->break_force);
    }
    sn_result result = sn_constraint_create(r->world, r->type, &def, &r->constraint);
    bool plain =
        options->scale == 1 && !options->grid && !options->coincident && !options->user_type;
    if (result == SN_OK && plain) {
        leave_kinks(r, options->seed);
    }
    return result;
}

void rig_free(rig *r) {
    sn_world_destroy(r->world);
    r->world = NULL;
}

/* ---- State ---- */

static int columns(const rig *r) {
    return r->nodes + r->frames;
}

/* The node of a column. */
static int node_of(const rig *r, int column) {
    return column < r->nodes ? column : column - r->nodes;
}

bool rig_has_column(const rig *r, int column) {
    return column < columns(r) && r->node[node_of(r, column)].slot != 0;
}

bool rig_moves_column(const rig *r, int column) {
    return column < columns(r) && node_of(r, column) < r->moved;
}

void rig_inverse_mass(const rig *r, int column, double w[3]) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(r->world, r->node[node_of(r, column)], &def));
    bool turns = column >= r->nodes;
    w[0] = (double)(turns ? def.inverse_inertia.x : def.inverse_mass);
    w[1] = (double)(turns ? def.inverse_inertia.y : def.inverse_mass);
    w[2] = (double)(turns ? def.inverse_inertia.z : def.inverse_mass);
}

rig_value rig_evaluate(const rig *r) {
    rig_value value = {0};
    sn_real c[SN_MAX_ROWS];
    sn_vec3 gradient[SN_MAX_ROWS * RIG_MAX_COLUMNS];
    CHECK_OK(sn_constraint_evaluate(r->world, r->constraint, c, gradient));
    for (int row = 0; row < r->info->rows; row++) {
        value.c[row] = (double)c[row];
        value.norm += value.c[row] * value.c[row];
        for (int k = 0; k < columns(r); k++) {
            sn_vec3 g = gradient[row * columns(r) + k];
            double *to = value.gradient[row][k];
            to[0] = (double)g.x;
            to[1] = (double)g.y;
            to[2] = (double)g.z;
            double length = hypot(hypot(to[0], to[1]), to[2]);
            value.size = fmax(value.size, length * (k < r->nodes ? r->scale : 1));
        }
    }
    value.norm = sqrt(value.norm);
    return value;
}

rig_state rig_get_state(const rig *r) {
    rig_state state = {0};
    for (int k = 0; k < r->nodes; k++) {
        sn_node_def def = sn_node_def_default();
        if (rig_has_column(r, k)) {
            REQUIRE_OK(sn_node_get(r->world, r->node[k], &def));
        }
        state.x[k][0] = (double)def.position.x;
        state.x[k][1] = (double)def.position.y;
        state.x[k][2] = (double)def.position.z;
        state.q[k][0] = (double)def.orientation.x;
        state.q[k][1] = (double)def.orientation.y;
        state.q[k][2] = (double)def.orientation.z;
        state.q[k][3] = (double)def.orientation.w;
    }
    return state;
}

void rig_set_state(rig *r, const rig_state *state) {
    for (int k = 0; k < r->nodes; k++) {
        const double *x = state->x[k];
        const double *q = state->q[k];
        if (!rig_has_column(r, k)) {
            continue;
        }
        sn_vec3 to = {(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
        REQUIRE_OK(sn_node_set_position(r->world, r->node[k], to));
        if (k < r->frames) {
            sn_quat turned = {(sn_real)q[0], (sn_real)q[1], (sn_real)q[2], (sn_real)q[3]};
            REQUIRE_OK(sn_node_set_orientation(r->world, r->node[k], turned));
        }
    }
}

/* q = a b */
static void multiply(const double a[4], const double b[4], double q[4]) {
    double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    double y = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    double z = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    q[0] = x;
    q[1] = y;
    q[2] = z;
    q[3] = w;
}

void rig_move(rig_state *state, const rig *r, int column, const double way[3]) {
    int k = node_of(r, column);
    if (column < r->nodes) {
        for (int i = 0; i < 3; i++) {
            state->x[k][i] += way[i];
        }
        return;
    }
    double angle = hypot(hypot(way[0], way[1]), way[2]);
    double s = angle > 0 ? sin(angle / 2) / angle : 0.5;
    double turn[4] = {s * way[0], s * way[1], s * way[2], cos(angle / 2)};
    multiply(state->q[k], turn, state->q[k]);
}

void rig_deform(rig *r, double amount, uint64_t seed) {
    uint64_t random = seed;
    rig_state state = rig_get_state(r);
    for (int k = 0; k < columns(r); k++) {
        double unit = amount * (k < r->nodes ? r->scale : 1);
        double way[3] = {unit * rig_random(&random), unit * rig_random(&random),
                         unit * rig_random(&random)};
        if (rig_moves_column(r, k)) {
            rig_move(&state, r, k, way);
        }
    }
    rig_set_state(r, &state);
}

void rig_throw(rig *r, double speed, uint64_t seed) {
    uint64_t state = seed;
    for (int k = 0; k < r->moved; k++) {
        sn_vec3 v = {(sn_real)(speed * rig_random(&state)), (sn_real)(speed * rig_random(&state)),
                     (sn_real)(speed * rig_random(&state))};
        REQUIRE_OK(sn_node_set_velocity(r->world, r->node[k], v));
        if (k < r->frames) {
            REQUIRE_OK(sn_node_set_angular_velocity(r->world, r->node[k], v));
        }
    }
}

void rig_push(rig *r, int column, const double force[3]) {
    int k = node_of(r, column);
    double f[3] = {force[0], force[1], force[2]};
    if (column >= r->nodes) {
        rig_state state = rig_get_state(r);
        rig_rotate(state.q[k], force, f);
    }
    sn_vec3 load = {(sn_real)f[0], (sn_real)f[1], (sn_real)f[2]};
    if (column < r->nodes) {
        REQUIRE_OK(sn_node_add_force(r->world, r->node[k], load));
    } else {
        REQUIRE_OK(sn_node_add_torque(r->world, r->node[k], load));
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

int rig_length_rows(const rig *r) {
    int count = 0;
    for (int row = 0; row < r->info->rows; row++) {
        count += r->length[row];
    }
    return count;
}

bool rig_drive(rig *r, const double *target) {
    static const double zero[SN_MAX_ROWS];
    const double *goal = target ? target : zero;
    int rows = r->info->rows;
    if (r->lengths && !target) {
        rig_set_state(r, &r->made);
        return true;
    }
    if (r->lengths && rig_moved_by(r, &r->made) == 0) {
        rig_deform(r, 0.05, 1);
    }
    for (int iteration = 0; iteration < 100; iteration++) {
        rig_value value = rig_evaluate(r);
        double a[SN_MAX_ROWS][SN_MAX_ROWS] = {{0}};
        double s[SN_MAX_ROWS] = {0};
        double error = 0;
        /* Lengths in scales, so that metres and radians can be added up. */
        for (int i = 0; i < rows; i++) {
            s[i] = goal[i] - value.c[i];
            error = fmax(error, fabs(s[i]));
            for (int j = 0; j < rows; j++) {
                for (int k = 0; k < columns(r); k++) {
                    const double *gi = value.gradient[i][k];
                    const double *gj = value.gradient[j][k];
                    double unit = k < r->nodes ? r->scale * r->scale : 1;
                    double dot = gi[0] * gj[0] + gi[1] * gj[1] + gi[2] * gj[2];
                    a[i][j] += rig_moves_column(r, k) ? unit * dot : 0;
                }
            }
        }
        if (error <= 8 * RIG_EPSILON * value.size) {
            return true;
        }
        if (!solve(rows, a, s)) {
            return false;
        }
        rig_state state = rig_get_state(r);
        for (int k = 0; k < columns(r); k++) {
            double unit = k < r->nodes ? r->scale * r->scale : 1;
            double way[3] = {0, 0, 0};
            for (int i = 0; i < rows; i++) {
                for (int axis = 0; axis < 3; axis++) {
                    way[axis] += unit * value.gradient[i][k][axis] * s[i];
                }
            }
            if (rig_moves_column(r, k)) {
                rig_move(&state, r, k, way);
            }
        }
        rig_set_state(r, &state);
    }
    return false;
}

/* ---- The gradient ---- */

/* The difference quotient of all rows with respect to one coordinate. */
static void quotient(rig *r, int column, int axis, double step, double slope[SN_MAX_ROWS]) {
    rig_state state = rig_get_state(r);
    double c[2][SN_MAX_ROWS];
    double at[2];
    for (int i = 0; i < 2; i++) {
        rig_state moved = state;
        double way[3] = {0, 0, 0};
        way[axis] = i == 0 ? -step : step;
        rig_move(&moved, r, column, way);
        rig_set_state(r, &moved);
        rig_value value = rig_evaluate(r);
        memcpy(c[i], value.c, sizeof value.c);
        /* What was stored is rounded, and the quotient must not suffer from that. */
        moved = rig_get_state(r);
        at[i] = column < r->nodes ? moved.x[column][axis] : way[axis];
    }
    rig_set_state(r, &state);
    for (int row = 0; row < r->info->rows; row++) {
        slope[row] = (c[1][row] - c[0][row]) / (at[1] - at[0]);
    }
}

void rig_check_gradient(rig *r, double tolerance) {
    /* In float, rounding 1e-7/step and truncation 10 step^2 balance near 2e-3, at some 1e-4. */
    double step = RIG_PICK(1e-6, 2e-3);
    rig_value value = rig_evaluate(r);
    if (!CHECK(value.size > 0)) {
        return;
    }
    for (int k = 0; k < RIG_MAX_COLUMNS; k++) {
        /* A null id has nothing to vary. */
        double unit = k < r->nodes ? r->scale : 1;
        for (int axis = 0; rig_has_column(r, k) && axis < 3; axis++) {
            double slope[SN_MAX_ROWS];
            quotient(r, k, axis, step * unit, slope);
            for (int row = 0; row < r->info->rows; row++) {
                CHECK_NEAR(value.gradient[row][k][axis], slope[row], tolerance * value.size / unit);
            }
        }
    }
}

/* ---- Looking ---- */

static bool is_finite(sn_vec4 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z) && isfinite(v.w);
}

bool rig_is_finite(const sn_world *world) {
    sn_node_view nodes;
    sn_frame_view frames;
    bool finite = true;
    REQUIRE_OK(sn_world_nodes(world, &nodes));
    REQUIRE_OK(sn_world_frames(world, &frames));
    for (size_t i = 0; i < nodes.count; i++) {
        finite = finite && is_finite(nodes.position[i]) && is_finite(nodes.velocity[i]);
    }
    for (size_t i = 0; i < frames.count; i++) {
        sn_quat q = frames.orientation[i];
        finite = finite && is_finite((sn_vec4){q.x, q.y, q.z, q.w});
        finite = finite && is_finite(frames.angular_velocity[i]);
    }
    return finite;
}

double rig_moved_by(const rig *r, const rig_state *from) {
    rig_state to = rig_get_state(r);
    double most = 0;
    for (int k = 0; k < r->nodes; k++) {
        double d = hypot(hypot(to.x[k][0] - from->x[k][0], to.x[k][1] - from->x[k][1]),
                         to.x[k][2] - from->x[k][2]);
        most = d > most || isnan(d) ? d : most;
        double inverse[4] = {-from->q[k][0], -from->q[k][1], -from->q[k][2], from->q[k][3]};
        double turn[4];
        multiply(inverse, to.q[k], turn);
        double angle = 2 * r->scale * hypot(hypot(turn[0], turn[1]), turn[2]);
        bool counts = memcmp(from->q[k], to.q[k], sizeof turn) != 0;
        most = counts && (angle > most || isnan(angle)) ? angle : most;
    }
    return most;
}

/* ---- Rigid motions ---- */

void rig_rotate(const double q[4], const double v[3], double out[3]) {
    double pure[4] = {v[0], v[1], v[2], 0};
    double inverse[4] = {-q[0], -q[1], -q[2], q[3]};
    double turned[4];
    multiply(q, pure, turned);
    multiply(turned, inverse, turned);
    memcpy(out, turned, 3 * sizeof *out);
}

rig_motion rig_motion_random(double shift, uint64_t seed) {
    rig_motion motion;
    uint64_t state = seed;
    double square = 0;
    for (int i = 0; i < 4; i++) {
        motion.rotation[i] = rig_random(&state);
        square += motion.rotation[i] * motion.rotation[i];
    }
    for (int i = 0; i < 4; i++) {
        motion.rotation[i] /= sqrt(square);
    }
    for (int i = 0; i < 3; i++) {
        motion.shift[i] = shift * rig_random(&state);
    }
    return motion;
}

void rig_apply_motion(rig *r, const rig_motion *motion) {
    rig_state state = rig_get_state(r);
    for (int k = 0; k < r->nodes; k++) {
        rig_rotate(motion->rotation, state.x[k], state.x[k]);
        for (int i = 0; i < 3; i++) {
            state.x[k][i] += motion->shift[i];
        }
        multiply(motion->rotation, state.q[k], state.q[k]);
    }
    rig_set_state(r, &state);
}
