/*
 * Sums over regions as cells of an octree (Steinemann, Otaduy and Gross 2008; survey of position
 * based methods, section 5.11.3.2): for nodes of any density, such as adaptive lattices.
 *
 * The octree of the places at rest has a node in each of its leaves and a virtual node in each cell
 * above; cells with one child are left out. A virtual node has the sum of what is below it:
 *
 *   V(cell)     = sum over the children of their nodes or V             from the leaves to the root
 *   out(region) = sum over its summation nodes: the highest cells that are in the region as a whole
 *
 * Back, what regions give to a cell goes down to the leaves. A region takes about as many summation
 * nodes as cells of all sizes lie along its border, whatever is inside. Nothing is ever subtracted,
 * so sums are as exact as the direct ones.
 */
#include "systems/shape_matching/region_sums.h"

#include "geometry/topology/sort_indices.h"

#include <string.h>

enum { PART = 4, BITS = 21, CELLS_ALONE = 128, REGIONS_ALONE = 256 };

/* Items are nodes by their numbers and, behind them, cells. */
static const uint32_t no_parent = UINT32_MAX;

/* ---- The tree ---- */

/* Every third bit from the lowest on. */
static uint64_t spread_bits(uint64_t x) {
    x = (x | x << 32) & UINT64_C(0x1f00000000ffff);
    x = (x | x << 16) & UINT64_C(0x1f0000ff0000ff);
    x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
    x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}

/* Nodes in the order of a curve through the cells of all levels, which each cell has a piece of. */
static void sort_nodes(const sn_region_sums_input *in, sn_record *sorted, sn_record *spare) {
    double low[3], high[3], size = 0;
    for (size_t i = 0; i < in->nodes; i++) {
        const double x[3] = {(double)in->rest[i].x, (double)in->rest[i].y, (double)in->rest[i].z};
        for (int a = 0; a < 3; a++) {
            if (i == 0 || x[a] < low[a]) low[a] = x[a];
            if (i == 0 || x[a] > high[a]) high[a] = x[a];
        }
    }
    for (int a = 0; a < 3; a++)
        if (in->nodes > 0 && high[a] - low[a] > size) size = high[a] - low[a];
    double scale = size > 0 ? ((1 << BITS) - 1) / size : 0;
    for (size_t i = 0; i < in->nodes; i++) {
        const double x[3] = {(double)in->rest[i].x, (double)in->rest[i].y, (double)in->rest[i].z};
        uint64_t code = 0;
        for (int a = 0; a < 3; a++) code |= spread_bits((uint64_t)((x[a] - low[a]) * scale)) << a;
        sorted[i] = (sn_record){{(uint32_t)(code >> 32), (uint32_t)code, 0}, (uint32_t)i};
    }
    sn_records_sort(sorted, spare, in->nodes, 2);
}

static uint64_t code_of(const sn_record *r) {
    return (uint64_t)r->key[0] << 32 | r->key[1];
}

/* The end of the piece that begins at a place and shares all bits above `shift` with it. */
static size_t piece_end(const sn_record *sorted, size_t begin, size_t end, int shift) {
    uint64_t head = code_of(&sorted[begin]) >> shift;
    size_t low = begin + 1, high = end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code_of(&sorted[middle]) >> shift == head)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A cell while the tree grows: its piece of the order, and the shift that its children share. */
typedef struct cell {
    uint32_t begin, end;
    int shift;
} cell;

/* The shift at which a piece first falls apart; below 0 where all of it is at one place. */
static int split_shift(const sn_record *sorted, size_t begin, size_t end) {
    uint64_t other = code_of(&sorted[begin]) ^ code_of(&sorted[end - 1]);
    int shift = -3;
    while (other > 0) other >>= 3, shift += 3;
    return shift;
}

