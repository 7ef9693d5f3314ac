#include "picture/picture_band.h"

#include "picture/quad.h"

#include <stdlib.h>
#include <string.h>

/* Rows of pixels that are known: those of the band, and one on either side. */
enum { KNOWN_ROWS = BAND_ROWS + 2 };

/* One row of what the middles of pixels show. */
typedef struct band_row {
    surface_point *points; /* where there is an item */
    ground_span *ground;   /* of each span with a pixel that shows nothing */
    float *seen;           /* how much of the lights: the whole row for one, then for the next */
    struct span_kind *spans;
} band_row;

/* What is known of all pixels of a span. */
typedef struct span_kind {
    bool full, empty; /* all of them show an item, or none does */
    bool lit;         /* they are empty, and in no shadow */
} span_kind;

struct band {
    const band_scene *scene;
    int width;
    size_t step; /* from the pixels of a row that see one light to those for the next */
    fill_buffer middles, pixels;
    uint32_t *surface; /* of what is at the middles, places as those of the buffer */
    uint8_t *edge;     /* the same: whether a pixel is at one */
    uint8_t *differs;  /* of a row: whether places are on two surfaces */
    int32_t *slot;
    uint8_t *used;
    size_t slot_count, slot_room;
    fill_buffer layer; /* what is seen through, with the slots of the pixels */
    float *before;     /* keys of the layers so far */
    /* Of each sample: the light of the layers, and how much of what is behind them is seen. Null
       where nothing in the band can be seen through. */
    float (*through)[4];
    size_t through_room;
    bool clear;       /* something in this band can be */
    band_row rows[3]; /* of which the last is above the first of the next pair */
    const stage_part *guess;
};

/* ---- Making ---- */

static void free_row(band_row *row) {
    free(row->points);
    free(row->ground);
    free(row->seen);
    free(row->spans);
}

void sn_band_destroy(band *b) {
    if (!b) return;
    for (int i = 0; i < 3; i++) free_row(&b->rows[i]);
    sn_fill_free(&b->middles);
    sn_fill_free(&b->pixels);
    sn_fill_free(&b->layer);
    free(b->before);
    free(b->through);
    free(b->surface);
    free(b->edge);
    free(b->differs);
    free(b->slot);
    free(b->used);
    free(b);
}

static bool make_row(band_row *row, size_t width) {
    row->points = malloc((width + SHADE_SPAN) * sizeof *row->points);
    row->ground = malloc((width / SHADE_SPAN + 1) * sizeof *row->ground);
    row->seen = calloc((width + 2 * SHADE_SPAN) * SHADE_LIGHTS, sizeof *row->seen);
    row->spans = calloc(width / SHADE_SPAN + 2, sizeof *row->spans);
    return row->points && row->ground && row->seen && row->spans;
}

static bool make(band *b, int width) {
    /* Rows end with a whole span. */
    int whole = (width + SHADE_SPAN - 1) / SHADE_SPAN * SHADE_SPAN;
    if (!sn_fill_make_map(&b->middles, whole, KNOWN_ROWS, true)) return false;
    size_t places = fill_across(&b->middles) * KNOWN_ROWS, wide = (size_t)width;
    sn_fill_make_pixels(&b->pixels, width, BAND_ROWS);
    sn_fill_make_pixels(&b->layer, width, BAND_ROWS);
    b->surface = malloc(places * sizeof *b->surface);
    b->edge = malloc(places);
    b->differs = malloc(wide + 1);
    b->slot = malloc(wide * BAND_ROWS * sizeof *b->slot);
    b->used = malloc((size_t)fill_squares(width) * (size_t)fill_squares(BAND_ROWS));
    bool rows = true;
    for (int i = 0; i < 3; i++) rows = rows && make_row(&b->rows[i], wide);
    b->pixels.slot = b->slot;
    b->pixels.used = b->used;
    b->middles.thin = b->edge;
    return rows && b->surface && b->edge && b->differs && b->slot && b->used;
}

band *sn_band_create(const band_scene *scene, int width) {
    band *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->scene = scene;
    b->width = width;
    b->step = (size_t)width + 2 * SHADE_SPAN;
    if (make(b, width)) return b;
    sn_band_destroy(b);
    return NULL;
}

