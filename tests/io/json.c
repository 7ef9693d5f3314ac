/*
 * The JSON reader: what RFC 8259 allows is read as it is meant, what it does not allow is refused
 * with line, column and a sentence; nesting, keys and numbers have their limits; every value knows
 * its path.
 */
#include "io/text/json.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Exactly the bytes, so that a sanitizer sees what is read beyond them. */
static sn_result parse_bytes(const char *bytes, size_t size, json_document *document) {
    char *copy = malloc(size ? size : 1);
    REQUIRE_OK(copy ? SN_OK : SN_ERROR_MEMORY);
    memcpy(copy, bytes, size);
    sn_result result = sn_json_parse("a.json", copy, size, document);
    free(copy);
    return result;
}

static sn_result parse(const char *text, json_document *document) {
    return parse_bytes(text, strlen(text), document);
}

/* ---- What is right ---- */

TEST(values_are_what_is_written) {
    static const char text[] = " \t\r\n{\"a\": [null, true, false, -0.5e+1, \"x\"], \"b\": {}, "
                               "\"\": [], \"c\": 12}\n";
    json_document d;
    REQUIRE_OK(parse(text, &d));
    const json_node *root = d.root;
    CHECK(root->kind == JSON_OBJECT && root->count == 4 && root->line == 2 && root->column == 1);
    const json_node *a = sn_json_member(root, "a");
    CHECK(a->kind == JSON_ARRAY && a->count == 5 && a->index == 0);
    CHECK(a->items[0].kind == JSON_NULL);
    CHECK(a->items[1].kind == JSON_BOOL && a->items[1].boolean);
    CHECK(a->items[2].kind == JSON_BOOL && !a->items[2].boolean);
    CHECK(a->items[3].kind == JSON_NUMBER && a->items[3].number == -5);
    CHECK(a->items[4].kind == JSON_STRING && strcmp(a->items[4].text, "x") == 0);
    CHECK(sn_json_member(root, "b")->kind == JSON_OBJECT && sn_json_member(root, "b")->count == 0);
    CHECK(sn_json_member(root, "")->kind == JSON_ARRAY && sn_json_member(root, "")->count == 0);
    CHECK(sn_json_member(root, "c")->line == 2 && sn_json_member(root, "c")->column == 64);
    CHECK(sn_json_member(root, "c")->key_column == 59);
    CHECK(!sn_json_member(root, "d") && !sn_json_member(a, "a") && !sn_json_member(NULL, "a"));
    sn_json_free(&d);
}

TEST(a_document_may_be_any_value) {
    static const char *const texts[] = {"null", " true ", "0", "-1.25", "\"\"", "[]", "{}", "[[]]"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_document d;
        check_case("%s", texts[i]);
        CHECK_OK(parse(texts[i], &d));
        sn_json_free(&d);
    }
}

