#include "state/world.h"

#include "state/system.h"

#include "base/error.h"
#include "math/quaternion.h"
#include "state/audit_books.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define JACOBI_COLUMNS(j)                                                                          \
    {                                                                                              \
        {(void **)&(j)->share, sizeof *(j)->share}, {(void **)&(j)->w, sizeof *(j)->w},            \
            {(void **)&(j)->pulled, sizeof *(j)->pulled},                                          \
    }
#define JACOBI_TURN_COLUMNS(j)                                                                     \
    {                                                                                              \
        {(void **)&(j)->turn_share, sizeof *(j)->turn_share},                                      \
            {(void **)&(j)->turn_w, sizeof *(j)->turn_w},                                          \
            {(void **)&(j)->turned, sizeof *(j)->turned},                                          \
    }
enum { JACOBI_COLUMN_COUNT = 3 };

/* ---- Life ---- */

/* Tags tell the ids of worlds apart; they wrap around and never enter a result. */
static uint16_t next_tag(void) {
    static atomic_uint counter;
    return (uint16_t)(atomic_fetch_add(&counter, 1) % UINT16_MAX + 1);
}

/* The states of all systems, zero; false when there is no memory. */
static bool make_system_states(sn_world *world) {
    sn_system_list systems = world->bindings.systems;
    world->system_state = sn_allocate(&world->memory, systems.count, sizeof *world->system_state);
    for (size_t i = 0; world->system_state && i < systems.count; i++) {
        size_t size = systems.system[i]->size;
        if (size > 0) world->system_state[i] = sn_allocate(&world->memory, 1, size);
        if (size > 0 && !world->system_state[i]) return false;
    }
    return world->system_state != NULL;
}

static void free_system_states(sn_world *world) {
    sn_system_list systems = world->bindings.systems;
    for (size_t i = 0; world->system_state && i < systems.count; i++) {
        const sn_system *system = systems.system[i];
        if (!world->system_state[i]) continue;
        if (system->free) system->free(world->system_state[i], &world->memory);
        sn_free(&world->memory, world->system_state[i], 1, system->size);
    }
    sn_free(&world->memory, world->system_state, systems.count, sizeof *world->system_state);
}

/* Room for stores that have their types yet to come; false when there is no memory. */
static bool make_stores(sn_world *world, size_t count) {
    world->store = sn_allocate(&world->memory, count, sizeof *world->store);
    world->store_count = world->store_capacity = world->store ? count : 0;
    return world->store != NULL;
}

/* An empty state; the nodes before index 0 must exist even in a world without any. */
static bool make_state(sn_world *world) {
    return make_system_states(world) && sn_nodes_reserve(&world->nodes, &world->memory, 1);
}

sn_result sn_world_init(sn_world **out, const sn_world_def *def, sn_type_list types,
                        sn_system_list systems) {
    sn_memory memory = {def->allocator, 0};
    if (!memory.allocator.reallocate) memory.allocator = sn_allocator_default();
    sn_world *world = sn_allocate(&memory, 1, sizeof *world);
    if (!world) return SN_ERROR_MEMORY;
    world->memory = memory;
    world->tag = next_tag();
    world->settings = def->settings;
    world->bindings =
        (sn_world_bindings){.systems = systems, .log = def->log, .log_user = def->log_user};
    world->scale = (sn_scale){.h = 1.0 / 1200,
                              .rate_h = 1.0 / 1200,
                              .damped_h = 1.0 / 1200,
                              .model = def->settings.model,
                              .iterations = def->settings.iterations,
                              .solved_in_turn = SN_COLOURS};
    if (make_stores(world, types.count)) {
        for (size_t i = 0; i < types.count; i++) sn_store_init(&world->store[i], types.type[i]);
        world->bindings.team = sn_team_create(&world->memory, def->threads, &def->tasks);
    }
    if (!world->bindings.team || !make_state(world)) {
        sn_world_free(world);
        return SN_ERROR_MEMORY;
    }
    *out = world;
    return SN_OK;
}

