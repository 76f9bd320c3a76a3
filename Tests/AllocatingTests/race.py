"""Sixteen programs allocate 200 participants from one ledger; two of them are killed in the middle. Afterwards one more
asks for all participants again. Usage: race.py ALLOCATE_MANY LEDGER"""

import signal
import subprocess
import sys

program, ledger = sys.argv[1:]
codes = [f"P{number:03}" for number in range(1, 201)]
shares = [codes[first::16] for first in range(16)]
running = [subprocess.Popen([program, ledger, *share], stdout=subprocess.PIPE, text=True) for share in shares]
told = {}


def note(line):
    _, participant, arm = line.split()
    assert told.setdefault(participant, arm) == arm, f"{participant} has two arms"


for killed in running[3], running[11]:
    for _ in range(4):
        note(killed.stdout.readline())
    killed.kill()
for one in running:
    for line in one.stdout:
        # What a killed program wrote last may be cut off.
        if line.endswith("\n"):
            note(line)
    one.wait()
assert [one.returncode for one in running].count(-signal.SIGKILL) == 2, [one.returncode for one in running]
again = subprocess.run([program, ledger, *codes], capture_output=True, text=True)
assert again.returncode == 0, again.stdout
for line in again.stdout.splitlines():
    note(line)
print(len(told), "allocated")
