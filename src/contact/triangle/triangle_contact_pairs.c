/*
 * Which triangles and colliders may touch in a step, and which were faster than expected. Triangles
 * are counted collision surface by collision surface; those whose nodes all stand still for
 * contacts have no pairs.
 */
#include "collision/broad_phase/collider_bvh.h"
#include "collision/collider_pose.h"
#include "collision/narrow_phase/deepest_point.h"
#include "contact/contact_events.h"
#include "contact/contacts.h"
#include "contact/recovery.h"
#include "contact/triangle/triangle_contact.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { KIND = SN_CONTACT_TRIANGLE_COLLIDER, TRIANGLES_ALONE = 256, WORK = 64 };
/* Distances that a step may ask for at least, and for each triangle in a substep. */
enum { FEW = 1 << 22, EACH = 8 };

void sn_triangle_contacts_free(sn_triangle_contacts *contacts, sn_memory *memory) {
    sn_free(memory, contacts->node, contacts->node_capacity, sizeof *contacts->node);
    sn_free(memory, contacts->begin, contacts->begin_capacity, sizeof *contacts->begin);
    sn_free(memory, contacts->reach, contacts->reach_capacity, sizeof *contacts->reach);
    sn_free(memory, contacts->search, contacts->search_capacity, sizeof *contacts->search);
    sn_free(memory, contacts->old, contacts->old_capacity, sizeof *contacts->old);
    sn_free(memory, contacts->old_begin, contacts->old_begin_capacity, sizeof *contacts->old_begin);
    sn_free(memory, contacts->found, contacts->found_capacity, sizeof *contacts->found);
    sn_free(memory, contacts->order, contacts->order_capacity, sizeof *contacts->order);
    sn_free(memory, contacts->carrier, contacts->carrier_capacity, sizeof *contacts->carrier);
    sn_contact_partition_free(&contacts->partition, memory);
}

static bool has_triangle_contact(const sn_world *world, size_t surface) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    const sn_collision_surface_def *def = &surfaces->state[surface].def;
    return surfaces->slots.alive[surface] && def->triangle_contact &&
           def->detail == SN_DETAIL_SURFACE;
}

/* Triangles, and then segments, which are triangles that have their second node twice. */
static size_t elements_of(const sn_collision_surface_state *surface) {
    return surface->def.triangle_count + (surface->edges - surface->inner);
}

static void nodes_of(const sn_collision_surface_state *surface, size_t element, uint32_t node[3]) {
    const size_t triangles = surface->def.triangle_count;
    const bool line = element >= triangles;
    const uint32_t *from = line ? surface->edge + 2 * (surface->inner + element - triangles)
                                : surface->triangle + 3 * element;
    for (int k = 0; k < 3; k++) node[k] = from[line && k == 2 ? 1 : k];
}

bool sn_triangle_contact_is_needed(const sn_world *world) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    for (size_t i = 0; sn_collider_contact_is_needed(world) && i < surfaces->slots.count; i++)
        if (has_triangle_contact(world, i) && elements_of(&surfaces->state[i]) > 0) return true;
    return false;
}

/* Lists them, collision surface by collision surface; false when there is no memory. */
static bool list_triangles(sn_world *world, sn_triangle_contacts *t) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    size_t count = 0;
    for (size_t i = 0; i < surfaces->slots.count; i++)
        if (has_triangle_contact(world, i)) count += elements_of(&surfaces->state[i]);
    if (!sn_reserve(&world->memory, (void **)&t->node, &t->node_capacity, 3 * count + 1,
                    sizeof *t->node))
        return false;
    t->triangles = 0;
    for (size_t i = 0; i < surfaces->slots.count; i++)
        for (size_t k = 0; has_triangle_contact(world, i) && k < elements_of(&surfaces->state[i]);
             k++)
            nodes_of(&surfaces->state[i], k, t->node + 3 * t->triangles++);
    return true;
}

static bool list_carriers(sn_world *world, sn_triangle_contacts *t) {
    const sn_colliders *colliders = sn_colliders_of(world);
    if (!sn_reserve(&world->memory, (void **)&t->carrier, &t->carrier_capacity,
                    colliders->slots.count + 1, sizeof *t->carrier))
        return false;
    for (size_t i = 0; i < colliders->slots.count; i++)
        t->carrier[i] = colliders->slots.alive[i] ? colliders->state[i].carrier : 0;
    return true;
}

