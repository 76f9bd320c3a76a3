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

/// A piece of a text: from `start` up to, but not including, `end`.
package struct SourceRange: Hashable, Sendable {
    package var start: SourcePlace
    package var end: SourcePlace

    package init(start: SourcePlace, end: SourcePlace) {
        self.start = start
        self.end = end
    }
}
