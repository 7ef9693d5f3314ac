/* Opening a scene, going on, and what it says of itself. */
#include "exports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that was said since the last scene was opened: complaints and warnings, a line each. */
static view_text said;
/* What functions answer with. */
static view_text answer;

static void hear_complaint(void *user, const char *sentence) {
    (void)user;
    view_text_add(&said, "%s\n", sentence);
}

static void hear_log(void *user, sn_log_level level, const char *sentence) {
    (void)user;
    (void)level;
    view_text_add(&said, "%s\n", sentence);
}

const char *view_said(void) {
    return said.data ? said.data : "";
}

const char *view_error(void) {
    return sn_last_error();
}

/* ---- Opening ---- */

static size_t count_lines(const char *text) {
    size_t count = 0;
    for (; *text; text++) count += *text == '\n';
    return count;
}

sn_world *view_world(const view *v) {
    return v->recording ? view_recording_world(v->recording) : sn_scene_world(v->scene);
}

bool view_plays(const view *v) {
    return v->cache || v->recording;
}

void view_close(view *v) {
    if (!v) return;
    view_recording_close(v->recording);
    for (size_t i = 0; i < v->surface_count; i++) view_surface_free(&v->surfaces[i]);
    sn_io_smoother_destroy(v->smoother);
    sn_io_liquid_destroy(v->liquid);
    sn_query_destroy(v->query);
    sn_scene_close(v->scene);
    sn_io_cache_close(v->cache);
    free(v->surfaces);
    free(v->shapes);
    free(v->levels);
    free(v->pins);
    free(v->columns);
    free(v->snapshot);
    free(v->contacts);
    free(v->links);
    free(v->axes);
    free(v);
}

static sn_result make_view(view *v) {
    sn_scene_body body;
    while (sn_scene_body_at(v->scene, v->body_count, &body)) v->body_count++;
    v->columns = calloc(sn_scene_column_count(v->scene) + 1, sizeof *v->columns);
    if (!v->columns) return SN_ERROR_MEMORY;
    SN_TRY(sn_io_smoother_create(&v->smoother));
    return sn_query_create(view_world(v), &v->query);
}

static sn_result open_recording(view *v, const char *path, int threads) {
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.tasks = view_tasks();
    SN_TRY(view_recording_open(v, path, &def));
    v->columns = calloc(1, sizeof *v->columns);
    return v->columns ? SN_OK : SN_ERROR_MEMORY;
}

view *view_open(const char *path, char *sets) {
    return view_open_threads(path, sets, view_thread_count());
}

view *view_open_threads(const char *path, char *sets, int threads) {
    size_t count = 0;
    view_text_begin(&said);
    view *v = calloc(1, sizeof *v);
    const char **list = calloc(count_lines(sets) + 1, sizeof *list);
    sn_scene_def def = sn_scene_def_default();
    def.path = path;
    def.threads = threads;
    def.tasks = view_tasks();
    def.complaint = hear_complaint;
    def.log = hear_log;
    for (char *line = list ? strtok(sets, "\n") : NULL; line; line = strtok(NULL, "\n"))
        list[count++] = line;
    def.sets = list;
    def.set_count = count;
    sn_result result = SN_ERROR_MEMORY;
    if (v && (view_is_cache(path) || view_is_recording(path))) {
        result = view_is_cache(path) ? view_cache_open(v, path) : open_recording(v, path, threads);
        if (result != SN_OK) view_text_add(&said, "%s\n", sn_last_error());
    } else if (v && list) {
        result = sn_scene_open(&def, &v->scene);
        if (result == SN_OK) result = make_view(v);
    }
    free(list);
    if (result == SN_OK) return v;
    if (!said.length && result != SN_ERROR_DATA) view_text_add(&said, "%s\n", sn_last_error());
    view_close(v);
    return NULL;
}

/* ---- Going on ---- */

int view_step(view *v) {
    if (v->recording) return view_recording_step(v->recording) == SN_OK;
    if (v->cache) view_cache_step(v);
    return v->cache || sn_scene_step(v->scene) == SN_OK;
}

int view_frame_number(const view *v) {
    if (v->recording) return view_recording_frame_number(v->recording);
    return v->cache ? (int)v->cache_frame : sn_scene_frame_number(v->scene);
}

