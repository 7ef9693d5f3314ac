/* Formulas of positions: their values, their gradients against differences, and what is refused. */
#include "io/text/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static const char *const names[] = {"a", "b", "c", "hook"};

static bool look_up(void *user, const char *name, double *value) {
    (void)user;
    *value = 3;
    return strcmp(name, "size") == 0;
}

static bool read(formula *f, const char *text, char *problem, size_t size) {
    formula_names all = {names, 4, look_up, NULL};
    return sn_formula_read(f, text, &all, problem, size);
}

/* Some places, none of them special. */
static const double places[FORMULA_NODES][3] = {
    {0.3, -0.2, 0.7}, {1.1, 0.4, -0.5}, {-0.6, 0.9, 0.2}, {0.15, -1.3, 0.8}};

TEST(gradients_are_those_of_differences) {
    static const char *const texts[] = {
        "distance(a, b) - 1",
        "length(a - b) - size",
        "dot(b - a, c - a)",
        "a.y - 0.5",
        "dot(cross(b - a, c - a), hook - a) / 6 - 0.1",
        "length(cross(b - a, c - a)) / 2",
        "dot(normalize(b - a), normalize(c - a)) - cos(60 * deg)",
        "sin(a.x * 2) + cos(b.y) * exp(-c.z) - log(hook.z + 1)",
        "(a.x + 2) ^ 1.7 + b.y ^ 2 - 2 ^ c.x",
        "sqrt(a.x + 1) / (b.x * b.x + 1)",
        "abs(a.x - b.x) + min(a.y, b.y) + max(c.z, 0.1) + clamp(a.z, 0, 1)",
        "smoothstep(a.y, b.x, c.y) + smoothstep(0, 1, a.x)",
        "noise(3 * a.x) + floor(a.y) + step(0, b.z)",
        "length(2 * a - (b + c) / 2 * -1)",
        "dot(vec(a.x, b.y, t), hook) - t",
        "-length(-a) * t",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char problem[256] = "";
        formula f;
        double x[FORMULA_NODES][3], gradient[FORMULA_NODES][3], value, above, below;
        check_case("%s", texts[i]);
        if (!CHECK(read(&f, texts[i], problem, sizeof problem))) {
            printf("      %s\n", problem);
            continue;
        }
        memcpy(x, places, sizeof x);
        CHECK(!sn_formula_evaluate(&f, (const double(*)[3])x, 0.4, &value, gradient));
        for (int k = 0; k < 4; k++)
            for (int axis = 0; axis < 3; axis++) {
                x[k][axis] = places[k][axis] + 1e-6;
                CHECK(!sn_formula_evaluate(&f, (const double(*)[3])x, 0.4, &above, NULL));
                x[k][axis] = places[k][axis] - 1e-6;
                CHECK(!sn_formula_evaluate(&f, (const double(*)[3])x, 0.4, &below, NULL));
                x[k][axis] = places[k][axis];
                CHECK_NEAR(gradient[k][axis], (above - below) / 2e-6, 2e-9 + 1e-9 * fabs(value));
            }
    }
}

TEST(formulas_have_values) {
    static const struct {
        const char *text;
        double value;
    } rows[] = {{"a.x + 2 * b.y", 0.3 + 0.8},
                {"dot(vec(1, 2, 3), vec(4, 5, 6))", 32},
                {"cross(vec(1, 0, 0), vec(0, 1, 0)).z", 1},
                {"(a + b).x * t", 1.4 * 0.5},
                {"distance(a, a)", 0},
                {"length(size * (a - a))", 0},
                {"2 ^ 2 ^ 0.5 * 0 + size", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char problem[256] = "";
        formula f;
        double value = -99, gradient[FORMULA_NODES][3];
        check_case("%s", rows[i].text);
        CHECK(read(&f, rows[i].text, problem, sizeof problem));
        CHECK(!sn_formula_evaluate(&f, places, 0.5, &value, gradient));
        CHECK_NEAR(value, rows[i].value, 1e-15);
    }
}

TEST(mistakes_are_named) {
    static const struct {
        const char *text, *problem;
    } rows[] = {
        {"a", "\"a\" is a vector, expected a number"},
        {"a + 1", "at character 6 of \"a + 1\": vectors and numbers do not fit each other here"},
        {"a * b", "at character 6 of \"a * b\": vectors and numbers do not fit each other here"},
        {"sin(a)", "at character 7 of \"sin(a)\": vectors and numbers do not fit each other here"},
        {"dot(a)", "at character 6 of \"dot(a)\": expected ',' and a second number in dot"},
        {"a.w", "at character 3 of \"a.w\": expected x, y or z"},
        {"a.xy", "at character 3 of \"a.xy\": expected x, y or z"},
        {"d.x", "at character 1 of \"d.x\": there is no node or parameter d"},
        {"1 / 0 + a.x", "at character 7 of \"1 / 0 + a.x\": a division by zero"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char problem[256] = "";
        formula f;
        check_case("%s", rows[i].text);
        CHECK(!read(&f, rows[i].text, problem, sizeof problem));
        if (!CHECK(strcmp(problem, rows[i].problem) == 0)) printf("      said \"%s\"\n", problem);
    }
}

/* Long ones are refused; what has no value says so. */
TEST(formulas_have_limits) {
    char text[4096] = "a.x", problem[256];
    formula f;
    double value, gradient[FORMULA_NODES][3];
    for (size_t i = 0; i < 300; i++) snprintf(text + strlen(text), 8, "+a.x");
    CHECK(!read(&f, text, problem, sizeof problem));
    CHECK(strstr(problem, "it is too long") != NULL);
    CHECK(read(&f, "1 / (a.x - 0.3)", problem, sizeof problem));
    CHECK(strcmp(sn_formula_evaluate(&f, places, 0, &value, gradient), "a division by zero") == 0);
    CHECK(read(&f, "sqrt(a.x - 0.3)", problem, sizeof problem));
    CHECK(strcmp(sn_formula_evaluate(&f, places, 0, &value, gradient),
                 "its gradient is not finite") == 0);
    CHECK(read(&f, "normalize(a - a).x", problem, sizeof problem));
    CHECK(sn_formula_evaluate(&f, places, 0, &value, gradient) != NULL);
}

TESTS(RUN(gradients_are_those_of_differences), RUN(formulas_have_values), RUN(mistakes_are_named),
      RUN(formulas_have_limits))
