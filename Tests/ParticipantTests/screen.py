"""What a terminal shows of the commands that the program sends: cell by cell, since only what has changed is sent."""

import re
import unicodedata


class Screen:
    """Rows of cells. `changed` are the rows that were written to since it was last emptied."""

    # Control sequences, and strings for the terminal itself; only some of the first change what is shown.
    COMMAND = re.compile(r"\x1b\[([<=>?]?)([0-9;]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[^\[\]]")

    def __init__(self, columns, rows):
        self.rest, self.changed = "", set()
        self.resize(columns, rows)

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[] for _ in range(rows)]
        self.row = self.column = 0

    def feed(self, text):
        text, self.rest = self.rest + text, ""
        place = 0
        while place < len(text):
            if text[place] == "\x1b":
                command = self.COMMAND.match(text, place)
                if not command:
                    self.rest = text[place:]
                    return
                if command[3]:
                    self.obey(command[1], command[2], command[3])
                place = command.end()
                continue
            if text[place] == "\n":
                self.row = min(self.row + 1, self.rows - 1)
            elif text[place] == "\r":
                self.column = 0
            elif text[place] >= " ":
                self.put(text[place])
            place += 1

    def put(self, character):
        if self.row >= self.rows:
            return
        line = self.cells[self.row]
        self.changed.add(self.row)
        if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
            if 0 < self.column <= len(line):
                line[self.column - 1] += character
            return
        line.extend(" " * (self.column - len(line)))
        width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        line[self.column:self.column + width] = [character, ""][:width]
        self.column += width

    def obey(self, private, parameters, final):
        if private:
            return
        numbers = [int(number or 0) for number in parameters.split(";")]
        if final == "H":
            self.row = max(numbers[0], 1) - 1
            self.column = max(numbers[1] if len(numbers) > 1 else 1, 1) - 1
        elif final == "K" and self.row < self.rows:
            line = self.cells[self.row]
            del line[0 if numbers[0] == 2 else self.column:]
            self.changed.add(self.row)
        elif final == "J":
            self.cells = [[] for _ in range(self.rows)]
            self.changed |= set(range(self.rows))

    @property
    def lines(self):
        return ["".join(line) for line in self.cells]

    @property
    def text(self):
        return "\n".join(self.lines)

    def rewritten(self):
        """The rows that have changed since this was last asked, as if they had been sent whole."""
        rows, self.changed = sorted(self.changed), set()
        return "".join(f"\x1b[{row + 1};1H\x1b[2K{''.join(self.cells[row])}" for row in rows)
