/*
 * JPEG with Huffman codes (ITU-T T.81), baseline and progressive: coefficients of blocks of 8 x 8
 * samples. A baseline file has all of a block at once. A progressive one has scans, each of which
 * adds some coefficients (spectral selection) or a further bit of some (successive approximation,
 * annex G), so that blocks wait until all scans are read.
 *
 * Of components that have fewer samples than others, each is used for the pixels that it stands
 * for. The inverse cosine transform is two products with the matrix of its definition, in the same
 * order everywhere.
 */
#include "picture/jpeg.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

enum { SIDE = 8, BLOCK = SIDE * SIDE, COMPONENTS = 3, TABLES = 4, LENGTHS = 16 };
/* What a file may ask for: pixels, with two bytes of coefficients for each colour, and scans, each
   of which goes through all blocks. */
enum { MOST_PIXELS = 1 << 26, MOST_SCANS = 128, MOST_SHIFT = 13, UNSENT = 255 };

/* Codes of a length are consecutive numbers; `first` is that of the first, and `index` where its
   symbol is. */
typedef struct code_table {
    int count[LENGTHS + 1], first[LENGTHS + 1], index[LENGTHS + 1];
    uint8_t symbol[256];
    bool there;
} code_table;

typedef struct component {
    int id, across, down;   /* blocks in a unit */
    int scale, dc, ac;      /* which tables */
    int last;               /* the DC coefficient before */
    int blocks, wide, high; /* blocks in a row; and those that a scan of it alone has, both ways */
    int16_t *coefficients;  /* of blocks, each row by row */
    uint8_t sent[BLOCK];    /* which bit of each was sent last, or UNSENT */
    size_t stride;
    uint8_t *samples;
} component;

/* Which coefficients of which components a scan has, from which bit on, and which bit came before
   that; 0: none. */
typedef struct scan {
    component *parts[COMPONENTS];
    int count, from, to, before, bit;
    int run; /* further blocks that have nothing new */
} scan;

typedef struct jpeg {
    const uint8_t *at, *end;
    uint32_t bits;
    int held; /* of bits */
    int width, height, count, interval;
    int units_across, units_down, most_across, most_down;
    bool plain; /* its components are red, green and blue */
    bool progressive;
    int scans;
    bool bad;
    component parts[COMPONENTS];
    code_table dc[TABLES], ac[TABLES];
    uint16_t scale[TABLES][BLOCK];
    float cosine[SIDE][SIDE]; /* of a frequency at a place */
} jpeg;

static const uint8_t zigzag[BLOCK] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

/* ---- Bits ---- */

/* A byte of 255 within codes has a 0 after it; otherwise a marker begins, behind which codes are
   taken to be 0. */
static int next_byte(jpeg *j) {
    if (j->at >= j->end) return 0;
    if (*j->at != 0xff) return *j->at++;
    if (j->at + 1 < j->end && j->at[1] == 0) {
        j->at += 2;
        return 0xff;
    }
    return 0;
}

static int next_bits(jpeg *j, int count) {
    while (j->held < count) {
        j->bits = j->bits << 8 | (uint32_t)next_byte(j);
        j->held += 8;
    }
    j->held -= count;
    return (int)(j->bits >> j->held & ((1u << count) - 1));
}

static int next_symbol(jpeg *j, const code_table *t) {
    int code = 0;
    for (int length = 1; length <= LENGTHS; length++) {
        code = code << 1 | next_bits(j, 1);
        int place = code - t->first[length];
        if (place >= 0 && place < t->count[length]) return t->symbol[t->index[length] + place];
    }
    j->bad = true;
    return 0;
}

/* A number of so many bits, of which those that begin with 0 are negative. */
static int next_number(jpeg *j, int count) {
    if (count == 0) return 0;
    int value = next_bits(j, count);
    return value < 1 << (count - 1) ? value - (1 << count) + 1 : value;
}

/* ---- Blocks ---- */

/* The difference of a DC coefficient from the one before. */
static int next_dc(jpeg *j, component *c) {
    int length = next_symbol(j, &j->dc[c->dc]);
    if (length > LENGTHS - 1) j->bad = true;
    if (j->bad) return 0;
    c->last += next_number(j, length);
    if (c->last < -(1 << 14) || c->last >= 1 << 14) j->bad = true;
    return c->last;
}

