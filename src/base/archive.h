/* What only the core asks of archives (sinew/archive.h). */
#ifndef SN_BASE_ARCHIVE_H
#define SN_BASE_ARCHIVE_H

#include <sinew/archive.h>

/* Kinds of archives, as the text that they are in the order of the bytes. */
#define SN_SNAPSHOT 0x50414e53u  /* SNAP */
#define SN_RECORDING 0x4f434552u /* RECO */

/* Whether the next section to be read has this name. */
bool sn_archive_is_next(const sn_archive *a, const char *name);
/* Whether the bytes end before the next section does. */
bool sn_archive_is_cut(const sn_archive *a);

/*
 * Numbers in memory: `width` of a kind together, and the next ones `stride` bytes later. Section
 * and name are those of archives, where they are frozen.
 */
typedef struct sn_array {
    const char *section, *name;
    sn_archive_kind kind;
    size_t width, stride, count;
    /* Null of a column that is nowhere in memory as it is written: counts, which are the shape of
       other arrays, and what is in pieces or coded. The arrays of these follow. */
    void *data;
} sn_array;

typedef void sn_visit_array(void *context, const sn_array *array);

/* Starts to show arrays: the calls that write and read a structure then show where it is. */
void sn_archive_visit(sn_archive *a, sn_visit_array *visit, void *context);
/* Shows an array that is coded in a column; nothing unless arrays are shown. */
void sn_archive_show(sn_archive *a, const char *name, sn_archive_kind kind, void *data,
                     size_t stride, size_t width, size_t count);

/* Whether there is a column that is left out where everything is the default, or that older
   archives do not have: written if it is said, and always shown. */
bool sn_archive_takes(const sn_archive *a, const char *name, bool said);

/* A column of a member of an array of structs, of which the first is at `data` and the next
   `stride` bytes later: `components` numbers of this kind each. Reals that are not finite are
   refused. */
void sn_archive_member(sn_archive *a, const char *name, sn_archive_kind kind, void *data,
                       size_t stride, int components, size_t count);

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
/* The next numbers of such a column, which lie together: `width` for each of `count`. */
void sn_archive_run(sn_archive *a, sn_archive_cursor *cursor, void *data, size_t stride,
                    size_t width, size_t count);

/* A column of bools or enums, of so many bytes in memory, that must be below `end`. */
void sn_archive_choices(sn_archive *a, const char *name, sn_archive_kind kind, void *data,
                        size_t bytes, size_t stride, size_t count, uint32_t end);

/* A column of vectors of which memory has the first `have`; the others are 0. */
void sn_archive_filled(sn_archive *a, const char *name, sn_archive_kind kind, void *data,
                       size_t stride, size_t width, size_t have, size_t count);

/* Single numbers. */
void sn_archive_real(sn_archive *a, const char *name, sn_real *number);
void sn_archive_flag(sn_archive *a, const char *name, bool *flag);

/* Whether the present section has a column of this name; always when writing. */
bool sn_archive_has(const sn_archive *a, const char *name);

/* A text as a column of characters, at most size - 1 of them; what is read has printable ones. */
void sn_archive_text(sn_archive *a, const char *name, char *text, size_t size);

/* The column at a place, which begins as 0 and is moved on; false after the last one. */
bool sn_archive_view_next(sn_archive *a, size_t *at, sn_archive_view *view);
/* How many bytes a number of it has; the bits of one, and what it is as text. */
size_t sn_archive_view_bytes(const sn_archive_view *view);
uint64_t sn_archive_view_bits(const sn_archive_view *view, size_t i);
void sn_archive_view_text(const sn_archive_view *view, size_t i, char text[32]);

#endif
