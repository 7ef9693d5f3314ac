/*
 * A node held at a point of a triangle of another body.
 *
 *   C(x)     = b_1 x_1 + b_2 x_2 + b_3 x_3 - x_0,   three rows
 *   grad_k C =  b_k I
 *   grad_0 C = -I
 *
 * Mueller et al. 2007, section 5, has two-way attachments to rigid bodies and gives no formula;
 * this is the projection of their section 3.3 for a point of a triangle. With sum b_k = 1 the
 * gradients cancel, so forces do, and since all of them act along the line of C between the node
 * and the point, so do their moments where C is zero.
 */
#define SN_TYPE point_attachment
#define SN_NODES 4
#define SN_MOVED 4
#define SN_OFFSET 0
#include "constraints/formula.h"

#include "constraints/linear.inl"

#if SN_LANES == 1

#include "geometry/closest_point.h"

enum { WEIGHTS = SN_COMMON_PARAMETERS };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_real *b = parameter + WEIGHTS;
    if (b[0] == SN_AUTO || b[1] == SN_AUTO || b[2] == SN_AUTO) {
        const sn_point corner[3] = {sn_point_of(from->x[1]), sn_point_of(from->x[2]),
                                    sn_point_of(from->x[3])};
        double share[3];
        sn_point node = {0, 0, 0};
        sn_closest_shares(
            corner, sn_closest_on_triangle(node, corner[0], corner[1], corner[2], NULL), share);
        /* On an edge, rounding may leave less than nothing. */
        for (int k = 0; k < 3; k++) b[k] = (sn_real)(share[k] > 0 ? share[k] : 0);
    }
    if (!(b[0] + b[1] + b[2] > SN_R(1e-6)))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "point_attachment: the weights (%g, %g, %g) have no sum, expected one above "
                       "0",
                       (double)b[0], (double)b[1], (double)b[2]);
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *b = from->parameter + WEIGHTS;
    sn_real sum = b[0] + b[1] + b[2];
    const sn_real c[SN_NODES] = {-1, b[0] / sum, b[1] / sum, b[2] / sum};
    return derive_linear(from, c, NULL, coefficient);
}

SN_DEFINE_TYPE(point_attachment, SN_POINT_ATTACHMENT_FIELDS,
               "holds a node at a point of a triangle, both ways", .scaled = true, .joins = true)

#endif