static void free_state(sn_world *world, sn_memory *memory) {
    for (size_t i = 0; i < world->store_count; i++) sn_store_free(&world->store[i], memory);
    sn_free(memory, world->store, world->store_capacity, sizeof *world->store);
    sn_nodes_free(&world->nodes, memory);
    sn_frames_free(&world->frames, memory);
    sn_history_free(&world->history, memory);
    sn_sleep_free(&world->sleep, memory);
    sn_slots_free(&world->bodies.slots, memory);
    sn_free(memory, world->bodies.def, world->bodies.capacity, sizeof *world->bodies.def);
    sn_contact_list_free(&world->contacts, memory);
    sn_slots_free(&world->constraints.slots, memory);
    sn_free(memory, world->constraints.record, world->constraints.capacity,
            sizeof *world->constraints.record);
    free_system_states(world);
}

static void free_output(sn_world_output *output, sn_memory *memory) {
    sn_free(memory, output->frozen, output->freeze_capacity, sizeof *output->frozen);
    sn_free(memory, output->broken, output->break_capacity, sizeof *output->broken);
}

static void free_scratch(sn_world_scratch *scratch, sn_memory *memory) {
    sn_free(memory, scratch->segment, scratch->segment_capacity, sizeof *scratch->segment);
    sn_free(memory, scratch->fitted, scratch->fitted_capacity, sizeof *scratch->fitted);
    sn_free(memory, scratch->before, scratch->before_capacity, sizeof *scratch->before);
    sn_free(memory, scratch->gradient, scratch->gradient_capacity, sizeof *scratch->gradient);
    sn_settling *settling = &scratch->settling;
    sn_free(memory, settling->joint, settling->capacity, sizeof *settling->joint);
    sn_free(memory, settling->stopped, settling->stopped_capacity, sizeof *settling->stopped);
    sn_free(memory, scratch->acceleration, scratch->acceleration_capacity,
            sizeof *scratch->acceleration);
    sn_jacobi *jacobi = &scratch->jacobi;
    sn_column columns[] = JACOBI_COLUMNS(jacobi), turn_columns[] = JACOBI_TURN_COLUMNS(jacobi);
    sn_columns_free(memory, columns, JACOBI_COLUMN_COUNT, SN_NODE_FRONT, jacobi->capacity);
    sn_columns_free(memory, turn_columns, JACOBI_COLUMN_COUNT, SN_NODE_FRONT,
                    jacobi->turn_capacity);
    sn_phantoms_free(&scratch->phantoms, memory);
    sn_trees_free(&scratch->trees, memory);
    sn_tracks_free(&scratch->tracks, memory);
    sn_free(memory, scratch->safe.x, scratch->safe.capacity, sizeof *scratch->safe.x);
    sn_free(memory, scratch->safe.q, scratch->safe.turn_capacity, sizeof *scratch->safe.q);
}

/* Of a world in which nothing was made yet. */
static const sn_world_scratch all_stale = {.masses_changed = true,
                                           .segments_changed = true,
                                           .settings_changed = true,
                                           .constraints_changed = true};

void sn_world_drop_scratch(sn_world *world) {
    for (size_t i = 0; world->system_state && i < world->bindings.systems.count; i++) {
        const sn_system *system = world->bindings.systems.system[i];
        if (system->drop_scratch && world->system_state[i])
            system->drop_scratch(world->system_state[i], &world->memory);
    }
    free_scratch(&world->scratch, &world->memory);
    world->scratch = all_stale;
    world->sleep.changed = world->sleep.joints_changed = true;
}

void sn_world_free_contents(sn_world *world) {
    sn_world_drop_scratch(world);
    free_output(&world->output, &world->memory);
    free_state(world, &world->memory);
}

