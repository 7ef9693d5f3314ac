/* The audit of constraints: what the forces of their rows did in a substep. audit.c has the
   theory. */
#include "step/audit.h"

static double compliance_at(const sn_store *store, sn_place place, int row) {
    const sn_real *parameter = sn_store_parameters(store, place);
    return store->type->compliance ? store->type->compliance(parameter, row)
                                   : (double)parameter[SN_PARAMETER_COMPLIANCE];
}

/* The body that a constraint belongs to: that of its first node that can move, or frame that can
   turn. */
static uint32_t body_of(const sn_world *world, sn_members members) {
    for (int n = 0; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        if (node >= 0 && world->nodes.w[node] > 0) return world->nodes.body[node];
    }
    for (int n = 0; n < members.frames; n++) {
        int32_t frame = sn_member(members, members.nodes + n);
        if (frame < 0) continue;
        sn_vec4 w = world->frames.w[frame];
        if (w.x > 0 || w.y > 0 || w.z > 0) return world->nodes.body[world->frames.node[frame]];
    }
    return 0;
}

/* Gradients of a constraint: of how many nodes and frames, in all rows. */
static size_t gradients(const sn_store *store, sn_members members) {
    return (size_t)store->type->info.rows * (size_t)(members.nodes + members.frames);
}

/* The most that a constraint has. */
static size_t most_gradients(const sn_world *world) {
    size_t most = SN_MAX_ROWS * SN_MAX_INDICES;
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        if (store->type->info.list == SN_LIST_NONE) continue;
        for (uint8_t c = 0; c < SN_COLOURS; c++)
            for (uint32_t i = 0; i < store->colour[c].count; i++) {
                size_t count = gradients(store, sn_store_members(store, (sn_place){c, i}));
                most = count > most ? count : most;
            }
    }
    return most;
}

bool sn_audit_reserve_rows(sn_world *world) {
    sn_audit_books *books = world->bindings.audit;
    return sn_reserve(&world->memory, (void **)&books->row, &books->row_capacity,
                      world->constraints.slots.count * SN_MAX_ROWS, sizeof *books->row) &&
           sn_reserve(&world->memory, (void **)&books->gradient, &books->gradient_capacity,
                      most_gradients(world), sizeof *books->gradient);
}

/* A constraint at hand. */
typedef struct hand {
    sn_world *world;
    sn_audit_books *books;
    const sn_store *store;
    const sn_batch *batch;
    sn_place place;
    sn_members members;
    uint32_t body; /* that it belongs to */
    uint16_t generation;
    sn_audit_row *row;
} hand;

/* Shows every constraint that is there, in the order of the stores. */
static void for_all(sn_world *world, void (*act)(const hand *h)) {
    sn_audit_books *books = world->bindings.audit;
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        for (uint8_t c = 0; c < SN_COLOURS; c++) {
            if (store->colour[c].count == 0) continue;
            sn_batch batch = sn_store_batch(store, &world->nodes, &world->frames, c);
            for (uint32_t i = 0; i < store->colour[c].count; i++) {
                sn_place place = {c, i};
                uint32_t owner = store->colour[c].owner[i];
                sn_members members = sn_store_members(store, place);
                hand h = {.world = world,
                          .books = books,
                          .store = store,
                          .batch = &batch,
                          .place = place,
                          .members = members,
                          .body = body_of(world, members),
                          .generation = world->constraints.slots.generation[owner],
                          .row = &books->row[(size_t)owner * SN_MAX_ROWS]};
                act(&h);
            }
        }
    }
}

static double compliance_of(const hand *h, int row) {
    return compliance_at(h->store, h->place, row);
}

/* N: the forces of the last substep. False where there were none. */
static bool forces_of(const hand *h, double force[SN_MAX_ROWS]) {
    double last = h->world->scale.h, h2 = last * last, sum = 0;
    sn_store_lambda(h->store, h->place, force);
    for (int row = 0; row < h->store->type->info.rows; row++) {
        force[row] /= h2;
        sum += force[row] * force[row];
    }
    return sum > 0;
}

/* ---- Between substeps ---- */

/*
 * What has become of a constraint without a substep, because positions or parameters have changed:
 * as far as it was solved it still is, so that the change of C is one of its force.
 */
static void follow(const hand *h) {
    sn_real value[SN_MAX_ROWS];
    double force[SN_MAX_ROWS];
    bool known = h->row->generation == h->generation, pulls = forces_of(h, force);
    h->store->type->evaluate(h->batch, h->place.position, value, NULL);
    for (int i = 0; i < h->store->type->info.rows; i++) {
        sn_audit_row *row = &h->row[i];
        double compliance = compliance_of(h, i);
        row->value = (double)value[i];
        row->generation = h->generation;
        if (!known) row->residual = pulls ? row->value + compliance * force[i] : 0;
        /* A hard row that has not been solved yet, or was moved by calls, has all of C undone. */
        if (!(compliance > 0)) row->residual = row->value;
        row->force = compliance > 0 ? (row->residual - row->value) / compliance : 0;
    }
}

