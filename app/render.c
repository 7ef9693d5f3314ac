/* sinew render: a picture of a frame, or a video of many, of a cache or a scene. */
#define _POSIX_C_SOURCE 200809L

#include "render.h"
#include "clock.h"
#include "frames.h"
#include "interrupt.h"
#include "memory.h"
#include "options.h"
#include "progress.h"

#include <sinew_io/file.h>
#include <sinew_picture/picture.h>
#include <sinew_picture/video.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct render_options {
    text_list files, sets;
    const char *out, *video, *size, *colour, *eye, *target, *fov, *range, *camera, *allow;
    int frame, threads, smooth;
    bool wire, no_ground, quiet;
} render_options;

/* What the options come to. */
typedef struct render {
    const render_options *options;
    frames frames;
    int width, height, first, last; /* pixels, frames */
    bool has_eye, has_target, has_fov;
    sn_vec3 eye, target;
    sn_real field_of_view;
    sn_picture_colouring colouring;
    sn_picture_view view;
    sn_io_staging staging;
    bool has_camera;
} render;

/* ---- Options ---- */

static app_exit refuse(const char *name, const char *text, const char *expected) {
    fprintf(stderr, "sinew render: --%s is \"%s\", expected %s\n", name, text, expected);
    return APP_USAGE;
}

/* Two whole numbers with a letter between them. */
static bool parse_pair(const char *text, char between, int pair[2]) {
    char *end;
    long a = strtol(text, &end, 10);
    if (end == text || *end != between) return false;
    text = end + 1;
    long b = strtol(text, &end, 10);
    if (end == text || *end || a < 0 || b < 0 || a > 1000000 || b > 1000000) return false;
    pair[0] = (int)a;
    pair[1] = (int)b;
    return true;
}

static bool parse_reals(const char *text, int count, double *values) {
    for (int i = 0; i < count; i++) {
        char *end;
        values[i] = strtod(text, &end);
        /* Also false for what is not a number. */
        bool fits = values[i] > -1e9 && values[i] < 1e9;
        if (end == text || !fits || *end != (i + 1 < count ? ',' : 0)) return false;
        text = end + 1;
    }
    return true;
}

