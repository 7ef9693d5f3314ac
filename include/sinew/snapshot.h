/*
 * Snapshots: the whole state of a world as bytes, exact to the bit.
 *
 * After a snapshot is loaded, the world goes on as the saved one would have: the same bits at every
 * step, on any machine, with any number of threads and SIMD width. The bytes do not depend on
 * machine or build; a snapshot of a double precision build can be loaded in a single precision one
 * and the other way, with the numbers rounded. Later releases load the snapshots of earlier ones.
 *
 * Part of a snapshot are settings and time; bodies, nodes, orientations, and what the integrator
 * remembers of them; constraints with their forces, plastic changes and dashpots; colliders with
 * their geometry, collision surfaces, pairs of contact materials, contacts and what sticks in them;
 * who sleeps; and all objects of systems: sheets, tet meshes, hierarchies, shape matchings, damping
 * groups, drags, animation targets. Not part of it are what belongs to the program: allocator,
 * threads, log, force fields, and types that were added, which the world that loads must have.
 */
#ifndef SINEW_SNAPSHOT_H
#define SINEW_SNAPSHOT_H

#include <sinew/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes a snapshot into a buffer. *size receives its length in bytes, also when `buffer` is null
 * and capacity 0, which asks for the length alone. Too small a buffer is refused (SN_ERROR_LIMIT)
 * and its contents are then undefined. The same state gives the same bytes.
 */
SN_API sn_result sn_snapshot_save(const sn_world *world, void *buffer, size_t capacity,
                                  size_t *size);

/*
 * Replaces everything in the world by a snapshot. Ids given out before the snapshot was taken from
 * this world are valid again; sn_world_node_at and its like give ids in another world. Damaged data
 * is refused (SN_ERROR_DATA) with a sentence that names the place, and the world stays as it is.
 */
SN_API sn_result sn_snapshot_load(sn_world *world, const void *data, size_t size);

/* The same with a file. A file is replaced only when the new one is complete. */
SN_API sn_result sn_snapshot_save_file(const sn_world *world, const char *path);
SN_API sn_result sn_snapshot_load_file(sn_world *world, const char *path);

/* Whether two things differ, and the first place where they do. */
typedef struct sn_difference {
    bool differs;
    char sentence[256]; /* such as "nodes, x of node 42, y: 1.5 against 1.25"; empty where equal */
} sn_difference;

/* Compares two snapshots, section by section and number by number, and names the first that
   differs. Data that cannot be read is refused (SN_ERROR_DATA). */
SN_API sn_result sn_snapshot_compare(const void *a, size_t size_a, const void *b, size_t size_b,
                                     sn_difference *difference);

/* The same with files. */
SN_API sn_result sn_snapshot_compare_files(const char *path_a, const char *path_b,
                                           sn_difference *difference);

#ifdef __cplusplus
}
#endif

#endif
