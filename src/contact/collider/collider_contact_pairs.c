/*
 * Which nodes and colliders may touch in a step, and who was faster than expected.
 */
#include "collision/broad_phase/collider_bvh.h"
#include "collision/collider_pose.h"
#include "contact/collider/collider_contact_solve.h"
#include "contact/contact_events.h"
#include "contact/recovery.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { KIND = SN_CONTACT_NODE_COLLIDER, NODES_ALONE = 1024, COLLIDERS_ALONE = 256 };

void sn_collider_contacts_free(sn_collider_contacts *contacts, sn_memory *memory) {
    sn_free(memory, contacts->begin, contacts->begin_capacity, sizeof *contacts->begin);
    sn_free(memory, contacts->reach, contacts->reach_capacity, sizeof *contacts->reach);
    sn_free(memory, contacts->few, contacts->few_capacity, sizeof *contacts->few);
    sn_free(memory, contacts->predicted, contacts->predicted_capacity, sizeof *contacts->predicted);
    sn_free(memory, contacts->search, contacts->capacity, sizeof *contacts->search);
    sn_free(memory, contacts->old_begin, contacts->old_begin_capacity, sizeof *contacts->old_begin);
    sn_free(memory, contacts->old, contacts->old_capacity, sizeof *contacts->old);
}

bool sn_collider_contact_is_needed(const sn_world *world) {
    return sn_colliders_of(world)->slots.live > 0;
}

typedef struct search {
    sn_world *world;
    double time, dt; /* s, what is left of the step, and all of it */
    double fall;     /* m, by gravity in that time */
    bool fill;       /* the second pass */
    bool all;        /* whether nobody was told to ignore anybody */
} search;

/* How far a node may go before it must be looked at again: generously. */
static sn_real reach_of(const search *s, size_t i) {
    const sn_nodes *n = &s->world->nodes;
    sn_v4 motion = sn_v4_load(&n->d[i]) - sn_v4_load(&n->p[i]), v = sn_v4_load(&n->v[i]);
    double speed = sqrt((double)sn_v4_dot(v, v));
    double step = sqrt((double)sn_v4_dot(motion, motion));
    return (sn_real)(1.5 * (speed * s->time + s->fall) + 2 * step + (double)n->radius[i] + 1e-3);
}

/* m: how far the node is from where it was when the step began. */
static sn_real gone_by(const sn_world *world, size_t i, const search *s) {
    if (s->time == s->dt) return 0;
    sn_v4 gone = (sn_v4_load(&world->nodes.x[i]) + sn_v4_load(&world->nodes.d[i])) -
                 sn_v4_load(&world->scratch.safe.x[i]);
    return SN_ROOT(sn_v4_dot(gone, gone));
}

/* m: how far a node is from a plane or a ball in the frame of the world, where most are: what
   sn_collider_pose_distance says, without a call. */
SN_INLINE sn_real distance_of(const sn_world *world, size_t c, sn_v4 x, sn_v4 d) {
    const sn_collider_pose *at = &sn_collider_poses(world)[c];
    sn_v4 between = sn_collider_pose_relative(at, x, d), normal, local;
    if (sn_collider_pose_is_easy(at, between)) {
        if (at->shape == SN_SHAPE_PLANE) return between[1];
        if (at->shape == SN_SHAPE_SPHERE) return SN_ROOT(sn_v4_dot(between, between)) - at->size.w;
    }
    return sn_collider_pose_distance(world, c, x, d, &normal, &local);
}

/* Whether a node that reaches so far may touch a collider; then what is known of the pair. */
static bool may_touch(const search *s, size_t i, size_t c, sn_real reach, sn_node_search *found) {
    const sn_world *world = s->world;
    const sn_nodes *n = &world->nodes;
    const sn_collider_def *def = &sn_colliders_of(world)->state[c].def;
    sn_v4 local, x = sn_v4_load(&n->x[i]), d = sn_v4_load(&n->d[i]);
    if (!sn_colliders_of(world)->slots.alive[c] || sn_colliders_of(world)->state[c].carrier ||
        !sn_collider_accepts(def, n->group[i]))
        return false;
    if (!s->all && !sn_world_may_collide(world, (sn_party){.body = n->body[i]},
                                         (sn_party){.collider = (uint32_t)c + 1}))
        return false;
    double limit = (double)reach + (double)n->radius[i] + sn_collider_poses(world)[c].most;
    if (!def->form) return !((double)distance_of(world, c, x, d) > limit);
    sn_real trust = sn_shape_trust(def);
    /* A little further than it matters, so that what is left out is known to be. */
    sn_near near = {.within = 1.001 * limit / (double)trust, .item = SN_BVH_NONE};
    sn_real far = sn_collider_pose_near(world, c, x, d, &near, &local);
    found->item = near.item;
    found->asked = (sn_vec4){local[0], local[1], local[2], trust * (far - n->radius[i])};
    found->time = (sn_real)near.time;
    return !((double)(trust * far) > limit);
}

