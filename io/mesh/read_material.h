/* The material of a GLB or glTF file, for bodies and colliders that say nothing else. */
#ifndef SN_IO_MESH_READ_MATERIAL_H
#define SN_IO_MESH_READ_MATERIAL_H

#include <sinew_io/look.h>

typedef struct sn_read_material {
    char name[64];
    /* Colour, opacity and roughness as far as the file says them; the image is to be freed. */
    sn_io_look look;
    uint8_t *texture;
    bool has_colours; /* vertices have colours, of which that of the material is a part */
} sn_read_material;

/* Reads the one material of a file. *found is false where there is none, where triangles have
   several, or where the file has another format. Images are read as far as they are PNG and in a
   buffer; others are left out. */
sn_result sn_read_material_of(const char *path, sn_read_material *material, bool *found);

#endif
