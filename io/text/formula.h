/*
 * Formulas of positions: "distance(a, b) - 1", with their gradients.
 *
 * An expression is read once, into steps of numbers and vectors that can be run for any positions.
 * Gradients are exact: every step knows its slopes, and one pass backwards over the steps gives the
 * derivatives by all positions (reverse mode; Griewank & Walther 2008, chapter 3). All of it is in
 * double, by + - * /, square roots and elementary.h: the same bits on every machine.
 */
#ifndef SN_IO_TEXT_FORMULA_H
#define SN_IO_TEXT_FORMULA_H

#include "io/text/expression.h"

#include <stdint.h>

enum { FORMULA_STEPS = 256, FORMULA_NODES = 16 };

/* A step: an act on earlier ones, or a value that is there. */
typedef struct formula_step {
    int act;   /* an expression_act, or one of those below 0 in formula.c */
    int of[3]; /* the steps whose values it takes */
    int node;  /* whose position it is */
    bool vector;
    double constant[3];
} formula_step;

typedef struct formula {
    int count, result;
    bool timed;     /* whether it depends on the time */
    uint32_t nodes; /* those it depends on, as bits */
    formula_step step[FORMULA_STEPS];
} formula;

/* What names mean: nodes in their order, t, and what `lookup` knows. */
typedef struct formula_names {
    const char *const *nodes;
    int count;
    expression_lookup *lookup;
    void *user;
} formula_names;

/* Reads a formula whose value is a number. Fills `problem`, of `size` bytes, with a sentence and
   returns false when it fails. */
bool sn_formula_read(formula *f, const char *text, const formula_names *names, char *problem,
                     size_t size);

/* Its value where nodes are at x at the time t, and, unless null, its gradients by them. Null, or
   why there is none there. */
const char *sn_formula_evaluate(const formula *f, const double (*x)[3], double t, double *value,
                                double (*gradient)[3]);

#endif
