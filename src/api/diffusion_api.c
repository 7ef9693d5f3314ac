/* The public calls on diffusions and sources. */
#include "api/call.h"
#include "api/check.h"
#include "systems/diffusion/diffusions.h"

#include <string.h>

#define ID SN_ID_AS(sn_diffusion, call->id)
#define SOURCE SN_ID_AS(sn_source, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "diffusion_create", SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_diffusion_object,        \
         sn_diffusion_create(world, call->def, &(sn_diffusion){0}))                                \
    CALL(DESTROY, "diffusion_destroy", SN_PART_ID, 0, NULL, sn_diffusion_destroy(world, ID))       \
    CALL(SET, "diffusion_set", SN_PART_ID | SN_PART_DEF, 0, &sn_diffusion_object,                  \
         sn_diffusion_set(world, ID, call->def))                                                   \
    CALL(SET_VALUE, "diffusion_set_value", SN_PART_ID | SN_PART_WORD | SN_PART_NUMBERS, 1, NULL,   \
         sn_diffusion_set_value(world, ID, call->word, call->number[0]))                           \
    CALL(SOURCE_CREATE, "source_create", SN_PART_DEF, 0, &sn_source_object,                        \
         sn_source_create(world, call->def, &(sn_source){0}))                                      \
    CALL(SOURCE_DESTROY, "source_destroy", SN_PART_ID, 0, NULL, sn_source_destroy(world, SOURCE))  \
    CALL(SOURCE_SET, "source_set", SN_PART_ID | SN_PART_DEF, 0, &sn_source_object,                 \
         sn_source_set(world, SOURCE, call->def))
SN_DEFINE_CALLS(diffusion, CALLS, .next = NULL)

static sn_result check_diffusion(const sn_world *world, sn_diffusion diffusion) {
    return sn_slots_check(&sn_diffusions_of(world)->slots, SN_ID(diffusion), world->tag,
                          "diffusion");
}

static sn_diffusion_state *state_of(const sn_world *world, sn_diffusion diffusion) {
    return &sn_diffusions_of(world)->state[diffusion.slot - 1];
}

/* Of a node that has this value all is solid or all is liquid. */
static void give(sn_diffusion_state *d, size_t k, double value) {
    d->value[k] = value;
    d->liquid[k] = d->def.melting_point != SN_AUTO && value > (double)d->def.melting_point;
}

static void remove_at(sn_world *world, uint32_t index) {
    sn_diffusions *all = sn_diffusions_of(world);
    sn_diffusion_state *d = &all->state[index];
    sn_diffusion_unload(world, d);
    for (size_t i = 0; i < d->bonds; i++) {
        if (!sn_diffusion_has_bond(world, d, i)) continue;
        uint32_t bond = d->bond[i].slot - 1;
        sn_members members =
            sn_store_members(sn_world_store_of(world, bond), sn_world_place(world, bond));
        sn_world_wake_members(world, members);
        sn_world_remove_constraint(world, bond);
    }
    sn_diffusion_state_free(d, &world->memory);
    sn_slots_give(&all->slots, index);
}

static sn_result check_spacing(const sn_world *world, const sn_diffusion_state *d) {
    if (sn_diffusion_spacing(world, d) > 0) return SN_OK;
    return sn_fail(SN_ERROR_VALUE,
                   "diffusion: spacing is automatic, but none of %zu nodes has a "
                   "radius, expected a spacing above 0",
                   d->nodes);
}

/* What a node carries of a quantity is one number: none of them may be in another list of it, but
   for that of `own`, which has them. */
static sn_result check_carriers(sn_world *world, uint32_t quantity, const sn_node *nodes,
                                size_t count, const sn_diffusion_state *own) {
    const sn_diffusions *all = sn_diffusions_of(world);
    size_t slots = world->nodes.slots.count, at = 0;
    if (all->slots.live == 0) return SN_OK;
    uint8_t *taken = sn_allocate(&world->memory, slots, sizeof *taken);
    if (!taken) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_diffusion_state *d = &all->state[i];
        if (!all->slots.alive[i] || d == own || d->def.quantity != quantity) continue;
        for (size_t k = 0; k < d->nodes; k++) taken[d->node[k].slot - 1] = 1;
    }
    while (at < count && !taken[nodes[at].slot - 1]) at++;
    sn_free(&world->memory, taken, slots, sizeof *taken);
    if (at == count) return SN_OK;
    return sn_fail(SN_ERROR_VALUE,
                   "diffusion: node %zu of %zu carries the quantity %u in another diffusion "
                   "already, expected one that does not",
                   at, count, (unsigned)quantity);
}

