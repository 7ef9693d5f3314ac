/*
 * What the scenes of ropes and rods show: a slinky that goes down stairs, knots that hold, cords
 * that wind about themselves, heaps, a bridge, a winch.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "io/scene_make.h"

enum { MOST_NODES = 1100 };

typedef struct line {
    int count;
    double x[MOST_NODES][3], radius;
} line;

static line line_of(const sn_scene *scene, const char *name) {
    line l = {0};
    sn_scene_body body;
    for (size_t i = 0; sn_scene_body_at(scene, i, &body); i++)
        if (strcmp(body.name, name) == 0) break;
    l.count = (int)body.node_count;
    REQUIRE_OK(l.count > 0 && l.count <= MOST_NODES ? SN_OK : SN_ERROR_LIMIT);
    for (int i = 0; i < l.count; i++) {
        sn_node_def def = sn_node_def_default();
        REQUIRE_OK(sn_node_get(sn_scene_world((sn_scene *)(uintptr_t)scene), body.nodes[i], &def));
        l.x[i][0] = (double)def.position.x;
        l.x[i][1] = (double)def.position.y;
        l.x[i][2] = (double)def.position.z;
        l.radius = (double)def.radius;
    }
    return l;
}

static double apart(const double a[3], const double b[3]) {
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* How often a curve winds about itself: Gauss' double integral over pairs of segments. */
static double writhe_of(const line *l) {
    double sum = 0;
    for (int i = 0; i + 1 < l->count; i++)
        for (int j = i + 2; j + 1 < l->count; j++) {
            double a[3], b[3], r[3];
            for (int k = 0; k < 3; k++) {
                a[k] = l->x[i + 1][k] - l->x[i][k];
                b[k] = l->x[j + 1][k] - l->x[j][k];
                r[k] = (l->x[i][k] + l->x[i + 1][k] - l->x[j][k] - l->x[j + 1][k]) / 2;
            }
            double triple = r[0] * (a[1] * b[2] - a[2] * b[1]) +
                            r[1] * (a[2] * b[0] - a[0] * b[2]) + r[2] * (a[0] * b[1] - a[1] * b[0]);
            double d = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
            sum += triple / (d * d * d);
        }
    return sum / (2 * 3.14159265358979323846);
}

/* The least distance of what is not near along the line. */
static double least_gap(const line *l, int beyond) {
    double least = 1e9;
    for (int i = 0; i < l->count; i++)
        for (int j = i + beyond; j < l->count; j++) least = fmin(least, apart(l->x[i], l->x[j]));
    return least;
}

static double farthest(const line *a, const line *b) {
    double most = 0;
    for (int i = 0; i < a->count; i++) most = fmax(most, apart(a->x[i], b->x[i]));
    return most;
}

/* Every flip takes about half a second; after two and a half it is four steps farther down, and
   each of its segments as long as it was. */
TEST(a_slinky_walks_down_stairs) {
    sn_scene *scene = scene_open_in(SCENES, "slinky", NULL);
    line first = line_of(scene, "slinky");
    double longest = 0, usual = apart(first.x[0], first.x[1]);
    for (int i = 0; i < 15; i++) {
        scene_run_frames(scene, 10);
        line now = line_of(scene, "slinky");
        for (int k = 0; k + 1 < now.count; k++)
            longest = fmax(longest, apart(now.x[k], now.x[k + 1]));
    }
    line last = line_of(scene, "slinky");
    double x = 0, y = 0;
    for (int k = 0; k < last.count; k++) {
        x += last.x[k][0] / last.count;
        y += last.x[k][1] / last.count;
    }
    if (check_shows()) printf("slinky: at %.3f, %.3f m, strained by %g\n", x, y, longest / usual);
    CHECK(x > 0.7 && y < 0.6);
    CHECK(longest < 1.05 * usual);
    sn_scene_close(scene);
}

/* A trefoil that is drawn tight winds about itself 3.4 times; what passes through itself is
   straight. */
TEST(a_trefoil_tightens_and_holds) {
    for (int i = 0; i < 2; i++) {
        sn_scene *scene = scene_open_in(SCENES, "knot", i == 0 ? NULL : "collide=none");
        check_case("%s", i == 0 ? "with contact" : "without");
        scene_run_frames(scene, 200);
        line before = line_of(scene, "cord");
        scene_run_frames(scene, 40);
        line after = line_of(scene, "cord");
        double writhe = fabs(writhe_of(&after)), gap = least_gap(&after, 12);
        if (check_shows())
            printf("knot: writhe %.3f, gap %.4f m, moved %.5f m\n", writhe, gap,
                   farthest(&before, &after));
        if (i == 0) {
            CHECK(writhe > 2.5 && writhe < 4.5);
            CHECK(gap > 1.8 * after.radius);
            CHECK(farthest(&before, &after) < after.radius);
        } else {
            CHECK(writhe < 0.5);
        }
        sn_scene_close(scene);
    }
}

