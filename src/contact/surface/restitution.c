/*
 * Restitution between collision surfaces.
 *
 * A sweep makes what touches stick together: in a row of balls that touch, an impact on the first
 * drags all of them along, and what a pair would have parted with is not known any more. So impacts
 * are played through beforehand, on velocities without contacts: pairs that were pushed and come
 * together part with e times that speed, one after the other and in rounds, until none comes
 * together any more. What a pair then has in impulses more than the sweeps gave it is what it still
 * gets when velocities have been updated, and no pair parts faster than it did when played through.
 *
 * A light node between heavy ones needs care twice. Played through it would be thrown to and fro,
 * faster each time, as between a hammer and an anvil: so a pair that comes together again parts no
 * faster than the first time. And impulses that balance on it are differences of sums that need not
 * balance each: so no node is given more than takes it to the velocity that it was played to.
 *
 * An impact that passes through a pair changes velocities at once, so integrators that remember are
 * told (contact_marks.c). From one thread, because pairs share nodes.
 */
#include "contact/contact_solve.h"
#include "contact/surface/surface_pair.h"

/* As many balls in a row pass an impact on within a substep. */
enum { MOST_ROUNDS = 32 };
/* N s, of an impact that is none any more. */
#define LEAST SN_R(1e-30)

/* A pair that bounces and was pushed in this substep. */
typedef struct impact {
    const sn_real *w;
    sn_real *row;
    uint32_t node[SN_CONTACT_MOST_NODES];
    sn_real weight[SN_CONTACT_MOST_NODES];
    int nodes;
    sn_v4 normal;
    sn_real k_n; /* 1/kg */
} impact;

static bool is_struck(const sn_contact_set *set, size_t k) {
    sn_real *row = sn_contact_rows(set, set->pair[k].slot);
    return *sn_row(row, SN_ROW_RESTITUTION) > 0 && *sn_row(row, SN_ROW_PUSH) > 0;
}

static bool look(const sn_world *world, const sn_contact_set *set, int kind, size_t k, impact *b) {
    b->row = sn_contact_rows(set, set->pair[k].slot);
    b->w = sn_world_contact_w(world);
    b->nodes = sn_contact_nodes(kind);
    b->normal = sn_row_vector(b->row, SN_ROW_NORMAL);
    b->k_n = 0;
    sn_surface_pair_node_list(sn_surface_contacts_of(world), kind, set->pair[k].a, set->pair[k].b,
                              b->node);
    (void)sn_surface_pair_between_any(&world->nodes, kind, b->node, b->weight);
    for (int i = 0; i < b->nodes; i++) b->k_n += b->w[b->node[i]] * (b->weight[i] * b->weight[i]);
    return b->k_n > 0;
}

/* ---- Who they are ---- */

static size_t count_of(const sn_surface_contacts *m) {
    size_t count = 0;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) count += m->set[kind].count;
    return count;
}

bool sn_surface_restitution_reserve(sn_world *world, sn_surface_contacts *m, size_t more) {
    return !m->bounces || sn_reserve(&world->memory, (void **)&m->struck, &m->struck_capacity,
                                     count_of(m) + more, sizeof *m->struck);
}

/* Of a million pairs that may touch few are pushed, and those are asked for in every round. */
static void list_struck(sn_surface_contacts *m) {
    size_t count = 0;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        const sn_contact_set *set = &m->set[kind];
        for (size_t k = 0; k < set->count; k++)
            if (is_struck(set, k)) m->struck[count++] = (uint32_t)k;
        m->struck_end[kind] = count;
    }
}

/* m/s: how fast the two part. */
static sn_real speed_of(const impact *b, const sn_vec4 *v) {
    sn_v4 sum = {0};
    for (int i = 0; i < b->nodes; i++) sum += b->weight[i] * sn_v4_load(&v[b->node[i]]);
    return sn_v4_dot(sum, b->normal);
}

/* Changes velocities by an impulse (N s) along the normal. */
static void kick(const impact *b, sn_vec4 *v, sn_real impulse) {
    for (int i = 0; i < b->nodes; i++) {
        sn_real w = b->w[b->node[i]];
        sn_v4 changed = sn_v4_load(&v[b->node[i]]) + (w * b->weight[i] * impulse) * b->normal;
        if (w > 0 && sn_v4_is_finite(changed)) sn_v4_store(&v[b->node[i]], changed);
    }
}

typedef bool visit(const sn_world *world, impact *b, sn_real h);

/* Whether any of the pairs that bounce says so. */
static bool for_all(const sn_world *world, sn_real h, visit *to) {
    const sn_surface_contacts *m = sn_surface_contacts_of(world);
    bool any = false;
    impact b;
    size_t i = 0;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++)
        for (; i < m->struck_end[kind]; i++)
            if (look(world, &m->set[kind], kind, m->struck[i], &b)) any |= to(world, &b, h);
    return any;
}

/* ---- Played through ---- */

static bool strike(const sn_world *world, impact *b, sn_real h) {
    sn_vec4 *flight = sn_surface_contacts_of(world)->flight;
    sn_real came = speed_of(b, flight);
    if (!(came < -sn_contact_resting_speed(world, h))) return false;
    sn_real parts = -*sn_row(b->row, SN_ROW_RESTITUTION) * came;
    sn_real *first = sn_row(b->row, SN_ROW_PARTS), *sum = sn_row(b->row, SN_ROW_IMPACT);
    if (!(*sum > 0)) *first = parts;
    sn_real impulse = ((parts < *first ? parts : *first) - came) / b->k_n;
    *sum += impulse;
    kick(b, flight, impulse);
    return true;
}

