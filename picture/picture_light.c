#include "picture/picture_light.h"

#include <sinew/support.h>

#include <stdlib.h>

/* Texels: the disc is at least so wide, or the texels would show, and at most so wide, which is
   enough to be soft. */
static const float least_disc = 1.5f, most_disc = 24;

void sn_light_free(light_map *map) {
    free(map->depth);
    free(map->nearest);
    free(map->furthest);
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

/* ---- Maps ---- */

static void make_tiles(light_map *map) {
    for (int j = 0; j < map->tiles; j++)
        for (int i = 0; i < map->tiles; i++) {
            float nearest = INFINITY, furthest = -INFINITY;
            for (int k = 0; k < LIGHT_TILE * LIGHT_TILE; k++) {
                int x = i * LIGHT_TILE + k % LIGHT_TILE, y = j * LIGHT_TILE + k / LIGHT_TILE;
                float depth = map->depth[y * map->size + x];
                nearest = least_of(depth, nearest);
                furthest = most_of(depth, furthest);
            }
            map->nearest[j * map->tiles + i] = nearest;
            map->furthest[j * map->tiles + i] = furthest;
            map->first = least_of(map->first, nearest);
        }
}

/* Neighbours with other turns look between the directions of each other. */
static void make_ways(light_map *map) {
    int count = map->directions * LIGHT_TURNS;
    for (int i = 0; i < count; i++) {
        double sine, cosine;
        sn_turn((uint64_t)i, (uint64_t)count, &sine, &cosine);
        map->way[i][0] = (float)cosine;
        map->way[i][1] = (float)sine;
    }
}

bool sn_light_make(light_map *map, stage *s, const light_def *def) {
    int size = def->size;
    *map = (light_map){.size = size,
                       .tiles = size / LIGHT_TILE,
                       .spread = def->spread,
                       .first = INFINITY,
                       .directions = def->directions,
                       .steps = def->steps};
    basis b = basis_towards(scale(def->to_light, -1), (vec){0, 1, 0});
    float box[4], limit = def->limit;
    make_ways(map);
    /* A map of nothing leaves everything lit. */
    if (!fit(s, b.right, b.up, limit, box)) return true;
    float side = most_of(most_of(box[2] - box[0], box[3] - box[1]), 1e-6f * limit);
    map->texel = side / (float)(size - 4);
    float margin = 2 * map->texel;
    vec corner = add(scale(b.right, box[0] - margin), scale(b.up, box[1] - margin));
    map->projector = sn_projector_parallel(scale(b.right, map->texel), scale(b.up, map->texel),
                                           b.forward, corner);
    size_t texels = (size_t)size * (size_t)size, tiles = (size_t)map->tiles * (size_t)map->tiles;
    fill_buffer buffer = {0};
    map->depth = malloc(texels * sizeof *map->depth);
    map->nearest = malloc(tiles * sizeof *map->nearest);
    map->furthest = malloc(tiles * sizeof *map->furthest);
    if (!map->depth || !map->nearest || !map->furthest || !sn_fill_make_map(&buffer, size, size)) {
        sn_light_free(map);
        return false;
    }
    sn_fill_clear(&buffer);
    sn_stage_project(s, &map->projector);
    sn_stage_fill_all(s, &map->projector, &buffer);
    for (int y = 0; y < size; y++) sn_fill_texels(&buffer, y, size, map->depth + y * size);
    sn_fill_free(&buffer);
    make_tiles(map);
    return true;
}

/* ---- Looking back ---- */

/* What lies around a place in the map. */
typedef struct search {
    bool hidden; /* nothing but things that hide the light */
    float wide;  /* texels: how far from it anything can be that hides any of the light; 0: lit */
} search;

static int tile_at(const light_map *map, float x) {
    int tile = (int)(x * (1.0f / LIGHT_TILE));
    return x < 0 ? 0 : tile < map->tiles ? tile : map->tiles - 1;
}

/* Texels: the radius of the disc where it passes something that is `height` nearer. */
static inline float disc_at(const light_map *map, float height, float per_texel) {
    return clamp(map->spread * height * per_texel, least_disc, most_disc);
}

/* Looks at the tiles that the widest disc may touch. */
static search look_around(const light_map *map, vec at, float bias, float highest) {
    float per_texel = 1 / map->texel;
    float reach = disc_at(map, highest, per_texel);
    int left = tile_at(map, at.x - reach), right = tile_at(map, at.x + reach);
    int top = tile_at(map, at.y - reach), bottom = tile_at(map, at.y + reach);
    search found = {.hidden = true};
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++) {
            float height = at.z - map->nearest[j * map->tiles + i];
            found.hidden = found.hidden && map->furthest[j * map->tiles + i] < at.z - bias;
            if (!(height > bias)) continue;
            float x = (float)(i * LIGHT_TILE), y = (float)(j * LIGHT_TILE);
            float dx = most_of(most_of(x - at.x, at.x - x - LIGHT_TILE), 0);
            float dy = most_of(most_of(y - at.y, at.y - y - LIGHT_TILE), 0);
            float disc = disc_at(map, height, per_texel);
            if (dx * dx + dy * dy > disc * disc) continue;
            found.wide = most_of(found.wide, disc);
        }
    return found;
}