sn_result sn_diffusion_create(sn_world *world, const sn_diffusion_def *def,
                              sn_diffusion *diffusion) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(diffusion);
    SN_TRY(sn_object_check(&sn_diffusion_object, def));
    SN_TRY(sn_object_check_arrays(&sn_diffusion_object, def));
    SN_TRY(sn_check_members(world, "diffusion", def->nodes, def->node_count));
    SN_TRY(check_carriers(world, def->quantity, def->nodes, def->node_count, NULL));
    sn_diffusions *all = sn_diffusions_of(world);
    sn_diffusion_state d = {.def = *def};
    sn_object_forget_arrays(&sn_diffusion_object, &d.def);
    if (!sn_diffusions_reserve(all, &world->memory) ||
        !sn_diffusion_state_reserve(&d, &world->memory, def->node_count)) {
        sn_diffusion_state_free(&d, &world->memory);
        return SN_ERROR_MEMORY;
    }
    memcpy(d.node, def->nodes, d.nodes * sizeof *d.node);
    for (size_t k = 0; k < d.nodes; k++) {
        give(&d, k, (double)(def->values ? def->values[k] : def->value));
        d.mass[k] = 0;
        d.solid[k] = 0;
    }
    sn_result result = check_spacing(world, &d);
    if (result != SN_OK) {
        sn_diffusion_state_free(&d, &world->memory);
        return result;
    }
    uint32_t index = sn_slots_take(&all->slots);
    all->state[index] = d;
    if (!sn_diffusions_find(world) || !sn_diffusion_bind(world, index)) {
        sn_diffusion_state_free(&all->state[index], &world->memory);
        sn_slots_put_back(&all->slots, index);
        return SN_ERROR_MEMORY;
    }
    /* Room was made when neighbours were found. */
    (void)sn_diffusions_load(world);
    *diffusion = (sn_diffusion){index + 1, all->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

sn_result sn_diffusion_destroy(sn_world *world, sn_diffusion diffusion) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_diffusion(world, diffusion));
    remove_at(world, diffusion.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(diffusion));
    return SN_OK;
}

bool sn_diffusion_is_valid(const sn_world *world, sn_diffusion diffusion) {
    return world && sn_slots_has(&sn_diffusions_of(world)->slots, SN_ID(diffusion), world->tag);
}

sn_result sn_diffusion_set(sn_world *world, sn_diffusion diffusion, const sn_diffusion_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_diffusion(world, diffusion));
    SN_TRY(sn_object_check(&sn_diffusion_object, def));
    sn_diffusion_state *d = state_of(world, diffusion), next = *d;
    next.def = *def;
    sn_object_forget_arrays(&sn_diffusion_object, &next.def);
    if (d->nodes > 0) SN_TRY(check_spacing(world, &next));
    if (def->quantity != d->def.quantity)
        SN_TRY(check_carriers(world, def->quantity, d->node, d->nodes, d));
    if (next.def.load == 0) sn_diffusion_unload(world, d);
    bool melts_elsewhere = next.def.melting_point != d->def.melting_point;
    d->def = next.def;
    for (size_t k = 0; melts_elsewhere && k < d->nodes; k++) give(d, k, d->value[k]);
    SN_RECORD(world, SET, .id = SN_ID(diffusion), .def = def);
    return SN_OK;
}

sn_result sn_diffusion_get(const sn_world *world, sn_diffusion diffusion, sn_diffusion_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_diffusion(world, diffusion));
    const sn_diffusion_state *d = state_of(world, diffusion);
    *def = d->def;
    def->nodes = d->node;
    def->node_count = d->nodes;
    return SN_OK;
}

