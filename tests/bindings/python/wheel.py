#!/usr/bin/env python3
"""Makes and installs the package as pip does, without a network, into a new environment, and
imports it.

    wheel.py ROOT PACKAGE FOLDER

The module is the one that is built already. Ends with 77, which CTest takes for skipped, where
Python cannot make environments (python3-venv).
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

SKIPPED = 77


def check_archive(path):
    """Names, and that the list of files is complete."""
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        record = wheel.read(names[-1]).decode().splitlines()
        assert [line.split(",")[0] for line in record] == names, names
        expected = {"sinew/c.abi3.so", "sinew/c.pyi", "sinew/py.typed", "sinew/__init__.py"}
        assert expected <= set(names), names
    assert re.fullmatch(r"sinew-[\d.]+-cp311-abi3-\w+\.whl", path.name), path.name


def main(root, package, folder):
    folder = pathlib.Path(folder).absolute()
    shutil.rmtree(folder, ignore_errors=True)
    made = subprocess.run([sys.executable, "-m", "venv", folder / "env"], capture_output=True,
                          text=True)
    if made.returncode != 0:
        print(f"there is no environment: {made.stdout}{made.stderr}")
        return SKIPPED
    python = folder / "env/bin/python"
    environment = {**os.environ, "SINEW_PACKAGE": package, "PIP_NO_INDEX": "1",
                   "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    pip = [python, "-m", "pip", "-q"]
    subprocess.run([*pip, "wheel", "-w", folder / "wheels", root], check=True, env=environment)
    wheel = next((folder / "wheels").iterdir())
    check_archive(wheel)
    subprocess.run([*pip, "install", wheel], check=True, env=environment)
    text = ("import sinew; w = sinew.World(); n = w.node((0, 1, 0)); w.step(1 / 60);"
            "assert n.position[1] < 1; print(sinew.__version__, sinew.__file__)")
    said = subprocess.run([python, "-I", "-c", text], check=True, cwd=folder, capture_output=True,
                          text=True).stdout
    assert str(folder) in said, said
    subprocess.run([*pip, "uninstall", "-y", "sinew"], check=True, env=environment)
    print(f"{wheel.name}: {wheel.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
