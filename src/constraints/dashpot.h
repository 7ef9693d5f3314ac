/* What the loops of dashpots share: velocities and inverse masses of SN_LANES nodes. */
#ifndef SN_CONSTRAINTS_DASHPOT_H
#define SN_CONSTRAINTS_DASHPOT_H

#include "constraints/formula.h"

SN_INLINE sn_lane3 sn_gather_velocity(const sn_vec4 *v, const int32_t *node) {
    sn_lane_nodes from[SN_NODE_REGISTERS];
    for (int i = 0; i < SN_NODE_REGISTERS; i++) from[i] = sn_lane_nodes_at(v, node, i);
    return sn_lane3_from_registers(from);
}

SN_INLINE sn_lane sn_gather_w(const sn_dashpots *s, const int32_t *node) {
    _Alignas(64) sn_real w[SN_LANES];
    for (size_t i = 0; i < SN_LANES; i++) w[i] = s->w[node[i] / SN_NODE_BYTES];
    return sn_lane_load(w);
}

/* A row without a dashpot, which has the most that alpha can be, takes back what it did, and then
   does nothing; likewise one whose shape is so degenerate that its step is no number. */
SN_INLINE sn_lane sn_damped_step(sn_lane alpha, sn_lane kept, sn_lane step) {
    sn_lane sound = sn_lane_if_less(step * step, sn_lane_all(SN_REAL_MAX), step, -kept);
    return sn_lane_if_less(alpha, sn_lane_all((sn_real)SN_MOST_ALPHA), sound, -kept);
}

/* Adds to velocities; what has no part in it may be read by others at the same time, and keeps its
   bits. */
SN_INLINE void sn_add_velocity(sn_vec4 *v, const int32_t *node, sn_lane part, sn_lane3 change) {
    _Alignas(64) sn_real moves[SN_LANES];
    sn_v4 add[SN_LANES];
    sn_lane_store(moves, part);
    sn_lane3_to_nodes(change, add);
    for (size_t i = 0; i < SN_LANES; i++) {
        sn_real sum = (add[i][0] + add[i][1]) + add[i][2];
        if (moves[i] != 0 && sum - sum == 0) *sn_in(v, node[i]) += add[i];
    }
}

/* The impulse along a vector C, whose rate is known, with the sum of w_k |grad_k|^2: what was
   there, or what is missing of it. `kept` is a vector as well, since C may turn round. */
static inline sn_v4 sn_damp_along(sn_v4 value, sn_v4 rate, sn_real sum, sn_real alpha, bool warm,
                                  sn_v4 *kept) {
    sn_real square = sn_v4_dot(value, value);
    sn_v4 before = *kept, along = {0};
    if (square > 0) along = value * (1 / SN_ROOT(square));
    sn_real was = sn_v4_dot(before, along);
    if (warm) {
        *kept = was * along;
        return *kept;
    }
    sn_real step = -(sn_v4_dot(rate, along) + alpha * was) / (sum + alpha);
    if (!(alpha < (sn_real)SN_MOST_ALPHA)) step = -was;
    *kept = (was + step) * along;
    return step * along;
}

#endif
