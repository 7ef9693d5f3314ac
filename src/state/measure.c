/*
 * Everything here is summed in double, one after the other in the order of slots, so that the
 * numbers are as reproducible as the state itself.
 */
#include "state/measure.h"

#include "base/hash.h"
#include "math/quaternion.h"

static void add_node(const sn_world *world, size_t i, sn_measure *m) {
    const sn_nodes *nodes = &world->nodes;
    if (nodes->w[i] <= 0) return;
    sn_vec3 gravity = sn_world_gravity(world, nodes->body[i]);
    double mass = 1 / (double)nodes->w[i];
    double x[3] = {(double)nodes->x[i].x + (double)nodes->p[i].x,
                   (double)nodes->x[i].y + (double)nodes->p[i].y,
                   (double)nodes->x[i].z + (double)nodes->p[i].z};
    double v[3] = {(double)nodes->v[i].x, (double)nodes->v[i].y, (double)nodes->v[i].z};
    m->mass += mass;
    m->kinetic_energy += 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    m->potential_energy -=
        mass * ((double)gravity.x * x[0] + (double)gravity.y * x[1] + (double)gravity.z * x[2]);
    for (int k = 0; k < 3; k++) {
        int j = (k + 1) % 3, l = (k + 2) % 3;
        m->momentum[k] += mass * v[k];
        m->angular_momentum[k] += mass * (x[j] * v[l] - x[l] * v[j]);
    }
}

/* The rotational part of an oriented node. */
static void add_frame(const sn_world *world, size_t i, sn_measure *m) {
    const sn_frames *frames = &world->frames;
    sn_v4 w = *(const sn_v4 *)&frames->w[i], omega = *(const sn_v4 *)&frames->omega[i];
    sn_v4 momentum = {0};
    for (int k = 0; k < 3; k++) {
        if (!(w[k] > 0)) continue;
        momentum[k] = omega[k] / w[k];
        m->kinetic_energy += 0.5 * (double)momentum[k] * (double)omega[k];
    }
    momentum = sn_quat_rotate(*(const sn_v4 *)&frames->q[i], momentum);
    for (int k = 0; k < 3; k++) m->angular_momentum[k] += (double)momentum[k];
}

/* Whether an inequality asks for nothing at this value. */
static bool is_satisfied(sn_side side, sn_real value) {
    return (side == SN_SIDE_AT_LEAST && value >= 0) || (side == SN_SIDE_AT_MOST && value <= 0);
}

/* The force of every row. C itself may be far from the compliance times that, where constraints are
   hard and their neighbours came later in the sweep. False where forces are not known. */
static bool take_forces(const sn_world *world, const sn_store *store, sn_place place,
                        double force[SN_MAX_ROWS]) {
    double h2 = world->scale.h * world->scale.h;
    if (!store->kept || !(h2 > 0) || world->settings.model == SN_MODEL_PBD) return false;
    sn_store_lambda(store, place, force);
    for (int row = 0; row < store->type->info.rows; row++) force[row] /= h2;
    return true;
}

static void add_constraint(const sn_world *world, const sn_store *store, const sn_batch *batch,
                           sn_place place, sn_measure *m, double *squares, size_t *active) {
    sn_real value[SN_MAX_ROWS];
    if (sn_store_is_off(store, place)) return;
    const sn_real *parameter = sn_store_parameters(store, place);
    store->type->evaluate(batch, place.position, value, NULL);
    if (store->type->info.rows == 1 &&
        is_satisfied((sn_side)parameter[SN_PARAMETER_SIDE], value[0]))
        return;
    double square = 0, force[SN_MAX_ROWS];
    /* What is hard keeps no energy, whatever its force. */
    bool soft = store->type->compliance || parameter[SN_PARAMETER_COMPLIANCE] > 0;
    bool pulls = soft && take_forces(world, store, place, force);
    for (int row = 0; row < store->type->info.rows; row++) {
        double c2 = (double)value[row] * (double)value[row];
        double compliance = store->type->compliance ? store->type->compliance(parameter, row)
                                                    : (double)parameter[SN_PARAMETER_COMPLIANCE];
        if (compliance > 0)
            m->elastic_energy +=
                0.5 * (pulls ? force[row] * force[row] * compliance : c2 / compliance);
        square += c2;
    }
    if (square > m->residual_max) m->residual_max = square;
    *squares += square;
    ++*active;
}

/* Nodes and frames, to one measure or each to that of its body. */
static void add_motion(const sn_world *world, sn_measure *m, bool apart) {
    const sn_nodes *nodes = &world->nodes;
    const sn_frames *frames = &world->frames;
    for (size_t i = 0; i < nodes->slots.count; i++)
        if (nodes->slots.alive[i]) add_node(world, i, &m[apart ? nodes->body[i] : 0]);
    for (size_t i = 0; i < frames->slots.count; i++)
        if (frames->slots.alive[i])
            add_frame(world, i, &m[apart ? nodes->body[frames->node[i]] : 0]);
}

