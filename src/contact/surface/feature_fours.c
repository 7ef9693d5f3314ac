#include "contact/surface/feature_fours.h"

#include "collision/collider_pose.h"
#include "contact/surface/rest_tables.h"
#include "contact/surface/surface_pairs.h"

#define NONE UINT32_MAX

static const sn_surface_contact_list lists[SN_FEATURES] = {
    SN_SURFACE_CONTACT_POINT, SN_SURFACE_CONTACT_EDGE, SN_SURFACE_CONTACT_TRIANGLE};

/* What a triangle speaks for, of one kind; at most three. */
static const uint32_t *owned(const sn_surface_contact_leaf *leaf, int feature) {
    return feature == SN_FEATURE_POINT  ? leaf->point
           : feature == SN_FEATURE_EDGE ? leaf->edge
                                        : leaf->only;
}

/* Lanes that are nowhere, and near nothing. */
static void empty(sn_feature_blocks block) {
    *block.box = (sn_feature_box){0};
    *block.path = (sn_feature_path){0};
    for (size_t i = 0; i < SN_FEATURE_FOURS; i++) {
        block.rest[i] = (sn_feature_rest){0};
        for (int k = 0; k < 3; k++) {
            block.box->low[k][i] = sn_four_all(SN_INFINITY);
            block.box->high[k][i] = sn_four_all(-SN_INFINITY);
            block.rest[i].node[k] = (sn_v4_bits){-1, -1, -1, -1};
        }
    }
}

/* Nodes, and where they are at rest. */
static void name(const sn_world *world, const sn_surface_contacts *m, int feature,
                 sn_feature_blocks block, size_t at, uint32_t item) {
    const uint32_t *node = m->list[lists[feature]].node + (size_t)item * (size_t)(feature + 1);
    const size_t four = at / 4, lane = at % 4;
    block.path->item[four][lane] = block.rest[four].item[lane] = (sn_bits)item;
    for (int c = 0; c <= feature; c++) {
        block.rest[four].node[c][lane] = (sn_bits)node[c];
        sn_v4 rest = sn_v4_load(&sn_collision_surfaces_of(world)->rest[node[c]]);
        for (int k = 0; k < 3; k++) block.rest[four].at[c][k][lane] = rest[k];
    }
}

/* What a leaf of a tree speaks for, of one kind. */
typedef struct spoken {
    uint32_t item[SN_FEATURE_MOST];
    sn_v4 middle[SN_FEATURE_MOST]; /* at rest, times the number of nodes */
    size_t count;
} spoken;

static void list_spoken(const sn_world *world, const sn_surface_contacts *m, uint32_t i,
                        int feature, spoken *s) {
    const sn_surface_bvh_node *node = &m->tree.node[i];
    const sn_vec4 *rest = sn_collision_surfaces_of(world)->rest;
    s->count = 0;
    for (uint32_t k = 0; k < node->count; k++) {
        const uint32_t *item = owned(&m->tree.leaf[node->first + k], feature);
        for (int c = 0; c < 3 && item[c] != NONE; c++) {
            const uint32_t *corner =
                m->list[lists[feature]].node + (size_t)item[c] * (size_t)(feature + 1);
            sn_v4 middle = sn_v4_load(&rest[corner[0]]);
            for (int n = 1; n <= feature; n++) middle += sn_v4_load(&rest[corner[n]]);
            s->item[s->count] = item[c];
            s->middle[s->count++] = middle;
        }
    }
}

/* Along the axis in which they extend most: then four side by side are beside each other in the
   sheet as well, and mostly all of them are near one, or none. */
static void sort_spoken(spoken *s) {
    sn_v4 low = s->middle[0], high = low;
    for (size_t i = 1; i < s->count; i++) {
        low = sn_four_choose((sn_v4_bits)(s->middle[i] < low), s->middle[i], low);
        high = sn_four_choose((sn_v4_bits)(s->middle[i] > high), s->middle[i], high);
    }
    sn_v4 size = high - low;
    int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    for (size_t i = 1; i < s->count; i++) {
        uint32_t item = s->item[i];
        sn_v4 middle = s->middle[i];
        size_t k = i;
        for (; k > 0 && s->middle[k - 1][axis] > middle[axis]; k--) {
            s->item[k] = s->item[k - 1];
            s->middle[k] = s->middle[k - 1];
        }
        s->item[k] = item;
        s->middle[k] = middle;
    }
}