typedef struct search {
    sn_world *world;
    double time, dt;     /* s, what is left of the step, and all of it */
    double fall;         /* m, by gravity in that time */
    bool fill;           /* the second pass */
    atomic_size_t asked; /* distances */
} search;

/* ---- One triangle ---- */

/* What looking for the colliders of a triangle has found. */
typedef struct catch {
    const search *s;
    const uint32_t *node;
    size_t triangle, found, asked;
    sn_real reach, radius;
    sn_v4 middle; /* m, of the triangle */
    double far;   /* m, from there to the corners */
}
catch;

/* m: how far a node is from where it was when the step began, and may still go: generously. */
static sn_real reach_of(const search *s, size_t i) {
    const sn_nodes *n = &s->world->nodes;
    sn_v4 motion = sn_v4_load(&n->d[i]) - sn_v4_load(&n->p[i]), v = sn_v4_load(&n->v[i]);
    double speed = sqrt((double)sn_v4_dot(v, v));
    double step = sqrt((double)sn_v4_dot(motion, motion)), gone = 0;
    if (s->time != s->dt) {
        sn_v4 displacement = (sn_v4_load(&n->x[i]) + sn_v4_load(&n->d[i])) -
                             sn_v4_load(&s->world->scratch.safe.x[i]);
        gone = sqrt((double)sn_v4_dot(displacement, displacement));
    }
    return (sn_real)(gone + 1.5 * (speed * s->time + s->fall) + 2 * step + (double)n->radius[i] +
                     1e-3);
}

static sn_v4 place_of(const sn_world *world, uint32_t i) {
    return sn_v4_load(&world->nodes.x[i]) + sn_v4_load(&world->nodes.d[i]);
}

/* False where nothing of it can be moved. */
static bool describe(const search *s, catch *k) {
    const sn_world *world = s->world;
    const sn_real *w = sn_world_contact_w(world);
    sn_real movable = 0, most = 0;
    for (int c = 0; c < 3; c++) {
        uint32_t i = k->node[c];
        sn_real reach = reach_of(s, i), radius = world->nodes.radius[i];
        movable += w[i];
        k->reach = reach > k->reach ? reach : k->reach;
        k->radius = radius > k->radius ? radius : k->radius;
    }
    sn_v4 first = place_of(world, k->node[0]);
    sn_v4 sum = (place_of(world, k->node[1]) - first) + (place_of(world, k->node[2]) - first);
    k->middle = first + SN_R(1.0) / 3 * sum;
    for (int c = 0; c < 3; c++) {
        sn_v4 to = place_of(world, k->node[c]) - k->middle;
        sn_real square = sn_v4_dot(to, to);
        most = square > most ? square : most;
    }
    k->far = sqrt((double)most);
    return movable > 0;
}

static bool is_allowed(const sn_world *world, const uint32_t *node, size_t c) {
    const sn_colliders *colliders = sn_colliders_of(world);
    const sn_collider_def *def = &colliders->state[c].def;
    if (!colliders->slots.alive[c] || !sn_triangle_contact_accepts(def)) return false;
    for (int k = 0; k < 3; k++)
        if (colliders->state[c].carrier == node[k] + 1 ||
            !sn_collider_accepts(def, world->nodes.group[node[k]]) ||
            !sn_world_may_collide(world, (sn_party){.body = world->nodes.body[node[k]]},
                                  (sn_party){.collider = (uint32_t)c + 1}))
            return false;
    return true;
}

/* A corner in the frame of a collider, where both are now. */
static sn_v4 corner_of(const sn_world *world, size_t c, uint32_t i) {
    const sn_collider_pose *at = &sn_collider_poses(world)[c];
    const sn_nodes *n = &world->nodes;
    return sn_collider_pose_into(
        at, &at->q, sn_collider_pose_relative(at, sn_v4_load(&n->x[i]), sn_v4_load(&n->d[i])));
}

