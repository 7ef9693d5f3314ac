#!/usr/bin/env python3
"""The binary interface: what a program that was built with older headers relies on.

layout.txt beside this file has the sizes of all public structs, the places of their members and the
values of all enumerators, on 64-bit machines in float; symbols.txt lists what the shared library
exports. This compares both with what the compiler and the library say.
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
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


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


def measured(cc, include, structs, enums):
    """What the compiler says: per declaration its name and {expression: value}."""
    groups = []
    for tag, members in structs:
        asked = {f"sizeof({tag})": "sizeof"}
        asked.update({f"offsetof({tag}, {name})": name for name in members})
        groups.append((tag, asked))
    groups += [(tag, {f"(size_t)({name})": name for name in names}) for tag, names in enums]
    lines = ["#include <sinew/sinew.h>", "#include <stdio.h>", "int main(void) {"]
    for _, asked in groups:
        lines += [f'    printf("%zu\\n", {expression});' for expression in asked]
    lines += ["    return 0;", "}", ""]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "probe")
        command = [cc, "-std=c17", "-I", include, "-x", "c", "-", "-o", program]
        subprocess.run(command, input="\n".join(lines), text=True, check=True)
        values = iter(subprocess.run([program], capture_output=True, text=True).stdout.split())
    return {tag: {name: int(next(values)) for name in asked.values()} for tag, asked in groups}


# ---- The file ----


def layout_text(layout):
    """A paragraph per declaration: its name, then members with their places, or values."""
    paragraphs = []
    for tag, numbers in layout.items():
        words = ", ".join(f"{name} {number}" for name, number in numbers.items())
        wrap = textwrap.TextWrapper(100, subsequent_indent="    ", break_long_words=False)
        paragraphs.append(wrap.fill(f"{tag}: {words}"))
    return "\n".join(paragraphs) + "\n"


def read_layout(text):
    layout = {}
    for paragraph in re.sub(r"\n +", " ", text).splitlines():
        tag, words = paragraph.split(": ", 1)
        pairs = [word.split() for word in words.split(", ")]
        layout[tag] = {name: int(number) for name, number in pairs}
    return layout


# ---- Comparing ----


def check_layout(listed, found):
    """Every struct, member and value is in layout.txt as it is in the headers, and nothing else."""
    wrong = []
    for tag in sorted({*listed, *found}):
        old, new = listed.get(tag, {}), found.get(tag, {})
        for name in {**old, **new}:
            if old.get(name) != new.get(name):
                says = f"{old.get(name, 'nothing')} in layout.txt, {new.get(name, 'nothing')} in C"
                wrong.append(f"{tag}, {name}: {says}")
    return wrong


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


# ---- Files ----


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

    def layout_of(text):
        with tempfile.TemporaryDirectory() as include:
            os.makedirs(os.path.join(include, "sinew"))
            with open(os.path.join(include, "sinew/sinew.h"), "w", encoding="utf-8") as file:
                file.write(text)
            return measured(cc, include, *declarations(preprocessed(cc, include)))

    layout = layout_of(header)
    moved = header.replace("size_t size; ", "").replace("sn_e e;", "sn_e e; size_t size;")
    # Name of the change, the text, and what must be named.
    changes = [
        ("a new member", header.replace("sn_e e;", "sn_e e; int g;"), "sn_s, g: nothing"),
        ("a member that is gone", header.replace(", b[3]", ""), "sn_s, b: 16"),
        ("a larger array", header.replace("b[3]", "b[9]"), "sn_s, f: 24"),
        ("a larger struct", header.replace("sn_e e;", "sn_e e[9];"), "sn_s, sizeof: 40"),
        ("another order", moved, "sn_s, size: 0"),
        ("another value", header.replace("SN_B = 2", "SN_B = 3"), "sn_e, SN_B: 2"),
        ("a new value", header.replace("SN_B = 2", "SN_B = 2, SN_C"), "sn_e, SN_C: nothing"),
        ("a struct that is gone", header.split("typedef struct")[0], "sn_s, sizeof: 40"),
    ]
    right = check_layout(read_layout(layout_text(layout)), layout)
    failures = [] if right == [] else [f"a right interface: {right}"]
    for name, text, expected in changes:
        found = "\n".join(check_layout(layout, layout_of(text)))
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
    parser.add_argument("--update", action="store_true", help="write layout.txt and symbols.txt")
    parser.add_argument("--self-test", action="store_true", help="show that every check can fail")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.cc)
    if not arguments.library:
        parser.error("--library is missing")

    include = os.path.join(ROOT, "include")
    layout = measured(arguments.cc, include, *declarations(preprocessed(arguments.cc, include)))
    exported = exported_symbols(arguments.library)
    if arguments.update:
        write("layout.txt", layout_text(layout))
        write("symbols.txt", "".join(f"{name}\n" for name in sorted(exported)))
        return 0
    listed = set(read("symbols.txt").split())
    wrong = check_layout(read_layout(read("layout.txt")), layout)
    wrong += check_symbols(listed, exported)
    for line in wrong:
        print(line)
    numbers = sum(len(group) for group in layout.values())
    print(f"{numbers} sizes, places and values, {len(listed)} symbols, {len(wrong)} differences")
    if wrong:
        print("if that is meant, tests/abi/abi.py --update --library LIBRARY takes it over")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
