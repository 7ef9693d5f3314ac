/*
 * What every constraint file begins with.
 *
 * Such a file is compiled once per SIMD width, with SN_LANES lanes. Its formula becomes the loops
 * of that width through one of two templates; what is not a loop (prepare, derive, the descriptor)
 * is compiled in the scalar pass only, between #if SN_LANES == 1 and #endif.
 *
 *   project.inl   one row; C and its gradient from a function `formula`
 *   linear.inl    three rows, C = sum_k c_k x_k; coefficients only
 */
#ifndef SN_CONSTRAINTS_FORMULA_H
#define SN_CONSTRAINTS_FORMULA_H

#include "base/error.h"
#include "math/lanes.h"
#include "world/type.h"

#define SN_JOIN_(a, b) a##b
#define SN_JOIN(a, b) SN_JOIN_(a, b)
#define SN_JOIN4_(a, b, c, d) a##b##c##d
#define SN_JOIN4(a, b, c, d) SN_JOIN4_(a, b, c, d)

/* sn_loops_<type>_<lanes>, and what the descriptor needs of the other widths. */
#define SN_LOOPS(type, lanes) SN_JOIN4(sn_loops_, type, _, lanes)
#ifdef SN_DOUBLE
/* Double precision is for accuracy: two widths are enough, and halve the time to compile. */
#define SN_DECLARE_LOOPS(type) extern const sn_loops SN_LOOPS(type, 1), SN_LOOPS(type, 4);
#define SN_ALL_LOOPS(type)                                                                         \
    { &SN_LOOPS(type, 1), &SN_LOOPS(type, 4), &SN_LOOPS(type, 4), &SN_LOOPS(type, 4) }
#else
#define SN_DECLARE_LOOPS(type)                                                                     \
    extern const sn_loops SN_LOOPS(type, 1), SN_LOOPS(type, 4), SN_LOOPS(type, 8),                 \
        SN_LOOPS(type, 16);
#define SN_ALL_LOOPS(type)                                                                         \
    { &SN_LOOPS(type, 1), &SN_LOOPS(type, 4), &SN_LOOPS(type, 8), &SN_LOOPS(type, 16) }
#endif

/* The two loops of one softness, from a function project(batch, begin, end, softness, keep). */
#define SN_DEFINE_LOOPS(name, project, softness)                                                   \
    static void name(const sn_batch *b, size_t begin, size_t end) {                                \
        project(b, begin, end, softness, 0);                                                       \
    }                                                                                              \
    static void name##_kept(const sn_batch *b, size_t begin, size_t end) {                         \
        project(b, begin, end, softness, 1);                                                       \
    }
#define SN_LOOP_PAIR(name)                                                                         \
    { name, name##_kept }

/* The loops of both templates. */
#define SN_DEFINE_GENERIC_LOOPS(project)                                                           \
    SN_DEFINE_LOOPS(generic_hard, project, SN_HARD)                                                \
    SN_DEFINE_LOOPS(generic_compliant, project, SN_COMPLIANT)                                      \
    SN_DEFINE_LOOPS(generic_damped, project, SN_DAMPED)
#define SN_GENERIC_LOOPS                                                                           \
    { SN_LOOP_PAIR(generic_hard), SN_LOOP_PAIR(generic_compliant), SN_LOOP_PAIR(generic_damped) }

/* ---- Fields: the tables of a type from its list ---- */

#define SN_AUTO_FIELD_true true
#define SN_AUTO_FIELD_false false
#define SN_FIELD_ROW(type, kind, name, unit, least, most, standard, automatic, meaning)            \
    {#name, unit, meaning, SN_FIELD_##kind, offsetof(type, name), least, most, standard, automatic},

#define SN_STANDARD_REAL(value) value
#define SN_STANDARD_SIDE(value) SN_SIDE_BOTH
#define SN_STANDARD_VEC3(value)                                                                    \
    { value, value, value }
#define SN_STANDARD(kind, name, unit, least, most, standard, automatic, meaning)                   \
    .name = SN_STANDARD_##kind(standard),

/* The default definition and its function; each type file also lists its rows of sn_field_info. */
#define SN_DEFINE_STANDARD(type, FIELDS)                                                           \
    static const sn_##type##_def standard = {.size = sizeof(sn_##type##_def),                      \
                                             SN_COMMON_FIELDS(SN_STANDARD) FIELDS(SN_STANDARD)};   \
    sn_##type##_def sn_##type##_def_default(void) {                                                \
        return standard;                                                                           \
    }

#endif
