/* Hashes of all files of the animation, steady and changing; `export --hashes` prints them. */
#ifndef SINEW_TESTS_IO_EXPORT_HASHES_H
#define SINEW_TESTS_IO_EXPORT_HASHES_H

#define EXPORT_HASHES(ROW) ROW("usda", 0, 0)

#define EXPORT_HASH_ROW(format, steady, changing) {format, {steady, changing}},

#endif
