#include "io/text/expression.h"

#include "io/text/elementary.h"
#include "io/text/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 64, NAME_SIZE = 64 };

typedef expression_value value;

typedef struct expression {
    const char *begin, *at;
    const expression_maker *maker;
    char *problem;
    size_t size;
    int depth;
    bool failed;
} expression;

/* Returns 0 so that failing is one line. */
static value fail(expression *e, const char *what, const char *detail) {
    if (!e->failed)
        snprintf(e->problem, e->size, "at character %zu of \"%.80s\": %s%s",
                 (size_t)(e->at - e->begin) + 1, e->begin, what, detail);
    e->failed = true;
    return (value){0};
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

/* ---- Functions ---- */

static const struct {
    const char *word;
    expression_act act;
    int values;
    bool vectors;
} functions[] = {
#define NUMBER_ROW(upper, word, values) {word, EXPRESSION_##upper, values, false},
#define VECTOR_ROW(upper, word, values) {word, EXPRESSION_##upper, values, true},
    EXPRESSION_NUMBERS(NUMBER_ROW) EXPRESSION_VECTORS(VECTOR_ROW)};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

int sn_expression_values(expression_act act) {
    if (act < EXPRESSION_NEGATE) return 2;
    if (act == EXPRESSION_NEGATE || act >= EXPRESSION_MEMBER_X) return 1;
    return functions[act - EXPRESSION_NEGATE - 1].values;
}

/* What follows x between two edges: 0 to 1, with slopes of 0 at both. */
static double smooth(double from, double to, double x) {
    double t = (x - from) / (to - from);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

static const char *compute_function(expression_act act, const double *v, double *result) {
    double a = v[0], b = v[1];
    switch (act) {
    case EXPRESSION_SQRT:
        *result = sqrt(a);
        return a < 0 ? "the square root of a negative number" : NULL;
    case EXPRESSION_ABS:
        *result = fabs(a);
        return NULL;
    case EXPRESSION_FLOOR:
        *result = floor(a);
        return NULL;
    case EXPRESSION_CEIL:
        *result = ceil(a);
        return NULL;
    case EXPRESSION_ROUND:
        *result = floor(a + 0.5);
        return NULL;
    case EXPRESSION_SIN:
    case EXPRESSION_COS:
        if (!(fabs(a) <= 1e6)) return "an angle is beyond 1000000 rad";
        *result = act == EXPRESSION_SIN ? sn_elementary_sin(a) : sn_elementary_cos(a);
        return NULL;
    case EXPRESSION_EXP:
        *result = sn_elementary_exp(a);
        return NULL;
    case EXPRESSION_LOG:
        if (!(a > 0)) return "the logarithm of what is not above 0";
        *result = isfinite(a) ? sn_elementary_log(a) : a;
        return NULL;
    case EXPRESSION_NOISE:
        if (!(fabs(a) <= 1e15)) return "noise of what is beyond 1e15";
        *result = sn_elementary_noise(a, NULL);
        return NULL;
    case EXPRESSION_MIN:
        *result = a < b ? a : b;
        return NULL;
    case EXPRESSION_MAX:
        *result = a > b ? a : b;
        return NULL;
    case EXPRESSION_STEP:
        *result = b < a ? 0 : 1;
        return NULL;
    case EXPRESSION_CLAMP:
        if (b > v[2]) return "clamp(x, least, most) with least above most";
        *result = a < b ? b : a > v[2] ? v[2] : a;
        return NULL;
    case EXPRESSION_SMOOTHSTEP:
        if (!(a < b)) return "smoothstep(from, to, x) with from not below to";
        *result = smooth(a, b, v[2]);
        return NULL;
    default:
        return "it is of vectors";
    }
}

const char *sn_expression_compute(expression_act act, const double *v, double *result) {
    switch (act) {
    case EXPRESSION_ADD:
        *result = v[0] + v[1];
        return NULL;
    case EXPRESSION_SUBTRACT:
        *result = v[0] - v[1];
        return NULL;
    case EXPRESSION_MULTIPLY:
        *result = v[0] * v[1];
        return NULL;
    case EXPRESSION_DIVIDE:
        *result = v[0] / v[1];
        return v[1] == 0 ? "a division by zero" : NULL;
    case EXPRESSION_POWER:
        if (v[0] < 0 && v[1] != floor(v[1])) return "a power of a negative number";
        if (v[0] == 0 && v[1] < 0) return "a division by zero";
        *result = sn_elementary_pow(v[0], v[1]);
        return NULL;
    case EXPRESSION_NEGATE:
        *result = -v[0];
        return NULL;
    default:
        return compute_function(act, v, result);
    }
}

/* ---- Reading ---- */

static value sum(expression *e);

static value apply(expression *e, expression_act act, const value *values) {
    value result = {0};
    if (e->failed) return result;
    const char *problem = e->maker->apply(e->maker->user, act, values, &result);
    return problem ? fail(e, problem, "") : result;
}

/* The number of a function; FUNCTIONS where there is none of this name. */
static size_t function_of(const expression *e, const char *name) {
    size_t function = 0;
    while (function < FUNCTIONS && (strcmp(functions[function].word, name) != 0 ||
                                    (functions[function].vectors && !e->maker->number)))
        function++;
    return function;
}

static value call(expression *e, size_t function) {
    static const char *const missing[] = {"", "expected ',' and a second number in ",
                                          "expected ',' and a third number in "};
    value values[3] = {{0}};
    for (int i = 0; i < functions[function].values; i++) {
        if (i > 0 && !take(e, ',')) return fail(e, missing[i], functions[function].word);
        values[i] = sum(e);
    }
    if (!take(e, ')')) return fail(e, "expected ')'", "");
    return apply(e, functions[function].act, values);
}

static value literal(expression *e, double number) {
    value made = {.number = number};
    const char *problem = e->maker->number ? e->maker->number(e->maker->user, &made) : NULL;
    return problem ? fail(e, problem, "") : made;
}

static value name(expression *e) {
    char word[NAME_SIZE], what[64];
    size_t length = 0;
    const char *begin = e->at;
    value found = {0};
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
        if (function_of(e, word) < FUNCTIONS) return call(e, function_of(e, word));
        e->at = begin;
        return fail(e, "there is no function ", word);
    }
    e->at = end;
    if (e->maker->name(e->maker->user, word, &found)) return found;
    if (strcmp(word, "pi") == 0) return literal(e, 3.14159265358979323846);
    if (strcmp(word, "deg") == 0) return literal(e, 3.14159265358979323846 / 180);
    e->at = begin;
    snprintf(what, sizeof what, "there is no %.40s ", e->maker->what);
    return fail(e, what, word);
}

static value number(expression *e) {
    const char *begin = e->at;
    double read;
    while (is_digit(*e->at) || *e->at == '.') e->at++;
    if (*e->at == 'e' || *e->at == 'E') {
        e->at++;
        if (*e->at == '+' || *e->at == '-') e->at++;
        while (is_digit(*e->at)) e->at++;
    }
    sn_text text = {.begin = begin, .at = begin, .end = e->at};
    bool good = sn_text_scan_real(&text, &read) && text.at == text.end;
    if (!good || !isfinite(read)) {
        e->at = begin;
        return fail(e, good ? "the number is too large" : "expected a number, a name or '('", "");
    }
    return literal(e, read);
}

static value factor(expression *e);

/* What is behind a value that is written: a member of a vector, an exponent. */
static value behind(expression *e, value a) {
    while (e->maker->number && !e->failed && take(e, '.')) {
        char member = *e->at;
        if (member < 'x' || member > 'z' || is_letter(e->at[1]) || is_digit(e->at[1]))
            return fail(e, "expected x, y or z", "");
        e->at++;
        a = apply(e, (expression_act)(EXPRESSION_MEMBER_X + (member - 'x')), &a);
    }
    if (e->failed || !take(e, '^')) return a;
    value values[] = {a, factor(e)};
    return apply(e, EXPRESSION_POWER, values);
}

static value factor(expression *e) {
    value a;
    if (e->failed) return (value){0};
    if (++e->depth > MOST_DEPTH) return fail(e, "it is nested too deeply", "");
    if (take(e, '-')) {
        a = factor(e);
        a = apply(e, EXPRESSION_NEGATE, &a);
    } else if (take(e, '(')) {
        a = sum(e);
        if (!take(e, ')')) fail(e, "expected ')'", "");
        a = behind(e, a);
    } else if (is_letter(*e->at)) {
        a = behind(e, name(e));
    } else {
        a = behind(e, number(e));
    }
    e->depth--;
    return a;
}

static value product(expression *e) {
    value a = factor(e);
    while (!e->failed) {
        bool times = take(e, '*');
        if (!times && !take(e, '/')) break;
        value values[] = {a, factor(e)};
        a = apply(e, times ? EXPRESSION_MULTIPLY : EXPRESSION_DIVIDE, values);
    }
    return a;
}

static value sum(expression *e) {
    value a = product(e);
    while (!e->failed) {
        bool plus = take(e, '+');
        if (!plus && !take(e, '-')) break;
        value values[] = {a, product(e)};
        a = apply(e, plus ? EXPRESSION_ADD : EXPRESSION_SUBTRACT, values);
    }
    return a;
}

bool sn_expression_read(const char *text, const expression_maker *maker, expression_value *result,
                        char *problem, size_t size) {
    expression e = {.begin = text, .at = text, .maker = maker, .problem = problem, .size = size};
    value made = sum(&e);
    while (*e.at == ' ') e.at++;
    if (!e.failed && *e.at) fail(&e, "expected the end or an operator", "");
    if (!e.failed && !isfinite(made.number)) fail(&e, "the result is not finite", "");
    if (!e.failed) *result = made;
    return !e.failed;
}

/* ---- Numbers ---- */

typedef struct numbers {
    expression_lookup *lookup;
    void *user;
} numbers;

static bool look_up(void *user, const char *word, expression_value *found) {
    const numbers *n = user;
    return n->lookup(n->user, word, &found->number);
}

static const char *compute(void *user, expression_act act, const expression_value *values,
                           expression_value *result) {
    double v[3] = {0, 0, 0};
    (void)user;
    for (int i = 0; i < sn_expression_values(act); i++) v[i] = values[i].number;
    return sn_expression_compute(act, v, &result->number);
}

bool sn_expression_evaluate(const char *text, expression_lookup *lookup, void *user, double *result,
                            char *problem, size_t size) {
    numbers all = {lookup, user};
    expression_maker maker = {look_up, compute, NULL, "parameter", &all};
    expression_value made;
    if (!sn_expression_read(text, &maker, &made, problem, size)) return false;
    *result = made.number;
    return true;
}
