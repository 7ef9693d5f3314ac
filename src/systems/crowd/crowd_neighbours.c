/* Who may come within reach of whom in a step. */
#include "base/team.h"
#include "math/vector.h"
#include "systems/crowd/crowds.h"

enum { ALONE = 1024 };

void sn_agents_free(sn_agents *a, sn_memory *memory) {
    sn_free(memory, a->agent, a->room, sizeof *a->agent);
    sn_free(memory, a->low, a->room, sizeof *a->low);
    sn_free(memory, a->high, a->room, sizeof *a->high);
    sn_free(memory, a->by, a->room, sizeof *a->by);
    sn_free(memory, a->first, a->room + 1, sizeof *a->first);
    sn_free(memory, a->near, a->near_room, sizeof *a->near);
    sn_broad_free(&a->broad, memory);
    *a = (sn_agents){0};
}

static size_t count_agents(const sn_crowds *all) {
    size_t count = 0;
    for (size_t i = 0; i < all->slots.count; i++) count += all->state[i].nodes;
    return count;
}

/* Room for all of them; what was there is dropped where it is not enough. */
static bool reserve(sn_agents *a, sn_memory *memory, size_t count) {
    if (count <= a->room && a->agent) return true;
    sn_agents_free(a, memory);
    a->room = count;
    a->agent = sn_allocate(memory, count, sizeof *a->agent);
    a->low = sn_allocate(memory, count, sizeof *a->low);
    a->high = sn_allocate(memory, count, sizeof *a->high);
    a->by = sn_allocate(memory, count, sizeof *a->by);
    a->first = sn_allocate(memory, count + 1, sizeof *a->first);
    return a->agent && a->low && a->high && a->by && a->first;
}

static void list_agents(const sn_world *world, sn_agents *a, double dt) {
    const sn_crowds *all = sn_crowds_of(world);
    a->count = 0;
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_crowd_state *c = &all->state[i];
        for (size_t k = 0; k < c->nodes; k++) {
            uint32_t node = c->node[k].slot - 1;
            /* Two see each other where their boxes meet, wherever they go in this step. */
            sn_real half = c->def.reach / 2 + (sn_real)dt * c->def.fastest;
            sn_v4 x = *(const sn_v4 *)&world->nodes.x[node], by = {half, half, half, 0};
            *(sn_v4 *)&a->low[a->count] = x - by;
            *(sn_v4 *)&a->high[a->count] = x + by;
            a->agent[a->count++] =
                (sn_agent){node, (uint32_t)i, (uint32_t)k, (int)c->def.plane - 1};
        }
    }
}

/* Lists of both, of pairs that were found once. */
static bool list_neighbours(sn_agents *a, sn_memory *memory) {
    const sn_broad *broad = &a->broad;
    if (!sn_reserve(memory, (void **)&a->near, &a->near_room, 2 * broad->total + 1,
                    sizeof *a->near))
        return false;
    for (size_t i = 0; i <= a->count; i++) a->first[i] = 0;
    for (size_t i = 0; i < a->count; i++) {
        a->first[i + 1] += broad->number[i];
        for (size_t k = 0; k < broad->number[i]; k++)
            a->first[broad->partner[broad->first[i] + k] + 1]++;
    }
    for (size_t i = 0; i < a->count; i++) a->first[i + 1] += a->first[i];
    /* Those before an agent come first, as agents are gone through in their order. */
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < broad->number[i]; k++)
            a->near[a->first[broad->partner[broad->first[i] + k]]++] = (uint32_t)i;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < broad->number[i]; k++)
            a->near[a->first[i]++] = broad->partner[broad->first[i] + k];
    /* The beginnings have moved on to the ends. */
    for (size_t i = a->count; i > 0; i--) a->first[i] = a->first[i - 1];
    a->first[0] = 0;
    return true;
}

bool sn_crowds_find(sn_step *step) {
    sn_world *world = step->world;
    sn_crowds *all = sn_crowds_of(world);
    sn_agents *a = &all->agents;
    if (!reserve(a, &world->memory, count_agents(all))) {
        sn_agents_free(a, &world->memory);
        return false;
    }
    list_agents(world, a, step->dt);
    sn_boxes boxes = {a->low, a->high, a->count};
    return sn_broad_find(&a->broad, &world->memory, world->bindings.team,
                         world->settings.broad_phase, &boxes, NULL, NULL, NULL) &&
           list_neighbours(a, &world->memory);
}
