"""Writes the hashes that tests compare anew, after a change that is meant to change the arithmetic.

    update.py BUILD

BUILD is a build folder of the preset release with the programs TARGETS; "./dev hashes" calls this.
What was compared before is in the difference that git shows: a scene that was not meant to change
and did is an error of the change.
"""

import os
import re
import shutil
import subprocess
import sys

TARGETS = "golden golden_f64 bodies_kinds bodies_kinds_f64 scenes_regressions sinew_app"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
        file.write(text)


def output(build, name, *arguments):
    """What a test prints; that hashes differ makes it fail, which is why it runs."""
    program = os.path.join(build, "tests", name)
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False).stdout


def in_precision(text, double, change):
    """A header with one part for each precision, with one of them changed."""
    double_part, single_part = text.index("#ifdef SN_DOUBLE"), text.index("#else")
    begin, end = double_part, single_part
    if not double:
        begin, end = single_part, text.index("#endif", single_part)
    return text[:begin] + change(text[begin:end]) + text[end:]


def update_golden(build):
    path = "tests/golden/golden_hashes.h"
    text = read(path)
    for double in (True, False):
        lines = output(build, "golden_f64" if double else "golden", "--print")
        defines = dict(re.findall(r"#define (GOLDEN_\w+) (UINT64_C\(0x[0-9a-f]{16}\))", lines))
        assert defines, lines
        text = in_precision(text, double, lambda part, values=defines: re.sub(
            r"#define (GOLDEN_\w+) UINT64_C\(0x[0-9a-f]{16}\)",
            lambda found: f"#define {found[1]} {values[found[1]]}", part))
    write(path, text)


def update_kinds(build):
    path = "tests/bodies/kind_hashes.h"
    text = read(path)
    for double in (True, False):
        lines = output(build, "bodies_kinds_f64" if double else "bodies_kinds")
        found = set(re.findall(r"\[(\w+), width \d+, \d threads: ([0-9a-f]{16})\] hash ==", lines))
        assert len({kind for kind, _ in found}) == len(found), "widths or threads differ: " + lines
        for kind, value in found:
            text = in_precision(text, double, lambda part, kind=kind, value=value: re.sub(
                rf"0x[0-9a-f]{{16}}, /\* {kind} \*/", f"0x{value}, /* {kind} */", part))
    write(path, text)


def update_regressions(build):
    path = "scenes/regressions/expected.txt"
    text = read(path)
    lines = output(build, "scenes_regressions")
    for name, value in re.findall(r"^  (\w+) \| hash \| ([0-9a-f]{16})", lines, re.M):
        text = re.sub(rf"^{name} \| hash \| [0-9a-f]{{16}}", f"{name} | hash | {value}", text,
                      flags=re.M)
    write(path, text)


def update_scenes(build):
    scratch = os.path.join(build, "tests", "hashes")
    subprocess.run([sys.executable, os.path.join(ROOT, "tests/app/command.py"), "--hashes", scratch,
                    os.path.join(build, "sinew")], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False,
                   env=dict(os.environ, SINEW_SCENES=os.path.join(ROOT, "scenes"),
                            SINEW_TEST_LONG="1"))
    shutil.copyfile(os.path.join(scratch, "scene_hashes.txt"),
                    os.path.join(ROOT, "tests/app/scene_hashes.txt"))


def main():
    if sys.argv[1:] == ["--targets"]:
        print(TARGETS)
        return
    build = os.path.abspath(sys.argv[1])
    for update in (update_golden, update_kinds, update_regressions, update_scenes):
        update(build)


main()