double view_time(view *v) {
    return v->cache ? view_cache_time(v) : sn_world_time(view_world(v));
}

uint64_t view_hash(view *v) {
    return sn_world_hash(view_world(v));
}

const double *view_measure(view *v) {
    if (view_plays(v)) return NULL;
    return sn_scene_measure(v->scene, v->columns) == SN_OK ? v->columns : NULL;
}

/* ---- Snapshots ---- */

const void *view_save(view *v, uint32_t *out) {
    sn_world *world = view_world(v);
    size_t size;
    if (v->cache) return view_cache_save(v, out);
    if (v->recording) return view_recording_save(v, out);
    if (sn_snapshot_save(world, NULL, 0, &size) != SN_OK) return NULL;
    void *room = realloc(v->snapshot, size + 1);
    if (!room) return NULL;
    v->snapshot = room;
    if (sn_snapshot_save(world, room, size, &size) != SN_OK) return NULL;
    *out = (uint32_t)size;
    return room;
}

int view_load(view *v, const void *data, uint32_t size) {
    if (v->cache) return view_cache_seek(v, data, size);
    if (v->recording) return view_recording_seek(v->recording, data, size) == SN_OK;
    return sn_snapshot_load(view_world(v), data, size) == SN_OK;
}

/* ---- What it is ---- */

static void add_parameters(const view *v) {
    sn_scene_parameter p;
    view_text_add(&answer, ",\"parameters\":[");
    for (size_t i = 0; sn_scene_parameter_at(v->scene, i, &p); i++) {
        view_text_add(&answer, "%s{\"name\":", i ? "," : "");
        view_text_add_string(&answer, p.name);
        view_text_add(&answer, ",\"value\":");
        if (p.text)
            view_text_add_string(&answer, p.text);
        else
            view_text_add_number(&answer, p.number);
        view_text_add(&answer, ",\"unit\":");
        view_text_add_string(&answer, p.unit);
        view_text_add(&answer, ",\"meaning\":");
        view_text_add_string(&answer, p.meaning);
        view_text_add(&answer, "}");
    }
    view_text_add(&answer, "]");
}

static void add_bodies(const view *v) {
    sn_scene_body b;
    view_text_add(&answer, ",\"bodies\":[");
    for (size_t i = 0; sn_scene_body_at(v->scene, i, &b); i++) {
        view_text_add(&answer, "%s{\"name\":", i ? "," : "");
        view_text_add_string(&answer, b.name);
        view_text_add(&answer, ",\"kind\":");
        view_text_add_string(&answer, sn_kind_get_info(b.kind)->name);
        view_text_add(&answer, ",\"nodes\":%zu,\"constraints\":%zu,\"mass\":", b.node_count,
                      b.constraints);
        view_text_add_number(&answer, b.mass);
        view_text_add(&answer, "}");
    }
    view_text_add(&answer, "]");
}

static void add_vector(const char *name, sn_vec3 x) {
    view_text_add(&answer, ",\"%s\":[%.9g,%.9g,%.9g]", name, (double)x.x, (double)x.y, (double)x.z);
}

static void add_cameras(const sn_io_staging *staging) {
    view_text_add(&answer, ",\"cameras\":[");
    for (size_t i = 0; staging && i < staging->camera_count; i++) {
        const sn_io_camera *c = &staging->cameras[i];
        view_text_add(&answer, "%s{\"name\":", i ? "," : "");
        view_text_add_string(&answer, c->name);
        add_vector("eye", c->eye);
        add_vector("target", c->target);
        add_vector("up", c->up);
        view_text_add(&answer, ",\"fieldOfView\":%.9g}", (double)c->field_of_view);
    }
    view_text_add(&answer, "]");
}

static void add_columns(const view *v) {
    view_text_add(&answer, ",\"columns\":[");
    for (size_t i = 0; sn_scene_column(v->scene, i); i++) {
        view_text_add(&answer, "%s", i ? "," : "");
        view_text_add_string(&answer, sn_scene_column(v->scene, i));
    }
    view_text_add(&answer, "]");
}

