/*
 * What is near was found: pairs that touch when a step of the measured scene S6 ends were among
 * those that the step had, as asking all points and triangles, and all edges, tells. The cloth has
 * struck the ball and the floor and crumples, so that pairs of moved nodes are found again. What is
 * next to each other at rest may be left out where the cloth is flat, and does not count. Of a
 * cloth that is penetration-free nothing is left out: there all count that are closer than they may
 * be, in every frame, thin or thick.
 *
 *     SINEW_MISSED=1 build/release/tests/broad_phase_candidate_pairs
 *
 * prints the counts from the frame on in which it strikes the floor, where some are missed: two
 * flat parts that are beside each other at rest are left out (surface_bvh_traverse.c), and what
 * lies between them, up to three thicknesses, is folded there.
 */
#include "check.h"
#include "contact/surface/surface_pair.h"

#include <math.h>
#include <scenes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements whose first nodes are further apart than `reach` (m) along an axis are not near each
   other; which are so along x is known by the order of `by_x`. */
static bool is_far(sn_vec4 a, sn_vec4 b, sn_real reach) {
    return a.y - b.y > reach || b.y - a.y > reach || a.z - b.z > reach || b.z - a.z > reach;
}

typedef struct placed {
    sn_vec4 x;
    uint32_t element;
} placed;

static int compare_placed(const void *a, const void *b) {
    const placed *p = a, *q = b;
    return (p->x.x > q->x.x) - (p->x.x < q->x.x);
}

/* The elements by the places of their first nodes. */
static placed *by_x(const sn_world *world, const sn_surface_elements *elements, int nodes) {
    placed *list = malloc((elements->count + 1) * sizeof *list);
    REQUIRE_OK(list ? SN_OK : SN_ERROR_MEMORY);
    for (uint32_t i = 0; i < elements->count; i++)
        list[i] = (placed){world->nodes.x[elements->node[i * (size_t)nodes]], i};
    qsort(list, elements->count, sizeof *list, compare_placed);
    return list;
}

/* Whether they are beside each other at rest. */
static bool are_beside(const sn_world *world, int kind, const uint32_t *node) {
    sn_real most = 4 * sn_surface_pair_radii(world, kind, node);
    return sn_surface_pair_limit_any(world, kind, node, most) < most / 2;
}

static bool share_node(int kind, const uint32_t *node) {
    for (int i = 0; i < sn_contact_first[kind]; i++)
        for (int k = sn_contact_first[kind]; k < sn_contact_nodes(kind); k++)
            if (node[i] == node[k]) return true;
    return false;
}

