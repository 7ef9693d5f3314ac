#!/usr/bin/env python3
"""The sinew command as a person uses it: what it says, the files it writes, and its failures.

    command.py [--hashes] SCRATCH PROGRAM [ARGUMENT]...

The program may be something that runs the command, such as an emulator; it is run in SCRATCH. With
--hashes only the hashes of all scenes are compared, which takes as long as the rest.
"""

import concurrent.futures
import json
import os
import resource
import re
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import time
import zlib

HASHES = sys.argv[1] == "--hashes"
SCRATCH, *PROGRAM = sys.argv[1 + HASHES :]
SCENES = os.environ.get("SINEW_SCENES", "scenes")
WASM = PROGRAM[-1].endswith(".wasm")
# Where programs are slow, as with sanitizers, unless all is wanted.
LONG = "SINEW_TEST_LONG" in os.environ
BRIEF = "SINEW_TEST_BRIEF" in os.environ and not LONG


def sinew_json(*arguments):
    """Runs the command, which must print one line of JSON."""
    done = subprocess.run([*PROGRAM, *arguments], cwd=SCRATCH, capture_output=True, check=True)
    return json.loads(done.stdout)


def sinew(*arguments, status=0, **environment):
    """Runs the command, which must end with this status; what it said on both streams."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        cwd=SCRATCH,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    told = f"sinew {' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    assert done.returncode == status, told
    # A failure is said on one stream, and a success is not.
    assert status == 0 or done.stderr, told
    return done.stdout + done.stderr


def read(name):
    with open(os.path.join(SCRATCH, name), "rb") as file:
        return file.read()


def test_what_it_says():
    assert re.fullmatch(r"sinew \d+\.\d+\.\d+\n", sinew("--version"))
    assert "usage: sinew VERB" in sinew("--help")
    for verb in re.findall(r"^  ([a-z]+) ", sinew("--help"), re.M):
        assert f"usage: sinew {verb}" in sinew(verb, "--help")
    info = sinew("info")
    words = ("precision", "simd widths", "threads", "jacobi", "bdf2", "distance: 2 nodes")
    words += ("compliance", "denim")
    for word in words:
        assert word in info, word


def test_environment():
    assert "0 chooses 1 here (SINEW_WIDTH" in sinew("info", SINEW_WIDTH="1")
    threads = 1 if WASM else 3
    assert f"0 chooses {threads} here (SINEW_THREADS" in sinew("info", SINEW_THREADS="3")
    assert 'SINEW_WIDTH is "5", expected' in sinew("info", SINEW_WIDTH="5", status=1)


def pixels(data):
    """Width, height and rows of a PNG of 8 bits RGB; checks everything about its chunks."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        content = data[at + 4 : at + 8 + length]
        (check,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        assert zlib.crc32(content) == check
        chunks[content[:4]] = chunks.get(content[:4], b"") + content[4:]
        at += 12 + length
    assert list(chunks)[0] == b"IHDR" and list(chunks)[-1] == b"IEND"
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    assert chunks[b"IHDR"][8:] == b"\x08\x02\0\0\0"
    return width, height, zlib.decompress(chunks[b"IDAT"])


def hash_of(said):
    return re.search(r"^hash ([0-9a-f]{16})$", said, re.M).group(1)


def vertices_of(name):
    """How many each object of an .obj file has: the cloth, and the poles that hold it."""
    objects = re.split(r"^o ", read(name).decode(), flags=re.M)[1:]
    return [len(re.findall(r"^v ", lines, re.M)) for lines in objects]


def test_run():
    hashes = set()
    ways = ((), ("--threads", "3"), ("--simd", "1"), ("--simd", "16", "--threads", "2"))
    for options in ways[3:] if BRIEF else ways:
        files = ("--out", "out", "--format", "cache,obj")
        said = sinew("run", "cloth", "--frames", "2", "--hash", *files, *options)
        hashes.add(hash_of(said))
    assert len(hashes) == 1, hashes
    print("hash", *hashes)
    assert vertices_of("out/cloth_0001.obj") == [2917, 642, 642]
    width, height, rows = pixels(read("out/cloth.png"))
    assert len(rows) == height * (1 + 3 * width)
    assert len(set(rows)) > 32, "there is something on the picture"
    # Nothing unfinished is left behind.
    left = [name for name in os.listdir(os.path.join(SCRATCH, "out")) if name.endswith(".part")]
    assert left == []


def parameters_of(name):
    """Every parameter of a scene, as options that set it to what it is."""
    sets = re.findall(r"--set (\S+)", sinew("scenes", name))
    return [word for value in sets for word in ("--set", value)]


def test_scenes():
    """Scenes that come with Sinew are right, and one runs; test_hashes runs all of them."""
    names = [line.split()[0] for line in sinew("scenes").splitlines()]
    assert "cloth" in names and len(names) >= 6
    for name in names if LONG else names[::24 if BRIEF else 8]:
        sinew("check", name)
    run = ("run", "cape", "--frames", "2", "--out", "out", "--json")
    said, again = sinew_json(*run), sinew_json(*run, *parameters_of("cape"))
    assert said["scene"] == "cape" and said["frames"] == 2 and again["hash"] == said["hash"]


def test_new():
    """A new scene is right and runs by its name; what is there already is left alone."""
    assert "sinew run fresh.json" in sinew("new", "fresh")
    assert "0 errors, 0 warnings" in sinew("check", "fresh.json")
    said = sinew("run", "fresh", "--frames", "1", "--format", "none", "--out", "out")
    assert "scene     A cloth on a ball" in said and "% at most, at (" in said
    nothing = ("--format", "none", "--picture", "none", "--out", "empty")
    said = sinew_json("run", "fresh", "--frames", "1", "--json", *nothing)
    assert said["files"] == [] and os.listdir(os.path.join(SCRATCH, "empty")) == []
    before = read("fresh.json")
    assert "File exists" in sinew("new", "fresh.json", status=1) and read("fresh.json") == before
    sinew("new", "copy", "--from", "rope")
    sinew("check", "copy.json")
    assert "rop" in sinew("new", "other", "--from", "rop", status=1)
    assert "missing/x.json" in sinew("new", "missing/x", status=1)
    assert not os.path.exists(os.path.join(SCRATCH, "other.json"))


def test_hashes():
    """The same bits on every machine, with every parameter set to what it is without; what they are
    now is in SCRATCH/scene_hashes.txt."""
    path = os.path.join(os.path.dirname(__file__), "scene_hashes.txt")
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip()]
    # After 20 frames, or after as many as a third word says where those would take long. Where
    # another hash is behind, after fewer frames, it stands for the first in the short form.
    runs = [(line, 1 + 2 * k, line[2 + 2 * k] if len(line) > 2 else "20")
            for line in lines for k in range(0 if LONG or len(line) < 5 else 1, len(line[1::2]))]

    def hash_now(run):
        line, _, frames = run
        words = ("run", line[0], "--frames", frames, "--hash", "--out", "out")
        nothing = ("--format", "none", "--picture", "none")
        return hash_of(sinew(*words, *nothing, *parameters_of(line[0])))

    # Two at a time, as tests.cmake says of this test.
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(hash_now, runs))
    differ = [line[0] for (line, k, _), value in zip(runs, found) if line[k] != value]
    for (line, k, _), value in zip(runs, found):
        line[k] = value
    with open(os.path.join(SCRATCH, "scene_hashes.txt"), "w", encoding="utf-8") as file:
        file.writelines(" ".join(line) + "\n" for line in lines)
    assert not differ, differ
    names = {line.split()[0] for line in sinew("scenes").splitlines()}
    assert names == {line[0] for line in lines}, "every scene has its hash"


