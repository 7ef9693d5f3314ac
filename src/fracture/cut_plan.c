/* What becomes of the constraints of a node that is cut. */
#include "fracture/cut_vertex.h"

#include <string.h>

/* Where the node is among the members; -1 where it is not. */
static int own_member(const sn_cut *cut, sn_members members) {
    for (int n = 0; n < members.nodes; n++)
        if (sn_member(members, n) == (int32_t)cut->node) return n;
    return -1;
}

/* ---- Fates ---- */

static sn_cut_fate fate_of_sides(unsigned sides) {
    return sides == 3 ? SN_CUT_LOST : sides == 2 ? SN_CUT_GOES : SN_CUT_STAYS;
}

/* A ring around the node is open now, and so is one around a neighbour that lies on both sides. */
static sn_cut_fate fate_of_ring(const sn_cut *cut, sn_members members) {
    uint32_t centre = (uint32_t)sn_member(members, 0);
    return centre == cut->node ? SN_CUT_LOST : fate_of_sides(sn_cut_sides(cut, centre));
}

/* Whether it reaches to somewhere that is not beside the node, and which side that is on. */
static sn_cut_fate fate_of_reach(const sn_cut *cut, const sn_real *parameter, int32_t other) {
    const sn_world *world = cut->world;
    if (parameter[SN_PARAMETER_SIDE] == (sn_real)SN_SIDE_AT_MOST) return SN_CUT_SHARED;
    sn_cut_mesh mesh = sn_cut_mesh_of(cut);
    if (!cut->planar || sn_cut_vertex_of(&mesh, other) == UINT32_MAX) return SN_CUT_STAYS;
    const sn_vec4 *a = &world->nodes.x[cut->node], *b = &world->nodes.x[other];
    sn_real height = (b->x - a->x) * cut->normal[0] + (b->y - a->y) * cut->normal[1] +
                     (b->z - a->z) * cut->normal[2];
    return height < 0 ? SN_CUT_GOES : SN_CUT_STAYS;
}

/* The stiffness of an edge is shared by the areas of the triangles beside it. */
static void share_edge(const sn_cut *cut, uint32_t other, sn_cut_plan *plan) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    double stays = 0, goes = 0;
    for (size_t i = 0; i < cut->corners; i++) {
        const sn_corner *c = &cut->corner[i];
        if (c->a == other || c->b == other)
            *(c->copied ? &goes : &stays) += sn_cut_size(&m, c->element);
    }
    plan->share = (sn_real)(stays / (stays + goes));
    plan->other = (sn_real)(goes / (stays + goes));
}

static sn_cut_fate fate_of_pair(const sn_cut *cut, const sn_real *parameter, int32_t other,
                                sn_cut_plan *plan) {
    unsigned sides = other < 0 ? 0 : sn_cut_sides(cut, (uint32_t)other);
    plan->share = plan->other = 1;
    if (sides == 0) return fate_of_reach(cut, parameter, other);
    if (sides < 3) return fate_of_sides(sides);
    share_edge(cut, (uint32_t)other, plan);
    return SN_CUT_SHARED;
}

/* In tets: on which sides those are that have all of its other nodes. What lies on both, such as an
   edge or a face, is shared by their volumes. */
static unsigned sides_of_all(const sn_cut *cut, sn_members members, sn_cut_plan *plan) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    double stays = 0, goes = 0;
    unsigned sides = 0;
    for (size_t i = 0; i < cut->corners; i++) {
        const sn_corner *c = &cut->corner[i];
        bool all = true;
        for (int n = 0; all && n < members.nodes; n++) {
            int32_t node = sn_member(members, n);
            all = node == (int32_t)cut->node || node == (int32_t)c->a || node == (int32_t)c->b ||
                  node == (int32_t)c->c;
        }
        if (!all) continue;
        sides |= c->copied ? 2 : 1;
        *(c->copied ? &goes : &stays) += sn_cut_size(&m, c->element);
    }
    plan->share = (sn_real)(stays / (stays + goes));
    plan->other = (sn_real)(goes / (stays + goes));
    return sides;
}

/* By the triangles that its nodes have, and else by the nodes alone. */
static sn_cut_fate fate_of_many(const sn_cut *cut, sn_members members) {
    unsigned triangles = 0, common = 3, any = 0;
    for (int n = 0; n < members.nodes; n++) {
        int32_t a = sn_member(members, n);
        if (a < 0 || a == (int32_t)cut->node) continue;
        unsigned sides = sn_cut_sides(cut, (uint32_t)a);
        any |= sides;
        if (sides) common &= sides;
        for (int k = 0; k < n; k++)
            if (sn_member(members, k) >= 0)
                triangles |=
                    sn_cut_sides_of_triangle(cut, (uint32_t)a, (uint32_t)sn_member(members, k));
    }
    if (triangles) return fate_of_sides(triangles);
    if (any == 0 || common & 1) return SN_CUT_STAYS;
    return common & 2 ? SN_CUT_GOES : SN_CUT_LOST;
}

