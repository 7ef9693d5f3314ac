/*
 * A contact keeps the ball of a node outside of a shape: C = distance - radius >= 0, hard, with
 * friction at the level of positions (survey of position based methods, section 5.4.4).
 *
 *   push     the node goes out along the normal n by what it is too deep
 *   slide    u, its motion across n relative to the surface in this substep, is taken back, by at
 *            most mu times all the push of the substep: a static contact is one where that is
 * enough
 *
 * Both are lengths, so that masses do not matter. Friction is kept over the sweeps of a substep and
 * found anew in each, so that many sweeps do not brake more than one. What is inside when a substep
 * begins comes out no faster than the recovery speed, so that an overlap gives no energy.
 *
 * A node that passes a shape within one substep is found by walking along its way by the distance
 * to the shape, which is never too far (sphere tracing), and is stopped where it enters.
 */
#include "contact/touch.h"

#include "contact/shape.h"
#include "math/quaternion.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { NODES_ALONE = 1024, MOST_WALK = 24 };

static bool has_colliders(const sn_world *world) {
    return world->colliders.slots.live > 0;
}

/* ---- Where colliders are ---- */

static sn_v4 quat_of(sn_quat q) {
    return (sn_v4){q.x, q.y, q.z, q.w};
}

static void store(sn_vec4 *to, sn_v4 from) {
    *to = (sn_vec4){from[0], from[1], from[2], from[3]};
}

static sn_v4 load(const sn_vec4 *from) {
    return (sn_v4){from->x, from->y, from->z, from->w};
}

/* Turned by a rotation vector of the world; small steps keep to the circle well enough, and faster
   than half a turn in a substep nothing is seen to turn. */
static sn_v4 turned(sn_v4 q, sn_vec3 omega, double time) {
    double x = (double)omega.x * time / 2, y = (double)omega.y * time / 2;
    double z = (double)omega.z * time / 2, length = sqrt(x * x + y * y + z * z);
    double shorter = length > 1.5 ? 1.5 / length : 1;
    sn_v4 half = {(sn_real)(x * shorter), (sn_real)(y * shorter), (sn_real)(z * shorter), 0};
    return sn_quat_normalize(q + sn_quat_mul(half, q));
}

static sn_v4 blend(sn_v4 a, sn_v4 b, double part) {
    sn_v4 ab = a * b;
    sn_real dot = (ab[0] + ab[1]) + (ab[2] + ab[3]), t = (sn_real)part;
    return sn_quat_normalize((1 - t) * a + (dot < 0 ? -t : t) * b);
}

static void begin_placing(const sn_world *world, size_t i, double dt) {
    const sn_collider_state *c = &world->colliders.state[i];
    sn_placing *at = &world->touches.placing[i];
    sn_v4 way = (sn_real)dt * sn_v4_of(c->def.velocity);
    sn_v4 q = quat_of(c->def.orientation);
    if (c->has_target) way = sn_v4_of(c->target) - sn_v4_of(c->def.position);
    *at = (sn_placing){0};
    store(&at->x, sn_v4_of(c->def.position));
    store(&at->way, way);
    store(&at->q, q);
    store(&at->before, q);
    store(&at->start, q);
    store(&at->aim, c->has_target ? quat_of(c->target_orientation) : q);
}

static void move_placing(const sn_world *world, size_t i, const sn_moment *m) {
    const sn_collider_state *c = &world->colliders.state[i];
    sn_placing *at = &world->touches.placing[i];
    at->p = at->d;
    at->before = at->q;
    store(&at->d, (sn_real)m->will * load(&at->way));
    if (c->has_target)
        store(&at->q, blend(load(&at->start), load(&at->aim), m->will));
    else
        store(&at->q, turned(load(&at->before), c->def.angular_velocity, m->h));
}

/* ---- Who may meet whom ---- */

/* m: how far anything of a collider moves in a time. */
static double collider_way(const sn_world *world, size_t i, double time, double dt) {
    const sn_collider_state *c = &world->colliders.state[i];
    sn_v4 way = load(&world->touches.placing[i].way);
    double far = sqrt((double)sn_v4_dot(way, way)) * (dt > 0 ? time / dt : 0);
    double reach = sn_shape_reach(&c->def), turn = 0;
    sn_vec3 w = c->def.angular_velocity;
    if (c->has_target) {
        sn_v4 ab = load(&world->touches.placing[i].start) * load(&world->touches.placing[i].aim);
        sn_real dot = (ab[0] + ab[1]) + (ab[2] + ab[3]);
        /* A chord of the unit quaternions; the angle is at most pi times that. */
        double chord = 2 - 2 * fabs((double)dot);
        turn = 3.15 * sqrt(chord > 0 ? chord : 0);
    } else {
        turn = time * sqrt((double)sn_vec3_dot(w, w));
    }
    return turn > 0 ? far + turn * (isinf(reach) ? 1e3 : reach) : far;
}

