#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_option(const char *letter, const char *name, const char *value,
                         const char *help) {
    char left[32];
    snprintf(left, sizeof left, "%s--%s%s%s", letter, name, value ? " " : "", value ? value : "");
    printf("  %-20s %s\n", left, help);
}

static app_exit print_help(const verb_usage *usage) {
    printf("usage: sinew %s%s%s [OPTION]...\n\n%s\n\noptions:\n", usage->name,
           usage->operands ? " " : "", usage->operands ? usage->operands : "", usage->summary);
    for (size_t i = 0; i < usage->option_count; i++) {
        const option *o = &usage->options[i];
        bool is_output = usage->output && strcmp(usage->output, o->name) == 0;
        print_option(is_output ? "-o, " : "", o->name, o->value, o->help);
    }
    print_option("", "help", NULL, "say this");
    if (usage->notes) printf("\n%s\n", usage->notes);
    return APP_OK;
}

static bool parse_int(const char *text, size_t length, int least, int most, int *number) {
    char digits[16], *end;
    if (length == 0 || length >= sizeof digits) return false;
    memcpy(digits, text, length);
    digits[length] = 0;
    errno = 0;
    long value = strtol(digits, &end, 10);
    if (*end || errno || value < least || value > most) return false;
    *number = (int)value;
    return true;
}

static bool parse_ints(const option *o, const char *text) {
    int_list list = {0};
    for (const char *part = text;; part++) {
        size_t length = strcspn(part, ",");
        if (list.count == OPTION_LIST_MOST ||
            !parse_int(part, length, o->least, o->most, &list.items[list.count++]))
            return false;
        part += length;
        if (!*part) break;
    }
    *(int_list *)o->target = list;
    return true;
}

static bool add_text(const option *o, const char *text) {
    text_list *list = o->target;
    if (list->count == OPTION_LIST_MOST) return false;
    list->items[list->count++] = text;
    return true;
}

static bool take_value(const option *o, const char *text) {
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)o->target = true;
        return true;
    case OPTION_INT:
        return parse_int(text, strlen(text), o->least, o->most, o->target);
    case OPTION_INTS:
        return parse_ints(o, text);
    case OPTION_TEXT:
        *(const char **)o->target = text;
        return text[0] != 0;
    case OPTION_TEXTS:
        return add_text(o, text);
    }
    return false;
}

static app_exit refuse_value(const verb_usage *usage, const option *o, const char *text) {
    fprintf(stderr, "sinew %s: --%s is \"%s\", expected ", usage->name, o->name, text);
    if (o->kind == OPTION_INT) {
        fprintf(stderr, "a whole number from %d to %d\n", o->least, o->most);
    } else if (o->kind == OPTION_INTS) {
        fprintf(stderr, "whole numbers from %d to %d with commas between them\n", o->least,
                o->most);
    } else {
        fprintf(stderr, "%s\n", o->kind == OPTION_TEXT ? "some text" : "fewer of them");
    }
    return APP_USAGE;
}

static app_exit refuse_unknown(const verb_usage *usage, const char *argument, size_t length) {
    sn_suggestion guess = {0};
    char word[64], dashed[64];
    snprintf(word, sizeof word, "%.*s", (int)length, argument);
    const char *name = word + strspn(word, "-");
    for (size_t i = 0; i < usage->option_count; i++)
        sn_suggest(&guess, name, usage->options[i].name);
    sn_suggest(&guess, name, "help");
    if (guess.word) {
        snprintf(dashed, sizeof dashed, "--%s", guess.word);
        guess.word = dashed;
    }
    fprintf(stderr, "sinew %s: there is no option \"%s\"", usage->name, word);
    app_print_suggestion(&guess, "one of those that --help lists");
    return APP_USAGE;
}

static const option *find(const verb_usage *usage, const char *name, size_t length) {
    for (size_t i = 0; i < usage->option_count; i++) {
        const option *o = &usage->options[i];
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
    }
    return NULL;
}

static app_exit take_operand(const verb_usage *usage, const char *argument) {
    text_list *list = usage->operand;
    if (list->count < usage->operand_count) {
        list->items[list->count++] = argument;
        return APP_CONTINUE;
    }
    fprintf(stderr, "sinew %s: \"%s\" is one too many, expected %s\n", usage->name, argument,
            usage->operands);
    return APP_USAGE;
}

/* Takes one option and its value, which may be the next argument. */
static app_exit take_option(const verb_usage *usage, char **argv, int argc, int *next) {
    const char *argument = argv[(*next)++];
    size_t length = strcspn(argument, "=");
    const option *o =
        strncmp(argument, "--", 2) == 0 ? find(usage, argument + 2, length - 2) : NULL;
    if (usage->output && length == 2 && strncmp(argument, "-o", 2) == 0)
        o = find(usage, usage->output, strlen(usage->output));
    if (!o && argument[0] != '-' && usage->operands) return take_operand(usage, argument);
    if (!o && argument[0] != '-') {
        fprintf(stderr, "sinew %s: \"%s\" is not an option; expected one that --help lists\n",
                usage->name, argument);
        return APP_USAGE;
    }
    if (!o) return refuse_unknown(usage, argument, length);
    const char *value = argument[length] ? argument + length + 1 : NULL;
    if (o->kind == OPTION_FLAG && value) {
        fprintf(stderr, "sinew %s: --%s takes no value, but has \"%s\"\n", usage->name, o->name,
                value);
        return APP_USAGE;
    }
    if (o->kind != OPTION_FLAG && !value) {
        if (*next >= argc) {
            fprintf(stderr, "sinew %s: --%s needs a value, %s\n", usage->name, o->name, o->value);
            return APP_USAGE;
        }
        value = argv[(*next)++];
    }
    return take_value(o, value) ? APP_CONTINUE : refuse_value(usage, o, value);
}

app_exit options_parse(const verb_usage *usage, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return print_help(usage);
    for (int i = 1; i < argc;) {
        app_exit exit = take_option(usage, argv, argc, &i);
        if (exit != APP_CONTINUE) return exit;
    }
    if (usage->operands && !usage->operands_optional &&
        usage->operand->count < usage->operand_count) {
        fprintf(stderr, "sinew %s: %s missing, expected %s\n", usage->name,
                usage->operand_count - usage->operand->count == 1 ? "a file is" : "files are",
                usage->operands);
        return APP_USAGE;
    }
    return APP_CONTINUE;
}
