#include "io/animation/export_groups.h"

#include <stdlib.h>
#include <string.h>

/* Which of the groups has this name; their count where none has. */
static size_t find(const sn_io_group_marks *groups, const char *name) {
    size_t i = 0;
    while (i < groups->count && strcmp(groups->names[i], name) != 0) i++;
    return i;
}

/* One of all vertices, as an object of a file is, tells none apart. */
static bool is_kept(const sn_io_shape *shape, size_t group) {
    return shape->groups[group].count < shape->vertex_count;
}

static bool add_name(sn_io_group_marks *groups, const char *name) {
    if (find(groups, name) < groups->count) return true;
    size_t length = strlen(name) + 1;
    char *copy = malloc(length);
    if (!copy) return false;
    memcpy(copy, name, length);
    groups->names[groups->count++] = copy;
    return true;
}

static bool add_names(sn_io_group_marks *groups, const sn_io_shape *shapes, size_t count) {
    size_t all = 0;
    for (size_t i = 0; i < count; i++) all += shapes[i].group_count;
    groups->names = calloc(all + 1, sizeof *groups->names);
    bool made = groups->names != NULL;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; made && k < shapes[i].group_count; k++)
            made = !is_kept(&shapes[i], k) || add_name(groups, shapes[i].groups[k].name);
    return made;
}

static void mark(sn_io_group_marks *groups, const sn_io_shape *shape, size_t first) {
    for (size_t k = 0; k < shape->group_count; k++) {
        const sn_mesh_group *group = &shape->groups[k];
        if (!is_kept(shape, k)) continue;
        uint8_t *marks = groups->marks + find(groups, group->name) * groups->vertices + first;
        for (size_t i = 0; i < group->count; i++) marks[group->vertices[i]] = 1;
    }
}

bool sn_io_group_marks_make(sn_io_group_marks *groups, const sn_io_shape *shapes, size_t count) {
    size_t first = 0;
    *groups = (sn_io_group_marks){0};
    for (size_t i = 0; i < count; i++) groups->vertices += shapes[i].vertex_count;
    bool made = add_names(groups, shapes, count);
    if (made) groups->marks = calloc(groups->count * groups->vertices + 1, 1);
    made = made && groups->marks;
    for (size_t i = 0; made && i < count; i++) {
        mark(groups, &shapes[i], first);
        first += shapes[i].vertex_count;
    }
    if (!made) sn_io_group_marks_free(groups);
    return made;
}

void sn_io_group_marks_free(sn_io_group_marks *groups) {
    for (size_t i = 0; i < groups->count; i++) free(groups->names[i]);
    free(groups->names);
    free(groups->marks);
    *groups = (sn_io_group_marks){0};
}