void sn_world_free(sn_world *world) {
    sn_memory *memory = &world->memory;
    sn_team_destroy(memory, world->bindings.team);
    for (size_t i = SN_TYPE_COUNT; i < world->store_count; i++) {
        const sn_constraint_type *type = world->store[i].type;
        sn_store_free(&world->store[i], memory);
        sn_free(memory, (void *)(uintptr_t)type, 1, type->bytes);
    }
    if (world->store_count > SN_TYPE_COUNT) world->store_count = SN_TYPE_COUNT;
    sn_audit_close(world);
    sn_world_free_contents(world);
    sn_memory last = world->memory;
    sn_free(&last, world, 1, sizeof *world);
}

sn_result sn_world_begin_contents(sn_world *fresh, const sn_world *like) {
    *fresh = (sn_world){.memory = like->memory,
                        .tag = like->tag,
                        .settings = like->settings,
                        .bindings = like->bindings,
                        .scratch = all_stale};
    if (!make_stores(fresh, like->store_count)) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < fresh->store_count; i++)
        sn_store_init(&fresh->store[i], like->store[i].type);
    if (!make_state(fresh)) return SN_ERROR_MEMORY;
    sn_system_list systems = fresh->bindings.systems;
    for (size_t i = 0; i < systems.count; i++)
        if (systems.system[i]->bind)
            systems.system[i]->bind(fresh->system_state[i], like->system_state[i]);
    return SN_OK;
}

void sn_world_say(const sn_world *world, sn_log_level level, const char *format, ...) {
    if (!world->bindings.log) return;
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    world->bindings.log(world->bindings.log_user, level, sentence);
}

/* ---- Nodes ---- */

bool sn_world_reserve_nodes(sn_world *world, size_t extra) {
    return sn_nodes_reserve(&world->nodes, &world->memory,
                            sn_slots_needed(&world->nodes.slots, extra));
}

static void add_frame(sn_world *world, uint32_t node, const sn_node_def *def) {
    sn_frames *frames = &world->frames;
    uint32_t i = sn_frames_take(frames, node);
    sn_v4 q = {def->orientation.x, def->orientation.y, def->orientation.z, def->orientation.w};
    sn_v4 *unit = (sn_v4 *)&frames->q[i];
    *unit = sn_quat_normalize(q);
    *(sn_v4 *)&frames->omega[i] = sn_quat_rotate_back(*unit, sn_v4_of(def->angular_velocity));
    sn_frames_set_w(frames, i, def->inverse_inertia);
    world->nodes.frame[node] = i + 1;
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
    nodes->frame[i] = 0;
    if (def->oriented) add_frame(world, i, def);
    sn_world_restart_body(world, def->body.slot);
    world->scratch.segments_changed = world->sleep.changed = true;
    return i;
}

/* Whether a constraint reads or moves a doomed node. */
static bool is_doomed(const sn_world *world, const sn_store *store, sn_place place) {
    sn_members members = sn_store_members(store, place);
    for (int n = 0; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        if (node >= 0 && world->nodes.slots.alive[node] == SN_DOOMED) return true;
    }
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
    for (uint32_t i = 0; i < nodes->slots.count; i++)
        if (nodes->slots.alive[i] == SN_DOOMED) sn_world_wake_node(world, i);
    for (size_t s = 0; s < world->store_count; s++) {
        sn_store *store = &world->store[s];
        /* Nodes that are only read, and the sequential colour, are not in the masks. */
        uint64_t colours =
            store->type->info.fixed_nodes > 0 ? UINT64_MAX : (uint64_t)1 << SN_SEQUENTIAL;
        for (size_t i = 0; i < nodes->slots.count && i < store->used_capacity; i++)
            if (nodes->slots.alive[i] == SN_DOOMED) colours |= store->used[i];
        if (store->count > 0) remove_doomed_constraints(world, store, colours);
    }
    for (size_t i = 0; i < world->bindings.systems.count; i++)
        if (world->bindings.systems.system[i]->forget_nodes)
            world->bindings.systems.system[i]->forget_nodes(world);
    for (uint32_t i = 0; i < nodes->slots.count; i++) {
        if (nodes->slots.alive[i] != SN_DOOMED) continue;
        sn_nodes_undrive(nodes, i);
        if (nodes->frame[i]) sn_frames_give(&world->frames, nodes->frame[i] - 1);
        nodes->frame[i] = 0;
        sn_nodes_place(nodes, i, (sn_vec3){0, 0, 0});
        nodes->v[i] = nodes->force[i] = (sn_vec4){0, 0, 0, 0};
        nodes->w[i] = nodes->radius[i] = 0;
        nodes->group[i] = nodes->body[i] = 0;
        sn_slots_give(&nodes->slots, i);
    }
    world->scratch.segments_changed = world->sleep.changed = true;
}

