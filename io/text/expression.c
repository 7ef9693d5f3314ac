#include "io/text/expression.h"

#include "io/text/text.h"

#include <sinew/support.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 64, NAME_SIZE = 64 };

typedef struct expression {
    const char *begin, *at;
    expression_lookup *lookup;
    void *user;
    char *problem;
    size_t size;
    int depth;
    bool failed;
} expression;

/* Returns 0 so that failing is one line. */
static double fail(expression *e, const char *what, const char *detail) {
    if (!e->failed)
        snprintf(e->problem, e->size, "at character %zu of \"%.80s\": %s%s",
                 (size_t)(e->at - e->begin) + 1, e->begin, what, detail);
    e->failed = true;
    return 0;
}

static bool take(expression *e, char c) {
    while (*e->at == ' ') e->at++;
    if (*e->at != c) return false;
    e->at++;
    return true;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static double sum(expression *e);

static const char *const function_names[] = {"sqrt", "abs", "floor", "ceil", "round",
                                             "sin",  "cos", "min",   "max"};
enum { SQRT, ABS, FLOOR, CEIL, ROUND, SIN, COS, MIN, MAX, FUNCTIONS };

/* By the library's own circle: that of the C library has other bits elsewhere. */
static double circle(expression *e, int function, double angle) {
    double turns = angle / (2 * 3.14159265358979323846), sine, cosine;
    uint64_t whole = UINT64_C(1) << 52;
    if (!(fabs(angle) <= 1e6)) return fail(e, "an angle is beyond 1000000 rad", "");
    sn_turn((uint64_t)((turns - floor(turns)) * (double)whole), whole, &sine, &cosine);
    return function == SIN ? sine : cosine;
}

static double apply(expression *e, int function, double a, double b) {
    switch (function) {
    case SQRT:
        return a < 0 ? fail(e, "the square root of a negative number", "") : sqrt(a);
    case ABS:
        return fabs(a);
    case FLOOR:
        return floor(a);
    case CEIL:
        return ceil(a);
    case ROUND:
        return floor(a + 0.5);
    case SIN:
    case COS:
        return circle(e, function, a);
    case MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

/* The number of a function; FUNCTIONS where there is none of this name. */
static int function_of(const char *name) {
    int function = 0;
    while (function < FUNCTIONS && strcmp(function_names[function], name) != 0) function++;
    return function;
}

static double call(expression *e, const char *name) {
    int function = function_of(name);
    double a = sum(e), b = 0;
    if (function >= MIN) {
        if (!take(e, ',')) return fail(e, "expected ',' and a second number in ", name);
        b = sum(e);
    }
    if (!take(e, ')')) return fail(e, "expected ')'", "");
    return e->failed ? 0 : apply(e, function, a, b);
}

static double name(expression *e) {
    char word[NAME_SIZE];
    size_t length = 0;
    const char *begin = e->at;
    double value;
    while (is_letter(*e->at) || is_digit(*e->at)) {
        if (length + 1 < sizeof word) word[length++] = *e->at;
        e->at++;
    }
    word[length] = 0;
    if ((size_t)(e->at - begin) > length) {
        e->at = begin;
        return fail(e, "a name is too long, expected at most 63 characters", "");
    }
    const char *end = e->at;
    if (take(e, '(')) {
        if (function_of(word) < FUNCTIONS) return call(e, word);
        e->at = begin;
        return fail(e, "there is no function ", word);
    }
    e->at = end;
    if (e->lookup(e->user, word, &value)) return value;
    if (strcmp(word, "pi") == 0) return 3.14159265358979323846;
    if (strcmp(word, "deg") == 0) return 3.14159265358979323846 / 180;
    e->at = begin;
    return fail(e, "there is no parameter ", word);
}

static double number(expression *e) {
    const char *begin = e->at;
    double value;
    while (is_digit(*e->at) || *e->at == '.') e->at++;
    if (*e->at == 'e' || *e->at == 'E') {
        e->at++;
        if (*e->at == '+' || *e->at == '-') e->at++;
        while (is_digit(*e->at)) e->at++;
    }
    sn_text text = {.begin = begin, .at = begin, .end = e->at};
    bool good = sn_text_scan_real(&text, &value) && text.at == text.end;
    if (!good || !isfinite(value)) {
        e->at = begin;
        return fail(e, good ? "the number is too large" : "expected a number, a name or '('", "");
    }
    return value;
}

static double factor(expression *e) {
    double value;
    if (e->failed) return 0;
    if (++e->depth > MOST_DEPTH) return fail(e, "it is nested too deeply", "");
    if (take(e, '-')) {
        value = -factor(e);
    } else if (take(e, '(')) {
        value = sum(e);
        if (!take(e, ')')) fail(e, "expected ')'", "");
    } else if (is_letter(*e->at)) {
        value = name(e);
    } else {
        value = number(e);
    }
    e->depth--;
    return value;
}

static double product(expression *e) {
    double value = factor(e);
    for (;;) {
        if (take(e, '*')) {
            value *= factor(e);
        } else if (take(e, '/')) {
            double by = factor(e);
            if (by == 0 && !e->failed) return fail(e, "a division by zero", "");
            value /= by;
        } else {
            return value;
        }
        if (e->failed) return 0;
    }
}

static double sum(expression *e) {
    double value = product(e);
    for (;;) {
        if (take(e, '+'))
            value += product(e);
        else if (take(e, '-'))
            value -= product(e);
        else
            return value;
        if (e->failed) return 0;
    }
}

bool sn_expression_evaluate(const char *text, expression_lookup *lookup, void *user, double *value,
                            char *problem, size_t size) {
    expression e = {.begin = text,
                    .at = text,
                    .lookup = lookup,
                    .user = user,
                    .problem = problem,
                    .size = size};
    double result = sum(&e);
    while (*e.at == ' ') e.at++;
    if (!e.failed && *e.at) fail(&e, "expected the end or an operator", "");
    if (!e.failed && !isfinite(result)) fail(&e, "the result is not finite", "");
    if (!e.failed) *value = result;
    return !e.failed;
}
