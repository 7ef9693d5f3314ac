"""The server of "sinew view", as a browser and as somebody hostile would talk to it.

    server.py SCRATCH SINEW
"""
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys

SCRATCH, SINEW = sys.argv[1:3]
SCENES = os.environ["SINEW_SCENES"]
SCENE = ('{"version": 1, "bodies": [{"name": "sheet", "mesh": {"shape": "grid"}, '
         '"material": {"kind": "cloth", "preset": "cotton"}}]}')
PAGE = os.path.join(SCRATCH, "page")


class Server:
    """The command, until the end of a with."""

    def __init__(self, *arguments):
        words = [SINEW, "view", "--port", "0", "--no-open", "--page", PAGE, *arguments]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.address = self.process.stdout.readline().decode().strip()
        self.port = int(re.match(r"http://127\.0\.0\.1:(\d+)/", self.address)[1])

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(20) == 0, self.process.stderr.read()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), 20)

    def ask(self, raw):
        """What comes back for bytes, until the server closes the connection."""
        with self.connect() as to:
            to.sendall(raw)
            answer = b""
            while chunk := to.recv(65536):
                answer += chunk
        return answer

    def get(self, path, method="GET", host=None, more=""):
        host = host or f"127.0.0.1:{self.port}"
        fields = f"Host: {host}\r\nConnection: close\r\n{more}"
        answer = self.ask(f"{method} {path} HTTP/1.1\r\n{fields}\r\n".encode())
        head, body = answer.split(b"\r\n\r\n", 1)
        return int(head.split()[1]), head.decode(), body


