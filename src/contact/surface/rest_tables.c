#define SN_LANES 4 /* a feature and four */
#include "contact/surface/rest_tables.h"

#include "collision/narrow_phase/closest_weights.h"

/* Where a table begins that was not asked for yet, or has no room. */
#define UNKNOWN UINT32_MAX
#define NONE (UINT32_MAX - 1)

/* Vectors of a leaf, those of its neighbours in a sheet; and of all of them. */
enum { ROOM_OF_LEAF = 1024, MOST_ROOM = 1 << 22, PROBES = 8, LINE = 64 / sizeof(sn_v4) };

bool sn_rest_tables_reserve(sn_world *world, sn_surface_bvh *tree) {
    sn_rest_tables *t = &tree->rests;
    size_t leaves = tree->leaves, most = MOST_ROOM / ROOM_OF_LEAF;
    size_t room = (leaves < most ? leaves : most) * ROOM_OF_LEAF;
    if (!sn_reserve(&world->memory, (void **)&t->room, &t->capacity, room, sizeof *t->room) ||
        !sn_reserve(&world->memory, (void **)&t->of, &t->list_capacity, leaves, sizeof *t->of))
        return false;
    atomic_store_explicit(&t->taken, 0, memory_order_relaxed);
    for (size_t i = 0; i < leaves; i++)
        for (int k = 0; k < SN_REST_LEAVES; k++)
            atomic_store_explicit(&t->of[i].with[k].whose, 0, memory_order_relaxed);
    return true;
}

void sn_rest_tables_free(sn_rest_tables *t, sn_memory *memory) {
    sn_free(memory, t->room, t->capacity, sizeof *t->room);
    sn_free(memory, t->of, t->list_capacity, sizeof *t->of);
}

/* Of two edges the one with the lower number is the first. */
SN_INLINE sn_v4 half_of(const sn_feature_rest *a, uint32_t lane, const sn_feature_rest *b,
                        const int mine, const int theirs) {
    const sn_bits item = a->item[lane];
    const sn_v4_bits turned = mine == theirs ? (sn_v4_bits)(b->item < item) : (sn_v4_bits){0};
    sn_v4 at[SN_CONTACT_MOST_NODES][3];
    sn_v4_bits joined = {0, 0, 0, 0};
    for (int n = 0; n < mine; n++) {
        const sn_bits node = a->node[n][lane];
        for (int k = 0; k < theirs; k++)
            joined |= (sn_v4_bits)((sn_v4_bits){node, node, node, node} == b->node[k]);
    }
    for (int k = 0; k < 3; k++) {
        for (int n = 0; n < mine; n++) at[n][k] = sn_four_all(a->at[n][k][lane]);
        for (int n = 0; n < theirs; n++) at[mine + n][k] = b->at[n][k];
        for (int n = 0; mine == theirs && n < mine; n++) {
            sn_v4 one = at[n][k], two = at[mine + n][k];
            at[n][k] = sn_four_choose(turned, two, one);
            at[mine + n][k] = sn_four_choose(turned, one, two);
        }
    }
    sn_lane3 x[SN_CONTACT_MOST_NODES];
    sn_lane weight[SN_CONTACT_MOST_NODES];
    for (int n = 0; n < SN_CONTACT_MOST_NODES; n++)
        x[n] = (sn_lane3){(sn_lane)(at[n][0] - at[0][0]), (sn_lane)(at[n][1] - at[0][1]),
                          (sn_lane)(at[n][2] - at[0][2])};
    sn_lane3 r =
        sn_nearest(mine == theirs ? SN_CONTACT_EDGE_EDGE : SN_CONTACT_POINT_TRIANGLE, x, weight);
    sn_v4 half = (sn_v4)(sn_lane_sqrt(sn_lane3_dot(r, r)) * SN_R(0.5));
    return sn_four_choose(joined, sn_four_all(SN_FEATURE_JOINED), half);
}

sn_v4 sn_rest_half_of_edges(const sn_feature_rest *a, uint32_t lane, const sn_feature_rest *b) {
    return half_of(a, lane, b, 2, 2);
}

sn_v4 sn_rest_half_of_points(const sn_feature_rest *a, uint32_t lane, const sn_feature_rest *b) {
    return half_of(a, lane, b, 1, 3);
}

