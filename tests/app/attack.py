#!/usr/bin/env python3
"""Scenes with numbers far beyond sense, and command lines without it: whatever is asked for ends in
time, with an exit code that the help names, and where that is not 0, with a sentence.

    attack.py [--seed N] [--count N] [--only SCENE]... SCRATCH PROGRAM [ARGUMENT]...

One to three numbers of a scene of those that come with Sinew are made as much as 1e12 times larger,
or smaller, or negative, or are replaced. With other seeds and a large count that goes on for as
long as one likes; every line says what to give to see it again.
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys

SCENES = os.environ.get("SINEW_SCENES", "scenes")
# Of processors: two threads that wait for each other beside other tests count twice, and the
# longest scene takes 10 alone. Sanitizers take as much longer.
SECONDS = 300 if "SINEW_TEST_BRIEF" in os.environ else 40

# What took minutes before work that repeats itself had limits: scene, what is replaced, by what.
KNOWN = [
    ("pouch", {"bodies.1.mesh.positions.25.1": -1e5}),
    ("parachutes", {"settings.air_density": 1.2e12}),
    # 500 balls of 6 km, each within all others.
    ("pile", {"colliders.8.radius": 6000.0}),
    # A sheet at 10 km/s that meets a mesh, and nothing else.
    ("shapes", {"parameters.cells.value": 16, "settings.substeps": 20,
                "bodies.0.velocity": [0, -1e4, 0],
                **{f"colliders.{i}.position": [100 * i, 0, 500] for i in (0, 2, 3, 4)}}),
]

# What is seen alone, or says how much there is: a mesh of a million triangles is no mistake.
UNTOUCHED = re.compile(
    r"^(version|frames|fps|comment|about|title|colour|back_colour|pattern_colour|cameras|roughness|"
    r"ground|light|picture_at|least|most)$")
COUNTS = re.compile(
    r"^(segments|sides|columns|rows|cells|level|count|substeps|iterations|rings|layers|value|"
    r"spacing|edge_length|strands|edge|width|depth|height)$")
FACTORS = [1e2, 1e3, 1e4, 1e5, 1e6, 1e9, 1e12, 1e-3, 1e-6, -1, 10]
EXTREMES = [0, -1, 1e5, 1e15, 1e30, 1e-30, 3.4e38, 1e39, 2**31, "nan", None, True, [], {}]


def numbers_of(value, path=()):
    """The paths of all numbers in JSON."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if isinstance(key, str) and UNTOUCHED.match(key):
            continue
        if isinstance(item, (dict, list)):
            yield from numbers_of(item, (*path, key))
        elif isinstance(item, (int, float)) and not isinstance(item, bool):
            yield (*path, key)


def get(value, path):
    for key in path:
        value = value[int(key) if isinstance(value, list) else key]
    return value


def put(value, path, number):
    owner = get(value, path[:-1])
    owner[int(path[-1]) if isinstance(owner, list) else path[-1]] = number


def changed(draw, scene):
    """One to three changes of a scene; words that stand often are not chosen more often."""
    kinds = {}
    for path in numbers_of(scene):
        kinds.setdefault(tuple(key for key in path if isinstance(key, str)), []).append(path)
    changes = {}
    for _ in range(draw.choice([1, 1, 2, 3])):
        path = draw.choice(kinds[draw.choice(sorted(kinds))])
        old, word = get(scene, path), [key for key in path if isinstance(key, str)][-1]
        if draw.random() < 0.2:
            new = draw.choice(EXTREMES)
        elif COUNTS.match(word) or word == "extent" and "mesh" in path:
            new = (old or 1) * draw.choice([2, -1, 0.5])
        else:
            new = (old or draw.choice([1, -1])) * draw.choice(FACTORS)
        changes[".".join(map(str, path))] = new
    return changes


