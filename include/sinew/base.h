/*
 * Numbers, results, memory, threads and messages: what every other header of Sinew builds on.
 *
 * All quantities are in SI units: metre, kilogram, second, newton, radian.
 */
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Symbols ---- */

/* Before every public function: makes it visible outside a shared library. */
#if defined(SN_STATIC)
#define SN_API
#elif defined(_WIN32)
#ifdef SN_BUILD
#define SN_API __declspec(dllexport)
#else
#define SN_API __declspec(dllimport)
#endif
#else
#define SN_API __attribute__((visibility("default")))
#endif

/* ---- Version ---- */

/* The version of these headers. The library is versioned semantically; see CHANGELOG.md. */
#define SN_VERSION_MAJOR 0
#define SN_VERSION_MINOR 1
#define SN_VERSION_PATCH 0

/* The version of the library that is linked, which may be newer than these headers. */
typedef struct sn_version {
    int major;
    int minor;
    int patch;
} sn_version;

/* The version of the linked library. */
SN_API sn_version sn_version_get(void);

/* ---- Numbers ---- */

/*
 * The number type of the whole library: float, or double where SN_DOUBLE is defined. Caller and
 * library must agree, and the linker sees to it: in double, the calls that everything begins with
 * have other names, so that a program and a library that differ do not link.
 */
#ifdef SN_DOUBLE
typedef double sn_real;
#define SN_REAL_MAX DBL_MAX
#define sn_world_create sn_world_create_f64
#define sn_world_step sn_world_step_f64
#define sn_node_create sn_node_create_f64
#define sn_nodes_create sn_nodes_create_f64
#define sn_constraint_create sn_constraint_create_f64
#define sn_constraints_create sn_constraints_create_f64
#else
typedef float sn_real;
#define SN_REAL_MAX FLT_MAX
#endif

/* A point or a direction. */
typedef struct sn_vec3 {
    sn_real x, y, z;
} sn_vec3;

/* How vectors lie in memory that the library shows: the fourth number is padding and zero. */
typedef struct sn_vec4 {
    sn_real x, y, z, w;
} sn_vec4;

/* A rotation as a unit quaternion: w + x i + y j + z k. */
typedef struct sn_quat {
    sn_real x, y, z, w;
} sn_quat;

/*
 * A value that asks the library to choose: a rest length is then measured from the nodes, a limit
 * is absent. Each field says what SN_AUTO means for it.
 */
#define SN_AUTO (-SN_REAL_MAX)

/* A world, to be used through its pointer only (sinew/world.h). */
typedef struct sn_world sn_world;

/* ---- Results ---- */

/*
 * Every call that can fail returns one of these. A call that does not return SN_OK has changed
 * nothing, and sn_last_error() has a sentence that names the object, the value and what was
 * expected.
 */
#define SN_RESULTS(RESULT)                                                                         \
    RESULT(SN_OK, 0, "success")                                                                    \
    RESULT(SN_ERROR_NULL, 1, "a pointer that is required is null")                                 \
    RESULT(SN_ERROR_DEFINITION, 2, "a definition was not made by its default function")            \
    RESULT(SN_ERROR_VALUE, 3, "a value is not finite or outside its range")                        \
    RESULT(SN_ERROR_ID, 4, "an id is null or was never given out")                                 \
    RESULT(SN_ERROR_STALE, 5, "an id names an object that was destroyed")                          \
    RESULT(SN_ERROR_FOREIGN, 6, "an id belongs to another world")                                  \
    RESULT(SN_ERROR_DEGENERATE, 7, "the shape is degenerate, so the constraint has no meaning")    \
    RESULT(SN_ERROR_MEMORY, 8, "the allocator returned no memory")                                 \
    RESULT(SN_ERROR_LIMIT, 9, "a limit of the library is exceeded")                                \
    RESULT(SN_ERROR_LOCKED, 10, "the world is inside a step and cannot be changed")                \
    RESULT(SN_ERROR_NAME, 11, "no field or type has that name")                                    \
    RESULT(SN_ERROR_DATA, 12, "the data is damaged, or is not what it should be")                  \
    RESULT(SN_ERROR_FILE, 13, "a file cannot be opened, read or written")

/* What a call came to; the list above says what each result means. */
typedef enum sn_result {
#define SN_RESULT_ENUM(name, number, sentence) name = number,
    SN_RESULTS(SN_RESULT_ENUM)
#undef SN_RESULT_ENUM
} sn_result;

/* The name of a result as it is written in C, such as "SN_ERROR_STALE". Never null. */
SN_API const char *sn_result_name(sn_result result);

/* What a result means, as a sentence without a full stop. Never null. */
SN_API const char *sn_result_sentence(sn_result result);

/*
 * The sentence of the last call on this thread that failed, such as "distance: rest_length is -1,
 * expected at least 0 m". It stays until the next failure on this thread; empty before the first.
 */
SN_API const char *sn_last_error(void);

/* ---- Memory ---- */

/*
 * The allocator of a world. One function does everything: with new_size 0 it frees `pointer`, with
 * old_size 0 (and a null pointer) it allocates, otherwise it resizes and keeps the contents. The
 * result is aligned to 64 bytes; null means out of memory, and the old block is then still valid.
 * Sizes are exact, so accounting needs no header. Called only from the thread that called Sinew.
 */
typedef struct sn_allocator {
    void *(*reallocate)(void *user, void *pointer, size_t old_size, size_t new_size);
    void *user;
} sn_allocator;

/* The one that stands for none: that of the C library. */
SN_API sn_allocator sn_allocator_default(void);

/* ---- Threads ---- */

/* A piece of work that Sinew asks the host to run. */
typedef void sn_task(void *context);

/*
 * The host's own threads, instead of the built-in pool.
 *
 * At the beginning of a step `start` is called `threads - 1` times on the stepping thread. Each
 * call asks the host to run task(context) once, on another thread, now or later; it returns a
 * handle. At the end of the step `finish` is called for every handle, in the same order, and must
 * return only when that task has returned. A task that begins late, or never before `finish`,
 * costs speed but not correctness: the other threads do its share, and it then returns at once.
 * Tasks do not block on anything but the stepping thread's progress. Results do not depend on the
 * number of threads or on who runs what.
 */
typedef struct sn_task_system {
    void *(*start)(void *user, sn_task *task, void *context);
    void (*finish)(void *user, void *handle);
    void *user;
} sn_task_system;

/* ---- Messages ---- */

/* How much a message matters. */
typedef enum sn_log_level { SN_LOG_INFO = 0, SN_LOG_WARNING = 1, SN_LOG_ERROR = 2 } sn_log_level;

/*
 * Receives what the library has to say of its own accord (a parameter without effect, a fallback),
 * a sentence at a time. Called on the thread that called Sinew. The text lives during the call.
 */
typedef void sn_log(void *user, sn_log_level level, const char *sentence);

#ifdef __cplusplus
}
#endif

#endif