def test_audit():
    """The audit closes, is in the table, in JSON and in the statistics, and changes nothing."""
    words = ("run", "bounce", "--frames", "40", "--out", "out", "--format", "none")
    alone = sinew_json(*words, "--json")
    said = sinew_json(*words, "--json", "--audit", "--stats", "out/bounce.csv")
    assert said["hash"] == alone["hash"] and "audit" not in alone
    world = said["audit"]["world"]
    stored = world["kinetic"] + world["potential"] + world["elastic"] - world["began"]
    work = sum(value for name, value in world.items() if name.startswith("work_"))
    lost = sum(value for name, value in world.items() if name.startswith("lost_"))
    assert abs(stored - work + lost - world["unexplained"]) < 1e-6 * world["began"]
    assert world["lost_impact"] > 1 and abs(world["unexplained"]) < 0.01 * world["lost_impact"]
    bodies = said["audit"]["bodies"]
    assert abs(sum(b["lost_impact"] for b in bodies.values()) - world["lost_impact"]) < 1e-6
    rows = [row.split(",") for row in read("out/bounce.csv").decode().splitlines()]
    assert rows[0][-1] == "audit unexplained [J]" and "audit lost impact [J]" in rows[0]
    column = rows[0].index("audit lost impact [J]")
    assert abs(float(rows[-1][column]) - world["lost_impact"]) < 1e-6
    table = sinew(*words, "--audit")
    assert "lost impact" in table and "unexplained" in table and "work air" not in table


