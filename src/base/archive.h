/*
 * Archives: numbers with names, in sections, the same bytes on every machine.
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
#ifndef SN_BASE_ARCHIVE_H
#define SN_BASE_ARCHIVE_H

#include <sinew/base.h>

enum { SN_ARCHIVE_VERSION = 1 };

/* Kinds of archives, as the text that they are in the order of the bytes. */
#define SN_SNAPSHOT 0x50414e53u  /* SNAP */
#define SN_RECORDING 0x4f434552u /* RECO */

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
} sn_archive;

/* Starts to write into `to`, or to count if that is null; or to read, with the first checks. */
void sn_archive_write(sn_archive *a, const char *what, uint32_t kind, uint8_t *to, size_t capacity);
void sn_archive_read(sn_archive *a, const char *what, uint32_t kind, const uint8_t *from,
                     size_t size);

/* Starts to write sections alone, to follow what was written before. */
void sn_archive_append(sn_archive *a, const char *what, uint8_t *to, size_t capacity);

/* The end: nothing more is expected. Returns the result of everything. */
sn_result sn_archive_finish(sn_archive *a);

/* Fails with a sentence that begins with where the archive is. Returns SN_ERROR_DATA. */
sn_result sn_archive_fail(sn_archive *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Begins the next section, which must have this name, of at most 8 letters. */
void sn_archive_section(sn_archive *a, const char *name);
void sn_archive_section_end(sn_archive *a);
/* Begins the next section to be read, whatever its name. */
void sn_archive_section_any(sn_archive *a);
/* Whether the next section to be read has this name. */
bool sn_archive_is_next(const sn_archive *a, const char *name);
/* Whether the bytes end before the next section does. */
bool sn_archive_is_cut(const sn_archive *a);

/* A column of a member of an array of structs, of which the first is at `data` and the next
   `stride` bytes later: `components` numbers of this kind each. Reals that are not finite are
   refused. */
void sn_archive_member(sn_archive *a, const char *name, sn_archive_kind kind, void *data,
                       size_t stride, int components, size_t count);

/* A column of `count` numbers one after the other. */
void sn_archive_column(sn_archive *a, const char *name, sn_archive_kind kind, void *data,
                       size_t count);

/* A column of the first components of each vector. */
void sn_archive_vectors(sn_archive *a, const char *name, sn_vec4 *data, size_t count,
                        int components);

/* A column one number at a time, for what lies nowhere together. */
typedef struct sn_archive_cursor {
    const char *name;
    sn_archive_kind kind;
    const uint8_t *data; /* read */
    int stored;          /* read: kind of the numbers there */
    size_t next, count;
} sn_archive_cursor;

sn_archive_cursor sn_archive_open(sn_archive *a, const char *name, sn_archive_kind kind,
                                  size_t count);
void sn_archive_next(sn_archive *a, sn_archive_cursor *cursor, void *number);

/* Single numbers. */
void sn_archive_real(sn_archive *a, const char *name, sn_real *number);
void sn_archive_double(sn_archive *a, const char *name, double *number);
void sn_archive_flag(sn_archive *a, const char *name, bool *flag);
/* An int or enum that must be within bounds. */
void sn_archive_int(sn_archive *a, const char *name, int *number, int least, int most);

/* Whether the present section has a column of this name; always when writing. How many numbers it
   has; 0 if there is none. */
bool sn_archive_has(const sn_archive *a, const char *name);
size_t sn_archive_count(const sn_archive *a, const char *name);

/* A text as a column of characters, at most size - 1 of them; what is read has printable ones. */
void sn_archive_text(sn_archive *a, const char *name, char *text, size_t size);

/* A column as it lies in a section that is read. */
typedef struct sn_archive_view {
    char name[256];
    int kind;
    size_t count;
    const uint8_t *data;
} sn_archive_view;

/* The column at a place, which begins as 0 and is moved on; false after the last one. */
bool sn_archive_view_next(sn_archive *a, size_t *at, sn_archive_view *view);
/* The column with this name; false where there is none. */
bool sn_archive_view_find(const sn_archive *a, const char *name, sn_archive_view *view);
/* How many bytes a number of it has; the bits of one, and what it is as text. */
size_t sn_archive_view_bytes(const sn_archive_view *view);
uint64_t sn_archive_view_bits(const sn_archive_view *view, size_t i);
void sn_archive_view_text(const sn_archive_view *view, size_t i, char text[32]);

#endif
