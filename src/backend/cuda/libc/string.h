/* What headers of the library want of a C library, for a device that has none. Nothing is defined:
   what a kernel calls must be in it. */
#ifndef SN_BACKEND_CUDA_LIBC_STRING_H
#define SN_BACKEND_CUDA_LIBC_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
size_t strlen(const char *text);

#endif
