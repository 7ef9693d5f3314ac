#define _POSIX_C_SOURCE 200809L

#include <sinew_io/file.h>

#include <sinew/support.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sn_result fail(const char *what, const char *path, int number) {
    return sn_fail(number == ENOMEM ? SN_ERROR_MEMORY : SN_ERROR_FILE, "cannot %s \"%s\": %s", what,
                   path, strerror(number));
}

sn_result sn_io_file_open(sn_io_file *file, const char *path) {
    file->stream = NULL;
    SN_TRY(sn_output_path_find(&file->path, path));
    file->stream = fopen(file->path.written, "wb");
    return file->stream ? SN_OK : fail("write", path, errno);
}

/* A device that is full, or that may not be written to, says so of no bytes as well. */
static sn_result check_device(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && S_ISFIFO(status.st_mode)) return SN_OK;
    int device = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    int number = device < 0 || write(device, "", 0) < 0 ? errno : 0;
    if (device >= 0) close(device);
    return number == 0 ? SN_OK : fail("write", path, number);
}

sn_result sn_io_file_check(const char *path) {
    sn_io_file file;
    SN_TRY(sn_output_path_find(&file.path, path));
    if (!file.path.target[0]) return check_device(path);
    SN_TRY(sn_io_file_open(&file, path));
    sn_io_file_discard(&file);
    return SN_OK;
}

sn_result sn_io_file_close(sn_io_file *file) {
    int number = ferror(file->stream) ? (errno ? errno : EIO) : 0;
    if (fclose(file->stream) != 0 && number == 0) number = errno;
    file->stream = NULL;
    if (number != 0)
        sn_output_path_discard(&file->path);
    else
        number = sn_output_path_keep(&file->path);
    return number == 0 ? SN_OK : fail("write", sn_output_path_name(&file->path), number);
}

void sn_io_file_discard(sn_io_file *file) {
    if (!file->stream) return;
    fclose(file->stream);
    file->stream = NULL;
    sn_output_path_discard(&file->path);
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

sn_result sn_io_file_expect(const char *what, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) return SN_OK;
    return sn_fail(SN_ERROR_FILE, "cannot read %s \"%s\": it is %s, expected a file", what, path,
                   S_ISDIR(status.st_mode) ? "a folder" : "a device or a pipe");
}

/* Reads until the end, wherever that is by then: others may be writing. */
static int read_all(FILE *stream, char **data, size_t *size) {
    struct stat status;
    /* What never fits is refused before a byte of it is read. */
    size_t capacity = 0, expected = 0;
    if (fstat(fileno(stream), &status) == 0 && status.st_size > 0) {
        if ((uintmax_t)status.st_size > SIZE_MAX / 4) return ENOMEM;
        expected = (size_t)status.st_size + 2;
    }
    for (;;) {
        if (*size + 1 >= capacity) {
            capacity = capacity ? 2 * capacity : expected > 4096 ? expected : 4096;
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
    SN_TRY(sn_io_file_expect(what, path));
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
