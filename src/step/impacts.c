/*
 * Impacts of one-sided constraints, for integrators that remember earlier substeps.
 *
 * A row that only pulls, only pushes or has bounds does nothing until it is hit, and then takes in
 * one substep all of the velocity that leads into it. As with contacts (contact_marks.c), such a
 * velocity must not be extrapolated: a rope that snaps taut would throw its node back faster than
 * it came. So bodies begin anew on which such a row acts that acted not at all, or far less, in the
 * substep before, and by more than rest asks for.
 *
 * What rows did is known from their multipliers, which are kept for this. All blocks are looked at
 * in parallel, those in which something has jumped once more, from one thread.
 */
#include "step/step.h"

#include "step/integrators/integrator.h"

#include <string.h>

enum { BLOCK = 16, BLOCKS_ALONE = 64 };

/* What rest asks for in a substep: some of what weight moves by; and next to a motion, more than
   what rounding makes of it. */
#define WEIGHTS 4.0
#define OF_MOTION 1e-3
/* Multipliers grow by more where a row is hit. Between BDF2 and BDF1 some of them grow by 9/4,
   since what is kept is the error that they have corrected. */
#define JUMP SN_R(2.5)

static bool is_watched(const sn_store *store) {
    return store->trait[SN_TRAIT_SIDED] > 0;
}

bool sn_impacts_are_possible(const sn_world *world) {
    if (!sn_integrator_of(&world->settings)->plan) return false;
    for (size_t s = 0; s < world->store_count; s++)
        if (is_watched(&world->store[s])) return true;
    return false;
}

/* ---- Which rows are hit ---- */

/* A colour, and its multipliers of the substep before, laid out alike. */
typedef struct search {
    const sn_store *store;
    uint8_t colour;
    sn_real *before;
} search;

static size_t numbers_of(const sn_store *store) {
    return sn_lambda_bytes(store->type) / sizeof(sn_real);
}

/* Whether a multiplier has become another. */
SN_INLINE bool has_jumped(sn_real from, sn_real to) {
    return (to < 0 ? -to : to) > JUMP * (from < 0 ? -from : from);
}

/* Rows that pull or push in one direction alone, and harder than they did; a bit each. */
static unsigned hit_rows(const search *s, const sn_batch *batch, size_t position) {
    const sn_constraint_type *type = s->store->type;
    sn_place place = {s->colour, (uint32_t)position};
    const sn_real *kept = sn_store_kept(s->store, place);
    const sn_real *before = s->before + position * numbers_of(s->store);
    unsigned rows = 0;
    for (int row = 0; row < type->info.rows; row++)
        rows |= (unsigned)has_jumped(before[row], kept[row]) << row;
    if (!rows) return 0;
    if (type->bounded) return type->one_sided ? rows & type->one_sided(batch, position) : 0;
    bool sided = sn_store_parameters(s->store, place)[SN_PARAMETER_SIDE] != (sn_real)SN_SIDE_BOTH;
    return sided ? rows : 0;
}

/* Shows every colour of the stores that are watched. */
static void for_all(sn_step *step, void (*act)(sn_step *step, const search *s)) {
    const sn_world *world = step->world;
    sn_real *before = world->scratch.before;
    for (size_t s = 0; s < world->store_count; s++)
        for (uint8_t c = 0; is_watched(&world->store[s]) && c < SN_COLOURS; c++) {
            search colour = {&world->store[s], c, before};
            if (world->store[s].colour[c].count > 0) act(step, &colour);
            before += world->store[s].colour[c].count * numbers_of(&world->store[s]);
        }
}

/* Whether what a constraint did in the substep before means anything to the next. */
static bool is_known(const sn_step *step, sn_members members) {
    const sn_world *world = step->world;
    bool known = world->history.used && world->scale.h == step->h &&
                 world->scale.integrator == world->settings.integrator;
    for (int n = 0; n < members.moved && known; n++) {
        int32_t node = sn_member(members, n);
        known = node < 0 || world->history.ready[world->nodes.body[node]] != SN_HISTORY_NOT_READY;
    }
    return known;
}

