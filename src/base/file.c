#include "base/file.h"

#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FIRST = 65536 };

static sn_result fail(const char *what, const char *path, const char *how) {
    return sn_fail(SN_ERROR_FILE, "%s \"%s\": %s: %s", what, path, how, strerror(errno));
}

/* Reads on until the room is full or the file is over. */
static sn_result read_more(sn_file *file, FILE *from, const char *what, const char *path) {
    file->size += fread(file->data + file->size, 1, file->capacity - file->size, from);
    return ferror(from) ? fail(what, path, "cannot be read") : SN_OK;
}

sn_result sn_file_read(sn_file *file, sn_memory *memory, const char *what, const char *path) {
    *file = (sn_file){0};
    FILE *from = fopen(path, "rb");
    if (!from) return fail(what, path, "cannot be opened");
    sn_result result = SN_OK;
    while (result == SN_OK && !feof(from)) {
        size_t needed = file->size < FIRST ? FIRST : 2 * file->size;
        if (file->size < file->capacity ||
            sn_reserve(memory, (void **)&file->data, &file->capacity, needed, 1))
            result = read_more(file, from, what, path);
        else
            result = sn_fail_within(SN_ERROR_MEMORY, "%s \"%s\"", what, path);
    }
    fclose(from);
    if (result != SN_OK) sn_file_free(file, memory);
    return result;
}

void sn_file_free(sn_file *file, sn_memory *memory) {
    sn_free(memory, file->data, file->capacity, 1);
    *file = (sn_file){0};
}
