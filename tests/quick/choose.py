#!/usr/bin/env python3
"""Chooses the tests that changed files touch most directly, in float.

    choose.py BUILD FILE...
    choose.py --self-test

For the file of a constraint type these are conformance, the tests that name the type, and the
hashes, golden and of the scenes, where a change of bits is seen first. For the source of a test it
is that test, for a page the examples, for anything else all that is not slow, and the hashes.

Prints what is to be built on one line, and the names of the tests on the next; says on the error
stream what was chosen and what is left out.
"""

import collections
import json
import os
import re
import subprocess
import sys

Test = collections.namedtuple("Test", "name labels targets sources")

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
BITS = {"golden", "app_hashes"}
NOT_QUICK = {"slow", "double", "soak", "long"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run(*command, folder):
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def sources_of_targets(build):
    """The sources of every program of the tests, by its name."""
    found = collections.defaultdict(set)
    for entry in json.loads(read(os.path.join(build, "compile_commands.json"))):
        match = re.search(r" tests/CMakeFiles/(\w+)\.dir/", entry["command"])
        if match:
            found[match.group(1)].add(os.path.relpath(entry["file"]))
    return found


def read_tests(build):
    """The tests, with what is built for each of them and the files that it is written in."""
    described = json.loads(run("ctest", "--show-only=json-v1", folder=build))["tests"]
    rules = run("ninja", "-t", "targets", "all", folder=build)
    outputs = {line.split(":")[0] for line in rules.splitlines()}
    sources = sources_of_targets(build)
    tests = []
    for test in described:
        # CTest does not say what it would run before that is there; most have the test's name.
        words = test.get("command", [os.path.join(build, "tests", test["name"])])
        targets = {os.path.relpath(word, build) for word in words if os.path.isabs(word)} & outputs
        files = {os.path.relpath(word) for word in words if os.path.isfile(word)}
        for target in targets:
            files |= sources.get(os.path.basename(target), set())
        values = {item["name"]: item["value"] for item in test["properties"]}
        tests.append(Test(test["name"], set(values.get("LABELS", [])), targets, files))
    return tests


def type_of(path):
    """The constraint type that a file is all about, or None."""
    match = re.fullmatch(r"(?:src|include/sinew)/constraints/(\w+)\.[ch]", path)
    if not match:
        return None
    listed = re.findall(r"<sinew/constraints/(\w+)\.h>", read("include/sinew/constraints/list.h"))
    return match.group(1) if match.group(1) in listed else None


def with_helpers(paths):
    """The C files among these, and those of the headers that they include from beside them."""
    files = {path for path in paths if path.endswith(".c")}
    for path in sorted(files):
        folders = (os.path.dirname(path), "tests")
        for name in re.findall(r'#include "([\w/]+)\.h"', read(path)):
            files |= {os.path.join(folder, name + ".c") for folder in folders}
    return filter(os.path.isfile, files)


def names_type(test, name):
    pattern = re.compile(rf"\bsn_{name}_|\bSN_TYPE_{name.upper()}\b")
    return any(pattern.search(read(path)) for path in with_helpers(test.sources))


def choose(path, tests):
    """Why, and which."""
    name = type_of(path)
    if name:
        chosen = [test for test in tests if "conformance" in test.labels or test.name in BITS
                  or names_type(test, name)]
        return f"the tests of conformance, those that name {name}, and hashes", chosen
    own = [test for test in tests if path in test.sources]
    if own and path.startswith("tests/"):
        return "its tests", own
    if path.endswith(".md"):
        return "the examples", [test for test in tests if "examples" in test.labels]
    chosen = [test for test in tests if not test.labels & NOT_QUICK or test.name in BITS]
    return "all tests that are not slow, and hashes", chosen


def self_test():
    """Every kind of file, in a small suite; the sources are of this tree."""
    tests = [
        Test("constraints_bits", {"conformance", "slow"}, {"tests/constraints_bits"}, set()),
        Test("golden", {"golden", "slow"}, {"tests/golden"}, {"tests/golden/golden.c"}),
        Test("validation_string", {"validation"}, set(), {"tests/validation/string.c"}),
        Test("validation_torsion", {"slow"}, set(), {"tests/validation/torsion.c"}),
        Test("example_pages", {"examples", "slow"}, set(), {"tests/examples/page.py"}),
    ]
    expected = {
        "src/constraints/distance.c": ["constraints_bits", "golden", "validation_string"],
        "src/constraints/bend_twist.c": ["constraints_bits", "golden", "validation_torsion"],
        "tests/validation/torsion.c": ["validation_torsion"],
        "docs/cloth.md": ["example_pages"],
        "include/sinew/constraints/list.h": ["golden", "validation_string"],
        "src/step/step.c": ["golden", "validation_string"],
    }
    failures = 0
    for path, names in expected.items():
        found = [test.name for test in choose(path, tests)[1]]
        if found != names:
            failures += 1
            print(f"{path}: expected {names}, found {found}")
    print(f"{len(expected)} self-tests, {failures} failures")
    return 1 if failures else 0


def main():
    os.chdir(ROOT)
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) < 3:
        print("usage: choose.py BUILD FILE...", file=sys.stderr)
        return 2
    build = os.path.abspath(sys.argv[1])
    tests = read_tests(build)
    single = [test for test in tests if not test.labels & {"double", "soak", "long"}]
    chosen = {}
    for path in sys.argv[2:]:
        why, some = choose(path, single)
        print(f"quick: {path}: {why}", file=sys.stderr)
        chosen.update((test.name, test) for test in some)
    left = len(single) - len(chosen)
    print(f"quick: {len(chosen)} tests; {left} others in float are left out, and double precision, "
          "clang, -O0 and sanitizers: ./dev test has them", file=sys.stderr)
    print(*sorted(set().union(*(test.targets for test in chosen.values()))))
    print(*sorted(chosen))
    return 0


if __name__ == "__main__":
    sys.exit(main())