/* Ties are made anew for the whole sheet before the next step. */
static void decide(const sn_cut *cut, const sn_store *store, sn_place place, sn_cut_plan *plan) {
    bool owned = cut->world->constraints.record[plan->constraint].owned;
    sn_members members = sn_store_members(store, place);
    const sn_real *parameter = sn_store_parameters(store, place);
    sn_list_kind list = store->type->info.list;
    sn_cut_fate fate;
    unsigned sides;
    if (owned || list == SN_LIST_REGION || list == SN_LIST_PATH)
        fate = SN_CUT_STAYS;
    else if (list == SN_LIST_SURFACE)
        fate = SN_CUT_LOST;
    else if (sn_list_is_ring(list))
        fate = fate_of_ring(cut, members);
    else if (cut->tet_mesh != UINT32_MAX && (sides = sides_of_all(cut, members, plan)) != 0)
        fate = sides == 3 ? SN_CUT_SHARED : fate_of_sides(sides);
    else if (members.nodes == 2)
        fate = fate_of_pair(cut, parameter, sn_member(members, 1 - own_member(cut, members)), plan);
    else
        fate = fate_of_many(cut, members);
    plan->fate = (uint8_t)fate;
}

static bool find_fates(sn_cut *cut) {
    sn_world *world = cut->world;
    sn_cut_mesh mesh = sn_cut_mesh_of(cut);
    uint32_t vertex = mesh.place[cut->node];
    cut->plans = 0;
    for (uint32_t l = cut->listed[vertex]; l; l = cut->link[l - 1].next) {
        const sn_cut_link *link = &cut->link[l - 1];
        const sn_slots *slots = &world->constraints.slots;
        if (!slots->alive[link->constraint] ||
            slots->generation[link->constraint] != link->generation)
            continue;
        sn_store *store = sn_world_store_of(world, link->constraint);
        sn_place place = sn_world_place(world, link->constraint);
        if (own_member(cut, sn_store_members(store, place)) < 0) continue;
        if (!sn_reserve(&world->memory, (void **)&cut->plan, &cut->plan_capacity, cut->plans + 1,
                        sizeof *cut->plan))
            return false;
        sn_cut_plan *plan = &cut->plan[cut->plans++];
        *plan = (sn_cut_plan){.constraint = link->constraint};
        decide(cut, store, place, plan);
    }
    return true;
}

/* ---- Colours ---- */

/* The colours that constraints of a store have on the copy, of those planned before `count`. */
static uint64_t taken_by_copy(const sn_cut *cut, const sn_store *store, size_t count) {
    uint64_t taken = 0;
    for (size_t i = 0; i < cut->plans; i++) {
        const sn_cut_plan *p = &cut->plan[i];
        if (sn_world_store_of(cut->world, p->constraint) != store) continue;
        if (p->fate == SN_CUT_GOES)
            taken |= (uint64_t)1 << sn_world_place(cut->world, p->constraint).colour;
        if (p->fate == SN_CUT_SHARED && i < count) taken |= (uint64_t)1 << p->colour;
    }
    return taken & ~((uint64_t)1 << SN_SEQUENTIAL);
}

static uint8_t find_colour(const sn_cut *cut, const sn_store *store, sn_place place, size_t i) {
    sn_members members = sn_store_members(store, place);
    uint64_t busy = taken_by_copy(cut, store, i);
    for (int n = 0; n < members.moved; n++) {
        uint32_t node = (uint32_t)sn_member(members, n);
        if (node != cut->node) busy |= store->used[node];
    }
    return (uint8_t)__builtin_ctzll(~busy);
}

/* Room for the second ones; all that are planned might have the same colour. */
bool sn_cut_plan_constraints(sn_cut *cut) {
    sn_world *world = cut->world;
    sn_memory *memory = &world->memory;
    size_t shared = 0;
    if (!find_fates(cut)) return false;
    for (size_t i = 0; i < cut->plans; i++) shared += cut->plan[i].fate == SN_CUT_SHARED;
    for (size_t i = 0; i < cut->plans; i++) {
        sn_cut_plan *plan = &cut->plan[i];
        sn_store *store = sn_world_store_of(world, plan->constraint);
        if (!sn_store_reserve_nodes(store, memory, (size_t)cut->copy + 1)) return false;
        if (plan->fate != SN_CUT_SHARED) continue;
        plan->colour = find_colour(cut, store, sn_world_place(world, plan->constraint), i);
        if (!sn_store_reserve(store, memory, plan->colour, shared)) return false;
    }
    size_t needed = sn_slots_needed(&world->constraints.slots, shared);
    return sn_slots_reserve(&world->constraints.slots, memory, needed) &&
           sn_reserve(memory, (void **)&world->constraints.record, &world->constraints.capacity,
                      needed, sizeof(sn_constraint_record)) &&
           sn_reserve(memory, (void **)&cut->link, &cut->link_capacity, cut->links + 2 * shared,
                      sizeof *cut->link);
}

/* ---- What was planned ---- */

