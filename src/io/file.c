#define _POSIX_C_SOURCE 200809L

#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool fail(sn_io_error *error, const char *what, const char *path, int number) {
    snprintf(error->sentence, sizeof error->sentence, "cannot %s \"%s\": %s", what, path,
             strerror(number));
    return false;
}

bool sn_io_file_open(sn_io_file *file, const char *path, sn_io_error *error) {
    static const char ending[] = ".part";
    size_t length = strlen(path);
    *file = (sn_io_file){.path = malloc(length + 1), .part = malloc(length + sizeof ending)};
    if (!file->path || !file->part) {
        sn_io_file_discard(file);
        return fail(error, "write", path, ENOMEM);
    }
    memcpy(file->path, path, length + 1);
    memcpy(file->part, path, length);
    memcpy(file->part + length, ending, sizeof ending);
    file->stream = fopen(file->part, "wb");
    if (!file->stream) {
        int number = errno;
        sn_io_file_discard(file);
        return fail(error, "write", path, number);
    }
    return true;
}

static void release(sn_io_file *file) {
    free(file->path);
    free(file->part);
    *file = (sn_io_file){0};
}

bool sn_io_file_close(sn_io_file *file, sn_io_error *error) {
    int number = ferror(file->stream) ? errno : 0;
    if (fclose(file->stream) != 0 && number == 0) number = errno;
    if (number == 0 && rename(file->part, file->path) != 0) number = errno;
    if (number != 0) {
        remove(file->part);
        fail(error, "write", file->path, number);
    }
    release(file);
    return number == 0;
}

void sn_io_file_discard(sn_io_file *file) {
    if (file->stream) {
        fclose(file->stream);
        remove(file->part);
    }
    release(file);
}

bool sn_io_folder_make(const char *path, sn_io_error *error) {
    size_t length = strlen(path);
    char *part = malloc(length + 1);
    if (!part) return fail(error, "make the folder", path, ENOMEM);
    memcpy(part, path, length + 1);
    int number = 0;
    for (size_t i = 1; i <= length && number == 0; i++) {
        if (path[i] == '/' || path[i] == 0) {
            part[i] = 0;
            number = mkdir(part, 0777) != 0 && errno != EEXIST ? errno : 0;
            part[i] = path[i];
        }
    }
    free(part);
    struct stat status;
    if (number == 0 && (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))) number = ENOTDIR;
    return number == 0 || fail(error, "make the folder", path, number);
}
