#include "state/contact_list.h"

#include <string.h>

size_t sn_contact_list_seek(const sn_contact_list *list, const sn_contact *key) {
    size_t low = 0;
    for (size_t count = list->count; count > 0;) {
        size_t half = count / 2;
        if (sn_contact_compare(&list->contact[low + half], key) < 0) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

size_t sn_contact_list_begin(const sn_contact_list *list, int kind) {
    return sn_contact_list_seek(list, &(sn_contact){.kind = (sn_contact_kind)kind});
}

bool sn_contact_list_reserve(sn_contact_list *list, sn_memory *memory, size_t contacts,
                             size_t between) {
    return sn_renew(memory, (void **)&list->fresh, &list->fresh_capacity, contacts,
                    sizeof *list->fresh) &&
           sn_renew(memory, (void **)&list->fresh_stuck, &list->fresh_stuck_capacity, between,
                    sizeof *list->fresh_stuck);
}

void sn_contact_list_swap(sn_contact_list *list, size_t count) {
    sn_contact_list old = *list;
    list->contact = old.fresh;
    list->capacity = old.fresh_capacity;
    list->stuck = old.fresh_stuck;
    list->stuck_capacity = old.fresh_stuck_capacity;
    list->fresh = old.contact;
    list->fresh_capacity = old.capacity;
    list->fresh_stuck = old.stuck;
    list->fresh_stuck_capacity = old.stuck_capacity;
    list->count = count;
    list->placed = false;
}

bool sn_contact_list_insert(sn_contact_list *list, sn_memory *memory, size_t at, size_t count) {
    if (!sn_reserve(memory, (void **)&list->contact, &list->capacity, list->count + count,
                    sizeof *list->contact))
        return false;
    if (count == 0) return true;
    sn_contact *first = list->contact + at;
    memmove(first + count, first, (list->count - at) * sizeof *first);
    memset(first, 0, count * sizeof *first);
    list->count += count;
    return true;
}

void sn_contact_list_free(sn_contact_list *list, sn_memory *memory) {
    sn_free(memory, list->contact, list->capacity, sizeof *list->contact);
    sn_free(memory, list->stuck, list->stuck_capacity, sizeof *list->stuck);
    sn_free(memory, list->own, list->own_capacity, sizeof *list->own);
    sn_free(memory, list->fresh, list->fresh_capacity, sizeof *list->fresh);
    sn_free(memory, list->fresh_stuck, list->fresh_stuck_capacity, sizeof *list->fresh_stuck);
    *list = (sn_contact_list){0};
}
