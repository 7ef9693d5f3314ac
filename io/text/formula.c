#include "io/text/formula.h"

#include "io/text/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Values that are there. */
enum { CONSTANT = -1, NODE = -2, TIME = -3 };

/* ---- Reading ---- */

typedef struct reading {
    formula *f;
    const formula_names *names;
} reading;

static const char *add(formula *f, const formula_step *step, expression_value *value) {
    if (f->count == FORMULA_STEPS) return "it is too long";
    f->step[f->count] = *step;
    *value = (expression_value){.place = f->count++};
    return NULL;
}

static const char *add_number(void *user, expression_value *value) {
    reading *r = user;
    formula_step step = {.act = CONSTANT, .constant = {value->number, 0, 0}};
    return add(r->f, &step, value);
}

static bool find_name(void *user, const char *name, expression_value *value) {
    reading *r = user;
    double number;
    for (int i = 0; i < r->names->count; i++)
        if (strcmp(r->names->nodes[i], name) == 0) {
            r->f->nodes |= UINT32_C(1) << i;
            formula_step step = {.act = NODE, .node = i, .vector = true};
            return add(r->f, &step, value) == NULL;
        }
    if (r->names->lookup(r->names->user, name, &number)) {
        value->number = number;
        return add_number(user, value) == NULL;
    }
    if (strcmp(name, "t") != 0) return false;
    r->f->timed = true;
    return add(r->f, &(formula_step){.act = TIME}, value) == NULL;
}

/* Which of the values of an act are vectors, as bits, and whether the result is; false where they
   do not fit. */
static bool fits(int act, unsigned vectors, bool *result) {
    switch (act) {
    case EXPRESSION_ADD:
    case EXPRESSION_SUBTRACT:
        *result = vectors == 3;
        return vectors == 0 || vectors == 3;
    case EXPRESSION_MULTIPLY:
        *result = vectors != 0;
        return vectors != 3;
    case EXPRESSION_DIVIDE:
        *result = vectors == 1;
        return vectors < 2;
    case EXPRESSION_NEGATE:
        *result = vectors == 1;
        return true;
    case EXPRESSION_NORMALIZE:
        *result = true;
        return vectors == 1;
    case EXPRESSION_LENGTH:
    case EXPRESSION_MEMBER_X:
    case EXPRESSION_MEMBER_Y:
    case EXPRESSION_MEMBER_Z:
        *result = false;
        return vectors == 1;
    case EXPRESSION_DOT:
    case EXPRESSION_DISTANCE:
    case EXPRESSION_CROSS:
        *result = act == EXPRESSION_CROSS;
        return vectors == 3;
    default:
        *result = act == EXPRESSION_VEC;
        return vectors == 0;
    }
}

static const char *add_act(void *user, expression_act act, const expression_value *values,
                           expression_value *result) {
    formula *f = ((reading *)user)->f;
    int count = sn_expression_values(act);
    formula_step step = {.act = (int)act};
    unsigned vectors = 0;
    double numbers[3] = {0, 0, 0};
    bool constant = true;
    for (int i = 0; i < count; i++) {
        const formula_step *from = &f->step[values[i].place];
        step.of[i] = values[i].place;
        vectors |= (unsigned)from->vector << i;
        numbers[i] = from->constant[0];
        constant = constant && from->act == CONSTANT;
    }
    if (!fits(step.act, vectors, &step.vector))
        return "vectors and numbers do not fit each other here";
    if (constant && !step.vector && vectors == 0) {
        const char *problem = sn_expression_compute(act, numbers, &step.constant[0]);
        step.act = CONSTANT;
        if (problem) return problem;
    }
    return add(f, &step, result);
}

bool sn_formula_read(formula *f, const char *text, const formula_names *names, char *problem,
                     size_t size) {
    reading r = {f, names};
    expression_maker maker = {find_name, add_act, add_number, "node or parameter", &r};
    expression_value value;
    *f = (formula){0};
    if (!sn_expression_read(text, &maker, &value, problem, size)) return false;
    f->result = value.place;
    if (!f->step[f->result].vector) return true;
    snprintf(problem, size, "\"%.80s\" is a vector, expected a number", text);
    return false;
}

/* ---- Values ---- */

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *c) {
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
    c[0] = x;
    c[1] = y;
}

/* Of sums, products and the like, along each axis; a number is the same along all. */
static const char *compute_along(const formula *f, const formula_step *s, double (*v)[3],
                                 double *to) {
    bool first = f->step[s->of[0]].vector, second = f->step[s->of[1]].vector;
    for (int k = 0; k < 3; k++) {
        double values[] = {v[s->of[0]][first ? k : 0], v[s->of[1]][second ? k : 0]};
        const char *problem = sn_expression_compute((expression_act)s->act, values, &to[k]);
        if (problem) return problem;
    }
    return NULL;
}