/* 32 rings of the disc, of the same area, as bits: those from one square of a radius to another. */
static inline uint32_t rings(float from, float to) {
    int a = (int)(32 * least_of(from, 1) + 0.5f), b = (int)(32 * least_of(to, 1) + 0.5f);
    uint64_t one = 1;
    return (uint32_t)((one << b) - (one << a));
}

static int count_bits(uint32_t bits) {
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    return (int)(((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}

/* The rings that are hidden in one direction. What is hidden at a step and at the next is one
   surface, and hides all between them. */
static uint32_t hidden_rings(const light_map *map, vec at, float bias, const float way[2],
                             float step, int steps) {
    float per_texel = 1 / map->texel, last = 0;
    uint32_t hidden = 0;
    bool before = false;
    for (int k = 0; k <= steps; k++) {
        float r = (float)k * step, x = at.x + r * way[0], y = at.y + r * way[1];
        bool inside = (x >= 0) & (y >= 0) & (x < (float)map->size) & (y < (float)map->size);
        float height = inside ? at.z - map->depth[(int)y * map->size + (int)x] : -1;
        if (height > bias) {
            float inverse = 1 / disc_at(map, height, per_texel);
            float from = most_of(r - 0.5f * step, 0) * inverse, to = (r + 0.5f * step) * inverse;
            from *= from;
            to *= to;
            hidden |= rings(from, to);
            if (before) hidden |= last < from ? rings(last, from) : rings(from, last);
            last = to;
            before = true;
        } else {
            before = false;
        }
    }
    return hidden;
}

float sn_light_at(const light_map *map, vec point, float bias, int turn) {
    if (!map->depth) return 1;
    vec at = project_place(&map->projector, point);
    float edge = (float)map->size;
    float highest = at.z - map->first, reach = disc_at(map, highest, 1 / map->texel);
    if (!(highest > bias && at.x > -reach && at.y > -reach && at.x < edge + reach &&
          at.y < edge + reach))
        return 1;
    search s = look_around(map, at, bias, highest);
    bool within = at.x > s.wide && at.y > s.wide && at.x < edge - s.wide && at.y < edge - s.wide;
    if (!(s.wide > 0)) return 1;
    if (s.hidden && within) return 0;
    int steps = (int)s.wide + 1;
    if (steps > map->steps) steps = map->steps;
    float step = s.wide / (float)steps;
    int hidden = 0;
    /* Where the disc is a few texels wide, half of the directions find all of them. */
    int stride = steps <= 3 ? 2 : 1;
    for (int d = 0; d < map->directions; d += stride)
        hidden +=
            count_bits(hidden_rings(map, at, bias, map->way[d * LIGHT_TURNS + turn], step, steps));
    return 1 - (float)(hidden * stride) / (float)(32 * map->directions);
}

/* ---- The ground ---- */

void sn_ground_free(ground_map *map) {
    free(map->shade);
    *map = (ground_map){0};
}

/* The mean of what nine neighbours have seen, each in directions of its own. */
static void average(const float *from, int size, float *to) {
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            bool inside = x > 0 && y > 0 && x < size - 1 && y < size - 1;
            float sum = 0;
            for (int k = 0; inside && k < 9; k++)
                sum += from[(y + k / 3 - 1) * size + x + k % 3 - 1];
            to[y * size + x] = sum * (1.0f / 9);
        }
}

static bool shade_ground(ground_map *map, const light_map *light, float height) {
    size_t count = (size_t)map->size * (size_t)map->size;
    float texel = 1 / map->per_metre, bias = 0.25f * light->texel;
    float *seen = malloc(count * sizeof *seen);
    map->shade = malloc(count * sizeof *map->shade);
    if (!seen || !map->shade) {
        free(seen);
        return false;
    }
    for (int y = 0; y < map->size; y++)
        for (int x = 0; x < map->size; x++) {
            vec point = {map->x + ((float)x + 0.5f) * texel, height,
                         map->z + ((float)y + 0.5f) * texel};
            seen[y * map->size + x] = 1 - sn_light_at(light, point, bias, x % 3 + y % 3 * 3);
        }
    average(seen, map->size, map->shade);
    free(seen);
    return true;
}

bool sn_ground_make(ground_map *map, const stage *s, const light_map *light, vec to_light,
                    float height, float limit, int size) {
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
    float highest = clamp(s->most.y - height, 0, limit) / to_light.y;
    float margin = light->spread / to_light.y * highest + 0.01f * limit;
    float side = most_of(box[2] - box[0], box[3] - box[1]) + 2 * margin;
    map->per_metre = (float)size / side;
    map->x = 0.5f * (box[0] + box[2] - side);
    map->z = 0.5f * (box[1] + box[3] - side);
    return shade_ground(map, light, height);
}