/* As the step before has left them; where that means nothing, no row is known to have jumped. */
static void recall(sn_step *step, const search *s) {
    const sn_colour *colour = &s->store->colour[s->colour];
    size_t numbers = numbers_of(s->store);
    for (uint32_t i = 0; i < colour->count; i++) {
        bool known = is_known(step, sn_store_members(s->store, (sn_place){s->colour, i}));
        for (size_t k = i * numbers; k < (i + 1) * numbers; k++)
            s->before[k] = known ? colour->lambda[k] : SN_REAL_MAX;
    }
}

/* Gradients of the constraint that has the most. */
static size_t most_gradients(const sn_store *store) {
    size_t rows = (size_t)store->type->info.rows, most = rows * SN_MAX_INDICES;
    for (uint8_t c = 0; store->type->info.list != SN_LIST_NONE && c < SN_COLOURS; c++)
        for (uint32_t i = 0; i < store->colour[c].count; i++) {
            size_t count = rows * (size_t)sn_store_members(store, (sn_place){c, i}).nodes;
            most = count > most ? count : most;
        }
    return most;
}

bool sn_impacts_reserve(sn_step *step) {
    sn_world *world = step->world;
    sn_world_scratch *scratch = &world->scratch;
    size_t count = 0, gradients = 0;
    if (!sn_impacts_are_possible(world)) return true;
    for (size_t s = 0; s < world->store_count; s++) {
        if (!is_watched(&world->store[s])) continue;
        size_t most = most_gradients(&world->store[s]);
        gradients = most > gradients ? most : gradients;
        count += world->store[s].count * numbers_of(&world->store[s]);
    }
    if (!sn_reserve(&world->memory, (void **)&scratch->before, &scratch->before_capacity, count,
                    sizeof *scratch->before) ||
        !sn_reserve(&world->memory, (void **)&scratch->gradient, &scratch->gradient_capacity,
                    gradients, sizeof *scratch->gradient))
        return false;
    for_all(step, recall);
    return true;
}

/* ---- Who is struck ---- */

static double square_of(sn_v4 a) {
    return (double)a[0] * (double)a[0] + (double)a[1] * (double)a[1] + (double)a[2] * (double)a[2];
}

static sn_v4 times(sn_vec3 gradient, double lambda) {
    return (sn_v4){gradient.x, gradient.y, gradient.z, 0} * (sn_real)lambda;
}

/* m^2, of what rest asks for of a node. */
static double resting_square(const sn_step *step, size_t node) {
    sn_vec3 g = sn_world_gravity(step->world, step->world->nodes.body[node]);
    double weight = WEIGHTS * step->h * step->h;
    return weight * weight * square_of((sn_v4){g.x, g.y, g.z, 0});
}

/* Whether a row moves a node by an impact. */
static bool is_moved(const sn_step *step, size_t node, sn_v4 pull) {
    const sn_nodes *nodes = &step->world->nodes;
    double moved = square_of(sn_world_masses(step->world).w[node] * pull);
    double motion = square_of(*(sn_v4 *)&nodes->d[node] - *(sn_v4 *)&nodes->p[node]);
    return moved > resting_square(step, node) && moved > OF_MOTION * OF_MOTION * motion;
}

/* Or a frame: by an angle, or by the way that it is at the radius of gyration. */
static bool is_turned(const sn_step *step, size_t frame, sn_v4 pull) {
    const sn_world *world = step->world;
    uint32_t node = world->frames.node[frame];
    sn_v4 angle = *(const sn_v4 *)&sn_world_masses(world).turn_w[frame] * pull;
    sn_vec4 inertia = world->frames.inertia[frame];
    double energy = (double)inertia.x * (double)angle[0] * (double)angle[0] +
                    (double)inertia.y * (double)angle[1] * (double)angle[1] +
                    (double)inertia.z * (double)angle[2] * (double)angle[2];
    double motion = step->h * step->h * square_of(*(sn_v4 *)&world->frames.omega[frame]);
    double w = (double)world->nodes.w[node];
    return square_of(angle) > OF_MOTION * OF_MOTION * motion &&
           (w == 0 || w * energy > resting_square(step, node));
}

