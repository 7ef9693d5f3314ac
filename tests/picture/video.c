/*
 * Videos: with programs that only pretend to be ffmpeg, so that every way to fail can be shown, and
 * with the real one where it is installed. Nothing is left behind: no file, no process, no open
 * end.
 */
#define _POSIX_C_SOURCE 200809L

#include <sinew_picture/video.h>

#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char folder[] = "video_scratch", video_path[] = "video_scratch/a.mp4";

enum { WIDTH = 64, HEIGHT = 48 };
static uint8_t pixels[WIDTH * HEIGHT * 3];
static const sn_picture_image image = {WIDTH, HEIGHT, pixels};

/* Puts a shell script called ffmpeg in front of everything else; without one, nothing is found. */
static void pretend(const char *script) {
    char path[256];
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/ffmpeg", folder);
    remove(path);
    if (script) {
        FILE *file = fopen(path, "w");
        if (!CHECK(file != NULL)) exit(1);
        fprintf(file, "#!/bin/sh\n%s\n", script);
        fclose(file);
        chmod(path, 0755);
    }
    setenv("PATH", folder, 1);
}

/* Descriptors that are open; -1 where that cannot be known. */
static int open_count(void) {
    DIR *all = opendir("/proc/self/fd");
    if (!all) return -1;
    int count = 0;
    while (readdir(all)) count++;
    closedir(all);
    return count;
}

static bool has_children(void) {
    return waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD;
}

static bool exists(const char *path) {
    return access(path, F_OK) == 0;
}

static void check_nothing_left(int before) {
    CHECK(open_count() == before);
    CHECK(!has_children());
    CHECK(!exists(video_path) && !exists("video_scratch/a.mp4.part"));
}

TEST(without_ffmpeg_it_says_so) {
    sn_picture_video *video;
    int before = open_count();
    pretend(NULL);
    CHECK_FAILS(sn_picture_video_open(video_path, WIDTH, HEIGHT, 30, &video), SN_ERROR_FILE);
    CHECK(!video && strcmp(sn_last_error(), "cannot make a video: ffmpeg is not installed (Debian "
                                            "package \"ffmpeg\")") == 0);
    check_nothing_left(before);
}

TEST(what_ffmpeg_says_is_the_reason) {
    sn_picture_video *video = NULL;
    int before = open_count();
    /* It ends at once: sooner or later a frame fails, without a signal. */
    pretend("echo first >&2; echo 'Unknown encoder' >&2; exit 1");
    REQUIRE_OK(sn_picture_video_open(video_path, WIDTH, HEIGHT, 30, &video));
    sn_result result = SN_OK;
    for (int i = 0; i < 10000 && result == SN_OK; i++)
        result = sn_picture_video_frame(video, &image);
    CHECK(result == SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "ffmpeg says: first; Unknown encoder"));
    /* And again, since it stays so. */
    CHECK_FAILS(sn_picture_video_frame(video, &image), SN_ERROR_FILE);
    CHECK_FAILS(sn_picture_video_close(video), SN_ERROR_FILE);
    check_nothing_left(before);
    /* It fails at the end, after it has read everything. */
    pretend("while read -r line; do :; done; echo 'disk full' >&2; exit 3");
    REQUIRE_OK(sn_picture_video_open(video_path, WIDTH, HEIGHT, 30, &video));
    CHECK_OK(sn_picture_video_frame(video, &image));
    CHECK_FAILS(sn_picture_video_close(video), SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "disk full"));
    check_nothing_left(before);
    /* It says nothing at all. */
    pretend("exit 4");
    REQUIRE_OK(sn_picture_video_open(video_path, WIDTH, HEIGHT, 30, &video));
    CHECK_FAILS(sn_picture_video_close(video), SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "failed with code 4"));
    check_nothing_left(before);
}

TEST(a_video_can_be_given_up) {
    sn_picture_video *video;
    int before = open_count();
    pretend("while :; do read -r line; done");
    REQUIRE_OK(sn_picture_video_open(video_path, WIDTH, HEIGHT, 30, &video));
    sn_picture_video_discard(video);
    check_nothing_left(before);
    sn_picture_video_discard(NULL);
}

TEST(bad_values_are_refused) {
    sn_picture_video *video;
    int before = open_count();
    pretend("exec cat >/dev/null");
    CHECK_FAILS(sn_picture_video_open("a.avi", WIDTH, HEIGHT, 30, &video), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "must end in .mp4, .webm or .gif"));
    CHECK_FAILS(sn_picture_video_open(".mp4", WIDTH, HEIGHT, 30, &video), SN_ERROR_VALUE);
    CHECK_FAILS(sn_picture_video_open(video_path, 0, HEIGHT, 30, &video), SN_ERROR_VALUE);
    CHECK_FAILS(sn_picture_video_open(video_path, WIDTH, 9000, 30, &video), SN_ERROR_VALUE);
    CHECK_FAILS(sn_picture_video_open(video_path, WIDTH, HEIGHT, 0, &video), SN_ERROR_VALUE);
    CHECK_FAILS(sn_picture_video_open(NULL, WIDTH, HEIGHT, 30, &video), SN_ERROR_NULL);
    CHECK_FAILS(sn_picture_video_open("no_such_folder/a.mp4", WIDTH, HEIGHT, 30, &video),
                SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "no_such_folder/a.mp4"));
    CHECK_FAILS(sn_picture_video_frame(NULL, &image), SN_ERROR_NULL);
    CHECK_FAILS(sn_picture_video_close(NULL), SN_ERROR_NULL);
    check_nothing_left(before);
}

TEST(an_image_of_another_size_is_refused) {
    sn_picture_video *video;
    int before = open_count();
    /* Takes everything, and leaves the file that was made when it was tried. */
    pretend("exec /bin/cat >/dev/null");
    REQUIRE_OK(sn_picture_video_open(video_path, WIDTH, HEIGHT, 30, &video));
    sn_picture_image other = {WIDTH, HEIGHT - 1, pixels};
    CHECK_FAILS(sn_picture_video_frame(video, &other), SN_ERROR_VALUE);
    for (int i = 0; i < 100; i++) CHECK_OK(sn_picture_video_frame(video, &image));
    CHECK_OK(sn_picture_video_close(video));
    CHECK(exists(video_path) && !exists("video_scratch/a.mp4.part"));
    remove(video_path);
    check_nothing_left(before);
}

TESTS(RUN(without_ffmpeg_it_says_so), RUN(what_ffmpeg_says_is_the_reason),
      RUN(a_video_can_be_given_up), RUN(bad_values_are_refused),
      RUN(an_image_of_another_size_is_refused))