/* ---- The ground as something that hides ---- */

/* Its key is linear, like that of everything flat. */
typedef struct ground_key {
    float corner, right, down;
} ground_key;

static ground_key ground_key_of(const band_scene *s) {
    float depth = s->shading->ground - s->camera->eye.y;
    bool seen = s->shading->has_ground && depth < 0;
    /* A little lower, so that what lies on it is not half in it. */
    float inverse = seen ? 1 / (depth - 2e-3f * norm(s->camera->eye)) : 0;
    return (ground_key){project_ray(s->camera, 0, 0).y * inverse,
                        s->camera->axes.right.y / s->camera->focus * inverse,
                        -s->camera->axes.up.y / s->camera->focus * inverse};
}

static inline float ground_key_at(const ground_key *g, float x, float y) {
    return most_of(g->corner + g->right * x + g->down * y, 0);
}

/* ---- Middles of pixels ---- */

static void clear_middles(band *b, const ground_key *ground) {
    size_t across = fill_across(&b->middles), places = across * KNOWN_ROWS;
    for (int row = 0; row < KNOWN_ROWS; row++) {
        float y = (float)(row + b->middles.first_row) + 0.5f;
        float *key = b->middles.key + (size_t)row * across;
        quad base =
            ground->corner + ground->down * y + ground->right * (quad){0.5f, 1.5f, 2.5f, 3.5f};
        for (size_t x = 0; x < across; x += QUAD)
            quad_store(key + x, quad_most(base + ground->right * (float)x, quad_of(0)));
    }
    memset(b->middles.item, 0xff, places * sizeof *b->middles.item);
    memset(b->edge, 0, places);
}

static void find_surfaces(band *b) {
    size_t places = fill_across(&b->middles) * KNOWN_ROWS;
    const uint32_t *item = b->middles.item, *surface = b->scene->stage->surface;
    _Static_assert(STAGE_NOTHING == FILL_NOTHING, "what shows nothing is copied");
    memcpy(b->surface, item, places * sizeof *item);
    for (size_t i = 0; i < places; i += QUAD) {
        quad_bits four;
        memcpy(&four, item + i, sizeof four);
        if (!quad_any(four + 1)) continue;
        for (size_t k = i; k < i + QUAD; k++)
            if (item[k] != FILL_NOTHING) b->surface[k] = surface[item[k]];
    }
}

/* Relative to the depth: neighbours of a surface that is not looked at very flatly are closer. */
static float close_of(const band *b) {
    return 4 * b->scene->shading->pixel;
}

/* Which edges a pixel is at: one that is told by its own row and that above, or by a thin item; one
   to the row below, which the last row of a band does not know. */
enum { EDGE_HERE = 1, EDGE_BELOW = 2 };

/* Compares the places from `first` on with those `step` further on; `mark` is for the former. */
static void mark_between(band *b, size_t first, size_t step, size_t count, uint8_t mark) {
    const uint32_t *one = b->surface + first, *two = one + step;
    const float *a = b->middles.key + first, *c = a + step;
    uint8_t *here = b->edge + first, *there = here + step, *differs = b->differs;
    float close = close_of(b);
    /* In loops of their own, as places may be beside each other. */
    for (size_t i = 0; i < count; i++) {
        bool apart = fabsf(a[i] - c[i]) > close * a[i];
        differs[i] = (uint8_t)((one[i] != two[i]) | (apart & (one[i] != STAGE_NOTHING)));
    }
    for (size_t i = 0; i < count; i++) here[i] |= (uint8_t)(differs[i] * mark);
    for (size_t i = 0; i < count; i++) there[i] |= (uint8_t)(differs[i] * EDGE_HERE);
}

static void find_edges(band *b) {
    size_t across = fill_across(&b->middles), width = (size_t)b->width;
    for (size_t row = 0; row < KNOWN_ROWS; row++) {
        if (row > 0) mark_between(b, (row - 1) * across, across, width, EDGE_BELOW);
        mark_between(b, row * across, 1, width - 1, EDGE_HERE);
    }
}

/* ---- Samples at edges ---- */

