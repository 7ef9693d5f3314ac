#include "state/store.h"

#include "math/root.h"

#include <string.h>

enum { BLOCK = 16 };

/* ---- Layout ---- */

/* The lane of a position in a row of its block. */
static int32_t *index_row(const sn_store *store, sn_place place, int row) {
    unsigned char *block = store->colour[place.colour].block;
    block += place.position / BLOCK * sn_block_bytes(store->type);
    return (int32_t *)block + row * BLOCK + place.position % BLOCK;
}

static sn_real *coefficient_row(const sn_store *store, sn_place place, int row) {
    unsigned char *block = store->colour[place.colour].block;
    block += place.position / BLOCK * sn_block_bytes(store->type);
    block += (size_t)sn_index_rows(store->type) * BLOCK * sizeof(int32_t);
    return (sn_real *)block + row * BLOCK + place.position % BLOCK;
}

static sn_real *soft_row(const sn_store *store, sn_place place, int row) {
    size_t block = place.position / BLOCK;
    return store->colour[place.colour].soft + (block * SN_SOFT_ROWS + (size_t)row) * BLOCK +
           place.position % BLOCK;
}

static sn_members members_of(const sn_constraint_type *type, const sn_list *list,
                             const int32_t *offset, size_t stride) {
    const sn_type_info *info = &type->info;
    if (list) return (sn_members){list->offset, 1, (int)list->count, (int)list->count, 0};
    return (sn_members){offset, stride, info->nodes, info->nodes - info->fixed_nodes, info->frames};
}

sn_members sn_draft_members(const sn_constraint_type *type, const sn_draft *draft) {
    return members_of(type, draft->list, draft->offset, 1);
}

sn_list *sn_store_list(const sn_store *store, sn_place place) {
    sn_list **list = store->colour[place.colour].list;
    return store->type->info.list == SN_LIST_NONE ? NULL : list[place.position];
}

sn_members sn_store_members(const sn_store *store, sn_place place) {
    return members_of(store->type, sn_store_list(store, place), index_row(store, place, 0), BLOCK);
}

sn_real *sn_store_parameters(const sn_store *store, sn_place place) {
    return store->colour[place.colour].parameter +
           (size_t)place.position * (size_t)store->parameters;
}

sn_real *sn_store_kept(const sn_store *store, sn_place place) {
    return store->colour[place.colour].lambda +
           place.position * (sn_lambda_bytes(store->type) / sizeof(sn_real));
}

sn_real *sn_store_pivot(const sn_store *store, sn_place place) {
    return soft_row(store, place, SN_SOFT_PIVOT);
}

sn_real *sn_store_impulse(const sn_store *store, sn_place place) {
    const sn_colour *c = &store->colour[place.colour];
    return (sn_real *)((char *)c->impulse + place.position * sn_impulse_bytes(store->type));
}

/* Of one row of a dashpot. */
static sn_real *viscosity_row(const sn_store *store, sn_place place, int row) {
    size_t rows = (size_t)sn_dashpot_rows(store->type), block = place.position / BLOCK;
    return store->colour[place.colour].viscosity + (block * rows + (size_t)row) * BLOCK +
           place.position % BLOCK;
}

void sn_store_lambda(const sn_store *store, sn_place place, double lambda[SN_MAX_ROWS]) {
    const sn_real *kept = sn_store_kept(store, place);
    int rows = store->type->info.rows;
    if (sn_store_is_off(store, place)) {
        memset(lambda, 0, sizeof(double) * (size_t)rows);
        return;
    }
    double scale = store->type->scaled ? -(double)*soft_row(store, place, SN_SOFT_PIVOT) : 1;
    for (int row = 0; row < rows; row++) lambda[row] = scale * (double)kept[row];
}

size_t sn_colour_blocks(const sn_colour *colour) {
    return (colour->count + BLOCK - 1) / BLOCK;
}

sn_batch sn_store_batch(const sn_store *store, const sn_nodes *nodes, const sn_frames *frames,
                        uint8_t colour) {
    const sn_colour *c = &store->colour[colour];
    return (sn_batch){.x = nodes->x,
                      .d = nodes->d,
                      .out = nodes->d,
                      .p = nodes->p,
                      .q = frames->q,
                      .start = frames->start,
                      .turn = frames->turn,
                      .block = c->block,
                      .list = c->list,
                      .type = store->type,
                      .soft = c->soft,
                      .lambda = c->lambda};
}

