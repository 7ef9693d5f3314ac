#ifdef SN_LIST_TYPE
SN_LIST_TYPE(strain_tet, STRAIN_TET)
#elif !defined(SINEW_STRAIN_TET_H)
#define SINEW_STRAIN_TET_H
#include <sinew/constraint.h>

/*
 * Strain based dynamics of a tetrahedron (Mueller, Chentanez, Kim and Macklin 2014), with six
 * stiffnesses: stretch along three axes of the material that are perpendicular at rest, and shear
 * between every two of them. With f_x, f_y and f_z, what has become of unit vectors along the
 * axes, C has six rows without unit,
 *   |f_x| - 1,   |f_y| - 1,   |f_z| - 1,   c_yz,   c_zx,   c_xy
 * where c_xy is the cosine f_x . f_y / (|f_x| |f_y|), which stretching does not change, or the
 * product f_x . f_y, which it does. Or stretch is (|f_x|^2 - 1) / 2, as in the strain of Green.
 *
 * Energy: half of the volume at rest times the sum of stiffness times C^2, so a bar that is
 * stretched by the factor s along x pulls with the stiffness times s - 1 per area at rest.
 * `compliance` is added to every row. It has no Poisson's ratio: what is pulled does not get
 * narrower, unless a tet_volume keeps its volume. Tetrahedra that were flattened or turned inside
 * out come back.
 *
 * The axes are those of the frame in which the rest edges are given, or `axis` says where the
 * first of them points in that frame, and `across` where the second one does, or near where.
 */
#define SN_STRAIN_TET_FIELDS(FIELD)                                                                \
    SN_TET_FIELDS(FIELD)                                                                           \
    FIELD(VEC3, axis, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                                    \
          "direction of the first axis in the frame of the rest edges; 0, 0, 0: along x")          \
    FIELD(VEC3, across, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                                  \
          "direction of the second axis, of which what is across the first counts; 0, 0, 0: any")  \
    FIELD(VEC3, stretch_stiffness, "Pa", 0, SN_REAL_MAX, SN_AUTO, true,                            \
          "stress per stretch along each axis, above 0; automatic: infinite")                      \
    FIELD(VEC3, shear_stiffness, "Pa", 0, SN_REAL_MAX, SN_AUTO, true,                              \
          "stress per angle between the axes y and z, z and x, x and y, above 0; automatic: "      \
          "infinite")                                                                              \
    FIELD(CHOICE, stretch_form, "length|square", 0, 1, 0, false, "the first three rows")           \
    FIELD(CHOICE, shear_form, "cosine|product", 0, 1, 0, false, "the last three rows")             \
    SN_TET_PLASTIC_FIELDS(FIELD)

SN_DECLARE_CONSTRAINT(strain_tet, 4, SN_STRAIN_TET_FIELDS)
#endif
