/* A sweep over the pairs that may do something; meet_survey.h says which. */
#include "contact/meet.h"
#include "contact/placing.h"

#include <stdatomic.h>
#include <string.h>

enum { NODES_ALONE = 1024, BLOCKS_ALONE = 16, GROUPS_ALONE = 16, FRONT = SN_NODE_FRONT };

/* ---- Memory ---- */

static size_t groups_of(const sn_world *world, size_t blocks) {
    return blocks * SN_MEET_BLOCK / sn_meet_looks_of(world->width)->lanes;
}

static bool reserve_nodes(sn_world *world, sn_meet_survey *s) {
    sn_column columns[] = {{(void **)&s->now, sizeof *s->now},
                           {(void **)&s->before, sizeof *s->before},
                           {(void **)&s->moved, sizeof *s->moved}};
    size_t nodes = world->nodes.slots.count;
    if (nodes <= s->node_capacity) return true;
    size_t grown = sn_columns_grow(&world->memory, columns, 3, FRONT, s->node_capacity, nodes);
    if (grown > 0) s->node_capacity = grown;
    return grown > 0;
}

static bool reserve_groups(sn_world *world, sn_meet_survey *s, size_t groups) {
    sn_column columns[] = {{(void **)&s->slack, sizeof *s->slack},
                           {(void **)&s->list, sizeof *s->list}};
    if (groups <= s->group_capacity) return true;
    size_t grown = sn_columns_grow(&world->memory, columns, 2, 0, s->group_capacity, groups);
    if (grown > 0) s->group_capacity = grown;
    return grown > 0;
}

bool sn_meet_survey_reserve(sn_world *world) {
    sn_meet_survey *s = &world->meets->survey;
    size_t blocks = 1, colours = 1;
    for (int kind = 0; kind < SN_MEET_KINDS; kind++) {
        const sn_meet_set *set = &world->meets->set[kind];
        if (set->blocks > blocks) blocks = set->blocks;
        if (set->colours > colours) colours = set->colours;
    }
    return reserve_nodes(world, s) && reserve_groups(world, s, groups_of(world, blocks)) &&
           sn_reserve(&world->memory, (void **)&s->begin, &s->colour_capacity, colours + 1,
                      sizeof *s->begin) &&
           sn_reserve(&world->memory, (void **)&s->doubt, &s->doubt_capacity,
                      blocks * SN_MEET_BLOCK, sizeof *s->doubt);
}

void sn_meet_survey_free(sn_meet_survey *s, sn_memory *memory) {
    sn_column columns[] = {{(void **)&s->now, sizeof *s->now},
                           {(void **)&s->before, sizeof *s->before},
                           {(void **)&s->moved, sizeof *s->moved}};
    sn_columns_free(memory, columns, 3, FRONT, s->node_capacity);
    sn_free(memory, s->slack, s->group_capacity, sizeof *s->slack);
    sn_free(memory, s->list, s->group_capacity, sizeof *s->list);
    sn_free(memory, s->begin, s->colour_capacity, sizeof *s->begin);
    sn_free(memory, s->doubt, s->doubt_capacity, sizeof *s->doubt);
    *s = (sn_meet_survey){0};
}

/* ---- Places ---- */

typedef struct placing {
    const sn_world *world;
    bool before;
} placing;

static sn_real sum_of(sn_v4 a) {
    sn_real x = a[0] < 0 ? -a[0] : a[0], y = a[1] < 0 ? -a[1] : a[1], z = a[2] < 0 ? -a[2] : a[2];
    return (x + y) + z;
}

/* The rounding of a difference, a sum and a product with a normal is some 3e-7 of the numbers; a
   displacement is rounded again with every push. */
static void place(sn_vec4 *at, sn_v4 x, sn_v4 displaced) {
    sn_v4 y = x + displaced;
    y[3] = SN_R(1e-6) * sum_of(y) + SN_R(1e-5) * sum_of(displaced);
    sn_v4_store(at, y);
}

static void place_range(void *context, size_t begin, size_t end) {
    const placing *p = context;
    const sn_nodes *n = &p->world->nodes;
    const sn_meet_survey *s = &p->world->meets->survey;
    sn_v4 origin = sn_v4_load(&s->origin);
    for (size_t k = begin; k < end; k++) {
        uint32_t i = p->world->meets->list[SN_MEET_POINT].node[k];
        sn_v4 x = sn_v4_load(&n->x[i]) - origin;
        place(&s->now[i], x, sn_v4_load(&n->d[i]));
        if (p->before) place(&s->before[i], x, sn_v4_load(&n->p[i]));
        s->moved[i] = 0;
    }
}

void sn_meet_survey_nodes(sn_world *world, bool before) {
    const sn_meet_elements *points = &world->meets->list[SN_MEET_POINT];
    placing p = {world, before};
    if (points->count == 0) return;
    /* One of them, so that far from the origin of the world little is lost. */
    world->meets->survey.origin = world->nodes.x[points->node[0]];
    sn_team_run(world->team, points->count, NODES_ALONE, place_range, &p);
}

