#!/usr/bin/env python3
"""The shape of the tree, as rules: layers, where types are named, documentation, headers that stand
alone, lengths, exported symbols.

Every rule is a function from a tree, a dict of path to text, to a list of (path, line, message), so
that --self-test can show each of them a small tree that is wrong and one that is right.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

# A folder may include its own files and those of the folders before it.
LAYERS = [
    "include/sinew",
    "src/base",
    "src/math",
    "src/geometry",
    "src/state",
    "src/constraints",
    "src/collision",
    "src/contact",
    "src/systems",
    "src/fracture",
    "src/step",
    "src/bodies",
    "src/api",
    "include/sinew_io",
    "io",
    "include/sinew_picture",
    "picture",
    "scenes",
    "app",
    "bench",
]

# Folders beside src/ use the public headers of what is above them, and of these folders any.
BESIDE = {"io": (), "picture": (), "scenes": (), "app": ("scenes",), "bench": ("app", "scenes")}

PUBLIC = ("include/sinew/", "include/sinew_io/", "include/sinew_picture/")
CODE = (".c", ".h", ".inl", ".cpp", ".hpp")
TEXT = CODE + (".py", ".cmake")
MAX_LINES = 800
MAX_COLUMNS = 100


# ---- Reading ----


def read_tree(root, folders):
    """All text files below the folders, by their path from the root."""
    tree = {}
    for folder in folders:
        for where, names, files in os.walk(os.path.join(root, folder)):
            names.sort()
            for name in sorted(files):
                path = os.path.join(where, name)
                if name.endswith(TEXT):
                    with open(path, encoding="utf-8") as file:
                        tree[os.path.relpath(path, root).replace(os.sep, "/")] = file.read()
    return tree


TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def without_comments(text):
    """The text with comments blanked, lines kept."""

    def blank(match):
        token = match.group(0)
        return re.sub(r"[^\n]", " ", token) if token.startswith("/") else token

    return TOKEN.sub(blank, text)


def comments_only(text):
    """The text of the comments, everything else blanked, lines kept."""
    parts = []
    end = 0
    for match in TOKEN.finditer(text):
        parts.append(re.sub(r"[^\n]", " ", text[end : match.start()]))
        token = match.group(0)
        parts.append(token if token.startswith("/") else re.sub(r"[^\n]", " ", token))
        end = match.end()
    parts.append(re.sub(r"[^\n]", " ", text[end:]))
    return "".join(parts)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def code_files(tree):
    return [(path, text) for path, text in sorted(tree.items()) if path.endswith(CODE)]


def type_names(tree):
    """The types, from the list."""
    text = without_comments(tree.get("include/sinew/constraints/list.h", ""))
    return re.findall(r"#include\s*<sinew/constraints/(\w+)\.h>", text)


def kind_names(tree):
    """The kinds of bodies, from their list."""
    text = without_comments(tree.get("include/sinew/kinds/list.h", ""))
    return re.findall(r"#include\s*<sinew/kinds/(\w+)\.h>", text)


# ---- Layers ----


def layer_of(path):
    for index, folder in enumerate(LAYERS):
        if path.startswith(folder + "/"):
            return index
    return None


def resolve(tree, path, quoted, name):
    """The file of the tree that an include means, or None."""
    places = ["include/", "src/", ""]
    if quoted:
        places.insert(0, path.rsplit("/", 1)[0] + "/")
    for place in places:
        candidate = os.path.normpath(place + name).replace(os.sep, "/")
        if candidate in tree:
            return candidate
    return None


def is_public(other, folder):
    return other.startswith("include/") or other == folder or other in BESIDE[folder]


def rule_layers(tree):
    """A file includes only its own folder and those above it."""
    wrong = []
    for path, text in code_files(tree):
        layer = layer_of(path)
        if layer is None:
            continue
        code = without_comments(text)
        for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', code, re.M):
            quoted, name = match.group(1) == '"', match.group(2)
            target = resolve(tree, path, quoted, name)
            line = line_of(code, match.start())
            if target is None:
                if quoted or name.startswith(("sinew/", "sinew_io/", "sinew_picture/")):
                    wrong.append((path, line, f"includes {name}, which is not in the tree"))
                continue
            other, folder = layer_of(target), LAYERS[layer]
            if other is None or other > layer:
                wrong.append((path, line, f"{folder} includes {target}, which lies below it"))
            elif folder in BESIDE and not is_public(LAYERS[other], folder):
                wrong.append((path, line, f"{folder} includes {target}, which is not public"))
    return wrong


# ---- Types ----

# What makes constraints of certain types for meshes and bodies, and so may use their definitions.
MAY_NAME_TYPES = ("src/bodies/", "src/api/hierarchy_api.c",
                  "src/systems/hierarchy/project_hierarchy.c",
                  "src/api/surface_api.c", "include/sinew/surface.h",
                  "src/api/attach_api.c")


def rule_types(tree):
    """No file but that of a type, its header, the list, builders and io names a type."""
    wrong = []
    for name in type_names(tree):
        upper = name.upper()
        pattern = re.compile(rf"\bsn_{name}_\w+|\bSN_{upper}_\w+|\bSN_TYPE_{upper}\b")
        own = {
            f"src/constraints/{name}.c",
            f"include/sinew/constraints/{name}.h",
            "include/sinew/constraints/list.h",
        }
        for path, text in code_files(tree):
            if not path.startswith(("src/", "include/")) or path.startswith(MAY_NAME_TYPES):
                continue
            if path in own:
                continue
            code = without_comments(text)
            for match in pattern.finditer(code):
                message = f"names {match.group(0)}; only the file of the type may"
                wrong.append((path, line_of(code, match.start()), message))
    return wrong


# ---- Solvers and integrators ----


def rule_methods(tree):
    """No source names a solver or an integrator by its number: it asks the object."""
    wrong = []
    pattern = re.compile(r"\bSN_(?:SOLVER|INTEGRATOR)_(?!COUNT\b)[A-Z0-9]+\b")
    for path, text in code_files(tree):
        if not path.startswith("src/"):
            continue
        code = without_comments(text)
        for match in pattern.finditer(code):
            message = f"names {match.group(0)}; what depends on it belongs into its object"
            wrong.append((path, line_of(code, match.start()), message))
    return wrong


# ---- Documentation ----

UNIT = re.compile(
    r"(?<![\w.])(?:m|kg|s|N|J|Pa|rad|1|m/s|m/s\^2|1/s|1/kg|m\^2|m\^3|N/m|N s|N m|J/C|"
    r"kg m/s|kg m\^2/s|C\^2/J|J s/C\^2|bytes|seconds?|metres?|units?)(?![\w^])"
)
REAL = re.compile(r"^\s*(?:const\s+)?(sn_real|sn_vec3|sn_vec4|double|float)\b[\s*]*(\w[^;(]*);")
MEMBER = re.compile(
    r"^\s*(?:const\s+)?(?:struct\s+)?[A-Za-z_]\w*[\s*]+\w[^;()]*;|^\s*[^;]*\(\*\w+\)"
)
ENUMERATOR = re.compile(r"^\s*([A-Z]\w*)\s*(?:=|,|$)")


class Header:
    """A header as lines, with what comments say beside and above each."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.code = without_comments(text).split("\n")
        self.notes = comments_only(text).split("\n")
        self.all_notes = "\n".join(self.notes)

    def is_blank(self, i):
        return self.lines[i].strip() == ""

    def is_note(self, i):
        return self.code[i].strip() == "" and self.notes[i].strip() != ""

    def beside(self, i):
        """The comment that begins on the line and goes on below it, or stands right above it."""
        text = self.notes[i]
        if text.strip() and "*/" not in text:
            j = i + 1
            while j < len(self.lines) and self.is_note(j):
                text += " " + self.notes[j]
                j += 1
        return text

    def above(self, i):
        """The comment that ends on the line before."""
        text = ""
        j = i - 1
        while j >= 0 and self.is_note(j):
            text = self.notes[j] + " " + text
            j -= 1
        return text

    def in_paragraph(self, i):
        """Whether a comment stands before the line, or on it, without a blank line between."""
        j = i
        while j >= 0 and not self.is_blank(j):
            if self.notes[j].strip():
                return True
            j -= 1
        return False

    def heading(self, i):
        """The comment directly above a declaration, headings of sections left out."""
        text = self.above(i)
        return "" if re.match(r"\s*/\* ---- ", text) else text


