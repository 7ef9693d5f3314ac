/*
 * Cutting the lines of a body. All of it goes through the public calls, so that recordings know
 * nothing of it; what can fail comes first.
 *
 * Of a thread that slides nothing is stretched any more once it has a loose end: its tension is
 * that of the end, times the friction of what it goes through. So it comes out of that, and is as
 * limp as any rope.
 */
#include "api/check.h"
#include "fracture/cut_lines.h"
#include "fracture/cut_vertex.h"
#include "state/constraint_def.h"

#include <sinew/cut.h>

typedef struct cutting {
    sn_world *world;
    uint32_t body;
    sn_blade blade;
    sn_node *ends; /* of the lines that go, two each */
    size_t gone, gone_room;
    size_t parted; /* of these, how many the blade went through */
    sn_distance_def *left;
    size_t left_count, left_room; /* what is left of threads */
    sn_constraint *loose;
    size_t loose_count, loose_room; /* threads, and what held their inner nodes */
    uint8_t *inner;                 /* by nodes; null without threads */
} cutting;

static void release(cutting *c, size_t slots) {
    sn_memory *memory = &c->world->memory;
    sn_free(memory, c->ends, c->gone_room, sizeof *c->ends);
    sn_free(memory, c->left, c->left_room, sizeof *c->left);
    sn_free(memory, c->loose, c->loose_room, sizeof *c->loose);
    sn_free(memory, c->inner, slots, sizeof *c->inner);
}

static bool is_own(const cutting *c, int32_t node) {
    return node >= 0 && c->world->nodes.body[node] == c->body;
}

static bool is_parted(const cutting *c, int32_t a, int32_t b) {
    const sn_vec4 *x = c->world->nodes.x;
    sn_point from = {(double)x[a].x, (double)x[a].y, (double)x[a].z};
    sn_point to = {(double)x[b].x, (double)x[b].y, (double)x[b].z};
    return sn_blade_parts(&c->blade, from, to);
}

static bool add_gone(cutting *c, int32_t a, int32_t b, bool parted) {
    if (!sn_reserve(&c->world->memory, (void **)&c->ends, &c->gone_room, 2 * c->gone + 2,
                    sizeof *c->ends))
        return false;
    c->ends[2 * c->gone] = sn_world_node_id(c->world, a);
    c->ends[2 * c->gone++ + 1] = sn_world_node_id(c->world, b);
    c->parted += parted;
    return true;
}

static bool add_loose(cutting *c, uint32_t constraint) {
    const sn_world *world = c->world;
    if (!sn_reserve(&c->world->memory, (void **)&c->loose, &c->loose_room, c->loose_count + 1,
                    sizeof *c->loose))
        return false;
    c->loose[c->loose_count++] = (sn_constraint){
        constraint + 1, world->constraints.slots.generation[constraint], world->tag};
    return true;
}

/* ---- Threads ---- */

static double length_between(const cutting *c, int32_t a, int32_t b) {
    const sn_vec4 *x = c->world->nodes.x;
    return sn_point_length((sn_point){(double)x[b].x - (double)x[a].x,
                                      (double)x[b].y - (double)x[a].y,
                                      (double)x[b].z - (double)x[a].z});
}

/* A part of a thread of this length, which is now so long, as a line. */
static bool add_left(cutting *c, uint32_t thread, int32_t a, int32_t b, double now) {
    const sn_store *store = sn_world_store_of(c->world, thread);
    const sn_real *parameter = sn_store_parameters(store, sn_world_place(c->world, thread));
    double share = now > 0 ? length_between(c, a, b) / now : 0;
    if (!sn_reserve(&c->world->memory, (void **)&c->left, &c->left_room, c->left_count + 1,
                    sizeof *c->left))
        return false;
    sn_distance_def *def = &c->left[c->left_count++];
    *def = sn_distance_def_default();
    def->node[0] = sn_world_node_id(c->world, a);
    def->node[1] = sn_world_node_id(c->world, b);
    def->side = (sn_side)parameter[SN_PARAMETER_SIDE];
    def->rest_length = (sn_real)(share * (double)parameter[SN_COMMON_PARAMETERS]);
    def->compliance = (sn_real)(share * (double)parameter[SN_PARAMETER_COMPLIANCE]);
    def->damping = share > 0 ? (sn_real)((double)parameter[SN_PARAMETER_DAMPING] / share) : 0;
    def->stiffness = parameter[SN_PARAMETER_STIFFNESS];
    def->break_force = parameter[SN_PARAMETER_BREAK_FORCE];
    return true;
}

