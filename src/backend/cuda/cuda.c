/*
 * The host side: what lies where, and what travels when.
 *
 *   a step begins    blocks and soft rows go up
 *   work             arrays of nodes and frames go up where the host has them; then it is launched,
 *                    and the device does it in that order
 *   a fetch          the arrays that kernels have written come down
 *   a step ends      the same, and multipliers that are kept
 *
 * A device that fails is not used any more, and the log says so. The step in which it failed is
 * wrong, and sn_cuda_wait says that too.
 */
#include "backend/cuda/cuda.h"

#include "backend/cuda/device.h"
#include "base/error.h"
#include "state/system.h"
#include "step/integrators/integrator.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 16 };

/* The arrays that kernels see. */
typedef enum array { X, D, P, V, W, Q, START, TURN, ARRAYS } array;

typedef struct mirror {
    sn_buffer buffer;
    bool there;   /* whether the device has what the host had */
    bool written; /* whether a kernel has changed it since */
} mirror;

/* A colour of a store. */
typedef struct copy {
    sn_buffer block, soft, lambda;
    bool written; /* whether it was projected in this step */
} copy;

/* The kernels of a type, by softness and whether multipliers are kept. */
typedef struct kernels {
    void *project[SN_SOFTNESS_COUNT][2];
} kernels;

struct sn_cuda {
    sn_backend backend;
    sn_device device;
    sn_memory memory;                    /* of the host */
    void **module;                       /* as sn_cuda_modules */
    kernels *kernels;                    /* likewise */
    void *update, *predict[2], *both[2]; /* kernels of integration; the second of two is special */
    sn_world *world;
    mirror array[ARRAYS];
    sn_buffer spoiled;        /* a word */
    copy (*copy)[SN_COLOURS]; /* by store */
    size_t stores;
    sn_cuda_work done;
};

/* ---- Arrays ---- */

static void *host_array(const sn_world *world, array i) {
    const sn_nodes *nodes = &world->nodes;
    const sn_frames *frames = &world->frames;
    void *const all[ARRAYS] = {
        [X] = nodes->x, [D] = nodes->d,  [P] = nodes->p,          [V] = nodes->v,
        [W] = nodes->w, [Q] = frames->q, [START] = frames->start, [TURN] = frames->turn};
    return all[i];
}

static size_t element_bytes(array i) {
    return i == W ? sizeof(sn_real) : sizeof(sn_vec4);
}

/* How many there are, without those before index 0. */
static size_t array_count(const sn_world *world, array i) {
    return i < Q ? world->nodes.slots.count : world->frames.slots.count;
}

/* Of an array with those before index 0; nothing where it has no others. */
static size_t array_bytes(const sn_world *world, array i) {
    size_t count = array_count(world, i);
    return count > 0 ? (count + SN_NODE_FRONT) * element_bytes(i) : 0;
}

/* Index 0 of an array there. */
static void *device_array(const sn_cuda *cuda, array i) {
    return (char *)sn_buffer_pointer(&cuda->array[i].buffer) + SN_NODE_FRONT * element_bytes(i);
}

/* Brings arrays to the device, where kernels are to change the first `changed` of them. */
static bool bring(sn_cuda *cuda, const array *list, size_t count, size_t changed) {
    bool done = true;
    for (size_t n = 0; done && n < count; n++) {
        array i = list[n];
        mirror *m = &cuda->array[i];
        size_t bytes = array_bytes(cuda->world, i), front = SN_NODE_FRONT * element_bytes(i);
        if (bytes == 0) continue;
        if (!m->there)
            done = sn_buffer_put(&cuda->device, &m->buffer,
                                 (const char *)host_array(cuda->world, i) - front, bytes);
        m->there = done;
        m->written |= n < changed;
    }
    return done;
}

/* The part of the state that an array belongs to. */
static uint32_t state_of(array i) {
    return i == V ? SN_STATE_VELOCITIES : i < Q ? SN_STATE_POSITIONS : SN_STATE_FRAMES;
}

static void fetch(sn_backend *backend, uint32_t state) {
    sn_cuda *cuda = (sn_cuda *)backend;
    for (array i = 0; i < ARRAYS; i++) {
        mirror *m = &cuda->array[i];
        if (!(state_of(i) & state)) continue;
        size_t bytes = array_count(cuda->world, i) * element_bytes(i);
        if (m->written)
            sn_buffer_get(&cuda->device, &m->buffer, SN_NODE_FRONT * element_bytes(i),
                          host_array(cuda->world, i), bytes);
        m->there = m->written = false;
    }
}

/* ---- Constraints ---- */

/* Those of a listed type, or null; the first module integrates. */
static const kernels *kernels_of(const sn_cuda *cuda, const sn_store *store) {
    bool listed = store->type->bytes == 0;
    for (size_t i = 1; listed && i < sn_cuda_module_count; i++)
        if (strcmp(sn_cuda_modules[i].name, store->type->info.name) == 0) return &cuda->kernels[i];
    return NULL;
}

