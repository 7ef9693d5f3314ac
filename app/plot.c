/* sinew plot: the statistics of a run as a picture that can be read without a manual. */
#include "options.h"

#include <sinew_picture/plot.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plot_options {
    text_list files;
    const char *out, *columns, *title;
} plot_options;

/* Whether `name` of this length names the column: all of it, or a vector by its name without x. */
static bool is_named(const sn_picture_column *column, const char *name, size_t length) {
    size_t full = strlen(column->name);
    if (strncmp(column->name, name, length) != 0) return false;
    return full == length || (full == length + 2 && column->name[length] == ' ' &&
                              strchr("xyz", column->name[length + 1]));
}

static bool is_constant(const sn_picture_column *column, size_t rows) {
    for (size_t i = 1; i < rows; i++) {
        double a = column->values[0], b = column->values[i];
        if (!(a == b || (isnan(a) && isnan(b)))) return false;
    }
    return true;
}

/* The time of a whole step is a line; its parts are stacked below it. */
static bool is_stage(const sn_picture_column *column) {
    return strcmp(column->unit, "ms") == 0 && strcmp(column->name, "step") != 0;
}

static app_exit refuse_name(const sn_picture_table *table, const char *name, size_t length) {
    sn_suggestion guess = {0};
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    for (size_t i = 0; i < table->column_count; i++)
        sn_suggest(&guess, word, table->columns[i].name);
    fprintf(stderr, "sinew plot: there is no column \"%s\"", word);
    app_print_suggestion(&guess, "one that the first line of the file names");
    return APP_USAGE;
}

/* Those that were asked for, in that order. */
static app_exit choose_named(const sn_picture_table *table, const char *names,
                             sn_picture_column *chosen, size_t *count) {
    for (const char *name = names;; name++) {
        size_t length = strcspn(name, ","), before = *count;
        for (size_t i = 0; i < table->column_count; i++) {
            bool taken = false;
            for (size_t j = 0; j < *count; j++)
                taken = taken || chosen[j].values == table->columns[i].values;
            if (!taken && is_named(&table->columns[i], name, length))
                chosen[(*count)++] = table->columns[i];
        }
        bool known = *count > before;
        for (size_t j = 0; j < before && !known; j++) known = is_named(&chosen[j], name, length);
        if (!known) return refuse_name(table, name, length);
        name += length;
        if (!*name) return APP_CONTINUE;
    }
}

/* Everything but the axis and counts that never change, unless there is nothing else. */
static void choose_all(const sn_picture_table *table, size_t across, bool constant,
                       sn_picture_column *chosen, size_t *count) {
    for (size_t i = 0; i < table->column_count; i++) {
        const sn_picture_column *column = &table->columns[i];
        bool is_frame = strcmp(column->name, "frame") == 0;
        bool is_count = !constant && !column->unit[0] && is_constant(column, table->row_count);
        if (i != across && !is_frame && !is_count) chosen[(*count)++] = *column;
    }
}

/* The column for the axis: the time, or the first one. */
static size_t find_axis(const sn_picture_table *table) {
    for (size_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, "time") == 0) return i;
    return 0;
}

static app_exit draw(const plot_options *o, const sn_picture_table *table,
                     sn_picture_column *chosen) {
    size_t across = find_axis(table), count = 0;
    app_exit exit = APP_CONTINUE;
    if (o->columns)
        exit = choose_named(table, o->columns, chosen, &count);
    else
        choose_all(table, across, false, chosen, &count);
    if (!o->columns && count == 0) choose_all(table, across, true, chosen, &count);
    if (exit != APP_CONTINUE) return exit;
    for (size_t i = 0; i < count; i++) chosen[i].stacked = is_stage(&chosen[i]);
    const sn_picture_plot plot = {.title = o->title,
                                  .row_count = table->row_count,
                                  .across = table->columns[across],
                                  .column_count = count,
                                  .columns = chosen};
    sn_result result = sn_picture_plot_write(o->out, &plot);
    if (result == SN_ERROR_VALUE) return app_fail_result(o->files.items[0], result);
    if (result != SN_OK) return app_fail(sn_last_error());
    printf("%s: %zu columns, %zu rows\n", o->out, count, table->row_count);
    return APP_OK;
}

app_exit verb_plot(int argc, char **argv) {
    plot_options o = {0};
    const option options[] = {
        {"out", "FILE.svg", "where the plot goes", OPTION_TEXT, &o.out, 0, 0},
        {"columns", "A,B,...", "only these columns, by name; a vector without its x, y, z",
         OPTION_TEXT, &o.columns, 0, 0},
        {"title", "TEXT", "above the plot", OPTION_TEXT, &o.title, 0, 0},
    };
    const verb_usage usage = {
        .name = "plot",
        .summary = "Draws a table of numbers over time, such as \"sinew run --stats\" writes, as\n"
                   "panels that share the time: one for each unit.",
        .operands = "STATS.csv",
        .operand = &o.files,
        .operand_count = 1,
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .output = "out",
    };
    app_exit exit = options_parse(&usage, argc, argv);
    if (exit != APP_CONTINUE) return exit;
    if (!o.out) {
        fprintf(stderr, "sinew plot: nothing to write; expected \"-o FILE.svg\"\n");
        return APP_USAGE;
    }
    exit = app_check_ending("plot", o.out, ".svg");
    if (exit != APP_CONTINUE) return exit;
    sn_picture_table table;
    if (sn_picture_table_read(o.files.items[0], &table) != SN_OK) return app_fail(sn_last_error());
    sn_picture_column *chosen = malloc(table.column_count * sizeof *chosen);
    exit = chosen ? draw(&o, &table, chosen) : app_fail("there is no memory for a plot");
    free(chosen);
    sn_picture_table_free(&table);
    return exit;
}
