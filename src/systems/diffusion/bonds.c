/*
 * What holds a solid together: distance constraints between nodes and their neighbours, the 6
 * nearest and the 12 next to these on a cubic lattice of spacing s. With the same stiffness k each,
 * that is isotropic,
 *
 *   c11 = 3 k / s,  c12 = c44 = k / s:   E = 2.5 k / s,  nu = 1/4
 *
 * A bond has k (1 - f_i) (1 - f_j), f the liquid part of its nodes, and goes when one of them has
 * melted. What is left then is the fluid that they are of.
 */
#include "constraints/link.h"
#include "math/vector.h"
#include "state/constraint_def.h"
#include "systems/diffusion/diffusions.h"

/* In spacings: between the second and the third neighbours of a lattice. */
#define BOND_REACH 1.55
#define FREEZES 0.5

typedef struct binding {
    sn_world *world;
    sn_diffusion_state *d;
    sn_store *store;
    sn_link_def *def;
    size_t count;
    double stiffness; /* N/m */
    double reach;     /* m */
    size_t first;     /* its first carrier */
} binding;

/* Who melted has no bonds any more; who froze gets some. False where neither is the case. */
static bool change_phases(sn_diffusion_state *d) {
    bool changed = false;
    for (size_t k = 0; k < d->nodes; k++) {
        uint8_t before = d->solid[k];
        if (before && d->liquid[k] >= 1) d->solid[k] = 0;
        if (!before && d->liquid[k] <= FREEZES) d->solid[k] = 2;
        changed |= d->solid[k] != before;
    }
    return changed;
}

/* What of a bond is solid; 0 where it is to go. */
static double solid_part(const binding *b, sn_members members) {
    const sn_diffusion_state *d = b->d;
    const uint32_t *number = sn_diffusions_of(b->world)->carriers.number;
    double part = 1;
    for (int n = 0; n < 2; n++) {
        uint32_t node = (uint32_t)sn_member(members, n), k = number[node];
        /* Others have been at the table: what a stranger wrote may join any nodes. */
        if (k >= d->nodes || d->node[k].slot - 1 != node || !d->solid[k]) return 0;
        part *= 1 - d->liquid[k];
    }
    return part > 1e-3 ? part : 1e-3;
}

/* Bonds are as stiff as what is solid, or go. */
static void fade(const binding *b) {
    sn_world *world = b->world;
    sn_diffusion_state *d = b->d;
    size_t kept = 0;
    for (size_t i = 0; i < d->bonds; i++) {
        if (!sn_diffusion_has_bond(world, d, i)) continue;
        uint32_t index = d->bond[i].slot - 1;
        sn_place place = sn_world_place(world, index);
        sn_members members = sn_store_members(b->store, place);
        double part = solid_part(b, members);
        sn_real *parameter = sn_store_parameters(b->store, place);
        sn_real compliance = (sn_real)(part > 0 ? 1 / (b->stiffness * part) : 0);
        if (part > 0) d->bond[kept++] = d->bond[i];
        if (part > 0 && parameter[SN_PARAMETER_COMPLIANCE] == compliance) continue;
        if (part > 0) {
            parameter[SN_PARAMETER_COMPLIANCE] = compliance;
            sn_world_rederive_constraint(world, index);
        } else {
            sn_world_wake_members(world, members);
            sn_world_remove_constraint(world, index);
        }
    }
    d->bonds = kept;
}

