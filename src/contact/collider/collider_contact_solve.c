/*
 * The formulas of collider_contact.c in lanes: what is clear, and push and friction of what
 * touches.
 *
 * A lane does what depth_of and solve do there, in their order, as long as that is the usual:
 * a node that is outside and slow, or inside on the side where it came in, in this substep. Where
 * it is not, nothing is written and the pair stays in the list.
 */
#include "contact/collider/collider_contact_solve.h"

#include "collision/collider_pose.h"
#include "contact/contact_solve.h"
#include "contact/contacts.h"

#include <string.h>

#define SN_JOIN2_(a, b) a##b
#define SN_JOIN2(a, b) SN_JOIN2_(a, b)
#define SN_COLLIDER_CONTACT_LOOPS(lanes) SN_JOIN2(sn_collider_contact_kernels_, lanes)

/* Fills the last group up with a pair that is there, whose lanes do not count. */
SN_INLINE void fill_up(sn_collider_pair_lane *pairs, size_t count) {
    for (size_t i = count; i % SN_LANES != 0; i++) pairs[i] = pairs[count - 1];
}

SN_INLINE sn_v4 load4(const void *from) {
    sn_v4 a;
    memcpy(&a, from, sizeof a);
    return a;
}

/* ---- What is clear ---- */

static size_t clear(const sn_collider_contact_batch *b, sn_collider_pair_lane *pairs,
                    size_t count) {
    const sn_nodes *n = &b->world->nodes;
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    size_t left = 0;
    fill_up(pairs, count);
    for (size_t k = 0; k < count; k += SN_LANES) {
        sn_v4 relative[SN_LANES], motion[SN_LANES], asked[SN_LANES];
        for (size_t i = 0; i < SN_LANES; i++) {
            const sn_collider_pose *at = &b->pose[pairs[k + i].collider];
            size_t node = pairs[k + i].node;
            sn_v4 d = load4(&n->d[node]), p = load4(&n->p[node]), to = load4(&at->d);
            relative[i] = (load4(&n->x[node]) - load4(&at->x)) + (d - to);
            motion[i] = (d - p) - (to - load4(&at->p));
            asked[i] = load4(&b->search[pairs[k + i].slot].asked);
        }
        sn_lane4 known = sn_lane4_from_nodes(asked);
        sn_lane3 a = sn_lane3_sub(sn_lane3_from_nodes(relative), known.v),
                 c = sn_lane3_from_nodes(motion);
        sn_lane far = sn_lane3_dot(a, a) + sn_lane3_dot(c, c), room = known.w * known.w;
        room = sn_lane_if_less(zero, known.w, room, zero);
        sn_real near[SN_LANES] __attribute__((aligned(16)));
        sn_lane_store(near, sn_lane_if_less(SN_R(2.1) * far, room, zero, one));
        for (size_t i = 0; i < SN_LANES; i++) {
            pairs[left] = pairs[k + i];
            left += near[i] > 0 && k + i < count;
        }
    }
    return left;
}

/* ---- Distances ---- */

SN_INLINE sn_lane clamp(sn_lane a, sn_lane most) {
    return sn_lane_if_less(a, -most, -most, sn_lane_if_less(most, a, most, a));
}

/* The unit vector, or another where there is no direction; and how long it was. */
SN_INLINE sn_lane unit(sn_lane3 a, sn_lane3 otherwise, sn_lane3 *direction) {
    sn_lane length = sn_lane_sqrt(sn_lane3_dot(a, a)), zero = sn_lane_all(0);
    *direction =
        sn_lane3_if_less(zero, length, sn_lane3_scale(sn_lane_all(1) / length, a), otherwise);
    return length;
}

/* How large the shapes of lanes are. */
typedef struct size {
    sn_lane3 extent;
    sn_lane radius;
} size;

/* As in shape_distance.c; in a box the distance is not a number, which is left to others. */
SN_INLINE sn_lane distance(const int shape, const size *s, sn_lane3 point, sn_lane3 *normal) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    sn_lane3 up = {zero, one, zero}, aside = {one, zero, zero};
    if (shape == SN_SHAPE_PLANE) {
        *normal = up;
        return point.y;
    }
    if (shape == SN_SHAPE_SPHERE) return unit(point, up, normal) - s->radius;
    if (shape == SN_SHAPE_CAPSULE) {
        point.y -= clamp(point.y, s->extent.y);
        return unit(point, aside, normal) - s->radius;
    }
    sn_lane3 out = {point.x - clamp(point.x, s->extent.x), point.y - clamp(point.y, s->extent.y),
                    point.z - clamp(point.z, s->extent.z)};
    sn_lane depth = sn_lane_max(point.x, -point.x) - s->extent.x;
    depth = sn_lane_max(depth, sn_lane_max(point.y, -point.y) - s->extent.y);
    depth = sn_lane_max(depth, sn_lane_max(point.z, -point.z) - s->extent.z);
    sn_lane away = unit(out, up, normal) - s->radius;
    return sn_lane_if_less(zero, depth, away, zero / zero);
}

