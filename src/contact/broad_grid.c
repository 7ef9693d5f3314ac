/*
 * The grid of the broad phase.
 *
 * A box belongs to the cell in which its low corner is. Cells are as long as the longest box, so
 * the partners of a box begin in its own cell or in one next to it. Nothing is stored for empty
 * cells: boxes are sorted by the place of their row and then along it, which costs the same
 * wherever they are. Boxes are asked in that order as well, so that each of the nine rows around
 * one is walked from its beginning to its end while the row itself is.
 *
 *     across  |  .  b  .  b  .  b  |        a   the box that asks
 *             |  .  .  b  a  b  .  |        b   boxes of the rows around it, between the two ends
 *             |  b  .  .  b  .  b  |            that boxes touching a can have
 *                   along the row
 *
 * A few boxes may be larger than what is usual. They are no part of the cells; everybody is tested
 * with them. With more of them, or where cells are crowded, a grid would be slow and the tree is
 * taken.
 *
 * That nothing is missed does not depend on rounding: a cell is a function of a coordinate that
 * never goes down, and a number that is rounded does not pass another.
 */
#include "contact/broad_parts.h"

/* Columns of a row for each cell across; cells along the longest axis; how many boxes of a cell a
   box may meet on average. */
enum { COLUMNS = 4, MOST_CELLS = 1 << 19, CROWD = 32 };

/* Rows around a box: three by three, but for rounding. */
enum { MOST_ACROSS = 6, MOST_ROWS = MOST_ACROSS * MOST_ACROSS };

/* ---- Cells ---- */

static uint32_t cell(const sn_broad_grid *grid, int k, sn_real x) {
    sn_real at = (x - grid->origin[k]) * grid->inverse[k];
    uint32_t last = grid->last[k];
    return at > 0 ? at < (sn_real)last ? (uint32_t)at : last : 0;
}

static uint64_t row_key(const sn_broad_grid *grid, uint32_t y, uint32_t z) {
    return (uint64_t)z << grid->bits[1] | y;
}

static sn_real component(const sn_vec4 *x, int axis) {
    return axis == 0 ? x->x : axis == 1 ? x->y : x->z;
}

static sn_broad_box box_of(const sn_broad_grid *grid, const sn_boxes *boxes, uint32_t item) {
    sn_broad_box box = {.item = item};
    for (int k = 0; k < 3; k++) {
        box.low[k] = component(&boxes->low[item], grid->axis[k]);
        box.high[k] = component(&boxes->high[item], grid->axis[k]);
    }
    return box;
}

/* ---- Planning ---- */

/* Lists those longer than the limit; false if there are too many. */
static bool list_large(sn_broad_grid *grid, const sn_boxes *boxes, sn_real limit,
                       sn_broad_box large[SN_BROAD_LARGE], size_t *count) {
    *count = 0;
    for (size_t i = 0; i < boxes->count; i++) {
        if (!sn_broad_is_present(boxes, i)) continue;
        sn_real length = sn_broad_length(boxes, i);
        if (length <= limit) {
            if (length > grid->reach) grid->reach = length;
            continue;
        }
        if (*count == SN_BROAD_LARGE) return false;
        large[(*count)++] = box_of(grid, boxes, (uint32_t)i);
    }
    return true;
}

/* Bounds of the boxes and, in `last`, of their low corners. */
static void find_bounds(sn_broad_grid *grid, const sn_boxes *boxes, sn_real limit,
                        sn_real last[3]) {
    for (int k = 0; k < 3; k++) {
        grid->low[k] = SN_REAL_MAX;
        grid->high[k] = last[k] = -SN_REAL_MAX;
    }
    for (size_t i = 0; i < boxes->count; i++) {
        if (!sn_broad_is_present(boxes, i) || sn_broad_length(boxes, i) > limit) continue;
        for (int k = 0; k < 3; k++) {
            sn_real low = component(&boxes->low[i], k), high = component(&boxes->high[i], k);
            if (low < grid->low[k]) grid->low[k] = low;
            if (low > last[k]) last[k] = low;
            if (high > grid->high[k]) grid->high[k] = high;
        }
    }
}

