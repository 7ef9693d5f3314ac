/*
 * The formulas of touch.c in lanes: what is clear, and push and friction of what touches.
 *
 * A lane does what depth_of and solve do there, in their order, as long as that is the usual:
 * a node that is outside and slow, or inside on the side where it came in. Where it is not, nothing
 * is written and the pair stays in the list.
 */
#include "contact/touch_loops.h"

#include "contact/placing.h"

#include <string.h>

#define SN_JOIN2_(a, b) a##b
#define SN_JOIN2(a, b) SN_JOIN2_(a, b)
#define SN_TOUCH_LOOPS(lanes) SN_JOIN2(sn_touch_loops_, lanes)

/* Fills the last group up with a pair that is there, whose lanes do not count. */
SN_INLINE void fill_up(sn_touch_pair *pairs, size_t count) {
    for (size_t i = count; i % SN_LANES != 0; i++) pairs[i] = pairs[count - 1];
}

/* The first four numbers of a touch: of them count push, clear and pressure. */
SN_INLINE sn_v4 head_of(const sn_touch *touch) {
    sn_v4 head;
    memcpy(&head, touch, sizeof head);
    return head;
}

SN_INLINE sn_v4 load4(const void *from) {
    sn_v4 a;
    memcpy(&a, from, sizeof a);
    return a;
}

/* ---- What is clear ---- */

static size_t clear(const sn_touch_batch *b, sn_touch_pair *pairs, size_t count) {
    const sn_touches *t = &b->world->touches;
    const sn_nodes *n = &b->world->nodes;
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    size_t left = 0;
    fill_up(pairs, count);
    for (size_t k = 0; k < count; k += SN_LANES) {
        sn_v4 moved[SN_LANES], motion[SN_LANES], head[SN_LANES];
        for (size_t i = 0; i < SN_LANES; i++) {
            const sn_touch *touch = &t->touch[pairs[k + i].touch];
            const sn_placing *at = &t->placing[touch->collider];
            size_t node = pairs[k + i].node;
            sn_v4 d = load4(&n->d[node]), p = load4(&n->p[node]), to = load4(&at->d);
            sn_v4 relative = (load4(&n->x[node]) - load4(&at->x)) + (d - to);
            moved[i] = relative - load4(&touch->asked);
            motion[i] = (d - p) - (to - load4(&at->p));
            head[i] = head_of(touch);
        }
        sn_lane3 a = sn_lane3_from_nodes(moved), c = sn_lane3_from_nodes(motion);
        sn_lane4 known = sn_lane4_from_nodes(head);
        sn_lane far = sn_lane3_dot(a, a) + sn_lane3_dot(c, c), room = known.v.z * known.v.z;
        room = sn_lane_if_less(zero, known.v.z, room, zero);
        room = sn_lane_if_less(zero, known.v.y, zero, room);
        sn_real near[SN_LANES] __attribute__((aligned(16)));
        sn_lane_store(near, sn_lane_if_less(SN_R(2.1) * far, room, zero, one));
        for (size_t i = 0; i < SN_LANES && k + i < count; i++)
            if (near[i] > 0) pairs[left++] = pairs[k + i];
    }
    return left;
}

/* ---- Distances ---- */

SN_INLINE sn_lane3 choose(sn_lane a, sn_lane b, sn_lane3 yes, sn_lane3 no) {
    return (sn_lane3){sn_lane_if_less(a, b, yes.x, no.x), sn_lane_if_less(a, b, yes.y, no.y),
                      sn_lane_if_less(a, b, yes.z, no.z)};
}

SN_INLINE sn_lane clamp(sn_lane a, sn_lane most) {
    return sn_lane_if_less(a, -most, -most, sn_lane_if_less(most, a, most, a));
}

/* The unit vector, or another where there is no direction; and how long it was. */
SN_INLINE sn_lane unit(sn_lane3 a, sn_lane3 otherwise, sn_lane3 *direction) {
    sn_lane length = sn_lane_sqrt(sn_lane3_dot(a, a)), zero = sn_lane_all(0);
    *direction = choose(zero, length, sn_lane3_scale(sn_lane_all(1) / length, a), otherwise);
    return length;
}

