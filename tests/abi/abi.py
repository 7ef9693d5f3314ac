#!/usr/bin/env python3
"""The binary interface: what a program that was built with older headers relies on.

layout.c beside this file asserts the sizes and offsets of all public structs and the values of all
enumerators, on 64-bit machines in float; symbols.txt lists what the shared library exports. This
checks that layout.c compiles and leaves nothing out, and that the library exports that list.
(tests/structure compares the exports with the declarations in the headers.)

Where the interface is meant to change, --update writes both files anew; the difference is what the
change means to users, and belongs into CHANGELOG.md.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

HEAD = """\
/*
 * The binary interface on 64-bit machines in float, as assertions. Written by abi.py --update.
 */
#include <sinew/sinew.h>

#if UINTPTR_MAX == UINT64_MAX && !defined(SN_DOUBLE)

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "the size of " #type)
#define OFFSET(type, member, bytes) @\\
    _Static_assert(offsetof(type, member) == (bytes), "the place of " #member " in " #type)
#define VALUE(name, number) _Static_assert((name) == (number), "the value of " #name)
"""
# As clang-format has it: the backslash is in the last column.
HEAD = re.sub(r"^(.*)@\\$", lambda line: line.group(1).ljust(99) + "\\", HEAD, flags=re.M)
TAIL = "\n#endif\n"


# ---- Reading the headers ----


def preprocessed(cc, include):
    """All public headers as the compiler sees them, macros expanded, without line marks."""
    command = [cc, "-std=c17", "-E", "-P", "-I", include, "-x", "c", "-"]
    done = subprocess.run(
        command, input="#include <sinew/sinew.h>\n", capture_output=True, text=True, check=True
    )
    return done.stdout


def declarations(text):
    """Every public struct with its members and every enum with its values, in their order."""
    structs, enums = [], []
    pattern = r"typedef\s+(struct|enum)\s+(sn_\w+)\s*\{(.*?)\}\s*\w+;"
    for kind, tag, body in re.findall(pattern, text, re.S):
        if kind == "enum":
            names = [value.split("=")[0].strip() for value in body.split(",")]
            enums.append((tag, [name for name in names if name]))
            continue
        members = []
        for declaration in body.split(";"):
            pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", declaration)
            if pointer:
                members.append(pointer.group(1))
            elif declaration.strip():
                # Of "const sn_real *a, b[3]" the last word of each part.
                for part in declaration.split(","):
                    members.append(re.findall(r"\w+", re.sub(r"\[.*?\]", "", part))[-1])
        structs.append((tag, members))
    return structs, enums


def entries(structs, enums):
    """What is asserted: groups of (macro and arguments, expression)."""
    groups = []
    for tag, members in structs:
        group = [(f"SIZE({tag}", f"sizeof({tag})")]
        group += [(f"OFFSET({tag}, {name}", f"offsetof({tag}, {name})") for name in members]
        groups.append(group)
    for _, names in enums:
        groups.append([(f"VALUE({name}", f"(size_t)({name})") for name in names])
    return groups


# ---- Comparing ----


def asserted(layout):
    """The left sides of the assertions in layout.c."""
    return re.findall(r"^((?:SIZE|OFFSET|VALUE)\([^;]*), \d+\);", layout, re.M)


def check_complete(groups, layout):
    """Every struct, member and value is in layout.c, and nothing else is."""
    wanted = [left for group in groups for left, _ in group]
    found = asserted(layout)
    missing = [left for left in wanted if left not in found]
    extra = [left for left in found if left not in wanted]
    wrong = [f"layout.c has no {left}, ...)" for left in missing]
    return wrong + [f"layout.c has {left}, ...), which no header has" for left in extra]


def check_layout(cc, include, layout):
    """The assertions hold."""
    command = [cc, "-std=c17", "-fsyntax-only", "-I", include, "-x", "c", "-"]
    done = subprocess.run(command, input=layout, capture_output=True, text=True)
    errors = [line for line in done.stderr.split("\n") if "error" in line]
    return errors or ([done.stderr] if done.returncode != 0 else [])


def check_symbols(listed, exported):
    """The library exports the list."""
    wrong = [f"symbols.txt has {name}, which is not exported" for name in sorted(listed - exported)]
    wrong += [f"{name} is exported, but not in symbols.txt" for name in sorted(exported - listed)]
    return wrong


def exported_symbols(library):
    command = ["nm", "-D", "--defined-only", library]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    names = {line.split()[-1].split("@")[0] for line in done.stdout.splitlines() if line.strip()}
    return {name for name in names if name.startswith("sn_")}


# ---- Writing ----


def new_layout(cc, include, groups):
    """layout.c with the values of this compiler."""
    lines = ["#include <sinew/sinew.h>", "#include <stdio.h>", "int main(void) {"]
    for group in groups:
        lines += [f'    printf("%zu\\n", {expression});' for _, expression in group]
    lines += ["    return 0;", "}", ""]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "probe")
        command = [cc, "-std=c17", "-I", include, "-x", "c", "-", "-o", program]
        subprocess.run(command, input="\n".join(lines), text=True, check=True)
        values = iter(subprocess.run([program], capture_output=True, text=True).stdout.split())
    text = HEAD
    for group in groups:
        text += "\n" + "".join(f"{left}, {next(values)});\n" for left, _ in group)
    return text + TAIL


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def write(name, text):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        file.write(text)


# ---- Self-test ----


def self_test(cc):
    """An interface that is right passes, and every kind of change is found."""
    header = (
        "#include <stddef.h>\n#include <stdint.h>\n"
        "typedef enum sn_e { SN_A = 0, SN_B = 2 } sn_e;\n"
        "typedef struct sn_s { size_t size; const char *a, b[3]; void (*f)(int, int); sn_e e; }"
        " sn_s;\n"
    )

    def check(changed, layout=None):
        with tempfile.TemporaryDirectory() as include:
            os.makedirs(os.path.join(include, "sinew"))
            with open(os.path.join(include, "sinew/sinew.h"), "w", encoding="utf-8") as file:
                file.write(changed)
            groups = entries(*declarations(preprocessed(cc, include)))
            layout = layout or new_layout(cc, include, groups)
            return layout, check_complete(groups, layout) + check_layout(cc, include, layout)

    layout, right = check(header)
    moved = header.replace("size_t size; ", "").replace("sn_e e;", "sn_e e; size_t size;")
    # Name of the change, the text, and what must be named.
    changes = [
        ("a new member", header.replace("sn_e e;", "sn_e e; int g;"), "OFFSET(sn_s, g"),
        ("a member that is gone", header.replace(", b[3]", ""), "OFFSET(sn_s, b"),
        ("a larger array", header.replace("b[3]", "b[9]"), "the place of f in sn_s"),
        ("another order", moved, "size in sn_s"),
        ("another value", header.replace("SN_B = 2", "SN_B = 3"), "the value of SN_B"),
        ("a new value", header.replace("SN_B = 2", "SN_B = 2, SN_C"), "VALUE(SN_C"),
    ]
    failures = [] if right == [] else [f"a right interface: {right}"]
    for name, text, expected in changes:
        found = "\n".join(check(text, layout)[1]).replace('"', "").replace(" \\", "")
        if expected not in found:
            failures.append(f"{name}: expected {expected} in: {found}")
    if len(check_symbols({"sn_a", "sn_b"}, {"sn_b", "sn_c"})) != 2:
        failures.append("symbols are not compared both ways")
    for failure in failures:
        print(failure)
    print(f"{len(changes) + 2} self-tests, {len(failures)} failures")
    return 1 if failures else 0


# ---- Main ----


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cc", default="cc", help="the C compiler")
    parser.add_argument("--library", help="the shared library, in float")
    parser.add_argument("--update", action="store_true", help="write layout.c and symbols.txt")
    parser.add_argument("--self-test", action="store_true", help="show that every check can fail")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.cc)
    if not arguments.library:
        parser.error("--library is missing")

    include = os.path.join(ROOT, "include")
    groups = entries(*declarations(preprocessed(arguments.cc, include)))
    exported = exported_symbols(arguments.library)
    if arguments.update:
        write("layout.c", new_layout(arguments.cc, include, groups))
        write("symbols.txt", "".join(f"{name}\n" for name in sorted(exported)))
        return 0
    layout, listed = read("layout.c"), set(read("symbols.txt").split())
    wrong = check_complete(groups, layout) + check_layout(arguments.cc, include, layout)
    wrong += check_symbols(listed, exported)
    for line in wrong:
        print(line)
    print(f"{len(asserted(layout))} assertions, {len(listed)} symbols, {len(wrong)} differences")
    if wrong:
        print("if that is meant, tests/abi/abi.py --update --library LIBRARY takes it over")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
