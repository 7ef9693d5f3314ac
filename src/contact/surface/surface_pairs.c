/*
 * Which elements may touch in what is left of a step.
 *
 * Every node is expected to go on with its velocity, and to be elsewhere by at most its slack; an
 * element is in the box around all the places where its nodes may be. Velocities count relative to
 * the mean of all, so that what falls together is not seen to move. Of the pairs whose boxes
 * overlap those are kept whose distance may become less than their limit in that time.
 */
#include "contact/surface/surface_pairs.h"

#include "contact/surface/pair_buffer.h"

#include <math.h>
#include <string.h>

enum { NODES_ALONE = 1024, MOST_STEPS = 32 };
/*
 * By how much nodes may be elsewhere, as shares of their radius and of how far they go; and of what
 * size they go while pairs hold. Elements of triangles have a hundred neighbours within reach, and
 * it is cheaper to find those of a few nodes again than to look at all that might touch; balls have
 * few.
 */
typedef struct patience {
    double radius, path, size;
    bool even; /* finds of a step are for as many substeps each, so that none is for a few alone */
} patience;
static const patience OF_TRIANGLES = {0.2, 0.05, 1.0 / 12, true},
                      OF_BALLS = {0.3, 0.1, 1.0 / 6, false};
/* Of g t^2: what a node that begins to fall, or ceases to, is elsewhere; and a little more. */
static const double FALL = 0.55;
static const sn_real FURTHEST = SN_R(1e30); /* m, a slack */

typedef sn_surface_contact_motion motion;

/* ---- How nodes move ---- */

/* In the middle of a step the velocity is that of the present substep. */
static sn_v4 velocity_of(const motion *m, uint32_t i) {
    const sn_nodes *n = &m->world->nodes;
    if (m->h > 0) return (sn_v4_load(&n->d[i]) - sn_v4_load(&n->p[i])) / (sn_real)m->h;
    if (n->driven[i] && n->drive[n->driven[i] - 1].has_target && m->left > 0)
        return (sn_v4_of(n->drive[n->driven[i] - 1].target) - sn_v4_load(&n->x[i])) /
               (sn_real)m->left;
    return sn_v4_load(&n->v[i]);
}

static const patience *patience_of(const motion *m) {
    return m->surface_contacts->list[SN_SURFACE_CONTACT_TRIANGLE].count > 0 ? &OF_TRIANGLES
                                                                            : &OF_BALLS;
}

static sn_v4 mean_of(const motion *m) {
    const sn_surface_elements *points = &m->surface_contacts->list[SN_SURFACE_CONTACT_POINT];
    double sum[3] = {0, 0, 0};
    for (size_t k = 0; k < points->count; k++) {
        sn_v4 v = velocity_of(m, points->node[k]);
        for (int i = 0; i < 3; i++) sum[i] += (double)v[i];
    }
    double count = points->count > 0 ? (double)points->count : 1;
    sn_v4 mean = {(sn_real)(sum[0] / count), (sn_real)(sum[1] / count), (sn_real)(sum[2] / count),
                  0};
    return sn_v4_is_finite(mean) ? mean : (sn_v4){0, 0, 0, 0};
}

void sn_surface_contact_expect(const motion *m, uint32_t node) {
    const sn_nodes *n = &m->world->nodes;
    sn_vec3 g = m->world->settings.gravity;
    /* Where somebody sleeps, everything that the step may touch must be known when it begins. */
    bool sleeps = m->world->sleep.count > 0;
    double pull = sleeps ? sqrt((double)sn_vec3_dot(g, g)) : 0;
    sn_v4 at = sn_v4_load(&n->x[node]) + sn_v4_load(&n->p[node]);
    sn_v4 v = velocity_of(m, node), own = v - m->mean;
    double speed = sqrt((double)sn_v4_dot(own, own));
    double far = sqrt((double)sn_v4_dot(at, at));
    sn_reach *reach = &sn_collision_surfaces_of(m->world)->reach;
    sn_v4_store(&reach->from[node], at - (sn_real)m->since * v);
    sn_v4_store(&reach->speed[node], v);
    const patience *p = patience_of(m);
    reach->slack[node] = (sn_real)(p->radius * (double)n->radius[node] + p->path * speed * m->time +
                                   FALL * pull * m->time * m->time + 1e-6 * far + 1e-5);
    /* Of what is so far away that squares have no end; snapshots have numbers alone. */
    if (!(reach->slack[node] < FURTHEST)) reach->slack[node] = FURTHEST;
}