sn_dashpots sn_store_dashpots(const sn_store *store, const sn_nodes *nodes, const sn_frames *frames,
                              uint8_t colour) {
    const sn_colour *c = &store->colour[colour];
    return (sn_dashpots){.at = sn_store_batch(store, nodes, frames, colour),
                         .w = nodes->w,
                         .turn_w = frames->w,
                         .v = nodes->v,
                         .omega = frames->omega,
                         .alpha = c->viscosity,
                         .impulse = c->impulse};
}

/* ---- Life ---- */

#define COLUMNS(store, c)                                                                          \
    {                                                                                              \
        {&(c)->block, sn_block_bytes((store)->type)},                                              \
            {(void **)&(c)->soft, SN_SOFT_ROWS * BLOCK * sizeof(sn_real)},                         \
            {(void **)&(c)->lambda, BLOCK * sn_lambda_bytes((store)->type)},                       \
            {(void **)&(c)->viscosity, viscosity_bytes((store)->type)},                            \
            {(void **)&(c)->impulse, BLOCK * sn_impulse_bytes((store)->type)},                     \
            {(void **)&(c)->parameter, BLOCK * (size_t)(store)->parameters * sizeof(sn_real)},     \
            {(void **)&(c)->owner, BLOCK * sizeof(uint32_t)},                                      \
            {(void **)&(c)->marked, sizeof(uint8_t)},                                              \
            {(void **)&(c)->list, list_bytes((store)->type)},                                      \
            {(void **)&(c)->off, sizeof(uint16_t)}, {(void **)&(c)->awake, sizeof(uint16_t)},      \
    }
enum { COLUMN_COUNT = 11 };

static size_t viscosity_bytes(const sn_constraint_type *type) {
    return BLOCK * (size_t)sn_dashpot_rows(type) * sizeof(sn_real);
}

/* Of a block; the column is of the least size where there are no lists. */
static size_t list_bytes(const sn_constraint_type *type) {
    return type->info.list == SN_LIST_NONE ? 1 : BLOCK * sizeof(sn_list *);
}

void sn_store_init(sn_store *store, const sn_constraint_type *type) {
    *store = (sn_store){.type = type, .parameters = type->measured};
    for (size_t i = 0; i < type->info.field_count; i++)
        store->parameters += type->info.fields[i].kind == SN_FIELD_VEC3 ? 3 : 1;
}

void sn_store_free(sn_store *store, sn_memory *memory) {
    for (int i = 0; i < SN_COLOURS; i++) {
        sn_colour *c = &store->colour[i];
        for (size_t k = 0; k < c->count; k++)
            sn_list_free(memory, sn_store_list(store, (sn_place){(uint8_t)i, (uint32_t)k}));
        sn_column columns[] = COLUMNS(store, c);
        sn_columns_free(memory, columns, COLUMN_COUNT, 0, c->capacity);
    }
    sn_free(memory, store->used, store->used_capacity, sizeof *store->used);
}

bool sn_store_reserve_nodes(sn_store *store, sn_memory *memory, size_t capacity) {
    return sn_reserve(memory, (void **)&store->used, &store->used_capacity, capacity,
                      sizeof *store->used);
}

bool sn_store_reserve(sn_store *store, sn_memory *memory, uint8_t colour, size_t extra) {
    sn_colour *c = &store->colour[colour];
    size_t blocks = (c->count + extra + BLOCK - 1) / BLOCK;
    if (blocks <= c->capacity) return true;
    sn_column columns[] = COLUMNS(store, c);
    size_t grown = sn_columns_grow(memory, columns, COLUMN_COUNT, 0, c->capacity, blocks);
    if (grown > 0) c->capacity = grown;
    return grown > 0;
}

/* ---- Colours ---- */

static uint64_t busy_at(const sn_store *store, sn_members members) {
    uint64_t busy = 0;
    for (int n = 0; n < members.moved; n++) busy |= store->used[sn_member(members, n)];
    return busy;
}

static uint8_t use_colour(sn_store *store, sn_members members, uint8_t colour) {
    if (colour != SN_SEQUENTIAL)
        for (int n = 0; n < members.moved; n++)
            store->used[sn_member(members, n)] |= (uint64_t)1 << colour;
    return colour;
}

