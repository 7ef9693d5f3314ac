/*
 * Sums over regions as intervals of paths (Diziol et al. 2011; survey of position based methods,
 * section 5.11.3.3 and figure 28).
 *
 * All nodes lie on disjoint paths (geometry/topology/disjoint_paths.h). Of every path the sums up
 * to each node are made,
 * and what a region has of it is one difference per interval, whatever its length:
 *
 *   P(k) = in(0) + ... + in(k - 1)       out(region) = sum over its intervals of P(end) - P(begin)
 *
 * So a region of omega rings of a mesh costs as many differences as paths cross it, about
 * 2 omega + 1 rather than the 3 omega^2 of its nodes. Back, each region is added where its
 * intervals begin and taken off where they end, and the sum along the path is what a node gets.
 *
 * Sums begin anew with every path and are in double: a path of n nodes leaves an error of n
 * roundings of its largest sum, some 1e-13. Paths are independent of each other, and regions too;
 * threads share them.
 */
#include "systems/shape_matching/region_sums.h"

#include "geometry/point.h"
#include "geometry/topology/disjoint_paths.h"

enum { PART = 4, NEIGHBOURS = 8, SAMPLES = 2048, REGIONS_ALONE = 256, PATHS_ALONE = 8 };

/* ---- A graph of near nodes, from the regions ---- */

typedef struct scratch {
    uint32_t *first, *neighbour; /* of the graph */
    uint32_t *stamp;             /* of every node, the region that was last marked, + 1 */
    uint32_t *place;             /* of every node, in the order of paths */
    void *laying;
} scratch;

static bool scratch_create(scratch *s, size_t nodes, sn_memory *memory) {
    *s = (scratch){0};
    s->first = sn_allocate(memory, nodes + 1, sizeof *s->first);
    s->neighbour = sn_allocate(memory, NEIGHBOURS * nodes, sizeof *s->neighbour);
    s->stamp = sn_allocate(memory, nodes, sizeof *s->stamp);
    s->place = sn_allocate(memory, nodes, sizeof *s->place);
    s->laying = sn_allocate(memory, sn_paths_scratch(nodes), 1);
    return s->first && s->neighbour && s->stamp && s->place && s->laying;
}

static void scratch_free(scratch *s, size_t nodes, sn_memory *memory) {
    sn_free(memory, s->laying, sn_paths_scratch(nodes), 1);
    sn_free(memory, s->place, nodes, sizeof *s->place);
    sn_free(memory, s->stamp, nodes, sizeof *s->stamp);
    sn_free(memory, s->neighbour, NEIGHBOURS * nodes, sizeof *s->neighbour);
    sn_free(memory, s->first, nodes + 1, sizeof *s->first);
}

/* A region that a node is in the middle of, as far as one can tell: that of its number, or the
   middle one of those that it is in. */
static uint32_t region_around(const sn_region_sums *plan, size_t node) {
    uint32_t first = plan->region_first[node], end = plan->region_first[node + 1];
    if (plan->in.regions == plan->in.nodes || first == end) return (uint32_t)node;
    return plan->region[first + (end - first) / 2];
}

/* The nearest members of that region. */
static void find_neighbours(const sn_region_sums *plan, scratch *s) {
    const sn_region_sums_input *in = &plan->in;
    uint32_t count = 0;
    for (size_t i = 0; i < in->nodes; i++) {
        double square[NEIGHBOURS];
        uint32_t found = 0, r = region_around(plan, i), *near = s->neighbour + count;
        s->first[i] = count;
        for (uint32_t k = in->first[r]; r < in->regions && k < in->first[r + 1]; k++) {
            uint32_t node = in->member[k], at = found;
            sn_point offset = sn_point_sub(sn_point_of(in->rest[node]), sn_point_of(in->rest[i]));
            double far = sn_point_dot(offset, offset);
            if (node == i || (found == NEIGHBOURS && !(far < square[found - 1]))) continue;
            if (found == NEIGHBOURS) at--;
            for (; at > 0 && far < square[at - 1]; at--) {
                square[at] = square[at - 1];
                near[at] = near[at - 1];
            }
            square[at] = far;
            near[at] = node;
            if (found < NEIGHBOURS) found++;
        }
        count += found;
    }
    s->first[in->nodes] = count;
}

/* ---- Which intervals ---- */

static void place_nodes(const sn_region_sums_paths *p, scratch *s) {
    for (size_t path = 0; path < p->count; path++)
        for (uint32_t k = p->begin[path]; k < p->begin[path + 1]; k++)
            s->place[p->order[k]] = k + (uint32_t)path;
}

static void mark(const sn_region_sums_input *in, scratch *s, size_t region) {
    for (uint32_t k = in->first[region]; k < in->first[region + 1]; k++)
        s->stamp[in->member[k]] = (uint32_t)region + 1;
}

/* Rows are places with one more at the end of every path, so those of two paths never touch. */
static bool is_member(const sn_region_sums_paths *p, const scratch *s, size_t region,
                      uint32_t row) {
    return row < p->rows && p->row[row] != UINT32_MAX && s->stamp[p->row[row]] == region + 1;
}

