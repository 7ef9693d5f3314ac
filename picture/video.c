/*
 * ffmpeg gets the raw bytes of the images through a socket, which unlike a pipe can be written to
 * without a signal when nobody reads any more. What it complains about goes to a file, so that it
 * never waits for us.
 */
#define _POSIX_C_SOURCE 200809L

#include <sinew_picture/video.h>

#include <sinew/support.h>

#include <ctype.h>
#include <string.h>

/* The ending of a file, what ffmpeg calls the format, and the options for it. */
enum { OPTIONS_MOST = 16 };
typedef struct video_format {
    const char *ending, *muxer;
    const char *options[OPTIONS_MOST]; /* the first is the filter */
} video_format;

/* The matrix for colours must be said, or players guess it from the size. Both sides must be even,
   as colours are kept for blocks of four pixels. */
#define EVEN_FILTER                                                                                \
    "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"

static const video_format formats[] = {
    {".mp4",
     "mp4",
     {EVEN_FILTER, "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-colorspace", "bt709",
      "-color_primaries", "bt709", "-color_trc", "bt709", "-movflags", "+faststart"}},
    {".webm",
     "webm",
     {EVEN_FILTER, "-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-cpu-used", "4", "-row-mt",
      "1", "-colorspace", "bt709"}},
    /* A palette per image, since one for all would mean to keep them all. Faster than 50 images per
       second, players fall back to ten. */
    {".gif",
     "gif",
     {"fps=min(source_fps\\,50),split[a][b];[a]palettegen=stats_mode=single[p];"
      "[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4",
      "-loop", "0"}},
};

static const video_format *find_format(const char *path) {
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t ending = strlen(formats[i].ending);
        if (length <= ending) continue;
        const char *a = path + length - ending, *b = formats[i].ending;
        while (*a && tolower((unsigned char)*a) == *b) a++, b++;
        if (!*a) return &formats[i];
    }
    return NULL;
}

static sn_result check(const char *path, int width, int height, double fps) {
    if (!find_format(path))
        return sn_fail(SN_ERROR_VALUE,
                       "cannot make a video \"%s\": its name must end in .mp4, .webm or .gif",
                       path);
    if (width < 1 || width > SN_PICTURE_MOST || height < 1 || height > SN_PICTURE_MOST)
        return sn_fail(SN_ERROR_VALUE,
                       "a video of %d x %d pixels was asked for, expected 1 to %d each way", width,
                       height, SN_PICTURE_MOST);
    if (!(fps >= 0.01 && fps <= 1000))
        return sn_fail(SN_ERROR_VALUE,
                       "a video with %g frames per second was asked for, expected "
                       "0.01 to 1000",
                       fps);
    return SN_OK;
}

#ifdef __wasi__

sn_result sn_picture_video_open(const char *path, int width, int height, double fps,
                                sn_picture_video **video) {
    if (!path || !video)
        return sn_fail(SN_ERROR_NULL, "sn_picture_video_open: path and video are null");
    *video = NULL;
    SN_TRY(check(path, width, height, fps));
    return sn_fail(SN_ERROR_FILE, "cannot make a video in WebAssembly, where no other program can "
                                  "be started; pictures can be written");
}

sn_result sn_picture_video_frame(sn_picture_video *video, const sn_picture_image *image) {
    (void)video, (void)image;
    return sn_fail(SN_ERROR_NULL, "sn_picture_video_frame: there is no video");
}

sn_result sn_picture_video_close(sn_picture_video *video) {
    (void)video;
    return sn_fail(SN_ERROR_NULL, "sn_picture_video_close: there is no video");
}

