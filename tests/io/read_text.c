/* Numbers in text: the nearest double, whatever is written and whatever the locale is. */
#include "io/text/text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static sn_text text_of(const char *string) {
    return (sn_text){.name = "text", .begin = string, .at = string, .end = string + strlen(string)};
}

/* Whether all of the string is scanned and gives the bits that the C library does. */
static bool is_exact(const char *string) {
    sn_text text = text_of(string);
    double value = 0, expected = strtod(string, NULL);
    bool held = sn_text_scan_real(&text, &value) && text.at == text.end &&
                memcmp(&value, &expected, sizeof value) == 0;
    if (!held) printf("    \"%.80s\" gave %.17g, expected %.17g\n", string, value, expected);
    return held;
}

TEST(hard_numbers_are_exact) {
    static const char *const numbers[] = {
        "0",
        "-0",
        "+1.5",
        ".5",
        "5.",
        "1e0",
        "0.1",
        "-12345.6789",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "8.5e22",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0000000000000000000000001",
        "9999999999999999999",
        "99999999999999999999",
        "18446744073709551616",
        "123456789012345678901234567890",
        "0.000000000000000000000000000001",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "-1e400",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        /* Half way between two floats, which is a double. */
        "1.000000059604644775390625",
        "16777217",
        "000000000000000000000000000000000000001.5",
        "0.00000000000000000000000000000000000000000015e42",
        "100000000000000000000000000000000000000000000000e-47",
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        check_case("%s", numbers[i]);
        CHECK(is_exact(numbers[i]));
    }
}

/* 1 + 2^-53 is half way between two doubles; one more digit, however far away, decides. */
TEST(digits_beyond_those_that_are_kept_decide) {
    static const char tie[] = "1.00000000000000011102230246251565404236316680908203125";
    enum { LENGTH = 3000 };
    static char number[LENGTH + 1];
    memset(number, '0', LENGTH);
    memcpy(number, tie, sizeof tie - 1);
    CHECK(is_exact(number));
    number[LENGTH - 1] = '1';
    CHECK(is_exact(number));
    sn_text text = text_of(number);
    double value = 0;
    CHECK(sn_text_scan_real(&text, &value) && value > 1);
}

static uint64_t draw(void) {
    static uint64_t state = 1;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

TEST(random_numbers_are_exact) {
    size_t wrong = 0;
    char number[64];
    for (int i = 0; i < 300000 && wrong < 10; i++) {
        double value;
        float single;
        uint64_t bits = draw();
        memcpy(&value, &bits, sizeof value);
        memcpy(&single, &bits, sizeof single);
        int digits = (int)(draw() % 19) + 1;
        if (!isfinite(value) || !isfinite(single)) continue;
        switch (i % 4) {
        case 0:
            snprintf(number, sizeof number, "%.*g", digits, value);
            break;
        case 1:
            snprintf(number, sizeof number, "%.9g", (double)single);
            break;
        case 2:
            snprintf(number, sizeof number, "%.*f", digits, (double)(int64_t)draw() / 1e15);
            break;
        default:
            snprintf(number, sizeof number, "%llue%d", (unsigned long long)draw(),
                     (int)(draw() % 60) - 40);
        }
        wrong += !is_exact(number);
    }
    CHECK(wrong == 0);
}

TEST(floats_come_back) {
    for (int i = 0; i < 100000; i++) {
        uint32_t bits = (uint32_t)draw();
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        char number[32];
        snprintf(number, sizeof number, "%.9g", (double)value);
        sn_text text = text_of(number);
        sn_real read = 0;
        if (!CHECK_OK(sn_text_real(&text, "a number", &read))) return;
        float single = (float)read;
        if (!CHECK(memcmp(&single, &value, sizeof value) == 0)) return;
    }
}

TEST(what_is_no_number_is_refused) {
    static const char *const words[] = {"nan", "inf", "-inf", "0x10", "1e",      "1e+", "--1",
                                        ".",   "-",   "",     "1,5",  "1.2.3",   "1d5", "1f",
                                        "+-1", "e5",  "1_0",  "one",  "infinity"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        check_case("%s", words[i]);
        sn_text text = text_of(words[i]);
        sn_real value;
        CHECK_FAILS(sn_text_real(&text, "a number", &value), SN_ERROR_DATA);
    }
    sn_text text = text_of("9223372036854775808");
    int64_t integer;
    CHECK_FAILS(sn_text_integer(&text, "a whole number", &integer), SN_ERROR_DATA);
    text = text_of("1.0");
    CHECK_FAILS(sn_text_integer(&text, "a whole number", &integer), SN_ERROR_DATA);
}

/* A comma for a point, where the machine has such a locale. */
TEST(the_locale_does_not_matter) {
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (setlocale(LC_ALL, names[i])) break;
    sn_text text = text_of("12345678901234567890.5e-3");
    double value = 0;
    CHECK(sn_text_scan_real(&text, &value) && value == 12345678901234567.8905);
    setlocale(LC_ALL, "C");
}

TEST(places_are_lines_and_columns) {
    sn_text text = text_of("one\r\ntwo\nthree\rfour five");
    const char *five = text.begin + strlen(text.begin) - 4;
    (void)sn_text_fail(&text, five, "here");
    CHECK(strcmp(sn_last_error(), "text:4:6: here") == 0);
    (void)sn_text_unexpected(&text, text.begin + 3, "more");
    CHECK(strcmp(sn_last_error(), "text:1:4: found the end of the line, expected more") == 0);
    (void)sn_text_unexpected(&text, text.end, "more");
    CHECK(strcmp(sn_last_error(), "text:4:10: found the end of the file, expected more") == 0);
}

TESTS(RUN(hard_numbers_are_exact), RUN(digits_beyond_those_that_are_kept_decide),
      RUN(random_numbers_are_exact), RUN(floats_come_back), RUN(what_is_no_number_is_refused),
      RUN(the_locale_does_not_matter), RUN(places_are_lines_and_columns))
