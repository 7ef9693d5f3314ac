#define _XOPEN_SOURCE 700

#include "session.h"

#include "web/module/exports.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 512, MOST_SHAPES = 4096 };

struct session {
    const char *scene; /* that the command names; null for none */
    int threads;
    view *view;
    char folder[PATH]; /* of files that the page sent; empty for none */
    bytes said;        /* of the scene, as the page is told */
};

/* ---- A folder of its own ---- */

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *at) {
    (void)status;
    (void)kind;
    (void)at;
    return remove(path);
}

static void remove_folder(session *s) {
    if (*s->folder) nftw(s->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    *s->folder = 0;
}

static bool make_folder(session *s) {
    const char *where = getenv("TMPDIR");
    remove_folder(s);
    int length =
        snprintf(s->folder, sizeof s->folder, "%s/sinew-XXXXXX", where && *where ? where : "/tmp");
    if (length > 0 && length < PATH && mkdtemp(s->folder)) return true;
    *s->folder = 0;
    return false;
}

/* Names of files as scenes have them: relative, with folders, and nothing that leads elsewhere. */
static bool is_name(const char *name) {
    while (*name) {
        size_t length = strcspn(name, "/");
        if (length == 0 || *name == '.') return false;
        for (size_t i = 0; i < length; i++)
            if ((unsigned char)name[i] < 0x20 || name[i] == '\\') return false;
        name += length;
        if (*name == '/' && *++name == 0) return false;
    }
    return true;
}

/* Writes a file that the page sent; the folders in its name are made. */
static bool write_file(const session *s, const char *name, const message_blob *content) {
    char path[2 * PATH];
    int length = snprintf(path, sizeof path, "%s/%s", s->folder, name);
    if (!*name || !is_name(name) || length >= (int)sizeof path) return false;
    for (char *slash = path + strlen(s->folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) return false;
    }
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    bool written = fwrite(content->data, 1, content->size, file) == content->size;
    return (fclose(file) == 0) && written;
}

/* ---- Texts ---- */

/* A blob as text that ends with a zero; to be freed. */
static char *text_of(const message_blob *blob) {
    char *text = malloc(blob->size + 1);
    if (!text) return NULL;
    if (blob->size > 0) memcpy(text, blob->data, blob->size);
    text[blob->size] = 0;
    return text;
}

/* What was said of a scene, with its files named as the page has named them. */
static const char *said_to_page(session *s) {
    const char *said = view_said(), *found;
    size_t length = strlen(s->folder);
    s->said.size = 0;
    for (; length > 0 && (found = strstr(said, s->folder)); said = found + length + 1)
        if (!bytes_add(&s->said, said, (size_t)(found - said))) return "";
    return bytes_add(&s->said, said, strlen(said) + 1) ? (const char *)s->said.data : "";
}

static void floats_of(const double *numbers, int count, float *to) {
    for (int i = 0; i < count; i++) to[i] = (float)numbers[i];
}

/* ---- Calls; what they answer is in exports.h ---- */

typedef struct context {
    session *session;
    view *view;
    const message_call *call;
    message_answer *answer;
} context;

/* Takes the scene in place of the last one, and says what it is and what was said of it. */
static const char *take_view(const context *c, view *opened) {
    if (!opened) return said_to_page(c->session);
    view_close(c->session->view);
    c->session->view = opened;
    message_add_text(c->answer, view_describe(opened));
    message_add_text(c->answer, said_to_page(c->session));
    return NULL;
}

/* Blobs: lines of parameters, then name and content of each file, the scene first. Without files it
   is the scene that the command names. */
static const char *call_open(const context *c) {
    session *s = c->session;
    const message_call *m = c->call;
    char path[2 * PATH];
    if (m->blob_count < 1 || m->blob_count % 2 == 0) return "a scene was not sent in full";
    if (m->blob_count == 1 && !s->scene) return "the command names no scene";
    snprintf(path, sizeof path, "%s", s->scene ? s->scene : "");
    if (m->blob_count > 1 && !make_folder(s)) return "there is no room for the files of the scene";
    for (size_t i = 1; i < m->blob_count; i += 2) {
        char *name = text_of(&m->blobs[i]);
        bool written = name && write_file(s, name, &m->blobs[i + 1]);
        if (written && i == 1) snprintf(path, sizeof path, "%s/%s", s->folder, name);
        free(name);
        if (!written) return "a file of the scene cannot be kept: its name, or no room";
    }
    char *sets = text_of(&m->blobs[0]);
    const char *refused =
        sets ? take_view(c, view_open_threads(path, sets, s->threads)) : "there is no memory";
    free(sets);
    return refused;
}

/* Name and text of the scene that the command names; what is played has no text. */
static const char *call_scene(const context *c) {
    const char *path = c->session->scene, *slash = path ? strrchr(path, '/') : NULL;
    char part[4096];
    bytes text = {0};
    size_t count;
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (file && session_plays(path)) {
        fclose(file);
        message_add_text(c->answer, slash ? slash + 1 : path);
        message_add_text(c->answer, "{}");
        return NULL;
    }
    if (!file) return path ? "the scene cannot be read any more" : "the command names no scene";
    while ((count = fread(part, 1, sizeof part, file)) > 0 && bytes_add(&text, part, count))
        continue;
    fclose(file);
    message_add_text(c->answer, slash ? slash + 1 : path);
    message_add_blob(c->answer, text.data, text.size);
    bytes_free(&text);
    return NULL;
}

static const char *call_step(const context *c) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (!view_step(c->view)) return view_error();
    clock_gettime(CLOCK_MONOTONIC, &end);
    message_add_number(c->answer, 1e3 * (double)(end.tv_sec - begin.tv_sec) +
                                      1e-6 * (double)(end.tv_nsec - begin.tv_nsec));
    message_add_text(c->answer, view_events(c->view));
    return NULL;
}