static const char *compute_vectors(const formula *f, const formula_step *s, double (*v)[3],
                                   double *to) {
    const double *a = v[s->of[0]], *b = v[s->of[1]];
    double d[] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]}, length;
    switch (s->act) {
    case EXPRESSION_LENGTH:
        to[0] = sqrt(dot(a, a));
        return NULL;
    case EXPRESSION_NORMALIZE:
        length = sqrt(dot(a, a));
        for (int k = 0; k < 3; k++) to[k] = a[k] / length;
        return length > 0 ? NULL : "the direction of a vector of length 0";
    case EXPRESSION_DOT:
        to[0] = dot(a, b);
        return NULL;
    case EXPRESSION_CROSS:
        cross(a, b, to);
        return NULL;
    case EXPRESSION_DISTANCE:
        to[0] = sqrt(dot(d, d));
        return NULL;
    case EXPRESSION_VEC:
        for (int k = 0; k < 3; k++) to[k] = v[s->of[k]][0];
        return NULL;
    case EXPRESSION_MEMBER_X:
    case EXPRESSION_MEMBER_Y:
    case EXPRESSION_MEMBER_Z:
        to[0] = a[s->act - EXPRESSION_MEMBER_X];
        return NULL;
    default:
        return compute_along(f, s, v, to);
    }
}

static const char *compute(const formula *f, const double (*x)[3], double t, double (*v)[3]) {
    for (int i = 0; i < f->count; i++) {
        const formula_step *s = &f->step[i];
        const char *problem = NULL;
        double values[] = {v[s->of[0]][0], v[s->of[1]][0], v[s->of[2]][0]};
        if (s->act == CONSTANT)
            memcpy(v[i], s->constant, sizeof v[i]);
        else if (s->act == NODE)
            memcpy(v[i], x[s->node], sizeof v[i]);
        else if (s->act == TIME)
            v[i][0] = t;
        else if (s->vector || f->step[s->of[0]].vector || s->act == EXPRESSION_VEC)
            problem = compute_vectors(f, s, v, v[i]);
        else
            problem = sn_expression_compute((expression_act)s->act, values, &v[i][0]);
        if (problem) return problem;
    }
    return NULL;
}

/* ---- Gradients ---- */

/* The slopes of a function of numbers by each of them; r is its value. */
static void find_slopes(int act, const double *a, double r, double slope[3]) {
    double width;
    slope[0] = slope[1] = slope[2] = 0;
    switch (act) {
    case EXPRESSION_POWER:
        slope[0] = a[1] == 0 ? 0 : a[1] * sn_elementary_pow(a[0], a[1] - 1);
        slope[1] = a[0] > 0 ? r * sn_elementary_log(a[0]) : 0;
        break;
    case EXPRESSION_SQRT:
        slope[0] = 0.5 / r;
        break;
    case EXPRESSION_ABS:
        slope[0] = a[0] > 0 ? 1 : a[0] < 0 ? -1 : 0;
        break;
    case EXPRESSION_SIN:
        slope[0] = sn_elementary_cos(a[0]);
        break;
    case EXPRESSION_COS:
        slope[0] = -sn_elementary_sin(a[0]);
        break;
    case EXPRESSION_EXP:
        slope[0] = r;
        break;
    case EXPRESSION_LOG:
        slope[0] = 1 / a[0];
        break;
    case EXPRESSION_NOISE:
        (void)sn_elementary_noise(a[0], &slope[0]);
        break;
    case EXPRESSION_MIN:
        slope[a[0] < a[1] ? 0 : 1] = 1;
        break;
    case EXPRESSION_MAX:
        slope[a[0] > a[1] ? 0 : 1] = 1;
        break;
    case EXPRESSION_CLAMP:
        slope[a[0] < a[1] ? 1 : a[0] > a[2] ? 2 : 0] = 1;
        break;
    case EXPRESSION_SMOOTHSTEP:
        width = a[1] - a[0];
        double t = (a[2] - a[0]) / width;
        if (t <= 0 || t >= 1) break;
        slope[2] = 6 * t * (1 - t) / width;
        slope[0] = (t - 1) * slope[2];
        slope[1] = -t * slope[2];
        break;
    default:
        break; /* steps, and what is rounded */
    }
}