static app_exit parse_point(const char *name, const char *text, bool *given, sn_vec3 *point) {
    double x[3];
    *given = text != NULL;
    if (!text) return APP_CONTINUE;
    if (!parse_reals(text, 3, x)) return refuse(name, text, "three numbers in m, such as 1,2,-0.5");
    *point = (sn_vec3){(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
    return APP_CONTINUE;
}

static app_exit parse_size(render *r, const char *text) {
    int pair[2];
    if (!parse_pair(text, 'x', pair) || pair[0] < 1 || pair[1] < 1 || pair[0] > SN_PICTURE_MOST ||
        pair[1] > SN_PICTURE_MOST)
        return refuse("size", text, "width and height in pixels, up to 8192, such as 1280x720");
    r->width = pair[0];
    r->height = pair[1];
    return APP_CONTINUE;
}

static app_exit parse_colour(render *r, const char *text) {
    static const char *const names[] = {"body", "strain", "speed"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        r->colouring = (sn_picture_colouring)i;
        return APP_CONTINUE;
    }
    return refuse("colour", text, "body, strain or speed");
}

static app_exit parse_fov(render *r, const char *text) {
    double degrees;
    r->has_fov = text != NULL;
    if (!text) return APP_CONTINUE;
    if (!parse_reals(text, 1, &degrees) || degrees < 1 || degrees > 170)
        return refuse("fov", text, "1 to 170 degrees");
    r->field_of_view = (sn_real)(degrees * 3.14159265358979323846 / 180);
    return APP_CONTINUE;
}

static app_exit parse(render *r) {
    const render_options *o = r->options;
    if (!o->out && !o->video) {
        fprintf(stderr,
                "sinew render: nothing to write; expected \"-o FILE.png\" for a picture, or "
                "--video\n");
        return APP_USAGE;
    }
    if (o->frame >= 0 && !o->out) {
        fprintf(stderr, "sinew render: --frame is for a picture, expected \"-o FILE.png\" with it; "
                        "a video has --frames\n");
        return APP_USAGE;
    }
    app_exit exit = parse_size(r, o->size);
    if (exit == APP_CONTINUE) exit = parse_colour(r, o->colour);
    if (exit == APP_CONTINUE) exit = parse_fov(r, o->fov);
    if (exit == APP_CONTINUE) exit = parse_point("eye", o->eye, &r->has_eye, &r->eye);
    if (exit == APP_CONTINUE) exit = parse_point("target", o->target, &r->has_target, &r->target);
    return exit;
}

/* Which frames there are of those that were asked for. */
static app_exit choose_frames(render *r) {
    const render_options *o = r->options;
    int count = r->frames.count, pair[2] = {0, count - 1};
    if (count < 1) {
        fprintf(stderr, "sinew: \"%s\" has no frames\n", o->files.items[0]);
        return APP_FAILED;
    }
    if (o->range && (!parse_pair(o->range, ':', pair) || pair[0] > pair[1] || pair[1] >= count)) {
        fprintf(stderr,
                "sinew render: --frames is \"%s\", expected two of the frames 0 to %d, such "
                "as 0:%d\n",
                o->range, count - 1, count - 1);
        return APP_USAGE;
    }
    if (o->frame >= count) {
        fprintf(stderr, "sinew render: --frame is %d, but the last frame is %d\n", o->frame,
                count - 1);
        return APP_USAGE;
    }
    r->first = pair[0];
    r->last = pair[1];
    return APP_CONTINUE;
}

/* ---- The view ---- */

/* The camera that was asked for, or the one called main. */
static const char *camera_name(const render *r) {
    return r->options->camera ? r->options->camera : "main";
}

/* Looks at the frames from `first` to `last`, or every so many of them, for where they are and how
   large values are. */
static app_exit find_view(render *r, int first, int last, int every) {
    sn_picture_bounds bounds = sn_picture_bounds_none();
    sn_real least = 0, most = 0;
    progress p = progress_start("looking at frame", last - first + 1);
    sn_result result = SN_OK;
    for (int i = first; i <= last && result == SN_OK && !interrupt_came(); i += every) {
        sn_io_frame frame;
        result = frames_at(&r->frames, i, &frame);
        if (result != SN_OK) break;
        sn_picture_bounds_add(&bounds, &frame);
        if (r->colouring != SN_PICTURE_COLOUR_BODY) {
            sn_real a, b;
            sn_picture_scale_of(&frame, r->colouring, &a, &b);
            least = a < least ? a : least;
            most = b > most ? b : most;
        }
        /* Only worth a line where it can be taken back. */
        if (p.terminal && last > first) progress_show(&p, i - first + 1);
    }
    if (last > first) progress_end(&p);
    if (result != SN_OK) return app_fail(sn_last_error());
    r->view = sn_picture_view_around(&bounds, (double)r->width / r->height);
    /* White is zero, so both sides are as long. */
    r->view.least = least < 0 && -least < most ? -most : least;
    r->view.most = least < 0 && -least > most ? -least : most;
    return APP_CONTINUE;
}

/* A camera or a parameter that is named must be there. */
static app_exit find_staging(render *r) {
    const render_options *o = r->options;
    if (!r->frames.scene && o->sets.count > 0) {
        fprintf(stderr, "sinew render: --set is for scenes, and this is a cache\n");
        return APP_USAGE;
    }
    if (frames_staging(&r->frames, &r->staging) != SN_OK) return app_fail(sn_last_error());
    r->has_camera = frames_camera(&r->staging, camera_name(r)) != NULL;
    if (r->has_camera || !o->camera) return APP_CONTINUE;
    fprintf(stderr, "sinew render: the %s has no camera \"%s\"\n",
            r->frames.scene ? "scene" : "cache", o->camera);
    return APP_USAGE;
}

static app_exit make_view(render *r, int first, int last) {
    bool placed = r->has_eye || r->has_camera;
    if (!placed || r->frames.scene || r->colouring != SN_PICTURE_COLOUR_BODY)
        return find_view(r, first, last, 1);
    /* What is left to find is the height of the ground. It must not depend on which frame of the
       cache is drawn, and a few dozen of a long one are quick to read. */
    return find_view(r, 0, r->frames.count - 1, 1 + r->frames.count / 64);
}

/* The view of a frame: as its staging says, and then the options. */
static sn_picture_view view_of(const render *r, const sn_io_frame *frame) {
    const render_options *o = r->options;
    sn_picture_view view = r->view;
    frames_stage(&view, frame, camera_name(r));
    if (r->has_eye || r->has_target)
        sn_picture_view_move(&view, r->has_eye ? r->eye : view.eye,
                             r->has_target ? r->target : view.target);
    if (r->has_fov) view.field_of_view = r->field_of_view;
    view.colouring = r->colouring;
    view.wire = o->wire;
    view.smooth = o->smooth;
    view.threads = o->threads;
    if (o->no_ground) view.has_ground = false;
    return view;
}

/* ---- Drawing ---- */

static sn_result draw(render *r, int index, sn_picture_image *image) {
    sn_io_frame frame;
    sn_result result = frames_at(&r->frames, index, &frame);
    if (result != SN_OK) return result;
    sn_picture_view view = view_of(r, &frame);
    return sn_picture_draw(&frame, &view, r->width, r->height, image);
}

static app_exit write_picture(render *r) {
    const render_options *o = r->options;
    int index = o->frame >= 0 ? o->frame
                : o->range    ? r->last
                              : frames_best(&r->staging, r->frames.fps, r->last);
    sn_picture_image image = {0};
    /* A camera around the whole motion does not jump from frame to frame. What comes after the
       frame is known of a cache. */
    bool known = r->has_eye || r->has_camera || r->frames.scene;
    app_exit exit = make_view(r, 0, known ? index : r->frames.count - 1);
    if (exit != APP_CONTINUE) return exit;
    double start = clock_now();
    sn_result result = draw(r, index, &image);
    double drawn = clock_now() - start;
    if (result == SN_OK) result = sn_picture_png_write(o->out, &image);
    sn_picture_image_free(&image);
    if (result != SN_OK) return app_fail(sn_last_error());
    printf("%s: frame %d, %d x %d pixels, drawn in %.0f ms\n", o->out, index, r->width, r->height,
           1e3 * drawn);
    return APP_CONTINUE;
}

static app_exit write_video(render *r) {
    const char *path = r->options->video;
    sn_picture_video *video;
    int total = r->last - r->first + 1, done = 0;
    /* Before the frames are looked at, since it may fail at once. */
    if (sn_picture_video_open(path, r->width, r->height, r->frames.fps, &video) != SN_OK)
        return app_fail(sn_last_error());
    app_exit exit = make_view(r, r->first, r->last);
    sn_result result = SN_OK;
    double start = clock_now();
    progress p = progress_start("frame", total);
    while (exit == APP_CONTINUE && done < total && result == SN_OK && !interrupt_came()) {
        sn_picture_image image = {0};
        result = draw(r, r->first + done, &image);
        if (result == SN_OK) result = sn_picture_video_frame(video, &image);
        sn_picture_image_free(&image);
        if (result == SN_OK) progress_show(&p, ++done);
    }
    progress_end(&p);
    if (exit == APP_CONTINUE && result == SN_OK && done > 0) {
        result = sn_picture_video_close(video);
    } else {
        /* Keeps the sentence of what failed. */
        sn_picture_video_discard(video);
    }
    if (exit != APP_CONTINUE) return exit;
    if (result != SN_OK) return app_fail(sn_last_error());
    if (done > 0 && !r->options->quiet)
        printf("%s: %d frames, %d x %d pixels, %.2f s, made in %.1f s\n", path, done, r->width,
               r->height, done / r->frames.fps, clock_now() - start);
    if (done < total) printf("interrupted after %d of %d frames\n", done, total);
    return done < total ? APP_INTERRUPTED : APP_CONTINUE;
}

static app_exit check_video(const char *path, int width, int height, double fps) {
    sn_picture_video *video;
    struct stat status;
    /* A pipe would see it. */
    if (stat(path, &status) == 0 && S_ISFIFO(status.st_mode)) return APP_CONTINUE;
    if (sn_io_file_check(path) != SN_OK ||
        sn_picture_video_open(path, width, height, fps, &video) != SN_OK)
        return app_fail(sn_last_error());
    sn_picture_video_discard(video);
    return APP_CONTINUE;
}

app_exit render_check_video(const char *video, double fps) {
    return check_video(video, 1280, 720, fps);
}

static app_exit render_all(render *r) {
    const render_options *o = r->options;
    sn_scene_def def = memory_scene_def();
    def.sets = o->sets.items;
    def.set_count = o->sets.count;
    def.allow = o->allow;
    def.threads = o->threads;
    /* Before a scene is simulated. */
    if (o->out && sn_io_file_check(o->out) != SN_OK) return app_fail(sn_last_error());
    app_exit exit = frames_open(&r->frames, o->files.items[0], &def);
    interrupt_catch();
    if (exit == APP_CONTINUE) exit = choose_frames(r);
    if (exit == APP_CONTINUE) exit = find_staging(r);
    if (exit == APP_CONTINUE && o->video)
        exit = check_video(o->video, r->width, r->height, r->frames.fps);
    if (exit == APP_CONTINUE && o->out) exit = write_picture(r);
    if (exit == APP_CONTINUE && o->video) exit = write_video(r);
    frames_close(&r->frames);
    return exit == APP_CONTINUE ? APP_OK : exit;
}

app_exit render_video(const char *cache, const char *video, int threads, int smooth, bool quiet) {
    render_options o = {.files = {1, {cache}},
                        .video = video,
                        .size = "1280x720",
                        .colour = "body",
                        .frame = -1,
                        .threads = threads,
                        .smooth = smooth,
                        .quiet = quiet};
    render r = {.options = &o};
    app_exit exit = parse(&r);
    return exit == APP_CONTINUE ? render_all(&r) : exit;
}

app_exit verb_render(int argc, char **argv) {
    render_options o = {.size = "1280x720", .colour = "body", .frame = -1, .smooth = -1};
    const option options[] = {
        {"out", "FILE.png", "picture of one frame", OPTION_TEXT, &o.out, 0, 0},
        {"frame", "N", "which frame, from 0 (that of \"picture_at\", or the last)", OPTION_INT,
         &o.frame, 0, 1000000},
        {"video", "FILE", "video of all frames: .mp4, .webm or .gif", OPTION_TEXT, &o.video, 0, 0},
        {"frames", "A:B", "only these frames in the video", OPTION_TEXT, &o.range, 0, 0},
        {"size", "WxH", "pixels (1280x720)", OPTION_TEXT, &o.size, 0, 0},
        {"colour", "WHAT", "body, strain or speed (body)", OPTION_TEXT, &o.colour, 0, 0},
        {"smooth", "N", "divide triangles N times, 0 to 3 (as small as the picture needs)",
         OPTION_INT, &o.smooth, 0, 3},
        {"wire", NULL, "draw the edges of triangles", OPTION_FLAG, &o.wire, 0, 0},
        {"no-ground", NULL, "no ground", OPTION_FLAG, &o.no_ground, 0, 0},
        {"eye", "X,Y,Z", "where the camera is, in m", OPTION_TEXT, &o.eye, 0, 0},
        {"target", "X,Y,Z", "where it looks, in m", OPTION_TEXT, &o.target, 0, 0},
        {"fov", "DEG", "degrees from the bottom to the top of the picture", OPTION_TEXT, &o.fov, 0,
         0},
        {"camera", "NAME", "a camera of the scene or cache (main)", OPTION_TEXT, &o.camera, 0, 0},
        {"set", "NAME=VALUE", "a parameter of the scene", OPTION_TEXTS, &o.sets, 0, 0},
        OPTION_ALLOW(&o.allow),
        {"threads", "N", "threads that draw, and simulate a scene, 0 for one per core (0)",
         OPTION_INT, &o.threads, 0, 256},
    };
    const verb_usage usage = {
        .name = "render",
        .summary = "Draws frames of a cache (.snc), or of a scene (.json), which is simulated.\n"
                   "Without a camera the whole motion is in the picture.",
        .notes =
            "Videos need the program ffmpeg. Ctrl-C completes a video with the frames so far.\n"
            "exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted",
        .operands = "SCENE|CACHE",
        .operand = &o.files,
        .operand_count = 1,
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .output = "out",
    };
    app_exit exit = options_parse(&usage, argc, argv);
    render r = {.options = &o};
    if (exit == APP_CONTINUE && o.out) exit = app_check_ending("render", o.out, ".png");
    if (exit == APP_CONTINUE) exit = parse(&r);
    if (exit == APP_CONTINUE) exit = render_all(&r);
    return exit;
}
