/*
 * Any bytes as XML, and as a robot. A document is a tree whose elements come in the order of the
 * text and lie within it; a robot has links and joints that refer to each other, poses that are
 * finite, and can be made in a world, all of it or nothing, and stepped.
 */
#include "io/text/xml.h"

#include <sinew_io/robot.h>

#include <math.h>
#include <string.h>

#include "fuzz.h"

static size_t walk(const xml_document *d, const xml_element *e, int depth) {
    size_t count = 1;
    FUZZ_EXPECT(depth <= 64 && e->at >= d->text.begin && e->at < d->text.end && e->name[0]);
    for (uint32_t i = 0; i < e->attributes; i++) {
        const xml_attribute *a = &d->attributes[e->attribute + i];
        FUZZ_EXPECT(sn_xml_find(d, e, a->name) == a);
        FUZZ_EXPECT(a->at > e->at && a->at + strlen(a->value) <= d->text.end);
    }
    for (const xml_element *c = sn_xml_child(d, e, NULL); c; c = sn_xml_next_child(d, c, NULL)) {
        FUZZ_EXPECT(c > e && c->at > e->at);
        count += walk(d, c, depth + 1);
    }
    return count;
}

static void read_xml(const char *data, size_t size) {
    xml_document d;
    sn_result result = sn_xml_parse("fuzz.xml", data, size, &d);
    FUZZ_EXPECT(result == SN_OK || result == SN_ERROR_DATA || result == SN_ERROR_MEMORY);
    if (result == SN_OK)
        FUZZ_EXPECT(walk(&d, d.elements, 0) == d.count && d.letter_count <= size);
    else
        FUZZ_EXPECT(strncmp(sn_last_error(), "fuzz.xml:", 9) == 0);
    sn_xml_free(&d);
}

static void check_robot(const sn_io_robot *robot, const sn_io_robot_place *place) {
    size_t links = sn_io_robot_link_count(robot), joints = sn_io_robot_joint_count(robot);
    sn_vec3 *x = malloc(links * sizeof *x);
    sn_quat *q = malloc(links * sizeof *q);
    FUZZ_EXPECT(x && q && links > 0 && joints == links - 1);
    for (size_t i = 0; i < joints; i++) {
        sn_io_robot_joint j;
        FUZZ_EXPECT(sn_io_robot_joint_at(robot, i, &j));
        FUZZ_EXPECT(j.parent < links && j.child < links && j.parent != j.child);
        FUZZ_EXPECT(j.mimic == SIZE_MAX || (j.mimic < joints && j.mimic != i));
    }
    if (sn_io_robot_pose(robot, place, x, q) == SN_OK)
        for (size_t i = 0; i < links; i++) {
            double size = (double)q[i].x * (double)q[i].x + (double)q[i].y * (double)q[i].y +
                          (double)q[i].z * (double)q[i].z + (double)q[i].w * (double)q[i].w;
            FUZZ_EXPECT(fabs(size - 1) < 1e-5);
        }
    free(x);
    free(q);
}

static void make_robot(const sn_io_robot *robot, const sn_io_robot_place *place) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    sn_io_robot_parts parts;
    def.settings.substeps = 2;
    FUZZ_EXPECT(sn_world_create(&def, &world) == SN_OK);
    sn_result result = sn_io_robot_create(world, robot, place, &parts);
    sn_node_view view;
    FUZZ_EXPECT(sn_world_nodes(world, &view) == SN_OK);
    if (result == SN_OK) {
        FUZZ_EXPECT(view.count > 0 && sn_world_step(world, (sn_real)0.01) == SN_OK);
    } else {
        FUZZ_EXPECT(sn_last_error()[0] && parts.link_count == 0);
        FUZZ_EXPECT(sn_world_constraint_count(world, SN_TYPE_COUNT) == 0);
    }
    sn_io_robot_parts_free(&parts);
    sn_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    /* A copy of its own, so that reading past the end is found. */
    char *copy = malloc(size + (size == 0));
    FUZZ_EXPECT(copy);
    if (size > 0) memcpy(copy, data, size);
    read_xml(copy, size);
    sn_io_robot_def def = sn_io_robot_def_default();
    sn_io_robot *robot = NULL;
    def.text = copy;
    def.length = size;
    sn_result result = sn_io_robot_read("fuzz.urdf", &def, &robot);
    free(copy);
    if (result == SN_OK) {
        sn_io_robot_place place = sn_io_robot_place_default();
        place.self = size % 2 == 0;
        check_robot(robot, &place);
        make_robot(robot, &place);
    } else {
        FUZZ_EXPECT(!robot && sn_last_error()[0]);
    }
    sn_io_robot_free(robot);
    return 0;
}
