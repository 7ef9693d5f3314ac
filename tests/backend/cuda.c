/*
 * The backend for GPUs against the threads: the same scenes, and every bit of what they end in. On
 * a machine with a GPU it prints the tables of docs/backends.md.
 *
 *     backend_cuda [--driver LIBRARY] [--probe] [--none] [--bench] [--print]
 *
 * --probe says whether there is a device, and no more; --none expects it to have too little memory,
 * and the threads to do everything; --bench measures as well; --print prints the golden hashes
 * anew. Without a device the scenes run on the threads alone, against their hashes, and the exit
 * code says that the rest was skipped.
 */
#include "backend/cuda/cuda.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cuda_bench.h"
#include "cuda_hashes.h"
#include "cuda_scenes.h"
#include "state/world.h"

enum { FRAMES = 6, SKIPPED = 77 };

typedef struct options {
    const char *driver;
    bool probe, none, bench, print;
} options;

static int failures;

static void fail(const char *what) {
    printf("FAILED: %s\n", what);
    failures++;
}

/* ---- Words ---- */

/* How many words of 32 bits were compared, and how many differ. */
typedef struct words {
    size_t count, differ;
} words;

static void compare_words(words *w, const void *a, const void *b, size_t bytes) {
    const uint32_t *left = a, *right = b;
    for (size_t i = 0; i < bytes / sizeof *left; i++) w->differ += left[i] != right[i];
    w->count += bytes / sizeof *left;
}

static void compare_stores(words *w, const sn_store *a, const sn_store *b) {
    for (int c = 0; a->kept && c < SN_COLOURS; c++)
        compare_words(w, a->colour[c].lambda, b->colour[c].lambda,
                      a->colour[c].count * sn_lambda_bytes(a->type));
}

/* All that a step changes: motion, orientations, multipliers. */
static words compare_worlds(const sn_world *a, const sn_world *b) {
    words w = {0};
    size_t nodes = a->nodes.slots.count * sizeof(sn_vec4);
    size_t frames = a->frames.slots.count * sizeof(sn_vec4);
    compare_words(&w, a->nodes.x, b->nodes.x, nodes);
    compare_words(&w, a->nodes.d, b->nodes.d, nodes);
    compare_words(&w, a->nodes.p, b->nodes.p, nodes);
    compare_words(&w, a->nodes.v, b->nodes.v, nodes);
    compare_words(&w, a->frames.q, b->frames.q, frames);
    compare_words(&w, a->frames.turn, b->frames.turn, frames);
    compare_words(&w, a->frames.omega, b->frames.omega, frames);
    for (size_t s = 0; s < a->store_count; s++) compare_stores(&w, &a->store[s], &b->store[s]);
    return w;
}

/* ---- Runs ---- */

/* With `kept`, three sweeps of which one goes back, and multipliers; and what makes the integrator
   do more than gravity. */
static sn_world *make_world(const cuda_scene *scene, cuda_softness softness, bool kept) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = 4;
    def.settings.iterations = kept ? 3 : 1;
    def.settings.alternate = kept;
    def.settings.keep_forces = kept;
    def.settings.damping = kept ? (sn_real)0.25 : 0;
    def.settings.speed_limit = kept ? 8 : SN_AUTO;
    REQUIRE_OK(sn_world_create(&def, &world));
    scene->build(world, softness);
    return world;
}

/* What runs of a scene add up to. */
typedef struct total {
    int runs, equal;              /* of the latter, all bits are */
    uint64_t projections, passes; /* of constraints, and of the integrator over a node */
    sn_cuda_work done;            /* by the device */
    words words;
} total;

static void print_run(const options *o, const char *name, const total *t, uint64_t threads,
                      uint64_t device) {
    if (o->print)
        printf("    0x%016" PRIx64 ", /* %s */\n", threads, name);
    else
        printf("%-36s threads %016" PRIx64 "  device %016" PRIx64 "  %zu of %zu words differ\n",
               name, threads, device, t->words.differ, t->words.count);
}

/* Whether the device did what is its to do. Dashpots are the threads', and so are velocities that
   they change. */
static bool did_its_part(const options *o, const cuda_scene *scene, bool damped, const total *t) {
    const sn_cuda_work *done = &t->done;
    if (o->none) return done->projections + done->integrations == 0;
    if (done->integrations != (scene->resident && !damped ? t->passes : 0)) return false;
    if (!scene->shared) return done->projections == t->projections;
    return done->projections > 0 && done->projections < t->projections;
}

