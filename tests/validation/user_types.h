/*
 * Types written by a user: those of the library once more, with the same names of fields, and some
 * that it has not. Formulas for the former do their arithmetic in the order of the library.
 */
#ifndef SINEW_TESTS_USER_TYPES_H
#define SINEW_TESTS_USER_TYPES_H

#include <sinew/sinew.h>

typedef enum user_kind {
    USER_DISTANCE,      /* unit gradients */
    USER_TET_VOLUME,    /* one row */
    USER_TRIANGLE_AREA, /* one row */
    USER_ATTACHMENT,    /* three rows, a node that is only read */
    USER_BENDING,       /* three rows, isometric, with the coefficients c0 to c3 */
    USER_SEGMENT,       /* stretch and shear: three rows and a frame */
    USER_HINGE,         /* the angle at node 0 between two others */
    USER_FLOOR,         /* the height of one node over a level */
    USER_CAGE,          /* 16 nodes with frames, six rows, numerical gradients */
    USER_KINDS
} user_kind;

/* The definition of the type; the strings and arrays in it are constants. */
sn_user_type_def user_type_def(user_kind kind);

/* The same with numerical gradients. */
sn_user_type_def user_type_def_numerical(user_kind kind);

/* The type of the library that a kind repeats; SN_TYPE_COUNT where there is none. */
sn_type user_kind_original(user_kind kind);

#endif
