/* Folders of files that a test writes and looks into. */
#ifndef SINEW_TESTS_IO_FILES_H
#define SINEW_TESTS_IO_FILES_H

#include <sinew/base.h>

enum { MOST_FILES = 256, FILE_NAME = 128 };

/* The names in a folder, in their order; "." and ".." are left out. */
typedef struct file_list {
    char names[MOST_FILES][FILE_NAME];
    size_t count;
} file_list;

/* Makes a folder, without anything in it. */
void folder_clear(const char *folder);
void folder_list(const char *folder, file_list *list);

/* Whether there is a file of this name, and whether any is unfinished. */
bool folder_has(const char *folder, const char *name);
bool folder_has_parts(const char *folder);

/* A hash of names and bytes of everything in the folder. */
uint64_t folder_hash(const char *folder);

#endif