/* How large the shapes of lanes are. */
typedef struct size {
    sn_lane3 extent;
    sn_lane radius;
} size;

/* As in shape.c; in a box the distance is not a number, which is left to others. */
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

/* What a group of pairs is made of. */
typedef struct group {
    sn_touch *touch[SN_LANES];
    size_t node[SN_LANES];
    sn_v4 between[SN_LANES], d[SN_LANES]; /* m, from the collider; of the node */
    sn_lane3 relative, then;              /* m, from the collider, now and when it began */
    sn_lane3 ad, ap;                      /* m, of the collider */
    sn_lane3 moves;                       /* m, of the node */
    sn_lane4 q, before, head;
    size size;
    sn_lane radius;
} group;

SN_INLINE void gather(const sn_touch_batch *b, const sn_touch_pair *pairs, const bool straight,
                      group *g) {
    const sn_nodes *n = &b->world->nodes;
    sn_v4 then[SN_LANES], moves[SN_LANES], head[SN_LANES], to[SN_LANES], from[SN_LANES];
    sn_v4 q[SN_LANES], before[SN_LANES], large[SN_LANES];
    sn_real radius[SN_LANES] __attribute__((aligned(16)));
    for (size_t i = 0; i < SN_LANES; i++) {
        size_t node = g->node[i] = pairs[i].node;
        g->touch[i] = &b->world->touches.touch[pairs[i].touch];
        const sn_placing *at = &b->world->touches.placing[g->touch[i]->collider];
        sn_v4 x = load4(&n->x[node]) - load4(&at->x), p = load4(&n->p[node]);
        g->d[i] = load4(&n->d[node]);
        to[i] = load4(&at->d);
        from[i] = load4(&at->p);
        g->between[i] = x + (g->d[i] - to[i]);
        then[i] = x + (p - from[i]);
        moves[i] = g->d[i] - p;
        head[i] = head_of(g->touch[i]);
        large[i] = load4(&at->size);
        radius[i] = n->radius[node];
        q[i] = load4(&at->q);
        before[i] = load4(&at->before);
    }
    g->relative = sn_lane3_from_nodes(g->between);
    g->then = sn_lane3_from_nodes(then);
    g->moves = sn_lane3_from_nodes(moves);
    g->ad = sn_lane3_from_nodes(to);
    g->ap = sn_lane3_from_nodes(from);
    g->head = sn_lane4_from_nodes(head);
    g->radius = sn_lane_load(radius);
    sn_lane4 all = sn_lane4_from_nodes(large);
    g->size.extent = all.v;
    g->size.radius = all.w;
    if (straight) {
        g->q = g->before =
            (sn_lane4){{sn_lane_all(0), sn_lane_all(0), sn_lane_all(0)}, sn_lane_all(1)};
        return;
    }
    g->q = sn_lane4_from_nodes(q);
    g->before = sn_lane4_from_nodes(before);
}

/* m: how the point of the collider that is at `local` moves in the substep. */
SN_INLINE sn_lane3 motion_of(const group *g, const bool straight, sn_lane3 local) {
    return sn_lane3_sub(sn_lane3_add(g->ad, out_of(straight, g->q, local)),
                        sn_lane3_add(g->ap, out_of(straight, g->before, local)));
}

/* The usual lanes of those that are outside: they are slow and were not pushed. What is found is
   how far they can go. Above zero where it is so. */
SN_INLINE sn_lane outside(const group *g, sn_lane deep, sn_lane3 motion, sn_lane *far) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), gap = -deep;
    sn_lane3 r = g->relative;
    sn_lane around = sn_lane_max(r.x, -r.x) + sn_lane_max(r.y, -r.y);
    around += sn_lane_max(r.z, -r.z);
    *far = SN_R(0.999) * gap - SN_R(2e-5) * around;
    sn_lane slow = sn_lane_if_less(sn_lane3_dot(motion, motion), gap * gap, one, zero);
    slow = sn_lane_if_less(zero, g->head.v.y, zero, slow);
    return sn_lane_if_less(zero, gap, slow, zero);
}