static void add_array(const context *c, const void *data, size_t count, size_t each) {
    message_add_blob(c->answer, data, count * each);
}

static void add_shape(const context *c, const view_shape *s) {
    message_add_text(c->answer, s->name);
    add_array(c, s->positions, s->vertex_count, sizeof *s->positions);
    add_array(c, s->normals, s->vertex_count, sizeof *s->normals);
    add_array(c, s->velocities, s->vertex_count, sizeof *s->velocities);
    add_array(c, s->strain, s->vertex_count, sizeof *s->strain);
    add_array(c, s->radii, s->vertex_count, sizeof *s->radii);
    add_array(c, s->triangles, s->triangle_count, sizeof *s->triangles);
    add_array(c, s->lines, s->line_count, sizeof *s->lines);
}

/* Thirteen numbers and eight blobs for each shape, after frame and time. */
static const char *call_frame(const context *c) {
    int count = view_frame(c->view, (int)c->call->numbers[0], (int)c->call->numbers[1]);
    if (count < 0) return view_error();
    if (count > MOST_SHAPES) return "a page does not show so many bodies";
    const view_shape *shapes = view_shapes(c->view);
    message_add_number(c->answer, view_frame_number(c->view));
    message_add_number(c->answer, view_time(c->view));
    for (int i = 0; i < count; i++) {
        const view_shape *s = &shapes[i];
        message_add_number(c->answer, s->body == UINT32_MAX ? -1 : (double)s->body);
        message_add_number(c->answer, s->topology[0]);
        message_add_number(c->answer, s->topology[1]);
        message_add_number(c->answer, s->vertex_count);
        message_add_number(c->answer, s->triangle_count);
        message_add_number(c->answer, s->line_count);
        message_add_number(c->answer, s->has_colour);
        for (int k = 0; k < 3; k++) message_add_number(c->answer, (double)s->colour[k]);
        for (int k = 0; k < 3; k++) message_add_number(c->answer, (double)s->back[k]);
    }
    for (int i = 0; i < count; i++) add_shape(c, &shapes[i]);
    return NULL;
}