/* Eight turns of twist: most of them become writhe, the strands touch, and it stays. */
TEST(a_twisted_cord_winds_about_itself) {
    sn_scene *scene = scene_open_in(SCENES, "plectoneme", NULL);
    scene_run_frames(scene, 30);
    line young = line_of(scene, "cord");
    scene_run_frames(scene, 270);
    line before = line_of(scene, "cord");
    scene_run_frames(scene, 60);
    line after = line_of(scene, "cord");
    double writhe = fabs(writhe_of(&after)), gap = least_gap(&after, 12);
    if (check_shows())
        printf("plectoneme: writhe %.3f, gap %.4f m, moved %.5f m\n", writhe, gap,
               farthest(&before, &after));
    CHECK(fabs(writhe_of(&young)) < 0.5);
    CHECK(writhe > 3);
    CHECK(gap > 1.8 * after.radius && gap < 2.2 * after.radius);
    CHECK_NEAR(writhe_of(&before), writhe_of(&after), 0.05);
    CHECK(farthest(&before, &after) < after.radius);
    sn_scene_close(scene);
}

TEST(a_rope_falls_in_a_heap) {
    sn_scene *scene = scene_open_in(SCENES, "rope_pile", NULL);
    scene_run_frames(scene, 180);
    line before = line_of(scene, "rope");
    scene_run_frames(scene, 30);
    line after = line_of(scene, "rope");
    double low = 1, high = 0;
    for (int i = 0; i < after.count; i++) {
        low = fmin(low, after.x[i][1]);
        high = fmax(high, after.x[i][1]);
    }
    if (check_shows())
        printf("heap: from %.4f to %.4f m, gap %.4f m, moved %.5f m\n", low, high,
               least_gap(&after, 12), farthest(&before, &after));
    /* On the floor, on itself, nowhere in itself, and at rest. */
    CHECK(low > 0.95 * after.radius);
    CHECK(high > 3 * after.radius && high < 0.3);
    CHECK(least_gap(&after, 12) > 1.9 * after.radius);
    CHECK(farthest(&before, &after) < 0.2 * after.radius);
    sn_scene_close(scene);
}

TEST(a_bridge_carries_what_comes_down_on_it) {
    sn_scene *scene = scene_open_in(SCENES, "bridge", NULL);
    scene_run_frames(scene, 240);
    double sag = 0.8 - scene_column_value(scene, "middle y [m]");
    line deck = line_of(scene, "deck");
    double low = 1;
    for (int i = 0; i < deck.count; i++) low = fmin(low, deck.x[i][1]);
    if (check_shows()) printf("bridge: sags by %.4f m, deck at %.4f m\n", sag, low);
    CHECK(fabs(sag) < 0.1);
    CHECK(low > 0.45);
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "ball_%d y [m]", i);
        check_case("%s", name);
        CHECK(scene_column_value(scene, name) > low);
    }
    sn_scene_close(scene);
}

/* 1.88 m of rope, of which half is wound up from 0.5 to 2.5 s, smoothly, and let out again from 3.5
   to 5.3 s. The rope is stretched by 1.1 mm. */
TEST(a_winch_lifts_at_its_speed) {
    sn_scene *scene = scene_open_in(SCENES, "winch", NULL);
    for (int frame = 1; frame <= 360; frame++) {
        scene_run_frames(scene, 1);
        double t = frame / 60.0, s = fmin(fmax((t - 0.5) / 2, 0), 1);
        double back = fmin(fmax((t - 3.5) / 1.8, 0), 1);
        double wound = 0.5 * (s * s * (3 - 2 * s) - back * back * (3 - 2 * back));
        check_case("at %g s", t);
        CHECK_NEAR(scene_column_value(scene, "crate y [m]") - 0.25, 1.88 * wound, 0.015);
        /* What is wound up is no strain. */
        CHECK(scene_column_value(scene, "largest strain [1]") < 0.005);
    }
    sn_scene_close(scene);
}

