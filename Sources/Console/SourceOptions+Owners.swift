package import BundleReplay
import StudyEngine
package import StudyModel
import TextFormat

/// A source as the command line gives it.
package struct GivenSource {
    package let name: Identifier
    /// The companion whose source it is; `nil` for the first participant's.
    private(set) var owner: String?
    package let spec: String

    /// - Parameters:
    ///   - text: `NAME=SPEC`, or `NAME@CODE=SPEC`.
    ///   - others: the codes of the companions.
    package init(_ text: String, of others: [String]) throws(StudyFailure) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let head = parts.first else { throw Self.malformed(text) }
        guard let at = head.firstIndex(of: "@") else {
            guard let name = Identifier(head) else { throw Self.malformed(text) }
            (self.name, spec) = (name, parts[1])
            return
        }
        guard let name = Identifier(String(head[..<at])) else { throw Self.malformed(text) }
        // A code may have an equals sign in it.
        let rest = text[text.index(after: at)...]
        guard
            let owner = others.filter({ rest.hasPrefix($0 + "=") }).max(by: { $0.count < $1.count })
        else {
            throw StudyFailure(
                "'\(printable(text))' is the source of a participant whom no --with names; the first participant's "
                    + "sources have no @CODE", .usage)
        }
        (self.name, self.owner, spec) = (name, owner, String(rest.dropFirst(owner.count + 1)))
    }

    private static func malformed(_ text: String) -> StudyFailure {
        StudyFailure(
            "'\(printable(text))' is not a source: write NAME=SPEC, such as heartRate=replay:heart.csv",
            .usage)
    }
}

extension SourceOptions {
    /// All who have sources: the first participant, who is `nil`, and the others.
    package var owners: [String?] { [nil] + others }

    /// A source's name as it is given on the command line: `heartRate`, or `heartRate@P02`.
    package static func name(_ name: Identifier, of other: String?) -> String {
        other.map { "\(name)@\($0)" } ?? name.text
    }

    /// What the command line gives one participant; `nil` is the first.
    package func given(for other: String?) throws -> [GivenSource] {
        try sources.map { try GivenSource($0, of: others) }.filter { $0.owner == other }
    }

    /// Remarks on sources of a participant to which nothing in the task listens.
    ///
    /// - Throws: `StudyFailure` if the study knows no source of a name.
    package func mustBeUsed(by study: Study, _ plan: RunPlan, of other: String?) throws {
        let listened = plan.sourceNames
        let recorders = study.inEachArm.flatMap(\.tasks).flatMap(\.allRecorders)
        let named = study.sources.map(\.identifier) + recorders.compactMap(\.sourceName) + ["heartRate"]
        for given in try given(for: other) where !listened.contains(given.name) {
            let name = Self.name(given.name, of: other)
            guard named.contains(given.name) else {
                let known = Set(named).sorted().map(\.text)
                let help = Suggestion.help(for: given.name.text, among: known, all: "it has")
                throw StudyFailure(
                    "the study has no source '\(name)'" + (help.map { "; \($0)" } ?? ""), .usage)
            }
            Output.remark("Nothing in the task '\(plan.task.identifier)' listens to the source '\(name)'.")
        }
    }

    /// - Throws: `StudyFailure` if two of several participants would have the same source, or if a source is whichever
    ///   device there is.
    package func mustDiffer(for study: Study) throws {
        guard !others.isEmpty else { return }
        var taken: [SourceConfiguration: (name: String, owner: String?)] = [:]
        for owner in owners {
            let sorted = try configurations(for: study, folder: "", of: owner).sorted { $0.key < $1.key }
            for (identifier, configuration) in sorted where configuration.kind != .simulated {
                let name = Self.name(identifier, of: owner)
                if configuration == .bluetooth(.only) || configuration == .lsl(LabStreamChoice()) {
                    throw StudyFailure(
                        "with several participants, a source is not whichever there is: say which one '\(name)' is, "
                            + "such as --source \(name)=\(configuration.kind.rawValue):NAME", .usage)
                }
                if let other = taken[configuration], other.owner != owner {
                    throw StudyFailure(
                        "'\(other.name)' and '\(name)' are the same source, of two participants: give each of them "
                            + "one of their own", .usage)
                }
                taken[configuration] = (name, owner)
            }
        }
    }
}