void sn_picture_video_discard(sn_picture_video *video) {
    (void)video;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct sn_picture_video {
    int width, height;
    char *path, *output; /* as it was given, and where it is made as ffmpeg is told that */
    sn_output_path file;
    int data; /* the socket; -1 when closed */
    FILE *complaints;
    pid_t process; /* 0 when it has ended */
};

/* ---- Starting ---- */

static char *join(const char *a, const char *b) {
    size_t size = strlen(a) + strlen(b) + 1;
    char *text = malloc(size);
    if (text) snprintf(text, size, "%s%s", a, b);
    return text;
}

static void release(sn_picture_video *video) {
    if (video->data >= 0) close(video->data);
    if (video->complaints) fclose(video->complaints);
    free(video->path);
    free(video->output);
    free(video);
}

/* Waits until ffmpeg has ended; how it did. */
static int wait_for(sn_picture_video *video) {
    int status = 0;
    pid_t done;
    do {
        done = waitpid(video->process, &status, 0);
    } while (done < 0 && errno == EINTR);
    video->process = 0;
    return done < 0 ? -1 : status;
}

/* The arguments of ffmpeg; the numbers are written into the three texts. */
static void make_arguments(const sn_picture_video *video, const video_format *format, double fps,
                           char size[32], char rate[32], char filter[512],
                           const char *arguments[40]) {
    snprintf(size, 32, "%dx%d", video->width, video->height);
    snprintf(rate, 32, "%.10g", fps);
    snprintf(filter, 512, "%s", format->options[0]);
    const char *const first[] = {"ffmpeg", "-hide_banner", "-loglevel", "error", "-y",
                                 "-f",     "rawvideo",     "-pix_fmt",  "rgb24", "-s",
                                 size,     "-framerate",   rate,        "-i",    "pipe:0",
                                 "-an",    "-vf",          filter};
    size_t count = sizeof first / sizeof first[0];
    memcpy(arguments, first, sizeof first);
    for (size_t i = 1; i < OPTIONS_MOST && format->options[i]; i++)
        arguments[count++] = format->options[i];
    arguments[count++] = "-f";
    arguments[count++] = format->muxer;
    arguments[count++] = video->output;
    arguments[count] = NULL;
}

/* Starts ffmpeg with `input` as what it reads. The number of the error, 0 for none. */
static int start(sn_picture_video *video, const char *const *arguments, int input) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int number = posix_spawn_file_actions_init(&actions);
    if (number != 0) return number;
    number = posix_spawnattr_init(&attributes);
    if (number != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return number;
    }
    /* In a group of its own: Ctrl-C is for us to answer, so that the file becomes complete. */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    number = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (number == 0)
        number =
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (number == 0)
        number =
            posix_spawn_file_actions_adddup2(&actions, fileno(video->complaints), STDERR_FILENO);
    if (number == 0) /* The arguments are not changed; the function is older than const. */
        number = posix_spawnp(&video->process, "ffmpeg", &actions, &attributes,
                              (char *const *)(uintptr_t)arguments, environ);
    if (number != 0) video->process = 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return number;
}

