/* Hair as a system: it follows after the constraints, and mixes when there are velocities. */
#include "state/system.h"
#include "systems/hair/hairs.h"

static bool is_needed(const sn_world *world) {
    return sn_hairs_of(world)->slots.live > 0;
}

static void drop_scratch(void *state, sn_memory *memory) {
    sn_hairs *all = state;
    for (size_t i = 0; i < all->slots.count && i < all->capacity; i++)
        sn_hair_state_drop(&all->state[i], memory);
}

static void release(void *state, sn_memory *memory) {
    sn_hairs *all = state;
    for (size_t i = 0; i < all->slots.count && i < all->capacity; i++)
        sn_hair_state_free(&all->state[i], memory);
    sn_free(memory, all->state, all->capacity, sizeof *all->state);
    sn_slots_free(&all->slots, memory);
}

static void join(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_hairs *all = sn_hairs_of(world);
    for (size_t i = 0; i < all->slots.count; i++)
        for (size_t k = 1; k < all->state[i].nodes; k++)
            visit(context, all->state[i].node[0].slot - 1, all->state[i].node[k].slot - 1);
}

/* What comes after a node that goes is a strand of its own. */
static void forget(sn_hair_state *h, const uint8_t *alive) {
    size_t kept = 0;
    bool begins = false;
    for (size_t k = 0; k < h->nodes; k++) {
        begins = begins || !(h->length[k] > 0);
        if (alive[h->node[k].slot - 1] == SN_DOOMED) {
            begins = true;
            continue;
        }
        h->node[kept] = h->node[k];
        h->length[kept] = begins ? 0 : h->length[k];
        h->rest[kept++] = h->rest[k];
        begins = false;
    }
    h->changed = h->changed || kept < h->nodes;
    h->nodes = kept;
}

static void forget_nodes(sn_world *world) {
    sn_hairs *all = sn_hairs_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        if (!all->slots.alive[i]) continue;
        forget(&all->state[i], world->nodes.slots.alive);
        if (all->state[i].nodes == 0) sn_hairs_remove(all, &world->memory, i);
    }
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_STEP, "hair", SN_TIMER(prepare), is_needed, .plan = sn_hairs_prepare,
     .reads = SN_STATE_TOPOLOGY},
    {SN_STAGE_PROJECT, SN_RANK_BOUND, "follow the leader", SN_TIMER(project), sn_hairs_are_led,
     sn_hairs_follow, .reads = SN_STATE_POSITIONS | SN_STATE_PARAMETERS,
     .writes = SN_STATE_POSITIONS, .parallel = true},
    {SN_STAGE_LIMIT, 1, "reaction of hair", SN_TIMER(update), sn_hairs_are_led, sn_hairs_react,
     .reads = SN_STATE_POSITIONS, .writes = SN_STATE_VELOCITIES, .parallel = true},
    {SN_STAGE_VELOCITIES, SN_RANK_DAMPING, "mix hair", SN_TIMER(update), sn_hairs_interact,
     sn_hairs_mix, .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES, .writes = SN_STATE_VELOCITIES,
     .parallel = true},
};

/* Snapshots of before have no level. */
static const sn_object_column columns[] = {
    {.name = "follow", .field = {"follow"}},
    {.name = "reaction", .field = {"reaction"}},
    {.name = "hold", .field = {"hold"}},
    {.name = "friction", .field = {"friction"}},
    {.name = "repulsion", .field = {"repulsion"}},
    {.name = "cell", .field = {"cell"}},
    {.name = "level", .field = {"level"}, .sparse = 1},
};

SN_DEFINE_OBJECT(hair, SN_HAIR_FIELDS, "hair",
                 "strands that keep their lengths, hold a hairstyle and rub against each other",
                 .columns = columns, .column_count = sizeof columns / sizeof *columns)
static const sn_object *const objects[] = {&sn_hair_object};

const sn_system sn_hair_system = {
    .name = "hair",
    .size = sizeof(sn_hairs),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .free = release,
    .drop_scratch = drop_scratch,
    .join = join,
    .forget_nodes = forget_nodes,
    .serialize = sn_world_serialize_hairs,
};
