#include "world/world.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#define JACOBI_COLUMNS(world)                                                                      \
    {                                                                                              \
        {(void **)&(world)->share, sizeof(sn_real)},                                               \
            {(void **)&(world)->split_w, sizeof(sn_real)},                                         \
            {(void **)&(world)->pulled, sizeof(sn_vec4)},                                          \
    }
enum { JACOBI_COLUMN_COUNT = 3 };

/* ---- Life ---- */

/* Tags tell the ids of worlds apart; they wrap around and never enter a result. */
static uint16_t next_tag(void) {
    static atomic_uint counter;
    return (uint16_t)(atomic_fetch_add(&counter, 1) % UINT16_MAX + 1);
}

sn_result sn_world_init(sn_world **out, const sn_world_def *def, sn_type_list types) {
    sn_memory memory = {def->allocator, 0};
    if (!memory.allocator.reallocate) memory.allocator = sn_allocator_default();
    sn_world *world = sn_allocate(&memory, 1, sizeof *world);
    if (!world) return SN_ERROR_MEMORY;
    world->memory = memory;
    world->tag = next_tag();
    world->settings = def->settings;
    world->log = def->log;
    world->log_user = def->log_user;
    world->scale =
        (sn_scale){1.0 / 1200, def->settings.model, def->settings.iterations, SN_COLOURS};
    world->store = sn_allocate(&world->memory, types.count, sizeof *world->store);
    if (world->store) {
        world->store_count = types.count;
        for (size_t i = 0; i < types.count; i++) sn_store_init(&world->store[i], types.type[i]);
        world->team = sn_team_create(&world->memory, def->threads, &def->tasks);
    }
    /* The nodes before index 0 must exist even in a world without any. */
    if (!world->team || !sn_nodes_reserve(&world->nodes, &world->memory, 1)) {
        sn_world_free(world);
        return SN_ERROR_MEMORY;
    }
    *out = world;
    return SN_OK;
}

void sn_world_free(sn_world *world) {
    sn_memory *memory = &world->memory;
    sn_team_destroy(memory, world->team);
    for (size_t i = 0; i < world->store_count; i++) sn_store_free(&world->store[i], memory);
    sn_free(memory, world->store, world->store_count, sizeof *world->store);
    sn_nodes_free(&world->nodes, memory);
    sn_slots_free(&world->bodies.slots, memory);
    sn_free(memory, world->bodies.def, world->bodies.capacity, sizeof *world->bodies.def);
    sn_slots_free(&world->constraints.slots, memory);
    sn_free(memory, world->constraints.record, world->constraints.capacity,
            sizeof *world->constraints.record);
    sn_free(memory, world->segment, world->segment_capacity, sizeof *world->segment);
    sn_free(memory, world->acceleration, world->acceleration_capacity, sizeof *world->acceleration);
    sn_column columns[] = JACOBI_COLUMNS(world);
    sn_columns_free(memory, columns, JACOBI_COLUMN_COUNT, SN_NODE_FRONT, world->jacobi_capacity);
    sn_free(memory, world->broken, world->break_capacity, sizeof *world->broken);
    sn_memory last = world->memory;
    sn_free(&last, world, 1, sizeof *world);
}

void sn_world_say(const sn_world *world, sn_log_level level, const char *format, ...) {
    if (!world->log) return;
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    world->log(world->log_user, level, sentence);
}

/* ---- Nodes ---- */

bool sn_world_reserve_nodes(sn_world *world, size_t extra) {
    return sn_nodes_reserve(&world->nodes, &world->memory,
                            sn_slots_needed(&world->nodes.slots, extra));
}

uint32_t sn_world_add_node(sn_world *world, const sn_node_def *def) {
    sn_nodes *nodes = &world->nodes;
    uint32_t i = sn_slots_take(&nodes->slots);
    sn_nodes_place(nodes, i, def->position);
    nodes->v[i] = (sn_vec4){def->velocity.x, def->velocity.y, def->velocity.z, 0};
    nodes->force[i] = (sn_vec4){0, 0, 0, 0};
    nodes->w[i] = def->inverse_mass;
    nodes->radius[i] = def->radius;
    nodes->group[i] = def->group;
    nodes->body[i] = def->body.slot;
    world->segments_changed = true;
    return i;
}

/* Whether a constraint reads or moves a doomed node. */
static bool is_doomed(const sn_world *world, const sn_store *store, sn_place place) {
    int32_t node[SN_MAX_NODES];
    sn_store_nodes(store, place, node);
    for (int n = 0; n < store->type->info.nodes; n++)
        if (node[n] >= 0 && world->nodes.slots.alive[node[n]] == SN_DOOMED) return true;
    return false;
}

static void remove_doomed_constraints(sn_world *world, sn_store *store, uint64_t colours) {
    for (uint8_t colour = 0; colour < SN_COLOURS; colour++) {
        if (!(colours >> colour & 1)) continue;
        /* From the end, because the last one takes the place of one that is removed. */
        for (size_t i = store->colour[colour].count; i-- > 0;)
            if (is_doomed(world, store, (sn_place){colour, (uint32_t)i}))
                sn_world_remove_constraint(world, store->colour[colour].owner[i]);
    }
}