/* ---- Constraints ---- */

sn_place sn_world_place(const sn_world *world, uint32_t constraint) {
    const sn_constraint_record *record = &world->constraints.record[constraint];
    return (sn_place){record->colour, record->position};
}

sn_store *sn_world_store_of(const sn_world *world, uint32_t constraint) {
    return &world->store[world->constraints.record[constraint].type];
}

size_t sn_world_store_index(const sn_world *world, sn_type type) {
    int number = (int)type;
    if (number >= 0 && number < SN_TYPE_COUNT) return (size_t)number;
    if (number < SN_TYPE_USER) return SIZE_MAX;
    size_t index = (size_t)(number - SN_TYPE_USER) + SN_TYPE_COUNT;
    return index < world->store_count ? index : SIZE_MAX;
}

sn_type sn_world_type_at(size_t store) {
    return (sn_type)(store < SN_TYPE_COUNT ? store : store - SN_TYPE_COUNT + SN_TYPE_USER);
}

bool sn_world_add_store(sn_world *world, sn_constraint_type *type) {
    if (!sn_reserve(&world->memory, (void **)&world->store, &world->store_capacity,
                    world->store_count + 1, sizeof *world->store))
        return false;
    sn_store_init(&world->store[world->store_count++], type);
    return true;
}

/* Nodes that a constraint reads without moving them must stay kinematic as long as it lives. */
static void count_anchors(sn_world *world, sn_members members, uint32_t change) {
    for (int n = members.moved; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        if (node >= 0) world->nodes.anchored[node] += change;
    }
}

void sn_world_place_constraint(sn_world *world, uint32_t index, sn_store *store, uint8_t colour,
                               const sn_draft *draft) {
    sn_constraint_record *record = &world->constraints.record[index];
    sn_place place = sn_store_add(store, colour, index, draft);
    count_anchors(world, sn_store_members(store, place), 1);
    sn_world_wake_members(world, sn_store_members(store, place));
    world->sleep.joints_changed = world->sleep.changed = true;
    sn_store_derive(store, place, (sn_masses){world->nodes.w, world->frames.w}, &world->scale);
    record->position = place.position;
    record->type = (uint8_t)(store - world->store);
    record->colour = colour;
    world->scratch.constraints_changed = true;
}

uint32_t sn_world_add_constraint(sn_world *world, size_t type, uint8_t colour,
                                 const sn_draft *draft) {
    sn_constraints *all = &world->constraints;
    uint32_t i = sn_slots_take(&all->slots);
    all->record[i] = (sn_constraint_record){.older = all->newest};
    sn_world_place_constraint(world, i, &world->store[type], colour, draft);
    *(all->newest ? &all->record[all->newest - 1].newer : &all->oldest) = i + 1;
    all->newest = i + 1;
    return i;
}

void sn_world_rederive_constraint(sn_world *world, uint32_t constraint) {
    sn_store *store = sn_world_store_of(world, constraint);
    sn_place place = sn_world_place(world, constraint);
    sn_world_wake_members(world, sn_store_members(store, place));
    world->scratch.constraints_changed = true;
    sn_store_derive(store, place, (sn_masses){world->nodes.w, world->frames.w}, &world->scale);
}