def test_events():
    """What happened is in the summary, in JSON, and a line each in a file or on standard output."""
    words = ("run", "bounce", "--frames", "60", "--out", "out", "--format", "none", "--picture",
             "none")
    said = sinew_json(*words, "--json", "--events", "out/events.jsonl")
    assert said["hash"] == sinew_json(*words, "--json")["hash"]
    lines = [json.loads(line) for line in read("out/events.jsonl").decode().splitlines()]
    began = [line for line in lines if line["event"] == "began"]
    assert began and said["events"]["began"]["count"] == len(began)
    assert said["events"]["began"]["first"] == began[0]["time"]
    assert all({"frame", "time", "body", "other", "place"} <= set(line) for line in began)
    assert [line["frame"] for line in lines] == sorted(line["frame"] for line in lines)
    text = sinew(*words, "--events", "-").splitlines()
    assert [json.loads(line) for line in text if line.startswith("{")] == lines
    assert any(f" began {len(began)} time" in line for line in text)
    assert any(line.startswith("events") for line in text)
    sinew(*words, "--events", "missing/events.jsonl", status=1)


def test_formulas():
    """A recording of a scene with formulas needs the scene, and says so."""
    scene = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                         "../corpus/scenes/formulas.json")
    run = ("run", scene, "--frames", "10", "--out", "out", "--format", "none", "--picture", "none")
    sinew(*run, "--record", "formulas.rec")
    said = sinew("replay", "formulas.rec", status=2)
    assert "no constraint type \"formula: distance(a, b) - size\"" in said, said
    assert "every step gives" in sinew("replay", "formulas.rec", "--scene", scene)
    said = sinew("replay", "formulas.rec", "--scene", "missing.json", status=2)
    assert "missing.json" in said, said


def test_robots():
    """A URDF file is a scene: it is checked, runs, moves as transforms, and its mistakes have its
    own lines."""
    corpus = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../corpus/robots")
    arm = os.path.join(corpus, "arm.urdf")
    assert "19 constraints; 0 errors, 0 warnings" in sinew("check", arm)
    run = ("--frames", "3", "--out", "out", "--picture", "none")
    sinew("run", arm, *run, "--format", "cache,usda,glb")
    text = read("out/arm.usda").decode()
    assert text.count("xformOpOrder") == 8 and "points.timeSamples" not in text.split("nodes")[0]
    sinew("convert", "out/arm.snc", "out/again.usda")
    again = read("out/again.usda").decode()
    assert again.replace("again", "arm") == text, "a cache keeps poses"
    assert "<gazebo> is left out" in sinew("check", os.path.join(corpus, "kinds.urdf"))
    said = sinew("run", os.path.join(corpus, "open.urdf"), *run, status=1)
    assert "open.urdf:1:47: </robot> closes <link>" in said, said


def test_stats():
    files = ("--out", "out", "--stats", "out/rope.csv", "--format", "none")
    sinew("run", "rope", "--frames", "3", *files)
    rows = [row.split(",") for row in read("out/rope.csv").decode().splitlines()]
    assert len(rows) == 5 and all(len(row) == len(rows[0]) for row in rows)
    assert rows[0][:3] == ["frame", "time [s]", "kinetic energy [J]"]
    assert "tension [N]" in rows[0] and [row[0] for row in rows[1:]] == ["0", "1", "2", "3"]
    if os.path.exists("/dev/full"):
        # What cannot be written is said when it happens, not after all frames.
        files = ("--out", "out", "--stats", "/dev/full", "--format", "none", "--substeps", "1")
        said = sinew("run", "rope", "--frames", "600", *files, status=1)
        assert "cannot write" in said and "frame 600 of 600" not in said, said
    # Why the events cannot be written is said, and before anything is simulated.
    files = ("--out", "out", "--events", "none/of/these", "--format", "none")
    said = sinew("run", "rope", "--frames", "2", *files, status=1)
    assert "none/of/these" in said and "No such file" in said and "frame" not in said, said


def test_largest_file():
    """What writes more than a file may have fails with a sentence, and is not ended by a signal."""
    for words in (("run", "rope", "--frames", "3", "--out", "large"),
                  ("render", "rope", "-o", "large.png")):
        done = subprocess.run(
            [*PROGRAM, *words], cwd=SCRATCH, capture_output=True, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)))
        assert done.returncode == 1 and "File too large" in done.stderr, (words, done)
        assert not os.path.exists(os.path.join(SCRATCH, "large.png"))


def test_resume():
    """A run that was interrupted goes on as if it had not been."""
    rope = ("run", "rope", "--frames", "20", "--hash")
    whole = sinew(*rope, "--out", "out", "--snapshot", "7")
    rest = sinew(*rope, "--out", "rest", "--resume", "out/rope_0014.snap")
    assert hash_of(whole) == hash_of(rest)
    assert "it is not of this scene" in sinew(
        "run", "cloth", "--out", "rest", "--resume", "out/rope_0014.snap", status=1
    )


