import TextFormat

/// The size of a terminal, in character cells; at least 1 × 1.
package struct TerminalSize: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}

/// Everything that a terminal is to show at one moment.
package struct Frame: Hashable, Sendable {
    /// At most as many as the terminal has rows, none wider than it has columns.
    package var lines: [StyledLine]
    /// Where typing goes on, from 0; `nil` if nothing is being typed.
    package var cursor: Position?
    /// Counts the bells that were rung so far.
    package var bells: Int
    /// Whether the terminal is to tell where the pointer is pressed.
    package var wantsPointer = false

    package struct Position: Hashable, Sendable {
        package var row: Int
        package var column: Int
    }
}
