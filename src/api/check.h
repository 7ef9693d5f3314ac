/* Checks of arguments, with sentences. */
#ifndef SN_API_CHECK_H
#define SN_API_CHECK_H

#include "base/error.h"
#include "base/range.h"
#include "state/world.h"

#include <sinew/sinew.h>

/* A pointer that must not be null, named as in the header. */
#define SN_CHECK_POINTER(pointer)                                                                  \
    do {                                                                                           \
        if (!(pointer)) return sn_fail(SN_ERROR_NULL, "%s: %s is null", __func__, #pointer);       \
    } while (0)

/* A world that may be changed. */
#define SN_CHECK_WORLD(world)                                                                      \
    do {                                                                                           \
        SN_CHECK_POINTER(world);                                                                   \
        if ((world)->scratch.locked)                                                               \
            return sn_fail(SN_ERROR_LOCKED, "%s: the world is inside a step", __func__);           \
    } while (0)

/* The `size` of a definition: that of a default function. */
sn_result sn_check_size(const char *what, size_t size, size_t expected);

sn_result sn_check_vec3(const char *what, const char *name, sn_vec3 value, const char *unit);

sn_result sn_check_node(const sn_world *world, sn_node node);
sn_result sn_check_body(const sn_world *world, sn_body body);
sn_result sn_check_collider(const sn_world *world, sn_collider collider);
/* What a surface has: its material, and the numbers of contacts. */
sn_result sn_check_material(const char *what, sn_material material);
/* A slot that is in use. */
sn_result sn_check_slot(const sn_slots *slots, size_t slot, const char *what);
sn_result sn_check_constraint(const sn_world *world, sn_constraint constraint);

/* Nodes that there are, each of them once. */
sn_result sn_check_members(sn_world *world, const char *title, const sn_node *nodes, size_t count);

/* Every node once, and in no other object of that kind, of which `owner` has the slot + 1 of every
   node. A mark on those that were seen finds the ones that come twice; it is taken back before
   anything is decided. */
sn_result sn_check_owned(const sn_world *world, const char *kind, const sn_node *nodes,
                         size_t count, uint32_t *owner);

/* Tets of these nodes, as four indices each, that have a volume above 0 where they are. */
sn_result sn_check_tets(const sn_world *world, const char *what, const sn_node *nodes,
                        const uint32_t *tets, size_t count);

#endif