static bool masks(const sn_collider_def *def, uint32_t group) {
    return (def->mask >> (group < 31 ? group : 31) & 1) != 0;
}

typedef struct search {
    sn_world *world;
    double time, dt; /* s, what is left of the step, and all of it */
    bool fill;       /* the second pass */
} search;

static sn_real distance_at(const sn_world *world, size_t collider, sn_v4 x, sn_v4 d, sn_v4 *normal,
                           sn_v4 *local) {
    const sn_placing *at = &world->touches.placing[collider];
    const sn_collider_def *def = &world->colliders.state[collider].def;
    sn_v4 relative = (x - load(&at->x)) + (d - load(&at->d)), q = load(&at->q);
    *local = sn_quat_rotate_back(q, relative);
    sn_real distance = sn_shape_distance_of(def->shape)(def, *local, normal);
    *normal = sn_quat_rotate(q, *normal);
    return distance;
}

/* How far a node may go before it must be looked at again: generously. */
static sn_real reach_of(const sn_world *world, size_t i, double time) {
    const sn_nodes *n = &world->nodes;
    sn_v4 motion = load(&n->d[i]) - load(&n->p[i]), v = load(&n->v[i]);
    double speed = sqrt((double)sn_v4_dot(v, v));
    double step = sqrt((double)sn_v4_dot(motion, motion));
    sn_vec3 g = world->settings.gravity;
    double fall = sqrt((double)sn_vec3_dot(g, g)) * time * time;
    return (sn_real)(1.5 * (speed * time + fall) + 2 * step + (double)n->radius[i] + 1e-3);
}

/* m: how far the node is from where it was when the step began. */
static sn_real gone_by(const sn_world *world, size_t i, const search *s) {
    if (s->time == s->dt) return 0;
    sn_v4 gone = (load(&world->nodes.x[i]) + load(&world->nodes.d[i])) - load(&world->safe.x[i]);
    return SN_ROOT(sn_v4_dot(gone, gone));
}

static void search_node(const search *s, size_t i) {
    sn_world *world = s->world;
    const sn_nodes *n = &world->nodes;
    sn_touches *t = &world->touches;
    size_t found = 0, at = s->fill ? t->begin[i] : 0;
    if (n->slots.alive[i] == 1 && n->w[i] > 0) {
        sn_real reach = s->fill ? t->reach[i] : gone_by(world, i, s) + reach_of(world, i, s->time);
        t->reach[i] = reach;
        for (size_t c = 0; c < world->colliders.slots.count; c++) {
            const sn_collider_def *def = &world->colliders.state[c].def;
            sn_v4 normal, local;
            if (!world->colliders.slots.alive[c] || !masks(def, n->group[i])) continue;
            double far =
                (double)distance_at(world, c, load(&n->x[i]), load(&n->d[i]), &normal, &local);
            if (far > (double)reach + (double)n->radius[i] + collider_way(world, c, s->time, s->dt))
                continue;
            if (s->fill) t->touch[at + found] = (sn_touch){.collider = (uint32_t)c};
            found++;
        }
    }
    if (!s->fill) t->begin[i + 1] = found;
}

static void search_range(void *context, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) search_node(context, i);
}

/* Two passes: how many pairs each node has, and which. */
static bool find_pairs(sn_world *world, double time, double dt) {
    sn_touches *t = &world->touches;
    size_t nodes = world->nodes.slots.count;
    search s = {world, time, dt, false};
    t->begin[0] = 0;
    sn_team_run(world->team, nodes, NODES_ALONE, search_range, &s);
    for (size_t i = 0; i < nodes; i++) t->begin[i + 1] += t->begin[i];
    if (!sn_reserve(&world->memory, (void **)&t->touch, &t->capacity, t->begin[nodes] + 1,
                    sizeof *t->touch))
        return false;
    t->count = t->begin[nodes];
    s.fill = true;
    sn_team_run(world->team, nodes, NODES_ALONE, search_range, &s);
    return true;
}

