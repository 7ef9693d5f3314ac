/*
 * What effectors do to nodes, as accelerations. One after the other pushes all nodes; then what
 * resists motion does so, all effectors together and after everything else that accelerates:
 *
 *   v' = v + h (a - C v')   so that drag adds   -C (v + h a) / (1 + h C)
 *
 * with C = b + c |v'| of all effectors at the node. With V = |v + h a|, the speed |v'| is the
 * root of  h c |v'|^2 + (1 + h b) |v'| = V. At rest against it v = a / C for any h.
 */
#include "math/power.h"
#include "math/turbulence.h"
#include "state/ahead.h"
#include "systems/effector/effectors.h"

/* Nodes that are not worth another thread. */
enum { NODES_ALONE = 512 };

/* An effector in a substep. */
typedef struct effect {
    const sn_step *step;
    const sn_world *world;
    const sn_effector_def *def;
    sn_v4 position, axis; /* of length 1 */
    sn_turbulence turbulence;
} effect;

/* The way to a node from the nearest point of the shape, and how long it is. */
typedef struct way {
    sn_v4 s;
    sn_real r;
} way;

static sn_v4 unit(sn_vec3 a) {
    double x = (double)a.x, y = (double)a.y, z = (double)a.z;
    double largest = x < 0 ? -x : x;
    if (y > largest || -y > largest) largest = y < 0 ? -y : y;
    if (z > largest || -z > largest) largest = z < 0 ? -z : z;
    x /= largest, y /= largest, z /= largest;
    double length = __builtin_sqrt(x * x + y * y + z * z);
    return (sn_v4){(sn_real)(x / length), (sn_real)(y / length), (sn_real)(z / length), 0};
}

static way way_to(const sn_effector_def *def, sn_v4 position, sn_v4 axis, sn_v4 x) {
    sn_v4 s = x - position;
    sn_v4 along = sn_v4_dot(s, axis) * axis;
    if (def->shape == SN_EFFECTOR_LINE) s -= along;
    if (def->shape == SN_EFFECTOR_PLANE) s = along;
    return (way){s, sn_v4_length(s)};
}

/* F(r). */
static sn_real falloff_at(const sn_effector_def *def, sn_real r) {
    if (def->max_distance != SN_AUTO && !(r < def->max_distance)) return 0;
    if (def->falloff == 0 || r <= def->min_distance) return 1;
    double far = ((double)r - (double)def->min_distance) / (double)def->falloff_length;
    return (sn_real)sn_power(1 + far, -(double)def->falloff);
}

static bool accepts(const sn_effector_def *def, uint32_t group) {
    return (def->mask >> (group < 31 ? group : 31) & 1) != 0;
}

static bool may_move(const sn_world *world, size_t node) {
    return world->nodes.slots.alive[node] && world->nodes.w[node] > 0;
}

bool sn_effector_reaches(const sn_world *world, const sn_effector_def *def, size_t node) {
    if (!may_move(world, node) || !accepts(def, world->nodes.group[node])) return false;
    sn_v4 x = *(const sn_v4 *)&world->nodes.x[node];
    return falloff_at(def, way_to(def, sn_v4_of(def->position), unit(def->axis), x).r) > 0;
}

/* ---- Pushing ---- */

static sn_v4 direction(const effect *e, way to, sn_v4 x) {
    switch (e->def->kind) {
    case SN_EFFECTOR_RADIAL:
        if (to.r > 0) return to.s / to.r;
        break;
    case SN_EFFECTOR_DIRECTIONAL:
        return e->axis;
    case SN_EFFECTOR_VORTEX:
        return sn_v4_cross(e->axis, x - e->position);
    case SN_EFFECTOR_TURBULENCE:
        return sn_turbulence_speed(&e->turbulence, x);
    case SN_EFFECTOR_HARMONIC:
        if (e->def->rest_length == 0) return -to.s;
        if (to.r > 0) return (to.s / to.r) * (e->def->rest_length - to.r);
        break;
    case SN_EFFECTOR_DRAG:
        break;
    }
    return (sn_v4){0};
}

