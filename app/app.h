/* What the verbs of the `sinew` command share. */
#ifndef APP_H
#define APP_H

#include <sinew/sinew.h>

#include <sinew/support.h>

#include <stdbool.h>

/* Exit codes, as the help says them. */
typedef enum app_exit {
    APP_OK = 0,
    APP_FAILED = 1,
    APP_USAGE = 2,
    APP_INTERRUPTED = 130, /* 128 + SIGINT, as shells report it */
    APP_CONTINUE = -1      /* not an exit code: the verb goes on */
} app_exit;

/* The verbs. argv[0] is the name of the verb. */
app_exit verb_run(int argc, char **argv);
app_exit verb_bench(int argc, char **argv);
app_exit verb_new(int argc, char **argv);
app_exit verb_info(int argc, char **argv);
app_exit verb_replay(int argc, char **argv);
app_exit verb_check(int argc, char **argv);
app_exit verb_compare(int argc, char **argv);
app_exit verb_completion(int argc, char **argv);
app_exit verb_scenes(int argc, char **argv);
app_exit verb_render(int argc, char **argv);
app_exit verb_plot(int argc, char **argv);
app_exit verb_convert(int argc, char **argv);
app_exit verb_query(int argc, char **argv);
app_exit verb_view(int argc, char **argv);
app_exit verb_strain(int argc, char **argv);

/* Whether this can be a number of lanes; APP_USAGE, after a message, if not. */
app_exit app_check_simd(const char *verb, int width);

/* Says on standard error what went wrong, as "sinew: <sentence>", and returns APP_FAILED. */
app_exit app_fail(const char *sentence);

/* The same for a call of the library: `what` was being done, and sn_last_error() says why not. */
app_exit app_fail_result(const char *what, sn_result result);

/* The same for a file: `what` could not be done with it, and errno says why not. */
app_exit app_fail_file(const char *what, const char *path);

/* Whether a file has this ending, such as ".png"; APP_USAGE, after a message, if not. */
app_exit app_check_ending(const char *verb, const char *path, const char *ending);

/* Prints `, did you mean "..."?` for a guess or `; expected <expected>` without one, and ends the
   line, on standard error. */
void app_print_suggestion(const sn_suggestion *guess, const char *expected);

#endif
