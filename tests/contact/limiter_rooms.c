/*
 * Blocks of pairs that the motion limiter does not look at: whatever nodes do, each of their pairs
 * is free by the exact test; where nodes do little, or all the same, none is looked at; and what
 * moves at one end of a sheet wakes nobody at the other.
 */
#include "check.h"
#include "contact/limiter/limiter_parts.h"
#include "crossing_sheets.h"

static const sn_vec3 nowhere = {0, 0, 0};
static const double WIDTH = 0.6; /* m */

/* From 8 to 12 mm above the other, so that rooms differ. */
static sn_vec3 above(double x, double z, void *user) {
    (void)user;
    return (sn_vec3){(sn_real)x, (sn_real)(0.010 + 0.004 * x / WIDTH), (sn_real)(z + 0.003)};
}

/* Two long sheets, one above the other, as they are when a substep begins: nothing moves yet. */
static sheets *two_sheets(void) {
    sheets *s = sheets_make(2, 1, nowhere);
    sheet def = sheet_default();
    def.width = WIDTH;
    def.length = 0.08;
    def.columns = 60;
    def.rows = 8;
    def.thickness = 0.01;
    def.penetration_free = true;
    (void)sheets_add(s, &def);
    def.shape = above;
    (void)sheets_add(s, &def);
    CHECK_OK(sn_world_step(s->world, (sn_real)1e-4));
    return s;
}

/* How far node i goes. */
typedef sn_vec3 motion(const sheets *s, size_t i, double far);

/* Where nodes are when the substep begins, and when it ends. */
static void move(const sheets *s, motion *begin, motion *end, double far) {
    for (size_t i = 0; i < s->nodes; i++) {
        sn_vec3 from = begin(s, i, far), to = end(s, i, far);
        s->world->nodes.p[i] = (sn_vec4){from.x, from.y, from.z, 0};
        s->world->nodes.d[i] = (sn_vec4){to.x, to.y, to.z, 0};
    }
}

static sn_vec3 stay(const sheets *s, size_t i, double far) {
    (void)s, (void)i, (void)far;
    return nowhere;
}

/* The sheets come nearer to each other by twice as much. */
static sn_vec3 close_in(const sheets *s, size_t i, double far) {
    return (sn_vec3){0, (sn_real)(i < s->nodes / 2 ? far : -far), 0};
}

static sn_vec3 go_along(const sheets *s, size_t i, double far) {
    (void)s, (void)i;
    return (sn_vec3){(sn_real)far, (sn_real)(-2 * far), (sn_real)(0.5 * far)};
}

/* The right end of the upper sheet sinks. */
static sn_vec3 sink(const sheets *s, size_t i, double far) {
    bool sinks = i >= s->nodes / 2 && (double)s->world->nodes.x[i].x > 0.4 * WIDTH;
    return (sn_vec3){0, (sn_real)(sinks ? -far : 0), 0};
}

/* Everybody goes elsewhere, in a cube. */
static sn_vec3 scatter(const sheets *s, size_t i, double far) {
    uint64_t state = (uint64_t)i + 1;
    double to[3];
    (void)s;
    for (int k = 0; k < 3; k++) {
        for (int n = 0; n < 4; n++) state = state * 6364136223846793005u + 1442695040888963407u;
        to[k] = far * ((double)(int64_t)(state >> 11) / 4503599627370496.0 - 1);
    }
    return (sn_vec3){(sn_real)to[0], (sn_real)to[1], (sn_real)to[2]};
}

typedef struct answer {
    size_t blocks, told; /* those with pairs, and those that are free without a look */
    size_t passing;      /* pairs that are not free, */
    size_t missed;       /* and are in blocks that were told to be */
} answer;

static void ask_pairs(const sn_limiter_pass *p, const bool *told, answer *a) {
    for (size_t k = 0; k < p->set->count; k++) {
        const uint32_t slot = p->set->pair[k].slot;
        const sn_limiter_pair pair = sn_limiter_pair_of(p, slot);
        const bool free = sn_limiter_is_free(&pair);
        a->passing += !free;
        a->missed += !free && told[slot / SN_CONTACT_BLOCK];
    }
}

