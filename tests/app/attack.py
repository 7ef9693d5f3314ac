#!/usr/bin/env python3
"""Scenes with numbers far beyond sense, and command lines without it: whatever is asked for ends in
time, with an exit code that the help names, and where that is not 0, with a sentence.

    attack.py [--seed N] [--count N] [--only SCENE]... SCRATCH PROGRAM [ARGUMENT]...
    attack.py --sweep SECONDS [--seed N] [--only SCENE]... SCRATCH PROGRAM [ARGUMENT]...

One to three numbers of a scene of those that come with Sinew are made as much as 1e12 times larger,
or smaller, or negative, or are replaced. With other seeds and a large count that goes on for as
long as one likes; every line says what to give to see it again.

With --sweep each number of each scene is replaced by 0, -1, 1e-9, 1e5, 1e9, 1e30 and a thousand
times itself, in an order by chance and for so long. What dies, or takes 5 s and ten times as long
as the scene takes as it is, is listed.
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
import time

SCENES = os.environ.get("SINEW_SCENES", "scenes")
# Of processors: two threads that wait for each other beside other tests count twice, and the
# longest scene takes 10 alone. Sanitizers take as much longer.
SECONDS = 300 if "SINEW_TEST_BRIEF" in os.environ else 40
# Of one thread alone, where the work is known to have bounds.
SECONDS_BOUNDED = SECONDS // 8

# What took minutes before work that repeats itself had limits: scene, what is replaced, by what.
KNOWN = [
    # Half a million pairs of a thousand elements, in every frame.
    ("whirl", {"materials.leaf.thickness": 1e30}),
    # Ten gigabytes of pairs that are found again in every substep.
    ("drop", {"colliders.1.angular_velocity.2": 1e9}),
    ("dancer", {"settings.gravity.1": 1e5}),
    # A mesh that is asked from where all of it is as far away.
    ("shapes", {"parameters.cells.value": 16, "settings.substeps": 20,
                "bodies.0.velocity": [0, -1e4, 0], "bodies.0.angular_velocity": [1e9, 0, 0]}),
    ("parachutes", {"settings.air_density": 1.2e12}),
    # 500 balls of 6 km, each within all others.
    ("pile", {"colliders.8.radius": 6000.0}),
    # A sheet at 10 km/s that meets a mesh, and nothing else.
    ("shapes", {"parameters.cells.value": 16, "settings.substeps": 20,
                "bodies.0.velocity": [0, -1e4, 0],
                **{f"colliders.{i}.position": [100 * i, 0, 500] for i in (0, 2, 3, 4)}}),
]

# One number each, of which every one took 5 s to minutes: what is absurd is refused or given up in
# a time that is near that of the scene as it is.
BOUNDED = [
    # A crate whose node is a million kilometres away, one that turns 10^8 times a second, and a
    # corner that is pulled to the moon: triangles that go through colliders and are sent back.
    ("hammock", {"nodes.0.position.0": 1e9}),
    ("hammock", {"nodes.0.angular_velocity.0": 1e9}),
    ("hammock", {"motions.0.keys.1.position.0": 1e9}),
    # What is thicker than it is long, and so all in contact with all of it.
    ("shapes", {"bodies.0.material.thickness": 1e9}),
    ("suture", {"bodies.0.material.thickness": 2}),
    ("torn", {"bodies.0.material.thickness": 1e9}),
    ("stripes", {"materials.lead.radius": 5.0}),
    # A few nodes that touch everything: a body that turns, a vertex and a body far away.
    ("ducks", {"bodies.1.angular_velocity.2": 3000}),
    ("slinky", {"motions.0.pivot.0": 1e5}),
    ("slinky", {"bodies.0.position.2": 1e30}),
    ("pouch", {"bodies.1.mesh.positions.25.1": -1e5}),
    ("pouch", {"bodies.1.mesh.positions.25.1": -750}),
    ("stripes", {"bodies.2.position.1": 1e3}),
    ("whirl", {"effectors.3.strength": 1e9}),
    # Restitution that looked at all pairs in each of its rounds.
    ("regressions/falling_balloon", {"bodies.0.velocity.1": 1e9}),
    # A ring whose sides are all at one place, and as far from the cloth within it.
    ("shapes", {"meshes.ring.radius": 1e9}),
]

# What is seen alone, or says how much there is: a mesh of a million triangles is no mistake.
UNTOUCHED = re.compile(
    r"^(version|frames|fps|comment|about|title|colour|back_colour|pattern_colour|cameras|roughness|"
    r"ground|light|picture_at|least|most)$")
COUNTS = re.compile(
    r"^(segments|sides|columns|rows|cells|level|count|substeps|iterations|rings|layers|value|"
    r"spacing|edge_length|strands|edge|width|depth|height)$")
REPLACED = [0, -1, 1e-9, 1e5, 1e9, 1e30, None]
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


def run(program, arguments, folder, seconds=SECONDS):
    """The exit code and what was said; the code is negative where it had to be ended."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    done = subprocess.run([*program, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, preexec_fn=limit)
    return done.returncode, (done.stderr + done.stdout).decode(errors="replace")