bool sn_touch_plan(sn_world *world, double dt) {
    sn_touches *t = &world->touches;
    sn_memory *memory = &world->memory;
    size_t nodes = world->nodes.slots.count, colliders = world->colliders.slots.count;
    t->count = 0;
    if (!has_colliders(world)) return true;
    if (!sn_reserve(memory, (void **)&t->placing, &t->placing_capacity, colliders + 1,
                    sizeof *t->placing) ||
        !sn_reserve(memory, (void **)&t->begin, &t->begin_capacity, nodes + 2, sizeof *t->begin) ||
        !sn_reserve(memory, (void **)&t->reach, &t->reach_capacity, nodes + 1, sizeof *t->reach))
        return false;
    for (size_t i = 0; i < colliders; i++) begin_placing(world, i, dt);
    if (!find_pairs(world, dt, dt)) return false;
    size_t most = t->count + world->colliders.contacts;
    return sn_reserve(memory, (void **)&t->contact, &t->contact_capacity, most + 1,
                      sizeof *t->contact);
}

/* ---- Who was faster than expected ---- */

static void keep_range(void *context, size_t begin, size_t end) {
    const sn_touches *t = &((const sn_world *)context)->touches;
    for (size_t i = begin; i < end; i++)
        for (size_t k = t->begin[i], old = t->old_begin[i]; k < t->begin[i + 1]; k++) {
            while (old < t->old_begin[i + 1] && t->old_touch[old].collider < t->touch[k].collider)
                old++;
            if (old < t->old_begin[i + 1] && t->old_touch[old].collider == t->touch[k].collider)
                t->touch[k] = t->old_touch[old];
        }
}

static void exchange(size_t *a, size_t *b) {
    size_t kept = *a;
    *a = *b;
    *b = kept;
}

/* What is remembered of the pairs so far becomes the old ones. */
static void set_aside(sn_touches *t) {
    size_t *begin = t->begin;
    sn_touch *touch = t->touch;
    t->begin = t->old_begin;
    t->touch = t->old_touch;
    t->old_begin = begin;
    t->old_touch = touch;
    exchange(&t->begin_capacity, &t->old_begin_capacity);
    exchange(&t->capacity, &t->old_capacity);
}

/* Finds the pairs again from where everything is now. Without memory the old ones are kept. */
static void find_again(sn_world *world, const sn_moment *moment) {
    sn_touches *t = &world->touches;
    size_t nodes = world->nodes.slots.count, count = t->count;
    bool room = sn_reserve(&world->memory, (void **)&t->old_begin, &t->old_begin_capacity,
                           nodes + 2, sizeof *t->old_begin);
    if (room) {
        set_aside(t);
        room = find_pairs(world, (1 - moment->done) * moment->dt, moment->dt) &&
               sn_reserve(&world->memory, (void **)&t->contact, &t->contact_capacity,
                          t->count + world->colliders.contacts + 1, sizeof *t->contact);
        if (room) {
            sn_team_run(world->team, nodes, NODES_ALONE, keep_range, world);
        } else {
            set_aside(t);
            t->count = count;
        }
    }
    if (!room)
        sn_world_say(world, SN_LOG_WARNING,
                     "there is no memory to find contacts again; some may be missed in this step");
}

/* ---- A substep ---- */

typedef struct pass {
    sn_world *world;
    const sn_moment *moment;
    atomic_bool outrun;
} pass;

static void begin_range(void *context, size_t begin, size_t end) {
    pass *p = context;
    const sn_world *world = p->world;
    const sn_touches *t = &world->touches;
    for (size_t i = begin; i < end; i++) {
        if (!(world->nodes.w[i] > 0)) continue;
        sn_v4 x = load(&world->nodes.x[i]) + load(&world->nodes.d[i]);
        sn_v4 gone = x - load(&world->safe.x[i]);
        if (!(sn_v4_dot(gone, gone) <= t->reach[i] * t->reach[i]))
            atomic_store_explicit(&p->outrun, true, memory_order_relaxed);
        for (size_t k = t->begin[i]; k < t->begin[i + 1]; k++) {
            t->touch[k].push = 0;
            t->touch[k].slide = (sn_vec4){0, 0, 0, 0};
            t->touch[k].before = world->nodes.v[i];
        }
    }
}