void sn_world_remove_constraint(sn_world *world, uint32_t constraint) {
    sn_constraints *all = &world->constraints;
    sn_constraint_record *record = &all->record[constraint];
    sn_place place = {record->colour, record->position};
    sn_store *store = &world->store[record->type];
    for (size_t i = 0; i < world->bindings.systems.count; i++)
        if (world->bindings.systems.system[i]->constraint_removed)
            world->bindings.systems.system[i]->constraint_removed(world, constraint,
                                                                  sn_store_members(store, place));
    count_anchors(world, sn_store_members(store, place), (uint32_t)-1);
    sn_world_wake_members(world, sn_store_members(store, place));
    world->sleep.joints_changed = world->sleep.changed = true;
    world->scratch.constraints_changed = true;
    uint32_t moved = sn_store_remove(store, &world->memory, place);
    all->record[moved].position = place.position;
    *(record->older ? &all->record[record->older - 1].newer : &all->oldest) = record->newer;
    *(record->newer ? &all->record[record->newer - 1].older : &all->newest) = record->older;
    record->older = record->newer = 0;
    sn_slots_give(&all->slots, constraint);
}

void sn_world_part_line(sn_world *world, int32_t a, int32_t b) {
    const sn_system_list *systems = &world->bindings.systems;
    for (size_t i = 0; a >= 0 && b >= 0 && i < systems->count; i++)
        if (systems->system[i]->line_parted)
            systems->system[i]->line_parted(world, (uint32_t)a, (uint32_t)b);
}

/* ---- Integration ---- */

void sn_world_restart_body(sn_world *world, uint32_t body) {
    sn_history_restart(&world->history, body);
    sn_world_wake_body(world, body);
}

sn_masses sn_world_masses(const sn_world *world) {
    const sn_history *history = &world->history;
    if (history->used) return (sn_masses){history->w, history->turn_w};
    return (sn_masses){world->nodes.w, world->frames.w};
}

/* ---- Jacobi ---- */

/* Grows one set of columns to the number of its owners. */
static bool grow(sn_memory *memory, const sn_column *columns, size_t *capacity, size_t needed) {
    if (needed <= *capacity) return true;
    size_t grown =
        sn_columns_grow(memory, columns, JACOBI_COLUMN_COUNT, SN_NODE_FRONT, *capacity, needed);
    if (grown > 0) *capacity = grown;
    return grown > 0;
}

bool sn_world_reserve_jacobi(sn_world *world) {
    sn_jacobi *jacobi = &world->scratch.jacobi;
    sn_column columns[] = JACOBI_COLUMNS(jacobi), turn_columns[] = JACOBI_TURN_COLUMNS(jacobi);
    return grow(&world->memory, columns, &jacobi->capacity, world->nodes.slots.count) &&
           grow(&world->memory, turn_columns, &jacobi->turn_capacity, world->frames.slots.count);
}

bool sn_world_reserve_safe(sn_world *world) {
    sn_safe *safe = &world->scratch.safe;
    return sn_reserve(&world->memory, (void **)&safe->x, &safe->capacity, world->nodes.slots.count,
                      sizeof *safe->x) &&
           sn_reserve(&world->memory, (void **)&safe->q, &safe->turn_capacity,
                      world->frames.slots.count, sizeof *safe->q);
}

/* ---- Segments ---- */

bool sn_world_update_segments(sn_world *world) {
    if (!world->scratch.segments_changed) return true;
    const sn_nodes *nodes = &world->nodes;
    size_t runs = 0;
    for (size_t i = 0; i < nodes->slots.count; i++)
        runs += i == 0 || nodes->body[i] != nodes->body[i - 1];
    if (!sn_reserve(&world->memory, (void **)&world->scratch.segment,
                    &world->scratch.segment_capacity, runs, sizeof *world->scratch.segment))
        return false;
    world->scratch.segments = 0;
    for (uint32_t i = 0; i < nodes->slots.count; i++) {
        if (i == 0 || nodes->body[i] != nodes->body[i - 1])
            world->scratch.segment[world->scratch.segments++] = (sn_segment){i, i, nodes->body[i]};
        world->scratch.segment[world->scratch.segments - 1].end = i + 1;
    }
    world->scratch.segments_changed = false;
    return true;
}
