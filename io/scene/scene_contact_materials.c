/*
 * The contact materials of a scene: what pairs of surfaces do, and who ignores whom.
 *
 * Surfaces have names in scenes and numbers in the library. A name is a surface when a pair has it;
 * the first is number 1, so that what says nothing of its surface is 0 and in no pair.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <string.h>

enum { MOST_SURFACES = 255 };

/* Both names of `between`. */
static sn_result read_names(sn_scene *s, const json_node *between, const char *name[2]) {
    if (between->count != 2)
        return sn_scene_complain(&s->reader, between, "has %zu names, expected 2", between->count);
    for (size_t i = 0; i < 2; i++)
        SN_TRY(sn_scene_read_text(&s->reader, &between->items[i], &name[i]));
    return SN_OK;
}

/* ---- Friction ---- */

sn_result sn_scene_check_friction(sn_scene *s, const json_node *node, sn_real still,
                                  sn_real *slides) {
    const json_node *given = node ? sn_json_member(node, "dynamic_friction") : NULL;
    if (!given && *slides > still) *slides = still;
    if (*slides <= still) return SN_OK;
    return sn_scene_complain(&s->reader, given,
                             "is %g, expected at most \"static_friction\", which is %g%s",
                             (double)*slides, (double)still,
                             sn_json_member(node, "static_friction") ? "" : " unless it is given");
}

/* ---- Surfaces ---- */

/* The number of a surface, 0 where there is none of this name. */
static sn_material find_surface(const sn_scene *s, const char *name) {
    for (size_t i = 0; i < s->surfaces.count; i++)
        if (strcmp(s->surfaces.items[i].name, name) == 0) return (sn_material)i + 1;
    return 0;
}

static sn_result take_surface(sn_scene *s, const json_node *node, const char *name,
                              sn_material *material) {
    *material = find_surface(s, name);
    if (*material) return SN_OK;
    SN_TRY(sn_scene_check_name(s, node, name));
    if (s->surfaces.count == MOST_SURFACES)
        return sn_scene_complain(&s->reader, node, "is one more than %d surfaces", MOST_SURFACES);
    scene_surface *place = SCENE_ADD(s->surfaces);
    if (!place) return SN_ERROR_MEMORY;
    *place = (scene_surface){.name = name, .source = node};
    *material = (sn_material)s->surfaces.count;
    return SN_OK;
}

sn_result sn_scene_build_surface(sn_scene *s, const json_node *node) {
    scene_surface_part part = {.def = sn_contact_pair_def_default()};
    const char *name[2];
    sn_material material[2];
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.surface, &part));
    SN_TRY(read_names(s, part.between, name));
    SN_TRY(sn_scene_check_friction(s, node, part.def.static_friction, &part.def.dynamic_friction));
    for (int i = 0; i < 2; i++)
        SN_TRY(take_surface(s, &part.between->items[i], name[i], &material[i]));
    sn_contact_pair_def earlier = sn_contact_pair_def_default();
    if (sn_world_get_contact_pair(s->world, material[0], material[1], &earlier) == SN_OK)
        return sn_scene_complain(&s->reader, part.between, "are a pair that is there already");
    sn_result result = sn_world_set_contact_pair(s->world, material[0], material[1], &part.def);
    scene_change whom = {.of = SCENE_OF_SURFACE, .pair = {material[0], material[1]}};
    if (result == SN_OK) return sn_scene_note_changes(s, node, &s->tables.surface, NULL, &whom);
    if (result == SN_ERROR_MEMORY) return result;
    return sn_scene_complain_within(&s->reader, node);
}

/* The surface that may have been meant by a name that is none, or that nothing has; null where
   none is close. */
static const char *guess_surface(const sn_scene *s, const char *name, bool used) {
    sn_suggestion guess = {0};
    for (size_t i = 0; i < s->surfaces.count; i++)
        if (!used || s->surfaces.items[i].used) sn_suggest(&guess, name, s->surfaces.items[i].name);
    return guess.word;
}

