/* What the tests of mesh files share. */
#ifndef SINEW_TESTS_READ_HELP_H
#define SINEW_TESTS_READ_HELP_H

#include <sinew_io/mesh.h>

#include "check.h"

/* Reads from memory and requires that it works; to be freed. */
sn_mesh read_bytes(const char *format, const void *data, size_t size);
sn_mesh read_string(const char *format, const char *text);

/* Reads one of tests/io/meshes. */
sn_mesh read_sample(const char *name);

/* How many there are. */
bool has_counts(const sn_mesh *mesh, size_t vertices, size_t triangles, size_t tets, size_t lines,
                size_t groups);

bool has_triangle(const sn_mesh *mesh, size_t index, uint32_t a, uint32_t b, uint32_t c);
bool is_at(const sn_mesh *mesh, size_t vertex, double x, double y, double z);

/* The area of all triangles, m^2, and the volume of all tets, m^3. */
double area_of(const sn_mesh *mesh);
double volume_of(const sn_mesh *mesh);

/* Whether two meshes have the same bits in everything but groups, and the same groups. */
bool is_same_shape(const sn_mesh *a, const sn_mesh *b);
bool has_same_groups(const sn_mesh *a, const sn_mesh *b);

/* Whether a group has exactly these vertices, in this order. */
bool group_is(const sn_mesh *mesh, const char *name, const uint32_t *vertices, size_t count);

/* Bytes of a binary file while they are put together. */
typedef struct bytes {
    unsigned char data[8192];
    size_t size;
    bool is_big; /* the order of what follows */
} bytes;

void put_text(bytes *b, const char *text);
void put_u8(bytes *b, unsigned value);
void put_u16(bytes *b, unsigned value);
void put_u32(bytes *b, uint32_t value);
void put_u64(bytes *b, uint64_t value);
void put_f32(bytes *b, float value);
void put_f64(bytes *b, double value);

#endif
