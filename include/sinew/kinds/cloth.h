#ifdef SN_LIST_KIND
SN_LIST_KIND(cloth, CLOTH)
#elif !defined(SINEW_CLOTH_H)
#define SINEW_CLOTH_H
#include <sinew/build.h>

/*
 * A sheet from the triangles of a mesh, which must be a manifold with one side up, where it has two
 * (Mueller et al. 2007, section 4.1). A closed one can be inflated.
 *
 * Stretching, by `model`:
 * `edges`, which is the automatic one: a distance constraint per edge whose stiffness, E t (A0 +
 * A1) / l^2 with the areas of the triangles beside it, gives the sheet the modulus that is asked
 * for on even meshes, with Poisson's ratio 1/3; on squares cut by diagonals it depends on the
 * direction. It knows stretch_stiffness only. `strain`: a strain_triangle per triangle, for
 * fabrics: warp, weft and shear each with a stiffness of its own, the same on every mesh, without
 * Poisson's ratio. `elastic`: an elastic_triangle per triangle, for sheets of rubber, paper or
 * leather: an elastic material with Poisson's ratio, isotropic or with two directions, the same on
 * every mesh. `neo_hookean`: a neo_hookean_triangle per triangle, for rubber that is stretched far,
 * isotropic, by stretch_stiffness and poisson. `matching`: shape matching of every edge and every
 * triangle, and with `levels` on coarser ones as well. `overlapping`: shape matching of the corners
 * around each triangle, which resists bending too. Both know stretch_stiffness only, roughly, and
 * both may have `fibres`. Triangles that are elastic or neo_hookean may have a `plastic_yield`:
 * what is stretched further stays so, as sheet metal does, and gets thinner.
 *
 * Stiffness that holds: tethers keep vertices within reach of the pins whatever the substeps leave
 * undone (sn_sheet_def); limits of strain are hard where the stiffness is not.
 *
 * Bending: `automatic` uses plate_bending where the mesh is flat, which has the stiffness of a thin
 * plate on every mesh, with dihedral_bending at the edges that it does not hold, as at corners and
 * in strips one triangle wide; and dihedral_bending alone for sheets that are curved at rest.
 * Plates, vertices and isometric hinges are flat at rest whatever the mesh; `bending_rest`
 * says so for dihedral_bending as well. Sheets with a `bending_yield` keep creases, which needs
 * dihedral_bending.
 */