static int bits_of(uint32_t number) {
    int bits = 0;
    for (; number > 0; number >>= 1) bits++;
    return bits;
}

/* Chooses axes and cells; false where a grid cannot be laid. */
static bool plan(sn_broad_grid *grid, const sn_boxes *boxes, sn_real limit) {
    sn_real last[3];
    find_bounds(grid, boxes, limit, last);
    int along = 0;
    for (int k = 1; k < 3; k++)
        if (last[k] - grid->low[k] > last[along] - grid->low[along]) along = k;
    sn_real longest = last[along] - grid->low[along];
    if (!(longest >= 0 && longest <= SN_REAL_MAX)) return false;
    /* A little more than the longest box, so that rounding does not matter. */
    grid->reach *= (sn_real)1.001;
    sn_real width = longest / MOST_CELLS;
    if (width < grid->reach) width = grid->reach;
    if (!(width > 0)) width = 1;
    for (int k = 0; k < 3; k++) {
        int axis = (along + k) % 3;
        grid->axis[k] = axis;
        grid->origin[k] = grid->low[axis];
        grid->inverse[k] = (k == 0 ? COLUMNS : 1) / width;
        grid->last[k] = (k == 0 ? COLUMNS : 1) * MOST_CELLS;
        grid->last[k] = cell(grid, k, last[axis]);
        grid->bits[k] = bits_of(grid->last[k]);
    }
    return true;
}

/* ---- Sorting ---- */

/* Whether a box meets the bounds of all. */
static bool is_inside(const sn_broad_grid *grid, const sn_boxes *boxes, size_t i) {
    const sn_vec4 *low = &boxes->low[i], *high = &boxes->high[i];
    return low->x <= grid->high[0] && high->x >= grid->low[0] && low->y <= grid->high[1] &&
           high->y >= grid->low[1] && low->z <= grid->high[2] && high->z >= grid->low[2];
}

/* Sorts boxes by rows and along them; returns the records, of which there are `count`. */
static sn_broad_record *sort_boxes(const sn_broad_search *search, const sn_boxes *boxes,
                                   sn_real limit, size_t *count) {
    const sn_broad_grid *grid = &search->broad->grid;
    sn_broad_record *records = search->broad->records;
    size_t n = 0;
    for (size_t i = 0; i < boxes->count; i++) {
        if (!sn_broad_is_present(boxes, i) || sn_broad_length(boxes, i) > limit) continue;
        /* Those outside of all cells meet only large ones. */
        if (grid->large_box_count == 0 && !is_inside(grid, boxes, i)) continue;
        uint32_t at[3];
        for (int k = 0; k < 3; k++) at[k] = cell(grid, k, component(&boxes->low[i], grid->axis[k]));
        records[n].key = row_key(grid, at[1], at[2]) << grid->bits[0] | at[0];
        records[n++].item = (uint32_t)i;
    }
    *count = n;
    return sn_broad_sort(records, search->broad->spare, n,
                         grid->bits[0] + grid->bits[1] + grid->bits[2]);
}

static void gather(const sn_broad_grid *grid, const sn_boxes *boxes, const sn_broad_record *records,
                   size_t count, sn_broad_box *to) {
    uint32_t columns = (uint32_t)(((uint64_t)1 << grid->bits[0]) - 1);
    for (size_t i = 0; i < count; i++) {
        to[i] = box_of(grid, boxes, records[i].item);
        to[i].column = (uint32_t)records[i].key & columns;
    }
}

/* Makes the rows; false if cells are crowded. */
static bool make_rows(sn_broad_grid *grid, const sn_broad_record *records, size_t count) {
    uint64_t crowd = 0, crowded = (uint64_t)CROWD * count;
    uint64_t before = UINT64_MAX, run = 0, cell_before = UINT64_MAX;
    grid->row_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = records[i].key >> grid->bits[0];
        uint64_t here = records[i].key / COLUMNS;
        run = here == cell_before ? run + 1 : 0;
        crowd += 2 * run + 1;
        cell_before = here;
        if (key == before) continue;
        before = key;
        grid->rows[grid->row_count++] = (sn_broad_row){key, (uint32_t)i};
    }
    grid->rows[grid->row_count] = (sn_broad_row){UINT64_MAX, (uint32_t)count};
    return crowd <= crowded;
}

