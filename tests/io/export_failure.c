/*
 * Exports that cannot go on: a full disk, a folder that is no longer there, a program that is
 * killed. What was complete before stays as it was, and nothing unfinished is left.
 *
 * /dev/full is a device on a disk that is always full; a link to it in place of a file that is
 * about to be written makes exactly that file fail.
 */
#define _POSIX_C_SOURCE 200809L

#include <sinew_io/cache.h>
#include <sinew_io/export.h>
#include <sinew_io/file.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "animation.h"
#include "check.h"
#include "files.h"

static const char scratch[] = "export_failure_scratch";

static sn_io_export *open_export(const char *folder, const char *format) {
    sn_io_export_def def = sn_io_export_def_default();
    sn_io_export *e = NULL;
    def.format = format;
    def.folder = folder;
    def.name = "demo";
    REQUIRE_OK(sn_io_export_open(&def, &e));
    return e;
}

static sn_result add_frame(sn_io_export *e, int number) {
    static animation a;
    return sn_io_export_frame(e, animation_frame(&a, number, false));
}

/* Lets the file of this name fail. */
static void fill_disk(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    CHECK(symlink("/dev/full", path) == 0);
}

static bool is_full(void) {
    bool said = strstr(sn_last_error(), "No space left") && strstr(sn_last_error(), scratch);
    if (!said) printf("    %s\n", sn_last_error());
    return said;
}

/* What the export of these frames, and no others, leaves. */
static uint64_t hash_of_frames(const char *format, const int *numbers, size_t count) {
    folder_clear(scratch);
    sn_io_export *e = open_export(scratch, format);
    for (size_t i = 0; i < count; i++) CHECK_OK(add_frame(e, numbers[i]));
    CHECK_OK(sn_io_export_close(e));
    sn_io_export_free(e);
    return folder_hash(scratch);
}