/* The intervals of a region, where its nodes are marked: their beginnings in the order of its
   members. Written where there is room, two rows each. */
static size_t intervals_of(const sn_region_sums *plan, const scratch *s, size_t region,
                           uint32_t *to) {
    const sn_region_sums_input *in = &plan->in;
    const sn_region_sums_paths *p = &plan->paths;
    size_t count = 0;
    for (uint32_t k = in->first[region]; k < in->first[region + 1]; k++) {
        uint32_t row = s->place[in->member[k]];
        if (row > 0 && is_member(p, s, region, row - 1)) continue;
        if (to) {
            uint32_t end = row + 1;
            while (is_member(p, s, region, end)) end++;
            to[2 * count] = row;
            to[2 * count + 1] = end;
        }
        count++;
    }
    return count;
}

static void fill_rows(sn_region_sums_paths *p) {
    p->rows = p->nodes + p->count;
    for (size_t path = 0; path < p->count; path++) {
        for (uint32_t k = p->begin[path]; k < p->begin[path + 1]; k++)
            p->row[k + path] = p->order[k];
        p->row[p->begin[path + 1] + path] = UINT32_MAX;
    }
}

/* Lays paths in one direction; the number of intervals of every n-th region. */
static size_t lay(sn_region_sums *plan, scratch *s, int direction, size_t every) {
    sn_region_sums_paths *p = &plan->paths;
    sn_paths_graph graph = {p->nodes, s->first, s->neighbour, plan->in.rest};
    sn_paths paths = {p->order, p->begin, 0};
    sn_paths_lay(&graph, sn_paths_direction_at(direction), s->laying, &paths);
    p->count = paths.count;
    fill_rows(p);
    place_nodes(p, s);
    for (size_t i = 0; i < p->nodes; i++) s->stamp[i] = 0;
    size_t sum = 0;
    for (size_t r = 0; r < plan->in.regions; r += every) {
        mark(&plan->in, s, r);
        sum += intervals_of(plan, s, r, NULL);
    }
    return sum;
}

static void lay_best(sn_region_sums *plan, scratch *s) {
    size_t every = plan->in.regions / SAMPLES + 1, least = SIZE_MAX;
    int best = 0;
    for (int direction = 0; direction < SN_PATHS_DIRECTIONS; direction++) {
        size_t count = lay(plan, s, direction, every);
        if (count < least) {
            least = count;
            best = direction;
        }
    }
    plan->paths.intervals = lay(plan, s, best, 1);
}

/* ---- The plan ---- */

static bool reserve_rows(sn_region_sums_paths *p, sn_memory *memory) {
    size_t rows = 2 * p->nodes + 2;
    return sn_reserve(memory, (void **)&p->order, &p->order_room, p->nodes + 1, sizeof *p->order) &&
           sn_reserve(memory, (void **)&p->begin, &p->begin_room, p->nodes + 1, sizeof *p->begin) &&
           sn_reserve(memory, (void **)&p->row, &p->row_room, rows, sizeof *p->row);
}

static bool reserve_intervals(sn_region_sums_paths *p, sn_memory *memory, size_t regions) {
    return sn_reserve(memory, (void **)&p->first, &p->first_room, regions + 1, sizeof *p->first) &&
           sn_reserve(memory, (void **)&p->interval, &p->interval_room, 2 * p->intervals + 1,
                      sizeof *p->interval) &&
           sn_reserve(memory, (void **)&p->event_first, &p->event_first_room, p->rows + 1,
                      sizeof *p->event_first) &&
           sn_reserve(memory, (void **)&p->event, &p->event_room, 2 * p->intervals + 1,
                      sizeof *p->event) &&
           sn_reserve(memory, (void **)&p->prefix, &p->prefix_room, PART * p->rows,
                      sizeof *p->prefix);
}

static void write_intervals(sn_region_sums *plan, scratch *s) {
    sn_region_sums_paths *p = &plan->paths;
    size_t count = 0;
    for (size_t i = 0; i < p->nodes; i++) s->stamp[i] = 0;
    for (size_t r = 0; r < plan->in.regions; r++) {
        p->first[r] = (uint32_t)count;
        mark(&plan->in, s, r);
        count += intervals_of(plan, s, r, p->interval + 2 * count);
    }
    p->first[plan->in.regions] = (uint32_t)count;
}

/* Where regions begin and end, by rows, in rising order of regions: twice the region, and one more
   where it ends. */
static void write_events(sn_region_sums *plan) {
    sn_region_sums_paths *p = &plan->paths;
    uint32_t *first = p->event_first;
    for (size_t row = 0; row <= p->rows; row++) first[row] = 0;
    for (size_t k = 0; k < 2 * p->intervals; k++) first[p->interval[k] + 1]++;
    for (size_t row = 0; row < p->rows; row++) first[row + 1] += first[row];
    for (size_t r = 0; r < plan->in.regions; r++)
        for (size_t k = 2 * (size_t)p->first[r]; k < 2 * (size_t)p->first[r + 1]; k++)
            p->event[first[p->interval[k]]++] = (uint32_t)(2 * r + k % 2);
    for (size_t row = p->rows; row > 0; row--) first[row] = first[row - 1];
    first[0] = 0;
}