/* m: how fast lanes may come out, in this substep. */
SN_INLINE sn_lane most_of(const sn_touch_batch *b, const group *g) {
    sn_real most[SN_LANES] __attribute__((aligned(16)));
    for (size_t i = 0; i < SN_LANES; i++)
        most[i] = b->world->touches.placing[g->touch[i]->collider].recovery;
    return sn_lane_load(most) * b->h;
}

/* How deep the usual lanes of those inside are when they come out no faster than they may; zero
   where something else is the matter. */
SN_INLINE sn_lane inside(const sn_touch_batch *b, const group *g, const int shape,
                         const bool straight, sn_lane deep, sn_lane3 face, sn_lane3 normal) {
    sn_lane zero = sn_lane_all(0), most = most_of(b, g);
    sn_lane3 then = into(straight, g->before, g->then), side;
    deep = sn_lane_if_less(zero, deep, deep, zero);
    if (shape == SN_SHAPE_SPHERE) {
        sn_lane square = sn_lane3_dot(then, then), along = sn_lane3_dot(then, face);
        sn_lane least = SN_R(1.0001) * (g->radius + g->size.radius - most);
        least = sn_lane_if_less(zero, least, least * least, -sn_lane_all(1));
        deep = sn_lane_if_less(zero, along, deep, zero);
        deep = sn_lane_if_less(SN_R(0.5) * square, along * along, deep, zero);
        deep = sn_lane_if_less(sn_lane_all(SN_R(1e-20)), square, deep, zero);
        return sn_lane_if_less(least, square, deep, zero);
    }
    sn_lane old = g->radius - distance(shape, &g->size, then, &side);
    sn_lane less = sn_lane_if_less(most, old, deep - (old - most), deep);
    if (shape != SN_SHAPE_PLANE) {
        sn_lane cosine = sn_lane3_dot(out_of(straight, g->q, side), normal);
        less = sn_lane_if_less(sn_lane_all(SN_R(0.7)), cosine, less, zero);
    }
    /* What is no number says nothing. */
    less = sn_lane_if_less(zero, deep, less, zero);
    return sn_lane_if_less(old, sn_lane_all(SN_INFINITY), less, zero);
}

/* Friction of the substep so far: how far it takes the node. */
SN_INLINE sn_lane3 slide_of(const sn_touch_batch *b, const group *g, sn_lane3 motion,
                            sn_lane3 normal, sn_lane push, sn_lane3 *slide) {
    sn_lane3 none = {sn_lane_all(0), sn_lane_all(0), sn_lane_all(0)};
    sn_v4 was[SN_LANES], laws[SN_LANES];
    if (!b->slides) return none;
    for (size_t i = 0; i < SN_LANES; i++) {
        was[i] = load4(&g->touch[i]->slide);
        laws[i] = load4(&b->world->touches.placing[g->touch[i]->collider].law);
    }
    sn_lane3 before = sn_lane3_from_nodes(was), law = sn_lane3_from_nodes(laws);
    sn_lane3 across = sn_lane3_sub(motion, sn_lane3_scale(sn_lane3_dot(motion, normal), normal));
    sn_lane3 wanted = sn_lane3_sub(before, across);
    sn_lane square = sn_lane3_dot(wanted, wanted), still = law.x * push;
    sn_lane part = law.y * push / sn_lane_sqrt(square);
    *slide = choose(still * still, square, sn_lane3_scale(part, wanted), wanted);
    return sn_lane3_sub(*slide, before);
}

