/* What the collision system has, to and from an archive. */
#ifndef SN_COLLISION_SERIALIZE_COLLISION_H
#define SN_COLLISION_SERIALIZE_COLLISION_H

#include "collision/collision_state.h"
#include "state/serialize.h"

/* Where the arrays of a geometry lie that was read. */
typedef struct sn_geometry_room {
    sn_vec3 *vertices;
    uint32_t (*triangles)[3];
    sn_real *heights;
    sn_collider_part *parts;
    size_t vertex_count, triangle_count, height_count, part_count;
} sn_geometry_room;

/* The geometry of a definition whose shape is known; nothing where it needs none. What was read is
   to be freed, also after a failure (serialize_collider_geometry.c). */
void sn_serialize_geometry(sn_archive *a, sn_memory *memory, sn_collider_def *def,
                           sn_geometry_room *room);
void sn_geometry_room_free(sn_memory *memory, sn_geometry_room *room);
/* The part of it that is about colliders (serialize_colliders.c). Snapshots from before there were
   any have none. */
void sn_world_serialize_colliders(sn_world *world, sn_archive *a);

/* The part of it that is about contact materials (serialize_contact_materials.c), where there are
   any. */
void sn_world_serialize_contact_materials(sn_world *world, sn_archive *a);
/* Which triangles touched colliders in the last step, and which nodes touched carried ones
   (serialize_triangle_contacts.c). */
void sn_world_serialize_triangle_contacts(sn_world *world, sn_archive *a);

/* The part about collision surfaces (serialize_collision_surfaces.c), which snapshots of worlds
   that never had one have not. */
extern const sn_object sn_collision_surface_object;
void sn_world_serialize_collision_surfaces(sn_world *world, sn_archive *a);

#endif
