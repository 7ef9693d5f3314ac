/*
 * Periodic worlds: particles that leave the box come in at the opposite side when a step is over.
 * Within a step they may be beyond it by as far as they go in one; who looks for neighbours counts
 * images (systems/fluid/fluid_images.c, contact/surface/image_pairs.c).
 */
#include "base/error.h"
#include "collision/period.h"
#include "state/system.h"
#include "step/integrators/integrator.h"
#include "step/step.h"

#include <math.h>

static const char axis_name[] = "xyz";

static sn_result refuse_constraints(const sn_world *world) {
    for (size_t i = 0; i < world->store_count; i++)
        if (world->store[i].count > 0)
            return sn_fail(SN_ERROR_VALUE,
                           "step: the world is periodic and has constraints, such as of type "
                           "\"%s\", expected particles alone: what is held together cannot be at "
                           "both ends",
                           world->store[i].type->info.name);
    return SN_OK;
}

static void note_join(void *found, uint32_t a, uint32_t b) {
    (void)a;
    (void)b;
    *(bool *)found = true;
}

static sn_result refuse_systems(const sn_world *world) {
    sn_system_list systems = world->bindings.systems;
    for (size_t i = 0; i < systems.count; i++) {
        bool found = false;
        if (systems.system[i]->join && !systems.system[i]->joins_loosely)
            systems.system[i]->join(world, note_join, &found);
        if (found)
            return sn_fail(SN_ERROR_VALUE,
                           "step: the world is periodic and has a %s, expected particles alone: "
                           "what is held together cannot be at both ends",
                           systems.system[i]->name);
    }
    return SN_OK;
}

static sn_result refuse_surfaces(const sn_world *world) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    for (size_t i = 0; i < surfaces->slots.count; i++)
        if (surfaces->slots.alive[i] && surfaces->state[i].edges > 0)
            return sn_fail(SN_ERROR_VALUE,
                           "step: the world is periodic and collision surface %zu has edges, "
                           "expected balls alone: what is held together cannot be at both ends",
                           i);
    return SN_OK;
}

/* m: the box of a collider along an axis, with its place when the step begins. */
static void extent_of(const sn_collider_def *def, int axis, double *low, double *high) {
    sn_bounds own = sn_collider_geometry_bounds(def);
    double q[4] = {(double)def->orientation.x, (double)def->orientation.y,
                   (double)def->orientation.z, (double)def->orientation.w};
    const double at[3] = {(double)def->position.x, (double)def->position.y,
                          (double)def->position.z};
    *low = INFINITY;
    *high = -INFINITY;
    for (int k = 0; k < 8; k++) {
        sn_point corner = {k & 1 ? own.high.x : own.low.x, k & 2 ? own.high.y : own.low.y,
                           k & 4 ? own.high.z : own.low.z};
        sn_point turned = sn_point_rotated(q, corner);
        const double x[3] = {turned.x, turned.y, turned.z};
        *low = fmin(*low, at[axis] + x[axis]);
        *high = fmax(*high, at[axis] + x[axis]);
    }
}

/* One that reaches over a side, and not over the opposite one, would be seen from one of them
   alone. What has no end is on both. */
static sn_result refuse_colliders(const sn_world *world) {
    const sn_colliders *colliders = sn_colliders_of(world);
    const sn_vec3 length = sn_collision_of(world)->period.length;
    const sn_vec3 corner = sn_collision_of(world)->period.low;
    const double lengths[3] = {(double)length.x, (double)length.y, (double)length.z};
    const double corners[3] = {(double)corner.x, (double)corner.y, (double)corner.z};
    for (size_t i = 0; i < colliders->slots.count; i++) {
        if (!colliders->slots.alive[i]) continue;
        if (colliders->state[i].carrier)
            return sn_fail(SN_ERROR_VALUE,
                           "step: the world is periodic and a node carries collider %zu, expected "
                           "particles alone: a body cannot be at both ends",
                           i);
        for (int k = 0; k < 3; k++) {
            double low, high, from = corners[k], to = from + lengths[k];
            if (!(lengths[k] > 0)) continue;
            extent_of(&colliders->state[i].def, k, &low, &high);
            bool before = low < from && high > from, behind = high > to && low < to;
            if (!isfinite(low) || !isfinite(high) || before == behind) continue;
            return sn_fail(SN_ERROR_VALUE,
                           "step: collider %zu is from %g to %g m along %c, over one side of the "
                           "periodic box from %g to %g m alone; expected one within it, or over "
                           "both sides",
                           i, low, high, axis_name[k], from, to);
        }
    }
    return SN_OK;
}

sn_result sn_wrap_check(const sn_world *world) {
    if (!sn_world_is_periodic(world)) return SN_OK;
    if (sn_integrator_of(&world->settings)->plan)
        return sn_fail(SN_ERROR_VALUE,
                       "step: the world is periodic and its integrator remembers where nodes "
                       "were, expected bdf1");
    SN_TRY(refuse_constraints(world));
    SN_TRY(refuse_systems(world));
    SN_TRY(refuse_surfaces(world));
    return refuse_colliders(world);
}

bool sn_wrap_is_needed(const sn_world *world) {
    return sn_world_is_periodic(world);
}

/* m: by how much a coordinate is to change to be in the box; nothing where that has no end, whose
   length is 0. */
static double way_back(sn_real x, sn_real low, sn_real length) {
    double turns = floor(((double)x - (double)low) / (double)length);
    return isfinite(turns) ? -turns * (double)length : 0;
}

/* Where contact expects nodes goes along. Velocities stay, and so does momentum to the bit. */
void sn_wrap_nodes(sn_step *step) {
    sn_world *world = step->world;
    const sn_vec3 length = sn_collision_of(world)->period.length;
    const sn_vec3 low = sn_collision_of(world)->period.low;
    sn_nodes *nodes = &world->nodes;
    const sn_reach *reach = &sn_collision_surfaces_of(world)->reach;
    for (size_t i = 0; i < nodes->slots.count; i++) {
        sn_vec4 *x = &nodes->x[i];
        if (!nodes->slots.alive[i] || !(nodes->w[i] > 0)) continue;
        const double by[3] = {way_back(x->x, low.x, length.x), way_back(x->y, low.y, length.y),
                              way_back(x->z, low.z, length.z)};
        if (by[0] == 0 && by[1] == 0 && by[2] == 0) continue;
        x->x = (sn_real)((double)x->x + by[0]);
        x->y = (sn_real)((double)x->y + by[1]);
        x->z = (sn_real)((double)x->z + by[2]);
        if (i >= reach->capacity) continue;
        reach->from[i].x += (sn_real)by[0];
        reach->from[i].y += (sn_real)by[1];
        reach->from[i].z += (sn_real)by[2];
    }
}