def body_lines(header, start):
    """The lines between the braces of a declaration that begins at `start`."""
    i = start
    while "{" not in header.code[i]:
        i += 1
    lines = []
    depth = header.code[i].count("{") - header.code[i].count("}")
    while depth > 0:
        i += 1
        depth += header.code[i].count("{") - header.code[i].count("}")
        if depth > 0:
            lines.append(i)
    return lines


def check_struct(header, path, start, name, wrong):
    heading = header.heading(start)
    lines = [i for i in body_lines(header, start) if MEMBER.match(header.code[i])]
    names = ";".join(header.code[i] for i in lines)
    # A vector has the unit of what it is used for.
    is_vector = re.fullmatch(r"[\s;]*sn_real x, y, z(, w)?[\s;]*", names) is not None
    for i in lines:
        note = header.beside(i) + header.above(i)
        if not note.strip() and not heading.strip():
            wrong.append((path, i + 1, f"a member of {name} has no comment"))
        elif REAL.match(header.code[i]) and not is_vector and not UNIT.search(note + heading):
            wrong.append((path, i + 1, f"a number in {name} has no unit in its comment"))


def check_enum(header, path, start, name, wrong):
    heading = header.heading(start)
    for i in body_lines(header, start):
        if ENUMERATOR.match(header.code[i]) and not header.in_paragraph(i):
            if not (heading.strip() or (header.beside(i) + header.above(i)).strip()):
                wrong.append((path, i + 1, f"a value of {name} has no comment"))


