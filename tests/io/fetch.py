#!/usr/bin/env python3
"""Makes files of real meshes for the tests, once; they are never committed.

    fetch.py FOLDER [--large]

The small ones are those that oracles/fetch.sh has fetched from npm: bunny (public domain), teapot,
snowden (MIT). They are JavaScript, which node writes out as OBJ with all digits. With --large, the
surfaces of the Debian package libcgal-demo (24 MB) as well: armadillo, bunny, elephant and others,
as OFF. Tests are skipped that want what there is not.
"""

import glob
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

MODULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/node_modules")
SMALL = [("bunny", "index.js"), ("teapot", "teapot.js"), ("snowden", "hi.js")]

WRITE = """
const mesh = require(process.argv[1]);
const out = [];
for (const p of mesh.positions) out.push('v ' + p.join(' '));
for (const c of mesh.cells) out.push('f ' + c.map((i) => i + 1).join(' '));
require('fs').writeFileSync(process.argv[2], out.join('\\n') + '\\n');
console.log(mesh.positions.length + ' ' + mesh.cells.length);
"""


def run(*command, folder):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def write_small(module, target):
    """An OBJ file, and beside it how many vertices and faces there should be."""
    counts = run("node", "-e", WRITE, module, target + ".part", folder=".")
    with open(target + ".counts", "w", encoding="utf-8") as file:
        file.write(counts)
    os.rename(target + ".part", target)


def fetch_cgal(folder):
    with tempfile.TemporaryDirectory() as scratch:
        # Packages are downloaded by another user than root, where there is one.
        os.chmod(scratch, 0o777)
        patience = ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10"]
        run("apt-get", *patience, "download", "libcgal-demo", folder=scratch)
        package = glob.glob(os.path.join(scratch, "*.deb"))[0]
        run("dpkg-deb", "-x", package, "package", folder=scratch)
        data = os.path.join(scratch, "package/usr/share/doc/libcgal-dev/data.tar.gz")
        with tarfile.open(data) as archive:
            for member in archive.getmembers():
                name = os.path.basename(member.name)
                if "/meshes/" in "/" + member.name and name.endswith(".off") and member.isfile():
                    with open(os.path.join(folder, "cgal_" + name), "wb") as file:
                        shutil.copyfileobj(archive.extractfile(member), file)


def main():
    folder = os.path.abspath(sys.argv[1])
    os.makedirs(folder, exist_ok=True)
    for name, module in SMALL:
        target = os.path.join(folder, name + ".obj")
        module = os.path.join(MODULES, name, module)
        if os.path.exists(module) and not os.path.exists(target):
            write_small(module, target)
    if "--large" in sys.argv and not glob.glob(os.path.join(folder, "cgal_*")):
        try:
            fetch_cgal(folder)
        except (OSError, IndexError, subprocess.CalledProcessError) as error:
            print(f"fetch: tests are skipped that use libcgal-demo: {error}", file=sys.stderr)


main()
