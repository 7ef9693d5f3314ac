/*
 * The books of an energy audit against sums by hand: after every step of one substep, what each
 * body has got and lost follows from where its nodes were and are, their velocities, and the
 * impulses that are told of contacts. For random heaps of balls, segments and triangles, some of
 * them held, on colliders of which one moves.
 */
#include "check.h"

#include <math.h>
#include <string.h>

#include <sinew/sinew.h>

enum { WORLDS = 16, STEPS = 70, MOST_NODES = 60, ELEMENTS = 18 };

static const double h = 1e-3, gravity = 9.81, rate = 0.7;

static uint32_t seed;

static double between(double low, double high) {
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(seed >> 8) / (double)(1 << 24);
}

typedef struct vec {
    double x, y, z;
} vec;

static vec of(sn_vec3 a) {
    return (vec){(double)a.x, (double)a.y, (double)a.z};
}

static sn_vec3 real(vec a) {
    return (sn_vec3){(sn_real)a.x, (sn_real)a.y, (sn_real)a.z};
}

static vec plus(vec a, double s, vec b) {
    return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static vec scaled(double s, vec a) {
    return plus((vec){0, 0, 0}, s, a);
}

static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vec random_vec(double most) {
    double x = between(-most, most), y = between(-most, most);
    return (vec){x, y, between(-most, most)};
}

/* ---- Worlds ---- */

typedef struct heap {
    sn_world *world;
    sn_body body[ELEMENTS];
    sn_node node[MOST_NODES];
    size_t bodies, nodes;
} heap;

static sn_body add_body(heap *w) {
    sn_body_def def = sn_body_def_default();
    REQUIRE_OK(sn_body_create(w->world, &def, &w->body[w->bodies]));
    return w->body[w->bodies++];
}

/* A ball, a segment or a triangle with a collision surface of its own; every fifth is held, and
   goes along the floor. */
static void add_element(heap *w, int i, double height) {
    static const uint32_t corners[] = {0, 1, 2};
    const int nodes = i % 3 + 1;
    const bool held = i % 5 == 4;
    sn_collision_surface_def def = sn_collision_surface_def_default();
    sn_collision_surface surface;
    sn_node_def made = sn_node_def_default();
    vec middle = {between(-0.12, 0.12), height, between(-0.12, 0.12)};
    made.body = add_body(w);
    made.velocity = real(held ? (vec){between(-0.3, 0.3), 0, 0.2} : random_vec(0.5));
    made.radius = (sn_real)0.02;
    for (int k = 0; k < nodes; k++) {
        vec off = {nodes > 1 ? 0.1 * cos(2.1 * k + i) : 0, 0,
                   nodes > 1 ? 0.1 * sin(2.1 * k + i) : 0};
        made.inverse_mass = (sn_real)(held ? 0 : 1 / between(0.1, 0.5));
        made.position = real(plus(middle, 1, off));
        REQUIRE_OK(sn_node_create(w->world, &made, &w->node[w->nodes + (size_t)k]));
    }
    def.nodes = &w->node[w->nodes];
    def.node_count = (size_t)nodes;
    def.segments = nodes == 2 ? corners : NULL;
    def.segment_count = nodes == 2;
    def.triangles = nodes == 3 ? corners : NULL;
    def.triangle_count = nodes == 3;
    /* Friction of triangles has a moment, which no impulse tells. */
    def.static_friction = def.dynamic_friction = (sn_real)(nodes < 3 ? 0.3 : 0);
    REQUIRE_OK(sn_collision_surface_create(w->world, &def, &surface));
    w->nodes += (size_t)nodes;
}

static heap make_heap(void) {
    heap w = {.world = NULL};
    sn_world_def def = sn_world_def_default();
    sn_collider_def shape = sn_collider_def_default();
    sn_collider collider;
    def.settings.gravity = real((vec){0, -gravity, 0});
    def.settings.substeps = 1;
    def.settings.damping = (sn_real)rate;
    REQUIRE_OK(sn_world_create(&def, &w.world));
    shape.static_friction = shape.dynamic_friction = (sn_real)0.4;
    REQUIRE_OK(sn_collider_create(w.world, &shape, &collider));
    shape.shape = SN_SHAPE_SPHERE;
    shape.radius = (sn_real)0.1;
    shape.velocity = real((vec){0.3, 0.05, -0.2});
    shape.angular_velocity = real((vec){1, 2, -3});
    REQUIRE_OK(sn_collider_create(w.world, &shape, &collider));
    for (int i = 0; i < ELEMENTS; i++) add_element(&w, i, 0.16 + 0.045 * i);
    return w;
}

/* ---- By hand ---- */

typedef struct state {
    sn_node_def node[MOST_NODES];
} state;

static void look(const heap *w, state *s) {
    for (size_t i = 0; i < w->nodes; i++)
        REQUIRE_OK(sn_node_get(w->world, w->node[i], &s->node[i]));
}

typedef struct books {
    sn_audit sum[ELEMENTS];
    double size; /* J, of all that was summed up */
} books;

static size_t index_of(const heap *w, sn_node node) {
    for (size_t i = 0; i < w->nodes; i++)
        if (w->node[i].slot == node.slot) return i;
    return MOST_NODES;
}

static size_t body_of(const heap *w, const sn_node_def *node) {
    for (size_t i = 0; i < w->bodies; i++)
        if (w->body[i].slot == node->body.slot) return i;
    return ELEMENTS;
}

/* m/s: the mean velocity of a node in the step. */
static vec mean_of(const state s[2], size_t i) {
    const sn_node_def *a = &s[0].node[i], *b = &s[1].node[i];
    if (a->inverse_mass > 0) return scaled(0.5, plus(of(a->velocity), 1, of(b->velocity)));
    return scaled(1 / h, plus(of(b->position), -1, of(a->position)));
}

/* J: what a contact did. */
typedef struct sides {
    double work[2];               /* on what can move */
    double by_nodes, by_collider; /* by what moves by itself */
    double friction;              /* of the impulse across the normal */
    size_t body[2];               /* ELEMENTS where nothing can move */
} sides;

static vec across_of(const sn_contact *c) {
    return plus(of(c->impulse), -(double)c->normal_impulse, of(c->normal));
}

static void add_member(const heap *w, const state s[2], const sn_contact *c, int k, sides *both,
                       books *by_hand) {
    static const int first[] = {1, 1, 1, 2, 3, 1, 1};
    const size_t i = index_of(w, c->nodes[k]), body = body_of(w, &s[0].node[i]);
    const int side = k >= first[c->kind];
    double b = (side ? -1 : 1) * fabs((double)c->weights[k]);
    double work = b * dot(of(c->impulse), mean_of(s, i));
    both->friction += b * dot(across_of(c), mean_of(s, i));
    by_hand->size += fabs(work);
    if (s[0].node[i].inverse_mass > 0) {
        both->work[side] += work;
        both->body[side] = body;
        by_hand->sum[body].lost_integrator += work;
    } else {
        both->by_nodes -= work;
    }
}

/* What both sides lose is shared by them, and so is what others have done to them; the rest of what
   became of one of them is the work of the other. */
static void sum_contact(const heap *w, const state s[2], const sn_contact *c, books *by_hand) {
    sides both = {.body = {ELEMENTS, ELEMENTS}};
    for (int k = 0; k < 4; k++)
        if (c->nodes[k].slot > 0) add_member(w, s, c, k, &both, by_hand);
    if (c->collider.slot > 0) {
        sn_collider_def def = sn_collider_def_default();
        REQUIRE_OK(sn_collider_get(w->world, c->collider, &def));
        vec arm = plus(of(c->point), -1, of(def.position));
        vec u = plus(of(def.velocity), 1, cross(of(def.angular_velocity), arm));
        both.by_collider = dot(of(c->impulse), u);
        both.friction -= dot(across_of(c), u);
        by_hand->size += fabs(both.by_collider);
    }
    const bool two = both.body[0] < ELEMENTS && both.body[1] < ELEMENTS;
    double part = two ? 0.5 : 1, work = both.work[0] + both.work[1];
    double loss = both.by_nodes + both.by_collider - work;
    for (int i = 0; i < 2; i++) {
        if (both.body[i] == ELEMENTS) continue;
        sn_audit *sum = &by_hand->sum[both.body[i]];
        sum->work_nodes += part * both.by_nodes;
        sum->work_colliders += part * both.by_collider;
        sum->lost_friction -= part * both.friction;
        sum->lost_impact += part * (loss + both.friction);
        if (two) sum->work_bodies += both.work[i] - part * work;
    }
}

/* What is left of the change of its motion, when all else is known, is the integrator's. */
static void sum_node(const heap *w, const state s[2], size_t i, vec force, books *by_hand) {
    const sn_node_def *a = &s[0].node[i], *b = &s[1].node[i];
    if (!(a->inverse_mass > 0)) return;
    sn_audit *sum = &by_hand->sum[body_of(w, a)];
    double mass = 1 / (double)a->inverse_mass;
    vec u = of(a->velocity), v = of(b->velocity), x = plus(of(b->position), -1, of(a->position));
    double gain = 0.5 * mass * (dot(v, v) - dot(u, u)), fall = -mass * gravity * x.y;
    double pushed = dot(force, x), damped = mass * rate * dot(u, x);
    sum->work_forces += pushed;
    sum->lost_damping += damped;
    sum->lost_integrator += fall + pushed - damped - gain;
    by_hand->size += fabs(gain) + fabs(fall) + fabs(pushed) + fabs(damped);
}

/* ---- Both ---- */

static void check_step(const heap *w, const books *by_hand, const sn_audit *before) {
    /* Weights of a contact are those of the last sweep. */
    const double exact = 3e-3 * by_hand->size;
    size_t count;
    const sn_audit_field *field = sn_audit_fields(&count);
    for (size_t i = 0; i < w->bodies; i++) {
        sn_audit now;
        REQUIRE_OK(sn_body_get_audit(w->world, w->body[i], &now));
        for (size_t k = 0; k < count; k++) {
            if (field[k].part != SN_AUDIT_WORK && field[k].part != SN_AUDIT_LOSS) continue;
            double told = ((const double *)&now)[k] - ((const double *)&before[i])[k];
            CHECK_NEAR(told, ((const double *)&by_hand->sum[i])[k], exact);
        }
    }
}

/* Returns how many contacts there were. */
static size_t run_step(const heap *w, books *by_hand) {
    state s[2];
    sn_audit before[ELEMENTS];
    vec force[MOST_NODES];
    const sn_contact *contact;
    size_t count;
    for (size_t i = 0; i < w->bodies; i++)
        REQUIRE_OK(sn_body_get_audit(w->world, w->body[i], &before[i]));
    for (size_t i = 0; i < w->nodes; i++) {
        force[i] = i % 4 ? (vec){0, 0, 0} : random_vec(2);
        REQUIRE_OK(sn_node_add_force(w->world, w->node[i], real(force[i])));
    }
    look(w, &s[0]);
    REQUIRE_OK(sn_world_step(w->world, (sn_real)h));
    look(w, &s[1]);
    memset(by_hand, 0, sizeof *by_hand);
    for (size_t i = 0; i < w->nodes; i++) sum_node(w, s, i, force[i], by_hand);
    REQUIRE_OK(sn_world_contacts(w->world, &contact, &count));
    for (size_t i = 0; i < count; i++) sum_contact(w, s, &contact[i], by_hand);
    check_step(w, by_hand, before);
    return count;
}

TEST(books_are_sums_by_hand) {
    size_t contacts = 0;
    for (int which = 0; which < WORLDS; which++) {
        books by_hand;
        seed = 4711u + 131u * (uint32_t)which;
        heap w = make_heap();
        REQUIRE_OK(sn_world_audit_start(w.world));
        for (int step = 0; step < STEPS; step++) {
            check_case("world %d, step %d", which, step);
            contacts += run_step(&w, &by_hand);
        }
        sn_world_destroy(w.world);
    }
    CHECK(contacts > 1000);
}

TESTS(RUN(books_are_sums_by_hand))
