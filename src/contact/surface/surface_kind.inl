/*
 * A kind of contact between collision surfaces. Its file says which elements collide,
 *
 *   SN_KIND                        the number of the kind
 *   SN_KIND_NAME                   its name
 *   SN_FIRST, SN_SECOND            the lists of its elements
 *   SN_SEARCHED_FIRST, _SECOND     those that the broad phase searches
 *
 * and has its loops, compiled once per SIMD width, and its descriptor from here.
 */
#include "contact/surface/separation_test.h"
#include "contact/surface/surface_contact_solve.h"

#define SN_JOIN3_(a, b, c) a##b##c
#define SN_JOIN3(a, b, c) SN_JOIN3_(a, b, c)
#define SN_KIND_LOOPS SN_JOIN3(sn_, SN_KIND_NAME, _loops_)
#define SN_KIND_LOOPS_AT(lanes) SN_JOIN3(SN_KIND_LOOPS, lanes, )

static void project_pairs(const sn_surface_contact_batch *m, size_t begin, size_t end) {
    project(m, begin, end, SN_KIND);
}

static void recover_pairs(const sn_surface_contact_batch *m, size_t begin, size_t end) {
    recover(m, begin, end, SN_KIND);
}

static uint32_t doubt_pairs(const sn_surface_contact_batch *m, size_t block) {
    return doubts(m, block, SN_KIND);
}

static size_t sift_pairs(const sn_separation_test *near, sn_broad_pair *pairs, size_t count) {
    return sift(near, SN_KIND, pairs, count);
}

static size_t sift_near_pairs(const sn_separation_test *near, sn_broad_pair *pairs,
                              const sn_real *rest, size_t count) {
    return sift_near(near, SN_KIND, pairs, rest, count);
}

static void measure_pairs(const sn_separation_test *near, sn_contact_pair *pair, sn_vec4 *side,
                          size_t count) {
    measure(near, SN_KIND, pair, side, count);
}

extern const sn_surface_kind_loops SN_KIND_LOOPS_AT(SN_LANES);
const sn_surface_kind_loops SN_KIND_LOOPS_AT(SN_LANES) = {
    project_pairs, recover_pairs, doubt_pairs, sift_pairs, sift_near_pairs, measure_pairs};

#if SN_LANES == 1
static void project_lane(const sn_surface_contact_batch *m, size_t block, size_t lane) {
    project_lanes(m, block, lane, SN_KIND, sn_contact_nodes(SN_KIND));
}

#define SN_DECLARE_LOOPS(loops) SN_DECLARE_WIDTHS(sn_surface_kind_loops, loops)
#define SN_ALL_LOOPS(loops) SN_ALL_WIDTHS(loops)
SN_DECLARE_LOOPS(SN_KIND_LOOPS)

static const sn_surface_kind surface = {
    SN_FIRST,    SN_SECOND, SN_SEARCHED_FIRST, SN_SEARCHED_SECOND, SN_ALL_LOOPS(SN_KIND_LOOPS),
    project_lane};

const sn_contact_kind_def SN_JOIN3(sn_, SN_KIND_NAME, _contact_kind) = {
    &sn_surface_contact_group, &sn_surface_contact_report, &surface};
#endif
