/*
 * Caches: files of frames (.snc) as sn_io_export writes them with the format "cache".
 *
 * Every frame is in the file as soon as it was written, so that a run that is killed leaves all of
 * its complete frames. Each part has a checksum. Any frame can be read at any time, and while the
 * file grows, opening it once more shows more of it.
 */
#ifndef SINEW_IO_CACHE_H
#define SINEW_IO_CACHE_H

#include <sinew/snapshot.h>
#include <sinew_io/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reading ---- */

/* A cache that is open. It may be used by one thread at a time. */
typedef struct sn_io_cache sn_io_cache;

/* What is in a cache. */
typedef struct sn_io_cache_info {
    size_t frame_count; /* that can be read */
    double fps;         /* frames per second at which they are to be played, 1/s */
    bool complete;      /* whether the run that wrote it came to its end */
    uint64_t lost;      /* bytes at the end that are no complete frame */
} sn_io_cache_info;

/*
 * Opens a cache and finds its frames. A file that was cut off, or is damaged at its end, opens with
 * the frames before that; the info says so. One that is no cache, or is damaged with frames
 * after the place, is refused (SN_ERROR_DATA) with a sentence that names the place.
 */
SN_API sn_result sn_io_cache_open(const char *path, sn_io_cache **out);

/* What is in it. */
SN_API sn_io_cache_info sn_io_cache_get_info(const sn_io_cache *cache);

/*
 * Reads the frame with this index, from 0; the number that it had when it was written is in it. The
 * arrays are the cache's and stay until the next call on it. A damaged frame is SN_ERROR_DATA, and
 * the others can still be read.
 */
SN_API sn_result sn_io_cache_frame(sn_io_cache *cache, size_t index, sn_io_frame *frame);

/* Closes it. Null is allowed. */
SN_API void sn_io_cache_close(sn_io_cache *cache);

/* ---- Comparing ---- */

/*
 * Finds the first frame, shape, vertex and value in which two caches differ, bit for bit, such as
 * `frame 12, shape "flag", vertex 42: y of the position is 1.5 against 1.25`. Frames are compared
 * in their order. A file that cannot be read is SN_ERROR_FILE or SN_ERROR_DATA.
 */
SN_API sn_result sn_io_cache_compare(const char *path_a, const char *path_b,
                                     sn_difference *difference);

#ifdef __cplusplus
}
#endif

#endif