#define SN_CLOTH_FIELDS(FIELD)                                                                     \
    FIELD(REAL, area_density, "kg/m^2", SN_ABOVE_ZERO, SN_REAL_MAX, 0.15, false,                   \
          "mass per area, above 0")                                                                \
    FIELD(REAL, stretch_stiffness, "N/m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,               \
          "Young's modulus times thickness, above 0; automatic: as hard as the substeps allow")    \
    FIELD(REAL, stretch_damping, "s", 0, SN_REAL_MAX, 0, false,                                    \
          "time over which stretching is braked: damping over stiffness")                          \
    FIELD(CHOICE, model, "automatic|edges|strain|elastic|matching|overlapping|neo_hookean", 0, 6,  \
          0, false,                                                                                \
          "what resists stretching: constraints of edges, which is automatic, or of triangles, "   \
          "or shape matching")                                                                     \
    FIELD(REAL, warp_stiffness, "N/m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                  \
          "along the warp, above 0, for strain and elastic; automatic: stretch_stiffness")         \
    FIELD(REAL, weft_stiffness, "N/m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                  \
          "along the weft, above 0, for strain and elastic; automatic: stretch_stiffness")         \
    FIELD(                                                                                         \
        REAL, shear_stiffness, "N/m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                   \
        "shear force per width and angle, above 0, for strain and elastic; automatic: that of a "  \
        "sheet which is the same in all directions")                                               \
    FIELD(                                                                                         \
        REAL, poisson, "1", -0.99, 0.99, 0.3, false,                                               \
        "Poisson's ratio, for elastic and neo_hookean: contraction along the weft per extension "  \
        "along the warp")                                                                          \
    FIELD(VEC3, warp, "1", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                               \
          "direction of the warp in the frame of the mesh, as it lies in each triangle; where it " \
          "stands on one, and automatic: the first of the axes x, y, z that does not")             \
    FIELD(REAL, area_stiffness, "N/m", 0, SN_REAL_MAX, 0, true,                                    \
          "tension per relative change of area, beside any model; 0: none, automatic: infinite")   \
    FIELD(REAL, compression, "1", 0, 1, 1, false,                                                  \
          "stiffness of edges against being shorter, over that against being longer; 0: they "     \
          "give way, so that the sheet wrinkles; where stretch_stiffness is automatic 0 or 1")     \
    FIELD(REAL, strain_limit, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                  \
          "the most that a part may be longer than at rest, over its length; automatic: no limit") \
    FIELD(REAL, compression_limit, "1", 0, 1, SN_AUTO, true,                                       \
          "the most that a part may be shorter than at rest, over its length; automatic: no "      \
          "limit")                                                                                 \
    FIELD(CHOICE, limits, "triangles|edges", 0, 1, 0, false,                                       \
          "what both limits hold for: triangles in all directions, or edges alone")                \
    FIELD(REAL, tethers, "1", 0, 4, SN_AUTO, true,                                                 \
          "from how many of the nearest pins every vertex is held by a tether; a whole number; "   \
          "automatic: from each place that is pinned, where substeps alone would not hold it")     \
    FIELD(REAL, tether_slack, "1", 0, SN_REAL_MAX, 1, false,                                       \
          "length of tethers over that of their path at rest")                                     \
    FIELD(CHOICE, tether_path, "geodesic|straight", 0, 1, 0, false,                                \
          "whether paths of tethers run along the sheet or straight")                              \
    FIELD(REAL, bending_stiffness, "N m", 0, SN_REAL_MAX, 0, false,                                \
          "moment per width and curvature, E t^3 / (12 (1 - nu^2)); 0: none")                      \
    FIELD(REAL, bending_damping, "s", 0, SN_REAL_MAX, 0, false,                                    \
          "time over which bending is braked: damping over stiffness")                             \
    FIELD(CHOICE, bending, "automatic|vertex|isometric|dihedral|plate", 0, 4, 0, false,            \
          "which constraints resist bending")                                                      \
    FIELD(CHOICE, bending_rest, "mesh|flat", 0, 1, 0, false,                                       \
          "what is at rest: the angles of the mesh, or the flat sheet")                            \
    FIELD(REAL, bending_yield, "rad", 0, 3.1416, SN_AUTO, true,                                    \
          "angle at an edge, beyond that at rest, above which it stays as a crease; automatic: "   \
          "none do")                                                                               \
    FIELD(REAL, bending_creep, "1/s", 0, SN_REAL_MAX, SN_AUTO, true,                               \
          "part of what is above the yield that stays, per time; automatic: all at once")          \
    FIELD(REAL, bending_limit, "rad", 0, 3.1416, 3.1416, false, "the most a crease can be")        \
    FIELD(REAL, thickness, "m", 0, SN_REAL_MAX, 0.001, false, "twice the radius of the nodes")     \
    FIELD(REAL, break_force, "N/m", 0, SN_REAL_MAX, SN_AUTO, true,                                 \
          "tension per width at which edges break; automatic: never")                              \
    FIELD(REAL, tear_strain, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                   \
          "stretch of an edge above which the sheet tears; automatic: never")                      \
    FIELD(REAL, tear_force, "N/m", 0, SN_REAL_MAX, SN_AUTO, true,                                  \
          "tension per width above which the sheet tears; automatic: never")                       \
    FIELD(REAL, pressure, "1", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                           \
          "volume to keep inside a closed sheet, over that at rest (2007, section 4.4); "          \
          "automatic: none")                                                                       \
    FIELD(REAL, gas_pressure, "Pa", -101325, SN_REAL_MAX, SN_AUTO, true,                           \
          "overpressure at rest of a gas inside a closed sheet, above -101325: its amount is "     \
          "from p V = n R T at 293.15 K in air of 101325 Pa; automatic: none")                     \
    FIELD(REAL, gas_leak, "mol/(s Pa)", 0, SN_REAL_MAX, 0, false,                                  \
          "gas that escapes per time and overpressure")                                            \
    FIELD(REAL, burst_pressure, "Pa", 0, SN_REAL_MAX, SN_AUTO, true,                               \
          "overpressure at which what is inside gets out at once, by `pressure` or gas; "          \
          "automatic: never")                                                                      \
    FIELD(REAL, drag, "1", 0, SN_REAL_MAX, 1.17, false,                                            \
          "force along air that meets it head on, over rho v^2 A / 2; 1.17: a square plate "       \
          "(Hoerner 1965)")                                                                        \
    FIELD(REAL, lift, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                          \
          "the part of drag that stays normal to it, at most drag; automatic: all")                \
    FIELD(CHOICE, buoyant, "no|yes", 0, 1, 0, false,                                               \
          "whether the air that it displaces lifts it, where it is closed")                        \
    FIELD(REAL, levels, "1", 0, 32, 0, true,                                                       \
          "coarser levels that carry what pulls from afar, in whole numbers, for cloth that is "   \
          "large and hard; automatic: as many as there can be")                                    \
    FIELD(REAL, volume_local, "1", 0, 1, 0, false,                                                 \
          "with a pressure: share of its correction that goes where the sheet is deformed, as "    \
          "`local` "                                                                               \
          "of surface_volume")                                                                     \
    FIELD(REAL, volume_opposing, "1", 0, 1, 0, false,                                              \
          "share of that which goes by distances across, as `opposing` of surface_volume")         \
    FIELD(CHOICE, volume_touching, "moved|still", 0, 1, 0, false,                                  \
          "whether that moves vertices that touch something")                                      \
    FIELD(REAL, volume_steady, "1", 0, 1, 0, false,                                                \
          "share of the rate at which the volume changes that is taken from the velocities")       \
    FIELD(REAL, strut_stiffness, "Pa", 0, SN_REAL_MAX, 0, true,                                    \
          "Young's modulus across a closed sheet, by struts between opposing vertices; 0: none, "  \
          "automatic: as hard as the substeps allow")                                              \
    FIELD(REAL, strength, "1", 0, SN_REAL_MAX, 1, false,                                           \
          "factor on tear_strain and tear_force; a map of it makes seams and perforations")        \
    FIELD(CHOICE, volume_change, "shape|step", 0, 1, 0, false,                                     \
          "what counts as deformed for volume_local, as `change` of surface_volume")               \
    FIELD(REAL, volume_weight, "1", 0, 1, 1, false,                                                \
          "how far distances across count at a vertex for volume_opposing; a map of it makes "     \
          "parts that give way and parts that do not")                                             \
    FIELD(REAL, plastic_yield, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                 \
          "strain in the plane above which deformation stays, for elastic and neo_hookean; "       \
          "automatic: none does")                                                                  \
    FIELD(REAL, plastic_creep, "1/s", 0, SN_REAL_MAX, SN_AUTO, true,                               \
          "part of what is above the yield that stays, per time; automatic: all at once")          \
    FIELD(REAL, plastic_limit, "1", 0, SN_REAL_MAX, 1, false,                                      \
          "the most strain that can have stayed")                                                  \
    FIELD(REAL, fibres, "1", 0, 1, 0, false,                                                       \
          "share of strips of edges in goals, for matching and overlapping: what holds along "     \
          "all of a strip at once")

SN_DECLARE_KIND(cloth, SN_CLOTH_FIELDS)
#endif