/* The features of one kind that a leaf of a tree speaks for, from a block on; returns how many. */
static size_t list_leaf(const sn_world *world, sn_surface_contacts *m, uint32_t i, int feature,
                        size_t at, bool writes) {
    spoken s;
    list_spoken(world, m, i, feature, &s);
    if (writes && s.count > 0) sort_spoken(&s);
    for (size_t k = 0; writes && k < s.count; k++) {
        sn_feature_blocks block = sn_feature_blocks_at(m->tree.block, at + k / SN_FEATURE_LANES);
        if (k % SN_FEATURE_LANES == 0) empty(block);
        name(world, m, feature, block, k % SN_FEATURE_LANES, s.item[k]);
    }
    return s.count;
}

static size_t list_all(const sn_world *world, sn_surface_contacts *m, bool writes) {
    size_t at = 0;
    m->tree.leaves = 0;
    for (uint32_t i = 0; i < m->tree.count; i++) {
        const sn_surface_bvh_node *node = &m->tree.node[i];
        if (node->count == 0) continue;
        sn_feature_range *range = &m->tree.range[i];
        uint32_t triangle = m->tree.leaf[node->first].triangle;
        uint32_t corner = m->list[SN_SURFACE_CONTACT_TRIANGLE].node[3 * (size_t)triangle];
        range->leaf = m->tree.leaves++;
        range->surface = sn_collision_surfaces_of(world)->of_node[corner];
        for (int f = 0; f < SN_FEATURES; f++) {
            size_t count = list_leaf(world, m, i, f, at, writes);
            range->begin[f] = (uint32_t)at;
            range->fours[f] = (uint32_t)(count + 3) / 4;
            at += (count + SN_FEATURE_LANES - 1) / SN_FEATURE_LANES;
        }
    }
    return at;
}

enum { COLUMNS = 3 };

static void list_columns(sn_surface_bvh *tree, sn_column columns[COLUMNS]) {
    columns[0] = (sn_column){(void **)&tree->block.box, sizeof *tree->block.box};
    columns[1] = (sn_column){(void **)&tree->block.path, sizeof *tree->block.path};
    columns[2] =
        (sn_column){(void **)&tree->block.rest, SN_FEATURE_FOURS * sizeof *tree->block.rest};
}

void sn_feature_fours_free(sn_surface_bvh *tree, sn_memory *memory) {
    sn_column columns[COLUMNS];
    list_columns(tree, columns);
    sn_columns_free(memory, columns, COLUMNS, 0, tree->block_capacity);
}

static bool reserve(sn_world *world, sn_surface_bvh *tree, size_t count) {
    sn_column columns[COLUMNS];
    if (count <= tree->block_capacity) return true;
    list_columns(tree, columns);
    size_t grown =
        sn_columns_grow(&world->memory, columns, COLUMNS, 0, tree->block_capacity, count);
    if (grown > 0) tree->block_capacity = grown;
    return grown > 0;
}

bool sn_feature_fours_list(sn_world *world, sn_surface_contacts *m) {
    for (size_t i = 0; i < m->list[SN_SURFACE_CONTACT_TRIANGLE].count; i++) {
        sn_surface_contact_leaf *leaf = &m->tree.leaf[i];
        leaf->only[0] = leaf->triangle;
        leaf->only[1] = NONE;
    }
    size_t count = list_all(world, m, false);
    if (!reserve(world, &m->tree, count)) return false;
    (void)list_all(world, m, true);
    return sn_rest_tables_reserve(world, &m->tree);
}

