"""Requests that nobody should send: the right refusal, and the monitor answers on.

usage: python3 Tests/BrowserTests/hostile.py [PATH OF entrain-monitor]
With slowhttptest, also 200 connections that never finish their headers. How soon others are answered meanwhile is told;
with ENTRAIN_JUDGE_SPEED=1 in the environment, on an idle machine, it is judged: 99 % within 100 ms.
"""
import http.client
import select
import shutil
import socket
import subprocess
import sys
import time

from monitor import JUDGES_SPEED, PATIENCE, Monitor, program

# The seconds after which a connection is closed that has said nothing, whoever else is there.
HEADER_SECONDS = 10
HOST = b"Host: localhost\r\n"
POST = b"POST /addheartrate HTTP/1.1\r\n" + HOST
JSON = b"POST /api/sessions HTTP/1.1\r\n" + HOST


def whole(head, body):
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


CASES = [
    ("no request line", b"\r\n\r\n\x00\x01\x02\r\n\r\n", {400, None}),
    ("another protocol", b"SSH-2.0-OpenSSH_9\r\n\r\n", {400, None}),
    ("no Host", b"POST /addheartrate HTTP/1.1\r\nContent-Length: 2\r\n\r\n90", {400}),
    ("two Hosts", b"GET / HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n", {400}),
    ("a name that others gave this address", b"GET /api/sessions HTTP/1.1\r\nHost: evil.example\r\n\r\n", {403}),
    ("a page of another site", whole(POST + b"Origin: https://evil.example\r\n", b"90"), {403}),
    ("one huge field", b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 100_000 + b"\r\n\r\n", {400, 431}),
    ("5,000 fields", b"GET / HTTP/1.1\r\n" + HOST + b"A: b\r\n" * 5000 + b"\r\n", {400, 431}),
    ("an endless path", b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", {400, 404, 414, 431}),
    ("a length that is none", POST + b"Content-Length: two\r\n\r\n90", {400}),
    ("a negative length", POST + b"Content-Length: -1\r\n\r\n90", {400}),
    ("two lengths", POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n90", {400}),
    ("length and chunks", POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", {400}),
    ("chunks that are none", POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n90\r\n0\r\n\r\n", {400}),
    ("a body over the limit", POST + b"Content-Length: 1000001\r\n\r\n" + b"9" * 1000, {413}),
    ("chunks over the limit", POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"10000\r\n" + b"9" * 65536 + b"\r\n"
     + (b"10000\r\n" + b"9" * 65536 + b"\r\n") * 16 + b"0\r\n\r\n", {413}),
    ("no number", whole(POST, b"ninety"), {422}),
    ("bytes that are no text", whole(POST, b"\xff\xfe9\x000\x00"), {422}),
    ("half of JSON", whole(JSON, b'{"id":'), {400}),
    ("deep JSON", whole(JSON, b"[" * 100_000), {400}),
    ("JSON that is no UTF-8", whole(JSON, b'{"id":"\xff"}'), {400}),
    ("half a surrogate", whole(JSON, b'{"id":"\\ud800"}'), {400}),
    ("a key twice", whole(JSON, b'{"id":"a","id":"b"}'), {400}),
    ("a huge number", whole(JSON, b'{"id":"a","startedAt":1e999}'), {400}),
    ("a path up", b"GET /../../etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n", {400, 404}),
    ("an encoded path up", b"GET /assets/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n", {404}),
    ("a NUL in the path", b"GET /api/sessions/a%00b HTTP/1.1\r\n" + HOST + b"\r\n", {404}),
    ("an unknown method", b"BREW /addheartrate HTTP/1.1\r\n" + HOST + b"\r\n", {400, 405}),
]


def ask(port, request):
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        try:
            connection.sendall(request)
        except (ConnectionResetError, BrokenPipeError):
            pass  # whoever refuses a request need not hear all of it
        try:
            answer = connection.recv(4096)
        except ConnectionResetError:
            return None
    return int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else None


def quick(port):
    """Sorted milliseconds of 500 ordinary requests, one after another."""
    times = []
    for _ in range(500):
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("POST", "/addheartrate", "90")
        assert connection.getresponse().status == 204
        connection.close()
        times.append((time.monotonic() - began) * 1000)
    return sorted(times)


def closes_the_silent(port):
    """Whether an address that opens ever more connections, and says nothing over them, loses those beyond 100.

    All of them lose theirs after HEADER_SECONDS; a machine that takes longer until then has shown nothing, and tries again.
    """
    for _ in range(20):
        began = time.monotonic()
        silent = [socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) for _ in range(150)]
        closed = 0
        while closed < 50 and time.monotonic() - began < HEADER_SECONDS:
            closed = len(select.select(silent, [], [], 0.05)[0])
        isInTime = time.monotonic() - began < HEADER_SECONDS
        for connection in silent:
            connection.close()
        if closed >= 50 and isInTime:
            if closed == 50:
                return True
            print(f"150 silent connections of one address: {closed} of them were closed, not 50")
            return False
    print("150 silent connections of one address: all stay open")
    return False


def main():
    monitor = Monitor(program(sys.argv[1:]))
    failures = 0
    for name, request, allowed in CASES:
        status = ask(monitor.port, request)
        isRight = status in allowed and monitor.post("/addheartrate", "90") == 204
        failures += not isRight
        if not isRight:
            print(f"{name}: answered {status}, should be one of {allowed}")
    print(f"{len(CASES)} hostile requests, {failures} not refused as they should be")
    failures += not closes_the_silent(monitor.port)
    if shutil.which("slowhttptest"):
        alone = quick(monitor.port)
        for name, option in (("headers", "-H"), ("bodies", "-B"), ("reading", "-X")):
            attack = subprocess.Popen(
                ["slowhttptest", option, "-c", "200", "-r", "200", "-i", "1", "-l", "25", "-u",
                 f"http://localhost:{monitor.port}/" + ("addheartrate" if option == "-B" else "")],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(3)
            times = quick(monitor.port)
            print(f"200 slow {name}: ordinary requests' median {times[250]:.1f} ms, 99 % {times[495]:.1f} ms "
                  f"(alone {alone[250]:.1f} and {alone[495]:.1f} ms)", flush=True)
            failures += JUDGES_SPEED and times[495] > 100
            attack.terminate()
            attack.wait()
    monitor.stop()
    sys.exit(1 if failures else 0)


main()
