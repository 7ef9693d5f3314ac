/*
 * The pass over the nodes that all integrators make: who has which gravity and damping, and
 * threads.
 */
#include "step/integrators/integrator.h"

#include "step/offload.h"

enum { NODES_ALONE = 4096 };

#define INTEGRATOR_OBJECT(lower, upper) extern const sn_integrator_type sn_integrator_##lower;
SN_INTEGRATORS(INTEGRATOR_OBJECT)

#define INTEGRATOR_ENTRY(lower, upper) [SN_INTEGRATOR_##upper] = &sn_integrator_##lower,
static const sn_integrator_type *const list[] = {SN_INTEGRATORS(INTEGRATOR_ENTRY)};

const sn_integrator_type *sn_integrator_of(const sn_settings *settings) {
    return list[settings->integrator];
}

/* What gravity adds in a substep of any length, kept finite: kinematic nodes have none of it, which
   nothing times infinity would not be. */
static sn_real bounded(double motion) {
    const double most = (double)SN_REAL_MAX;
    return (sn_real)(motion > most ? most : motion < -most ? -most : motion);
}

sn_integration sn_integration_of(const sn_step *step, uint32_t body) {
    const sn_world *world = step->world;
    const sn_settings *settings = &world->settings;
    sn_vec3 g = sn_world_gravity(world, body);
    double damping = (double)settings->damping, h = step->h;
    if (body) damping += (double)world->bodies.def[body - 1].damping;
    sn_integration l = {.h = (sn_real)h, .h2 = (sn_real)(h * h), .limit = settings->speed_limit};
    l.acceleration = step->pushed ? world->scratch.acceleration : NULL;
    l.gravity_h2 = (sn_v4){bounded((double)g.x * h * h), bounded((double)g.y * h * h),
                           bounded((double)g.z * h * h), 0};
    l.lose = (sn_real)(damping * h < 1 ? damping * h : 1);
    if (l.limit != SN_AUTO) l.limit *= l.h;
    l.special = l.lose != 0 || l.limit != SN_AUTO || l.acceleration;
    return l;
}

static void run_segment(const sn_node_pass *p, size_t begin, size_t end, uint32_t body) {
    sn_integration l = sn_integration_of(p->step, body);
    sn_v4 sum =
        p->step->integrator->integrate(p->step->world, begin, end, body, &l, p->update, p->predict);
    sn_freeze_watch(p->step, *(sn_vec4 *)&sum);
}

static void run_range(void *context, size_t begin, size_t end) {
    const sn_node_pass *p = context;
    const sn_world *world = p->step->world;
    /* The first segment that ends after `begin`, by halving: there may be a million bodies. */
    size_t low = 0, high = world->scratch.segments;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (world->scratch.segment[middle].end <= begin)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < world->scratch.segments && world->scratch.segment[i].begin < end;
         i++) {
        const sn_segment *s = &world->scratch.segment[i];
        if (sn_sleep_has(&world->sleep, s->body)) continue;
        run_segment(p, s->begin > begin ? s->begin : begin, s->end < end ? s->end : end, s->body);
    }
}

/* By the backend, which has the nodes. */
static void run_elsewhere(const sn_node_pass *p) {
    const sn_world *world = p->step->world;
    sn_backend *backend = p->step->backend;
    for (size_t i = 0; i < world->scratch.segments; i++) {
        const sn_segment *s = &world->scratch.segment[i];
        sn_integration how = sn_integration_of(p->step, s->body);
        if (!backend->integrate(backend, s, &how, p->update, p->predict))
            atomic_store_explicit(&p->step->spoiled, true, memory_order_relaxed);
    }
}

static void run(sn_step *step, bool update, bool predict) {
    sn_node_pass p = {step, update, predict};
    sn_world *world = step->world;
    if (step->resident) {
        run_elsewhere(&p);
        return;
    }
    sn_offload_fetch(step, SN_STATE_POSITIONS | SN_STATE_VELOCITIES);
    sn_tracks_run(&world->scratch.tracks, world->bindings.team, world->nodes.slots.count,
                  NODES_ALONE, run_range, &p);
}

sn_flow_stage sn_node_pass_stage(sn_node_pass *pass) {
    return (sn_flow_stage){run_range, pass, pass->step->world->nodes.slots.count, NULL};
}

void sn_predict(sn_step *step) {
    run(step, false, true);
}

void sn_update(sn_step *step) {
    run(step, true, false);
}

void sn_update_and_predict(sn_step *step) {
    run(step, true, true);
}
