/*
 * Links: constraints that keep two nodes at a length, which bonds of solids and the levels of
 * hierarchies are made of. Which type that is, is said here alone.
 */
#ifndef SN_CONSTRAINTS_LINK_H
#define SN_CONSTRAINTS_LINK_H

#include <sinew/constraint.h>
#include <sinew/constraints/distance.h>

typedef sn_distance_def sn_link_def;

enum { SN_TYPE_LINK = SN_TYPE_DISTANCE };

static inline sn_link_def sn_link_def_default(void) {
    return sn_distance_def_default();
}

#endif
