/* What the files of an animation should hold, for programs that are not in C. */
#ifndef SINEW_TESTS_IO_EXPORT_EXPECTED_H
#define SINEW_TESTS_IO_EXPORT_EXPECTED_H

#include <sinew_io/frame.h>

#include <stdio.h>

/* Writes expected.json into the folder: all frames with all values, as nested lists. */
void write_expected(const char *folder, bool changing);

/* The same of other frames, one after the other. */
FILE *expected_begin(const char *folder, int fps);
void expected_frame(FILE *file, bool first, const sn_io_frame *frame);
void expected_end(FILE *file);

#endif
