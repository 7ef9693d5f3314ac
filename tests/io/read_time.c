/*
 * How long it takes to read a million triangles; printed, since it depends on the machine. What is
 * checked is that all of them arrive.
 */
#define _POSIX_C_SOURCE 200809L

#include "read_help.h"

#include <stdio.h>
#include <time.h>

#include <sinew_io/file.h>

enum { SIDE = 708 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A sheet of waves. */
static sn_mesh make_sheet(void) {
    sn_mesh mesh = sn_mesh_default();
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        double x = (double)(i % SIDE) / SIDE, y = (double)(i / SIDE) / SIDE;
        sn_vec3 p = {(sn_real)x, (sn_real)y, (sn_real)(x * (1 - x) * y * (1 - y * x))};
        REQUIRE_OK(sn_mesh_add_vertices(&mesh, &p, 1));
    }
    for (uint32_t i = 0; i + SIDE < SIDE * SIDE; i++) {
        const uint32_t t[2][3] = {{i, i + 1, i + SIDE + 1}, {i, i + SIDE + 1, i + SIDE}};
        if (i % SIDE + 1 < SIDE) REQUIRE_OK(sn_mesh_add_triangles(&mesh, t, 2));
    }
    return mesh;
}

TEST(a_million_triangles) {
    static const char *const paths[] = {"time_scratch/sheet.ply",  "time_scratch/sheet.obj",
                                        "time_scratch/sheet.off",  "time_scratch/sheet.glb",
                                        "time_scratch/sheet.vtu",  "time_scratch/sheet.msh",
                                        "time_scratch/sheet.mesh", "time_scratch/sheet.stl"};
    sn_mesh mesh = make_sheet();
    REQUIRE_OK(sn_io_folder_make("time_scratch"));
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        sn_mesh read = sn_mesh_default();
        double start = now();
        REQUIRE_OK(sn_io_mesh_write(paths[i], NULL, &mesh));
        double written = now();
        REQUIRE_OK(sn_io_mesh_read(paths[i], NULL, &read));
        double end = now();
        printf("    %-24s written in %.2f s, read in %.2f s\n", paths[i], written - start,
               end - written);
        check_case("%s", paths[i]);
        CHECK(has_counts(&read, mesh.vertex_count, mesh.triangle_count, 0, 0, 0));
        sn_mesh_free(&read);
        remove(paths[i]);
    }
    sn_mesh_free(&mesh);
}

TESTS(RUN(a_million_triangles))
