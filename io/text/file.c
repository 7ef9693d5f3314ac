#define _POSIX_C_SOURCE 200809L

#include <sinew_io/file.h>

#include <sinew/support.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static sn_result fail(const char *what, const char *path, int number) {
    return sn_fail(number == ENOMEM ? SN_ERROR_MEMORY : SN_ERROR_FILE, "cannot %s \"%s\": %s", what,
                   path, strerror(number));
}

sn_result sn_io_file_open(sn_io_file *file, const char *path) {
    static const char ending[] = ".part";
    size_t length = strlen(path);
    *file = (sn_io_file){.path = malloc(length + 1), .part = malloc(length + sizeof ending)};
    if (!file->path || !file->part) {
        sn_io_file_discard(file);
        return fail("write", path, ENOMEM);
    }
    memcpy(file->path, path, length + 1);
    memcpy(file->part, path, length);
    memcpy(file->part + length, ending, sizeof ending);
    file->stream = fopen(file->part, "wb");
    if (!file->stream) {
        int number = errno;
        sn_io_file_discard(file);
        return fail("write", path, number);
    }
    return SN_OK;
}

static void release(sn_io_file *file) {
    free(file->path);
    free(file->part);
    *file = (sn_io_file){0};
}

sn_result sn_io_file_close(sn_io_file *file) {
    int number = ferror(file->stream) ? (errno ? errno : EIO) : 0;
    if (fclose(file->stream) != 0 && number == 0) number = errno;
    if (number == 0 && rename(file->part, file->path) != 0) number = errno;
    sn_result result = SN_OK;
    if (number != 0) {
        remove(file->part);
        result = fail("write", file->path, number);
    }
    release(file);
    return result;
}

void sn_io_file_discard(sn_io_file *file) {
    if (file->stream) {
        fclose(file->stream);
        remove(file->part);
    }
    release(file);
}

sn_result sn_io_folder_make(const char *path) {
    size_t length = strlen(path);
    char *part = malloc(length + 1);
    if (!part) return fail("make the folder", path, ENOMEM);
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
    return number == 0 ? SN_OK : fail("make the folder", path, number);
}

/* Reads until the end, as the size of a pipe is not known before. */
static int read_all(FILE *stream, char **data, size_t *size) {
    size_t capacity = 0;
    for (;;) {
        if (*size + 1 >= capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            char *larger = realloc(*data, capacity);
            if (!larger) return ENOMEM;
            *data = larger;
        }
        errno = 0;
        size_t got = fread(*data + *size, 1, capacity - *size - 1, stream);
        *size += got;
        if (got == 0) return ferror(stream) ? (errno ? errno : EIO) : 0;
    }
}

sn_result sn_io_file_read(const char *what, const char *path, char **data, size_t *size) {
    *data = NULL;
    *size = 0;
    FILE *stream = fopen(path, "rb");
    int number = stream ? read_all(stream, data, size) : errno;
    if (stream) fclose(stream);
    if (number == 0 && *data) {
        (*data)[*size] = 0;
        return SN_OK;
    }
    free(*data);
    *data = NULL;
    *size = 0;
    return sn_fail(number == ENOMEM ? SN_ERROR_MEMORY : SN_ERROR_FILE, "cannot read %s \"%s\": %s",
                   what, path, strerror(number));
}
