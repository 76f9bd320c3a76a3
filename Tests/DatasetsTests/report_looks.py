"""Lays reports and protocol pages out in headless Chromium, narrow and wide, light and dark, and looks at what a reader would stumble over.

    python3 Tests/DatasetsTests/report_looks.py ENTRAIN [PICTURES]

Ends with 1 where texts of a picture overlap each other or leave it, where a page is wider than its window, where an axis
has no unit, where anything but warnings stands before the answer, where a clip with a title goes by its identifier, where
headings or tables say too little to a screen reader, or where paper folds something away. PICTURES is a folder that screenshots go to, to be looked at.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from urllib.parse import unquote

entrain = os.path.abspath(sys.argv[1])
pictures = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
browser = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
if not browser:
    print("skipped: Chromium is not installed")
    sys.exit(0)

MEASURE = """<script>
const shown = document.querySelector('main').cloneNode(true);
shown.querySelectorAll('code, details').forEach(e => e.remove());
const inPage = [...document.querySelectorAll('.answer, table, figure')];
const levels = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(h => +h.tagName[1]);
const found = {wide: document.scrollingElement.scrollWidth - innerWidth, words: shown.textContent,
  first: inPage.length ? inPage[0].className : '', answer: document.querySelector('section h2 ~ .answer')?.closest('section') === document.querySelector('section'),
  jumps: levels.filter((level, i) => level > (i ? levels[i - 1] : 0) + 1).length, bare: document.querySelectorAll('th:not([scope])').length,
  folded: [...document.querySelectorAll('details')].filter(d => [...d.children].some(c => c.tagName != 'SUMMARY' && !c.checkVisibility())).length,
  pictures: [...document.querySelectorAll('svg[role=img]')].map(p => p.getAttribute('aria-label')), overlaps: [], outside: [], texts: []};
for (const picture of document.querySelectorAll('svg')) {
  const frame = picture.getBoundingClientRect();
  const boxes = [...picture.querySelectorAll('text')].filter(t => t.textContent.trim()).map(t => [t.textContent, t.getBoundingClientRect()]);
  found.texts.push(boxes.map(b => b[0]));
  const scale = frame.width / (picture.viewBox.baseVal ? picture.viewBox.baseVal.width || frame.width : frame.width);
  const slack = 2 * scale;
  for (const [text, box] of boxes)
    if (box.left < frame.left - slack || box.right > frame.right + slack || box.top < frame.top - slack || box.bottom > frame.bottom + slack) found.outside.push(text);
  for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
    const [a, b] = [boxes[i][1], boxes[j][1]];
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2 * slack)
      found.overlaps.push(boxes[i][0] + ' | ' + boxes[j][0]);
  }
}
parent.postMessage(encodeURIComponent(JSON.stringify(found)), '*');
</script></body>"""
# No window of Chromium is as narrow as a telephone, but a frame may be.
FRAME = """<script>addEventListener('message', e => { document.title = 'found=' + e.data; });</script>
<iframe src="measured.html" style="border: 0; width: WIDTHpx; height: 900px"></iframe>"""

STUDY = """
entrain: 1
study: {{identifier: {study}, title: T, seed: 3}}
sources: {{heartRate: {{type: simulated, restingRate: 64{more}}}}}
tasks:
  - identifier: task
    steps:
      - type: active
        identifier: {step}
        title: Ride
        duration: {duration}
        recorders: [{{type: heartRate, identifier: heartRate}}]
      - {{type: question, identifier: mood, title: Mood, answer: {{text: {{}}}}}}
      - {{type: completion, identifier: done, title: Done}}