void sn_touch_substep(sn_world *world, const sn_moment *moment) {
    if (!has_colliders(world)) return;
    for (size_t i = 0; i < world->colliders.slots.count; i++)
        if (world->colliders.slots.alive[i]) move_placing(world, i, moment);
    pass p = {.world = world, .moment = moment};
    sn_team_run(world->team, world->nodes.slots.count, NODES_ALONE, begin_range, &p);
    if (atomic_load_explicit(&p.outrun, memory_order_relaxed)) {
        find_again(world, moment);
        sn_team_run(world->team, world->nodes.slots.count, NODES_ALONE, begin_range, &p);
    }
}

/* The motion in this substep of the point of the surface that is at `local` of the collider. */
static sn_v4 surface_motion(const sn_placing *at, sn_v4 local) {
    return (load(&at->d) + sn_quat_rotate(load(&at->q), local)) -
           (load(&at->p) + sn_quat_rotate(load(&at->before), local));
}

/*
 * Where a node that ends outside has passed the shape: walks from where it began, in the frame of
 * the collider, by the distance that is left. Returns how deep the end is below the plane at which
 * it entered, or 0.
 */
static sn_real passed(const sn_world *world, const sn_touch *touch, size_t i, sn_v4 *normal,
                      sn_v4 *local) {
    const sn_nodes *n = &world->nodes;
    const sn_placing *at = &world->touches.placing[touch->collider];
    const sn_collider_def *def = &world->colliders.state[touch->collider].def;
    sn_shape_distance *distance = sn_shape_distance_of(def->shape);
    sn_v4 base = load(&n->x[i]) - load(&at->x);
    sn_v4 from = sn_quat_rotate_back(load(&at->before), base + (load(&n->p[i]) - load(&at->p)));
    sn_v4 to = sn_quat_rotate_back(load(&at->q), base + (load(&n->d[i]) - load(&at->d)));
    sn_v4 way = to - from, toward;
    sn_real length = SN_ROOT(sn_v4_dot(way, way)), gone = 0;
    for (int step = 0; step < MOST_WALK; step++) {
        sn_v4 here = from + way * (gone / length);
        sn_real left = distance(def, here, &toward) - n->radius[i];
        if (left <= SN_R(1e-4) * length || left <= 0) {
            sn_real deep = -sn_v4_dot(to - here, toward);
            if (!(deep > 0)) return 0;
            *normal = sn_quat_rotate(load(&at->q), toward);
            *local = here;
            return deep;
        }
        gone += left;
        if (!(gone < length)) return 0;
    }
    return 0;
}

/* How deep the node is, and out of it no faster than it may come. */
static sn_real depth_of(const sn_world *world, const sn_touch *touch, size_t i, double h,
                        sn_v4 *normal, sn_v4 *local) {
    const sn_nodes *n = &world->nodes;
    const sn_placing *at = &world->touches.placing[touch->collider];
    const sn_collider_def *def = &world->colliders.state[touch->collider].def;
    sn_v4 x = load(&n->x[i]), d = load(&n->d[i]);
    sn_real deep = n->radius[i] - distance_at(world, touch->collider, x, d, normal, local);
    if (!(deep > 0)) {
        sn_v4 motion = (d - load(&n->p[i])) - surface_motion(at, *local);
        bool fast = sn_v4_dot(motion, motion) > deep * deep;
        return fast ? passed(world, touch, i, normal, local) : 0;
    }
    /* How it was when the substep began, in the frame that the collider had then. */
    sn_v4 relative = (x - load(&at->x)) + (load(&n->p[i]) - load(&at->p)), side;
    sn_v4 then = sn_quat_rotate_back(load(&at->before), relative);
    sn_real old = n->radius[i] - sn_shape_distance_of(def->shape)(def, then, &side);
    /* The nearest way out is the wrong one where it has come in by another side. It was outside,
       but for rounding, if it was less deep than it has moved. */
    bool crossed = sn_v4_dot(sn_quat_rotate(load(&at->q), side), *normal) < SN_R(0.7);
    sn_v4 moved = *local - then;
    if (crossed && (old <= 0 || 16 * old * old < sn_v4_dot(moved, moved)))
        return passed(world, touch, i, normal, local);
    if (def->recovery_speed == SN_AUTO) return deep;
    sn_real most = def->recovery_speed * (sn_real)h;
    if (old > most) deep -= old - most;
    return deep > 0 ? deep : 0;
}

/* The friction of the whole substep, given all its push; what is new of it is applied. */
static sn_v4 friction_of(const sn_collider_def *def, const sn_touch *touch, sn_v4 motion,
                         sn_v4 normal) {
    sn_v4 slide = load(&touch->slide);
    sn_v4 across = motion - sn_v4_dot(motion, normal) * normal;
    sn_v4 wanted = slide - across;
    sn_real square = sn_v4_dot(wanted, wanted), still = def->static_friction * touch->push;
    if (square > still * still) wanted *= def->dynamic_friction * touch->push / SN_ROOT(square);
    return wanted;
}

