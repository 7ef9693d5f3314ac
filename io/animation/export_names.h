/* Names that other programs take, from those of shapes. */
#ifndef SN_IO_ANIMATION_EXPORT_NAMES_H
#define SN_IO_ANIMATION_EXPORT_NAMES_H

#include <sinew/base.h>

/*
 * A name of letters, digits and '_' that does not begin with a digit, from any text: every other
 * byte becomes a '_'. To be freed; null without memory.
 */
char *sn_io_plain_name(const char *text);

/* Such a name that differs, also in more than the size of letters, from all `taken` ones, of which
   some may be null: where needed with "_2", "_3", ... at its end. */
char *sn_io_unique_name(const char *text, const char *const *taken, size_t count);

#endif
