#!/usr/bin/env python3
"""Whether the site can be made, and whether what makes it sees what is wrong with a page.

    site.py ROOT CC SCRATCH
"""

import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zlib

ROOT, CC, SCRATCH = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], pathlib.Path(sys.argv[3])
sys.path.insert(0, str(ROOT / "site"))

import markdown  # noqa: E402
import moving_picture  # noqa: E402
from build import Site  # noqa: E402

# A page that is right, and what is said of changes to it.
RIGHT = """# A page

See [below](#a-table) and `code`, **bold** and *slanted*.

## A table

| a | b |
|---|---:|
| `x \\| y` | 2 |

- one
  goes on
  - inner
- two

      code of two

1. first
2. second

```json out/a.json
{"a": [1, 2]}
```

> said
"""
WRONG = (
    ("| `x \\| y` | 2 |", "| `x | y` | 2 |", "a | within code divides cells"),
    ("| `x \\| y` | 2 |", "| 1 |", "a row with 1 cells in a table with 2"),
    ("|---|---:|\n", "|---|\n", "1 columns of dashes below 2"),
    ("|---|---:|\n", "", "no line of dashes"),
    ("| 2 |\n\n", "| 2 |\n    code\n", "a table runs into what follows"),
    ("## A table\n\n", "## A table\nwords\n", "a table runs into what is before it"),
    ("## A table", "#### A table", "a heading of level 4 below one of level 1"),
    ("]}\n```", "]}", "``` is never closed"),
    ("`code`", "`code", "a ` has no partner"),
    ("**bold**", "**bold", "** has no partner"),
    ("(#a-table)", "(#a table)", "]( belongs to no link"),
    ("**bold**", "<b>bold</b>", "<b> is HTML"),
)
HTML = ('<a href="#a-table">below</a>', "<code>code</code>", "<strong>bold</strong>",
        "<em>slanted</em>", '<h2 id="a-table">',
        "<td><code>x | y</code></td><td class=right>2</td>",
        "<li>one\ngoes on", "<ul>\n<li>inner</li>\n</ul>", "<pre><code>code of two</code></pre>",
        "<ol>\n<li>first</li>\n<li>second</li>\n</ol>", '<p class="file">out/a.json</p>',
        '<pre class="json"><code>{"a": [1, 2]}</code></pre>',
        "<blockquote><p>said</p></blockquote>")


def check(holds, sentence):
    if not holds:
        sys.exit(sentence)


def check_markdown():
    page = markdown.Page(RIGHT)
    check(not page.complaints, f"a right page has complaints: {page.complaints}")
    for piece in HTML:
        check(piece in page.html, f"{piece!r} is not in\n{page.html}")
    for old, new, said in WRONG:
        check(old in RIGHT, f"{old!r} is not in the page")
        complaints = [sentence for _, sentence in markdown.Page(RIGHT.replace(old, new)).complaints]
        check(any(said in sentence for sentence in complaints),
              f"{new!r} for {old!r}: {complaints} lack {said!r}")


def check_links(api):
    """A link to a page, a heading or a file that is not there is told, with the page it is on."""
    site = Site(ROOT, api)
    site.add("a/one.html", "One", '<h1 id="top">1</h1><a href="../two.html#top">2</a>'
             '<a href="two.html">3</a><a href="#none">4</a><img src="../x.png">')
    site.add("two.html", "Two", '<h1 id="top">2</h1><a href="a/one.html#top">1</a>')
    site.check_links()
    check(site.complaints == ['a/one.html: "two.html" leads nowhere',
                              'a/one.html: a/one.html has no "none"',
                              'a/one.html: "../x.png" leads nowhere'], f"{site.complaints}")


def png(shade):
    """Two by one pixels."""
    head = struct.pack(">IIBBBBB", 2, 1, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes([0, shade, shade]))), (b"IEND", b""))
    return moving_picture.SIGNATURE + b"".join(moving_picture.chunk(*part) for part in parts)


def check_moving():
    """Frames come back as they were, with their numbers in a row."""
    made = moving_picture.animate([png(10), png(20), png(30)], 15)
    parts = list(moving_picture.chunks(made))
    names = [name for name, _ in parts]
    check(b" ".join(names) == b"IHDR acTL fcTL IDAT fcTL fdAT fcTL fdAT IEND", f"{names}")
    order = [struct.unpack(">I", c[:4])[0] for n, c in parts if n in (b"fcTL", b"fdAT")]
    check(order == list(range(5)), f"{order}")
    check(dict(parts)[b"acTL"] == struct.pack(">II", 3, 0), "three frames, for ever")
    shades = [zlib.decompress(c[4:] if n == b"fdAT" else c)[1] for n, c in parts
              if n in (b"IDAT", b"fdAT")]
    check(shades == [10, 20, 30], f"{shades}")


def check_site(api_file, api):
    out = SCRATCH / "out"
    done = subprocess.run([sys.executable, "-B", ROOT / "site/build.py", "--stubs",
                           SCRATCH / "c.pyi", ROOT, api_file, out], capture_output=True, text=True)
    check(done.returncode == 0, done.stdout + done.stderr)
    print(done.stdout, end="")
    for function in api["functions"]:
        page = "reference/" + function["header"].removesuffix(".h").replace("/", "-") + ".html"
        text = (out / page).read_text(encoding="utf-8")
        check(f'id="{function["name"]}"' in text, f'{page} lacks {function["name"]}')
    gallery = (out / "gallery.html").read_text(encoding="utf-8")
    for scene in (ROOT / "scenes").glob("*.json"):
        check(f'id="{scene.stem}"' in gallery and (out / "scenes" / scene.name).exists(),
              f"the gallery lacks {scene.stem}")
    python = (out / "reference/python.html").read_text(encoding="utf-8")
    check('id="sinew.c.ClothMaterial"' in python and 'id="sinew.worlds.World"' in python,
          "the reference of Python lacks classes")
    index = (out / "search-index.js").read_text(encoding="utf-8")
    names = {entry["name"] for entry in json.loads(re.sub(r"^[^=]*= |;\n$", "", index))}
    wanted = {"sn_world_step", "Tutorials", "First cloth in five minutes", "A dam breaks"}
    check(wanted <= names, f"the index lacks {wanted - names}")


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    api_file = SCRATCH / "api.json"
    with open(api_file, "w", encoding="utf-8") as file:
        subprocess.run([sys.executable, "-B", ROOT / "bindings/api.py", "--cc", CC, ROOT],
                       stdout=file, check=True)
    api = json.loads(api_file.read_text(encoding="utf-8"))
    subprocess.run([sys.executable, "-B", ROOT / "bindings/python/generate.py", api_file,
                    SCRATCH / "tables.c", SCRATCH / "c.pyi"], check=True)
    check_markdown()
    check_links(api)
    check_moving()
    check_site(api_file, api)


main()