bool sn_broad_grid_prepare(const sn_broad_search *search, sn_broad_sizes sizes) {
    sn_broad_grid *grid = &search->broad->grid;
    sn_real limit = 2 * sizes.usual;
    const sn_boxes *items = search->items, *others = search->others;
    *grid->axis = 0, grid->axis[1] = 1, grid->axis[2] = 2;
    grid->reach = 0;
    if (!list_large(grid, others, limit, grid->large_boxes, &grid->large_box_count) ||
        !list_large(grid, items, limit, grid->large_askers, &grid->large_asker_count) ||
        !plan(grid, others, limit))
        return false;
    sn_broad_record *records = sort_boxes(search, others, limit, &grid->box_count);
    if (!make_rows(grid, records, grid->box_count)) return false;
    gather(grid, others, records, grid->box_count, grid->boxes);
    for (size_t i = 0; i < grid->large_box_count; i++)
        grid->large_boxes[i] = box_of(grid, others, grid->large_boxes[i].item);
    for (size_t i = 0; i < grid->large_asker_count; i++)
        grid->large_askers[i] = box_of(grid, items, grid->large_askers[i].item);
    if (search->within) return true;
    records = sort_boxes(search, items, limit, &grid->asker_count);
    gather(grid, items, records, grid->asker_count, grid->askers);
    return true;
}

bool sn_broad_grid_reserve(sn_broad *broad, sn_memory *memory, const sn_broad_search *search) {
    sn_broad_grid *grid = &broad->grid;
    return sn_reserve(memory, (void **)&grid->boxes, &grid->box_capacity, search->others->count,
                      sizeof *grid->boxes) &&
           sn_reserve(memory, (void **)&grid->rows, &grid->row_capacity, search->others->count + 1,
                      sizeof *grid->rows) &&
           (search->within || sn_reserve(memory, (void **)&grid->askers, &grid->asker_capacity,
                                         search->items->count, sizeof *grid->askers));
}

void sn_broad_grid_free(sn_broad_grid *grid, sn_memory *memory) {
    sn_free(memory, grid->boxes, grid->box_capacity, sizeof *grid->boxes);
    sn_free(memory, grid->askers, grid->asker_capacity, sizeof *grid->askers);
    sn_free(memory, grid->rows, grid->row_capacity, sizeof *grid->rows);
}

/* ---- Walking ---- */

/* The rows around the present box, and where along each the walk is. */
typedef struct walk {
    const sn_broad_grid *grid;
    uint32_t from[2], to[2]; /* across */
    uint32_t hint[MOST_ACROSS];
    uint32_t count;
    bool whole; /* whether there are more rows than have room here: then everything is tested */
    struct {
        uint32_t begin, at, end;
    } row[MOST_ROWS];
} walk;