bool sn_impacts_is_one(const sn_step *step, sn_members members, const sn_vec3 *gradient,
                       double lambda) {
    bool impact = false;
    for (int n = 0; n < members.moved && !impact; n++) {
        int32_t node = sn_member(members, n);
        impact = node >= 0 && is_moved(step, (size_t)node, times(gradient[n], lambda));
    }
    for (int n = 0; n < members.frames && n < members.moved && !impact; n++) {
        int32_t frame = sn_member(members, members.nodes + n);
        impact = frame >= 0 &&
                 is_turned(step, (size_t)frame, times(gradient[members.nodes + n], lambda));
    }
    return impact;
}

bool sn_impacts_gives_way(const sn_world *world, sn_members members, int n) {
    int32_t node = sn_member(members, n);
    if (node < 0) return false;
    int32_t frame = n < members.frames ? sn_member(members, members.nodes + n) : -1;
    return world->nodes.w[node] > 0 ||
           (frame >= 0 && square_of(*(sn_v4 *)&world->frames.w[frame]) > 0);
}

static void strike(sn_step *step, const search *s, const sn_batch *batch, size_t position) {
    sn_world *world = step->world;
    sn_place place = {s->colour, (uint32_t)position};
    sn_members members = sn_store_members(s->store, place);
    sn_real value[SN_MAX_ROWS];
    double lambda[SN_MAX_ROWS];
    unsigned rows = hit_rows(s, batch, position);
    bool impact = false;
    if (!rows) return;
    s->store->type->evaluate(batch, position, value, world->scratch.gradient);
    sn_store_lambda(s->store, place, lambda);
    for (int row = 0; row < s->store->type->info.rows; row++)
        if (rows >> row & 1)
            impact |= sn_impacts_is_one(
                step, members, world->scratch.gradient + row * (members.nodes + members.frames),
                lambda[row]);
    for (int n = 0; n < members.moved && impact; n++)
        if (sn_impacts_gives_way(world, members, n))
            sn_history_strike(&world->history, world->nodes.body[sn_member(members, n)]);
}

/* ---- A substep ---- */

static void mark_range(void *context, size_t begin, size_t end) {
    const search *s = context;
    const sn_colour *colour = &s->store->colour[s->colour];
    size_t numbers = numbers_of(s->store) * BLOCK, all = numbers_of(s->store) * colour->count;
    for (size_t block = begin; block < end; block++) {
        size_t first = block * numbers, last = first + numbers < all ? first + numbers : all;
        bool any = false;
        for (size_t i = first; i < last; i++) any |= has_jumped(s->before[i], colour->lambda[i]);
        colour->marked[block] = any;
        if (!any)
            memcpy(s->before + first, colour->lambda + first, (last - first) * sizeof *s->before);
    }
}

static void find_in_colour(sn_step *step, const search *s) {
    const sn_colour *colour = &s->store->colour[s->colour];
    sn_batch batch = sn_step_batch(step->world, s->store, s->colour);
    size_t numbers = numbers_of(s->store), blocks = sn_colour_blocks(colour);
    search shared = *s;
    sn_team_run(step->world->bindings.team, blocks, BLOCKS_ALONE, mark_range, &shared);
    for (size_t i = 0; i < colour->count; i++) {
        if (!colour->marked[i / BLOCK]) {
            i += BLOCK - 1;
            continue;
        }
        strike(step, s, &batch, i);
        memcpy(s->before + i * numbers, colour->lambda + i * numbers, numbers * sizeof *s->before);
    }
}

void sn_impacts_find(sn_step *step) {
    for_all(step, find_in_colour);
}
