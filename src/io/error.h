/* Why a file could not be written, as a sentence that names it. */
#ifndef SINEW_IO_ERROR_H
#define SINEW_IO_ERROR_H

/* Filled by a call that returns false, and left alone by one that returns true. */
typedef struct sn_io_error {
    char sentence[512];
} sn_io_error;

#endif