/* Cells level by level from the root, so that the cells of a level lie together. */
static void grow(sn_region_sums_octree *o, const sn_record *sorted, cell *cells) {
    size_t items = 0;
    o->levels = 0;
    o->cells = 1;
    cells[0] = (cell){0, (uint32_t)o->nodes, split_shift(sorted, 0, o->nodes)};
    o->parent[o->nodes] = no_parent;
    o->level[0] = 0;
    for (size_t done = 0; done < o->cells;) {
        size_t end = o->cells;
        for (; done < end; done++) {
            const cell c = cells[done];
            o->child_first[done] = (uint32_t)items;
            for (size_t at = c.begin, next; at < c.end; at = next) {
                next = c.shift < 0 ? at + 1 : piece_end(sorted, at, c.end, c.shift);
                uint32_t item = sorted[at].value;
                if (next - at > 1) {
                    item = (uint32_t)(o->nodes + o->cells);
                    cells[o->cells++] =
                        (cell){(uint32_t)at, (uint32_t)next, split_shift(sorted, at, next)};
                }
                o->child[items++] = item;
                o->parent[item] = (uint32_t)done;
            }
        }
        o->level[++o->levels] = (uint32_t)end;
    }
    o->child_first[o->cells] = (uint32_t)items;
}

/* ---- Regions ---- */

/* How many members of a region are below each cell, and how many nodes at all. */
typedef struct counts {
    uint32_t *size, *inside, *stamp;
} counts;

static void count_sizes(const sn_region_sums_octree *o, uint32_t *size) {
    for (size_t c = o->cells; c-- > 0;) {
        size[c] = 0;
        for (uint32_t k = o->child_first[c]; k < o->child_first[c + 1]; k++)
            size[c] += o->child[k] < o->nodes ? 1 : size[o->child[k] - o->nodes];
    }
}

static void count_members(const sn_region_sums_octree *o, const sn_region_sums_input *in, size_t r,
                          counts *n) {
    for (uint32_t k = in->first[r]; k < in->first[r + 1]; k++)
        for (uint32_t c = o->parent[in->member[k]]; c != no_parent; c = o->parent[o->nodes + c]) {
            if (n->stamp[c] != r + 1) n->inside[c] = 0;
            n->stamp[c] = (uint32_t)r + 1;
            n->inside[c]++;
        }
}

/* The highest cell above a node that is in the region as a whole, or the node. A cell is given
   once, for the first of its members, and afterwards holds none. */
static uint32_t summation_node(const sn_region_sums_octree *o, uint32_t node, counts *n) {
    uint32_t item = node;
    for (uint32_t c = o->parent[node]; c != no_parent; c = o->parent[o->nodes + c]) {
        if (n->inside[c] == 0) return no_parent;
        if (n->inside[c] < n->size[c]) break;
        item = (uint32_t)o->nodes + c;
    }
    return item;
}

/* Lists the summation nodes of all regions, or counts them where there is no list yet. */
static size_t list_items(const sn_region_sums_octree *o, const sn_region_sums_input *in, counts *n,
                         uint32_t *first, uint32_t *item) {
    size_t count = 0;
    memset(n->stamp, 0, o->cells * sizeof *n->stamp);
    for (size_t r = 0; r < in->regions; r++) {
        first[r] = (uint32_t)count;
        count_members(o, in, r, n);
        for (uint32_t k = in->first[r]; k < in->first[r + 1]; k++) {
            uint32_t found = summation_node(o, in->member[k], n);
            if (found == no_parent) continue;
            if (found >= o->nodes) n->inside[found - o->nodes] = 0;
            if (item) item[count] = found;
            count++;
        }
    }
    first[in->regions] = (uint32_t)count;
    return count;
}