/* Opens the ways to ffmpeg, none of which another program inherits, and starts it. */
static int connect_and_start(sn_picture_video *video, const video_format *format, double fps) {
    int ends[2];
    video->complaints = tmpfile();
    if (!video->complaints || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
    video->data = ends[0];
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fcntl(fileno(video->complaints), F_SETFD, FD_CLOEXEC);
    char size[32], rate[32], filter[512];
    const char *arguments[40];
    make_arguments(video, format, fps, size, rate, filter, arguments);
    int number = start(video, arguments, ends[1]);
    close(ends[1]);
    return number;
}

sn_result sn_picture_video_open(const char *path, int width, int height, double fps,
                                sn_picture_video **video) {
    if (!path || !video)
        return sn_fail(SN_ERROR_NULL, "sn_picture_video_open: path and video must not be null");
    *video = NULL;
    SN_TRY(check(path, width, height, fps));
    sn_picture_video *v = calloc(1, sizeof *v);
    if (!v) return sn_fail(SN_ERROR_MEMORY, "there is no memory for a video");
    *v = (sn_picture_video){.width = width, .height = height, .data = -1};
    sn_result found = sn_output_path_find(&v->file, path);
    if (found != SN_OK) {
        release(v);
        return found;
    }
    v->path = join(path, "");
    /* A name alone might be an option, or another protocol. */
    v->output = join("file:", v->file.written);
    if (!v->path || !v->output) {
        release(v);
        return sn_fail(SN_ERROR_MEMORY, "there is no memory for a video");
    }
    /* Said at once, rather than by ffmpeg after the first frames; a pipe would see it. */
    FILE *trial = v->file.target[0] ? fopen(v->file.written, "wb") : NULL;
    if (v->file.target[0] && (!trial || fclose(trial) != 0)) {
        sn_result result =
            sn_fail(SN_ERROR_FILE, "cannot write the video \"%s\": %s", path, strerror(errno));
        release(v);
        return result;
    }
    int number = connect_and_start(v, find_format(path), fps);
    if (number == 0) {
        *video = v;
        return SN_OK;
    }
    sn_output_path_discard(&v->file);
    release(v);
    if (number == ENOENT)
        return sn_fail(SN_ERROR_FILE,
                       "cannot make a video: ffmpeg is not installed (Debian package "
                       "\"ffmpeg\")");
    return sn_fail(number == ENOMEM ? SN_ERROR_MEMORY : SN_ERROR_FILE,
                   "cannot make the video \"%s\": ffmpeg cannot be started: %s", path,
                   strerror(number));
}

/* ---- Going on ---- */

/* The end of what ffmpeg has said, lines with semicolons between them; empty where it has said
   nothing. */
static void read_complaints(FILE *stream, char *text, size_t size) {
    char tail[256];
    size_t count = 0, to = 0;
    long most = (long)sizeof tail;
    if (fseek(stream, 0, SEEK_END) == 0) {
        bool is_long = ftell(stream) > most;
        if (fseek(stream, is_long ? -most : 0, is_long ? SEEK_END : SEEK_SET) == 0)
            count = fread(tail, 1, sizeof tail, stream);
    }
    while (count > 0 && isspace((unsigned char)tail[count - 1])) count--;
    for (size_t i = 0; i < count && to + 3 < size; i++) {
        if (tail[i] == '\n') text[to++] = ';';
        text[to++] = iscntrl((unsigned char)tail[i]) ? ' ' : tail[i];
    }
    text[to] = 0;
}

static sn_result fail_ffmpeg(sn_picture_video *video, int status) {
    char said[300];
    read_complaints(video->complaints, said, sizeof said);
    if (said[0])
        return sn_fail(SN_ERROR_FILE, "cannot make the video \"%s\": ffmpeg says: %s", video->path,
                       said);
    if (status >= 0 && WIFSIGNALED(status))
        return sn_fail(SN_ERROR_FILE, "cannot make the video \"%s\": ffmpeg was ended by signal %d",
                       video->path, WTERMSIG(status));
    return sn_fail(SN_ERROR_FILE, "cannot make the video \"%s\": ffmpeg failed with code %d",
                   video->path, status >= 0 ? WEXITSTATUS(status) : -1);
}

sn_result sn_picture_video_frame(sn_picture_video *video, const sn_picture_image *image) {
    if (!video || !image)
        return sn_fail(SN_ERROR_NULL, "sn_picture_video_frame: video and image must not be null");
    if (image->width != video->width || image->height != video->height)
        return sn_fail(SN_ERROR_VALUE, "an image of %d x %d pixels does not fit a video of %d x %d",
                       image->width, image->height, video->width, video->height);
    const uint8_t *from = image->rgb;
    size_t left = (size_t)video->width * (size_t)video->height * 3;
    while (left > 0 && video->data >= 0) {
        ssize_t sent = send(video->data, from, left, MSG_NOSIGNAL);
        if (sent > 0) {
            from += sent;
            left -= (size_t)sent;
        } else if (errno != EINTR) {
            /* It has ended, so it can be waited for; what it said is the reason. */
            close(video->data);
            video->data = -1;
        }
    }
    if (left == 0) return SN_OK;
    int status = video->process ? wait_for(video) : -1;
    return fail_ffmpeg(video, status);
}

sn_result sn_picture_video_close(sn_picture_video *video) {
    if (!video) return sn_fail(SN_ERROR_NULL, "sn_picture_video_close: video is null");
    /* The end of what it reads tells ffmpeg to finish. */
    if (video->data >= 0) close(video->data);
    video->data = -1;
    int status = video->process ? wait_for(video) : -1;
    sn_result result = status == 0 ? SN_OK : fail_ffmpeg(video, status);
    int number = result == SN_OK ? sn_output_path_keep(&video->file) : 0;
    if (result != SN_OK) sn_output_path_discard(&video->file);
    if (number != 0)
        result = sn_fail(SN_ERROR_FILE, "cannot write \"%s\": %s", video->path, strerror(number));
    release(video);
    return result;
}

void sn_picture_video_discard(sn_picture_video *video) {
    if (!video) return;
    if (video->process) {
        kill(video->process, SIGKILL);
        wait_for(video);
    }
    sn_output_path_discard(&video->file);
    release(video);
}

#endif