/* Writes what has become of the lanes that were pushed, out of `lanes`. */
SN_INLINE void scatter(const sn_touch_batch *b, const group *g, size_t lanes, sn_lane deep,
                       sn_lane push, sn_lane3 d, sn_lane3 normal, sn_lane3 slide, sn_lane3 more) {
    sn_real weight[SN_LANES] __attribute__((aligned(16)));
    sn_real pushes[SN_LANES] __attribute__((aligned(16)));
    sn_real pressures[SN_LANES] __attribute__((aligned(16)));
    sn_real depths[SN_LANES] __attribute__((aligned(16)));
    sn_v4 to[SN_LANES], normals[SN_LANES], slides[SN_LANES], impulses[SN_LANES];
    for (size_t i = 0; i < SN_LANES; i++) weight[i] = b->w[g->node[i]];
    sn_lane mass = sn_lane_all(1) / (sn_lane_load(weight) * b->h);
    sn_lane_store(depths, deep);
    sn_lane_store(pushes, push);
    sn_lane_store(pressures, g->head.w + mass * deep);
    sn_lane3_to_nodes(d, to);
    sn_lane3_to_nodes(normal, normals);
    sn_lane3_to_nodes(slide, slides);
    sn_lane3 length = sn_lane3_add(sn_lane3_scale(deep, normal), more);
    sn_lane3_to_nodes(sn_lane3_scale(mass, length), impulses);
    for (size_t i = 0; i < lanes; i++) {
        sn_touch *touch = g->touch[i];
        if (!(depths[i] > 0)) continue;
        sn_v4_store(&b->world->nodes.d[g->node[i]], to[i]);
        sn_v4_store(&touch->normal, normals[i]);
        sn_v4_store(&touch->impulse, load4(&touch->impulse) + impulses[i]);
        if (b->slides) sn_v4_store(&touch->slide, slides[i]);
        touch->push = pushes[i];
        touch->pressure = pressures[i];
        touch->touched = true;
    }
}

/* One group; `left` says which lanes are rare. */
SN_INLINE void solve_group(const sn_touch_batch *b, const sn_touch_pair *pairs, size_t lanes,
                           const int shape, const bool straight, sn_real *left) {
    group g;
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    gather(b, pairs, straight, &g);
    sn_lane3 local = into(straight, g.q, g.relative), face;
    sn_lane deep = g.radius - distance(shape, &g.size, local, &face);
    sn_lane3 normal = out_of(straight, g.q, face), surface = motion_of(&g, straight, local);
    /* Beyond all numbers turning itself says what comes out. */
    sn_lane size2 = sn_lane3_dot(g.relative, g.relative) + sn_lane3_dot(g.then, g.then);
    sn_lane known = sn_lane_if_less(size2, sn_lane_all(SN_INFINITY), one, zero);
    sn_lane far, free = outside(&g, deep, sn_lane3_sub(g.moves, surface), &far);
    free = sn_lane_if_less(zero, known, free, zero);
    sn_lane usual = zero;
    if (sn_lane_any_less(zero, deep)) {
        usual = inside(b, &g, shape, straight, deep, face, normal);
        usual = sn_lane_if_less(zero, known, usual, zero);
        sn_lane3 d = sn_lane3_add(sn_lane3_from_nodes(g.d), sn_lane3_scale(usual, normal));
        sn_v4 before[SN_LANES];
        for (size_t i = 0; i < SN_LANES; i++) before[i] = load4(&b->world->nodes.p[g.node[i]]);
        sn_lane3 motion = sn_lane3_sub(sn_lane3_sub(d, sn_lane3_from_nodes(before)), surface);
        sn_lane push = g.head.v.y + usual;
        sn_lane3 slide = {zero, zero, zero};
        sn_lane3 more = slide_of(b, &g, motion, normal, push, &slide);
        scatter(b, &g, lanes, usual, push, sn_lane3_add(d, more), normal, slide, more);
    }
    sn_real gaps[SN_LANES] __attribute__((aligned(16)));
    sn_lane_store(gaps, sn_lane_if_less(zero, free, far, zero));
    sn_lane_store(left, sn_lane_if_less(zero, free + usual, zero, one));
    sn_real frees[SN_LANES] __attribute__((aligned(16)));
    sn_lane_store(frees, free);
    for (size_t i = 0; i < lanes; i++) {
        if (!(frees[i] > 0)) continue;
        bool turns = b->world->touches.placing[g.touch[i]->collider].turns;
        g.touch[i]->clear = turns ? 0 : gaps[i];
        sn_v4_store(&g.touch[i]->asked, g.between[i]);
    }
}