/* A frame that fails is as if it had never been. */
TEST(a_full_disk_in_a_frame_costs_that_frame) {
    static const struct {
        const char *format, *file;
    } cases[] = {{"obj", "demo_0001.obj.part"},
                 {"ply", "demo_0001.ply.part"},
                 {"vtu", "demo_0001.vtu.part"},
                 {"vtu", "demo.pvd.part"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_case("%s, %s", cases[i].format, cases[i].file);
        uint64_t expected = hash_of_frames(cases[i].format, (int[]){0, 2}, 2);
        folder_clear(scratch);
        sn_io_export *e = open_export(scratch, cases[i].format);
        CHECK_OK(add_frame(e, 0));
        fill_disk(cases[i].file);
        CHECK_FAILS(add_frame(e, 1), SN_ERROR_FILE);
        CHECK(is_full() && !folder_has_parts(scratch));
        CHECK_OK(add_frame(e, 2));
        CHECK_OK(sn_io_export_close(e));
        CHECK(sn_io_export_frame_count(e) == 2);
        sn_io_export_free(e);
        CHECK(folder_hash(scratch) == expected);
    }
}

/* Formats of one file keep frames beside it until they are closed. */
TEST(a_full_disk_from_the_beginning_leaves_nothing) {
    static const struct {
        const char *format, *file;
    } cases[] = {{"usda", "demo.usda.frames.part"},
                 {"glb", "demo.glb.frames.part"},
                 {"pc2", "demo.pc2.frames.part"},
                 {"mdd", "demo.mdd.frames.part"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static file_list list;
        check_case("%s", cases[i].format);
        folder_clear(scratch);
        fill_disk(cases[i].file);
        sn_io_export *e = open_export(scratch, cases[i].format);
        CHECK_FAILS(add_frame(e, 0), SN_ERROR_FILE);
        CHECK(is_full());
        CHECK_OK(sn_io_export_close(e));
        sn_io_export_free(e);
        folder_list(scratch, &list);
        CHECK(list.count == 0);
    }
}

TEST(a_full_disk_at_the_end_leaves_what_was_complete) {
    static const struct {
        const char *format, *file;
        size_t left; /* files */
    } cases[] = {{"usda", "demo.usda.part", 0},
                 {"glb", "demo.glb.part", 0},
                 {"pc2", "demo_flag.obj.part", 0},
                 {"pc2", "demo_jelly_cube.pc2.part", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static file_list list;
        check_case("%s", cases[i].file);
        folder_clear(scratch);
        sn_io_export *e = open_export(scratch, cases[i].format);
        for (int k = 0; k < 3; k++) CHECK_OK(add_frame(e, k));
        fill_disk(cases[i].file);
        CHECK_FAILS(sn_io_export_close(e), SN_ERROR_FILE);
        CHECK(is_full() && sn_io_export_file_count(e) == cases[i].left);
        sn_io_export_free(e);
        folder_list(scratch, &list);
        CHECK(list.count == cases[i].left);
    }
}

TEST(a_cache_on_a_full_disk_cannot_begin) {
    sn_io_export_def def = sn_io_export_def_default();
    sn_io_export *e = NULL;
    def.folder = scratch;
    def.name = "demo";
    folder_clear(scratch);
    fill_disk("demo.snc");
    CHECK_FAILS(sn_io_export_open(&def, &e), SN_ERROR_FILE);
    CHECK(!e && is_full());
}

/* A disk that becomes full after so many bytes, as files cannot become longer than that. */
static void limit_files(rlim_t bytes) {
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    signal(SIGXFSZ, SIG_IGN);
}

TEST(a_cache_keeps_what_fits) {
    sn_io_cache *cache = NULL;
    int written = 0;
    folder_clear(scratch);
    sn_io_export *e = open_export(scratch, "cache");
    limit_files(5000);
    while (written < ANIMATION_FRAMES && add_frame(e, written) == SN_OK) written++;
    CHECK(written >= 2 && written < ANIMATION_FRAMES);
    CHECK(strstr(sn_last_error(), "cannot write") && strstr(sn_last_error(), "demo.snc"));
    CHECK_FAILS(add_frame(e, written), SN_ERROR_FILE);
    limit_files(RLIM_INFINITY);
    CHECK_OK(sn_io_export_close(e));
    CHECK(sn_io_export_frame_count(e) == (size_t)written);
    sn_io_export_free(e);
    uint64_t found = folder_hash(scratch);
    CHECK(found == hash_of_frames("cache", (int[]){0, 1, 2, 3, 4, 5}, (size_t)written));
    REQUIRE_OK(sn_io_cache_open("export_failure_scratch/demo.snc", &cache));
    CHECK(sn_io_cache_get_info(cache).frame_count == (size_t)written);
    CHECK(sn_io_cache_get_info(cache).complete);
    sn_io_cache_close(cache);
}

/* The same for frames that wait: what came before is written when there is room again. */
TEST(frames_that_wait_are_not_lost) {
    static const char *const formats[] = {"usda", "glb", "pc2"};
    for (size_t i = 0; i < 3; i++) {
        int written = 0;
        check_case("%s", formats[i]);
        folder_clear(scratch);
        sn_io_export *e = open_export(scratch, formats[i]);
        limit_files(i == 0 ? 9000 : 1500);
        while (written < ANIMATION_FRAMES && add_frame(e, written) == SN_OK) written++;
        CHECK(written >= 2 && written < ANIMATION_FRAMES);
        limit_files(RLIM_INFINITY);
        CHECK_OK(sn_io_export_close(e));
        sn_io_export_free(e);
        uint64_t found = folder_hash(scratch);
        CHECK(found == hash_of_frames(formats[i], (int[]){0, 1, 2, 3, 4, 5}, (size_t)written));
    }
}

TEST(a_folder_that_cannot_be_written_to_is_named) {
    size_t count;
    const sn_io_export_format *formats = sn_io_export_formats(&count);
    for (size_t i = 0; i < count; i++) {
        /* Nobody makes files there, not even root. */
        sn_io_export_def def = sn_io_export_def_default();
        sn_io_export *e = NULL;
        check_case("%s", formats[i].name);
        def.format = formats[i].name;
        def.folder = "/proc/self";
        sn_result result = sn_io_export_open(&def, &e);
        if (result == SN_OK) result = add_frame(e, 0);
        CHECK(result == SN_ERROR_FILE && strstr(sn_last_error(), "cannot write \"/proc/self/"));
        sn_io_export_free(e);
        def.folder = "/dev/null";
        CHECK_FAILS(sn_io_export_open(&def, &e), SN_ERROR_FILE);
        CHECK(strstr(sn_last_error(), "\"/dev/null\" is not a folder"));
    }
}

/* What is in the way of the one file is said before, and what is there is left as it is. */
TEST(a_check_says_what_opening_or_closing_would) {
    static const char *const formats[] = {"usda", "glb", "vtu", "cache"};
    static file_list list;
    sn_io_export_def def = sn_io_export_def_default();
    def.folder = scratch;
    def.name = "demo";
    CHECK_FAILS(sn_io_export_check(NULL), SN_ERROR_NULL);
    for (size_t i = 0; i < 4; i++) {
        char name[64], path[512];
        check_case("%s", formats[i]);
        def.format = formats[i];
        snprintf(name, sizeof name, "demo%s", sn_io_export_find_format(formats[i])->extension);
        snprintf(path, sizeof path, "%s/%s", scratch, name);
        folder_clear(scratch);
        CHECK_OK(sn_io_export_check(&def));
        folder_list(scratch, &list);
        CHECK(list.count == 0);
        fill_disk(name);
        CHECK_FAILS(sn_io_export_check(&def), SN_ERROR_FILE);
        CHECK(is_full());
        folder_clear(scratch);
        REQUIRE_OK(sn_io_folder_make(path));
        CHECK_FAILS(sn_io_export_check(&def), SN_ERROR_FILE);
        CHECK(strstr(sn_last_error(), "Is a directory"));
        CHECK(rmdir(path) == 0);
    }
    def.format = "none";
    CHECK_FAILS(sn_io_export_check(&def), SN_ERROR_NAME);
}

TEST(what_is_given_up_leaves_nothing_unfinished) {
    static const char *const formats[] = {"usda", "glb", "pc2"};
    for (size_t i = 0; i < 3; i++) {
        static file_list list;
        check_case("%s", formats[i]);
        folder_clear(scratch);
        sn_io_export *e = open_export(scratch, formats[i]);
        for (int k = 0; k < 3; k++) CHECK_OK(add_frame(e, k));
        sn_io_export_free(e);
        folder_list(scratch, &list);
        CHECK(list.count == 0);
    }
}

/* In another process: writes three frames in all formats, and dies. */
static void write_and_die(void) {
    size_t count;
    const sn_io_export_format *formats = sn_io_export_formats(&count);
    sn_io_export *all[16];
    for (size_t i = 0; i < count; i++) all[i] = open_export(scratch, formats[i].name);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < count; i++) REQUIRE_OK(add_frame(all[i], k));
    raise(SIGKILL);
}

TEST(a_killed_program_leaves_whole_files_alone) {
    int status = 0;
    sn_io_cache *cache = NULL;
    folder_clear(scratch);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) write_and_die();
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    CHECK(!folder_has_parts(scratch));
    for (int k = 0; k < 3; k++) {
        char name[64];
        snprintf(name, sizeof name, "demo_%04d.vtu", k);
        CHECK(folder_has(scratch, name));
    }
    CHECK(folder_has(scratch, "demo.pvd") && !folder_has(scratch, "demo.usda"));
    REQUIRE_OK(sn_io_cache_open("export_failure_scratch/demo.snc", &cache));
    sn_io_cache_info info = sn_io_cache_get_info(cache);
    CHECK(info.frame_count == 3 && !info.complete && info.lost == 0);
    sn_io_cache_close(cache);
}

TESTS(RUN(a_full_disk_in_a_frame_costs_that_frame),
      RUN(a_full_disk_from_the_beginning_leaves_nothing),
      RUN(a_full_disk_at_the_end_leaves_what_was_complete),
      RUN(a_cache_on_a_full_disk_cannot_begin), RUN(a_cache_keeps_what_fits),
      RUN(frames_that_wait_are_not_lost), RUN(a_folder_that_cannot_be_written_to_is_named),
      RUN(a_check_says_what_opening_or_closing_would),
      RUN(what_is_given_up_leaves_nothing_unfinished),
      RUN(a_killed_program_leaves_whole_files_alone))