/* Whether the triangle may touch a collider: first by its middle, then by its deepest point. */
static bool may_touch(catch *k, size_t c, sn_triangle_search *found) {
    const sn_world *world = k->s->world;
    if (!is_allowed(world, k->node, c)) return false;
    const sn_collider_def *def = &sn_colliders_of(world)->state[c].def;
    double limit = (double)k->reach + (double)k->radius + sn_collider_poses(world)[c].most;
    sn_v4 corner[3], normal;
    for (int i = 0; i < 3; i++) corner[i] = corner_of(world, c, k->node[i]);
    sn_v4 middle = corner[0] + SN_R(1.0) / 3 * ((corner[1] - corner[0]) + (corner[2] - corner[0]));
    double trust = (double)sn_shape_trust(def);
    sn_near near = {.time = sn_collider_poses(world)[c].will,
                    .within = 1.001 * (limit + k->far) / trust,
                    .item = SN_BVH_NONE};
    sn_real far = def->form ? sn_shape_near_of(def->shape)(def, middle, &near, &normal)
                            : sn_shape_distance_at(def, middle, &normal);
    if ((double)far * trust > limit + k->far) return false;
    *found = (sn_triangle_search){.collider = (uint32_t)c, .left = SN_INFINITY, .clear = -1};
    sn_deepest_shape shape =
        sn_deepest_shape_of(def, near.time, near.item, k->node[1] == k->node[2]);
    sn_deepest d = {.weight = {SN_R(1.0) / 3, SN_R(1.0) / 3, SN_R(1.0) / 3}};
    sn_deepest_point(&shape, corner, (sn_real)(limit / trust), &d);
    k->asked += shape.asked;
    if ((double)d.least * trust > limit) return false;
    for (int i = 0; i < 3; i++) found->weight[i] = d.weight[i];
    found->item = shape.item;
    return true;
}

/* Pairs of a triangle are in the order of the colliders, in whatever order they are found. */
static bool look_at(void *user, uint32_t c) {
    catch *k = user;
    sn_triangle_search found;
    if (!may_touch(k, c, &found)) return true;
    if (k->s->fill) {
        const sn_triangle_contacts *t = sn_triangle_contacts_of(k->s->world);
        sn_triangle_search *first = t->found + t->begin[k->triangle];
        size_t at = k->found;
        for (; at > 0 && first[at - 1].collider > c; at--) first[at] = first[at - 1];
        first[at] = found;
    }
    k->found++;
    return true;
}

static void search_range(void *context, size_t begin, size_t end) {
    search *s = context;
    size_t asked = 0;
    sn_triangle_contacts *f = sn_triangle_contacts_of(s->world);
    for (size_t t = begin; t < end; t++) {
        catch k = {.s = s, .node = f->node + 3 * t, .triangle = t};
        bool any = !s->fill || f->begin[t + 1] > f->begin[t];
        if (any && describe(s, &k))
            sn_collider_bvh_visit_at(s->world, k.middle, (double)k.reach + (double)k.radius + k.far,
                                     look_at, &k);
        asked += k.asked;
        if (s->fill) continue;
        f->begin[t + 1] = k.found;
        f->reach[t] = k.reach;
    }
    atomic_fetch_add_explicit(&s->asked, asked, memory_order_relaxed);
}

/* ---- Slots and rows ---- */

/* m: how large the triangles of pairs are, in the mean. */
static double size_of(const sn_world *world, const sn_triangle_contacts *t,
                      const sn_contact_set *set) {
    double sum = 0;
    for (size_t k = 0; k < set->count; k++) {
        const uint32_t *node = t->node + 3 * (size_t)set->pair[k].a;
        sn_v4 edge = place_of(world, node[1]) - place_of(world, node[0]);
        sum += sqrt((double)sn_v4_dot(edge, edge));
    }
    return sum / (double)(set->count + 1);
}

/* Gives the pairs their slots; false when there is no memory. */
static bool pack(sn_world *world, sn_triangle_contacts *t, sn_contact_set *set) {
    const sn_contact_part part = {
        .set = set, .features = {t->node, t->node}, .kind = KIND, .carrier = t->carrier};
    const sn_contact_space space = {.x = world->nodes.x,
                                    .nodes = world->nodes.slots.count,
                                    .size = size_of(world, t, set),
                                    .work = WORK};
    if (sn_contact_partition_place(world, &t->partition, &part, &space) &&
        sn_reserve(&world->memory, (void **)&t->search, &t->search_capacity,
                   (set->blocks + 1) * SN_CONTACT_BLOCK, sizeof *t->search) &&
        sn_reserve(&world->memory, (void **)&t->order, &t->order_capacity, set->count + 1,
                   sizeof *t->order)) {
        t->listed = set->count;
        return true;
    }
    set->rounds = set->blocks = 0;
    return false;
}

