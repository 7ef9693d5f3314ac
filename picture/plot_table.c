/* CSV files of numbers: RFC 4180, with names and units in the first row. */
#include <sinew_picture/plot.h>

#include <sinew/support.h>
#include <sinew_io/file.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 4096 };

typedef struct reader {
    const char *path;
    char *at, *end;      /* of the text, which is changed in place */
    char *line_start;    /* of the line that is being read */
    size_t line;         /* from 1 */
    size_t column_count; /* of the first row */
} reader;

/* One cell, without its quotes, ended by a zero. */
typedef struct cell {
    char *text;
    size_t column; /* where it begins, in bytes from 1 */
    bool is_last;  /* of its row */
} cell;

static sn_result fail(const reader *r, size_t column, const char *sentence) {
    return sn_fail(SN_ERROR_DATA, "%s:%zu:%zu: %s", r->path, r->line, column, sentence);
}

/* Takes the letter after a cell: a comma, or the end of a line or of the file. */
static sn_result end_cell(reader *r, cell *c) {
    if (r->at < r->end && *r->at == ',') {
        r->at++;
        c->is_last = false;
        return SN_OK;
    }
    c->is_last = true;
    if (r->at < r->end && *r->at == '\r') r->at++;
    if (r->at < r->end && *r->at != '\n')
        return fail(r, (size_t)(r->at - r->line_start) + 1,
                    "expected a comma or the end of the line after a quoted cell");
    if (r->at < r->end) r->at++;
    return SN_OK;
}

static sn_result read_quoted(reader *r, cell *c) {
    char *to = c->text = ++r->at;
    for (; r->at < r->end && *r->at != '\n'; r->at++) {
        if (*r->at == '"') {
            if (r->at + 1 >= r->end || r->at[1] != '"') break;
            r->at++;
        }
        *to++ = *r->at;
    }
    if (r->at >= r->end || *r->at != '"') return fail(r, c->column, "this quote is never closed");
    r->at++;
    sn_result result = end_cell(r, c);
    *to = 0;
    return result;
}

static sn_result read_cell(reader *r, cell *c) {
    c->column = (size_t)(r->at - r->line_start) + 1;
    if (r->at < r->end && *r->at == '"') return read_quoted(r, c);
    c->text = r->at;
    size_t length = strcspn(r->at, ",\r\n");
    /* A zero byte would hide the rest of the file. */
    if (r->at + length < r->end && r->at[length] == 0)
        return fail(r, c->column + length, "a zero byte, expected text");
    char *stop = r->at += length;
    sn_result result = end_cell(r, c);
    while (stop > c->text && (stop[-1] == ' ' || stop[-1] == '\t')) stop--;
    *stop = 0;
    c->text += strspn(c->text, " \t");
    return result;
}

/* Skips lines without anything on them; false at the end of the file. */
static bool begin_row(reader *r) {
    for (;;) {
        r->line++;
        r->line_start = r->at;
        if (r->at >= r->end) return false;
        if (*r->at == '\r') r->at++;
        if (r->at >= r->end) return false;
        if (*r->at != '\n') return true;
        r->at++;
    }
}

/* "kinetic energy [J]" becomes a name and a unit, in place. */
static void split_unit(char *text, sn_picture_column *column) {
    size_t length = strlen(text);
    column->name = text;
    column->unit = text + length;
    char *open = strrchr(text, '[');
    if (!open || length == 0 || text[length - 1] != ']') return;
    text[length - 1] = 0;
    column->unit = open + 1;
    do {
        *open = 0;
    } while (open > text && *--open == ' ');
}

static bool add_column(sn_picture_table *table, size_t *capacity, cell *c) {
    if (table->column_count == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 16;
        sn_picture_column *larger = realloc(table->columns, *capacity * sizeof *larger);
        if (!larger) return false;
        table->columns = larger;
    }
    sn_picture_column *column = &table->columns[table->column_count++];
    *column = (sn_picture_column){0};
    split_unit(c->text, column);
    return true;
}

