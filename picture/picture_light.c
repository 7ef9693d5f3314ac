#include "picture/picture_light.h"

#include <stdlib.h>

/* Texels of the map each way, and how many the edge of a shadow is blurred over. */
enum { LIGHT_SIZE = 1024, BLUR = 5 };

void sn_light_free(light_map *map) {
    free(map->depth);
    *map = (light_map){0};
}

/* The box of the stage along two directions, cut to the limit. */
static bool fit(const stage *s, vec a, vec b, float limit, float box[4]) {
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    float widest = 0;
    for (size_t i = 0; i < s->vertex_count; i++) {
        float u = dot(a, s->points[i]), v = dot(b, s->points[i]);
        box[0] = least_of(u, box[0]);
        box[1] = least_of(v, box[1]);
        box[2] = most_of(u, box[2]);
        box[3] = most_of(v, box[3]);
        widest = most_of(s->radii[i], widest);
    }
    widest = least_of(widest, limit);
    for (int i = 0; i < 4; i++) box[i] = clamp(box[i] + (i < 2 ? -widest : widest), -limit, limit);
    return box[0] <= box[2] && box[1] <= box[3];
}

bool sn_light_make(light_map *map, stage *s, vec to_light, float limit) {
    *map = (light_map){.size = LIGHT_SIZE};
    basis b = basis_towards(scale(to_light, -1), (vec){0, 1, 0});
    float box[4];
    /* A map of nothing leaves everything lit. */
    if (!fit(s, b.right, b.up, limit, box)) return true;
    float side = most_of(most_of(box[2] - box[0], box[3] - box[1]), 1e-6f * limit);
    map->texel = side / (LIGHT_SIZE - 4 * BLUR);
    float margin = 2 * BLUR * map->texel;
    vec corner = add(scale(b.right, box[0] - margin), scale(b.up, box[1] - margin));
    map->projector = sn_projector_parallel(scale(b.right, map->texel), scale(b.up, map->texel),
                                           b.forward, corner);
    fill_buffer buffer;
    map->depth = malloc(sizeof *map->depth * LIGHT_SIZE * LIGHT_SIZE);
    if (!map->depth || !sn_fill_make_map(&buffer, LIGHT_SIZE, LIGHT_SIZE)) {
        sn_light_free(map);
        return false;
    }
    sn_fill_clear(&buffer);
    sn_stage_project(s, &map->projector);
    sn_stage_fill_all(s, &map->projector, &buffer);
    for (int y = 0; y < LIGHT_SIZE; y++)
        sn_fill_texels(&buffer, y, LIGHT_SIZE, map->depth + y * LIGHT_SIZE);
    sn_fill_free(&buffer);
    return true;
}

float sn_light_at(const light_map *map, vec point) {
    if (!map->depth) return 1;
    vec at = project_place(&map->projector, point);
    float x = at.x - 0.5f - 0.5f * BLUR, y = at.y - 0.5f - 0.5f * BLUR;
    if (!(x >= 0 && y >= 0 && x < LIGHT_SIZE - BLUR - 1 && y < LIGHT_SIZE - BLUR - 1)) return 1;
    /* The share of lit texels around the point; those at the border count by their overlap. */
    int x0 = (int)x, y0 = (int)y;
    float fx = x - (float)x0, fy = y - (float)y0, lit = 0;
    const float *row = map->depth + y0 * LIGHT_SIZE + x0;
    for (int j = 0; j <= BLUR; j++, row += LIGHT_SIZE) {
        float inner = 0;
        for (int i = 1; i < BLUR; i++) inner += row[i] > at.z ? 1.0f : 0.0f;
        inner += row[0] > at.z ? 1 - fx : 0;
        inner += row[BLUR] > at.z ? fx : 0;
        lit += inner * (j == 0 ? 1 - fy : j == BLUR ? fy : 1);
    }
    return lit / (BLUR * BLUR);
}

/* ---- The ground ---- */

/* Levels of detail: each has half as many texels as the one before it. */
enum { LEVELS = 9, SIZE_MOST = 1024 };

typedef struct pyramid {
    int size[LEVELS]; /* texels each way */
    float *level[LEVELS];
    float *memory;
} pyramid;

static bool make_pyramid(pyramid *p, int size) {
    size_t total = 0, offset[LEVELS];
    for (int l = 0; l < LEVELS; l++) {
        p->size[l] = size >> l;
        offset[l] = total;
        total += (size_t)p->size[l] * (size_t)p->size[l];
    }
    p->memory = calloc(total, sizeof *p->memory);
    for (int l = 0; l < LEVELS && p->memory; l++) p->level[l] = p->memory + offset[l];
    return p->memory != NULL;
}