static bool begin_colour(sn_cuda *cuda, const sn_store *store, const sn_colour *c, copy *to) {
    sn_device *device = &cuda->device;
    size_t blocks = sn_colour_blocks(c), block_bytes = blocks * sn_block_bytes(store->type);
    size_t soft_bytes = blocks * SN_SOFT_ROWS * BLOCK * sizeof(sn_real);
    to->written = false;
    return blocks == 0 ||
           (sn_buffer_reserve(device, &to->block, block_bytes) &&
            sn_buffer_reserve(device, &to->soft, soft_bytes) &&
            sn_buffer_reserve(device, &to->lambda, blocks * BLOCK * sn_lambda_bytes(store->type)) &&
            sn_buffer_put(device, &to->block, c->block, block_bytes) &&
            sn_buffer_put(device, &to->soft, c->soft, soft_bytes));
}

static bool begin(sn_backend *backend, sn_world *world) {
    sn_cuda *cuda = (sn_cuda *)backend;
    cuda->world = world;
    bool room = sn_device_use(&cuda->device) &&
                sn_reserve(&cuda->memory, (void **)&cuda->copy, &cuda->stores, world->store_count,
                           sizeof *cuda->copy);
    for (array i = 0; room && i < ARRAYS; i++) {
        cuda->array[i].there = cuda->array[i].written = false;
        room = sn_buffer_reserve(&cuda->device, &cuda->array[i].buffer, array_bytes(world, i));
    }
    for (size_t s = 0; room && s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        for (int c = 0; room && kernels_of(cuda, store) && c < SN_SEQUENTIAL; c++)
            room = begin_colour(cuda, store, &store->colour[c], &cuda->copy[s][c]);
    }
    return room;
}

/* What the loops see of a colour there. */
static sn_batch batch_of(const sn_cuda *cuda, const copy *c, bool first) {
    return (sn_batch){.x = device_array(cuda, X),
                      .d = device_array(cuda, D),
                      .out = device_array(cuda, D),
                      .p = device_array(cuda, P),
                      .q = device_array(cuda, Q),
                      .start = device_array(cuda, START),
                      .turn = device_array(cuda, TURN),
                      .block = sn_buffer_pointer(&c->block),
                      .soft = sn_buffer_pointer(&c->soft),
                      .lambda = sn_buffer_pointer(&c->lambda),
                      .first = first};
}

static bool project(sn_backend *backend, const sn_offload *work) {
    static const array seen[] = {D, Q, TURN, X, P, START};
    sn_cuda *cuda = (sn_cuda *)backend;
    const sn_store *store = work->store;
    const kernels *k = kernels_of(cuda, store);
    if (!k || !bring(cuda, seen, 6, 3)) return false;
    copy *c = &cuda->copy[store - cuda->world->store][work->colour];
    sn_batch batch = batch_of(cuda, c, work->first);
    uint32_t count = (uint32_t)store->colour[work->colour].count;
    void *parameter[] = {&batch, &count};
    c->written = true;
    cuda->done.projections += count;
    return sn_device_launch(&cuda->device, k->project[work->softness][store->kept], count,
                            parameter);
}

static void end(sn_backend *backend) {
    sn_cuda *cuda = (sn_cuda *)backend;
    fetch(backend, UINT32_MAX);
    for (size_t s = 0; s < cuda->world->store_count; s++) {
        const sn_store *store = &cuda->world->store[s];
        for (int i = 0; store->kept && i < SN_SEQUENTIAL; i++) {
            const sn_colour *c = &store->colour[i];
            const copy *from = &cuda->copy[s][i];
            if (from->written)
                sn_buffer_get(&cuda->device, &from->lambda, 0, c->lambda,
                              c->count * sn_lambda_bytes(store->type));
        }
    }
    if (cuda->device.failed)
        sn_world_say(cuda->world, SN_LOG_ERROR, "cuda: this step is wrong: %s",
                     cuda->device.failure);
}

/* ---- Time integration ---- */

static bool integrate(sn_backend *backend, const sn_segment *segment, const sn_integration *from,
                      bool update, bool predict) {
    static const array seen[] = {X, D, P, V, W};
    sn_cuda *cuda = (sn_cuda *)backend;
    sn_nodes nodes = {.x = device_array(cuda, X),
                      .d = device_array(cuda, D),
                      .p = device_array(cuda, P),
                      .v = device_array(cuda, V),
                      .w = device_array(cuda, W)};
    sn_integration how = *from;
    uint32_t begins = segment->begin, ends = segment->end, spoiled = 0;
    void *flag = sn_buffer_pointer(&cuda->spoiled);
    void *parameter[] = {&nodes, &how, &begins, &ends, &flag};
    void *kernel = !predict ? cuda->update
                   : update ? cuda->both[how.special]
                            : cuda->predict[how.special];
    bool done = bring(cuda, seen, 5, 4) &&
                sn_device_launch(&cuda->device, kernel, ends - begins, parameter);
    cuda->done.integrations += ends - begins;
    /* Nothing that is predicted is asked whether it is finite. */
    if (done && update) sn_buffer_get(&cuda->device, &cuda->spoiled, 0, &spoiled, sizeof spoiled);
    if (spoiled) sn_buffer_put(&cuda->device, &cuda->spoiled, &(uint32_t){0}, sizeof spoiled);
    return spoiled == 0;
}

