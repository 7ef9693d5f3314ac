#!/usr/bin/env python3
"""Runs the commands that pages tell a reader to type, in their order, with few frames.

    page.py ROOT SCRATCH SINEW PAGE...

Lines that are indented by four spaces and begin with ./dev run, ./dev sinew, sinew,
build/release/sinew, build/release/tests/ or cp are commands. JSON that is indented is checked as a
scene; a block that begins with ```json FILE is what the reader saves there, for the commands below
it.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT, SCRATCH, SINEW = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
# Without it pages take a short form.
LONG = "SINEW_TEST_LONG" in os.environ


def command_of(line):
    """What is run for a line; None where it is no command of ours."""
    if not line.startswith(("./dev ", "build/release/", "sinew ", "cp ")):
        return None
    words = shlex.split(line, comments=True)
    if words[:2] == ["./dev", "run"]:
        rest = words[2:]
        scene = [rest.pop(0)] if rest and not rest[0].startswith("-") else ["scenes/cloth.json"]
        return [str(SINEW), "run", *scene, "--out", "out", *rest]
    if words[:2] == ["./dev", "sinew"]:
        return [str(SINEW), *words[2:]]
    if words[:1] in (["build/release/sinew"], ["sinew"]):
        return [str(SINEW), *words[1:]]
    if words[0].startswith("build/release/tests/"):
        return [str(SINEW.parent / "tests" / pathlib.Path(words[0]).name), *words[1:]]
    return words if words[:1] == ["cp"] else None


def shorten(command):
    """Two frames will do, unless the files of some frame are asked for later, and no picture that
    is not asked for."""
    if command[1] == "run" and not {"--frames", "--snapshot"} & set(command):
        command += ["--frames", "2"]
    if command[1] == "run" and not LONG and "--picture" not in command:
        command += ["--picture", "none"]
    return ["1" if before == "--frame" else word
            for before, word in zip([""] + command, command)]


def run(command):
    if "--video" in command and not shutil.which("ffmpeg"):
        print("skipped for want of ffmpeg:", *command[1:])
        return
    for sign in {"-o", ">"} & set(command):
        (SCRATCH / command[command.index(sign) + 1]).parent.mkdir(parents=True, exist_ok=True)
    words = command[:command.index(">")] if ">" in command else command
    done = subprocess.run(words, cwd=SCRATCH, capture_output=True, text=True)
    if ">" in command:
        (SCRATCH / command[-1]).write_text(done.stdout, encoding="utf-8")
    said = f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    assert done.returncode == 0, said


def follow(text, before):
    """Does what a page says from its first line to its last, but for what pages before it did; how
    many commands there were."""
    commands = 0
    for part in re.split(r"^(```.*?^```$)", text, flags=re.M | re.S):
        saved = re.match(r"```json (\S+)\n(.*)^```$", part, re.M | re.S)
        if saved:
            (SCRATCH / saved.group(1)).parent.mkdir(parents=True, exist_ok=True)
            (SCRATCH / saved.group(1)).write_text(saved.group(2), encoding="utf-8")
        if part.startswith("```"):
            continue
        lines = [line[4:] for line in part.split("\n") if line.startswith("    ")]
        for command in filter(None, map(command_of, filter(str.strip, lines))):
            commands += 1
            words = shorten(command)
            if LONG or tuple(words) not in before:
                before.add(tuple(words))
                run(words)
    return commands


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    os.symlink(ROOT / "scenes", SCRATCH / "scenes")
    pages = sys.argv[4:]
    # Of many that are alike some will do, unless all are asked for.
    if len(pages) > 20 and not LONG:
        pages = pages[::3]
    before = set()
    for page in pages:
        text = pathlib.Path(ROOT, page).read_text(encoding="utf-8")
        commands = follow(text, before)
        scenes = re.findall(r"(?:^    .*\n)+", text, re.M)
        scenes = [scene for scene in scenes if '"version": 1' in scene]
        for scene in scenes:
            (SCRATCH / "page.json").write_text(scene, encoding="utf-8")
            run([str(SINEW), "check", "page.json"])
        assert commands or scenes, f"{page} has neither commands nor scenes"
        print(f"{page}: {commands} commands and {len(scenes)} scenes")


main()
