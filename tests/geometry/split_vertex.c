/* Which triangles around a vertex go with its copy. */
#include "geometry/topology/split_vertex.h"

#include "check.h"

/* A corner whose triangle has this height. */
static sn_corner corner(uint32_t a, uint32_t b, uint32_t element, double height) {
    return (sn_corner){.a = a, .b = b, .element = element, .height = height};
}

static size_t copied(const sn_corner *c, size_t count) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) n += c[i].copied;
    return n;
}

/* Whether the corners of either side are one fan each. */
static bool are_fans(const sn_corner *c, size_t count) {
    sn_corner side[2][16];
    size_t n[2] = {0, 0};
    for (size_t i = 0; i < count; i++) side[c[i].copied][n[c[i].copied]++] = c[i];
    return sn_corners_arrange(side[0], n[0]) == 1 && sn_corners_arrange(side[1], n[1]) == 1;
}

TEST(fans_are_put_in_order) {
    sn_corner open[] = {corner(3, 4, 0, 0), corner(1, 2, 1, 0), corner(2, 3, 2, 0)};
    CHECK(sn_corners_arrange(open, 3) == 1);
    CHECK(open[0].a == 1 && open[1].a == 2 && open[2].a == 3);
    sn_corner closed[] = {corner(3, 1, 5, 0), corner(1, 2, 4, 0), corner(2, 3, 6, 0)};
    CHECK(sn_corners_arrange(closed, 3) == 1);
    CHECK(closed[0].element == 4 && closed[2].b == closed[0].a);
    sn_corner two[] = {corner(8, 9, 0, 0), corner(1, 2, 1, 0), corner(7, 8, 2, 0)};
    CHECK(sn_corners_arrange(two, 3) == 2);
    CHECK(two[0].fan == two[1].fan + 0 || two[1].fan == two[2].fan);
    CHECK(sn_corners_arrange(two, 0) == 0);
}

TEST(inner_vertices_are_cut_through) {
    sn_corner ring[6];
    static const double height[6] = {1, 2, 1, -1, -2, -1};
    for (uint32_t i = 0; i < 6; i++) ring[i] = corner(10 + i, 10 + (i + 1) % 6, i, height[i]);
    CHECK(sn_corners_split(ring, 6, sn_corners_arrange(ring, 6)));
    for (int i = 0; i < 6; i++) CHECK(ring[i].copied == (ring[i].height < 0));
    CHECK(are_fans(ring, 6));
}

/* Where triangles above and below alternate, still only two fans are made. */
TEST(a_cut_makes_two_fans) {
    sn_corner ring[6];
    static const double height[6] = {3, -1, 2, -2, 1, -4};
    for (uint32_t i = 0; i < 6; i++) ring[i] = corner(10 + i, 10 + (i + 1) % 6, i, height[i]);
    CHECK(sn_corners_split(ring, 6, sn_corners_arrange(ring, 6)));
    CHECK(are_fans(ring, 6));
    CHECK(ring[5].copied && !ring[0].copied);
    sn_corner fan[5];
    for (uint32_t i = 0; i < 5; i++) fan[i] = corner(i, i + 1, i, height[i]);
    CHECK(sn_corners_split(fan, 5, sn_corners_arrange(fan, 5)));
    CHECK(are_fans(fan, 5));
}

TEST(one_side_alone_is_not_cut) {
    sn_corner fan[] = {corner(1, 2, 0, 1), corner(2, 3, 1, 2)};
    CHECK(!sn_corners_split(fan, 2, sn_corners_arrange(fan, 2)));
    CHECK(copied(fan, 2) == 0);
    fan[0].height = -1;
    fan[1].height = 0;
    CHECK(!sn_corners_split(fan, 2, sn_corners_arrange(fan, 2)));
    sn_corner single = corner(1, 2, 0, -1);
    CHECK(!sn_corners_split(&single, 1, sn_corners_arrange(&single, 1)));
}

TEST(borders_are_cut_at_one_edge) {
    sn_corner fan[] = {corner(1, 2, 0, -1), corner(2, 3, 1, 2), corner(3, 4, 2, 1)};
    CHECK(sn_corners_split(fan, 3, sn_corners_arrange(fan, 3)));
    CHECK(fan[0].copied && !fan[1].copied && !fan[2].copied);
}

TEST(fans_come_apart) {
    sn_corner fans[] = {corner(1, 2, 3, 1), corner(5, 6, 1, 1), corner(6, 7, 2, 1),
                        corner(8, 9, 0, 1)};
    size_t count = sn_corners_arrange(fans, 4);
    CHECK(count == 3);
    CHECK(sn_corners_split(fans, 4, count));
    CHECK(copied(fans, 4) == 1);
    for (int i = 0; i < 4; i++) CHECK(fans[i].copied == (fans[i].fan == 2));
}

TESTS(RUN(fans_are_put_in_order), RUN(inner_vertices_are_cut_through), RUN(a_cut_makes_two_fans),
      RUN(one_side_alone_is_not_cut), RUN(borders_are_cut_at_one_edge), RUN(fans_come_apart))
