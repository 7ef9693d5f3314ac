/*
 * The axis along which two boxes are furthest apart in closed form, and by the corners of both: of
 * boxes of all sizes, in all places that are near each other, the same axis and as far.
 */
#include "contact/rigid/rigid_solid.h"

#include "check.h"

#include <math.h>

enum { PAIRS = 20000 };

static double next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (double)(1 << 23) - 1;
}

static sn_v4 random_turn(uint32_t *state) {
    sn_v4 q = {0};
    for (int k = 0; k < 4; k++) q[k] = (sn_real)next_random(state);
    return sn_quat_normalize(q);
}

/* A box in its frame, as rigid_forms.c lists it. */
typedef struct box {
    sn_vec4 point[8], face[6], edge[3];
    sn_rigid_solid solid;
} box;

static void make_box(uint32_t *state, bool turned, box *b) {
    const sn_v4 q = turned ? random_turn(state) : (sn_v4){0, 0, 0, 1};
    sn_v4 half = {0}, middle = {0};
    for (int k = 0; k < 3; k++) {
        half[k] = (sn_real)exp(1.5 * next_random(state));
        middle[k] = (sn_real)next_random(state);
    }
    for (int k = 0; k < 3; k++) {
        sn_v4 axis = {0};
        axis[k] = 1;
        axis = sn_quat_rotate(q, axis);
        sn_v4_store(&b->edge[k], axis);
        sn_v4_store(&b->face[k], axis);
        sn_v4_store(&b->face[k + 3], -axis);
    }
    for (int k = 0; k < 8; k++) {
        const sn_v4 corner = {(k & 1 ? 1 : -1) * half[0], (k & 2 ? 1 : -1) * half[1],
                              (k & 4 ? 1 : -1) * half[2], 0};
        sn_v4_store(&b->point[k], middle + sn_quat_rotate(q, corner));
    }
    b->solid = (sn_rigid_solid){.point = b->point,
                                .face = b->face,
                                .edge = b->edge,
                                .points = 8,
                                .faces = 6,
                                .edges = 3,
                                .radius = (sn_real)(0.01 * (1 + next_random(state))),
                                .box = true,
                                .half = half,
                                .mid = middle,
                                .q = {0, 0, 0, 1}};
}

/* The larger of both, for what is to be alike. */
static double size_of(const sn_rigid_solid s[2]) {
    return (double)(sn_v4_length(s[0].half) + sn_v4_length(s[1].half) + sn_v4_length(s[1].at)) + 1;
}

TEST(boxes_are_as_far_apart_as_their_corners) {
    uint32_t state = 11;
    int near = 0, edges = 0;
    for (int i = 0; i < PAIRS; i++) {
        box own, other;
        sn_rigid_axis quick, slow;
        make_box(&state, i % 2 == 0, &own);
        make_box(&state, i % 3 == 0, &other);
        sn_rigid_solid s[2] = {own.solid, other.solid};
        s[1].second = true;
        s[1].q = i % 5 == 0 ? s[1].q : random_turn(&state);
        for (int k = 0; k < 3; k++) s[1].at[k] = (sn_real)(3 * next_random(&state));
        const sn_real size = SN_R(0.1), margin = SN_R(0.3);
        const double exact = 2e-6 * size_of(s);
        check_case("pair %d", i);
        const double far = (double)sn_rigid_apart_by(s);
        const bool found = sn_rigid_find_axis(s, size, margin, &quick);
        s[0].box = s[1].box = false;
        CHECK_NEAR(far, (double)sn_rigid_apart_by(s), exact);
        if (fabs(far - (double)margin) < exact) continue;
        CHECK(sn_rigid_find_axis(s, size, margin, &slow) == found);
        if (!found) continue;
        near++;
        edges += quick.owner == 2;
        CHECK_NEAR((double)quick.gap, (double)slow.gap, exact + 0.01 * (double)size);
        /* Where two axes are as good, either is one. */
        if (fabs((double)(quick.gap - slow.gap)) > exact || quick.owner != slow.owner) continue;
        const double along = (double)sn_v4_dot(quick.normal, slow.normal);
        const int from = quick.owner == 1;
        const sn_real gap = sn_rigid_gap(&s[from], &s[1 - from], quick.normal);
        CHECK(along > 0.999 || fabs((double)(gap - slow.gap)) < exact);
    }
    check_case("all");
    CHECK(near > PAIRS / 4 && edges > PAIRS / 50);
}

TESTS(RUN(boxes_are_as_far_apart_as_their_corners))
