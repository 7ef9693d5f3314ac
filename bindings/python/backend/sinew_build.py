"""Builds the Python package: the hooks of PEP 517 and 660, with the standard library alone.

The module is built by CMake, in build/python, and with it the libraries that are linked into it. A
wheel is a zip archive of the package and of four files about it (PEP 427).
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = ROOT / "build" / "python"
# As old as a file in a zip archive can be: the same sources give the same wheel.
WHEN = (1980, 1, 1, 0, 0, 0)


def version():
    """The version, which is written once, in the public header."""
    text = (ROOT / "include/sinew/base.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"SN_VERSION_{part} (\d+)", text).group(1)
                    for part in ("MAJOR", "MINOR", "PATCH"))


def tag():
    """One file for every Python from 3.11 on, on this kind of machine."""
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"cp311-abi3-{platform}"


def metadata():
    readme = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    return (f"Metadata-Version: 2.1\nName: sinew\nVersion: {version()}\n"
            "Summary: Position based dynamics\nLicense: MIT\nRequires-Python: >=3.11\n"
            f"Description-Content-Type: text/markdown\n\n{readme}")


def run(*command):
    print(" ".join(map(str, command)), flush=True)
    subprocess.run([str(part) for part in command], check=True)


def build_package():
    """Builds the package and returns its folder. SINEW_PACKAGE names one that is built already, as
    every build folder has it in bindings/python/sinew."""
    if os.environ.get("SINEW_PACKAGE"):
        return pathlib.Path(os.environ["SINEW_PACKAGE"])
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DSINEW_PYTHON=ON", "-DSINEW_APP=OFF",
               "-DSINEW_PNG=OFF", "-DSINEW_TESTS=OFF", "-DSINEW_INSTALL=OFF", f"-DPython3_EXECUTABLE={sys.executable}",
               "-DPython3_FIND_VIRTUALENV=ONLY" if sys.prefix != sys.base_prefix
               else "-DPython3_FIND_VIRTUALENV=STANDARD"]
    if shutil.which("ninja") and not (BUILD / "CMakeCache.txt").exists():
        options += ["-G", "Ninja"]
    run("cmake", "-S", ROOT, "-B", BUILD, *options)
    run("cmake", "--build", BUILD, "--target", "sinew_python", "--parallel",
        os.environ.get("JOBS", str(os.cpu_count() or 1)))
    return BUILD / "bindings/python/sinew"


def files_of(package):
    """The files of the package, by their names in the wheel."""
    names = [path for path in sorted(package.iterdir())
             if path.suffix in (".py", ".pyi", ".typed", ".so") or path.name == "py.typed"]
    return {f"sinew/{path.name}": path.read_bytes() for path in names}


def files_about():
    """What is said about the package, by the names in its folder."""
    return {"METADATA": metadata().encode(), "LICENSE": (ROOT / "LICENSE").read_bytes(),
            "WHEEL": ("Wheel-Version: 1.0\nGenerator: sinew_build\nRoot-Is-Purelib: false\n"
                      f"Tag: {tag()}\n").encode()}


def write_wheel(folder, files):
    """The archive, with the list of what is in it as its last file."""
    info = f"sinew-{version()}.dist-info"
    files = {**files, **{f"{info}/{name}": data for name, data in files_about().items()}}
    record = ""
    name = f"sinew-{version()}-{tag()}.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
            write_file(wheel, path, data)
        write_file(wheel, f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode())
    return name


def write_file(wheel, path, data):
    entry = zipfile.ZipInfo(path, WHEN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
    wheel.writestr(entry, data)


# ---- The hooks ----


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_editable(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory, f"sinew-{version()}.dist-info")
    folder.mkdir()
    for name, data in files_about().items():
        (folder / name).write_bytes(data)
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, files_of(build_package()))


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The package where it is built: building it again is all that a change takes."""
    path = build_package().parent
    return write_wheel(wheel_directory, {"sinew.pth": f"{path}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    """All that is in the repository."""
    name = f"sinew-{version()}.tar.gz"
    run("git", "-C", ROOT, "archive", f"--prefix=sinew-{version()}/", "--format=tar.gz", "-o",
        os.path.join(os.path.abspath(sdist_directory), name), "HEAD")
    return name


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
