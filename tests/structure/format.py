#!/usr/bin/env python3
"""Formats the sources as .clang-format says, or looks whether they are.

    format.py [--check]

Versions of clang-format differ in what they make of the same settings, so one of them is asked.
With --check it ends with 77, which CTest takes for skipped, where that one is not there, and looks
at what the last commits changed or nobody committed yet: the rest was looked at before. All is
looked at where git does not know, where the settings changed and where SINEW_TEST_LONG is set.
"""

import os
import re
import subprocess
import sys

VERSION = "14"
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
CODE = (".c", ".h", ".inl", ".cpp", ".hpp")
NOT_OURS = {"build", "out"}
COMMITS = 30


def sources():
    """Every source of the tree, from its root."""
    found = []
    for where, folders, files in os.walk("."):
        if where == ".":
            folders[:] = sorted(set(folders) - NOT_OURS)
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [os.path.join(where, name) for name in sorted(files) if name.endswith(CODE)]
    return found


def lately_changed(names):
    """Those of the files that may have changed since they were last looked at."""
    changed = set()
    for asked in (["diff", "--name-only", f"HEAD~{COMMITS}"],
                  ["ls-files", "--others", "--exclude-standard"]):
        try:
            said = subprocess.run(["git", *asked], capture_output=True, text=True)
        except OSError:
            return names
        if said.returncode != 0:
            return names
        changed |= {os.path.join(".", name) for name in said.stdout.splitlines()}
    if "SINEW_TEST_LONG" in os.environ or "./.clang-format" in changed:
        return names
    return [name for name in names if name in changed]


def find_program():
    """The name of the program, or None."""
    for program in (f"clang-format-{VERSION}", "clang-format"):
        try:
            said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
        except OSError:
            continue
        if re.search(rf"version {VERSION}\.", said):
            return program
    return None


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        print("usage: format.py [--check]", file=sys.stderr)
        return 2
    program = find_program()
    if not program:
        print(f"clang-format {VERSION} is not installed")
        return 77 if check else 1
    os.chdir(ROOT)
    if not check:
        return subprocess.run([program, "-i", *sources()]).returncode
    look = [program, "--dry-run", "-Werror"]
    # What is wrong must be found.
    wrong = [*look, "--assume-filename=a.c"]
    if subprocess.run(wrong, input=b"int  a ;\n", capture_output=True).returncode == 0:
        print(f"{program} finds nothing wrong in what is wrong")
        return 1
    names = lately_changed(sources())
    if not names:
        return 0
    done = subprocess.run([*look, *names])
    if done.returncode != 0:
        print("./dev format formats them")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