/* Shows the pairs that are to be bound, i < k; counts them where there is nowhere to put them. */
static size_t list_pairs(binding *b) {
    const sn_carriers *c = &sn_diffusions_of(b->world)->carriers;
    const sn_nodes *nodes = &b->world->nodes;
    const sn_diffusion_state *d = b->d;
    size_t count = 0;
    for (size_t k = 0; k < d->nodes; k++)
        for (size_t n = c->first[b->first + k]; d->solid[k] && n < c->first[b->first + k + 1];
             n++) {
            const sn_carrier *j = &c->carrier[c->near[n]];
            size_t i = j->number;
            if (c->near[n] < b->first || c->near[n] >= b->first + k) continue;
            uint32_t one = d->node[i].slot - 1, other = d->node[k].slot - 1;
            if (!d->solid[i] || (d->solid[i] < 2 && d->solid[k] < 2)) continue;
            if (!(nodes->w[one] > 0) && !(nodes->w[other] > 0)) continue;
            sn_v4 way = *(const sn_v4 *)&nodes->x[one] - *(const sn_v4 *)&nodes->x[other];
            way[3] = 0;
            double square = (double)sn_v4_dot(way, way);
            if (!(square > 0 && square < b->reach * b->reach)) continue;
            if (b->def) {
                sn_link_def *def = &b->def[count];
                *def = sn_link_def_default();
                def->node[0] = d->node[i];
                def->node[1] = d->node[k];
                def->rest_length = (sn_real)__builtin_sqrt(square);
                def->compliance = (sn_real)(1 / b->stiffness);
            }
            count++;
        }
    return count;
}

static void read_members(void *context, size_t i, sn_draft *draft) {
    const binding *b = context;
    sn_draft_read_members(b->world, b->store->type, &b->def[i], draft);
}

/* Lengths are given, so that nothing is measured that could fail. */
static void read(void *context, size_t i, sn_draft *draft) {
    const binding *b = context;
    read_members(context, i, draft);
    sn_draft_read_fields(&b->store->type->info, &b->def[i], draft->parameter);
    (void)sn_draft_prepare(b->world, b->store->type, draft);
}

static bool bind_pairs(binding *b) {
    sn_world *world = b->world;
    sn_diffusion_state *d = b->d;
    size_t count = list_pairs(b);
    if (count == 0) return true;
    bool room = sn_reserve(&world->memory, (void **)&d->bond, &d->bond_room, d->bonds + count,
                           sizeof *d->bond);
    b->def = room ? sn_allocate(&world->memory, count, sizeof *b->def) : NULL;
    if (!b->def) return false;
    b->count = list_pairs(b);
    room =
        sn_world_create_constraints(&(sn_arrivals){world, b->store, count, read_members, read, b},
                                    d->bond + d->bonds) == SN_OK;
    sn_free(&world->memory, b->def, count, sizeof *b->def);
    if (room) d->bonds += count;
    return room;
}

bool sn_diffusion_bind(sn_world *world, size_t diffusion) {
    sn_diffusions *all = sn_diffusions_of(world);
    sn_diffusion_state *d = &all->state[diffusion];
    if (d->def.melting_point == SN_AUTO) return true;
    double spacing = sn_diffusion_spacing(world, d);
    binding b = {.world = world,
                 .d = d,
                 .store = &world->store[SN_TYPE_LINK],
                 .stiffness = 0.4 * (double)d->def.modulus * spacing,
                 .reach = BOND_REACH * spacing};
    for (size_t i = 0; i < diffusion; i++) b.first += all->state[i].nodes;
    for (size_t k = 0; k < d->nodes; k++) all->carriers.number[d->node[k].slot - 1] = (uint32_t)k;
    bool changed = change_phases(d), bound = !changed || bind_pairs(&b);
    for (size_t k = 0; k < d->nodes; k++)
        if (d->solid[k] == 2) d->solid[k] = bound;
    fade(&b);
    return bound;
}

bool sn_diffusion_may_bind(const sn_world *world, uint32_t constraint) {
    const sn_constraints *all = &world->constraints;
    return constraint < all->slots.count && all->slots.alive[constraint] &&
           all->record[constraint].type == SN_TYPE_LINK;
}

bool sn_diffusion_has_bond(const sn_world *world, const sn_diffusion_state *d, size_t k) {
    return sn_slots_has(&world->constraints.slots, SN_ID(d->bond[k]), world->tag);
}
