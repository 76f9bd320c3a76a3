"""Many listeners, many sessions at 1 Hz: every listener gets every sample once, soon.

usage: python3 Tests/BrowserTests/streams.py [PATH OF entrain-monitor] [--clients N] [--sessions N] [--seconds N]
How soon is told; with ENTRAIN_JUDGE_SPEED=1 in the environment, on an idle machine, it is judged: within 1 s, at most
one core, at most 200 MB.
"""
import argparse
import asyncio
import json
import os
import sys
import time

from monitor import JUDGES_SPEED, PATIENCE, Monitor, program


class Listener:
    """Reads one session's events; where it is dropped it comes back and goes on where it was."""

    def __init__(self, port, session):
        self.port, self.session = port, session
        self.last, self.numbers, self.delays, self.drops = None, [], [], 0
        self.isListening = asyncio.Event()

    async def listen(self):
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
            after = f"Last-Event-ID: {self.last}\r\n" if self.last else ""
            writer.write(f"GET /api/sessions/{self.session}/events HTTP/1.1\r\nHost: localhost\r\n{after}\r\n".encode())
            try:
                await reader.readuntil(b"\r\n\r\n")
                self.isListening.set()
                async for line in reader:
                    if line.startswith(b"id: "):
                        self.last = int(line[4:])
                    if line.startswith(b"data: ") and b'"bpm"' in line:
                        self.numbers.append(self.last)
                        self.delays.append(time.time() - json.loads(line[6:])["t"])
            except (asyncio.IncompleteReadError, ConnectionError):
                pass
            finally:
                writer.close()
            self.drops += 1


async def send(port, session, seconds, phase):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await asyncio.sleep(phase)
    begin = time.monotonic()
    for second in range(seconds):
        await asyncio.sleep(max(0, begin + second - time.monotonic()))
        body = json.dumps({"bpm": 60 + second % 60, "t": time.time()})
        writer.write((f"POST /api/sessions/{session}/heart-rate HTTP/1.1\r\nHost: localhost\r\n"
                      f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 201 " in head, head
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        await reader.readexactly(length)
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
    listeners = [Listener(monitor.port, f"run-{n % asked.sessions}") for n in range(asked.clients)]
    tasks = [asyncio.create_task(listener.listen()) for listener in listeners]
    for listener in listeners:
        await asyncio.wait_for(listener.isListening.wait(), PATIENCE)
    before, began = used(monitor.process.pid)[0], time.monotonic()
    await asyncio.gather(*(send(monitor.port, f"run-{n}", asked.seconds, n / asked.sessions)
                           for n in range(asked.sessions)))
    after, resident = used(monitor.process.pid)
    cores = (after - before) / (time.monotonic() - began)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and any(len(listener.numbers) < asked.seconds for listener in listeners):
        await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    monitor.stop()
    isWhole = all(len(set(listener.numbers)) == len(listener.numbers) == asked.seconds for listener in listeners)
    delays = sorted(delay for listener in listeners for delay in listener.delays)
    isSoon = delays and delays[-1] < 1 and cores <= 1 and resident <= 200e6
    print(f"{asked.clients} listeners, {asked.sessions} sessions, {asked.seconds} s: {len(delays)} of "
          f"{asked.clients * asked.seconds} samples, {'each once' if isWhole else 'NOT each once'}, "
          f"median {delays[len(delays) // 2] * 1000:.1f} ms, 99 % {delays[len(delays) * 99 // 100] * 1000:.1f} ms, "
          f"worst {delays[-1] * 1000:.0f} ms, {cores:.2f} cores, {resident / 1e6:.0f} MB, "
          f"{sum(listener.drops for listener in listeners)} dropped, load {os.getloadavg()[0]:.1f}")
    sys.exit(0 if isWhole and (isSoon or not JUDGES_SPEED) else 1)


asyncio.run(main())
