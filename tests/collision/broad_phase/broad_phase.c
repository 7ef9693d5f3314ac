/*
 * The broad phase against testing every box with every other: all characters of boxes, both ways,
 * one and two sets, any number of threads, repeated, and without memory.
 */
#include "base/meter.h"
#include "boxes.h"
#include "check.h"

#include <math.h>
#include <string.h>

static const sn_broad_phase ways[] = {SN_BROAD_AUTO, SN_BROAD_GRID, SN_BROAD_TREE};
static const char *const way_names[] = {"auto", "grid", "tree"};
enum { WAYS = 3 };

static sn_memory ordinary(void) {
    return (sn_memory){.allocator = sn_allocator_default()};
}

/* ---- What is expected ---- */

static bool is_finite(sn_vec4 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static bool is_box(const boxes *b, size_t i) {
    return is_finite(b->low[i]) && is_finite(b->high[i]) && b->low[i].x <= b->high[i].x &&
           b->low[i].y <= b->high[i].y && b->low[i].z <= b->high[i].z;
}

static bool overlap(const boxes *a, size_t i, const boxes *b, size_t k) {
    sn_vec4 p = a->low[i], q = a->high[i], r = b->low[k], s = b->high[k];
    return is_box(a, i) && is_box(b, k) && p.x <= s.x && r.x <= q.x && p.y <= s.y && r.y <= q.y &&
           p.z <= s.z && r.z <= q.z;
}

/* Compares all lists with what every pair says; `others` may be null. */
static bool is_right(const sn_broad *broad, const boxes *items, const boxes *others,
                     sn_broad_accept *accept, const void *context) {
    const boxes *b = others ? others : items;
    size_t total = 0;
    for (size_t i = 0; i < items->count; i++) {
        size_t found = 0;
        const uint32_t *partner = broad->partner + (broad->number[i] ? broad->first[i] : 0);
        for (size_t k = others ? 0 : i + 1; k < b->count; k++) {
            if (!overlap(items, i, b, k)) continue;
            sn_broad_pair pair = sn_broad_pair_of((uint32_t)i, (uint32_t)k);
            if (accept && accept(context, &pair, 1) == 0) continue;
            if (found >= broad->number[i] || partner[found] != k) return false;
            found++;
        }
        if (found != broad->number[i]) return false;
        total += found;
    }
    return total == broad->total;
}

/* Finds in every way with a team of this many threads, and compares. */
static void check_all(const boxes *items, const boxes *others, int threads) {
    sn_memory memory = ordinary();
    sn_team *team = sn_team_create(&memory, threads, &(sn_task_system){0});
    if (!CHECK(team)) return;
    sn_boxes a = boxes_view(items), b = others ? boxes_view(others) : a;
    for (int w = 0; w < WAYS; w++) {
        check_case("%s, %zu boxes, %d threads", way_names[w], items->count, threads);
        sn_broad broad = {0};
        sn_team_begin(team);
        CHECK(sn_broad_find(&broad, &memory, team, ways[w], &a, others ? &b : NULL, NULL, NULL));
        sn_team_end(team);
        CHECK(is_right(&broad, items, others, NULL, NULL));
        sn_broad_free(&broad, &memory);
    }
    sn_team_destroy(&memory, team);
    CHECK(memory.held == 0);
}

static const sn_vec3 origin = {0, 0, 0};

/* ---- Characters of boxes ---- */

TEST(even_boxes_are_found) {
    for (size_t count = 0; count < 40; count++) {
        boxes b;
        boxes_init(&b, count, count);
        boxes_scatter(&b, origin, 3, 1, 1);
        check_all(&b, NULL, 1);
        boxes_free(&b);
    }
    for (int n = 1; n <= 3; n++) {
        boxes b;
        boxes_init(&b, 1500, (uint64_t)n);
        boxes_scatter(&b, origin, 12, 0.5 * n, 1.5);
        check_all(&b, NULL, 1);
        boxes_free(&b);
    }
}

TEST(uneven_boxes_are_found) {
    boxes b;
    boxes_init(&b, 1500, 4);
    boxes_scatter(&b, origin, 20, 0.1, 0.2);
    for (size_t i = 0; i < b.count; i++) {
        double size = pow(2, 10 * boxes_random(&b) - 7);
        sn_vec4 low = b.low[i];
        boxes_set(&b, i, (sn_vec3){low.x, low.y, low.z},
                  (sn_vec3){(sn_real)size, (sn_real)(size * boxes_random(&b)), (sn_real)size});
    }
    check_all(&b, NULL, 1);
    boxes_free(&b);
}

TEST(a_few_huge_boxes_do_not_matter) {
    boxes b;
    boxes_init(&b, 1500, 5);
    boxes_scatter(&b, origin, 12, 0.9, 1);
    boxes_set(&b, 3, origin, (sn_vec3){1000, 1000, 1000});
    boxes_set(&b, 700, (sn_vec3){4, 0, 0}, (sn_vec3){3, 100, (sn_real)0.1});
    b.low[1499] = (sn_vec4){-SN_REAL_MAX, -SN_REAL_MAX, -SN_REAL_MAX, 0};
    b.high[1499] = (sn_vec4){SN_REAL_MAX, SN_REAL_MAX, SN_REAL_MAX, 0};
    check_all(&b, NULL, 1);
    boxes other;
    boxes_init(&other, 900, 6);
    boxes_scatter(&other, origin, 12, 0.9, 1);
    check_all(&b, &other, 1);
    check_all(&other, &b, 1);
    boxes_free(&other);
    boxes_free(&b);
}

TEST(two_sets_are_found) {
    boxes a, b;
    boxes_init(&a, 700, 7);
    boxes_init(&b, 1100, 8);
    boxes_scatter(&a, origin, 10, 1, 1);
    boxes_scatter(&b, (sn_vec3){3, 3, 3}, 8, 1, 1.5);
    check_all(&a, &b, 1);
    /* Points and what is larger, both ways round. */
    boxes_scatter(&a, origin, 8, 0, 0);
    check_all(&a, &b, 1);
    check_all(&b, &a, 1);
    /* Nothing on one side. */
    a.count = 0;
    check_all(&a, &b, 1);
    check_all(&b, &a, 1);
    boxes_free(&a);
    boxes_free(&b);
}

TEST(what_is_no_box_meets_nobody) {
    boxes b;
    boxes_init(&b, 600, 9);
    boxes_scatter(&b, origin, 6, 1, 1);
    for (size_t i = 0; i < b.count; i += 3) {
        sn_vec4 *low = &b.low[i], *high = &b.high[i];
        switch (i % 8) {
        case 0:
            low->x = (sn_real)NAN;
            break;
        case 1:
            high->z = (sn_real)NAN;
            break;
        case 2:
            low->y = -(sn_real)INFINITY;
            break;
        case 3:
            high->y = (sn_real)INFINITY;
            break;
        case 4:
            low->x = high->x + 1;
            break;
        case 5:
            low->z = high->z + 1;
            break;
        case 6:
            low->x = (sn_real)INFINITY, high->x = -(sn_real)INFINITY;
            break;
        default:
            high->y = low->y - 1;
            break;
        }
    }
    check_all(&b, NULL, 1);
    for (size_t i = 0; i < b.count; i++) b.low[i].x = (sn_real)NAN;
    check_all(&b, NULL, 1);
    boxes_free(&b);
}

TEST(all_in_one_place_comes_to_an_end) {
    boxes b;
    boxes_init(&b, 1400, 10);
    boxes_scatter(&b, origin, 0, 1, 1);
    check_all(&b, NULL, 1);
    boxes_scatter(&b, origin, 0, 0, 0);
    check_all(&b, NULL, 1);
    boxes_scatter(&b, origin, 0.5, 1, 2);
    check_all(&b, NULL, 1);
    boxes_free(&b);
}

TEST(flat_boxes_are_found) {
    boxes b;
    boxes_init(&b, 1500, 11);
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < b.count; i++) {
            sn_vec3 middle = {(sn_real)(20 * boxes_random(&b)), (sn_real)(20 * boxes_random(&b)),
                              (sn_real)(20 * boxes_random(&b))};
            sn_vec3 size = {1, 1, 1};
            sn_real *m = axis == 0 ? &middle.x : axis == 1 ? &middle.y : &middle.z;
            *m = (sn_real)(int)(*m / 5); /* layers */
            *(axis == 0 ? &size.x : axis == 1 ? &size.y : &size.z) = 0;
            boxes_set(&b, i, middle, size);
        }
        check_all(&b, NULL, 1);
    }
    boxes_free(&b);
}

