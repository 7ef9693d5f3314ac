#include "grain.h"

#include <math.h>

#define PI 3.14159265358979323846

double grain_noise(uint32_t i) {
    i *= 2654435761u;
    i ^= i >> 15;
    i *= 2246822519u;
    i ^= i >> 13;
    return i / 4294967296.0;
}

double grain_add(sn_world *world, sn_node_def def, double radius, bool turns, bool glued,
                 sn_node *node) {
    double mass = 4 * PI / 3 * radius * radius * radius * 2500;
    sn_real turn = (sn_real)(1 / (0.4 * mass * radius * radius));
    def.radius = (sn_real)radius;
    def.inverse_mass = glued ? 0 : (sn_real)(1 / mass);
    def.oriented = turns && !glued;
    if (def.oriented) def.inverse_inertia = (sn_vec3){turn, turn, turn};
    REQUIRE_OK(sn_node_create(world, &def, node));
    return mass;
}

void grains_touch(sn_world *world, const sn_node *node, size_t count) {
    sn_collision_surface_def def = sn_collision_surface_def_default();
    sn_collision_surface surface;
    def.nodes = node;
    def.node_count = count;
    def.detail = SN_DETAIL_POINTS;
    def.self = true;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
}

void grains_add_walls(sn_world *world, int count, double radius, double friction,
                      sn_collider *wall) {
    const double half = sqrt(0.5);
    for (int i = 0; i < count; i++) {
        sn_collider_def def = sn_collider_def_default();
        double c = cos(2 * PI * i / count), s = sin(2 * PI * i / count);
        def.position = (sn_vec3){(sn_real)(radius * c), 0, (sn_real)(radius * s)};
        def.orientation = (sn_quat){(sn_real)(-half * s), 0, (sn_real)(half * c), (sn_real)half};
        def.static_friction = def.dynamic_friction = (sn_real)friction;
        REQUIRE_OK(sn_collider_create(world, &def, &wall[i]));
    }
}