/* Numbers the pixels at edges. */
static void number_edges(band *b, int rows) {
    int squares = fill_squares(b->width);
    b->slot_count = 0;
    memset(b->used, 0, (size_t)squares * (size_t)fill_squares(BAND_ROWS));
    memset(b->slot, 0xff, (size_t)b->width * BAND_ROWS * sizeof *b->slot);
    for (int y = 0; y < rows; y++) {
        const uint8_t *edge = b->edge + (size_t)(y + 1) * fill_across(&b->middles);
        int32_t *slot = b->slot + (size_t)y * (size_t)b->width;
        for (int from = 0; from < b->width; from += FILL_SQUARE) {
            uint64_t any;
            _Static_assert(sizeof any == FILL_SQUARE, "a byte for each pixel");
            memcpy(&any, edge + from, sizeof any);
            if (!any) continue;
            for (int x = from; x < from + FILL_SQUARE && x < b->width; x++)
                if (edge[x]) slot[x] = (int32_t)b->slot_count++;
            b->used[y / FILL_SQUARE * squares + from / FILL_SQUARE] = 1;
        }
    }
}

/* Clears the samples of a square in a row. */
static void clear_slots(band *b, const ground_key *ground, int from, int row) {
    const int32_t *slot = b->slot + (size_t)row * (size_t)b->width;
    float y = (float)(row + b->pixels.first_row);
    for (int x = from; x < from + FILL_SQUARE && x < b->width; x++) {
        if (slot[x] < 0) continue;
        float *key = b->pixels.key + (size_t)slot[x] * FILL_SAMPLES;
        for (int k = 0; k < FILL_SAMPLES; k++)
            key[k] = ground_key_at(ground, (float)x + b->pixels.x[k], y + b->pixels.y[k]);
    }
}

/* Gives them samples, and clears these. */
static bool make_slots(band *b, const ground_key *ground, int rows) {
    number_edges(b, rows);
    if (b->slot_count > b->slot_room) {
        b->slot_room = 0;
        if (!sn_fill_make_room(&b->pixels, b->slot_count + b->slot_count / 2)) return false;
        b->slot_room = b->slot_count + b->slot_count / 2;
    }
    int squares = fill_squares(b->width);
    for (int y = 0; y < rows; y++)
        for (int from = 0; from < b->width; from += FILL_SQUARE)
            if (b->used[y / FILL_SQUARE * squares + from / FILL_SQUARE])
                clear_slots(b, ground, from, y);
    if (b->slot_count > 0)
        memset(b->pixels.item, 0xff, b->slot_count * FILL_SAMPLES * sizeof *b->pixels.item);
    return true;
}

/* ---- Rows ---- */

/* Where the middles of row `y` of the picture begin. */
static size_t place_of(const band *b, int y) {
    return (size_t)(y - b->middles.first_row) * fill_across(&b->middles);
}

/* What the middle of a pixel sees of the lights, exactly, into its row. */
static void see(const band *b, const band_row *row, bool nothing, int x) {
    const shading *s = b->scene->shading;
    const ground_span *g = &row->ground[x / SHADE_SPAN];
    int i = x % SHADE_SPAN;
    for (int k = 0; k < s->light_count; k++)
        row->seen[(size_t)k * b->step + (size_t)x] =
            !nothing                    ? sn_shade_seen(s, k, &row->points[x])
            : shade_has_ground(s, g, i) ? sn_shade_ground_seen(s, k, g->x[i], g->z[i])
                                        : 1;
}

static span_kind kind_of(const uint32_t item[SHADE_SPAN]) {
    quad_bits all = {-1, -1, -1, -1}, any = {0};
    for (int i = 0; i < SHADE_SPAN; i += QUAD) {
        quad_bits four;
        memcpy(&four, item + i, sizeof four);
        all &= four;
        any |= four == -1;
    }
    return (span_kind){.full = !quad_any(any), .empty = !quad_any(~all)};
}

/* All of a span sees all of the lights. */
static void light_span(const band *b, band_row *row, int from) {
    row->spans[from / SHADE_SPAN].lit = true;
    for (int k = 0; k < b->scene->shading->light_count; k++)
        for (int i = 0; i < SHADE_SPAN; i += QUAD)
            quad_store(row->seen + (size_t)k * b->step + (size_t)(from + i), quad_of(1));
}

