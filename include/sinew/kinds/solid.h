#ifdef SN_LIST_KIND
SN_LIST_KIND(solid, SOLID)
#elif !defined(SINEW_SOLID_H)
#define SINEW_SOLID_H
#include <sinew/build.h>

/*
 * An elastic solid from the tetrahedra of a mesh. A closed surface is filled with them first, by
 * sn_mesh_fill.
 *
 * What resists deformation, by `model`:
 * `neo_hookean`, a neo_hookean_tet per tet: rubber, flesh and jelly, for any deformation, also from
 * inside out. `edges`, a distance per edge and a tet_volume per tet, the cheapest: the edges alone,
 * with stiffness E' V / l^2 and the volume V of the tets around them, make an even mesh a material
 * of Poisson's ratio 1/4, and the volumes bring what is missing to the ratio that is asked for.
 * `elastic`, an elastic_tet per tet: the material of Saint Venant and Kirchhoff, for stretching.
 * `corotated`, a corotated_tet per tet: Hooke's law for large rotations. `strain`, a strain_tet per
 * tet: stretch along three axes and shear between them, each with a stiffness of its own.
 * `orthotropic`, an orthotropic_tet per tet: as `elastic`, with moduli along three axes and
 * contraction across each. `quadratic`, a quadratic_tet for every eight tets that
 * sn_mesh_add_midpoints has made of one: as `neo_hookean`, without locking; it is not cut, and does
 * not fracture nor flow.
 *
 * Beside any of them: `volume_stiffness` adds a tet_volume per tet, `fibre_stiffness` a fibre_tet,
 * whose `activation` makes a muscle of it and is set for all of them by sn_body_set_field. What is
 * deformed by more than `plastic_yield` keeps a part of it for good; edges never do.
 *
 * Directions are in the frame of the mesh, before it is turned and scaled.
 */
#define SN_SOLID_FIELDS(FIELD)                                                                     \
    FIELD(REAL, density, "kg/m^3", SN_ABOVE_ZERO, SN_REAL_MAX, 1000, false,                        \
          "mass per volume, above 0")                                                              \
    FIELD(REAL, young, "Pa", SN_ABOVE_ZERO, SN_REAL_MAX, 1e5, true,                                \
          "Young's modulus, above 0; automatic: as hard as the substeps allow")                    \
    FIELD(REAL, poisson, "1", -0.99, 0.5, 0.45, false,                                             \
          "Poisson's ratio; 0.5 keeps volumes; from 0 for neo_hookean, from 0.25 for edges, "      \
          "without effect for strain")                                                             \
    FIELD(REAL, damping, "s", 0, SN_REAL_MAX, 0, false,                                            \
          "time over which deformation is braked: damping over stiffness")                         \
    FIELD(REAL, radius, "m", 0, SN_REAL_MAX, 0, false, "of the nodes")                             \
    FIELD(CHOICE, model,                                                                           \
          "neo_hookean|edges|elastic|corotated|strain|orthotropic|quadratic|explicit", 0, 7, 0,    \
          false, "which constraints resist deformation; explicit: forces, not constraints")        \
    FIELD(                                                                                         \
        VEC3, axis, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                                      \
        "direction of the first axis, x, of the models strain and orthotropic; 0, 0, 0: that of "  \
        "the mesh")                                                                                \
    FIELD(VEC3, across, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                                  \
          "direction of the second axis, y, of which what is across the first counts; 0, 0, 0: "   \
          "that of the mesh")                                                                      \
    FIELD(REAL, stretch_x, "Pa", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                        \
          "stress per stretch along x, above 0, for strain and orthotropic; automatic: young")     \
    FIELD(REAL, stretch_y, "Pa", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true, "likewise along y")    \
    FIELD(REAL, stretch_z, "Pa", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true, "likewise along z")    \
    FIELD(                                                                                         \
        REAL, shear_yz, "Pa", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                           \
        "stress per angle between y and z, above 0, for strain and orthotropic; automatic: half "  \
        "of young for strain, as if isotropic by geometric means for orthotropic")                 \
    FIELD(REAL, shear_zx, "Pa", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                         \
          "likewise between z and x")                                                              \
    FIELD(REAL, shear_xy, "Pa", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                         \
          "likewise between x and y")                                                              \
    FIELD(                                                                                         \
        REAL, volume_stiffness, "Pa", 0, SN_REAL_MAX, 0, true,                                     \
        "pressure per relative change of volume, beside any model; 0: none, automatic: infinite")  \
    FIELD(VEC3, fibre, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                                   \
          "direction of the fibres; 0, 0, 0: along x")                                             \
    FIELD(REAL, fibre_stiffness, "Pa", 0, SN_REAL_MAX, 0, true,                                    \
          "stress per stretch of fibres, beside any model; 0: there are none, automatic: "         \
          "infinite")                                                                              \
    FIELD(REAL, activation, "1", 0, 1, 0, false, "how far fibres contract, of all they can")       \
    FIELD(REAL, contraction, "1", 0, 1, 0.7, false,                                                \
          "length of fibres at full activation, over that at rest")                                \
    FIELD(CHOICE, fibre_slack, "no|yes", 0, 1, 1, false,                                           \
          "yes: fibres pull and do not push, as those of muscles and tendons")                     \
    FIELD(REAL, plastic_yield, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                 \
          "strain above which deformation stays; automatic: none does")                            \
    FIELD(REAL, plastic_creep, "1/s", 0, SN_REAL_MAX, SN_AUTO, true,                               \
          "part of what is above the yield that stays, per time; automatic: all at once")          \
    FIELD(REAL, plastic_limit, "1", 0, SN_REAL_MAX, 1, false,                                      \
          "the most strain that can have stayed")                                                  \
    FIELD(REAL, fracture_stress, "Pa", 0, SN_REAL_MAX, SN_AUTO, true,                              \
          "tension per area at rest above which it comes apart; automatic: never")                 \
    FIELD(REAL, poisson_yz, "1", -100, 100, SN_AUTO, true,                                         \
          "contraction along z per extension along y, for orthotropic; automatic: poisson times "  \
          "the root of the ratio of both moduli")                                                  \
    FIELD(REAL, poisson_zx, "1", -100, 100, SN_AUTO, true,                                         \
          "likewise along x per extension along z")                                                \
    FIELD(REAL, poisson_xy, "1", -100, 100, SN_AUTO, true, "likewise along y per extension along x")

SN_DECLARE_KIND(solid, SN_SOLID_FIELDS)
#endif