static void solve(const sn_world *world, sn_touch *touch, size_t i, double h) {
    const sn_nodes *n = &world->nodes;
    const sn_placing *at = &world->touches.placing[touch->collider];
    const sn_collider_def *def = &world->colliders.state[touch->collider].def;
    sn_v4 normal, local, d = load(&n->d[i]);
    sn_real deep = depth_of(world, touch, i, h, &normal, &local);
    if (!(deep > 0) && !(touch->push > 0)) return;
    if (deep > 0) {
        touch->push += deep;
        d += deep * normal;
        store(&touch->normal, normal);
        touch->touched = true;
    } else {
        normal = load(&touch->normal);
    }
    sn_v4 motion = (d - load(&n->p[i])) - surface_motion(at, local);
    sn_v4 slide = friction_of(def, touch, motion, normal), more = slide - load(&touch->slide);
    d += more;
    store(&touch->slide, slide);
    d[3] = 0;
    store(&n->d[i], d);
    sn_real mass = 1 / (n->w[i] * (sn_real)h);
    store(&touch->impulse, load(&touch->impulse) + mass * (deep * normal + more));
    touch->pressure += mass * deep;
}

static void project_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_world *world = p->world;
    const sn_touches *t = &world->touches;
    for (size_t i = begin; i < end; i++) {
        if (!(world->nodes.w[i] > 0)) continue;
        for (size_t k = t->begin[i]; k < t->begin[i + 1]; k++)
            solve(world, &t->touch[k], i, p->moment->h);
    }
}

void sn_touch_project(sn_world *world, const sn_moment *moment) {
    if (world->touches.count == 0) return;
    pass p = {.world = world, .moment = moment};
    sn_team_run(world->team, world->nodes.slots.count, NODES_ALONE, project_range, &p);
}

/* ---- Bouncing ---- */

bool sn_touch_bounces(const sn_world *world) {
    for (size_t i = 0; i < world->colliders.slots.count; i++)
        if (world->colliders.slots.alive[i] && world->colliders.state[i].def.restitution > 0)
            return true;
    return false;
}

/* Slower than this is a contact that rests: what gravity gives in two substeps. */
static sn_real resting_speed(const sn_world *world, double h) {
    sn_vec3 g = world->settings.gravity;
    return (sn_real)(2 * h * sqrt((double)sn_vec3_dot(g, g)));
}

static bool is_finite(sn_v4 a) {
    return a[0] - a[0] == 0 && a[1] - a[1] == 0 && a[2] - a[2] == 0;
}

static void bounce_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_world *world = p->world;
    const sn_touches *t = &world->touches;
    sn_real rest = resting_speed(world, p->moment->h);
    for (size_t i = begin; i < end; i++) {
        for (size_t k = t->begin[i]; k < t->begin[i + 1]; k++) {
            sn_touch *touch = &t->touch[k];
            const sn_placing *at = &t->placing[touch->collider];
            sn_real e = world->colliders.state[touch->collider].def.restitution;
            if (!(touch->push > 0) || !(e > 0) || !(world->nodes.w[i] > 0)) continue;
            sn_v4 normal = load(&touch->normal), v = load(&world->nodes.v[i]);
            sn_v4 surface = (load(&at->d) - load(&at->p)) / (sn_real)p->moment->h;
            sn_real came = sn_v4_dot(load(&touch->before) - surface, normal);
            sn_real more = -e * came - sn_v4_dot(v - surface, normal);
            if (!(came < -rest) || !(more > 0)) continue;
            sn_v4 away = v + more * normal;
            if (!is_finite(away)) continue;
            store(&world->nodes.v[i], away);
            store(&touch->impulse, load(&touch->impulse) + (more / world->nodes.w[i]) * normal);
            touch->pressure += more / world->nodes.w[i];
        }
    }
}

void sn_touch_bounce(sn_world *world, const sn_moment *moment) {
    if (world->touches.count == 0) return;
    pass p = {.world = world, .moment = moment};
    sn_team_run(world->team, world->nodes.slots.count, NODES_ALONE, bounce_range, &p);
}

/* ---- The end of a step ---- */

