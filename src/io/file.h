/*
 * Files that are there as a whole or not at all: everything goes to a file beside the target, which
 * takes its name only when every byte was written. A reader never sees half a file, and a full disk
 * leaves the old one in place.
 */
#ifndef SINEW_IO_FILE_H
#define SINEW_IO_FILE_H

#include "error.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sn_io_file {
    FILE *stream;
    char *path, *part; /* the target, and where the bytes go meanwhile */
} sn_io_file;

bool sn_io_file_open(sn_io_file *file, const char *path, sn_io_error *error);

/* Completes the file. On failure nothing of it is left. A writer that meets a failed write closes
   the file at once, so that errno still has the reason. */
bool sn_io_file_close(sn_io_file *file, sn_io_error *error);

/* Gives the file up; nothing of it is left. */
void sn_io_file_discard(sn_io_file *file);

/* Makes a folder and those above it where they are missing. */
bool sn_io_folder_make(const char *path, sn_io_error *error);

#endif
