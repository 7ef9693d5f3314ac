#include "world/law.h"

#include "math/vector.h"
#include "world/world.h"

#include <string.h>

void sn_laws_free(sn_laws *laws, sn_memory *memory) {
    sn_free(memory, laws->pair, laws->pair_capacity, sizeof *laws->pair);
    sn_free(memory, laws->bodies.key, laws->bodies.capacity, sizeof *laws->bodies.key);
    sn_free(memory, laws->colliders.key, laws->colliders.capacity, sizeof *laws->colliders.key);
    *laws = (sn_laws){0};
}

/* ---- Pairs of materials ---- */

static uint32_t key_of(sn_material a, sn_material b) {
    return a < b ? a * SN_MATERIALS + b : b * SN_MATERIALS + a;
}

/* The first pair whose key is not smaller. */
static size_t pair_at(const sn_laws *laws, uint32_t key) {
    size_t low = 0, high = laws->pairs;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (laws->pair[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const sn_contact_pair_def *sn_laws_find(const sn_laws *laws, sn_material a, sn_material b) {
    uint32_t key = key_of(a, b);
    size_t at = pair_at(laws, key);
    return at < laws->pairs && laws->pair[at].key == key ? &laws->pair[at].def : NULL;
}

bool sn_laws_set(sn_laws *laws, sn_memory *memory, sn_material a, sn_material b,
                 const sn_contact_pair_def *def) {
    uint32_t key = key_of(a, b);
    size_t at = pair_at(laws, key);
    if (!sn_laws_find(laws, a, b)) {
        if (!sn_reserve(memory, (void **)&laws->pair, &laws->pair_capacity, laws->pairs + 1,
                        sizeof *laws->pair))
            return false;
        memmove(laws->pair + at + 1, laws->pair + at, (laws->pairs - at) * sizeof *laws->pair);
        laws->pairs++;
    }
    laws->pair[at] = (sn_law_pair){key, *def};
    return true;
}

void sn_laws_reset(sn_laws *laws, sn_material a, sn_material b) {
    if (!sn_laws_find(laws, a, b)) return;
    size_t at = pair_at(laws, key_of(a, b));
    laws->pairs--;
    memmove(laws->pair + at, laws->pair + at + 1, (laws->pairs - at) * sizeof *laws->pair);
}

/* ---- Who ignores whom ---- */

sn_ignored *sn_laws_list(sn_laws *laws, sn_party a, sn_party b, uint64_t *key) {
    if (a.collider || b.collider) {
        uint32_t body = a.collider ? b.body : a.body;
        *key = (uint64_t)body << 32 | (a.collider ? a.collider : b.collider);
        return &laws->colliders;
    }
    uint32_t less = a.body < b.body ? a.body : b.body, more = a.body < b.body ? b.body : a.body;
    *key = (uint64_t)less << 32 | more;
    return &laws->bodies;
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

void sn_laws_forget(sn_laws *laws, sn_party gone) {
    if (!gone.collider) forget(&laws->bodies, gone.body, gone.body);
    forget(&laws->colliders, gone.collider ? 0 : gone.body, gone.collider);
}

/* ---- Asking ---- */

typedef struct surface {
    sn_material material;
    sn_contact_law law;
} surface;

static surface surface_of(const sn_world *world, sn_party party) {
    if (party.collider) {
        const sn_collider_def *def = &world->colliders.state[party.collider - 1].def;
        return (surface){def->material,
                         {def->static_friction, def->dynamic_friction, def->restitution, 0}};
    }
    surface found = {.material = party.body ? world->bodies.def[party.body - 1].material : 0};
    if (party.surface) {
        const sn_collision_surface_def *def = &world->surfaces.state[party.surface - 1].def;
        found.law =
            (sn_contact_law){def->static_friction, def->dynamic_friction, def->restitution, 0};
    }
    return found;
}

bool sn_world_may_collide(const sn_world *world, sn_party a, sn_party b) {
    const sn_laws *laws = &world->laws;
    if (laws->bodies.count + laws->colliders.count > 0) {
        uint64_t key;
        const sn_ignored *list = sn_laws_list((sn_laws *)(uintptr_t)laws, a, b, &key);
        if (sn_ignored_has(list, key)) return false;
    }
    if (laws->pairs == 0) return true;
    const sn_contact_pair_def *pair =
        sn_laws_find(laws, surface_of(world, a).material, surface_of(world, b).material);
    return !pair || pair->collide;
}

static sn_real larger(sn_real a, sn_real b) {
    return a < b ? b : a;
}

/* The root of each, so that the product cannot overflow. */
static sn_real mean(sn_real a, sn_real b) {
    return SN_ROOT(a) * SN_ROOT(b);
}

sn_contact_law sn_world_contact_law(const sn_world *world, sn_party a, sn_party b) {
    bool said = world->laws.pairs > 0;
    if (!said && b.collider) return surface_of(world, b).law;
    surface one = surface_of(world, a), other = surface_of(world, b);
    const sn_contact_pair_def *pair =
        said ? sn_laws_find(&world->laws, one.material, other.material) : NULL;
    if (pair)
        return (sn_contact_law){pair->static_friction, pair->dynamic_friction, pair->restitution,
                                pair->rolling_resistance};
    if (a.collider) return one.law;
    if (b.collider) return other.law;
    return (sn_contact_law){mean(one.law.static_friction, other.law.static_friction),
                            mean(one.law.dynamic_friction, other.law.dynamic_friction),
                            larger(one.law.restitution, other.law.restitution), 0};
}

bool sn_laws_bounce(const sn_laws *laws) {
    for (size_t i = 0; i < laws->pairs; i++)
        if (laws->pair[i].def.restitution > 0) return true;
    return false;
}