static sn_result check_index(const sn_diffusion_state *d, size_t index) {
    if (index < d->nodes) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "diffusion: node %zu of %zu", index, d->nodes);
}

sn_result sn_diffusion_set_value(sn_world *world, sn_diffusion diffusion, size_t index,
                                 sn_real value) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_diffusion(world, diffusion));
    SN_TRY(sn_object_check_field(&sn_diffusion_object, NULL, "value", value));
    sn_diffusion_state *d = state_of(world, diffusion);
    SN_TRY(check_index(d, index));
    give(d, index, (double)value);
    SN_RECORD(world, SET_VALUE, .id = SN_ID(diffusion), .word = (uint32_t)index, .number = {value});
    return SN_OK;
}

sn_result sn_diffusion_get_value(const sn_world *world, sn_diffusion diffusion, size_t index,
                                 sn_real *value, sn_real *liquid) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(value);
    SN_CHECK_POINTER(liquid);
    SN_TRY(check_diffusion(world, diffusion));
    const sn_diffusion_state *d = state_of(world, diffusion);
    SN_TRY(check_index(d, index));
    *value = (sn_real)d->value[index];
    *liquid = (sn_real)d->liquid[index];
    return SN_OK;
}

sn_result sn_diffusion_measure(const sn_world *world, sn_diffusion diffusion,
                               sn_diffusion_measures *measures) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(measures);
    SN_TRY(check_diffusion(world, diffusion));
    const sn_diffusion_state *d = state_of(world, diffusion);
    sn_diffusion_measures m = {.received = d->received};
    double mass = 0, sum = 0;
    for (size_t k = 0; k < d->nodes; k++) {
        double value = d->value[k];
        mass += d->mass[k];
        sum += d->mass[k] * value;
        m.content += d->mass[k] * sn_diffusion_heat(&d->def, value, d->liquid[k]);
        m.liquid += d->liquid[k] / (double)d->nodes;
        if (k == 0 || value < m.least) m.least = value;
        if (k == 0 || value > m.most) m.most = value;
    }
    m.mean = mass > 0 ? sum / mass : 0;
    for (size_t i = 0; i < d->bonds; i++)
        m.bonds += sn_slots_has(&world->constraints.slots, SN_ID(d->bond[i]), world->tag);
    *measures = m;
    return SN_OK;
}

/* ---- Sources ---- */

static sn_result check_source(const sn_world *world, sn_source source) {
    return sn_slots_check(&sn_diffusions_of(world)->source_slots, SN_ID(source), world->tag,
                          "source");
}

sn_result sn_source_create(sn_world *world, const sn_source_def *def, sn_source *source) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(source);
    SN_TRY(sn_object_check(&sn_source_object, def));
    sn_diffusions *all = sn_diffusions_of(world);
    if (!sn_sources_reserve(all, &world->memory)) return SN_ERROR_MEMORY;
    uint32_t index = sn_slots_take(&all->source_slots);
    all->source[index] = (sn_source_state){.def = *def};
    *source = (sn_source){index + 1, all->source_slots.generation[index], world->tag};
    SN_RECORD(world, SOURCE_CREATE, .def = def);
    return SN_OK;
}

sn_result sn_source_destroy(sn_world *world, sn_source source) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_source(world, source));
    sn_slots_give(&sn_diffusions_of(world)->source_slots, source.slot - 1);
    SN_RECORD(world, SOURCE_DESTROY, .id = SN_ID(source));
    return SN_OK;
}

bool sn_source_is_valid(const sn_world *world, sn_source source) {
    return world && sn_slots_has(&sn_diffusions_of(world)->source_slots, SN_ID(source), world->tag);
}

sn_result sn_source_set(sn_world *world, sn_source source, const sn_source_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_source(world, source));
    SN_TRY(sn_object_check(&sn_source_object, def));
    sn_diffusions_of(world)->source[source.slot - 1].def = *def;
    SN_RECORD(world, SOURCE_SET, .id = SN_ID(source), .def = def);
    return SN_OK;
}

sn_result sn_source_get(const sn_world *world, sn_source source, sn_source_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_source(world, source));
    *def = sn_diffusions_of(world)->source[source.slot - 1].def;
    return SN_OK;
}
