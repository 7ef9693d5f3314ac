#define _POSIX_C_SOURCE 200809L

#include "base/file.h"

#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST = 65536 };

static sn_result fail(const char *what, const char *path, const char *how) {
    return sn_fail(SN_ERROR_FILE, "%s \"%s\": %s: %s", what, path, how, strerror(errno));
}

/* Reads on until the room is full or the file is over. */
static sn_result read_more(sn_file *file, FILE *from, const char *what, const char *path) {
    file->size += fread(file->data + file->size, 1, file->capacity - file->size, from);
    return ferror(from) ? fail(what, path, "cannot be read") : SN_OK;
}

/* A device or a pipe may have no end, or wait for its other end. */
static sn_result expect_file(const char *what, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) return SN_OK;
    return sn_fail(SN_ERROR_FILE, "%s \"%s\": it is %s, expected a file", what, path,
                   S_ISDIR(status.st_mode) ? "a folder" : "a device or a pipe");
}

/* All of it and the end, so that what never fits is refused before a byte of it is read. */
static size_t first_room(FILE *from) {
    struct stat status;
    if (fstat(fileno(from), &status) != 0 || status.st_size < FIRST) return FIRST;
    uint64_t size = (uint64_t)status.st_size;
    return size < SIZE_MAX / 4 ? (size_t)size + 1 : SIZE_MAX / 4;
}

sn_result sn_file_read(sn_file *file, sn_memory *memory, const char *what, const char *path) {
    *file = (sn_file){0};
    SN_TRY(expect_file(what, path));
    FILE *from = fopen(path, "rb");
    if (!from) return fail(what, path, "cannot be opened");
    sn_result result = SN_OK;
    size_t first = first_room(from);
    while (result == SN_OK && !feof(from)) {
        size_t needed = file->size < first ? first : 2 * file->size;
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