SN_INLINE sn_expected_motion motion_of(const motion *m, const sn_reach *reach,
                                       const sn_real *radius, uint32_t i) {
    sn_v4 v = sn_v4_load(&reach->speed[i]);
    sn_v4 from = sn_v4_load(&reach->from[i]) + (sn_real)m->since * v;
    sn_v4 displacement = (sn_real)m->time * (v - m->mean);
    from[3] = radius[i];
    displacement[3] = reach->slack[i];
    sn_expected_motion expected;
    sn_v4_store(&expected.from, from);
    sn_v4_store(&expected.displacement, displacement);
    return expected;
}

sn_expected_motion sn_expected_motion_of(const motion *m, uint32_t node) {
    return motion_of(m, &sn_collision_surfaces_of(m->world)->reach, m->world->nodes.radius, node);
}

static void expect_range(void *context, size_t begin, size_t end) {
    const motion *m = context;
    for (size_t k = begin; k < end; k++)
        sn_surface_contact_expect(m, m->surface_contacts->list[SN_SURFACE_CONTACT_POINT].node[k]);
}

/* For each point of a long list, so what all share stays in registers. */
static void motion_range(void *context, size_t begin, size_t end) {
    const motion m = *(const motion *)context;
    const sn_reach reach = sn_collision_surfaces_of(m.world)->reach;
    const sn_real *radius = m.world->nodes.radius;
    const uint32_t *node = m.surface_contacts->list[SN_SURFACE_CONTACT_POINT].node;
    sn_expected_motion *expected = m.surface_contacts->displacement;
    for (size_t k = begin; k < end; k++) expected[node[k]] = motion_of(&m, &reach, radius, node[k]);
}

void sn_expected_motions_find(motion *m) {
    sn_team_run(m->world->bindings.team, m->surface_contacts->list[SN_SURFACE_CONTACT_POINT].count,
                NODES_ALONE, motion_range, m);
}

/* ---- Boxes ---- */

/* Number by number: `yes` where a < b. */
SN_INLINE sn_v4 choose_less(sn_v4 a, sn_v4 b, sn_v4 yes, sn_v4 no) {
    sn_v4_bits less = (sn_v4_bits)(a < b);
    return (sn_v4)((less & (sn_v4_bits)yes) | (~less & (sn_v4_bits)no));
}

/* As seen by who has moved with the mean since pairs were found. */
void sn_surface_contact_set_box(const motion *m, sn_surface_elements *list, size_t corners,
                                size_t k) {
    sn_v4 low = {SN_INFINITY, SN_INFINITY, SN_INFINITY, 0}, high = -low;
    sn_v4 drift = (sn_real)m->since * m->mean;
    for (size_t c = 0; c < corners; c++) {
        const sn_expected_motion *node =
            &m->surface_contacts->displacement[list->node[k * corners + c]];
        sn_v4 at = sn_v4_load(&node->from), displacement = sn_v4_load(&node->displacement);
        sn_real grown = at[3] + displacement[3];
        at -= drift;
        sn_v4 to = at + displacement, least = choose_less(at, to, at, to) - grown;
        sn_v4 most = choose_less(at, to, to, at) + grown;
        low = choose_less(least, low, least, low);
        high = choose_less(high, most, most, high);
    }
    low[3] = high[3] = 0;
    sn_v4_store(&list->low[k], low);
    sn_v4_store(&list->high[k], high);
}

typedef struct boxing {
    const motion *motion;
    sn_surface_elements *list;
    size_t corners;
} boxing;

static void box_range(void *context, size_t begin, size_t end) {
    const boxing *b = context;
    for (size_t k = begin; k < end; k++)
        sn_surface_contact_set_box(b->motion, b->list, b->corners, k);
}

/* ---- Pairs ---- */

sn_separation_test sn_separation_test_of(const sn_world *world, const sn_surface_elements *first,
                                         const sn_surface_elements *second) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    return (sn_separation_test){.displacement = sn_surface_contacts_of(world)->displacement,
                                .x = world->nodes.x,
                                .p = world->nodes.p,
                                .rest = surfaces->rest,
                                .radius = world->nodes.radius,
                                .surface = surfaces->of_node,
                                .first = first->node,
                                .second = second->node,
                                .period = sn_period_of(world),
                                .periodic = sn_world_is_periodic(world)};
}

SN_INLINE void nodes_of(const sn_separation_test *near, const int kind, sn_broad_pair pair,
                        uint32_t node[SN_CONTACT_MOST_NODES]) {
    const int first = sn_contact_first[kind], second = sn_contact_second[kind];
    const uint32_t *one = near->first + (size_t)(uint32_t)pair * (size_t)first;
    const uint32_t *two = near->second + (size_t)(pair >> 32) * (size_t)second;
    for (int n = 0; n < first; n++) node[n] = one[n];
    for (int n = 0; n < second; n++) node[first + n] = two[n];
}

