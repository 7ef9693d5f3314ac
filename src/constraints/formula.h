/*
 * What every constraint file begins with.
 *
 * Such a file is compiled once per SIMD width, with SN_LANES lanes. Its formula becomes the loops
 * of that width through one of the templates; what is not a loop (prepare, derive, the descriptor)
 * is compiled in the scalar pass only, between #if SN_LANES == 1 and #endif.
 *
 *   project.inl   one row; C and its gradient from a function `formula`
 *   linear.inl    three rows, C = sum_k c_k x_k; coefficients only
 *   block.inl     two to six rows, on positions and orientations
 *   tet.inl       one to six rows of a tetrahedron, from its deformation gradient
 */
#ifndef SN_CONSTRAINTS_FORMULA_H
#define SN_CONSTRAINTS_FORMULA_H

#include "base/error.h"
#include "math/lanes.h"
#include "state/fields.h"
#include "state/loops_in_turn.h"

#define SN_JOIN4_(a, b, c, d) a##b##c##d
#define SN_JOIN4(a, b, c, d) SN_JOIN4_(a, b, c, d)

/* sn_loops_<type>_<lanes> */
#define SN_LOOPS(type, lanes) SN_JOIN4(sn_loops_, type, _, lanes)

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

/* The loops of every template. */
#define SN_DEFINE_GENERIC_LOOPS(project)                                                           \
    SN_DEFINE_LOOPS(generic_hard, project, SN_HARD)                                                \
    SN_DEFINE_LOOPS(generic_compliant, project, SN_COMPLIANT)
#define SN_GENERIC_LOOPS                                                                           \
    { SN_LOOP_PAIR(generic_hard), SN_LOOP_PAIR(generic_compliant) }

/* The offsets of SN_LANES constraints. */
SN_INLINE void sn_lane_offsets(const int32_t *from, int32_t to[SN_LANES]) {
#if SN_LANES == 1
    to[0] = from[0];
#else
    for (int i = 0; i < SN_LANES; i += 4) sn_offsets(from + i, to + i);
#endif
}

/* ---- The descriptor of a type ---- */

/* Its loops by widths. The scalar ones also take what has no colour, one by one. */
#ifdef SN_ONE_WIDTH
#define SN_TYPE_LOOPS(name)                                                                        \
    { &sn_loops_in_turn, &name##4, &name##4, &name##4 }
#else
#define SN_TYPE_LOOPS(name) SN_ALL_WIDTHS(name)
#endif

/* The default of `side`; a type that is a limit defines another before it includes this. */
#ifndef SN_USUAL_SIDE
#define SN_USUAL_SIDE SN_SIDE_BOTH
#endif
#define SN_TYPE_FIELDS(FIELDS, FIELD)                                                              \
    SN_SIDE_FIELD(FIELD, SN_USUAL_SIDE) SN_STRENGTH_FIELDS(FIELD) FIELDS(FIELD)

/*
 * Everything about a type that follows from its name, its list of fields and its template: the
 * default definition and its function, the table of fields, the descriptor. The functions prepare,
 * derive and evaluate stand before it; what else there is to say comes last, as initialisers.
 */
#ifdef SN_DEVICE
/* A device has the loops alone; what makes coefficients stays on the host. */
#define SN_DEFINE_TYPE(type, FIELDS, text, ...)
#else
#define SN_DEFINE_TYPE(type, FIELDS, text, ...)                                                    \
    typedef sn_##type##_def definition;                                                            \
    static const definition standard = {.size = sizeof(definition),                                \
                                        SN_TYPE_FIELDS(FIELDS, SN_STANDARD)};                      \
    definition sn_##type##_def_default(void) {                                                     \
        return standard;                                                                           \
    }                                                                                              \
    static const sn_field_info fields[] = {SN_TYPE_FIELDS(FIELDS, SN_FIELD_ROW)};                  \
    SN_DECLARE_WIDTHS(sn_loops, sn_loops_##type##_)                                                \
    const sn_constraint_type sn_type_##type = {.info.name = #type,                                 \
                                               .info.meaning = text,                               \
                                               .info.nodes = SN_NODES,                             \
                                               .info.fixed_nodes = SN_FIXED,                       \
                                               .info.frames = SN_FRAMES,                           \
                                               .info.rows = SN_ROWS,                               \
                                               .info.def_size = sizeof(definition),                \
                                               .info.field_count = sizeof fields / sizeof *fields, \
                                               .info.fields = fields,                              \
                                               .standard = &standard,                              \
                                               .coefficients = SN_COEFFICIENTS,                    \
                                               .prepare = prepare,                                 \
                                               .derive = derive,                                   \
                                               .evaluate = evaluate,                               \
                                               .loops = SN_TYPE_LOOPS(sn_loops_##type##_),         \
                                               __VA_ARGS__};
#endif

#endif
