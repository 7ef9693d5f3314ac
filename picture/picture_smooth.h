/* How finely the surfaces of a frame are divided for a picture. */
#ifndef SN_PICTURE_PICTURE_SMOOTH_H
#define SN_PICTURE_PICTURE_SMOOTH_H

#include "picture/picture_project.h"

#include <sinew_io/smooth.h>
#include <sinew_picture/picture.h>

/* Makes the frame that is drawn, whose arrays are the smoother's; `levels` gets how often each
   shape was divided. */
sn_result sn_smooth_for_picture(sn_io_smoother *smoother, const sn_io_frame *frame,
                                const sn_picture_view *view, const projector *camera, int *levels,
                                sn_io_frame *smooth);

#endif
