/* Tables and plots: what is read, what is refused and where, and that odd numbers give a file. */
#include <sinew_picture/plot.h>

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char table_path[] = "plot_scratch.csv", plot_path[] = "plot_scratch.svg";

static void write_text(const char *text, size_t length) {
    FILE *file = fopen(table_path, "wb");
    if (!CHECK(file != NULL)) exit(1);
    CHECK(fwrite(text, 1, length, file) == length);
    fclose(file);
}

static char *read_plot(void) {
    FILE *file = fopen(plot_path, "rb");
    if (!CHECK(file != NULL)) exit(1);
    enum { MOST = 1 << 20 };
    char *text = calloc(MOST, 1);
    if (!CHECK(text != NULL)) exit(1);
    CHECK(fread(text, 1, MOST - 1, file) > 0);
    fclose(file);
    remove(plot_path);
    return text;
}

TEST(a_table_is_read) {
    static const char text[] = "\xef\xbb\xbf"
                               "time [s],\"a, \"\"b\"\" [kg m/s]\",count\r\n"
                               "0, 1.5 ,7\r\n\r\n"
                               "0.5,,\"8\"\n"
                               "1,-2e3,nan";
    sn_picture_table table;
    write_text(text, sizeof text - 1);
    REQUIRE_OK(sn_picture_table_read(table_path, &table));
    CHECK(table.column_count == 3 && table.row_count == 3);
    CHECK(strcmp(table.columns[0].name, "time") == 0 && strcmp(table.columns[0].unit, "s") == 0);
    CHECK(strcmp(table.columns[1].name, "a, \"b\"") == 0);
    CHECK(strcmp(table.columns[1].unit, "kg m/s") == 0);
    CHECK(strcmp(table.columns[2].name, "count") == 0 && table.columns[2].unit[0] == 0);
    CHECK(table.columns[1].values[0] == 1.5 && isnan(table.columns[1].values[1]));
    CHECK(table.columns[1].values[2] == -2000 && table.columns[2].values[1] == 8);
    CHECK(isnan(table.columns[2].values[2]));
    sn_picture_table_free(&table);
    sn_picture_table_free(&table);
}

