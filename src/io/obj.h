/* Wavefront OBJ: positions and triangles as text, which every modelling program opens. */
#ifndef SINEW_IO_OBJ_H
#define SINEW_IO_OBJ_H

#include "mesh.h"

/* Writes the mesh so that reading it back gives the same numbers. */
sn_result sn_io_obj_write(const char *path, const sn_io_mesh *mesh);

#endif
