/*
 * Smooth surfaces: frames whose triangles are divided and whose vertices are moved onto a smooth
 * surface, for pictures and for files that other programs show.
 *
 *     sn_io_smoother *smoother;
 *     sn_io_smoother_create(&smoother);
 *     while (...) {
 *         sn_io_frame fine;
 *         sn_io_smoother_frame(smoother, &frame, 2, NULL, &fine);
 *         sn_io_export_frame(export, &fine);
 *     }
 *     sn_io_smoother_destroy(smoother);
 *
 * Triangles are divided into four by the rules of Loop 1987, with the weights of Warren 1995 at
 * vertices that do not have six neighbours. Borders and hard edges become cubic B-splines of their
 * own, whatever is beside them (Hoppe et al. 1994); so do chains of lines. Which vertex follows
 * from which is found once for each topology, so that the frames after the first one are weighted
 * sums alone.
 */
#ifndef SINEW_IO_SMOOTH_H
#define SINEW_IO_SMOOTH_H

#include <sinew_io/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How often triangles can be divided into four. */
#define SN_IO_SMOOTH_MOST 3

/* Keeps what it found for the topologies of the last frame. It may be used by one thread at a
   time. */
typedef struct sn_io_smoother sn_io_smoother;

/* Makes one. SN_ERROR_MEMORY. */
SN_API sn_result sn_io_smoother_create(sn_io_smoother **out);

/* Frees it, and with it the frames that it made. Null is allowed. */
SN_API void sn_io_smoother_destroy(sn_io_smoother *smoother);

/*
 * Makes a smooth frame of a frame, with triangles and lines divided `level` times, 0 to
 * SN_IO_SMOOTH_MOST; where `levels` is not null, it has the level of each shape instead. The arrays
 * are the smoother's, or those of the frame for shapes of level 0, and stay until the next call.
 *
 * The first vertices are those of the shape in their order, moved; those on edges follow. Values of
 * vertices are smoothed with the same weights, normals without being made long again. Triangle i
 * becomes the triangles 4 i to 4 i + 3. A shape that is smoothed has no tets any more, whose faces
 * would not be those of the surface.
 *
 * Hard edges are those of `creases`, or where the shape does not say, those whose faces turn by
 * more than 40 degrees in the first frame of its topology. A border has a corner at a vertex with a
 * single triangle, and where it turns by more than 45 degrees: on the material (`uvs`), or for
 * shapes that have neither these nor say their hard edges, in that frame.
 *
 * SN_ERROR_VALUE for other levels and for elements that name vertices that are not there;
 * SN_ERROR_LIMIT where numbers of vertices would not fit into 32 bits; SN_ERROR_MEMORY.
 */
SN_API sn_result sn_io_smoother_frame(sn_io_smoother *smoother, const sn_io_frame *frame, int level,
                                      const int *levels, sn_io_frame *smooth);

#ifdef __cplusplus
}
#endif

#endif
