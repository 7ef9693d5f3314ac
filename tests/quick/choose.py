#!/usr/bin/env python3
"""Chooses the tests that changed files touch most directly, in float.

    choose.py BUILD FILE...

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

BITS = {"golden", "app_hashes"}
NOT_QUICK = {"slow", "double", "soak"}


def run(*command, folder):
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def sources_of_targets(build):
    """The sources of every program of the tests, by its name."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    found = collections.defaultdict(set)
    for entry in commands:
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
        words = test["command"]
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
    with open("include/sinew/constraints/list.h", encoding="utf-8") as file:
        listed = re.findall(r"<sinew/constraints/(\w+)\.h>", file.read())
    return match.group(1) if match.group(1) in listed else None


def names_type(path, name):
    if not path.endswith((".c", ".py")):
        return False
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return re.search(rf"\bsn_{name}_|\bSN_TYPE_{name.upper()}\b", text) is not None


def choose(path, tests):
    """Why, and which."""
    name = type_of(path)
    if name:
        chosen = [test for test in tests if "conformance" in test.labels or test.name in BITS
                  or any(names_type(source, name) for source in test.sources)]
        return f"the tests of conformance, those that name {name}, and hashes", chosen
    own = [test for test in tests if path in test.sources]
    if own and path.startswith("tests/"):
        return "its tests", own
    if path.endswith(".md"):
        return "the examples", [test for test in tests if "examples" in test.labels]
    chosen = [test for test in tests if not test.labels & NOT_QUICK or test.name in BITS]
    return "all tests that are not slow, and hashes", chosen


def main():
    if len(sys.argv) < 3:
        print("usage: choose.py BUILD FILE...", file=sys.stderr)
        return 2
    build = os.path.abspath(sys.argv[1])
    tests = read_tests(build)
    single = [test for test in tests if not test.labels & {"double", "soak"}]
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