/* What looking for the colliders of a node has found. */
typedef struct catch {
    const search *s;
    size_t node, found;
    sn_real reach;
}
catch;

/* Pairs of a node are in the order of the colliders, in whatever order they are found. */
static void add_pair(catch *k, uint32_t collider, const sn_node_search *found) {
    const sn_contacts *contacts = sn_contacts_of(k->s->world);
    size_t begin = contacts->collider.begin[k->node], at = k->found++;
    sn_contact_pair *pair = contacts->set[KIND].pair + begin;
    sn_node_search *known = contacts->collider.search + begin;
    for (; at > 0 && pair[at - 1].b > collider; at--) {
        pair[at].b = pair[at - 1].b;
        known[at] = known[at - 1];
    }
    pair[at].b = collider;
    known[at] = *found;
}

static bool look_at(void *user, uint32_t c) {
    catch *k = user;
    sn_node_search found = {0};
    if (!may_touch(k->s, k->node, c, k->reach, &found)) return true;
    if (k->s->fill) {
        add_pair(k, c, &found);
        return true;
    }
    if (k->found < SN_FEW)
        sn_collider_contacts_of(k->s->world)->few[k->node].collider[k->found] = c;
    k->found++;
    return true;
}

/* Of simple shapes nothing is known but that they may touch. */
static void take_few(catch *k, size_t count) {
    const sn_world *world = k->s->world;
    for (size_t j = 0; j < count; j++) {
        uint32_t c = sn_collider_contacts_of(world)->few[k->node].collider[j];
        if (sn_colliders_of(world)->state[c].def.form)
            look_at(k, c);
        else
            add_pair(k, c, &(sn_node_search){0});
    }
}

/* What the pairs of a node have in their rows, which are all zero, before anything happens. */
static void fill_rows(const sn_world *world, size_t i, size_t begin, size_t end) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    for (uint32_t k = (uint32_t)begin; k < end; k++) {
        uint32_t collider = set->pair[k].b;
        sn_real *row = sn_contact_rows(set, k);
        sn_contact_material material = sn_collider_contact_material(world, i, collider);
        set->pair[k].a = (uint32_t)i;
        set->pair[k].slot = k;
        *sn_contact_node_at(set, KIND, k, 0) = (int32_t)(i * SN_NODE_BYTES);
        *sn_row(row, SN_ROW_LIMIT) = world->nodes.radius[i];
        sn_contact_row_set_material(row, &material, sn_collider_poses(world)[collider].recovery);
    }
}

static void fill_node(const search *s, size_t i) {
    const sn_collider_contacts *t = sn_collider_contacts_of(s->world);
    size_t count = t->begin[i + 1] - t->begin[i];
    if (count == 0) return;
    catch k = {.s = s, .node = i, .reach = t->reach[i]};
    if (count <= SN_FEW)
        take_few(&k, count);
    else
        sn_collider_bvh_visit_standing(
            s->world, i, (double)k.reach + (double)s->world->nodes.radius[i], look_at, &k);
    fill_rows(s->world, i, t->begin[i], t->begin[i + 1]);
}

static void count_node(const search *s, size_t i) {
    sn_world *world = s->world;
    const sn_nodes *n = &world->nodes;
    sn_collider_contacts *t = sn_collider_contacts_of(world);
    catch k = {.s = s, .node = i};
    if (n->slots.alive[i] == 1 && n->w[i] > 0 && !sn_sleep_has(&world->sleep, n->body[i])) {
        k.reach = gone_by(world, i, s) + reach_of(s, i);
        t->reach[i] = k.reach;
        sn_collider_bvh_visit_standing(world, i, (double)k.reach + (double)n->radius[i], look_at,
                                       &k);
    }
    t->begin[i + 1] = k.found;
}

static void search_range(void *context, size_t begin, size_t end) {
    const search *s = context;
    for (size_t i = begin; i < end; i++) {
        if (s->fill)
            fill_node(s, i);
        else
            count_node(s, i);
    }
}

/* Room for so many pairs, of which nothing is known; false when there is no memory. */
static bool make_pairs(sn_world *world, size_t count) {
    sn_collider_contacts *t = sn_collider_contacts_of(world);
    sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    size_t blocks = (count + SN_CONTACT_BLOCK - 1) / SN_CONTACT_BLOCK;
    if (!sn_reserve(&world->memory, (void **)&t->search, &t->capacity, count + 1,
                    sizeof *t->search) ||
        !sn_reserve(&world->memory, (void **)&set->pair, &set->capacity, count + 1,
                    sizeof *set->pair) ||
        !sn_contact_set_reserve(set, &world->memory, KIND, blocks + 1))
        return false;
    set->count = count;
    set->blocks = blocks;
    sn_contact_set_clear(set, KIND, 0, blocks);
    return true;
}

