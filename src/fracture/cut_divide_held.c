/*
 * The constraints of an edge that is divided. They are told apart by their nodes alone, as when a
 * node is split (cut_plan.c).
 *
 * Compliances go with c^2 / V, where c is the scale of C and V the area or volume around a
 * constraint; hinges, whose C is an angle, with A / l^2, where l is their edge and A their
 * triangles, unless they measure that themselves.
 */
#include "fracture/cut_divide.h"

#include <string.h>

/* ---- Members ---- */

/* The vertices of a constraint; false where one is elsewhere. */
static bool vertices_of(const sn_divide *d, sn_members members, uint32_t *vertex) {
    for (int n = 0; n < members.nodes; n++)
        if ((vertex[n] = sn_cut_vertex_of(&d->mesh, sn_member(members, n))) == UINT32_MAX)
            return false;
    return true;
}

static int find(const uint32_t *vertex, int count, uint32_t one) {
    for (int n = 0; n < count; n++)
        if (vertex[n] == one) return n;
    return -1;
}

/* Whether some element around the edge has all of them. */
static bool lies_within(const sn_divide *d, const uint32_t *vertex, int count) {
    for (size_t i = 0; i < d->arounds; i++) {
        bool all = true;
        for (int n = 0; all && n < count; n++) all = sn_divide_has(d, d->around[i], vertex[n]);
        if (all) return true;
    }
    return false;
}

static bool is_beside(const sn_divide *d, uint32_t vertex) {
    for (size_t i = 0; i < d->besides; i++)
        if (d->beside[i] == vertex) return true;
    return false;
}

/* ---- Hinges ---- */

/* Whether these are the edge and the far corners of two triangles of a sheet. */
static bool is_hinge(const sn_divide *d, const uint32_t *v, int count) {
    if (d->sheet == UINT32_MAX || count != 4) return false;
    const uint32_t one[2] = {v[1], v[2]}, two[2] = {v[1], v[3]};
    return sn_divide_around(d, v[0], one, 2) > 0 && sn_divide_around(d, v[0], two, 2) > 0;
}

/* What the stiffness of a hinge is proportional to. */
static double bend_of(const sn_divide *d, const uint32_t *v) {
    sn_point p[4];
    for (int n = 0; n < 4; n++) p[n] = sn_divide_rest(d, v[n]);
    sn_point e = sn_point_sub(p[1], p[0]);
    double area = sn_point_length(sn_point_normal(p[0], p[1], p[2])) +
                  sn_point_length(sn_point_normal(p[0], p[1], p[3]));
    return area > 0 ? 2 * sn_point_dot(e, e) / area : 0;
}

/* ---- Fates ---- */

/* What becomes of a constraint; false where nothing does. */
static bool find_fate(const sn_divide *d, const sn_store *store, sn_members members,
                      sn_divide_plan *plan) {
    uint32_t v[SN_MAX_NODES];
    if (sn_list_is_ring(store->type->info.list)) {
        plan->fate = SN_DIVIDE_RINGED;
        return true;
    }
    if (store->type->info.list != SN_LIST_NONE || members.frames > 0 ||
        store->type->info.fixed_nodes > 0 || store->type->joins || !vertices_of(d, members, v))
        return false;
    int count = members.nodes, a = find(v, count, d->a), b = find(v, count, d->b);
    if (a >= 0 && b >= 0 && lies_within(d, v, count)) {
        plan->fate = SN_DIVIDE_HALVED;
        plan->before = sn_divide_around(d, v[0], v + 1, count - 1);
        return true;
    }
    if (count == 2 && is_beside(d, v[a >= 0 ? 1 - a : 1 - b])) {
        plan->fate = SN_DIVIDE_THINNED;
        plan->before = sn_divide_around(d, v[0], v + 1, 1);
        return plan->before > 0;
    }
    if (a < 0 || b < 0 || !is_hinge(d, v, count)) return false;
    plan->fate = a < 2 && b < 2 ? SN_DIVIDE_HINGED : SN_DIVIDE_WINGED;
    plan->before = bend_of(d, v);
    /* Both far corners cannot be its ends. */
    return a < 2 || b < 2;
}

/* What is measured with one vertex in the place of another. */
static bool measure_with(const sn_divide *d, const sn_store *store, const sn_real *stored,
                         const uint32_t *v, int count, uint32_t old, sn_real *parameter,
                         uint32_t *now, double *scale) {
    sn_point before[SN_MAX_NODES], after[SN_MAX_NODES];
    for (int n = 0; n < count; n++) {
        now[n] = v[n] == old ? d->m : v[n];
        before[n] = sn_divide_rest(d, v[n]);
        after[n] = sn_divide_rest(d, now[n]);
    }
    return sn_cut_remeasure(store, stored, count, before, after, parameter, scale);
}

