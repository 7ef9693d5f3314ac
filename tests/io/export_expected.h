/* What the files of an animation should hold, for programs that are not in C. */
#ifndef SINEW_TESTS_IO_EXPORT_EXPECTED_H
#define SINEW_TESTS_IO_EXPORT_EXPECTED_H

#include <sinew/base.h>

/* Writes expected.json into the folder: all frames with all values, as nested lists. */
void write_expected(const char *folder, bool changing);

#endif
