/*
 * Videos of images: the program ffmpeg, which has to be installed, is started and fed.
 *
 *     sn_picture_video *video;
 *     sn_result opened = sn_picture_video_open("swing.mp4", 1280, 720, 30, &video);
 *     if (opened != SN_OK) puts(sn_last_error());
 *     for (...) sn_picture_video_frame(video, &image);
 *     sn_picture_video_close(video);
 *
 * Nothing has the name of the video before it is complete. There are no videos in WebAssembly,
 * where no other program can be started.
 */
#ifndef SINEW_PICTURE_VIDEO_H
#define SINEW_PICTURE_VIDEO_H

#include <sinew_picture/picture.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A video that is being made. It may be used by one thread at a time. */
typedef struct sn_picture_video sn_picture_video;

/*
 * Begins a video for images of this size at `fps` frames per second (1/s), 0.01 to 1000. The ending
 * of the path says the format: .mp4 (H.264, which plays everywhere), .webm (VP9) or .gif. Sizes
 * that are odd become even in the first two, by a black row or column. On failure *video is null:
 * SN_ERROR_VALUE, SN_ERROR_FILE where ffmpeg cannot be started, SN_ERROR_MEMORY.
 */
SN_API sn_result sn_picture_video_open(const char *path, int width, int height, double fps,
                                       sn_picture_video **video);

/* Adds an image, which must have the size of the video. SN_ERROR_FILE where ffmpeg has failed, with
   what it said; then only discarding is left. */
SN_API sn_result sn_picture_video_frame(sn_picture_video *video, const sn_picture_image *image);

/* Completes the file and frees the video, also on failure; then there is no file. */
SN_API sn_result sn_picture_video_close(sn_picture_video *video);

/* Gives the video up: ffmpeg is ended, no file is left. Null is allowed. */
SN_API void sn_picture_video_discard(sn_picture_video *video);

#ifdef __cplusplus
}
#endif

#endif