/* Finds what the middles of a span show, and in every second row, what they see of the lights. */
static void look_at_span(band *b, band_row *row, int from, int y) {
    const band_scene *s = b->scene;
    const uint32_t *item = b->middles.item + place_of(b, y);
    int to = from + SHADE_SPAN < b->width ? from + SHADE_SPAN : b->width;
    span_kind *kind = &row->spans[from / SHADE_SPAN];
    ground_span *ground = &row->ground[from / SHADE_SPAN];
    *kind = kind_of(item + from);
    bool after = from > 0 && !kind[-1].full;
    if (!kind->full)
        sn_shade_find_ground(s->shading, s->camera, (float)from + 0.5f, (float)y + 0.5f, 1,
                             after ? ground - 1 : NULL, ground);
    for (int x = from; !kind->empty && x < to; x++) {
        if (item[x] == FILL_NOTHING) continue;
        b->guess = sn_stage_part_of(s->stage, item[x], b->guess);
        vec ray = unit(project_ray(s->camera, (float)x + 0.5f, (float)y + 0.5f));
        sn_hit_item(&s->hits, b->guess, item[x], ray, &row->points[x]);
    }
    if (kind->empty && sn_shade_is_open(s->shading, ground))
        light_span(b, row, from);
    else
        for (int x = from; y % 2 == 0 && x < to; x += 2) see(b, row, item[x] == FILL_NOTHING, x);
}

static void look_along(band *b, band_row *row, int y) {
    for (int from = 0; from < b->width; from += SHADE_SPAN) look_at_span(b, row, from, y);
}

/* The pixels around one that know what they see of the lights. */
typedef struct around {
    int count;
    const float *seen[4];
} around;

/* Those of the same surface, at about the same depth. `pair` is the row above the picture row `y`
   or that row itself, and those below it. */
static around look_around(const band *b, const band_row *pair[3], int x, int y, uint32_t surface,
                          float key) {
    around found = {0};
    float close = 2 * close_of(b) * key;
    for (int j = y - y % 2; j <= y + y % 2; j += 2)
        for (int i = x - x % 2; i <= x + x % 2; i += 2) {
            if (i >= b->width) continue;
            size_t place = place_of(b, j) + (size_t)i;
            bool apart = fabsf(b->middles.key[place] - key) > close;
            if (b->surface[place] != surface || (apart && surface != STAGE_NOTHING)) continue;
            found.seen[found.count++] = pair[j - (y - y % 2)]->seen + i;
        }
    return found;
}

/* Those around must not see more different parts of a light than this. */
static const float most_apart = 0.2f;

/* Means of those around; false where they are further apart than `most`, or `least` of them are not
   there. */
static bool mean_of(const band *b, const around *found, int least, float most,
                    float seen[SHADE_LIGHTS]) {
    if (found->count < least) return false;
    float inverse = 1 / (float)found->count;
    for (int k = 0; k < b->scene->shading->light_count; k++) {
        float low = 1, high = 0, sum = 0;
        for (int i = 0; i < found->count; i++) {
            float value = found->seen[i][(size_t)k * b->step];
            low = least_of(low, value);
            high = most_of(high, value);
            sum += value;
        }
        if (high - low > most) return false;
        seen[k] = sum * inverse;
    }
    return true;
}

/* Whether a pixel, and those to the right and below that know what they see, are within one
   surface. */
static bool is_within(const band *b, int x, int y) {
    if (x + 2 >= b->width) return false;
    size_t across = fill_across(&b->middles);
    const uint8_t *edge = b->edge + place_of(b, y) + (size_t)x;
    uint8_t any = 0, last = 0;
    for (int i = 0; i < 3; i++) {
        any |= edge[i] | edge[across + (size_t)i];
        last |= edge[2 * across + (size_t)i];
    }
    /* What is below them does not matter, and is not known at the end of a band. */
    return !any && !(last & EDGE_HERE);
}

