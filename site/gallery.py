"""The gallery: every scene with its picture, its text and its file, and what moves in front."""

import html
import json
import subprocess
import tempfile
from pathlib import Path

from moving_picture import animate

# What moves on the front page: scene, first frame, last, frames between pictures.
FRONT = (("pull", 0, 120, 4), ("dam", 0, 96, 3), ("crates", 0, 120, 4), ("flag", 30, 150, 4))
SIZE, FRONT_SIZE = "480x300", "360x225"


def scenes(root):
    """(name, scene) of all shipped scenes."""
    return [(path.stem, json.loads(path.read_text(encoding="utf-8")))
            for path in sorted((root / "scenes").glob("*.json"))]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr}")


def is_new(path, *sources):
    return path.exists() and all(path.stat().st_mtime >= s.stat().st_mtime for s in sources)


def draw_scene(sinew, scene, path):
    """A picture of a scene at the moment that it names; one that is newer than the scene stays."""
    if is_new(path, scene):
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    run([sinew, "render", scene, "--out", path, "--size", SIZE, "--threads", "0"])
    return True


def draw_moving(sinew, scene, path, first, last, stride):
    """An animated PNG of some seconds of a scene."""
    if is_new(path, scene):
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        run([sinew, "run", scene, "--frames", str(last + 1), "--out", folder, "--picture", "none",
             "--threads", "0"])
        cache = Path(folder, scene.stem + ".snc")
        frames = []
        for frame in range(first, last + 1, stride):
            still = Path(folder, f"{frame}.png")
            run([sinew, "render", cache, "--frame", str(frame), "--size", FRONT_SIZE, "--out", still,
                 "--threads", "0"])
            frames.append(still.read_bytes())
    path.write_bytes(animate(frames, 15))
    return True


def figure(name, scene, picture, up):
    title = html.escape(scene.get("title", name))
    image = f'<img src="{up}{picture}" alt="{title}" loading="lazy">' if picture else ""
    return (f'<figure id="{name}"><a href="{up}scenes/{name}.json">{image}</a><figcaption><b>{title}'
            f'</b><br>{html.escape(scene.get("about", ""))}<br><code>./dev run {name}</code> · '
            f'<a href="{up}scenes/{name}.json">scene file</a></figcaption></figure>')


def page(root, pictures):
    """The page; `pictures` has the picture of each scene that has one, from the top of the site."""
    out = ['<h1 id="top">Gallery</h1>',
           "<p>The scenes that come with Sinew, each drawn by the engine at its best moment. "
           'Play with them in a browser (<a href="docs/viewer.html">viewer</a>), change their '
           'parameters, or copy one and edit it (<a href="docs/scene-format.html">scene files</a>).'
           '</p><div class="gallery">']
    out += [figure(name, scene, pictures.get(name), "") for name, scene in scenes(root)]
    return "\n".join(out + ["</div>"])
