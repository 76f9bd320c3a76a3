"""The page that says what a study does, of every study, on a telephone and a wide screen, light and dark: axe finds nothing
serious, nothing is wider than the window, no text of a picture lies over another, and paper shows all of it.

usage: python3 Tests/BrowserTests/test_protocol.py [PATH OF entrain-monitor]; entrain lies beside it.
With SCREENSHOTS=DIR in the environment, what was seen is kept there. Every second study is looked at in light and the others in
dark; with EVERY=1 all in both.
"""
import contextlib
import glob
import os
import subprocess
import tempfile
import unittest

from pages import PageCase, main

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OVERLAPS = """() => {
    const found = [];
    for (const picture of document.querySelectorAll("svg")) {
        const frame = picture.getBoundingClientRect();
        const texts = [...picture.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()]);
        // A picture that goes on below is cut between steps, so that each of its texts is whole in one of its parts.
        const seen = texts.filter(([, box]) => box.bottom > frame.top + 2 && box.top < frame.bottom - 2);
        for (const [text, box] of seen)
            if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2)
                found.push(`'${text}' leaves its picture`);
        for (let i = 0; i < seen.length; i++) for (let j = i + 1; j < seen.length; j++) {
            const [a, b] = [seen[i][1], seen[j][1]];
            if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4)
                found.push(`'${seen[i][0]}' and '${seen[j][0]}'`);
        }
    }
    return found;
}"""


class ProtocolPages(PageCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.pictures = os.environ.get("SCREENSHOTS")

    def studies(self):
        found = sorted(glob.glob(f"{ROOT}/Studies/*.yaml") + glob.glob(f"{ROOT}/Studies/protocols/*.yaml"))
        self.assertGreater(len(found), 15)
        entrain = os.path.join(os.path.dirname(os.path.abspath(self.program)), "entrain")
        for study in found:
            name = os.path.basename(study)[:-5]
            file = f"{self.folder.name}/{name}.html"
            made = subprocess.run([entrain, "protocol", study, "--out", file], capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, f"{name}: {made.stdout}{made.stderr}")
            yield name, file

    def test_every_study_on_every_screen_and_on_paper(self):
        schemes = ("light", "dark")
        for number, (name, file) in enumerate(self.studies()):
            seen = schemes if os.environ.get("EVERY") else (schemes[number % 2],)
            for width, scheme in ((width, scheme) for width in (390, 1440) for scheme in seen):
                with self.subTest(study=name, width=width, scheme=scheme), contextlib.closing(
                        self.browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)) as page:
                    asked = []
                    page.on("request", lambda request: asked.append(request.url))
                    page.goto(f"file://{file}")
                    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
                    beyond = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                    self.assertLessEqual(beyond, 0, "the page is wider than the window")
                    self.assertEqual(page.evaluate(OVERLAPS), [])
                    self.assertUsable(page, f"{name} at {width} px, {scheme}")
                    self.assertEqual(asked, [f"file://{file}"])
                    if self.pictures:
                        page.screenshot(path=f"{self.pictures}/protocol-{name}-{width}-{scheme}.png", full_page=True)
            with self.subTest(study=name, width="paper"), contextlib.closing(self.browser.new_page()) as page:
                page.goto(f"file://{file}")
                paper = page.pdf(prefer_css_page_size=True)
                self.assertGreater(len(paper), 5000)
                if self.pictures:
                    with open(f"{self.pictures}/protocol-{name}.pdf", "wb") as kept:
                        kept.write(paper)


if __name__ == "__main__":
    main()
