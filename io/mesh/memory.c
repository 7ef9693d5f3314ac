#include "io/mesh/memory.h"

#include <sinew/support.h>

static size_t bytes_of(size_t count, size_t element) {
    return count > 0 ? count * element : 1;
}

void *sn_io_allocate(const sn_allocator *allocator, size_t count, size_t element) {
    void *block = NULL;
    if (count <= SIZE_MAX / element)
        block = allocator->reallocate(allocator->user, NULL, 0, bytes_of(count, element));
    if (!block) {
        sn_fail(SN_ERROR_MEMORY, "out of memory: the allocator refused %zu elements of %zu bytes",
                count, element);
        return NULL;
    }
    return memset(block, 0, bytes_of(count, element));
}

void sn_io_free(const sn_allocator *allocator, void *pointer, size_t count, size_t element) {
    if (pointer) allocator->reallocate(allocator->user, pointer, bytes_of(count, element), 0);
}

bool sn_io_reserve(const sn_allocator *allocator, void **array, size_t *capacity, size_t needed,
                   size_t element) {
    if (needed <= *capacity) return true;
    size_t grown = *capacity + *capacity / 2 + 16;
    if (grown < needed) grown = needed;
    void *fresh = sn_io_allocate(allocator, grown, element);
    if (!fresh) return false;
    if (*array) memcpy(fresh, *array, *capacity * element);
    sn_io_free(allocator, *array, *capacity, element);
    *array = fresh;
    *capacity = grown;
    return true;
}