TEST(touching_counts) {
    /* Bricks on a lattice: each touches all 26 around it. */
    boxes b;
    boxes_init(&b, 10 * 10 * 10, 12);
    for (size_t i = 0; i < b.count; i++)
        boxes_set(&b, i,
                  (sn_vec3){(sn_real)(i % 10), (sn_real)(i / 10 % 10), (sn_real)(i / 100) - 5},
                  (sn_vec3){1, 1, 1});
    check_all(&b, NULL, 1);
    boxes_free(&b);
}

TEST(any_place_in_space_will_do) {
    boxes b;
    boxes_init(&b, 1200, 13);
    static const sn_vec3 far[] = {{-1000, 2000, -500}, {1000000, -1000000, 1000000}};
    for (size_t f = 0; f < 2; f++) {
        boxes_scatter(&b, far[f], 0.01, 0.001, 0.001);
        check_all(&b, NULL, 1);
        boxes_scatter(&b, far[f], 10, 1, 1);
        check_all(&b, NULL, 1);
    }
    /* Small boxes in a wide world, and crowds far apart. */
    boxes_scatter(&b, origin, 10000, 0.005, 0.005);
    check_all(&b, NULL, 1);
    for (size_t i = 0; i < b.count; i++) {
        sn_real at = i % 2 ? 1000000 : -1000000;
        boxes_set(&b, i,
                  (sn_vec3){at + (sn_real)boxes_random(&b), at, at + (sn_real)boxes_random(&b)},
                  (sn_vec3){(sn_real)0.05, (sn_real)0.05, (sn_real)0.05});
    }
    check_all(&b, NULL, 1);
    /* One that is lost. */
    boxes_scatter(&b, origin, 10, 1, 1);
    boxes_set(&b, 77, (sn_vec3){(sn_real)1e30, (sn_real)-1e30, (sn_real)1e30}, (sn_vec3){1, 1, 1});
    check_all(&b, NULL, 1);
    boxes_set(&b, 78, (sn_vec3){-SN_REAL_MAX, SN_REAL_MAX, 0}, origin);
    boxes_set(&b, 79, (sn_vec3){SN_REAL_MAX, -SN_REAL_MAX, 0}, origin);
    check_all(&b, NULL, 1);
    boxes_free(&b);
}