SN_INLINE size_t solve(const sn_touch_batch *b, sn_touch_pair *pairs, size_t count, const int shape,
                       const bool straight) {
    size_t kept = 0;
    fill_up(pairs, count);
    for (size_t k = 0; k < count; k += SN_LANES) {
        sn_real left[SN_LANES] __attribute__((aligned(16)));
        size_t lanes = count - k < SN_LANES ? count - k : SN_LANES;
        solve_group(b, pairs + k, lanes, shape, straight, left);
        for (size_t i = 0; i < lanes; i++)
            if (left[i] > 0) pairs[kept++] = pairs[k + i];
    }
    return kept;
}

#define SN_TOUCH_SOLVE(name, shape, straight)                                                      \
    static size_t name(const sn_touch_batch *b, sn_touch_pair *pairs, size_t count) {              \
        return solve(b, pairs, count, shape, straight);                                            \
    }
SN_TOUCH_SOLVE(plane_turned, SN_SHAPE_PLANE, false)
SN_TOUCH_SOLVE(plane_straight, SN_SHAPE_PLANE, true)
SN_TOUCH_SOLVE(sphere_turned, SN_SHAPE_SPHERE, false)
SN_TOUCH_SOLVE(sphere_straight, SN_SHAPE_SPHERE, true)
SN_TOUCH_SOLVE(capsule_turned, SN_SHAPE_CAPSULE, false)
SN_TOUCH_SOLVE(capsule_straight, SN_SHAPE_CAPSULE, true)
SN_TOUCH_SOLVE(box_turned, SN_SHAPE_BOX, false)
SN_TOUCH_SOLVE(box_straight, SN_SHAPE_BOX, true)

/* ---- Who went too far ---- */

static bool outrun(const sn_world *world, size_t begin, size_t end) {
    const sn_nodes *n = &world->nodes;
    const sn_real *reach = world->touches.reach;
    sn_lane zero = sn_lane_all(0), bad = zero;
    size_t i = begin;
    for (; i + SN_LANES <= end; i += SN_LANES) {
        sn_v4 gone[SN_LANES];
        sn_real may[SN_LANES] __attribute__((aligned(16)));
        sn_real w[SN_LANES] __attribute__((aligned(16)));
        for (size_t k = 0; k < SN_LANES; k++)
            gone[k] = (load4(&n->x[i + k]) + load4(&n->d[i + k])) - load4(&world->safe.x[i + k]);
        memcpy(may, reach + i, sizeof may);
        memcpy(w, n->w + i, sizeof w);
        sn_lane3 a = sn_lane3_from_nodes(gone);
        sn_lane room = sn_lane_load(may) * sn_lane_load(may);
        bad += sn_lane_if_less(sn_lane3_dot(a, a), room, zero, sn_lane_load(w));
    }
    bool found = sn_lane_any_less(zero, bad);
    for (; i < end; i++) found |= n->w[i] > 0;
    return found;
}

extern const sn_touch_loops SN_TOUCH_LOOPS(SN_LANES);
const sn_touch_loops SN_TOUCH_LOOPS(SN_LANES) = {clear,
                                                 {plane_turned, plane_straight, sphere_turned,
                                                  sphere_straight, capsule_turned, capsule_straight,
                                                  box_turned, box_straight},
                                                 outrun};

#if SN_LANES == 1
SN_DECLARE_WIDTHS(sn_touch_loops, sn_touch_loops_)

const sn_touch_loops *sn_touch_loops_of(sn_width width) {
    static const sn_touch_loops *const all[] = SN_ALL_WIDTHS(sn_touch_loops_);
    return all[width];
}
#endif
