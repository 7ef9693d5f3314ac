/* Cloth that is drawn with a thickness: a surface on either side of its own, and its border. */
#ifndef SN_PICTURE_PICTURE_THICK_H
#define SN_PICTURE_PICTURE_THICK_H

#include <sinew_picture/picture.h>

typedef struct thick_frame {
    size_t shape_count;
    sn_io_shape *shapes; /* null where none has a thickness */
    void **blocks;       /* one for each shape that has one */
} thick_frame;

/* Changes the shapes of a frame that have a thickness, and their levels to 0, since their triangles
   are no longer those of a division. What it made is to be freed, also when it fails. */
sn_result sn_thick_make(thick_frame *thick, sn_io_frame *frame, int *levels);
void sn_thick_free(thick_frame *thick);

#endif
