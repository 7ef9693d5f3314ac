/* Pictures as cases: a cloth that hangs from a round table, drawn at 1280 x 720 pixels. */
#include "bench/bench.h"

#include "app/clock.h"

#include <sinew_picture/picture.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1280, HEIGHT = 720, LEVEL = 2, DRAWINGS = 7 };

void bench_list_pictures(bench_case cases[BENCH_PICTURES], bool quick) {
    /* Cells of the cloth; each becomes 2 x 16 triangles. */
    static const int sizes[BENCH_PICTURES] = {32, 64};
    for (int i = 0; i < BENCH_PICTURES; i++) {
        bench_case *c = &cases[i];
        *c = (bench_case){.size = sizes[i],
                          .frames = quick ? 1 : DRAWINGS,
                          .repeats = 1,
                          .run = bench_run_picture};
        snprintf(c->name, sizeof c->name, "picture-%dk", 32 * sizes[i] * sizes[i] / 1000);
    }
}

/* Flat on the table, and in folds around it that are deeper further down. */
static sn_vec3 place_of(double x, double z) {
    const double table = 0.42, height = 0.75;
    double r = sqrt(x * x + z * z), angle = atan2(z, x), down = fmax(r - table, 0);
    double out = fmin(r, table) + 0.1 * down + 0.22 * down * cos(9 * angle) * (1 - 0.3 * down);
    double share = r > 0 ? out / r : 0;
    return (sn_vec3){(sn_real)(share * x), (sn_real)(height - 0.9 * down), (sn_real)(share * z)};
}

static void make_cloth(int cells, sn_vec3 *at, sn_real (*uvs)[2], uint32_t (*triangles)[3]) {
    const double side = 1.5;
    int n = cells + 1;
    for (int i = 0; i < n * n; i++) {
        double u = side * ((double)(i % n) / cells - 0.5),
               v = side * ((double)(i / n) / cells - 0.5);
        at[i] = place_of(u, v);
        uvs[i][0] = (sn_real)u;
        uvs[i][1] = (sn_real)v;
    }
    for (int i = 0; i < cells * cells; i++) {
        uint32_t a = (uint32_t)(i / cells * n + i % cells), b = a + (uint32_t)n;
        uint32_t *t = triangles[2 * i];
        t[0] = t[3] = a;
        t[1] = b;
        t[2] = t[4] = b + 1;
        t[5] = a + 1;
    }
}

static sn_result draw(const bench_case *c, int threads, const sn_io_shape *cloth, bench_row *row) {
    sn_io_frame frame = {.shape_count = 1, .shapes = cloth};
    sn_picture_bounds bounds = sn_picture_bounds_none();
    sn_picture_bounds_add(&bounds, &frame);
    sn_picture_view view = sn_picture_view_around(&bounds, (double)WIDTH / HEIGHT);
    view.smooth = LEVEL;
    view.threads = threads;
    double times[DRAWINGS];
    for (int i = 0; i < c->frames; i++) {
        sn_picture_image image;
        double start = clock_now();
        sn_result result = sn_picture_draw(&frame, &view, WIDTH, HEIGHT, &image);
        times[i] = clock_now() - start;
        if (result != SN_OK) return result;
        row->hash = 1;
        for (size_t k = 0; k < (size_t)3 * WIDTH * HEIGHT; k++)
            row->hash = sn_hash_word(row->hash, image.rgb[k]);
        sn_picture_image_free(&image);
    }
    row->ms_per_frame = 1e3 * bench_median(times, c->frames);
    row->ns_per_projection = 1e6 * row->ms_per_frame / (16.0 * (double)cloth->triangle_count);
    return SN_OK;
}

sn_result bench_run_picture(const bench_case *c, int threads, bench_row *row) {
    size_t vertices = (size_t)(c->size + 1) * (size_t)(c->size + 1);
    size_t triangle_count = (size_t)2 * (size_t)c->size * (size_t)c->size;
    sn_vec3 *at = malloc(vertices * sizeof *at);
    sn_real(*uvs)[2] = malloc(vertices * sizeof *uvs);
    uint32_t(*triangles)[3] = malloc(triangle_count * sizeof *triangles);
    sn_result result = SN_ERROR_MEMORY;
    if (at && uvs && triangles) {
        make_cloth(c->size, at, uvs, triangles);
        sn_io_shape cloth = {.name = "cloth",
                             .vertex_count = vertices,
                             .positions = at,
                             .triangle_count = triangle_count,
                             .triangles = (const uint32_t(*)[3])triangles,
                             .uvs = (const sn_real(*)[2])uvs,
                             .creased = true};
        result = draw(c, threads, &cloth, row);
    }
    free(at);
    free(uvs);
    free(triangles);
    return result;
}
