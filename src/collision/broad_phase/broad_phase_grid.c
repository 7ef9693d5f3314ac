/*
 * The grid of the broad phase.
 *
 * A box belongs to the cell in which its low corner is. Cells are twice as long as the longest box,
 * so the partners of a box begin in its own cell or in one next to it: two by two rows of cells
 * have them all, and only a part of each row.
 *
 *     across  |  .  b  .  b  .  b  |        a   the box that asks
 *             |  .  .  b  a  b  .  |        b   boxes that begin in its rows
 *                  |  tested  |
 *
 * Nothing is stored for empty cells: boxes are sorted by row and then along it, and a part of a row
 * is what lies between two keys. Boxes ask in that order as well, so the next part is a few steps
 * from the last one, and where a box is in the world costs nothing.
 *
 * A few boxes may be larger than what is usual. They are no part of the cells; everybody is tested
 * with them. With more of them, or where cells are crowded, a grid would be slow and the tree is
 * taken.
 *
 * That nothing is missed does not depend on rounding: a cell is a function of a coordinate that
 * never goes down, and a number that is rounded does not pass another.
 */
#include "collision/broad_phase/broad_phase_parts.h"

/* Length of a cell across in longest boxes; parts of it along the rows; the most cells along an
   axis; how many boxes of a cell a box may overlap on average. */
enum { ACROSS = 2, ALONG = 8, MOST_CELLS = 1 << 18, MOST_PAIRS = 64 };

/* Empty columns that a stretch may have one after the other. */
enum { GAP = 16, AHEAD = 16 };

/* ---- Cells ---- */

/* The cell along each axis, as a number: between 0 and the last one, and 0 for what is none. */
SN_INLINE sn_v4_bits cells_at(const sn_broad_grid *grid, sn_v4 x) {
    sn_v4 at = (x - sn_broad_corner_at(grid->low)) * sn_broad_corner_at(grid->inverse);
    sn_v4 last = sn_broad_corner_at(grid->last_cell);
    sn_v4_bits less = (sn_v4_bits)(at < last), positive = (sn_v4_bits)(at > 0);
    at = (sn_v4)(positive & ((less & (sn_v4_bits)at) | (~less & (sn_v4_bits)last)));
    return __builtin_convertvector(at, sn_v4_bits);
}

SN_INLINE uint64_t key_of(const sn_broad_grid *grid, sn_v4_bits cells) {
    return (uint64_t)cells[0] << grid->shift[0] | (uint64_t)cells[1] << grid->shift[1] |
           (uint64_t)cells[2] << grid->shift[2];
}

/* ---- Planning ---- */

/* Lists those longer than the limit, and how long the others are; false if there are too many. */
static bool list_large(sn_broad_grid *grid, const sn_boxes *boxes, const sn_real *lengths,
                       sn_real limit, sn_broad_large *large) {
    large->count = 0;
    for (size_t i = 0; i < boxes->count; i++) {
        if (lengths[i] <= limit) {
            if (lengths[i] > grid->reach) grid->reach = lengths[i];
            continue;
        }
        if (large->count == SN_BROAD_LARGE) return false;
        large->boxes[large->count++] = sn_broad_box_of(boxes, (uint32_t)i);
    }
    return true;
}

static sn_v4 least(sn_v4 a, sn_v4 b) {
    sn_v4_bits mask = (sn_v4_bits)(a < b);
    return (sn_v4)((mask & (sn_v4_bits)a) | (~mask & (sn_v4_bits)b));
}

/* Bounds of the boxes, and of their low corners. */
static void find_bounds(sn_broad_grid *grid, const sn_boxes *boxes, const sn_real *lengths,
                        sn_real limit) {
    sn_v4 most = {SN_REAL_MAX, SN_REAL_MAX, SN_REAL_MAX, SN_REAL_MAX};
    sn_v4 low = most, high = most, last = most;
    for (size_t i = 0; i < boxes->count; i++) {
        if (lengths[i] < 0 || lengths[i] > limit) continue;
        sn_v4 a = sn_broad_corner_at(&boxes->low[i]), b = sn_broad_corner_at(&boxes->high[i]);
        low = least(a, low);
        last = least(-a, last);
        high = least(-b, high);
    }
    for (int k = 0; k < 3; k++) {
        grid->low[k] = low[k];
        grid->high[k] = -high[k];
        grid->last[k] = -last[k];
    }
}

