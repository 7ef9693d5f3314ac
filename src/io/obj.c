#include "obj.h"

#include "base/error.h"
#include "file.h"

#include <float.h>
#include <inttypes.h>

#ifdef SN_DOUBLE
enum { DIGITS = DBL_DECIMAL_DIG };
#else
enum { DIGITS = FLT_DECIMAL_DIG };
#endif

static bool write_mesh(FILE *stream, const sn_io_mesh *mesh) {
    for (size_t i = 0; i < mesh->node_count; i++) {
        sn_vec3 x = mesh->positions[i];
        if (fprintf(stream, "v %.*g %.*g %.*g\n", DIGITS, (double)x.x, DIGITS, (double)x.y, DIGITS,
                    (double)x.z) < 0)
            return false;
    }
    /* OBJ counts from 1. */
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles[i];
        if (fprintf(stream, "f %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", t[0] + 1, t[1] + 1,
                    t[2] + 1) < 0)
            return false;
    }
    return true;
}

sn_result sn_io_obj_write(const char *path, const sn_io_mesh *mesh) {
    sn_io_file file;
    SN_TRY(sn_io_file_open(&file, path));
    /* Closing reports a write that failed. */
    (void)write_mesh(file.stream, mesh);
    return sn_io_file_close(&file);
}
