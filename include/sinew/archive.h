/*
 * Archives: numbers with names, in sections, the same bytes on every machine. Snapshots, recordings
 * and caches are made of them.
 *
 *   "\x89SINEW\r\n"  version (u32)  kind (u32)
 *   section: name (8 bytes, padded with 0)  length (u64)  hash of what follows (u64)
 *       column: length of name (u8)  name  kind (u8)  count (u64)  numbers
 *       ...
 *   ...
 *   section "end", empty
 *
 * All numbers are little-endian and follow each other without gaps. Reals are written as the build
 * has them and read as either. The same calls write and read: what describes a structure does both.
 * After a failure everything else does nothing, so that it is asked about once, at the end.
 */
#ifndef SINEW_ARCHIVE_H
#define SINEW_ARCHIVE_H

#include <sinew/support.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of the layout above. */
enum { SN_ARCHIVE_VERSION = 1 };

/* What the numbers of a column are: unsigned integers, or reals, by their bits. */
typedef enum sn_archive_kind {
    SN_ARCHIVE_U8 = 1,
    SN_ARCHIVE_U16 = 2,
    SN_ARCHIVE_U32 = 3,
    SN_ARCHIVE_U64 = 4,
    SN_ARCHIVE_F32 = 5,
    SN_ARCHIVE_F64 = 6,
#ifdef SN_DOUBLE
    SN_ARCHIVE_REAL = SN_ARCHIVE_F64
#else
    SN_ARCHIVE_REAL = SN_ARCHIVE_F32
#endif
} sn_archive_kind;

struct sn_array;

/* One that is written or read; all of it is for the library, but for the result. */
typedef struct sn_archive {
    const char *what; /* for sentences, such as "snapshot" */
    bool reading;
    sn_result result;    /* SN_OK until something fails */
    const uint8_t *from; /* read: all bytes */
    uint8_t *to;         /* written: null to count only */
    size_t size;         /* read: of `from`; written: so far */
    size_t capacity;     /* of `to` */
    size_t begin, end;   /* of the present section's columns; the end is known when reading */
    bool any_real;       /* read: whether reals may also be infinite or no number */
    char section[9];
    /* Neither: columns are shown where they are in memory. */
    void (*visit)(void *context, const struct sn_array *array);
    void *context;
} sn_archive;

/* Starts to write into `to`, or to count if that is null; or to read, with the first checks. */
SN_API void sn_archive_write(sn_archive *a, const char *what, uint32_t kind, uint8_t *to,
                             size_t capacity);
SN_API void sn_archive_read(sn_archive *a, const char *what, uint32_t kind, const uint8_t *from,
                            size_t size);

/* Starts to write sections alone, to follow what was written before. */
SN_API void sn_archive_append(sn_archive *a, const char *what, uint8_t *to, size_t capacity);

/* The end: nothing more is expected. Returns the result of everything. */
SN_API sn_result sn_archive_finish(sn_archive *a);

/* Fails with a sentence that begins with where the archive is. Returns SN_ERROR_DATA. */
SN_API sn_result sn_archive_fail(sn_archive *a, const char *format, ...) SN_PRINTF(2, 3);

/* Begins the next section, which must have this name, of at most 8 letters. */
SN_API void sn_archive_section(sn_archive *a, const char *name);
SN_API void sn_archive_section_end(sn_archive *a);
/* Begins the next section to be read, whatever its name. */
SN_API void sn_archive_section_any(sn_archive *a);

/* A column of `count` numbers one after the other. */
SN_API void sn_archive_column(sn_archive *a, const char *name, sn_archive_kind kind, void *data,
                              size_t count);

/* Single numbers: a double, and an int or enum that must be within bounds. */
SN_API void sn_archive_double(sn_archive *a, const char *name, double *number);
SN_API void sn_archive_int(sn_archive *a, const char *name, int *number, int least, int most);

/* How many numbers the column of this name in the present section has; 0 if there is none. */
SN_API size_t sn_archive_count(const sn_archive *a, const char *name);

/* A column as it lies in a section that is read. */
typedef struct sn_archive_view {
    char name[256];
    int kind; /* sn_archive_kind */
    size_t count;
    const uint8_t *data;
} sn_archive_view;

/* The column with this name in the present section; false where there is none. */
SN_API bool sn_archive_view_find(const sn_archive *a, const char *name, sn_archive_view *view);

#ifdef __cplusplus
}
#endif

#endif