def start_long_run(folder):
    """A run that would take minutes, once it has written some frames."""
    run = ("run", "cloth", "--frames", "100000", "--out", folder, "--format", "cache,obj,usda")
    process = subprocess.Popen(
        [*PROGRAM, *run], cwd=SCRATCH, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    third = os.path.join(SCRATCH, folder, "cloth_0003.obj")
    end = time.monotonic() + 120
    while not os.path.exists(third) and time.monotonic() < end:
        time.sleep(0.02)
    return process


def test_interrupt():
    """Ctrl-C finishes the frame; a killed run leaves complete frames and nothing half-written."""
    if WASM:
        return
    process = start_long_run("interrupted")
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 130 and "what was written is complete" in said, said
    files = os.listdir(os.path.join(SCRATCH, "interrupted"))
    assert "cloth.usda" in files and "cloth.snc" in files and "cloth.png" in files
    assert not [name for name in files if name.endswith(".part")], files
    sinew("render", "interrupted/cloth.snc", "--frame", "2", "-o", "interrupted/2.png")

    process = start_long_run("killed")
    process.kill()
    process.wait()
    process.stdout.close()
    files = sorted(os.listdir(os.path.join(SCRATCH, "killed")))
    whole = [name for name in files if name.endswith(".obj")]
    for name in whole:
        assert vertices_of("killed/" + name)[0] == 2917, name
    assert "cloth.usda" not in files
    sinew("render", "killed/cloth.snc", "--frame", "2", "-o", "killed/2.png")


def test_bench():
    rows = sinew("bench", "--quick", "--json", "--scene", "type:distance", "--threads", "1,2")
    rows = [json.loads(row) for row in rows.splitlines()]
    assert [row["threads"] for row in rows] == [1, 2]
    assert rows[0]["hash"] == rows[1]["hash"] and rows[0]["ns_per_projection"] > 0
    assert "type:distance" in sinew("bench", "--quick", "--scene", "type:distance")


def test_squeeze():
    """What the balls under the plate lose of their volume, as docs/solids.md has it."""
    sinew("run", "squeeze", "--frames", "80", "--stats", "out/squeeze.csv", "--format", "none")
    lines = read("out/squeeze.csv").decode().splitlines()
    names, last = lines[0].split(","), [float(number) for number in lines[-1].split(",")]
    lost = {name.split()[0]: -value / 0.0331 for name, value in zip(names[-4:], last[-4:])}
    assert list(lost) == ["global", "across", "moved", "empty"], lost
    assert all(0 < lost[name] < 0.001 for name in ("global", "across", "moved")), lost
    assert 0.1 < lost["empty"] < 0.3, lost


def test_query():
    """The ball of the scene, from above and from the side, and through the cloth."""
    ball = ("query", "drop", "--json", "--set", "self=none")
    hits = json.loads(sinew(*ball, "--all", "--ray", "0,5,0,0,-1,0", "--radius", "0.05"))
    assert hits["ray"] == [0, 5, 0, 0, -1, 0] and hits["count"] == len(hits["hits"]) > 1
    distances = [hit["distance"] for hit in hits["hits"]]
    assert distances == sorted(distances) and hits["hits"][0]["kind"] == "node"
    first = json.loads(sinew(*ball, "--ray=0,5,0,0,-1,0", "--radius", "0.05"))
    assert first["hits"] == hits["hits"][:1]
    near = json.loads(sinew(*ball, "--point", "0,-3,0"))["hits"][0]
    assert near["kind"] == "collider" and near["distance"] < 0
    said = sinew("query", "drop", "--frame", "2", "--ray", "0,5,0,0,1,0", "--point", "0,9,0")
    assert "0 hits" in said and "of \"" in said


SHEET = """{"version": 1, "run": {"frames": 20}, "settings": {%s},
 "bodies": [{"name": "sheet", "pins": "back",
             "material": {"kind": "cloth", "preset": "cotton"},
             "mesh": {"shape": "grid", "width": 1, "depth": 1, "columns": 20, "rows": 20}}]}"""


def test_strain():
    """What is left of strain with many times the substeps, and what is chosen for cloth."""
    write("sheet.json", SHEET % '"substeps": 4')
    said = json.loads(sinew("strain", "sheet.json", "--json").splitlines()[0])
    (sheet,) = said["bodies"]
    assert said["substeps"] == [4, 64] and said["frames"] == 20
    assert sheet["mean"][0] > 10 * sheet["mean"][1] > 0, sheet
    assert sheet["largest"][0] > sheet["mean"][0]
    assert "sheet" in sinew("strain", "sheet.json", "--frames", "2", "--times", "2")
    warned = sinew("check", "sheet.json")
    assert "warning" in warned and 'body "sheet": cloth: with 4 substeps' in warned, warned
    # Without a number there is no warning, and little is left.
    write("sheet.json", SHEET % '"damping": 1')
    chosen = sinew("check", "sheet.json")
    assert "substeps: 2" in chosen and "tethers from each place" in chosen, chosen
    assert "0 warnings" in chosen, chosen
    (sheet,) = json.loads(sinew("strain", "sheet.json", "--json").splitlines()[0])["bodies"]
    assert sheet["mean"][0] - sheet["mean"][1] < 0.005, sheet
    said = sinew("run", "sheet.json", "--out", "out", "--format", "none", "--frames", "2")
    assert "substeps, as chosen for the materials; tethers from each place" in said, said


THIN = """{"version": 1, "run": {"frames": 4},
 "bodies": [{"name": "cube", "material": "jelly", "collide": "others",
             "mesh": {"shape": "block", "extent": [0.2, 0.2, 0.2], "cells": [1, 1, 1]},
             "copies": {"count": [4, 1, 1], "step": [0.3, 0, 0]}}]}"""


def test_warnings():
    """What the library warns of is said once, on standard error, and by `check` among the rest."""
    with open(os.path.join(SCRATCH, "thin.json"), "w", encoding="utf-8") as file:
        file.write(THIN)
    words = ("run", "thin.json", "--out", "out", "--format", "none", "--json")
    done = subprocess.run([*PROGRAM, *words], cwd=SCRATCH, capture_output=True, text=True)
    warnings = [line for line in done.stderr.splitlines() if line.startswith("sinew: warning: ")]
    assert len(warnings) == 1 and json.loads(done.stdout), done.stderr
    said = "warning: body \"cube\": collision surface: the radii of its nodes are 0, so"
    assert said in warnings[0]
    assert "1 warning\n" in sinew("check", "thin.json")
    assert sinew_json("check", "thin.json", "--json")["warnings"] == 1


def test_failures():
    with open(os.path.join(SCRATCH, "file"), "w", encoding="utf-8"):
        pass
    cases = [
        (("rum",), 2, 'no verb "rum", did you mean "run"'),
        ((), 2, "usage"),
        (("run",), 2, "a file is missing, expected SCENE"),
        (("run", "cloth", "--farmes", "2"), 2, '--frames"'),
        (("run", "cloth", "--frames"), 2, "needs a value"),
        (("run", "cloth", "--frames", "x"), 2, "whole number from 1 to 1000000"),
        (("run", "cloth", "--simd", "5"), 2, "expected 1, 4, 8, 16 or 0"),
        (("run", "cloth", "--quality", "best"), 2, "expected draft, normal or fine"),
        (("run", "cloth", "--hash=1"), 2, "takes no value"),
        (("run", "cloth", "rope"), 2, "is one too many"),
        (("run", "cloths"), 1, 'no scene "cloths", did you mean "cloth"?'),
        (("run", "missing.json"), 1, 'cannot read the scene "missing.json"'),
        (("render", "cloth", "-o", "picture.jpg"), 2, "ends with .png"),
        (("render", "cloth", "--camera", "side", "-o", "a.png"), 2, 'no camera "side"'),
        (("run", "cloth", "--set", "sise=2"), 1, 'no parameter "sise"; did you mean "size"?'),
        (("run", "cloth", "--set", "size=big"), 1, 'is set to "big", expected a number'),
        (("run", "cloth", "--set", "size=20"), 1, "parameters.size: is 20, expected at most 10"),
        (("run", "cloth", "--set", "fabric=coton"), 1, 'did you mean "cotton"?'),
        (("run", "cloth", "--format", "ojb"), 2, 'did you mean "obj"?'),
        (("run", "cloth", "--out", "file/below"), 1, 'cannot make the folder "file/below"'),
        (("check", "missing.obj"), 1, "missing.obj"),
        (("check", "cloth", "--fix"), 2, "needs -o FILE"),
        (("completion", "csh"), 2, "expected bash, zsh or fish"),
        (("compare", "file", "file"), 2, "is no snapshot, recording or cache"),
        (("query", "cloth"), 2, "expected --ray or --point"),
        (("query", "cloth", "--ray", "1,2,3"), 2, "six numbers"),
        (("query", "cloth", "--ray", "1,2,3,0,0,0"), 1, "direction is 0 0 0"),
        (("query", "cloth", "--point", "1,2,x"), 2, "three numbers"),
        (("query", "cloth", "--point", "1,2,3", "--length", "-1"), 1, "distance is -1"),
        (("bench", "--scene", "S9"), 2, 'no scene "S9"'),
        (("bench", "--threads", "1,,2"), 2, "with commas between them"),
        (("bench", "--limits", "./missing", "--scene", "S3"), 1, 'cannot run "./missing"'),
    ]
    for arguments, status, sentence in cases:
        said = sinew(*arguments, status=status)
        assert sentence in said, f"{arguments}: {said}"


def write(name, text):
    with open(os.path.join(SCRATCH, name), "w", encoding="utf-8") as file:
        file.write(text)


def test_outputs():
    """What cannot be written is said before anything is simulated or made; links are followed, and
    what is no file is written to, not replaced."""
    os.makedirs(os.path.join(SCRATCH, "folder"), exist_ok=True)
    begin = ("run", "rope", "--frames", "2", "--format", "none")
    for option in ("--picture", "--stats", "--record"):
        said = sinew(*begin, "--out", "never", option, "folder", status=1)
        assert "folder" in said.lower() and "frame 1" not in said, said
        said = sinew(*begin, "--out", "never", option, "nowhere/x", status=1)
        assert "nowhere/x" in said and "frame 1" not in said, said
    assert not os.path.exists(os.path.join(SCRATCH, "never"))
    # In the folder of the run, which is made first, however it is written.
    for folder, path in (("new", "new/x"), ("./new_1", "new_1/x"), ("new_2/", "./new_2/x")):
        made = ("--record", path, "--stats", path + ".csv")
        sinew(*begin, "--out", folder, "--picture", "none", *made)
        assert "every step gives" in sinew("replay", path), folder
        assert read(path + ".csv").startswith(b"frame,")
    # A link stays one, and what it leads to is new, also where there was nothing.
    write("folder/old.csv", "old")
    for name in ("old.csv", "new.csv"):
        link = os.path.join(SCRATCH, "link_" + name)
        os.symlink("folder/" + name, link)
        sinew(*begin, "--out", "out", "--stats", "link_" + name)
        assert os.path.islink(link) and read("folder/" + name).startswith(b"frame,")
    assert sorted(os.listdir(os.path.join(SCRATCH, "folder"))) == ["new.csv", "old.csv"]
    # A device and a pipe.
    sinew(*begin, "--out", "out", "--picture", "/dev/null")
    mode = os.stat("/dev/null").st_mode
    assert stat.S_ISCHR(mode), "/dev/null is a file now"
    pipe = os.path.join(SCRATCH, "pipe")
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        sinew(*begin, "--out", "out", "--stats", "pipe")
        assert reader.stdout.read().startswith(b"frame,")
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)