TEST(strings_are_decoded) {
    static const struct {
        const char *written, *text;
    } rows[] = {
        {"\"\"", ""},
        {"\"a b\"", "a b"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac"},
        {"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80"},
        {"\"\\uDBFF\\uDFFF\"", "\xf4\x8f\xbf\xbf"},
        {"\"\xc2\x80 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80 \xf4\x8f\xbf\xbf\"",
         "\xc2\x80 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80 \xf4\x8f\xbf\xbf"},
        {"\"\x7f\"", "\x7f"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_document d;
        check_case("%s", rows[i].written);
        if (!CHECK_OK(parse(rows[i].written, &d))) continue;
        CHECK(strcmp(d.root->text, rows[i].text) == 0);
        CHECK(d.root->count == strlen(rows[i].text));
        sn_json_free(&d);
    }
}

TEST(numbers_are_the_nearest_double) {
    static const struct {
        const char *written;
        double value;
    } rows[] = {{"0", 0},
                {"-0", 0},
                {"0.1", 0.1},
                {"1e3", 1000},
                {"1E-3", 0.001},
                {"123456789012345678901234567890", 123456789012345678901234567890.0},
                {"1.7976931348623157e308", 1.7976931348623157e308},
                {"5e-324", 5e-324},
                {"1e-400", 0},
                {"2.2250738585072014e-308", 2.2250738585072014e-308},
                {"0.3333333333333333333333333333333333", 1.0 / 3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_document d;
        check_case("%s", rows[i].written);
        if (!CHECK_OK(parse(rows[i].written, &d))) continue;
        CHECK(d.root->number == rows[i].value);
        sn_json_free(&d);
    }
}

/* Thousands of digits are still a number. */
TEST(long_numbers_are_read) {
    char text[4000];
    json_document d;
    memset(text, '0', sizeof text);
    memcpy(text, "1.", 2);
    memcpy(text + sizeof text - 4, "5e1", 4);
    CHECK_OK(parse(text, &d));
    CHECK(d.root->number == 10);
    sn_json_free(&d);
}

/* A comma as the decimal point of the host changes nothing. Not every machine has such a host. */
TEST(numbers_do_not_depend_on_the_locale) {
    json_document d;
    bool set = setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "de_DE");
    CHECK_OK(parse("[0.5, 1234567890123456789.25e-3]", &d));
    CHECK(d.root->items[0].number == 0.5);
    CHECK(d.root->items[1].number == 1234567890123456.78925);
    sn_json_free(&d);
    if (set) CHECK(setlocale(LC_ALL, "C") != NULL);
}

/* ---- What is wrong ---- */

TEST(mistakes_are_named_with_their_place) {
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"", "1:1: the file ends here, expected a value"},
        {" \n ", "2:2: the file ends here, expected a value"},
        {"nul", "1:1: found 'n', expected a value"},
        {"True", "1:1: found 'T', expected a value"},
        {"nullx", "1:5: found 'x', expected the end of the file"},
        {"'a'", "1:1: found ''', expected a value"},
        {"// a\n{}", "1:1: found '/', expected a value"},
        {"[1,]", "1:4: found ']', expected a value"},
        {"[,1]", "1:2: found ',', expected a value"},
        {"[1 2]", "1:4: found '2', expected ',' or ']'"},
        {"[1", "1:3: the file ends here, expected ',' or ']'"},
        {"[1}", "1:3: found '}', expected ',' or ']'"},
        {"[", "1:2: the file ends here, expected a value"},
        {"]", "1:1: found ']', expected a value"},
        {"{\"a\": 1,}", "1:9: found '}', expected a key in quotes"},
        {"{\"a\" 1}", "1:6: found '1', expected ':' after the key"},
        {"{\"a\":}", "1:6: found '}', expected a value"},
        {"{\"a\": 1 \"b\": 2}", "1:9: found '\"', expected ',' or '}'"},
        {"{1: 2}", "1:2: found '1', expected a key in quotes"},
        {"{\n \"a\": 1,\n \"b\": 2,\n \"a\": 3}",
         "4:2: the key \"a\" is there twice, first in line 2"},
        {"{\"x\": {\"a\": 1, \"\\u0061\": 2}}",
         "1:16: the key \"a\" is there twice, first in line 1"},
        {"[] []", "1:4: found '[', expected the end of the file"},
        {"01", "1:1: a number begins with 0, expected no zero there"},
        {"-", "1:2: the file ends here, expected a digit"},
        {"+1", "1:1: found '+', expected a value"},
        {".5", "1:1: found '.', expected a value"},
        {"1.", "1:3: the file ends here, expected a digit"},
        {"[1.e3]", "1:4: found 'e', expected a digit"},
        {"[1e]", "1:4: found ']', expected a digit"},
        {"[1e+]", "1:5: found ']', expected a digit"},
        {"0x10", "1:2: found 'x', expected the end of the file"},
        {"NaN", "1:1: found 'N', expected a value"},
        {"-Infinity", "1:2: found 'I', expected a digit"},
        {"1e309", "1:1: the number is too large"},
        {"[-1e999999999999]", "1:2: the number is too large"},
        {"\"a", "1:1: the string is not closed, expected \""},
        {"\"a\\\"", "1:1: the string is not closed, expected \""},
        {"\"\\", "1:1: the string is not closed, expected \""},
        {"[\"a\nb\"]",
         "1:4: a string has a control character (a line that ends inside it?), expected "
         "\\n or its like"},
        {"\"\t\"",
         "1:2: a string has a control character (a line that ends inside it?), expected \\n "
         "or its like"},
        {"\"\\x\"", "1:3: found 'x', expected one of \" \\ / b f n r t u after a backslash"},
        {"\"\\u12\"", "1:6: found '\"', expected a hexadecimal digit"},
        {"\"\\u12g4\"", "1:6: found 'g', expected a hexadecimal digit"},
        {"\"\\ud800\"", "1:2: a character code is half of a pair, expected both halves"},
        {"\"\\ud800\\u0041\"", "1:2: a character code is half of a pair, expected both halves"},
        {"\"a\\udc00\"", "1:3: a character code is half of a pair, expected both halves"},
        {"\"\\ud83d\\ud83d\"", "1:2: a character code is half of a pair, expected both halves"},
        {"\"\\u0000\"", "1:2: a string has the character 0, expected none"},
        {"\"\x80\"", "1:2: the text is not UTF-8"},
        {"\"a\xc3\"", "1:3: the text is not UTF-8"},
        {"\"\xc0\xaf\"", "1:2: the text is not UTF-8"},
        {"\"\xe0\x80\xaf\"", "1:2: the text is not UTF-8"},
        {"\"\xf0\x80\x80\xaf\"", "1:2: the text is not UTF-8"},
        {"\"\xed\xa0\x80\"", "1:2: the text is not UTF-8"},
        {"\"\xf4\x90\x80\x80\"", "1:2: the text is not UTF-8"},
        {"\"\xf5\x80\x80\x80\"", "1:2: the text is not UTF-8"},
        {"\"\xff\"", "1:2: the text is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_document d;
        check_case("%s", rows[i].text);
        if (CHECK_FAILS(parse(rows[i].text, &d), SN_ERROR_DATA)) {
            const char *said = sn_last_error();
            bool same = strncmp(said, "a.json:", 7) == 0 && strcmp(said + 7, rows[i].sentence) == 0;
            if (!CHECK(same)) printf("      said \"%s\"\n", said);
        } else {
            sn_json_free(&d);
        }
        CHECK(!d.root && !d.blocks);
    }
}

/* Some editors begin files with a mark of UTF-8; those of UTF-16 are told what is wrong. */
TEST(encodings_are_known_by_their_beginning) {
    static const char marked[] = "\xef\xbb\xbf[1, 2,]";
    json_document d;
    REQUIRE_OK(parse("\xef\xbb\xbf {\"a\": 1}", &d));
    CHECK(d.root->kind == JSON_OBJECT && d.root->line == 1 && d.root->column == 2);
    sn_json_free(&d);
    CHECK_FAILS(parse(marked, &d), SN_ERROR_DATA);
    CHECK(strncmp(sn_last_error(), "a.json:1:7: ", 12) == 0);
    CHECK_FAILS(parse("\xef\xbb\xbf", &d), SN_ERROR_DATA);
    static const char wide[][6] = {"\xff\xfe{\0}", "\xfe\xff\0{\0", "{\0}\0", "\0{\0}"};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        check_case("text %zu", i);
        CHECK_FAILS(parse_bytes(wide[i], 5, &d), SN_ERROR_DATA);
        CHECK(strcmp(sn_last_error(), "a.json:1:1: the text is UTF-16, expected UTF-8") == 0);
    }
}

