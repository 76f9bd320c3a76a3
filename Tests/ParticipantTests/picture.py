"""Draws what a program shows on a terminal, as an SVG picture: run in tmux, with keys, on a dark or a light background.

    python3 Tests/ParticipantTests/picture.py out.svg --size 80x24 --background dark --keys Enter 1.5s Down \
        -- .build/debug/entrain run study.yaml --participant P01 --out out

`1.5s` among the keys is a pause. `--part 0,5,80,12` keeps those cells: the first column and row, columns, rows."""

import argparse
import re
import subprocess
import time
import unicodedata
from xml.sax.saxutils import escape

THEMES = {"dark": ("#1e1e2e", "#d6d9e6"), "light": ("#fdf6e3", "#3b4252")}
BASIC = ["#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa",
         "#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff"]
WIDTH, HEIGHT = 8.4, 18


def colour(index):
    """One of a terminal's 256 colours."""
    if index < 16:
        return BASIC[index]
    if index >= 232:
        return "#" + f"{8 + 10 * (index - 232):02x}" * 3
    parts = [(index - 16) // 36, (index - 16) // 6 % 6, (index - 16) % 6]
    return "#" + "".join(f"{55 + 40 * part if part else 0:02x}" for part in parts)


def styled(style, parameters):
    """A style, changed by the numbers of a command that ends in `m`."""
    numbers = [int(number or 0) for number in re.split("[;:]", parameters)]
    while numbers:
        number = numbers.pop(0)
        if number == 0:
            style = {}
        elif number in (38, 48):
            kind = numbers.pop(0)
            name = "front" if number == 38 else "back"
            style[name] = colour(numbers.pop(0)) if kind == 5 else "#" + "".join(
                f"{numbers.pop(0):02x}" for _ in range(3))
        elif 30 <= number <= 37 or 90 <= number <= 97:
            style["front"] = colour(number - 30 if number < 90 else number - 82)
        elif 40 <= number <= 47 or 100 <= number <= 107:
            style["back"] = colour(number - 40 if number < 100 else number - 92)
        elif number in (39, 49):
            style.pop("front" if number == 39 else "back", None)
        else:
            name = {1: "bold", 4: "line", 7: "turned"}.get(number)
            gone = {22: "bold", 24: "line", 27: "turned"}.get(number)
            if name:
                style[name] = True
            style.pop(gone, None)
    return style


def cells(text, columns):
    """Rows of (character, style), as long as the terminal is wide."""
    style = {}
    for line in text.split("\n"):
        row = []
        for command, character in re.findall(r"\x1b\[([0-9;:]*)m|(.)", line):
            if not character:
                style = styled(dict(style), command)
            elif unicodedata.combining(character) and row:
                row[-1] = (row[-1][0] + character, row[-1][1])
            else:
                row.append((character, style))
                if unicodedata.east_asian_width(character) in "WF":
                    row.append(("", style))
        yield row + [(" ", {})] * (columns - len(row))


def drawn(rows, cursor, theme):
    back, front = theme
    columns = max(map(len, rows))
    parts = []
    for number, row in enumerate(rows):
        start = 0
        while start < len(row):
            end = start + 1
            while end < len(row) and row[end][1] == row[start][1]:
                end += 1
            text, style = "".join(character for character, _ in row[start:end]), row[start][1]
            ink, paper = style.get("front", front), style.get("back", back)
            if style.get("turned"):
                ink, paper = paper, ink
            x, y, width = start * WIDTH, number * HEIGHT, (end - start) * WIDTH
            if paper != back:
                parts.append(f'<rect x="{x:g}" y="{y}" width="{width:g}" height="{HEIGHT}" fill="{paper}"/>')
            if text.strip():
                lead, words = len(text) - len(text.lstrip()), text.strip()
                # Not every viewer keeps several spaces.
                words = escape(words.replace(" ", "\u00a0"))
                x, width = x + lead * WIDTH, len(text.strip()) * WIDTH
                more = (' font-weight="bold"' if style.get("bold") else "") + (
                    ' text-decoration="underline"' if style.get("line") else "")
                parts.append(f'<text x="{x:g}" y="{y + 14}" textLength="{width:g}" fill="{ink}"{more}>{words}</text>')
            start = end
    if cursor:
        parts.append(f'<rect x="{cursor[0] * WIDTH:g}" y="{cursor[1] * HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
                     f'fill="none" stroke="{front}"/>')
    width, height = columns * WIDTH + 16, len(rows) * HEIGHT + 16
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" font-family="DejaVu Sans Mono, monospace" '
        'font-size="14">',
        f'<rect width="{width:g}" height="{height}" rx="6" fill="{back}"/>', '<g transform="translate(8 8)">',
        *parts, "</g>", "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture")
    parser.add_argument("--size", default="80x24")
    parser.add_argument("--background", choices=THEMES, default="dark")
    parser.add_argument("--keys", nargs="*", default=[])
    parser.add_argument("--part")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    columns, rows = map(int, options.size.split("x"))
    back, front = THEMES[options.background]

    def tmux(*words):
        return subprocess.run(["tmux", "-L", "picture", "-f", "/dev/null", *words], check=True, stdout=subprocess.PIPE,
                              text=True).stdout

    tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), "sleep 600", ";",
         "set", "-g", "remain-on-exit", "on", ";", "set", "-g", "default-terminal", "tmux-256color", ";", "set", "-g", "window-style", f"bg={back},fg={front}")
    try:
        tmux("respawn-pane", "-k", *options.command)
        for key in ["2s", *options.keys]:
            if re.fullmatch(r"[\d.]+s", key):
                time.sleep(float(key[:-1]))
            else:
                tmux("send-keys", key)
                time.sleep(0.2)
        shown = list(cells(tmux("capture-pane", "-p", "-e", "-N").rstrip("\n"), columns))
        place = tmux("display", "-p", "#{cursor_flag} #{cursor_x} #{cursor_y}").split()
    finally:
        tmux("kill-server")
    shown += [[(" ", {})] * columns] * (rows - len(shown))
    left, top, width, height = map(int, options.part.split(",")) if options.part else (0, 0, columns, rows)
    cursor = (int(place[1]) - left, int(place[2]) - top) if place[0] == "1" else None
    with open(options.picture, "w") as file:
        file.write(drawn([row[left:left + width] for row in shown[top:top + height]], cursor, THEMES[options.background]))


if __name__ == "__main__":
    main()
