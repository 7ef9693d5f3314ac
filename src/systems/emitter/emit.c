/*
 * What emitters do when a step is over. Their clocks go on with the step; each layer that was due
 * meanwhile appears as far from the nozzle as its speed has taken it since, so that neither rate
 * nor spacing depends on how long steps are.
 */
#include "collision/collider_pose.h"
#include "contact/surface/surface_contact.h"
#include "math/quaternion.h"
#include "systems/emitter/emitters.h"
#include "systems/fluid/fluids.h"

#include <math.h>

/* ---- Places ---- */

/* How many of them along an axis have room in so much, at least one. */
static size_t places_along(double half, double spacing) {
    double n = floor(2 * half / spacing + 1e-6);
    return n < 1 ? 1 : n < 1e6 ? (size_t)n : 1000000;
}

typedef struct lattice {
    size_t wide[3];
    double spacing;
    double round;          /* m, from the middle; 0: all of them count */
    bool flat;             /* a disc rather than a ball */
    const sn_vec3 *points; /* of a mesh, in the place of all this */
    size_t point_count;
} lattice;

static lattice lattice_of(const sn_emitter_def *def, double spacing) {
    const bool round = def->shape == SN_EMITTER_DISC || def->shape == SN_EMITTER_SPHERE;
    const bool flat = def->shape == SN_EMITTER_DISC || def->shape == SN_EMITTER_RECTANGLE;
    double half[3] = {(double)def->extent.x, (double)def->extent.y, (double)def->extent.z};
    lattice l = {.spacing = spacing, .flat = flat};
    for (int i = 0; i < 3; i++)
        l.wide[i] = places_along(round ? (double)def->radius : half[i], spacing);
    if (flat) l.wide[1] = 1;
    double room = (double)def->radius - 0.25 * spacing;
    if (round) l.round = room > 0.5 * spacing ? room : 0.5 * spacing;
    return l;
}

static size_t count_of(const lattice *l) {
    if (l->points) return l->point_count;
    return l->wide[0] * l->wide[1] * l->wide[2];
}

/* Where a place is in the frame of the emitter; false where that is beyond its round shape. */
static bool place_of(const lattice *l, size_t index, double at[3]) {
    size_t k[3] = {index % l->wide[0], index / l->wide[0] % l->wide[1],
                   index / l->wide[0] / l->wide[1]};
    double square = 0;
    if (l->points) {
        sn_vec3 point = l->points[index];
        at[0] = (double)point.x, at[1] = (double)point.y, at[2] = (double)point.z;
        return true;
    }
    for (int i = 0; i < 3; i++) {
        at[i] = l->spacing * ((double)k[i] - 0.5 * ((double)l->wide[i] - 1));
        square += at[i] * at[i];
    }
    if (l->flat) at[1] = 0;
    return l->round == 0 || count_of(l) == 1 || square <= 1.0001 * l->round * l->round;
}

double sn_emitter_lattice(const sn_emitter_def *def, double spacing) {
    lattice l = lattice_of(def, spacing);
    return (double)l.wide[0] * (double)l.wide[1] * (double)l.wide[2];
}

size_t sn_emitter_places(const sn_emitter_def *def, double spacing) {
    lattice l = lattice_of(def, spacing);
    size_t count = 0;
    double at[3];
    for (size_t i = 0; i < count_of(&l); i++) count += place_of(&l, i, at);
    return count;
}

double sn_emitter_most(const sn_emitter_def *def, double spacing) {
    if (def->shape > SN_EMITTER_RECTANGLE) return 0;
    return (double)sn_emitter_places(def, spacing) * spacing * spacing * (double)def->speed;
}

/* ---- Who is there ---- */

/* m: from the middle to the farthest particle that may appear. */
static double size_of(const sn_emitter_def *def, const lattice *l, double dt) {
    double x = (double)def->extent.x, y = (double)def->extent.y, z = (double)def->extent.z;
    double size = def->shape == SN_EMITTER_DISC || def->shape == SN_EMITTER_SPHERE
                      ? (double)def->radius
                      : sqrt((x * x + y * y) + z * z);
    if (l->points) size = 0;
    for (size_t i = 0; l->points && i < l->point_count; i++) {
        double at[3];
        place_of(l, i, at);
        double away = sqrt((at[0] * at[0] + at[1] * at[1]) + at[2] * at[2]);
        if (away > size) size = away;
    }
    return size + (double)def->speed * dt + 2 * l->spacing;
}

/* All particles near the emitter. */
static void find_near(const sn_world *world, sn_emitters *all, const sn_emitter_def *def,
                      double size) {
    const sn_nodes *n = &world->nodes;
    all->near_count = 0;
    for (size_t i = 0; i < n->slots.count; i++) {
        if (!n->slots.alive[i] || !(n->radius[i] > 0)) continue;
        double x = (double)n->x[i].x - (double)def->position.x;
        double y = (double)n->x[i].y - (double)def->position.y;
        double z = (double)n->x[i].z - (double)def->position.z, far = size + (double)n->radius[i];
        if ((x * x + y * y) + z * z < far * far)
            all->near[all->near_count++] = (sn_vec4){n->x[i].x, n->x[i].y, n->x[i].z, n->radius[i]};
    }
}

