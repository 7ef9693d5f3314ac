#include "base/renew.h"

#include "base/error.h"

bool sn_renew(sn_memory *memory, void **array, size_t *capacity, size_t needed, size_t element) {
    if (needed <= *capacity) return true;
    size_t grown = *capacity + *capacity / 2 + 16;
    if (grown < needed) grown = needed;
    const size_t bytes = grown * element;
    void *fresh = NULL;
    if (bytes / element == grown)
        fresh = memory->allocator.reallocate(memory->allocator.user, NULL, 0, bytes);
    if (!fresh) {
        sn_fail(SN_ERROR_MEMORY, "out of memory: the allocator refused %zu elements of %zu bytes",
                grown, element);
        return false;
    }
    memory->held += bytes;
    sn_free(memory, *array, *capacity, element);
    *array = fresh;
    *capacity = grown;
    return true;
}