static bool part(const sn_world *world, impact *b, sn_real h) {
    (void)h;
    *sn_row(b->row, SN_ROW_PARTS) = speed_of(b, sn_surface_contacts_of(world)->flight);
    return false;
}

void sn_surface_restitution_begin(sn_world *world, double h) {
    sn_surface_contacts *m = sn_surface_contacts_of(world);
    const sn_surface_elements *points = &m->list[SN_SURFACE_CONTACT_POINT];
    for (size_t k = 0; k < points->count; k++) {
        uint32_t i = points->node[k];
        sn_v4 motion = sn_v4_load(&world->nodes.d[i]) - sn_v4_load(&world->nodes.p[i]);
        sn_v4_store(&m->flight[i], motion / (sn_real)h);
    }
}

void sn_surface_restitution_strike(sn_world *world, double h) {
    sn_surface_contacts *m = sn_surface_contacts_of(world);
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++)
        for (size_t k = 0; k < m->set[kind].count; k++)
            *sn_contact_at(&m->set[kind], m->set[kind].pair[k].slot, SN_ROW_IMPACT) = 0;
    list_struck(m);
    for (int round = 0; round < MOST_ROUNDS && for_all(world, (sn_real)h, strike);) round++;
    (void)for_all(world, (sn_real)h, part);
}

/* ---- Given ---- */

/* N s, of the sweeps. */
static sn_real pushed(const impact *b, sn_real h) {
    return *sn_row(b->row, SN_ROW_PUSH) / (h * b->k_n);
}

/* From here on the row has what is given, N s: what an impact has more than that. It is something,
   where an impact passed through. */
static bool want(const sn_world *world, impact *b, sn_real h) {
    sn_real *row = sn_row(b->row, SN_ROW_IMPACT), rest = *row - pushed(b, h);
    (void)world;
    if (*row > 0) *row = rest > LEAST ? rest : LEAST;
    return false;
}

/* Adds up, per node, what all pairs would give it. */
static bool add_up(const sn_world *world, impact *b, sn_real h) {
    (void)h;
    kick(b, sn_surface_contacts_of(world)->given, *sn_row(b->row, SN_ROW_IMPACT));
    return false;
}

/* The part that may be given to the nodes of a pair: no more than takes each to the velocity that
   it was played to, and as much again for what constraints did meanwhile. */
static sn_real part_of(const sn_world *world, const impact *b) {
    const sn_surface_contacts *m = sn_surface_contacts_of(world);
    sn_real part = 1;
    for (int i = 0; i < b->nodes; i++) {
        uint32_t node = b->node[i];
        sn_v4 given = sn_v4_load(&m->given[node]);
        sn_v4 wanted = sn_v4_load(&m->flight[node]) - sn_v4_load(&world->nodes.v[node]);
        sn_real square = sn_v4_dot(given, given), most = SN_R(1.01) * sn_v4_dot(wanted, wanted);
        if (square > most && part * part * square > most) part = SN_ROOT(most / square);
    }
    return part;
}

/* Whether it is less than what was wanted. */
static bool balance(const sn_world *world, impact *b, sn_real h) {
    sn_real *row = sn_row(b->row, SN_ROW_IMPACT), part = part_of(world, b), given = part * *row;
    (void)h;
    if (*row > LEAST) *row = given > LEAST ? given : LEAST;
    return part < 1 && given > LEAST;
}

/* Once a pair gives less, another at the same node may be too much: until none is. */
static void balance_all(sn_world *world, sn_real h) {
    sn_surface_contacts *m = sn_surface_contacts_of(world);
    const sn_surface_elements *points = &m->list[SN_SURFACE_CONTACT_POINT];
    bool less = true;
    for (int round = 0; round < MOST_ROUNDS && less; round++) {
        for (size_t k = 0; k < points->count; k++)
            sn_v4_store(&m->given[points->node[k]], (sn_v4){0});
        (void)for_all(world, h, add_up);
        less = for_all(world, h, balance);
    }
}

static bool give(const sn_world *world, impact *b, sn_real h) {
    (void)h;
    kick(b, world->nodes.v, *sn_row(b->row, SN_ROW_IMPACT));
    return false;
}

/* What constraints did meanwhile is not to make them part faster or slower; nor is an overlap that
   went in this substep, which is a displacement and no velocity. */
static bool correct(const sn_world *world, impact *b, sn_real h) {
    sn_real given = *sn_row(b->row, SN_ROW_IMPACT), parts = *sn_row(b->row, SN_ROW_PARTS);
    sn_real more = ((parts > 0 ? parts : 0) - speed_of(b, world->nodes.v)) / b->k_n;
    if (more > 0 && !(given > 0)) more = 0;
    if (more < -given - pushed(b, h)) more = -given - pushed(b, h);
    kick(b, world->nodes.v, more);
    sn_contact_add_impulse(b->row, (given + more) * b->normal, given + more);
    return false;
}

void sn_surface_contact_bounce(sn_world *world, const sn_substep *substep) {
    sn_real h = (sn_real)substep->h;
    list_struck(sn_surface_contacts_of(world));
    (void)for_all(world, h, want);
    balance_all(world, h);
    (void)for_all(world, h, give);
    (void)for_all(world, h, correct);
}
