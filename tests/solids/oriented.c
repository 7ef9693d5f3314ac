/* Oriented particles in regions. */
#include "blocks.h"

TEST(one_keeps_its_frame) {
    block_shape s = {{0, 0, 0}, 0.1, 0, 0, 10, 0, true, {0, 0, 0}};
    block b = block_make(&s, NULL);
    block_match(&b, 0.1, 0);
    block_step(b.world, 10, 1.0 / 60);
    block_free(&b, true);
}

TESTS(RUN(one_keeps_its_frame))
