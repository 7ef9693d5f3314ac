#include "picture/picture_font.h"

#include <string.h>

/*
 * Each letter is its width and its strokes, on a grid where the baseline is 2 and capitals reach
 * up to 8: pairs of a column and a height, strokes with a space between them.
 */
typedef struct glyph {
    char letter;
    int width;
    const char *strokes;
} glyph;

static const glyph glyphs[] = {
    {'0', 4, "120307183847433212"},
    {'1', 4, "072822 0242"},
    {'2', 4, "07183847460242"},
    {'3', 4, "07183847463515 354443321203"},
    {'4', 4, "32380444"},
    {'5', 4, "480805354443321203"},
    {'6', 4, "4738180703123243443505"},
    {'7', 4, "084812"},
    {'8', 4, "15060718384746351504031232434435"},
    {'9', 4, "0312324347381807061545"},
    {'.', 0, "0202"},
    {',', 1, "1201"},
    {':', 0, "0303 0606"},
    {'-', 3, "0535"},
    {'+', 4, "0545 2327"},
    {'=', 4, "0444 0646"},
    {'%', 5, "0258 0818170708 4353524243"},
    {'/', 3, "0138"},
    {'(', 1, "18070312"},
    {')', 1, "08171302"},
    {'[', 1, "18080212"},
    {']', 1, "08181202"},
    {'<', 3, "370532"},
    {'>', 3, "073502"},
    {'a', 3, "16263532 341403122233"},
    {'b', 3, "0802 0516263533221203"},
    {'c', 3, "361605031232"},
    {'d', 3, "3832 3526160503122233"},
    {'e', 3, "043435261605031232"},
    {'f', 2, "281712 0626"},
    {'g', 3, "3526160503122233 36312000"},
    {'h', 3, "0802 0516263532"},
    {'i', 0, "0602 0808"},
    {'j', 1, "161100 1818"},
    {'k', 3, "0802 360432"},
    {'l', 0, "0802"},
    {'m', 6, "0602 0516263532 3546566562"},
    {'n', 3, "0602 0516263532"},
    {'o', 3, "120305162635332212"},
    {'p', 3, "0600 0516263533221203"},
    {'q', 3, "3630 3526160503122233"},
    {'r', 2, "0602 051626"},
    {'s', 3, "3616051424332202"},
    {'t', 2, "181322 0626"},
    {'u', 3, "0603122233 3632"},
    {'v', 4, "062246"},
    {'w', 6, "0612365266"},
    {'x', 3, "0632 0236"},
    {'y', 4, "0622 4610"},
    {'z', 3, "06360232"},
};

/* Columns between letters, and of a space. */
static const float gap = 1.7f, space = 2.5f, unit_share = 1.0f / 6;

static const glyph *find(char letter) {
    for (size_t i = 0; i < sizeof glyphs / sizeof glyphs[0]; i++)
        if (glyphs[i].letter == letter) return &glyphs[i];
    return NULL;
}

float sn_font_width(const char *text, float height) {
    float columns = 0;
    for (; *text; text++) {
        const glyph *g = find(*text);
        columns += (g ? (float)g->width : space) + gap;
    }
    return most_of(columns - gap, 0) * height * unit_share;
}

void sn_font_blend(sn_picture_image *image, int x, int y, const uint8_t colour[3], float share) {
    if (x < 0 || y < 0 || x >= image->width || y >= image->height) return;
    uint8_t *to = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
    for (int k = 0; k < 3; k++)
        to[k] = (uint8_t)((float)to[k] + share * ((float)colour[k] - (float)to[k]) + 0.5f);
}

/* How far a pixel is from a stroke. */
static float distance(float x, float y, const float from[2], const float to[2]) {
    float dx = to[0] - from[0], dy = to[1] - from[1], square = dx * dx + dy * dy;
    float t = square > 0 ? clamp(((x - from[0]) * dx + (y - from[1]) * dy) / square, 0, 1) : 0;
    float ex = x - from[0] - t * dx, ey = y - from[1] - t * dy;
    return sqrtf(ex * ex + ey * ey);
}

/* The least distance of a pixel from all strokes of a letter whose corner is at (x, y). */
static float distance_to(const glyph *g, float x, float y, float grid, float px, float py) {
    float least = INFINITY, from[2] = {0, 0};
    bool pen_down = false;
    for (const char *s = g->strokes; *s; s++) {
        if (*s == ' ') {
            pen_down = false;
            continue;
        }
        float to[2] = {x + grid * (float)(s[0] - '0'), y - grid * (float)(s[1] - '2')};
        if (pen_down) least = least_of(least, distance(px, py, from, to));
        memcpy(from, to, sizeof from);
        pen_down = true;
        s++;
    }
    return least;
}

void sn_font_draw(sn_picture_image *image, float x, float y, float height, const char *text,
                  const uint8_t colour[3]) {
    float grid = height * unit_share, pen = most_of(0.55f * grid, 0.6f);
    for (; *text; text++) {
        const glyph *g = find(*text);
        if (!g) {
            x += (space + gap) * grid;
            continue;
        }
        int left = (int)floorf(x - 2 * pen),
            right = (int)ceilf(x + (float)g->width * grid + 2 * pen);
        int top = (int)floorf(y - 6 * grid - 2 * pen), bottom = (int)ceilf(y + 2 * grid + 2 * pen);
        for (int j = top; j <= bottom; j++) {
            for (int i = left; i <= right; i++) {
                float away = distance_to(g, x, y, grid, (float)i + 0.5f, (float)j + 0.5f);
                float share = clamp(pen + 0.5f - away, 0, 1);
                if (share > 0) sn_font_blend(image, i, j, colour, share);
            }
        }
        x += ((float)g->width + gap) * grid;
    }
}
