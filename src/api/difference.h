/* Where two archives differ. */
#ifndef SN_API_DIFFERENCE_H
#define SN_API_DIFFERENCE_H

#include "base/archive.h"
#include "base/error.h"

#include <sinew/snapshot.h>

/* Notes a difference, with its sentence. */
void sn_differ(sn_difference *difference, const char *format, ...) SN_PRINTF(2, 3);

/* Compares the present sections of two archives, column by column. */
void sn_compare_sections(sn_archive *a, sn_archive *b, sn_difference *difference);

#endif