/* ---- Frames ---- */

SN_INLINE sn_lane3 plus_zero(sn_lane3 a) {
    sn_lane zero = sn_lane_all(0);
    return (sn_lane3){a.x + zero, a.y + zero, a.z + zero};
}

SN_INLINE sn_lane4 conjugate(sn_lane4 q) {
    return (sn_lane4){sn_lane3_minus(q.v), q.w};
}

SN_INLINE sn_lane3 out_of(const bool straight, sn_lane4 q, sn_lane3 a) {
    if (straight) return plus_zero(a);
    sn_lane4 turned = sn_lane4_mul(q, (sn_lane4){a, sn_lane_all(0)});
    return sn_lane4_mul(turned, conjugate(q)).v;
}

SN_INLINE sn_lane3 into(const bool straight, sn_lane4 q, sn_lane3 a) {
    return out_of(straight, conjugate(q), a);
}

/* ---- Push and friction ---- */

/* What a group of pairs with one collider is made of. */
typedef struct group {
    const sn_collider_pose *at;
    sn_real *row[SN_LANES]; /* of each pair */
    sn_node_search *search[SN_LANES];
    sn_vec4 *to[SN_LANES];   /* m, where the displacement of each node is */
    sn_v4 between[SN_LANES]; /* m, from the collider */
    sn_lane3 relative, then; /* m, the same, and when the substep began */
    sn_lane3 d, p;           /* m, of the nodes */
    sn_lane4 q, before;
    size size;
    sn_lane radius, push;
} group;

/* Rows of pairs that need not lie side by side. */
SN_INLINE sn_lane gather_row(const group *g, const int which) {
    sn_real a[SN_LANES] __attribute__((aligned(16)));
    for (size_t i = 0; i < SN_LANES; i++) a[i] = g->row[i][which * SN_CONTACT_BLOCK];
    return sn_lane_load(a);
}

SN_INLINE sn_lane3 gather_row3(const group *g, const int which) {
    return (sn_lane3){gather_row(g, which), gather_row(g, which + 1), gather_row(g, which + 2)};
}

SN_INLINE sn_lane3 all3(sn_vec4 a) {
    return (sn_lane3){sn_lane_all(a.x), sn_lane_all(a.y), sn_lane_all(a.z)};
}

SN_INLINE void gather(const sn_collider_contact_batch *b, const sn_collider_pair_lane *pairs,
                      group *g) {
    const sn_nodes *n = &b->world->nodes;
    const sn_collider_pose *at = g->at = &b->pose[pairs[0].collider];
    sn_v4 then[SN_LANES], d[SN_LANES], p[SN_LANES];
    sn_v4 place = load4(&at->x), to = load4(&at->d), from = load4(&at->p);
    sn_real radius[SN_LANES] __attribute__((aligned(16)));
    for (size_t i = 0; i < SN_LANES; i++) {
        size_t node = pairs[i].node;
        size_t slot = pairs[i].slot;
        g->row[i] = b->row + slot / SN_CONTACT_BLOCK * (SN_ROW_COUNT * SN_CONTACT_BLOCK) +
                    slot % SN_CONTACT_BLOCK;
        g->search[i] = &b->search[slot];
        g->to[i] = &n->d[node];
        sn_v4 x = load4(&n->x[node]) - place;
        d[i] = load4(g->to[i]);
        p[i] = load4(&n->p[node]);
        g->between[i] = x + (d[i] - to);
        then[i] = x + (p[i] - from);
        radius[i] = n->radius[node];
    }
    g->relative = sn_lane3_from_nodes(g->between);
    g->then = sn_lane3_from_nodes(then);
    g->d = sn_lane3_from_nodes(d);
    g->p = sn_lane3_from_nodes(p);
    g->push = gather_row(g, SN_ROW_PUSH);
    g->radius = sn_lane_load(radius);
    g->size = (size){all3(at->size), sn_lane_all(at->size.w)};
    g->q = (sn_lane4){all3(at->q), sn_lane_all(at->q.w)};
    g->before = (sn_lane4){all3(at->before), sn_lane_all(at->before.w)};
}