uint8_t sn_store_claim_colour(sn_store *store, sn_members members) {
    /* The sequential colour is never marked, so there is always one that is free. */
    return use_colour(store, members, (uint8_t)__builtin_ctzll(~busy_at(store, members)));
}

uint8_t sn_store_claim_smallest(sn_store *store, sn_members members, int most,
                                const size_t *waiting) {
    uint64_t busy = busy_at(store, members);
    uint8_t colour = (uint8_t)__builtin_ctzll(~busy);
    size_t least = SIZE_MAX;
    for (int c = 0; c < most && c < SN_SEQUENTIAL; c++) {
        size_t count = store->colour[c].count + (waiting ? waiting[c] : 0);
        if (busy >> c & 1 || count >= least) continue;
        colour = (uint8_t)c;
        least = count;
    }
    return use_colour(store, members, colour);
}

bool sn_store_take_colour(sn_store *store, sn_members members, uint8_t colour) {
    uint64_t bit = (uint64_t)1 << colour;
    if (colour == SN_SEQUENTIAL) return true;
    for (int n = 0; n < members.moved; n++) {
        if (store->used[sn_member(members, n)] & bit) return false;
        store->used[sn_member(members, n)] |= bit;
    }
    return true;
}

void sn_store_release_colour(sn_store *store, sn_members members, uint8_t colour) {
    if (colour == SN_SEQUENTIAL) return;
    for (int n = 0; n < members.moved; n++)
        store->used[sn_member(members, n)] &= ~((uint64_t)1 << colour);
}

void sn_store_replace_member(sn_store *store, sn_place place, int n, uint32_t node) {
    sn_list *list = sn_store_list(store, place);
    sn_members members = sn_store_members(store, place);
    uint64_t bit = place.colour == SN_SEQUENTIAL ? 0 : (uint64_t)1 << place.colour;
    if (n < members.moved) {
        store->used[sn_member(members, n)] &= ~bit;
        store->used[node] |= bit;
    }
    *(list ? &list->offset[n] : index_row(store, place, n)) = (int32_t)node * SN_NODE_BYTES;
    store->changed = true;
    store->edits++;
}

/* ---- Constraints ---- */

static bool is_damped(const sn_constraint_type *type, const sn_real *parameter) {
    int time = type->damping_time;
    return parameter[SN_PARAMETER_DAMPING] > 0 || (time > 0 && parameter[time] > 0);
}

static void count_traits(sn_store *store, const sn_real *parameter, bool add) {
    bool has[SN_TRAITS] = {
        [SN_TRAIT_COMPLIANT] = store->type->compliant || parameter[SN_PARAMETER_COMPLIANCE] > 0,
        [SN_TRAIT_SIDED] =
            store->type->bounded || parameter[SN_PARAMETER_SIDE] != (sn_real)SN_SIDE_BOTH,
        [SN_TRAIT_DAMPED] = is_damped(store->type, parameter) &&
                            (store->type->compliant || parameter[SN_PARAMETER_COMPLIANCE] > 0),
        [SN_TRAIT_RELAXED] = parameter[SN_PARAMETER_STIFFNESS] < 1,
        [SN_TRAIT_BREAKABLE] = parameter[SN_PARAMETER_BREAK_FORCE] != SN_AUTO,
        [SN_TRAIT_SETTLING] = store->type->settles && store->type->settles(parameter),
        [SN_TRAIT_VELOCITIES] =
            store->type->projects_velocities && store->type->projects_velocities(parameter),
        [SN_TRAIT_SPARING] = store->type->spares && store->type->spares(parameter),
        [SN_TRAIT_REMEMBERING] = store->type->remembers && store->type->remembers(parameter),
    };
    for (int i = 0; i < SN_TRAITS; i++)
        if (has[i]) store->trait[i] += add ? 1 : (size_t)-1;
}

/* alpha of one row's dashpot, 1 / (h beta), where beta is what the definition has and the damping
   time times the stiffness. A row that gives way not at all is not damped either. */
