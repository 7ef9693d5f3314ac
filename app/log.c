#include "log.h"

#include "progress.h"

#include <sinew/support.h>

#include <stdio.h>

/* Who has read this many does not read on. */
enum { MOST = 256 };

bool app_log_is_new(const char *sentence) {
    static uint64_t said[MOST];
    static size_t count;
    uint64_t hash = 0;
    for (const char *c = sentence; *c; c++) hash = sn_hash_word(hash, (uint64_t)(unsigned char)*c);
    for (size_t i = 0; i < count; i++)
        if (said[i] == hash) return false;
    if (count == MOST) return false;
    said[count++] = hash;
    return true;
}

void app_log(void *user, sn_log_level level, const char *sentence) {
    static const char *const names[] = {"note", "warning", "error"};
    (void)user;
    if (!app_log_is_new(sentence)) return;
    progress_clear();
    fprintf(stderr, "sinew: %s: %s\n", names[level], sentence);
}