static void flow(const hand *h) {
    const sn_constraint_type *type = h->store->type;
    if (type->settles && type->settles(sn_store_parameters(h->store, h->place))) follow(h);
}

/* Constraints that have come by tearing have their forces from those they are copies of. */
static void store_energy(const hand *h) {
    if (h->row->generation != h->generation) follow(h);
    if (sn_store_is_off(h->store, h->place)) return;
    for (int i = 0; i < h->store->type->info.rows; i++)
        h->books->fresh[h->body].elastic_energy +=
            0.5 * compliance_of(h, i) * h->row[i].force * h->row[i].force;
}

void sn_audit_follow_rows(sn_world *world) {
    for_all(world, follow);
}

void sn_audit_flow_rows(sn_world *world) {
    for_all(world, flow);
}

void sn_audit_measure_rows(sn_world *world) {
    for_all(world, store_energy);
}

/* ---- The end of a substep ---- */

/* What a member of a constraint has to do with it. */
typedef struct member {
    const double *displacement; /* m or rad, that it has gone; null where it cannot go */
    uint32_t body;
    bool kinematic;
} member;

static member member_of(const hand *h, int n) {
    const sn_world *world = h->world;
    int32_t at = sn_member(h->members, n);
    if (at < 0) return (member){NULL, 0, true};
    if (n < h->members.nodes)
        return (member){h->books->node[at].displacement, world->nodes.body[at],
                        !(world->nodes.w[at] > 0)};
    sn_vec4 w = world->frames.w[at];
    return (member){h->books->frame[at].displacement, world->nodes.body[world->frames.node[at]],
                    !(w.x > 0 || w.y > 0 || w.z > 0)};
}

/* What the force of a row does to a body, of what it would: a body that was struck was pushed with
   less of its inverse mass than it ends its substep with. */
static double felt_by(const hand *h, uint32_t body) {
    const sn_history *history = &h->world->history;
    return sn_history_share(history, body) / sn_history_end_share(history, body);
}

/* J: what the force of a row did, with kinematic members and with those of other bodies, both of
   which are accounted for. */
static double work_of(const hand *h, const sn_vec3 *gradient, double force) {
    sn_audit_body *body = h->books->body;
    double all = 0;
    for (int n = 0; n < h->members.nodes + h->members.frames; n++) {
        member m = member_of(h, n);
        if (!m.displacement) continue;
        const double g[3] = {(double)gradient[n].x, (double)gradient[n].y, (double)gradient[n].z};
        double work =
            force * sn_audit_dot(g, m.displacement) * felt_by(h, m.kinematic ? h->body : m.body);
        all += work;
        if (m.kinematic) {
            body[h->body].sum.work_nodes -= work;
        } else if (m.body != h->body) {
            body[m.body].sum.work_bodies += work;
            body[h->body].sum.work_bodies -= work;
        }
    }
    return all;
}

/* Whether a constraint was solved in this substep. */
static bool is_solved(const hand *h) {
    const sn_colour *colour = &h->store->colour[h->place.colour];
    bool awake = h->world->sleep.count == 0 || sn_colour_is_awake(colour, h->place.position);
    return awake && !sn_store_is_off(h->store, h->place);
}

static void sum_constraint(const hand *h) {
    sn_audit_books *books = h->books;
    sn_real value[SN_MAX_ROWS];
    double force[SN_MAX_ROWS];
    if (!is_solved(h)) return;
    h->store->type->evaluate(h->batch, h->place.position, value, books->gradient);
    (void)forces_of(h, force);
    for (int i = 0; i < h->store->type->info.rows; i++) {
        sn_audit_row *row = &h->row[i];
        double compliance = compliance_of(h, i), change = (double)value[i] - row->value;
        double work =
            work_of(h, books->gradient + i * (h->members.nodes + h->members.frames), force[i]);
        double pulled = compliance > 0 ? force[i] - row->force : 0;
        books->body[h->body].sum.lost_integrator +=
            0.5 * compliance * pulled * pulled + force[i] * change - work;
        row->value = (double)value[i];
        row->force = compliance > 0 ? force[i] : 0;
        double residual = row->value + compliance * force[i];
        books->body[h->body].sum.lost_solver -= force[i] * (residual - row->residual);
        row->residual = residual;
    }
}

void sn_audit_sum_rows(sn_world *world) {
    for_all(world, sum_constraint);
}