TEST(sheets_and_strings_are_found) {
    boxes b;
    boxes_init(&b, 2000, 14);
    for (int axis = 0; axis < 3; axis++) {
        for (int dimensions = 1; dimensions <= 2; dimensions++) {
            for (size_t i = 0; i < b.count; i++) {
                sn_real x[3] = {0, 0, 0};
                x[axis] = (sn_real)(40 * boxes_random(&b));
                if (dimensions == 2) x[(axis + 1) % 3] = (sn_real)(40 * boxes_random(&b));
                boxes_set(&b, i, (sn_vec3){x[0], x[1], x[2]}, (sn_vec3){1, 1, 1});
            }
            check_all(&b, NULL, 1);
        }
    }
    boxes_free(&b);
}

/* ---- Choice ---- */

static size_t keep_odd_pairs(const void *context, sn_broad_pair *pairs, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = (uint32_t)pairs[i], b = (uint32_t)(pairs[i] >> 32);
        if ((a + b) % *(const uint32_t *)context == 1) pairs[kept++] = pairs[i];
    }
    return kept;
}

TEST(pairs_can_be_refused) {
    boxes b;
    boxes_init(&b, 1000, 15);
    boxes_scatter(&b, origin, 8, 1, 1);
    sn_boxes view = boxes_view(&b);
    sn_memory memory = ordinary();
    sn_team *team = sn_team_create(&memory, 1, &(sn_task_system){0});
    sn_broad broad = {0};
    uint32_t two = 2;
    for (int w = 0; w < WAYS && team; w++) {
        check_case("%s", way_names[w]);
        CHECK(sn_broad_find(&broad, &memory, team, ways[w], &view, NULL, keep_odd_pairs, &two));
        CHECK(broad.total > 100);
        CHECK(is_right(&broad, &b, NULL, keep_odd_pairs, &two));
    }
    sn_broad_free(&broad, &memory);
    sn_team_destroy(&memory, team);
    boxes_free(&b);
}