static void read_whole(jpeg *j, component *c, int16_t block[BLOCK]) {
    block[0] = (int16_t)next_dc(j, c);
    for (int k = 1; k < BLOCK && !j->bad; k++) {
        int symbol = next_symbol(j, &j->ac[c->ac]), zeros = symbol >> 4, length = symbol & 15;
        if (length == 0 && zeros < 15) return;
        k += zeros;
        if (k >= BLOCK) j->bad = true;
        if (j->bad || length == 0) continue;
        block[zigzag[k]] = (int16_t)next_number(j, length);
    }
}

/* A coefficient whose bits below that of the scan are still to come. */
static int16_t shifted(jpeg *j, int value, int bit) {
    value *= 1 << bit;
    if (value < INT16_MIN || value > INT16_MAX) j->bad = true;
    return (int16_t)(j->bad ? 0 : value);
}

/* How many blocks have nothing new, with this one. */
static int next_run(jpeg *j, int length) {
    return (1 << length) + (length > 0 ? next_bits(j, length) : 0);
}

static void begin_ac(jpeg *j, scan *s, const component *c, int16_t block[BLOCK]) {
    for (int k = s->from; k <= s->to && s->run == 0 && !j->bad; k++) {
        int symbol = next_symbol(j, &j->ac[c->ac]), zeros = symbol >> 4, length = symbol & 15;
        if (length == 0 && zeros < 15) {
            s->run = next_run(j, zeros);
            break;
        }
        k += zeros;
        if (k > s->to) j->bad = true;
        if (j->bad || length == 0) continue;
        block[zigzag[k]] = shifted(j, next_number(j, length), s->bit);
    }
    if (s->run > 0) s->run--;
}

/* The next bit of a coefficient that is not 0 any more. */
static void refine(jpeg *j, const scan *s, int16_t *at) {
    int size = *at < 0 ? -*at : *at, step = 1 << s->bit;
    if (next_bits(j, 1) && !(size & step)) *at = (int16_t)(*at < 0 ? *at - step : *at + step);
}

/* Passes over so many coefficients that are 0, refining the others; the one after them. */
static int refine_up_to(jpeg *j, const scan *s, int16_t block[BLOCK], int k, int zeros) {
    for (; k <= s->to; k++) {
        int16_t *at = &block[zigzag[k]];
        if (*at != 0)
            refine(j, s, at);
        else if (zeros-- == 0)
            break;
    }
    return k;
}

static void refine_ac(jpeg *j, scan *s, const component *c, int16_t block[BLOCK]) {
    int k = s->from;
    for (; k <= s->to && s->run == 0 && !j->bad; k++) {
        int symbol = next_symbol(j, &j->ac[c->ac]), zeros = symbol >> 4, length = symbol & 15;
        int value = 0;
        if (length > 1) j->bad = true;
        if (length == 0 && zeros < 15) {
            s->run = next_run(j, zeros);
            break;
        }
        if (length == 1) value = next_bits(j, 1) ? 1 << s->bit : -(1 << s->bit);
        k = refine_up_to(j, s, block, k, zeros);
        if (value != 0 && k > s->to) j->bad = true;
        if (value != 0 && !j->bad) block[zigzag[k]] = (int16_t)value;
    }
    if (s->run == 0) return;
    (void)refine_up_to(j, s, block, k, BLOCK);
    s->run--;
}

static void read_block(jpeg *j, scan *s, component *c, int16_t block[BLOCK]) {
    if (!j->progressive)
        read_whole(j, c, block);
    else if (s->from > 0 && s->before > 0)
        refine_ac(j, s, c, block);
    else if (s->from > 0)
        begin_ac(j, s, c, block);
    else if (s->before > 0)
        block[0] = (int16_t)(block[0] | next_bits(j, 1) << s->bit);
    else
        block[0] = shifted(j, next_dc(j, c), s->bit);
}