/* Two may be nearer than they are at rest, but not by much. */
static bool is_taken(const sn_emitters *all, sn_vec3 at, double radius) {
    for (size_t i = 0; i < all->near_count; i++) {
        double x = (double)(all->near[i].x - at.x), y = (double)(all->near[i].y - at.y);
        double z = (double)(all->near[i].z - at.z), least = 0.5 * (radius + (double)all->near[i].w);
        if ((x * x + y * y) + z * z < least * least) return true;
    }
    return false;
}

/* ---- Particles ---- */

/* A number that has nothing to do with the next one (Steele, Lea and Flood 2014). */
static uint64_t mix(uint64_t key) {
    key += UINT64_C(0x9e3779b97f4a7c15);
    key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
    return key ^ key >> 31;
}

/* From -1 to 1, by which emitter, particle and axis. */
static double noise(uint64_t emitter, double layer, size_t place, uint64_t axis) {
    uint64_t key = mix(emitter * 3 + axis + mix((uint64_t)place + mix((uint64_t)layer)));
    return (double)(key >> 11) * (2.0 / 9007199254740992.0) - 1;
}

/* The first node that waits, or NULL. */
static sn_reserve_node *next_waiting(sn_emitter_state *e) {
    while (e->first < e->count && !e->reserve[e->first].waits) e->first++;
    return e->first < e->count ? &e->reserve[e->first] : NULL;
}

/* A node goes to its fluid, if that is there still; there is room for it. */
static void join_fluid(sn_world *world, const sn_emitter_state *e, sn_node node) {
    sn_fluids *fluids = sn_fluids_of(world);
    uint32_t slot = e->fluid[0];
    if (slot == 0 || slot > fluids->slots.count || !fluids->slots.alive[slot - 1] ||
        fluids->slots.generation[slot - 1] != e->fluid[1])
        return;
    sn_fluid_members *m = &fluids->members[slot - 1];
    if (m->count < m->capacity) m->node[m->count++] = node;
}

static void release(sn_world *world, sn_emitter_state *e, sn_reserve_node *r, sn_vec3 at,
                    sn_vec3 v) {
    uint32_t i = r->node.slot - 1;
    sn_nodes_place(&world->nodes, i, at);
    world->nodes.v[i] = (sn_vec4){v.x, v.y, v.z, 0};
    world->nodes.w[i] = r->w;
    world->nodes.radius[i] = r->radius;
    world->nodes.group[i] = r->group;
    r->waits = 0;
    e->emitted++;
    join_fluid(world, e, r->node);
    world->scratch.masses_changed = world->sleep.joints_changed = true;
    sn_world_restart_body(world, world->nodes.body[i]);
    sn_world_wake_node(world, i);
}

typedef struct pour {
    sn_world *world;
    sn_emitter_state *e;
    lattice l;
    uint64_t number; /* of the emitter */
    sn_v4 axis[3];   /* of its frame, in the world */
} pour;

/* Whether a particle could appear at a place, so far along y; `none` where nobody waits. */
static bool emit_at(const pour *p, size_t place, double along, bool *none) {
    sn_emitters *all = sn_emitters_of(p->world);
    double at[3], shift = 0.5 * (double)p->e->def.jitter * p->l.spacing;
    if (!place_of(&p->l, place, at)) return false;
    sn_reserve_node *r = next_waiting(p->e);
    *none = r == NULL;
    if (!r) return false;
    at[1] += along;
    sn_v4 x = sn_v4_of(p->e->def.position);
    for (int i = 0; i < 3; i++)
        x += (sn_real)(at[i] + shift * noise(p->number, p->e->layer, place, (uint64_t)i)) *
             p->axis[i];
    sn_v4 v = p->e->def.speed * p->axis[1];
    sn_vec3 to = {x[0], x[1], x[2]};
    if (is_taken(all, to, (double)r->radius)) {
        p->e->blocked++;
        return false;
    }
    all->near[all->near_count++] = (sn_vec4){to.x, to.y, to.z, r->radius};
    release(p->world, p->e, r, to, (sn_vec3){v[0], v[1], v[2]});
    return true;
}

/* Those that have not gone by a spacing yet are in the pipe still, which takes them along: without
   it, what comes after them would be pushed back through the nozzle. */
static void hold_in_pipe(const pour *p) {
    sn_emitter_state *e = p->e;
    sn_nodes *n = &p->world->nodes;
    sn_v4 v = e->def.speed * p->axis[1];
    for (size_t k = 0; k < e->count; k++) {
        uint32_t i = e->reserve[k].node.slot - 1;
        if (e->reserve[k].waits) continue;
        sn_v4 at = sn_v4_load(&n->x[i]) - sn_v4_of(e->def.position);
        double x = (double)sn_v4_dot(at, p->axis[0]), z = (double)sn_v4_dot(at, p->axis[2]);
        double y = (double)sn_v4_dot(at, p->axis[1]), d = p->l.spacing;
        double wide = 0.5 * d * (double)p->l.wide[0], deep = 0.5 * d * (double)p->l.wide[2];
        if (fabs(y) < d && fabs(x) < wide && fabs(z) < deep) sn_v4_store(&n->v[i], v);
    }
}