/* How far colliders may go. */
static void reach_range(void *context, size_t begin, size_t end) {
    const search *s = context;
    const sn_world *world = s->world;
    for (size_t i = begin; i < end; i++)
        if (sn_colliders_of(world)->slots.alive[i])
            sn_collider_poses(world)[i].most =
                sn_collider_pose_displacement(world, i, s->time, s->dt);
}

/* Two passes: how many pairs each node has, and which. */
static bool find_pairs(sn_world *world, double time, double dt) {
    sn_collider_contacts *t = sn_collider_contacts_of(world);
    size_t nodes = world->nodes.slots.count;
    sn_vec3 g = world->settings.gravity;
    const sn_contact_materials *contact_materials = sn_contact_materials_of(world);
    search s = {.world = world,
                .time = time,
                .dt = dt,
                .all = contact_materials->bodies.count + contact_materials->colliders.count +
                           contact_materials->pairs ==
                       0,
                .fall = sqrt((double)sn_vec3_dot(g, g)) * time * time};
    sn_team_run(world->bindings.team, sn_colliders_of(world)->slots.count, COLLIDERS_ALONE,
                reach_range, &s);
    if (time == dt) sn_rigid_found_look_ahead(world, dt);
    if (!sn_collider_bvh_find(world)) return false;
    t->begin[0] = 0;
    sn_team_run(world->bindings.team, nodes, NODES_ALONE, search_range, &s);
    for (size_t i = 0; i < nodes; i++) t->begin[i + 1] += t->begin[i];
    if (!make_pairs(world, t->begin[nodes])) return false;
    s.fill = true;
    sn_team_run(world->bindings.team, nodes, NODES_ALONE, search_range, &s);
    return true;
}

static void begin_range(void *context, size_t begin, size_t end) {
    const search *s = context;
    for (size_t i = begin; i < end; i++) sn_collider_pose_begin(s->world, i, s->dt);
}

/* Pairs of what is carried: found, or those of the step before. */
static bool plan_rigid(sn_world *world, search *s) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const size_t colliders = sn_colliders_of(world)->slots.count;
    sn_team *team = world->bindings.team;
    sn_team_run(team, colliders, COLLIDERS_ALONE, begin_range, s);
    t->source = SN_RIGID_FRESH;
    if (sn_rigid_found_holds(world, s->dt))
        t->source = t->unwritten ? SN_RIGID_STAY : SN_RIGID_AGAIN;
    sn_rigid_memory_begin(world);
    if (t->source != SN_RIGID_AGAIN) return true;
    const bool found = sn_rigid_found_restore(world, s->dt);
    sn_team_run(team, colliders, COLLIDERS_ALONE, begin_range, s);
    if (found) sn_rigid_memory_recall(world);
    return found;
}

bool sn_collider_contact_plan(sn_world *world, double dt, double h) {
    (void)h;
    sn_collider_contacts *t = sn_collider_contacts_of(world);
    sn_contacts *contacts = sn_contacts_of(world);
    sn_memory *memory = &world->memory;
    size_t nodes = world->nodes.slots.count;
    if (!sn_collider_contact_is_needed(world)) {
        contacts->rigid.source = SN_RIGID_FRESH;
        sn_rigid_memory_begin(world);
        contacts->set[KIND].count = contacts->set[SN_CONTACT_RIGID].count = 0;
        return true;
    }
    if (!sn_collider_poses_reserve(world) ||
        !sn_reserve(memory, (void **)&t->begin, &t->begin_capacity, nodes + 2, sizeof *t->begin) ||
        !sn_reserve(memory, (void **)&t->reach, &t->reach_capacity, nodes + 1, sizeof *t->reach) ||
        !sn_reserve(memory, (void **)&t->few, &t->few_capacity, nodes + 1, sizeof *t->few) ||
        !sn_reserve(memory, (void **)&t->predicted, &t->predicted_capacity, nodes + 1,
                    sizeof *t->predicted))
        return false;
    search s = {.world = world, .dt = dt};
    contacts->set[KIND].count = 0;
    if (!plan_rigid(world, &s) || !find_pairs(world, dt, dt)) return false;
    return contacts->rigid.source != SN_RIGID_FRESH || sn_rigid_contact_find(world, dt, dt);
}

/* ---- Who was faster than expected ---- */