static void end_collider(sn_world *world, size_t i, double dt) {
    sn_collider_state *c = &world->colliders.state[i];
    const sn_placing *at = &world->touches.placing[i];
    if (c->has_target) {
        c->def.position = c->target;
        c->def.orientation = c->target_orientation;
        c->def.velocity = c->def.angular_velocity = (sn_vec3){0, 0, 0};
        c->has_target = 0;
        return;
    }
    sn_v4 x = load(&at->x) + (sn_real)dt * sn_v4_of(c->def.velocity);
    /* Beyond all numbers it stands still. */
    if (is_finite(x))
        c->def.position = (sn_vec3){x[0], x[1], x[2]};
    else
        c->def.velocity = (sn_vec3){0, 0, 0};
    c->def.orientation = (sn_quat){at->q.x, at->q.y, at->q.z, at->q.w};
}

/* An impulse that is beyond all numbers is none. */
static sn_contact contact_of(const sn_world *world, size_t node, const sn_touch *touch) {
    const sn_slots *nodes = &world->nodes.slots, *colliders = &world->colliders.slots;
    sn_contact contact = {
        .node = {(uint32_t)node + 1, nodes->generation[node], world->tag},
        .collider = {touch->collider + 1, colliders->generation[touch->collider], world->tag},
        .normal = {touch->normal.x, touch->normal.y, touch->normal.z}};
    bool counts = is_finite(load(&touch->impulse)) && touch->pressure - touch->pressure == 0;
    if (counts) {
        contact.impulse = (sn_vec3){touch->impulse.x, touch->impulse.y, touch->impulse.z};
        contact.pressure = touch->pressure;
    }
    return contact;
}

/* The order of contacts. */
static int compare(const sn_contact *a, const sn_contact *b) {
    if (a->node.slot != b->node.slot) return a->node.slot < b->node.slot ? -1 : 1;
    if (a->collider.slot != b->collider.slot) return a->collider.slot < b->collider.slot ? -1 : 1;
    return 0;
}

static bool is_same(const sn_contact *a, const sn_contact *b) {
    return compare(a, b) == 0 && a->node.generation == b->node.generation &&
           a->collider.generation == b->collider.generation;
}

/* A contact of the step before that is no more, of what is still there. */
static size_t add_end(const sn_world *world, const sn_contact *old, size_t count) {
    bool there = sn_slots_has(&world->nodes.slots, SN_ID(old->node), world->tag) &&
                 sn_slots_has(&world->colliders.slots, SN_ID(old->collider), world->tag);
    if (old->phase == SN_CONTACT_END || !there) return count;
    sn_contact *end = &world->touches.contact[count];
    *end = (sn_contact){.node = old->node,
                        .collider = old->collider,
                        .phase = SN_CONTACT_END,
                        .normal = old->normal};
    return count + 1;
}

/* Both lists are in order, so that one pass over them tells what began, stayed and ended. */
static size_t merge_contacts(sn_world *world) {
    const sn_touches *t = &world->touches;
    const sn_contact *old = world->colliders.contact, *last = old + world->colliders.contacts;
    size_t count = 0;
    for (size_t i = 0; t->count > 0 && i < world->nodes.slots.count; i++)
        for (size_t k = t->begin[i]; k < t->begin[i + 1]; k++) {
            if (!t->touch[k].touched) continue;
            sn_contact contact = contact_of(world, i, &t->touch[k]);
            while (old < last && compare(old, &contact) < 0) count = add_end(world, old++, count);
            bool stays = old < last && is_same(old, &contact) && old->phase != SN_CONTACT_END;
            if (old < last && compare(old, &contact) == 0) old++;
            contact.phase = stays ? SN_CONTACT_STAY : SN_CONTACT_BEGIN;
            t->contact[count++] = contact;
        }
    while (old < last) count = add_end(world, old++, count);
    return count;
}

void sn_touch_end(sn_world *world, double dt) {
    sn_colliders *c = &world->colliders;
    sn_touches *t = &world->touches;
    if (!has_colliders(world)) {
        c->contacts = 0;
        return;
    }
    size_t count = merge_contacts(world);
    sn_contact *kept = c->contact;
    c->contact = t->contact;
    t->contact = kept;
    exchange(&c->contact_capacity, &t->contact_capacity);
    c->contacts = count;
    for (size_t i = 0; i < count; i++)
        world->stats.contacts += c->contact[i].phase != SN_CONTACT_END;
    for (size_t i = 0; i < c->slots.count; i++)
        if (c->slots.alive[i]) end_collider(world, i, dt);
}