static sn_real dashpot_alpha(const sn_constraint_type *type, const sn_real *parameter, int row,
                             double h) {
    double soft = (double)parameter[SN_PARAMETER_COMPLIANCE];
    double beta = (double)parameter[SN_PARAMETER_DAMPING];
    if (type->compliance) soft = type->compliance(parameter, row);
    if (soft > 0 && type->damping_time > 0) beta += (double)parameter[type->damping_time] / soft;
    double alpha = soft > 0 && beta > 0 ? 1 / (h * beta) : SN_MOST_ALPHA;
    return (sn_real)(alpha < SN_MOST_ALPHA ? alpha : SN_MOST_ALPHA);
}

/* Of the dashpots of one lane; most constraints have none. */
static void derive_dashpots(sn_store *store, sn_place place, const sn_real *parameter,
                            const sn_scale *scale) {
    const sn_constraint_type *type = store->type;
    int rows = sn_dashpot_rows(type);
    sn_real alpha[SN_MAX_ROWS];
    for (int row = 0; row < rows; row++) alpha[row] = (sn_real)SN_MOST_ALPHA;
    if (scale->model != SN_MODEL_PBD && type->viscosity)
        type->viscosity(parameter, scale->damped_h, alpha);
    else if (scale->model != SN_MODEL_PBD && is_damped(type, parameter))
        for (int row = 0; row < rows; row++)
            alpha[row] = dashpot_alpha(type, parameter, row, scale->damped_h);
    sn_real *to = viscosity_row(store, place, 0);
    for (int row = 0; row < rows; row++) to[row * BLOCK] = alpha[row];
}

/* Coefficients of one lane. Padding has neither masses nor parameters. */
static void derive_lane(sn_store *store, sn_place place, const sn_real *parameter, sn_list *list,
                        sn_masses masses, const sn_scale *scale) {
    sn_real coefficient[SN_MAX_COEFFICIENTS];

    const sn_constraint_type *type = store->type;
    double compliance = (double)parameter[SN_PARAMETER_COMPLIANCE];
    /* Several rows have coefficients of their own for this. */
    if (type->compliance && type->info.rows == 1) compliance = type->compliance(parameter, 0);
    /* Orientations have no other motion than that of the substep. */
    double rate_h = type->info.frames == 0 ? scale->rate_h : scale->h;
    double alpha = compliance / (scale->h * scale->h);
    double relax = 1;
    if (scale->model == SN_MODEL_PBD) {
        alpha = 0;
        /* k' = 1 - (1 - k)^(1 / n), section 3.3 of the 2007 paper. */
        double k = (double)parameter[SN_PARAMETER_STIFFNESS];
        relax = k < 1 ? 1 - sn_root(1 - k, scale->iterations) : 1;
    }
    sn_side side = (sn_side)parameter[SN_PARAMETER_SIDE];
    sn_derivation from = {
        .type = store->type,
        .parameter = parameter,
        .list = list,
        .w = masses.w,
        .turn_w = masses.turn_w,
        .h = scale->model == SN_MODEL_PBD ? SN_INFINITY : scale->h,
        .rate_h = scale->model == SN_MODEL_PBD ? SN_INFINITY : rate_h,
        .move_h = scale->rate_h,
        .h2 = (sn_real)(scale->h * scale->h),
        .alpha = (sn_real)(alpha < SN_MOST_ALPHA ? alpha : SN_MOST_ALPHA),
        .relax = (sn_real)relax,
    };
    sn_real pivot = store->type->derive(&from, coefficient);
    derive_dashpots(store, place, parameter, scale);
    bool scaled = store->type->scaled;
    sn_real *row = coefficient_row(store, place, 0), *soft = soft_row(store, place, 0);
    for (int i = 0; i < store->type->coefficients; i++) row[i * BLOCK] = coefficient[i];
    soft[SN_SOFT_ALPHA * BLOCK] = scaled ? from.alpha * pivot : from.alpha;
    soft[SN_SOFT_PIVOT * BLOCK] = pivot;
    soft[SN_SOFT_RELAX * BLOCK] = from.relax;
    /* C >= 0 pushes C up only, which is a positive multiplier and a negative sum of errors. */
    bool from_zero = side == (scaled ? SN_SIDE_AT_MOST : SN_SIDE_AT_LEAST);
    bool to_zero = side == (scaled ? SN_SIDE_AT_LEAST : SN_SIDE_AT_MOST);
    soft[SN_SOFT_LEAST * BLOCK] = from_zero ? 0 : -SN_REAL_MAX;
    soft[SN_SOFT_MOST * BLOCK] = to_zero ? 0 : SN_REAL_MAX;
}