/* Whether two nodes may collide, which is asked of many that are of the same bodies in a row. */
typedef struct alliance {
    uint32_t who[6]; /* surfaces, groups and bodies */
    bool may;
    int loose; /* which of them is a loose ball at what is porous */
    sn_real porosity;
} alliance;

SN_INLINE bool may_collide(const sn_world *world, uint32_t a, uint32_t b, alliance *last) {
    const uint32_t *surface = sn_collision_surfaces_of(world)->of_node;
    const sn_nodes *n = &world->nodes;
    const uint32_t who[6] = {surface[a],  surface[b], n->group[a],
                             n->group[b], n->body[a], n->body[b]};
    if (memcmp(who, last->who, sizeof who) != 0) {
        memcpy(last->who, who, sizeof who);
        last->may = sn_surface_pair_may_collide(world, a, b);
        last->porosity = sn_surface_pair_porosity(world, a, b, &last->loose);
    }
    if (!last->may || !(last->porosity > 0)) return last->may;
    return !sn_surface_pair_passes(world, last->loose ? b : a, last->loose ? a : b, last->porosity);
}

/* Those that are allowed to touch. */
SN_INLINE size_t allow(const motion *m, const int kind, const sn_separation_test *near,
                       sn_broad_pair *pairs, size_t count) {
    uint32_t node[SN_CONTACT_MOST_NODES];
    alliance last = {{0}, false, 0, 0}; /* no node has the surface 0 that has an element */
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        nodes_of(near, kind, pairs[i], node);
        if (may_collide(m->world, node[0], node[sn_contact_first[kind]], &last) &&
            sn_surface_pair_moves(m->world, kind, node) &&
            !sn_contact_is_excluded(&m->surface_contacts->exclusion, kind, node))
            pairs[kept++] = pairs[i];
    }
    return kept;
}

/* Those that have no node in common, come near each other, and are allowed to touch; in this order,
   because that is what it costs to tell. */
SN_INLINE size_t accept(const motion *m, const int kind, const sn_surface_elements *first,
                        const sn_surface_elements *second, sn_broad_pair *pairs, size_t count) {
    sn_separation_test near = sn_separation_test_of(m->world, first, second);
    count = sn_surface_kind_of(kind)->loops[sn_lanes_most(m->world)]->sift(&near, pairs, count);
    return allow(m, kind, &near, pairs, count);
}

/* The same of what trees have found, which has no node in common and is not far apart. */
SN_INLINE size_t accept_near(const motion *m, const int kind, const sn_surface_elements *first,
                             const sn_surface_elements *second, sn_broad_pair *pairs,
                             const sn_real *rest, size_t count) {
    const sn_surface_kind_loops *loops =
        sn_surface_kind_of(kind)->loops[sn_pair_search_lanes(m->world, m->surface_contacts)];
    sn_separation_test near = sn_separation_test_of(m->world, first, second);
    return allow(m, kind, &near, pairs, loops->sift_near(&near, pairs, rest, count));
}

/* Of a sheet nearly all that are near each other are neighbours. */
static size_t accept_points(const void *context, sn_broad_pair *pairs, size_t count) {
    const motion *m = context;
    const sn_surface_elements *list = m->surface_contacts->list;
    const uint32_t *node = list[SN_SURFACE_CONTACT_LONE].node;
    const sn_surface_pair_bonds *bonds = &m->surface_contacts->bonds;
    if (bonds->count > 0) {
        size_t kept = 0;
        for (size_t i = 0; i < count; i++) {
            pairs[kept] = pairs[i];
            kept += !sn_surface_contact_are_bound(bonds, node[(uint32_t)pairs[i]],
                                                  node[pairs[i] >> 32]);
        }
        count = kept;
    }
    if (sn_world_is_periodic(m->world))
        count = sn_image_pairs_sift(m, &list[SN_SURFACE_CONTACT_LONE], NULL, pairs, count);
    return accept(m, SN_CONTACT_POINT_POINT, &list[SN_SURFACE_CONTACT_LONE],
                  &list[SN_SURFACE_CONTACT_LONE], pairs, count);
}
static size_t accept_images(const void *context, sn_broad_pair *pairs, size_t count) {
    const motion *m = context;
    const sn_image_pairs *image = &m->surface_contacts->image;
    count = sn_image_pairs_sift(m, &image->list, image->shift, pairs, count);
    return accept(m, SN_CONTACT_POINT_POINT, &image->list,
                  &m->surface_contacts->list[SN_SURFACE_CONTACT_LONE], pairs, count);
}
static size_t accept_segment(const void *context, sn_broad_pair *pairs, size_t count) {
    const motion *m = context;
    const sn_surface_elements *list = m->surface_contacts->list;
    return accept(m, SN_CONTACT_POINT_SEGMENT, &list[SN_SURFACE_CONTACT_LONE],
                  &list[SN_SURFACE_CONTACT_SEGMENT], pairs, count);
}
static size_t accept_triangle(const void *context, sn_broad_pair *pairs, const sn_real *rest,
                              size_t count) {
    const motion *m = context;
    const sn_surface_elements *list = m->surface_contacts->list;
    return accept_near(m, SN_CONTACT_POINT_TRIANGLE, &list[SN_SURFACE_CONTACT_POINT],
                       &list[SN_SURFACE_CONTACT_TRIANGLE], pairs, rest, count);
}
static size_t accept_edges(const void *context, sn_broad_pair *pairs, const sn_real *rest,
                           size_t count) {
    const motion *m = context;
    const sn_surface_elements *list = m->surface_contacts->list;
    return accept_near(m, SN_CONTACT_EDGE_EDGE, &list[SN_SURFACE_CONTACT_EDGE],
                       &list[SN_SURFACE_CONTACT_EDGE], pairs, rest, count);
}