static sn_result read_names(reader *r, sn_picture_table *table) {
    if (!begin_row(r))
        return sn_fail(SN_ERROR_DATA, "%s:1:1: the file is empty, expected names of columns",
                       r->path);
    size_t capacity = 0;
    cell c = {0};
    do {
        SN_TRY(read_cell(r, &c));
        if (!c.text[0]) return fail(r, c.column, "a column has no name");
        if (table->column_count == COLUMNS_MOST) return fail(r, c.column, "too many columns");
        if (!add_column(table, &capacity, &c))
            return sn_fail(SN_ERROR_MEMORY, "there is no memory to read \"%s\"", r->path);
    } while (!c.is_last);
    r->column_count = table->column_count;
    return SN_OK;
}

static sn_result read_number(const reader *r, const cell *c, size_t line, double *value) {
    char *end;
    *value = c->text[0] ? strtod(c->text, &end) : (double)NAN;
    if (!c->text[0] || (end != c->text && !*end)) return SN_OK;
    return sn_fail(SN_ERROR_DATA, "%s:%zu:%zu: \"%.40s\" is not a number", r->path, line, c->column,
                   c->text);
}

static sn_result read_row(reader *r, double *values) {
    cell c = {0};
    size_t count = 0;
    do {
        SN_TRY(read_cell(r, &c));
        if (count == r->column_count) return fail(r, c.column, "more cells than there are names");
        SN_TRY(read_number(r, &c, r->line, &values[count++]));
    } while (!c.is_last);
    if (count == r->column_count) return SN_OK;
    return sn_fail(SN_ERROR_DATA, "%s:%zu:%zu: this row has only %zu of %zu cells", r->path,
                   r->line, c.column, count, r->column_count);
}

static size_t count_lines(const reader *r) {
    size_t lines = 1;
    for (const char *at = r->at; at < r->end; at++) lines += *at == '\n';
    return lines;
}

/* Rows are read one by one, and kept by column. */
static sn_result read_rows(reader *r, sn_picture_table *table, double **values) {
    size_t most = count_lines(r), columns = table->column_count;
    double *row = malloc(columns * sizeof *row);
    *values = row && most <= SIZE_MAX / sizeof **values / columns
                  ? malloc(most * columns * sizeof **values)
                  : NULL;
    sn_result result =
        *values ? SN_OK : sn_fail(SN_ERROR_MEMORY, "there is no memory to read \"%s\"", r->path);
    while (result == SN_OK && begin_row(r)) {
        result = read_row(r, row);
        for (size_t i = 0; i < columns && result == SN_OK; i++)
            (*values)[i * most + table->row_count] = row[i];
        table->row_count++;
    }
    free(row);
    for (size_t i = 0; i < columns; i++) table->columns[i].values = *values + i * most;
    return result;
}

/* What the columns point into. */
typedef struct table_memory {
    char *text;
    double *values;
} table_memory;

void sn_picture_table_free(sn_picture_table *table) {
    table_memory *memory = table->memory;
    if (memory) {
        free(memory->text);
        free(memory->values);
        free(memory);
    }
    free(table->columns);
    *table = (sn_picture_table){0};
}

sn_result sn_picture_table_read(const char *path, sn_picture_table *table) {
    if (!path || !table)
        return sn_fail(SN_ERROR_NULL, "sn_picture_table_read: path and table must not be null");
    *table = (sn_picture_table){0};
    table_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return sn_fail(SN_ERROR_MEMORY, "there is no memory to read \"%s\"", path);
    table->memory = memory;
    size_t size;
    sn_result result = sn_io_file_read("the table", path, &memory->text, &size);
    if (result == SN_OK) {
        reader r = {.path = path, .at = memory->text, .end = memory->text + size};
        /* Some programs begin their files with a mark of the encoding. */
        if (size >= 3 && memcmp(r.at, "\xef\xbb\xbf", 3) == 0) r.at += 3;
        result = read_names(&r, table);
        if (result == SN_OK) result = read_rows(&r, table, &memory->values);
    }
    if (result != SN_OK) sn_picture_table_free(table);
    return result;
}