static int bits_of(uint32_t number) {
    int bits = 0;
    for (; number > 0; number >>= 1) bits++;
    return bits;
}

/* Chooses axes and cells; false where a grid cannot be laid. */
static bool plan(sn_broad_grid *grid) {
    grid->along = 0;
    sn_real extent[3];
    for (int k = 0; k < 3; k++) {
        extent[k] = grid->last[k] - grid->low[k];
        if (extent[k] > extent[grid->along]) grid->along = k;
    }
    sn_real longest = extent[grid->along];
    if (!(longest >= 0 && longest <= SN_REAL_MAX)) return false;
    /* A little more than the longest box, so that rounding does not matter. */
    grid->reach *= (sn_real)1.001;
    sn_real width = ACROSS * grid->reach;
    if (width < longest / MOST_CELLS) width = longest / MOST_CELLS;
    if (!(width > 0)) width = 1;
    grid->bits = 0;
    for (int k = 0; k < 3; k++) {
        int axis = (grid->along + k) % 3, parts = k == 0 ? ALONG : 1;
        if (k > 0) grid->across[k - 1] = axis;
        grid->inverse[axis] = (sn_real)parts / width;
        grid->last_cell[axis] = (sn_real)(parts * MOST_CELLS);
    }
    sn_v4_bits cells = cells_at(grid, sn_broad_corner_at(grid->last));
    for (int k = 0; k < 3; k++) {
        int axis = (grid->along + k) % 3;
        grid->last_cell[axis] = (sn_real)cells[axis];
        grid->shift[axis] = grid->bits;
        grid->bits += bits_of((uint32_t)cells[axis]);
    }
    return true;
}

/* ---- Sorting ---- */

/* Sorts boxes by their keys; returns the records, of which there are `count`. */
static sn_curve_item *sort_boxes(const sn_broad_search *search, const sn_boxes *boxes,
                                 const sn_real *lengths, sn_real limit, size_t *count) {
    const sn_broad_grid *grid = &search->broad->grid;
    sn_curve_item *records = search->broad->records;
    sn_v4 low = sn_broad_corner_at(grid->low), high = sn_broad_corner_at(grid->high);
    size_t n = 0;
    for (size_t i = 0; i < boxes->count; i++) {
        if (lengths[i] < 0 || lengths[i] > limit) continue;
        /* Those outside of all cells overlap only large ones. */
        if (boxes != search->others && grid->large_boxes.count == 0 &&
            !sn_broad_overlap(sn_broad_corner_at(&boxes->low[i]),
                              sn_broad_corner_at(&boxes->high[i]), low, high))
            continue;
        records[n].key = key_of(grid, cells_at(grid, sn_broad_corner_at(&boxes->low[i])));
        records[n++].item = (uint32_t)i;
    }
    *count = n;
    return sn_curve_sort(records, search->broad->spare, n, grid->bits);
}

static void gather(const sn_boxes *boxes, const sn_curve_item *records, size_t count,
                   sn_broad_columns *to) {
    for (size_t i = 0; i < count; i++) {
        /* They lie anywhere: so what comes soon is asked for now. */
        if (i + AHEAD < count) {
            __builtin_prefetch(&boxes->low[records[i + AHEAD].item]);
            __builtin_prefetch(&boxes->high[records[i + AHEAD].item]);
        }
        sn_broad_box box = sn_broad_box_of(boxes, records[i].item);
        sn_broad_column_set(to, i, &box);
    }
    to->count = count;
}