/* A pixel that those around it do not tell enough about together. */
static void see_between(const band *b, const band_row *pair[3], int x, int y) {
    size_t place = place_of(b, y) + (size_t)x;
    float seen[SHADE_LIGHTS];
    around found = look_around(b, pair, x, y, b->surface[place], b->middles.key[place]);
    if (!mean_of(b, &found, (1 + x % 2) * (1 + y % 2), most_apart, seen))
        see(b, pair[y % 2], b->surface[place] == STAGE_NOTHING, x);
    else
        for (int k = 0; k < b->scene->shading->light_count; k++)
            pair[y % 2]->seen[(size_t)k * b->step + (size_t)x] = seen[k];
}

/* Finds what two pixels of two rows see that do not know it yet. */
static void see_pair(const band *b, const band_row *pair[3], int x, int y) {
    int lights = b->scene->shading->light_count;
    bool known = is_within(b, x, y);
    for (int k = 0; known && k < lights; k++) {
        size_t at = (size_t)k * b->step + (size_t)x;
        float *here = pair[0]->seen + at, *below = pair[1]->seen + at;
        const float *next = pair[2]->seen + at;
        float low = least_of(least_of(here[0], here[2]), least_of(next[0], next[2]));
        float high = most_of(most_of(here[0], here[2]), most_of(next[0], next[2]));
        known = high - low <= most_apart;
        here[1] = 0.5f * (here[0] + here[2]);
        below[0] = 0.5f * (here[0] + next[0]);
        below[1] = 0.5f * (here[1] + 0.5f * (next[0] + next[2]));
    }
    if (known) return;
    see_between(b, pair, x, y + 1);
    if (x + 1 == b->width) return;
    see_between(b, pair, x + 1, y);
    see_between(b, pair, x + 1, y + 1);
}

/* The same of all of them; what is lit knows it. */
static void see_rest(const band *b, const band_row *pair[3], int y) {
    for (int from = 0; from < b->width; from += SHADE_SPAN) {
        int span = from / SHADE_SPAN;
        if (pair[0]->spans[span].lit && pair[1]->spans[span].lit) continue;
        for (int x = from; x < from + SHADE_SPAN && x < b->width; x += 2) see_pair(b, pair, x, y);
    }
}

/* ---- Pixels ---- */

/* An item at a place within a pixel at an edge. */
static vec shade_sample(band *b, const band_row *pair[3], int x, int y, uint32_t item, float key,
                        float at_x, float at_y, float *opacity) {
    const band_scene *s = b->scene;
    const shading *light = s->shading;
    float seen[SHADE_LIGHTS] = {0};
    uint32_t surface = item == FILL_NOTHING ? STAGE_NOTHING : s->stage->surface[item];
    around found = {0};
    if (pair && !stage_is_alone(surface)) found = look_around(b, pair, x, y, surface, key);
    /* At an edge, a neighbour alone may be on the other side of the edge of a shadow. */
    bool known = mean_of(b, &found, 2, 0.05f, seen);
    if (item == FILL_NOTHING) {
        ground_span g;
        sn_shade_find_ground(light, s->camera, at_x, at_y, 0, NULL, &g);
        for (int k = 0; !known && k < light->light_count; k++)
            seen[k] =
                shade_has_ground(light, &g, 0) ? sn_shade_ground_seen(light, k, g.x[0], g.z[0]) : 1;
        float spread[SHADE_LIGHTS * SHADE_SPAN];
        for (int i = 0; i < SHADE_LIGHTS * SHADE_SPAN; i++) spread[i] = seen[i / SHADE_SPAN];
        span_colours c;
        sn_shade_background(light, &g, spread, SHADE_SPAN, &c);
        return (vec){c.part[0][0], c.part[1][0], c.part[2][0]};
    }
    vec ray = unit(project_ray(s->camera, at_x, at_y));
    b->guess = sn_stage_part_of(s->stage, item, b->guess);
    surface_point at;
    sn_hit_item(&s->hits, b->guess, item, ray, &at);
    for (int k = 0; !known && k < light->light_count; k++) seen[k] = sn_shade_seen(light, k, &at);
    /* What is looked at aslant is as if it were thicker; of a puff, less is looked through. */
    float slant = most_of(-dot(at.normal, ray), 0.1f);
    if (opacity && at.opacity < 1)
        *opacity = 1 - powf(1 - at.opacity, at.smoke ? slant * slant : 1 / slant);
    return sn_shade_surface(light, &at, seen);
}