/* Plays a scene on the threads and, unless null, on the device, frame by frame. */
static total play(sn_cuda *cuda, const options *o, int scene, cuda_softness softness, bool kept) {
    static const char *const loops[] = {"hard", "compliant", "damped"};
    const cuda_scene *s = &cuda_scenes[scene];
    sn_world *threads = make_world(s, softness, kept), *device = make_world(s, softness, kept);
    total t = {.runs = 1};
    sn_cuda_work before = cuda ? sn_cuda_done(cuda) : t.done;
    bool same = true, frozen = false;
    char name[128];
    if (cuda) sn_cuda_lend(cuda, device);
    for (int i = 0; i < FRAMES; i++) {
        REQUIRE_OK(sn_world_step(threads, (sn_real)(1.0 / 60)));
        REQUIRE_OK(sn_world_step(device, (sn_real)(1.0 / 60)));
        same &= sn_world_hash(threads) == sn_world_hash(device);
        frozen |= device->output.freezes > 0;
        t.projections += device->output.stats.projections;
        t.passes += device->output.stats.nodes * (device->output.stats.substeps + 1);
    }
    if (cuda) {
        t.done = sn_cuda_done(cuda);
        t.done.projections -= before.projections;
        t.done.integrations -= before.integrations;
    }
    t.words = compare_worlds(threads, device);
    t.equal = same && t.words.differ == 0;
    snprintf(name, sizeof name, "%s, %s%s", s->name, loops[softness], kept ? ", kept" : "");
    print_run(o, name, &t, sn_world_hash(threads), sn_world_hash(device));
    if (!o->print &&
        sn_world_hash(threads) != cuda_hashes[(scene * CUDA_SOFTNESSES + (int)softness) * 2 + kept])
        fail("the threads have another hash than the golden one");
    if (frozen != (s->spoiled && !kept))
        fail("what should be frozen is not, or the other way round");
    if (!t.equal) fail("device and threads differ");
    if (cuda && !did_its_part(o, s, softness == CUDA_DAMPED, &t))
        fail("the device has not done its part");
    sn_world_destroy(threads);
    sn_world_destroy(device);
    return t;
}

static void add(total *to, total t) {
    to->runs += t.runs;
    to->equal += t.equal;
    to->projections += t.projections;
    to->passes += t.passes;
    to->done.projections += t.done.projections;
    to->done.integrations += t.done.integrations;
    to->words.count += t.words.count;
    to->words.differ += t.words.differ;
}

static void print_totals(const total totals[CUDA_SCENES]) {
    printf(
        "\n| scene | runs | equal | projections | on the device | integrations | on the device | "
        "words | that differ |\n|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < CUDA_SCENES; i++) {
        const total *t = &totals[i];
        printf("| %s | %d | %d | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64
               " | %zu | %zu |\n",
               cuda_scenes[i].name, t->runs, t->equal, t->projections, t->done.projections,
               t->passes, t->done.integrations, t->words.count, t->words.differ);
    }
}

static void play_all(sn_cuda *cuda, const options *o) {
    total totals[CUDA_SCENES] = {0};
    for (int scene = 0; scene < CUDA_SCENES; scene++)
        for (int softness = 0; softness < CUDA_SOFTNESSES; softness++)
            for (int kept = 0; kept < 2; kept++)
                add(&totals[scene], play(cuda, o, scene, (cuda_softness)softness, kept == 1));
    if (cuda) print_totals(totals);
    if (cuda && !sn_cuda_wait(cuda)) fail("the device has failed");
}

static options read_options(int argc, char **argv) {
    options o = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--driver") == 0 && i + 1 < argc) o.driver = argv[++i];
        o.probe |= strcmp(argv[i], "--probe") == 0;
        o.none |= strcmp(argv[i], "--none") == 0;
        o.bench |= strcmp(argv[i], "--bench") == 0;
        o.print |= strcmp(argv[i], "--print") == 0;
        if (strcmp(argv[i], "--help") == 0) {
            puts("backend_cuda [--driver LIBRARY] [--probe] [--none] [--bench] [--print]");
            exit(0);
        }
    }
    return o;
}

int main(int argc, char **argv) {
    options o = read_options(argc, argv);
    sn_cuda *cuda = NULL;
    sn_result result = o.print ? SN_ERROR_FILE : sn_cuda_open(o.driver, &cuda);
    if (result == SN_ERROR_DATA) fail(sn_last_error());
    if (!o.print) printf("device: %s\n\n", cuda ? sn_cuda_name(cuda) : sn_last_error());
    if (!o.probe) play_all(cuda, &o);
    if (cuda && o.bench && !cuda_bench(cuda))
        fail("device and threads differ where they are timed");
    sn_cuda_close(cuda);
    if (!o.print) printf("\n%d failures%s\n", failures, cuda ? "" : "; no device, skipped");
    return failures > 0 ? 1 : cuda || o.print ? 0 : SKIPPED;
}
