/* Files as a whole. */
#ifndef SN_BASE_FILE_H
#define SN_BASE_FILE_H

#include "base/memory.h"

/* What a file has in it. */
typedef struct sn_file {
    unsigned char *data;
    size_t size, capacity; /* bytes */
} sn_file;

/* Reads all bytes of a file, to be freed by the caller; `what` it should be is for the sentence.
   Devices and pipes are refused. On failure there is nothing to free. */
sn_result sn_file_read(sn_file *file, sn_memory *memory, const char *what, const char *path);
void sn_file_free(sn_file *file, sn_memory *memory);

#endif
