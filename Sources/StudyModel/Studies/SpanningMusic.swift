/// Music that goes on over several steps, so that questions can be asked while it plays.
public struct SpanningMusic: Hashable, Sendable {
    /// Its name, unique in the task.
    public var identifier: Identifier
    /// The element of the task's own list with whose first step it begins.
    public var from: Identifier
    /// The element of the task's own list with whose end it stops.
    public var to: Identifier
    /// Which clip it is, and how it is played.
    public var use: Stimulus.Use

    public init(identifier: Identifier, from: Identifier, to: Identifier, use: Stimulus.Use) {
        (self.identifier, self.from, self.to, self.use) = (identifier, from, to, use)
    }
}
