/// What fills a placeholder in a text during the run: `{answer.name}`, `{score.gad7}`, `{clip.title}`.
package enum TextReference: Hashable, Sendable {
    /// The last answer to a question.
    case answer(Identifier)
    /// A score, or the level of one.
    case score(Identifier)
    /// The title of the step's clip, or else of the round's clip, or else of the clip played last; or another key
    /// of its catalogue entry.
    case clip(String)

    /// - Parameter name: what stands between the braces.
    /// - Returns: `nil` if the placeholder means something else, or nothing.
    package init?(_ name: String) {
        guard let dot = name.firstIndex(of: "."),
            let rest = Identifier(String(name[name.index(after: dot)...]))
        else { return nil }
        switch name[..<dot] {
        case "answer": self = .answer(rest)
        case "score": self = .score(rest)
        case "clip": self = .clip(rest.text)
        default: return nil
        }
    }

    /// Every reference in a text, in order.
    package static func all(in text: String) -> [TextReference] {
        Placeholder.names(in: text).compactMap { TextReference($0) }
    }
}

extension Stimulus {
    /// What a text may say about the clip: its title, its name as `id`, or another key of its catalogue entry.
    package func words(of key: String) -> String? { key == "title" ? title : value(of: key) }
}
