/*
 * The options of a verb as a table, from which come the parsing, the checks and the help.
 * "--name value" and "--name=value" mean the same.
 */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "app.h"

typedef enum option_kind {
    OPTION_FLAG, /* bool, set when given */
    OPTION_INT,  /* int, within least and most */
    OPTION_INTS, /* int_list: numbers with commas between them, each within least and most */
    OPTION_TEXT, /* const char * */
    OPTION_TEXTS /* text_list, one more each time the option is given */
} option_kind;

enum { OPTION_LIST_MOST = 64 };

typedef struct int_list {
    size_t count;
    int items[OPTION_LIST_MOST];
} int_list;

typedef struct text_list {
    size_t count;
    const char *items[OPTION_LIST_MOST];
} text_list;

typedef struct option {
    const char *name;  /* without the dashes */
    const char *value; /* what the help calls the value; null for a flag */
    const char *help;
    option_kind kind;
    void *target;
    int least, most;
} option;

/* What verbs that read a scene have: where a text_list and the name of a folder go. */
#define OPTION_SET(list)                                                                           \
    {                                                                                              \
        "set", "NAME=VALUE", "set a parameter of the scene; may be repeated", OPTION_TEXTS, list,  \
            0, 0                                                                                   \
    }
#define OPTION_ALLOW(folder)                                                                       \
    {                                                                                              \
        "allow", "DIR", "let the scene read files in this folder besides its own", OPTION_TEXT,    \
            folder, 0, 0                                                                           \
    }

typedef struct verb_usage {
    const char *name;
    const char *summary;  /* a sentence or two */
    const char *notes;    /* printed after the options; may be null */
    const char *operands; /* what the help calls the arguments that are no options; null for none */
    text_list *operand;   /* where they go */
    size_t operand_count; /* how many there must be */
    bool operands_optional; /* or fewer of them */
    const option *options;
    size_t option_count;
    const char *output; /* the option that "-o" means as well; null for none */
} verb_usage;

/* APP_CONTINUE when the verb should go on, APP_OK after --help, APP_USAGE after a message. */
app_exit options_parse(const verb_usage *usage, int argc, char **argv);

#endif