/* cos(k pi / 16) for k up to 8, from which those of all multiples follow. */
static float cosine_of(int k) {
    static const float table[SIDE + 1] = {1,           0.98078528f, 0.92387953f,
                                          0.83146961f, 0.70710678f, 0.55557023f,
                                          0.38268343f, 0.19509032f, 0};
    k %= 4 * SIDE;
    if (k > 2 * SIDE) k = 4 * SIDE - k;
    return k <= SIDE ? table[k] : -table[2 * SIDE - k];
}

static void make_cosines(jpeg *j) {
    for (int u = 0; u < SIDE; u++)
        for (int x = 0; x < SIDE; x++)
            j->cosine[u][x] = u == 0 ? 0.35355339f : 0.5f * cosine_of((2 * x + 1) * u);
}

static uint8_t byte_of(float value) {
    return value > 0 ? value < 255 ? (uint8_t)(value + 0.5f) : 255 : 0;
}

static void place_block(const jpeg *j, const component *c, const int16_t *from, uint8_t *to) {
    float rows[SIDE][SIDE], block[BLOCK];
    for (int k = 0; k < BLOCK; k++)
        block[zigzag[k]] = (float)from[zigzag[k]] * (float)j->scale[c->scale][k];
    for (int v = 0; v < SIDE; v++)
        for (int x = 0; x < SIDE; x++) {
            float sum = 0;
            for (int u = 0; u < SIDE; u++) sum += block[v * SIDE + u] * j->cosine[u][x];
            rows[v][x] = sum;
        }
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            float sum = 128;
            for (int v = 0; v < SIDE; v++) sum += rows[v][x] * j->cosine[v][y];
            to[(size_t)y * c->stride + (size_t)x] = byte_of(sum);
        }
}

/* Between intervals there are markers, which codes do not go across. */
static void restart(jpeg *j) {
    j->held = 0;
    while (j->at + 1 < j->end && !(j->at[0] == 0xff && j->at[1] >= 0xd0 && j->at[1] <= 0xd7)) {
        if (j->at[0] == 0xff && j->at[1] != 0 && j->at[1] != 0xff) break;
        j->at++;
    }
    if (j->at + 1 < j->end && j->at[1] >= 0xd0 && j->at[1] <= 0xd7) j->at += 2;
    for (int i = 0; i < j->count; i++) j->parts[i].last = 0;
}

static int16_t *block_at(const component *c, int x, int y) {
    return c->coefficients + ((size_t)y * (size_t)c->blocks + (size_t)x) * BLOCK;
}

/* A component alone has its blocks row by row, as many as its samples need; several have them unit
   by unit. */
static void read_scan(jpeg *j, scan *s) {
    bool alone = s->count == 1;
    int across = alone ? s->parts[0]->wide : j->units_across;
    int units = across * (alone ? s->parts[0]->high : j->units_down);
    for (int i = 0; i < s->count; i++) s->parts[i]->last = 0;
    for (int unit = 0; unit < units && !j->bad; unit++) {
        if (j->interval > 0 && unit > 0 && unit % j->interval == 0) {
            restart(j);
            s->run = 0;
        }
        int x = unit % across, y = unit / across;
        if (alone) read_block(j, s, s->parts[0], block_at(s->parts[0], x, y));
        for (int i = 0; i < s->count && !alone; i++) {
            component *c = s->parts[i];
            for (int b = 0; b < c->across * c->down && !j->bad; b++)
                read_block(j, s, c,
                           block_at(c, x * c->across + b % c->across, y * c->down + b / c->across));
        }
    }
}

/* The samples of all blocks, when all scans are read. */
static bool place_blocks(jpeg *j) {
    for (int i = 0; i < j->count; i++) {
        component *c = &j->parts[i];
        int down = j->units_down * c->down;
        c->stride = (size_t)c->blocks * SIDE;
        c->samples = malloc(c->stride * (size_t)down * SIDE);
        if (!c->samples) return false;
        for (int y = 0; y < down; y++)
            for (int x = 0; x < c->blocks; x++)
                place_block(j, c, block_at(c, x, y),
                            c->samples + ((size_t)y * c->stride + (size_t)x) * SIDE);
    }
    return true;
}