static vec expose(vec light) {
    return (vec){shade_expose(light.x), shade_expose(light.y), shade_expose(light.z)};
}

static inline quad expose_quad(quad light) {
    quad over = quad_most(light - shade_knee, quad_of(0));
    return quad_least(light, quad_of(shade_knee)) + over / (1 + over * (1 / (1 - shade_knee)));
}

static void expose_span(span_colours *c) {
    quad_bits bright = {0};
    for (int i = 0; i < 3 * SHADE_SPAN; i += QUAD)
        bright |= quad_load(c->part[i / SHADE_SPAN] + i % SHADE_SPAN) > shade_knee;
    for (int i = 0; quad_any(bright) && i < 3 * SHADE_SPAN; i += QUAD) {
        float *at = c->part[i / SHADE_SPAN] + i % SHADE_SPAN;
        quad_store(at, expose_quad(quad_load(at)));
    }
}

/* Which samples show the same surface as sample `first`; `own` gets those of the item itself. */
static unsigned same_surface(const band *b, const uint32_t *item, const float *key, int first,
                             unsigned *own) {
    const uint32_t *surface = b->scene->stage->surface;
    unsigned same = 0;
    float close = close_of(b);
    *own = 0;
    for (int i = first; i < FILL_SAMPLES; i++) {
        if (item[i] == item[first]) *own |= 1u << i;
        if (item[i] == FILL_NOTHING || item[first] == FILL_NOTHING) continue;
        if (surface[item[i]] == surface[item[first]] && fabsf(key[i] - key[first]) < close * key[i])
            same |= 1u << i;
    }
    return same | *own;
}

/* Samples of a pixel that are one surface, and the middle of those of the item itself, which lies
   on it, as items are convex. */
typedef struct sample_group {
    unsigned same;
    float x, y; /* pixels */
} sample_group;

static sample_group group_of(const band *b, const uint32_t *item, const float *key, int first,
                             int x, int y) {
    unsigned own;
    sample_group g = {.same = same_surface(b, item, key, first, &own)};
    float count = 0;
    for (int i = 0; i < FILL_SAMPLES; i++) {
        float is_own = (float)(own >> i & 1);
        g.x += is_own * b->pixels.x[i];
        g.y += is_own * b->pixels.y[i];
        count += is_own;
    }
    g.x = (float)x + g.x / count;
    g.y = (float)y + g.y / count;
    return g;
}

static vec shade_edge(band *b, const band_row *pair[3], int x, int y, size_t slot) {
    const uint32_t *item = b->pixels.item + slot * FILL_SAMPLES;
    const float *key = b->pixels.key + slot * FILL_SAMPLES;
    const float(*through)[4] =
        b->clear ? (const float(*)[4])b->through + slot * FILL_SAMPLES : NULL;
    vec sum = {0, 0, 0};
    unsigned left = (1u << FILL_SAMPLES) - 1;
    for (int first = 0; first < FILL_SAMPLES; first++) {
        if (through) sum = add(sum, (vec){through[first][0], through[first][1], through[first][2]});
        if (!(left >> first & 1)) continue;
        sample_group g = group_of(b, item, key, first, x, y);
        float count = 0;
        for (int i = 0; i < FILL_SAMPLES; i++)
            if (g.same & left & 1u << i) count += through ? through[i][3] : 1;
        left &= ~g.same;
        if (!(count > 0)) continue;
        vec colour = shade_sample(b, pair, x, y, item[first], key[first], g.x, g.y, NULL);
        sum = add(sum, scale(expose(colour), count));
    }
    return scale(sum, 1.0f / FILL_SAMPLES);
}

/* ---- What can be seen through ---- */

enum { LAYERS = 12 };

/* Surfaces that are closer to each other, as a part of their distance from the eye, are one: that
   of a glass and of what it stands on, or of two panes that touch. Which of them is nearer is a
   matter of rounding, and another one in every pixel. */
static const float touching = 1e-4f;

