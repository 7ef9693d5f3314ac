/* What bodies may say of what is seen of them and not simulated. */
#include "io/scene/scene_rows.h"

static const scene_field children_fields[] = {
    INT("count", scene_children_part, count, "1", 0, 1 << 20, "10", "of each strand; 0: none"),
    REAL("clump", scene_children_part, clump, "1", 0, 1, "0",
         "by how much of their distance they come to their strand at its tip"),
    REAL("parting", scene_children_part, parting, "1", 0, MAX, "2",
         "from how many times their largest distance at rest strands stop to share children, and a "
         "gap opens; 0: a child has the shape of one strand")};
const scene_object sn_scene_children_object =
    PLAIN("children", "strands that are seen and not simulated, between those of the body",
          children_fields);

static const scene_field foam_fields[] = {
    REAL("air_rate", scene_foam_part, air_rate, "1/s", 0, MAX, "1000",
         "how many come of a particle of the liquid that traps air, at most"),
    REAL("air_low", scene_foam_part, air_low, "m/s", 0, MAX, "2",
         "how fast its neighbours, added up by how near they are, come nearer where it begins to"),
    REAL("air_high", scene_foam_part, air_high, "m/s", 0, MAX, "8", "and where it does so fully"),
    REAL("crest_rate", scene_foam_part, crest_rate, "1/s", 0, MAX, "2000",
         "how many come of a particle on the crest of a wave, at most"),
    REAL("crest_low", scene_foam_part, crest_low, "1", 0, MAX, "2",
         "how much the surface curves around it, likewise, where a crest begins"),
    REAL("crest_high", scene_foam_part, crest_high, "1", 0, MAX, "8", "and where it is a full one"),
    REAL("speed_low", scene_foam_part, speed_low, "m/s", 0, MAX, "0.5",
         "none come of particles that are slower"),
    REAL("speed_high", scene_foam_part, speed_high, "m/s", 0, MAX, "3",
         "and all of those that are faster; by kinetic energy in between"),
    REAL("lifetime", scene_foam_part, lifetime, "s", 0, MAX, "2",
         "after which the last of them are gone, and after half of it the first"),
    REAL("buoyancy", scene_foam_part, buoyancy, "1", 0, MAX, "2",
         "of bubbles: how many times gravity they are lifted by"),
    REAL("drag", scene_foam_part, drag, "1", 0, 1, "0.8",
         "of bubbles: which part of the velocity of the liquid they take in a frame"),
    REAL_OR_AUTO("radius", scene_foam_part, radius, "m", 0, MAX, "\"auto\"",
                 "of what is drawn; automatic: 0.12 of the spacing of the liquid"),
    INT("most", scene_foam_part, most, "1", 0, 1 << 24, "100000",
        "how many there are at once; 0: none")};
const scene_object sn_scene_foam_object =
    PLAIN("foam", "spray, foam and bubbles that are seen and act on nothing", foam_fields);