sn_near_accept *const sn_surface_pair_accepts[SN_SURFACE_CONTACT_KINDS] = {
    [SN_CONTACT_POINT_TRIANGLE] = accept_triangle, [SN_CONTACT_EDGE_EDGE] = accept_edges};

/* In the broad phase: elements that belong to no triangle have numbers of their own. */
static size_t accept_loose(const void *context, sn_broad_pair *pairs, size_t count) {
    const motion *m = context;
    const sn_surface_elements *list = m->surface_contacts->list;
    return accept(m, SN_CONTACT_POINT_TRIANGLE, &list[SN_SURFACE_CONTACT_LOOSE],
                  &list[SN_SURFACE_CONTACT_TRIANGLE], pairs, count);
}
/* Two segments are found twice, from either side. */
static size_t accept_free(const void *context, sn_broad_pair *pairs, size_t count) {
    const motion *m = context;
    const sn_surface_elements *list = m->surface_contacts->list;
    size_t once = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = list[SN_SURFACE_CONTACT_SEGMENT].at[(uint32_t)pairs[i]],
                 b = (uint32_t)(pairs[i] >> 32);
        if (m->surface_contacts->tree.edge_owner[b] != UINT32_MAX || a < b)
            pairs[once++] = pairs[i];
    }
    return accept(m, SN_CONTACT_EDGE_EDGE, &list[SN_SURFACE_CONTACT_SEGMENT],
                  &list[SN_SURFACE_CONTACT_EDGE], pairs, once);
}

sn_broad_accept *const sn_surface_pair_accepts_loose[SN_SURFACE_CONTACT_KINDS] = {
    accept_points, accept_segment, accept_loose, accept_free};

/* Whether the broad phase searches a list, or trees have the boxes of it. Of what belongs to
   triangles most is in neither. */
static bool has_boxes(const sn_surface_contacts *m, int list) {
    if (list == SN_SURFACE_CONTACT_TRIANGLE) return true;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        int first = (int)sn_surface_kind_of(kind)->searched_first,
            second = (int)sn_surface_kind_of(kind)->searched_second;
        if ((list == first || list == second) && m->list[first].count > 0 &&
            m->list[second].count > 0)
            return true;
    }
    return false;
}

static bool search_kind(const motion *m, int kind) {
    sn_surface_contacts *surface_contacts = m->surface_contacts;
    sn_surface_contact_list first = sn_surface_kind_of(kind)->searched_first,
                            second = sn_surface_kind_of(kind)->searched_second;
    const sn_surface_elements *one = &surface_contacts->list[first],
                              *two = &surface_contacts->list[second];
    sn_boxes items = {one->low, one->high, one->count}, others = {two->low, two->high, two->count};
    if (one->count == 0 || two->count == 0) items.count = others.count = 0;
    return sn_broad_find(&surface_contacts->broad[kind], &m->world->memory, m->world->bindings.team,
                         m->world->settings.broad_phase, &items, first == second ? NULL : &others,
                         sn_surface_pair_accepts_loose[kind], m);
}

/* The next whole number, which is only begun by more than rounding. */
static double whole(double x) {
    return (double)(int64_t)(x + 0.999999);
}