/* The boxes around the paths of nodes, and the most that they reach beyond: of four of a block. */
SN_INLINE void place(const sn_surface_contacts *m, const sn_surface_contact_motion *found,
                     sn_v4 drift, const int nodes, sn_feature_blocks block, size_t four) {
    const sn_v4_bits *names = block.rest[four].node, used = (sn_v4_bits)(names[0] >= 0);
    const sn_v4 zero = {0, 0, 0, 0};
    sn_v4 slack = zero, radius = zero, low[3] = {zero, zero, zero}, high[3] = {zero, zero, zero};
    sn_v4_bits moved = {0, 0, 0, 0};
    for (int c = 0; c < nodes; c++) {
        sn_v4 at[4], path[4], from[4], by[4];
        for (int lane = 0; lane < 4; lane++) {
            /* Lanes that are not used go with the first. */
            size_t node = (size_t)names[c][used[lane] ? lane : 0];
            const sn_expected_motion motion =
                found ? sn_expected_motion_of(found, (uint32_t)node) : m->displacement[node];
            at[lane] = sn_v4_load(&motion.from);
            path[lane] = sn_v4_load(&motion.displacement);
            moved[lane] |= -(sn_bits)(m->is_moved[node] > 0);
        }
        sn_v4_transpose_all(at, from);
        sn_v4_transpose_all(path, by);
        radius = sn_four_choose((sn_v4_bits)(from[3] > radius), from[3], radius);
        slack = sn_four_choose((sn_v4_bits)(by[3] > slack), by[3], slack);
        for (int k = 0; k < 3; k++) {
            sn_v4 begin = from[k] - sn_four_all(drift[k]), end = begin + by[k];
            sn_v4 least = sn_four_choose((sn_v4_bits)(begin < end), begin, end);
            sn_v4 most = sn_four_choose((sn_v4_bits)(begin > end), begin, end);
            block.path->of[c].from[k][four] = begin;
            block.path->of[c].to[k][four] = end;
            low[k] = c == 0 ? least : sn_four_choose((sn_v4_bits)(least < low[k]), least, low[k]);
            high[k] = c == 0 ? most : sn_four_choose((sn_v4_bits)(most > high[k]), most, high[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        block.box->low[k][four] = sn_four_choose(used, low[k], sn_four_all(SN_INFINITY));
        block.box->high[k][four] = sn_four_choose(used, high[k], sn_four_all(-SN_INFINITY));
    }
    block.box->slack[four] = sn_four_choose(used, slack, zero);
    block.box->radius[four] = sn_four_choose(used, radius, zero);
    block.path->moved[four] = used & moved;
}

SN_INLINE void place_kind(const sn_surface_contacts *m, const sn_surface_contact_motion *found,
                          sn_v4 drift, uint32_t node, const int feature) {
    const sn_feature_range *range = &m->tree.range[node];
    for (uint32_t i = 0; i < range->fours[feature]; i++)
        place(m, found, drift, feature + 1,
              sn_feature_blocks_at(m->tree.block, range->begin[feature] + i / SN_FEATURE_FOURS),
              i % SN_FEATURE_FOURS);
}

SN_INLINE void place_leaf(const sn_surface_contacts *m, const sn_surface_contact_motion *found,
                          sn_v4 drift, uint32_t node) {
    place_kind(m, found, drift, node, SN_FEATURE_POINT);
    place_kind(m, found, drift, node, SN_FEATURE_EDGE);
    place_kind(m, found, drift, node, SN_FEATURE_TRIANGLE);
}

void sn_feature_fours_place(const sn_surface_contacts *surface_contacts, sn_v4 drift,
                            uint32_t node) {
    place_leaf(surface_contacts, NULL, drift, node);
}

void sn_feature_fours_place_late(const sn_world *world, const sn_surface_contacts *surface_contacts,
                                 uint32_t node) {
    const sn_reach *reach = &sn_collision_surfaces_of(world)->reach;
    const sn_surface_contact_motion found = {
        .world = (sn_world *)world, .time = reach->horizon, .mean = sn_v4_load(&reach->mean)};
    place_leaf(surface_contacts, &found, (sn_v4){0, 0, 0, 0}, node);
}
