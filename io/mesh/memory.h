/* Arrays of meshes, as the library frees them: by their sizes, through the allocator of a mesh. */
#ifndef SN_IO_MESH_MEMORY_H
#define SN_IO_MESH_MEMORY_H

#include <sinew/base.h>

/* A zeroed block, or null with the error set. One of no elements has a byte. */
void *sn_io_allocate(const sn_allocator *allocator, size_t count, size_t element);
void sn_io_free(const sn_allocator *allocator, void *pointer, size_t count, size_t element);

/* Grows an array, with zeros; false, and nothing has changed, when there is no memory. */
bool sn_io_reserve(const sn_allocator *allocator, void **array, size_t *capacity, size_t needed,
                   size_t element);

#endif
