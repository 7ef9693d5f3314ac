/*
 * Bodies that carry colliders, such as rigid ones. A collider counts as fluid at rest in the
 * densities of the particles near it (fluid_walls.c), so that the node b that carries it is in
 * their rows: where particle i is pushed by dlambda_i grad B_i, it is pushed by as much the other
 * way, at the same place. grad B is along the normal, so that any place on that line is the same,
 * and both momenta are kept.
 *
 * All rows are solved at once, and every particle around a body pushes it. With g_i = |grad B_i|
 * and t_i = |I^-1/2 (r_i x grad B_i)|, what row j does to row i through the body is at most
 * w_b g_i g_j + t_i t_j; so that no wave overshoots, a row has the sum of that over all j in its
 * denominator, beside what it has of particles (fluid_loops.c):
 *
 *   D_i += w_b g_i sum_j g_j + t_i sum_j t_j
 *
 * One after the other in the order of places, so that sums do not depend on threads.
 */
#include "collision/collider_pose.h"
#include "systems/fluid/fluids.h"

/* Slot + 1 of the node that carries a collider, where fluids can move it; 0 elsewhere. */
static uint32_t carrier_of(const sn_world *world, size_t collider) {
    const sn_colliders *colliders = sn_colliders_of(world);
    uint32_t carrier = colliders->slots.alive[collider] ? colliders->state[collider].carrier : 0;
    return carrier && sn_world_contact_w(world)[carrier - 1] > 0 ? carrier : 0;
}

bool sn_fluid_carriers_reserve(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    size_t places = (s->blocks + 1) * SN_BLOCK, frames = world->frames.slots.count;
    s->is_carried = false;
    s->besides = 0;
    for (size_t c = 0; c < sn_colliders_of(world)->slots.count && !s->is_carried; c++)
        s->is_carried = carrier_of(world, c) > 0;
    return !s->is_carried || (sn_reserve(&world->memory, (void **)&s->beside, &s->beside_capacity,
                                         s->count, sizeof *s->beside) &&
                              sn_reserve(&world->memory, (void **)&s->give, &s->give_capacity,
                                         places, sizeof *s->give) &&
                              sn_reserve(&world->memory, (void **)&s->load, &s->load_capacity,
                                         frames, sizeof *s->load));
}

void sn_fluid_carriers_follow(const sn_world *world) {
    const sn_colliders *colliders = sn_colliders_of(world);
    for (size_t c = 0; colliders->carried > 0 && c < colliders->slots.count; c++)
        if (colliders->slots.alive[c] && colliders->state[c].carrier)
            sn_collider_pose_follow(world, c);
}

static sn_fluid_load *load_of(const sn_world *world, uint32_t carrier) {
    return &sn_fluids_of(world)->places.load[world->nodes.frame[carrier - 1] - 1];
}

/* m: from a node to a place, now or when the substep began. */
static sn_v4 arm_of(const sn_world *world, uint32_t node, uint32_t place, const sn_vec4 *d) {
    const sn_nodes *n = &world->nodes;
    return (sn_v4_load(&n->x[place]) - sn_v4_load(&n->x[node])) +
           (sn_v4_load(&d[place]) - sn_v4_load(&d[node]));
}

/* |grad B|. */
static sn_real steepness_of(const sn_fluid_wall_part *part) {
    return part->slope < 0 ? -part->slope : part->slope;
}

/* How easily the carrier is turned by a place of one of its colliders. */
static sn_real turn_of(const sn_world *world, const sn_fluid_wall_part *part, uint32_t place,
                       uint32_t node) {
    const uint32_t frame = world->nodes.frame[node] - 1;
    sn_v4 torque = sn_v4_cross(arm_of(world, node, place, world->nodes.d), sn_v4_of(part->normal));
    sn_v4 axis = sn_quat_rotate_back(sn_v4_load(&world->frames.q[frame]), torque);
    sn_v4 inverse = sn_v4_load(&sn_world_masses(world).turn_w[frame]);
    sn_real square = sn_v4_dot(axis, inverse * axis);
    return steepness_of(part) * SN_ROOT(square > 0 ? square : 0);
}

/* Adds a place to the sums of those who carry what is near it; whether there is any. */
static bool add_place(const sn_world *world, const sn_fluid_places *s, size_t at) {
    sn_fluid_wall_part *part = s->part + at * SN_FLUID_MOST_WALLS;
    bool any = false;
    for (int k = 0; k < SN_FLUID_MOST_WALLS && part[k].collider > 0; k++) {
        const uint32_t carrier = carrier_of(world, part[k].collider - 1);
        if (!carrier) continue;
        sn_fluid_load *load = load_of(world, carrier);
        part[k].turn = turn_of(world, &part[k], s->node[at], carrier - 1);
        load->slope += (double)steepness_of(&part[k]);
        load->turn += (double)part[k].turn;
        any = true;
    }
    return any;
}