/* Whether cells are so crowded that a grid would be slow. */
static bool is_crowded(const sn_curve_item *records, size_t count) {
    uint64_t pairs = 0, run = 0, before = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        uint64_t here = records[i].key / ALONG;
        run = here == before ? run + 1 : 0;
        before = here;
        pairs += 2 * run + 1;
    }
    return pairs > (uint64_t)MOST_PAIRS * count;
}

/* Cuts rows into stretches, and counts the columns that they have. */
static size_t cut_rows(sn_broad_grid *grid, const sn_curve_item *records, size_t count) {
    uint64_t columns = ((uint64_t)1 << grid->shift[grid->across[0]]) - 1;
    sn_broad_stretch *stretch = grid->stretches;
    size_t begin = 0;
    *stretch = (sn_broad_stretch){0};
    for (size_t i = 0; i < count; i++) {
        uint64_t key = records[i].key;
        bool same =
            i > 0 && key - stretch->last <= GAP && (key & ~columns) == (stretch->last & ~columns);
        if (!same) {
            if (i > 0) begin += stretch->last - stretch->first + 2;
            *++stretch = (sn_broad_stretch){key, key, begin};
        }
        stretch->last = key;
    }
    if (count > 0) begin += stretch->last - stretch->first + 2;
    *++stretch = (sn_broad_stretch){UINT64_MAX, UINT64_MAX, begin};
    grid->stretch_count = (size_t)(stretch - grid->stretches);
    return begin;
}

/* Where the boxes of each column of each stretch begin; after the last column, where they end. */
static void set_begins(sn_broad_grid *grid, const sn_curve_item *records, size_t count) {
    const sn_broad_stretch *stretch = grid->stretches + 1;
    uint32_t *begins = grid->begins;
    uint64_t column = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = records[i].key;
        if (key > stretch->last) {
            begins[stretch->begin + column] = (uint32_t)i;
            stretch++;
            column = 0;
        }
        for (; column <= key - stretch->first; column++)
            begins[stretch->begin + column] = (uint32_t)i;
    }
    if (count > 0) begins[stretch->begin + column] = (uint32_t)count;
}

/* Lists the large ones and chooses cells; false where a grid does not suit. */
static bool plan_all(const sn_broad_search *search, sn_real limit) {
    sn_broad *broad = search->broad;
    sn_broad_grid *grid = &broad->grid;
    const sn_real *lengths = broad->lengths[search->within ? 0 : 1];
    grid->reach = 0;
    if (!list_large(grid, search->others, lengths, limit, &grid->large_boxes)) return false;
    if (!search->within &&
        !list_large(grid, search->items, broad->lengths[0], limit, &grid->large_askers))
        return false;
    find_bounds(grid, search->others, lengths, limit);
    return plan(grid);
}

static bool reserve(const sn_broad_search *search, sn_memory *memory) {
    sn_broad_grid *grid = &search->broad->grid;
    return sn_reserve(memory, (void **)&grid->stretches, &grid->stretch_capacity,
                      search->others->count + 2, sizeof *grid->stretches) &&
           sn_broad_columns_reserve(&grid->boxes, memory, search->others->count) &&
           (search->within ||
            sn_broad_columns_reserve(&grid->askers, memory, search->items->count));
}

bool sn_broad_grid_prepare(const sn_broad_search *search, sn_memory *memory, sn_real limit,
                           bool *suits) {
    sn_broad *broad = search->broad;
    sn_broad_grid *grid = &broad->grid;
    size_t count;
    *suits = false;
    if (!reserve(search, memory)) return false;
    if (!plan_all(search, limit)) return true;
    sn_curve_item *records =
        sort_boxes(search, search->others, broad->lengths[search->within ? 0 : 1], limit, &count);
    if (is_crowded(records, count)) return true;
    size_t columns = cut_rows(grid, records, count);
    if (!sn_reserve(memory, (void **)&grid->begins, &grid->begin_capacity, columns,
                    sizeof *grid->begins))
        return false;
    set_begins(grid, records, count);
    gather(search->others, records, count, &grid->boxes);
    *suits = true;
    if (search->within) return true;
    records = sort_boxes(search, search->items, broad->lengths[0], limit, &count);
    gather(search->items, records, count, &grid->askers);
    return true;
}