/* ---- Segments ---- */

static int word_at(const uint8_t *at) {
    return at[0] << 8 | at[1];
}

static bool read_scales(jpeg *j, const uint8_t *at, const uint8_t *end) {
    while (at < end) {
        int which = *at & 15, wide = *at >> 4;
        size_t size = wide ? 2 * BLOCK : BLOCK;
        at++;
        if (which >= TABLES || wide > 1 || (size_t)(end - at) < size) return false;
        for (int k = 0; k < BLOCK; k++)
            j->scale[which][k] = (uint16_t)(wide ? word_at(at + 2 * k) : at[k]);
        at += size;
    }
    return true;
}

static bool read_codes(jpeg *j, const uint8_t *at, const uint8_t *end) {
    while (at < end) {
        int which = *at & 15, kind = *at >> 4, total = 0, code = 0;
        if (which >= TABLES || kind > 1 || end - at < 1 + LENGTHS) return false;
        code_table *t = kind ? &j->ac[which] : &j->dc[which];
        for (int length = 1; length <= LENGTHS; length++) {
            t->count[length] = at[length];
            t->first[length] = code;
            t->index[length] = total;
            total += at[length];
            code = (code + at[length]) << 1;
        }
        at += 1 + LENGTHS;
        if (total > 256 || end - at < total) return false;
        memcpy(t->symbol, at, (size_t)total);
        t->there = true;
        at += total;
    }
    return true;
}

static bool take_components(jpeg *j, const uint8_t *at) {
    j->most_across = j->most_down = 1;
    for (int i = 0; i < j->count; i++, at += 3) {
        component *c = &j->parts[i];
        *c = (component){.id = at[0], .across = at[1] >> 4, .down = at[1] & 15, .scale = at[2]};
        if (c->across < 1 || c->across > 4 || c->down < 1 || c->down > 4 || c->scale >= TABLES)
            return false;
        if (j->count == 1) c->across = c->down = 1; /* which alone is not interleaved */
        if (c->across > j->most_across) j->most_across = c->across;
        if (c->down > j->most_down) j->most_down = c->down;
    }
    for (int i = 0; i < j->count; i++)
        if (j->most_across % j->parts[i].across || j->most_down % j->parts[i].down) return false;
    return true;
}

static sn_result read_frame(jpeg *j, const uint8_t *at, const uint8_t *end, int most) {
    if (j->count > 0 || end - at < 6 || at[0] != 8 || (at[5] != 1 && at[5] != COMPONENTS) ||
        end - at < 6 + 3 * at[5])
        return sn_fail(SN_ERROR_DATA,
                       "cannot read a texture: no JPEG of 8 bits and 1 or 3 colours");
    j->height = word_at(at + 1);
    j->width = word_at(at + 3);
    if (j->width < 1 || j->height < 1 || j->width > most || j->height > most)
        return sn_fail(SN_ERROR_LIMIT, "a texture has %d x %d pixels, expected 1 to %d", j->width,
                       j->height, most);
    if ((int64_t)j->width * j->height > MOST_PIXELS)
        return sn_fail(SN_ERROR_LIMIT, "a texture has %d x %d pixels, expected %d at most",
                       j->width, j->height, MOST_PIXELS);
    /* A block takes two codes, of a bit or more; that of a progressive file takes one. */
    if (j->width / SIDE * (j->height / SIDE) / (j->progressive ? 8 : 4) > j->end - at)
        return sn_fail(SN_ERROR_DATA, "cannot read a texture: a JPEG that ends too early");
    j->count = at[5];
    if (!take_components(j, at + 6))
        return sn_fail(SN_ERROR_DATA, "cannot read a texture: samples of a JPEG that do not fit");
    int wide = SIDE * j->most_across, high = SIDE * j->most_down;
    j->units_across = (j->width + wide - 1) / wide;
    j->units_down = (j->height + high - 1) / high;
    for (int i = 0; i < j->count; i++) {
        component *c = &j->parts[i];
        int share = SIDE * j->most_across, row = SIDE * j->most_down;
        c->blocks = j->units_across * c->across;
        c->wide = (j->width * c->across + share - 1) / share;
        c->high = (j->height * c->down + row - 1) / row;
        memset(c->sent, UNSENT, sizeof c->sent);
        c->coefficients = calloc((size_t)c->blocks * (size_t)(j->units_down * c->down),
                                 BLOCK * sizeof *c->coefficients);
        if (!c->coefficients) return sn_fail(SN_ERROR_MEMORY, "there is no memory for a texture");
    }
    return SN_OK;
}

