/*
 * Arithmetic in scene files: "=2 * size / columns".
 *
 * Numbers, names, + - * /, parentheses, pi, deg (pi / 180), and the functions sqrt, abs, min, max,
 * floor, ceil and round. All of them give the same bits on every machine, which sines and powers
 * would not.
 */
#ifndef SN_IO_TEXT_EXPRESSION_H
#define SN_IO_TEXT_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

/* The value of a name; false when there is none. */
typedef bool expression_lookup(void *user, const char *name, double *value);

/* Fills `problem`, of `size` bytes, with a sentence and returns false when it fails. */
bool sn_expression_evaluate(const char *text, expression_lookup *lookup, void *user, double *value,
                            char *problem, size_t size);

#endif