/* ---- Life ---- */

static sn_result load_type(sn_cuda *cuda, size_t number) {
    static const char *const softness[SN_SOFTNESS_COUNT] = {"hard", "compliant"};
    char name[128];
    for (int i = 0; i < 2 * SN_SOFTNESS_COUNT; i++) {
        snprintf(name, sizeof name, "%s_%s%s", sn_cuda_modules[number].name, softness[i / 2],
                 i % 2 ? "_kept" : "");
        SN_TRY(sn_device_kernel(&cuda->device, cuda->module[number], name,
                                &cuda->kernels[number].project[i / 2][i % 2]));
    }
    return SN_OK;
}

static sn_result load_integration(sn_cuda *cuda) {
    struct {
        const char *name;
        void **kernel;
    } list[] = {{"integrate_update", &cuda->update},
                {"integrate_predict", &cuda->predict[0]},
                {"integrate_predict_special", &cuda->predict[1]},
                {"integrate_both", &cuda->both[0]},
                {"integrate_both_special", &cuda->both[1]}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        SN_TRY(sn_device_kernel(&cuda->device, cuda->module[0], list[i].name, list[i].kernel));
    return SN_OK;
}

static sn_result load_all(sn_cuda *cuda) {
    for (size_t i = 0; i < sn_cuda_module_count; i++) {
        SN_TRY(sn_device_load(&cuda->device, &sn_cuda_modules[i], &cuda->module[i]));
        SN_TRY(i == 0 ? load_integration(cuda) : load_type(cuda, i));
    }
    const uint32_t zero = 0;
    if (!sn_buffer_reserve(&cuda->device, &cuda->spoiled, sizeof zero) ||
        !sn_buffer_put(&cuda->device, &cuda->spoiled, &zero, sizeof zero))
        return sn_fail(SN_ERROR_MEMORY, "cuda: the device has no memory");
    return SN_OK;
}

sn_result sn_cuda_open(const char *driver, sn_cuda **out) {
    sn_memory memory = {sn_allocator_default(), 0};
    sn_cuda *cuda = sn_allocate(&memory, 1, sizeof *cuda);
    if (!cuda) return SN_ERROR_MEMORY;
    *cuda = (sn_cuda){.backend = {begin, project, integrate, fetch, end}, .memory = memory};
    cuda->module = sn_allocate(&cuda->memory, sn_cuda_module_count, sizeof *cuda->module);
    cuda->kernels = sn_allocate(&cuda->memory, sn_cuda_module_count, sizeof *cuda->kernels);
    sn_result result = cuda->module && cuda->kernels ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) result = sn_device_open(&cuda->device, driver);
    if (result == SN_OK) result = load_all(cuda);
    if (result == SN_OK)
        *out = cuda;
    else
        sn_cuda_close(cuda);
    return result;
}

static void free_buffers(sn_cuda *cuda) {
    sn_device *device = &cuda->device;
    sn_buffer_free(device, &cuda->spoiled);
    for (array i = 0; i < ARRAYS; i++) sn_buffer_free(device, &cuda->array[i].buffer);
    for (size_t s = 0; s < cuda->stores; s++) {
        for (int c = 0; c < SN_COLOURS; c++) {
            sn_buffer_free(device, &cuda->copy[s][c].block);
            sn_buffer_free(device, &cuda->copy[s][c].soft);
            sn_buffer_free(device, &cuda->copy[s][c].lambda);
        }
    }
}

void sn_cuda_close(sn_cuda *cuda) {
    if (!cuda) return;
    sn_memory memory = cuda->memory;
    if (cuda->device.context) {
        sn_device_use(&cuda->device);
        free_buffers(cuda);
        for (size_t i = 0; i < sn_cuda_module_count; i++)
            sn_device_unload(&cuda->device, cuda->module[i]);
    }
    sn_device_close(&cuda->device);
    sn_free(&memory, cuda->copy, cuda->stores, sizeof *cuda->copy);
    sn_free(&memory, cuda->kernels, sn_cuda_module_count, sizeof *cuda->kernels);
    sn_free(&memory, cuda->module, sn_cuda_module_count, sizeof *cuda->module);
    sn_free(&memory, cuda, 1, sizeof *cuda);
}

void sn_cuda_lend(sn_cuda *cuda, sn_world *world) {
    world->bindings.backend = cuda ? &cuda->backend : NULL;
}

const char *sn_cuda_name(const sn_cuda *cuda) {
    return cuda->device.name;
}

sn_cuda_work sn_cuda_done(const sn_cuda *cuda) {
    return cuda->done;
}

bool sn_cuda_wait(sn_cuda *cuda) {
    return sn_device_wait(&cuda->device);
}