void sn_world_remove_doomed(sn_world *world) {
    sn_nodes *nodes = &world->nodes;
    for (size_t s = 0; s < world->store_count; s++) {
        sn_store *store = &world->store[s];
        /* Nodes that are only read, and the sequential colour, are not in the masks. */
        uint64_t colours =
            store->type->info.fixed_nodes > 0 ? UINT64_MAX : (uint64_t)1 << SN_SEQUENTIAL;
        for (size_t i = 0; i < nodes->slots.count && i < store->used_capacity; i++)
            if (nodes->slots.alive[i] == SN_DOOMED) colours |= store->used[i];
        if (store->count > 0) remove_doomed_constraints(world, store, colours);
    }
    for (uint32_t i = 0; i < nodes->slots.count; i++) {
        if (nodes->slots.alive[i] != SN_DOOMED) continue;
        sn_nodes_undrive(nodes, i);
        sn_nodes_place(nodes, i, (sn_vec3){0, 0, 0});
        nodes->v[i] = nodes->force[i] = (sn_vec4){0, 0, 0, 0};
        nodes->w[i] = nodes->radius[i] = 0;
        nodes->group[i] = nodes->body[i] = 0;
        sn_slots_give(&nodes->slots, i);
    }
    world->segments_changed = true;
}

/* ---- Constraints ---- */

sn_place sn_world_place(const sn_world *world, uint32_t constraint) {
    const sn_record *record = &world->constraints.record[constraint];
    return (sn_place){record->colour, record->position};
}

sn_store *sn_world_store_of(const sn_world *world, uint32_t constraint) {
    return &world->store[world->constraints.record[constraint].type];
}

/* Nodes that a constraint reads without moving them must stay kinematic as long as it lives. */
static void count_anchors(sn_world *world, const sn_type_info *info, const int32_t *node,
                          uint32_t change) {
    for (int n = info->nodes - info->fixed_nodes; n < info->nodes; n++)
        if (node[n] >= 0) world->nodes.anchored[node[n]] += change;
}

uint32_t sn_world_add_constraint(sn_world *world, sn_type type, uint8_t colour, const int32_t *node,
                                 const sn_real *parameter) {
    sn_constraints *all = &world->constraints;
    sn_store *store = &world->store[type];
    uint32_t i = sn_slots_take(&all->slots);
    count_anchors(world, &store->type->info, node, 1);
    sn_place place = sn_store_add(store, colour, i, node, parameter);
    sn_store_derive(store, place, world->nodes.w, &world->scale);
    all->record[i] = (sn_record){
        .older = all->newest, .position = place.position, .type = (uint8_t)type, .colour = colour};
    world->constraints_changed = true;
    *(all->newest ? &all->record[all->newest - 1].newer : &all->oldest) = i + 1;
    all->newest = i + 1;
    return i;
}

void sn_world_remove_constraint(sn_world *world, uint32_t constraint) {
    sn_constraints *all = &world->constraints;
    sn_record *record = &all->record[constraint];
    sn_place place = {record->colour, record->position};
    int32_t node[SN_MAX_NODES];
    sn_store *store = &world->store[record->type];
    count_anchors(world, &store->type->info, sn_store_nodes(store, place, node), (uint32_t)-1);
    world->constraints_changed = true;
    uint32_t moved = sn_store_remove(store, place);
    all->record[moved].position = place.position;
    *(record->older ? &all->record[record->older - 1].newer : &all->oldest) = record->newer;
    *(record->newer ? &all->record[record->newer - 1].older : &all->newest) = record->older;
    sn_slots_give(&all->slots, constraint);
}

/* ---- Jacobi ---- */

bool sn_world_reserve_jacobi(sn_world *world) {
    if (world->nodes.slots.count <= world->jacobi_capacity) return true;
    sn_column columns[] = JACOBI_COLUMNS(world);
    size_t grown = sn_columns_grow(&world->memory, columns, JACOBI_COLUMN_COUNT, SN_NODE_FRONT,
                                   world->jacobi_capacity, world->nodes.slots.count);
    if (grown > 0) world->jacobi_capacity = grown;
    return grown > 0;
}

/* ---- Segments ---- */

bool sn_world_update_segments(sn_world *world) {
    if (!world->segments_changed) return true;
    const sn_nodes *nodes = &world->nodes;
    size_t runs = 0;
    for (size_t i = 0; i < nodes->slots.count; i++)
        runs += i == 0 || nodes->body[i] != nodes->body[i - 1];
    if (!sn_reserve(&world->memory, (void **)&world->segment, &world->segment_capacity, runs,
                    sizeof *world->segment))
        return false;
    world->segments = 0;
    for (uint32_t i = 0; i < nodes->slots.count; i++) {
        if (i == 0 || nodes->body[i] != nodes->body[i - 1])
            world->segment[world->segments++] = (sn_segment){i, i, nodes->body[i]};
        world->segment[world->segments - 1].end = i + 1;
    }
    world->segments_changed = false;
    return true;
}