/* Whether a part of a thread is cut. */
static bool has_parted(const cutting *c, sn_members members) {
    for (int n = 0; n + 1 < members.nodes; n++) {
        int32_t a = sn_member(members, n), b = sn_member(members, n + 1);
        if (is_own(c, a) && is_own(c, b) && is_parted(c, a, b)) return true;
    }
    return false;
}

/* Whether node n of a thread does not come out with it: an inner one that nothing moves. */
static bool stays_behind(const cutting *c, sn_members members, int n) {
    return n > 0 && n + 1 < members.nodes && !(c->world->nodes.w[sn_member(members, n)] > 0);
}

static bool cut_thread(cutting *c, uint32_t thread, sn_members members, size_t slots) {
    double now = 0;
    if (!c->inner) c->inner = sn_allocate(&c->world->memory, slots, sizeof *c->inner);
    if (!c->inner || !add_loose(c, thread)) return false;
    for (int n = 0; n + 1 < members.nodes; n++)
        now += length_between(c, sn_member(members, n), sn_member(members, n + 1));
    for (int n = 0; n + 1 < members.nodes; n++) {
        int32_t a = sn_member(members, n), b = sn_member(members, n + 1);
        if (n > 0 && is_own(c, a)) c->inner[a] = 1;
        if (!is_own(c, a) || !is_own(c, b)) continue;
        bool parted = is_parted(c, a, b);
        bool goes = parted || stays_behind(c, members, n) || stays_behind(c, members, n + 1);
        if (goes ? !add_gone(c, a, b, parted) : !add_left(c, thread, a, b, now)) return false;
    }
    return true;
}

/* Whether a constraint holds an inner node of a thread that was cut to another body, or to a place
   in the world. */
static bool holds_thread(const cutting *c, sn_members members) {
    bool inner = false, other = false;
    for (int n = 0; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        inner = inner || (node >= 0 && c->inner[node]);
        other = other || !is_own(c, node);
    }
    return inner && other;
}

static bool find_holds(cutting *c) {
    const sn_constraints *all = &c->world->constraints;
    for (uint32_t i = all->oldest; i > 0; i = all->record[i - 1].newer) {
        const sn_store *store = sn_world_store_of(c->world, i - 1);
        sn_members members = sn_store_members(store, sn_world_place(c->world, i - 1));
        if (store->type->info.list == SN_LIST_NONE && holds_thread(c, members) &&
            !add_loose(c, i - 1))
            return false;
    }
    return true;
}

/* ---- All of them ---- */

static bool is_line(const cutting *c, const sn_store *store, sn_members members) {
    const sn_constraint_type *type = store->type;
    if (type->info.list != SN_LIST_NONE || members.nodes != 2) return false;
    if (!type->scale_length || type->breaks_along) return false;
    int32_t a = sn_member(members, 0), b = sn_member(members, 1);
    return is_own(c, a) && is_own(c, b) && !sn_cut_is_meshed(c->world, (uint32_t)a) &&
           !sn_cut_is_meshed(c->world, (uint32_t)b);
}

/* What is cut; false without memory. */
static bool find(cutting *c, size_t slots) {
    const sn_constraints *all = &c->world->constraints;
    for (uint32_t i = all->oldest; i > 0; i = all->record[i - 1].newer) {
        const sn_store *store = sn_world_store_of(c->world, i - 1);
        sn_members members = sn_store_members(store, sn_world_place(c->world, i - 1));
        if (is_line(c, store, members)) {
            int32_t a = sn_member(members, 0), b = sn_member(members, 1);
            if (is_parted(c, a, b) && !add_gone(c, a, b, true)) return false;
        } else if (sn_world_type_at(all->record[i - 1].type) == SN_TYPE_LACE) {
            if (has_parted(c, members) && !cut_thread(c, i - 1, members, slots)) return false;
        }
    }
    return !c->inner || find_holds(c);
}

sn_result sn_body_cut(sn_world *world, sn_body body, const sn_blade_def *blade, size_t *lines) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(blade);
    SN_TRY(sn_check_body(world, body));
    cutting c = {.world = world, .body = body.slot};
    size_t slots = world->nodes.slots.count;
    SN_TRY(sn_blade_make(&c.blade, blade));
    sn_result result = find(&c, slots) ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK)
        result = sn_constraints_create(world, SN_TYPE_DISTANCE, c.left, c.left_count, NULL);
    /* From here on nothing fails. */
    for (size_t i = 0; result == SN_OK && i < c.loose_count; i++)
        result = sn_constraint_destroy(world, c.loose[i]);
    if (result == SN_OK) result = sn_lines_cut(world, c.ends, c.gone);
    if (result == SN_OK && lines) *lines = c.parted;
    release(&c, slots);
    return result;
}