/* A part of a constraint: stiffness, damping and strength in proportion. */
static void take_share(sn_real *parameter, sn_real share) {
    sn_real *force = &parameter[SN_PARAMETER_BREAK_FORCE];
    parameter[SN_PARAMETER_COMPLIANCE] /= share;
    parameter[SN_PARAMETER_DAMPING] *= share;
    if (*force != SN_AUTO) *force *= share;
}

static void add_second(sn_cut *cut, const sn_cut_plan *plan) {
    sn_world *world = cut->world;
    sn_store *store = sn_world_store_of(world, plan->constraint);
    sn_place place = sn_world_place(world, plan->constraint);
    sn_members members = sn_store_members(store, place);
    size_t bytes = sizeof(sn_real) * (size_t)store->parameters;
    sn_draft draft = {.off = sn_store_is_off(store, place)};
    for (int n = 0; n < members.nodes + members.frames; n++)
        draft.offset[n] = sn_member(members, n) * SN_NODE_BYTES;
    draft.offset[own_member(cut, members)] = (int32_t)cut->copy * SN_NODE_BYTES;
    memcpy(draft.parameter, sn_store_parameters(store, place), bytes);
    take_share(draft.parameter, plan->share);
    sn_store_set_parameters(store, place, draft.parameter);
    memcpy(draft.parameter, sn_store_parameters(store, place), bytes);
    take_share(draft.parameter, plan->other / plan->share);
    sn_members second = sn_draft_members(store->type, &draft);
    (void)sn_store_take_colour(store, second, plan->colour);
    uint32_t made =
        sn_world_add_constraint(world, (size_t)(store - world->store), plan->colour, &draft);
    /* There is room for it. */
    (void)sn_cut_note(cut, made, second);
}

/* Where the area of a ring is among its parameters; -1 where it has none. */
static int area_parameter(const sn_type_info *info) {
    int at = 0;
    for (size_t i = 0; i < info->field_count; i++) {
        if (strcmp(info->fields[i].name, "area") == 0) return at;
        at += info->fields[i].kind == SN_FIELD_VEC3 ? 3 : 1;
    }
    return -1;
}

/* One over the square of the distance at rest, as sn_surface_bend shares areas. */
static double claim_of(const sn_cut *cut, uint32_t centre) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    const sn_vec4 *a = &m.rest[m.place[cut->node]], *b = &m.rest[m.place[centre]];
    double x = (double)b->x - (double)a->x, y = (double)b->y - (double)a->y;
    double z = (double)b->z - (double)a->z, square = x * x + y * y + z * z;
    return square > 0 ? 1 / square : 1;
}

/* The sheet bends as it did where rings are lost: those that are left around the node take over. */
static void hand_on_area(sn_cut *cut, const sn_store *store) {
    const sn_world *world = cut->world;
    int at = area_parameter(&store->type->info);
    double area = 0, claims = 0;
    for (int pass = 0; at >= 0 && pass < 2; pass++)
        for (size_t i = 0; i < cut->plans; i++) {
            const sn_cut_plan *p = &cut->plan[i];
            if (sn_world_store_of(world, p->constraint) != store) continue;
            sn_place place = sn_world_place(world, p->constraint);
            sn_real *own = &sn_store_parameters(store, place)[at];
            uint32_t centre = (uint32_t)sn_member(sn_store_members(store, place), 0);
            if (pass == 0 && p->fate == SN_CUT_LOST)
                area += (double)*own;
            else if (pass == 0)
                claims += claim_of(cut, centre);
            else if (p->fate != SN_CUT_LOST)
                *own = (sn_real)((double)*own + area * (claim_of(cut, centre) / claims));
        }
}

static void move_one(sn_cut *cut, const sn_cut_plan *plan) {
    sn_world *world = cut->world;
    sn_store *store = sn_world_store_of(world, plan->constraint);
    sn_place place = sn_world_place(world, plan->constraint);
    if (plan->fate == SN_CUT_GOES)
        sn_store_replace_member(store, place, own_member(cut, sn_store_members(store, place)),
                                cut->copy);
    if (plan->fate == SN_CUT_SHARED) add_second(cut, plan);
}

void sn_cut_move_constraints(sn_cut *cut) {
    sn_world *world = cut->world;
    for (size_t s = 0; s < world->store_count; s++)
        if (sn_list_is_ring(world->store[s].type->info.list)) hand_on_area(cut, &world->store[s]);
    for (size_t i = 0; i < cut->plans; i++) move_one(cut, &cut->plan[i]);
    for (size_t i = 0; i < cut->plans; i++) {
        uint32_t constraint = cut->plan[i].constraint;
        sn_store *store = sn_world_store_of(world, constraint);
        if (cut->plan[i].fate == SN_CUT_LOST) {
            cut->burst += store->type->info.list == SN_LIST_SURFACE;
            sn_world_remove_constraint(world, constraint);
        } else {
            sn_store_derive(store, sn_world_place(world, constraint),
                            (sn_masses){world->nodes.w, world->frames.w}, &world->scale);
        }
    }
    world->scratch.constraints_changed = true;
}
