#include "memory.h"

#include <stdint.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED /* whose shadows take more than there is, without filling it */
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#ifdef __wasi__

static uint64_t limit_memory(void) {
    return UINT32_MAX;
}

#else

#include <sys/resource.h>
#include <unistd.h>

/* Bytes that this process may have. */
static uint64_t limit_memory(void) {
    struct rlimit limit;
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || size <= 0 || getrlimit(RLIMIT_DATA, &limit) != 0) return UINT64_MAX;
    /* Some of it is taken already. */
    uint64_t memory = (uint64_t)pages * (uint64_t)size / 10 * 9;
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= memory) return limit.rlim_cur;
#ifndef SANITIZED
    limit.rlim_cur = (rlim_t)memory;
    (void)setrlimit(RLIMIT_DATA, &limit); /* without it the number of nodes is limited alone */
#endif
    return memory;
}

#endif

/* What a node takes at the least: particles of liquids and hair have about 500 bytes, nodes of
   cloth that touches itself 2,100. */
enum { BYTES_OF_NODE = 400 };

void memory_limit(void) {
    (void)limit_memory();
}

sn_scene_def memory_scene_def(void) {
    sn_scene_def def = sn_scene_def_default();
    uint64_t most = limit_memory() / BYTES_OF_NODE;
    if (most < def.most_nodes) def.most_nodes = (size_t)most;
    return def;
}