def rule_documentation(tree):
    """Everything public has a comment, and every number a unit."""
    wrong = []
    headers = {
        path: Header(text)
        for path, text in code_files(tree)
        if path.startswith(PUBLIC)
        and not path.endswith("/list.h")
    }
    all_notes = "\n".join(header.all_notes for header in headers.values())
    for path, header in headers.items():
        text = "\n".join(header.code)
        undone = set(re.findall(r"#\s*undef\s+(\w+)", text))
        documented = set()
        i = 0
        while i < len(header.code):
            code = header.code[i]
            spoken = header.in_paragraph(i)
            match = re.match(r"\s*#\s*define\s+(\w+)", code)
            if match:
                name = match.group(1)
                guard = re.fullmatch(r"SINEW_\w+_H", name)
                if spoken or re.search(rf"\b{name}\b", all_notes):
                    documented.add(name)
                elif not guard and name not in undone and name not in documented:
                    wrong.append((path, i + 1, f"macro {name} has no comment"))
                    documented.add(name)
                while header.code[i].endswith("\\"):
                    i += 1
            match = re.match(r"typedef\s+(struct|enum)\s+(\w+)", code)
            if match:
                kind, name = match.groups()
                if not header.heading(i).strip() and not header.beside(i).strip():
                    wrong.append((path, i + 1, f"{kind} {name} has no comment above it"))
                if "{" in code:
                    check = check_struct if kind == "struct" else check_enum
                    check(header, path, i, name, wrong)
            match = re.match(r"typedef\s+[\w\s*]*?\b(sn_\w+)\s*\(", code)
            if match and not spoken:
                wrong.append((path, i + 1, f"function type {match.group(1)} has no comment"))
            match = re.match(r"SN_API\s.*?\b(sn_\w+)\s*\(", code)
            if match:
                name = match.group(1)
                if not spoken and not re.search(rf"\b{name}\b", all_notes):
                    wrong.append((path, i + 1, f"function {name} has no comment"))
            i += 1
    return wrong


# ---- Headers alone ----


def rule_headers_alone(tree, root, compilers):
    """Every public header compiles by itself, as C and as C++, in both precisions."""
    wrong = []
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    for path in sorted(tree):
        if not path.startswith(PUBLIC) or not path.endswith(".h"):
            continue
        name = path[len("include/") :]
        for compiler, language, standard in compilers:
            for define in ([], ["-DSN_DOUBLE"]):
                command = [compiler, "-x", language, standard, *warnings, *define]
                command += ["-I", os.path.join(root, "include"), "-"]
                # An object in the text, since ISO C wants one in every unit.
                source = f"#include <{name}>\nextern int sn_alone;\nint sn_alone;\n"
                done = subprocess.run(command, input=source, capture_output=True, text=True)
                if done.returncode != 0:
                    lines = done.stderr.strip().split("\n")
                    first = next((line for line in lines if "error" in line), lines[0])
                    wrong.append((path, 1, f"does not compile alone as {language}: {first}"))
                    break
    return wrong