static const char *call_hash(const context *c) {
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)view_hash(c->view));
    message_add_text(c->answer, text);
    return NULL;
}

static const char *call_measure(const context *c) {
    const double *values = view_measure(c->view);
    size_t count = values ? sn_scene_column_count(c->view->scene) : 0;
    for (size_t i = 0; i < count; i++) message_add_number(c->answer, values[i]);
    return NULL;
}

static const char *call_contacts(const context *c) {
    uint32_t unused;
    int count = view_contacts(c->view, &unused);
    message_add_blob(c->answer, c->view->contacts, 6 * (size_t)count * sizeof(float));
    return NULL;
}

static const char *call_types(const context *c) {
    message_add_text(c->answer, view_types(c->view));
    return NULL;
}

static const char *call_links(const context *c) {
    uint32_t unused;
    int count = view_links(c->view, (int)c->call->numbers[0], &unused);
    message_add_blob(c->answer, c->view->links, 7 * (size_t)count * sizeof(float));
    return NULL;
}

static const char *call_axes(const context *c) {
    uint32_t unused;
    int count = view_axes(c->view, &unused);
    message_add_blob(c->answer, c->view->axes, 7 * (size_t)count * sizeof(float));
    return NULL;
}

static const char *call_save(const context *c) {
    uint32_t size = 0;
    const void *data = view_save(c->view, &size);
    if (!data) return view_error();
    message_add_blob(c->answer, data, size);
    return NULL;
}

static const char *call_restore(const context *c) {
    const message_blob *blob = &c->call->blobs[0];
    view_forget_hands(c->view);
    return view_load(c->view, blob->data, (uint32_t)blob->size) ? NULL : view_error();
}

/* ---- Hands ---- */

static void add_out(const context *c, int count) {
    const float *out = view_out(c->view);
    for (int i = 0; i < count; i++) message_add_number(c->answer, (double)out[i]);
}

static const char *call_take(const context *c) {
    float ray[6];
    floats_of(c->call->numbers, 6, ray);
    int hand = view_take(c->view, ray, (float)c->call->numbers[6]);
    message_add_number(c->answer, hand);
    if (hand >= 0) add_out(c, 4);
    return NULL;
}

static const char *call_move(const context *c) {
    const double *n = c->call->numbers;
    int moved = view_move(c->view, (int)n[0], (float)n[1], (float)n[2], (float)n[3]);
    message_add_number(c->answer, moved);
    return NULL;
}

static const char *call_held(const context *c) {
    if (view_held(c->view, (int)c->call->numbers[0])) add_out(c, 3);
    return NULL;
}

static const char *call_release(const context *c) {
    const double *n = c->call->numbers;
    view_release(c->view, (int)n[0], (int)n[1], (float)n[2], (float)n[3], (float)n[4]);
    return NULL;
}

static const char *call_pin(const context *c) {
    float ray[6];
    floats_of(c->call->numbers, 6, ray);
    int done = view_pin_toggle(c->view, ray, (float)c->call->numbers[6]);
    message_add_number(c->answer, done);
    return NULL;
}

static const char *call_cut(const context *c) {
    float rays[12];
    floats_of(c->call->numbers, 12, rays);
    int copies = view_cut(c->view, rays, rays + 6, (float)c->call->numbers[12]);
    if (copies < 0) return view_error();
    message_add_number(c->answer, copies);
    return NULL;
}

static const char *call_drop(const context *c) {
    float at[6];
    floats_of(c->call->numbers, 6, at);
    bool dropped = view_drop_ball(c->view, at, at + 3, (float)c->call->numbers[6]);
    return dropped ? NULL : view_error();
}

/* ---- Numbers ---- */

static const char *call_settings(const context *c) {
    message_add_text(c->answer, view_settings(c->view));
    return NULL;
}

