#include "base/file.h"

#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sn_result fail(const char *what, const char *path, const char *how) {
    return sn_fail(SN_ERROR_FILE, "%s \"%s\": %s: %s", what, path, how, strerror(errno));
}

sn_result sn_file_read(const char *what, const char *path, unsigned char **data, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return fail(what, path, "cannot be opened");
    size_t capacity = 0;
    sn_result result = SN_OK;
    *data = NULL;
    *size = 0;
    while (result == SN_OK && !feof(file)) {
        if (*size == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 65536;
            unsigned char *grown = realloc(*data, capacity);
            if (!grown) {
                result = sn_fail(SN_ERROR_MEMORY, "%s \"%s\": no memory for %zu bytes", what, path,
                                 capacity);
                break;
            }
            *data = grown;
        }
        *size += fread(*data + *size, 1, capacity - *size, file);
        if (ferror(file)) result = fail(what, path, "cannot be read");
    }
    fclose(file);
    if (result == SN_OK) return SN_OK;
    free(*data);
    *data = NULL;
    return result;
}
