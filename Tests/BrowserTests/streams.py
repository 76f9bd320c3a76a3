"""Many listeners, many sessions at 1 Hz: every listener gets every sample soon.

usage: python3 Tests/BrowserTests/streams.py [PATH OF entrain-monitor] [--clients N] [--sessions N] [--seconds N]
"""
import argparse
import asyncio
import json
import os
import sys
import time

from monitor import Monitor, program


async def listen(port, session, delays, counts, ready):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    writer.write(f"GET /api/sessions/{session}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    ready.release()
    try:
        while True:
            line = await reader.readline()
            if not line:
                counts["ended"] += 1
                return
            if line.startswith(b"data: ") and b'"bpm"' in line:
                delays.append(time.time() - json.loads(line[6:])["t"])
    finally:
        writer.close()


async def send(port, session, seconds, phase, sent):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await asyncio.sleep(phase)
    begin = time.time()
    for second in range(seconds):
        await asyncio.sleep(max(0, begin + second - time.time()))
        body = json.dumps({"bpm": 60 + second % 60, "t": time.time()})
        writer.write((f"POST /api/sessions/{session}/heart-rate HTTP/1.1\r\nHost: localhost\r\n"
                      f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 201 " in head, head
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        await reader.readexactly(length)
        sent.append(session)
    writer.close()


def used(process):
    """Seconds of processor time so far, and resident bytes."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{process}/status") as file:
        resident = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), resident * 1024


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("--clients", type=int, default=500)
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=30)
    asked = parser.parse_args()
    monitor = Monitor(program([asked.program] if asked.program else []))
    for number in range(asked.sessions):
        assert monitor.post("/api/sessions", {"id": f"run-{number}"}) == 201
    delays, counts, sent, ready = [], {"ended": 0}, [], asyncio.Semaphore(0)
    listeners = [asyncio.create_task(listen(monitor.port, f"run-{n % asked.sessions}", delays, counts, ready))
                 for n in range(asked.clients)]
    for _ in range(asked.clients):
        await ready.acquire()
    await asyncio.sleep(1)
    before, began = used(monitor.process.pid)[0], time.time()
    await asyncio.gather(*(send(monitor.port, f"run-{n}", asked.seconds, n / asked.sessions, sent)
                           for n in range(asked.sessions)))
    await asyncio.sleep(1.5)
    after, resident = used(monitor.process.pid)
    cores = (after - before) / (time.time() - began)
    for task in listeners:
        task.cancel()
    monitor.stop()
    wanted = sum(len(range(n, asked.clients, asked.sessions)) for n in range(asked.sessions)) * asked.seconds
    delays.sort()
    print(f"{asked.clients} listeners, {asked.sessions} sessions, {asked.seconds} s: {len(delays)} of {wanted} samples, "
          f"median {delays[len(delays) // 2] * 1000:.1f} ms, 99 % {delays[len(delays) * 99 // 100] * 1000:.1f} ms, "
          f"worst {delays[-1] * 1000:.0f} ms, {cores:.2f} cores, {resident / 1e6:.0f} MB, {counts['ended']} dropped")
    sys.exit(0 if len(delays) == wanted and delays[-1] < 1 else 1)


asyncio.run(main())
