/*
 * Where frames wait until the files that they go into can be written: one file without a name, in
 * the folder of the export, so that it is gone when the program is, however that ends.
 *
 * While it is there, those files need about as much room again. A frame that would not leave it on
 * the disk is refused, so that the frames before it can still become files.
 */
#ifndef SN_IO_ANIMATION_EXPORT_SPOOL_H
#define SN_IO_ANIMATION_EXPORT_SPOOL_H

#include "io/animation/export.h"
#include "io/text/out.h"

typedef struct sn_io_spool {
    FILE *stream; /* null before it is opened */
    char *path;   /* that it had */
    uint64_t size;
    double growth; /* bytes of the files per byte here, at most, roughly */
} sn_io_spool;

/* A part of it. */
typedef struct sn_io_range {
    uint64_t at, size;
} sn_io_range;

sn_result sn_io_spool_open(sn_io_spool *spool, const sn_io_export *e, const char *ending,
                           double growth);
void sn_io_spool_close(sn_io_spool *spool);

/* Writes after what is there; where that fails, nothing was added. Ranges are counted from
   spool->size as it was at the beginning. */
sn_result sn_io_spool_begin(sn_io_spool *spool, sn_io_out *out);
sn_result sn_io_spool_end(sn_io_spool *spool, sn_io_out *out);

/* The range from a count of bytes until now. */
static inline sn_io_range sn_io_spool_range(const sn_io_spool *spool, const sn_io_out *out,
                                            uint64_t from) {
    return (sn_io_range){spool->size + from, sn_io_out_count(out) - from};
}

/* Copies a range. */
sn_result sn_io_spool_copy(sn_io_spool *spool, sn_io_range range, sn_io_out *out);

/* Reads a range that is not longer than what it is read into. */
sn_result sn_io_spool_read(sn_io_spool *spool, sn_io_range range, void *to);

#endif
