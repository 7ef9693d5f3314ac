/*
 * Memory of a world: everything comes from its allocator and is counted.
 *
 * Growing may fail and then changes nothing; it is done while planning, never while executing.
 */
#ifndef SN_BASE_MEMORY_H
#define SN_BASE_MEMORY_H

#include <sinew/base.h>

typedef struct sn_memory {
    sn_allocator allocator;
    size_t held; /* bytes */
} sn_memory;

/* A zeroed block, or null with the error set. */
void *sn_allocate(sn_memory *memory, size_t count, size_t element);
void sn_free(sn_memory *memory, void *pointer, size_t count, size_t element);

/* One of several arrays that grow together. */
typedef struct sn_column {
    void **array;
    size_t element; /* bytes */
} sn_column;

/*
 * Grows all columns from `old_capacity` to at least `needed` elements, all of them or none. `front`
 * elements before index 0 belong to each array as well. New elements are zero. Returns the new
 * capacity, or 0 when there is no memory.
 */
size_t sn_columns_grow(sn_memory *memory, const sn_column *columns, size_t count, size_t front,
                       size_t old_capacity, size_t needed);
void sn_columns_free(sn_memory *memory, const sn_column *columns, size_t count, size_t front,
                     size_t capacity);

/* Grows one array; false when there is no memory. */
bool sn_reserve(sn_memory *memory, void **array, size_t *capacity, size_t needed, size_t element);

/*
 * Room in an array that is written anew before it is read: nothing of what was in it is left when
 * it grows, and nothing is set to zero. A large one costs the pages of it that are used, and it is
 * the threads that use them that get them from the system. False when there is no memory.
 */
bool sn_renew(sn_memory *memory, void **array, size_t *capacity, size_t needed, size_t element);

#endif