static bool is_listed(const sn_contact_set *set, uint32_t a, uint32_t b) {
    size_t low = 0, high = set->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const sn_contact_pair *pair = &set->pair[middle];
        if (pair->a < a || (pair->a == a && pair->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->pair[low].a == a && set->pair[low].b == b;
}

typedef struct count {
    size_t near, missed;
} count;

/* With `all` those that are beside each other at rest too, as close as they may come. */
static void look_at(const sn_world *world, int kind, uint32_t a, uint32_t b, bool all, count *c) {
    uint32_t node[SN_CONTACT_MOST_NODES];
    sn_real weight[SN_CONTACT_MOST_NODES];
    sn_surface_pair_node_list(sn_surface_contacts_of(world), kind, a, b, node);
    if (share_node(kind, node)) return;
    sn_v4 r = sn_surface_pair_between_any(&world->nodes, kind, node, weight);
    sn_real limit = SN_R(1.01) * sn_surface_pair_radii(world, kind, node);
    if (!(sn_v4_dot(r, r) < limit * limit) || (!all && are_beside(world, kind, node))) return;
    if (all) limit = SN_R(1.01) * sn_surface_pair_limit_any(world, kind, node, limit);
    if (!(sn_v4_dot(r, r) < limit * limit)) return;
    c->near++;
    c->missed += !is_listed(&sn_surface_contacts_of(world)->set[kind], a, b);
}

static count count_all(const sn_world *world, int kind, bool all, sn_real reach) {
    const sn_surface_elements *first =
        &sn_surface_contacts_of(world)->list[sn_surface_kind_of(kind)->first];
    const sn_surface_elements *second =
        &sn_surface_contacts_of(world)->list[sn_surface_kind_of(kind)->second];
    placed *one = by_x(world, first, sn_contact_first[kind]);
    placed *two = by_x(world, second, sn_contact_second[kind]);
    size_t begin = 0;
    count c = {0, 0};
    for (const placed *a = one; a < one + first->count; a++) {
        while (begin < second->count && a->x.x - two[begin].x.x > reach) begin++;
        for (const placed *b = two + begin; b < two + second->count; b++) {
            if (b->x.x - a->x.x > reach) break;
            if (is_far(a->x, b->x, reach) || (first == second && b->element <= a->element))
                continue;
            look_at(world, kind, a->element, b->element, all, &c);
        }
    }
    free(one);
    free(two);
    return c;
}

static const int kinds[] = {SN_CONTACT_POINT_TRIANGLE, SN_CONTACT_EDGE_EDGE};

TEST(what_is_near_was_found) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    size_t near = 0;
    bool prints = getenv("SINEW_MISSED") != NULL;
    REQUIRE_OK(sn_world_create(&def, &world));
    REQUIRE_OK(scene_s6(world, SCENE_SELF_SURFACE, NULL));
    for (int frame = 1; frame <= 40; frame++) {
        REQUIRE_OK(sn_world_step(world, SCENE_DT));
        if (frame < (prints ? 16 : 24) || frame % 4 != 0) continue;
        for (int k = 0; k < 2; k++) {
            count c = count_all(world, kinds[k], false, SN_R(0.03));
            check_case("frame %d, kind %d: %zu of %zu missed", frame, kinds[k], c.missed, c.near);
            if (frame >= 24) CHECK(c.missed == 0);
            near += c.near;
            if (prints)
                printf("frame %d, kind %d: %zu near, %zu missed\n", frame, kinds[k], c.near,
                       c.missed);
        }
    }
    CHECK(near > 100);
    sn_world_destroy(world);
}

/* A cloth of 24 x 24 nodes, 1 cm apart, that falls on a ball and on the floor. */
static void drop_guarded(sn_world *world, sn_real radius) {
    scene_cloth_def cloth = scene_cloth_def_default();
    sn_collider_def collider = sn_collider_def_default();
    sn_collision_surface_def surface = sn_collision_surface_def_default();
    scene_mesh mesh = {0};
    sn_collider made;
    sn_collision_surface skin;
    cloth.columns = cloth.rows = 24;
    cloth.pins = SCENE_PINS_NONE;
    cloth.radius = radius;
    cloth.origin = (sn_vec3){SN_R(-0.105), SN_R(0.13), SN_R(-0.115)};
    REQUIRE_OK(scene_cloth(world, &cloth, &mesh));
    collider.shape = SN_SHAPE_PLANE;
    REQUIRE_OK(sn_collider_create(world, &collider, &made));
    collider.shape = SN_SHAPE_SPHERE;
    collider.radius = collider.position.y = SN_R(0.05);
    REQUIRE_OK(sn_collider_create(world, &collider, &made));
    surface.nodes = mesh.nodes;
    surface.node_count = mesh.node_count;
    surface.triangles = mesh.triangles[0];
    surface.triangle_count = mesh.triangle_count;
    surface.self = surface.penetration_free = true;
    REQUIRE_OK(sn_collision_surface_create(world, &surface, &skin));
    scene_mesh_free(&mesh);
}

/* From a twentieth of the distance of nodes to more than it: nothing thicker is a cloth. */
TEST(nothing_is_left_out_of_what_is_guarded) {
    static const sn_real radii[] = {SN_R(0.0005), SN_R(0.002), SN_R(0.005), SN_R(0.011)};
    for (int i = 0; i < 4; i++) {
        sn_world_def def = sn_world_def_default();
        sn_world *world;
        size_t near = 0;
        def.threads = 1 + i % 2;
        REQUIRE_OK(sn_world_create(&def, &world));
        drop_guarded(world, radii[i]);
        for (int frame = 1; frame <= 40; frame++) {
            REQUIRE_OK(sn_world_step(world, SCENE_DT));
            /* All pairs take longer than the step. */
            if (frame % 8 != 0 && !check_long()) continue;
            for (int k = 0; k < 2; k++) {
                count c = count_all(world, kinds[k], true, SN_R(0.03) + 2 * radii[i]);
                check_case("radius %g, frame %d, kind %d: %zu of %zu missed", (double)radii[i],
                           frame, kinds[k], c.missed, c.near);
                CHECK(c.missed == 0);
                near += c.near;
            }
        }
        CHECK(near > 100);
        sn_world_destroy(world);
    }
}

/* Forgets what is known of rest, and leaves no room for it. */
static void fill_tables(sn_world *world) {
    sn_rest_tables *tables = &sn_surface_contacts_of(world)->tree.rests;
    for (size_t i = 0; i < sn_surface_contacts_of(world)->tree.leaves; i++)
        for (int k = 0; k < SN_REST_LEAVES; k++) atomic_store(&tables->of[i].with[k].whose, 0);
    atomic_store(&tables->taken, tables->capacity);
}

TEST(without_room_for_tables_of_rest_the_same_is_found) {
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        sn_world_def def = sn_world_def_default();
        sn_world *world;
        REQUIRE_OK(sn_world_create(&def, &world));
        drop_guarded(world, SN_R(0.005));
        for (int frame = 1; frame <= 30; frame++) {
            REQUIRE_OK(sn_world_step(world, SCENE_DT));
            const sn_rest_tables *tables = &sn_surface_contacts_of(world)->tree.rests;
            CHECK(atomic_load(&tables->taken) > 0);
            if (i == 1) fill_tables(world);
        }
        CHECK(sn_surface_contacts_of(world)->set[SN_CONTACT_EDGE_EDGE].count > 100);
        hash[i] = sn_world_hash(world);
        sn_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
}

/* A triangle across the x axis, at x (m). */
static void add_triangle(sn_world *world, sn_real x) {
    static const uint32_t corners[] = {0, 1, 2};
    sn_collision_surface_def surface = sn_collision_surface_def_default();
    sn_collision_surface made;
    sn_node node[3];
    for (int k = 0; k < 3; k++) {
        sn_node_def ball = sn_node_def_default();
        ball.position = (sn_vec3){x, SN_R(0.1) * (sn_real)(k % 2), SN_R(0.1) * (sn_real)(k / 2)};
        ball.radius = SN_R(0.002);
        REQUIRE_OK(sn_node_create(world, &ball, &node[k]));
    }
    surface.nodes = node;
    surface.node_count = 3;
    surface.triangles = corners;
    surface.triangle_count = 1;
    REQUIRE_OK(sn_collision_surface_create(world, &surface, &made));
}

/*
 * One triangle goes its way, and nearly at its end another is beside it all at once, and leaves it
 * at speed. When the first began its path, and when both end theirs, they are far apart.
 */
TEST(who_is_elsewhere_is_near_what_is_under_way) {
    const double horizon = 0.08, since = 0.07;
    const sn_real speed = SN_R(0.2), h = SN_R(0.01), beside = SN_R(0.001);
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    REQUIRE_OK(sn_world_create(&def, &world));
    add_triangle(world, 0);
    add_triangle(world, SN_R(0.1));
    REQUIRE_OK(sn_world_step(world, SN_R(0.1)));
    sn_surface_contacts *m = sn_surface_contacts_of(world);
    sn_nodes *nodes = &world->nodes;
    m->h = (double)h;
    for (int i = 0; i < 3; i++) nodes->v[i].x = speed;
    CHECK(sn_surface_contact_find(world, m, horizon, 0) && sn_surface_contact_pack(world, m));
    CHECK(sn_collision_surfaces_of(world)->reach.horizon == horizon);
    CHECK(m->set[SN_CONTACT_EDGE_EDGE].count == 0);
    for (uint32_t i = 3; i < 6; i++) {
        nodes->x[i].x = speed * (sn_real)since + beside;
        nodes->d[i].x = nodes->p[i].x + 5 * speed * h;
        m->is_moved[i] = 1;
        m->moved[m->moved_count++] = i;
    }
    CHECK(m->moved_count == 3);
    CHECK(sn_surface_pairs_refit_moved(world, m, horizon - since, (double)h, since));
    CHECK(m->set[SN_CONTACT_EDGE_EDGE].count == 9);
    CHECK(m->set[SN_CONTACT_POINT_TRIANGLE].count == 6);
    sn_world_destroy(world);
}

/* The tree over collision surfaces has the box of each in its leaf, and what is above has both. */
TEST(every_surface_is_in_its_boxes) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    REQUIRE_OK(sn_world_create(&def, &world));
    for (int i = 0; i < 3; i++) add_triangle(world, SN_R(0.3) * (sn_real)i);
    REQUIRE_OK(sn_world_step(world, SCENE_DT));
    const sn_surface_bvh *tree = &sn_surface_contacts_of(world)->tree;
    CHECK(tree->tops == 5);
    for (uint32_t s = 0; s < 3; s++) {
        const sn_surface_bvh_node *root = &tree->node[tree->root[s]];
        const sn_surface_bvh_node *leaf = &tree->top[tree->top_of[s]], *top = tree->top;
        CHECK(leaf->count == 1 && leaf->first == s);
        CHECK(memcmp(&leaf->low, &root->low, sizeof root->low) == 0);
        CHECK(memcmp(&leaf->high, &root->high, sizeof root->high) == 0);
        CHECK(top->low.x <= leaf->low.x && top->low.y <= leaf->low.y && top->low.z <= leaf->low.z);
        CHECK(top->high.x >= leaf->high.x && top->high.y >= leaf->high.y &&
              top->high.z >= leaf->high.z);
    }
    sn_world_destroy(world);
}

