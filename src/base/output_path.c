#define _POSIX_C_SOURCE 200809L

#include <sinew/support.h>

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char PART[] = ".part";
enum { MOST_LINKS = 40 };

static sn_result fail(const char *path, int number) {
    return sn_fail(SN_ERROR_FILE, "cannot write \"%.300s\": %s", path, strerror(number));
}

/* Puts what a link says in the place of its name; false when the path is no link. */
static bool follow_link(char path[SN_PATH_LENGTH], int *number) {
    char said[SN_PATH_LENGTH];
    ssize_t length = readlink(path, said, sizeof said);
    if (length < 0) return false;
    char *slash = strrchr(path, '/');
    size_t folder = said[0] == '/' || !slash ? 0 : (size_t)(slash - path) + 1;
    if (folder + (size_t)length >= SN_PATH_LENGTH) {
        *number = ENAMETOOLONG;
        return false;
    }
    memcpy(path + folder, said, (size_t)length);
    path[folder + (size_t)length] = 0;
    return true;
}

/* Where a file is that may be reached by links, and need not be there yet. */
static int resolve(char path[SN_PATH_LENGTH]) {
    int number = 0;
    for (int i = 0; i < MOST_LINKS; i++)
        if (!follow_link(path, &number)) return number;
    return ELOOP;
}

sn_result sn_output_path_find(sn_output_path *output, const char *path) {
    size_t length = strlen(path);
    struct stat status;
    if (length == 0) return fail(path, ENOENT);
    if (length + sizeof PART > SN_PATH_LENGTH) return fail(path, ENAMETOOLONG);
    bool exists = stat(path, &status) == 0;
    if (exists ? S_ISDIR(status.st_mode) : path[length - 1] == '/') return fail(path, EISDIR);
    if (exists && !S_ISREG(status.st_mode)) {
        memcpy(output->written, path, length + 1);
        output->target[0] = 0;
        return SN_OK;
    }
    memcpy(output->target, path, length + 1);
    int number = resolve(output->target);
    length = strlen(output->target);
    if (number == 0 && length + sizeof PART > SN_PATH_LENGTH) number = ENAMETOOLONG;
    if (number != 0) return fail(path, number);
    memcpy(output->written, output->target, length);
    memcpy(output->written + length, PART, sizeof PART);
    return SN_OK;
}

int sn_output_path_keep(const sn_output_path *output) {
    if (!output->target[0] || rename(output->written, output->target) == 0) return 0;
    int number = errno;
    remove(output->written);
    return number;
}

void sn_output_path_discard(const sn_output_path *output) {
    if (output->target[0]) remove(output->written);
}
