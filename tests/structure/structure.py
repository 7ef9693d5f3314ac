#!/usr/bin/env python3
"""The shape of the tree, as rules: layers, where types and systems are named, documentation,
headers that stand alone, lengths, names of files, exported symbols, where tests are.

Every rule is a function from a tree, a dict of path to text, to a list of (path, line, message), so
that --self-test can show each of them a small tree that is wrong and one that is right.
"""

import argparse
import os
import re
import subprocess
import sys

# The source tree is not to be written to.
sys.dont_write_bytecode = True
from documentation import rule_documentation
from headers import rule_headers_alone, test_headers_alone
from tree import (PUBLIC, code_files, functions, kind_names, line_of, read_tree, system_names,
                  type_names, without_comments)
from world_parts import SELF_TESTS as WORLD_SELF_TESTS, rule_world_parts

# A folder may include, and call, its own files and those of the folders before it.
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
    "src/backend",
    "src/api",
    "src/bodies",
    "include/sinew_io",
    "io",
    "include/sinew_picture",
    "picture",
    "bindings/python/module", "web/module", "web/server", "scenes", "app", "bench",
]

# Folders beside src/ use the public headers of what is above them, and of these folders any.
BESIDE = {"io": (), "picture": (), "bindings/python/module": (), "web/module": (),
          "web/server": ("web/module",), "scenes": (), "app": ("scenes", "web/server"),
          "bench": ("app", "scenes")}

# What only a build that asks for it compiles: a check of objects does not miss it.
OPTIONAL = ("src/backend/cuda/",)

MAX_LINES = 800
MAX_COLUMNS = 100
MAX_FUNCTION = 80
MAX_SUBSTEPS = 60

# The folders of the core library.
CORE = tuple(folder + "/" for folder in LAYERS[1 : LAYERS.index("include/sinew_io")])


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


