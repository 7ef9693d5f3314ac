#!/usr/bin/env python3
"""sinew convert as a person uses it.

    read_command.py SCRATCH SAMPLES SINEW
"""

import os
import shutil
import subprocess
import sys

SCRATCH, SAMPLES, SINEW = sys.argv[1:4]


def convert(*arguments, status=0):
    done = subprocess.run(
        [SINEW, "convert", *arguments], cwd=SCRATCH, capture_output=True, text=True
    )
    told = f"sinew convert {' '.join(arguments)} ended with {done.returncode}:\n"
    told += done.stdout + done.stderr
    assert done.returncode == status, told
    return done.stdout + done.stderr


def read(name):
    with open(os.path.join(SCRATCH, name), encoding="utf-8") as file:
        return file.read()


def write(name, text):
    with open(os.path.join(SCRATCH, name), "w", encoding="utf-8") as file:
        file.write(text)


def test_what_it_says():
    said = convert("--help")
    for word in ("usage: sinew convert A B", "--weld", "--scale", "--up", "--surface", "tetgen"):
        assert word in said, word


def test_options():
    write("a.txt", "v 1000 2000 3000\nv 0 0 0\nv 0 0 0\ng corner\np 1\nl 1 2\nl 1 3\n")
    said = convert("a.txt", "b.txt", "--from", "obj", "--to=obj", "--scale", "0.001", "--up", "z")
    assert said == "a.txt: 3 vertices, 2 lines, 1 group; written to b.txt\n", said
    assert read("b.txt") == "v 1 3 -2\nv 0 0 0\nv 0 0 0\nl 1 2\nl 1 3\ng corner\np 1 2 3\n"
    convert("a.txt", "b.obj", "--from", "obj", "--weld", "0")
    assert read("b.obj") == "v 1000 2000 3000\nv 0 0 0\nl 1 2\nl 1 2\ng corner\np 1 2\n"
    said = convert("b.obj", "b.mesh")
    assert 'the format of "b.mesh" has no groups, they are left out' in said, said
    convert("b.obj", "b.ply", "--text")
    assert "format ascii" in read("b.ply") and "property uchar corner" in read("b.ply")


def test_surface():
    box = os.path.join(SAMPLES, "box_41_text.msh")
    said = convert(box, "box.stl", status=1)
    assert said == (
        'sinew: cannot write "box.stl": the mesh has 24 tets, and stl has none; '
        "their surface can be written instead\n"
    ), said
    assert not os.path.exists(os.path.join(SCRATCH, "box.stl"))
    convert(box, "box.stl", "--surface")
    assert os.path.getsize(os.path.join(SCRATCH, "box.stl")) == 84 + 24 * 50


def size_of(name):
    return os.path.getsize(os.path.join(SCRATCH, name))


def test_what_moves():
    """A skinned figure of 4 s at 5 frames per second, through four formats."""
    dancer, frames = os.path.join(SAMPLES, "../../../scenes/dancer.glb"), 21
    said = convert(dancer, "a.usda", "--fps", "5", "--clip", "turn")
    assert said.endswith("dancer.glb: 21 frames; written to ./a.usda\n"), said
    said = convert("a.usda", "b.mdd", "--fps", "5")
    assert said == "a.usda: 21 frames; written to 2 files, ./b_dancer.obj first\n", said
    vertices = (size_of("b_dancer.mdd") - 8 - 4 * frames) / 12 / frames
    assert vertices == int(vertices) and vertices > 1000, vertices
    convert("b_dancer.mdd", "c.pc2", "--mesh", "b_dancer.obj", "--fps", "5")
    assert size_of("c_dancer.pc2") == 32 + 12 * vertices * frames
    convert("c_dancer.pc2", "d.obj", "--mesh", "c_dancer.obj", "--fps", "5")
    names = [name for name in os.listdir(SCRATCH) if name.startswith("d_0")]
    assert len(names) == frames, names
    assert read("d_0020.obj").count("\nv ") == vertices
    # As a mesh, without its motion.
    said = convert(dancer, "e.obj")
    assert "triangles, 16 groups; written to e.obj" in said, said
    cache = os.path.join(SAMPLES, "../../corpus/caches/v1_steady.snc")
    assert "6 frames; written to ./f.glb" in convert(cache, "f.glb")
    assert "6 frames" in convert("f.glb", "g.usda", "--fps", "24")
    said = convert("c_dancer.pc2", "d.txt", status=2)
    assert '"d.txt" is no file that motion can be written to' in said, said
    said = convert(dancer, "a.pc2", "--clip", "jump", status=1)
    assert 'it has no animation "jump", only "turn"' in said, said