"""
problems = 0


def check(holds, what, detail):
    global problems
    if not holds:
        problems += 1
        print(f"FAIL  {what}: {detail}", flush=True)


def rehearse(study, out, participants):
    done = subprocess.run([entrain, "rehearse", study, "--participants", str(participants), "--out", out], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"cannot rehearse {study}: {done.stdout}{done.stderr}")
    return out


def report(work, name, source):
    page = f"{work}/{name}.html"
    done = subprocess.run([entrain, "report", source, "--include-simulated", "--out", page], capture_output=True, text=True)
    check(done.returncode == 0, name, done.stderr)
    return page


def chromium(work, width, height, dark, *words):
    scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
    return subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
         f"--user-data-dir={work}/profile", f"--window-size={width},{height}", *scheme, *words],
        capture_output=True, text=True, timeout=600)


def look(work, name, page, command):
    text = open(page).read()
    policy = "style-src 'unsafe-inline'"
    measured, frame = f"{work}/measured.html", f"{work}/frame.html"
    scripted = text.replace("</body>", MEASURE).replace(policy, policy + "; script-src 'unsafe-inline'")
    for width, dark in [(320, False), (390, True), (768, False), (1440, False), (1440, True), (794, "paper")]:
        open(measured, "w").write(scripted.replace("@media print", "@media screen") if dark == "paper" else scripted)
        open(frame, "w").write(FRAME.replace("WIDTH", str(width)))
        for _ in range(3):  # a browser on a busy machine gives up at times
            said = chromium(work, 1500, 1000, dark is True, "--virtual-time-budget=4000", "--dump-dom", f"file://{frame}").stdout
            found = re.search("<title>found=([^<]*)", said)
            if found:
                break
        label = f"{name} at {width} px" + (", dark" if dark is True else f", {dark}" if dark else "")
        if not found:
            check(False, label, "Chromium did not measure it")
            continue
        found = json.loads(unquote(found[1]))
        check(not found["overlaps"], label, f"texts overlap: {found['overlaps'][:5]}")
        check(not found["outside"], label, f"texts leave their picture: {found['outside'][:5]}")
        check(found["wide"] <= 0, label, f"the page is {found['wide']} px wider than its window")
        if command[0] == "report":
            check(found["answer"] and found["first"] == "answer", label, "the answer does not come first")
        known = sorted({word for word in re.findall(r"[a-z]+_preview_[0-9]+", found["words"])})
        check(not known, label, f"these have titles: {known}")
        check(not found["jumps"] and not found["bare"], label, "a heading skips a level, or a column's head has no scope")
        check(all(re.search(r"[0-9]|No ", words) for words in found["pictures"]), label, f"a picture without numbers: {found['pictures']}")
        check(bool(found["folded"]) != (dark == "paper") or "<details" not in text, label, f"{found['folded']} parts are folded")
        # Every chart with ticks says of both axes what they are in.
        for texts in found["texts"]:
            ticks = [t for t in texts if re.fullmatch(r"[−-]?\d+(\.\d+)?", t)]
            units = [t for t in texts if re.search(r", (1/min|min|min since.*|ms|s|%)$", t)]
            check(len(ticks) < 4 or units, label, f"an axis without a unit: {texts[:12]}")
        if pictures and width > 500 and dark != "paper":
            chromium(work, width, 2400, dark, f"--screenshot={pictures}/{name}-{width}{'-dark' if dark else ''}.png", f"file://{page}")
    printed = f"{work}/{name}.pdf"
    for _ in range(3):
        done = subprocess.run([entrain, *command, "--to", "pdf", "--out", printed], capture_output=True, text=True)
        if done.returncode != 69:
            break
    check(done.returncode == 0 and open(printed, "rb").read(5) == b"%PDF-", name, f"no PDF: {done.stderr}")
    if pictures:
        shutil.copy(printed, pictures)


with tempfile.TemporaryDirectory(prefix="entrain-looks-") as work:
    open(f"{work}/hello.html", "w").write("<p>Hello")
    if "Hello" not in chromium(work, 500, 500, False, "--dump-dom", f"file://{work}/hello.html").stdout:
        print("skipped: Chromium does not start here")
        sys.exit(0)
    if pictures:
        os.makedirs(pictures, exist_ok=True)
    crossover = f"{root}/Studies/music-crossover.yaml"
    written = {
        "hour": dict(study="an-hour", step="ride-for-a-whole-hour-on-the-bicycle-of-the-second-floor-lab-1", duration="60 min", more=""),
        "gaps": dict(study="gaps", step="rest", duration="3 min", more=", dropouts: 0.8"),
    }
    many, one = rehearse(crossover, f"{work}/many", 48), rehearse(crossover, f"{work}/one", 1)
    sources = {"session": f"{many}/{sorted(os.listdir(many))[0]}", "participants-48": many, "participants-1": one}
    for name, words in written.items():
        open(f"{work}/{name}.yaml", "w").write(STUDY.format(**words))
        folder = rehearse(f"{work}/{name}.yaml", f"{work}/{name}", 1)
        sources[name] = f"{folder}/{os.listdir(folder)[0]}"
    silent = "\n".join(line for line in STUDY.format(study="silent", step="rest", duration="20 s", more="").split("\n")
                       if "recorders" not in line and "sources" not in line)
    open(f"{work}/silent.yaml", "w").write(silent)
    sources["silent-many"] = rehearse(f"{work}/silent.yaml", f"{work}/silent", 2)
    sources["silent"] = f"{work}/silent/{sorted(os.listdir(f'{work}/silent'))[0]}"
    workout = rehearse(f"{root}/Studies/expected-workout.yaml", f"{work}/workout", 1)
    sources["workout"] = f"{workout}/{os.listdir(workout)[0]}"
    for name, source in sources.items():
        look(work, name, report(work, name, source), ["report", "--include-simulated", source])
    protocols = ["music-crossover", "expected-workout", "protocols/stress-and-music", "protocols/two-back-under-music"]
    for study in protocols:
        name, command = f"protocol-{os.path.basename(study)}", ["protocol", f"{root}/Studies/{study}.yaml"]
        done = subprocess.run([entrain, *command, "--out", f"{work}/{name}.html"], capture_output=True, text=True)
        check(done.returncode == 0, name, done.stderr)
        look(work, name, f"{work}/{name}.html", command)
print(f"{len(sources)} reports and {len(protocols)} protocol pages at five widths and schemes, and on paper: {problems} failures")
sys.exit(1 if problems else 0)
