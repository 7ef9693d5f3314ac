/*
 * The contact materials: which numbers hold between two surfaces, and who ignores whom.
 *
 * Whoever finds contacts asks sn_world_may_collide, whoever solves them sn_world_contact_material.
 * Both are quick where nobody has said anything: pairs and ignored ones are sorted lists, mostly
 * empty.
 */
#ifndef SN_COLLISION_CONTACT_MATERIAL_H
#define SN_COLLISION_CONTACT_MATERIAL_H

#include "base/memory.h"
#include "state/object.h"

#include <sinew/contact.h>

enum { SN_MATERIALS = 256 };

/* A side of a contact. */
typedef struct sn_party {
    uint32_t body;     /* slot + 1; 0 for nodes without one */
    uint32_t collider; /* slot + 1; 0 where it is no collider */
    uint32_t surface;  /* slot + 1; of a body that collides with others, else 0 */
} sn_party;

typedef struct sn_contact_material {
    sn_real static_friction, dynamic_friction, restitution;
    sn_real rolling_resistance; /* 1, of the radius of the ball */
} sn_contact_material;

/* What was said of a pair of materials, by both numbers, the smaller one first. */
typedef struct sn_material_pair {
    uint32_t key;
    sn_contact_pair_def def;
} sn_material_pair;

/* Who ignores whom, as sorted keys. */
typedef struct sn_ignored {
    uint64_t *key;
    size_t count, capacity;
} sn_ignored;

typedef struct sn_contact_materials {
    sn_material_pair *pair; /* sorted by their keys */
    size_t pairs, pair_capacity;
    sn_ignored bodies;    /* of two bodies: the smaller slot and the other one */
    sn_ignored colliders; /* of a body and a collider: their slots */
} sn_contact_materials;

/* What is said of a pair. */
extern const sn_object sn_contact_pair_object;

void sn_contact_materials_free(sn_contact_materials *contact_materials, sn_memory *memory);

/* ---- Pairs of materials ---- */

/* What was said of two materials, or null. */
const sn_contact_pair_def *sn_contact_materials_find(const sn_contact_materials *contact_materials,
                                                     sn_material a, sn_material b);
/* Says something of two materials; false when there is no memory. */
bool sn_contact_materials_set(sn_contact_materials *contact_materials, sn_memory *memory,
                              sn_material a, sn_material b, const sn_contact_pair_def *def);
void sn_contact_materials_reset(sn_contact_materials *contact_materials, sn_material a,
                                sn_material b);

/* ---- Who ignores whom ---- */

/* The list of the two, and their key in it. One of them is a body. */
sn_ignored *sn_contact_materials_list(sn_contact_materials *contact_materials, sn_party a,
                                      sn_party b, uint64_t *key);
bool sn_ignored_has(const sn_ignored *ignored, uint64_t key);
/* False when there is no memory. */
bool sn_ignored_add(sn_ignored *ignored, sn_memory *memory, uint64_t key);
void sn_ignored_remove(sn_ignored *ignored, uint64_t key);
/* Forgets a body or a collider that is no more. */
void sn_contact_materials_forget(sn_contact_materials *contact_materials, sn_party gone);

/* ---- Asking ---- */

/* Whether the two may collide at all. */
bool sn_world_may_collide(const sn_world *world, sn_party a, sn_party b);
/* What holds where they do. */
sn_contact_material sn_world_contact_material(const sn_world *world, sn_party a, sn_party b);
/* Whether a pair of materials bounces. */
bool sn_contact_materials_bounce(const sn_contact_materials *contact_materials);
/* Whether a pair of them resists rolling. */
bool sn_contact_materials_roll(const sn_contact_materials *contact_materials);

#endif
