/* A world to and from an archive. */
#ifndef SN_STATE_SERIALIZE_H
#define SN_STATE_SERIALIZE_H

#include "base/archive.h"
#include "state/object.h"
#include "state/world.h"

/*
 * Writes everything that the next step depends on, or reads it into a world that has its types and
 * nothing else. What is read is checked as if a stranger had written it. Force fields, and what is
 * only scratch, are not part of it.
 */
void sn_world_serialize(sn_world *world, sn_archive *a);

/*
 * Shows every array of the state, in the order and with the names of snapshots, so that it can be
 * hashed, moved or compared by who does not know what it is. What is written to one must fit the
 * rest, and sn_world_drop_scratch is told.
 */
void sn_world_visit_arrays(sn_world *world, sn_visit_array *visit, void *context);

/* Ids, of which there may be `most`. */
void sn_serialize_slots(sn_archive *a, sn_slots *slots, sn_memory *memory, size_t most);

/* The slots of things that are kept one by one, in a section of their own, with room for what they
   have; worlds without any write none. False where there are none. */
bool sn_serialize_kept(sn_world *world, sn_archive *a, const char *section, sn_slots *slots,
                       void **state, size_t *capacity, size_t element);

/* A list of what waits for the next step, at most one element for each of `most` objects, in a
   section of its own; worlds without any write none. Where reading has failed it is empty. */
typedef struct sn_waiting_member {
    const char *name; /* of its column; the count is that of the first */
    sn_archive_kind kind;
    size_t offset; /* bytes, in the element */
} sn_waiting_member;
typedef struct sn_waiting_list {
    const char *section;
    void **array;
    size_t *count, *capacity, element; /* element: bytes */
    size_t most;
    const sn_waiting_member *member;
    size_t members;
    /* Of elements that were read; fails the archive. */
    void (*check)(const sn_world *world, sn_archive *a);
} sn_waiting_list;
void sn_serialize_waiting(sn_world *world, sn_archive *a, const sn_waiting_list *list);

/* The column "node" of ids; what is read must be there, for object `i` of this kind. */
void sn_serialize_nodes(sn_world *world, sn_archive *a, sn_node *node, size_t count,
                        const char *what, size_t i);
/* The k-th node of object `i`, or false where it has no more. */
typedef bool sn_nth_node(const sn_world *world, size_t i, size_t k, sn_node *node);
/* Of what was read: a node is in one object of a kind at most, or two threads would move it. */
void sn_serialize_check_once(sn_world *world, sn_archive *a, const sn_slots *slots,
                             sn_nth_node *nth, const char *kind);
/* Of flags that were read: 0 or 1. */
void sn_serialize_check_flags(sn_archive *a, const char *name, const uint8_t *flag, size_t count);

/* Room for what is read; fails the archive when there is no memory. */
bool sn_serialize_had(sn_archive *a, bool room);
/* Whether a quaternion has unit length, but for rounding. */
bool sn_serialize_is_unit(sn_vec4 q);

/* serialize_constraints.c */
void sn_world_serialize_constraints(sn_world *world, sn_archive *a);

#endif
