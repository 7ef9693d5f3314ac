#!/usr/bin/env python3
"""Runs clang-tidy over every C file of a build, each of them once, several at a time.

Files that are compiled once per SIMD width and precision are looked at in the scalar pass in float,
which is the one with everything in it.
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile


KNOWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known.h")


def one_per_file(database):
    """The first command of each C file, without those of the double library."""
    chosen = {}
    for entry in database:
        if entry["file"].endswith(".c") and "-DSN_DOUBLE" not in entry["command"]:
            chosen.setdefault(entry["file"], entry)
    return list(chosen.values())


def look_at(file, folder):
    command = ["clang-tidy", "--quiet", "-p", folder, file]
    if not file.endswith("src/base/error.c"):
        command += ["--extra-arg=-include", f"--extra-arg={KNOWN}"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout


def main():
    if len(sys.argv) != 2:
        print("usage: tidy.py BUILD_FOLDER", file=sys.stderr)
        return 2
    with open(os.path.join(sys.argv[1], "compile_commands.json"), encoding="utf-8") as file:
        entries = one_per_file(json.load(file))
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump(entries, file)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            names = [entry["file"] for entry in entries]
            for code, text in pool.map(lambda name: look_at(name, folder), names):
                if code != 0:
                    wrong += 1
                    print(text, end="")
    print(f"clang-tidy: {len(entries)} files, {wrong} with findings")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
