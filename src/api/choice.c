#include "api/choice.h"

#include "base/error.h"
#include "base/machine.h"

#include <stdlib.h>
#include <string.h>

static const int lanes_of[SN_WIDTHS] = {1, 4, 8, 16};

/* The number that a variable has; 0 where it is not set or empty, -1 where it is no number. */
static int number_in(const char *text) {
    if (!text || !*text) return 0;
    bool plain = strspn(text, "0123456789") == strlen(text);
    long number = strtol(text, NULL, 10);
    return plain && number <= SN_MAX_THREADS ? (int)number : -1;
}

sn_result sn_choice_from_environment(sn_world_def *def) {
    if (def->simd_width == 0) {
        const char *text = getenv("SINEW_WIDTH");
        int lanes = number_in(text);
        if (lanes != 0 && lanes != 1 && lanes != 4 && lanes != 8 && lanes != 16)
            return sn_fail(SN_ERROR_VALUE,
                           "world: the environment variable SINEW_WIDTH is \"%.40s\", expected 1, "
                           "4, 8, 16, or 0 for the best",
                           text);
        def->simd_width = lanes;
    }
    if (def->threads == 0) {
        const char *text = getenv("SINEW_THREADS");
        int threads = number_in(text);
        if (threads < 0)
            return sn_fail(SN_ERROR_VALUE,
                           "world: the environment variable SINEW_THREADS is \"%.40s\", expected 1 "
                           "to %d, or 0 for one per core",
                           text, SN_MAX_THREADS);
        def->threads = threads;
    }
    return SN_OK;
}

sn_width sn_choice_of_width(int lanes) {
    int most = sn_machine_most_lanes();
    if (lanes == 0) lanes = sn_machine_best_lanes();
    sn_width width = SN_WIDTH_1;
    for (int i = 0; i < SN_WIDTHS; i++)
        if (lanes_of[i] <= lanes && lanes_of[i] <= most) width = (sn_width)i;
    return width;
}

int sn_choice_lanes(sn_width width) {
    return lanes_of[width];
}
