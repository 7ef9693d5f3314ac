#ifdef SN_LIST_KIND
SN_LIST_KIND(hair, HAIR)
#elif !defined(SINEW_KIND_HAIR_H)
#define SINEW_KIND_HAIR_H
#include <sinew/build.h>

/*
 * Hair or fur from the lines of a mesh, such as sn_generate_strands makes: strands that keep their
 * lengths, hold their shape as far as `hold` says, and rub against each other (sinew/hair.h, whose
 * object it makes; sn_node_hair finds it). The lines must form chains that neither branch nor
 * close, each from its root to its tip; roots are usually pinned, or ride on a collider.
 *
 * A hairstyle is held by a spring from segment to segment, or, with `omega`, by matching the shape
 * of regions along the strands, of up to 2 omega + 1 nodes each, before lengths are made right from
 * the root (chain shape matching, Rungjiratananon et al. 2010; sinew/shape_matching.h). Springs
 * carry a style from the root on and hold single nodes; regions keep momentum, so that what stands
 * on end comes to rest, and hold curls and waves, but let a strand turn about its stem.
 *
 * `follow` is dynamic follow the leader, exact and fast. `distance` makes a distance constraint per
 * line, and a tether to each node of a strand whose root is a pin of the definition: it swings as a
 * chain does, and takes more substeps.
 */
#define SN_KIND_HAIR_FIELDS(FIELD)                                                                 \
    FIELD(REAL, radius, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 5e-5, false,                              \
          "of the cross-section, above 0")                                                         \
    FIELD(REAL, density, "kg/m^3", SN_ABOVE_ZERO, SN_REAL_MAX, 1300, false,                        \
          "mass per volume, above 0")                                                              \
    FIELD(CHOICE, model, "follow|distance", 0, 1, 0, false,                                        \
          "what keeps lengths: each node follows the one before it; or distance constraints and "  \
          "tethers to the roots")                                                                  \
    FIELD(REAL, reaction, "1", 0, 1, 0.9, false,                                                   \
          "of follow: the part of the velocity that follows from what moved the next node; 1 "     \
          "swings most like a chain, less is calmer and faster")                                   \
    FIELD(REAL, hold, "1/s", 0, SN_REAL_MAX, 0, false,                                             \
          "angular frequency with which strands go back to their shape in the mesh; 0: they do "   \
          "not")                                                                                   \
    FIELD(REAL, omega, "1", 0, 1000, 0, false,                                                     \
          "nodes on either side in the regions whose shapes hold the hairstyle, a whole number; "  \
          "0: springs from segment to segment")                                                    \
    FIELD(REAL, friction, "1/s", 0, SN_REAL_MAX, 2, false,                                         \
          "rate at which strands take over the velocity of those around them")                     \
    FIELD(REAL, repulsion, "m^2/s^2", 0, SN_REAL_MAX, 0, false,                                    \
          "acceleration away from where strands are dense, over grad(density) / density")          \
    FIELD(REAL, cell, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 0.02, false,                                \
          "size of the grid for friction and repulsion, above 0")                                  \
    FIELD(REAL, drag, "1", 0, SN_REAL_MAX, 0, false,                                               \
          "force of air across it, over rho v^2 / 2 times what is seen of it; 1.2: a long "        \
          "cylinder (Hoerner 1965); 0: air does not act on it")                                    \
    FIELD(REAL, level, "1", 0, 1, 1, false,                                                        \
          "level of detail: the part of the strands that move by themselves; may change")

SN_DECLARE_KIND(hair, SN_KIND_HAIR_FIELDS)
#endif
