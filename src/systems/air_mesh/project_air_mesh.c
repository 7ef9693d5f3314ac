/*
 * Air meshes in a step. Which elements are turned over is looked at for all of them at once; those
 * that are, which are few, are projected one after the other:
 *
 *   C(x) >= min(C(p), 0)     what was right when the substep began stays right, and what was turned
 *                            over is not turned over further: this is motion, and makes velocities
 *   C(x) >= 0                as far as the recovery speed allows, p going along: a change of place
 *
 *      dx_i = -w_i s grad_i C / sum_j w_j |grad_j C|^2
 */
#include "base/team.h"
#include "contact/recovery.h"
#include "systems/air_mesh/air_meshes.h"

enum { ELEMENTS_ALONE = 2048 };

typedef struct pass {
    sn_gap_view now, start;
    sn_gap *air;
    sn_real most; /* m, that recovery moves a node by */
} pass;

/* ---- The frame ---- */

void sn_gap_place_frame(const sn_world *world, sn_gap *air) {
    sn_v4 low = *(const sn_v4 *)&world->nodes.x[air->node[0].slot - 1], high = low;
    for (size_t i = 1; i < air->nodes; i++) {
        sn_v4 x = *(const sn_v4 *)&world->nodes.x[air->node[i].slot - 1];
        for (int k = 0; k < 3; k++) {
            if (x[k] < low[k]) low[k] = x[k];
            if (x[k] > high[k]) high[k] = x[k];
        }
    }
    sn_v4 centre = SN_R(0.5) * (low + high);
    sn_real half = 0;
    for (int k = 0; k < 3; k++)
        if (k != air->axis && high[k] - centre[k] > half) half = high[k] - centre[k];
    if (!(half > 0)) half = 1;
    for (int c = 0; c < SN_GAP_FRAME; c++) {
        sn_v4 corner = centre;
        corner[3] = 0;
        if (air->axis == SN_GAP_NONE) {
            for (int k = 0; k < 3; k++) corner[k] += (c >> k & 1 ? 4 : -4) * half;
        } else if (c < 4) {
            corner[(air->axis + 1) % 3] += (c == 1 || c == 2 ? 4 : -4) * half;
            corner[(air->axis + 2) % 3] += (c >= 2 ? 4 : -4) * half;
        }
        sn_v4_store(&air->frame[c], corner);
    }
}

/* ---- Elements ---- */

static void look(void *context, size_t begin, size_t end) {
    const pass *p = context;
    for (size_t e = begin; e < end; e++) {
        sn_v4 way[3], slope[3];
        sn_gap_ways(&p->now, &p->air->element[e], way);
        p->air->inverted[e] = sn_gap_measure(p->air, way, slope) < 0;
    }
}

/* Moves the corners of an element so that its measure grows by `by`, each by at most `most`, and
   with `recovery` the places where they began as well. */
static void grow(const pass *p, const sn_gap_element *e, const sn_v4 slope[3], sn_real by,
                 sn_real most, bool recovery) {
    const sn_world *world = p->now.world;
    const sn_nodes *nodes = &world->nodes;
    sn_v4 grad[4] = {-(slope[0] + slope[1] + slope[2]), slope[0], slope[1], slope[2]};
    sn_real w[4], sum = 0, largest = 0;
    for (int k = 0; k < p->air->corners; k++) {
        bool is_node = e->corner[k] < p->air->nodes;
        w[k] = is_node ? nodes->w[p->air->node[e->corner[k]].slot - 1] : 0;
        sn_real square = sn_v4_dot(grad[k], grad[k]);
        sum += w[k] * square;
        if (w[k] * w[k] * square > largest) largest = w[k] * w[k] * square;
    }
    if (!(sum > 0)) return;
    sn_real s = by / sum, longest = s * SN_ROOT(largest);
    if (longest > most) s *= most / longest;
    for (int k = 0; k < p->air->corners; k++) {
        if (!(w[k] > 0)) continue;
        size_t slot = p->air->node[e->corner[k]].slot - 1;
        sn_v4 move = (s * w[k]) * grad[k];
        move[3] = 0;
        *(sn_v4 *)&nodes->d[slot] += move;
        if (recovery) sn_contact_move_start(world, slot, move);
    }
}

static void project_element(const pass *p, const sn_gap_element *e) {
    sn_v4 way[3], slope[3];
    sn_gap_ways(&p->start, e, way);
    sn_real start = sn_gap_measure(p->air, way, slope);
    sn_gap_ways(&p->now, e, way);
    sn_real now = sn_gap_measure(p->air, way, slope), level = start < 0 ? start : 0;
    if (now < level) {
        grow(p, e, slope, level - now, SN_REAL_MAX, false);
        sn_gap_ways(&p->now, e, way);
        now = sn_gap_measure(p->air, way, slope);
    }
    if (now < 0 && start < 0) grow(p, e, slope, -now, p->most, true);
}

static void project(const sn_step *step, sn_gap *air) {
    const sn_world *world = step->world;
    pass p = {
        .now = {world, air, world->nodes.d}, .start = {world, air, world->nodes.p}, .air = air};
    p.most = air->def.recovery_speed * (sn_real)step->h / (sn_real)step->iterations;
    for (int sweep = 0; sweep < air->def.sweeps; sweep++) {
        bool any = false;
        sn_team_run(world->bindings.team, air->elements, ELEMENTS_ALONE, look, &p);
        for (size_t e = 0; e < air->elements; e++) {
            if (!air->inverted[e]) continue;
            project_element(&p, &air->element[e]);
            any = true;
        }
        if (!any) break;
    }
}

/* ---- Lines of the step ---- */

/* Where all bodies sleep, nothing has to be done. */
static bool is_active(const sn_world *world, const sn_gap *air) {
    for (size_t i = 0; i < air->nodes; i++)
        if (!sn_sleep_has(&world->sleep, world->nodes.body[air->node[i].slot - 1])) return true;
    return false;
}

void sn_gaps_begin(sn_step *step) {
    const sn_gaps *all = sn_gaps_of(step->world);
    for (size_t i = 0; i < all->slots.count; i++)
        if (all->slots.alive[i] && is_active(step->world, &all->state[i])) {
            sn_gap *air = &all->state[i];
            sn_gap_place_frame(step->world, air);
            sn_gap_flip(&(sn_gap_view){step->world, air, NULL}, air);
        }
}

void sn_gaps_project(sn_step *step) {
    const sn_gaps *all = sn_gaps_of(step->world);
    for (size_t i = 0; i < all->slots.count; i++)
        if (all->slots.alive[i] && is_active(step->world, &all->state[i]))
            project(step, &all->state[i]);
}
