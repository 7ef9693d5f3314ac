"""The program sinew: what it has, and runs of it that can be watched and stopped."""

import re
import shutil
import subprocess
import threading
from pathlib import Path


class Failed(Exception):
    """With a sentence for who works in Blender."""


def find():
    """The command that came with the add-on, or else the one that is installed."""
    packed = Path(__file__).parent / "bin" / "sinew"
    if not packed.is_file():
        return shutil.which("sinew") or "sinew"
    try:
        packed.chmod(0o755)  # Blender unpacks without permissions
    except OSError:
        pass  # of somebody else, who has given them
    return str(packed)


def start(arguments):
    try:
        return subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise Failed(
            f'the command "{arguments[0]}" does not start: {error.strerror}; '
            "Command, among the properties of the simulation, says where it is"
        ) from error


known_presets = {}


def presets(executable):
    """Names of presets by kind, as the command lists them."""
    if executable not in known_presets:
        process = start([executable, "info"])
        said, _ = process.communicate()
        found, kind = {}, None
        for line in said.splitlines():
            head = re.match(r"([a-z]+): ", line)
            kind = head.group(1) if head else kind
            if kind and line.startswith("  presets:"):
                found[kind] = line.split(":", 1)[1].split()
        known_presets[executable] = found
    return known_presets[executable]


class Run:
    """A run of the command. What it says is read by a thread of its own, so that asking for its
    progress never waits."""

    def __init__(self, arguments):
        self.process = start(arguments)
        self.done, self.total = 0, 0
        self.complaints = []
        self.readers = [
            threading.Thread(target=self.read, args=(stream,), daemon=True)
            for stream in (self.process.stdout, self.process.stderr)
        ]
        for reader in self.readers:
            reader.start()

    def read(self, stream):
        for line in stream:
            frame = re.match(r"frame (\d+) of (\d+)", line)
            if frame:
                self.done, self.total = int(frame.group(1)), int(frame.group(2))
            elif stream is self.process.stderr:
                self.complaints.append(line.rstrip())

    def running(self):
        return self.process.poll() is None

    def stop(self):
        """The command finishes its frame and leaves whole files."""
        if self.running():
            self.process.terminate()
        self.process.wait()

    def finish(self):
        """Waits, and raises where the run failed; warnings otherwise."""
        code = self.process.wait()
        for reader in self.readers:
            reader.join()
        if code:
            raise Failed("\n".join(self.complaints) or f"sinew ends with code {code}")
        return self.complaints