/* m: how the point of the collider that is at `local` moves in the substep. */
SN_INLINE sn_lane3 motion_of(const group *g, const bool straight, sn_lane3 local) {
    return sn_lane3_sub(sn_lane3_add(all3(g->at->d), out_of(straight, g->q, local)),
                        sn_lane3_add(all3(g->at->p), out_of(straight, g->before, local)));
}

/* How deep the usual lanes of those inside are, that began at most slightly so; zero where
   something else is the matter. */
SN_INLINE sn_lane inside(const sn_collider_contact_batch *b, const group *g, const int shape,
                         const bool straight, sn_lane deep, sn_lane3 face, sn_lane3 normal) {
    sn_lane zero = sn_lane_all(0), slight = sn_lane_all(b->slight);
    sn_lane most = sn_lane_min(slight, sn_lane_all(g->at->recovery * b->h));
    sn_lane3 then = into(straight, g->before, g->then), side;
    deep = sn_lane_if_less(zero, deep, deep, zero);
    if (shape == SN_SHAPE_SPHERE) {
        sn_lane square = sn_lane3_dot(then, then), along = sn_lane3_dot(then, face);
        sn_lane least = g->radius + g->size.radius - most;
        least = sn_lane_if_less(zero, least, least * least, -sn_lane_all(1));
        deep = sn_lane_if_less(zero, along, deep, zero);
        deep = sn_lane_if_less(SN_R(0.5) * square, along * along, deep, zero);
        deep = sn_lane_if_less(sn_lane_all(SN_R(1e-20)), square, deep, zero);
        return sn_lane_if_less(least, square, deep, zero);
    }
    sn_lane old = g->radius - distance(shape, &g->size, then, &side);
    sn_lane less = sn_lane_if_less(most, old, zero, deep);
    if (shape != SN_SHAPE_PLANE) {
        sn_lane cosine = sn_lane3_dot(out_of(straight, g->q, side), normal);
        less = sn_lane_if_less(sn_lane_all(SN_R(0.7)), cosine, less, zero);
    }
    /* What is no number says nothing. */
    less = sn_lane_if_less(zero, deep, less, zero);
    return sn_lane_if_less(old, sn_lane_all(SN_INFINITY), less, zero);
}

/* What friction has been in this substep: none where there was no push. */
SN_INLINE sn_lane3 slid_before(const group *g) {
    sn_lane zero = sn_lane_all(0);
    sn_lane3 none = {zero, zero, zero};
    if (!sn_lane_any_less(zero, g->push)) return none;
    return sn_lane3_if_less(zero, g->push, gather_row3(g, SN_ROW_SLIDE), none);
}

SN_INLINE void store3(sn_real (*row)[SN_LANES], sn_lane3 a) {
    sn_lane_store(row[0], a.x);
    sn_lane_store(row[1], a.y);
    sn_lane_store(row[2], a.z);
}