# ---- Lengths ----

# Made by a program and as long as what they list.
GENERATED = {"tests/abi/layout.c"}


def rule_lengths(tree):
    """Files and lines fit a screen."""
    wrong = []
    for path, text in sorted(tree.items()):
        lines = text.split("\n")
        if text.endswith("\n"):
            lines.pop()
        if len(lines) > MAX_LINES and path not in GENERATED:
            wrong.append((path, len(lines), f"has {len(lines)} lines, at most {MAX_LINES}"))
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_COLUMNS:
                wrong.append((path, number, f"has {len(line)} columns, at most {MAX_COLUMNS}"))
    return wrong


# ---- Symbols ----


def public_functions(tree, folder="include/sinew/"):
    """Every function that the headers of a folder declare, with its place."""
    functions = {}
    for path, text in code_files(tree):
        if not path.startswith(folder):
            continue
        code = without_comments(text)
        # What a #define makes is counted where it is used.
        code = re.sub(
            r"^[ \t]*#[ \t]*define(?:[^\\\n]|\\.|\\\n)*",
            lambda match: re.sub(r"[^\n]", " ", match.group(0)),
            code,
            flags=re.M,
        )
        for match in re.finditer(r"\bSN_API\b[^;(]*?\b(sn_\w+)\s*\(", code):
            functions[match.group(1)] = (path, line_of(code, match.start()))
    if folder != "include/sinew/":
        return functions
    for name in type_names(tree):
        header = f"include/sinew/constraints/{name}.h"
        functions[f"sn_{name}_def_default"] = (header, 1)
    for name in kind_names(tree):
        functions[f"sn_{name}_material_default"] = (f"include/sinew/kinds/{name}.h", 1)
    return functions


