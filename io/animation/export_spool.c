#define _POSIX_C_SOURCE 200809L

#include "io/animation/export_spool.h"

#include <errno.h>
#include <stdlib.h>
#ifndef __wasi__
#include <sys/statvfs.h>
#endif
#include <sys/types.h>
#include <unistd.h>

sn_result sn_io_spool_open(sn_io_spool *spool, const sn_io_export *e, const char *ending,
                           double growth) {
    *spool = (sn_io_spool){.path = sn_io_export_path(e, ending), .growth = growth};
    if (!spool->path) return SN_ERROR_MEMORY;
    spool->stream = fopen(spool->path, "w+b");
    if (!spool->stream)
        return sn_fail(SN_ERROR_FILE, "cannot write \"%s\": %s", spool->path, strerror(errno));
    remove(spool->path);
    return SN_OK;
}

void sn_io_spool_close(sn_io_spool *spool) {
    if (spool->stream) fclose(spool->stream);
    free(spool->path);
    *spool = (sn_io_spool){0};
}

static sn_result fail(const sn_io_spool *spool, const char *what) {
    return sn_fail(SN_ERROR_FILE, "cannot %s \"%s\": %s", what, spool->path,
                   errno ? strerror(errno) : "it ends too early");
}

sn_result sn_io_spool_begin(sn_io_spool *spool, sn_io_out *out) {
    errno = 0;
    sn_io_out_open(out, spool->stream);
    return fseeko(spool->stream, (off_t)spool->size, SEEK_SET) == 0 ? SN_OK : fail(spool, "write");
}

/* Whether the files of so many bytes here would fit on the disk, where that is known. */
static sn_result check_room(const sn_io_spool *spool, uint64_t size) {
#ifndef __wasi__
    struct statvfs disk;
    double needed = spool->growth * (double)size;
    if (fstatvfs(fileno(spool->stream), &disk) != 0 || disk.f_blocks == 0) return SN_OK;
    double left = (double)disk.f_bavail * (double)disk.f_frsize;
    if (left < needed)
        return sn_fail(SN_ERROR_FILE,
                       "cannot write \"%s\": the disk has %.3g MB left, and the files of these "
                       "frames would need %.3g MB",
                       spool->path, left * 1e-6, needed * 1e-6);
#else
    (void)spool;
    (void)size;
#endif
    return SN_OK;
}

sn_result sn_io_spool_end(sn_io_spool *spool, sn_io_out *out) {
    sn_io_out_flush(out);
    bool written = !ferror(spool->stream) && fflush(spool->stream) == 0;
    uint64_t size = spool->size + out->written;
    sn_result result = written ? check_room(spool, size) : fail(spool, "write");
    if (result == SN_OK) {
        spool->size = size;
        return SN_OK;
    }
    clearerr(spool->stream);
    if (ftruncate(fileno(spool->stream), (off_t)spool->size) != 0) {
        /* The next frame is written over it. */
    }
    return result;
}

sn_result sn_io_spool_read(sn_io_spool *spool, sn_io_range range, void *to) {
    int number = errno;
    errno = 0;
    if (fseeko(spool->stream, (off_t)range.at, SEEK_SET) != 0 ||
        fread(to, 1, (size_t)range.size, spool->stream) != range.size)
        return fail(spool, "read");
    /* Who copies to a file that cannot be written finds out why when closing it. */
    errno = number;
    return SN_OK;
}

sn_result sn_io_spool_copy(sn_io_spool *spool, sn_io_range range, sn_io_out *out) {
    char block[1 << 13];
    while (range.size > 0) {
        sn_io_range part = {range.at, range.size < sizeof block ? range.size : sizeof block};
        SN_TRY(sn_io_spool_read(spool, part, block));
        sn_io_out_bytes(out, block, (size_t)part.size);
        range.at += part.size;
        range.size -= part.size;
    }
    return SN_OK;
}
