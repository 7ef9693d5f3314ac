#!/usr/bin/env python3
"""sinew render as a person uses it: pictures, and videos that ffprobe agrees with.

    video.py SCRATCH PROGRAM [ARGUMENT]...

Ends with 77, which means skipped, where ffmpeg is missing.
"""

import os
import shutil
import struct
import subprocess
import sys

SCRATCH, PROGRAM = sys.argv[1], sys.argv[2:]


def sinew(*arguments, status=0, **environment):
    done = subprocess.run([*PROGRAM, *arguments], cwd=SCRATCH, env={**os.environ, **environment},
                          capture_output=True, text=True)
    told = f"sinew {' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    assert done.returncode == status, told
    return done.stdout + done.stderr


def there(name):
    return os.path.exists(os.path.join(SCRATCH, name))


def png_size(name):
    with open(os.path.join(SCRATCH, name), "rb") as file:
        return struct.unpack(">II", file.read(24)[16:])


def test_pictures():
    said = sinew("render", "run/cloth.snc", "-o", "a.png", "--size", "160x90")
    assert "a.png: frame 6, 160 x 90 pixels" in said, said
    assert png_size("a.png") == (160, 90)
    for options in (("--frame", "0"), ("--colour", "strain"), ("--colour", "speed"), ("--wire",),
                    ("--eye", "1,2,3", "--target", "0,0,0", "--fov", "40"), ("--no-ground",)):
        sinew("render", "run/cloth.snc", "-o", "b.png", "--size", "160x90", *options)
        with open(os.path.join(SCRATCH, "a.png"), "rb") as a:
            with open(os.path.join(SCRATCH, "b.png"), "rb") as b:
                assert a.read() != b.read(), options


def test_scenes():
    said = sinew("render", "cloth", "--frame", "2", "-o", "scene.png", "--size", "64x36")
    assert "scene.png: frame 2, 64 x 36 pixels" in said, said


def test_usage():
    for arguments, said in (
        ((), "nothing to write"),
        (("-o", "x.png", "--size", "3"), "--size is"),
        (("-o", "x.png", "--frame", "99"), "the last frame is 6"),
        (("-o", "x.png", "--colour", "red"), "expected body, strain or speed"),
        (("-o", "x.png", "--eye", "1,2"), "expected three numbers"),
        (("--video", "x.mp4", "--frames", "3:99"), "expected two of the frames 0 to 6"),
        (("-o",), "needs a value"),
    ):
        told = sinew("render", "run/cloth.snc", *arguments, status=2)
        assert said in told, (arguments, told)
    assert "cannot read" in sinew("render", "gone.snc", "-o", "x.png", status=1)
    assert not there("x.png") and not there("x.mp4")


def test_usage_of_a_run():
    run = ("run", "cloth", "--frames", "1", "--out", "other")
    said = sinew(*run, "--format", "obj", "--video", "c.mp4", status=2)
    assert 'made of the cache, but --format is "obj"' in said, said
    said = sinew(*run, "--video", "none/c.mp4", status=1)
    assert "none/c.mp4" in said and not there("other"), said
    # A moving camera, from the scene and from its cache, as the picture of the run has it.
    with open(os.path.join(SCRATCH, "moving.json"), "w", encoding="utf-8") as file:
        file.write("""{"version": 1, "run": {"frames": 6, "fps": 30},
          "bodies": [{"name": "a", "mesh": {"shape": "grid", "columns": 4, "rows": 4},
            "material": {"kind": "cloth"}, "position": [0, 1, 0], "weave": "twill",
            "thread": 0.05, "opacity": 0.7}],
          "lights": [{"direction": [1, -1, -1], "colour": [1, 0.8, 0.6]}],
          "ground": {"kind": "checker"}, "background": {"kind": "plain"},
          "cameras": {"main": {"eye": [0, 2, 4], "target": [0, 1, 0], "keys": [
            {"time": 0, "eye": [0, 2, 4]}, {"time": 0.2, "eye": [3, 2, 2]}]}}}""")
    sinew("run", "moving.json", "--out", "moving")
    pictures = []
    for source, frame in (("moving/moving.snc", "6"), ("moving.json", "6"), ("moving.json", "0")):
        sinew("render", source, "--frame", frame, "-o", "d.png", "--threads", "2")
        with open(os.path.join(SCRATCH, "d.png"), "rb") as file:
            pictures.append(file.read())
    with open(os.path.join(SCRATCH, "moving/moving.png"), "rb") as file:
        of_run = file.read()
    assert pictures[0] == of_run and pictures[1] == of_run, "pictures differ"
    assert pictures[2] != of_run, "the camera stands"


def test_no_ffmpeg():
    said = sinew("render", "run/cloth.snc", "--video", "x.mp4", status=1, PATH="")
    assert 'ffmpeg is not installed (Debian package "ffmpeg")' in said, said
    assert not there("x.mp4") and not there("x.mp4.part")


def test_videos():
    for name, options, size, frames in (
        ("a.mp4", (), "160,90", 7),
        ("odd.mp4", ("--size", "161x91"), "162,92", 7),
        ("a.webm", ("--frames", "1:3"), "160,90", 3),
        ("a.gif", ("--colour", "speed"), "160,90", 7),
    ):
        sinew("render", "run/cloth.snc", "--video", name, *(options or ()),
              *(() if "--size" in options else ("--size", "160x90")))
        probe = subprocess.run(
            ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
             "stream=width,height,nb_read_frames", "-of", "csv=p=0", name],
            cwd=SCRATCH, capture_output=True, text=True, check=True)
        assert probe.stdout.strip() == f"{size},{frames}", (name, probe.stdout)
        assert not there(name + ".part")


def test_video_of_a_run():
    said = sinew("run", "cloth", "--frames", "4", "--out", "run", "--video", "run/b.mp4")
    assert "b.mp4: 5 frames, 1280 x 720 pixels" in said, said
    assert there("run/b.mp4")


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    sinew("run", "cloth", "--frames", "6", "--out", "run")
    tests = [test_pictures, test_scenes, test_usage, test_usage_of_a_run, test_no_ffmpeg]
    has_ffmpeg = shutil.which("ffmpeg") and shutil.which("ffprobe")
    for test in tests + ([test_videos, test_video_of_a_run] if has_ffmpeg else []):
        test()
        print(f"ok    {test.__name__}")
    if not has_ffmpeg:
        print("ffmpeg is not installed, so there are no videos to look at")
        sys.exit(77)


main()
