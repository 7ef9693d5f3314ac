/*
 * Animated export: frames into files that other programs read, each frame as it is made.
 *
 *     sn_io_export_def def = sn_io_export_def_default();
 *     def.format = "usda";
 *     def.folder = "out";
 *     def.name = "flag";
 *     sn_io_export *export = NULL;
 *     sn_io_export_open(&def, &export);
 *     while (...) sn_io_export_frame(export, &frame);
 *     sn_io_export_close(export);
 *     for (size_t i = 0; i < sn_io_export_file_count(export); i++)
 *         puts(sn_io_export_file(export, i));
 *     sn_io_export_free(export);
 *
 * A file is there as a whole or not at all: nobody finds half of one under its name, whatever
 * happens. The cache alone (sinew_io/cache.h) grows where it is, and can be read while it does. The
 * same frames give the same bytes on every machine.
 */
#ifndef SINEW_IO_EXPORT_H
#define SINEW_IO_EXPORT_H

#include <sinew_io/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Formats ---- */

/* A format that can be written. */
typedef struct sn_io_export_format {
    const char *name;      /* for sn_io_export_def, such as "usda" */
    const char *extension; /* of its main file, with the point, such as ".pvd" */
    const char *sentence;  /* what is written and who reads it, without a full stop */
} sn_io_export_format;

/* All of them, in the order in which to list them. *count may be null. Docs: docs/export.md. */
SN_API const sn_io_export_format *sn_io_export_formats(size_t *count);

/* The format of this name; null where there is none. */
SN_API const sn_io_export_format *sn_io_export_find_format(const char *name);

/* ---- Writing ---- */

/* What to write, and where. */
typedef struct sn_io_export_def {
    size_t size;        /* set by sn_io_export_def_default */
    const char *format; /* the name of a format; "cache" */
    const char *folder; /* which must be there; "." */
    const char *name;   /* what the names of the files begin with, without a slash; "frames" */
    double fps;         /* frames per second at which other programs play them, 1/s; 60 */
    int most_targets;   /* glb: where there are more frames than this, only every second, third,
                           ... is written, 1 at least; 256 */
    int smooth;         /* how often triangles are divided, as in sinew_io/smooth.h; the cache
                           keeps frames as they are; 0 */
    bool
        liquid_surfaces; /* liquids become the triangles of their surface (sinew_io/liquid.h), other
                             in every frame; the cache keeps particles; false */
} sn_io_export_def;

/* Made by this, so that definitions of older programs stay valid. */
SN_API sn_io_export_def sn_io_export_def_default(void);

/* Frames on their way into files. */
typedef struct sn_io_export sn_io_export;

/*
 * Begins. A folder that is not there or cannot be written to is SN_ERROR_FILE, a format that nobody
 * knows SN_ERROR_NAME. Files of the same names from earlier are replaced when the new ones are
 * complete; the cache replaces its own now.
 */
SN_API sn_result sn_io_export_open(const sn_io_export_def *def, sn_io_export **out);

/* Whether that would succeed, and a file of the format could be written there, for those who begin
   only after long work. Nothing is made or replaced. */
SN_API sn_result sn_io_export_check(const sn_io_export_def *def);

/*
 * Writes a frame. Numbers and times grow from frame to frame. Shapes are told apart by their names;
 * they may come and go, and their elements may change when `topology` does, as far as the format
 * can say that. Values must be finite.
 *
 * A frame that fails, as on a full disk, is not written at all. What was written before it stays,
 * and sn_io_export_close makes files of that.
 */
SN_API sn_result sn_io_export_frame(sn_io_export *e, const sn_io_frame *frame);

/* Completes the files, of however many frames there are; with none, formats of one file make none.
   Nothing can be written after it. Where it fails, the files that are complete stay and nothing is
   left of the others. */
SN_API sn_result sn_io_export_close(sn_io_export *e);

/* Frees it. An export that was not closed is given up: nothing is left of the files that are not
   complete. Null is allowed. */
SN_API void sn_io_export_free(sn_io_export *e);

/* ---- What was written ---- */

/* How many frames there are so far. */
SN_API size_t sn_io_export_frame_count(const sn_io_export *e);

/* The complete files so far, folder and all, in the order in which they were completed; null where
   there are not that many. They are the export's. */
SN_API size_t sn_io_export_file_count(const sn_io_export *e);
SN_API const char *sn_io_export_file(const sn_io_export *e, size_t index);

/* The sizes of those files together, bytes. */
SN_API uint64_t sn_io_export_bytes(const sn_io_export *e);

#ifdef __cplusplus
}
#endif

#endif