def is_right(code, said, codes):
    if "AddressSanitizer" in said or "runtime error" in said:
        return False
    # A large mesh may take its time, and says so.
    return code in codes and (code == 0 or said.strip()) or "its time" in said


def attack_scene(program, folder, name, changes, threads=2, seconds=SECONDS):
    with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
        scene = json.load(file)
    for path, number in changes.items():
        put(scene, path.split("."), number)
    with open(os.path.join(folder, "attack.json"), "w", encoding="utf-8") as file:
        json.dump(scene, file)
    code, said = run(program, ("run", "attack.json", "--frames", "2", "--out", "out", "--format",
                               "none", "--picture", "none", "--threads", str(threads)), folder,
                     seconds)
    # NaN is no JSON, and what is said of it is as good as of any other mistake.
    return is_right(code, said, (0, 1)), code, said


def time_of(act):
    """What it returns, and the seconds of processor that its programs took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = act()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def sweep(asked, names):
    """How many were slow or wrong."""
    draw, cases, sane, wrong, scenes, done = random.Random(asked.seed), [], {}, 0, {}, 0
    for name in names:
        with open(os.path.join(SCENES, name + ".json"), encoding="utf-8") as file:
            scenes[name] = json.load(file)
        kinds = {}
        for path in numbers_of(scenes[name]):
            kinds.setdefault(tuple(key for key in path if isinstance(key, str)), []).append(path)
        cases += [(name, draw.choice(paths), new) for words, paths in kinds.items()
                  if not COUNTS.match(words[-1]) for new in REPLACED]
    draw.shuffle(cases)
    end = time.monotonic() + asked.sweep
    for name, path, new in cases:
        if time.monotonic() > end:
            break
        attack = lambda changes: time_of(
            lambda: attack_scene(asked.program, asked.scratch, name, changes, threads=1))
        if name not in sane:
            sane[name] = attack({})[1]
        new = (get(scenes[name], path) or 1) * 1e3 if new is None else new
        (right, code, said), seconds = attack({".".join(map(str, path)): new})
        done += 1
        if not right or seconds > max(5, 10 * sane[name]) and "its time" not in said:
            wrong += 1
            print(name, ".".join(map(str, path)), new, code, f"{seconds:.1f} s,", "as it is",
                  f"{sane[name]:.1f} s", said.strip().split("\n")[-1][:200], flush=True)
    print(done, "of", len(cases), "numbers,", wrong, "slow or wrong")
    return wrong


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
    parser.add_argument("--sweep", type=float)
    parser.add_argument("scratch")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    shutil.rmtree(asked.scratch, ignore_errors=True)
    shutil.copytree(SCENES, asked.scratch)
    names = asked.only or sorted(name[:-5] for name in os.listdir(SCENES) if name.endswith(".json"))
    if asked.sweep:
        return 1 if sweep(asked, names) else 0
    verbs, wrong = options_of(asked.program, asked.scratch), 0
    cases = [(None, *known) for known in ([] if asked.only else KNOWN)]
    bounded = [] if asked.only else BOUNDED
    for seed in range(asked.seed, asked.seed + asked.count):
        draw = random.Random(seed)
        name = draw.choice(names)
        with open(os.path.join(SCENES, name + ".json"), encoding="utf-8") as file:
            cases.append((seed, name, changed(draw, json.load(file))))
    for name, changes in bounded:
        right, code, said = attack_scene(asked.program, asked.scratch, name, changes, threads=1,
                                         seconds=SECONDS_BOUNDED)
        wrong += not right
        if not right:
            print("WRONG", name, changes, code, said.strip().split("\n")[-1][:200], flush=True)
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
    scenes = len(bounded) + len(cases)
    print(scenes, "scenes and", 4 * asked.count, "command lines,", wrong, "wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