def read_objects(folder):
    """Source, defined and undefined symbols of every object of the core library in float."""
    paths = []
    for where, _, files in os.walk(folder):
        if os.path.relpath(where, folder).startswith("sinew_f32_"):
            paths += [os.path.join(where, name) for name in files if name.endswith((".o", ".obj"))]
    if not paths:
        return []
    command = ["nm", "-A", "-g", *sorted(paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    objects = {path: (set(), set()) for path in paths}
    for line in done.stdout.splitlines():
        path, kind, name = re.fullmatch(r"(.*?\.o(?:bj)?):.* (\w) (\S+)", line).groups()
        objects[path][kind == "U"].add(name)
    return [
        (os.path.splitext(path.replace(os.sep, "/").split(".dir/")[-1])[0], defined, undefined)
        for path, (defined, undefined) in sorted(objects.items())
    ]


def rule_calls(objects):
    """An object uses only symbols of its own folder and those above it. What lies below is reached
    through tables that are handed down."""
    wrong = []
    home = {}
    for source, defined, _ in objects:
        for name in defined:
            if name not in home or layer_of(source) < layer_of(home[name]):
                home[name] = source
    for source, _, undefined in objects:
        for name in sorted(undefined):
            if name in home and layer_of(home[name]) > layer_of(source):
                wrong.append((source, 1, f"uses {name} of {home[name]}, which lies below it"))
    return wrong


# ---- Types ----

# What makes constraints of certain types for meshes and bodies, and so may use their definitions.
# Systems that make constraints name what they make them of by its role.
MAY_NAME_TYPES = ("src/bodies/", "src/constraints/link.h", "include/sinew/surface.h",
                  "src/systems/sheet/sheet_tethers.c")


def rule_types(tree):
    """No file but that of a type, its header, the list, builders and io names a type."""
    wrong = []
    names = sorted(type_names(tree), key=len, reverse=True)
    # Of names that begin alike, such as distance and distance_joint, the longest is meant.
    listed = "|".join(re.escape(name) for name in names) or "none"
    pattern = re.compile(rf"\bsn_({listed})_\w+|\bSN_TYPE_({listed})\b", re.I)
    for path, text in code_files(tree):
        if not path.startswith(("src/", "include/")) or path.startswith(MAY_NAME_TYPES):
            continue
        if path == "include/sinew/constraints/list.h":
            continue
        code = without_comments(text)
        for match in pattern.finditer(code):
            name = (match.group(1) or match.group(2)).lower()
            if path in (f"src/constraints/{name}.c", f"include/sinew/constraints/{name}.h"):
                continue
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


# ---- Systems ----

# What makes objects, and their public calls may; what serves all calls names none.
CALLS = re.compile(r"src/api/\w+_api\.c|src/bodies/.*")
# Air acts on sheets; these and tet meshes are cut, others are told; a replay has its own wind.
SYSTEM_USES = {("src/systems/aerodynamics", "sheet"), ("src/fracture", "sheet"),
               ("src/fracture", "tet_mesh"), ("src/api/replay", "aerodynamics"),
               ("src/systems/emitter", "fluid"), ("src/api/emitter_api", "fluid"),
               ("src/systems/fluid", "diffusion")}


def rule_systems(tree):
    """No file outside the folder of a system names it, but the list; and only those that may
    include its headers."""
    wrong = []
    sources = [(path, text) for path, text in code_files(tree) if path.startswith("src/")]
    homes = {name: set() for name in system_names(tree)}
    for path, text in sources:
        for name in re.findall(r"\nconst sn_system sn_(\w+)_system = ", "\n" + text):
            homes.setdefault(name, set()).add(path.rsplit("/", 1)[0] + "/")
    wrong += [("src/state/system_list.h", 1, f"lists {name}, but no file defines sn_{name}_system")
              for name in sorted(name for name, home in homes.items() if not home)]
    rooms = [name for name in homes if any(home.startswith("src/systems/") for home in homes[name])]
    own = re.compile(rf"\bsn_({'|'.join(rooms) or 'none'})_(?!system\b)\w+")
    use = re.compile(r'sn_(\w+)_system\b|SN_SYSTEM_([A-Z_]+)\b|"systems/(\w+)/')
    for path, text in sources:
        code = without_comments(text)
        for match in use.finditer(code):
            named, index, included = match.groups()
            name = named or included or index.lower()
            if name not in homes or path.startswith(tuple(homes[name])):
                continue
            places = {(path.rsplit("/", 1)[0], name), (path.rsplit(".", 1)[0], name)}
            if not (included and (CALLS.fullmatch(path) or places & SYSTEM_USES)):
                message = f"names {match.group(0)}; only the folder of the system may"
                wrong.append((path, line_of(code, match.start()), message))
        shared = path.startswith("src/api/") and not CALLS.fullmatch(path)
        wrong += [(path, line_of(code, match.start()), f"names {match.group(0)}")
                  for match in own.finditer(code) if shared
                  and (path.rsplit(".", 1)[0], match.group(1)) not in SYSTEM_USES]
    return wrong


# ---- Lengths ----


def rule_lengths(tree):
    """Files and lines fit a screen."""
    wrong = []
    for path, text in sorted(tree.items()):
        lines = text.split("\n")
        if text.endswith("\n"):
            lines.pop()
        if len(lines) > MAX_LINES:
            wrong.append((path, len(lines), f"has {len(lines)} lines, at most {MAX_LINES}"))
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_COLUMNS:
                wrong.append((path, number, f"has {len(line)} columns, at most {MAX_COLUMNS}"))
    return wrong


# Bytes of the name of a section in snapshots (src/base/archive.c).
MAX_SECTION = 8


def rule_sections(tree):
    """The name of a section fits where snapshots have it."""
    wrong = []
    named = r'\b(?:sn_archive_section|sn_archive_is_next|sn_serialize_kept)\([^"();]*"([^"]+)"'
    for path, text in code_files(tree):
        for match in re.finditer(named, text):
            if len(match.group(1)) > MAX_SECTION:
                line = line_of(text, match.start())
                wrong.append((path, line, f'the section "{match.group(1)}" has a name of more than '
                              f"{MAX_SECTION} bytes"))
    return wrong


def rule_functions(tree):
    """A function fits a screen; so do the substeps, with how constraints are projected in them."""
    wrong = []
    substeps = {}
    for path, text in code_files(tree):
        if not path.startswith(("src/", "include/", *(folder + "/" for folder in BESIDE))):
            continue
        for name, line, length in functions(text):
            if length > MAX_FUNCTION:
                message = f"{name} has {length} lines, at most {MAX_FUNCTION}"
                wrong.append((path, line, message))
            if path == "src/step/project.c" or (path, name) == ("src/step/step.c", "run_substeps"):
                substeps[name] = length
    total = sum(substeps.values())
    if total > MAX_SUBSTEPS:
        message = f"substeps and projection have {total} lines, at most {MAX_SUBSTEPS}"
        wrong.append(("src/step/step.c", 1, message))
    loop = {"run_substeps", "sn_project_constraints"}
    if "src/step/step.c" in tree and not loop <= set(substeps):
        wrong.append(("src/step/step.c", 1, "the loop over substeps is not where it was"))
    return wrong


def rule_names(tree):
    """A file name occurs once in the core library."""
    wrong = []
    first = {}
    for path in sorted(tree):
        name = path.rsplit("/", 1)[-1]
        if path.startswith(CORE) and first.setdefault(name, path) != path:
            wrong.append((path, 1, f"has the name of {first[name]}"))
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
    for path in filter(lambda path: path.startswith(folder), tree):
        for name in re.findall(r"^SN_DECLARE_OBJECT\((\w+),", tree[path], re.M):
            functions[f"sn_{name}_def_default"] = (path, 1)
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


# ---- Tests ----

# Folders of tests that are about all of the tree, or are run by tests.
ABOUT_ALL = ("abi", "coverage", "examples", "external", "golden", "io/oracles", "lint", "mutants",
             "quick", "site", "soak", "structure", "validation", "wasm")


def folders_above(path):
    parts = path.split("/")[:-1]
    return ["/".join(parts[: i + 1]) for i in range(len(parts))]


def rule_tests(tree):
    """A folder of tests has the name of one of src/ or of one beside it, or is about all; a program
    is named after its file and the folder of it, and no other has that name; no header has the
    place of one in src/, which it would hide."""
    mirrored, programs, wrong = set(ABOUT_ALL), {}, []
    for path in tree:
        if path.startswith(("src/", *(folder + "/" for folder in BESIDE))):
            mirrored.update(folders_above(re.sub(r"^src/", "", path)))
    for path, text in sorted(tree.items()):
        folder, _, name = re.sub(r"^tests/", "", path).rpartition("/")
        if not path.startswith("tests/") or not folder:
            continue
        if folder not in mirrored:
            wrong.append((path, 1, f"{folder} is no folder of src/ or beside it"))
        if name.endswith(".h") and path.replace("tests/", "src/", 1) in tree:
            wrong.append((path, 1, "has the place of a header of src/"))
        if re.search(r"^TEST\(", text, re.M) and path.endswith(".c"):
            last, stem = folder.rpartition("/")[2], name[:-2]
            program = stem if stem == last else f"{last}_{stem}"
            if program in programs:
                wrong.append((path, 1, f"is named {program}, as {programs[program]} is"))
            programs.setdefault(program, path)
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

SYSTEM_LIST = """\
#define SN_SYSTEMS(SYSTEM)  \\
    SYSTEM(RAIN, rain)      \\
    SYSTEM(SNOW, snow)
"""


def function_of(name, lines):
    return f"static int {name}(int a,\n    int b) {{\n" + "    a++;\n" * (lines - 3) + "}\n"


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
    (
        rule_systems,
        "a system named in the step, its header included there, and one without a descriptor",
        {
            "src/state/system_list.h": SYSTEM_LIST,
            "src/systems/rain/rain_system.c": "const sn_system sn_rain_system = {0};\n",
            "src/systems/rain/rain.h": "int a = SN_SYSTEM_RAIN;\n",
            "src/step/s.c": '#include "systems/rain/rain.h"\nint a = SN_SYSTEM_RAIN;\n',
            "src/api/a_api.c": '#include "systems/rain/rain.h"\nint b = sn_rain_create(0);\n',
            "src/api/b.c": "void *a = &sn_rain_system;\n",
            "src/api/c.c": '#include "systems/rain/rain.h"\nint c = sn_rain_create(0);\n',
        },
        [
            ("src/api/b.c", 1),
            ("src/api/c.c", 1),
            ("src/api/c.c", 2),
            ("src/state/system_list.h", 1),
            ("src/step/s.c", 1),
            ("src/step/s.c", 2),
        ],
    ),
    (
        rule_calls,
        "a call of what lies below, and one of what lies below as well as above",
        [
            ("src/base/a.c", {"sn_a"}, {"sn_s", "malloc"}),
            ("src/step/s.c", {"sn_s", "sn_both"}, {"sn_a"}),
            ("src/math/m.c", {"sn_both"}, set()),
            ("src/geometry/g.c", set(), {"sn_both"}),
        ],
        [("src/base/a.c", 1)],
    ),
    (
        rule_functions,
        "a long function, and a step that is too long for a screen",
        {
            "src/a.c": "int a;\n" + function_of("long_one", 81) + function_of("short_one", 80),
            "tests/a.c": function_of("a_test", 90),
            "src/step/step.c": function_of("run_substeps", 40) + function_of("other", 70),
            "src/step/project.c": function_of("sn_project_constraints", 21),
        },
        [("src/a.c", 2), ("src/step/step.c", 1)],
    ),
    (
        rule_functions,
        "a step whose loop was renamed",
        {"src/step/step.c": function_of("loop", 40)},
        [("src/step/step.c", 1)],
    ),
    (
        rule_functions,
        "nothing",
        {
            "src/step/step.c": function_of("run_substeps", 40),
            "src/step/project.c": function_of("sn_project_constraints", 20),
        },
        [],
    ),
    (
        rule_names,
        "a name that is there twice in the core, and one that is elsewhere as well",
        {"src/base/a.c": "", "src/step/x/a.c": "", "src/step/b.c": "", "app/b.c": ""},
        [("src/step/x/a.c", 1)],
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
        rule_sections,
        "sections with long names",
        {
            "src/a.c": 'sn_archive_section(a, "geometry");\nsn_archive_is_next(a, "wheelwork");\n',
            "src/b.c": 'sn_serialize_kept(world, a, "wheels", x);\n',
        },
        [("src/a.c", 2)],
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
        rule_tests,
        "a folder that mirrors nothing, a header that hides one, and programs of one name",
        {
            "src/contact/c.h": "",
            "src/systems/rain/r.c": "",
            "src/systems/snow/rain/s.c": "",
            "tests/touch/t.c": "TEST(falls) {}\n",
            "tests/contact/c.h": "",
            "tests/systems/rain/drops.c": "TEST(falls) {}\n",
            "tests/systems/snow/rain/drops.c": "TEST(falls) {}\n",
        },
        [("tests/contact/c.h", 1), ("tests/systems/snow/rain/drops.c", 1), ("tests/touch/t.c", 1)],
    ),
    (
        rule_tests,
        "nothing",
        {
            "src/contact/c.h": "",
            "io/mesh/m.c": "",
            "tests/check.h": "",
            "tests/contact/c.c": "TEST(falls) {}\n",
            "tests/contact/help.c": "",
            "tests/io/c.c": "TEST(falls) {}\n",
            "tests/golden/golden.c": "TEST(falls) {}\n",
        },
        [],
    ),
    (
        lambda tree: rule_exports(tree, ["sn_here", "sn_extra", "helper", "_init"]),
        "a symbol without the prefix, one without a declaration, and one that is missing",
        {"include/sinew/a.h": "SN_API int sn_here(void);\nSN_API int sn_gone(void);\n"},
        [("include/sinew/a.h", 2), ("library", 1), ("library", 1)],
    ),
]


def self_test(compilers):
    failures = 0
    tests = SELF_TESTS + WORLD_SELF_TESTS
    for rule, what, tree, expected in tests:
        found = sorted((path, line) for path, line, _ in rule(tree))
        if found != sorted(expected):
            failures += 1
            name = rule.__name__ if rule.__name__ != "<lambda>" else "a rule of symbols"
            print(f"{name}, with {what}: expected {sorted(expected)}, found {found}")
    if not test_headers_alone(compilers):
        failures += 1
        print("rule_headers_alone does not tell good headers from bad ones")
    print(f"{len(tests) + 1} self-tests, {failures} failures")
    return failures


# ---- Main ----


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", default=".", help="the top of the source tree")
    parser.add_argument("--library", help="the shared library; without it, exports are not checked")
    parser.add_argument("--objects", help="where objects are; without it, calls are not checked")
    parser.add_argument("--beside", nargs=3, action="append", default=[],
                        metavar=("NAME", "SHARED", "STATIC"), help="a library beside the core")
    parser.add_argument("--cc", default="cc", help="the C compiler")
    parser.add_argument("--cxx", default="c++", help="the C++ compiler")
    parser.add_argument("--self-test", action="store_true", help="show that every rule can fail")
    arguments = parser.parse_args()
    compilers = [(arguments.cc, "c", "-std=c17"), (arguments.cxx, "c++", "-std=c++17")]
    if arguments.self_test:
        return 1 if self_test(compilers) else 0

    tree = read_tree(arguments.root, ["include", "src", *BESIDE, "fuzz", "tests"])
    if not type_names(tree) or not system_names(tree):
        print("include/sinew/constraints/list.h:1: has no types, so this is not the tree")
        return 1
    wrong = []
    wrong += rule_layers(tree)
    wrong += rule_types(tree)
    wrong += rule_methods(tree)
    wrong += rule_systems(tree)
    wrong += rule_world_parts(tree)
    wrong += rule_documentation(tree)
    wrong += rule_headers_alone(tree, arguments.root, compilers)
    wrong += rule_lengths(tree)
    wrong += rule_sections(tree)
    wrong += rule_functions(tree)
    wrong += rule_names(tree)
    wrong += rule_tested(tree)
    wrong += rule_tests(tree)
    if arguments.library:
        wrong += rule_exports(tree, exported_symbols(arguments.library))
    for name, shared, archive in arguments.beside:
        wrong += rule_exports(tree, exported_symbols(shared), f"include/{name}/")
        wrong += rule_prefixes(global_symbols(archive))
    if arguments.objects:
        objects = [entry for entry in read_objects(arguments.objects) if entry[0] in tree]
        wrong += rule_calls(objects)
        sources = {path for path in tree if path.startswith(CORE) and path.endswith(".c")
                   and not path.startswith(OPTIONAL)}
        for path in sorted(sources - {source for source, _, _ in objects}):
            wrong.append((path, 1, f"has no object in {arguments.objects}"))
    for path, line, message in wrong:
        print(f"{path}:{line}: {message}")
    print(f"{len(tree)} files, {len(wrong)} violations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