static void fill_rows(const sn_world *world, const sn_triangle_contacts *t,
                      const sn_contact_set *set) {
    sn_contact_set_clear(set, KIND, 0, set->blocks);
    for (size_t k = 0; k < set->count; k++) {
        const uint32_t *node = t->node + 3 * (size_t)set->pair[k].a, slot = set->pair[k].slot;
        sn_real *row = sn_contact_rows(set, slot), radius = 0;
        sn_contact_material material = sn_collider_contact_material(world, node[0], set->pair[k].b);
        for (int i = 0; i < 3; i++) {
            sn_real own = world->nodes.radius[node[i]];
            *sn_contact_node_at(set, KIND, slot, i) = (int32_t)(node[i] * SN_NODE_BYTES);
            radius = own > radius ? own : radius;
        }
        *sn_row(row, SN_ROW_LIMIT) = radius;
        *sn_row(row, SN_ROW_START) = -1; /* not known yet */
        sn_contact_row_set_material(row, &material,
                                    sn_collider_poses(world)[set->pair[k].b].recovery);
        t->search[slot] = t->found[k];
    }
}

/* ---- All of them ---- */

/* Two passes: how many pairs each triangle has, and which. */
static bool find_pairs(sn_world *world, double time, double dt) {
    sn_triangle_contacts *t = sn_triangle_contacts_of(world);
    sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    sn_memory *memory = &world->memory;
    sn_vec3 g = world->settings.gravity;
    search s = {.world = world,
                .time = time,
                .dt = dt,
                .fall = sqrt((double)sn_vec3_dot(g, g)) * time * time};
    if (!list_triangles(world, t) || !list_carriers(world, t) ||
        !sn_reserve(memory, (void **)&t->begin, &t->begin_capacity, t->triangles + 2,
                    sizeof *t->begin) ||
        !sn_reserve(memory, (void **)&t->reach, &t->reach_capacity, t->triangles + 1,
                    sizeof *t->reach))
        return false;
    t->begin[0] = 0;
    sn_team_run(world->bindings.team, t->triangles, TRIANGLES_ALONE, search_range, &s);
    for (size_t i = 0; i < t->triangles; i++) t->begin[i + 1] += t->begin[i];
    set->count = t->begin[t->triangles];
    if (!sn_reserve(memory, (void **)&t->found, &t->found_capacity, set->count + 1,
                    sizeof *t->found) ||
        !sn_reserve(memory, (void **)&set->pair, &set->capacity, set->count + 1, sizeof *set->pair))
        return false;
    s.fill = true;
    sn_team_run(world->bindings.team, t->triangles, TRIANGLES_ALONE, search_range, &s);
    t->asked += (double)atomic_load_explicit(&s.asked, memory_order_relaxed);
    for (size_t i = 0; i < t->triangles; i++)
        for (size_t k = t->begin[i]; k < t->begin[i + 1]; k++)
            set->pair[k] = (sn_contact_pair){.a = (uint32_t)i, .b = t->found[k].collider};
    if (!pack(world, t, set)) return false;
    t->searches = sn_rigid_contacts_of(world)->searches;
    fill_rows(world, t, set);
    return true;
}

bool sn_triangle_contact_plan(sn_world *world, double dt, double h) {
    (void)h;
    sn_triangle_contacts *t = sn_triangle_contacts_of(world);
    t->asked = 0;
    t->given_up = false;
    sn_contacts_of(world)->set[KIND].count = t->listed = t->triangles = 0;
    return !sn_triangle_contact_is_needed(world) || find_pairs(world, dt, dt);
}

/* ---- Who was faster than expected ---- */

