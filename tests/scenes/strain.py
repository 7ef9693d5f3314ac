"""Strain of scenes, as they are and with many times their substeps, as a table.

usage: strain.py SINEW SCENES [--kinds KINDS] [--frames N] [--times N] [--seconds S] [--coarse X]
       [--own EDGE] [NAME]...

Runs "sinew strain" on the scenes of a folder that have bodies of these kinds (cloth), or on those
that are named, and prints one line for each: of many bodies, the one that differs most. Where both
runs would take more than S seconds, there are fewer frames, and the table says how many. With
--coarse, edges of the meshes are X times as long; what cannot be coarser is left out. With --own,
the scenes are the ten of cloths.py, with edges of this length in m.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import cloths

# Members of a mesh that are lengths of edges, and those that count them.
LENGTHS = ("edge_length", "spacing")
COUNTS = ("columns", "rows", "segments", "rings", "sides", "cells")


def scene_names(folder):
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            yield name[: -len(".json")]


def read_scene(folder, name):
    with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def excess(body):
    return body["mean"][0] - body["mean"][1]


# ---- Coarser meshes ----


def scaled(value, factor):
    """A number or a formula, times a factor."""
    if isinstance(value, str):
        return f"=({value.removeprefix('=')}) * {factor:g}" if value.startswith("=") else value
    return value * factor


def fewer(value, factor):
    if isinstance(value, list):
        return [fewer(item, factor) for item in value]
    if isinstance(value, str):
        return f"=max(1, round(({value.removeprefix('=')}) / {factor:g}))"
    return max(1, round(value / factor))


def coarsen(mesh, factor):
    """Makes a mesh coarser; whether it is."""
    changed = False
    for key, value in mesh.items():
        if key in LENGTHS:
            mesh[key] = scaled(value, factor)
        elif key in COUNTS:
            mesh[key] = fewer(value, factor)
        elif key == "level" and isinstance(value, int) and value > 1:
            mesh[key] = value - 1
        else:
            continue
        changed = True
    return changed


def meshes_of(scene):
    yield from scene.get("meshes", {}).values()
    for body in scene.get("bodies", []):
        if isinstance(body.get("mesh"), dict):
            yield body["mesh"]


def coarse_copy(options, name, folder):
    """The path of a scene with a coarser mesh, in a folder of its own; None where there is none."""
    scene = read_scene(options.scenes, name)
    parameters = scene.get("parameters", {})
    if "edge" in parameters:
        parameters["edge"]["value"] *= options.coarse
    elif isinstance(parameters.get("cells", {}).get("value"), (int, float)):
        parameters["cells"]["value"] = round(parameters["cells"]["value"] / options.coarse)
    elif not any([coarsen(mesh, options.coarse) for mesh in meshes_of(scene)]):
        return None
    for file in os.listdir(options.scenes):
        if not os.path.exists(os.path.join(folder, file)):
            os.symlink(
                os.path.abspath(os.path.join(options.scenes, file)), os.path.join(folder, file)
            )
    path = os.path.join(folder, name + ".json")
    os.remove(path)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scene, file)
    return path


def own_copies(edge, folder):
    """Names and paths of the ten scenes of cloths.py, in a folder."""
    for make in cloths.ALL:
        path = os.path.join(folder, make.__name__ + ".json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(cloths.scene(make, edge), file)
        yield make.__name__, path


# ---- Measuring ----


def strain(options, path, frames, times):
    command = [options.sinew, "strain", path, "--json", "--allow", options.scenes]
    command += ["--frames", str(frames), "--times", str(times)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print(f"{' '.join(command)} failed: {done.stderr.strip()}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def frames_for(options, path, kinds):
    """How many frames there is time for; 0 where the scene has no such bodies."""
    start = time.process_time() + sum(os.times()[2:4])
    said = strain(options, path, 3, 2)
    spent = time.process_time() + sum(os.times()[2:4]) - start
    if not said or not any(
        body["kind"] in kinds and any(body["largest"]) for body in said["bodies"]
    ):
        return 0
    if not options.seconds:
        return options.frames
    frame = spent / (3 * (1 + 2))
    return max(4, min(options.frames, int(options.seconds / (frame * (1 + options.times)))))


def measure(options, name, path):
    frames = frames_for(options, path, options.kinds)
    said = strain(options, path, frames, options.times) if frames else None
    if not said:
        return
    body = max((b for b in said["bodies"] if b["kind"] in options.kinds), key=excess)
    mean, largest = ([100 * x for x in body[key]] for key in ("mean", "largest"))
    print(
        f"| `{name}` | {body['name']} | {frames} | {said['substeps'][0]} "
        f"| {mean[0]:.2f} | {mean[1]:.2f} | {largest[0]:.1f} | {largest[1]:.1f} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sinew", help="the command")
    parser.add_argument("scenes", help="the folder of scenes")
    parser.add_argument("names", nargs="*", help="which scenes; none: all with such bodies")
    parser.add_argument("--kinds", default="cloth", help="kinds of bodies, with commas (cloth)")
    parser.add_argument("--frames", type=int, default=40, help="of each run, at most (40)")
    parser.add_argument("--times", type=int, default=16, help="how many times the substeps (16)")
    parser.add_argument("--seconds", type=float, help="of processor time for each scene, about")
    parser.add_argument("--coarse", type=float, default=1, help="how many times as long edges are")
    parser.add_argument("--own", type=float, help="m: ten scenes with edges of this length")
    options = parser.parse_intermixed_args()
    options.kinds = options.kinds.split(",")
    print("| scene | body | frames | substeps | mean, % | with more | largest, % | with more |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, path in own_copies(options.own, folder) if options.own else ():
            if not options.names or name in options.names:
                measure(options, name, path)
        for name in () if options.own else options.names or scene_names(options.scenes):
            path = os.path.join(options.scenes, name + ".json")
            if options.coarse != 1:
                path = coarse_copy(options, name, folder)
            if path:
                measure(options, name, path)


if __name__ == "__main__":
    main()
