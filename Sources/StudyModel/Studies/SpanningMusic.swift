/// Music that goes on over several steps, so that questions can be asked while it plays.
public struct SpanningMusic: Hashable, Sendable {
    /// Its name, unique in the task.
    public var identifier: Identifier
    /// The element of the task's own list with whose first step it begins, or the block whose clip it is.
    public var from: Identifier
    /// The element of the task's own list with whose end it stops, or the block whose clip it is.
    public var to: Identifier
    /// Which clip it is, and how it is played.
    public var use: Stimulus.Use

    public init(identifier: Identifier, from: Identifier, to: Identifier, use: Stimulus.Use) {
        (self.identifier, self.from, self.to, self.use) = (identifier, from, to, use)
    }

    /// The clip of a block, or of a sound check.
    package init(of element: Identifier, _ use: Stimulus.Use) {
        self.init(identifier: element, from: element, to: element, use: use)
    }

    /// Whether it is the clip of the element with whose end it stops.
    package var isOwn: Bool { identifier == from && from == to }
}