void sn_broad_grid_free(sn_broad_grid *grid, sn_memory *memory) {
    sn_free(memory, grid->stretches, grid->stretch_capacity, sizeof *grid->stretches);
    sn_free(memory, grid->begins, grid->begin_capacity, sizeof *grid->begins);
    sn_broad_columns_free(&grid->boxes, memory);
    sn_broad_columns_free(&grid->askers, memory);
}

/* ---- Walking ---- */

/* Which stretches the walk was at in each of the rows around; rows share places four rows apart. */
enum { PLACES = 4 };
typedef struct walk {
    size_t at[PLACES][PLACES];
} walk;

/* The first stretch that ends at a key or after it, beginning to look at `at`. The first of all
   is before every key, the last after. */
static SN_NOINLINE size_t find_stretch(const sn_broad_stretch *all, size_t at, size_t last,
                                       uint64_t key) {
    size_t low = at, high = at, step = 1;
    while (all[high].last < key) {
        low = high + 1;
        high = last - high > step ? high + step : last;
        step *= 2;
    }
    while (low > 1 && all[low - 1].last >= key) {
        high = low - 1;
        low = low > step + 1 ? low - step : 1;
        step *= 2;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all[middle].last < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Boxes from one to before another. */
typedef struct part {
    uint32_t begin, end;
} part;

/* Those of a stretch between two keys. */
SN_INLINE part part_of(const sn_broad_stretch *stretch, const uint32_t *begins, uint64_t first,
                       uint64_t end) {
    const uint32_t *column = begins + stretch->begin;
    first = first > stretch->first ? first - stretch->first : 0;
    end = (end <= stretch->last ? end : stretch->last + 1) - stretch->first;
    return (part){column[first], column[end]};
}

/* The stretch in which the first key from a given one on may be. */
SN_INLINE const sn_broad_stretch *stretch_of(const sn_broad_grid *grid, size_t *at,
                                             uint64_t first) {
    const sn_broad_stretch *all = grid->stretches;
    if (!(all[*at].last >= first && all[*at - 1].last < first))
        *at = find_stretch(all, *at, grid->stretch_count, first);
    return &all[*at];
}

/* Tests a box with those of the cells around it; from one on, which within one set is the next. */
SN_INLINE void seek(const sn_broad_grid *grid, walk *w, sn_broad_buffer *buffer,
                    const sn_broad_box *a, uint32_t next) {
    const sn_broad_columns boxes = grid->boxes;
    sn_v4 low = {a->low[0], a->low[1], a->low[2], 0};
    sn_v4 high = {a->high[0], a->high[1], a->high[2], 0};
    sn_v4_bits from = cells_at(grid, low - grid->reach), to = cells_at(grid, high);
    /* Within one set, the rows before its own have none after it. */
    sn_v4_bits own = next > 0 ? cells_at(grid, low) : from;
    int x = grid->along, y = grid->across[0], z = grid->across[1];
    uint64_t x_from = (uint64_t)from[x], x_to = (uint64_t)to[x] + 1;
    uint32_t y_from = (uint32_t)from[y], y_to = (uint32_t)to[y], z_to = (uint32_t)to[z];
    sn_broad_asker asker = sn_broad_ask(buffer, a);
    uint32_t j = (uint32_t)own[y];
    for (uint32_t k = (uint32_t)own[z]; k <= z_to; k++, j = y_from) {
        for (; j <= y_to; j++) {
            uint64_t row = (uint64_t)j << grid->shift[y] | (uint64_t)k << grid->shift[z];
            uint64_t first = row + x_from, end = row + x_to;
            const sn_broad_stretch *s = stretch_of(grid, &w->at[k % PLACES][j % PLACES], first);
            /* One, but for what rounding may do far away. */
            for (; s->first < end; s++) {
                part p = part_of(s, grid->begins, first, end);
                sn_broad_test(&asker, &boxes, p.begin > next ? p.begin : next, p.end);
            }
        }
    }
}

static void search_range(void *context, size_t begin, size_t end) {
    sn_broad_buffer buffer;
    buffer.search = context;
    buffer.count = 0;
    bool within = buffer.search->within;
    const sn_broad_grid *grid = &buffer.search->broad->grid;
    const sn_broad_columns *askers = within ? &grid->boxes : &grid->askers;
    walk w;
    for (int k = 0; k < PLACES * PLACES; k++) w.at[k / PLACES][k % PLACES] = 1;
    for (size_t i = begin; i < end; i++) {
        sn_broad_box a = sn_broad_column_at(askers, i);
        seek(grid, &w, &buffer, &a, within ? (uint32_t)i + 1 : 0);
    }
    sn_broad_flush(&buffer);
}

/* ---- Large boxes ---- */

static void test_pair(sn_broad_buffer *buffer, const sn_broad_box *a, const sn_broad_box *b) {
    for (int k = 0; k < 3; k++)
        if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k])) return;
    if (buffer->count == SN_BROAD_LOCAL) sn_broad_flush(buffer);
    buffer->pairs[buffer->count++] = sn_broad_pair_of(a->item, b->item);
}