/* m, 1: what is below a node of a tree. */
typedef struct below {
    double low[3], high[3], radius;
} below;

static void add_to_below(below *all, const double *low, const double *high, double radius) {
    for (int k = 0; k < 3; k++) {
        all->low[k] = fmin(all->low[k], low[k]);
        all->high[k] = fmax(all->high[k], high[k]);
    }
    all->radius = fmax(all->radius, radius);
}

static void add_triangle_to(below *all, const sn_world *world, const uint32_t *corner) {
    double x[3][3], n[3], u[3], v[3], radius = 0;
    for (int c = 0; c < 3; c++) {
        sn_vec4 at = world->nodes.x[corner[c]];
        x[c][0] = (double)at.x, x[c][1] = (double)at.y, x[c][2] = (double)at.z;
        radius = fmax(radius, (double)world->nodes.radius[corner[c]]);
    }
    for (int k = 0; k < 3; k++) u[k] = x[1][k] - x[0][k], v[k] = x[2][k] - x[0][k];
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) n[k] /= length;
    add_to_below(all, n, n, radius);
}

enum { CELLS = 23, ROW = CELLS + 1 };

/* A sheet of random heights that nothing holds together, some of whose nodes are thicker. */
static void add_crumpled(sn_world *world) {
    sn_collision_surface_def surface = sn_collision_surface_def_default();
    sn_collision_surface made;
    sn_node node[ROW * ROW];
    uint32_t triangles[6 * CELLS * CELLS], seed = 7;
    size_t corners = 0;
    for (uint32_t i = 0; i < ROW * ROW; i++) {
        sn_node_def def = sn_node_def_default();
        seed = seed * 1664525u + 1013904223u;
        const sn_real random = (sn_real)(seed >> 8) / SN_R(16777216.0);
        def.position = (sn_vec3){SN_R(0.01) * (sn_real)(i % ROW), SN_R(0.005) * random,
                                 SN_R(0.01) * (sn_real)(i / ROW)};
        def.radius = SN_R(0.0001) * (1 + random);
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
        if (i % ROW == CELLS || i / ROW == CELLS) continue;
        const uint32_t own[6] = {i, i + ROW, i + 1, i + 1, i + ROW, i + ROW + 1};
        for (int k = 0; k < 6; k++) triangles[corners++] = own[k];
    }
    surface.nodes = node;
    surface.node_count = ROW * ROW;
    surface.triangles = triangles;
    surface.triangle_count = corners / 3;
    surface.self = true;
    REQUIRE_OK(sn_collision_surface_create(world, &surface, &made));
}

