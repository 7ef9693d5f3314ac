/*
 * Arithmetic in scene files: "=2 * size / columns".
 *
 * Numbers, names, + - * / ^, parentheses, pi, deg (pi / 180), and the functions of the list below.
 * All of them give the same bits on every machine (elementary.h).
 *
 * What is made of an expression is up to a maker: numbers, as sn_expression_evaluate does, or a
 * program that can be run often and differentiated (formula.h).
 */
#ifndef SN_IO_TEXT_EXPRESSION_H
#define SN_IO_TEXT_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

/* What can be done with values: operators, then functions with their words and how many values they
   take. `NUMBERS` are known to every maker, `VECTORS` to those that have any. */
#define EXPRESSION_NUMBERS(FUNCTION)                                                               \
    FUNCTION(SQRT, "sqrt", 1)                                                                      \
    FUNCTION(ABS, "abs", 1)                                                                        \
    FUNCTION(FLOOR, "floor", 1)                                                                    \
    FUNCTION(CEIL, "ceil", 1)                                                                      \
    FUNCTION(ROUND, "round", 1)                                                                    \
    FUNCTION(SIN, "sin", 1)                                                                        \
    FUNCTION(COS, "cos", 1)                                                                        \
    FUNCTION(EXP, "exp", 1)                                                                        \
    FUNCTION(LOG, "log", 1)                                                                        \
    FUNCTION(NOISE, "noise", 1)                                                                    \
    FUNCTION(MIN, "min", 2)                                                                        \
    FUNCTION(MAX, "max", 2)                                                                        \
    FUNCTION(STEP, "step", 2)                                                                      \
    FUNCTION(CLAMP, "clamp", 3)                                                                    \
    FUNCTION(SMOOTHSTEP, "smoothstep", 3)
#define EXPRESSION_VECTORS(FUNCTION)                                                               \
    FUNCTION(LENGTH, "length", 1)                                                                  \
    FUNCTION(NORMALIZE, "normalize", 1)                                                            \
    FUNCTION(DOT, "dot", 2)                                                                        \
    FUNCTION(CROSS, "cross", 2)                                                                    \
    FUNCTION(DISTANCE, "distance", 2)                                                              \
    FUNCTION(VEC, "vec", 3)

typedef enum expression_act {
    EXPRESSION_ADD,
    EXPRESSION_SUBTRACT,
    EXPRESSION_MULTIPLY,
    EXPRESSION_DIVIDE,
    EXPRESSION_POWER,
    EXPRESSION_NEGATE,
#define EXPRESSION_ENUM(upper, word, values) EXPRESSION_##upper,
    EXPRESSION_NUMBERS(EXPRESSION_ENUM) EXPRESSION_VECTORS(EXPRESSION_ENUM)
#undef EXPRESSION_ENUM
        EXPRESSION_MEMBER_X, /* of a vector */
    EXPRESSION_MEMBER_Y,
    EXPRESSION_MEMBER_Z
} expression_act;

/* A part of an expression: its value where it is a number that is known, or its place in what the
   maker makes. */
typedef struct expression_value {
    double number;
    int place;
} expression_value;

typedef struct expression_maker {
    /* The value of a name; false when there is none. */
    bool (*name)(void *user, const char *name, expression_value *value);
    /* Returns null, or what is wrong. */
    const char *(*apply)(void *user, expression_act act, const expression_value *values,
                         expression_value *result);
    /* A number that is written; null where numbers are all there is. Null or what is wrong. */
    const char *(*number)(void *user, expression_value *value);
    const char *what; /* that a name may be: "parameter" */
    void *user;
} expression_maker;

/* Reads an expression. Fills `problem`, of `size` bytes, with a sentence and returns false when it
   fails. */
bool sn_expression_read(const char *text, const expression_maker *maker, expression_value *value,
                        char *problem, size_t size);

/* How many values an act takes. */
int sn_expression_values(expression_act act);

/* What an act gives for numbers; null, or what is wrong. */
const char *sn_expression_compute(expression_act act, const double *values, double *result);

/* The value of a name; false when there is none. */
typedef bool expression_lookup(void *user, const char *name, double *value);

/* The value of an expression of numbers. */
bool sn_expression_evaluate(const char *text, expression_lookup *lookup, void *user, double *value,
                            char *problem, size_t size);

#endif