def test_what_a_mesh_has():
    """Names, groups, texture coordinates, materials and images go along."""
    write("t.mtl", "newmtl red\nKd 1 0 0\nd 0.5\nnewmtl blue\nKd 0 0 1\n")
    write(
        "t.obj",
        "mtllib t.mtl\no thing\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\n"
        "vt 0 1\ng left\nusemtl red\nf 1/1 2/2 3/3\ng right\nusemtl blue\nf 1/1 3/3 4/4\n",
    )
    parts = ": 4 vertices, 2 triangles, 3 groups, 2 materials; written to "
    for source, target in (("t.obj", "u.usda"), ("u.usda", "v.glb"), ("v.glb", "w.obj")):
        said = convert(source, target)
        assert said == f"{source}{parts}{target}\n", said
    assert read("w.mtl") == read("t.mtl")
    text = read("w.obj")
    for line in ("mtllib w.mtl", "o thing", "vt 1 1", "g left", "usemtl red", "g right"):
        assert line + "\n" in text, text
    subsets = [line.split('"')[1] for line in read("u.usda").splitlines() if "GeomSubset" in line]
    assert subsets == ["left", "right", "red", "blue"], subsets
    said = convert("u.usda", "u.off")
    assert 'the format of "u.off" has no groups, they are left out' in said, said
    assert 'the format of "u.off" has no materials, they are left out' in said, said
    # As an animation, it is frames.
    assert "1 frame; written to" in convert("u.usda", "x.obj", "--animation")
    assert "g right\n" in read("x_0000.obj")


def test_failures():
    write("bad.obj", "v 0 0 0\nf 1 1 2\n")
    cases = [
        (("a.obj",), 2, "a file is missing, expected A B"),
        (("a.obj", "b.obj", "c.obj"), 2, "one too many"),
        (("a.obj", "b.obj", "--scale", "0"), 2, '--scale is "0", expected a number above 0'),
        (("a.obj", "b.obj", "--scale", "1e99"), 2, "--scale"),
        (("a.obj", "b.obj", "--weld", "-1"), 2, '--weld is "-1", expected a distance'),
        (("a.obj", "b.obj", "--weld", "nan"), 2, '--weld is "nan"'),
        (("a.obj", "b.obj", "--up", "w"), 2, '--up is "w", expected x, y or z'),
        (("none.obj", "b.obj"), 1, 'cannot read the mesh "none.obj"'),
        (("bad.obj", "b.ply"), 1,
         "bad.obj:2:7: vertex 2 is used by face 1, but the file has 1 vertices"),
        (("bad.xyz", "b.ply"), 1, 'the extension "xyz", which is none of a mesh format'),
        (("bad.obj", "b.ply", "--from", "fbx"), 1, 'no mesh format "fbx", expected obj, ply'),
    ]
    for arguments, status, sentence in cases:
        said = convert(*arguments, status=status)
        assert sentence in said, f"{arguments}: {said}"


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    tests = [value for name, value in sorted(globals().items()) if name.startswith("test_")]
    for test in tests:
        test()
    print(f"{len(tests)} passed, 0 failed")


main()
