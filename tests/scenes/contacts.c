/*
 * What is told of contacts, in scenes of anything: their order, what began, stayed and ended, where
 * they are, how deep, and that their impulses are what changed the momentum of each body. Distances
 * are asked of queries, one node and one collider at a time.
 */
/* Before the tests' own names, which are shorter than those of the library. */
#include "collision/collision_state.h"
#include "contact/surface/surface_pair.h"

#include <math.h>
#include <sinew_io/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random_scene.h"
#include "small_scenes.h"

enum { RANDOM_SCENES = 10, FRAMES = 50, MOST_BODIES = 4096 };

/* How many nodes the first and the second of a contact are made of, by its kind. */
static const int first_nodes[] = {1, 1, 1, 2, 3, 1, 1}, second_nodes[] = {1, 2, 3, 2, 0, 0, 0};

typedef struct point {
    double at[3];
} point;

static point point_of(sn_vec3 v) {
    return (point){{(double)v.x, (double)v.y, (double)v.z}};
}

static double dot(point a, point b) {
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

/* a + s b */
static point sum(point a, double s, point b) {
    return (point){{a.at[0] + s * b.at[0], a.at[1] + s * b.at[1], a.at[2] + s * b.at[2]}};
}

static double length(point a) {
    return sqrt(dot(a, a));
}

/* ---- Order and phases ---- */

static int compare(const sn_contact *a, const sn_contact *b) {
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    for (int i = 0; i < 4; i++)
        if (a->nodes[i].slot != b->nodes[i].slot)
            return a->nodes[i].slot < b->nodes[i].slot ? -1 : 1;
    if (a->collider.slot == b->collider.slot) return 0;
    return a->collider.slot < b->collider.slot ? -1 : 1;
}

/* The contacts of a step, with which those of the next are compared. */
typedef struct list {
    sn_contact *contact;
    size_t count;
} list;

static const sn_contact *find(const list *all, const sn_contact *wanted) {
    for (size_t i = 0; i < all->count; i++)
        if (compare(&all->contact[i], wanted) == 0) return &all->contact[i];
    return NULL;
}

static bool lasts(const sn_contact *contact) {
    return contact && contact->phase != SN_CONTACT_END;
}

static void check_phases(const list *before, const list *now) {
    size_t wrong = 0, ended = 0, lasted = 0;
    for (size_t i = 1; i < now->count; i++)
        wrong += compare(&now->contact[i - 1], &now->contact[i]) >= 0;
    CHECK(wrong == 0);
    for (size_t i = 0; i < now->count; i++) {
        const sn_contact *c = &now->contact[i];
        wrong += lasts(find(before, c)) != (c->phase != SN_CONTACT_BEGIN);
        ended += c->phase == SN_CONTACT_END;
    }
    CHECK(wrong == 0);
    for (size_t i = 0; i < before->count; i++)
        if (lasts(&before->contact[i]) && !lasts(find(now, &before->contact[i]))) lasted++;
    CHECK(ended == lasted);
}

/* ---- Where a contact is ---- */

/* A node as it is now. */
static sn_node_def look(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

/* Where the first or the second touches; the sum of its weights. */
static point place_of(const sn_world *world, const sn_contact *c, int begin, int end, double *all) {
    point place = {{0, 0, 0}};
    *all = 0;
    for (int i = begin; i < end; i++) {
        double w = (double)c->weights[i];
        CHECK(w >= -1e-5 && w <= 1 + 1e-5);
        place = sum(place, w, point_of(look(world, c->nodes[i]).position));
        *all += w;
    }
    return place;
}

static double radius_of(const sn_world *world, const sn_contact *c, int nodes) {
    double radius = 0;
    for (int i = 0; i < nodes; i++) radius = fmax(radius, (double)look(world, c->nodes[i]).radius);
    return radius;
}

static bool is_ball(const sn_world *world, sn_node node) {
    sn_vec3 radii;
    REQUIRE_OK(sn_node_get_radii(world, node, &radii));
    return radii.x == radii.y && radii.y == radii.z;
}

static void check_place(const sn_world *world, const sn_contact *c) {
    int first = first_nodes[c->kind], all = first + second_nodes[c->kind];
    double weights[2] = {0, 0};
    point one = place_of(world, c, 0, first, &weights[0]), n = point_of(c->normal);
    point two = place_of(world, c, first, all, &weights[1]);
    CHECK_NEAR(weights[0], 1, 1e-5);
    CHECK_NEAR(dot(n, n), 1, 1e-4);
    for (int i = all; i < 4; i++) CHECK(c->nodes[i].slot == 0);
    CHECK((c->collider.slot == 0) == (all > first));
    if (all > first) {
        CHECK_NEAR(weights[1], 1, 1e-5);
        point half = {{0, 0, 0}};
        half = sum(sum(half, 0.5, one), 0.5, two);
        CHECK_NEAR(length(sum(half, -1, point_of(c->point))), 0, 1e-5);
    } else if (c->kind != SN_CONTACT_RIGID && is_ball(world, c->nodes[0])) {
        point low = sum(one, -radius_of(world, c, first), n);
        CHECK_NEAR(length(sum(low, -1, point_of(c->point))), 0, 1e-5);
    }
}

/* The impulse pushes the first away from the second, with no more friction than anything has. */
static void check_impulse(const sn_contact *c) {
    double pushed = (double)c->normal_impulse, whole = length(point_of(c->impulse));
    CHECK(pushed >= 0);
    CHECK(whole >= 0.1 * pushed);
    if (c->phase == SN_CONTACT_END) CHECK(whole == 0 && pushed == 0);
}

/* ---- Nearest points ---- */

/* The weights of the point of a triangle that is nearest to another. */
static void nearest_in(point p, const point t[3], double weight[3]) {
    point e = sum(t[1], -1, t[0]), f = sum(t[2], -1, t[0]), way = sum(p, -1, t[0]);
    double a = dot(e, e), b = dot(e, f), c = dot(f, f), d = dot(e, way), g = dot(f, way);
    double det = a * c - b * b, best = INFINITY;
    double u = (c * d - b * g) / det, v = (a * g - b * d) / det;
    weight[0] = 1 - u - v, weight[1] = u, weight[2] = v;
    if (u >= 0 && v >= 0 && u + v <= 1) return;
    for (int k = 0; k < 3; k++) {
        point edge = sum(t[(k + 1) % 3], -1, t[k]), to = sum(p, -1, t[k]);
        double part = fmin(fmax(dot(edge, to) / dot(edge, edge), 0), 1);
        double far = length(sum(to, -part, edge));
        if (far >= best) continue;
        best = far;
        weight[k] = 1 - part, weight[(k + 1) % 3] = part, weight[(k + 2) % 3] = 0;
    }
}

/* Those of the points of two edges that are nearest to each other: each in turn goes to where it is
   nearest to the other. */
static void nearest_on(const point x[4], double weight[4]) {
    double s = 0.5, t = 0.5;
    point e = sum(x[1], -1, x[0]), f = sum(x[3], -1, x[2]);
    for (int i = 0; i < 30; i++) {
        s = fmin(fmax(dot(e, sum(sum(x[2], t, f), -1, x[0])) / dot(e, e), 0), 1);
        t = fmin(fmax(dot(f, sum(sum(x[0], s, e), -1, x[2])) / dot(f, f), 0), 1);
    }
    weight[0] = 1 - s, weight[1] = s, weight[2] = 1 - t, weight[3] = t;
}

/* ---- How deep ---- */

static bool is_wanted(void *user, const sn_hit *hit) {
    return hit->collider.slot == ((const sn_collider *)user)->slot;
}

static double distance_to(const sn_query *query, sn_collider collider, point at) {
    sn_filter_def filter = sn_filter_def_default();
    sn_hit hit;
    filter.kinds = SN_HIT_COLLIDER;
    filter.accept = is_wanted;
    filter.user = &collider;
    sn_vec3 where = {(sn_real)at.at[0], (sn_real)at.at[1], (sn_real)at.at[2]};
    REQUIRE_OK(sn_query_closest(query, where, SN_AUTO, &filter, &hit));
    return hit.kind == SN_HIT_NONE ? INFINITY : (double)hit.distance;
}

/* m, of a node or a triangle in a collider. */
static double depth_of(const sn_world *world, const sn_query *query, const sn_contact *c) {
    enum { PARTS = 12 };
    int nodes = first_nodes[c->kind];
    double nearest = INFINITY;
    point x[3];
    for (int i = 0; i < nodes; i++) x[i] = point_of(look(world, c->nodes[i]).position);
    if (nodes == 1) {
        nearest = distance_to(query, c->collider, x[0]);
    } else {
        double all;
        nearest = distance_to(query, c->collider, place_of(world, c, 0, nodes, &all));
        for (int i = 0; i <= PARTS; i++)
            for (int k = 0; i + k <= PARTS; k++) {
                double u = (double)i / PARTS, v = (double)k / PARTS;
                point at = {{0, 0, 0}};
                at = sum(sum(sum(at, 1 - u - v, x[0]), u, x[1]), v, x[2]);
                nearest = fmin(nearest, distance_to(query, c->collider, at));
            }
    }
    return radius_of(world, c, nodes) - nearest;
}

/* m, of two elements of different collision surfaces: their radii less what is between them, or
   more by it on the wrong side. */
static double depth_between(const sn_world *world, const sn_contact *c) {
    int first = first_nodes[c->kind], all = first + second_nodes[c->kind];
    point x[4] = {{{0, 0, 0}}}, apart = {{0, 0, 0}};
    double weight[4] = {1, 1, 0, 0}, radius[2] = {0, 0};
    for (int i = 0; i < all; i++) {
        sn_node_def def = look(world, c->nodes[i]);
        x[i] = point_of(def.position);
        radius[i >= first] = fmax(radius[i >= first], (double)def.radius);
    }
    if (c->kind == SN_CONTACT_EDGE_EDGE) nearest_on(x, weight);
    if (c->kind == SN_CONTACT_POINT_TRIANGLE) nearest_in(x[0], x + 1, weight + 1);
    if (c->kind == SN_CONTACT_POINT_SEGMENT) {
        point e = sum(x[2], -1, x[1]);
        weight[2] = fmin(fmax(dot(e, sum(x[0], -1, x[1])) / dot(e, e), 0), 1);
        weight[1] = 1 - weight[2];
    }
    for (int i = 0; i < all; i++) apart = sum(apart, i < first ? weight[i] : -weight[i], x[i]);
    double far = length(apart);
    return radius[0] + radius[1] - (dot(apart, point_of(c->normal)) < 0 ? -far : far);
}

static bool is_within(const sn_world *world, const sn_contact *c) {
    const uint32_t *surface = sn_collision_surfaces_of(world)->of_node;
    return surface[c->nodes[0].slot - 1] == surface[c->nodes[first_nodes[c->kind]].slot - 1];
}

/* m: of a triangle, what may be deeper than what is found of it (deepest_point.c). */
static const double unseen = 1e-3;

/* The deepest contact is the overlap of the world; where one is of a collision surface with itself,
   of an ellipsoid or of a rigid body, it may be deeper. */
static void check_depths(const sn_world *world, const sn_query *query, const list *now) {
    sn_stats stats;
    double deepest = 0;
    size_t deep = 0, touching = 0;
    bool all_known = true, sampled = false;
    REQUIRE_OK(sn_world_stats(world, &stats));
    for (size_t i = 0; i < now->count; i++) {
        const sn_contact *c = &now->contact[i];
        touching += lasts(c);
        if (!lasts(c)) continue;
        bool pair = c->kind < SN_CONTACT_TRIANGLE_COLLIDER;
        if (c->kind == SN_CONTACT_RIGID ||
            (pair ? is_within(world, c) : !is_ball(world, c->nodes[0]))) {
            all_known = false;
            continue;
        }
        sampled |= c->kind == SN_CONTACT_TRIANGLE_COLLIDER;
        double depth = pair ? depth_between(world, c) : depth_of(world, query, c);
        deepest = fmax(deepest, depth);
        deep += depth > 1.2e-4 + (c->kind == SN_CONTACT_TRIANGLE_COLLIDER ? unseen : 0);
    }
    CHECK(stats.contacts == touching);
    CHECK(stats.overlap > deepest - (sampled ? unseen : 1e-5));
    CHECK(stats.overlaps >= deep);
    /* What others push together as a step ends is no contact yet. */
    if (all_known) CHECK_NEAR(stats.overlap, deepest, sampled ? unseen : 1e-5 + 1e-3 * deepest);
}

/* ---- Whether all were found ---- */

/* Whether two elements are clearly nearer than their radii allow: what others push together in the
   last substep is found by the next step. */
static bool do_touch(const sn_world *world, int kind, const uint32_t node[4]) {
    point x[4], apart = {{0, 0, 0}};
    double weight[4] = {1}, limit = 0, size = 0;
    for (int i = 0; i < 4; i++) {
        sn_vec4 at = world->nodes.x[node[i]];
        x[i] = point_of((sn_vec3){at.x, at.y, at.z});
        size += i > 0 && i != first_nodes[kind] ? length(sum(x[i], -1, x[i - 1])) : 0;
    }
    if (length(sum(x[0], -1, x[first_nodes[kind]])) > size + 0.1) return false;
    if (kind == SN_CONTACT_EDGE_EDGE)
        nearest_on(x, weight);
    else
        nearest_in(x[0], x + 1, weight + 1);
    for (int i = 0; i < 4; i++) {
        apart = sum(apart, i < first_nodes[kind] ? weight[i] : -weight[i], x[i]);
        limit += weight[i] * (double)world->nodes.radius[node[i]];
    }
    return length(apart) < 0.92 * limit;
}

static bool is_same(const uint32_t *a, const uint32_t *b, int count) {
    bool all = true;
    for (int i = 0; i < count; i++) {
        bool found = false;
        for (int k = 0; k < count; k++) found |= a[i] == b[k];
        all &= found;
    }
    return all;
}

/* Whether two elements are among the pairs of the step. */
static bool is_found(const sn_world *world, int kind, const uint32_t wanted[4]) {
    const sn_contact_set *set = &sn_surface_contacts_of(world)->set[kind];
    int first = first_nodes[kind], second = second_nodes[kind];
    for (size_t i = 0; i < set->count; i++) {
        uint32_t node[4];
        sn_surface_pair_node_list(sn_surface_contacts_of(world), kind, set->pair[i].a,
                                  set->pair[i].b, node);
        if (is_same(node, wanted, first) && is_same(node + first, wanted + first, second))
            return true;
        if (first == second && is_same(node, wanted + first, first) &&
            is_same(node + first, wanted, first))
            return true;
    }
    return false;
}

/* Everything of one body that touches another one; returns how much does. */
static size_t check_found(const sn_world *world, size_t a, size_t b) {
    const sn_collision_surface_state *one = &sn_collision_surfaces_of(world)->state[a];
    const sn_collision_surface_state *two = &sn_collision_surfaces_of(world)->state[b];
    size_t touching = 0, missed = 0;
    for (size_t i = 0; i < one->def.node_count; i++)
        for (size_t k = 0; k < two->def.triangle_count; k++) {
            const uint32_t *t = &two->triangle[3 * k];
            const uint32_t node[4] = {one->node[i], t[0], t[1], t[2]};
            if (!do_touch(world, SN_CONTACT_POINT_TRIANGLE, node)) continue;
            missed += !is_found(world, SN_CONTACT_POINT_TRIANGLE, node);
            touching++;
        }
    for (size_t i = 0; a < b && i < one->edges; i++)
        for (size_t k = 0; k < two->edges; k++) {
            const uint32_t *e = &one->edge[2 * i], *f = &two->edge[2 * k];
            const uint32_t node[4] = {e[0], e[1], f[0], f[1]};
            if (!do_touch(world, SN_CONTACT_EDGE_EDGE, node)) continue;
            missed += !is_found(world, SN_CONTACT_EDGE_EDGE, node);
            touching++;
        }
    CHECK(missed == 0);
    return touching;
}

static size_t check_all_found(const sn_world *world) {
    size_t touching = 0;
    for (size_t a = 0; a < sn_collision_surfaces_of(world)->slots.count; a++)
        for (size_t b = 0; b < sn_collision_surfaces_of(world)->slots.count; b++)
            if (a != b && sn_collision_surfaces_of(world)->slots.alive[a] &&
                sn_collision_surfaces_of(world)->slots.alive[b])
                touching += check_found(world, a, b);
    return touching;
}

/* ---- Impulses ---- */

typedef struct momentum {
    point of[MOST_BODIES];
    double mass[MOST_BODIES];
    bool held[MOST_BODIES];
} momentum;

static momentum momentum_of(const sn_world *world) {
    momentum m = {0};
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    for (size_t i = 0; i < view.count; i++) {
        sn_node node;
        if (sn_world_node_at(world, i, &node) != SN_OK) continue;
        sn_node_def def = look(world, node);
        uint32_t body = def.body.slot % MOST_BODIES;
        if (!(def.inverse_mass > 0)) {
            m.held[body] = true;
            continue;
        }
        m.mass[body] += 1 / (double)def.inverse_mass;
        m.of[body] = sum(m.of[body], 1 / (double)def.inverse_mass, point_of(def.velocity));
    }
    return m;
}

/* What the contacts of a step did to every body. */
static void push_bodies(const sn_world *world, const list *now, point pushed[MOST_BODIES]) {
    for (size_t i = 0; i < now->count; i++) {
        const sn_contact *c = &now->contact[i];
        int first = first_nodes[c->kind], all = first + second_nodes[c->kind];
        for (int k = 0; k < all; k++) {
            uint32_t body = look(world, c->nodes[k]).body.slot % MOST_BODIES;
            double share = k < first ? (double)c->weights[k] : -(double)c->weights[k];
            pushed[body] = sum(pushed[body], share, point_of(c->impulse));
        }
        sn_node carrier = {0};
        if (c->collider.slot > 0) REQUIRE_OK(sn_collider_get_carrier(world, c->collider, &carrier));
        if (carrier.slot == 0) continue;
        uint32_t body = look(world, carrier).body.slot % MOST_BODIES;
        pushed[body] = sum(pushed[body], -1, point_of(c->impulse));
    }
}

/* Lets gravity and contacts alone change the momentum of bodies, which means of corrections do not
   keep either, and velocities be what moved them
   in the last substep. */
static void free_bodies(sn_world *world) {
    sn_settings settings = sn_settings_default();
    sn_body body;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.integrator = SN_INTEGRATOR_BDF1;
    settings.damping = settings.air_density = 0;
    if (settings.solver == SN_SOLVER_AVERAGED) settings.solver = SN_SOLVER_COLOURED;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    for (size_t i = 0; i < MOST_BODIES; i++) {
        sn_body_def def = sn_body_def_default();
        if (sn_world_body_at(world, i, &body) != SN_OK) continue;
        REQUIRE_OK(sn_body_get(world, body, &def));
        def.damping = 0;
        REQUIRE_OK(sn_body_set(world, body, &def));
    }
}

/* The force on a body is what its contacts did; whether there is one that is awake. */
static bool check_force(const sn_world *world, uint32_t index, double dt, point pushed,
                        double rounding) {
    sn_body body;
    sn_vec3 force;
    if (sn_world_body_at(world, index, &body) != SN_OK) return false;
    REQUIRE_OK(sn_body_contact_force(world, body, &force));
    CHECK_NEAR(length(sum(pushed, -dt, point_of(force))), 0, rounding);
    return !sn_body_is_asleep(world, body);
}

/* Returns how many bodies were looked at that were pushed; nodes without one are one. */
static size_t check_momentum(const sn_world *world, const list *now, const momentum *before,
                             double dt, bool alone) {
    momentum after = momentum_of(world);
    point pushed[MOST_BODIES] = {0};
    sn_settings settings = sn_settings_default();
    size_t looked = 0;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    push_bodies(world, now, pushed);
    for (uint32_t b = 0; b < MOST_BODIES; b++) {
        double rounding = 2e-5 * after.mass[b], whole = length(pushed[b]);
        if (!(after.mass[b] > 0)) continue;
        if (b > 0 && !check_force(world, b - 1, dt, pushed[b], 1e-4 * whole + rounding)) continue;
        if (!alone || after.held[b]) continue;
        point change = sum(after.of[b], -1, before->of[b]);
        change = sum(change, -dt * after.mass[b], point_of(settings.gravity));
        CHECK_NEAR(length(sum(change, -1, pushed[b])), 0, 1e-4 * whole + rounding);
        looked += whole > 0;
    }
    return looked;
}

/* ---- Scenes ---- */

static void keep(list *all, const sn_world *world) {
    const sn_contact *contact;
    free(all->contact);
    REQUIRE_OK(sn_world_contacts(world, &contact, &all->count));
    all->contact = malloc((all->count + 1) * sizeof *contact);
    REQUIRE_OK(all->contact ? SN_OK : SN_ERROR_MEMORY);
    if (all->count > 0) memcpy(all->contact, contact, all->count * sizeof *contact);
}

/* Whether bodies are led, sewn, attached or put back by anything that is not a contact. */
static bool has_contacts_alone(const char *text) {
    static const char *const others[] = {"attachments",  "seams",
                                         "untangle",     "animation_target",
                                         "volume_local", "\"penetration_free\": true",
                                         "fluid",        "crowds",
                                         "doughs",       "effectors",
                                         "air_meshes"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(text, others[i])) return false;
    return true;
}

/* Returns how often the momentum of a body was looked at that was pushed. */
static size_t follow(sn_scene *scene, bool alone) {
    sn_world *world = sn_scene_world(scene);
    sn_query *query;
    list before = {0}, now = {0};
    REQUIRE_OK(sn_query_create(world, &query));
    size_t looked = 0;
    for (int i = 0; i < FRAMES; i++) {
        check_case("%s, frame %d", sn_scene_title(scene), i);
        if (i == FRAMES / 2) free_bodies(world);
        momentum was = momentum_of(world);
        double time = sn_world_time(world);
        REQUIRE_OK(sn_scene_step(scene));
        REQUIRE_OK(sn_query_refresh(query, world));
        keep(&now, world);
        check_phases(&before, &now);
        for (size_t k = 0; k < now.count; k++) {
            check_impulse(&now.contact[k]);
            if (lasts(&now.contact[k])) check_place(world, &now.contact[k]);
        }
        check_depths(world, query, &now);
        looked += check_momentum(world, &now, &was, sn_world_time(world) - time,
                                 alone && i >= FRAMES / 2);
        list kept = before;
        before = now;
        now = kept;
    }
    free(before.contact);
    free(now.contact);
    sn_query_destroy(query);
    return looked;
}

TEST(contacts_are_what_they_say) {
    const char *text;
    size_t looked = 0;
    for (size_t i = 0; (text = small_scene_text(i, RANDOM_SCENES)); i++) {
        sn_scene *scene = small_scene_open(text, 1, 0);
        looked += follow(scene, has_contacts_alone(text));
        sn_scene_close(scene);
    }
    CHECK(looked > 300);
}

/* Sheets and a block that fall on each other, fast and slow, while all of it flies. */
static const char layers[] =
    "{\"version\": 1, \"title\": \"layers\", \"run\": {\"frames\": 40, \"fps\": 60},"
    "\"settings\": {\"gravity\": [0, -9.81, 0], \"substeps\": 4},"
    "\"bodies\": ["
    "{\"name\": \"a\", \"mesh\": {\"shape\": \"grid\", \"width\": 1, \"depth\": 1, \"columns\": "
    "10, \"rows\": 10},"
    "\"material\": {\"kind\": \"cloth\", \"area_density\": 0.2, \"stretch_stiffness\": 500, "
    "\"thickness\": 0.03},"
    "\"position\": [0, 0.5, 0], \"velocity\": [2, 3, 1], \"collide\": \"others\"},"
    "{\"name\": \"b\", \"mesh\": {\"shape\": \"grid\", \"width\": 0.8, \"depth\": 0.8, "
    "\"columns\": 9, \"rows\": 9},"
    "\"material\": {\"kind\": \"cloth\", \"area_density\": 0.2, \"stretch_stiffness\": 500, "
    "\"thickness\": 0.03},"
    "\"position\": [0.02, 0.65, 0.01], \"rotation\": {\"axis\": [0.2, 1, 0.1], \"angle\": 0.5}, "
    "\"velocity\": [2, -2, 1], \"collide\": \"others\"},"
    "{\"name\": \"c\", \"mesh\": {\"shape\": \"grid\", \"width\": 0.8, \"depth\": 0.8, "
    "\"columns\": 7, \"rows\": 7},"
    "\"material\": {\"kind\": \"cloth\", \"area_density\": 0.3, \"stretch_stiffness\": 500, "
    "\"thickness\": 0.02},"
    "\"position\": [-0.02, 0.85, 0.03], \"rotation\": {\"axis\": [0.1, 1, -0.2], \"angle\": 0.9}, "
    "\"velocity\": [1, -4, 1], \"collide\": \"others\"},"
    "{\"name\": \"d\", \"mesh\": {\"shape\": \"block\", \"extent\": [0.5, 0.2, 0.5], \"cells\": "
    "[3, 1, 3]},"
    "\"material\": {\"kind\": \"solid\", \"young\": 100000, \"poisson\": 0.3, \"density\": 50, "
    "\"radius\": 0.01},"
    "\"position\": [0.03, 1.15, -0.03], \"velocity\": [3, -6, 1], \"collide\": \"others\"}"
    "]}";

TEST(all_that_touches_was_found) {
    sn_scene *scene = small_scene_open(layers, 1, 0);
    size_t touching = 0;
    for (int i = 0; i < FRAMES; i++) {
        check_case("frame %d", i);
        REQUIRE_OK(sn_scene_step(scene));
        if (i % 5 == 0) touching += check_all_found(sn_scene_world(scene));
    }
    sn_scene_close(scene);
    CHECK(touching > 50);
}

TESTS(RUN(contacts_are_what_they_say), RUN(all_that_touches_was_found))