static sn_real give_of(const sn_world *world, const sn_fluid_places *s, size_t at) {
    const sn_fluid_wall_part *part = s->part + at * SN_FLUID_MOST_WALLS;
    double sum = 0;
    for (int k = 0; k < SN_FLUID_MOST_WALLS && part[k].collider > 0; k++) {
        const uint32_t carrier = carrier_of(world, part[k].collider - 1);
        if (!carrier) continue;
        const sn_fluid_load *load = load_of(world, carrier);
        sum += (double)sn_world_masses(world).w[carrier - 1] * (double)steepness_of(&part[k]) *
                   load->slope +
               (double)part[k].turn * load->turn;
    }
    return (sn_real)sum;
}

void sn_fluid_carriers_weigh(const sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    s->besides = 0;
    if (!s->is_carried) return;
    for (size_t c = 0; c < sn_colliders_of(world)->slots.count; c++) {
        const uint32_t carrier = carrier_of(world, c);
        if (carrier) *load_of(world, carrier) = (sn_fluid_load){0};
    }
    for (size_t at = 0; at < s->blocks * SN_BLOCK; at++) {
        s->give[at] = 0;
        if (at < s->count && s->wall[at].w > 0 && add_place(world, s, at))
            s->beside[s->besides++] = (uint32_t)at;
    }
    for (size_t i = 0; i < s->besides; i++) s->give[s->beside[i]] = give_of(world, s, s->beside[i]);
}

static void add_to(double sum[3], sn_v4 a) {
    for (int k = 0; k < 3; k++) sum[k] += (double)a[k];
}

static sn_v4 of(const double sum[3]) {
    return (sn_v4){(sn_real)sum[0], (sn_real)sum[1], (sn_real)sum[2], 0};
}

/* What a place does to those who carry what is near it. */
static void push_from(const sn_step *step, const sn_fluid_places *s, size_t at) {
    sn_world *world = step->world;
    const sn_fluid_wall_part *part = s->part + at * SN_FLUID_MOST_WALLS;
    const double dlambda = (double)s->change[at].w * (double)s->y[at].w;
    const double square = step->iteration == 0 ? step->h * step->h : 0;
    const bool ends =
        step->substep + 1 == step->substeps && step->iteration + 1 == step->iterations;
    for (int k = 0; k < SN_FLUID_MOST_WALLS && part[k].collider > 0; k++) {
        const uint32_t carrier = carrier_of(world, part[k].collider - 1), place = s->node[at];
        if (!carrier) continue;
        sn_fluid_load *load = load_of(world, carrier);
        double size = square * (double)part[k].pull - dlambda * (double)part[k].slope;
        sn_v4 push = (sn_real)size * sn_v4_of(part[k].normal);
        add_to(load->push, push);
        add_to(load->twist, sn_v4_cross(arm_of(world, carrier - 1, place, world->nodes.d), push));
        add_to(load->begun, sn_v4_cross(arm_of(world, carrier - 1, place, world->nodes.p), push));
        if (load->places++ == 0 && ends) sn_world_note_contact(world, place, carrier - 1);
    }
}

/* What both get is opposite when lever arms of angular momentum are those at the beginning of the
   substep, as of contacts (contact/rigid/rigid_contact.c). */
static void move_carrier(const sn_world *world, uint32_t node, const sn_fluid_load *load) {
    const sn_frames *f = &world->frames;
    const sn_masses masses = sn_world_masses(world);
    const uint32_t frame = world->nodes.frame[node] - 1;
    sn_vec4 *d = &world->nodes.d[node];
    sn_v4 moved = sn_v4_load(d) + masses.w[node] * of(load->push);
    moved[3] = 0;
    sn_v4_store(d, moved);
    sn_v4 inverse = sn_v4_load(&masses.turn_w[frame]), q = sn_v4_load(&f->q[frame]);
    sn_v4 phi = inverse * sn_quat_rotate_back(q, of(load->twist)), next = sn_quat_turn(q, phi);
    sn_v4 had = sn_v4_load(&f->inertia[frame]) * sn_v4_load(&f->turn[frame]);
    sn_v4 turn = sn_quat_rotate_back(next, sn_quat_rotate(q, had) + of(load->begun));
    turn *= sn_v4_load(&f->w[frame]);
    turn[3] = 0;
    sn_v4_store(&f->q[frame], next);
    sn_v4_store(&f->turn[frame], turn);
}

void sn_fluid_carriers_push(const sn_step *step) {
    const sn_world *world = step->world;
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    for (size_t i = 0; i < s->besides; i++) push_from(step, s, s->beside[i]);
    for (size_t c = 0; s->besides > 0 && c < sn_colliders_of(world)->slots.count; c++) {
        const uint32_t carrier = carrier_of(world, c);
        if (!carrier || load_of(world, carrier)->places == 0) continue;
        sn_fluid_load *load = load_of(world, carrier);
        move_carrier(world, carrier - 1, load);
        *load = (sn_fluid_load){0};
    }
}
