"""The rule that public headers stand alone."""

import os
import subprocess
import tempfile

from tree import PUBLIC


def compile_headers(names, root, compiler, define):
    """What a compiler says of a unit with these headers; nothing where that is well."""
    command, language, standard = compiler
    arguments = [command, "-x", language, standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                 "-fsyntax-only", *define, "-I", os.path.join(root, "include"), "-"]
    # An object in the text, since ISO C wants one in every unit.
    source = "".join(f"#include <{name}>\n" for name in names)
    source += "extern int sn_alone;\nint sn_alone;\n"
    done = subprocess.run(arguments, input=source, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    lines = done.stderr.strip().split("\n")
    return next((line for line in lines if "error" in line), lines[0])


def rule_headers_alone(tree, root, compilers):
    """Every public header compiles by itself, as C and, in double, as C++; and all of them together
    in the other precision of both, where each is looked at alone if that fails. As C++, which takes
    longest, every fourth does in the short form, with all of them together in both."""
    wrong = []
    paths = sorted(path for path in tree if path.startswith(PUBLIC) and path.endswith(".h"))
    precisions = [[], ["-DSN_DOUBLE"]]
    for nth, compiler in enumerate(compilers):
        alone, together = precisions[nth % 2], precisions[1 - nth % 2]
        names = [path[len("include/") :] for path in paths]
        fails = names and compile_headers(names, root, compiler, together)
        looked = list(zip(paths, names))
        if nth > 0 and "SINEW_TEST_LONG" not in os.environ and not fails and not compile_headers(
                names, root, compiler, alone):
            looked = looked[::4]
        for path, name in looked:
            first = compile_headers([name], root, compiler, alone)
            if not first and fails:
                first = compile_headers([name], root, compiler, together)
            if first:
                wrong.append((path, 1, f"does not compile alone as {compiler[1]}: {first}"))
    return wrong


def test_headers_alone(compilers):
    """A header that needs another one, a header that is no C++, and a good one."""
    headers = {
        "include/sinew/good.h": "typedef int sn_good;\n",
        "include/sinew/needs.h": "sn_good sn_needs(void);\n",
        "include/sinew/not_cpp.h": "int sn_not_cpp(int class);\n",
    }
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "include/sinew"))
        for path, text in headers.items():
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        wrong = rule_headers_alone(headers, root, compilers)
    found = {(path, "as c++" in message) for path, _, message in wrong}
    needs, not_cpp = "include/sinew/needs.h", "include/sinew/not_cpp.h"
    return found == {(needs, False), (needs, True), (not_cpp, True)}