def exported_symbols(library):
    done = subprocess.run(
        ["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True
    )
    return [line.split()[-1].split("@")[0] for line in done.stdout.splitlines() if line.strip()]


def global_symbols(archive):
    done = subprocess.run(
        ["nm", "-g", "--defined-only", archive], capture_output=True, text=True, check=True
    )
    return [line.split()[-1] for line in done.stdout.splitlines() if len(line.split()) == 3]


def rule_prefixes(symbols):
    """Every global of a static library has the prefix, as a program has one space of names."""
    return [
        ("library", 1, f"has the global {symbol}, which does not begin with sn_")
        for symbol in sorted(set(symbols))
        if not symbol.startswith("sn_")
    ]


def rule_exports(tree, symbols, folder="include/sinew/"):
    """The library exports what the headers declare, and nothing without its prefix."""
    wrong = []
    functions = public_functions(tree, folder)
    # What a C runtime puts into every shared object.
    runtime = {"_init", "_fini", "__bss_start", "_edata", "_end", "__bss_start__", "__bss_end__"}
    for symbol in sorted(set(symbols) - runtime):
        if not symbol.startswith("sn_"):
            wrong.append(("library", 1, f"exports {symbol}, which does not begin with sn_"))
        elif symbol not in functions:
            wrong.append(("library", 1, f"exports {symbol}, which no header declares"))
    for name, (path, line) in sorted(functions.items()):
        if name not in symbols:
            wrong.append((path, line, f"{name} is declared but not exported"))
    return wrong


def rule_tested(tree):
    """Every public function is called in tests/ or fuzz/."""
    wrong = []
    tests = "\n".join(
        without_comments(text)
        for path, text in code_files(tree)
        if path.startswith(("tests/", "fuzz/"))
    )
    called = set(re.findall(r"\b(sn_\w+)\s*\(", tests))
    if re.search(r"sn_##\w+##_def_default\s*\(", tests):
        called.update(f"sn_{name}_def_default" for name in type_names(tree))
    for name, (path, line) in sorted(public_functions(tree).items()):
        if name not in called:
            wrong.append((path, line, f"{name} is called by no test"))
    return wrong


# ---- Self-test ----

LIST = "#include <sinew/constraints/rod.h>\n#include <sinew/constraints/tie.h>\n"

GOOD_HEADER = """\
/* What it is. */
#ifndef SINEW_A_H
#define SINEW_A_H
/* A point. */
typedef struct sn_p {
    sn_real x, y, z;
} sn_p;

/* How it is. */
typedef struct sn_how {
    size_t size; /* set by sn_how_default */
    sn_real far; /* m */
    /* 1/s, at least 0. */
    sn_real damping;
} sn_how;

/* Which. */
typedef enum sn_which { SN_ONE } sn_which;

SN_API sn_how sn_how_default(void);

/* Both. */
SN_API int sn_get(void);
SN_API int sn_set(void);
#endif
"""

SELF_TESTS = [
    # rule, what is wrong with the tree, the tree, the expected places
    (
        rule_layers,
        "an include from a lower layer, and one of a file that is not there",
        {
            "src/base/a.c": '#include "base/a.h"\n/* "step/s.h" */\n#include "step/s.h"\n',
            "src/base/a.h": "#include <stdio.h>\n",
            "src/step/s.h": '#include "../base/a.h"\n#include "gone.h"\n',
        },
        [("src/base/a.c", 3), ("src/step/s.h", 2)],
    ),
    (
        rule_layers,
        "what is beside src/ and includes a header of the core, and one of another folder",
        {
            "io/mesh/r.c": '#include "io/mesh/r.h"\n#include "base/a.h"\n#include <sinew/b.h>\n',
            "io/mesh/r.h": "",
            "picture/p.c": '#include "io/mesh/r.h"\n#include <sinew_io/i.h>\n',
            "bench/b.c": '#include "app/a.h"\n',
            "app/a.h": '#include "picture/p.h"\n',
            "picture/p.h": "",
            "src/base/a.h": "",
            "include/sinew/b.h": "",
            "include/sinew_io/i.h": "",
        },
        [("io/mesh/r.c", 2), ("picture/p.c", 1), ("app/a.h", 1)],
    ),
    (
        lambda tree: rule_prefixes(["sn_here", "helper"]),
        "a global without the prefix",
        {},
        [("library", 1)],
    ),
    (
        rule_layers,
        "nothing",
        {
            "src/step/s.c": '#include "s.h"\n#include "base/a.h"\n#include <sinew/b.h>\n',
            "src/step/s.h": "",
            "src/base/a.h": "#include <math.h>\n",
            "include/sinew/b.h": "",
        },
        [],
    ),
    (
        rule_types,
        "a type named in the solver, in a header and in the file of another type",
        {
            "include/sinew/constraints/list.h": LIST,
            "include/sinew/constraint.h": "/* sn_rod_def */\nint sn_tie_def;\n",
            "src/constraints/rod.c": "int sn_rod_def;\nint SN_TYPE_TIE;\n",
            "src/step/s.c": "int a;\nint SN_TYPE_ROD;\n",
            "src/bodies/b.c": "int sn_rod_def;\n",
        },
        [("include/sinew/constraint.h", 2), ("src/constraints/rod.c", 2), ("src/step/s.c", 2)],
    ),
    (
        rule_types,
        "nothing",
        {
            "include/sinew/constraints/list.h": LIST,
            "src/constraints/rod.c": "int sn_rod_def; /* SN_TYPE_TIE */\n",
            "src/step/s.c": "int sn_rodeo;\n",
        },
        [],
    ),
    (
        rule_methods,
        "a solver asked for by its number",
        {"src/step/s.c": "int a;\nbool b = s == SN_SOLVER_JACOBI || i > SN_INTEGRATOR_BDF2;\n"},
        [("src/step/s.c", 2), ("src/step/s.c", 2)],
    ),
    (
        rule_methods,
        "nothing",
        {
            "include/sinew/world.h": "enum { SN_SOLVER_JACOBI };\n",
            "src/step/s.c": "int a = SN_SOLVER_COUNT, SN_SOLVER_##upper; /* SN_SOLVER_JACOBI */\n",
        },
        [],
    ),
    (rule_documentation, "nothing", {"include/sinew/a.h": GOOD_HEADER}, []),
    (
        rule_documentation,
        "a number without a unit",
        {"include/sinew/a.h": GOOD_HEADER.replace("/* m */", "/* how far */")},
        [("include/sinew/a.h", 12)],
    ),
    (
        rule_documentation,
        "a struct without a comment",
        {"include/sinew/a.h": GOOD_HEADER.replace("/* How it is. */", "")},
        [("include/sinew/a.h", 10)],
    ),
    (
        rule_documentation,
        "functions and an enum without a comment",
        {"include/sinew/a.h": GOOD_HEADER.replace("/* Both. */\n", "").replace("/* Which. */", "")},
        [("include/sinew/a.h", line) for line in (18, 22, 23)],
    ),
    (
        rule_documentation,
        "a macro and a member without a comment",
        {"include/sinew/a.h": "\n#define SN_M 1\n\ntypedef struct sn_s {\n    int a;\n} sn_s;\n"},
        [("include/sinew/a.h", line) for line in (2, 4, 5)],
    ),
    (
        rule_lengths,
        "a long line and a long file",
        {"src/a.c": "a" * 101 + "\nb\n", "src/b.c": "\n" * 801, "src/c.c": "c" * 100 + "\n"},
        [("src/a.c", 1), ("src/b.c", 801)],
    ),
    (
        rule_tested,
        "a function that no test calls",
        {
            "include/sinew/a.h": "SN_API int sn_used(void);\nSN_API int\nsn_unused(int a);\n",
            "tests/t.c": "/* sn_unused() */ int main(void) { return sn_used(); }\n",
        },
        [("include/sinew/a.h", 2)],
    ),
    (
        lambda tree: rule_exports(tree, ["sn_here", "sn_extra", "helper", "_init"]),
        "a symbol without the prefix, one without a declaration, and one that is missing",
        {"include/sinew/a.h": "SN_API int sn_here(void);\nSN_API int sn_gone(void);\n"},
        [("include/sinew/a.h", 2), ("library", 1), ("library", 1)],
    ),
]


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


def self_test(compilers):
    failures = 0
    for rule, what, tree, expected in SELF_TESTS:
        found = sorted((path, line) for path, line, _ in rule(tree))
        if found != sorted(expected):
            failures += 1
            name = rule.__name__ if rule.__name__ != "<lambda>" else "a rule of symbols"
            print(f"{name}, with {what}: expected {sorted(expected)}, found {found}")
    if not test_headers_alone(compilers):
        failures += 1
        print("rule_headers_alone does not tell good headers from bad ones")
    print(f"{len(SELF_TESTS) + 1} self-tests, {failures} failures")
    return failures


# ---- Main ----


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", default=".", help="the top of the source tree")
    parser.add_argument("--library", help="the shared library; without it, exports are not checked")
    parser.add_argument("--beside", nargs=3, action="append", default=[],
                        metavar=("NAME", "SHARED", "STATIC"), help="a library beside the core")
    parser.add_argument("--cc", default="cc", help="the C compiler")
    parser.add_argument("--cxx", default="c++", help="the C++ compiler")
    parser.add_argument("--self-test", action="store_true", help="show that every rule can fail")
    arguments = parser.parse_args()
    compilers = [(arguments.cc, "c", "-std=c17"), (arguments.cxx, "c++", "-std=c++17")]
    if arguments.self_test:
        return 1 if self_test(compilers) else 0

    folders = ["include", "src", *BESIDE, "fuzz", "tests"]
    tree = read_tree(arguments.root, folders)
    if not type_names(tree):
        print("include/sinew/constraints/list.h:1: has no types, so this is not the tree")
        return 1
    wrong = []
    wrong += rule_layers(tree)
    wrong += rule_types(tree)
    wrong += rule_methods(tree)
    wrong += rule_documentation(tree)
    wrong += rule_headers_alone(tree, arguments.root, compilers)
    wrong += rule_lengths(tree)
    wrong += rule_tested(tree)
    if arguments.library:
        wrong += rule_exports(tree, exported_symbols(arguments.library))
    for name, shared, archive in arguments.beside:
        wrong += rule_exports(tree, exported_symbols(shared), f"include/{name}/")
        wrong += rule_prefixes(global_symbols(archive))
    for path, line, message in wrong:
        print(f"{path}:{line}: {message}")
    print(f"{len(tree)} files, {len(wrong)} violations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
