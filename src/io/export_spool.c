#define _POSIX_C_SOURCE 200809L

#include "io/export_spool.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

sn_result sn_io_spool_open(sn_io_spool *spool, const sn_io_export *e, const char *ending) {
    *spool = (sn_io_spool){.path = sn_io_export_path(e, ending)};
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

sn_result sn_io_spool_end(sn_io_spool *spool, sn_io_out *out) {
    sn_io_out_flush(out);
    if (!ferror(spool->stream) && fflush(spool->stream) == 0) {
        spool->size += out->written;
        return SN_OK;
    }
    sn_result result = fail(spool, "write");
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