/* Whether the scan has what is next of each of its coefficients; so each is sent once. */
static bool is_next(const scan *s) {
    for (int i = 0; i < s->count; i++)
        for (int k = s->from; k <= s->to; k++)
            if (s->parts[i]->sent[k] != (s->before > 0 ? s->before : UNSENT)) return false;
    return true;
}

/* Which coefficients a scan of a progressive file has: DC ones of any components, or AC ones of
   one. */
static bool take_range(const jpeg *j, scan *s, const uint8_t *at) {
    s->to = BLOCK - 1;
    if (!j->progressive) return true;
    s->from = at[0];
    s->to = at[1];
    s->before = at[2] >> 4;
    s->bit = at[2] & 15;
    bool dc = s->from == 0 && s->to == 0;
    bool ac = s->from > 0 && s->from <= s->to && s->to < BLOCK && s->count == 1;
    return (dc || ac) && s->bit <= MOST_SHIFT && (s->before == 0 || s->before == s->bit + 1);
}

static bool has_tables(const jpeg *j, const scan *s) {
    bool dc = s->from == 0 && s->before == 0, ac = s->to > 0;
    for (int i = 0; i < s->count; i++) {
        const component *c = s->parts[i];
        if ((dc && !j->dc[c->dc].there) || (ac && !j->ac[c->ac].there)) return false;
    }
    return true;
}

static bool begin_scan(jpeg *j, const uint8_t *at, const uint8_t *end, scan *s) {
    *s = (scan){.count = end > at ? at[0] : 0};
    if (s->count < 1 || s->count > j->count || end - at < 4 + 2 * s->count) return false;
    for (int i = 0; i < s->count; i++) {
        for (int k = 0; k < j->count; k++)
            if (j->parts[k].id == at[1 + 2 * i]) s->parts[i] = &j->parts[k];
        component *c = s->parts[i];
        for (int k = 0; k < i; k++)
            if (s->parts[k] == c) return false;
        if (!c) return false;
        c->dc = at[2 + 2 * i] >> 4;
        c->ac = at[2 + 2 * i] & 15;
        if (c->dc >= TABLES || c->ac >= TABLES) return false;
    }
    j->at = end;
    if (++j->scans > MOST_SCANS || !take_range(j, s, at + 1 + 2 * s->count)) return false;
    return is_next(s) && has_tables(j, s);
}

/* Whether all coefficients of a baseline file are there, which may have a scan for each component;
   of a progressive one nobody knows before its end. */
static bool is_complete(const jpeg *j) {
    bool all = !j->progressive;
    for (int i = 0; i < j->count; i++) all = all && j->parts[i].sent[0] != UNSENT;
    return all;
}

static sn_result run_scan(jpeg *j, const uint8_t *at, const uint8_t *end, const char *wrong) {
    scan s;
    if (j->count == 0 || !begin_scan(j, at, end, &s)) return sn_fail(SN_ERROR_DATA, "%s", wrong);
    j->held = 0;
    read_scan(j, &s);
    if (j->bad) return sn_fail(SN_ERROR_DATA, "cannot read a texture: codes of a JPEG are damaged");
    for (int i = 0; i < s.count; i++)
        for (int k = s.from; k <= s.to; k++) s.parts[i]->sent[k] = (uint8_t)s.bit;
    return SN_OK;
}

/* To the next marker, which codes that are left do not have; 0 at the end of the bytes. */
static int next_marker(jpeg *j) {
    for (;;) {
        while (j->at < j->end && *j->at != 0xff) j->at++;
        while (j->at < j->end && *j->at == 0xff) j->at++;
        if (j->at >= j->end) return 0;
        int marker = *j->at++;
        if (marker != 0 && !(marker >= 0xd0 && marker <= 0xd7)) return marker;
    }
}

