/// A place in a text: line and column, both from 1; the column counts Unicode scalars.
package struct SourcePlace: Hashable, Comparable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static func < (left: SourcePlace, right: SourcePlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A part of a text, from `start` up to, but not including, `end`.
package struct SourceRange: Hashable, Sendable {
    package var start: SourcePlace
    package var end: SourcePlace

    package init(start: SourcePlace, end: SourcePlace) {
        self.start = start
        self.end = end
    }
}

/// The text of a line around a place, without its line break.
package struct SourceLine: Hashable, Sendable {
    package var text: String
    /// The column of the first character of `text`; above 1 if the line is too long to be kept whole.
    package var column: Int
    /// Whether the line continues after `text`.
    package var goesOn: Bool

    package init(_ text: String, column: Int = 1, goesOn: Bool = false) {
        self.text = text
        self.column = column
        self.goesOn = goesOn
    }
}
