/*
 * A test harness of one page: plain C, one process, no signals, so that it runs wherever the
 * library does.
 *
 *     TEST(mass_is_positive) { CHECK(mass() > 0); }
 *     TESTS(RUN(mass_is_positive))
 *
 * A test that is missing from TESTS is an unused function, which the compiler reports. A check that
 * fails is printed and counted, and the test goes on; every check is also an expression that is
 * true when it held, for `if (!CHECK(pointer)) return;`.
 *
 * The program takes parts of names as arguments and runs the tests that contain one of them,
 * `--list` prints the names, `--show` prints every number that is compared.
 */
#ifndef SINEW_TESTS_CHECK_H
#define SINEW_TESTS_CHECK_H

#include <sinew/base.h>

#define TEST(name) static void name(void)

#define CHECK(condition) check_true((condition), #condition, __FILE__, __LINE__)

/* |value - expected| <= tolerance; a NaN fails. */
#define CHECK_NEAR(value, expected, tolerance)                                                     \
    check_near((double)(value), (double)(expected), (double)(tolerance), #value, __FILE__, __LINE__)

/* |value - expected| <= tolerance * |expected|. */
#define CHECK_REL(value, expected, tolerance)                                                      \
    check_rel((double)(value), (double)(expected), (double)(tolerance), #value, __FILE__, __LINE__)

/* The call returns SN_OK. */
#define CHECK_OK(call) check_result((call), SN_OK, #call, __FILE__, __LINE__)

/* The call fails with this result and leaves a sentence about it. */
#define CHECK_FAILS(call, expected) check_result((call), (expected), #call, __FILE__, __LINE__)

/* A call of the set-up, without which nothing after it has a meaning: failing ends the run. */
#define REQUIRE_OK(call) check_require((call), #call, __FILE__, __LINE__)

void check_failed(const char *text, const char *file, int line);
bool check_near(double value, double expected, double tolerance, const char *text, const char *file,
                int line);
bool check_rel(double value, double expected, double tolerance, const char *text, const char *file,
               int line);
bool check_result(sn_result result, sn_result expected, const char *text, const char *file,
                  int line);
void check_require(sn_result result, const char *text, const char *file, int line);

/* Here, so that static analysis sees what a check lets through. */
static inline bool check_true(bool held, const char *text, const char *file, int line) {
    if (!held) check_failed(text, file, line);
    return held;
}

/* Names the variant that the following checks of this test look at; printed with their failures. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void check_case(const char *format, ...);

/* Whether --show was given: what is only there to be looked at need not be computed otherwise. */
bool check_shows(void);

/* Whether a test is to leave nothing out, as in ./dev test --all. Without that, some have a shorter
   form; with sanitizers, a sample does where every block or byte has its turn. */
bool check_long(void);
bool check_sample(void);

/* Whether there may be an error in the library, planted to see whether the tests notice: the hashes
   of earlier runs, which differ then, are not compared, and the first check that fails ends the
   run (tests/mutants). */
bool check_mutant(void);

typedef struct check_test {
    const char *name;
    void (*run)(void);
} check_test;

#define RUN(name)                                                                                  \
    { #name, name }

#define TESTS(...)                                                                                 \
    int main(int argc, char **argv) {                                                              \
        static const check_test tests[] = {__VA_ARGS__};                                           \
        return check_main(argc, argv, tests, sizeof tests / sizeof tests[0]);                      \
    }

/* Runs the tests that the arguments choose; the exit code of the program. */
int check_main(int argc, char **argv, const check_test *tests, size_t count);

#endif
