/* Whether two elements have passed through each other. */
#include "contact/meet_pair.h"
#include "contact/placing.h"

typedef struct lane {
    const sn_meet_batch *m;
    const int32_t *node; /* of its nodes, 16 apart */
    sn_real *row;
    int kind, nodes;
} lane;

static sn_v4 normal_of(const lane *l) {
    const sn_real *row = l->row + SN_MEET_NORMAL * SN_MEET_BLOCK;
    return (sn_v4){row[0], row[SN_MEET_BLOCK], row[2 * SN_MEET_BLOCK], 0};
}

static void set_normal(const lane *l, sn_v4 r) {
    sn_real length = SN_ROOT(sn_v4_dot(r, r));
    if (!(length > 0)) return;
    for (int i = 0; i < 3; i++) l->row[(SN_MEET_NORMAL + i) * SN_MEET_BLOCK] = r[i] / length;
}

/* From the second to the first, when the substep began (p) or now (d). */
static sn_v4 between(const lane *l, const sn_vec4 *displacement) {
    sn_vec4 x[SN_MEET_MOST_NODES], p[SN_MEET_MOST_NODES];
    uint32_t node[SN_MEET_MOST_NODES] = {0, 1, 2, 3};
    sn_real weight[SN_MEET_MOST_NODES];
    for (int n = 0; n < l->nodes; n++) {
        sn_v4_store(&x[n], sn_at(l->m->x, l->node[n * SN_MEET_BLOCK]));
        sn_v4_store(&p[n], sn_at(displacement, l->node[n * SN_MEET_BLOCK]));
    }
    sn_nodes nodes = {.x = x, .p = p};
    return sn_meet_between(&nodes, l->kind, node, weight);
}

bool sn_meet_has_crossed(const sn_meet_batch *m, int kind, size_t block, size_t place) {
    int nodes = sn_meet_nodes(kind);
    lane l = {m, m->node + block * (size_t)nodes * SN_MEET_BLOCK + place,
              m->row + block * SN_MEET_ROWS * SN_MEET_BLOCK + place, kind, nodes};
    sn_real limit = l.row[SN_MEET_LIMIT * SN_MEET_BLOCK];
    if (limit < 0) return false;
    sn_v4 now = between(&l, m->d), start = between(&l, m->p), normal = normal_of(&l);
    if (sn_v4_dot(start, normal) < 0) {
        /* It was on the wrong side already: pulled back from near, forgotten from afar. */
        bool near =
            l.row[SN_MEET_CROSSED * SN_MEET_BLOCK] > 0 && sn_v4_dot(now, now) < 4 * limit * limit;
        if (!near) set_normal(&l, now);
        return near;
    }
    if (sn_v4_dot(start, now) >= 0) {
        set_normal(&l, now);
        return false;
    }
    set_normal(&l, start);
    return true;
}