/* The regions of every item, in rising order. */
static void turn_round(sn_region_sums_octree *o, size_t regions) {
    size_t items = o->nodes + o->cells;
    uint32_t *first = o->region_first;
    memset(first, 0, (items + 1) * sizeof *first);
    for (size_t k = 0; k < o->items; k++) first[o->item[k] + 1]++;
    for (size_t i = 0; i < items; i++) first[i + 1] += first[i];
    for (size_t r = 0; r < regions; r++)
        for (uint32_t k = o->first[r]; k < o->first[r + 1]; k++)
            o->region[first[o->item[k]]++] = (uint32_t)r;
    for (size_t i = items; i > 0; i--) first[i] = first[i - 1];
    first[0] = 0;
}

/* ---- Memory ---- */

#define ROOM(array, room, count)                                                                   \
    sn_reserve(memory, (void **)&(array), &(room), count, sizeof *(array))

static bool reserve_tree(sn_region_sums_octree *o, sn_memory *memory, size_t regions) {
    /* Every cell but the root has at least two children, or is the root. */
    size_t cells = o->nodes + 1, items = o->nodes + cells;
    return ROOM(o->child_first, o->child_first_room, cells + 1) &&
           ROOM(o->child, o->child_room, items) && ROOM(o->parent, o->parent_room, items) &&
           ROOM(o->level, o->level_room, 3 * BITS + 2) &&
           ROOM(o->first, o->first_room, regions + 1) &&
           ROOM(o->region_first, o->region_first_room, items + 1) &&
           ROOM(o->sum, o->sum_room, PART * cells);
}

static bool plan_with(sn_region_sums_octree *o, sn_memory *memory, const sn_region_sums_input *in,
                      sn_record *sorted, cell *cells, uint32_t *numbers) {
    counts n = {numbers, numbers + o->nodes + 1, numbers + 2 * (o->nodes + 1)};
    sort_nodes(in, sorted, sorted + o->nodes);
    grow(o, sorted, cells);
    count_sizes(o, n.size);
    o->items = list_items(o, in, &n, o->first, NULL);
    if (!ROOM(o->item, o->item_room, o->items + 1) ||
        !ROOM(o->region, o->region_room, o->items + 1))
        return false;
    (void)list_items(o, in, &n, o->first, o->item);
    turn_round(o, in->regions);
    return true;
}

bool sn_region_sums_octree_plan(sn_region_sums_octree *o, sn_memory *memory,
                                const sn_region_sums_input *in) {
    o->on = false;
    o->nodes = in->nodes;
    if (in->nodes == 0) return true;
    size_t cells = o->nodes + 1;
    sn_record *sorted = sn_allocate(memory, 2 * o->nodes, sizeof *sorted);
    cell *grown = sn_allocate(memory, cells, sizeof *grown);
    uint32_t *numbers = sn_allocate(memory, 3 * cells, sizeof *numbers);
    o->on = sorted && grown && numbers && reserve_tree(o, memory, in->regions) &&
            plan_with(o, memory, in, sorted, grown, numbers);
    sn_free(memory, numbers, 3 * cells, sizeof *numbers);
    sn_free(memory, grown, cells, sizeof *grown);
    sn_free(memory, sorted, 2 * o->nodes, sizeof *sorted);
    return o->on;
}

void sn_region_sums_octree_free(sn_region_sums_octree *o, sn_memory *memory) {
    sn_free(memory, o->child_first, o->child_first_room, sizeof *o->child_first);
    sn_free(memory, o->child, o->child_room, sizeof *o->child);
    sn_free(memory, o->parent, o->parent_room, sizeof *o->parent);
    sn_free(memory, o->level, o->level_room, sizeof *o->level);
    sn_free(memory, o->first, o->first_room, sizeof *o->first);
    sn_free(memory, o->item, o->item_room, sizeof *o->item);
    sn_free(memory, o->region_first, o->region_first_room, sizeof *o->region_first);
    sn_free(memory, o->region, o->region_room, sizeof *o->region);
    sn_free(memory, o->sum, o->sum_room, sizeof *o->sum);
    *o = (sn_region_sums_octree){0};
}

