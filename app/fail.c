#include "app.h"

#include <stdio.h>

app_exit app_fail(const char *sentence) {
    fprintf(stderr, "sinew: %s\n", sentence);
    return APP_FAILED;
}

app_exit app_fail_result(const char *what, sn_result result) {
    const char *why = sn_last_error();
    fprintf(stderr, "sinew: %s: %s\n", what, why[0] ? why : sn_result_sentence(result));
    return APP_FAILED;
}
