/*
 * Fluids in a periodic world. A particle near a side of the box has images beyond the opposite one:
 * places that others find as their neighbours, and that follow the place of the particle in all
 * that neighbours are asked for. So no loop over pairs knows of the period, and what two particles
 * do to each other is opposite across a side as elsewhere.
 *
 * Images are found with the lists and hold as long. Within a step particles are not put back into
 * the box, so that images count from where particles really are; only who has gone much farther
 * beyond it than the fastest was expected to, or half of it, is not seen until the step is over.
 */
#include "base/team.h"
#include "collision/period.h"
#include "systems/fluid/fluids.h"

#include <math.h>

enum { ALONE = 1024, MOST_TURNS = 4 };

typedef struct sn_fluid_image {
    uint32_t twin, bucket;
    sn_vec4 shift; /* m */
} sn_fluid_image;

/* Who may be asked for, in m from the origin: as far as somebody is, and reaches. */
typedef struct range {
    double low[3], high[3], length[3];
} range;

static double at_axis(sn_vec4 y, int axis) {
    return (double)(axis == 0 ? y.x : axis == 1 ? y.y : y.z);
}

static sn_vec4 vec4_of(sn_vec3 a) {
    return (sn_vec4){a.x, a.y, a.z, 0};
}

/* As far as somebody is beyond the box, but for who went farther than was expected. */
static range range_of(const sn_world *world, bool most) {
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    const sn_period_def *period = &sn_collision_of(world)->period;
    range r;
    for (int i = 0; i < 3; i++) {
        double low = at_axis(vec4_of(period->low), i) - at_axis(s->origin, i);
        double length = at_axis(vec4_of(period->length), i), high = low + length;
        double from = INFINITY, to = -INFINITY;
        double excess = s->excess < 0.5 * length ? s->excess : 0.5 * length;
        r.length[i] = length;
        r.low[i] = low - excess - s->cell;
        r.high[i] = high + excess + s->cell;
        if (!(length > 0) || most) continue;
        for (size_t k = 0; k < s->count; k++) {
            double y = at_axis(sn_fluid_particle_at(world, s, k), i);
            from = y < from ? y : from;
            to = y > to ? y : to;
        }
        r.low[i] = fmax(r.low[i], from - s->cell);
        r.high[i] = fmin(r.high[i], to + s->cell);
    }
    return r;
}

/* Which images are within range: from how many periods on to how many. */
static void turns_of(const range *r, sn_vec4 y, int from[3], int to[3]) {
    for (int i = 0; i < 3; i++) {
        double per = r->length[i] > 0 ? 1 / r->length[i] : 0, at = at_axis(y, i);
        double first = per > 0 ? ceil((r->low[i] - at) * per) : 0;
        double last = per > 0 ? floor((r->high[i] - at) * per) : 0;
        from[i] = first > -MOST_TURNS ? first < 0 ? (int)first : 0 : -MOST_TURNS;
        to[i] = last < MOST_TURNS ? last > 0 ? (int)last : 0 : MOST_TURNS;
    }
}

static size_t count_images(const sn_world *world, const range *r) {
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    size_t sum = 0;
    for (size_t k = 0; k < s->count; k++) {
        int from[3], to[3];
        turns_of(r, sn_fluid_particle_at(world, s, k), from, to);
        size_t all = 1;
        for (int i = 0; i < 3; i++) all *= (size_t)(to[i] - from[i] + 1);
        sum += all - 1;
    }
    return sum;
}

/* m: how far the fastest goes in a step, and a cell. */
static double excess_of(const sn_world *world, double dt) {
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    double most = 0;
    for (size_t k = 0; k < s->count; k++) {
        sn_vec4 v = world->nodes.v[s->particle[k].node];
        double x = (double)v.x, y = (double)v.y, z = (double)v.z, square = x * x + y * y + z * z;
        if (square > most) most = square;
    }
    return sqrt(most) * dt + s->cell;
}

bool sn_fluid_images_reserve(sn_world *world, double dt) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    sn_memory *memory = &world->memory;
    s->images = s->image_room = 0;
    if (!sn_world_is_periodic(world)) return true;
    s->excess = excess_of(world, dt);
    range r = range_of(world, true);
    s->image_room = count_images(world, &r);
    s->image_room += s->image_room / 4 + 64;
    return sn_reserve(memory, (void **)&s->image, &s->image_capacity, s->image_room,
                      sizeof *s->image) &&
           sn_reserve(memory, (void **)&s->twin, &s->twin_capacity, s->image_room,
                      sizeof *s->twin) &&
           sn_reserve(memory, (void **)&s->shift, &s->shift_capacity, s->image_room,
                      sizeof *s->shift) &&
           sn_reserve(memory, (void **)&s->image_start, &s->image_start_capacity, s->room + 1,
                      sizeof *s->image_start);
}