/* Without masses nothing is moved, whatever the parameters. */
static void make_powerless(sn_store *store, sn_place place, const sn_real *parameter,
                           sn_list *list) {
    const sn_real massless[SN_MAX_NODES] = {0};
    const sn_vec4 unturnable[SN_MAX_NODES] = {{0, 0, 0, 0}};
    const sn_scale scale = {1, 1, 1, SN_MODEL_XPBD, 1, SN_COLOURS, (sn_integrator)0};
    for (size_t n = 0; list && n < list->count; n++) list->w[n] = 0;
    derive_lane(store, place, parameter, list, (sn_masses){massless, unturnable}, &scale);
    for (int row = 0; row < sn_dashpot_rows(store->type); row++)
        *viscosity_row(store, place, row) = (sn_real)SN_MOST_ALPHA;
}

static void make_padding(sn_store *store, sn_place place) {
    for (int i = 0; i < sn_index_rows(store->type); i++)
        *index_row(store, place, i) = SN_NODE_PADDING * SN_NODE_BYTES;
    memset(sn_store_kept(store, place), 0, sn_lambda_bytes(store->type));
    memset(sn_store_impulse(store, place), 0, sn_impulse_bytes(store->type));
    const sn_real nothing[SN_MAX_PARAMETERS] = {0};
    if (store->type->info.list == SN_LIST_NONE) make_powerless(store, place, nothing, NULL);
}

sn_place sn_store_add(sn_store *store, uint8_t colour, uint32_t owner, const sn_draft *draft) {
    sn_colour *c = &store->colour[colour];
    sn_place place = {colour, (uint32_t)c->count};
    if (c->count % BLOCK == 0)
        for (uint32_t i = 0; i < BLOCK; i++)
            make_padding(store, (sn_place){colour, place.position + i});
    c->count++;
    store->changed = true;
    store->edits++;
    store->count++;
    if (colour != SN_SEQUENTIAL && colour >= store->colours) store->colours = (size_t)colour + 1;
    c->owner[place.position] = owner;
    for (int i = 0; i < sn_index_rows(store->type); i++)
        *index_row(store, place, i) = draft->offset[i];
    if (draft->list) c->list[place.position] = draft->list;
    sn_store_switch(store, place, draft->off);
    memcpy(sn_store_parameters(store, place), draft->parameter,
           sizeof(sn_real) * (size_t)store->parameters);
    count_traits(store, draft->parameter, true);
    return place;
}

uint32_t sn_store_remove(sn_store *store, sn_memory *memory, sn_place place) {
    sn_colour *c = &store->colour[place.colour];
    const sn_constraint_type *type = store->type;
    sn_store_release_colour(store, sn_store_members(store, place), place.colour);
    sn_list_free(memory, sn_store_list(store, place));
    count_traits(store, sn_store_parameters(store, place), false);
    store->changed = true;
    store->edits++;
    sn_place last = {place.colour, (uint32_t)--c->count};
    bool off = sn_store_is_off(store, last);
    sn_store_switch(store, last, false);
    store->count--;
    if (type->info.list != SN_LIST_NONE) c->list[place.position] = c->list[last.position];
    if (last.position != place.position) {
        sn_store_switch(store, place, off);
        for (int i = 0; i < sn_index_rows(type); i++)
            *index_row(store, place, i) = *index_row(store, last, i);
        for (int i = 0; i < type->coefficients; i++)
            *coefficient_row(store, place, i) = *coefficient_row(store, last, i);
        for (int i = 0; i < SN_SOFT_ROWS; i++)
            *soft_row(store, place, i) = *soft_row(store, last, i);
        for (int i = 0; i < sn_dashpot_rows(type); i++)
            *viscosity_row(store, place, i) = *viscosity_row(store, last, i);
        memcpy(sn_store_kept(store, place), sn_store_kept(store, last), sn_lambda_bytes(type));
        memcpy(sn_store_impulse(store, place), sn_store_impulse(store, last),
               sn_impulse_bytes(type));
        memcpy(sn_store_parameters(store, place), sn_store_parameters(store, last),
               sizeof(sn_real) * (size_t)store->parameters);
        c->owner[place.position] = c->owner[last.position];
    }
    make_padding(store, last);
    while (store->colours > 0 && store->colour[store->colours - 1].count == 0) store->colours--;
    return c->owner[place.position];
}

