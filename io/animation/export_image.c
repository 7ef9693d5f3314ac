#include "io/animation/export_image.h"

#include "io/mesh/image.h"

#include <stdlib.h>
#include <string.h>

sn_result sn_io_export_image_file(sn_io_export *e, const sn_io_export_image *image) {
    sn_io_file file;
    size_t size = strlen(image->material) + 8;
    char *ending = malloc(size);
    if (!ending) return sn_io_export_no_memory();
    snprintf(ending, size, "_%s.%s", image->material, sn_io_image_word(image->bytes, image->size));
    sn_result result = sn_io_export_begin(e, ending, &file);
    free(ending);
    SN_TRY(result);
    (void)fwrite(image->bytes, 1, image->size, file.stream);
    return sn_io_export_end(e, &file, NULL);
}

void sn_io_export_image_name(sn_io_out *out, const sn_io_export *e, const char *material,
                             const char *word) {
    sn_io_out_text(out, e->name);
    sn_io_out_text(out, "_");
    sn_io_out_text(out, material);
    sn_io_out_text(out, ".");
    sn_io_out_text(out, word);
}
