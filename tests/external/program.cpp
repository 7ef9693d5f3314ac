/*
 * The same in C++: the world in a unique_ptr, results as exceptions.
 */
#include <sinew/sinew.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

namespace {

void check(sn_result result) {
    if (result != SN_OK) throw std::runtime_error(sn_last_error());
}

struct world_deleter {
    void operator()(sn_world *world) const {
        sn_world_destroy(world);
    }
};
using world_ptr = std::unique_ptr<sn_world, world_deleter>;

world_ptr make_world() {
    sn_world_def def = sn_world_def_default();
    def.settings.iterations = 2;
    sn_world *world = nullptr;
    check(sn_world_create(&def, &world));
    return world_ptr(world);
}

sn_node make_node(sn_world *world, sn_vec3 position, sn_real inverse_mass) {
    sn_node_def def = sn_node_def_default();
    def.position = position;
    def.inverse_mass = inverse_mass;
    sn_node node;
    check(sn_node_create(world, &def, &node));
    return node;
}

bool swings() {
    world_ptr world = make_world();
    sn_distance_def distance = sn_distance_def_default();
    distance.node[0] = make_node(world.get(), {0, 0, 0}, 0);
    distance.node[1] = make_node(world.get(), {1, 0, 0}, 1);
    sn_constraint thread;
    check(sn_constraint_create(world.get(), SN_TYPE_DISTANCE, &distance, &thread));
    for (int frame = 0; frame < 30; frame++) check(sn_world_step(world.get(), sn_real(1.0 / 60)));

    sn_node_view view;
    check(sn_world_nodes(world.get(), &view));
    sn_vec4 weight = view.position[distance.node[1].slot - 1];
    double x = double(weight.x), y = double(weight.y), square = x * x + y * y;
    std::printf("after half a second at (%g, %g)\n", x, y);
    return square > 0.98 && square < 1.02 && y < -0.5;
}

} // namespace

int main() {
    try {
        return swings() ? 0 : 1;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
