/*
 * A node held at a point of the world or at a kinematic node.
 *
 *   C(x)     = x_0 - x_1 - o,   three rows
 *   grad_0 C =  I
 *   grad_1 C = -I
 *
 * Mueller et al. 2007, section 3.6, sets an attached vertex to its target and its inverse mass to
 * 0: that is what a kinematic node is here. This is the form that gives way: the node keeps its
 * mass, compliance and a break force have a meaning, and the force that holds it can be read.
 *
 * x_1 is the anchor, which this constraint reads and never moves, or the origin of the world. Only
 * node 0 counts for colouring, so any number of nodes may hang on one anchor.
 */
#define SN_TYPE attachment
#define SN_NODES 2
#define SN_MOVED 1
#define SN_OFFSET 1
#include "constraints/formula.h"

#include "constraints/linear.inl"

#if SN_LANES == 1

enum { OFFSET = SN_COMMON_PARAMETERS };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x;
    sn_real *offset = parameter + OFFSET;
    if (offset[0] == SN_AUTO || offset[1] == SN_AUTO || offset[2] == SN_AUTO) {
        offset[0] = -x[1].x;
        offset[1] = -x[1].y;
        offset[2] = -x[1].z;
    }
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real c[SN_NODES] = {1, -1};
    return derive_linear(from, c, from->parameter + OFFSET, coefficient);
}

SN_DEFINE_TYPE(attachment, SN_ATTACHMENT_FIELDS,
               "holds a node at a point of the world or at a kinematic node", .info.external = true,
               .scaled = true)

#endif
