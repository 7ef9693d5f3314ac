#include "picture/plot_svg.h"

#include <math.h>
#include <string.h>

/* The smallest of 1, 2, 5 times a power of ten that is at least `value`. */
static double round_step(double value) {
    double power = pow(10, floor(log10(value))), lead = value / power;
    return power * (lead <= 1 + 1e-9 ? 1 : lead <= 2 + 1e-9 ? 2 : lead <= 5 + 1e-9 ? 5 : 10);
}

plot_axis sn_axis_make(double least, double most, int ticks, bool space) {
    /* Something constant is shown in the middle. */
    if (!(most - least > 1e-12 * fmax(fabs(least), fabs(most)))) {
        double half = fabs(least) > 0 ? 0.5 * fabs(least) : 0.5;
        least -= half;
        most += half;
    }
    plot_axis a = {.least = least, .most = most};
    if (space) {
        double room = 0.06 * (most - least);
        a.least = least == 0 ? 0 : least - room;
        a.most = most == 0 ? 0 : most + room;
    }
    /* Two ticks at least tell the size; three are better. */
    double third;
    do {
        a.step = round_step(fmax((a.most - a.least) / ticks, 1e-300));
    } while (!sn_axis_tick(&a, 2, &third) && ticks++ < 12);
    double size = fmax(fabs(a.least), fabs(a.most));
    int exponent = (int)floor(log10(size) + 1e-9);
    /* Long numbers are said in thousands, millions, and so on. */
    if (exponent >= 5 || exponent <= -3) a.exponent = (int)floor(exponent / 3.0) * 3;
    return a;
}

double sn_axis_at(const plot_axis *axis, double value) {
    return axis->from + axis->length * (value - axis->least) / (axis->most - axis->least);
}

bool sn_axis_tick(const plot_axis *axis, int index, double *value) {
    double first = ceil(axis->least / axis->step - 1e-6);
    *value = (first + index) * axis->step;
    if (fabs(*value) < 1e-6 * axis->step) *value = 0;
    return index < 100 && *value <= axis->most + 1e-6 * axis->step;
}

void sn_axis_text(const plot_axis *axis, double value, char text[32]) {
    double unit = pow(10, axis->exponent), step = axis->step / unit;
    int digits = step >= 1 ? 0 : (int)ceil(-log10(step) - 1e-9);
    snprintf(text, 32, "%.*f", digits, value / unit);
    /* A minus sign is wider than a hyphen. */
    if (text[0] == '-') {
        char number[32];
        memcpy(number, text + 1, sizeof number - 1);
        snprintf(text, 32, "\xe2\x88\x92%.28s", number);
    }
}

/* How many bytes the character at `text` has in UTF-8; 0 where it is none. */
static int character_size(const unsigned char *text) {
    int size = text[0] < 0x80   ? 1
               : text[0] < 0xc2 ? 0
               : text[0] < 0xe0 ? 2
               : text[0] < 0xf0 ? 3
               : text[0] < 0xf5 ? 4
                                : 0;
    for (int i = 1; i < size; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    /* Surrogates, long forms and beyond the end, which XML refuses. */
    if (size == 3 && ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f)))
        return 0;
    if (size == 3 && text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe) return 0;
    if (size == 4 && ((text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f)))
        return 0;
    return size;
}

void sn_svg_escape(FILE *stream, const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        int size = character_size(at);
        if (*at == '&')
            fputs("&amp;", stream);
        else if (*at == '<')
            fputs("&lt;", stream);
        else if (*at == '>')
            fputs("&gt;", stream);
        else if (*at == '"')
            fputs("&quot;", stream);
        else if (size == 0 || (*at < 32 && *at != '\t') || *at == 127)
            fputc('?', stream);
        else
            fwrite(at, 1, (size_t)size, stream);
        at += size > 0 ? size : 1;
    }
}

void sn_svg_unit(FILE *stream, const char *unit) {
    static const char *const raised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    bool up = false;
    for (; *unit; unit++) {
        up = *unit == '^' || (up && ((*unit >= '0' && *unit <= '9') || *unit == '-'));
        if (up && *unit != '^') {
            fputs(*unit == '-' ? "\u207b" : raised[*unit - '0'], stream);
        } else if (!up) {
            /* Whole characters at a time, which may have several bytes. */
            char part[8] = {0};
            int size = character_size((const unsigned char *)unit);
            memcpy(part, unit, (size_t)(size > 0 ? size : 1));
            sn_svg_escape(stream, part);
            unit += size > 1 ? size - 1 : 0;
        }
    }
}

double sn_svg_width(const char *text) {
    double width = 0;
    for (; *text; text++) {
        /* Bytes that continue a character have no width of their own. */
        if (((unsigned char)*text & 0xc0) == 0x80) continue;
        width += strchr("iljt.,:;!|'[]() ", *text) ? 0.32 : strchr("mwMW", *text) ? 0.87 : 0.57;
    }
    return width;
}

void sn_svg_number(FILE *stream, double value) {
    char text[48];
    snprintf(text, sizeof text, "%.2f", value);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '0') length--;
    if (length > 0 && text[length - 1] == '.') length--;
    text[length] = 0;
    fputs(strcmp(text, "-0") == 0 ? "0" : text, stream);
}