/* How many places of layers are looked at in a step before the rest is left out. */
enum { MOST_LOOKS = 1 << 20 };

/* Layers that were due; each is as far as it came since. At an absurd speed they are more than
   anybody could look at, or follow each other faster than the clock can tell. */
static void emit_layers(const pour *p, double period, double until) {
    sn_emitter_state *e = p->e;
    size_t looked = 0;
    bool none = false;
    while (e->clock[1] < until && looked < MOST_LOOKS && !none) {
        double along = (double)e->def.speed * (e->clock[0] - e->clock[1]);
        for (size_t i = 0; i < count_of(&p->l) && !none; i++) emit_at(p, i, along, &none);
        looked += count_of(&p->l);
        e->clock[1] += period;
        e->layer++;
    }
    /* What could not be given is not owed. */
    if (e->clock[1] < until) e->clock[1] = until;
}

/* Particles that were due, at places of the volume by turns. */
static void emit_into(const pour *p, double period, double until) {
    sn_emitter_state *e = p->e;
    size_t places = count_of(&p->l), looked = 0;
    bool none = false;
    while (e->clock[1] < until && looked < places && !none) {
        bool came = emit_at(p, (size_t)e->layer % places, 0, &none);
        e->layer++;
        looked++;
        if (came) e->clock[1] += period;
    }
    if (e->clock[1] < until) e->clock[1] = until;
}

static pour pour_of(sn_world *world, size_t index, double spacing) {
    sn_emitter_state *e = &sn_emitters_of(world)->state[index];
    pour p = {.world = world, .e = e, .l = lattice_of(&e->def, spacing), .number = index};
    if (e->def.shape == SN_EMITTER_MESH) {
        p.l.points = e->points;
        p.l.point_count = e->point_count;
    }
    sn_quat q = e->def.orientation;
    sn_v4 turn = {q.x, q.y, q.z, q.w}, unit[3] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    for (int i = 0; i < 3; i++) p.axis[i] = sn_quat_rotate(turn, unit[i]);
    return p;
}

static void emit(sn_world *world, size_t index, double dt) {
    sn_emitters *all = sn_emitters_of(world);
    sn_emitter_state *e = &all->state[index];
    const sn_emitter_def *def = &e->def;
    const double spacing = sn_emitter_spacing(e), volume = spacing * spacing * spacing;
    const bool nozzle = def->shape <= SN_EMITTER_RECTANGLE;
    e->clock[0] += dt;
    if (e->clock[1] < (double)def->start) e->clock[1] = (double)def->start;
    double until = e->clock[0];
    if (def->end != SN_AUTO && (double)def->end < until) until = (double)def->end;
    if (!(spacing > 0) || until < (double)def->start) return;
    pour p = pour_of(world, index, spacing);
    if (nozzle && until == e->clock[0]) hold_in_pipe(&p);
    if (e->clock[1] >= until) return;
    if (!next_waiting(e)) {
        e->clock[1] = until;
        return;
    }
    find_near(world, all, def, size_of(def, &p.l, dt));
    double most = sn_emitter_most(def, spacing);
    double rate =
        def->rate == SN_AUTO || (nozzle && (double)def->rate > most) ? most : (double)def->rate;
    double layer = nozzle ? (double)sn_emitter_places(def, spacing) * volume : volume;
    if (!nozzle) emit_into(&p, rate > 0 ? layer / rate : 0, until);
    if (nozzle && rate > 0) emit_layers(&p, layer / rate, until);
}

/* ---- Steps ---- */

bool sn_emitters_plan(sn_step *step) {
    sn_world *world = step->world;
    sn_emitters *all = sn_emitters_of(world);
    sn_fluids *fluids = sn_fluids_of(world);
    if (!sn_reserve(&world->memory, (void **)&all->near, &all->near_capacity,
                    2 * world->nodes.slots.count + 1, sizeof *all->near))
        return false;
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_emitter_state *e = &all->state[i];
        uint32_t slot = e->fluid[0];
        if (!all->slots.alive[i] || slot == 0 || slot > fluids->slots.count ||
            !fluids->slots.alive[slot - 1])
            continue;
        sn_fluid_members *m = &fluids->members[slot - 1];
        if (!sn_reserve(&world->memory, (void **)&m->node, &m->capacity, world->nodes.slots.count,
                        sizeof *m->node))
            return false;
    }
    return true;
}

void sn_emitters_act(sn_step *step) {
    sn_world *world = step->world;
    const sn_emitters *all = sn_emitters_of(world);
    /* Without memory for what contacts recall of those that are placed, nobody is placed now. */
    if (!sn_surface_contact_place(world)) return;
    sn_drains_act(world, step->dt);
    for (size_t i = 0; i < all->slots.count; i++)
        if (all->slots.alive[i]) emit(world, i, step->dt);
}