/* Tests all others with the large items, which within one set are large others as well. */
static void search_large_items(void *context, size_t begin, size_t end) {
    sn_broad_buffer buffer;
    buffer.search = context;
    buffer.count = 0;
    bool within = buffer.search->within;
    const sn_broad_grid *grid = &buffer.search->broad->grid;
    const sn_broad_large *large = within ? &grid->large_boxes : &grid->large_askers;
    for (size_t i = 0; i < large->count; i++) {
        sn_broad_asker asker = sn_broad_ask(&buffer, &large->boxes[i]);
        sn_broad_test(&asker, &grid->boxes, begin, end);
    }
    sn_broad_flush(&buffer);
}

/* Tests the items of the cells of two sets with the large others. */
static void search_large_others(void *context, size_t begin, size_t end) {
    sn_broad_buffer buffer;
    buffer.search = context;
    buffer.count = 0;
    const sn_broad_grid *grid = &buffer.search->broad->grid;
    for (size_t i = begin; i < end; i++) {
        sn_broad_box a = sn_broad_column_at(&grid->askers, i);
        for (size_t k = 0; k < grid->large_boxes.count; k++)
            test_pair(&buffer, &a, &grid->large_boxes.boxes[k]);
    }
    sn_broad_flush(&buffer);
}

/* Tests the large ones with each other. */
static void search_both_large(sn_broad_search *search) {
    sn_broad_buffer buffer;
    buffer.search = search;
    buffer.count = 0;
    const sn_broad_grid *grid = &search->broad->grid;
    const sn_broad_large *b = &grid->large_boxes, *a = search->within ? b : &grid->large_askers;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = search->within ? i + 1 : 0; k < b->count; k++)
            test_pair(&buffer, &a->boxes[i], &b->boxes[k]);
    sn_broad_flush(&buffer);
}

void sn_broad_grid_search(sn_broad_search *search, sn_team *team) {
    const sn_broad_grid *grid = &search->broad->grid;
    bool within = search->within;
    sn_team_run(team, within ? grid->boxes.count : grid->askers.count, SN_BROAD_ALONE, search_range,
                search);
    if ((within ? grid->large_boxes.count : grid->large_askers.count) > 0)
        sn_team_run(team, grid->boxes.count, SN_BROAD_ALONE, search_large_items, search);
    if (!within && grid->large_boxes.count > 0)
        sn_team_run(team, grid->askers.count, SN_BROAD_ALONE, search_large_others, search);
    search_both_large(search);
}