static bool can_follow(const sn_divide *d, const sn_store *store, sn_place place,
                       const sn_divide_plan *plan) {
    uint32_t v[SN_MAX_NODES], now[SN_MAX_NODES];
    sn_real parameter[SN_MAX_PARAMETERS];
    const sn_real *stored = sn_store_parameters(store, place);
    sn_members members = sn_store_members(store, place);
    double scale;
    if (plan->fate == SN_DIVIDE_THINNED || plan->fate == SN_DIVIDE_RINGED) return true;
    (void)vertices_of(d, members, v);
    bool winged = plan->fate == SN_DIVIDE_WINGED;
    bool needs_a = !winged || find(v, 4, d->a) >= 2, needs_b = !winged || find(v, 4, d->b) >= 2;
    return (!needs_a ||
            measure_with(d, store, stored, v, members.nodes, d->a, parameter, now, &scale)) &&
           (!needs_b ||
            measure_with(d, store, stored, v, members.nodes, d->b, parameter, now, &scale));
}

static bool has_member(sn_members members, uint32_t node) {
    for (int n = 0; n < members.nodes; n++)
        if (sn_member(members, n) == (int32_t)node) return true;
    return false;
}

bool sn_divide_plan_held(sn_divide *d, bool *room) {
    sn_world *world = d->world;
    const sn_slots *slots = &world->constraints.slots;
    d->plans = 0;
    for (int end = 0; end < 2; end++)
        for (uint32_t l = d->listed[end ? d->b : d->a]; l; l = d->link[l - 1].next) {
            sn_divide_plan plan = {.constraint = d->link[l - 1].constraint};
            if (!slots->alive[plan.constraint] ||
                slots->generation[plan.constraint] != d->link[l - 1].generation ||
                world->constraints.record[plan.constraint].owned)
                continue;
            sn_store *store = sn_world_store_of(world, plan.constraint);
            sn_place place = sn_world_place(world, plan.constraint);
            sn_members members = sn_store_members(store, place);
            bool has_a = has_member(members, d->mesh.node[d->a]);
            /* What has both ends is in both lists. */
            if (end ? has_a || !has_member(members, d->mesh.node[d->b]) : !has_a) continue;
            if (!find_fate(d, store, members, &plan)) continue;
            if (!can_follow(d, store, place, &plan)) return false;
            *room = sn_reserve(&world->memory, (void **)&d->plan, &d->plan_capacity, d->plans + 1,
                               sizeof *d->plan);
            if (!*room) return false;
            d->plan[d->plans++] = plan;
        }
    return true;
}

/* ---- Making ---- */

static bool note_at(sn_divide *d, uint32_t constraint, uint32_t vertex) {
    if (!sn_reserve(&d->world->memory, (void **)&d->link, &d->link_capacity, d->links + 1,
                    sizeof *d->link))
        return false;
    d->link[d->links] = (sn_cut_link){constraint, d->listed[vertex],
                                      d->world->constraints.slots.generation[constraint]};
    d->listed[vertex] = (uint32_t)++d->links;
    return true;
}

bool sn_divide_note(sn_divide *d, uint32_t constraint, sn_members members) {
    for (int n = 0; n < members.nodes; n++) {
        uint32_t vertex = sn_cut_vertex_of(&d->mesh, sn_member(members, n));
        if (vertex == UINT32_MAX || !d->wanted[vertex]) continue;
        if (!note_at(d, constraint, vertex)) return false;
    }
    return true;
}

/* Room for one more in a store, of the colour that its members leave. */
static bool claim(sn_divide *d, sn_store *store, sn_draft *draft, uint8_t *colour) {
    sn_memory *memory = &d->world->memory;
    sn_members members = sn_draft_members(store->type, draft);
    if (sn_store_reserve_nodes(store, memory, d->world->nodes.slots.count)) {
        int most = d->world->settings.balanced_colours;
        *colour = most > 0 ? sn_store_claim_smallest(store, members, most, NULL)
                           : sn_store_claim_colour(store, members);
        if (sn_store_reserve(store, memory, *colour, 1)) return true;
        sn_store_release_colour(store, members, *colour);
    }
    sn_list_free(memory, draft->list);
    return false;
}

