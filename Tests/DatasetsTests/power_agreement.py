"""Compares `entrain power` with the noncentral t of SciPy.

    python3 Tests/DatasetsTests/power_agreement.py ENTRAIN [--studies 2000]

A plain crossover of two clips, and a group that is measured before and during a clip, are simulated with an effect. Power
must be that of the noncentral t with the standard error that the simulation had, within its own 99.9 % error plus two
points; so must the share that is found without any effect. The hearts are those of `entrain rehearse`: the difference
that is found must be the effect, to a fifth. Ends with 1 where anything differs.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile

from scipy import stats

parser = argparse.ArgumentParser()
parser.add_argument("entrain")
parser.add_argument("--studies", type=int, default=30)
given = parser.parse_args()
problems = []

FRAME = """entrain: 1
study: {{identifier: {name}, title: Power, seed: 3}}
sources: {{heartRate: {{type: simulated}}}}
outcomes: {{primary: {{measure: heartRate, of: listen{relative}}}}}
conditions:
  pieces: {{rows: [{{identifier: slow}}, {{identifier: fast}}]}}
tasks:
  - identifier: Task
    steps:
{steps}
      - {{type: completion, identifier: end}}
"""
HEART = "recorders: [{type: heartRate, identifier: heartRate}, {type: rrIntervals, identifier: beats}]"
CROSSOVER = f"""      - type: block
        identifier: period
        forEach: pieces
        order: {{draw: latinSquare}}
        steps:
          - {{type: active, identifier: listen, duration: 40 s, {HEART}}}"""
GROUP = f"""      - {{type: active, identifier: rest, duration: 40 s, {HEART}}}
      - {{type: active, identifier: listen, duration: 40 s, {HEART}}}"""


def power(effect, error, df):
    """The share of noncentral t beyond the limits of a test at 5 %."""
    limit, shift = stats.t.ppf(0.975, df), effect / error
    return stats.nct.sf(limit, df, shift) + stats.nct.cdf(-limit, df, shift)


def simulate(folder, name, text, effect):
    path = f"{folder}/{name}.yaml"
    open(path, "w").write(text)
    said = subprocess.run(
        [given.entrain, "power", path, "--effect", f"{effect}bpm", "--differing", "0", "--participants", "8,14,20", "--studies",
         str(given.studies), "--format", "json"], capture_output=True, text=True)
    if said.returncode:
        sys.exit(f"{name}: {said.stderr}{said.stdout}")
    told = json.loads(said.stdout)
    for design in told["designs"]:
        # The crossover's model also adjusts for the place.
        df = design["participants"] - (2 if name == "crossover" else 1)
        for key, wanted in (("power", power(effect, design["meanError"], df)), ("withoutEffect", 0.05)):
            error = 3.29 * math.sqrt(wanted * (1 - wanted) / given.studies)
            found = design[key]["share"]
            line = f"{name} {design['participants']}: {key} {found:.3f}, noncentral t {wanted:.3f}"
            print(line)
            if abs(found - wanted) > error + 0.02:
                problems.append(line)
        if abs(design["meanEstimate"] - effect) > 0.2 * effect:
            problems.append(f"{name} {design['participants']}: estimate {design['meanEstimate']}, not {effect}")


with tempfile.TemporaryDirectory(prefix="entrain-power-") as folder:
    simulate(folder, "crossover", FRAME.format(name="crossover", relative="", steps=CROSSOVER), 1.5)
    simulate(folder, "group", FRAME.format(name="group", relative=", relativeTo: rest", steps=GROUP), 1.5)
for problem in problems:
    print("NOT AS IT SHOULD BE:", problem)
print(f"power of two designs beside the noncentral t, {given.studies} studies each: {len(problems)} differ")
sys.exit(1 if problems else 0)