TEST(bad_tables_are_refused_with_their_place) {
    static const struct {
        const char *text, *said;
    } bad[] = {
        {"", ":1:1: the file is empty"},
        {"\n\n", ":1:1: the file is empty"},
        {"a,,c\n", ":1:3: a column has no name"},
        {"a,b\n1,2\n3,x\n", ":3:3: \"x\" is not a number"},
        {"a,b\n1,2 3\n", ":2:3: \"2 3\" is not a number"},
        {"a,b\n1,2\n\n3\n", ":4:1: this row has only 1 of 2 cells"},
        {"a,b\n1,2,3\n", ":2:5: more cells than there are names"},
        {"a,\"b\n1,2\n", ":1:3: this quote is never closed"},
        {"a,\"b\"c\n", ":1:6: expected a comma"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_case("table %zu", i);
        sn_picture_table table;
        write_text(bad[i].text, strlen(bad[i].text));
        CHECK_FAILS(sn_picture_table_read(table_path, &table), SN_ERROR_DATA);
        CHECK(strstr(sn_last_error(), bad[i].said) != NULL);
        CHECK(!table.columns && !table.memory);
        if (!strstr(sn_last_error(), bad[i].said)) puts(sn_last_error());
    }
    sn_picture_table table;
    write_text("a,b\n1,\0002\n", 9);
    CHECK_FAILS(sn_picture_table_read(table_path, &table), SN_ERROR_DATA);
    CHECK_FAILS(sn_picture_table_read("no_such_file.csv", &table), SN_ERROR_FILE);
    remove(table_path);
}

TEST(panels_follow_units) {
    static const double time[] = {0, 1, 2, 3}, a[] = {0, 1, 2, 3}, b[] = {1, 1, 1, 1},
                        gap[] = {1, (double)NAN, 2, (double)INFINITY};
    const sn_picture_column columns[] = {{"kinetic energy", "J", a, false},
                                         {"momentum x", "kg m/s", a, false},
                                         {"potential energy", "J", b, false},
                                         {"momentum y", "kg m/s", gap, false},
                                         {"step", "ms", a, false},
                                         {"project", "ms", b, true},
                                         {"update", "ms", gap, true},
                                         {"force <&>", "N", b, false}};
    sn_picture_plot plot = {.title = "one & two",
                            .row_count = 4,
                            .across = {"time", "s", time, false},
                            .column_count = 8,
                            .columns = columns};
    REQUIRE_OK(sn_picture_plot_write(plot_path, &plot));
    char *text = read_plot();
    CHECK(strstr(text, ">energy [J]<") && strstr(text, ">kinetic<") && strstr(text, ">potential<"));
    CHECK(strstr(text, ">momentum [kg m/s]<") && strstr(text, ">x<") && strstr(text, ">y<"));
    CHECK(strstr(text, ">time [ms]<") && strstr(text, ">time [s]<"));
    CHECK(strstr(text, "one &amp; two") && strstr(text, "force &lt;&amp;&gt; [N]"));
    size_t areas = 0, panels = 0;
    for (const char *at = text; (at = strstr(at, "class=\"area\"")) != NULL; at++) areas++;
    for (const char *at = text; (at = strstr(at, "<clipPath")) != NULL; at++) panels++;
    CHECK(areas == 2 && panels == 4);
    CHECK(!strstr(text, "nan") && !strstr(text, "inf"));
    free(text);
}

TEST(any_numbers_can_be_plotted) {
    enum { ROWS = 5000 };
    static double time[ROWS], values[ROWS];
    static const double sizes[] = {0, 1e-320, 1e-12, 1, 1e15, 1e300, -1e300, (double)NAN};
    for (int i = 0; i < ROWS; i++) time[i] = i * 1e-3;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (int stacked = 0; stacked < 2; stacked++) {
            for (int rows = 1; rows <= ROWS; rows *= 70) {
                check_case("size %g, %d rows, stacked %d", sizes[k], rows, stacked);
                for (int i = 0; i < rows; i++) values[i] = sizes[k] * (1 + i % 7);
                const sn_picture_column column = {"a", "1", values, stacked == 1};
                sn_picture_plot plot = {.row_count = (size_t)rows,
                                        .across = {"time", "s", time, false},
                                        .column_count = 1,
                                        .columns = &column};
                REQUIRE_OK(sn_picture_plot_write(plot_path, &plot));
                char *text = read_plot();
                CHECK(!strstr(text, "nan") && !strstr(text, "inf"));
                CHECK(strlen(text) < 100000);
                free(text);
            }
        }
    }
}

TEST(bad_plots_are_refused) {
    static const double time[] = {0, 2, 1}, values[] = {1, 2, 3};
    sn_picture_column column = {"a", "m", values, false};
    sn_picture_plot plot = {.row_count = 3,
                            .across = {"time", "s", time, false},
                            .column_count = 1,
                            .columns = &column};
    CHECK_FAILS(sn_picture_plot_write(plot_path, &plot), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "row 2: time is 1"));
    plot.row_count = 0;
    CHECK_FAILS(sn_picture_plot_write(plot_path, &plot), SN_ERROR_VALUE);
    plot.row_count = 2;
    column.unit = NULL;
    CHECK_FAILS(sn_picture_plot_write(plot_path, &plot), SN_ERROR_NULL);
    column.unit = "m";
    CHECK_FAILS(sn_picture_plot_write("no_such_folder/a.svg", &plot), SN_ERROR_FILE);
    CHECK_FAILS(sn_picture_plot_write(NULL, &plot), SN_ERROR_NULL);
    CHECK(fopen(plot_path, "rb") == NULL);
}

TESTS(RUN(a_table_is_read), RUN(bad_tables_are_refused_with_their_place), RUN(panels_follow_units),
      RUN(any_numbers_can_be_plotted), RUN(bad_plots_are_refused))
