package import StudyModel
import TextFormat

/// A kind of source, as studies and the command line name it: everything that is known about it before it is
/// opened.
///
/// `Signals` opens sources in `SourceConfiguration+Opening.swift`.
package struct SourceKind: Sendable {
    /// Its type in a study file, with the keys of that type.
    let variant: Variants<SourceConfiguration>.Variant
    /// The ways in which it can be written after `--source NAME=`.
    package let spellings: [Spelling]

    /// One way of asking for it on the command line.
    package struct Spelling: Sendable {
        /// The word before the colon.
        package let word: String
        /// How the list of sources writes it, such as `bluetooth[:NAME]`.
        package let form: String
        /// The description in that list.
        package let meaning: String
        /// The examples in the help.
        package let examples: [String]
        /// An example of such a source. Whether this machine can use it is the same for all of them.
        package let sample: SourceConfiguration
        /// Reads the part after the colon; returns `nil` if nothing may stand there.
        let read: @Sendable (String) throws(SourceSpecProblem) -> SourceConfiguration?
    }

    /// Every kind, in the order of help and lists.
    package static let all = [simulated, replay, camera, bluetooth, poll, push, lsl, joystick, midi]

    /// Every way in which the command line can ask for a source.
    package static var spellings: [Spelling] { all.flatMap(\.spellings) }

    /// The keys of a study's sources.
    static let variants = Variants<SourceConfiguration>(
        name: "source", noun: "source", common: [Field.comment.declaration], variants: all.map(\.variant))

    /// The help for what may come after `--source NAME=`.
    package static var help: String {
        let examples = spellings.flatMap(\.examples)
        return examples.dropLast().joined(separator: ", ") + " or " + examples.suffix(1).joined()
    }
}

/// A source on the command line that cannot be understood: a mistake of usage.
package struct SourceSpecProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to write instead.
    package var description: String
}

extension SourceConfiguration {
    /// Reads the part after `--source NAME=`.
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
