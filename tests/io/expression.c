/* Arithmetic in scenes: values, what binds tighter, names, and what is said of mistakes. */
#include "io/text/expression.h"
#include "io/text/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static bool look_up(void *user, const char *name, double *value) {
    static const struct {
        const char *name;
        double value;
    } names[] = {{"size", 2}, {"n_2", 7}, {"_x", 3}, {"sqrt", 100}, {"e5", 11}};
    size_t *asked = user;
    ++*asked;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].name, name) == 0) {
            *value = names[i].value;
            return true;
        }
    return false;
}

TEST(expressions_have_values) {
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"1", 1},
        {" 1.5 ", 1.5},
        {".5", 0.5},
        {"5.", 5},
        {"1e3", 1000},
        {"2.5E-1", 0.25},
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"2 - 3 - 4", -5},
        {"2 - (3 - 4)", 3},
        {"24 / 4 / 2", 3},
        {"24 / (4 / 2)", 12},
        {"2 * 3 / 4 * 2", 3},
        {"-2", -2},
        {"--2", 2},
        {"3 - -2", 5},
        {"3--2", 5},
        {"-2 * -3", 6},
        {"-(1 + 2)", -3},
        {"1-1", 0},
        {"1e2-1", 99},
        {"size", 2},
        {"size*size", 4},
        {"n_2 / 2 + _x", 6.5},
        {"e5 - 1", 10},
        {"pi", 3.14159265358979323846},
        {"sqrt(16)", 4},
        {"sqrt", 100},
        {"sqrt (sqrt(16) * size * 2)", 4},
        {"abs(-3) + abs(3)", 6},
        {"floor(-1.5)", -2},
        {"ceil(-1.5)", -1},
        {"round(2.5)", 3},
        {"round(-2.5)", -2},
        {"round(2.4)", 2},
        {"sin(0)", 0},
        {"sin(pi / 2)", 1},
        {"sin(-pi / 2)", -1},
        {"sin(pi)", 0},
        {"cos(pi)", -1},
        {"cos(-2 * pi)", 1},
        {"round(1000000 * cos(45 * deg))", 707107},
        {"round(1000000 * sin(-30 * deg))", -500000},
        {"min(3, 2)", 2},
        {"max(3, 2)", 3},
        {"max(min(1, 2), size) * 2", 4},
        {"min(1, max(5, 6) / 12)", 0.5},
        {"0 * 5", 0},
        {"2 ^ 3", 8},
        {"-2 ^ 2", -4},
        {"(-2) ^ 3", -8},
        {"2 ^ -2", 0.25},
        {"2 ^ 3 ^ 2", 512},
        {"4 ^ 2 / 2", 8},
        {"3 * size ^ 2", 12},
        {"0 ^ 0.5", 0},
        {"exp(0)", 1},
        {"log(1)", 0},
        {"step(1, 0.5) + 2 * step(1, 1)", 2},
        {"clamp(5, 0, 2) + clamp(-5, 0, 2) + clamp(1, 0, 2)", 3},
        {"smoothstep(1, 3, 2)", 0.5},
        {"smoothstep(1, 3, 0) + smoothstep(1, 3, 9)", 1},
        {"smoothstep(0, 4, 1)", 0.15625},
        {"noise(7)", 0},
        {"((((((((1))))))))", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char problem[256] = "";
        double value = -99;
        size_t asked = 0;
        check_case("%s", rows[i].text);
        if (!CHECK(sn_expression_evaluate(rows[i].text, look_up, &asked, &value, problem,
                                          sizeof problem)))
            printf("      %s\n", problem);
        CHECK_NEAR(value, rows[i].value, 0);
    }
}

