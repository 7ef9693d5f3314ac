#!/usr/bin/env python3
"""What pages name between ` marks is in the tree: files, folders, and words of the sources.

    named.py ROOT PAGE...

A file or folder may be named by the end of its path, and with a * for several; a test by its folder
and file, as sinew_test_name does. Words with spaces are commands and code that other tests look at;
NAME, or capitals alone, stand for any name. The other way round, the README and the gallery name
every scene.
"""

import fnmatch
import os
import re
import sys

SOURCES = (".c", ".h", ".inl", ".py", ".cmake", ".txt", ".mjs", ".ts")
FILE = re.compile(r"[\w./*-]+\.(?:c|h|inl|py|md|sh|mjs|ts|txt|json|cmake|d)")
WORD = re.compile(r"\w+(?:(?:->|\.)\w+)*(?:\(\))?")


def tree(root):
    """Paths of files and folders, and all words of the sources."""
    files, folders, words = [], [], set()
    for folder, below, names in os.walk(root):
        below[:] = [name for name in below if name not in ("build", ".git", "out")]
        path = os.path.relpath(folder, root)
        folders.append(path)
        for name in names:
            files.append(os.path.normpath(os.path.join(path, name)))
            if path.startswith("tests"):
                words.add(os.path.basename(path) + "_" + os.path.splitext(name)[0])
            if name.endswith(SOURCES):
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                    words.update(re.findall(r"\w+", file.read()))
    return files, folders, words


def ends_with(paths, name):
    return any(fnmatch.fnmatch("/" + path, "*/" + name) for path in paths)


def is_there(name, files, folders, words):
    if "NAME" in name or re.fullmatch(r"[A-Z]+", os.path.basename(name).split(".")[0]):
        return True
    if name.endswith("/") and " " not in name:
        return ends_with(folders, name.rstrip("/"))
    if FILE.fullmatch(name) and ends_with(files, name):
        return True
    if WORD.fullmatch(name):
        return all(word in words for word in re.findall(r"\w+", name))
    return not FILE.fullmatch(name)


def unnamed_scenes(root):
    """Pages that should name all scenes, and those they lack."""
    scenes = [name[:-5] for name in os.listdir(os.path.join(root, "scenes"))
              if name.endswith(".json")]
    for page in ("README.md", "docs/gallery.md"):
        with open(os.path.join(root, page), encoding="utf-8") as file:
            named = set(re.findall(r"`(\w+)`", file.read()))
        yield from ((page, name) for name in sorted(set(scenes) - named))


def main():
    root, *pages = sys.argv[1:]
    known = tree(root)
    missing = count = 0
    for page in pages:
        with open(os.path.join(root, page), encoding="utf-8") as file:
            text = re.sub(r"^(```.*?^```$|    [^\n]*)", "", file.read(), flags=re.M | re.S)
        for name in re.findall(r"`([^`\n]+)`", text):
            count += 1
            if not is_there(name, *known):
                missing += 1
                print(f"{page}: there is no {name}")
    print(f"{count} names, {missing} of them nowhere")
    unnamed = list(unnamed_scenes(root))
    for page, name in unnamed:
        print(f"{page}: does not name the scene {name}")
    return 1 if missing or unnamed else 0


if __name__ == "__main__":
    sys.exit(main())
