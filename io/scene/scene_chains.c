#include "io/scene/scene_chains.h"

#include <sinew/support.h>

#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct links {
    uint32_t *next; /* by vertices; NONE at the end of a chain */
    uint8_t *ended; /* whether a line ends there */
} links;

/* False where lines branch. */
static bool link_lines(const sn_mesh *mesh, const links *l) {
    for (size_t i = 0; i < mesh->vertex_count; i++) l->next[i] = NONE;
    for (size_t i = 0; i < mesh->line_count; i++) {
        const uint32_t *line = mesh->lines[i];
        if (l->next[line[0]] != NONE || l->ended[line[1]]) return false;
        l->next[line[0]] = line[1];
        l->ended[line[1]] = 1;
    }
    return true;
}

static void walk(const links *l, size_t vertices, scene_chains *chains) {
    uint32_t at = 0;
    for (uint32_t first = 0; first < vertices; first++) {
        if (l->ended[first] || l->next[first] == NONE) continue;
        for (uint32_t v = first; v != NONE; v = l->next[v]) chains->vertices[at++] = v;
        chains->start[++chains->count] = at;
    }
}

sn_result sn_scene_find_chains(sn_scene *s, const sn_mesh *mesh, scene_chains *chains) {
    size_t vertices = mesh->vertex_count;
    links l = {calloc(vertices + 1, sizeof *l.next), calloc(vertices + 1, sizeof *l.ended)};
    *chains = (scene_chains){
        .start = sn_scene_take(s, mesh->line_count + 1, sizeof *chains->start),
        .vertices = sn_scene_take(s, vertices + 1, sizeof *chains->vertices),
    };
    bool made = l.next && l.ended && chains->start && chains->vertices;
    if (made && link_lines(mesh, &l)) walk(&l, vertices, chains);
    free(l.next);
    free(l.ended);
    return made ? SN_OK : sn_fail(SN_ERROR_MEMORY, "no memory for the chains of a mesh");
}