/* What is told, and what is so. */
static answer ask(sn_limiter_pass *p) {
    enum { MOST_BLOCKS = 8192 };
    static bool told[MOST_BLOCKS];
    answer a = {0};
    p->scope = SN_LIMITER_ALL;
    sn_limiter_place(p);
    CHECK(!p->measures);
    for (int kind = 0; kind < SN_LIMITER_KINDS; kind++) {
        sn_limiter_use_kind(p, kind);
        if (!CHECK(p->set->blocks <= MOST_BLOCKS)) return a;
        for (size_t b = 0; b < p->set->blocks; b++) {
            told[b] = sn_limiter_rooms_tell(p, b);
            a.blocks++;
            a.told += told[b];
        }
        ask_pairs(p, told, &a);
    }
    return a;
}

static void look(sn_limiter_pass *p) {
    for (int kind = 0; kind < SN_LIMITER_KINDS; kind++) {
        sn_limiter_use_kind(p, kind);
        (void)sn_limiter_find_doubts(p);
    }
}

/* Rooms of nodes that are where they are. */
static sn_limiter_pass measure(const sheets *s) {
    sn_limiter_pass p = {.world = s->world, .limiter = sn_limiter_of(s->world)};
    move(s, stay, stay, 0);
    sn_limiter_forget(s->world);
    CHECK(sn_limiter_reserve(s->world));
    sn_limiter_place(&p);
    CHECK(p.measures);
    look(&p);
    return p;
}

TEST(what_stays_or_goes_along_is_not_looked_at) {
    sheets *s = two_sheets();
    sn_limiter_pass p = measure(s);
    answer a = ask(&p);
    CHECK(a.blocks > 100 && a.told == a.blocks && a.passing == 0);
    move(s, go_along, go_along, 0.5);
    CHECK(ask(&p).told == a.blocks);
    move(s, stay, scatter, 1e-4);
    CHECK(ask(&p).told == a.blocks);
    sheets_free(s);
}

/* From no motion at all to so much that all pairs pass, when the substep begins, when it ends, and
   in both. */
TEST(what_is_not_looked_at_is_free) {
    static motion *const ways[][2] = {
        {stay, close_in}, {close_in, stay}, {close_in, close_in}, {stay, scatter}, {scatter, stay}};
    sheets *s = two_sheets();
    sn_limiter_pass p = measure(s);
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        size_t before = SIZE_MAX, passing = 0, some = 0;
        check_case("way %zu", way);
        for (double far = 0; far < 0.012; far += 1e-3) {
            move(s, ways[way][0], ways[way][1], far);
            answer a = ask(&p);
            CHECK(a.missed == 0);
            /* The further they go, the more must be looked at. */
            CHECK(a.told <= before);
            before = a.told;
            passing += a.passing;
            some += a.told > 0 && a.told < a.blocks;
        }
        CHECK(before == 0 && some > 0);
        CHECK(passing > 0 || way == 2);
    }
    sheets_free(s);
}

TEST(one_end_does_not_wake_the_other) {
    sheets *s = two_sheets();
    sn_limiter_pass p = measure(s);
    CHECK(sn_surface_contacts_of(s->world)->partition.slabs > 1);
    move(s, stay, sink, 0.02);
    answer a = ask(&p);
    CHECK(a.passing > 0 && a.missed == 0);
    CHECK(2 * a.told > a.blocks);
    sheets_free(s);
}

/* Where much had to be looked at it is measured anew, from where nodes are now. */
TEST(worn_rooms_are_measured_anew) {
    sheets *s = two_sheets();
    sn_limiter_pass p = measure(s);
    move(s, close_in, close_in, 0.004);
    for (int turn = 0; turn < 2; turn++) {
        sn_limiter_place(&p);
        CHECK(p.measures == (turn == 1));
        look(&p);
    }
    answer a = ask(&p);
    CHECK(a.told > 0 && a.missed == 0);
    sheets_free(s);
}

TESTS(RUN(what_stays_or_goes_along_is_not_looked_at), RUN(what_is_not_looked_at_is_free),
      RUN(one_end_does_not_wake_the_other), RUN(worn_rooms_are_measured_anew))
