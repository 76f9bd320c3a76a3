"""Sixteen programs allocate 200 participants from one ledger; two of them are killed in the middle. Afterwards one more
asks for all participants again. Usage: race.py ALLOCATE_MANY LEDGER"""

import array
import fcntl
import os
import signal
import subprocess
import sys
import termios

program, ledger = sys.argv[1:]
codes = [f"P{number:03}" for number in range(1, 201)]
shares = [codes[first::16] for first in range(16)]
told = {}


def narrow():
    """A pipe with room for about five lines: who writes more waits, and cannot be done before it is killed."""
    pipe = os.pipe()
    size = fcntl.fcntl(pipe[1], fcntl.F_SETPIPE_SZ, 4096)
    os.write(pipe[1], b"\n" * (size - 80))
    return *pipe, size


def begun(share, out=subprocess.PIPE):
    return subprocess.Popen([program, ledger, *share], stdout=out, text=True)


def note(line):
    _, participant, arm = line.split()
    assert told.setdefault(participant, arm) == arm, f"{participant} has two arms"


pipes = {place: narrow() for place in (3, 11)}
running = [begun(share, *pipes[place][1:2] if place in pipes else ()) for place, share in enumerate(shares)]
for place, (read, write, size) in pipes.items():
    os.close(write)
    full = array.array("i", [0])
    while full[0] < size - 20 and running[place].poll() is None:
        fcntl.ioctl(read, termios.FIONREAD, full)
        os.sched_yield()
    running[place].kill()
    running[place].stdout = os.fdopen(read)
for one in running:
    for line in one.stdout:
        # What a killed program wrote last may be cut off.
        if line.endswith("\n") and line != "\n":
            note(line)
    one.wait()
assert [one.returncode for one in running].count(-signal.SIGKILL) == 2, [one.returncode for one in running]
again = subprocess.run([program, ledger, *codes], capture_output=True, text=True)
assert again.returncode == 0, again.stdout
for line in again.stdout.splitlines():
    note(line)
print(len(told), "allocated")
