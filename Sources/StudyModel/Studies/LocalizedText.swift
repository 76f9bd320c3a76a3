/// A language by its tag, such as `en`, `fr` or `pt-BR`.
public struct Language: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The tag as written in the study.
    public let tag: String

    /// - Parameter tag: a BCP 47 language tag; the study file checks it.
    public init(_ tag: String) { self.tag = tag }

    public var description: String { tag }
    /// The language without its region, such as `fr` for `fr-CA`.
    package var withoutRegion: Substring { tag.split(separator: "-").first ?? tag[...] }
    /// A language that nobody speaks, for trying layouts: the study's own words with accents, longer and in brackets.
    package static let pseudo = Language("qps-ploc")
    public static func < (left: Language, right: Language) -> Bool { left.tag < right.tag }
}

/// A text that a participant reads, in one or several languages.
public enum LocalizedText: Hashable, Sendable {
    /// The same words in every language.
    case plain(String)
    /// Words by language, in the order of the study file.
    case translated([Translation])

    /// The words in one language.
    public struct Translation: Hashable, Sendable {
        /// The language of `text`.
        public var language: Language
        public var text: String

        public init(language: Language, text: String) {
            self.language = language
            self.text = text
        }
    }

    /// The words in `language`, or else in the same language of another region. Without either, or with `nil`, the
    /// words in the study's first language. In `qps-ploc`, these are made longer for trying layouts.
    public func text(in language: Language?) -> String {
        guard language != .pseudo else { return PseudoText.of(text(in: nil)) }
        return switch self {
        case .plain(let text): text
        case .translated(let translations):
            (translations.first { $0.language == language }
                ?? translations.first { $0.language.withoutRegion == language?.withoutRegion }
                ?? translations.first).map(\.text) ?? ""
        }
    }

    /// The languages that this text has; empty if it is the same in all.
    public var languages: [Language] {
        switch self {
        case .plain: []
        case .translated(let translations): translations.map(\.language)
        }
    }
}
