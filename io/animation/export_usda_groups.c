/* Groups of vertices in OpenUSD: what is within a prim has a name of its own. */
#include "io/animation/export_names.h"
#include "io/animation/export_usda.h"

#include <stdlib.h>
#include <string.h>

void sn_io_usda_groups_free(usda_prim *prim) {
    for (size_t i = 0; i < prim->group_count; i++) {
        free(prim->groups[i].group);
        free(prim->groups[i].name);
    }
    free(prim->groups);
    prim->groups = NULL;
    prim->group_count = 0;
}

/* A name that neither a group before it nor the faces of a material have. */
static char *free_name(const usda_prim *prim, const char *text) {
    size_t count = 0, all = prim->group_count + (prim->materials ? prim->surfaces.count : 0);
    const char **taken = malloc((all + 1) * sizeof *taken);
    if (!taken) return NULL;
    for (size_t i = 0; i < prim->group_count; i++) taken[count++] = prim->groups[i].name;
    for (size_t i = 0; prim->materials && i < prim->surfaces.count; i++)
        taken[count++] = prim->materials[i];
    char *name = sn_io_unique_name(text, taken, count);
    free(taken);
    return name;
}

usda_group *sn_io_usda_group(usda_prim *prim, const char *name) {
    for (size_t i = 0; i < prim->group_count; i++)
        if (strcmp(prim->groups[i].group, name) == 0) return &prim->groups[i];
    usda_group *groups =
        sn_io_export_grow(prim->groups, &prim->group_capacity, prim->group_count, sizeof *groups);
    if (!groups) return NULL;
    prim->groups = groups;
    size_t size = strlen(name) + 1;
    usda_group group = {.group = malloc(size), .name = free_name(prim, name)};
    if (!group.group || !group.name) {
        free(group.group);
        free(group.name);
        return NULL;
    }
    memcpy(group.group, name, size);
    groups[prim->group_count] = group;
    return &groups[prim->group_count++];
}
