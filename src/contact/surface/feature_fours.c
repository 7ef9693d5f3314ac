#include "contact/surface/feature_fours.h"

#include "collision/collider_pose.h"

#define NONE UINT32_MAX

static const sn_surface_contact_list lists[SN_FEATURES] = {
    SN_SURFACE_CONTACT_POINT, SN_SURFACE_CONTACT_EDGE, SN_SURFACE_CONTACT_TRIANGLE};

/* What a triangle speaks for, of one kind; at most three. */
static const uint32_t *owned(const sn_surface_contact_leaf *leaf, int feature) {
    return feature == SN_FEATURE_POINT  ? leaf->point
           : feature == SN_FEATURE_EDGE ? leaf->edge
                                        : leaf->only;
}

/* A lane that is nowhere, and near nothing. */
static void empty(sn_feature_four *four) {
    *four = (sn_feature_four){0};
    for (int k = 0; k < 3; k++) {
        four->low[k] = sn_four_all(SN_INFINITY);
        four->high[k] = sn_four_all(-SN_INFINITY);
        four->node[k] = (sn_v4_bits){-1, -1, -1, -1};
    }
}

/* Nodes, and where they are at rest. */
static void name(const sn_world *world, const sn_surface_contacts *m, int feature,
                 sn_feature_four *four, int lane, uint32_t item) {
    const uint32_t *node = m->list[lists[feature]].node + (size_t)item * (size_t)(feature + 1);
    four->item[lane] = (sn_bits)item;
    for (int c = 0; c <= feature; c++) {
        four->node[c][lane] = (sn_bits)node[c];
        sn_v4 at = sn_v4_load(&sn_collision_surfaces_of(world)->rest[node[c]]);
        for (int k = 0; k < 3; k++) four->rest[c][k][lane] = at[k];
    }
}

/* The features of one kind that a leaf of a tree speaks for; returns where the next begin. */
static size_t list_leaf(const sn_world *world, sn_surface_contacts *m, uint32_t i, int feature,
                        size_t at, bool writes) {
    const sn_surface_bvh_node *node = &m->tree.node[i];
    size_t count = 0;
    for (uint32_t k = 0; k < node->count; k++) {
        const uint32_t *item = owned(&m->tree.leaf[node->first + k], feature);
        for (int c = 0; c < 3 && item[c] != NONE; c++, count++) {
            if (!writes) continue;
            sn_feature_four *four = &m->tree.four[at + count / 4];
            if (count % 4 == 0) empty(four);
            name(world, m, feature, four, (int)(count % 4), item[c]);
        }
    }
    return at + (count + 3) / 4;
}

static size_t list_all(const sn_world *world, sn_surface_contacts *m, bool writes) {
    size_t at = 0;
    for (uint32_t i = 0; i < m->tree.count; i++) {
        const sn_surface_bvh_node *node = &m->tree.node[i];
        if (node->count == 0) continue;
        sn_feature_range *range = &m->tree.range[i];
        uint32_t triangle = m->tree.leaf[node->first].triangle;
        uint32_t corner = m->list[SN_SURFACE_CONTACT_TRIANGLE].node[3 * (size_t)triangle];
        range->surface = sn_collision_surfaces_of(world)->of_node[corner];
        for (int f = 0; f < SN_FEATURES; f++) {
            range->begin[f] = (uint32_t)at;
            at = list_leaf(world, m, i, f, at, writes);
        }
        range->begin[SN_FEATURES] = (uint32_t)at;
    }
    return at;
}

bool sn_feature_fours_list(sn_world *world, sn_surface_contacts *m) {
    for (size_t i = 0; i < m->list[SN_SURFACE_CONTACT_TRIANGLE].count; i++) {
        sn_surface_contact_leaf *leaf = &m->tree.leaf[i];
        leaf->only[0] = leaf->triangle;
        leaf->only[1] = NONE;
    }
    size_t count = list_all(world, m, false);
    if (!sn_reserve(&world->memory, (void **)&m->tree.four, &m->tree.four_capacity, count,
                    sizeof *m->tree.four))
        return false;
    (void)list_all(world, m, true);
    return true;
}

/* The box around the paths of nodes, and the most that they reach beyond. */
static void place(const sn_surface_contacts *m, sn_v4 drift, int feature, sn_feature_four *four,
                  int lane) {
    sn_v4 low = {SN_INFINITY, SN_INFINITY, SN_INFINITY, 0}, high = -low;
    sn_real slack = 0, radius = 0;
    bool moved = false;
    for (int c = 0; c <= feature; c++) {
        size_t node = (size_t)four->node[c][lane];
        const sn_expected_motion *motion = &m->displacement[node];
        sn_v4 at = sn_v4_load(&motion->from), path = sn_v4_load(&motion->displacement);
        if (at[3] > radius) radius = at[3];
        if (path[3] > slack) slack = path[3];
        moved |= m->is_moved[node] > 0;
        at -= drift;
        sn_v4 to = at + path;
        sn_v4 least = sn_four_choose((sn_v4_bits)(at < to), at, to);
        low = sn_four_choose((sn_v4_bits)(least < low), least, low);
        high = sn_four_more(sn_four_more(at, to), high);
        for (int k = 0; k < 3; k++) {
            four->from[c][k][lane] = at[k];
            four->to[c][k][lane] = to[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        four->low[k][lane] = low[k];
        four->high[k][lane] = high[k];
    }
    four->slack[lane] = slack;
    four->radius[lane] = radius;
    four->moved[lane] = moved ? -1 : 0;
}

void sn_feature_fours_place(const sn_surface_contacts *m, sn_v4 drift, uint32_t node) {
    const sn_feature_range *range = &m->tree.range[node];
    for (int f = 0; f < SN_FEATURES; f++)
        for (uint32_t i = range->begin[f]; i < range->begin[f + 1]; i++) {
            sn_feature_four *four = &m->tree.four[i];
            for (int lane = 0; lane < 4 && four->node[0][lane] >= 0; lane++)
                place(m, drift, f, four, lane);
        }
}
