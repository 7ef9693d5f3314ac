#include "io/animation/export_obj_groups.h"

bool sn_io_obj_groups_make(sn_io_obj_groups *groups, const sn_io_shape *shape) {
    *groups = (sn_io_obj_groups){.vertices = shape->vertex_count};
    return sn_io_group_marks_make(&groups->marks, shape, 1);
}

void sn_io_obj_groups_free(sn_io_obj_groups *groups) {
    sn_io_group_marks_free(&groups->marks);
}

/* What follows belongs to these groups; names end at blanks. */
static void write_groups(sn_io_out *out, sn_io_obj_groups *groups, const uint32_t *now,
                         size_t count) {
    bool same = count == groups->count;
    for (size_t i = 0; same && i < count; i++) same = now[i] == groups->now[i];
    if (same) return;
    sn_io_out_text(out, count > 0 ? "g" : "g default");
    for (size_t i = 0; i < count; i++) {
        sn_io_out_text(out, " ");
        for (const char *c = groups->marks.names[now[i]]; *c; c++)
            sn_io_out_u8(out, (uint8_t)((uint8_t)*c <= ' ' ? '_' : *c));
    }
    sn_io_out_text(out, "\n");
    for (size_t i = 0; i < count; i++) groups->now[i] = now[i];
    groups->count = count;
}

/* The mark of a vertex of the file in a group. */
static uint8_t *mark_of(const sn_io_obj_groups *groups, size_t group, size_t vertex) {
    size_t index = groups->kept ? groups->kept[vertex] : vertex;
    return &groups->marks.marks[group * groups->marks.vertices + index];
}

void sn_io_obj_groups_begin(sn_io_out *out, sn_io_obj_groups *groups, const uint32_t corners[3]) {
    uint32_t now[OBJ_GROUPS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < groups->marks.count && count < OBJ_GROUPS_MOST; i++) {
        uint8_t *marks[3];
        for (int k = 0; k < 3; k++) marks[k] = mark_of(groups, i, corners[k]);
        if (!*marks[0] || !*marks[1] || !*marks[2]) continue;
        for (int k = 0; k < 3; k++) *marks[k] = 2;
        now[count++] = (uint32_t)i;
    }
    write_groups(out, groups, now, count);
}

void sn_io_obj_groups_end(sn_io_out *out, sn_io_obj_groups *groups, size_t first) {
    for (uint32_t i = 0; i < groups->marks.count; i++)
        for (size_t k = 0; k < groups->vertices; k++) {
            if (*mark_of(groups, i, k) != 1) continue;
            write_groups(out, groups, &i, 1);
            sn_io_out_text(out, "p");
            sn_io_out_uint(out, ' ', k + first);
            sn_io_out_text(out, "\n");
        }
    write_groups(out, groups, NULL, 0);
}
