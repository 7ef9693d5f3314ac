#!/usr/bin/env python3
"""Fetches real meshes for the tests, once; they are never committed.

    fetch.py FOLDER [--large]

The small ones come from npm: bunny (public domain), teapot, snowden (MIT). They are JavaScript,
which node writes out as OBJ with all digits. With --large, the surfaces of the Debian package
libcgal-demo (24 MB) as well: armadillo, bunny, elephant and others as OFF. What cannot be fetched
is said, and the tests that want it are skipped.
"""

import glob
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

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


def fetch_npm(name, version, module, target):
    """An OBJ file, and beside it how many vertices and faces there should be."""
    with tempfile.TemporaryDirectory() as scratch:
        run("npm", "pack", f"{name}@{version}", "--silent", folder=scratch)
        with tarfile.open(glob.glob(os.path.join(scratch, "*.tgz"))[0]) as archive:
            archive.extractall(scratch)
        path = os.path.join(scratch, "package", module)
        counts = run("node", "-e", WRITE, path, os.path.join(scratch, "mesh.obj"), folder=scratch)
        with open(target + ".counts", "w", encoding="utf-8") as file:
            file.write(counts)
        shutil.move(os.path.join(scratch, "mesh.obj"), target)


def fetch_cgal(folder):
    with tempfile.TemporaryDirectory() as scratch:
        # Packages are downloaded by another user than root, where there is one.
        os.chmod(scratch, 0o777)
        run("apt-get", "download", "libcgal-demo", folder=scratch)
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
    wanted = [("bunny", "1.0.1", "index.js"), ("teapot", "1.0.0", "teapot.js")]
    wanted.append(("snowden", "1.0.1", "hi.js"))
    for name, version, module in wanted:
        target = os.path.join(folder, name + ".obj")
        if os.path.exists(target):
            continue
        try:
            fetch_npm(name, version, module, target)
            print(f"fetched {name}")
        except (OSError, IndexError, subprocess.CalledProcessError) as error:
            print(f"cannot fetch {name}: {error}")
    if "--large" in sys.argv and not glob.glob(os.path.join(folder, "cgal_*")):
        try:
            fetch_cgal(folder)
            print("fetched libcgal-demo")
        except (OSError, IndexError, subprocess.CalledProcessError) as error:
            print(f"cannot fetch libcgal-demo: {error}")


main()
