#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A loop whose every turn fails should not bury the first failure. */
enum { FAILURES_SHOWN = 12 };

static struct {
    const char *test; /* null between tests */
    char variant[120];
    int failures; /* of this test */
    int passed, failed;
    bool show;
} run;

void check_case(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run.variant, sizeof run.variant, format, arguments);
    va_end(arguments);
}

bool check_shows(void) {
    return run.show;
}

bool check_long(void) {
    return getenv("SINEW_TEST_LONG") != NULL;
}

bool check_sample(void) {
    return getenv("SINEW_TEST_BRIEF") != NULL && !check_long();
}

bool check_mutant(void) {
    return getenv("SINEW_TEST_MUTANT") != NULL;
}

/* Prints the place of a check, with the variant if there is one. */
static void print_place(const char *file, int line) {
    const char *base = file;
    for (const char *c = file; *c; c++)
        if (*c == '/' || *c == '\\') base = c + 1;
    printf("    %s:%d: ", base, line);
    if (run.variant[0]) printf("[%s] ", run.variant);
}

/* Counts a failure; true when it is to be printed. */
static bool fail(const char *file, int line) {
    run.failures++;
    if (run.failures > FAILURES_SHOWN) return false;
    print_place(file, line);
    return true;
}

/* After a failure was counted and printed. */
static bool failed(void) {
    if (check_mutant()) exit(1);
    return false;
}

void check_failed(const char *text, const char *file, int line) {
    if (fail(file, line)) printf("%s does not hold\n", text);
    failed();
}

/* The common part of the comparisons: |value - expected| <= bound, where `tolerance` is how the
   bound is written. */
static bool compare(double value, double expected, double bound, const char *tolerance,
                    const char *text, const char *file, int line) {
    bool held = fabs(value - expected) <= bound;
    bool printed = false;
    if (!held) {
        printed = fail(file, line);
    } else if (run.show) {
        print_place(file, line);
        printed = true;
    }
    if (printed)
        printf("%s is %.10g, expected %.10g +- %s (off by %.3g)\n", text, value, expected,
               tolerance, value - expected);
    return held || failed();
}

bool check_near(double value, double expected, double tolerance, const char *text, const char *file,
                int line) {
    char written[32];
    snprintf(written, sizeof written, "%.3g", tolerance);
    return compare(value, expected, tolerance, written, text, file, line);
}

bool check_rel(double value, double expected, double tolerance, const char *text, const char *file,
               int line) {
    char written[32];
    snprintf(written, sizeof written, "%.3g %%", 100 * tolerance);
    return compare(value, expected, tolerance * fabs(expected), written, text, file, line);
}

bool check_result(sn_result result, sn_result expected, const char *text, const char *file,
                  int line) {
    if (result != expected) {
        if (fail(file, line))
            printf("%s is %s, expected %s (%s)\n", text, sn_result_name(result),
                   sn_result_name(expected), sn_last_error());
        return failed();
    }
    if (result != SN_OK && !sn_last_error()[0]) {
        if (fail(file, line))
            printf("%s is %s, but sn_last_error() is empty\n", text, sn_result_name(result));
        return failed();
    }
    return true;
}

void check_require(sn_result result, const char *text, const char *file, int line) {
    if (check_result(result, SN_OK, text, file, line)) return;
    printf("FAIL  %s: the set-up failed, the run ends here\n", run.test ? run.test : "");
    printf("%d passed, %d failed\n", run.passed, run.failed + 1);
    exit(1);
}

static bool chosen(const char *name, int argc, char **argv) {
    bool filtered = false;
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "--", 2)) continue;
        if (strstr(name, argv[i])) return true;
        filtered = true;
    }
    return !filtered;
}

int check_main(int argc, char **argv, const check_test *tests, size_t count) {
    bool list = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--list")) {
            list = true;
        } else if (!strcmp(argv[i], "--show")) {
            run.show = true;
        } else if (!strncmp(argv[i], "--", 2)) {
            printf("usage: %s [--list] [--show] [part of a name]...\n", argv[0]);
            return 2;
        }
    }

    for (size_t i = 0; i < count; i++) {
        if (!chosen(tests[i].name, argc, argv)) continue;
        if (list) {
            printf("%s\n", tests[i].name);
            continue;
        }
        run.test = tests[i].name;
        run.variant[0] = '\0';
        run.failures = 0;
        clock_t start = clock();
        tests[i].run();
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (run.failures > FAILURES_SHOWN)
            printf("    and %d more\n", run.failures - FAILURES_SHOWN);
        printf("%s  %s (%.2f s)\n", run.failures ? "FAIL" : "ok  ", run.test, seconds);
        fflush(stdout);
        run.test = NULL;
        if (run.failures)
            run.failed++;
        else
            run.passed++;
    }
    if (list) return 0;

    /* A filter that no test matches is a mistake, not a success. */
    if (run.passed + run.failed == 0) printf("no test has such a name\n");
    printf("%d passed, %d failed\n", run.passed, run.failed);
    return run.failed || run.passed == 0;
}