TEST(mistakes_are_named) {
    static const struct {
        const char *text, *problem;
    } rows[] = {
        {"", "at character 1 of \"\": expected a number, a name or '('"},
        {"  ", "at character 3 of \"  \": expected a number, a name or '('"},
        {"1 +", "at character 4 of \"1 +\": expected a number, a name or '('"},
        {"* 2", "at character 1 of \"* 2\": expected a number, a name or '('"},
        {"+2", "at character 1 of \"+2\": expected a number, a name or '('"},
        {"1 2", "at character 3 of \"1 2\": expected the end or an operator"},
        {"size size", "at character 6 of \"size size\": expected the end or an operator"},
        {"2size", "at character 2 of \"2size\": expected the end or an operator"},
        {"2 ^", "at character 4 of \"2 ^\": expected a number, a name or '('"},
        {"(-8) ^ 0.5", "at character 11 of \"(-8) ^ 0.5\": a power of a negative number"},
        {"0 ^ -1", "at character 7 of \"0 ^ -1\": a division by zero"},
        {"log(0)", "at character 7 of \"log(0)\": the logarithm of what is not above 0"},
        {"noise(1e16)", "at character 12 of \"noise(1e16)\": noise of what is beyond 1e15"},
        {"clamp(1, 2)", "at character 11 of \"clamp(1, 2)\": expected ',' and a third number in "
                        "clamp"},
        {"clamp(1, 2, 0)", "at character 15 of \"clamp(1, 2, 0)\": clamp(x, least, most) with "
                           "least above most"},
        {"smoothstep(1, 1, 0)", "at character 20 of \"smoothstep(1, 1, 0)\": smoothstep(from, to, "
                                "x) with from not below to"},
        {"length(1)", "at character 1 of \"length(1)\": there is no function length"},
        {"size.x", "at character 5 of \"size.x\": expected the end or an operator"},
        {"2 % 3", "at character 3 of \"2 % 3\": expected the end or an operator"},
        {"0x10", "at character 2 of \"0x10\": expected the end or an operator"},
        {"1.2.3", "at character 1 of \"1.2.3\": expected a number, a name or '('"},
        {"1e", "at character 1 of \"1e\": expected a number, a name or '('"},
        {".", "at character 1 of \".\": expected a number, a name or '('"},
        {"1e999", "at character 1 of \"1e999\": the number is too large"},
        {"(1 + 2", "at character 7 of \"(1 + 2\": expected ')'"},
        {"1 + 2)", "at character 6 of \"1 + 2)\": expected the end or an operator"},
        {"()", "at character 2 of \"()\": expected a number, a name or '('"},
        {"width + 1", "at character 1 of \"width + 1\": there is no parameter width"},
        {"1 + Size", "at character 5 of \"1 + Size\": there is no parameter Size"},
        {"tan(1)", "at character 1 of \"tan(1)\": there is no function tan"},
        {"sin(1e7)", "at character 9 of \"sin(1e7)\": an angle is beyond 1000000 rad"},
        {"cos(1e300 * 1e300)",
         "at character 19 of \"cos(1e300 * 1e300)\": an angle is beyond 1000000 rad"},
        {"2 * size(1)", "at character 5 of \"2 * size(1)\": there is no function size"},
        {"sqrt()", "at character 6 of \"sqrt()\": expected a number, a name or '('"},
        {"sqrt(1, 2)", "at character 7 of \"sqrt(1, 2)\": expected ')'"},
        {"min(1)", "at character 6 of \"min(1)\": expected ',' and a second number in min"},
        {"max(1, 2, 3)", "at character 9 of \"max(1, 2, 3)\": expected ')'"},
        {"sqrt(-1)", "at character 9 of \"sqrt(-1)\": the square root of a negative number"},
        {"1 / 0", "at character 6 of \"1 / 0\": a division by zero"},
        {"1 / (size - 2)", "at character 15 of \"1 / (size - 2)\": a division by zero"},
        {"1e300 * 1e300", "at character 14 of \"1e300 * 1e300\": the result is not finite"},
        {"1e300 * 1e300 / 1e300 / 1e300",
         "at character 30 of \"1e300 * 1e300 / 1e300 / 1e300\": the result is not finite"},
        {"size\t+ 1", "at character 5 of \"size\t+ 1\": expected the end or an operator"},
        {"gr\xc3\xb6\xc3\x9f"
         "e",
         "at character 1 of \"gr\xc3\xb6\xc3\x9f"
         "e\": there is no parameter gr"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char problem[256] = "";
        double value = -99;
        size_t asked = 0;
        check_case("%s", rows[i].text);
        CHECK(!sn_expression_evaluate(rows[i].text, look_up, &asked, &value, problem,
                                      sizeof problem));
        if (!CHECK(strcmp(problem, rows[i].problem) == 0)) printf("      said \"%s\"\n", problem);
        CHECK(value == -99);
    }
}

/* Functions of elementary.c against those of the C library, and that noise is what it says. */
TEST(functions_are_near_the_true_ones) {
    double least = 1, most = -1;
    for (int i = -2000; i <= 2000; i++) {
        double x = i * 0.173, slope, above, below;
        CHECK_NEAR(sn_elementary_exp(x) / exp(x), 1, 1e-14);
        CHECK_NEAR(sn_elementary_sin(x), sin(x), 2e-13);
        CHECK_NEAR(sn_elementary_cos(x), cos(x), 2e-13);
        if (i > 0) CHECK_NEAR(sn_elementary_log(x), log(x), 4e-16 * (1 + fabs(log(x))));
        if (i > 0) CHECK_NEAR(sn_elementary_pow(x, 1.7) / pow(x, 1.7), 1, 1e-14);
        double noise = sn_elementary_noise(x, &slope);
        above = sn_elementary_noise(x + 1e-5, NULL), below = sn_elementary_noise(x - 1e-5, NULL);
        CHECK_NEAR(slope, (above - below) / 2e-5, 1e-4);
        least = noise < least ? noise : least;
        most = noise > most ? noise : most;
    }
    CHECK(sn_elementary_exp(800) == INFINITY && sn_elementary_exp(-800) == 0);
    CHECK(least >= -1 && least < -0.5 && most > 0.5 && most <= 1);
}

/* Nothing is endless: nesting, names, sentences. */
TEST(expressions_have_limits) {
    static char text[100001];
    char problem[64];
    double value;
    size_t asked = 0;
    static const char *const deep[] = {"(", "-", "sqrt(", "1+(", "min(1,"};
    for (size_t i = 0; i < sizeof deep / sizeof deep[0]; i++) {
        size_t length = strlen(deep[i]);
        check_case("%s", deep[i]);
        for (size_t k = 0; k + length < sizeof text; k += length)
            snprintf(text + k, sizeof text - k, "%s", deep[i]);
        CHECK(!sn_expression_evaluate(text, look_up, &asked, &value, problem, sizeof problem));
    }
    memset(text, 'a', 64);
    text[64] = 0;
    CHECK(!sn_expression_evaluate(text, look_up, &asked, &value, problem, sizeof problem));
    /* Long sums are not deep. */
    size_t used = 0;
    for (int i = 0; i < 20000; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s1", i ? "+" : "");
    CHECK(sn_expression_evaluate(text, look_up, &asked, &value, problem, sizeof problem));
    CHECK_NEAR(value, 20000, 0);
}

/* A parameter goes before the constant of its name; what failed is not asked on. */
TEST(names_are_asked_for) {
    char problem[64];
    double value;
    size_t asked = 0;
    CHECK(sn_expression_evaluate("size + size", look_up, &asked, &value, problem, sizeof problem));
    CHECK(asked == 2);
    CHECK(!sn_expression_evaluate("none + size", look_up, &asked, &value, problem, sizeof problem));
    CHECK(asked == 3);
}

TESTS(RUN(expressions_have_values), RUN(mistakes_are_named), RUN(functions_are_near_the_true_ones),
      RUN(expressions_have_limits), RUN(names_are_asked_for))