void sn_fluid_images_free(sn_fluid_places *s, sn_memory *memory) {
    sn_free(memory, s->image, s->image_capacity, sizeof *s->image);
    sn_free(memory, s->twin, s->twin_capacity, sizeof *s->twin);
    sn_free(memory, s->shift, s->shift_capacity, sizeof *s->shift);
    sn_free(memory, s->image_start, s->image_start_capacity, sizeof *s->image_start);
}

/* Lists the images of a place; false where there is no room for them. */
static bool add_images(sn_fluid_places *s, const range *r, size_t at) {
    int from[3], to[3];
    turns_of(r, s->y[at], from, to);
    for (int z = from[2]; z <= to[2]; z++)
        for (int y = from[1]; y <= to[1]; y++)
            for (int x = from[0]; x <= to[0]; x++) {
                if (x == 0 && y == 0 && z == 0) continue;
                if (s->images == s->image_room) return false;
                sn_vec4 by = {(sn_real)(x * r->length[0]), (sn_real)(y * r->length[1]),
                              (sn_real)(z * r->length[2]), 0};
                sn_vec4 there = {s->y[at].x + by.x, s->y[at].y + by.y, s->y[at].z + by.z, 0};
                s->image[s->images++] =
                    (sn_fluid_image){(uint32_t)at, sn_fluid_grid_bucket(s, there), by};
            }
    return true;
}

/* By counting, as places are: the ends move back while images are put down. */
static void sort_images(sn_fluid_places *s) {
    const size_t first = sn_fluid_first_image(s);
    uint32_t *start = s->image_start;
    for (size_t b = 0; b <= s->cells; b++) start[b] = 0;
    for (size_t k = 0; k < s->images; k++) start[s->image[k].bucket]++;
    for (size_t b = 0; b < s->cells; b++) start[b + 1] += start[b];
    for (size_t k = s->images; k-- > 0;) {
        const sn_fluid_image *image = &s->image[k];
        uint32_t i = --start[image->bucket];
        s->twin[i] = image->twin;
        s->shift[i] = image->shift;
        s->order[first + i] = s->order[image->twin];
        s->node[first + i] = s->node[image->twin];
        s->trait[first + i] = s->trait[image->twin];
    }
    for (size_t b = 0; b <= s->cells; b++) start[b] += (uint32_t)first;
}

void sn_fluid_images_find(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    s->images = 0;
    if (s->image_room == 0) return;
    range r = range_of(world, false);
    size_t at = 0;
    while (at < s->count && add_images(s, &r, at)) at++;
    if (at < s->count)
        sn_world_say(world, SN_LOG_WARNING,
                     "more particles of a fluid have come to the sides of a periodic world within "
                     "a step than there is memory for; some are left out in this step");
    sort_images(s);
    sn_fluid_images_place(world, s->y);
}

typedef struct following {
    const sn_fluid_places *s;
    sn_vec4 *column;
    bool shifted;
} following;

static void follow(void *context, size_t begin, size_t end) {
    const following *f = context;
    sn_vec4 *image = f->column + sn_fluid_first_image(f->s);
    for (size_t i = begin; i < end; i++) {
        image[i] = f->column[f->s->twin[i]];
        if (!f->shifted) continue;
        image[i].x += f->s->shift[i].x;
        image[i].y += f->s->shift[i].y;
        image[i].z += f->s->shift[i].z;
    }
}

void sn_fluid_images_place(const sn_world *world, sn_vec4 *column) {
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    following f = {s, column, true};
    if (s->images > 0) sn_team_run(world->bindings.team, s->images, ALONE, follow, &f);
}

void sn_fluid_images_copy(const sn_world *world, sn_vec4 *column) {
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    following f = {s, column, false};
    if (s->images > 0) sn_team_run(world->bindings.team, s->images, ALONE, follow, &f);
}

void sn_fluid_images_push(const sn_world *world) {
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    for (size_t i = 0; i < s->images; i++)
        s->push[sn_fluid_first_image(s) + i] = s->push[s->twin[i]];
}