sn_result sn_scene_get_surface(sn_scene *s, const json_node *owner, const char *name,
                               sn_material *material) {
    if (!name || !*name) return SN_OK;
    *material = find_surface(s, name);
    if (*material) {
        s->surfaces.items[*material - 1].used = true;
        return SN_OK;
    }
    const char *guess = guess_surface(s, name, false);
    return sn_scene_complain(&s->reader, sn_json_member(owner, "surface"),
                             "there is no surface \"%.64s\" in \"surfaces\"%s%s%s", name,
                             guess ? "; did you mean \"" : "", guess ? guess : "",
                             guess ? "\"?" : "");
}

/* A list of pairs may be shared by scenes of which each needs a few, so it is no mistake. */
void sn_scene_warn_of_surfaces(const sn_scene *s) {
    for (size_t i = 0; i < s->surfaces.count; i++) {
        const scene_surface *surface = &s->surfaces.items[i];
        if (surface->used) continue;
        const char *guess = guess_surface(s, surface->name, true);
        sn_scene_warn(s, surface->source, "no body or collider has the surface \"%.64s\"%s%s%s",
                      surface->name, guess ? "; did you mean \"" : "", guess ? guess : "",
                      guess ? "\"?" : "");
    }
}

/* ---- Who ignores whom ---- */

/* Who is meant by a name: a body, all copies of one, or a collider. */
typedef struct party {
    const scene_body *bodies;
    size_t count; /* of bodies; 0 for a collider */
    const scene_collider *collider;
} party;

static sn_result find_party(sn_scene *s, const json_node *node, const char *name, party *found) {
    sn_suggestion guess = {0};
    *found = (party){.collider = sn_scene_find_collider(s, name)};
    if (!found->collider) found->bodies = sn_scene_find_copies(s, name, &found->count);
    if (found->collider || found->bodies) return SN_OK;
    if (sn_scene_is_broken(s, name)) return SN_ERROR_DATA;
    for (size_t i = 0; i < s->bodies.count; i++) {
        const scene_body *b = &s->bodies.items[i];
        if (b->group) sn_suggest(&guess, name, b->group);
        sn_suggest(&guess, name, b->name);
    }
    for (size_t i = 0; i < s->colliders.count; i++)
        sn_suggest(&guess, name, s->colliders.items[i].name);
    return sn_scene_complain(&s->reader, node, "there is no body or collider \"%.64s\"%s%s%s", name,
                             guess.word ? "; did you mean \"" : "", guess.word ? guess.word : "",
                             guess.word ? "\"?" : "");
}

/* All of one with all of the other; of copies that are both, each with all others. In this order
   every pair comes after those before it in the list of the library, which is sorted. */
static sn_result ignore_bodies(sn_scene *s, const party *a, const party *b) {
    bool among = a->bodies == b->bodies && a->count > 1;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = among ? i + 1 : 0; j < b->count; j++)
            SN_TRY(sn_body_set_collision(s->world, a->bodies[i].build.body, b->bodies[j].build.body,
                                         false));
    return SN_OK;
}

sn_result sn_scene_build_ignore(sn_scene *s, const json_node *node) {
    scene_ignore_part part = {0};
    const char *name[2];
    party whom[2];
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_ignore_object, &part));
    SN_TRY(read_names(s, part.between, name));
    for (int i = 0; i < 2; i++) SN_TRY(find_party(s, &part.between->items[i], name[i], &whom[i]));
    if (whom[0].collider && whom[1].collider)
        return sn_scene_complain(&s->reader, part.between,
                                 "are two colliders, which do not collide anyway");
    if (!whom[0].collider && !whom[1].collider) return ignore_bodies(s, &whom[0], &whom[1]);
    const party *bodies = &whom[whom[0].collider ? 1 : 0];
    const party *other = &whom[whom[0].collider ? 0 : 1];
    for (size_t i = 0; i < bodies->count; i++)
        SN_TRY(sn_body_set_collider_collision(s->world, bodies->bodies[i].build.body,
                                              other->collider->collider, false));
    return SN_OK;
}