/* What is before and between scans. A file that ends after some is what these have. */
static sn_result read_segments(jpeg *j, int most) {
    static const char wrong[] = "cannot read a texture: a JPEG that is damaged, or neither "
                                "baseline nor progressive";
    enum { END = 0xd9 };
    j->at += 2;
    for (;;) {
        int marker = next_marker(j);
        bool ends = marker == 0 || marker == END || j->end - j->at < 2;
        if (ends && j->scans > 0) return SN_OK;
        if (ends) return sn_fail(SN_ERROR_DATA, "%s", wrong);
        int size = word_at(j->at);
        const uint8_t *at = j->at + 2, *end = j->at + size;
        if (size < 2 || j->end - j->at < size) return sn_fail(SN_ERROR_DATA, "%s", wrong);
        bool good = true;
        if (marker == 0xc2) j->progressive = true;
        if (marker >= 0xc0 && marker <= 0xc2) SN_TRY(read_frame(j, at, end, most));
        if (marker == 0xdb) good = read_scales(j, at, end);
        if (marker == 0xc4) good = read_codes(j, at, end);
        if (marker == 0xdd) good = size >= 4;
        if (marker == 0xdd && good) j->interval = word_at(at);
        if (marker == 0xee && size >= 14 && memcmp(at, "Adobe", 5) == 0) j->plain = at[11] == 0;
        if (!good || (marker > 0xc2 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8))
            return sn_fail(SN_ERROR_DATA, "%s", wrong);
        if (marker == 0xda) SN_TRY(run_scan(j, at, end, wrong));
        if (is_complete(j) && j->scans > 0) return SN_OK;
        if (marker != 0xda) j->at = end;
    }
}

/* ---- Pixels ---- */

static float sample_at(const jpeg *j, int part, int x, int y) {
    const component *c = &j->parts[part];
    size_t column = (size_t)(x * c->across / j->most_across);
    size_t row = (size_t)(y * c->down / j->most_down);
    return (float)c->samples[row * c->stride + column];
}

static void paint(const jpeg *j, uint8_t *rgb) {
    for (int y = 0; y < j->height; y++)
        for (int x = 0; x < j->width; x++, rgb += 3) {
            float a = sample_at(j, 0, x, y);
            if (j->count == 1) {
                rgb[0] = rgb[1] = rgb[2] = byte_of(a);
                continue;
            }
            float b = sample_at(j, 1, x, y), c = sample_at(j, 2, x, y);
            float blue = b - 128, red = c - 128;
            rgb[0] = byte_of(j->plain ? a : a + 1.402f * red);
            rgb[1] = byte_of(j->plain ? b : a - 0.344136f * blue - 0.714136f * red);
            rgb[2] = byte_of(j->plain ? c : a + 1.772f * blue);
        }
}

bool sn_jpeg_is(const uint8_t *bytes, size_t count) {
    return count > 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff;
}

static sn_result decode(jpeg *j, int most, sn_picture_image *image) {
    SN_TRY(read_segments(j, most));
    bool placed = place_blocks(j);
    if (!placed) return sn_fail(SN_ERROR_MEMORY, "there is no memory for a texture");
    *image = (sn_picture_image){j->width, j->height, NULL};
    image->rgb = malloc((size_t)j->width * (size_t)j->height * 3);
    if (!image->rgb) return sn_fail(SN_ERROR_MEMORY, "there is no memory for a texture");
    paint(j, image->rgb);
    return SN_OK;
}

sn_result sn_jpeg_decode(const uint8_t *bytes, size_t count, int most, sn_picture_image *image) {
    *image = (sn_picture_image){0};
    jpeg *j = calloc(1, sizeof *j);
    if (!j) return sn_fail(SN_ERROR_MEMORY, "there is no memory for a texture");
    j->at = bytes;
    j->end = bytes + count;
    make_cosines(j);
    sn_result result = decode(j, most, image);
    for (int i = 0; i < COMPONENTS; i++) {
        free(j->parts[i].coefficients);
        free(j->parts[i].samples);
    }
    free(j);
    return result;
}