void sn_world_measure_motion(const sn_world *world, sn_measure *of_body) {
    add_motion(world, of_body, true);
}

sn_measure sn_world_take_measure(const sn_world *world) {
    sn_measure m = {0};
    double squares = 0;
    size_t active = 0;
    add_motion(world, &m, false);
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        for (uint8_t c = 0; c < SN_COLOURS; c++) {
            sn_batch batch = sn_store_batch(store, &world->nodes, &world->frames, c);
            for (size_t i = 0; i < store->colour[c].count; i++)
                add_constraint(world, store, &batch, (sn_place){c, (uint32_t)i}, &m, &squares,
                               &active);
        }
    }
    if (active > 0) m.residual_rms = __builtin_sqrt(squares / (double)active);
    m.residual_max = __builtin_sqrt(m.residual_max);
    return m;
}

static uint64_t hash_vector(uint64_t hash, sn_vec4 a) {
    hash = sn_hash_double(hash, (double)a.x);
    hash = sn_hash_double(hash, (double)a.y);
    return sn_hash_double(hash, (double)a.z);
}

/* What the integrator will go on with, where there is anything. */
static uint64_t hash_history(uint64_t hash, const sn_world *world, size_t i) {
    const sn_history *history = &world->history;
    uint32_t body = world->nodes.body[i];
    if (i >= history->capacity || body >= history->body_capacity ||
        history->ready[body] != SN_HISTORY_READY)
        return hash;
    return hash_vector(hash_vector(hash, history->s[i]), history->change[i]);
}

static uint64_t hash_turn(uint64_t hash, const sn_world *world, size_t i) {
    const sn_history *history = &world->history;
    uint32_t body = world->nodes.body[world->frames.node[i]];
    if (i >= history->frame_capacity || body >= history->body_capacity ||
        history->ready[body] != SN_HISTORY_READY)
        return hash;
    return hash_vector(hash_vector(hash, history->turn_s[i]), history->turn_change[i]);
}

/* Parameters that a step may change. */
static uint64_t hash_settled(uint64_t hash, const sn_store *store) {
    for (uint8_t c = 0; c < SN_COLOURS; c++) {
        size_t numbers = store->colour[c].count * (size_t)store->parameters;
        for (size_t i = 0; i < numbers; i++)
            hash = sn_hash_double(hash, (double)store->colour[c].parameter[i]);
    }
    return hash;
}

/* Impulses of dashpots, which the next substep begins with, as far as there are any. */
static uint64_t hash_impulses(uint64_t hash, const sn_store *store) {
    size_t rows = (size_t)sn_dashpot_rows(store->type);
    for (uint8_t c = 0; c < SN_COLOURS; c++)
        for (size_t i = 0; i < store->colour[c].count; i++) {
            const sn_real *impulse = sn_store_impulse(store, (sn_place){c, (uint32_t)i});
            for (size_t r = 0; r < rows; r++)
                if (impulse[r] != 0)
                    hash = sn_hash_double(sn_hash_word(hash, i * rows + r), (double)impulse[r]);
        }
    return hash;
}

uint64_t sn_world_fingerprint(const sn_world *world) {
    const sn_nodes *nodes = &world->nodes;
    uint64_t hash = sn_hash_double(sn_hash_word(0, nodes->slots.count), world->time);
    for (size_t i = 0; i < nodes->slots.count; i++) {
        if (!nodes->slots.alive[i]) continue;
        hash = sn_hash_word(hash, i);
        hash = hash_vector(hash, nodes->x[i]);
        hash = hash_vector(hash, nodes->p[i]);
        hash = hash_vector(hash, nodes->v[i]);
        hash = sn_hash_double(hash, (double)nodes->w[i]);
        hash = hash_history(hash, world, i);
    }
    const sn_frames *frames = &world->frames;
    for (size_t i = 0; i < frames->slots.count; i++) {
        if (!frames->slots.alive[i]) continue;
        hash = sn_hash_double(hash_vector(hash, frames->q[i]), (double)frames->q[i].w);
        hash = hash_vector(hash, frames->omega[i]);
        hash = hash_vector(hash, frames->w[i]);
        hash = hash_turn(hash, world, i);
    }
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        if (store->trait[SN_TRAIT_SETTLING] > 0) hash = hash_settled(hash, store);
        if (store->trait[SN_TRAIT_DAMPED] > 0) hash = hash_impulses(hash, store);
    }
    return hash;
}
