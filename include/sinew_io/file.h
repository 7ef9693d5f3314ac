/*
 * Files that are there as a whole or not at all: everything goes to a file beside the target, which
 * takes its name only when every byte was written. A reader never sees half a file, and a full disk
 * leaves the old one in place. What is no file, such as a device or a pipe, is written to as it is.
 */
#ifndef SINEW_IO_FILE_H
#define SINEW_IO_FILE_H

#include <sinew/support.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A file that is being written. */
typedef struct sn_io_file {
    FILE *stream; /* for what is written */
    sn_output_path path;
} sn_io_file;

/* Whether a file could be written there, for those who will do so only after long work. A pipe is
   not opened, as it would see that. */
SN_API sn_result sn_io_file_check(const char *path);

/* Opens what becomes the file at `path`. */
SN_API sn_result sn_io_file_open(sn_io_file *file, const char *path);

/* Completes the file. On failure nothing of it is left. A writer that meets a failed write closes
   the file at once, so that errno still has the reason. */
SN_API sn_result sn_io_file_close(sn_io_file *file);

/* Gives the file up; nothing of it is left. */
SN_API void sn_io_file_discard(sn_io_file *file);

/* Makes a folder and those above it where they are missing. */
SN_API sn_result sn_io_folder_make(const char *path);

/* Fails where a path leads to something else than a file, such as a device or a pipe, which need
   not have an end. What is not there is left to those who read it. */
SN_API sn_result sn_io_file_expect(const char *what, const char *path);

/* All bytes of a file, with a zero after them that is not counted, to be freed with free(). `what`
   it should be is for the sentence, such as "the scene". Devices and pipes are refused. */
SN_API sn_result sn_io_file_read(const char *what, const char *path, char **data, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