/* ---- Looking at all pairs ---- */

typedef struct looking {
    sn_meet_sight sight;
    sn_meet_look *look;
} looking;

static void look_range(void *context, size_t begin, size_t end) {
    const looking *l = context;
    l->look(&l->sight, begin, end);
}

static void look(sn_world *world, int kind, sn_meet_look *function) {
    const sn_meet_survey *s = &world->meets->survey;
    const sn_meet_set *set = &world->meets->set[kind];
    sn_v4 origin = sn_v4_load(&s->origin);
    looking l = {.look = function,
                 .sight = {.now = s->now,
                           .before = s->before,
                           .node = set->node,
                           .row = set->row,
                           .slack = s->slack,
                           .doubt = s->doubt,
                           .rounding = SN_R(1e-6) * sum_of(origin) + SN_R(1e-8)}};
    sn_team_run(world->team, set->blocks, BLOCKS_ALONE, look_range, &l);
}

void sn_meet_survey_doubts(sn_world *world, int kind) {
    look(world, kind, sn_meet_looks_of(world->width)->doubt[kind]);
}

/* ---- The sweep ---- */

typedef struct sweep {
    sn_meet_batch batch;
    sn_meet_loop *loop;
    const uint32_t *list;
    /* m, the longest way that pushes have moved a node so far: bits of a double, which are in the
       order of numbers that are not negative. So threads may raise it in any order. */
    atomic_uint_fast64_t longest;
} sweep;

static void sweep_range(void *context, size_t begin, size_t end) {
    sweep *s = context;
    double moved = (double)s->loop(&s->batch, s->list + begin, end - begin);
    uint64_t bits;
    memcpy(&bits, &moved, sizeof bits);
    uint_fast64_t most = atomic_load_explicit(&s->longest, memory_order_relaxed);
    while (bits > most && !atomic_compare_exchange_weak_explicit(
                              &s->longest, &most, bits, memory_order_relaxed, memory_order_relaxed))
        continue;
}

static double longest_of(const sweep *s) {
    uint64_t bits = atomic_load_explicit(&s->longest, memory_order_relaxed);
    double moved;
    memcpy(&moved, &bits, sizeof moved);
    return moved;
}

/* Lists the groups of all colours from one on that are not shown to be apart. */
static void list_groups(const sn_world *world, const sn_meet_set *set, size_t colour) {
    sn_meet_survey *s = &world->meets->survey;
    size_t count = colour == 0 ? 0 : s->begin[colour];
    for (; colour < set->colours; colour++) {
        size_t end = groups_of(world, set->colour[colour + 1]);
        s->begin[colour] = count;
        for (size_t g = groups_of(world, set->colour[colour]); g < end; g++)
            if (!(s->slack[g] > s->spare)) s->list[count++] = (uint32_t)g;
    }
    s->begin[colour] = count;
}

static void sweep_set(sn_world *world, int kind, sweep *w) {
    sn_meet_survey *s = &world->meets->survey;
    const sn_meet_set *set = &world->meets->set[kind];
    look(world, kind, sn_meet_looks_of(world->width)->slack[kind]);
    atomic_store_explicit(&w->longest, 0, memory_order_relaxed);
    list_groups(world, set, 0);
    for (size_t c = 0; c < set->colours; c++) {
        /* Both of a pair may have come nearer. */
        double nearer = 2.001 * longest_of(w);
        if (!(nearer <= (double)s->spare)) {
            s->spare = (sn_real)(2 * nearer);
            list_groups(world, set, c);
        }
        w->list = s->list + s->begin[c];
        sn_team_run(world->team, s->begin[c + 1] - s->begin[c], GROUPS_ALONE, sweep_range, w);
    }
    /* What will do for the next one, mostly. */
    s->spare = (sn_real)(3 * longest_of(w));
}

void sn_meet_project(sn_world *world, const sn_moment *moment, bool first) {
    if (!world->meets || !sn_meet_is_needed(world)) return;
    const sn_meet_loops *loops = sn_meet_loops_of(world->width);
    for (int kind = SN_MEET_KINDS - 1; kind >= 0; kind--) {
        const sn_meet_set *set = &world->meets->set[kind];
        if (set->count == 0) continue;
        sn_meet_survey_nodes(world, false);
        sweep s = {.batch = {.x = world->nodes.x,
                             .p = world->nodes.p,
                             .d = world->nodes.d,
                             .w = sn_world_contact_w(world),
                             .moved = world->meets->survey.moved,
                             .node = set->node,
                             .row = set->row,
                             .h = (sn_real)moment->h,
                             .first = first},
                   .loop = loops->project[kind]};
        sweep_set(world, kind, &s);
    }
}
