/*
 * Frames for formats that have transforms: the vertices of a rigid body are those of its own frame,
 * where they stay, and its pose moves them.
 *
 * They are taken from the first frame in which a body is, so that they are the same numbers in all
 * of them; of two quaternions for the same turn the nearer to that of the frame before is taken, so
 * that programs go the shorter way between them.
 */
#ifndef SN_IO_ANIMATION_EXPORT_POSES_H
#define SN_IO_ANIMATION_EXPORT_POSES_H

#include <sinew/support.h>
#include <sinew_io/frame.h>

typedef struct sn_io_poses sn_io_poses;

sn_result sn_io_poses_create(sn_io_poses **poses);
void sn_io_poses_destroy(sn_io_poses *poses); /* null is allowed */

/* The frame with the vertices of rigid bodies in their own frames, valid until the next call. A
   shape that had no pose when it first came has none. */
sn_result sn_io_poses_frame(sn_io_poses *poses, const sn_io_frame *frame, sn_io_frame *own);

#endif
