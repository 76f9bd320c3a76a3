package import StudyModel

/// The folder of one visit of a step.
package enum StepFolder {
    /// `steps/02-music`, `steps/03-listening.rest`: the visit's ordinal and the step's path.
    package static func path(ordinal: Int, path: [Identifier]) -> String {
        self.path(ordinal: ordinal, path: path.dotted)
    }

    /// The same for a path that is already joined.
    package static func path(ordinal: Int, path: String) -> String { "\(parent)/\(padded(ordinal))-\(path)" }

    /// The folder that contains them all.
    static let parent = "steps"

    /// The visit's ordinal, from the path of a file in its folder.
    static func ordinal(of path: String) -> Int {
        path.utf8.dropFirst(parent.utf8.count + 1).prefix { (0x30...0x39).contains($0) }
            .reduce(0) { $0 &* 10 &+ Int($1 - 0x30) }
    }

    /// At least two digits.
    static func padded(_ ordinal: Int) -> String { ordinal < 10 ? "0\(ordinal)" : "\(ordinal)" }
}

/// The parts of a visit's folder name.
package struct VisitName: Hashable, Sendable {
    /// Counts the visits of the run, from 1.
    package var ordinal: Int
    /// Identifiers from the task's list down to the step.
    package var path: [Identifier]

    package init(ordinal: Int, path: [Identifier]) {
        self.ordinal = ordinal
        self.path = path
    }
}
