/* From sRGB to light and back, by roots alone, so that the bytes are the same everywhere. */
#ifndef SN_IO_MESH_SRGB_H
#define SN_IO_MESH_SRGB_H

/* One of red, green and blue, 0 to 1. */
double sn_io_linear_of_srgb(double part);
double sn_io_srgb_of_linear(double part);

#endif
