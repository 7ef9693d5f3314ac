/*
 * Pairs that a plane shows to be free, several at a time: of the two elements of a lane, the lowest
 * node of the first and the highest of the second along their normal. Two that are on their sides
 * of a plane in the beginning and in the end are so on the way, for all paths are straight. Here
 * they must be twice as far apart as the motion limiter wants them, so that it would find them
 * free as well.
 *
 * Compiled once per SIMD width.
 */
#include "contact/surface/surface_contact.h"
#include "math/lanes.h"

#define SN_JOIN2_(a, b) a##b
#define SN_JOIN2(a, b) SN_JOIN2_(a, b)
#define SN_LIMITER_PLANES(lanes) SN_JOIN2(sn_limiter_planes_, lanes)

/* Places of the nodes of the lanes; the last number is what they may be off by. */
SN_INLINE sn_lane4 gather(const sn_vec4 *at, const int32_t *node) {
    sn_v4 in[SN_LANES];
    for (size_t i = 0; i < SN_LANES; i++) in[i] = sn_at(at, node[i]);
    return sn_lane4_from_nodes(in);
}

/* m: how far the first is ahead of the second along n, at least. */
SN_INLINE sn_lane ahead(const sn_vec4 *at, const int32_t *node, const int first, sn_lane3 n) {
    sn_lane low = sn_lane_all(0), high = low;
    for (int k = 0; k < 4; k++) {
        sn_lane4 x = gather(at, node + (size_t)k * SN_CONTACT_BLOCK);
        sn_lane height = sn_lane3_dot(x.v, n), least = height - x.w, most = height + x.w;
        if (k == 0) low = least;
        if (k == first) high = most;
        if (k < first) low = sn_lane_min(low, least);
        if (k >= first) high = sn_lane_max(high, most);
    }
    return low - high;
}

SN_INLINE void find_doubts(const sn_limiter_sight *s, size_t begin, size_t end, const int first) {
    for (size_t block = begin; block < end; block++) {
        sn_real room = SN_INFINITY;
        for (size_t lane = 0; lane < SN_CONTACT_BLOCK; lane += SN_LANES) {
            const int32_t *node = s->node + block * 4 * SN_CONTACT_BLOCK + lane;
            const sn_real *row = s->row + block * SN_ROW_COUNT * SN_CONTACT_BLOCK + lane;
            const sn_real *normal = row + SN_ROW_NORMAL * SN_CONTACT_BLOCK;
            sn_lane3 n = {sn_lane_load(normal), sn_lane_load(normal + SN_CONTACT_BLOCK),
                          sn_lane_load(normal + 2 * SN_CONTACT_BLOCK)};
            sn_lane limit = sn_lane_load(row + SN_ROW_LIMIT * SN_CONTACT_BLOCK);
            sn_lane least = SN_R(0.11) * limit + s->rounding;
            sn_lane before = ahead(s->before, node, first, n) - least;
            sn_lane now = ahead(s->now, node, first, n) - least;
            sn_real over[SN_LANES] __attribute__((aligned(16)));
            sn_real began[SN_LANES] __attribute__((aligned(16)));
            sn_lane_store(over, sn_lane_min(before, now));
            sn_lane_store(began, before);
            for (size_t i = 0; i < SN_LANES; i++) {
                s->doubt[block * SN_CONTACT_BLOCK + lane + i] = node[i] >= 0 && !(over[i] > 0);
                if (node[i] >= 0 && !(began[i] >= room)) room = began[i];
            }
        }
        if (s->room) s->room[block] = room;
    }
}

static void doubts_of_vertices(const sn_limiter_sight *s, size_t begin, size_t end) {
    find_doubts(s, begin, end, 1);
}
static void doubts_of_edges(const sn_limiter_sight *s, size_t begin, size_t end) {
    find_doubts(s, begin, end, 2);
}

extern const sn_limiter_planes SN_LIMITER_PLANES(SN_LANES);
const sn_limiter_planes SN_LIMITER_PLANES(SN_LANES) = {{doubts_of_vertices, doubts_of_edges}};

#if SN_LANES == 1
SN_DECLARE_WIDTHS(sn_limiter_planes, sn_limiter_planes_)

const sn_limiter_planes *sn_limiter_planes_of(sn_width width) {
    static const sn_limiter_planes *const all[] = SN_ALL_WIDTHS(sn_limiter_planes_);
    return all[width];
}
#endif