static bool make_layers(band *b) {
    size_t samples = b->slot_count * FILL_SAMPLES;
    if (b->slot_count > b->through_room) {
        b->through_room = 0;
        free(b->before);
        free(b->through);
        b->before = malloc(samples * sizeof *b->before);
        b->through = malloc(samples * sizeof *b->through);
        if (!b->before || !b->through || !sn_fill_make_room(&b->layer, b->slot_count)) return false;
        b->through_room = b->slot_count;
    }
    for (size_t i = 0; i < samples; i++) {
        const float all[4] = {0, 0, 0, 1};
        memcpy(b->through[i], all, sizeof all);
        b->before[i] = INFINITY;
    }
    return true;
}

/* Adds a layer to what is seen in a pixel; whether there was any. */
static bool add_layer(band *b, int x, int y, size_t slot) {
    const uint32_t *item = b->layer.item + slot * FILL_SAMPLES;
    const float *key = b->layer.key + slot * FILL_SAMPLES;
    float *before = b->before + slot * FILL_SAMPLES;
    unsigned left = 0;
    for (int i = 0; i < FILL_SAMPLES; i++) {
        if (item[i] != FILL_NOTHING) left |= 1u << i;
        before[i] = item[i] != FILL_NOTHING ? (1 - touching) * key[i] : -INFINITY;
    }
    bool any = left != 0;
    for (int first = 0; first < FILL_SAMPLES; first++) {
        if (!(left >> first & 1)) continue;
        sample_group g = group_of(b, item, key, first, x, y);
        float opacity = 1;
        vec colour =
            expose(shade_sample(b, NULL, x, y, item[first], key[first], g.x, g.y, &opacity));
        for (int i = 0; i < FILL_SAMPLES; i++) {
            if (!(g.same & left & 1u << i)) continue;
            float *t = b->through[slot * FILL_SAMPLES + (size_t)i], share = t[3] * opacity;
            t[0] += share * colour.x;
            t[1] += share * colour.y;
            t[2] += share * colour.z;
            t[3] -= share;
        }
        left &= ~g.same;
    }
    return any;
}

/* Finds the layers of a band, from the nearest on. */
static bool see_through(band *b, int index) {
    const band_scene *s = b->scene;
    if (!make_layers(b)) return false;
    size_t samples = b->slot_count * FILL_SAMPLES;
    b->layer.slot = b->slot;
    b->layer.used = b->used;
    b->layer.before = b->before;
    b->layer.first_row = b->pixels.first_row;
    bool any = true;
    for (int layer = 0; any && layer < LAYERS; layer++) {
        /* Nothing behind what is opaque. */
        for (size_t i = 0; i < samples; i++) b->layer.key[i] = (1 + touching) * b->pixels.key[i];
        memset(b->layer.item, 0xff, samples * sizeof *b->layer.item);
        sn_bins_fill(&s->clear, index, s->stage, s->camera, &b->layer);
        any = false;
        for (int i = 0; i < b->width * BAND_ROWS; i++)
            if (b->slot[i] >= 0)
                any |= add_layer(b, i % b->width, i / b->width + b->pixels.first_row,
                                 (size_t)b->slot[i]);
    }
    return true;
}

/* Pixels that may show something that can be seen through get samples. */
static void mark_clear(band *b, int index) {
    const band_scene *s = b->scene;
    b->clear = s->clear.bands > 0 && s->clear.start[index + 1] > s->clear.start[index];
    if (!b->clear) return;
    fill_buffer marks = b->middles;
    marks.marks = true;
    sn_bins_fill(&s->clear, index, s->stage, s->camera, &marks);
}

/* ---- Drawing ---- */

/* Whether a span may have a pixel at an edge. */
static bool has_edge(const band *b, int from, int y) {
    uint64_t any[SHADE_SPAN / 8];
    _Static_assert(sizeof any == SHADE_SPAN, "a byte for each pixel");
    memcpy(any, b->edge + place_of(b, y) + (size_t)from, sizeof any);
    return (any[0] | any[1]) != 0;
}