/* A zero byte is no end. */
TEST(bytes_that_are_zero_are_refused) {
    json_document d;
    CHECK_FAILS(parse_bytes("{}\0", 3, &d), SN_ERROR_DATA);
    CHECK(strcmp(sn_last_error(), "a.json:1:3: found byte 0x00, expected the end of the file") ==
          0);
    CHECK_FAILS(parse_bytes("\"a\0b\"", 5, &d), SN_ERROR_DATA);
}

/* Every beginning of a document but the whole is refused, without a look beyond its end. */
TEST(documents_that_are_cut_are_refused) {
    static const char text[] = "{\"a\": [1.5e-3, \"\\u00e9\\ud83d\\ude00\xc3\xa9\", true, null], "
                               "\"b\": {\"c\": -0.25}}";
    for (size_t size = 0; size + 1 < sizeof text; size++) {
        json_document d;
        check_case("%zu bytes", size);
        CHECK_FAILS(parse_bytes(text, size, &d), SN_ERROR_DATA);
    }
    json_document d;
    CHECK_OK(parse(text, &d));
    sn_json_free(&d);
}

/* ---- Limits and places ---- */

TEST(nesting_has_a_limit) {
    static char text[200001];
    for (int depth = 60; depth <= 100000; depth = depth == 60   ? 65
                                                  : depth == 65 ? 66
                                                                : depth * 40) {
        json_document d;
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        text[2 * depth] = 0;
        check_case("%d deep", depth);
        if (depth <= 65) {
            if (CHECK_OK(parse(text, &d))) sn_json_free(&d);
        } else {
            CHECK_FAILS(parse(text, &d), SN_ERROR_DATA);
            CHECK(strcmp(sn_last_error(), "a.json:1:66: values are nested deeper than 64") == 0);
        }
    }
}

