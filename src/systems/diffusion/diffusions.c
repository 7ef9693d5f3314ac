#include "systems/diffusion/diffusions.h"

bool sn_diffusions_reserve(sn_diffusions *all, sn_memory *memory) {
    size_t needed = sn_slots_needed(&all->slots, 1);
    return sn_slots_reserve(&all->slots, memory, needed) &&
           sn_reserve(memory, (void **)&all->state, &all->capacity, needed, sizeof *all->state);
}

bool sn_sources_reserve(sn_diffusions *all, sn_memory *memory) {
    size_t needed = sn_slots_needed(&all->source_slots, 1);
    return sn_slots_reserve(&all->source_slots, memory, needed) &&
           sn_reserve(memory, (void **)&all->source, &all->source_capacity, needed,
                      sizeof *all->source);
}

bool sn_diffusion_state_reserve(sn_diffusion_state *d, sn_memory *memory, size_t nodes) {
    d->node = sn_allocate(memory, nodes, sizeof *d->node);
    d->value = sn_allocate(memory, nodes, sizeof *d->value);
    d->liquid = sn_allocate(memory, nodes, sizeof *d->liquid);
    d->mass = sn_allocate(memory, nodes, sizeof *d->mass);
    d->solid = sn_allocate(memory, nodes, sizeof *d->solid);
    d->nodes = d->room = nodes;
    return d->node && d->value && d->liquid && d->mass && d->solid;
}

void sn_diffusion_state_free(sn_diffusion_state *d, sn_memory *memory) {
    sn_free(memory, d->node, d->room, sizeof *d->node);
    sn_free(memory, d->value, d->room, sizeof *d->value);
    sn_free(memory, d->liquid, d->room, sizeof *d->liquid);
    sn_free(memory, d->mass, d->room, sizeof *d->mass);
    sn_free(memory, d->solid, d->room, sizeof *d->solid);
    sn_free(memory, d->bond, d->bond_room, sizeof *d->bond);
    *d = (sn_diffusion_state){0};
}

void sn_diffusions_free(sn_diffusions *all, sn_memory *memory) {
    for (size_t i = 0; i < all->slots.count && i < all->capacity; i++)
        sn_diffusion_state_free(&all->state[i], memory);
    sn_free(memory, all->state, all->capacity, sizeof *all->state);
    sn_free(memory, all->source, all->source_capacity, sizeof *all->source);
    sn_slots_free(&all->slots, memory);
    sn_slots_free(&all->source_slots, memory);
    sn_carriers_free(&all->carriers, memory);
}

double sn_diffusion_heat(const sn_diffusion_def *def, double value, double liquid) {
    return def->melting_point == SN_AUTO ? value : value + (double)def->latent * liquid;
}

void sn_diffusion_settle(const sn_diffusion_def *def, double heat, double *value, double *liquid) {
    double point = (double)def->melting_point, latent = (double)def->latent;
    bool melts = def->melting_point != SN_AUTO && heat > point;
    *value = heat;
    *liquid = melts ? 1 : 0;
    if (!melts || latent == 0) return;
    *value = heat - point < latent ? point : heat - latent;
    if (heat - point < latent) *liquid = (heat - point) / latent;
}
