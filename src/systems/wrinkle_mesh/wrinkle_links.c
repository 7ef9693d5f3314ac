/* The fine mesh of a wrinkle mesh: sides of its triangles, distances across them, and colours, so
   that threads can share both. */
#include "systems/wrinkle_mesh/wrinkle_meshes.h"

#include "base/error.h"
#include "geometry/topology/triangle_edges.h"
#include "math/vector.h"

/* Where a fine vertex lies at rest. */
static sn_v4 rest_of(const sn_wrinkle_state *w, uint32_t vertex) {
    const uint32_t *corner = w->triangle[w->fine.carrier[vertex]];
    const sn_real *share = w->fine.share[vertex];
    sn_v4 origin = sn_v4_of(w->rest[corner[0]]);
    return origin + share[1] * (sn_v4_of(w->rest[corner[1]]) - origin) +
           share[2] * (sn_v4_of(w->rest[corner[2]]) - origin);
}

static sn_wrinkle_link link_between(const sn_wrinkle_state *w, uint32_t a, uint32_t b) {
    return (sn_wrinkle_link){a, b, sn_v4_length(rest_of(w, a) - rest_of(w, b))};
}

/* The corner of a fine triangle that is not on a side of it. */
static uint32_t across(const sn_wrinkle_state *w, uint32_t side) {
    return w->fine.triangle[side / 3][(side + 2) % 3];
}

static void list_links(sn_wrinkle_state *w, const sn_edges *edges) {
    for (size_t first = 0; first < edges->count;) {
        size_t end = sn_edges_end(edges, first);
        const sn_record *side = &edges->sides[first];
        w->sides.link[w->sides.count++] = link_between(w, side->key[0], side->key[1]);
        /* Where more than two meet, the first two bend. */
        if (end - first > 1) {
            uint32_t a = across(w, side[0].value), b = across(w, side[1].value);
            if (a != b) w->bends.link[w->bends.count++] = link_between(w, a, b);
        }
        first = end;
    }
}

/* Orders links by colours, each the lowest that is free at both ends; `used` are those that are
   not, and are 0 at first. `spare` has room for as many links. */
static void colour_links(sn_wrinkle_links *links, uint64_t *used, sn_wrinkle_link *spare,
                         uint8_t *colour) {
    size_t at[SN_WRINKLE_COLOURS] = {0};
    for (size_t i = 0; i < links->count; i++) {
        const sn_wrinkle_link *l = &links->link[i];
        uint64_t taken = used[l->a] | used[l->b];
        int c = 0;
        while (c < SN_WRINKLE_COLOURS - 1 && taken >> c & 1) c++;
        used[l->a] |= (uint64_t)1 << c;
        used[l->b] |= (uint64_t)1 << c;
        colour[i] = (uint8_t)c;
        at[c]++;
    }
    for (size_t c = 0, sum = 0; c < SN_WRINKLE_COLOURS; c++) {
        size_t begin = sum;
        sum += at[c];
        links->end[c] = sum;
        at[c] = begin;
    }
    for (size_t i = 0; i < links->count; i++) spare[at[colour[i]]++] = links->link[i];
    for (size_t i = 0; i < links->count; i++) links->link[i] = spare[i];
}

void sn_wrinkle_links_free(sn_wrinkle_links *links, sn_memory *memory) {
    sn_free(memory, links->link, links->count, sizeof *links->link);
    *links = (sn_wrinkle_links){0};
}

static bool reserve_links(sn_wrinkle_links *links, sn_memory *memory, size_t count) {
    links->link = sn_allocate(memory, count, sizeof *links->link);
    return links->link != NULL;
}

/* What is counted first has just the memory that it needs. */
static bool fit_links(sn_wrinkle_links *links, sn_memory *memory, size_t room) {
    size_t count = links->count;
    sn_wrinkle_link *fitted = sn_allocate(memory, count, sizeof *fitted);
    for (size_t i = 0; fitted && i < count; i++) fitted[i] = links->link[i];
    sn_free(memory, links->link, room, sizeof *links->link);
    links->link = fitted;
    return fitted != NULL;
}

static bool make_links(sn_wrinkle_state *w, sn_memory *memory, const sn_edges *edges) {
    size_t room = edges->count, vertices = w->fine.vertices;
    uint8_t *colour = sn_allocate(memory, room, sizeof *colour);
    sn_wrinkle_link *spare = sn_allocate(memory, room, sizeof *spare);
    uint64_t *used = sn_allocate(memory, 2 * vertices, sizeof *used);
    bool there = colour && spare && used;
    there = reserve_links(&w->sides, memory, room) && there;
    there = reserve_links(&w->bends, memory, room) && there;
    if (there) {
        list_links(w, edges);
        colour_links(&w->sides, used, spare, colour);
        colour_links(&w->bends, used + vertices, spare, colour);
    }
    sn_free(memory, colour, room, sizeof *colour);
    sn_free(memory, spare, room, sizeof *spare);
    sn_free(memory, used, 2 * vertices, sizeof *used);
    there = fit_links(&w->sides, memory, room) && there;
    return fit_links(&w->bends, memory, room) && there;
}

void sn_wrinkle_state_measure(sn_wrinkle_state *w) {
    double sum = 0;
    w->radius = w->def.radius;
    if (w->radius != SN_AUTO) return;
    for (size_t t = 0; t < w->triangles; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t *corner = w->triangle[t];
            sum += (double)sn_v4_length(sn_v4_of(w->rest[corner[k]]) -
                                        sn_v4_of(w->rest[corner[(k + 1) % 3]]));
        }
    w->radius = (sn_real)(sum / (double)(3 * w->triangles) / 4);
}

sn_result sn_wrinkle_state_build(sn_wrinkle_state *w, sn_memory *memory) {
    SN_TRY(sn_divided_create(&w->fine, memory, (const uint32_t(*)[3])w->triangle, w->triangles,
                             w->nodes, (uint32_t)w->def.divisions));
    for (size_t i = 0; i < w->nodes; i++)
        if (w->fine.carrier[i] == SN_DIVIDED_NONE)
            return sn_fail(SN_ERROR_VALUE,
                           "wrinkle mesh: node %zu is in no triangle, expected one that it is "
                           "a corner of",
                           i);
    size_t vertices = w->fine.vertices;
    w->offset = sn_allocate(memory, vertices, sizeof *w->offset);
    w->place = sn_allocate(memory, vertices, sizeof *w->place);
    w->x = sn_allocate(memory, vertices, sizeof *w->x);
    w->position = sn_allocate(memory, vertices, sizeof *w->position);
    sn_edges edges;
    if (!w->offset || !w->place || !w->x || !w->position) return SN_ERROR_MEMORY;
    SN_TRY(sn_edges_create(&edges, memory, (const uint32_t(*)[3])w->fine.triangle,
                           w->fine.triangles, NULL));
    bool there = make_links(w, memory, &edges);
    sn_edges_free(&edges, memory);
    sn_wrinkle_state_measure(w);
    return there ? SN_OK : SN_ERROR_MEMORY;
}
