/* Which plan, and the plain one: everybody adds up those of their list, in its order. */
#include "systems/shape_matching/region_sums.h"

/* As many rows as are worth waking the others for. */
enum { ROWS_ALONE = 128 };

/* ---- The plan ---- */

/* Counting sort of the members by their node: regions come in rising order. */
static void turn_round(sn_region_sums *plan) {
    const sn_region_sums_input *in = &plan->in;
    uint32_t *first = plan->region_first;
    for (size_t i = 0; i <= in->nodes; i++) first[i] = 0;
    for (size_t k = 0; k < in->first[in->regions]; k++) first[in->member[k] + 1]++;
    for (size_t i = 0; i < in->nodes; i++) first[i + 1] += first[i];
    for (size_t r = 0; r < in->regions; r++)
        for (uint32_t k = in->first[r]; k < in->first[r + 1]; k++)
            plan->region[first[in->member[k]]++] = (uint32_t)r;
    /* Every beginning has moved on to the end, which is the beginning of the next. */
    for (size_t i = in->nodes; i > 0; i--) first[i] = first[i - 1];
    first[0] = 0;
}

/*
 * The one with the fewest additions, where it is free to choose. Plans that are not used hold no
 * memory. What the regions do not allow is direct.
 */
static bool choose(sn_region_sums *plan, sn_memory *memory) {
    sn_region_sums_method method = plan->in.method;
    size_t direct = plan->in.first[plan->in.regions], least = direct;
    bool any = method == SN_REGION_SUMS_AUTO, room = true;
    plan->chosen = SN_REGION_SUMS_DIRECT;
    plan->lattice.on = plan->paths.on = plan->octree.on = false;
    /* Regions that hardly overlap are not worth a search. */
    bool overlap = direct > 4 * plan->in.nodes;
    if (method == SN_REGION_SUMS_LATTICE || (any && overlap))
        room = sn_region_sums_lattice_plan(&plan->lattice, memory, &plan->in);
    if (room && plan->lattice.on && (!any || sn_region_sums_lattice_cost(&plan->lattice) < least)) {
        least = sn_region_sums_lattice_cost(&plan->lattice);
        plan->chosen = SN_REGION_SUMS_LATTICE;
    }
    bool lattice = plan->chosen == SN_REGION_SUMS_LATTICE;
    if (room && (method == SN_REGION_SUMS_PATHS || (any && overlap && !lattice)))
        room = sn_region_sums_paths_plan(plan, memory);
    if (room && plan->paths.on && (!any || sn_region_sums_paths_cost(&plan->paths) < least))
        plan->chosen = SN_REGION_SUMS_PATHS;
    if (room && method == SN_REGION_SUMS_OCTREE)
        room = sn_region_sums_octree_plan(&plan->octree, memory, &plan->in);
    if (room && plan->octree.on) plan->chosen = SN_REGION_SUMS_OCTREE;
    if (plan->chosen != SN_REGION_SUMS_LATTICE) sn_region_sums_lattice_free(&plan->lattice, memory);
    if (plan->chosen != SN_REGION_SUMS_PATHS) sn_region_sums_paths_free(&plan->paths, memory);
    if (plan->chosen != SN_REGION_SUMS_OCTREE) sn_region_sums_octree_free(&plan->octree, memory);
    return room;
}

bool sn_region_sums_plan(sn_region_sums *plan, sn_memory *memory, const sn_region_sums_input *in) {
    size_t members = in->first[in->regions];
    if (!sn_reserve(memory, (void **)&plan->region_first, &plan->first_room, in->nodes + 1,
                    sizeof *plan->region_first) ||
        !sn_reserve(memory, (void **)&plan->region, &plan->region_room, members + 1,
                    sizeof *plan->region))
        return false;
    plan->in = *in;
    turn_round(plan);
    return choose(plan, memory);
}

void sn_region_sums_free(sn_region_sums *plan, sn_memory *memory) {
    sn_free(memory, plan->region_first, plan->first_room, sizeof *plan->region_first);
    sn_free(memory, plan->region, plan->region_room, sizeof *plan->region);
    sn_region_sums_lattice_free(&plan->lattice, memory);
    sn_region_sums_paths_free(&plan->paths, memory);
    sn_region_sums_octree_free(&plan->octree, memory);
    *plan = (sn_region_sums){0};
}

sn_region_sums_method sn_region_sums_chosen(const sn_region_sums *plan) {
    return plan->chosen;
}

/* ---- Summing ---- */

typedef struct job {
    const uint32_t *first, *item;
    const double *in;
    double *out;
    size_t width;
} job;

/* In pieces of four, which stay in registers. */
static void add_rows(void *context, size_t begin, size_t end) {
    const job *j = context;
    for (size_t row = begin; row < end; row++)
        for (size_t w = 0; w < j->width; w += 4) {
            double sum[4] = {0, 0, 0, 0};
            for (uint32_t k = j->first[row]; k < j->first[row + 1]; k++) {
                const double *from = j->in + j->item[k] * j->width + w;
                for (int c = 0; c < 4; c++) sum[c] += from[c];
            }
            for (int c = 0; c < 4; c++) j->out[row * j->width + w + (size_t)c] = sum[c];
        }
}

void sn_region_sums_gather(const sn_region_sums *plan, sn_team *team, const double *in,
                           size_t width, double *out) {
    if (plan->chosen == SN_REGION_SUMS_LATTICE) {
        sn_region_sums_lattice_sum(&plan->lattice, team, in, width, out);
        return;
    }
    if (plan->chosen == SN_REGION_SUMS_PATHS) {
        sn_region_sums_paths_gather(plan, team, in, width, out);
        return;
    }
    if (plan->chosen == SN_REGION_SUMS_OCTREE) {
        sn_region_sums_octree_gather(plan, team, in, width, out);
        return;
    }
    job j = {plan->in.first, plan->in.member, in, out, width};
    sn_team_run(team, plan->in.regions, ROWS_ALONE, add_rows, &j);
}

void sn_region_sums_spread(const sn_region_sums *plan, sn_team *team, const double *in,
                           size_t width, double *out) {
    if (plan->chosen == SN_REGION_SUMS_LATTICE) {
        sn_region_sums_lattice_sum(&plan->lattice, team, in, width, out);
        return;
    }
    if (plan->chosen == SN_REGION_SUMS_PATHS) {
        sn_region_sums_paths_spread(plan, team, in, width, out);
        return;
    }
    if (plan->chosen == SN_REGION_SUMS_OCTREE) {
        sn_region_sums_octree_spread(plan, team, in, width, out);
        return;
    }
    job j = {plan->region_first, plan->region, in, out, width};
    sn_team_run(team, plan->in.nodes, ROWS_ALONE, add_rows, &j);
}