size_t sn_region_sums_octree_cost(const sn_region_sums_octree *o) {
    return o->items + o->nodes + o->cells;
}

/* ---- Summing ---- */

typedef struct pass {
    const sn_region_sums_octree *o;
    const double *in;
    double *out;
    size_t width, from; /* of a row, and where the four numbers begin */
    size_t cell;        /* the first of the level */
} pass;

static void add_four(double sum[PART], const double *from) {
    for (int c = 0; c < PART; c++) sum[c] += from[c];
}

/* What an item has: the row of a node, or the sum of a cell. */
static const double *row_of(const pass *j, uint32_t item) {
    return item < j->o->nodes ? j->in + item * j->width + j->from
                              : j->o->sum + PART * (item - j->o->nodes);
}

static void add_children(void *context, size_t begin, size_t end) {
    const pass *j = context;
    const sn_region_sums_octree *o = j->o;
    for (size_t c = j->cell + begin; c < j->cell + end; c++) {
        double sum[PART] = {0};
        for (uint32_t k = o->child_first[c]; k < o->child_first[c + 1]; k++)
            add_four(sum, row_of(j, o->child[k]));
        memcpy(o->sum + PART * c, sum, sizeof sum);
    }
}

static void add_items(void *context, size_t begin, size_t end) {
    const pass *j = context;
    for (size_t r = begin; r < end; r++) {
        double sum[PART] = {0};
        for (uint32_t k = j->o->first[r]; k < j->o->first[r + 1]; k++)
            add_four(sum, row_of(j, j->o->item[k]));
        memcpy(j->out + r * j->width + j->from, sum, sizeof sum);
    }
}

void sn_region_sums_octree_gather(const sn_region_sums *plan, sn_team *team, const double *in,
                                  size_t width, double *out) {
    const sn_region_sums_octree *o = &plan->octree;
    pass j = {o, in, out, width, 0, 0};
    for (; j.from < width; j.from += PART) {
        for (size_t l = o->levels; l-- > 0;) {
            j.cell = o->level[l];
            sn_team_run(team, o->level[l + 1] - o->level[l], CELLS_ALONE, add_children, &j);
        }
        sn_team_run(team, plan->in.regions, REGIONS_ALONE, add_items, &j);
    }
}

/* What the regions of an item and the cell above it give. */
static void take_regions(const pass *j, size_t item, double sum[PART]) {
    const sn_region_sums_octree *o = j->o;
    for (uint32_t k = o->region_first[item]; k < o->region_first[item + 1]; k++)
        add_four(sum, j->in + o->region[k] * j->width + j->from);
    if (o->parent[item] != no_parent) add_four(sum, o->sum + PART * (size_t)o->parent[item]);
}

static void fill_cells(void *context, size_t begin, size_t end) {
    const pass *j = context;
    for (size_t c = j->cell + begin; c < j->cell + end; c++) {
        double sum[PART] = {0};
        take_regions(j, j->o->nodes + c, sum);
        memcpy(j->o->sum + PART * c, sum, sizeof sum);
    }
}

static void fill_nodes(void *context, size_t begin, size_t end) {
    const pass *j = context;
    for (size_t i = begin; i < end; i++) {
        double sum[PART] = {0};
        take_regions(j, i, sum);
        memcpy(j->out + i * j->width + j->from, sum, sizeof sum);
    }
}

void sn_region_sums_octree_spread(const sn_region_sums *plan, sn_team *team, const double *in,
                                  size_t width, double *out) {
    const sn_region_sums_octree *o = &plan->octree;
    pass j = {o, in, out, width, 0, 0};
    for (; j.from < width; j.from += PART) {
        for (size_t l = 0; l < o->levels; l++) {
            j.cell = o->level[l];
            sn_team_run(team, o->level[l + 1] - o->level[l], CELLS_ALONE, fill_cells, &j);
        }
        sn_team_run(team, o->nodes, CELLS_ALONE, fill_nodes, &j);
    }
}