/* The height of the first level plane; what lies on it should not float. */
static void add_ground(const view *v) {
    sn_world *world = view_world(v);
    sn_collider id;
    for (size_t i = 0; i < 4096; i++) {
        sn_collider_def def = sn_collider_def_default();
        if (sn_world_collider_at(world, i, &id) != SN_OK) continue;
        if (sn_collider_get(world, id, &def) != SN_OK || def.shape != SN_SHAPE_PLANE) continue;
        if (def.orientation.x * def.orientation.x + def.orientation.z * def.orientation.z > 1e-6f)
            continue;
        view_text_add(&answer, ",\"ground\":%.9g", (double)def.position.y);
        return;
    }
}

static void describe_scene(const view *v) {
    view_text_add(&answer, "\"title\":");
    view_text_add_string(&answer, sn_scene_title(v->scene));
    view_text_add(&answer, ",\"about\":");
    view_text_add_string(&answer, sn_scene_about(v->scene));
    view_text_add(&answer, ",\"playback\":false,\"frames\":%d,\"fps\":%d",
                  sn_scene_frames(v->scene), sn_scene_fps(v->scene));
    add_parameters(v);
    add_bodies(v);
    add_columns(v);
}

const char *view_describe(view *v) {
    view_text_begin(&answer);
    view_text_add(&answer, "{");
    if (v->cache)
        view_cache_describe(v, &answer);
    else if (v->recording)
        view_recording_describe(v->recording, &answer);
    else
        describe_scene(v);
    add_cameras(view_plain_frame(v) == SN_OK ? v->plain.staging : NULL);
    if (!v->cache) add_ground(v);
    view_text_add(&answer, "}");
    return answer.data ? answer.data : "{}";
}

/* ---- What happened in the last step ---- */

static const char *cause_of(const sn_tear_event *e) {
    return e->burst ? "burst" : "tore";
}

static void add_tears(const sn_world *world, const char **comma) {
    const sn_tear_event *tears;
    size_t count = 0;
    if (sn_world_tears(world, &tears, &count) != SN_OK || count == 0) return;
    view_text_add(&answer, "%s{\"what\":\"%s\",\"count\":%zu,\"node\":%u}", *comma, cause_of(tears),
                  count, tears[0].node.slot - 1);
    *comma = ",";
}

static void add_breaks(const sn_world *world, const char **comma) {
    const sn_break_event *breaks;
    size_t count = 0;
    if (sn_world_breaks(world, &breaks, &count) != SN_OK || count == 0) return;
    const sn_type_info *info = sn_type_get_info(breaks[0].type);
    view_text_add(&answer, "%s{\"what\":\"broke\",\"count\":%zu,\"type\":", *comma, count);
    view_text_add_string(&answer, info ? info->name : "user");
    view_text_add(&answer, ",\"force\":%.4g}", (double)breaks[0].force);
    *comma = ",";
}

static void add_freezes(const sn_world *world, const char **comma) {
    const sn_freeze_event *freezes;
    size_t count = 0;
    if (sn_world_freezes(world, &freezes, &count) != SN_OK || count == 0) return;
    view_text_add(&answer, "%s{\"what\":\"froze\",\"count\":%zu,\"node\":%u}", *comma,
                  freezes[0].nodes, freezes[0].node.slot - 1);
    *comma = ",";
}

const char *view_events(view *v) {
    const sn_world *world = view_world(v);
    const char *comma = "";
    view_text_begin(&answer);
    view_text_add(&answer, "[");
    add_tears(world, &comma);
    add_breaks(world, &comma);
    add_freezes(world, &comma);
    view_text_add(&answer, "]");
    return answer.data ? answer.data : "[]";
}

int view_contacts(view *v, uint32_t *out) {
    const sn_contact *contacts;
    size_t count = 0, kept = 0;
    if (sn_world_contacts(view_world(v), &contacts, &count) != SN_OK) return 0;
    float *list = realloc(v->contacts, (6 * count + 1) * sizeof *list);
    if (!list) return 0;
    v->contacts = list;
    for (size_t i = 0; i < count; i++) {
        const sn_contact *c = &contacts[i];
        if (c->phase == SN_CONTACT_END) continue;
        memcpy(list + 6 * kept, &c->point, 3 * sizeof *list);
        memcpy(list + 6 * kept++ + 3, &c->impulse, 3 * sizeof *list);
    }
    *out = (uint32_t)(uintptr_t)list;
    return (int)kept;
}
