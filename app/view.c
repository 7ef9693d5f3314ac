/* sinew view: the page on which scenes run, and this machine as its engine. */
#define _POSIX_C_SOURCE 200809L

#include "find_scene.h"
#include "interrupt.h"
#include "options.h"

#ifndef __wasi__

#include "web/server/server.h"
#include "web/server/session.h"

#include <sinew_io/scene.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_PORT = 8017, MOST_PAGES = 8, MOST_MESSAGE = 1 << 28 };

typedef struct view_options {
    text_list files;
    const char *page;
    char scene[SCENE_PATH];
    int port, threads;
    bool no_open;
    int pages; /* that are connected */
    message_answer answer;
} view_options;

/* ---- Pages ---- */

typedef struct visit {
    view_options *options;
    session *session;
} visit;

static void *open_visit(void *user, server_peer *peer) {
    view_options *o = user;
    (void)peer;
    if (o->pages >= MOST_PAGES) return NULL;
    visit *v = calloc(1, sizeof *v);
    if (!v) return NULL;
    v->options = o;
    v->session = session_create(*o->scene ? o->scene : NULL, o->threads);
    if (!v->session) {
        free(v);
        return NULL;
    }
    o->pages++;
    return v;
}

static void answer_visit(void *user, server_peer *peer, bool text, uint8_t *data, size_t size) {
    visit *v = user;
    message_answer *answer = &v->options->answer;
    if (text)
        message_refuse(answer, 0, "messages are binary");
    else
        session_call(v->session, data, size, answer);
    if (answer->bytes.size > 0)
        server_send(peer, WEBSOCKET_BINARY, answer->bytes.data, answer->bytes.size);
}

static void close_visit(void *user) {
    visit *v = user;
    v->options->pages--;
    session_destroy(v->session);
    free(v);
}

/* ---- Where the page is ---- */

static bool has_page(const char *folder) {
    char path[SCENE_PATH];
    int length = folder ? snprintf(path, sizeof path, "%s/index.html", folder) : -1;
    return length > 0 && length < SCENE_PATH && access(path, R_OK) == 0;
}

static const char *find_page(const char *named) {
    static char beside[SCENE_PATH];
    if (named) return has_page(named) ? named : NULL;
    if (has_page("build/web")) return "build/web";
    /* Where it was installed, beside the scenes; or built, beside the command. */
    const char *scenes = scene_folder();
    static const char *const places[] = {"../web", "../build/web"};
    for (size_t i = 0; scenes && i < sizeof places / sizeof places[0]; i++) {
        int length = snprintf(beside, sizeof beside, "%s/%s", scenes, places[i]);
        if (length < SCENE_PATH && has_page(beside)) return beside;
    }
    return NULL;
}

/* A browser, where there is a screen; what it says is its own affair. */
static void open_browser(const char *address) {
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
    pid_t child = fork();
    if (child != 0) return;
    if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
        execlp("xdg-open", "xdg-open", address, (char *)NULL);
    _exit(127);
}

/* ---- The verb ---- */

/* A cache or a recording, as the page opens it. */
static app_exit check_played(const char *path) {
    return session_can_play(path) ? APP_CONTINUE : app_fail(sn_last_error());
}

/* A broken scene is told here, with its place, rather than on the page alone. */
static app_exit check_scene(view_options *o) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene;
    if (o->files.count == 0) return APP_CONTINUE;
    scene_path(o->files.items[0], o->scene);
    if (session_plays(o->scene)) return check_played(o->scene);
    def.path = o->scene;
    sn_result result = sn_scene_open(&def, &scene);
    if (result == SN_ERROR_FILE) return scene_missing(o->files.items[0]);
    if (result != SN_OK) return app_fail(sn_last_error());
    sn_scene_close(scene);
    return APP_CONTINUE;
}

static app_exit serve(view_options *o, const char *page) {
    char address[128];
    const server_host host = {open_visit, answer_visit, close_visit, o, MOST_MESSAGE};
    server *s = server_open(page, o->port, &host);
    if (!s) {
        fprintf(stderr, "sinew view: cannot listen on port %d: %s%s\n", o->port, strerror(errno),
                errno == EADDRINUSE ? "; --port 0 takes one that is free" : "");
        return APP_FAILED;
    }
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s", server_port(s),
             *o->scene ? "?engine=machine#command" : "");
    printf("%s\n", address);
    fflush(stdout);
    fprintf(stderr, "the page is there until Ctrl-C\n");
    if (!o->no_open) open_browser(address);
    interrupt_catch();
    while (!interrupt_came()) server_poll(s, 200);
    server_close(s);
    bytes_free(&o->answer.bytes);
    return APP_OK;
}

app_exit verb_view(int argc, char **argv) {
    view_options o = {.port = DEFAULT_PORT};
    const option options[] = {
        {"port", "N", "of 127.0.0.1, 0 for any that is free (8017)", OPTION_INT, &o.port, 0, 65535},
        {"threads", "N", "of scenes that run on this machine, 0 for one per core (0)", OPTION_INT,
         &o.threads, 0, 256},
        {"page", "DIR", "the folder that \"./dev web\" makes (build/web, or where it is installed)",
         OPTION_TEXT, &o.page, 0, 0},
        {"no-open", NULL, "start no browser", OPTION_FLAG, &o.no_open, 0, 0},
    };
    const verb_usage usage = {
        .name = "view",
        .operands = "[SCENE|CACHE|RECORDING]",
        .operand = &o.files,
        .operand_count = 1,
        .operands_optional = true,
        .summary =
            "Serves the page on which scenes run, to this machine alone, and opens it. With a\n"
            "scene, that scene runs on this machine, with all its cores, and the page shows\n"
            "it; all others run in the page, or here when the page is asked to. A cache (.snc)\n"
            "or a recording (.reco) is played.",
        .notes = "Prints the address. Ctrl-C ends it.\n"
                 "exit codes: 0 done, 1 failed, 2 wrong usage",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    app_exit exit = options_parse(&usage, argc, argv);
    if (exit == APP_CONTINUE) exit = check_scene(&o);
    if (exit != APP_CONTINUE) return exit;
    const char *page = find_page(o.page);
    if (page) return serve(&o, page);
    fprintf(stderr, "sinew view: there is no page in %s; \"./dev web\" makes it\n",
            o.page ? o.page : "build/web");
    return APP_FAILED;
}

#else

app_exit verb_view(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return app_fail("WebAssembly cannot serve pages");
}

#endif