/* 20 mm of wound, of which a third is left; the hand that holds the end feels the thread. */
TEST(a_suture_closes_a_wound) {
    sn_scene *scene = scene_open_in(SCENES, "suture", NULL);
    scene_run_frames(scene, 1);
    double wide = scene_column_value(scene, "right edge x [m]") -
                  scene_column_value(scene, "left edge x [m]");
    scene_run_frames(scene, 179);
    double narrow = scene_column_value(scene, "right edge x [m]") -
                    scene_column_value(scene, "left edge x [m]");
    double pull = -scene_column_value(scene, "pull [N]");
    if (check_shows()) printf("suture: from %.4f to %.4f m, %.4f N\n", wide, narrow, pull);
    CHECK_NEAR(wide, 0.02, 1e-3);
    CHECK(narrow > 0 && narrow < 0.008);
    CHECK(pull > 0.01 && pull < 0.1);
    sn_scene_close(scene);
}

/* m, the mean distance of the rim of the cloth from the axis, and the length of both strings. */
static double width_of_rim(sn_scene *scene, double *strings) {
    sn_io_frame frame;
    double mean = 0;
    size_t rim = 0;
    *strings = 0;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    for (size_t i = 0; i < frame.shape_count; i++) {
        const sn_io_shape *s = &frame.shapes[i];
        for (size_t k = 0; strcmp(s->name, "strings") == 0 && k < s->line_count; k++) {
            sn_vec3 a = s->positions[s->lines[k][0]], b = s->positions[s->lines[k][1]];
            *strings += hypot(hypot((double)(b.x - a.x), (double)(b.y - a.y)), (double)(b.z - a.z));
        }
        if (strcmp(s->name, "strings") != 0) continue;
        for (size_t k = 0; k < s->vertex_count; k++) {
            mean += hypot((double)s->positions[k].x, (double)s->positions[k].z);
            rim++;
        }
    }
    return mean / (double)rim;
}

/* The strings keep their lengths while they slide, and draw the eyelets together. */
TEST(a_pouch_is_drawn_shut) {
    sn_scene *scene = scene_open_in(SCENES, "pouch", NULL);
    double before, after, wide = width_of_rim(scene, &before);
    scene_run_frames(scene, 110);
    double narrow = width_of_rim(scene, &after);
    if (check_shows())
        printf("pouch: from %.4f to %.4f m, strings of %.4f and %.4f m\n", wide, narrow, before,
               after);
    CHECK(narrow < 0.35 * wide);
    CHECK_REL(after, before, 0.01);
    /* Of all of a string: parts of it between eyelets are three times as long as at first. */
    sn_scene_strain strain;
    REQUIRE_OK(sn_scene_body_strain(scene, 1, &strain));
    CHECK(strain.largest < 0.01);
    sn_scene_close(scene);
}

/* One wire keeps its hook, with its end below the mandrel; the other is straight again. */
TEST(a_wire_keeps_its_bend) {
    sn_scene *scene = scene_open_in(SCENES, "hook", NULL);
    scene_run_frames(scene, 150);
    double x = scene_column_value(scene, "soft x [m]"), y = scene_column_value(scene, "soft y [m]");
    double straight = scene_column_value(scene, "spring x [m]");
    if (check_shows()) printf("hook: ends at %.4f, %.4f m; %.4f m\n", x, y, straight);
    CHECK(x < 0 && y < 0.3);
    CHECK_NEAR(straight, 0.2, 2e-3);
    sn_scene_close(scene);
}

/* Downwind, and with none of its 411 segments longer; without wind it stands. */
TEST(a_tree_bends_in_the_wind) {
    double bent[2];
    for (int i = 0; i < 2; i++) {
        sn_scene *scene = scene_open_in(SCENES, "tree", i == 0 ? NULL : "wind=0");
        line before = line_of(scene, "tree");
        scene_run_frames(scene, 180);
        line after = line_of(scene, "tree");
        double sum = 0;
        for (int k = 0; k < after.count; k++) sum += (after.x[k][0] - before.x[k][0]) / after.count;
        bent[i] = sum;
        sn_scene_strain strain;
        REQUIRE_OK(sn_scene_body_strain(scene, 0, &strain));
        CHECK(strain.largest < 0.002);
        sn_scene_close(scene);
    }
    if (check_shows()) printf("tree: %.4f m in the wind, %.4f m without\n", bent[0], bent[1]);
    CHECK(bent[0] > bent[1] + 0.05);
}

/* The same area and weight; droop goes with 1 / I. */
/* m, how far what is seen of a body reaches from the y axis. */
static double width_of(sn_scene *scene, const char *name) {
    sn_io_frame frame;
    double most = 0;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    for (size_t i = 0; i < frame.shape_count; i++) {
        const sn_io_shape *s = &frame.shapes[i];
        for (size_t k = 0; strcmp(s->name, name) == 0 && k < s->vertex_count; k++)
            most = fmax(most, hypot((double)s->positions[k].x, (double)s->positions[k].z));
    }
    return most;
}