/* What has happened to a pair in this step goes with it. */
static void carry(const sn_contacts *contacts) {
    const sn_triangle_contacts *t = &contacts->triangle;
    const sn_contact_set *set = &contacts->set[KIND], *old = &contacts->old[KIND];
    for (size_t i = 0; i < t->triangles; i++)
        for (size_t k = t->begin[i], was = t->old_begin[i]; k < t->begin[i + 1]; k++) {
            while (was < t->old_begin[i + 1] && old->pair[was].b < set->pair[k].b) was++;
            if (was == t->old_begin[i + 1] || old->pair[was].b != set->pair[k].b) continue;
            uint32_t from = old->pair[was].slot, to = set->pair[k].slot;
            t->search[to] = t->old[from];
            sn_contact_carry(set, to, old, from);
            /* Else what began inside would be pushed out at once, and keep that as speed. */
            *sn_row(sn_contact_rows(set, to), SN_ROW_START) =
                *sn_row(sn_contact_rows(old, from), SN_ROW_START);
        }
}

static void set_aside(sn_contacts *contacts) {
    sn_triangle_contacts *t = &contacts->triangle;
    SN_SWAP(sn_contact_set, contacts->set[KIND], contacts->old[KIND]);
    SN_SWAP(sn_triangle_search *, t->search, t->old);
    SN_SWAP(size_t, t->search_capacity, t->old_capacity);
    SN_SWAP(size_t *, t->begin, t->old_begin);
    SN_SWAP(size_t, t->begin_capacity, t->old_begin_capacity);
}

/* Finds the pairs again from where everything is now. Without memory the old ones are kept. */
static void find_again(sn_world *world, const sn_substep *substep) {
    sn_contacts *contacts = sn_contacts_of(world);
    set_aside(contacts);
    if (find_pairs(world, (1 - substep->done) * substep->dt, substep->dt) &&
        sn_contact_events_reserve(world, 0)) {
        carry(contacts);
        return;
    }
    set_aside(contacts);
    contacts->triangle.listed = contacts->set[KIND].count;
    sn_world_say(world, SN_LOG_WARNING,
                 "there is no memory to find contacts of triangles again; some may be missed in "
                 "this step");
}

/* A triangle that lies on a shape asks for about one distance in a substep, and for two or three
   where both move; one that goes through a collider as large as itself, and back since others push
   it, for thousands. */
bool sn_triangle_contact_may_ask(sn_world *world, const sn_substep *substep) {
    sn_triangle_contacts *t = sn_triangle_contacts_of(world);
    const double each = EACH * (double)t->triangles * (substep->dt / substep->h);
    const double most = each > FEW ? each : FEW;
    if (t->given_up || t->asked <= most) return !t->given_up;
    t->given_up = true;
    sn_world_say(world, SN_LOG_WARNING,
                 "triangles and colliders may miss each other in a part of the step, where more "
                 "than %.0f distances had to be asked for, expected at most so many; speeds or "
                 "forces are too large for things of their size",
                 most);
    return false;
}

typedef struct pass {
    sn_world *world;
    bool bounces;
    atomic_bool outrun;
} pass;

static void watch_range(void *context, size_t begin, size_t end) {
    pass *p = context;
    const sn_world *world = p->world;
    const sn_triangle_contacts *t = sn_triangle_contacts_of(world);
    for (size_t i = begin; i < end; i++)
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            uint32_t node = t->node[k];
            sn_v4 gone = place_of(world, node) - sn_v4_load(&world->scratch.safe.x[node]);
            if (!(sn_v4_dot(gone, gone) <= t->reach[i] * t->reach[i]))
                atomic_store_explicit(&p->outrun, true, memory_order_relaxed);
        }
}

/* m: how far the fastest corner goes of its own in the substep, as seen from the collider. */
static sn_real inertia_of(const sn_world *world, const sn_triangle_contact *c) {
    const sn_collider_pose *at = &sn_collider_poses(world)[c->search->collider];
    sn_real most = 0;
    for (int k = 0; k < 3; k++) {
        sn_v4 motion = sn_contact_motion(world, c->node[k], at);
        sn_real square = sn_v4_dot(motion, motion);
        most = square > most ? square : most;
    }
    return SN_ROOT(most);
}

