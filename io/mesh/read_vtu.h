/* A VTU file while it is read, for the two files that do it. */
#ifndef SN_IO_MESH_READ_VTU_H
#define SN_IO_MESH_READ_VTU_H

#include "io/mesh/read.h"
#include "io/mesh/read_scalar.h"

/* Where the numbers of an array are. */
typedef enum vtu_format { VTU_TEXT, VTU_BASE64, VTU_RAW } vtu_format;

typedef struct vtu_array {
    const char *place; /* of its tag; null where the piece has no such array */
    sn_scalar type;
    vtu_format format;
    bool is_appended;
    const char *begin, *end; /* the text, where it is not appended */
    uint64_t offset;         /* into what is appended */
} vtu_array;

typedef struct vtu_file {
    const sn_source *source;
    sn_text text;
    sn_io_build *build;
    bool is_big, has_long_heads; /* numbers of bytes are of 8 bytes, not 4 */
    bool is_compressed;
    char compressor[40];
    const char *appended;     /* behind the underscore; null where there is none */
    uint64_t used;            /* bytes of it that arrays have taken */
    sn_io_build_list weights; /* vtu_weights: arrays of points that may be groups */
} vtu_file;

typedef struct vtu_weights {
    size_t piece;
    const char *name; /* in the file */
    size_t length;
    vtu_array array;
} vtu_weights;

/* All numbers of an array, of which there must be at least `count`, into `list`, of double or of
   int64_t. `what` they are is for the sentence. */
sn_result sn_vtu_reals(vtu_file *vtu, const vtu_array *array, uint64_t count, const char *what,
                       sn_io_build_list *list);
sn_result sn_vtu_integers(vtu_file *vtu, const vtu_array *array, uint64_t count, const char *what,
                          sn_io_build_list *list);

#endif
