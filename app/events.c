#include "events.h"

#include <errno.h>
#include <string.h>

static app_exit cannot_write(const event_log *log) {
    fprintf(stderr, "sinew: cannot write the events to \"%s\": %s\n", log->path,
            strerror(errno ? errno : EIO));
    return APP_FAILED;
}

app_exit events_open(event_log *log, sn_scene *scene) {
    if (sn_scene_watch(scene) != SN_OK) return app_fail(sn_last_error());
    if (!log->path) return APP_CONTINUE;
    log->file = strcmp(log->path, "-") == 0 ? stdout : fopen(log->path, "w");
    if (log->file) return APP_CONTINUE;
    return cannot_write(log);
}

/* A member that is a name, which has no quotes in it. */
static void write_name(FILE *file, const char *key, const char *name) {
    if (name) fprintf(file, ", \"%s\": \"%s\"", key, name);
}

static void write_line(FILE *file, const sn_scene_event *e) {
    bool contact = e->kind == SN_SCENE_BEGAN || e->kind == SN_SCENE_ENDED;
    bool measured = e->kind <= SN_SCENE_BURST;
    fprintf(file, "{\"event\": \"%s\", \"frame\": %d, \"time\": %.9g", sn_scene_event_name(e->kind),
            e->frame, e->time);
    write_name(file, "body", e->body);
    write_name(file, contact ? "other" : "constraint", e->other);
    write_name(file, e->kind == SN_SCENE_BROKE ? "type" : "cause", e->cause);
    if (measured) fprintf(file, ", \"amount\": %.6g", e->amount);
    if (e->kind == SN_SCENE_FROZE) fprintf(file, ", \"nodes\": %.0f", e->amount);
    if (e->placed)
        fprintf(file, ", \"place\": [%.6g, %.6g, %.6g]", (double)e->place.x, (double)e->place.y,
                (double)e->place.z);
    fprintf(file, "}\n");
}

app_exit events_frame(event_log *log, const sn_scene *scene) {
    sn_scene_event event;
    for (size_t i = 0; sn_scene_event_at(scene, i, &event); i++) {
        if (log->count[event.kind]++ == 0) log->first[event.kind] = event;
        log->last[event.kind] = event;
        if (log->file) write_line(log->file, &event);
    }
    if (!log->file || !ferror(log->file)) return APP_CONTINUE;
    return cannot_write(log);
}

app_exit events_close(event_log *log) {
    bool own = log->file && log->file != stdout, failed = log->file && fflush(log->file) != 0;
    if (own) failed = fclose(log->file) != 0 || failed;
    log->file = NULL;
    if (!failed) return APP_CONTINUE;
    return cannot_write(log);
}

/* When, whom and where. */
static void print_event(const char *before, const sn_scene_event *e) {
    printf("%s%.3g s", before, e->time);
    if (e->body) printf(" \"%s\"", e->body);
    if (e->other) printf("%s\"%s\"", e->body ? ", " : " ", e->other);
    if (e->placed)
        printf(" at (%.3g, %.3g, %.3g)", (double)e->place.x, (double)e->place.y,
               (double)e->place.z);
}

void events_print(const event_log *log) {
    const char *head = "events";
    for (int i = 0; i < SN_SCENE_EVENT_KINDS; i++) {
        if (log->count[i] == 0) continue;
        printf("%-9s %s %zu time%s: ", head, sn_scene_event_name((sn_scene_event_kind)i),
               log->count[i], log->count[i] == 1 ? "" : "s");
        print_event(log->count[i] == 1 ? "" : "first ", &log->first[i]);
        if (log->count[i] > 1) print_event("; last ", &log->last[i]);
        printf("\n");
        head = "";
    }
}

void events_print_json(const event_log *log) {
    const char *separator = "";
    printf(", \"events\": {");
    for (int i = 0; i < SN_SCENE_EVENT_KINDS; i++) {
        if (log->count[i] == 0) continue;
        printf("%s\"%s\": {\"count\": %zu, \"first\": %.9g, \"last\": %.9g}", separator,
               sn_scene_event_name((sn_scene_event_kind)i), log->count[i], log->first[i].time,
               log->last[i].time);
        separator = ", ";
    }
    printf("}");
}