/* The first row from a key on, beginning to look at a hint. */
static uint32_t find_row(const sn_broad_grid *grid, uint32_t hint, uint64_t key) {
    const sn_broad_row *rows = grid->rows;
    uint32_t low = hint, high = hint, step = 1, count = (uint32_t)grid->row_count;
    /* From here on low is 0 or before the row, and high is at it or after. */
    while (low > 0 && rows[low - 1].key >= key) {
        high = low - 1;
        low = low > step ? low - step : 0;
        step *= 2;
    }
    while (high < count && rows[high].key < key) {
        low = high + 1;
        high = count - high > step ? high + step : count;
        step *= 2;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (rows[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void enter_rows(walk *w) {
    const sn_broad_grid *grid = w->grid;
    w->count = 0;
    w->whole = w->to[0] - w->from[0] >= MOST_ACROSS || w->to[1] - w->from[1] >= MOST_ACROSS;
    if (w->whole) return;
    for (uint32_t z = w->from[1]; z <= w->to[1]; z++) {
        uint32_t *hint = &w->hint[z - w->from[1]];
        *hint = find_row(grid, *hint, row_key(grid, w->from[0], z));
        uint64_t end = row_key(grid, w->to[0], z);
        for (const sn_broad_row *row = grid->rows + *hint; row->key <= end; row++) {
            if (row == grid->rows + grid->row_count) break;
            w->row[w->count].begin = w->row[w->count].at = row->begin;
            w->row[w->count++].end = row[1].begin;
        }
    }
}

/* Goes to the rows around a box, unless the walk is there. */
static void go_to(walk *w, const sn_broad_box *a) {
    const sn_broad_grid *grid = w->grid;
    bool same = w->count > 0;
    for (int k = 0; k < 2; k++) {
        uint32_t from = cell(grid, k + 1, a->low[k + 1] - grid->reach);
        uint32_t to = cell(grid, k + 1, a->low[k + 1] + grid->reach);
        same = same && from == w->from[k] && to == w->to[k];
        w->from[k] = from, w->to[k] = to;
    }
    if (!same) enter_rows(w);
}

/* Tests a box with all others. */
static void seek_everywhere(const sn_broad_search *search, void *place, const sn_broad_box *a,
                            sn_broad_sink *sink) {
    (void)place;
    const sn_broad_grid *grid = &search->broad->grid;
    for (size_t i = 0; i < grid->large_box_count; i++)
        sn_broad_meet(search, a, &grid->large_boxes[i], sink);
    for (size_t i = 0; i < grid->box_count; i++) sn_broad_meet(search, a, &grid->boxes[i], sink);
}

static void seek(const sn_broad_search *search, void *place, const sn_broad_box *a,
                 sn_broad_sink *sink) {
    walk *w = place;
    const sn_broad_grid *grid = w->grid;
    if (w->whole) {
        seek_everywhere(search, NULL, a, sink);
        return;
    }
    for (size_t i = 0; i < grid->large_box_count; i++)
        sn_broad_meet(search, a, &grid->large_boxes[i], sink);
    const sn_broad_box *boxes = grid->boxes;
    uint32_t from = cell(grid, 0, a->low[0] - grid->reach), to = cell(grid, 0, a->high[0]);
    for (uint32_t k = 0; k < w->count; k++) {
        uint32_t at = w->row[k].at, begin = w->row[k].begin, end = w->row[k].end;
        while (at > begin && boxes[at - 1].column >= from) at--;
        while (at < end && boxes[at].column < from) at++;
        w->row[k].at = at;
        for (; at < end && boxes[at].column <= to; at++) sn_broad_meet(search, a, &boxes[at], sink);
    }
}

static void search_range(void *context, size_t begin, size_t end) {
    sn_broad_pile pile = {.search = context};
    const sn_broad_grid *grid = &pile.search->broad->grid;
    const sn_broad_box *askers = pile.search->within ? grid->boxes : grid->askers;
    walk w = {.grid = grid};
    for (size_t i = begin; i < end; i++) {
        go_to(&w, &askers[i]);
        sn_broad_collect(&pile, seek, &w, &askers[i]);
    }
    sn_broad_flush(&pile);
}

static void search_large(void *context, size_t begin, size_t end) {
    sn_broad_pile pile = {.search = context};
    const sn_broad_grid *grid = &pile.search->broad->grid;
    for (size_t i = begin; i < end; i++)
        sn_broad_collect(&pile, seek_everywhere, NULL, &grid->large_askers[i]);
    sn_broad_flush(&pile);
}

void sn_broad_grid_search(sn_broad_search *search, sn_team *team) {
    const sn_broad_grid *grid = &search->broad->grid;
    sn_team_run(team, search->within ? grid->box_count : grid->asker_count, SN_BROAD_ALONE,
                search_range, search);
    sn_team_run(team, grid->large_asker_count, 2, search_large, search);
}