class Socket:
    """A WebSocket as a page has it."""

    def __init__(self, server, origin=None):
        self.to = server.connect()
        origin = origin or f"http://127.0.0.1:{server.port}"
        self.to.sendall(f"GET / HTTP/1.1\r\nHost: localhost:{server.port}\r\nUpgrade: websocket\r\n"
                        f"Connection: Upgrade\r\nOrigin: {origin}\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            byte = self.to.recv(1)
            if not byte:
                break
            head += byte
        self.status = int(head.split()[1])
        self.head = head.decode()
        self.sequence = 0

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.to.close()

    def send(self, data, kind=2, last=True):
        mask = os.urandom(4)
        size = len(data)
        if size < 126:
            length = bytes([0x80 | size])
        elif size < 65536:
            length = b"\xfe" + struct.pack(">H", size)
        else:
            length = b"\xff" + struct.pack(">Q", size)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self.to.sendall(bytes([(0x80 if last else 0) | kind]) + length + mask + masked)

    def exactly(self, count):
        data = b""
        while len(data) < count:
            chunk = self.to.recv(count - len(data))
            if not chunk:
                raise EOFError
            data += chunk
        return data

    def receive(self):
        first, size = self.exactly(2)
        if size == 126:
            size = struct.unpack(">H", self.exactly(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.exactly(8))[0]
        return first & 15, self.exactly(size)

    def call(self, name, numbers=(), blobs=()):
        """What the engine answers: whether it was done, numbers, blobs."""
        def padded(data):
            return data + bytes(-len(data) % 8)
        self.sequence += 1
        blobs = [blob.encode() if isinstance(blob, str) else blob for blob in blobs]
        data = struct.pack("<4I", self.sequence, len(name), len(numbers), len(blobs))
        data += padded(name.encode()) + struct.pack(f"<{len(numbers)}d", *numbers)
        data += b"".join(struct.pack("<2I", len(blob), 0) + padded(blob) for blob in blobs)
        self.send(data)
        kind, answer = self.receive()
        assert kind == 2
        sequence, done, count, blob_count = struct.unpack_from("<4I", answer)
        assert sequence == self.sequence
        values = struct.unpack_from(f"<{count}d", answer, 16)
        at, found = 16 + 8 * count, []
        for _ in range(blob_count):
            size = struct.unpack_from("<I", answer, at)[0]
            found.append(answer[at + 8:at + 8 + size])
            at += 8 + size + -size % 8
        assert at == len(answer)
        return done == 1, values, found


# ---- Files ----


def test_files(server):
    status, head, body = server.get("/")
    assert status == 200 and body == b"<p>page</p>" and "text/html" in head
    assert "Server: sinew" in head and "same-origin" in head
    status, head, body = server.get("/part/code.js?v=1")
    assert status == 200 and body == b"1" * 200000 and "text/javascript" in head
    status, head, body = server.get("/part/code.js", method="HEAD")
    assert status == 200 and body == b"" and "Content-Length: 200000" in head
    assert server.get("/missing.html")[0] == 404
    assert server.get("/part")[0] == 404
    assert server.get("/", method="POST")[0] == 405


def test_compressed_files(server):
    def get(encodings):
        return server.get("/part/code.js", more=f"Accept-Encoding: {encodings}\r\n")
    script = os.path.join(PAGE, "part/code.js")
    for ending, content in ((".br", "brotli"), (".gz", "gzip")):
        with open(script + ending, "w", encoding="ascii") as file:
            file.write(content)
    for encodings in ("gzip, deflate, br", "br", "gzip;q=0.5,br;q=1", "br;q=0.5"):
        status, head, body = get(encodings)
        assert status == 200 and body == b"brotli", encodings
        assert "Content-Encoding: br" in head and "text/javascript" in head
        assert "Vary: Accept-Encoding" in head and "Content-Length: 6\r" in head
    for encodings in ("gzip", "br;q=0, gzip", "brr, x;q=1, gzip", "gzip, br;q=0.000"):
        status, head, body = get(encodings)
        assert body == b"gzip" and "Content-Encoding: gzip" in head, encodings
    for encodings in ("", "deflate", "br;q=0, gzip;q=0", "identity", ";,;"):
        status, head, body = get(encodings)
        assert len(body) == 200000 and "Content-Encoding" not in head, encodings
    # What was compressed before the file changed is not sent.
    os.utime(script + ".br", (1, 1))
    assert get("br")[2][:1] == b"1"
    # Without the file there is nothing, as for those who take no compression.
    os.rename(script, script + ".away")
    assert get("br, gzip")[0] == 404
    os.rename(script + ".away", script)


def test_two_requests_on_one_connection(server):
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    answer = server.ask(f"GET / HTTP/1.1\r\n{host}\r\nGET / HTTP/1.1\r\n{host}Connection: close\r\n"
                        "\r\n".encode())
    assert answer.count(b"<p>page</p>") == 2


def test_nothing_outside_the_folder(server):
    for path in ("/../secret", "/..%2fsecret", "/%2e%2e/secret", "/part/../../secret", "/.hidden",
                 "//etc/passwd", "/%2fetc/passwd", "/part/%2e%2e%5csecret"):
        status, _, body = server.get(path)
        assert status in (400, 403) and b"secret" not in body, path
    # Links, to a file and to a folder, and what is no file.
    for path in ("/link", "/linked/secret", "/pipe"):
        assert server.get(path)[0] == 404, path


def test_other_names_of_this_machine(server):
    assert server.get("/", host=f"localhost:{server.port}")[0] == 200
    elsewhere = "elsewhere.example"
    for host in (elsewhere, f"{elsewhere}:{server.port}", "127.0.0.1", "127.0.0.1:1"):
        assert server.get("/", host=host)[0] == 421, host
    assert server.ask(b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 421")


def test_it_listens_on_loopback_alone(server):
    with open("/proc/net/tcp", encoding="ascii") as file:
        rows = [line.split()[1] for line in file if line.split()[3] == "0A"]
    assert f"0100007F:{server.port:04X}" in rows and f"00000000:{server.port:04X}" not in rows


def test_hostile_requests(server):
    assert server.ask(b"\r\n\r\n").startswith(b"HTTP/1.1 400")
    assert server.ask(b"GET / HTTP/1.1\r\n" + b"a" * 20000).startswith(b"HTTP/1.1 431")
    assert server.ask(b"G\0T / HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 400")
    # Many who say nothing keep nobody out for good: there is room after they have gone.
    silent = [server.connect() for _ in range(40)]
    for one in silent:
        one.close()
    assert server.get("/")[0] == 200


# ---- Messages ----


def test_pages_of_others_are_refused(server):
    for origin in ("http://elsewhere.example", "null", f"https://127.0.0.1:{server.port}",
                   f"http://127.0.0.1:{server.port}.elsewhere.example"):
        with Socket(server, origin) as page:
            assert page.status == 403, origin
    with Socket(server, f"http://localhost:{server.port}") as page:
        assert page.status == 101 and "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in page.head


def test_frames_and_pings(server):
    with Socket(server) as page:
        page.send(b"are you there", kind=9)
        assert page.receive() == (10, b"are you there")
        page.send(b"text is no call", kind=1)
        assert b"messages are binary" in page.receive()[1]
        # A call in parts, with a ping between them.
        call = struct.pack("<4I", 7, 4, 0, 0) + b"step\0\0\0\0"
        page.send(call[:5], last=False)
        page.send(b"", kind=9)
        page.send(call[5:], kind=0)
        assert page.receive() == (10, b"")
        answer = page.receive()[1]
        assert struct.unpack_from("<2I", answer) == (7, 0) and b"no scene is open" in answer
        page.send(b"\x03\xe8", kind=8)
        assert page.receive() == (8, b"\x03\xe8")
        assert page.to.recv(1) == b""


def test_what_breaks_the_rules_is_closed(server):
    for raw, reason in ((b"\x82\x01a", 1002), (b"\xf2\x81aaaaa", 1002),
                        (b"\x82\xff\x7f" + b"\xff" * 7 + b"aaaa", 1009), (b"\x80\x81aaaaa", 1002)):
        with Socket(server) as page:
            page.to.sendall(raw)
            assert page.receive() == (8, struct.pack(">H", reason)), raw
            assert page.to.recv(1) == b""


def test_calls_that_are_none(server):
    with Socket(server) as page:
        for data in (b"", b"\1", struct.pack("<4I", 1, 9, 0, 0), struct.pack("<4I", 1, 0, 9, 0),
                     struct.pack("<4I", 1, 0, 0, 1), struct.pack("<4I", 1, 2**31, 2**31, 2**31)):
            page.send(data)
            assert b"a message is no call" in page.receive()[1], data
        for name, numbers in (("step", [1]), ("nothing", []), ("frame", []), ("take", [0] * 6)):
            done, _, blobs = page.call(name, numbers)
            assert not done and blobs[0].decode() in (
                "the call has other arguments than it must have", "there is no such call")
        assert page.call("frame", [0, 0])[2] == [b"no scene is open"]
        assert page.call("scene")[2] == page.call("open", [], [""])[2] == [
            b"the command names no scene"]


def hash_of_command(name, frames):
    done = subprocess.run([SINEW, "run", name, "--frames", str(frames), "--format", "none",
                           "--picture", "none", "--out", SCRATCH, "--hash"],
                          capture_output=True, check=True, text=True)
    return re.findall(r"[0-9a-f]{16}", done.stdout)[-1]


def test_a_scene_runs_with_the_bits_of_the_command(server):
    with open(os.path.join(SCENES, "cloth.json"), encoding="utf-8") as file:
        text = file.read()
    with Socket(server) as page:
        done, _, blobs = page.call("open", [], ["", "cloth.json", text])
        assert done, blobs
        info = json.loads(blobs[0])
        for _ in range(3):
            done, numbers, _ = page.call("step")
            assert done and numbers[0] > 0
        assert page.call("hash")[2][0].decode() == hash_of_command("cloth", 3)
        _, numbers, blobs = page.call("frame", [0, 0])
        shapes = (len(numbers) - 2) // 13
        assert numbers[0] == 3 and len(blobs) == 8 * shapes >= 8 * len(info["bodies"])
        assert len(blobs[1]) == 12 * numbers[5] and len(blobs[6]) == 12 * numbers[6]
        assert len(page.call("measure")[1]) == len(info["columns"])
        # Back to where it was, and on with the same bits.
        before = page.call("hash")[2][0]
        saved = page.call("save")[2][0]
        page.call("step")
        assert page.call("hash")[2][0] != before
        assert page.call("restore", [], [saved])[0] and page.call("hash")[2][0] == before
        assert not page.call("restore", [], [saved[:100]])[0]
        assert page.call("hash")[2][0] == before
        # A hand takes a vertex from above, and pulls it.
        x, y, z = struct.unpack_from("<3f", blobs[1])
        _, numbers, _ = page.call("take", [x, y + 1, z, 0, -1, 0, 0.05])
        assert numbers[0] >= 0
        assert page.call("move", [numbers[0], *(value + 0.3 for value in numbers[1:4])])[1] == (1,)
        page.call("step")
        page.call("release", [numbers[0], 0, 0, 0, 0])
        settings = [one["name"] for one in json.loads(page.call("settings")[2][0])]
        substeps = settings.index("substeps")
        assert not page.call("setSetting", [substeps, -5, 0, 0])[0]
        assert page.call("setSetting", [substeps, 7, 0, 0])[0]
        assert json.loads(page.call("settings")[2][0])[substeps]["value"] == [7]
        # What is behind the surface: as many lines as the types say, for links of two nodes.
        types = json.loads(page.call("types")[2][0])
        kind = next(one for one in types if one["name"] == "distance")
        assert len(page.call("links", [kind["type"]])[2][0]) == 28 * kind["count"]
        assert page.call("links", [-1])[2][0] == b"" and page.call("axes")[0]
        # NaN and numbers that no integer has.
        for bad in (float("nan"), float("inf"), 1e300):
            assert not page.call("move", [bad, 0, 0, 0])[0]


def test_a_broken_scene_and_the_one_before(server):
    with Socket(server) as page:
        text = SCENE.replace("cotton", "silkk")
        done, _, blobs = page.call("open", [], ["", "broken.json", text])
        assert not done and blobs[0].startswith(b"broken.json:1:") and b"silkk" in blobs[0], blobs
        assert page.call("step")[2] == [b"no scene is open"]


def test_a_scene_reads_what_was_sent_and_nothing_else(server):
    mesh = "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n"
    scene = SCENE.replace('"grid"', '"file", "path": "%s"')
    with Socket(server) as page:
        files = ["part/three.obj", mesh]
        done, _, blobs = page.call("open", [], ["", "s.json", scene % "part/three.obj", *files])
        assert done, blobs
        for path in (os.path.join(SCRATCH, "outside.obj"), "../outside.obj"):
            done, _, blobs = page.call("open", [], ["", "s.json", scene % path])
            assert not done and b"v 0 0 0" not in blobs[0], path
        for name in ("../s.json", "/s.json", "a/../s", ".s.json", "a//s", "a\\s.json", "a/", ""):
            assert not page.call("open", [], ["", name, scene % "three.obj"])[0], name


def test_more_pages_than_there_is_room_for(server):
    pages = [Socket(server) for _ in range(9)]
    assert [page.status for page in pages] == [101] * 8 + [503]
    for page in pages:
        page.to.close()


def test_nothing_is_left_behind():
    """Folders of sessions go with their pages, and with the server."""
    folder = os.path.join(SCRATCH, "temporary")
    os.makedirs(folder)
    os.environ["TMPDIR"] = folder
    with Server() as server:
        first, second = Socket(server), Socket(server)
        for page in (first, second):
            assert page.call("open", [], ["", "a/s.json", SCENE])[0]
        assert len(os.listdir(folder)) == 2
        first.to.close()
        assert second.call("step")[0]
        server.get("/")
        assert len(os.listdir(folder)) == 1
    assert os.listdir(folder) == []


def test_the_scene_of_the_command():
    with Server("rope", "--threads", "1") as server:
        assert server.address.endswith("/?engine=machine#command")
        with Socket(server) as page:
            name, text = page.call("scene")[2]
            assert name == b"rope.json" and json.loads(text)["version"] == 1
            assert page.call("open", [], [""])[0] and page.call("step")[0]
            assert page.call("hash")[2][0].decode() == hash_of_command("rope", 1)


def test_the_cache_of_the_command():
    folder = os.path.join(SCRATCH, "run")
    subprocess.run([SINEW, "run", os.path.join(SCENES, "rope.json"), "--frames", "4", "--format",
                    "cache", "--picture", "none", "--out", folder], check=True, capture_output=True)
    name = next(name for name in os.listdir(folder) if name.endswith(".snc"))
    with Server(os.path.join(folder, name)) as server, Socket(server) as page:
        assert page.call("scene")[2] == [name.encode(), b"{}"]
        done, _, blobs = page.call("open", [], [""])
        assert done and json.loads(blobs[0])["playback"] and json.loads(blobs[0])["frames"] == 4
        for frame in range(5):
            numbers = page.call("frame", [0, 0])[1]
            assert numbers[0] == frame
            assert page.call("step")[0]
        assert not page.call("restore", [], [b"\x05\0\0\0"])[0]
        assert page.call("restore", [], [b"\x01\0\0\0"])[0]
        assert page.call("frame", [0, 0])[1][0] == 1
        # Whatever needs a world is refused or finds nothing, and nothing breaks.
        assert not page.call("setSetting", [0, 1, 1, 1])[0]
        assert not page.call("dropBall", [0, 1, 0, 0, 0, 0, 0.1])[0]
        assert page.call("take", [0, 9, 0, 0, -1, 0, 0.1])[1] == (-1,)
        for call, numbers in (("types", []), ("links", [0]), ("axes", []), ("contacts", []),
                              ("measure", []), ("settings", []), ("bodyFields", [0]), ("hash", []),
                              ("held", [0]), ("move", [0, 1, 1, 1]), ("release", [0, 0, 0, 0, 0]),
                              ("togglePin", [0, 9, 0, 0, -1, 0, 0.1]), ("cut", [0, 1] * 6 + [9])):
            page.call(call, numbers)
        assert not page.call("setBodyField", [0, 0, 1], ["compliance"])[0]
        assert page.call("frame", [2, 1])[0]


def test_the_recording_of_the_command():
    path = os.path.join(SCRATCH, "rope.reco")
    subprocess.run([SINEW, "run", os.path.join(SCENES, "rope.json"), "--frames", "3", "--format",
                    "none", "--picture", "none", "--out", SCRATCH, "--record", path], check=True,
                   capture_output=True)
    with Server(path) as server, Socket(server) as page:
        assert page.call("scene")[2] == [b"rope.reco", b"{}"]
        done, _, blobs = page.call("open", [], [""])
        assert done and json.loads(blobs[0])["repeats"] and json.loads(blobs[0])["frames"] == 3
        for _ in range(4):
            assert page.call("step")[0]
        assert page.call("frame", [2, 1])[1][0] == 3
        assert page.call("hash")[2][0].decode() == hash_of_command("rope", 3)
        # What would change the world is refused, and it stays what was recorded.
        assert not page.call("setSetting", [0, 1, 1, 1])[0]
        assert not page.call("dropBall", [0, 1, 0, 0, 0, 0, 0.1])[0]
        assert page.call("take", [0, 9, 0, 0, -1, 0, 0.1])[1] == (-1,)
        assert not page.call("restore", [], [b"no bookmark"])[0]
        for call, numbers in (("types", []), ("axes", []), ("contacts", []), ("measure", []),
                              ("settings", []), ("bodyFields", [0]),
                              ("togglePin", [0, 9, 0, 0, -1, 0, 0.1])):
            page.call(call, numbers)
        assert page.call("hash")[2][0].decode() == hash_of_command("rope", 3)
    with open(path, "wb") as file:
        file.write(b"no recording")
    refused = subprocess.run([SINEW, "view", path, "--no-open"], capture_output=True, text=True)
    assert refused.returncode != 0 and "recording" in refused.stderr


def test_mistakes():
    def run(*words):
        done = subprocess.run([SINEW, "view", *words], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr
    assert run("--page", SCRATCH)[0] == 1 and "./dev web" in run("--page", SCRATCH)[1]
    status, said = run("clothh", "--page", PAGE)
    assert status == 1 and 'did you mean "cloth"' in said
    assert run("--port", "70000")[0] == 2
    with Server() as server:
        status, said = run("--page", PAGE, "--port", str(server.port))
        assert status == 1 and "--port 0" in said


def make_page():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(os.path.join(PAGE, "part"))
    files = {"page/index.html": "<p>page</p>", "page/part/code.js": "1" * 200000,
             "page/.hidden": "secret", "secret": "secret", "outside.obj": "v 0 0 0"}
    for path, text in files.items():
        with open(os.path.join(SCRATCH, path), "w", encoding="ascii") as file:
            file.write(text)
    os.symlink(os.path.join(SCRATCH, "secret"), os.path.join(PAGE, "link"))
    os.symlink(SCRATCH, os.path.join(PAGE, "linked"))
    os.mkfifo(os.path.join(PAGE, "pipe"))


def main():
    make_page()
    tests = [test for name, test in globals().items() if name.startswith("test_")]
    with Server() as server:
        for test in tests:
            if test.__code__.co_argcount:
                test(server)
                print("ok", test.__name__)
    for test in tests:
        if not test.__code__.co_argcount:
            test()
            print("ok", test.__name__)


if __name__ == "__main__":
    main()