/* ---- Threads ---- */

TEST(threads_do_not_matter) {
    boxes a, b;
    boxes_init(&a, 1500, 16);
    boxes_init(&b, 1200, 17);
    boxes_scatter(&a, origin, 10, 1, 1.5);
    boxes_scatter(&b, origin, 10, 1, 1.5);
    boxes_set(&a, 9, origin, (sn_vec3){50, 50, 50});
    for (int threads = 1; threads <= 8; threads++) {
        check_all(&a, NULL, threads);
        check_all(&a, &b, threads);
    }
    boxes_free(&a);
    boxes_free(&b);
}

/* ---- Repeating ---- */

TEST(boxes_that_move_are_found_again) {
    sn_memory memory = ordinary();
    sn_team *team = sn_team_create(&memory, 1, &(sn_task_system){0});
    if (!CHECK(team)) return;
    for (int w = 0; w < WAYS; w++) {
        boxes b;
        boxes_init(&b, 1000, 18);
        boxes_scatter(&b, origin, 10, 0.5, 1.5);
        sn_boxes view = boxes_view(&b);
        sn_broad broad = {0};
        for (int round = 0; round < 12; round++) {
            check_case("%s, round %d", way_names[w], round);
            CHECK(sn_broad_find(&broad, &memory, team, ways[w], &view, NULL, NULL, NULL));
            CHECK(is_right(&broad, &b, NULL, NULL, NULL));
            /* A little, then far, then to another character; some come and go. */
            boxes_move(&b, round < 6 ? 0.02 : round < 9 ? 3 : 0.02);
            if (round == 9) boxes_scatter(&b, origin, 30, 0.1, 4);
            for (size_t i = 0; i < b.count; i += 50) {
                sn_real x = b.low[i].x;
                b.low[i].x = b.high[i].x;
                b.high[i].x = x;
            }
        }
        sn_broad_free(&broad, &memory);
        boxes_free(&b);
    }
    sn_team_destroy(&memory, team);
    CHECK(memory.held == 0);
}

TEST(a_tree_is_kept_while_it_is_good) {
    sn_memory memory = ordinary();
    sn_team *team = sn_team_create(&memory, 1, &(sn_task_system){0});
    if (!CHECK(team)) return;
    boxes b;
    boxes_init(&b, 1000, 19);
    boxes_scatter(&b, origin, 10, 0.5, 1.5);
    sn_boxes view = boxes_view(&b);
    sn_broad broad = {0};
    for (int round = 0; round < 10; round++, boxes_move(&b, 0.01))
        CHECK(sn_broad_find(&broad, &memory, team, SN_BROAD_TREE, &view, NULL, NULL, NULL));
    CHECK(broad.used == SN_BROAD_TREE);
    CHECK(broad.rebuilt == 1);
    boxes_scatter(&b, origin, 10, 0.5, 1.5);
    CHECK(sn_broad_find(&broad, &memory, team, SN_BROAD_TREE, &view, NULL, NULL, NULL));
    CHECK(broad.rebuilt == 2);
    sn_broad_free(&broad, &memory);
    boxes_free(&b);
    sn_team_destroy(&memory, team);
}