bool sn_divide_add(sn_divide *d, size_t store, sn_draft *draft) {
    sn_world *world = d->world;
    sn_constraints *all = &world->constraints;
    size_t needed = sn_slots_needed(&all->slots, 1);
    uint8_t colour;
    if (!sn_slots_reserve(&all->slots, &world->memory, needed) ||
        !sn_reserve(&world->memory, (void **)&all->record, &all->capacity, needed,
                    sizeof(sn_constraint_record))) {
        sn_list_free(&world->memory, draft->list);
        return false;
    }
    if (!claim(d, &world->store[store], draft, &colour)) return false;
    uint32_t made = sn_world_add_constraint(world, store, colour, draft);
    return sn_divide_note(d, made,
                          sn_store_members(&world->store[store], sn_world_place(world, made)));
}

bool sn_divide_replace(sn_divide *d, uint32_t constraint, sn_draft *draft) {
    sn_world *world = d->world;
    sn_store *store = sn_world_store_of(world, constraint);
    sn_place place = sn_world_place(world, constraint);
    uint8_t colour;
    uint32_t moved = sn_store_remove(store, &world->memory, place);
    world->constraints.record[moved].position = place.position;
    if (!claim(d, store, draft, &colour)) return false;
    sn_world_place_constraint(world, constraint, store, colour, draft);
    /* The others have it in their lists. */
    return note_at(d, constraint, d->m);
}

/* ---- What was planned ---- */

/* A constraint as it was before the edge was divided. */
typedef struct original {
    const sn_divide_plan *plan;
    sn_store *store;
    sn_real parameter[SN_MAX_PARAMETERS];
    uint32_t v[SN_MAX_NODES];
    int count;
    bool off;
} original;

static void recall(const sn_divide *d, const sn_divide_plan *plan, original *o) {
    o->plan = plan;
    o->store = sn_world_store_of(d->world, plan->constraint);
    sn_place place = sn_world_place(d->world, plan->constraint);
    sn_members members = sn_store_members(o->store, place);
    o->count = members.nodes;
    o->off = sn_store_is_off(o->store, place);
    (void)vertices_of(d, members, o->v);
    memcpy(o->parameter, sn_store_parameters(o->store, place),
           sizeof(sn_real) * (size_t)o->store->parameters);
}

static void fill(const sn_divide *d, const original *o, const uint32_t *v, sn_draft *draft) {
    draft->list = NULL;
    draft->off = o->off;
    for (int n = 0; n < o->count; n++)
        draft->offset[n] = (int32_t)d->mesh.node[v[n]] * SN_NODE_BYTES;
}

/* The part of a constraint that has the node in the place of one end. A part that is beyond reason
   has the stiffness of the whole. */
static void draft_part(const sn_divide *d, const original *o, uint32_t old, sn_draft *draft) {
    uint32_t now[SN_MAX_NODES];
    double scale = 1, before = o->plan->before;
    (void)measure_with(d, o->store, o->parameter, o->v, o->count, old, draft->parameter, now,
                       &scale);
    fill(d, o, now, draft);
    if (o->plan->fate == SN_DIVIDE_HALVED) {
        double after = sn_divide_around(d, now[0], now + 1, o->count - 1);
        (void)sn_cut_rescale(draft->parameter, scale * scale * before / after,
                             after / (before * scale));
    } else {
        double after = bend_of(d, now);
        bool scaled = sn_cut_is_scaled_outside(&o->store->type->info);
        (void)sn_cut_rescale(draft->parameter, scaled ? before / after : 1, 1);
    }
}

/* Whether there is a constraint like one of the edge on another edge at this vertex. */
static bool has_like(const sn_divide *d, const original *o, uint32_t vertex) {
    for (size_t i = 0; i < d->plans; i++) {
        original other;
        if (d->plan[i].fate != SN_DIVIDE_THINNED) continue;
        recall(d, &d->plan[i], &other);
        if (other.store == o->store && find(other.v, 2, vertex) >= 0 &&
            other.parameter[SN_PARAMETER_SIDE] == o->parameter[SN_PARAMETER_SIDE])
            return true;
    }
    return false;
}