/* m^3, of the segments of the bundle: seven rods of ten nodes, by the radii of their frames. */
static double volume_of(sn_scene *scene) {
    enum { RODS = 7, NODES = 10 };
    line l = line_of(scene, "muscle");
    double sum = 0;
    sn_scene_body body;
    sn_vec3 scale[RODS * NODES];
    sn_quat turn[RODS * NODES];
    REQUIRE_OK(sn_scene_body_at(scene, 0, &body) ? SN_OK : SN_ERROR_VALUE);
    REQUIRE_OK(sn_rod_frames(sn_scene_world(scene), body.nodes, RODS * NODES, turn, scale));
    for (int i = 0; i < RODS; i++)
        for (int k = i * NODES; k + 1 < (i + 1) * NODES; k++)
            sum += (double)scale[k].x * (double)scale[k].x * apart(l.x[k], l.x[k + 1]);
    return sum;
}

/* To 0.7 of its length a rod is 1.2 times as thick, and so is a bundle that stays one. */
TEST(a_bundle_of_muscles_swells_and_lifts) {
    sn_scene *scene = scene_open_in(SCENES, "bundle", NULL);
    double low = scene_column_value(scene, "weight y [m]"), slim = width_of(scene, "muscle");
    double volume = volume_of(scene);
    scene_run_frames(scene, 100);
    double high = scene_column_value(scene, "weight y [m]"), wide = width_of(scene, "muscle");
    if (check_shows())
        printf("bundle: from %.3f to %.3f m, %.4f to %.4f wide, volume %.5f\n", low, high, slim,
               wide, volume_of(scene) / volume);
    CHECK(high > low + 0.06);
    CHECK(wide > 1.12 * slim && wide < 1.4 * slim);
    CHECK_REL(volume_of(scene), volume, 0.01);
    sn_scene_close(scene);
}

/* Lines of what is seen of the hair. */
static size_t lines_of(sn_scene *scene) {
    sn_io_frame frame;
    size_t lines = 0;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    for (size_t i = 0; i < frame.shape_count; i++)
        if (strcmp(frame.shapes[i].name, "hair") == 0) lines += frame.shapes[i].line_count;
    return lines;
}

/* A quarter of the guides with half of the segments, and as many strands to be seen. Roots go with
   the head, which is rigid and turns: they keep their distances. */
TEST(hair_goes_with_the_skin_in_any_detail) {
    sn_scene *full = scene_open_in(SCENES, "mane", NULL);
    sn_scene *scene = scene_open_in(SCENES, "mane", "detail=0.25");
    size_t all = lines_of(full) / 12, few = lines_of(scene) / 6;
    line first = line_of(scene, "hair");
    if (check_shows()) printf("mane: %zu strands, and %zu of %d nodes\n", all, few, first.count);
    CHECK(all == 120 * 21 && few == 30 * 81 && first.count == 30 * 7);
    scene_run_frames(scene, 165);
    line last = line_of(scene, "hair");
    double moved = 0, off = 0;
    for (int i = 0; i < 30; i++) {
        int k = 7 * i, j = 7 * ((i + 11) % 30);
        moved = fmax(moved, apart(first.x[k], last.x[k]));
        off = fmax(off, fabs(apart(first.x[k], first.x[j]) - apart(last.x[k], last.x[j])));
    }
    if (check_shows()) printf("mane: roots went %.3f m, and are off by %.4f m\n", moved, off);
    CHECK(moved > 0.05);
    CHECK(off < 0.001);
    sn_scene_close(scene);
    sn_scene_close(full);
}

/* m: the mean distance of the tips from where they would be if they were one with the head, which
   is turned by so much; and how deep any node is in it. */
static double lag_of_tips(const line *at_rest, const line *now, double angle, double *deep) {
    const int nodes = 7;
    double sum = 0;
    *deep = 0;
    for (int i = 0; i < now->count; i++) {
        const double *a = at_rest->x[i], *b = now->x[i], centre[3] = {0, 0.5, 0};
        double turned[3] = {a[0] * cos(angle) + a[2] * sin(angle), a[1],
                            a[2] * cos(angle) - a[0] * sin(angle)};
        if (i % nodes == nodes - 1) sum += apart(turned, b);
        *deep = fmax(*deep, 0.1 - apart(b, centre));
    }
    return sum * nodes / now->count;
}

static sn_scene *open_crop(const char *turn) {
    const char *sets[] = {"strands=60", turn};
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    def.path = SCENES "/crop.json";
    def.sets = sets;
    def.set_count = 2;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    return scene;
}

/* It leans by centimetres where the head turns round; a second after that has stopped it is where
   it is on a head that was still. */
