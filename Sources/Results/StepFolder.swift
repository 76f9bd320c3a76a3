package import StudyModel

/// The folder of one visit of a step.
package enum StepFolder {
    /// `steps/02-music`, `steps/03-listening.rest`: the visit's ordinal and the step's path.
    package static func path(ordinal: Int, path: [Identifier]) -> String {
        "\(parent)/\(padded(ordinal))-\(path.map(\.text).joined(separator: "."))"
    }

    /// Where they all lie.
    static let parent = "steps"

    /// At least two digits.
    static func padded(_ ordinal: Int) -> String { ordinal < 10 ? "0\(ordinal)" : "\(ordinal)" }
}

/// A visit as folders name it.
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
