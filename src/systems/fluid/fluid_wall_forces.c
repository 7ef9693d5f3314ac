/*
 * What fluids do to colliders. A particle is pushed from a wall by lambda grad B / h^2, with B the
 * density of the wall (fluid_walls.c) and lambda the sum of all iterations; the wall is pushed by
 * as much the other way. What particles do as contacts comes beside it.
 *
 * One after the other in the order of places, so that sums do not depend on threads.
 */
#include "collision/collision_state.h"
#include "systems/fluid/fluid_loops.h"

bool sn_fluid_wall_forces_reserve(sn_world *world) {
    sn_fluids *fluids = sn_fluids_of(world);
    sn_fluid_places *s = &fluids->places;
    size_t colliders = sn_colliders_of(world)->slots.count;
    if (sn_fluid_has_parts(s) && !sn_reserve(&world->memory, (void **)&s->part, &s->part_capacity,
                                             s->count * SN_FLUID_MOST_WALLS, sizeof *s->part))
        return false;
    if (!s->is_weighed) return true;
    if (!sn_reserve(&world->memory, (void **)&fluids->push, &fluids->push_capacity,
                    3 * colliders + 1, sizeof *fluids->push))
        return false;
    fluids->pushed = colliders;
    for (size_t i = 0; i < 3 * colliders; i++) fluids->push[i] = 0;
    return true;
}

void sn_fluid_wall_forces_add(const sn_world *world, double h) {
    const sn_fluids *fluids = sn_fluids_of(world);
    const sn_fluid_places *s = &fluids->places;
    for (size_t at = 0; s->is_weighed && at < s->count; at++) {
        const sn_fluid_particle *p = &s->particle[s->order[at]];
        if (!(s->wall[at].w > 0) || !fluids->members[p->fluid].def.wall_forces) continue;
        const sn_fluid_wall_part *part = s->part + at * SN_FLUID_MOST_WALLS;
        for (int k = 0; k < SN_FLUID_MOST_WALLS && part[k].collider > 0; k++) {
            double push = -(double)s->lambda[at] / h * (double)part[k].slope, *sum;
            if (part[k].collider > fluids->pushed) continue;
            sum = fluids->push + 3 * (part[k].collider - 1);
            sum[0] += push * (double)part[k].normal.x;
            sum[1] += push * (double)part[k].normal.y;
            sum[2] += push * (double)part[k].normal.z;
        }
    }
}

void sn_fluid_wall_impulse(const sn_world *world, uint32_t collider, double sum[3]) {
    const sn_fluids *fluids = sn_fluids_of(world);
    for (int k = 0; k < 3 && collider < fluids->pushed; k++)
        sum[k] += fluids->push[3 * collider + (size_t)k];
}
