#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE
#endif
#include "base/memory.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { ALIGNMENT = 64, MAX_COLUMNS = 32 };

/*
 * Constraints and contacts go to nodes and bodies all over large blocks, and with pages of 4 KiB a
 * tenth of the time of a large scene is looking up where these are. Linux has pages of 2 MiB for
 * who asks for them; the tail of a block, and where there are none, has small ones.
 */
#ifdef MADV_HUGEPAGE
static const size_t HUGE_PAGE = (size_t)1 << 21;

static size_t alignment_of(size_t size) {
    return size < HUGE_PAGE ? ALIGNMENT : HUGE_PAGE;
}

static void ask_for_huge_pages(void *block, size_t size) {
    if (size >= HUGE_PAGE) (void)madvise(block, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
}
#else
static size_t alignment_of(size_t size) {
    (void)size;
    return ALIGNMENT;
}

static void ask_for_huge_pages(void *block, size_t size) {
    (void)block, (void)size;
}
#endif

static void *default_reallocate(void *user, void *pointer, size_t old_size, size_t new_size) {
    (void)user;
    void *fresh = NULL;
    if (new_size > 0) {
        const size_t alignment = alignment_of(new_size);
        const size_t rounded = (new_size + alignment - 1) / alignment * alignment;
        if (rounded < new_size) return NULL;
#ifdef _WIN32
        fresh = _aligned_malloc(rounded, alignment);
#else
        fresh = aligned_alloc(alignment, rounded);
#endif
        if (!fresh) return NULL;
        ask_for_huge_pages(fresh, new_size);
        if (old_size > 0) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
    }
#ifdef _WIN32
    _aligned_free(pointer);
#else
    free(pointer);
#endif
    return fresh;
}

sn_allocator sn_allocator_default(void) {
    return (sn_allocator){default_reallocate, NULL};
}

/* Blocks of no bytes have one, so that null is always a refusal. */
static size_t block_size(size_t count, size_t element) {
    const size_t bytes = count * element;
    return bytes ? bytes : 1;
}

/* A block whose bytes are anything, or null with the error set. */
static void *take(sn_memory *memory, size_t count, size_t element) {
    const size_t bytes = block_size(count, element);
    void *block = NULL;
    if (count == 0 || element == 0 || bytes / count == element)
        block = memory->allocator.reallocate(memory->allocator.user, NULL, 0, bytes);
    if (!block) {
        sn_fail(SN_ERROR_MEMORY, "out of memory: the allocator refused %zu elements of %zu bytes",
                count, element);
        return NULL;
    }
    memory->held += bytes;
    return block;
}

void *sn_allocate(sn_memory *memory, size_t count, size_t element) {
    void *block = take(memory, count, element);
    if (block) memset(block, 0, block_size(count, element));
    return block;
}

void sn_free(sn_memory *memory, void *pointer, size_t count, size_t element) {
    if (!pointer) return;
    const size_t bytes = block_size(count, element);
    memory->allocator.reallocate(memory->allocator.user, pointer, bytes, 0);
    memory->held -= bytes;
}

/* Half as much again, so that adding one by one copies each element a few times at most. */
static size_t grown_capacity(size_t capacity, size_t needed) {
    const size_t grown = capacity + capacity / 2 + 16;
    return grown < needed ? needed : grown;
}

size_t sn_columns_grow(sn_memory *memory, const sn_column *columns, size_t count, size_t front,
                       size_t old_capacity, size_t needed) {
    void *fresh[MAX_COLUMNS];
    const size_t capacity = grown_capacity(old_capacity, needed);
    for (size_t i = 0; i < count; i++) {
        fresh[i] = take(memory, front + capacity, columns[i].element);
        if (fresh[i]) continue;
        while (i-- > 0) sn_free(memory, fresh[i], front + capacity, columns[i].element);
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t element = columns[i].element, offset = front * element;
        unsigned char *old = *columns[i].array;
        const size_t used = old ? (front + old_capacity) * element : 0;
        if (old) {
            memcpy(fresh[i], old - offset, used);
            sn_free(memory, old - offset, front + old_capacity, element);
        }
        memset((unsigned char *)fresh[i] + used, 0, (front + capacity) * element - used);
        *columns[i].array = (unsigned char *)fresh[i] + offset;
    }
    return capacity;
}

void sn_columns_free(sn_memory *memory, const sn_column *columns, size_t count, size_t front,
                     size_t capacity) {
    for (size_t i = 0; i < count; i++) {
        unsigned char *array = *columns[i].array;
        if (!array) continue;
        sn_free(memory, array - front * columns[i].element, front + capacity, columns[i].element);
        *columns[i].array = NULL;
    }
}

bool sn_reserve(sn_memory *memory, void **array, size_t *capacity, size_t needed, size_t element) {
    if (needed <= *capacity) return true;
    sn_column column = {array, element};
    size_t grown = sn_columns_grow(memory, &column, 1, 0, *capacity, needed);
    if (grown > 0) *capacity = grown;
    return grown > 0;
}

bool sn_renew(sn_memory *memory, void **array, size_t *capacity, size_t needed, size_t element) {
    if (needed <= *capacity) return true;
    const size_t grown = grown_capacity(*capacity, needed);
    void *fresh = take(memory, grown, element);
    if (!fresh) return false;
    sn_free(memory, *array, *capacity, element);
    *array = fresh;
    *capacity = grown;
    return true;
}