/* What may be left out is known by the normals and the largest radius of all triangles of a part,
   however many parts it consists of. */
TEST(parts_of_a_sheet_know_their_normals) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    REQUIRE_OK(sn_world_create(&def, &world));
    add_crumpled(world);
    REQUIRE_OK(sn_world_step(world, SCENE_DT));
    const sn_surface_contacts *m = sn_surface_contacts_of(world);
    const sn_surface_elements *triangles = &m->list[SN_SURFACE_CONTACT_TRIANGLE];
    const uint32_t parts = (uint32_t)m->tree.count;
    below *all = malloc(parts * sizeof *all);
    REQUIRE_OK(all ? SN_OK : SN_ERROR_MEMORY);
    CHECK(triangles->count == 2 * CELLS * CELLS && parts > 100);
    for (uint32_t i = parts; i-- > 0;) {
        const sn_surface_bvh_node *node = &m->tree.node[i];
        const sn_surface_bvh_shape *shape = &m->tree.shape[i];
        below *own = &all[i];
        *own = (below){{1, 1, 1}, {-1, -1, -1}, 0};
        for (uint32_t k = 0; k < node->count; k++) {
            const uint32_t triangle = m->tree.leaf[node->first + k].triangle;
            add_triangle_to(own, world, triangles->node + 3 * (size_t)triangle);
        }
        for (int k = 0; k < 2 && node->count == 0; k++) {
            const below *part = &all[k ? node->first : i + 1];
            add_to_below(own, part->low, part->high, part->radius);
        }
        check_case("node %u of %u", i, parts);
        CHECK_NEAR(shape->normal_low.x, own->low[0], 1e-4);
        CHECK_NEAR(shape->normal_low.y, own->low[1], 1e-4);
        CHECK_NEAR(shape->normal_low.z, own->low[2], 1e-4);
        CHECK_NEAR(shape->normal_high.x, own->high[0], 1e-4);
        CHECK_NEAR(shape->normal_high.y, own->high[1], 1e-4);
        CHECK_NEAR(shape->normal_high.z, own->high[2], 1e-4);
        CHECK_NEAR(shape->radius, own->radius, 0);
    }
    free(all);
    sn_world_destroy(world);
}

TESTS(RUN(every_surface_is_in_its_boxes), RUN(parts_of_a_sheet_know_their_normals),
      RUN(who_is_elsewhere_is_near_what_is_under_way), RUN(what_is_near_was_found),
      RUN(nothing_is_left_out_of_what_is_guarded),
      RUN(without_room_for_tables_of_rest_the_same_is_found))