/* The edges from the node to the vertices beside it, as stiff as that which is divided. */
static bool add_spokes(sn_divide *d, const original *o) {
    for (size_t i = 0; i < d->besides; i++) {
        const uint32_t spoke[2] = {d->m, d->beside[i]};
        sn_point before[2] = {sn_divide_rest(d, o->v[0]), sn_divide_rest(d, o->v[1])};
        sn_point after[2] = {d->rest, sn_divide_rest(d, d->beside[i])};
        sn_draft draft;
        double scale;
        if (!has_like(d, o, d->beside[i])) continue;
        fill(d, o, spoke, &draft);
        if (!sn_cut_remeasure(o->store, o->parameter, 2, before, after, draft.parameter, &scale))
            continue;
        double own = sn_divide_around(d, d->m, spoke + 1, 1);
        (void)sn_cut_rescale(draft.parameter, scale * scale * o->plan->before / own,
                             own / (o->plan->before * scale));
        if (!sn_divide_add(d, (size_t)(o->store - d->world->store), &draft)) return false;
    }
    return true;
}

/* A hinge of every kind that the triangle has, at its new edge. */
static bool add_hinge(sn_divide *d, uint32_t beside) {
    const uint32_t hinge[4] = {d->m, beside, d->a, d->b};
    for (size_t i = 0, plans = d->plans; i < plans; i++) {
        original o;
        bool known = false;
        if (d->plan[i].fate != SN_DIVIDE_HINGED && d->plan[i].fate != SN_DIVIDE_WINGED) continue;
        recall(d, &d->plan[i], &o);
        if (find(o.v, 4, beside) < 0) continue;
        for (size_t k = 0; k < i && !known; k++) {
            original other;
            if (d->plan[k].fate != SN_DIVIDE_HINGED && d->plan[k].fate != SN_DIVIDE_WINGED)
                continue;
            recall(d, &d->plan[k], &other);
            known = other.store == o.store && find(other.v, 4, beside) >= 0;
        }
        if (known) continue;
        sn_point before[4], after[4];
        sn_draft draft;
        for (int n = 0; n < 4; n++) {
            before[n] = sn_divide_rest(d, o.v[n]);
            after[n] = sn_divide_rest(d, hinge[n]);
        }
        fill(d, &o, hinge, &draft);
        if (!sn_cut_measure_fresh(o.store, o.parameter, 4, before, after, draft.parameter))
            continue;
        bool scaled = sn_cut_is_scaled_outside(&o.store->type->info);
        (void)sn_cut_rescale(draft.parameter, scaled ? o.plan->before / bend_of(d, hinge) : 1, 1);
        if (!sn_divide_add(d, (size_t)(o.store - d->world->store), &draft)) return false;
    }
    return true;
}

static bool thin(const sn_divide *d, const original *o) {
    double after = sn_divide_around(d, o->v[0], o->v + 1, 1);
    sn_real parameter[SN_MAX_PARAMETERS];
    sn_place place = sn_world_place(d->world, o->plan->constraint);
    memcpy(parameter, o->parameter, sizeof parameter);
    if (sn_cut_rescale(parameter, o->plan->before / after, after / o->plan->before))
        sn_store_set_parameters(o->store, place, parameter);
    sn_store_derive(o->store, place, (sn_masses){d->world->nodes.w, d->world->frames.w},
                    &d->world->scale);
    return true;
}

static bool halve(sn_divide *d, const original *o) {
    sn_draft draft, second;
    draft_part(d, o, d->b, &draft);
    draft_part(d, o, d->a, &second);
    return (o->count != 2 || add_spokes(d, o)) &&
           sn_divide_replace(d, o->plan->constraint, &draft) &&
           sn_divide_add(d, (size_t)(o->store - d->world->store), &second);
}

/* What is made anew is so before anything is changed that it is made from. */
bool sn_divide_hold(sn_divide *d) {
    bool room = true;
    for (size_t i = 0; room && d->sheet != UINT32_MAX && i < d->besides; i++)
        room = add_hinge(d, d->beside[i]);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; room && i < d->plans; i++) {
            original o;
            sn_draft draft;
            bool thinned = d->plan[i].fate == SN_DIVIDE_THINNED;
            /* Edges that are divided look at the others as they were. */
            if (thinned != (pass == 1) || d->plan[i].fate == SN_DIVIDE_RINGED) continue;
            recall(d, &d->plan[i], &o);
            if (thinned) {
                room = thin(d, &o);
            } else if (d->plan[i].fate == SN_DIVIDE_WINGED) {
                draft_part(d, &o, find(o.v, 4, d->a) >= 2 ? d->a : d->b, &draft);
                room = sn_divide_replace(d, d->plan[i].constraint, &draft);
            } else {
                room = halve(d, &o);
            }
        }
    return room && sn_divide_rings(d);
}