def refused(*arguments):
    """What the command says of something that it must refuse at once, without a simulation."""
    command = [*PROGRAM, *arguments]
    done = subprocess.run(
        command, cwd=SCRATCH, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    assert done.returncode in (1, 2), (arguments, done)
    said = done.stderr + done.stdout
    assert "frame 1 of" not in said and said.count("\n") <= 2, (arguments, said)
    return said


def test_inputs():
    """What is no file is refused as an input of every verb, before it is opened."""
    os.makedirs(os.path.join(SCRATCH, "inputs/folder"), exist_ok=True)
    os.mkfifo(os.path.join(SCRATCH, "inputs/pipe"))
    os.symlink("nothing", os.path.join(SCRATCH, "inputs/broken"))
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(os.path.join(SCRATCH, "inputs/socket")))
    with open(os.path.join(SCRATCH, "inputs/endless"), "wb") as file:
        file.truncate(1 << 42)
    sinew("run", "rope", "--frames", "1", "--out", "inputs/out", "--record", "inputs/record")
    verbs = [("run", "@", "--out", "inputs/never"), ("run", "rope", "--resume", "@"),
             ("strain", "@"), ("check", "@", "--format", "obj"), ("render", "@", "-o", "a.png"),
             ("replay", "@"), ("replay", "inputs/record", "--scene", "@"),
             ("compare", "@", "inputs/record"), ("compare", "inputs/record", "@"),
             ("plot", "@", "-o", "a.svg"), ("query", "@", "--point", "0,0,0"), ("scenes", "@"),
             ("new", "inputs/new", "--from", "@"), ("view", "@", "--no-open", "--port", "0"),
             ("convert", "@", "a.obj", "--from", "obj"),
             ("convert", "@", "a.usda", "--from", "pc2"),
             ("convert", "@", "a.usda", "--from", "cache")]
    paths = {"folder": "a folder", "pipe": "a device or a pipe", "socket": "a device or a pipe",
             "broken": "No such file", "/dev/zero": "a device or a pipe", "none": "No such file"}
    for verb in verbs:
        for path, sentence in paths.items():
            path = os.path.join("inputs", path)
            said = refused(*[path if word == "@" else word for word in verb])
            assert sentence in said, (verb, said)
        if verb[0] != "compare" and not BRIEF:
            # A sanitizer ends the program where there is no memory; of caches the head is read.
            said = refused(*["inputs/endless" if word == "@" else word for word in verb])
            assert "memory" in said or "cache" in said, (verb, said)
    assert "a device or a pipe" in refused("check", "/dev/zero", "--format", "stl")
    made = set(os.listdir(os.path.join(SCRATCH, "inputs")))
    assert made == {"folder", "pipe", "broken", "socket", "endless", "out", "record"}, made
    # A folder that is called as a scene does not hide the scene.
    os.makedirs(os.path.join(SCRATCH, "rope"))
    assert "0 errors" in sinew("check", "rope")
    os.rmdir(os.path.join(SCRATCH, "rope"))


