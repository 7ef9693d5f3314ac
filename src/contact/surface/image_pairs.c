/*
 * Balls that touch across the sides of a periodic world. Each ball near a side has images, whose
 * boxes the broad phase compares with those of all balls; a pair that it finds is one of the two
 * balls as any other, and all who ask how far they are apart take the shortest of the ways between
 * them (collision/period.h). By that way alone it is told which image is meant, so that a pair is
 * found once: of two images that are opposite to each other one is looked for.
 */
#include "contact/surface/surface_pairs.h"

#include <math.h>

static sn_v4 way_between(const sn_surface_contact_motion *m, uint32_t a, uint32_t b) {
    const sn_expected_motion *motion = m->surface_contacts->displacement;
    sn_v4 way = sn_v4_load(&motion[a].from) - sn_v4_load(&motion[b].from);
    way[3] = 0;
    return way;
}

/* Whether the shortest way is that from the image of one, that far from it, to the other. */
static bool is_meant(const sn_surface_contact_motion *m, const sn_period *period, uint32_t a,
                     uint32_t b, sn_v4 shift) {
    sn_v4 way = way_between(m, a, b), turned = sn_period_nearest(period, way) - way;
    for (int i = 0; i < 3; i++) {
        sn_real apart = turned[i] - shift[i];
        if (apart > SN_R(0.25) * period->length[i] || apart < SN_R(-0.25) * period->length[i])
            return false;
    }
    return true;
}

size_t sn_image_pairs_sift(const sn_surface_contact_motion *m, const sn_surface_elements *first,
                           const sn_vec4 *shift, sn_broad_pair *pairs, size_t count) {
    const uint32_t *second = m->surface_contacts->list[SN_SURFACE_CONTACT_LONE].node;
    sn_period period = sn_period_of(m->world);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = (uint32_t)pairs[i], b = (uint32_t)(pairs[i] >> 32);
        sn_v4 by = shift ? sn_v4_load(&shift[a]) : (sn_v4){0};
        pairs[kept] = pairs[i];
        kept += is_meant(m, &period, first->node[a], second[b], by);
    }
    return kept;
}

/* The box around all balls. */
static void find_box(const sn_surface_elements *balls, sn_v4 *low, sn_v4 *high) {
    *low = (sn_v4){SN_INFINITY, SN_INFINITY, SN_INFINITY, 0};
    *high = -*low;
    for (size_t k = 0; k < balls->count; k++) {
        sn_v4 from = sn_v4_load(&balls->low[k]), to = sn_v4_load(&balls->high[k]);
        for (int i = 0; i < 3; i++) {
            if (from[i] < (*low)[i]) (*low)[i] = from[i];
            if (to[i] > (*high)[i]) (*high)[i] = to[i];
        }
    }
}

/* Of a number from 14 to 26, the cell of a cube of 27 that it is; the 13 before its middle are
   opposite to these. False where that is along an axis without a period. */
static bool shift_of(const sn_period *period, int number, sn_v4 *shift) {
    const int turns[3] = {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
    *shift = (sn_v4){0};
    for (int i = 0; i < 3; i++) {
        if (turns[i] != 0 && !(period->length[i] > 0)) return false;
        (*shift)[i] = (sn_real)turns[i] * period->length[i];
    }
    return true;
}

/* Lists the images that overlap with the box, or counts them where there is no room. */
static size_t list_images(sn_surface_contacts *c, const sn_period *period, bool fill) {
    const sn_surface_elements *balls = &c->list[SN_SURFACE_CONTACT_LONE];
    sn_surface_elements *images = &c->image.list;
    sn_v4 low, high, shift;
    size_t count = 0;
    find_box(balls, &low, &high);
    for (int number = 14; number < 27; number++) {
        if (!shift_of(period, number, &shift)) continue;
        for (uint32_t k = 0; k < balls->count; k++) {
            sn_v4 from = sn_v4_load(&balls->low[k]) + shift;
            sn_v4 to = sn_v4_load(&balls->high[k]) + shift;
            bool seen = true;
            for (int i = 0; i < 3; i++) seen = seen && from[i] <= high[i] && to[i] >= low[i];
            if (!seen) continue;
            if (fill) {
                images->node[count] = balls->node[k];
                images->at[count] = k;
                sn_v4_store(&images->low[count], from);
                sn_v4_store(&images->high[count], to);
                sn_v4_store(&c->image.shift[count], shift);
            }
            count++;
        }
    }
    return count;
}

static bool reserve(sn_world *world, sn_image_pairs *image, size_t count) {
    sn_surface_elements *list = &image->list;
    sn_memory *memory = &world->memory;
    sn_column boxes[] = {{(void **)&list->low, sizeof *list->low},
                         {(void **)&list->high, sizeof *list->high}};
    if (!sn_reserve(memory, (void **)&list->node, &list->capacity, count, sizeof *list->node) ||
        !sn_reserve(memory, (void **)&list->at, &list->at_capacity, count, sizeof *list->at) ||
        !sn_reserve(memory, (void **)&image->shift, &image->shift_capacity, count,
                    sizeof *image->shift))
        return false;
    if (count <= list->box_capacity) return true;
    size_t grown = sn_columns_grow(memory, boxes, 2, 0, list->box_capacity, count);
    if (grown > 0) list->box_capacity = grown;
    return grown > 0;
}

bool sn_image_pairs_find(const sn_surface_contact_motion *m, sn_broad_accept *accept) {
    sn_surface_contacts *c = m->surface_contacts;
    const sn_surface_elements *balls = &c->list[SN_SURFACE_CONTACT_LONE];
    sn_surface_contact_heap *heap = &c->heap[SN_CONTACT_POINT_POINT];
    sn_period period = sn_period_of(m->world);
    heap->count = 0;
    if (balls->count < 2) return true;
    size_t count = list_images(c, &period, false);
    if (!reserve(m->world, &c->image, count)) return false;
    c->image.list.count = list_images(c, &period, true);
    sn_boxes items = {c->image.list.low, c->image.list.high, count},
             others = {balls->low, balls->high, balls->count};
    sn_broad *broad = &c->image.broad;
    if (!sn_broad_find(broad, &m->world->memory, m->world->bindings.team,
                       m->world->settings.broad_phase, &items, &others, accept, m) ||
        !sn_reserve(&m->world->memory, (void **)&heap->pair, &heap->capacity, broad->total,
                    sizeof *heap->pair))
        return false;
    for (uint32_t i = 0; i < count; i++)
        for (size_t k = 0; k < broad->number[i]; k++) {
            uint32_t a = c->image.list.at[i], b = broad->partner[broad->first[i] + k];
            heap->pair[heap->count++] = a < b ? sn_broad_pair_of(a, b) : sn_broad_pair_of(b, a);
        }
    return true;
}

void sn_image_pairs_free(sn_image_pairs *image, sn_memory *memory) {
    sn_surface_elements *list = &image->list;
    sn_free(memory, list->node, list->capacity, sizeof *list->node);
    sn_free(memory, list->low, list->box_capacity, sizeof *list->low);
    sn_free(memory, list->high, list->box_capacity, sizeof *list->high);
    sn_free(memory, list->at, list->at_capacity, sizeof *list->at);
    sn_free(memory, image->shift, image->shift_capacity, sizeof *image->shift);
    sn_broad_free(&image->broad, memory);
}
