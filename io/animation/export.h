/*
 * What the formats of sn_io_export are made of. A format is one file, export_<name>.c, and one
 * entry in the list below. The frames that it is given were checked.
 */
#ifndef SN_IO_ANIMATION_EXPORT_H
#define SN_IO_ANIMATION_EXPORT_H

#include <sinew/support.h>
#include <sinew_io/file.h>

#include <sinew_io/export.h>

/* Name, extension and sentence of every format. */
#define SN_IO_EXPORT_FORMATS(FORMAT)                                                               \
    FORMAT(usda, ".usda", "one OpenUSD scene with everything, for Blender, Houdini and usdview")   \
    FORMAT(glb, ".glb", "one glTF file with morph targets, for the web, Blender and game engines") \
    FORMAT(vtu, ".pvd", "a VTK file per frame and a list of them, for ParaView; with tetrahedra")  \
    FORMAT(pc2, ".pc2", "a point cache per body beside its OBJ, for Blender's Mesh Cache")         \
    FORMAT(mdd, ".mdd", "a point cache per body beside its OBJ, with times, for Maya and others")  \
    FORMAT(obj, ".obj", "a Wavefront OBJ file per frame, for everything")                          \
    FORMAT(ply, ".ply", "a binary PLY file per frame, with velocities and strain")                 \
    FORMAT(cache, ".snc", "Sinew's own cache, which a killed run leaves readable")

/* What a format does. Null means that there is nothing to do. */
typedef struct sn_io_exporter {
    sn_result (*open)(sn_io_export *e);
    /* Writes a frame, or fails and leaves everything as it was. */
    sn_result (*frame)(sn_io_export *e, const sn_io_frame *frame);
    sn_result (*close)(sn_io_export *e);
    /* Frees e->state, and what is left of files that are not complete. */
    void (*free)(sn_io_export *e);
    /* Whether it has transforms: frames then have the vertices of rigid bodies in their own frames
       (export_poses.h). */
    bool transforms;
    /* Whether one file, called as the export is, is or lists all frames. */
    bool single;
} sn_io_exporter;

#define SN_IO_DECLARE_EXPORTER(name, extension, sentence)                                          \
    extern const sn_io_exporter sn_io_exporter_##name;
SN_IO_EXPORT_FORMATS(SN_IO_DECLARE_EXPORTER)
#undef SN_IO_DECLARE_EXPORTER

/* A complete file. */
typedef struct sn_io_written {
    char *path;
    uint64_t bytes;
} sn_io_written;

struct sn_io_export {
    const sn_io_exporter *kind;
    char *folder, *name;
    double fps;
    int most_targets;
    int smooth;                      /* level, 0 for frames as they are */
    struct sn_io_smoother *smoother; /* null without */
    struct sn_io_liquid *liquid;     /* null where particles stay particles */
    struct sn_io_poses *poses;       /* null where the format has no transforms */
    char *still; /* the path of the one file, of what does not move; null for frames */
    bool closed;
    size_t frames;   /* written so far */
    int last_number; /* of the last of them */
    double last_time, first_time;
    void *state; /* of the format */
    sn_io_written *files;
    size_t file_count, file_capacity;
};

/* Opens one for a single frame, whose file is `path`; what lies beside it is named alike. */
sn_result sn_io_export_open_still(const char *path, const char *format, sn_io_export **out);

/* ---- For the formats ---- */

/* Folder, name and this ending as a path, to be freed; null without memory, with the sentence. */
char *sn_io_export_path(const sn_io_export *e, const char *ending);

/* Opens a file whose name ends so, and completes it; then it is one of those that were written. A
   file that is written more than once has a slot, SIZE_MAX at first; null for the others. Failing
   leaves nothing of the new file. */
sn_result sn_io_export_begin(sn_io_export *e, const char *ending, sn_io_file *file);
sn_result sn_io_export_end(sn_io_export *e, sn_io_file *file, size_t *slot);

/* Adds a file to those that were written, for which the path is given away; room for it comes
   first, and can fail. */
sn_result sn_io_export_reserve(sn_io_export *e);
void sn_io_export_note(sn_io_export *e, char *path, uint64_t bytes);

/* Removes the file that was written last. */
void sn_io_export_take_back(sn_io_export *e);

/* Fails for want of memory. */
sn_result sn_io_export_no_memory(void);

/* The array, or a longer copy of it, with room for one more item of this size after `count`; null
   without memory, when the old one is still there. */
void *sn_io_export_grow(void *items, size_t *capacity, size_t count, size_t size);

/* A frame that can be written: complete, finite, with indices of vertices and names that differ. */
sn_result sn_io_frame_check(const sn_io_frame *frame);

#endif
