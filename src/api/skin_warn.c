#include "api/skin_warn.h"

void sn_skin_warn_of_points(const sn_world *world, uint32_t skin, const sn_skin_def *before) {
    const sn_skin_def *def = &world->skins.state[skin].def, none = {0};
    if (def->detail != SN_SKIN_POINTS) return;
    if (!before || before->detail != SN_SKIN_POINTS) before = &none;
    if (def->guarded && !before->guarded)
        sn_world_say(world, SN_LOG_WARNING,
                     "skin %u is guarded, but collides as points: its nodes are kept out of "
                     "triangles of other guarded skins, and nothing else is; detail \"surface\" "
                     "guards all of it",
                     skin + 1);
    if (def->untangle && !before->untangle)
        sn_world_say(world, SN_LOG_WARNING,
                     "skin %u has untangle, which means nothing as it collides as points; detail "
                     "\"surface\" gives it triangles",
                     skin + 1);
    if (def->faces && !before->faces)
        sn_world_say(world, SN_LOG_WARNING,
                     "skin %u has faces, which mean nothing as it collides as points; detail "
                     "\"surface\" gives it triangles",
                     skin + 1);
}
