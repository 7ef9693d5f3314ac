/*
 * Surfaces of liquids: frames whose particles of liquids become the triangles of their surface, for
 * pictures and for files that other programs show.
 *
 *     sn_io_liquid *liquid;
 *     sn_io_liquid_create(&liquid);
 *     while (...) {
 *         sn_io_frame wet;
 *         sn_io_liquid_frame(liquid, &frame, &wet);
 *         sn_io_export_frame(export, &wet);
 *     }
 *     sn_io_liquid_destroy(liquid);
 *
 * After Yu and Turk 2013: every particle has a kernel that is as flat or long as its neighbours
 * lie, at their mean, and the surface is where the sum of all kernels is a constant. The clamped
 * eigenvalues of the paper are a part of the mean variance here that is added to each, which needs
 * no decomposition. The sum is kept in blocks of a grid that are made where there is liquid, and
 * the surface is found by marching through six tets of each cell, so that it is closed.
 */
#ifndef SINEW_IO_LIQUID_H
#define SINEW_IO_LIQUID_H

#include <sinew_io/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps the surfaces of the last frame. It may be used by one thread at a time. */
typedef struct sn_io_liquid sn_io_liquid;

/* Makes one. SN_ERROR_MEMORY. */
SN_API sn_result sn_io_liquid_create(sn_io_liquid **out);

/* Frees it, and with it the frames that it made. Null is allowed. */
SN_API void sn_io_liquid_destroy(sn_io_liquid *liquid);

/*
 * Makes a frame of a frame, in which shapes whose look says `liquid`, and that are particles with
 * radii, have the triangles and normals of their surface instead. Edges are about as long as a
 * particle is wide. The arrays are those of this object, or of the frame for all other shapes, and
 * stay until the next call. Particles that are not finite, or some ten million particles
 * away from the first, are left out.
 *
 * SN_ERROR_NULL; SN_ERROR_LIMIT where numbers of vertices would not fit into 32 bits;
 * SN_ERROR_MEMORY.
 */
SN_API sn_result sn_io_liquid_frame(sn_io_liquid *liquid, const sn_io_frame *frame,
                                    sn_io_frame *wet);

#ifdef __cplusplus
}
#endif

#endif