/* The light of a span of pixels, of those at edges already as bright as they are shown. */
static void shade_span(band *b, const band_row *row, const band_row *pair[3], int from, int y,
                       span_colours *c) {
    const band_scene *s = b->scene;
    int count = b->width - from < SHADE_SPAN ? b->width - from : SHADE_SPAN;
    const int32_t *slot = b->slot + (size_t)(y - b->pixels.first_row) * (size_t)b->width + from;
    const uint32_t *surface = b->surface + place_of(b, y) + (size_t)from;
    const span_kind *kind = &row->spans[from / SHADE_SPAN];
    bool nothing = !kind->full, all = kind->empty, edge = has_edge(b, from, y);
    if (nothing)
        sn_shade_background(s->shading, &row->ground[from / SHADE_SPAN], row->seen + from, b->step,
                            c);
    for (int i = 0; !all && i < count; i++) {
        int x = from + i;
        if (surface[i] == STAGE_NOTHING || slot[i] >= 0) continue;
        float seen[SHADE_LIGHTS];
        for (int k = 0; k < s->shading->light_count; k++)
            seen[k] = row->seen[(size_t)k * b->step + (size_t)x];
        vec colour = sn_shade_surface(s->shading, &row->points[x], seen);
        c->part[0][i] = colour.x;
        c->part[1][i] = colour.y;
        c->part[2][i] = colour.z;
    }
    expose_span(c);
    for (int i = 0; edge && i < count; i++) {
        if (slot[i] < 0) continue;
        vec colour = shade_edge(b, pair, from + i, y, (size_t)slot[i]);
        c->part[0][i] = colour.x;
        c->part[1][i] = colour.y;
        c->part[2][i] = colour.z;
    }
}

static void shade_row(band *b, const band_row *row, const band_row *pair[3], int y,
                      sn_picture_image *image) {
    uint8_t *out = image->rgb + (size_t)y * (size_t)image->width * 3;
    const colour_encoder *encoder = &b->scene->encoder;
    span_colours c = {0};
    for (int from = 0; from < b->width; from += SHADE_SPAN) {
        int index[3][SHADE_SPAN];
        shade_span(b, row, pair, from, y, &c);
        for (int i = 0; i < 3 * SHADE_SPAN; i += QUAD) {
            int k = i / SHADE_SPAN, at = i % SHADE_SPAN;
            quad_bits whole =
                quad_whole(quad_clamp(quad_load(c.part[k] + at), 0, 1) * COLOUR_STEPS + 0.5f);
            memcpy(index[k] + at, &whole, sizeof whole);
        }
        uint8_t bytes[3 * SHADE_SPAN];
        for (int i = 0; i < SHADE_SPAN; i++)
            for (int k = 0; k < 3; k++) bytes[3 * i + k] = encoder->byte[index[k][i]];
        int count = b->width - from < SHADE_SPAN ? b->width - from : SHADE_SPAN;
        memcpy(out + 3 * from, bytes, 3 * (size_t)count);
    }
}

bool sn_band_draw(band *b, int index, sn_picture_image *image) {
    const band_scene *s = b->scene;
    int first = index * BAND_ROWS, rows = image->height - first;
    rows = rows < BAND_ROWS ? rows : BAND_ROWS;
    ground_key ground = ground_key_of(s);
    b->middles.first_row = first - 1;
    b->pixels.first_row = first;
    clear_middles(b, &ground);
    sn_bins_fill(&s->bins, index, s->stage, s->camera, &b->middles);
    find_surfaces(b);
    find_edges(b);
    mark_clear(b, index);
    if (!make_slots(b, &ground, rows)) return false;
    if (b->slot_count > 0) sn_bins_fill(&s->bins, index, s->stage, s->camera, &b->pixels);
    if (b->clear && b->slot_count > 0 && !see_through(b, index)) return false;
    look_along(b, &b->rows[0], first);
    for (int y = first; y < first + rows; y += 2) {
        const band_row *pair[3] = {&b->rows[0], &b->rows[1], &b->rows[2]};
        look_along(b, &b->rows[1], y + 1);
        if (y + 2 < first + KNOWN_ROWS - 1) look_along(b, &b->rows[2], y + 2);
        see_rest(b, pair, y);
        shade_row(b, &b->rows[0], pair, y, image);
        if (y + 1 < first + rows) shade_row(b, &b->rows[1], pair, y + 1, image);
        band_row next = b->rows[2];
        b->rows[2] = b->rows[0];
        b->rows[0] = next;
    }
    return true;
}
