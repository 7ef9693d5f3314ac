/*
 * Planes between pairs, see meet_survey.h: of a lane's two elements, the lowest node of the first
 * and the highest of the second along their normal.
 *
 * Compiled once per SIMD width.
 */
#include "contact/meet.h"
#include "math/lanes.h"

#define SN_JOIN2_(a, b) a##b
#define SN_JOIN2(a, b) SN_JOIN2_(a, b)
#define SN_MEET_LOOKS(lanes) SN_JOIN2(sn_meet_looks_, lanes)

/* Where the nodes of a lane are, of which the last number is what they may be off by. */
SN_INLINE sn_lane4 gather(const sn_vec4 *at, const int32_t *node) {
    sn_v4 in[SN_LANES];
    for (size_t i = 0; i < SN_LANES; i++) in[i] = sn_at(at, node[i]);
    return sn_lane4_from_nodes(in);
}

/* m: how far the first is ahead of the second along n, at least. */
SN_INLINE sn_lane ahead(const sn_vec4 *at, const int32_t *node, const int kind, sn_lane3 n) {
    sn_lane low = sn_lane_all(0), high = sn_lane_all(0);
    for (int k = 0; k < sn_meet_first[kind]; k++) {
        sn_lane4 x = gather(at, node + (size_t)k * SN_MEET_BLOCK);
        sn_lane height = sn_lane3_dot(x.v, n) - x.w;
        low = k == 0 ? height : sn_lane_min(low, height);
    }
    for (int k = sn_meet_first[kind]; k < sn_meet_nodes(kind); k++) {
        sn_lane4 x = gather(at, node + (size_t)k * SN_MEET_BLOCK);
        sn_lane height = sn_lane3_dot(x.v, n) + x.w;
        high = k == sn_meet_first[kind] ? height : sn_lane_max(high, height);
    }
    return low - high;
}

SN_INLINE sn_lane3 normal_of(const sn_real *row) {
    const sn_real *n = row + SN_MEET_NORMAL * SN_MEET_BLOCK;
    return (sn_lane3){sn_lane_load(n), sn_lane_load(n + SN_MEET_BLOCK),
                      sn_lane_load(n + 2 * SN_MEET_BLOCK)};
}

/* Lanes with neither a limit nor a normal never touch. What was pushed or has crossed is looked at,
   whatever the plane says. What is not a number stays one. */
SN_INLINE sn_real slack_of(const sn_meet_sight *s, const int32_t *node, const sn_real *row,
                           const int kind) {
    sn_lane zero = sn_lane_all(0), limit = sn_lane_load(row + SN_MEET_LIMIT * SN_MEET_BLOCK);
    sn_lane push = sn_lane_load(row + SN_MEET_PUSH * SN_MEET_BLOCK);
    sn_lane crossed = sn_lane_load(row + SN_MEET_CROSSED * SN_MEET_BLOCK);
    if (sn_lane_any_less(zero, push + crossed)) return -1;
    sn_lane3 n = normal_of(row);
    sn_lane over = ahead(s->now, node, kind, n) - SN_R(1.0001) * limit;
    sn_lane used = limit + sn_lane3_dot(n, n);
    over = sn_lane_if_less(zero, used, over, sn_lane_all(SN_R(1e9)));
    sn_real each[SN_LANES] __attribute__((aligned(16))), least;
    sn_lane_store(each, over);
    least = each[0];
    for (size_t i = 1; i < SN_LANES; i++)
        if (!(each[i] > least)) least = each[i];
    return least;
}

SN_INLINE void find_slack(const sn_meet_sight *s, size_t begin, size_t end, const int kind) {
    const size_t nodes = (size_t)sn_meet_nodes(kind);
    for (size_t block = begin; block < end; block++)
        for (size_t lane = 0; lane < SN_MEET_BLOCK; lane += SN_LANES) {
            const int32_t *node = s->node + block * nodes * SN_MEET_BLOCK + lane;
            const sn_real *row = s->row + block * SN_MEET_ROWS * SN_MEET_BLOCK + lane;
            s->slack[(block * SN_MEET_BLOCK + lane) / SN_LANES] = slack_of(s, node, row, kind);
        }
}

/*
 * Two that are on their sides of a plane in the beginning and in the end are so on the way, for all
 * ways are straight. Here they must be twice as far apart as the guard wants them at most.
 */
SN_INLINE void find_doubt(const sn_meet_sight *s, size_t begin, size_t end, const int kind) {
    const size_t nodes = (size_t)sn_meet_nodes(kind);
    for (size_t block = begin; block < end; block++)
        for (size_t lane = 0; lane < SN_MEET_BLOCK; lane += SN_LANES) {
            const int32_t *node = s->node + block * nodes * SN_MEET_BLOCK + lane;
            const sn_real *row = s->row + block * SN_MEET_ROWS * SN_MEET_BLOCK + lane;
            sn_lane limit = sn_lane_load(row + SN_MEET_LIMIT * SN_MEET_BLOCK);
            sn_lane3 n = normal_of(row);
            sn_lane least = SN_R(0.11) * limit + s->rounding;
            sn_lane gap =
                sn_lane_min(ahead(s->before, node, kind, n), ahead(s->now, node, kind, n));
            sn_real each[SN_LANES] __attribute__((aligned(16)));
            sn_lane_store(each, gap - least);
            for (size_t i = 0; i < SN_LANES; i++)
                s->doubt[block * SN_MEET_BLOCK + lane + i] = !(each[i] > 0);
        }
}

#define LOOKS(name, kind)                                                                          \
    static void slack_of_##name(const sn_meet_sight *s, size_t begin, size_t end) {                \
        find_slack(s, begin, end, kind);                                                           \
    }                                                                                              \
    static void doubt_of_##name(const sn_meet_sight *s, size_t begin, size_t end) {                \
        find_doubt(s, begin, end, kind);                                                           \
    }
LOOKS(points, SN_MEETING_POINTS)
LOOKS(segment, SN_MEETING_POINT_SEGMENT)
LOOKS(triangle, SN_MEETING_POINT_TRIANGLE)
LOOKS(edges, SN_MEETING_EDGES)

extern const sn_meet_looks SN_MEET_LOOKS(SN_LANES);
const sn_meet_looks SN_MEET_LOOKS(SN_LANES) = {
    SN_LANES,
    {slack_of_points, slack_of_segment, slack_of_triangle, slack_of_edges},
    {doubt_of_points, doubt_of_segment, doubt_of_triangle, doubt_of_edges}};

#if SN_LANES == 1
SN_DECLARE_WIDTHS(sn_meet_looks, sn_meet_looks_)

const sn_meet_looks *sn_meet_looks_of(sn_width width) {
    static const sn_meet_looks *const all[] = SN_ALL_WIDTHS(sn_meet_looks_);
    return all[width];
}
#endif
