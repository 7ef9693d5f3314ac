/*
 * Whether the points of manifolds stay where they were found: as long as the two have hardly moved
 * as seen from each other. That is asked of all of them in every substep, and of those that rest
 * the answer is yes; so it is in lanes. rigid_manifold.c has the same for one.
 */
#include "collision/collider_pose.h"
#include "contact/contacts.h"
#include "contact/rigid/rigid_rounds.h"
#include "math/lanes.h"

#define SN_JOIN2_(a, b) a##b
#define SN_JOIN2(a, b) SN_JOIN2_(a, b)
#define SN_RIGID_SEEN(lanes) SN_JOIN2(sn_rigid_seen_kernels_, lanes)

enum { KIND = SN_CONTACT_RIGID };

/* What is asked of the two of a manifold, one to a lane. */
typedef struct pair {
    sn_v4 turn[2][SN_LANES], x[2][SN_LANES], d[2][SN_LANES];
    sn_v4 seen_turn[SN_LANES], seen_at[SN_LANES];
    sn_real size[SN_LANES] __attribute__((aligned(16)));  /* m */
    sn_real alike[SN_LANES] __attribute__((aligned(16))); /* (sn_rigid_alike) */
} pair;

SN_INLINE void fetch(const sn_world *world, const sn_rigid_search *c, size_t n, pair *p) {
    const sn_nodes *nodes = &world->nodes;
    const sn_collider_pose *on = &sn_collider_poses(world)[c->collider];
    const bool stands = c->node[0] == c->node[1];
    for (int k = 0; k < 2; k++) {
        const uint32_t node = c->node[k];
        const bool pose = k == 1 && stands;
        p->turn[k][n] = sn_v4_load(pose ? &on->q : &world->frames.q[nodes->frame[node] - 1]);
        p->x[k][n] = sn_v4_load(pose ? &on->x : &nodes->x[node]);
        p->d[k][n] = sn_v4_load(pose ? &on->d : &nodes->d[node]);
    }
    p->seen_turn[n] = sn_v4_load(&c->seen_turn);
    p->seen_at[n] = sn_v4_load(&c->seen_at);
    p->size[n] = c->size;
    p->alike[n] = sn_rigid_alike(c);
}

SN_INLINE sn_lane4 conjugate(sn_lane4 a) {
    return (sn_lane4){sn_lane3_minus(a.v), a.w};
}

/* 1 in lanes where the two are as they were seen. */
SN_INLINE sn_lane is_alike(const pair *p) {
    const sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    const sn_lane alike = sn_lane_load(p->alike), most = alike * alike;
    const sn_lane size = sn_lane_load(p->size);
    const sn_lane4 q = sn_lane4_from_nodes(p->turn[0]), back = conjugate(q);
    const sn_lane4 seen = sn_lane4_from_nodes(p->seen_turn);
    sn_lane3 x = sn_lane3_sub(sn_lane3_from_nodes(p->x[1]), sn_lane3_from_nodes(p->x[0]));
    sn_lane3 d = sn_lane3_sub(sn_lane3_from_nodes(p->d[1]), sn_lane3_from_nodes(p->d[0]));
    const sn_lane4 between = {sn_lane3_add(x, d), zero};
    const sn_lane3 at = sn_lane4_mul(sn_lane4_mul(back, between), q).v;
    const sn_lane3 gone = sn_lane3_sub(at, sn_lane3_from_nodes(p->seen_at));
    const sn_lane4 other = sn_lane4_mul(back, sn_lane4_from_nodes(p->turn[1]));
    const sn_lane3 turn = sn_lane4_mul(conjugate(seen), other).v;
    const sn_lane near = sn_lane_if_less(sn_lane3_dot(gone, gone), most * size * size, one, zero);
    return sn_lane_if_less(sn_lane3_dot(turn, turn), most, near, zero);
}

static uint32_t moved(const sn_world *world, size_t block) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    const uint32_t first = (uint32_t)block * SN_CONTACT_BLOCK;
    const sn_rigid_search *all = &sn_rigid_contacts_of(world)->search[first];
    uint32_t bits = 0;
    for (uint32_t i = 0; i < SN_CONTACT_BLOCK; i += SN_LANES) {
        sn_real alike[SN_LANES] __attribute__((aligned(16)));
        const sn_rigid_search *some = NULL;
        uint32_t there = 0;
        pair p;
        for (uint32_t n = 0; n < SN_LANES; n++) {
            if (*sn_contact_node_at(set, KIND, first + i + n, 0) < 0) continue;
            if (!some) some = &all[i + n];
            there |= 1u << n;
            if (!all[i + n].seen || all[i + n].fast) bits |= 1u << (i + n);
        }
        if (!there) continue;
        for (uint32_t n = 0; n < SN_LANES; n++)
            fetch(world, there >> n & 1 ? &all[i + n] : some, n, &p);
        sn_lane_store(alike, is_alike(&p));
        for (uint32_t n = 0; n < SN_LANES; n++)
            if (there >> n & 1 && !(alike[n] > 0)) bits |= 1u << (i + n);
    }
    return bits;
}

extern const sn_rigid_seen_kernels SN_RIGID_SEEN(SN_LANES);
const sn_rigid_seen_kernels SN_RIGID_SEEN(SN_LANES) = {moved};

#if SN_LANES == 1
SN_DECLARE_WIDTHS(sn_rigid_seen_kernels, sn_rigid_seen_kernels_)

const sn_rigid_seen_kernels *sn_rigid_seen_kernels_of(sn_width width) {
    static const sn_rigid_seen_kernels *const all[] = SN_ALL_WIDTHS(sn_rigid_seen_kernels_);
    return all[width];
}
#endif