bool sn_region_sums_paths_plan(sn_region_sums *plan, sn_memory *memory) {
    sn_region_sums_paths *p = &plan->paths;
    scratch s;
    p->on = false;
    p->nodes = plan->in.nodes;
    bool room = scratch_create(&s, p->nodes, memory) && reserve_rows(p, memory);
    if (room) {
        find_neighbours(plan, &s);
        lay_best(plan, &s);
        room = reserve_intervals(p, memory, plan->in.regions);
    }
    if (room) {
        write_intervals(plan, &s);
        write_events(plan);
    }
    scratch_free(&s, p->nodes, memory);
    p->on = room;
    return room;
}

void sn_region_sums_paths_free(sn_region_sums_paths *p, sn_memory *memory) {
    sn_free(memory, p->order, p->order_room, sizeof *p->order);
    sn_free(memory, p->begin, p->begin_room, sizeof *p->begin);
    sn_free(memory, p->row, p->row_room, sizeof *p->row);
    sn_free(memory, p->first, p->first_room, sizeof *p->first);
    sn_free(memory, p->interval, p->interval_room, sizeof *p->interval);
    sn_free(memory, p->event_first, p->event_first_room, sizeof *p->event_first);
    sn_free(memory, p->event, p->event_room, sizeof *p->event);
    sn_free(memory, p->prefix, p->prefix_room, sizeof *p->prefix);
    *p = (sn_region_sums_paths){0};
}

size_t sn_region_sums_paths_cost(const sn_region_sums_paths *p) {
    /* Intervals are looked up at both ends, and far apart in memory. */
    return 3 * p->intervals + 2 * p->nodes;
}

/* ---- Summing ---- */

typedef struct pass {
    const sn_region_sums_paths *p;
    const double *in;
    double *out;
    size_t width, from; /* of a row, and where the four numbers begin */
} pass;

/* P: the sums before every node of a path, and at its end that of all. */
static void add_up(void *context, size_t begin, size_t end) {
    const pass *j = context;
    const sn_region_sums_paths *p = j->p;
    for (size_t path = begin; path < end; path++) {
        double sum[PART] = {0};
        double *to = p->prefix + PART * (p->begin[path] + path);
        for (uint32_t k = p->begin[path]; k < p->begin[path + 1]; k++, to += PART) {
            const double *from = j->in + p->order[k] * j->width + j->from;
            for (int c = 0; c < PART; c++) {
                to[c] = sum[c];
                sum[c] += from[c];
            }
        }
        for (int c = 0; c < PART; c++) to[c] = sum[c];
    }
}

static void take(void *context, size_t begin, size_t end) {
    const pass *j = context;
    const sn_region_sums_paths *p = j->p;
    for (size_t r = begin; r < end; r++) {
        double sum[PART] = {0};
        for (size_t k = p->first[r]; k < p->first[r + 1]; k++) {
            const double *low = p->prefix + PART * (size_t)p->interval[2 * k];
            const double *high = p->prefix + PART * (size_t)p->interval[2 * k + 1];
            for (int c = 0; c < PART; c++) sum[c] += high[c] - low[c];
        }
        for (int c = 0; c < PART; c++) j->out[r * j->width + j->from + (size_t)c] = sum[c];
    }
}

void sn_region_sums_paths_gather(const sn_region_sums *plan, sn_team *team, const double *in,
                                 size_t width, double *out) {
    pass j = {&plan->paths, in, out, width, 0};
    for (; j.from < width; j.from += PART) {
        sn_team_run(team, plan->paths.count, PATHS_ALONE, add_up, &j);
        sn_team_run(team, plan->in.regions, REGIONS_ALONE, take, &j);
    }
}

/* Along a path: regions that begin come in, those that end go. */
static void walk(void *context, size_t begin, size_t end) {
    const pass *j = context;
    const sn_region_sums_paths *p = j->p;
    for (size_t path = begin; path < end; path++) {
        double sum[PART] = {0};
        for (size_t row = p->begin[path] + path; row < p->begin[path + 1] + path; row++) {
            for (size_t k = p->event_first[row]; k < p->event_first[row + 1]; k++) {
                const double *from = j->in + p->event[k] / 2 * j->width + j->from;
                double sign = p->event[k] % 2 ? -1 : 1;
                for (int c = 0; c < PART; c++) sum[c] += sign * from[c];
            }
            double *to = j->out + p->row[row] * j->width + j->from;
            for (int c = 0; c < PART; c++) to[c] = sum[c];
        }
    }
}

void sn_region_sums_paths_spread(const sn_region_sums *plan, sn_team *team, const double *in,
                                 size_t width, double *out) {
    pass j = {&plan->paths, in, out, width, 0};
    for (; j.from < width; j.from += PART)
        sn_team_run(team, plan->paths.count, PATHS_ALONE, walk, &j);
}
