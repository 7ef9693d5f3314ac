/* sinew completion: scripts with which shells complete verbs and options. */
#include "options.h"

#include <stdio.h>
#include <string.h>

/* Both ask the command itself, so that they never know less than it does. */
static const char bash[] =
    "_sinew() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]}\n"
    "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
    "        COMPREPLY=($(compgen -W \"$(sinew --help | sed -n 's/^  \\([a-z]*\\) .*/\\1/p')\" -- "
    "\"$word\"))\n"
    "    elif [[ $word == -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$(sinew \"$verb\" --help 2>/dev/null |\n"
    "            sed -n 's/^  \\(--*[a-z]*\\) .*/\\1/p')\" -- \"$word\"))\n"
    "    else\n"
    "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
    "        case $verb in run | check | render | scenes | query)\n"
    "            COMPREPLY+=($(compgen -W \"$(sinew scenes 2>/dev/null | cut -d' ' -f1)\" -- "
    "\"$word\")) ;;\n"
    "        esac\n"
    "    fi\n"
    "}\n"
    "complete -o filenames -F _sinew sinew\n";

static const char fish[] =
    "complete -c sinew -n __fish_use_subcommand -f -a \"(sinew --help | string match -r '^  [a-z]+ "
    "' | string trim)\"\n"
    "complete -c sinew -n 'not __fish_use_subcommand' -a \"(sinew (commandline -opc)[2] --help "
    "2>/dev/null | string match -r '^  -+[a-z]+' | string trim)\"\n";

app_exit verb_completion(int argc, char **argv) {
    static const struct {
        const char *shell, *before, *script;
    } shells[] = {{"bash", "", bash},
                  {"zsh", "autoload -U +X bashcompinit && bashcompinit\n", bash},
                  {"fish", "", fish}};
    text_list names = {0};
    const verb_usage usage = {
        .name = "completion",
        .operands = "SHELL",
        .operand = &names,
        .operand_count = 1,
        .summary =
            "Prints a script that completes verbs, options and scenes in bash, zsh or fish:\n"
            "    eval \"$(sinew completion bash)\"",
        .notes = "exit codes: 0 done, 2 wrong usage",
    };
    app_exit exit = options_parse(&usage, argc, argv);
    if (exit != APP_CONTINUE) return exit;
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(names.items[0], shells[i].shell) == 0) {
            printf("%s%s", shells[i].before, shells[i].script);
            return APP_OK;
        }
    fprintf(stderr, "sinew completion: the shell is \"%s\", expected bash, zsh or fish\n",
            names.items[0]);
    return APP_USAGE;
}
