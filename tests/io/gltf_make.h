/* Small GLB files for tests: accessors are added, and a file is made around them. */
#ifndef SINEW_TESTS_IO_GLTF_MAKE_H
#define SINEW_TESTS_IO_GLTF_MAKE_H

#include <stddef.h>
#include <stdint.h>

typedef struct gltf {
    char accessors[4096], views[4096];
    unsigned char binary[65536];
    size_t count, size;
} gltf;

void gltf_begin(gltf *g);

/* An accessor of floats, `count` elements of a type such as "VEC3"; its number. */
size_t gltf_reals(gltf *g, const char *type, size_t count, const float *values);

/* An accessor of bytes (5121) or of whole numbers of two (5123). */
size_t gltf_bytes(gltf *g, const char *type, size_t count, const uint8_t *values);
size_t gltf_shorts(gltf *g, const char *type, size_t count, const uint16_t *values);

/* The file with this between the head and the accessors, such as "\"nodes\":[...]"; its bytes, to
   be freed. */
unsigned char *gltf_end(gltf *g, const char *json, size_t *size);

#endif