SN_INLINE void fill(sn_v4 *table, const sn_feature_rest *row, size_t rows,
                    const sn_feature_rest *column, size_t columns, const int mine,
                    const int theirs) {
    for (size_t i = 0; i < 4 * rows; i++)
        for (size_t k = 0; k < columns; k++)
            *table++ = half_of(&row[i / 4], (uint32_t)(i % 4), &column[k], mine, theirs);
}

/* How many fours a table has in its rows and columns. */
typedef struct extent {
    sn_feature_blocks row, column;
    size_t rows, columns;
} extent;

static extent extent_of(const sn_surface_bvh *tree, uint32_t a, uint32_t b, int kind) {
    const sn_feature_range *mine = &tree->range[kind == SN_REST_POINTS_OF_SECOND ? b : a];
    const sn_feature_range *theirs = &tree->range[kind == SN_REST_POINTS_OF_SECOND ? a : b];
    const int first = kind == SN_REST_EDGES ? SN_FEATURE_EDGE : SN_FEATURE_POINT;
    const int second = kind == SN_REST_EDGES ? SN_FEATURE_EDGE : SN_FEATURE_TRIANGLE;
    return (extent){sn_feature_blocks_at(tree->block, mine->begin[first]),
                    sn_feature_blocks_at(tree->block, theirs->begin[second]), mine->fours[first],
                    theirs->fours[second]};
}

/* Finds the table when it is asked for first; where it begins, or NONE without room. */
static SN_NOINLINE uint32_t make(sn_surface_bvh *tree, uint32_t a, uint32_t b, int kind) {
    sn_rest_tables *t = &tree->rests;
    const extent e = extent_of(tree, a, b, kind);
    const size_t filled = 4 * e.rows * e.columns, size = filled + SN_FEATURE_FOURS - 1;
    if (atomic_load_explicit(&t->taken, memory_order_relaxed) + size > t->capacity) return NONE;
    size_t begin = atomic_fetch_add_explicit(&t->taken, size, memory_order_relaxed);
    if (begin + size > t->capacity) return NONE;
    if (kind == SN_REST_EDGES)
        fill(t->room + begin, e.row.rest, e.rows, e.column.rest, e.columns, 2, 2);
    else
        fill(t->room + begin, e.row.rest, e.rows, e.column.rest, e.columns, 1, 3);
    for (size_t i = filled; i < size; i++) t->room[begin + i] = (sn_v4){0, 0, 0, 0};
    return (uint32_t)begin;
}

sn_rest_entry *sn_rest_entry_of(sn_surface_bvh *tree, uint32_t a, uint32_t b) {
    sn_rest_list *list = &tree->rests.of[tree->range[a].leaf];
    const uint32_t whose = 1 + tree->range[b].leaf;
    uint32_t at = whose * 2654435769u >> 26;
    /* Others may add theirs at the same time, but nobody else what is looked for here. */
    for (int i = 0; i < PROBES; i++, at = (at + 1) % SN_REST_LEAVES) {
        sn_rest_entry *entry = &list->with[at];
        uint32_t found = atomic_load_explicit(&entry->whose, memory_order_relaxed);
        if (found == whose) return entry;
        if (found == 0 &&
            atomic_compare_exchange_strong_explicit(&entry->whose, &found, whose,
                                                    memory_order_relaxed, memory_order_relaxed)) {
            for (int k = 0; k < SN_REST_KINDS; k++) entry->begin[k] = UNKNOWN;
            return entry;
        }
    }
    return NULL;
}

void sn_rest_table_fetch(const sn_surface_bvh *tree, const sn_rest_entry *entry, uint32_t a,
                         uint32_t b, int kind) {
    if (!entry || entry->begin[kind] >= NONE) return;
    const extent e = extent_of(tree, a, b, kind);
    const sn_v4 *table = tree->rests.room + entry->begin[kind];
    for (size_t i = 0; i < 4 * e.rows * e.columns; i += LINE) __builtin_prefetch(table + i);
}

const sn_v4 *sn_rest_table(sn_surface_bvh *tree, sn_rest_entry *entry, uint32_t a, uint32_t b,
                           int kind) {
    if (!entry) return NULL;
    if (entry->begin[kind] == UNKNOWN) entry->begin[kind] = make(tree, a, b, kind);
    return entry->begin[kind] == NONE ? NULL : tree->rests.room + entry->begin[kind];
}
