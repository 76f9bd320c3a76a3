/// A source that cannot work.
package struct SourceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do, in a sentence or two.
    package var description: String
    /// Whether the data are at fault (exit 65) rather than a missing file or device (exit 69).
    package var isBadData: Bool

    package init(_ description: String, isBadData: Bool = false) {
        self.description = description
        self.isBadData = isBadData
    }
}