static const char *call_set_setting(const context *c) {
    const double *n = c->call->numbers;
    return view_set_setting(c->view, (int)n[0], n[1], n[2], n[3]) ? NULL : view_error();
}

static const char *call_body_fields(const context *c) {
    message_add_text(c->answer, view_body_fields(c->view, (int)c->call->numbers[0]));
    return NULL;
}

static const char *call_set_body_field(const context *c) {
    const double *n = c->call->numbers;
    char *name = text_of(&c->call->blobs[0]);
    bool set = name && view_set_body_field(c->view, (int)n[0], (int)n[1], name, n[2]);
    free(name);
    return set ? NULL : view_error();
}

/* ---- The table ---- */

/* How many numbers and blobs a call has; ANY of blobs are for it to count. */
enum { ANY = 1000 };

static const struct {
    const char *name;
    const char *(*call)(const context *c); /* a sentence where it is refused */
    size_t numbers, blobs;
    bool begins; /* needs no scene */
} calls[] = {
    {"open", call_open, 0, ANY, true},
    {"scene", call_scene, 0, 0, true},
    {"step", call_step, 0, 0, false},
    {"frame", call_frame, 2, 0, false},
    {"hash", call_hash, 0, 0, false},
    {"measure", call_measure, 0, 0, false},
    {"contacts", call_contacts, 0, 0, false},
    {"types", call_types, 0, 0, false},
    {"links", call_links, 1, 0, false},
    {"axes", call_axes, 0, 0, false},
    {"save", call_save, 0, 0, false},
    {"restore", call_restore, 0, 1, false},
    {"take", call_take, 7, 0, false},
    {"move", call_move, 4, 0, false},
    {"held", call_held, 1, 0, false},
    {"release", call_release, 5, 0, false},
    {"togglePin", call_pin, 7, 0, false},
    {"cut", call_cut, 13, 0, false},
    {"dropBall", call_drop, 7, 0, false},
    {"settings", call_settings, 0, 0, false},
    {"setSetting", call_set_setting, 4, 0, false},
    {"bodyFields", call_body_fields, 1, 0, false},
    {"setBodyField", call_set_body_field, 3, 1, false},
};

/* Numbers of a page become integers and floats, which those that are none would break. */
static bool are_usual(const message_call *call) {
    for (size_t i = 0; i < call->number_count; i++)
        if (!(call->numbers[i] >= -1e9 && call->numbers[i] <= 1e9)) return false;
    return true;
}

static const char *dispatch(const context *c) {
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (strcmp(c->call->name, calls[i].name) != 0) continue;
        if (c->call->number_count != calls[i].numbers || !are_usual(c->call) ||
            (calls[i].blobs != ANY && c->call->blob_count != calls[i].blobs))
            return "the call has other arguments than it must have";
        if (!calls[i].begins && !c->view) return "no scene is open";
        return calls[i].call(c);
    }
    return "there is no such call";
}

void session_call(session *s, const uint8_t *data, size_t size, message_answer *answer) {
    message_call call;
    if (!message_read(data, size, &call)) {
        message_refuse(answer, call.sequence, "a message is no call");
        return;
    }
    message_begin(answer, call.sequence);
    const char *refused = dispatch(&(context){s, s->view, &call, answer});
    if (refused)
        message_refuse(answer, call.sequence, *refused ? refused : "there is no memory");
    else
        message_end(answer, true);
    if (answer->failed) message_refuse(answer, call.sequence, "there is no memory");
}

session *session_create(const char *scene, int threads) {
    session *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->scene = scene;
    s->threads = threads;
    return s;
}

bool session_plays(const char *path) {
    return view_is_cache(path) || view_is_recording(path);
}

bool session_can_play(const char *path) {
    view *opened = view_open_threads(path, (char[]){""}, 1);
    view_close(opened);
    return opened != NULL;
}

void session_destroy(session *s) {
    if (!s) return;
    view_close(s->view);
    remove_folder(s);
    bytes_free(&s->said);
    free(s);
}