/* m/s: how what carries the collider moves where the triangle is. */
static sn_v4 velocity_of_carrier(const sn_world *world, const sn_triangle_contact *c) {
    const sn_nodes *n = &world->nodes;
    const uint32_t i = c->carrier - 1, frame = n->frame[i] - 1;
    sn_v4 arm = {0};
    for (int k = 0; k < 3; k++)
        arm += c->search->weight[k] * (place_of(world, c->node[k]) - place_of(world, i));
    sn_v4 omega = sn_v4_load(&world->frames.omega[frame]);
    return sn_v4_load(&n->v[i]) +
           sn_v4_cross(sn_quat_rotate(sn_v4_load(&world->frames.q[frame]), omega), arm);
}

static void begin_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_contact_set *set = &sn_contacts_of(p->world)->set[KIND];
    bool recovered = sn_contacts_of(p->world)->recovered;
    for (size_t i = begin; i < end; i++) {
        sn_triangle_contact c = sn_triangle_contact_at(p->world, set->pair[i].slot);
        *sn_row(c.row, SN_ROW_PUSH) = 0;
        *sn_row(c.row, SN_ROW_START) = -1; /* not known yet */
        c.search->side_before = c.search->side;
        sn_v4_store(&c.search->side, sn_row_vector(c.row, SN_ROW_NORMAL));
        if (recovered) c.search->inertia = inertia_of(p->world, &c);
        for (int k = 0; k < 3 && p->bounces; k++)
            c.search->before[k] = p->world->nodes.v[c.node[k]];
        if (p->bounces && c.carrier) sn_v4_store(&c.search->had, velocity_of_carrier(p->world, &c));
    }
}

void sn_triangle_contact_keep_up(sn_world *world, const sn_substep *substep) {
    size_t triangles = sn_triangle_contacts_of(world)->triangles;
    pass p = {.world = world};
    sn_team_run(world->bindings.team, triangles, TRIANGLES_ALONE, watch_range, &p);
    /* What is carried has gone further than was expected where its pairs were found again. */
    bool again = sn_rigid_contacts_of(world)->searches != sn_triangle_contacts_of(world)->searches;
    if ((again || atomic_load_explicit(&p.outrun, memory_order_relaxed)) &&
        sn_triangle_contact_may_ask(world, substep))
        find_again(world, substep);
}

void sn_triangle_contact_detect(sn_world *world, const sn_substep *substep) {
    if (sn_triangle_contacts_of(world)->triangles == 0) return;
    pass p = {.world = world, .bounces = sn_collider_contact_bounces(world)};
    sn_triangle_contact_keep_up(world, substep);
    sn_team_run(world->bindings.team, sn_contacts_of(world)->set[KIND].count, TRIANGLES_ALONE,
                begin_range, &p);
}

/* ---- Sleepers ---- */

bool sn_triangle_contact_comes_near(const sn_world *world, size_t begin, size_t end,
                                    size_t collider, double reach) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    const sn_collider_def *def = &sn_colliders_of(world)->state[collider].def;
    for (size_t s = 0; s < surfaces->slots.count; s++) {
        const sn_collision_surface_state *surface = &surfaces->state[s];
        for (size_t t = 0; has_triangle_contact(world, s) && t < elements_of(surface); t++) {
            uint32_t node[3];
            nodes_of(surface, t, node);
            sn_v4 corner[3];
            sn_real radius = 0;
            bool mine = false;
            for (int k = 0; k < 3; k++) mine |= node[k] >= begin && node[k] < end;
            if (!mine || !is_allowed(world, node, collider)) continue;
            for (int k = 0; k < 3; k++) {
                sn_real own = world->nodes.radius[node[k]];
                radius = own > radius ? own : radius;
                corner[k] = corner_of(world, collider, node[k]);
            }
            sn_real limit = (sn_real)((reach + (double)radius) / (double)sn_shape_trust(def));
            sn_deepest_shape shape = sn_deepest_shape_of(def, 0, SN_BVH_NONE, node[1] == node[2]);
            sn_deepest d = {.weight = {SN_R(1.0) / 3, SN_R(1.0) / 3, SN_R(1.0) / 3}};
            sn_deepest_point(&shape, corner, limit, &d);
            if (!(d.least > limit)) return true;
        }
    }
    return false;
}
