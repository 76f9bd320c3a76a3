package import StudyModel
import TextFormat

/// A kind of source, as a study and the command line name it: all that is known of it before it is opened.
///
/// `Signals` opens what is asked for, in `SourceConfiguration+Opening.swift`.
package struct SourceKind: Sendable {
    /// Its type in a study file, with the keys of that.
    let variant: Variants<SourceConfiguration>.Variant
    /// What comes after `--source NAME=`, in the ways that it can be written.
    package let spellings: [Spelling]

    /// One way of asking for it on the command line.
    package struct Spelling: Sendable {
        /// What stands before the colon.
        package let word: String
        /// How the list of sources shows it, such as `bluetooth[:NAME]`.
        package let form: String
        /// What it is, in that list.
        package let meaning: String
        /// How the help shows it.
        package let examples: [String]
        /// Such a source; whether it can be used is the same for all of them.
        package let sample: SourceConfiguration
        /// Reads what comes after the colon; `nil` if nothing may be there.
        let read: @Sendable (String) throws(SourceSpecProblem) -> SourceConfiguration?
    }

    /// Every kind, in the order of help and lists.
    package static let all = [simulated, replay, camera, bluetooth, poll, push, lsl]

    /// Every way of asking for a source on the command line.
    package static var spellings: [Spelling] { all.flatMap(\.spellings) }

    /// The keys of a study's sources.
    static let variants = Variants<SourceConfiguration>(
        name: "source", noun: "source", common: [Field.comment.declaration], variants: all.map(\.variant))

    /// What the help says may come after `--source NAME=`.
    package static var help: String {
        let examples = spellings.flatMap(\.examples)
        return examples.dropLast().joined(separator: ", ") + " or " + examples.suffix(1).joined()
    }
}

/// A source that was asked for in words that cannot be followed: a mistake of usage.
package struct SourceSpecProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to write instead.
    package var description: String
}

extension SourceConfiguration {
    /// Reads what comes after `--source NAME=`.
    ///
    /// - Parameter spec: such as `simulated:restingRate=70,dropouts=0.1`, `replay:FILE` or `bluetooth:NAME`.
    /// - Throws: `SourceSpecProblem` for anything else.
    package init(spec: String) throws(SourceSpecProblem) {
        let parts = spec.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let spellings = SourceKind.spellings
        if let spelling = spellings.first(where: { $0.word == parts[0] }),
            let source = try spelling.read(parts.count > 1 ? parts[1] : "")
        {
            self = source
            return
        }
        let forms = spellings.map { String($0.form.prefix { $0 != "[" }) }
        throw SourceSpecProblem(
            description: "\(quoted(parts[0])) is not a kind of source; "
                + (Suggestion.nearest(to: parts[0], among: spellings.map(\.word)).map {
                    "did you mean '\($0)'?"
                } ?? "there are \(forms.dropLast().joined(separator: ", ")) and \(forms.suffix(1).joined())"))
    }
}