/* Pushes those of the first `lanes` out that are deep, with friction. */
SN_INLINE void push_out(const sn_collider_contact_batch *b, const sn_collider_pair_lane *pairs,
                        const group *g, size_t lanes, sn_lane deep, sn_lane3 normal,
                        sn_lane3 surface) {
    enum {
        DEEP,
        W,
        PUSH,
        NORMAL_IMPULSE,
        NORMAL,
        SLIDE = NORMAL + 3,
        IMPULSE = SLIDE + 3,
        ROWS = 13
    };
    sn_real row[ROWS][SN_LANES] __attribute__((aligned(16)));
    sn_v4 to[SN_LANES];
    sn_lane zero = sn_lane_all(0);
    sn_lane3 d = sn_lane3_add(g->d, sn_lane3_scale(deep, normal)), none = {zero, zero, zero};
    for (size_t i = 0; i < SN_LANES; i++) row[W][i] = b->w[pairs[i].node];
    const sn_contact_sweep sweep = {.h = b->h, .slides = b->slides};
    const sn_contact_geometry geometry = {.normal = normal,
                                          .deep = deep,
                                          .motion = sn_lane3_sub(sn_lane3_sub(d, g->p), surface),
                                          .k_n = sn_lane_load(row[W]),
                                          .lever = sn_lane_all(1)};
    sn_lane3 before = slid_before(g);
    sn_contact_answer a = {g->push, before, none, none};
    sn_lane3 length = sn_contact_solve(&geometry, &sweep, gather_row(g, SN_ROW_STATIC),
                                       gather_row(g, SN_ROW_DYNAMIC), &a);
    sn_lane mass = sn_lane_all(1) / (geometry.k_n * b->h);
    sn_lane3 impulse = sn_lane3_add(gather_row3(g, SN_ROW_IMPULSE), sn_lane3_scale(mass, length));
    sn_lane_store(row[DEEP], deep);
    sn_lane_store(row[PUSH], a.push);
    sn_lane_store(row[NORMAL_IMPULSE], gather_row(g, SN_ROW_NORMAL_IMPULSE) + mass * deep);
    sn_lane3_to_nodes(sn_lane3_add(d, sn_lane3_sub(a.slide, before)), to);
    store3(row + NORMAL, normal);
    store3(row + SLIDE, a.slide);
    store3(row + IMPULSE, impulse);
    for (size_t i = 0; i < lanes; i++) {
        sn_real *own = g->row[i];
        if (!(row[DEEP][i] > 0)) continue;
        sn_v4_store(g->to[i], to[i]);
        own[SN_ROW_PUSH * SN_CONTACT_BLOCK] = row[PUSH][i];
        own[SN_ROW_START * SN_CONTACT_BLOCK] = 0;
        own[SN_ROW_NORMAL_IMPULSE * SN_CONTACT_BLOCK] = row[NORMAL_IMPULSE][i];
        for (int k = 0; k < 3; k++) {
            own[(SN_ROW_NORMAL + k) * SN_CONTACT_BLOCK] = row[NORMAL + k][i];
            own[(SN_ROW_SLIDE + k) * SN_CONTACT_BLOCK] = row[SLIDE + k][i];
            own[(SN_ROW_IMPULSE + k) * SN_CONTACT_BLOCK] = row[IMPULSE + k][i];
        }
        g->search[i]->touched = true;
    }
}

/* The usual lanes of those that are outside: they are slow and were not pushed. How far they can go
   is noted. Above zero where it is so. */
SN_INLINE sn_lane note_clear(const group *g, size_t lanes, sn_lane deep, sn_lane3 surface,
                             sn_lane known) {
    sn_lane zero = sn_lane_all(0), gap = -deep;
    sn_lane3 r = g->relative, motion = sn_lane3_sub(sn_lane3_sub(g->d, g->p), surface);
    sn_lane around = sn_lane_max(r.x, -r.x) + sn_lane_max(r.y, -r.y);
    around += sn_lane_max(r.z, -r.z);
    sn_lane slow = sn_lane_if_less(sn_lane3_dot(motion, motion), gap * gap, known, zero);
    slow = sn_lane_if_less(zero, g->push, zero, slow);
    slow = sn_lane_if_less(zero, gap, slow, zero);
    sn_real far[SN_LANES] __attribute__((aligned(16))), free[SN_LANES] __attribute__((aligned(16)));
    sn_lane_store(far, SN_R(0.999) * gap - SN_R(2e-5) * around);
    sn_lane_store(free, slow);
    for (size_t i = 0; i < lanes; i++) {
        if (!(free[i] > 0)) continue;
        sn_v4 asked = g->between[i];
        asked[3] = g->at->turns ? 0 : far[i];
        sn_v4_store(&g->search[i]->asked, asked);
    }
    return slow;
}

/* One group; `left` says which lanes are rare. */
SN_INLINE void solve_group(const sn_collider_contact_batch *b, const sn_collider_pair_lane *pairs,
                           size_t lanes, const int shape, const bool straight, sn_real *left) {
    group g;
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), usual = zero;
    gather(b, pairs, &g);
    sn_lane3 local = into(straight, g.q, g.relative), face;
    sn_lane deep = g.radius - distance(shape, &g.size, local, &face);
    sn_lane3 normal = out_of(straight, g.q, face), surface = motion_of(&g, straight, local);
    /* Beyond all numbers turning itself says what comes out. */
    sn_lane size2 = sn_lane3_dot(g.relative, g.relative) + sn_lane3_dot(g.then, g.then);
    sn_lane known = sn_lane_if_less(size2, sn_lane_all(SN_INFINITY), one, zero);
    if (sn_lane_any_less(deep, zero)) usual = note_clear(&g, lanes, deep, surface, known);
    if (sn_lane_any_less(zero, deep)) {
        sn_lane out = inside(b, &g, shape, straight, deep, face, normal);
        out = sn_lane_if_less(zero, known, out, zero);
        push_out(b, pairs, &g, lanes, out, normal, surface);
        usual = sn_lane_if_less(zero, out, one, usual);
    }
    sn_lane_store(left, sn_lane_if_less(zero, usual, zero, one));
}