def test_unwritable():
    """What cannot be written to is told before the first frame, leaves no folder, and replaces
    nothing."""
    os.makedirs(os.path.join(SCRATCH, "targets/old.usda"), exist_ok=True)
    begin = ("run", "rope", "--frames", "100000")
    sinew("run", "rope", "--frames", "1", "--out", "targets", "--picture", "none")
    cache = read("targets/rope.snc")
    write("targets/own.json", read(os.path.join(SCENES, "rope.json")).decode())
    full = ("/dev/full", "No space left")
    bad = [("targets", "Is a directory"), ("none/of/these", "No such file"),
           ("targets/rope.snc/below", "Not a directory"), ("x" * 300, "File name too long")]
    for option in ("--picture", "--stats", "--record", "--events", "--video"):
        for path, sentence in bad + [full] * os.path.exists("/dev/full"):
            path += ".mp4" if option == "--video" and path != "/dev/full" else ""
            said = refused(*begin, "--out", "unmade/folder", option, path)
            assert sentence in said or option == "--video", (option, path, said)
    # In the folder that is made for it, and formats, also where others of them are right.
    for words in (("--stats", "unmade/folder/none/x"), ("--format", "cache,usda,ojb"),
                  ("--format", "cache,cache"), ("--video", "x.txt"),
                  ("--video", "unmade/none/x.gif")):
        refused(*begin, "--out", "unmade/folder", *words)
    # A folder is in the way of a file, and two files are one.
    os.makedirs(os.path.join(SCRATCH, "targets/rope.usda"), exist_ok=True)
    os.makedirs(os.path.join(SCRATCH, "targets/rope_0000.snap"), exist_ok=True)
    os.symlink("rope.snc", os.path.join(SCRATCH, "targets/again.csv"))
    for words in (("--format", "cache,usda"), ("--format", "none", "--snapshot", "2"),
                  ("--stats", "targets/rope.snc"), ("--stats", "targets/again.csv"),
                  ("--stats", "unmade/x", "--record", "./unmade/x")):
        refused(*begin, "--out", "targets", *words)
    refused("run", "targets/own.json", "--frames", "100000", "--stats", "targets/own.json")
    refused("convert", "targets/rope.snc", "targets/again.snc", "--to", "ojb")
    refused("convert", "targets/rope.snc", "./targets/rope.snc")
    assert read("targets/rope.snc") == cache
    assert "bodies" in json.loads(read("targets/own.json"))
    assert not os.path.exists(os.path.join(SCRATCH, "unmade"))
    refused("render", "rope", "-o", "never.png", "--video", "none/of/these.mp4")
    assert not os.path.exists(os.path.join(SCRATCH, "never.png"))


