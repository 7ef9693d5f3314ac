#include "collision/contact_material.h"

#include "base/range.h"
#include "collision/collision_state.h"
#include "math/vector.h"
#include "state/world.h"

#include <string.h>

void sn_contact_materials_free(sn_contact_materials *contact_materials, sn_memory *memory) {
    sn_free(memory, contact_materials->pair, contact_materials->pair_capacity,
            sizeof *contact_materials->pair);
    sn_free(memory, contact_materials->bodies.key, contact_materials->bodies.capacity,
            sizeof *contact_materials->bodies.key);
    sn_free(memory, contact_materials->colliders.key, contact_materials->colliders.capacity,
            sizeof *contact_materials->colliders.key);
    *contact_materials = (sn_contact_materials){0};
}

/* ---- Pairs of materials ---- */

static uint32_t key_of(sn_material a, sn_material b) {
    return a < b ? a * SN_MATERIALS + b : b * SN_MATERIALS + a;
}

/* The first pair whose key is not smaller. */
static size_t pair_at(const sn_contact_materials *contact_materials, uint32_t key) {
    size_t low = 0, high = contact_materials->pairs;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (contact_materials->pair[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const sn_contact_pair_def *sn_contact_materials_find(const sn_contact_materials *contact_materials,
                                                     sn_material a, sn_material b) {
    uint32_t key = key_of(a, b);
    size_t at = pair_at(contact_materials, key);
    return at < contact_materials->pairs && contact_materials->pair[at].key == key
               ? &contact_materials->pair[at].def
               : NULL;
}

bool sn_contact_materials_set(sn_contact_materials *contact_materials, sn_memory *memory,
                              sn_material a, sn_material b, const sn_contact_pair_def *def) {
    uint32_t key = key_of(a, b);
    size_t at = pair_at(contact_materials, key);
    if (!sn_contact_materials_find(contact_materials, a, b)) {
        if (!sn_reserve(memory, (void **)&contact_materials->pair,
                        &contact_materials->pair_capacity, contact_materials->pairs + 1,
                        sizeof *contact_materials->pair))
            return false;
        memmove(contact_materials->pair + at + 1, contact_materials->pair + at,
                (contact_materials->pairs - at) * sizeof *contact_materials->pair);
        contact_materials->pairs++;
    }
    contact_materials->pair[at] = (sn_material_pair){key, *def};
    return true;
}

void sn_contact_materials_reset(sn_contact_materials *contact_materials, sn_material a,
                                sn_material b) {
    if (!sn_contact_materials_find(contact_materials, a, b)) return;
    size_t at = pair_at(contact_materials, key_of(a, b));
    contact_materials->pairs--;
    memmove(contact_materials->pair + at, contact_materials->pair + at + 1,
            (contact_materials->pairs - at) * sizeof *contact_materials->pair);
}

/* ---- Who ignores whom ---- */

sn_ignored *sn_contact_materials_list(sn_contact_materials *contact_materials, sn_party a,
                                      sn_party b, uint64_t *key) {
    if (a.collider || b.collider) {
        uint32_t body = a.collider ? b.body : a.body;
        *key = (uint64_t)body << 32 | (a.collider ? a.collider : b.collider);
        return &contact_materials->colliders;
    }
    uint32_t less = a.body < b.body ? a.body : b.body, more = a.body < b.body ? b.body : a.body;
    *key = (uint64_t)less << 32 | more;
    return &contact_materials->bodies;
}

static size_t ignored_at(const sn_ignored *ignored, uint64_t key) {
    size_t low = 0, high = ignored->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ignored->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool sn_ignored_has(const sn_ignored *ignored, uint64_t key) {
    size_t at = ignored_at(ignored, key);
    return at < ignored->count && ignored->key[at] == key;
}

bool sn_ignored_add(sn_ignored *ignored, sn_memory *memory, uint64_t key) {
    if (sn_ignored_has(ignored, key)) return true;
    if (!sn_reserve(memory, (void **)&ignored->key, &ignored->capacity, ignored->count + 1,
                    sizeof *ignored->key))
        return false;
    size_t at = ignored_at(ignored, key);
    memmove(ignored->key + at + 1, ignored->key + at, (ignored->count - at) * sizeof *ignored->key);
    ignored->key[at] = key;
    ignored->count++;
    return true;
}

void sn_ignored_remove(sn_ignored *ignored, uint64_t key) {
    if (!sn_ignored_has(ignored, key)) return;
    size_t at = ignored_at(ignored, key);
    ignored->count--;
    memmove(ignored->key + at, ignored->key + at + 1, (ignored->count - at) * sizeof *ignored->key);
}

/* Keeps the keys that do not have this number in either half that counts. */
static void forget(sn_ignored *ignored, uint32_t first, uint32_t second) {
    size_t kept = 0;
    for (size_t i = 0; i < ignored->count; i++) {
        uint64_t key = ignored->key[i];
        if ((first && key >> 32 == first) || (second && (key & UINT32_MAX) == second)) continue;
        ignored->key[kept++] = key;
    }
    ignored->count = kept;
}

void sn_contact_materials_forget(sn_contact_materials *contact_materials, sn_party gone) {
    if (!gone.collider) forget(&contact_materials->bodies, gone.body, gone.body);
    forget(&contact_materials->colliders, gone.collider ? 0 : gone.body, gone.collider);
}

/* ---- Asking ---- */

typedef struct surface {
    sn_material material;
    sn_contact_material contact;
} surface;

static surface surface_of(const sn_world *world, sn_party party) {
    if (party.collider) {
        const sn_collider_def *def = &sn_colliders_of(world)->state[party.collider - 1].def;
        return (surface){def->material,
                         {def->static_friction, def->dynamic_friction, def->restitution, 0}};
    }
    surface found = {.material = party.body ? world->bodies.def[party.body - 1].material : 0};
    if (party.surface) {
        const sn_collision_surface_def *def =
            &sn_collision_surfaces_of(world)->state[party.surface - 1].def;
        found.contact =
            (sn_contact_material){def->static_friction, def->dynamic_friction, def->restitution, 0};
    }
    return found;
}

bool sn_world_may_collide(const sn_world *world, sn_party a, sn_party b) {
    const sn_contact_materials *contact_materials = sn_contact_materials_of(world);
    if (contact_materials->bodies.count + contact_materials->colliders.count > 0) {
        uint64_t key;
        const sn_ignored *list = sn_contact_materials_list(
            (sn_contact_materials *)(uintptr_t)contact_materials, a, b, &key);
        if (sn_ignored_has(list, key)) return false;
    }
    if (contact_materials->pairs == 0) return true;
    const sn_contact_pair_def *pair = sn_contact_materials_find(
        contact_materials, surface_of(world, a).material, surface_of(world, b).material);
    return !pair || pair->collide;
}

static sn_real larger(sn_real a, sn_real b) {
    return a < b ? b : a;
}

/* The root of each, so that the product cannot overflow. */
static sn_real mean(sn_real a, sn_real b) {
    return SN_ROOT(a) * SN_ROOT(b);
}

sn_contact_material sn_world_contact_material(const sn_world *world, sn_party a, sn_party b) {
    bool said = sn_contact_materials_of(world)->pairs > 0;
    if (!said && b.collider && !a.collider) return surface_of(world, b).contact;
    surface one = surface_of(world, a), other = surface_of(world, b);
    const sn_contact_pair_def *pair =
        said ? sn_contact_materials_find(sn_contact_materials_of(world), one.material,
                                         other.material)
             : NULL;
    if (pair)
        return (sn_contact_material){pair->static_friction, pair->dynamic_friction,
                                     pair->restitution, pair->rolling_resistance};
    if (a.collider && !b.collider) return one.contact;
    if (b.collider && !a.collider) return other.contact;
    return (sn_contact_material){mean(one.contact.static_friction, other.contact.static_friction),
                                 mean(one.contact.dynamic_friction, other.contact.dynamic_friction),
                                 larger(one.contact.restitution, other.contact.restitution), 0};
}

bool sn_contact_materials_bounce(const sn_contact_materials *contact_materials) {
    for (size_t i = 0; i < contact_materials->pairs; i++)
        if (contact_materials->pair[i].def.restitution > 0) return true;
    return false;
}

bool sn_contact_materials_roll(const sn_contact_materials *contact_materials) {
    for (size_t i = 0; i < contact_materials->pairs; i++)
        if (contact_materials->pair[i].def.rolling_resistance > 0) return true;
    return false;
}

/* ---- Definitions ---- */

static sn_result check(const void *def) {
    const sn_contact_pair_def *d = def;
    return sn_check_dynamic_friction("contact pair", d->static_friction, d->dynamic_friction);
}

SN_DEFINE_OBJECT(contact_pair, SN_CONTACT_PAIR_FIELDS, "contact pair",
                 "what two surfaces do to each other", .check = check)