static void push_nodes(void *context, size_t begin, size_t end) {
    const effect *e = context;
    const sn_nodes *nodes = &e->world->nodes;
    for (size_t i = begin; i < end; i++) {
        if (!may_move(e->world, i) || !accepts(e->def, nodes->group[i])) continue;
        sn_v4 x = sn_ahead_place(e->step, i);
        way to = way_to(e->def, e->position, e->axis, x);
        sn_real part = falloff_at(e->def, to.r);
        if (part == 0) continue;
        if (!e->def->per_mass) part *= nodes->w[i];
        *(sn_v4 *)&e->world->scratch.acceleration[i] +=
            (e->def->strength * part) * direction(e, to, x);
    }
}

static void push(const sn_step *step, const sn_effector_def *def) {
    effect e = {
        .step = step, .world = step->world, .def = def, .position = sn_v4_of(def->position)};
    if (def->kind == SN_EFFECTOR_DRAG || def->strength == 0) return;
    e.axis = unit(def->axis);
    if (def->kind == SN_EFFECTOR_TURBULENCE) {
        /* It goes where its effector goes. */
        const double carried[3] = {(double)def->position.x, (double)def->position.y,
                                   (double)def->position.z};
        double period = def->eddy_period == SN_AUTO ? __builtin_inf() : (double)def->eddy_period;
        e.turbulence =
            sn_turbulence_at(1, (double)def->eddy_size, period, carried, sn_step_input(step).time);
    }
    sn_team_run(step->world->bindings.team, step->world->nodes.slots.count, NODES_ALONE, push_nodes,
                &e);
}

/* ---- Resisting ---- */

static bool resists(const sn_effector_def *def) {
    return def->linear_drag > 0 || def->quadratic_drag > 0;
}

/* b and c of a node. */
typedef struct rates {
    sn_real linear, quadratic;
} rates;

static rates rates_at(const sn_step *step, size_t node) {
    const sn_world *world = step->world;
    const sn_effectors *all = sn_effectors_of(world);
    sn_v4 x = sn_ahead_place(step, node);
    rates sum = {0, 0};
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_effector_def *def = &all->def[i];
        if (!all->slots.alive[i] || !resists(def) || !accepts(def, world->nodes.group[node]))
            continue;
        way to = way_to(def, sn_v4_of(def->position), unit(def->axis), x);
        sn_real part = falloff_at(def, to.r) * (def->per_mass ? 1 : world->nodes.w[node]);
        sum.linear += part * def->linear_drag;
        sum.quadratic += part * def->quadratic_drag;
    }
    return sum;
}

static void resist_nodes(void *context, size_t begin, size_t end) {
    const sn_step *step = context;
    const sn_world *world = step->world;
    const sn_real h = (sn_real)step->h;
    for (size_t i = begin; i < end; i++) {
        if (!may_move(world, i)) continue;
        rates rate = rates_at(step, i);
        if (!(rate.linear + rate.quadratic > 0)) continue;
        sn_v4 *a = (sn_v4 *)&world->scratch.acceleration[i];
        sn_v4 v = *(const sn_v4 *)&world->nodes.v[i];
        sn_v4 free = v + h * (*a + sn_v4_of(sn_world_gravity(world, world->nodes.body[i])));
        sn_real most = sn_v4_length(free), keeps = 1 + h * rate.linear;
        sn_real speed = 2 * most / (keeps + SN_ROOT(keeps * keeps + 4 * h * rate.quadratic * most));
        sn_real c = rate.linear + rate.quadratic * speed;
        *a -= (c / (1 + h * c)) * free;
    }
}

void sn_effectors_push(sn_step *step) {
    const sn_world *world = step->world;
    const sn_effectors *all = sn_effectors_of(world);
    bool resisted = false;
    for (size_t i = 0; i < all->slots.count; i++) {
        if (!all->slots.alive[i]) continue;
        push(step, &all->def[i]);
        resisted = resisted || resists(&all->def[i]);
    }
    if (resisted)
        sn_team_run(world->bindings.team, world->nodes.slots.count, NODES_ALONE, resist_nodes,
                    step);
}