/* Many items, whose places in memory move while they are read. */
TEST(large_documents_are_read) {
    enum { ITEMS = 5000, SIZE = ITEMS * 24 + 8 };
    char *text = malloc(SIZE), path[64];
    REQUIRE_OK(text ? SN_OK : SN_ERROR_MEMORY);
    size_t used = (size_t)snprintf(text, SIZE, "[");
    for (int i = 0; i < ITEMS; i++)
        used += (size_t)snprintf(text + used, SIZE - used, "%s{\"k%d\": [%d]}", i ? "," : "", i, i);
    snprintf(text + used, SIZE - used, "]");
    json_document d;
    REQUIRE_OK(parse(text, &d));
    CHECK(d.root->count == ITEMS);
    bool right = true;
    for (int i = 0; i < ITEMS; i++) {
        const json_node *leaf = &d.root->items[i].items[0].items[0];
        right = right && leaf->number == i && leaf->parent->parent == &d.root->items[i];
    }
    CHECK(right);
    CHECK(strcmp(sn_json_path(&d.root->items[4321].items[0].items[0], path, sizeof path),
                 "[4321].k4321[0]") == 0);
    sn_json_free(&d);
    free(text);
}

TEST(every_value_knows_its_path) {
    json_document d;
    char path[64], small[8];
    REQUIRE_OK(parse("{\"bodies\": [1, {\"material\": {\"young\": [2, 3]}}]}", &d));
    const json_node *bodies = sn_json_member(d.root, "bodies");
    const json_node *material = sn_json_member(&bodies->items[1], "material");
    const json_node *young = sn_json_member(material, "young");
    CHECK(strcmp(sn_json_path(d.root, path, sizeof path), "the scene") == 0);
    CHECK(strcmp(sn_json_path(bodies, path, sizeof path), "bodies") == 0);
    CHECK(strcmp(sn_json_path(material, path, sizeof path), "bodies[1].material") == 0);
    CHECK(strcmp(sn_json_path(&young->items[1], path, sizeof path),
                 "bodies[1].material.young[1]") == 0);
    CHECK(strcmp(sn_json_path(&young->items[1], small, sizeof small), "bodies[") == 0);
    sn_json_free(&d);
}

TEST(kinds_have_names) {
    CHECK(strcmp(sn_json_kind_name(JSON_NULL), "null") == 0);
    CHECK(strcmp(sn_json_kind_name(JSON_BOOL), "true or false") == 0);
    CHECK(strcmp(sn_json_kind_name(JSON_NUMBER), "a number") == 0);
    CHECK(strcmp(sn_json_kind_name(JSON_STRING), "a string") == 0);
    CHECK(strcmp(sn_json_kind_name(JSON_ARRAY), "an array") == 0);
    CHECK(strcmp(sn_json_kind_name(JSON_OBJECT), "an object") == 0);
}

TESTS(RUN(encodings_are_known_by_their_beginning), RUN(values_are_what_is_written),
      RUN(a_document_may_be_any_value), RUN(strings_are_decoded),
      RUN(numbers_are_the_nearest_double), RUN(long_numbers_are_read),
      RUN(numbers_do_not_depend_on_the_locale), RUN(mistakes_are_named_with_their_place),
      RUN(bytes_that_are_zero_are_refused), RUN(documents_that_are_cut_are_refused),
      RUN(nesting_has_a_limit), RUN(large_documents_are_read), RUN(every_value_knows_its_path),
      RUN(kinds_have_names))