/* How many of the pairs from the first on have its collider, at most as many as there are lanes. */
SN_INLINE size_t run_of(const sn_collider_pair_lane *pairs, size_t count) {
    size_t run = 1;
    while (run < SN_LANES && run < count && pairs[run].collider == pairs[0].collider) run++;
    return run;
}

SN_LOOP size_t solve(const sn_collider_contact_batch *b, sn_collider_pair_lane *pairs, size_t count,
                     const int shape, const bool straight) {
    size_t kept = 0;
    for (size_t k = 0, lanes; k < count; k += lanes) {
        sn_collider_pair_lane some[SN_LANES];
        sn_real left[SN_LANES] __attribute__((aligned(16)));
        lanes = run_of(pairs + k, count - k);
        /* Unused lanes do what the first does, and are not written. */
        for (size_t i = 0; i < SN_LANES; i++) some[i] = pairs[k + (i < lanes ? i : 0)];
        if (4 * lanes > SN_LANES)
            solve_group(b, some, lanes, shape, straight, left);
        else
            for (size_t i = 0; i < lanes; i++) left[i] = 1;
        for (size_t i = 0; i < lanes; i++) {
            pairs[kept] = some[i];
            kept += left[i] > 0;
        }
    }
    return kept;
}

#define SN_COLLIDER_CONTACT_SOLVE(name, shape, straight)                                           \
    static size_t name(const sn_collider_contact_batch *b, sn_collider_pair_lane *pairs,           \
                       size_t count) {                                                             \
        return solve(b, pairs, count, shape, straight);                                            \
    }
SN_COLLIDER_CONTACT_SOLVE(plane_turned, SN_SHAPE_PLANE, false)
SN_COLLIDER_CONTACT_SOLVE(plane_straight, SN_SHAPE_PLANE, true)
SN_COLLIDER_CONTACT_SOLVE(sphere_turned, SN_SHAPE_SPHERE, false)
SN_COLLIDER_CONTACT_SOLVE(sphere_straight, SN_SHAPE_SPHERE, true)
SN_COLLIDER_CONTACT_SOLVE(capsule_turned, SN_SHAPE_CAPSULE, false)
SN_COLLIDER_CONTACT_SOLVE(capsule_straight, SN_SHAPE_CAPSULE, true)
SN_COLLIDER_CONTACT_SOLVE(box_turned, SN_SHAPE_BOX, false)
SN_COLLIDER_CONTACT_SOLVE(box_straight, SN_SHAPE_BOX, true)

/* ---- Who went too far ---- */

static size_t until_outrun(const sn_world *world, size_t begin, size_t end) {
    const sn_nodes *n = &world->nodes;
    const sn_real *reach = sn_collider_contacts_of(world)->reach;
    sn_lane zero = sn_lane_all(0), bad = zero;
    size_t i = begin;
    for (; i + SN_LANES <= end; i += SN_LANES) {
        sn_v4 gone[SN_LANES];
        sn_real may[SN_LANES] __attribute__((aligned(16)));
        sn_real w[SN_LANES] __attribute__((aligned(16)));
        for (size_t k = 0; k < SN_LANES; k++)
            gone[k] =
                (load4(&n->x[i + k]) + load4(&n->d[i + k])) - load4(&world->scratch.safe.x[i + k]);
        memcpy(may, reach + i, sizeof may);
        memcpy(w, n->w + i, sizeof w);
        sn_lane3 a = sn_lane3_from_nodes(gone);
        sn_lane room = sn_lane_load(may) * sn_lane_load(may);
        bad += sn_lane_if_less(sn_lane3_dot(a, a), room, zero, sn_lane_load(w));
    }
    return sn_lane_any_less(zero, bad) ? begin : i;
}

extern const sn_collider_contact_kernels SN_COLLIDER_CONTACT_LOOPS(SN_LANES);
const sn_collider_contact_kernels SN_COLLIDER_CONTACT_LOOPS(SN_LANES) = {
    clear,
    {plane_turned, plane_straight, sphere_turned, sphere_straight, capsule_turned, capsule_straight,
     box_turned, box_straight},
    until_outrun};

#if SN_LANES == 1
SN_DECLARE_WIDTHS(sn_collider_contact_kernels, sn_collider_contact_kernels_)

const sn_collider_contact_kernels *sn_collider_contact_kernels_of(sn_width width) {
    static const sn_collider_contact_kernels *const all[] =
        SN_ALL_WIDTHS(sn_collider_contact_kernels_);
    return all[width];
}
#endif