/* Puts what covers a texel into the two levels whose smoothing is nearest to `width` texels. */
static void deposit(pyramid *p, int x, int y, float width) {
    /* Texels of level l come out as bumps with a standard deviation of half of one; a disc of this
       width has a quarter. The finest levels would show the texels. */
    float at = clamp(log2f(most_of(0.5f * width, 1)), 1.3f, LEVELS - 1.001f);
    int l = (int)at;
    for (int k = 0; k < 2; k++) {
        float share = k == 0 ? 1 - (at - (float)l) : at - (float)l;
        int cell = (y >> (l + k)) * p->size[l + k] + (x >> (l + k));
        p->level[l + k][cell] += share / (float)(1 << 2 * (l + k));
    }
}

/* Adds a level to the next finer one, smoothly: quadratic splines, whose weights are 1/4 and
   3/4. */
static void add_finer(const float *from, int size, float *to) {
    int fine = 2 * size;
    for (int y = 0; y < fine; y++) {
        int y0 = y / 2, y1 = y % 2 ? y0 + 1 : y0 - 1;
        const float *near = from + y0 * size, *far = y1 >= 0 && y1 < size ? from + y1 * size : NULL;
        for (int x = 0; x < fine; x++) {
            int x0 = x / 2, x1 = x % 2 ? x0 + 1 : x0 - 1;
            bool inside = x1 >= 0 && x1 < size;
            float a = 0.75f * near[x0] + (inside ? 0.25f * near[x1] : 0);
            float b = far ? 0.75f * far[x0] + (inside ? 0.25f * far[x1] : 0) : 0;
            to[y * fine + x] += 0.75f * a + 0.25f * b;
        }
    }
}

void sn_ground_free(ground_map *map) {
    free(map->shade);
    *map = (ground_map){0};
}

/* Reads from a map of heights what covers each texel, and spreads it. */
static bool spread_all(ground_map *map, const fill_buffer *heights, float spread) {
    pyramid p;
    if (!make_pyramid(&p, map->size)) return false;
    for (int y = 0; y < map->size; y++) {
        float row[SIZE_MOST];
        sn_fill_texels(heights, y, map->size, row);
        for (int x = 0; x < map->size; x++)
            if (row[x] < INFINITY)
                deposit(&p, x, y, 2 * spread * most_of(row[x], 0) * map->per_metre);
    }
    for (int l = LEVELS - 2; l >= 0; l--) add_finer(p.level[l + 1], p.size[l + 1], p.level[l]);
    size_t count = (size_t)map->size * (size_t)map->size;
    for (size_t i = 0; i < count; i++) p.memory[i] = least_of(p.memory[i], 1);
    /* The finest level comes first, so the memory is that of the map. */
    float *smaller = realloc(p.memory, count * sizeof *p.memory);
    map->shade = smaller ? smaller : p.memory;
    return true;
}

bool sn_ground_make(ground_map *map, stage *s, vec to_light, float spread, float height,
                    float limit, int size) {
    *map = (ground_map){.size = size};
    /* Along the light, one unit of height at a time. */
    vec along = scale(to_light, 1 / to_light.y);
    vec row_x = {1, -along.x, 0}, row_z = {0, -along.z, 1};
    float box[4];
    if (!fit(s, row_x, row_z, limit, box)) return true;
    /* Those are for heights above the origin, not above the ground. */
    box[0] += along.x * height;
    box[2] += along.x * height;
    box[1] += along.z * height;
    box[3] += along.z * height;
    float highest = clamp(s->most.y - height, 0, limit);
    float margin = 2 * spread * highest + 0.02f * limit;
    float side = most_of(box[2] - box[0], box[3] - box[1]) + 2 * margin;
    float texel = side / (float)size;
    map->per_metre = 1 / texel;
    map->x = 0.5f * (box[0] + box[2] - side);
    map->z = 0.5f * (box[1] + box[3] - side);
    projector p = sn_projector_parallel((vec){texel, 0, 0}, (vec){0, 0, texel}, along,
                                        (vec){map->x, height, map->z});
    p.near = -0.25f * texel;
    fill_buffer buffer;
    if (!sn_fill_make_map(&buffer, size, size)) return false;
    sn_fill_clear(&buffer);
    sn_stage_project(s, &p);
    sn_stage_fill_all(s, &p, &buffer);
    bool made = spread_all(map, &buffer, spread);
    sn_fill_free(&buffer);
    return made;
}