/*
 * s: for how long to find pairs. The boxes of what moves by much of its own size in a step overlap
 * with hundreds of others, and pairs that only might touch are looked at in every substep: it is
 * cheaper to search for a part of the step, and then again. So is it where what begins to fall
 * leaves its slack.
 */
static double horizon_of(const motion *m, double least, double most) {
    const sn_surface_elements *points = &m->surface_contacts->list[SN_SURFACE_CONTACT_POINT];
    sn_vec3 g = m->world->settings.gravity;
    double sum = 0, radius = 0, pull = sqrt((double)sn_vec3_dot(g, g));
    for (size_t k = 0; k < points->count; k++) {
        sn_v4 own = velocity_of(m, points->node[k]) - m->mean;
        sum += sqrt((double)sn_v4_dot(own, own));
        radius += (double)m->world->nodes.radius[points->node[k]] / (double)points->count;
    }
    double size = m->surface_contacts->size + 2 * radius;
    /* Whom the step touches is to be woken before it: all of it counts. */
    if (m->world->sleep.count > 0 && m->h == 0) return most;
    const patience *p = patience_of(m);
    double time = sum > 0 ? p->size * size * (double)points->count / sum : most;
    double fall = pull > 0 ? sqrt(0.5 * radius / (FALL * pull)) : most;
    if (fall < time) time = fall;
    if (!(time > least)) time = least;
    if (!(time < most)) return most;
    /* Whole substeps, as pairs are used to the end of each. */
    const double h = m->surface_contacts->h, left = whole(most / h);
    double substeps = whole(time / h);
    if (p->even) substeps = whole(left / whole(left / substeps));
    time = h * substeps;
    return time < most ? time : most;
}

/*
 * s: where pairs are found for all of a step, for how long they may do. While everybody goes by
 * less than two radii they are nearly as few as for one step, and what rests is found once in a
 * while.
 */
static double keep_for(const motion *m) {
    const sn_surface_elements *points = &m->surface_contacts->list[SN_SURFACE_CONTACT_POINT];
    double fastest = 0, least = INFINITY;
    for (size_t k = 0; k < points->count; k++) {
        sn_v4 own = velocity_of(m, points->node[k]) - m->mean;
        double square = (double)sn_v4_dot(own, own), radius;
        radius = (double)m->world->nodes.radius[points->node[k]];
        if (!(square <= fastest)) fastest = square;
        if (radius < least) least = radius;
    }
    double most = MOST_STEPS * m->left, time = 2 * least / sqrt(fastest);
    if (!(time > 2 * m->left) || m->world->sleep.count > 0) return m->left;
    return time < most ? time : most;
}

static bool search(motion *m) {
    sn_world *world = m->world;
    sn_surface_contacts *surface_contacts = m->surface_contacts;
    sn_expected_motions_find(m);
    for (int i = 0; i < SN_SURFACE_CONTACT_LISTS; i++) {
        boxing b = {m, &surface_contacts->list[i], sn_surface_contact_corners[i]};
        if (!has_boxes(surface_contacts, i)) continue;
        sn_team_run(world->bindings.team, surface_contacts->list[i].count, NODES_ALONE, box_range,
                    &b);
    }
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++)
        if (!search_kind(m, kind)) return false;
    sn_surface_bvh_fit(world, surface_contacts);
    if (!sn_surface_bvh_traverse(world, surface_contacts, sn_surface_pair_accepts, m)) return false;
    return !sn_world_is_periodic(world) || sn_image_pairs_find(m, accept_images);
}

bool sn_surface_contact_find(sn_world *world, sn_surface_contacts *surface_contacts, double time,
                             double h) {
    motion m = {
        .world = world, .surface_contacts = surface_contacts, .time = time, .left = time, .h = h};
    sn_reach *reach = &sn_collision_surfaces_of(world)->reach;
    m.mean = mean_of(&m);
    sn_v4_store(&reach->mean, m.mean);
    m.time = horizon_of(&m, 2 * surface_contacts->h, time);
    if (h == 0 && m.time == time) m.time = keep_for(&m);
    reach->horizon = m.time;
    sn_team_run(world->bindings.team, surface_contacts->list[SN_SURFACE_CONTACT_POINT].count,
                NODES_ALONE, expect_range, &m);
    return search(&m);
}

bool sn_surface_contact_find_kept(sn_world *world, sn_surface_contacts *surface_contacts) {
    const sn_reach *reach = &sn_collision_surfaces_of(world)->reach;
    motion m = {.world = world, .surface_contacts = surface_contacts, .time = reach->horizon};
    m.mean = sn_v4_load(&reach->mean);
    return search(&m);
}
