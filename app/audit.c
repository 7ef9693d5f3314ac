#include "audit.h"

#include <sinew/audit.h>

#include <stdio.h>
#include <string.h>

enum { MOST_BODIES = 5, WIDTH = 12 };

/* ---- A table: a line per number, a column for the world and one per body ---- */

typedef struct table {
    sn_audit column[1 + MOST_BODIES];
    const char *name[1 + MOST_BODIES];
    size_t columns;
} table;

static double number_of(const sn_audit *audit, size_t field) {
    return ((const double *)audit)[field];
}

static table read_table(sn_scene *scene) {
    table t = {.name = {"world"}, .columns = 1};
    sn_scene_body body;
    (void)sn_world_get_audit(sn_scene_world(scene), &t.column[0]);
    for (size_t i = 0; i < MOST_BODIES && sn_scene_body_at(scene, i, &body); i++) {
        if (sn_body_get_audit(sn_scene_world(scene), body.body, &t.column[t.columns]) != SN_OK)
            continue;
        t.name[t.columns++] = body.name;
    }
    /* One body that is all there is would only be said twice. */
    if (t.columns == 2 && memcmp(&t.column[0], &t.column[1], sizeof t.column[0]) == 0)
        t.columns = 1;
    return t;
}

static bool is_empty(const table *t, size_t field) {
    for (size_t c = 0; c < t->columns; c++)
        if (number_of(&t->column[c], field) != 0) return false;
    return true;
}

static void print_line(const table *t, const char *name, size_t field) {
    char words[32];
    snprintf(words, sizeof words, "%s", name);
    for (char *c = words; *c; c++)
        if (*c == '_') *c = ' ';
    printf("%-9s %-16s", "", words);
    for (size_t c = 0; c < t->columns; c++)
        printf(" %*.4g", WIDTH, number_of(&t->column[c], field));
    printf("\n");
}

void audit_print(sn_scene *scene) {
    table t = read_table(scene);
    size_t count;
    const sn_audit_field *field = sn_audit_fields(&count);
    printf("%-9s %-16s", "audit", "[J]");
    for (size_t c = 0; c < t.columns; c++) printf(" %*.*s", WIDTH, WIDTH, t.name[c]);
    printf("\n");
    for (size_t i = 0; i < count; i++)
        if (field[i].part == SN_AUDIT_REST || !is_empty(&t, i)) print_line(&t, field[i].name, i);
}

/* ---- JSON ---- */

static void print_object(const sn_audit *audit) {
    size_t count;
    const sn_audit_field *field = sn_audit_fields(&count);
    for (size_t i = 0; i < count; i++)
        printf("%s\"%s\": %.9g", i == 0 ? "{" : ", ", field[i].name, number_of(audit, i));
    printf("}");
}

void audit_print_json(sn_scene *scene) {
    sn_audit audit;
    sn_scene_body body;
    if (sn_world_get_audit(sn_scene_world(scene), &audit) != SN_OK) return;
    printf(", \"audit\": {\"world\": ");
    print_object(&audit);
    printf(", \"bodies\": {");
    const char *between = "";
    for (size_t i = 0; sn_scene_body_at(scene, i, &body); i++) {
        if (sn_body_get_audit(sn_scene_world(scene), body.body, &audit) != SN_OK) continue;
        printf("%s\"%s\": ", between, body.name);
        print_object(&audit);
        between = ", ";
    }
    printf("}}");
}
