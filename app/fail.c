#include "app.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

app_exit app_check_simd(const char *verb, int width) {
    if (width == 0 || width == 1 || width == 4 || width == 8 || width == 16) return APP_CONTINUE;
    fprintf(stderr, "sinew %s: --simd is %d, expected 1, 4, 8, 16 or 0\n", verb, width);
    return APP_USAGE;
}

app_exit app_fail(const char *sentence) {
    fprintf(stderr, "sinew: %s\n", sentence);
    return APP_FAILED;
}

app_exit app_fail_result(const char *what, sn_result result) {
    const char *why = sn_last_error();
    fprintf(stderr, "sinew: %s: %s\n", what, why[0] ? why : sn_result_sentence(result));
    return APP_FAILED;
}

void app_print_suggestion(const sn_suggestion *guess, const char *expected) {
    if (guess->word)
        fprintf(stderr, ", did you mean \"%s\"?\n", guess->word);
    else
        fprintf(stderr, "; expected %s\n", expected);
}

app_exit app_fail_file(const char *what, const char *path) {
    fprintf(stderr, "sinew: cannot %s \"%s\": %s\n", what, path, strerror(errno));
    return APP_FAILED;
}

app_exit app_check_ending(const char *verb, const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    if (length > tail && strcmp(path + length - tail, ending) == 0) return APP_CONTINUE;
    fprintf(stderr, "sinew %s: \"%s\" was asked for, expected a file that ends with %s\n", verb,
            path, ending);
    return APP_USAGE;
}