void sn_store_set_parameters(sn_store *store, sn_place place, const sn_real *parameter) {
    sn_real *own = sn_store_parameters(store, place);
    count_traits(store, own, false);
    /* On its other side it has not acted yet. */
    if (own[SN_PARAMETER_SIDE] != parameter[SN_PARAMETER_SIDE])
        memset(sn_store_kept(store, place), 0, sn_lambda_bytes(store->type));
    memcpy(own, parameter, sizeof(sn_real) * (size_t)store->parameters);
    count_traits(store, own, true);
}

bool sn_store_is_off(const sn_store *store, sn_place place) {
    return store->off > 0 &&
           store->colour[place.colour].off[place.position / BLOCK] >> place.position % BLOCK & 1;
}

void sn_store_switch(sn_store *store, sn_place place, bool off) {
    if (off == sn_store_is_off(store, place)) return;
    uint16_t *mask = &store->colour[place.colour].off[place.position / BLOCK];
    *mask = (uint16_t)(*mask ^ 1u << place.position % BLOCK);
    store->off += off ? 1 : (size_t)-1;
    memset(sn_store_kept(store, place), 0, sn_lambda_bytes(store->type));
    memset(sn_store_impulse(store, place), 0, sn_impulse_bytes(store->type));
}

void sn_store_derive(sn_store *store, sn_place place, sn_masses masses, const sn_scale *scale) {
    if (sn_store_is_off(store, place)) {
        make_powerless(store, place, sn_store_parameters(store, place),
                       sn_store_list(store, place));
        return;
    }
    sn_real w[SN_MAX_NODES];
    sn_vec4 turn_w[SN_MAX_NODES];
    sn_members members = sn_store_members(store, place);
    sn_list *list = sn_store_list(store, place);
    sn_real *to = list ? list->w : w;
    for (int n = 0; n < members.nodes; n++) to[n] = masses.w[sn_member(members, n)];
    for (int n = 0; n < members.frames; n++)
        turn_w[n] = masses.turn_w[sn_member(members, members.nodes + n)];
    derive_lane(store, place, sn_store_parameters(store, place), list, (sn_masses){to, turn_w},
                scale);
}

void sn_store_derive_blocks(sn_store *store, uint8_t colour, size_t begin, size_t end,
                            sn_masses masses, const sn_scale *scale) {
    size_t count = store->colour[colour].count, last = end * BLOCK < count ? end * BLOCK : count;
    for (size_t i = begin * BLOCK; i < last; i++)
        sn_store_derive(store, (sn_place){colour, (uint32_t)i}, masses, scale);
}

void sn_store_disable(sn_store *store, sn_place place) {
    sn_real parameter[SN_MAX_PARAMETERS];
    memcpy(parameter, sn_store_parameters(store, place),
           sizeof(sn_real) * (size_t)store->parameters);
    parameter[SN_PARAMETER_BREAK_FORCE] = SN_AUTO; /* once is enough */
    sn_store_set_parameters(store, place, parameter);
    memset(sn_store_kept(store, place), 0, sn_lambda_bytes(store->type));
    memset(sn_store_impulse(store, place), 0, sn_impulse_bytes(store->type));
    make_powerless(store, place, parameter, sn_store_list(store, place));
}

bool sn_store_is_valid(const sn_store *store, size_t nodes, sn_memory *memory) {
    uint64_t *seen = sn_allocate(memory, nodes + 1, sizeof *seen);
    bool valid = seen != NULL;
    for (uint8_t colour = 0; valid && colour < SN_SEQUENTIAL; colour++)
        for (size_t i = 0; valid && i < store->colour[colour].count; i++) {
            sn_members members = sn_store_members(store, (sn_place){colour, (uint32_t)i});
            uint64_t bit = (uint64_t)1 << colour;
            for (int n = 0; valid && n < members.moved; n++) {
                int32_t node = sn_member(members, n);
                valid = !(seen[node] & bit) && (store->used[node] & bit);
                seen[node] |= bit;
            }
        }
    for (size_t i = 0; valid && i < nodes && i < store->used_capacity; i++)
        valid = store->used[i] == seen[i];
    sn_free(memory, seen, nodes + 1, sizeof *seen);
    return valid;
}
