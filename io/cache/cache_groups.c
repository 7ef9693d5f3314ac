#include "io/cache/cache_groups.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

void sn_io_cache_groups_free(sn_io_cache_groups *g) {
    free(g->counts);
    free(g->names);
    free(g->sizes);
    free(g->members);
    free(g->views);
    *g = (sn_io_cache_groups){0};
}

/* The arrays for the totals that are known, with room for one item at least. */
static bool make(sn_io_cache_groups *g, size_t shapes) {
    g->counts = calloc(shapes + 1, sizeof *g->counts);
    g->names = calloc(g->name_bytes + 1, 1);
    g->sizes = calloc(g->total + 1, sizeof *g->sizes);
    g->members = calloc(g->member_total + 1, sizeof *g->members);
    g->views = calloc(g->total + 1, sizeof *g->views);
    return g->counts && g->names && g->sizes && g->members && g->views;
}

bool sn_io_cache_groups_of(const sn_io_frame *frame, sn_io_cache_groups *g) {
    *g = (sn_io_cache_groups){0};
    for (size_t i = 0; i < frame->shape_count; i++)
        for (size_t k = 0; k < frame->shapes[i].group_count; k++) {
            const sn_mesh_group *group = &frame->shapes[i].groups[k];
            g->total++;
            g->name_bytes += strlen(group->name) + 1;
            g->member_total += group->count;
        }
    if (g->total == 0) return true;
    if (!make(g, frame->shape_count)) return false;
    size_t index = 0, name = 0, member = 0;
    for (size_t i = 0; i < frame->shape_count; i++) {
        g->counts[i] = frame->shapes[i].group_count;
        for (size_t k = 0; k < frame->shapes[i].group_count; k++) {
            const sn_mesh_group *group = &frame->shapes[i].groups[k];
            size_t length = strlen(group->name) + 1;
            memcpy(g->names + name, group->name, length);
            if (group->count > 0)
                memcpy(g->members + member, group->vertices, group->count * sizeof *g->members);
            g->sizes[index++] = group->count;
            name += length;
            member += group->count;
        }
    }
    return true;
}

/* Whether so many counts are, together, what follows. */
static bool is_sum(const uint64_t *counts, size_t count, size_t total) {
    uint64_t left = total;
    for (size_t i = 0; i < count; i++) {
        if (counts[i] > left) return false;
        left -= counts[i];
    }
    return left == 0;
}

/* The groups as views, where names and counts fit. */
static void make_views(sn_archive *a, sn_io_cache_groups *g, size_t shapes) {
    size_t names = 0, member = 0;
    for (size_t i = 0; i < g->name_bytes; i++) names += g->names[i] == 0;
    if (names != g->total || g->names[g->name_bytes - 1] != 0)
        sn_archive_fail(a, "there are %zu names for %zu groups", names, g->total);
    else if (!is_sum(g->counts, shapes, g->total))
        sn_archive_fail(a, "the shapes have other groups than the %zu that follow", g->total);
    else if (!is_sum(g->sizes, g->total, g->member_total))
        sn_archive_fail(a, "the groups have other vertices than the %zu that follow",
                        g->member_total);
    if (a->result != SN_OK) return;
    char *name = g->names;
    for (size_t i = 0; i < g->total; i++) {
        size_t count = (size_t)g->sizes[i];
        g->views[i] = (sn_mesh_group){name, g->members + member, count, count};
        name += strlen(name) + 1;
        member += count;
    }
}

void sn_io_cache_serialize_groups(sn_archive *a, sn_io_cache_groups *g, size_t shapes) {
    if (a->reading && a->result == SN_OK) {
        *g = (sn_io_cache_groups){.total = sn_archive_count(a, "group_sizes"),
                                  .name_bytes = sn_archive_count(a, "group_names"),
                                  .member_total = sn_archive_count(a, "group_members")};
        if (g->total > 0 && a->result == SN_OK && !make(g, shapes))
            a->result = sn_fail(SN_ERROR_MEMORY, "cache: no memory");
    }
    if (g->total == 0 || a->result != SN_OK) return;
    sn_archive_column(a, "groups", SN_ARCHIVE_U64, g->counts, shapes);
    sn_archive_column(a, "group_names", SN_ARCHIVE_U8, g->names, g->name_bytes);
    sn_archive_column(a, "group_sizes", SN_ARCHIVE_U64, g->sizes, g->total);
    sn_archive_column(a, "group_members", SN_ARCHIVE_U32, g->members, g->member_total);
    if (a->reading && a->result == SN_OK) make_views(a, g, shapes);
}