def findings(*arguments):
    """What check says of something that is wrong; it says it on standard output."""
    command = [*PROGRAM, "check", *arguments]
    done = subprocess.run(command, cwd=SCRATCH, capture_output=True, text=True)
    assert done.returncode == 1, done
    return done.stdout + done.stderr


def test_untrusted():
    """A scene reads the files in its folder and below, and of these only files."""
    for folder in ("own/below", "other"):
        os.makedirs(os.path.join(SCRATCH, folder), exist_ok=True)
    triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    for name in ("own/below/a.obj", "other/a.obj", "secret.obj"):
        write(name, triangle)
    os.symlink("../other", os.path.join(SCRATCH, "own/link"))
    os.mkfifo(os.path.join(SCRATCH, "own/pipe.obj"))
    scene = """{"version": 1, "parameters": {"file": {"value": "%s"}}, "meshes": {"m":
        {"shape": "file", "path": "=file"}},
        "bodies": [{"name": "a", "mesh": "m", "material": "cotton"}]}"""
    write("own/scene.json", scene % "below/a.obj")
    sinew("check", "own/scene.json")
    sinew("check", "own/scene.json", "--set", "file=../secret.obj")
    outside = "is outside the folder of the scene"
    absolute = os.path.join(SCRATCH, "secret.obj")
    for path in ("../secret.obj", absolute, "below/../../other/a.obj", "link/a.obj", "../none.obj"):
        write("own/scene.json", scene % path)
        assert outside in findings("own/scene.json"), path
        write("own/including.json", '{"version": 1, "include": ["%s"]}' % path)
        assert outside in findings("own/including.json"), path
    write("own/scene.json", scene % "../other/a.obj")
    sinew("check", "own/scene.json", "--allow", os.path.join(SCRATCH, "other"))
    sinew("check", "own/scene.json", "--allow", "/")
    write("own/scene.json", scene % "pipe.obj")
    assert "a device or a pipe" in findings("own/scene.json")
    assert "a device or a pipe" in findings("/dev/zero", "--format", "obj")
    # What would take very long or all memory is refused before, and what takes long is told.
    collider = """{"version": 1, "colliders": [{"name": "a", "shape": "field",
        "mesh": {"shape": "sphere", "level": %d},
        "spacing": %s}]}"""
    for values, sentence in (((12, 1), "vertices, expected at most"),
                             ((3, 0.003), "points, expected at most")):
        write("own/scene.json", collider % values)
        assert sentence in findings("own/scene.json"), values
    if not BRIEF:
        write("own/scene.json", collider % (2, 0.0095))
        assert "making a distance field of about" in sinew("check", "own/scene.json")