/* What has happened to the pairs of nodes in this step goes with them. */
static void carry_range(void *context, size_t begin, size_t end) {
    const sn_contacts *contacts = sn_contacts_of(context);
    const sn_collider_contacts *t = &contacts->collider;
    const sn_contact_set *set = &contacts->set[KIND], *old = &contacts->old[KIND];
    for (size_t i = begin; i < end; i++)
        for (size_t k = t->begin[i], was = t->old_begin[i]; k < t->begin[i + 1]; k++) {
            while (was < t->old_begin[i + 1] && old->pair[was].b < set->pair[k].b) was++;
            if (was == t->old_begin[i + 1] || old->pair[was].b != set->pair[k].b) continue;
            t->search[k] = t->old[was];
            sn_contact_carry(set, (uint32_t)k, old, (uint32_t)was);
        }
}

/* What is remembered of the pairs so far becomes the old ones. */
static void set_aside(sn_contacts *contacts) {
    sn_collider_contacts *t = &contacts->collider;
    SN_SWAP(sn_contact_set, contacts->set[KIND], contacts->old[KIND]);
    SN_SWAP(sn_node_search *, t->search, t->old);
    SN_SWAP(size_t, t->capacity, t->old_capacity);
    SN_SWAP(size_t *, t->begin, t->old_begin);
    SN_SWAP(size_t, t->begin_capacity, t->old_begin_capacity);
}

/* Finds the pairs again from where everything is now. Without memory the old ones are kept. */
static void find_again(sn_world *world, const sn_substep *substep) {
    sn_contacts *contacts = sn_contacts_of(world);
    sn_collider_contacts *t = &contacts->collider;
    size_t nodes = world->nodes.slots.count;
    bool room = sn_reserve(&world->memory, (void **)&t->old_begin, &t->old_begin_capacity,
                           nodes + 2, sizeof *t->old_begin);
    if (room) {
        double left = (1 - substep->done) * substep->dt;
        set_aside(contacts);
        sn_rigid_contact_set_aside(world);
        room = find_pairs(world, left, substep->dt) &&
               sn_rigid_contact_find(world, left, substep->dt) &&
               sn_contact_events_reserve(world, 0);
        if (room) {
            sn_team_run(world->bindings.team, nodes, NODES_ALONE, carry_range, world);
            sn_rigid_contact_carry_over(world);
        } else {
            set_aside(contacts);
            sn_rigid_contact_set_aside(world);
        }
    }
    if (!room)
        sn_world_say(world, SN_LOG_WARNING,
                     "there is no memory to find contacts again; some may be missed in this step");
}

/* ---- A substep ---- */

typedef struct pass {
    sn_world *world;
    atomic_bool outrun;
} pass;

static bool has_outrun(const sn_world *world, size_t i) {
    if (!(world->nodes.w[i] > 0)) return false;
    sn_v4 x = sn_v4_load(&world->nodes.x[i]) + sn_v4_load(&world->nodes.d[i]);
    sn_v4 gone = x - sn_v4_load(&world->scratch.safe.x[i]);
    sn_real reach = sn_collider_contacts_of(world)->reach[i];
    return !(sn_v4_dot(gone, gone) <= reach * reach);
}

/* Lanes say quickly that nobody has, but for a few at the end. */
static void look_range(void *context, size_t begin, size_t end) {
    pass *p = context;
    const sn_world *world = p->world;
    if (world->sleep.count == 0)
        begin =
            sn_collider_contact_kernels_of(sn_lanes_most(world))->until_outrun(world, begin, end);
    for (size_t i = sn_sleep_pass(&world->sleep, begin); i < end;
         i = sn_sleep_pass(&world->sleep, i + 1))
        if (has_outrun(world, i)) atomic_store_explicit(&p->outrun, true, memory_order_relaxed);
}

static void note_predicted(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    memcpy(sn_collider_contacts_of(world)->predicted + begin, world->nodes.d + begin,
           (end - begin) * sizeof *world->nodes.d);
}

void sn_collider_contact_detect(sn_world *world, const sn_substep *substep) {
    if (!sn_collider_contact_is_needed(world)) return;
    pass p = {.world = world};
    sn_team_run(world->bindings.team, world->nodes.slots.count, NODES_ALONE, look_range, &p);
    bool outrun = atomic_load_explicit(&p.outrun, memory_order_relaxed);
    sn_rigid_contact_follow(world);
    if (outrun || sn_rigid_contact_has_outrun(world)) find_again(world, substep);
    sn_rigid_contact_begin(world, substep);
    if (sn_contacts_of(world)->recovered)
        sn_team_run(world->bindings.team, world->nodes.slots.count, NODES_ALONE, note_predicted,
                    world);
}