/* ---- Memory ---- */

static meter m;

TEST(nothing_is_allocated_when_sizes_repeat) {
    meter_init(&m);
    sn_memory memory = {.allocator = meter_allocator(&m)}, other = ordinary();
    sn_team *team = sn_team_create(&other, 3, &(sn_task_system){0});
    if (!CHECK(team)) return;
    boxes b;
    boxes_init(&b, 2000, 20);
    boxes_scatter(&b, origin, 12, 1, 1);
    sn_boxes view = boxes_view(&b);
    for (int w = 0; w < WAYS; w++) {
        check_case("%s", way_names[w]);
        sn_broad broad = {0};
        size_t calls = 0;
        for (int round = 0; round < 20; round++) {
            sn_team_begin(team);
            CHECK(sn_broad_find(&broad, &memory, team, ways[w], &view, NULL, NULL, NULL));
            sn_team_end(team);
            if (round > 0) CHECK(m.calls == calls);
            calls = m.calls;
        }
        sn_broad_free(&broad, &memory);
        CHECK(m.blocks == 0 && m.mistakes == 0 && memory.held == 0);
    }
    boxes_free(&b);
    sn_team_destroy(&other, team);
}

TEST(without_memory_it_says_so) {
    sn_memory other = ordinary();
    sn_team *team = sn_team_create(&other, 1, &(sn_task_system){0});
    if (!CHECK(team)) return;
    boxes b, c;
    boxes_init(&b, 500, 21);
    boxes_init(&c, 600, 22);
    boxes_scatter(&b, origin, 6, 1, 1);
    boxes_scatter(&c, origin, 6, 1, 1);
    sn_boxes items = boxes_view(&b), others = boxes_view(&c);
    for (int w = 0; w < 2 * WAYS; w++) {
        const sn_boxes *partners = w < WAYS ? NULL : &others;
        bool there = false;
        size_t given = 0;
        for (; !there && CHECK(given < 100); given++) {
            check_case("%s, %zu blocks", way_names[w % WAYS], given);
            meter_init(&m);
            m.fail_after = given;
            sn_memory memory = {.allocator = meter_allocator(&m)};
            sn_broad broad = {0};
            there =
                sn_broad_find(&broad, &memory, team, ways[w % WAYS], &items, partners, NULL, NULL);
            CHECK(there == (m.failures == 0));
            /* With memory again it goes on as if nothing had been. */
            m.fail_after = METER_NEVER;
            CHECK(
                sn_broad_find(&broad, &memory, team, ways[w % WAYS], &items, partners, NULL, NULL));
            CHECK(is_right(&broad, &b, partners ? &c : NULL, NULL, NULL));
            sn_broad_free(&broad, &memory);
            CHECK(m.blocks == 0 && m.mistakes == 0 && memory.held == 0);
        }
        CHECK(given > 4);
    }
    boxes_free(&b);
    boxes_free(&c);
    sn_team_destroy(&other, team);
}

TESTS(RUN(even_boxes_are_found), RUN(uneven_boxes_are_found), RUN(a_few_huge_boxes_do_not_matter),
      RUN(two_sets_are_found), RUN(what_is_no_box_meets_nobody),
      RUN(all_in_one_place_comes_to_an_end), RUN(flat_boxes_are_found), RUN(touching_counts),
      RUN(any_place_in_space_will_do), RUN(sheets_and_strings_are_found), RUN(pairs_can_be_refused),
      RUN(threads_do_not_matter), RUN(boxes_that_move_are_found_again),
      RUN(a_tree_is_kept_while_it_is_good), RUN(nothing_is_allocated_when_sizes_repeat),
      RUN(without_memory_it_says_so))