TEST(short_hair_swings_back) {
    sn_scene *still = open_crop("turn=0");
    sn_scene *scene = open_crop("turn=0.9");
    double deep[2], away[2];
    line rest = {0}, now = {0};
    for (int i = 0; i < 2; i++) {
        int frames = i == 0 ? 45 : 105;
        scene_run_frames(still, frames);
        scene_run_frames(scene, frames);
        rest = line_of(still, "hair");
        now = line_of(scene, "hair");
        away[i] = lag_of_tips(&rest, &now, i == 0 ? -0.9 : 0, &deep[i]);
    }
    sn_scene_strain strain;
    REQUIRE_OK(sn_scene_body_strain(scene, 0, &strain));
    if (check_shows())
        printf("crop: tips lag by %.4f m, then %.4f m; %.5f m deep; strain %.5f\n", away[0],
               away[1], fmax(deep[0], deep[1]), strain.largest);
    CHECK(away[0] > 0.005);
    CHECK(away[1] < 0.001);
    CHECK(deep[0] < 1e-3 && deep[1] < 1e-3);
    CHECK(strain.largest < 0.01);
    sn_scene_close(scene);
    sn_scene_close(still);
}

/* m: the mean distance of tips from their roots, which is longer where curls are drawn out. */
static double reach_of_locks(sn_scene *scene) {
    const int nodes = 37;
    double sum = 0;
    line now = line_of(scene, "hair");
    for (int i = 0; i + nodes <= now.count; i += nodes)
        sum += apart(now.x[i], now.x[i + nodes - 1]);
    return sum * nodes / now.count;
}

/* Locks are as long a second after the head has shaken as before; without a hold they are straight
   by then. */
TEST(curls_spring_back) {
    double reach[2][2];
    for (int limp = 0; limp < 2; limp++) {
        const char *sets[] = {"strands=12", "children=0", limp ? "hold=0" : "hold=140"};
        sn_scene_def def = sn_scene_def_default();
        sn_scene *scene = NULL;
        def.path = SCENES "/curls.json";
        def.sets = sets;
        def.set_count = 3;
        REQUIRE_OK(sn_scene_open(&def, &scene));
        scene_run_frames(scene, 30);
        reach[limp][0] = reach_of_locks(scene);
        scene_run_frames(scene, 150);
        reach[limp][1] = reach_of_locks(scene);
        if (check_shows()) printf("curls: %.4f m, then %.4f m\n", reach[limp][0], reach[limp][1]);
        sn_scene_close(scene);
    }
    CHECK_REL(reach[0][1], reach[0][0], 0.04);
    CHECK(reach[1][1] > 1.3 * reach[0][1]);
}

TEST(sections_bend_by_their_shape) {
    sn_scene *scene = scene_open_in(SCENES, "sections", NULL);
    static const char *const names[] = {"flat y [m]", "round y [m]", "upright y [m]",
                                        "ellipse y [m]", "tube y [m]"};
    scene_run_frames(scene, 150);
    for (int i = 0; i + 1 < 5; i++) {
        double a = scene_column_value(scene, names[i]);
        double b = scene_column_value(scene, names[i + 1]);
        if (check_shows()) printf("%s %.4f, %s %.4f\n", names[i], a, names[i + 1], b);
        check_case("%s, %s", names[i], names[i + 1]);
        if (i < 2) CHECK(a < b);
    }
    /* q L^4 / 8 E I of the tube. */
    double E = 1e8, r = 0.00833, q = 9.81 * 1000 * 3.14159265 * r * r * 0.36;
    double second = 3.14159265 * pow(r, 4) / 4 * (1 - pow(0.8, 4));
    CHECK_REL(0.5 - scene_column_value(scene, "tube y [m]"), q * pow(0.5, 4) / (8 * E * second),
              0.03);
    sn_scene_close(scene);
}

TESTS(RUN(a_slinky_walks_down_stairs), RUN(a_trefoil_tightens_and_holds),
      RUN(a_twisted_cord_winds_about_itself), RUN(a_rope_falls_in_a_heap),
      RUN(a_bridge_carries_what_comes_down_on_it), RUN(a_winch_lifts_at_its_speed),
      RUN(a_suture_closes_a_wound), RUN(a_pouch_is_drawn_shut), RUN(a_wire_keeps_its_bend),
      RUN(a_tree_bends_in_the_wind), RUN(sections_bend_by_their_shape),
      RUN(a_bundle_of_muscles_swells_and_lifts), RUN(hair_goes_with_the_skin_in_any_detail),
      RUN(short_hair_swings_back), RUN(curls_spring_back))