def test_memory():
    """What does not fit into the memory is refused, at once or when it turns out."""
    limit = 100 << 20
    if "SINEW_TEST_BRIEF" in os.environ:
        return  # a sanitizer takes more than that for itself
    for cells, sentence in ((600, "vertices, expected at most 262144 nodes"), (400, "memory")):
        write("large.json", """{"version": 1, "bodies": [{"name": "a", "collide": "all",
            "mesh": {"shape": "grid", "columns": %d, "rows": %d},
            "material": {"kind": "cloth", "preset": "cotton"}}]}""" % (cells, cells))
        done = subprocess.run(
            [*PROGRAM, "run", "large.json", "--out", "large"],
            cwd=SCRATCH, capture_output=True, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
        assert done.returncode == 1 and sentence in done.stderr, (cells, done.stderr)
        assert not os.path.exists(os.path.join(SCRATCH, "large")), cells


def test_caches():
    sinew("run", "rope", "--frames", "3", "--out", "out")
    whole = read("out/rope.snc")
    with open(os.path.join(SCRATCH, "cut.snc"), "wb") as file:
        file.write(whole[:-100])
    said = sinew("render", "cut.snc", "-o", "cut.png")
    assert "complete frames, and" in said and "complete frames" not in sinew(
        "render", "out/rope.snc", "-o", "cut.png"), said
    said = sinew("render", "out/rope.snc", "--camera", "none", "-o", "cut.png", status=2)
    assert "the cache has no camera \"none\"" in said, said
    said = sinew("run", "rope", "--resume", "out/rope.snc", status=1)
    assert "of the kind CACH, expected SNAP, a snapshot" in said, said
    # The ground is where it is in all frames, also below what is still falling.
    write("falls.json", """{"version": 1, "run": {"frames": 40, "fps": 30}, "bodies": [
        {"name": "a", "mesh": {"shape": "box"}, "material": "cotton"}],
        "cameras": {"main": {"eye": [3, 1, 5], "target": [0, -1, 0]}}}""")
    sinew("run", "falls.json", "--out", "out", "--picture", "none")
    lowest = set()
    for frame in ("0", "20", "40"):
        sinew("render", "out/falls.snc", "--frame", frame, "--size", "64x36", "-o", "falls.png")
        lowest.add(pixels(read("falls.png"))[2][-16 * 3 :])
    assert len(lowest) == 1


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    tests = (test_what_it_says, test_environment, test_run, test_scenes, test_stats, test_audit)
    tests += (test_resume, test_interrupt, test_query, test_bench, test_warnings, test_failures)
    tests += (test_strain, test_events, test_formulas, test_robots)
    if not WASM:
        tests += (test_new, test_inputs, test_outputs, test_unwritable, test_untrusted)
        tests += (test_memory, test_largest_file, test_caches)
    if not BRIEF:
        tests += (test_squeeze,)
    if HASHES:
        tests = (test_hashes,)
    for test in tests:
        began = time.monotonic()
        test()
        print(f"ok    {test.__name__} ({time.monotonic() - began:.2f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
