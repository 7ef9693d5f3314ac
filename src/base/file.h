/* Files as a whole. */
#ifndef SN_BASE_FILE_H
#define SN_BASE_FILE_H

#include <sinew/base.h>

/* All bytes of a file, to be freed by the caller; `what` it should be is for the sentence. */
sn_result sn_file_read(const char *what, const char *path, unsigned char **data, size_t *size);

#endif
