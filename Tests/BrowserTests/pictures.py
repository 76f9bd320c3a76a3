"""Makes the pictures of the monitor's pages for the documentation: both pages at 390 and 1440 px, light and dark, and the wall.

usage: python3 Tests/BrowserTests/pictures.py [PATH OF entrain-monitor] [--out FOLDER]
Needs what the tests of pages need, and Pillow (pip install pillow), which makes the files small.
"""
import argparse
import atexit
import io
import os
import sys
import time

import pages
import scene
from monitor import Monitor, program
from playwright.sync_api import sync_playwright

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LARGEST = 600_000


def keep(picture, path):
    """With 192 colours of its own, as PNG: flat areas and thin lines lose nothing that an eye sees."""
    from PIL import Image
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(192, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)


class Studio:
    def __init__(self, path, out):
        self.path, self.out, self.size = path, out, 0

    def monitor(self, count):
        """A monitor with so many rooms that tell it of their runs, and who reads there."""
        made = Monitor(self.path)
        tokens = [made.token("ingest", f"room-{number + 1}") for number in range(count)]
        reader, self.keeper = made.token("control", "anna"), made.token("delete", "kim")
        made.stop()
        made = Monitor(self.path, "--host", "0.0.0.0", "--insecure", data=made.folder, zone=pages.noon_zone())
        atexit.register(made.process.kill)
        made.url = made.url.replace("0.0.0.0", "localhost")
        return made, tokens, reader

    def take(self, browser, monitor, reader, path, name, sizes, act=lambda page: None, part=None):
        for width, height in sizes:
            for scheme in ("light", "dark"):
                context = browser.new_context(
                    locale="en-GB", viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=width < 500, is_mobile=width < 500)
                if reader:
                    context.add_cookies([monitor.cookie(reader)])
                page = context.new_page()
                page.goto(monitor.url + path)
                act(page)
                page.wait_for_timeout(1500)
                # A name that ends in ~dark is that of the same picture for readers in the dark.
                file = f"{self.out}/{name}-{width}{'~dark' if scheme == 'dark' else ''}.png"
                keep((page.locator(part) if part else page).screenshot(), file)
                self.size += os.path.getsize(file)
                print(f"{file}: {os.path.getsize(file)} bytes")
                context.close()


def open_lists(page):
    for name in ("progress", "finished", "deletions"):
        page.click(f"#{name} summary")
    page.wait_for_selector("#deleted tr")
    page.wait_for_selector("#finished-sessions tr >> nth=2")
    # Only the lists are in the picture, which the head must not hide.
    page.evaluate("document.querySelector('.top').hidden = true")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--out", default=f"{ROOT}/Sources/Documentation/Entrain.docc/Resources")
    asked = parser.parse_args()
    reason = pages.missing()
    if reason:
        sys.exit(f"no pictures: {reason}")
    studio = Studio(program([asked.program] if asked.program else []), asked.out)
    with sync_playwright() as playwright:
        browser = pages.launch(playwright)
        for count, path, name, sizes in ((8, "/#session=run-0", "monitor-live", ((390, 844), (1440, 1380))), (24, "/?wall", "monitor-wall", ((1440, 810),))):
            monitor, tokens, reader = studio.monitor(count)
            rooms = scene.Rooms(monitor, count, tokens)
            # Until the killed run is known to be gone.
            time.sleep(6)
            studio.take(browser, monitor, reader, path, name, sizes, lambda page: page.wait_for_selector(".card[data-state=lost]"))
            if name == "monitor-live":
                scene.fill_lists(monitor, tokens[0], studio.keeper)
                studio.take(browser, monitor, studio.keeper, "/", "monitor-lists", ((1440, 1400),), open_lists, "#lists")
            rooms.end()
            monitor.stop()
        monitor = Monitor(studio.path, zone=pages.noon_zone())
        atexit.register(monitor.process.kill)
        for back in range(7):
            scene.fill_day(monitor, back)
        date = monitor.get("/api/days/today")["date"]
        for _ in range(3):
            date = monitor.get(f"/api/days/{date}")["previous"]
        studio.take(browser, monitor, None, f"/history?participant=P017&date={date}", "monitor-history", ((390, 844), (1440, 800)),
                    lambda page: page.wait_for_selector(".marker.note"))
        monitor.stop()
        browser.close()
    print(f"{studio.size} bytes in all")
    if studio.size > LARGEST:
        sys.exit(f"these are more than {LARGEST} bytes")


main()
