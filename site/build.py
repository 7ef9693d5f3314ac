#!/usr/bin/env python3
"""The site: a static folder with guides, tutorials, methods, gallery, reference and a search.

    build.py [--pictures SINEW] [--kept FOLDER] [--stubs FILE.pyi] ROOT API.json OUT

Pages are the Markdown files of the tree, at the places where they lie, so that a link between them
holds in both. Nothing is written, and 1 is returned, where a link leads nowhere or the markup of a
page is in doubt. With --pictures the engine draws every scene and what moves on the front page
(kept in FOLDER, and drawn anew where a scene is newer); without, pictures of docs/images stand in.
"""

import argparse
import html
import json
import re
import shutil
import sys
from pathlib import Path

import gallery
from markdown import Page, plain
from reference import Reference, page_name, python_page

SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{up}style.css">
</head>
<body>
<header><a class="name" href="{up}index.html">Sinew</a>{menu}
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search"></header>
<div id="found"></div>
<div class="columns"><nav class="side">{side}</nav><main>
{body}
</main></div>
<footer>Sinew {version} · made by <code>./dev site</code></footer>
<script src="{up}search.js" data-top="{up}"></script>
</body>
</html>
"""
MENU = (("Tutorials", "docs/tutorials/README.html"), ("Gallery", "gallery.html"),
        ("Guides", "docs/building.html"), ("Methods", "docs/methods/README.html"),
        ("Reference", "reference/index.html"))
ROOMS = (
    ("Begin", ("README", "docs/tutorials/README", "docs/building", "docs/viewer", "docs/python",
               "docs/blender", "docs/other-programs", "docs/paraview", "docs/houdini",
               "docs/unity", "docs/unreal", "docs/godot")),
    ("Materials", ("docs/cloth", "docs/solids", "docs/rods", "docs/fluids", "docs/rigid",
                   "docs/joints", "docs/robots", "docs/materials")),
    ("Scenes", ("docs/scene-format", "docs/contact", "docs/characters", "docs/recording",
                "docs/export", "docs/pictures", "docs/gallery", "docs/before-after")),
    ("Numbers", ("docs/validation", "docs/solvers", "docs/integrators", "docs/determinism", "docs/strain",
                 "docs/audit", "docs/performance", "docs/backends")),
    ("Project", ("docs/architecture", "CONTRIBUTING", "CHANGELOG")),
)
CARDS = (
    ("docs/tutorials/first-cloth.html", "First cloth", "From nothing to a picture in five minutes."),
    ("gallery.html", "Gallery", "Every scene with its picture and its file."),
    ("docs/methods/README.html", "Methods", "The papers' equations beside ours, with their tests."),
    ("reference/index.html", "C reference", "Every function, struct and constant."),
    ("reference/python.html", "Python reference", "The same, as a Python package."),
    ("docs/viewer.html", "In a browser", "The engine as WebAssembly, with the same bits."),
)


class Site:
    def __init__(self, root, api):
        self.root = root
        self.api = api
        self.reference = Reference(api)
        self.pages = {}  # page from the top: (title, body)
        self.anchors = {}  # page: names in it
        self.files = set()  # of the tree that pages link to
        self.index = []
        self.complaints = []

    def add(self, page, title, body):
        self.pages[page] = (title, body)
        self.anchors[page] = set(re.findall(r'\bid="([^"]*)"', body))

    def note(self, name, where, page, text, weight):
        self.index.append({"name": name, "where": where, "page": page, "text": text[:1500],
                           "weight": weight})

    # ---- Pages of the tree ----

    def markdown_files(self):
        found = [self.root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
        return found + sorted((self.root / "docs").rglob("*.md"))

    def add_markdown(self, path):
        source = path.relative_to(self.root)
        page = Page(path.read_text(encoding="utf-8"),
                    lambda target, picture: self.target(source, target))
        for line, sentence in page.complaints:
            self.complaints.append(f"{source}:{line}: {sentence}")
        title = page.headings[0][2] if page.headings else source.stem
        where = source.with_suffix(".html").as_posix()
        self.add(where, title, page.html)
        self.note_sections(where, title, page)

    def note_sections(self, where, title, page):
        """Every section is found by its heading, and by what it says."""
        parts = re.split(r'<h\d id="([^"]*)">', page.html)
        texts = dict(zip(parts[1::2], parts[2::2]))
        for level, name, text in page.headings:
            said = html.unescape(re.sub(r"<[^>]+>", " ", texts.get(name, "")))
            self.note(text, title, f"{where}#{name}", " ".join(said.split()), 4 - min(level, 3))

    def target(self, source, target):
        """Where a link of a page of the tree leads on the site."""
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        name, _, anchor = target.partition("#")
        path = (self.root / source.parent / name).resolve()
        if not path.is_relative_to(self.root) or not path.exists():
            return target  # the check of links says so
        if path.suffix == ".md":
            name = re.sub(r"\.md$", ".html", name)
        elif path.is_file():
            self.files.add(path.relative_to(self.root))
        return name + (f"#{anchor}" if anchor else "")

    # ---- Pages that are made ----

    def add_reference(self, stubs):
        self.add("reference/index.html", "C reference", self.reference.index_page(self.root))
        for header, entries in self.reference.headers.items():
            page = page_name(header)
            self.add(page, header,
                     self.reference.header_page(header, self.root / "include" / header))
            for _, entry in entries:
                self.note(entry["name"], header, f'{page}#{entry["name"]}', entry["doc"], 2)
        package = self.root / "bindings/python/sinew"
        sources = [(f"sinew.{path.stem}".removesuffix(".__init__"), path.read_text(encoding="utf-8"))
                   for path in sorted(package.glob("*.py"))]
        if stubs:
            sources.append(("sinew.c", stubs.read_text(encoding="utf-8")))
        self.add("reference/python.html", "Python reference", python_page(self.reference, sources))

    def add_gallery(self, pictures):
        self.add("gallery.html", "Gallery", gallery.page(self.root, pictures))
        for name, scene in gallery.scenes(self.root):
            self.files.add(Path("scenes", name + ".json"))
            self.note(scene.get("title", name), "scene", f"gallery.html#{name}",
                      f'{name} {scene.get("about", "")}', 1)

    def add_front(self, moving):
        """The front page: what moves, and how the README begins."""
        readme = (self.root / "README.md").read_text(encoding="utf-8")
        begin = re.split(r"^## Scenes$", readme, maxsplit=1, flags=re.M)[0]
        if moving:
            begin = re.sub(r"^!\[.*\n", "", begin, count=1, flags=re.M)
        body = Page(begin, lambda target, picture: self.target(Path("README.md"), target)).html
        strip = "".join(f'<a href="gallery.html#{name}"><img src="{file}" alt="{name}"></a>'
                        for name, file in moving)
        cards = "".join(f'<a href="{page}"><b>{html.escape(name)}</b><br>{html.escape(said)}</a>'
                        for page, name, said in CARDS)
        head, _, rest = body.partition("</p>")
        self.add("index.html", "Sinew",
                 f'{head}</p><div class="moving">{strip}</div>{rest}<div class="cards">{cards}</div>')

    # ---- Checks ----

    def check_links(self):
        for page, (_, body) in self.pages.items():
            for target in re.findall(r'(?:href|src)="([^"]*)"', body):
                target = html.unescape(target)
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                where = self.resolve(page, name)
                if where in self.pages:
                    if anchor and anchor not in self.anchors[where]:
                        self.complaints.append(f'{page}: {where} has no "{anchor}"')
                elif Path(where) not in self.files:
                    self.complaints.append(f'{page}: "{target}" leads nowhere')

    @staticmethod
    def resolve(page, name):
        parts = page.split("/")[:-1] if name else page.split("/")
        for part in name.split("/") if name else []:
            if part == "..":
                parts = parts[:-1] if parts else ["outside"]
            elif part != ".":
                parts.append(part)
        return "/".join(parts)

    # ---- Writing ----

    def rooms(self):
        """The guides by their rooms; those that have none come last."""
        listed = {name for _, names in ROOMS for name in names}
        rest = [page.removesuffix(".html") for page in self.pages
                if re.fullmatch(r"docs/[^/]*[.]html", page)]
        return [*ROOMS, ("More", [name for name in rest if name not in listed])]

    def side(self, page, up):
        out = []
        for room, names in self.rooms():
            links = [(f"{name}.html", self.pages[f"{name}.html"][0]) for name in names
                     if f"{name}.html" in self.pages]
            if room == "Begin":
                links[1:1] = [("gallery.html", "Gallery")]
            if links:
                out.append(f"<h4>{room}</h4>" + "".join(
                    f'<a href="{up}{where}"{" class=now" if where == page else ""}>'
                    f"{html.escape(plain(title))}</a>" for where, title in links))
        return "".join(out)

    def write(self, out, pictures):
        if out.exists():
            shutil.rmtree(out)
        for page, (title, body) in self.pages.items():
            up = "../" * page.count("/")
            menu = "".join(f'<a href="{up}{where}">{name}</a>' for name, where in MENU)
            path = out / page
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(SHELL.format(
                title=html.escape(title if page == "index.html" else f"{title} · Sinew"), up=up,
                menu=menu, side=self.side(page, up), body=body, version=self.api["version"]),
                encoding="utf-8")
        for file in self.files:
            (out / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(pictures.get(file, self.root / file), out / file)
        for name in ("style.css", "search.js"):
            shutil.copyfile(Path(__file__).parent / name, out / name)
        (out / "search-index.js").write_text(
            "globalThis.sinewSearchIndex = " + json.dumps(self.index) + ";\n", encoding="utf-8")


def draw(site, sinew, kept):
    """Pictures of all scenes and of the front page: what lies where on the site, and where it is."""
    files, stills, moving = {}, {}, []
    for name, _ in gallery.scenes(site.root):
        place = Path("pictures", name + ".png")
        if gallery.draw_scene(sinew, site.root / f"scenes/{name}.json", kept / place):
            print(f"drew {name}", flush=True)
        files[place], stills[name] = kept / place, place.as_posix()
    for name, first, last, stride in gallery.FRONT:
        place = Path("pictures", name + "-moving.png")
        if gallery.draw_moving(sinew, site.root / f"scenes/{name}.json", kept / place, first, last,
                               stride):
            print(f"drew {name}, moving", flush=True)
        files[place] = kept / place
        moving.append((name, place.as_posix()))
    return files, stills, moving


def images(site):
    """What docs/images has of the scenes."""
    found = {name: Path("docs/images", name + ".png") for name, _ in gallery.scenes(site.root)}
    return {name: path.as_posix() for name, path in found.items() if (site.root / path).exists()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pictures", metavar="SINEW", help="the command that draws")
    parser.add_argument("--kept", type=Path, help="where pictures are kept (OUT.pictures)")
    parser.add_argument("--stubs", type=Path, help="the type stubs of the Python module")
    parser.add_argument("root", type=Path)
    parser.add_argument("api", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    site = Site(given.root.resolve(), json.loads(given.api.read_text(encoding="utf-8")))
    for path in site.markdown_files():
        site.add_markdown(path)
    site.add_reference(given.stubs)
    files, stills, moving = {}, images(site), []
    if given.pictures:
        kept = given.kept or given.out.with_suffix(".pictures")
        files, stills, moving = draw(site, given.pictures, kept)
    site.files |= set(files) | set(map(Path, stills.values()))
    site.add_gallery(stills)
    site.add_front(moving)
    site.check_links()
    for sentence in site.complaints:
        print(sentence, file=sys.stderr)
    if site.complaints:
        return 1
    site.write(given.out, files)
    print(f"{given.out}: {len(site.pages)} pages, {len(site.index)} entries to search, "
          f"{len(site.files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
