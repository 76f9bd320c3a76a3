/// The size of a terminal, in character cells; at least 1 × 1.
package struct TerminalSize: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}

/// Everything that a terminal should show at one moment.
package struct Frame: Hashable, Sendable {
    /// At most as many lines as the terminal has rows, none wider than its columns.
    package var lines: [StyledLine]
    /// Where typing continues, from 0; `nil` if nothing is being typed.
    package var cursor: Position?
    /// How many bells have been rung so far.
    package var bells: Int
    /// Whether the terminal has to report where the pointer is pressed.
    package var wantsPointer = false
    /// Pictures, whose cells are blank in the lines.
    var images: [PlacedImage] = []

    package struct Position: Hashable, Sendable {
        package var row: Int
        package var column: Int
    }

    /// Shows a picture in place of what stands beside it, if there is room.
    mutating func show(_ placed: PlacedImage) {
        let rows = placed.position.row..<placed.position.row + placed.image.rows
        guard rows.upperBound <= lines.count else { return }
        for row in rows { lines[row] = .empty }
        images.append(placed)
    }

    /// A picture with the cell in its upper left corner.
    struct PlacedImage: Hashable, Sendable {
        var position: Position
        var image: RenderedImage
    }
}