/* Adds what a sum or product gives to the adjoints of its two values. */
static void back_along(const formula *f, const formula_step *s, double (*v)[3], const double *from,
                       double (*to)[3]) {
    bool first = f->step[s->of[0]].vector, second = f->step[s->of[1]].vector;
    for (int k = 0; k < (s->vector ? 3 : 1); k++) {
        int i = first ? k : 0, j = second ? k : 0;
        double a = v[s->of[0]][i], b = v[s->of[1]][j], g = from[k];
        bool times = s->act == EXPRESSION_MULTIPLY, over = s->act == EXPRESSION_DIVIDE;
        to[s->of[0]][i] += times ? g * b : over ? g / b : s->act == EXPRESSION_NEGATE ? -g : g;
        if (s->act == EXPRESSION_NEGATE) continue;
        to[s->of[1]][j] += times                           ? g * a
                           : over                          ? -g * a / (b * b)
                           : s->act == EXPRESSION_SUBTRACT ? -g
                                                           : g;
    }
}

/* Along the vector whose length is r; where that is 0, nowhere. */
static void back_length(const double *d, double r, double g, double *to, double *other) {
    for (int k = 0; k < 3 && r > 0; k++) {
        to[k] += g * d[k] / r;
        if (other) other[k] -= g * d[k] / r;
    }
}

static void back_vectors(const formula *f, const formula_step *s, int i, double (*v)[3],
                         const double *from, double (*to)[3]) {
    const double *a = v[s->of[0]], *b = v[s->of[1]], *r = v[i];
    double *ga = to[s->of[0]], *gb = to[s->of[1]], c[3];
    double d[] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]}, length = sqrt(dot(a, a));
    switch (s->act) {
    case EXPRESSION_LENGTH:
        back_length(a, r[0], from[0], ga, NULL);
        break;
    case EXPRESSION_DISTANCE:
        back_length(d, r[0], from[0], ga, gb);
        break;
    case EXPRESSION_NORMALIZE:
        for (int k = 0; k < 3; k++) ga[k] += (from[k] - r[k] * dot(r, from)) / length;
        break;
    case EXPRESSION_DOT:
        for (int k = 0; k < 3; k++) ga[k] += from[0] * b[k];
        for (int k = 0; k < 3; k++) gb[k] += from[0] * a[k];
        break;
    case EXPRESSION_CROSS:
        cross(b, from, c);
        for (int k = 0; k < 3; k++) ga[k] += c[k];
        cross(from, a, c);
        for (int k = 0; k < 3; k++) gb[k] += c[k];
        break;
    case EXPRESSION_VEC:
        for (int k = 0; k < 3; k++) to[s->of[k]][0] += from[k];
        break;
    case EXPRESSION_MEMBER_X:
    case EXPRESSION_MEMBER_Y:
    case EXPRESSION_MEMBER_Z:
        ga[s->act - EXPRESSION_MEMBER_X] += from[0];
        break;
    default:
        back_along(f, s, v, from, to);
    }
}

/* From the result to the nodes; `adjoint` is zero before. */
static void go_back(const formula *f, double (*v)[3], double (*adjoint)[3], double (*gradient)[3]) {
    adjoint[f->result][0] = 1;
    for (int i = f->count - 1; i >= 0; i--) {
        const formula_step *s = &f->step[i];
        double *from = adjoint[i], slope[3];
        if (s->act == NODE)
            for (int k = 0; k < 3; k++) gradient[s->node][k] += from[k];
        if (s->act < 0) continue;
        if (s->act < EXPRESSION_POWER || s->act == EXPRESSION_NEGATE) {
            back_along(f, s, v, from, adjoint);
        } else if (s->vector || f->step[s->of[0]].vector) {
            back_vectors(f, s, i, v, from, adjoint);
        } else if (from[0] != 0) {
            double values[] = {v[s->of[0]][0], v[s->of[1]][0], v[s->of[2]][0]};
            find_slopes(s->act, values, v[i][0], slope);
            for (int k = 0; k < sn_expression_values((expression_act)s->act); k++)
                if (slope[k] != 0) adjoint[s->of[k]][0] += from[0] * slope[k];
        }
    }
}

const char *sn_formula_evaluate(const formula *f, const double (*x)[3], double t, double *value,
                                double (*gradient)[3]) {
    double v[FORMULA_STEPS][3], adjoint[FORMULA_STEPS][3];
    /* Places that a step does not use are read beside those that it does. */
    memset(v, 0, (size_t)f->count * sizeof *v);
    const char *problem = compute(f, x, t, v);
    *value = v[f->result][0];
    if (problem) return problem;
    if (!isfinite(*value)) return "it is not finite";
    if (!gradient) return NULL;
    memset(adjoint, 0, (size_t)f->count * sizeof *adjoint);
    memset(gradient, 0, FORMULA_NODES * sizeof *gradient);
    go_back(f, v, adjoint, gradient);
    for (int i = 0; i < FORMULA_NODES; i++)
        if (!isfinite(gradient[i][0] + gradient[i][1] + gradient[i][2]))
            return "its gradient is not finite";
    return NULL;
}