def run(program, arguments, folder):
    """The exit code and what was said; the code is negative where it had to be ended."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    done = subprocess.run([*program, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, preexec_fn=limit)
    return done.returncode, (done.stderr + done.stdout).decode(errors="replace")


def is_right(code, said, codes):
    if "AddressSanitizer" in said or "runtime error" in said:
        return False
    # A large mesh may take its time, and says so.
    return code in codes and (code == 0 or said.strip()) or "its time" in said


def attack_scene(program, folder, name, changes):
    with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
        scene = json.load(file)
    for path, number in changes.items():
        put(scene, path.split("."), number)
    with open(os.path.join(folder, "attack.json"), "w", encoding="utf-8") as file:
        json.dump(scene, file)
    code, said = run(program, ("run", "attack.json", "--frames", "2", "--out", "out", "--format",
                               "none", "--picture", "none", "--threads", "2"), folder)
    # NaN is no JSON, and what is said of it is as good as of any other mistake.
    return is_right(code, said, (0, 1)), code, said


WORDS = ["", "-", "--", "-1", "0", "1", "2", "1e30", "nan", "x", "=", "1,2,3", "1,2,3,0,0,1",
         "rope", "missing", "a=b", "size=-1", "out", "/dev/null", "/dev/full", "none", "cache,obj",
         "3x3", "0:1", "9" * 40, "\u00e9\n\"", "%s%n", "x" * 300]


def attack_command(program, folder, draw, verbs):
    """Options of a verb with any values, repeated, without values, in any order."""
    verb = draw.choice(sorted(verbs))
    words = [verb]
    for _ in range(draw.randrange(4)):
        option = draw.choice(verbs[verb] + ["--nothing", "-o"])
        words += draw.choice([[option], [option, draw.choice(WORDS)],
                              [option + "=" + draw.choice(WORDS)]])
    for _ in range(draw.choice([0, 1, 1, 2])):
        words.insert(draw.randrange(1, len(words) + 1), draw.choice(["rope", *WORDS]))
    # What simulates or draws is to be done soon.
    if verb in ("run", "strain"):
        words += ["--frames", "2"]
    if verb == "query":
        words += ["--frame", "2"]
    code, said = run(program, words, folder)
    return is_right(code, said, (0, 1, 2)), code, said, words


def options_of(program, folder):
    """The options of every verb that neither serves nor measures."""
    said = run(program, ("--help",), folder)[1]
    verbs = [verb for verb in re.findall(r"^  ([a-z]+) ", said, re.M)
             if verb not in ("bench", "view")]
    return {verb: re.findall(r"^  (--[a-z-]+)", run(program, (verb, "--help"), folder)[1], re.M)
            for verb in verbs}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--only", action="append")
    parser.add_argument("scratch")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    shutil.rmtree(asked.scratch, ignore_errors=True)
    shutil.copytree(SCENES, asked.scratch)
    names = asked.only or sorted(name[:-5] for name in os.listdir(SCENES) if name.endswith(".json"))
    verbs, wrong = options_of(asked.program, asked.scratch), 0
    cases = [(None, *known) for known in ([] if asked.only else KNOWN)]
    for seed in range(asked.seed, asked.seed + asked.count):
        draw = random.Random(seed)
        name = draw.choice(names)
        with open(os.path.join(SCENES, name + ".json"), encoding="utf-8") as file:
            cases.append((seed, name, changed(draw, json.load(file))))
    for seed, name, changes in cases:
        right, code, said = attack_scene(asked.program, asked.scratch, name, changes)
        wrong += not right
        if not right or asked.count > 100:
            last = said.strip().split("\n")[-1][:200]
            begin = "ok   " if right else "WRONG"
            print(begin, "seed", seed, name, changes, code, last, flush=True)
    for seed in range(asked.seed, asked.seed + 4 * asked.count):
        result = attack_command(asked.program, asked.scratch, random.Random(-seed), verbs)
        wrong += not result[0]
        if not result[0]:
            print("WRONG seed", seed, result[3], result[1], result[2][:300], flush=True)
    print(len(cases), "scenes and", 4 * asked.count, "command lines,", wrong, "wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
